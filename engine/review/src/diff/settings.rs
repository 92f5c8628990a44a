//! Settings of comparisons: the table `[diff]` of a project's manifest, and the choices of one call.
//!
//! ```toml
//! [diff]
//! profile = "IR"
//! fail-on = "error"
//! unstable = ["foo_experimental"]
//! [diff.rules]
//! EN002 = "off"
//! [[diff.accept]]
//! rule = "IN001"
//! subject = "func.func#no_inline"
//! reason = "v3 files are rewritten by the importer"
//! [diff.renamed]
//! "foo.old" = "foo.new"
//! ```

use std::{collections::BTreeMap, fmt::Write as _};

use serde::{Deserialize, Serialize};

use super::{
    Change, Comparison, Profile,
    accept::Acceptance,
    rules::{Level, Rule, Severity, Verdict},
};

/// The table `[diff]` of a manifest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Settings {
    /// The levels that matter.
    pub profile: Option<Profile>,
    /// The least severity that makes a comparison fail.
    pub fail_on: Option<Least>,
    /// Unstable dialects: findings in them are notes.
    pub unstable: Vec<String>,
    /// The severity of findings by rule.
    pub rules: BTreeMap<String, Weight>,
    /// Accepted findings.
    pub accept: Vec<Acceptance>,
    /// Renamed operations, from the old name to the new one.
    pub renamed: BTreeMap<String, String>,
}

/// The severity from which a comparison fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Least {
    /// An error.
    #[default]
    Error,
    /// A warning.
    Warning,
    /// A note.
    Info,
    /// No severity: it never fails.
    Never,
}

/// The severity of a rule's findings, which replaces the rule's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weight {
    /// Not shown.
    Off,
    /// Worth knowing.
    Note,
    /// Something may break.
    Warning,
    /// Something breaks.
    Error,
}

/// A filter of findings for one call; a finding must match each list that is not empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The dialects.
    pub dialects: Vec<String>,
    /// The rules.
    pub rules: Vec<Rule>,
    /// The levels, one of which it must affect.
    pub levels: Vec<Level>,
}

impl Selection {
    /// Reads `dialect=func,rule=IN001,level=BC`; a value without a key belongs to the last key.
    ///
    /// # Errors
    /// A key or a value is unknown.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut selection = Selection::default();
        let mut last = "";
        for entry in text.split(',').map(str::trim).filter(|it| !it.is_empty()) {
            let (key, value) = entry.split_once('=').unwrap_or((last, entry));
            last = key;
            match key {
                "dialect" => selection.dialects.push(value.to_owned()),
                "rule" => {
                    let rule = Rule::of_id(value);
                    selection.rules.push(rule.ok_or_else(|| format!("there is no rule '{value}'"))?);
                }
                "level" => {
                    let level = Level::ALL.iter().find(|it| it.name().eq_ignore_ascii_case(value));
                    selection.levels.push(*level.ok_or_else(|| {
                        let names: Vec<&str> = Level::ALL.iter().map(|it| it.name()).collect();
                        format!("there is no level '{value}': use one of {}", names.join(", "))
                    })?);
                }
                key => return Err(format!("'{key}' cannot be selected: use dialect=, rule= or level=")),
            }
        }
        Ok(selection)
    }

    fn has(&self, finding: &Change) -> bool {
        (self.dialects.is_empty() || self.dialects.contains(&finding.group))
            && (self.rules.is_empty() || self.rules.contains(&finding.rule))
            && (self.levels.is_empty() || self.levels.iter().any(|it| finding.effects.contains_key(it)))
    }
}

/// The part of a version that must rise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Bump {
    /// The last number.
    Patch,
    /// The middle one.
    Minor,
    /// The first one.
    Major,
}

