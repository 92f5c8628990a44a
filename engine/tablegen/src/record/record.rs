//! Classes, defs and multiclasses, and the fields in them.

use smallvec::{SmallVec, smallvec};
use thin_vec::ThinVec;

use super::{
    init::{InitId, StrId},
    types::TypeId,
};
use crate::span::Span;

/// An index into the keeper's records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordId(pub u32);

/// The kind of a record's declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `class`.
    Class,
    /// `def`, with or without a name, or a record that an instance `Class<…>` made.
    Def,
    /// `multiclass`, which holds template arguments only.
    Multiclass,
}

/// A class, def or multiclass. A list that most records leave empty takes one pointer.
#[derive(Clone, Debug)]
pub struct Record {
    /// The name: a string, or an expression while a def of a loop or multiclass awaits its turn.
    pub name: InitId,
    /// The kind of its declaration.
    pub kind: Kind,
    /// True if its name was generated from the counter.
    pub is_anonymous: bool,
    /// The place of its name; for a record that a `defm` made, then the places of the `defm`s, innermost first.
    pub spans: SmallVec<[Span; 2]>,
    /// Template arguments, under their qualified names.
    pub template_args: ThinVec<Field>,
    /// The template arguments' names as they were written.
    pub template_locals: ThinVec<StrId>,
    /// The qualified form of the implicit argument `NAME` of a class or multiclass.
    pub name_arg: Option<StrId>,
    /// Fields in the order of their first declaration.
    pub fields: Vec<Field>,
    /// All superclasses in the order they were inherited, ancestors before the class that names them.
    pub superclasses: Vec<Superclass>,
    /// `assert`s, checked for each concrete record.
    pub assertions: ThinVec<Assertion>,
    /// `dump`s, printed for each concrete record.
    pub dumps: ThinVec<Dump>,
    /// The place of the word `class` or `def`: the comment right above it is about this record.
    pub statement: Span,
    /// The record type of a def's direct superclasses, once it is complete.
    pub ty: Option<TypeId>,
}

/// One entry of a record's list of superclasses.
#[derive(Clone, Copy, Debug)]
pub struct Superclass {
    /// The class.
    pub class: RecordId,
    /// The place where it was named.
    pub span: Span,
    /// True if the record names it itself.
    pub is_direct: bool,
}

/// A field or template argument.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The name; qualified (`Class:arg`) for a template argument.
    pub name: StrId,
    /// The declared type.
    pub declared: Declared,
    /// The value; [`InitId::NONE`] in the rare case that the reference holds none.
    pub value: InitId,
    /// The place of the name in the declaration, or in the last `let` that set its value.
    pub span: Span,
}

/// The type of a field, with a flag for the keyword `field`. There are millions of fields, so it is one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declared(pub(super) u32);

impl Declared {
    /// Creates the declaration of a field of this type. With `field` before it, it may stay unresolved.
    #[must_use]
    pub fn new(ty: TypeId, may_be_unset: bool) -> Self {
        Declared(ty.0 << 1 | u32::from(may_be_unset))
    }
}

impl Field {
    /// Returns the declared type.
    #[must_use]
    #[inline]
    pub fn ty(&self) -> TypeId {
        TypeId(self.declared.0 >> 1)
    }

    /// Returns true if it was declared with `field`, so that it may stay unresolved.
    #[must_use]
    pub fn may_be_unset(&self) -> bool {
        self.declared.0 & 1 != 0
    }
}

/// An `assert`.
#[derive(Clone, Copy, Debug)]
pub struct Assertion {
    /// The place of the condition.
    pub span: Span,
    /// The condition.
    pub condition: InitId,
    /// The message, a string.
    pub message: InitId,
}

/// A `dump`.
#[derive(Clone, Copy, Debug)]
pub struct Dump {
    /// The place of the statement.
    pub span: Span,
    /// The message.
    pub message: InitId,
}

impl Record {
    /// Creates a record without fields.
    #[must_use]
    pub fn new(name: InitId, kind: Kind, span: Span) -> Self {
        Record {
            name,
            kind,
            is_anonymous: false,
            spans: smallvec![span],
            template_args: ThinVec::new(),
            template_locals: ThinVec::new(),
            name_arg: None,
            fields: Vec::new(),
            superclasses: Vec::new(),
            assertions: ThinVec::new(),
            dumps: ThinVec::new(),
            statement: Span::NONE,
            ty: None,
        }
    }

    /// Returns the place of the record's name.
    #[must_use]
    pub fn span(&self) -> Span {
        self.spans.first().copied().unwrap_or(Span::NONE)
    }

    /// Returns the field of this name.
    #[must_use]
    pub fn field(&self, name: StrId) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Returns the template argument of this qualified name.
    #[must_use]
    pub fn template_arg(&self, name: StrId) -> Option<&Field> {
        self.template_args.iter().find(|field| field.name == name)
    }

    /// Returns true if `class` is among the superclasses.
    #[must_use]
    pub fn is_subclass_of(&self, class: RecordId) -> bool {
        self.superclasses.iter().any(|superclass| superclass.class == class)
    }
}
