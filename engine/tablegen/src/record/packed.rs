//! Packs arenas and keepers into bytes, and unpacks them.
//!
//! Ids keep their values. If evaluation is to continue, the hashes of interned entries are packed as well, so that it
//! continues as if it had interned everything itself.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::{
    arena::{Arena, Facts, Table, Text},
    init::{Init, InitId, Seq, StrId},
    keeper::Keeper,
    layer::Layer,
    operator::{OperatorFacts, OperatorId},
    overlay::Overlay,
    record::{Assertion, Declared, Dump, Field, Kind, Record, RecordId, Superclass},
    types::{Type, TypeId},
};
use crate::{
    packing::{Packer, Places, Rows, Unpacker},
    span::Span,
};
use odsmith_release::Rules;

/// A placeholder for a missing id.
const NOTHING: u32 = u32::MAX;

/// The purpose of packed records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Evaluation continues: more types and values are interned.
    Evaluation,
    /// They are read, and no more are made.
    Generation,
}

impl Arena {
    fn pack(&self, packer: &mut Packer, purpose: Purpose) {
        let hashes = |table: &Table| match purpose {
            Purpose::Evaluation => table.hashes(),
            Purpose::Generation => Vec::new(),
        };
        self.text.pack(packer);
        let string_hashes = self.string_table.hashes();
        packer.rows(self.strings.own().iter().zip(string_hashes), |(&(start, len), hash)| [start, len, hash]);
        packer.rows(self.pool.own().iter(), |id| [id.0]);
        packer.rows(self.classes.own().iter(), |id| [id.0]);
        packer.rows(self.types.own().iter(), |&ty| pack_type(ty));
        packer.rows(hashes(&self.type_table).into_iter(), |hash| [hash]);
        packer.rows(self.inits.own().iter(), |&init| pack_init(init));
        packer.rows(self.facts.own().iter(), |facts| [facts.state, facts.marks]);
        packer.rows(hashes(&self.init_table).into_iter(), |hash| [hash]);
        packer.long(self.shared_items as u64);
    }

    fn unpack(unpacker: &mut Unpacker<'_>, operators: &'static [OperatorFacts]) -> Option<Arena> {
        let text = Text::unpack(unpacker)?;
        let strings = unpacker.rows::<3>()?;
        let pool = unpacker.table(|[id]| InitId(id))?;
        let classes = unpacker.table(|[id]| RecordId(id))?;
        let types = unpacker.rows::<3>()?;
        let type_hashes = unpacker.rows::<1>()?;
        let inits = unpacker.rows::<4>()?.try_table(unpack_init)?;
        let facts = unpacker.table(|[state, marks]| Facts { state, marks })?;
        if facts.len() != inits.len() {
            return None;
        }
        let init_hashes = unpacker.rows::<1>()?;
        let shared_items = usize::try_from(unpacker.long()?).ok()?;
        let is_for_generation = init_hashes.len() == 0;
        Some(Arena {
            text,
            string_table: Table::of(strings.map(|[.., hash]| hash)),
            strings: Layer::of(strings.map(|[start, len, _]| (start, len)).collect()),
            pool: Layer::of(pool),
            classes: Layer::of(classes),
            type_table: Table::of(type_hashes.map(|[hash]| hash)),
            types: Layer::of(types.try_table(unpack_type)?),
            init_table: match is_for_generation {
                true => Table::of_references(&inits),
                false => Table::of(init_hashes.map(|[hash]| hash)),
            },
            facts: Layer::of(facts),
            inits: Layer::of(inits),
            shared_items,
            ..Arena::empty(operators)
        })
    }
}

fn pack_type(ty: Type) -> [u32; 3] {
    match ty {
        Type::Bit => [0, 0, 0],
        Type::Bits(width) => [1, width, 0],
        Type::Int => [2, 0, 0],
        Type::String => [3, 0, 0],
        Type::Dag => [4, 0, 0],
        Type::List(element) => [5, element.0, 0],
        Type::Record(Seq { start, len }) => [6, start, len],
    }
}

fn unpack_type([kind, a, b]: [u32; 3]) -> Option<Type> {
    Some(match kind {
        0 => Type::Bit,
        1 => Type::Bits(a),
        2 => Type::Int,
        3 => Type::String,
        4 => Type::Dag,
        5 => Type::List(TypeId(a)),
        6 => Type::Record(Seq { start: a, len: b }),
        _ => return None,
    })
}

/// The offset of the operator's number in the word for the kind of an init.
const OPERATOR_BITS: u32 = 8;

