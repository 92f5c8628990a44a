//! Attributes and properties of operations.

use odsmith_interchange::{
    constraint::{AttributeConstraint, Constraint},
    defs::AttrOrType,
    op::{Part, PartKind},
};

use super::{
    Relation, Report, Side, change, layout,
    names::Scope,
    operation::{Both, broken, cpp},
    quoted,
    rules::{Level, Rule, Verdict},
};

/// An attribute or property with its constraint.
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
        self.default_in(Scope::NONE)
    }

    fn default_in(self, scope: Scope<'_>) -> Option<String> {
        let of_attribute = self.attribute().and_then(|it| it.default_value.as_deref());
        let of_property = self.constraint.property.as_ref().and_then(|it| it.default_value.as_deref());
        of_attribute.or(of_property).map(|it| scope.normal(it))
    }

    fn is_optional(self) -> bool {
        self.attribute().is_some_and(|it| it.is_optional)
    }

    fn is_required(self) -> bool {
        !self.is_optional() && self.default().is_none()
    }

    fn storage(self) -> String {
        self.storage_in(Scope::NONE)
    }

    fn storage_in(self, scope: Scope<'_>) -> String {
        let of_attribute = self.attribute().map(|it| it.storage_type.as_str());
        let of_property = self.constraint.property.as_ref().map(|it| it.storage_type.as_str());
        scope.normal(of_attribute.or(of_property).unwrap_or_default())
    }

    /// Returns true if it is an attribute of a dialect that the new side does not define: files that contain one are
    /// not read.
    fn is_definition_gone(self, old: Side<'d>, new: Side<'d>) -> bool {
        let storage = self.storage();
        let is_it = |it: &&AttrOrType| cpp(&format!("{}::{}", it.cpp_namespace, it.cpp_class)) == storage;
        old.0.attributes.iter().find(is_it).is_some_and(|it| {
            let is_same =
                |other: &AttrOrType| (&other.dialect, &other.mnemonic) == (&it.dialect, &it.mnemonic);
            it.mnemonic.is_some() && !new.0.attributes.iter().any(is_same)
        })
    }

    /// Returns the constraint on a value that is present.
    fn base(self, side: Side<'d>) -> &'d Constraint {
        let wraps = self.is_optional() || self.default().is_some();
        let base = self.attribute().filter(|_| wraps).and_then(|it| it.base);
        base.and_then(|base| side.constraint(base)).unwrap_or(self.constraint)
    }

    /// Returns the condition on a value that is present.
    fn condition(self, side: Side<'d>) -> String {
        cpp(&self.base(side).condition)
    }
}

/// Compares the attributes and properties of an operation that both sides have.
pub(super) fn compare(both: Both<'_>, report: &mut Report) {
    let kinds = [PartKind::Attribute, PartKind::Property];
    let [old_attributes, old_properties] =
        kinds.map(|kind| Inherent::all(&both.old.arguments, both.cx.old, kind));
    let [new_attributes, new_properties] =
        kinds.map(|kind| Inherent::all(&both.new.arguments, both.cx.new, kind));
    let old_slots = layout::slots(both.old, both.cx.old);
    let mut new_slots = layout::slots(both.new, both.cx.new);
    if let (Some(old), Some(new)) = (&old_slots, &mut new_slots) {
        for it in &old_attributes {
            let other = find(&new_attributes, &it.part.name).map(|at| new_attributes[at]);
            if other.is_some_and(|other| takes_storage(both, *it, other)) {
                layout::unify(old, new, &it.part.name);
            }
        }
    }
    let attributes = Comparison {
        both,
        is_attribute: true,
        old: &old_attributes,
        new: &new_attributes,
        others_before: &old_properties,
        others_after: &new_properties,
        wire: layout::verdict(old_slots.as_deref(), new_slots.as_deref()),
        slots: [old_slots, new_slots].map(|slots| slots.map(|slots| slots.len())),
    };
    let properties = Comparison {
        is_attribute: false,
        old: &old_properties,
        new: &new_properties,
        others_before: &old_attributes,
        others_after: &new_attributes,
        ..attributes
    };
    for comparison in [attributes, properties] {
        comparison.report(report);
    }
    derived(both, report);
}

/// The attributes of both sides, or their properties.
#[derive(Clone, Copy)]
struct Comparison<'a> {
    both: Both<'a>,
    is_attribute: bool,
    old: &'a [Inherent<'a>],
    new: &'a [Inherent<'a>],
    /// The properties if these are attributes, and vice versa.
    others_before: &'a [Inherent<'a>],
    others_after: &'a [Inherent<'a>],
    /// The effect on old bytecode.
    wire: Verdict,
    /// The number of their slots in bytecode before and after, if known.
    slots: [Option<usize>; 2],
}

