//! Operations: names, operands, results, regions and successors; other modules compare the rest.

use std::collections::{BTreeMap, BTreeSet};

use odsmith_interchange::{
    constraint::{Cardinality, Constraint},
    op::{Operation, Part, PartKind},
};
use odsmith_tablegen::parallel;

use super::{
    Change, Cx, Memo, Options, Relation, Report, Side, Subject,
    calls::Calls,
    change,
    format::{self, Texts},
    inherent, layout,
    names::{Scope, members},
    pairing::{Names, Pair, candidates, pair},
    quoted, quoted_pair,
    rules::{Level, Rule, Verdict},
    traits,
};

pub(super) use super::names::{cpp, words};

/// Compares all operations, on this thread and additional ones, until stopped.
pub(super) fn compare(cx: Cx<'_>, report: &mut Report, options: &Options) {
    let pairs = pair(&names(cx.old), &names(cx.new), cx.renamed);
    let alike = candidates(&names(cx.old), &names(cx.new), &pairs);
    let Cx { old, new, renamed, old_classes, new_classes, renames, memo: _ } = cx;
    let compare = |(report, memo): &mut (Report, Memo), at: usize| {
        if !options.stop.is_cancelled() {
            let cx = Cx { old, new, renamed, old_classes, new_classes, renames, memo };
            compare_pair(&pairs[at], &alike, cx, report);
        }
    };
    let mut own = <(Report, Memo)>::default();
    let others = parallel::meet(&options.spare, pairs.len(), &mut own, Default::default, compare);
    for (made, _) in [own].into_iter().chain(others) {
        report.findings.extend(made.findings);
    }
}

fn compare_pair(pair: &Pair, alike: &BTreeMap<usize, usize>, cx: Cx<'_>, report: &mut Report) {
    let (old, new) = (&cx.old.0.operations, &cx.new.0.operations);
    match *pair {
        Pair::Old(at) => {
            let op = &old[at];
            let subject = Subject { group: &op.dialect, id: op.id(), old: Some(&op.definition), new: None };
            // The dialect has its own finding.
            if cx.new.dialect(&op.dialect).is_some() {
                let message = match alike.get(&at).and_then(|at| new.get(*at)) {
                    Some(other) => format!("{} is gone; {} is new and much like it", op.name, other.name),
                    None => format!("{} is gone", op.name),
                };
                report.add(Rule::OP001, &subject, message);
            }
        }
        Pair::New(at) => {
            let op = &new[at];
            let subject = Subject { group: &op.dialect, id: op.id(), old: None, new: Some(&op.definition) };
            if cx.old.dialect(&op.dialect).is_some() {
                report.add(Rule::OP002, &subject, format!("{} is new", op.name));
            }
        }
        Pair::Both { old: a, new: b, score } => {
            let judged = Judged::new(&old[a], &new[b], cx);
            let both = Both { cx, old: &old[a], new: &new[b], judged: &judged };
            both.compare(score, report);
        }
    }
}

/// Returns the names that pair the operations of a side.
pub(super) fn names(side: Side<'_>) -> Vec<Names> {
    side.0.operations.iter().map(|op| names_of(op, side)).collect()
}

fn names_of(op: &Operation, side: Side<'_>) -> Names {
    let parts = [&op.arguments, &op.results, &op.regions, &op.successors].into_iter().flatten();
    let shape = parts.map(|part| {
        let constraint = side.constraint(part.constraint).map(|it| it.condition.as_str());
        format!("{:?} {} {}", part.kind, part.name, constraint.unwrap_or_default())
    });
    let mut shape: BTreeSet<String> = shape.collect();
    // The same parts under changed constraints are still much alike.
    let parts = [&op.arguments, &op.results, &op.regions, &op.successors].into_iter().flatten();
    shape.extend(parts.map(|part| format!("part {:?} {}", part.kind, part.name)));
    shape.extend((!op.summary.is_empty()).then(|| format!("summary {}", op.summary)));
    shape.extend(op.assembly_format.iter().map(|text| format!("format {text}")));
    shape.insert(format!("dialect {}", op.dialect));
    let record = op.definition.record.clone().unwrap_or_default();
    let others = vec![record, format!("{}::{}", op.cpp_namespace, op.cpp_class)];
    // An implied trait is known only if its record was included, so a record with more traits knows more.
    Names { id: op.id(), others, shape, known: op.traits.len() }
}

