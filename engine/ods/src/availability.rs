//! Requirements of operations and enum cases, such as a minimum version: class `Availability`, which SPIR-V and TOSA
//! each define; and the instructions of SPIR-V.

use super::Operation;
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

    /// Returns whether the requirements of an operation are to be generated. Early releases leave no choice.
    ///
    /// # Errors
    /// The field that chooses is missing or no bit.
    pub fn is_generated(op: &Operation<'_>) -> Result<bool, Diagnostic> {
        match op.rules().has(Change::AvailabilityChoice) {
            true => op.rec().bit("autogenAvailability"),
            false => Ok(true),
        }
    }

    /// Returns the requirements of an operation.
    ///
    /// # Errors
    /// As for [`Availability::list`].
    pub fn of_operation(op: &Operation<'r>) -> Result<Vec<Self>, Diagnostic> {
        Availability::list(op.rec())
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
    /// The field is unset.
    pub fn cpp_namespace(self) -> Result<&'r str, Diagnostic> {
        match self.rec.records().rules().has(Change::AvailabilityNamespaces) {
            true => self.rec.string(name!("cppNamespace")),
            false => Ok(""),
        }
    }

    needed! {
        /// Returns the interface that reports the requirement.
        interface_name: string "interfaceName" -> &'r str;
        /// Returns the description of the interface.
        interface_description: string "interfaceDescription" -> &'r str;
        /// Returns the return type of the interface's method.
        return_type: string "queryFnRetType" -> &'r str;
        /// Returns the name of the interface's method.
        method: string "queryFnName" -> &'r str;
        /// Returns C++ that merges `$instance` into `$overall`.
        merge: string "mergeAction" -> &'r str;
        /// Returns the value that merging starts from.
        initializer: string "initializer" -> &'r str;
        /// Returns the C++ type of one requirement.
        instance_type: string "instanceType" -> &'r str;
        /// Returns C++ that precedes [`Availability::instance`].
        preparation: string "instancePreparation" -> &'r str;
        /// Returns the requirement in C++.
        instance: string "instance" -> &'r str;
    }

    fn rec(&self) -> Rec<'r> {
        self.rec
    }
}

/// An instruction of SPIR-V. Fields are read on demand, because those that are not used need no value.
#[derive(Clone, Copy, Debug)]
pub struct SpirvInstruction<'r>(Rec<'r>);

impl<'r> SpirvInstruction<'r> {
    /// Wraps the record of an operation of SPIR-V.
    #[must_use]
    pub fn new(rec: Rec<'r>) -> Self {
        SpirvInstruction(rec)
    }

    fn rec(&self) -> Rec<'r> {
        self.0
    }

    needed! {
        /// Returns whether the code that reads and writes it is generated.
        is_generated: bit "autogenSerialization" -> bool;
        /// Returns whether it has a number of its own.
        has_opcode: bit "hasOpcode" -> bool;
        /// Returns its name in SPIR-V.
        opcode: string "spirvOpName" -> &'r str;
    }

    /// Returns its extension set, and its number there.
    ///
    /// # Errors
    /// A field has no value.
    pub fn extension(self) -> Result<(&'r str, i64), Diagnostic> {
        Ok((self.0.string("extendedInstSetName")?, self.0.int("extendedInstOpcode")?))
    }
}

/// Returns the capabilities that imply others, each with these. `rec` is the attribute of all capabilities.
///
/// # Errors
/// A field has no value.
pub fn implied_capabilities(rec: Rec<'_>) -> Result<Vec<(&str, Vec<&str>)>, Diagnostic> {
    let info = match rec.records().rules().has(Change::SpirvEnumAttributes) {
        true => rec.def(name!("enum"))?,
        false => rec,
    };
    let mut capabilities = Vec::new();
    for case in info.defs(name!("enumerants"))? {
        if case.get("implies").is_some() {
            let implied = case.defs("implies")?.into_iter().map(|case| case.string(name!("symbol")));
            capabilities.push((case.string(name!("symbol"))?, implied.collect::<Result<_, _>>()?));
        }
    }
    Ok(capabilities)
}
