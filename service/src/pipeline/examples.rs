//! The examples of a comparison, read by the definitions of both sides: the one place that each passes before it is shown.
//!
//! ```text
//! example ─┬─ the side that wrote the files: has to accept it
//!          └─ the side that reads them: has to refuse it, or to read something else
//! ```
//!
//! An example that does not pass is not shown. A finding that only an example shows is then not decided.

use std::{cell::OnceCell, collections::BTreeMap};

use odsmith_engine::{
    cancel::Cancel,
    interchange::{
        constraint::Cardinality,
        op::{Part, PartKind},
    },
    ir::Checker,
    record::Records,
    review::diff::{
        Change, Comparison, Direction, Witness, WitnessKind,
        rules::{Level, Rule, Verdict},
        symbols::{Symbol, pairings},
    },
};
use odsmith_witness::{Type, Value, Witness as Answer, attrs, program::Programs, skeleton::Extent, types};

use super::compare::{LONGEST_PROGRAM, Side};

/// Reads examples by the definitions of both sides.
pub struct Examiner<'s> {
    old: &'s Side,
    new: &'s Side,
    /// The names of operations on the new side by the old ones.
    renamed: BTreeMap<String, String>,
    checkers: [OnceCell<Checker>; 2],
    programs: [OnceCell<Programs<'s>>; 2],
}

impl<'s> Examiner<'s> {
    /// Creates an examiner of two sides. `renamed` has the author's own pairs, from old ids to new ones.
    #[must_use]
    pub fn new(old: &'s Side, new: &'s Side, renamed: &BTreeMap<String, String>) -> Self {
        let pairs = pairings(&old.document, &new.document, renamed).into_iter();
        let renamed = pairs.filter_map(|it| match (it.old?, it.new?) {
            (Symbol::Operation(old), Symbol::Operation(new)) => Some((old.name.clone(), new.name.clone())),
            _ => None,
        });
        Examiner {
            old,
            new,
            renamed: renamed.collect(),
            checkers: Default::default(),
            programs: Default::default(),
        }
    }

    /// Takes the examples away that show nothing, and decides nothing by them; what a stopped examination leaves is useless. A side that was read from a file has no
    /// definitions to read with: its findings stay as they are.
    pub fn examine(&self, comparison: &mut Comparison, stop: &Cancel) {
        if self.old.roots.is_empty() || self.new.roots.is_empty() {
            return;
        }
        for finding in &mut comparison.findings {
            if stop.is_cancelled() {
                return;
            }
            self.examine_one(finding);
        }
        comparison.findings.sort();
    }

    fn examine_one(&self, finding: &mut Change) {
        let mut shown = std::mem::take(&mut finding.witnesses);
        let is_claimed = !shown.is_empty() || finding.claim.is_some();
        shown.retain(|witness| self.shows(finding, witness));
        finding.witnesses = shown;
        if !finding.witnesses.is_empty() || !is_claimed {
            return;
        }
        if let Some(program) = self.refused_program(finding) {
            finding.refuse_text(program);
            return;
        }
        if !finding.rule.needs_example() {
            return;
        }
        match self.refused_value(finding) {
            Some(example) => finding.refuse_value(example),
            None => finding.undecide(),
        }
    }

    /// Returns a type or attribute that the writer accepts for the part of a finding, and the reader refuses.
    fn refused_value(&self, finding: &Change) -> Option<String> {
        let [old, new] = finding.claim.as_ref()?.part.as_ref()?;
        let (writer, reader) = self.of_direction(finding.direction);
        let (old_name, _) = finding.subject.split_once('#')?;
        let new_name = self.name_of(old_name, finding.direction)?;
        let is_refused = |text: &String| {
            writer.accepts_parts(old_name, &[(old, text)]) == Answer::Yes
                && reader.accepts_parts(new_name, &[(new, text)]) == Answer::No
                && self.fits_whole(finding.direction, old_name, &[(old, text)])
        };
        let of_types = types::table().iter().map(ToString::to_string);
        let of_attributes = attrs::table().iter().filter_map(|value| match value {
            Value::Attr(attr) => Some(attr.text.clone()),
            _ => None,
        });
        of_types.chain(of_attributes).find(is_refused)
    }

