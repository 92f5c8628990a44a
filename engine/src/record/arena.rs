//! The one owner of strings, types and inits.

use std::{collections::HashMap, fmt, hash::Hasher, sync::Arc};

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHasher};
use smallvec::SmallVec;

use super::{
    init::{Init, InitId, Seq, StrId},
    layer::{Layer, LayerBase, is_small_above},
    names::KNOWN,
    operator::{Completeness, OperatorFacts, OperatorId},
    record::RecordId,
    types::{Type, TypeId},
};
use crate::packing::{Packer, Unpacker};

/// Interned strings, types and inits.
///
/// An arena stands above a base that other jobs share, or above nothing.
#[derive(Debug)]
pub struct Arena {
    pub(super) text: Text,
    pub(super) strings: Layer<(u32, u32)>,
    pub(super) string_table: Table,
    pub(super) pool: Layer<InitId>,
    pub(super) classes: Layer<RecordId>,
    pub(super) types: Layer<Type>,
    pub(super) type_table: Table,
    pub(super) inits: Layer<Init>,
    pub(super) facts: Layer<Facts>,
    pub(super) init_table: Table,
    pub(super) scratch: String,
    /// The beginning of the last long string that was hashed where it lies, and what came of it.
    pub(super) hashed: Option<(u32, Blocks)>,
    /// The last list that was made of two.
    pub(super) listed: Option<Listed>,
    /// Items of lists that begin with other lists' items, and were not stored again.
    pub(super) shared_items: usize,
    pub(super) base_bytes: usize,
    pub(super) operators: &'static [OperatorFacts],
}

/// A list, and the hasher behind its items.
pub(super) struct Listed {
    list: InitId,
    hasher: FxHasher,
}

impl fmt::Debug for Listed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listed").field("list", &self.list).finish_non_exhaustive()
    }
}

/// A frozen arena, to build others on.
#[derive(Clone, Debug)]
pub struct ArenaBase {
    operators: &'static [OperatorFacts],
    bytes: usize,
    text: Arc<Vec<Arc<String>>>,
    strings: LayerBase<(u32, u32)>,
    string_table: TableBase,
    pool: LayerBase<InitId>,
    classes: LayerBase<RecordId>,
    types: LayerBase<Type>,
    type_table: TableBase,
    inits: LayerBase<Init>,
    facts: LayerBase<Facts>,
    init_table: TableBase,
}

/// Hashes and indices; keeping the hash makes growing cheap and comparing rare.
type Entries = HashTable<(u32, u32)>;

/// A hash table of indices above a shared one.
#[derive(Debug, Default)]
pub(super) struct Table {
    base: TableBase,
    own: Entries,
}

/// A shared hash table in two parts: a big one, and a small one with what came later, so that a little more can be
/// added without a copy of everything.
#[derive(Clone, Debug, Default)]
struct TableBase {
    big: Arc<Entries>,
    small: Arc<Entries>,
}

/// As many inits as a small dialect has: room for them is made at once. Where nothing is written yet, room costs nothing.
const EXPECTED: usize = 14_000;

/// The hash that a table places an entry by.
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

impl Table {
    fn with_room(entries: usize) -> Self {
        Table { base: TableBase::default(), own: Entries::with_capacity(entries) }
    }

    /// A table of the first indices, whose hashes these are.
    pub(super) fn of(hashes: impl ExactSizeIterator<Item = u32>) -> Self {
        let mut table = Table::with_room(hashes.len());
        for (index, hash) in hashes.enumerate() {
            table.insert(hash, index as u32);
        }
        table
    }

    /// A table of those among these inits that are references to records: [`Arena::mentions`] asks for no others.
    pub(super) fn of_references(inits: &[Init]) -> Self {
        let mut table = Table::default();
        for (index, &init) in inits.iter().enumerate() {
            if let Init::Def(_) = init {
                table.insert(hash_init(init, |_| &[]), index as u32);
            }
        }
        table
    }

    /// The hashes of its own entries by their indices, which have no gaps where there is no base.
    pub(super) fn hashes(&self) -> Vec<u32> {
        let mut hashes = vec![0; self.own.len()];
        for &(hash, index) in &self.own {
            if let Some(place) = hashes.get_mut(index as usize) {
                *place = hash;
            }
        }
        hashes
    }

    fn above(base: &TableBase) -> Self {
        Table { base: base.clone(), own: Entries::new() }
    }

    fn find(&self, hash: u32, mut is: impl FnMut(u32) -> bool) -> Option<u32> {
        let mut matches = |&(known, index): &(u32, u32)| known == hash && is(index);
        if let Some(&(_, found)) = self.own.find(spread(hash), &mut matches) {
            return Some(found);
        }
        if self.base.big.is_empty() {
            return None;
        }
        let big = self.base.big.find(spread(hash), &mut matches);
        big.or_else(|| self.base.small.find(spread(hash), &mut matches)).map(|&(_, found)| found)
    }

    fn insert(&mut self, hash: u32, index: u32) {
        self.own.insert_unique(spread(hash), (hash, index), |&(hash, _)| spread(hash));
    }

