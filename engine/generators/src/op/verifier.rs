//! Verifiers: `verifyInvariantsImpl` of the operation with its callers, and `verify` of the adaptor.
//!
//! In this order: properties; required attributes; lengths of groups; attributes; then, only of the operation,
//! operands, results, traits that are predicates, regions, successors.

use super::{
    blockwise_verifier,
    constraints::{Kind, StaticVerifiers, Stream, is_checked, streamed},
    info::{OpInfo, Site, StoredAttribute, error, error_start},
};
use crate::cpp::{Class, Method, Template, Writer, cast, continued, substitute};
use odsmith_ods::{NamedAttribute, NamedProperty, TypeConstraint, cpp_name};
use odsmith_release::{Change, spellings};

/// Adds the verifiers of the operation.
pub(super) fn add_verifiers<'a>(
    op: &'a OpInfo<'a>,
    verifiers: Option<&'a StaticVerifiers<'a>>,
    class: &mut Class<'a>,
) {
    let result = spellings::LogicalResult.of(op.rules());
    if !op.rules().has(Change::HooksAsFlags) {
        class.method(Method::new(result, "verify").defined(move |w| {
            if let Some(verifiers) = verifiers {
                emit_verifier(op, verifiers, w);
            }
        }));
        return;
    }
    class.method(Method::new(result, "verifyInvariantsImpl").defined(move |w| {
        if let Some(verifiers) = verifiers {
            emit_verifier(op, verifiers, w);
        }
    }));
    let (has_verifier, has_region_verifier) = op.op.has_verifiers();
    class.method(Method::new(result, "verifyInvariants").defined(move |w| {
        if has_verifier {
            w.line("if(::mlir::succeeded(verifyInvariantsImpl()) && ::mlir::succeeded(verify()))");
            w.line("  return ::mlir::success();");
            w.line("return ::mlir::failure();");
        } else {
            w.line("return verifyInvariantsImpl();");
        }
    }));
    if has_verifier {
        class.method(Method::new(result, "verify"));
    }
    if has_region_verifier {
        class.method(Method::new(result, "verifyRegions"));
    }
}

/// Writes the body of the adaptor's verifier.
pub(super) fn emit_adaptor_verifier(op: &OpInfo<'_>, w: &mut Writer) {
    let entities = entities(op, Site::Adaptor);
    let entities: Vec<(&str, &str)> = entities.iter().map(|(name, value)| (*name, value.as_str())).collect();
    if op.rules().has(Change::AdaptorChecksProperties) {
        emit_properties(op, None, &entities, w);
    }
    if !op.rules().has(Change::SharedConstraints) {
        return blockwise_verifier::emit_adaptor_verifier(op, &entities, w);
    }
    if !op.rules().has(Change::SortedLookups) {
        emit_segments(op, Site::Adaptor, w);
        blockwise_verifier::emit_attributes(op, None, &entities, w);
        return w.line("return ::mlir::success();");
    }
    emit_attributes_present(op, Site::Adaptor, w);
    emit_segments(op, Site::Adaptor, w);
    for attribute in op.op.natural_attributes() {
        if attribute.attribute.constraint().condition().contains("$_op") {
            continue;
        }
        let variable = format!("tblgen_{}", attribute.name);
        let names = [&entities[..], &[("_self", variable.as_str())]].concat();
        emit_attribute_check(op, attribute, Site::Adaptor, &names, w);
    }
    w.line("return ::mlir::success();");
}

