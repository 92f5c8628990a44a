//! Parsing of each element.

use super::{
    Cx, Length, Presence,
    attribute::{self, emit_unit},
    custom,
    declarations::type_stem,
    emit_or_fail, shifted,
};
use crate::{
    cpp::{Template, Writer, join},
    format::ParseLiteral,
};
use odsmith_ods::format::{Clause, Element, OptionalGroup, TypeOf, Variable, VariableKind};
use odsmith_release::{Change, spellings};

/// Writes the parser of a list of elements.
pub(super) fn emit_elements<'r>(
    cx: Cx<'_, 'r>,
    elements: &[Element<'r>],
    presence: Presence,
    w: &mut Writer,
) {
    elements.iter().for_each(|element| emit_element(cx, element, presence, w));
}

/// Writes the parser of an element.
pub(super) fn emit_element<'r>(cx: Cx<'_, 'r>, element: &Element<'r>, presence: Presence, w: &mut Writer) {
    match element {
        Element::Literal(literal) => {
            emit_or_fail(format_args!("parser.{}", ParseLiteral::required(literal)), w)
        }
        Element::Variable(variable) => emit_variable(cx, *variable, presence, w),
        Element::AttrDict { with_keyword } => emit_attr_dict(cx, *with_keyword, w),
        Element::PropDict if cx.has_dictionary() => emit_or_fail("parseProperties(parser, result)", w),
        Element::PropDict => {}
        Element::Operands => {
            let unused = spellings::maybe_unused_location.of(w.rules());
            writeln!(w, "  {unused}::llvm::SMLoc allOperandLoc = parser.getCurrentLocation();");
            emit_or_fail("parser.parseOperandList(allOperands)", w);
        }
        Element::Regions => {
            w.fill(REGION_LIST, &[("name", &"full")]);
            emit_region_list_end(cx, "full", w);
        }
        Element::Successors => w.fill(SUCCESSOR_LIST, &[("name", &"full")]),
        Element::Type { of, is_qualified } => emit_type(cx, *of, *is_qualified, w),
        Element::FunctionalType { inputs, results } => emit_functional_type(*inputs, *results, w),
        Element::Custom(custom) => custom::emit_custom(cx, custom, presence == Presence::Optional, w),
        Element::OiList(clauses) => emit_oilist(cx, clauses, w),
        Element::Optional(group) => emit_group(cx, group, w),
        Element::Whitespace(_)
        | Element::Results
        | Element::Ref(_)
        | Element::Code(_)
        | Element::Params
        | Element::Struct(_) => {}
    }
}

fn emit_variable(cx: Cx<'_, '_>, variable: Variable<'_>, presence: Presence, w: &mut Writer) {
    let name = &variable.name;
    let length = cx.length(variable);
    match (variable.kind, length) {
        (VariableKind::Attribute, _) => attribute::emit_attribute(cx, variable, presence, w),
        (VariableKind::Property, _) => attribute::emit_property(cx, variable, presence, w),
        (VariableKind::Operand, Length::One) => w.fill(OPERAND, &[("name", name)]),
        (VariableKind::Operand, Length::Optional) => {
            let has_helper = w.rules().has(Change::ParsingHelpers);
            w.fill(if has_helper { OPTIONAL_OPERAND_INTO } else { OPTIONAL_OPERAND }, &[("name", name)]);
        }
        (VariableKind::Operand, Length::Variadic) => w.fill(OPERAND_LIST, &[("name", name)]),
        (VariableKind::Operand, Length::VariadicOfVariadic) => w.fill(OPERAND_GROUPS, &[("name", name)]),
        (VariableKind::Region, Length::One) if presence == Presence::Optional => {
            w.fill(OPTIONAL_REGION, &[("name", name)]);
        }
        (VariableKind::Region, Length::One) => {
            w.fill(REGION, &[("name", name)]);
            emit_region_end(cx, name, w);
        }
        (VariableKind::Region, _) => {
            w.fill(REGION_LIST, &[("name", name)]);
            emit_region_list_end(cx, name, w);
        }
        (VariableKind::Successor, Length::One) => w.fill(SUCCESSOR, &[("name", name)]),
        (VariableKind::Successor, _) => w.fill(SUCCESSOR_LIST, &[("name", name)]),
        (VariableKind::Result | VariableKind::Parameter, _) => {}
    }
}