    /// Returns a program that the writer accepts in custom form, and that the reader cannot parse, for a claim about texts.
    fn refused_program(&self, finding: &Change) -> Option<String> {
        let is_about_text = finding.claim.as_ref().is_some_and(|claim| claim.part.is_none());
        // An operation of another name is refused for that.
        if !is_about_text || self.name_of(&finding.subject, finding.direction) != Some(&*finding.subject) {
            return None;
        }
        let (writer, reader) = self.of_direction(finding.direction);
        let (side, at) = match finding.direction {
            Direction::Backward => (self.old, 0),
            Direction::Forward => (self.new, 1),
        };
        let programs = self.programs[at].get_or_init(|| {
            let roots: Vec<&Records> = side.roots.iter().map(|records| &**records).collect();
            Programs::new(&roots)
        });
        [Extent::All, Extent::Least].into_iter().find_map(|extent| {
            let text = programs.program(&finding.subject, extent)?.custom?;
            let readable = with_generic_casts(&text);
            let is_shown = text.len() <= LONGEST_PROGRAM
                && writer.accepts(&readable) == Answer::Yes
                && reader.accepts_syntax(&readable).0 == Answer::No;
            is_shown.then_some(text)
        })
    }

    /// Returns true if the writer of files accepts an example, and their reader does not or reads something else.
    #[must_use]
    pub fn shows(&self, finding: &Change, witness: &Witness) -> bool {
        match witness.kind {
            WitnessKind::Type => self.shows_parts(finding, witness),
            WitnessKind::Syntax => self.shows_syntax(finding, &witness.text),
            WitnessKind::Program => self.shows_program(finding, &witness.text),
        }
    }

    fn shows_parts(&self, finding: &Change, witness: &Witness) -> bool {
        let (old_name, _) = finding.subject.split_once('#').unwrap_or((&finding.subject, ""));
        let (writer, reader) = self.of_direction(finding.direction);
        let Some(new_name) = self.name_of(old_name, finding.direction) else { return false };
        let [old, new] = [false, true].map(|is_new| {
            let part = |it: &'_ odsmith_engine::review::diff::WitnessPart| {
                (if is_new { it.new.clone() } else { it.old.clone() }, it.text.clone())
            };
            witness.parts.iter().map(part).collect::<Vec<_>>()
        });
        let answer = |checker: &Checker, name: &str, parts: &[(String, String)]| {
            let parts: Vec<(&str, &str)> = parts.iter().map(|(name, text)| (&**name, &**text)).collect();
            checker.accepts_parts(name, &parts)
        };
        let given: Vec<(&str, &str)> = old.iter().map(|(name, text)| (&**name, &**text)).collect();
        !witness.parts.is_empty()
            && answer(writer, old_name, &old) == Answer::Yes
            && answer(reader, new_name, &new) == Answer::No
            && self.fits_whole(finding.direction, old_name, &given)
    }

    /// Returns true if the other values of an operation may have types with which the writer accepts some given parts: a
    /// trait may refuse what the constraint of one part accepts. Values whose types are not known refuse nothing.
    fn fits_whole(&self, direction: Direction, name: &str, given: &[(&str, &str)]) -> bool {
        /// The most types that are tried for one value.
        const MOST_TYPES: usize = 6;
        /// The most choices that are tried.
        const MOST_CHOICES: usize = 256;
        let (writer, _) = self.of_direction(direction);
        let side = if direction == Direction::Backward { self.old } else { self.new };
        let Some(op) = side.document.operations.iter().find(|op| op.name == name) else { return true };
        let is_value = |it: &&Part| matches!(it.kind, PartKind::Operand | PartKind::Result);
        let is_one = |it: &&Part| {
            let constraint = side.document.constraints.get(it.constraint);
            constraint.and_then(|it| it.of_type.as_ref()).is_some_and(|it| it.cardinality == Cardinality::One)
        };
        let is_open = |it: &&Part| given.iter().all(|(name, _)| *name != it.name);
        let all = op.arguments.iter().chain(&op.results);
        let others: Vec<&str> =
            all.filter(is_value).filter(is_one).filter(is_open).map(|it| it.name.as_str()).collect();
        let samples: Vec<String> = types::table().iter().map(ToString::to_string).collect();
        let choices: Vec<(&str, Vec<&str>)> = others
            .into_iter()
            .map(|other| {
                let own = given.iter().map(|(_, text)| *text);
                let accepted = own
                    .chain(samples.iter().map(String::as_str))
                    .filter(|text| writer.accepts_parts(name, &[(other, text)]) == Answer::Yes);
                (other, accepted.take(MOST_TYPES).collect::<Vec<_>>())
            })
            .filter(|(_, types)| !types.is_empty())
            .collect();
        let total = choices.iter().fold(1_usize, |total, (_, types)| total.saturating_mul(types.len()));
        (0..total.min(MOST_CHOICES)).any(|choice| {
            let mut rest = choice;
            let mut parts = given.to_vec();
            for (other, types) in &choices {
                parts.push((other, types[rest % types.len()]));
                rest /= types.len();
            }
            writer.accepts_parts(name, &parts) == Answer::Yes
        })
    }

    fn shows_syntax(&self, finding: &Change, text: &str) -> bool {
        let (writer, reader) = self.of_direction(finding.direction);
        let (old_name, _) = finding.subject.split_once('#').unwrap_or((&finding.subject, ""));
        let is_operation = self.name_of(old_name, finding.direction).is_some();
        let Some(text) = whole(text, is_operation) else { return false };
        let (written, meaning) = writer.accepts_syntax(&text);
        let (read, other) = reader.accepts_syntax(&text);
        written == Answer::Yes
            && match finding.effects.get(&Level::Text) {
                Some(Verdict::Silent) => read == Answer::Yes && meaning != other,
                // The syntax is read as something else, whose types are refused.
                _ if finding.rule == Rule::AF002 => read == Answer::Yes && meaning != other,
                _ => read == Answer::No,
            }
    }

    fn shows_program(&self, finding: &Change, text: &str) -> bool {
        let (writer, reader) = self.of_direction(finding.direction);
        let text = with_generic_casts(text);
        if writer.accepts(&text) != Answer::Yes {
            return false;
        }
        let breaks = |level| finding.effects.get(&level) == Some(&Verdict::Breaks);
        let levels = [Level::Text, Level::Generic, Level::Verifier];
        match levels.into_iter().any(breaks) {
            true => reader.accepts(&text) == Answer::No,
            // The layout of bytecode and the meaning are not in the text.
            false => true,
        }
    }

    /// Returns the name of an operation on the side that reads files.
    fn name_of(&self, old_name: &str, direction: Direction) -> Option<&str> {
        match direction {
            Direction::Backward => self.renamed.get(old_name).map(String::as_str),
            Direction::Forward => {
                let mut pairs = self.renamed.iter();
                pairs.find(|(_, new)| *new == old_name).map(|(old, _)| old.as_str())
            }
        }
    }

    /// Returns the definitions that write files, and those that read them.
    fn of_direction(&self, direction: Direction) -> (&Checker, &Checker) {
        let checker = |side: &Side| {
            let roots: Vec<&Records> = side.roots.iter().map(|records| &**records).collect();
            Checker::new(&roots)
        };
        let old = self.checkers[0].get_or_init(|| checker(self.old));
        let new = self.checkers[1].get_or_init(|| checker(self.new));
        if direction == Direction::Backward { (old, new) } else { (new, old) }
    }
}

