//! The pages of named constraints: the rule in words, the condition as a tree, and the definitions that demand it.

use std::fmt::Write as _;

use std::collections::{BTreeMap, HashMap};

use odsmith_engine::{
    ods::{self, Constraint, predicate::Node},
    parallel,
    record::{Rec, RecordId},
};

use super::{
    headings::Headings,
    kind::{Kind, Searched, Subject, text},
    {Atlas, Body, Page, harvest::comment, page, source, traits::Users},
};
use crate::{
    Note,
    commonmark::{code, line as escape},
    flavor::Writer,
    memo::root_id,
    search,
    text::{dedent, first_sentence},
    view::{ConstraintPage, Fact, Group, Link, Predicate, SCHEMA, Witnesses},
    witness::Witness,
};

/// The nesting limit for conditions that are shown in full.
const DEEPEST: usize = 24;

/// The pages of all named constraints.
pub(super) fn pages(atlas: &mut Atlas<'_>, uses: &Users, threads: usize, pages: &mut Vec<Page>) {
    let all: Vec<&(Constraint<'_>, String)> = atlas.constraints.values().collect();
    let owners = Owners::new(all.iter().map(|(constraint, _)| constraint.rec()));
    let made = parallel::map(threads, &all, |(constraint, href)| {
        let mut notes = Vec::new();
        let view = ConstraintPage {
            users: uses.by_dialect(href),
            ..view(atlas, &owners, *constraint, href, &mut notes)
        };
        let summary = view.summary.clone().unwrap_or_default();
        let link = Link { text: constraint.rec().name().to_owned(), href: Some(href.clone()) };
        (link, summary, view, notes)
    });
    let mut part_of: BTreeMap<String, Vec<Link>> = BTreeMap::new();
    for (link, _, view, _) in &made {
        let mut inside: Vec<&str> = view.parts.iter().filter_map(|part| part.href.as_deref()).collect();
        view.predicate.iter().for_each(|predicate| named(predicate, &mut inside));
        inside.sort_unstable();
        inside.dedup();
        for href in inside.into_iter().filter(|href| Some(*href) != link.href.as_deref()) {
            part_of.entry(href.to_owned()).or_default().push(link.clone());
        }
    }
    let made: Vec<(Page, Vec<Note>)> = made
        .into_iter()
        .map(|(link, summary, view, notes)| {
            let href = link.href.unwrap_or_default();
            let view = ConstraintPage { part_of: part_of.remove(&href).unwrap_or_default(), ..view };
            let body = Body::Constraint(Box::new(view));
            (page(atlas, &href, &link.text, &summary, vec![], body), notes)
        })
        .collect();
    let dialect = atlas.index.dialect("");
    for (page, notes) in made {
        atlas.index.push(search::Row {
            kind: "constraint",
            dialect,
            name: page.frame.title.clone(),
            href: page.frame.path.clone(),
            summary: page.frame.description.clone(),
            ..search::Row::default()
        });
        atlas.notes.extend(notes);
        pages.push(page);
    }
}

fn view<'r>(
    atlas: &Atlas<'r>,
    owners: &Owners<'r>,
    constraint: Constraint<'r>,
    href: &str,
    notes: &mut Vec<Note>,
) -> ConstraintPage {
    let rec = constraint.rec();
    let kind_title = match constraint.kind() {
        ods::ConstraintKind::Type => "Type constraint",
        ods::ConstraintKind::Attribute => "Attribute constraint",
        ods::ConstraintKind::Property => "Property constraint",
        ods::ConstraintKind::Region => "Region constraint",
        ods::ConstraintKind::Successor => "Successor constraint",
        ods::ConstraintKind::Other => "Constraint",
    };
    // Only the constraint's own description counts, not that of a constraint that it wraps.
    let description = atlas.prose(rec, href, notes);
    ConstraintPage {
        schema: SCHEMA,
        kind: "constraint",
        kind_title,
        name: rec.name().to_owned(),
        summary: Some(constraint.summary().trim()).filter(|text| !text.is_empty()).map(str::to_owned),
        description,
        predicate: constraint.predicate_rec().map(|predicate| tree(atlas, owners, constraint, predicate, 0)),
        witnesses: witnesses(atlas, constraint),
        facts: facts(constraint),
        parts: parts_of(atlas, constraint),
        source: source::source(atlas, rec),
        ..ConstraintPage::default()
    }
}

