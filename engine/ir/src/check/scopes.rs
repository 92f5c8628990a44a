//! The names of values that are visible, and what is known of each.
//!
//! ```text
//! %a = …                 visible to the end of its region, and in the regions inside
//! func.func @f(%b: i32)  { %a = … }        also an isolated region may not use a visible name again
//! ```

use std::rc::Rc;

use odsmith_conditions::Type;
use rustc_hash::FxHashMap;

/// The types of the values of a name; nothing if their number is not known.
pub(super) type Types = Option<Rc<[Option<Type>]>>;

/// A value that is defined.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    pub types: Types,
    /// True if the text only looks as if it defined the value.
    pub is_possible: bool,
    /// The depth of the region.
    pub depth: usize,
}

/// The place of a statement: the number of the block, and that of the statement in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StatementPosition {
    pub block: u32,
    pub statement: u32,
}

/// A use of a name that is not defined before.
#[derive(Clone, Debug)]
pub(super) struct EarlyUse {
    pub token: u32,
    /// The token of the operation's name.
    pub operation: u32,
    /// The number of the operand, if it is known.
    pub operand: Option<usize>,
    /// The regions around it, with the place of the statement in each that contains it.
    pub around: Vec<Around>,
}

/// A region around a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Around {
    /// The number of the region, which distinguishes it from all others.
    pub region: u32,
    pub place: StatementPosition,
    /// True if values have to be defined before their use.
    pub is_ordered: bool,
    /// True if the block is the first one of its region.
    pub is_entry: bool,
}

/// The visible names.
#[derive(Debug, Default)]
pub(super) struct Scopes<'t> {
    names: FxHashMap<&'t str, Vec<Definition>>,
    /// The names of each open region.
    open: Vec<Vec<&'t str>>,
    /// Uses of names that are not defined yet.
    early: FxHashMap<&'t str, Vec<EarlyUse>>,
}

impl<'t> Scopes<'t> {
    pub(super) fn open(&mut self) {
        self.open.push(Vec::new());
    }

    pub(super) fn close(&mut self) {
        for name in self.open.pop().unwrap_or_default() {
            if let Some(all) = self.names.get_mut(name) {
                all.pop();
            }
        }
    }

    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    pub(super) fn find(&self, name: &str) -> Option<&Definition> {
        self.names.get(name)?.last()
    }

    /// Adds a definition, and returns the uses before it.
    pub(super) fn define(&mut self, name: &'t str, definition: Definition) -> Vec<EarlyUse> {
        self.names.entry(name).or_default().push(definition);
        if let Some(open) = self.open.last_mut() {
            open.push(name);
        }
        self.early.remove(name).unwrap_or_default()
    }

    pub(super) fn use_early(&mut self, name: &'t str, early: EarlyUse) {
        self.early.entry(name).or_default().push(early);
    }

    /// Returns the uses of names that are never defined, and forgets all names.
    pub(super) fn finish(&mut self) -> Vec<EarlyUse> {
        self.names.clear();
        self.open.clear();
        let mut left: Vec<EarlyUse> = std::mem::take(&mut self.early).into_values().flatten().collect();
        left.sort_by_key(|early| early.token);
        left
    }
}
