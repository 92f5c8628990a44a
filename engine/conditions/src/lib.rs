//! Decides which types and attributes satisfy a constraint, as far as its C++ condition can be read.
//!
//! The predicate of a constraint is one C++ condition. `cpp` parses it, and `eval` evaluates it for a candidate in
//! three-valued logic: code that cannot be read is [`Witness::Unknown`]. `unknown || yes` is yes, `unknown && yes` is
//! unknown.
//!
//! * [`types`]: types as the conditions see them, and the table of candidates;
//! * [`attrs`]: the same for attributes;
//! * [`classes`]: the result of `isa` for builtin and for the dialects' own classes;
//! * [`memo`]: a cache that threads share, also for the callers of this crate.

pub mod attrs;
pub mod classes;
mod cpp;
mod eval;
mod functions;
pub mod memo;
mod samples;
pub mod types;

use std::sync::Arc;

use odsmith_ods::Constraint;
use odsmith_tablegen::record::Records;

pub use attrs::Attr;
use classes::Classes;
pub use cpp::Expr as Condition;
pub use eval::{Ancestor, Env, Operation, Value};
use memo::Memo;
pub use types::Type;

/// The answer to "does this candidate satisfy the condition?".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Witness {
    /// The candidate satisfies it.
    Yes,
    /// The C++ of the condition cannot be read.
    Unknown,
    /// The candidate does not satisfy it.
    No,
}

impl Witness {
    fn of(value: &Value) -> Self {
        match value.truth() {
            Some(true) => Witness::Yes,
            Some(false) => Witness::No,
            None => Witness::Unknown,
        }
    }

    /// The conjunction of two answers.
    #[must_use]
    pub fn and(self, other: Witness) -> Self {
        self.max(other)
    }
}

/// Candidates and the answer for each.
type Judged<T> = Arc<Vec<(T, Witness)>>;

/// Reads and evaluates conditions, each once.
#[derive(Debug, Default)]
pub struct Judge {
    classes: Classes,
    parsed: Memo<String, Condition>,
    types: Memo<String, Vec<(Type, Witness)>>,
    attrs: Memo<String, Vec<(Attr, Witness)>>,
}

impl Judge {
    /// Creates a judge that knows the types, attributes and interfaces of these records.
    #[must_use]
    pub fn new(all: &[&Records]) -> Self {
        Judge { classes: Classes::new(all), ..Judge::default() }
    }

    /// The C++ classes of the records.
    #[must_use]
    pub fn classes(&self) -> &Classes {
        &self.classes
    }

    /// Parses a condition.
    #[must_use]
    pub fn read(&self, condition: &str) -> Arc<Condition> {
        self.parsed.get::<str>(condition, || Condition::parse(condition))
    }

    /// Evaluates a C++ condition on `$_self`.
    fn satisfies(&self, condition: &Condition, it: &Value) -> Witness {
        Witness::of(&eval::eval(condition, &Env::of_self(it), &self.classes))
    }

    /// Tests a type against a C++ condition on `$_self`.
    #[must_use]
    pub fn type_satisfies(&self, condition: &str, ty: &Type) -> Witness {
        self.satisfies(&self.read(condition), &Value::Type(ty.clone()))
    }

    /// Tests an attribute against a C++ condition on `$_self`.
    #[must_use]
    pub fn attr_satisfies(&self, condition: &str, attr: &Attr) -> Witness {
        self.satisfies(&self.read(condition), &Value::Attr(attr.clone()))
    }

    /// Evaluates a condition on named values: `$lhs.getType() == $rhs.getType()`.
    #[must_use]
    pub fn holds(&self, condition: &Condition, env: &Env<'_>) -> Witness {
        Witness::of(&eval::eval(condition, env, &self.classes))
    }

    /// Evaluates an expression on named values.
    #[must_use]
    pub fn value(&self, expression: &Condition, env: &Env<'_>) -> Value {
        eval::eval(expression, env, &self.classes)
    }

    /// All types of the table, with the answer for each, and the types that the condition names unless they fail it.
    #[must_use]
    pub fn witnesses(&self, constraint: Constraint<'_>) -> Judged<Type> {
        let condition = constraint.condition();
        self.types.get::<str>(condition.as_str(), || self.find_types(&condition))
    }

    fn find_types(&self, condition: &str) -> Vec<(Type, Witness)> {
        let expr = self.read(condition);
        let judged = |ty: Type| {
            let value = Value::Type(ty);
            let witness = self.satisfies(&expr, &value);
            if let Value::Type(ty) = value { Some((ty, witness)) } else { None }
        };
        let mut all: Vec<(Type, Witness)> = types::table().iter().cloned().filter_map(judged).collect();
        let named = types::named_in(condition).into_iter().chain(self.classes.types_named_in(condition));
        for ty in named {
            if all.iter().all(|(known, _)| *known != ty) {
                all.extend(judged(ty).filter(|(_, witness)| *witness != Witness::No));
            }
        }
        all
    }

    /// Attributes that may satisfy a condition: those that do first, then the unknown ones.
    #[must_use]
    pub fn attributes(&self, condition: &str) -> Judged<Attr> {
        self.attrs.get::<str>(condition, || self.find_attributes(condition))
    }

