//! The mapping of an operation's values: generic form and bytecode have one list, and the sizes of segments.
//!
//! ```text
//! old  (ins Variadic<I32>:$a, Optional<I32>:$b)      "my.f"(%x, %y) <{operandSegmentSizes = array<i32: 1, 1>}>
//! new  (ins Variadic<I32>:$a, I32:$c)                %y becomes $c, and must satisfy its constraint
//! ```

use odsmith_interchange::{
    constraint::{Cardinality, Constraint},
    op::{Operation, Part, PartKind},
};

use super::{
    super::{Side, format, layout, operation::cpp, rules::Level, rules::Verdict},
    Concern, parts, rank,
};

/// The mapping of operands and of results from the writing to the reading side.
pub(super) struct Landing {
    groups: [Group; 2],
}

struct Group {
    kind: PartKind,
    /// Pairs of parts by their indexes: a part with values, and the part that gets them.
    pairs: Vec<(usize, usize)>,
    is_moved: bool,
}

fn cardinality(part: &Part, side: Side<'_>) -> Cardinality {
    let of_type = side.constraint(part.constraint).and_then(|it| it.of_type.as_ref());
    of_type.map_or(Cardinality::One, |it| it.cardinality)
}

/// Returns the constraint on each value.
fn element<'d>(part: &Part, side: Side<'d>) -> Option<&'d Constraint> {
    let constraint = side.constraint(part.constraint)?;
    let base = constraint.of_type.as_ref().and_then(|it| it.base);
    base.map_or(Some(constraint), |base| side.constraint(base))
}

impl Landing {
    /// Maps values of a text by their names or positions. Results that a text names, and operands of a format that
    /// lists them all, must have the expected number.
    pub(super) fn same(at: Concern<'_>) -> Result<Self, Verdict> {
        counted(at, PartKind::Result)?;
        if format::of_operation(at.new).lists_operands() {
            counted(at, PartKind::Operand)?;
        }
        let of = |kind: PartKind| {
            let new: Vec<&Part> = parts(at.new, kind).collect();
            let pairs = parts(at.old, kind).enumerate().filter_map(|(index, part)| {
                let same = |it: &&Part| it.name == part.name && !it.name.is_empty();
                let to = new.iter().position(same).or_else(|| (index < new.len()).then_some(index))?;
                (at.instance.count(kind, index) != Some(0)).then_some((index, to))
            });
            Group { kind, pairs: pairs.collect(), is_moved: false }
        };
        Ok(Landing { groups: [of(PartKind::Operand), of(PartKind::Result)] })
    }

    /// Maps values to parts, or returns why they do not fit.
    pub(super) fn new(at: Concern<'_>) -> Result<Self, Verdict> {
        let of = |kind| group(at, kind);
        Ok(Landing { groups: [of(PartKind::Operand)?, of(PartKind::Result)?] })
    }

    /// Returns true if a value is now of another part.
    pub(super) fn is_moved(&self) -> bool {
        self.groups.iter().any(|it| it.is_moved)
    }

    /// Returns the verdict on values against the constraints of their new parts; without a name, of all parts.
    pub(super) fn constraints(&self, at: Concern<'_>, name: &str) -> Verdict {
        let of = |group: &Group| {
            let all = group.pairs.iter().filter_map(|&(from, to)| {
                let old = parts(at.old, group.kind).nth(from)?;
                let new = parts(at.new, group.kind).nth(to)?;
                if !name.is_empty() && old.name != name && new.name != name {
                    return None;
                }
                let (before, after) = (element(old, at.cx.old)?, element(new, at.cx.new)?);
                let is_same = cpp(&before.condition) == cpp(&after.condition);
                Some(if is_same { Verdict::Safe } else { at.satisfies(group.kind, from, after) })
            });
            all.min_by_key(rank).unwrap_or(Verdict::Safe)
        };
        self.groups.iter().map(of).min_by_key(rank).unwrap_or(Verdict::Safe)
    }
}

