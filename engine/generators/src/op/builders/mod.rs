//! Builders: `build`, each followed by its two `create`. In this order: custom ones; default ones that take each
//! operand and attribute ([`separate`]), first with attributes as they are stored and then by value; those that take
//! all operands at once ([`collective`]).
//!
//! The default ones have forms with a type for each result, without types where they can be inferred, and with all
//! types at once. A method replaces another one whose calls it accepts ([`Class::method`]).

mod collective;
mod parameters;
mod separate;

use std::{borrow::Cow, rc::Rc};

use super::{attributes::can_be_set_by_value, info::OpInfo};
use crate::cpp::{BodyFn, Class, Method, Parameter, Template, Writer, join, substitute};
use collective::{Collective, add_collective};
pub(super) use collective::{add_division, divides_attributes};
use odsmith_ods::{Attribute, builder};
use odsmith_release::Change;
use odsmith_tablegen::diagnostic::Diagnostic;
use separate::add_separate;

/// Adds the custom builders.
pub(super) fn add_custom_builders<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    for builder in op.op.builders() {
        add_custom(op, builder, class);
    }
}

/// Returns whether an earlier custom builder accepts every call of another one.
///
/// # Errors
/// A parameter is neither a string nor a `CArg`.
pub(super) fn has_superfluous(op: &OpInfo<'_>) -> Result<bool, Diagnostic> {
    let mut class = Class::new(op.class);
    for builder in op.op.builders() {
        builder.check_types()?;
        // A builder without a body can be left out: no code is lost.
        let may_be_left_out = builder.body().is_none() && !op.rules().has(Change::RefusedSuperfluousBuilders);
        if !add_custom(op, builder, &mut class) && !may_be_left_out {
            return Ok(true);
        }
    }
    Ok(false)
}

pub(super) fn add_builders<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    add_custom_builders(op, class);
    if op.op.skips_default_builders() {
        return;
    }
    let has_values = op.op.natural_attributes().iter().any(|named| can_be_set_by_value(named.attribute));
    let forms: &[AttributeForm] =
        if has_values { &[AttributeForm::Stored, AttributeForm::Value] } else { &[AttributeForm::Stored] };
    let is_inferred = op.op.all_result_types_known();
    for form in forms {
        add_separate(op, *form, ResultForm::Separate, class);
        if is_inferred && (op.op.regions().is_empty() || op.rules().has(Change::InferenceWithRegions)) {
            add_separate(op, *form, ResultForm::Inferred, class);
        }
        add_separate(op, *form, ResultForm::Collective, class);
    }
    // Inference from all operands at once ignores successors.
    let is_inferred = is_inferred && op.op.successors().is_empty();
    let takes_properties = op.rules().has(Change::PropertiesBuilders);
    let collective_forms: &[Collective] = match op.has_properties && takes_properties {
        true => &[Collective::Attributes, Collective::Properties],
        false => &[Collective::Attributes],
    };
    for form in collective_forms {
        let is_added = add_collective(op, ResultForm::Collective, *form, class);
        let is_inferred_here =
            op.op.regions().is_empty() || op.rules().has(Change::CollectiveInferenceWithRegions);
        if is_added && is_inferred && is_inferred_here {
            add_collective(op, ResultForm::Inferred, *form, class);
        }
    }
    // If types are inferred, most of the following builders are redundant.
    if op.op.variable_length_results().next().is_some() {
        return;
    }
    if op.op.has_trait("::mlir::OpTrait::SameOperandsAndResultType") {
        let has_values = op.rules().has(Change::SameTypesInferred);
        for form in if has_values { forms } else { &forms[..1] } {
            add_separate(op, *form, ResultForm::OfFirstOperand, class);
        }
        for form in collective_forms {
            add_collective(op, ResultForm::OfFirstOperand, *form, class);
        }
    }
    let is_derived = op.op.has_trait("::mlir::OpTrait::FirstAttrDerivedResultType");
    if is_derived && !op.op.natural_attributes().is_empty() {
        // As in the reference, this builder takes properties even if there are none.
        add_collective(op, ResultForm::OfFirstAttribute, Collective::Attributes, class);
        if takes_properties {
            add_collective(op, ResultForm::OfFirstAttribute, Collective::Properties, class);
        }
    }
}

/// The form in which a builder takes attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AttributeForm {
    /// The stored attribute.
    Stored,
    /// The C++ value, if there is one.
    Value,
}

impl AttributeForm {
    /// Returns whether the builder takes an attribute by value.
    fn takes_value(self, attribute: Attribute<'_>) -> bool {
        self == AttributeForm::Value && can_be_set_by_value(attribute)
    }
}

/// The form in which a builder takes result types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ResultForm {
    Separate,
    Collective,
    Inferred,
    OfFirstOperand,
    OfFirstAttribute,
}

/// Returns a builder whose parameter for the C++ builder has this name.
fn builder<'a>(builder_name: &'static str) -> Method<'a> {
    Method::new("void", "build").as_static().preallocated().parameter("::mlir::OpBuilder &", builder_name)
}

