//! C++ inside `.td` files that a newer release does not compile: methods that became functions, renamed classes.
//!
//! ```text
//! CPred<"$_self.isa<::my::BoxType>()">      $_self.isa<T>()   is   ::llvm::isa<T>($_self)
//! [{ OpaqueProperties properties }]         since 23          PropertyRef
//! CArg<"ArrayRef<int>", "std::nullopt">      since 22          {}
//! ```
//!
//! Pieces of C++ are matched by their tokens: comments, texts in quotes and longer names do not count.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use odsmith_ods::Definition;
use odsmith_release::cpp::{CppForm, CppMigration, MIGRATIONS};
use odsmith_tablegen::{
    outline::{Kind, Outline, Token},
    record::Records,
};

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
    /// True if its own replacement or one around it is certain.
    pub is_mechanical: bool,
    /// The form as the file has it.
    pub text: String,
}

/// The releases of an upgrade, and the project's own classes.
#[derive(Clone, Copy, Debug)]
pub struct CppUpgrade<'c> {
    /// The release that the project is written for.
    pub from: u8,
    /// The release to upgrade to.
    pub to: u8,
    /// The namespaces of the project's classes by their names.
    pub classes: &'c BTreeMap<String, String>,
}

impl CppUpgrade<'_> {
    /// Returns the rows of forms that the newer release does not have. A project whose release has predicates outside of
    /// namespaces already finds its names.
    fn rows(self) -> Vec<&'static CppMigration> {
        let is_placed = |row: &CppMigration| matches!(row.form, CppForm::Bare(_) | CppForm::Unqualified);
        let is_crossed =
            |row: &&CppMigration| row.is_in(self.to) && !(is_placed(row) && row.is_in(self.from));
        MIGRATIONS.iter().filter(is_crossed).collect()
    }

    /// Returns the whole name of a class of the project that predicates name from inside a namespace: `zed::FooType` in
    /// `::acme::zed` is `::acme::zed::FooType`.
    fn whole_name(self, path: &str) -> Option<String> {
        let (scope, class) = path.rsplit_once("::").unwrap_or(("", path));
        let namespace = self.classes.get(class)?.trim_start_matches("::");
        let is_inside = scope.is_empty() || namespace == scope || namespace.ends_with(&format!("::{scope}"));
        is_inside.then(|| format!("::{namespace}::{class}"))
    }
}

/// Returns the namespaces of the C++ classes that some roots define, by their names; those of a name with several namespaces
/// are left out, as it does not say which one is meant.
#[must_use]
pub fn classes<'r>(roots: impl Iterator<Item = &'r Records>) -> BTreeMap<String, String> {
    let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for records in roots {
        let defs = ["TypeDef", "AttrDef"].into_iter().flat_map(|class| records.derived(class));
        for def in defs.map(Definition::new) {
            let Some(dialect) = def.dialect() else { continue };
            let namespace = dialect.cpp_namespace().trim_start_matches("::").to_owned();
            all.entry(def.cpp_class_name().to_owned()).or_default().insert(namespace);
        }
    }
    let single = all.into_iter().filter(|(_, namespaces)| namespaces.len() == 1);
    single.filter_map(|(class, namespaces)| Some((class, namespaces.into_iter().next()?))).collect()
}

/// Returns the uses of forms that a release does not have.
#[must_use]
pub fn uses(files: &Files<'_>, upgrade: CppUpgrade<'_>) -> Vec<CppUse> {
    let mut found = Vec::new();
    let rows = upgrade.rows();
    let asks_for_names = rows.iter().any(|row| row.form == CppForm::Unqualified);
    for (file, text) in files.iter().filter(|(file, _)| file.ends_with(".td")) {
        let outline = Outline::new(*file, text);
        let tokens: Vec<Token> = outline.code().collect();
        for piece in Piece::all(&outline, &tokens) {
            let role = piece.role;
            let is_named = |row: &&CppMigration| piece.text.contains(row.form.name());
            let is_predicate = asks_for_names && role == Role::Predicate;
            if !is_predicate && !rows.iter().any(is_named) {
                continue;
            }
            let mut matches = uses_in(&piece.text, &rows, role, upgrade);
            for it in &mut matches {
                it.3 = it.3.take().filter(|_| piece.is_whole(it.1..it.2));
            }
            for (row, start, end, new) in &matches {
                let Some(range) = piece.range_in_file(*start..*end) else { continue };
                let (line, column) = outline.position(range.start);
                let is_around = |it: &CppMatch| it.1 <= *start && *end <= it.2 && it.3.is_some();
                found.push(CppUse {
                    row,
                    place: ((*file).to_owned(), line, column),
                    fix: new.clone().map(|new| (range.start, range.end, new)),
                    is_mechanical: matches.iter().any(is_around),
                    text: piece.text[*start..*end].to_owned(),
                });
            }
        }
    }
    found
}

