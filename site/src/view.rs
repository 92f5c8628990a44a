//! The page model: one plain struct per kind of page.
//!
//! Every output reads the facts from here, so that they cannot disagree: the templates (which compute nothing),
//! the Markdown tree, the JSON twins and the search index. Addresses are relative to the site's root; the writer of a
//! page prepends the page's own `../`. Text is plain text, prose is Markdown as the author wrote it.

mod all;
mod catalog;
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
pub use catalog::{CatalogCell, CatalogColumn, CatalogFact, CatalogPage, CatalogTable, CatalogText};
pub use class::ClassPage;
pub use constraint::{ConstraintPage, Predicate, Witnesses};
pub use coverage::{Coverage, CoverageItem, DialectCoverage, FindingList, FindingRow, Score};
pub use diagram::Diagram;
pub use facts::{Matrix, MatrixRow, MatrixValue, OwnFact};
pub use history::{
    Breakage, BreakageWitness, Change, ChangeEntry, ChangeName, ChangeSection, ChangedGroup, ChangedRow,
    Difference, ExplainedRule, ReleasePage, Removed, RuleFamily, RulePage, WrittenNotes,
};
pub use odsmith_witness::skeleton::Skeleton;
pub use pass::{Conversion, Pass, Passes, Pipeline, PipelineStep};
pub use patterns::{Pattern, PatternRule, Patterns};

/// The version of the model, the first field of every JSON twin.
pub const SCHEMA: &str = "odsmith.page/1";

/// A text with a link, if there is a page for it.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Link {
    /// The text.
    pub text: String,
    /// The address of the page.
    pub href: Option<String>,
}

/// An author's text.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Prose {
    /// CommonMark, with the common indentation removed.
    pub md: String,
    /// True if it is the comment above the definition, used for lack of a description.
    pub is_harvested: bool,
}

/// The place of a definition.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Source {
    /// The file, as it was named.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The line in the project's repository, if its address is known.
    pub href: Option<String>,
    /// The record; empty if it has no name.
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
    /// The meaning of the text.
    pub meaning: String,
    /// True if it is a warning.
    pub is_warning: bool,
}

/// A labelled fact.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Fact {
    /// The label.
    pub label: String,
    /// The value in words.
    pub text: Option<String>,
    /// The value as code.
    pub code: Option<String>,
    /// The address that the value links to.
    pub href: Option<String>,
}

/// One line of an index: a name with its page and summary.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Row {
    /// The prefix of the name, shown fainter: `arith.`.
    pub prefix: String,
    /// The name.
    pub name: String,
    /// Its page.
    pub href: String,
    /// One line about it.
    pub summary: String,
    /// True if it is deprecated.
    pub is_deprecated: bool,
    /// The kind, in lists that mix kinds.
    pub kind: &'static str,
}

/// Rows under a heading.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Group {
    /// The fragment.
    pub id: String,
    /// The heading.
    pub title: String,
    /// The author's description of the group.
    pub description: Option<Prose>,
    /// The number of rows.
    pub count: usize,
    /// True if a name among them is longer than most.
    pub is_long: bool,
    /// The rows.
    pub rows: Vec<Row>,
    /// Pages with the rows by first letter, if there are too many for one page.
    pub parts: Vec<Link>,
}

impl Group {
    /// Creates a group of these rows.
    #[must_use]
    pub fn new(id: &str, title: &str, description: Option<Prose>, rows: Vec<Row>) -> Self {
        let is_long = rows.iter().any(|row| row.prefix.len() + row.name.len() > 17);
        let (id, title, count) = (id.to_owned(), title.to_owned(), rows.len());
        Group { id, title, description, count, is_long, rows, parts: Vec::new() }
    }
}

