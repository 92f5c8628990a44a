//! Operations with several variadic operands or results (COR026, COR027).

use odsmith_ods::{
    Operation,
    format::{Element, TypeOf},
    infer::Inference,
};

use crate::lint::{
    cx::{Cx, Op},
    rule::{Fixable, Level, Rule, SINCE},
};

pub(super) static IN_PROP_DICT: Rule = Rule {
    id: "COR026",
    name: "segments-in-prop-dict",
    level: Level::Error,
    fix: Fixable::No,
    text: "A format with `prop-dict` writes all operands or all result types in one list, so that it does not show the sizes of the \
           segments, and the printer leaves them in the dictionary of properties. The parser of that dictionary knows no such key.",
    advice: "write each operand, or the type of each result, by its name",
    bad: r#"
def Ex_SplitOp : Ex_Op<"split", [AttrSizedResultSegments]> {
  let results = (outs Optional<I32>:$first, Variadic<I32>:$rest);
  let assemblyFormat = "prop-dict attr-dict `:` functional-type(operands, results)";
}
"#,
    good: r#"
def Ex_SplitOp : Ex_Op<"split", [AttrSizedResultSegments]> {
  let results = (outs Optional<I32>:$first, Variadic<I32>:$rest);
  let assemblyFormat = "prop-dict attr-dict (`:` type($first)^)? (`->` type($rest)^)?";
}
"#,
    since: SINCE,
};

pub(super) static INFERRED_BEHIND_LIST: Rule = Rule {
    id: "COR027",
    name: "inferred-type-after-variadic",
    level: Level::Error,
    fix: Fixable::No,
    text: "The type of a result is inferred from an operand that comes after a variadic or optional one. The generated code reads the \
           operand by a fixed number, as if each operand before it were one value, so that it takes another operand or none.",
    advice: "put the operand before the variadic ones",
    bad: r#"
def Ex_SelectOp : Ex_Op<"select", [AllTypesMatch<["otherwise", "result"]>]> {
  let arguments = (ins Variadic<I32>:$cases, AnyType:$otherwise);
  let results = (outs AnyType:$result);
}
"#,
    good: r#"
def Ex_SelectOp : Ex_Op<"select", [AllTypesMatch<["otherwise", "result"]>]> {
  let arguments = (ins AnyType:$otherwise, Variadic<I32>:$cases);
  let results = (outs AnyType:$result);
}
"#,
    since: SINCE,
};

pub(super) fn check(cx: &Cx<'_, '_>) {
    for it in &cx.operations {
        if cx.wants(&IN_PROP_DICT) {
            in_prop_dict(cx, it);
        }
        if cx.wants(&INFERRED_BEHIND_LIST) {
            inferred_after_list(cx, it);
        }
    }
}

/// Returns true if any element, in groups as well, satisfies a condition.
fn has(elements: &[Element<'_>], is_meant: &dyn Fn(&Element<'_>) -> bool) -> bool {
    elements.iter().any(|element| {
        is_meant(element)
            || match element {
                Element::Optional(group) => has(&group.then, is_meant) || has(&group.otherwise, is_meant),
                Element::OiList(clauses) => clauses.iter().any(|clause| has(&clause.elements, is_meant)),
                _ => false,
            }
    })
}

fn in_prop_dict(cx: &Cx<'_, '_>, Op { op, subject, format }: &Op<'_>) {
    let Some(format) = format.as_ref().filter(|format| format.has_prop_dict) else { return };
    let writes_operands = |element: &Element<'_>| matches!(element, Element::Operands);
    let writes_results = |element: &Element<'_>| match element {
        Element::Type { of: TypeOf::Results, .. } => true,
        Element::FunctionalType { results, .. } => matches!(results, TypeOf::Results),
        _ => false,
    };
    let cases: [(&str, &str, bool); 2] = [
        ("AttrSizedOperandSegments", "operandSegmentSizes", has(&format.elements, &writes_operands)),
        ("AttrSizedResultSegments", "resultSegmentSizes", has(&format.elements, &writes_results)),
    ];
    for (name, key, is_written) in cases {
        if !is_written || !op.has_trait(&format!("::mlir::OpTrait::{name}")) {
            continue;
        }
        let message = format!("the printer leaves '{key}' in 'prop-dict', whose parser does not know it");
        cx.draft(&IN_PROP_DICT, subject, message)
            .part(key)
            .at(cx.place_in_field(subject.rec, "assemblyFormat", "prop-dict"))
            .witness(format!("{} <{{{key} = array<i32: 1, 1>}}>", op.name()))
            .add();
    }
}

/// Returns the number of the operand that a result's type is read from.
fn source(op: &Operation<'_>, inference: &Inference<'_>) -> Option<usize> {
    match inference {
        Inference::FromOperand(index) => Some(*index),
        Inference::From(name, _) => op.operands().iter().position(|operand| operand.name == *name),
        Inference::Unknown | Inference::Buildable(_) => None,
    }
}

fn inferred_after_list(cx: &Cx<'_, '_>, Op { op, subject, .. }: &Op<'_>) {
    // Otherwise no code is generated that infers.
    if !op.all_result_types_known() {
        return;
    }
    for (result, inference) in op.results().iter().zip(op.result_types()) {
        let Some(index) = source(op, inference) else { continue };
        let Some((operand, before)) = op.operands().get(index).zip(op.operands().get(..index)) else {
            continue;
        };
        // The type of a variadic operand is that of its first value, wherever the list ends.
        let list = before.iter().find(|it| it.constraint.is_variable_length());
        let Some(list) = list.filter(|_| !operand.constraint.is_variable_length()) else { continue };
        let result = match result.name {
            "" => "the result".to_owned(),
            name => format!("'${name}'"),
        };
        let message = format!(
            "the type of {result} is read from operand {index}, which is '${}' only if '${}' has one value",
            operand.name, list.name
        );
        cx.draft(&INFERRED_BEHIND_LIST, subject, message)
            .part(&format!("${}", operand.name))
            .at(cx.place_of_part(subject.rec, operand.name))
            .witness(format!("{} with none or two of '${}'", op.name(), list.name))
            .add();
        return;
    }
}
