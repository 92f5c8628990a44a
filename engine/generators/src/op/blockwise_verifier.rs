//! Verifiers of old releases: each attribute is looked up and checked in a block of its own, and the operation's own
//! code ends `verify`.

use std::fmt::Display;

use super::{
    constraints::{Kind, StaticVerifiers, Stream, streamed},
    info::{OpInfo, Site, error},
};
use crate::cpp::{Template, Writer, substitute};
use odsmith_ods::{NamedAttribute, TypeConstraint};

/// Writes the checks of attributes: by functions in the operation, in place in the adaptor. Returns the last one that
/// is checked in place.
pub(super) fn emit_attributes(
    op: &OpInfo<'_>,
    verifiers: Option<&StaticVerifiers<'_>>,
    entities: &[(&str, &str)],
    w: &mut Writer,
) -> Option<String> {
    let site = if verifiers.is_some() { Site::Op } else { Site::Adaptor };
    let mut subject = None;
    for named in op.op.natural_attributes() {
        let name = named.name;
        let is_required = op.attribute(name).is_some_and(|attribute| attribute.is_required);
        let constraint = named.attribute.constraint();
        let has_condition = constraint.predicate_rec().is_some()
            && !(site == Site::Adaptor && constraint.condition().contains("$_op"));
        if !is_required && !has_condition {
            continue;
        }
        w.line("{");
        w.indented(|w| {
            w.line(format_args!("auto tblgen_{name} = {};", op.looked_up(name, site)));
            if is_required {
                w.line(format_args!("if (!tblgen_{name})"));
                let message = format!("requires attribute '{name}'");
                w.line(format_args!("  return {};", error(op, site, message)));
            }
            if is_required && has_condition {
                w.blank();
            }
            match verifiers.and_then(|verifiers| verifiers.name(Kind::Attribute, constraint)) {
                Some(function) => emit_call(function, name, w),
                None if has_condition => {
                    emit_check(op, named, site, entities, w);
                    subject = Some(format!("tblgen_{name}"));
                }
                None => {}
            }
        });
        w.line("}");
    }
    subject
}

fn emit_call(function: impl Display, name: &str, w: &mut Writer) {
    w.line(format_args!("if (::mlir::failed({function}(*this, tblgen_{name}, \"{name}\")))"));
    w.line("  return ::mlir::failure();");
}

fn emit_check(
    op: &OpInfo<'_>,
    named: &NamedAttribute<'_>,
    site: Site,
    entities: &[(&str, &str)],
    w: &mut Writer,
) {
    let Check { condition, failure } = Check::of(op, named, site, entities);
    w.line(format_args!("if (tblgen_{} && !({condition}))", named.name));
    w.line(format_args!("  return {failure};"));
}

/// The condition on an attribute, and the code for an attribute that does not satisfy it.
struct Check {
    condition: String,
    failure: String,
}

impl Check {
    fn of(op: &OpInfo<'_>, named: &NamedAttribute<'_>, site: Site, entities: &[(&str, &str)]) -> Self {
        let name = named.name;
        let variable = format!("tblgen_{name}");
        let names = [entities, &[("_self", variable.as_str())]].concat();
        let predicate = named.attribute.constraint().predicate();
        let condition = predicate.map(|predicate| predicate.condition()).unwrap_or_default();
        let message =
            streamed(named.attribute.summary(), &names, Stream::Argument.of(op.rules()), op.rules());
        let message = format!("attribute '{name}' failed to satisfy constraint: {message}");
        Check {
            condition: substitute(&condition, &names).to_string(),
            failure: error(op, site, message).to_string(),
        }
    }
}

/// Writes the user's code at the end of `verify`.
pub(super) fn emit_end(op: &OpInfo<'_>, w: &mut Writer) {
    match op.op.verifier_code() {
        Some(code) => emit_code(op, code, w),
        None => w.line("return ::mlir::success();"),
    }
}

/// Writes the user's code of a function. Lines after the first keep their own indentation, and line ends at its end
/// stay.
pub(super) fn emit_code(op: &OpInfo<'_>, code: &str, w: &mut Writer) {
    w.margin();
    let code = code.trim_ascii_start().trim_end_matches([' ', '\t']);
    w.display(substitute(code, &[("cppClass", op.class)]));
}

