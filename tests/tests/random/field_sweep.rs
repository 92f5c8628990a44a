//! Each field of small definitions of every kind, set to other values in turn, through mlir-tblgen and through the
//! engine: the same output, or the same messages.
//!
//! A normal run takes a fixed part of the changes, one with `ODSMITH_FUZZ_SECONDS` all of them. `ODSMITH_SWEEP=enum`
//! takes all changes of the definitions whose names contain that word; `ODSMITH_SWEEP_PART=5` takes every fifth change.

use std::{collections::BTreeMap, env};

use odsmith_tests::{
    pool, set_up,
    sweep::{Change, Subject},
};

use super::comparison::{Verdict, Workplace, report};

/// The step between the changes of a normal run.
const PART: usize = 23;

/// The name of a file.
const NAME: &str = "swept.td";

/// Two fields are wrong, and the reference names the other one.
const ORDER: &str = "which of two mistakes is named";
/// The class name has several lines, the last of which is blank, and is a return type at the start of a line.
const LINES: &str = "a class name of several lines";

/// Differences that stay: the definition, a part of the change, and the reason.
const KNOWN: &[(&str, &str, &str)] = &[
    ("attribute definition", "cppClassName = [{", LINES),
    ("attribute definition", "cppClassName = \\\"\\\\n", LINES),
    ("attribute of an enum", "cppClassName = [{", LINES),
    ("attribute of an enum", "cppClassName = \\\"\\\\n", LINES),
    ("bit enum with groups", "className = [{", LINES),
    ("bit enum with groups", "className = \\\"\\\\n", LINES),
    ("side effect", "cppNamespace = ?, effects = ?", ORDER),
    ("type definition", "cppClassName = [{", LINES),
    ("type definition", "cppClassName = \\\"\\\\n", LINES),
    ("enum with requirements", "className = [{", LINES),
    ("enum with requirements", "className = \\\"\\\\n", LINES),
    ("type definition without parameters", "genVerifyDecl = ?, typeName = ?", ORDER),
    ("pattern", "constraints = ?, supplementalPatterns = ?", ORDER),
    ("pattern", "supplementalPatterns = ?, benefitDelta = ?", ORDER),
    ("pattern", "sourcePattern = (ins), resultPatterns = ?", ORDER),
    ("pattern", "sourcePattern = (swept), resultPatterns = ?", ORDER),
    ("pattern", "resultPatterns = ?, sourcePattern = (region)", ORDER),
    ("pattern", "constraints = [?], supplementalPatterns = [?]", ORDER),
    ("pattern", "supplementalPatterns = ?, benefitDelta = (ins", ORDER),
    ("pattern", "supplementalPatterns = [?], benefitDelta = ?", ORDER),
];

/// A definition with one change.
struct Case<'s> {
    subject: &'s Subject,
    change: &'s Change,
}

#[test]
fn fields_give_what_the_reference_gives() {
    let only = env::var("ODSMITH_SWEEP").ok();
    let is_whole = only.is_some() || env::var_os("ODSMITH_FUZZ_SECONDS").is_some();
    let subjects = Subject::all();
    let subjects =
        subjects.iter().filter(|subject| only.as_ref().is_none_or(|only| subject.name.contains(only)));
    let part = match env::var("ODSMITH_SWEEP_PART") {
        Ok(part) => part.parse().expect("ODSMITH_SWEEP_PART is a number"),
        Err(_) if is_whole => 1,
        Err(_) => PART,
    };
    let subjects: Vec<&Subject> = subjects.collect();
    for subject in subjects.iter().filter(|_| only.is_some()) {
        println!("{}: {} changes of {:?}", subject.name, subject.changes.len(), subject.runs.concat());
    }
    let all = subjects
        .iter()
        .flat_map(|subject| subject.changes.iter().map(move |change| Case { subject, change }));
    let cases: Vec<Case<'_>> = all.step_by(part).collect();
    let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
    let mut differences = Vec::new();
    for (verdicts, found) in pool::map(&cases, Case::check) {
        verdicts.into_iter().for_each(|verdict| *counts.entry(verdict).or_default() += 1);
        differences.extend(found);
    }
    let compared: usize = counts.iter().filter(|(kind, _)| **kind != Verdict::Unstable).map(|(_, n)| n).sum();
    println!("{} changes of fields, {compared} cells compared: {counts:?}", cases.len());
    assert!(
        differences.is_empty(),
        "{} of {compared} cells differ (- reference, + ours)\n{}",
        differences.len(),
        differences.concat()
    );
}

impl Case<'_> {
    /// The result for each generator, and the differences.
    fn check(&self) -> (Vec<Verdict>, Vec<String>) {
        let text = self.subject.text(self.change);
        let workplace = Workplace::new(NAME, vec![set_up::library().to_owned()], &text);
        let mut verdicts = Vec::new();
        let mut differences = Vec::new();
        let records = vec![Vec::new()];
        let mut got = workplace.ours(&[self.subject.runs.as_slice(), &records].concat());
        let is_readable = got.pop().is_some_and(|records| records.status == 0);
        // A definition that cannot be read gives the same messages with every generator.
        let count = if is_readable { got.len() } else { 1 };
        for (flags, got) in self.subject.runs.iter().zip(got).take(count) {
            let (mut verdict, want) = workplace.compare(flags, &got);
            if verdict == Verdict::Differs && self.is_known() {
                verdict = Verdict::Known;
            }
            if verdict == Verdict::Differs {
                let Case { subject, change } = self;
                let title = format!("--- {}: {change} | {}\n", subject.name, flags.join(" "));
                differences.push(title + &report(&want, &got));
            }
            verdicts.push(verdict);
        }
        (verdicts, differences)
    }

    fn is_known(&self) -> bool {
        let change = self.change.to_string();
        let mut known = KNOWN.iter();
        known.any(|(name, part, _)| *name == self.subject.name && change.contains(part))
    }
}
