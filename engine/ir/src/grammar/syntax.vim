" Vim syntax of MLIR with the dialects of @NAME@, written by `odsmith grammar`.
if exists('b:current_syntax')
  finish
endif
syntax case match
setlocal iskeyword=@,48-57,_,.,$

syntax keyword mlirKeyword@KEYWORDS@
@MATCHES@syntax keyword mlirConstant@ATTRIBUTES@
syntax keyword mlirType index none@FLOATS@
syntax keyword mlirType@SHAPED@
syntax match mlirType /\<[su]\=i\d\+\>/
" The element of a shape: `4x?xf32`.
syntax match mlirElement /\%(\d\|?\|\]\|\*\)\@1<=x\%([su]\=i\d\+\|index\|b\=f\d\w*\|tf32\)\>/hs=s+1
syntax match mlirNumber /-\=\<\d\+\%(\.\d*\%([eE][-+]\=\d\+\)\=\)\=/
syntax match mlirNumber /\<0x\x\+\>/
syntax match mlirOperation /[!#@%^.[:alnum:]_$-]\@1<!\<\h[[:alnum:]_$]*\%(\.[[:alnum:]_$-]\+\)\+\%(\s*[=,]\)\@!/
syntax keyword mlirShortOperation@SHORT@
syntax keyword mlirKnownOperation@OPERATIONS@
syntax match mlirValue /%[[:alnum:]$._-]\+\%(#\d\+\)\=/
syntax match mlirBlock /\^[[:alnum:]$._-]\+/
syntax match mlirSymbol /@\h[[:alnum:]_$.]*/
syntax match mlirDialectType /![[:alnum:]$._-]\+/
syntax match mlirAttribute /#[[:alnum:]$._-]\+/
syntax region mlirString start=/"/ skip=/\\./ end=/"/ oneline
syntax match mlirComment /\/\/.*$/ contains=@Spell

highlight default link mlirKeyword Keyword
highlight default link mlirConstant Constant
highlight default link mlirType Type
highlight default link mlirElement Type
highlight default link mlirNumber Number
highlight default link mlirOperation Function
highlight default link mlirShortOperation Function
highlight default link mlirKnownOperation Function
highlight default link mlirValue Identifier
highlight default link mlirBlock Label
highlight default link mlirSymbol Tag
highlight default link mlirDialectType Type
highlight default link mlirAttribute Constant
highlight default link mlirString String
highlight default link mlirComment Comment

let b:current_syntax = '@NAME@'