/// Writes the body of the adaptor's verifier in releases where it checks the operation's attributes as well.
pub(super) fn emit_adaptor_verifier(op: &OpInfo<'_>, entities: &[(&str, &str)], w: &mut Writer) {
    let segments = [
        (op.has_operand_segments, op.operand_segments(), "operand", op.op.operands().len()),
        (op.has_result_segments, op.result_segments(), "result", op.op.results().len()),
    ];
    let mut present = segments.into_iter().filter(|(is_there, ..)| *is_there).peekable();
    while let Some((_, name, kind, count)) = present.next() {
        w.fill(SEGMENTS, &[("name", &name), ("kind", &kind), ("count", &count)]);
        // The reference leaves blanks after the block, before the next text.
        if present.peek().is_none() {
            w.margin();
        }
        w.raw("  ");
    }
    for named in op.op.natural_attributes() {
        let (name, constraint) = (named.name, named.attribute.constraint());
        let is_required = op.attribute(name).is_some_and(|attribute| attribute.is_required);
        let condition = constraint.condition();
        let is_checked = !condition.contains("$_op");
        if !is_required && !is_checked {
            continue;
        }
        w.line("{");
        w.line(format_args!("auto tblgen_{name} = odsAttrs.get(\"{name}\");"));
        if is_required {
            let missing = error(op, Site::Adaptor, format!("requires attribute '{name}'")).to_string();
            w.line(format_args!("if (!tblgen_{name}) return {missing};"));
        } else {
            w.line(format_args!("if (tblgen_{name}) {{"));
        }
        if is_checked {
            emit_short_check(op, named, Site::Adaptor, entities, w);
        }
        if !is_required {
            w.line("}");
        }
        w.line("}");
    }
    w.line("return ::mlir::success();");
}

const SEGMENTS: Template = Template(
    r#"

{
  auto sizeAttr = odsAttrs.get("@name").cast<::mlir::DenseIntElementsAttr>();
  auto numElements = sizeAttr.getType().cast<::mlir::ShapedType>().getNumElements();
  if (numElements != @count)
    return emitError(loc, "'@name' attribute for specifying @kind segments "
                     "must have @count elements, but got ") << numElements;
}
"#,
);

fn emit_short_check(
    op: &OpInfo<'_>,
    named: &NamedAttribute<'_>,
    site: Site,
    entities: &[(&str, &str)],
    w: &mut Writer,
) {
    let Check { condition, failure } = Check::of(op, named, site, entities);
    w.line(format_args!("  if (!({condition})) return {failure};"));
}

/// Writes the body of `verify`; the adaptor's verifier has already checked its part.
pub(super) fn emit_verifier(
    op: &OpInfo<'_>,
    verifiers: &StaticVerifiers<'_>,
    entities: &[(&str, &str)],
    w: &mut Writer,
) {
    let adaptor = format_args!("{}Adaptor(*this).verify((*this)->getLoc())", op.class);
    w.line(format_args!("if (failed({adaptor})) return ::mlir::failure();"));
    let mut names = entities.to_vec();
    let mut subject = None;
    for named in op.op.natural_attributes() {
        let (name, constraint) = (named.name, named.attribute.constraint());
        if !constraint.condition().contains("$_op") {
            continue;
        }
        let is_required = op.attribute(name).is_some_and(|attribute| attribute.is_required);
        w.line("{");
        w.line(format_args!("auto tblgen_{name} = (*this)->getAttr(\"{name}\");"));
        if !is_required {
            w.line(format_args!("if (tblgen_{name}) {{"));
        }
        emit_short_check(op, named, Site::Op, entities, w);
        if !is_required {
            w.line("}");
        }
        w.line("}");
        subject = Some(format!("tblgen_{name}"));
    }
    let operands = op.op.operands().iter().map(|operand| operand.constraint);
    emit_values("operand", "getODSOperands", operands, verifiers, w);
    let results = op.op.results().iter().map(|result| result.constraint);
    emit_values("result", "getODSResults", results, verifiers, w);
    names.extend(subject.as_ref().map(|subject| ("_self", subject.as_str())));
    for (predicate, summary) in op.op.traits().iter().filter_map(|t| Some((t.predicate()?, t.summary()))) {
        w.line(format_args!("if (!({}))", substitute(&predicate.condition(), &names)));
        w.line(format_args!("  return emitOpError(\"failed to verify that {summary}\");"));
    }
    emit_regions(op, entities, w);
    emit_successors(op, entities, w);
    emit_end(op, w);
}

