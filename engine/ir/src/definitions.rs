//! An index of the operations, types and attributes that models define, for readers of text.

use odsmith_ods::Model;

use crate::class_names::ClassNames;

/// The definitions of dialects, without their records.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    class_names: ClassNames,
}

impl Definitions {
    /// Collects the definitions of models. Of several definitions of a name the first one counts.
    #[must_use]
    pub fn new(models: &[&Model<'_>]) -> Self {
        Definitions { class_names: ClassNames::new(models.iter().map(|model| model.records())) }
    }

    /// Returns the C++ classes of types and attributes.
    #[must_use]
    pub fn class_names(&self) -> &ClassNames {
        &self.class_names
    }
}
