//! SARIF 2.1.0, for code hosts that show results next to the lines.

use serde_json::{Value, json};

use super::{Finding, Location, RuleText, Severity};
use odsmith_tablegen::text::lossy;

/// The most results of one run that code hosts accept.
const MOST_RESULTS: usize = 5_000;

/// A function from a rule's id to the address of its page, if there is one.
pub type HelpUri<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Returns the log of one run. If there are too many findings, the first are kept, so the worst should come first.
#[must_use]
pub fn log(rules: &[RuleText], findings: &[Finding], help: HelpUri<'_>) -> Value {
    let used = |rule: &&RuleText| findings.iter().any(|it| it.rule == rule.id);
    let rules: Vec<&RuleText> = rules.iter().filter(used).collect();
    let results: Vec<Value> = findings.iter().take(MOST_RESULTS).map(|it| result(it, &rules)).collect();
    let mut driver = json!({ "name": "odsmith", "version": env!("CARGO_PKG_VERSION") });
    if !rules.is_empty() {
        driver["rules"] = rules.iter().map(|it| descriptor(it, help)).collect();
    }
    let mut run = json!({ "tool": { "driver": driver }, "results": results });
    if findings.len() > MOST_RESULTS {
        let message = format!("{} more results were left out", findings.len() - MOST_RESULTS);
        run["invocations"] = json!([{
            "executionSuccessful": true,
            "toolExecutionNotifications": [{ "level": "warning", "message": { "text": message } }],
        }]);
    }
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    })
}

fn descriptor(rule: &RuleText, help: HelpUri<'_>) -> Value {
    let mut descriptor = json!({
        "id": rule.id,
        "name": rule.name,
        "shortDescription": { "text": rule.text },
        "help": { "text": rule.advice },
        "defaultConfiguration": { "level": level(rule.severity) },
    });
    if let Some(address) = help(rule.id) {
        descriptor["helpUri"] = json!(address);
    }
    descriptor
}

fn result(finding: &Finding, rules: &[&RuleText]) -> Value {
    let mut result = json!({
        "ruleId": finding.rule_or_code(),
        "level": level(finding.severity),
        "message": { "text": finding.long_text() },
    });
    if let Some(index) = rules.iter().position(|it| it.id == finding.rule) {
        result["ruleIndex"] = json!(index);
    }
    if let Some(at) = &finding.location {
        result["locations"] = json!([location(at, None)]);
    }
    let related = finding.related.iter();
    let related = related.filter_map(|it| Some(location(it.location.as_ref()?, Some(&it.message))));
    let related: Vec<Value> = related.collect();
    if !related.is_empty() {
        result["relatedLocations"] = json!(related);
    }
    let key = finding.key();
    if !key.is_empty() {
        result["partialFingerprints"] = json!({ "odsmith/v1": format!("{} {key}", finding.rule) });
    }
    // An accepted finding stays in the log: hosts would reopen it if it came back.
    if let Some(reason) = &finding.accepted {
        result["suppressions"] =
            json!([{ "kind": "external", "status": "accepted", "justification": reason }]);
    }
    result
}

fn level(severity: Severity) -> &'static str {
    if severity == Severity::Remark { Severity::Note.name() } else { severity.name() }
}

fn location(location: &Location, message: Option<&str>) -> Value {
    let (start, end) = (location.range.start, location.range.end);
    let mut region = json!({ "startLine": start.line, "startColumn": start.column });
    if let Some(end) = end {
        region["endLine"] = json!(end.line);
        region["endColumn"] = json!(end.column);
    }
    let mut found =
        json!({ "physicalLocation": { "artifactLocation": { "uri": location.file }, "region": region } });
    if let Some(text) = message {
        found["message"] = json!({ "text": lossy(text) });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(rule: &'static str, accepted: Option<&str>) -> Finding {
        Finding {
            rule: rule.into(),
            message: "it breaks".to_owned(),
            details: vec!["BC ✗".to_owned()],
            location: Some(Location::new("A.td", (3, 1), None)),
            key: "a.b#c".to_owned(),
            accepted: accepted.map(str::to_owned),
            ..Finding::default()
        }
    }

    #[test]
    fn accepted_findings_stay_and_lines_are_in_no_fingerprint() {
        let rule = RuleText {
            id: "IN001",
            name: "attr-added-optional",
            text: "An attribute is new.",
            advice: "Raise the version.",
            severity: Severity::Error,
        };
        let unused = RuleText { id: "IN002", ..rule };
        let help = |id: &str| Some(format!("https://example.org/{id}"));
        let log = log(&[unused, rule], &[finding("IN001", None), finding("IN001", Some("known"))], &help);
        let run = &log["runs"][0];
        assert_eq!(run["tool"]["driver"]["rules"].as_array().map(Vec::len), Some(1));
        assert_eq!(run["tool"]["driver"]["rules"][0]["helpUri"], "https://example.org/IN001");
        assert_eq!(run["results"][0]["ruleIndex"], 0);
        assert_eq!(run["results"][0]["partialFingerprints"]["odsmith/v1"], "IN001 a.b#c");
        assert!(run["results"][0].get("suppressions").is_none());
        assert_eq!(run["results"][1]["suppressions"][0]["justification"], "known");
    }

    #[test]
    fn no_more_results_than_hosts_take() {
        let many = vec![finding("IN001", None); MOST_RESULTS + 1];
        let log = log(&[], &many, &|_| None);
        assert_eq!(log["runs"][0]["results"].as_array().map(Vec::len), Some(MOST_RESULTS));
        let text = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
        assert_eq!(text, "1 more results were left out");
    }
}
