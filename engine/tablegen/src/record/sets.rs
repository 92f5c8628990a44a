//! `--print-sets`: the records that each def of class `Set` represents, by the dag in its field `Elements`.
//!
//! ```text
//! (add Items…)                the elements of all items         (rotl Set, n)  (rotr Set, n)   turned by n
//! (sub Set, Items…)           the first without the others      (decimate Set, n)              each n-th
//! (and Set, Set)              what is in both                   (interleave Sets…)             by turns
//! (shl Set, n)                without the first n               (sequence "R%u", from, to[, stride])
//! (trunc Set, n)              the first n                                  records by their numbered names
//! ```
//!
//! An item is a record (a `Set` represents its elements), a list of items or a dag. A set keeps the order in which
//! its elements come first.

use std::{collections::HashMap, rc::Rc};

use rustc_hash::{FxBuildHasher, FxHashSet};

use super::{Dag, Rec, RecordId, Records, Val, View, numbered::Numbered};
use crate::{
    diagnostic::Diagnostic,
    limits::{Meter, over},
    span::Span,
};

type SetResult<T> = Result<T, Box<Diagnostic>>;

/// The bound on numbers in a `sequence`.
const MOST_NUMBER: i64 = 1 << 30;

/// Writes one line per set.
///
/// # Errors
/// There is no class `Set`, or a dag has no meaning.
pub fn print(records: &Records, meter: Meter, out: &mut String) -> SetResult<()> {
    if records.class("Set").is_none() {
        return Err(Box::new(Diagnostic::error(Span::NONE, "The class 'Set' is not defined\n")));
    }
    let mut sets = Sets { records, meter, known: HashMap::default() };
    for set in records.derived("Set") {
        out.push_str(set.name());
        out.push_str(" = [");
        for element in sets.elements_of(set)?.iter() {
            out.push(' ');
            out.push_str(element.name());
        }
        out.push_str(" ]\n");
        // Each line may hold every record.
        let most = sets.meter.limits().output_bytes;
        if out.len() as u64 > most {
            return Err(over(Span::NONE, "output size", most, "bytes"));
        }
    }
    Ok(())
}

/// Records without duplicates, in the order they were added.
#[derive(Default)]
struct Elements<'r> {
    items: Vec<Rec<'r>>,
    known: FxHashSet<RecordId>,
}

impl<'r> Elements<'r> {
    fn add(&mut self, record: Rec<'r>) {
        if self.known.insert(record.id()) {
            self.items.push(record);
        }
    }
}

impl<'r> Extend<Rec<'r>> for Elements<'r> {
    fn extend<I: IntoIterator<Item = Rec<'r>>>(&mut self, items: I) {
        items.into_iter().for_each(|item| self.add(item));
    }
}

struct Sets<'r> {
    records: &'r Records,
    meter: Meter,
    /// Elements of sets, without those whose dag is being evaluated.
    known: HashMap<RecordId, Rc<[Rec<'r>]>, FxBuildHasher>,
}

impl<'r> Sets<'r> {
    fn elements_of(&mut self, set: Rec<'r>) -> SetResult<Rc<[Rec<'r>]>> {
        if let Some(elements) = self.known.get(&set.id()) {
            return Ok(Rc::clone(elements));
        }
        self.known.insert(set.id(), Rc::new([]));
        let mut elements = Elements::default();
        self.add(set.value("Elements")?, set, &mut elements)?;
        let elements: Rc<[Rec<'r>]> = elements.items.into();
        self.known.insert(set.id(), Rc::clone(&elements));
        Ok(elements)
    }

    /// Adds the elements of an item of a set's dag; errors point at that set.
    fn add(&mut self, item: Val<'r>, set: Rec<'r>, elements: &mut Elements<'r>) -> SetResult<()> {
        self.meter.charge(set.span(), 1)?;
        self.meter.enter(set.span())?;
        let added = self.add_nested(item, set, elements);
        self.meter.leave();
        added
    }

    fn add_nested(&mut self, item: Val<'r>, set: Rec<'r>, elements: &mut Elements<'r>) -> SetResult<()> {
        match item.view() {
            View::Def(record) if record.is_subclass_of("Set") => {
                let own = self.elements_of(record)?;
                self.meter.charge(set.span(), own.len() as u64)?;
                elements.extend(own.iter().copied());
            }
            View::Def(record) => elements.add(record),
            View::List(items) => {
                for item in items {
                    self.add(item, set, elements)?;
                }
            }
            View::Dag(dag) => self.apply(dag, item, set, elements)?,
            View::Unset | View::Bit(_) | View::Bits(_) | View::Int(_) | View::String(_) | View::Symbolic => {
                return fail(set, format!("Invalid set element: {item}"));
            }
        }
        Ok(())
    }

    /// Returns the elements of all items.
    fn all(&mut self, items: impl Iterator<Item = Val<'r>>, set: Rec<'r>) -> SetResult<Elements<'r>> {
        let mut elements = Elements::default();
        for item in items {
            self.add(item, set, &mut elements)?;
        }
        Ok(elements)
    }

