//! Breaking changes between two versions of a dialect.
//!
//! Two documents in, a [`Comparison`] out: findings, each of a [`Rule`] of the table in [`rules`].
//!
//! | module | content |
//! | --- | --- |
//! | [`rules`] | the table of rules |
//! | [`accept`] | findings that are accepted |
//! | [`program`] | the effect of findings on one program |
//! | [`settings`] | a project's settings |
//! | [`render`] | text, Markdown, JSON, SARIF, annotations and a page |
//! | [`symbols`] | the pairs of symbols that were compared |
//! | [`elsewhere`] | the users of what a change breaks, in other projects |
//! | `pairing` | how definitions are paired |
//! | `names` | names in C++, as C++ finds them |
//! | `gather` | findings of one cause, told once |
//! | `layout` | the bytecode of an operation, in order |
//! | `calls` | the effect on calls in C++ and Python |
//! | `operation`, `inherent`, `format`, `traits` | changes in an operation |
//! | `encoding` | the dialects' own bytecode |
//! | `definition`, `enumeration`, `interface`, `dialect`, `pass` | changes elsewhere |
//!
//! For example, this change of a definition
//!
//! ```text
//! -  let arguments = (ins SymbolNameAttr:$sym_name);
//! +  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<UnitAttr>:$no_inline);
//! ```
//!
//! gives `IN001`: bytecode holds attributes in the order of their names, so old bytecode is misread.

pub mod accept;
mod calls;
mod definition;
mod dialect;
pub mod elsewhere;
mod encoding;
mod enumeration;
mod format;
mod gather;
mod inherent;
mod interface;
mod layout;
mod names;
mod operation;
mod pairing;
mod pass;
pub mod program;
pub mod render;
pub mod rules;
pub mod settings;
pub mod symbols;
mod traits;

use std::{cell::RefCell, collections::BTreeMap};

use odsmith_interchange::{
    Definition, Document, Location, constraint::Constraint, grammar::read::Classes, op::Trait,
};
use odsmith_tablegen::{cancel::Cancel, parallel::Spare};
use serde::{Deserialize, Serialize};

use crate::logic::{self, Answer, Condition};

use elsewhere::Elsewhere;
use names::{Renames, Scope, cpp};
use odsmith_interchange::defs::AttrOrType;
use pairing::{Pair, pair};
use rules::{Level, Rule, Severity, Verdict};

/// The direction in which files pass between releases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Old files and old users with the new definitions.
    #[default]
    Backward,
    /// New files with the old definitions.
    Forward,
}

/// A set of levels that matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Profile {
    /// Bytecode and semantics.
    Wire,
    /// `Wire`, text and verification.
    Ir,
    /// C++, Python and pipelines.
    Api,
    /// All levels.
    #[default]
    All,
}

impl Profile {
    /// Returns the name in settings: `wire`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Profile::Wire => "wire",
            Profile::Ir => "ir",
            Profile::Api => "api",
            Profile::All => "all",
        }
    }

    /// Returns true if a level matters.
    #[must_use]
    pub fn has(self, level: Level) -> bool {
        let is_wire = matches!(level, Level::Bytecode | Level::Semantics);
        let is_ir = is_wire || matches!(level, Level::Text | Level::Generic | Level::Verifier);
        match self {
            Profile::Wire => is_wire,
            Profile::Ir => is_ir,
            Profile::Api => !is_ir,
            Profile::All => true,
        }
    }
}

/// The options of a comparison.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The levels that matter; findings keep only their effects on these.
    pub profile: Profile,
    /// The directions to check; the default is backward.
    pub directions: Vec<Direction>,
    /// Operations that the author declares renamed, from the old name to the new one.
    pub renamed: BTreeMap<String, String>,
    /// The budget of additional threads.
    pub spare: Spare,
    /// The signal to stop soon; the findings of a stopped comparison are useless.
    pub stop: Cancel,
}

