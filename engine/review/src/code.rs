//! Pieces of C++ as tokens, and methods of types and attributes that are functions today.
//!
//! ```text
//! $_self.isa<::my::T>()      isa<::my::T>($_self)
//! x.cast<A>().isa<B>()       isa<B>(cast<A>(x))
//! ```

use std::ops::Range;

/// A token of C++.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'t> {
    /// Its first byte.
    pub start: usize,
    /// Its text.
    pub text: &'t str,
}

impl Token<'_> {
    /// Returns the byte after its last one.
    pub(crate) fn end(self) -> usize {
        self.start + self.text.len()
    }
}

/// Splits C++ into words and signs, without comments and texts in quotes.
pub(crate) fn tokens(code: &str) -> Vec<Token<'_>> {
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(c) = code[at..].chars().next() {
        let rest = &code[at..];
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(end) = quoted_length(rest, code[..at].chars().last()) {
            all.push(Token { start: at, text: &rest[..end] });
            end
        } else if is_word(c) {
            let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            all.push(Token { start: at, text: &rest[..end] });
            end
        } else {
            let end = ["::", "->"].iter().find(|sign| rest.starts_with(**sign)).map_or(c.len_utf8(), |_| 2);
            if !c.is_whitespace() {
                all.push(Token { start: at, text: &rest[..end] });
            }
            end
        };
        at += length;
    }
    all
}

/// Returns the length of the text in quotes that C++ begins with: what is in it are no names.
pub(crate) fn quoted_length(code: &str, before: Option<char>) -> Option<usize> {
    let quote = code.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    // `1'000` is a number.
    if quote == '\'' && before.is_some_and(char::is_alphanumeric) {
        return None;
    }
    let mut is_escaped = false;
    let end = code.char_indices().skip(1).find(|(_, c)| {
        let ends = *c == quote && !is_escaped;
        is_escaped = *c == '\\' && !is_escaped;
        ends
    });
    Some(end.map_or(code.len(), |(at, _)| at + 1))
}

/// A call of a method with template arguments and without others: `x.isa<T>()`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MethodCall {
    /// The first byte of its subject.
    pub start: usize,
    /// The byte after its last one.
    pub end: usize,
    /// The same call as one of a function; `None` if the start of its subject is not certain.
    pub function: Option<String>,
}

