//! The functions of MLIR's C++ interface that conditions call.

use super::{
    attrs::{Attr, Kind, MapShape},
    classes::sign,
    cpp::INDEX,
    eval::{Ancestor, Operation, Value, equal},
    types::{DYNAMIC, Parameter, Parameters, Sign, Type, is_scalable, numbers_after},
};
use odsmith_ods::cpp_name;

fn int(value: &Value) -> Option<i64> {
    match value {
        Value::Int(value) => Some(*value),
        _ => None,
    }
}

fn count(number: usize) -> Value {
    i64::try_from(number).map_or(Value::Unknown, Value::Int)
}

fn shape_value(shape: &[i64]) -> Value {
    Value::List(shape.iter().map(|dim| Value::Int(*dim)).collect())
}

/// The C++ class of LLVM's pointers, which constraints of many dialects test.
pub(super) const POINTER: &str = "mlir::LLVM::LLVMPointerType";

/// Pointers into the address spaces that a condition names: `!llvm.ptr<3>`.
pub(super) fn pointers_named_in(condition: &str) -> Vec<Type> {
    let spaces = numbers_after(condition, "getAddressSpace() == ").into_iter().filter(|space| *space != 0);
    spaces.map(|space| Type::def(POINTER, format!("!llvm.ptr<{space}>"))).collect()
}

fn address_space(ty: &Type) -> Option<i64> {
    let Type::Def { class, text, .. } = ty else { return None };
    let space = text.strip_prefix("!llvm.ptr").filter(|_| class == POINTER)?;
    match space.trim_matches(['<', '>']) {
        "" => Some(0),
        digits => digits.parse().ok(),
    }
}

/// Calls a member function of a type.
pub(super) fn of_type(ty: &Type, name: &str, template: &[String], arguments: &[Value]) -> Value {
    let width_is = |wanted: Option<Sign>| {
        let Type::Integer(width, sign) = ty else { return Value::Bool(false) };
        if wanted.is_some_and(|wanted| wanted != *sign) {
            return Value::Bool(false);
        }
        match arguments {
            [] => Value::Bool(true),
            [given] => Value::of(int(given).map(|given| given == i64::from(*width))),
            _ => Value::Unknown,
        }
    };
    let is_def = matches!(ty, Type::Def { .. });
    let is_int = matches!(ty, Type::Integer(..));
    if let Type::Def { parameters, .. } = ty
        && let Some(value) = parameter(parameters, name)
    {
        return value;
    }
    match name {
        "isSignlessInteger" => width_is(Some(Sign::Signless)),
        "isSignedInteger" => width_is(Some(Sign::Signed)),
        "isUnsignedInteger" => width_is(Some(Sign::Unsigned)),
        "isInteger" if matches!(arguments, [_]) => width_is(None),
        "isInteger" => Value::Bool(is_int),
        "isSignless" | "isSigned" | "isUnsigned" => {
            let wanted = match name {
                "isSignless" => Sign::Signless,
                "isSigned" => Sign::Signed,
                _ => Sign::Unsigned,
            };
            Value::of(sign(ty).map(|sign| sign == wanted))
        }
        "isSignlessIntOrIndex" => Value::Bool(*ty == Type::Index || sign(ty) == Some(Sign::Signless)),
        "isSignlessIntOrIndexOrFloat" => {
            let fits = *ty == Type::Index || sign(ty) == Some(Sign::Signless) || matches!(ty, Type::Float(_));
            Value::Bool(fits)
        }
        "isSignlessIntOrFloat" => {
            Value::Bool(sign(ty) == Some(Sign::Signless) || matches!(ty, Type::Float(_)))
        }
        "isIntOrIndex" => Value::Bool(is_int || *ty == Type::Index),
        "isIntOrIndexOrFloat" => Value::Bool(is_int || *ty == Type::Index || matches!(ty, Type::Float(_))),
        "isIntOrFloat" => Value::Bool(is_int || matches!(ty, Type::Float(_))),
        "isIndex" => Value::Bool(*ty == Type::Index),
        "isFloat" => Value::Bool(matches!(ty, Type::Float(_))),
        "isF16" | "isBF16" | "isF32" | "isF64" | "isF80" | "isF128" | "isTF32" => {
            let wanted = name.trim_start_matches("is").to_lowercase();
            Value::Bool(matches!(ty, Type::Float(name) if *name == wanted))
        }
        "getWidth" | "getIntOrFloatBitWidth" => ty.width().map_or(Value::Unknown, Value::Int),
        "hasTrait" if template.first().is_some_and(|it| it == "mlir::ValueSemantics") => {
            // The trait of vectors and tensors; a dialect's type may declare it.
            if is_def {
                Value::Unknown
            } else {
                Value::Bool(matches!(ty, Type::Vector(..) | Type::Tensor(..)))
            }
        }
        "getTypes" => match ty {
            Type::Tuple(types) => Value::List(types.iter().cloned().map(Value::Type).collect()),
            _ => Value::Unknown,
        },
        "getInputs" | "getResults" => match ty {
            Type::Function(inputs, results) => {
                let types = if name == "getInputs" { inputs } else { results };
                Value::List(types.iter().cloned().map(Value::Type).collect())
            }
            _ => Value::Unknown,
        },
        "cloneWith" => match arguments {
            [Value::List(none), element] if none.is_empty() => {
                element.ty().map_or(Value::Unknown, |element| Value::Type(ty.with_element(element.clone())))
            }
            _ => Value::Unknown,
        },
        "getAddressSpace" => address_space(ty).map_or(Value::Unknown, Value::Int),
        "dropDim" | "setElementType" => rebuilt(ty, name, arguments).unwrap_or(Value::Unknown),
        "getElementTypeBitWidth" => ty.element().and_then(Type::width).map_or(Value::Unknown, Value::Int),
        "getElementType" => ty.element().cloned().map_or(Value::Unknown, Value::Type),
        _ => of_shaped(ty, name, arguments),
    }
}

