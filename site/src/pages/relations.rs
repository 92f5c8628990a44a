//! Relations between operations: by class, by the types of operands and results, by nesting, and by the patterns that
//! turn one into another.

use std::collections::{BTreeMap, BTreeSet};

use odsmith_engine::{
    ods::{Definition, DefinitionKind, Operation, PartKind},
    record::Rec,
};

use rustc_hash::FxHashSet;

use super::{
    Atlas,
    atlas::{Entity, Section, full_row},
    parts, patterns, source,
};
use crate::view::{Group, Link, Row};

/// The limit for operations of a class, beyond which the class relates too many.
const MOST_OF_A_CLASS: usize = 12;
/// The limit for operations related by a type; the type's own page lists all of them.
const MOST_OF_A_TYPE: usize = 12;

/// The relations between all operations.
#[derive(Debug, Default)]
pub(super) struct Relations {
    /// Page of a type → operations with a result of that type.
    producers: BTreeMap<String, Vec<Row>>,
    /// Page of a type → operations with an operand of that type.
    consumers: BTreeMap<String, Vec<Row>>,
    /// Page of an operation → operations that appear directly inside it.
    children: BTreeMap<String, Vec<Row>>,
    /// Page of an operation → operations that terminate its regions.
    terminated: BTreeMap<String, Vec<Row>>,
    /// Page of an operation → patterns that have it as their root or create it.
    patterns: BTreeMap<String, Vec<Link>>,
    /// Page of an operation → passes whose texts name it.
    passes: BTreeMap<String, Vec<Row>>,
    /// Dialect and class → the number of its operations, and the first of them.
    classes: BTreeMap<(String, String), (usize, Vec<Row>)>,
}

impl Relations {
    /// Collects the relations of all operations and patterns.
    pub(super) fn new(atlas: &Atlas<'_>) -> Self {
        let mut found = Relations::default();
        for section in &atlas.sections {
            for entity in &section.ops {
                let row = full_row(section, entity);
                for class in op_classes(entity) {
                    let key = (section.name.clone(), class.name().to_owned());
                    let (count, rows) = found.classes.entry(key).or_default();
                    *count += 1;
                    // One more than the limit, because the list of an operation leaves itself out.
                    if rows.len() <= MOST_OF_A_CLASS {
                        rows.push(row.clone());
                    }
                }
                for (of, list) in [(Flow::In, &mut found.consumers), (Flow::Out, &mut found.producers)] {
                    for href in types(atlas, entity, of) {
                        list.entry(href).or_default().push(row.clone());
                    }
                }
                let parents = parameters(entity, "HasParent");
                let ends = parameters(entity, "SingleBlockImplicitTerminator");
                for (classes, list) in [(parents, &mut found.children), (ends, &mut found.terminated)] {
                    for class in classes {
                        if let Some(href) = atlas.op_link(class, &section.namespace).href {
                            list.entry(href).or_default().push(row.clone());
                        }
                    }
                }
            }
            for entity in &section.passes {
                let row = full_row(section, entity);
                let definition = Definition::new(entity.rec);
                let text = format!("{}\n{}", definition.summary(), definition.description());
                for href in named(atlas, &text) {
                    found.passes.entry(href).or_default().push(row.clone());
                }
            }
            for (id, pattern) in patterns::ids(section) {
                let link = Link {
                    text: patterns::name(atlas, pattern),
                    href: Some(format!("{}#{id}", section.patterns_href())),
                };
                for href in patterns::mentioned(atlas, pattern) {
                    let links = found.patterns.entry(href).or_default();
                    if links.last().is_none_or(|last| last.href != link.href) {
                        links.push(link.clone());
                    }
                }
            }
        }
        found
    }

    /// The patterns that have an operation as their root or create it.
    pub(super) fn patterns_of(&self, href: &str) -> Vec<Link> {
        self.patterns.get(href).cloned().unwrap_or_default()
    }
}

/// The pages of the operations that a text names, each once.
fn named(atlas: &Atlas<'_>, text: &str) -> BTreeSet<String> {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let names =
        text.split(|c| !is_name(c)).map(|name| name.trim_matches('.')).filter(|name| name.contains('.'));
    names.filter_map(|name| atlas.registry.ir.get(name)).cloned().collect()
}

/// The inputs or the outputs of an operation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    In,
    Out,
}

