//! Type hierarchy (the superclasses and subclasses of a class or def) and the hierarchy of included files.

use odsmith_engine::{eval::trace::SymbolKind, record::Rec};

use crate::{
    document::FileRange,
    navigate::{self, Name, Symbol},
    workspace::Workspace,
};

/// A class or def.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// True for a class.
    pub is_class: bool,
    /// The place of its name.
    pub place: FileRange,
}

/// Returns the class or def at an offset.
#[must_use]
pub fn at(workspace: &Workspace, path: &str, offset: usize) -> Option<Node> {
    let resolved = navigate::resolve(workspace, path, offset)?;
    let Symbol::Name(Name { kind: SymbolKind::Class | SymbolKind::Def, record, definition }) =
        resolved.symbol
    else {
        return None;
    };
    let rec = resolved.analysis.records.rec(record?);
    Some(Node { name: rec.name().to_owned(), is_class: rec.is_class(), place: definition })
}

/// Returns the direct superclasses.
#[must_use]
pub fn supertypes(workspace: &Workspace, place: &FileRange) -> Vec<Node> {
    related(workspace, place, |rec| rec.direct_superclasses().collect())
}

/// Returns the classes and defs that name it as a superclass.
#[must_use]
pub fn subtypes(workspace: &Workspace, place: &FileRange) -> Vec<Node> {
    related(workspace, place, |rec| {
        let all = rec.records().classes().chain(rec.records().defs_as_made());
        all.filter(|other| !other.is_anonymous() && other.direct_superclasses().any(|class| class == rec))
            .collect()
    })
}

fn related(
    workspace: &Workspace,
    place: &FileRange,
    find: impl for<'r> Fn(Rec<'r>) -> Vec<Rec<'r>>,
) -> Vec<Node> {
    let Some(resolved) = navigate::resolve(workspace, &place.path, place.range.start) else {
        return Vec::new();
    };
    let Symbol::Name(Name { record: Some(id), .. }) = resolved.symbol else { return Vec::new() };
    let analysis = &resolved.analysis;
    let found = find(analysis.records.rec(id)).into_iter().filter_map(|rec| {
        let place = analysis.place(rec.span())?;
        Some(Node { name: rec.name().to_owned(), is_class: rec.is_class(), place })
    });
    found.collect()
}