/// Returns a text whose placeholders are real, as a module: `my.a %a : type-of-a` → `my.a %a : !any.t`.
fn whole(text: &str, is_operation: bool) -> Option<String> {
    let mut real = String::new();
    let mut rest = text;
    let ends = |c: char| !c.is_alphanumeric() && c != '_';
    while let Some(c) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("type-of-") {
            real += "!any.t";
            rest = &after[after.find(ends).unwrap_or(after.len())..];
        } else if let Some(after) = rest.strip_prefix("attribute-") {
            real += "unit";
            rest = &after[after.find(ends).unwrap_or(after.len())..];
        } else if let Some(after) = rest.strip_prefix("(…)") {
            real += "()";
            rest = after;
        } else if let Some(after) = rest.strip_prefix("{ … }") {
            real += "{ }";
            rest = after;
        } else if let Some(after) = rest.strip_prefix('⟨') {
            let (class, after) = after.split_once('⟩')?;
            real += &sample(class)?;
            rest = after;
        } else {
            real.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    Some(match (is_operation, real.starts_with('!')) {
        (true, _) => format!("{real}\n"),
        (false, true) => format!("\"any.op\"() : () -> ({real})\n"),
        (false, false) => format!("\"any.op\"() {{any = {real}}} : () -> ()\n"),
    })
}

/// Returns a type of a class.
fn sample(class: &str) -> Option<String> {
    let class = class.trim_start_matches("::");
    let is_it = |ty: &&Type| {
        let own = ty.class();
        own == class || own.rsplit("::").next() == Some(class)
    };
    types::table().iter().find(is_it).map(ToString::to_string)
}

/// Returns a program whose casts can be read without the definitions of MLIR's own dialects.
fn with_generic_casts(text: &str) -> String {
    const CAST: &str = " = builtin.unrealized_conversion_cast to ";
    let lines = text.lines().map(|line| match line.split_once(CAST) {
        Some((name, ty)) => format!("{name} = \"builtin.unrealized_conversion_cast\"() : () -> ({ty})\n"),
        None => format!("{line}\n"),
    });
    lines.collect()
}