/// Effects that are decided once per operation, before the changes of its parts.
pub(super) struct Judged {
    /// The effect on old texts.
    pub texts: Texts,
    /// The effect on calls, if both classes can be generated.
    pub calls: Option<Calls>,
}

impl Judged {
    fn new(old: &Operation, new: &Operation, cx: Cx<'_>) -> Self {
        let scopes = [cx.scope_of_old(&old.cpp_namespace), cx.scope_of_new(&new.cpp_namespace)];
        let calls = match (&old.generated.declarations, &new.generated.declarations) {
            (Some(old), Some(new)) => Some(Calls::new(old, new, scopes)),
            _ => None,
        };
        Judged { texts: Texts::new(format::of_operation(old), format::of_operation(new), cx), calls }
    }
}

/// The same operation on both sides.
#[derive(Clone, Copy)]
pub(super) struct Both<'d> {
    pub cx: Cx<'d>,
    pub old: &'d Operation,
    pub new: &'d Operation,
    pub judged: &'d Judged,
}

impl<'d> Both<'d> {
    pub fn subject(self) -> Subject<'d> {
        Subject {
            group: &self.old.dialect,
            id: self.old.id(),
            old: Some(&self.old.definition),
            new: Some(&self.new.definition),
        }
    }

    /// The scopes of both sides, in which names of C++ are found.
    pub fn scopes(self) -> [Scope<'d>; 2] {
        [self.cx.scope_of_old(&self.old.cpp_namespace), self.cx.scope_of_new(&self.new.cpp_namespace)]
    }

    /// Returns how the conditions of two constraints relate.
    pub fn relation(self, old: &Constraint, new: &Constraint) -> Relation {
        self.cx.relation(old, new, self.scopes())
    }

    fn compare(self, score: Option<u32>, report: &mut Report) {
        self.names(score, report);
        Values::operands(self).compare(report);
        Values::results(self).compare(report);
        self.segments(report);
        self.inference(report);
        self.regions(report);
        self.successors(report);
        inherent::compare(self, report);
        format::compare_operation(self, report);
        self.names_in_regions(report);
        traits::compare(self, report);
        self.hooks(report);
    }

    /// Compares default dialects: operations in regions are written without the prefix of theirs.
    fn names_in_regions(self, report: &mut Report) {
        if self.old.regions.is_empty() {
            return;
        }
        let is_asked = |op: &Operation, side: Side<'_>| {
            side.traits(&op.traits).any(|it| it.cpp_name.contains("OpAsmOpInterface"))
        };
        let subject = self.subject();
        let (before, after) = (default_dialect(self.old), default_dialect(self.new));
        match (before, after) {
            (Some(before), after) if Some(before) != after => {
                let message = change("the default dialect of regions", before, after.unwrap_or_default());
                let finding = report.add(Rule::AF012, &subject, message);
                if after.is_none() && is_asked(self.new, self.cx.new) {
                    // The author may now do this in C++.
                    finding.set(Level::Text, Verdict::Unknown);
                }
            }
            (None, None) if is_asked(self.old, self.cx.old) && !is_asked(self.new, self.cx.new) => {
                let message = "it has lost OpAsmOpInterface, which may have named a default dialect";
                report.add(Rule::AF012, &subject, message).set(Level::Text, Verdict::Unknown);
            }
            _ => {}
        }
    }

    fn names(self, score: Option<u32>, report: &mut Report) {
        let (old, new, subject) = (self.old, self.new, self.subject());
        // The dialect has its own finding.
        let is_of_dialect = self.cx.is_renamed_dialect(&old.dialect, &new.dialect)
            && old.name.strip_prefix(&old.dialect) == new.name.strip_prefix(&new.dialect);
        if old.name != new.name && !is_of_dialect {
            let mut message = format!("{} became {}", old.name, new.name);
            if let Some(score) = score {
                message += &format!(" (they are alike by {score} %)");
            }
            report.add(Rule::OP003, &subject, message);
        }
        if old.cpp_class != new.cpp_class {
            report.add(Rule::OP004, &subject, change("the class", &old.cpp_class, &new.cpp_class));
        }
        let is_moved = self.cx.moves_with_dialect(&old.cpp_namespace, &new.cpp_namespace);
        if cpp(&old.cpp_namespace) != cpp(&new.cpp_namespace) && !is_moved {
            let message = change("the namespace", &old.cpp_namespace, &new.cpp_namespace);
            report.add(Rule::OP005, &subject, message);
        }
    }

    fn segments(self, report: &mut Report) {
        let old = layout::segments(self.old, self.cx.old);
        let new = layout::segments(self.new, self.cx.new);
        let subject = self.subject();
        for slot in ["operandSegmentSizes", "resultSegmentSizes"] {
            let count = |op: &Operation| match slot {
                "operandSegmentSizes" => {
                    op.arguments.iter().filter(|part| part.kind == PartKind::Operand).count()
                }
                _ => op.results.len(),
            };
            let (before, after) = (count(self.old), count(self.new));
            match (old.contains(&slot), new.contains(&slot)) {
                (false, true) => {
                    let finding = report.add_part(Rule::OP008, &subject, slot, format!("{slot} is new"));
                    self.decide(finding, "");
                }
                (true, false) => {
                    let finding = report.add_part(Rule::OP008, &subject, slot, format!("{slot} is gone"));
                    self.decide(finding, "");
                }
                (true, true) if before != after => {
                    let message = format!("{slot} had {before} numbers and has {after}");
                    let finding = report.add_part(Rule::OP009, &subject, slot, message);
                    self.decide(finding, "");
                }
                _ => {}
            }
        }
    }

    fn inference(self, report: &mut Report) {
        let subject = self.subject();
        if self.old.results.is_empty() || self.new.results.is_empty() {
            return;
        }
        match (self.old.infers_result_types, self.new.infers_result_types) {
            (true, false) => {
                let finding = report.add(Rule::OP021, &subject, "the types of results must be given now");
                self.decide(finding, "");
            }
            (false, true) => {
                let finding =
                    report.add(Rule::OP022, &subject, "the types of results follow from the rest now");
                // ODS generates the function.
                finding.set(Level::Implementer, Verdict::Safe);
                self.decide(finding, "");
            }
            _ => {}
        }
    }

    fn regions(self, report: &mut Report) {
        let subject = self.subject();
        let (old, new) = (&self.old.regions, &self.new.regions);
        let list = |parts: &[Part]| {
            let name = |part: &Part| {
                if part.name.is_empty() { "one without a name".to_owned() } else { part.name.clone() }
            };
            parts.iter().map(name).collect::<Vec<_>>().join(", ")
        };
        if old.len() != new.len() {
            let finding = report.add(Rule::OP023, &subject, change("the regions", &list(old), &list(new)));
            let shared = old.len().min(new.len());
            let is_same = old[..shared].iter().zip(&new[..shared]).all(|(a, b)| a.name == b.name);
            let is_absent = |parts: &[Part]| parts.iter().all(|part| part.is_variadic);
            if is_same && is_absent(&new[shared..]) && is_absent(&old[shared..]) {
                // A variadic region may be absent, and is in files of the shorter list.
                if new.len() > old.len() {
                    // Old files have no region of that name, which the new operation allows.
                    let levels = [Level::Generic, Level::Bytecode, Level::Verifier, Level::Implementer];
                    for level in levels {
                        finding.set(level, Verdict::Safe);
                    }
                } else {
                    finding.message += "; files without it are not concerned";
                }
            }
            self.decide_text(finding);
            return;
        }
        let same_names = |a: &[Part], b: &[Part]| {
            let set = |parts: &[Part]| parts.iter().map(|part| part.name.clone()).collect::<BTreeSet<_>>();
            set(a) == set(b)
        };
        let is_ordered = old.iter().map(|part| &part.name).eq(new.iter().map(|part| &part.name));
        if !is_ordered && same_names(old, new) {
            let message = change("the order of regions", &list(old), &list(new));
            let finding = report.add(Rule::OP023, &subject, message);
            finding.set(Level::Generic, Verdict::Silent).set(Level::Bytecode, Verdict::Silent);
            self.decide_text(finding);
        }
        for (a, b) in old.iter().zip(new) {
            if a.is_variadic != b.is_variadic {
                let count = |part: &Part| if part.is_variadic { "any number" } else { "one" };
                let message = change("how many regions", count(a), count(b));
                let finding = report.add_part(Rule::OP023, &subject, &a.name, message);
                if b.is_variadic {
                    for level in [Level::Generic, Level::Bytecode, Level::Verifier] {
                        finding.set(level, Verdict::Safe);
                    }
                } else {
                    finding.message += "; files with one are not concerned";
                }
                self.decide_text(finding);
            }
            let constraints = (self.cx.old.constraint(a.constraint), self.cx.new.constraint(b.constraint));
            let (Some(old), Some(new)) = constraints else { continue };
            let relation = self.relation(old, new);
            let verdict = match relation {
                Relation::Same => continue,
                // Valid values stay valid.
                Relation::Widened => Verdict::Safe,
                Relation::Narrowed(_) | Relation::Changed(_) => Verdict::Breaks,
                Relation::Unknown => Verdict::Unknown,
            };
            let message = change("the region's condition", &cpp(&old.condition), &cpp(&new.condition));
            report.add_part(Rule::OP024, &subject, &a.name, message).set(Level::Verifier, verdict);
        }
    }

    fn successors(self, report: &mut Report) {
        let shape = |parts: &[Part]| parts.iter().map(|part| part.is_variadic).collect::<Vec<_>>();
        if shape(&self.old.successors) != shape(&self.new.successors) {
            let message = format!(
                "there were {} successors, and are {}",
                self.old.successors.len(),
                self.new.successors.len()
            );
            let finding = report.add(Rule::OP025, &self.subject(), message);
            self.decide_text(finding);
        }
    }

    fn hooks(self, report: &mut Report) {
        let subject = self.subject();
        let (old, new) = (&self.old.hooks, &self.new.hooks);
        let rule = |hook: &str| match hook {
            "hasVerifier" | "hasRegionVerifier" => Some(Rule::HK001),
            "hasFolder" | "hasCanonicalizer" | "hasCanonicalizeMethod" => Some(Rule::HK002),
            _ => None,
        };
        for hook in new.iter().filter(|hook| !old.contains(hook)) {
            if let Some(rule) = rule(hook) {
                let finding = report.add_part(rule, &subject, hook, format!("{hook} is set now"));
                finding.set(Level::Implementer, Verdict::Breaks);
            }
        }
        for hook in old.iter().filter(|hook| !new.contains(hook)) {
            if let Some(rule) = rule(hook) {
                let finding = report.add_part(rule, &subject, hook, format!("{hook} is not set any more"));
                finding.set(Level::Implementer, Verdict::Safe).set(Level::Verifier, Verdict::Safe);
            }
        }
        self.builders(report);
        if self.old.skips_default_builders != self.new.skips_default_builders {
            let is_gone = self.new.skips_default_builders;
            let message =
                if is_gone { "the usual builders are gone" } else { "the usual builders are there" };
            let verdict = if is_gone { Verdict::Unknown } else { Verdict::Safe };
            let finding = report.add(Rule::HK004, &subject, message);
            finding.set(Level::Cpp, verdict);
            self.decide_calls(finding, "");
        }
        let [old, new] = self.scopes();
        let mut before = members(&self.old.extra_class_declaration, old);
        let after = members(&self.new.extra_class_declaration, new);
        // The class declares the methods of its interfaces as well.
        before.retain(|it| after.contains(it) || !self.declares(it));
        declarations(Rule::HK005, &subject, EXTRA_DECLARATION, (&before, &after), report);
    }

    /// Returns true if the new class declares a function for one of its interfaces.
    fn declares(self, member: &str) -> bool {
        let (name, _) = member.split_once('(').unwrap_or_default();
        let name = name.rsplit([' ', '&', '*']).next().unwrap_or_default();
        let traits: Vec<String> = self.cx.new.traits(&self.new.traits).map(|it| cpp(&it.cpp_name)).collect();
        self.cx.new.0.interfaces.iter().any(|it| {
            let class = cpp(&format!("{}::{}::Trait", it.cpp_namespace, it.cpp_class));
            traits.contains(&class) && it.methods.iter().any(|method| method.name == name)
        })
    }

    /// Reports builders that no longer compile, and deprecated ones.
    fn builders(self, report: &mut Report) {
        let subject = self.subject();
        let [old, new] = self.scopes();
        let types = |builder: &odsmith_interchange::op::Builder, scope: Scope<'_>| {
            builder.parameters.iter().map(|it| scope.normal(&it.cpp_type)).collect::<Vec<_>>().join(", ")
        };
        let after: BTreeMap<String, bool> =
            self.new.builders.iter().map(|it| (types(it, new), it.deprecated.is_some())).collect();
        for builder in &self.old.builders {
            let types = types(builder, old);
            match after.get(&types) {
                None => {
                    let message = format!("the builder with {} is gone", quoted(&types));
                    let finding = report.add_part(Rule::HK003, &subject, "builders", message);
                    // Another builder may take its calls.
                    let is_taken = |calls: &Calls| {
                        !calls.lost.iter().any(|lost| {
                            lost.types.iter().map(|it| old.normal(it)).collect::<Vec<_>>().join(", ") == types
                        })
                    };
                    if self.judged.calls.as_ref().is_some_and(is_taken) {
                        finding.set(Level::Cpp, Verdict::Safe);
                    }
                }
                Some(true) if builder.deprecated.is_none() => {
                    let message = format!("the builder with {} is deprecated", quoted(&types));
                    let finding = report.add_part(Rule::HK003, &subject, "builders", message);
                    finding.set(Level::Cpp, Verdict::Safe);
                }
                Some(_) => {}
            }
        }
    }

    /// Decides the effects that follow from generated code: on texts by both formats, on calls by the declarations.
    pub fn decide(self, finding: &mut Change, part: &str) {
        if finding.effects.contains_key(&Level::Text) {
            self.decide_text(finding);
        }
        self.decide_calls(finding, part);
    }

    /// Decides the effect on texts.
    pub fn decide_text(self, finding: &mut Change) {
        let verdict = match &self.judged.texts {
            // The text is the generic form.
            Texts::Generic => finding.effects.get(&Level::Generic).copied().unwrap_or_default(),
            texts => texts.verdict(),
        };
        finding.set(Level::Text, verdict);
    }

    /// Decides the effect on calls.
    pub fn decide_calls(self, finding: &mut Change, part: &str) {
        let Some(calls) = &self.judged.calls else { return };
        if finding.effects.contains_key(&Level::Cpp) {
            finding.set(Level::Cpp, calls.builders.min(calls.accessors_of(part)));
        }
        if let Some(python) = calls.python
            && finding.effects.contains_key(&Level::Python)
        {
            finding.set(Level::Python, python);
        }
    }

    /// Returns the effect on texts with an attribute in the dictionary, or at its own place in the format.
    pub fn text_of_attribute(self, name: &str, in_dictionary: Verdict) -> Verdict {
        let texts = &self.judged.texts;
        let has_place = format::of_operation(self.old).binds(name);
        match texts {
            Texts::Generic => in_dictionary,
            Texts::Decided(_) | Texts::Same if !has_place => in_dictionary.min(match texts.verdict() {
                // Other parts of the format have findings of their own.
                Verdict::Unknown => Verdict::Unknown,
                _ => Verdict::Safe,
            }),
            texts => texts.verdict(),
        }
    }
}

