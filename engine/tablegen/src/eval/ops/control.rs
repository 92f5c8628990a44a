//! Choice and iteration: `!if !cond !switch !subst !foreach !filter !sort !foldl`.

use odsmith_release::Change;

use super::{Completeness, Evaluator, Folded, Folding, Form, Notation, Operator};
use crate::{
    eval::{Parsed, environment::Environment, scope::ScopeKind},
    record::{
        Init, InitId, OperatorId, RecordId, StrId, Type, TypeId,
        record::{Kind, Record},
    },
    span::Span,
    syntax::TokenKind,
    text,
};

/// `!if(condition, then, else)`.
pub(super) const IF: Operator = Operator::new(
    "if",
    Form::Ternary(|cx, [_, (then, _), (otherwise, _)]| {
        let (a, b) = (cx.type_of(then), cx.type_of(otherwise));
        match (a, b) {
            (None, None) => cx.fail_here("could not get type for !if"),
            (Some(ty), None) | (None, Some(ty)) => Ok(ty),
            (Some(a), Some(b)) => match cx.common_type(a, b) {
                Some(ty) => Ok(ty),
                None => {
                    let message =
                        format!("inconsistent types '{}' and '{}' for !if", cx.show_type(a), cx.show_type(b));
                    cx.fail_here(message)
                }
            },
        }
    }),
    |cx, folding| {
        let [condition, then, otherwise] = folding.operands else { return Ok(None) };
        Ok(cx.int_of(*condition).map(|int| if int == 0 { *otherwise } else { *then }))
    },
)
.complete(Completeness::OfOperands)
.pure();

/// `!cond(condition : value, ...)`: the value of the first condition that holds.
pub(super) const COND: Operator = Operator::new("cond", Form::Special(read_cond), fold_cond)
    .complete(Completeness::OfOperands)
    .written(Notation::Cases);

fn read_cond(
    cx: &mut Evaluator<'_>,
    operator: OperatorId,
    _: Span,
    wanted: Option<TypeId>,
) -> Parsed<InitId> {
    cx.expect(TokenKind::LParen, "expected '(' after !cond operator")?;
    let mut operands: Vec<InitId> = Vec::new();
    while !cx.at(TokenKind::RParen) {
        let condition = cx.value(None)?;
        cx.expect(TokenKind::Colon, "expected ':'  following a condition in !cond operator")?;
        let value = cx.value(wanted)?;
        operands.extend([condition, value]);
        if !cx.at(TokenKind::RParen) {
            cx.expect(TokenKind::Comma, "expected ',' or ')' following a value in !cond operator")?;
        }
    }
    cx.advance();
    if operands.is_empty() {
        return cx.fail_here("there should be at least 1 'condition : value' in the !cond operator");
    }
    match cx.agreed_type(operands.iter().copied().skip(1).step_by(2)) {
        Ok(Some(ty)) => cx.fold_now(operator, ty, &operands),
        Ok(None) => cx.fail_here("could not determine type for !cond from its arguments"),
        Err([a, b]) => cx.fail_here(format!("inconsistent types '{a}' and '{b}' for !cond")),
    }
}

fn fold_cond(cx: &mut Evaluator<'_>, folding: &Folding<'_>) -> Folded {
    for pair in folding.operands.chunks_exact(2) {
        match cx.int_of(pair[0]) {
            None => return Ok(None),
            Some(0) => {}
            Some(_) => {
                // A value that does not convert now, even a variable, counts as missing.
                let converted = cx.convert(pair[1], folding.ty);
                if converted.is_none() {
                    cx.unconverted = cx.type_of(pair[1]).map(|own| [own, folding.ty]);
                }
                return Ok(Some(converted.unwrap_or(InitId::NONE)));
            }
        }
    }
    let shown: Vec<String> = folding
        .operands
        .chunks_exact(2)
        .map(|pair| format!("{}: {}", cx.show(pair[0]), cx.show(pair[1])))
        .collect();
    let name = folding.record.map_or_else(String::new, |record| cx.show_name(record));
    let message = format!("{name} does not have any true condition in:!cond({})", shown.join(", "));
    cx.fold_fatal(folding, message)
}

/// `!switch(key, case: value, ..., default)`: the value of the case that equals the key. It is read as a `!cond`.
pub(super) const SWITCH: Operator =
    Operator::new("switch", Form::Special(read_switch), |_, _| Ok(None)).since(Change::SortAndSwitch);