/// A change and its effects.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Change {
    /// The worst of the effects.
    pub verdict: Verdict,
    /// The severity of the verdict.
    pub severity: Severity,
    /// The dialect, or whatever else the symbol belongs to.
    pub group: String,
    /// The symbol, by its id, and after `#` the part of it.
    pub subject: String,
    /// The rule.
    pub rule: Rule,
    /// The direction.
    pub direction: Direction,
    /// The cause in one line.
    pub message: String,
    /// The claim that an example has to show, if the finding makes one.
    #[serde(skip)]
    pub claim: Option<Claim>,
    /// The effects by level; a level that is not listed is safe.
    pub effects: BTreeMap<Level, Verdict>,
    /// The place in the old side's definitions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<Location>,
    /// The place in the new side's definitions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<Location>,
    /// The reason for accepting the finding, if it is accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted: Option<String>,
    /// Examples that the old side accepts, and the new one rejects or reads as something else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub witnesses: Vec<Witness>,
    /// The other symbols with the same change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// The users in other projects, where a catalogue was asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elsewhere: Vec<Elsewhere>,
}

/// A claim that old values or texts are refused.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Claim {
    /// The message of the finding without any example.
    message: String,
    /// The names of the part on both sides, if it is about the values of a part.
    pub part: Option<[String; 2]>,
}

/// An example that shows a finding.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Witness {
    /// Its kind.
    pub kind: WitnessKind,
    /// The text.
    pub text: String,
    /// The parts of the operation that have these types or attributes.
    #[serde(default, skip)]
    pub parts: Vec<WitnessPart>,
}

/// A type or attribute of an example, and the part that has it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct WitnessPart {
    /// The part's name on the old side.
    pub old: String,
    /// The part's name on the new side.
    pub new: String,
    /// The text of the type or attribute.
    pub text: String,
}

/// The kind of a witness. All witnesses are synthesised from definitions, and read by the definitions of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WitnessKind {
    /// A text of an operation, attribute or type, whose parts are placeholders.
    Syntax,
    /// A type or attribute.
    Type,
    /// A module that can be given to the old tool.
    Program,
}

impl Witness {
    fn syntax(text: String) -> Self {
        Witness { kind: WitnessKind::Syntax, text, parts: Vec::new() }
    }

    /// A type or attribute of a part, which may have another name on the new side.
    fn of_part(text: String, old: &str, new: &str) -> Self {
        let part = WitnessPart { old: old.to_owned(), new: new.to_owned(), text: text.clone() };
        Witness { kind: WitnessKind::Type, text, parts: vec![part] }
    }

    /// A module that can be given to the old tool.
    #[must_use]
    pub fn program(text: String) -> Self {
        Witness { kind: WitnessKind::Program, text, parts: Vec::new() }
    }
}

/// The result of a comparison.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Comparison {
    /// The version of this format.
    pub schema: u32,
    /// The MLIR release of the old side.
    pub old_mlir: String,
    /// The MLIR release of the new side.
    pub new_mlir: String,
    /// The findings: silent ones first, then by severity, dialect and symbol.
    pub findings: Vec<Change>,
    /// Acceptances that match no finding, or have ended.
    pub stale_acceptances: Vec<String>,
}

impl Comparison {
    /// Returns the number of findings of a severity, without accepted ones.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|it| it.severity == severity && it.accepted.is_none()).count()
    }

    /// Returns the number of findings of each rule.
    #[must_use]
    pub fn by_rule(&self) -> BTreeMap<Rule, usize> {
        let mut counts = BTreeMap::new();
        for finding in &self.findings {
            *counts.entry(finding.rule).or_default() += 1;
        }
        counts
    }
}