/// Returns true if each value that the old side stores is of the class that the new side reads: the class is any
/// attribute, or the new condition takes all that the old one takes.
fn takes_storage(both: Both<'_>, a: Inherent<'_>, b: Inherent<'_>) -> bool {
    let [old_scope, new_scope] = both.scopes();
    let after = b.storage_in(new_scope);
    a.storage_in(old_scope) == after || after == "Attribute" || {
        let relation = both.relation(a.base(both.cx.old), b.base(both.cx.new));
        matches!(relation, Relation::Same | Relation::Widened)
    }
}

fn find(all: &[Inherent<'_>], name: &str) -> Option<usize> {
    all.iter().position(|it| it.part.name == name)
}

impl<'a> Comparison<'a> {
    fn report(self, report: &mut Report) {
        let mut gone = self.moved(report);
        let is_fresh = |it: &Inherent<'_>| {
            find(self.old, &it.part.name).is_none() && find(self.others_before, &it.part.name).is_none()
        };
        let mut fresh: Vec<Inherent<'a>> = self.new.iter().copied().filter(is_fresh).collect();
        self.renamed(&mut gone, &mut fresh, report);
        for it in gone {
            self.removed(it, report);
        }
        for it in fresh {
            added(self.both, it, self.slots[0] == Some(0), self.wire, report);
        }
        for &it in self.old {
            if let Some(at) = find(self.new, &it.part.name) {
                changed(self.both, it, self.new[at], self.wire, report);
            }
        }
        self.reordered(report);
    }

    /// Reports parts that changed between attribute and property, and returns removed parts by name.
    fn moved(self, report: &mut Report) -> Vec<Inherent<'a>> {
        let mut gone = Vec::new();
        for &it in self.old.iter().filter(|it| find(self.new, &it.part.name).is_none()) {
            let name = &it.part.name;
            if find(self.others_after, name).is_none() {
                gone.push(it);
                continue;
            }
            let message = match self.is_attribute {
                true => "an attribute became a property",
                false => "a property became an attribute",
            };
            let finding = report.add_part(Rule::IN015, &self.both.subject(), name, message);
            finding.set(Level::Bytecode, self.wire);
            self.both.decide_calls(finding, name);
        }
        gone
    }

    /// Reports renamed parts, and removes them from `gone` and `fresh`.
    fn renamed(self, gone: &mut Vec<Inherent<'a>>, fresh: &mut Vec<Inherent<'a>>, report: &mut Report) {
        gone.retain(|&it| {
            let alike = |other: &Inherent<'_>| {
                it.storage() == other.storage()
                    && it.is_optional() == other.is_optional()
                    && it.default() == other.default()
                    && it.condition(self.both.cx.old) == other.condition(self.both.cx.new)
            };
            let mut likes = fresh.iter().enumerate().filter(|(_, other)| alike(other)).map(|(at, _)| at);
            let (Some(at), None) = (likes.next(), likes.next()) else { return true };
            let other = fresh.remove(at);
            let is_in_place =
                self.position(self.old, &it.part.name) == self.position(self.new, &other.part.name);
            let rule = if is_in_place { Rule::IN007 } else { Rule::IN006 };
            let message = change("the name", &it.part.name, &other.part.name);
            let finding = report.add_part(rule, &self.both.subject(), &it.part.name, message);
            finding.set(Level::Bytecode, self.wire);
            let kept = if it.is_required() { Verdict::Breaks } else { Verdict::Silent };
            finding.set(Level::Generic, kept);
            finding.set(Level::Text, self.both.text_of_attribute(&it.part.name, kept));
            false
        });
    }

    /// Returns the slot's index in bytecode, which sorts attributes by name.
    fn position(self, all: &[Inherent<'_>], name: &str) -> Option<usize> {
        if !self.is_attribute {
            return find(all, name);
        }
        let mut names: Vec<&str> = all.iter().map(|it| it.part.name.as_str()).collect();
        names.sort_unstable();
        names.iter().position(|it| *it == name)
    }

    fn removed(self, it: Inherent<'_>, report: &mut Report) {
        let message = format!("{} is gone", quoted(&it.part.name));
        let finding = report.add_part(Rule::IN005, &self.both.subject(), &it.part.name, message);
        finding.set(Level::Bytecode, self.wire);
        let is_unknown = it.is_definition_gone(self.both.cx.old, self.both.cx.new);
        let kept = if is_unknown { Verdict::Breaks } else { Verdict::Silent };
        finding.set(Level::Text, self.both.text_of_attribute(&it.part.name, kept));
        // The generic form lists properties apart; an operation that has none rejects the list.
        let has_none = self.slots[0].is_some_and(|count| count > 0) && self.slots[1] == Some(0);
        finding.set(Level::Generic, if has_none { Verdict::Breaks } else { kept });
    }

    fn reordered(self, report: &mut Report) {
        let common = |all: &[Inherent<'_>], with: &[Inherent<'_>]| {
            let names = all.iter().map(|it| it.part.name.clone());
            names.filter(|name| find(with, name).is_some()).collect::<Vec<_>>()
        };
        let (before, after) = (common(self.old, self.new), common(self.new, self.old));
        if before == after {
            return;
        }
        let rule = if self.is_attribute { Rule::IN008 } else { Rule::IN009 };
        let message = change("the order", &before.join(", "), &after.join(", "));
        let finding = report.add(rule, &self.both.subject(), message);
        self.both.decide_calls(finding, "");
        if !self.is_attribute {
            finding.set(Level::Bytecode, self.wire);
        }
    }
}

