//! Printing of each element.

use super::{
    Cx, Length, attribute::is_printed_in_full, dictionary, enum_of, presence, shifted, value_type_call,
};
use crate::{
    cpp::{Template, Writer, cast, substitute},
    format::Spacing,
};
use odsmith_ods::{
    Attribute, EnumCase, EnumInfo, PropertyCode,
    format::{Clause, Custom, Element, OptionalGroup, TypeOf, Variable, VariableKind, Whitespace},
};
use odsmith_release::{Change, spellings};

/// Writes the printer of the whole format.
pub(super) fn emit_printer(cx: Cx<'_, '_>, w: &mut Writer) {
    let mut spacing = Spacing::default();
    emit_elements(cx, &cx.format.elements, None, &mut spacing, w);
}

/// Writes the printer of a list of elements except for an implied one.
fn emit_elements<'r>(
    cx: Cx<'_, 'r>,
    elements: &[Element<'r>],
    implied: Option<Variable<'r>>,
    spacing: &mut Spacing,
    w: &mut Writer,
) {
    for element in elements {
        if implied.is_none() || element.variable() != implied {
            emit_element(cx, element, spacing, w);
        }
    }
}

fn emit_element<'r>(cx: Cx<'_, 'r>, element: &Element<'r>, spacing: &mut Spacing, w: &mut Writer) {
    match element {
        Element::Literal(literal) => return emit_literal(literal, spacing, w),
        Element::Whitespace(Whitespace::None) => return spacing.nothing(),
        Element::Whitespace(Whitespace::Space) => {
            spacing.blank();
            return w.raw("  _odsPrinter << ' ';\n");
        }
        Element::Whitespace(Whitespace::Newline) => return w.raw("  _odsPrinter.printNewline();\n"),
        Element::AttrDict { with_keyword } => {
            spacing.dictionary();
            return dictionary::emit_attr_dict(cx, *with_keyword, w);
        }
        Element::PropDict => {
            spacing.dictionary();
            return dictionary::emit_prop_dict(cx, w);
        }
        Element::Optional(group) => return emit_group(cx, group, spacing, w),
        Element::OiList(clauses) => return emit_oilist(cx, clauses, spacing, w),
        _ => {}
    }
    if spacing.element() {
        w.raw("  _odsPrinter << ' ';\n");
    }
    match element {
        Element::Variable(variable) => emit_variable(cx, *variable, w),
        Element::Operands => w.raw("  _odsPrinter << getOperation()->getOperands();\n"),
        Element::Regions => emit_region_list(cx, "getOperation()->getRegions()", w),
        Element::Successors => {
            w.raw("  ::llvm::interleaveComma(getOperation()->getSuccessors(), _odsPrinter);\n")
        }
        Element::Type { of, is_qualified } => emit_type(cx, *of, *is_qualified, w),
        Element::FunctionalType { inputs, results } => {
            let (inputs, results) = (types_of(cx, *inputs), types_of(cx, *results));
            writeln!(w, "  _odsPrinter.printFunctionalType({inputs}, {results});");
        }
        Element::Custom(custom) => emit_custom(cx, custom, w),
        _ => {}
    }
}

fn emit_literal(literal: &str, spacing: &mut Spacing, w: &mut Writer) {
    let blank = match (spacing.literal(literal), w.rules().has(Change::BlanksInLiterals)) {
        (false, _) => "\"",
        (true, true) => "\" ",
        (true, false) => "' ' << \"",
    };
    writeln!(w, "  _odsPrinter << {blank}{literal}\";");
}

fn emit_group<'r>(cx: Cx<'_, 'r>, group: &OptionalGroup<'r>, spacing: &mut Spacing, w: &mut Writer) {
    let implied = cx.implied_anchor(group);
    writeln!(w, "  if ({}) {{", presence::group_condition(cx, group));
    branch(w, |w| emit_elements(cx, &group.then, implied, spacing, w));
    if !group.otherwise.is_empty() {
        w.raw("  } else {\n");
        branch(w, |w| emit_elements(cx, &group.otherwise, implied, spacing, w));
    }
    w.raw("  }\n");
}

/// Writes a branch of a group, which old releases do not indent.
fn branch(w: &mut Writer, body: impl FnOnce(&mut Writer)) {
    match w.rules().has(Change::IndentedGroups) {
        true => shifted(2, w, body),
        false => body(w),
    }
}