fn pack_init(init: Init) -> [u32; 4] {
    match init {
        Init::Unset => [0, 0, 0, 0],
        Init::Bit(bit) => [1, u32::from(bit), 0, 0],
        Init::Bits(Seq { start, len }) => [2, start, len, 0],
        Init::Int(value) => [3, value as u32, (value >> 32) as u32, 0],
        Init::String(text) => [4, text.0, 0, 0],
        Init::Code(text) => [5, text.0, 0, 0],
        Init::List(ty, Seq { start, len }) => [6, start, len, ty.0],
        Init::Def(record) => [7, record.0, 0, 0],
        Init::Dag(Seq { start, len }) => [8, start, len, 0],
        Init::Var(name, ty) => [9, name.0, ty.0, 0],
        Init::VarBit(value, index) => [10, value.0, index, 0],
        Init::Field(value, name, ty) => [11, value.0, name.0, ty.0],
        Init::Op(operator, ty, Seq { start, len }) => {
            [12 | u32::from(operator.0) << OPERATOR_BITS, start, len, ty.0]
        }
        Init::Instance(class, Seq { start, len }) => [13, start, len, class.0],
        Init::Named(name, value) => [14, name.0, value.0, 0],
        Init::Anonymous(name) => [15, name.0, 0, 0],
    }
}

fn unpack_init([kind, a, b, c]: [u32; 4]) -> Option<Init> {
    let seq = Seq { start: a, len: b };
    Some(match kind % (1 << OPERATOR_BITS) {
        0 => Init::Unset,
        1 => Init::Bit(a != 0),
        2 => Init::Bits(seq),
        3 => Init::Int((u64::from(b) << 32 | u64::from(a)) as i64),
        4 => Init::String(StrId(a)),
        5 => Init::Code(StrId(a)),
        6 => Init::List(TypeId(c), seq),
        7 => Init::Def(RecordId(a)),
        8 => Init::Dag(seq),
        9 => Init::Var(StrId(a), TypeId(b)),
        10 => Init::VarBit(InitId(a), b),
        11 => Init::Field(InitId(a), StrId(b), TypeId(c)),
        12 => Init::Op(OperatorId((kind >> OPERATOR_BITS) as u8), TypeId(c), seq),
        13 => Init::Instance(RecordId(c), seq),
        14 => Init::Named(StrId(a), InitId(b)),
        15 => Init::Anonymous(StrId(a)),
        _ => return None,
    })
}

impl<K: Copy + Eq + Hash, V: Copy> Overlay<K, V> {
    /// Writes all entries.
    pub fn pack(&self, packer: &mut Packer, row: impl Fn(K, V) -> [u32; 2]) {
        packer.rows(self.own_entries(), |(&key, &value)| row(key, value));
    }

    /// Reads what `pack` wrote.
    pub fn unpack(unpacker: &mut Unpacker<'_>, entry: impl Fn([u32; 2]) -> (K, V)) -> Option<Self> {
        Some(Overlay::of(unpacker.rows::<2>()?.map(entry)))
    }
}

impl Keeper {
    /// Writes its whole contents.
    ///
    /// Returns `false`, with nothing useful written, if it is above a base.
    #[must_use]
    pub fn pack(&self, packer: &mut Packer, places: &Places, purpose: Purpose) -> bool {
        if self.has_base() {
            return false;
        }
        self.arena.pack(packer, purpose);
        self.pack_records(packer, places);
        self.classes.pack(packer, |name, record| [name.0, record.0]);
        self.defs.pack(packer, |name, record| [name.0, record.0]);
        self.multiclasses.pack(packer, |name, multiclass| [name.0, multiclass]);
        self.globals.pack(packer, |name, value| [name.0, value.0]);
        packer.word(self.anonymous);
        packer.long(self.record_bytes as u64);
        packer.long(self.most_text as u64);
        true
    }

    /// Reads what `pack` wrote for a release with these rules.
    #[must_use]
    pub fn unpack(
        unpacker: &mut Unpacker<'_>,
        places: &Places,
        operators: &'static [OperatorFacts],
        rules: Rules,
    ) -> Option<Keeper> {
        let arena = Arena::unpack(unpacker, operators)?;
        let records = unpack_records(unpacker, places)?;
        let to_record = |[name, record]: [u32; 2]| (StrId(name), RecordId(record));
        Some(Keeper {
            classes: Overlay::unpack(unpacker, to_record)?,
            defs: Overlay::unpack(unpacker, to_record)?,
            multiclasses: Overlay::unpack(unpacker, |[name, multiclass]| (StrId(name), multiclass))?,
            globals: Overlay::unpack(unpacker, |[name, value]| (StrId(name), InitId(value)))?,
            anonymous: unpacker.word()?,
            record_bytes: usize::try_from(unpacker.long()?).ok()?,
            most_text: usize::try_from(unpacker.long()?).ok()?,
            ..Keeper::of(arena, records, rules)
        })
    }

