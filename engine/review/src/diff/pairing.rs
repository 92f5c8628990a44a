//! Which definition became which: equal names, then records, then C++ classes, then the one that is most alike.

use std::collections::{BTreeMap, BTreeSet};

use odsmith_interchange::Definition;

/// What a definition goes by.
pub(super) struct Names {
    /// Its id, which pairs it with the same id.
    pub id: String,
    /// Other names that pair it, the strongest first.
    pub others: Vec<String>,
    /// What it is made of, for those that no name pairs.
    pub shape: BTreeSet<String>,
    /// How much its root knows of it: of several with the same name the one counts of which most is known.
    pub known: usize,
}

impl Names {
    /// Of a definition that its id and its record's name pair, and nothing else.
    pub(super) fn new(id: String, definition: &Definition) -> Names {
        let record = definition.record.clone().unwrap_or_default();
        Names { id, others: vec![record], shape: BTreeSet::new(), known: 0 }
    }
}

/// A pair, by indexes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Pair {
    /// It is there on both sides. The score is in per cent, where it was decided by what they are made of.
    Both { old: usize, new: usize, score: Option<u32> },
    /// It is gone.
    Old(usize),
    /// It is new.
    New(usize),
}

/// Definitions that are at least so alike, in per cent, may be the same.
const ALIKE: u32 = 80;
/// What is compared with all of the other side: more than so many would take too long.
const MOST_COMPARISONS: usize = 4_000_000;

/// Pairs two lists; of several with the same name, in several roots, the first counts of those that know most.
pub(super) fn pair(old: &[Names], new: &[Names], renamed: &BTreeMap<String, String>) -> Vec<Pair> {
    let firsts = |names: &[Names]| {
        let mut map: BTreeMap<String, usize> = BTreeMap::new();
        for (index, name) in names.iter().enumerate() {
            let best = map.entry(name.id.clone()).or_insert(index);
            if names[*best].known < name.known {
                *best = index;
            }
        }
        map
    };
    let (mut left, mut right) = (firsts(old), firsts(new));
    let mut pairs = Vec::new();
    for (old_id, new_id) in renamed {
        if let (Some(&a), Some(&b)) = (left.get(old_id), right.get(new_id)) {
            pairs.push(Pair::Both { old: a, new: b, score: None });
            left.remove(old_id);
            right.remove(new_id);
        }
    }
    left.retain(|id, &mut a| match right.remove(id) {
        Some(b) => {
            pairs.push(Pair::Both { old: a, new: b, score: None });
            false
        }
        None => true,
    });
    let rounds = old.iter().map(|names| names.others.len()).max().unwrap_or_default();
    for round in 0..rounds {
        by_other_name(round, (old, &mut left), (new, &mut right), &mut pairs);
    }
    by_shape((old, &mut left), (new, &mut right), &mut pairs);
    pairs.extend(left.into_values().map(Pair::Old));
    pairs.extend(right.into_values().map(Pair::New));
    pairs
}

type Rest<'a> = (&'a [Names], &'a mut BTreeMap<String, usize>);

/// Pairs those whose other name only they have.
fn by_other_name(round: usize, (old, left): Rest<'_>, (new, right): Rest<'_>, pairs: &mut Vec<Pair>) {
    let index = |names: &[Names], rest: &BTreeMap<String, usize>| {
        let mut map: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for &at in rest.values() {
            if let Some(name) = names[at].others.get(round).filter(|name| !name.is_empty()) {
                map.entry(name.clone()).or_default().push(at);
            }
        }
        map
    };
    let (ours, theirs) = (index(old, left), index(new, right));
    for (name, a) in ours {
        if let ([a], Some([b])) = (&*a, theirs.get(&name).map(Vec::as_slice)) {
            pairs.push(Pair::Both { old: *a, new: *b, score: None });
            left.remove(&old[*a].id);
            right.remove(&new[*b].id);
        }
    }
}

/// Pairs those that are each other's only likeness.
fn by_shape((old, left): Rest<'_>, (new, right): Rest<'_>, pairs: &mut Vec<Pair>) {
    if left.len().saturating_mul(right.len()) > MOST_COMPARISONS {
        return;
    }
    let mut alike: Vec<(usize, usize, u32)> = Vec::new();
    for &a in left.values() {
        for &b in right.values() {
            let score = likeness(&old[a].shape, &new[b].shape);
            if score >= ALIKE {
                alike.push((a, b, score));
            }
        }
    }
    for &(a, b, score) in &alike {
        let is_only = alike.iter().filter(|&&(x, y, _)| x == a || y == b).count() == 1;
        if is_only {
            pairs.push(Pair::Both { old: a, new: b, score: Some(score) });
            left.remove(&old[a].id);
            right.remove(&new[b].id);
        }
    }
}

/// What two have in common, in per cent of all that they have. Little says little.
fn likeness(a: &BTreeSet<String>, b: &BTreeSet<String>) -> u32 {
    const LEAST: usize = 4;
    if a.len() < LEAST || b.len() < LEAST {
        return 0;
    }
    let common = a.intersection(b).count();
    let all = a.len() + b.len() - common;
    u32::try_from(common * 100 / all).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(id: &str, other: &str, shape: &[&str]) -> Names {
        Names {
            id: id.to_owned(),
            others: vec![other.to_owned()],
            shape: shape.iter().map(|&it| it.to_owned()).collect(),
            known: 0,
        }
    }

    #[test]
    fn names_come_before_likeness() {
        let shape = ["a", "b", "c", "d", "e"];
        let old = [names("x.a", "A", &shape), names("x.b", "B", &[]), names("x.c", "C", &shape)];
        let new = [names("x.c", "C", &shape), names("x.z", "B", &[]), names("x.y", "Y", &shape)];
        let both = |old, new, score| Pair::Both { old, new, score };
        let pairs = pair(&old, &new, &BTreeMap::new());
        assert_eq!(pairs, [both(2, 0, None), both(1, 1, None), both(0, 2, Some(100))]);
        let renamed = BTreeMap::from([("x.a".to_owned(), "x.c".to_owned())]);
        assert_eq!(pair(&old, &new, &renamed)[0], both(0, 0, None));
    }

    #[test]
    fn the_root_that_knows_most_counts() {
        let old = [Names { known: 1, ..names("x.a", "", &[]) }, Names { known: 2, ..names("x.a", "", &[]) }];
        let new = [Names { known: 2, ..names("x.a", "", &[]) }, Names { known: 1, ..names("x.a", "", &[]) }];
        assert_eq!(pair(&old, &new, &BTreeMap::new()), [Pair::Both { old: 1, new: 0, score: None }]);
    }

    #[test]
    fn two_likenesses_are_none() {
        let shape = ["a", "b", "c", "d"];
        let old = [names("x.a", "", &shape)];
        let new = [names("x.b", "", &shape), names("x.c", "", &shape)];
        assert_eq!(pair(&old, &new, &BTreeMap::new()), [Pair::Old(0), Pair::New(0), Pair::New(1)]);
    }
}
