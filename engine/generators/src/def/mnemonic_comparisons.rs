//! Parsing and printing by mnemonic in releases whose parser has no switch for keywords: the caller has read the
//! keyword.

use super::{
    Kind,
    dispatch::{self, has_parser, has_printer},
    qualified_name,
};
use crate::cpp::{Template, Writer};
use odsmith_ods::{AttrOrTypeDef, DefKind};
use odsmith_release::Change;

pub(super) fn emit(kind: &Kind, defs: &[&AttrOrTypeDef<'_>], w: &mut Writer) {
    let has_contexts = w.rules().has(Change::DefinitionClasses);
    match has_contexts {
        true => {
            let ty = if kind.short == "Attr" { ", ::mlir::Type type" } else { "" };
            w.fill(PARSER_START, &[("Class", &kind.class), ("type_parameter", &ty)]);
        }
        false => {
            let ty = if kind.short == "Attr" { " ::mlir::Type type," } else { "" };
            w.fill(OLDEST_PARSER_START, &[("Class", &kind.class), ("type_parameter", &ty)]);
        }
    }
    for def in defs.iter().filter(|def| def.mnemonic().is_some()) {
        let call = match (has_parser(def), def.kind(), has_contexts) {
            (false, _, true) => "get(parser.getContext())",
            (false, _, false) => "get(context)",
            (true, DefKind::Attribute, true) => "parse(parser, type)",
            (true, DefKind::Attribute, false) => "parse(context, parser, type)",
            (true, DefKind::Type, true) => "parse(parser)",
            (true, DefKind::Type, false) => "parse(context, parser)",
        };
        let blank = if has_contexts { "" } else { " " };
        w.fill(PARSER_CASE, &[("Def", &qualified_name(def)), ("call", &call), ("blank", &blank)]);
    }
    w.fill(PARSER_END, &[]);
    if has_contexts {
        return dispatch::emit_printer(kind, defs, w);
    }
    w.fill(OLDEST_PRINTER_START, &[("Class", &kind.class)]);
    for def in defs.iter().filter(|def| def.mnemonic().is_some()) {
        let name = qualified_name(def);
        let print = match has_printer(def) {
            true => "t.print(printer)".to_owned(),
            false => format!("printer << {name}::getMnemonic()"),
        };
        w.fill(OLDEST_PRINTER_CASE, &[("Def", &name), ("print", &print)]);
    }
    w.fill(OLDEST_PRINTER_END, &[("Class", &kind.class)]);
}

const PARSER_START: Template = Template(
    r#"
static ::mlir::OptionalParseResult generated@{Class}Parser(::mlir::AsmParser &parser, ::llvm::StringRef mnemonic@type_parameter, ::mlir::@Class &value) {
"#,
);

const OLDEST_PARSER_START: Template = Template(
    r#"

static ::mlir::OptionalParseResult generated@{Class}Parser(::mlir::MLIRContext *context,
                                      ::mlir::DialectAsmParser &parser,
                                      ::llvm::StringRef mnemonic,@type_parameter
                                      ::mlir::@Class &value) {
"#,
);

const PARSER_CASE: Template = Template(
    r#"
  if (mnemonic == @Def::getMnemonic()) {@blank
    value = @Def::@call;
    return ::mlir::success(!!value);
  }
"#,
);

const PARSER_END: Template = Template(
    r#"
  return {};
}

"#,
);

const OLDEST_PRINTER_START: Template = Template(
    r#"

static ::mlir::LogicalResult generated@{Class}Printer(
                         ::mlir::@Class def, ::mlir::DialectAsmPrinter &printer) {
  return ::llvm::TypeSwitch<::mlir::@Class, ::mlir::LogicalResult>(def)
"#,
);

const OLDEST_PRINTER_CASE: Template = Template(
    r#"
    .Case<@Def>([&](@Def t) {
      @print;
      return ::mlir::success();
    })
"#,
);

const OLDEST_PRINTER_END: Template = Template(
    r#"
    .Default([](::mlir::@Class) { return ::mlir::failure(); });
}

"#,
);
