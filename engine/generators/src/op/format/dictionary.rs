//! Printing of `attr-dict` and `prop-dict`, without entries that appear elsewhere in the format, and without defaults.

use super::{
    Cx,
    presence::{default_attribute, default_property},
};
use crate::{
    cpp::{Template, Writer, join},
    string_map::in_map_order,
};
use odsmith_ods::NamedAttribute;
use odsmith_release::{Change, spellings};

/// Writes the printer of `attr-dict`.
pub(super) fn emit_attr_dict(cx: Cx<'_, '_>, with_keyword: bool, w: &mut Writer) {
    let keyword = if with_keyword { "WithKeyword" } else { "" };
    if !w.rules().has(Change::ElidedDefaults) {
        return emit_names(cx, keyword, w);
    }
    if w.rules().has(Change::ElidedOnce) {
        return emit_named_once(cx, keyword, w);
    }
    w.raw("  ::llvm::SmallVector<::llvm::StringRef, 2> elidedAttrs;\n");
    for name in elided_segments(cx).into_iter().chain(elided_runs(cx)) {
        writeln!(w, "  elidedAttrs.push_back(\"{name}\");");
    }
    emit_elided_attributes(cx, "elidedAttrs", w);
    let attributes = if cx.format.has_prop_dict && w.rules().has(Change::ElidedProperties) {
        "llvm::to_vector((*this)->getDiscardableAttrs())"
    } else {
        "(*this)->getAttrs()"
    };
    writeln!(w, "  _odsPrinter.printOptionalAttrDict{keyword}({attributes}, elidedAttrs);");
}

/// Writes the same call after a list of the names, each of which appears once.
fn emit_named_once(cx: Cx<'_, '_>, keyword: &str, w: &mut Writer) {
    let discardable = spellings::discardable_attributes.of(w.rules());
    if cx.op.dialect().has_strict_properties() {
        return writeln!(w, "  _odsPrinter.printOptionalAttrDict{keyword}((*this)->{discardable});");
    }
    let written = cx.format.attributes.iter().map(|&index| cx.op.attributes()[index].name);
    let names = elided_segments(cx).into_iter().chain(elided_runs(cx)).chain(written);
    let names: Vec<String> = names.map(|name| format!("\"{name}\"")).collect();
    let names = join(&names, ", ").to_string();
    if has_elided_defaults(cx) {
        writeln!(w, "  ::llvm::SmallVector<::llvm::StringRef, 2> elidedAttrs = {{{names}}};");
        emit_elided_defaults(cx, "elidedAttrs", w);
    } else if names.is_empty() {
        w.raw("  ::llvm::ArrayRef<::llvm::StringRef> elidedAttrs;\n");
    } else {
        writeln!(w, "  static constexpr ::llvm::StringRef elidedAttrs[] = {{{names}}};");
    }
    let attributes = if cx.format.has_prop_dict {
        format!("llvm::to_vector((*this)->{discardable})")
    } else {
        w.raw(ALL_ATTRIBUTES);
        "_odsAttrs.getDictionary((*this)->getContext()).getValue()".to_owned()
    };
    writeln!(w, "  _odsPrinter.printOptionalAttrDict{keyword}({attributes}, elidedAttrs);");
}

const ALL_ATTRIBUTES: &str = "  ::mlir::NamedAttrList _odsAttrs((*this)->getRawDictionaryAttrs());
  (*this)->getName().walkInherentAttrs(*this, [&](::llvm::StringRef name, ::mlir::Attribute &attr) {
    _odsAttrs.append(name, attr);
  });
";

/// Writes the same call with the names of omitted attributes as an argument.
fn emit_names(cx: Cx<'_, '_>, keyword: &str, w: &mut Writer) {
    write!(w, "  _odsPrinter.printOptionalAttrDict{keyword}((*this)->getAttrs(), /*elidedAttrs=*/{{");
    // A name that is computed has a comma after it.
    for name in elided_segments(cx).into_iter().chain(elided_runs(cx)) {
        write!(w, "\"{name}\", ");
    }
    let names = cx.format.attributes.iter().map(|&index| cx.op.attributes()[index].name);
    let names: Vec<String> = names.map(|name| format!("\"{name}\"")).collect();
    writeln!(w, "{}}});", join(names, ", "));
}

