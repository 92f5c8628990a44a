//! `gen-struct-attr-decls`, `gen-struct-attr-defs`: dictionaries with fields of their own (`StructAttr`), in early
//! releases without parameters of attributes.
//!
//! Declarations: a class with `get` and an accessor for each field. Definitions: `get`, `classof`, the accessors.

use super::{Cx, Generator};
use crate::cpp::{Template, Writer, join, substitute};
use odsmith_ods::{StructAttribute, StructField, cpp_name};
use odsmith_tablegen::diagnostic::Diagnostic;

pub(super) const DECLS: Generator = Generator {
    name: "gen-struct-attr-decls",
    about: "Generate struct utility declarations",
    run: |cx, w| {
        let structs = structs(cx)?;
        w.file_header("Struct Utility Declarations", None);
        structs.iter().for_each(|it| emit_declaration(it, w));
        Ok(())
    },
};

pub(super) const DEFS: Generator = Generator {
    name: "gen-struct-attr-defs",
    about: "Generate struct utility definitions",
    run: |cx, w| {
        let structs = structs(cx)?;
        w.file_header("Struct Utility Definitions", None);
        for it in &structs {
            w.namespaces(it.cpp_namespace, |w| {
                emit_get(it, w);
                emit_class_of(it, w);
                it.fields.iter().for_each(|field| emit_accessor(it, field, w));
            });
        }
        Ok(())
    },
};

fn structs<'r>(cx: &Cx<'r>) -> Result<Vec<StructAttribute<'r>>, Diagnostic> {
    cx.require_class("StructAttr")?;
    cx.records.derived("StructAttr").map(StructAttribute::new).collect()
}

fn emit_declaration(it: &StructAttribute<'_>, w: &mut Writer) {
    let namespaces = cpp_name::namespaces(it.cpp_namespace);
    for name in namespaces.clone() {
        w.line(format_args!("namespace {name} {{"));
    }
    let accessors = it
        .fields
        .iter()
        .map(|field| format!("  {} {}() const;\n", field.attribute.storage_type(), field.name));
    w.fill(
        CLASS,
        &[
            ("summary", &it.summary),
            ("Struct", &it.class_name),
            ("parameters", &parameters(it, "      ")),
            ("accessors", &join(accessors, "")),
        ],
    );
    // The reference closes them in the order in which it opened them.
    for name in namespaces {
        w.line(format_args!("}} // namespace {name}"));
    }
}

/// Returns the parameters of `get`, each on a line.
fn parameters(it: &StructAttribute<'_>, margin: &str) -> String {
    let fields =
        it.fields.iter().map(|field| format!("{margin}{} {},\n", field.attribute.storage_type(), field.name));
    format!("{}{margin}::mlir::MLIRContext* context", join(fields, ""))
}

const CLASS: Template = Template(
    r#"

// @summary
class @Struct : public ::mlir::DictionaryAttr {
public:
  using ::mlir::DictionaryAttr::DictionaryAttr;
  static bool classof(::mlir::Attribute attr);
  static @Struct get(
@parameters);

@accessors};

"#,
);

fn emit_get(it: &StructAttribute<'_>, w: &mut Writer) {
    w.fill(
        GET_START,
        &[("Struct", &it.class_name), ("parameters", &parameters(it, "    ")), ("count", &it.fields.len())],
    );
    for field in &it.fields {
        let template = if field.is_optional() { OPTIONAL_ENTRY } else { ENTRY };
        w.fill(template, &[("name", &field.name)]);
    }
    w.fill(GET_END, &[("Struct", &it.class_name)]);
}

const GET_START: Template = Template(
    r#"
@Struct @Struct::get(
@parameters) {
  ::llvm::SmallVector<::mlir::NamedAttribute, @count> fields;
"#,
);

const ENTRY: Template = Template(
    r#"

  assert(@name);
  auto @{name}_id = @entry_name_begin"@name"@entry_name_end;
  fields.emplace_back(@{name}_id, @name);
"#,
);

const OPTIONAL_ENTRY: Template = Template(
    r#"

  if (@name) {
    auto @{name}_id = @entry_name_begin"@name"@entry_name_end;
    fields.emplace_back(@{name}_id, @name);
  }
"#,
);

const GET_END: Template = Template(
    r#"

  ::mlir::Attribute dict = ::mlir::DictionaryAttr::get(context, fields);
  return dict.dyn_cast<@Struct>();
}
"#,
);

fn emit_class_of(it: &StructAttribute<'_>, w: &mut Writer) {
    w.fill(CLASS_OF_START, &[("Struct", &it.class_name)]);
    for field in &it.fields {
        let template = if field.is_optional() { OPTIONAL_CHECK } else { CHECK };
        let condition = substitute(&field.condition, &[("_self", field.name)]).to_string();
        w.fill(template, &[("name", &field.name), ("condition", &condition)]);
    }
    w.fill(CLASS_OF_END, &[("count", &it.fields.len())]);
}

const CLASS_OF_START: Template = Template(
    r#"

bool @Struct::classof(::mlir::Attribute attr) {
  if (!attr)
    return false;
  auto derived = attr.dyn_cast<::mlir::DictionaryAttr>();
  if (!derived)
    return false;
  int num_absent_attrs = 0;
"#,
);

const CHECK: Template = Template(
    r#"

  auto @name = derived.get("@name");
  if (!@name || !(@condition))
    return false;
"#,
);

const OPTIONAL_CHECK: Template = Template(
    r#"

  auto @name = derived.get("@name");
  if (!@name)
    ++num_absent_attrs;
  else if (!(@condition))
    return false;
"#,
);

const CLASS_OF_END: Template = Template(
    r#"

  return derived.size() + num_absent_attrs == @count;
}
"#,
);

fn emit_accessor(it: &StructAttribute<'_>, field: &StructField<'_>, w: &mut Writer) {
    let attribute = field.attribute;
    let missing = match attribute.default_value() {
        Some(value) => {
            let call = attribute.const_builder_call().unwrap_or_default();
            let value = substitute(call, &[("_builder", "builder")]).args(&[value]).to_string();
            format!(
                "  if (!{}) {{\n    ::mlir::Builder builder(getContext());\n    return {value};\n  }}\n",
                field.name
            )
        }
        None if attribute.is_optional() => format!("  if (!{})\n    return nullptr;\n", field.name),
        None => format!("  assert({} && \"attribute not found.\");\n", field.name),
    };
    w.fill(
        ACCESSOR,
        &[
            ("Struct", &it.class_name),
            ("name", &field.name),
            ("type", &attribute.storage_type()),
            ("missing", &missing),
        ],
    );
}

const ACCESSOR: Template = Template(
    r#"

@type @Struct::@name() const {
  auto derived = this->cast<::mlir::DictionaryAttr>();
  auto @name = derived.get("@name");
@missing  assert(@name.isa<@type>() && "incorrect Attribute type found.");
  return @name.cast<@type>();
}
"#,
);
