//! Types and attributes with parameters.

use std::collections::{BTreeMap, BTreeSet};

use odsmith_interchange::defs::{AttrOrType, DefParameter};

use super::{
    Change, Cx, Report, Side, Subject,
    calls::Calls,
    change,
    format::{self, Syntax, Texts},
    names::{Scope, is_same_type, members},
    operation::{EXTRA_DECLARATION, declarations},
    pairing::{Names, Pair, candidates, pair},
    quoted,
    rules::{Level, Rule, Verdict},
};

pub(super) fn compare(cx: Cx<'_>, report: &mut Report) {
    let id: fn(&AttrOrType) -> String = AttrOrType::type_id;
    of_kind(cx, (&cx.old.0.types[..], &cx.new.0.types[..]), id, report);
    of_kind(cx, (&cx.old.0.attributes[..], &cx.new.0.attributes[..]), AttrOrType::attribute_id, report);
}

fn of_kind(
    cx: Cx<'_>,
    (old, new): (&[AttrOrType], &[AttrOrType]),
    id: fn(&AttrOrType) -> String,
    report: &mut Report,
) {
    let pairs = pair(&names(old, id), &names(new, id), cx.renamed);
    let alike = candidates(&names(old, id), &names(new, id), &pairs);
    for pair in pairs {
        match pair {
            Pair::Old(at) => {
                let def = &old[at];
                let subject =
                    Subject { group: &def.dialect, id: id(def), old: Some(&def.definition), new: None };
                if cx.new.dialect(&def.dialect).is_some() {
                    let message = match alike.get(&at).and_then(|at| new.get(*at)) {
                        Some(other) => {
                            format!("{} is gone; {} is new and much like it", def.cpp_class, other.cpp_class)
                        }
                        None => format!("{} is gone", def.cpp_class),
                    };
                    report.add(Rule::TA001, &subject, message);
                }
            }
            Pair::New(at) => {
                let def = &new[at];
                let subject =
                    Subject { group: &def.dialect, id: id(def), old: None, new: Some(&def.definition) };
                if cx.old.dialect(&def.dialect).is_some() {
                    report.add(Rule::TA015, &subject, format!("{} is new", def.cpp_class));
                }
            }
            Pair::Both { old: a, new: b, .. } => {
                let (a, b) = (&old[a], &new[b]);
                let subject = Subject {
                    group: &a.dialect,
                    id: id(a),
                    old: Some(&a.definition),
                    new: Some(&b.definition),
                };
                let texts = Texts::new(syntax(a), syntax(b), cx);
                let calls = match (&a.generated.declarations, &b.generated.declarations) {
                    (Some(old), Some(new)) => {
                        let scopes = [cx.scope_of_old(&a.cpp_namespace), cx.scope_of_new(&b.cpp_namespace)];
                        Some(Calls::new(old, new, scopes))
                    }
                    _ => None,
                };
                Both { cx, old: a, new: b, subject, texts, calls }.compare(report);
            }
        }
    }
}

/// Returns the names that pair types or attributes.
pub(super) fn names(defs: &[AttrOrType], id: fn(&AttrOrType) -> String) -> Vec<Names> {
    let names = defs.iter().map(|def| {
        let parameters = def.parameters.iter().map(|it| format!("{} {}", it.cpp_type, it.name));
        let mut shape: BTreeSet<String> = parameters.collect();
        shape.extend((!def.summary.is_empty()).then(|| format!("summary {}", def.summary)));
        shape.extend(def.parameters.iter().map(|it| format!("parameter {}", it.name)));
        shape.extend(def.assembly_format.iter().map(|text| format!("format {text}")));
        shape.insert(format!("dialect {}", def.dialect));
        let record = def.definition.record.clone().unwrap_or_default();
        let class = format!("{}::{}", def.cpp_namespace, def.cpp_class);
        Names { id: id(def), others: vec![record, class], shape, known: def.traits.len() }
    });
    names.collect()
}

fn syntax(def: &AttrOrType) -> Syntax<'_> {
    Syntax {
        text: def.assembly_format.as_deref(),
        format: def.format.as_deref(),
        grammar: def.generated.grammar.as_ref(),
        is_by_hand: def.has_custom_assembly_format,
    }
}

struct Both<'d> {
    cx: Cx<'d>,
    old: &'d AttrOrType,
    new: &'d AttrOrType,
    subject: Subject<'d>,
    texts: Texts,
    calls: Option<Calls>,
}

