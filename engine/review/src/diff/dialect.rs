//! Dialects.

use std::collections::{BTreeMap, BTreeSet};

use odsmith_interchange::defs::Dialect;
use odsmith_report::text::counted;

use super::{
    Cx, Report, Subject, change,
    names::without_comments,
    operation::{cpp, words},
    pairing::{Names, Pair, pair},
    quoted,
    rules::{Level, Rule, Verdict},
};

pub(super) fn compare(cx: Cx<'_>, report: &mut Report) {
    let (old, new) = (&cx.old.0.dialects, &cx.new.0.dialects);
    for pair in pair(&names(old), &names(new), &BTreeMap::new()) {
        match pair {
            Pair::Old(at) => {
                let it = &old[at];
                let subject = Subject { group: &it.name, id: it.id(), old: Some(&it.definition), new: None };
                report.add(Rule::DI001, &subject, format!("the dialect {} is gone", it.name));
            }
            Pair::New(_) => {}
            Pair::Both { old: a, new: b, .. } => both(cx, &old[a], &new[b], report),
        }
    }
}

/// Returns the names that pair dialects.
pub(super) fn names(all: &[Dialect]) -> Vec<Names> {
    let names = all.iter().map(|it| Names {
        id: it.id(),
        others: vec![it.definition.record.clone().unwrap_or_default(), it.cpp_class.clone()],
        shape: BTreeSet::new(),
        known: 0,
    });
    names.collect()
}

fn both(cx: Cx<'_>, old: &Dialect, new: &Dialect, report: &mut Report) {
    let subject =
        Subject { group: &old.name, id: old.id(), old: Some(&old.definition), new: Some(&new.definition) };
    if old.name != new.name {
        report.add(Rule::DI002, &subject, change("the name", &old.name, &new.name));
    }
    if cpp(&old.cpp_namespace) != cpp(&new.cpp_namespace) {
        report.add(Rule::DI003, &subject, change("the namespace", &old.cpp_namespace, &new.cpp_namespace));
    }
    let after: BTreeSet<String> = new.dependent_dialects.iter().map(|it| cpp(it)).collect();
    for gone in old.dependent_dialects.iter().map(|it| cpp(it)).filter(|it| !after.contains(it)) {
        report.add_part(Rule::DI004, &subject, &gone, format!("{} is not loaded any more", quoted(&gone)));
    }
    // Other hooks only choose what is generated; implementers write nothing for them.
    let is_work = |hook: &str| hook.starts_with("has");
    for hook in new.hooks.iter().filter(|it| is_work(it) && !old.hooks.contains(it)) {
        let finding = report.add_part(Rule::DI005, &subject, hook, format!("{hook} is set now"));
        finding.set(Level::Implementer, Verdict::Breaks);
    }
    for hook in old.hooks.iter().filter(|it| is_work(it) && !new.hooks.contains(it)) {
        let finding = report.add_part(Rule::DI005, &subject, hook, format!("{hook} is not set any more"));
        finding.set(Level::Implementer, Verdict::Safe);
    }
    if old.uses_properties_for_attributes != new.uses_properties_for_attributes {
        let operations = cx.old.0.operations.iter().filter(|op| op.dialect == old.name).count();
        let message = format!(
            "usePropertiesForAttributes was {} and is {}; {operations} operations",
            old.uses_properties_for_attributes, new.uses_properties_for_attributes
        );
        report.add(Rule::IN016, &subject, message);
    }
}

/// Reports dialects whose bytecode breaks although their declared version is the same.
pub(super) fn unversioned(cx: Cx<'_>, report: &mut Report) {
    let mut broken: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for finding in &report.findings {
        let breaks = finding.effects.get(&Level::Bytecode) == Some(&Verdict::Breaks);
        // Removed definitions do not depend on versions.
        let is_there = finding.new.is_some() && finding.old.is_some();
        if breaks && is_there {
            let symbol = finding.subject.split('#').next().unwrap_or_default().to_owned();
            broken.entry(finding.group.clone()).or_default().insert(symbol);
        }
    }
    for (name, symbols) in broken {
        let (Some(old), Some(new)) = (cx.old.dialect(&name), cx.new.dialect(&name)) else { continue };
        let (was, is) = (versions(old), versions(new));
        // Without a declared version, the findings themselves say all that is known.
        let Some(version) = is.first().filter(|_| was == is) else { continue };
        let subject =
            Subject { group: &name, id: old.id(), old: Some(&old.definition), new: Some(&new.definition) };
        let examples: Vec<&str> = symbols.iter().map(String::as_str).take(3).collect();
        let message = format!(
            "old bytecode of {} is not read any more ({}{}), and the dialect still declares {}",
            counted(symbols.len(), "symbol"),
            examples.join(", "),
            if symbols.len() > examples.len() { ", …" } else { "" },
            quoted(version)
        );
        report.add(Rule::DI006, &subject, message);
    }
}

/// Returns the declarations of a dialect's class that have a version in their name, without comments.
fn versions(dialect: &Dialect) -> Vec<String> {
    let text = without_comments(&dialect.extra_class_declaration);
    let all = text.split([';', '{', '}']).map(words);
    all.filter(|it| it.to_lowercase().contains("version") && it.contains(|c: char| c.is_alphanumeric()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_declare_nothing() {
        let text = "int a; // the version\n/* version\n 2 */ int b;";
        assert_eq!(words(&without_comments(text)), "int a; int b;");
    }
}
