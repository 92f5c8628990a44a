//! The tokens of Starlark.

/// A token's kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Name(String),
    Text(String),
    Number(i64),
    /// An operator; `"\n"` is the end of a line outside brackets.
    Op(&'static str),
    Other(char),
}

/// A token.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) line: usize,
    /// The indentation of the line if the token is its first.
    pub(super) column: usize,
}

const OPS: &[&str] = &[
    "**", "//", "==", "!=", "<=", ">=", "+=", "|=", "(", ")", "[", "]", "{", "}", ",", ":", ".", "=", "+",
    "-", "*", "/", "%", "|", "<", ">",
];

/// Splits a file into its tokens.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let (mut rest, mut line, mut nested) = (text, 1, 0_usize);
    let mut column = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    while let Some(char) = rest.chars().next() {
        let is_word = |char: char| char.is_ascii_alphanumeric() || char == '_';
        let first_line = line;
        let (kind, length) = match char {
            '\n' => {
                line += 1;
                let below = &rest[1..];
                let kind = (nested == 0).then_some(Kind::Op("\n"));
                let indent = below.len() - below.trim_start_matches([' ', '\t']).len();
                if nested == 0 {
                    column = indent;
                }
                (kind, 1)
            }
            '#' => (None, rest.find('\n').unwrap_or(rest.len())),
            '\\' if rest[1..].starts_with('\n') => {
                line += 1;
                (None, 2)
            }
            char if char.is_whitespace() => (None, char.len_utf8()),
            '"' | '\'' => string(rest, false),
            'r' if rest[1..].starts_with(['"', '\'']) => {
                let (kind, length) = string(&rest[1..], true);
                (kind, length + 1)
            }
            char if char.is_ascii_digit() => {
                let end = rest.find(|char| !is_word(char)).unwrap_or(rest.len());
                (rest[..end].parse().ok().map(Kind::Number).or(Some(Kind::Other('0'))), end)
            }
            char if is_word(char) => {
                let end = rest.find(|char| !is_word(char)).unwrap_or(rest.len());
                (Some(Kind::Name(rest[..end].to_owned())), end)
            }
            char => match OPS.iter().find(|op| rest.starts_with(**op)) {
                Some(&op) => {
                    match op {
                        "(" | "[" | "{" => nested += 1,
                        ")" | "]" | "}" => nested = nested.saturating_sub(1),
                        _ => {}
                    }
                    (Some(Kind::Op(op)), op.len())
                }
                None => (Some(Kind::Other(char)), char.len_utf8()),
            },
        };
        if matches!(kind, Some(Kind::Text(_))) {
            line += rest[..length].matches('\n').count();
        }
        tokens.extend(kind.map(|kind| Token { kind, line: first_line, column }));
        rest = &rest[length..];
    }
    tokens
}

/// Reads a string at the start of a text; returns its token and its length.
fn string(text: &str, is_raw: bool) -> (Option<Kind>, usize) {
    let quote =
        ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quote| text.starts_with(quote)).unwrap_or("\"");
    let (mut value, mut at) = (String::new(), quote.len());
    while let Some(char) = text[at..].chars().next() {
        if text[at..].starts_with(quote) {
            return (Some(Kind::Text(value)), at + quote.len());
        }
        if char == '\n' && quote.len() == 1 {
            break;
        }
        if char == '\\' && !is_raw {
            let escaped = text[at + 1..].chars().next();
            match escaped {
                Some('n') => value.push('\n'),
                Some('t') => value.push('\t'),
                Some('\n') | None => {}
                Some(other) => value.push(other),
            }
            at += 1 + escaped.map_or(0, char::len_utf8);
            continue;
        }
        value.push(char);
        at += char.len_utf8();
    }
    (Some(Kind::Other('"')), at.min(text.len()).max(1))
}
