//! Explanations of IR in place: hovers and types of values.

use std::ops::Range;

use odsmith_engine::{
    ir::{Names, NodeId, NodeKind},
    ods::Operation,
};

use super::{
    DefinitionSpace, IrText,
    names::{IrName, ResolvedName, resolve},
};
use crate::{
    hover::{self, Hover},
    inlay::{Note, NoteKind},
    navigate::{self, Name, Symbol},
    signature::Signature,
    workspace::Workspace,
};

/// The most bytes of a line to show.
const MOST_LINE: usize = 200;

/// Returns the hover for an offset.
pub(crate) fn hover(workspace: &Workspace, path: &str, offset: usize) -> Option<Hover> {
    let text = workspace.ir(path)?;
    let names = text.names();
    let ResolvedName { name, range } = resolve(&text, &names, offset)?;
    let text = match &name {
        IrName::Value(id) => {
            let value = names.values.get(id.0 as usize)?;
            let types = text.types_of(&text.value_types(), value.node);
            let mut shown = match types {
                Some(types) => format!("```mlir\n{}: {types}\n```", value.name),
                None => format!("```mlir\n{}\n```", value.name),
            };
            let uses = names.uses.iter().filter(|one| one.value == Some(*id)).count();
            let origin = origin(&text, value.node, value.operation);
            shown
                .push_str(&format!("\n\n{origin}; used {uses} {}", if uses == 1 { "time" } else { "times" }));
            shown
        }
        IrName::Block(index) => {
            let block = names.blocks.get(*index)?;
            let label = text.ir.tree.child(block.node, NodeKind::BlockLabel).unwrap_or(block.node);
            format!("```mlir\n{}\n```", line_of(&text, text.range(label)))
        }
        IrName::Symbol(index) => {
            let operation = names.symbols.get(*index)?.operation;
            format!("```mlir\n{}\n```", line_of(&text, text.range(operation)))
        }
        IrName::Alias(alias) => {
            let (_, definition) = text.aliases().find(|(name, _)| *name == alias)?;
            format!("```mlir\n{}\n```", line_of(&text, text.range(definition)))
        }
        IrName::Definition(space, name) => {
            let place = text.definitions.place(*space, name)?;
            hover::hover(workspace, &place.path, place.range.start)?.text
        }
    };
    Some(Hover { range, text })
}

/// Says where a value comes from.
fn origin(text: &IrText, node: NodeId, operation: NodeId) -> String {
    let name = text.operation_name(operation).unwrap_or("an operation").to_owned();
    match text.node(node).kind {
        NodeKind::Result => format!("result of `{name}`"),
        _ => format!("argument of a block of `{name}`"),
    }
}

/// Returns the first line of a range.
fn line_of(text: &IrText, range: Range<usize>) -> String {
    let line = text.text()[range].lines().next().unwrap_or_default().trim_end();
    let end = (0..=line.len().min(MOST_LINE)).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0);
    if end < line.len() { format!("{}…", &line[..end]) } else { line.to_owned() }
}

/// Returns the form of the operation around an offset.
pub(crate) fn signature(workspace: &Workspace, path: &str, offset: usize) -> Option<Signature> {
    let text = workspace.ir(path)?;
    let around = text.path_to(text.token_at(offset)?);
    let operation = around.into_iter().rev().find(|id| text.node(*id).kind == NodeKind::Operation)?;
    let name = text.operation_name(operation)?.to_owned();
    let place = text.definitions.place(DefinitionSpace::Operation, &name)?;
    let resolved = navigate::resolve(workspace, &place.path, place.range.start)?;
    let Symbol::Name(Name { record: Some(record), .. }) = resolved.symbol else { return None };
    resolved.analysis.check().ok()?;
    let operation = Operation::lenient(resolved.analysis.records.rec(record))?;
    let format = operation.assembly_format().filter(|format| !format.trim().is_empty())?;
    let format = format.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(Signature {
        label: format!("{name} {format}"),
        documentation: operation.summary().to_owned(),
        parameters: Vec::new(),
        active: 0,
    })
}

/// Returns the types of results that their own lines do not show.
pub(crate) fn notes(workspace: &Workspace, path: &str, within: &Range<usize>) -> Vec<Note> {
    let Some(text) = workspace.ir(path) else { return Vec::new() };
    let names: Names<'_> = text.names();
    let types = text.value_types();
    let mut found = Vec::new();
    for value in &names.values {
        let range = text.range(value.node);
        if text.node(value.node).kind != NodeKind::Result
            || value.is_possible
            || range.end < within.start
            || within.end < range.start
        {
            continue;
        }
        let Some(types) = text.types_of(&types, value.node) else { continue };
        // A type that the statement ends with needs no repetition.
        if text.text()[text.range(value.operation)].contains(&types) {
            continue;
        }
        found.push(Note { offset: range.end, text: format!(": {types}"), kind: NoteKind::Type });
    }
    found
}
