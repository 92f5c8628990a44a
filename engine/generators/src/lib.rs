//! The list of generators, and the data that each gets.
//!
//! One file or folder per family. A family exports its [`Generator`] entries; [`GENERATORS`] lists them by name, which
//! is the order of `--help`.

mod availability;
mod bytecode;
mod constraints;
#[doc(hidden)]
pub mod cpp;
mod def;
mod dialects;
mod directives;
mod docs;
mod enums;
pub mod format;
mod interfaces;
mod llvmir;
pub mod members;
mod op;
mod op_filter;
mod openmp;
mod passes;
mod plugin;
mod python;
mod regex_option;
mod rewriters;
mod signatures;
mod spirv;
mod string_map;
mod structs;

use std::{cell::RefCell, sync::Arc};

use crate::cpp::Writer;
use odsmith_ods::{Definition, Dialect, Model};
use odsmith_release::{Change, Rules};
use odsmith_tablegen::{
    diagnostic::{Diagnostic, Id},
    record::Records,
    span::Span,
};

pub use plugin::{Plugin, PluginCx, PluginOutput};

/// Every generator, by name.
pub const GENERATORS: &[Generator] = &[
    constraints::ATTR_DECLS,
    constraints::ATTR_DEFS,
    interfaces::ATTR_DECLS,
    interfaces::ATTR_DEFS,
    interfaces::ATTR_DOCS,
    def::ATTR_DECLS,
    def::ATTR_DEFS,
    docs::ATTRDEF_DOC,
    availability::INTERFACE_DECLS,
    availability::INTERFACE_DEFS,
    bytecode::BYTECODE,
    llvmir::CONVERTIBLE,
    dialects::DECLS,
    dialects::DEFS,
    docs::DIALECT_DOC,
    interfaces::DIALECT_DECLS,
    directives::DECL,
    enums::DECLS,
    enums::DEFS,
    docs::ENUM_DOC,
    llvmir::ENUM_FROM_LLVM,
    llvmir::ENUM_TO_LLVM,
    llvmir::INTRINSIC_FROM_LLVM,
    llvmir::OP_TO_LLVM,
    llvmir::INTRINSICS,
    llvmir::PAIRS,
    op::DECLS,
    op::DEFS,
    docs::OP_DOC,
    llvmir::OP_FROM_LLVM,
    interfaces::OP_DECLS,
    interfaces::OP_DEFS,
    interfaces::OP_DOCS,
    openmp::CLAUSE_OPS,
    passes::HEADER,
    passes::IMPL,
    passes::DECLS,
    passes::DOC,
    python::ENUMS,
    python::OPS,
    rewriters::REWRITERS,
    spirv::ATTR_UTILS,
    availability::SPIRV_IMPLS,
    spirv::CAPABILITY_IMPLICATION,
    spirv::ENUM_AVAIL_DECLS,
    spirv::ENUM_AVAIL_DEFS,
    spirv::SERIALIZATION,
    structs::DECLS,
    structs::DEFS,
    availability::TOSA_IMPLS,
    constraints::TYPE_DECLS,
    constraints::TYPE_DEFS,
    interfaces::TYPE_DECLS,
    interfaces::TYPE_DEFS,
    interfaces::TYPE_DOCS,
    def::TYPE_DECLS,
    def::TYPE_DEFS,
    docs::TYPEDEF_DOC,
    openmp::VERIFY,
];

/// One entry of [`GENERATORS`].
#[derive(Debug)]
pub struct Generator {
    /// The flag's name without dashes: `gen-enum-decls`.
    pub name: &'static str,
    /// One line for `--help`.
    pub about: &'static str,
    /// Writes the output. Checks come first, so that the output of a failing generator does not matter.
    pub run: fn(&Cx<'_>, &mut Writer) -> Result<(), Diagnostic>,
}

impl Generator {
    /// Returns the generator of this name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Generator> {
        GENERATORS.iter().find(|generator| generator.name == name)
    }

    /// Returns whether a release has the generator.
    #[must_use]
    pub fn is_in(&self, rules: &Rules) -> bool {
        is_in_release(self.name, rules)
    }

    /// Checks that a release has the generator.
    ///
    /// # Errors
    /// It has not.
    pub fn check_release(&self, rules: &Rules) -> Result<(), Diagnostic> {
        if self.is_in(rules) {
            return Ok(());
        }
        let message = format!("MLIR {} has no generator '{}'", rules.release_name(), self.name);
        Err(Diagnostic::error(Span::NONE, message).bare())
    }
}

