//! The members of generated code: builders and accessors in C++, and the Python function and class of an operation.

use odsmith_engine::{
    generators::members::{self, Function, Members, Parameter},
    ods,
};

use crate::{
    text::unqualified,
    view::{Builder, Python},
};

/// The members of a class as a page lists them.
#[derive(Debug, Default)]
pub(super) struct MemberLists {
    /// Builders that the definition declares.
    pub(super) builders: Vec<Builder>,
    /// Builders that ODS generates by default.
    pub(super) default_builders: Vec<Builder>,
    pub(super) accessors: Vec<String>,
}

/// Formats builders and accessors; `make` is the name of the builder functions.
pub(super) fn lists(class: &str, make: &str, members: &Members) -> MemberLists {
    let class = unqualified(class);
    let builder = |function: &Function| Builder {
        signature: format!("{class}::{make}({})", list(&function.parameters)),
        deprecation: function.deprecated.clone(),
    };
    let accessor = |function: &Function| {
        let (ty, name) = (&function.return_type, &function.name);
        format!("{ty} {name}({})", list(&function.parameters))
    };
    let of = |is_custom: bool| {
        let functions = members.builders.iter().filter(move |function| function.is_custom == is_custom);
        functions.map(builder).collect()
    };
    MemberLists {
        builders: of(true),
        default_builders: of(false),
        accessors: members.accessors.iter().map(accessor).collect(),
    }
}

/// Formats a builder of a definition that no code can be generated from; `first` are the implicit leading parameters.
pub(super) fn declared_builder(
    class: &str,
    make: &str,
    first: &[&str],
    builder: &ods::Builder<'_>,
) -> Builder {
    let parameters = builder.parameters.iter().map(|parameter| {
        let name = parameter.name.map_or_else(String::new, |name| format!(" {name}"));
        let default = parameter.default_value.map_or_else(String::new, |default| format!(" = {default}"));
        format!("{}{name}{default}", parameter.cpp_type.trim())
    });
    let all: Vec<String> = first.iter().map(|&first| first.to_owned()).chain(parameters).collect();
    let signature = format!("{}::{make}({})", unqualified(class), all.join(", "));
    Builder { signature, deprecation: builder.deprecated().map(str::to_owned) }
}

/// Formats parameters; of a leading builder or location only the name is shown.
fn list(parameters: &[Parameter]) -> String {
    let mut shown = String::new();
    for (index, parameter) in parameters.iter().enumerate() {
        let Parameter { cpp_type, name, default, is_optional } = parameter;
        shown.push_str(if index > 0 { ", " } else { "" });
        if cpp_type == "::mlir::OpBuilder &" || cpp_type == "::mlir::Location" {
            shown.push_str(name);
            continue;
        }
        shown.push_str(if *is_optional { "/*optional*/" } else { "" });
        shown.push_str(cpp_type);
        shown.push_str(if cpp_type.ends_with(['&', '*']) || name.is_empty() { "" } else { " " });
        shown.push_str(name);
        if let Some(default) = default {
            shown.push_str(" = ");
            shown.push_str(default);
        }
    }
    shown
}

/// Formats the Python function and class of an operation.
pub(super) fn python(op: &ods::Operation<'_>) -> Option<Python> {
    let members::PythonSignature { class, init, function, parameters, returns } = members::python(op)?;
    let dialect = op.dialect().name();
    Some(Python {
        function: format!("{dialect}.{function}({parameters}) -> {returns}"),
        class: format!("{dialect}.{class}({init})"),
    })
}
