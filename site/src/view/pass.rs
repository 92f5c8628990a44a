//! The page of a pass.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Badge, Change, Fact, Group, Link, Part, Prose, Source};
use crate::examples::passes::PassTest;

/// The page of a pass.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Pass {
    /// [`super::SCHEMA`].
    pub schema: &'static str,
    /// `pass`.
    pub kind: &'static str,
    /// The dialect, or the section for passes without one.
    pub dialect: String,
    /// The name on the command line, without dashes.
    pub name: String,
    /// `-`.
    pub prefix: &'static str,
    /// The same as the name.
    pub mnemonic: String,
    /// Remarks beside the title.
    pub badges: Vec<Badge>,
    /// The C++ name.
    pub cpp_class: String,
    /// One line.
    pub summary: Option<String>,
    /// The flag on the command line.
    pub command_line: String,
    /// A test that shows what it does.
    pub test: Option<PassTest>,
    /// The dialects that it converts from and to.
    pub conversion: Option<Conversion>,
    /// The author's text.
    pub description: Option<Prose>,
    /// Options.
    pub options: Vec<Part>,
    /// Always true: every option has an entry in the last column.
    pub has_notes: bool,
    /// Pipelines that add it.
    pub pipelines: Vec<Link>,
    /// Statistics.
    pub statistics: Vec<Fact>,
    /// Dialects that it loads.
    pub dependents: Vec<Link>,
    /// The operation that it runs on and the function that creates it.
    pub facts: Vec<Fact>,
    /// The changes by release, the newest first.
    pub history: Vec<Change>,
    /// The place of its definition.
    pub source: Option<Source>,
}

/// The chapter about all passes.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Passes {
    /// [`super::SCHEMA`].
    pub schema: &'static str,
    /// `passes`.
    pub kind: &'static str,
    /// The title.
    pub title: &'static str,
    /// The program that runs the passes in the project's tests.
    pub tool: Option<String>,
    /// Conversions between dialects.
    pub conversions: Vec<Conversion>,
    /// The conversions as a picture, if they are few.
    pub graph: Option<String>,
    /// The pipelines that the project registers.
    pub pipelines: Vec<Pipeline>,
    /// The passes by dialect.
    pub groups: Vec<Group>,
}

/// A pipeline of passes that the project registers in C++.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Pipeline {
    /// The fragment.
    pub id: String,
    /// The name on the command line.
    pub name: String,
    /// One line.
    pub summary: String,
    /// The command line.
    pub command_line: String,
    /// The passes in order, if the C++ can be read.
    pub steps: Vec<PipelineStep>,
    /// True if a condition decides about one of them.
    pub has_conditions: bool,
    /// Options.
    pub options: Vec<Part>,
    /// The place of the registration, with its address in the project's repository, if that is known.
    pub source: Link,
}

/// A pass of a pipeline.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct PipelineStep {
    /// The pass, or the function that creates it.
    pub pass: Link,
    /// The operation that it is nested on.
    pub anchor: Option<String>,
    /// True if a condition or a loop decides whether it is added.
    pub is_conditional: bool,
}

/// A pass that converts a dialect to another.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Conversion {
    /// The dialect that goes in.
    pub from: Link,
    /// The dialect that comes out.
    pub to: Link,
    /// Other dialects that it loads.
    pub also: Vec<Link>,
    /// The pass.
    pub pass: Link,
    /// One line about it.
    pub summary: String,
}
