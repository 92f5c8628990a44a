//! Go to definition, type definition and implementations; find references; highlight.

use std::{collections::BTreeSet, ops::Range, rc::Rc};

use odsmith_engine::{
    eval::trace::{Mention, SymbolKind},
    outline::{Kind, StatementKind, includes},
    record::RecordId,
};

use crate::{
    analysis::Analysis,
    document::{Document, FileRange},
    ir,
    names::{self, InnerName},
    workspace::Workspace,
};

/// A symbol at a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// A name known to TableGen.
    Name(Name),
    /// A name inside one definition.
    Inner(InnerName),
    /// An included file.
    File(String),
}

/// A name known to TableGen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// Its kind.
    pub kind: SymbolKind,
    /// The place of its definition.
    pub definition: FileRange,
    /// The record itself, or the one in which a field or argument was looked up.
    pub record: Option<RecordId>,
}

/// A symbol at a position, with the analysis that resolved it.
pub struct Resolved {
    /// The symbol.
    pub symbol: Symbol,
    /// The range of the mention at the position.
    pub range: Range<usize>,
    /// The analysis of the root in which it was resolved.
    pub analysis: Rc<Analysis>,
}

/// Resolves the symbol at an offset of a file.
#[must_use]
pub fn resolve(workspace: &Workspace, path: &str, offset: usize) -> Option<Resolved> {
    // Names in IR are of other kinds.
    if ir::is_ir(path) {
        return None;
    }
    let document = workspace.document(path)?;
    workspace.roots_of(path).into_iter().find_map(|root| {
        let analysis = workspace.analysis(&root)?;
        let (symbol, range) = resolve_in(workspace, &analysis, &document, offset)?;
        Some(Resolved { symbol, range, analysis })
    })
}

fn resolve_in(
    workspace: &Workspace,
    analysis: &Analysis,
    document: &Document,
    offset: usize,
) -> Option<(Symbol, Range<usize>)> {
    let index = document.token_at(offset)?;
    let token = document.tokens[index];
    if token.kind == Kind::String
        && let Some(statement) = document.path_to(offset).last()
        && statement.kind == StatementKind::Include
    {
        let name = document.inside(token);
        let path = workspace.resolve_include(&analysis.root, name)?;
        return Some((Symbol::File(path), token.range()));
    }
    if token.kind == Kind::Word
        && let Some(mention) = analysis.mention(&document.path, token.start)
        && let Some(definition) = analysis.place(mention.definition)
    {
        let Mention { kind, record, .. } = mention;
        return Some((Symbol::Name(Name { kind, definition, record }), token.range()));
    }
    let (inner, range) = names::at(workspace, analysis, document, offset)?;
    Some((Symbol::Inner(inner), range))
}

/// Returns the places that define the symbol at an offset: for a field, its declaration and the `let` that sets it;
/// for a record made by a multiclass, the def in it and the `defm`.
#[must_use]
pub fn definition(workspace: &Workspace, path: &str, offset: usize) -> Vec<FileRange> {
    if ir::is_ir(path) {
        return ir::names::definition(workspace, path, offset);
    }
    let Some(Resolved { symbol, analysis, .. }) = resolve(workspace, path, offset) else { return Vec::new() };
    let mut found = match &symbol {
        Symbol::File(path) => vec![FileRange { path: path.clone(), range: 0..0 }],
        Symbol::Inner(inner) => vec![inner.definition.clone()],
        Symbol::Name(name) => vec![name.definition.clone()],
    };
    if let Symbol::Name(Name { kind, record: Some(record), .. }) = symbol {
        let rec = analysis.records.rec(record);
        match kind {
            SymbolKind::Def => {
                found.extend(rec.record().spans.iter().skip(1).filter_map(|&span| analysis.place(span)));
            }
            SymbolKind::Field => {
                let document = workspace.document(path);
                let name = document.and_then(|document| {
                    let range = names::word_at(&document, offset)?;
                    document.text.get(range).map(str::to_owned)
                });
                let value = name.and_then(|name| analysis.place(rec.field(name.as_str())?.span));
                found.extend(value.filter(|place| !found.contains(place)));
            }
            _ => {}
        }
    }
    found.dedup();
    found
}

/// Returns the places that define the type of the symbol at an offset: the classes of a def.
#[must_use]
pub fn type_definition(workspace: &Workspace, path: &str, offset: usize) -> Vec<FileRange> {
    if ir::is_ir(path) {
        return Vec::new();
    }
    let Some(resolved) = resolve(workspace, path, offset) else { return Vec::new() };
    let analysis = &resolved.analysis;
    let rec = match resolved.symbol {
        Symbol::Name(Name { kind: SymbolKind::Def | SymbolKind::Class, record, .. }) => record,
        _ => None,
    };
    let supers = rec.into_iter().flat_map(|rec| analysis.records.rec(rec).direct_superclasses());
    supers.filter_map(|class| analysis.place(class.span())).collect()
}

