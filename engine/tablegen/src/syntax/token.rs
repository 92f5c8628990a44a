//! Tokens and keywords: section "Lexical Analysis" of the TableGen Programmer's Reference.

use crate::span::Span;

/// A token and its place. The lexer holds its text or number, if it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The kind.
    pub kind: TokenKind,
    /// The place of its first byte.
    pub span: Span,
}

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// The end of the root file.
    Eof,
    /// An invalid token; the lexer has reported it.
    Error,
    /// An identifier, keywords excepted.
    Id,
    /// `$name`.
    VarName,
    /// `"…"`.
    String,
    /// `[{…}]`.
    Code,
    /// A decimal or hexadecimal integer.
    Int,
    /// A binary integer.
    Binary,
    /// `!name`, an index into the list of operators.
    Bang(u8),
    /// A keyword.
    Keyword(Keyword),
    /// `-`, when no digit follows.
    Minus,
    /// `+`, when no digit follows.
    Plus,
    /// `[`.
    LSquare,
    /// `]`.
    RSquare,
    /// `{`.
    LBrace,
    /// `}`.
    RBrace,
    /// `(`.
    LParen,
    /// `)`.
    RParen,
    /// `<`.
    Less,
    /// `>`.
    Greater,
    /// `:`.
    Colon,
    /// `;`.
    Semi,
    /// `,`.
    Comma,
    /// `.`.
    Dot,
    /// `...`.
    DotDotDot,
    /// `=`.
    Equal,
    /// `?`.
    Question,
    /// `#`.
    Paste,
}

/// Words that are not identifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the word itself")]
pub enum Keyword {
    Assert,
    Bit,
    Bits,
    Class,
    Code,
    Dag,
    Def,
    Defm,
    Defset,
    Deftype,
    Defvar,
    Dump,
    Else,
    False,
    Field,
    Foreach,
    If,
    In,
    Int,
    Let,
    List,
    Multiclass,
    String,
    Then,
    True,
}

impl Keyword {
    /// Returns the keyword of a word. `include` is not among them: the lexer acts on it.
    #[must_use]
    pub fn find(word: &[u8]) -> Option<Keyword> {
        Some(match word {
            b"assert" => Keyword::Assert,
            b"bit" => Keyword::Bit,
            b"bits" => Keyword::Bits,
            b"class" => Keyword::Class,
            b"code" => Keyword::Code,
            b"dag" => Keyword::Dag,
            b"def" => Keyword::Def,
            b"defm" => Keyword::Defm,
            b"defset" => Keyword::Defset,
            b"deftype" => Keyword::Deftype,
            b"defvar" => Keyword::Defvar,
            b"dump" => Keyword::Dump,
            b"else" => Keyword::Else,
            b"false" => Keyword::False,
            b"field" => Keyword::Field,
            b"foreach" => Keyword::Foreach,
            b"if" => Keyword::If,
            b"in" => Keyword::In,
            b"int" => Keyword::Int,
            b"let" => Keyword::Let,
            b"list" => Keyword::List,
            b"multiclass" => Keyword::Multiclass,
            b"string" => Keyword::String,
            b"then" => Keyword::Then,
            b"true" => Keyword::True,
            _ => return None,
        })
    }
}
