//! The model: typed views on the records of ODS and DRR.
//!
//! A view is built on demand from the record it stands for and is checked as it is built, so what reads views
//! needs no error handling of its own.

pub mod enums;
pub mod predicate;

use std::sync::OnceLock;

use crate::{diagnostic::Diagnostic, record::Records};

pub use enums::{BitEnum, CaseKind, EnumAttribute, EnumCase, EnumInfo};

/// The model of one root file.
#[derive(Debug)]
pub struct Model<'r> {
    records: &'r Records,
    enums: OnceLock<Result<Vec<EnumInfo<'r>>, Diagnostic>>,
}

impl<'r> Model<'r> {
    /// The model of these records; nothing is built yet.
    #[must_use]
    pub fn new(records: &'r Records) -> Self {
        Model { records, enums: OnceLock::new() }
    }

    /// The records.
    #[must_use]
    pub fn records(&self) -> &'r Records {
        self.records
    }

    /// The enums, in the order of their names.
    ///
    /// # Errors
    /// One of them is not well formed.
    pub fn enums(&self) -> Result<&[EnumInfo<'r>], Diagnostic> {
        self.enums.get_or_init(|| enums::read(self.records)).as_deref().map_err(Clone::clone)
    }
}
