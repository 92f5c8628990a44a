//! Edits that name things: an unnamed value of a dag, an argument and its mentions, a record and its uses.
//!
//! ```text
//! (ins I32, F32:$scale)      the first argument gets ':$value'
//! $scale in a format         follows when the argument is renamed
//! Ex_Add in another file     follows when the record is renamed
//! ```

use std::ops::Range;

use odsmith_ods::{Operation, PartKind, cpp_name};
use odsmith_tablegen::{
    outline::{Kind, Outline, Statement, StatementKind, Token},
    record::Rec,
};
use rustc_hash::FxHashMap;

use super::{
    cx::{Cx, Op, Subject},
    finding::{Edit, edit_of},
};

/// The index of each word in the user's files, and of each string as a whole.
pub(super) struct Words<'o> {
    places: FxHashMap<&'o str, Vec<(&'o Outline, Token)>>,
}

impl<'o> Words<'o> {
    pub fn new(outlines: &'o [Outline]) -> Words<'o> {
        let mut places: FxHashMap<&'o str, Vec<(&'o Outline, Token)>> = FxHashMap::default();
        for outline in outlines {
            for token in &outline.tokens {
                if let Some(text) = whole(outline, *token) {
                    places.entry(text).or_default().push((outline, *token));
                }
            }
        }
        Words { places }
    }

