//! C++ inside `.td` files that a newer release does not compile: methods that became functions, renamed classes.
//!
//! ```text
//! CPred<"$_self.isa<::my::BoxType>()">      $_self.isa<T>()   is   ::llvm::isa<T>($_self)
//! [{ OpaqueProperties properties }]         since 23          PropertyRef
//! ```
//!
//! Pieces of C++ are matched by their tokens: comments, texts in quotes and longer names do not count.

use odsmith_release::cpp::{CppForm, CppMigration, MIGRATIONS};
use odsmith_tablegen::outline::{Kind, Outline};

use super::edits::{Files, Fix};

/// A use of an old form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CppUse {
    /// The row.
    pub row: &'static CppMigration,
    /// The file, line and column.
    pub place: (String, u32, u32),
    /// The replacement, if it is certain: the range of bytes and the text.
    pub fix: Option<(usize, usize, String)>,
}

/// Returns the uses of forms that a release does not have.
#[must_use]
pub fn uses(files: &Files<'_>, to: u8) -> Vec<CppUse> {
    let mut found = Vec::new();
    let rows: Vec<&'static CppMigration> = MIGRATIONS.iter().filter(|row| row.is_in(to)).collect();
    for (file, text) in files.iter().filter(|(file, _)| file.ends_with(".td")) {
        let outline = Outline::new(*file, text);
        for token in
            outline.code().filter(|token| matches!(token.kind, Kind::String | Kind::Code) && token.is_closed)
        {
            let inside = token.inside();
            // A text with escapes is not C++ as it is written.
            let code = outline.slice(inside.clone());
            if code.contains('\\') || !rows.iter().any(|row| code.contains(row.form.name())) {
                continue;
            }
            for (row, start, end, new) in uses_in(code, &rows) {
                let (line, column) = outline.position(inside.start + start);
                let fix = new.map(|new| (inside.start + start, inside.start + end, new));
                found.push(CppUse { row, place: ((*file).to_owned(), line, column), fix });
            }
        }
    }
    found
}

/// Returns the edits that replace all uses with a certain replacement.
#[must_use]
pub fn fixes(uses: &[CppUse]) -> Vec<Fix> {
    let fix = |it: &CppUse| {
        let (start, end, text) = it.fix.clone()?;
        Some(Fix::Replace { file: it.place.0.clone(), start, end, text })
    };
    uses.iter().filter_map(fix).collect()
}

/// A token of C++: its range and its text.
#[derive(Clone, Copy, Debug)]
struct Cpp<'t> {
    start: usize,
    text: &'t str,
}

/// Splits C++ into words and signs, without comments and texts in quotes.
fn tokens(code: &str) -> Vec<Cpp<'_>> {
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
            all.push(Cpp { start: at, text: &rest[..end] });
            end
        } else if is_word(c) {
            let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            all.push(Cpp { start: at, text: &rest[..end] });
            end
        } else {
            let end = ["::", "->"].iter().find(|sign| rest.starts_with(**sign)).map_or(c.len_utf8(), |_| 2);
            if !c.is_whitespace() {
                all.push(Cpp { start: at, text: &rest[..end] });
            }
            end
        };
        at += length;
    }
    all
}