/// The frame around a page's own content.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Frame {
    /// The page's address from the site's root.
    pub path: String,
    /// True if the page has wide lists and takes the whole width.
    pub is_wide: bool,
    /// The path from the page to the root: `../../`, or empty.
    pub root: String,
    /// The site's title.
    pub site: String,
    /// The page's own title.
    pub title: String,
    /// The kind of the definition, shown after the title: `operation`, `enum of arith`.
    pub label: String,
    /// One line for search engines and previews.
    pub description: String,
    /// The breadcrumbs from the home page, without the page itself.
    pub trail: Vec<Link>,
    /// The headings of this page.
    pub contents: Vec<Link>,
    /// The previous page.
    pub previous: Option<Link>,
    /// The next page.
    pub next: Option<Link>,
    /// The Markdown twin.
    pub markdown: Option<String>,
    /// The JSON twin.
    pub json: Option<String>,
    /// The sidebar.
    pub sidebar: Option<Sidebar>,
    /// Metadata for search engines as JSON-LD, if the site's address is known.
    pub linked_data: Option<String>,
    /// The Atom feed of releases, on pages about them.
    pub feed: Option<String>,
    /// The canonical address of the page for search engines.
    pub canonical: Option<String>,
    /// The name of the site's release, if it has one.
    pub release: Option<String>,
    /// The sites of other releases, if they are published beside this one.
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
    /// The same page there, or the site's first page.
    pub href: String,
    /// True if it is the same page.
    pub is_same: bool,
}

/// The names of a dialect, listed beside a page of it; or the contents of a site without definitions.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Sidebar {
    /// The dialect, or the site's title.
    pub dialect: String,
    /// Its page.
    pub href: String,
    /// True if these are the contents of the site.
    pub is_contents: bool,
    /// The script with all names, unless all are in `lines`.
    pub list: Option<String>,
    /// Lines of the list, as HTML.
    pub lines: String,
}

/// The home page.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Home {
    /// The first paragraph of the project's README.
    pub introduction: Option<String>,
    /// The README's page.
    pub readme: Option<Link>,
    /// The project's own home page as HTML, in place of the introduction.
    pub article: Option<String>,
    /// Dialects under the project's own headings.
    pub groups: Vec<CardGroup>,
    /// The other dialects.
    pub dialects: Vec<DialectCard>,
    /// Dialects that are defined for tests.
    pub tests: Vec<DialectCard>,
    /// True if there is any dialect.
    pub has_dialects: bool,
    /// Definitions that belong to no dialect: passes, enums.
    pub others: Vec<DialectCard>,
    /// Counts over all dialects.
    pub totals: Vec<Count>,
    /// The share of definitions that are documented.
    pub coverage: Score,
    /// Root files whose definitions are missing because of an error.
    pub unread: Vec<Unread>,
    /// The pages about the changes of releases, the newest first.
    pub releases: Vec<Link>,
    /// The numbers of changes of the newest release.
    pub latest: Vec<Count>,
    /// Hand-written pages by folder.
    pub guides: Vec<Group>,
    /// The number of hand-written pages.
    pub guide_count: usize,
    /// True if they are so few that each has its summary beside it.
    pub has_few_guides: bool,
    /// The pages that list all definitions of a kind.
    pub lists: Vec<Count>,
}

/// A page that lists definitions or hand-written pages.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct IndexPage {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// `index`.
    pub kind: &'static str,
    /// The title.
    pub title: String,
    /// The lists.
    pub groups: Vec<Group>,
}

/// A root file with an error. The reference has none of its definitions.
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
    /// A sentence about them.
    pub text: Option<String>,
    /// The dialects.
    pub dialects: Vec<DialectCard>,
}

/// A number of definitions of one kind.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Count {
    /// The page that lists them.
    pub href: Option<String>,
    /// The number.
    pub number: usize,
    /// The kind, as a singular or plural to match the number.
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
    /// Its stability.
    pub badges: Vec<Badge>,
    /// The numbers of its definitions.
    pub counts: Vec<Count>,
}

