//! Passes with their options, and rewrite patterns.

use std::collections::{BTreeMap, BTreeSet};

use odsmith_interchange::{
    defs::{Pass, PassOption},
    pattern::Pattern,
};

use super::{
    Cx, Report, Subject, change,
    names::is_same_type,
    operation::cpp,
    pairing::{Names, Pair, candidates, pair},
    quoted,
    rules::{Level, Rule, Verdict},
};

const PASSES: &str = "passes";
const PATTERNS: &str = "patterns";

pub(super) fn compare(cx: Cx<'_>, report: &mut Report) {
    let (old, new) = (&cx.old.0.passes, &cx.new.0.passes);
    let pairs = pair(&names(old), &names(new), cx.renamed);
    let alike = candidates(&names(old), &names(new), &pairs);
    for pair in pairs {
        match pair {
            Pair::Old(at) => {
                let it = &old[at];
                let subject = Subject { group: PASSES, id: it.id(), old: Some(&it.definition), new: None };
                let message = match alike.get(&at).and_then(|at| new.get(*at)) {
                    Some(other) => {
                        format!(
                            "the pass {} is gone; {} is new and much like it",
                            it.argument, other.argument
                        )
                    }
                    None => format!("the pass {} is gone", it.argument),
                };
                report.add(Rule::PA001, &subject, message);
            }
            Pair::New(at) => {
                let it = &new[at];
                let subject = Subject { group: PASSES, id: it.id(), old: None, new: Some(&it.definition) };
                report.add(Rule::PA011, &subject, format!("the pass {} is new", it.argument));
            }
            Pair::Both { old: a, new: b, .. } => both(&old[a], &new[b], report),
        }
    }
    patterns(cx, report);
}

/// Returns the names that pair passes.
pub(super) fn names(all: &[Pass]) -> Vec<Names> {
    let names = all.iter().map(|it| {
        let mut shape: BTreeSet<String> =
            it.options.iter().map(|it| format!("option {}", it.argument)).collect();
        shape.extend(it.dependent_dialects.iter().map(|it| format!("loads {}", cpp(it))));
        shape.extend(it.statistics.iter().map(|it| format!("statistic {}", it.name)));
        shape.extend((!it.summary.is_empty()).then(|| format!("summary {}", it.summary)));
        shape.extend((!it.description.is_empty()).then(|| format!("description {}", it.description)));
        shape.insert(format!("base {}", cpp(&it.base_class)));
        Names { shape, ..Names::new(it.id(), &it.definition) }
    });
    names.collect()
}

/// Returns the operation that a pass runs on; empty if any, `None` if an interface decides.
fn anchor(base_class: &str) -> Option<String> {
    let class = cpp(base_class);
    let inside = class.split_once('<').map_or("", |(_, rest)| rest.trim_end_matches('>')).trim().to_owned();
    if class.starts_with("InterfacePass") {
        return None;
    }
    Some(if inside == "void" { String::new() } else { inside })
}

/// Returns the last part of the function that makes a pass: the given one, or the generated one.
fn maker(it: &Pass) -> String {
    let generated = || format!("create{}", it.definition.record.as_deref().unwrap_or_default());
    let given = it.constructor.as_deref().map(|text| {
        let name = text.split('(').next().unwrap_or_default();
        name.rsplit("::").next().unwrap_or_default().trim().to_owned()
    });
    given.unwrap_or_else(generated)
}

/// Returns the generated function that makes a pass with options, if there is one.
fn options_maker(it: &Pass) -> Option<String> {
    let record = it.definition.record.as_deref()?;
    (it.constructor.is_none() && !it.options.is_empty()).then(|| format!("create{record}({record}Options)"))
}

