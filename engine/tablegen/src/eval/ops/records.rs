//! Operators on records and types: `!cast !isa !exists !instances !initialized`.

use super::{Completeness, Evaluator, Folded, Folding, Form, Notation, Operator};
use crate::{
    eval::Parsed,
    record::{Init, InitId, OperatorId, Type, TypeId, order},
    span::Span,
    syntax::TokenKind,
};
use odsmith_release::Change;

/// `!cast<type>(x)`: a string to the record of that name, a record to its name, a value to another type.
pub(super) const CAST: Operator =
    Operator::new("cast", Form::Special(read_cast), fold_cast).waits_for_the_end().written(Notation::Typed);

fn read_cast(cx: &mut Evaluator<'_>, operator: OperatorId, _: Span, _: Option<TypeId>) -> Parsed<InitId> {
    let Ok(ty) = cx.read_operator_type() else {
        return cx.fail_here("did not get type for unary operator");
    };
    cx.expect(TokenKind::LParen, "expected '(' after unary operator")?;
    let operand = cx.value(None)?;
    cx.expect(TokenKind::RParen, "expected ')' in unary operator")?;
    cx.fold_now(operator, ty, &[operand])
}

fn fold_cast(cx: &mut Evaluator<'_>, folding: &Folding<'_>) -> Folded {
    let operand = folding.operands[0];
    if operand == InitId::UNSET {
        return Ok(Some(operand));
    }
    if folding.ty == TypeId::STRING {
        if cx.type_of(operand) == Some(TypeId::STRING) {
            return Ok(Some(operand));
        }
        // Lists and dags have no text; they stay, and are reported as unresolved.
        let text = match (cx.keeper.arena.init(operand), cx.int_of(operand)) {
            (Init::Def(record), _) => cx.show_name(record),
            (_, Some(int)) => int.to_string(),
            _ => return Ok(None),
        };
        return Ok(Some(cx.keeper.arena.string_init(&text)));
    }
    if matches!(cx.keeper.arena.ty(folding.ty), Type::Record(_))
        && let Some(name) = cx.string_of(operand)
    {
        if folding.record.is_none() && !cx.keeper.rules.has(Change::CastsOutsideRecords) {
            return Ok(None);
        }
        let found = cx.keeper.defs.get(name);
        let current = folding.record.filter(|&record| cx.keeper.name(record) == Some(name));
        let Some(record) = found.or(current) else {
            if !folding.is_final {
                return Ok(None);
            }
            let message = format!("Undefined reference to record: '{}'\n", cx.str(name));
            return cx.fold_fatal(folding, message);
        };
        if found.is_none() && !folding.is_final {
            // A record that mentions itself: its type is known once it is finished.
            return Ok(None);
        }
        let own = cx.record_type(record);
        if !cx.is_a(own, folding.ty) {
            let message = format!(
                "Expected type '{}', got '{}' in: !cast<{}>(\"{}\")\n",
                cx.show_type(folding.ty),
                cx.show_type(own),
                cx.show_type(folding.ty),
                cx.str(name)
            );
            return cx.fold_fatal(folding, message);
        }
        return Ok(Some(cx.keeper.arena.intern(Init::Def(record))));
    }
    Ok(cx.convert(operand, folding.ty))
}

/// `!isa<type>(x)`: whether the type of `x` is that type.
pub(super) const ISA: Operator = Operator::new("isa", Form::Special(read_isa), fold_isa)
    .complete(Completeness::Never)
    .written(Notation::Typed);

fn read_isa(cx: &mut Evaluator<'_>, operator: OperatorId, _: Span, _: Option<TypeId>) -> Parsed<InitId> {
    let ty = cx.read_operator_type()?;
    cx.expect(TokenKind::LParen, "expected '(' after type of !isa")?;
    let operand = cx.value(None)?;
    cx.expect(TokenKind::RParen, "expected ')' in !isa")?;
    cx.fold_now(operator, ty, &[operand])
}

fn fold_isa(cx: &mut Evaluator<'_>, folding: &Folding<'_>) -> Folded {
    let operand = folding.operands[0];
    let Some(own) = cx.type_of(operand) else { return Ok(None) };
    let answer = |cx: &mut Evaluator<'_>, is: bool| Ok(Some(cx.keeper.arena.int(i64::from(is))));
    if cx.is_convertible(own, folding.ty) {
        return answer(cx, true);
    }
    let may_turn_out = cx.may_turn_out(own, folding.ty);
    if may_turn_out && !cx.keeper.arena.is_closed(operand) { Ok(None) } else { answer(cx, false) }
}

impl Evaluator<'_> {
    /// Returns true if a value of type `own` may later have type `ty`: a record may derive from more classes than its
    /// type shows.
    fn may_turn_out(&self, own: TypeId, ty: TypeId) -> bool {
        let is_record = matches!(self.keeper.arena.ty(ty), Type::Record(_));
        is_record && (self.keeper.rules.has(Change::IsaOfAnyClass) || self.is_convertible(ty, own))
    }
}