impl Bump {
    /// Returns the name in texts.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Bump::Patch => "patch",
            Bump::Minor => "minor",
            Bump::Major => "major",
        }
    }

    /// Returns the step from one version to another; below 1.0 the middle number counts as the first one.
    #[must_use]
    pub fn between(old: &str, new: &str) -> Self {
        let numbers = |version: &str| {
            let mut numbers =
                version.trim_start_matches('v').split(['.', '-', '+']).map(|it| it.parse().unwrap_or(0));
            let mut next = || numbers.next().unwrap_or(0u64);
            let (major, minor) = (next(), next());
            if major == 0 { (minor, next()) } else { (major, minor) }
        };
        let (old, new) = (numbers(old), numbers(new));
        if old.0 != new.0 {
            Bump::Major
        } else if old.1 != new.1 {
            Bump::Minor
        } else {
            Bump::Patch
        }
    }
}

impl Comparison {
    /// Keeps the findings that match the selection.
    pub fn select(&mut self, selection: &Selection) {
        self.findings.retain(|finding| selection.has(finding));
    }

    /// Applies a project's severities to the findings.
    ///
    /// # Errors
    /// The project names an unknown rule.
    pub fn weigh(&mut self, settings: &Settings) -> Result<(), String> {
        let mut weights = BTreeMap::new();
        for (id, weight) in &settings.rules {
            let rule = Rule::of_id(id).ok_or_else(|| format!("[diff.rules]: there is no rule '{id}'"))?;
            weights.insert(rule, *weight);
        }
        self.findings.retain_mut(|finding| {
            if settings.unstable.contains(&finding.group) {
                finding.severity = Severity::Note;
            }
            match weights.get(&finding.rule) {
                Some(Weight::Off) => return false,
                Some(Weight::Note) => finding.severity = Severity::Note,
                Some(Weight::Warning) => finding.severity = Severity::Warning,
                Some(Weight::Error) => finding.severity = Severity::Error,
                None => {}
            }
            true
        });
        // The worst come first, by the new severities.
        self.findings.sort_by_key(|it| (it.verdict != Verdict::Silent, it.severity));
        Ok(())
    }

    /// Returns the required bump: major for changes that break or may break, minor for additions.
    #[must_use]
    pub fn bump(&self) -> Bump {
        let counted = self.findings.iter().filter(|it| it.accepted.is_none());
        let needed = counted.map(|finding| match finding.severity {
            Severity::Error => Bump::Major,
            Severity::Warning | Severity::Note | Severity::Remark => Bump::Minor,
        });
        needed.max().unwrap_or(Bump::Patch)
    }

    /// Returns every error as an acceptance with a reason to fill in: the text of a file for `--accept`.
    #[must_use]
    pub fn acceptances(&self) -> String {
        let mut out = String::new();
        let mut written = std::collections::BTreeSet::new();
        for finding in &self.findings {
            let key = (finding.rule, finding.subject.as_str());
            if finding.severity != Severity::Error || !written.insert(key) {
                continue;
            }
            let reason = finding.accepted.as_deref().unwrap_or_default();
            // Writing to a text does not fail.
            let _ = write!(
                out,
                "[[diff.accept]]\nrule = \"{}\"\nsubject = {}\nreason = {}\n\n",
                finding.rule.id(),
                toml_text(&finding.subject),
                toml_text(reason)
            );
        }
        out
    }
}

/// Quotes a text for TOML.
fn toml_text(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => _ = write!(out, "\\u{:04X}", u32::from(c)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selections() {
        let selection = Selection::parse("dialect=func,scf,rule=in001,level=bc").expect("a selection");
        assert_eq!(selection.dialects, ["func", "scf"]);
        assert_eq!((selection.rules, selection.levels), (vec![Rule::IN001], vec![Level::Bytecode]));
        assert!(Selection::parse("file=x").is_err_and(|it| it.contains("dialect=")));
        assert!(Selection::parse("level=XX").is_err_and(|it| it.contains("TEXT")));
        assert!(Selection::parse("rule=XX001").is_err());
    }

    #[test]
    fn versions_rise() {
        assert_eq!(Bump::between("1.2.3", "2.0.0"), Bump::Major);
        assert_eq!(Bump::between("v1.2.3", "v1.3.0"), Bump::Minor);
        assert_eq!(Bump::between("1.2.3", "1.2.4"), Bump::Patch);
        assert_eq!(Bump::between("0.2.3", "0.3.0"), Bump::Major);
        assert_eq!(Bump::between("0.2.3", "0.2.4"), Bump::Minor);
    }
}
