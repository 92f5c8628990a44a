//! Result patterns: the creations and calls, in order, and the values that replace the root's results.

use std::sync::Arc;

use super::NativeCall;
use crate::{Argument, Operation};

/// The steps after a pattern has matched.
#[derive(Clone, Debug)]
pub struct Rewrite<'r> {
    /// The steps before any replacement.
    pub auxiliary: Vec<Step<'r>>,
    /// The replacements of the root's results, in order.
    pub replacements: Vec<Replacement<'r>>,
    /// The steps after the replacements.
    pub supplemental: Vec<Step<'r>>,
}

/// The steps of a result pattern, and the values with which it replaces results.
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
        /// The variable that holds its result; nothing if it returns none.
        variable: Option<String>,
        /// The C++ expression.
        expression: String,
    },
    /// Values are collected for a variadic operand.
    Pack {
        /// The variable that holds them.
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
    /// The variable that holds it.
    pub variable: String,
    /// Its arguments in order.
    pub arguments: Vec<CreationArgument<'r>>,
    /// The source of its result types.
    pub types: ResultTypes<'r>,
    /// The C++ expression for its location.
    pub location: String,
}

/// An argument of an operation that is created.
#[derive(Clone, Debug)]
pub struct CreationArgument<'r> {
    /// The name in the operation's definition; may be empty.
    pub name: &'r str,
    /// The argument in that definition.
    pub argument: Argument,
    /// The C++ expression.
    pub value: String,
    /// True if the value is a constant attribute or property.
    pub is_constant: bool,
    /// The name in a comment on the expression; for a constant, its name in the pattern. May be empty.
    pub label: &'r str,
}

/// The source of a created operation's result types.
#[derive(Clone, Debug)]
pub enum ResultTypes<'r> {
    /// The builder with one parameter per argument infers them.
    Builder,
    /// The builder with all arguments in lists infers them.
    CollectiveBuilder,
    /// The results of the root, from this index on.
    Root(usize),
    /// The directive `returnType`.
    Given(Vec<ReturnedType<'r>>),
}

/// A type in the directive `returnType`.
#[derive(Clone, Debug)]
pub struct ReturnedType<'r> {
    /// The steps that must come first.
    pub steps: Vec<Step<'r>>,
    /// The C++ expression.
    pub expression: String,
}