    /// Writes one row for each record, then the items of its lists, list by list. Records of one class have the same
    /// fields and superclasses: these are written once, and the differences for each record.
    fn pack_records(&self, packer: &mut Packer, places: &Places) {
        let records = self.own_records();
        let mut fields = Shapes::default();
        let fields_of: Vec<u32> =
            records.iter().map(|record| fields.number(record.fields.iter().map(pack_declared))).collect();
        let mut superclasses = Shapes::default();
        let superclasses_of: Vec<u32> = records
            .iter()
            .map(|record| superclasses.number(record.superclasses.iter().map(pack_superclass)))
            .collect();
        fields.pack(packer);
        superclasses.pack(packer);
        packer.rows(
            records.iter().zip(fields_of).zip(superclasses_of),
            |((record, fields), superclasses)| {
                let kind = match record.kind {
                    Kind::Class => 0,
                    Kind::Def => 1,
                    Kind::Multiclass => 2,
                };
                let flags = u32::from(record.is_anonymous) << 2;
                [
                    record.name.0,
                    kind | flags,
                    record.name_arg.map_or(NOTHING, |name| name.0),
                    places.pack(record.statement),
                    record.ty.map_or(NOTHING, |ty| ty.0),
                    record.spans.len() as u32,
                    record.template_args.len() as u32,
                    record.template_locals.len() as u32,
                    fields,
                    superclasses,
                    record.assertions.len() as u32,
                    record.dumps.len() as u32,
                ]
            },
        );
        pack_lists(packer, records, |record| &record.spans, |&span| [places.pack(span)]);
        pack_lists(packer, records, |record| &record.template_args, |field| pack_field(field, places));
        pack_lists(packer, records, |record| &record.template_locals, |name| [name.0]);
        let value = |field: &Field| [field.value.0, places.pack(field.span)];
        pack_lists(packer, records, |record| &record.fields, value);
        let place = |superclass: &Superclass| [places.pack(superclass.span)];
        pack_lists(packer, records, |record| &record.superclasses, place);
        pack_lists(
            packer,
            records,
            |record| &record.assertions,
            |assertion| pack_assertion(assertion, places),
        );
        pack_lists(packer, records, |record| &record.dumps, |dump| pack_dump(dump, places));
    }
}

/// Returns the words of an `assert`.
pub fn pack_assertion(assertion: &Assertion, places: &Places) -> [u32; 3] {
    [places.pack(assertion.span), assertion.condition.0, assertion.message.0]
}

/// Returns the `assert` of these words.
pub fn unpack_assertion([span, condition, message]: [u32; 3], places: &Places) -> Assertion {
    Assertion { span: places.unpack(span), condition: InitId(condition), message: InitId(message) }
}

/// Returns the words of a `dump`.
pub fn pack_dump(dump: &Dump, places: &Places) -> [u32; 2] {
    [places.pack(dump.span), dump.message.0]
}

/// Returns the `dump` of these words.
pub fn unpack_dump([span, message]: [u32; 2], places: &Places) -> Dump {
    Dump { span: places.unpack(span), message: InitId(message) }
}

fn pack_field(field: &Field, places: &Places) -> [u32; 4] {
    let Field { name, declared, value, span } = *field;
    [name.0, declared.0, value.0, places.pack(span)]
}

fn unpack_field([name, declared, value, span]: [u32; 4], places: &Places) -> Field {
    let span = places.unpack(span);
    Field { name: StrId(name), declared: Declared(declared), value: InitId(value), span }
}

/// Packs the part of a field that all records of a class share.
fn pack_declared(field: &Field) -> [u32; 2] {
    [field.name.0, field.declared.0]
}

fn unpack_declared([name, declared]: [u32; 2]) -> Field {
    Field { name: StrId(name), declared: Declared(declared), value: InitId::NONE, span: Span::NONE }
}

/// Packs the part of a superclass that they share.
fn pack_superclass(superclass: &Superclass) -> [u32; 2] {
    [superclass.class.0, u32::from(superclass.is_direct)]
}

fn unpack_superclass([class, is_direct]: [u32; 2]) -> Superclass {
    Superclass { class: RecordId(class), span: Span::NONE, is_direct: is_direct != 0 }
}

/// Lists to be written, many of them equal: each has a number, and is written once.
struct Shapes<const N: usize> {
    numbers: FxHashMap<Vec<[u32; N]>, u32>,
    rows: Vec<[u32; N]>,
    lengths: Vec<u32>,
    /// The list that is being built.
    list: Vec<[u32; N]>,
}

impl<const N: usize> Default for Shapes<N> {
    fn default() -> Self {
        Shapes { numbers: FxHashMap::default(), rows: Vec::new(), lengths: Vec::new(), list: Vec::new() }
    }
}

