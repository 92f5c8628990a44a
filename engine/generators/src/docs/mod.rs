//! `gen-op-doc`, `gen-dialect-doc`, `gen-attrdef-doc`, `gen-typedef-doc`, `gen-enum-doc`: Markdown.
//!
//! A dialect's page, in this order: heading, summary, description, `[TOC]`; operations, attribute constraints,
//! attributes, type constraints, types, enums, each part only if there is something in it. The other
//! generators write one of these parts alone.
//!
//! [`op`] writes an operation, [`def`] an attribute or type with parameters, [`text`] the users' text; [`mod@sort`]
//! orders operations. [`compact`] and [`all_dialects`] write the documents of older releases.

mod all_dialects;
mod compact;
mod def;
mod enums;
mod op;
mod sort;
mod text;

pub(super) use compact::{emit_as_written as emit_compact_description, emit_summary as emit_compact_summary};
pub(super) use text::{emit_description_as_is, emit_summary};

use self::{enums::emit as emit_enum_doc, text::is_table_of_contents};
use super::{Cx, Generator, OptionSpec, op_filter::requested_records};
use crate::cpp::Writer;
use odsmith_ods::{
    AttrOrTypeDef, Constraint, DefKind, Definition, Dialect, EnumInfo, OpDocGroup, Operation,
    enums::DOCUMENTED,
};
use odsmith_release::{Change, fields};
use odsmith_tablegen::{diagnostic::Diagnostic, record::Rec, span::Span};

pub(super) const ATTRDEF_DOC: Generator = Generator {
    name: "gen-attrdef-doc",
    about: "Generate dialect attribute documentation",
    run: |cx, w| {
        if is_of_one_dialect(cx) {
            let check = |document: &Document<'_, '_>| check_defs(&document.parts.attrs, cx);
            return emit_part(cx, w, check, |document, w| {
                document.parts.attrs.iter().for_each(|def| def::emit(def, w))
            });
        }
        cx.require_class("AttrDef")?;
        emit_all_defs(DefKind::Attribute, cx, w)
    },
};

pub(super) const DIALECT_DOC: Generator = Generator {
    name: "gen-dialect-doc",
    about: "Generate dialect documentation",
    run: |cx, w| {
        if !cx.records.rules().has(Change::OneDialectDocuments) {
            return all_dialects::emit(cx, w);
        }
        let document = Document::of(cx)?;
        document.dialect.check_name()?;
        op::check_all(&document.parts.ops, document.style)?;
        document.parts.check_defs(cx)?;
        check_enums(cx)?;
        // The fields must exist, but may be unset or no texts.
        document.dialect.check_documentation()?;
        emit_header(w);
        (Layout::of(cx).dialect)(&document, w);
        Ok(())
    },
};

pub(super) const OP_DOC: Generator = Generator {
    name: "gen-op-doc",
    about: "Generate dialect documentation",
    run: |cx, w| {
        if is_of_one_dialect(cx) {
            let check = |document: &Document<'_, '_>| op::check_all(&document.parts.ops, document.style);
            return emit_part(cx, w, check, |document, w| {
                op::emit_groups(&document.parts.ops, document.style, w)
            });
        }
        let read = |rec| {
            let op = cx.model.operation(rec)?;
            op::check(op)?;
            Ok(op)
        };
        let ops: Vec<_> = requested_records(cx)?.into_iter().map(read).collect::<Result<_, _>>()?;
        emit_header(w);
        ops.iter().for_each(|op| (Layout::of(cx).op)(op, op::OP_LEVEL, Style::of(cx), w));
        Ok(())
    },
};

pub(super) const TYPEDEF_DOC: Generator = Generator {
    name: "gen-typedef-doc",
    about: "Generate dialect type documentation",
    run: |cx, w| {
        if is_of_one_dialect(cx) {
            let check = |document: &Document<'_, '_>| check_defs(&document.parts.types, cx);
            return emit_part(cx, w, check, |document, w| {
                document.parts.types.iter().for_each(|def| def::emit(def, w))
            });
        }
        cx.require_class("TypeDef")?;
        emit_all_defs(DefKind::Type, cx, w)
    },
};

