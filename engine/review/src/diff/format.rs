//! Assembly formats: how the new parser reads the texts that the old printer writes.

use std::collections::BTreeSet;

use odsmith_interchange::{
    constraint::Cardinality,
    defs::Enum,
    format::{Clause, Element},
    grammar::{self, Format},
    op::{Operation, PartKind},
};

use super::{
    Change, Claim, Cx, Report, Side, Subject, Witness, change,
    names::Scope,
    operation::{Both, words},
    quoted,
    rules::{Level, Rule, Verdict},
    undecided,
};
use crate::language::{self, Class, Comparison, Pairing, grammar::read::differ_in_blanks_only, includes};
use crate::logic::{self, Answer, Condition};

/// The syntax of a definition.
#[derive(Clone, Copy)]
pub(super) struct Syntax<'d> {
    pub text: Option<&'d str>,
    pub format: Option<&'d [Element]>,
    pub grammar: Option<&'d Format>,
    pub is_by_hand: bool,
}

impl Syntax<'_> {
    /// Returns true if there is only the generic form.
    fn is_generic(self) -> bool {
        self.text.is_none() && !self.is_by_hand
    }

    /// Returns true if the format places an argument itself, rather than in the dictionary.
    pub(super) fn binds(self, name: &str) -> bool {
        self.grammar.is_some_and(|it| it.elements.iter().any(|element| binds(it, element, name)))
    }

    /// Returns true if the format has `operands`, which lists all of them.
    pub(super) fn lists_operands(self) -> bool {
        self.grammar
            .is_some_and(|it| it.entities.iter().any(|it| it.is_all && it.kind == grammar::Kind::Operand))
    }
}

fn binds(format: &Format, element: &grammar::Element, name: &str) -> bool {
    use grammar::Element as E;
    let is = |entity: &usize| format.entities.get(*entity).is_some_and(|it| it.name == name);
    let any = |elements: &[E]| elements.iter().any(|element| binds(format, element, name));
    match element {
        E::Entity(entity) => is(entity),
        E::Custom { parameters, .. } => {
            parameters.iter().any(|it| matches!(it, grammar::Parameter::Entity(entity) if is(entity)))
        }
        E::OiList(clauses) => clauses.iter().any(|it| any(&it.elements)),
        E::Optional { then, otherwise, .. } => any(then) || any(otherwise),
        E::Params(all) => all.iter().any(is),
        E::Struct(fields) => fields.iter().any(|it| is(&it.entity)),
        E::Literal(_)
        | E::Whitespace(_)
        | E::Type(_)
        | E::FunctionalType { .. }
        | E::AttrDict { .. }
        | E::PropDict => false,
    }
}

/// The effect on old texts.
#[derive(Clone, Debug)]
pub(super) enum Texts {
    /// Both sides have only the generic form.
    Generic,
    /// The formats were compared as languages.
    Decided(Box<Comparison>),
    /// The formats are the same.
    Same,
    /// Only the generic form is left.
    Gone,
    /// Only C++ knows.
    Opaque,
}

