//! Changes between releases, from their models: pairs of old and new definitions, their differences, and breakages.
//!
//! * `describe`: a definition as rows that can be compared;
//! * `Steps`: the changes of all releases, by the ids of symbols.

mod describe;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use odsmith_engine::{
    interchange::{Definition, Document, defs::AttrOrType},
    review::diff::{
        Change, Comparison, Direction, WitnessKind,
        rules::{Level, Severity, Verdict},
        symbols::{Pairing, Symbol, pairings},
    },
};

use crate::{
    pages::rules,
    view::{Breakage, BreakageWitness, Difference},
};

/// The step from a release to the next one.
#[derive(Clone, Debug)]
pub struct Step {
    /// The name of the earlier release.
    pub before: String,
    /// The name of the later release.
    pub release: String,
    /// The model of the earlier release.
    pub old: Arc<Document>,
    /// The model of the later release.
    pub new: Arc<Document>,
    /// Renamed operations, from the old name to the new one, as stated by the author.
    pub renamed: BTreeMap<String, String>,
    /// The breakages.
    pub comparison: Comparison,
}

/// The kind of change of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    New,
    Renamed,
    Changed,
    Removed,
}

impl Event {
    /// The word for JSON and for the pages of releases.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Event::New => "new",
            Event::Renamed => "renamed",
            Event::Changed => "changed",
            Event::Removed => "removed",
        }
    }
}

/// The change of a symbol in one step.
#[derive(Clone, Debug)]
pub(crate) struct SymbolChange {
    pub(crate) event: Event,
    /// The id before the step; empty if the symbol is new.
    pub(crate) old_id: String,
    /// The id after the step; empty if the symbol was removed.
    pub(crate) new_id: String,
    /// The name before the step.
    pub(crate) old_name: String,
    pub(crate) differences: Vec<Difference>,
    pub(crate) findings: Vec<Breakage>,
    /// The worst verdict for each level.
    pub(crate) effects: BTreeMap<Level, Verdict>,
    /// The former definition, or the new one if there was none; a later release may remove it.
    pub(crate) definition: Option<FormerDefinition>,
}

/// A definition as an earlier release had it.
#[derive(Clone, Debug, Default)]
pub(crate) struct FormerDefinition {
    /// The kind of its page.
    pub(crate) kind: &'static str,
    pub(crate) dialect: String,
    pub(crate) namespace: String,
    pub(crate) name: String,
    pub(crate) summary: String,
    /// The sentences of the last description about the removal and the successor.
    pub(crate) last_words: Option<String>,
    pub(crate) class: String,
    pub(crate) format: Option<String>,
    pub(crate) place: String,
    /// True if it belongs to a library, not to the project.
    pub(crate) is_library: bool,
    /// The aspect and the text of each part.
    pub(crate) rows: Vec<(&'static str, String)>,
}

/// The changes of one step.
#[derive(Debug)]
pub(crate) struct StepChanges<'s> {
    pub(crate) step: &'s Step,
    pub(crate) changes: Vec<SymbolChange>,
    /// The index of each change by the id after the step.
    by_new_id: BTreeMap<String, usize>,
}

/// All steps, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct Steps<'s> {
    pub(crate) all: Vec<StepChanges<'s>>,
}

impl<'s> Steps<'s> {
    pub(crate) fn new(steps: &'s [Step]) -> Self {
        Steps { all: steps.iter().map(StepChanges::new).collect() }
    }

    /// The changes of the symbol that has this id now: the newest step first, each with its number.
    pub(crate) fn of(&self, id: &str) -> Vec<(usize, &SymbolChange)> {
        let mut id = id.to_owned();
        let mut found = Vec::new();
        for (number, stepped) in self.all.iter().enumerate().rev() {
            let Some(change) = stepped.by_new_id.get(&id).map(|&at| &stepped.changes[at]) else { continue };
            found.push((number, change));
            id.clone_from(&change.old_id);
            if change.event == Event::New {
                break;
            }
        }
        found
    }

