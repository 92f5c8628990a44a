//! Reads which files a `.td` file includes, without evaluating it.

/// The paths of all `include "…"` outside of comments and strings, whatever the preprocessor would say.
#[must_use]
pub fn of(text: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut is_after_include = false;
    while let Some(&byte) = rest.first() {
        let length = match (byte, rest.get(1)) {
            (b'/', Some(b'/')) => until(rest, b"\n", 2),
            (b'/', Some(b'*')) => block_comment(rest),
            (b'[', Some(b'{')) => until(rest, b"}]", 2),
            (b'"', _) => {
                let length = string(rest);
                let body = rest[1..length].strip_suffix(b"\"").unwrap_or_default();
                if is_after_include && !body.is_empty() {
                    found.extend(String::from_utf8(body.to_vec()));
                }
                is_after_include = false;
                length
            }
            _ if byte.is_ascii_alphabetic() || byte == b'_' => {
                let is_word = |&byte: &u8| byte.is_ascii_alphanumeric() || byte == b'_';
                let length = rest.iter().position(|byte| !is_word(byte)).unwrap_or(rest.len());
                is_after_include = &rest[..length] == b"include";
                length
            }
            // So that `$include` and `x1include` are no includes.
            _ if byte == b'$' || byte.is_ascii_digit() => {
                let is_word = |&byte: &u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$';
                is_after_include = false;
                rest.iter().position(|byte| !is_word(byte)).unwrap_or(rest.len())
            }
            _ => {
                is_after_include &= byte.is_ascii_whitespace();
                1
            }
        };
        rest = &rest[length.min(rest.len())..];
    }
    found
}

/// Whether a text holds nothing but includes, comments and the preprocessor's lines.
#[must_use]
pub fn are_all(text: &[u8]) -> bool {
    let mut rest = text;
    let mut is_after_include = false;
    while let Some(&byte) = rest.first() {
        let length = match (byte, rest.get(1)) {
            (b'/', Some(b'/')) | (b'#', _) => until(rest, b"\n", 1),
            (b'/', Some(b'*')) => block_comment(rest),
            (b'"', _) if is_after_include => {
                is_after_include = false;
                string(rest)
            }
            _ if byte.is_ascii_whitespace() => 1,
            _ if rest.starts_with(b"include") && !is_after_include => {
                is_after_include = true;
                b"include".len()
            }
            _ => return false,
        };
        rest = &rest[length.min(rest.len())..];
    }
    true
}

/// Up to and with an end mark, looked for after the first `from` bytes.
fn until(text: &[u8], end: &[u8], from: usize) -> usize {
    let at = text[from..].windows(end.len()).position(|window| window == end);
    at.map_or(text.len(), |at| from + at + end.len())
}

/// Block comments nest.
fn block_comment(text: &[u8]) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < text.len() {
        match text.get(at..at + 2) {
            Some(b"/*") => {
                depth += 1;
                at += 2;
            }
            Some(b"*/") => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    text.len()
}

fn string(text: &[u8]) -> usize {
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            b'\n' => return at,
            _ => at += 1,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_real_includes() {
        let text = br#"
            // include "no.td"
            /* include "no.td" /* */ include "no.td" */
            include "a.td" include
              "b/c.td"
            def X { string s = "include \"no.td\""; code c = [{ include "no.td" }]; }
            def include_ : Y<"no.td">;
            #ifdef Z
            include "d.td"
            "#;
        assert_eq!(of(text), ["a.td", "b/c.td", "d.td"]);
    }

    #[test]
    fn nothing_but_includes() {
        for text in ["", "include \"a\"\n// x\n#ifdef A\n#endif\n/* y */ include\n\"b\""] {
            assert!(are_all(text.as_bytes()), "{text:?}");
        }
        for text in ["def A;", "include \"a\" \"b\"", "let x = 1 in include \"a\""] {
            assert!(!are_all(text.as_bytes()), "{text:?}");
        }
    }

    #[test]
    fn any_end_is_an_end() {
        for text in ["include \"", "include \"a", "/*", "[{", "\"\\", "include", "//", "include \"\n"] {
            assert!(of(text.as_bytes()).is_empty(), "{text:?}");
        }
    }
}
