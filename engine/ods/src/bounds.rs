//! Limits on definitions that refer to themselves, and on trees that are small in storage, because their parts are
//! shared, but huge once they are written out.
//!
//! The readers of the model follow references without any check. [`check`] runs first: it visits each record once, in
//! time linear in their stored size.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use odsmith_tablegen::{
    diagnostic::{Code, Diagnostic},
    record::{InitId, KnownName, Rec, RecordId, Records, Val, View, name},
};

/// Maximum number of parts of a tree that is written out. The largest condition of MLIR's own dialects has 264.
const MOST_PARTS: u64 = 100_000;
/// Maximum size of a written condition, in bytes; those of MLIR's own dialects stay below 25,000.
const MOST_BYTES: u64 = 4 << 20;
/// Maximum length of a chain of records.
const MOST_STEPS: usize = 2_000;

/// The size of a tree once it is written out.
#[derive(Clone, Copy, Default)]
struct Size {
    parts: u64,
    bytes: u64,
}

/// A kind of chain from record to record.
struct Chain {
    /// The class of the records that a chain starts from.
    class: &'static str,
    /// Returns the records that a record refers to.
    next: fn(Rec<'_>) -> Vec<Rec<'_>>,
    /// Returns the size of a record, from the size of the records that it refers to.
    size: fn(Rec<'_>, Size) -> Size,
}

const CHAINS: &[Chain] = &[
    Chain { class: "Pred", next: |pred| list(pred, name!("children")), size: predicate },
    Chain { class: "Attr", next: |attr| one(attr, name!("baseAttr")), size: plain },
    Chain { class: "Property", next: |property| one(property, name!("baseProperty")), size: plain },
    Chain { class: "TraitList", next: |traits| list(traits, name!("traits")), size: plain },
    Chain { class: "OpTraitList", next: |traits| list(traits, name!("traits")), size: plain },
    Chain { class: "Interface", next: |interface| list(interface, name!("baseInterfaces")), size: plain },
];

fn list<'r>(rec: Rec<'r>, field: KnownName) -> Vec<Rec<'r>> {
    let list = rec.get(field).and_then(Val::as_list);
    list.into_iter().flatten().filter_map(Val::as_def).collect()
}

fn one<'r>(rec: Rec<'r>, field: KnownName) -> Vec<Rec<'r>> {
    rec.get(field).and_then(Val::as_def).into_iter().collect()
}

fn plain(_: Rec<'_>, below: Size) -> Size {
    below
}

/// Returns an upper bound for the size of a condition.
fn predicate(pred: Rec<'_>, below: Size) -> Size {
    let length = |field: KnownName| pred.optional_string(field).map_or(0, str::len) as u64;
    // Each part is in parentheses, with an operator next to it.
    let own = length(name!("predExpr")) + length(name!("prefix")) + length(name!("suffix")) + 8;
    let pattern = length(name!("pattern")).max(1);
    let growth = length(name!("replacement")).div_ceil(pattern).max(1);
    Size { bytes: below.bytes.saturating_mul(growth).saturating_add(own), ..below }
}

/// Checks that the model can be read and written.
///
/// # Errors
/// A definition refers to itself, or would be too large.
pub fn check(records: &Records) -> Result<(), Diagnostic> {
    for chain in CHAINS {
        let mut walk = Walk { chain, known: HashMap::default(), steps: 0 };
        for rec in records.derived_as_made(chain.class) {
            // Most records end here: one without references is as large as its text.
            if !(chain.next)(rec).is_empty() {
                walk.size(rec)?;
            }
        }
    }
    let mut known = Parts::default();
    for pattern in records.derived_as_made("Pattern") {
        for field in ["sourcePattern", "resultPatterns", "supplementalPatterns"] {
            let heavy = pattern.get(field).filter(|value| value.weight() > MOST_PARTS);
            let parts = heavy.map_or(0, |value| parts(value, &mut known));
            if parts > MOST_PARTS {
                return Err(too_large(pattern, &format!("the pattern has {parts} parts")));
            }
        }
    }
    Ok(())
}

fn too_large(rec: Rec<'_>, what: &str) -> Diagnostic {
    let message = format!("limit reached: {what} once it is written out (at most {MOST_PARTS} parts)");
    Diagnostic { code: Code::Limit, ..rec.error(message) }
}

struct Walk<'c> {
    chain: &'c Chain,
    /// The sizes computed so far; `None` for a record that is still being visited.
    known: HashMap<RecordId, Option<Size>, FxBuildHasher>,
    steps: usize,
}

impl Walk<'_> {
    fn size(&mut self, rec: Rec<'_>) -> Result<Size, Diagnostic> {
        match self.known.insert(rec.id(), None) {
            Some(Some(size)) => {
                self.known.insert(rec.id(), Some(size));
                return Ok(size);
            }
            Some(None) => return Err(rec.error(format!("'{}' is defined by itself", rec.name()))),
            None => {}
        }
        self.steps += 1;
        if self.steps > MOST_STEPS {
            let message = format!("limit reached: a chain of definitions (at most {MOST_STEPS})");
            return Err(Diagnostic { code: Code::Limit, ..rec.error(message) });
        }
        let mut below = Size { parts: 1, bytes: 0 };
        for next in (self.chain.next)(rec) {
            let size = self.size(next)?;
            below.parts = below.parts.saturating_add(size.parts);
            below.bytes = below.bytes.saturating_add(size.bytes);
        }
        self.steps -= 1;
        let size = (self.chain.size)(rec, below);
        if size.parts > MOST_PARTS {
            return Err(too_large(rec, &format!("'{}' has {} parts", rec.name(), size.parts)));
        }
        if size.bytes > MOST_BYTES {
            let what =
                format!("limit reached: the condition of '{}' (at most {MOST_BYTES} bytes)", rec.name());
            return Err(Diagnostic { code: Code::Limit, ..rec.error(what) });
        }
        self.known.insert(rec.id(), Some(size));
        Ok(size)
    }
}

/// The number of parts of each value counted so far.
type Parts = HashMap<InitId, u64, FxBuildHasher>;

/// Counts the parts of a value once it is written out. Values are finite: a value exists before the one that holds it.
fn parts(value: Val<'_>, known: &mut Parts) -> u64 {
    if let Some(&parts) = known.get(&value.id()) {
        return parts;
    }
    let sum = |values: &mut dyn Iterator<Item = Val<'_>>, known: &mut Parts| {
        values.fold(1_u64, |all, value| all.saturating_add(parts(value, known)))
    };
    let parts = match value.view() {
        View::List(list) => sum(&mut { list }, known),
        View::Dag(dag) => sum(&mut dag.args().map(|(value, _)| value), known),
        _ => 1,
    };
    known.insert(value.id(), parts);
    parts
}
