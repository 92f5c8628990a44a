//! The end of the parser, after all elements are read. In this order: regions, successors, segment sizes, checks of
//! types from which others follow, buildable types, result types, operands, inference.

use std::fmt::{self, Display};

use super::{Cx, Length, emit_or_fail};
use crate::{
    cpp::{Template, Writer, join, substitute},
    op::inference::properties_argument,
};
use odsmith_ods::format::{Element, TypeSource, Variable, VariableKind};
use odsmith_release::{Change, spellings};

/// Writes the code after the elements.
pub(super) fn emit_resolution(cx: Cx<'_, '_>, w: &mut Writer) {
    let is_first = w.rules().has(Change::RegionsBeforeTypes);
    if is_first {
        emit_parts(cx, w);
    }
    let types = Types::new(cx);
    types.emit_checks(w);
    types.emit_buildable(w);
    types.emit_results(w);
    types.emit_operands(w);
    if !is_first {
        emit_parts(cx, w);
    }
    if cx.format.infers_result_types {
        let properties = properties_argument("result", 6, w.rules());
        w.fill(INFERENCE, &[("class", &cx.class_name()), ("properties", &properties)]);
    }
}

const INFERENCE: Template = Template(
    r#"

  ::llvm::SmallVector<::mlir::Type> inferredReturnTypes;
  if (::mlir::failed(@class::inferReturnTypes(parser.getContext(),
      result.location, result.operands,
      result.attributes.getDictionary(parser.getContext()),@properties
      result.regions, inferredReturnTypes)))
    return ::mlir::failure();
  result.addTypes(inferredReturnTypes);
"#,
);

/// Writes code that adds regions, successors and segment sizes.
fn emit_parts(cx: Cx<'_, '_>, w: &mut Writer) {
    emit_regions(cx, w);
    emit_successors(cx, w);
    emit_segment_sizes(cx, w);
}

fn emit_regions(cx: Cx<'_, '_>, w: &mut Writer) {
    if cx.format.elements.contains(&Element::Regions) {
        return w.raw("  result.addRegions(fullRegions);\n");
    }
    for region in cx.op.regions() {
        let name = region.name;
        if region.is_variadic() {
            writeln!(w, "  result.addRegions({name}Regions);");
        } else {
            writeln!(w, "  result.addRegion(std::move({name}Region));");
        }
    }
}

fn emit_successors(cx: Cx<'_, '_>, w: &mut Writer) {
    if cx.format.elements.contains(&Element::Successors) {
        return w.raw("  result.addSuccessors(fullSuccessors);\n");
    }
    for successor in cx.op.successors() {
        let plural = if successor.is_variadic() { "s" } else { "" };
        writeln!(w, "  result.addSuccessors({}Successor{plural});", successor.name);
    }
}

fn emit_segment_sizes(cx: Cx<'_, '_>, w: &mut Writer) {
    if !cx.format.has_all_operands {
        if cx.has_op_trait("AttrSizedOperandSegments") {
            let sizes = cx.op.operands().iter().map(|operand| {
                let is_one = Length::of(operand.constraint) == Length::One;
                Size { name: operand.name, suffix: "Operands", is_one }
            });
            let name = spellings::operand_segments.of(w.rules());
            emit_sizes(cx, name, "::llvm::copy(::llvm::ArrayRef", join(sizes, ", "), w);
        }
        for operand in cx.op.operands() {
            if let Some(segments) = operand.constraint.segment_attribute() {
                emit_group_sizes(cx, operand.name, segments, w);
            }
        }
    }
    if !cx.format.has_all_result_types && cx.has_op_trait("AttrSizedResultSegments") {
        let sizes = cx.op.results().iter().map(|result| {
            let is_one = Length::of(result.constraint) == Length::One;
            Size { name: result.name, suffix: "Types", is_one }
        });
        let copy = spellings::copy_result_sizes.of(w.rules());
        let name = spellings::result_segments.of(w.rules());
        emit_sizes(cx, name, copy, join(sizes, ", "), w);
    }
}

/// The number of values of an operand or result.
struct Size<'a> {
    name: &'a str,
    suffix: &'a str,
    is_one: bool,
}

impl Display for Size<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_one {
            return f.write_str("1");
        }
        write!(f, "static_cast<int32_t>({}{}.size())", self.name, self.suffix)
    }
}

