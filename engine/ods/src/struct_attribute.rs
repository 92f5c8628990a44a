//! Dictionaries with fields of their own, in early releases without parameters of attributes: class `StructAttr`.

use super::{Attribute, Dialect};
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{Rec, name},
};

/// A dictionary with known fields.
#[derive(Clone, Debug)]
pub struct StructAttribute<'r> {
    /// The C++ class.
    pub class_name: &'r str,
    /// Its namespace: that of the dialect.
    pub cpp_namespace: &'r str,
    /// One line.
    pub summary: &'r str,
    /// The fields, in order.
    pub fields: Vec<StructField<'r>>,
}

/// A field of a dictionary.
#[derive(Clone, Debug)]
pub struct StructField<'r> {
    /// The name.
    pub name: &'r str,
    /// The value.
    pub attribute: Attribute<'r>,
    /// The condition on the value.
    pub condition: String,
}

impl<'r> StructAttribute<'r> {
    /// Reads a record of class `StructAttr`.
    ///
    /// # Errors
    /// A field has no value.
    pub fn new(rec: Rec<'r>) -> Result<Self, Diagnostic> {
        Ok(StructAttribute {
            class_name: rec.string(name!("className"))?,
            cpp_namespace: Dialect::new(rec.def(name!("dialect"))?).cpp_namespace(),
            summary: Attribute::new(rec).summary(),
            fields: rec.defs("fields")?.into_iter().map(StructField::new).collect::<Result<_, _>>()?,
        })
    }
}

impl<'r> StructField<'r> {
    fn new(rec: Rec<'r>) -> Result<Self, Diagnostic> {
        let attribute = Attribute::new(rec.def(name!("type"))?);
        let condition = attribute.constraint().condition();
        Ok(StructField { name: rec.string(name!("name"))?, attribute, condition })
    }

    /// Returns whether the field may be missing.
    #[must_use]
    pub fn is_optional(&self) -> bool {
        self.attribute.is_optional() || self.attribute.default_value().is_some()
    }
}
