//! Attributes and properties of operations.

use odsmith_interchange::{
    constraint::{AttributeConstraint, Constraint},
    defs::AttrOrType,
    op::{Part, PartKind},
};

use super::{
    Relation, Report, Side, Witness, change, layout,
    operation::{Both, cpp},
    quoted,
    rules::{Level, Rule, Verdict},
};

/// An attribute or property with what it must satisfy.
#[derive(Clone, Copy)]
struct Inherent<'d> {
    part: &'d Part,
    constraint: &'d Constraint,
}

impl<'d> Inherent<'d> {
    fn all(parts: &'d [Part], side: Side<'d>, kind: PartKind) -> Vec<Self> {
        let parts = parts.iter().filter(|part| part.kind == kind);
        parts
            .filter_map(|part| Some(Inherent { part, constraint: side.constraint(part.constraint)? }))
            .collect()
    }

    fn attribute(self) -> Option<&'d AttributeConstraint> {
        self.constraint.attribute.as_ref()
    }

    fn default(self) -> Option<String> {
        let of_attribute = self.attribute().and_then(|it| it.default_value.as_deref());
        let of_property = self.constraint.property.as_ref().and_then(|it| it.default_value.as_deref());
        of_attribute.or(of_property).map(cpp)
    }

    fn is_optional(self) -> bool {
        self.attribute().is_some_and(|it| it.is_optional)
    }

    fn is_required(self) -> bool {
        !self.is_optional() && self.default().is_none()
    }

    fn storage(self) -> String {
        let of_attribute = self.attribute().map(|it| it.storage_type.as_str());
        let of_property = self.constraint.property.as_ref().map(|it| it.storage_type.as_str());
        cpp(of_attribute.or(of_property).unwrap_or_default())
    }

    /// Whether it is stored as an attribute of a dialect that the new side does not define: a file that has one is not read.
    fn is_definition_gone(self, old: Side<'d>, new: Side<'d>) -> bool {
        let storage = self.storage();
        let is_it = |it: &&AttrOrType| cpp(&format!("{}::{}", it.cpp_namespace, it.cpp_class)) == storage;
        old.0.attributes.iter().find(is_it).is_some_and(|it| {
            let is_same =
                |other: &AttrOrType| (&other.dialect, &other.mnemonic) == (&it.dialect, &it.mnemonic);
            it.mnemonic.is_some() && !new.0.attributes.iter().any(is_same)
        })
    }

    /// The constraint on what is there.
    fn base(self, side: Side<'d>) -> &'d Constraint {
        let wraps = self.is_optional() || self.default().is_some();
        let base = self.attribute().filter(|_| wraps).and_then(|it| it.base);
        base.and_then(|base| side.constraint(base)).unwrap_or(self.constraint)
    }

    /// The condition on what is there.
    fn condition(self, side: Side<'d>) -> String {
        cpp(&self.base(side).condition)
    }
}

