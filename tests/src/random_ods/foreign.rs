//! Files on which earlier tools read memory that is not their own, so that what they write depends on what was there.

use odsmith_engine::ods::Operation;

use crate::{older, run};

/// Whether the tool infers types from what an operation does not have or from results alone, or writes a C++ type that is
/// not there.
#[must_use]
pub fn reads_beyond(text: &str) -> bool {
    if older::infers_from_anything() {
        return false;
    }
    let found = run::with_records(text, |records| {
        let mut parameters = records.derived("AttrOrTypeParameter");
        let mut ops = records.derived("Op").filter_map(|rec| Operation::new(rec).ok());
        parameters.any(|rec| rec.optional_string("cppType").is_none())
            || ops.any(|op| infers_from_nothing(&op))
    });
    found.unwrap_or(false)
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
