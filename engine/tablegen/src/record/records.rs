//! The frozen records, and small handles to read them by.
//!
//! After evaluation everything is read through [`Rec`] (a record) and [`Val`] (a value): `Copy` handles that
//! know their [`Records`], so that a reader writes `op.string("summary")` and never sees an id.

use std::{
    cmp::Ordering,
    sync::{Arc, OnceLock, PoisonError, RwLock},
};

use rustc_hash::FxHashMap;

use super::{
    init::{Init, InitId, Seq, StrId},
    keeper::Keeper,
    names::{KNOWN, Name},
    order, print,
    record::{Field, Kind, Record, RecordId},
    types::{Type, TypeId},
};
use crate::{
    diagnostic::{Diagnostic, Id},
    source::Sources,
    span::Span,
    text,
};
use odsmith_release::{Change, Rules, spellings};

/// Records that no longer change.
#[derive(Debug)]
pub struct Records {
    keeper: Keeper,
    sources: Sources,
    /// The classes by name, sorted on first use.
    classes: OnceLock<Vec<RecordId>>,
    /// The defs by name, sorted on first use.
    defs: OnceLock<Vec<RecordId>>,
    /// The defs in the order of their creation, sorted on first use.
    defs_as_made: OnceLock<Vec<RecordId>>,
    /// The defs that derive from a class, in natural order, collected on first use.
    derived: RwLock<FxHashMap<RecordId, Arc<[RecordId]>>>,
    /// The classes of the known names.
    known_classes: Vec<Option<RecordId>>,
    /// The result of `check`, once it was computed.
    checked: OnceLock<Result<(), Diagnostic>>,
}

impl Records {
    /// Freezes a keeper.
    #[must_use]
    pub fn new(keeper: Keeper, sources: Sources) -> Self {
        let [classes, defs, defs_as_made] = [const { OnceLock::new() }; 3];
        let known_classes = (0..KNOWN.len() as u32).map(|id| keeper.classes.get(StrId(id))).collect();
        let derived = RwLock::default();
        let checked = OnceLock::new();
        Records { keeper, sources, classes, defs, defs_as_made, derived, known_classes, checked }
    }

    /// Returns the result of `check` for these records, which runs once for all readers.
    ///
    /// # Errors
    /// The error that `check` returns.
    pub fn checked(&self, check: fn(&Records) -> Result<(), Diagnostic>) -> Result<(), Diagnostic> {
        self.checked.get_or_init(|| check(self)).clone()
    }

    /// Returns the keeper, for printers that work on ids.
    #[must_use]
    pub fn keeper(&self) -> &Keeper {
        &self.keeper
    }