/// Returns the parameter of a type that a function without arguments returns: `getPointee()`.
fn parameter(parameters: &Parameters, function: &str) -> Option<Value> {
    let wanted = function.strip_prefix("get")?;
    let found = parameters.iter().find(|(name, _)| cpp_name::camel_case(name, true) == wanted)?;
    Some(match &found.1 {
        Parameter::Type(ty) => Value::Type(ty.clone()),
        Parameter::Number(number) => Value::Int(*number),
        Parameter::Case(case) => Value::Case(case.to_string()),
    })
}

fn of_shaped(ty: &Type, name: &str, arguments: &[Value]) -> Value {
    let Some(shape) = ty.shape() else { return Value::Unknown };
    if name == "hasRank" {
        return Value::Bool(shape.is_some());
    }
    if name == "hasStaticShape" && shape.is_none() {
        return Value::Bool(false);
    }
    let scalable = match ty {
        Type::Vector(_, scalable, _) => *scalable,
        _ => 0,
    };
    let Some(shape) = shape else { return Value::Unknown };
    match name {
        "getShape" => shape_value(shape),
        "getRank" => count(shape.len()),
        "getNumElements" if !shape.contains(&DYNAMIC) => Value::Int(shape.iter().product()),
        "hasStaticShape" => Value::Bool(!shape.contains(&DYNAMIC)),
        "getNumDynamicDims" => count(shape.iter().filter(|dim| **dim == DYNAMIC).count()),
        "getDimSize" => {
            let index = arguments.first().and_then(int).and_then(|index| usize::try_from(index).ok());
            index.and_then(|index| shape.get(index)).map_or(Value::Unknown, |dim| Value::Int(*dim))
        }
        "isScalable" => Value::Bool(scalable != 0),
        "allDimsScalable" => Value::Bool(scalable != 0 && scalable.count_ones() as usize == shape.len()),
        "getScalableDims" => {
            Value::List((0..shape.len()).map(|index| Value::Bool(is_scalable(scalable, index))).collect())
        }
        "isStrided" => match ty {
            Type::MemRef(_, _, Some(layout), _) if !layout.starts_with("strided<") => Value::Unknown,
            _ => Value::Bool(matches!(ty, Type::MemRef(..))),
        },
        "getMemorySpaceAsInt" => match ty {
            Type::MemRef(.., None) => Value::Int(0),
            _ => Value::Unknown,
        },
        _ => Value::Unknown,
    }
}