/// Compares two documents.
#[must_use]
pub fn compare(old: &Document, new: &Document, options: &Options) -> Comparison {
    let mut findings = Vec::new();
    let directions =
        if options.directions.is_empty() { &[Direction::Backward] } else { &*options.directions };
    for &direction in directions {
        let mut report = match direction {
            Direction::Backward => backward(old, new, &options.renamed, options),
            Direction::Forward => {
                let renamed = options.renamed.iter().map(|(old, new)| (new.clone(), old.clone())).collect();
                turned(backward(new, old, &renamed, options))
            }
        };
        report.retain_mut(|finding| is_kept(finding, options.profile));
        findings.extend(report);
    }
    findings.sort();
    findings.dedup();
    Comparison {
        schema: 1,
        old_mlir: old.mlir.clone(),
        new_mlir: new.mlir.clone(),
        findings,
        stale_acceptances: Vec::new(),
    }
}

/// Keeps the effects that matter; returns true if the finding still has any.
fn is_kept(finding: &mut Change, profile: Profile) -> bool {
    if profile == Profile::All {
        return true;
    }
    finding.effects.retain(|&level, _| profile.has(level));
    finding.judge();
    !finding.effects.is_empty()
}

/// Returns findings for new files in old tools. Users of the old side never see the new one, so only files count.
fn turned(findings: Vec<Change>) -> Vec<Change> {
    let turned = findings.into_iter().filter_map(|mut finding| {
        finding.effects.retain(|&level, _| Profile::Ir.has(level));
        if finding.effects.is_empty() {
            return None;
        }
        finding.judge();
        finding.direction = Direction::Forward;
        std::mem::swap(&mut finding.old, &mut finding.new);
        Some(finding)
    });
    turned.collect()
}

fn backward(
    old: &Document,
    new: &Document,
    renamed: &BTreeMap<String, String>,
    options: &Options,
) -> Vec<Change> {
    let (old_classes, new_classes) = (Classes::of_document(old), Classes::of_document(new));
    let renames = renames(Side(old), Side(new), renamed);
    let cx = Cx {
        old: Side(old),
        new: Side(new),
        renamed,
        old_classes: &old_classes,
        new_classes: &new_classes,
        renames: &renames,
        memo: &Memo::default(),
    };
    let mut report = Report::default();
    dialect::compare(cx, &mut report);
    traits::moved(cx, &mut report);
    operation::compare(cx, &mut report, options);
    if options.stop.is_cancelled() {
        return report.findings;
    }
    definition::compare(cx, &mut report);
    enumeration::compare(cx, &mut report);
    interface::compare(cx, &mut report);
    pass::compare(cx, &mut report);
    encoding::compare(cx, &mut report);
    dialect::unversioned(cx, &mut report);
    report.findings
}

/// One side. Indexes are checked: documents may be untrusted.
#[derive(Clone, Copy)]
struct Side<'d>(&'d Document);

impl<'d> Side<'d> {
    fn constraint(self, index: usize) -> Option<&'d Constraint> {
        self.0.constraints.get(index)
    }

    fn traits(self, indexes: &'d [usize]) -> impl Iterator<Item = &'d Trait> {
        indexes.iter().filter_map(move |&index| self.0.traits.get(index))
    }

    /// Returns the dialect with the name that operations carry.
    fn dialect(self, name: &str) -> Option<&'d odsmith_interchange::defs::Dialect> {
        self.0.dialects.iter().find(|dialect| dialect.name == name)
    }
}

/// The two documents.
#[derive(Clone, Copy)]
struct Cx<'d> {
    old: Side<'d>,
    new: Side<'d>,
    renamed: &'d BTreeMap<String, String>,
    old_classes: &'d Classes,
    new_classes: &'d Classes,
    /// The classes that have another name on the new side.
    renames: &'d Renames,
    memo: &'d Memo,
}

/// Answers that many operations share.
#[derive(Default)]
struct Memo {
    /// Relations of pairs of conditions.
    relations: RefCell<BTreeMap<(String, String), Relation>>,
    /// The sample types that a constraint of the old side accepts, by its index and the namespace of its names.
    samples: RefCell<BTreeMap<(usize, String), Samples>>,
}

/// Sample types; `None` if the constraint is on several values, or its condition is not known.
type Samples = Option<Vec<&'static str>>;

