//! Contracts of traits, and constraints that imply or exclude each other (COR013–COR016, COR020).

use odsmith_ods::Operation;
use odsmith_tablegen::{
    outline::{Outline, Statement, StatementKind},
    record::Rec,
};

use crate::{
    lint::{
        cx::{Cx, Op, about_file},
        finding::{Edit, Fix, edit_of},
        rule::{Fixable, Level, Rule, SINCE},
        words::{listed, quoted},
    },
    logic::{self, Answer, Condition},
};

pub(super) static UNUSED_ARGUMENT: Rule = Rule {
    id: "COR013",
    name: "traits-parameter-unused",
    level: Level::Error,
    fix: Fixable::Unsafe,
    text: "A class takes a template argument and does nothing with it. Whatever is given for it is lost without a word: where it is a \
           list of traits, all operations of the class lack them.",
    advice: "hand the argument on to the base class, or delete it",
    bad: r#"
class Ex_BinaryOp<string mnemonic, list<Trait> traits = []> : Ex_Op<mnemonic> {
  let arguments = (ins I32:$lhs, I32:$rhs);
}
def Ex_AddOp : Ex_BinaryOp<"add", [Commutative]>;
"#,
    good: r#"
class Ex_BinaryOp<string mnemonic, list<Trait> traits = []> : Ex_Op<mnemonic, traits> {
  let arguments = (ins I32:$lhs, I32:$rhs);
}
def Ex_AddOp : Ex_BinaryOp<"add", [Commutative]>;
"#,
    since: SINCE,
};

pub(super) static CONTRACT: Rule = Rule {
    id: "COR014",
    name: "trait-contract",
    level: Level::Pedantic,
    fix: Fixable::No,
    text: "A trait wants something that only fails at run time if it is missing: `ConstantLike` a folder, `Symbol` an attribute \
           `sym_name`; a terminator's results are seen by nothing, for no operation comes after it.",
    advice: "set `hasFolder`, add `SymbolNameAttr:$sym_name`, take the results or the trait away",
    bad: r#"
def Ex_ConstantOp : Ex_Op<"constant", [Pure, ConstantLike]> {
  let arguments = (ins I32Attr:$value);
  let results = (outs I32:$result);
}
"#,
    good: r#"
def Ex_ConstantOp : Ex_Op<"constant", [Pure, ConstantLike]> {
  let arguments = (ins I32Attr:$value);
  let results = (outs I32:$result);
  let hasFolder = 1;
}
"#,
    since: SINCE,
};

pub(super) static COMMUTATIVE: Rule = Rule {
    id: "COR015",
    name: "commutative-mixed-types",
    level: Level::Warning,
    fix: Fixable::No,
    text: "An operation is `Commutative`, so that its operands may be swapped, but an operand that is allowed in one place is not \
           allowed in the other.",
    advice: "give both operands one constraint, or take `Commutative` away",
    bad: r#"
def Ex_ScaleOp : Ex_Op<"scale", [Commutative]> {
  let arguments = (ins F32:$value, I32:$factor);
}
"#,
    good: r#"
def Ex_ScaleOp : Ex_Op<"scale", [Commutative]> {
  let arguments = (ins F32:$value, F32:$factor);
}
"#,
    since: SINCE,
};

pub(super) static SAME_TYPES: Rule = Rule {
    id: "COR016",
    name: "same-type-contradictory",
    level: Level::Pedantic,
    fix: Fixable::Unsafe,
    text: "Constraints of several operands or results exclude each other, so that no operation can be verified; or one of them \
           follows from another and says nothing.",
    advice: "give what must have one type constraints that have a type in common; delete a constraint that another implies",
    bad: r#"
def Ex_AddOp : Ex_Op<"add", [SameTypeOperands]> {
  let arguments = (ins I32:$lhs, F32:$rhs);
}
def Ex_SubOp : Ex_Op<"sub", [SameTypeOperands, SameOperandsElementType]> {
  let arguments = (ins AnyTensor:$lhs, AnyTensor:$rhs);
}
"#,
    good: r#"
def Ex_AddOp : Ex_Op<"add", [SameTypeOperands]> {
  let arguments = (ins I32:$lhs, I32:$rhs);
}
"#,
    since: SINCE,
};

