//! The source pattern: a tree of operations, arguments and native calls that must match.

use std::{borrow::Cow, sync::Arc};

use super::NativeCall;
use crate::{Constraint, NamedAttribute, NamedProperty, Operation};

/// What an operation is matched by.
#[derive(Clone, Debug)]
pub enum Matcher<'r> {
    /// Its kind and arguments.
    Op(OpMatch<'r>),
    /// Native code.
    Native(NativeMatch<'r>),
    /// A part that other patterns have as well.
    Shared(SharedCall<'r>),
}

/// An operation and what its arguments must be.
#[derive(Clone, Debug)]
pub struct OpMatch<'r> {
    /// The operation.
    pub op: Arc<Operation<'r>>,
    /// The name bound to its results, as written.
    pub symbol: Option<&'r str>,
    /// Its arguments in order.
    pub arguments: Vec<ArgumentMatch<'r>>,
}

/// What an argument must be. Operands are named by their number among those matched so far.
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
        /// What defines it.
        by: Matcher<'r>,
        /// Its number among those that match.
        number: usize,
    },
    /// Two operands, in either order.
    Either {
        /// The first one.
        operand: usize,
        /// What they must be.
        sources: Vec<OperandSource<'r>>,
    },
    /// The values of a variadic operand, one by one.
    Variadic {
        /// The operand.
        operand: usize,
        /// The variable that all of them go to.
        variable: Option<Cow<'r, str>>,
        /// What each must be.
        elements: Vec<ElementMatch<'r>>,
    },
}

/// An operand, and what it must satisfy.
#[derive(Clone, Debug)]
pub struct OperandMatch<'r> {
    /// Where the match looks for it among the operands. An operation in the place of an attribute counts as well.
    pub operand: usize,
    /// The operand that the operation declares.
    pub number: usize,
    /// The constraint, if it says more than the operation does.
    pub constraint: Option<Constraint<'r>>,
    /// Its condition, where no function of its own checks it.
    pub condition: Option<String>,
    /// The variable that it goes to.
    pub variable: Option<Cow<'r, str>>,
}

/// An operand of `either`.
#[derive(Clone, Debug)]
pub enum OperandSource<'r> {
    /// Any, or one that satisfies a constraint.
    Leaf(OperandMatch<'r>),
    /// One that a matching operation defines.
    Defined {
        /// The operand.
        operand: usize,
        /// What defines it.
        by: Matcher<'r>,
    },
}

/// An attribute, and what it must satisfy.
#[derive(Clone, Debug)]
pub struct AttributeMatch<'r> {
    /// The attribute.
    pub attribute: NamedAttribute<'r>,
    /// The value that replaces a missing one, in C++.
    pub default_value: Option<String>,
    /// The constraint on it.
    pub constraint: Option<Constraint<'r>>,
    /// Its condition, where no function of its own checks it.
    pub condition: Option<String>,
    /// The variable that it goes to.
    pub variable: Option<Cow<'r, str>>,
}

/// A property, and what it must satisfy.
#[derive(Clone, Debug)]
pub struct PropertyMatch<'r> {
    /// The property.
    pub property: NamedProperty<'r>,
    /// The constraint on it.
    pub constraint: Option<Constraint<'r>>,
    /// The variable that it goes to.
    pub variable: Option<Cow<'r, str>>,
}

/// One value of a variadic operand.
#[derive(Clone, Debug)]
pub enum ElementMatch<'r> {
    /// Any; it goes to the variable.
    Any(Option<Cow<'r, str>>),
    /// One that a matching operation defines.
    Defined(Matcher<'r>),
}

/// A native call in a source pattern.
#[derive(Clone, Debug)]
pub struct NativeMatch<'r> {
    /// The call.
    pub call: NativeCall<'r>,
    /// The C++ expression.
    pub expression: String,
    /// What it captures.
    pub captures: Vec<LeafCapture<'r>>,
}

/// What a native call captures.
#[derive(Clone, Debug)]
pub struct LeafCapture<'r> {
    /// The local variable that is passed to the call.
    pub local: String,
    /// Whether it is an attribute rather than a value.
    pub is_attribute: bool,
    /// The constraint on it.
    pub constraint: Option<Constraint<'r>>,
    /// Its condition, where no function of its own checks it.
    pub condition: Option<String>,
    /// The variable that it goes to.
    pub variable: Option<Cow<'r, str>>,
}

impl LeafCapture<'_> {
    /// What its constraint is about, in C++.
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
    /// The variables that it fills.
    pub variables: Vec<Cow<'r, str>>,
}