fn emit_oilist<'r>(cx: Cx<'_, 'r>, clauses: &[Clause<'r>], spacing: &mut Spacing, w: &mut Writer) {
    if !w.rules().has(Change::NoBlankBeforeOilist) {
        emit_literal(" ", spacing, w);
    }
    match clauses.first().and_then(|clause| clause.separator) {
        None => emit_clauses(cx, clauses, None, spacing, w),
        Some(separator) => {
            w.raw("  {\n");
            shifted(2, w, |w| {
                w.raw("  bool oilistClausePrinted = false;\n");
                emit_clauses(cx, clauses, Some(separator), spacing, w);
            });
            w.raw("  }\n");
        }
    }
}

fn emit_clauses<'r>(
    cx: Cx<'_, 'r>,
    clauses: &[Clause<'r>],
    separator: Option<&str>,
    spacing: &mut Spacing,
    w: &mut Writer,
) {
    for clause in clauses {
        writeln!(w, "  if ({}) {{", presence::clause_condition(cx, &clause.elements));
        if let Some(separator) = separator {
            w.raw("    if (oilistClausePrinted) {\n");
            emit_literal(separator, spacing, w);
            w.raw("    }\n    oilistClausePrinted = true;\n");
        }
        emit_literal(clause.literal(), spacing, w);
        let implied = cx.implied_in_clause(&clause.elements);
        emit_elements(cx, &clause.elements, implied, spacing, w);
        w.raw("  }\n");
    }
}

fn emit_variable(cx: Cx<'_, '_>, variable: Variable<'_>, w: &mut Writer) {
    let get = cx.op.getter(variable.name);
    match (variable.kind, cx.length(variable)) {
        (VariableKind::Attribute, _) => emit_attribute(cx, variable, &get, w),
        (VariableKind::Property, _) => emit_property(cx, variable, w),
        (VariableKind::Operand, Length::Optional) => {
            writeln!(w, "  if (::mlir::Value value = {get}())\n    _odsPrinter << value;");
        }
        (VariableKind::Operand, Length::VariadicOfVariadic) => writeln!(
            w,
            "  ::llvm::interleaveComma({get}(), _odsPrinter, [&](const auto &operands) {{ _odsPrinter << \"(\" << \
             operands << \")\"; }});"
        ),
        (VariableKind::Region, Length::One) => emit_region(cx, &format!("{get}()"), "  ", w),
        (VariableKind::Region, _) => emit_region_list(cx, &format!("{get}()"), w),
        (VariableKind::Successor, Length::Variadic) => {
            writeln!(w, "  ::llvm::interleaveComma({get}(), _odsPrinter);");
        }
        (VariableKind::Operand | VariableKind::Successor, _) => writeln!(w, "  _odsPrinter << {get}();"),
        (VariableKind::Result | VariableKind::Parameter, _) => {}
    }
}

fn emit_attribute(cx: Cx<'_, '_>, variable: Variable<'_>, get: &str, w: &mut Writer) {
    // A printer without the type is not indented in the reference.
    let printed = PrintedAttribute { raw: format!("{get}Attr()"), value: format!("{get}()"), margin: "" };
    emit_attribute_value(cx, variable, &printed, w);
}

/// C++ for an attribute that is printed.
pub(super) struct PrintedAttribute {
    /// The attribute as it is stored.
    pub(super) raw: String,
    /// Its value.
    pub(super) value: String,
    /// The indentation of the call that prints the attribute without its dialect and mnemonic.
    pub(super) margin: &'static str,
}

/// Writes the printer of an attribute.
pub(super) fn emit_attribute_value(
    cx: Cx<'_, '_>,
    variable: Variable<'_>,
    printed: &PrintedAttribute,
    w: &mut Writer,
) {
    let PrintedAttribute { raw, value, margin } = printed;
    let attribute = cx.attribute(variable);
    if let Some(info) = enum_of(attribute, variable) {
        let joins_bits = variable.is_case && attribute.written_as_case().is_none();
        emit_enum(attribute, &info, value, joins_bits, w);
    } else if attribute.is_symbol_name() {
        writeln!(w, "  _odsPrinter.printSymbolName({raw}.getValue());");
    } else if value_type_call(attribute).is_some() {
        writeln!(w, "  _odsPrinter.printAttributeWithoutType({raw});");
    } else if is_printed_in_full(attribute, variable) || !w.rules().has(Change::OwnSyntax) {
        writeln!(w, "  _odsPrinter.printAttribute({raw});");
    } else {
        writeln!(w, "{margin}_odsPrinter.printStrippedAttrOrType({raw});");
    }
}

