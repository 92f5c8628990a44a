//! Files on which earlier tools read uninitialised memory, so that their output is arbitrary.

use odsmith_engine::ods::{Argument, Operation, infer::Inference};

use crate::{older, run};

/// Returns true if the tool infers types from parts that the operation lacks or from results alone, or writes a C++
/// type that is missing.
#[must_use]
pub fn reads_beyond(text: &str) -> bool {
    if older::finds_sources_of_types() {
        return false;
    }
    let found = run::with_records(text, |records| {
        let mut ops = records.derived("Op").filter_map(|rec| Operation::named(rec).ok());
        if older::infers_from_anything() {
            return ops.any(|op| infers_from_beyond(&op));
        }
        let mut parameters = records.derived("AttrOrTypeParameter");
        parameters.any(|rec| rec.optional_string("cppType").is_none())
            || ops.any(|op| infers_from_nothing(&op) || infers_from_beyond(&op))
    });
    found.unwrap_or(false)
}

/// Returns true if a type follows from an argument whose position exceeds the number of arguments without properties.
fn infers_from_beyond(op: &Operation<'_>) -> bool {
    let count = op.arguments().iter().filter(|it| !matches!(it, Argument::Property(_))).count();
    let position = |inference: &Inference<'_>| match *inference {
        Inference::From(name, _) => op.arguments().iter().position(|it| op.argument_name(*it) == name),
        Inference::FromOperand(index) => {
            op.arguments().iter().position(|it| matches!(it, Argument::Operand(at) if *at == index))
        }
        Inference::Unknown | Inference::Buildable(_) => None,
    };
    op.result_types().iter().filter_map(position).any(|position| position >= count)
}

fn infers_from_nothing(op: &Operation<'_>) -> bool {
    let is_argument = |name: &str| op.arguments().iter().any(|argument| op.argument_name(*argument) == name);
    let has = |name: &str| is_argument(name) || op.results().iter().any(|result| result.name == name);
    op.traits().iter().any(|it| {
        if it.is_named("::mlir::OpTrait::SameOperandsAndResultType") {
            return op.operands().is_empty();
        }
        if it.is_named("::mlir::OpTrait::FirstAttrDerivedResultType") {
            return op.attributes().is_empty();
        }
        let ends = ["lhs", "rhs"].iter().filter_map(|end| it.rec().optional_string(*end));
        let names: Vec<&str> = it.matching_types().unwrap_or_default().into_iter().chain(ends).collect();
        let is_of_results = !names.is_empty() && !names.iter().any(|name| is_argument(name));
        is_of_results || names.into_iter().any(|name| !has(name))
    })
}
