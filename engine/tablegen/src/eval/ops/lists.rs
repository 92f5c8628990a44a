//! Lists: `!listconcat !listsplat !listremove !listflatten !head !tail !size !empty !range`, and `list[…]`.

use super::{
    Binary, Completeness, Evaluator, Folded, Folding, Form, Notation, Operands, Operator, SIZE as SIZE_ID,
    legacy_range,
};
use crate::{
    eval::{Parsed, resolve::Missing},
    record::{Init, InitId, OperatorId, RecordId, StrId, Type, TypeId},
    span::Span,
    syntax::TokenKind,
    text,
};
use odsmith_release::Change;

impl Evaluator<'_> {
    /// Returns the items of a list value.
    pub(in crate::eval) fn items_of(&self, init: InitId) -> Option<Vec<InitId>> {
        match self.keeper.arena.init(init) {
            Init::List(_, seq) => Some(self.keeper.arena.seq(seq).collect()),
            _ => None,
        }
    }

    /// Creates a list value, if the meter allows it.
    pub(in crate::eval) fn new_list(&mut self, element: TypeId, items: &[InitId]) -> Parsed<InitId> {
        self.metered(|meter, here| meter.list(here, items.len() as u64))?;
        Ok(self.keeper.arena.list(element, items))
    }

    /// Returns the type of the elements of a list type.
    pub(in crate::eval) fn element_type(&self, list: TypeId) -> Option<TypeId> {
        match self.keeper.arena.ty(list) {
            Type::List(element) => Some(element),
            _ => None,
        }
    }

    /// Returns the element type that a list value was made with.
    fn own_element_type(&self, list: InitId) -> Option<TypeId> {
        match self.keeper.arena.init(list) {
            Init::List(element, _) => Some(element),
            _ => None,
        }
    }

    fn list_operand(&mut self, operand: InitId) -> Parsed<TypeId> {
        let own = self.type_of(operand);
        match own.filter(|&own| self.element_type(own).is_some()) {
            Some(list) => Ok(list),
            None => self.fail_here("expected list type argument in unary operator"),
        }
    }

    /// Checks that a list that is known while reading has an item, and that the first item has a type.
    fn check_first_item(&mut self, list: InitId) -> Parsed<()> {
        match self.items_of(list).map(|items| items.first().copied()) {
            Some(None) => self.fail_here("empty list argument in unary operator"),
            Some(Some(first)) if self.type_of(first).is_none() => {
                self.fail_here("untyped list element in unary operator")
            }
            _ => Ok(()),
        }
    }
}

/// `!listconcat(a, b, ...)`, also the `#` between lists.
pub(super) const LISTCONCAT: Operator = Operator::new(
    "listconcat",
    Form::Binary(Binary { result: None, operands: Operands::Lists, nests: true }),
    |cx, folding| {
        let [left, right] = *folding.operands else { return Ok(None) };
        // The left list's element type stays, even if the operator's own is wider.
        let (Init::List(element, a), Init::List(_, b)) =
            (cx.keeper.arena.init(left), cx.keeper.arena.init(right))
        else {
            return Ok(None);
        };
        cx.metered(|meter, here| meter.list(here, u64::from(a.len) + u64::from(b.len)))?;
        Ok(Some(cx.keeper.arena.list_of_both(element, [(left, a), (right, b)])))
    },
);

/// `!listsplat(item, count)`.
pub(super) const LISTSPLAT: Operator = Operator::new(
    "listsplat",
    Form::Binary(Binary { result: None, operands: Operands::Splat, nests: false }),
    |cx, folding| {
        let Some(count) = cx.int_of(folding.operands[1]) else { return Ok(None) };
        if count < 0 {
            return cx.fatal(Span::NONE, format!("!listsplat count {count} is negative"));
        }
        let Some(element) = cx.element_type(folding.ty) else { return Ok(None) };
        cx.metered(|meter, here| meter.list(here, count as u64))?;
        let items = vec![folding.operands[0]; count as usize];
        cx.new_list(element, &items).map(Some)
    },
);