/// A piece of C++: a text, or several without anything between them, which the language joins.
struct Piece {
    text: String,
    role: Role,
    /// The parts: the first byte in `text`, and the range in the file.
    parts: Vec<(usize, Range<usize>)>,
    /// True if an operator puts more text before or after it.
    is_pasted: [bool; 2],
    /// True if something other than blanks is between two parts.
    is_apart: bool,
}

impl Piece {
    /// Returns all pieces of a file. A text with escapes is not C++ as it is written.
    fn all(outline: &Outline, tokens: &[Token]) -> Vec<Piece> {
        let is_text = |token: &Token| matches!(token.kind, Kind::String | Kind::Code) && token.is_closed;
        let mut pieces = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            let first = at;
            at += 1;
            if !is_text(&tokens[first]) {
                continue;
            }
            while tokens[first].kind == Kind::String
                && tokens.get(at).is_some_and(|it| is_text(it) && it.kind == Kind::String)
            {
                at += 1;
            }
            let all = &tokens[first..at];
            let mut text = String::new();
            let mut parts = Vec::new();
            for token in all {
                parts.push((text.len(), token.inside()));
                text += outline.inside(*token);
            }
            if text.contains('\\') {
                continue;
            }
            let between = |pair: &[Token]| !outline.slice(pair[0].end..pair[1].start).trim().is_empty();
            pieces.push(Piece {
                text,
                role: Role::of(outline, tokens, first),
                parts,
                is_pasted: is_pasted(outline, tokens, first..at),
                is_apart: all.windows(2).any(between),
            });
        }
        pieces
    }

    /// Returns a range of the text as one of the file.
    fn range_in_file(&self, range: Range<usize>) -> Option<Range<usize>> {
        let part = |at: usize| self.parts.iter().rev().find(|(start, _)| *start <= at);
        let (from, first) = part(range.start)?;
        // The end belongs to the part with the byte before it.
        let (to, last) = part(range.end.saturating_sub(1).max(range.start))?;
        Some(first.start + (range.start - from)..last.start + (range.end - to))
    }

    /// Returns true if a range has all of its expression: no other text touches it, and no comment is in it.
    fn is_whole(&self, range: Range<usize>) -> bool {
        let is_in_one = |part: &(usize, Range<usize>)| {
            part.0 <= range.start && range.end <= part.0 + (part.1.end - part.1.start)
        };
        let touches_start = self.text[..range.start].trim().is_empty();
        let touches_end = self.text[range.end..].trim().is_empty();
        !(self.is_pasted[0] && touches_start || self.is_pasted[1] && touches_end)
            && (!self.is_apart || self.parts.iter().any(is_in_one))
    }
}

