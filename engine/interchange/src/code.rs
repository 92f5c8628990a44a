//! The interface of generated code, and the codes of bytecode. Both come from the generators themselves, so that two
//! releases of a definition can be compared by their results.

use odsmith_generators::members::{self, Function};
use odsmith_ods::{AttrOrTypeDef, Operation};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The functions that users of a definition can call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::Declarations)]
pub struct Declarations {
    /// Functions of the C++ class: builders, getters and setters.
    pub cpp: Vec<Declaration>,
    /// The signature in Python.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub python: Option<PythonDeclaration>,
}

/// A function of a C++ class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::Declaration)]
pub struct Declaration {
    /// Its name.
    pub name: String,
    /// The return type.
    pub returns: String,
    /// Its parameters, without the builder and the state of `build`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<DeclaredParameter>,
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::DeclaredParameter)]
pub struct DeclaredParameter {
    /// Its C++ type.
    #[serde(rename = "type")]
    pub cpp_type: String,
    /// Its name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// True if callers may leave it out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_default: bool,
}

/// The signature of an operation in Python.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::PythonDeclaration)]
pub struct PythonDeclaration {
    /// The class.
    pub class: String,
    /// The parameters of `__init__` after `self`.
    pub init: String,
    /// The function that builds one and returns its results.
    pub function: String,
}

/// A code of a dialect's own bytecode, and the fields after it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::Encoding)]
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

impl Declarations {
    /// Returns the functions of an operation; nothing if its class cannot be generated.
    pub(super) fn of_operation(op: &Operation<'_>) -> Option<Self> {
        let members = members::callable(op)?;
        // Every builder begins with the builder and the state.
        let builders = members.builders.iter().map(|it| Declaration::new(it, 2));
        let accessors = members.accessors.iter().map(|it| Declaration::new(it, 0));
        let python = members::python(op).map(|it| PythonDeclaration {
            class: it.class,
            init: it.init,
            function: it.function,
        });
        Some(Declarations { cpp: builders.chain(accessors).collect(), python })
    }

    /// Returns the functions of an attribute or type; nothing if its class cannot be generated.
    pub(super) fn of_definition(def: &AttrOrTypeDef<'_>) -> Option<Self> {
        let members = members::of_def(def)?;
        let all = members.builders.iter().chain(&members.accessors);
        Some(Declarations { cpp: all.map(|it| Declaration::new(it, 0)).collect(), python: None })
    }
}

impl Declaration {
    fn new(function: &Function, skipped: usize) -> Self {
        let parameters = function.parameters.iter().skip(skipped).map(|it| DeclaredParameter {
            cpp_type: it.cpp_type.clone(),
            name: it.name.clone(),
            has_default: it.default.is_some(),
        });
        Declaration {
            name: function.name.clone(),
            returns: function.return_type.clone(),
            parameters: parameters.collect(),
        }
    }
}

impl Encoding {
    pub(super) fn new(encoding: members::Encoding) -> Self {
        let members::Encoding { dialect, is_type, code, name, fields } = encoding;
        Encoding { dialect, is_type, code, name, fields }
    }
}
