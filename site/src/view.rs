//! The page model: one plain struct per kind of page.
//!
//! Every output reads the facts from here, so that they cannot disagree: the templates (which compute nothing),
//! the Markdown tree, the JSON twins and the search index. Addresses are relative to the site's root; what
//! writes a page puts the page's own `../` in front. Text is plain text, prose is Markdown as the author wrote it.

mod all;
mod class;
mod constraint;
mod coverage;
mod diagram;
mod facts;
mod history;
mod pass;
mod patterns;

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;

pub use crate::examples::Use;
pub use all::{All, AllEntry, AllSection};
pub use class::ClassPage;
pub use constraint::{ConstraintPage, Predicate, Witnesses};
pub use coverage::{Coverage, CoverageItem, DialectCoverage, FindingList, FindingRow, Score};
pub use diagram::Diagram;
pub use facts::{Matrix, MatrixRow, MatrixValue, OwnFact};
pub use history::{
    Breakage, Change, ChangedGroup, ChangedRow, Difference, ExplainedRule, ReleasePage, Removed, RulePage,
    RulesOf, Shown,
};
pub use odsmith_witness::skeleton::Skeleton;
pub use pass::Pass;
pub use patterns::{Pattern, PatternRule, Patterns};

/// Version of the model, the first field of every JSON twin.
pub const SCHEMA: &str = "odsmith.page/1";

/// A text that leads somewhere, if there is a page for it.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Link {
    /// What it says.
    pub text: String,
    /// Where it leads.
    pub href: Option<String>,
}

/// An author's text.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Prose {
    /// CommonMark, with the common indentation removed.
    pub md: String,
    /// Whether it is the comment above the definition, used where there is no description.
    pub is_harvested: bool,
}

/// Where a definition is.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Source {
    /// The file, as it was named.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The line in the project's repository, if its address is known.
    pub href: Option<String>,
    /// The record.
    pub record: String,
    /// The classes that it derives from, nearest first, those of ODS itself left out.
    pub classes: Vec<Link>,
    /// The definition's own text, if it is short.
    pub excerpt: Option<String>,
}

/// A short remark beside a title.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Badge {
    /// One or two words.
    pub text: String,
    /// What they mean.
    pub meaning: String,
    /// Whether it warns.
    pub is_warning: bool,
}

/// A labelled fact.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Fact {
    /// What is documented.
    pub label: String,
    /// What it is, in words.
    pub text: Option<String>,
    /// What it is, in code.
    pub code: Option<String>,
    /// Where it leads.
    pub href: Option<String>,
}

/// One line of an index: a name and what it names.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Row {
    /// What precedes the name and is shown fainter: `arith.`.
    pub prefix: String,
    /// The name.
    pub name: String,
    /// Its page.
    pub href: String,
    /// One line about it.
    pub summary: String,
    /// Whether one should no longer use it.
    pub is_deprecated: bool,
    /// What kind of thing it is, in lists that mix kinds.
    pub kind: &'static str,
}

/// Some rows under a heading.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Group {
    /// The fragment.
    pub id: String,
    /// The heading.
    pub title: String,
    /// What the author says about the group.
    pub description: Option<Prose>,
    /// How many rows there are.
    pub count: usize,
    /// Whether a name among them needs more room than most.
    pub is_long: bool,
    /// The rows.
    pub rows: Vec<Row>,
    /// Pages with the rows by first letter, where there are too many for one page.
    pub parts: Vec<Link>,
}

impl Group {
    /// A group of these rows.
    #[must_use]
    pub fn new(id: &str, title: &str, description: Option<Prose>, rows: Vec<Row>) -> Self {
        let is_long = rows.iter().any(|row| row.prefix.len() + row.name.len() > 17);
        let (id, title, count) = (id.to_owned(), title.to_owned(), rows.len());
        Group { id, title, description, count, is_long, rows, parts: Vec::new() }
    }
}

