//! When an operation or an enum's case may be used: class `Availability`, which SPIR-V and TOSA define each.

use odsmith_release::Change;
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{Rec, name},
};

/// One requirement. Its fields are read when they are asked for: no generator needs them all.
#[derive(Clone, Copy)]
pub struct Availability<'r> {
    rec: Rec<'r>,
    /// The class that it is an instance of, such as `MinVersion`: requirements of one class are merged.
    pub class: &'r str,
}

impl<'r> Availability<'r> {
    /// Takes a record of class `Availability`.
    ///
    /// # Errors
    /// It is an instance of several classes.
    pub fn new(rec: Rec<'r>) -> Result<Self, Diagnostic> {
        let mut classes = rec.direct_superclasses();
        match (classes.next(), classes.next()) {
            (Some(class), None) => Ok(Availability { rec, class: class.name() }),
            _ => Err(rec.error("expected to only have one direct superclass")),
        }
    }

    /// The list in a record's field `availability`; empty where there is no such field.
    ///
    /// # Errors
    /// The field holds something else, or one of the requirements is an instance of several classes.
    pub fn list(rec: Rec<'r>) -> Result<Vec<Self>, Diagnostic> {
        match rec.get(name!("availability")) {
            Some(_) => rec.defs(name!("availability"))?.into_iter().map(Availability::new).collect(),
            None => Ok(Vec::new()),
        }
    }

    /// The namespace of the interface; empty in releases that do not say.
    ///
    /// # Errors
    /// The field has no value, as in all methods below.
    pub fn cpp_namespace(self) -> Result<&'r str, Diagnostic> {
        match self.rec.records().rules().has(Change::AvailabilityNamespaces) {
            true => self.rec.string(name!("cppNamespace")),
            false => Ok(""),
        }
    }

    /// The interface that asks for it.
    pub fn interface_name(self) -> Result<&'r str, Diagnostic> {
        self.rec.string(name!("interfaceName"))
    }

    /// About the interface.
    pub fn interface_description(self) -> Result<&'r str, Diagnostic> {
        self.rec.string(name!("interfaceDescription"))
    }

    /// What the interface's method returns.
    pub fn return_type(self) -> Result<&'r str, Diagnostic> {
        self.rec.string(name!("queryFnRetType"))
    }

    /// The interface's method.
    pub fn method(self) -> Result<&'r str, Diagnostic> {
        self.rec.string(name!("queryFnName"))
    }

    /// C++ that merges `$instance` into `$overall`.
    pub fn merge(self) -> Result<&'r str, Diagnostic> {
        self.rec.string(name!("mergeAction"))
    }

    /// What merging starts from.
    pub fn initializer(self) -> Result<&'r str, Diagnostic> {
        self.rec.string(name!("initializer"))
    }

    /// The C++ type of one requirement.
    pub fn instance_type(self) -> Result<&'r str, Diagnostic> {
        self.rec.string(name!("instanceType"))
    }

    /// C++ in front of [`Availability::instance`].
    pub fn preparation(self) -> Result<&'r str, Diagnostic> {
        self.rec.string(name!("instancePreparation"))
    }

    /// The requirement in C++.
    pub fn instance(self) -> Result<&'r str, Diagnostic> {
        self.rec.string(name!("instance"))
    }
}