    /// Returns the rules of the release that they were made for.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.keeper.rules
    }

    /// Returns the texts that the records were read from.
    #[must_use]
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Returns all classes, by name (bytewise).
    pub fn classes(&self) -> impl ExactSizeIterator<Item = Rec<'_>> {
        let sorted = self.classes.get_or_init(|| {
            let classes = self.keeper.classes.unordered().map(|(_, id)| self.rec(id));
            by_name(classes, str::cmp).map(Rec::id).collect()
        });
        sorted.iter().map(|&id| self.rec(id))
    }

    /// Returns all defs, by name (bytewise).
    pub fn defs(&self) -> impl ExactSizeIterator<Item = Rec<'_>> {
        let sorted =
            self.defs.get_or_init(|| by_name(self.defs_as_made(), text::compare).map(Rec::id).collect());
        sorted.iter().map(|&id| self.rec(id))
    }

    /// Returns all defs, in the order of their creation.
    pub fn defs_as_made(&self) -> impl ExactSizeIterator<Item = Rec<'_>> {
        let defs = self.defs_as_made.get_or_init(|| {
            // This also makes sorting by name faster: names of anonymous defs are in this order already.
            let mut ids: Vec<RecordId> = self.keeper.defs.unordered().map(|(_, id)| id).collect();
            ids.sort_unstable();
            ids
        });
        defs.iter().map(|&id| self.rec(id))
    }

    /// Returns the class of this name.
    #[must_use]
    pub fn class(&self, name: &str) -> Option<Rec<'_>> {
        let id = self.keeper.classes.get(self.keeper.arena.find_string(name)?)?;
        Some(self.rec(id))
    }

    /// Returns the class of the known name at this index.
    #[must_use]
    pub fn known_class(&self, place: usize) -> Option<RecordId> {
        self.known_classes[place]
    }

    /// Returns the def of this name.
    #[must_use]
    pub fn def(&self, name: &str) -> Option<Rec<'_>> {
        let id = self.keeper.defs.get(self.keeper.arena.find_string(name)?)?;
        Some(self.rec(id))
    }

    /// Returns the defs that derive from the class of this name, in natural order of their names; none if there is no
    /// such class.
    #[must_use]
    pub fn derived(&self, class: &str) -> std::vec::IntoIter<Rec<'_>> {
        let ids = self.class(class).map(|class| self.derived_ids(class));
        let ids = ids.as_deref().unwrap_or_default();
        ids.iter().map(|&id| self.rec(id)).collect::<Vec<_>>().into_iter()
    }

    fn derived_ids(&self, class: Rec<'_>) -> Arc<[RecordId]> {
        // Lists are complete: a thread that panicked left no half of one.
        if let Some(known) = self.derived.read().unwrap_or_else(PoisonError::into_inner).get(&class.id) {
            return Arc::clone(known);
        }
        let order = match self.rules().has(Change::NaturalOrder) {
            true => order::natural,
            false => str::cmp,
        };
        let ids: Arc<[RecordId]> = by_name(self.derived_as_made(class.name()), order).map(Rec::id).collect();
        self.derived.write().unwrap_or_else(PoisonError::into_inner).insert(class.id, Arc::clone(&ids));
        ids
    }

    /// Returns the same defs, by name (bytewise).
    #[must_use]
    pub fn derived_bytewise(&self, class: &str) -> std::vec::IntoIter<Rec<'_>> {
        by_name(self.derived_as_made(class), str::cmp)
    }

    /// Returns the same defs, in the order of their creation.
    pub fn derived_as_made(&self, class: &str) -> impl Iterator<Item = Rec<'_>> {
        let class = self.class(class);
        let defs = class.into_iter().flat_map(|class| self.defs_as_made().map(move |def| (def, class)));
        defs.filter(|(def, class)| def.record().is_subclass_of(class.id)).map(|(def, _)| def)
    }

    /// Returns the handle of a record.
    #[must_use]
    pub fn rec(&self, id: RecordId) -> Rec<'_> {
        Rec { records: self, id }
    }

    /// Returns the handle of a value, unless it is missing.
    #[must_use]
    pub fn val_or_none(&self, id: InitId) -> Option<Val<'_>> {
        id.is_some().then(|| self.val(id))
    }

    /// Returns the handle of a value.
    #[must_use]
    pub fn val(&self, id: InitId) -> Val<'_> {
        Val { records: self, id }
    }
}

/// Sorts records by their names, all of which differ.
fn by_name<'r>(
    records: impl Iterator<Item = Rec<'r>>,
    order: impl Fn(&str, &str) -> Ordering,
) -> std::vec::IntoIter<Rec<'r>> {
    let mut named: Vec<(&str, Rec<'r>)> = records.map(|rec| (rec.name(), rec)).collect();
    named.sort_unstable_by(|(a, _), (b, _)| order(a, b));
    named.into_iter().map(|(_, rec)| rec).collect::<Vec<_>>().into_iter()
}

/// A class or def of frozen records.
#[derive(Clone, Copy)]
pub struct Rec<'r> {
    records: &'r Records,
    id: RecordId,
}

impl PartialEq for Rec<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Rec<'_> {}