/// What surrounds a page's own content.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Frame {
    /// The page's address from the site's root.
    pub path: String,
    /// Whether it lists much and takes the whole width.
    pub is_wide: bool,
    /// From the page to the root: `../../`, or nothing.
    pub root: String,
    /// The site's title.
    pub site: String,
    /// The page's own title.
    pub title: String,
    /// What kind of thing it is, after its title: `operation`, `enum of arith`.
    pub label: String,
    /// One line for search engines and previews.
    pub description: String,
    /// The way from the home page to here, without the page itself.
    pub trail: Vec<Link>,
    /// The headings of this page.
    pub contents: Vec<Link>,
    /// The neighbour before.
    pub previous: Option<Link>,
    /// The neighbour after.
    pub next: Option<Link>,
    /// The Markdown twin.
    pub markdown: Option<String>,
    /// The JSON twin.
    pub json: Option<String>,
    /// What is beside the page.
    pub sidebar: Option<Sidebar>,
    /// What search engines read, as JSON-LD, where the site's address is known.
    pub linked_data: Option<String>,
    /// The whole address that search engines shall know the page by.
    pub canonical: Option<String>,
    /// The release that the site is of, if it has a name.
    pub release: Option<String>,
    /// The sites of other releases, if they are beside this one.
    pub versions: Option<Versions>,
}

/// The sites of other releases.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Versions {
    /// This release.
    pub current: String,
    /// The others, the newest first.
    pub others: Vec<VersionLink>,
}

/// A page of the site of another release.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct VersionLink {
    /// The release.
    pub name: String,
    /// The same page there, or else its first one.
    pub href: String,
    /// Whether it is the same page.
    pub is_same: bool,
}

/// The names around a page's own, in its dialect.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Sidebar {
    /// The dialect.
    pub dialect: String,
    /// Its page.
    pub href: String,
    /// The script with all of its names, unless all are here.
    pub list: Option<String>,
    /// Lines of the list, as HTML.
    pub lines: String,
}

/// The home page.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Home {
    /// What it is: the first paragraph of the project's README, and that page.
    pub introduction: Option<String>,
    /// The README's page.
    pub readme: Option<Link>,
    /// Dialects under the project's own headings.
    pub groups: Vec<CardGroup>,
    /// The others.
    pub dialects: Vec<DialectCard>,
    /// Whether there is any dialect.
    pub has_dialects: bool,
    /// What belongs to no dialect: passes, enums.
    pub others: Vec<DialectCard>,
    /// Counts over all of them.
    pub totals: Vec<Count>,
    /// How much of everything is documented.
    pub coverage: Score,
    /// Files whose definitions are not here.
    pub unread: Vec<Unread>,
    /// What releases changed, the newest first.
    pub releases: Vec<Link>,
    /// Hand-written pages.
    pub guides: Group,
    /// Interfaces that are defined here.
    pub interfaces: Group,
    /// Traits that operations have.
    pub traits: Group,
}

/// A root file with an error: nothing of what it defines is in the reference.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Unread {
    /// The root file.
    pub td: String,
    /// The file with the error and its line, if the error has a place.
    pub place: Option<String>,
    /// That line in the project's repository, if its address is known.
    pub href: Option<String>,
    /// The first error.
    pub what: String,
}

/// Dialects under a heading.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct CardGroup {
    /// The fragment.
    pub id: String,
    /// The heading.
    pub title: String,
    /// The dialects.
    pub dialects: Vec<DialectCard>,
}

/// How many of something.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Count {
    /// The page that lists them.
    pub href: Option<String>,
    /// How many.
    pub number: usize,
    /// Of what, in the right number.
    pub what: String,
}

/// A dialect on the home page.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct DialectCard {
    /// Its name.
    pub name: String,
    /// Its page.
    pub href: String,
    /// One line about it.
    pub summary: String,
    /// What it has.
    pub counts: Vec<Count>,
}

/// A dialect's page.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Dialect {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// `dialect`.
    pub kind: &'static str,
    /// What readers call the kind.
    pub kind_title: &'static str,
    /// The name.
    pub name: String,
    /// One line.
    pub summary: Option<String>,
    /// The author's text.
    pub description: Option<Prose>,
    /// What there is to know at a glance.
    pub facts: Vec<Fact>,
    /// Operations by group, then types, attributes, enums and interfaces.
    pub groups: Vec<Group>,
    /// What releases changed, the newest first.
    pub history: Vec<Change>,
    /// Where it is defined.
    pub source: Option<Source>,
}

