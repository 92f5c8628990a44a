//! The symbols of a pattern: the meaning of each name, and the C++ variables that hold it.

use std::{borrow::Cow, sync::Arc};

use super::{error, hash_order::HashOrder};
use crate::{Argument, Operation};
use odsmith_release::Change;
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{Rec, Val},
};

/// The meaning of a name.
#[derive(Clone, Debug)]
pub enum Entity<'r> {
    /// An argument of a matched operation, by its index among `arguments`.
    Argument(Arc<Operation<'r>>, usize),
    /// A value of a variadic operand whose values are matched one by one.
    Element,
    /// The results of an operation.
    Results(Arc<Operation<'r>>),
    /// This number of values, which a native call in a result pattern returns.
    Returned(i64),
    /// An attribute that a native call in the source pattern captures.
    CapturedAttribute,
    /// A value that a native call in the source pattern captures.
    CapturedValue,
}

/// The position of an operand: the dag, the argument of the operation, the element of a variadic operand.
pub(super) type OperandPosition<'r> = (Val<'r>, usize, Option<usize>);

/// A symbol.
#[derive(Clone, Debug)]
pub struct Symbol<'r> {
    /// The C++ variable that holds it.
    pub variable: Cow<'r, str>,
    /// Its meaning.
    pub entity: Entity<'r>,
    place: Option<OperandPosition<'r>>,
}

/// The symbols of a pattern.
#[derive(Clone, Debug)]
pub struct Symbols<'r> {
    pattern: Rec<'r>,
    order: HashOrder<'r, Symbol<'r>>,
    /// Names with a `__N` that native calls capture before the name without it is bound.
    captured_before_base: Vec<&'r str>,
}

/// Splits a name into the part before a final `__N`, and that number. As in the reference, text after the digits is
/// ignored.
pub(super) fn split_index(name: &str) -> (&str, Option<usize>) {
    let Some(at) = name.as_bytes().windows(2).rposition(|pair| pair == b"__") else { return (name, None) };
    let (base, rest) = (&name[..at], &name[at + 2..]);
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    match rest[..digits].parse() {
        Ok(index) => (base, Some(index)),
        Err(_) => (name, None),
    }
}

impl<'r> Entity<'r> {
    /// Returns the index among the operands, if the entity is a whole operand.
    fn operand(&self) -> Option<usize> {
        match self {
            Entity::Argument(op, argument) => match op.arguments()[*argument] {
                Argument::Operand(operand) => Some(operand),
                Argument::Attribute(_) | Argument::Property(_) => None,
            },
            _ => None,
        }
    }

    fn is_operand(&self) -> bool {
        matches!(self, Entity::Element) || self.operand().is_some()
    }

    /// Returns the C++ type of its variable.
    #[must_use]
    pub fn cpp_type(&self) -> Cow<'r, str> {
        Cow::Borrowed(match self {
            Entity::Element => OPERANDS,
            Entity::Argument(op, argument) => match op.arguments()[*argument] {
                Argument::Operand(_) => OPERANDS,
                Argument::Attribute(index) => op.attributes()[index].attribute.storage_type(),
                Argument::Property(index) => op.properties()[index].property.interface_type(),
            },
            Entity::Results(op) => return Cow::Owned(op.qualified_cpp_class_name()),
            Entity::Returned(_) | Entity::CapturedValue => "::mlir::Value",
            Entity::CapturedAttribute => "::mlir::Attribute",
        })
    }

    /// Returns whether its variable cannot be declared without a value.
    #[must_use]
    pub fn is_range(&self) -> bool {
        self.is_operand()
    }
}

const OPERANDS: &str = "::mlir::Operation::operand_range";

impl<'r> Symbol<'r> {
    /// Returns C++ expressions for the entity, or for one of its results, as values or attributes.
    fn values(&self, index: Option<usize>) -> Vec<String> {
        let variable = &self.variable;
        vec![match &self.entity {
            Entity::Element => format!("(*{variable}.begin())"),
            Entity::Argument(op, _) => {
                let has_optional = op.rec().records().rules().has(Change::OptionalInPatterns);
                match self.entity.operand().map(|operand| op.operands()[operand].constraint) {
                    Some(constraint) if constraint.is_variadic() => variable.to_string(),
                    // The older releases write the range itself, although it is not a value.
                    Some(constraint) if constraint.is_optional() && !has_optional => variable.to_string(),
                    Some(constraint) if constraint.is_optional() => {
                        format!("({variable}.empty() ? ::mlir::Value() : *{variable}.begin())")
                    }
                    Some(_) => format!("(*{variable}.begin())"),
                    None => variable.to_string(),
                }
            }
            Entity::Results(op) => {
                if op.results().is_empty() {
                    return vec![variable.to_string()];
                }
                let result = |index: usize| match op.results()[index].constraint.is_variadic() {
                    true => format!("{variable}.getODSResults({index})"),
                    false => format!("(*{variable}.getODSResults({index}).begin())"),
                };
                match index {
                    Some(index) => result(index),
                    None => return (0..op.results().len()).map(result).collect(),
                }
            }
            Entity::Returned(count) => match index {
                Some(index) if *count > 1 => format!("{variable}[{index}]"),
                None if *count > 1 => format!("{variable}.begin(), {variable}.end()"),
                _ => variable.to_string(),
            },
            Entity::CapturedAttribute | Entity::CapturedValue => variable.to_string(),
        }]
    }

