//! What names refer to, noted while statements are read: for editors.
//!
//! There is no syntax tree to ask afterwards, so what reads a name notes what it meant. A normal run keeps no [`Trace`]
//! and pays a look at an empty option for each name.
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

/// What was noted of a root, or of a file that others build on.
#[derive(Debug, Default)]
pub struct Trace {
    /// What was noted of the files before.
    base: Option<Arc<Trace>>,
    mentions: Vec<(Span, Symbol)>,
    /// Where global variables, sets and type aliases got their names.
    globals: HashMap<StrId, Span, FxBuildHasher>,
    types: HashMap<StrId, Span, FxBuildHasher>,
    /// Where each class or def declares a field itself.
    declared: HashMap<(RecordId, StrId), Span, FxBuildHasher>,
    /// What was noted here, once it was asked for.
    resolved: OnceLock<Vec<Mention>>,
}

/// What a name refers to, before it is known where that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Symbol {
    /// A class, def or multiclass.
    Record(RecordId),
    /// A field, of this record or of one that it derives from.
    Field(RecordId, StrId),
    /// A template argument.
    Argument(RecordId, StrId),
    /// A variable that got its name at this place.
    Variable(Span),
    /// A type alias that got its name at this place.
    Alias(Span),
}

/// What kind of thing a name refers to.
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
    /// What `defvar`, `defset`, `foreach` or an operator names.
    Variable,
    /// What `deftype` names.
    Alias,
}

/// A name, and where what it refers to got that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The place of the name.
    pub at: Span,
    /// What it refers to.
    pub kind: SymbolKind,
    /// Where that is defined; the same place if the mention is the definition.
    pub definition: Span,
    /// The record, if it is one, or the record that a field or argument was looked up in.
    pub record: Option<RecordId>,
}

impl Trace {
    /// A trace that goes on from that of the files before.
    pub(super) fn above(base: Option<&Arc<Trace>>) -> Self {
        Trace { base: base.cloned(), ..Trace::default() }
    }

    /// This trace and those that it goes on from, the last first.
    fn chain(&self) -> impl Iterator<Item = &Trace> {
        std::iter::successors(Some(self), |trace| trace.base.as_deref())
    }

    /// Every mention, in lists that are sorted by place; the lists of files that were read later come first.
    pub fn mentions<'t>(&'t self, keeper: &'t Keeper) -> impl Iterator<Item = &'t [Mention]> {
        self.chain().map(|trace| trace.own_mentions(keeper))
    }

    /// What is mentioned at a place, which is that of a token.
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
            // Of what is noted of one place the first counts: a `let` around many records is about the field of the first.
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

    /// Where a field was declared first: by an ancestor, or by the record itself.
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

    /// Notes that a name at this place is that of a class, def or multiclass.
    #[inline]
    pub(super) fn note_record(&mut self, at: Span, record: RecordId) {
        self.note(at, Symbol::Record(record));
    }

    /// Notes that a name at this place is that of a template argument, which has this qualified name.
    #[inline]
    pub(super) fn note_argument(&mut self, at: Span, record: RecordId, qualified: StrId) {
        self.note(at, Symbol::Argument(record, qualified));
    }

    /// Notes that a name at this place is that of a field.
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

    /// Notes that a variable gets its name here.
    #[inline]
    pub(super) fn note_variable(&mut self, at: Span) {
        self.note(at, Symbol::Variable(at));
    }

    /// Notes that a global variable or a set gets its name here.
    #[inline]
    pub(super) fn note_global(&mut self, at: Span, name: StrId) {
        if let Some(trace) = &mut self.trace {
            trace.globals.insert(name, at);
            self.note_variable(at);
        }
    }

    /// Notes that a type alias gets its name here.
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

    /// Notes a mention of what a name means in the scopes around, which [`Evaluator::variable`] has found.
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