impl Texts {
    pub(super) fn new(old: Syntax<'_>, new: Syntax<'_>, cx: Cx<'_>) -> Texts {
        if old.is_generic() {
            return Texts::Generic;
        }
        if new.is_generic() {
            return Texts::Gone;
        }
        let (Some(before), Some(after)) = (old.grammar, new.grammar) else { return Texts::Opaque };
        let (mut before, mut after) = (before.clone(), after.clone());
        before.resolve(cx.old_classes);
        after.resolve(cx.new_classes);
        name_classes(&mut before, Scope { namespace: "", renames: Some(cx.renames) });
        name_classes(&mut after, Scope::NONE);
        name_cases(&mut before, &after, cx);
        spell_lists(&mut before);
        spell_lists(&mut after);
        if before == after {
            return Texts::Same;
        }
        let pairing = Pairing::by_name(&before, &after);
        let mut comparison = includes(&before, &after, &pairing, language::WORK);
        if comparison.refused.is_some() {
            // If a format's own parser rejects its texts, the model of the language is too coarse to show anything.
            let own = language::round_trip(&before, language::WORK);
            if own.refused.is_some() {
                let filled = filled(&before);
                if language::round_trip(&filled, language::WORK).refused.is_some() {
                    comparison.refused = None;
                    comparison.is_complete = false;
                } else {
                    // Texts of empty lists are read by neither side.
                    comparison =
                        includes(&filled, &after, &Pairing::by_name(&filled, &after), language::WORK);
                }
            }
        }
        let (was, is) = (directives(&before), directives(&after));
        let is_changed = was.iter().any(|(name, handed)| {
            is.iter().any(|(other, now)| other == name && now != handed)
                && !is.contains(&(name.clone(), handed.clone()))
        });
        if is_changed {
            // A directive with other parameters calls another function, which may read the same text its own way.
            comparison.rebound = None;
            comparison.is_complete = false;
        }
        Texts::Decided(Box::new(comparison))
    }

    /// Returns the effect on texts with a part that the format itself prints.
    pub(super) fn verdict(&self) -> Verdict {
        match self {
            Texts::Same => Verdict::Safe,
            Texts::Generic | Texts::Gone => Verdict::Breaks,
            Texts::Opaque => Verdict::Unknown,
            Texts::Decided(comparison) => match comparison.verdict() {
                language::Verdict::Included => Verdict::Safe,
                language::Verdict::Unknown | language::Verdict::Unclear => Verdict::Unknown,
                language::Verdict::Rebound => Verdict::Silent,
                language::Verdict::Refused => Verdict::Breaks,
            },
        }
    }
}

/// Writes enums as on the new side: their cases have findings of their own.
fn name_cases(before: &mut Format, after: &Format, cx: Cx<'_>) {
    let words = |class: &Class| match class {
        Class::Enum { words, strings } => words.iter().chain(strings).cloned().collect::<BTreeSet<String>>(),
        _ => BTreeSet::new(),
    };
    let spellings =
        |it: &Enum| it.cases.iter().map(|case| case.spelling.clone()).collect::<BTreeSet<String>>();
    for entity in &mut before.entities {
        let cases = words(&entity.class);
        let other = after.entities.iter().find(|it| it.name == entity.name && it.kind == entity.kind);
        // A set of bits as a whole: its separator has a finding of its own.
        let set = |class: &Class| match class {
            Class::Code(text) => {
                text.strip_prefix("bits of ").and_then(|it| Some(it.split_once(' ')?.0.to_owned()))
            }
            _ => None,
        };
        if let Some(other) =
            other.filter(|it| set(&it.class).is_some() && set(&it.class) == set(&entity.class))
        {
            entity.class = other.class.clone();
            continue;
        }
        let Some(other) = other.filter(|it| !cases.is_empty() && it.class != entity.class) else { continue };
        let fresh = words(&other.class);
        let is_same = cx.old.0.enums.iter().filter(|it| spellings(it) == cases).any(|old| {
            let mut all = cx.new.0.enums.iter();
            all.any(|new| {
                let is_paired = new.id() == old.id() || new.definition.record == old.definition.record;
                is_paired && spellings(new) == fresh
            })
        });
        if is_same {
            entity.class = other.class.clone();
        }
    }
}

