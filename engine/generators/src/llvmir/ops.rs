//! Conversions of operations to LLVM IR and back, by their own snippets `llvmBuilder` and `mlirBuilder`; the list of
//! intrinsics that have an operation.

use std::fmt::Write as _;

use crate::cpp::{
    Template, Writer,
    snippet::{Piece, pieces},
};
use crate::{Cx, Generator};
use odsmith_ods::{Argument, LlvmConversion, Operation};
use odsmith_release::Change;
use odsmith_tablegen::{diagnostic::Diagnostic, span::Span};

pub(crate) const OP_TO_LLVM: Generator = Generator {
    name: "gen-llvmir-conversions",
    about: "Generate LLVM IR conversions",
    run: |cx, w| {
        for op in operations("LLVM_OpBase", cx)? {
            let op = op?;
            let Some(builder) = LlvmConversion::of(op).llvm_builder()? else {
                return Err(match w.rules().has(Change::LlvmErrorsInPlace) {
                    true => op.definition().error("expected 'llvmBuilder' field"),
                    false => {
                        op.check_name()?;
                        let message = format!("no 'llvmBuilder' field for op {}", op.name());
                        Diagnostic::error(Span::NONE, message).bare()
                    }
                });
            };
            if builder.is_empty() {
                continue;
            }
            let body = fill(builder, op, |name| to_llvm(op, name))?;
            let condition = format!("auto op = dyn_cast<{}>(opInst)", op.qualified_cpp_class_name());
            w.fill(CONVERSION, &[("condition", &condition), ("conversions", &""), ("body", &body)]);
        }
        Ok(())
    },
};

pub(crate) const OP_FROM_LLVM: Generator = Generator {
    name: "gen-op-from-llvmir-conversions",
    about: "Generate conversions of operations from LLVM IR",
    run: |cx, w| {
        for op in operations("LLVM_OpBase", cx)? {
            let condition = "inst->getOpcode() == llvm::Instruction::";
            emit_from_llvm(op?, LlvmConversion::instruction, condition, w)?;
        }
        Ok(())
    },
};

pub(crate) const INTRINSIC_FROM_LLVM: Generator = Generator {
    name: "gen-intr-from-llvmir-conversions",
    about: "Generate conversions of intrinsics from LLVM IR",
    run: |cx, w| {
        for op in operations("LLVM_IntrOpBase", cx)? {
            emit_from_llvm(op?, LlvmConversion::intrinsic, "intrinsicID == llvm::Intrinsic::", w)?;
        }
        Ok(())
    },
};

pub(crate) const CONVERTIBLE: Generator = Generator {
    name: "gen-convertible-llvmir-intrinsics",
    about: "Generate list of convertible LLVM IR intrinsics",
    run: |cx, w| {
        for op in operations("LLVM_IntrOpBase", cx)? {
            w.line(format_args!("llvm::Intrinsic::{},", LlvmConversion::of(op?).intrinsic()?));
        }
        Ok(())
    },
};

/// The generator that [`CONVERTIBLE`] replaced.
pub(crate) const PAIRS: Generator = Generator {
    name: "gen-llvmintrinsic-to-llvmirop-pairs",
    about: "Generate LLVM intrinsic to LLVMIR op pairs",
    run: |cx, w| {
        for op in operations("LLVM_IntrOpBase", cx)? {
            let op = op?;
            let (intrinsic, class) = (LlvmConversion::of(op).intrinsic()?, op.qualified_cpp_class_name());
            w.line(format_args!("{{llvm::Intrinsic::{intrinsic}, {class}::getOperationName()}},"));
        }
        Ok(())
    },
};

/// Returns the operations of a class, each read on demand.
fn operations<'r>(
    class: &str,
    cx: &Cx<'r>,
) -> Result<impl Iterator<Item = Result<&'r Operation<'r>, Diagnostic>>, Diagnostic> {
    cx.require_class(class)?;
    let model = cx.model;
    Ok(cx.records.derived(class).map(move |rec| model.operation(rec)))
}

const CONVERSION: Template = Template(
    r#"
if (@condition) {
@conversions@body
  return success();
}
"#,
);

/// Fills the names in a snippet; `value` returns the meaning of each.
fn fill(
    snippet: &str,
    op: &Operation<'_>,
    mut value: impl FnMut(&str) -> Result<Option<String>, Diagnostic>,
) -> Result<String, Diagnostic> {
    let mut out = String::with_capacity(snippet.len() * 2);
    for piece in pieces(snippet) {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Name(name) => out.push_str(&value(name)?.ok_or_else(|| unknown_name(op, name))?),
        }
    }
    Ok(out)
}

fn unknown_name(op: &Operation<'_>, name: &str) -> Diagnostic {
    if op.rules().has(Change::PlacedLlvmErrors) {
        let message = format!("expected keyword, argument, or result, but got {name}");
        return Diagnostic::error(op.definition().span(), message);
    }
    match op.check_name() {
        Ok(()) => {
            let message = format!("{name} is neither an argument nor a result of {}", op.name());
            Diagnostic::error(Span::NONE, message).bare()
        }
        Err(error) => error,
    }
}