type CppMatch = (&'static CppMigration, usize, usize, Option<String>);

fn uses_in(code: &str, rows: &[&'static CppMigration]) -> Vec<CppMatch> {
    let tokens = tokens(code);
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text);
    let end_of = |at: usize| tokens.get(at).map_or(code.len(), |token| token.start + token.text.len());
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        for row in rows {
            match row.form {
                CppForm::Class(old, new) if token.text == old => {
                    found.push((*row, token.start, end_of(at), Some(new.to_owned())));
                }
                CppForm::Method(name) if token.text == name && text(at + 1) == "<" => {
                    let before = at.checked_sub(1).map_or("", text);
                    // `x->isa<T>()` may be the method of a pointer's target.
                    if before != "." {
                        continue;
                    }
                    let closed = closing(&tokens, at + 1, ("<", ">"));
                    let Some(close) = closed.filter(|close| text(close + 1) == "(" && text(close + 2) == ")")
                    else {
                        continue;
                    };
                    let argument = &code[end_of(at + 1)..tokens[close].start];
                    let start = subject_start(&tokens, at - 1);
                    let new = start.map(|start| {
                        let subject = code[tokens[start].start..tokens[at - 1].start].trim();
                        format!("::llvm::{name}<{}>({subject})", argument.trim())
                    });
                    let from = start.map_or(token.start, |start| tokens[start].start);
                    found.push((*row, from, end_of(close + 2), new));
                }
                _ => {}
            }
        }
    }
    // Of nested uses, the outer one is written first; the inner one comes with the next run.
    let mut kept: Vec<CppMatch> = Vec::new();
    for it in found {
        match (kept.last_mut(), it.3) {
            (Some(last), Some(new)) if it.1 <= last.1 && last.2 > it.1 => {
                // `x.cast<A>().isa<B>()`: the later use has the earlier one for its subject.
                let inner = last.3.take();
                let new = inner.map(|inner| new.replacen(&code[last.1..last.2], &inner, 1));
                kept.push((it.0, it.1, it.2, new));
            }
            (_, new) => kept.push((it.0, it.1, it.2, new)),
        }
    }
    kept
}

/// Returns the index of the sign that closes the one at `open`.
fn closing(tokens: &[Cpp<'_>], open: usize, (left, right): (&str, &str)) -> Option<usize> {
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
fn opening(tokens: &[Cpp<'_>], close: usize, (left, right): (&str, &str)) -> Option<usize> {
    let mut depth = 0;
    (0..=close).rev().find(|at| {
        depth += usize::from(tokens[*at].text == right);
        depth -= usize::from(tokens[*at].text == left);
        depth == 0
    })
}

/// Returns the first token of the expression that ends before `dot`: names, calls and members, `a.b(c).d`.
fn subject_start(tokens: &[Cpp<'_>], dot: usize) -> Option<usize> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(code: &str) -> String {
        let rows: Vec<&CppMigration> = MIGRATIONS.iter().collect();
        let mut out = code.to_owned();
        let mut uses = uses_in(code, &rows);
        uses.sort_by_key(|it| std::cmp::Reverse(it.1));
        for (_, start, end, new) in uses {
            if let Some(new) = new {
                out.replace_range(start..end, &new);
            }
        }
        out
    }

    #[test]
    fn methods_are_functions() {
        for (old, new) in [
            ("$_self.isa<::my::T>()", "::llvm::isa<::my::T>($_self)"),
            ("return x.cast<A<B>>();", "return ::llvm::cast<A<B>>(x);"),
            ("f(a.getType().dyn_cast<T>(), 1)", "f(::llvm::dyn_cast<T>(a.getType()), 1)"),
            ("!(a->b(c).isa<T, U>())", "!(::llvm::isa<T, U>(a->b(c)))"),
            ("::x::get<T>(y).isa<T>()", "::llvm::isa<T>(::x::get<T>(y))"),
            ("x.cast<A>().isa<B>()", "::llvm::isa<B>(::llvm::cast<A>(x))"),
            ("// x.isa<T>()\n\"x.isa<T>()\"", "// x.isa<T>()\n\"x.isa<T>()\""),
            ("p->isa<T>() x.isa<T>(y) x.my_isa<T>()", "p->isa<T>() x.isa<T>(y) x.my_isa<T>()"),
            ("OpaqueProperties p; MyOpaqueProperties q;", "PropertyRef p; MyOpaqueProperties q;"),
            ("isa<", "isa<"),
            (".isa<T>() ä.isa<", ".isa<T>() ä.isa<"),
        ] {
            assert_eq!(changed(old), new);
        }
    }
}