/// Returns the result of `getDefaultDialect`, if the definition has its body.
pub(super) fn default_dialect(op: &Operation) -> Option<&str> {
    let (_, rest) = op.extra_class_declaration.split_once("getDefaultDialect")?;
    let body = rest.split('}').next()?;
    let (_, value) = body.split_once("return")?;
    value.split('"').nth(1)
}

/// Returns the effect of a narrowed condition: nothing is shown to break without an example.
pub(super) fn broken(example: &Option<String>) -> Verdict {
    if example.is_some() { Verdict::Breaks } else { Verdict::Unknown }
}

/// The field with declarations in the body of a class.
pub(super) const EXTRA_DECLARATION: &str = "extraClassDeclaration";

/// Compares declarations of a field, in the body of a class. New ones, and other bodies of functions, break nothing.
pub(super) fn declarations(
    rule: Rule,
    subject: &Subject<'_>,
    field: &str,
    (before, after): (&[String], &[String]),
    report: &mut Report,
) {
    let gone: Vec<&String> = before.iter().filter(|it| !after.contains(it)).collect();
    let fresh: Vec<&String> = after.iter().filter(|it| !before.contains(it)).collect();
    let list = |all: &[&String]| {
        let shown = all.iter().take(2).map(|it| quoted(it)).collect::<Vec<_>>().join(", ");
        if all.len() > 2 { format!("{shown} and {} more", all.len() - 2) } else { shown }
    };
    match (&gone[..], &fresh[..]) {
        ([], []) => {}
        ([], fresh) => {
            let message = format!("{field} has gained {}", list(fresh));
            report.add(rule, subject, message).set(Level::Cpp, Verdict::Safe);
        }
        (gone, []) => _ = report.add(rule, subject, format!("{field} has lost {}", list(gone))),
        (gone, fresh) => {
            let message = format!("{field} has {} in place of {}", list(fresh), list(gone));
            report.add(rule, subject, message);
        }
    }
}

