//! `!range` from the releases in which it had no step: read like an operator of two operands.

use super::{Evaluator, SIZE};
use crate::{
    eval::Parsed,
    record::{InitId, OperatorId, TypeId},
    span::Span,
    syntax::TokenKind,
};

/// Reads `!range([start,] end)` or `!range(list)`.
pub(super) fn read(
    cx: &mut Evaluator<'_>,
    operator: OperatorId,
    operator_span: Span,
    wanted: Option<TypeId>,
) -> Parsed<InitId> {
    let list = cx.keeper.arena.list_type(TypeId::INT);
    check_wanted(cx, list, operator_span, wanted)?;
    cx.expect(TokenKind::LParen, "expected '(' after binary operator")?;
    let operands = read_operands(cx, operator_span)?;
    let zero = cx.keeper.arena.int(0);
    match operands[..] {
        [end] if cx.type_of(end) == Some(TypeId::INT) => cx.fold_now(operator, list, &[zero, end]),
        [items] => {
            let end = cx.fold_now(SIZE, TypeId::INT, &[items])?;
            cx.fold_now(operator, list, &[zero, end])
        }
        [start, end] => cx.fold_now(operator, list, &[start, end]),
        _ => cx.fail(operator_span, "expected at most two values of integer"),
    }
}

fn check_wanted(cx: &mut Evaluator<'_>, list: TypeId, at: Span, wanted: Option<TypeId>) -> Parsed<()> {
    let Some(wanted) = wanted.filter(|&wanted| !cx.is_convertible(list, wanted)) else { return Ok(()) };
    let message = format!("expected value of type '{}', got '{}'", cx.show_type(wanted), cx.show_type(list));
    cx.fail(at, message)
}

/// Reads the operands, up to and including the `)`: a list alone, or integers.
fn read_operands(cx: &mut Evaluator<'_>, operator_span: Span) -> Parsed<Vec<InitId>> {
    let mut operands = Vec::new();
    let mut agreed = None;
    loop {
        let span = cx.token.span;
        let operand = cx.value(agreed)?;
        let Some(own) = cx.type_of(operand) else {
            return cx.fail(operator_span, "expected value to be a typed value, got '?'");
        };
        check_operand(cx, agreed, own, span)?;
        agreed = agreed.or(Some(own));
        operands.push(operand);
        if !cx.eat(TokenKind::Comma) {
            break;
        }
    }
    cx.expect(TokenKind::RParen, "expected ')' in operator")?;
    Ok(operands)
}

/// Checks the type of an operand; `first` is the type of those before it.
fn check_operand(cx: &mut Evaluator<'_>, first: Option<TypeId>, own: TypeId, at: Span) -> Parsed<()> {
    let is_list = cx.element_type(own).is_some();
    let message = match first {
        None if is_list || own == TypeId::INT => return Ok(()),
        None => "expected list or int, got value of type",
        Some(TypeId::INT) if cx.common_type(TypeId::INT, own).is_some() => return Ok(()),
        Some(TypeId::INT) => "expected value of type 'int', got",
        Some(_) => "expected one list, got extra value of type",
    };
    let shown = cx.show_type(own);
    cx.fail(at, format!("{message} '{shown}'"))
}