    /// The present id of a symbol of a step; `None` if a later step removed it.
    pub(crate) fn now(&self, number: usize, id: &str) -> Option<String> {
        let mut id = id.to_owned();
        for stepped in &self.all[number + 1..] {
            match stepped.changes.iter().find(|change| change.old_id == id) {
                Some(change) if change.event == Event::Removed => return None,
                Some(change) => id.clone_from(&change.new_id),
                None => {}
            }
        }
        Some(id)
    }
}

impl<'s> StepChanges<'s> {
    fn new(step: &'s Step) -> Self {
        let mut findings: BTreeMap<&str, Vec<&Change>> = BTreeMap::new();
        let attributes = step.old.attributes.iter().chain(&step.new.attributes);
        let attributes: BTreeSet<String> = attributes.map(AttrOrType::attribute_id).collect();
        for finding in &step.comparison.findings {
            let id = finding.subject.split('#').next().unwrap_or_default();
            // The id of an attribute contains the sign as well: `llvm#linkage#part`.
            let whole = &finding.subject;
            let attribute = whole.strip_prefix(id).and_then(|rest| {
                let end = rest.get(1..)?.find('#').map_or(rest.len(), |at| at + 1);
                let id = whole.get(..id.len() + end)?;
                attributes.contains(id).then_some(id)
            });
            findings.entry(attribute.unwrap_or(id)).or_default().push(finding);
        }
        let mut changes: Vec<SymbolChange> = pairings(&step.old, &step.new, &step.renamed)
            .into_iter()
            .filter_map(|pairing| change(pairing, step, &mut findings))
            .collect();
        changes.sort_by(|a, b| a.shown_id().cmp(b.shown_id()));
        let by_new_id = changes.iter().enumerate();
        let by_new_id = by_new_id.filter(|(_, it)| !it.new_id.is_empty());
        let by_new_id = by_new_id.map(|(at, it)| (it.new_id.clone(), at)).collect();
        StepChanges { step, changes, by_new_id }
    }
}

impl SymbolChange {
    fn shown_id(&self) -> &str {
        if self.new_id.is_empty() { &self.old_id } else { &self.new_id }
    }

    /// Tests if its syntax, operands or results differ.
    pub(crate) fn has_other_shape(&self) -> bool {
        let is_shape = |it: &Difference| !matches!(it.aspect, "Summary" | "Description" | "Hook" | "Builder");
        self.event == Event::Changed && self.differences.iter().any(is_shape)
    }

    /// The levels with one of these verdicts, in words.
    pub(crate) fn levels(&self, verdicts: &[Verdict]) -> String {
        let levels = self.effects.iter().filter(|(_, verdict)| verdicts.contains(verdict));
        levels.map(|(level, _)| level_name(*level)).collect::<Vec<_>>().join(", ")
    }