/// A dialect's page.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Dialect {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// `dialect`.
    pub kind: &'static str,
    /// The kind as readers see it.
    pub kind_title: &'static str,
    /// The name.
    pub name: String,
    /// One line.
    pub summary: Option<String>,
    /// Remarks beside the title: its stability.
    pub badges: Vec<Badge>,
    /// The project's words about its stability.
    pub notice: Option<String>,
    /// The author's text.
    pub description: Option<Prose>,
    /// The numbers of its definitions, with the list of each kind.
    pub counts: Vec<Count>,
    /// The key facts.
    pub facts: Vec<Fact>,
    /// Hand-written pages about it.
    pub guides: Vec<Link>,
    /// The passes that convert other dialects to it, and it to others.
    pub conversions: Vec<Conversion>,
    /// Operations by group, then types, attributes, enums and interfaces.
    pub groups: Vec<Group>,
    /// The changes by release, the newest first.
    pub history: Vec<Change>,
    /// The place of its definition.
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
    /// The Doxygen page of the class.
    pub doxygen: Option<String>,
    /// One line.
    pub summary: Option<String>,
    /// Remarks beside the title.
    pub badges: Vec<Badge>,
    /// The reason why it is deprecated.
    pub deprecation: Option<String>,
    /// Operands and results on one line.
    pub signature: Vec<Token>,
    /// The letters of the signature, each for a constraint.
    pub variables: Vec<TypeVariable>,
    /// Its syntax.
    pub syntax: Syntax,
    /// The author's text.
    pub description: Option<Prose>,
    /// Operands, attributes, properties, results, regions and successors, each if there are any.
    pub parts: Vec<Parts>,
    /// True if any part has an entry in the last column.
    pub has_notes: bool,
    /// Constraints on several parts.
    pub constraints: Vec<Constraint>,
    /// Cases of the enums that its attributes use, if they are few.
    pub enums: Vec<EnumSummary>,
    /// Traits, with the author's own words.
    pub traits: Vec<Trait>,
    /// Interfaces.
    pub interfaces: Vec<Trait>,
    /// Facts about its behaviour.
    pub behaviour: Vec<Fact>,
    /// C++ builders that the definition declares.
    pub builders: Vec<Builder>,
    /// C++ builders that ODS generates by default.
    pub default_builders: Vec<Builder>,
    /// Getters and setters in C++.
    pub accessors: Vec<String>,
    /// C++ that the definition adds to the class.
    pub extra_class_declaration: Option<String>,
    /// The Python function and class that create it.
    pub python: Option<Python>,
    /// Groups of related operations: of the same class, producers of its operands, users of its results, …
    pub related: Vec<Group>,
    /// Rewrite patterns that mention it.
    pub patterns: Vec<Link>,
    /// A picture of the operations that produce its operands and use its results.
    pub neighbours: Option<String>,
    /// True if any operation is related to it.
    pub has_related: bool,
    /// Facts that the project records in fields of its own.
    pub own_facts: Vec<OwnFact>,
    /// The changes by release, the newest first.
    pub history: Vec<Change>,
    /// The place of its definition.
    pub source: Option<Source>,
}

/// The syntax of an operation, type or attribute.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Syntax {
    /// The origin of the custom form: `declarative`, `custom` or `generic`.
    pub origin: &'static str,
    /// True if C++ code parses and prints the custom form.
    pub is_custom: bool,
    /// The declarative format as the author wrote it.
    pub format: Option<String>,
    /// The class that the format is inherited from.
    pub format_from: Option<Link>,
    /// The grammar of the custom form, if the definitions know it.
    pub tokens: Vec<Token>,
    /// The syntax of a custom form that C++ code parses: from the description, or as this program reads it.
    pub by_hand: Option<ByHand>,
    /// The generic form.
    pub generic: Option<String>,
    /// The grammar as a railroad diagram.
    #[schemars(with = "Option<diagram::DiagramImages<'_>>")]
    pub diagram: Option<Diagram>,
    /// Uses in the project's own files.
    pub examples: Vec<Use>,
    /// An example synthesised from the definitions.
    pub skeleton: Option<Skeleton>,
    /// True if the description has an example.
    pub is_described: bool,
}

/// The syntax of a custom form that C++ code parses.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ByHand {
    /// The grammar.
    pub text: String,
    /// True if it is from the description.
    pub is_described: bool,
}

/// A piece of a signature or grammar.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Token {
    /// `operand`, `attr`, `region`, `result`, `literal`, `directive` or `plain`.
    pub role: &'static str,
    /// The text.
    pub text: Cow<'static, str>,
    /// A fragment of this page (`#…`) or a page of the site.
    pub href: Option<String>,
    /// The name in the definitions, if the text is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<Box<str>>,
}

/// A letter for a constraint in a signature: one that is long, or that several operands have.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct TypeVariable {
    /// The letter.
    pub letter: String,
    /// The constraint in words.
    pub words: String,
    /// The constraint's name and page.
    pub name: Option<Link>,
    /// The name of the constraint's record, unless it is shown as the name.
    pub record: Option<String>,
}

