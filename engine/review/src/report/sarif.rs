//! SARIF 2.1.0, for code hosts that show results next to the lines.

use serde_json::{Value, json};

use super::{Place, Remark, RuleText};

/// The most results of one run that code hosts accept.
const MOST_RESULTS: usize = 5_000;

/// A function from a rule's id to the address of its page, if there is one.
pub type HelpUri<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Returns the log of one run. If there are too many remarks, the first are kept, so the worst should come first.
#[must_use]
pub fn log(rules: &[RuleText], remarks: &[Remark], help: HelpUri<'_>) -> Value {
    let used = |rule: &&RuleText| remarks.iter().any(|it| it.rule == rule.id);
    let rules: Vec<&RuleText> = rules.iter().filter(used).collect();
    let results: Vec<Value> =
        remarks.iter().take(MOST_RESULTS).map(|remark| result(remark, &rules)).collect();
    let mut driver = json!({ "name": "odsmith", "version": env!("CARGO_PKG_VERSION") });
    if !rules.is_empty() {
        driver["rules"] = rules.iter().map(|it| descriptor(it, help)).collect();
    }
    let mut run = json!({ "tool": { "driver": driver }, "results": results });
    if remarks.len() > MOST_RESULTS {
        let message = format!("{} more results were left out", remarks.len() - MOST_RESULTS);
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
        "defaultConfiguration": { "level": rule.grade.name() },
    });
    if let Some(address) = help(&rule.id) {
        descriptor["helpUri"] = json!(address);
    }
    descriptor
}

fn result(remark: &Remark, rules: &[&RuleText]) -> Value {
    let mut text = remark.message.clone();
    for line in &remark.details {
        text.push('\n');
        text += line;
    }
    let mut result = json!({
        "ruleId": remark.rule,
        "level": remark.grade.name(),
        "message": { "text": text },
    });
    if let Some(index) = rules.iter().position(|it| it.id == remark.rule) {
        result["ruleIndex"] = json!(index);
    }
    if let Some(place) = &remark.place {
        result["locations"] = json!([location(place, None)]);
    }
    let related = remark.related.iter();
    let related: Vec<Value> = related.map(|(place, message)| location(place, Some(message))).collect();
    if !related.is_empty() {
        result["relatedLocations"] = json!(related);
    }
    if !remark.key.is_empty() {
        result["partialFingerprints"] = json!({ "odsmith/v1": format!("{} {}", remark.rule, remark.key) });
    }
    // An accepted remark stays in the log: hosts would reopen it if it came back.
    if let Some(reason) = &remark.accepted {
        result["suppressions"] =
            json!([{ "kind": "external", "status": "accepted", "justification": reason }]);
    }
    result
}

fn location(place: &Place, message: Option<&str>) -> Value {
    let mut region = json!({ "startLine": place.start.0, "startColumn": place.start.1 });
    if let Some((line, column)) = place.end {
        region["endLine"] = json!(line);
        region["endColumn"] = json!(column);
    }
    let mut location =
        json!({ "physicalLocation": { "artifactLocation": { "uri": place.file }, "region": region } });
    if let Some(text) = message {
        location["message"] = json!({ "text": text });
    }
    location
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Grade;

    fn remark(rule: &str, accepted: Option<&str>) -> Remark {
        Remark {
            rule: rule.to_owned(),
            grade: Grade::Error,
            message: "it breaks".to_owned(),
            details: vec!["BC ✗".to_owned()],
            place: Some(Place { file: "A.td".to_owned(), start: (3, 1), end: None }),
            related: Vec::new(),
            key: "a.b#c".to_owned(),
            accepted: accepted.map(str::to_owned),
        }
    }

    #[test]
    fn accepted_remarks_stay_and_lines_are_in_no_fingerprint() {
        let rule = RuleText {
            id: "IN001".to_owned(),
            name: "attr-added-optional".to_owned(),
            text: "An attribute is new.".to_owned(),
            advice: "Raise the version.".to_owned(),
            grade: Grade::Error,
        };
        let unused = RuleText { id: "IN002".to_owned(), ..rule.clone() };
        let help = |id: &str| Some(format!("https://example.org/{id}"));
        let log = log(&[unused, rule], &[remark("IN001", None), remark("IN001", Some("known"))], &help);
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
        let many = vec![remark("IN001", None); MOST_RESULTS + 1];
        let log = log(&[], &many, &|_| None);
        assert_eq!(log["runs"][0]["results"].as_array().map(Vec::len), Some(MOST_RESULTS));
        let text = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
        assert_eq!(text, "1 more results were left out");
    }
}