/// How the new condition relates to the old one. Examples satisfy the old one and not the new one.
#[derive(Clone, Debug)]
enum Relation {
    /// Equivalent conditions.
    Same,
    /// A new condition that accepts more.
    Widened,
    /// A new condition that accepts less, with an example.
    Narrowed(Option<String>),
    /// A new condition that accepts other values, with an example.
    Changed(Option<String>),
    /// Only C++ knows.
    Unknown,
}

impl<'d> Cx<'d> {
    /// Returns the scope of a namespace of the old side.
    fn scope_of_old(self, namespace: &'d str) -> Scope<'d> {
        Scope { namespace, renames: Some(self.renames) }
    }

    /// Returns the scope of a namespace of the new side.
    fn scope_of_new(self, namespace: &'d str) -> Scope<'d> {
        Scope { namespace, renames: None }
    }

    /// Returns true if a dialect has another name, which has its own finding.
    fn is_renamed_dialect(self, old: &str, new: &str) -> bool {
        let names = |side: Side<'_>| dialect::names(&side.0.dialects);
        old != new
            && pair(&names(self.old), &names(self.new), &BTreeMap::new()).into_iter().any(|pair| match pair {
                Pair::Both { old: a, new: b, .. } => {
                    self.old.0.dialects[a].name == old && self.new.0.dialects[b].name == new
                }
                Pair::Old(_) | Pair::New(_) => false,
            })
    }

    /// Returns true if a namespace changed with that of a dialect, which has its own finding.
    fn moves_with_dialect(self, old: &str, new: &str) -> bool {
        let (old, new) = (cpp(old), cpp(new));
        old != new
            && self.old.0.dialects.iter().any(|it| {
                let other = self.new.dialect(&it.name);
                cpp(&it.cpp_namespace) == old && other.is_some_and(|it| cpp(&it.cpp_namespace) == new)
            })
    }

    /// Returns the message about a C++ class, given as namespace and name, that has another name or namespace; `None` if it
    /// is the same, or moved with its dialect.
    fn class_change(self, old: (&str, &str), new: (&str, &str)) -> Option<String> {
        let [before, after] = [old, new].map(|(namespace, class)| cpp(&format!("{namespace}::{class}")));
        let is_moved = self.moves_with_dialect(old.0, new.0) && old.1 == new.1;
        let whole = |(namespace, class): (&str, &str)| names::whole_class(namespace, class);
        (before != after && !is_moved).then(|| change("the class", &whole(old), &whole(new)))
    }

    /// Returns how the conditions of two constraints relate. Their names are those of the scopes.
    fn relation(
        self,
        old: &Constraint,
        new: &Constraint,
        [old_scope, new_scope]: [Scope<'_>; 2],
    ) -> Relation {
        if old.condition == new.condition && self.renames.is_empty() {
            return Relation::Same;
        }
        let (before, after) = (old_scope.normal(&old.condition), new_scope.normal(&new.condition));
        if before == after {
            return Relation::Same;
        }
        let key = (before, after);
        if let Some(known) = self.memo.relations.borrow().get(&key) {
            return known.clone();
        }
        // A constraint without a predicate accepts everything.
        let condition = |it: &Constraint, scope: Scope<'_>| {
            let condition = it.predicate.as_ref().map_or(Condition::And(Vec::new()), Condition::of);
            condition.map_texts(&|text| scope.normal(text))
        };
        let relation =
            self.related(&condition(old, old_scope), &condition(new, new_scope), old_scope.namespace);
        self.memo.relations.borrow_mut().insert(key, relation.clone());
        relation
    }

    /// Returns how two conditions relate whose names have their shortest form in a namespace.
    fn related(self, before: &Condition, after: &Condition, namespace: &str) -> Relation {
        let there = logic::implies(before, after, logic::WORK);
        let back = logic::implies(after, before, logic::WORK);
        match (there, back) {
            (Answer::Yes, Answer::Yes) => Relation::Same,
            (Answer::Yes, _) => Relation::Widened,
            (Answer::No(witness), Answer::Yes) => Relation::Narrowed(self.example(witness, namespace)),
            (Answer::No(witness), _) => Relation::Changed(self.example(witness, namespace)),
            (Answer::Unknown(_) | Answer::TooMuchWork, _) => Relation::Unknown,
        }
    }

    /// Returns the example of a counterexample: a builtin type or attribute, or one of a dialect.
    fn example(self, witness: logic::Witness, namespace: &str) -> Option<String> {
        witness.example.or_else(|| {
            let classes = witness.leaves.iter().filter(|(_, holds)| *holds).filter_map(|(leaf, _)| {
                leaf.strip_prefix("isa<")?.strip_suffix(">($_self)").map(str::to_owned)
            });
            let scope = Scope { namespace, renames: None };
            let types = self.old.0.types.iter().map(|it| ('!', it));
            let defs: Vec<_> = types.chain(self.old.0.attributes.iter().map(|it| ('#', it))).collect();
            let mut found = classes.filter_map(|class| {
                let is_it = |it: &&(char, &AttrOrType)| {
                    scope.normal(&format!("{}::{}", it.1.cpp_namespace, it.1.cpp_class)) == class
                };
                let (mark, def) = defs.iter().find(is_it)?;
                let parameters = if def.parameters.is_empty() { "" } else { "<…>" };
                Some(format!("{mark}{}.{}{parameters}", def.dialect, def.mnemonic.as_deref()?))
            });
            found.next()
        })
    }
}

/// Returns the classes that have another name on the new side.
fn renames(old: Side<'_>, new: Side<'_>, renamed: &BTreeMap<String, String>) -> Renames {
    let mut renames = Renames::new();
    let mut add = |old: String, new: String| {
        let (old, new) = (cpp(&old), cpp(&new));
        if old != new && !old.is_empty() && !new.is_empty() {
            renames.insert(old, new);
        }
    };
    let both = |pairs: Vec<Pair>| {
        pairs.into_iter().filter_map(|pair| match pair {
            Pair::Both { old, new, .. } => Some((old, new)),
            Pair::Old(_) | Pair::New(_) => None,
        })
    };
    let class = |namespace: &str, class: &str| format!("{namespace}::{class}");
    let id_of_type: fn(&AttrOrType) -> String = AttrOrType::type_id;
    let types = (&old.0.types, &new.0.types, id_of_type);
    let attributes =
        (&old.0.attributes, &new.0.attributes, AttrOrType::attribute_id as fn(&AttrOrType) -> String);
    for (old, new, id) in [types, attributes] {
        for (a, b) in both(pair(&definition::names(old, id), &definition::names(new, id), renamed)) {
            add(
                class(&old[a].cpp_namespace, &old[a].cpp_class),
                class(&new[b].cpp_namespace, &new[b].cpp_class),
            );
        }
    }
    let (was, is) = (&old.0.enums, &new.0.enums);
    for (a, b) in both(pair(&enumeration::names(was), &enumeration::names(is), renamed)) {
        add(class(&was[a].cpp_namespace, &was[a].cpp_class), class(&is[b].cpp_namespace, &is[b].cpp_class));
        if let (Some(old), Some(new)) = (&was[a].attribute, &is[b].attribute) {
            add(class(&was[a].cpp_namespace, &old.cpp_class), class(&is[b].cpp_namespace, &new.cpp_class));
        }
        for (old, new) in enumeration::renamed_cases(&was[a], &is[b]) {
            add(old, new);
        }
    }
    for dialect in &old.0.dialects {
        if let Some(other) = new.dialect(&dialect.name) {
            add(dialect.cpp_namespace.clone(), other.cpp_namespace.clone());
        }
    }
    let (was, is) = (&old.0.interfaces, &new.0.interfaces);
    for (a, b) in both(pair(&interface::names(was), &interface::names(is), renamed)) {
        add(class(&was[a].cpp_namespace, &was[a].cpp_class), class(&is[b].cpp_namespace, &is[b].cpp_class));
    }
    for (before, after) in traits::pairs(old, new) {
        match traits::moved_classes(before, after) {
            Some([old, new]) => add(old.to_owned(), new.to_owned()),
            None => add(before.cpp_name.clone(), after.cpp_name.clone()),
        }
    }
    renames
}

/// The list of findings that the comparison adds to.
#[derive(Default)]
struct Report {
    findings: Vec<Change>,
}

/// The subject of a finding.
#[derive(Clone, Debug)]
struct Subject<'d> {
    group: &'d str,
    id: String,
    old: Option<&'d Definition>,
    new: Option<&'d Definition>,
}

impl Report {
    /// Adds a finding about a symbol, with the effects of the rule.
    fn add(&mut self, rule: Rule, subject: &Subject<'_>, message: impl Into<String>) -> &mut Change {
        self.add_part(rule, subject, "", message)
    }

