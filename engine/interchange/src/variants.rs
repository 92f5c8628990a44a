//! One row for each definition that roots read in several shapes.
//!
//! ```text
//! OpsA.td   def A_Op : Op<…, [InferTypes]>;    read as its own root: InferTypeOpInterface is not included
//! All.td    include "OpsA.td"                  here it is, so A_Op has a trait more
//! ```
//!
//! Both are `a.op`, from one record at one position. The row is the reading of the root that is the definition's own
//! file, or else of the first root by its path; the others are counted. Definitions that only other readings refer to
//! are left out.

use std::collections::BTreeMap;

use super::{
    Collection, Definition, Location, Root,
    definition_set::{Defined, Reference},
};

/// The place of an item after variants were merged: the index of its row.
type Rows = Vec<usize>;

impl Collection<'_> {
    /// Merges the variants of each definition into one row.
    pub(super) fn merge_variants(&mut self, roots: &[Root<'_>]) {
        let constraints = merge(&mut self.constraints.items, roots);
        let traits = merge(&mut self.traits.items, roots);
        let mut is_changed = constraints.is_some() || traits.is_some();
        is_changed |= drop_variants(&mut self.dialects.items, roots);
        is_changed |= drop_variants(&mut self.operations.items, roots);
        is_changed |= drop_variants(&mut self.attributes.items, roots);
        is_changed |= drop_variants(&mut self.types.items, roots);
        is_changed |= drop_variants(&mut self.enums.items, roots);
        is_changed |= drop_variants(&mut self.interfaces.items, roots);
        is_changed |= drop_variants(&mut self.passes.items, roots);
        is_changed |= drop_variants(&mut self.patterns.items, roots);
        if !is_changed {
            return;
        }
        let row = |rows: &Option<Rows>, index: usize| rows.as_ref().map_or(index, |rows| rows[index]);
        self.references(&mut |reference| match reference {
            Reference::Constraint(index) => *index = row(&constraints, *index),
            Reference::Trait(index) => *index = row(&traits, *index),
        });
        self.drop_unused();
    }

    /// Visits the references of all definitions.
    fn references(&mut self, visit: &mut dyn FnMut(Reference<'_>)) {
        self.constraints.items.iter_mut().for_each(|it| it.references(visit));
        self.operations.items.iter_mut().for_each(|it| it.references(visit));
        self.attributes.items.iter_mut().for_each(|it| it.references(visit));
        self.types.items.iter_mut().for_each(|it| it.references(visit));
        self.patterns.items.iter_mut().for_each(|it| it.references(visit));
        self.shared_matches.iter_mut().for_each(|it| it.matcher.references(visit));
    }

    /// Drops variants of constraints and traits, and those that only dropped variants used.
    fn drop_unused(&mut self) {
        let is_own = |it: &Definition| it.record.is_some() && !it.is_library;
        let of_bundle =
            self.constraints.items.iter().map(|it| is_own(&it.definition) && !is_dropped(&it.definition));
        let mut constraints: Vec<bool> = of_bundle.collect();
        let mut traits = vec![false; self.traits.items.len()];
        // Constraints refer to constraints: those of a row that is dropped do not count.
        let own = std::mem::take(&mut self.constraints.items);
        self.references(&mut |reference| match reference {
            Reference::Constraint(index) => constraints[*index] = true,
            Reference::Trait(index) => traits[*index] = true,
        });
        self.constraints.items = own;
        let mut open: Vec<usize> = (0..constraints.len()).filter(|&index| constraints[index]).collect();
        while let Some(next) = open.pop() {
            self.constraints.items[next].references(&mut |reference| {
                if let Reference::Constraint(index) = reference
                    && !std::mem::replace(&mut constraints[*index], true)
                {
                    open.push(*index);
                }
            });
        }
        retain(&mut self.constraints.items, &constraints);
        retain(&mut self.traits.items, &traits);
        let (constraints, traits) = (places(&constraints), places(&traits));
        self.references(&mut |reference| match reference {
            Reference::Constraint(index) => *index = constraints[*index],
            Reference::Trait(index) => *index = traits[*index],
        });
    }
}

/// Returns whether a definition was merged into the row of another reading.
fn is_dropped(definition: &Definition) -> bool {
    definition.roots.is_empty()
}

fn retain<T>(items: &mut Vec<T>, is_retained: &[bool]) {
    let mut is_retained = is_retained.iter();
    items.retain(|_| *is_retained.next().unwrap_or(&true));
}

/// Returns the new index of each item that is retained.
fn places(is_retained: &[bool]) -> Vec<usize> {
    let mut count = 0;
    let next = is_retained.iter().map(|&is_retained| {
        count += usize::from(is_retained);
        count.saturating_sub(1)
    });
    next.collect()
}

fn drop_variants<T: Defined>(items: &mut Vec<T>, roots: &[Root<'_>]) -> bool {
    let is_merged = merge(items, roots).is_some();
    if is_merged {
        items.retain_mut(|item| !is_dropped(item.definition()));
    }
    is_merged
}

/// Moves the roots of all variants to their row, which takes the place of the first. The others have no roots then.
/// Returns the row of each item, unless each is its own.
fn merge<T: Defined>(items: &mut [T], roots: &[Root<'_>]) -> Option<Rows> {
    let mut variants: BTreeMap<(String, Location), Vec<usize>> = BTreeMap::new();
    for (index, item) in items.iter_mut().enumerate() {
        let Definition { record: Some(record), location: Some(location), .. } = item.definition() else {
            continue;
        };
        variants.entry((record.clone(), location.clone())).or_default().push(index);
    }
    variants.retain(|_, indexes| indexes.len() > 1);
    if variants.is_empty() {
        return None;
    }
    let mut rows: Rows = (0..items.len()).collect();
    for ((_, location), indexes) in variants {
        let rank = |root: usize| (roots[root].td != location.file, roots[root].td);
        let best_root = |item: &mut T| item.definition().roots.iter().copied().min_by_key(|&root| rank(root));
        let best = indexes.iter().copied().min_by_key(|&index| best_root(&mut items[index]).map(rank));
        let (first, best) = (indexes[0], best.unwrap_or(indexes[0]));
        items.swap(first, best);
        let reading = best_root(&mut items[first]);
        let mut all: Vec<usize> = Vec::new();
        for &index in &indexes {
            all.append(&mut items[index].definition().roots);
            rows[index] = first;
        }
        all.sort_unstable_by_key(|&root| (Some(root) != reading, root));
        all.dedup();
        let definition = items[first].definition();
        definition.roots = all;
        definition.variants = indexes.len() - 1;
    }
    Some(rows)
}
