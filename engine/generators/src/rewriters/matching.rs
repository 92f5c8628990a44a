//! The match of a pattern: from an operation to captured variables.
//!
//! Each operation is in a variable: `op<depth>`, or `local_op_<number>` for several side by side.

use std::fmt::Display;

use super::{constraints::Functions, rewriting::has_properties};
use crate::cpp::{Writer, escaped, join};
use odsmith_ods::{
    Constraint, Operation, Pattern, cpp_name,
    pattern::{
        ArgumentMatch, AttributeMatch, ElementMatch, Matcher, NativeMatch, OpMatch, OperandMatch,
        OperandSource, PropertyMatch, SharedCall,
    },
};
use odsmith_release::{Change, spellings};

/// The nesting depth of an operation, its variable, and its variable with the type of its own class.
#[derive(Clone, Copy)]
struct At<'a> {
    depth: usize,
    operation: &'a str,
    casted: &'a str,
}

/// Writes the body of a pattern's match: the source pattern, operands of the same name, additional constraints.
pub(super) fn emit(pattern: &Pattern<'_>, functions: &Functions<'_>, w: &mut Writer) {
    emit_matched("op0", 0, w);
    emit_matcher(&pattern.source, At { depth: 0, operation: "op0", casted: "castedOp0" }, functions, w);
    let is_equality_first = w.rules().has(Change::EqualityFirst);
    if is_equality_first {
        emit_equality(pattern, w);
    }
    for constraint in &pattern.constraints {
        let entities = join(&constraint.entities, ", ");
        let kind = if constraint.is_of_type() { "value entity" } else { "entities" };
        let summary = constraint.constraint.summary();
        let is_escaped = w.rules().has(Change::EscapedSummaries);
        let summary = if is_escaped { escaped(summary).to_string() } else { summary.to_owned() };
        let quote = spellings::summary_quote.of(w.rules());
        let message =
            format_args!("{kind} '{entities}' failed to satisfy constraint: {quote}{summary}{quote}");
        emit_check(&constraint.condition, "op0", message, w);
    }
    if !is_equality_first {
        emit_equality(pattern, w);
    }
}

fn emit_equality(pattern: &Pattern<'_>, w: &mut Writer) {
    for (first, other) in pattern.symbols.equal_operands() {
        let message = format_args!("Operands '{first}' and '{other}' must be equal");
        emit_check(format_args!("*{first}.begin() == *{other}.begin()"), "op0", message, w);
    }
}

/// Writes the body of a function that matches a shared part.
pub(super) fn emit_shared(matcher: &Matcher<'_>, functions: &Functions<'_>, w: &mut Writer) {
    emit_matcher(matcher, At { depth: 1, operation: "op0", casted: "castedOp1" }, functions, w);
}

/// Writes the match of an operation that defines an operand of the current one.
fn emit_inner(
    matcher: &Matcher<'_>,
    outer: At<'_>,
    operation: &str,
    functions: &Functions<'_>,
    w: &mut Writer,
) {
    let depth = outer.depth + 1;
    emit_matcher(matcher, At { depth, operation, casted: &format!("castedOp{depth}") }, functions, w);
}

fn emit_matcher(matcher: &Matcher<'_>, at: At<'_>, functions: &Functions<'_>, w: &mut Writer) {
    match matcher {
        Matcher::Op(op) => emit_op(op, at, functions, w),
        // The reference indents these one level more.
        Matcher::Native(native) => w.indented(|w| emit_native(native, at, functions, w)),
        Matcher::Shared(call) => emit_shared_call(call, at, w),
    }
}

/// Writes code that fails the match if a condition does not hold.
fn emit_check(condition: impl Display, place: &str, message: impl Display, w: &mut Writer) {
    w.block(format_args!("if (!({condition})){{"), "}", |w| {
        w.line(format_args!("return rewriter.notifyMatchFailure({place}, [&](::mlir::Diagnostic &diag) {{"));
        // A message of several lines is indented like the statement.
        w.line(format_args!("  diag << \"{message}\";"));
        w.line("});");
    });
}

/// Writes code that records a matched operation.
fn emit_matched(operation: &str, number: usize, w: &mut Writer) {
    match w.rules().has(Change::ListsOfMatchedOps) {
        true => w.line(["tblgen_ops.push_back(", operation, ");"]),
        false => w.line(format_args!("tblgen_ops[{number}] = {operation};")),
    }
}

