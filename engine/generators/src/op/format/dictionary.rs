//! How `attr-dict` and `prop-dict` are printed: without what appears elsewhere in the format, and without defaults.

use super::{
    Cx, getter,
    presence::{default_attribute, default_property},
};
use crate::{
    cpp::{Template, Writer},
    string_map::in_map_order,
};
use odsmith_ods::NamedAttribute;
use odsmith_release::{Change, spellings};

/// Writes the printer of `attr-dict`.
pub(super) fn emit_attr_dict(cx: Cx<'_, '_>, with_keyword: bool, w: &mut Writer) {
    w.raw("  ::llvm::SmallVector<::llvm::StringRef, 2> elidedAttrs;\n");
    emit_elided_segments(cx, "elidedAttrs", w);
    emit_elided_runs(cx, w);
    emit_elided_attributes(cx, "elidedAttrs", w);
    let keyword = if with_keyword { "WithKeyword" } else { "" };
    let attributes = if cx.format.has_prop_dict && w.rules().has(Change::ElidedProperties) {
        "llvm::to_vector((*this)->getDiscardableAttrs())"
    } else {
        "(*this)->getAttrs()"
    };
    writeln!(w, "  _odsPrinter.printOptionalAttrDict{keyword}({attributes}, elidedAttrs);");
}

/// Writes the printer of `prop-dict`.
pub(super) fn emit_prop_dict(cx: Cx<'_, '_>, w: &mut Writer) {
    if !w.rules().has(Change::ElidedProperties) {
        return emit_all_properties(cx, "", w);
    }
    w.raw("  ::llvm::SmallVector<::llvm::StringRef, 2> elidedProps;\n");
    if w.rules().has(Change::ElidedSegments) {
        emit_elided_segments(cx, "elidedProps", w);
    }
    for &index in &cx.format.properties {
        writeln!(w, "  elidedProps.push_back(\"{}\");", cx.op.properties()[index].name);
    }
    emit_elided_attributes(cx, "elidedProps", w);
    let has_defaults = w.rules().has(Change::PropertiesInFormats);
    for property in cx.op.properties() {
        if has_defaults && property.property.default_value().is_some() {
            let default = default_property(property.property, "odsBuilder");
            let name = property.name;
            writeln!(
                w,
                "  if ({}() == {default}) {{    elidedProps.push_back(\"{name}\");\n  }}",
                getter(name)
            );
        }
    }
    emit_all_properties(cx, ", elidedProps", w);
}

/// Prints all properties but those that are elided.
fn emit_all_properties(cx: Cx<'_, '_>, elided: &str, w: &mut Writer) {
    if !cx.has_dictionary() {
        return;
    }
    w.raw("  _odsPrinter << \" \";\n");
    writeln!(w, "  printProperties(this->getContext(), _odsPrinter, getProperties(){elided});");
}

/// Segment sizes that the parser works out itself.
fn emit_elided_segments(cx: Cx<'_, '_>, list: &str, w: &mut Writer) {
    let format = cx.format;
    if !format.has_all_operands && cx.has_op_trait("AttrSizedOperandSegments") {
        let name = spellings::operand_segments.of(w.rules());
        writeln!(w, "  {list}.push_back(\"{name}\");");
    }
    if !format.has_all_result_types && cx.has_op_trait("AttrSizedResultSegments") {
        let name = spellings::result_segments.of(w.rules());
        writeln!(w, "  {list}.push_back(\"{name}\");");
    }
}

/// The lengths of runs of operands, which the parser works out as well.
fn emit_elided_runs(cx: Cx<'_, '_>, w: &mut Writer) {
    if cx.format.has_all_operands {
        return;
    }
    let segments = cx.op.operands().iter().rev().filter_map(|operand| operand.constraint.segment_attribute());
    // Where two fall into one bucket, the reference's order changes from run to run: mostly it is this one.
    for segments in in_map_order(cx.op.rec().records().rules(), segments) {
        writeln!(w, "  elidedAttrs.push_back(\"{segments}\");");
    }
}

/// Attributes in the format, and those that have their default.
fn emit_elided_attributes(cx: Cx<'_, '_>, list: &str, w: &mut Writer) {
    for &index in &cx.format.attributes {
        writeln!(w, "  {list}.push_back(\"{}\");", cx.op.attributes()[index].name);
    }
    for NamedAttribute { name, attribute, .. } in cx.op.natural_attributes() {
        if attribute.default_value().is_some() {
            let default = default_attribute(*attribute, "odsBuilder");
            let get = getter(name);
            w.fill(DEFAULT, &[("get", &get), ("default", &default), ("list", &list), ("name", name)]);
        }
    }
}

const DEFAULT: Template = Template(
    r#"
  {
     ::mlir::Builder odsBuilder(getContext());
     ::mlir::Attribute attr = @{get}Attr();
     if(attr && (attr == @default))
       @list.push_back("@name");
  }
"#,
);