/// Calls a member function of an attribute.
pub(super) fn of_attr(kind: &Kind, name: &str) -> Value {
    match (kind, name) {
        (Kind::Integer(value, _), "getInt" | "getValue" | "getSInt" | "getUInt" | "getSExtValue") => {
            Value::Int(*value)
        }
        (Kind::Bool(value), "getValue") => Value::Bool(*value),
        (Kind::Bool(value), "getInt") => Value::Int(i64::from(*value)),
        (Kind::Integer(_, ty) | Kind::Float(ty), "getType") => Value::Type(ty.clone()),
        (Kind::Bool(_), "getType") => Value::Type(Type::int(1)),
        (Kind::Dense(ty), "getType" | "getShapedType") => Value::Type(ty.clone()),
        (Kind::Dense(ty), "getElementType") => ty.element().cloned().map_or(Value::Unknown, Value::Type),
        (Kind::Dense(ty), "getNumElements") => of_shaped(ty, name, &[]),
        (Kind::Type(ty), "getValue") => Value::Type(ty.clone()),
        (Kind::Array(items), "size") => count(items.len()),
        (Kind::Array(items), "empty") => Value::Bool(items.is_empty()),
        (Kind::Array(items), "getValue" | "getAsRange") => {
            Value::List(items.iter().cloned().map(Value::Attr).collect())
        }
        (Kind::DenseArray(_, items), "size") => count(items.len()),
        (Kind::DenseArray(_, items), "empty") => Value::Bool(items.is_empty()),
        (Kind::DenseArray(Type::Integer(..), items), "asArrayRef") => shape_value(items),
        (Kind::String(text), "getValue" | "str") => Value::Str(text.clone()),
        (Kind::AffineMap(_), "getValue" | "getAffineMap") => {
            Value::Attr(Attr { kind: kind.clone(), text: String::new(), bare: String::new() })
        }
        (Kind::AffineMap(map), _) => of_map(map, name),
        _ => Value::Unknown,
    }
}

/// Calls a member function of an affine map.
fn of_map(map: &MapShape, name: &str) -> Value {
    match name {
        "isIdentity" | "isPermutation" | "isProjectedPermutation" if map.is_identity => Value::Bool(true),
        "isIdentity" => Value::Bool(false),
        "getNumDims" => count(map.dimensions),
        "getNumSymbols" => count(map.symbols),
        "getNumInputs" => count(map.dimensions + map.symbols),
        "getNumResults" => count(map.results),
        _ => Value::Unknown,
    }
}

/// Calls a member function of an operation.
pub(super) fn of_op(operation: &Operation, name: &str, arguments: &[Value]) -> Value {
    let Operation { operands, results, around } = operation;
    let pick = |types: &[Type]| {
        let index = arguments.first().and_then(int).and_then(|index| usize::try_from(index).ok());
        index.and_then(|index| types.get(index)).map_or(Value::Unknown, |ty| Value::Operand(ty.clone()))
    };
    match name {
        "getOperand" => pick(operands),
        "getResult" => pick(results),
        "getNumOperands" => count(operands.len()),
        "getNumResults" => count(results.len()),
        "getParentOp" => around.clone().map_or(Value::Unknown, Value::Around),
        _ => Value::Unknown,
    }
}

/// Tests if the innermost function or symbol table around an operation is a function.
fn is_in_function(around: &[Ancestor]) -> bool {
    let scope = around.iter().find(|ancestor| ancestor.is_table || ancestor.is_function);
    scope.is_some_and(|scope| !scope.is_table)
}

/// Calls a member function of a list.
pub(super) fn of_list(items: &[Value], name: &str, arguments: &[Value]) -> Value {
    match name {
        "size" => count(items.len()),
        "empty" => Value::Bool(items.is_empty()),
        INDEX => {
            let index = arguments.first().and_then(int).and_then(|index| usize::try_from(index).ok());
            index.and_then(|index| items.get(index)).cloned().unwrap_or(Value::Unknown)
        }
        "back" => items.last().cloned().unwrap_or(Value::Unknown),
        "front" => items.first().cloned().unwrap_or(Value::Unknown),
        "drop_front" if arguments.is_empty() && !items.is_empty() => Value::List(items[1..].to_vec()),
        "drop_back" if arguments.is_empty() && !items.is_empty() => {
            Value::List(items[..items.len() - 1].to_vec())
        }
        "getValue" => Value::List(items.to_vec()),
        _ => Value::Unknown,
    }
}

