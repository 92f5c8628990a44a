//! Pieces of C++ as tokens, and methods of types and attributes that are functions today.
//!
//! ```text
//! $_self.isa<::my::T>()      isa<::my::T>($_self)
//! x.cast<A>().isa<B>()       isa<B>(cast<A>(x))
//! ```

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
        } else if matches!(c, '"' | '\'') {
            let end = rest[1..].find(c).map_or(rest.len(), |end| end + 2);
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
    let start = subject_start(tokens, dot);
    let function = start.map(|start| {
        let subject = code[tokens[start].start..tokens[dot].start].trim();
        format!("{prefix}{}<{argument}>({subject})", name.text)
    });
    let from = start.map_or(name.start, |start| tokens[start].start);
    Some(MethodCall { start: from, end: tokens[close + 2].end(), function })
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