    fn of(&self, word: &str) -> &[(&'o Outline, Token)] {
        self.places.get(word).map(Vec::as_slice).unwrap_or_default()
    }
}

/// Returns a word, or the content of a string.
fn whole(outline: &Outline, token: Token) -> Option<&str> {
    match token.kind {
        Kind::Word => Some(outline.text_of(token)),
        Kind::String => Some(outline.inside(token)),
        _ => None,
    }
}

/// Replaces a token by a name; in a string, only the text between its quotes.
fn replacement(outline: &Outline, token: Token, name: &str) -> Edit {
    let Range { start, end } = token.inside();
    edit_of(outline, (start, end), name)
}

/// Splits the content of a list or dag at its commas.
pub(super) fn split_at_commas(tokens: &[Token]) -> Vec<&[Token]> {
    let mut items = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Sign(b'<' | b'(' | b'[' | b'{') => depth += 1,
            Kind::Sign(b'>' | b')' | b']' | b'}') => depth = depth.saturating_sub(1),
            Kind::Sign(b',') if depth == 0 => {
                items.push(&tokens[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    items.push(&tokens[start..]);
    items.retain(|item| !item.is_empty());
    items
}

/// Returns the arguments of `(ins …)` or `(outs …)` that the definition itself gives a field; none if the dag is
/// computed.
pub(super) fn dag_arguments<'a>(
    cx: &Cx<'a, '_>,
    subject: &Subject<'_>,
    field: &str,
) -> Option<(&'a Outline, Vec<Vec<Token>>)> {
    let (outline, statement) = cx.statement(subject.rec)?;
    let value = outline.value(statement, field)?;
    let [open, operator, inner @ .., close] = &outline.code_in(value)[..] else { return None };
    let is_dag = open.is(b'(') && close.is(b')') && matches!(outline.text_of(*operator), "ins" | "outs");
    is_dag.then(|| (outline, split_at_commas(inner).into_iter().map(<[Token]>::to_vec).collect()))
}

/// Names the `index`th unnamed argument of a field's dag.
pub(super) fn name_argument(
    cx: &Cx<'_, '_>,
    subject: &Subject<'_>,
    field: &str,
    index: usize,
    name: &str,
) -> Vec<Edit> {
    let edit = dag_arguments(cx, subject, field).and_then(|(outline, arguments)| {
        let is_named =
            |argument: &&Vec<Token>| argument.last().is_some_and(|last| last.kind == Kind::Variable);
        let argument = arguments.iter().filter(|it| !is_named(it)).nth(index)?;
        let at = argument.last()?.end;
        Some(edit_of(outline, (at, at), format!(":${name}")))
    });
    edit.into_iter().collect()
}

/// Returns a name that no part of the operation has: the stem if only one is needed, or else the stem and a number.
pub(super) fn free_name(op: &Operation<'_>, stem: &str, index: usize, is_only: bool) -> String {
    let is_free = |name: &String| op.parts().all(|part| part.name != *name);
    let first = if is_only { stem.to_owned() } else { format!("{stem}{index}") };
    let more = (index..index + 100).map(|number| format!("{stem}_{number}"));
    std::iter::once(first).chain(more).find(is_free).unwrap_or_default()
}

/// Renames an argument, result, region or successor in the dag, the format and the traits. Returns no edits if another
/// definition contributes to its name.
pub(super) fn rename_part(cx: &Cx<'_, '_>, it: &Op<'_>, old: &str, new: &str) -> Vec<Edit> {
    let is_taken = new.is_empty() || it.op.parts().any(|part| part.name == new);
    let found = cx.statement(it.subject.rec).filter(|_| !is_taken && !is_mentioned_by_bases(cx, it, old));
    let Some((outline, statement)) = found else { return Vec::new() };
    let mut edits = Vec::new();
    for field in ["arguments", "results", "regions", "successors"] {
        let tokens = outline.code_in(outline.value(statement, field).unwrap_or_default());
        let variables = tokens.iter().filter(|token| token.kind == Kind::Variable);
        for token in variables.filter(|token| outline.text_of(**token).get(1..) == Some(old)) {
            let (start, end) = (token.start + 1, token.end);
            edits.push(edit_of(outline, (start, end), new));
        }
    }
    if edits.len() != 1 {
        return Vec::new();
    }
    for token in outline.code_in(outline.value(statement, "assemblyFormat").unwrap_or_default()) {
        edits.extend(mentions(outline, token, old).map(|start| mention(outline, start, old, new)));
    }
    for token in traits(outline, statement) {
        let is_name = token.kind == Kind::String && whole(outline, token) == Some(old);
        edits.extend(is_name.then(|| replacement(outline, token, new)));
        edits.extend(mentions(outline, token, old).map(|start| mention(outline, start, old, new)));
    }
    edits
}

fn mention(outline: &Outline, start: usize, old: &str, new: &str) -> Edit {
    let end = start + old.len();
    edit_of(outline, (start, end), new)
}

/// Returns the offsets after the `$` of each `$name` in a string or a piece of code.
fn mentions<'o>(outline: &'o Outline, token: Token, name: &'o str) -> impl Iterator<Item = usize> + 'o {
    let is_text = matches!(token.kind, Kind::String | Kind::Code);
    let text = if is_text { outline.text_of(token) } else { "" };
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let dollars = text.match_indices('$').map(|(at, _)| at + 1);
    let named = dollars
        .filter(move |at| text[*at..].strip_prefix(name).is_some_and(|rest| !rest.starts_with(is_part)));
    named.map(move |at| token.start + at)
}

/// Returns the tokens in brackets before a definition's body: its traits.
fn traits(outline: &Outline, statement: &Statement) -> Vec<Token> {
    let mut depth = 0_i32;
    let mut found = Vec::new();
    for token in outline.code_in(outline.header_of(statement)) {
        match token.kind {
            Kind::Sign(b'[') => depth += 1,
            Kind::Sign(b']') => depth -= 1,
            _ if depth > 0 => found.push(token),
            _ => {}
        }
    }
    found
}

/// Returns true if a class that the operation derives from mentions a name: others derive from it, too.
fn is_mentioned_by_bases(cx: &Cx<'_, '_>, it: &Op<'_>, name: &str) -> bool {
    it.subject.rec.superclasses().any(|class| {
        let Some((outline, statement)) = cx.statement(class) else { return false };
        let tokens = outline.code_in(statement.range());
        tokens.iter().any(|token| {
            let is_variable = token.kind == Kind::Variable && outline.text_of(*token).get(1..) == Some(name);
            let is_string = token.kind == Kind::String && whole(outline, *token) == Some(name);
            is_variable || is_string || mentions(outline, *token, name).next().is_some()
        })
    })
}

/// Returns a name for a part whose accessor is taken: `$lhs` becomes `$lhs_operand`, or `$lhsOperand` by that
/// convention.
pub(super) fn longer_name(op: &Operation<'_>, name: &str, kind: PartKind) -> String {
    let what = match kind {
        PartKind::Operand => "operand",
        PartKind::Result => "result",
        PartKind::Region => "region",
        PartKind::Successor => "successor",
        PartKind::Attribute | PartKind::DerivedAttribute | PartKind::Property => "value",
    };
    let is_camel = op.parts().any(|part| super::words::is_camel_case(part.name));
    if is_camel { format!("{name}{}", cpp_name::capitalized(what)) } else { format!("{name}_{what}") }
}

/// Renames a record in all files, and the C++ class named after it where a string is its name. Returns no edits if the
/// record's name is computed, or the new name is taken.
pub(super) fn rename_record(cx: &Cx<'_, '_>, rec: Rec<'_>, new: &str, class: Option<String>) -> Vec<Edit> {
    let (Some(words), Some((outline, statement))) = (cx.words, cx.statement(rec)) else { return Vec::new() };
    let old = rec.name();
    let is_written = statement.kind == StatementKind::Def
        && statement.whole_name().is_some_and(|name| outline.text_of(name) == old && name.kind == Kind::Word);
    if !is_written || !words.of(new).is_empty() {
        return Vec::new();
    }
    let mut edits: Vec<Edit> =
        words.of(old).iter().map(|(outline, token)| replacement(outline, *token, new)).collect();
    let (Some(class), old_class) = (class, cpp_name::class_name(old)) else { return edits };
    let new_class = cpp_name::class_name(new);
    let of_class = [(old_class.to_owned(), new_class.to_owned())].into_iter();
    let qualified = class.strip_suffix(old_class).map(|rest| (class.clone(), format!("{rest}{new_class}")));
    for (from, to) in of_class.chain(qualified).filter(|(from, to)| from != to && *from != old) {
        let strings = words.of(&from).iter().filter(|(_, token)| token.kind == Kind::String);
        edits.extend(strings.map(|(outline, token)| replacement(outline, *token, &to)));
    }
    edits.sort_unstable_by(|one, other| (&one.file, one.start).cmp(&(&other.file, other.start)));
    edits.dedup_by(|one, other| one.file == other.file && one.start == other.start);
    edits
}
