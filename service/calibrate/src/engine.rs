//! Our texts of the fixtures, by rules.

use std::{cmp::Ordering, sync::Arc};

use odsmith_engine::{
    bundle::Bundle,
    job::{Job, Output, Target},
    library::Library,
    limits::Limits,
    release::{Rule, Rules},
};
use odsmith_tblgen::flags::Flags;

use crate::{
    Answer, Disagreement, Measurement, Question, Reach, Reason, distance::distance, fixtures::Fixture,
    text::Streams,
};

/// The folder of the fixtures in our texts of those that are called by an absolute path.
pub const FOLDER: &str = "/fixtures";

/// The number of fixtures for which all rules around the base are tried.
const FEW: usize = 8;

/// The engine, with the fixtures and the library of a question.
pub(super) struct Engine<'q> {
    question: &'q Question<'q>,
    library: Library,
    files: Arc<Bundle>,
}

/// Returns our texts of the outputs of some targets, in their order.
#[must_use]
pub fn texts_of_targets(library: &Library, files: Arc<Bundle>, targets: &[Target]) -> Vec<String> {
    let mut job = Job::new(Bundle::default());
    job.files = files;
    job.limits = Limits::generous();
    job.uses_snapshots = true;
    job.targets =
        targets.iter().cloned().map(|target| Target { makes_after_errors: true, ..target }).collect();
    let made = odsmith_engine::run(library, &job).targets;
    let root = format!("{}/", library.root());
    let texts = made.iter().zip(targets).flat_map(|(made, target)| {
        (0..target.outputs.len()).map(|index| Streams::of_output(made, index).text(&[&root]))
    });
    texts.collect()
}

/// Returns the target of a fixture for runs with the same settings.
fn target(fixture: &Fixture, alike: &[Flags]) -> Target {
    let td = match fixture.is_absolute {
        true => format!("{FOLDER}/{}", fixture.path),
        false => fixture.path.clone(),
    };
    let settings = alike.first().map(Flags::settings).unwrap_or_default();
    let outputs =
        alike.iter().map(|flags| Output { path: String::new(), action: flags.clone().into_action() });
    Target { outputs: outputs.collect(), ..settings.target(td) }
}

impl Measurement<'_> {
    /// Returns the distance of texts from the tool's.
    fn distance(&self, texts: &[String]) -> usize {
        self.texts.iter().zip(texts).filter_map(|(tool, ours)| Some(distance(tool.as_ref()?, ours))).sum()
    }

    /// Compares the distances of two lists of texts; nothing if the tool has no text where these differ.
    fn compare(&self, one: &[String], other: &[String]) -> Option<Ordering> {
        let differs =
            |((tool, one), other): ((&Option<String>, &String), &String)| tool.is_some() && one != other;
        let is_measured = self.texts.iter().zip(one).zip(other).any(differs);
        is_measured.then(|| self.distance(one).cmp(&self.distance(other)))
    }
}

impl<'q> Engine<'q> {
    pub(super) fn new(question: &'q Question<'q>) -> Self {
        let library = Library::new(question.base, String::new(), question.library.clone());
        let mut files = question.fixtures.files.clone();
        for fixture in question.fixtures.all.iter().filter(|fixture| fixture.is_absolute) {
            if let Some(text) = question.fixtures.files.get(&fixture.path) {
                files.insert(format!("{FOLDER}/{}", fixture.path), text.clone());
            }
        }
        Engine { question, library, files: Arc::new(files) }
    }

    /// Returns our text of each run.
    pub(super) fn texts(&self, fixture: &Fixture, rules: Rules) -> Vec<String> {
        let library = self.library.clone().with_rules(rules);
        let flags: Vec<Flags> = fixture.runs.iter().map(|run| Flags::parse(run)).collect();
        // Runs with the same settings share an evaluation.
        let targets = flags.chunk_by(|one, other| one.settings() == other.settings());
        let targets: Vec<Target> = targets.map(|alike| target(fixture, alike)).collect();
        texts_of_targets(&library, self.files.clone(), &targets)
    }

    /// Returns the distance of our texts from the tool's.
    pub(super) fn distance(&self, one: &Measurement<'_>, rules: Rules) -> usize {
        one.distance(&self.texts(one.fixture, rules))
    }