pub(super) static TERMINATOR: Rule = Rule {
    id: "COR020",
    name: "region-needs-terminator-rule",
    level: Level::Pedantic,
    fix: Fixable::No,
    text: "A region has a single block, and nothing says how the block ends. Each user has to write a terminator, and builders and \
           parsers add none.",
    advice: "add `SingleBlockImplicitTerminator<\"…\">`, or `NoTerminator`",
    bad: r#"
def Ex_LoopOp : Ex_Op<"loop", [SingleBlock]> {
  let regions = (region SizedRegion<1>:$body);
}
"#,
    good: r#"
def Ex_LoopOp : Ex_Op<"loop", [SingleBlock, NoTerminator]> {
  let regions = (region SizedRegion<1>:$body);
}
"#,
    since: SINCE,
};

/// The work limit of one logical question.
const WORK: u64 = 20_000;

pub(super) fn check(cx: &Cx<'_, '_>) {
    unused_arguments(cx);
    for it in &cx.operations {
        contract(cx, it);
        if cx.wants(&COMMUTATIVE) {
            commutative(cx, it);
        }
        if cx.wants(&SAME_TYPES) {
            contradictory(cx, it);
            redundant(cx, it);
        }
        if cx.wants(&TERMINATOR) {
            terminator(cx, it);
        }
    }
}

fn unused_arguments(cx: &Cx<'_, '_>) {
    for unused in cx.root.unused {
        let Some(location) = &unused.location else { continue };
        let Some(outline) = cx.file(&location.file) else { continue };
        let start = location.range.start;
        let at = outline.offset(start.line, start.column);
        let statement = outline.statement_at(at);
        let end = outline.token_from(at).map_or(at + 1, |token| token.end);
        let argument = outline.slice(at..end);
        let owner =
            statement.and_then(|it| it.whole_name()).map(|name| outline.text_of(name)).unwrap_or_default();
        let message = format!("the template argument '{argument}' of '{owner}' is given, and does nothing");
        let Some(mut finding) =
            about_file(&UNUSED_ARGUMENT, (cx.config, cx.stop), (outline, at, end), message)
        else {
            continue;
        };
        finding.subject = format!("{owner}<{argument}>");
        let edit = statement
            .filter(|it| it.kind == StatementKind::Class)
            .and_then(|statement| hand_on(outline, statement, argument));
        finding.fix = edit.map(|edit| Fix {
            title: "hand it on to the base class".to_owned(),
            is_safe: false,
            edits: vec![edit],
        });
        cx.push(finding);
    }
}

/// Adds a list of traits to the arguments of the only base class.
fn hand_on(outline: &Outline, statement: &Statement, argument: &str) -> Option<Edit> {
    let tokens = outline.code_in(outline.header_of(statement));
    let words: Vec<&str> = tokens.iter().map(|token| outline.text_of(*token)).collect();
    let declared = words.iter().position(|word| *word == argument)?;
    if !words.get(..declared)?.ends_with(&["list", "<", "Trait", ">"]) {
        return None;
    }
    let mut depth = 0_i32;
    let mut colon = None;
    let mut close = None;
    for (index, word) in words.iter().enumerate() {
        match *word {
            "<" | "[" | "(" => depth += 1,
            ">" | "]" | ")" => {
                depth -= 1;
                if depth == 0 && colon.is_some() {
                    close = Some(index);
                }
            }
            ":" if depth == 0 && colon.is_none() => colon = Some(index),
            // A second base.
            "," if depth == 0 && colon.is_some() => return None,
            _ => {}
        }
    }
    let at = tokens.get(close?)?.start;
    Some(edit_of(outline, (at, at), format!(", {argument}")))
}