const OPERAND: Template = Template(
    r#"

  @{name}OperandsLoc = parser.getCurrentLocation();
  if (parser.parseOperand(@{name}RawOperand@raw_used))
    return ::mlir::failure();
"#,
);

const OPTIONAL_OPERAND_INTO: Template = Template(
    r#"

  @{name}OperandsLoc = parser.getCurrentLocation();
  if (::mlir::detail::parseOptionalOperandInto(parser, @{name}Operands))
    return ::mlir::failure();
"#,
);

const OPTIONAL_OPERAND: Template = Template(
    r#"

  {
    @{name}OperandsLoc = parser.getCurrentLocation();
    @UnresolvedOperand operand;
    ::mlir::OptionalParseResult parseResult =
                                    parser.parseOptionalOperand(operand);
    if (parseResult.@has_value()) {
      if (failed(*parseResult))
        return ::mlir::failure();
      @{name}Operands.push_back(operand);
    }
  }
"#,
);

const OPERAND_LIST: Template = Template(
    r#"

  @{name}OperandsLoc = parser.getCurrentLocation();
  if (parser.parseOperandList(@{name}Operands))
    return ::mlir::failure();
"#,
);

const OPERAND_GROUPS: Template = Template(
    r#"

  {
    @{name}OperandsLoc = parser.getCurrentLocation();
    int32_t curSize = 0;
    do {
      if (parser.parseOptionalLParen())
        break;
      if (parser.parseOperandList(@{name}Operands) || parser.parseRParen())
        return ::mlir::failure();
      @{name}OperandGroupSizes.push_back(@{name}Operands.size() - curSize);
      curSize = @{name}Operands.size();
    } while (succeeded(parser.parseOptionalComma()));
  }
"#,
);

const REGION: Template = Template(
    r#"

  if (parser.parseRegion(*@{name}Region))
    return ::mlir::failure();
"#,
);

const OPTIONAL_REGION: Template = Template(
    r#"

  {
     auto parseResult = parser.parseOptionalRegion(*@{name}Region);
     if (parseResult.@has_value() && failed(*parseResult))
       return ::mlir::failure();
  }
"#,
);

const REGION_LIST: Template = Template(
    r#"

  {
    std::unique_ptr<::mlir::Region> region;
    auto firstRegionResult = parser.parseOptionalRegion(region);
    if (firstRegionResult.@has_value()) {
      if (failed(*firstRegionResult))
        return ::mlir::failure();
      @{name}Regions.emplace_back(std::move(region));

      // Parse any trailing regions.
      while (succeeded(parser.parseOptionalComma())) {
        region = std::make_unique<::mlir::Region>();
        if (parser.parseRegion(*region))
          return ::mlir::failure();
        @{name}Regions.emplace_back(std::move(region));
      }
    }
  }
"#,
);

const SUCCESSOR: Template = Template(
    r#"

  if (parser.parseSuccessor(@{name}Successor))
    return ::mlir::failure();
"#,
);

const SUCCESSOR_LIST: Template = Template(
    r#"

  {
    ::mlir::Block *succ;
    auto firstSucc = parser.parseOptionalSuccessor(succ);
    if (firstSucc.@has_value()) {
      if (failed(*firstSucc))
        return ::mlir::failure();
      @{name}Successors.emplace_back(succ);

      // Parse any trailing successors.
      while (succeeded(parser.parseOptionalComma())) {
        if (parser.parseSuccessor(succ))
          return ::mlir::failure();
        @{name}Successors.emplace_back(succ);
      }
    }
  }
"#,
);

