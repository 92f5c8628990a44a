//! The effect of a comparison's findings on one program. A finding is about an operation; the program is affected only
//! if it has the parts in question:
//!
//! ```text
//! OP015 my.add#a: takes only i32        "my.add"(%a) : (i64) -> ()     breaks
//!                                       "my.add"(%a) : (i32) -> ()     is read
//! ```
//!
//! Without a finding, nothing breaks: facts about the program only remove findings, or leave them open.

mod text;
mod values;
mod wire;

use std::collections::BTreeMap;

use odsmith_interchange::{
    Document,
    constraint::Constraint,
    grammar::read::Classes,
    op::{Operation, Part, PartKind, Trait},
};

use super::{
    Change, Cx, Side, layout,
    operation::default_dialect,
    rules::{Level, Rule, Verdict},
};
use values::Landing;

/// An operation in a program. Parts of a kind are indexed as in the definition of the side that wrote the program.
pub trait Instance {
    /// Returns the name of the operation.
    fn operation(&self) -> &str;
    /// Returns the number of values of an operand or result, or whether an attribute is present; `None` if unknown.
    fn count(&self, kind: PartKind, index: usize) -> Option<usize>;
    /// Returns true if a value that is present satisfies a condition on `$_self`; `None` if only C++ knows.
    fn satisfies(&self, kind: PartKind, index: usize, condition: &str) -> Option<bool>;
    /// Returns true if the parts satisfy a trait of the reading side; `None` if only C++ knows.
    fn holds(&self, it: &Trait) -> Option<bool>;
    /// Returns the name of the operation around it.
    fn parent(&self) -> Option<&str>;
}

/// The effect on a program, and the rule that causes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Outlook {
    /// The worst of the verdicts.
    pub verdict: Verdict,
    /// The rule with that verdict.
    pub rule: Option<Rule>,
}

impl Outlook {
    const SAFE: Outlook = Outlook { verdict: Verdict::Safe, rule: None };

    fn new(verdict: Verdict, rule: Rule) -> Self {
        if verdict == Verdict::Safe { Outlook::SAFE } else { Outlook { verdict, rule: Some(rule) } }
    }

    /// Returns the worse of two: "breaks" outranks "unknown", which outranks "silent".
    #[must_use]
    pub fn and(self, other: Outlook) -> Outlook {
        let rank = |it: &Outlook| match it.verdict {
            Verdict::Breaks => 0,
            Verdict::Unknown => 1,
            Verdict::Silent => 2,
            Verdict::Safe => 3,
        };
        if rank(&other) < rank(&self) { other } else { self }
    }
}

/// A predictor of the effect of findings in one direction on programs.
#[derive(Debug)]
pub struct Predictor<'d> {
    writing: &'d Document,
    reading: &'d Document,
    classes: [Classes; 2],
    findings: BTreeMap<&'d str, Vec<&'d Change>>,
    writers: BTreeMap<&'d str, &'d Operation>,
    readers: BTreeMap<&'d str, &'d Operation>,
}