/// The parts of one kind, such as all operands of an operation.
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
    /// The name, or the position (`#0`) if it has none.
    pub name: String,
    /// True if it has a name.
    pub is_named: bool,
    /// `variadic`, `optional` and the like.
    pub quantifiers: Vec<&'static str>,
    /// The constraint in words; empty if there is only its name.
    pub constraint: String,
    /// The constraint's name and its page: the name of a type or attribute in the IR, or else that in the definitions.
    pub constraint_name: Option<Link>,
    /// The constraint's name in the definitions, if another one is shown.
    pub record: Option<String>,
    /// The default value.
    pub default: Option<String>,
    /// Its C++ type.
    pub cpp_type: Option<String>,
    /// The page of the type or attribute that the C++ type holds.
    pub cpp_href: Option<String>,
    /// The side effects that the operation has on it.
    pub effects: Vec<String>,
    /// The author's words.
    pub description: Option<String>,
    /// True if it may be left out.
    pub is_optional: bool,
    /// Named constraints inside a constraint that has no name of its own.
    pub mentions: Vec<Link>,
    /// Other facts: the terminator of a region, flags of an option.
    pub facts: Vec<Fact>,
}

impl Part {
    /// The constraint in words, or else its name.
    pub(crate) fn words(&self) -> &str {
        let name = self.constraint_name.as_ref().map_or("", |name| &name.text);
        if self.constraint.is_empty() { name } else { &self.constraint }
    }
}

/// A constraint on several parts.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Constraint {
    /// The fragment: `c1`.
    pub id: String,
    /// Its number.
    pub number: usize,
    /// The rule in words.
    pub text: String,
    /// The trait or class that demands it.
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
    /// True if any case has a meaning.
    pub has_meanings: bool,
    /// True if any meaning is from a comment.
    pub has_harvested: bool,
    /// True if the spelling of any case differs from its C++ name.
    pub has_symbols: bool,
}

/// A trait or interface on the page of a definition that has it.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Trait {
    /// The name, and its page.
    pub name: Link,
    /// One line of meaning.
    pub meaning: Option<String>,
    /// True if the meaning is from a comment.
    pub is_harvested: bool,
    /// The traits in a list of traits, with nested lists expanded.
    pub parts: Vec<Link>,
    /// Interface methods that the operation implements itself.
    pub methods: Vec<String>,
}

/// A builder.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Builder {
    /// `AddFOp::create(…)`.
    pub signature: String,
    /// The reason why it is deprecated.
    pub deprecation: Option<String>,
}

/// The Python function and class that create an operation.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Python {
    /// The function that creates the operation and returns its results.
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
    /// The spelling in the IR: `!quant.uniform`; the C++ class if it has no mnemonic.
    pub name: String,
    /// The prefix `!quant.`, or empty.
    pub prefix: String,
    /// The name without the prefix.
    pub mnemonic: String,
    /// The C++ class with its namespace.
    pub cpp_class: String,
    /// The Doxygen page of the class.
    pub doxygen: Option<String>,
    /// One line.
    pub summary: Option<String>,
    /// Remarks beside the title.
    pub badges: Vec<Badge>,
    /// Its syntax.
    pub syntax: Option<Syntax>,
    /// The author's text.
    pub description: Option<Prose>,
    /// Parameters.
    pub parameters: Vec<Part>,
    /// True if any parameter has an entry in the last column.
    pub has_notes: bool,
    /// The enum it wraps, if it does.
    pub enums: Vec<EnumSummary>,
    /// Traits.
    pub traits: Vec<Trait>,
    /// Interfaces.
    pub interfaces: Vec<Trait>,
    /// C++ builders that the definition declares.
    pub builders: Vec<Builder>,
    /// C++ builders that ODS generates by default.
    pub default_builders: Vec<Builder>,
    /// Getters in C++.
    pub accessors: Vec<String>,
    /// C++ that the definition adds to the class.
    pub extra_class_declaration: Option<String>,
    /// Definitions that accept it, return it, have it as a parameter, or mention it.
    pub used_by: Vec<Group>,
    /// Facts that the project records in fields of its own.
    pub own_facts: Vec<OwnFact>,
    /// The changes by release, the newest first.
    pub history: Vec<Change>,
    /// The place of its definition.
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
    /// The C++ name with its namespace.
    pub cpp_class: String,
    /// One line.
    pub summary: Option<String>,
    /// Remarks beside the title.
    pub badges: Vec<Badge>,
    /// The author's text.
    pub description: Option<Prose>,
    /// The key facts.
    pub facts: Vec<Fact>,
    /// The cases.
    pub cases: Vec<Case>,
    /// True if any case has a meaning.
    pub has_meanings: bool,
    /// True if any meaning is from a comment.
    pub has_harvested: bool,
    /// True if the spelling of any case differs from its C++ name.
    pub has_symbols: bool,
    /// Operations and attributes that use it.
    pub used_by: Vec<Group>,
    /// Facts that the project records in fields of its own.
    pub own_facts: Vec<OwnFact>,
    /// The changes by release, the newest first.
    pub history: Vec<Change>,
    /// The place of its definition.
    pub source: Option<Source>,
}

