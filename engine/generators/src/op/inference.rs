//! `inferReturnTypes`, if all result types follow from operands, attributes or buildable types.

use super::{info::OpInfo, interfaces};
use crate::cpp::{Class, Writer, substitute};
use odsmith_ods::{Argument, infer::Inference};
use odsmith_release::{Change, Rules, spellings};
use odsmith_tablegen::{diagnostic::Diagnostic, record::Rec};

pub(super) fn add_inference<'a>(op: &'a OpInfo<'a>, class: &mut Class<'a>) {
    if !is_generated(op) {
        return;
    }
    // The library's interface defines its signature.
    let interface = op.op.inference_interface();
    if let Some(method) = interface.and_then(|interface| interface.methods().into_iter().next()) {
        class.method(interfaces::declaration(method).defined(|w| emit(op, w)));
    }
}

/// Returns the properties among the arguments of `inferReturnTypes`, on a line of their own; nothing in releases
/// without properties.
pub(super) fn properties_argument(state: &str, indent: usize, rules: &Rules) -> String {
    match rules.has(Change::Properties) {
        true => format!("\n{:indent$}{state}.getRawProperties(),", ""),
        false => String::new(),
    }
}

/// Returns whether generated code infers the types: not if the user names the interface itself.
fn is_generated(op: &OpInfo<'_>) -> bool {
    let types = op.op.result_types();
    op.op.all_result_types_known()
        && !types.is_empty()
        && types.iter().all(|inference| *inference != Inference::Unknown)
        && !op.op.brings_inference()
}

fn emit(op: &OpInfo<'_>, w: &mut Writer) {
    let types = op.op.result_types();
    w.line(format_args!("inferredReturnTypes.resize({});", types.len()));
    w.line("::mlir::Builder odsBuilder(context);");
    if !op.rules().has(Change::InferenceByTransformers) {
        return emit_equal(op, w);
    }
    let last = types.iter().filter_map(|inference| match Source::of(op, inference)? {
        Source::Operand(index) => Some(index),
        Source::Result(_) | Source::Attribute(_) => None,
    });
    if let Some(last) = last.max().filter(|_| op.rules().has(Change::InferenceCountsOperands)) {
        w.line(format_args!("if (operands.size() <= {last})"));
        w.line("  return ::mlir::failure();");
    }

    // The variable of each result, in the order in which types become known.
    let mut variables: Vec<Option<usize>> = vec![None; types.len()];
    // The value of `$_self` where a type is built: as in the reference, the previous type.
    let mut own: Option<String> = None;
    let build = |call: &str, own: &Option<String>| {
        let own = own.as_deref().map(|own| ("_self", own));
        substitute(call, &NAMES.into_iter().chain(own).collect::<Vec<_>>()).to_string()
    };
    let mut count = 0;
    while variables.contains(&None) {
        let before = count;
        for (index, inference) in types.iter().enumerate() {
            if variables[index].is_some() {
                continue;
            }
            let (source, transform) = match inference {
                Inference::Unknown => continue,
                Inference::Buildable(call) => (build(call, &own), None),
                Inference::FromOperand(_) | Inference::From(..) => {
                    let source = match Source::of(op, inference) {
                        Some(Source::Operand(index)) => format!("operands[{index}].getType()"),
                        Some(Source::Result(other)) => match (types[other], variables[other]) {
                            // The type is built a second time.
                            (Inference::Buildable(call), _) => build(call, &own),
                            (_, Some(variable)) => format!("odsInferredType{variable}"),
                            (_, None) => continue,
                        },
                        Some(Source::Attribute(name)) => emit_attribute_type(op, name, count, w),
                        None => String::new(),
                    };
                    let transform = match inference {
                        Inference::From(_, transform) => *transform,
                        _ => None,
                    };
                    (source, transform)
                }
            };
            let value = match transform {
                Some(transform) => {
                    let names = [NAMES[0], NAMES[1], ("_self", source.as_str())];
                    substitute(transform, &names).to_string()
                }
                None => source.clone(),
            };
            own = Some(source);
            w.line(format_args!("::mlir::Type odsInferredType{count} = {value};"));
            variables[index] = Some(count);
            count += 1;
        }
        if count == before {
            break;
        }
    }
    for (index, variable) in variables.iter().enumerate() {
        let variable = variable.unwrap_or_default();
        w.line(format_args!("inferredReturnTypes[{index}] = odsInferredType{variable};"));
    }
    w.line("return ::mlir::success();");
}