/// Writes the printer of an enum. It quotes a text that cannot be read back as one keyword: a case that is no keyword
/// and, in a bit enum with a case other than a single bit, everything but single bits, because `A|B` may be a value.
///
/// `joins_bits` is true if the parser reads single bits between separators, so that nothing is quoted.
fn emit_enum(attribute: Attribute<'_>, info: &EnumInfo<'_>, value: &str, joins_bits: bool, w: &mut Writer) {
    let is_plain = attribute.default_value().is_some() && w.rules().has(Change::DefaultedCasesPlain);
    let (start, end) = match attribute.is_optional() && !is_plain {
        true => (spellings::optional_case.of(w.rules()), spellings::optional_case_end.of(w.rules())),
        false => ("", ""),
    };
    writeln!(w, "\n  {{\n    auto caseValue = {start}{value}{end};");
    writeln!(w, "    auto caseValueStr = {}(caseValue);", info.to_string_fn);
    let is_bare = |case: &EnumCase<'_>| case.is_keyword() && (info.bits.is_none() || case.is_single_bit());
    if joins_bits && info.bits.is_some() || info.cases.iter().all(is_bare) {
        w.raw("    _odsPrinter << caseValueStr;\n  }\n");
        return;
    }
    w.raw("    switch (caseValue) {\n");
    for case in info.cases.iter().filter(|case| is_bare(case)) {
        writeln!(w, "    case {}::{}:", info.qualified_name, case.enumerator());
    }
    w.raw(ENUM_CASES);
}

const ENUM_CASES: &str = r#"      _odsPrinter << caseValueStr;
      break;
    default:
      _odsPrinter << '"' << caseValueStr << '"';
      break;
    }
  }
"#;

fn emit_property(cx: Cx<'_, '_>, variable: Variable<'_>, w: &mut Writer) {
    let storage = format!("getProperties().{}", variable.name);
    let names = [("_printer", "_odsPrinter"), ("_storage", storage.as_str()), ("_ctxt", "getContext()")];
    // Not indented in the reference.
    writeln!(w, "{};", substitute(cx.property(variable).code(PropertyCode::Printer), &names));
}

fn emit_region(cx: Cx<'_, '_>, region: &str, indent: &str, w: &mut Writer) {
    if cx.has_implicit_terminator() {
        let has_visitor = w.rules().has(Change::InherentAttributesWalked);
        let condition = if has_visitor { "termAttrs.empty()" } else { "term->getAttrDictionary().empty()" };
        let attributes = if has_visitor { TERMINATOR_ATTRIBUTES } else { "" };
        let holes: [(&str, &dyn std::fmt::Display); 3] =
            [("region", &region), ("attributes", &attributes), ("no_attributes", &condition)];
        w.fill(REGION, &holes);
    } else {
        writeln!(w, "{indent}_odsPrinter.printRegion({region});");
    }
}

const TERMINATOR_ATTRIBUTES: &str = "      ::mlir::NamedAttrList termAttrs(term->getRawDictionaryAttrs());
      term->getName().walkInherentAttrs(
          term, [&](::llvm::StringRef name, ::mlir::Attribute &attr) {
            termAttrs.append(name, attr);
          });
";

const REGION: Template = Template(
    r#"

  {
    bool printTerminator = true;
    if (auto *term = @region.empty() ? nullptr : @region.begin()->getTerminator()) {
@{attributes}      printTerminator = !@no_attributes ||
                        term->getNumOperands() != 0 ||
                        term->getNumResults() != 0;
    }
    _odsPrinter.printRegion(@region, /*printEntryBlockArgs=*/true,
@{region_margin}/*printBlockTerminators=*/printTerminator);
  }
"#,
);

fn emit_region_list(cx: Cx<'_, '_>, regions: &str, w: &mut Writer) {
    writeln!(w, "    llvm::interleaveComma({regions}, _odsPrinter, [&](::mlir::Region &region) {{");
    if cx.has_implicit_terminator() && !w.rules().has(Change::EmptyLineBeforeRegions) {
        w.raw("      ");
    }
    emit_region(cx, "region", "        ", w);
    w.raw("    });\n");
}

