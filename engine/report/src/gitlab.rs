//! The report of code quality that GitLab shows beside a merge request: an array of JSON.

use odsmith_tablegen::text::lossy;
use serde_json::{Value, json};

use super::{Finding, Severity};

/// Returns the open findings as a report of code quality.
#[must_use]
pub fn report(findings: &[Finding]) -> Value {
    let mut occurrences = std::collections::BTreeMap::new();
    let mut entry = |finding: &Finding| {
        let (path, line) = match &finding.location {
            Some(at) => (at.file.as_str(), at.range.start.line),
            None => ("odsmith.toml", 1),
        };
        let severity = match finding.severity {
            Severity::Error => "major",
            Severity::Warning => "minor",
            Severity::Note | Severity::Remark => "info",
        };
        let rule = finding.id.map_or_else(|| finding.rule_or_code(), |id| id.name());
        let message = lossy(&finding.message);
        // The line is no part of the fingerprint: it changes with each edit above it.
        let text = [rule, path, &finding.subject, &message].join("\n");
        let count = occurrences.entry(text.clone()).and_modify(|count| *count += 1).or_insert(0u32);
        json!({
            "description": finding.headline(), "check_name": rule, "severity": severity,
            "fingerprint": fingerprint(&text, *count),
            "location": { "path": path, "lines": { "begin": line } },
        })
    };
    findings.iter().filter(|finding| finding.is_open()).map(&mut entry).collect()
}

/// Returns 32 hex digits that stay the same for the same text: FNV-1a in 128 bits.
fn fingerprint(text: &str, occurrence: u32) -> String {
    const START: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let bytes = text.bytes().chain(occurrence.to_le_bytes());
    format!("{:032x}", bytes.fold(START, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Location;

    #[test]
    fn entries_have_a_place_and_a_fingerprint_of_their_own() {
        let finding = Finding {
            rule: "IN001".into(),
            message: "a is gone".to_owned(),
            location: Some(Location::new("a.td", (2, 5), None)),
            ..Finding::default()
        };
        let moved = Finding { location: Some(Location::new("a.td", (9, 5), None)), ..finding.clone() };
        let accepted = Finding { accepted: Some("known".to_owned()), ..finding.clone() };
        let all = report(&[finding.clone(), moved.clone(), accepted]);
        assert_eq!(all.as_array().map(Vec::len), Some(2));
        assert_eq!(all[0]["severity"], "major");
        assert_eq!(all[0]["location"], json!({ "path": "a.td", "lines": { "begin": 2 } }));
        assert_ne!(all[0]["fingerprint"], all[1]["fingerprint"]);
        assert_eq!(all[0]["fingerprint"], report(&[moved])[0]["fingerprint"]);
    }
}