    fn apply(
        &mut self,
        dag: Dag<'r>,
        whole: Val<'r>,
        set: Rec<'r>,
        elements: &mut Elements<'r>,
    ) -> SetResult<()> {
        let Some(operator) = dag.operator_def() else {
            return fail(set, format!("Bad set expression: {whole}"));
        };
        let mut arguments = dag.args().map(|(argument, _)| argument);
        match operator.name() {
            "add" => {
                for item in arguments {
                    self.add(item, set, elements)?;
                }
            }
            "sub" => {
                let (Some(first), 2..) = (arguments.next(), dag.len()) else {
                    return fail(set, format!("Set difference needs at least two arguments: {whole}"));
                };
                let from = self.all([first].into_iter(), set)?;
                let without = self.all(arguments, set)?.known;
                elements.extend(from.items.into_iter().filter(|item| !without.contains(&item.id())));
            }
            "and" => {
                let (Some(a), Some(b), None) = (arguments.next(), arguments.next(), arguments.next()) else {
                    return fail(set, format!("Set intersection requires two arguments: {whole}"));
                };
                let from = self.all([a].into_iter(), set)?;
                let other = self.all([b].into_iter(), set)?.known;
                elements.extend(from.items.into_iter().filter(|item| other.contains(&item.id())));
            }
            name @ ("shl" | "trunc" | "rotl" | "rotr" | "decimate") => {
                let (Some(items), Some(number), None) =
                    (arguments.next(), arguments.next(), arguments.next())
                else {
                    return fail(set, format!("Operator requires (Op Set, Int) arguments: {whole}"));
                };
                let items = self.all([items].into_iter(), set)?.items;
                let View::Int(number) = number.view() else {
                    return fail(set, format!("Second argument must be an integer: {whole}"));
                };
                match selected(name, items, number) {
                    Ok(items) => elements.extend(items),
                    Err(what) => return fail(set, format!("{what} required: {whole}")),
                }
            }
            "interleave" => {
                let each: Vec<Vec<Rec<'r>>> = arguments
                    .map(|argument| Ok(self.all([argument].into_iter(), set)?.items))
                    .collect::<SetResult<_>>()?;
                let longest = each.iter().map(Vec::len).max().unwrap_or(0);
                for index in 0..longest {
                    elements.extend(each.iter().filter_map(|items| items.get(index).copied()));
                }
            }
            "sequence" => self.sequence(dag, whole, set, elements)?,
            _ => return fail(set, format!("Unknown set operator: {whole}")),
        }
        Ok(())
    }

    /// Evaluates `(sequence "R%u", from, to[, stride])`, up or down.
    fn sequence(
        &mut self,
        dag: Dag<'r>,
        whole: Val<'r>,
        set: Rec<'r>,
        elements: &mut Elements<'r>,
    ) -> SetResult<()> {
        let argument = |index| dag.args().nth(index).map(|(argument, _)| argument.view());
        let int = |index| match argument(index) {
            Some(View::Int(int)) => Some(int),
            _ => None,
        };
        let stride = match dag.len() {
            ..=3 => 1,
            4 => match int(3) {
                // The reference keeps its lower half.
                Some(stride) => i64::from(stride as i32),
                None => return fail(set, format!("Stride must be an integer: {whole}")),
            },
            _ => return fail(set, format!("Bad args to (sequence \"Format\", From, To): {whole}")),
        };
        let Some(View::String(format)) = argument(0) else {
            return fail(set, format!("Format must be a string: {whole}"));
        };
        let mut ends = [0; 2];
        for (end, (index, name)) in ends.iter_mut().zip([(1, "From"), (2, "To")]) {
            match int(index) {
                Some(int @ 0..MOST_NUMBER) => *end = int,
                Some(_) => return fail(set, format!("{name} out of range")),
                None => return fail(set, format!("{name} must be an integer: {whole}")),
            }
        }
        let Some(format) = Numbered::parse(format) else {
            return fail(set, format!("Format must have one place for a number at most: {whole}"));
        };
        // The reference loops forever.
        if stride == 0 {
            return fail(set, format!("Stride must not be zero: {whole}"));
        }
        let [from, to] = ends;
        let is_upwards = from <= to;
        let step = if is_upwards { stride } else { -stride };
        // A step in the wrong direction selects nothing; a name without a number stays the same.
        let count = if stride < 0 { 0 } else { 1 + (to - from) / step };
        let count = if format.has_number() { count } else { count.min(1) };
        for index in 0..count {
            let name = format.name(from + index * step);
            let Some(record) = self.records.def(&name) else {
                return fail(set, format!("No def named '{name}': {whole}"));
            };
            self.meter.charge(set.span(), 1)?;
            if record.is_subclass_of("Set") {
                elements.extend(self.elements_of(record)?.iter().copied());
            } else {
                elements.add(record);
            }
        }
        Ok(())
    }
}

/// Selects some of the items, by index, or returns why the number is wrong.
fn selected<'r>(operator: &str, mut items: Vec<Rec<'r>>, number: i64) -> Result<Vec<Rec<'r>>, &'static str> {
    let places = usize::try_from(number);
    match (operator, places) {
        ("shl", Ok(places)) => drop(items.drain(..places.min(items.len()))),
        ("shl", Err(_)) => return Err("Positive shift"),
        ("trunc", Ok(places)) => items.truncate(places),
        ("trunc", Err(_)) => return Err("Positive length"),
        // The reference keeps the lower half of the stride.
        ("decimate", Ok(places)) if places > 0 && number as u32 > 0 => {
            return Ok(items.into_iter().step_by(number as u32 as usize).collect());
        }
        ("decimate", _) => return Err("Positive stride"),
        _ if items.is_empty() => {}
        _ => {
            let places = number.rem_euclid(items.len() as i64) as usize;
            if operator == "rotl" { items.rotate_left(places) } else { items.rotate_right(places) }
        }
    }
    Ok(items)
}

fn fail<T>(set: Rec<'_>, message: String) -> SetResult<T> {
    Err(Box::new(set.error(message)))
}
