//! `__init__`: results unless they are inferred, arguments, successors, the number of variadic regions; after `*` the
//! optional parameters.

use super::{accessors, accessors::is_unit, legacy_init, names, op};
use crate::cpp::{Template, Writer};
use odsmith_ods::{Argument, NamedAttribute, Operation, TypeConstraint};
use odsmith_release::{Change, Rules};

/// The parameters of `__init__`, with their names in Python.
pub(super) struct Init {
    results: Vec<String>,
    /// One for each of the operation's arguments.
    pub(super) arguments: Vec<String>,
    successors: Vec<String>,
    /// The name of the parameter for the number of variadic regions.
    region_count: Option<String>,
    positional: Vec<Parameter>,
    keywords: Vec<Parameter>,
    has_types: bool,
    inference: Option<Inference>,
}

/// A parameter, with its name in Python.
pub(super) struct Parameter {
    name: String,
    /// Its type, if it is known.
    ty: Option<String>,
}

impl Parameter {
    fn new(name: impl Into<String>, ty: impl Into<String>) -> Self {
        Parameter { name: name.into(), ty: Some(ty.into()) }
    }

    pub(super) fn untyped(name: &str) -> Self {
        Parameter { name: name.to_owned(), ty: None }
    }
}

/// The source of result types if none are given.
#[derive(Clone, Copy)]
enum Inference {
    FirstOperand,
    FirstAttribute,
    /// The operation itself.
    Interface,
}

impl Init {
    pub(super) fn of(op: &Operation<'_>) -> Self {
        let rules = rules(op);
        let results = op.results().iter().enumerate().map(|(index, result)| match result.name {
            "" if op.results().len() == 1 => "result".to_owned(),
            "" => format!("_gen_res_{index}"),
            name => names::identifier(name, rules),
        });
        let mut init = Init {
            results: results.collect(),
            arguments: Vec::new(),
            successors: Vec::new(),
            region_count: None,
            positional: Vec::new(),
            keywords: Vec::new(),
            has_types: rules.has(Change::TypedPython),
            inference: Inference::of(op),
        };
        if init.inference.is_none() {
            let results = op.results().iter().zip(&init.results);
            init.positional = results
                .map(|(result, name)| Parameter::new(name, quantified("_ods_ir.Type", result.constraint)))
                .collect();
        }
        for (index, argument) in op.arguments().iter().enumerate() {
            let (name, is_optional, ty) = match *argument {
                Argument::Operand(index) => {
                    let operand = op.operands()[index];
                    let value = accessors::class_of("Value", operand.constraint);
                    match operand.constraint.is_optional() {
                        true => (operand.name, true, Some(value)),
                        false => (operand.name, false, Some(quantified(&value, operand.constraint))),
                    }
                }
                Argument::Attribute(index) => {
                    let NamedAttribute { name, attribute, .. } = op.attributes()[index];
                    let is_optional = attribute.is_optional() || attribute.default_value().is_some();
                    (name, is_optional, Some(names::attribute_argument(attribute)))
                }
                Argument::Property(index) => (op.properties()[index].name, false, None),
            };
            let name =
                if name.is_empty() { format!("_gen_arg_{index}") } else { names::identifier(name, rules) };
            let list = if is_optional { &mut init.keywords } else { &mut init.positional };
            list.push(Parameter { name: name.clone(), ty });
            init.arguments.push(name);
        }
        if !rules.has(Change::PythonKeywords) {
            init.positional = legacy_init::positional(&init);
            init.keywords.clear();
        }
        if rules.has(Change::PythonRegions) {
            init.add_successors(op);
            init.add_region_count(op);
        }
        if init.inference.is_some() && rules.has(Change::PythonResultsArgument) {
            init.keywords.push(Parameter::new("results", "_Sequence[_ods_ir.Type]"));
        }
        init.keywords.push(Parameter::new("loc", "_ods_ir.Location"));
        init.keywords.push(Parameter::new("ip", "_ods_ir.InsertionPoint"));
        init
    }

