//! Operands, attributes, properties, results, regions and successors as rows.

use std::{borrow::Cow, collections::BTreeSet, sync::Arc};

use odsmith_engine::ods::{
    self, Constraint, Definition, DefinitionKind, PartKind, Quantifier, SideEffect, enums,
};

use super::{Atlas, source};
use crate::{
    links::Slugs,
    memo::record_key,
    text::unqualified,
    view::{Link, Part},
    witness::{Type, Witness},
};

/// The prefix of a part's fragment, and its hue.
pub(super) fn id_and_role(kind: PartKind) -> (&'static str, &'static str) {
    match kind {
        PartKind::Operand => ("operand", "operand"),
        PartKind::Attribute | PartKind::DerivedAttribute => ("attr", "attr"),
        PartKind::Property => ("prop", "attr"),
        PartKind::Result => ("result", "result"),
        PartKind::Region => ("region", "region"),
        PartKind::Successor => ("successor", "region"),
    }
}

/// The effect as a verb (`reads`, `writes`, …), with the resource unless it is the default one.
pub(super) fn effect(effect: SideEffect<'_>) -> String {
    let verb = match unqualified(effect.effect()) {
        "Read" => "reads",
        "Write" => "writes",
        "Allocate" => "allocates",
        "Free" => "frees",
        other => other,
    };
    match unqualified(effect.resource()) {
        "DefaultResource" | "" => verb.to_owned(),
        resource => format!("{verb} {resource}"),
    }
}

/// Collects a constraint and all constraints inside it: `AnyTypeOf<[A, B]>`.
pub(super) fn inner_constraints<'r>(
    constraint: Constraint<'r>,
    depth: usize,
    found: &mut Vec<Constraint<'r>>,
) {
    if depth > 4 || found.len() > 64 {
        return;
    }
    found.push(constraint);
    for inner in constraint.parts() {
        inner_constraints(inner, depth + 1, found);
    }
}

/// The pages of the constraints inside a constraint.
#[derive(Debug)]
pub(super) struct ConstraintPages {
    /// All of them, with repetitions.
    pub(super) all: Vec<String>,
    /// The pages of types, each once.
    pub(super) types: Vec<String>,
    /// The pages of attributes, each once.
    pub(super) attributes: Vec<String>,
}

/// The types that a constraint accepts, as far as they can be determined.
#[derive(Debug, Default)]
pub(super) struct AcceptedTypes {
    /// The families of these types, each once.
    pub(super) families: Vec<String>,
    /// The pages of these types; empty for a constraint that accepts nearly everything.
    pub(super) types: Vec<String>,
    /// The pages of types that relate operations to each other; numbers are too common.
    pub(super) near: Vec<String>,
}

/// The number of float types beyond which they count as one class.
const MOST_FLOATS: usize = 4;
/// The number of families beyond which a constraint relates too many operations.
const MOST_NEAR: usize = 3;
/// The number of classes beyond which a constraint accepts nearly everything.
const MOST_CLASSES: usize = 8;

impl AcceptedTypes {
    fn new(atlas: &Atlas<'_>, constraint: Constraint<'_>) -> Self {
        let judged = atlas.synthesiser.judge().witnesses(constraint);
        let accepted: Vec<&Type> =
            judged.iter().filter(|(_, witness)| *witness == Witness::Yes).map(|(ty, _)| ty).collect();
        let mut families: Vec<String> = accepted.iter().map(|ty| ty.family()).collect();
        families.sort_unstable();
        families.dedup();
        // If there are many float types, they are left out of the classes.
        let is_float = |ty: &&&Type| matches!(ty, Type::Float(_));
        let floats: BTreeSet<&&Type> = accepted.iter().filter(is_float).collect();
        let mut classes: Vec<Cow<'_, str>> = accepted
            .iter()
            .filter(|ty| !is_float(ty) || floats.len() <= MOST_FLOATS)
            .map(|ty| ty.class())
            .collect();
        classes.sort_unstable();
        classes.dedup();
        let is_any = classes.len() > MOST_CLASSES;
        let hrefs = |classes: &[Cow<'_, str>]| -> BTreeSet<String> {
            let known = classes.iter().filter_map(|class| atlas.registry.cpp.get(&**class));
            known.cloned().collect()
        };
        let types = if is_any { BTreeSet::new() } else { hrefs(&classes) };
        let holds = |ty: &&&Type| matches!(ty, Type::Def { .. } | Type::MemRef(..) | Type::Tensor(..));
        let is_near = families.len() <= MOST_NEAR;
        let near: Vec<Cow<'_, str>> =
            accepted.iter().filter(holds).filter(|_| is_near).map(|ty| ty.class()).collect();
        let near = hrefs(&near);
        AcceptedTypes { families, types: types.into_iter().collect(), near: near.into_iter().collect() }
    }

