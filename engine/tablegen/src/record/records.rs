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
use crate::{diagnostic::Diagnostic, source::Sources, span::Span, text};
use odsmith_release::{Change, Rules, spellings};

/// Records that no longer change.
#[derive(Debug)]
pub struct Records {
    keeper: Keeper,
    sources: Sources,
    /// By name, once it was asked for.
    classes: OnceLock<Vec<RecordId>>,
    /// By name, once it was asked for.
    defs: OnceLock<Vec<RecordId>>,
    /// In any order.
    defs_as_made: OnceLock<Vec<RecordId>>,
    /// Those that derive from a class, in natural order, once it was asked for.
    derived: RwLock<FxHashMap<RecordId, Arc<[RecordId]>>>,
    /// The classes of the known names.
    known_classes: Vec<Option<RecordId>>,
    /// What came of looking whether they can be read, once that was asked for.
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

    /// What `check` says of these records: it is asked once, whoever reads them.
    ///
    /// # Errors
    /// What it finds.
    pub fn checked(&self, check: fn(&Records) -> Result<(), Diagnostic>) -> Result<(), Diagnostic> {
        self.checked.get_or_init(|| check(self)).clone()
    }

    /// The keeper, for printers that work on ids.
    #[must_use]
    pub fn keeper(&self) -> &Keeper {
        &self.keeper
    }

    /// How the release behaves that they were made for.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.keeper.rules
    }

    /// The texts that the records were read from.
    #[must_use]
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// All classes, by name (bytewise).
    pub fn classes(&self) -> impl ExactSizeIterator<Item = Rec<'_>> {
        let sorted = self.classes.get_or_init(|| {
            let classes = self.keeper.classes.unordered().map(|(_, id)| self.rec(id));
            by_name(classes, str::cmp).map(Rec::id).collect()
        });
        sorted.iter().map(|&id| self.rec(id))
    }

    /// All defs, by name (bytewise).
    pub fn defs(&self) -> impl ExactSizeIterator<Item = Rec<'_>> {
        let sorted =
            self.defs.get_or_init(|| by_name(self.defs_as_made(), text::compare).map(Rec::id).collect());
        sorted.iter().map(|&id| self.rec(id))
    }

    /// All defs, in the order in which they were made.
    pub fn defs_as_made(&self) -> impl ExactSizeIterator<Item = Rec<'_>> {
        let defs = self.defs_as_made.get_or_init(|| {
            // Also those that want them by name gain: names of anonymous ones are in this order already.
            let mut ids: Vec<RecordId> = self.keeper.defs.unordered().map(|(_, id)| id).collect();
            ids.sort_unstable();
            ids
        });
        defs.iter().map(|&id| self.rec(id))
    }

    /// The class of this name.
    #[must_use]
    pub fn class(&self, name: &str) -> Option<Rec<'_>> {
        let id = self.keeper.classes.get(self.keeper.arena.find_string(name)?)?;
        Some(self.rec(id))
    }

    /// The class of the known name at this place.
    #[must_use]
    pub fn known_class(&self, place: usize) -> Option<RecordId> {
        self.known_classes[place]
    }

    /// The def of this name.
    #[must_use]
    pub fn def(&self, name: &str) -> Option<Rec<'_>> {
        let id = self.keeper.defs.get(self.keeper.arena.find_string(name)?)?;
        Some(self.rec(id))
    }

    /// The defs that derive from the class of this name, in natural order of their names; none if there is
    /// no such class.
    #[must_use]
    pub fn derived(&self, class: &str) -> std::vec::IntoIter<Rec<'_>> {
        let ids = self.class(class).map(|class| self.derived_ids(class));
        let ids = ids.as_deref().unwrap_or_default();
        ids.iter().map(|&id| self.rec(id)).collect::<Vec<_>>().into_iter()
    }

    fn derived_ids(&self, class: Rec<'_>) -> Arc<[RecordId]> {
        // Lists are whole: a thread that panicked left no half of one.
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

    /// The same, by name (bytewise).
    #[must_use]
    pub fn derived_bytewise(&self, class: &str) -> std::vec::IntoIter<Rec<'_>> {
        by_name(self.derived_as_made(class), str::cmp)
    }

    /// The same, in the order in which they were made.
    pub fn derived_as_made(&self, class: &str) -> impl Iterator<Item = Rec<'_>> {
        let class = self.class(class);
        let defs = class.into_iter().flat_map(|class| self.defs_as_made().map(move |def| (def, class)));
        defs.filter(|(def, class)| def.record().is_subclass_of(class.id)).map(|(def, _)| def)
    }

    /// The handle of a record.
    #[must_use]
    pub fn rec(&self, id: RecordId) -> Rec<'_> {
        Rec { records: self, id }
    }

    /// The handle of a value, unless there is none.
    #[must_use]
    pub fn val_or_none(&self, id: InitId) -> Option<Val<'_>> {
        id.is_some().then(|| self.val(id))
    }

    /// The handle of a value.
    #[must_use]
    pub fn val(&self, id: InitId) -> Val<'_> {
        Val { records: self, id }
    }
}