/// Returns a format without texts in which a list that is always written has no values.
fn filled(format: &Format) -> Format {
    fn in_groups(elements: &[grammar::Element], is_inside: bool, found: &mut BTreeSet<usize>) {
        use grammar::Element as E;
        for element in elements {
            match element {
                E::Entity(entity) | E::Type(entity) if is_inside => _ = found.insert(*entity),
                E::FunctionalType { inputs, results } if is_inside => found.extend([*inputs, *results]),
                E::Custom { parameters, .. } if is_inside => {
                    found.extend(parameters.iter().filter_map(grammar::Parameter::entity));
                }
                E::OiList(clauses) => clauses.iter().for_each(|it| in_groups(&it.elements, true, found)),
                E::Optional { then, otherwise, .. } => {
                    in_groups(then, true, found);
                    in_groups(otherwise, true, found);
                }
                _ => {}
            }
        }
    }
    let mut optional = BTreeSet::new();
    in_groups(&format.elements, false, &mut optional);
    let mut format = format.clone();
    for (at, entity) in format.entities.iter_mut().enumerate() {
        if (entity.low, entity.high) == (0, 2) && !optional.contains(&at) {
            entity.low = 1;
        }
    }
    format
}

/// Writes names of classes in their shortest form.
fn name_classes(format: &mut Format, scope: Scope<'_>) {
    for entity in &mut format.entities {
        for class in [&mut entity.class, &mut entity.type_class] {
            if let Class::Type(name) | Class::Own(name) = class {
                *name = scope.normal(name);
            }
        }
    }
}

/// Writes `operands`, `results`, `regions` and `successors` as the parts that they mean: the only one, or several
/// with one value each.
fn spell_lists(format: &mut Format) {
    fn spelled(elements: &mut Vec<grammar::Element>, all: usize, parts: &[usize]) {
        use grammar::Element as E;
        let listed = |make: fn(usize) -> E| {
            let mut elements = Vec::new();
            for &part in parts {
                if !elements.is_empty() {
                    elements.push(E::Literal(",".to_owned()));
                }
                elements.push(make(part));
            }
            elements
        };
        let mut at = 0;
        while at < elements.len() {
            let spelled_out = match &mut elements[at] {
                E::Entity(entity) if *entity == all => Some(listed(E::Entity)),
                E::Type(entity) if *entity == all => Some(listed(E::Type)),
                E::FunctionalType { inputs, results } => {
                    if let [only] = parts {
                        for entity in [inputs, results] {
                            *entity = if *entity == all { *only } else { *entity };
                        }
                    }
                    None
                }
                E::OiList(clauses) => {
                    clauses.iter_mut().for_each(|it| spelled(&mut it.elements, all, parts));
                    None
                }
                E::Optional { then, otherwise, .. } if parts.len() == 1 => {
                    spelled(then, all, parts);
                    spelled(otherwise, all, parts);
                    None
                }
                _ => None,
            };
            let Some(new) = spelled_out else {
                at += 1;
                continue;
            };
            let count = new.len();
            elements.splice(at..=at, new);
            at += count;
        }
    }
    for all in 0..format.entities.len() {
        let entity = &format.entities[all];
        if !entity.is_all {
            continue;
        }
        let parts: Vec<usize> = (0..format.entities.len())
            .filter(|&at| format.entities[at].kind == entity.kind && !format.entities[at].is_all)
            .collect();
        let is_single = |&at: &usize| (format.entities[at].low, format.entities[at].high) == (1, 1);
        if parts.len() == 1 || !parts.is_empty() && parts.iter().all(is_single) {
            let mut elements = std::mem::take(&mut format.elements);
            spelled(&mut elements, all, &parts);
            format.elements = elements;
        }
    }
}

pub(super) fn of_operation(op: &Operation) -> Syntax<'_> {
    Syntax {
        text: op.assembly_format.as_deref(),
        format: op.format.as_deref(),
        grammar: op.generated.grammar.as_ref(),
        is_by_hand: op.has_custom_assembly_format,
    }
}

pub(super) fn compare_operation(both: Both<'_>, report: &mut Report) {
    let (old, new) = (of_operation(both.old), of_operation(both.new));
    compare(old, new, &both.judged.texts, &both.subject(), report);
    refuse_other_types(both, report);
}