/// `!listremove(list, items)`.
pub(super) const LISTREMOVE: Operator = Operator::new(
    "listremove",
    Form::Binary(Binary { result: None, operands: Operands::Lists, nests: false }),
    |cx, folding| {
        let (Some(mut items), Some(removed)) =
            (cx.items_of(folding.operands[0]), cx.items_of(folding.operands[1]))
        else {
            return Ok(None);
        };
        let Some(element) = cx.own_element_type(folding.operands[0]) else { return Ok(None) };
        cx.metered(|meter, here| meter.charge(here, items.len() as u64 * (1 + removed.len() as u64 / 8)))?;
        // An item that cannot be compared, such as a list, is equal to nothing, not even to itself.
        let removed: Vec<Removed> = removed.iter().filter_map(|&item| Removed::of(cx, item)).collect();
        items.retain(|&item| Removed::of(cx, item).is_none_or(|item| !removed.contains(&item)));
        cx.new_list(element, &items).map(Some)
    },
)
.since(Change::DivisionAndRemoval);

/// The part of an item that `!listremove` compares.
#[derive(PartialEq, Eq)]
enum Removed {
    Int(i64),
    String(StrId),
    Record(RecordId),
}

impl Removed {
    fn of(cx: &Evaluator<'_>, item: InitId) -> Option<Self> {
        if let Init::Def(record) = cx.keeper.arena.init(item) {
            return Some(Removed::Record(record));
        }
        cx.int_of(item).map(Removed::Int).or_else(|| cx.string_of(item).map(Removed::String))
    }
}

/// `!listflatten(list)`: one level of a list of lists.
pub(super) const LISTFLATTEN: Operator = Operator::new(
    "listflatten",
    Form::Unary(|cx, operand| {
        let list = cx.list_operand(operand)?;
        cx.check_first_item(operand)?;
        // In a list of known items, the type of the first one decides.
        let first = cx.items_of(operand).and_then(|items| items.first().copied());
        let element = match first {
            Some(first) => cx.type_of(first),
            None => cx.element_type(list),
        };
        Ok(element.filter(|&element| cx.element_type(element).is_some()).unwrap_or(list))
    }),
    |cx, folding| {
        let Some(lists) = cx.items_of(folding.operands[0]) else { return Ok(None) };
        let own = cx.own_element_type(folding.operands[0]);
        let Some(element) = own.and_then(|own| cx.element_type(own)) else {
            return Ok(Some(folding.operands[0]));
        };
        let mut flat = Vec::new();
        for list in lists {
            let Some(items) = cx.items_of(list) else { return Ok(None) };
            cx.metered(|meter, here| meter.list(here, (flat.len() + items.len()) as u64))?;
            flat.extend(items);
        }
        cx.new_list(element, &flat).map(Some)
    },
)
.since(Change::InstancesAndMatch);

/// `!head(list)`: the first item.
pub(super) const HEAD: Operator = Operator::new(
    "head",
    Form::Unary(|cx, operand| {
        let list = cx.list_operand(operand)?;
        cx.check_first_item(operand)?;
        Ok(cx.element_type(list).unwrap_or(list))
    }),
    |cx, folding| {
        let Some(items) = cx.items_of(folding.operands[0]) else { return Ok(None) };
        // The reference has no value at all for the head of an empty list.
        cx.unconverted = None;
        Ok(Some(items.first().copied().unwrap_or(InitId::NONE)))
    },
);

/// `!tail(list)`: all items but the first.
pub(super) const TAIL: Operator = Operator::new(
    "tail",
    Form::Unary(|cx, operand| {
        let list = cx.list_operand(operand)?;
        cx.check_first_item(operand)?;
        Ok(list)
    }),
    |cx, folding| {
        let Some(items) = cx.items_of(folding.operands[0]) else { return Ok(None) };
        let Some(element) = cx.own_element_type(folding.operands[0]) else { return Ok(None) };
        // Without an item there is no tail. That is an error only where it is used: it may be an argument that nothing
        // mentions.
        let Some(rest) = items.get(1..) else {
            let (shown, message) = ("!tail([])".to_owned(), "'!tail([])' has no value".to_owned());
            return cx.nothing(&Missing { shown, message }, folding.ty).map(Some);
        };
        cx.new_list(element, rest).map(Some)
    },
);