    /// The types that a part's constraint accepts, computed once per constraint.
    pub(super) fn of(atlas: &Atlas<'_>, constraint: Constraint<'_>) -> Arc<AcceptedTypes> {
        let base = constraint.unwrapped();
        atlas.accepted.get(record_key(base.rec()), || AcceptedTypes::new(atlas, base))
    }
}

impl ConstraintPages {
    fn new(atlas: &Atlas<'_>, constraint: Constraint<'_>) -> Self {
        let mut inner = Vec::new();
        inner_constraints(constraint.unwrapped(), 0, &mut inner);
        let of = |wanted: ods::ConstraintKind| {
            let own = inner.iter().filter(|inner| {
                let kind = Definition::new(inner.rec()).kind();
                kind == DefinitionKind::AttrOrType && inner.kind() == wanted
            });
            let mut hrefs: Vec<String> = own.filter_map(|inner| atlas.constraint_href(*inner)).collect();
            hrefs.sort();
            hrefs.dedup();
            hrefs
        };
        let (types, attributes) = (of(ods::ConstraintKind::Type), of(ods::ConstraintKind::Attribute));
        ConstraintPages {
            all: inner.into_iter().filter_map(|inner| atlas.constraint_href(inner)).collect(),
            types,
            attributes,
        }
    }

    /// The pages of the constraints inside a part's constraint, computed once per constraint.
    pub(super) fn of(atlas: &Atlas<'_>, constraint: Constraint<'_>) -> Arc<ConstraintPages> {
        atlas.named.get(record_key(constraint.rec()), || ConstraintPages::new(atlas, constraint))
    }
}

/// The limit for names in the words for a constraint without a summary.
const MOST_NAMES: usize = 4;

/// A constraint in words: its summary, the name that a type or attribute has in the IR, the few types that it accepts, or
/// else its name; a constraint without any of them is named after its class.
pub(super) fn words_of(atlas: &Atlas<'_>, constraint: Constraint<'_>) -> String {
    let rec = constraint.rec();
    let summary = constraint.summary().trim();
    if !summary.is_empty() {
        return summary.to_owned();
    }
    let own = atlas.constraint_href(constraint).and_then(|href| atlas.registry.names.get(&href));
    if let Some(name) = own {
        return name.clone();
    }
    let mut inside: Vec<String> = mentions(atlas, constraint).into_iter().map(|link| link.text).collect();
    if inside.is_empty() && constraint.kind() == ods::ConstraintKind::Type {
        inside = AcceptedTypes::of(atlas, constraint).families.clone();
    }
    if !inside.is_empty() && inside.len() <= MOST_NAMES {
        return inside.join(" or ");
    }
    if !rec.is_anonymous() {
        return rec.name().to_owned();
    }
    match source::classes(rec).next() {
        Some(class) => class.name().to_owned(),
        None if constraint.kind() == ods::ConstraintKind::Type => "a type".to_owned(),
        None => "an attribute".to_owned(),
    }
}

