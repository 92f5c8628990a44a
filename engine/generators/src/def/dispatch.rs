//! Parsing and printing of any attribute or type of the dialect: functions that distinguish them by their mnemonics,
//! and the dialect's hooks that call these.

use super::{Kind, format::printer, qualified_name};
use crate::cpp::{Template, Writer, substitute};
use odsmith_ods::{AttrOrTypeDef, DefKind, Dialect, DialectHook, format::DefFormat};
use odsmith_release::{Change, Rules, spellings};
use odsmith_tablegen::diagnostic::Diagnostic;

/// Writes `generatedTypeParser` and `generatedTypePrinter`.
pub(super) fn emit(kind: &Kind, defs: &[&AttrOrTypeDef<'_>], w: &mut Writer) {
    emit_parser(kind, defs, w);
    emit_printer(kind, defs, w);
}

fn emit_parser(kind: &Kind, defs: &[&AttrOrTypeDef<'_>], w: &mut Writer) {
    let type_parameter = if kind.short == "Attr" { ", ::mlir::Type type" } else { "" };
    w.fill(PARSER_START, &[("Class", &kind.class), ("type_parameter", &type_parameter)]);
    for def in defs.iter().filter(|def| def.mnemonic().is_some()) {
        let call = match def.kind() {
            _ if !has_parser(def) => "get(parser.getContext())",
            DefKind::Attribute => "parse(parser, type)",
            DefKind::Type => "parse(parser)",
        };
        w.fill(PARSER_CASE, &[("Def", &qualified_name(def)), ("call", &call)]);
    }
    w.fill(PARSER_END, &[]);
}

/// Returns whether the class has `parse`.
pub(super) fn has_parser(def: &AttrOrTypeDef<'_>) -> bool {
    has_assembly(def) || def.parser_code().is_some()
}

/// Returns whether the class has `print`.
pub(super) fn has_printer(def: &AttrOrTypeDef<'_>) -> bool {
    has_assembly(def) || def.printer_code().is_some()
}

fn has_assembly(def: &AttrOrTypeDef<'_>) -> bool {
    let says_so = def.rules().has(Change::CustomDefinitions);
    let is_custom = if says_so { def.has_custom_assembly_format() } else { !def.parameters().is_empty() };
    is_custom || def.assembly_format().is_some()
}

const PARSER_START: Template = Template(
    r#"
static ::mlir::OptionalParseResult generated@{Class}Parser(::mlir::AsmParser &parser, ::llvm::StringRef *mnemonic@type_parameter, ::mlir::@Class &value) {
  return ::mlir::AsmParser::KeywordSwitch<::mlir::OptionalParseResult>(parser)
"#,
);

const PARSER_CASE: Template = Template(
    r#"
    .Case(@Def::getMnemonic(), [&](llvm::StringRef, llvm::SMLoc) {
      value = @Def::@call;
      return ::mlir::success(!!value);
    })
"#,
);

const PARSER_END: Template = Template(
    r#"
    .Default([&](llvm::StringRef keyword, llvm::SMLoc) {
      *mnemonic = keyword;
      return @near_none;
    });
}

"#,
);

pub(super) fn emit_printer(kind: &Kind, defs: &[&AttrOrTypeDef<'_>], w: &mut Writer) {
    w.fill(PRINTER_START, &[("Class", &kind.class)]);
    for def in defs.iter().filter(|def| def.mnemonic().is_some()) {
        let print = match has_printer(def) {
            true if needs_blank(def, w.rules()) => "printer << ' ';\nt.print(printer);\n",
            true => "t.print(printer);\n",
            false => "",
        };
        w.fill(PRINTER_CASE, &[("Def", &qualified_name(def)), ("print", &print)]);
    }
    w.fill(PRINTER_END, &[]);
}

/// Returns whether a blank comes between the mnemonic and the output of `print`.
fn needs_blank(def: &AttrOrTypeDef<'_>, rules: &Rules) -> bool {
    let format = def.assembly_format().filter(|_| rules.has(Change::BlankAfterMnemonic));
    // A malformed but tolerated format counts as one whose first element needs the blank.
    let needs = |text| DefFormat::new(def, text).map_or(true, |it| printer::needs_blank_before(&it.elements));
    format.is_some_and(needs)
}

// The first case is on the line of the `switch`.
const PRINTER_START: Template = Template(
    r#"
static @LogicalResult generated@{Class}Printer(::mlir::@Class def, ::mlir::AsmPrinter &printer) {
  return ::llvm::TypeSwitch<::mlir::@Class, @LogicalResult>(def)"#,
);

const PRINTER_CASE: Template = Template(
    r#"
    .Case<@Def>([&](auto t) {
      printer << @Def::getMnemonic();
@{print}      return ::mlir::success();
    })
"#,
);

const PRINTER_END: Template = Template(
    r#"
    .Default([](auto) { return ::mlir::failure(); });
}

"#,
);

/// Writes the hooks that the dialect requests.
///
/// # Errors
/// The field that requests them is unset.
pub(super) fn emit_dialect_hooks(
    kind: &Kind,
    dialect: Dialect<'_>,
    w: &mut Writer,
) -> Result<(), Diagnostic> {
    let is_attribute = kind.short == "Attr";
    let (hook, hooks) = if is_attribute {
        (DialectHook::AttributeParser, ATTRIBUTE_HOOKS)
    } else {
        (DialectHook::TypeParser, TYPE_HOOKS)
    };
    let rules = w.rules();
    if !rules.has(Change::DefaultDialectParsers) {
        return Ok(());
    }
    dialect.check_hook(hook)?;
    if !dialect.has_hook(hook) {
        return Ok(());
    }
    let has_choice = rules.has(Change::ExtensibleDialects);
    if has_choice {
        dialect.check_extensible()?;
    }
    let is_extensible = has_choice && dialect.is_extensible();
    let (parse_dynamic, print_dynamic) = match (is_extensible, is_attribute) {
        (false, _) => ("", ""),
        (true, true) => (PARSE_DYNAMIC_ATTRIBUTE, PRINT_DYNAMIC_ATTRIBUTE),
        (true, false) => (PARSE_DYNAMIC_TYPE, PRINT_DYNAMIC_TYPE),
    };
    let [has_value, value, none] = match is_attribute {
        true => [spellings::has_value, spellings::dynamic_value, spellings::no_dynamic_type],
        false => [spellings::has_dynamic_type, spellings::dynamic_type_value, spellings::no_dynamic_type],
    }
    .map(|spelling| spelling.of(rules));
    let parse_dynamic =
        substitute(parse_dynamic, &[("has_value", has_value), ("value", value), ("none", none)]).to_string();
    w.namespaces(dialect.cpp_namespace(), |w| {
        w.fill(
            hooks,
            &[
                ("Dialect", &dialect.cpp_class_name()),
                ("parse_dynamic", &parse_dynamic),
                ("print_dynamic", &print_dynamic),
            ],
        );
    });
    Ok(())
}

const ATTRIBUTE_HOOKS: Template = Template(
    r#"

/// Parse an attribute registered to this dialect.
::mlir::Attribute @Dialect::parseAttribute(::mlir::DialectAsmParser &parser,
                                      ::mlir::Type type) const {
  ::llvm::SMLoc typeLoc = parser.getCurrentLocation();
  ::llvm::StringRef attrTag;
@read_attribute_keyword  {
    ::mlir::Attribute attr;
    auto parseResult = generatedAttributeParser(parser, @{keyword_address}attrTag, type, attr);
    if (parseResult.@has_value())
      return attr;
  }
@{hook_margin}@parse_dynamic@hook_end  parser.emitError(typeLoc) << "unknown attribute `"
      << attrTag << "` in dialect `" << getNamespace() << "`";
  return {};
}
/// Print an attribute registered to this dialect.
void @Dialect::printAttribute(::mlir::Attribute attr,
                         ::mlir::DialectAsmPrinter &printer) const {
  if (::mlir::succeeded(generatedAttributePrinter(attr, printer)))
    return;
@{hook_margin}@print_dynamic@hook_end}
"#,
);

const PARSE_DYNAMIC_ATTRIBUTE: &str = r#"
  {
    ::mlir::Attribute genAttr;
    auto parseResult = parseOptionalDynamicAttr(attrTag, parser, genAttr);
    if (parseResult.$has_value()) {
      if (::mlir::succeeded(parseResult.$value()))
        return genAttr;
      return Attribute();
    }
  }
"#;

const PRINT_DYNAMIC_ATTRIBUTE: &str = r#"
  if (::mlir::succeeded(printIfDynamicAttr(attr, printer)))
    return;
"#;

const TYPE_HOOKS: Template = Template(
    r#"

/// Parse a type registered to this dialect.
::mlir::Type @Dialect::parseType(::mlir::DialectAsmParser &parser) const {
  ::llvm::SMLoc typeLoc = parser.getCurrentLocation();
  ::llvm::StringRef mnemonic;
@read_type_keyword  ::mlir::Type genType;
  auto parseResult = generatedTypeParser(parser, @{keyword_address}mnemonic, genType);
  if (parseResult.@has_value())
    return genType;
@{hook_margin}@parse_dynamic@hook_end  parser.emitError(typeLoc) << "unknown  type `"
      << mnemonic << "` in dialect `" << getNamespace() << "`";
  return {};
}
/// Print a type registered to this dialect.
void @Dialect::printType(::mlir::Type type,
                    ::mlir::DialectAsmPrinter &printer) const {
  if (::mlir::succeeded(generatedTypePrinter(type, printer)))
    return;
@{hook_margin}@print_dynamic@hook_end}
"#,
);

const PARSE_DYNAMIC_TYPE: &str = r#"
  {
    auto parseResult = parseOptionalDynamicType(mnemonic, parser, genType);
    if (parseResult.$has_value()) {
      if (::mlir::succeeded(parseResult.$value()))
        return genType;
      return $none;
    }
  }
"#;

const PRINT_DYNAMIC_TYPE: &str = r#"
  if (::mlir::succeeded(printIfDynamicType(type, printer)))
    return;
"#;
