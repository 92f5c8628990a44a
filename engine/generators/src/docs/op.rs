//! An operation: heading, summary, syntax, description, traits, interfaces, effects, and a table each for
//! attributes, operands, results and successors.

use std::{cell::OnceCell, collections::BTreeSet};

use super::{Style, sort::sort, text};
use crate::cpp::Writer;
use odsmith_ods::{Constraint, OpDocGroup, Operation, Trait, TraitKind};
use odsmith_release::Change;
use odsmith_tablegen::diagnostic::Diagnostic;

/// Checks the fields of an operation that are written, in that order.
pub(super) fn check(op: &Operation<'_>) -> Result<(), Diagnostic> {
    let rules = op.rules();
    op.check_name()?;
    op.definition().check_texts()?;
    if rules.has(Change::DocumentedTraits) {
        op.traits().iter().try_for_each(|one| one.check_name())?;
        op.traits().iter().try_for_each(|one| one.check_documented_effects())?;
    }
    for named in op.attributes() {
        named.attribute.constraint().check_summary()?;
        if rules.has(Change::HtmlAttributeTables) {
            named.attribute.base().constraint().check_description()?;
        }
    }
    op.type_constraints().chain(op.successor_constraints()).try_for_each(Constraint::check_summary)
}

/// Checks the operations of a dialect, which are sorted first.
pub(super) fn check_all(ops: &[&Operation<'_>], style: Style<'_>) -> Result<(), Diagnostic> {
    let unnamed = OnceCell::new();
    let entries = entries_noting(ops, style, |entry| {
        if let Err(error) = entry.check_title() {
            let _ = unnamed.set(error);
        }
    });
    unnamed.into_inner().map_or(Ok(()), Err)?;
    entries.iter().flat_map(|entry| &entry.ops).try_for_each(|op| check(op))
}

pub(super) fn emit(op: &Operation<'_>, level: usize, style: Style<'_>, w: &mut Writer) {
    w.blank();
    emit_heading(op, level, style, w);
    text::emit_summary(op.summary().trim_ascii(), w);
    if let Some(format) = op.assembly_format().filter(|format| !format.trim().is_empty()) {
        emit_syntax(op, format, w);
    }
    match (op.description().trim(), level) {
        ("", _) => {}
        (_, OP_LEVEL) => text::emit_description_as_is(op.description(), w),
        _ => text::emit_deeper_description(op.description(), w),
    }
    emit_traits(op, w);
    emit_attributes(op, level + 1, style, w);
    for (title, rows) in tables(op) {
        emit_table(title, level + 1, &rows, w);
    }
    w.raw("\n");
}

pub(super) const HASHES: &str = "######";

/// The level of an operation's heading, unless it is in a group.
pub(super) const OP_LEVEL: usize = 3;

pub(super) fn emit_heading(op: &Operation<'_>, level: usize, style: Style<'_>, w: &mut Writer) {
    let class = op.qualified_cpp_class_name();
    let shortened = class.strip_prefix(style.strip_prefix).filter(|_| w.rules().has(Change::ItalicSummaries));
    let class = shortened.unwrap_or(&class);
    w.raw(&format!("{} `{}` ({class})\n", &HASHES[..level], op.name()));
}

/// Writes operations and groups of them.
pub(super) fn emit_groups(ops: &[&Operation<'_>], style: Style<'_>, w: &mut Writer) {
    for entry in entries(ops, style) {
        let level = match entry.titled_group() {
            Some(group) => {
                w.raw(&format!("\n### {}\n", group.summary().trim_ascii()));
                text::emit_deeper_description(group.description(), w);
                w.raw("\n");
                OP_LEVEL + 1
            }
            None => OP_LEVEL,
        };
        entry.ops.iter().for_each(|op| emit(op, level, style, w));
        w.raw("\n");
    }
}

/// An entry in the order of a document: an operation, or a group of them.
pub(super) struct Entry<'a, 'r> {
    group: Option<OpDocGroup<'r>>,
    /// The operation, or those of the group.
    pub ops: Vec<&'a Operation<'r>>,
}

impl<'r> Entry<'_, 'r> {
    /// Returns the group if it has a heading. A group without a title only keeps its operations together.
    pub(super) fn titled_group(&self) -> Option<OpDocGroup<'r>> {
        self.group.filter(|group| !group.summary().is_empty())
    }

    fn title(&self) -> &'r str {
        let summary = self.titled_group().map(OpDocGroup::summary);
        summary.or_else(|| Some(self.ops.first()?.mnemonic())).unwrap_or_default()
    }

    /// Checks that the entry has a title.
    fn check_title(&self) -> Result<(), Diagnostic> {
        match (self.titled_group(), self.ops.first()) {
            (None, Some(op)) => op.check_mnemonic(),
            _ => Ok(()),
        }
    }
}

/// Returns operations by mnemonic and, between them, groups of operations by summary, ignoring case.
pub(super) fn entries<'a, 'r>(ops: &[&'a Operation<'r>], style: Style<'_>) -> Vec<Entry<'a, 'r>> {
    entries_noting(ops, style, |_| ())
}