/// Writes the body of `verifyInvariantsImpl`.
fn emit_verifier(op: &OpInfo<'_>, verifiers: &StaticVerifiers<'_>, w: &mut Writer) {
    let entities = entities(op, Site::Op);
    let mut names: Vec<(&str, &str)> = entities.iter().map(|(name, value)| (*name, value.as_str())).collect();
    if !op.rules().has(Change::SharedConstraints) {
        return blockwise_verifier::emit_verifier(op, verifiers, &names, w);
    }
    let mut subject = emit_properties(op, Some(verifiers), &names, w);
    if op.rules().has(Change::SortedLookups) {
        emit_attributes_present(op, Site::Op, w);
    }
    emit_segments(op, Site::Op, w);
    if !op.rules().has(Change::SortedLookups) {
        subject = blockwise_verifier::emit_attributes(op, Some(verifiers), &names, w);
    }
    for attribute in op.op.natural_attributes().iter().filter(|_| op.rules().has(Change::SortedLookups)) {
        let name = attribute.name;
        if let Some(function) = verifiers.name(Kind::Attribute, attribute.attribute.constraint()) {
            w.blank();
            w.line(format_args!("if (::mlir::failed({function}(*this, tblgen_{name}, \"{name}\")))"));
            w.line("  return ::mlir::failure();");
        } else {
            let variable = format!("tblgen_{name}");
            let mut names = names.clone();
            names.push(("_self", &variable));
            emit_attribute_check(op, attribute, Site::Op, &names, w);
            subject = Some(variable);
        }
    }
    emit_values(
        "operand",
        op.op.operands().iter().map(|operand| (operand.name, operand.constraint)),
        verifiers,
        w,
    );
    emit_values(
        "result",
        op.op.results().iter().map(|result| (result.name, result.constraint)),
        verifiers,
        w,
    );
    // As in the reference, `$_self` of a trait keeps the value from the last check before it.
    names.extend(subject.as_ref().map(|subject| ("_self", subject.as_str())));
    for predicate in op.op.traits().iter().filter_map(|t| Some((t.predicate()?, t.summary()))) {
        let (condition, summary) = (predicate.0.condition(), predicate.1);
        w.line(format_args!("if (!({}))", substitute(&condition, &names)));
        w.line(format_args!("  return emitOpError(\"failed to verify that {summary}\");"));
    }
    emit_regions(op, verifiers, w);
    emit_successors(op, verifiers, w);
    match op.rules().has(Change::HooksAsFlags) {
        true => w.line("return ::mlir::success();"),
        false => blockwise_verifier::emit_end(op, w),
    }
}

/// Returns the C++ that replaces the names of operands and so on in conditions.
fn entities<'a>(op: &'a OpInfo<'a>, site: Site) -> Vec<(&'a str, String)> {
    let mut entities = Vec::new();
    if site == Site::Op {
        entities.push(("_op", "(*this->getOperation())".to_owned()));
        entities.push(("_ctxt", "this->getOperation()->getContext()".to_owned()));
    }
    let value = |kind: &str, index: usize, constraint: TypeConstraint<'_>| match constraint.is_variadic() {
        true => format!("this->getODS{kind}({index})"),
        false => format!("(*this->getODS{kind}({index}).begin())"),
    };
    for (index, operand) in op.op.operands().iter().enumerate() {
        entities.push((operand.name, value("Operands", index, operand.constraint)));
    }
    for (index, result) in op.op.results().iter().enumerate() {
        entities.push(match site {
            Site::Op => (result.name, value("Results", index, result.constraint)),
            // The reference writes this text, which does not compile.
            Site::Adaptor => (result.name, "<no results should be generated>".to_owned()),
        });
    }
    for named in op.op.attributes() {
        let value = match op.rules().has(Change::AttributesByGetter) {
            true => format!("{}()", op.op.getter(named.name)),
            false if site == Site::Op && !op.rules().has(Change::NamesInTraits) => {
                format!("(*this)->getAttr(\"{}\")", named.name)
            }
            false => op.looked_up(named.name, site),
        };
        entities.push((named.name, value));
    }
    entities.retain(|(name, _)| !name.is_empty());
    entities
}

