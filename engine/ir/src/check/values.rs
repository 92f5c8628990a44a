//! Uses and definitions of values.

use std::rc::Rc;

use odsmith_conditions::Type;

use super::{
    parts::Parts,
    scopes::{Definition, EarlyUse, Types},
    verify::Instance,
    walk::{Parent, Walk},
};
use crate::{
    definitions::{Form, OperationDef},
    lexer::TokenKind as T,
    syntax::Level,
    tree::{Node, NodeId, NodeKind},
};

/// The kind of text that defines a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Definer {
    /// An argument of the first block of a region.
    EntryArgument,
    /// An operation whose text may include the statements after it.
    OpenOperation,
    /// Another operation or argument.
    Other,
}

impl<'w> Walk<'w> {
    /// Returns true if a region may define a name again that is visible from a depth: C++ reads an isolated region.
    fn may_shadow(&self, depth: usize) -> bool {
        self.isolated.iter().any(|(own, is_plain)| !is_plain && depth < *own)
    }

    /// Returns the type of a value by its definition.
    pub(super) fn type_of_use(&self, id: NodeId) -> Option<Type> {
        let (name, number) = self.value(id);
        let definition = self.scopes.find(name).filter(|definition| !definition.is_possible)?;
        definition.types.as_ref()?.get(number)?.clone()
    }

    /// Returns the name and the number of a value.
    pub(super) fn value(&self, id: NodeId) -> (&'w str, usize) {
        let Node { first, end, .. } = self.node(id);
        let name = self.token_text(first);
        let number = if end > first + 1 { self.token_text(first + 1) } else { "#0" };
        (name, number.get(1..).and_then(|digits| digits.parse().ok()).unwrap_or(0))
    }

    pub(super) fn use_of(
        &mut self,
        id: NodeId,
        parent: Option<Parent<'w>>,
        operand: usize,
        ty: Option<Type>,
    ) {
        let token = self.node(id).first;
        let (name, number) = self.value(id);
        let Some(definition) = self.scopes.find(name) else {
            let operation = parent.map_or(token, |parent| parent.token);
            let operand = parent.map(|_| operand);
            let around = self.around.clone();
            return self.scopes.use_early(name, EarlyUse { token, operation, operand, around });
        };
        if definition.is_possible {
            return;
        }
        let (depth, types) = (definition.depth, definition.types.clone());
        if let Some(types) = types {
            let Some(known) = types.get(number) else {
                return self.fault(token, "reference to invalid result number");
            };
            if let (Some(ty), Some(known)) = (&ty, known)
                && ty.same(known) == Some(false)
            {
                return self.fault_of_operation(
                    token,
                    format!(
                        "use of value '{}' expects different type than prior uses: '{ty}' vs '{known}'",
                        if number == 0 { name.to_owned() } else { format!("{name}#{number}") }
                    ),
                );
            }
        }
        if let Some((isolated, true)) = self.isolated.last()
            && depth < *isolated
            && let Some(parent) = parent
        {
            let word = self.token_text(parent.token).trim_matches('"');
            let word = parent.def.map_or(word, |def| &*def.name).to_owned();
            self.fault_of_operation(
                parent.token,
                format!("'{word}' op using value defined outside the region"),
            );
        }
    }

    /// Defines the results of an operation. With `is_open` its text may include statements after it, which use the results.
    pub(super) fn define_results(&mut self, parts: &Parts, types: Option<Vec<Option<Type>>>, is_open: bool) {
        let definer = if is_open { Definer::OpenOperation } else { Definer::Other };
        let mut counts = Vec::with_capacity(parts.results.len());
        for result in &parts.results {
            let Node { first, end, .. } = self.node(*result);
            let count =
                if end > first + 2 { self.token_text(first + 2).parse().unwrap_or(1) } else { 1_usize };
            counts.push((first, count));
        }
        let all: usize = counts.iter().map(|(_, count)| *count).sum();
        if let (Some(types), Some((first, _))) = (&types, counts.first())
            && types.len() != all
        {
            let message = format!("operation defines {} results but was provided {all} to bind", types.len());
            self.fault(*first, message);
        }
        let types = types.filter(|types| types.len() == all);
        let mut from = 0;
        for (first, count) in counts {
            let own: Types = types.as_ref().map(|types| Rc::from(&types[from..from + count]));
            from += count;
            self.define(first, own, definer);
        }
    }

    /// Defines a value. A name that is visible may not be used again.
    pub(super) fn define(&mut self, token: u32, types: Types, definer: Definer) {
        let name = self.token_text(token);
        let is_argument = definer == Definer::EntryArgument;
        // Other tables of syntax may take an operand for an argument.
        let is_function = |parent: &Parent<'_>| {
            let is_exact = |def: &OperationDef| def.form == Form::Table(Level::Exact);
            parent.def.is_some_and(|def| def.name.ends_with(".func") || is_exact(def))
        };
        let is_signature = self.parents.last().is_some_and(is_function);
        if let Some(known) = self.scopes.find(name)
            && !known.is_possible
            && !self.may_shadow(known.depth)
            && (!is_argument || is_signature)
        {
            let message = match is_argument {
                true => format!("region entry argument '{name}' is already in use"),
                false => format!("redefinition of SSA value '{name}'"),
            };
            self.fault(token, message);
        }
        if let (Some(values), Some(types)) = (&mut self.values, &types) {
            values.insert(token, types.iter().cloned().collect());
        }
        let here = self.around.last().copied();
        let definition = Definition { types, is_possible: false, depth: self.scopes.depth() };
        for early in self.scopes.define(name, definition) {
            let Some(here) = here else { continue };
            let common = early.around.iter().find(|around| around.region == here.region);
            let is_late = match common {
                Some(use_) if definer == Definer::OpenOperation && use_.place == here.place => false,
                // Nothing that comes later is executed before the first block.
                Some(use_) => use_.is_ordered && use_.is_entry,
                None => true,
            };
            if is_late
                && !self.is_broken
                && let Some(operand) = early.operand
            {
                self.fault(early.operation, format!("operand #{operand} does not dominate this use"));
            }
        }
    }

    /// Defines an argument of a block.
    pub(super) fn argument(&mut self, id: NodeId, is_entry: bool) {
        let Node { first, kind, .. } = self.node(id);
        if self.cursor.kind(first) != T::Value {
            return;
        }
        if kind != NodeKind::BlockArgument {
            let name = self.token_text(first);
            if self.scopes.find(name).is_some_and(|known| !self.may_shadow(known.depth)) {
                return;
            }
            let depth = self.scopes.depth();
            self.scopes.define(name, Definition { types: None, is_possible: true, depth });
            return;
        }
        let ty = self.ir.tree.child(id, NodeKind::Type).and_then(|ty| self.read_type(ty));
        let definer = if is_entry { Definer::EntryArgument } else { Definer::Other };
        self.define(first, Some(Rc::from([ty])), definer);
    }
}

/// Returns the types of all results, if their number is known.
pub(super) fn types_of_results(instance: &Instance) -> Option<Vec<Option<Type>>> {
    let groups: Option<Vec<Vec<Option<Type>>>> = instance.results.iter().cloned().collect();
    groups.map(|groups| groups.into_iter().flatten().collect())
}
