//! Names inside one definition, given by ODS or DRR: `$lhs` of an operation, `$x` of a pattern.
//!
//! TableGen sees only strings. An operand is named where `arguments` gets its value, which may be in a class. The name
//! is used by assembly formats, predicates, code and traits of every definition that inherits it:
//!
//! ```text
//! def AddOp : Op<D, "add", [AllTypesMatch<["lhs", "sum"]>]> {
//!   let arguments = (ins AnyType:$lhs);      let results = (outs AnyType:$sum);
//!   let assemblyFormat = "$lhs attr-dict `:` type($lhs)";
//! }
//! ```

use std::ops::Range;

use odsmith_engine::{
    outline::{Kind, Statement, lexical::is_word_byte},
    record::{Rec, RecordId},
};

use crate::{
    analysis::Analysis,
    document::{Document, FileRange},
    workspace::Workspace,
};

/// Fields whose dags name parts.
const PARTS: [&str; 5] = ["arguments", "results", "regions", "successors", "parameters"];

/// Fields in which `$name` means something else.
const OTHERS: [&str; 5] =
    ["builders", "extraClassDeclaration", "extraClassDefinition", "methods", "attributes"];

/// A name inside of a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InnerName {
    /// The name, without `$`.
    pub name: String,
    /// The place that gives the name: the token with its `$`.
    pub definition: FileRange,
    /// The statements in which the name is valid, as places of their keywords; the defining one comes first.
    pub scope: Vec<FileRange>,
    /// The field that gives the name; `None` for a name of a pattern.
    pub field: Option<&'static str>,
    /// A record that has it.
    pub record: Option<RecordId>,
}

/// Returns the inner name at an offset, and its range without the `$`.
#[must_use]
pub fn at(
    workspace: &Workspace,
    analysis: &Analysis,
    document: &Document,
    offset: usize,
) -> Option<(InnerName, Range<usize>)> {
    let statement = *document.path_to(offset).last()?;
    let range = word_at(document, offset)?;
    let name = &document.text[range.clone()];
    let is_mention = mentions_in(document, statement, name, true).any(|mention| mention == range);
    if !is_mention {
        return None;
    }
    let found = find(workspace, analysis, document, statement, name)?;
    Some((found, range))
}

/// Finds the inner name that a word means in a statement.
#[must_use]
pub fn find(
    workspace: &Workspace,
    analysis: &Analysis,
    document: &Document,
    statement: &Statement,
    name: &str,
) -> Option<InnerName> {
    let keyword = statement.start;
    let records = analysis.records_at(&document.path, keyword);
    for &rec in &records {
        if let Some((field, definition)) = definition_of(workspace, analysis, rec, name) {
            let scope = scope(workspace, analysis, &definition);
            let name = name.to_owned();
            return Some(InnerName { name, definition, scope, field: Some(field), record: Some(rec.id()) });
        }
    }
    // The record inherits its parts from a class, or it is a pattern.
    let is_pattern = records.iter().any(|rec| rec.is_subclass_of("Pattern")) || records.is_empty();
    let first = is_pattern.then(|| {
        statement.tokens.clone().find(|&index| {
            document.tokens[index].kind == Kind::Variable && &document.word(index)[1..] == name
        })
    });
    let definition = document.place(document.tokens[first.flatten()?].range());
    let scope = vec![document.place(document.tokens[statement.tokens.start].range())];
    Some(InnerName { name: name.to_owned(), definition, scope, field: None, record: None })
}

/// Returns the field of a record that names a part, and the place of the name.
fn definition_of(
    workspace: &Workspace,
    analysis: &Analysis,
    rec: Rec<'_>,
    name: &str,
) -> Option<(&'static str, FileRange)> {
    PARTS.into_iter().find_map(|field| {
        let declared = rec.field(field)?;
        let place = analysis.place(declared.span)?;
        let document = workspace.document(&place.path)?;
        let item = document.field_named_at(place.range.start);
        let in_value = item.and_then(|item| variable(&document, item.value.clone(), name));
        // The dag may be an argument of a class.
        let found = in_value.map(|range| document.place(range)).or_else(|| {
            let dag = rec.get(field)?.as_dag()?;
            dag.args().find(|(_, known)| *known == Some(name))?;
            let own = analysis.place(rec.span())?;
            let document = workspace.document(&own.path)?;
            let statement = *document.path_to(own.range.start).last()?;
            let range = variable(&document, statement.tokens.clone(), name)?;
            Some(document.place(range))
        })?;
        Some((field, found))
    })
}

fn variable(document: &Document, tokens: Range<usize>, name: &str) -> Option<Range<usize>> {
    let is_it =
        |index: &usize| document.tokens[*index].kind == Kind::Variable && &document.word(*index)[1..] == name;
    tokens.clone().find(is_it).map(|index| document.tokens[index].range())
}