    /// The kinds of aspects that differ, each once.
    pub(crate) fn aspects(&self) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for it in &self.differences {
            let aspect =
                if it.aspect.starts_with("C++") { it.aspect.to_owned() } else { it.aspect.to_lowercase() };
            // Hooks and traits differ by their names, and others by their kinds.
            let is_named = matches!(it.aspect, "Hook" | "Trait" | "Interface") && !it.name.is_empty();
            let aspect = if is_named { format!("{aspect} `{}`", it.name) } else { aspect };
            if !all.contains(&aspect) {
                all.push(aspect);
            }
        }
        all
    }

    /// The readers whom the effects concern, each once: classes of a filter.
    pub(crate) fn audiences(&self) -> String {
        let of = |level: Level| match level {
            Level::Text | Level::Generic | Level::Verifier | Level::Semantics => "text",
            Level::Bytecode => "bytecode",
            Level::Cpp | Level::Implementer => "code",
            Level::Python => "python",
            Level::Pipeline => "pipelines",
        };
        let matters =
            |verdict: &Verdict| matches!(verdict, Verdict::Breaks | Verdict::Silent | Verdict::Unknown);
        let all: BTreeSet<&str> = self
            .effects
            .iter()
            .filter(|(_, verdict)| matters(verdict))
            .map(|(level, _)| of(*level))
            .collect();
        // A new or removed definition without effects concerns everybody.
        if all.is_empty() {
            "text bytecode code python pipelines".to_owned()
        } else {
            Vec::from_iter(all).join(" ")
        }
    }

    /// The aspects that differ, on one line. Builders are counted, because their names are whole signatures.
    pub(crate) fn summary_of(&self) -> String {
        const MOST: usize = 4;
        let is_builder = |it: &&Difference| it.aspect == "Builder";
        let named = |it: &Difference| {
            let aspect = it.aspect.to_lowercase();
            let aspect = if it.aspect.starts_with("C++") { it.aspect.to_owned() } else { aspect };
            if it.name.is_empty() { aspect } else { format!("{aspect} `{}`", it.name) }
        };
        let mut all: Vec<String> = self.differences.iter().filter(|it| !is_builder(it)).map(named).collect();
        match self.differences.iter().filter(is_builder).count() {
            0 => {}
            1 => all.push("a builder".to_owned()),
            count => all.push(format!("{count} builders")),
        }
        let more = all.len().saturating_sub(MOST);
        all.truncate(MOST);
        if more > 0 {
            all.push(format!("{more} more"));
        }
        all.join(", ")
    }
}

/// The change in a pair of symbols; `None` if nothing changed.
fn change(
    pairing: Pairing<'_>,
    step: &Step,
    findings: &mut BTreeMap<&str, Vec<&Change>>,
) -> Option<SymbolChange> {
    let Pairing { old, new } = pairing;
    let (old_id, new_id) = (old.map(Symbol::id).unwrap_or_default(), new.map(Symbol::id).unwrap_or_default());
    let rows = |symbol: Option<Symbol<'_>>, document: &Document| {
        symbol.map(|symbol| describe::rows(symbol, document)).unwrap_or_default()
    };
    let event = match (old, new) {
        (None, _) => Event::New,
        (_, None) => Event::Removed,
        _ if old_id != new_id => Event::Renamed,
        _ => Event::Changed,
    };
    let (before, after) = (rows(old, &step.old), rows(new, &step.new));
    let differences = match event {
        Event::New | Event::Removed => Vec::new(),
        Event::Renamed | Event::Changed => describe::differences(&before, &after),
    };
    let mut found = Vec::new();
    for id in [&old_id, &new_id] {
        found.extend(findings.remove(id.as_str()).unwrap_or_default());
    }
    if event == Event::Changed && differences.is_empty() && found.is_empty() {
        return None;
    }
    let mut effects: BTreeMap<Level, Verdict> = BTreeMap::new();
    for (&level, &verdict) in found.iter().flat_map(|finding| &finding.effects) {
        let known = effects.entry(level).or_default();
        *known = verdict.min(*known);
    }
    Some(SymbolChange {
        event,
        old_name: old.map(describe::name).unwrap_or_default(),
        differences,
        findings: breakages(found),
        effects,
        definition: match (old, new) {
            (Some(old), _) => Some(former_definition(old, before)),
            (None, new) => new.map(|new| former_definition(new, after)),
        },
        old_id,
        new_id,
    })
}

/// Describes a definition for the pages of later releases.
fn former_definition(symbol: Symbol<'_>, rows: Vec<describe::Row>) -> FormerDefinition {
    let definition = describe::definition(symbol);
    let place = |it: &Definition| {
        let at = it.location.as_ref()?;
        Some(format!("{}:{}", at.file, at.line))
    };
    let (dialect, namespace) = describe::dialect_and_namespace(symbol);
    FormerDefinition {
        kind: describe::kind(symbol),
        dialect,
        namespace,
        name: describe::name(symbol),
        summary: describe::summary(symbol).trim().to_owned(),
        last_words: last_words(describe::text(symbol)),
        class: describe::class(symbol),
        format: describe::format(symbol).filter(|text| !text.is_empty()),
        place: place(definition).unwrap_or_default(),
        is_library: definition.is_library,
        rows: rows.into_iter().filter_map(describe::Row::listed).collect(),
    }
}

