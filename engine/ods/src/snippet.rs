//! The user's own code with its `$` placeholders.
//!
//! ```text
//! placeholder: "$" name | "$" digits ["..."]     a name: letters, digits, "_", the first no digit
//! "$$": a dollar sign; "$" before anything else: itself
//! ```

use std::fmt::{self, Display, Write};

/// A part of a snippet whose placeholders are names only; see [`pieces`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Text as is.
    Text(&'a str),
    /// The name after a dollar sign: letters, digits and `_`; may be empty.
    Name(&'a str),
}

/// Splits a snippet into pieces. Any run of letters, digits and `_` after a dollar sign is one name; `$$` is a dollar
/// sign.
pub fn pieces(snippet: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = snippet;
    std::iter::from_fn(move || {
        let is_in_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let (piece, len) = if rest.is_empty() {
            return None;
        } else if rest.starts_with("$$") {
            (Piece::Text("$"), 2)
        } else if let Some(name) = rest.strip_prefix('$') {
            let len = name.find(|c| !is_in_name(c)).unwrap_or(name.len());
            (Piece::Name(&name[..len]), len + 1)
        } else {
            let len = rest.find('$').unwrap_or(rest.len());
            (Piece::Text(&rest[..len]), len)
        };
        rest = &rest[len..];
        Some(piece)
    })
}

/// A snippet with its placeholders filled; see [`substitute`].
#[derive(Clone, Copy, Debug)]
pub struct FilledSnippet<'a> {
    snippet: &'a str,
    names: &'a [(&'a str, &'a str)],
    args: &'a [&'a str],
}

/// Fills the placeholders of a snippet: `("_self", "attr")` replaces `$_self` by `attr`.
///
/// As in the reference, a placeholder that has no value stays, followed by `<no-subst-found>`.
#[must_use]
pub fn substitute<'a>(snippet: &'a str, names: &'a [(&'a str, &'a str)]) -> FilledSnippet<'a> {
    FilledSnippet { snippet, names, args: &[] }
}

impl<'a> FilledSnippet<'a> {
    /// Adds values for `$0`, `$1` and so on; `$1...` is all from that one on, separated by commas.
    #[must_use]
    pub fn args(self, args: &'a [&'a str]) -> Self {
        FilledSnippet { args, ..self }
    }

    /// Writes the value of a name, or of a number with its optional `...`.
    fn placeholder(&self, f: &mut impl Write, text: &str) -> fmt::Result {
        let digits = text.trim_end_matches("...");
        let first = digits.parse::<usize>().unwrap_or(usize::MAX);
        if let Some((_, value)) = self.names.iter().find(|(name, _)| *name == text) {
            f.write_str(value)
        } else if let Some(arg) = self.args.get(first) {
            f.write_str(arg)?;
            let others = if digits.len() < text.len() { &self.args[first + 1..] } else { &[] };
            others.iter().try_for_each(|arg| write!(f, ", {arg}"))
        } else {
            write!(f, "${text}<no-subst-found>")
        }
    }
}

impl Display for FilledSnippet<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.snippet;
        while let Some(dollar) = memchr::memchr(b'$', rest.as_bytes()) {
            f.write_str(&rest[..dollar])?;
            rest = &rest[dollar + 1..];
            match placeholder_len(rest) {
                0 => {
                    f.write_char('$')?;
                    rest = rest.strip_prefix('$').unwrap_or(rest);
                }
                len => {
                    self.placeholder(f, &rest[..len])?;
                    rest = &rest[len..];
                }
            }
        }
        f.write_str(rest)
    }
}

/// Returns the length of the placeholder that starts here, after its dollar sign.
fn placeholder_len(text: &str) -> usize {
    let end = |is: fn(u8) -> bool| text.bytes().position(|byte| !is(byte)).unwrap_or(text.len());
    match end(|byte| byte.is_ascii_digit()) {
        0 => end(|byte| byte.is_ascii_alphanumeric() || byte == b'_'),
        digits if text[digits..].starts_with("...") => digits + 3,
        digits => digits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(snippet: &str, expected: &str) {
        let filled = substitute(snippet, &[("_self", "attr"), ("x", "v")]).args(&["a", "b", "c"]);
        assert_eq!(filled.to_string(), expected);
    }

    #[test]
    fn names_and_numbers() {
        check("f($_self, $x)$", "f(attr, v)$");
        check("$_self$_self...", "attrattr...");
        check("$0a $1... $2... $00", "aa b, c c a");
    }

    #[test]
    fn without_a_value() {
        check(
            "$y $_selfx $3 $3...",
            "$y<no-subst-found> $_selfx<no-subst-found> $3<no-subst-found> $3...<no-subst-found>",
        );
        check("$99999999999999999999", "$99999999999999999999<no-subst-found>");
    }

    #[test]
    fn in_pieces() {
        use Piece::{Name, Text};
        let taken: Vec<Piece<'_>> = pieces("a$x_1($$$0)$").collect();
        assert_eq!(taken, [Text("a"), Name("x_1"), Text("("), Text("$"), Name("0"), Text(")"), Name("")]);
    }

    #[test]
    fn dollars() {
        check("$$ $$x $$$x $-a ${x} é$é", "$ $x $v $-a ${x} é$é");
    }
}
