//! The source pattern: a tree of operations, arguments and native calls that must match.

use std::{borrow::Cow, sync::Arc};

use super::NativeCall;
use crate::{Constraint, NamedAttribute, NamedProperty, Operation};

/// The matcher of an operation.
#[derive(Clone, Debug)]
pub enum Matcher<'r> {
    /// A matcher of its kind and arguments.
    Op(OpMatch<'r>),
    /// Native code.
    Native(NativeMatch<'r>),
    /// A part that other patterns share.
    Shared(SharedCall<'r>),
}

/// An operation and the matchers of its arguments.
#[derive(Clone, Debug)]
pub struct OpMatch<'r> {
    /// The operation.
    pub op: Arc<Operation<'r>>,
    /// The name bound to its results, as written.
    pub symbol: Option<&'r str>,
    /// Its arguments in order.
    pub arguments: Vec<ArgumentMatch<'r>>,
}

/// The matcher of an argument. Operands are identified by their number among those matched so far.
#[derive(Clone, Debug)]
pub enum ArgumentMatch<'r> {
    /// Any operand, or one that satisfies a constraint.
    Operand(OperandMatch<'r>),
    /// An attribute.
    Attribute(AttributeMatch<'r>),
    /// A property.
    Property(PropertyMatch<'r>),
    /// An operand that a matching operation defines.
    Defined {
        /// The operand.
        operand: usize,
        /// The matcher of the operation that defines it.
        by: Matcher<'r>,
        /// The number of that operation among those that define operands.
        number: usize,
    },
    /// Two operands, in either order.
    Either {
        /// The first one.
        operand: usize,
        /// The matchers of the two operands.
        sources: Vec<OperandSource<'r>>,
    },
    /// The values of a variadic operand, one by one.
    Variadic {
        /// The operand.
        operand: usize,
        /// The variable that holds all of them.
        variable: Option<Cow<'r, str>>,
        /// The matcher of each value.
        elements: Vec<ElementMatch<'r>>,
    },
}

/// The matcher of an operand.
#[derive(Clone, Debug)]
pub struct OperandMatch<'r> {
    /// The index at which the match looks for it among the operands. An operation in place of an attribute counts as
    /// well.
    pub operand: usize,
    /// The index of the declared operand.
    pub number: usize,
    /// The constraint, if it says more than the operation does.
    pub constraint: Option<Constraint<'r>>,
    /// Its condition, if no separate function checks it.
    pub condition: Option<String>,
    /// The variable that holds it.
    pub variable: Option<Cow<'r, str>>,
}

/// An operand of `either`.
#[derive(Clone, Debug)]
pub enum OperandSource<'r> {
    /// Any operand, or one that satisfies a constraint.
    Leaf(OperandMatch<'r>),
    /// An operand that a matching operation defines.
    Defined {
        /// The operand.
        operand: usize,
        /// The matcher of the operation that defines it.
        by: Matcher<'r>,
    },
}

/// The matcher of an attribute.
#[derive(Clone, Debug)]
pub struct AttributeMatch<'r> {
    /// The attribute.
    pub attribute: NamedAttribute<'r>,
    /// The value that replaces a missing one, in C++.
    pub default_value: Option<String>,
    /// The constraint on it.
    pub constraint: Option<Constraint<'r>>,
    /// Its condition, if no separate function checks it.
    pub condition: Option<String>,
    /// The variable that holds it.
    pub variable: Option<Cow<'r, str>>,
}

/// The matcher of a property.
#[derive(Clone, Debug)]
pub struct PropertyMatch<'r> {
    /// The property.
    pub property: NamedProperty<'r>,
    /// The constraint on it.
    pub constraint: Option<Constraint<'r>>,
    /// The variable that holds it.
    pub variable: Option<Cow<'r, str>>,
}

/// One value of a variadic operand.
#[derive(Clone, Debug)]
pub enum ElementMatch<'r> {
    /// Any value, which this variable holds.
    Any(Option<Cow<'r, str>>),
    /// A value that a matching operation defines.
    Defined(Matcher<'r>),
}

/// A native call in a source pattern.
#[derive(Clone, Debug)]
pub struct NativeMatch<'r> {
    /// The call.
    pub call: NativeCall<'r>,
    /// The C++ expression.
    pub expression: String,
    /// Its captures.
    pub captures: Vec<LeafCapture<'r>>,
}

/// An attribute or value that a native call captures.
#[derive(Clone, Debug)]
pub struct LeafCapture<'r> {
    /// The local variable that is passed to the call.
    pub local: String,
    /// True if it is an attribute rather than a value.
    pub is_attribute: bool,
    /// The constraint on it.
    pub constraint: Option<Constraint<'r>>,
    /// Its condition, if no separate function checks it.
    pub condition: Option<String>,
    /// The variable that holds it.
    pub variable: Option<Cow<'r, str>>,
}

impl LeafCapture<'_> {
    /// Returns the C++ expression that its constraint applies to.
    #[must_use]
    pub fn entity(&self) -> String {
        match self.is_attribute {
            true => self.local.clone(),
            false => format!("{}.getType()", self.local),
        }
    }
}

/// A call of the function that matches a shared part.
#[derive(Clone, Debug)]
pub struct SharedCall<'r> {
    /// The number of the part.
    pub number: usize,
    /// The operation that it begins with, unless it is a native call.
    pub op: Option<Arc<Operation<'r>>>,
    /// The variables that it sets.
    pub variables: Vec<Cow<'r, str>>,
}