fn read_switch(cx: &mut Evaluator<'_>, _: OperatorId, _: Span, wanted: Option<TypeId>) -> Parsed<InitId> {
    cx.expect(TokenKind::LParen, "expected '(' after !switch operator")?;
    let key = cx.value(None)?;
    cx.expect(TokenKind::Comma, "expected ',' after key in !switch operator")?;
    let mut cases: Vec<(InitId, InitId)> = Vec::new();
    let default = loop {
        // The token after it shows whether it is a case or the default.
        let case = cx.value(None)?;
        if cx.eat(TokenKind::RParen) {
            break case;
        }
        cx.expect(TokenKind::Colon, "expected ':' after case key, or ')' to close !switch operator")?;
        let value = cx.value(wanted)?;
        cx.expect(TokenKind::Comma, "expected ',' after case value in !switch operator")?;
        cases.push((case, value));
    };
    if cases.is_empty() {
        return cx.fail_here("there should be at least 1 'case: value' in the !switch operator");
    }
    let values = cases.iter().map(|&(_, value)| value).chain([default]);
    let ty = match cx.agreed_type(values) {
        Ok(Some(ty)) => ty,
        Ok(None) => return cx.fail_here("could not determine type for !switch from its arguments"),
        Err([a, b]) => {
            return cx.fail_here(format!("inconsistent types '{a}' and '{b}' for !switch values"));
        }
    };
    if let Err([a, b]) = cx.agreed_type([key].into_iter().chain(cases.iter().map(|&(case, _)| case))) {
        return cx.fail_here(format!("inconsistent types '{a}' and '{b}' between !switch key and case keys"));
    }
    let mut operands = Vec::with_capacity(2 * cases.len() + 2);
    for (case, value) in cases {
        operands.extend([cx.fold_now(super::EQ, TypeId::BIT, &[key, case])?, value]);
    }
    operands.extend([cx.keeper.arena.int(1), default]);
    cx.fold_now(super::COND, ty, &operands)
}

impl Evaluator<'_> {
    /// Returns the common type of all values that have a type, or the first two types that do not agree, as text.
    fn agreed_type(&mut self, values: impl Iterator<Item = InitId>) -> Result<Option<TypeId>, [String; 2]> {
        let mut agreed: Option<TypeId> = None;
        for value in values {
            let Some(own) = self.type_of(value) else { continue };
            agreed = Some(match agreed {
                None => own,
                Some(ty) => match self.common_type(ty, own) {
                    Some(common) => common,
                    None => return Err([self.show_type(ty), self.show_type(own)]),
                },
            });
        }
        Ok(agreed)
    }
}

/// `!subst(target, replacement, value)`: in a string, everywhere; a record or variable as a whole.
pub(super) const SUBST: Operator = Operator::new(
    "subst",
    Form::Ternary(|cx, [_, _, (value, _)]| match cx.type_of(value) {
        Some(ty) => Ok(ty),
        None => cx.fail_here("could not get type for !subst"),
    }),
    fold_subst,
)
.complete(Completeness::OfOperands);

fn fold_subst(cx: &mut Evaluator<'_>, folding: &Folding<'_>) -> Folded {
    let [target, replacement, value] = folding.operands else { return Ok(None) };
    let kinds = [*target, *replacement, *value].map(|init| cx.keeper.arena.init(init));
    match kinds {
        [Init::Def(target), Init::Def(_), Init::Def(own)] => {
            Ok(Some(if target == own { *replacement } else { *value }))
        }
        [Init::Var(target, _), Init::Var(..), Init::Var(own, _)] => {
            Ok(Some(if target == own { *replacement } else { *value }))
        }
        _ => {
            let (Some(target), Some(replacement), Some(text)) =
                (cx.string_of(*target), cx.string_of(*replacement), cx.string_of(*value))
            else {
                return Ok(None);
            };
            if cx.str(target).is_empty() {
                return cx.fold_fatal(folding, "the target of !subst is an empty string");
            }
            if [target, text].iter().any(|&part| !text::is_well_formed(cx.str(part))) {
                return cx.subst_bytes(text, target, replacement).map(Some);
            }
            let count = cx.str(text).matches(cx.str(target)).count();
            let length = cx.str(text).len() + count * cx.str(replacement).len();
            cx.metered(|meter, here| meter.string(here, length))?;
            let replaced = cx.str(text).replace(cx.str(target), cx.str(replacement));
            cx.new_string(&replaced, false).map(Some)
        }
    }
}