fn emit_values<'a>(
    kind: &str,
    getter: &str,
    values: impl Iterator<Item = TypeConstraint<'a>>,
    verifiers: &StaticVerifiers<'_>,
    w: &mut Writer,
) {
    w.line("{");
    w.indented(|w| {
        w.line("unsigned index = 0; (void)index;");
        for (index, constraint) in values.enumerate() {
            let function = verifiers.name(Kind::Type, constraint.constraint());
            if function.is_none() && !constraint.is_optional() {
                continue;
            }
            let group = format!("valueGroup{index}");
            w.line(format_args!("auto {group} = {getter}({index});"));
            if constraint.is_optional() {
                w.fill(AT_MOST_ONE, &[("group", &group), ("kind", &kind)]);
            }
            if let Some(function) = function {
                w.fill(EACH_VALUE, &[("group", &group), ("function", &function), ("kind", &kind)]);
            }
        }
    });
    w.line("}");
}

const AT_MOST_ONE: Template = Template(
    r#"
if (@group.size() > 1)
  return emitOpError("@kind group starting at #") << index << " requires 0 or 1 element, but found " << @group.size();
"#,
);

const EACH_VALUE: Template = Template(
    r#"
for (::mlir::Value v : @group) {
  if (::mlir::failed(@function(getOperation(), v.getType(), "@kind", index)))
    return ::mlir::failure();
  ++index;
}
"#,
);

fn emit_regions(op: &OpInfo<'_>, entities: &[(&str, &str)], w: &mut Writer) {
    if op.op.regions().is_empty() {
        return;
    }
    // Not indented in the reference.
    w.raw("{\n    unsigned index = 0; (void)index;\n");
    for (index, region) in op.op.regions().iter().enumerate() {
        let (name, constraint) = (region.name, region.constraint());
        if constraint.predicate_rec().is_none() {
            continue;
        }
        let all = match region.is_variadic() {
            true => format!("{}()", op.op.getter(name)),
            false => format!("::mlir::MutableArrayRef<::mlir::Region>((*this)->getRegion({index}))"),
        };
        let shown = if name.is_empty() { String::new() } else { format!(" ('{name}')") };
        let condition = constraint.condition();
        let names = [entities, &[("_self", "region")]].concat();
        let condition = substitute(&condition, &names);
        w.fill(
            REGION,
            &[
                ("all", &all),
                ("shown", &shown),
                ("condition", &condition),
                ("summary", &constraint.summary()),
            ],
        );
    }
    w.line("}");
}

const REGION: Template = Template(
    r#"
  for (::mlir::Region &region : @all) {
    (void)region;
    if (!(@condition)) {
      return emitOpError("region #") << index << "@shown failed to verify constraint: @summary";
    }
    ++index;
  }
"#,
);

fn emit_successors(op: &OpInfo<'_>, entities: &[(&str, &str)], w: &mut Writer) {
    if op.op.successors().is_empty() {
        return;
    }
    w.raw("{\n    unsigned index = 0; (void)index;\n");
    for successor in op.op.successors() {
        let (name, constraint) = (successor.name, successor.constraint());
        if constraint.predicate_rec().is_none() {
            continue;
        }
        let getter = op.op.getter(name);
        match successor.is_variadic() {
            true => w.line(format_args!("  for (::mlir::Block *successor : {getter}()) {{")),
            false => {
                w.line("  {");
                w.line(format_args!("    ::mlir::Block *successor = {getter}();"));
            }
        }
        let condition = constraint.condition();
        let names = [entities, &[("_self", "successor")]].concat();
        let condition = substitute(&condition, &names);
        w.fill(SUCCESSOR, &[("name", &name), ("condition", &condition), ("summary", &constraint.summary())]);
    }
    w.line("}");
}

const SUCCESSOR: Template = Template(
    r#"
    (void)successor;
    if (!(@condition)) {
      return emitOpError("successor #") << index << "('@name') failed to verify constraint: @summary";
    }
    ++index;
  }
"#,
);