/// Returns the statements in which a part is valid: the one that names it, and those of subclasses and derived defs.
fn scope(workspace: &Workspace, analysis: &Analysis, definition: &FileRange) -> Vec<FileRange> {
    let mut found: Vec<FileRange> = Vec::new();
    let Some(document) = workspace.document(&definition.path) else { return found };
    let Some(statement) = document.path_to(definition.range.start).last().copied() else { return found };
    let keyword = document.tokens[statement.tokens.start];
    found.push(document.place(keyword.range()));
    let owners = analysis.records_at(&definition.path, keyword.start);
    let records = &analysis.records;
    for rec in records.classes().chain(records.defs_as_made()) {
        let derives = |owner: &Rec<'_>| owner.is_class() && rec.record().is_subclass_of(owner.id());
        if !owners.iter().any(derives) {
            continue;
        }
        // A statement that names its parts anew does not inherit these.
        let own = PARTS.into_iter().any(|field| {
            let place = rec.field(field).and_then(|field| analysis.place(field.span));
            place.is_some_and(|place| {
                place.path == definition.path && statement.range().contains(&place.range.start)
            })
        });
        let place = analysis.place(rec.record().statement);
        if let Some(place) = place.filter(|place| own && !found.contains(place)) {
            found.push(place);
        }
    }
    found
}

/// Returns every mention of an inner name, without the `$`, including the definition.
#[must_use]
pub fn mentions(workspace: &Workspace, inner: &InnerName) -> Vec<FileRange> {
    let mut found: Vec<FileRange> = Vec::new();
    for place in &inner.scope {
        let Some(document) = workspace.document(&place.path) else { continue };
        let Some(statement) = document.path_to(place.range.start).last().copied() else { continue };
        let ranges = mentions_in(&document, statement, &inner.name, inner.field.is_some());
        found.extend(ranges.map(|range| document.place(range)));
    }
    let definition = FileRange {
        path: inner.definition.path.clone(),
        range: inner.definition.range.start + 1..inner.definition.range.end,
    };
    if !found.contains(&definition) {
        found.insert(0, definition);
    }
    found
}

/// Returns the mentions of a name in a statement: `$name` in dags and texts, or a whole string in a trait's argument.
fn mentions_in<'d>(
    document: &'d Document,
    statement: &'d Statement,
    name: &'d str,
    is_part: bool,
) -> impl Iterator<Item = Range<usize>> + 'd {
    let field_of = |index: usize| statement.items.iter().find(|item| item.tokens.contains(&index));
    let tokens = statement.tokens.clone();
    tokens.flat_map(move |index| {
        let token = document.tokens[index];
        let field = field_of(index).map(|item| document.text_of(item.name));
        let is_other = is_part && field.is_some_and(|field| OTHERS.contains(&field));
        let mut found: Vec<Range<usize>> = Vec::new();
        match token.kind {
            Kind::Variable if !is_other && &token.text(&document.text)[1..] == name => {
                found.push(token.start + 1..token.end);
            }
            Kind::String | Kind::Code if !is_other => {
                found.extend(dollars(&document.text, token.range(), name));
                let is_whole =
                    token.kind == Kind::String && token.is_closed && document.inside(token) == name;
                if is_whole && is_in_trait(document, statement, index) {
                    found.push(token.inside());
                }
            }
            _ => {}
        }
        found
    })
}

/// Returns the ranges of the names in each `$name` of a text.
fn dollars(text: &str, range: Range<usize>, name: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let body = &text[range.clone()];
    let mut from = 0;
    while let Some(at) = body[from..].find('$') {
        let start = from + at + 1;
        let end = start + body.as_bytes()[start..].iter().take_while(|byte| is_word_byte(**byte)).count();
        if &body[start..end] == name {
            found.push(range.start + start..range.start + end);
        }
        from = start;
    }
    found
}

/// Returns true if a token is between `<` and `>` inside a list: `[AllTypesMatch<["lhs"]>]`.
fn is_in_trait(document: &Document, statement: &Statement, index: usize) -> bool {
    let mut open: Vec<u8> = Vec::new();
    for token in &document.tokens[statement.tokens.start..index] {
        match token.kind {
            Kind::Sign(bracket @ (b'<' | b'[' | b'(' | b'{')) => open.push(bracket),
            Kind::Sign(b'>' | b']' | b')' | b'}') => {
                open.pop();
            }
            _ => {}
        }
    }
    let list = open.iter().position(|bracket| *bracket == b'[');
    list.is_some_and(|list| open[list..].contains(&b'<'))
}

/// Returns the range of the word at an offset, in any kind of text.
#[must_use]
pub fn word_at(document: &Document, offset: usize) -> Option<Range<usize>> {
    let bytes = document.text.as_bytes();
    let offset = offset.min(bytes.len());
    // The cursor may be on the `$`.
    let offset = if bytes.get(offset) == Some(&b'$') { offset + 1 } else { offset };
    let before = bytes[..offset].iter().rev().take_while(|byte| is_word_byte(**byte)).count();
    let after = bytes[offset..].iter().take_while(|byte| is_word_byte(**byte)).count();
    (before + after > 0).then(|| offset - before..offset + after)
}
