//! Pages of what commands and jobs report.

use serde_json::{Value, json};

use super::{
    answer::{fits, page, plain, shortened},
    arguments::{Arguments, needed, range},
};
use crate::{pipeline::rules, store::keys};

/// Returns a page of the findings in a log of SARIF.
///
/// # Errors
/// The cursor is wrong.
pub fn findings(log: &Value, arguments: &Arguments) -> Result<Value, String> {
    let (from, limit) = range(arguments)?;
    let results = log["runs"][0]["results"].as_array().into_iter().flatten();
    let all: Vec<Value> = results.map(finding).collect();
    Ok(page(all.len(), "findings", all, from, limit))
}

/// Returns a page of the findings of a comparison, from its JSON.
///
/// # Errors
/// The cursor is wrong.
pub fn changes(comparison: &Value, arguments: &Arguments) -> Result<Value, String> {
    let (from, limit) = range(arguments)?;
    let all: Vec<Value> = comparison["findings"].as_array().into_iter().flatten().map(change).collect();
    Ok(page(all.len(), "findings", all, from, limit))
}

/// Returns a page of a generated text.
///
/// # Errors
/// The cursor is wrong.
pub fn generated(output: &[u8], arguments: &Arguments) -> Result<Value, String> {
    let whole = String::from_utf8_lossy(output).into_owned();
    let (from, _) = range(arguments)?;
    let rest = whole.get(from..).ok_or("the cursor is after the end")?;
    let mut end = rest.len();
    loop {
        let shown = &rest[..end];
        let more = rest.len() - end;
        let next = if more > 0 { Value::String((from + end).to_string()) } else { Value::Null };
        let value = json!({
            "text": shown, "bytes": whole.len(), "sha256": keys::sha256(output), "more": more, "next": next,
        });
        if fits(&value) || end == 0 {
            return Ok(value);
        }
        let wanted = end.min(8 << 10) * 7 / 8;
        end = (0..=wanted).rev().find(|at| rest.is_char_boundary(*at)).unwrap_or(0);
    }
}

/// Explains a rule.
///
/// # Errors
/// There is no such rule.
pub fn explain(arguments: &Arguments) -> Result<Value, String> {
    let rule = needed(arguments, "rule")?;
    let text = rules::explain(rule, &rules::Examiner::ALL)?;
    let title = plain(text.lines().next().unwrap_or_default());
    Ok(shortened(json!({ "rule": rule, "title": title, "text": text }), &["text"]))
}

/// Returns a finding of a comparison.
fn change(finding: &Value) -> Value {
    let severity = finding["severity"].as_str().filter(|it| ["error", "warning"].contains(it));
    let severity = severity.unwrap_or("note");
    let text = |field: &str| finding[field].as_str().unwrap_or_default();
    let effects = finding["effects"].as_object().into_iter().flatten();
    let levels = effects.filter(|(_, verdict)| *verdict != "safe").map(|(level, _)| level.as_str());
    let mut value = json!({
        "rule": text("rule"), "severity": severity, "message": plain(text("message")),
        "definition": text("subject"), "levels": levels.collect::<Vec<_>>(),
    });
    let place = if finding["new"].is_object() { &finding["new"] } else { &finding["old"] };
    if let Some(file) = place["file"].as_str() {
        value["file"] = file.into();
        value["line"] = place["line"].clone();
    }
    let elsewhere = finding["elsewhere"].as_array().into_iter().flatten().map(|it| {
        let users = it["users"].as_array().map_or(0, Vec::len);
        json!({ "project": it["project"], "version": it["version"], "users": users })
    });
    let elsewhere: Vec<Value> = elsewhere.collect();
    if !elsewhere.is_empty() {
        value["elsewhere"] = elsewhere.into();
    }
    value
}

/// Returns a result of SARIF as a finding.
fn finding(result: &Value) -> Value {
    let severity = match result["level"].as_str() {
        Some("error") => "error",
        Some("warning") => "warning",
        _ => "note",
    };
    let message = result["message"]["text"].as_str().unwrap_or_default();
    let place = &result["locations"][0]["physicalLocation"];
    let mut value = json!({
        "rule": result["ruleId"].as_str().unwrap_or("tablegen"), "severity": severity, "message": plain(message),
    });
    if let Some(file) = place["artifactLocation"]["uri"].as_str() {
        value["file"] = file.into();
    }
    if let Some(line) = place["region"]["startLine"].as_u64() {
        value["line"] = line.into();
    }
    value
}
