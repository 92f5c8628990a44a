// A grammar of tree-sitter for MLIR with the dialects of @NAME@, written by `odsmith grammar`.
//
// It reads the structure of a text: operations with their results, regions, blocks, values, types and attributes. The form of an
// operation is a row of pieces: names of operations and the `=` after results show where the next one begins.

// Names of operations that are written without their dialect.
const SHORT = [
@SHORT@
];

// Builtin types that are one word, but for integers.
const TYPES = [
@SHAPED@
@FLOATS@
];

const SUFFIX = /[A-Za-z0-9$._-]+/;

module.exports = grammar({
  name: "@NAME@",

  extras: ($) => [/\s/, $.comment],
  word: ($) => $.bare_word,
  conflicts: ($) => [
    [$.result, $._piece], [$.operation, $._piece], [$.alias, $._piece], [$.block, $._piece], [$.operation], [$.alias], [$.block],
    [$.region, $.braces], [$.operation, $.entry_name], [$.braces, $.entry],
  ],

  rules: {
    source_file: ($) => repeat(choice($.operation, $.alias, $.block, $.resources)),

    comment: () => token(seq("//", /[^\n]*/)),

    // A new operation is preferred to more pieces of the one before.
    operation: ($) => prec.dynamic(1, seq(
      optional(seq($.results, "=")),
      choice(field("name", $.operation_name), seq(field("name", $.string), $.parentheses)),
      repeat($._piece),
    )),
    results: ($) => seq($.result, repeat(seq(",", $.result))),
    result: ($) => seq($.value, optional(seq(":", $.number))),
    operation_name: () => token(prec(2, choice(/[A-Za-z_][A-Za-z0-9_$]*(\.[A-Za-z0-9_$-]+)+/, ...SHORT))),

    alias: ($) => prec.dynamic(1, seq(choice($.attribute, $.dialect_type), "=", repeat1($._piece))),
    resources: ($) => seq("{-#", repeat($._piece), "#-}"),

    block: ($) => prec.dynamic(1, seq($.block_name, optional($.parentheses), ":", repeat($.operation))),

    _piece: ($) => choice(
      $.value, $.block_name, $.symbol, $.attribute, $.dialect_type, $.builtin_type, $.number, $.shape, $.string, $.bare_word,
      $.region, $.braces, $.parentheses, $.brackets, $.angles, $.punctuation,
    ),
    // A region has operations or blocks, and a dictionary has pieces.
    region: ($) => prec.dynamic(1, seq("{", repeat1(choice($.operation, $.block)), "}")),
    braces: ($) => seq("{", repeat(choice($._piece, $.entry, $.entry_name)), "}"),
    entry: ($) => prec.dynamic(4, seq($.entry_name, "=")),
    entry_name: ($) => $.operation_name,
    parentheses: ($) => seq("(", repeat(choice($._piece, $.entry_name)), ")"),
    brackets: ($) => seq("[", repeat(choice($._piece, $.entry_name)), "]"),
    angles: ($) => seq("<", repeat(choice($._piece, $.entry_name)), ">"),

    value: () => token(seq("%", SUFFIX, optional(/#[0-9]+/))),
    block_name: () => token(seq("^", SUFFIX)),
    symbol: ($) => seq("@", choice($.bare_word, $.operation_name, $.string)),
    attribute: () => token(seq("#", SUFFIX)),
    dialect_type: () => token(seq("!", SUFFIX)),
    builtin_type: () => token(prec(1, choice(/[su]?i[0-9]+/, "index", "none", ...TYPES))),
    shape: () => token(prec(1, /(([0-9]+|\?|\*|\[[0-9]+\])x)+/)),
    number: () => token(choice(/-?[0-9]+(\.[0-9]*([eE][-+]?[0-9]+)?)?/, /0x[0-9A-Fa-f]+/)),
    string: () => token(seq('"', repeat(choice(/[^"\\\n]/, /\\./)), '"')),
    bare_word: () => /[A-Za-z_][A-Za-z0-9_$]*/,
    punctuation: () => choice(",", ":", "=", "->", "::", "?", "*", "+", "-", "/", "|", "...", "==", ">=", "<="),
  },
});