pub(super) fn compare(both: Both<'_>, report: &mut Report) {
    let subject = both.subject();
    let (old_side, new_side) = (both.cx.old, both.cx.new);
    let old_slots = layout::slots(both.old, old_side);
    let new_slots = layout::slots(both.new, new_side);
    let wire = layout::verdict(old_slots.as_deref(), new_slots.as_deref());
    let had_none = old_slots.as_ref().is_some_and(Vec::is_empty);

    let kinds = [PartKind::Attribute, PartKind::Property];
    let [old_attributes, old_properties] =
        kinds.map(|kind| Inherent::all(&both.old.arguments, old_side, kind));
    let [new_attributes, new_properties] =
        kinds.map(|kind| Inherent::all(&both.new.arguments, new_side, kind));
    let find = |all: &[Inherent<'_>], name: &str| all.iter().position(|it| it.part.name == name);

    let of_kind = [
        (&old_attributes, &new_attributes, &new_properties),
        (&old_properties, &new_properties, &new_attributes),
    ];
    for (kind, (old, new, others)) in of_kind.into_iter().enumerate() {
        let is_attribute = kind == 0;
        let mut gone: Vec<Inherent<'_>> = Vec::new();
        for &it in old {
            let name = &it.part.name;
            if find(new, name).is_some() {
                continue;
            }
            if find(others, name).is_some() {
                let message = if is_attribute {
                    "an attribute became a property"
                } else {
                    "a property became an attribute"
                };
                let finding = report.add_part(Rule::IN015, &subject, name, message);
                finding.set(Level::Bytecode, wire);
                both.decide_calls(finding, name);
            } else {
                gone.push(it);
            }
        }
        let before = if is_attribute { &old_properties } else { &old_attributes };
        let mut fresh: Vec<Inherent<'_>> = new
            .iter()
            .copied()
            .filter(|it| find(old, &it.part.name).is_none() && find(before, &it.part.name).is_none())
            .collect();
        gone.retain(|&it| {
            let alike = |other: &Inherent<'_>| {
                it.storage() == other.storage()
                    && it.is_optional() == other.is_optional()
                    && it.default() == other.default()
                    && it.condition(old_side) == other.condition(new_side)
            };
            let mut likes = fresh.iter().enumerate().filter(|(_, other)| alike(other)).map(|(at, _)| at);
            let (Some(at), None) = (likes.next(), likes.next()) else { return true };
            let other = fresh.remove(at);
            let position = |all: &[Inherent<'_>], name: &str| {
                if !is_attribute {
                    return find(all, name);
                }
                let mut names: Vec<&str> = all.iter().map(|it| it.part.name.as_str()).collect();
                names.sort_unstable();
                names.iter().position(|it| *it == name)
            };
            let is_in_place = position(old, &it.part.name) == position(new, &other.part.name);
            let rule = if is_in_place { Rule::IN007 } else { Rule::IN006 };
            let message = change("the name", &it.part.name, &other.part.name);
            let finding = report.add_part(rule, &subject, &it.part.name, message);
            finding.set(Level::Bytecode, wire);
            let kept = if it.is_required() { Verdict::Breaks } else { Verdict::Silent };
            finding.set(Level::Generic, kept);
            finding.set(Level::Text, both.text_of_attribute(&it.part.name, kept));
            false
        });
        for it in gone {
            let message = format!("{} is gone", quoted(&it.part.name));
            let finding = report.add_part(Rule::IN005, &subject, &it.part.name, message);
            finding.set(Level::Bytecode, wire);
            let is_unknown = it.is_definition_gone(old_side, new_side);
            let kept = if is_unknown { Verdict::Breaks } else { Verdict::Silent };
            finding.set(Level::Text, both.text_of_attribute(&it.part.name, kept));
            // The generic form has properties apart, which an operation without any refuses.
            let had_slots = old_slots.as_ref().is_some_and(|all| !all.is_empty());
            let has_none = had_slots && new_slots.as_ref().is_some_and(Vec::is_empty);
            finding.set(Level::Generic, if has_none { Verdict::Breaks } else { kept });
        }
        for it in fresh {
            added(both, it, had_none, wire, report);
        }
        for &a in old {
            if let Some(at) = find(new, &a.part.name) {
                changed(both, a, new[at], wire, report);
            }
        }
        let common = |all: &[Inherent<'_>], with: &[Inherent<'_>]| {
            let names = all.iter().map(|it| it.part.name.clone());
            names.filter(|name| find(with, name).is_some()).collect::<Vec<_>>()
        };
        let (before, after) = (common(old, new), common(new, old));
        if before != after {
            let rule = if is_attribute { Rule::IN008 } else { Rule::IN009 };
            let message = change("the order", &before.join(", "), &after.join(", "));
            let finding = report.add(rule, &subject, message);
            both.decide_calls(finding, "");
            if !is_attribute {
                finding.set(Level::Bytecode, wire);
            }
        }
    }
    derived(both, report);
}

fn added(both: Both<'_>, it: Inherent<'_>, had_none: bool, wire: Verdict, report: &mut Report) {
    let subject = both.subject();
    let name = &it.part.name;
    let is_unit = it.storage() == "UnitAttr";
    if it.is_required() {
        let message = format!("{} is new and must be there", quoted(name));
        let finding = report.add_part(Rule::IN003, &subject, name, message);
        // What was read without it is not valid, whatever the format says.
        let verdict = both.judged.texts.verdict();
        finding.set(Level::Text, if verdict == Verdict::Unknown { verdict } else { Verdict::Breaks });
        finding.set(Level::Bytecode, if had_none { Verdict::Breaks } else { wire });
        both.decide_calls(finding, name);
        return;
    }
    // A unit attribute is there or not; its default value is that of the accessor.
    let default = it.default().filter(|_| !is_unit);
    let message = match &default {
        Some(value) => format!("{} is new, with the default value {}", quoted(name), quoted(value)),
        None => format!("{} is new and may be missing", quoted(name)),
    };
    let rule = if had_none {
        Rule::IN002
    } else if default.is_some() {
        Rule::IN004
    } else {
        Rule::IN001
    };
    let finding = report.add_part(rule, &subject, name, message);
    finding.set(Level::Bytecode, wire);
    both.decide_calls(finding, name);
}