fn contract(cx: &Cx<'_, '_>, Op { op, subject, .. }: &Op<'_>) {
    if !cx.wants(&CONTRACT) {
        return;
    }
    if op.has_trait("::mlir::OpTrait::ConstantLike") && !op.has_folder() {
        let message = "it is ConstantLike and has no folder: what asks for its value gets none";
        cx.draft(&CONTRACT, subject, message).part("ConstantLike").add();
    }
    // A block that it branches to may use them.
    let is_end = op.has_trait("::mlir::OpTrait::IsTerminator") && op.successors().is_empty();
    if is_end && !op.results().is_empty() {
        let message = "it ends its block and has results: nothing after it can use them";
        cx.draft(&CONTRACT, subject, message).part("Terminator").add();
    }
    let is_symbol = op.has_trait("::mlir::SymbolOpInterface::Trait");
    let has_name = op.attributes().iter().any(|it| it.name == "sym_name")
        || op.properties().iter().any(|it| it.name == "sym_name");
    let names_itself = op.extra_class_declaration().contains("getName");
    if is_symbol && !has_name && !names_itself {
        let message = "it is a Symbol and has no attribute 'sym_name'";
        cx.draft(&CONTRACT, subject, message).part("Symbol").add();
    }
}

/// Returns the conditions of single (non-variadic) operands and results, by name.
fn conditions(op: &Operation<'_>, with_results: bool) -> Vec<(String, Condition)> {
    let operands = op.operands().iter().enumerate().map(|(at, it)| ("operand", at, it.name, it.constraint));
    let results = op.results().iter().enumerate().map(|(at, it)| ("result", at, it.name, it.constraint));
    let all = operands.chain(results.filter(|_| with_results));
    let single = all.filter(|(.., constraint)| !constraint.is_variable_length());
    let read = single.filter_map(|(kind, at, name, constraint)| {
        let name = if name.is_empty() { format!("{kind} {at}") } else { format!("${name}") };
        Some((name, Condition::new(&constraint.constraint().predicate()?)))
    });
    read.collect()
}

fn commutative(cx: &Cx<'_, '_>, Op { op, subject, .. }: &Op<'_>) {
    if !op.has_trait("::mlir::OpTrait::IsCommutative") {
        return;
    }
    let conditions = conditions(op, false);
    for (index, (name, condition)) in conditions.iter().enumerate() {
        for (other_name, other) in &conditions[..index] {
            let no = [(other, condition), (condition, other)].into_iter().find_map(|(one, two)| {
                match logic::implies(one, two, WORK) {
                    Answer::No(witness) => Some(witness),
                    _ => None,
                }
            });
            if let Some(witness) = no {
                let message = format!(
                    "{} may be swapped, and not all types are allowed for both",
                    listed(&[other_name, name])
                );
                let draft = cx.draft(&COMMUTATIVE, subject, message);
                match witness.example {
                    Some(example) => draft.witness(example).add(),
                    None => draft.add(),
                }
                return;
            }
        }
    }
}

/// Returns the traits that require one type for all of these values.
fn same_types(op: &Operation<'_>) -> Vec<(&'static str, Vec<(String, Condition)>)> {
    let mut groups = Vec::new();
    if op.has_trait("::mlir::OpTrait::SameOperandsAndResultType") {
        groups.push(("SameOperandsAndResultType", conditions(op, true)));
    } else if op.has_trait("::mlir::OpTrait::SameTypeOperands") {
        groups.push(("SameTypeOperands", conditions(op, false)));
    }
    let all = conditions(op, true);
    for values in op.traits().iter().filter_map(|t| t.matching_types()) {
        let is_meant = |(name, _): &&(String, Condition)| values.iter().any(|it| name.get(1..) == Some(*it));
        groups.push(("AllTypesMatch", all.iter().filter(is_meant).cloned().collect()));
    }
    groups
}

