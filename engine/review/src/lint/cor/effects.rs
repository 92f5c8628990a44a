//! Memory effects (COR011, COR012). Passes erase, merge and move operations by them.

use odsmith_ods::{EffectTarget, Effects, SideEffect};
use odsmith_tablegen::outline::{Kind, Outline, Statement};

use crate::lint::{
    cx::{Cx, Op},
    finding::{Edit, edit_of},
    rule::{Fixable, Level, Rule, SINCE},
    words,
};

pub(super) static PURE_WITH_EFFECTS: Rule = Rule {
    id: "COR011",
    name: "pure-with-effects",
    level: Level::Warning,
    fix: Fixable::No,
    text: "An operation says that it has no effect on memory, and that it has one on an operand or result; or it makes a new buffer \
           each time, as its name says. Two of them with equal operands are merged into one, so that two buffers become the same.",
    advice: "take `Pure` away, or the effects; what allocates has `MemAlloc` on its result",
    bad: r#"
def Ex_ReadOp : Ex_Op<"read", [Pure]> {
  let arguments = (ins Arg<AnyMemRef, "what is read", [MemRead]>:$source);
  let results = (outs I32:$value);
}
"#,
    good: r#"
def Ex_ReadOp : Ex_Op<"read"> {
  let arguments = (ins Arg<AnyMemRef, "what is read", [MemRead]>:$source);
  let results = (outs I32:$value);
}
"#,
    since: SINCE,
};

pub(super) static UNATTACHED: Rule = Rule {
    id: "COR012",
    name: "effects-unattached",
    level: Level::Warning,
    fix: Fixable::Unsafe,
    text: "An operation allocates, and does not say that it is its result that is allocated. Passes cannot know that nothing else is \
           affected, so that it is not erased where its result is not used.",
    advice: "write the effect on the result: `Res<Type, \"\", [MemAlloc]>`",
    bad: r#"
def Ex_AllocOp : Ex_Op<"alloc", [MemoryEffects<[MemAlloc]>]> {
  let results = (outs AnyMemRef:$memory);
}
"#,
    good: r#"
def Ex_AllocOp : Ex_Op<"alloc"> {
  let results = (outs Res<AnyMemRef, "", [MemAlloc]>:$memory);
}
"#,
    since: SINCE,
};

pub(super) fn check(cx: &Cx<'_, '_>) {
    for it in &cx.operations {
        let groups = it.op.effects();
        let Some(effects) = groups.iter().find(|effects| effects.is_on_memory()) else { continue };
        if cx.wants(&PURE_WITH_EFFECTS) {
            pure_with_effects(cx, it, effects);
        }
        if cx.wants(&UNATTACHED) {
            unattached(cx, it, effects);
        }
    }
}

fn is_allocation(effect: SideEffect<'_>) -> bool {
    effect.effect().ends_with("::Allocate")
}

fn pure_with_effects(cx: &Cx<'_, '_>, Op { op, subject, .. }: &Op<'_>, effects: &Effects<'_>) {
    let is_pure = op
        .traits()
        .iter()
        .any(|t| t.is_side_effects() && t.base_effect() == effects.base && t.effects().is_empty());
    if !is_pure {
        return;
    }
    if let Some((target, effect)) = effects.on.first() {
        let on = match *target {
            EffectTarget::Operation => "itself".to_owned(),
            EffectTarget::Operand(index) => {
                op.operands().get(index).map(|it| format!("'${}'", it.name)).unwrap_or_default()
            }
            EffectTarget::Attribute(index) => {
                op.attributes().get(index).map(|it| format!("'${}'", it.name)).unwrap_or_default()
            }
            EffectTarget::Result(index) => {
                op.results().get(index).map(|it| format!("'${}'", it.name)).unwrap_or_default()
            }
        };
        let kind = effect.effect().rsplit("::").next().unwrap_or_default();
        cx.draft(&PURE_WITH_EFFECTS, subject, "it has no memory effect and one at the same time")
            .witness(format!("{kind} on {on}"))
            .add();
        return;
    }
    let parts = words::parts(op.mnemonic());
    let makes = parts.iter().any(|part| matches!(part.as_str(), "alloc" | "alloca" | "allocate" | "malloc"))
        || op.summary().trim_start().to_lowercase().starts_with("allocate");
    let has_result = !op.results().is_empty();
    // A result that is not memory, such as a tensor or a number, is a value: two equal ones are the same.
    let is_memory = op.results().iter().any(|result| {
        let constraint = result.constraint.base();
        let (condition, class) = (constraint.constraint().condition(), constraint.cpp_type().into_owned());
        let names_memory =
            |text: &str| ["MemRef", "Pointer", "Ptr", "Buffer"].iter().any(|word| text.contains(word));
        names_memory(&condition) || names_memory(&class)
    });
    if makes && has_result && is_memory {
        cx.draft(&PURE_WITH_EFFECTS, subject, "it allocates, and says that it has no effect on memory")
            .witness(format!("two {} with equal operands become one", op.name()))
            .add();
    }
}

fn unattached(cx: &Cx<'_, '_>, Op { op, subject, .. }: &Op<'_>, effects: &Effects<'_>) {
    let allocates = |wanted: fn(EffectTarget) -> bool| {
        effects.on.iter().any(|(target, effect)| wanted(*target) && is_allocation(*effect))
    };
    let on_operation = allocates(|target| target == EffectTarget::Operation);
    let on_result = allocates(|target| matches!(target, EffectTarget::Result(_)));
    if !on_operation || on_result || op.results().is_empty() {
        return;
    }
    let edits = cx.statement(subject.rec).and_then(|(outline, statement)| attach(outline, statement));
    cx.draft(&UNATTACHED, subject, "it allocates, but not its result")
        .witness(format!("{} whose result is not used stays", op.name()))
        .fix("write the effect on the result", edits.unwrap_or_default())
        .add();
}

/// Removes `MemoryEffects<[MemAlloc]>` and decorates the only result.
fn attach(outline: &Outline, statement: &Statement) -> Option<Vec<Edit>> {
    let tokens = outline.code_in(statement.range());
    let words: Vec<&str> = tokens.iter().map(|token| outline.text_of(*token)).collect();
    let effect = ["MemoryEffects", "<", "[", "MemAlloc", "]", ">"];
    let at = words.windows(effect.len()).position(|window| window == effect)?;
    let (mut from, mut to) = (at, at + effect.len());
    if words.get(to) == Some(&",") {
        to += 1;
    } else if at > 0 && words[at - 1] == "," {
        from -= 1;
    }
    let until = tokens.get(to).map_or(statement.end, |next| next.start);
    let until = if outline.text_of(*tokens.get(to - 1)?) == "," { until } else { tokens.get(to - 1)?.end };
    let removal = edit_of(outline, (tokens[from].start, until), "");
    let value = outline.value(statement, "results")?;
    let results = outline.code_in(value);
    let mut names = results.iter().filter(|token| token.kind == Kind::Variable);
    let (name, None) = (names.next()?, names.next()) else { return None };
    // `(outs Type:$name)`
    let (first, last) = (results.get(2)?, results.iter().rev().find(|token| token.end < name.start)?);
    let ty = outline.slice(first.start..last.end).to_owned();
    if ty.starts_with("Res<") || outline.text_of(*results.get(1)?) != "outs" {
        return None;
    }
    let text = format!("Res<{ty}, \"\", [MemAlloc]>");
    Some(vec![removal, edit_of(outline, (first.start, last.end), text)])
}
