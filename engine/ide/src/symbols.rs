//! The symbols of a file and of the workspace.

use std::ops::Range;

use odsmith_engine::{
    ods::{DefKind, Definition, DefinitionKind},
    outline::{Item, ItemKind, Statement, StatementKind},
    record::Rec,
};

use crate::{
    analysis::Analysis,
    document::{Document, FileRange},
    index::Descendants,
    ir,
    workspace::Workspace,
};

/// The kind of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the word itself")]
pub enum Kinds {
    Dialect,
    Operation,
    Type,
    Attribute,
    Enum,
    EnumCase,
    Interface,
    Trait,
    Constraint,
    Pass,
    Pattern,
    Class,
    Multiclass,
    Def,
    Variable,
    Field,
    Group,
}

/// A symbol in a file's outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileSymbol {
    /// Its name.
    pub name: String,
    /// A detail: `arith.addi`.
    pub detail: String,
    /// Its kind.
    pub kind: Kinds,
    /// Its whole range.
    pub range: Range<usize>,
    /// The range of its name.
    pub selection: Range<usize>,
    /// True if it is deprecated.
    pub is_deprecated: bool,
    /// The symbols inside it.
    pub children: Vec<FileSymbol>,
}

/// Returns the outline of a file. The records made by a `defm` are its children.
#[must_use]
pub fn of_file(workspace: &Workspace, path: &str) -> Vec<FileSymbol> {
    if ir::is_ir(path) {
        return ir::structure::symbols(workspace, path);
    }
    let Some(document) = workspace.document(path) else { return Vec::new() };
    let analysis = workspace.analysis_of(path);
    symbols(analysis.as_deref(), &document, &document.statements)
}

fn symbols(analysis: Option<&Analysis>, document: &Document, statements: &[Statement]) -> Vec<FileSymbol> {
    let mut found = Vec::new();
    for statement in statements {
        let children = symbols(analysis, document, &statement.children);
        match symbol(analysis, document, statement) {
            Some(symbol) => {
                let mut symbol = symbol;
                symbol.children.extend(children);
                found.push(symbol);
            }
            // A loop or a `let` has no name: its children take its place.
            None => found.extend(children),
        }
    }
    found
}

fn symbol(analysis: Option<&Analysis>, document: &Document, statement: &Statement) -> Option<FileSymbol> {
    let range = statement.range();
    let named = statement.name;
    let selection =
        named.map_or_else(|| document.tokens[statement.tokens.start].range(), |name| name.range());
    let name = named.map_or("", |name| name.text(&document.text));
    let mut symbol = FileSymbol {
        name: name.to_owned(),
        detail: String::new(),
        kind: Kinds::Def,
        range: range.clone(),
        selection,
        is_deprecated: false,
        children: Vec::new(),
    };
    let keyword = statement.start;
    let recs = analysis.map(|analysis| analysis.records_at(&document.path, keyword)).unwrap_or_default();
    match statement.kind {
        StatementKind::Class => symbol.kind = Kinds::Class,
        StatementKind::Multiclass => symbol.kind = Kinds::Multiclass,
        StatementKind::Def => {
            if let [rec, ..] = recs.as_slice() {
                symbol.kind = kind(*rec);
                symbol.detail = Definition::new(*rec).name();
                symbol.is_deprecated = Definition::new(*rec).deprecated().is_some();
                if symbol.name.is_empty() {
                    symbol.name = rec.name().to_owned();
                }
            }
        }
        StatementKind::Defm => {
            symbol.kind = Kinds::Group;
            symbol.children =
                analysis.map(|analysis| made_by(analysis, document, statement)).unwrap_or_default();
        }
        StatementKind::Defvar | StatementKind::Deftype => symbol.kind = Kinds::Variable,
        StatementKind::Defset => symbol.kind = Kinds::Group,
        _ => return None,
    }
    if symbol.name.is_empty() {
        symbol.name = format!("<{}>", document.word(statement.tokens.start));
    }
    if matches!(statement.kind, StatementKind::Class) {
        let is_member = |item: &&Item| matches!(item.kind, ItemKind::Declaration | ItemKind::Defvar);
        symbol.children.extend(statement.items.iter().filter(is_member).map(|item| FileSymbol {
            name: document.text_of(item.name).to_owned(),
            detail: String::new(),
            kind: Kinds::Field,
            range: item.range(),
            selection: item.name.range(),
            is_deprecated: false,
            children: Vec::new(),
        }));
    }
    Some(symbol)
}

/// Returns the records made by a `defm`.
fn made_by(analysis: &Analysis, document: &Document, statement: &Statement) -> Vec<FileSymbol> {
    let range = statement.range();
    let is_here = |rec: &Rec<'_>| {
        rec.record().spans.iter().skip(1).any(|&span| {
            analysis
                .place(span)
                .is_some_and(|place| place.path == document.path && range.contains(&place.range.start))
        })
    };
    let made = analysis.records.defs_as_made().filter(is_here);
    made.map(|rec| FileSymbol {
        name: rec.name().to_owned(),
        detail: Definition::new(rec).name(),
        kind: kind(rec),
        range: range.clone(),
        selection: range.clone(),
        is_deprecated: false,
        children: Vec::new(),
    })
    .collect()
}