/// Writes code that fails the match if a constraint, whose condition is written in place, does not hold.
fn emit_condition(condition: &str, place: &str, what: &str, summary: impl Display, w: &mut Writer) {
    emit_check(condition, place, format_args!("{what} failed to satisfy constraint: {summary}"), w);
}

/// Writes code that fails the match if a call fails.
fn emit_call(call: impl Display, w: &mut Writer) {
    let failed = spellings::pattern_failed.of(w.rules());
    w.braces(format_args!("if({failed}({call}))"), |w| w.line("return ::mlir::failure();"));
}

fn emit_constraint(
    constraint: Constraint<'_>,
    place: &str,
    entity: &str,
    what: &str,
    functions: &Functions<'_>,
    w: &mut Writer,
) {
    let (function, summary) = (functions.name(constraint), escaped(constraint.summary()));
    emit_call(
        format_args!(
            "{function}(rewriter, {place}, {entity}, \"{what} failed to satisfy constraint: '{summary}'\")"
        ),
        w,
    );
}

fn emit_shared_call(call: &SharedCall<'_>, at: At<'_>, w: &mut Writer) {
    let variables: String = call.variables.iter().map(|variable| format!(", {variable}")).collect();
    emit_call(
        format_args!("static_dag_matcher_{}(rewriter, {}, tblgen_ops{variables})", call.number, at.operation),
        w,
    );
    if let (0, Some(op)) = (at.depth, &call.op) {
        emit_cast("dyn_cast_or_null", op, at, w);
    }
}

fn emit_cast(cast: &str, op: &Operation<'_>, at: At<'_>, w: &mut Writer) {
    let (class, casted) = (op.qualified_cpp_class_name(), at.casted);
    let class = &*class;
    w.line(["auto ", casted, " = ::llvm::", cast, "<", class, ">(", at.operation, "); (void)", casted, ";"]);
}

fn emit_op(matched: &OpMatch<'_>, at: At<'_>, functions: &Functions<'_>, w: &mut Writer) {
    let casted = at.casted;
    emit_cast("dyn_cast", &matched.op, at, w);
    if at.depth > 0 {
        let class = matched.op.qualified_cpp_class_name();
        emit_check(casted, at.operation, format_args!("{casted} is not {class} type"), w);
    }
    if let Some(symbol) = matched.symbol {
        w.line(format_args!("{symbol} = {casted};"));
    }
    for argument in &matched.arguments {
        match argument {
            ArgumentMatch::Operand(operand) => {
                // Older releases bind the operand at the index that the operation declares.
                let place = match w.rules().has(Change::SharedMatchers) {
                    true => operand.operand,
                    false => operand.number,
                };
                let range = format!("{casted}.getODSOperands({place})");
                emit_operand(operand, &range, &matched.op, at, functions, w);
            }
            ArgumentMatch::Attribute(attribute) => emit_attribute(attribute, &matched.op, at, functions, w),
            ArgumentMatch::Property(property) => emit_property(property, &matched.op, at, functions, w),
            ArgumentMatch::Defined { operand, by, number } => {
                emit_defined(*operand, by, *number, at, functions, w);
            }
            ArgumentMatch::Either { operand, sources } => {
                emit_either(*operand, sources, &matched.op, at, functions, w);
            }
            ArgumentMatch::Variadic { operand, variable, elements } => {
                emit_variadic(*operand, variable.as_deref(), elements, at, functions, w);
            }
        }
    }
}

fn emit_operand(
    matched: &OperandMatch<'_>,
    range: &str,
    op: &Operation<'_>,
    at: At<'_>,
    functions: &Functions<'_>,
    w: &mut Writer,
) {
    if let Some(constraint) = matched.constraint {
        let what = format!("operand {} of op '{}'", matched.number, op.name());
        match &matched.condition {
            Some(condition) => {
                let summary = format_args!("'{}'", constraint.summary());
                emit_condition(condition, at.casted, &what, summary, w);
            }
            None => {
                let ty = format!("(*{range}.begin()).getType()");
                emit_constraint(constraint, at.casted, &ty, &what, functions, w);
            }
        }
    }
    if let Some(variable) = &matched.variable {
        w.line(format_args!("{variable} = {range};"));
    }
}