    fn find_attributes(&self, condition: &str) -> Vec<(Attr, Witness)> {
        let named: Vec<Value> = attrs::named_in(condition).into_iter().map(Value::Attr).collect();
        let expr = self.read(condition);
        // Most attributes fail the condition, so failures are not stored.
        let judged = attrs::table().iter().chain(&named).filter_map(|value| match value {
            Value::Attr(attr) => match self.satisfies(&expr, value) {
                Witness::No => None,
                witness => Some((attr.clone(), witness)),
            },
            _ => None,
        });
        let mut found: Vec<(Attr, Witness)> = judged.collect();
        found.sort_by_key(|(_, witness)| *witness);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::{types::Parameter, *};

    fn check(condition: &str, yes: &[&str], no: &[&str], unknown: &[&str]) {
        let judge = Judge::default();
        for (expected, names) in [(Witness::Yes, yes), (Witness::No, no), (Witness::Unknown, unknown)] {
            for name in names {
                let ty = types::table().iter().find(|ty| ty.to_string() == *name);
                let ty = ty.unwrap_or_else(|| panic!("{name} is not in the table"));
                assert_eq!(judge.type_satisfies(condition, ty), expected, "{condition} of {name}");
            }
        }
    }

    #[test]
    fn known_leaves_decide() {
        check("($_self.isSignlessInteger(32))", &["i32"], &["i64", "si32", "f32", "tensor<4xi32>"], &[]);
        check(
            "(::llvm::isa<::mlir::ShapedType>($_self))",
            &["vector<4xf32>", "memref<*xf32>"],
            &["i32"],
            &[],
        );
    }

    #[test]
    fn parameters_of_types_are_known_by_name() {
        let judge = Judge::default();
        let pointer = |pointee: Type| Type::Def {
            class: "mlir::spirv::PointerType".to_owned(),
            text: format!("!spirv.ptr<{pointee}, Function>"),
            parameters: vec![
                ("pointeeType".into(), Parameter::Type(pointee)),
                ("storageClass".into(), Parameter::Case("Function".into())),
            ],
        };
        let answer = |condition: &str, width| judge.type_satisfies(condition, &pointer(Type::int(width)));
        let pointee = "::llvm::cast<PointerType>($_self).getPointeeType().isInteger(32)";
        assert_eq!([answer(pointee, 32), answer(pointee, 64)], [Witness::Yes, Witness::No]);
        let input = "::llvm::is_contained({::mlir::spirv::StorageClass::Input}, $_self.getStorageClass())";
        assert_eq!(
            [answer(input, 32), answer(&input.replace("Input", "Function"), 32)],
            [Witness::No, Witness::Yes]
        );
        assert_eq!(answer("$_self.getOther() == 1", 32), Witness::Unknown);
        assert_eq!(answer("::llvm::isa<::mlir::quant::QuantizedType>($_self)", 32), Witness::No);
        assert_eq!(answer("::llvm::isa<::mlir::quant::UniformQuantizedType>($_self)", 32), Witness::Unknown);
        assert_eq!(pointer(Type::int(32)).same(&pointer(Type::int(64))), Some(false));
        assert_eq!(pointer(Type::int(32)).same(&pointer(Type::int(32))), Some(true));
    }

    #[test]
    fn types_of_emitc_are_those_of_c() {
        let supported = "emitc::isSupportedEmitCType($_self)";
        check(
            supported,
            &["i32", "f32", "index", "tensor<4xf32>"],
            &["f80", "tensor<?xf32>", "memref<4xf32>"],
            &["bf16"],
        );
        check("emitc::isIntegerIndexOrOpaqueType($_self)", &["i8", "index"], &["f32", "tensor<4xi32>"], &[]);
    }

    #[test]
    fn vectors_are_built_of_others() {
        let judge = Judge::default();
        let tile = Type::Vector(vec![4, 4], 0b11, Box::new(Type::Float("f32")));
        let slice = Type::Vector(vec![4], 1, Box::new(Type::Float("f32")));
        for slice_of in [
            "VectorType(VectorType::Builder(::llvm::cast<mlir::VectorType>($_self)).dropDim(0))",
            "VectorType::get($_self.getShape().drop_front(), $_self.getElementType(), /*scalableDims=*/{true})",
        ] {
            let value = Value::Type(tile.clone());
            assert_eq!(judge.value(&judge.read(slice_of), &Env::of_self(&value)), Value::Type(slice.clone()));
        }
    }

    #[test]
    fn elements_are_looked_at() {
        let element = "[](::mlir::Type elementType) { return (elementType.isF32()) || (elementType.isF64()); }\
            (::llvm::cast<::mlir::ShapedType>($_self).getElementType())";
        let condition = format!("((::llvm::isa<::mlir::VectorType>($_self))) && ({element})");
        check(&condition, &["vector<4xf32>"], &["vector<4xi32>", "tensor<4xf32>", "f32"], &[]);
    }

    #[test]
    fn what_is_not_understood_stays_unknown() {
        check("(mine::isGood($_self))", &[], &[], &["i32", "none"]);
        check("((mine::isGood($_self))) || (($_self.isF32()))", &["f32"], &[], &["i32"]);
        check("((mine::isGood($_self))) && (($_self.isF32()))", &[], &["i32"], &["f32"]);
        check("!((mine::isGood($_self)))", &[], &[], &["i32"]);
        check("(@@ $_self ? 1 : #)", &[], &[], &["i32"]);
        check("(::llvm::cast<::mlir::VectorType>($_self).getRank() == 1)", &["vector<4xf32>"], &[], &["i32"]);
    }
}
