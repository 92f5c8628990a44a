//! The files that a `.td` file includes, in every branch of the preprocessor.

use super::{
    lexical,
    tokens::{Kind, Token, tokens},
};

/// Returns the paths of all `include "…"` outside of comments and strings.
#[must_use]
pub fn of(text: &[u8]) -> Vec<String> {
    let path = |token: Token| String::from_utf8(unescaped(&text[token.inside()])).ok();
    strings(text).filter_map(path).filter(|path| !path.is_empty()).collect()
}

/// Returns the strings that name included files.
pub fn strings(text: &[u8]) -> impl Iterator<Item = Token> {
    // Keywords that wait for their path: the lexer lets another `include` come first.
    let mut waiting = 0_usize;
    tokens(text).filter(Token::is_code).filter(move |token| match token.kind {
        Kind::Word if &text[token.range()] == b"include" => {
            waiting += 1;
            false
        }
        Kind::String if token.is_closed && waiting > 0 => {
            waiting -= 1;
            true
        }
        _ => {
            waiting = 0;
            false
        }
    })
}

/// Returns the bytes that the inside of a string literal represents.
fn unescaped(inside: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(inside.len());
    let mut rest = inside.iter();
    while let Some(&byte) = rest.next() {
        let escape = rest.as_slice().first().filter(|_| byte == b'\\');
        let escaped = escape.and_then(|&byte| lexical::escaped(byte));
        bytes.push(escaped.inspect(|_| _ = rest.next()).unwrap_or(byte));
    }
    bytes
}

/// Returns true if a text contains nothing but includes, comments and preprocessor lines.
#[must_use]
pub fn are_all(text: &[u8]) -> bool {
    let mut is_after_include = false;
    tokens(text).filter(Token::is_code).all(|token| match token.kind {
        Kind::String => std::mem::take(&mut is_after_include),
        Kind::Word if &text[token.range()] == b"include" => !std::mem::replace(&mut is_after_include, true),
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