/// Calls a member function of a number, as `APInt` has them.
pub(super) fn of_int(value: i64, name: &str) -> Value {
    match name {
        "isStrictlyPositive" => Value::Bool(value > 0),
        "isNonNegative" => Value::Bool(value >= 0),
        "isNegative" => Value::Bool(value < 0),
        "isZero" => Value::Bool(value == 0),
        "isPowerOf2" => Value::Bool(value > 0 && value & (value - 1) == 0),
        "getSExtValue" | "getInt" => Value::Int(value),
        "getZExtValue" if value >= 0 => Value::Int(value),
        _ => Value::Unknown,
    }
}

/// The element type of a container, or the type itself.
fn element_or_self(ty: &Type) -> Type {
    match ty {
        Type::Vector(..) | Type::Tensor(..) | Type::MemRef(..) => ty.element().unwrap_or(ty).clone(),
        ty => ty.clone(),
    }
}

/// Calls a free function, named without `mlir::` or `llvm::`.
pub(super) fn free(name: &str, arguments: &[Value]) -> Value {
    let ty = |index: usize| arguments.get(index).and_then(Value::ty);
    match (name, arguments) {
        ("getElementTypeOrSelf", [_]) => match ty(0) {
            // A dialect's type may be a container.
            Some(Type::Def { .. }) | None => Value::Unknown,
            Some(ty) => Value::Type(element_or_self(ty)),
        },
        ("getI1SameShape", [_]) => {
            ty(0).map_or(Value::Unknown, |ty| Value::Type(ty.with_element(Type::int(1))))
        }
        ("ArrayRef" | "SmallVector", [list @ Value::List(_)]) => list.clone(),
        // A value several times.
        ("SmallVector", [Value::Int(count), value]) => match usize::try_from(*count) {
            Ok(count) if count <= MOST_COPIES => Value::List(vec![value.clone(); count]),
            _ => Value::Unknown,
        },
        ("is_contained", [Value::List(items), wanted]) => {
            let known: Vec<Option<bool>> = items.iter().map(|item| equal(item, wanted)).collect();
            if known.contains(&Some(true)) {
                Value::Bool(true)
            } else if known.contains(&None) {
                Value::Unknown
            } else {
                Value::Bool(false)
            }
        }
        ("all_equal", [Value::List(items)]) => {
            let pairs = items.windows(2).map(|pair| equal(&pair[0], &pair[1]));
            let known: Vec<Option<bool>> = pairs.collect();
            Value::of(if known.contains(&Some(false)) {
                Some(false)
            } else if known.contains(&None) {
                None
            } else {
                Some(true)
            })
        }
        ("VectorType::get" | "RankedTensorType::get" | "MemRefType::get", [Value::List(dims), element]) => {
            container_type(name, dims, element)
        }
        ("VectorType::get", [Value::List(dims), element, Value::List(scalable)]) => {
            scalable_vector(dims, element, scalable)
        }
        ("VectorType" | "VectorType::Builder", [ty @ Value::Type(_)]) => ty.clone(),
        ("emitc::PointerType::get", [_]) => emitc_type(ty(0), "PointerType", "ptr", "pointee"),
        ("emitc::LValueType::get", [_]) => emitc_type(ty(0), "LValueType", "lvalue", "valueType"),
        ("emitc::isSupportedEmitCType", [_]) => Value::of(ty(0).and_then(is_emitc)),
        ("emitc::isSupportedIntegerType", [_]) => Value::of(ty(0).and_then(is_emitc_integer)),
        ("emitc::isSupportedFloatType", [_]) => Value::of(ty(0).and_then(is_emitc_float)),
        ("emitc::isIntegerIndexOrOpaqueType", [_]) => Value::of(ty(0).and_then(is_emitc_index)),
        ("IntegerType::get" | "getIntegerType", [.., Value::Int(width)]) => {
            u32::try_from(*width).map_or(Value::Unknown, |width| Value::Type(Type::int(width)))
        }
        ("IndexType::get", [_]) => Value::Type(Type::Index),
        ("LLVM::isCompatibleOuterType" | "LLVM::isCompatibleType", [_]) => Value::of(ty(0).and_then(is_llvm)),
        ("LLVM::isCompatibleVectorType", [_]) => match ty(0) {
            Some(ty @ Type::Vector(..)) => Value::of(is_llvm(ty)),
            Some(Type::Def { .. }) | None => Value::Unknown,
            Some(_) => Value::Bool(false),
        },
        ("LLVM::isCompatibleFloatingPointType", [_]) => match ty(0) {
            Some(Type::Float(name)) => Value::Bool(is_llvm_float(name)),
            Some(Type::Def { .. }) | None => Value::Unknown,
            Some(_) => Value::Bool(false),
        },
        ("LLVM::isScalableVectorType", [_]) => match ty(0) {
            Some(ty) => Value::Bool(matches!(ty, Type::Vector(_, 1.., _))),
            None => Value::Unknown,
        },
        ("LLVM::getVectorNumElements" | "getVectorNumElements", [_]) => {
            ty(0).map_or(Value::Unknown, |ty| of_shaped(ty, "getNumElements", &[]))
        }
        // A tensor without encoding is dense.
        ("sparse_tensor::getSparseTensorEncoding", [_]) => match ty(0) {
            Some(Type::Tensor(_, _, None)) => Value::Bool(false),
            _ => Value::Unknown,
        },
        ("isNestedInFunctionOpInterface", [Value::Around(around)]) => Value::Bool(is_in_function(around)),
        ("isDirectInModuleLikeOp", [Value::Around(around)]) => {
            Value::Bool(around.first().is_some_and(|parent| parent.is_table))
        }
        ("bool", [value]) => Value::of(value.truth()),
        _ => Value::Unknown,
    }
}

