//! The targets of names, recorded while statements are read: for editors.
//!
//! There is no syntax tree to query afterwards, so the code that reads a name records its meaning. A normal run keeps
//! no [`Trace`] and only checks an empty option for each name.
//!
//! ```text
//! class Shape<int sides> { int corners = sides; }     sides → the argument of Shape
//! def Square : Shape<4> { let corners = 4; }          Shape → the class, corners → the field that Shape declares
//! ```

use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
};

use rustc_hash::FxBuildHasher;

use super::{Evaluator, scope::ScopeKind};
use crate::{
    record::{Init, RecordId, StrId, Type, TypeId, keeper::Keeper, record::Kind},
    span::Span,
};

/// The trace of a root, or of a file that others build on.
#[derive(Debug, Default)]
pub struct Trace {
    /// The trace of the files before.
    base: Option<Arc<Trace>>,
    mentions: Vec<(Span, Symbol)>,
    /// The places that define global variables and sets, then type aliases.
    globals: HashMap<StrId, Span, FxBuildHasher>,
    types: HashMap<StrId, Span, FxBuildHasher>,
    /// The places where classes and defs declare their own fields.
    declared: HashMap<(RecordId, StrId), Span, FxBuildHasher>,
    /// The mentions of this trace, computed on first use.
    resolved: OnceLock<Vec<Mention>>,
}

/// The target of a name, before its place is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Symbol {
    /// A class, def or multiclass.
    Record(RecordId),
    /// A field, of this record or of one that it derives from.
    Field(RecordId, StrId),
    /// A template argument.
    Argument(RecordId, StrId),
    /// A variable that is defined at this place.
    Variable(Span),
    /// A type alias that is defined at this place.
    Alias(Span),
}

/// The kind of a name's target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SymbolKind {
    /// A class.
    Class,
    /// A def.
    Def,
    /// A multiclass.
    Multiclass,
    /// A field.
    Field,
    /// A template argument.
    Argument,
    /// A variable of `defvar`, `defset`, `foreach` or an operator.
    Variable,
    /// A type alias of `deftype`.
    Alias,
}

/// A name, and the place that defines its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The place of the name.
    pub at: Span,
    /// The kind of its target.
    pub kind: SymbolKind,
    /// The place of the definition; equal to `at` if the mention is the definition.
    pub definition: Span,
    /// The target if it is a record, or the record that a field or argument was looked up in.
    pub record: Option<RecordId>,
}

impl Trace {
    /// Creates a trace that continues from that of the files before.
    pub(super) fn above(base: Option<&Arc<Trace>>) -> Self {
        Trace { base: base.cloned(), ..Trace::default() }
    }

    /// Returns this trace and those below it, the last first.
    fn chain(&self) -> impl Iterator<Item = &Trace> {
        std::iter::successors(Some(self), |trace| trace.base.as_deref())
    }

    /// Returns all mentions, in lists that are sorted by place; the lists of later files come first.
    pub fn mentions<'t>(&'t self, keeper: &'t Keeper) -> impl Iterator<Item = &'t [Mention]> {
        self.chain().map(|trace| trace.own_mentions(keeper))
    }

    /// Returns the mention at the place of a token.
    #[must_use]
    pub fn mention_at(&self, keeper: &Keeper, at: Span) -> Option<Mention> {
        self.mentions(keeper).find_map(|list| {
            let index = list.binary_search_by_key(&at, |mention| mention.at).ok()?;
            Some(list[index])
        })
    }

    fn own_mentions(&self, keeper: &Keeper) -> &[Mention] {
        self.resolved.get_or_init(|| {
            let noted = self.mentions.iter();
            let mut all: Vec<Mention> = noted.filter_map(|&(at, of)| self.mention(keeper, at, of)).collect();
            // The first mention at a place counts: a `let` around many records refers to the field of the first.
            all.sort_by_key(|mention| mention.at);
            all.dedup_by_key(|mention| mention.at);
            all
        })
    }

    fn mention(&self, keeper: &Keeper, at: Span, of: Symbol) -> Option<Mention> {
        let (kind, definition, record) = match of {
            Symbol::Record(id) => {
                let record = keeper.record(id);
                let kind = match record.kind {
                    Kind::Class => SymbolKind::Class,
                    Kind::Def => SymbolKind::Def,
                    Kind::Multiclass => SymbolKind::Multiclass,
                };
                (kind, record.span(), Some(id))
            }
            Symbol::Field(id, name) => (SymbolKind::Field, self.declaration(keeper, id, name)?, Some(id)),
            Symbol::Argument(id, name) => {
                (SymbolKind::Argument, keeper.record(id).template_arg(name)?.span, Some(id))
            }
            Symbol::Variable(definition) => (SymbolKind::Variable, definition, None),
            Symbol::Alias(definition) => (SymbolKind::Alias, definition, None),
        };
        (at.is_some() && definition.is_some()).then_some(Mention { at, kind, definition, record })
    }

    /// Returns the place where a field was declared first: by an ancestor, or by the record itself.
    #[must_use]
    pub fn declaration(&self, keeper: &Keeper, record: RecordId, name: StrId) -> Option<Span> {
        let superclasses = keeper.record(record).superclasses.iter().map(|superclass| superclass.class);
        superclasses
            .chain([record])
            .find_map(|id| self.chain().find_map(|trace| trace.declared.get(&(id, name)).copied()))
    }
}