/// An operation's page.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Operation {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// `op`.
    pub kind: &'static str,
    /// The dialect.
    pub dialect: String,
    /// The full name.
    pub name: String,
    /// The dialect with its dot.
    pub prefix: String,
    /// The name within the dialect.
    pub mnemonic: String,
    /// The C++ class with its namespace.
    pub cpp_class: String,
    /// One line.
    pub summary: Option<String>,
    /// Remarks beside the title.
    pub badges: Vec<Badge>,
    /// Why it should no longer be used.
    pub deprecation: Option<String>,
    /// What goes in and comes out, on one line.
    pub signature: Vec<Token>,
    /// How it is written.
    pub syntax: Syntax,
    /// The author's text.
    pub description: Option<Prose>,
    /// Operands, attributes, properties, results, regions and successors, each if there are any.
    pub parts: Vec<Parts>,
    /// Whether any part has something in the last column.
    pub has_notes: bool,
    /// What must hold between the parts.
    pub constraints: Vec<Constraint>,
    /// Cases of the enums that its attributes take, where they are few.
    pub enums: Vec<EnumSummary>,
    /// Traits, the author's own words.
    pub traits: Vec<Trait>,
    /// Interfaces.
    pub interfaces: Vec<Trait>,
    /// What is known of its behaviour.
    pub behaviour: Vec<Fact>,
    /// Ways to build it in C++ that the definition brings.
    pub builders: Vec<Builder>,
    /// Those that follow by rule.
    pub default_builders: Vec<Builder>,
    /// Getters and setters in C++.
    pub accessors: Vec<String>,
    /// C++ that the definition adds to the class.
    pub extra_class_declaration: Option<String>,
    /// How Python makes one.
    pub python: Option<Python>,
    /// Operations of the same class, those that produce what it takes, those that take what it produces, …
    pub related: Vec<Group>,
    /// Rewrite patterns that mention it.
    pub patterns: Vec<Link>,
    /// What it takes values from and what takes its own, as a picture.
    pub neighbours: Option<String>,
    /// Whether anything is related to it.
    pub has_related: bool,
    /// What the project says of it besides what ODS asks.
    pub own_facts: Vec<OwnFact>,
    /// What releases changed, the newest first.
    pub history: Vec<Change>,
    /// Where it is defined.
    pub source: Option<Source>,
}

/// How an operation, type or attribute is written.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Syntax {
    /// `declarative`, `custom` or `generic`: where the custom form comes from.
    pub origin: &'static str,
    /// Whether C++ code reads and prints the custom form.
    pub is_custom: bool,
    /// The declarative format as the author wrote it.
    pub format: Option<String>,
    /// The class that the format is inherited from.
    pub format_from: Option<Link>,
    /// The grammar of the custom form, if the definitions know it.
    pub tokens: Vec<Token>,
    /// The generic form.
    pub generic: Option<String>,
    /// The grammar as a railroad diagram.
    #[schemars(with = "Option<diagram::Drawn<'_>>")]
    pub diagram: Option<Diagram>,
    /// What the project's own files say.
    pub examples: Vec<Use>,
    /// An example made from the definitions.
    pub skeleton: Option<Skeleton>,
}

/// A piece of a signature or grammar.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Token {
    /// `operand`, `attr`, `region`, `result`, `literal`, `directive` or `plain`.
    pub role: &'static str,
    /// What it says.
    pub text: Cow<'static, str>,
    /// A place on this page (`#…`) or a page of the site.
    pub href: Option<String>,
}

/// All operands, say, of an operation.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Parts {
    /// The fragment: `operands`.
    pub id: &'static str,
    /// The heading: `Operands`.
    pub title: &'static str,
    /// The hue: `operand`, `attr`, `region` or `result`.
    pub role: &'static str,
    /// The parts.
    pub rows: Vec<Part>,
}