fn emit_type(cx: Cx<'_, '_>, of: TypeOf<'_>, is_qualified: bool, w: &mut Writer) {
    let TypeOf::Variable(variable) = of else {
        return writeln!(w, "  _odsPrinter << {};", types_of(cx, of));
    };
    let get = cx.op.getter(variable.name);
    match cx.length(variable) {
        // Indented by one more column in the reference.
        Length::One if !w.rules().has(Change::OwnSyntax) => {
            writeln!(w, "  _odsPrinter << {};", types_of(cx, of));
        }
        Length::One if is_qualified => writeln!(w, "   _odsPrinter << {get}().getType();"),
        Length::One => {
            let class = cx.constraint(variable).cpp_type();
            let cast = cast(w.rules(), "::llvm::dyn_cast", class, "type").to_string();
            w.fill(TYPE, &[("get", &get), ("cast", &cast)]);
        }
        Length::Optional | Length::Variadic => writeln!(w, "  _odsPrinter << {};", types_of(cx, of)),
        Length::VariadicOfVariadic => writeln!(
            w,
            "  ::llvm::interleaveComma({get}().getTypes(), _odsPrinter, [&](::mlir::TypeRange types) {{ _odsPrinter \
             << \"(\" << types << \")\"; }});"
        ),
    }
}

const TYPE: Template = Template(
    r#"
  {
    auto type = @get().getType();
    if (auto validType = @cast)
      _odsPrinter.printStrippedAttrOrType(validType);
   else
     _odsPrinter << type;
  }
"#,
);

/// Returns C++ for a list of types.
fn types_of(cx: Cx<'_, '_>, of: TypeOf<'_>) -> String {
    const LIST: &str = "::llvm::ArrayRef<::mlir::Type>";
    let variable = match of {
        TypeOf::Variable(variable) => variable,
        TypeOf::Operands => return "getOperation()->getOperandTypes()".to_owned(),
        TypeOf::Results => return "getOperation()->getResultTypes()".to_owned(),
    };
    let get = cx.op.getter(variable.name);
    match cx.length(variable) {
        Length::One => format!("{LIST}({get}().getType())"),
        Length::Optional => format!("({get}() ? {LIST}({get}().getType()) : {LIST}())"),
        Length::Variadic => format!("{get}().getTypes()"),
        Length::VariadicOfVariadic => format!("{get}().join().getTypes()"),
    }
}

/// Writes the call of a user's printer.
fn emit_custom(cx: Cx<'_, '_>, custom: &Custom<'_>, w: &mut Writer) {
    write!(w, "  print{}(_odsPrinter, *this", custom.name);
    for parameter in &custom.parameters {
        w.raw(", ");
        emit_argument(cx, parameter, w);
    }
    w.raw(");\n");
}

fn emit_argument(cx: Cx<'_, '_>, parameter: &Element<'_>, w: &mut Writer) {
    match parameter {
        Element::Variable(variable) => match variable.kind {
            VariableKind::Attribute => write!(w, "{}Attr()", cx.op.getter(variable.name)),
            VariableKind::Property => {
                let storage = format!("getProperties().{}", variable.name);
                let convert = cx.property(*variable).code(PropertyCode::ConvertFromStorage);
                w.display(substitute(convert, &[("_storage", &storage)]));
            }
            _ => write!(w, "{}()", cx.op.getter(variable.name)),
        },
        Element::Type { of: TypeOf::Variable(variable), .. } => {
            let get = cx.op.getter(variable.name);
            match cx.length(*variable) {
                Length::One => write!(w, "{get}().getType()"),
                Length::Optional => {
                    let absent = spellings::absent_type.of(w.rules());
                    write!(w, "({get}() ? {get}().getType() : {absent})");
                }
                Length::Variadic | Length::VariadicOfVariadic => write!(w, "{get}().getTypes()"),
            }
        }
        // The reference takes every other directive for the dictionary.
        Element::AttrDict { .. } | Element::Operands | Element::Regions | Element::Successors => {
            w.raw(spellings::attribute_dictionary.of(w.rules()));
        }
        Element::PropDict => w.raw("getProperties()"),
        Element::Ref(parameter) => emit_argument(cx, parameter, w),
        Element::Code(code) => {
            let names = [("_builder", "::mlir::Builder(getContext())"), ("_ctxt", "getContext()")];
            w.display(substitute(code, &names));
        }
        _ => {}
    }
}