pub(super) const ENUM_DOC: Generator = Generator {
    name: "gen-enum-doc",
    about: "Generate dialect enum documentation",
    run: |cx, w| {
        if is_of_one_dialect(cx) {
            let check = |_: &Document<'_, '_>| check_enums(cx);
            return emit_part(cx, w, check, |document, w| {
                document.enums.iter().for_each(|info| emit_enum_doc(info, w))
            });
        }
        let class = fields::ENUM_IN_DOCUMENTS.of(cx.records.rules());
        cx.require_class(class)?;
        let read = |record| EnumInfo::with(record, DOCUMENTED);
        let enums: Vec<_> = cx.records.derived(class).map(read).collect::<Result<_, _>>()?;
        emit_header(w);
        enums.iter().for_each(|info| (Layout::of(cx).enumeration)(info, w));
        Ok(())
    },
};

/// Returns whether all documents are about one dialect, rather than about everything in the file.
fn is_of_one_dialect(cx: &Cx<'_>) -> bool {
    cx.records.rules().has(Change::DocumentsOfOneDialect)
}

/// The writers of a document's parts in a release.
struct Layout {
    dialect: fn(&Document<'_, '_>, &mut Writer),
    op: fn(&Operation<'_>, usize, Style<'_>, &mut Writer),
    def: fn(&AttrOrTypeDef<'_>, &mut Writer),
    enumeration: fn(&EnumInfo<'_>, &mut Writer),
}

impl Layout {
    fn of(cx: &Cx<'_>) -> Self {
        if cx.records.rules().has(Change::SpacedDocuments) {
            return Layout {
                dialect: |document, w| document.emit(w),
                op: op::emit,
                def: def::emit,
                enumeration: emit_enum_doc,
            };
        }
        Layout {
            dialect: compact::emit_dialect,
            op: compact::emit_op,
            def: compact::emit_def,
            enumeration: compact::emit_enum,
        }
    }
}

fn emit_all_defs(kind: DefKind, cx: &Cx<'_>, w: &mut Writer) -> Result<(), Diagnostic> {
    let read = |rec| {
        let def = cx.model.definition(rec, kind)?;
        def::check(def, cx.records.rules())?;
        Ok(def)
    };
    let defs = cx.records.derived(kind.class()).map(read).collect::<Result<Vec<_>, _>>()?;
    emit_header(w);
    defs.iter().for_each(|def| (Layout::of(cx).def)(def, w));
    Ok(())
}

/// Checks the fields of definitions that are written.
fn check_defs(defs: &[&AttrOrTypeDef<'_>], cx: &Cx<'_>) -> Result<(), Diagnostic> {
    defs.iter().try_for_each(|def| def::check(def, cx.records.rules()))
}

/// Checks the fields of enums that are written.
fn check_enums(cx: &Cx<'_>) -> Result<(), Diagnostic> {
    match cx.records.rules().has(Change::EnumDocuments) {
        true => cx.model.enums_with(DOCUMENTED).map(drop),
        false => Ok(()),
    }
}

/// Writes a part of the selected dialect's document, if the part passes `check`.
fn emit_part(
    cx: &Cx<'_>,
    w: &mut Writer,
    check: impl Fn(&Document<'_, '_>) -> Result<(), Diagnostic>,
    emit: impl Fn(&Document<'_, '_>, &mut Writer),
) -> Result<(), Diagnostic> {
    let document = Document::of(cx)?;
    check(&document)?;
    emit_header(w);
    emit(&document, w);
    Ok(())
}

pub(super) const ALLOW_HUGO: OptionSpec = OptionSpec {
    name: "allow-hugo-specific-features",
    value: None,
    about: "Allows using features specific to Hugo",
};

pub(super) const DIALECT: OptionSpec =
    OptionSpec { name: "dialect", value: Some("string"), about: "The dialect to gen for" };

pub(super) const STRIP_PREFIX: OptionSpec = OptionSpec {
    name: "strip-prefix",
    value: Some("string"),
    about: "Strip prefix of the fully qualified names",
};

pub(super) const KEEP_ORDER: OptionSpec =
    OptionSpec { name: "keep-op-source-order", value: None, about: "Do not sort ops alphabetically" };

/// The style of the text that the options select.
#[derive(Clone, Copy, Debug)]
struct Style<'a> {
    strip_prefix: &'a str,
    allows_hugo: bool,
    keeps_order: bool,
}

impl<'a> Style<'a> {
    fn of(cx: &'a Cx<'_>) -> Self {
        Style {
            strip_prefix: cx.options.get("strip-prefix").unwrap_or("::mlir::"),
            allows_hugo: cx.options.is_set("allow-hugo-specific-features"),
            keeps_order: cx.options.is_set("keep-op-source-order"),
        }
    }
}

/// Returns the operations that the options select.
fn requested_operations<'r>(cx: &Cx<'r>) -> Result<Vec<&'r Operation<'r>>, Diagnostic> {
    let needs_dialects = !cx.records.rules().has(Change::EmptyDialectDocuments);
    let read = |rec| {
        let op = cx.model.operation(rec)?;
        if needs_dialects {
            op.dialect().check_name()?;
        }
        Ok(op)
    };
    requested_records(cx)?.into_iter().map(read).collect()
}

/// The definitions of all dialects, which are checked together.
struct Definitions<'r> {
    attrs: Vec<&'r AttrOrTypeDef<'r>>,
    ops: Vec<&'r Operation<'r>>,
    types: Vec<&'r AttrOrTypeDef<'r>>,
}

