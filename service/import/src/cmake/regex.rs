//! Regular expressions as CMake has them: `string(REGEX …)` and `if(… MATCHES …)`.

use regex::{Captures, Regex, RegexBuilder};

/// The most bytes of a compiled expression.
const MOST_BYTES: usize = 1 << 20;

/// Returns an expression of CMake; `None` if it is none, or too big. CMake knows `^ $ . [ ] * + ? | ( )` and a backslash before
/// any of them; a brace is literal.
pub(super) fn compile(text: &str) -> Option<Regex> {
    let mut pattern = String::new();
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '\\' => pattern.push_str(&regex::escape(chars.next()?.encode_utf8(&mut [0; 4]))),
            '[' => {
                pattern.push('[');
                pattern.extend(chars.next_if_eq(&'^'));
                let mut is_first = true;
                loop {
                    match chars.next()? {
                        ']' if !is_first => break,
                        char @ ('\\' | '[' | ']' | '^' | '&' | '~') => pattern.extend(['\\', char]),
                        // At either end it is literal.
                        '-' if is_first || chars.peek() == Some(&']') => pattern.push_str("\\-"),
                        char => pattern.push(char),
                    }
                    is_first = false;
                }
                pattern.push(']');
            }
            '^' | '$' | '.' | '*' | '+' | '?' | '|' | '(' | ')' => pattern.push(char),
            char => pattern.push_str(&regex::escape(char.encode_utf8(&mut [0; 4]))),
        }
    }
    RegexBuilder::new(&pattern).dot_matches_new_line(true).size_limit(MOST_BYTES).build().ok()
}

/// Returns the matches in a text, one after the other; `^` fits at the begin of what is left, as in CMake. `None` if one is
/// empty, which CMake refuses.
fn matches<'t>(expression: &Regex, text: &'t str) -> Option<Vec<(&'t str, Captures<'t>)>> {
    let mut all = Vec::new();
    let mut rest = text;
    while let Some(captures) = expression.captures(rest) {
        let whole = captures.get(0)?;
        if whole.is_empty() {
            return None;
        }
        let before = &rest[..whole.start()];
        rest = &rest[whole.end()..];
        all.push((before, captures));
    }
    Some(all)
}

/// Returns a text with all matches replaced; `\1` in the replacement is a group. `None` for an error.
pub(super) fn replace(expression: &str, by: &str, text: &str) -> Option<String> {
    let expression = compile(expression)?;
    let matches = matches(&expression, text)?;
    let mut out = String::new();
    let mut read = 0;
    for (before, captures) in matches {
        out += before;
        read += before.len() + captures.get(0)?.len();
        let mut chars = by.chars();
        while let Some(char) = chars.next() {
            match (char, if char == '\\' { chars.next() } else { None }) {
                ('\\', Some('n')) => out.push('\n'),
                ('\\', Some('\\')) => out.push('\\'),
                ('\\', Some(digit)) => {
                    let group = captures.get(usize::try_from(digit.to_digit(10)?).ok()?);
                    out += group.map_or("", |group| group.as_str());
                }
                ('\\', None) => return None,
                (char, _) => out.push(char),
            }
        }
    }
    Some(out + &text[read..])
}

/// Returns all matches in a text, or `None` for an error.
pub(super) fn all(expression: &str, text: &str) -> Option<Vec<String>> {
    let expression = compile(expression)?;
    let matches = matches(&expression, text)?;
    Some(matches.iter().map(|(_, captures)| captures[0].to_owned()).collect())
}

/// Returns the first match with its groups, the whole first; no text if nothing matches, `None` for an error.
pub(super) fn first(expression: &str, text: &str) -> Option<Vec<String>> {
    let captures = compile(expression)?.captures(text);
    let groups = captures.iter().flat_map(Captures::iter);
    Some(groups.map(|group| group.map_or("", |group| group.as_str()).to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CMake 3.25 prints these.
    #[test]
    fn answers_of_cmake() {
        for (expression, by, text, expected) in [
            (r"\.td$", "", "x/Foo.td", Some("x/Foo")),
            (r"(.*)/([^/]+)\.td", r"\2_inc\1", "x/y/Foo.td;q/Bar.td", Some("Bar_incx/y/Foo.td;q")),
            ("^a", "b", "aaa", Some("bbb")),
            ("a*", "X", "baac", None),
            ("a{2}", "X", "aaa{2}", Some("aaX")),
            ("[]x]", "-", "a]xb", Some("a--b")),
            (r"[\.]", "-", r"a.b\c", Some("a-b-c")),
            ("b", r"\0\0\n", "abc", Some("abb\nc")),
            ("x.", "y", "x\nz", Some("yz")),
            ("a$", "b", "a\na", Some("a\nb")),
            ("[^a-c-]", "_", "a-d", Some("a-_")),
            ("(", "_", "a", None),
        ] {
            assert_eq!(replace(expression, by, text).as_deref(), expected, "{expression}");
        }
        assert_eq!(all("[A-Z]", "fooBARbazQZZ").unwrap_or_default().join(";"), "B;A;R;Q;Z;Z");
        assert_eq!(first("(a|ab)(c|bcd)?", "abcd").unwrap_or_default(), ["abcd", "a", "bcd"]);
        assert_eq!(first("zz", "foo"), Some(Vec::new()));
    }
}