    fn freeze(self) -> TableBase {
        let TableBase { big, small } = self.base;
        if big.is_empty() {
            return TableBase { big: Arc::new(self.own), small };
        }
        if self.own.is_empty() {
            return TableBase { big, small };
        }
        if is_small_above(small.len() + self.own.len(), big.len()) {
            return TableBase { big, small: Arc::new(merged(&small, &self.own)) };
        }
        TableBase { big: Arc::new(merged(&merged(&big, &small), &self.own)), small: Arc::default() }
    }
}

/// Both tables as one.
fn merged(a: &Entries, b: &Entries) -> Entries {
    let mut all = Entries::clone(a);
    for &(hash, index) in b {
        all.insert_unique(spread(hash), (hash, index), |&(hash, _)| spread(hash));
    }
    all
}

/// Bytes of a chunk of text, as a power of two.
const TEXT_BITS: u32 = 17;
const TEXT_CHUNK: usize = 1 << TEXT_BITS;

/// The text of all strings, in chunks that never move; the first ones may be shared.
#[derive(Debug, Default)]
pub(super) struct Text {
    full: Vec<Arc<String>>,
    open: String,
    own_bytes: usize,
}

impl Text {
    fn above(base: &Arc<Vec<Arc<String>>>) -> Self {
        Text { full: Vec::clone(base), open: String::new(), own_bytes: 0 }
    }

    #[inline]
    fn get(&self, (start, len): (u32, u32)) -> &str {
        let at = start as usize % TEXT_CHUNK;
        &self.chunk(start)[at..at + len as usize]
    }

    fn bytes(&self, (start, len): (u32, u32)) -> &[u8] {
        let at = start as usize % TEXT_CHUNK;
        &self.chunk(start).as_bytes()[at..at + len as usize]
    }

    #[inline]
    fn chunk(&self, start: u32) -> &str {
        match self.full.get((start >> TEXT_BITS) as usize) {
            Some(chunk) => chunk,
            None => &self.open,
        }
    }

    fn push(&mut self, text: &str) -> u32 {
        if self.open.len() + text.len() > TEXT_CHUNK {
            self.close();
            self.open.reserve_exact(text.len().max(TEXT_CHUNK));
        }
        let start = (self.full.len() << TEXT_BITS) + self.open.len();
        self.open.push_str(text);
        self.own_bytes += text.len();
        // A chunk that is full has no place for the empty string either.
        if self.open.len() >= TEXT_CHUNK {
            self.close();
        }
        start as u32
    }

    /// Makes the string at `start` one that goes on with `suffix`, if what lies behind it allows that, and says how
    /// many bytes were added for it.
    ///
    /// Strings that are built up piece by piece share their beginning this way.
    fn extend(&mut self, start: u32, len: u32, suffix: &str) -> Option<usize> {
        let number = (start >> TEXT_BITS) as usize;
        let end = start as usize % TEXT_CHUNK + len as usize;
        if let Some(chunk) = self.full.get(number) {
            return chunk[end..].starts_with(suffix).then_some(0);
        }
        let behind = &self.open[end..];
        if behind.starts_with(suffix) {
            return Some(0);
        }
        let missing = suffix.strip_prefix(behind)?;
        if self.open.len() + missing.len() > TEXT_CHUNK {
            return None;
        }
        self.own_bytes += missing.len();
        self.open.push_str(missing);
        Some(missing.len())
    }

    /// Takes back what `extend` added.
    fn retract(&mut self, added: usize) {
        self.own_bytes -= added;
        self.open.truncate(self.open.len() - added);
    }

    fn close(&mut self) {
        if !self.open.is_empty() {
            self.full.push(Arc::new(std::mem::take(&mut self.open)));
        }
    }

    pub(super) fn pack(&self, packer: &mut Packer) {
        packer.word(self.full.len() as u32);
        self.full.iter().for_each(|chunk| packer.text(chunk.as_bytes()));
        packer.text(self.open.as_bytes());
        packer.long(self.own_bytes as u64);
    }

    pub(super) fn unpack(unpacker: &mut Unpacker<'_>) -> Option<Self> {
        let mut full = Vec::new();
        for _ in 0..unpacker.word()? {
            full.push(Arc::new(unpacker.text()?.to_owned()));
        }
        let mut open = String::with_capacity(TEXT_CHUNK);
        open.push_str(unpacker.text()?);
        let own_bytes = usize::try_from(unpacker.long()?).ok()?;
        Some(Text { full, open, own_bytes })
    }

    fn freeze(mut self) -> Arc<Vec<Arc<String>>> {
        // A base is kept for long, and gets no more text.
        self.open.shrink_to_fit();
        self.close();
        Arc::new(self.full)
    }
}

/// The most levels of parts in a value that is written. Reading is bounded by the nesting of a job; a loop or a chain of
/// records can go on from there.
pub const MOST_LEVELS: u32 = 100_000;

/// What is known of an init without looking into it.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Flags, and above them the weight.
    pub(super) state: u32,
    /// The marks of the variables that it mentions.
    pub(super) marks: u32,
}

