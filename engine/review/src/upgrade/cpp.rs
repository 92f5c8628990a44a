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
use crate::code;

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
            let text = outline.slice(inside.clone());
            if text.contains('\\') || !rows.iter().any(|row| text.contains(row.form.name())) {
                continue;
            }
            for (row, start, end, new) in uses_in(text, &rows) {
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

type CppMatch = (&'static CppMigration, usize, usize, Option<String>);

fn uses_in(code: &str, rows: &[&'static CppMigration]) -> Vec<CppMatch> {
    let tokens = code::tokens(code);
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        for row in rows {
            match row.form {
                CppForm::Class(old, new) if token.text == old => {
                    found.push((*row, token.start, token.end(), Some(new.to_owned())));
                }
                CppForm::Method(name) if token.text == name => {
                    if let Some(call) = code::method_call(code, &tokens, at, "::llvm::") {
                        found.push((*row, call.start, call.end, call.function));
                    }
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