    /// Returns C++ expressions for the values that it replaces results with, each a range.
    fn ranges(&self, index: Option<usize>) -> Vec<String> {
        let variable = &self.variable;
        match &self.entity {
            Entity::Element | Entity::Argument(..) | Entity::CapturedAttribute => vec![variable.to_string()],
            Entity::Results(op) => {
                let results = match index {
                    Some(index) => index..index + 1,
                    None => 0..op.results().len(),
                };
                results.map(|index| format!("{variable}.getODSResults({index})")).collect()
            }
            Entity::CapturedValue => vec![format!("{{{variable}}}")],
            Entity::Returned(count) => vec![match index {
                Some(index) if *count > 1 => format!("{variable}[{index}]"),
                None if *count > 1 => format!("{variable}.begin(), {variable}.end()"),
                _ => format!("{{{variable}}}"),
            }],
        }
    }
}

impl<'r> Symbols<'r> {
    pub(super) fn new(pattern: Rec<'r>) -> Self {
        Symbols { pattern, order: HashOrder::new(), captured_before_base: Vec::new() }
    }

    /// Returns the symbols, in the order in which the reference declares their variables.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Symbol<'r>> {
        self.order.iter().map(|(_, symbol)| symbol)
    }

    /// Returns pairs of variables that hold operands of the same name, which must be equal.
    #[must_use]
    pub fn equal_operands(&self) -> Vec<(&str, &str)> {
        let mut pairs = Vec::new();
        let mut first: Option<(&str, &Symbol<'r>)> = None;
        for (name, symbol) in self.order.iter() {
            match first {
                Some((seen, first)) if seen == name => {
                    pairs.push((&*first.variable, &*symbol.variable));
                }
                _ => first = Some((name, symbol)),
            }
        }
        pairs
    }

    fn insert(&mut self, name: Cow<'r, str>, entity: Entity<'r>, place: Option<OperandPosition<'r>>) {
        self.order.insert(name.clone(), Symbol { variable: name, entity, place });
    }

    /// Binds an argument of an operation; operands may share a name.
    pub(super) fn bind_argument(
        &mut self,
        name: &'r str,
        entity: Entity<'r>,
        place: OperandPosition<'r>,
    ) -> Result<(), Diagnostic> {
        self.check_index(name)?;
        let is_operand = entity.is_operand();
        let is_free = self.order.of(name).all(|symbol| is_operand && symbol.entity.is_operand());
        if !is_free {
            return Err(self.bound_twice(name));
        }
        self.insert(name.into(), entity, Some(place));
        Ok(())
    }

    /// Binds an attribute or value that a native call in the source pattern captures.
    pub(super) fn bind_captured(&mut self, name: &'r str, entity: Entity<'r>) -> Result<(), Diagnostic> {
        let (base, index) = split_index(name);
        if index.is_none() {
            return self.bind(name, entity);
        }
        if self.order.of(name).next().is_some() {
            return Err(self.bound_twice(name));
        }
        if self.order.of(base).next().is_none() {
            self.captured_before_base.push(name);
        }
        self.insert(name.into(), entity, None);
        Ok(())
    }

    /// Rejects a captured name with an index unless the name without it was bound before. The reference binds the full
    /// name and does not find it again: it crashes, or loops forever if the base name is bound later. It reports other
    /// mistakes in the pattern first.
    pub(super) fn check_captured(&self) -> Result<(), Diagnostic> {
        self.captured_before_base.first().map_or(Ok(()), |name| self.check_index(name))
    }

    fn check_index(&self, name: &str) -> Result<(), Diagnostic> {
        match split_index(name) {
            (_, None) => Ok(()),
            _ => Err(self.error(format!("symbol '{name}' with trailing index cannot bind to op argument"))),
        }
    }

    /// Binds a name that must be unique; a `__N` at its end is not part of it.
    pub(super) fn bind(&mut self, name: &'r str, entity: Entity<'r>) -> Result<(), Diagnostic> {
        let (base, _) = split_index(name);
        if self.order.of(base).next().is_some() {
            return Err(self.bound_twice(name));
        }
        self.insert(base.into(), entity, None);
        Ok(())
    }

    /// Binds a generated name. As in the reference, an existing symbol of that name stays, and a `__N` in the name
    /// counts as an index.
    pub(super) fn bind_generated(&mut self, name: &str, entity: Entity<'r>) {
        let (base, _) = split_index(name);
        if self.order.of(base).next().is_none() {
            self.insert(base.to_owned().into(), entity, None);
        }
    }

    /// Gives operands of the same name separate variables: `x`, `x0`, `x1`, skipping those that are names.
    pub(super) fn name_variables(&mut self) {
        if !self.order.has_equal_keys() {
            return;
        }
        let names: Vec<String> = self.order.iter().map(|(name, _)| name.to_owned()).collect();
        let mut last: Option<(String, usize)> = None;
        for (name, symbol) in self.order.iter_mut() {
            match &mut last {
                Some((seen, next)) if seen == name => {
                    while names.contains(&format!("{name}{next}")) {
                        *next += 1;
                    }
                    symbol.variable = format!("{name}{next}").into();
                    *next += 1;
                }
                _ => last = Some((name.to_owned(), 0)),
            }
        }
    }

    /// Returns the variable of the argument at a position, or of the only symbol with the name.
    pub(super) fn variable(
        &self,
        name: impl Into<Cow<'r, str>>,
        place: Option<OperandPosition<'r>>,
    ) -> Cow<'r, str> {
        let name = name.into();
        let symbol = self.order.of(&name).find(|symbol| symbol.place == place);
        symbol.map(|symbol| symbol.variable.clone()).unwrap_or(name)
    }

    /// Returns the variable of the argument at a position.
    ///
    /// # Errors
    /// No symbol of this name is bound there.
    pub(super) fn variable_at(
        &self,
        name: &'r str,
        place: OperandPosition<'r>,
    ) -> Result<Cow<'r, str>, Diagnostic> {
        let symbol = self.order.of(name).find(|symbol| symbol.place == Some(place));
        let symbol = symbol.ok_or_else(|| self.error(format!("symbol not found: {name}")))?;
        Ok(symbol.variable.clone())
    }

    /// Returns the names with their positions, in order.
    pub(super) fn positions(&self) -> impl Iterator<Item = (Cow<'r, str>, Option<OperandPosition<'r>>)> {
        self.order.keys().cloned().zip(self.iter().map(|symbol| symbol.place))
    }

    fn find<'a>(&'a self, name: &'a str) -> Result<(&'a Symbol<'r>, Option<usize>), Diagnostic> {
        let (base, index) = split_index(name);
        let symbol = self.order.of(base).next();
        let symbol = symbol.ok_or_else(|| self.error(format!("referencing unbound symbol '{name}'")))?;
        // The reference loops forever on a reference to such a name.
        if self.captured_before_base.contains(&name) {
            self.check_index(name)?;
        }
        Ok((symbol, index))
    }

    /// Returns C++ expressions for the values of a name.
    pub(super) fn values(&self, name: &str) -> Result<Vec<String>, Diagnostic> {
        let (symbol, index) = self.find(name)?;
        match (&symbol.entity, index) {
            (Entity::Results(op), Some(index)) if index >= op.results().len() => {
                let count = op.results().len();
                Err(self.error(format!("symbol '{name}' refers to result {index} of {count}")))
            }
            _ => Ok(symbol.values(index)),
        }
    }

    /// Returns the values of a name as one argument list.
    pub(super) fn value(&self, name: &str) -> Result<String, Diagnostic> {
        let mut values = self.values(name)?;
        Ok(if values.len() == 1 { values.swap_remove(0) } else { values.join(", ") })
    }

    /// Returns C++ expressions for the values of a name, each a range.
    pub(super) fn ranges(&self, name: &str) -> Result<Vec<String>, Diagnostic> {
        self.find(name).map(|(symbol, index)| symbol.ranges(index))
    }

    fn error(&self, message: impl Into<String>) -> Diagnostic {
        error(self.pattern, message)
    }

    fn bound_twice(&self, name: &str) -> Diagnostic {
        self.error(format!("symbol '{name}' bound more than once"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices() {
        assert_eq!(split_index("a__0"), ("a", Some(0)));
        assert_eq!(split_index("a__1__02"), ("a__1", Some(2)));
        assert_eq!(split_index("__0"), ("", Some(0)));
        assert_eq!(split_index("a__b"), ("a__b", None));
        assert_eq!(split_index("a__"), ("a__", None));
        assert_eq!(split_index("a___1_0"), ("a_", Some(1)));
    }
}