fn container_type(name: &str, dims: &[Value], element: &Value) -> Value {
    let Some(element) = element.ty() else { return Value::Unknown };
    let Some(shape) = dims.iter().map(int).collect::<Option<Vec<i64>>>() else { return Value::Unknown };
    let element = Box::new(element.clone());
    Value::Type(match name {
        "VectorType::get" => Type::Vector(shape, 0, element),
        "RankedTensorType::get" => Type::Tensor(Some(shape), element, None),
        _ => Type::MemRef(Some(shape), element, None, None),
    })
}

fn scalable_vector(dims: &[Value], element: &Value, scalable: &[Value]) -> Value {
    let bits = scalable.iter().map(Value::truth).collect::<Option<Vec<bool>>>();
    match (container_type("VectorType::get", dims, element), bits) {
        (Value::Type(Type::Vector(shape, _, element)), Some(bits))
            if bits.len() == shape.len() && bits.len() <= 64 =>
        {
            let set = bits.iter().enumerate().filter(|(_, is_set)| **is_set);
            Value::Type(Type::Vector(shape, set.map(|(index, _)| 1 << index).sum(), element))
        }
        _ => Value::Unknown,
    }
}

/// Calls a function of a vector type that changes one of its parts: `VectorType::Builder` has them.
fn rebuilt(ty: &Type, name: &str, arguments: &[Value]) -> Option<Value> {
    let Type::Vector(shape, scalable, element) = ty else { return None };
    match (name, arguments) {
        ("dropDim", [Value::Int(at)]) => {
            let at = usize::try_from(*at).ok().filter(|at| *at < shape.len() && shape.len() <= 64)?;
            let mut rest = shape.clone();
            rest.remove(at);
            let kept = (0..shape.len()).filter(|own| *own != at).enumerate();
            let bits = kept.filter(|(_, own)| is_scalable(*scalable, *own)).map(|(index, _)| 1 << index);
            Some(Value::Type(Type::Vector(rest, bits.sum(), element.clone())))
        }
        ("setElementType", [element]) => {
            Some(Value::Type(Type::Vector(shape.clone(), *scalable, Box::new(element.ty()?.clone()))))
        }
        _ => None,
    }
}