/// Returns true for each side of some texts on which an operator puts more text: `a # "b"`, `!strconcat(a, "b")`.
fn is_pasted(outline: &Outline, tokens: &[Token], texts: Range<usize>) -> [bool; 2] {
    let mut depth = 0_usize;
    let around = tokens[..texts.start].iter().enumerate().rev().find(|(_, token)| match token.kind {
        Kind::Sign(b')' | b']' | b'}' | b'>') => {
            depth += 1;
            false
        }
        Kind::Sign(b'(' | b'[' | b'{' | b'<') if depth > 0 => {
            depth -= 1;
            false
        }
        Kind::Sign(b'(' | b'[' | b'{' | b'<' | b';') => true,
        _ => false,
    });
    let operator = around.and_then(|(at, _)| tokens.get(at.checked_sub(1)?));
    let is_operand = operator.is_some_and(|it| it.kind == Kind::Operator);
    let is_text_operator = operator.is_some_and(|it| {
        is_operand && ["!strconcat", "!interleave", "!subst", "!foldl"].contains(&outline.text_of(*it))
    });
    let is_paste = |token: Option<&Token>| token.is_some_and(|it| it.is(b'#'));
    let before = texts.start.checked_sub(1).and_then(|at| tokens.get(at));
    let after = tokens.get(texts.end);
    let is_first = before.is_some_and(|it| it.is(b'('));
    let is_last = after.is_some_and(|it| it.is(b')'));
    [is_paste(before) || is_text_operator && !is_first, is_paste(after) || is_text_operator && !is_last]
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

impl Role {
    /// Returns the role of the text that begins at a token.
    fn of(outline: &Outline, tokens: &[Token], at: usize) -> Role {
        let before = |distance: usize| at.checked_sub(distance).and_then(|at| tokens.get(at));
        match (before(1), before(2)) {
            (Some(sign), Some(name))
                if sign.is(b'<')
                    && outline.text_of(*name) == "CPred"
                    && !is_of_trait(outline, &tokens[..at]) =>
            {
                Role::Predicate
            }
            // `CArg<"ArrayRef<T>", "…">`: the type is before the default.
            (Some(sign), Some(ty)) if sign.is(b',') && ty.kind == Kind::String && ty.is_closed => {
                Role::Default { is_list: is_list(outline.inside(*ty)) }
            }
            _ => Role::Body,
        }
    }
}

/// Returns true if the last of some tokens are in the arguments of a trait, whose predicate stays in the operation's class.
fn is_of_trait(outline: &Outline, tokens: &[Token]) -> bool {
    let mut depth = 0_usize;
    let head = tokens.iter().enumerate().rev().take_while(|(_, token)| !token.is(b';') && !token.is(b'}'));
    let mut openers = head.filter(|(_, token)| match token.kind {
        Kind::Sign(b')' | b']' | b'>') => {
            depth += 1;
            false
        }
        Kind::Sign(b'(' | b'[' | b'<') if depth > 0 => {
            depth -= 1;
            false
        }
        Kind::Sign(b'<') => true,
        _ => false,
    });
    openers.any(|(at, _)| {
        let word = at.checked_sub(1).and_then(|at| tokens.get(at)).map_or("", |it| outline.text_of(*it));
        word.ends_with("Trait")
    })
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

fn uses_in(code: &str, rows: &[&'static CppMigration], role: Role, upgrade: CppUpgrade<'_>) -> Vec<CppMatch> {
    let tokens = code::tokens(code);
    let mut found = Vec::new();
    let unqualified = rows.iter().find(|row| row.form == CppForm::Unqualified && role == Role::Predicate);
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
                // Another class may have a method of that name; the argument is one of the union's.
                CppForm::UnionMethod(..) => {
                    let call = code::method_call(code, &tokens, at, "::llvm::");
                    let is_of_union = |call: &code::MethodCall| {
                        let argument = code[call.start..call.end].rsplit('<').next().unwrap_or_default();
                        [
                            "::mlir::Value>()",
                            "mlir::Value>()",
                            "Value>()",
                            "::mlir::Attribute>()",
                            "mlir::Attribute>()",
                            "Attribute>()",
                        ]
                        .contains(&argument)
                    };
                    if let Some(call) = call.filter(is_of_union) {
                        found.push((*row, call.start, call.end, None));
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
    if let Some(row) = unqualified {
        for range in code::unqualified_names(&tokens) {
            let path = &code[range.clone()];
            let whole = upgrade.whole_name(path);
            // A replacement that has the name gets it in whole.
            let around = kept.iter_mut().find(|it| it.1 <= range.start && range.end <= it.2);
            if let (Some((.., Some(new))), Some(whole)) = (around, &whole) {
                *new = with_name(new, path, whole);
            }
            kept.push((row, range.start, range.end, whole));
        }
    }
    kept
}

/// Replaces a name where it begins unqualified.
fn with_name(text: &str, path: &str, whole: &str) -> String {
    let found = code::unqualified_names(&code::tokens(text)).into_iter().find(|it| &text[it.clone()] == path);
    let mut text = text.to_owned();
    if let Some(range) = found {
        text.replace_range(range, whole);
    }
    text
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
        let classes = BTreeMap::from([("FooType".to_owned(), "::acme::zed".to_owned())]);
        let mut uses = uses_in(code, &rows, role, CppUpgrade { from: 16, to: 24, classes: &classes });
        uses.sort_by_key(|it| std::cmp::Reverse(it.1));
        // As in the plan of edits, the outer of two is made.
        let outer = uses.clone();
        for (_, start, end, new) in uses {
            let is_inner = outer
                .iter()
                .any(|it| it.3.is_some() && it.1 <= start && end <= it.2 && it.2 - it.1 > end - start);
            if let Some(new) = new.filter(|_| !is_inner) {
                out.replace_range(start..end, &new);
            }
        }
        out
    }

    fn edited(td: &str) -> String {
        let files = Files::from([("a.td", td.as_bytes())]);
        let uses = uses(&files, CppUpgrade { from: 19, to: 22, classes: &BTreeMap::new() });
        let edits = super::super::edits::plan(&fixes(&uses), &files, &Default::default());
        String::from_utf8(super::super::edits::apply(td.as_bytes(), edits.iter())).unwrap()
    }

    #[test]
    fn texts_in_pieces_are_one_text() {
        for (old, new) in [
            (
                "def A : P<CPred<\"$_self.cast<::T>().\"\n  \"get().isa<::U>() && x\">>;",
                "def A : P<CPred<\"::llvm::isa<::U>(::llvm::cast<::T>($_self).get()) && x\">>;",
            ),
            (
                "def A : P<CPred<\"a && \"\n  \"x.isa<::U>()\">>;",
                "def A : P<CPred<\"a && \"\n  \"::llvm::isa<::U>(x)\">>;",
            ),
            // The start of the subject is in another text.
            ("def A : P<CPred<a # \"get().isa<::U>()\">>;", "def A : P<CPred<a # \"get().isa<::U>()\">>;"),
            (
                "def A : P<CPred<!strconcat(\"f(x).\", \"get().isa<::U>()\")>>;",
                "def A : P<CPred<!strconcat(\"f(x).\", \"get().isa<::U>()\")>>;",
            ),
            (
                "def A : P<CPred<\"$_self.get(). \" /* why */ \"get().isa<::U>()\">>;",
                "def A : P<CPred<\"$_self.get(). \" /* why */ \"get().isa<::U>()\">>;",
            ),
        ] {
            assert_eq!(edited(old), new);
        }
    }

    #[test]
    fn roles_decide() {
        let new = "::llvm::isa<A>($_self) && ::llvm::isa<B>(x) && y.z::isa<C>(x)";
        assert_eq!(changed_in("isa<A>($_self) && ::llvm::isa<B>(x) && y.z::isa<C>(x)", Role::Predicate), new);
        let new =
            "::llvm::isa<::acme::zed::FooType>($_self) && ::acme::zed::FooType::is(x) && my::FooType::is(x)";
        let old = "isa<FooType>($_self) && zed::FooType::is(x) && my::FooType::is(x)";
        assert_eq!(changed_in(old, Role::Predicate), new);
        assert_eq!(changed_in("::acme::zed::FooType::is(x)", Role::Predicate), "::acme::zed::FooType::is(x)");
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
            // The subject is of a class of the project, or the argument is none of MLIR's.
            ("mylib::Box(x).get<Foo>().cast<Bar>()", "mylib::Box(x).get<Foo>().cast<Bar>()"),
            ("x.get<Foo>().cast<int>()", "x.get<Foo>().cast<int>()"),
            ("mlir::TypeAttr(x).cast<Bar>()", "::llvm::cast<Bar>(mlir::TypeAttr(x))"),
        ] {
            assert_eq!(changed(old), new);
        }
    }
}