/// The operands or the results of both sides.
struct Values<'d> {
    both: Both<'d>,
    old: Vec<&'d Part>,
    new: Vec<&'d Part>,
    is_result: bool,
}

impl<'d> Values<'d> {
    fn operands(both: Both<'d>) -> Self {
        let operands =
            |op: &'d Operation| op.arguments.iter().filter(|it| it.kind == PartKind::Operand).collect();
        Values { both, old: operands(both.old), new: operands(both.new), is_result: false }
    }

    fn results(both: Both<'d>) -> Self {
        Values {
            both,
            old: both.old.results.iter().collect(),
            new: both.new.results.iter().collect(),
            is_result: true,
        }
    }

    fn compare(&self, report: &mut Report) {
        let subject = self.both.subject();
        let what = if self.is_result { "result" } else { "operand" };
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        let mut gone = Vec::new();
        let mut is_new = vec![true; self.new.len()];
        for (at, part) in self.old.iter().enumerate() {
            // Parts without a name are paired by position.
            let same = |(index, other): (usize, &&Part)| {
                is_new[index] && other.name == part.name && (!part.name.is_empty() || index == at)
            };
            match self.new.iter().enumerate().position(same) {
                Some(to) => {
                    is_new[to] = false;
                    pairs.push((at, to));
                }
                None => gone.push(at),
            }
        }
        // A part at the same position with another name was renamed.
        if self.old.len() == self.new.len() {
            gone.retain(|&at| {
                let condition = |is_old| self.element(is_old, at).map(|it| cpp(&it.condition));
                // Another type at the same position is a separate change.
                let is_alike = condition(true) == condition(false)
                    || self.cardinality(true, at) == self.cardinality(false, at);
                let is_renamed = is_new[at] && is_alike;
                if is_renamed {
                    is_new[at] = false;
                    pairs.push((at, at));
                    let rule = if self.is_result { Rule::OP019 } else { Rule::OP012 };
                    let (before, after) = (&self.old[at].name, &self.new[at].name);
                    let message = change(&format!("the {what}'s name"), before, after);
                    report.add_part(rule, &subject, before, message);
                }
                !is_renamed
            });
        }
        pairs.sort_unstable();
        if !pairs.is_sorted_by_key(|&(_, to)| to) {
            let list =
                |parts: &[&Part]| parts.iter().map(|it| it.name.as_str()).collect::<Vec<_>>().join(", ");
            let rule = if self.is_result { Rule::OP020 } else { Rule::OP011 };
            let message = change(&format!("the order of {what}s"), &list(&self.old), &list(&self.new));
            let finding = report.add(rule, &subject, message);
            self.both.decide(finding, "");
        }
        for at in gone {
            let part = self.old[at];
            let message = format!("the {what} {} is gone", quoted(&part.name));
            let rule = if self.is_result { Rule::OP018 } else { Rule::OP010 };
            let finding = report.add_part(rule, &subject, &part.name, message);
            self.both.decide(finding, &part.name);
            if self.is_counted() && self.cardinality(true, at) == Cardinality::One {
                finding.set(Level::Text, Verdict::Breaks);
            }
            self.keep_absence(finding, self.cardinality(true, at));
        }
        for (at, part) in self.new.iter().enumerate().filter(|&(at, _)| is_new[at]) {
            self.added(at, part, report);
        }
        for (a, b) in pairs {
            self.changed(a, b, report);
        }
    }