/// The row of a part; `index` is its position among the parts of its kind.
pub(super) fn part(atlas: &Atlas<'_>, part: ods::Part<'_>, index: usize, ids: &mut Slugs) -> Part {
    let base = part.constraint.unwrapped();
    let default = part.constraint.default_value();
    let quantifier = part.constraint.quantifier();
    let mentions = if base.rec().is_anonymous() { mentions(atlas, base) } else { Vec::new() };
    let shown_name = if part.name.is_empty() { index.to_string() } else { part.name.to_owned() };
    let id = ids.take(&format!("{}-{shown_name}", id_and_role(part.kind).0));
    let mut record = None;
    let mut constraint_name = (!base.rec().is_anonymous()).then(|| {
        let (name, href) = (base.rec().name().to_owned(), atlas.constraint_href(base));
        let known = href.as_ref().and_then(|href| atlas.registry.names.get(href));
        match known.filter(|known| known.starts_with(['!', '#'])) {
            Some(known) => {
                record = Some(name);
                Link { text: known.clone(), href }
            }
            None => Link { text: name, href },
        }
    });
    let mut constraint = words_of(atlas, base);
    if part.kind == PartKind::Region {
        constraint = plain_region(&constraint);
    }
    let cpp = part.constraint.cpp();
    let cpp_type = match part.kind {
        PartKind::Attribute | PartKind::DerivedAttribute => cpp.storage_type,
        PartKind::Property => cpp.interface_type.or(cpp.storage_type),
        PartKind::Operand | PartKind::Result | PartKind::Region | PartKind::Successor => None,
    };
    // The summary that ODS generates only lists the cases of an enum, so its name is shown.
    if let Some(info) =
        base.enum_info().filter(|_| constraint.starts_with("allowed ") || constraint.contains("::"))
    {
        constraint = if enums::is_bit_enum(info) { "flags of" } else { "case of" }.to_owned();
        let text = Definition::new(info).cpp_class_name().to_owned();
        constraint_name = Some(Link { text, href: atlas.constraint_href(Constraint::new(info)) });
        record = None;
    }
    let effects = part.decoration.effects().into_iter().map(effect).collect();
    Part {
        id,
        is_named: !part.name.is_empty(),
        name: if part.name.is_empty() { format!("#{index}") } else { part.name.to_owned() },
        quantifiers: words(quantifier).to_vec(),
        // Words that only repeat the name say nothing.
        constraint: match &constraint_name {
            Some(name) if name.text == constraint && !constraint.is_empty() => String::new(),
            _ => constraint,
        },
        constraint_name,
        record,
        default: default.map(str::to_owned),
        cpp_href: None,
        cpp_type: cpp_type.map(|ty| ty.trim().to_owned()).filter(|ty| !ty.is_empty()),
        effects,
        description: part
            .decoration
            .summary()
            .map(|text| text.trim().to_owned())
            .filter(|text| !text.is_empty()),
        is_optional: default.is_some() || matches!(quantifier, Quantifier::Optional | Quantifier::Flag),
        mentions,
        facts: Vec::new(),
    }
}

/// Rewords the number of a region's blocks: `region with 1 blocks` becomes `exactly one block`.
fn plain_region(summary: &str) -> String {
    let Some(rest) = summary.strip_prefix("region with ") else {
        return if summary == "any region" { "any number of blocks".to_owned() } else { summary.to_owned() };
    };
    let (limit, rest) = match rest.strip_prefix("at least ") {
        Some(rest) => ("at least", rest),
        None => ("exactly", rest),
    };
    let Some(count) = rest.strip_suffix(" blocks").and_then(|count| count.parse::<u64>().ok()) else {
        return summary.to_owned();
    };
    let number = match count {
        1 => "one".to_owned(),
        2 => "two".to_owned(),
        3 => "three".to_owned(),
        count => count.to_string(),
    };
    format!("{limit} {number} {}", if count == 1 { "block" } else { "blocks" })
}

fn words(quantifier: Quantifier) -> &'static [&'static str] {
    match quantifier {
        Quantifier::One => &[],
        Quantifier::Optional => &["optional"],
        Quantifier::Flag => &["flag"],
        Quantifier::Variadic => &["variadic"],
        Quantifier::VariadicOfVariadic => &["variadic", "variadic of variadic"],
    }
}

/// The limit for names, beyond which the summary says more.
const MOST_MENTIONS: usize = 12;

/// Links to the constraints inside one that has no page.
pub(super) fn mentions(atlas: &Atlas<'_>, constraint: Constraint<'_>) -> Vec<Link> {
    let mut inner = Vec::new();
    inner_constraints(constraint, 0, &mut inner);
    let mut links: Vec<Link> = Vec::new();
    for link in inner.into_iter().filter_map(|inner| atlas.constraint_link(inner)) {
        if links.iter().all(|known| known.text != link.text) {
            links.push(link);
        }
    }
    if links.len() > MOST_MENTIONS { Vec::new() } else { links }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_described_in_plain_words() {
        for (summary, expected) in [
            ("any region", "any number of blocks"),
            ("region with 1 blocks", "exactly one block"),
            ("region with 2 blocks", "exactly two blocks"),
            ("region with at least 1 blocks", "at least one block"),
            ("region with at least 12 blocks", "at least 12 blocks"),
            ("region with a loop", "region with a loop"),
        ] {
            assert_eq!(plain_region(summary), expected);
        }
    }
}
