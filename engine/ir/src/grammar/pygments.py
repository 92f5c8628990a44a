"""A lexer of Pygments for MLIR with the dialects of @NAME@.

Written by `odsmith grammar`. In the conf.py of Sphinx:

    from @NAME@_lexer import @CLASS@Lexer
    def setup(app):
        app.add_lexer("mlir", @CLASS@Lexer)
"""

from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

__all__ = ["@CLASS@Lexer"]


class @CLASS@Lexer(RegexLexer):
    name = "MLIR with @NAME@"
    aliases = ["mlir", "mlir-@NAME@"]
    filenames = ["*.mlir"]

    tokens = {
        "root": [
            (r"\s+", Text.Whitespace),
            (r"//.*?$", Comment.Single),
            (r'"', String.Double, "string"),
            (r"\{-#|#-\}", Punctuation),
            (r"\^[A-Za-z0-9$._-]+", Name.Label),
            (r"%[A-Za-z0-9$._-]+(?:#\d+)?", Name.Variable),
            (r'@(?:[A-Za-z_][\w$.]*|(?="))', Name.Function),
            (r"![A-Za-z0-9$._-]+", Name.Class),
            (r"#[A-Za-z0-9$._-]+", Name.Constant),
            (r"(?:@SHAPED@)(?=<)", Keyword.Type),
            (r"(?:index|none|[su]?i[0-9]+|@FLOATS@)(?![\w$.-])", Keyword.Type),
            (r"(?:@OPERATIONS@)(?![\w$.-])", Name.Builtin),
            (r"(?:@ATTRIBUTES@)(?![\w$.])", Keyword.Constant),
            (r"[A-Za-z_][\w$]*(?:\.[\w$-]+)+(?!\s*[=,])", Name.Builtin),
            (r"^(?:@SHORT@)(?![\w$.-])", Name.Builtin),
            (r"(?<=  )(?:@SHORT@)(?![\w$.-])", Name.Builtin),
            (r"(?<== )(?:@SHORT@)(?![\w$.-])", Name.Builtin),
            (r"(?:@KEYWORDS@)(?![\w$.-])", Keyword),
            (r"-?0x[0-9A-Fa-f]+(?![\w$])", Number.Hex),
            (r"-?[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?", Number.Float),
            # The sizes of a shape: `4x?x`.
            (r"(?:(?:[0-9]+|\?|\*|\[[0-9]+\])x)+(?=[A-Za-z!])", Number),
            (r"-?[0-9]+", Number.Integer),
            (r"->|::|==|>=|<=|\.\.\.|[-+*/|]", Operator),
            (r"[()\[\]{}<>,:=?.]", Punctuation),
            (r"[A-Za-z_][\w$.]*", Name),
        ],
        "string": [
            (r'\\(?:[nt\\"]|[0-9A-Fa-f]{2})', String.Escape),
            (r'[^"\\\n]+', String.Double),
            (r'"|\n', String.Double, "#pop"),
            (r"\\", String.Double),
        ],
    }
