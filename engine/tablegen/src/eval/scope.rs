//! The meanings of names: section "Scope of Variables" of the manual, innermost first.

use std::{collections::HashMap, mem};

use rustc_hash::FxBuildHasher;

use odsmith_release::Change;

use super::Evaluator;
use crate::{
    record::{Init, InitId, RecordId, StrId, TypeId},
    span::Span,
};

/// A range of text in which names have a meaning.
#[derive(Debug, Default)]
pub(super) struct Scope {
    pub(super) kind: ScopeKind,
    /// Names defined by `defvar`, with their places.
    vars: HashMap<StrId, (InitId, Span), FxBuildHasher>,
}

#[derive(Debug, Default)]
pub(super) enum ScopeKind {
    /// A block in braces, or the top level itself.
    #[default]
    Block,
    /// A class or def: its fields and template arguments.
    Record(RecordId),
    /// A `foreach`: its variable, with its value and place.
    Variable(StrId, InitId, Span),
    /// An operator that binds a variable, with its value and place.
    Operand(StrId, InitId, Span),
    /// The multiclass being read.
    Multiclass,
}

impl Scope {
    /// Returns the place where `defvar` defined a name in this scope.
    pub(super) fn place_of(&self, name: StrId) -> Option<Span> {
        self.vars.get(&name).map(|&(_, place)| place)
    }
}

impl Evaluator<'_> {
    pub(super) fn push_scope(&mut self, kind: ScopeKind) {
        self.scopes.push(Scope { kind, vars: HashMap::default() });
    }

    pub(super) fn pop_scope(&mut self) {
        self.scopes.pop();
    }

    /// Returns true if names go to the global table.
    pub(super) fn is_outermost(&self) -> bool {
        self.scopes.len() == 1
    }

    /// Adds a name to the innermost scope.
    pub(super) fn add_variable(&mut self, name: StrId, value: InitId, place: Span) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.vars.insert(name, (value, place));
        }
    }

    /// Returns true if `defvar` defined this name in the innermost scope.
    pub(super) fn is_in_innermost(&self, name: StrId) -> bool {
        self.scopes.last().is_some_and(|scope| scope.vars.contains_key(&name))
    }

    /// Returns the meaning of a name in the surrounding scopes; globals and records come after.
    pub(super) fn variable(&mut self, name: StrId) -> Option<InitId> {
        if !self.keeper.rules.has(Change::NestedScopes) {
            return self.variable_by_kind(name);
        }
        let mut is_in_operator = false;
        for index in (0..self.scopes.len()).rev() {
            // An operator that binds a variable sees the members of its record before what `defvar` defines in the body.
            if is_in_operator
                && let ScopeKind::Record(record) = self.scopes[index].kind
                && let Some(found) = self.member(record, name)
            {
                return Some(found);
            }
            let scope = &self.scopes[index];
            if let Some(&(value, _)) = scope.vars.get(&name) {
                return Some(value);
            }
            match scope.kind {
                ScopeKind::Block => {}
                ScopeKind::Variable(var, value, _) | ScopeKind::Operand(var, value, _) if var == name => {
                    return Some(value);
                }
                ScopeKind::Variable(..) => {}
                ScopeKind::Operand(..) => is_in_operator = true,
                // Its members were searched above.
                ScopeKind::Record(_) if is_in_operator => {}
                ScopeKind::Record(record) => {
                    if let Some(found) = self.member(record, name) {
                        return Some(found);
                    }
                }
                ScopeKind::Multiclass => {
                    let Some(record) = self.multiclass.as_ref().map(|multiclass| multiclass.record) else {
                        continue;
                    };
                    if let Some(found) = self.template_arg(record, name) {
                        return Some(found);
                    }
                }
            }
        }
        None
    }

    /// Returns the same for releases in which the kind of a definition counts more than its scope: members of records
    /// and variables of operators, arguments of the multiclass, `defvar`, loops.
    fn variable_by_kind(&mut self, name: StrId) -> Option<InitId> {
        for index in (0..self.scopes.len()).rev() {
            match self.scopes[index].kind {
                ScopeKind::Operand(var, value, _) if var == name => return Some(value),
                ScopeKind::Record(record) => {
                    if let Some(found) = self.member(record, name) {
                        return Some(found);
                    }
                }
                _ => {}
            }
        }
        if let Some(record) = self.multiclass.as_ref().map(|multiclass| multiclass.record)
            && let Some(found) = self.template_arg(record, name)
        {
            return Some(found);
        }
        let given = self.scopes.iter().rev().find_map(|scope| scope.vars.get(&name));
        given.map(|&(value, _)| value).or_else(|| {
            self.scopes.iter().rev().find_map(|scope| match scope.kind {
                ScopeKind::Variable(var, value, _) if var == name => Some(value),
                _ => None,
            })
        })
    }

    /// Runs `read` with the fields and template arguments of surrounding records, and operators' variables, hidden.
    pub(super) fn without_members<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let mut hidden = Vec::new();
        for (index, scope) in self.scopes.iter_mut().enumerate() {
            if matches!(scope.kind, ScopeKind::Record(_) | ScopeKind::Operand(..)) {
                hidden.push((index, mem::take(&mut scope.kind)));
            }
        }
        let outer = self.record.take();
        let result = read(self);
        self.record = outer;
        for (index, kind) in hidden {
            self.scopes[index].kind = kind;
        }
        result
    }

    /// Returns a field of a record being read, or one of its template arguments.
    fn member(&mut self, record: RecordId, name: StrId) -> Option<InitId> {
        if let Some(field) = self.keeper.record(record).field(name) {
            let ty = field.ty();
            return Some(self.keeper.arena.intern(Init::Var(name, ty)));
        }
        self.template_arg(record, name)
    }

    /// Returns the template argument of a class or multiclass, or its `NAME`.
    fn template_arg(&mut self, record: RecordId, name: StrId) -> Option<InitId> {
        let data = self.keeper.record(record);
        if let Some(index) = data.template_locals.iter().position(|&local| local == name) {
            let field = data.template_args[index];
            self.used_args.insert(field.name);
            return Some(self.keeper.arena.intern(Init::Var(field.name, field.ty())));
        }
        if name == self.name_str
            && let Some(qualified) = data.name_arg
        {
            return Some(self.keeper.arena.intern(Init::Var(qualified, TypeId::STRING)));
        }
        None
    }
}