impl Facts {
    /// Set if the init holds no variable and no unfolded operator.
    const CLOSED: u32 = 1;
    /// Set if the init holds no `?` in a place where one makes a template argument required.
    const COMPLETE: u32 = 2;
    /// Set if the init holds a variable.
    const VARIABLE: u32 = 4;
    /// Set if resolving the init gives a value and does nothing else.
    const PURE: u32 = 8;
    /// The bits of the flags.
    const FLAGS: u32 = 15;
    /// The weight of an init without parts; weights stop growing at their highest value.
    const ONE: u32 = 16;

    /// Whether resolving the init can not change it: it holds no variable and no unfolded operator.
    #[must_use]
    pub fn is_closed(self) -> bool {
        self.state & Facts::CLOSED != 0
    }

    /// Whether resolving the init gives a value and does nothing else, if that holds for its variables: no record is
    /// made or looked into, and nothing can be wrong.
    #[must_use]
    pub fn is_pure(self) -> bool {
        self.state & Facts::PURE != 0
    }

    /// Whether the init may mention a variable with one of these marks.
    #[must_use]
    pub fn may_mention(self, marks: u32) -> bool {
        self.marks & marks != 0
    }

    /// How many parts the init has, those of its parts included, and counted each time they come up: parts may be
    /// shared, so that this can be far more than there are. Very large weights are all the same.
    #[must_use]
    pub fn weight(self) -> u32 {
        self.state / Facts::ONE
    }

    fn plain(flags: u32) -> Facts {
        Facts { state: Facts::ONE | flags, marks: 0 }
    }

    fn with(self, flags: u32) -> Facts {
        Facts { state: self.state | flags, ..self }
    }

    fn without(self, flags: u32) -> Facts {
        Facts { state: self.state & !flags, ..self }
    }

    /// Those of an init with both as parts: closed, complete and pure if both are, with a variable if one is.
    fn and(self, other: Facts) -> Facts {
        let both = self.state & other.state & (Facts::CLOSED | Facts::COMPLETE | Facts::PURE);
        let either = (self.state | other.state) & Facts::VARIABLE;
        let weight = (self.state & !Facts::FLAGS).saturating_add(other.state & !Facts::FLAGS);
        Facts { state: weight & !Facts::FLAGS | both | either, marks: self.marks | other.marks }
    }

    /// Those of a list with the items of both lists.
    fn and_items_of(self, other: Facts) -> Facts {
        let one_too_heavy = self.and(other);
        Facts { state: one_too_heavy.state - Facts::ONE, ..one_too_heavy }
    }
}

impl Arena {
    /// An arena above nothing, of values with these operators.
    #[must_use]
    pub fn new(operators: &'static [OperatorFacts]) -> Self {
        let mut arena = Arena {
            text: Text { open: String::with_capacity(TEXT_CHUNK), ..Text::default() },
            strings: Layer::with_room(EXPECTED),
            string_table: Table::with_room(EXPECTED / 2),
            pool: Layer::with_room(EXPECTED),
            inits: Layer::with_room(2 * EXPECTED),
            facts: Layer::with_room(2 * EXPECTED),
            init_table: Table::with_room(EXPECTED),
            ..Arena::empty(operators)
        };
        for name in KNOWN {
            arena.string(name);
        }
        for plain in [Type::Bit, Type::Int, Type::String, Type::Dag, Type::Record(Seq { start: 0, len: 0 })] {
            arena.intern_type(plain);
        }
        for first in [Init::Unset, Init::Bit(false), Init::Bit(true), Init::Int(0), Init::Int(1)] {
            arena.intern(first);
        }
        arena
    }

    /// An arena whose first ids are those of `base`.
    #[must_use]
    pub fn above(base: &ArenaBase) -> Self {
        Arena {
            text: Text::above(&base.text),
            strings: Layer::above(&base.strings),
            string_table: Table::above(&base.string_table),
            pool: Layer::above(&base.pool),
            classes: Layer::above(&base.classes),
            types: Layer::above(&base.types),
            type_table: Table::above(&base.type_table),
            inits: Layer::above(&base.inits),
            facts: Layer::above(&base.facts),
            init_table: Table::above(&base.init_table),
            scratch: String::new(),
            hashed: None,
            listed: None,
            shared_items: 0,
            base_bytes: base.bytes,
            operators: base.operators,
        }
    }

    /// An arena without anything in it, not even what each arena begins with.
    pub(super) fn empty(operators: &'static [OperatorFacts]) -> Self {
        Arena {
            text: Text::default(),
            strings: Layer::default(),
            string_table: Table::default(),
            pool: Layer::default(),
            classes: Layer::default(),
            types: Layer::default(),
            type_table: Table::default(),
            inits: Layer::default(),
            facts: Layer::default(),
            init_table: Table::default(),
            scratch: String::new(),
            hashed: None,
            listed: None,
            shared_items: 0,
            base_bytes: 0,
            operators,
        }
    }