fn emit_attribute(
    matched: &AttributeMatch<'_>,
    op: &Operation<'_>,
    at: At<'_>,
    functions: &Functions<'_>,
    w: &mut Writer,
) {
    let AttributeMatch { attribute, default_value, constraint, condition, variable } = matched;
    let (name, storage) = (attribute.name, attribute.attribute.storage_type());
    let is_casted = w.rules().has(Change::PropertiesInPatterns);
    let casted = if is_casted { at.casted } else { at.operation };
    w.block("{", "}", |w| {
        if has_properties(op) {
            let getter = cpp_name::camel_case(name, true);
            w.line(format_args!(
                "[[maybe_unused]] auto tblgen_attr = {casted}.getProperties().get{getter}();"
            ));
        } else if is_casted {
            w.line(format_args!(
                "[[maybe_unused]] auto tblgen_attr = {casted}->getAttrOfType<{storage}>(\"{name}\");"
            ));
        } else {
            w.line(format_args!(
                "auto tblgen_attr = {casted}->getAttrOfType<{storage}>(\"{name}\");(void)tblgen_attr;"
            ));
        }
        if let Some(value) = default_value {
            w.line(format_args!("if (!tblgen_attr) tblgen_attr = {value};"));
        } else if !attribute.attribute.is_optional() {
            let op = op.name();
            let message = format_args!("expected op '{op}' to have attribute '{name}' of type '{storage}'");
            emit_check("tblgen_attr", casted, message, w);
        }
        if let Some(constraint) = *constraint {
            let is_looked_for = condition.is_none() && attribute.attribute.is_optional();
            if is_looked_for && needs_attribute(constraint) {
                let failure = spellings::pattern_failure.of(w.rules());
                w.line(format_args!("if (!tblgen_attr) return {failure}();"));
            }
            let what = format!("op '{}' attribute '{name}'", op.name());
            match condition {
                Some(condition) => emit_condition(condition, casted, &what, constraint.summary(), w),
                None => emit_constraint(constraint, casted, "tblgen_attr", &what, functions, w),
            }
        }
        if let Some(variable) = variable {
            w.line(format_args!("{variable} = tblgen_attr;"));
        }
    });
}

/// Returns whether a constraint reads the attribute and so cannot hold for a missing one. The reference decides by the
/// text of the condition.
fn needs_attribute(constraint: Constraint<'_>) -> bool {
    let condition = constraint.condition();
    condition.contains("$_self") && !condition.contains("!$_self")
}

fn emit_property(
    matched: &PropertyMatch<'_>,
    op: &Operation<'_>,
    at: At<'_>,
    functions: &Functions<'_>,
    w: &mut Writer,
) {
    let PropertyMatch { property, constraint, variable } = matched;
    let (casted, name) = (at.casted, property.name);
    w.block("{", "}", |w| {
        let getter = cpp_name::camel_case(name, true);
        w.line(format_args!("[[maybe_unused]] auto tblgen_prop = {casted}.getProperties().get{getter}();"));
        if let Some(constraint) = *constraint {
            let what = format!("op '{}' property '{name}'", op.name());
            emit_constraint(constraint, casted, "tblgen_prop", &what, functions, w);
        }
        if let Some(variable) = variable {
            w.line(format_args!("{variable} = tblgen_prop;"));
        }
    });
}

fn emit_defined(
    operand: usize,
    by: &Matcher<'_>,
    number: usize,
    at: At<'_>,
    functions: &Functions<'_>,
    w: &mut Writer,
) {
    let casted = at.casted;
    let operation = format!("op{}", at.depth + 1);
    w.block("{", "}", |w| {
        w.line(format_args!(
            "auto *{operation} = (*{casted}.getODSOperands({operand}).begin()).getDefiningOp();"
        ));
        let (begin, end) = (spellings::undefined_begin.of(w.rules()), spellings::undefined_end.of(w.rules()));
        emit_check(&operation, casted, format_args!("{begin}{operand} of {casted}{end}"), w);
        emit_inner(by, at, &operation, functions, w);
        emit_matched(&operation, number, w);
    });
}

