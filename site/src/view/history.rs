//! Changes by release: on the page of a definition, on the page of a release, and in place of a removed definition.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Fact, Link, Row};

/// The change of a definition in one release.
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
    /// The former name, if it was renamed.
    pub renamed_from: Option<String>,
    /// The parts that differ, side by side.
    pub differences: Vec<Difference>,
    /// The breakages.
    pub findings: Vec<Breakage>,
}

/// A part of a definition, before and after.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Difference {
    /// The kind of the part: `Operand`.
    pub aspect: &'static str,
    /// The name of the part, if there are several.
    pub name: String,
    /// The former value; `None` if the part is new.
    pub old: Option<String>,
    /// The present value; `None` if the part was removed.
    pub new: Option<String>,
    /// True if both values are code.
    pub is_code: bool,
    /// A remark that replaces both values.
    pub note: Option<&'static str>,
}

/// A breakage that a change causes: a finding of `odsmith diff`.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Breakage {
    /// The rule's id: `IN001`.
    pub rule: &'static str,
    /// The address of the rule's explanation.
    pub rule_href: String,
    /// `error`, `warning` or `note`.
    pub severity: &'static str,
    /// True if the severity is `error`.
    pub is_error: bool,
    /// The affected parts of the definition.
    pub parts: Vec<String>,
    /// The cause.
    pub message: String,
    /// The effects: `breaks bytecode`.
    pub effects: Vec<String>,
    /// The advice to users.
    pub advice: &'static str,
    /// Examples that show the breakage.
    pub witnesses: Vec<BreakageWitness>,
    /// The reason why the project accepted it, if it did.
    pub accepted: Option<String>,
}

/// An example that shows a breakage. It is synthesised from definitions, and no tool has checked it.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct BreakageWitness {
    /// The kind of the example: `Program`.
    pub title: &'static str,
    /// The text.
    pub text: String,
}

/// The page with the changes of a release.
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
    /// The date: `2026-03-01`.
    pub date: Option<String>,
    /// The author's notes.
    pub notes: Option<WrittenNotes>,
    /// The number of changes of each kind.
    pub totals: Vec<super::Count>,
    /// The number of changes of each severity.
    pub verdicts: Vec<super::Count>,
    /// The changes by dialect, one row for each definition.
    pub groups: Vec<ChangedGroup>,
    /// The changes by severity, equal ones of a dialect in one entry.
    pub sections: Vec<ChangeSection>,
    /// The releases that have such pages, the newest first.
    pub releases: Vec<Link>,
    /// True if there are pages of other releases.
    pub has_others: bool,
}

/// An author's notes on a release.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct WrittenNotes {
    /// The text as HTML.
    pub html: String,
    /// The text as Markdown.
    pub md: String,
    /// The file.
    pub source: Link,
}

/// The page that explains the rules of `odsmith diff`.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct RulePage {
    /// [`super::SCHEMA`].
    pub schema: &'static str,
    /// `rules`.
    pub kind: &'static str,
    /// The title.
    pub name: &'static str,
    /// The rules, by subject.
    pub families: Vec<RuleFamily>,
}

/// The rules about one kind of definition.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct RuleFamily {
    /// The prefix of their ids, which is the fragment.
    pub id: &'static str,
    /// The subject.
    pub title: &'static str,
    /// The rules.
    pub rules: Vec<ExplainedRule>,
}

/// The explanation of a rule.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct ExplainedRule {
    /// The id, which is the fragment: `IN001`.
    pub id: &'static str,
    /// The name: `attr-added-optional`.
    pub name: &'static str,
    /// The change that it finds.
    pub text: &'static str,
    /// An example of such a change.
    pub example: &'static str,
    /// The effects, unless a finding has its own: `breaks bytecode`.
    pub effects: Vec<String>,
    /// The advice to users.
    pub advice: &'static str,
}

/// Changes of one severity.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct ChangeSection {
    /// The fragment: `gone`.
    pub id: &'static str,
    /// The heading.
    pub title: &'static str,
    /// The meaning of the severity.
    pub note: &'static str,
    /// The number of definitions.
    pub count: usize,
    /// True if each entry is folded, because nothing has to be done.
    pub is_folded: bool,
    /// The entries.
    pub entries: Vec<ChangeEntry>,
}

/// Equal changes of definitions of a dialect.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct ChangeEntry {
    /// The dialect.
    pub dialect: String,
    /// The definitions.
    pub rows: Vec<ChangeName>,
    /// True if there are too many definitions to name them at once.
    pub is_many: bool,
    /// The number of definitions.
    pub count: usize,
    /// The aspects that changed, or the former name.
    pub text: String,
    /// The successor, if there is one.
    pub instead: Option<Link>,
    /// The author's remark on it, from the notes on the release.
    pub note: Option<String>,
    /// The interfaces that break.
    pub breaks: String,
    /// The interfaces that may break.
    pub may_break: String,
    /// The readers whom it concerns: `text bytecode code python pipelines`.
    pub audiences: String,
}

/// A definition in a list of changes.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct ChangeName {
    /// The name and the page.
    pub name: Link,
    /// One line about it, if it is new.
    pub summary: String,
}

/// The changes in a dialect.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct ChangedGroup {
    /// The fragment.
    pub id: String,
    /// The dialect.
    pub title: String,
    /// The number of changes.
    pub count: usize,
    /// The changes.
    pub rows: Vec<ChangedRow>,
}

/// A definition that changed.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct ChangedRow {
    /// Its name and page.
    pub name: Link,
    /// The kind, unless it is an operation.
    pub kind: &'static str,
    /// `new`, `renamed`, `changed` or `removed`.
    pub what: &'static str,
    /// The aspects that changed, or the replacement.
    pub text: String,
    /// The interfaces that break: `bytecode, C++`.
    pub breaks: String,
    /// The interfaces that may break.
    pub may_break: String,
}

/// The page in place of a removed definition.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Removed {
    /// [`super::SCHEMA`].
    pub schema: &'static str,
    /// `removed`.
    pub kind: &'static str,
    /// The kind of the definition: `op`.
    pub was: String,
    /// The kind as readers see it: `Operation`.
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
    /// The new name, or the replacement.
    pub instead: Option<Link>,
    /// The sentences of its last description about the removal.
    pub last_words: Option<String>,
    /// True if it still exists under another name.
    pub is_renamed: bool,
    /// The facts in the last release that had it.
    pub facts: Vec<Fact>,
    /// Its assembly format.
    pub format: Option<String>,
    /// The breakages.
    pub findings: Vec<Breakage>,
    /// Similar names.
    pub similar: Vec<Row>,
}
