//! Comparisons: `!eq !ne !lt !le !gt !ge`.

use std::cmp::Ordering;

use super::{Binary, Evaluator, Fold, Folded, Folding, Form, Operands, Operator};
use crate::record::{Init, InitId, TypeId};

const fn comparison(name: &'static str, operands: Operands, fold: Fold) -> Operator {
    let types = Binary { result: Some(TypeId::BIT), operands, nests: false };
    Operator::new(name, Form::Binary(types), fold)
}

/// Compares integers by value, strings bytewise.
fn order(cx: &mut Evaluator<'_>, folding: &Folding<'_>) -> Option<Ordering> {
    let [a, b] = folding.operands else { return None };
    if let (Some(a), Some(b)) = (cx.int_of(*a), cx.int_of(*b)) {
        return Some(a.cmp(&b));
    }
    let (a, b) = cx.two_strings(folding)?;
    Some(cx.str(a).cmp(cx.str(b)))
}

/// Compares records by identity, and ordered values by their order.
fn equal(cx: &mut Evaluator<'_>, folding: &Folding<'_>) -> Option<bool> {
    let [a, b] = folding.operands else { return None };
    if let (Init::Def(a), Init::Def(b)) = (cx.keeper.arena.init(*a), cx.keeper.arena.init(*b)) {
        return Some(a == b);
    }
    if let (Init::Bits(x), Init::Bits(y)) = (cx.keeper.arena.init(*a), cx.keeper.arena.init(*b))
        && x.len == y.len
    {
        // Bits that are not set are equal to nothing.
        let is_known =
            |bits| cx.keeper.arena.seq(bits).all(|bit| matches!(cx.keeper.arena.init(bit), Init::Bit(_)));
        return (is_known(x) && is_known(y)).then_some(a == b);
    }
    if let Some((a, b)) = cx.two_strings(folding) {
        return Some(a == b);
    }
    order(cx, folding).map(Ordering::is_eq)
}

fn decided(is: Option<bool>) -> Folded {
    Ok(is.map(InitId::bit))
}

/// `!eq(a, b)`.
pub(super) const EQ: Operator =
    comparison("eq", Operands::Equatable, |cx, folding| decided(equal(cx, folding))).pure();
/// `!ne(a, b)`.
pub(super) const NE: Operator =
    comparison("ne", Operands::Equatable, |cx, folding| decided(equal(cx, folding).map(|is| !is))).pure();
/// `!lt(a, b)`.
pub(super) const LT: Operator =
    comparison("lt", Operands::Ordered, |cx, folding| decided(order(cx, folding).map(Ordering::is_lt)))
        .pure();
/// `!le(a, b)`.
pub(super) const LE: Operator =
    comparison("le", Operands::Ordered, |cx, folding| decided(order(cx, folding).map(Ordering::is_le)))
        .pure();
/// `!gt(a, b)`.
pub(super) const GT: Operator =
    comparison("gt", Operands::Ordered, |cx, folding| decided(order(cx, folding).map(Ordering::is_gt)))
        .pure();
/// `!ge(a, b)`.
pub(super) const GE: Operator =
    comparison("ge", Operands::Ordered, |cx, folding| decided(order(cx, folding).map(Ordering::is_ge)))
        .pure();
