//! The model: typed views on the records of ODS and DRR.
//!
//! A view is built on demand from the record it stands for and is checked as it is built, so what reads views
//! needs no error handling of its own.

use crate::record::Records;

/// The model of one root file.
#[derive(Debug)]
pub struct Model<'r> {
    records: &'r Records,
}

impl<'r> Model<'r> {
    /// The model of these records; nothing is built yet.
    #[must_use]
    pub fn new(records: &'r Records) -> Self {
        Model { records }
    }

    /// The records.
    #[must_use]
    pub fn records(&self) -> &'r Records {
        self.records
    }
}
