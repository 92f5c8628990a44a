//! Which records of several results are the same one.
//!
//! Roots that include the same file each have its records, under other indexes. What is derived from a record that is the
//! same in every part need be worked out for one root alone; [`Identities`] says which records are the same.

use rustc_hash::FxHashMap;

use super::{
    arena::Arena,
    init::{Init, InitId, StrId},
    record::{Kind, Record, RecordId},
    records::{Rec, Records},
    types::{Type, TypeId},
};
use crate::span::Span;

/// Numbers for records, the same for records that are the same: those that were written at one place of one file, and
/// whose fields have the same values, down to the records in them.
///
/// The results have to be those of one set of files, in which a name stands for one text, and of one release. The numbers
/// that a counter gave to anonymous records are no part of them, as they depend on all that came before.
#[derive(Debug, Default)]
pub struct Identities<'r> {
    texts: FxHashMap<&'r str, u32>,
    shapes: FxHashMap<Box<[u32]>, u32>,
    /// The result that is looked at.
    result: Option<&'r Records>,
    /// Its values and records that were numbered, by index.
    values: Vec<Memo>,
    records: Vec<Memo>,
    types: FxHashMap<TypeId, u32>,
    /// Parts of the shapes that are being made, one above the other.
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

/// Records and values inside each other: deeper ones are not numbered, so that none of them takes all of the stack.
const MAX_DEPTH: u32 = 200;

/// What a shape is of, which is its first part.
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

/// The part for a value, a name or a place that is missing.
const NOTHING: u32 = u32::MAX;

impl<'r> Identities<'r> {
    /// Goes on to the next result.
    pub fn begin(&mut self, result: &'r Records) {
        let keeper = result.keeper();
        // What both results have of a state that they began with need not be looked at again.
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

    /// The number of a record of the result that is looked at, together with another one that it is used with; none for
    /// those that refer to themselves, and very deep ones.
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
        // One that is met inside itself has no number, and none that it is in.
        self.records[id.0 as usize] = Memo::Unnumbered;
        self.depth += 1;
        let start = self.parts.len();
        let is_whole = self.add_record(records, records.keeper().record(id));
        let number = self.finish(start, is_whole);
        self.depth -= 1;
        self.records[id.0 as usize] = number.into();
        number
    }

    /// Adds the parts of a record; false if one of them has no number.
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
            // What a class holds is seen in its records; of itself it is a name, and what fields it declares.
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

    /// Adds the parts of a value; nothing if one of them has no number.
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
                // No two classes of a result have one name, and types have those of their result.
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

    /// The number of the shape whose parts begin here, if it is whole.
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