fn changed(both: Both<'_>, a: Inherent<'_>, b: Inherent<'_>, wire: Verdict, report: &mut Report) {
    let subject = both.subject();
    let name = &a.part.name;
    let (before, after) = (a.storage(), b.storage());
    if before != after {
        let message = change("the stored class", &before, &after);
        let finding = report.add_part(Rule::IN010, &subject, name, message);
        finding.set(Level::Bytecode, wire);
        finding.set(Level::Text, both.text_of_attribute(name, Verdict::Breaks));
        both.decide_calls(finding, name);
        // The parameter is the same in Python, and what may be given for it is not.
        finding.set(Level::Python, Verdict::Unknown);
    } else {
        narrowed(both, a, b, report);
    }
    match (a.is_required(), b.is_required()) {
        (false, true) => {
            let finding =
                report.add_part(Rule::IN012, &subject, name, "it could be missing, and must be there now");
            finding.set(Level::Bytecode, wire.min(Verdict::Breaks));
            both.decide_calls(finding, name);
        }
        (true, false) => {
            let finding = report.add_part(Rule::IN013, &subject, name, "it may be missing now");
            finding.set(Level::Bytecode, wire);
            finding.set(Level::Text, both.text_of_attribute(name, Verdict::Safe));
            both.decide_calls(finding, name);
        }
        _ => {
            if let (Some(before), Some(after)) = (a.default(), b.default())
                && before != after
            {
                report.add_part(Rule::IN014, &subject, name, change("the default value", &before, &after));
            }
        }
    }
    if let (Some(old), Some(new)) = (&a.constraint.property, &b.constraint.property) {
        let differs =
            |field: &str| old.code.get(field).map(|it| cpp(it)) != new.code.get(field).map(|it| cpp(it));
        let fields = ["readFromMlirBytecode", "writeToMlirBytecode"];
        for field in fields.into_iter().filter(|field| differs(field)) {
            report.add_part(Rule::IN018, &subject, name, format!("{field} is another"));
        }
    }
}

/// Conditions on what is there.
fn narrowed(both: Both<'_>, a: Inherent<'_>, b: Inherent<'_>, report: &mut Report) {
    let (old, new) = (a.base(both.cx.old), b.base(both.cx.new));
    let (verdict, example) = match both.cx.relation(old, new) {
        Relation::Same => return,
        Relation::Widened => (Verdict::Safe, None),
        Relation::Narrowed(example) | Relation::Changed(example) => (Verdict::Breaks, example),
        Relation::Unknown => (Verdict::Unknown, None),
    };
    let mut message = change("the condition", &cpp(&old.condition), &cpp(&new.condition));
    if let Some(example) = &example {
        message += &format!("; {} is refused", quoted(example));
    }
    let finding = report.add_part(Rule::IN011, &both.subject(), &a.part.name, message);
    finding.set(Level::Verifier, verdict);
    finding.witnesses.extend(example.map(Witness::ty));
}

fn derived(both: Both<'_>, report: &mut Report) {
    let subject = both.subject();
    let types = |parts: &[Part], side: Side<'_>| {
        let all = parts.iter().filter_map(|part| {
            let attribute = side.constraint(part.constraint)?.attribute.as_ref()?;
            Some((part.name.clone(), cpp(&attribute.return_type)))
        });
        all.collect::<std::collections::BTreeMap<_, _>>()
    };
    let after = types(&both.new.derived_attributes, both.cx.new);
    for (name, before) in types(&both.old.derived_attributes, both.cx.old) {
        match after.get(&name) {
            None => _ = report.add_part(Rule::IN017, &subject, &name, "it is gone"),
            Some(after) if *after != before => {
                report.add_part(Rule::IN017, &subject, &name, change("the type", &before, after));
            }
            Some(_) => {}
        }
    }
}