/// Writes the checks of properties: by functions in the operation, in place in the adaptor. Returns the last one that
/// is checked in place.
fn emit_properties(
    op: &OpInfo<'_>,
    verifiers: Option<&StaticVerifiers<'_>>,
    entities: &[(&str, &str)],
    w: &mut Writer,
) -> Option<String> {
    let mut subject = None;
    for NamedProperty { name, property, .. } in op.op.properties() {
        if !is_checked(*property) {
            continue;
        }
        let condition = property.constraint().condition();
        if verifiers.is_none() && condition.contains("$_op") {
            continue;
        }
        let (ty, getter) = (property.interface_type(), cpp_name::getter(name));
        let variable = format!("tblgen_{}", cpp_name::camel_case(name, false));
        let mut is_in_place = false;
        w.outdented(|w| w.line("{\n"));
        w.every_line(|w| {
            w.line(format_args!("  [[maybe_unused]] {ty} {variable} = this->{getter}();\n"));
            let function =
                verifiers.and_then(|verifiers| verifiers.name(Kind::Property, property.constraint()));
            if let Some(function) = function {
                w.line(format_args!("    if (::mlir::failed({function}(*this, {variable}, \"{name}\")))"));
                w.line("      return ::mlir::failure();");
            } else {
                let names = [entities, &[("_self", variable.as_str())]].concat();
                // In releases without values in messages, the messages of this check are not escaped.
                let stream = match op.rules().has(Change::InterpolatedSummaries) {
                    true => Stream::Argument,
                    false => Stream::Raw,
                };
                let message = streamed(property.summary(), &names, stream, op.rules());
                let message = format!("property '{name}' failed to satisfy constraint: {message}");
                let site = if verifiers.is_some() { Site::Op } else { Site::Adaptor };
                w.line(format_args!("  if (!({}))", substitute(&condition, &names)));
                w.line(format_args!("    return {};", error(op, site, message)));
                is_in_place = true;
            }
        });
        w.outdented(|w| w.line("}"));
        if is_in_place {
            subject = Some(variable);
        }
    }
    subject
}

/// Writes code that reads all stored attributes into variables and fails if one is missing.
fn emit_attributes_present(op: &OpInfo<'_>, site: Site, w: &mut Writer) {
    if op.attribute_names.is_empty() {
        return;
    }
    let missing = |name: &str| {
        let message = error(op, site, format!("requires attribute '{name}'")).to_string();
        continued(message, "  ").to_string()
    };
    if op.has_properties {
        for StoredAttribute { name, is_required, .. } in &op.attributes {
            w.line(format_args!("auto tblgen_{name} = getProperties().{name}; (void)tblgen_{name};"));
            if *is_required {
                w.line(format_args!("if (!tblgen_{name}) return {};", missing(name)));
            }
        }
        return;
    }
    w.line(match site {
        Site::Op => "auto namedAttrRange = (*this)->getAttrs();",
        Site::Adaptor => "auto namedAttrRange = odsAttrs;",
    });
    w.line("auto namedAttrIt = namedAttrRange.begin();");
    // Attributes are sorted: the search for a required one passes all others that may come before it. As in the
    // reference, these include derived ones, though none is ever stored.
    let mut optional: Vec<&str> = Vec::new();
    for name in &op.attribute_names {
        if op.attribute(name).is_none_or(|attribute| !attribute.is_required) {
            optional.push(name);
            continue;
        }
        emit_variables(std::iter::once(*name).chain(optional.iter().copied()), w);
        if op.rules().has(Change::Properties) {
            w.blank();
        }
        w.braces("while (true)", |w| {
            w.line("if (namedAttrIt == namedAttrRange.end())");
            w.line(format_args!("  return {};", missing(name)));
            w.braces(format_args!("if (namedAttrIt->getName() == {})", op.attribute_key(name, site)), |w| {
                w.line(format_args!("tblgen_{name} = namedAttrIt->getValue();"));
                w.line("break;");
            });
            emit_alternatives(op, site, &optional, w);
            w.line("++namedAttrIt;");
        });
        optional.clear();
    }
    if !optional.is_empty() {
        emit_variables(optional.iter().copied(), w);
        w.braces("while (true)", |w| {
            w.braces("if (namedAttrIt == namedAttrRange.end())", |w| w.line("break;"));
            emit_alternatives(op, site, &optional, w);
            w.line("++namedAttrIt;");
        });
    }
}