/// Returns the implementations of the symbol at an offset: the defs of a class, or those with an interface or a trait.
#[must_use]
pub fn implementations(workspace: &Workspace, path: &str, offset: usize) -> Vec<FileRange> {
    if ir::is_ir(path) {
        return Vec::new();
    }
    let Some(resolved) = resolve(workspace, path, offset) else { return Vec::new() };
    let Symbol::Name(Name { record: Some(id), kind, .. }) = resolved.symbol else { return Vec::new() };
    let analysis = &resolved.analysis;
    let records = &analysis.records;
    let rec = records.rec(id);
    let found: Vec<_> = match kind {
        SymbolKind::Class => records.defs_as_made().filter(|def| def.record().is_subclass_of(id)).collect(),
        SymbolKind::Def => {
            let has = |def: &odsmith_engine::record::Rec<'_>| {
                let list = def.get("traits").and_then(|value| value.as_list()).into_iter().flatten();
                let mut traits = list.filter_map(|value| value.as_def());
                // `DeclareOpInterfaceMethods<I>` is another record of the same trait.
                traits.any(|it| {
                    it == rec
                        || it.optional_string("trait").is_some()
                            && it.optional_string("trait") == rec.optional_string("trait")
                })
            };
            records.defs_as_made().filter(has).collect()
        }
        _ => Vec::new(),
    };
    let mut places: Vec<FileRange> = Vec::new();
    for place in found.iter().filter(|def| !def.is_anonymous()).filter_map(|def| analysis.place(def.span())) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

/// Returns every mention of the symbol at an offset, in all roots, including the definition.
#[must_use]
pub fn references(workspace: &Workspace, path: &str, offset: usize) -> Vec<FileRange> {
    if ir::is_ir(path) {
        let found = ir::names::highlights(workspace, path, offset).into_iter();
        return found.map(|range| FileRange { path: path.to_owned(), range }).collect();
    }
    match resolve(workspace, path, offset) {
        Some(resolved) => references_of(workspace, &resolved),
        None => Vec::new(),
    }
}

/// Returns every mention of a symbol.
#[must_use]
pub fn references_of(workspace: &Workspace, resolved: &Resolved) -> Vec<FileRange> {
    let mut found: BTreeSet<(String, usize, usize)> = BTreeSet::new();
    let mut add = |place: FileRange| found.insert((place.path, place.range.start, place.range.end));
    match &resolved.symbol {
        Symbol::File(path) => {
            for (file, _) in workspace.bundle().iter().filter(|(file, _)| file.ends_with(".td")) {
                let Some(names) = workspace.names(file) else { continue };
                let leads = |name: &String| workspace.resolve_include(file, name).as_ref() == Some(path);
                if !names.includes.iter().any(leads) {
                    continue;
                }
                let Some(document) = workspace.document(file) else { continue };
                for name in includes::strings(document.text.as_bytes()) {
                    if leads(&document.inside(name).to_owned()) {
                        add(document.place(name.range()));
                    }
                }
            }
        }
        Symbol::Inner(inner) => names::mentions(workspace, inner).into_iter().for_each(|place| {
            add(place);
        }),
        Symbol::Name(name) => {
            for analysis in analyses_that_may_mention(workspace, resolved, &name.definition) {
                for mention in analysis.mentions().filter(|mention| mention.kind == name.kind) {
                    let is_it =
                        analysis.place(mention.definition).is_some_and(|place| place == name.definition);
                    if is_it && let Some(place) = analysis.place(mention.at) {
                        add(place);
                    }
                }
            }
            add(name.definition.clone());
        }
    }
    found.into_iter().map(|(path, start, end)| FileRange { path, range: start..end }).collect()
}

/// Returns analyses that together cover every file that contains the name.
fn analyses_that_may_mention(
    workspace: &Workspace,
    resolved: &Resolved,
    definition: &FileRange,
) -> Vec<Rc<Analysis>> {
    let mut all = vec![Rc::clone(&resolved.analysis)];
    let Some(document) = workspace.document(&definition.path) else { return all };
    let name = document.text[definition.range.clone()].as_bytes().to_vec();
    let is_left = |path: &str, all: &[Rc<Analysis>]| !all.iter().any(|analysis| analysis.reads(path));
    for (path, bytes) in workspace.bundle().iter().filter(|(path, _)| path.ends_with(".td")) {
        if !is_left(path, &all) || !holds(bytes, &name) {
            continue;
        }
        for root in workspace.roots_of(path) {
            if let Some(analysis) = workspace.analysis(&root)
                && analysis.reads(&definition.path)
            {
                all.push(analysis);
                break;
            }
        }
    }
    all
}

fn holds(bytes: &[u8], name: &[u8]) -> bool {
    !name.is_empty() && bytes.windows(name.len()).any(|window| window == name)
}

/// Returns the mentions of the symbol at an offset in the same file.
#[must_use]
pub fn highlights(workspace: &Workspace, path: &str, offset: usize) -> Vec<Range<usize>> {
    if ir::is_ir(path) {
        return ir::names::highlights(workspace, path, offset);
    }
    let Some(resolved) = resolve(workspace, path, offset) else { return Vec::new() };
    match &resolved.symbol {
        Symbol::File(_) => vec![resolved.range],
        Symbol::Inner(inner) => {
            let all = names::mentions(workspace, inner).into_iter();
            all.filter(|place| place.path == path).map(|place| place.range).collect()
        }
        Symbol::Name(name) => {
            let of_file = resolved.analysis.mentions_in(path);
            let is_it = |mention: &Mention| {
                mention.kind == name.kind
                    && resolved.analysis.place(mention.definition).as_ref() == Some(&name.definition)
            };
            let places = of_file.iter().filter(|(_, mention)| is_it(mention));
            places.filter_map(|(_, mention)| Some(resolved.analysis.place(mention.at)?.range)).collect()
        }
    }
}