/// The action that makes an output.
#[derive(Clone, Debug)]
pub enum Action {
    /// `--print-records`, also the default.
    PrintRecords,
    /// `--dump-json`.
    DumpJson,
    /// `--print-detailed-records`.
    PrintDetailedRecords,
    /// `--print-enums`: the names of the defs of this class.
    PrintEnums(String),
    /// `--print-sets`: the elements of the defs of class `Set`.
    PrintSets,
    /// `--gen-…`.
    Generate(&'static Generator, Options),
    /// The generator of a project.
    Plugin(Arc<dyn Plugin>),
}

/// The generators' own options, as given: `--dialect=arith` is `("dialect", "arith")`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options(Vec<(String, String)>);

impl Options {
    /// Adds an option; a flag without a value has the empty one.
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.0.push((name.into(), value.into()));
    }

    /// Returns every option with its value, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Returns the last value of an option.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().rev().find(|(option, _)| option == name).map(|(_, value)| value.as_str())
    }

    /// Returns all values of an option, in order.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(option, _)| option == name).map(|(_, value)| value.as_str())
    }

    /// Returns whether a flag is given, and not as `=false`.
    #[must_use]
    pub fn is_set(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| value != "false" && value != "0")
    }
}

/// One option of one or more generators.
#[derive(Debug)]
pub struct OptionSpec {
    /// The name without dashes.
    pub name: &'static str,
    /// The placeholder of the value in `--help`; nothing for a flag.
    pub value: Option<&'static str>,
    /// One line for `--help`.
    pub about: &'static str,
}

/// Every option of the generators, by name.
pub const OPTIONS: &[OptionSpec] = &[
    docs::ALLOW_HUGO,
    python::BIND_DIALECT,
    bytecode::DIALECT,
    def::ATTR_DIALECT,
    docs::DIALECT,
    docs::KEEP_ORDER,
    python::DIALECT_EXTENSION,
    llvmir::OP_CLASS,
    directives::DIALECT,
    llvmir::ACCESS_GROUPS,
    llvmir::ALIAS_ANALYSIS,
    llvmir::ALIAS_SCOPES,
    llvmir::FILTER,
    passes::NAME,
    op_filter::EXCLUDE,
    op_filter::INCLUDE,
    op::SHARD_COUNT,
    passes::PREFIX,
    docs::STRIP_PREFIX,
    def::TYPE_DIALECT,
];

/// Generators and options that a change introduced; all others are in every release.
const NEWER: &[(&str, Change)] = &[
    ("directives-dialect", Change::DirectivesOfDialects),
    ("llvmir-intrinsics-alias-scopes-regexp", Change::AliasScopes),
    ("no-warn-on-unused-template-args", Change::UnusedArguments),
    ("on-deprecated", Change::DeprecatedDefs),
    ("dialect-extension", Change::DeprecatedDefs),
    ("gen-llvmintrinsic-to-llvmirop-pairs", Change::Exists),
    ("gen-convertible-llvmir-intrinsics", Change::PassParts),
    ("gen-intr-from-llvmir-conversions", Change::PassParts),
    ("gen-op-from-llvmir-conversions", Change::PassParts),
    ("bytecode-dialect", Change::BytecodeAndTbaa),
    ("gen-bytecode", Change::BytecodeAndTbaa),
    ("llvmir-intrinsics-alias-analysis-regexp", Change::BytecodeAndTbaa),
    ("strip-prefix", Change::ItalicSummaries),
    ("allow-hugo-specific-features", Change::HtmlAttributeTables),
    ("gen-python-enum-bindings", Change::PythonEnums),
    ("gen-enum-doc", Change::EnumDocuments),
    ("op-shard-count", Change::EnumDocuments),
    ("verify-openmp-ops", Change::EnumDocuments),
    ("gen-attr-constraint-decls", Change::ConstraintGenerators),
    ("gen-attr-constraint-defs", Change::ConstraintGenerators),
    ("gen-openmp-clause-ops", Change::ConstraintGenerators),
    ("gen-tosa-avail-impls", Change::ConstraintGenerators),
    ("gen-type-constraint-decls", Change::ConstraintGenerators),
    ("gen-type-constraint-defs", Change::ConstraintGenerators),
    ("gen-dialect-interface-decls", Change::DialectInterfaces),
    ("keep-op-source-order", Change::DocumentsOfOneDialect),
];

/// Generators and options that a change replaced.
const OLDER: &[(&str, Change)] = &[
    ("gen-struct-attr-decls", Change::CustomDefinitions),
    ("gen-struct-attr-defs", Change::CustomDefinitions),
    ("gen-llvmintrinsic-to-llvmirop-pairs", Change::PassParts),
    ("llvmir-intrinsics-alias-scopes-regexp", Change::BytecodeAndTbaa),
    ("gen-tosa-avail-impls", Change::SpirvProperties),
];

