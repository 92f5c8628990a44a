//! Enums: cases by their enumerators.

use std::collections::{BTreeMap, BTreeSet};

use odsmith_interchange::defs::{Enum, EnumCase};

use super::{
    Change, Cx, Report, Subject, change,
    operation::cpp,
    pairing::{Names, Pair, pair},
    quoted,
    rules::{Level, Rule, Verdict},
};

pub(super) fn compare(cx: Cx<'_>, report: &mut Report) {
    let (old, new) = (&cx.old.0.enums, &cx.new.0.enums);
    for pair in pair(&names(old), &names(new), cx.renamed) {
        match pair {
            Pair::Old(at) => {
                let it = &old[at];
                let subject =
                    Subject { group: &it.cpp_namespace, id: it.id(), old: Some(&it.definition), new: None };
                let finding = report.add(Rule::TA001, &subject, format!("the enum {} is gone", it.cpp_class));
                // Definitions that store the enum have their own findings.
                for level in [Level::Text, Level::Generic, Level::Bytecode] {
                    finding.set(level, Verdict::Unknown);
                }
            }
            Pair::New(at) => {
                let it = &new[at];
                let subject =
                    Subject { group: &it.cpp_namespace, id: it.id(), old: None, new: Some(&it.definition) };
                report.add(Rule::TA015, &subject, format!("the enum {} is new", it.cpp_class));
            }
            Pair::Both { old: a, new: b, .. } => both(cx, &old[a], &new[b], report),
        }
    }
}

/// Returns the names that pair enums.
pub(super) fn names(all: &[Enum]) -> Vec<Names> {
    all.iter().map(|it| Names::new(it.id(), &it.definition)).collect()
}

fn both(cx: Cx<'_>, old: &Enum, new: &Enum, report: &mut Report) {
    let subject = Subject {
        group: &old.cpp_namespace,
        id: old.id(),
        old: Some(&old.definition),
        new: Some(&new.definition),
    };
    let is_integer = old.attribute.is_some() && new.attribute.is_some();
    let stored = if is_integer { Verdict::Silent } else { Verdict::Unknown };
    let class = |it: &Enum| cpp(&format!("{}::{}", it.cpp_namespace, it.cpp_class));
    let is_moved = cx.moves_with_dialect(&old.cpp_namespace, &new.cpp_namespace);
    if class(old) != class(new) && !(is_moved && old.cpp_class == new.cpp_class) {
        report.add(Rule::TA003, &subject, change("the class", &class(old), &class(new)));
    }
    cases(old, new, &subject, stored, report);
    match (&old.attribute, &new.attribute) {
        (Some(a), Some(b)) if a.bitwidth != b.bitwidth => {
            let message = change("the width", &a.bitwidth.to_string(), &b.bitwidth.to_string());
            report.add(Rule::EN006, &subject, message);
        }
        (Some(_), None) => {
            _ = report.add(Rule::EN008, &subject, "it does not bring an integer attribute any more")
        }
        (None, Some(_)) => _ = report.add(Rule::EN008, &subject, "it brings an integer attribute now"),
        _ => {}
    }
    match (&old.bits, &new.bits) {
        (Some(a), Some(b)) => {
            if a.separator != b.separator {
                let message = change("the separator", &a.separator, &b.separator);
                texts_only(report.add(Rule::EN007, &subject, message));
            }
            if a.is_quoted != b.is_quoted {
                texts_only(report.add(Rule::EN007, &subject, "several cases are quoted in another way"));
            }
        }
        (None, None) => {}
        _ => _ = report.add(Rule::EN007, &subject, "it is a set of bits now, or no more"),
    }
}

/// Leaves callers out: their code stays as it is.
fn texts_only(finding: &mut Change) {
    finding.set(Level::Cpp, Verdict::Safe).set(Level::Python, Verdict::Safe);
}

/// Returns the case that an enumerator became: one with its value and text, under a name that the old side has not.
fn renamed<'e>(case: &EnumCase, old: &Enum, new: &'e Enum) -> Option<&'e EnumCase> {
    let is_known = |symbol: &str| old.cases.iter().any(|it| it.symbol == symbol);
    new.cases
        .iter()
        .find(|it| it.value == case.value && it.spelling == case.spelling && !is_known(&it.symbol))
}

/// Returns the enumerators that have another name on the new side, as they are written in C++.
pub(super) fn renamed_cases(old: &Enum, new: &Enum) -> Vec<(String, String)> {
    let gone = old.cases.iter().filter(|case| new.cases.iter().all(|it| it.symbol != case.symbol));
    let symbol =
        |it: &Enum, case: &EnumCase| format!("{}::{}::{}", it.cpp_namespace, it.cpp_class, case.symbol);
    gone.filter_map(|case| Some((symbol(old, case), symbol(new, renamed(case, old, new)?)))).collect()
}

fn cases(old: &Enum, new: &Enum, subject: &Subject<'_>, stored: Verdict, report: &mut Report) {
    let by_symbol = |it: &'_ Enum| -> BTreeMap<String, EnumCase> {
        it.cases.iter().map(|case| (case.symbol.clone(), case.clone())).collect()
    };
    let (before, after) = (by_symbol(old), by_symbol(new));
    let mut renamed = BTreeSet::new();
    for (symbol, case) in &before {
        let Some(other) = after.get(symbol) else {
            // The same value and text under another name.
            match self::renamed(case, old, new) {
                Some(other) => {
                    renamed.insert(other.symbol.clone());
                    let message = change("the enumerator", symbol, &other.symbol);
                    report.add_part(Rule::EN005, subject, symbol, message);
                }
                None => {
                    report.add_part(Rule::EN001, subject, symbol, format!("{} is gone", quoted(symbol)));
                }
            }
            continue;
        };
        if case.spelling != other.spelling {
            let message = change("the text", &case.spelling, &other.spelling);
            let finding = report.add_part(Rule::EN003, subject, symbol, message);
            if stored == Verdict::Silent {
                finding.set(Level::Generic, Verdict::Safe).set(Level::Bytecode, Verdict::Safe);
            }
        }
        if case.value != other.value {
            let message = change("the value", &case.value.to_string(), &other.value.to_string());
            let finding = report.add_part(Rule::EN004, subject, symbol, message);
            finding.set(Level::Generic, stored).set(Level::Bytecode, stored);
        }
    }
    for symbol in after.keys().filter(|it| !before.contains_key(*it) && !renamed.contains(*it)) {
        report.add_part(Rule::EN002, subject, symbol, format!("{} is new", quoted(symbol)));
    }
}