    fn add_successors(&mut self, op: &Operation<'_>) {
        for (index, successor) in op.successors().iter().enumerate() {
            let name = match successor.name {
                "" => format!("_gen_successor_{index}"),
                name => names::identifier(name, rules(op)),
            };
            let ty = if successor.is_variadic() { "_Sequence[_ods_ir.Block]" } else { "_ods_ir.Block" };
            self.positional.push(Parameter::new(&name, ty));
            self.successors.push(name);
        }
    }

    fn add_region_count(&mut self, op: &Operation<'_>) {
        if let Some(region) = op.regions().iter().find(|region| region.is_variadic()) {
            let mut name = region.name.to_owned();
            if let Some(first) = name.get_mut(..1) {
                first.make_ascii_lowercase();
            }
            let name = names::identifier(&format!("num_{name}"), rules(op));
            self.positional.push(Parameter::new(&name, "int"));
            self.region_count = Some(name);
        }
    }

    /// Returns the names of the results; nothing if they are inferred.
    pub(super) fn given_results(&self) -> &[String] {
        if self.inference.is_none() { &self.results } else { &[] }
    }

    /// Returns the list of parameters, renamed by `rename`.
    pub(super) fn parameters(&self, rename: impl Fn(&str) -> String) -> String {
        let ty = |parameter: &Parameter| parameter.ty.clone().filter(|_| self.has_types);
        let positional = self.positional.iter().map(|parameter| match ty(parameter) {
            Some(ty) => format!("{}: {ty}", rename(&parameter.name)),
            None => rename(&parameter.name),
        });
        let keywords = self.keywords.iter().map(|parameter| match ty(parameter) {
            Some(ty) => format!("{}: _Optional[{ty}] = None", rename(&parameter.name)),
            None => format!("{}=None", rename(&parameter.name)),
        });
        positional.chain(["*".to_owned()]).chain(keywords).collect::<Vec<_>>().join(", ")
    }

    /// Returns all parameters, in order.
    pub(super) fn arguments(&self) -> Vec<&str> {
        self.positional.iter().chain(&self.keywords).map(|parameter| parameter.name.as_str()).collect()
    }
}

/// Returns the type of an operand or result that has one value, an optional one, or several.
fn quantified(class: &str, constraint: TypeConstraint<'_>) -> String {
    if constraint.is_variadic() {
        format!("_Sequence[{class}]")
    } else if constraint.is_optional() {
        format!("_Optional[{class}]")
    } else {
        class.to_owned()
    }
}

pub(super) fn rules<'r>(op: &Operation<'r>) -> &'r Rules {
    op.rec().records().rules()
}

impl Inference {
    fn of(op: &Operation<'_>) -> Option<Self> {
        if !rules(op).has(Change::PythonRegions) {
            return None;
        }
        let has = |name| op.has_trait(name);
        let is_fixed = op.variable_length_results().next().is_none();
        if is_fixed && has("::mlir::OpTrait::SameOperandsAndResultType") {
            Some(Inference::FirstOperand)
        } else if is_fixed && has("::mlir::OpTrait::FirstAttrDerivedResultType") {
            Some(Inference::FirstAttribute)
        } else if infers_types(op) {
            Some(Inference::Interface)
        } else {
            None
        }
    }
}

/// Returns whether the operation can infer the types of its results.
fn infers_types(op: &Operation<'_>) -> bool {
    op.regions().is_empty() && op.has_trait("::mlir::InferTypeOpInterface::Trait")
}