/// Returns whether a release has a generator or an option of this name; unknown names count as present.
#[must_use]
pub fn is_in_release(name: &str, rules: &Rules) -> bool {
    NEWER.iter().all(|(newer, change)| *newer != name || rules.has(*change))
        && OLDER.iter().all(|(older, change)| *older != name || !rules.has(*change))
}

/// The input of a generator.
pub struct Cx<'r> {
    /// The records.
    pub records: &'r Records,
    /// Typed views on them.
    pub model: &'r Model<'r>,
    /// The options given for this output.
    pub options: &'r Options,
    /// The root file's path as it was named.
    pub source: &'r str,
    /// True if relative paths are written unchanged, see `Target` of a job.
    pub shows_relative_paths: bool,
    /// Warnings, and errors that do not stop the generator at once.
    pub sink: RefCell<Vec<Diagnostic>>,
}

impl<'r> Cx<'r> {
    /// Reports a warning, or an error after which the generator goes on (and then fails).
    pub fn report(&self, diagnostic: Diagnostic) {
        self.sink.borrow_mut().push(diagnostic);
    }

    /// Returns whether the user wants outputs in spite of wrong assembly formats.
    #[must_use]
    pub fn tolerates_format_errors(&self) -> bool {
        let name = "asmformat-error-is-fatal";
        self.options.get(name).is_some_and(|value| !value.is_empty()) && !self.options.is_set(name)
    }

    /// Reports mistakes in an assembly format. If the user tolerates them, the generator goes on without the format.
    ///
    /// # Errors
    /// The last message, unless mistakes are tolerated.
    pub fn report_format(&self, mut errors: Vec<Diagnostic>) -> Result<(), Diagnostic> {
        if self.tolerates_format_errors() {
            errors.into_iter().for_each(|error| self.report(error.tolerated()));
            return Ok(());
        }
        let last = errors.pop();
        errors.into_iter().for_each(|error| self.report(error));
        last.map_or(Ok(()), Err)
    }

    /// Checks that a class is declared, for generators that require it.
    ///
    /// # Errors
    /// There is no such class.
    pub fn require_class(&self, name: &str) -> Result<(), Diagnostic> {
        match self.records.class(name) {
            Some(_) => Ok(()),
            None => Err(Diagnostic::error(Span::NONE, format!("The class '{name}' is not defined\n"))),
        }
    }

    /// Returns the dialect named by `-dialect`, or the only one; nothing if there is none at all.
    ///
    /// # Errors
    /// The named one does not exist, or there are several and none is named.
    pub fn selected_dialect(&self) -> Result<Option<Dialect<'r>>, Diagnostic> {
        self.dialect_selected_of(|_| true)
    }

    /// Returns the selected one among the dialects that `counts` accepts.
    ///
    /// # Errors
    /// As for [`Cx::selected_dialect`].
    fn dialect_selected_of(
        &self,
        counts: impl Fn(Dialect<'r>) -> bool,
    ) -> Result<Option<Dialect<'r>>, Diagnostic> {
        let error = |message: &str| Err(Diagnostic::error(Span::NONE, message).bare());
        let mut dialects = self.model.dialects().filter(|dialect| counts(*dialect));
        let Some(first) = dialects.next() else { return Ok(None) };
        if self.records.rules().has(Change::DialectsReadFirst) {
            self.model.dialects().try_for_each(Dialect::check)?;
        }
        if let Some(name) = self.options.get("dialect") {
            for dialect in std::iter::once(first).chain(dialects) {
                dialect.check_name()?;
                if dialect.name() == name {
                    return Ok(Some(dialect));
                }
            }
            return error("selected dialect with '-dialect' does not exist");
        }
        if dialects.next().is_some() {
            let message = "when more than 1 dialect is present, one must be selected via '-dialect'";
            return Err(Diagnostic::error(Span::NONE, message).bare().id(Id::DialectChoice));
        }
        first.check()?;
        Ok(Some(first))
    }

    /// Returns whether the root file itself defines a record.
    #[must_use]
    pub fn is_in_root(&self, definition: Definition<'_>) -> bool {
        let buffer = self.records.sources().buffer_of(definition.span());
        buffer.is_some_and(|buffer| buffer.included_at == Span::NONE)
    }

    /// Returns the root file's name without its folder.
    #[must_use]
    pub fn source_name(&self) -> &str {
        self.source.rsplit('/').next().unwrap_or(self.source)
    }
}
