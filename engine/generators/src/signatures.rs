//! Plain data for the interface of generated classes: builders and accessors of operations, attributes and types in
//! C++, the signature of an operation in Python, codes of bytecode.

use crate::cpp;

/// A function of a generated C++ class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// The return type.
    pub return_type: String,
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// True if it belongs to the class and not to an object.
    pub is_static: bool,
    /// True if the definition itself declares it.
    pub is_custom: bool,
    /// The deprecation message.
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
    /// True if it may be null.
    pub is_optional: bool,
}

/// The builders and accessors of a C++ class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Members {
    /// Builders, the custom ones first: `create` of an operation, `get` of an attribute or type.
    pub builders: Vec<Function>,
    /// Getters and setters.
    pub accessors: Vec<Function>,
}

/// The signature of an operation in Python.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PythonSignature {
    /// The class: `AddFOp`.
    pub class: String,
    /// The parameters of `__init__` after `self`.
    pub init: String,
    /// The function that builds one and returns its results: `addf`.
    pub function: String,
    /// Its parameters.
    pub parameters: String,
    /// The return type of the function, with `ir` for MLIR's own module.
    pub returns: String,
}

/// A code of a dialect's bytecode, and the fields after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoding {
    /// The dialect.
    pub dialect: String,
    /// True if it is a type rather than an attribute.
    pub is_type: bool,
    /// The number.
    pub code: usize,
    /// The name of its record.
    pub name: String,
    /// The fields in order, each with its type and reader.
    pub fields: Vec<String>,
}

impl Function {
    /// Creates the plain data of a method.
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
