//! What keeps the classes of an operation from being written: groups whose place cannot be told, members of the same
//! name, result types that follow from nothing.

use std::fmt::Display;

use super::{inference, info::OpInfo};
use crate::{diagnostic::Diagnostic, ods::cpp_name};

/// Checks an operation in the order in which its members are made.
pub(super) fn check(op: &OpInfo<'_>) -> Result<(), Diagnostic> {
    check_default_accessors(op)?;
    let operands = op.op.variable_length_operands().count();
    check_sizes(op, "operands", operands, op.has_operand_segments, "SameVariadicOperandSize")?;
    check_adaptor(op)?;
    let results = op.op.variable_length_results().count();
    check_sizes(op, "results", results, op.has_result_segments, "SameVariadicResultSize")?;
    check_class(op)?;
    inference::check(op)
}

fn error(op: &OpInfo<'_>, message: String) -> Diagnostic {
    Diagnostic::error(op.op.rec().span(), message)
}

/// The names of all operands, results, regions and successors that have one.
fn value_names<'a>(op: &OpInfo<'a>) -> [Vec<&'a str>; 4] {
    let mut names = [
        op.op.operands().iter().map(|operand| operand.name).collect::<Vec<_>>(),
        op.op.results().iter().map(|result| result.name).collect(),
        op.op.regions().iter().map(|region| region.name).collect(),
        op.op.successors().iter().map(|successor| successor.name).collect(),
    ];
    names.iter_mut().for_each(|names| names.retain(|name| !name.is_empty()));
    names
}

/// Getters that every operation has.
const DEFAULT_GETTERS: [&str; 5] =
    ["getAttributeNames", "getAttributes", "getOperands", "getOperation", "getRegions"];

fn check_default_accessors(op: &OpInfo<'_>) -> Result<(), Diagnostic> {
    // A single group may be named after what the default getter returns: they return the same.
    let may_be_operands = matches!(op.op.operands(), [operand] if operand.constraint.is_variable_length());
    let may_be_regions = matches!(op.op.regions(), [region] if region.is_variadic());
    let [operands, results, regions, successors] = value_names(op);
    for (names, allowed) in [
        (operands, may_be_operands.then_some("getOperands")),
        (results, None),
        (regions, may_be_regions.then_some("getRegions")),
        (successors, None),
    ] {
        for name in names {
            let getter = cpp_name::getter(name);
            if DEFAULT_GETTERS.contains(&getter.as_str()) && allowed != Some(getter.as_str()) {
                let rest = "overlaps with a default one; please rename to avoid overlap";
                return Err(error(op, format!("generated accessor for `{name}` {rest}")));
            }
        }
    }
    Ok(())
}

/// Several groups of variable length need something that tells them apart.
fn check_sizes(
    op: &OpInfo<'_>,
    what: &str,
    count: usize,
    has_segments: bool,
    same_size: &str,
) -> Result<(), Diagnostic> {
    if count < 2 || has_segments || op.op.has_trait(&format!("::mlir::OpTrait::{same_size}")) {
        return Ok(());
    }
    let message = format!("op has multiple variadic {what} but no specification over their sizes");
    Err(error(op, message))
}

/// Methods without parameters.
struct Names<'a, 'b> {
    op: &'b OpInfo<'a>,
    seen: Vec<String>,
}

impl Names<'_, '_> {
    /// Adds a method; `shown` is what a message calls it, and `line` the place in the reference that it names.
    fn add(&mut self, name: String, shown: impl Display, line: u32) -> Result<(), Diagnostic> {
        if self.seen.contains(&name) {
            let op = &self.op.name;
            let message = format!("Unexpected overlap when generating `{shown}` for {op} (from line {line})");
            return Err(error(self.op, message));
        }
        self.seen.push(name);
        Ok(())
    }

    /// Adds the getter of something that may have no name.
    fn add_getter(&mut self, name: &str, line: u32) -> Result<(), Diagnostic> {
        if name.is_empty() {
            return Ok(());
        }
        let getter = cpp_name::getter(name);
        self.add(getter.clone(), &getter, line)
    }

    /// Adds a method that is left out where there is one of its name.
    fn offer(&mut self, name: String) {
        self.seen.push(name);
    }
}

fn check_adaptor(op: &OpInfo<'_>) -> Result<(), Diagnostic> {
    let mut names = Names { op, seen: vec!["getAttributes".to_owned()] };
    if op.has_properties {
        names.offer("getProperties".to_owned());
    }
    for named in op.op.properties() {
        names.add_getter(named.name, 1387)?;
    }
    for named in op.op.natural_attributes() {
        let getter = cpp_name::getter(named.name);
        let stored = format!("{getter}Attr");
        names.add(stored.clone(), format_args!("Adaptor::{stored}"), 4708)?;
        names.add(getter.clone(), &getter, 1399)?;
    }
    for region in op.op.regions().iter().filter(|region| !region.name.is_empty()) {
        let getter = cpp_name::getter(region.name);
        let line = if region.is_variadic() { 4768 } else { 4774 };
        names.add(getter.clone(), format_args!("Adaptor::{getter}"), line)?;
    }
    Ok(())
}

fn check_class(op: &OpInfo<'_>) -> Result<(), Diagnostic> {
    let mut names = Names { op, seen: vec!["getAttributeNames".to_owned(), "getOperationName".to_owned()] };
    for name in &op.attribute_names {
        names.offer(cpp_name::getter(name) + "AttrName");
    }
    for name in op.segment_properties() {
        names.offer(cpp_name::getter(name) + "AttrName");
    }
    for operand in op.op.operands() {
        let line = match operand.constraint {
            constraint if constraint.is_optional() => 2324,
            constraint if constraint.is_variadic_of_variadic() => 2343,
            constraint if constraint.is_variadic() => 2348,
            _ => 2355,
        };
        names.add_getter(operand.name, line)?;
    }
    for operand in op.op.operands().iter().filter(|operand| !operand.name.is_empty()) {
        let getter = cpp_name::getter(operand.name);
        names.add(format!("{getter}Mutable"), &getter, 2411)?;
    }
    for result in op.op.results() {
        let line = match result.constraint {
            constraint if constraint.is_optional() => 2516,
            constraint if constraint.is_variadic() => 2524,
            _ => 2528,
        };
        names.add_getter(result.name, line)?;
    }
    for region in op.op.regions() {
        names.add_getter(region.name, if region.is_variadic() { 2548 } else { 2555 })?;
    }
    for successor in op.op.successors() {
        names.add_getter(successor.name, if successor.is_variadic() { 2570 } else { 2579 })?;
    }
    for named in op.op.properties() {
        names.add_getter(named.name, 1387)?;
    }
    for named in op.op.natural_attributes() {
        let getter = cpp_name::getter(named.name);
        names.offer(format!("{getter}Attr"));
        names.add(getter.clone(), &getter, 1399)?;
    }
    Ok(())
}
