//! What releases changed: on the page of a definition, on the page of a release, and in place of what is gone.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Fact, Link, Row};

/// What a release did to a definition.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Change {
    /// The fragment: `in-22`.
    pub id: String,
    /// The heading: `Changed in 22`.
    pub title: String,
    /// `new`, `renamed`, `changed` or `removed`.
    pub what: &'static str,
    /// The release.
    pub release: String,
    /// The release before it.
    pub before: String,
    /// What it was called before, if that has changed.
    pub renamed_from: Option<String>,
    /// What is not as it was, side by side.
    pub differences: Vec<Difference>,
    /// What breaks.
    pub findings: Vec<Breakage>,
}

/// A part of a definition, before and after.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Difference {
    /// What it is: `Operand`.
    pub aspect: &'static str,
    /// Which one, if there are several.
    pub name: String,
    /// How it was; nothing if it was not there.
    pub old: Option<String>,
    /// How it is; nothing if it is gone.
    pub new: Option<String>,
    /// Whether both are code.
    pub is_code: bool,
    /// What to say in place of both.
    pub note: Option<&'static str>,
}

/// What a change breaks: a finding of `odsmith diff`.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Breakage {
    /// The rule's id: `IN001`.
    pub rule: &'static str,
    /// What explains it.
    pub rule_href: String,
    /// `error`, `warning` or `note`.
    pub severity: &'static str,
    /// Whether it is an error.
    pub is_error: bool,
    /// The parts of the definition that it is about.
    pub parts: Vec<String>,
    /// The cause.
    pub message: String,
    /// What it does: `breaks bytecode`.
    pub effects: Vec<String>,
    /// What to do about it.
    pub advice: &'static str,
    /// What shows it.
    pub witnesses: Vec<Shown>,
    /// Why it was agreed to, if it was.
    pub accepted: Option<String>,
}

/// Something that shows what breaks. It is made from definitions, and no tool has tried it.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Shown {
    /// What it is: `Program`.
    pub title: &'static str,
    /// The text.
    pub text: String,
}

/// The page of what a release changed.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct ReleasePage {
    /// [`super::SCHEMA`].
    pub schema: &'static str,
    /// `release`.
    pub kind: &'static str,
    /// The release.
    pub name: String,
    /// The release before it.
    pub before: String,
    /// How many of what.
    pub totals: Vec<super::Count>,
    /// How many changes are how bad.
    pub verdicts: Vec<super::Count>,
    /// What changed, by dialect.
    pub groups: Vec<ChangedGroup>,
    /// Releases that have such pages, the newest first.
    pub releases: Vec<Link>,
    /// Whether there are others.
    pub has_others: bool,
}

/// The page of the rules of comparisons.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct RulePage {
    /// [`super::SCHEMA`].
    pub schema: &'static str,
    /// `rules`.
    pub kind: &'static str,
    /// Its title.
    pub name: &'static str,
    /// The rules, by what they are about.
    pub families: Vec<RulesOf>,
}

/// Rules about one kind of thing.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct RulesOf {
    /// How their ids begin, which is the fragment.
    pub id: &'static str,
    /// What they are about.
    pub title: &'static str,
    /// The rules.
    pub rules: Vec<ExplainedRule>,
}

/// What a rule means.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct ExplainedRule {
    /// The id, which is the fragment: `IN001`.
    pub id: &'static str,
    /// The name: `attr-added-optional`.
    pub name: &'static str,
    /// What it finds.
    pub text: &'static str,
    /// A change to which it applies.
    pub example: &'static str,
    /// What it does unless a finding says otherwise: `breaks bytecode`.
    pub effects: Vec<String>,
    /// What to do about it.
    pub advice: &'static str,
}

/// What changed in a dialect.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct ChangedGroup {
    /// The fragment.
    pub id: String,
    /// The dialect.
    pub title: String,
    /// How many there are.
    pub count: usize,
    /// What changed.
    pub rows: Vec<ChangedRow>,
}

/// A definition that changed.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct ChangedRow {
    /// Its name and page.
    pub name: Link,
    /// Its kind, if it is no operation.
    pub kind: &'static str,
    /// `new`, `renamed`, `changed` or `removed`.
    pub what: &'static str,
    /// What of it changed, or what there is instead.
    pub text: String,
    /// What breaks: `bytecode, C++`.
    pub breaks: String,
    /// What may break.
    pub may_break: String,
}

/// The page in place of a definition that is gone.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Removed {
    /// [`super::SCHEMA`].
    pub schema: &'static str,
    /// `removed`.
    pub kind: &'static str,
    /// What it was: `op`.
    pub was: String,
    /// The same for readers: `Operation`.
    pub kind_title: &'static str,
    /// The dialect.
    pub dialect: String,
    /// The name.
    pub name: String,
    /// One line about it.
    pub summary: Option<String>,
    /// The first release without it.
    pub release: String,
    /// The last release with it.
    pub last: Option<String>,
    /// What it is called now, or what there is instead.
    pub instead: Option<Link>,
    /// Whether it is there under another name.
    pub is_renamed: bool,
    /// What the last release with it said of it.
    pub facts: Vec<Fact>,
    /// How its text was written.
    pub format: Option<String>,
    /// What breaks.
    pub findings: Vec<Breakage>,
    /// Names like it.
    pub similar: Vec<Row>,
}
