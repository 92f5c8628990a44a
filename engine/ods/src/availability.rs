//! When an operation or an enum's case may be used: class `Availability`, which SPIR-V and TOSA define each.

use odsmith_release::Change;
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{Rec, name},
};

/// One requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Availability<'r> {
    /// The class that it is an instance of, such as `MinVersion`: requirements of one class are merged.
    pub class: &'r str,
    /// The namespace of the interface.
    pub cpp_namespace: &'r str,
    /// The interface that asks for it.
    pub interface_name: &'r str,
    /// About the interface.
    pub interface_description: &'r str,
    /// What the interface's method returns.
    pub return_type: &'r str,
    /// The interface's method.
    pub method: &'r str,
    /// C++ that merges `$instance` into `$overall`.
    pub merge: &'r str,
    /// What merging starts from.
    pub initializer: &'r str,
    /// The C++ type of one requirement.
    pub instance_type: &'r str,
    /// C++ in front of `instance`.
    pub preparation: &'r str,
    /// The requirement in C++.
    pub instance: &'r str,
}

impl<'r> Availability<'r> {
    /// Reads a record of class `Availability`.
    ///
    /// # Errors
    /// A field has no value.
    pub fn new(rec: Rec<'r>) -> Result<Self, Diagnostic> {
        Ok(Availability {
            class: rec.superclasses().next_back().map_or("", Rec::name),
            cpp_namespace: match rec.records().rules().has(Change::AvailabilityNamespaces) {
                true => rec.string(name!("cppNamespace"))?,
                false => "",
            },
            interface_name: rec.string(name!("interfaceName"))?,
            interface_description: rec.string(name!("interfaceDescription"))?,
            return_type: rec.string(name!("queryFnRetType"))?,
            method: rec.string(name!("queryFnName"))?,
            merge: rec.string(name!("mergeAction"))?,
            initializer: rec.string(name!("initializer"))?,
            instance_type: rec.string(name!("instanceType"))?,
            preparation: rec.string(name!("instancePreparation"))?,
            instance: rec.string(name!("instance"))?,
        })
    }

    /// The list in a record's field `availability`; empty where there is no such field.
    ///
    /// # Errors
    /// The field holds something else, or one of the requirements is not complete.
    pub fn list(rec: Rec<'r>) -> Result<Vec<Self>, Diagnostic> {
        match rec.get(name!("availability")) {
            Some(_) => rec.defs(name!("availability"))?.into_iter().map(Availability::new).collect(),
            None => Ok(Vec::new()),
        }
    }
}
