//! Equality of records across several results.
//!
//! Roots that include the same file each have its records, under different indexes. Data derived from a record that is
//! the same in all of them need be computed for one root only; [`Identities`] finds such records.

use rustc_hash::FxHashMap;

use super::{
    arena::Arena,
    init::{Init, InitId, StrId},
    record::{Kind, Record, RecordId},
    records::{Rec, Records},
    types::{Type, TypeId},
};
use crate::span::Span;

/// Numbers for records, equal for equal records: those written at the same place of the same file, and whose fields
/// have equal values, including the records in them.
///
/// The results must come from one set of files, in which a name always has the same text, and from one release. The
/// numbers of anonymous records are ignored, as they depend on everything before them.
#[derive(Debug, Default)]
pub struct Identities<'r> {
    texts: FxHashMap<&'r str, u32>,
    shapes: FxHashMap<Box<[u32]>, u32>,
    /// The current result.
    result: Option<&'r Records>,
    /// Its values and records that were numbered, by index.
    values: Vec<Memo>,
    records: Vec<Memo>,
    types: FxHashMap<TypeId, u32>,
    /// Parts of the shapes that are being built, one above the other.
    parts: Vec<u32>,
    depth: u32,
}

/// The result of numbering a value or a record.
#[derive(Clone, Copy, Debug, Default)]
enum Memo {
    /// It was not numbered.
    #[default]
    Unvisited,
    /// It has no number, or none yet.
    Unnumbered,
    /// Its number.
    Number(u32),
}

impl From<Option<u32>> for Memo {
    fn from(number: Option<u32>) -> Self {
        number.map_or(Memo::Unnumbered, Memo::Number)
    }
}

/// The largest nesting of records and values: deeper ones are not numbered, so that none of them uses up the stack.
const MAX_DEPTH: u32 = 200;

/// The kind of a shape, which is its first part.
#[derive(Clone, Copy)]
enum Tag {
    Unset,
    Bit,
    Bits,
    Int,
    String,
    Code,
    List,
    Def,
    Dag,
    Var,
    VarBit,
    Field,
    Op,
    Instance,
    Named,
    Anonymous,
    Class,
    Record,
    Both,
    PlainType,
    BitsType,
    ListType,
    RecordType,
}

/// The part for a missing value, name or place.
const NOTHING: u32 = u32::MAX;

impl<'r> Identities<'r> {
    /// Moves on to the next result.
    pub fn begin(&mut self, result: &'r Records) {
        let keeper = result.keeper();
        // The part of a state that both results began with need not be visited again.
        let before = self.result.replace(result).map(Records::keeper);
        let (records, values) = match before.filter(|before| before.has_patches_of(keeper)) {
            Some(before) => {
                (before.end_of_shared(keeper), before.arena.inits.end_of_shared(&keeper.arena.inits))
            }
            None => (0, 0),
        };
        self.records.truncate(records as usize);
        self.records.resize_with(keeper.end() as usize, Memo::default);
        self.values.truncate(values as usize);
        self.values.resize_with(keeper.arena.inits.end() as usize, Memo::default);
        self.types.clear();
    }

    /// Returns the number of a record of the current result, combined with another record if there is one; none for
    /// records that refer to themselves, and for very deep ones.
    pub fn number(&mut self, rec: Rec<'r>, beside: Option<Rec<'r>>) -> Option<u32> {
        let number = self.record(rec.records(), rec.id());
        let Some(beside) = beside else { return number };
        let beside = self.record(beside.records(), beside.id());
        let start = self.parts.len();
        self.parts.extend([Tag::Both as u32, number?, beside?]);
        self.finish(start, true)
    }

    fn record(&mut self, records: &'r Records, id: RecordId) -> Option<u32> {
        match self.records[id.0 as usize] {
            Memo::Unvisited => {}
            Memo::Unnumbered => return None,
            Memo::Number(number) => return Some(number),
        }
        if self.depth == MAX_DEPTH {
            return None;
        }
        // A record inside itself has no number, and neither has a record that holds it.
        self.records[id.0 as usize] = Memo::Unnumbered;
        self.depth += 1;
        let start = self.parts.len();
        let is_whole = self.add_record(records, records.keeper().record(id));
        let number = self.finish(start, is_whole);
        self.depth -= 1;
        self.records[id.0 as usize] = number.into();
        number
    }

    /// Adds the parts of a record; returns false if one of them has no number.
    fn add_record(&mut self, records: &'r Records, record: &'r Record) -> bool {
        let keeper = records.keeper();
        let is_class = record.kind != Kind::Def;
        self.parts.push(if is_class { Tag::Class } else { Tag::Record } as u32);
        let name = match keeper.arena.init(record.name) {
            Init::String(text) if !record.is_anonymous => self.text(keeper.str(text)),
            _ => NOTHING,
        };
        self.parts.extend([name, record.spans.len() as u32]);
        for &span in &record.spans {
            self.add_place(records, span);
        }
        for superclass in &record.superclasses {
            let Some(class) = self.record(records, superclass.class) else { return false };
            self.parts.push(class);
        }
        self.parts.push(NOTHING);
        for field in &record.fields {
            let name = self.text(keeper.str(field.name));
            self.parts.push(name);
            // The contents of a class show in its records; the class itself counts by its name and declared fields.
            if !is_class {
                let Some(value) = self.value_or_nothing(records, field.value) else { return false };
                self.parts.push(value);
            }
        }
        true
    }