fn both(old: &Pass, new: &Pass, report: &mut Report) {
    let subject =
        Subject { group: PASSES, id: old.id(), old: Some(&old.definition), new: Some(&new.definition) };
    if old.argument != new.argument {
        report.add(Rule::PA002, &subject, change("the argument", &old.argument, &new.argument));
    }
    let record = |it: &Pass| it.definition.record.clone().unwrap_or_default();
    if record(old) != record(new) {
        report.add(Rule::PA003, &subject, change("the record", &record(old), &record(new)));
    }
    if cpp(&old.base_class) != cpp(&new.base_class) {
        let message = change("the base class", &old.base_class, &new.base_class);
        let finding = report.add(Rule::PA004, &subject, message);
        // A pass on any operation runs wherever pipelines nest it.
        match (anchor(&old.base_class), anchor(&new.base_class)) {
            (_, Some(after)) if after.is_empty() => _ = finding.set(Level::Pipeline, Verdict::Safe),
            (_, None) => _ = finding.set(Level::Pipeline, Verdict::Unknown),
            _ => {}
        }
    }
    options(old, new, &subject, report);
    let after: BTreeSet<String> = new.dependent_dialects.iter().map(|it| cpp(it)).collect();
    for gone in old.dependent_dialects.iter().map(|it| cpp(it)).filter(|it| !after.contains(it)) {
        report.add_part(Rule::PA008, &subject, &gone, format!("{} is not loaded any more", quoted(&gone)));
    }
    let made = |it: &Pass| it.constructor.as_deref().map(cpp);
    let text = |it: &Pass| made(it).unwrap_or_else(|| format!("{}()", maker(it)));
    // Callers call a function by its name, whoever declares it; two of the author have their namespaces as well.
    let is_another = made(old) != made(new)
        && (maker(old) != maker(new) || old.constructor.is_some() && new.constructor.is_some());
    if let Some(taken) = options_maker(old).filter(|_| !is_another && new.constructor.is_some()) {
        let message =
            format!("{} is not generated any more; the author writes {}", quoted(&taken), text(new));
        report.add(Rule::PA009, &subject, message);
    }
    if is_another {
        let message = change("the function that makes the pass", &text(old), &text(new));
        let finding = report.add(Rule::PA009, &subject, message);
        if old.constructor.is_some() {
            // The author's function may stay.
            finding.set(Level::Cpp, Verdict::Unknown);
        }
    }
    for it in old.statistics.iter().filter(|it| !new.statistics.iter().any(|other| other.name == it.name)) {
        report.add_part(Rule::PA010, &subject, &it.name, format!("{} is gone", quoted(&it.name)));
    }
}

fn options(old: &Pass, new: &Pass, subject: &Subject<'_>, report: &mut Report) {
    let by_argument = |it: &Pass| -> BTreeMap<String, PassOption> {
        it.options.iter().map(|option| (option.argument.clone(), option.clone())).collect()
    };
    let (before, after) = (by_argument(old), by_argument(new));
    for (name, it) in &before {
        let Some(other) = after.get(name) else {
            report.add_part(Rule::PA005, subject, name, format!("{} is gone", quoted(name)));
            continue;
        };
        let ty =
            |it: &PassOption| format!("{}{}", if it.is_list { "list of " } else { "" }, cpp(&it.cpp_type));
        if it.is_list != other.is_list || !is_same_type(&cpp(&it.cpp_type), &cpp(&other.cpp_type)) {
            report.add_part(Rule::PA005, subject, name, change("the type", &ty(it), &ty(other)));
        }
        if it.cpp_name != other.cpp_name {
            let message = change("the C++ name", &it.cpp_name, &other.cpp_name);
            report.add_part(Rule::PA005, subject, name, message).set(Level::Pipeline, Verdict::Safe);
        }
        let default = |it: &PassOption| it.default_value.as_deref().map(cpp).unwrap_or_default();
        if default(it) != default(other) {
            let message = change("the default value", &default(it), &default(other));
            report.add_part(Rule::PA006, subject, name, message);
        }
    }
    for name in after.keys().filter(|it| !before.contains_key(*it)) {
        report.add_part(Rule::PA007, subject, name, format!("{} is new", quoted(name)));
    }
}

fn patterns(cx: Cx<'_>, report: &mut Report) {
    // Patterns without a name cannot be paired.
    let by_id = |all: &'_ [Pattern]| -> BTreeMap<String, usize> {
        let named = all.iter().enumerate().filter(|(_, it)| it.definition.record.is_some());
        named.map(|(at, it)| (it.id(), at)).collect()
    };
    let (old, new) = (&cx.old.0.patterns, &cx.new.0.patterns);
    let (before, after) = (by_id(old), by_id(new));
    for (id, &a) in &before {
        let a = &old[a];
        let mut subject = Subject { group: PATTERNS, id: id.clone(), old: Some(&a.definition), new: None };
        let Some(&b) = after.get(id) else {
            report.add(Rule::PT001, &subject, format!("the pattern on {} is gone", a.root));
            continue;
        };
        let b = &new[b];
        subject.new = Some(&b.definition);
        if a.root != b.root {
            report.add(Rule::PT001, &subject, change("the root", &a.root, &b.root));
        } else if a.generated_operations != b.generated_operations {
            let list = |it: &Pattern| it.generated_operations.join(", ");
            report.add(Rule::PT001, &subject, change("what it makes", &list(a), &list(b)));
        }
        if a.benefit != b.benefit {
            let message = change("the benefit", &a.benefit.to_string(), &b.benefit.to_string());
            report.add(Rule::PT002, &subject, message);
        }
    }
    for (id, &b) in after.iter().filter(|(id, _)| !before.contains_key(*id)) {
        let b = &new[b];
        let subject = Subject { group: PATTERNS, id: id.clone(), old: None, new: Some(&b.definition) };
        report.add(Rule::PT001, &subject, format!("the pattern on {} is new", b.root));
    }
}