    /// What is known of an operator.
    #[must_use]
    #[inline]
    pub fn operator(&self, id: OperatorId) -> &'static OperatorFacts {
        &self.operators[usize::from(id.0)]
    }

    /// Whether it stands above a base.
    #[must_use]
    pub fn has_base(&self) -> bool {
        self.base_bytes > 0
    }

    /// The arena as a base for others.
    #[must_use]
    pub fn freeze(self) -> ArenaBase {
        ArenaBase {
            operators: self.operators,
            bytes: self.bytes(),
            text: self.text.freeze(),
            strings: self.strings.freeze(),
            string_table: self.string_table.freeze(),
            pool: self.pool.freeze(),
            classes: self.classes.freeze(),
            types: self.types.freeze(),
            type_table: self.type_table.freeze(),
            inits: self.inits.freeze(),
            facts: self.facts.freeze(),
            init_table: self.init_table.freeze(),
        }
    }

    /// Live bytes, those of the base included, for the meter: the same count with and without a base.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.base_bytes + self.own_bytes()
    }

    fn own_bytes(&self) -> usize {
        self.text.own_bytes
            + 20 * self.strings.own_len()
            + 4 * (self.pool.own_len() + self.shared_items)
            + 28 * self.inits.own_len()
    }

    /// Interns a string.
    pub fn string(&mut self, text: &str) -> StrId {
        let hash = hash_bytes(text.as_bytes());
        match self.find_hashed(hash, text.as_bytes()) {
            Some(known) => known,
            None => self.add_string(hash, text),
        }
    }

    /// Interns text that is known to be UTF-8.
    pub fn utf8(&mut self, text: &[u8]) -> StrId {
        let hash = hash_bytes(text);
        match self.find_hashed(hash, text) {
            Some(known) => known,
            None => self.add_string(hash, std::str::from_utf8(text).unwrap_or_default()),
        }
    }

    fn find_hashed(&self, hash: u32, text: &[u8]) -> Option<StrId> {
        let is = |index: u32| self.text.bytes(self.strings[index]) == text;
        self.string_table.find(hash, is).map(StrId)
    }

    fn add_string(&mut self, hash: u32, text: &str) -> StrId {
        let start = self.text.push(text);
        self.add_place(hash, (start, text.len() as u32))
    }

    fn add_place(&mut self, hash: u32, place: (u32, u32)) -> StrId {
        let index = self.strings.push(place);
        self.string_table.insert(hash, index);
        StrId(index)
    }

    /// Interns `a` and what follows it as one string.
    pub fn join(&mut self, a: StrId, others: &[StrId]) -> StrId {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        others.iter().for_each(|&other| scratch.push_str(self.str(other)));
        let (start, len) = self.strings[a.0];
        let joined = match self.text.extend(start, len, &scratch) {
            Some(added) => {
                let place = (start, len + scratch.len() as u32);
                let hash = self.hash_in_place(place);
                match self.find_hashed(hash, self.text.bytes(place)) {
                    Some(known) => {
                        if added > 0 {
                            self.text.retract(added);
                            self.hashed = None;
                        }
                        known
                    }
                    None => self.add_place(hash, place),
                }
            }
            None => {
                scratch.insert_str(0, self.str(a));
                self.string(&scratch)
            }
        };
        self.scratch = scratch;
        joined
    }

    /// The hash of the string at this place. A long one that goes on where the last long one ended costs no more than
    /// what was added.
    fn hash_in_place(&mut self, place: (u32, u32)) -> u32 {
        let bytes = self.text.bytes(place);
        if bytes.len() < BLOCK {
            return hash_bytes(bytes);
        }
        let known = match self.hashed {
            Some((start, known)) if start == place.0 && known.blocks * BLOCK <= bytes.len() => known,
            _ => Blocks::default(),
        };
        let (blocks, hash) = known.hash(bytes);
        self.hashed = Some((place.0, blocks));
        hash
    }

    /// The id of a string, if it was interned before.
    #[must_use]
    pub fn find_string(&self, text: &str) -> Option<StrId> {
        self.find_hashed(hash_bytes(text.as_bytes()), text.as_bytes())
    }

    /// The text of a string.
    #[must_use]
    #[inline]
    pub fn str(&self, id: StrId) -> &str {
        self.text.get(self.strings[id.0])
    }

    /// The type behind an id.
    #[must_use]
    pub fn ty(&self, id: TypeId) -> Type {
        self.types[id.0]
    }

    /// `bits<n>`.
    pub fn bits_type(&mut self, width: u32) -> TypeId {
        self.intern_type(Type::Bits(width))
    }

    /// `list<element>`.
    pub fn list_type(&mut self, element: TypeId) -> TypeId {
        self.intern_type(Type::List(element))
    }

    /// The record type of these classes; the caller has put them in order and left out redundant ones.
    pub fn record_type(&mut self, classes: &[RecordId]) -> TypeId {
        let hash = hash_type(Type::Record(Seq { start: 0, len: 0 }), |_| classes);
        let (types, pool) = (&self.types, &self.classes);
        let is =
            |index: u32| matches!(types[index], Type::Record(seq) if pool.run(seq.start, seq.len) == classes);
        if let Some(found) = self.type_table.find(hash, is) {
            return TypeId(found);
        }
        let start = self.classes.push_run(classes);
        self.insert_type(hash, Type::Record(Seq { start, len: classes.len() as u32 }))
    }

    /// The classes of a record type.
    #[must_use]
    pub fn classes(&self, seq: Seq) -> &[RecordId] {
        self.classes.run(seq.start, seq.len)
    }

    fn intern_type(&mut self, ty: Type) -> TypeId {
        let hash = hash_type(ty, |_| &[]);
        let types = &self.types;
        if let Some(found) = self.type_table.find(hash, |index| types[index] == ty) {
            return TypeId(found);
        }
        self.insert_type(hash, ty)
    }

    fn insert_type(&mut self, hash: u32, ty: Type) -> TypeId {
        let index = self.types.push(ty);
        self.type_table.insert(hash, index);
        TypeId(index)
    }

    /// The init behind an id.
    #[must_use]
    #[inline]
    pub fn init(&self, id: InitId) -> Init {
        self.inits[id.0]
    }

    /// The ids of a run, as a slice.
    #[must_use]
    #[inline]
    pub fn run(&self, seq: Seq) -> &[InitId] {
        self.pool.run(seq.start, seq.len)
    }

    /// The ids of a run.
    pub fn seq(&self, seq: Seq) -> impl ExactSizeIterator<Item = InitId> + DoubleEndedIterator + Clone + '_ {
        self.pool.run(seq.start, seq.len).iter().copied()
    }

    /// One id of a run.
    #[must_use]
    pub fn at(&self, seq: Seq, index: usize) -> InitId {
        self.pool.run(seq.start, seq.len)[index]
    }

    /// What is known of an init; of no init at all that it is closed.
    #[must_use]
    #[inline]
    pub fn facts(&self, id: InitId) -> Facts {
        const NONE: Facts = Facts { state: Facts::ONE | Facts::CLOSED, marks: 0 };
        if id.is_some() { self.facts[id.0] } else { NONE }
    }

    /// Whether resolving the init can not change it: it holds no variable and no unfolded operator.
    #[must_use]
    #[inline]
    pub fn is_closed(&self, id: InitId) -> bool {
        self.facts(id).is_closed()
    }

    /// Whether parts are nested in it deeper than the stack allows to follow.
    #[must_use]
    pub fn is_too_deep(&self, id: InitId) -> bool {
        // What has few parts is not deep.
        self.facts(id).weight() > MOST_LEVELS && self.levels(id) > MOST_LEVELS
    }

    /// How deep parts are nested in it.
    fn levels(&self, id: InitId) -> u32 {
        let mut levels: HashMap<InitId, u32, FxBuildHasher> = HashMap::default();
        // Each part comes up before its own parts, and again after them.
        let mut waiting = vec![(id, false)];
        while let Some((part, is_again)) = waiting.pop() {
            let own = self.init(part);
            let single = match own {
                Init::VarBit(value, _) | Init::Field(value, ..) | Init::Named(_, value) => Some(value),
                _ => None,
            };
            let many = match own {
                Init::Bits(seq) | Init::List(_, seq) | Init::Dag(seq) => Some(seq),
                Init::Op(_, _, seq) | Init::Instance(_, seq) => Some(seq),
                _ => None,
            };
            let parts = single.into_iter().chain(many.into_iter().flat_map(|seq| self.seq(seq)));
            let parts = parts.filter(|part| part.is_some());
            if is_again {
                let deepest = parts.filter_map(|part| levels.get(&part)).max().copied().unwrap_or(0);
                levels.insert(part, deepest + 1);
            } else if !levels.contains_key(&part) {
                waiting.push((part, true));
                waiting.extend(parts.map(|part| (part, false)));
            }
        }
        levels.get(&id).copied().unwrap_or(0)
    }

    /// Whether the init is not `?` and holds no unset bit.
    #[must_use]
    pub fn is_complete(&self, id: InitId) -> bool {
        self.facts(id).state & Facts::COMPLETE != 0
    }

    /// The mark of names that were made up.
    pub const ANONYMOUS_MARK: u32 = 1;

    /// The mark of a variable of this name: one bit, which others may share.
    #[must_use]
    pub fn mark(&self, name: StrId) -> u32 {
        // From the text alone, so that marks do not depend on what was interned before.
        let text = self.text.bytes(self.strings[name.0]);
        let [middle, last] = [text.len() / 2, text.len().saturating_sub(1)].map(|at| text.get(at).copied());
        let sum = 3 * usize::from(middle.unwrap_or(0)) + 11 * usize::from(last.unwrap_or(0)) + 5 * text.len();
        1 << (sum % 32)
    }

    /// An integer.
    pub fn int(&mut self, value: i64) -> InitId {
        match value {
            0 => InitId::ZERO,
            1 => InitId::ONE,
            _ => self.intern(Init::Int(value)),
        }
    }

    /// A string value, written `"…"`.
    pub fn string_init(&mut self, text: &str) -> InitId {
        let id = self.string(text);
        self.intern(Init::String(id))
    }

    /// Bits, the lowest first.
    pub fn bits(&mut self, bits: &[InitId]) -> InitId {
        self.intern_run(bits, Init::Bits)
    }

    /// A list of `element`s.
    pub fn list(&mut self, element: TypeId, items: &[InitId]) -> InitId {
        self.intern_run(items, |seq| Init::List(element, seq))
    }

    /// The list with the items of both of these lists, and the first one's element type.
    ///
    /// Lists that are built up piece by piece share their beginning, and cost no more than what is added.
    pub fn list_of_both(&mut self, element: TypeId, [(a, begin), (b, end)]: [(InitId, Seq); 2]) -> InitId {
        let more: SmallVec<[InitId; 16]> = SmallVec::from_slice(self.run(end));
        let shape = Init::List(element, Seq { start: 0, len: begin.len + end.len });
        let mut hasher = match &self.listed {
            Some(Listed { list, hasher }) if *list == a => hasher.clone(),
            _ => hasher_of(shape, |_| self.run(begin)),
        };
        more.iter().for_each(|item| hasher.write_u32(item.0));
        let hash = fold_hash(&hasher);
        let is = |index: u32| {
            same_shape(self.inits[index], shape, |seq| {
                seq.len == begin.len + end.len && {
                    let (first, second) = self.run(seq).split_at(begin.len as usize);
                    first == self.run(begin) && second == &more[..]
                }
            })
        };
        let list = match self.init_table.find(hash, is) {
            Some(found) => InitId(found),
            None => {
                let before = self.pool.own_len();
                let start = self.pool.push_longer((begin.start, begin.len), &more);
                let len = begin.len + end.len;
                // Counted as if nothing were shared: whether it can be depends on where a base ends.
                self.shared_items += len as usize - (self.pool.own_len() - before);
                // What is known of both is known of it.
                let facts = self.facts(a).and_items_of(self.facts(b));
                self.insert(hash, Init::List(element, Seq { start, len }), facts)
            }
        };
        self.listed = Some(Listed { list, hasher });
        list
    }

    /// A dag; `parts` is operator, operator name, then argument and name in turn.
    pub fn dag(&mut self, parts: &[InitId]) -> InitId {
        self.intern_run(parts, Init::Dag)
    }

    /// A bang operator that could not be folded.
    pub fn op(&mut self, operator: OperatorId, ty: TypeId, operands: &[InitId]) -> InitId {
        self.intern_run(operands, |seq| Init::Op(operator, ty, seq))
    }

    /// An instance of a class that is not made yet.
    pub fn instance(&mut self, class: RecordId, arguments: &[InitId]) -> InitId {
        self.intern_run(arguments, |seq| Init::Instance(class, seq))
    }

    /// Interns an init without a run.
    pub fn intern(&mut self, init: Init) -> InitId {
        let (inits, pool) = (&self.inits, &self.pool);
        let run = |seq: Seq| pool.run(seq.start, seq.len);
        let hash = hash_init(init, run);
        if let Some(found) = self.init_table.find(hash, |index| same_init(inits[index], init, run)) {
            return InitId(found);
        }
        let facts = self.facts_of(init);
        self.insert(hash, init, facts)
    }

    /// Whether some value is, or holds, a reference to this record.
    #[must_use]
    pub fn mentions(&self, record: RecordId) -> bool {
        let init = Init::Def(record);
        self.init_table.find(hash_init(init, |_| &[]), |index| same_plain(self.inits[index], init)).is_some()
    }

    fn intern_run(&mut self, items: &[InitId], make: impl Fn(Seq) -> Init) -> InitId {
        let shape = make(Seq { start: 0, len: items.len() as u32 });
        let hash = hash_init(shape, |_| items);
        let (inits, pool) = (&self.inits, &self.pool);
        let is = |index: u32| same_shape(inits[index], shape, |seq| pool.run(seq.start, seq.len) == items);
        if let Some(found) = self.init_table.find(hash, is) {
            return InitId(found);
        }
        let start = self.pool.push_run(items);
        let init = make(Seq { start, len: items.len() as u32 });
        let facts = self.facts_of(init);
        self.insert(hash, init, facts)
    }

    fn insert(&mut self, hash: u32, init: Init, facts: Facts) -> InitId {
        let index = self.inits.push(init);
        self.facts.push(facts);
        self.init_table.insert(hash, index);
        InitId(index)
    }

    /// Whether the init holds a variable.
    #[must_use]
    pub fn has_variable(&self, id: InitId) -> bool {
        self.facts(id).state & Facts::VARIABLE != 0
    }

    fn facts_of(&self, init: Init) -> Facts {
        const ALL: u32 = Facts::CLOSED | Facts::COMPLETE | Facts::PURE;
        let of = |part: InitId| if part.is_some() { self.facts[part.0] } else { Facts::plain(ALL) };
        let all = |seq: Seq| {
            let start = Facts::plain(ALL);
            self.pool.run(seq.start, seq.len).iter().fold(start, |facts, &part| facts.and(of(part)))
        };
        match init {
            Init::Unset => Facts::plain(Facts::CLOSED | Facts::PURE),
            Init::Bit(_) | Init::Int(_) | Init::String(_) | Init::Code(_) | Init::Def(_) => Facts::plain(ALL),
            Init::List(_, seq) => all(seq),
            Init::Bits(seq) => {
                let is_complete = self.seq(seq).all(|bit| bit != InitId::UNSET);
                // A bit that is a whole value may be converted, whatever the names are.
                let is_plain =
                    |bit: InitId| of(bit).is_closed() || matches!(self.init(bit), Init::VarBit(..));
                let marks = if self.seq(seq).all(is_plain) { all(seq).marks } else { u32::MAX };
                let complete = if is_complete { Facts::COMPLETE } else { 0 };
                Facts { marks, ..all(seq).without(Facts::COMPLETE).with(complete) }
            }
            Init::Dag(seq) => all(seq).with(Facts::COMPLETE),
            Init::Instance(_, seq) => all(seq).without(Facts::CLOSED | Facts::PURE).with(Facts::COMPLETE),
            Init::Op(operator, _, seq) => {
                let operator = self.operator(operator);
                let lost = if operator.is_pure { Facts::CLOSED } else { Facts::CLOSED | Facts::PURE };
                let facts = all(seq).without(lost);
                match operator.completeness {
                    Completeness::Always => facts.with(Facts::COMPLETE),
                    Completeness::OfOperands => facts,
                    Completeness::Never => facts.without(Facts::COMPLETE),
                }
            }
            Init::Var(name, _) => {
                let flags = Facts::COMPLETE | Facts::VARIABLE | Facts::PURE;
                Facts { marks: self.mark(name), ..Facts::plain(flags) }
            }
            Init::VarBit(value, _) | Init::Field(value, ..) => {
                let lost = Facts::CLOSED | Facts::PURE;
                Facts::plain(ALL).and(of(value)).without(lost).with(Facts::COMPLETE)
            }
            Init::Named(_, value) => Facts::plain(ALL).and(of(value)),
            Init::Anonymous(_) => {
                let flags = Facts::COMPLETE | Facts::VARIABLE | Facts::PURE;
                Facts { marks: Arena::ANONYMOUS_MARK, ..Facts::plain(flags) }
            }
        }
    }
}