impl Both<'_> {
    fn compare(&self, report: &mut Report) {
        let (old, new, subject) = (self.old, self.new, &self.subject);
        if old.mnemonic != new.mnemonic || old.dialect != new.dialect {
            let name =
                |def: &AttrOrType| format!("{}.{}", def.dialect, def.mnemonic.as_deref().unwrap_or("?"));
            // The dialect has its own finding.
            let is_of_dialect =
                old.mnemonic == new.mnemonic && self.cx.is_renamed_dialect(&old.dialect, &new.dialect);
            if !is_of_dialect {
                report.add(Rule::TA002, subject, change("the name", &name(old), &name(new)));
            }
        }
        let old_class = (&*old.cpp_namespace, &*old.cpp_class);
        if let Some(message) = self.cx.class_change(old_class, (&new.cpp_namespace, &new.cpp_class)) {
            report.add(Rule::TA003, subject, message);
        }
        self.parameters(report);
        let has = |def: &AttrOrType, hook: &str| def.hooks.iter().any(|it| it == hook);
        for hook in ["genVerifyDecl", "genVerifyInvariantsImpl"] {
            if !has(old, hook) && has(new, hook) {
                let finding = report.add_part(Rule::TA010, subject, hook, format!("{hook} is set now"));
                if hook == "genVerifyInvariantsImpl" {
                    finding.set(Level::Implementer, Verdict::Safe);
                }
            }
        }
        self.builders(report);
        self.traits(report);
        let [before, after] = self.scopes();
        let before = members(&old.extra_class_declaration, before);
        let after = members(&new.extra_class_declaration, after);
        declarations(Rule::TA016, subject, EXTRA_DECLARATION, (&before, &after), report);
        format::compare(syntax(old), syntax(new), &self.texts, subject, report);
    }

    /// The scopes of both sides, in which names of C++ are found.
    fn scopes(&self) -> [Scope<'_>; 2] {
        [self.cx.scope_of_old(&self.old.cpp_namespace), self.cx.scope_of_new(&self.new.cpp_namespace)]
    }

    /// Decides the effect on calls.
    fn decide_calls(&self, finding: &mut Change, part: &str) {
        if let Some(calls) = &self.calls {
            finding.set(Level::Cpp, calls.builders.min(calls.accessors_of(part)));
        }
    }

    /// Decides the effect on texts by the languages of both formats. The generic form of types and attributes is the
    /// same text, and so is their bytecode, unless the dialect encodes them.
    fn decide(&self, finding: &mut Change, part: &str) {
        self.decide_calls(finding, part);
        let verdict = match &self.texts {
            Texts::Generic => Verdict::Unknown,
            texts => texts.verdict(),
        };
        finding.set(Level::Text, verdict).set(Level::Generic, verdict);
        let is_encoded = |side: Side<'_>| {
            let names = [self.old.definition.record.as_deref(), Some(self.old.cpp_class.as_str())];
            side.0.encodings.iter().any(|it| {
                it.dialect.eq_ignore_ascii_case(&self.old.dialect) && names.contains(&Some(it.name.as_str()))
            })
        };
        let is_encoded = is_encoded(self.cx.old) || is_encoded(self.cx.new);
        finding.set(Level::Bytecode, if is_encoded { Verdict::Unknown } else { verdict });
    }

    fn parameters(&self, report: &mut Report) {
        let (old, new, subject) = (&self.old.parameters, &self.new.parameters, &self.subject);
        let find = |all: &[DefParameter], name: &str| all.iter().position(|it| it.name == name);
        let mut places = Vec::new();
        for it in old {
            let name = &it.name;
            let Some(at) = find(new, name) else {
                if let Some(other) = self.renamed(it) {
                    let message = change("the name", name, &other.name);
                    self.decide(report.add_part(Rule::TA006, subject, name, message), name);
                    continue;
                }
                let message = format!("{} is gone", quoted(name));
                self.decide(report.add_part(Rule::TA006, subject, name, message), name);
                continue;
            };
            places.push(at);
            let other = &new[at];
            let [old_scope, new_scope] = self.scopes();
            let (before, after) = (old_scope.normal(&it.cpp_type), new_scope.normal(&other.cpp_type));
            if !is_same_type(&before, &after) {
                let message = change("the type", &before, &after);
                self.decide(report.add_part(Rule::TA008, subject, name, message), name);
            }
            let (before, after) = (
                it.default_value.as_deref().map(|it| old_scope.normal(it)),
                other.default_value.as_deref().map(|it| new_scope.normal(it)),
            );
            if let (Some(before), Some(after)) = (before, after)
                && before != after
            {
                report.add_part(Rule::TA009, subject, name, change("the default value", &before, &after));
            }
        }
        if !places.is_sorted() {
            let list =
                |all: &[DefParameter]| all.iter().map(|it| it.name.as_str()).collect::<Vec<_>>().join(", ");
            self.decide(report.add(Rule::TA007, subject, change("the order", &list(old), &list(new))), "");
        }
        let is_renamed = |it: &DefParameter| {
            old.iter().any(|old| self.renamed(old).is_some_and(|other| other.name == it.name))
        };
        for it in new.iter().filter(|it| find(old, &it.name).is_none() && !is_renamed(it)) {
            let rule = if it.default_value.is_some() { Rule::TA005 } else { Rule::TA004 };
            let message = format!("{} is new", quoted(&it.name));
            let finding = report.add_part(rule, subject, &it.name, message);
            match rule {
                Rule::TA005 => self.decide(finding, &it.name),
                // Definitions do not decide how C++ parses: it may give the parameter a value.
                _ if matches!(self.texts, Texts::Opaque) => self.decide(finding, &it.name),
                _ => self.decide_calls(finding, &it.name),
            }
        }
    }

    /// Returns the parameter that one became: of the same type, at the same place, under a name that the old side has not.
    fn renamed(&self, it: &DefParameter) -> Option<&DefParameter> {
        let has = |all: &[DefParameter], name: &str| all.iter().any(|it| it.name == name);
        let (old, new) = (&self.old.parameters, &self.new.parameters);
        let other = new.get(old.iter().position(|old| old.name == it.name)?)?;
        let [old_scope, new_scope] = self.scopes();
        let is_same = old_scope.normal(&it.cpp_type) == new_scope.normal(&other.cpp_type)
            && it.default_value == other.default_value;
        (is_same && !has(new, &it.name) && !has(old, &other.name)).then_some(other)
    }

    fn builders(&self, report: &mut Report) {
        let [old_scope, new_scope] = self.scopes();
        let signature = |builder: &odsmith_interchange::op::Builder, scope: Scope<'_>| {
            let types = builder.parameters.iter().map(|it| scope.normal(&it.cpp_type)).collect::<Vec<_>>();
            format!("{}({})", if builder.has_inferred_context { "" } else { "context " }, types.join(", "))
        };
        let after: BTreeSet<String> = self.new.builders.iter().map(|it| signature(it, new_scope)).collect();
        let before: BTreeSet<String> = self.old.builders.iter().map(|it| signature(it, old_scope)).collect();
        for gone in before.difference(&after) {
            let message = format!("the builder {} is gone", quoted(gone));
            report.add_part(Rule::TA011, &self.subject, "builders", message);
        }
        let skips = |def: &AttrOrType| def.hooks.iter().any(|it| it == "skipDefaultBuilders");
        if !skips(self.old) && skips(self.new) {
            let finding =
                report.add_part(Rule::TA011, &self.subject, "builders", "the usual builders are gone");
            finding.set(Level::Cpp, Verdict::Unknown);
        }
    }

    fn traits(&self, report: &mut Report) {
        let names = |def: &AttrOrType, side: Side<'_>, scope: Scope<'_>| -> BTreeMap<String, String> {
            let all = side.traits(&def.traits).map(|it| {
                let key = if it.cpp_name.is_empty() { it.name.clone() } else { scope.normal(&it.cpp_name) };
                (key, it.name.clone())
            });
            all.collect()
        };
        let renamed = Scope { namespace: "", renames: Some(self.cx.renames) };
        let old = names(self.old, self.cx.old, renamed);
        let new = names(self.new, self.cx.new, Scope::NONE);
        for (key, name) in old.iter().filter(|(key, _)| !new.contains_key(*key)) {
            report.add_part(Rule::TA013, &self.subject, name, format!("it has lost {}", quoted(key)));
        }
        let is_mutable = |names: &BTreeMap<String, String>| names.keys().any(|it| it.ends_with("IsMutable"));
        if is_mutable(&old) != is_mutable(&new) {
            let message = if is_mutable(&new) { "it is mutable now" } else { "it is not mutable any more" };
            report.add(Rule::TA014, &self.subject, message);
        }
    }
}