/// An operand, attribute, property, result, region or successor.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Part {
    /// The fragment: `operand-lhs`.
    pub id: String,
    /// The name; its position (`#0`) if it has none.
    pub name: String,
    /// Whether it has a name.
    pub is_named: bool,
    /// `variadic`, `optional` and the like.
    pub quantifiers: Vec<&'static str>,
    /// What it accepts, in words.
    pub constraint: String,
    /// What that is called in the definitions, and its page.
    pub constraint_name: Option<Link>,
    /// The value when it is left out.
    pub default: Option<String>,
    /// Its C++ type.
    pub cpp_type: Option<String>,
    /// The page of what the C++ type holds.
    pub cpp_href: Option<String>,
    /// What the operation does to it.
    pub effects: Vec<String>,
    /// The author's words.
    pub description: Option<String>,
    /// Whether it may be left out.
    pub is_optional: bool,
    /// Named constraints inside one that has no name of its own.
    pub mentions: Vec<Link>,
    /// What else is known: the terminator of a region, flags of an option.
    pub facts: Vec<Fact>,
}

/// Something that must hold.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Constraint {
    /// The fragment: `c1`.
    pub id: String,
    /// Its number.
    pub number: usize,
    /// The rule in words.
    pub text: String,
    /// Who demands it.
    pub by: Link,
    /// The condition in C++.
    pub condition: Option<String>,
}

/// An enum on the page of an operation that takes it.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct EnumSummary {
    /// The attribute or property.
    pub of: String,
    /// The fragment: `cases-predicate`.
    pub id: String,
    /// The enum.
    pub name: Link,
    /// Its cases.
    pub cases: Vec<Case>,
    /// Whether any case has a meaning given.
    pub has_meanings: bool,
    /// Whether any meaning is from a comment.
    pub has_harvested: bool,
    /// Whether any case is written otherwise than it is called in C++.
    pub has_symbols: bool,
}

/// A trait or interface on the page of what has it.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Trait {
    /// The name, and its page.
    pub name: Link,
    /// One line of meaning.
    pub meaning: Option<String>,
    /// Whether that is from a comment.
    pub is_harvested: bool,
    /// What a list of traits contains in the end.
    pub parts: Vec<Link>,
    /// Interface methods that the operation implements itself.
    pub methods: Vec<String>,
}

/// A builder.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Builder {
    /// `AddFOp::create(…)`.
    pub signature: String,
    /// Why it should no longer be used.
    pub deprecation: Option<String>,
}

/// How Python makes an operation.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Python {
    /// The function that makes one and returns its results.
    pub function: String,
    /// The class and its `__init__`.
    pub class: String,
}

/// The page of a type or attribute.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct AttrOrType {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// `type` or `attr`.
    pub kind: &'static str,
    /// `Type` or `Attribute`.
    pub kind_title: &'static str,
    /// The dialect.
    pub dialect: String,
    /// As in the IR: `!quant.uniform`; the C++ class if it has no mnemonic.
    pub name: String,
    /// `!quant.`, or nothing.
    pub prefix: String,
    /// The name without the prefix.
    pub mnemonic: String,
    /// The C++ class with its namespace.
    pub cpp_class: String,
    /// One line.
    pub summary: Option<String>,
    /// Remarks beside the title.
    pub badges: Vec<Badge>,
    /// How it is written.
    pub syntax: Option<Syntax>,
    /// The author's text.
    pub description: Option<Prose>,
    /// Parameters.
    pub parameters: Vec<Part>,
    /// Whether any parameter has something in the last column.
    pub has_notes: bool,
    /// The enum it wraps, if it does.
    pub enums: Vec<EnumSummary>,
    /// Traits.
    pub traits: Vec<Trait>,
    /// Interfaces.
    pub interfaces: Vec<Trait>,
    /// Ways to build it in C++ that the definition brings.
    pub builders: Vec<Builder>,
    /// Those that follow by rule.
    pub default_builders: Vec<Builder>,
    /// Getters in C++.
    pub accessors: Vec<String>,
    /// C++ that the definition adds to the class.
    pub extra_class_declaration: Option<String>,
    /// What takes it, returns it, has it as a parameter, or mentions it.
    pub used_by: Vec<Group>,
    /// What the project says of it besides what ODS asks.
    pub own_facts: Vec<OwnFact>,
    /// What releases changed, the newest first.
    pub history: Vec<Change>,
    /// Where it is defined.
    pub source: Option<Source>,
}

