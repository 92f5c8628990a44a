//! The generic form: `%r = "d.op"(%a)[^bb] <{attr = 1 : i32}> ({…}) : (i32) -> i32`.

use odsmith_engine::ods::Operation;

use super::{Body, Choice};

/// The generic form of an operation without operands, results, attributes, regions and successors.
pub(super) fn empty(op: &Operation<'_>) -> String {
    format!("\"{}\"() : () -> ()", op.name())
}

/// Writes the generic form.
pub(super) fn write(op: &Operation<'_>, choice: &Choice, body: &Body) -> String {
    let mut text = String::new();
    let results: Vec<String> =
        (0..choice.results.len()).flat_map(|index| choice.result_values(index)).collect();
    if !results.is_empty() {
        text += &format!("{} = ", results.join(", "));
    }
    let operands: Vec<String> =
        (0..choice.operands.len()).flat_map(|index| choice.operand_values(index)).collect();
    text += &format!("\"{}\"({})", op.name(), operands.join(", "));
    let successors: Vec<String> =
        op.successors().iter().filter(|it| !it.is_variadic()).map(|it| format!("^{}", it.name)).collect();
    if !successors.is_empty() {
        text += &format!("[{}]", successors.join(", "));
    }
    let dictionary = dictionary(op, choice);
    if !dictionary.is_empty() {
        text += &format!(" <{{{}}}>", dictionary.join(", "));
    }
    let regions: Vec<String> =
        op.regions().iter().filter(|it| !it.is_variadic()).map(|_| region(body)).collect();
    if !regions.is_empty() {
        text += &format!(" ({})", regions.join(", "));
    }
    text += &format!(" : {}", function_type(&choice.operands, &choice.results));
    text
}

fn region(body: &Body) -> String {
    match &body.end {
        Some(end) => format!("{{\n  {end}\n}}"),
        None if body.is_implicit => "{\n^bb0:\n}".to_owned(),
        None => "{\n}".to_owned(),
    }
}

/// The type `(i32, i32) -> f32`; a single result that is itself a function is in parentheses.
pub(super) fn function_type(inputs: &[(crate::Type, usize)], results: &[(crate::Type, usize)]) -> String {
    let flat = |types: &[(crate::Type, usize)]| -> Vec<String> {
        types.iter().flat_map(|(ty, count)| vec![ty.to_string(); *count]).collect()
    };
    let results = flat(results);
    let results = match &results[..] {
        [result] if !result.starts_with('(') => result.clone(),
        results => format!("({})", results.join(", ")),
    };
    format!("({}) -> {results}", flat(inputs).join(", "))
}

/// Inherent attributes and properties, with the segment sizes of variable-length operands and results.
fn dictionary(op: &Operation<'_>, choice: &Choice) -> Vec<String> {
    let names = op.natural_attributes().iter().enumerate();
    let attributes = names.filter_map(|(index, named)| {
        Some(format!("{} = {}", named.name, choice.attributes.get(&index)?.full))
    });
    let properties = op.properties().iter().enumerate();
    let properties = properties.filter_map(|(index, named)| {
        Some(format!("{} = {}", named.name, choice.properties.get(&index)?.full))
    });
    let mut all: Vec<String> = attributes.chain(properties).collect();
    let mut segments = |is_there: bool, name: &str, parts: &[(crate::Type, usize)]| {
        if is_there {
            let counts: Vec<String> = parts.iter().map(|(_, count)| count.to_string()).collect();
            all.push(format!("{name} = array<i32: {}>", counts.join(", ")));
        }
    };
    let has = |name: &str| op.has_trait(&format!("::mlir::OpTrait::{name}"));
    segments(has("AttrSizedOperandSegments"), "operandSegmentSizes", &choice.operands);
    segments(has("AttrSizedResultSegments"), "resultSegmentSizes", &choice.results);
    // Segment sizes of variadics of variadics: the example has no such operands.
    for operand in op.operands() {
        if let Some(name) = operand.constraint.segment_attribute() {
            let is_given = all.iter().any(|entry| entry.starts_with(&format!("{name} = ")));
            if !is_given {
                all.push(format!("{name} = array<i32>"));
            }
        }
    }
    all
}
