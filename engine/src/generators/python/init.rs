//! `__init__`: results unless they are inferred, arguments, successors, the number of variadic regions; after `*` what
//! may be left out.

use super::{accessors::is_unit, names, op};
use crate::{
    cpp::{Template, Writer},
    ods::{Argument, NamedAttribute, Operation, TypeConstraint},
};

/// The parameters of `__init__`, by the names that Python knows them by.
pub(super) struct Init {
    results: Vec<String>,
    /// One for each of the operation's arguments.
    arguments: Vec<String>,
    successors: Vec<String>,
    /// The name of the variadic region's number.
    region_count: Option<String>,
    positional: Vec<String>,
    keywords: Vec<String>,
    inference: Option<Inference>,
}

/// How result types are found if none are given.
#[derive(Clone, Copy)]
enum Inference {
    FirstOperand,
    FirstAttribute,
    /// By the operation itself.
    Interface,
}

impl Init {
    pub(super) fn of(op: &Operation<'_>) -> Self {
        let results = op.results().iter().enumerate().map(|(index, result)| match result.name {
            "" if op.results().len() == 1 => "result".to_owned(),
            "" => format!("_gen_res_{index}"),
            name => names::identifier(name),
        });
        let mut init = Init {
            results: results.collect(),
            arguments: Vec::new(),
            successors: Vec::new(),
            region_count: None,
            positional: Vec::new(),
            keywords: Vec::new(),
            inference: Inference::of(op),
        };
        if init.inference.is_none() {
            init.positional.clone_from(&init.results);
        }
        for (index, argument) in op.arguments().iter().enumerate() {
            let (name, is_optional) = match *argument {
                Argument::Operand(index) => {
                    let operand = op.operands()[index];
                    (operand.name, operand.constraint.is_optional())
                }
                Argument::Attribute(index) => {
                    let NamedAttribute { name, attribute, .. } = op.attributes()[index];
                    (name, attribute.is_optional() || attribute.default_value().is_some())
                }
                Argument::Property(index) => (op.properties()[index].name, false),
            };
            let name = if name.is_empty() { format!("_gen_arg_{index}") } else { names::identifier(name) };
            if is_optional { &mut init.keywords } else { &mut init.positional }.push(name.clone());
            init.arguments.push(name);
        }
        for (index, successor) in op.successors().iter().enumerate() {
            init.successors.push(match successor.name {
                "" => format!("_gen_successor_{index}"),
                name => names::identifier(name),
            });
        }
        init.positional.extend_from_slice(&init.successors);
        if let Some(region) = op.regions().iter().find(|region| region.is_variadic()) {
            let mut name = region.name.to_owned();
            if let Some(first) = name.get_mut(..1) {
                first.make_ascii_lowercase();
            }
            let name = names::identifier(&format!("num_{name}"));
            init.positional.push(name.clone());
            init.region_count = Some(name);
        }
        if init.inference.is_some() {
            init.keywords.push("results".to_owned());
        }
        init.keywords.extend(["loc".to_owned(), "ip".to_owned()]);
        init
    }

    /// The list of parameters, under names that `rename` gives them.
    pub(super) fn parameters(&self, rename: impl Fn(&str) -> String) -> String {
        let positional = self.positional.iter().map(|name| rename(name));
        let keywords = self.keywords.iter().map(|name| format!("{}=None", rename(name)));
        positional.chain(["*".to_owned()]).chain(keywords).collect::<Vec<_>>().join(", ")
    }

    /// All parameters, in order.
    pub(super) fn arguments(&self) -> Vec<&str> {
        self.positional.iter().chain(&self.keywords).map(String::as_str).collect()
    }
}

impl Inference {
    fn of(op: &Operation<'_>) -> Option<Self> {
        let has = |name| op.has_trait(name);
        let is_fixed = op.variable_length_results().next().is_none();
        if is_fixed && has("::mlir::OpTrait::SameOperandsAndResultType") {
            Some(Inference::FirstOperand)
        } else if is_fixed && has("::mlir::OpTrait::FirstAttrDerivedResultType") {
            Some(Inference::FirstAttribute)
        } else if op.regions().is_empty() && has("::mlir::InferTypeOpInterface::Trait") {
            Some(Inference::Interface)
        } else {
            None
        }
    }
}

pub(super) fn emit(op: &Operation<'_>, init: &Init, w: &mut Writer) {
    w.blank();
    w.line(format_args!("def __init__(self, {}):", init.parameters(str::to_owned)));
    w.indented(|w| {
        w.fill(START, &[]);
        emit_operands(op, init, w);
        w.line("_ods_context = _ods_get_default_loc_context(loc)");
        emit_attributes(op, init, w);
        emit_results(op, init, w);
        emit_successors(op, init, w);
        if let Some(count) = &init.region_count {
            w.line(format_args!("regions = {} + {count}", op.regions().len() - 1));
        }
        w.line(SUPER);
    });
}

const START: Template = Template(
    r#"
operands = []
attributes = {}
regions = None
"#,
);

const SUPER: &str = "super().__init__(self.OPERATION_NAME, self._ODS_REGIONS, self._ODS_OPERAND_SEGMENTS, \
    self._ODS_RESULT_SEGMENTS, attributes=attributes, results=results, operands=operands, successors=_ods_successors, \
    regions=regions, loc=loc, ip=ip)";

fn emit_operands(op: &Operation<'_>, init: &Init, w: &mut Writer) {
    // The reference counts properties as well, so that an operand after one takes another argument's name.
    let names = op.arguments().iter().zip(&init.arguments);
    let names = names.filter(|(argument, _)| !matches!(argument, Argument::Attribute(_)));
    let has_segments = op::has_operand_segments(op);
    for (operand, (_, name)) in op.operands().iter().zip(names) {
        w.line(match operand.constraint {
            ty if ty.is_variadic() && has_segments => {
                format!("operands.append(_get_op_results_or_values({name}))")
            }
            ty if ty.is_variadic() => format!("operands.extend(_get_op_results_or_values({name}))"),
            ty if ty.is_optional() && !has_segments => {
                format!("if {name} is not None: operands.append({name})")
            }
            _ => format!("operands.append({name})"),
        });
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
        w.fill(template, &[("name", name), ("key", &key), ("builder", &names::attribute_builder(attribute))]);
    }
}

const UNIT_ATTRIBUTE: Template = Template(
    r#"
if bool(@name): attributes["@key"] = _ods_ir.UnitAttr.get(
  _ods_get_default_loc_context(loc))
"#,
);

const OPTIONAL_ATTRIBUTE: Template = Template(
    r#"
if @name is not None: attributes["@key"] = (@name if (
    isinstance(@name, _ods_ir.Attribute) or
    not _ods_ir.AttrBuilder.contains('@builder')) else
      _ods_ir.AttrBuilder.get('@builder')(@name, context=_ods_context))
"#,
);

const ATTRIBUTE: Template = Template(
    r#"
attributes["@key"] = (@name if (
isinstance(@name, _ods_ir.Attribute) or
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
            for (result, name) in op.results().iter().zip(&init.results) {
                emit_result(result.constraint, name, op::has_result_segments(op), w);
            }
        }
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

fn emit_successors(op: &Operation<'_>, init: &Init, w: &mut Writer) {
    w.line(if op.successors().is_empty() { "_ods_successors = None" } else { "_ods_successors = []" });
    for (successor, name) in op.successors().iter().zip(&init.successors) {
        let add = if successor.is_variadic() { "extend" } else { "append" };
        w.line(format_args!("_ods_successors.{add}({name})"));
    }
}