/// Writes code that completes a region that may be written without its block or terminator.
pub(super) fn emit_region_end(cx: Cx<'_, '_>, name: &str, w: &mut Writer) {
    if cx.has_implicit_terminator() {
        writeln!(w, "\n  ensureTerminator(*{name}Region, parser.getBuilder(), result.location);");
    } else if cx.has_op_trait("SingleBlock") {
        writeln!(w, "\n  if ({name}Region->empty()) {name}Region->emplaceBlock();");
    }
}

fn emit_region_list_end(cx: Cx<'_, '_>, name: &str, w: &mut Writer) {
    let body = if cx.has_implicit_terminator() {
        "ensureTerminator(*region, parser.getBuilder(), result.location);"
    } else if cx.has_op_trait("SingleBlock") {
        "if (region->empty()) region->emplaceBlock();"
    } else {
        return;
    };
    writeln!(w, "\n  for (auto &region : {name}Regions)\n    {body}");
}

fn emit_attr_dict(cx: Cx<'_, '_>, with_keyword: bool, w: &mut Writer) {
    let keyword = if with_keyword { "WithKeyword" } else { "" };
    if !w.rules().has(Change::Properties) {
        return emit_or_fail(format_args!("parser.parseOptionalAttrDict{keyword}(result.attributes)"), w);
    }
    w.raw("  {\n    auto loc = parser.getCurrentLocation();(void)loc;\n");
    writeln!(w, "    if (parser.parseOptionalAttrDict{keyword}(result.attributes))");
    w.raw("      return ::mlir::failure();\n");
    let is_verified = match w.rules().has(Change::EmptyProperties) {
        true => cx.has_properties(),
        false => cx.op.dialect().uses_properties_for_attributes() && !cx.op.attributes().is_empty(),
    };
    if cx.op.dialect().has_strict_properties() {
        for named in cx.op.natural_attributes() {
            w.fill(REFUSE_INHERENT_ATTRIBUTE, &[("name", &named.name)]);
        }
    } else if is_verified {
        w.raw(VERIFY_INHERENT_ATTRIBUTES);
    }
    w.raw("  }\n");
}

const REFUSE_INHERENT_ATTRIBUTE: Template = Template(
    r#"
    if (result.attributes.get("@name"))
      return parser.emitError(loc, "inherent attribute '@name' cannot be parsed from attr-dict when strict properties in assembly format is enabled");
"#,
);

const VERIFY_INHERENT_ATTRIBUTES: &str = r#"    if (failed(verifyInherentAttrs(result.name, result.attributes, [&]() {
        return parser.emitError(loc) << "'" << result.name.getStringRef() << "' op ";
      })))
      return ::mlir::failure();
"#;

fn emit_type(cx: Cx<'_, '_>, of: TypeOf<'_>, is_qualified: bool, w: &mut Writer) {
    let stem = type_stem(of);
    let TypeOf::Variable(variable) = of else { return w.fill(TYPE_LIST, &[("name", &stem)]) };
    match cx.length(variable) {
        Length::One if is_qualified || !w.rules().has(Change::OwnSyntax) => {
            w.fill(QUALIFIED_TYPE, &[("name", &stem)])
        }
        Length::One => {
            w.fill(TYPE, &[("name", &stem), ("class", &cx.constraint(variable).cpp_type())]);
        }
        Length::Optional => {
            let has_helper = w.rules().has(Change::ParsingHelpers);
            w.fill(if has_helper { OPTIONAL_TYPE_INTO } else { OPTIONAL_TYPE }, &[("name", &stem)]);
        }
        Length::Variadic => w.fill(TYPE_LIST, &[("name", &stem)]),
        Length::VariadicOfVariadic => w.fill(TYPE_GROUPS, &[("name", &stem)]),
    }
}

const TYPE: Template = Template(
    r#"

  {
    @class type;
    if (parser.parseCustomTypeWithFallback(type))
      return ::mlir::failure();
    @{name}RawType@raw_used = type;
  }
"#,
);