impl<'r> Definitions<'r> {
    /// Reads the definitions in the order in which the reference reports mistakes.
    fn read(cx: &Cx<'r>) -> Result<Self, Diagnostic> {
        let defs = |kind: DefKind| -> Result<Vec<_>, Diagnostic> {
            cx.records.derived(kind.class()).map(|rec| cx.model.definition(rec, kind)).collect()
        };
        let attrs = defs(DefKind::Attribute)?;
        let ops = requested_operations(cx)?;
        let types = defs(DefKind::Type)?;
        check_dialects_of_types(cx)?;
        Ok(Definitions { attrs, ops, types })
    }
}

/// The definitions of a dialect.
struct Parts<'r> {
    ops: Vec<&'r Operation<'r>>,
    attr_constraints: Vec<Constraint<'r>>,
    attrs: Vec<&'r AttrOrTypeDef<'r>>,
    type_constraints: Vec<Constraint<'r>>,
    types: Vec<&'r AttrOrTypeDef<'r>>,
}

impl<'r> Parts<'r> {
    /// Selects the definitions of a dialect.
    fn of(dialect: Dialect<'r>, all: Definitions<'r>, cx: &Cx<'r>) -> Result<Self, Diagnostic> {
        let rules = cx.records.rules();
        // In older releases a name selects all dialects that have it.
        let is_by_name = !rules.has(Change::DialectsByRecord);
        let is_meant = |own: Dialect<'r>| own == dialect || is_by_name && own.name() == dialect.name();
        let Definitions { mut attrs, mut ops, mut types } = all;
        attrs.retain(|def| is_meant(def.dialect()));
        ops.retain(|op| is_meant(op.dialect()));
        types.retain(|def| is_meant(def.dialect()));
        for group in ops.iter().filter_map(|op| op.doc_group()) {
            group.definition().check_summary()?;
        }
        let is_of_dialect = |rec: &Rec<'r>| Definition::new(*rec).own_dialect().is_ok_and(is_meant);
        let constraints = |class, without| {
            let recs = cx.records.derived(class).filter(is_of_dialect);
            recs.filter(|rec| !Definition::new(*rec).is_a(without)).map(Constraint::new).collect()
        };
        let is_one = rules.has(Change::OneDialectDocuments);
        Ok(Parts {
            ops,
            attr_constraints: constraints("DialectAttr", "AttrDef"),
            attrs,
            type_constraints: constraints("DialectType", if is_one { "TypeDef" } else { "" }),
            types,
        })
    }
}

impl Parts<'_> {
    /// Checks the fields of attributes and types that are written.
    fn check_defs(&self, cx: &Cx<'_>) -> Result<(), Diagnostic> {
        check_defs(&self.attrs, cx).and_then(|()| check_defs(&self.types, cx))
    }
}