/// Writes the printer of `prop-dict`.
pub(super) fn emit_prop_dict(cx: Cx<'_, '_>, w: &mut Writer) {
    if !w.rules().has(Change::ElidedProperties) {
        return emit_all_properties(cx, "", w);
    }
    w.raw("  ::llvm::SmallVector<::llvm::StringRef, 2> elidedProps;\n");
    if w.rules().has(Change::ElidedSegments) {
        for name in elided_segments(cx) {
            writeln!(w, "  elidedProps.push_back(\"{name}\");");
        }
    }
    for &index in &cx.format.properties {
        writeln!(w, "  elidedProps.push_back(\"{}\");", cx.op.properties()[index].name);
    }
    if w.rules().has(Change::ElidedOnce) {
        for name in elided_runs(cx) {
            writeln!(w, "  elidedProps.push_back(\"{name}\");");
        }
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
                cx.op.getter(name)
            );
        }
    }
    emit_all_properties(cx, ", elidedProps", w);
}

/// Writes a call that prints all properties except elided ones.
fn emit_all_properties(cx: Cx<'_, '_>, elided: &str, w: &mut Writer) {
    if !cx.has_dictionary() {
        return;
    }
    w.raw(spellings::before_properties.of(w.rules()));
    let context = spellings::properties_context.of(w.rules());
    writeln!(w, "  printProperties({context}, _odsPrinter, getProperties(){elided});");
}

/// Returns the segment sizes that the parser computes itself.
pub(super) fn elided_segments(cx: Cx<'_, '_>) -> Vec<&'static str> {
    let (format, rules) = (cx.format, cx.op.rules());
    let has_operands = !format.has_all_operands && cx.has_op_trait("AttrSizedOperandSegments");
    let has_results = !format.has_all_result_types && cx.has_op_trait("AttrSizedResultSegments");
    let operands = has_operands.then(|| spellings::operand_segments.of(rules));
    let results = has_results.then(|| spellings::result_segments.of(rules));
    operands.into_iter().chain(results).collect()
}

/// Returns the attributes with the lengths of an operand's segments, which the parser computes as well.
pub(super) fn elided_runs<'r>(cx: Cx<'_, 'r>) -> Vec<&'r str> {
    if cx.format.has_all_operands {
        return Vec::new();
    }
    let segments = cx.op.operands().iter().rev().filter_map(|operand| operand.constraint.segment_attribute());
    // If two fall into one bucket, the reference's order varies between executions; usually it is this one.
    in_map_order(cx.op.rules(), segments)
}

/// Writes the names of attributes that appear in the format or have their default value.
fn emit_elided_attributes(cx: Cx<'_, '_>, list: &str, w: &mut Writer) {
    for &index in &cx.format.attributes {
        writeln!(w, "  {list}.push_back(\"{}\");", cx.op.attributes()[index].name);
    }
    emit_elided_defaults(cx, list, w);
}

/// Returns whether the dictionary omits an attribute that has its default value.
fn has_elided_defaults(cx: Cx<'_, '_>) -> bool {
    let mut attributes = cx.op.natural_attributes().iter();
    attributes.any(|named| named.attribute.default_value().is_some() && !is_written(cx, named.name))
}

fn is_written(cx: Cx<'_, '_>, name: &str) -> bool {
    cx.format.attributes.iter().any(|&index| cx.op.attributes()[index].name == name)
}

/// Writes code that omits attributes that have their default value.
fn emit_elided_defaults(cx: Cx<'_, '_>, list: &str, w: &mut Writer) {
    let is_once = w.rules().has(Change::ElidedOnce);
    for NamedAttribute { name, attribute, .. } in cx.op.natural_attributes() {
        if attribute.default_value().is_some() && !(is_once && is_written(cx, name)) {
            let default = default_attribute(*attribute, "odsBuilder");
            let get = cx.op.getter(name);
            w.fill(DEFAULT, &[("get", &get), ("default", &default), ("list", &list), ("name", name)]);
        }
    }
}

const DEFAULT: Template = Template(
    r#"
  {
     ::mlir::Builder odsBuilder(@printer_context);
     ::mlir::Attribute attr = @{get}Attr();
     if(attr && (attr == @default))
       @list.push_back("@name");
  }
"#,
);
