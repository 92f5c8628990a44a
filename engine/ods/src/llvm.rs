//! Definitions for LLVM IR: operations that are converted (`LLVM_OpBase`), enums with LLVM's enumerators
//! (`LLVM_EnumAttr`), and LLVM's own intrinsics.

use super::{EnumCase, Operation};
use odsmith_release::{Change, Rules};
use odsmith_tablegen::{diagnostic::Diagnostic, record::Rec};

/// The conversion of an operation to LLVM IR and back. Fields are read on demand, because no generator needs all.
#[derive(Clone, Copy, Debug)]
pub struct LlvmConversion<'r>(Rec<'r>);

impl<'r> LlvmConversion<'r> {
    /// Returns the conversion of an operation.
    #[must_use]
    pub fn of(op: &Operation<'r>) -> Self {
        LlvmConversion(op.rec())
    }

    fn snippet(self, field: &str) -> Result<Option<&'r str>, Diagnostic> {
        self.0.get(field).map(|_| self.0.string(field)).transpose()
    }

    /// Returns C++ that builds LLVM IR; nothing if there is no such field.
    ///
    /// # Errors
    /// The field has no text.
    pub fn llvm_builder(self) -> Result<Option<&'r str>, Diagnostic> {
        self.snippet("llvmBuilder")
    }

    /// Returns C++ that builds the operation; nothing if there is no such field.
    ///
    /// # Errors
    /// The field has no text.
    pub fn mlir_builder(self) -> Result<Option<&'r str>, Diagnostic> {
        self.snippet("mlirBuilder")
    }

    fn rec(&self) -> Rec<'r> {
        self.0
    }

    needed! {
        /// Returns the instruction.
        instruction: string "llvmInstName" -> &'r str;
        /// Returns the intrinsic.
        intrinsic: string "llvmEnumName" -> &'r str;
        /// Returns the index of the LLVM operand that each argument comes from; negative for none.
        operand_indices: ints "llvmArgIndices" -> Vec<i64>;
    }
}

/// The LLVM side of an enum.
#[derive(Clone, Copy, Debug)]
pub struct LlvmEnum<'r>(Rec<'r>);

impl<'r> LlvmEnum<'r> {
    /// Wraps a record of class `LLVM_EnumAttr` or `LLVM_CEnumAttr`.
    #[must_use]
    pub fn new(rec: Rec<'r>) -> Self {
        LlvmEnum(rec)
    }

    fn rec(&self) -> Rec<'r> {
        self.0
    }

    needed! {
        /// Returns LLVM's class.
        class_name: string "llvmClassName" -> &'r str;
    }

    /// Returns LLVM's enumerator for a case.
    ///
    /// # Errors
    /// The field has no text.
    pub fn enumerator(case: &EnumCase<'r>) -> Result<&'r str, Diagnostic> {
        case.record.string("llvmEnumerant")
    }

    /// Returns the enumerators that only LLVM has.
    ///
    /// # Errors
    /// A field has no value.
    pub fn unsupported(self) -> Result<Vec<&'r str>, Diagnostic> {
        self.0.defs("unsupported")?.into_iter().map(|case| case.string("llvmEnumerant")).collect()
    }
}

/// An intrinsic of LLVM: class `Intrinsic`.
#[derive(Clone, Debug)]
pub struct Intrinsic<'r> {
    /// The record's name: `int_memcpy`.
    pub record_name: &'r str,
    /// The name in LLVM IR, without `llvm`.
    pub mnemonic: String,
    /// The names of the properties' records.
    pub properties: Vec<&'r str>,
    /// The number of results.
    pub results: usize,
    /// The number of operands.
    pub operands: usize,
    /// The positions of results whose type is overloaded.
    pub overloaded_results: Vec<usize>,
    /// The positions of operands whose type is overloaded.
    pub overloaded_operands: Vec<usize>,
}

impl<'r> Intrinsic<'r> {
    /// Reads a record of class `Intrinsic`.
    ///
    /// # Errors
    /// A field has no value. This is the order in which the reference reports one.
    pub fn new(rec: Rec<'r>) -> Result<Self, Diagnostic> {
        let properties = rec.defs("IntrProperties")?;
        let operands = rec.defs("ParamTypes")?;
        let mnemonic = mnemonic(rec)?;
        let results = rec.defs("RetTypes")?;
        let rules = rec.records().rules();
        Ok(Intrinsic {
            record_name: rec.name(),
            mnemonic,
            properties: properties.into_iter().map(Rec::name).collect(),
            overloaded_results: overloaded(&results, rules)?,
            overloaded_operands: overloaded(&operands, rules)?,
            results: results.len(),
            operands: operands.len(),
        })
    }

    /// Returns the record's name without `int_`.
    #[must_use]
    pub fn proper_name(&self) -> &'r str {
        proper_name(self.record_name)
    }
}

fn proper_name(record_name: &str) -> &str {
    record_name.get("int_".len()..).unwrap_or_default()
}

/// Returns the explicit name, or the record's with dots and without the target.
fn mnemonic(rec: Rec<'_>) -> Result<String, Diagnostic> {
    let explicit = rec.string("LLVMName")?;
    let target = rec.string("TargetPrefix")?;
    if !explicit.is_empty() {
        return Ok(explicit.to_owned());
    }
    let name = proper_name(rec.name());
    let name = if target.is_empty() { name } else { name.split_once('_').map_or("", |(_, name)| name) };
    Ok(name.replace('_', "."))
}

/// Returns the positions of the overloaded types, which represent several types.
fn overloaded(types: &[Rec<'_>], rules: &Rules) -> Result<Vec<usize>, Diagnostic> {
    let mut positions = Vec::new();
    for (position, ty) in types.iter().enumerate() {
        let ty = ty.def("VT")?;
        let is_overloaded = match rules.has(Change::NamedOverloads) {
            true => matches!(ty.string("LLVMName")?, "Any" | "iAny" | "fAny" | "vAny" | "pAny"),
            false => matches!(ty.int("Value")?, 506..=509 | 511),
        };
        if is_overloaded {
            positions.push(position);
        }
    }
    Ok(positions)
}