/// Records by their names, no two of which are the same.
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
    /// Its index.
    #[must_use]
    pub fn id(self) -> RecordId {
        self.id
    }

    /// The records it belongs to.
    #[must_use]
    pub fn records(self) -> &'r Records {
        self.records
    }

    /// The record itself.
    #[must_use]
    pub fn record(self) -> &'r Record {
        self.records.keeper.record(self.id)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'r str {
        self.records.keeper.name(self.id).map_or("", |name| self.records.keeper.str(name))
    }

    /// Whether a value somewhere refers to it.
    #[must_use]
    pub fn is_mentioned(self) -> bool {
        self.records.keeper.arena.mentions(self.id)
    }

    /// Whether the counter named it.
    #[must_use]
    pub fn is_anonymous(self) -> bool {
        self.record().is_anonymous
    }

    /// Whether it is a class.
    #[must_use]
    pub fn is_class(self) -> bool {
        self.record().kind == Kind::Class
    }

    /// Where its name is.
    #[must_use]
    pub fn span(self) -> Span {
        self.record().span()
    }

    /// The comment block right above its definition, without the comment marks.
    #[must_use]
    pub fn comment(self) -> Option<String> {
        self.records.sources.comment_above(self.record().statement)
    }

    /// All superclasses, ancestors before the class that names them.
    pub fn superclasses(self) -> impl ExactSizeIterator<Item = Rec<'r>> + DoubleEndedIterator {
        self.record().superclasses.iter().map(move |superclass| self.records.rec(superclass.class))
    }

    /// The superclasses that it names itself.
    pub fn direct_superclasses(self) -> impl Iterator<Item = Rec<'r>> {
        let direct = self.record().superclasses.iter().filter(|superclass| superclass.is_direct);
        direct.map(move |superclass| self.records.rec(superclass.class))
    }

    /// Whether it derives from the class of this name.
    #[must_use]
    pub fn is_subclass_of(self, class: impl Name) -> bool {
        class.class(self.records).is_some_and(|class| self.record().is_subclass_of(class))
    }

    /// Fields in the order of their first declaration.
    pub fn fields(self) -> impl ExactSizeIterator<Item = (&'r str, Val<'r>)> {
        self.record()
            .fields
            .iter()
            .map(move |field| (self.records.keeper.str(field.name), self.records.val(field.value)))
    }

    /// The declarations of its fields, in their order.
    pub fn declarations(self) -> impl ExactSizeIterator<Item = (&'r str, &'r Field)> {
        self.record().fields.iter().map(move |field| (self.records.keeper.str(field.name), field))
    }

    /// The values of its fields, in the order of their first declaration.
    pub fn values(self) -> impl Iterator<Item = Val<'r>> {
        self.record().fields.iter().filter_map(move |field| self.records.val_or_none(field.value))
    }

    /// The declaration of a field: type, place.
    #[must_use]
    pub fn field(self, name: impl Name) -> Option<&'r Field> {
        self.record().field(name.id(&self.records.keeper.arena)?)
    }

    /// The value of a field, `?` included; nothing if there is no such field.
    #[must_use]
    pub fn get(self, name: impl Name) -> Option<Val<'r>> {
        let value = self.field(name)?.value;
        value.is_some().then(|| self.records.val(value))
    }

    /// An error at the record, with a note for each `defm` that made it.
    #[must_use]
    pub fn error(self, message: impl Into<String>) -> Diagnostic {
        let outer = self.record().spans.iter().skip(1);
        outer.fold(Diagnostic::error(self.span(), message), |error, &span| {
            error.note(span, "instantiated from multiclass")
        })
    }

    /// The value of a field, or an error at the record.
    ///
    /// # Errors
    /// There is no such field.
    pub fn value(self, name: impl Name) -> Result<Val<'r>, Diagnostic> {
        self.get(name).ok_or_else(|| self.missing(name))
    }

    fn missing(self, name: impl Name) -> Diagnostic {
        self.error(format!("Record `{}' does not have a field named `{}'!\n", self.name(), name.text()))
    }

    fn wrong<T>(self, name: impl Name, what: &str) -> Result<T, Diagnostic> {
        Err(self.error(format!("Record `{}', field `{}' {what}", self.name(), name.text())))
    }

    /// A string field.
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
        self.error(format!("Record `{record}',{before}field `{field}' exists but does not have a {what}"))
    }

    /// A string field, where the field may be missing or unset.
    #[must_use]
    pub fn optional_string(self, name: impl Name) -> Option<&'r str> {
        self.get(name)?.as_str()
    }

    /// Whether a field is a string, if it is there and set: what it is made of may not be.
    ///
    /// # Errors
    /// It is something else.
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

    /// An `int` field.
    ///
    /// # Errors
    /// There is no such field, or it is not an integer; bits are none.
    pub fn int(self, name: impl Name) -> Result<i64, Diagnostic> {
        let value = self.value(name)?;
        match value.init() {
            Init::Int(int) => Ok(int),
            _ => self.wrong(name, &format!("exists but does not have an int value: {value}")),
        }
    }

    /// A `bit` field.
    ///
    /// # Errors
    /// There is no such field, or it is not a bit.
    pub fn bit(self, name: impl Name) -> Result<bool, Diagnostic> {
        let value = self.value(name)?;
        value.as_bit().map_or_else(|| self.wrong(name, "does not have a bit initializer!"), Ok)
    }

    /// A `bit` field, where the field may be missing or unset; that counts as false.
    #[must_use]
    pub fn is_set(self, name: impl Name) -> bool {
        self.get(name).and_then(Val::as_bit).unwrap_or(false)
    }

    /// A field that holds a record.
    ///
    /// # Errors
    /// There is no such field, or it is not a record.
    pub fn def(self, name: impl Name) -> Result<Rec<'r>, Diagnostic> {
        let value = self.value(name)?;
        value.as_def().map_or_else(|| self.wrong(name, "does not have a def initializer!"), Ok)
    }

    /// The same, where the field may be missing or hold something else.
    #[must_use]
    pub fn optional_def(self, name: impl Name) -> Option<Rec<'r>> {
        self.get(name)?.as_def()
    }

    /// A field that holds a list.
    ///
    /// # Errors
    /// There is no such field, or it is not a list.
    pub fn list(self, name: impl Name) -> Result<List<'r>, Diagnostic> {
        let value = self.value(name)?;
        value.as_list().map_or_else(|| self.wrong(name, "exists but does not have a list value"), Ok)
    }

    /// A field that holds a list of strings.
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

    /// A field that holds a list of integers.
    ///
    /// # Errors
    /// There is no such field, or it is not a list of integers; bits are none.
    pub fn ints(self, name: impl Name) -> Result<Vec<i64>, Diagnostic> {
        let int = |item: Val<'r>| match item.init() {
            Init::Int(int) => Ok(int),
            _ => self.wrong(name, &format!("exists but does not have a list of ints value: {item}")),
        };
        self.list(name)?.map(int).collect()
    }

    /// A field that holds a list of records.
    ///
    /// # Errors
    /// There is no such field, or it is not a list of records.
    pub fn defs(self, name: impl Name) -> Result<Vec<Rec<'r>>, Diagnostic> {
        let items = self.list(name)?;
        items
            .map(|item| item.as_def().map_or_else(|| self.wrong(name, "list is not entirely DefInit!"), Ok))
            .collect()
    }

    /// The same, where the field may be missing or hold something else.
    #[must_use]
    pub fn optional_defs(self, name: impl Name) -> Vec<Rec<'r>> {
        let list = self.get(name).and_then(Val::as_list);
        list.and_then(|items| items.map(Val::as_def).collect()).unwrap_or_default()
    }

    /// A field that holds a dag.
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

