//! Syntax highlighting while the site is built: MLIR, TableGen, C++ and Python, each token by its first characters.

use odsmith_engine::outline::{
    Kind,
    lexical::{self, Extent},
};

use crate::markdown::escape;

/// Returns code as HTML; `link` returns the page that describes a name.
#[must_use]
pub fn block(language: &str, code: &str, link: impl Fn(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(code.len() * 2);
    write(language, code, link, &mut out);
    out
}

/// Does the same, but appends to `out`.
pub fn write(language: &str, code: &str, link: impl Fn(&str) -> Option<String>, out: &mut String) {
    match language.to_ascii_lowercase().as_str() {
        "mlir" | "llvm" => scan(code, &MLIR, &link, out),
        "" if code.contains('%') || code.contains('^') => scan(code, &MLIR, &link, out),
        "tablegen" | "td" => scan(code, &TABLEGEN, &link, out),
        "c++" | "cpp" | "c" => scan(code, &CPP, &link, out),
        "python" | "py" => scan(code, &PYTHON, &link, out),
        _ => escape(code, out),
    }
}

struct Language {
    keywords: &'static [&'static str],
    /// The lengths of keywords by first letter: one bit for each length.
    lengths: [u32; 128],
    /// Sigils that start a name, and the class of such a name.
    sigils: &'static [(char, &'static str)],
    /// The start of a comment to the end of the line.
    comment: &'static str,
    has_linked_names: bool,
    /// True if the engine's lexer finds the ends of comments, strings and code fragments.
    is_tablegen: bool,
}

/// Returns [`Language::lengths`] of these keywords.
const fn lengths(keywords: &[&str]) -> [u32; 128] {
    let mut lengths = [0; 128];
    let mut at = 0;
    while at < keywords.len() {
        let word = keywords[at].as_bytes();
        lengths[word[0] as usize] |= 1 << word.len();
        at += 1;
    }
    lengths
}

impl Language {
    fn is_keyword(&self, word: &str) -> bool {
        // Few words share the first letter and the length of a keyword.
        let lengths = word.bytes().next().and_then(|first| self.lengths.get(usize::from(first)));
        word.len() < 32
            && lengths.is_some_and(|lengths| lengths >> word.len() & 1 != 0)
            && self.keywords.contains(&word)
    }
}

const MLIR_KEYWORDS: &[&str] = &["true", "false", "unit", "dense", "loc", "step", "to", "else", "iter_args"];
const MLIR: Language = Language {
    keywords: MLIR_KEYWORDS,
    lengths: lengths(MLIR_KEYWORDS),
    sigils: &[('%', "v"), ('^', "r"), ('@', "n"), ('!', "t"), ('#', "a")],
    comment: "//",
    has_linked_names: true,
    is_tablegen: false,
};
const TABLEGEN_KEYWORDS: &[&str] = &[
    "def",
    "defm",
    "class",
    "multiclass",
    "let",
    "in",
    "foreach",
    "include",
    "defvar",
    "defset",
    "if",
    "then",
    "else",
    "assert",
    "bit",
    "bits",
    "int",
    "string",
    "list",
    "dag",
    "code",
    "field",
    "ins",
    "outs",
    "region",
    "successor",
];
const TABLEGEN: Language = Language {
    keywords: TABLEGEN_KEYWORDS,
    lengths: lengths(TABLEGEN_KEYWORDS),
    sigils: &[('$', "v"), ('!', "k"), ('#', "o")],
    comment: "//",
    has_linked_names: false,
    is_tablegen: true,
};
const CPP_KEYWORDS: &[&str] = &[
    "auto",
    "bool",
    "class",
    "const",
    "else",
    "for",
    "if",
    "int",
    "namespace",
    "return",
    "static",
    "struct",
    "template",
    "unsigned",
    "using",
    "void",
    "while",
    "true",
    "false",
    "nullptr",
];
const CPP: Language = Language {
    keywords: CPP_KEYWORDS,
    lengths: lengths(CPP_KEYWORDS),
    sigils: &[],
    comment: "//",
    has_linked_names: false,
    is_tablegen: false,
};
const PYTHON_KEYWORDS: &[&str] = &[
    "and", "as", "assert", "class", "def", "elif", "else", "False", "for", "from", "if", "import", "in",
    "is", "lambda", "None", "not", "or", "pass", "return", "True", "while", "with", "yield",
];
const PYTHON: Language = Language {
    keywords: PYTHON_KEYWORDS,
    lengths: lengths(PYTHON_KEYWORDS),
    sigils: &[],
    comment: "#",
    has_linked_names: true,
    is_tablegen: false,
};

