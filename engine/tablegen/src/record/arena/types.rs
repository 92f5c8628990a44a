//! Types: equal ones have one id.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use super::{Arena, fold_hash};
use crate::record::{
    init::Seq,
    record::RecordId,
    types::{Type, TypeId},
};

impl Arena {
    /// Returns the type of an id.
    #[must_use]
    pub fn ty(&self, id: TypeId) -> Type {
        self.types[id.0]
    }

    /// Interns `bits<n>`.
    pub fn bits_type(&mut self, width: u32) -> TypeId {
        self.intern_type(Type::Bits(width))
    }

    /// Interns `list<element>`.
    pub fn list_type(&mut self, element: TypeId) -> TypeId {
        self.intern_type(Type::List(element))
    }

    /// Interns the record type of these classes; the caller has ordered them and left out redundant ones.
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

    /// Returns the classes of a record type.
    #[must_use]
    pub fn classes(&self, seq: Seq) -> &[RecordId] {
        self.classes.run(seq.start, seq.len)
    }

    pub(super) fn intern_type(&mut self, ty: Type) -> TypeId {
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