/// What a value is.
#[derive(Clone, Debug)]
pub enum View<'r> {
    /// `?`.
    Unset,
    /// A bit.
    Bit(bool),
    /// Bits, the lowest first; `None` where one is not 0 or 1.
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
    /// Something that evaluation could not finish.
    Symbolic,
}

impl<'r> Val<'r> {
    /// Its index.
    #[must_use]
    pub fn id(self) -> InitId {
        self.id
    }

    /// How many parts it has at most, those of its parts included, without a look at them; records are one part.
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

    /// What it is, for matching.
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

    /// Whether it is `?`.
    #[must_use]
    pub fn is_unset(self) -> bool {
        self.id == InitId::UNSET
    }

    /// Whether it is a string in the `[{…}]` spelling.
    #[must_use]
    pub fn is_code(self) -> bool {
        matches!(self.init(), Init::Code(_))
    }

    /// The text of a string.
    #[must_use]
    pub fn as_str(self) -> Option<&'r str> {
        match self.init() {
            Init::String(id) | Init::Code(id) => Some(self.records.keeper.str(id)),
            _ => None,
        }
    }

    /// A bit; also one of `bits<1>`.
    #[must_use]
    pub fn as_bit(self) -> Option<bool> {
        match self.init() {
            Init::Bit(bit) => Some(bit),
            _ => None,
        }
    }

    /// An integer; bits count as one.
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

    /// A record.
    #[must_use]
    pub fn as_def(self) -> Option<Rec<'r>> {
        match self.init() {
            Init::Def(id) => Some(self.records.rec(id)),
            _ => None,
        }
    }

    /// A list.
    #[must_use]
    pub fn as_list(self) -> Option<List<'r>> {
        match self.init() {
            Init::List(_, seq) => Some(self.seq(seq)),
            _ => None,
        }
    }

    /// A dag.
    #[must_use]
    pub fn as_dag(self) -> Option<Dag<'r>> {
        match self.init() {
            Init::Dag(seq) => Some(Dag { records: self.records, seq }),
            _ => None,
        }
    }

    /// The text as it goes into a paste: strings without quotes, everything else as printed.
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

    /// The operator.
    #[must_use]
    pub fn operator(self) -> Option<Val<'r>> {
        self.part(0)
    }

    /// The record that is the operator.
    #[must_use]
    pub fn operator_def(self) -> Option<Rec<'r>> {
        self.operator()?.as_def()
    }

    /// The name after the operator, `(op:$name …)`.
    #[must_use]
    pub fn name(self) -> Option<&'r str> {
        self.part(1)?.as_str()
    }

    /// How many arguments there are.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "a dag has an operator even without arguments")]
    pub fn len(self) -> usize {
        (self.seq.len as usize).saturating_sub(2) / 2
    }

    /// Argument `index`.
    #[must_use]
    pub fn arg(self, index: usize) -> Option<Val<'r>> {
        self.part(2 + 2 * index)
    }

    /// The name of argument `index`, without the `$`.
    #[must_use]
    pub fn arg_name(self, index: usize) -> Option<&'r str> {
        self.part(3 + 2 * index)?.as_str()
    }

    /// Arguments with their names.
    pub fn args(self) -> impl ExactSizeIterator<Item = (Val<'r>, Option<&'r str>)> {
        let value = move |index| self.records.val(self.records.keeper.arena.at(self.seq, 2 + 2 * index));
        (0..self.len()).map(move |index| (value(index), self.arg_name(index)))
    }
}

