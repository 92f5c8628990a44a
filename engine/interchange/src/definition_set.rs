//! Sets of definitions that several roots share.

use std::{
    hash::BuildHasher as _,
    io::{self, Write},
};

use rustc_hash::{FxBuildHasher, FxHashMap};
use serde::Serialize;

use super::{Definition, Generated};

/// A type that has a [`Definition`].
pub(crate) trait Defined: PartialEq + Serialize {
    fn definition(&mut self) -> &mut Definition;

    /// Visits the indexes by which it refers to other definitions.
    fn references(&mut self, _: &mut dyn FnMut(Reference<'_>)) {}

    /// Returns the data that is derived from the rest, once per definition.
    fn generated(&mut self) -> Option<&mut Generated> {
        None
    }
}

/// Implements [`Defined`] for definitions without derived data and dependencies.
macro_rules! defined {
    ($($kind:ty),*) => {
        $(impl crate::definition_set::Defined for $kind {
            fn definition(&mut self) -> &mut crate::Definition {
                &mut self.definition
            }
        })*
    };
}
pub(crate) use defined;

/// A definition that another one refers to by its index.
#[derive(Clone, Copy)]
pub(crate) enum Dependency {
    /// A constraint.
    Constraint(usize),
    /// A trait.
    Trait(usize),
}

/// The index of another definition, in a definition that refers to it.
pub(crate) enum Reference<'a> {
    /// A constraint.
    Constraint(&'a mut usize),
    /// A trait.
    Trait(&'a mut usize),
}

impl From<Reference<'_>> for Dependency {
    fn from(reference: Reference<'_>) -> Self {
        match reference {
            Reference::Constraint(index) => Dependency::Constraint(*index),
            Reference::Trait(index) => Dependency::Trait(*index),
        }
    }
}

/// The definitions of one kind, each once.
pub(crate) struct DefinitionSet<T> {
    /// The definitions, in the order in which they were added.
    pub items: Vec<T>,
    /// The indexes of items, by the hash of their contents.
    by_hash: FxHashMap<u64, Vec<usize>>,
    /// The indexes of items, by the number of their records.
    pub by_identity: FxHashMap<u32, usize>,
    /// The JSON of the current item.
    json: Vec<u8>,
}

impl<T> Default for DefinitionSet<T> {
    fn default() -> Self {
        let (by_hash, by_identity) = (FxHashMap::default(), FxHashMap::default());
        DefinitionSet { items: Vec::new(), by_hash, by_identity, json: Vec::new() }
    }
}

impl<T: Defined> DefinitionSet<T> {
    /// Adds a root to an item and lists the item's dependencies; returns false if the item already has that root.
    pub fn share(&mut self, index: usize, root: usize, dependencies: &mut Vec<Dependency>) -> bool {
        let item = &mut self.items[index];
        let roots = &mut item.definition().roots;
        let is_new = roots.last() != Some(&root);
        if is_new {
            roots.push(root);
            item.references(&mut |reference| dependencies.push(reference.into()));
        }
        is_new
    }

    /// Adds an item and, unless there is an equal one, adds its view to `new`. Returns its index.
    pub fn add_new<V>(
        &mut self,
        item: T,
        bytes_left: &mut Option<u64>,
        view: V,
        new: &mut Vec<(usize, V)>,
    ) -> usize {
        let before = self.items.len();
        let index = self.add(item, bytes_left);
        if self.items.len() > before {
            new.push((index, view));
        }
        index
    }

    /// Adds an item of a root and returns its index. An equal item of an earlier root is shared with this one.
    pub fn add(&mut self, mut item: T, bytes_left: &mut Option<u64>) -> usize {
        let roots = std::mem::take(&mut item.definition().roots);
        self.json.clear();
        // Every part of an item has a form in JSON.
        let _ = serde_json::to_writer(&mut self.json, &item);
        let known = self.by_hash.entry(FxBuildHasher.hash_one(&self.json)).or_default();
        for &index in &*known {
            let before = std::mem::take(&mut self.items[index].definition().roots);
            let generated = self.items[index].generated().map(std::mem::take);
            let is_same = self.items[index] == item;
            if let (Some(generated), Some(place)) = (generated, self.items[index].generated()) {
                *place = generated;
            }
            let after = &mut self.items[index].definition().roots;
            *after = before;
            if is_same {
                after.extend(roots);
                after.dedup();
                return index;
            }
        }
        *bytes_left = bytes_left.and_then(|left| left.checked_sub(self.json.len() as u64 + 2));
        if bytes_left.is_some() {
            known.push(self.items.len());
            item.definition().roots = roots;
            self.items.push(item);
        }
        self.items.len().saturating_sub(1)
    }
}

/// Returns the size of an item as JSON, in bytes.
pub(crate) fn size_of(item: &impl Serialize) -> u64 {
    let mut size = Size(2);
    // Every part of an item has a form in JSON, and counting does not fail.
    let _ = serde_json::to_writer(&mut size, item);
    size.0
}

/// A writer that only counts bytes.
struct Size(u64);

impl Write for Size {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
