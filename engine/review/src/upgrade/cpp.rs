//! C++ inside `.td` files that a newer release does not compile: methods that became functions, renamed classes.
//!
//! ```text
//! CPred<"$_self.isa<::my::BoxType>()">      $_self.isa<T>()   is   ::llvm::isa<T>($_self)
//! [{ OpaqueProperties properties }]         since 23          PropertyRef
//! CArg<"ArrayRef<int>", "std::nullopt">      since 22          {}
//! ```
//!
//! Pieces of C++ are matched by their tokens: comments, texts in quotes and longer names do not count.

use std::ops::Range;

use odsmith_release::cpp::{CppForm, CppMigration, MIGRATIONS};
use odsmith_tablegen::outline::{Kind, Outline, Token};

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
        let tokens: Vec<Token> = outline.code().collect();
        for (at, token) in tokens.iter().enumerate() {
            if !matches!(token.kind, Kind::String | Kind::Code) || !token.is_closed {
                continue;
            }
            let inside = token.inside();
            // A text with escapes is not C++ as it is written.
            let text = outline.slice(inside.clone());
            if text.contains('\\') || !rows.iter().any(|row| text.contains(row.form.name())) {
                continue;
            }
            let before = |distance: usize| at.checked_sub(distance).and_then(|at| tokens.get(at));
            let role = match (before(1), before(2)) {
                (Some(sign), Some(name)) if sign.is(b'<') && outline.text_of(*name) == "CPred" => {
                    Role::Predicate
                }
                // `CArg<"ArrayRef<T>", "…">`: the type is before the default.
                (Some(sign), Some(ty)) if sign.is(b',') && ty.kind == Kind::String && ty.is_closed => {
                    Role::Default { is_list: is_list(outline.inside(*ty)) }
                }
                _ => Role::Body,
            };
            for (row, start, end, new) in uses_in(text, &rows, role) {
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

/// The role of a piece of C++ in a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// The text of a `CPred`.
    Predicate,
    /// The default of a parameter; the parameter may be a list.
    Default { is_list: bool },
    /// Declarations or statements.
    Body,
}

/// Returns true if a type is a list of values, types or other things that an empty one may be given for.
fn is_list(ty: &str) -> bool {
    let name = ty.split('<').next().unwrap_or_default();
    matches!(name.rsplit("::").next().unwrap_or_default().trim(), "ArrayRef" | "ValueRange" | "TypeRange")
}

/// Returns the start of the type of a parameter whose default begins at a token, if it is a list: `ArrayRef<int> x = …`.
fn has_list_type(code: &str, tokens: &[code::Token<'_>], at: usize) -> bool {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text);
    let Some(name) = at.checked_sub(2).filter(|_| text(at - 1) == "=") else { return false };
    let Some(end) = name.checked_sub(1) else { return false };
    let start = match text(end) {
        ">" => code::opening(tokens, end, ("<", ">")).and_then(|open| open.checked_sub(1)),
        _ => Some(end),
    };
    start.is_some_and(|start| is_list(&code[tokens[start].start..tokens[end].end()]))
}

/// Returns the last argument of a call of `build` if it is `{}` in place of attributes, and whether no other builder can
/// be meant: `build($_builder, $_state, types, operands, {})`.
fn empty_attributes(code: &str, tokens: &[code::Token<'_>], open: usize) -> Option<(Range<usize>, bool)> {
    let mut depth = 0_usize;
    let mut commas = Vec::new();
    let close = (open..tokens.len()).find(|&at| {
        match tokens[at].text {
            "(" | "{" | "[" => depth += 1,
            ")" | "}" | "]" => depth = depth.saturating_sub(1),
            "," if depth == 1 => commas.push(at),
            _ => {}
        }
        depth == 0
    })?;
    let [first, second, third, last] = commas[..] else { return None };
    let text = |from: usize, to: usize| code[tokens[from].end()..tokens[to].start].trim();
    let is_builder = text(open, first) == "$_builder" && text(first, second) == "$_state";
    let is_empty = close == last + 3 && tokens[last + 1].text == "{" && tokens[last + 2].text == "}";
    let range = tokens[last + 1].start..tokens[last + 2].end();
    (is_builder && is_empty).then(|| (range, text(second, third).to_lowercase().contains("type")))
}

fn uses_in(code: &str, rows: &[&'static CppMigration], role: Role) -> Vec<CppMatch> {
    let tokens = code::tokens(code);
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let text = |distance: usize| at.checked_sub(distance).map_or("", |at| tokens[at].text);
        let next = tokens.get(at + 1).map_or("", |token| token.text);
        for row in rows {
            match row.form {
                _ if token.text != row.form.name() => {}
                CppForm::Class(_, new) => {
                    found.push((*row, token.start, token.end(), Some(new.to_owned())));
                }
                CppForm::Method(_) => {
                    if let Some(call) = code::method_call(code, &tokens, at, "::llvm::") {
                        found.push((*row, call.start, call.end, call.function));
                    }
                }
                CppForm::TypeTest(_, class) => {
                    if let Some(call) = code::type_test(code, &tokens, at, class) {
                        found.push((*row, call.start, call.end, call.function));
                    }
                }
                CppForm::Path([scope, _], new) if text(1) == "::" && text(2) == scope => {
                    // `::llvm::Optional` is `std::optional`, and `::mlir::FloatType::getF32` `::mlir::Float32Type::get`.
                    let is_whole = new.contains("::") && scope == "llvm";
                    let first = at - if is_whole && text(3) == "::" { 3 } else { 2 };
                    found.push((*row, tokens[first].start, token.end(), Some(new.to_owned())));
                }
                CppForm::Member(_, new) if matches!(text(1), "." | "->") && next == "(" => {
                    found.push((*row, token.start, token.end(), Some(new.to_owned())));
                }
                CppForm::EmptyList(_) => {
                    let mut first = at;
                    while first >= 1 && tokens[first - 1].text == "::" {
                        let is_word = |it: &code::Token<'_>| it.text.starts_with(char::is_alphanumeric);
                        let has_scope = first >= 2 && is_word(&tokens[first - 2]);
                        first -= if has_scope { 2 } else { 1 };
                    }
                    let is_whole = first == 0 && at + 1 == tokens.len();
                    let is_list = match role {
                        Role::Default { is_list } => is_list && is_whole,
                        _ => has_list_type(code, &tokens, first),
                    };
                    if is_list {
                        found.push((*row, tokens[first].start, token.end(), Some("{}".to_owned())));
                    }
                }
                CppForm::EmptyAttributes(_) if next == "(" => {
                    if let Some((range, is_certain)) = empty_attributes(code, &tokens, at + 1) {
                        let new = is_certain.then(|| "::llvm::ArrayRef<::mlir::NamedAttribute>{}".to_owned());
                        found.push((*row, range.start, range.end, new));
                    }
                }
                CppForm::Bare(name)
                    if role == Role::Predicate
                        && next == "<"
                        && !matches!(text(1), "::" | "." | "->" | "template") =>
                {
                    found.push((*row, token.start, token.end(), Some(format!("::llvm::{name}"))));
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
        changed_in(code, Role::Body)
    }

    fn changed_in(code: &str, role: Role) -> String {
        let rows: Vec<&CppMigration> = MIGRATIONS.iter().collect();
        let mut out = code.to_owned();
        let mut uses = uses_in(code, &rows, role);
        uses.sort_by_key(|it| std::cmp::Reverse(it.1));
        for (_, start, end, new) in uses {
            if let Some(new) = new {
                out.replace_range(start..end, &new);
            }
        }
        out
    }

    #[test]
    fn roles_decide() {
        let new = "::llvm::isa<A>($_self) && ::llvm::isa<B>(x) && y.z::isa<C>(x)";
        assert_eq!(changed_in("isa<A>($_self) && ::llvm::isa<B>(x) && y.z::isa<C>(x)", Role::Predicate), new);
        assert_eq!(changed_in("std::nullopt", Role::Default { is_list: true }), "{}");
        assert_eq!(changed_in("std::nullopt", Role::Default { is_list: false }), "std::nullopt");
        assert!(is_list("::llvm::ArrayRef<int64_t>") && !is_list("std::optional<ArrayRef<int>>"));
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
            (
                "f(::llvm::Optional<int> x, llvm::Optional<A> y)",
                "f(std::optional<int> x, std::optional<A> y)",
            ),
            ("return ::mlir::FloatType::getF32(c);", "return ::mlir::Float32Type::get(c);"),
            ("FloatType::getF32x(c) getF32()", "FloatType::getF32x(c) getF32()"),
            ("n.startswith(\"a\") startswith(x)", "n.starts_with(\"a\") startswith(x)"),
            ("return llvm::makeArrayRef(v);", "return llvm::ArrayRef(v);"),
            (
                "void f(ArrayRef<int> x = std::nullopt, TypeRange y = ::llvm::None);",
                "void f(ArrayRef<int> x = {}, TypeRange y = {});",
            ),
            (
                "std::optional<int> x = std::nullopt; return std::nullopt;",
                "std::optional<int> x = std::nullopt; return std::nullopt;",
            ),
            (
                "x.getType().isFloat8E5M2() && isFloat8E5M2()",
                "::llvm::isa<::mlir::Float8E5M2Type>(x.getType()) && isFloat8E5M2()",
            ),
            ("return isa<T>(x);", "return isa<T>(x);"),
            (
                "build($_builder, $_state, x.getType(), {a, b}, {}); build($_builder, $_state, a, b, {}); build(a, {})",
                "build($_builder, $_state, x.getType(), {a, b}, ::llvm::ArrayRef<::mlir::NamedAttribute>{}); \
                 build($_builder, $_state, a, b, {}); build(a, {})",
            ),
            (".isa<T>() ä.isa<", ".isa<T>() ä.isa<"),
        ] {
            assert_eq!(changed(old), new);
        }
    }
}