pub(super) fn emit(op: &Operation<'_>, init: &Init, w: &mut Writer) {
    w.blank();
    w.line(format_args!("def __init__(self, {}):", init.parameters(str::to_owned)));
    if !w.rules().has(Change::PythonRegions) {
        return w.indented(|w| legacy_init::emit(op, init, w));
    }
    w.indented(|w| {
        let takes_results = w.rules().has(Change::PythonResultsArgument);
        w.line("operands = []");
        if !takes_results {
            w.line("results = []");
        }
        w.line("attributes = {}");
        w.line("regions = None");
        emit_operands(op, init, w);
        match w.rules().has(Change::PythonAttributeBuilders) {
            true => {
                w.line(CONTEXT);
                emit_attributes(op, init, w);
            }
            false => legacy_init::emit_attributes(op, init, w),
        }
        match takes_results {
            true => emit_results(op, init, w),
            false => emit_inferred_results(op, init, w),
        }
        emit_successors(op, init, w);
        if let Some(count) = &init.region_count {
            w.line(format_args!("regions = {} + {count}", op.regions().len() - 1));
        }
        if !w.rules().has(Change::PythonInfersInBase) {
            return w.fill(legacy_init::SUPER, &[]);
        }
        let has_results = takes_results || !infers_types(op);
        w.fill(SUPER, &[("results", &if has_results { "results=results, " } else { "" })]);
    });
}

const SUPER: Template = Template(
    "super().__init__(@{python_super}attributes=attributes, @{results}operands=operands, \
     successors=_ods_successors, regions=regions, loc=loc, ip=ip@python_super_end\n",
);

pub(super) const CONTEXT: &str = "_ods_context = _ods_get_default_loc_context(loc)";

fn emit_operands(op: &Operation<'_>, init: &Init, w: &mut Writer) {
    // The reference counts properties as well, so that an operand after a property takes another argument's name.
    let names = op.arguments().iter().zip(&init.arguments);
    let names = names.filter(|(argument, _)| !matches!(argument, Argument::Attribute(_)));
    let has_segments = op::has_operand_segments(op);
    let rules = *w.rules();
    for (operand, (_, name)) in op.operands().iter().zip(names) {
        let value = operand_value(name, &rules);
        w.line(match operand.constraint {
            ty if ty.is_variadic() && has_segments => {
                format!("operands.append(_get_op_results_or_values({name}))")
            }
            ty if ty.is_variadic() => format!("operands.extend(_get_op_results_or_values({name}))"),
            ty if ty.is_optional() && !has_segments => {
                format!("if {name} is not None: operands.append({value})")
            }
            ty if ty.is_optional() && !rules.has(Change::PythonOperandsAreValues) => {
                format!("operands.append({value} if {name} is not None else None)")
            }
            _ => format!("operands.append({value})"),
        });
    }
}

/// Returns a single operand, or the result of an operation that is passed as one.
fn operand_value(name: &str, rules: &Rules) -> String {
    match rules.has(Change::PythonOperandsAreValues) {
        true => name.to_owned(),
        false => format!("_get_op_result_or_value({name})"),
    }
}

fn emit_attributes(op: &Operation<'_>, init: &Init, w: &mut Writer) {
    for (argument, name) in op.arguments().iter().zip(&init.arguments) {
        let Argument::Attribute(index) = *argument else { continue };
        let NamedAttribute { name: key, attribute, .. } = op.attributes()[index];
        let template = if is_unit(attribute) {
            UNIT_ATTRIBUTE
        } else if attribute.is_optional() || attribute.default_value().is_some() {
            OPTIONAL_ATTRIBUTE
        } else {
            ATTRIBUTE
        };
        w.fill_variant(
            template,
            &[("name", name), ("key", &key), ("builder", &names::attribute_builder(attribute))],
        );
    }
}

pub(super) const UNIT_ATTRIBUTE: Template = Template(
    r#"
if bool(@name): attributes["@key"] = _ods_ir.UnitAttr.get(
  _ods_get_default_loc_context(loc))
"#,
);

const OPTIONAL_ATTRIBUTE: Template = Template(
    r#"
if @name is not None: attributes["@key"] = (@name if (
    @python_isinstance@name@python_isinstance_end, _ods_ir.Attribute) or
    not _ods_ir.AttrBuilder.contains('@builder')) else
      _ods_ir.AttrBuilder.get('@builder')(@name, context=_ods_context))