fn emit_sizes(cx: Cx<'_, '_>, name: &str, copy: &str, sizes: impl Display, w: &mut Writer) {
    let class = cx.class_name();
    if cx.op.dialect().uses_properties_for_attributes() {
        writeln!(
            w,
            "{copy}<int32_t>({{{sizes}}}), \
             result.getOrAddProperties<{class}::Properties>().{name}.begin());"
        );
    } else {
        writeln!(
            w,
            "  result.addAttribute(\"{name}\", parser.getBuilder().{}({{{sizes}}}));",
            spellings::make_segments.of(w.rules())
        );
    }
}

fn emit_group_sizes(cx: Cx<'_, '_>, operand: &str, segments: &str, w: &mut Writer) {
    let class = cx.class_name();
    let make = spellings::make_run_lengths.of(w.rules());
    let sizes = format_args!("parser.getBuilder().{make}({operand}OperandGroupSizes)");
    if cx.op.dialect().uses_properties_for_attributes() {
        writeln!(w, "  result.getOrAddProperties<{class}::Properties>().{segments} = {sizes};");
    } else {
        writeln!(w, "  result.addAttribute(\"{segments}\", {sizes});");
    }
}

/// The types of results and operands as C++.
struct Types<'a, 'r> {
    cx: Cx<'a, 'r>,
    /// Calls that build types, each once; `odsBuildableType0` and so on hold their results.
    buildable: Vec<&'r str>,
}

impl<'a, 'r> Types<'a, 'r> {
    fn new(cx: Cx<'a, 'r>) -> Self {
        let mut buildable = Vec::new();
        for source in cx.format.result_types.iter().chain(&cx.format.operand_types) {
            if let TypeSource::Buildable(call) = source
                && !buildable.contains(call)
            {
                buildable.push(*call);
            }
        }
        Types { cx, buildable }
    }

    fn emit_buildable(&self, w: &mut Writer) {
        for (index, call) in self.buildable.iter().enumerate() {
            let call = substitute(call, &[("_builder", "parser.getBuilder()")]);
            writeln!(w, "  ::mlir::Type odsBuildableType{index} = {call};");
        }
    }

    /// Writes a check for each variable whose type is transformed to another one: the user's code relies on it.
    fn emit_checks(&self, w: &mut Writer) {
        let format = self.cx.format;
        let mut checked: Vec<Variable<'r>> = Vec::new();
        for source in format.result_types.iter().chain(&format.operand_types) {
            let TypeSource::Variable(variable, Some(_)) = source else { continue };
            let is_value = matches!(variable.kind, VariableKind::Operand | VariableKind::Result);
            if is_value && !checked.contains(variable) {
                checked.push(*variable);
                self.emit_check(*variable, w);
            }
        }
    }

    fn emit_check(&self, variable: Variable<'r>, w: &mut Writer) {
        let constraint = self.cx.constraint(variable).constraint();
        let condition = constraint.condition();
        let condition = substitute(&condition, &[("_self", "type")]);
        let name = variable.name;
        w.fill(CHECK, &[("name", &name), ("condition", &condition), ("summary", &constraint.summary())]);
    }

    fn emit_results(&self, w: &mut Writer) {
        let format = self.cx.format;
        if format.has_all_result_types {
            return w.raw("  result.addTypes(allResultTypes);\n");
        }
        if format.infers_result_types {
            return;
        }
        for (result, source) in self.cx.op.results().iter().zip(&format.result_types) {
            w.raw("  result.addTypes(");
            self.emit_types(result.name, source, w);
            w.raw(");\n");
        }
    }

    fn emit_operands(&self, w: &mut Writer) {
        let format = self.cx.format;
        let operands = self.cx.op.operands();
        if operands.is_empty() {
            return;
        }
        if format.has_all_operands {
            return self.emit_all_operands(w);
        }
        if format.has_all_operand_types {
            let lists = operands.iter().map(|operand| format!("{}Operands", operand.name));
            let lists =
                concat(&format!("const {}", spellings::UnresolvedOperand.of(w.rules())), lists.collect());
            let arguments = format_args!("{lists}, allOperandTypes, parser.getNameLoc()");
            w.raw(spellings::before_resolution.of(w.rules()));
            return emit_or_fail(format_args!("parser.resolveOperands({arguments}, result.operands)"), w);
        }
        for (operand, source) in operands.iter().zip(&format.operand_types) {
            let name = operand.name;
            let rules = self.cx.op.rules();
            let is_guarded = operand.constraint.is_optional()
                && rules.has(Change::AbsentOperandsNotResolved)
                && !(rules.has(Change::AbsentOperandsResolved) && *source == TypeSource::Format);
            if is_guarded {
                writeln!(w, "  if (!{name}Operands.empty()) {{");
            }
            w.raw(spellings::before_resolution.of(rules));
            write!(w, "  if (parser.resolveOperands({name}Operands, ");
            self.emit_type(name, source, w);
            let has_place = w.rules().has(Change::PlacesOfOperands) || !self.is_one_type(source);
            let place = if has_place { format!(", {name}OperandsLoc") } else { String::new() };
            writeln!(w, "{place}, result.operands))\n    return ::mlir::failure();");
            w.raw(if is_guarded { "  }\n" } else { "" });
        }
    }

