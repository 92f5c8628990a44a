//! Changes in MLIR's definitions that a project names.

use std::collections::{BTreeMap, BTreeSet};

use odsmith_interchange::{Definition, Document};
use serde::Serialize;

use super::library::{ClassChange, LibraryPair};
use crate::diff::{
    Change, Comparison,
    rules::{Severity, Verdict},
};

/// The most findings listed for one definition.
const MOST_FINDINGS: usize = 12;

/// The mentions of other projects' definitions.
#[derive(Clone, Debug, Default)]
pub struct Mentions {
    /// Words of the project's `.td` files, with counts.
    pub td: BTreeMap<String, usize>,
    /// Words of its C++ files, with counts.
    pub cpp: BTreeMap<String, usize>,
    /// Operations of its programs, with the number of files.
    pub operations: BTreeMap<String, usize>,
}

/// A definition of MLIR that the project names, and its changes.
#[derive(Clone, Debug, Serialize)]
pub struct UpstreamChange {
    /// The symbol, by its id.
    pub symbol: String,
    /// The record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    /// The number of mentions in `.td` files.
    pub in_td: usize,
    /// The number of mentions in C++.
    pub in_cpp: usize,
    /// The number of programs that use it.
    pub in_programs: usize,
    /// The changes, the worst first.
    pub findings: Vec<Change>,
    /// The number of findings that are not listed.
    pub more: usize,
}

/// The changes in MLIR.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Upstream {
    /// Definitions that the project names and that changed, the worst first.
    pub changed: Vec<UpstreamChange>,
    /// The number of named definitions that did not change.
    pub unchanged: usize,
    /// Named classes whose arguments or fields changed.
    pub classes: Vec<ClassChange>,
    /// The number of findings about other definitions, by severity.
    pub folded: BTreeMap<&'static str, usize>,
}

/// Returns the changes in definitions that the project names, among the findings of comparing the two libraries.
#[must_use]
pub fn changes(
    comparison: &Comparison,
    documents: [&Document; 2],
    libraries: LibraryPair<'_>,
    mentions: &Mentions,
) -> Upstream {
    let mut symbols: BTreeMap<String, UpstreamChange> = BTreeMap::new();
    for document in documents {
        for (id, definition, cpp) in symbols_of(document) {
            let of =
                |words: &BTreeMap<String, usize>, word: &str| words.get(word).copied().unwrap_or_default();
            let in_td = definition.record.as_ref().map_or(0, |record| of(&mentions.td, record));
            let (in_cpp, in_programs) = (of(&mentions.cpp, cpp), of(&mentions.operations, &id));
            if in_td + in_cpp + in_programs > 0 {
                symbols.entry(id.clone()).or_insert(UpstreamChange {
                    symbol: id,
                    record: definition.record.clone(),
                    in_td,
                    in_cpp,
                    in_programs,
                    findings: Vec::new(),
                    more: 0,
                });
            }
        }
    }
    let mut upstream = Upstream::default();
    for finding in &comparison.findings {
        let symbol = finding.subject.split_once('#').map_or(&*finding.subject, |(symbol, _)| symbol);
        // An attribute's own id contains the sign as well.
        let known = if symbols.contains_key(&finding.subject) { &*finding.subject } else { symbol };
        match symbols.get_mut(known) {
            Some(change) if change.findings.len() < MOST_FINDINGS => change.findings.push(finding.clone()),
            Some(change) => change.more += 1,
            None => *upstream.folded.entry(finding.severity.name()).or_default() += 1,
        }
    }
    let total = symbols.len();
    upstream.changed = symbols.into_values().filter(|change| !change.findings.is_empty()).collect();
    upstream.unchanged = total - upstream.changed.len();
    upstream.changed.sort_by(|a, b| (worst(a), &a.symbol).cmp(&(worst(b), &b.symbol)));
    let named: BTreeSet<&String> = mentions.td.keys().collect();
    upstream.classes = named.into_iter().filter_map(|name| libraries.class_change(name)).collect();
    upstream
}

fn worst(change: &UpstreamChange) -> (Verdict, Severity) {
    let all = change.findings.iter().map(|finding| (finding.verdict, finding.severity));
    all.min().unwrap_or((Verdict::Safe, Severity::Note))
}

/// Returns the symbols of a document: id, definition, C++ class.
fn symbols_of(document: &Document) -> impl Iterator<Item = (String, &Definition, &str)> {
    let operations = document.operations.iter().map(|it| (it.id(), &it.definition, &*it.cpp_class));
    let types = document.types.iter().map(|it| (it.type_id(), &it.definition, &*it.cpp_class));
    let attributes = document.attributes.iter().map(|it| (it.attribute_id(), &it.definition, &*it.cpp_class));
    let interfaces = document.interfaces.iter().map(|it| (it.id(), &it.definition, &*it.cpp_class));
    let enums = document.enums.iter().map(|it| (it.id(), &it.definition, &*it.cpp_class));
    let passes = document.passes.iter().map(|it| (it.id(), &it.definition, &*it.base_class));
    let dialects = document.dialects.iter().map(|it| (it.id(), &it.definition, &*it.cpp_class));
    operations.chain(types).chain(attributes).chain(interfaces).chain(enums).chain(passes).chain(dialects)
}
