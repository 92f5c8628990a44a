//! The pairs of symbols of two documents that [`compare`](super::compare) compares, for programs that show the change.
//!
//! ```text
//! my.add ─ my.plus    both are the record My_AddOp: it was renamed
//! my.sub ─            removed
//!        ─ my.div     added
//! ```

use std::collections::BTreeMap;

use odsmith_interchange::{
    Document,
    defs::{AttrOrType, Dialect, Enum, Interface, Pass},
    op::Operation,
};

use super::{
    Side, definition, dialect, enumeration, interface, operation,
    pairing::{Names, Pair, pair},
    pass,
};

/// A definition, by its kind.
#[derive(Clone, Copy, Debug)]
pub enum Symbol<'d> {
    /// A dialect.
    Dialect(&'d Dialect),
    /// An operation.
    Operation(&'d Operation),
    /// A type.
    Type(&'d AttrOrType),
    /// An attribute.
    Attribute(&'d AttrOrType),
    /// An enum.
    Enum(&'d Enum),
    /// An interface.
    Interface(&'d Interface),
    /// A pass.
    Pass(&'d Pass),
}

impl Symbol<'_> {
    /// Returns its id, as in findings.
    #[must_use]
    pub fn id(self) -> String {
        match self {
            Symbol::Dialect(it) => it.id(),
            Symbol::Operation(it) => it.id(),
            Symbol::Type(it) => it.type_id(),
            Symbol::Attribute(it) => it.attribute_id(),
            Symbol::Enum(it) => it.id(),
            Symbol::Interface(it) => it.id(),
            Symbol::Pass(it) => it.id(),
        }
    }
}

/// A symbol on both sides, or on one of them.
#[derive(Clone, Copy, Debug)]
pub struct Pairing<'d> {
    /// The old symbol; `None` if it was added.
    pub old: Option<Symbol<'d>>,
    /// The new symbol; `None` if it was removed.
    pub new: Option<Symbol<'d>>,
}

/// Pairs the symbols of two documents, each once. `renamed` has the author's own pairs, from old ids to new ones.
#[must_use]
pub fn pairings<'d>(
    old: &'d Document,
    new: &'d Document,
    renamed: &BTreeMap<String, String>,
) -> Vec<Pairing<'d>> {
    let none = BTreeMap::new();
    let mut all = Vec::new();
    let mut add = |names: [Vec<Names>; 2], renamed: &BTreeMap<String, String>, of: SymbolOf<'_, 'd>| {
        let pairs = pair(&names[0], &names[1], renamed).into_iter();
        all.extend(pairs.map(|pair| {
            let (a, b) = match pair {
                Pair::Both { old, new, .. } => (Some(old), Some(new)),
                Pair::Old(at) => (Some(at), None),
                Pair::New(at) => (None, Some(at)),
            };
            Pairing { old: a.map(|at| of(old, at)), new: b.map(|at| of(new, at)) }
        }));
    };
    let both = [old, new];
    add(both.map(|it| dialect::names(&it.dialects)), &none, &|it, at| Symbol::Dialect(&it.dialects[at]));
    add(both.map(|it| operation::names(Side(it))), renamed, &|it, at| Symbol::Operation(&it.operations[at]));
    add(both.map(|it| definition::names(&it.types, AttrOrType::type_id)), renamed, &|it, at| {
        Symbol::Type(&it.types[at])
    });
    add(both.map(|it| definition::names(&it.attributes, AttrOrType::attribute_id)), renamed, &|it, at| {
        Symbol::Attribute(&it.attributes[at])
    });
    add(both.map(|it| enumeration::names(&it.enums)), renamed, &|it, at| Symbol::Enum(&it.enums[at]));
    add(both.map(|it| interface::names(&it.interfaces)), renamed, &|it, at| {
        Symbol::Interface(&it.interfaces[at])
    });
    add(both.map(|it| pass::names(&it.passes)), renamed, &|it, at| Symbol::Pass(&it.passes[at]));
    all
}

/// A function that returns a symbol by its index.
type SymbolOf<'a, 'd> = &'a dyn Fn(&'d Document, usize) -> Symbol<'d>;