fn added(both: Both<'_>, it: Inherent<'_>, had_none: bool, wire: Verdict, report: &mut Report) {
    let subject = both.subject();
    let name = &it.part.name;
    let is_unit = it.storage() == "UnitAttr";
    if it.is_required() {
        let message = format!("{} is new and must be there", quoted(name));
        let finding = report.add_part(Rule::IN003, &subject, name, message);
        // An operation without it is read but invalid, whatever the format.
        let verdict = both.judged.texts.verdict();
        finding.set(Level::Text, if verdict == Verdict::Unknown { verdict } else { Verdict::Breaks });
        finding.set(Level::Bytecode, if had_none { Verdict::Breaks } else { wire });
        both.decide_calls(finding, name);
        return;
    }
    // A unit attribute is present or not; its default is a matter of the accessor.
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
    let [old_scope, new_scope] = both.scopes();
    let (before, after) = (a.storage_in(old_scope), b.storage_in(new_scope));
    if before != after && a.attribute().is_some() && b.attribute().is_some() && takes_storage(both, a, b) {
        let message = change("the stored class", &before, &after);
        let finding =
            report.add_part(Rule::IN010, &subject, name, format!("{message}; old values are of it"));
        for level in [Level::Text, Level::Generic, Level::Bytecode, Level::Verifier, Level::Python] {
            finding.set(level, Verdict::Safe);
        }
        both.decide_calls(finding, name);
        // Old values are taken: the condition says nothing more.
    } else if before != after {
        let message = change("the stored class", &before, &after);
        let finding = report.add_part(Rule::IN010, &subject, name, message);
        finding.set(Level::Bytecode, wire);
        finding.set(Level::Text, both.text_of_attribute(name, Verdict::Breaks));
        both.decide_calls(finding, name);
        // The Python parameter stays, but accepts other values.
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
            let [old_scope, new_scope] = both.scopes();
            if let (Some(before), Some(after)) = (a.default_in(old_scope), b.default_in(new_scope))
                && before != after
            {
                report.add_part(Rule::IN014, &subject, name, change("the default value", &before, &after));
            }
        }
    }
    if let (Some(old), Some(new)) = (&a.constraint.property, &b.constraint.property) {
        let [old_scope, new_scope] = both.scopes();
        let differs = |field: &str| {
            let (before, after) = (old.code.get(field), new.code.get(field));
            before.map(|it| old_scope.normal(it)) != after.map(|it| new_scope.normal(it))
        };
        let fields = ["readFromMlirBytecode", "writeToMlirBytecode"];
        for field in fields.into_iter().filter(|field| differs(field)) {
            report.add_part(Rule::IN018, &subject, name, format!("{field} is another"));
        }
    }
}

/// Compares the conditions on values that are present.
fn narrowed(both: Both<'_>, a: Inherent<'_>, b: Inherent<'_>, report: &mut Report) {
    let (old, new) = (a.base(both.cx.old), b.base(both.cx.new));
    let (verdict, example) = match both.relation(old, new) {
        Relation::Same => return,
        Relation::Widened => (Verdict::Safe, None),
        Relation::Narrowed(example) | Relation::Changed(example) => (broken(&example), example),
        Relation::Unknown => (Verdict::Unknown, None),
    };
    let [old_scope, new_scope] = both.scopes();
    let (before, after) = (old_scope.normal(&old.condition), new_scope.normal(&new.condition));
    let message = change("the condition", &before, &after);
    let name = &a.part.name;
    let finding = report.add_part(Rule::IN011, &both.subject(), name, message);
    finding.claim_values([name, name], verdict, example);
    // Another C++ type of the same attribute: `uint32_t` became `uint64_t`.
    if let Some(calls) = &both.judged.calls {
        finding.set(Level::Cpp, calls.accessors_of(&a.part.name));
    }
}

fn derived(both: Both<'_>, report: &mut Report) {
    let subject = both.subject();
    let [old_scope, new_scope] = both.scopes();
    let types = |parts: &[Part], side: Side<'_>, scope: Scope<'_>| {
        let all = parts.iter().filter_map(|part| {
            let attribute = side.constraint(part.constraint)?.attribute.as_ref()?;
            Some((part.name.clone(), scope.normal(&attribute.return_type)))
        });
        all.collect::<std::collections::BTreeMap<_, _>>()
    };
    let after = types(&both.new.derived_attributes, both.cx.new, new_scope);
    for (name, before) in types(&both.old.derived_attributes, both.cx.old, old_scope) {
        match after.get(&name) {
            None => _ = report.add_part(Rule::IN017, &subject, &name, "it is gone"),
            Some(after) if *after != before => {
                report.add_part(Rule::IN017, &subject, &name, change("the type", &before, after));
            }
            Some(_) => {}
        }
    }
}
