//! A comparison as text, Markdown and JSON, and the rules as a list.

use std::fmt::Write as _;

use odsmith_interchange::Location;
use serde_json::{Value, json};

use super::{
    Comparison, Direction, Finding,
    rules::{Level, Rule, Severity, Verdict},
};

/// A comment on a pull request holds no more.
const MOST_MARKDOWN: usize = 60_000;

/// The effects in one line: `BC ✗ · CPP ?`.
fn effects(finding: &Finding) -> String {
    let all = finding.effects.iter().map(|(level, verdict)| format!("{} {}", level.name(), verdict.sign()));
    let all: Vec<String> = all.collect();
    if all.is_empty() { "breaks nothing".to_owned() } else { all.join(" · ") }
}

fn place(location: Option<&Location>) -> String {
    location.map_or_else(|| "nowhere".to_owned(), |at| format!("{}:{}", at.file, at.line))
}

/// How many there are of each, in one line.
fn verdict_line(comparison: &Comparison) -> String {
    let silent = comparison.findings.iter();
    let silent = silent.filter(|it| it.verdict == Verdict::Silent && it.accepted.is_none()).count();
    let accepted = comparison.findings.iter().filter(|it| it.accepted.is_some()).count();
    let count = |severity| comparison.count(severity);
    format!(
        "{} errors ({silent} silent), {} warnings, {} notes, {accepted} accepted",
        count(Severity::Error),
        count(Severity::Warning),
        count(Severity::Note)
    )
}

/// The findings as text, the silent ones first.
#[must_use]
pub fn text(comparison: &Comparison) -> String {
    let mut out = String::new();
    let mut group = None;
    for finding in &comparison.findings {
        // Writing to a text does not fail.
        let heading = (finding.verdict, finding.group.as_str());
        if group != Some(heading) {
            let _ = writeln!(out, "{} {}", heading.0.sign(), heading.1);
            group = Some(heading);
        }
        let Finding { rule, subject, message, severity, .. } = finding;
        let forward = if finding.direction == Direction::Forward { " (forward)" } else { "" };
        let severity = if finding.accepted.is_some() { "accepted" } else { severity.name() };
        let _ = writeln!(out, "  {severity}: {} {subject}{forward}: {message}", rule.id());
        let _ = writeln!(out, "      {} | {}", effects(finding), rule.advice());
        let (old, new) = (place(finding.old.as_ref()), place(finding.new.as_ref()));
        let _ = writeln!(out, "      old {old}, new {new}");
        if let Some(reason) = &finding.accepted {
            let _ = writeln!(out, "      accepted: {reason}");
        }
    }
    for stale in &comparison.stale_acceptances {
        let _ = writeln!(out, "error: acceptance of {stale}");
    }
    let _ = writeln!(out, "{}", verdict_line(comparison));
    out
}

/// A cell of a table of Markdown.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// The findings as Markdown for a pull request: a line, a table, and what did not fit as a number.
#[must_use]
pub fn markdown(comparison: &Comparison) -> String {
    let (old, new) = (&comparison.old_mlir, &comparison.new_mlir);
    let mut out = format!("**{}** (MLIR {old} → {new})\n", verdict_line(comparison));
    for stale in &comparison.stale_acceptances {
        let _ = writeln!(out, "\nStale acceptance: {}", cell(stale));
    }
    if comparison.findings.is_empty() {
        return out;
    }
    out += "\n| | rule | subject | change | effects | place |\n| --- | --- | --- | --- | --- | --- |\n";
    for (index, finding) in comparison.findings.iter().enumerate() {
        let at = finding.new.as_ref().or(finding.old.as_ref());
        let row = format!(
            "| {} | {} {} | `{}` | {} | {} | {} |\n",
            if finding.accepted.is_some() { "accepted" } else { finding.severity.name() },
            finding.rule.id(),
            finding.rule.name(),
            cell(&finding.subject),
            cell(&finding.message),
            effects(finding),
            cell(&place(at))
        );
        if out.len() + row.len() > MOST_MARKDOWN {
            let _ = writeln!(out, "\n{} more.", comparison.findings.len() - index);
            break;
        }
        out += &row;
    }
    out
}

/// The findings as JSON.
#[must_use]
pub fn json(comparison: &Comparison) -> Value {
    // Every part of it has a form in JSON.
    serde_json::to_value(comparison).unwrap_or_default()
}

/// The rules as text, a line each.
#[must_use]
pub fn rules_text() -> String {
    let mut out = String::new();
    for rule in Rule::all() {
        let all =
            rule.effects().iter().map(|(level, verdict)| format!("{} {}", level.name(), verdict.sign()));
        let effects = all.collect::<Vec<_>>().join(" · ");
        let state = if rule.is_decided() { "" } else { " (not decided yet)" };
        let _ = writeln!(out, "{} {}{state}: {} [{effects}]", rule.id(), rule.name(), rule.text());
    }
    out
}

/// The rules as JSON.
#[must_use]
pub fn rules_json() -> Value {
    let rules = Rule::all().map(|rule| {
        let verdict = |level: Level| {
            let own = rule.effects().iter().find(|(it, _)| *it == level);
            own.map_or(Verdict::Safe, |(_, verdict)| *verdict)
        };
        let effects: serde_json::Map<String, Value> =
            Level::ALL.iter().map(|&level| (level.name().to_owned(), json!(verdict(level)))).collect();
        json!({
            "id": rule.id(), "name": rule.name(), "family": rule.family(), "text": rule.text(),
            "example": rule.example(), "advice": rule.advice(), "effects": effects,
            "is_decided": rule.is_decided(),
        })
    });
    Value::Array(rules.collect())
}
