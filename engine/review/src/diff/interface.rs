//! Interfaces and their methods.

use std::collections::BTreeSet;

use odsmith_interchange::defs::{Interface, Method};

use super::{
    Cx, Report, Subject, change,
    names::{Scope, members},
    operation::{EXTRA_DECLARATION, cpp, declarations},
    pairing::{Names, Pair, candidates, pair},
    quoted,
    rules::{Level, Rule, Verdict},
};

pub(super) fn compare(cx: Cx<'_>, report: &mut Report) {
    let (old, new) = (&cx.old.0.interfaces, &cx.new.0.interfaces);
    let pairs = pair(&names(old), &names(new), cx.renamed);
    let alike = candidates(&names(old), &names(new), &pairs);
    for pair in pairs {
        match pair {
            Pair::Old(at) => {
                let it = &old[at];
                let subject =
                    Subject { group: &it.cpp_namespace, id: it.id(), old: Some(&it.definition), new: None };
                let message = match alike.get(&at).and_then(|at| new.get(*at)) {
                    Some(other) => {
                        format!("{} is gone; {} is new and much like it", it.cpp_class, other.cpp_class)
                    }
                    None => format!("{} is gone", it.cpp_class),
                };
                report.add(Rule::IF001, &subject, message);
            }
            Pair::New(at) => {
                let it = &new[at];
                let subject =
                    Subject { group: &it.cpp_namespace, id: it.id(), old: None, new: Some(&it.definition) };
                report.add(Rule::IF010, &subject, format!("{} is new", it.cpp_class));
            }
            Pair::Both { old: a, new: b, .. } => both(cx, &old[a], &new[b], report),
        }
    }
}

/// Returns the names that pair interfaces.
pub(super) fn names(all: &[Interface]) -> Vec<Names> {
    let names = all.iter().map(|it| {
        let scope = Scope { namespace: &it.cpp_namespace, renames: None };
        let methods = it.methods.iter();
        let mut shape: BTreeSet<String> = methods
            .flat_map(|method| [signature(method, scope), format!("method {}", method.name)])
            .collect();
        shape.insert(format!("kind {:?}", it.kind));
        shape.insert(format!("namespace {}", cpp(&it.cpp_namespace)));
        shape.extend((!it.description.trim().is_empty()).then(|| format!("description {}", it.description)));
        Names { shape, ..Names::new(it.id(), &it.definition) }
    });
    names.collect()
}

/// Returns the part of a method that callers and implementers depend on.
fn signature(method: &Method, scope: Scope<'_>) -> String {
    let types = method.parameters.iter().map(|it| scope.normal(&it.cpp_type)).collect::<Vec<_>>();
    let kind = if method.is_static { "static " } else { "" };
    format!("{kind}{} {}({})", scope.normal(&method.return_type), method.name, types.join(", "))
}

