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
//! | [`bytecode`], [`directive`], [`llvm`], [`openmp`], [`struct_attribute`] | definitions that few generators read |
//! | [`mod@format`] | the declarative assembly format |
//! | [`snippet`] | the user's own code with its `$` placeholders |
//! | [`bounds`] | limits that keep all of this finite |
//! | [`cpp_name`] | class names and namespaces |

#[macro_use]
mod views;

mod accessors;
pub mod argument;
pub mod attr_or_type_def;
pub mod attribute;
pub mod availability;
pub mod bounds;
pub mod builder;
pub mod bytecode;
pub mod constraint;
pub mod cpp_name;
pub mod definition;
pub mod dialect;
pub mod directive;
pub mod enums;
pub mod format;
pub mod infer;
pub mod interface;
mod legacy_infer;
mod lenient;
pub mod llvm;
pub mod op;
pub mod openmp;
pub mod pass;
pub mod pattern;
pub mod predicate;
pub mod property;
pub mod region;
pub mod side_effect;
pub mod snippet;
pub mod struct_attribute;
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
pub use availability::{Availability, SpirvInstruction};
pub use builder::{Builder, BuilderParameter};
pub use constraint::{Constraint, ConstraintCpp, ConstraintKind, Quantifier};
pub use definition::{Definition, DefinitionKind};
pub use dialect::{AccessorStyle, Dialect, DialectHook};
pub use directive::{ClauseValue, DirectiveClause, DirectiveLanguage};
pub use enums::{BitEnum, CaseKind, EnumAttribute, EnumCase, EnumInfo, is_enum};
pub use interface::{Interface, InterfaceKind, MAX_BASES, Method};
pub use llvm::{Intrinsic, LlvmConversion, LlvmEnum};
pub use op::{OpDocGroup, Operation};
pub use pass::{Pass, PassOption, PassStatistic, RequiredFields};
pub use pattern::{Pattern, PatternDef, PatternReader, Patterns};
pub use predicate::Predicate;
pub use property::{Property, PropertyCode};
pub use region::NamedRegion;
pub use side_effect::{EffectTarget, Effects, SideEffect};
pub use struct_attribute::{StructAttribute, StructField};
pub use successor::NamedSuccessor;
pub use traits::{Trait, TraitKind};
pub use types::TypeConstraint;

/// The model of one root file: each definition is read when it is first asked for, and kept with its mistakes.
#[derive(Debug)]
pub struct Model<'r> {
    records: &'r Records,
    spare: Spare,
    operations: Definitions<Operation<'r>>,
    attributes: Definitions<AttrOrTypeDef<'r>>,
    types: Definitions<AttrOrTypeDef<'r>>,
    patterns: OnceLock<Result<Patterns<'r>, Diagnostic>>,
}

impl<'r> Model<'r> {
    /// Creates the model of these records; nothing is built yet.
    #[must_use]
    pub fn new(records: &'r Records) -> Self {
        Model {
            records,
            spare: Spare::default(),
            operations: Definitions::default(),
            attributes: Definitions::default(),
            types: Definitions::default(),
            patterns: OnceLock::new(),
        }
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

    /// Returns an operation.
    ///
    /// # Errors
    /// The first rule that it breaks, as for [`Operation::new`].
    pub fn operation(&self, rec: Rec<'r>) -> Result<&Operation<'r>, Diagnostic> {
        self.operations.read(rec, Operation::read)?.sound()
    }

    /// Returns an attribute or type with parameters; the names of its class and dialect are not checked.
    ///
    /// # Errors
    /// The first other rule that it breaks, as for [`AttrOrTypeDef::new`].
    pub fn definition(&self, rec: Rec<'r>, kind: DefKind) -> Result<&AttrOrTypeDef<'r>, Diagnostic> {
        let definitions = match kind {
            DefKind::Attribute => &self.attributes,
            DefKind::Type => &self.types,
        };
        definitions.read(rec, |rec| AttrOrTypeDef::read_nameless(rec, kind))?.sound()
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

    /// Reads all attributes or types with parameters, in natural order of their record names.
    ///
    /// # Errors
    /// The first definition that breaks a rule.
    pub fn definitions(&self, kind: DefKind) -> Result<Vec<AttrOrTypeDef<'r>>, Diagnostic> {
        self.records.derived(kind.class()).map(|rec| AttrOrTypeDef::new(rec, kind)).collect()
    }
}

/// The number of records whose slots are allocated together.
const SLOTS: usize = 1 << 10;

/// A definition, or the rule that it breaks; empty until its first use.
type Slot<T> = OnceLock<Box<Result<T, Diagnostic>>>;

/// The slots of neighbouring records, allocated on first use.
type Page<T> = OnceLock<Box<[Slot<T>]>>;

/// Definitions of one kind by the numbers of their records, each read on first use. The numbers have wide gaps where
/// records extend a shared state, so that slots are allocated in pages.
#[derive(Debug)]
struct Definitions<T>(OnceLock<Vec<Page<T>>>);

impl<T> Default for Definitions<T> {
    fn default() -> Self {
        Definitions(OnceLock::new())
    }
}

impl<T> Definitions<T> {
    fn read<'r>(
        &self,
        rec: Rec<'r>,
        read: impl Fn(Rec<'r>) -> Result<T, Diagnostic>,
    ) -> Result<&T, Diagnostic> {
        let bound = || rec.records().keeper().record_bound() as usize;
        let pages = self.0.get_or_init(|| empty(bound().div_ceil(SLOTS)));
        let number = rec.id().0 as usize;
        let page = pages[number / SLOTS].get_or_init(|| empty(SLOTS).into());
        let definition = page[number % SLOTS].get_or_init(|| Box::new(read(rec)));
        definition.as_ref().as_ref().map_err(Clone::clone)
    }
}

fn empty<T>(count: usize) -> Vec<OnceLock<T>> {
    (0..count).map(|_| OnceLock::new()).collect()
}