/// Writes the body in releases where types only follow from equal ones.
fn emit_equal(op: &OpInfo<'_>, w: &mut Writer) {
    let has_variables = op.rules().has(Change::InferredTypeVariables);
    let mut variables: Vec<String> = Vec::new();
    // The constraint identifies each variable, not its text.
    let mut constraints = Vec::new();
    let mut assigned: Vec<usize> = Vec::new();
    for (inference, result) in op.op.result_types().iter().zip(op.op.results()) {
        let mut constraint = None;
        let value = match inference {
            Inference::Buildable(call) => {
                // Constraints with the same predicate and summary share a variable, whatever builds their types.
                let built = result.constraint.constraint();
                let predicate = built.predicate_rec().map(Rec::id);
                constraint = has_variables.then(|| (predicate, built.summary()));
                substitute(call, &NAMES).to_string()
            }
            Inference::FromOperand(_) | Inference::From(..) => match Source::of(op, inference) {
                Some(Source::Operand(index)) => format!("operands[{index}].getType()"),
                Some(Source::Attribute(name)) => emit_attribute_type(op, name, 0, w),
                Some(Source::Result(_)) | None => String::new(),
            },
            Inference::Unknown => continue,
        };
        let mut all = constraints.iter().zip(&variables);
        let known = all.position(|(other, variable)| {
            *other == constraint && (constraint.is_some() || *variable == value)
        });
        assigned.push(known.unwrap_or(variables.len()));
        if known.is_none() {
            constraints.push(constraint);
            variables.push(value);
        }
    }
    for (index, value) in variables.iter().enumerate().filter(|_| has_variables) {
        w.line(format_args!("::mlir::Type odsInferredType{index} = {value};"));
    }
    for (index, variable) in assigned.into_iter().enumerate() {
        match has_variables {
            true => w.line(format_args!("inferredReturnTypes[{index}] = odsInferredType{variable};")),
            false => w.line(format_args!("inferredReturnTypes[{index}] = {};", variables[variable])),
        }
    }
    w.line("return ::mlir::success();");
}

const NAMES: [(&str, &str); 2] = [("_builder", "odsBuilder"), ("_ctxt", "context")];

/// The entity from which the reference takes a type: not always the one that the definition names.
enum Source<'a> {
    /// The operand at a position.
    Operand(usize),
    /// The result at a position.
    Result(usize),
    /// The attribute or property of this name.
    Attribute(&'a str),
}

impl<'a> Source<'a> {
    /// Returns the source of an inference; nothing if the source has no type.
    fn of(op: &OpInfo<'a>, inference: &Inference<'a>) -> Option<Source<'a>> {
        let (model, arguments) = (op.op, op.op.arguments());
        let named = match *inference {
            Inference::FromOperand(index) => arguments
                .iter()
                .position(|argument| matches!(argument, Argument::Operand(at) if *at == index))?,
            Inference::From(name, _) => {
                match arguments.iter().position(|argument| model.argument_name(*argument) == name) {
                    Some(position) => position,
                    None => {
                        let result = model.results().iter().position(|result| result.name == name);
                        return result.map(Source::Result);
                    }
                }
            }
            Inference::Unknown | Inference::Buildable(_) => return None,
        };
        let is_checked = op.rules().has(Change::CheckedInferenceSources);
        // The position among all arguments counts, but it is looked up in a list without properties. If that list is
        // too short, the output of the reference varies: this code then uses the name.
        let mut listed = arguments.iter().filter(|it| is_checked || !matches!(it, Argument::Property(_)));
        match *listed.nth(named).unwrap_or(&arguments[named]) {
            Argument::Operand(index) => Some(Source::Operand(index)),
            Argument::Property(_) if !is_checked => None,
            // The position among attributes (or properties) is used as one among arguments; early releases accept any
            // kind there.
            Argument::Attribute(index) | Argument::Property(index) => match arguments.get(index)? {
                Argument::Operand(_) | Argument::Property(_) if is_checked => None,
                other => Some(Source::Attribute(model.argument_name(*other))),
            },
        }
    }
}

/// Checks that no type follows from an entity without a type.
pub(super) fn check(op: &OpInfo<'_>) -> Result<(), Diagnostic> {
    let has_none = |inference: &Inference<'_>| match inference {
        Inference::From(..) | Inference::FromOperand(_) => Source::of(op, inference).is_none(),
        Inference::Unknown | Inference::Buildable(_) => false,
    };
    if is_generated(op) && op.op.result_types().iter().any(has_none) {
        let message = "Properties cannot be used for type inference";
        return Err(Diagnostic::error(op.op.definition().span(), message));
    }
    Ok(())
}

/// Writes code that finds an attribute, and returns C++ for its type.
fn emit_attribute_type(op: &OpInfo<'_>, name: &str, index: usize, w: &mut Writer) -> String {
    if !op.rules().has(Change::CheckedInference) {
        let typed = spellings::typed_attribute.of(op.rules());
        return format!("attributes.get(\"{name}\"){typed}.getType()");
    }
    let variable = format!("odsInferredTypeAttr{index}");
    let in_dictionary = format!("::llvm::dyn_cast_or_null<::mlir::TypedAttr>(attributes.get(\"{name}\"))");
    let value = match op.attributes_are_properties {
        true => format!("(properties ? properties.as<Properties *>()->{name} : {in_dictionary})"),
        false => in_dictionary,
    };
    w.line(format_args!("::mlir::TypedAttr {variable} = {value};"));
    w.line(format_args!("if (!{variable}) return ::mlir::failure();"));
    format!("{variable}.getType()")
}