impl<'d> Predictor<'d> {
    /// Creates one for programs that one side writes and the other reads: if backward, the old and the new side.
    #[must_use]
    pub fn new(
        findings: impl IntoIterator<Item = &'d Change>,
        writing: &'d Document,
        reading: &'d Document,
    ) -> Self {
        let mut by_subject: BTreeMap<&str, Vec<&Change>> = BTreeMap::new();
        for finding in findings {
            let subject = finding.subject.split('#').next().unwrap_or_default();
            by_subject.entry(subject).or_default().push(finding);
        }
        let by_name = |document: &'d Document| {
            let mut all: BTreeMap<&str, &Operation> = BTreeMap::new();
            for op in &document.operations {
                let best = all.entry(&op.name).or_insert(op);
                if best.traits.len() < op.traits.len() {
                    *best = op;
                }
            }
            all
        };
        Predictor {
            writing,
            reading,
            classes: [Classes::of_document(writing), Classes::of_document(reading)],
            findings: by_subject,
            writers: by_name(writing),
            readers: by_name(reading),
        }
    }

    /// Returns the effect on an operation in a program at a level of files.
    #[must_use]
    pub fn outlook(&self, instance: &dyn Instance, level: Level) -> Outlook {
        let name = instance.operation();
        let dialect = format!("dialect:{}", name.split('.').next().unwrap_or_default());
        let of = |subject: &str| self.findings.get(subject).map(Vec::as_slice).unwrap_or_default();
        let whole = of(&dialect).iter().filter(|it| matches!(it.rule, Rule::DI001 | Rule::DI002));
        let findings: Vec<&Change> = of(name).iter().chain(whole).copied().collect();
        let Some(&old) = self.writers.get(name) else { return Outlook::SAFE };
        let memo = Default::default();
        let (renamed, names) = (BTreeMap::new(), BTreeMap::new());
        let cx = Cx {
            old: Side(self.writing),
            new: Side(self.reading),
            renamed: &renamed,
            old_classes: &self.classes[0],
            new_classes: &self.classes[1],
            renames: &names,
            memo: &memo,
        };
        let gone = findings.iter().find(|it| {
            matches!(it.rule, Rule::OP001 | Rule::OP003 | Rule::DI001 | Rule::DI002)
                && verdict_at(it, level) != Verdict::Safe
        });
        if let Some(gone) = gone {
            return Outlook::new(Verdict::Breaks, gone.rule);
        }
        let Some(&new) = self.readers.get(name) else { return Outlook::SAFE };
        // An operation without a format is written in the generic form.
        let level = if level == Level::Text && text::is_generic(old) { Level::Generic } else { level };
        let concern = Concern { cx, old, new, instance, level, findings: &findings };
        concern.outlook().and(self.prefix(instance, level))
    }

    /// Returns the effect on an operation's name if the surrounding operation lets it omit its prefix.
    fn prefix(&self, instance: &dyn Instance, level: Level) -> Outlook {
        let around = instance.parent().and_then(|it| self.writers.get(it));
        let Some(around) = around.filter(|_| level == Level::Text) else { return Outlook::SAFE };
        let dialect = instance.operation().split('.').next().unwrap_or_default();
        if dialect != default_dialect(around).unwrap_or(&around.dialect) {
            return Outlook::SAFE;
        }
        let findings = self.findings.get(&*around.name).into_iter().flatten();
        let all = findings.filter(|it| it.rule == Rule::AF012);
        all.map(|it| Outlook::new(verdict_at(it, level), it.rule)).fold(Outlook::SAFE, Outlook::and)
    }
}

fn verdict_at(finding: &Change, level: Level) -> Verdict {
    finding.effects.get(&level).copied().unwrap_or_default()
}

/// An operation of a program, with the findings about it.
#[derive(Clone, Copy)]
struct Concern<'c> {
    cx: Cx<'c>,
    old: &'c Operation,
    new: &'c Operation,
    instance: &'c dyn Instance,
    level: Level,
    findings: &'c [&'c Change],
}

impl<'c> Concern<'c> {
    fn outlook(self) -> Outlook {
        let form = match self.level {
            Level::Text => self.text(),
            Level::Bytecode => self.wire(),
            _ => self.generic(),
        };
        // An operation that is not read is not verified.
        if form.verdict == Verdict::Breaks {
            return form;
        }
        let landing = match self.level {
            Level::Text => Landing::same(self),
            _ => Landing::new(self),
        };
        let shape = match landing {
            Ok(_) => Outlook::SAFE,
            Err(verdict) => self.of_values(verdict),
        };
        let moved = landing.as_ref().is_ok_and(|it| it.is_moved());
        let silent = if moved { self.of_values(Verdict::Silent) } else { Outlook::SAFE };
        let checked = self.verified(landing.as_ref().ok());
        [shape, silent, checked].into_iter().fold(form, Outlook::and)
    }

