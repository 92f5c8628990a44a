//! SARIF 2.1.0, for code hosts that show results beside the lines.

use serde_json::{Value, json};

use super::Report;
use odsmith_tablegen::diagnostic::Severity;

/// One SARIF run with a result for each report.
#[must_use]
pub fn render(reports: &[Report]) -> Value {
    let results: Vec<Value> = reports.iter().map(result).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "odsmith", "version": env!("CARGO_PKG_VERSION") } },
            "results": results,
        }],
    })
}

fn result(report: &Report) -> Value {
    let level = match report.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note | Severity::Remark => "note",
    };
    let mut result = json!({
        "ruleId": report.code,
        "level": level,
        "message": { "text": report.message },
    });
    if let Some(location) = location(report) {
        result["locations"] = json!([location]);
    }
    let related: Vec<Value> = report.notes.iter().filter_map(location).collect();
    if !related.is_empty() {
        result["relatedLocations"] = json!(related);
    }
    result
}

fn location(report: &Report) -> Option<Value> {
    let place = report.place.as_ref()?;
    Some(json!({
        "physicalLocation": {
            "artifactLocation": { "uri": place.file },
            "region": {
                "startLine": place.range.start.line,
                "startColumn": place.range.start.column,
                "endLine": place.range.end.line,
                "endColumn": place.range.end.column,
            },
        },
        "message": { "text": report.message },
    }))
}