const QUALIFIED_TYPE: Template = Template(
    r#"

  if (parser.parseType(@{name}RawType@raw_used))
    return ::mlir::failure();
"#,
);

const OPTIONAL_TYPE_INTO: Template = Template(
    r#"

  if (::mlir::detail::parseOptionalTypeInto(parser, @{name}Types))
    return ::mlir::failure();
"#,
);

const OPTIONAL_TYPE: Template = Template(
    r#"

  {
    ::mlir::Type optionalType;
    ::mlir::OptionalParseResult parseResult =
                                    parser.parseOptionalType(optionalType);
    if (parseResult.@has_value()) {
      if (failed(*parseResult))
        return ::mlir::failure();
      @{name}Types.push_back(optionalType);
    }
  }
"#,
);

const TYPE_LIST: Template = Template(
    r#"

  if (parser.parseTypeList(@{name}Types))
    return ::mlir::failure();
"#,
);

const TYPE_GROUPS: Template = Template(
    r#"

  do {
    if (parser.parseOptionalLParen())
      break;
    if (parser.parseOptionalRParen() &&
        (parser.parseTypeList(@{name}Types) || parser.parseRParen()))
      return ::mlir::failure();
  } while (succeeded(parser.parseOptionalComma()));
"#,
);

fn emit_functional_type(inputs: TypeOf<'_>, results: TypeOf<'_>, w: &mut Writer) {
    w.fill(FUNCTIONAL_TYPE, &[("inputs", &type_stem(inputs)), ("results", &type_stem(results))]);
}

const FUNCTIONAL_TYPE: Template = Template(
    r#"

  ::mlir::FunctionType @{inputs}__@{results}_functionType;
  if (parser.parseType(@{inputs}__@{results}_functionType))
    return ::mlir::failure();
  @{inputs}Types = @{inputs}__@{results}_functionType.getInputs();
  @{results}Types = @{inputs}__@{results}_functionType.getResults();
"#,
);

/// Writes the parser of an optional group: the presence of its first element decides.
fn emit_group<'r>(cx: Cx<'_, 'r>, group: &OptionalGroup<'r>, w: &mut Writer) {
    let implied = cx.implied_anchor(group).filter(|_| !group.is_anchor_parsed_first());
    let first = group.first_parsed();
    if let Some(element) = group.then.get(first) {
        emit_decision(cx, element, w);
    }
    let rest = group.then.get(first + 1..).unwrap_or_default();
    emit_branch(cx, rest, implied.filter(|_| !group.is_inverted), Presence::Required, w);
    if !group.otherwise.is_empty() {
        w.raw("  } else {\n");
        let presence = match w.rules().has(Change::RequiredOtherwise) {
            true => Presence::Required,
            false => Presence::AsDeclared,
        };
        emit_branch(cx, &group.otherwise, implied.filter(|_| group.is_inverted), presence, w);
    }
    w.raw("  }\n");
}

/// Writes the elements of a branch after the one that selects it.
fn emit_branch<'r>(
    cx: Cx<'_, 'r>,
    elements: &[Element<'r>],
    implied: Option<Variable<'r>>,
    presence: Presence,
    w: &mut Writer,
) {
    if let Some(variable) = implied {
        emit_unit(cx, variable, false, w);
    }
    for element in elements {
        if implied.is_none() || element.variable() != implied {
            emit_element(cx, element, presence, w);
        }
    }
}

/// Writes the parser of the first element, and the start of the code for the case that it is present.
fn emit_decision<'r>(cx: Cx<'_, 'r>, element: &Element<'r>, w: &mut Writer) {
    match element {
        Element::Literal(literal) => {
            let call = ParseLiteral::optional(literal);
            writeln!(w, "  if ({}(parser.{call})) {{", spellings::succeeded.of(w.rules()));
        }
        Element::Variable(variable) => {
            emit_element(cx, element, Presence::Optional, w);
            emit_presence(cx, *variable, w);
        }
        Element::Custom(custom) => custom::emit_optional_custom(cx, custom, w),
        _ => {}
    }
}

