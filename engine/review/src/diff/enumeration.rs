//! Enums: cases by their enumerators.

use std::collections::{BTreeMap, BTreeSet};

use odsmith_interchange::{
    constraint::Constraint,
    defs::{AttrOrType, Enum, EnumCase},
    op::Part,
};

use super::{
    Change, Cx, Report, Subject, change, format,
    operation::cpp,
    pairing::{Names, Pair, candidates, pair},
    quoted,
    rules::{Level, Rule, Verdict},
};

pub(super) fn compare(cx: Cx<'_>, report: &mut Report) {
    let (old, new) = (&cx.old.0.enums, &cx.new.0.enums);
    let pairs = pair(&names(old), &names(new), cx.renamed);
    let alike = candidates(&names(old), &names(new), &pairs);
    for pair in pairs {
        match pair {
            Pair::Old(at) => {
                let it = &old[at];
                let subject =
                    Subject { group: &it.cpp_namespace, id: it.id(), old: Some(&it.definition), new: None };
                let mut message = format!("the enum {} is gone", it.cpp_class);
                if let Some(other) = alike.get(&at).and_then(|at| new.get(*at)) {
                    message += &format!("; {} is new and much like it", other.cpp_class);
                }
                let finding = report.add(Rule::TA001, &subject, message);
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
    let names = all.iter().map(|it| {
        let cases = it.cases.iter();
        let mut shape: BTreeSet<String> = cases
            .flat_map(|case| {
                [format!("case {} {}", case.spelling, case.value), format!("symbol {}", case.symbol)]
            })
            .collect();
        shape.extend((!it.summary.is_empty()).then(|| format!("summary {}", it.summary)));
        shape.insert(format!("namespace {}", cpp(&it.cpp_namespace)));
        Names { shape, ..Names::new(it.id(), &it.definition) }
    });
    names.collect()
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
    let stored_as_text = if is_integer { Verdict::Safe } else { text_verdict(cx, old) };
    let old_class = (&*old.cpp_namespace, &*old.cpp_class);
    if let Some(message) = cx.class_change(old_class, (&new.cpp_namespace, &new.cpp_class)) {
        report.add(Rule::TA003, &subject, message);
    }
    let stored_as_number = is_integer.then(|| written(cx, old));
    cases(old, new, &subject, (stored, stored_as_number), report);
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
                let finding = report.add(Rule::EN007, &subject, message);
                texts_only(finding, stored_as_text);
                // Parsers skip blanks around it.
                if a.separator.trim() == b.separator.trim() {
                    texts_only(finding, Verdict::Safe).set(Level::Text, Verdict::Safe);
                } else {
                    finding.set(Level::Text, if is_integer { written(cx, old) } else { stored_as_text });
                }
            }
            if a.is_quoted != b.is_quoted {
                let message = "several cases are quoted in another way";
                let finding = report.add(Rule::EN007, &subject, message);
                texts_only(finding, stored_as_text);
                finding.set(Level::Text, if is_integer { written(cx, old) } else { stored_as_text });
            }
        }
        (None, None) => {}
        _ => _ = report.add(Rule::EN007, &subject, "it is a set of bits now, or no more"),
    }
}

/// Leaves callers out: their code stays as it is. `stored` is the effect on files that do not hold a number.
fn texts_only(finding: &mut Change, stored: Verdict) -> &mut Change {
    finding.set(Level::Cpp, Verdict::Safe).set(Level::Python, Verdict::Safe);
    finding.set(Level::Generic, stored).set(Level::Bytecode, stored)
}

