//! Documents of releases that have no blank lines around the parts.
//!
//! Headings directly follow the text above, summaries of attributes, types and enums are written unchanged,
//! descriptions end where their text ends, and rows of tables have no last bar.

use super::{
    Document, Style, def, enums,
    op::{self, HASHES, OP_LEVEL},
    text::{deepened, emit_italics, is_table_of_contents},
};
use crate::cpp::Writer;
use odsmith_ods::{AttrOrTypeDef, Constraint, Dialect, EnumInfo, OpDocGroup, Operation};
use odsmith_release::{Change, spellings};

pub(super) fn emit_dialect(document: &Document<'_, '_>, w: &mut Writer) {
    let Document { dialect, parts, enums, style } = document;
    emit_title(*dialect, false, w);
    if !parts.ops.is_empty() {
        emit_heading("Operation", w);
        emit_groups(&parts.ops, *style, w);
    }
    emit_constraints("Attribute constraint", &parts.attr_constraints, w);
    emit_defs("Attribute", &parts.attrs, w);
    emit_constraints("Type constraint", &parts.type_constraints, w);
    emit_defs("Type", &parts.types, w);
    if !enums.is_empty() {
        emit_heading("Enum", w);
        enums.iter().for_each(|info| emit_enum(info, w));
    }
}

/// Writes the start of a document. In releases where authors cannot place the table of contents, there always is one.
pub(super) fn emit_title(dialect: Dialect<'_>, has_contents: bool, w: &mut Writer) {
    w.raw(&format!("# '{}' Dialect\n\n", dialect.name()));
    if !dialect.summary().is_empty() {
        emit_as_written(dialect.summary(), w);
        w.blank();
    }
    if !dialect.description().is_empty() {
        emit_as_written(dialect.description(), w);
        w.blank();
    }
    if has_contents || !dialect.description().split('\n').any(is_table_of_contents) {
        w.raw("[TOC]\n\n");
    }
}

pub(super) fn emit_heading(what: &str, w: &mut Writer) {
    let ending = if w.rules().has(Change::PluralHeadings) { "s" } else { " definition" };
    w.raw(&format!("## {what}{ending}\n\n"));
}

