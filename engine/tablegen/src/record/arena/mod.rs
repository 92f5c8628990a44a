//! The one owner of strings, types and inits.
//!
//! What is equal is stored once, in tables that may go on from those of a base:
//!
//! * `strings.rs` over `text.rs`, `types.rs` and `inits.rs`: the three kinds;
//! * `facts.rs`: what is known of an init without looking into it;
//! * `table.rs`: finds what was stored by its hash.

mod facts;
mod inits;
mod strings;
mod table;
mod text;
mod types;

use std::{hash::Hasher, sync::Arc};

use rustc_hash::FxHasher;

pub use self::facts::{Facts, MOST_LEVELS};
pub use self::text::MAX_TEXT_BYTES;
use self::{inits::ListHash, strings::Blocks, table::Slots};
pub(super) use self::{table::Table, text::Text};
use super::{
    init::{Init, InitId, Seq},
    layer::{Layer, LayerBase},
    names::KNOWN,
    operator::{OperatorFacts, OperatorId},
    overlay::Shared,
    record::RecordId,
    types::Type,
};

/// Interned strings, types and inits.
///
/// An arena is above a base that other jobs share, or above nothing.
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
    pub(super) listed: Option<ListHash>,
    /// Items of lists that begin with other lists' items, and were not stored again.
    pub(super) shared_items: usize,
    pub(super) base_bytes: usize,
    pub(super) operators: &'static [OperatorFacts],
}

/// A frozen arena, to build others on.
#[derive(Clone, Debug, Default)]
pub struct ArenaBase {
    operators: &'static [OperatorFacts],
    bytes: usize,
    text: Arc<Vec<Arc<String>>>,
    strings: LayerBase<(u32, u32)>,
    string_table: Shared<Slots>,
    pool: LayerBase<InitId>,
    classes: LayerBase<RecordId>,
    types: LayerBase<Type>,
    type_table: Shared<Slots>,
    inits: LayerBase<Init>,
    facts: LayerBase<Facts>,
    init_table: Shared<Slots>,
}

impl ArenaBase {
    /// About how many bytes of its lists and tables are not those of a base that it was made above.
    pub(super) fn bytes_beside(&self, base: Option<&ArenaBase>) -> usize {
        self.text.len() * size_of::<Arc<String>>()
            + self.strings.directory_bytes()
            + self.pool.directory_bytes()
            + self.classes.directory_bytes()
            + self.types.directory_bytes()
            + self.inits.directory_bytes()
            + self.facts.directory_bytes()
            + self.string_table.bytes_beside(base.map(|base| &base.string_table))
            + self.type_table.bytes_beside(base.map(|base| &base.type_table))
            + self.init_table.bytes_beside(base.map(|base| &base.init_table))
    }
}

/// As many inits as a small dialect has. Memory for them is reserved at once; it costs nothing until it is written to.
const EXPECTED: usize = 14_000;

fn fold_hash(hasher: &FxHasher) -> u32 {
    let hash = hasher.finish();
    (hash ^ hash >> 32) as u32
}

impl Arena {
    /// An arena above nothing, of values with these operators.
    #[must_use]
    pub fn new(operators: &'static [OperatorFacts]) -> Self {
        let mut arena = Arena {
            text: Text::with_chunk(),
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
        Arena::above(&ArenaBase { operators, ..ArenaBase::default() })
    }

    /// What is known of an operator.
    #[must_use]
    #[inline]
    pub fn operator(&self, id: OperatorId) -> &'static OperatorFacts {
        &self.operators[usize::from(id.0)]
    }

    /// Whether it is above a base.
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

    /// Whether there was no place for the text of a string, so that it has another.
    #[must_use]
    #[inline]
    pub fn is_full(&self) -> bool {
        self.text.is_full
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
}