fn emit_variables<'a>(names: impl Iterator<Item = &'a str>, w: &mut Writer) {
    names.for_each(|name| w.line(format_args!("::mlir::Attribute tblgen_{name};")));
}

fn emit_alternatives(op: &OpInfo<'_>, site: Site, names: &[&str], w: &mut Writer) {
    for name in names {
        w.braces(format_args!("else if (namedAttrIt->getName() == {})", op.attribute_key(name, site)), |w| {
            w.line(format_args!("tblgen_{name} = namedAttrIt->getValue();"));
        });
    }
}

/// Writes the check of the number of group lengths, unless they are properties.
fn emit_segments(op: &OpInfo<'_>, site: Site, w: &mut Writer) {
    let segments = [
        (op.has_operand_segments, op.operand_segments(), "operand", op.op.operands().len()),
        (op.has_result_segments, op.result_segments(), "result", op.op.results().len()),
    ];
    let is_checked = |has_trait: bool| has_trait && !op.attributes_are_properties;
    for (_, name, kind, count) in segments.into_iter().filter(|(has_trait, ..)| is_checked(*has_trait)) {
        let ty = spellings::SegmentSizes.of(op.rules());
        let is_looked_up = !op.rules().has(Change::SortedLookups);
        let (cast, missing) = match is_looked_up {
            true => {
                let message = format!("missing segment sizes attribute '{name}'");
                let missing = format!("\n    if (!sizeAttr)\n      return {};", error(op, site, message));
                (format!("{}.dyn_cast<{ty}>()", op.looked_up(name, site)), missing)
            }
            false => {
                let variable = format_args!("tblgen_{name}");
                (cast(op.rules(), "::llvm::cast", ty, variable).to_string(), String::new())
            }
        };
        w.fill(
            SEGMENT_CHECK,
            &[
                ("cast", &cast),
                ("missing", &missing),
                ("name", &name),
                ("kind", &kind),
                ("count", &count),
                ("error", &error_start(op, site)),
            ],
        );
        // The reference leaves blanks after the block, before the next text.
        w.margin();
        w.raw("  ");
    }
}

const SEGMENT_CHECK: Template = Template(
    r#"

{
  auto sizeAttr = @cast;@missing
  auto numElements =@segment_count;
  if (numElements != @count)
    return @{error}'@name' attribute for specifying @kind segments must have @count "
              "elements, but got ") << numElements;
}
"#,
);

/// Writes the check of one attribute in place.
fn emit_attribute_check(
    op: &OpInfo<'_>,
    attribute: &NamedAttribute<'_>,
    site: Site,
    names: &[(&str, &str)],
    w: &mut Writer,
) {
    let NamedAttribute { name, attribute, .. } = attribute;
    if attribute.constraint().predicate_rec().is_none() {
        return;
    }
    let condition = attribute.constraint().condition();
    let message = streamed(attribute.summary(), names, Stream::Argument.of(op.rules()), op.rules());
    let message = format!("attribute '{name}' failed to satisfy constraint: {message}");
    w.blank();
    w.line(format_args!("if (tblgen_{name} && !({}))", substitute(&condition, names)));
    w.line(format_args!("  return {};", error(op, site, message)));
}

