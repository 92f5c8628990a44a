//! Operands, attributes, properties, results, regions and successors, one row each.

use std::sync::Arc;

use odsmith_engine::record::{Known, Rec, Val, name};

use super::{Atlas, atlas::enum_of};
use crate::{
    links::Slugs,
    memo::record_key,
    text::unqualified,
    view::{Link, Part},
};

/// What an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Operand,
    Attribute,
    Property,
    Result,
    Region,
    Successor,
}

/// A constraint without what is wrapped around it.
pub(super) struct Unwrapped<'r> {
    /// The constraint proper.
    pub(super) base: Rec<'r>,
    /// The constraint as it was named, without the decorations of an argument.
    pub(super) outer: Rec<'r>,
    /// `variadic`, `optional`, …
    pub(super) quantifiers: Vec<&'static str>,
    /// The author's words about this argument.
    pub(super) description: Option<&'r str>,
    /// What the operation does to it.
    pub(super) effects: Vec<String>,
    /// The default value.
    pub(super) default: Option<&'r str>,
}

impl Kind {
    /// The kind of an argument by its constraint.
    pub(super) fn of_argument(constraint: Rec<'_>) -> Option<Kind> {
        let constraint = constraint
            .is_subclass_of(name!("OpVariable"))
            .then(|| constraint.optional_def(name!("constraint")))
            .flatten()
            .unwrap_or(constraint);
        if constraint.is_subclass_of(name!("TypeConstraint")) {
            Some(Kind::Operand)
        } else if constraint.is_subclass_of(name!("Property")) {
            Some(Kind::Property)
        } else if constraint.is_subclass_of(name!("AttrConstraint")) {
            Some(Kind::Attribute)
        } else {
            None
        }
    }

    /// The first half of the fragment.
    pub(super) fn id(self) -> &'static str {
        match self {
            Kind::Operand => "operand",
            Kind::Attribute => "attr",
            Kind::Property => "prop",
            Kind::Result => "result",
            Kind::Region => "region",
            Kind::Successor => "successor",
        }
    }

    /// The hue.
    pub(super) fn role(self) -> &'static str {
        match self {
            Kind::Operand => "operand",
            Kind::Attribute | Kind::Property => "attr",
            Kind::Result => "result",
            Kind::Region | Kind::Successor => "region",
        }
    }
}

