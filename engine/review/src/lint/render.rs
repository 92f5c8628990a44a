//! The forms of findings that name the rules, and the list of rules in its forms.

use std::{collections::BTreeMap, fmt::Write as _};

use serde_json::{Value, json};

use odsmith_report::{
    Finding, RuleText,
    text::{self, summary},
};

use super::{
    rule::{Fixable, Group, PRELUDE, Rule},
    rules,
};

/// Rules that whole dialects break, with the fault that the definitions of a dialect share.
const FLOODS: &[(&str, &str)] = &[("DOC001", "have no summary")];
/// The most findings of such a rule in a dialect that are listed.
const MOST_OF_A_FLOOD: usize = 3;

/// Lists the findings, and counts them at the end. Of a rule that many definitions of a dialect break, there is one line,
/// unless `is_verbose` is true. Messages of evaluation have no rule: they are printed elsewhere, and count here.
#[must_use]
pub fn list(findings: &[Finding], is_verbose: bool) -> String {
    let flood = |finding: &Finding| {
        let (_, fault) = FLOODS.iter().find(|(rule, _)| *rule == finding.rule)?;
        let subject = finding.subject.strip_prefix("dialect:").unwrap_or(&finding.subject);
        let dialect = subject.split(['.', '!', '#', '/', ':']).next()?;
        (finding.is_open() && !is_verbose).then(|| (dialect.to_owned(), *fault))
    };
    let mut counts: BTreeMap<(String, &str), usize> = BTreeMap::new();
    for key in findings.iter().filter_map(flood) {
        *counts.entry(key).or_default() += 1;
    }
    let mut listed = Vec::new();
    for finding in findings.iter().filter(|finding| !finding.rule.is_empty()) {
        let Some(key) = flood(finding) else {
            listed.push(finding.clone());
            continue;
        };
        match counts.get(&key).copied().unwrap_or_default() {
            // The first of them has their line.
            0 => {}
            count if count <= MOST_OF_A_FLOOD => listed.push(finding.clone()),
            count => {
                let message = format!("{count} definitions {}; -v lists them", key.1);
                let subject = key.0.clone();
                listed.push(Finding { subject, message, location: None, ..finding.clone() });
                counts.insert(key, 0);
            }
        }
    }
    text::lines(&listed) + &summary(findings) + "\n"
}

/// Returns the texts of the rules.
fn rule_texts() -> Vec<RuleText> {
    let text = |rule: &'static Rule| RuleText {
        id: rule.id,
        name: rule.name,
        text: rule.text,
        advice: rule.advice,
        severity: rule.level.severity(),
    };
    rules().map(text).collect()
}

/// Returns a log in SARIF 2.1.0.
#[must_use]
pub fn sarif(findings: &[Finding]) -> Value {
    odsmith_report::sarif::log(&rule_texts(), &worst_first(findings), &|_| None)
}

/// Returns annotations of a workflow's run on GitHub.
#[must_use]
pub fn github(findings: &[Finding]) -> String {
    odsmith_report::github::annotations(&worst_first(findings))
}

/// Returns the findings with the worst first, as hosts limit their number.
fn worst_first(findings: &[Finding]) -> Vec<Finding> {
    let mut sorted = findings.to_vec();
    sorted.sort_by_key(|finding| finding.severity);
    sorted
}

/// Counts the findings of each rule, most first.
#[must_use]
pub fn statistics(findings: &[Finding]) -> String {
    let mut counts: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    for finding in findings.iter().filter(|finding| finding.is_open() && !finding.rule.is_empty()) {
        let (count, fixes) = counts.entry((&finding.rule, &finding.name)).or_default();
        *count += 1;
        *fixes += usize::from(finding.fix.is_some());
    }
    let mut rows: Vec<_> = counts.into_iter().collect();
    rows.sort_by(|(rule, (count, _)), (other, (other_count, _))| {
        other_count.cmp(count).then_with(|| rule.cmp(other))
    });
    let mut out = String::new();
    for ((rule, name), (count, fixes)) in rows {
        let fixes = if fixes > 0 { format!(" ({fixes} with a fix)") } else { String::new() };
        let _ = writeln!(out, "{count:>6}  {rule} {name}{fixes}");
    }
    out + &summary(findings) + "\n"
}

/// Lists all rules, one per line.
#[must_use]
pub fn rules_text() -> String {
    let mut out = String::new();
    for group in Group::ALL {
        let _ = writeln!(out, "{} {}", group.letters(), group.title());
        for rule in rules().filter(|rule| rule.group() == group) {
            let _ = writeln!(out, "  {} {:<8} {:<7} {}", rule.id, rule.level.name(), fix(rule), rule.name);
        }
    }
    out
}

/// Returns the reference page of all rules as Markdown. It begins with the prelude that their examples share.
#[must_use]
pub fn rules_markdown() -> String {
    let mut out = format!("# Rules of `odsmith lint`\n\nExamples come after\n\n```tablegen\n{PRELUDE}```\n");
    for rule in rules() {
        let page = rule.page();
        let _ = write!(out, "\n#{page}");
    }
    out
}

fn fix(rule: &Rule) -> &'static str {
    match rule.fix {
        Fixable::No => "",
        Fixable::Safe => "fix",
        Fixable::Unsafe => "unsafe",
        Fixable::Either => "either",
    }
}

/// Returns all rules as data.
#[must_use]
pub fn rules_json() -> Value {
    let rule = |rule: &'static Rule| {
        json!({
            "id": rule.id,
            "name": rule.name,
            "group": rule.group().letters(),
            "level": rule.level,
            "fix": match rule.fix {
                Fixable::No => "none",
                Fixable::Safe => "safe",
                Fixable::Unsafe => "unsafe",
                Fixable::Either => "either",
            },
            "text": rule.text,
            "advice": rule.advice,
            "bad": rule.bad.trim(),
            "good": rule.good.trim(),
            "since": rule.since,
        })
    };
    Value::Array(rules().map(rule).collect())
}