/// Writes the checks of the types of operands or results, group by group.
fn emit_values<'a>(
    kind: &str,
    values: impl Iterator<Item = (&'a str, TypeConstraint<'a>)> + Clone,
    verifiers: &StaticVerifiers<'_>,
    w: &mut Writer,
) {
    let is_checked = |constraint: TypeConstraint<'_>| {
        let has_sizes = constraint.is_optional() || constraint.segment_attribute().is_some();
        has_sizes || constraint.constraint().predicate_rec().is_some()
    };
    if !values.clone().any(|(_, constraint)| is_checked(constraint)) {
        return;
    }
    let getter = if kind == "operand" { "getODSOperands" } else { "getODSResults" };
    w.line("{");
    w.indented(|w| {
        w.line("unsigned index = 0; (void)index;");
        for (index, (name, constraint)) in values.enumerate().filter(|(_, value)| is_checked(value.1)) {
            let group = format!("valueGroup{index}");
            w.line(format_args!("auto {group} = {getter}({index});"));
            if constraint.is_optional() {
                w.fill(AT_MOST_ONE, &[("group", &group), ("kind", &kind)]);
            }
            if let Some(segments) = constraint.segment_attribute() {
                w.fill(RUNS, &[("segments", &segments), ("name", &name), ("group", &group)]);
            }
            let Some(function) = verifiers.name(Kind::Type, constraint.constraint()) else { continue };
            w.fill(EACH_VALUE, &[("group", &group), ("function", &function), ("kind", &kind)]);
        }
    });
    w.line("}");
}

const AT_MOST_ONE: Template = Template(
    r#"

if (@group.size() > 1) {
  return emitOpError("@kind group starting at #") << index
      << " requires 0 or 1 element, but found " << @group.size();
}
"#,
);

const RUNS: Template = Template(
    r#"
if (::mlir::failed(::mlir::OpTrait::impl::verifyValueSizeAttr(*this, "@segments", "@name", @group.size())))
  return ::mlir::failure();
"#,
);

const EACH_VALUE: Template = Template(
    r#"

for (auto v : @group) {
  if (::mlir::failed(@function(*this, v.getType(), "@kind", index++)))
    return ::mlir::failure();
}
"#,
);

fn emit_regions(op: &OpInfo<'_>, verifiers: &StaticVerifiers<'_>, w: &mut Writer) {
    if op.op.regions().is_empty() {
        return;
    }
    w.line("{");
    w.indented(|w| {
        w.line("unsigned index = 0; (void)index;");
        for (index, region) in op.op.regions().iter().enumerate() {
            let Some(function) = verifiers.name(Kind::Region, region.constraint()) else { continue };
            let name = region.name;
            let all = match region.is_variadic() {
                true => format!("{}()", op.op.getter(name)),
                false => {
                    format!("{}((*this)->getRegion({index}))", spellings::mutable_array_ref.of(w.rules()))
                }
            };
            w.blank();
            w.line(format_args!("for (auto &region : {all})"));
            w.line(format_args!("  if (::mlir::failed({function}(*this, region, \"{name}\", index++)))"));
            w.line("    return ::mlir::failure();");
        }
    });
    w.line("}");
}

fn emit_successors(op: &OpInfo<'_>, verifiers: &StaticVerifiers<'_>, w: &mut Writer) {
    if op.op.successors().is_empty() {
        return;
    }
    w.line("{");
    w.indented(|w| {
        w.line("unsigned index = 0; (void)index;");
        for successor in op.op.successors() {
            let Some(function) = verifiers.name(Kind::Successor, successor.constraint()) else { continue };
            let name = successor.name;
            // Older releases write the name in place of the getter.
            let has_getters = w.rules().has(Change::SuccessorsByGetter);
            let getter = if has_getters { op.op.getter(name) } else { name.to_owned() };
            w.blank();
            if has_getters && !successor.is_variadic() {
                w.line(format_args!(
                    "if (::mlir::failed({function}(*this, {getter}(), \"{name}\", index++)))"
                ));
                w.line("  return ::mlir::failure();");
                continue;
            }
            let all = match successor.is_variadic() {
                true => format!("{getter}()"),
                false => format!("{}({getter}())", spellings::mutable_array_ref.of(w.rules())),
            };
            w.line(format_args!("for (auto *successor : {all})"));
            w.line(format_args!("  if (::mlir::failed({function}(*this, successor, \"{name}\", index++)))"));
            w.line("    return ::mlir::failure();");
        }
    });
    w.line("}");
}
