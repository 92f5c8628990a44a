//! Renaming a symbol everywhere.

use std::ops::Range;

use odsmith_engine::{eval::trace::SymbolKind, outline::lexical::is_word_byte};

use crate::{
    document::FileRange,
    ir,
    navigate::{self, Resolved, Symbol},
    quoted::{self, Quoted, QuotedKind},
    workspace::Workspace,
};

/// The edits of a renaming.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renaming {
    /// The places to replace.
    pub places: Vec<FileRange>,
    /// The new text.
    pub text: String,
    /// A note on effects for users outside the definitions, if any.
    pub note: Option<String>,
}

/// Returns the range that a new name would replace.
///
/// # Errors
/// There is no name here, or it is not defined in the workspace.
pub fn prepare(workspace: &Workspace, path: &str, offset: usize) -> Result<Range<usize>, String> {
    if ir::is_ir(path) {
        return ir::names::prepare(workspace, path, offset);
    }
    let Some(resolved) = navigate::resolve(workspace, path, offset) else {
        let quoted = quoted_at(workspace, path, offset)?;
        is_own(workspace, &quoted.definition)?;
        return Ok(quoted.range);
    };
    check(workspace, &resolved)?;
    Ok(resolved.range)
}

fn quoted_at(workspace: &Workspace, path: &str, offset: usize) -> Result<Quoted, String> {
    quoted::at(workspace, path, offset).ok_or_else(|| "there is no name to change here".to_owned())
}

fn check(workspace: &Workspace, resolved: &Resolved) -> Result<(), String> {
    let definition = match &resolved.symbol {
        Symbol::File(_) => return Err("a file is renamed where files are".to_owned()),
        Symbol::Inner(inner) => &inner.definition,
        Symbol::Name(name) => &name.definition,
    };
    is_own(workspace, definition)
}

fn is_own(workspace: &Workspace, definition: &FileRange) -> Result<(), String> {
    if workspace.bundle().get(&definition.path).is_none() {
        return Err(format!(
            "the name is defined in '{}', which is not part of this folder",
            definition.path
        ));
    }
    Ok(())
}

/// Renames the symbol at an offset.
///
/// # Errors
/// There is no name here that can be changed, or the new name is invalid.
pub fn rename(workspace: &Workspace, path: &str, offset: usize, new: &str) -> Result<Renaming, String> {
    if ir::is_ir(path) {
        return ir::names::rename(workspace, path, offset, new);
    }
    let Some(resolved) = navigate::resolve(workspace, path, offset) else {
        return rename_quoted(workspace, &quoted_at(workspace, path, offset)?, new);
    };
    check(workspace, &resolved)?;
    let new = new.strip_prefix('$').unwrap_or(new);
    let is_name = new.bytes().all(is_word_byte) && !new.starts_with(|c: char| c.is_ascii_digit());
    if new.is_empty() || !is_name {
        return Err(format!(
            "'{new}' is no name: letters, digits and '_' make one, and no digit comes first"
        ));
    }
    let document = workspace.document(path).ok_or("the file is gone")?;
    let old = &document.text[resolved.range.clone()];
    let places = navigate::references_of(workspace, &resolved);
    for place in &places {
        let document = workspace.document(&place.path).ok_or("a file is gone")?;
        let text = document.text.get(place.range.clone()).unwrap_or_default();
        if text != old {
            return Err(format!(
                "'{old}' is put together from '{text}' in '{}': change it there",
                place.path
            ));
        }
        if workspace.bundle().get(&place.path).is_none() {
            return Err(format!("'{}' mentions the name and is not part of this folder", place.path));
        }
    }
    taken(workspace, &resolved, new)?;
    Ok(Renaming { note: note(&resolved, old, new), places, text: new.to_owned() })
}

