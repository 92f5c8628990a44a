//! Items that a dialect reads from bytecode and writes to it: classes `Bytecode`, `CompositeBytecode`, `Array`,
//! `DialectAttribute` and `DialectType`, in lists of classes `DialectAttributes` and `DialectTypes`.

use super::{DefKind, Definition};
use odsmith_release::Change;
use odsmith_tablegen::{diagnostic::Diagnostic, record::Rec, span::Span};

/// The entries of one dialect: class `DialectAttributes` or `DialectTypes`.
#[derive(Clone, Copy, Debug)]
pub struct EntryList<'r>(Rec<'r>);

impl<'r> EntryList<'r> {
    /// Wraps a record of class `DialectAttributes` or `DialectTypes`.
    #[must_use]
    pub fn new(rec: Rec<'r>) -> Self {
        EntryList(rec)
    }

    /// Returns the name of the dialect.
    ///
    /// # Errors
    /// The field has no text.
    pub fn dialect(self) -> Result<&'r str, Diagnostic> {
        self.0.string("dialect")
    }

    /// Returns the entries, in the order of their codes.
    ///
    /// # Errors
    /// The field is no list of records.
    pub fn entries(self) -> Result<Vec<Definition<'r>>, Diagnostic> {
        Ok(self.0.defs("elems")?.into_iter().map(Definition::new).collect())
    }
}

/// A value in bytecode: one entry of a dialect, a member, or an element of a list. As in the reference, a field is read
/// where it is used, and an unused one needs no value.
#[derive(Debug)]
pub struct Item<'r> {
    rec: Rec<'r>,
    is_entry: bool,
    /// The members of an entry or a composite, or the first mistake in them.
    members: Option<Result<Vec<Member<'r>>, Diagnostic>>,
}

/// A member of an entry or a composite.
#[derive(Debug)]
pub struct Member<'r> {
    /// Its name.
    pub name: &'r str,
    /// The list, if the member is one.
    pub list: Option<List<'r>>,
    item: Result<Item<'r>, Diagnostic>,
}

impl<'r> Member<'r> {
    /// Returns the member, or the element of a list.
    ///
    /// # Errors
    /// The record is missing, or contains itself.
    pub fn item(&self) -> Result<&Item<'r>, Diagnostic> {
        self.item.as_ref().map_err(Clone::clone)
    }
}

/// A list in bytecode: class `Array`.
#[derive(Debug)]
pub struct List<'r> {
    /// C++ that gets it from the attribute or type; empty if the getter is named after the member.
    pub getter: &'r str,
    /// C++ for its length, if an earlier member holds it.
    pub known_size: Option<&'r str>,
}

impl<'r> Item<'r> {
    /// Creates the item of an attribute or type of a dialect.
    #[must_use]
    pub fn of_entry(entry: Definition<'r>) -> Self {
        let rec = entry.rec();
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

    fn rec(&self) -> Rec<'r> {
        self.rec
    }

    identity!();

    needed! {
        /// Returns C++ that reads it into a variable.
        parser: string "cParser" -> &'r str;
        /// Returns C++ that writes it.
        printer: string "cPrinter" -> &'r str;
        /// Returns the condition under which an entry is written in this form.
        predicate: string "printerPredicate" -> &'r str;
    }

    /// Returns the C++ type, which may be empty for an anonymous record.
    ///
    /// # Errors
    /// The field has no text.
    pub fn cpp_type(&self) -> Result<&'r str, Diagnostic> {
        Ok(match self.rec.string("cType")? {
            "" if self.rec.is_anonymous() => "",
            "" => self.rec.name(),
            ty => ty,
        })
    }

    /// Returns C++ that builds it.
    ///
    /// # Errors
    /// The field has no text.
    pub fn builder(&self) -> Result<&'r str, Diagnostic> {
        let builder = self.rec.string("cBuilder")?;
        Ok(if self.is_entry { builder.trim_ascii() } else { builder })
    }

    /// Returns C++ that gets it from the attribute or type; empty if the getter is named after the member.
    #[must_use]
    pub fn getter(&self) -> &'r str {
        self.rec.optional_string("cGetter").unwrap_or_default()
    }

    /// Returns the members of an entry or a composite; none for other items.
    ///
    /// # Errors
    /// The first mistake in them.
    pub fn members(&self) -> Result<&[Member<'r>], Diagnostic> {
        match &self.members {
            Some(Ok(members)) => Ok(members),
            Some(Err(error)) => Err(error.clone()),
            None => Ok(&[]),
        }
    }

    /// Returns whether it is an entry or a composite.
    #[must_use]
    pub fn has_members(&self) -> bool {
        self.members.is_some()
    }

    /// Returns the kind of entry for which the reader and the writer have functions for a whole list.
    #[must_use]
    pub fn list_kind(&self) -> Option<DefKind> {
        if self.rec.is_subclass_of("AttributeKind") {
            Some(DefKind::Attribute)
        } else if self.rec.is_subclass_of("TypeKind") {
            Some(DefKind::Type)
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
