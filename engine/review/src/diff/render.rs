//! A comparison as text, Markdown, JSON, SARIF, GitHub annotations and an HTML page, and the list of rules.

use std::fmt::Write as _;

use odsmith_interchange::Location;
use odsmith_report::{self as report, Finding, RuleText, text::counted};
use serde_json::{Value, json};

use super::{
    Change, Comparison, Direction, WitnessKind,
    elsewhere::count,
    rules::{Level, Rule, Severity, Verdict},
};

/// The most bytes of a comment on a pull request.
const MOST_MARKDOWN: usize = 60_000;

/// Returns the effects in one line: `BC ✗ · CPP ?`.
fn effects(finding: &Change) -> String {
    let all = finding.effects.iter().map(|(level, verdict)| format!("{} {}", level.name(), verdict.sign()));
    let all: Vec<String> = all.collect();
    if all.is_empty() { "breaks nothing".to_owned() } else { all.join(" · ") }
}

fn place(location: Option<&Location>) -> String {
    location.map_or_else(|| "nowhere".to_owned(), |at| format!("{}:{}", at.file, at.line))
}

/// Counts the findings of each verdict in one line.
fn verdict_line(comparison: &Comparison) -> String {
    let silent = comparison.findings.iter();
    let silent = silent.filter(|it| it.verdict == Verdict::Silent && it.accepted.is_none()).count();
    let accepted = comparison.findings.iter().filter(|it| it.accepted.is_some()).count();
    let count = |severity, what| counted(comparison.count(severity), what);
    format!(
        "{} ({silent} silent), {}, {}, {accepted} accepted",
        count(Severity::Error, "error"),
        count(Severity::Warning, "warning"),
        count(Severity::Note, "note")
    )
}

/// Returns the findings as text, silent ones first.
#[must_use]
pub fn text(comparison: &Comparison) -> String {
    text_with(comparison, MOST_ALSO)
}

/// Returns the findings as text, with all symbols of each.
#[must_use]
pub fn full_text(comparison: &Comparison) -> String {
    text_with(comparison, usize::MAX)
}

