//! What generated classes offer those who use them, as plain data: builders and accessors of operations, attributes
//! and types in C++, and how Python makes an operation. Documentation shows what the generators write, and asks the
//! same rules for it.

use crate::cpp;
use odsmith_ods::{AttrOrTypeDef, Operation};
use odsmith_tablegen::record::Records;

/// A function of a generated C++ class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// What it returns.
    pub return_type: String,
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// Whether it belongs to the class and not to an object.
    pub is_static: bool,
    /// Whether the definition brings it, rather than a rule.
    pub is_custom: bool,
    /// Why callers should not use it any more.
    pub deprecated: Option<String>,
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The C++ type.
    pub cpp_type: String,
    /// The name; may be empty.
    pub name: String,
    /// The default value.
    pub default: Option<String>,
    /// Whether there may be nothing (a null value or attribute).
    pub is_optional: bool,
}

/// What the C++ class of an operation, attribute or type offers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Members {
    /// Ways to make one, those of the definition first: `create` of an operation, `get` of an attribute or type.
    pub builders: Vec<Function>,
    /// Getters and setters.
    pub accessors: Vec<Function>,
}

/// How Python makes an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PythonSignature {
    /// The class: `AddFOp`.
    pub class: String,
    /// The parameters of `__init__` after `self`.
    pub init: String,
    /// The function that makes one and returns its results: `addf`.
    pub function: String,
    /// Its parameters.
    pub parameters: String,
    /// What it returns, with `ir` for MLIR's own module.
    pub returns: String,
}

/// What the class of an operation offers; nothing where the class cannot be generated.
#[must_use]
pub fn of_operation(op: &Operation<'_>) -> Option<Members> {
    super::op::members(op)
}

/// What the class of an attribute or type offers; nothing where the class cannot be generated.
#[must_use]
pub fn of_def(def: &AttrOrTypeDef<'_>) -> Option<Members> {
    super::def::members(def)
}

/// What those who use the class of an operation can call: every `build` and the accessors. Nothing where the class cannot
/// be generated.
#[must_use]
pub fn callable(op: &Operation<'_>) -> Option<Members> {
    super::op::callable(op)
}

/// What a code of a dialect's bytecode is, with what follows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoding {
    /// The dialect.
    pub dialect: String,
    /// Whether it is a type rather than an attribute.
    pub is_type: bool,
    /// The number.
    pub code: usize,
    /// The name of its record.
    pub name: String,
    /// What follows, in order: how it is read, and as what.
    pub fields: Vec<String>,
}

/// What the codes of the dialects' own bytecode are; lists that can not be generated are left out.
#[must_use]
pub fn encodings(records: &Records) -> Vec<Encoding> {
    super::bytecode::encodings(records)
}

/// How Python makes an operation; nothing where the bindings cannot be generated.
#[must_use]
pub fn python(op: &Operation<'_>) -> Option<PythonSignature> {
    super::python::signature(op)
}

impl Function {
    /// The plain data of a method.
    pub(super) fn of(method: &cpp::Method<'_>, is_custom: bool) -> Self {
        let parameter = |parameter: &cpp::Parameter<'_>| Parameter {
            cpp_type: parameter.cpp_type.trim().to_owned(),
            name: parameter.name.to_string(),
            default: parameter.default.as_deref().map(str::to_owned),
            is_optional: parameter.is_optional,
        };
        Function {
            return_type: method.return_type.trim().to_owned(),
            name: method.name.to_string(),
            parameters: method.parameters.iter().map(parameter).collect(),
            is_static: method.specifiers.contains("static"),
            is_custom,
            deprecated: method.deprecated.map(str::to_owned),
        }
    }
}
