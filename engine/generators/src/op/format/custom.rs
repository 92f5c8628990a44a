//! Parsing of `custom`: a call of the user's function, which fills variables.
//!
//! An optional entity is passed as one value, which is then added to the list that represents it. Segments are passed
//! as lists of lists.

use super::{Cx, Length};
use crate::cpp::{Writer, substitute};
use odsmith_ods::format::{Custom, Element, TypeOf, Variable, VariableKind};
use odsmith_release::{Change, spellings};

/// Writes the call. If an optional one finds nothing, it ends the lambda around it.
pub(super) fn emit_custom<'r>(cx: Cx<'_, 'r>, custom: &Custom<'r>, is_optional: bool, w: &mut Writer) {
    w.raw("  {\n");
    for parameter in &custom.parameters {
        emit_before(cx, parameter, w);
    }
    let is_kept = is_optional || w.rules().has(Change::CustomResults);
    w.raw(if is_kept { "    auto odsResult = " } else { "    if (" });
    write!(w, "parse{}(parser", custom.name);
    for parameter in &custom.parameters {
        w.raw(", ");
        emit_argument(cx, parameter, w);
    }
    w.raw(if is_kept { ");\n" } else { "))\n" });
    if !is_kept {
        w.raw("      return ::mlir::failure();\n");
    } else if is_optional {
        writeln!(w, "    if ({}) return {{}};", spellings::found_nothing.of(w.rules()));
        w.raw("    if (::mlir::failed(*odsResult)) return ::mlir::failure();\n");
    } else {
        w.raw("    if (odsResult) return ::mlir::failure();\n");
    }
    for parameter in &custom.parameters {
        emit_after(cx, parameter, w);
    }
    w.raw("  }\n");
}

/// Writes the call at the start of an optional group, and the start of the code for a match.
pub(super) fn emit_optional_custom<'r>(cx: Cx<'_, 'r>, custom: &Custom<'r>, w: &mut Writer) {
    let result = spellings::optional_result.of(w.rules());
    writeln!(w, "  if (auto {result} = [&]() -> ::mlir::OptionalParseResult {{");
    emit_custom(cx, custom, true, w);
    w.raw("    return ::mlir::success();\n");
    writeln!(w, "  }}(); {result}.has_value() && ::mlir::failed(*{result})) {{");
    w.raw("    return ::mlir::failure();\n");
    writeln!(w, "  }} else if ({result}.has_value()) {{");
}

/// Writes the code that a parameter needs before the call.
fn emit_before(cx: Cx<'_, '_>, parameter: &Element<'_>, w: &mut Writer) {
    let optional = spellings::custom_optional.of(w.rules());
    let operand = spellings::UnresolvedOperand.of(w.rules());
    match parameter {
        Element::Variable(Variable { kind: VariableKind::Operand, name, .. }) => {
            writeln!(w, "    {name}OperandsLoc = parser.getCurrentLocation();");
            match parameter.variable().map(|variable| cx.length(variable)) {
                Some(Length::Optional) => {
                    writeln!(w, "    {optional}<{operand}> {name}Operand;");
                }
                Some(Length::VariadicOfVariadic) => writeln!(
                    w,
                    "    ::llvm::SmallVector<::llvm::SmallVector<{operand}>> \
                     {name}OperandGroups;"
                ),
                _ => {}
            }
        }
        Element::Type { of: TypeOf::Variable(variable), .. } => {
            let name = variable.name;
            match cx.length(*variable) {
                Length::Optional => writeln!(w, "    ::mlir::Type {name}Type;"),
                Length::VariadicOfVariadic => {
                    writeln!(w, "    ::llvm::SmallVector<llvm::SmallVector<::mlir::Type>> {name}TypeGroups;")
                }
                Length::One | Length::Variadic => {}
            }
        }
        Element::Ref(parameter) => emit_before_reference(cx, parameter, w),
        _ => {}
    }
}

/// Writes the single value that represents an optional operand or type that has been parsed before.
fn emit_before_reference(cx: Cx<'_, '_>, parameter: &Element<'_>, w: &mut Writer) {
    let optional = spellings::custom_optional.of(w.rules());
    let operand = spellings::UnresolvedOperand.of(w.rules());
    match parameter {
        Element::Variable(variable)
            if variable.kind == VariableKind::Operand && cx.length(*variable) == Length::Optional =>
        {
            let name = variable.name;
            writeln!(
                w,
                "    {optional}<{operand}> {name}Operand = {name}Operands.empty() ? \
                 {optional}<{operand}>() : {name}Operands[0];"
            );
        }
        Element::Type { of: TypeOf::Variable(variable), .. } if cx.length(*variable) == Length::Optional => {
            let name = variable.name;
            writeln!(
                w,
                "    ::mlir::Type {name}Type = {name}Types.empty() ? ::mlir::Type() : {name}Types[0];"
            );
        }
        _ => {}
    }
}

