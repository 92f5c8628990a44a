//! The aliases that a text defines: `#a = 1 : i32`, `!t = tensor<4xf32>`.

use odsmith_conditions::{Attr, Type, types::Parameter};
use rustc_hash::FxHashMap;

/// Bytes of meanings that any text may use.
const FREE: usize = 1 << 20;
/// Bytes of meanings that each byte of text may use.
const BYTES_PER_BYTE: usize = 16;

/// The aliases that are defined so far, with their meanings; of one that is not understood there is none.
///
/// An alias may name others, so that its meaning doubles with each line of text. Each use is a copy, and is counted: when
/// the text has used too much, further uses are not understood.
#[derive(Clone, Debug, Default)]
pub struct Aliases<'t> {
    types: FxHashMap<&'t str, Meaning<Type>>,
    attributes: FxHashMap<&'t str, Meaning<Attr>>,
    /// Bytes that may still be used.
    left: usize,
}

/// The meaning of an alias, and the bytes that it takes.
#[derive(Clone, Debug)]
struct Meaning<T> {
    value: Option<T>,
    bytes: usize,
}

impl<'t> Aliases<'t> {
    /// Creates an empty list for a text.
    #[must_use]
    pub fn of_text(text: &str) -> Self {
        Aliases { left: text.len().saturating_mul(BYTES_PER_BYTE).saturating_add(FREE), ..Aliases::default() }
    }

    /// Forgets all aliases: another piece of the text begins.
    pub fn clear(&mut self) {
        self.types.clear();
        self.attributes.clear();
    }

    /// Returns the type of an alias, named without `!`.
    #[must_use]
    pub fn ty(&mut self, name: &str) -> Option<Type> {
        taken(self.types.get(name)?, &mut self.left)
    }

    /// Returns the attribute of an alias, named without `#`.
    #[must_use]
    pub fn attribute(&mut self, name: &str) -> Option<Attr> {
        taken(self.attributes.get(name)?, &mut self.left)
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
        let bytes = ty.as_ref().map_or(0, bytes_of);
        self.types.insert(name, Meaning { value: ty, bytes });
    }

    /// Adds an alias of an attribute.
    pub fn define_attribute(&mut self, name: &'t str, attribute: Option<Attr>) {
        // Each part is spelled in it, and takes several times the bytes of its spelling.
        let bytes = attribute.as_ref().map_or(0, |it| size_of::<Attr>() + 8 * it.text.len());
        self.attributes.insert(name, Meaning { value: attribute, bytes });
    }
}

/// Copies a meaning, if that many bytes are left.
fn taken<T: Clone>(meaning: &Meaning<T>, left: &mut usize) -> Option<T> {
    *left = left.checked_sub(meaning.bytes)?;
    meaning.value.clone()
}

/// Returns the bytes that a type takes.
fn bytes_of(ty: &Type) -> usize {
    let all = |types: &[Type]| types.iter().map(bytes_of).sum::<usize>();
    let shape = |shape: &Option<Vec<i64>>| shape.as_ref().map_or(0, |it| size_of_val(&it[..]));
    let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    size_of::<Type>()
        + match ty {
            Type::Integer(..) | Type::Index | Type::Float(_) | Type::None => 0,
            Type::Complex(element) => bytes_of(element),
            Type::Tuple(elements) => all(elements),
            Type::Function(inputs, results) => all(inputs) + all(results),
            Type::Vector(shape, _, element) => size_of_val(&shape[..]) + bytes_of(element),
            Type::Tensor(dimensions, element, encoding) => {
                shape(dimensions) + bytes_of(element) + text(encoding)
            }
            Type::MemRef(dimensions, element, layout, space) => {
                shape(dimensions) + bytes_of(element) + text(layout) + text(space)
            }
            Type::Def { class, text, parameters } => {
                let of_parameter = |(name, value): &(Box<str>, Parameter)| {
                    let inner = match value {
                        Parameter::Type(ty) => bytes_of(ty),
                        Parameter::Number(_) => 0,
                        Parameter::Case(case) => case.len(),
                    };
                    size_of::<(Box<str>, Parameter)>() + name.len() + inner
                };
                class.len() + text.len() + parameters.iter().map(of_parameter).sum::<usize>()
            }
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meanings_that_double_come_to_an_end() {
        let mut aliases = Aliases::of_text("");
        let names: Vec<String> = (0..64).map(|number| format!("a{number}")).collect();
        aliases.define_type(&names[0], Some(Type::Index));
        for pair in names.windows(2) {
            let ty = aliases.ty(&pair[0]).zip(aliases.ty(&pair[0]));
            aliases.define_type(&pair[1], ty.map(|(one, other)| Type::Tuple(vec![one, other])));
        }
        assert!(aliases.ty("a4").is_some_and(|ty| ty.to_string().matches("index").count() == 16));
        assert!(aliases.has_type("a63"));
        assert_eq!(aliases.ty("a63"), None);
    }
}