/// Collects the pages of the constraints in a condition.
fn named<'p>(predicate: &'p Predicate, found: &mut Vec<&'p str>) {
    found.extend(predicate.name.iter().filter_map(|name| name.href.as_deref()));
    predicate.children.iter().for_each(|child| named(child, found));
}

/// Groups types or attributes by the answer of the judge: accepted, rejected, unknown.
fn witnesses(atlas: &Atlas<'_>, constraint: Constraint<'_>) -> Vec<Witnesses> {
    if constraint.predicate().is_none() {
        return Vec::new();
    }
    let judge = atlas.synthesiser.judge();
    let judged: Vec<(String, Witness)> = match constraint.kind() {
        ods::ConstraintKind::Type => {
            judge.witnesses(constraint).iter().map(|(ty, answer)| (ty.to_string(), *answer)).collect()
        }
        ods::ConstraintKind::Attribute => {
            let all = judge.attributes(&constraint.condition());
            all.iter().map(|(attr, answer)| (attr.text.clone(), *answer)).collect()
        }
        ods::ConstraintKind::Property
        | ods::ConstraintKind::Region
        | ods::ConstraintKind::Successor
        | ods::ConstraintKind::Other => Vec::new(),
    };
    let groups = [
        (Witness::Yes, "yes", "Accepted"),
        (Witness::No, "no", "Not accepted"),
        (Witness::Unknown, "unknown", "Not known"),
    ];
    let of = |wanted: Witness| {
        let mut items: Vec<String> = Vec::new();
        for (text, _) in judged.iter().filter(|(_, answer)| *answer == wanted) {
            if !items.contains(text) {
                items.push(text.clone());
            }
        }
        items
    };
    let groups =
        groups.into_iter().map(|(wanted, answer, title)| Witnesses { answer, title, items: of(wanted) });
    groups.filter(|group| !group.items.is_empty()).collect()
}

fn facts(constraint: Constraint<'_>) -> Vec<Fact> {
    let cpp = constraint.cpp();
    let all = [
        ("C++ type", cpp.cpp_type.as_deref()),
        ("Stored as", cpp.storage_type),
        ("Read as", cpp.return_type),
        ("Handled as", cpp.interface_type),
        ("Default", cpp.default_value),
        ("Built by", cpp.builder_call),
        ("Built by", cpp.const_builder_call),
        ("Checked by", constraint.cpp_function_name()),
    ];
    let mut facts: Vec<Fact> = Vec::new();
    for (label, text) in all {
        let text = text.map(str::trim).filter(|text| !text.is_empty());
        let is_new = |text: &&str| facts.iter().all(|fact| fact.code.as_deref() != Some(*text));
        if let Some(text) = text.filter(is_new) {
            facts.push(Fact { label: label.to_owned(), code: Some(dedent(text)), ..Fact::default() });
        }
    }
    facts
}

/// Collects the named constraints directly inside one; anonymous ones are searched in turn.
fn inner<'r>(constraint: Constraint<'r>, found: &mut Vec<Constraint<'r>>) {
    for part in constraint.parts() {
        if part.rec().is_anonymous() && found.len() < 64 {
            inner(part, found);
        } else if !found.contains(&part) {
            found.push(part);
        }
    }
}

fn parts_of(atlas: &Atlas<'_>, constraint: Constraint<'_>) -> Vec<Link> {
    let mut found = Vec::new();
    inner(constraint, &mut found);
    found.into_iter().filter_map(|part| atlas.constraint_link(part)).collect()
}

/// The named constraint that consists of a given condition, unless several do. Each root has records of its own.
#[derive(Debug, Default)]
struct Owners<'r> {
    of: HashMap<usize, HashMap<RecordId, Option<Constraint<'r>>>>,
}

impl<'r> Owners<'r> {
    /// Collects the constraints in the roots of `all`.
    fn new(all: impl Iterator<Item = Rec<'r>>) -> Self {
        let mut of = HashMap::new();
        for rec in all {
            of.entry(root_id(rec)).or_insert_with(|| {
                let mut owners: HashMap<RecordId, Option<Constraint<'r>>> = HashMap::new();
                let named = rec.records().derived("Constraint").filter(|rec| !rec.is_anonymous());
                for constraint in named.map(Constraint::new) {
                    if let Some(own) = constraint.predicate_rec() {
                        owners.entry(own.id()).and_modify(|owner| *owner = None).or_insert(Some(constraint));
                    }
                }
                owners
            });
        }
        Owners { of }
    }

