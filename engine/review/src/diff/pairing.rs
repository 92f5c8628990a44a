//! Pairing of definitions: by equal names, then records, then C++ classes, then the most similar shape.

use std::collections::{BTreeMap, BTreeSet};

use odsmith_interchange::Definition;

/// The names that pair a definition.
pub(super) struct Names {
    /// Its id, which pairs it with the same id.
    pub id: String,
    /// Other names that pair it, the strongest first.
    pub others: Vec<String>,
    /// The parts of the definition, which pair it if no name does.
    pub shape: BTreeSet<String>,
    /// A measure of its root's knowledge of it; among several of the same name, the one with the most counts.
    pub known: usize,
}

impl Names {
    /// Returns the names of a definition that only its id and its record's name pair.
    pub(super) fn new(id: String, definition: &Definition) -> Names {
        let record = definition.record.clone().unwrap_or_default();
        Names { id, others: vec![record], shape: BTreeSet::new(), known: 0 }
    }
}

/// A pair, by indexes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Pair {
    /// On both sides. The score in per cent is given if similarity decided.
    Both { old: usize, new: usize, score: Option<u32> },
    /// Removed.
    Old(usize),
    /// Added.
    New(usize),
}

/// Definitions with at least this similarity, in per cent, may be the same.
const ALIKE: u32 = 80;
/// The most comparisons by shape; more would take too long.
const MOST_COMPARISONS: usize = 4_000_000;

/// Pairs two lists. Among several of the same name, from several roots, the first of those that know most counts.
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

/// Definitions with at least this similarity, in per cent, are named as candidates.
const LIKELY: u32 = 55;

/// The least parts of definitions that are named as candidates because they are equal.
const LEAST_EQUAL: usize = 2;

/// Returns for each removed definition the one added definition that is much like it, if there is only one.
pub(super) fn candidates(old: &[Names], new: &[Names], pairs: &[Pair]) -> BTreeMap<usize, usize> {
    let of = |is_old: bool| {
        let found = pairs.iter().filter_map(|pair| match *pair {
            Pair::Old(at) if is_old => Some(at),
            Pair::New(at) if !is_old => Some(at),
            _ => None,
        });
        found.collect::<Vec<usize>>()
    };
    let (left, right) = (of(true), of(false));
    let mut found = BTreeMap::new();
    if left.len().saturating_mul(right.len()) > MOST_COMPARISONS {
        return found;
    }
    let best = |one: &Names, among: &[usize], names: &[Names]| {
        // Of definitions that are equally alike, the one whose name is most alike.
        let mut scores: Vec<(u32, u32, usize)> = among
            .iter()
            .map(|&at| {
                let other = &names[at];
                let is_equal = one.shape == other.shape && one.shape.len() >= LEAST_EQUAL;
                let score = if is_equal { 100 } else { likeness(&one.shape, &other.shape) };
                (score, likeness_of_names(&one.id, &other.id), at)
            })
            .collect();
        scores.sort_unstable_by(|a, b| b.cmp(a));
        match scores[..] {
            [(score, name, at), (next, next_name, _), ..]
                if score >= LIKELY && (next, next_name) < (score, name) =>
            {
                Some(at)
            }
            [(score, _, at)] if score >= LIKELY => Some(at),
            _ => None,
        }
    };
    for &a in &left {
        if let Some(b) = best(&old[a], &right, new)
            && best(&new[b], &left, old) == Some(a)
        {
            found.insert(a, b);
        }
    }
    found
}

type Rest<'a> = (&'a [Names], &'a mut BTreeMap<String, usize>);

/// Pairs definitions by another name if it is unique on both sides.
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

/// Pairs definitions that are each other's only similar one.
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

/// Returns the similarity of two shapes: the share of common parts in per cent. Small shapes are never similar.
fn likeness(a: &BTreeSet<String>, b: &BTreeSet<String>) -> u32 {
    const LEAST: usize = 4;
    if a.len() < LEAST || b.len() < LEAST {
        return 0;
    }
    let common = a.intersection(b).count();
    let all = a.len() + b.len() - common;
    u32::try_from(common * 100 / all).unwrap_or(0)
}

/// Returns the similarity of two names: the share of their common beginning and end in per cent.
fn likeness_of_names(one: &str, other: &str) -> u32 {
    let (shorter, longest) = (one.len().min(other.len()), one.len().max(other.len()).max(1));
    let before = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let after = one.bytes().rev().zip(other.bytes().rev()).take_while(|(a, b)| a == b).count();
    u32::try_from((before + after).min(shorter) * 100 / longest).unwrap_or(0)
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
    fn names_decide_between_equal_definitions() {
        let shape = ["a", "b", "c", "d"];
        let old = [names("x.alpha", "", &shape), names("x.beta", "", &shape)];
        let new = [names("x.beta_i", "", &shape), names("x.alpha_i", "", &shape)];
        let pairs = pair(&old, &new, &BTreeMap::new());
        assert_eq!(candidates(&old, &new, &pairs), BTreeMap::from([(0, 1), (1, 0)]));
        // One equal part says nothing.
        let (old, new) = ([names("x.a", "A", &["s"])], [names("x.b", "B", &["s"])]);
        assert_eq!(candidates(&old, &new, &pair(&old, &new, &BTreeMap::new())), BTreeMap::new());
    }

    #[test]
    fn two_likenesses_are_none() {
        let shape = ["a", "b", "c", "d"];
        let old = [names("x.a", "", &shape)];
        let new = [names("x.b", "", &shape), names("x.c", "", &shape)];
        assert_eq!(pair(&old, &new, &BTreeMap::new()), [Pair::Old(0), Pair::New(0), Pair::New(1)]);
    }
}
