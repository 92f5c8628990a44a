//! Types of values, conversions between types, and types in the source text.

use smallvec::SmallVec;

use super::{Evaluator, Parsed, Reported, ops};
use crate::{
    diagnostic::Id,
    record::{Init, InitId, RecordId, StrId, Type, TypeId},
    syntax::{Keyword, TokenKind},
};
use odsmith_release::Change;

impl Evaluator<'_> {
    // --- reading ------------------------------------------------------------------------------------------

    /// Reads a type: `bit`, `bits<n>`, `int`, `string`, `code`, `dag`, `list<T>`, a class or a `deftype` name.
    pub(super) fn read_type(&mut self) -> Parsed<TypeId> {
        let TokenKind::Keyword(keyword) = self.kind() else {
            if !self.at(TokenKind::Id) {
                return self.fail_here("Unknown token when expecting a type");
            }
            let name = self.word();
            if let Some(ty) = self.types.get(name) {
                self.note_alias_mention(self.token.span, name);
                self.advance();
                return Ok(ty);
            }
            return match self.read_class_name() {
                Ok(class) => Ok(self.class_type(class)),
                Err(Reported) => self.fail_as(Id::UnknownType, self.token.span, "unknown class name"),
            };
        };
        match keyword {
            Keyword::String | Keyword::Code => {
                self.advance();
                Ok(TypeId::STRING)
            }
            Keyword::Bit => {
                self.advance();
                Ok(TypeId::BIT)
            }
            Keyword::Int => {
                self.advance();
                Ok(TypeId::INT)
            }
            Keyword::Dag => {
                self.advance();
                Ok(TypeId::DAG)
            }
            Keyword::Bits => {
                self.advance();
                self.expect(TokenKind::Less, "expected '<' after bits type")?;
                if !self.at(TokenKind::Int) {
                    return self.fail_here("expected integer in bits<n> type");
                }
                let (width, _) = self.tokens.int();
                let span = self.token.span;
                self.advance();
                self.expect(TokenKind::Greater, "expected '>' at end of bits<n> type")?;
                // The reference keeps the low 32 bits, also of a negative number.
                let width = width as u32;
                self.metered(|meter, _| meter.list(span, u64::from(width)))?;
                Ok(self.keeper.arena.bits_type(width))
            }
            Keyword::List => {
                self.advance();
                self.expect(TokenKind::Less, "expected '<' after list type")?;
                let element = self.nested(self.token.span, Self::read_type)?;
                self.expect(TokenKind::Greater, "expected '>' at end of list<ty> type")?;
                Ok(self.keeper.arena.list_type(element))
            }
            _ => self.fail_here("Unknown token when expecting a type"),
        }
    }

    /// Reads the name of a class.
    pub(super) fn read_class_name(&mut self) -> Parsed<RecordId> {
        if !self.at(TokenKind::Id) {
            return self.fail_here("expected name for ClassID");
        }
        let name = self.word();
        let span = self.token.span;
        // The name is skipped after the message, so that later messages point after it.
        match self.keeper.classes.get(name) {
            Some(class) => {
                self.note_record(span, class);
                self.advance();
                Ok(class)
            }
            None => {
                let mut message = format!("Couldn't find class '{}'", self.str(name));
                if self.multiclass_named(name).is_some() {
                    message.push_str(". Use 'defm' if you meant to use multiclass '");
                    message.push_str(self.str(name));
                    message.push('\'');
                }
                let failed = self.fail_as(Id::UnknownClass, span, message);
                self.advance();
                failed
            }
        }
    }

    // --- types of things ----------------------------------------------------------------------------------

    /// Returns the type of records that derive from a class.
    pub(super) fn class_type(&mut self, class: RecordId) -> TypeId {
        self.keeper.arena.record_type(&[class])
    }

    /// Returns the type of a record: its direct superclasses.
    pub(super) fn record_type(&mut self, record: RecordId) -> TypeId {
        let data = self.keeper.record(record);
        if let Some(ty) = data.ty {
            return ty;
        }
        let mut classes: SmallVec<[RecordId; 8]> = data
            .superclasses
            .iter()
            .filter(|superclass| superclass.is_direct)
            .map(|superclass| superclass.class)
            .collect();
        self.sort_classes(&mut classes);
        self.keeper.arena.record_type(&classes)
    }

    /// Sorts classes by name. One that others derive from stays, and one that was found twice is listed twice.
    fn sort_classes(&self, classes: &mut SmallVec<[RecordId; 8]>) {
        if classes.len() > 1 {
            classes
                .sort_unstable_by_key(|&class| (self.keeper.name(class).map(|name| self.str(name)), class));
        }
    }

    /// Returns the type of a value; `?` has none.
    pub(super) fn type_of(&mut self, init: InitId) -> Option<TypeId> {
        Some(match self.keeper.arena.init(init) {
            Init::Unset => return None,
            Init::Bit(_) | Init::VarBit(..) => TypeId::BIT,
            Init::Bits(seq) => self.keeper.arena.bits_type(seq.len),
            Init::Int(_) => TypeId::INT,
            Init::String(_) | Init::Code(_) => TypeId::STRING,
            Init::List(element, _) => self.keeper.arena.list_type(element),
            Init::Def(record) => self.record_type(record),
            Init::Dag(_) => TypeId::DAG,
            Init::Var(_, ty) | Init::Field(_, _, ty) => ty,
            Init::Op(operator, ty, _) => match operator {
                ops::ISA | ops::EXISTS => TypeId::INT,
                _ => ty,
            },
            Init::Instance(class, _) => self.class_type(class),
            Init::Named(_, value) => return self.type_of(value),
            Init::Anonymous(_) => TypeId::STRING,
        })
    }

    /// Returns true if `from` is `to` or narrower.
    pub(super) fn is_a(&self, from: TypeId, to: TypeId) -> bool {
        if from == to {
            return true;
        }
        match (self.keeper.arena.ty(from), self.keeper.arena.ty(to)) {
            (Type::List(from), Type::List(to)) => self.is_a(from, to),
            (Type::Record(from), Type::Record(to)) => {
                let from = self.keeper.arena.classes(from);
                let is_covered = |&wanted: &RecordId| {
                    from.iter()
                        .any(|&class| class == wanted || self.keeper.record(class).is_subclass_of(wanted))
                };
                self.keeper.arena.classes(to).iter().all(is_covered)
            }
            _ => false,
        }
    }

    /// Returns true if values of `from` can be converted to `to`.
    pub(super) fn is_convertible(&self, from: TypeId, to: TypeId) -> bool {
        if from == to {
            return true;
        }
        match (self.keeper.arena.ty(from), self.keeper.arena.ty(to)) {
            (Type::Bit, Type::Int) | (Type::Bits(_), Type::Int) | (Type::Int, Type::Bit | Type::Bits(_)) => {
                true
            }
            (Type::Bit, Type::Bits(width)) | (Type::Bits(width), Type::Bit) => width == 1,
            (Type::List(from), Type::List(to)) => self.is_convertible(from, to),
            (Type::Record(_), Type::Record(_)) => self.is_a(from, to),
            _ => false,
        }
    }

    /// Returns the narrowest type that both fit.
    pub(super) fn common_type(&mut self, a: TypeId, b: TypeId) -> Option<TypeId> {
        if a == b {
            return Some(a);
        }
        if let (Type::Record(of_a), Type::Record(of_b)) = (self.keeper.arena.ty(a), self.keeper.arena.ty(b)) {
            let mut common: SmallVec<[RecordId; 8]> = SmallVec::new();
            let mut open: Vec<RecordId> = self.keeper.arena.classes(of_a).to_vec();
            let of_b: Vec<RecordId> = self.keeper.arena.classes(of_b).to_vec();
            while let Some(class) = open.pop() {
                let covers =
                    |&other: &RecordId| other == class || self.keeper.record(other).is_subclass_of(class);
                if of_b.iter().any(covers) {
                    common.push(class);
                } else {
                    let data = self.keeper.record(class);
                    open.extend(data.superclasses.iter().filter(|up| up.is_direct).map(|up| up.class));
                }
            }
            self.sort_classes(&mut common);
            return Some(self.keeper.arena.record_type(&common));
        }
        if self.is_convertible(a, b) {
            return Some(b);
        }
        if self.is_convertible(b, a) {
            return Some(a);
        }
        if let (Type::List(a), Type::List(b)) = (self.keeper.arena.ty(a), self.keeper.arena.ty(b)) {
            let element = self.common_type(a, b)?;
            return Some(self.keeper.arena.list_type(element));
        }
        None
    }

    // --- conversions --------------------------------------------------------------------------------------

    /// Converts a value to type `ty`, if the value alone determines the result.
    pub(super) fn convert(&mut self, init: InitId, ty: TypeId) -> Option<InitId> {
        let wanted = self.keeper.arena.ty(ty);
        match (self.keeper.arena.init(init), wanted) {
            (Init::Unset, _) | (Init::Bit(_), Type::Bit) | (Init::Int(_), Type::Int) => Some(init),
            (Init::String(_) | Init::Code(_), Type::String) | (Init::Dag(_), Type::Dag) => Some(init),
            (Init::Bit(bit), Type::Int) => Some(self.keeper.arena.int(i64::from(bit))),
            (Init::Bit(_), Type::Bits(1)) => Some(self.keeper.arena.bits(&[init])),
            (Init::Bits(seq), Type::Bits(width)) => (seq.len == width).then_some(init),
            (Init::Bits(seq), Type::Bit) => (seq.len == 1).then(|| self.keeper.arena.at(seq, 0)),
            (Init::Bits(_), Type::Int) => {
                let int = self.int_of(init)?;
                Some(self.keeper.arena.int(int))
            }
            (Init::Int(int), Type::Bit) => matches!(int, 0 | 1).then(|| InitId::bit(int == 1)),
            (Init::Int(int), Type::Bits(width)) => {
                let fits = width >= 64 || int >> width == 0 || int >> (width.max(1) - 1) == -1 && width > 0;
                fits.then(|| self.bits_from_int(int, width))
            }
            (Init::List(element, seq), Type::List(wanted)) => {
                if element == wanted {
                    return Some(init);
                }
                let items: Vec<InitId> = self.keeper.arena.seq(seq).collect();
                let mut converted = Vec::with_capacity(items.len());
                for &item in &items {
                    converted.push(self.convert(item, wanted)?);
                }
                // If no item changes, the list keeps its own, narrower type.
                Some(if converted == items { init } else { self.keeper.arena.list(wanted, &converted) })
            }
            (
                Init::Var(..)
                | Init::VarBit(..)
                | Init::Field(..)
                | Init::Op(..)
                | Init::Instance(..)
                | Init::Def(_)
                | Init::Anonymous(_),
                _,
            ) => {
                let own = self.type_of(init)?;
                match (self.keeper.arena.ty(own), wanted) {
                    _ if self.is_a(own, ty) => Some(init),
                    (Type::Bit, Type::Bits(1)) => Some(self.keeper.arena.bits(&[init])),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Returns the value as one of type `ty`: itself, converted, or under a symbolic `!cast`.
    pub(super) fn cast(&mut self, init: InitId, ty: TypeId) -> Option<InitId> {
        if let Some(converted) = self.convert(init, ty) {
            return Some(converted);
        }
        let own = self.type_of(init)?;
        if !self.is_convertible(own, ty) {
            return None;
        }
        Some(self.keeper.arena.op(ops::CAST, ty, &[init]))
    }

    /// Returns the value as a field of type `ty` holds it: bits one by one, `?` for each of them if it is `?`.
    pub(super) fn as_field_value(&mut self, init: InitId, ty: TypeId) -> Option<InitId> {
        if !init.is_some() {
            return Some(init);
        }
        let cast = self.cast(init, ty)?;
        let Type::Bits(width) = self.keeper.arena.ty(ty) else { return Some(cast) };
        if matches!(self.keeper.arena.init(cast), Init::Bits(_)) {
            return Some(cast);
        }
        let bits: Vec<InitId> = (0..width).map(|index| self.bit_of(cast, index)).collect();
        Some(self.keeper.arena.bits(&bits))
    }

    /// Returns one bit of a value.
    pub(super) fn bit_of(&mut self, init: InitId, index: u32) -> InitId {
        match self.keeper.arena.init(init) {
            Init::Unset => init,
            Init::Bits(seq) if index < seq.len => self.keeper.arena.at(seq, index as usize),
            // Beyond its 64 bits an integer repeats here; if it is converted as a whole, zeros follow.
            Init::Int(int) => bit_of_int(int, index % i64::BITS),
            // In older releases these two have a bit rather than being one.
            Init::Op(ops::COND | ops::FOLDL, TypeId::BIT, _)
                if !self.keeper.rules.has(Change::ChoicesAsBits) =>
            {
                self.keeper.arena.intern(Init::VarBit(init, index))
            }
            // A bit is every bit of itself: an unconverted argument may be one in place of bits.
            Init::Bit(_)
            | Init::VarBit(..)
            | Init::Var(_, TypeId::BIT)
            | Init::Field(_, _, TypeId::BIT)
            | Init::Op(_, TypeId::BIT, _) => init,
            _ => self.keeper.arena.intern(Init::VarBit(init, index)),
        }
    }

    pub(super) fn bits_from_int(&mut self, int: i64, width: u32) -> InitId {
        let bits: Vec<InitId> = (0..width).map(|index| bit_of_int(int, index)).collect();
        self.keeper.arena.bits(&bits)
    }

    /// Returns the integer that a value is: an integer, a bit, or bits that are all known (read as unsigned).
    pub(super) fn int_of(&self, init: InitId) -> Option<i64> {
        match self.keeper.arena.init(init) {
            Init::Int(int) => Some(int),
            Init::Bit(bit) => Some(i64::from(bit)),
            Init::Bits(seq) => {
                let mut all = 0;
                for (index, bit) in self.keeper.arena.seq(seq).enumerate() {
                    let Init::Bit(bit) = self.keeper.arena.init(bit) else { return None };
                    // Bits beyond those of an integer wrap around.
                    all |= i64::from(bit) << (index % 64);
                }
                Some(all)
            }
            _ => None,
        }
    }

    /// Returns the string that a value is.
    pub(super) fn string_of(&self, init: InitId) -> Option<StrId> {
        if !init.is_some() {
            return None;
        }
        match self.keeper.arena.init(init) {
            Init::String(text) | Init::Code(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the type of a field of values of type `ty`.
    pub(super) fn field_type(&self, ty: TypeId, field: StrId) -> Option<TypeId> {
        let Type::Record(seq) = self.keeper.arena.ty(ty) else { return None };
        self.keeper
            .arena
            .classes(seq)
            .iter()
            .find_map(|&class| self.keeper.record(class).field(field))
            .map(|field| field.ty())
    }
}

/// Returns one bit of an integer; those above its own are 0, whatever its sign.
pub(super) fn bit_of_int(int: i64, index: u32) -> InitId {
    InitId::bit(index < i64::BITS && int >> index & 1 == 1)
}