"#,
);

const ATTRIBUTE: Template = Template(
    r#"
attributes["@key"] = (@name if (
@python_isinstance@name@python_isinstance_end, _ods_ir.Attribute) or
not _ods_ir.AttrBuilder.contains('@builder')) else
  _ods_ir.AttrBuilder.get('@builder')(@name, context=_ods_context))
"#,
);

fn emit_results(op: &Operation<'_>, init: &Init, w: &mut Writer) {
    let count = op.results().len();
    match init.inference {
        Some(Inference::FirstOperand) => {
            w.line(format_args!("if results is None: results = [operands[0].type] * {count}"));
        }
        Some(Inference::FirstAttribute) => {
            let source = op.attributes().first().map_or("", |attribute| attribute.name);
            w.fill(FIRST_ATTRIBUTE_TYPE, &[("source", &source), ("count", &count)]);
        }
        Some(Inference::Interface) => {}
        None => {
            w.line("results = []");
            emit_given_results(op, init, w);
        }
    }
}

/// Writes the results in releases where inferable types cannot be given; the list exists already.
fn emit_inferred_results(op: &Operation<'_>, init: &Init, w: &mut Writer) {
    let count = op.results().len();
    match init.inference {
        Some(Inference::FirstOperand) => {
            w.line(format_args!("results.extend([operands[0].type] * {count})"));
        }
        Some(Inference::FirstAttribute) => {
            let source = op.attributes().first().map_or("", |attribute| attribute.name);
            w.fill(EXTENDED_BY_FIRST_ATTRIBUTE, &[("source", &source), ("count", &count)]);
        }
        Some(Inference::Interface) if !w.rules().has(Change::PythonInfersInBase) => {
            legacy_init::emit_inference(op, w);
        }
        Some(Inference::Interface) => {}
        None => emit_given_results(op, init, w),
    }
}

pub(super) fn emit_given_results(op: &Operation<'_>, init: &Init, w: &mut Writer) {
    for (result, name) in op.results().iter().zip(&init.results) {
        emit_result(result.constraint, name, op::has_result_segments(op), w);
    }
}

fn emit_result(ty: TypeConstraint<'_>, name: &str, has_segments: bool, w: &mut Writer) {
    w.line(if ty.is_optional() {
        format!("if {name} is not None: results.append({name})")
    } else if ty.is_variadic() && !has_segments {
        format!("results.extend({name})")
    } else {
        format!("results.append({name})")
    });
}

const FIRST_ATTRIBUTE_TYPE: Template = Template(
    r#"
if results is None:
  _ods_result_type_source_attr = attributes["@source"]
  _ods_derived_result_type = (
    _ods_ir.TypeAttr(_ods_result_type_source_attr).value
    if isinstance(_ods_result_type_source_attr, _ods_ir.TypeAttr) else
    _ods_result_type_source_attr.type)
  results = [_ods_derived_result_type] * @count
"#,
);

const EXTENDED_BY_FIRST_ATTRIBUTE: Template = Template(
    r#"
_ods_result_type_source_attr = attributes["@source"]
_ods_derived_result_type = (
    _ods_ir.TypeAttr(_ods_result_type_source_attr).value
    if _ods_ir.TypeAttr.isinstance(_ods_result_type_source_attr) else
    _ods_result_type_source_attr.type)
results.extend([_ods_derived_result_type] * @count)
"#,
);

fn emit_successors(op: &Operation<'_>, init: &Init, w: &mut Writer) {
    w.line(if op.successors().is_empty() { "_ods_successors = None" } else { "_ods_successors = []" });
    for (successor, name) in op.successors().iter().zip(&init.successors) {
        let add = if successor.is_variadic() { "extend" } else { "append" };
        w.line(format_args!("_ods_successors.{add}({name})"));
    }
}