    /// Returns true if a text keeps the number of values whatever its format: it names all results, if there are any,
    /// and lists all operands for `operands`.
    fn is_counted(&self) -> bool {
        match self.is_result {
            true => !self.old.is_empty(),
            false => format::of_operation(self.both.new).lists_operands(),
        }
    }

    fn added(&self, at: usize, part: &Part, report: &mut Report) {
        let subject = self.both.subject();
        let is_required = self.cardinality(false, at) == Cardinality::One;
        let what = if self.is_result { "result" } else { "operand" };
        let message = format!("the {what} {} is new", quoted(&part.name));
        if is_required {
            let rule = if self.is_result { Rule::OP018 } else { Rule::OP006 };
            let finding = report.add_part(rule, &subject, &part.name, message);
            self.both.decide(finding, &part.name);
            if self.is_counted() {
                finding.set(Level::Text, Verdict::Breaks);
            }
            self.lose_one_result(finding);
            return;
        }
        let rule = if self.is_result { Rule::OP018 } else { Rule::OP007 };
        let has_segments = {
            let slot = if self.is_result { "resultSegmentSizes" } else { "operandSegmentSizes" };
            layout::segments(self.both.new, self.both.cx.new).contains(&slot)
        };
        // Without sizes, several variable-length parts have equally many values.
        let many = (0..self.new.len()).filter(|&it| self.cardinality(false, it) != Cardinality::One).count();
        let verdict = match (has_segments, many) {
            // Segments have their own finding.
            (true, _) | (false, 0 | 1) => Verdict::Safe,
            (false, _) => Verdict::Breaks,
        };
        let finding = report.add_part(rule, &subject, &part.name, message);
        finding.set(Level::Generic, verdict).set(Level::Bytecode, verdict);
        self.both.decide(finding, &part.name);
        self.lose_one_result(finding);
    }