    /// Attributes a verdict to the first finding about operands or results; without one, the outlook is safe.
    fn of_values(self, verdict: Verdict) -> Outlook {
        use Rule as R;
        let rules = [
            R::OP006,
            R::OP007,
            R::OP008,
            R::OP009,
            R::OP010,
            R::OP011,
            R::OP013,
            R::OP014,
            R::OP018,
            R::OP020,
        ];
        let found = self.findings.iter().find(|it| rules.contains(&it.rule));
        found.map_or(Outlook::SAFE, |it| Outlook::new(verdict, it.rule))
    }

    /// Returns the effect of the generic form of attributes, regions and successors.
    fn generic(self) -> Outlook {
        let all = self.findings.iter().map(|finding| {
            let verdict = verdict_at(finding, Level::Generic);
            let verdict = match finding.rule {
                _ if verdict == Verdict::Safe => verdict,
                Rule::IN003 | Rule::OP023 | Rule::OP025 => verdict,
                Rule::IN005 | Rule::IN006 | Rule::IN007 | Rule::IN010
                    if layout::is_always_written(self.old, self.cx.old, part_of(finding)) =>
                {
                    verdict
                }
                Rule::IN005 | Rule::IN006 | Rule::IN007 | Rule::IN010 => self.of_part(finding, verdict),
                Rule::IN012 => self.is_missing(finding),
                Rule::IN014 => verdict,
                // `values` has placed the values already.
                Rule::OP006
                | Rule::OP007
                | Rule::OP008
                | Rule::OP009
                | Rule::OP010
                | Rule::OP011
                | Rule::OP014
                | Rule::OP018
                | Rule::OP020 => Verdict::Safe,
                _ => Verdict::Unknown,
            };
            Outlook::new(verdict, finding.rule)
        });
        all.fold(Outlook::SAFE, Outlook::and)
    }

    /// Returns the verdict of the reading side's verifier on an operation that was read.
    fn verified(self, landing: Option<&Landing>) -> Outlook {
        let all = self.findings.iter().map(|finding| {
            let verdict = verdict_at(finding, Level::Verifier);
            if verdict == Verdict::Safe {
                return Outlook::SAFE;
            }
            let part = part_of(finding);
            let verdict = match finding.rule {
                Rule::OP015 | Rule::OP016 | Rule::OP017 => match landing {
                    Some(landing) => landing.constraints(self, part),
                    None => Verdict::Unknown,
                },
                // The places of values are known, and so are their constraints.
                Rule::OP011 | Rule::OP020 => landing.map_or(Verdict::Unknown, |it| it.constraints(self, "")),
                Rule::IN011 => self.attribute(part),
                Rule::OP026 | Rule::OP027 => self.fits(part),
                Rule::TR005 => self.structure(part, verdict),
                // Its values are placed, or the generic form or the layout covers it.
                Rule::OP014 => Verdict::Safe,
                Rule::IN010 if self.level == Level::Text && text::binds(self.old, part) => Verdict::Safe,
                Rule::IN010 => self.of_part(finding, verdict),
                Rule::IN012 => self.is_missing(finding),
                // A handwritten parser may give it a value.
                Rule::IN003 if self.level == Level::Text && text::is_by_hand(self.new) => Verdict::Unknown,
                Rule::IN003 | Rule::OP023 | Rule::OP025 => verdict,
                _ => Verdict::Unknown,
            };
            Outlook::new(verdict, finding.rule)
        });
        all.fold(Outlook::SAFE, Outlook::and)
    }

    /// Returns true if the finding's attribute or property is present.
    fn is_there(self, finding: &Change) -> Option<bool> {
        let name = part_of(finding);
        let all = [PartKind::Attribute, PartKind::Property].into_iter().find_map(|kind| {
            let index = parts(self.old, kind).position(|it| it.name == name)?;
            Some((kind, index))
        });
        let (kind, index) = all?;
        self.instance.count(kind, index).map(|count| count > 0)
    }