fn sized(cx: &mut Evaluator<'_>, operand: InitId) -> Parsed<TypeId> {
    let is_sized = match cx.type_of(operand) {
        Some(own) => matches!(cx.keeper.arena.ty(own), Type::String | Type::List(_) | Type::Dag),
        None => false,
    };
    if is_sized {
        return Ok(TypeId::INT);
    }
    cx.fail_here("expected string, list, or dag type argument in unary operator")
}

/// Returns the bytes of a string, the items of a list or the arguments of a dag.
fn length(cx: &Evaluator<'_>, operand: InitId) -> Option<usize> {
    match cx.keeper.arena.init(operand) {
        Init::String(id) | Init::Code(id) => Some(text::byte_len(cx.str(id))),
        Init::List(_, seq) => Some(seq.len as usize),
        Init::Dag(seq) => Some((seq.len as usize - 2) / 2),
        _ => None,
    }
}

/// `!size(x)`.
pub(super) const SIZE: Operator = Operator::new("size", Form::Unary(sized), |cx, folding| {
    Ok(length(cx, folding.operands[0]).map(|length| cx.keeper.arena.int(length as i64)))
});

/// `!empty(x)`.
pub(super) const EMPTY: Operator = Operator::new("empty", Form::Unary(sized), |cx, folding| {
    Ok(length(cx, folding.operands[0]).map(|length| cx.keeper.arena.int(i64::from(length == 0))))
});

/// `!range([start,] end[, step])` or `!range(list)`.
pub(super) const RANGE: Operator = Operator::new("range", Form::Special(read_range), fold_range)
    .complete(Completeness::OfOperands)
    .since(Change::RangesAndDagParts);

fn read_range(
    cx: &mut Evaluator<'_>,
    operator: OperatorId,
    operator_span: Span,
    wanted: Option<TypeId>,
) -> Parsed<InitId> {
    if !cx.keeper.rules.has(Change::RangeSteps) {
        return legacy_range::read(cx, operator, operator_span, wanted);
    }
    let span = cx.token.span;
    cx.expect(TokenKind::LParen, "expected '(' after !range operator")?;
    let mut operands: Vec<InitId> = Vec::new();
    let mut first_is_list = false;
    loop {
        let operand_span = cx.token.span;
        if operands.len() == 3 {
            return cx.fail(operand_span, "expected at most three values of integer");
        }
        let operand = cx.value(None)?;
        let Some(own) = cx.type_of(operand) else {
            return cx.fail(operator_span, "expected value to be a typed value, got '?'");
        };
        let is_list = cx.element_type(own).is_some();
        let shown = cx.show_type(own);
        let is_int = own == TypeId::INT;
        match operands.len() {
            0 if is_list => first_is_list = true,
            0 if is_int => {}
            0 => return cx.fail(operand_span, format!("expected list or int, got value of type '{shown}'")),
            _ if first_is_list => {
                return cx
                    .fail(operand_span, format!("expected one list, got extra value of type '{shown}'"));
            }
            _ if is_int => {}
            _ => return cx.fail(operand_span, format!("expected value of type 'int', got '{shown}'")),
        }
        operands.push(operand);
        if !cx.eat(TokenKind::Comma) {
            break;
        }
    }
    cx.expect(TokenKind::RParen, "expected ')' in operator")?;
    let list = cx.keeper.arena.list_type(TypeId::INT);
    if first_is_list {
        operands[0] = cx.fold_now(SIZE_ID, TypeId::INT, &operands[..1])?;
    }
    let (zero, one) = (cx.keeper.arena.int(0), cx.keeper.arena.int(1));
    let operands = match operands[..] {
        [end] => [zero, end, one],
        [start, end] => [start, end, one],
        [start, end, step, ..] => [start, end, step],
        [] => return cx.fail(span, "expected two operands to operator"),
    };
    cx.fold_now(operator, list, &operands)
}

