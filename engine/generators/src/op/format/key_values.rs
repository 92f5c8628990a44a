//! `prop-dict` as a list: `<key = value, flag>`. A key is a property, the lengths of groups or an attribute that the
//! format does not parse elsewhere.
//!
//! The parser still reads a dictionary in braces as well. As in the reference, its lines lose one level of indentation
//! after the first property that is parsed by [`FALLBACK`].

use super::{
    Cx, Presence,
    attribute::{emit_attribute, emit_property},
    dictionary::{elided_runs, elided_segments},
    emit_or_fail, enum_of,
    printer::{PrintedAttribute, emit_attribute_value},
    shifted,
};
use crate::cpp::{Template, Writer, substitute};
use odsmith_ods::{
    NamedAttribute, NamedProperty, Operation, PropertyCode,
    format::{OpFormat, Variable, VariableKind},
};

/// A key of the list.
#[derive(Clone, Copy)]
enum Key<'a, 'r> {
    Property(usize, &'a NamedProperty<'r>),
    /// The lengths of groups, and the number of groups.
    Lengths(&'static str, usize),
    Attribute(usize, &'a NamedAttribute<'r>),
}

impl<'a, 'r> Key<'a, 'r> {
    /// Returns all keys, in order.
    fn all(op: &'a Operation<'r>, lengths: &'a [(&'static str, usize)]) -> impl Iterator<Item = Self> {
        let properties = op.properties().iter().enumerate();
        let attributes = op.natural_attributes().iter().enumerate();
        let lengths = lengths.iter().map(|&(name, count)| Key::Lengths(name, count));
        lengths
            .chain(properties.map(|(index, named)| Key::Property(index, named)))
            .chain(attributes.map(|(index, named)| Key::Attribute(index, named)))
    }

    fn name(self) -> &'a str {
        match self {
            Key::Property(_, named) => named.name,
            Key::Lengths(name, _) => name,
            Key::Attribute(_, named) => named.name,
        }
    }

    /// Returns whether the key needs no value.
    fn is_unit(self) -> bool {
        match self {
            Key::Property(_, named) => named.property.is_unit(),
            Key::Lengths(..) => false,
            Key::Attribute(_, named) => named.attribute.is_unit(),
        }
    }

    /// Returns the word for the key in messages if it must be present.
    fn required(self) -> Option<&'static str> {
        match self {
            Key::Property(_, named) => named.property.default_value().is_none().then_some("property"),
            Key::Lengths(..) => Some("property"),
            Key::Attribute(_, NamedAttribute { attribute, .. }) => {
                let may_be_absent = attribute.is_optional() || attribute.default_value().is_some();
                (!may_be_absent).then_some("attribute")
            }
        }
    }

    fn variable(self) -> Option<Variable<'a>> {
        let (kind, index) = match self {
            Key::Property(index, _) => (VariableKind::Property, index),
            Key::Attribute(index, _) => (VariableKind::Attribute, index),
            Key::Lengths(..) => return None,
        };
        let is_case = match self {
            Key::Attribute(_, named) => named.attribute.is_case_in_brackets(),
            Key::Property(..) | Key::Lengths(..) => false,
        };
        Some(Variable { kind, index, name: self.name(), is_qualified: false, is_case })
    }
}

/// Returns whether the parser finds a key outside `prop-dict`.
fn is_parsed_elsewhere(cx: Cx<'_, '_>, key: Key<'_, '_>) -> bool {
    match key {
        Key::Property(index, _) => cx.format.properties.contains(&index),
        Key::Lengths(name, _) => elided_segments(cx).contains(&name),
        Key::Attribute(index, named) => {
            cx.format.attributes.contains(&index) || elided_runs(cx).contains(&named.name)
        }
    }
}

