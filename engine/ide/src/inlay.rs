//! Inlay hints: computed values, names of arguments, types that a format leaves out.

use std::ops::Range;

use odsmith_engine::{
    ods::{
        Operation,
        format::{OpFormat, TypeSource},
    },
    outline::{Kind, Statement, StatementKind},
    record::Rec,
};

use crate::{analysis::Analysis, context, document::Document, hover, ir, workspace::Workspace};

/// An inlay hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The offset at which it appears.
    pub offset: usize,
    /// Its text.
    pub text: String,
    /// Its kind.
    pub kind: NoteKind,
}

/// The kind of an inlay hint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NoteKind {
    /// The value of a field.
    Value,
    /// The name of an argument.
    Argument,
    /// The source of a type that a format leaves out.
    Type,
}

/// The most bytes of a value to show.
const MOST: usize = 60;

/// Returns the hints for a range of a file.
#[must_use]
pub fn notes(workspace: &Workspace, path: &str, range: &Range<usize>) -> Vec<Note> {
    if ir::is_ir(path) {
        return ir::explain::notes(workspace, path, range);
    }
    let (Some(document), Some(analysis)) = (workspace.document(path), workspace.analysis_of(path)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for statement in document.all_statements() {
        let own = statement.range();
        if own.end < range.start || own.start > range.end {
            continue;
        }
        arguments(&analysis, &document, statement, &mut found);
        if statement.kind == StatementKind::Def {
            let keyword = statement.start;
            // A statement in a loop or multiclass has several values.
            if let [rec] = analysis.records_at(path, keyword).as_slice() {
                values(&document, statement, *rec, &mut found);
                types(&analysis, &document, statement, *rec, &mut found);
            }
        }
    }
    found.retain(|note| range.contains(&note.offset) || note.offset == range.end);
    found.sort_by_key(|note| note.offset);
    found
}

/// Adds the value of `let x = !strconcat(…);`.
fn values(document: &Document, statement: &Statement, rec: Rec<'_>, found: &mut Vec<Note>) {
    for item in &statement.items {
        let is_computed = |index: usize| {
            let token = document.tokens[index];
            token.kind == Kind::Operator || token.is(b'#') || token.is(b'.')
        };
        if !item.value.clone().any(is_computed) {
            continue;
        }
        let Some(value) = rec.get(document.text_of(item.name)).filter(|value| !value.is_unset()) else {
            continue;
        };
        let offset = document.tokens[item.value.end - 1].end;
        let text = format!(" = {}", hover::clipped(&value.to_string().replace('\n', " "), MOST));
        found.push(Note { offset, text, kind: NoteKind::Value });
    }
}

/// Adds the source of each type that a format does not print.
fn types(
    analysis: &Analysis,
    document: &Document,
    statement: &Statement,
    rec: Rec<'_>,
    found: &mut Vec<Note>,
) {
    let item = statement.items.iter().find(|item| document.text_of(item.name) == "assemblyFormat");
    let Some(item) = item.filter(|item| !item.value.is_empty() && rec.is_subclass_of("Op")) else { return };
    if analysis.is_partial(rec) || analysis.check().is_err() {
        return;
    }
    let Ok(op) = Operation::named(rec) else { return };
    let Some(format) = op.assembly_format().and_then(|text| OpFormat::new(&op, text).ok()) else { return };
    let operands = op.operands().iter().map(|operand| operand.name).zip(&format.operand_types);
    let results = op.results().iter().map(|result| result.name).zip(&format.result_types);
    let inferred: Vec<String> = operands
        .chain(results)
        .filter_map(|(name, source)| match source {
            TypeSource::Format => None,
            TypeSource::Buildable(_) => Some(format!("{name}: fixed")),
            TypeSource::Variable(variable, None) => Some(format!("{name}: as {}", variable.name)),
            TypeSource::Variable(variable, Some(_)) => Some(format!("{name}: from {}", variable.name)),
            TypeSource::Inferred => Some(format!("{name}: inferred")),
        })
        .collect();
    if !inferred.is_empty() {
        let offset = document.tokens[item.value.end - 1].end;
        let text = format!(" types: {}", inferred.join(", "));
        found.push(Note { offset, text: hover::clipped(&text, 2 * MOST), kind: NoteKind::Type });
    }
}

/// Adds `lhs:` before an operation's arguments in a pattern, and names before literal arguments of classes.
fn arguments(analysis: &Analysis, document: &Document, statement: &Statement, found: &mut Vec<Note>) {
    let records = &analysis.records;
    // For each open bracket, the names of its arguments and the index of the next one.
    let mut open: Vec<Option<(Vec<String>, usize, bool)>> = Vec::new();
    let mut begins = false;
    let tokens = statement.tokens.clone();
    for index in tokens.clone() {
        let token = document.tokens[index];
        let next = document.tokens.get(index + 1);
        match token.kind {
            Kind::Sign(b'<') => {
                let class = index.checked_sub(1).and_then(|before| records.class(document.word(before)));
                // The class in a declaration takes no arguments here.
                let is_given = class.is_some_and(|class| {
                    statement.name != index.checked_sub(1).map(|before| document.tokens[before])
                        && !class.record().template_args.is_empty()
                });
                let names = class.filter(|_| is_given).map(|class| {
                    (context::arguments(class).map(|argument| argument.name.to_owned()).collect(), 0, false)
                });
                open.push(names);
                begins = true;
                continue;
            }
            Kind::Sign(b'(') => {
                let op = next.and_then(|next| records.def(next.text(&document.text)));
                let op = op.filter(|rec| rec.is_subclass_of("Op"));
                let names = op.and_then(|op| {
                    let dag = op.get("arguments")?.as_dag()?;
                    Some((dag.args().map(|(_, name)| name.unwrap_or_default().to_owned()).collect(), 0, true))
                });
                open.push(names);
                begins = false;
                continue;
            }
            Kind::Sign(b'[' | b'{') => open.push(None),
            Kind::Sign(b'>' | b')' | b']' | b'}') => {
                open.pop();
                begins = false;
                continue;
            }
            Kind::Sign(b',') => {
                if let Some(Some((_, count, _))) = open.last_mut() {
                    *count += 1;
                }
                begins = true;
                continue;
            }
            _ => {}
        }
        // The operator of a dag is not an argument; the first argument follows it.
        let after_operator = open.last().is_some_and(|frame| matches!(frame, Some((_, 0, true))))
            && index.checked_sub(2).is_some_and(|before| document.tokens[before].is(b'('));
        let starts = begins || after_operator;
        begins = false;
        let outer = match token.kind {
            Kind::Sign(b'[' | b'{') => open.len().checked_sub(2).and_then(|at| open.get(at)),
            _ => open.last(),
        };
        let Some(Some((names, count, is_dag))) = outer else { continue };
        let is_literal = matches!(token.kind, Kind::Number | Kind::String | Kind::Code);
        if !starts || !(*is_dag || is_literal) || next.is_some_and(|next| next.is(b'=')) {
            continue;
        }
        if let Some(name) = names.get(*count).filter(|name| !name.is_empty()) {
            // `$lhs` needs no hint: it is the name already.
            if document.word(index).trim_start_matches('$') != name {
                found.push(Note { offset: token.start, text: format!("{name}: "), kind: NoteKind::Argument });
            }
        }
    }
}