/// Says of a text that is read as something else that its types are refused, if the parts in question have no type in common.
fn refuse_other_types(both: Both<'_>, report: &mut Report) {
    let Texts::Decided(comparison) = &both.judged.texts else { return };
    let Some(rebound) = &comparison.rebound else { return };
    let ([printed], [parsed]) = (&rebound.printed[..], &rebound.parsed[..]) else { return };
    let [old_scope, new_scope] = both.scopes();
    let condition = |op: &Operation, side: Side<'_>, name: &str, scope: Scope<'_>| {
        let part = op.arguments.iter().find(|it| it.name == name && it.kind == PartKind::Operand)?;
        let constraint = side.constraint(part.constraint)?;
        let is_one = constraint.of_type.as_ref().is_some_and(|it| it.cardinality == Cardinality::One);
        let predicate = constraint.predicate.as_ref().filter(|_| is_one)?;
        Some(Condition::of(predicate).map_texts(&|text| scope.normal(text)))
    };
    let name = |text: &'_ str| text.strip_prefix('$').map(str::to_owned);
    let (Some(printed), Some(parsed)) = (name(printed), name(parsed)) else { return };
    let before = condition(both.old, both.cx.old, &printed, old_scope);
    let after = condition(both.new, both.cx.new, &parsed, new_scope);
    let (Some(before), Some(after)) = (before, after) else { return };
    let is_apart = logic::implies(&before, &Condition::Not(Box::new(after)), logic::WORK) == Answer::Yes;
    let subject = both.subject().id;
    let finding = report.findings.iter_mut().rev().find(|it| it.rule == Rule::AF002 && it.subject == subject);
    if let Some(finding) = finding.filter(|_| is_apart) {
        finding.message += ", which has other types";
        finding.set(Level::Text, Verdict::Breaks);
    }
}

pub(super) fn compare(
    old: Syntax<'_>,
    new: Syntax<'_>,
    texts: &Texts,
    subject: &Subject<'_>,
    report: &mut Report,
) {
    match (old.text, new.text) {
        (Some(before), Some(after)) => {
            if words(before) != words(after) {
                declared(old, new, &change("the format", before, after), texts, subject, report);
            } else if let Texts::Decided(comparison) = texts {
                // The same words about other parts, which have findings of their own.
                if told_by_a_part(comparison, texts.verdict(), subject, report) {
                    return;
                }
                let message = "the format has not changed, but its parts have";
                if !decided(comparison, message, subject, report) && elisions(old, new) == Some(true) {
                    let message = "what is left out had a default value, and is missing now";
                    report.add(Rule::AF010, subject, message).set(Level::Text, Verdict::Silent);
                }
            }
        }
        (Some(_), None) if new.is_by_hand => {
            report.add(Rule::AF004, subject, "the declared format is now written in C++");
        }
        (None, Some(_)) if old.is_by_hand => {
            report.add(Rule::AF004, subject, "the format that was written in C++ is now declared");
        }
        (Some(_), None) => _ = report.add(Rule::AF005, subject, "the format is gone"),
        (None, None) if old.is_by_hand && !new.is_by_hand => {
            report.add(Rule::AF005, subject, "the format that was written in C++ is gone");
        }
        // Before, texts were in the generic form, which is still read.
        (None, _) => {}
    }
}

/// Adds the example of a comparison to the finding about a part that has its effect on texts; returns true if there is one.
fn told_by_a_part(
    comparison: &Comparison,
    verdict: Verdict,
    subject: &Subject<'_>,
    report: &mut Report,
) -> bool {
    let is_part = |it: &&mut Change| {
        let rest = it.subject.strip_prefix(&subject.id);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('#'))
            && it.effects.get(&Level::Text).is_some_and(|effect| *effect <= verdict)
    };
    let Some(finding) = report.findings.iter_mut().find(is_part) else { return false };
    let text = match (&comparison.refused, &comparison.rebound) {
        (Some(refused), _) => Some(&refused.text),
        (None, Some(rebound)) => Some(&rebound.text),
        (None, None) => None,
    };
    finding.witnesses.extend(text.map(|text| Witness::syntax(written(subject, text))));
    true
}

