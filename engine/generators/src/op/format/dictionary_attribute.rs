//! Parsing of attributes in releases without properties: the parser itself puts them into the dictionary.

use super::emit_or_fail;
use crate::cpp::{Template, Writer};
use std::fmt::Display;

/// The form in which an attribute is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    /// The name of a symbol.
    SymbolName,
    /// Its dialect and mnemonic, then the rest.
    InFull,
    /// The syntax of its class.
    Own,
}

/// Writes the parser of an attribute whose type is the C++ `ty`.
pub(super) fn emit(name: &str, ty: impl Display, syntax: Syntax, is_optional: bool, w: &mut Writer) {
    w.blank();
    match (syntax, is_optional) {
        (Syntax::SymbolName, true) => w.fill(OPTIONAL_SYMBOL_NAME, &[("name", &name)]),
        (Syntax::SymbolName, false) => {
            let target = format_args!("{name}Attr, \"{name}\", result.attributes");
            emit_or_fail(format_args!("parser.parseSymbolName({target})"), w);
        }
        (Syntax::InFull | Syntax::Own, true) => {
            w.fill(OPTIONAL_ATTRIBUTE, &[("name", &name), ("type", &ty)]);
        }
        (Syntax::InFull, false) => {
            let target = format_args!("{name}Attr, {ty}, \"{name}\", result.attributes");
            emit_or_fail(format_args!("parser.parseAttribute({target})"), w);
        }
        (Syntax::Own, false) => w.fill(ATTRIBUTE, &[("name", &name), ("type", &ty)]),
    }
}

/// Writes the parser in releases that write all attributes in full. If the type may be any, none is passed to the
/// parser.
pub(super) fn emit_in_full(
    name: &str,
    ty: Option<String>,
    syntax: Syntax,
    is_optional: bool,
    w: &mut Writer,
) {
    if syntax == Syntax::SymbolName {
        return emit(name, "", syntax, is_optional, w);
    }
    w.blank();
    let ty = ty.map_or_else(String::new, |ty| format!(", {ty}"));
    match is_optional {
        true => w.fill(OPTIONAL_IN_FULL, &[("name", &name), ("type", &ty)]),
        false => {
            let target = format_args!("{name}Attr{ty}, \"{name}\", result.attributes");
            emit_or_fail(format_args!("parser.parseAttribute({target})"), w);
        }
    }
}

const OPTIONAL_IN_FULL: Template = Template(
    r#"
  {
    ::mlir::OptionalParseResult parseResult =
      parser.parseOptionalAttribute(@{name}Attr@type, "@name", result.attributes);
    if (parseResult.@has_value() && failed(*parseResult))
      return ::mlir::failure();
  }
"#,
);

const OPTIONAL_SYMBOL_NAME: Template = Template(
    r#"
  // Parsing an optional symbol name doesn't fail, so no need to check the
  // result.
  (void)parser.parseOptionalSymbolName(@{name}Attr, "@name", result.attributes);
"#,
);

const OPTIONAL_ATTRIBUTE: Template = Template(
    r#"
  {
    ::mlir::OptionalParseResult parseResult =
      parser.parseOptionalAttribute(@{name}Attr, @type, "@name", result.attributes);
    if (parseResult.@has_value() && failed(*parseResult))
      return ::mlir::failure();
  }
"#,
);

const ATTRIBUTE: Template = Template(
    r#"
  if (parser.parseCustomAttributeWithFallback(@{name}Attr, @type, "@name",
          result.attributes)) {
    return ::mlir::failure();
  }
"#,
);