impl Evaluator<'_> {
    /// Replaces in texts with bytes that are not UTF-8: the target of `!subst` may be half a character.
    fn subst_bytes(&mut self, text: StrId, target: StrId, replacement: StrId) -> Parsed<InitId> {
        let [text, target, replacement] = [text, target, replacement].map(|part| self.bytes_of(part));
        let found: Vec<usize> = memchr::memmem::find_iter(&text, &target).collect();
        let length = text.len() + found.len() * replacement.len();
        self.metered(|meter, here| meter.string(here, length))?;
        let mut replaced = Vec::with_capacity(length);
        let mut start = 0;
        for at in found {
            replaced.extend_from_slice(&text[start..at]);
            replaced.extend_from_slice(&replacement);
            start = at + target.len();
        }
        replaced.extend_from_slice(&text[start..]);
        self.new_string(&text::encode(replaced), false)
    }
}

/// `!foreach(item, list, value)`: the value for each item; in a dag, each argument and the operator.
pub(super) const FOREACH: Operator =
    Operator::new("foreach", Form::Special(read_foreach), fold_foreach).complete(Completeness::OfOperands);

/// `!filter(item, list, condition)`: the items for which the condition holds.
pub(super) const FILTER: Operator =
    Operator::new("filter", Form::Special(read_foreach), fold_filter).complete(Completeness::OfOperands);

/// `!sort(item, list, key)`: the items by their keys, which are integers or strings; equal ones keep their order.
pub(super) const SORT: Operator = Operator::new("sort", Form::Special(read_foreach), fold_sort)
    .complete(Completeness::OfOperands)
    .since(Change::SortAndSwitch);

impl Evaluator<'_> {
    /// Returns true if the record being read has a field of this name, or a surrounding operator binds it: a bound
    /// variable may hide anything else.
    fn is_own_field(&self, name: StrId) -> bool {
        let is_field = |record| self.keeper.record(record).field(name).is_some();
        self.bound.contains(&name) || self.record.is_some_and(is_field)
    }

    /// Reads a value with these variables bound.
    fn value_with(&mut self, bound: &[(StrId, InitId, Span)], wanted: Option<TypeId>) -> Parsed<InitId> {
        for &(name, variable, place) in bound {
            self.push_scope(ScopeKind::Operand(name, variable, place));
            self.bound.push(name);
        }
        let outer = self.record;
        self.record = match outer {
            Some(record) => Some(record),
            None => Some(self.nameless_record()?),
        };
        let value = self.value(wanted);
        self.record = outer;
        for _ in bound {
            self.pop_scope();
            self.bound.pop();
        }
        value
    }

    /// Returns the record for the bodies of operators outside of any record; messages that point at it have no place.
    fn nameless_record(&mut self) -> Parsed<RecordId> {
        if let Some(record) = self.nameless {
            return Ok(record);
        }
        let name = self.keeper.arena.string_init(".parse");
        let record = self.new_record(Record::new(name, Kind::Multiclass, Span::UNKNOWN))?;
        self.nameless = Some(record);
        Ok(record)
    }

    /// Reads the name of a variable that an operator binds; it stays the current token.
    fn read_bound_name(&mut self, not_a_name: &str) -> Parsed<StrId> {
        if !self.at(TokenKind::Id) {
            return self.fail_here(not_a_name);
        }
        self.note_variable(self.token.span);
        Ok(self.word())
    }
}

fn read_foreach(
    cx: &mut Evaluator<'_>,
    operator: OperatorId,
    span: Span,
    wanted: Option<TypeId>,
) -> Parsed<InitId> {
    let is_foreach = operator == super::FOREACH;
    cx.expect(TokenKind::LParen, "expected '(' after !foreach/!filter")?;
    let name = cx.read_bound_name("first argument of !foreach/!filter must be an identifier")?;
    let place = cx.token.span;
    cx.advance();
    if cx.is_own_field(name) {
        let message = format!("iteration variable '\"{}\"' is already defined", cx.str(name));
        return cx.fail_here(message);
    }
    cx.expect(TokenKind::Comma, "expected ',' in !foreach/!filter")?;
    let list = cx.value(None)?;
    cx.expect(TokenKind::Comma, "expected ',' in !foreach/!filter")?;
    let Some(list_type) = cx.type_of(list) else {
        return cx.fail_here("could not get type of !foreach/!filter list or dag");
    };
    let kind = cx.keeper.arena.ty(list_type);
    let (item_type, body_wanted) = match kind {
        Type::List(element) => {
            if let Some(wanted) = wanted
                && cx.element_type(wanted).is_none()
            {
                let message = format!("expected value of type '{}', but got list type", cx.show_type(wanted));
                return cx.fail(span, message);
            }
            let item_wanted = wanted.and_then(|wanted| cx.element_type(wanted));
            let body_wanted = match operator {
                super::FILTER => item_wanted.map(|_| TypeId::INT),
                super::SORT => None,
                _ => item_wanted,
            };
            (element, body_wanted)
        }
        Type::Dag if is_foreach => {
            if let Some(wanted) = wanted
                && wanted != TypeId::DAG
            {
                let message = format!("expected value of type '{}', but got dag type", cx.show_type(wanted));
                return cx.fail(span, message);
            }
            (TypeId::DAG, None)
        }
        _ if !is_foreach => {
            return cx.fail_here(format!("!{} must have a list argument", super::of(operator).facts.name));
        }
        _ => return cx.fail_here("!foreach must have a list or dag argument"),
    };
    let variable = cx.bound_variable(name, item_type);
    let body = cx.value_with(&[(name, variable, place)], body_wanted)?;
    cx.expect(TokenKind::RParen, "expected ')' in !foreach/!filter")?;
    let ty = match kind {
        Type::List(_) if is_foreach => match cx.type_of(body) {
            Some(body_type) => cx.keeper.arena.list_type(body_type),
            None => return cx.fail_here("could not get type of !foreach result expression"),
        },
        _ => list_type,
    };
    cx.fold_now(operator, ty, &[variable, list, body])
}