    /// Adds a finding about a part of a symbol.
    fn add_part(
        &mut self,
        rule: Rule,
        subject: &Subject<'_>,
        part: &str,
        message: impl Into<String>,
    ) -> &mut Change {
        let id = &subject.id;
        // A class may be what changed.
        let place = |it: &Definition| {
            let mut fields = rule.fields().iter();
            fields.find_map(|field| it.places.get(*field)).or(it.location.as_ref()).cloned()
        };
        let location = |definition: Option<&Definition>| definition.and_then(place);
        let mut finding = Change {
            verdict: Verdict::Safe,
            severity: Severity::Note,
            group: subject.group.to_owned(),
            subject: if part.is_empty() { id.clone() } else { format!("{id}#{part}") },
            rule,
            direction: Direction::Backward,
            message: message.into(),
            claim: None,
            effects: rule.effects().iter().copied().collect(),
            old: location(subject.old),
            new: location(subject.new),
            accepted: None,
            witnesses: Vec::new(),
            also: Vec::new(),
            elsewhere: Vec::new(),
        };
        finding.judge();
        self.findings.push(finding);
        // The finding was just pushed.
        let last = self.findings.len() - 1;
        &mut self.findings[last]
    }
}

impl Change {
    /// Sets an effect that the rule leaves open, or that differs here.
    fn set(&mut self, level: Level, verdict: Verdict) -> &mut Self {
        match verdict {
            Verdict::Safe => _ = self.effects.remove(&level),
            verdict => _ = self.effects.insert(level, verdict),
        }
        self.judge();
        self
    }