    /// Returns the fixtures to search: those that differ from the tool, or the nearest few of them.
    pub(super) fn differing<'m>(
        &self,
        measured: &'m [Measurement<'q>],
        distances: &[usize],
        reach: Reach,
    ) -> Vec<&'m Measurement<'q>> {
        let mut differing: Vec<_> =
            measured.iter().zip(distances).filter(|(_, distance)| **distance > 0).collect();
        if reach == Reach::Around {
            differing.sort_by_key(|(_, distance)| **distance);
            differing.truncate(FEW);
        }
        differing.into_iter().map(|(one, _)| one).collect()
    }

    /// Returns the rules whose flips bring a fixture nearest to the tool.
    pub(super) fn nearest(&self, one: &Measurement<'_>, mut rules: Rules, reach: Reach) -> Vec<Rule> {
        let mut flips = Vec::new();
        let mut best = self.distance(one, rules);
        let is_candidate = |rule: &Rule| match reach {
            Reach::Shown => rule.fixture() == one.fixture.name,
            Reach::Around => rule.since().distance(self.question.base) <= 1,
        };
        let is_known = |rule: &Rule| rule.since() <= self.question.newest;
        let candidates: Vec<Rule> = Rule::all().filter(is_known).filter(is_candidate).collect();
        while best > 0 {
            let tried = candidates.iter().map(|rule| (self.distance(one, rules.with_flipped(*rule)), *rule));
            let nearest =
                tried.min_by_key(|(distance, _)| *distance).filter(|(distance, _)| *distance < best);
            let Some((distance, rule)) = nearest else { break };
            (best, rules) = (distance, rules.with_flipped(rule));
            flips.push(rule);
        }
        flips
    }

    /// Returns the rules without the flips that no text needs: a change that no rule explains may look like an older one.
    pub(super) fn proved(&self, measured: &[Measurement<'_>], mut rules: Rules) -> Rules {
        let base = self.question.base.rules();
        let flips: Vec<Rule> =
            Rule::all().filter(|rule| rules.has_rule(*rule) != base.has_rule(*rule)).collect();
        for rule in flips {
            let without = rules.with_flipped(rule);
            let needs = |one: &Measurement<'_>| {
                let (with, without) = (self.texts(one.fixture, rules), self.texts(one.fixture, without));
                let mut runs = one.texts.iter().zip(with).zip(without);
                runs.any(|((tool, with), without)| with != without && tool.as_ref() == Some(&with))
            };
            if !measured.iter().any(needs) {
                rules = without;
            }
        }
        rules
    }

    /// Decides a rule by the first fixture that it changes, its own before the others. `texts` are ours of all fixtures;
    /// `flipped` are the rules with this one inverted.
    pub(super) fn answer(
        &self,
        measured: &[Measurement<'_>],
        texts: &[Vec<String>],
        flipped: Rules,
        rule: Rule,
    ) -> Answer {
        let mut answer = Answer::WithoutEffect;
        let all = || measured.iter().zip(texts);
        let is_own = |one: &Measurement<'_>| one.fixture.name == rule.fixture();
        for (one, ours) in all().filter(|(one, _)| is_own(one)).chain(all().filter(|(one, _)| !is_own(one))) {
            let without = self.texts(one.fixture, flipped);
            if without == *ours {
                continue;
            }
            answer = match one.compare(ours, &without) {
                None => Answer::Undecided(Reason::NoText),
                Some(Ordering::Less) => return Answer::Decided,
                Some(_) => Answer::Undecided(Reason::NoNearer),
            };
        }
        answer
    }

    /// Returns the texts in which we differ from the tool.
    pub(super) fn disagreements(&self, one: &Measurement<'_>, rules: Rules) -> Vec<Disagreement> {
        let texts = self.texts(one.fixture, rules).into_iter().zip(&one.texts).zip(&one.fixture.runs);
        let differing = texts.filter_map(|((ours, tool), flags)| {
            let tool = tool.clone().filter(|tool| *tool != ours)?;
            Some(Disagreement { fixture: one.fixture.name.clone(), flags: flags.clone(), tool, ours })
        });
        differing.collect()
    }
}