impl std::hash::Hash for Rec<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl std::fmt::Debug for Rec<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Rec({})", self.name())
    }
}

impl<'r> Rec<'r> {
    /// Returns its index.
    #[must_use]
    pub fn id(self) -> RecordId {
        self.id
    }

    /// Returns the records it belongs to.
    #[must_use]
    pub fn records(self) -> &'r Records {
        self.records
    }

    /// Returns the record itself.
    #[must_use]
    pub fn record(self) -> &'r Record {
        self.records.keeper.record(self.id)
    }

    /// Returns its name.
    #[must_use]
    pub fn name(self) -> &'r str {
        self.records.keeper.name(self.id).map_or("", |name| self.records.keeper.str(name))
    }

    /// Returns true if a value somewhere refers to it.
    #[must_use]
    pub fn is_mentioned(self) -> bool {
        self.records.keeper.arena.mentions(self.id)
    }

    /// Returns true if its name was generated from the counter.
    #[must_use]
    pub fn is_anonymous(self) -> bool {
        self.record().is_anonymous
    }

    /// Returns true if it is a class.
    #[must_use]
    pub fn is_class(self) -> bool {
        self.record().kind == Kind::Class
    }

    /// Returns the place of its name.
    #[must_use]
    pub fn span(self) -> Span {
        self.record().span()
    }

    /// Returns the comment block right above its definition, without the comment marks.
    #[must_use]
    pub fn comment(self) -> Option<String> {
        self.records.sources.comment_above(self.record().statement)
    }

    /// Returns all superclasses, ancestors before the class that names them.
    pub fn superclasses(self) -> impl ExactSizeIterator<Item = Rec<'r>> + DoubleEndedIterator {
        self.record().superclasses.iter().map(move |superclass| self.records.rec(superclass.class))
    }

    /// Returns the superclasses that it names itself.
    pub fn direct_superclasses(self) -> impl Iterator<Item = Rec<'r>> {
        let direct = self.record().superclasses.iter().filter(|superclass| superclass.is_direct);
        direct.map(move |superclass| self.records.rec(superclass.class))
    }

    /// Returns true if it derives from the class of this name.
    #[must_use]
    pub fn is_subclass_of(self, class: impl Name) -> bool {
        class.class(self.records).is_some_and(|class| self.record().is_subclass_of(class))
    }

    /// Returns the fields in the order of their first declaration.
    pub fn fields(self) -> impl ExactSizeIterator<Item = (&'r str, Val<'r>)> {
        self.record()
            .fields
            .iter()
            .map(move |field| (self.records.keeper.str(field.name), self.records.val(field.value)))
    }

    /// Returns the declarations of its fields, in their order.
    pub fn declarations(self) -> impl ExactSizeIterator<Item = (&'r str, &'r Field)> {
        self.record().fields.iter().map(move |field| (self.records.keeper.str(field.name), field))
    }

    /// Returns the values of its fields, in the order of their first declaration.
    pub fn values(self) -> impl Iterator<Item = Val<'r>> {
        self.record().fields.iter().filter_map(move |field| self.records.val_or_none(field.value))
    }

    /// Returns the declaration of a field: type, place.
    #[must_use]
    pub fn field(self, name: impl Name) -> Option<&'r Field> {
        self.record().field(name.id(&self.records.keeper.arena)?)
    }

    /// Returns the value of a field, even `?`; nothing if there is no such field.
    #[must_use]
    pub fn get(self, name: impl Name) -> Option<Val<'r>> {
        let value = self.field(name)?.value;
        value.is_some().then(|| self.records.val(value))
    }

    /// Returns an error at the record, with a note for each `defm` that made it.
    #[must_use]
    pub fn error(self, message: impl Into<String>) -> Diagnostic {
        let outer = self.record().spans.iter().skip(1);
        outer.fold(Diagnostic::error(self.span(), message), |error, &span| {
            error.note(span, "instantiated from multiclass")
        })
    }

    /// Returns the value of a field, or an error at the record.
    ///
    /// # Errors
    /// There is no such field.
    pub fn value(self, name: impl Name) -> Result<Val<'r>, Diagnostic> {
        self.get(name).ok_or_else(|| self.missing(name))
    }

    fn missing(self, name: impl Name) -> Diagnostic {
        let message = format!("Record `{}' does not have a field named `{}'!\n", self.name(), name.text());
        self.error(message).id(Id::MissingField)
    }

    fn wrong<T>(self, name: impl Name, what: &str) -> Result<T, Diagnostic> {
        let message = format!("Record `{}', field `{}' {what}", self.name(), name.text());
        Err(self.error(message).id(Id::FieldValue))
    }

    /// Returns the text of a string field.
    ///
    /// # Errors
    /// There is no such field, or it is not a string.
    pub fn string(self, name: impl Name) -> Result<&'r str, Diagnostic> {
        let value = self.value(name)?;
        if value.is_unset() && !self.records.rules().has(Change::UnsetStringFields) {
            return Err(self.missing(name));
        }
        value.as_str().map_or_else(|| Err(self.no_string(name)), Ok)
    }

    fn no_string(self, name: impl Name) -> Diagnostic {
        let rules = self.records.rules();
        let (before, what) = (spellings::before_field.of(rules), spellings::no_string.of(rules));
        let (record, field) = (self.name(), name.text());
        let message = format!("Record `{record}',{before}field `{field}' exists but does not have a {what}");
        self.error(message).id(Id::FieldValue)
    }

    /// Returns the text of a string field that may be missing or unset.
    #[must_use]
    pub fn optional_string(self, name: impl Name) -> Option<&'r str> {
        self.get(name)?.as_str()
    }

    /// Checks that a field holds a string, if it is present and set.
    ///
    /// # Errors
    /// It holds something else.
    pub fn check_optional_string(self, name: impl Name) -> Result<(), Diagnostic> {
        match self.get(name).filter(|value| !value.is_unset() && value.as_str().is_none()) {
            Some(_) => {
                let (record, field) = (self.name(), name.text());
                // The quotes are the reference's.
                Err(self.error(format!(
                    "Record `{record}', ` field `{field}' exists but does not have a string initializer!"
                )))
            }
            None => Ok(()),
        }
    }

    /// Returns the value of an `int` field.
    ///
    /// # Errors
    /// There is no such field, or it is not an integer; bits do not count as one.
    pub fn int(self, name: impl Name) -> Result<i64, Diagnostic> {
        let value = self.value(name)?;
        match value.init() {
            Init::Int(int) => Ok(int),
            _ => self.wrong(name, &format!("exists but does not have an int value: {value}")),
        }
    }

    /// Returns the value of a `bit` field.
    ///
    /// # Errors
    /// There is no such field, or it is not a bit.
    pub fn bit(self, name: impl Name) -> Result<bool, Diagnostic> {
        let value = self.value(name)?;
        value.as_bit().map_or_else(|| self.wrong(name, "does not have a bit initializer!"), Ok)
    }

    /// Returns the value of a `bit` field; a missing or unset one counts as false.
    #[must_use]
    pub fn is_set(self, name: impl Name) -> bool {
        self.get(name).and_then(Val::as_bit).unwrap_or(false)
    }

    /// Returns the record that a field holds.
    ///
    /// # Errors
    /// There is no such field, or it is not a record.
    pub fn def(self, name: impl Name) -> Result<Rec<'r>, Diagnostic> {
        let value = self.value(name)?;
        value.as_def().map_or_else(|| self.wrong(name, "does not have a def initializer!"), Ok)
    }

    /// Returns the record that a field holds; nothing if the field is missing or holds something else.
    #[must_use]
    pub fn optional_def(self, name: impl Name) -> Option<Rec<'r>> {
        self.get(name)?.as_def()
    }

    /// Returns the record that a field holds, or nothing if it is unset.
    ///
    /// # Errors
    /// There is no such field, or it holds something else.
    pub fn def_or_unset(self, name: impl Name) -> Result<Option<Rec<'r>>, Diagnostic> {
        let value = self.value(name)?;
        match value.as_def() {
            None if !value.is_unset() => self.wrong(name, "does not have either a def initializer or '?'!"),
            held => Ok(held),
        }
    }

    /// Returns the list that a field holds.
    ///
    /// # Errors
    /// There is no such field, or it is not a list.
    pub fn list(self, name: impl Name) -> Result<List<'r>, Diagnostic> {
        let value = self.value(name)?;
        value.as_list().map_or_else(|| self.wrong(name, "exists but does not have a list value"), Ok)
    }

    /// Returns the strings of a list that a field holds.
    ///
    /// # Errors
    /// There is no such field, or it is not a list of strings.
    pub fn strings(self, name: impl Name) -> Result<Vec<&'r str>, Diagnostic> {
        let text = |item: Val<'r>| {
            let wrong =
                || self.wrong(name, &format!("exists but does not have a list of strings value: {item}"));
            item.as_str().map_or_else(wrong, Ok)
        };
        self.list(name)?.map(text).collect()
    }

    /// Returns the integers of a list that a field holds.
    ///
    /// # Errors
    /// There is no such field, or it is not a list of integers; bits do not count as one.
    pub fn ints(self, name: impl Name) -> Result<Vec<i64>, Diagnostic> {
        let int = |item: Val<'r>| match item.init() {
            Init::Int(int) => Ok(int),
            _ => self.wrong(name, &format!("exists but does not have a list of ints value: {item}")),
        };
        self.list(name)?.map(int).collect()
    }

    /// Returns the records of a list that a field holds.
    ///
    /// # Errors
    /// There is no such field, or it is not a list of records.
    pub fn defs(self, name: impl Name) -> Result<Vec<Rec<'r>>, Diagnostic> {
        let items = self.list(name)?;
        items
            .map(|item| item.as_def().map_or_else(|| self.wrong(name, "list is not entirely DefInit!"), Ok))
            .collect()
    }

    /// Returns the records of a list that a field holds; none if the field is missing or holds something else.
    #[must_use]
    pub fn optional_defs(self, name: impl Name) -> Vec<Rec<'r>> {
        let list = self.get(name).and_then(Val::as_list);
        list.and_then(|items| items.map(Val::as_def).collect()).unwrap_or_default()
    }

    /// Returns the dag that a field holds.
    ///
    /// # Errors
    /// There is no such field, or it is not a dag.
    pub fn dag(self, name: impl Name) -> Result<Dag<'r>, Diagnostic> {
        let value = self.value(name)?;
        value.as_dag().map_or_else(|| self.wrong(name, "does not have a dag initializer!"), Ok)
    }
}