/// The pages of types in an operation's inputs or outputs, each once.
fn types(atlas: &Atlas<'_>, entity: &Entity<'_>, flow: Flow) -> Vec<String> {
    let mut hrefs = Vec::new();
    for part in entity.op.iter().flat_map(Operation::parts) {
        let own = match part.kind {
            PartKind::Operand | PartKind::Attribute | PartKind::Property => Some(Flow::In),
            PartKind::Result => Some(Flow::Out),
            PartKind::DerivedAttribute | PartKind::Region | PartKind::Successor => None,
        };
        if own == Some(flow) {
            hrefs.extend_from_slice(&parts::ConstraintPages::of(atlas, part.constraint).types);
            if matches!(part.kind, PartKind::Operand | PartKind::Result) {
                hrefs.extend_from_slice(&parts::AcceptedTypes::of(atlas, part.constraint).near);
            }
        }
    }
    hrefs.sort();
    hrefs.dedup();
    hrefs
}

/// The parameters of a trait: `ForOp` and `ParallelOp` of `HasParent<ForOp, ParallelOp>`.
fn parameters<'r>(entity: &Entity<'r>, name: &str) -> Vec<&'r str> {
    let traits = entity.op.iter().flat_map(Operation::traits);
    traits.filter_map(|t| t.parameters(name)).flatten().collect()
}

/// The related operations, grouped by relation.
pub(super) fn groups<'r>(
    atlas: &Atlas<'r>,
    section: &Section<'r>,
    entity: &Entity<'r>,
    relations: &Relations,
) -> Vec<Group> {
    let mut groups = Vec::new();
    let mut add = |id: &str, title: String, rows: Vec<Row>| {
        if !rows.is_empty() {
            groups.push(Group::new(id, &title, None, rows));
        }
    };
    let parents = parameters(entity, "HasParent").into_iter();
    let parents = parents.map(|class| atlas.op_link(class, &section.namespace));
    add(
        "related-parents",
        "Is inside of".to_owned(),
        parents.filter_map(|link| row_of(atlas, &link)).collect(),
    );
    let known = |list: &BTreeMap<String, Vec<Row>>| list.get(&entity.href).cloned().unwrap_or_default();
    add("related-children", "Are inside of it".to_owned(), known(&relations.children));
    add("related-ends", "Ends the regions of".to_owned(), known(&relations.terminated));
    let dotted = format!("{}.", section.name);
    let through = |flow: Flow, list: &BTreeMap<String, Vec<Row>>| -> Vec<Row> {
        let hrefs = types(atlas, entity, flow);
        let others = hrefs.iter().filter_map(|href| list.get(href)).flatten();
        let mut seen = FxHashSet::default();
        let mut rows: Vec<&Row> =
            others.filter(|row| row.href != entity.href && seen.insert(row.href.as_str())).collect();
        // Operations of the same dialect come first.
        rows.sort_by_key(|row| row.prefix != dotted);
        rows.into_iter().take(MOST_OF_A_TYPE).cloned().collect()
    };
    add("related-producers", "Produce what it takes".to_owned(), through(Flow::In, &relations.producers));
    add("related-consumers", "Take what it produces".to_owned(), through(Flow::Out, &relations.consumers));
    add("related-passes", "Passes that name it".to_owned(), known(&relations.passes));
    if let Some((class, rows)) = of_the_same_class(section, entity, relations) {
        add("related-class", format!("Also of class {class}"), rows);
    }
    groups
}

fn row_of(atlas: &Atlas<'_>, link: &Link) -> Option<Row> {
    let href = link.href.as_ref()?;
    let all = atlas.sections.iter().flat_map(|section| section.ops.iter().map(move |op| (section, op)));
    let mut found = all.filter(|(_, op)| op.href == *href).map(|(section, op)| full_row(section, op));
    found.next()
}

/// The operation classes of an operation, nearest first; `Results<…>` and the like relate nothing.
fn op_classes<'r>(entity: &Entity<'r>) -> impl Iterator<Item = Rec<'r>> {
    source::classes(entity.rec).filter(|class| Definition::new(*class).kind() == DefinitionKind::Operation)
}

/// Other operations of the nearest class that has any.
fn of_the_same_class<'r>(
    section: &Section<'_>,
    entity: &Entity<'r>,
    relations: &Relations,
) -> Option<(&'r str, Vec<Row>)> {
    for class in op_classes(entity) {
        let key = (section.name.clone(), class.name().to_owned());
        let Some((count, rows)) = relations.classes.get(&key).filter(|(count, _)| *count > 1) else {
            continue;
        };
        if count - 1 > MOST_OF_A_CLASS || *count == section.ops.len() {
            return None;
        }
        let others = rows.iter().filter(|row| row.href != entity.href);
        return Some((class.name(), others.cloned().collect()));
    }
    None
}
