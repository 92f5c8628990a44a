//! Accepted findings: by rule and subject, with a reason, and optionally a version at which the acceptance ends.

use serde::Deserialize;

use super::{
    Comparison,
    rules::{Rule, Severity},
};

/// A finding that a project accepts.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Acceptance {
    /// The rule's id.
    pub rule: String,
    /// The subject, with or without its part: `func.func#no_inline`, `func.func`.
    pub subject: String,
    /// The reason.
    pub reason: String,
    /// The version at which it ends.
    #[serde(default)]
    pub until: Option<String>,
}

impl Acceptance {
    /// Returns true if the acceptance has ended at a version. Versions are compared by their numbers.
    #[must_use]
    pub fn is_over(&self, version: Option<&str>) -> bool {
        let numbers = |text: &str| {
            let digits = text.split(|c: char| !c.is_ascii_digit()).filter(|it| !it.is_empty());
            digits.map(|it| it.parse::<u64>().unwrap_or(u64::MAX)).collect::<Vec<_>>()
        };
        match (&self.until, version) {
            (Some(until), Some(version)) => numbers(version) >= numbers(until),
            _ => false,
        }
    }

    fn accepts(&self, subject: &str) -> bool {
        let whole = subject.strip_prefix(self.subject.as_str());
        whole.is_some_and(|rest| rest.is_empty() || rest.starts_with('#'))
    }
}

impl Comparison {
    /// Marks accepted findings. An acceptance that has ended or matches nothing is listed as stale.
    ///
    /// # Errors
    /// An acceptance names an unknown rule, or gives no reason.
    pub fn accept(&mut self, acceptances: &[Acceptance], version: Option<&str>) -> Result<(), String> {
        for acceptance in acceptances {
            let Acceptance { rule: id, subject, reason, until } = acceptance;
            let rule = Rule::of_id(id).ok_or_else(|| format!("there is no rule {id}"))?;
            if reason.trim().is_empty() {
                return Err(format!("the acceptance of {id} for {subject} has no reason"));
            }
            if acceptance.is_over(version) {
                let until = until.as_deref().unwrap_or_default();
                self.stale_acceptances.push(format!("{id} {subject}: it ended with {until}"));
                continue;
            }
            let mut is_used = false;
            for finding in &mut self.findings {
                if finding.rule == rule && acceptance.accepts(&finding.subject) {
                    finding.accepted = Some(reason.clone());
                    is_used = true;
                }
            }
            if !is_used {
                self.stale_acceptances.push(format!("{id} {subject}: there is no such finding"));
            }
        }
        Ok(())
    }

    /// Returns true if a finding is at least this severe, or an acceptance is stale.
    #[must_use]
    pub fn fails(&self, at: Severity) -> bool {
        let is_found = self.findings.iter().any(|it| it.accepted.is_none() && it.severity <= at);
        is_found || !self.stale_acceptances.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_numbers() {
        let acceptance = Acceptance {
            rule: "IN001".to_owned(),
            subject: "func.func".to_owned(),
            reason: "known".to_owned(),
            until: Some("2.0".to_owned()),
        };
        assert!(!acceptance.is_over(Some("1.10")));
        assert!(acceptance.is_over(Some("2.0")) && acceptance.is_over(Some("10.0")));
        assert!(!acceptance.is_over(None));
        assert!(acceptance.accepts("func.func#no_inline") && !acceptance.accepts("func.function"));
    }
}
