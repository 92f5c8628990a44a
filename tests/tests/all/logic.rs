//! Implication between all constraints of MLIR's operations.

use std::{collections::BTreeMap, path::Path};

use odsmith_engine::{
    ods::{Model, Operation},
    review::logic::{Answer, Condition, WORK, implies},
};
use odsmith_tests::{models, set_up};

/// The conditions of operands, results and attributes, by the operation and their names.
fn conditions(release: &str, include: &Path) -> BTreeMap<String, Condition> {
    let of_file = |_: &str, model: &Model<'_>| {
        let mut all = Vec::new();
        for op in model.operation_records().filter_map(Operation::lenient) {
            let operands = op.operands().iter().map(|it| (it.name, it.constraint.constraint()));
            let results = op.results().iter().map(|it| (it.name, it.constraint.constraint()));
            let attributes = op.attributes().iter().map(|it| (it.name, it.attribute.constraint()));
            for (name, constraint) in operands.chain(results).chain(attributes) {
                if let Some(predicate) = constraint.unwrapped().predicate() {
                    all.push((format!("{} {name}", op.name()), Condition::new(&predicate)));
                }
            }
        }
        all
    };
    models::each(release, include, of_file).into_iter().flatten().collect()
}

/// Conditions without duplicates, in a fixed order.
fn different(all: &BTreeMap<String, Condition>) -> Vec<Condition> {
    let mut texts: BTreeMap<String, Condition> = BTreeMap::new();
    for condition in all.values() {
        texts.entry(format!("{condition:?}")).or_insert_with(|| condition.clone());
    }
    texts.into_values().collect()
}

#[test]
fn laws_hold_over_mlir() {
    let all = different(&conditions("22", Path::new(set_up::library())));
    assert!(all.len() > 200, "{}", all.len());
    let mut wrong = Vec::new();
    let mut check = |old: &Condition, new: &Condition| {
        let answer = implies(old, new, 20 * WORK);
        if answer != Answer::Yes {
            wrong.push(format!("{old:?}\n  {new:?}\n  {answer:?}"));
        }
    };
    for (index, a) in all.iter().enumerate() {
        let b = &all[(index * 7 + 3) % all.len()];
        check(a, &Condition::And(vec![a.clone()]));
        check(a, &Condition::Or(vec![a.clone(), b.clone()]));
        check(&Condition::And(vec![a.clone(), b.clone()]), a);
    }
    assert!(wrong.is_empty(), "{} of {}: {}", wrong.len(), all.len(), wrong[0]);
    println!("{} conditions", all.len());
}

#[test]
fn constraints_of_two_releases() {
    let Some(prefix) = set_up::release("19", "library") else {
        println!("skipped: the library of MLIR 19 is not available here");
        return;
    };
    let old = conditions("19", &prefix.join("include"));
    let new = conditions("22", Path::new(set_up::library()));
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut shown = BTreeMap::new();
    for (name, old) in &old {
        let Some(new) = new.get(name) else { continue };
        if old == new {
            *counts.entry("equal").or_default() += 1;
            continue;
        }
        let answers = (implies(old, new, WORK), implies(new, old, WORK));
        let kind = match &answers {
            (Answer::Yes, Answer::Yes) => "the same",
            (Answer::Yes, Answer::No(_)) => "widened",
            (Answer::No(_), Answer::Yes) => "narrowed",
            (Answer::No(_), Answer::No(_)) => "changed",
            (Answer::TooMuchWork, _) | (_, Answer::TooMuchWork) => "too much work",
            _ => "unknown",
        };
        *counts.entry(kind).or_default() += 1;
        shown.entry((kind, format!("{old:?}"), format!("{new:?}"))).or_insert((name, answers));
    }
    for ((kind, old, new), (name, answers)) in shown {
        println!("{kind}: {name}\n  {old}\n  {new}\n  {answers:?}");
    }
    println!("{counts:?}");
    assert!(!counts.contains_key("too much work"), "{counts:?}");
}