/// Returns the meaning of a name in `llvmBuilder`.
fn to_llvm(op: &Operation<'_>, name: &str) -> Result<Option<String>, Diagnostic> {
    let getter = format!("op.{}()", op.getter(name));
    if let Some(index) = op.operands().iter().position(|operand| operand.name == name) {
        let constraint = op.operands()[index].constraint;
        let is_range = match op.rules().has(Change::LookupsByLength) {
            true => constraint.is_variadic(),
            false => index + 1 == op.operands().len() && constraint.is_variable_length(),
        };
        let lookup = if is_range { "lookupValues" } else { "lookupValue" };
        return Ok(Some(format!("moduleTranslation.{lookup}({getter})")));
    }
    if op.attributes().iter().any(|attribute| attribute.name == name) {
        return Ok(Some(getter));
    }
    if op.results().iter().any(|result| result.name == name) {
        return Ok(Some(format!("moduleTranslation.mapValue({getter})")));
    }
    let value = match name {
        "_resultType" => "moduleTranslation.convertType(op.getResult().getType())",
        "_hasResult" => "opInst.getNumResults() == 1",
        "_location" => "opInst.getLoc()",
        "_numOperands" => "opInst.getNumOperands()",
        _ => return Ok(None),
    };
    Ok(Some(value.to_owned()))
}

/// Writes the conversion to an operation, unless its `mlirBuilder` is empty. `converted` is the instruction or
/// intrinsic.
fn emit_from_llvm<'r>(
    op: &Operation<'r>,
    converted: fn(&LlvmConversion<'r>) -> Result<&'r str, Diagnostic>,
    condition: &str,
    w: &mut Writer,
) -> Result<(), Diagnostic> {
    let conversion = LlvmConversion::of(op);
    let Some(builder) = conversion.mlir_builder()? else {
        return Err(op.definition().error("expected 'mlirBuilder' field"));
    };
    if builder.is_empty() {
        return Ok(());
    }
    let indices = operand_indices(op)?;
    let mut conversions = String::new();
    let body = fill(builder, op, |name| from_llvm(op, name, &indices, &mut conversions))?;
    let condition = format!("{condition}{}", converted(&conversion)?);
    conversions.push('\n');
    w.fill(CONVERSION, &[("condition", &condition), ("conversions", &conversions), ("body", &body)]);
    Ok(())
}

/// Returns the index of the LLVM operand that each argument comes from; negative for none.
fn operand_indices(op: &Operation<'_>) -> Result<Vec<i64>, Diagnostic> {
    let indices = LlvmConversion::of(op).operand_indices()?;
    let count = op.arguments().len();
    if indices.is_empty() {
        return Ok((0_i64..).take(count).collect());
    }
    if indices.len() != count {
        let message = "expected 'llvmArgIndices' size to match the number of arguments";
        return Err(Diagnostic::error(op.definition().span(), message));
    }
    Ok(indices)
}

/// Returns the meaning of a name in `mlirBuilder`. An operand is converted first, each time that it is named.
fn from_llvm(
    op: &Operation<'_>,
    name: &str,
    indices: &[i64],
    conversions: &mut String,
) -> Result<Option<String>, Diagnostic> {
    let error = |message: String| Err(Diagnostic::error(op.definition().span(), message));
    if let Some(position) = op.arguments().iter().position(|argument| op.argument_name(*argument) == name) {
        let index = indices[position];
        if index < 0 {
            return error(format!("expected non-negative operand index for argument {name}"));
        }
        if let Argument::Attribute(_) = op.arguments()[position] {
            return Ok(Some(format!("llvmOperands[{index}]")));
        }
        let variable = format!("_llvmir_gen_operand_{name}");
        let is_variadic = matches!(op.arguments()[position], Argument::Operand(index)
            if op.operands()[index].constraint.is_variadic());
        let (ty, call) = if is_variadic {
            ("SmallVector<Value>", format!("convertValues(llvmOperands.drop_front({index}))"))
        } else {
            ("Value", format!("convertValue(llvmOperands[{index}])"))
        };
        // Writing into a string cannot fail.
        let _ = write!(
            conversions,
            "FailureOr<{ty}> {variable} = moduleImport.{call};\nif (failed({variable}))\n  return failure();\n"
        );
        return Ok(Some(format!("*{variable}")));
    }
    if op.results().iter().any(|result| result.name == name) {
        if op.results().len() != 1 {
            return error("expected op to have one result".to_owned());
        }
        return Ok(Some("moduleImport.mapValue(inst)".to_owned()));
    }
    let has_labels = op.rules().has(Change::FloatsAndLabelsMatched);
    let has_modes = op.rules().has(Change::ConstrainedMathAttributes);
    let value = match name {
        "_op" => "moduleImport.mapNoResultOp(inst)".to_owned(),
        "_int_attr" => "moduleImport.matchIntegerAttr".to_owned(),
        "_float_attr" if has_labels => "moduleImport.matchFloatAttr".to_owned(),
        "_var_attr" => "moduleImport.matchLocalVariableAttr".to_owned(),
        "_label_attr" if has_labels => "moduleImport.matchLabelAttr".to_owned(),
        "_roundingMode_attr" if has_modes => "moduleImport.matchRoundingModeAttr".to_owned(),
        "_fpExceptionBehavior_attr" if has_modes => "moduleImport.matchFPExceptionBehaviorAttr".to_owned(),
        "_resultType" => "moduleImport.convertType(inst->getType())".to_owned(),
        "_location" => "moduleImport.translateLoc(inst->getDebugLoc())".to_owned(),
        "_builder" => "odsBuilder".to_owned(),
        "_qualCppClassName" => op.qualified_cpp_class_name(),
        _ => return Ok(None),
    };
    Ok(Some(value))
}
