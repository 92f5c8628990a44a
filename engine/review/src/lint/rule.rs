//! A rule's entry in the table, which `odsmith rule` and the rule's page are generated from.

use std::fmt;

use odsmith_report::Severity;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = lint::Level)]
pub enum Level {
    /// The rule is not asked.
    Off,
    /// The preset `pedantic` asks the rule: its findings are notes, as MLIR's verifier or parser reports the fault, too.
    Pedantic,
    /// Worth knowing.
    Info,
    /// Probably wrong.
    Warning,
    /// Wrong.
    Error,
}

impl Level {
    /// Returns the word in texts: `warning`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Level::Off => "off",
            Level::Pedantic => "pedantic",
            Level::Info => "info",
            Level::Warning => "warning",
            Level::Error => "error",
        }
    }

    /// Returns the severity of findings of the level.
    #[must_use]
    pub fn severity(self) -> Severity {
        match self {
            Level::Error => Severity::Error,
            Level::Warning => Severity::Warning,
            Level::Info | Level::Pedantic | Level::Off => Severity::Note,
        }
    }

    /// Returns the level of a severity.
    #[must_use]
    pub fn of(severity: Severity) -> Level {
        match severity {
            Severity::Error => Level::Error,
            Severity::Warning => Level::Warning,
            Severity::Note | Severity::Remark => Level::Info,
        }
    }

    /// Returns the level of a word.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Level> {
        [Level::Off, Level::Pedantic, Level::Info, Level::Warning, Level::Error]
            .into_iter()
            .find(|level| level.name() == name)
    }
}

/// The subject of a rule: the letters that its id begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// Correctness: silent bugs.
    Cor,
    /// Documentation.
    Doc,
    /// Shape and evolution of what users see.
    Api,
    /// Style.
    Sty,
    /// TableGen itself.
    Tgn,
    /// Passes.
    Pas,
    /// Rewrite patterns.
    Drr,
    /// Suppressions.
    Lnt,
}

impl Group {
    /// All groups in the order of the table.
    pub const ALL: [Group; 8] =
        [Group::Cor, Group::Doc, Group::Api, Group::Sty, Group::Tgn, Group::Pas, Group::Drr, Group::Lnt];

    /// Returns the letters: `COR`.
    #[must_use]
    pub fn letters(self) -> &'static str {
        match self {
            Group::Cor => "COR",
            Group::Doc => "DOC",
            Group::Api => "API",
            Group::Sty => "STY",
            Group::Tgn => "TGN",
            Group::Pas => "PAS",
            Group::Drr => "DRR",
            Group::Lnt => "LNT",
        }
    }

    /// Returns the heading.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Group::Cor => "Correctness",
            Group::Doc => "Documentation",
            Group::Api => "Shape and evolution",
            Group::Sty => "Style",
            Group::Tgn => "TableGen",
            Group::Pas => "Passes",
            Group::Drr => "Rewrite patterns",
            Group::Lnt => "Suppressions",
        }
    }
}

/// The kind of fix that a rule offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixable {
    /// None is offered.
    No,
    /// The generated code stays the same, which is checked before anything is written.
    Safe,
    /// The generated code, or a name, may change.
    Unsafe,
    /// One or the other: each finding says which.
    Either,
}

/// A rule.
#[derive(Debug)]
pub struct Rule {
    /// `COR001`.
    pub id: &'static str,
    /// `ambiguous-optional-groups`.
    pub name: &'static str,
    /// How bad a finding is, unless the project says otherwise.
    pub level: Level,
    /// The kind of fix.
    pub fix: Fixable,
    /// The fault and its consequences.
    pub text: &'static str,
    /// The remedy.
    pub advice: &'static str,
    /// A definition that the rule reports; [`PRELUDE`] comes first, unless the example has its own `include`.
    pub bad: &'static str,
    /// The same definition without the fault.
    pub good: &'static str,
    /// The version that added the rule.
    pub since: &'static str,
}

/// The `since` that most rules share, for shorter entries.
pub(super) const SINCE: &str = "0.1";

/// The text before each example of the table.
pub const PRELUDE: &str = r#"include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/PatternBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Pass/PassBase.td"

def Ex_Dialect : Dialect {
  let name = "ex";
  let summary = "Examples";
  let description = "What examples define.";
  let cppNamespace = "::ex";
}
class Ex_Op<string mnemonic, list<Trait> traits = []> : Op<Ex_Dialect, mnemonic, traits> {
  let summary = "An example";
  let description = "It shows something.";
}
class Ex_Type<string name, string typeMnemonic> : TypeDef<Ex_Dialect, name> {
  let mnemonic = typeMnemonic;
  let summary = "An example";
  let description = "It shows something.";
}
class Ex_Attr<string name, string attrMnemonic> : AttrDef<Ex_Dialect, name> {
  let mnemonic = attrMnemonic;
  let summary = "An example";
  let description = "It shows something.";
}
"#;

impl Rule {
    /// Returns the rule's group.
    #[must_use]
    pub fn group(&self) -> Group {
        let is_of = |group: &Group| self.id.starts_with(group.letters());
        Group::ALL.into_iter().find(is_of).unwrap_or(Group::Lnt)
    }

    /// Returns the rule's page as Markdown.
    #[must_use]
    pub fn page(&self) -> String {
        let fix = match self.fix {
            Fixable::No => "none",
            Fixable::Safe => "safe (`--fix`)",
            Fixable::Unsafe => "unsafe (`--unsafe-fixes`)",
            Fixable::Either => "safe or unsafe, as each finding says",
        };
        let Rule { id, name, text, advice, bad, good, since, .. } = self;
        let (level, group) = (self.level.name(), self.group().title());
        format!(
            "# {id} {name}\n\n{text}\n\nInstead: {advice}\n\n\
             * Group: {group}\n* Level: {level}\n* Fix: {fix}\n* Since: {since}\n\n\
             Not so:\n\n```tablegen\n{}\n```\n\nBut so:\n\n```tablegen\n{}\n```\n\n\
             To accept a finding, write a reason above the definition:\n\n\
             ```tablegen\n// odsmith: ignore {id}: the reason\n```\n",
            bad.trim(),
            good.trim(),
        )
    }

    /// Returns the complete file of an example.
    #[must_use]
    pub fn example_file(example: &str) -> String {
        let example = example.trim_start_matches('\n');
        if example.contains("include \"") { example.to_owned() } else { format!("{PRELUDE}\n{example}") }
    }
}

impl PartialEq for Rule {
    fn eq(&self, other: &Rule) -> bool {
        self.id == other.id
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.id, self.name)
    }
}