/// Checks that the reading side accepts the number of values of a kind. If there are no results, they are not named.
fn counted(at: Concern<'_>, kind: PartKind) -> Result<(), Verdict> {
    let counts = (0..parts(at.old, kind).count()).map(|index| at.instance.count(kind, index));
    // The number is known of nearly all programs; otherwise only the format decides.
    let Some(total) = counts.sum::<Option<usize>>() else { return Ok(()) };
    let (mut least, mut most) = (0, Some(0));
    for part in parts(at.new, kind) {
        match cardinality(part, at.cx.new) {
            Cardinality::One => (least, most) = (least + 1, most.map(|most| most + 1)),
            Cardinality::Optional => most = most.map(|most| most + 1),
            Cardinality::Variadic | Cardinality::VariadicOfVariadic => most = None,
        }
    }
    let is_named = kind != PartKind::Result || total > 0;
    let fits = total >= least && most.is_none_or(|most| total <= most);
    if is_named && !fits { Err(Verdict::Breaks) } else { Ok(()) }
}

fn has_sizes(op: &Operation, side: Side<'_>, kind: PartKind) -> bool {
    let slot = if kind == PartKind::Result { "resultSegmentSizes" } else { "operandSegmentSizes" };
    layout::segments(op, side).contains(&slot)
}

fn group(at: Concern<'_>, kind: PartKind) -> Result<Group, Verdict> {
    let (old, new): (Vec<&Part>, Vec<&Part>) = (parts(at.old, kind).collect(), parts(at.new, kind).collect());
    let counts: Option<Vec<usize>> = (0..old.len()).map(|index| at.instance.count(kind, index)).collect();
    let counts = counts.ok_or(Verdict::Unknown)?;
    let total: usize = counts.iter().sum();
    let sizes = match (has_sizes(at.old, at.cx.old, kind), has_sizes(at.new, at.cx.new, kind)) {
        (true, true) => segments(at.level, &counts, new.len())?,
        // Nothing assigns them to parts.
        (false, true) if total > 0 => return Err(Verdict::Breaks),
        (false, true) => vec![0; new.len()],
        (_, false) => distributed(&new, total, at.cx.new)?,
    };
    for (part, &size) in new.iter().zip(&sizes) {
        let fits = match cardinality(part, at.cx.new) {
            Cardinality::One => size == 1,
            Cardinality::Optional => size <= 1,
            Cardinality::Variadic | Cardinality::VariadicOfVariadic => true,
        };
        if !fits {
            return Err(Verdict::Breaks);
        }
    }
    // For each value, its part before and after.
    let spread = |sizes: &[usize]| {
        let all = sizes.iter().enumerate();
        all.flat_map(|(index, &size)| std::iter::repeat_n(index, size)).collect::<Vec<_>>()
    };
    let mut pairs: Vec<(usize, usize)> = spread(&counts).into_iter().zip(spread(&sizes)).collect();
    pairs.dedup();
    let is_moved = pairs.iter().any(|&(from, to)| {
        let (was, is) = (&old[from].name, &new[to].name);
        // A part with another name at the same position was renamed.
        was != is && (new.iter().any(|it| it.name == *was) || old.iter().any(|it| it.name == *is))
    });
    Ok(Group { kind, pairs, is_moved })
}

/// Returns the sizes of segments as the reading side sees them.
fn segments(level: Level, counts: &[usize], wanted: usize) -> Result<Vec<usize>, Verdict> {
    // The generic form has a list of fixed length; bytecode leaves out zeros.
    let is_fixed = level == Level::Generic;
    let is_lost = counts.iter().skip(wanted).any(|&count| count > 0);
    if (is_fixed && counts.len() != wanted) || is_lost {
        return Err(Verdict::Breaks);
    }
    let mut sizes = counts.to_vec();
    sizes.resize(wanted, 0);
    Ok(sizes)
}

/// Distributes values without sizes: each single part gets one, the others share the rest equally.
fn distributed(new: &[&Part], total: usize, side: Side<'_>) -> Result<Vec<usize>, Verdict> {
    let is_single = |part: &&&Part| cardinality(part, side) == Cardinality::One;
    let singles = new.iter().filter(is_single).count();
    let others = new.len() - singles;
    let rest = total.checked_sub(singles).ok_or(Verdict::Breaks)?;
    let each = match others {
        0 if rest > 0 => return Err(Verdict::Breaks),
        0 => 0,
        others if rest % others != 0 => return Err(Verdict::Breaks),
        others => rest / others,
    };
    Ok(new.iter().map(|part| if is_single(&part) { 1 } else { each }).collect())
}