fn text_with(comparison: &Comparison, most: usize) -> String {
    let mut out = String::new();
    let mut group = None;
    for finding in &comparison.findings {
        // Writing to a text does not fail.
        let heading = (finding.verdict, finding.group.as_str());
        if group != Some(heading) {
            let _ = writeln!(out, "{} {}", heading.0.sign(), heading.1);
            group = Some(heading);
        }
        let Change { rule, subject, message, severity, .. } = finding;
        let forward = if finding.direction == Direction::Forward { " (forward)" } else { "" };
        let severity = if finding.accepted.is_some() { "accepted" } else { severity.name() };
        let _ = writeln!(out, "  {severity}: {} {subject}{forward}: {message}", rule.id());
        let _ = writeln!(out, "      {} | {}", effects(finding), rule.advice());
        let (old, new) = (place(finding.old.as_ref()), place(finding.new.as_ref()));
        let _ = writeln!(out, "      old {old}, new {new}");
        if let Some(also) = also(finding, most) {
            let _ = writeln!(out, "      {also}");
        }
        for line in elsewhere(finding) {
            let _ = writeln!(out, "      {line}");
        }
        for witness in &finding.witnesses {
            let what = witness_name(witness.kind);
            // A module has several lines.
            let text = witness.text.trim_end().replace('\n', "\n        ");
            let _ = writeln!(out, "      {what}: {text}");
        }
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

/// The most other symbols of a finding that texts list unasked; JSON has all of them.
const MOST_ALSO: usize = 5;

/// Returns the other symbols with the same change as a line.
fn also(finding: &Change, most: usize) -> Option<String> {
    let listed: Vec<&str> = finding.also.iter().take(most).map(String::as_str).collect();
    let more = finding.also.len() - listed.len();
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    (!listed.is_empty()).then(|| format!("also {}{more}", listed.join(", ")))
}

/// The most projects of a finding that texts list; JSON has all of them.
const MOST_PROJECTS: usize = 10;

/// Returns the users in other projects as lines: their number, then a line for each project.
fn elsewhere(finding: &Change) -> Vec<String> {
    let all = &finding.elsewhere;
    if all.is_empty() {
        return Vec::new();
    }
    let (projects, users) = (counted(all.len(), "project"), counted(count(all), "definition"));
    let mut lines = vec![format!("elsewhere: {projects}, {users}")];
    let width = all.iter().map(|it| it.project.len() + it.version.len() + 1).max().unwrap_or_default();
    for it in all.iter().take(MOST_PROJECTS) {
        let name = format!("{}@{}", it.project, it.version);
        let place = it.users.first().map(|user| format!("{}:{}", user.file, user.line)).unwrap_or_default();
        lines.push(format!("  {name:<width$}  {}  {place}", it.in_words()));
    }
    if all.len() > MOST_PROJECTS {
        lines.push(format!("  {} more", counted(all.len() - MOST_PROJECTS, "project")));
    }
    lines
}

fn witness_name(kind: WitnessKind) -> &'static str {
    match kind {
        WitnessKind::Syntax => "synthesised text",
        WitnessKind::Type => "synthesised type",
        WitnessKind::Program => "synthesised program",
    }
}

/// Returns the findings of all forms that commands share, the stale acceptances last.
#[must_use]
pub fn findings(comparison: &Comparison) -> Vec<Finding> {
    let mut all: Vec<Finding> = comparison.findings.iter().map(finding).collect();
    all.extend(comparison.stale_acceptances.iter().map(|stale| Finding {
        rule: "stale-acceptance".into(),
        message: format!("acceptance of {stale}"),
        key: stale.clone(),
        ..Finding::default()
    }));
    all
}

fn finding(change: &Change) -> Finding {
    let at = |it: &Location| report::Location::new(&it.file, (it.line, it.column), None);
    let Change { rule, subject, old, new, .. } = change;
    let forward = if change.direction == Direction::Forward { " forward" } else { "" };
    let mut details = vec![effects(change), rule.advice().to_owned()];
    details.extend(also(change, MOST_ALSO));
    details.extend(elsewhere(change));
    details.extend(
        change.witnesses.iter().map(|it| format!("{}:\n{}", witness_name(it.kind), it.text.trim_end())),
    );
    let (old, new) = (old.as_ref().map(at), new.as_ref().map(at));
    let earlier = old.clone().filter(|_| new.is_some());
    Finding {
        severity: change.severity,
        rule: rule.id().into(),
        subject: subject.clone(),
        message: change.message.clone(),
        details,
        key: format!("{subject}{forward}"),
        location: new.or(old),
        related: earlier
            .map(|at| Finding::note(Some(at), "it was defined here"))
            .into_iter()
            .chain(users(change))
            .collect(),
        accepted: change.accepted.clone(),
        ..Finding::default()
    }
}

/// The most users of a finding that are related locations.
const MOST_USERS: usize = 50;

/// Returns the users in other projects as notes at their places there.
fn users(change: &Change) -> impl Iterator<Item = Finding> {
    let all = change.elsewhere.iter().flat_map(|it| it.users.iter().map(move |user| (it, user)));
    all.take(MOST_USERS).map(|(it, user)| {
        let file = format!("{}@{}/{}", it.project, it.version, user.file);
        let at = report::Location::new(&file, (user.line.max(1), 1), None);
        Finding::note(Some(at), format!("{} uses it ({})", user.id, user.how))
    })
}

fn rule_texts() -> Vec<RuleText> {
    let texts = Rule::all().map(|rule| RuleText {
        id: rule.id(),
        name: rule.name(),
        text: rule.text(),
        advice: rule.advice(),
        severity: rule.effects().iter().map(|it| it.1).min().unwrap_or_default().severity(),
    });
    texts.collect()
}

/// Returns the findings as a SARIF log; `help` returns the address of a rule's page, if there is one.
#[must_use]
pub fn sarif(comparison: &Comparison, help: report::sarif::HelpUri<'_>) -> Value {
    report::sarif::log(&rule_texts(), &findings(comparison), help)
}

/// Returns the findings as annotations of a workflow's run.
#[must_use]
pub fn github(comparison: &Comparison) -> String {
    report::github::annotations(&findings(comparison))
}

/// Returns the findings as a self-contained page.
#[must_use]
pub fn html(comparison: &Comparison) -> String {
    let mut groups: Vec<(String, Vec<Finding>)> = Vec::new();
    let silent = comparison.findings.iter().filter(|it| it.verdict == Verdict::Silent);
    let silent: Vec<Finding> = silent.map(finding).collect();
    if !silent.is_empty() {
        groups.push(("Silent changes".to_owned(), silent));
    }
    for change in comparison.findings.iter().filter(|it| it.verdict != Verdict::Silent) {
        match groups.iter_mut().find(|(name, _)| *name == change.group) {
            Some((_, findings)) => findings.push(finding(change)),
            None => groups.push((change.group.clone(), vec![finding(change)])),
        }
    }
    let (old, new) = (&comparison.old_mlir, &comparison.new_mlir);
    let title = format!("What changed (MLIR {old} → {new})");
    report::html::of_findings(&title, &verdict_line(comparison), &groups)
}

/// Escapes a cell of a Markdown table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// Returns the findings as Markdown for a pull request: a summary, a table without notes, folded details, and the
/// number of findings that did not fit.
#[must_use]
pub fn markdown(comparison: &Comparison) -> String {
    let (old, new) = (&comparison.old_mlir, &comparison.new_mlir);
    let mut out = format!("**{}** (MLIR {old} → {new})\n", verdict_line(comparison));
    for stale in &comparison.stale_acceptances {
        let _ = writeln!(out, "\nStale acceptance: {}", cell(stale));
    }
    let shown: Vec<&Change> = comparison.findings.iter().filter(|it| it.severity != Severity::Note).collect();
    let notes = comparison.findings.iter().filter(|it| it.severity == Severity::Note);
    if !shown.is_empty() {
        out += "\n| | rule | subject | change | effects | place |\n| --- | --- | --- | --- | --- | --- |\n";
    }
    // Half of the comment is reserved for details.
    let rows = fitting(&mut out, MOST_MARKDOWN / 2, shown.iter().map(|it| table_row(it)));
    if rows < shown.len() {
        let _ = writeln!(out, "\n{} more.", shown.len() - rows);
    }
    let details: Vec<String> = shown.iter().take(rows).map(|it| detail(it)).collect();
    fitting(&mut out, MOST_MARKDOWN * 5 / 6, details.into_iter());
    let notes: Vec<String> = notes
        .map(|it| format!("- {} `{}`: {}\n", it.rule.id(), cell(&it.subject), cell(&it.message)))
        .collect();
    if !notes.is_empty() {
        let _ = write!(out, "\n<details><summary>{} notes</summary>\n\n", notes.len());
        let count = notes.len();
        let listed = fitting(&mut out, MOST_MARKDOWN - 100, notes.into_iter());
        if listed < count {
            let _ = writeln!(out, "\n{} more.", count - listed);
        }
        out += "\n</details>\n";
    }
    out
}

/// Adds texts while they fit; returns the number added.
fn fitting(out: &mut String, most: usize, texts: impl Iterator<Item = String>) -> usize {
    let mut count = 0;
    for text in texts {
        if out.len() + text.len() > most {
            break;
        }
        *out += &text;
        count += 1;
    }
    count
}

fn table_row(finding: &Change) -> String {
    let at = finding.new.as_ref().or(finding.old.as_ref());
    format!(
        "| {} | {} {} | `{}` | {} | {} | {} |\n",
        if finding.accepted.is_some() { "accepted" } else { finding.severity.name() },
        finding.rule.id(),
        finding.rule.name(),
        cell(&finding.subject),
        cell(&finding.message),
        effects(finding),
        cell(&place(at))
    )
}

/// Returns a finding's advice and witnesses, folded.
fn detail(finding: &Change) -> String {
    let mut out = format!(
        "\n<details><summary>{} {}</summary>\n\n{} Old: {}, new: {}.\n",
        finding.rule.id(),
        cell(&finding.subject).replace('<', "&lt;"),
        finding.rule.advice(),
        cell(&place(finding.old.as_ref())),
        cell(&place(finding.new.as_ref()))
    );
    let lines = elsewhere(finding);
    if let Some((first, rest)) = lines.split_first() {
        let _ = write!(out, "\n{first}\n\n");
        for line in rest {
            let _ = writeln!(out, "- {}", cell(line.trim()).replace('<', "&lt;"));
        }
    }
    for witness in &finding.witnesses {
        // The fence must be longer than any in the text.
        let fence = "`".repeat(witness.text.split(|c| c != '`').map(str::len).max().unwrap_or(0).max(2) + 1);
        let (what, text) = (witness_name(witness.kind), witness.text.trim_end());
        let _ = write!(out, "\n{what}:\n\n{fence}mlir\n{text}\n{fence}\n");
    }
    out + "\n</details>\n"
}

/// Returns the findings as JSON.
#[must_use]
pub fn json(comparison: &Comparison) -> Value {
    // Every part of a comparison can be serialized.
    serde_json::to_value(comparison).unwrap_or_default()
}

/// Returns the rules as text, one per line.
#[must_use]
pub fn rules_text() -> String {
    let mut out = String::new();
    for rule in Rule::all() {
        let all =
            rule.effects().iter().map(|(level, verdict)| format!("{} {}", level.name(), verdict.sign()));
        let effects = all.collect::<Vec<_>>().join(" · ");
        let _ = writeln!(out, "{} {}: {} [{effects}]", rule.id(), rule.name(), rule.text());
    }
    out
}

/// Returns the rules as JSON.
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
        })
    });
    Value::Array(rules.collect())
}
