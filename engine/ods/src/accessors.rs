//! Names of the accessors of an operation's parts: `getSomeName`, or, if an old dialect chooses so, `some_name` or
//! both.

use super::{Operation, cpp_name, dialect::AccessorStyle};
use odsmith_release::Change;

impl Operation<'_> {
    /// Returns the getter that generated code calls for an operand, attribute, ….
    #[must_use]
    pub fn getter(&self, name: &str) -> String {
        match self.accessor_style() {
            AccessorStyle::Prefixed | AccessorStyle::Both if !self.has_default_getter(name) => {
                cpp_name::getter(name)
            }
            AccessorStyle::Raw | AccessorStyle::Prefixed | AccessorStyle::Both => name.to_owned(),
        }
    }

    /// Returns all getters of a part; the first one is the one that generated code calls.
    pub fn getters(&self, name: &str) -> impl Iterator<Item = String> + use<> {
        let first = self.getter(name);
        let is_both = self.accessor_style() == AccessorStyle::Both;
        let raw = (is_both && first != name).then(|| name.to_owned());
        std::iter::once(first).chain(raw)
    }

    /// Returns the setters of an attribute, each with its getter.
    pub fn setters(&self, name: &str) -> impl Iterator<Item = (String, String)> + use<> {
        let style = self.accessor_style();
        let prefixed = (style != AccessorStyle::Raw).then(|| cpp_name::setter(name));
        let raw = (style != AccessorStyle::Prefixed).then(|| name.to_owned());
        // As in the reference, a part has as many setters as getters.
        self.getters(name).zip(prefixed.into_iter().chain(raw)).map(|(getter, setter)| (setter, getter))
    }

    fn accessor_style(&self) -> AccessorStyle {
        // An invalid choice has been reported before.
        self.dialect().accessor_style().unwrap_or(AccessorStyle::Prefixed)
    }

    /// Returns whether a prefixed getter would clash with one that every operation has, in a dialect that chooses its
    /// accessors.
    fn has_default_getter(&self, name: &str) -> bool {
        self.dialect().chooses_accessors()
            && match cpp_name::camel_case(name, true).as_str() {
                "AttributeNames" | "Attributes" | "Operation" | "Operands" | "Regions" => true,
                "Type" => {
                    !self.results().is_empty()
                        || !self.rec().records().rules().has(Change::TypeGetterWithoutResults)
                }
                _ => false,
            }
    }
}