fn same_init<'a>(a: Init, b: Init, run: impl Fn(Seq) -> &'a [InitId]) -> bool {
    match (a, b) {
        (Init::Bits(x), Init::Bits(y)) | (Init::Dag(x), Init::Dag(y)) => run(x) == run(y),
        (Init::List(s, x), Init::List(t, y)) => s == t && run(x) == run(y),
        (Init::Op(o, s, x), Init::Op(p, t, y)) => o == p && s == t && run(x) == run(y),
        (Init::Instance(c, x), Init::Instance(d, y)) => c == d && run(x) == run(y),
        (a, b) => same_plain(a, b),
    }
}

fn same_shape(stored: Init, shape: Init, same_run: impl Fn(Seq) -> bool) -> bool {
    match (stored, shape) {
        (Init::Bits(x), Init::Bits(_)) | (Init::Dag(x), Init::Dag(_)) => same_run(x),
        (Init::List(s, x), Init::List(t, _)) => s == t && same_run(x),
        (Init::Op(o, s, x), Init::Op(p, t, _)) => o == p && s == t && same_run(x),
        (Init::Instance(c, x), Init::Instance(d, _)) => c == d && same_run(x),
        _ => false,
    }
}

fn same_plain(a: Init, b: Init) -> bool {
    match (a, b) {
        (Init::Unset, Init::Unset) => true,
        (Init::Bit(a), Init::Bit(b)) => a == b,
        (Init::Int(a), Init::Int(b)) => a == b,
        (Init::String(a), Init::String(b)) | (Init::Code(a), Init::Code(b)) => a == b,
        (Init::Def(a), Init::Def(b)) => a == b,
        (Init::Var(a, s), Init::Var(b, t)) => a == b && s == t,
        (Init::VarBit(a, i), Init::VarBit(b, j)) => a == b && i == j,
        (Init::Field(a, f, s), Init::Field(b, g, t)) => a == b && f == g && s == t,
        (Init::Named(n, a), Init::Named(m, b)) => n == m && a == b,
        (Init::Anonymous(a), Init::Anonymous(b)) => a == b,
        _ => false,
    }
}

