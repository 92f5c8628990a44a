//! Integers: `!add !sub !mul !div !not !logtwo !and !or !xor !shl !sra !srl`.

use super::{Binary, Evaluator, Fold, Folded, Folding, Form, Operands, Operator};
use crate::record::TypeId;
use odsmith_release::Change;

const fn binary(name: &'static str, nests: bool, fold: Fold) -> Operator {
    let types = Binary { result: Some(TypeId::INT), operands: Operands::All(TypeId::INT), nests };
    Operator::new(name, Form::Binary(types), fold)
}

fn ints(cx: &mut Evaluator<'_>, folding: &Folding<'_>, combine: impl Fn(i64, i64) -> i64) -> Folded {
    let (Some(a), Some(b)) = (cx.int_of(folding.operands[0]), cx.int_of(folding.operands[1])) else {
        return Ok(None);
    };
    Ok(Some(cx.keeper.arena.int(combine(a, b))))
}

/// `!add(a, b, ...)`.
pub(super) const ADD: Operator =
    binary("add", true, |cx, folding| ints(cx, folding, i64::wrapping_add)).pure();
/// `!sub(a, b)`.
pub(super) const SUB: Operator =
    binary("sub", false, |cx, folding| ints(cx, folding, i64::wrapping_sub)).pure();
/// `!mul(a, b, ...)`.
pub(super) const MUL: Operator =
    binary("mul", true, |cx, folding| ints(cx, folding, i64::wrapping_mul)).pure();
/// `!xor(a, b, ...)`.
pub(super) const XOR: Operator = binary("xor", true, |cx, folding| ints(cx, folding, |a, b| a ^ b)).pure();

/// `!div(a, b)`, rounded to zero.
pub(super) const DIV: Operator = binary("div", false, |cx, folding| {
    let (a, b) = (cx.int_of(folding.operands[0]), cx.int_of(folding.operands[1]));
    match (a, b) {
        (Some(_), Some(0)) => cx.fold_fatal(folding, "Illegal operation: division by zero"),
        (Some(i64::MIN), Some(-1)) => cx.fold_fatal(folding, "Illegal operation: INT64_MIN / -1"),
        (Some(a), Some(b)) => Ok(Some(cx.keeper.arena.int(a / b))),
        _ => Ok(None),
    }
})
.since(Change::DivisionAndRemoval);

/// `!and(a, b, ...)`; an operand that is 0 decides.
pub(super) const AND: Operator = binary("and", true, |cx, folding| {
    let (a, b) = (cx.int_of(folding.operands[0]), cx.int_of(folding.operands[1]));
    let value = match (a, b) {
        (Some(a), Some(b)) => a & b,
        _ => return Ok(None),
    };
    Ok(Some(cx.keeper.arena.int(value)))
})
.pure()
.decided_by(0);

/// `!or(a, b, ...)`; an operand that is -1 decides.
pub(super) const OR: Operator = binary("or", true, |cx, folding| {
    let (a, b) = (cx.int_of(folding.operands[0]), cx.int_of(folding.operands[1]));
    let value = match (a, b) {
        (Some(a), Some(b)) => a | b,
        _ => return Ok(None),
    };
    Ok(Some(cx.keeper.arena.int(value)))
})
.pure()
.decided_by(-1);

fn shift(cx: &mut Evaluator<'_>, folding: &Folding<'_>, combine: impl Fn(i64, u32) -> i64) -> Folded {
    let (Some(a), Some(by)) = (cx.int_of(folding.operands[0]), cx.int_of(folding.operands[1])) else {
        return Ok(None);
    };
    let by = if cx.keeper.rules.has(Change::BoundedShifts) { by } else { by & 63 };
    match u32::try_from(by) {
        Ok(by @ 0..64) => Ok(Some(cx.keeper.arena.int(combine(a, by)))),
        _ => cx.fold_fatal(folding, "Illegal operation: out of bounds shift"),
    }
}

/// `!shl(a, by)`.
pub(super) const SHL: Operator = binary("shl", false, |cx, folding| shift(cx, folding, |a, by| a << by));
/// `!sra(a, by)`: the sign stays.
pub(super) const SRA: Operator = binary("sra", false, |cx, folding| shift(cx, folding, |a, by| a >> by));
/// `!srl(a, by)`: zeros come in.
pub(super) const SRL: Operator =
    binary("srl", false, |cx, folding| shift(cx, folding, |a, by| (a as u64 >> by) as i64));

/// `!not(x)`: 1 for 0, else 0.
pub(super) const NOT: Operator = Operator::new("not", Form::Unary(|_, _| Ok(TypeId::INT)), |cx, folding| {
    Ok(cx.int_of(folding.operands[0]).map(|int| cx.keeper.arena.int(i64::from(int == 0))))
})
.pure();

/// `!logtwo(x)`, rounded down.
pub(super) const LOGTWO: Operator =
    Operator::new("logtwo", Form::Unary(|_, _| Ok(TypeId::INT)), |cx, folding| {
        match cx.int_of(folding.operands[0]) {
            None => Ok(None),
            Some(int) if int > 0 => Ok(Some(cx.keeper.arena.int(i64::from(int.ilog2())))),
            Some(_) => {
                let message = "Illegal operation: logtwo is undefined on arguments less than or equal to 0";
                cx.fold_fatal(folding, message)
            }
        }
    })
    .since(Change::DivisionAndRemoval);
