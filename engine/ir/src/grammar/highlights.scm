; Highlights of MLIR with the dialects of @NAME@, written by `odsmith grammar`.
(comment) @comment
(string) @string
[(number) (shape)] @number
(value) @variable
(block_name) @label
(symbol) @function
(attribute) @constant
[(builtin_type) (dialect_type)] @type
(bare_word) @variable.parameter
((bare_word) @keyword
  (#any-of? @keyword
@KEYWORDS@))
((bare_word) @constant.builtin
  (#any-of? @constant.builtin
@ATTRIBUTES@))
(operation_name) @function.call
((operation_name) @function.builtin
  (#any-of? @function.builtin
@OPERATIONS@))
(operation name: (string) @function.call)
(entry_name) @property
["(" ")" "[" "]" "{" "}" "<" ">" "{-#" "#-}"] @punctuation.bracket
(punctuation) @punctuation.delimiter
