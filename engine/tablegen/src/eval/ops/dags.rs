//! Dags: `!dag !con`, and getters and setters of operator, names and arguments.
//!
//! A dag's parts are its operator, the operator's name, then argument and name in turn.

use odsmith_release::Change;

use super::{
    Binary, Completeness, DagSecond, Evaluator, Fold, Folded, Folding, Form, Notation, Operands, Operator,
};
use crate::{
    diagnostic::Diagnostic,
    eval::Parsed,
    record::{Init, InitId, OperatorId, TypeId},
    span::Span,
    syntax::TokenKind,
};

const fn on_dag(name: &'static str, result: Option<TypeId>, second: DagSecond, fold: Fold) -> Operator {
    let types = Binary { result, operands: Operands::DagAnd(second), nests: false };
    Operator::new(name, Form::Binary(types), fold)
}

impl Evaluator<'_> {
    /// Returns the parts of a dag value.
    pub(in crate::eval) fn parts_of(&self, init: InitId) -> Option<Vec<InitId>> {
        match self.keeper.arena.init(init) {
            Init::Dag(seq) => Some(self.keeper.arena.seq(seq).collect()),
            _ => None,
        }
    }

    /// Returns a name inside a dag: a string, or none for `?`.
    fn dag_name(&self, init: InitId) -> Option<InitId> {
        if init == InitId::UNSET {
            return Some(InitId::NONE);
        }
        self.string_of(init).map(|_| init)
    }

    /// Returns the index of the argument for a key (an index or a name).
    fn dag_index(
        &mut self,
        folding: &Folding<'_>,
        operator: &str,
        parts: &[InitId],
    ) -> Parsed<Option<usize>> {
        let key = folding.operands[1];
        let count = (parts.len() - 2) / 2;
        if let Some(name) = self.string_of(key) {
            let found = (0..count).find(|index| self.string_of(parts[3 + 2 * index]) == Some(name));
            if found.is_none() {
                let message = format!("{operator} key '{}' is not found", self.str(name));
                return self.fold_fatal(folding, message);
            }
            return Ok(found);
        }
        // Unlike elsewhere, bits are not an index.
        let Init::Int(index) = self.keeper.arena.init(key) else { return Ok(None) };
        match usize::try_from(index).ok().filter(|&index| index < count) {
            Some(index) => Ok(Some(index)),
            None => {
                let message = match index {
                    ..0 => format!("{operator} index {index} is negative"),
                    _ => format!("{operator} index {index} is out of range (dag has {count} arguments)"),
                };
                self.fold_fatal(folding, message)
            }
        }
    }
}

/// `!con(a, b, ...)`: the arguments of all, under their common operator.
pub(super) const CON: Operator = Operator::new(
    "con",
    Form::Binary(Binary { result: Some(TypeId::DAG), operands: Operands::All(TypeId::DAG), nests: true }),
    |cx, folding| {
        let (Some(mut a), Some(b)) = (cx.parts_of(folding.operands[0]), cx.parts_of(folding.operands[1]))
        else {
            return Ok(None);
        };
        let is_known = |cx: &Evaluator<'_>, part: InitId| {
            matches!(cx.keeper.arena.init(part), Init::Def(_)) || part == InitId::UNSET
        };
        if !is_known(cx, a[0]) || !is_known(cx, b[0]) {
            return Ok(None);
        }
        if a[0] != b[0] && a[0] != InitId::UNSET && b[0] != InitId::UNSET {
            let (left, right) = (cx.show(folding.operands[0]), cx.show(folding.operands[1]));
            let message = format!("Concatenated Dag operators do not match: '{left}' vs. '{right}'");
            return cx.fatal(Span::NONE, message);
        }
        if a[0] == InitId::UNSET {
            a[0] = b[0];
        }
        a.extend_from_slice(&b[2..]);
        cx.metered(|meter, here| meter.list(here, a.len() as u64))?;
        // The first operator name is kept, if there is one.
        if !cx.keeper.rules.has(Change::JoinedDagNames) {
            a[1] = InitId::NONE;
        } else if !a[1].is_some() {
            a[1] = b[1];
        }
        Ok(Some(cx.keeper.arena.dag(&a)))
    },
);