/// `!exists<class>(name)`: whether a record of that name and class was made before.
pub(super) const EXISTS: Operator = Operator::new("exists", Form::Special(read_exists), fold_exists)
    .waits_for_the_end()
    .complete(Completeness::Never)
    .written(Notation::Typed)
    .since(Change::Exists);

fn read_exists(cx: &mut Evaluator<'_>, operator: OperatorId, _: Span, _: Option<TypeId>) -> Parsed<InitId> {
    let ty = cx.read_operator_type()?;
    cx.expect(TokenKind::LParen, "expected '(' after type of !exists")?;
    let span = cx.token.span;
    let operand = cx.value(None)?;
    match cx.type_of(operand) {
        Some(TypeId::STRING) => {}
        Some(own) if matches!(cx.keeper.arena.ty(own), Type::Record(_)) => {
            let message = "expected string type argument in !exists operator, please use !isa instead";
            return cx.fail(span, message);
        }
        _ => return cx.fail(span, "expected string type argument in !exists operator"),
    }
    cx.expect(TokenKind::RParen, "expected ')' in !exists")?;
    cx.fold_now(operator, ty, &[operand])
}

fn fold_exists(cx: &mut Evaluator<'_>, folding: &Folding<'_>) -> Folded {
    let Some(name) = cx.string_of(folding.operands[0]) else { return Ok(None) };
    if folding.record.is_none() && !folding.is_final && !cx.keeper.rules.has(Change::CastsOutsideRecords) {
        return Ok(None);
    }
    let found = cx.keeper.defs.get(name);
    if let Some(record) = found {
        let own = cx.record_type(record);
        let is = cx.is_a(own, folding.ty);
        return Ok(Some(cx.keeper.arena.int(i64::from(is))));
    }
    if let Some(current) = folding.record
        && cx.keeper.name(current) == Some(name)
    {
        let own = cx.record_type(current);
        if cx.is_a(own, folding.ty) {
            return Ok(Some(cx.keeper.arena.int(1)));
        }
    }
    Ok(folding.is_final.then(|| cx.keeper.arena.int(0)))
}

/// `!instances<class>(regex)`: the records of that class made before, by name.
pub(super) const INSTANCES: Operator =
    Operator::new("instances", Form::Special(read_instances), fold_instances)
        .waits_for_the_end()
        .complete(Completeness::Never)
        .written(Notation::TypedByElement)
        .since(Change::InstancesAndMatch);

fn read_instances(
    cx: &mut Evaluator<'_>,
    operator: OperatorId,
    _: Span,
    _: Option<TypeId>,
) -> Parsed<InitId> {
    let ty = cx.read_operator_type()?;
    cx.expect(TokenKind::LParen, "expected '(' after type of !instances")?;
    let pattern = if cx.at(TokenKind::RParen) {
        cx.keeper.arena.string_init(".*")
    } else {
        let span = cx.token.span;
        match cx.value(None) {
            Ok(pattern) if cx.type_of(pattern) == Some(TypeId::STRING) => pattern,
            _ => return cx.fail(span, "expected string type argument in !instances operator"),
        }
    };
    cx.expect(TokenKind::RParen, "expected ')' in !instances")?;
    let list = cx.keeper.arena.list_type(ty);
    cx.fold_now(operator, list, &[pattern])
}

fn fold_instances(cx: &mut Evaluator<'_>, folding: &Folding<'_>) -> Folded {
    if folding.record.is_some() && !folding.is_final {
        return Ok(None);
    }
    let Some(pattern) = cx.string_of(folding.operands[0]) else { return Ok(None) };
    let Type::List(element) = cx.keeper.arena.ty(folding.ty) else { return Ok(None) };
    let regex = cx.regex(pattern)?;
    let all: Vec<_> = cx.keeper.defs.unordered().collect();
    let mut found = Vec::new();
    for (name, record) in all {
        let own = cx.record_type(record);
        if cx.is_a(own, element) && cx.is_match(&regex, name)? {
            found.push((name, record));
        }
    }
    found.sort_by(|&(a, _), &(b, _)| order::natural(cx.str(a), cx.str(b)));
    let items: Vec<InitId> =
        found.into_iter().map(|(_, record)| cx.keeper.arena.intern(Init::Def(record))).collect();
    Ok(Some(cx.keeper.arena.list(element, &items)))
}

/// `!initialized(x)`: whether `x` is not `?`.
pub(super) const INITIALIZED: Operator =
    Operator::new("initialized", Form::Unary(|_, _| Ok(TypeId::INT)), |cx, folding| {
        let operand = folding.operands[0];
        if operand == InitId::UNSET {
            return Ok(Some(cx.keeper.arena.int(0)));
        }
        Ok(cx.keeper.arena.is_closed(operand).then(|| cx.keeper.arena.int(1)))
    })
    .since(Change::InstancesAndMatch);