fn fold_hash(hasher: &FxHasher) -> u32 {
    let hash = hasher.finish();
    (hash ^ hash >> 32) as u32
}

/// Bytes of a long string that are hashed together.
const BLOCK: usize = 256;

/// The hash of the whole blocks that a long string begins with.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Blocks {
    blocks: usize,
    hash: u64,
}

impl Blocks {
    /// Goes on to the end: all whole blocks, and the hash of the string.
    fn hash(self, bytes: &[u8]) -> (Blocks, u32) {
        let mut blocks = bytes[self.blocks * BLOCK..].chunks_exact(BLOCK);
        let whole = blocks.by_ref().fold(self, |before, block| Blocks {
            blocks: before.blocks + 1,
            hash: hash_behind(before.hash, block).finish(),
        });
        (whole, fold_hash(&hash_behind(whole.hash, blocks.remainder())))
    }
}

fn hash_behind(before: u64, bytes: &[u8]) -> FxHasher {
    let mut hasher = FxHasher::default();
    hasher.write_u64(before);
    hasher.write(bytes);
    hasher
}

fn hash_bytes(bytes: &[u8]) -> u32 {
    if bytes.len() >= BLOCK {
        return Blocks::default().hash(bytes).1;
    }
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    fold_hash(&hasher)
}