/// Renames an enum case or a pass option.
fn rename_quoted(workspace: &Workspace, quoted: &Quoted, new: &str) -> Result<Renaming, String> {
    is_own(workspace, &quoted.definition)?;
    let is_flag = quoted.kind == QuotedKind::OptionFlag;
    let is_part = |byte: u8| is_word_byte(byte) || is_flag && byte == b'-';
    if new.is_empty()
        || !new.bytes().all(is_part)
        || new.starts_with(|c: char| c.is_ascii_digit() || c == '-')
    {
        let parts = if is_flag { "letters, digits, '_' and '-'" } else { "letters, digits and '_'" };
        return Err(format!("'{new}' is no name: {parts} make one, and no digit comes first"));
    }
    if quoted.others.iter().any(|other| other == new) {
        return Err(format!("there is something named '{new}' already"));
    }
    let old = &quoted.name;
    let note = match quoted.kind {
        QuotedKind::Case => {
            format!("C++ code names '{new}' in place of '{old}', and so does what MLIR prints and reads")
        }
        QuotedKind::CaseWithText => {
            format!("C++ code names '{new}' in place of '{old}'; what MLIR prints stays")
        }
        QuotedKind::OptionMember => format!("C++ code names the option '{new}' in place of '{old}'"),
        QuotedKind::OptionFlag => {
            format!("command lines and pipelines that are written as text give '{new}' in place of '{old}'")
        }
    };
    let places = quoted::mentions(workspace, quoted);
    Ok(Renaming { places, text: new.to_owned(), note: Some(note) })
}

/// Rejects a name that is already in use.
fn taken(workspace: &Workspace, resolved: &Resolved, new: &str) -> Result<(), String> {
    let records = &resolved.analysis.records;
    let is_taken = match &resolved.symbol {
        Symbol::Name(name) => match name.kind {
            SymbolKind::Class => records.class(new).is_some(),
            SymbolKind::Def => records.def(new).is_some(),
            SymbolKind::Field => name.record.is_some_and(|record| records.rec(record).field(new).is_some()),
            SymbolKind::Multiclass | SymbolKind::Argument | SymbolKind::Variable | SymbolKind::Alias => false,
        },
        Symbol::Inner(inner) => inner.scope.iter().any(|place| {
            let Some(document) = workspace.document(&place.path) else { return false };
            let path = document.path_to(place.range.start);
            let Some(statement) = path.last() else { return false };
            inner.field.is_some()
                && crate::names::find(workspace, &resolved.analysis, &document, statement, new)
                    .is_some_and(|other| other.field.is_some())
        }),
        Symbol::File(_) => false,
    };
    if is_taken { Err(format!("there is something named '{new}' already")) } else { Ok(()) }
}

/// Describes the effects of a new name outside the definitions.
fn note(resolved: &Resolved, old: &str, new: &str) -> Option<String> {
    match &resolved.symbol {
        Symbol::Inner(inner) => {
            let field = inner.field?;
            let (from, to) = (accessor(old), accessor(new));
            let mut note =
                format!("C++ code calls {to}() in place of {from}(), and Python '{new}' in place of '{old}'");
            if field == "arguments" {
                note.push_str(
                    "; if it is an attribute or a property, the generic form and bytecode have the new name",
                );
            }
            Some(note)
        }
        Symbol::Name(name) if name.kind == SymbolKind::Def => {
            Some(format!("generated code that is named after '{old}' gets another name"))
        }
        _ => None,
    }
}

/// Returns `getLhsType` for `lhs_type`.
fn accessor(name: &str) -> String {
    let mut text = "get".to_owned();
    for part in name.split('_').filter(|part| !part.is_empty()) {
        let mut chars = part.chars();
        text.extend(chars.next().map(|first| first.to_ascii_uppercase()));
        text.push_str(chars.as_str());
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn accessors() {
        assert_eq!(super::accessor("lhs_type"), "getLhsType");
        assert_eq!(super::accessor("lhsType"), "getLhsType");
    }
}