/// A value of frozen records. `Display` writes it as the reference does (strings quoted).
#[derive(Clone, Copy)]
pub struct Val<'r> {
    records: &'r Records,
    id: InitId,
}

impl PartialEq for Val<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl std::fmt::Display for Val<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = String::new();
        print::init(&self.records.keeper, self.id, &mut text);
        f.write_str(&text)
    }
}

impl std::fmt::Debug for Val<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Val({self})")
    }
}

/// The contents of a value, for matching.
#[derive(Clone, Debug)]
pub enum View<'r> {
    /// `?`.
    Unset,
    /// A bit.
    Bit(bool),
    /// Bits, the lowest first; `None` for a bit that is neither 0 nor 1.
    Bits(Vec<Option<bool>>),
    /// An integer.
    Int(i64),
    /// A string, of either spelling.
    String(&'r str),
    /// A list.
    List(List<'r>),
    /// A record.
    Def(Rec<'r>),
    /// A dag.
    Dag(Dag<'r>),
    /// A value that evaluation could not finish.
    Symbolic,
}

impl<'r> Val<'r> {
    /// Returns its index.
    #[must_use]
    pub fn id(self) -> InitId {
        self.id
    }

    /// Returns an upper bound on the number of its parts, including the parts of its parts, in constant time; records
    /// are one part.
    #[must_use]
    pub fn weight(self) -> u64 {
        u64::from(self.records.keeper.arena.facts(self.id).weight())
    }

    fn init(self) -> Init {
        self.records.keeper.arena.init(self.id)
    }

    fn seq(self, seq: Seq) -> List<'r> {
        List { records: self.records, seq, next: 0, end: seq.len as usize }
    }

    /// Returns its contents, for matching.
    #[must_use]
    pub fn view(self) -> View<'r> {
        match self.init() {
            Init::Unset => View::Unset,
            Init::Bit(bit) => View::Bit(bit),
            Init::Int(int) => View::Int(int),
            Init::String(id) | Init::Code(id) => View::String(self.records.keeper.str(id)),
            Init::List(_, seq) => View::List(self.seq(seq)),
            Init::Def(id) => View::Def(self.records.rec(id)),
            Init::Dag(seq) => View::Dag(Dag { records: self.records, seq }),
            Init::Bits(seq) => View::Bits(self.seq(seq).map(Val::as_bit).collect()),
            Init::Var(..)
            | Init::VarBit(..)
            | Init::Field(..)
            | Init::Op(..)
            | Init::Instance(..)
            | Init::Named(..)
            | Init::Anonymous(_) => View::Symbolic,
        }
    }

    /// Returns true if it is `?`.
    #[must_use]
    pub fn is_unset(self) -> bool {
        self.id == InitId::UNSET
    }

    /// Returns true if it is a string in the `[{…}]` spelling.
    #[must_use]
    pub fn is_code(self) -> bool {
        matches!(self.init(), Init::Code(_))
    }

    /// Returns the text of a string.
    #[must_use]
    pub fn as_str(self) -> Option<&'r str> {
        match self.init() {
            Init::String(id) | Init::Code(id) => Some(self.records.keeper.str(id)),
            _ => None,
        }
    }

    /// Returns a bit, or the only bit of `bits<1>`.
    #[must_use]
    pub fn as_bit(self) -> Option<bool> {
        match self.init() {
            Init::Bit(bit) => Some(bit),
            _ => None,
        }
    }

    /// Returns an integer; bits count as one.
    #[must_use]
    pub fn as_int(self) -> Option<i64> {
        match self.init() {
            Init::Int(int) => Some(int),
            Init::Bit(bit) => Some(i64::from(bit)),
            Init::Bits(seq) => {
                let bits = self.seq(seq).enumerate();
                bits.take(64).try_fold(0, |all, (index, bit)| Some(all | i64::from(bit.as_bit()?) << index))
            }
            _ => None,
        }
    }

    /// Returns the record that it refers to.
    #[must_use]
    pub fn as_def(self) -> Option<Rec<'r>> {
        match self.init() {
            Init::Def(id) => Some(self.records.rec(id)),
            _ => None,
        }
    }

    /// Returns a list.
    #[must_use]
    pub fn as_list(self) -> Option<List<'r>> {
        match self.init() {
            Init::List(_, seq) => Some(self.seq(seq)),
            _ => None,
        }
    }

    /// Returns a dag.
    #[must_use]
    pub fn as_dag(self) -> Option<Dag<'r>> {
        match self.init() {
            Init::Dag(seq) => Some(Dag { records: self.records, seq }),
            _ => None,
        }
    }

    /// Returns the text as it is pasted: strings without quotes, everything else as printed.
    #[must_use]
    pub fn unquoted(self) -> String {
        self.as_str().map_or_else(|| self.to_string(), str::to_owned)
    }
}