/// Reads the call of the method whose name is the token at `at`. `->` may call a method of a pointer's target.
pub(crate) fn method_call(code: &str, tokens: &[Token<'_>], at: usize, prefix: &str) -> Option<MethodCall> {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text);
    let name = tokens.get(at)?;
    let dot = at.checked_sub(1).filter(|dot| text(*dot) == ".")?;
    if text(at + 1) != "<" {
        return None;
    }
    let close = closing(tokens, at + 1, ("<", ">"))?;
    if text(close + 1) != "(" || text(close + 2) != ")" {
        return None;
    }
    let argument = code[tokens[at + 1].end()..tokens[close].start].trim();
    // No class of MLIR is asked for an `int`.
    let is_class = !WORDS.contains(&text(at + 2));
    let start = subject_start(tokens, dot).filter(|start| is_class && !makes_own_class(tokens, *start));
    let function = start.map(|start| {
        let subject = code[tokens[start].start..tokens[dot].start].trim();
        format!("{prefix}{}<{argument}>({subject})", name.text)
    });
    let from = start.map_or(name.start, |start| tokens[start].start);
    Some(MethodCall { start: from, end: tokens[close + 2].end(), function })
}

/// Returns true if an expression begins with an object of a class that is neither MLIR's nor LLVM's: `mylib::Box(x)`.
fn makes_own_class(tokens: &[Token<'_>], start: usize) -> bool {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text);
    let mut at = start + usize::from(text(start) == "::");
    let scope = text(at);
    while text(at + 1) == "::" {
        at += 2;
    }
    let is_qualified = at > start && !matches!(scope, "mlir" | "llvm") && text(start) != text(at);
    is_qualified && text(at).starts_with(char::is_uppercase) && matches!(text(at + 1), "(" | "{")
}

/// Reads the call of a method without arguments that tests a type, as one of `isa` with the type's class.
pub(crate) fn type_test(code: &str, tokens: &[Token<'_>], at: usize, class: &str) -> Option<MethodCall> {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text);
    let dot = at.checked_sub(1).filter(|dot| text(*dot) == ".")?;
    if text(at + 1) != "(" || text(at + 2) != ")" {
        return None;
    }
    let start = subject_start(tokens, dot);
    let function = start.map(|start| {
        let subject = code[tokens[start].start..tokens[dot].start].trim();
        format!("::llvm::isa<{class}>({subject})")
    });
    let from = start.map_or(tokens[at].start, |start| tokens[start].start);
    Some(MethodCall { start: from, end: tokens[at + 2].end(), function })
}

/// Words of C++ that are no names.
const WORDS: &[&str] = &[
    "auto",
    "bool",
    "char",
    "const",
    "constexpr",
    "decltype",
    "double",
    "else",
    "false",
    "float",
    "for",
    "if",
    "int",
    "int16_t",
    "int32_t",
    "int64_t",
    "int8_t",
    "long",
    "new",
    "nullptr",
    "operator",
    "return",
    "short",
    "signed",
    "size_t",
    "sizeof",
    "static_cast",
    "template",
    "this",
    "true",
    "typename",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "uint8_t",
    "unsigned",
    "void",
    "while",
];

/// Functions of `llvm` that are methods of types and attributes in old code.
pub(crate) const CASTS: &[&str] = &["isa", "cast", "dyn_cast", "dyn_cast_or_null", "isa_and_nonnull"];

/// Returns the names of classes and functions that are found from the namespace around the code: `zed::Foo` and `helper`
/// in `isa<zed::Foo>($_self) && helper($_self)`. Casts, members, variables and names of `std`, `llvm` and `mlir` are none.
pub(crate) fn unqualified_names(tokens: &[Token<'_>]) -> Vec<Range<usize>> {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text);
    let before = |at: usize| at.checked_sub(1).map_or("", text);
    let is_name =
        |text: &str| text.starts_with(|c: char| c.is_alphabetic() || c == '_') && !WORDS.contains(&text);
    // `auto x`, `Type x`, `T *x`: the second word is a variable.
    let declares = |at: usize| {
        let last = before(at);
        // `a && b` is no declaration.
        let is_type =
            |text: &str| text == ">" || WORDS.contains(&text) || text.starts_with(char::is_uppercase);
        let by_reference = matches!(last, "&" | "*") && at >= 2 && is_type(text(at - 2));
        is_name(text(at)) && (is_name(last) || WORDS.contains(&last) && last != "return" || by_reference)
    };
    let locals: Vec<&str> = (0..tokens.len()).filter(|&at| declares(at)).map(text).collect();
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        let head = text(at);
        let is_head = is_name(head)
            && !matches!(before(at), "::" | "." | "->" | "template")
            && !["std", "llvm", "mlir"].contains(&head)
            && !locals.contains(&head);
        if !is_head {
            continue;
        }
        let mut end = at;
        while text(end + 1) == "::" && is_name(text(end + 2)) {
            end += 2;
        }
        let next = text(end + 1);
        let is_path = end > at;
        let is_call = next == "(" || next == "<" && closing(tokens, end + 1, ("<", ">")).is_some();
        let is_argument = matches!(before(at), "<" | ",") && matches!(next, ">" | "," | "*" | "&");
        let is_class = is_name(next) || is_argument && in_template(tokens, at);
        let is_cast = !is_path && CASTS.contains(&head);
        // The last word of `Foo::is(…)` belongs to the class before it.
        let last = if is_path
            && end >= at + 2
            && text(end - 2).starts_with(char::is_uppercase)
            && is_call
            && tokens[end].text.starts_with(char::is_lowercase)
        {
            end - 2
        } else {
            end
        };
        if (is_path || is_call || is_class) && !is_cast {
            found.push(tokens[at].start..tokens[last].end());
        }
    }
    found
}

/// Returns true if a token is between the signs of a template's arguments.
fn in_template(tokens: &[Token<'_>], at: usize) -> bool {
    let open = (0..at).rev().find(|&it| matches!(tokens[it].text, "<" | "(" | ";" | "{"));
    open.filter(|&it| tokens[it].text == "<")
        .and_then(|open| closing(tokens, open, ("<", ">")))
        .is_some_and(|close| close > at)
}

/// Returns the index of the sign that closes the one at `open`.
fn closing(tokens: &[Token<'_>], open: usize, (left, right): (&str, &str)) -> Option<usize> {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        if token.text == left {
            depth += 1;
        } else if token.text == right {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        } else if matches!(token.text, ";" | "{") {
            return None;
        }
    }
    None
}

/// Returns the index of the sign that opens what the one at `close` closes.
pub(crate) fn opening(tokens: &[Token<'_>], close: usize, (left, right): (&str, &str)) -> Option<usize> {
    let mut depth = 0;
    (0..=close).rev().find(|at| {
        depth += usize::from(tokens[*at].text == right);
        depth -= usize::from(tokens[*at].text == left);
        depth == 0
    })
}

/// Returns the first token of the expression that ends before `dot`: names, calls and members, `a.b(c).d`.
fn subject_start(tokens: &[Token<'_>], dot: usize) -> Option<usize> {
    let is_word = |text: &str| text.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$'));
    let mut at = dot;
    loop {
        at = at.checked_sub(1)?;
        // A call, or something in parentheses.
        if matches!(tokens[at].text, ")" | "]") {
            let signs = if tokens[at].text == ")" { ("(", ")") } else { ("[", "]") };
            at = opening(tokens, at, signs)?;
            // Template arguments before the call.
            if at > 0 && tokens[at - 1].text == ">" {
                at = opening(tokens, at - 1, ("<", ">"))?;
            }
            if at > 0 && is_word(tokens[at - 1].text) && !matches!(tokens[at - 1].text, "return" | "if") {
                at -= 1;
            }
        } else if !is_word(tokens[at].text) {
            return None;
        }
        while at >= 1 && tokens[at - 1].text == "::" {
            at -= 1;
            if at >= 1 && is_word(tokens[at - 1].text) {
                at -= 1;
            }
        }
        match at.checked_sub(1).map(|before| tokens[before].text) {
            Some("." | "->") => at -= 1,
            _ => return Some(at),
        }
    }
}