/// Returns true if a finding says that the subject has a new part that may be missing: only texts that have it differ.
fn has_a_new_part(subject: &Subject<'_>, report: &Report) -> bool {
    use Rule as R;
    report.findings.iter().any(|it| {
        let rest = it.subject.strip_prefix(&subject.id);
        rest.is_some_and(|rest| rest.starts_with('#'))
            && matches!(it.rule, R::OP007 | R::IN001 | R::IN002 | R::IN003 | R::IN004 | R::TA005)
    })
}

/// Returns true if formats differ only in the names of their parts.
fn is_renamed(old: Syntax<'_>, new: Syntax<'_>) -> bool {
    let Some((before, after)) = both_grammars(old, new) else { return false };
    let pairing = Pairing::by_name(before, after);
    let mut before = before.clone();
    for (entity, paired) in before.entities.iter_mut().zip(&pairing.new) {
        if let Some(other) = paired.and_then(|at| after.entities.get(at)) {
            entity.name.clone_from(&other.name);
        }
    }
    let flat = |format: &Format| {
        let mut pieces = Vec::new();
        flatten(format, &format.elements, &mut pieces);
        pieces
    };
    flat(&before) == flat(after)
}

fn declared(
    old: Syntax<'_>,
    new: Syntax<'_>,
    message: &str,
    texts: &Texts,
    subject: &Subject<'_>,
    report: &mut Report,
) {
    let (Some(before), Some(after)) = (old.format, new.format) else {
        report.add(Rule::AF003, subject, message);
        return;
    };
    let (tokens, after_tokens) = (bare(before), bare(after));
    if before == after {
        return;
    }
    if tokens == after_tokens || both_grammars(old, new).is_some_and(|(a, b)| differ_in_blanks_only(a, b)) {
        report.add(Rule::AF007, subject, message);
        return;
    }
    if unnamed(&tokens) == unnamed(&after_tokens) {
        report.add(Rule::AF011, subject, message);
        report.add(Rule::AF003, subject, message);
        return;
    }
    let comparison = match texts {
        Texts::Decided(comparison) => comparison,
        Texts::Same => return,
        Texts::Generic | Texts::Gone | Texts::Opaque => {
            report.add(Rule::AF003, subject, message);
            return;
        }
    };
    if let Some(refused) = &comparison.refused {
        let dictionary = |elements: &[Element]| {
            elements.iter().find_map(|element| match element {
                Element::AttrDict { with_keyword } => Some(*with_keyword),
                _ => None,
            })
        };
        let is_lost = match (dictionary(&tokens), dictionary(&after_tokens)) {
            (Some(_), None) => true,
            (Some(before), Some(after)) => before != after,
            (None, _) => false,
        };
        let piece = refused.text.0.get(refused.at).map_or("", |it| it.text.as_str());
        let is_dictionary = piece == "attributes"
            || piece == Class::Dictionary.sample("")
            || piece == Class::PropDictionary.sample("");
        let rule = if is_lost && is_dictionary {
            Rule::AF008
        } else if writes_more_types(before, after) {
            Rule::AF009
        } else {
            Rule::AF001
        };
        refusal(rule, refused, message, subject, report);
        return;
    }
    if decided(comparison, message, subject, report) {
        return;
    }
    // Every old text is read with the same meaning.
    match elisions(old, new) {
        Some(is_silent) => {
            let verdict = if is_silent { Verdict::Silent } else { Verdict::Safe };
            report.add(Rule::AF010, subject, message).set(Level::Text, verdict);
        }
        None if is_renamed(old, new) || has_a_new_part(subject, report) => {}
        None => _ = report.add(Rule::AF006, subject, message),
    }
}

fn both_grammars<'d>(old: Syntax<'d>, new: Syntax<'d>) -> Option<(&'d Format, &'d Format)> {
    old.grammar.zip(new.grammar)
}

