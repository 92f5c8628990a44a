//! Findings as text, JSON, Markdown and JUnit, and as input of the renderers that all commands share: SARIF and
//! GitHub's annotations.

use std::{collections::BTreeMap, fmt::Write as _};

use serde_json::{Value, json};

use super::{
    finding::{Finding, Place},
    rule::{Fixable, Group, Level, PRELUDE, Rule},
    rules,
};
use crate::report::{self, Grade, Remark, RuleText};

/// Returns the number of open findings of a level.
#[must_use]
pub fn count(findings: &[Finding], level: Level) -> usize {
    findings.iter().filter(|finding| finding.is_open() && finding.level == level).count()
}

fn open(findings: &[Finding]) -> impl Iterator<Item = &Finding> {
    findings.iter().filter(|finding| finding.is_open())
}

/// Returns `file:3:5`, or an empty text.
fn place(finding: &Finding) -> String {
    finding.place.as_ref().map(|at| format!("{}:{}:{}", at.file, at.line, at.column)).unwrap_or_default()
}

/// Lists the findings, and counts them at the end.
#[must_use]
pub fn text(findings: &[Finding]) -> String {
    let mut out = String::new();
    for finding in open(findings) {
        let at = place(finding);
        let at = if at.is_empty() { String::new() } else { format!("{at}: ") };
        let Finding { level, rule, message, subject, .. } = finding;
        let _ = writeln!(out, "{at}{}: {message} [{rule}] {subject}", level.name());
        if let Some(witness) = &finding.witness {
            let _ = writeln!(out, "    for example: {witness}");
        }
        for related in &finding.related {
            let at = &related.place;
            let _ = writeln!(out, "    {}:{}:{}: {}", at.file, at.line, at.column, related.message);
        }
        match &finding.fix {
            Some(fix) => {
                let how = if fix.is_safe { "--fix" } else { "--unsafe-fixes" };
                let _ = writeln!(out, "    fix ({how}): {}", fix.title);
            }
            None if !finding.advice.is_empty() => {
                let _ = writeln!(out, "    instead: {}", finding.advice);
            }
            None => {}
        }
    }
    out += &summary(findings);
    out.push('\n');
    out
}

fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Returns `1 error, 2 warnings, 3 notes`.
#[must_use]
pub fn summary(findings: &[Finding]) -> String {
    let of = |level| count(findings, level);
    let accepted = findings.len() - open(findings).count();
    let mut text = format!(
        "{}, {}, {}",
        counted(of(Level::Error), "error"),
        counted(of(Level::Warning), "warning"),
        counted(of(Level::Info), "note")
    );
    if accepted > 0 {
        let _ = write!(text, "; {accepted} accepted");
    }
    text
}

/// Converts findings for the renderers that all commands share.
#[must_use]
pub fn remarks(findings: &[Finding]) -> Vec<Remark> {
    let place = |at: &Place| report::Place {
        file: at.file.clone(),
        start: (at.line, at.column),
        end: Some((at.end_line, at.end_column)),
    };
    let remark = |finding: &Finding| {
        let witness = finding.witness.as_ref().map(|it| format!("for example: {it}"));
        let advice = Some(&finding.advice).filter(|it| !it.is_empty()).map(|it| format!("instead: {it}"));
        Remark {
            rule: finding.rule.clone(),
            grade: grade(finding.level),
            message: format!("{}: {}", finding.subject, finding.message),
            details: witness.into_iter().chain(advice).collect(),
            place: finding.place.as_ref().map(place),
            related: finding.related.iter().map(|it| (place(&it.place), it.message.clone())).collect(),
            key: format!("{} {}", finding.subject, finding.message),
            accepted: finding.accepted.clone(),
        }
    };
    let mut remarks: Vec<Remark> = findings.iter().map(remark).collect();
    // Hosts limit the number of annotations, so the worst come first.
    remarks.sort_by_key(|remark| remark.grade);
    remarks
}

fn grade(level: Level) -> Grade {
    match level {
        Level::Error => Grade::Error,
        Level::Warning => Grade::Warning,
        Level::Info | Level::Off => Grade::Note,
    }
}

/// Converts the texts of the rules for the same renderers.
#[must_use]
pub fn rule_texts() -> Vec<RuleText> {
    let text = |rule: &'static Rule| RuleText {
        id: rule.id.to_owned(),
        name: rule.name.to_owned(),
        text: rule.text.to_owned(),
        advice: rule.advice.to_owned(),
        grade: grade(rule.level),
    };
    rules().map(text).collect()
}

/// Returns a log in SARIF 2.1.0.
#[must_use]
pub fn sarif(findings: &[Finding]) -> Value {
    report::sarif::log(&rule_texts(), &remarks(findings), &|_| None)
}

/// Returns annotations of a workflow's run on GitHub.
#[must_use]
pub fn github(findings: &[Finding]) -> String {
    report::github::annotations(&remarks(findings))
}

/// Returns a table, for comments on changes.
#[must_use]
pub fn markdown(findings: &[Finding]) -> String {
    let cell = |text: &str| {
        let text = text.replace('\\', "\\\\").replace('|', "\\|").replace('<', "&lt;").replace('\n', " ");
        text.trim().to_owned()
    };
    let mut out = String::from("## Findings\n\n");
    if open(findings).next().is_none() {
        return out + "None.\n";
    }
    let _ = writeln!(out, "{}\n", summary(findings));
    out += "| | rule | symbol | finding | place |\n| --- | --- | --- | --- | --- |\n";
    for finding in open(findings) {
        let witness = finding.witness.as_ref().map(|it| format!("<br>{}", cell(it))).unwrap_or_default();
        let Finding { level, rule, name, subject, message, .. } = finding;
        let _ = writeln!(
            out,
            "| {} | {rule} {name} | `{}` | {}{witness} | {} |",
            level.name(),
            cell(subject),
            cell(message),
            cell(&place(finding))
        );
    }
    out
}

/// Returns one test suite, with a case for each finding.
#[must_use]
pub fn junit(findings: &[Finding]) -> String {
    let escaped = |text: &str| {
        let mut out = String::new();
        for c in text.chars() {
            match c {
                '&' => out += "&amp;",
                '<' => out += "&lt;",
                '>' => out += "&gt;",
                '"' => out += "&quot;",
                '\n' | '\t' => out.push(' '),
                // XML cannot represent other control characters.
                c if c < ' ' => {}
                c => out.push(c),
            }
        }
        out
    };
    let failures = open(findings).count();
    let tests = failures.max(1);
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  \
         <testsuite name=\"odsmith lint\" tests=\"{tests}\" failures=\"{failures}\">\n"
    );
    if failures == 0 {
        out += "    <testcase classname=\"odsmith\" name=\"lint\"/>\n";
    }
    for finding in open(findings) {
        let Finding { rule, name, subject, message, level, .. } = finding;
        let _ = writeln!(
            out,
            "    <testcase classname=\"{}\" name=\"{}\">",
            escaped(&format!("{rule} {name}")),
            escaped(subject)
        );
        let at = place(finding);
        let witness = finding.witness.as_ref().map(|it| format!(" (for example: {it})")).unwrap_or_default();
        let _ = writeln!(
            out,
            "      <failure type=\"{}\" message=\"{}\">{}</failure>",
            level.name(),
            escaped(message),
            escaped(&format!("{at}: {message}{witness}"))
        );
        out += "    </testcase>\n";
    }
    out + "  </testsuite>\n</testsuites>\n"
}

/// Counts the findings of each rule, most first.
#[must_use]
pub fn statistics(findings: &[Finding]) -> String {
    let mut counts: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    for finding in open(findings) {
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
