//! An operation: heading, summary, syntax, description, traits, interfaces, effects, and a table each for
//! attributes, operands, results and successors.

use std::collections::BTreeSet;

use super::{Style, sort::sort, text};
use crate::cpp::Writer;
use odsmith_ods::{OpDocGroup, Operation, Trait, TraitKind};

pub(super) fn emit(op: &Operation<'_>, level: usize, style: Style<'_>, w: &mut Writer) {
    let class = op.qualified_cpp_class_name();
    let class = class.strip_prefix(style.strip_prefix).unwrap_or(&class);
    w.text(&format!("\n{} `{}` ({class})\n", &HASHES[..level], op.name()));
    text::emit_summary(op.summary().trim_ascii(), w);
    emit_syntax(op, w);
    match (op.description().trim(), level) {
        ("", _) => {}
        (_, OP_LEVEL) => text::emit_description_as_is(op.description(), w),
        _ => text::emit_deeper_description(op.description(), w),
    }
    emit_traits(op, w);
    emit_attributes(op, level + 1, style, w);
    emit_table("Operand", level + 1, op.operands().iter().map(|it| (it.name, it.constraint.summary())), w);
    emit_table("Result", level + 1, op.results().iter().map(|it| (it.name, it.constraint.summary())), w);
    emit_table(
        "Successor",
        level + 1,
        op.successors().iter().map(|it| (it.name, it.constraint().summary())),
        w,
    );
    w.text("\n");
}

const HASHES: &str = "######";

/// The level of an operation's heading, unless it is in a group.
pub(super) const OP_LEVEL: usize = 3;

/// Writes operations by mnemonic and, between them, groups of operations by summary, whatever the case.
pub(super) fn emit_groups(ops: &[Operation<'_>], style: Style<'_>, w: &mut Writer) {
    let single = ops.iter().filter(|op| op.doc_group().is_none());
    let mut entries: Vec<Entry<'_, '_>> = single.map(|op| Entry { group: None, ops: vec![op] }).collect();
    // Groups of one title are in the order of their names.
    let groups = ops.first().map(|op| op.rec().records().derived("OpDocGroup"));
    for group in groups.into_iter().flatten() {
        let ops: Vec<_> =
            ops.iter().filter(|op| op.doc_group().map(OpDocGroup::rec) == Some(group)).collect();
        if let Some(op) = ops.first() {
            entries.push(Entry { group: op.doc_group(), ops });
        }
    }
    let mut titles: Vec<_> =
        entries.into_iter().map(|entry| (entry.title().to_ascii_lowercase(), entry)).collect();
    if !style.keeps_order {
        sort(&mut titles, |(title, _), (other, _)| title < other);
    }
    for (_, entry) in titles {
        // A group without a title has no heading of its own; its operations stay together.
        let level = match entry.group.filter(|group| !group.summary().is_empty()) {
            Some(group) => {
                w.text(&format!("\n### {}\n", group.summary().trim_ascii()));
                text::emit_deeper_description(group.description(), w);
                w.text("\n");
                OP_LEVEL + 1
            }
            None => OP_LEVEL,
        };
        entry.ops.iter().for_each(|op| emit(op, level, style, w));
        w.text("\n");
    }
}

struct Entry<'a, 'r> {
    group: Option<OpDocGroup<'r>>,
    ops: Vec<&'a Operation<'r>>,
}

impl<'r> Entry<'_, 'r> {
    fn title(&self) -> &'r str {
        let summary = self.group.map(OpDocGroup::summary).filter(|summary| !summary.is_empty());
        summary.or_else(|| Some(self.ops.first()?.mnemonic())).unwrap_or_default()
    }
}

/// Writes the assembly format, its lines below each other.
fn emit_syntax(op: &Operation<'_>, w: &mut Writer) {
    let Some(format) = op.assembly_format() else { return };
    let mut lines = format.lines().map(str::trim).filter(|line| !line.is_empty());
    let Some(first) = lines.next() else { return };
    w.text(&format!("\nSyntax:\n\n```\noperation ::= `{}` {first}\n", op.name()));
    for line in lines {
        w.text("              ");
        w.text(line);
        w.text("\n");
    }
    w.text("```\n");
}

/// Writes three lists, each sorted and without repetitions.
fn emit_traits(op: &Operation<'_>, w: &mut Writer) {
    let mut traits = BTreeSet::new();
    let mut interfaces = BTreeSet::new();
    let mut effects = BTreeSet::new();
    for &t in op.traits() {
        if t.is_side_effects() {
            let interface = t.trait_name();
            let interface = interface.strip_suffix("::Trait").unwrap_or(interface);
            interfaces.insert(format!("`{} ({interface})`", t.display_name()));
            effects.insert(effects_of(t));
            continue;
        }
        let name = format!("`{}`", t.display_name());
        match t.kind() {
            TraitKind::Interface => interfaces.insert(name),
            TraitKind::Native | TraitKind::Internal => traits.insert(name),
            TraitKind::Predicate => continue,
        };
    }
    for (title, names) in [("Traits", traits), ("Interfaces", interfaces), ("Effects", effects)] {
        if !names.is_empty() {
            let names: Vec<String> = names.into_iter().collect();
            w.text(&format!("\n{title}: {}\n", names.join(", ")));
        }
    }
}

/// `` `Base{Effect on Resource, …}` ``.
fn effects_of(t: Trait<'_>) -> String {
    let effects = t.effects();
    let effects =
        effects.iter().map(|effect| format!("{} on {}", unqualified(effect.effect()), effect.resource()));
    format!("`{}{{{}}}`", unqualified(t.base_effect()), effects.collect::<Vec<_>>().join(", "))
}

/// A C++ name without `::` and then `mlir::` in front.
fn unqualified(name: &str) -> &str {
    let name = name.strip_prefix("::").unwrap_or(name);
    name.strip_prefix("mlir::").unwrap_or(name)
}

fn emit_attributes(op: &Operation<'_>, level: usize, style: Style<'_>, w: &mut Writer) {
    if op.attributes().is_empty() {
        return;
    }
    w.text(&format!("\n{} Attributes:\n\n<table>\n", &HASHES[..level]));
    w.text("<tr><th>Attribute</th><th>MLIR Type</th><th>Description</th></tr>\n");
    for named in op.attributes() {
        let attribute = named.attribute;
        let (name, ty, summary) = (named.name, attribute.storage_type(), attribute.summary());
        w.text(&format!("<tr><td><code>{name}</code></td><td>{ty}</td><td>"));
        match attribute.description() {
            description if style.allows_hugo && !description.is_empty() => {
                w.text(&format!("<details><summary>{summary}</summary>"));
                w.text(&format!("{{{{% markdown %}}}}{description}{{{{% /markdown %}}}}</details>"));
            }
            _ => w.text(summary),
        }
        w.text("</td></tr>\n");
    }
    w.text("</table>\n");
}

/// Writes a table of names and descriptions under the plural of `title`; nothing if it would be empty.
fn emit_table<'r>(
    title: &str,
    level: usize,
    rows: impl ExactSizeIterator<Item = (&'r str, &'r str)>,
    w: &mut Writer,
) {
    if rows.len() == 0 {
        return;
    }
    let rule = "-".repeat(title.len() - 2);
    w.text(&format!("\n{} {title}s:\n\n", &HASHES[..level]));
    w.text(&format!("| {title} | Description |\n| :{rule}: | ----------- |\n"));
    for (name, description) in rows {
        match name {
            "" => w.text("| &laquo;unnamed&raquo; |"),
            name => w.text(&format!("| `{name}` |")),
        }
        w.text(&format!(" {description} |\n"));
    }
}
