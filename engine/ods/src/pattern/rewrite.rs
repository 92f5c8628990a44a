//! The result patterns: what is created and called, in order, and what replaces the root's results.

use std::sync::Arc;

use super::NativeCall;
use crate::{Argument, Operation};

/// What happens once a pattern has matched.
#[derive(Clone, Debug)]
pub struct Rewrite<'r> {
    /// Before anything is replaced.
    pub auxiliary: Vec<Step<'r>>,
    /// What replaces the root's results, in order.
    pub replacements: Vec<Replacement<'r>>,
    /// Afterwards.
    pub supplemental: Vec<Step<'r>>,
}

/// Steps, and the values that one of the result patterns replaces results with.
#[derive(Clone, Debug)]
pub struct Replacement<'r> {
    /// The steps.
    pub steps: Vec<Step<'r>>,
    /// The values: C++ expressions, each of a range.
    pub ranges: Vec<String>,
}

/// One step.
#[derive(Clone, Debug)]
pub enum Step<'r> {
    /// An operation is created.
    Create(Creation<'r>),
    /// Native code is called.
    Call {
        /// The call.
        call: NativeCall<'r>,
        /// The variable that its result goes to; nothing where it returns none.
        variable: Option<String>,
        /// The C++ expression.
        expression: String,
    },
    /// Values are put together for a variadic operand.
    Pack {
        /// The variable that they go to.
        variable: String,
        /// The values.
        values: Vec<String>,
    },
}

/// An operation that is created.
#[derive(Clone, Debug)]
pub struct Creation<'r> {
    /// The operation.
    pub op: Arc<Operation<'r>>,
    /// The variable that it goes to.
    pub variable: String,
    /// Its arguments in order.
    pub arguments: Vec<CreationArgument<'r>>,
    /// Where its result types come from.
    pub types: ResultTypes<'r>,
    /// The C++ expression for its location.
    pub location: String,
}

/// An argument of an operation that is created.
#[derive(Clone, Debug)]
pub struct CreationArgument<'r> {
    /// The name in the operation's definition; may be empty.
    pub name: &'r str,
    /// What it is there.
    pub argument: Argument,
    /// The C++ expression.
    pub value: String,
    /// Whether that is a constant attribute or property.
    pub is_constant: bool,
    /// The name in a comment on the expression: of a constant the one that the pattern gives it. May be empty.
    pub label: &'r str,
}

/// Where the result types of a created operation come from.
#[derive(Clone, Debug)]
pub enum ResultTypes<'r> {
    /// A builder with one parameter per argument knows.
    Builder,
    /// A builder with all arguments in lists knows.
    CollectiveBuilder,
    /// Results of the root, from this one on.
    Root(usize),
    /// They are given.
    Given(Vec<ReturnedType<'r>>),
}

/// A type that `returnType` gives.
#[derive(Clone, Debug)]
pub struct ReturnedType<'r> {
    /// What must happen first.
    pub steps: Vec<Step<'r>>,
    /// The C++ expression.
    pub expression: String,
}
