//! Implication between the predicates of constraints.
//!
//! An operand's constraint changes from one condition to another. Does everything that satisfies the old one satisfy
//! the new one? Three pairs, and the answers:
//!
//! ```text
//! I32                     implies AnyTypeOf<[I32, F32]>    yes
//! AnyInteger              implies AnyTypeOf<[I32, I64]>    no, for example i1
//! CPred<"isFoo($_self)">  implies CPred<"isBar($_self)">   unknown: only C++ knows
//! ```
//!
//! * [`condition`]: conditions as data, and how a predicate becomes one;
//! * `atom`: the meaning of leaves that use MLIR's own library: classes, widths, signs, comparisons of numbers;
//! * `sat`: the satisfiability of a formula.
//!
//! ```text
//! old ∧ ¬new ─ atoms ─ clauses ─ sat ─ Answer
//! ```
//!
//! An unknown leaf is free: it may be true or false. So a "yes" relies on no assumption, and an answer that depends on
//! a free leaf is not "no" but "unknown".

mod atom;
pub mod condition;
mod sat;

pub use condition::Condition;

use serde::{Deserialize, Serialize};

/// The default work limit of one question.
pub const WORK: u64 = 200_000;

/// The answer to whether one condition implies another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// An implication.
    Yes,
    /// A counterexample.
    No(Witness),
    /// Only C++ knows.
    Unknown(Witness),
    /// The work limit was reached.
    TooMuchWork,
}

/// A counterexample: it satisfies one condition, but not the other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Witness {
    /// The truth of each leaf that matters.
    pub leaves: Vec<(String, bool)>,
    /// A type or attribute of this kind, for messages, if one can be named.
    pub example: Option<String>,
}

/// Decides if everything that satisfies `old` satisfies `new`.
#[must_use]
pub fn implies(old: &Condition, new: &Condition, work: u64) -> Answer {
    let mut work = work;
    implies_within(old, new, &mut work, 0)
}

/// Returns true if something satisfies a condition, or `None` if that is unknown.
#[must_use]
pub fn is_satisfiable(condition: &Condition, work: u64) -> Option<bool> {
    match implies(condition, &Condition::Or(Vec::new()), work) {
        Answer::Yes => Some(false),
        Answer::No(_) => Some(true),
        Answer::Unknown(_) | Answer::TooMuchWork => None,
    }
}

/// The nesting limit for conditions on parts.
const DEPTH: u32 = 4;

