//! What the accessors of an operation's parts are called: `getSomeName`, or, as old dialects choose, `some_name`, or both.

use super::{Operation, cpp_name, dialect::AccessorStyle};
use odsmith_release::Change;

impl Operation<'_> {
    /// The getter of an operand, attribute, … that generated code calls.
    #[must_use]
    pub fn getter(&self, name: &str) -> String {
        match self.accessor_style() {
            AccessorStyle::Prefixed | AccessorStyle::Both if !self.has_default_getter(name) => {
                cpp_name::getter(name)
            }
            AccessorStyle::Raw | AccessorStyle::Prefixed | AccessorStyle::Both => name.to_owned(),
        }
    }

    /// All its getters, the one that generated code calls first.
    pub fn getters(&self, name: &str) -> impl Iterator<Item = String> + use<> {
        let first = self.getter(name);
        let is_both = self.accessor_style() == AccessorStyle::Both;
        let raw = (is_both && first != name).then(|| name.to_owned());
        std::iter::once(first).chain(raw)
    }

    /// The setters of an attribute, each with the getter that it belongs to.
    pub fn setters(&self, name: &str) -> impl Iterator<Item = (String, String)> + use<> {
        let style = self.accessor_style();
        let prefixed = (style != AccessorStyle::Raw).then(|| cpp_name::setter(name));
        let raw = (style != AccessorStyle::Prefixed).then(|| name.to_owned());
        // As in the reference, where there is one getter there is one setter.
        self.getters(name).zip(prefixed.into_iter().chain(raw)).map(|(getter, setter)| (setter, getter))
    }

    fn accessor_style(&self) -> AccessorStyle {
        // What is wrong with the choice was said before.
        self.dialect().accessor_style().unwrap_or(AccessorStyle::Prefixed)
    }

    /// Whether the prefixed getter would be one of those that all operations have, where that is no error.
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