/// Reports the faults that a comparison found; returns true if there are any.
fn decided(comparison: &Comparison, message: &str, subject: &Subject<'_>, report: &mut Report) -> bool {
    if let Some(refused) = &comparison.refused {
        refusal(Rule::AF001, refused, message, subject, report);
        return true;
    }
    if let Some(rebound) = &comparison.rebound {
        let list = |all: &[String]| if all.is_empty() { "a literal".to_owned() } else { all.join(", ") };
        let told = format!(
            "{message}; in {} the piece {} was {}, and is read as {}",
            quoted(&written(subject, &rebound.text)),
            rebound.at + 1,
            list(&rebound.printed),
            list(&rebound.parsed)
        );
        let finding = report.add(Rule::AF002, subject, told);
        finding.claim = Some(Claim { message: message.to_owned(), part: None });
        finding.witnesses.push(Witness::syntax(written(subject, &rebound.text)));
        return true;
    }
    if let Some(unclear) = &comparison.unclear {
        let told = format!("{message}; of {} this is not known", quoted(&written(subject, &unclear.text)));
        let finding = report.add(Rule::AF003, subject, told);
        finding.claim = Some(Claim { message: message.to_owned(), part: None });
        return true;
    }
    if !comparison.is_complete {
        let finding = report.add(Rule::AF003, subject, undecided(message));
        finding.claim = Some(Claim { message: message.to_owned(), part: None });
        return true;
    }
    false
}

fn refusal(
    rule: Rule,
    refused: &language::Refusal,
    message: &str,
    subject: &Subject<'_>,
    report: &mut Report,
) {
    let text = written(subject, &refused.text);
    let at = match refused.text.0.get(refused.at) {
        Some(piece) => format!("refused at {}", quoted(&piece.text)),
        None => "too short".to_owned(),
    };
    let wanted = match &refused.wanted {
        Some(wanted) => format!("where {} is wanted", quoted(wanted)),
        None => "where it must end".to_owned(),
    };
    let told = format!("{message}; {} is {at}, {wanted}", quoted(&text));
    let finding = report.add(rule, subject, told);
    finding.set(Level::Text, Verdict::Breaks);
    finding.claim = Some(Claim { message: message.to_owned(), part: None });
    finding.witnesses.push(Witness::syntax(text));
}

/// Returns a text with the name of its definition in front.
fn written(subject: &Subject<'_>, text: &language::Text) -> String {
    match subject.id.split_once(['!', '#']) {
        // A type or attribute is written with its mark first.
        Some((dialect, mnemonic)) if !dialect.is_empty() => {
            let mark = if subject.id.contains('!') { '!' } else { '#' };
            format!("{mark}{dialect}.{mnemonic}{text}")
        }
        _ => format!("{} {text}", subject.id).trim_end().to_owned(),
    }
}

/// Returns true if the new format writes a type that the old one did not.
fn writes_more_types(old: &[Element], new: &[Element]) -> bool {
    fn types(elements: &[Element], all: &mut Vec<String>) {
        for element in elements {
            match element {
                Element::Type { of, .. } => all.push(of.clone()),
                Element::FunctionalType { inputs, results } => all.extend([inputs.clone(), results.clone()]),
                Element::Optional { then, otherwise, .. } => {
                    types(then, all);
                    types(otherwise, all);
                }
                Element::OiList { clauses } => clauses.iter().for_each(|it| types(&it.elements, all)),
                _ => {}
            }
        }
    }
    let (mut before, mut after) = (Vec::new(), Vec::new());
    types(old, &mut before);
    types(new, &mut after);
    after.iter().any(|it| !before.contains(it)) && before.iter().all(|it| after.contains(it))
}