fn emit_constraints(what: &str, constraints: &[Constraint<'_>], w: &mut Writer) {
    if constraints.is_empty() {
        return;
    }
    emit_heading(what, w);
    for constraint in constraints {
        w.raw(&format!("### {}\n\n", constraint.summary()));
        emit_as_written(constraint.description(), w);
        w.raw("\n\n");
    }
}

pub(super) fn emit_defs(what: &str, defs: &[&AttrOrTypeDef<'_>], w: &mut Writer) {
    if defs.is_empty() {
        return;
    }
    emit_heading(what, w);
    defs.iter().for_each(|def| emit_def(def, w));
}

/// Writes an attribute or type; an empty summary or description leaves its lines.
pub(super) fn emit_def(def: &AttrOrTypeDef<'_>, w: &mut Writer) {
    w.raw(&format!("### {}\n", def.cpp_class_name()));
    if def.has_summary() {
        w.raw(&format!("\n{}\n", def.summary()));
    }
    def::emit_syntax(def, w);
    if def.has_description() {
        w.blank();
        emit_as_written(def.description(), w);
    }
    def::emit_parameters(def, w);
    w.blank();
}

pub(super) fn emit_enum(info: &EnumInfo<'_>, w: &mut Writer) {
    writeln!(w, "### {}", info.class_name);
    if !info.summary.is_empty() {
        writeln!(w, "\n{}", info.summary);
    }
    enums::emit_cases(info, w);
    w.blank();
}

/// Writes operations and groups of them, in the order of newer releases.
pub(super) fn emit_groups(ops: &[&Operation<'_>], style: Style<'_>, w: &mut Writer) {
    for entry in op::entries(ops, style) {
        let level = match entry.titled_group() {
            Some(group) => {
                emit_group_heading(group, w);
                OP_LEVEL + 1
            }
            None => OP_LEVEL,
        };
        entry.ops.iter().for_each(|op| emit_op(op, level, style, w));
        if w.rules().has(Change::DocumentGroups) {
            w.blank();
        }
    }
}

fn emit_group_heading(group: OpDocGroup<'_>, w: &mut Writer) {
    w.raw(&format!("### {}\n\n", group.summary().trim_ascii()));
    deepened(w, |w| emit_as_written(group.description(), w));
    w.raw("\n\n");
}

/// Writes an operation; the description directly follows its heading.
pub(super) fn emit_op(op: &Operation<'_>, level: usize, style: Style<'_>, w: &mut Writer) {
    op::emit_heading(op, level, style, w);
    emit_summary(op.summary(), w);
    // An empty format is written too.
    if let Some(format) = op.assembly_format() {
        op::emit_syntax(op, format, w);
        w.blank();
    }
    match level {
        OP_LEVEL => emit_as_written(op.description(), w),
        _ => deepened(w, |w| emit_as_written(op.description(), w)),
    }
    if w.rules().has(Change::DocumentedTraits) {
        op::emit_traits(op, w);
    }
    if w.rules().has(Change::HtmlAttributeTables) {
        op::emit_attributes(op, level + 1, style, w);
    } else {
        emit_attributes(op, level + 1, w);
    }
    for (title, rows) in op::tables(op) {
        emit_table(title, level + 1, &rows, w);
    }
    w.blank();
}

/// Writes a summary in italics with a capital, and a blank line after it; nothing for an empty one. Releases before
/// italics write every summary unchanged.
pub(crate) fn emit_summary(summary: &str, w: &mut Writer) {
    if !w.rules().has(Change::ItalicSummaries) {
        return writeln!(w, "\n{summary}\n");
    }
    if summary.is_empty() {
        return;
    }
    let summary = if w.rules().has(Change::TrimmedSummaries) { summary.trim_ascii() } else { summary };
    emit_italics(summary, w);
    w.blank();
}

/// Writes a description at the margin. Its last line is ended only if the text ends it.
pub(crate) fn emit_as_written(description: &str, w: &mut Writer) {
    let start = w.position();
    match w.rules().has(Change::SharedIndentation) {
        true => w.reindented("", description),
        false => emit_cut(description, w),
    }
    let lines = w.cut(start);
    let is_ended = description.trim_end_matches([' ', '\t']).ends_with('\n');
    w.raw(lines.strip_suffix('\n').filter(|_| !is_ended).unwrap_or(&lines));
}

/// Writes lines without as many characters as the first one is indented by, whatever they are.
fn emit_cut(text: &str, w: &mut Writer) {
    let text = text.trim_end_matches([' ', '\t']);
    let mut lines =
        text.split_terminator('\n').skip_while(|line| line.trim_matches([' ', '\t']).is_empty()).peekable();
    let indent = lines.peek().map_or(0, |line| line.len() - line.trim_start_matches([' ', '\t']).len());
    while let Some(line) = lines.next() {
        let is_open = lines.peek().is_none() && !text.ends_with('\n');
        // A cut inside a character removes all of it.
        let from = (indent..line.len()).find(|at| line.is_char_boundary(*at)).unwrap_or(line.len());
        match &line[from.min(line.len())..] {
            rest if !is_open && rest.trim().is_empty() => w.blank(),
            rest => w.line(rest),
        }
    }
}

fn emit_attributes(op: &Operation<'_>, level: usize, w: &mut Writer) {
    if op.attributes().is_empty() {
        return;
    }
    w.raw(&format!("\n{} Attributes:\n\n", &HASHES[..level]));
    w.raw("| Attribute | MLIR Type | Description |\n| :-------: | :-------: | ----------- |\n");
    for named in op.attributes() {
        let attribute = named.attribute;
        let start = spellings::row_start.of(w.rules());
        writeln!(w, "{start}`{}` | {} | {}", named.name, attribute.storage_type(), attribute.summary());
    }
}

fn emit_table(title: &str, level: usize, rows: &[(&str, &str)], w: &mut Writer) {
    if rows.is_empty() {
        return;
    }
    op::emit_table_head(title, level, w);
    for (name, description) in rows {
        match *name {
            "" => writeln!(w, "&laquo;unnamed&raquo; | {description}"),
            name => writeln!(w, "{}`{name}` | {description}", spellings::row_start.of(w.rules())),
        }
    }
}