    fn add_place(&mut self, records: &'r Records, span: Span) {
        let place =
            records.sources().offset_of(span).map(|(buffer, offset)| (self.text(&buffer.name), offset));
        let (file, offset) = place.unwrap_or((NOTHING, NOTHING));
        self.parts.extend([file, offset]);
    }

    fn value_or_nothing(&mut self, records: &'r Records, id: InitId) -> Option<u32> {
        if id.is_some() { self.value(records, id) } else { Some(NOTHING) }
    }

    fn value(&mut self, records: &'r Records, id: InitId) -> Option<u32> {
        match self.values[id.0 as usize] {
            Memo::Unvisited => {}
            Memo::Unnumbered => return None,
            Memo::Number(number) => return Some(number),
        }
        if self.depth == MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let start = self.parts.len();
        let is_whole = self.add_value(records, id).is_some();
        let number = self.finish(start, is_whole);
        self.depth -= 1;
        self.values[id.0 as usize] = number.into();
        number
    }

    /// Adds the parts of a value; returns nothing if one of them has no number.
    fn add_value(&mut self, records: &'r Records, id: InitId) -> Option<()> {
        let arena: &'r Arena = &records.keeper().arena;
        let (tag, parts) = match arena.init(id) {
            Init::Unset => (Tag::Unset, [NOTHING; 2]),
            Init::Bit(bit) => (Tag::Bit, [u32::from(bit), NOTHING]),
            Init::Bits(_) => (Tag::Bits, [NOTHING; 2]),
            Init::Int(int) => (Tag::Int, [int as u32, (int >> 32) as u32]),
            Init::String(text) => (Tag::String, [self.string(arena, text), NOTHING]),
            Init::Code(text) => (Tag::Code, [self.string(arena, text), NOTHING]),
            Init::List(element, _) => (Tag::List, [self.ty(records, element)?, NOTHING]),
            Init::Def(record) => (Tag::Def, [self.record(records, record)?, NOTHING]),
            Init::Dag(_) => (Tag::Dag, [NOTHING; 2]),
            Init::Var(name, ty) => (Tag::Var, [self.string(arena, name), self.ty(records, ty)?]),
            Init::VarBit(of, bit) => (Tag::VarBit, [self.value(records, of)?, bit]),
            Init::Field(of, name, _) => (Tag::Field, [self.value(records, of)?, self.string(arena, name)]),
            Init::Op(operator, ty, _) => (Tag::Op, [u32::from(operator.0), self.ty(records, ty)?]),
            Init::Instance(class, _) => (Tag::Instance, [self.record(records, class)?, NOTHING]),
            Init::Named(name, of) => (Tag::Named, [self.string(arena, name), self.value(records, of)?]),
            Init::Anonymous(name) => (Tag::Anonymous, [self.string(arena, name), NOTHING]),
        };
        self.parts.push(tag as u32);
        self.parts.extend(parts);
        if let Init::Bits(all)
        | Init::List(_, all)
        | Init::Dag(all)
        | Init::Op(_, _, all)
        | Init::Instance(_, all) = arena.init(id)
        {
            for &part in arena.run(all) {
                let part = self.value_or_nothing(records, part)?;
                self.parts.push(part);
            }
        }
        Some(())
    }

    fn ty(&mut self, records: &'r Records, id: TypeId) -> Option<u32> {
        if let Some(&known) = self.types.get(&id) {
            return Some(known);
        }
        let arena = &records.keeper().arena;
        let start = self.parts.len();
        let is_whole = match arena.ty(id) {
            Type::Bits(width) => {
                self.parts.extend([Tag::BitsType as u32, width]);
                true
            }
            Type::List(element) => {
                let element = self.ty(records, element);
                self.parts.extend([Tag::ListType as u32, element.unwrap_or(NOTHING)]);
                element.is_some()
            }
            Type::Record(classes) => {
                self.parts.push(Tag::RecordType as u32);
                // Classes of a result have different names, and types refer to those of their result.
                for &class in arena.classes(classes) {
                    let name = self.text(records.rec(class).name());
                    self.parts.push(name);
                }
                true
            }
            Type::Bit | Type::Int | Type::String | Type::Dag => {
                self.parts.extend([Tag::PlainType as u32, id.0]);
                true
            }
        };
        let number = self.finish(start, is_whole)?;
        self.types.insert(id, number);
        Some(number)
    }

    fn string(&mut self, arena: &'r Arena, id: StrId) -> u32 {
        self.text(arena.str(id))
    }

    fn text(&mut self, text: &'r str) -> u32 {
        let next = self.texts.len() as u32;
        *self.texts.entry(text).or_insert(next)
    }

    /// Returns the number of the shape whose parts begin here, if it is complete.
    fn finish(&mut self, start: usize, is_whole: bool) -> Option<u32> {
        let number = is_whole.then(|| {
            let shape = &self.parts[start..];
            self.shapes.get(shape).copied().unwrap_or_else(|| {
                let next = self.shapes.len() as u32;
                self.shapes.insert(shape.into(), next);
                next
            })
        });
        self.parts.truncate(start);
        number
    }
}