/// Returns the effect of another text of an enum that is a number in files: operations may write it in their custom form.
fn written(cx: Cx<'_>, it: &Enum) -> Verdict {
    let is_of_enum = |part: &&Part| {
        let constraint = cx.old.constraint(part.constraint);
        let base = constraint.and_then(|it| it.attribute.as_ref()?.base).and_then(|it| cx.old.constraint(it));
        let is_it = |it: &Constraint, record: &str| it.definition.record.as_deref() == Some(record);
        let record = it.definition.record.as_deref().unwrap_or_default();
        !record.is_empty() && [constraint, base].into_iter().flatten().any(|it| is_it(it, record))
    };
    let mut verdicts = cx.old.0.operations.iter().flat_map(|op| {
        op.arguments.iter().filter(is_of_enum).map(|part| match format::of_operation(op) {
            syntax if syntax.binds(&part.name) => Verdict::Breaks,
            syntax if syntax.is_by_hand => Verdict::Unknown,
            _ => Verdict::Safe,
        })
    });
    // An enum that no operation has may be written by C++.
    let first = verdicts.next().unwrap_or(Verdict::Unknown);
    verdicts.fold(first, Verdict::min)
}

/// Returns the effect of another text of an enum that is no number in files: attributes and types of dialects are the same
/// text in every form.
fn text_verdict(cx: Cx<'_>, it: &Enum) -> Verdict {
    let class = cpp(&format!("{}::{}", it.cpp_namespace, it.cpp_class));
    let holds = |def: &&AttrOrType| {
        let scope = cx.scope_of_old(&def.cpp_namespace);
        def.parameters.iter().any(|parameter| scope.normal(&parameter.cpp_type) == scope.normal(&class))
    };
    let all = cx.old.0.attributes.iter().chain(&cx.old.0.types);
    let is_written = all.filter(holds).any(|def| def.format.is_some());
    let is_encoded = !cx.old.0.encodings.is_empty();
    if is_written && !is_encoded { Verdict::Breaks } else { Verdict::Unknown }
}

/// Returns the case that an enumerator became: one with its value and text, under a name that the old side has not.
fn renamed<'e>(case: &EnumCase, old: &Enum, new: &'e Enum) -> Option<&'e EnumCase> {
    let is_known = |symbol: &str| old.cases.iter().any(|it| it.symbol == symbol);
    new.cases
        .iter()
        .find(|it| it.value == case.value && it.spelling == case.spelling && !is_known(&it.symbol))
}

/// Returns the one case that is new and has the value or the text of a case that is gone.
fn candidate<'e>(case: &EnumCase, old: &Enum, new: &'e Enum) -> Option<&'e EnumCase> {
    let is_fresh = |it: &&EnumCase| old.cases.iter().all(|known| known.symbol != it.symbol);
    let plain = |text: &str| text.replace(['_', '-'], "").to_lowercase();
    let is_like = |it: &&EnumCase| {
        it.value == case.value
            || plain(&it.spelling) == plain(&case.spelling)
            || plain(&it.symbol) == plain(&case.symbol)
    };
    let mut found = new.cases.iter().filter(is_fresh).filter(is_like);
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// Returns the enumerators that have another name on the new side, as they are written in C++.
pub(super) fn renamed_cases(old: &Enum, new: &Enum) -> Vec<(String, String)> {
    let gone = old.cases.iter().filter(|case| new.cases.iter().all(|it| it.symbol != case.symbol));
    let symbol =
        |it: &Enum, case: &EnumCase| format!("{}::{}::{}", it.cpp_namespace, it.cpp_class, case.symbol);
    gone.filter_map(|case| Some((symbol(old, case), symbol(new, renamed(case, old, new)?)))).collect()
}

/// Compares cases. `stored` is the effect of another value on files; `written` that of another text, if files have the number.
fn cases(
    old: &Enum,
    new: &Enum,
    subject: &Subject<'_>,
    (stored, written): (Verdict, Option<Verdict>),
    report: &mut Report,
) {
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
                    let other = candidate(case, old, new);
                    let mut message = format!("{} is gone", quoted(symbol));
                    if let Some(other) = other {
                        message += &format!("; {} is new and much like it", quoted(&other.symbol));
                        renamed.insert(other.symbol.clone());
                    }
                    let finding = report.add_part(Rule::EN001, subject, symbol, message);
                    if let (Some(other), Some(written)) = (other, written)
                        && other.value == case.value
                    {
                        // Files have the number, which is still one of a case.
                        finding.set(Level::Generic, Verdict::Safe).set(Level::Bytecode, Verdict::Safe);
                        finding.set(Level::Text, written);
                    }
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
