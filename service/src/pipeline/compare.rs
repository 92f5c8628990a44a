//! Comparisons of two sides: what `odsmith diff` and `/v1/diff` share.

use std::{collections::BTreeMap, fmt::Write as _, sync::Arc};

use super::examples::Examiner;
use odsmith_engine::{
    cancel::Cancel,
    interchange::Document,
    record::Records,
    review::diff::{
        Change, Comparison, Direction, Witness, WitnessKind,
        program::Predictor,
        rules::{Level, Rule, Verdict},
        settings::Settings,
    },
};
use odsmith_witness::{
    Judge,
    instance::JudgedParts,
    program::{Program, Programs},
    skeleton::Extent,
};

/// One of two sides.
#[derive(Debug)]
pub struct Side {
    /// Its model.
    pub document: Arc<Document>,
    /// The records of the model; empty if the model was read from a file.
    pub roots: Vec<Arc<Records>>,
}

impl From<Document> for Side {
    fn from(document: Document) -> Side {
        Side { document: Arc::new(document), roots: Vec::new() }
    }
}

/// The most findings of a comparison that get programs unasked: they take longer than the comparison.
pub const MOST_WITH_PROGRAMS: usize = 200;
/// Maximum number of programs in a comparison.
const MOST_PROGRAMS: usize = 2_000;
/// Maximum length of a program: a longer one explains nothing.
pub const LONGEST_PROGRAM: usize = 4_000;

/// Completes a comparison of two sides: examines its examples, and applies what the project accepts and how it weighs
/// rules. Returns the examiner, for programs.
///
/// # Errors
/// The settings name an unknown rule, or accept something in a wrong way.
pub fn complete<'s>(
    comparison: &mut Comparison,
    [old, new]: [&'s Side; 2],
    settings: &Settings,
    version: Option<&str>,
    stop: &Cancel,
) -> Result<Examiner<'s>, String> {
    let examiner = Examiner::new(old, new, &settings.renamed);
    examiner.examine(comparison, stop);
    comparison.accept(&settings.accept, version)?;
    comparison.weigh(settings)?;
    Ok(examiner)
}

/// Adds an example program to each finding about an operation that breaks existing files or changes their meaning. The
/// side that wrote the files accepts the program.
pub fn add_programs(
    comparison: &mut Comparison,
    old: &Side,
    new: &Side,
    examiner: &Examiner<'_>,
    stop: &Cancel,
) {
    let is_shown = |finding: &Change| broken_level(finding).is_some();
    if !comparison.findings.iter().any(is_shown) {
        return;
    }
    let sides = [(Direction::Backward, old), (Direction::Forward, new)];
    for (direction, side) in sides {
        if side.roots.is_empty() || comparison.findings.iter().all(|it| it.direction != direction) {
            continue;
        }
        let roots: Vec<&Records> = side.roots.iter().map(|records| &**records).collect();
        let programs = Programs::new(&roots);
        let reader = if direction == Direction::Backward { new } else { old };
        let readers: Vec<&Records> = reader.roots.iter().map(|records| &**records).collect();
        let judge = Judge::new(&readers);
        let all: Vec<Change> =
            comparison.findings.iter().filter(|it| it.direction == direction).cloned().collect();
        let predictor = Predictor::new(&all, &side.document, &reader.document);
        // Findings about one operation often share a program.
        let mut known: BTreeMap<(String, String), Option<Program>> = BTreeMap::new();
        // A rule with several findings about one operation does not say which of them a program shows.
        let mut counts: BTreeMap<(&str, Rule), usize> = BTreeMap::new();
        for it in &all {
            *counts.entry((it.subject.split('#').next().unwrap_or_default(), it.rule)).or_default() += 1;
        }
        let of_side = comparison.findings.iter_mut().filter(|it| it.direction == direction);
        for finding in of_side.take(MOST_PROGRAMS) {
            if stop.is_cancelled() {
                return;
            }
            let Some(level) = broken_level(finding) else { continue };
            let (name, part) = finding.subject.split_once('#').unwrap_or((&finding.subject, ""));
            let program = known.entry((name.to_owned(), part.to_owned())).or_insert_with(|| {
                let with = [part];
                programs.program(name, if part.is_empty() { Extent::Least } else { Extent::With(&with) })
            });
            let Some(program) = program else { continue };
            // Only a program that the other side refuses, or reads as something else, shows anything.
            let is_shown = program.operations.first().is_some_and(|parts| {
                let instance = JudgedParts { parts, judge: &judge };
                let breaks = |verdict| matches!(verdict, Verdict::Breaks | Verdict::Silent);
                let outlook = predictor.outlook(&instance, level);
                // It may break for another reason.
                breaks(outlook.verdict)
                    && (outlook.rule == Some(finding.rule) && counts.get(&(name, finding.rule)) == Some(&1)
                        || {
                            let alone = Predictor::new([&*finding], &side.document, &reader.document);
                            breaks(alone.outlook(&instance, level).verdict)
                        })
            });
            if !is_shown {
                continue;
            }
            let text = match (&program.custom, level) {
                (Some(custom), Level::Text) => custom,
                // A finding about the generic form is shown in that form.
                _ => &program.generic,
            };
            if text.len() <= LONGEST_PROGRAM {
                let mut text = text.clone();
                if !program.unsure.is_empty() {
                    // Writing into a string does not fail.
                    let _ = writeln!(text, "// C++ decides whether these fit: {}", program.unsure.join(", "));
                }
                let witness = Witness::program(text);
                if examiner.shows(finding, &witness) {
                    finding.witnesses.push(witness);
                }
            }
        }
    }
}

/// Returns the first level of files that a finding breaks.
fn broken_level(finding: &Change) -> Option<Level> {
    let levels = [Level::Text, Level::Generic, Level::Bytecode, Level::Verifier];
    levels
        .into_iter()
        .find(|level| matches!(finding.effects.get(level), Some(Verdict::Breaks | Verdict::Silent)))
}

/// Returns the programs of a comparison as lit tests: the name of each file, and its text.
#[must_use]
pub fn witness_files(comparison: &Comparison) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for finding in &comparison.findings {
        let program = finding.witnesses.iter().find(|it| it.kind == WitnessKind::Program);
        let Some(program) = program else { continue };
        let (id, subject) = (finding.rule.id(), &finding.subject);
        let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
        let direction = if finding.direction == Direction::Forward { "-forward" } else { "" };
        let name = format!("{}-{id}{direction}.mlir", subject.chars().map(plain).collect::<String>());
        let operation = subject.split('#').next().unwrap_or_default();
        let message = finding.message.replace(['\n', '\r'], " ");
        let run = match broken_level(finding) {
            Some(Level::Bytecode) => "mlir-opt %s --emit-bytecode | mlir-opt --mlir-print-op-generic",
            _ => "mlir-opt %s --mlir-print-op-generic",
        };
        files.insert(
            name,
            format!(
                "// RUN: {run} | FileCheck %s\n// Synthesised from the definitions; {id}: {message}\n\n{}\n// CHECK: \"{operation}\"\n",
                program.text
            ),
        );
    }
    files
}