impl Records {
    /// A type as the reference writes it.
    #[must_use]
    pub fn type_name(&self, ty: TypeId) -> String {
        let mut text = String::new();
        print::ty(&self.keeper, ty, &mut text);
        text
    }

    /// The class of a record type; the first one where there are several.
    #[must_use]
    pub fn class_of(&self, ty: TypeId) -> Option<Rec<'_>> {
        match self.keeper.arena.ty(ty) {
            Type::Record(seq) => self.keeper.arena.classes(seq).first().map(|&class| self.rec(class)),
            _ => None,
        }
    }

    /// What a list type is a list of.
    #[must_use]
    pub fn list_element(&self, ty: TypeId) -> Option<TypeId> {
        match self.keeper.arena.ty(ty) {
            Type::List(element) => Some(element),
            _ => None,
        }
    }
}

impl<'r> Rec<'r> {
    /// A type as the reference writes it.
    #[must_use]
    pub fn type_name(self, ty: TypeId) -> String {
        self.records.type_name(ty)
    }

    /// The class of a record type; the first one where there are several.
    #[must_use]
    pub fn class_of(self, ty: TypeId) -> Option<Rec<'r>> {
        self.records.class_of(ty)
    }

    /// What a list type is a list of.
    #[must_use]
    pub fn list_element(self, ty: TypeId) -> Option<TypeId> {
        self.records.list_element(ty)
    }
}