/// Returns the custom directives with the names of their parameters.
fn directives(format: &Format) -> BTreeSet<(String, Vec<String>)> {
    fn visit(format: &Format, elements: &[grammar::Element], all: &mut BTreeSet<(String, Vec<String>)>) {
        use grammar::Element as E;
        for element in elements {
            match element {
                E::Custom { name, parameters } => {
                    let shown = parameters.iter().map(|it| {
                        match it.entity().and_then(|at| format.entities.get(at)) {
                            Some(entity) => format!("{:?} {:?}", std::mem::discriminant(it), entity.kind),
                            None => String::new(),
                        }
                    });
                    all.insert((name.clone(), shown.collect()));
                }
                E::OiList(clauses) => clauses.iter().for_each(|it| visit(format, &it.elements, all)),
                E::Optional { then, otherwise, .. } => {
                    visit(format, then, all);
                    visit(format, otherwise, all);
                }
                _ => {}
            }
        }
    }
    let mut all = BTreeSet::new();
    visit(format, &format.elements, &mut all);
    all
}

/// Returns `None` if formats differ in more than elided parts; else whether an elided part has another meaning now.
fn elisions(old: Syntax<'_>, new: Syntax<'_>) -> Option<bool> {
    let (before, after) = both_grammars(old, new)?;
    let flat = |format: &Format| {
        let mut pieces = Vec::new();
        flatten(format, &format.elements, &mut pieces);
        pieces
    };
    if flat(before) != flat(after) {
        return None;
    }
    let lost_default = before.entities.iter().any(|it| {
        let other = after.entities.iter().find(|other| other.name == it.name && other.kind == it.kind);
        it.has_default && other.is_some_and(|other| !other.has_default && other.low == 0)
    });
    Some(lost_default)
}

/// Collects the elements of a format as if all optional parts were present.
fn flatten(format: &Format, elements: &[grammar::Element], pieces: &mut Vec<String>) {
    use grammar::Element as E;
    let name = |entity: &usize| format.entities.get(*entity).map(|it| it.name.clone()).unwrap_or_default();
    for element in elements {
        match element {
            E::Whitespace(_) => {}
            E::Literal(text) => pieces.push(format!("`{text}`")),
            E::Entity(entity) => pieces.push(name(entity)),
            E::Type(entity) => pieces.push(format!("type({})", name(entity))),
            E::Optional { then, otherwise, .. } => {
                flatten(format, then, pieces);
                flatten(format, otherwise, pieces);
            }
            other => pieces.push(format!("{other:?}")),
        }
    }
}

/// Returns a format without elements that are only printed.
fn bare(elements: &[Element]) -> Vec<Element> {
    each(elements, &|element| match element {
        Element::Whitespace { .. } => None,
        other => Some(other),
    })
}

/// Returns a format whose custom directives have no names.
fn unnamed(elements: &[Element]) -> Vec<Element> {
    each(elements, &|element| match element {
        Element::Custom { parameters, .. } => Some(Element::Custom { name: String::new(), parameters }),
        other => Some(other),
    })
}
/// Returns a format with each element changed or removed.
fn each(elements: &[Element], edit: &dyn Fn(Element) -> Option<Element>) -> Vec<Element> {
    let inner = |element: &Element| match element {
        Element::OiList { clauses } => Element::OiList {
            clauses: clauses
                .iter()
                .map(|it| Clause { keyword: it.keyword.clone(), elements: each(&it.elements, edit) })
                .collect(),
        },
        Element::Optional { then, otherwise, anchor, is_inverted } => {
            let among = if *is_inverted { otherwise } else { then };
            // The anchor is an index, so it shifts by the elements removed before it.
            let before = among.get(..*anchor).map_or(0, |it| each(it, edit).len());
            Element::Optional {
                then: each(then, edit),
                otherwise: each(otherwise, edit),
                anchor: before,
                is_inverted: *is_inverted,
            }
        }
        Element::Struct { elements } => Element::Struct { elements: each(elements, edit) },
        other => other.clone(),
    };
    elements.iter().filter_map(|element| edit(inner(element))).collect()
}