/// The cost of an item besides its value: names are bound anew for each item, and the result is kept.
const ITEM_UNITS: u64 = 8;

impl Evaluator<'_> {
    /// Returns the value of `body` with these values for the bound variables.
    fn with_bound(
        &mut self,
        body: InitId,
        bound: &[(InitId, InitId)],
        folding: &Folding<'_>,
    ) -> Parsed<InitId> {
        self.charge_round(self.token.span, ITEM_UNITS)?;
        let mut env = Environment::of(&self.keeper.arena, [], folding.record);
        for &(variable, value) in bound {
            if let Init::Var(name, _) = self.keeper.arena.init(variable) {
                env.set(&self.keeper.arena, name, value);
            }
        }
        self.resolve_part(body, &mut env)
    }
}

fn fold_foreach(cx: &mut Evaluator<'_>, folding: &Folding<'_>) -> Folded {
    let [variable, list, body] = folding.operands else { return Ok(None) };
    if let Some(items) = cx.items_of(*list) {
        let Some(element) = cx.element_type(folding.ty) else { return Ok(None) };
        let mut mapped = Vec::with_capacity(items.len());
        for item in items {
            mapped.push(cx.with_bound(*body, &[(*variable, item)], folding)?);
        }
        return cx.new_list(element, &mapped).map(Some);
    }
    match cx.parts_of(*list) {
        Some(_) => cx.foreach_dag(*variable, *list, *body, folding).map(Some),
        None => Ok(None),
    }
}

impl Evaluator<'_> {
    fn foreach_dag(
        &mut self,
        variable: InitId,
        dag: InitId,
        body: InitId,
        folding: &Folding<'_>,
    ) -> Parsed<InitId> {
        let Some(mut parts) = self.parts_of(dag) else { return Ok(dag) };
        self.metered(|meter, here| meter.charge(here, 16 * parts.len() as u64))?;
        let before = parts.clone();
        self.nested(self.token.span, |cx| {
            parts[0] = cx.with_bound(body, &[(variable, parts[0])], folding)?;
            for index in (2..parts.len()).step_by(2) {
                let argument = parts[index];
                parts[index] = if matches!(cx.keeper.arena.init(argument), Init::Dag(_)) {
                    cx.foreach_dag(variable, argument, body, folding)?
                } else {
                    cx.with_bound(body, &[(variable, argument)], folding)?
                };
            }
            if parts != before && !cx.keeper.rules.has(Change::DagNamesKept) {
                parts[1] = InitId::NONE;
            }
            Ok(cx.keeper.arena.dag(&parts))
        })
    }
}

fn fold_filter(cx: &mut Evaluator<'_>, folding: &Folding<'_>) -> Folded {
    let [variable, list, condition] = folding.operands else { return Ok(None) };
    let Some(items) = cx.items_of(*list) else { return Ok(None) };
    let Some(element) = cx.element_type(folding.ty) else { return Ok(None) };
    let mut kept = Vec::new();
    for item in items {
        let holds = cx.with_bound(*condition, &[(*variable, item)], folding)?;
        match cx.int_of(holds) {
            None => return Ok(None),
            Some(0) => {}
            Some(_) => kept.push(item),
        }
    }
    cx.new_list(element, &kept).map(Some)
}

