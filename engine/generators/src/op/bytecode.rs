//! Properties in bytecode: `readProperties` and `writeProperties`. In this order: attributes by name, and among them
//! the lengths of groups in old bytecode; properties; the lengths of groups in new bytecode.

use std::fmt::Display;

use super::{
    info::OpInfo,
    properties::{filled, old_name},
};
use crate::cpp::{Class, Method, Template, Writer};
use odsmith_ods::{NamedProperty, PropertyCode};
use odsmith_release::{Change, spellings};

pub(super) fn add_bytecode<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    if !op.has_stored_properties() {
        return;
    }
    let read = Method::new(spellings::LogicalResult.of(op.rules()), "readProperties").as_static();
    let read = read
        .parameter("::mlir::DialectBytecodeReader &", "reader")
        .parameter("::mlir::OperationState &", "state");
    let write = Method::new("void", "writeProperties").parameter("::mlir::DialectBytecodeWriter &", "writer");
    if op.op.has_custom_properties_encoding() {
        class.method(read);
        class.method(write);
        return;
    }
    class.method(read.defined(|w| emit_read(op, w)));
    class.method(write.defined(|w| emit_write(op, w)));
}

/// A value that is read and written.
enum Entry<'a> {
    Attribute { name: &'a str, is_required: bool },
    Property(&'a NamedProperty<'a>),
    Segments(&'static str),
    OldSegments(&'static str),
}

/// Returns the values in order. The reference puts old lengths at the position of their old name among the attributes.
/// It also counts derived attributes there, which have no value: the lengths then come later, or not at all.
fn entries<'a>(op: &'a OpInfo<'a>) -> Vec<Entry<'a>> {
    let attributes = op.attributes.iter();
    let attributes = attributes.map(|it| Entry::Attribute { name: it.name, is_required: it.is_required });
    let properties = op.op.properties().iter().map(Entry::Property);
    let segments = op.segment_properties().map(Entry::Segments);
    let values = attributes.chain(properties).chain(segments);
    if !op.rules().has(Change::SegmentsAmongAttributes) {
        return values.collect();
    }
    let mut entries = Vec::new();
    for (index, entry) in values.enumerate() {
        let is_here = |name: &&str| {
            let old = old_name(name).unwrap_or(name);
            op.attribute_names.iter().filter(|other| **other < old).count() == index
        };
        entries.extend(op.segment_properties().filter(is_here).map(Entry::OldSegments));
        entries.push(entry);
    }
    entries
}

/// The names in the snippets of properties. As in the reference, the snippets of both directions may use both reader
/// and writer.
const NAMES: &[(&str, &str)] = &[
    ("_reader", "reader"),
    ("_writer", "writer"),
    ("_storage", "propStorage"),
    ("_ctxt", "this->getContext()"),
];

fn emit_read(op: &OpInfo<'_>, w: &mut Writer) {
    w.line("auto &prop = state.getOrAddProperties<Properties>(); (void)prop;");
    for (index, entry) in entries(op).into_iter().enumerate() {
        if index > 0 {
            w.blank();
        }
        match entry {
            Entry::Attribute { name, is_required } => {
                let read = if is_required { "readAttribute" } else { "readOptionalAttribute" };
                w.line(format_args!("if (::mlir::failed(reader.{read}(prop.{name})))"));
                w.line("  return ::mlir::failure();");
            }
            Entry::Property(NamedProperty { name, property, .. }) => {
                let read = filled(*property, PropertyCode::ReadFromBytecode, NAMES);
                emit_read_property(name, format_args!("      {read}"), w);
            }
            Entry::Segments(name) if op.rules().has(Change::SegmentsAmongAttributes) => {
                emit_read_property(name, READ_SEGMENTS, w);
            }
            Entry::Segments(name) => emit_read_property(name, READ_SEGMENTS_OF_ANY_AGE, w),
            Entry::OldSegments(name) => w.fill(READ_OLD_SEGMENTS, &[("name", &name)]),
        }
    }
    w.line("return ::mlir::success();");
}

/// Writes code that reads a property; `read` brings its own indentation.
fn emit_read_property(name: &str, read: impl Display, w: &mut Writer) {
    w.block("{", "}", |w| {
        w.line(format_args!("auto &propStorage = prop.{name};"));
        w.block("auto readProp = [&]() {", "};", |w| {
            writeln!(w, "{read};");
            w.line("return ::mlir::success();");
        });
        w.line("if (::mlir::failed(readProp()))");
        w.line("  return ::mlir::failure();");
    });
}

const READ_OLD_SEGMENTS: Template = Template(
    r#"
if (reader.getBytecodeVersion() < /*kNativePropertiesODSSegmentSize=*/6) {
  auto &propStorage = prop.@name;
  ::mlir::DenseI32ArrayAttr attr;
  if (::mlir::failed(reader.readAttribute(attr))) return ::mlir::failure();
  if (attr.size() > static_cast<int64_t>(sizeof(propStorage) / sizeof(int32_t))) {
    reader.emitError("size mismatch for operand/result_segment_size");
    return ::mlir::failure();
  }
  ::llvm::copy(::llvm::ArrayRef<int32_t>(attr), propStorage.begin());
}
"#,
);

const READ_SEGMENTS_OF_ANY_AGE: &str = r#"
if (reader.getBytecodeVersion() < /*kNativePropertiesODSSegmentSize=*/6) {
  ::mlir::DenseI32ArrayAttr attr;
  if (::mlir::failed(reader.readAttribute(attr))) return ::mlir::failure();
  if (attr.size() > static_cast<int64_t>(sizeof(propStorage) / sizeof(int32_t))) {
    reader.emitError("size mismatch for operand/result_segment_size");
    return ::mlir::failure();
  }
  llvm::copy(::llvm::ArrayRef<int32_t>(attr), propStorage.begin());
} else {
  return reader.readSparseArray(::llvm::MutableArrayRef(propStorage));
}
"#;

const READ_SEGMENTS: &str = r"
  if (reader.getBytecodeVersion() >= /*kNativePropertiesODSSegmentSize=*/6)
    return reader.readSparseArray(::llvm::MutableArrayRef(propStorage));
";

fn emit_write(op: &OpInfo<'_>, w: &mut Writer) {
    w.line("auto &prop = getProperties(); (void)prop;");
    for entry in entries(op) {
        match entry {
            Entry::Attribute { name, is_required: true } => {
                w.line(format_args!("writer.writeAttribute(prop.{name});"));
            }
            Entry::Attribute { name, is_required: false } => {
                w.blank();
                w.line(format_args!("writer.writeOptionalAttribute(prop.{name});"));
            }
            Entry::Property(NamedProperty { name, property, .. }) => {
                let write = filled(*property, PropertyCode::WriteToBytecode, NAMES);
                emit_write_property(name, format_args!("    {write}"), w);
            }
            Entry::Segments(name) if op.rules().has(Change::SegmentsAmongAttributes) => {
                emit_write_property(name, WRITE_SEGMENTS, w);
            }
            Entry::Segments(name) => emit_write_property(name, WRITE_SEGMENTS_OF_ANY_AGE, w),
            Entry::OldSegments(name) => w.outdented(|w| w.fill(WRITE_OLD_SEGMENTS, &[("name", &name)])),
        }
    }
}

const WRITE_OLD_SEGMENTS: Template = Template(
    r#"

if (writer.getBytecodeVersion() < /*kNativePropertiesODSSegmentSize=*/6) {
  auto &propStorage = prop.@name;
  writer.writeAttribute(::mlir::DenseI32ArrayAttr::get(this->getContext(), propStorage));
}
"#,
);

/// Writes code that writes a property; `write` brings its own indentation.
fn emit_write_property(name: &str, write: impl Display, w: &mut Writer) {
    w.blank();
    w.block("{", "}", |w| {
        w.line(format_args!("auto &propStorage = prop.{name};"));
        writeln!(w, "{write};");
    });
}

const WRITE_SEGMENTS_OF_ANY_AGE: &str = r"
if (writer.getBytecodeVersion() < /*kNativePropertiesODSSegmentSize=*/6)
  writer.writeAttribute(::mlir::DenseI32ArrayAttr::get(getContext(), propStorage));
else
  writer.writeSparseArray(::llvm::ArrayRef(propStorage));
";

const WRITE_SEGMENTS: &str = r"
  if (writer.getBytecodeVersion() >= /*kNativePropertiesODSSegmentSize=*/6)
    writer.writeSparseArray(::llvm::ArrayRef(propStorage));
";
