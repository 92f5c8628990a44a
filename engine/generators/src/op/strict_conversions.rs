//! `setPropertiesFromAttr` in old releases: the dictionary must have all that is required.

use super::{
    info::{OpInfo, StoredAttribute},
    properties::{filled, lookup_of_old_name},
};
use crate::cpp::{Template, Writer, from_fn};
use odsmith_ods::{NamedProperty, Property, PropertyCode};
use odsmith_release::{Change, Rules};

/// Writes the body after the check of the dictionary.
pub(super) fn emit_from_attribute(op: &OpInfo<'_>, w: &mut Writer) {
    for StoredAttribute { name, is_required, .. } in &op.attributes {
        let old = lookup_of_old_name(name);
        let report = report(op.rules(), "        ");
        w.fill(ATTRIBUTE, &[("name", name), ("old", &old), ("required", is_required), ("report", &report)]);
    }
    if op.attributes.is_empty() {
        // The reference indents the next text.
        w.raw("    ");
    }
    w.outdented(|w| {
        for NamedProperty { name, property, .. } in op.op.properties() {
            emit_property(op, name, &converted(*property, op.rules()), w);
        }
        for name in op.segment_properties() {
            let diagnostic = diagnostic_of_property(op.rules());
            emit_property(
                op,
                name,
                &format!("return convertFromAttribute(propStorage, propAttr, {diagnostic});"),
                w,
            );
        }
    });
    w.line("return ::mlir::success();");
}

fn converted(property: Property<'_>, rules: &Rules) -> String {
    let names =
        [("_storage", "propStorage"), ("_attr", "propAttr"), ("_diag", diagnostic_of_property(rules))];
    filled(property, PropertyCode::ConvertFromAttribute, &names).to_string()
}

fn emit_property(op: &OpInfo<'_>, name: &str, convert: &str, w: &mut Writer) {
    let (rules, old) = (op.rules(), lookup_of_old_name(name));
    let (parameter, argument) = match rules.has(Change::ErrorsByFunction) {
        true => ("         ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError", "emitError"),
        false => ("                       ::mlir::InFlightDiagnostic *propDiag", "diag"),
    };
    w.fill(
        PROPERTY,
        &[
            ("name", &name),
            ("parameter", &parameter),
            ("convert", &convert),
            ("old", &old),
            ("report", &report(rules, "        ")),
            ("argument", &argument),
        ],
    );
}

/// Returns the function with which a property's own code reports errors.
fn diagnostic_of_property(rules: &Rules) -> &'static str {
    if rules.has(Change::ErrorsByFunction) { "emitError" } else { "propDiag" }
}

/// Returns the start of a statement that reports an error.
pub(super) fn report<'a>(rules: &'a Rules, margin: &'a str) -> impl std::fmt::Display + 'a {
    from_fn(move |f| match rules.has(Change::ErrorsByFunction) {
        true => f.write_str("emitError() << "),
        false => write!(f, "if (diag)\n{margin}  *diag << "),
    })
}

const ATTRIBUTE: Template = Template(
    r#"

{
  auto &propStorage = prop.@name;
     auto attr = dict.get("@name");@old
  if (attr || /*isRequired=*/@required) {
    if (!attr) {
      @{report}"expected key entry for @name in DictionaryAttr to set "
                 "Properties.";
      return ::mlir::failure();
    }
    auto convertedAttr = ::llvm::dyn_cast<std::remove_reference_t<decltype(propStorage)>>(attr);
    if (convertedAttr) {
      propStorage = convertedAttr;
    } else {
      @{report}"Invalid attribute `@name` in property conversion: " << attr;
      return ::mlir::failure();
    }
  }
}
"#,
);

const PROPERTY: Template = Template(
    r#"
;
    {
      auto setFromAttr = [] (auto &propStorage, ::mlir::Attribute propAttr,
      @parameter) {
        @convert;
      };
         auto attr = dict.get("@name");@old;
      if (!attr) {
        @{report}"expected key entry for @name in DictionaryAttr to set "
                   "Properties.";
        return ::mlir::failure();
      }
      if (::mlir::failed(setFromAttr(prop.@name, attr, @argument)))
        return ::mlir::failure();
    }
"#,
);
