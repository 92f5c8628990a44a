//! A project's file of accepted findings, so that only new ones count. It stores neither lines nor columns, so that it
//! still holds when definitions move.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::finding::Finding;

/// Accepted findings, identified by rule, symbol and message.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// The version of this format.
    pub schema: u32,
    /// The findings.
    pub findings: Vec<Entry>,
}

/// One or more findings with the same rule, symbol and message.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The rule's id.
    pub rule: String,
    /// The symbol's stable id.
    pub subject: String,
    /// The message.
    pub message: String,
    /// The number of such findings.
    pub count: usize,
}

/// The version that this code reads and writes.
const SCHEMA: u32 = 1;

impl Baseline {
    /// Returns a baseline of the open findings.
    #[must_use]
    pub fn new(findings: &[Finding]) -> Baseline {
        let mut counts: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
        for finding in findings.iter().filter(|finding| finding.is_open()) {
            *counts.entry((&finding.rule, &finding.subject, &finding.message)).or_default() += 1;
        }
        let entry = |((rule, subject, message), count): ((&str, &str, &str), usize)| Entry {
            rule: rule.to_owned(),
            subject: subject.to_owned(),
            message: message.to_owned(),
            count,
        };
        Baseline { schema: SCHEMA, findings: counts.into_iter().map(entry).collect() }
    }

    /// Reads what [`Baseline::to_json`] writes.
    ///
    /// # Errors
    /// The bytes are not a baseline file.
    pub fn from_json(bytes: &[u8]) -> Result<Baseline, String> {
        let baseline: Baseline = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        match baseline.schema {
            SCHEMA => Ok(baseline),
            other => Err(format!("it has version {other} of the format, and this program reads {SCHEMA}")),
        }
    }

    /// Returns the baseline as JSON, with one entry per line for readable diffs.
    #[must_use]
    pub fn to_json(&self) -> String {
        let lines: Vec<String> =
            self.findings.iter().map(|entry| serde_json::to_string(entry).unwrap_or_default()).collect();
        format!("{{\n\"schema\": {},\n\"findings\": [\n{}\n]\n}}\n", self.schema, lines.join(",\n"))
    }

    /// Marks the findings that are in the baseline as accepted, at most as many of each kind as it counts.
    pub fn accept(&self, findings: &mut [Finding]) {
        let mut left: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
        for entry in &self.findings {
            *left.entry((&entry.rule, &entry.subject, &entry.message)).or_default() += entry.count;
        }
        for finding in findings.iter_mut().filter(|finding| finding.is_open()) {
            let key = (&*finding.rule, finding.subject.as_str(), finding.message.as_str());
            if let Some(count) = left.get_mut(&key).filter(|count| **count > 0) {
                *count -= 1;
                finding.accepted = Some("it is in the baseline".to_owned());
            }
        }
    }
}