/// Returns the kind of a record.
#[must_use]
pub fn kind(rec: Rec<'_>) -> Kinds {
    match Definition::new(rec).kind() {
        DefinitionKind::Operation => Kinds::Operation,
        DefinitionKind::AttrOrType if DefKind::of(rec) == Some(DefKind::Type) => Kinds::Type,
        DefinitionKind::AttrOrType => Kinds::Attribute,
        DefinitionKind::Enum => Kinds::Enum,
        DefinitionKind::EnumCase => Kinds::EnumCase,
        DefinitionKind::Interface => Kinds::Interface,
        DefinitionKind::Constraint => Kinds::Constraint,
        DefinitionKind::Other => {
            let classes = [
                ("Dialect", Kinds::Dialect),
                ("Trait", Kinds::Trait),
                ("PassBase", Kinds::Pass),
                ("Pattern", Kinds::Pattern),
            ];
            let found = classes.iter().find(|(class, _)| rec.is_subclass_of(*class));
            found.map_or(Kinds::Def, |(_, kind)| *kind)
        }
    }
}

/// A symbol in the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkspaceSymbol {
    /// Its name.
    pub name: String,
    /// Its classes.
    pub detail: String,
    /// Its kind.
    pub kind: Kinds,
    /// The place of its name.
    pub place: FileRange,
}

/// The most symbols to return.
const MOST_SYMBOLS: usize = 200;

/// The kinds of symbol for the defs of well-known classes.
const KINDS: [(&str, Kinds); 11] = [
    ("Op", Kinds::Operation),
    ("TypeDef", Kinds::Type),
    ("AttrDef", Kinds::Attribute),
    ("EnumInfo", Kinds::Enum),
    ("EnumAttrInfo", Kinds::Enum),
    ("Interface", Kinds::Interface),
    ("Constraint", Kinds::Constraint),
    ("Dialect", Kinds::Dialect),
    ("Trait", Kinds::Trait),
    ("PassBase", Kinds::Pass),
    ("Pattern", Kinds::Pattern),
];

/// Finds symbols by a query, best first: names that equal it, start with it, have it as a word, have its letters.
#[must_use]
pub fn of_workspace(workspace: &Workspace, query: &str) -> Vec<WorkspaceSymbol> {
    let index = workspace.index();
    let query = query.to_ascii_lowercase();
    let root = workspace.library().root();
    let kinds = KINDS.map(|(class, kind)| (index.descendants(&[class]), kind));
    let mut found: Vec<((u8, bool, usize), WorkspaceSymbol)> = Vec::new();
    for (path, named) in index.all() {
        let Some(rank) = rank(&named.name, &query) else { continue };
        let kind = match named.kind {
            StatementKind::Class => Kinds::Class,
            StatementKind::Multiclass => Kinds::Multiclass,
            StatementKind::Defvar => Kinds::Variable,
            StatementKind::Defm | StatementKind::Defset => Kinds::Group,
            _ => {
                let is_it = |(descendants, _): &&(Descendants<'_>, Kinds)| descendants.has(named);
                kinds.iter().find(is_it).map_or(Kinds::Def, |(_, kind)| *kind)
            }
        };
        let symbol = WorkspaceSymbol {
            name: named.name.clone(),
            detail: named.parents.join(", "),
            kind,
            place: FileRange { path: path.to_owned(), range: named.start..named.end },
        };
        found.push(((rank, path.starts_with(root), named.name.len()), symbol));
        // Drop the worst matches before the list grows too long.
        if found.len() > 16 * MOST_SYMBOLS {
            found.sort_by(|a, b| (a.0, &a.1.name).cmp(&(b.0, &b.1.name)));
            found.truncate(MOST_SYMBOLS);
        }
    }
    found.sort_by(|a, b| (a.0, &a.1.name, &a.1.place.path).cmp(&(b.0, &b.1.name, &b.1.place.path)));
    found.into_iter().take(MOST_SYMBOLS).map(|(_, symbol)| symbol).collect()
}

/// Ranks the match of a name with a query in lower case; less is better.
fn rank(name: &str, query: &str) -> Option<u8> {
    let lower = name.to_ascii_lowercase();
    if query.is_empty() || lower == *query {
        return Some(0);
    }
    if lower.starts_with(query) {
        return Some(1);
    }
    if let Some(at) = lower.find(query) {
        let bytes = name.as_bytes();
        let begins_word = bytes[at].is_ascii_uppercase() || bytes[at - 1] == b'_';
        return Some(if begins_word { 2 } else { 3 });
    }
    let mut rest = lower.bytes();
    query.bytes().all(|byte| rest.any(|other| other == byte)).then_some(4)
}

/// Returns the record at an offset, or near it: the one to preview.
#[must_use]
pub fn record_near<'a>(analysis: &'a Analysis, document: &Document, offset: usize) -> Option<Rec<'a>> {
    let path = document.path_to(offset);
    path.iter().rev().find_map(|statement| {
        let keyword = statement.start;
        if let Some(rec) = analysis.records_at(&document.path, keyword).into_iter().next() {
            return Some(rec);
        }
        if statement.kind != StatementKind::Defm {
            return None;
        }
        let range = statement.range();
        analysis.records.defs_as_made().find(|rec| {
            rec.record().spans.iter().skip(1).any(|&span| {
                analysis
                    .place(span)
                    .is_some_and(|place| place.path == document.path && range.contains(&place.range.start))
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::rank;

    #[test]
    fn ranks() {
        let of = |name: &str| rank(name, "add");
        assert_eq!(
            [of("Add"), of("AddOp"), of("MyAdd"), of("paddle"), of("AxDxD")],
            [Some(0), Some(1), Some(2), Some(3), Some(4)]
        );
        assert_eq!(of("sub"), None);
    }
}
