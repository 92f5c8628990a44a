//! Mistakes that prevent the classes of an operation: groups whose position cannot be determined, members of the same
//! name, result types without a source.

use std::{collections::HashSet, fmt::Display};

use rustc_hash::FxBuildHasher;

use super::{attributes, builders, effects, inference, info::OpInfo, interfaces};
use crate::Cx;
use odsmith_ods::{Attribute, Constraint, OpResult, Operation, TypeConstraint, interface::Method};
use odsmith_release::{Change, Rules};
use odsmith_tablegen::{diagnostic::Diagnostic, record::RecordId, span::Span};

/// The interfaces whose methods have been checked, which many operations share.
pub(super) type CheckedInterfaces = HashSet<RecordId, FxBuildHasher>;

/// Checks that the summaries of all constraints that messages show are texts. In releases where operations share the
/// functions that check constraints, this comes before all other checks.
pub(super) fn check_summaries(operations: &[&Operation<'_>], rules: &Rules) -> Result<(), Diagnostic> {
    if !rules.has(Change::SharedConstraints) {
        return Ok(());
    }
    operations.iter().try_for_each(|op| {
        let other = op.successor_constraints().chain(op.region_constraints());
        check_message_summaries(op.type_constraints().chain(op.attribute_constraints()).chain(other))
    })
}

/// Checks the summaries of operand and result types, in releases that share only the functions for these. Declarations
/// check them last, definitions first.
pub(super) fn check_type_summaries(operations: &[&Operation<'_>], rules: &Rules) -> Result<(), Diagnostic> {
    match rules.has(Change::SharedConstraints) {
        true => Ok(()),
        false => operations.iter().try_for_each(|op| check_message_summaries(op.type_constraints())),
    }
}

/// Checks the summaries of constraints with a condition, which messages show.
fn check_message_summaries<'r>(constraints: impl Iterator<Item = Constraint<'r>>) -> Result<(), Diagnostic> {
    let mut shown = constraints.filter(|one| one.predicate_rec().is_some());
    shown.try_for_each(Constraint::check_summary)
}

/// Checks an operation in the order in which its members are generated.
pub(super) fn check(op: &OpInfo<'_>, checked: &mut CheckedInterfaces, cx: &Cx<'_>) -> Result<(), Diagnostic> {
    if !op.rules().has(Change::SharedConstraints) {
        op.op.attribute_constraints().try_for_each(Constraint::check_summary)?;
        check_message_summaries(op.op.region_constraints().chain(op.op.successor_constraints()))?;
    }
    op.op.natural_attributes().iter().try_for_each(|named| named.attribute.check_quantity())?;
    op.op.traits().iter().try_for_each(|one| one.check_name().and_then(|()| one.check_namespace()))?;
    op.op.dialect().check_use_of_properties()?;
    op.op.check_name()?;
    op.op.dialect().accessor_style()?;
    let operands = op.op.variable_length_operands().count();
    check_sizes(op, "operands", operands, op.has_operand_segments, "SameVariadicOperandSize")?;
    check_adaptor(op)?;
    let results = op.op.variable_length_results().count();
    check_sizes(op, "results", results, op.has_result_segments, "SameVariadicResultSize")?;
    check_class(op)?;
    check_members(op, cx)?;
    inference::check(op)?;
    check_interfaces(op, checked)
}

/// Checks the fields that members depend on, in the order of the members.
fn check_members(op: &OpInfo<'_>, cx: &Cx<'_>) -> Result<(), Diagnostic> {
    op.op.check_extra_code()?;
    op.op.traits().iter().try_for_each(|one| one.check_extra_code())?;
    if op.has_stored_properties() {
        op.op.check_properties_encoding()?;
    }
    for named in op.op.derived_attributes() {
        named.attribute.constraint().check_derived_body()?;
    }
    attributes::check_materialization(op).into_iter().for_each(|warning| cx.report(warning));
    op.op.check_skipped_builders()?;
    if builders::has_superfluous(op)? {
        return Err(overlap(op, "build", 3142));
    }
    // These hooks are not read if there is a format.
    if op.op.assembly_format().is_none() {
        op.op.check_assembly_hooks()?;
    }
    op.op.traits().iter().try_for_each(|one| one.check_predicate())?;
    op.op.check_verifier_hooks()?;
    op.op.check_rewrite_hooks()?;
    if op.op.has_folder() {
        op.op.dialect().folds_raw_attributes()?;
    }
    Ok(())
}

/// Checks the fields that declarations of interface methods are generated from.
fn check_interfaces(op: &OpInfo<'_>, checked: &mut CheckedInterfaces) -> Result<(), Diagnostic> {
    let declaring = op.op.interfaces().filter(|interface| interface.declares_methods());
    for interface in declaring.filter(|interface| checked.insert(interface.definition().id())) {
        interface.check_signatures()?;
        interface.check_overridden_methods()?;
        interface.methods().into_iter().try_for_each(Method::check)?;
    }
    Ok(())
}

/// Checks the members that are generated after the format.
pub(super) fn check_effects(op: &OpInfo<'_>) -> Result<(), Diagnostic> {
    op.op.traits().iter().try_for_each(|one| one.check_effects())?;
    let operands = op.op.operands().iter().map(|operand| operand.decoration);
    let results = op.op.results().iter().map(|result| result.decoration);
    operands.chain(results).try_for_each(|decoration| decoration.check_effects())?;
    if !op.rules().has(Change::DistinctNames) {
        return Ok(());
    }
    let mut declared = interfaces::methods(op);
    match declared.any(|declared| effects::methods(op).any(|method| declared.accepts_calls_of(&method))) {
        true => Err(overlap(op, "getEffects", 3820)),
        false => Ok(()),
    }
}

fn overlap(op: &OpInfo<'_>, shown: impl Display, line: u32) -> Diagnostic {
    let line = odsmith_release::line(op.rules(), line);
    error(op, format!("Unexpected overlap when generating `{shown}` for {} (from line {line})", op.name))
}

fn error(op: &OpInfo<'_>, message: String) -> Diagnostic {
    Diagnostic::error(op.op.definition().span(), message)
}

/// Checks that several groups of variable length can be told apart, and that only then their lengths are stored.
fn check_sizes(
    op: &OpInfo<'_>,
    what: &str,
    count: usize,
    has_segments: bool,
    same_size: &str,
) -> Result<(), Diagnostic> {
    let segments = if what == "operands" { "AttrSizedOperandSegments" } else { "AttrSizedResultSegments" };
    let message = match (count > 1, has_segments, op.op.has_trait(&format!("::mlir::OpTrait::{same_size}"))) {
        (true, false, false) => {
            format!("op has multiple variadic {what} but no specification over their sizes")
        }
        (false, true, _) => format!("op must have at least two variadic {what} to use '{segments}' trait"),
        (true, true, true) => format!("op cannot have both '{segments}' and '{same_size}' traits"),
        _ => return Ok(()),
    };
    Err(error(op, message))
}

/// The names of methods without parameters.
struct Names<'a, 'b> {
    op: &'b OpInfo<'a>,
    seen: Vec<String>,
}

impl Names<'_, '_> {
    /// Adds a method. `shown` is its name in a message, and `line` the position in the reference that the message
    /// gives.
    fn add(&mut self, name: String, shown: impl Display, line: u32) -> Result<(), Diagnostic> {
        if self.seen.contains(&name) {
            return Err(overlap(self.op, shown, line));
        }
        self.seen.push(name);
        Ok(())
    }

    /// Adds the getter of an entity, unless the entity has no name.
    fn add_getter(&mut self, name: &str, line: u32) -> Result<(), Diagnostic> {
        if name.is_empty() {
            return Ok(());
        }
        let mut getters = self.op.op.getters(name);
        getters.try_for_each(|getter| self.add(getter.clone(), &getter, line))
    }

    /// Adds a method that is omitted if its name exists already.
    fn offer(&mut self, name: String) {
        self.seen.push(name);
    }
}

fn check_adaptor(op: &OpInfo<'_>) -> Result<(), Diagnostic> {
    let mut names = Names { op, seen: vec!["getAttributes".to_owned()] };
    if op.has_properties {
        names.offer("getProperties".to_owned());
    }
    if op.rules().has(Change::PropertyAccessors) {
        for named in op.op.properties() {
            names.add_getter(named.name, 1387)?;
        }
    }
    for named in op.op.natural_attributes() {
        named.attribute.constraint().check_condition()?;
        for getter in op.op.getters(named.name) {
            let stored = format!("{getter}Attr");
            names.add(stored.clone(), format_args!("Adaptor::{stored}"), 4708)?;
            check_default(named.attribute)?;
            names.add(getter.clone(), &getter, 1399)?;
        }
    }
    for region in op.op.regions().iter().filter(|region| !region.name.is_empty()) {
        let line = if region.is_variadic() { 4768 } else { 4774 };
        for getter in op.op.getters(region.name) {
            names.add(getter.clone(), format_args!("Adaptor::{getter}"), line)?;
        }
    }
    Ok(())
}

/// Checks that a default value can be built where a getter needs it: for optional attributes, in MLIR 15 for all, and
/// in earlier releases for none.
fn check_default(attribute: Attribute<'_>) -> Result<(), Diagnostic> {
    let rules = attribute.rules();
    if !rules.has(Change::DefaultsPopulated) {
        return Ok(());
    }
    let makes_all = !rules.has(Change::OptionalNotPopulated);
    let has_default = (makes_all || attribute.is_optional()) && attribute.default_value().is_some();
    if !has_default || attribute.const_builder_call().is_some() {
        return Ok(());
    }
    let name = attribute.named().definition().record_name();
    let message = format!("DefaultValuedAttr of type {name} must have a constBuilder");
    Err(Diagnostic::error(Span::NONE, message))
}

/// Checks the type that the getter of a single value names, in releases with typed values.
fn check_cpp_type(name: &str, constraint: TypeConstraint<'_>) -> Result<(), Diagnostic> {
    let has_types = constraint.rules().has(Change::TypedValues);
    match name.is_empty() || !has_types || constraint.is_variable_length() && !constraint.is_optional() {
        true => Ok(()),
        false => constraint.check_cpp_type(),
    }
}

fn check_class(op: &OpInfo<'_>) -> Result<(), Diagnostic> {
    if let [OpResult { constraint, .. }] = op.op.results()
        && !constraint.is_variable_length()
    {
        constraint.check_cpp_type()?;
    }
    let mut names = Names { op, seen: vec!["getAttributeNames".to_owned(), "getOperationName".to_owned()] };
    for name in &op.attribute_names {
        for getter in op.op.getters(name) {
            let getter = getter + "AttrName";
            names.add(getter.clone(), &getter, 1345)?;
        }
    }
    if op.has_operand_segments_property() {
        let getter = op.op.getter(op.operand_segments()) + "AttrName";
        names.add(getter.clone(), &getter, 1365)?;
    }
    for operand in op.op.operands() {
        check_cpp_type(operand.name, operand.constraint)?;
        let line = match operand.constraint {
            constraint if constraint.is_optional() => 2324,
            constraint if constraint.is_variadic_of_variadic() => 2343,
            constraint if constraint.is_variadic() => 2348,
            _ => 2355,
        };
        names.add_getter(operand.name, line)?;
    }
    for operand in op.op.operands().iter().filter(|operand| !operand.name.is_empty()) {
        for getter in op.op.getters(operand.name) {
            names.add(format!("{getter}Mutable"), &getter, 2411)?;
        }
    }
    for result in op.op.results() {
        check_cpp_type(result.name, result.constraint)?;
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
    if op.rules().has(Change::PropertyAccessors) {
        for named in op.op.properties() {
            names.add_getter(named.name, 1387)?;
        }
    }
    for named in op.op.natural_attributes() {
        for getter in op.op.getters(named.name) {
            names.offer(format!("{getter}Attr"));
            names.add(getter.clone(), &getter, 1399)?;
        }
    }
    Ok(())
}
