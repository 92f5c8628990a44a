//! Items that are read and written: classes `Bytecode`, `CompositeBytecode`, `Array`, `DialectAttribute` and
//! `DialectType`.

use odsmith_release::Change;
use odsmith_tablegen::{diagnostic::Diagnostic, record::Rec, span::Span};

/// The two kinds of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Attribute,
    Type,
}

impl Kind {
    pub(super) fn cpp_base(self) -> &'static str {
        match self {
            Kind::Attribute => "Attribute",
            Kind::Type => "Type",
        }
    }

    /// Returns the name of the variable that holds an entry.
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Attribute => "attribute",
            Kind::Type => "type",
        }
    }
}

/// A value in bytecode: one entry of a dialect, a member, or an element of a list. As in the reference, a field is read
/// where it is used, and an unused one needs no value.
pub(super) struct Item<'r> {
    rec: Rec<'r>,
    is_entry: bool,
    /// The members of an entry or a composite, or the first mistake in them.
    members: Option<Result<Vec<Member<'r>>, Diagnostic>>,
}

/// A member of an entry or a composite.
pub(super) struct Member<'r> {
    pub(super) name: &'r str,
    /// The list, if the member is one.
    pub(super) list: Option<List<'r>>,
    item: Result<Item<'r>, Diagnostic>,
}

impl<'r> Member<'r> {
    /// Returns the member, or the element of a list.
    pub(super) fn item(&self) -> Result<&Item<'r>, Diagnostic> {
        self.item.as_ref().map_err(Clone::clone)
    }
}

/// A list in bytecode: class `Array`.
pub(super) struct List<'r> {
    /// C++ that gets it from the attribute or type; empty if the getter is named after the member.
    pub(super) getter: &'r str,
    /// C++ for its length, if an earlier member holds it.
    pub(super) known_size: Option<&'r str>,
}

impl<'r> Item<'r> {
    /// Creates the item of an attribute or type of a dialect.
    pub(super) fn of_entry(rec: Rec<'r>) -> Self {
        Item { rec, is_entry: true, members: Some(members(rec, &[])) }
    }

    /// Creates the item of a member; `parents` are the composites around it.
    fn of_member(rec: Rec<'r>, parents: &[Rec<'r>]) -> Result<Self, Diagnostic> {
        let is_composite = rec.is_subclass_of("CompositeBytecode");
        if is_composite && parents.contains(&rec) {
            return Err(Diagnostic::error(rec.span(), "composite bytecode contains itself"));
        }
        let members = is_composite.then(|| members(rec, &[parents, &[rec]].concat()));
        Ok(Item { rec, is_entry: false, members })
    }

    /// Returns the record.
    pub(super) fn rec(&self) -> Rec<'r> {
        self.rec
    }

    /// Returns the C++ type, which may be empty for an anonymous record.
    pub(super) fn cpp_type(&self) -> Result<&'r str, Diagnostic> {
        Ok(match self.rec.string("cType")? {
            "" if self.rec.is_anonymous() => "",
            "" => self.rec.name(),
            ty => ty,
        })
    }

    /// Returns C++ that builds it.
    pub(super) fn builder(&self) -> Result<&'r str, Diagnostic> {
        let builder = self.rec.string("cBuilder")?;
        Ok(if self.is_entry { builder.trim_ascii() } else { builder })
    }

    /// Returns C++ that reads it into a variable.
    pub(super) fn parser(&self) -> Result<&'r str, Diagnostic> {
        self.rec.string("cParser")
    }

    /// Returns C++ that writes it.
    pub(super) fn printer(&self) -> Result<&'r str, Diagnostic> {
        self.rec.string("cPrinter")
    }

    /// Returns C++ that gets it from the attribute or type; empty if the getter is named after the member.
    pub(super) fn getter(&self) -> &'r str {
        self.rec.optional_string("cGetter").unwrap_or_default()
    }

    /// Returns the condition under which an entry is written in this form.
    pub(super) fn predicate(&self) -> Result<&'r str, Diagnostic> {
        self.rec.string("printerPredicate")
    }

    /// Returns the members of an entry or a composite; none for other items.
    pub(super) fn members(&self) -> Result<&[Member<'r>], Diagnostic> {
        match &self.members {
            Some(Ok(members)) => Ok(members),
            Some(Err(error)) => Err(error.clone()),
            None => Ok(&[]),
        }
    }

    /// Returns whether it is an entry or a composite.
    pub(super) fn has_members(&self) -> bool {
        self.members.is_some()
    }

    /// Returns the kind of entry for which the reader and the writer have functions for a whole list.
    pub(super) fn list_kind(&self) -> Option<Kind> {
        if self.rec.is_subclass_of("AttributeKind") {
            Some(Kind::Attribute)
        } else if self.rec.is_subclass_of("TypeKind") {
            Some(Kind::Type)
        } else {
            None
        }
    }
}

fn members<'r>(rec: Rec<'r>, parents: &[Rec<'r>]) -> Result<Vec<Member<'r>>, Diagnostic> {
    let members = rec.dag("members")?.args().map(|(value, name)| {
        let Some(name) = name else {
            return Err(Diagnostic::error(rec.span(), "members of bytecode must be named"));
        };
        let unexpected = || Diagnostic::error(Span::NONE, format!("Unexpected type for {name}"));
        let rec = value.as_def().ok_or_else(unexpected)?;
        let list = rec.is_subclass_of("Array").then(|| List {
            getter: rec.optional_string("cGetter").unwrap_or_default(),
            known_size: known_size(rec),
        });
        let rec = if list.is_some() { rec.def("elemT") } else { Ok(rec) };
        Ok(Member { name, list, item: rec.and_then(|rec| Item::of_member(rec, parents)) })
    });
    members.collect()
}

fn known_size(list: Rec<'_>) -> Option<&str> {
    let is_known =
        list.is_subclass_of("ArrayWithKnownSize") && list.records().rules().has(Change::KnownListSizes);
    is_known.then(|| list.optional_string("knownSizeRef").unwrap_or_default())
}