    /// Sets the effect on callers of an operation that had one result: it was a value, and has no `getResult()` any more.
    fn lose_one_result(&self, finding: &mut Change) {
        let had_one = self.old.len() == 1 && self.cardinality(true, 0) == Cardinality::One;
        if self.is_result && had_one && self.new.len() != 1 {
            finding.set(Level::Cpp, Verdict::Breaks);
        }
    }

    /// Notes in the message that an optional part breaks only files that have it.
    fn keep_absence(&self, finding: &mut Change, cardinality: Cardinality) {
        if cardinality != Cardinality::One {
            finding.message += "; files without it are not concerned";
        }
    }

    fn changed(&self, a: usize, b: usize, report: &mut Report) {
        let subject = self.both.subject();
        let name = &self.old[a].name;
        let (before, after) = (self.cardinality(true, a), self.cardinality(false, b));
        if before != after {
            let word = |it: Cardinality| match it {
                Cardinality::One => "one",
                Cardinality::Optional => "optional",
                Cardinality::Variadic => "variadic",
                Cardinality::VariadicOfVariadic => "variadic of variadic",
            };
            let rule = if after == Cardinality::One { Rule::OP014 } else { Rule::OP013 };
            let finding =
                report.add_part(rule, &subject, name, change("how many", word(before), word(after)));
            self.both.decide_text(finding);
        }
        let (Some(old), Some(new)) = (self.element(true, a), self.element(false, b)) else { return };
        let relation = self.both.relation(old, new);
        let [old_scope, new_scope] = self.both.scopes();
        let [old_condition, new_condition] =
            quoted_pair(&old_scope.normal(&old.condition), &new_scope.normal(&new.condition));
        let texts = match quoted_pair(&old.summary, &new.summary) {
            _ if old.summary.is_empty() && new.summary.is_empty() => {
                format!("the condition: {old_condition} became {new_condition}")
            }
            [old, new] if old == new => format!("{old}: {old_condition} became {new_condition}"),
            [old, new] => format!("{old} became {new}: {old_condition} became {new_condition}"),
        };
        let (rule, verdict, example) = match relation {
            Relation::Same => return,
            Relation::Narrowed(example) => (Rule::OP015, broken(&example), example),
            Relation::Widened => (Rule::OP016, Verdict::Safe, None),
            Relation::Changed(example) => (Rule::OP017, broken(&example), example),
            Relation::Unknown => (Rule::OP017, Verdict::Unknown, None),
        };
        let finding = report.add_part(rule, &subject, name, texts);
        finding.claim_values([name, &self.new[b].name], verdict, example);
        let field = if self.is_result { "results" } else { "arguments" };
        let [before, after] = [&self.both.old.definition, &self.both.new.definition];
        finding.old = before.places.get(field).cloned().or(finding.old.take());
        finding.new = after.places.get(field).cloned().or(finding.new.take());
        if old.definition.record.is_some() && old.definition.record == new.definition.record {
            // The constraint itself changed: that is the place.
            if let (Some(before), Some(after)) = (&old.definition.location, &new.definition.location) {
                (finding.old, finding.new) = (Some(before.clone()), Some(after.clone()));
            }
        }
        let type_of =
            |it: &Constraint, scope: Scope<'_>| it.of_type.as_ref().map(|it| scope.normal(&it.cpp_type));
        match &self.both.judged.calls {
            _ if type_of(old, old_scope) == type_of(new, new_scope) => {
                _ = finding.set(Level::Cpp, Verdict::Safe)
            }
            Some(calls) => _ = finding.set(Level::Cpp, calls.accessors_of(name)),
            None => {}
        }
    }

    fn part(&self, is_old: bool, at: usize) -> (&'d Part, Side<'d>) {
        if is_old { (self.old[at], self.both.cx.old) } else { (self.new[at], self.both.cx.new) }
    }

    fn cardinality(&self, is_old: bool, at: usize) -> Cardinality {
        let (part, side) = self.part(is_old, at);
        let constraint = side.constraint(part.constraint).and_then(|it| it.of_type.as_ref());
        constraint.map_or(Cardinality::One, |it| it.cardinality)
    }

    /// Returns the constraint on each value.
    fn element(&self, is_old: bool, at: usize) -> Option<&'d Constraint> {
        let (part, side) = self.part(is_old, at);
        let constraint = side.constraint(part.constraint)?;
        match constraint.of_type.as_ref().and_then(|it| it.base) {
            Some(base) => side.constraint(base),
            None => Some(constraint),
        }
    }
}