impl Evaluator<'_> {
    #[inline]
    fn note(&mut self, at: Span, of: Symbol) {
        if let Some(trace) = &mut self.trace {
            trace.mentions.push((at, of));
        }
    }

    /// Notes the name of a class, def or multiclass at this place.
    #[inline]
    pub(super) fn note_record(&mut self, at: Span, record: RecordId) {
        self.note(at, Symbol::Record(record));
    }

    /// Notes the name of a template argument at this place, which has this qualified name.
    #[inline]
    pub(super) fn note_argument(&mut self, at: Span, record: RecordId, qualified: StrId) {
        self.note(at, Symbol::Argument(record, qualified));
    }

    /// Notes the name of a field at this place.
    #[inline]
    pub(super) fn note_field(&mut self, at: Span, record: RecordId, name: StrId) {
        self.note(at, Symbol::Field(record, name));
    }

    /// Notes a mention of a field of records that have this type.
    #[inline]
    pub(super) fn note_field_of_type(&mut self, at: Span, ty: Option<TypeId>, name: StrId) {
        if self.trace.is_none() {
            return;
        }
        let Some(Type::Record(classes)) = ty.map(|ty| self.keeper.arena.ty(ty)) else { return };
        let has_it = |class: &RecordId| self.keeper.record(*class).field(name).is_some();
        if let Some(class) = self.keeper.arena.classes(classes).iter().copied().find(has_it) {
            self.note_field(at, class, name);
        }
    }

    /// Notes the declaration of a field.
    #[inline]
    pub(super) fn note_declaration(&mut self, at: Span, record: RecordId, name: StrId) {
        if let Some(trace) = &mut self.trace {
            trace.declared.insert((record, name), at);
            self.note_field(at, record, name);
        }
    }

    /// Notes the definition of a variable.
    #[inline]
    pub(super) fn note_variable(&mut self, at: Span) {
        self.note(at, Symbol::Variable(at));
    }

    /// Notes the definition of a global variable or a set.
    #[inline]
    pub(super) fn note_global(&mut self, at: Span, name: StrId) {
        if let Some(trace) = &mut self.trace {
            trace.globals.insert(name, at);
            self.note_variable(at);
        }
    }

    /// Notes the definition of a type alias.
    #[inline]
    pub(super) fn note_alias(&mut self, at: Span, name: StrId) {
        if let Some(trace) = &mut self.trace {
            trace.types.insert(name, at);
            self.note(at, Symbol::Alias(at));
        }
    }

    /// Notes a mention of a type alias.
    #[inline]
    pub(super) fn note_alias_mention(&mut self, at: Span, name: StrId) {
        let find = |trace: &Trace| trace.chain().find_map(|trace| trace.types.get(&name).copied());
        if let Some(place) = self.trace.as_deref().and_then(find) {
            self.note(at, Symbol::Alias(place));
        }
    }

    /// Notes a mention of a global variable or a set.
    #[inline]
    pub(super) fn note_global_mention(&mut self, at: Span, name: StrId) {
        let find = |trace: &Trace| trace.chain().find_map(|trace| trace.globals.get(&name).copied());
        if let Some(place) = self.trace.as_deref().and_then(find) {
            self.note(at, Symbol::Variable(place));
        }
    }

    /// Notes a mention of a name in the surrounding scopes, which [`Evaluator::variable`] has found.
    #[inline]
    pub(super) fn note_scoped(&mut self, at: Span, name: StrId) {
        if self.trace.is_some()
            && let Some(symbol) = self.scoped(name)
        {
            self.note(at, symbol);
        }
    }

    fn scoped(&self, name: StrId) -> Option<Symbol> {
        self.scopes.iter().rev().find_map(|scope| {
            if let Some(place) = scope.place_of(name) {
                return Some(Symbol::Variable(place));
            }
            match scope.kind {
                ScopeKind::Block => None,
                ScopeKind::Variable(var, _, place) | ScopeKind::Operand(var, _, place) => {
                    (var == name).then_some(Symbol::Variable(place))
                }
                ScopeKind::Record(record) => self.member_symbol(record, name),
                ScopeKind::Multiclass => {
                    self.argument_symbol(self.multiclass.as_ref().map(|multiclass| multiclass.record)?, name)
                }
            }
        })
    }

    fn member_symbol(&self, record: RecordId, name: StrId) -> Option<Symbol> {
        match self.keeper.record(record).field(name) {
            Some(_) => Some(Symbol::Field(record, name)),
            None => self.argument_symbol(record, name),
        }
    }

    fn argument_symbol(&self, record: RecordId, name: StrId) -> Option<Symbol> {
        let data = self.keeper.record(record);
        let index = data.template_locals.iter().position(|&local| local == name)?;
        Some(Symbol::Argument(record, data.template_args[index].name))
    }

    /// Notes a mention of a value's field.
    #[inline]
    pub(super) fn note_field_of(&mut self, at: Span, value: crate::record::InitId, name: StrId) {
        if self.trace.is_none() {
            return;
        }
        match self.keeper.arena.init(value) {
            Init::Def(record) => self.note_field(at, record, name),
            _ => {
                let ty = self.type_of(value);
                self.note_field_of_type(at, ty, name);
            }
        }
    }
}
