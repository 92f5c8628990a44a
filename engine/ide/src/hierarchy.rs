//! Classes above and below a class or def; files above and below a file.

use odsmith_engine::{eval::trace::SymbolKind, record::Rec};

use crate::{
    document::Place,
    navigate::{self, Name, Symbol},
    workspace::Workspace,
};

/// A class or def.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// Whether it is a class.
    pub is_class: bool,
    /// Where its name is.
    pub place: Place,
}

/// What is at an offset.
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

/// The classes that it names itself.
#[must_use]
pub fn supertypes(workspace: &Workspace, place: &Place) -> Vec<Node> {
    related(workspace, place, |rec| rec.direct_superclasses().collect())
}

/// What names it as a class.
#[must_use]
pub fn subtypes(workspace: &Workspace, place: &Place) -> Vec<Node> {
    related(workspace, place, |rec| {
        let all = rec.records().classes().chain(rec.records().defs_as_made());
        all.filter(|other| !other.is_anonymous() && other.direct_superclasses().any(|class| class == rec))
            .collect()
    })
}

fn related(
    workspace: &Workspace,
    place: &Place,
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