/// Does the same; calls `note` with each entry that is compared.
fn entries_noting<'a, 'r>(
    ops: &[&'a Operation<'r>],
    style: Style<'_>,
    note: impl Fn(&Entry<'a, 'r>),
) -> Vec<Entry<'a, 'r>> {
    let single = ops.iter().copied().filter(|op| op.doc_group().is_none());
    let mut entries: Vec<Entry<'_, '_>> = single.map(|op| Entry { group: None, ops: vec![op] }).collect();
    // Groups of the same title are in the order of their names.
    let groups = ops.first().map(|op| OpDocGroup::all(op.records()));
    for group in groups.into_iter().flatten() {
        let ops: Vec<_> = ops.iter().copied().filter(|op| op.doc_group() == Some(group)).collect();
        if let Some(op) = ops.first() {
            entries.push(Entry { group: op.doc_group(), ops });
        }
    }
    let is_sorted = !style.keeps_order && ops.first().is_none_or(|op| op.rules().has(Change::DocumentGroups));
    let mut titles: Vec<_> =
        entries.into_iter().map(|entry| (entry.title().to_ascii_lowercase(), entry)).collect();
    if is_sorted {
        sort(&mut titles, |(title, entry), (other_title, other)| {
            note(entry);
            note(other);
            title < other_title
        });
    }
    titles.into_iter().map(|(_, entry)| entry).collect()
}

/// Writes an assembly format, its lines below each other.
pub(super) fn emit_syntax(op: &Operation<'_>, format: &str, w: &mut Writer) {
    let mut lines = format.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    w.raw(&format!("\nSyntax:\n\n```\noperation ::= `{}` {first}\n", op.name()));
    for line in lines {
        w.raw("              ");
        w.raw(line);
        w.raw("\n");
    }
    w.raw("```\n");
}

/// Writes the lists of traits, interfaces and effects, each sorted and without repetitions.
pub(super) fn emit_traits(op: &Operation<'_>, w: &mut Writer) {
    let quote = if w.rules().has(Change::QuotedTraits) { "`" } else { "" };
    let mut traits = BTreeSet::new();
    let mut interfaces = BTreeSet::new();
    let mut effects = BTreeSet::new();
    for &t in op.traits() {
        if t.has_documented_effects() {
            let interface = t.trait_name();
            let interface = interface.strip_suffix("::Trait").unwrap_or(interface);
            interfaces.insert(format!("{quote}{} ({interface}){quote}", t.display_name()));
            effects.insert(format!("{quote}{}{quote}", effects_of(t)));
            continue;
        }
        let name = format!("{quote}{}{quote}", t.display_name());
        match t.kind() {
            TraitKind::Interface => interfaces.insert(name),
            TraitKind::Native | TraitKind::Internal => traits.insert(name),
            TraitKind::Predicate => continue,
        };
    }
    for (title, names) in [("Traits", traits), ("Interfaces", interfaces), ("Effects", effects)] {
        if !names.is_empty() {
            let names: Vec<String> = names.into_iter().collect();
            w.raw(&format!("\n{title}: {}\n", names.join(", ")));
        }
    }
}

/// Returns the effects of a trait: `Base{Effect on Resource, …}`.
fn effects_of(t: Trait<'_>) -> String {
    let effects = t.effects();
    let effects =
        effects.iter().map(|effect| format!("{} on {}", unqualified(effect.effect()), effect.resource()));
    format!("{}{{{}}}", unqualified(t.base_effect()), effects.collect::<Vec<_>>().join(", "))
}

/// Removes `::` and then `mlir::` from the front of a C++ name.
fn unqualified(name: &str) -> &str {
    let name = name.strip_prefix("::").unwrap_or(name);
    name.strip_prefix("mlir::").unwrap_or(name)
}

pub(super) fn emit_attributes(op: &Operation<'_>, level: usize, style: Style<'_>, w: &mut Writer) {
    if op.attributes().is_empty() {
        return;
    }
    w.raw(&format!("\n{} Attributes:\n\n<table>\n", &HASHES[..level]));
    w.raw("<tr><th>Attribute</th><th>MLIR Type</th><th>Description</th></tr>\n");
    for named in op.attributes() {
        let attribute = named.attribute;
        let (name, ty, summary) = (named.name, attribute.storage_type(), attribute.summary());
        w.raw(&format!("<tr><td><code>{name}</code></td><td>{ty}</td><td>"));
        match attribute.description() {
            description if style.allows_hugo && !description.is_empty() => {
                w.raw(&format!("<details><summary>{summary}</summary>"));
                w.raw(&format!("{{{{% markdown %}}}}{description}{{{{% /markdown %}}}}</details>"));
            }
            _ => w.raw(summary),
        }
        w.raw("</td></tr>\n");
    }
    w.raw("</table>\n");
}

/// A table's title in the singular, and its rows: names and descriptions.
type Table<'r> = (&'static str, Vec<(&'r str, &'r str)>);

/// Returns the tables of an operation except that of its attributes, including empty ones.
pub(super) fn tables<'r>(op: &Operation<'r>) -> [Table<'r>; 3] {
    let operands = op.operands().iter().map(|it| (it.name, it.constraint.summary()));
    let results = op.results().iter().map(|it| (it.name, it.constraint.summary()));
    let successors = op.successors().iter().map(|it| (it.name, it.constraint().summary()));
    [("Operand", operands.collect()), ("Result", results.collect()), ("Successor", successors.collect())]
}

/// Writes a heading and the first two lines of a table.
pub(super) fn emit_table_head(title: &str, level: usize, w: &mut Writer) {
    let rule = "-".repeat(title.len() - 2);
    w.raw(&format!("\n{} {title}s:\n\n", &HASHES[..level]));
    w.raw(&format!("| {title} | Description |\n| :{rule}: | ----------- |\n"));
}

fn emit_table(title: &str, level: usize, rows: &[(&str, &str)], w: &mut Writer) {
    if rows.is_empty() {
        return;
    }
    emit_table_head(title, level, w);
    for (name, description) in rows {
        match *name {
            "" => w.raw("| &laquo;unnamed&raquo; |"),
            name => w.raw(&format!("| `{name}` |")),
        }
        w.raw(&format!(" {description} |\n"));
    }
}
