//! Findings of one cause, told once: a change of a constraint, a trait or a base class reaches many operations.
//!
//! ```text
//! OP016 d.a#x: `AnyFloat`: … became …      OP016 d.a#x: `AnyFloat`: … became … (and 1 other)
//! OP016 d.b#y: `AnyFloat`: … became …        also d.b#y
//! ```

use std::collections::BTreeMap;

use super::{Change, Comparison, Direction, rules::Rule};

/// Findings of these keys are one.
type Cause = (Rule, Direction, String, String, Option<String>);

impl Comparison {
    /// Makes one finding of those that say the same of several symbols. Call it after findings were accepted and
    /// weighed, as these go by symbols.
    pub fn gather(&mut self) {
        let mut first: BTreeMap<Cause, usize> = BTreeMap::new();
        let mut gathered: Vec<Change> = Vec::with_capacity(self.findings.len());
        for finding in std::mem::take(&mut self.findings) {
            let effects = format!("{:?} {:?}", finding.severity, finding.effects);
            let Change { rule, direction, message, accepted, .. } = &finding;
            // An example has the name of its operation.
            let symbol = finding.subject.split('#').next().unwrap_or_default();
            let message = if is_of_format(*rule) && symbol.contains('.') {
                message
                    .replace(&format!("{symbol} "), "⟨operation⟩ ")
                    .replace(&format!("{symbol}`"), "⟨operation⟩`")
            } else {
                message.clone()
            };
            let key = (*rule, *direction, message, effects, accepted.clone());
            match first.get(&key).and_then(|at| gathered.get_mut(*at)) {
                Some(known) if names_its_cause(&finding) => known.also.push(finding.subject),
                _ => {
                    first.insert(key, gathered.len());
                    gathered.push(finding);
                }
            }
        }
        for finding in gathered.iter_mut().filter(|it| !it.also.is_empty()) {
            let count = finding.also.len();
            let others = if count == 1 { "other" } else { "others" };
            finding.message += &format!(" (and {count} {others})");
            finding.claim = None;
        }
        self.findings = gathered;
    }
}

/// Returns true if a message about a format shows an example.
fn is_of_format(rule: Rule) -> bool {
    matches!(rule, Rule::AF001 | Rule::AF002 | Rule::AF008 | Rule::AF009)
}

/// Returns true if the message of a finding says what changed, so that the same message is the same change.
fn names_its_cause(finding: &Change) -> bool {
    use Rule as R;
    // The messages of these say nothing, or no more than the name of a part.
    !matches!(
        finding.rule,
        R::OP007
            | R::OP008
            | R::OP009
            | R::OP021
            | R::OP022
            | R::OP023
            | R::OP025
            | R::AF003
            | R::AF004
            | R::AF005
            | R::AF010
    )
}