/// A case of an enum.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Case {
    /// The fragment: `case-slt`.
    pub id: String,
    /// The C++ name.
    pub symbol: String,
    /// The spelling in the IR.
    pub spelling: String,
    /// The number.
    pub value: String,
    /// The meaning.
    pub meaning: Option<String>,
    /// True if the meaning is from a comment.
    pub is_harvested: bool,
}

/// The page of a trait or interface.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct TraitPage {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// `trait` or `interface`.
    pub kind: &'static str,
    /// The kind as readers see it: `Operation interface`.
    pub kind_title: String,
    /// The name.
    pub name: String,
    /// The forms in which definitions name it.
    pub written: Vec<String>,
    /// The C++ class with its namespace.
    pub cpp_class: Option<String>,
    /// Its Doxygen page.
    pub doxygen: Option<String>,
    /// The author's text.
    pub description: Option<Prose>,
    /// The traits in a list of traits.
    pub parts: Vec<Link>,
    /// The interfaces that it derives from, or the traits that it depends on.
    pub needs: Vec<Link>,
    /// The label for `needs`.
    pub needs_label: &'static str,
    /// Interfaces that derive from it.
    pub derived: Vec<Link>,
    /// The methods of an interface.
    pub methods: Vec<Method>,
    /// The methods that it inherits, by interface.
    pub inherited: Vec<Inherited>,
    /// C++ that verifies the operations that have it.
    pub verify: Option<String>,
    /// C++ that it adds to the interface's class.
    pub extra_class_declaration: Option<String>,
    /// C++ that it adds to the class of each definition that has it.
    pub extra_shared_declaration: Option<String>,
    /// True if there is any C++.
    pub has_cpp: bool,
    /// Definitions that have it, by dialect.
    pub users: Vec<Group>,
    /// The changes by release, the newest first.
    pub history: Vec<Change>,
    /// The place of its definition.
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
    /// True if it is a static method of the class.
    pub is_static: bool,
    /// True if it has a default implementation.
    pub has_default: bool,
    /// C++ of the method itself, which no class then implements.
    pub body: Option<String>,
    /// C++ of the default implementation.
    pub default_body: Option<String>,
    /// The author's text.
    pub description: Option<Prose>,
}

/// Methods that an interface inherits from another.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Inherited {
    /// The other interface.
    pub from: Link,
    /// Its methods, with links to its page.
    pub methods: Vec<Link>,
}

/// A hand-written page.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Guide {
    /// The title.
    pub title: String,
    /// The author's text as Markdown.
    pub md: String,
    /// The text as HTML.
    pub html: String,
    /// The file, and its page in the project's repository.
    pub source: Link,
    /// The address where it is edited.
    pub edit: Option<String>,
    /// The date of its last change: `2026-03-01`.
    pub date: Option<String>,
    /// Headings of the first levels.
    pub contents: Vec<Link>,
    /// The dialects that it is about.
    pub dialects: Vec<Link>,
}

/// The 404 page.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Missing {
    /// The A–Z index.
    pub az: String,
}

/// The A–Z index.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Az {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// `names`.
    pub kind: &'static str,
    /// The dialect, if it is a part of a dialect's index.
    pub dialect: String,
    /// The title of the index.
    pub title: String,
    /// The letters with links to their groups.
    pub letters: Vec<Link>,
    /// The rows by first letter.
    pub groups: Vec<Group>,
}