/// The items of a list value.
#[derive(Clone, Copy, Debug)]
pub struct List<'r> {
    records: &'r Records,
    seq: Seq,
    next: usize,
    end: usize,
}

impl<'r> Iterator for List<'r> {
    type Item = Val<'r>;

    fn next(&mut self) -> Option<Val<'r>> {
        if self.next == self.end {
            return None;
        }
        let id = self.records.keeper.arena.at(self.seq, self.next);
        self.next += 1;
        Some(self.records.val(id))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.end - self.next, Some(self.end - self.next))
    }
}

impl DoubleEndedIterator for List<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        if self.next == self.end {
            return None;
        }
        self.end -= 1;
        Some(self.records.val(self.records.keeper.arena.at(self.seq, self.end)))
    }
}

impl ExactSizeIterator for List<'_> {}

/// A dag value.
#[derive(Clone, Copy, Debug)]
pub struct Dag<'r> {
    records: &'r Records,
    seq: Seq,
}

impl<'r> Dag<'r> {
    fn part(self, index: usize) -> Option<Val<'r>> {
        let id = self.records.keeper.arena.at(self.seq, index);
        id.is_some().then(|| self.records.val(id))
    }

    /// Returns the operator.
    #[must_use]
    pub fn operator(self) -> Option<Val<'r>> {
        self.part(0)
    }

    /// Returns the record that is the operator.
    #[must_use]
    pub fn operator_def(self) -> Option<Rec<'r>> {
        self.operator()?.as_def()
    }

    /// Returns the name after the operator, `(op:$name …)`.
    #[must_use]
    pub fn name(self) -> Option<&'r str> {
        self.part(1)?.as_str()
    }

    /// Returns the number of arguments.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "a dag has an operator even without arguments")]
    pub fn len(self) -> usize {
        (self.seq.len as usize).saturating_sub(2) / 2
    }

    /// Returns argument `index`.
    #[must_use]
    pub fn arg(self, index: usize) -> Option<Val<'r>> {
        self.part(2 + 2 * index)
    }

    /// Returns the name of argument `index`, without the `$`.
    #[must_use]
    pub fn arg_name(self, index: usize) -> Option<&'r str> {
        self.part(3 + 2 * index)?.as_str()
    }

    /// Returns the arguments with their names.
    pub fn args(self) -> impl ExactSizeIterator<Item = (Val<'r>, Option<&'r str>)> {
        let value = move |index| self.records.val(self.records.keeper.arena.at(self.seq, 2 + 2 * index));
        (0..self.len()).map(move |index| (value(index), self.arg_name(index)))
    }
}

