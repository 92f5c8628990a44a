//! What is read and written: classes `Bytecode`, `CompositeBytecode`, `Array`, `DialectAttribute` and `DialectType`.

use odsmith_release::Change;
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{Rec, Val},
    span::Span,
};

/// Whether attributes or types are at stake.
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

    /// What the variable is called that holds one.
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Attribute => "attribute",
            Kind::Type => "type",
        }
    }
}

/// A value in bytecode: one entry of a dialect, a member, or an element of a list.
pub(super) struct Item<'r> {
    pub(super) rec: Rec<'r>,
    pub(super) cpp_type: &'r str,
    pub(super) builder: &'r str,
    pub(super) parser: &'r str,
    pub(super) printer: &'r str,
    pub(super) getter: &'r str,
    /// The condition under which it is written in this form.
    pub(super) predicate: &'r str,
    /// What an entry or a composite consists of, or why that can not be said.
    members: Option<Result<Vec<Member<'r>>, Diagnostic>>,
}

/// A member of an entry or a composite.
pub(super) struct Member<'r> {
    pub(super) name: &'r str,
    /// The list, if it is one.
    pub(super) list: Option<List<'r>>,
    /// The member, or the elements of a list.
    pub(super) item: Item<'r>,
}

/// A list in bytecode: class `Array`.
pub(super) struct List<'r> {
    /// C++ that gets it from the attribute or type; empty if it is named as the member.
    pub(super) getter: &'r str,
    /// C++ for its length, where an earlier member says it.
    pub(super) known_size: Option<&'r str>,
}

impl<'r> Item<'r> {
    /// Reads an attribute or type of a dialect.
    pub(super) fn of_entry(rec: Rec<'r>) -> Result<Self, Diagnostic> {
        let mut item = Item::bare(rec)?;
        // Only here does the reference trim it.
        item.builder = item.builder.trim_ascii();
        item.predicate = rec.string("printerPredicate")?;
        item.members = Some(members(rec, &[]));
        Ok(item)
    }

    /// Reads a member; `parents` are the composites around it.
    fn of_member(rec: Rec<'r>, parents: &[Rec<'r>]) -> Result<Self, Diagnostic> {
        let mut item = Item::bare(rec)?;
        if rec.is_subclass_of("CompositeBytecode") {
            if parents.contains(&rec) {
                return Err(Diagnostic::error(rec.span(), "composite bytecode contains itself"));
            }
            item.members = Some(members(rec, &[parents, &[rec]].concat()));
        }
        Ok(item)
    }

    fn bare(rec: Rec<'r>) -> Result<Self, Diagnostic> {
        let cpp_type = match rec.string("cType")? {
            "" if rec.is_anonymous() => "",
            "" => rec.name(),
            ty => ty,
        };
        Ok(Item {
            rec,
            cpp_type,
            builder: rec.string("cBuilder")?,
            parser: rec.string("cParser")?,
            printer: rec.string("cPrinter")?,
            getter: rec.string("cGetter")?,
            predicate: "",
            members: None,
        })
    }

    /// What an entry or a composite consists of; nothing for other items.
    pub(super) fn members(&self) -> &[Member<'r>] {
        self.members.as_ref().and_then(|members| members.as_deref().ok()).unwrap_or_default()
    }

    /// Whether it is an entry or a composite.
    pub(super) fn has_members(&self) -> bool {
        self.members.is_some()
    }

    fn checked_members(&self) -> Result<&[Member<'r>], Diagnostic> {
        match &self.members {
            Some(Err(error)) => Err(error.clone()),
            _ => Ok(self.members()),
        }
    }

    /// Fails where the reader can not be written. As in the reference, only what is read is looked at: the members of a
    /// composite are not, unless there is a list of it.
    pub(super) fn check_reader(&self) -> Result<(), Diagnostic> {
        let members = self.checked_members()?;
        if let Some(member) = members.iter().find(|member| member.item.cpp_type.is_empty()) {
            return Err(Diagnostic::error(member.item.rec.span(), "Unable to determine cType"));
        }
        let mut lists =
            members.iter().filter(|member| member.list.is_some() && member.item.list_kind().is_none());
        lists.try_for_each(|list| list.item.check_reader())
    }

    /// Fails where the writer can not be written.
    pub(super) fn check_writer(&self) -> Result<(), Diagnostic> {
        self.checked_members()?.iter().try_for_each(|member| member.item.check_writer())
    }

    /// Whether the reader and the writer have functions for a whole list of such items, and for which kind.
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
        let rec = match list {
            Some(_) => rec.get("elemT").and_then(Val::as_def).ok_or_else(unexpected)?,
            None => rec,
        };
        Ok(Member { name, list, item: Item::of_member(rec, parents)? })
    });
    members.collect()
}

fn known_size(list: Rec<'_>) -> Option<&str> {
    let is_known =
        list.is_subclass_of("ArrayWithKnownSize") && list.records().rules().has(Change::KnownListSizes);
    is_known.then(|| list.optional_string("knownSizeRef").unwrap_or_default())
}
