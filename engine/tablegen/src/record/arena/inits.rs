//! Inits: equal ones have one id.

use std::{fmt, hash::Hasher};

use rustc_hash::FxHasher;
use smallvec::SmallVec;

use super::{Arena, Facts, fold_hash};
use crate::record::{
    init::{Init, InitId, Seq},
    operator::OperatorId,
    record::RecordId,
    types::TypeId,
};

/// A list, and the hasher after its items.
pub(in crate::record) struct ListHash {
    list: InitId,
    hasher: FxHasher,
}

impl fmt::Debug for ListHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ListHash").field("list", &self.list).finish_non_exhaustive()
    }
}

impl Arena {
    /// Returns the init of an id.
    #[must_use]
    #[inline]
    pub fn init(&self, id: InitId) -> Init {
        self.inits[id.0]
    }

    /// Returns the ids of a run, as a slice.
    #[must_use]
    #[inline]
    pub fn run(&self, seq: Seq) -> &[InitId] {
        self.pool.run(seq.start, seq.len)
    }

    /// Returns the ids of a run.
    pub fn seq(&self, seq: Seq) -> impl ExactSizeIterator<Item = InitId> + DoubleEndedIterator + Clone + '_ {
        self.pool.run(seq.start, seq.len).iter().copied()
    }

    /// Returns one id of a run.
    #[must_use]
    pub fn at(&self, seq: Seq, index: usize) -> InitId {
        self.pool.run(seq.start, seq.len)[index]
    }

    /// Interns an integer.
    pub fn int(&mut self, value: i64) -> InitId {
        match value {
            0 => InitId::ZERO,
            1 => InitId::ONE,
            _ => self.intern(Init::Int(value)),
        }
    }

    /// Interns a string value, written `"…"`.
    pub fn string_init(&mut self, text: &str) -> InitId {
        let id = self.string(text);
        self.intern(Init::String(id))
    }

    /// Interns bits, the lowest first.
    pub fn bits(&mut self, bits: &[InitId]) -> InitId {
        self.intern_run(bits, Init::Bits)
    }

    /// Interns a list of `element`s.
    pub fn list(&mut self, element: TypeId, items: &[InitId]) -> InitId {
        self.intern_run(items, |seq| Init::List(element, seq))
    }

    /// Interns the list with the items of both of these lists, and the first one's element type.
    ///
    /// Lists that are built up piece by piece share their beginning, and cost no more than the added items.
    pub fn list_of_both(&mut self, element: TypeId, [(a, begin), (b, end)]: [(InitId, Seq); 2]) -> InitId {
        let more: SmallVec<[InitId; 16]> = SmallVec::from_slice(self.run(end));
        let shape = Init::List(element, Seq { start: 0, len: begin.len + end.len });
        let mut hasher = match &self.listed {
            Some(ListHash { list, hasher }) if *list == a => hasher.clone(),
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
                // Counted as if nothing were shared: sharing depends on where a base ends.
                self.shared_items += len as usize - (self.pool.own_len() - before);
                // Facts that hold for both hold for it.
                let facts = self.facts(a).and_items_of(self.facts(b));
                self.insert(hash, Init::List(element, Seq { start, len }), facts)
            }
        };
        self.listed = Some(ListHash { list, hasher });
        list
    }

    /// Interns a dag; `parts` is operator, operator name, then argument and name in turn.
    pub fn dag(&mut self, parts: &[InitId]) -> InitId {
        self.intern_run(parts, Init::Dag)
    }

    /// Interns a bang operator that could not be folded.
    pub fn op(&mut self, operator: OperatorId, ty: TypeId, operands: &[InitId]) -> InitId {
        self.intern_run(operands, |seq| Init::Op(operator, ty, seq))
    }

    /// Interns an instance of a class that is not instantiated yet.
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

    /// Returns true if some value is, or holds, a reference to this record.
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

pub(super) fn hash_init<'a>(init: Init, run: impl Fn(Seq) -> &'a [InitId]) -> u32 {
    fold_hash(&hasher_of(init, run))
}

/// Returns a hasher after an init.
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
