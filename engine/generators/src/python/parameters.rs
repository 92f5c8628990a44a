//! The parameters of `__init__`: results unless they are inferred, arguments, successors, the number of variadic regions;
//! after `*` the optional ones.

use super::{accessors, names};
use odsmith_ods::{Argument, NamedAttribute, Operation, TypeConstraint};
use odsmith_release::Change;

/// The parameters of `__init__`, with their names in Python.
pub(super) struct Init {
    pub(super) results: Vec<String>,
    /// One for each of the operation's arguments.
    pub(super) arguments: Vec<String>,
    pub(super) successors: Vec<String>,
    /// The name of the parameter for the number of variadic regions.
    pub(super) region_count: Option<String>,
    positional: Vec<Parameter>,
    keywords: Vec<Parameter>,
    has_types: bool,
    pub(super) inference: Option<Inference>,
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

    fn untyped(name: &str) -> Self {
        Parameter { name: name.to_owned(), ty: None }
    }
}

/// The source of result types if none are given.
#[derive(Clone, Copy)]
pub(super) enum Inference {
    FirstOperand,
    FirstAttribute,
    /// The operation itself.
    Interface,
}

impl Init {
    pub(super) fn of(op: &Operation<'_>) -> Self {
        let rules = op.rules();
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
            init.positional = positional(&init);
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
                name => names::identifier(name, op.rules()),
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
            let name = names::identifier(&format!("num_{name}"), op.rules());
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

impl Inference {
    fn of(op: &Operation<'_>) -> Option<Self> {
        if !op.rules().has(Change::PythonRegions) {
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
pub(super) fn infers_types(op: &Operation<'_>) -> bool {
    op.regions().is_empty() && op.has_trait("::mlir::InferTypeOpInterface::Trait")
}

/// Returns all results and arguments in their order, as older releases take them.
fn positional(init: &Init) -> Vec<Parameter> {
    init.given_results().iter().chain(&init.arguments).map(|name| Parameter::untyped(name)).collect()
}
