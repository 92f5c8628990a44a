//! The aliases that a text defines: `#a = 1 : i32`, `!t = tensor<4xf32>`.

use odsmith_conditions::{Attr, Type};
use rustc_hash::FxHashMap;

/// The aliases that are defined so far, with their meanings; of one that is not understood there is none.
#[derive(Clone, Debug, Default)]
pub struct Aliases<'t> {
    types: FxHashMap<&'t str, Option<Type>>,
    attributes: FxHashMap<&'t str, Option<Attr>>,
}

impl<'t> Aliases<'t> {
    /// Returns the type of an alias, named without `!`.
    #[must_use]
    pub fn ty(&self, name: &str) -> Option<Type> {
        self.types.get(name).cloned().flatten()
    }

    /// Returns the attribute of an alias, named without `#`.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<Attr> {
        self.attributes.get(name).cloned().flatten()
    }

    /// Returns true if an alias of a type is defined.
    #[must_use]
    pub fn has_type(&self, name: &str) -> bool {
        self.types.contains_key(name)
    }

    /// Returns true if an alias of an attribute is defined.
    #[must_use]
    pub fn has_attribute(&self, name: &str) -> bool {
        self.attributes.contains_key(name)
    }

    /// Adds an alias of a type.
    pub fn define_type(&mut self, name: &'t str, ty: Option<Type>) {
        self.types.insert(name, ty);
    }

    /// Adds an alias of an attribute.
    pub fn define_attribute(&mut self, name: &'t str, attribute: Option<Attr>) {
        self.attributes.insert(name, attribute);
    }
}