fn fold_sort(cx: &mut Evaluator<'_>, folding: &Folding<'_>) -> Folded {
    let [variable, list, key] = folding.operands else { return Ok(None) };
    let Some(mut items) = cx.items_of(*list) else { return Ok(None) };
    let Some(element) = cx.element_type(folding.ty) else { return Ok(None) };
    let mut keys = Vec::with_capacity(items.len());
    for &item in &items {
        keys.push(cx.with_bound(*key, &[(*variable, item)], folding)?);
    }
    let mut order: Vec<usize> = (0..items.len()).collect();
    // The usual number of comparisons per key; texts are compared byte by byte.
    let depth = u64::from(items.len().checked_ilog2().unwrap_or(0) + 1);
    let texts = keys.iter().filter_map(|&key| cx.string_of(key)).map(|key| cx.str(key).len() as u64);
    let bytes = texts.sum::<u64>();
    cx.metered(|meter, here| meter.charge(here, depth * (items.len() as u64 + bytes / 16)))?;
    let ints: Option<Vec<i64>> = keys.iter().map(|&key| cx.int_of(key)).collect();
    if let Some(ints) = ints {
        order.sort_by_key(|&index| ints[index]);
    } else {
        let strings: Option<Vec<StrId>> = keys.iter().map(|&key| cx.string_of(key)).collect();
        let Some(strings) = strings else { return Ok(None) };
        order.sort_by_key(|&index| cx.str(strings[index]));
    }
    let unsorted = std::mem::take(&mut items);
    items.extend(order.into_iter().map(|index| unsorted[index]));
    cx.new_list(element, &items).map(Some)
}

/// `!foldl(start, list, accumulator, item, value)`.
pub(super) const FOLDL: Operator =
    Operator::new("foldl", Form::Special(read_foldl), fold_foldl).complete(Completeness::Never);

fn read_foldl(cx: &mut Evaluator<'_>, operator: OperatorId, _: Span, _: Option<TypeId>) -> Parsed<InitId> {
    cx.expect(TokenKind::LParen, "expected '(' after !foldl")?;
    let start = cx.value(None)?;
    let Some(start_type) = cx.type_of(start) else {
        let message = format!("could not get type of !foldl start: '{}'", cx.show(start));
        return cx.fail_here(message);
    };
    cx.expect(TokenKind::Comma, "expected ',' in !foldl")?;
    let list = cx.value(None)?;
    let list_type = cx.type_of(list);
    let Some(list_type) = list_type else {
        let message = format!("could not get type of !foldl list: '{}'", cx.show(list));
        return cx.fail_here(message);
    };
    let Some(item_type) = cx.element_type(list_type) else {
        let message = format!("!foldl list must be a list, but is of type '{}", cx.show_type(list_type));
        return cx.fail_here(message);
    };
    cx.expect(TokenKind::Comma, "expected ',' in !foldl")?;
    let left = cx.read_bound_name("third argument of !foldl must be an identifier")?;
    if cx.is_own_field(left) {
        let message = format!("left !foldl variable '\"{}\"' already defined", cx.str(left));
        return cx.fail_here(message);
    }
    let left_place = cx.token.span;
    cx.advance();
    cx.expect(TokenKind::Comma, "expected ',' in !foldl")?;
    let right = cx.read_bound_name("fourth argument of !foldl must be an identifier")?;
    if cx.is_own_field(right) {
        let message = format!("right !foldl variable '\"{}\"' already defined", cx.str(right));
        return cx.fail_here(message);
    }
    let right_place = cx.token.span;
    cx.advance();
    cx.expect(TokenKind::Comma, "expected ',' in !foldl")?;
    let left_variable = cx.bound_variable(left, start_type);
    let right_variable = cx.bound_variable(right, item_type);
    // If two variables have the same name, the body refers to the left one; the value will be that of the right one.
    let body =
        cx.value_with(&[(right, right_variable, right_place), (left, left_variable, left_place)], None)?;
    let Some(body_type) = cx.type_of(body) else {
        return cx.fail_here("could not get type of !foldl expression");
    };
    if body_type != start_type {
        let message = format!(
            "!foldl expression must be of same type as start ({}), but is of type {}",
            cx.show_type(start_type),
            cx.show_type(body_type)
        );
        return cx.fail_here(message);
    }
    cx.expect(TokenKind::RParen, "expected ')' in fold operator")?;
    cx.fold_now(operator, start_type, &[start, list, left_variable, right_variable, body])
}

fn fold_foldl(cx: &mut Evaluator<'_>, folding: &Folding<'_>) -> Folded {
    let [start, list, left, right, body] = folding.operands else { return Ok(None) };
    let Some(items) = cx.items_of(*list) else { return Ok(None) };
    let mut accumulator = *start;
    for item in items {
        accumulator = cx.with_bound(*body, &[(*left, accumulator), (*right, item)], folding)?;
    }
    Ok(Some(accumulator))
}