fn fold_range(cx: &mut Evaluator<'_>, folding: &Folding<'_>) -> Folded {
    let (start, end, step) = match *folding.operands {
        [start, end, step] => (start, end, step),
        [start, end] => (start, end, InitId::ONE),
        _ => return Ok(None),
    };
    let (Some(start), Some(end), Some(step)) = (cx.int_of(start), cx.int_of(end), cx.int_of(step)) else {
        return Ok(None);
    };
    if step == 0 {
        cx.fold_error(folding, "Step of !range can't be 0".to_owned())?;
        return cx.new_list(TypeId::INT, &[]).map(Some);
    }
    let distance = i128::from(end) - i128::from(start);
    let step = i128::from(step);
    let count =
        if distance.signum() == step.signum() { (distance.abs() + step.abs() - 1) / step.abs() } else { 0 };
    cx.metered(|meter, here| meter.list(here, u64::try_from(count).unwrap_or(u64::MAX)))?;
    let items: Vec<InitId> =
        (0..count).map(|index| cx.keeper.arena.int((i128::from(start) + index * step) as i64)).collect();
    cx.new_list(TypeId::INT, &items).map(Some)
}

fn not_read(cx: &mut Evaluator<'_>, _: OperatorId, span: Span, _: Option<TypeId>) -> Parsed<InitId> {
    cx.fail(span, "unknown operator")
}

/// `list[index]`.
pub(super) const ELEMENT: Operator = Operator::new("[]", Form::Special(not_read), |cx, folding| {
    let (Some(items), Some(index)) = (cx.items_of(folding.operands[0]), cx.int_of(folding.operands[1]))
    else {
        return Ok(None);
    };
    if let Some(item) = usize::try_from(index).ok().and_then(|index| items.get(index)) {
        return Ok(Some(*item));
    }
    // An index out of range stays symbolic, and is reported as unresolved. It once had the type of the list itself.
    let own = cx.own_element_type(folding.operands[0]).filter(|own| *own != folding.ty);
    let own = own.filter(|_| !cx.keeper.rules.has(Change::NamedArguments));
    Ok(own.map(|own| cx.keeper.arena.op(super::ELEMENT, own, folding.operands)))
})
.written(Notation::Index);

/// `list[indices]`.
pub(super) const SLICE: Operator = Operator::new("[...]", Form::Special(not_read), |cx, folding| {
    let (Some(items), Some(indices)) = (cx.items_of(folding.operands[0]), cx.items_of(folding.operands[1]))
    else {
        return Ok(None);
    };
    let Some(element) = cx.own_element_type(folding.operands[0]) else { return Ok(None) };
    let mut slice = Vec::with_capacity(indices.len());
    for index in indices {
        let Some(index) = cx.int_of(index) else { return Ok(None) };
        match usize::try_from(index).ok().and_then(|index| items.get(index)) {
            Some(&item) => slice.push(item),
            None => return Ok(None),
        }
    }
    cx.new_list(element, &slice).map(Some)
})
.written(Notation::Index);

/// A placeholder for a missing value: the expression as text, and the error for its use.
pub(super) const NOTHING: Operator =
    Operator::new("no value", Form::Special(not_read), |_, _| Ok(None)).written(Notation::Text);

/// `first...last` inside `list[…]`: both included, up or down.
pub(super) const RANGE_PIECE: Operator = Operator::new("...", Form::Special(not_read), |cx, folding| {
    let (Some(first), Some(last)) = (cx.int_of(folding.operands[0]), cx.int_of(folding.operands[1])) else {
        return Ok(None);
    };
    let step = if first <= last { 1 } else { -1 };
    let end = cx.keeper.arena.int(last.saturating_add(step));
    let step = cx.keeper.arena.int(step);
    fold_range(cx, &Folding { operands: &[folding.operands[0], end, step], ..*folding })
})
.written(Notation::Range);
