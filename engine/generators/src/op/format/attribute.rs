//! Parsing of attributes and properties.

use std::fmt::Display;

use super::{
    Cx, Presence,
    dictionary_attribute::{self, Syntax},
    emit_or_fail, enum_of, value_type_call,
};
use crate::cpp::{Template, Writer, join, substitute};
use odsmith_ods::{
    Attribute, EnumInfo, PropertyCode,
    format::{Variable, VariableKind},
};
use odsmith_release::{Change, spellings};

/// Writes the parser of an attribute.
pub(super) fn emit_attribute(cx: Cx<'_, '_>, variable: Variable<'_>, presence: Presence, w: &mut Writer) {
    let attribute = cx.attribute(variable);
    let is_optional = match presence {
        Presence::AsDeclared => attribute.is_optional(),
        Presence::Required => false,
        Presence::Optional => true,
    };
    if let Some(info) = enum_of(attribute, variable) {
        let is_optional = match w.rules().has(Change::RequiredCases) {
            true => is_optional,
            false => attribute.is_optional(),
        };
        return emit_enum(cx, variable, attribute, &info, is_optional, w);
    }
    let name = variable.name;
    let (own, none) = (value_type_call(attribute), "::mlir::Type{}");
    let ty = substitute(own.unwrap_or(none), &[("_builder", "parser.getBuilder()")]);
    if !w.rules().has(Change::Properties) {
        let syntax = match attribute.is_symbol_name() {
            true => Syntax::SymbolName,
            false if is_printed_in_full(attribute, variable) => Syntax::InFull,
            false => Syntax::Own,
        };
        if !w.rules().has(Change::OwnSyntax) {
            let ty = own.map(|_| ty.to_string());
            return dictionary_attribute::emit_in_full(name, ty, syntax, attribute.is_optional(), w);
        }
        let is_declared = syntax == Syntax::SymbolName && !w.rules().has(Change::RequiredCases);
        let is_optional = if is_declared { attribute.is_optional() } else { is_optional };
        return dictionary_attribute::emit(name, ty, syntax, is_optional, w);
    }
    w.blank();
    if attribute.is_symbol_name() {
        if is_optional {
            w.fill(OPTIONAL_SYMBOL_NAME, &[("name", &name)]);
        } else {
            emit_or_fail(format_args!("parser.parseSymbolName({name}Attr)"), w);
        }
    } else if is_optional {
        w.fill(OPTIONAL_ATTRIBUTE, &[("name", &name), ("type", &ty)]);
    } else if is_printed_in_full(attribute, variable) {
        emit_or_fail(format_args!("parser.parseAttribute({name}Attr, {ty})"), w);
    } else {
        writeln!(w, "  if (parser.parseCustomAttributeWithFallback({name}Attr, {ty})) {{");
        w.raw("    return ::mlir::failure();\n  }\n");
    }
    if cx.stores_in_properties() {
        let class = cx.class_name();
        writeln!(
            w,
            "  if ({name}Attr) result.getOrAddProperties<{class}::Properties>().{name} = {name}Attr;"
        );
    } else {
        writeln!(w, "  if ({name}Attr) result.attributes.append(\"{name}\", {name}Attr);");
    }
}

/// Returns whether an attribute is written with its dialect and mnemonic.
pub(super) fn is_printed_in_full(attribute: Attribute<'_>, variable: Variable<'_>) -> bool {
    variable.is_qualified || attribute.is_stored_as_any()
}

const OPTIONAL_SYMBOL_NAME: Template = Template(
    r#"
  // Parsing an optional symbol name doesn't fail, so no need to check the
  // result.
  (void)parser.parseOptionalSymbolName(@{name}Attr);
"#,
);

const OPTIONAL_ATTRIBUTE: Template = Template(
    r#"
  ::mlir::OptionalParseResult parseResult@{name}Attr =
    parser.parseOptionalAttribute(@{name}Attr, @type);
  if (parseResult@{name}Attr.has_value() && failed(*parseResult@{name}Attr))
    return ::mlir::failure();
  if (parseResult@{name}Attr.has_value() && succeeded(*parseResult@{name}Attr))
"#,
);

/// Writes the parser of an enum: a keyword, or a string for cases that are no keywords.
fn emit_enum(
    cx: Cx<'_, '_>,
    variable: Variable<'_>,
    attribute: Attribute<'_>,
    info: &EnumInfo<'_>,
    is_optional: bool,
    w: &mut Writer,
) {
    let (name, class) = (variable.name, cx.class_name());
    let keywords = info.cases.iter().filter(|case| case.is_keyword()).map(|case| case.spelling);
    let spellings = info.cases.iter().map(|case| case.spelling);
    let mut keywords = format!("{{\"{}\"", join(keywords, "\",\""));
    // Without any keyword, the reference omits the opening brace as well.
    if keywords == "{\"\"" && !info.cases.iter().any(|case| case.is_keyword()) {
        spellings::no_keywords.of(w.rules()).clone_into(&mut keywords);
    }
    let joins_bits = variable.is_case && attribute.written_as_case().is_none();
    let bits = info.bits.as_ref().filter(|_| joins_bits);
    let is_missing = if is_optional {
        // In releases that keep blanks, the line has some.
        "        ".to_owned()
    } else {
        let margin = if bits.is_some() { "      " } else { "        " };
        let spellings = join(spellings, ", ");
        format!(
            "{margin}return parser.emitError(loc, \"expected string or keyword containing one of the following enum \
             values for attribute '{name}' [{spellings}]\");"
        )
    };
    let call = attribute.base().const_builder_call().unwrap_or_default();
    let case = [spellings::parsed_case.of(w.rules())];
    let value = substitute(call, &[("_builder", "parser.getBuilder()")]).args(&case);
    let store = if cx.stores_in_properties() {
        format!("  result.getOrAddProperties<{class}::Properties>().{name} = {name}Attr;")
    } else {
        format!("result.addAttribute(\"{name}\", {name}Attr);")
    };
    let symbolize = format!("{}::{}", info.cpp_namespace, info.from_string_fn);
    let holes: [(&str, &dyn Display); 6] = [
        ("name", &name),
        ("keywords", &keywords),
        ("missing", &is_missing),
        ("symbolize", &symbolize),
        ("value", &value),
        ("store", &store),
    ];
    match bits {
        Some(bits) => {
            let next = if bits.separator.contains('|') { "VerticalBar" } else { "Comma" };
            let own: [(&str, &dyn Display); 2] = [("class", &info.qualified_name), ("next", &next)];
            w.fill(BIT_ENUM, &[&holes[..], &own[..]].concat());
        }
        None => w.fill(ENUM, &holes),
    }
}