fn implies_within(old: &Condition, new: &Condition, work: &mut u64, depth: u32) -> Answer {
    if old == new {
        return Answer::Yes;
    }
    let mut theory = atom::Theory::default();
    let question = Condition::And(vec![old.clone(), Condition::Not(Box::new(new.clone()))]);
    let formula = theory.read(&question);
    if theory.is_large() {
        return Answer::TooMuchWork;
    }
    theory.relate_quantified(&mut |one, other| {
        depth < DEPTH && implies_within(one, other, work, depth + 1) == Answer::Yes
    });
    // A class of a dialect is most likely no builtin one; but it may be an interface of one, so that nothing follows
    // from that.
    let assumptions: &[bool] = if theory.has_dialect_classes() { &[true, false] } else { &[false] };
    for &are_apart in assumptions {
        let mut clauses = sat::Clauses::new(theory.variables());
        theory.clauses(&mut clauses, are_apart);
        clauses.require(&formula);
        match clauses.solve(work) {
            None => return Answer::TooMuchWork,
            Some(None) => {}
            Some(Some(model)) => {
                let (witness, is_known) = theory.witness(&formula, &model);
                return match (is_known, theory.certain_witness(&formula)) {
                    (true, _) => Answer::No(witness),
                    (false, Some(certain)) => Answer::No(certain),
                    (false, None) => Answer::Unknown(witness),
                };
            }
        }
    }
    Answer::Yes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_about_very_many_values() {
        let of = |first: u32| {
            let leaf = |width: u32| Condition::Leaf(format!("$_self.isSignlessInteger({width})"));
            Condition::Or((first..first + 4000).map(leaf).collect())
        };
        assert_eq!(implies(&of(1), &of(2), WORK), Answer::TooMuchWork);
        assert_eq!(implies(&of(1), &of(1), WORK), Answer::Yes);
    }

    fn leaf(text: &str) -> Condition {
        Condition::leaf(text)
    }

    fn any(texts: &[&str]) -> Condition {
        Condition::Or(texts.iter().map(|text| leaf(text)).collect())
    }

    #[track_caller]
    fn check(old: &Condition, new: &Condition, wanted: Option<bool>, example: Option<&str>) {
        let answer = implies(old, new, WORK);
        let (truth, witness) = match &answer {
            Answer::Yes => (Some(true), None),
            Answer::No(witness) => (Some(false), Some(witness)),
            Answer::Unknown(witness) => (None, Some(witness)),
            Answer::TooMuchWork => panic!("too much work"),
        };
        assert_eq!(truth, wanted, "{answer:?}");
        if example.is_some() {
            assert_eq!(witness.and_then(|witness| witness.example.as_deref()), example, "{answer:?}");
        }
    }

    #[test]
    fn integers_and_floats() {
        let i32 = leaf("($_self.isSignlessInteger(32))");
        let i64 = leaf("($_self.isSignlessInteger(64))");
        let integer = leaf("(::llvm::isa<::mlir::IntegerType>($_self))");
        check(&i32, &integer, Some(true), None);
        check(
            &integer,
            &any(&["$_self.isSignlessInteger(32)", "$_self.isSignlessInteger(64)"]),
            Some(false),
            Some("i1"),
        );
        check(&i32, &i64, Some(false), Some("i32"));
        check(&i32, &leaf("$_self.isInteger(32)"), Some(true), None);
        check(&leaf("$_self.isInteger(32)"), &i32, Some(false), Some("si32"));
        check(&leaf("$_self.isF32()"), &leaf("isa<FloatType>($_self)"), Some(true), None);
        check(&leaf("$_self.isF32()"), &leaf("isa<Float32Type>($_self)"), Some(true), None);
        check(&Condition::And(Vec::new()), &integer, Some(false), Some("index"));
    }

    #[test]
    fn shapes_and_elements() {
        let vector = leaf("(::llvm::isa<::mlir::VectorType>($_self))");
        let shaped = leaf("(::llvm::isa<::mlir::ShapedType>($_self))");
        check(&vector, &shaped, Some(true), None);
        check(&vector, &leaf("((::llvm::cast<::mlir::ShapedType>($_self).hasRank()))"), Some(true), None);
        let element = |text: &str| {
            leaf(&format!(
                "[](::mlir::Type elementType) {{ return ({text}); }}(::llvm::cast<::mlir::ShapedType>($_self).getElementType())"
            ))
        };
        let of = |text: &str| Condition::And(vec![vector.clone(), element(text)]);
        check(&of("elementType.isF32()"), &of("::llvm::isa<FloatType>(elementType)"), Some(true), None);
        check(
            &of("::llvm::isa<FloatType>(elementType)"),
            &of("elementType.isF32()"),
            Some(false),
            Some("vector<4xf16>"),
        );
        let rank = |text: &str| leaf(&format!("(::llvm::cast<VectorType>($_self).getRank() {text})"));
        check(&rank("== 2"), &rank(">= 1"), Some(true), None);
        check(&rank("> 1"), &rank("!= 1"), Some(true), None);
        check(&rank(">= 1"), &rank("== 1"), Some(false), None);
    }

    #[test]
    fn what_only_cpp_knows() {
        let (foo, bar) = (leaf("isFoo($_self)"), leaf("isBar($_self)"));
        check(&foo, &bar, None, None);
        check(&foo, &Condition::Or(vec![foo.clone(), bar.clone()]), Some(true), None);
        check(&Condition::And(vec![foo.clone(), bar.clone()]), &foo, Some(true), None);
        check(&foo, &leaf("( isFoo( $_self ) )"), Some(true), None);
        check(&leaf("isa<FixedVectorType>($_self)"), &leaf("isa<VectorType>($_self)"), Some(true), None);
        check(&leaf("isa<ShapedType>($_self)"), &leaf("!isa<TokenType>($_self)"), Some(true), None);
        check(&leaf("isa<MemRefType>($_self)"), &leaf("!isa<PointerLikeType>($_self)"), None, None);
        let like =
            leaf("$_self.isSignlessIntOrIndex() || $_self.hasTrait<ValueSemantics>() && isFoo($_self)");
        check(&like, &leaf("isa<IndexType>($_self)"), Some(false), Some("i1"));
        // A class of a dialect is distinct.
        check(&any(&["isa<A>($_self)", "isa<B>($_self)"]), &leaf("isa<A>($_self)"), Some(false), None);
        check(&leaf("isa<A>($_self)"), &leaf("isa<BInterface>($_self)"), None, None);
        check(&leaf("isa<A, B>($_self)"), &any(&["isa<B>($_self)", "isa<A>($_self)"]), Some(true), None);
    }

    #[test]
    fn all_of_many() {
        let all = |child: Condition| Condition::Quantified {
            prefix: "llvm::all_of($_self, [](Type t) { return ".to_owned(),
            child: Box::new(child),
            suffix: "; })".to_owned(),
        };
        let (i32, integer) = (leaf("t.isSignlessInteger(32)"), leaf("isa<IntegerType>(t)"));
        check(&all(i32.clone()), &all(integer.clone()), Some(true), None);
        check(&all(integer), &all(i32), None, None);
    }

    #[test]
    fn nothing_follows_from_a_text_that_cannot_be_read() {
        for text in [
            "",
            "(",
            ")",
            "!",
            "!!",
            "isa<>()",
            "isa<",
            "a.b(",
            "a ==",
            "== 1",
            "[](",
            "[](T){return;}()",
            "x.cast<",
            "cast<A>(",
            "ä && ö",
            "a || || b",
            ">1",
            "<1",
            "99999999999999999999 == 99999999999999999999",
        ] {
            check(&leaf(text), &leaf(text), Some(true), None);
            check(&leaf(text), &leaf("c"), None, None);
            check(&leaf("c"), &leaf(text), None, None);
        }
    }

    /// A pseudorandom number generator.
    struct Random(u64);

    impl Random {
        fn below(&mut self, limit: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % limit
        }

        fn condition(&mut self, depth: usize) -> Condition {
            if depth == 0 {
                return leaf(LEAVES[self.below(LEAVES.len())].0);
            }
            match self.below(3) {
                0 => Condition::Not(Box::new(self.condition(depth - 1))),
                kind => {
                    let count = 1 + self.below(3);
                    let children = (0..count).map(|_| self.condition(depth - 1)).collect();
                    if kind == 1 { Condition::And(children) } else { Condition::Or(children) }
                }
            }
        }
    }

    /// Types, and the types that satisfy each leaf.
    const TYPES: &[&str] =
        &["i1", "i32", "si32", "f16", "f32", "index", "vector<4xf32>", "tensor<*xf32>", "else"];
    const LEAVES: &[(&str, &[&str])] = &[
        ("$_self.isSignlessInteger(32)", &["i32"]),
        ("$_self.isInteger(32)", &["i32", "si32"]),
        ("isa<IntegerType>($_self)", &["i1", "i32", "si32"]),
        ("isa<FloatType>($_self)", &["f16", "f32"]),
        ("$_self.isF32()", &["f32"]),
        ("isa<IndexType>($_self)", &["index"]),
        ("isa<ShapedType>($_self)", &["vector<4xf32>", "tensor<*xf32>"]),
        ("isa<VectorType>($_self)", &["vector<4xf32>"]),
        ("isFoo($_self)", &[]),
        ("isBar($_self)", &[]),
    ];

    fn holds(condition: &Condition, ty: &str, free: usize) -> bool {
        match condition {
            Condition::Leaf(text) => match text.as_str() {
                "isFoo($_self)" => free & 1 == 1,
                "isBar($_self)" => free & 2 == 2,
                text => LEAVES.iter().any(|(leaf, types)| *leaf == text && types.contains(&ty)),
            },
            Condition::Not(child) => !holds(child, ty, free),
            Condition::And(children) => children.iter().all(|child| holds(child, ty, free)),
            Condition::Or(children) => children.iter().any(|child| holds(child, ty, free)),
            Condition::Quantified { .. } => panic!("no such condition is made"),
        }
    }

    #[test]
    fn agrees_with_trying_all_types() {
        let mut random = Random(3);
        let mut counts = [0; 3];
        for _ in 0..2000 {
            let depth = 1 + random.below(3);
            let (old, new) = (random.condition(depth), random.condition(depth));
            let breaks = |ty: &str, free: usize| holds(&old, ty, free) && !holds(&new, ty, free);
            let is_broken = TYPES.iter().any(|ty| (0..4).any(|free| breaks(ty, free)));
            match implies(&old, &new, 10 * WORK) {
                Answer::Yes => {
                    assert!(!is_broken, "{old:?} {new:?}");
                    counts[0] += 1;
                }
                Answer::No(witness) => {
                    // For all values of the unknown leaves.
                    assert!(is_broken, "{old:?} {new:?} {witness:?}");
                    if let Some(ty) = witness.example.filter(|ty| TYPES.contains(&ty.as_str())) {
                        assert!((0..4).all(|free| breaks(&ty, free)), "{old:?} {new:?} {ty}");
                    }
                    counts[1] += 1;
                }
                Answer::Unknown(_) => {
                    assert!(is_broken, "{old:?} {new:?}");
                    counts[2] += 1;
                }
                Answer::TooMuchWork => panic!("too much work: {old:?} {new:?}"),
            }
        }
        assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
    }
}