    /// Makes a claim about a part's values, which an example shows if there is one.
    fn claim_values(&mut self, [old, new]: [&str; 2], verdict: Verdict, example: Option<String>) {
        self.claim = Some(Claim {
            message: std::mem::take(&mut self.message),
            part: Some([old.to_owned(), new.to_owned()]),
        });
        self.undecide();
        match example {
            Some(example) => self.refuse_value(example),
            None if verdict == Verdict::Unknown => {}
            None => {
                self.set(Level::Verifier, verdict);
                // Without a claim there is nothing to show.
                self.message = self.claim.take().map(|it| it.message).unwrap_or_default();
            }
        }
    }

    /// Shows the claim by a value that is refused.
    pub fn refuse_value(&mut self, example: String) {
        let Some(Claim { message, part: Some([old, new]) }) = &self.claim else { return };
        self.message = format!("{message}; {} is refused", quoted(&example));
        self.witnesses = vec![Witness::of_part(example, old, new)];
        self.set(Level::Verifier, Verdict::Breaks);
    }

    /// Shows the claim by a program whose text is refused.
    pub fn refuse_text(&mut self, program: String) {
        let Some(Claim { message, part: None }) = &self.claim else { return };
        self.message = format!("{message}; the example is refused");
        self.witnesses = vec![Witness::program(program)];
        self.set(Level::Text, Verdict::Breaks);
    }