impl Records {
    /// Returns a type as the reference writes it.
    #[must_use]
    pub fn type_name(&self, ty: TypeId) -> String {
        let mut text = String::new();
        print::ty(&self.keeper, ty, &mut text);
        text
    }

    /// Returns the class of a record type; the first one if there are several.
    #[must_use]
    pub fn class_of(&self, ty: TypeId) -> Option<Rec<'_>> {
        match self.keeper.arena.ty(ty) {
            Type::Record(seq) => self.keeper.arena.classes(seq).first().map(|&class| self.rec(class)),
            _ => None,
        }
    }

    /// Returns the element type of a list type.
    #[must_use]
    pub fn list_element(&self, ty: TypeId) -> Option<TypeId> {
        match self.keeper.arena.ty(ty) {
            Type::List(element) => Some(element),
            _ => None,
        }
    }
}

impl<'r> Rec<'r> {
    /// Returns a type as the reference writes it.
    #[must_use]
    pub fn type_name(self, ty: TypeId) -> String {
        self.records.type_name(ty)
    }

    /// Returns the class of a record type; the first one if there are several.
    #[must_use]
    pub fn class_of(self, ty: TypeId) -> Option<Rec<'r>> {
        self.records.class_of(ty)
    }

    /// Returns the element type of a list type.
    #[must_use]
    pub fn list_element(self, ty: TypeId) -> Option<TypeId> {
        self.records.list_element(ty)
    }
}