const ENUM: Template = Template(
    r#"

  {
    ::llvm::StringRef attrStr;
    ::mlir::NamedAttrList attrStorage;
    auto loc = parser.getCurrentLocation();
    if (parser.parseOptionalKeyword(&attrStr, @keywords})) {
      ::mlir::StringAttr attrVal;
      ::mlir::OptionalParseResult parseResult =
        parser.parseOptionalAttribute(attrVal,
                                      parser.getBuilder().getNoneType(),
                                      "@name", attrStorage);
      if (parseResult.@has_value()) {
        if (failed(*parseResult))
          return ::mlir::failure();
        attrStr = attrVal.getValue();
      } else {
@missing
      }
    }
    if (!attrStr.empty()) {
      auto attrOptional = @symbolize(attrStr);
      if (!attrOptional)
        return parser.emitError(loc, "invalid ")
               << "@name attribute specification: \"" << attrStr << '"';;

      @{name}Attr = @value;
      @store
    }
  }
"#,
);

const BIT_ENUM: Template = Template(
    r#"

  {
    ::llvm::StringRef attrStr;
    auto loc = parser.getCurrentLocation();
    if (parser.parseOptionalKeyword(&attrStr, @keywords})) {
@missing
    } else {
      @class flags = {};
      while (true) {
        auto flag = @symbolize(attrStr);
        if (!flag)
          return parser.emitError(loc, "invalid ")
                 << "@name attribute specification: \"" << attrStr << '"';;
        flags = flags | *flag;
        if (failed(parser.parseOptional@next()))
          break;
        if (parser.parseKeyword(&attrStr))
          return ::mlir::failure();
      }
      auto attrOptional = ::std::optional<@class>(flags);
      @{name}Attr = @value;
      @store
    }
  }
"#,
);

/// Writes code that sets a unit attribute or property that has no text of its own.
///
/// As in the reference, a line that sets a member of `Properties` is not ended.
pub(super) fn emit_unit(cx: Cx<'_, '_>, variable: Variable<'_>, is_clause: bool, w: &mut Writer) {
    let (name, class) = (variable.name, cx.class_name());
    if variable.kind == VariableKind::Property {
        write!(w, "    result.getOrAddProperties<{class}::Properties>().{name} = true;");
    } else if cx.stores_in_properties() {
        write!(
            w,
            "    result.getOrAddProperties<{class}::Properties>().{name} = parser.getBuilder().getUnitAttr();"
        );
    } else if is_clause {
        writeln!(w, "  result.addAttribute(\"{name}\", UnitAttr::get(parser.getContext()));");
    } else {
        writeln!(w, "    result.addAttribute(\"{name}\", parser.getBuilder().getUnitAttr());");
    }
}

/// Writes the parser of a property: its own code in a lambda.
pub(super) fn emit_property(cx: Cx<'_, '_>, variable: Variable<'_>, presence: Presence, w: &mut Writer) {
    let (name, class) = (variable.name, cx.class_name());
    let property = cx.property(variable);
    let is_optional = presence == Presence::Optional;
    let (code, result) = match is_optional {
        true => (PropertyCode::OptionalParser, "OptionalParseResult"),
        false => (PropertyCode::Parser, "ParseResult"),
    };
    let names = [("_parser", "parser"), ("_storage", "propStorage"), ("_ctxt", "parser.getContext()")];
    let code = substitute(property.code(code), &names);
    w.blank();
    if !is_optional {
        writeln!(w, "  auto {name}PropLoc = parser.getCurrentLocation();");
    }
    writeln!(w, "  auto {name}PropParseResult = [&](auto& propStorage) -> ::mlir::{result} {{");
    writeln!(w, "    {code}");
    w.raw("    return ::mlir::success();\n");
    writeln!(w, "  }}(result.getOrAddProperties<{class}::Properties>().{name});");
    if is_optional {
        writeln!(w, "  if ({name}PropParseResult.has_value() && failed(*{name}PropParseResult)) {{");
        w.raw("    return ::mlir::failure();\n");
    } else {
        let summary = property.summary();
        writeln!(w, "  if (failed({name}PropParseResult)) {{");
        writeln!(
            w,
            "    return parser.emitError({name}PropLoc, \"invalid value for property {name}, expected {summary}\");"
        );
    }
    w.raw("  }\n");
}