/// The most copies of a value in a list.
const MOST_COPIES: usize = 4096;

/// The classes of EmitC that are types of C.
const EMITC: [&str; 4] = [
    "mlir::emitc::OpaqueType",
    "mlir::emitc::SizeTType",
    "mlir::emitc::SignedSizeTType",
    "mlir::emitc::PtrDiffTType",
];

/// Creates a type of EmitC with one type inside.
fn emitc_type(inner: Option<&Type>, class: &str, mnemonic: &str, parameter: &str) -> Value {
    let Some(inner) = inner else { return Value::Unknown };
    Value::Type(Type::Def {
        class: format!("mlir::emitc::{class}"),
        text: format!("!emitc.{mnemonic}<{inner}>"),
        parameters: vec![(parameter.into(), Parameter::Type(inner.clone()))],
    })
}

/// Tests if EmitC prints a type; `None` if that is unknown.
fn is_emitc(ty: &Type) -> Option<bool> {
    match ty {
        Type::Integer(..) => is_emitc_integer(ty),
        Type::Float(_) => is_emitc_float(ty),
        Type::Index => Some(true),
        Type::Def { class, parameters, .. } => match class.strip_prefix("mlir::emitc::") {
            Some("PointerType" | "ArrayType") => {
                let is_wrong = |(_, value): &(_, Parameter)| matches!(value, Parameter::Type(ty) if is_emitc(ty) == Some(false));
                parameters.iter().any(is_wrong).then_some(false)
            }
            Some("LValueType") => Some(false),
            _ => EMITC.contains(&&**class).then_some(true),
        },
        Type::Tensor(shape, element, _) => {
            let is_static = shape.as_ref().is_some_and(|shape| !shape.contains(&DYNAMIC));
            if is_static { is_emitc_element(element) } else { Some(false) }
        }
        Type::Tuple(elements) => {
            let is_wrong = |ty: &Type| is_emitc_element(ty) == Some(false);
            elements.iter().any(is_wrong).then_some(false)
        }
        Type::None | Type::Complex(_) | Type::Function(..) | Type::Vector(..) | Type::MemRef(..) => {
            Some(false)
        }
    }
}

/// Tests the same for a part of a tensor or tuple, which cannot be an array.
fn is_emitc_element(ty: &Type) -> Option<bool> {
    match ty {
        Type::Def { class, .. } if class == "mlir::emitc::ArrayType" => Some(false),
        ty => is_emitc(ty),
    }
}

fn is_emitc_integer(ty: &Type) -> Option<bool> {
    match ty {
        Type::Integer(width, _) => Some(matches!(width, 1 | 8 | 16 | 32 | 64)),
        Type::Def { .. } => None,
        _ => Some(false),
    }
}

/// Releases differ in floats of 16 bits.
fn is_emitc_float(ty: &Type) -> Option<bool> {
    match ty {
        Type::Float("f32" | "f64") => Some(true),
        Type::Float("f16" | "bf16") | Type::Def { .. } => None,
        _ => Some(false),
    }
}

fn is_emitc_index(ty: &Type) -> Option<bool> {
    match ty {
        Type::Index => Some(true),
        Type::Def { class, .. } => EMITC.contains(&&**class).then_some(true),
        ty => is_emitc_integer(ty),
    }
}

fn is_llvm_float(name: &str) -> bool {
    matches!(name, "f16" | "bf16" | "f32" | "f64" | "f80" | "f128")
}

/// Tests if a type can appear in LLVM IR; `None` if that is unknown.
fn is_llvm(ty: &Type) -> Option<bool> {
    match ty {
        Type::Integer(_, sign) => Some(*sign == Sign::Signless),
        Type::Float(name) => Some(is_llvm_float(name)),
        Type::Vector(shape, _, element) if shape.len() == 1 => is_llvm(element),
        Type::Vector(..) => Some(false),
        Type::Def { class, .. } if class.starts_with("mlir::LLVM::") => Some(true),
        Type::Def { .. } => None,
        Type::Index
        | Type::None
        | Type::Complex(_)
        | Type::Tuple(_)
        | Type::Function(..)
        | Type::Tensor(..)
        | Type::MemRef(..) => Some(false),
    }
}