    /// Decides nothing, as no example shows the claim.
    pub fn undecide(&mut self) {
        self.witnesses.clear();
        let level = match &self.claim {
            Some(Claim { message, part: Some(_) }) => {
                self.message = format!("{message}; whether the old values are still accepted is not decided");
                Level::Verifier
            }
            Some(Claim { message, part: None }) => {
                self.message = undecided(message);
                Level::Text
            }
            None => Level::Verifier,
        };
        self.set(level, Verdict::Unknown);
    }

    /// Sets the verdict and severity from the worst effect.
    fn judge(&mut self) {
        // C++ of the author of a definition comes with the change; others implement interfaces.
        let is_told = |level: &Level| *level != Level::Implementer || self.rule.family() == "IF";
        let told = self.effects.iter().filter(|(level, _)| is_told(level)).map(|(_, verdict)| *verdict);
        self.verdict = told.min().unwrap_or(Verdict::Safe);
        // A condition that is not shown to refuse anything is no warning.
        let is_undecided = self.verdict == Verdict::Unknown && self.rule.needs_proof();
        self.severity = if is_undecided { Severity::Note } else { self.verdict.severity() };
    }
}

/// Says that the language of a format does not decide.
fn undecided(message: &str) -> String {
    format!("{message}; whether old texts are read is not decided")
}

/// Splits a text at separators that are in no bracket.
fn split_outside(text: &str, separator: char) -> Vec<&str> {
    let (mut depth, mut start) = (0usize, 0);
    let mut parts = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth = depth.saturating_sub(1),
            c if c == separator && depth == 0 => {
                parts.push(text.get(start..at).unwrap_or_default());
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(text.get(start..).unwrap_or_default());
    parts
}

/// Returns two texts for a message.
fn change(what: &str, old: &str, new: &str) -> String {
    let [old, new] = quoted_pair(old, new);
    format!("{what}: {old} became {new}")
}

/// The most characters of a text in a message.
const MOST_OF_A_TEXT: usize = 120;

/// Shortens a text to one line for a message.
fn quoted(text: &str) -> String {
    excerpt(&one_line(text), 0)
}

/// Shortens two texts that differ, so that the first difference is in both.
fn quoted_pair(old: &str, new: &str) -> [String; 2] {
    /// The characters before the difference.
    const BEFORE: usize = 40;
    let [old, new] = [old, new].map(one_line);
    let shared = old.chars().zip(new.chars()).take_while(|(old, new)| old == new).count();
    let is_cut = [&old, &new].iter().any(|text| text.chars().count() > MOST_OF_A_TEXT);
    let from = if is_cut && shared + BEFORE > MOST_OF_A_TEXT { shared - BEFORE.min(shared) } else { 0 };
    [old, new].map(|text| excerpt(&text, from))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Quotes a piece of a line from a character on, with dots for the rest.
fn excerpt(line: &str, from: usize) -> String {
    if line.is_empty() {
        return "nothing".to_owned();
    }
    let piece: String = line.chars().skip(from).take(MOST_OF_A_TEXT).collect();
    let before = if from > 0 { "…" } else { "" };
    let after = if line.chars().count() > from + MOST_OF_A_TEXT { "…" } else { "" };
    format!("`{before}{piece}{after}`")
}

#[cfg(test)]
mod tests {
    use super::{change, quoted};

    #[test]
    fn both_sides_show_the_difference() {
        assert_eq!(change("it", "a  b", ""), "it: `a b` became nothing");
        let long = "x".repeat(200);
        assert_eq!(quoted(&long), format!("`{}…`", "x".repeat(120)));
        let text = change("it", &format!("{long} old"), &format!("{long} new"));
        let before = format!("…{} ", "x".repeat(39));
        assert_eq!(text, format!("it: `{before}old` became `{before}new`"));
        let text = change("it", &long, &format!("{long} and more"));
        assert_eq!(text, format!("it: `…{x}` became `…{x} and more`", x = "x".repeat(40)));
    }
}
