autocmd BufNewFile,BufRead *.mlir setlocal filetype=@NAME@ commentstring=//\ %s