/// What is inside of `Arg<…>`, `Variadic<…>`, `OptionalAttr<…>` and the like.
pub(super) fn base(constraint: Rec<'_>) -> Rec<'_> {
    let outer = match constraint.is_subclass_of(name!("OpVariable")) {
        true => constraint.def(name!("constraint")).unwrap_or(constraint),
        false => constraint,
    };
    inside(outer)
}

/// Classes of wrappers, and the field in which each names what it wraps.
const WRAPPERS: &[(&[Known], Known)] = &[
    (&[name!("Variadic"), name!("Optional"), name!("VariadicOfVariadic")], name!("baseType")),
    (
        &[name!("OptionalAttr"), name!("DefaultValuedAttr"), name!("DefaultValuedOptionalAttr")],
        name!("baseAttr"),
    ),
    (&[name!("DefaultValuedProp"), name!("OptionalProp")], name!("baseProperty")),
];

fn inside(mut base: Rec<'_>) -> Rec<'_> {
    for _ in 0..8 {
        let is_one = |classes: &[Known]| classes.iter().any(|&class| base.is_subclass_of(class));
        let mut wrapped = WRAPPERS.iter().filter(|(classes, _)| is_one(classes));
        let inner = wrapped.find_map(|&(_, field)| base.optional_def(field)).filter(|&inner| inner != base);
        let Some(inner) = inner else { break };
        base = inner;
    }
    base
}

/// Takes off `Arg<…>`, `Variadic<…>`, `OptionalAttr<…>` and the like, and remembers what they said.
pub(super) fn unwrap(constraint: Rec<'_>) -> Unwrapped<'_> {
    let mut found = Unwrapped {
        base: constraint,
        outer: constraint,
        quantifiers: Vec::new(),
        description: None,
        effects: Vec::new(),
        default: None,
    };
    if constraint.is_subclass_of(name!("OpVariable")) {
        found.description =
            constraint.optional_string(name!("summary")).filter(|text| !text.trim().is_empty());
        found.effects =
            constraint.optional_defs(name!("decorators")).into_iter().filter_map(effect).collect();
        found.outer = constraint.def(name!("constraint")).unwrap_or(constraint);
    }
    for (class, word) in [
        (name!("Variadic"), "variadic"),
        (name!("VariadicOfVariadic"), "variadic of variadic"),
        (name!("Optional"), "optional"),
        (name!("VariadicRegion"), "variadic"),
        (name!("VariadicSuccessor"), "variadic"),
    ] {
        if found.outer.is_subclass_of(class) {
            found.quantifiers.push(word);
        }
    }
    found.base = inside(found.outer);
    let outer = found.outer;
    if outer.is_subclass_of(name!("AttrConstraint")) || outer.is_subclass_of(name!("Property")) {
        let default = outer.optional_string(name!("defaultValue")).filter(|text| !text.is_empty());
        let is_unit =
            outer.optional_string(name!("storageType")).is_some_and(|ty| ty.trim().ends_with("::UnitAttr"));
        if is_unit {
            found.quantifiers.push("flag");
        } else if (outer.is_set(name!("isOptional")) && default.is_none())
            || outer.is_subclass_of(name!("OptionalProp"))
        {
            found.quantifiers.push("optional");
        } else {
            found.default = default;
        }
    }
    found
}

/// `reads`, `writes`, …; with the resource if it is a special one.
pub(super) fn effect(decorator: Rec<'_>) -> Option<String> {
    let effect = unqualified(decorator.optional_string(name!("effect"))?);
    let verb = match effect {
        "Read" => "reads",
        "Write" => "writes",
        "Allocate" => "allocates",
        "Free" => "frees",
        other => other,
    };
    let resource = unqualified(decorator.optional_string(name!("resource")).unwrap_or("DefaultResource"));
    Some(if resource == "DefaultResource" { verb.to_owned() } else { format!("{verb} {resource}") })
}

/// Every constraint that is named inside this one, itself included: `AnyTypeOf<[A, B]>`.
pub(super) fn inner_constraints<'r>(constraint: Rec<'r>, depth: usize, found: &mut Vec<Rec<'r>>) {
    if depth > 4 || found.len() > 64 {
        return;
    }
    found.push(constraint);
    let mut direct = Vec::new();
    direct_constraints(constraint, &mut direct);
    for inner in direct {
        inner_constraints(inner, depth + 1, found);
    }
}

/// The pages of what a constraint names.
#[derive(Debug)]
pub(super) struct Named {
    /// All of them, as often as they are named.
    pub(super) all: Vec<String>,
    /// Those of types, each once.
    pub(super) types: Vec<String>,
}

impl Named {
    fn new(atlas: &Atlas<'_>, constraint: Rec<'_>) -> Self {
        let mut inner = Vec::new();
        inner_constraints(base(constraint), 0, &mut inner);
        let types = inner.iter().filter(|rec| rec.is_subclass_of(name!("TypeDef")));
        let mut types: Vec<String> = types.filter_map(|rec| atlas.constraint_href(*rec)).collect();
        types.sort();
        types.dedup();
        Named { all: inner.into_iter().filter_map(|rec| atlas.constraint_href(rec)).collect(), types }
    }

    /// That of an argument or result, which many share.
    pub(super) fn of(atlas: &Atlas<'_>, constraint: Rec<'_>) -> Arc<Named> {
        atlas.named.get(record_key(constraint), || Named::new(atlas, constraint))
    }
}

/// The constraints that a constraint names as its parts.
pub(super) fn direct_constraints<'r>(constraint: Rec<'r>, found: &mut Vec<Rec<'r>>) {
    // Most have few of these fields.
    for field in [name!("allowedTypes"), name!("allowedAttrs"), name!("allowedAttributes")] {
        let list = constraint.get(field).and_then(Val::as_list);
        found.extend(list.into_iter().flatten().filter_map(Val::as_def));
    }
    for field in [
        name!("baseType"),
        name!("elementType"),
        name!("baseAttr"),
        name!("elementAttr"),
        name!("baseProperty"),
    ] {
        found.extend(constraint.get(field).and_then(Val::as_def));
    }
}

/// The row of an argument, result, region or successor.
pub(super) fn part(
    atlas: &Atlas<'_>,
    kind: Kind,
    index: usize,
    name: Option<&str>,
    constraint: Rec<'_>,
    ids: &mut Slugs,
) -> Part {
    let unwrapped = unwrap(constraint);
    let Unwrapped { base, outer, quantifiers, description, effects, default } = unwrapped;
    let is_optional =
        default.is_some() || quantifiers.iter().any(|word| matches!(*word, "optional" | "flag"));
    let mentions = if base.is_anonymous() { mentions(atlas, base) } else { Vec::new() };
    let name = name.filter(|name| !name.is_empty());
    let id = ids.take(&format!("{}-{}", kind.id(), name.map_or_else(|| index.to_string(), str::to_owned)));
    let summary = base.optional_string(name!("summary")).filter(|text| !text.trim().is_empty());
    let mut constraint_name = (!base.is_anonymous())
        .then(|| Link { text: base.name().to_owned(), href: atlas.constraint_href(base) });
    let mut constraint = summary.map_or_else(|| base.name().to_owned(), |text| text.trim().to_owned());
    let cpp_type = match kind {
        Kind::Attribute => outer.optional_string(name!("storageType")),
        Kind::Property => outer
            .optional_string(name!("interfaceType"))
            .or_else(|| outer.optional_string(name!("storageType"))),
        Kind::Operand | Kind::Result | Kind::Region | Kind::Successor => None,
    };
    // ODS only counts the cases of an enum; its name says more.
    if let Some(info) =
        enum_of(base).filter(|_| constraint.starts_with("allowed ") || constraint.contains("::"))
    {
        constraint =
            if info.is_subclass_of(name!("BitEnumBase")) { "flags of" } else { "case of" }.to_owned();
        let text = info.optional_string(name!("className")).unwrap_or(info.name()).to_owned();
        constraint_name = Some(Link { text, href: atlas.constraint_href(info) });
    }
    Part {
        id,
        is_named: name.is_some(),
        name: name.map_or_else(|| format!("#{index}"), str::to_owned),
        quantifiers,
        constraint,
        constraint_name,
        default: default.map(str::to_owned),
        cpp_href: None,
        cpp_type: cpp_type.map(|ty| ty.trim().to_owned()).filter(|ty| !ty.is_empty()),
        effects,
        description: description.map(|text| text.trim().to_owned()),
        is_optional,
        mentions,
        facts: Vec::new(),
    }
}

/// More names than this would say less than the sentence in front of them.
const MOST_MENTIONS: usize = 12;

/// The pages of the constraints inside one that has no page.
pub(super) fn mentions(atlas: &Atlas<'_>, constraint: Rec<'_>) -> Vec<Link> {
    let mut inner = Vec::new();
    inner_constraints(constraint, 0, &mut inner);
    let mut links: Vec<Link> = Vec::new();
    for rec in inner {
        let Some(href) = atlas.constraint_href(rec) else { continue };
        let text = match atlas.registry.names.get(&href) {
            Some(name) => name.clone(),
            None => rec.name().to_owned(),
        };
        if links.iter().all(|known| known.text != text) {
            links.push(Link { text, href: Some(href) });
        }
    }
    if links.len() > MOST_MENTIONS { Vec::new() } else { links }
}