/// `!dag(operator, arguments, names)`.
pub(super) const DAG: Operator = Operator::new(
    "dag",
    Form::Ternary(|cx, [(_, _), (arguments, arguments_span), (names, names_span)]| {
        let (arguments_type, names_type) = (cx.type_of(arguments), cx.type_of(names));
        if arguments_type.is_none() && names_type.is_none() {
            return cx.fail(arguments_span, "cannot have both unset children and unset names in !dag");
        }
        if let Some(own) = arguments_type.filter(|&own| cx.element_type(own).is_none()) {
            let message = format!("expected list of children, got type '{}'", cx.show_type(own));
            return cx.fail(arguments_span, message);
        }
        if let Some(own) = names_type.filter(|&own| cx.element_type(own) != Some(TypeId::STRING)) {
            let message = format!("expected list<string>, got type '{}'", cx.show_type(own));
            return cx.fail(names_span, message);
        }
        Ok(TypeId::DAG)
    }),
    |cx, folding| {
        let [operator, arguments, names] = folding.operands else { return Ok(None) };
        let (arguments_known, names_known) = (cx.items_of(*arguments), cx.items_of(*names));
        let is_ready = |items: &Option<Vec<InitId>>, init: InitId| items.is_some() || init == InitId::UNSET;
        if !is_ready(&arguments_known, *arguments) || !is_ready(&names_known, *names) {
            return Ok(None);
        }
        let count = arguments_known.as_ref().or(names_known.as_ref()).map_or(0, Vec::len);
        let fits = |items: &Option<Vec<InitId>>| items.as_ref().is_none_or(|items| items.len() == count);
        if !fits(&arguments_known) || !fits(&names_known) {
            return Ok(None);
        }
        let mut parts = vec![*operator, InitId::NONE];
        for index in 0..count {
            let argument = arguments_known.as_ref().map_or(InitId::UNSET, |items| items[index]);
            let name = names_known.as_ref().map_or(InitId::UNSET, |items| items[index]);
            let Some(name) = cx.dag_name(name) else { return Ok(None) };
            parts.extend([argument, name]);
        }
        Ok(Some(cx.keeper.arena.dag(&parts)))
    },
)
.complete(Completeness::OfOperands);

/// `!getdagop<class>(dag)`.
pub(super) const GETDAGOP: Operator = Operator::new("getdagop", Form::Special(read_getdagop), fold_getdagop);

fn read_getdagop(cx: &mut Evaluator<'_>, operator: OperatorId, _: Span, _: Option<TypeId>) -> Parsed<InitId> {
    let ty = if cx.at(TokenKind::Less) {
        let ty = match cx.read_operator_type() {
            Ok(ty) => ty,
            Err(_) => return cx.fail_here("did not get type for unary operator"),
        };
        if !matches!(cx.keeper.arena.ty(ty), crate::record::Type::Record(_)) {
            let message = "type for !getdagop must be a record type";
            cx.report(Diagnostic::error(cx.token.span, message));
        }
        ty
    } else {
        TypeId::ANY_RECORD
    };
    cx.expect(TokenKind::LParen, "expected '(' after unary operator")?;
    let operand = cx.value(None)?;
    cx.expect(TokenKind::RParen, "expected ')' in unary operator")?;
    cx.fold_now(operator, ty, &[operand])
}

fn fold_getdagop(cx: &mut Evaluator<'_>, folding: &Folding<'_>) -> Folded {
    let Some(parts) = cx.parts_of(folding.operands[0]) else { return Ok(None) };
    if let Some(own) = cx.type_of(parts[0])
        && !cx.is_a(own, folding.ty)
    {
        let message = format!(
            "Expected type '{}', got '{}' in: !getdagop({})\n",
            cx.show_type(folding.ty),
            cx.show_type(own),
            cx.show(folding.operands[0])
        );
        return cx.fold_fatal(folding, message);
    }
    Ok(Some(parts[0]))
}

/// `!setdagop(dag, operator)`.
pub(super) const SETDAGOP: Operator =
    on_dag("setdagop", Some(TypeId::DAG), DagSecond::Operator, |cx, folding| {
        let Some(mut parts) = cx.parts_of(folding.operands[0]) else { return Ok(None) };
        if !matches!(cx.keeper.arena.init(folding.operands[1]), Init::Def(_)) {
            return Ok(None);
        }
        parts[0] = folding.operands[1];
        // The name belonged to the old operator.
        parts[1] = InitId::NONE;
        Ok(Some(cx.keeper.arena.dag(&parts)))
    });

/// `!getdagopname(dag)`.
pub(super) const GETDAGOPNAME: Operator =
    Operator::new("getdagopname", Form::Unary(|_, _| Ok(TypeId::STRING)), |cx, folding| {
        let Some(parts) = cx.parts_of(folding.operands[0]) else { return Ok(None) };
        // Without a name the value is missing, not even `?`.
        Ok(Some(parts[1]))
    })
    .since(Change::DagOperatorNames);