    fn of(&self, predicate: Rec<'r>) -> Option<Constraint<'r>> {
        let owners = self.of.get(&root_id(predicate))?;
        owners.get(&predicate.id()).copied().flatten()
    }
}

/// The tree of a condition that belongs to `owner`. Another constraint with a page is linked, not expanded.
fn tree<'r>(
    atlas: &Atlas<'r>,
    owners: &Owners<'r>,
    owner: Constraint<'r>,
    predicate: Rec<'r>,
    depth: usize,
) -> Predicate {
    let part = owners.of(predicate).filter(|part| depth > 0 && *part != owner);
    if let Some((part, link)) = part.and_then(|part| Some((part, atlas.constraint_link(part)?))) {
        let label = part.summary().trim().to_owned();
        return Predicate { kind: "constraint", label, name: Some(link), ..Predicate::default() };
    }
    let name = (!predicate.is_anonymous()).then(|| Link { text: predicate.name().to_owned(), href: None });
    let (node, children) = Node::new(predicate).unwrap_or((Node::Leaf(""), Vec::new()));
    let (kind, label, code) = match node {
        Node::Leaf(code) => {
            // TableGen adds the parentheses.
            let code = code.strip_prefix('(').and_then(|code| code.strip_suffix(')')).unwrap_or(code);
            let label = comment(predicate).map(|text| first_sentence(&text)).unwrap_or_default();
            ("code", label, Some(code.trim().to_owned()))
        }
        Node::And => ("all", "all of".to_owned(), None),
        Node::Or => ("any", "any of".to_owned(), None),
        Node::Not => ("not", "not".to_owned(), None),
        Node::Concat(before, after) => ("around", "inside".to_owned(), Some(format!("{before}…{after}"))),
        Node::SubstLeaves(pattern, by) => ("where", "for".to_owned(), Some(format!("{pattern} = {by}"))),
    };
    let children = children.into_iter().filter(|_| depth < DEEPEST);
    let children = children.map(|child| tree(atlas, owners, owner, child, depth + 1)).collect();
    Predicate { kind, label, name, code, children }
}

impl Kind for ConstraintPage {
    fn headings(&self, list: &mut Headings) {
        list.add("description", "Description", self.description.is_some());
        list.add("condition", "Condition", self.predicate.is_some());
        list.add("witnesses", "Examples", !self.witnesses.is_empty());
        list.add("cpp", "C++", !self.facts.is_empty());
        list.add("parts", "Built from", !self.parts.is_empty());
        list.add("part-of", "Part of", !self.part_of.is_empty());
        list.users(&self.users);
        list.add("source", "Source", self.source.is_some());
    }

    fn markdown(&self, out: &mut Writer<'_>) {
        out.lead(self.summary.as_deref(), &[]);
        out.paragraph(self.kind_title);
        out.section("description", |out| out.prose(self.description.as_ref()));
        out.section("condition", |out| {
            self.predicate.iter().for_each(|predicate| write_tree(out, predicate, 0));
            out.text.push('\n');
        });
        out.section("witnesses", |out| {
            for group in &self.witnesses {
                let items: Vec<String> = group.items.iter().map(|item| code(item)).collect();
                out.paragraph(&format!("{}: {}", group.title, items.join(", ")));
            }
        });
        out.section("cpp", |out| out.facts(&self.facts));
        for (id, links) in [("parts", &self.parts), ("part-of", &self.part_of)] {
            out.section(id, |out| {
                let links = out.links(links);
                out.paragraph(&links);
            });
        }
        out.groups(&self.users);
        out.source(self.source.as_ref());
    }

    fn subject(&self) -> Option<Subject<'_>> {
        Some(Subject { kind: self.kind, name: &self.name, dialect: "" })
    }

    fn searched(&self) -> Searched<'_> {
        Searched { text: text(self.description.as_ref()), ..Searched::default() }
    }

    fn used_by(&mut self) -> Option<&mut Vec<Group>> {
        Some(&mut self.users)
    }
}

fn write_tree(out: &mut Writer<'_>, node: &Predicate, depth: usize) {
    let mut parts: Vec<String> = node.name.iter().map(|name| out.link(name)).collect();
    if !node.label.is_empty() {
        parts.push(escape(&node.label).into_owned());
    }
    parts.extend(node.code.as_deref().map(code));
    let _ = writeln!(out.text, "{}- {}", "  ".repeat(depth), parts.join(" "));
    for child in &node.children {
        write_tree(out, child, depth + 1);
    }
}