fn emit_presence(cx: Cx<'_, '_>, variable: Variable<'_>, w: &mut Writer) {
    let name = variable.name;
    match variable.kind {
        VariableKind::Attribute => writeln!(w, "  if ({name}Attr) {{"),
        VariableKind::Operand => writeln!(w, "  if (!{name}Operands.empty()) {{"),
        VariableKind::Property => {
            let result = format_args!("{name}PropParseResult");
            writeln!(w, "if ({result}.has_value() && succeeded(*{result}))  {{");
        }
        VariableKind::Region if cx.length(variable) == Length::One => {
            // The reference indents the next text, even if it is only the next element.
            write!(w, "  if (!{name}Region->empty()) {{\n  ");
            emit_region_end(cx, name, w);
        }
        VariableKind::Region => writeln!(w, "  if (!{name}Regions.empty()) {{"),
        VariableKind::Result | VariableKind::Successor | VariableKind::Parameter => {}
    }
}

/// Writes the parser of an `oilist`: its clauses in any order, each at most once.
fn emit_oilist<'r>(cx: Cx<'_, 'r>, clauses: &[Clause<'r>], w: &mut Writer) {
    match clauses.first().and_then(|clause| clause.separator) {
        None => emit_clauses(cx, clauses, None, w),
        Some(separator) => {
            w.raw("  {\n");
            shifted(2, w, |w| emit_clauses(cx, clauses, Some(separator), w));
            w.raw("  }\n");
        }
    }
}

fn emit_clauses<'r>(cx: Cx<'_, 'r>, clauses: &[Clause<'r>], separator: Option<&str>, w: &mut Writer) {
    for clause in clauses {
        writeln!(w, "  bool {}Clause = false;", clause.literal());
    }
    if separator.is_some() {
        w.raw("  bool oilistClauseParsed = false;\n");
    }
    w.raw("  while(true) {\n");
    if let Some(separator) = separator {
        let calls = clauses
            .iter()
            .map(|clause| format!("succeeded(parser.{})", ParseLiteral::optional(clause.literal())));
        let any = join(calls.collect::<Vec<_>>(), " || ");
        let call = ParseLiteral::optional(separator);
        w.fill(SEPARATOR, &[("call", &call), ("any", &any), ("separator", &separator)]);
    }
    let presence = match w.rules().has(Change::RequiredInClauses) {
        true => Presence::Required,
        false => Presence::AsDeclared,
    };
    for clause in clauses {
        let literal = clause.literal();
        let call = ParseLiteral::optional(literal);
        w.fill(CLAUSE, &[("call", &call), ("name", &literal)]);
        if separator.is_some() {
            w.raw("    oilistClauseParsed = true;\n");
        }
        match cx.implied_in_clause(&clause.elements) {
            Some(variable) => emit_unit(cx, variable, true, w),
            None => emit_elements(cx, &clause.elements, presence, w),
        }
        w.raw("    } else ");
    }
    w.raw(" {\n");
    if separator.is_some() {
        w.raw(NO_CLAUSE_AFTER_SEPARATOR);
    }
    w.raw("    break;\n  }\n}\n");
}

const SEPARATOR: Template = Template(
    r#"
    auto oilistSeparatorLoc = parser.getCurrentLocation();
    if (oilistClauseParsed) {
      if (failed(parser.@call)) {
        if (@any)
          return parser.emitError(oilistSeparatorLoc,
              "expected '@separator' between oilist clauses");
        break;
      }
    }
"#,
);

const NO_CLAUSE_AFTER_SEPARATOR: &str = r#"    if (oilistClauseParsed)
      return parser.emitError(oilistSeparatorLoc,
          "expected oilist clause after separator");
"#;

const CLAUSE: Template = Template(
    r#"
if (succeeded(parser.@call)) {

  if (@{name}Clause) {
    return parser.emitError(parser.getNameLoc())
          << "`@name` clause can appear at most once in the expansion of the "
             "oilist directive";
  }
  @{name}Clause = true;
"#,
);