/// `!setdagopname(dag, name)`.
pub(super) const SETDAGOPNAME: Operator =
    on_dag("setdagopname", Some(TypeId::DAG), DagSecond::Name, |cx, folding| {
        let Some(mut parts) = cx.parts_of(folding.operands[0]) else { return Ok(None) };
        // A name can be removed from an argument, but not from the operator.
        let name = cx.dag_name(folding.operands[1]).filter(|name| name.is_some());
        let Some(name) = name else { return Ok(None) };
        parts[1] = name;
        Ok(Some(cx.keeper.arena.dag(&parts)))
    })
    .since(Change::DagOperatorNames);

/// `!getdagarg<type>(dag, key)`; `?` if the argument is of another type.
pub(super) const GETDAGARG: Operator = on_dag("getdagarg", None, DagSecond::Key, |cx, folding| {
    let Some(parts) = cx.parts_of(folding.operands[0]) else { return Ok(None) };
    let Some(index) = cx.dag_index(folding, "!getdagarg", &parts)? else { return Ok(None) };
    let argument = parts[2 + 2 * index];
    match cx.type_of(argument) {
        Some(own) if cx.is_convertible(own, folding.ty) => Ok(Some(argument)),
        _ => Ok(Some(InitId::UNSET)),
    }
})
.written(Notation::Typed)
.since(Change::RangesAndDagParts);

/// `!getdagname(dag, index)`; `?` if the argument has no name.
pub(super) const GETDAGNAME: Operator =
    on_dag("getdagname", Some(TypeId::STRING), DagSecond::Index, |cx, folding| {
        let Some(parts) = cx.parts_of(folding.operands[0]) else { return Ok(None) };
        let Init::Int(index) = cx.keeper.arena.init(folding.operands[1]) else { return Ok(None) };
        let count = (parts.len() - 2) / 2;
        let Some(at) = usize::try_from(index).ok().filter(|&at| at < count) else {
            let message =
                format!("!getdagname index is out of range 0...{}: {index}", (count as u32).wrapping_sub(1));
            cx.fold_error(folding, message)?;
            return Ok(Some(InitId::UNSET));
        };
        let name = parts[3 + 2 * at];
        Ok(Some(if name.is_some() { name } else { InitId::UNSET }))
    })
    .since(Change::RangesAndDagParts);

fn check_key(cx: &mut Evaluator<'_>, key: InitId, span: Span) -> Parsed<()> {
    match cx.type_of(key) {
        Some(TypeId::INT | TypeId::STRING) => Ok(()),
        own => {
            let shown = own.map_or_else(|| "'?'".to_owned(), |own| format!("type '{}'", cx.show_type(own)));
            cx.fail(span, format!("expected integer index or string name, got {shown}"))
        }
    }
}

/// `!setdagarg(dag, key, argument)`.
pub(super) const SETDAGARG: Operator = Operator::new(
    "setdagarg",
    Form::Ternary(|cx, [_, (key, key_span), _]| {
        check_key(cx, key, key_span)?;
        Ok(TypeId::DAG)
    }),
    |cx, folding| {
        let Some(mut parts) = cx.parts_of(folding.operands[0]) else { return Ok(None) };
        let Some(index) = cx.dag_index(folding, "!setdagarg", &parts)? else { return Ok(None) };
        parts[2 + 2 * index] = folding.operands[2];
        Ok(Some(cx.keeper.arena.dag(&parts)))
    },
)
.complete(Completeness::OfOperands)
.since(Change::RangesAndDagParts);

/// `!setdagname(dag, key, name)`.
pub(super) const SETDAGNAME: Operator = Operator::new(
    "setdagname",
    Form::Ternary(|cx, [_, (key, key_span), (name, name_span)]| {
        check_key(cx, key, key_span)?;
        match cx.type_of(name) {
            None | Some(TypeId::STRING) => Ok(TypeId::DAG),
            Some(own) => {
                let message = format!("expected string or unset name, got type '{}'", cx.show_type(own));
                cx.fail(name_span, message)
            }
        }
    }),
    |cx, folding| {
        let Some(mut parts) = cx.parts_of(folding.operands[0]) else { return Ok(None) };
        let Some(index) = cx.dag_index(folding, "!setdagname", &parts)? else { return Ok(None) };
        // As in the reference, an unresolved name counts as none, and is not waited for.
        parts[3 + 2 * index] = cx.dag_name(folding.operands[2]).unwrap_or(InitId::NONE);
        Ok(Some(cx.keeper.arena.dag(&parts)))
    },
)
.complete(Completeness::OfOperands)
.since(Change::RangesAndDagParts);