fn contradictory(cx: &Cx<'_, '_>, Op { op, subject, .. }: &Op<'_>) {
    for (name, conditions) in same_types(op) {
        for (index, (one, condition)) in conditions.iter().enumerate() {
            let clash = conditions[..index].iter().find(|(_, other)| {
                let both = Condition::And(vec![condition.clone(), other.clone()]);
                other != condition && logic::is_satisfiable(&both, WORK) == Some(false)
            });
            if let Some((other, _)) = clash {
                let message = format!(
                    "{} must have one type ({name}), and no type satisfies both",
                    listed(&[other, one])
                );
                cx.draft(&SAME_TYPES, subject, message)
                    .part(name)
                    .witness(format!("no type is allowed for {other} and {one}"))
                    .add();
                return;
            }
        }
    }
    for (name, condition) in conditions(op, true) {
        // Only unsatisfiable conditions; an empty list of alternatives is written on purpose.
        if condition != Condition::Or(Vec::new()) && logic::is_satisfiable(&condition, WORK) == Some(false) {
            let message = format!("no type satisfies the constraint of '{name}'");
            cx.draft(&SAME_TYPES, subject, message).part(&name).witness("every operation is refused").add();
        }
    }
}

/// Traits, and the traits that each one implies.
const IMPLIED: &[(&str, &[&str])] = &[
    (
        "SameOperandsAndResultType",
        &[
            "SameTypeOperands",
            "SameOperandsElementType",
            "SameOperandsAndResultElementType",
            "SameOperandsShape",
            "SameOperandsAndResultShape",
        ],
    ),
    ("SameTypeOperands", &["SameOperandsElementType", "SameOperandsShape"]),
    ("SameOperandsAndResultElementType", &["SameOperandsElementType"]),
    ("SameOperandsAndResultShape", &["SameOperandsShape"]),
];

fn redundant(cx: &Cx<'_, '_>, Op { op, subject, .. }: &Op<'_>) {
    for (strong, weak) in IMPLIED {
        if !op.has_trait(&format!("::mlir::OpTrait::{strong}")) {
            continue;
        }
        let weak: Vec<&str> =
            weak.iter().copied().filter(|weak| op.has_trait(&format!("::mlir::OpTrait::{weak}"))).collect();
        if weak.is_empty() {
            continue;
        }
        let message = format!("{} follows from {}", listed(&weak), quoted(strong));
        cx.draft(&SAME_TYPES, subject, message)
            .part(weak[0])
            .fix("delete what is implied", remove_trait(cx, subject.rec, weak[0]))
            .add();
        return;
    }
}

/// Deletes a trait from the list of a definition.
fn remove_trait(cx: &Cx<'_, '_>, rec: Rec<'_>, name: &str) -> Vec<Edit> {
    let edit = cx.statement(rec).and_then(|(outline, statement)| {
        let tokens = outline.code_in(statement.range());
        let at = tokens.iter().position(|token| outline.text_of(*token) == name)?;
        let (token, next, before) = (tokens[at], tokens.get(at + 1)?, tokens.get(at.checked_sub(1)?)?);
        let (start, end) = match (outline.text_of(*before), outline.text_of(*next)) {
            (_, ",") => (token.start, tokens.get(at + 2)?.start),
            (",", "]") => (before.start, token.end),
            ("[", "]") => (token.start, token.end),
            _ => return None,
        };
        Some(edit_of(outline, (start, end), ""))
    });
    edit.into_iter().collect()
}

fn terminator(cx: &Cx<'_, '_>, Op { op, subject, .. }: &Op<'_>) {
    let has_rule = op.traits().iter().any(|t| {
        let name = t.qualified_name();
        name.contains("NoTerminator") || name.contains("ImplicitTerminator")
    });
    if has_rule {
        return;
    }
    let has_single_block = |condition: &str| condition.contains("hasNItems($_self, 1)");
    let single = op.regions().iter().find(|region| {
        !region.is_variadic()
            && (has_single_block(&region.constraint().condition())
                || op.has_trait("::mlir::OpTrait::SingleBlock"))
    });
    if let Some(region) = single {
        let message = format!("nothing says how the only block of '${}' ends", region.name);
        cx.draft(&TERMINATOR, subject, message)
            .part(&format!("${}", region.name))
            .at(cx.place_of_part(subject.rec, region.name))
            .add();
    }
}