/// Words of a text that name a successor.
const OF_SUCCESSORS: &[&str] =
    &["deprecated", "superseded", "replaced by", "instead", "in favor of", "in favour of", "obsolete"];

/// The sentences of a description about its own deprecation and its successor.
fn last_words(description: &str) -> Option<String> {
    let paragraphs =
        description.split("\n\n").map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    let is_about = |sentence: &&str| {
        let lower = sentence.to_ascii_lowercase();
        OF_SUCCESSORS.iter().any(|word| lower.contains(word))
    };
    let mut found = paragraphs.filter(|text| is_about(&text.as_str()));
    let paragraph = found.next()?;
    // A sentence after the one about the deprecation names the successor.
    let sentences: Vec<&str> = paragraph.split_inclusive(". ").collect();
    let first = sentences.iter().position(is_about)?;
    let kept = sentences[first..].iter().take(2).copied().collect::<String>();
    Some(kept.trim().trim_start_matches("Note:").trim().to_owned())
}

/// Converts findings for the pages; equal findings about several parts become one.
fn breakages(found: Vec<&Change>) -> Vec<Breakage> {
    let mut all: Vec<Breakage> = Vec::new();
    for finding in found {
        let new = breakage(finding);
        let same = |it: &&mut Breakage| {
            it.rule == new.rule && it.message == new.message && it.effects == new.effects
        };
        match all.iter_mut().find(same) {
            Some(known) => {
                known.parts.extend(new.parts);
                known
                    .witnesses
                    .extend(new.witnesses.into_iter().take(usize::from(known.witnesses.is_empty())));
            }
            None => all.push(new),
        }
    }
    all
}

/// The part of a symbol that a finding names: `lhs` of `arith.addi#lhs`.
fn part(finding: &Change) -> Option<String> {
    let (id, part) = finding.subject.rsplit_once('#')?;
    // The id of an attribute contains the sign.
    let is_attribute = !id.contains(['#', '.', ':', '!']);
    (!is_attribute && !part.is_empty()).then(|| part.to_owned())
}

/// Converts a finding for the pages.
fn breakage(finding: &Change) -> Breakage {
    let forward = if finding.direction == Direction::Forward { " (read by the earlier release)" } else { "" };
    Breakage {
        rule: finding.rule.id(),
        rule_href: rules::href(finding.rule),
        severity: finding.severity.name(),
        parts: part(finding).into_iter().collect(),
        is_error: finding.severity == Severity::Error,
        message: format!("{}{forward}", finding.message),
        effects: finding.effects.iter().filter_map(|(level, verdict)| effect(*level, *verdict)).collect(),
        advice: finding.rule.advice(),
        witnesses: finding
            .witnesses
            .iter()
            .map(|witness| BreakageWitness {
                title: match witness.kind {
                    WitnessKind::Syntax => "A text that shows it",
                    WitnessKind::Type => "A type that shows it",
                    WitnessKind::Program => "A program that shows it",
                },
                text: witness.text.trim_end().to_owned(),
            })
            .collect(),
        accepted: finding.accepted.clone(),
    }
}

/// The effect of a change on a level, in words: `breaks bytecode`.
pub(crate) fn effect(level: Level, verdict: Verdict) -> Option<String> {
    let level = level_name(level);
    match verdict {
        Verdict::Silent => Some(format!("silently changes {level}")),
        Verdict::Breaks => Some(format!("breaks {level}")),
        Verdict::Unknown => Some(format!("may break {level}")),
        Verdict::Safe => None,
    }
}

fn level_name(level: Level) -> &'static str {
    match level {
        Level::Text => "text",
        Level::Generic => "the generic form",
        Level::Bytecode => "bytecode",
        Level::Verifier => "verification",
        Level::Cpp => "C++",
        Level::Implementer => "C++ of implementers",
        Level::Python => "Python",
        Level::Pipeline => "pipelines",
        Level::Semantics => "meaning",
    }
}
