//! Measures the rules of an mlir-tblgen: fixtures in, the rules that it follows out.
//!
//! ```text
//! fixtures  →  the tool's texts   ┐
//!              our texts, by rule ┘→  Calibration: rules on and off, undecided, unknown changes
//! ```
//!
//! Each rule has a fixture that shows it. The search starts with a release's rules. Where the tool says something else,
//! it flips rules until the texts agree, or come no nearer. A flip stays if a text agrees with it alone. Then it flips
//! each rule once: a rule whose fixture differs from the tool with the flip is decided.

mod distance;
mod engine;
mod fixtures;
pub mod text;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use diffy::DiffOptions;
use odsmith_engine::{
    parallel,
    release::{Release, Rule, Rules},
};

use self::engine::Engine;
pub use self::engine::{FOLDER, texts_of_targets};
pub use self::fixtures::{Fixture, Fixtures};

/// The texts of a tool for a fixture, one for each run; nothing for a run that the tool cannot do.
pub type Texts = Vec<Option<String>>;

/// An mlir-tblgen that is asked for the text of a fixture with these flags; nothing if it crashes or lacks a flag. The
/// paths of the library and of the folder are left out of the text.
pub type Tool<'t> = dyn Fn(&Fixture, &[String]) -> Option<String> + Sync + 't;

/// The input of a calibration.
pub struct Question<'q> {
    /// The fixtures.
    pub fixtures: &'q Fixtures,
    /// The library that the tool reads: paths below its include folder, and texts.
    pub library: BTreeMap<String, Arc<[u8]>>,
    /// The release whose rules the search starts with.
    pub base: Release,
    /// The newest release whose rules may be on.
    pub newest: Release,
    /// The tool.
    pub tool: &'q Tool<'q>,
    /// The number of threads.
    pub threads: usize,
}

/// The rules that a tool follows.
#[derive(Clone, Debug)]
pub struct Calibration {
    /// The rules: those that are undecided are as in the base release.
    pub rules: Rules,
    /// The rules that the tool's texts do not decide, with the reasons.
    pub undecided: Vec<(Rule, Reason)>,
    /// The rules that change no text beside the other rules, such as those that a later rule replaces.
    pub without_effect: Vec<Rule>,
    /// The texts in which the tool agrees with no combination of rules that was tried.
    pub unknown: Vec<Disagreement>,
    /// The number of texts that were compared.
    pub compared: usize,
}

/// The reason that a rule is undecided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The tool gives no text for the rule's fixture.
    NoText,
    /// The texts with and without the rule differ, and neither is nearer to the tool's.
    NoNearer,
}

impl Reason {
    /// Returns the reason in words.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Reason::NoText => "the tool gives no text for the fixture",
            Reason::NoNearer => "the tool's text is as far from ours with the rule as from ours without it",
        }
    }
}

/// The rules that a search flips for a fixture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// The rules that the fixture shows.
    Shown,
    /// The rules of the releases around the base: a rule whose own fixture cannot be compared changes others as well.
    Around,
}

/// The outcome of flipping a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Decided,
    Undecided(Reason),
    WithoutEffect,
}

/// A text of the tool that no rules explain.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The fixture's name.
    pub fixture: String,
    /// The flags of the run.
    pub flags: Vec<String>,
    /// The tool's text.
    pub tool: String,
    /// The nearest text of ours.
    pub ours: String,
}

/// A fixture with the tool's texts.
struct Measurement<'q> {
    fixture: &'q Fixture,
    texts: Texts,
}

/// Finds the rules that a tool follows.
#[must_use]
pub fn calibrate(question: &Question<'_>) -> Calibration {
    let fixtures = question.fixtures.all.iter().filter(|fixture| fixture.oldest <= question.base);
    let fixtures: Vec<&Fixture> = fixtures.collect();
    let measured = parallel::map(question.threads, &fixtures, |fixture| Measurement {
        fixture,
        texts: fixture.runs.iter().map(|run| (question.tool)(fixture, run)).collect(),
    });
    let engine = Engine::new(question);
    let mut rules = question.base.rules();
    let distances =
        |rules: Rules| parallel::map(question.threads, &measured, |one| engine.distance(one, rules));
    let mut all = distances(rules);
    let mut reach = Reach::Shown;
    // Each round ends nearer to the tool than it began.
    loop {
        let differing = engine.differing(&measured, &all, reach);
        let flips = parallel::map(question.threads, &differing, |one| engine.nearest(one, rules, reach));
        let flips: BTreeSet<Rule> = flips.into_iter().flatten().collect();
        let before: usize = all.iter().sum();
        for rule in flips {
            let flipped = rules.with_flipped(rule);
            let others = distances(flipped);
            if others.iter().sum::<usize>() < all.iter().sum() {
                (rules, all) = (flipped, others);
            }
        }
        reach = match (all.iter().sum::<usize>() < before, reach) {
            (true, _) => Reach::Shown,
            (false, Reach::Shown) => Reach::Around,
            (false, Reach::Around) => break,
        };
    }
    rules = engine.proved(&measured, rules);
    let all: Vec<Rule> = Rule::all().filter(|rule| rule.since() <= question.newest).collect();
    let texts = parallel::map(question.threads, &measured, |one| engine.texts(one.fixture, rules));
    let answers = parallel::map(question.threads, &all, |rule| {
        engine.answer(&measured, &texts, rules.with_flipped(*rule), *rule)
    });
    let mut made = Calibration {
        rules,
        undecided: Vec::new(),
        without_effect: Vec::new(),
        unknown: parallel::map(question.threads, &measured, |one| engine.disagreements(one, rules)).concat(),
        compared: measured.iter().map(|one| one.texts.iter().flatten().count()).sum(),
    };
    for (rule, answer) in all.into_iter().zip(answers) {
        match answer {
            Answer::Decided => {}
            Answer::Undecided(reason) => made.undecided.push((rule, reason)),
            Answer::WithoutEffect => made.without_effect.push(rule),
        }
    }
    made
}

/// Returns our texts of each fixture by these rules, without MLIR's library.
#[must_use]
pub fn ours(fixtures: &Fixtures, rules: Rules) -> Vec<Texts> {
    let question = Question {
        fixtures,
        library: BTreeMap::new(),
        base: rules.release(),
        newest: Release::newest(),
        tool: &|_, _| None,
        threads: 1,
    };
    let engine = Engine::new(&question);
    let texts = |fixture: &Fixture| engine.texts(fixture, rules).into_iter().map(Some).collect();
    fixtures.all.iter().map(texts).collect()
}

impl Disagreement {
    /// Returns the patch from our text to the tool's.
    #[must_use]
    pub fn difference(&self) -> String {
        let mut options = DiffOptions::new();
        options.set_context_len(1).set_original_filename("odsmith").set_modified_filename("tool");
        options.create_patch(&self.ours, &self.tool).to_string()
    }
}
