//! Traits and interfaces of operations, by their C++ names.

use std::collections::BTreeMap;

use odsmith_interchange::op::{Kind, Operation, Trait};

use super::{
    Report, Side,
    operation::{Both, cpp},
    quoted,
    rules::{Level, Rule, Verdict},
};

/// The topic of a trait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Topic {
    Interface,
    /// Effects and speculation, which have their own findings.
    Effects,
    /// The sizes of segments, which have their own findings.
    Segments,
    /// The relation of several parts.
    Entities,
    Terminator,
    Symbol,
    Algebra,
    Structure,
    /// Anything else.
    Other,
}

/// Traits that relate several parts.
const ENTITIES: &[&str] = &[
    "SameTypeOperands",
    "SameOperandsShape",
    "SameOperandsElementType",
    "SameOperandsAndResultShape",
    "SameOperandsAndResultElementType",
    "SameOperandsAndResultType",
    "SameOperandsAndResultRank",
    "SameVariadicOperandSize",
    "SameVariadicResultSize",
    "Elementwise",
    "ResultsAreBoolLike",
    "ResultsAreFloatLike",
    "ResultsAreSignlessIntegerLike",
];

/// MLIR's traits whose C++ never rejects anything.
const REFUSES_NOTHING: &[&str] =
    &["AutomaticAllocationScope", "MemRefsNormalizable", "Scalarizable", "Tensorizable", "Vectorizable"];

impl Topic {
    fn of(it: &Trait) -> Topic {
        let class = it.cpp_name.split('<').next().unwrap_or_default();
        let name = class.rsplit("::").next().unwrap_or_default();
        if is_effect(it) {
            return Topic::Effects;
        }
        match it.kind {
            Kind::Interface => return Topic::Interface,
            Kind::Predicate => return Topic::Entities,
            Kind::Native | Kind::Internal => {}
        }
        match name {
            "AttrSizedOperandSegments" | "AttrSizedResultSegments" => Topic::Segments,
            "NoTerminator" | "SingleBlockImplicitTerminator" | "Impl" if class.contains("Terminator") => {
                Topic::Terminator
            }
            "Symbol" | "SymbolTable" => Topic::Symbol,
            "IsCommutative" | "IsIdempotent" | "IsInvolution" | "ConstantLike" => Topic::Algebra,
            name if ENTITIES.contains(&name) => Topic::Entities,
            "IsolatedFromAbove" | "IsTerminator" | "SingleBlock" | "NoRegionArguments" | "HasParent"
            | "Impl" | "AffineScope" | "HasAncestor" => Topic::Structure,
            _ if it.is_structural => Topic::Structure,
            _ => Topic::Other,
        }
    }
}

/// Returns true if a trait is about memory effects or speculation.
fn is_effect(it: &Trait) -> bool {
    let name = &it.cpp_name;
    !it.effects.is_empty()
        || name.contains("MemoryEffect")
        || name.contains("Speculat")
        || name.contains("RecursiveMemoryEffects")
}

pub(super) fn compare(both: Both<'_>, report: &mut Report) {
    let subject = both.subject();
    let by_name = |op: &'_ Operation, side: Side<'_>| -> BTreeMap<String, (Topic, String)> {
        let named = side.traits(&op.traits).map(|it| {
            let key = if it.cpp_name.is_empty() { it.name.clone() } else { cpp(&it.cpp_name) };
            (key, (Topic::of(it), it.name.clone()))
        });
        named.filter(|(key, _)| !key.is_empty()).collect()
    };
    let old = by_name(both.old, both.cx.old);
    let new = by_name(both.new, both.cx.new);
    for (key, (topic, name)) in old.iter().filter(|(key, _)| !new.contains_key(*key)) {
        let message = format!("it has lost {}", quoted(key));
        let rule = match topic {
            Topic::Interface => Rule::TR001,
            Topic::Terminator => Rule::TR007,
            Topic::Symbol => Rule::TR008,
            Topic::Algebra => Rule::TR009,
            Topic::Structure | Topic::Other => Rule::TR006,
            Topic::Effects | Topic::Segments | Topic::Entities => continue,
        };
        report.add_part(rule, &subject, name, message);
    }
    for (key, (topic, name)) in new.iter().filter(|(key, _)| !old.contains_key(*key)) {
        let message = format!("it has gained {}", quoted(key));
        match topic {
            Topic::Interface => {
                let verdict = work(both.cx.new, key);
                report.add_part(Rule::TR002, &subject, name, message).set(Level::Implementer, verdict);
            }
            Topic::Terminator => _ = report.add_part(Rule::TR007, &subject, name, message),
            Topic::Symbol => _ = report.add_part(Rule::TR008, &subject, name, message),
            Topic::Algebra => _ = report.add_part(Rule::TR009, &subject, name, message),
            Topic::Structure => _ = report.add_part(Rule::TR005, &subject, name, message),
            // Its verifier is C++.
            Topic::Other => {
                let refuses_nothing = key.rsplit("::").next().is_some_and(|it| REFUSES_NOTHING.contains(&it));
                let verdict = if refuses_nothing { Verdict::Safe } else { Verdict::Unknown };
                report.add_part(Rule::TR005, &subject, name, message).set(Level::Verifier, verdict);
            }
            Topic::Entities => {
                report.add_part(Rule::OP026, &subject, name, message).set(Level::Text, Verdict::Safe);
            }
            Topic::Effects | Topic::Segments => {}
        }
    }
    effects(both, report);
}

/// Returns the effect on implementers of an interface.
fn work(side: Side<'_>, trait_name: &str) -> Verdict {
    let class = trait_name.strip_suffix("::Trait").unwrap_or(trait_name);
    let found = side.0.interfaces.iter().find(|it| {
        let name = cpp(&format!("{}::{}", it.cpp_namespace, it.cpp_class));
        name.trim_start_matches("::") == class.trim_start_matches("::")
    });
    let Some(interface) = found else { return Verdict::Unknown };
    let is_given =
        interface.methods.iter().all(|method| method.body.is_some() || method.default_body.is_some());
    if is_given { Verdict::Safe } else { Verdict::Breaks }
}

/// Returns true if an unused operation is erased.
fn is_pure(op: &Operation, side: Side<'_>) -> bool {
    let has =
        |what: &str| side.traits(&op.traits).any(|it| it.name.contains(what) || it.cpp_name.contains(what));
    let has_none = side.traits(&op.traits).any(|it| {
        it.name == "NoMemoryEffect"
            || (it.cpp_name.contains("MemoryEffect")
                && it.effects.is_empty()
                && it.definition.record.as_deref() == Some("NoMemoryEffect"))
    });
    has_none && has("AlwaysSpeculatable")
}

fn effects(both: Both<'_>, report: &mut Report) {
    let subject = both.subject();
    match (is_pure(both.old, both.cx.old), is_pure(both.new, both.cx.new)) {
        (true, false) => _ = report.add(Rule::TR003, &subject, "it is not pure any more"),
        (false, true) => {
            let finding = report.add(Rule::TR004, &subject, "it is pure now");
            // The same effects may have been declared in C++ before.
            let has_own = both.cx.old.traits(&both.old.traits).any(|it| it.cpp_name.contains("MemoryEffect"));
            if has_own {
                finding.set(Level::Semantics, Verdict::Unknown);
            }
        }
        _ => {}
    }
}