/// Writes the text between the braces of `parsePropertiesFromKeyValueList`; `lengths` are the names of the lengths of
/// groups with the numbers of groups.
pub(in crate::op) fn emit_parse_body(
    op: &Operation<'_>,
    format: &OpFormat<'_>,
    lengths: &[(&'static str, usize)],
    w: &mut Writer,
) {
    let cx = Cx { op, format };
    let keys: Vec<Key<'_, '_>> = Key::all(op, lengths).filter(|key| !is_parsed_elsewhere(cx, *key)).collect();
    w.raw("  auto &prop = result.getOrAddProperties<Properties>();\n  (void)prop;\n");
    keys.iter().for_each(|key| writeln!(w, "  bool seen_{} = false;", key.name()));
    w.raw(PARSE_START);
    let units = keys.iter().filter(|key| key.is_unit());
    let units: Vec<String> = units.map(|key| format!("key == \"{}\"", key.name())).collect();
    if units.is_empty() {
        w.raw("      if (parser.parseEqual())\n");
    } else {
        writeln!(w, "      bool isUnitKey = {};", units.join(" || "));
        w.raw("      if (!isUnitKey && parser.parseEqual())\n");
    }
    w.raw("        return ::mlir::failure();\n");
    let mut margin = 6;
    for (index, key) in keys.iter().enumerate() {
        let (name, start) = (key.name(), if index > 0 { "else if" } else { "if" });
        shifted(margin, w, |w| {
            writeln!(w, "{start} (!seen_{name} && key == \"{name}\") {{\n  seen_{name} = true;");
        });
        margin = emit_value(cx, *key, margin, w);
        shifted(margin, w, |w| w.raw("}\n"));
    }
    shifted(margin, w, |w| w.raw(if keys.is_empty() { NO_KEY } else { UNKNOWN_KEY }));
    shifted(margin, w, |w| w.raw(NEXT_KEY));
    shifted(margin - 2, w, |w| w.raw("}\n"));
    shifted(margin - 4, w, |w| {
        w.raw("}\n");
        for (key, word) in keys.iter().filter_map(|key| Some((key, key.required()?))) {
            let name = key.name();
            writeln!(w, "if (!seen_{name})");
            writeln!(
                w,
                "  return ::mlir::emitError(result.location, \"properties dictionary is missing required {word}: \
                 {name}\");"
            );
        }
        w.raw("return ::mlir::success();\n");
    });
}

const PARSE_START: &str = r#"
  if (succeeded(parser.parseOptionalLess())) {
    ::llvm::SMLoc dictionaryLoc = parser.getCurrentLocation();
    ::mlir::NamedAttrList propertyAttributes;
    if (parser.parseOptionalAttrDict(propertyAttributes))
      return ::mlir::failure();
    if (dictionaryLoc != parser.getCurrentLocation()) {
      if (parser.parseGreater())
        return ::mlir::failure();
      auto propertyDictionary =
          ::mlir::DictionaryAttr::get(parser.getContext(), propertyAttributes);
      return setPropertiesFromParsedAttr(prop, propertyDictionary, [&]() {
        return parser.emitError(dictionaryLoc)
               << "invalid properties " << propertyDictionary << ": ";
      });
    }

    bool reachedEnd = succeeded(parser.parseOptionalGreater());
    while (!reachedEnd) {
      ::llvm::SMLoc keyLoc = parser.getCurrentLocation();
      ::llvm::StringRef key;
      if (parser.parseKeyword(&key))
        return ::mlir::failure();
"#;

const NO_KEY: &str = r#"
return parser.emitError(keyLoc,
                        "unknown property in properties dictionary: ")
       << key;
"#;

const UNKNOWN_KEY: &str = r#"
else {
  return parser.emitError(
             keyLoc,
             "duplicate or unknown property in properties dictionary: ")
         << key;
}
"#;

const NEXT_KEY: &str = r#"
reachedEnd = succeeded(parser.parseOptionalGreater());
if (!reachedEnd && parser.parseComma())
  return ::mlir::failure();
"#;

/// Writes the parser of a value. Returns the margin of the lines after it.
fn emit_value(cx: Cx<'_, '_>, key: Key<'_, '_>, margin: usize, w: &mut Writer) -> usize {
    let name = key.name();
    let Some(variable) = key.variable() else {
        let Key::Lengths(_, count) = key else { return margin };
        shifted(margin, w, |w| w.fill(LENGTHS, &[("name", &name), ("count", &count)]));
        return margin;
    };
    let storage = |columns: usize, w: &mut Writer| match key {
        Key::Attribute(_, named) => {
            writeln!(w, "{:columns$}{} {name}Attr;", "", named.attribute.storage_type());
        }
        Key::Property(..) | Key::Lengths(..) => {}
    };
    let value = |columns: usize, w: &mut Writer| {
        shifted(columns, w, |w| match key {
            Key::Attribute(..) => emit_attribute(cx, variable, Presence::Required, w),
            Key::Property(..) | Key::Lengths(..) => emit_property(cx, variable, Presence::Required, w),
        });
    };
    if key.is_unit() {
        shifted(margin + 2, w, |w| w.raw("if (succeeded(parser.parseOptionalEqual())) {\n"));
        storage(margin + 4, w);
        value(margin, w);
        let present = match key {
            Key::Attribute(..) => "parser.getBuilder().getUnitAttr()",
            Key::Property(..) | Key::Lengths(..) => "true",
        };
        shifted(margin + 4, w, |w| writeln!(w, "}} else {{\n  prop.{name} = {present};\n}}"));
        return margin;
    }
    if let Key::Property(_, NamedProperty { property, .. }) = key
        && property.has_default_parser()
    {
        let names = [("_storage", "propStorage"), ("_attr", "propertyAttr"), ("_diag", "emitError")];
        let convert = substitute(property.code(PropertyCode::ConvertFromAttribute), &names);
        shifted(margin - 2, w, |w| w.fill(FALLBACK, &[("name", &name), ("convert", &convert)]));
        return 4;
    }
    storage(margin + 2, w);
    let is_bracketed = is_bracketed(key);
    if is_bracketed {
        shifted(margin, w, |w| emit_or_fail("parser.parseLSquare()", w));
    }
    value(margin - 2, w);
    if is_bracketed {
        shifted(margin + 2, w, |w| emit_or_fail("parser.parseRSquare()", w));
    }
    margin
}

/// Returns whether a value has brackets, because its bits have commas between them.
fn is_bracketed(key: Key<'_, '_>) -> bool {
    let attribute = match key {
        Key::Attribute(_, named) => named.attribute,
        Key::Property(..) | Key::Lengths(..) => return false,
    };
    let info = key.variable().and_then(|variable| enum_of(attribute, variable));
    let bits = info.and_then(|info| info.bits).filter(|_| attribute.written_as_case().is_none());
    bits.is_some_and(|bits| !bits.separator.contains('|'))
}

const LENGTHS: Template = Template(
    r#"

  ::llvm::SmallVector<int32_t> parsedSegmentSizes;
  if (parser.parseCommaSeparatedList(
          ::mlir::AsmParser::Delimiter::Square, [&]() {
            int32_t size;
            if (parser.parseInteger(size))
              return ::mlir::failure();
            parsedSegmentSizes.push_back(size);
            return ::mlir::success();
          }))
    return ::mlir::failure();
  if (parsedSegmentSizes.size() != prop.@name.size())
    return parser.emitError(keyLoc, "expected @count entries for @name");
  ::llvm::copy(parsedSegmentSizes, prop.@name.begin());
"#,
);

const FALLBACK: Template = Template(
    r#"

auto parseResult = ::mlir::detail::parsePropertyWithFallback(
    parser, prop.@name,
    [&](auto &propStorage,
        ::mlir::Attribute propertyAttr) -> ::mlir::LogicalResult {
  auto emitError = [&]() {
    return parser.emitError(parser.getCurrentLocation())
           << "invalid value for property " << key << ": ";
  };
@convert;
});
if (failed(parseResult))
  return ::mlir::failure();
"#,
);

/// Writes the text between the braces of `_odsPrintPropertiesAsKeyValueList`.
pub(in crate::op) fn emit_print_body(
    op: &Operation<'_>,
    format: &OpFormat<'_>,
    lengths: &[(&'static str, usize)],
    w: &mut Writer,
) {
    let cx = Cx { op, format };
    w.raw(PRINT_START);
    shifted(2, w, |w| {
        // Attributes and properties that the format mentions are keys as well, which `elidedProps` leaves out.
        let is_computed =
            |key: &Key<'_, '_>| matches!(key, Key::Lengths(..)) && is_parsed_elsewhere(cx, *key);
        for key in Key::all(op, lengths).filter(|key| !is_computed(key)) {
            let name = key.name();
            let may_be_absent = matches!(key, Key::Attribute(..)) && key.required().is_none();
            let present = if may_be_absent { format!(" && prop.{name}") } else { String::new() };
            writeln!(w, "if (shouldPrint(\"{name}\"){present}) {{");
            writeln!(w, "  printKey(\"{name}\", /*printValue=*/{});", !key.is_unit());
            if !key.is_unit() {
                emit_printed_value(cx, key, w);
            }
            w.raw("}\n");
        }
        w.raw("if (!first)\n  _odsPrinter << \">\";\n");
    });
}

const PRINT_START: &str = r#"  bool first = true;
  auto printKey = [&](::llvm::StringRef name, bool printValue) {
    _odsPrinter << (first ? " <" : ", ") << name;
    if (printValue)
      _odsPrinter << " = ";
    first = false;
  };
  auto shouldPrint = [&](::llvm::StringRef name) {
    return !::llvm::is_contained(elidedProps, name);
  };
"#;

fn emit_printed_value(cx: Cx<'_, '_>, key: Key<'_, '_>, w: &mut Writer) {
    let name = key.name();
    let storage = format!("prop.{name}");
    match key {
        Key::Property(_, NamedProperty { property, .. }) => {
            let context = ("_ctxt", "_odsContext");
            let names = [("_printer", "_odsPrinter"), ("_storage", storage.as_str()), context];
            let print = substitute(property.code(PropertyCode::Printer), &names);
            if !property.has_default_parser() {
                return writeln!(w, "  {print};");
            }
            let names = [("_storage", storage.as_str()), context];
            let convert = substitute(property.code(PropertyCode::ConvertToAttribute), &names);
            w.fill(PRINTED_OR_ATTRIBUTE, &[("name", &name), ("print", &print), ("convert", &convert)]);
        }
        Key::Lengths(..) => w.fill(PRINTED_LENGTHS, &[("name", &name)]),
        Key::Attribute(_, NamedAttribute { attribute, .. }) => {
            let Some(variable) = key.variable() else { return };
            let names = [("_self", storage.as_str())];
            let value = substitute(attribute.convert_from_storage(), &names).to_string();
            let printed = PrintedAttribute { raw: storage.clone(), value, margin: "  " };
            let is_bracketed = is_bracketed(key);
            w.raw(if is_bracketed { "  _odsPrinter << \"[\";\n" } else { "" });
            emit_attribute_value(cx, variable, &printed, w);
            w.raw(if is_bracketed { "  _odsPrinter << \"]\";\n" } else { "" });
        }
    }
}

const PRINTED_LENGTHS: Template = Template(
    r#"
  _odsPrinter << "[";
  ::llvm::interleaveComma(prop.@name, _odsPrinter);
  _odsPrinter << "]";
"#,
);

const PRINTED_OR_ATTRIBUTE: Template = Template(
    r#"
  if constexpr (::mlir::detail::HasKeyValueFieldParser<std::remove_cv_t<std::remove_reference_t<decltype(prop.@name)>>>::value) {
    @print;
  } else {
    auto propertyAttr = [&]() -> ::mlir::Attribute {
@convert
    }();
    _odsPrinter.printAttribute(propertyAttr);
  }
"#,
);