/// Writes the argument for a parameter.
fn emit_argument(cx: Cx<'_, '_>, parameter: &Element<'_>, w: &mut Writer) {
    match parameter {
        Element::Variable(variable) => {
            let name = variable.name;
            let length = cx.length(*variable);
            match (variable.kind, length) {
                (VariableKind::Attribute, _) => write!(w, "{name}Attr"),
                (VariableKind::Property, _) => {
                    let is_qualified = w.rules().has(Change::QualifiedProperties);
                    let class = if is_qualified { format!("{}::", cx.class_name()) } else { String::new() };
                    write!(w, "result.getOrAddProperties<{class}Properties>().{name}");
                }
                (VariableKind::Operand, Length::One) => {
                    write!(w, "{name}RawOperand{}", spellings::raw_used.of(w.rules()))
                }
                (VariableKind::Operand, Length::Optional) => write!(w, "{name}Operand"),
                (VariableKind::Operand, Length::Variadic) => write!(w, "{name}Operands"),
                (VariableKind::Operand, Length::VariadicOfVariadic) => write!(w, "{name}OperandGroups"),
                (VariableKind::Region, Length::One) => write!(w, "*{name}Region"),
                (VariableKind::Region, _) => write!(w, "{name}Regions"),
                (VariableKind::Successor, Length::One) => write!(w, "{name}Successor"),
                (VariableKind::Successor, _) => write!(w, "{name}Successors"),
                (VariableKind::Result | VariableKind::Parameter, _) => {}
            }
        }
        Element::Type { of: TypeOf::Variable(variable), .. } => {
            let name = variable.name;
            match cx.length(*variable) {
                Length::One => write!(w, "{name}RawType{}", spellings::raw_used.of(w.rules())),
                Length::Optional => write!(w, "{name}Type"),
                Length::Variadic => write!(w, "{name}Types"),
                Length::VariadicOfVariadic => write!(w, "{name}TypeGroups"),
            }
        }
        // The reference takes every other directive for the dictionary.
        Element::AttrDict { .. } | Element::Operands | Element::Regions | Element::Successors => {
            w.raw("result.attributes");
        }
        Element::PropDict => w.raw("result"),
        Element::Ref(parameter) => emit_argument(cx, parameter, w),
        Element::Code(code) => {
            let names = [("_builder", "parser.getBuilder()"), ("_ctxt", "parser.getContext()")];
            w.display(substitute(code, &names));
        }
        _ => {}
    }
}

/// Writes the code that stores the result of a parameter after the call.
fn emit_after(cx: Cx<'_, '_>, parameter: &Element<'_>, w: &mut Writer) {
    match parameter {
        Element::Variable(variable) if variable.kind == VariableKind::Attribute => {
            emit_attribute(cx, *variable, w);
        }
        Element::Variable(variable) if variable.kind == VariableKind::Operand => {
            let name = variable.name;
            match cx.length(*variable) {
                Length::Optional => {
                    let has_value = spellings::operand_has_value.of(w.rules());
                    writeln!(w, "    if ({name}Operand.{has_value}())");
                    writeln!(w, "      {name}Operands.push_back(*{name}Operand);");
                }
                Length::VariadicOfVariadic => {
                    writeln!(w, "    for (const auto &subRange : {name}OperandGroups) {{");
                    writeln!(w, "      {name}Operands.append(subRange.begin(), subRange.end());");
                    writeln!(w, "      {name}OperandGroupSizes.push_back(subRange.size());\n    }}");
                }
                Length::One | Length::Variadic => {}
            }
        }
        Element::Type { of: TypeOf::Variable(variable), .. } => {
            let name = variable.name;
            match cx.length(*variable) {
                Length::Optional => {
                    writeln!(w, "    if ({name}Type)\n      {name}Types.push_back({name}Type);");
                }
                Length::VariadicOfVariadic => {
                    writeln!(w, "    for (const auto &subRange : {name}TypeGroups)");
                    writeln!(w, "      {name}Types.append(subRange.begin(), subRange.end());");
                }
                Length::One | Length::Variadic => {}
            }
        }
        _ => {}
    }
}

fn emit_attribute(cx: Cx<'_, '_>, variable: Variable<'_>, w: &mut Writer) {
    let attribute = cx.attribute(variable);
    let (name, class) = (variable.name, cx.class_name());
    let may_be_default = w.rules().has(Change::DefaultsAreSet) && attribute.default_value().is_some();
    if attribute.is_optional() || may_be_default {
        write!(w, "    if ({name}Attr)\n  ");
    }
    if cx.stores_in_properties() {
        writeln!(w, "    result.getOrAddProperties<{class}::Properties>().{name} = {name}Attr;");
    } else {
        writeln!(w, "    result.addAttribute(\"{name}\", {name}Attr);");
    }
}