fn hash_type<'a>(ty: Type, run: impl Fn(Seq) -> &'a [RecordId]) -> u32 {
    let mut hasher = FxHasher::default();
    match ty {
        Type::Bit => hasher.write_u8(0),
        Type::Int => hasher.write_u8(1),
        Type::String => hasher.write_u8(2),
        Type::Dag => hasher.write_u8(3),
        Type::Bits(width) => hasher.write_u64(u64::from(width) << 8 | 4),
        Type::List(element) => hasher.write_u64(u64::from(element.0) << 8 | 5),
        Type::Record(seq) => {
            hasher.write_u8(6);
            run(seq).iter().for_each(|class| hasher.write_u32(class.0));
        }
    }
    fold_hash(&hasher)
}

fn hash_init<'a>(init: Init, run: impl Fn(Seq) -> &'a [InitId]) -> u32 {
    fold_hash(&hasher_of(init, run))
}

/// The hasher behind an init.
fn hasher_of<'a>(init: Init, run: impl Fn(Seq) -> &'a [InitId]) -> FxHasher {
    let mut hasher = FxHasher::default();
    let mut word = |a: u8, b: u32, c: u32| {
        hasher.write_u64(u64::from(b) << 32 | u64::from(c));
        hasher.write_u8(a);
    };
    let seq = match init {
        Init::Unset => return hasher,
        Init::Bit(bit) => {
            word(1, 0, u32::from(bit));
            None
        }
        Init::Int(value) => {
            word(2, (value as u64 >> 32) as u32, value as u32);
            None
        }
        Init::String(id) => {
            word(3, 0, id.0);
            None
        }
        Init::Code(id) => {
            word(4, 0, id.0);
            None
        }
        Init::Def(id) => {
            word(5, 0, id.0);
            None
        }
        Init::Var(name, ty) => {
            word(6, name.0, ty.0);
            None
        }
        Init::VarBit(value, index) => {
            word(7, value.0, index);
            None
        }
        Init::Field(record, name, ty) => {
            word(8, record.0, name.0 ^ ty.0.rotate_left(16));
            None
        }
        Init::Named(name, value) => {
            word(10, name.0, value.0);
            None
        }
        Init::Anonymous(name) => {
            word(9, 0, name.0);
            None
        }
        Init::Bits(seq) => {
            word(11, 0, 0);
            Some(seq)
        }
        Init::List(ty, seq) => {
            word(12, 0, ty.0);
            Some(seq)
        }
        Init::Dag(seq) => {
            word(13, 0, 0);
            Some(seq)
        }
        Init::Op(operator, ty, seq) => {
            word(14, u32::from(operator.0), ty.0);
            Some(seq)
        }
        Init::Instance(class, seq) => {
            word(15, 0, class.0);
            Some(seq)
        }
    };
    if let Some(seq) = seq {
        run(seq).iter().for_each(|item| hasher.write_u32(item.0));
    }
    hasher
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_strings_are_those_that_were_written_at_once() {
        let mut arena = Arena::new(&[]);
        let parts: Vec<String> = "abcd".chars().map(|c| c.to_string().repeat(300)).collect();
        let [a, b, c, d] = [0, 1, 2, 3].map(|part| parts[part].as_str());
        let known = arena.string(&[a, c].concat());
        let ids = [a, b, c, d].map(|part| arena.string(part));
        let at_the_end = arena.string(&"e".repeat(300));
        let pairs = [ids[1], ids[2], ids[3], at_the_end];
        for first in [ids[0], at_the_end] {
            for second in pairs {
                let both = [arena.str(first), arena.str(second)].concat();
                let joined = arena.join(first, &[second]);
                assert_eq!(arena.str(joined), both);
                assert_eq!(arena.string(&both), joined);
            }
        }
        assert_eq!(arena.join(ids[0], &[ids[2]]), known);
    }

    #[test]
    fn a_string_that_is_taken_back_leaves_no_hash() {
        let mut arena = Arena::new(&[]);
        let [a, b, c] = ["a", "b", "c"].map(|letter| letter.repeat(300));
        let (b_id, c_id) = (arena.string(&b), arena.string(&c));
        let known = arena.string(&[&*a, &*b].concat());
        let a_id = arena.string(&a);
        assert_eq!(arena.join(a_id, &[b_id]), known);
        let joined = arena.join(a_id, &[c_id]);
        assert_eq!(arena.string(&[&*a, &*c].concat()), joined);
    }
}
