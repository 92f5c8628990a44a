//! The single owner of strings, types and inits.
//!
//! Equal ones are stored once, in tables that may continue those of a base:
//!
//! * `strings.rs` over `text.rs`, `types.rs` and `inits.rs`: the three kinds;
//! * `facts.rs`: facts about an init, known without visiting its parts;
//! * `table.rs`: finds stored entries by their hash.

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
/// An arena is either above a base that other jobs share, or on its own.
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
    /// The offset of the last long string that was hashed in place, and its hash so far.
    pub(super) hashed: Option<(u32, Blocks)>,
    /// The last list that was joined from two.
    pub(super) listed: Option<ListHash>,
    /// The number of list items shared with the beginnings of other lists, and not stored again.
    pub(super) shared_items: usize,
    pub(super) base_bytes: usize,
    pub(super) operators: &'static [OperatorFacts],
}

/// A frozen arena that others build on.
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
    /// Returns the approximate size in bytes of its lists and tables, without those of a base below it.
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

/// The number of inits of a small dialect. Memory for them is reserved at once; it costs nothing until it is written
/// to.
const EXPECTED: usize = 14_000;

fn fold_hash(hasher: &FxHasher) -> u32 {
    let hash = hasher.finish();
    (hash ^ hash >> 32) as u32
}

impl Arena {
    /// Creates an arena on its own, for values with these operators.
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

    /// Creates an arena whose first ids are those of `base`.
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

    /// Creates an empty arena, even without the entries that each arena begins with.
    pub(super) fn empty(operators: &'static [OperatorFacts]) -> Self {
        Arena::above(&ArenaBase { operators, ..ArenaBase::default() })
    }

    /// Returns the facts about an operator.
    #[must_use]
    #[inline]
    pub fn operator(&self, id: OperatorId) -> &'static OperatorFacts {
        &self.operators[usize::from(id.0)]
    }

    /// Returns true if it is above a base.
    #[must_use]
    pub fn has_base(&self) -> bool {
        self.base_bytes > 0
    }

    /// Returns the arena as a base for others.
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

    /// Returns true if the text of a string did not fit, so that the string has another text.
    #[must_use]
    #[inline]
    pub fn is_full(&self) -> bool {
        self.text.is_full
    }

    /// Returns the live bytes for the meter, including the base's: the same count with and without a base.
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