impl<const N: usize> Shapes<N> {
    fn number(&mut self, list: impl Iterator<Item = [u32; N]>) -> u32 {
        self.list.clear();
        self.list.extend(list);
        if let Some(number) = self.numbers.get(self.list.as_slice()) {
            return *number;
        }
        let number = self.lengths.len() as u32;
        self.lengths.push(self.list.len() as u32);
        self.rows.extend_from_slice(&self.list);
        self.numbers.insert(self.list.clone(), number);
        number
    }

    fn pack(&self, packer: &mut Packer) {
        packer.rows(self.lengths.iter(), |&length| [length]);
        packer.rows(self.rows.iter(), |&row| row);
    }
}

/// The lists that `Shapes` packed.
struct UnpackedShapes<T> {
    items: Vec<T>,
    /// The end of each list.
    ends: Vec<usize>,
}

impl<T> UnpackedShapes<T> {
    fn unpack<const N: usize>(unpacker: &mut Unpacker<'_>, item: impl Fn([u32; N]) -> T) -> Option<Self> {
        let mut end = 0_usize;
        let ends = unpacker.rows::<1>()?.map(|[length]| {
            end = end.saturating_add(length as usize);
            end
        });
        let ends = ends.collect();
        Some(UnpackedShapes { ends, items: unpacker.table(item)? })
    }

    fn get(&self, number: u32) -> Option<&[T]> {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied())?;
        self.items.get(start..*self.ends.get(number)?)
    }
}

/// Packs one list of each record, as one table.
fn pack_lists<'r, T: 'r, const N: usize>(
    packer: &mut Packer,
    records: &'r [Record],
    list: impl Fn(&'r Record) -> &'r [T],
    row: impl Fn(&T) -> [u32; N],
) {
    let mut rows = Vec::with_capacity(records.iter().map(|record| list(record).len()).sum());
    for record in records {
        rows.extend(list(record).iter().map(&row));
    }
    packer.table(&rows);
}

fn unpack_records(unpacker: &mut Unpacker<'_>, places: &Places) -> Option<Vec<Record>> {
    let declared = UnpackedShapes::unpack(unpacker, unpack_declared)?;
    let inherited = UnpackedShapes::unpack(unpacker, unpack_superclass)?;
    let heads = unpacker.rows::<12>()?;
    let mut spans = unpacker.rows::<1>()?;
    let mut template_args = unpacker.rows::<4>()?;
    let mut template_locals = unpacker.rows::<1>()?;
    let mut values = unpacker.rows::<2>()?;
    let mut superclass_places = unpacker.rows::<1>()?;
    let mut assertions = unpacker.rows::<3>()?;
    let mut dumps = unpacker.rows::<2>()?;
    let mut records = Vec::with_capacity(heads.len());
    for [name, kind, name_arg, statement, ty, counts @ ..] in heads {
        let [span_count, arg_count, local_count, fields, superclasses, assertion_count, dump_count] = counts;
        let (fields, superclasses) = (declared.get(fields)?, inherited.get(superclasses)?);
        // The shared part is copied as a whole, and then the record's own values are set.
        let mut own_fields = fields.to_vec();
        for (field, [value, span]) in own_fields.iter_mut().zip(values.next_rows(fields.len() as u32)?) {
            field.value = InitId(value);
            field.span = places.unpack(span);
        }
        let mut own_superclasses = superclasses.to_vec();
        let own_places = superclass_places.next_rows(superclasses.len() as u32)?;
        for (superclass, [span]) in own_superclasses.iter_mut().zip(own_places) {
            superclass.span = places.unpack(span);
        }
        records.push(Record {
            name: InitId(name),
            kind: [Kind::Class, Kind::Def, Kind::Multiclass].get(kind as usize % 4).copied()?,
            is_anonymous: kind & 4 != 0,
            spans: spans.next_rows(span_count)?.map(|[span]| places.unpack(span)).collect(),
            template_args: list(&mut template_args, arg_count, |row| unpack_field(row, places))?,
            template_locals: list(&mut template_locals, local_count, |[name]| StrId(name))?,
            name_arg: (name_arg != NOTHING).then_some(StrId(name_arg)),
            fields: own_fields,
            superclasses: own_superclasses,
            assertions: list(&mut assertions, assertion_count, |row| unpack_assertion(row, places))?,
            dumps: list(&mut dumps, dump_count, |row| unpack_dump(row, places))?,
            statement: places.unpack(statement),
            ty: (ty != NOTHING).then_some(TypeId(ty)),
        });
    }
    Some(records)
}

fn list<T, L: FromIterator<T>, const N: usize>(
    rows: &mut Rows<'_, N>,
    count: u32,
    item: impl Fn([u32; N]) -> T,
) -> Option<L> {
    Some(rows.next_rows(count)?.map(item).collect())
}
