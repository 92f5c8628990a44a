//! Finds the files that a `.td` file includes, without evaluating it.

use odsmith_engine::outline::lexical::{Kind, escaped, lexemes};

/// Returns the paths of all `include "…"` outside of comments and strings, in every branch of the preprocessor.
#[must_use]
pub fn of(text: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    // Keywords that wait for their path: the lexer lets another `include` come first.
    let mut waiting = 0_usize;
    for lexeme in lexemes(text) {
        match lexeme.kind {
            Kind::LineComment | Kind::BlockComment | Kind::Directive => {}
            Kind::Word if &text[lexeme.start..lexeme.end] == b"include" => waiting += 1,
            Kind::String if lexeme.is_closed && waiting > 0 => {
                waiting -= 1;
                let name = String::from_utf8(unescaped(lexeme.inside(text)));
                found.extend(name.ok().filter(|name| !name.is_empty()));
            }
            _ => waiting = 0,
        }
    }
    found
}

/// Returns the bytes that the inside of a string literal represents.
fn unescaped(inside: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(inside.len());
    let mut rest = inside.iter();
    while let Some(&byte) = rest.next() {
        let escape = rest.as_slice().first().filter(|_| byte == b'\\');
        bytes.push(escape.and_then(|&byte| escaped(byte)).inspect(|_| _ = rest.next()).unwrap_or(byte));
    }
    bytes
}

/// Returns true if a text contains nothing but includes, comments and preprocessor lines.
#[must_use]
pub fn are_all(text: &[u8]) -> bool {
    let mut is_after_include = false;
    lexemes(text).all(|lexeme| match lexeme.kind {
        Kind::LineComment | Kind::BlockComment | Kind::Directive => true,
        Kind::String => std::mem::take(&mut is_after_include),
        Kind::Word if &text[lexeme.start..lexeme.end] == b"include" => {
            !std::mem::replace(&mut is_after_include, true)
        }
        _ => false,
    })
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