    /// Returns whether a type is a single one, of another variable or buildable, rather than a list.
    fn is_one_type(&self, source: &TypeSource<'r>) -> bool {
        match source {
            TypeSource::Buildable(_) => true,
            TypeSource::Variable(variable, None) => {
                variable.kind != VariableKind::Attribute && !self.cx.constraint(*variable).is_variadic()
            }
            TypeSource::Variable(_, Some(_)) | TypeSource::Format | TypeSource::Inferred => false,
        }
    }

    fn emit_all_operands(&self, w: &mut Writer) {
        let format = self.cx.format;
        w.raw(spellings::before_resolution.of(w.rules()));
        w.raw("  if (parser.resolveOperands(allOperands, ");
        let operands = self.cx.op.operands();
        if format.has_all_operand_types {
            w.raw("allOperandTypes");
        } else if let ([operand], [source]) = (operands, format.operand_types.as_slice()) {
            self.emit_types(operand.name, source, w);
        } else {
            w.raw(spellings::concat_types.of(w.rules()));
            for (index, (operand, source)) in operands.iter().zip(&format.operand_types).enumerate() {
                w.raw(if index > 0 { ", " } else { "" });
                w.raw("::llvm::ArrayRef<::mlir::Type>(");
                self.emit_types(operand.name, source, w);
                w.raw(")");
            }
            w.raw(")");
        }
        w.raw(", allOperandLoc, result.operands))\n    return ::mlir::failure();\n");
    }

    /// Writes the type of an operand or result, or the list with it where both are valid.
    fn emit_types(&self, name: &str, source: &TypeSource<'r>, w: &mut Writer) {
        match source {
            TypeSource::Variable(variable, None)
                if variable.kind != VariableKind::Attribute && !w.rules().has(Change::SingleKnownTypes) =>
            {
                write!(w, "{}Types", variable.name);
            }
            _ => self.emit_type(name, source, w),
        }
    }

    /// Writes the type of an operand or result.
    fn emit_type(&self, name: &str, source: &TypeSource<'r>, w: &mut Writer) {
        match source {
            TypeSource::Format => write!(w, "{name}Types"),
            TypeSource::Buildable(call) => {
                let index = self.buildable.iter().position(|known| known == call).unwrap_or_default();
                write!(w, "odsBuildableType{index}");
            }
            TypeSource::Variable(variable, None) => w.raw(&self.type_of(*variable)),
            TypeSource::Variable(variable, Some(transformer)) => {
                let ty = self.type_of(*variable);
                let context = spellings::parser_context.of(w.rules());
                let names = [("_self", ty.as_str()), ("_ctxt", context)];
                // As in the reference, there is no context if the type is an attribute's.
                let known = if variable.kind == VariableKind::Attribute { 1 } else { names.len() };
                w.display(substitute(transformer, &names[..known]));
            }
            TypeSource::Inferred => {}
        }
    }

    /// Returns the type of a variable that has been parsed.
    fn type_of(&self, variable: Variable<'r>) -> String {
        let name = variable.name;
        match variable.kind {
            VariableKind::Attribute => format!("{name}Attr.getType()"),
            _ if self.cx.constraint(variable).is_variadic() => format!("{name}Types"),
            _ => format!("{name}Types[0]"),
        }
    }
}

const CHECK: Template = Template(
    r#"
  for (::mlir::Type type : @{name}Types) {
    (void)type;
    if (!(@condition)) {
      return parser.emitError(parser.getNameLoc()) << "'@name' must be @summary, but got " << type;
    }
  }
"#,
);

/// Concatenates lists; a single one stays as it is.
fn concat(element: &str, lists: Vec<String>) -> String {
    match lists.as_slice() {
        [list] => list.clone(),
        _ => format!("::llvm::concat<{element}>({})", lists.join(", ")),
    }
}