    /// Returns the effect if a finding's part breaks the program when present.
    fn of_part(self, finding: &Change, when_there: Verdict) -> Verdict {
        match self.is_there(finding) {
            Some(true) => when_there,
            Some(false) => Verdict::Safe,
            None if when_there == Verdict::Safe => Verdict::Safe,
            None => Verdict::Unknown,
        }
    }

    fn is_missing(self, finding: &Change) -> Verdict {
        match self.is_there(finding) {
            Some(true) => Verdict::Safe,
            Some(false) => Verdict::Breaks,
            None => Verdict::Unknown,
        }
    }

    /// Returns the verdict on an attribute against the reading side's constraint.
    fn attribute(self, name: &str) -> Verdict {
        let find = |op: &'c Operation| {
            let mut all = parts(op, PartKind::Attribute).enumerate();
            all.find(|(_, it)| it.name == name)
        };
        let (Some((index, _)), Some((_, new))) = (find(self.old), find(self.new)) else {
            return Verdict::Unknown;
        };
        let Some(constraint) = self.cx.new.constraint(new.constraint) else { return Verdict::Unknown };
        let base = constraint.attribute.as_ref().and_then(|it| self.cx.new.constraint(it.base?));
        match self.instance.count(PartKind::Attribute, index) {
            Some(0) => Verdict::Safe,
            Some(_) => self.satisfies(PartKind::Attribute, index, base.unwrap_or(constraint)),
            None => Verdict::Unknown,
        }
    }

    fn satisfies(self, kind: PartKind, index: usize, constraint: &Constraint) -> Verdict {
        of_truth(self.instance.satisfies(kind, index, &constraint.condition))
    }

    /// Returns the verdict on the operation's parts against a trait.
    fn fits(self, name: &str) -> Verdict {
        let all = self.cx.new.traits(&self.new.traits).filter(|it| it.name == name);
        all.map(|it| of_truth(self.instance.holds(it))).min_by_key(rank).unwrap_or(Verdict::Unknown)
    }

    fn structure(self, name: &str, verdict: Verdict) -> Verdict {
        let all = self.cx.new.traits(&self.new.traits).filter(|it| it.name == name);
        let of = |it: &Trait| {
            let parents = it.cpp_name.split_once("HasParent<").and_then(|(_, rest)| rest.split_once('>'));
            match (parents, self.instance.parent()) {
                (Some((list, _)), Some(parent)) => {
                    let class = self.cx.new.0.operations.iter().find(|op| op.name == parent);
                    let is_one =
                        |class: &str| list.split(',').any(|it| it.trim().rsplit("::").next() == Some(class));
                    match class {
                        Some(op) if is_one(&op.cpp_class) => Verdict::Safe,
                        _ => Verdict::Breaks,
                    }
                }
                (Some(_), None) => Verdict::Breaks,
                // Without regions there is nothing more to check.
                _ if verdict == Verdict::Breaks && self.old.regions.is_empty() => Verdict::Breaks,
                _ => Verdict::Unknown,
            }
        };
        all.map(of).min_by_key(rank).unwrap_or(Verdict::Unknown)
    }
}

/// Ranks verdicts for one program, the worst first.
fn rank(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::Breaks => 0,
        Verdict::Unknown => 1,
        Verdict::Silent => 2,
        Verdict::Safe => 3,
    }
}

fn of_truth(truth: Option<bool>) -> Verdict {
    match truth {
        Some(true) => Verdict::Safe,
        Some(false) => Verdict::Breaks,
        None => Verdict::Unknown,
    }
}

/// Returns the part that a finding is about.
fn part_of(finding: &Change) -> &str {
    finding.subject.split_once('#').map_or("", |(_, part)| part)
}

/// Returns the parts of a kind, in the order of the definition.
fn parts(op: &Operation, kind: PartKind) -> impl Iterator<Item = &Part> {
    let all = if kind == PartKind::Result { &op.results } else { &op.arguments };
    all.iter().filter(move |it| it.kind == kind)
}