/// Writes the match of two operands in either order.
fn emit_either(
    first: usize,
    sources: &[OperandSource<'_>],
    op: &Operation<'_>,
    at: At<'_>,
    functions: &Functions<'_>,
    w: &mut Writer,
) {
    let casted = at.casted;
    let lambda = format!("eitherLambda{}", at.depth);
    let range = spellings::either_range.of(w.rules());
    w.block(format_args!("auto {lambda} = [&]({range} v0, {range} v1) {{"), "};", |w| {
        for (number, source) in sources.iter().enumerate() {
            match source {
                OperandSource::Leaf(leaf) => {
                    emit_operand(leaf, &format!("v{number}"), op, at, functions, w);
                }
                OperandSource::Defined { operand, by } => {
                    let operation = format!("local_op_{number}");
                    w.line(format_args!("auto {operation} = (*v{number}.begin()).getDefiningOp();"));
                    let message =
                        format_args!("There's no operation that defines operand {operand} of {casted}");
                    let body = |w: &mut Writer| {
                        emit_check(&operation, casted, message, w);
                        emit_inner(by, at, &operation, functions, w);
                    };
                    match w.rules().has(Change::ScopesInEither) {
                        true => w.block("{", "}", body),
                        false => body(w),
                    }
                }
            }
        }
        for (number, source) in sources.iter().enumerate() {
            if matches!(source, OperandSource::Defined { .. }) {
                w.line(format_args!("tblgen_ops.push_back(local_op_{number});"));
            }
        }
        w.line(format_args!("return {}();", spellings::either_success.of(w.rules())));
    });
    w.block("{", "}", |w| {
        for number in 0..2 {
            let operand = first + number;
            w.line(format_args!("auto eitherOperand{number} = {casted}.getODSOperands({operand});"));
        }
        let failed = spellings::pattern_failed.of(w.rules());
        w.line(format_args!(
            "if({failed}({lambda}(eitherOperand0, eitherOperand1)) && \
             {failed}({lambda}(eitherOperand1, eitherOperand0)))"
        ));
        w.line(format_args!("  return {}();", spellings::pattern_failure.of(w.rules())));
    });
}

fn emit_variadic(
    operand: usize,
    variable: Option<&str>,
    elements: &[ElementMatch<'_>],
    at: At<'_>,
    functions: &Functions<'_>,
    w: &mut Writer,
) {
    let (casted, count) = (at.casted, elements.len());
    w.block("{", "}", |w| {
        w.line(format_args!("auto variadic_operand_range = {casted}.getODSOperands({operand});"));
        w.line(format_args!("if (variadic_operand_range.size() != {count}) return ::mlir::failure();"));
        if let Some(variable) = variable {
            w.line(format_args!("{variable} = variadic_operand_range;"));
        }
        for (number, element) in elements.iter().enumerate() {
            match element {
                ElementMatch::Any(None) => {}
                ElementMatch::Any(Some(variable)) => {
                    w.line(format_args!("{variable} = variadic_operand_range.slice({number}, 1);"));
                }
                ElementMatch::Defined(by) => w.block("{", "}", |w| {
                    let operation = format!("local_op_{number}");
                    w.line(format_args!(
                        "auto *{operation} = variadic_operand_range[{number}].getDefiningOp();"
                    ));
                    // The reference has this spelling.
                    let message = format_args!(
                        "There's no operation that defines variadic operand {operand} (variadic sub-opearnd \
                         #{number}) of {casted}"
                    );
                    emit_check(&operation, casted, message, w);
                    emit_inner(by, at, &operation, functions, w);
                    w.line(format_args!("tblgen_ops.push_back({operation});"));
                }),
            }
        }
    });
}

fn emit_native(matched: &NativeMatch<'_>, at: At<'_>, functions: &Functions<'_>, w: &mut Writer) {
    let NativeMatch { call, expression, captures } = matched;
    for capture in captures {
        let spelling =
            if capture.is_attribute { spellings::captured_attribute } else { spellings::captured_value };
        let ty = spelling.of(w.rules());
        w.line(format_args!("{ty} {};", capture.local));
    }
    // The message contains the expression unchanged, including its quotes.
    let failure = spellings::pattern_failure.of(w.rules());
    let failed = spellings::pattern_failed.of(w.rules());
    let message = format_args!("{expression} return {failure}");
    emit_check(format_args!("!{failed}({expression})"), at.operation, message, w);
    for capture in captures {
        if let Some(variable) = &capture.variable {
            w.line(format_args!("{variable} = {};", capture.local));
        }
    }
    for (number, capture) in captures.iter().enumerate() {
        if let Some(constraint) = capture.constraint {
            let what = format!("operand {number} of native code call '{}'", call.expression);
            match &capture.condition {
                Some(condition) => {
                    let summary = format_args!("'{}'", constraint.summary());
                    emit_condition(condition, at.operation, &what, summary, w);
                }
                None => emit_constraint(constraint, at.operation, &capture.entity(), &what, functions, w),
            }
        }
    }
}