/// Adds a builder and the functions that create an operation by it; `parameters` come after builder and state, and
/// `deprecated` is the deprecation of all of them. Returns whether the builder was added.
fn add<'a>(
    op: &'a OpInfo<'a>,
    build: Method<'a>,
    parameters: Vec<Parameter<'a>>,
    body: Option<BodyFn<'a>>,
    deprecated: Option<&'a str>,
    class: &mut Class<'a>,
) -> bool {
    let build = Method { deprecated: deprecated.or(build.deprecated), ..build };
    let build =
        build.parameter("::mlir::OperationState &", "odsState").parameters(parameters.iter().cloned());
    let is_added = class.method(match body {
        Some(body) => build.defined(body),
        None => build,
    });

    if op.rules().has(Change::CreateFunctions) {
        add_create(op, parameters, deprecated, class);
    }
    is_added
}

/// Adds the functions that create an operation by a builder: with a location, and with the location of the builder.
fn add_create<'a>(
    op: &'a OpInfo<'a>,
    parameters: Vec<Parameter<'a>>,
    deprecated: Option<&'a str>,
    class: &mut Class<'a>,
) {
    let arguments: Rc<[Cow<'a, str>]> = parameters.iter().map(|parameter| parameter.name.clone()).collect();
    let forwarded = Rc::clone(&arguments);
    let mut location = "location".to_owned();
    while arguments.iter().any(|name| *name == location) {
        location.push('_');
    }
    let create = Method::new(op.class, "create")
        .as_static()
        .preallocated()
        .parameter("::mlir::OpBuilder &", "builder")
        .parameter("::mlir::Location", location.clone())
        .parameters(parameters.iter().cloned());
    let create = Method { deprecated, ..create };
    class.method(create.defined(move |w| {
        w.line(format_args!("::mlir::OperationState __state__({location}, getOperationName());"));
        w.margin();
        w.raw("build(builder, __state__");
        emit_forwarded(&forwarded, w);
        w.raw(");\n");
        let is_checked_first = w.rules().has(Change::CheckedBeforeCast);
        w.fill(if is_checked_first { CHECK_AND_CAST } else { CAST_AND_CHECK }, &[("class", &op.class)]);
    }));
    let create = Method::new(op.class, "create")
        .as_static()
        .preallocated()
        .parameter("::mlir::ImplicitLocOpBuilder &", "builder")
        .parameters(parameters);
    let create = Method { deprecated, ..create };
    class.method(create.defined(move |w| {
        w.margin();
        w.raw("return create(builder, builder.getLoc()");
        emit_forwarded(&arguments, w);
        w.raw(");\n");
    }));
}

const CAST_AND_CHECK: Template = Template(
    r#"
auto __res__ = ::llvm::dyn_cast<@class>(builder.create(__state__));
assert(__res__ && "builder didn't return the right type");
return __res__;
"#,
);

const CHECK_AND_CAST: Template = Template(
    r#"
auto __res__ = builder.create(__state__);
assert((::llvm::isa<@class>(__res__)) && "builder didn't return the right type");
return ::llvm::cast<@class>(__res__);
"#,
);

fn emit_forwarded(arguments: &[Cow<'_, str>], w: &mut Writer) {
    let is_forwarded = w.rules().has(Change::ForwardedArguments);
    for name in arguments {
        match is_forwarded {
            true => write!(w, ", std::forward<decltype({name})>({name})"),
            false => write!(w, ", {name}"),
        }
    }
}

/// Adds a custom builder. Returns whether it was added: not if another one accepts all its calls.
fn add_custom<'a>(op: &'a OpInfo<'a>, definition: &'a builder::Builder<'a>, class: &mut Class<'a>) -> bool {
    let parameters = definition.parameters.iter().enumerate().map(|(index, parameter)| {
        let name = parameter.name.map_or_else(|| format!("odsArg{index}").into(), Cow::Borrowed);
        let default = parameter.default_value.map(|default| parameters::filled_default(op, default));
        let is_dense = !op.rules().has(Change::SpacedMembers);
        Parameter { default, is_dense, ..Parameter::new(parameter.cpp_type, name) }
    });
    let body = definition.body().map(|body| -> BodyFn<'a> {
        Box::new(move |w| {
            let names = [("_builder", "odsBuilder"), ("_state", "odsState")];
            let start = w.position();
            w.display(substitute(body, &names));
            if w.rules().has(Change::SpacedMembers) {
                w.empty_blank_lines(start);
            } else if !w.since(start).ends_with('\n') {
                w.raw("\n");
            }
        })
    });
    let build = Method {
        deprecated: definition.deprecated(),
        is_apart: !op.rules().has(Change::CustomBuildersCount),
        ..builder("odsBuilder")
    };
    add(op, build, parameters.collect(), body, None, class)
}

/// Writes code that gives all results the same type.
fn emit_repeated_type(op: &OpInfo<'_>, ty: &str, w: &mut Writer) {
    let types = op.op.results().iter().map(|_| ty);
    w.line(format_args!("odsState.addTypes({{{}}});", join(types, ", ")));
}

/// Writes a check of the number of types, unless any number is valid.
fn emit_result_count(op: &OpInfo<'_>, types: &str, what: &str, w: &mut Writer) {
    let variadic = op.op.variable_length_results().count();
    emit_count(op.op.results().len(), variadic, types, what, w);
}

fn emit_count(count: usize, variadic: usize, values: &str, what: &str, w: &mut Writer) {
    let (fixed, comparison) = (count - variadic, if variadic > 0 { ">=" } else { "==" });
    if variadic == 0 || fixed > 0 {
        w.line(format_args!(
            r#"assert({values}.size() {comparison} {fixed}u && "mismatched number of {what}");"#
        ));
    }
}