fn scan(code: &str, language: &Language, link: &impl Fn(&str) -> Option<String>, out: &mut String) {
    let mut rest = code;
    // Text without a class of its own is written in one piece.
    let mut plain = code;
    while let Some(first) = rest.chars().next() {
        let (class, len) = token(rest, first, language);
        let (text, after) = rest.split_at(len);
        let before = &plain[..plain.len() - rest.len()];
        let href = (class == "w" && language.has_linked_names && text.contains('.'))
            .then(|| link(text))
            .flatten()
            .or_else(|| matches!(class, "t" | "a").then(|| link(text)).flatten());
        match (class, href) {
            (_, Some(href)) => {
                escape(before, out);
                out.push_str("<a href=\"");
                escape(&href, out);
                out.push_str("\">");
                escape(text, out);
                out.push_str("</a>");
            }
            ("w", None) if language.is_keyword(text) => {
                escape(before, out);
                span("k", text, out);
            }
            ("w" | "", None) => {
                rest = after;
                continue;
            }
            (class, None) => {
                escape(before, out);
                span(class, text, out);
            }
        }
        rest = after;
        plain = after;
    }
    escape(plain, out);
}

fn span(class: &str, text: &str, out: &mut String) {
    out.push_str("<i class=\"");
    out.push_str(class);
    out.push_str("\">");
    escape(text, out);
    out.push_str("</i>");
}

/// The ASCII bytes that a name may contain.
const IS_NAME: [bool; 256] = {
    let mut is_name = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        is_name[byte] = (byte as u8).is_ascii_alphanumeric() || matches!(byte as u8, b'_' | b'.' | b'$');
        byte += 1;
    }
    is_name
};

/// Returns how many bytes at the start of a text may belong to a name.
fn name_len(text: &str) -> usize {
    match text.bytes().position(|byte| !IS_NAME[usize::from(byte)]) {
        Some(at) if text.as_bytes()[at] >= 0x80 => {
            let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$');
            text.find(|c| !is_name(c)).unwrap_or(text.len())
        }
        end => end.unwrap_or(text.len()),
    }
}

/// Returns the class and length of the token at the start of `rest`.
fn token(rest: &str, first: char, language: &Language) -> (&'static str, usize) {
    let until = |text: &str, end: &str| text.find(end).map_or(text.len(), |at| at + end.len());
    // Most tokens are words, or start nothing special in any language.
    if first.is_alphabetic() || first == '_' {
        let word = rest[..name_len(rest)].trim_end_matches('.');
        return ("w", word.len().max(first.len_utf8()));
    }
    if matches!(first, ' ' | '\n' | '(' | ')' | '<' | '>' | ',' | ';' | ':' | '=' | '&' | '*') {
        return ("", 1);
    }
    if language.is_tablegen
        && let Some((kind, Extent { length, is_closed })) = lexical::enclosed(rest.as_bytes())
    {
        return match kind {
            Kind::String if !is_closed => ("", length),
            Kind::LineComment | Kind::BlockComment => ("c", length),
            _ => ("s", length),
        };
    }
    if rest.starts_with(language.comment) {
        return ("c", rest.find('\n').unwrap_or(rest.len()));
    }
    if language.comment == "//" && rest.starts_with("/*") {
        return ("c", until(rest, "*/"));
    }
    if first == '"' {
        let mut escaped = false;
        for (at, c) in rest.char_indices().skip(1) {
            match c {
                '\n' => return ("", at),
                '"' if !escaped => return ("s", at + 1),
                _ => escaped = c == '\\' && !escaped,
            }
        }
        return ("", rest.len());
    }
    if let Some(&(_, class)) = language.sigils.iter().find(|(sigil, _)| *sigil == first) {
        let name = rest[..=name_len(&rest[1..])].trim_end_matches('.').len();
        return if name > 1 { (class, name) } else { ("", 1) };
    }
    if first.is_ascii_digit() {
        return ("m", rest.find(|c: char| !c.is_alphanumeric() && c != '.').unwrap_or(rest.len()));
    }
    ("", first.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_of_the_code_stays() {
        let code = "%0 = arith.cmpi slt, %a, \"x\\\"\" : i32 // <b>\n^bb0(%é: !q<i8>):\n\"open";
        let html = block("mlir", code, |_| None);
        let mut text = String::new();
        let mut in_tag = false;
        for c in html.chars() {
            match c {
                '<' => in_tag = true,
                '>' if in_tag => in_tag = false,
                c if !in_tag => text.push(c),
                _ => {}
            }
        }
        let text =
            text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
        assert_eq!(text, code);
    }

    #[test]
    fn python_has_its_own_comments() {
        let html = block("python", "def f(): # arith // 2", |_| None);
        assert_eq!(html, "<i class=\"k\">def</i> f(): <i class=\"c\"># arith // 2</i>");
    }

    #[test]
    fn names_of_operations_are_links() {
        let html = block("mlir", "arith.addi %a", |name| (name == "arith.addi").then(|| "x.html".to_owned()));
        assert_eq!(html, "<a href=\"x.html\">arith.addi</a> <i class=\"v\">%a</i>");
    }
}