/// Checks that all type constraints of class `DialectType` have a dialect. An attribute constraint without one is left
/// out.
fn check_dialects_of_types(cx: &Cx<'_>) -> Result<(), Diagnostic> {
    cx.records.derived("DialectType").try_for_each(|rec| Definition::new(rec).own_dialect().map(drop))
}

/// Returns whether a dialect has a documented definition, and no earlier definition belongs to another dialect of its
/// name.
fn defines_anything(dialect: Dialect<'_>, cx: &Cx<'_>) -> bool {
    let classes = ["Op", "DialectAttr", "AttrDef", "DialectType", "TypeDef"];
    let of_definitions = classes.iter().flat_map(|class| {
        cx.records.derived(class).filter_map(|rec| Definition::new(rec).own_dialect().ok())
    });
    let mut of_name = of_definitions.filter(|own| own.name() == dialect.name());
    of_name.next().is_some_and(|first| first == dialect)
}

fn emit_header(w: &mut Writer) {
    w.raw("<!-- Autogenerated by mlir-tblgen; don't manually edit -->\n");
}

/// A dialect with the contents of its document.
struct Document<'a, 'r> {
    dialect: Dialect<'r>,
    parts: Parts<'r>,
    enums: Vec<EnumInfo<'r>>,
    style: Style<'a>,
}

impl<'a, 'r> Document<'a, 'r> {
    /// Reads the document of the dialect that the options select.
    fn of(cx: &'a Cx<'r>) -> Result<Self, Diagnostic> {
        let none = || Diagnostic::error(Span::NONE, "no dialect was found").bare();
        let (dialect, all) = match cx.records.rules().has(Change::EmptyDialectDocuments) {
            true => (cx.selected_dialect()?.ok_or_else(none)?, None),
            false => {
                // Older releases check all definitions before they choose the dialect.
                let all = Definitions::read(cx)?;
                let dialect = cx.dialect_selected_of(|dialect| defines_anything(dialect, cx))?;
                (dialect.ok_or_else(none)?, Some(all))
            }
        };
        if cx.records.rules().has(Change::DocumentGroups) {
            requested_records(cx)?.into_iter().try_for_each(OpDocGroup::check_choice)?;
        }
        let parts = Parts::of(dialect, all.map_or_else(|| Definitions::read(cx), Ok)?, cx)?;
        let has_enums = cx.records.rules().has(Change::EnumDocuments);
        let enums = if has_enums { cx.model.enums_with(&[])? } else { Vec::new() };
        Ok(Document { dialect, parts, enums, style: Style::of(cx) })
    }

    fn emit(&self, w: &mut Writer) {
        let Document { dialect, parts, .. } = self;
        w.raw(&format!("\n# '{}' Dialect\n", dialect.name()));
        emit_summary(dialect.summary(), w);
        emit_description_as_is(dialect.description(), w);
        // The author may place it on a line of its own.
        if !dialect.description().split('\n').any(is_table_of_contents) {
            w.raw("\n[TOC]\n");
        }
        if !parts.ops.is_empty() {
            w.raw("\n## Operations\n");
            op::emit_groups(&parts.ops, self.style, w);
        }
        emit_constraints("Attribute constraints", &parts.attr_constraints, w);
        emit_defs("Attributes", &parts.attrs, w);
        emit_constraints("Type constraints", &parts.type_constraints, w);
        emit_defs("Types", &parts.types, w);
        if !self.enums.is_empty() {
            w.raw("\n## Enums\n");
            self.enums.iter().for_each(|info| emit_enum_doc(info, w));
        }
    }
}

fn emit_constraints(heading: &str, constraints: &[Constraint<'_>], w: &mut Writer) {
    if constraints.is_empty() {
        return;
    }
    w.raw(&format!("\n## {heading}\n"));
    for constraint in constraints {
        w.raw(&format!("\n### {}\n", constraint.summary()));
        if !constraint.description().is_empty() {
            emit_description_as_is(constraint.description(), w);
        }
        w.raw("\n");
    }
}

fn emit_defs(heading: &str, defs: &[&AttrOrTypeDef<'_>], w: &mut Writer) {
    if defs.is_empty() {
        return;
    }
    w.raw(&format!("\n## {heading}\n"));
    defs.iter().for_each(|def| def::emit(def, w));
}
