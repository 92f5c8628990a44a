//! The `include`s that a file begins with.

use super::preprocessor_guard;
use crate::outline::lexical;

/// The beginning of a file: an optional include guard, then `include`s with nothing but blanks and comments between.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Leading {
    /// The guard: the macro's name and its offset after `#ifndef`.
    pub guard: Option<(String, usize)>,
    /// Each name with the offset of its opening quote and the offset after the closing one.
    pub includes: Vec<(String, usize, usize)>,
}

impl Leading {
    /// Returns the macro of the include guard that a file begins with.
    pub(super) fn guard_of(text: &[u8]) -> Option<String> {
        preprocessor_guard(text, skip_blanks(text, 0)).map(|(guard, ..)| guard)
    }

    /// Reads the beginning of a file. Anything else ends it: nothing here is an error.
    #[must_use]
    pub fn of(text: &[u8]) -> Leading {
        let mut leading = Leading::default();
        let mut at = skip_blanks(text, 0);
        if let Some((name, name_at, end)) = preprocessor_guard(text, at) {
            leading.guard = Some((name, name_at));
            at = skip_blanks(text, end);
        }
        while let Some((name, quote, end)) = include(text, at) {
            leading.includes.push((name, quote, end));
            at = skip_blanks(text, end);
        }
        leading
    }
}

fn include(text: &[u8], at: usize) -> Option<(String, usize, usize)> {
    let rest = text.get(at..)?.strip_prefix(b"include")?;
    let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let quote = at + b"include".len() + blanks;
    let name = text.get(quote..)?.strip_prefix(b"\"")?;
    let length = name.iter().position(|byte| matches!(byte, b'"' | b'\\' | b'\n' | b'\r'))?;
    if name[length] != b'"' {
        return None;
    }
    let name = std::str::from_utf8(&name[..length]).ok()?;
    Some((name.to_owned(), quote, quote + 1 + length + 1))
}

/// Returns the offset after blanks and comments; a comment without an end reaches the end of the text.
fn skip_blanks(text: &[u8], mut at: usize) -> usize {
    loop {
        match &text[at.min(text.len())..] {
            [b' ' | b'\t' | b'\r' | b'\n', ..] => at += 1,
            [b'/', b'/', ..] => at += lexical::line_comment(&text[at..]),
            _ => return at,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Leading;

    #[test]
    fn guard_and_includes() {
        let text = b"// c\n#ifndef A_TD\n#define A_TD\n\ninclude \"x.td\" // y\ninclude \"z.td\"\ndef a;\ninclude \"no.td\"";
        let leading = Leading::of(text);
        assert_eq!(leading.guard, Some(("A_TD".to_owned(), 13)));
        let names: Vec<&str> = leading.includes.iter().map(|(name, ..)| name.as_str()).collect();
        assert_eq!(names, ["x.td", "z.td"]);
        assert_eq!(text[leading.includes[0].1], b'"');
    }
}
