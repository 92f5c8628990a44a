//! The model: typed views on the records of ODS and DRR.
//!
//! A view is a small `Copy` handle over one record ([`Dialect`], [`Attribute`], [`TypeConstraint`], …) or, where
//! several fields must be read together, a struct that is checked as it is built ([`Operation`], [`AttrOrTypeDef`]).
//! Code that reads a view needs no error handling.
//!
//! | file | what |
//! | --- | --- |
//! | [`dialect`] | a dialect |
//! | [`op`] | an operation: everything below together |
//! | [`argument`] | operands, results, attributes and properties under their names |
//! | [`constraint`], [`predicate`] | constraints on any entity, and the tree of a condition |
//! | [`types`], [`attribute`], [`property`], [`region`], [`successor`] | the kinds of constraints |
//! | [`traits`], [`interface`], [`side_effect`] | properties that an operation declares |
//! | [`infer`] | inference of result types |
//! | [`builder`] | custom builders |
//! | [`availability`] | requirements of operations and enum cases of SPIR-V and TOSA |
//! | [`enums`] | enums and their cases |
//! | [`attr_or_type_def`] | attributes and types with parameters |
//! | [`pass`] | passes, their options and statistics |
//! | [`pattern`] | rewrite patterns |
//! | [`mod@format`] | the declarative assembly format |
//! | [`snippet`] | the user's own code with its `$` placeholders |
//! | [`bounds`] | limits that keep all of this finite |
//! | [`cpp_name`] | class names and namespaces |

mod accessors;
pub mod argument;
pub mod attr_or_type_def;
pub mod attribute;
pub mod availability;
pub mod bounds;
pub mod builder;
pub mod constraint;
pub mod cpp_name;
pub mod definition;
pub mod dialect;
pub mod enums;
pub mod format;
pub mod infer;
pub mod interface;
mod legacy_infer;
mod lenient;
pub mod op;
pub mod pass;
pub mod pattern;
pub mod predicate;
pub mod property;
pub mod region;
pub mod side_effect;
pub mod snippet;
pub mod successor;
pub mod traits;
pub mod types;

use std::sync::OnceLock;

use odsmith_release::fields;
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    parallel::Spare,
    record::{Rec, Records},
};

pub use argument::{Argument, NamedAttribute, NamedProperty, OpResult, Operand, Part, PartKind};
pub use attr_or_type_def::{AttrOrTypeDef, DefKind, Parameter};
pub use attribute::Attribute;
pub use availability::Availability;
pub use builder::{Builder, BuilderParameter};
pub use constraint::{Constraint, ConstraintCpp, ConstraintKind, Quantifier};
pub use definition::{Definition, DefinitionKind};
pub use dialect::{AccessorStyle, Dialect};
pub use enums::{BitEnum, CaseKind, EnumAttribute, EnumCase, EnumInfo, is_enum};
pub use interface::{Interface, InterfaceKind, MAX_BASES, Method};
pub use op::{OpDocGroup, Operation};
pub use pass::{Pass, PassOption, PassStatistic, RequiredFields};
pub use pattern::{Pattern, PatternDef, PatternReader, Patterns};
pub use predicate::Predicate;
pub use property::Property;
pub use region::NamedRegion;
pub use side_effect::{EffectTarget, Effects, SideEffect};
pub use successor::NamedSuccessor;
pub use traits::{Trait, TraitKind};
pub use types::TypeConstraint;

/// The model of one root file.
#[derive(Debug)]
pub struct Model<'r> {
    records: &'r Records,
    spare: Spare,
    operations: OnceLock<Result<Vec<Operation<'r>>, Diagnostic>>,
    patterns: OnceLock<Result<Patterns<'r>, Diagnostic>>,
}

impl<'r> Model<'r> {
    /// Creates the model of these records; nothing is built yet.
    #[must_use]
    pub fn new(records: &'r Records) -> Self {
        Model { records, spare: Spare::default(), operations: OnceLock::new(), patterns: OnceLock::new() }
    }

    /// Adds idle threads that help to read and write independent parts.
    #[must_use]
    pub fn with_help(self, spare: Spare) -> Self {
        Model { spare, ..self }
    }

    /// Returns the idle threads that may help.
    #[must_use]
    pub fn spare(&self) -> &Spare {
        &self.spare
    }

    /// Returns the records.
    #[must_use]
    pub fn records(&self) -> &'r Records {
        self.records
    }

    /// Checks once that the rest of the model can be read.
    ///
    /// # Errors
    /// As for [`bounds::check`].
    pub fn check(&self) -> Result<(), Diagnostic> {
        self.records.checked(bounds::check)
    }

    /// Reads all enums, in natural order of their record names; these fields must have values.
    ///
    /// # Errors
    /// The first enum that breaks a rule.
    pub fn enums_with(&self, needed: &[&str]) -> Result<Vec<EnumInfo<'r>>, Diagnostic> {
        self.enum_records().map(|rec| EnumInfo::with(rec, needed)).collect()
    }

    /// Returns the records of all enums, in natural order of their names.
    pub fn enum_records(&self) -> impl Iterator<Item = Rec<'r>> + use<'r> {
        self.records.derived(fields::ENUM.of(self.records.rules()))
    }

    /// Returns all dialects, in natural order of their record names.
    pub fn dialects(&self) -> impl Iterator<Item = Dialect<'r>> + use<'r> {
        self.records.derived("Dialect").map(Dialect::new)
    }

    /// Returns the dialect of this name (`arith`).
    #[must_use]
    pub fn dialect(&self, name: &str) -> Option<Dialect<'r>> {
        self.dialects().find(|dialect| dialect.name() == name)
    }

    /// Returns the records of all operations in bytewise order of their names. The reference visits operations in this
    /// order, and everything else in natural order.
    pub fn operation_records(&self) -> impl ExactSizeIterator<Item = Rec<'r>> + use<'r> {
        self.records.derived_bytewise("Op")
    }

    /// Returns all operations in bytewise order of their record names; built once.
    ///
    /// # Errors
    /// The first operation that breaks a rule.
    pub fn operations(&self) -> Result<&[Operation<'r>], Diagnostic> {
        let build = || self.operation_records().map(Operation::new).collect();
        self.operations.get_or_init(build).as_ref().map(Vec::as_slice).map_err(Clone::clone)
    }

    /// Returns all rewrite patterns in natural order of their record names; built once.
    ///
    /// # Errors
    /// The first rule that a pattern breaks.
    pub fn patterns(&self) -> Result<&Patterns<'r>, Diagnostic> {
        let build = || Patterns::new(self.pattern_reader()?, &self.spare);
        self.patterns.get_or_init(build).as_ref().map_err(Clone::clone)
    }

    /// Returns a reader of the rewrite patterns, for callers that need each pattern once.
    ///
    /// # Errors
    /// The first rule that a source pattern breaks.
    pub fn pattern_reader(&self) -> Result<PatternReader<'r>, Diagnostic> {
        PatternReader::new(self.records.derived("Pattern"))
    }

    /// Returns all attributes or types with parameters, in natural order of their record names.
    ///
    /// # Errors
    /// The first definition that breaks a rule.
    pub fn definitions(&self, kind: DefKind) -> Result<Vec<AttrOrTypeDef<'r>>, Diagnostic> {
        self.records.derived(kind.class()).map(|rec| AttrOrTypeDef::new(rec, kind)).collect()
    }
}
