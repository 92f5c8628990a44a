//! Requirements of operations and enum cases, such as a minimum version: class `Availability`, which SPIR-V and TOSA
//! each define.

use odsmith_release::Change;
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{Rec, name},
};

/// One requirement. Fields are read on demand, because no generator needs all of them.
#[derive(Clone, Copy)]
pub struct Availability<'r> {
    rec: Rec<'r>,
    /// The class of the record, such as `MinVersion`. Requirements of one class are merged.
    pub class: &'r str,
}

impl<'r> Availability<'r> {
    /// Wraps a record of class `Availability`.
    ///
    /// # Errors
    /// The record is not an instance of exactly one class.
    pub fn new(rec: Rec<'r>) -> Result<Self, Diagnostic> {
        let mut classes = rec.direct_superclasses();
        match (classes.next(), classes.next()) {
            (Some(class), None) => Ok(Availability { rec, class: class.name() }),
            _ => Err(rec.error("expected to only have one direct superclass")),
        }
    }

    /// Reads the field `availability` of a record; empty if there is no such field.
    ///
    /// # Errors
    /// The field is not a list of records, or a requirement is not an instance of exactly one class.
    pub fn list(rec: Rec<'r>) -> Result<Vec<Self>, Diagnostic> {
        match rec.get(name!("availability")) {
            Some(_) => rec.defs(name!("availability"))?.into_iter().map(Availability::new).collect(),
            None => Ok(Vec::new()),
        }
    }

    /// Returns the namespace of the interface; empty in releases that do not record it.
    ///
    /// # Errors
    /// The field is unset, as in all methods below.
    pub fn cpp_namespace(self) -> Result<&'r str, Diagnostic> {
        match self.rec.records().rules().has(Change::AvailabilityNamespaces) {
            true => self.rec.string(name!("cppNamespace")),
            false => Ok(""),
        }
    }

    /// Returns the interface that reports the requirement.
    pub fn interface_name(self) -> Result<&'r str, Diagnostic> {
        self.rec.string(name!("interfaceName"))
    }

    /// Returns the description of the interface.
    pub fn interface_description(self) -> Result<&'r str, Diagnostic> {
        self.rec.string(name!("interfaceDescription"))
    }

    /// Returns the return type of the interface's method.
    pub fn return_type(self) -> Result<&'r str, Diagnostic> {
        self.rec.string(name!("queryFnRetType"))
    }

    /// Returns the name of the interface's method.
    pub fn method(self) -> Result<&'r str, Diagnostic> {
        self.rec.string(name!("queryFnName"))
    }

    /// Returns C++ that merges `$instance` into `$overall`.
    pub fn merge(self) -> Result<&'r str, Diagnostic> {
        self.rec.string(name!("mergeAction"))
    }

    /// Returns the value that merging starts from.
    pub fn initializer(self) -> Result<&'r str, Diagnostic> {
        self.rec.string(name!("initializer"))
    }

    /// Returns the C++ type of one requirement.
    pub fn instance_type(self) -> Result<&'r str, Diagnostic> {
        self.rec.string(name!("instanceType"))
    }

    /// Returns C++ that precedes [`Availability::instance`].
    pub fn preparation(self) -> Result<&'r str, Diagnostic> {
        self.rec.string(name!("instancePreparation"))
    }

    /// Returns the requirement in C++.
    pub fn instance(self) -> Result<&'r str, Diagnostic> {
        self.rec.string(name!("instance"))
    }
}