/// An enum's page.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Enum {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// `enum`.
    pub kind: &'static str,
    /// The dialect.
    pub dialect: String,
    /// The C++ name.
    pub name: String,
    /// With its namespace.
    pub cpp_class: String,
    /// One line.
    pub summary: Option<String>,
    /// Remarks beside the title.
    pub badges: Vec<Badge>,
    /// The author's text.
    pub description: Option<Prose>,
    /// What there is to know at a glance.
    pub facts: Vec<Fact>,
    /// The cases.
    pub cases: Vec<Case>,
    /// Whether any case has a meaning given.
    pub has_meanings: bool,
    /// Whether any meaning is from a comment.
    pub has_harvested: bool,
    /// Whether any case is written otherwise than it is called in C++.
    pub has_symbols: bool,
    /// Operations and attributes that take it.
    pub used_by: Vec<Group>,
    /// What the project says of it besides what ODS asks.
    pub own_facts: Vec<OwnFact>,
    /// What releases changed, the newest first.
    pub history: Vec<Change>,
    /// Where it is defined.
    pub source: Option<Source>,
}

/// A case of an enum.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Case {
    /// The fragment: `case-slt`.
    pub id: String,
    /// The C++ name.
    pub symbol: String,
    /// As in the IR.
    pub spelling: String,
    /// The number.
    pub value: String,
    /// What it means.
    pub meaning: Option<String>,
    /// Whether that is from a comment.
    pub is_harvested: bool,
}

/// The page of a trait or interface.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct TraitPage {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// `trait` or `interface`.
    pub kind: &'static str,
    /// What kind of it: `Operation interface`.
    pub kind_title: String,
    /// The name.
    pub name: String,
    /// The C++ class with its namespace.
    pub cpp_class: Option<String>,
    /// The author's text.
    pub description: Option<Prose>,
    /// What a list of traits contains.
    pub parts: Vec<Link>,
    /// The interfaces that it derives from, or the traits that must come before it.
    pub needs: Vec<Link>,
    /// Which of the two.
    pub needs_label: &'static str,
    /// Interfaces that derive from it.
    pub derived: Vec<Link>,
    /// The methods of an interface.
    pub methods: Vec<Method>,
    /// The methods that it inherits, by interface.
    pub inherited: Vec<Inherited>,
    /// C++ that checks what has it.
    pub verify: Option<String>,
    /// C++ that it adds to the interface's class.
    pub extra_class_declaration: Option<String>,
    /// C++ that it adds to the class of whatever has it.
    pub extra_shared_declaration: Option<String>,
    /// Whether there is any C++.
    pub has_cpp: bool,
    /// Who has it, by dialect.
    pub users: Vec<Group>,
    /// What releases changed, the newest first.
    pub history: Vec<Change>,
    /// Where it is defined.
    pub source: Option<Source>,
}

/// A method of an interface.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Method {
    /// The fragment: `method-getLoopBounds`.
    pub id: String,
    /// The name.
    pub name: String,
    /// The whole declaration.
    pub signature: String,
    /// Whether it belongs to the class and not to an object.
    pub is_static: bool,
    /// Whether there is a default, so that it need not be implemented.
    pub has_default: bool,
    /// C++ of the method itself, which then is not implemented by anyone.
    pub body: Option<String>,
    /// C++ of the default.
    pub default_body: Option<String>,
    /// The author's text.
    pub description: Option<Prose>,
}

/// Methods that an interface inherits from another.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Inherited {
    /// The other interface.
    pub from: Link,
    /// Its methods, with their places on its page.
    pub methods: Vec<Link>,
}

/// A hand-written page.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Guide {
    /// What it is called.
    pub title: String,
    /// The author's text as Markdown.
    pub md: String,
    /// The same as HTML.
    pub html: String,
    /// The file, and its page in the project's repository.
    pub source: Link,
    /// Headings of the first levels.
    pub contents: Vec<Link>,
}

/// The page for addresses that lead nowhere.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Missing {
    /// The list of everything.
    pub az: String,
}

/// The list of everything, by name.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Az {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// `names`.
    pub kind: &'static str,
    /// The dialect, if it is a part of one's list.
    pub dialect: String,
    /// What the list is called.
    pub title: String,
    /// The letters, each with its place.
    pub letters: Vec<Link>,
    /// By first letter.
    pub groups: Vec<Group>,
}