fn both(cx: Cx<'_>, old: &Interface, new: &Interface, report: &mut Report) {
    let scope = cx.scope_of_old(&old.cpp_namespace);
    let new_scope = cx.scope_of_new(&new.cpp_namespace);
    let subject = Subject {
        group: &old.cpp_namespace,
        id: old.id(),
        old: Some(&old.definition),
        new: Some(&new.definition),
    };
    let old_class = (&*old.cpp_namespace, &*old.cpp_class);
    if let Some(message) = cx.class_change(old_class, (&new.cpp_namespace, &new.cpp_class)) {
        report.add(Rule::IF009, &subject, message);
    }
    let methods: Vec<String> = new.methods.iter().map(|it| signature(it, new_scope)).collect();
    let declared = |it: &Interface, scope: Scope<'_>| {
        [&it.extra_class_declaration, &it.extra_shared_class_declaration, &it.extra_trait_class_declaration]
            .map(|text| members(text, scope))
    };
    let (before, after) = (declared(old, scope), declared(new, new_scope));
    // A function of the class takes the calls of a method. The shared part is in the class and in those that implement it.
    let [of_class, shared, of_implementers] = after.clone();
    let callable = [of_class, shared.clone()].concat();
    let implemented = [of_implementers, shared.clone()].concat();
    let known = before.concat();
    let fields = [
        (EXTRA_DECLARATION, &callable),
        ("extraSharedClassDeclaration", &shared),
        ("extraTraitClassDeclaration", &implemented),
    ];
    for ((field, all), (mut before, mut after)) in fields.into_iter().zip(before.into_iter().zip(after)) {
        before.retain(|it| !all.contains(it) && !methods.contains(it));
        after.retain(|it| !known.contains(it));
        declarations(Rule::IF011, &subject, field, (&before, &after), report);
    }
    let of_name = |all: &'_ [Method], name: &str| -> Vec<Method> {
        all.iter().filter(|it| it.name == name).cloned().collect()
    };
    let names = |all: &[Method]| all.iter().map(|it| it.name.clone()).collect::<BTreeSet<_>>();
    for name in &names(&old.methods) | &names(&new.methods) {
        let (mut before, mut after) = (of_name(&old.methods, &name), of_name(&new.methods, &name));
        before.retain(|it| {
            let Some(at) = after.iter().position(|other| signature(other, new_scope) == signature(it, scope))
            else {
                return true;
            };
            same((it, scope), (&after.remove(at), new_scope), &subject, report);
            false
        });
        // The remaining overloads: each pair is a changed one.
        let changed = before.len().min(after.len());
        for (a, b) in before.drain(..changed).zip(after.drain(..changed)) {
            let message = change("the signature", &signature(&a, scope), &signature(&b, new_scope));
            report.add_part(Rule::IF003, &subject, &name, message);
        }
        for it in before {
            let text = signature(&it, scope);
            let is_declared = callable.iter().any(|member| is_declared_as(member, &text));
            let message = match is_declared {
                true => format!("{} is a function of the class now, and no method", quoted(&text)),
                false => format!("{} is gone", quoted(&text)),
            };
            let finding = report.add_part(Rule::IF002, &subject, &name, message);
            if is_declared {
                // Only a class that implements it in its own way is concerned.
                finding.set(Level::Cpp, Verdict::Safe).set(Level::Implementer, Verdict::Unknown);
            }
        }
        for it in after {
            let has_default = it.default_body.is_some() || it.body.is_some();
            let verdict = if has_default { Verdict::Safe } else { Verdict::Breaks };
            let message = format!("{} is new", quoted(&signature(&it, new_scope)));
            report.add_part(Rule::IF004, &subject, &name, message).set(Level::Implementer, verdict);
        }
    }
    let bases = |it: &Interface, scope: Scope<'_>| {
        it.bases.iter().map(|base| scope.normal(base)).collect::<BTreeSet<_>>()
    };
    for gone in &bases(old, scope) - &bases(new, new_scope) {
        let message = format!("it does not derive from {} any more", quoted(&gone));
        let finding = report.add_part(Rule::IF007, &subject, &gone, message);
        finding.set(Level::Cpp, Verdict::Breaks).set(Level::Implementer, Verdict::Safe);
    }
    for fresh in &bases(new, new_scope) - &bases(old, scope) {
        let message = format!("it derives from {} now", quoted(&fresh));
        let finding = report.add_part(Rule::IF007, &subject, &fresh, message);
        finding.set(Level::Cpp, Verdict::Safe).set(Level::Implementer, Verdict::Breaks);
    }
    if old.verify.is_none() && new.verify.is_some() {
        report.add(Rule::IF008, &subject, "it verifies what implements it");
    }
}

/// Returns true if a declared function has a signature; its parameters may have names.
fn is_declared_as(member: &str, signature: &str) -> bool {
    let Some((head, parameters)) = signature.split_once('(') else { return false };
    // Its attributes come first: `[[deprecated("…")]] void f()`.
    let member = member.rsplit_once("]]").map_or(member, |(_, rest)| rest);
    let Some((declared, given)) = member.split_once('(') else { return false };
    let types = parameters.trim_end_matches(')').split(", ");
    declared.ends_with(head)
        && given.trim_end_matches(')').split(", ").count() == types.clone().count()
        && given.split(", ").zip(types).all(|(given, ty)| given.starts_with(ty))
}

/// Compares methods with the same signature.
fn same(
    (old, scope): (&Method, Scope<'_>),
    (new, new_scope): (&Method, Scope<'_>),
    subject: &Subject<'_>,
    report: &mut Report,
) {
    match (&old.default_body, &new.default_body) {
        (Some(_), None) if new.body.is_none() => {
            report.add_part(Rule::IF005, subject, &old.name, "it has no default implementation any more");
        }
        (Some(before), Some(after)) if scope.normal(before) != new_scope.normal(after) => {
            report.add_part(Rule::IF006, subject, &old.name, "the default implementation is another");
        }
        _ => {}
    }
}
