//! The page of an operation.

use odsmith_engine::{
    generators::members as generated,
    ods,
    record::{Rec, name},
};

use super::{
    Atlas, Finds,
    atlas::{Entity, Section, cpp_class, deprecation, enum_of},
    enums, members,
    parts::{self, Kind},
    relations::{self, Relations},
    source, syntax,
    traits::{self, Found},
};
use crate::{
    links::Slugs,
    search::RowFacets,
    text::{dedent, unqualified},
    view::{Badge, Builder, Constraint, Fact, Link, Operation, Parts, SCHEMA},
};

/// Enums with more cases than this are only linked to.
const INLINE_CASES: usize = 16;

/// The page of an operation.
pub(super) fn operation<'r>(
    atlas: &Atlas<'r>,
    section: &Section<'r>,
    entity: &Entity<'r>,
    relations: &Relations,
    finds: &mut Finds,
) -> Operation {
    let op = entity.rec;
    let model = ods::Operation::new(op).ok();
    let dotted = format!("{}.", section.name);
    let (prefix, mnemonic) = match entity.name.strip_prefix(&dotted) {
        Some(mnemonic) => (dotted, mnemonic.to_owned()),
        None => (String::new(), entity.name.clone()),
    };
    let mut ids = Slugs::default();
    let mut parts = all_parts(atlas, op, &mut ids);
    let found = traits::of(atlas, op, "traits");
    describe_regions(atlas, &section.namespace, &found, &mut parts);
    for by in found.constraints.iter().map(|rule| &rule.by) {
        finds.uses(by.href.as_deref());
    }
    for class in source::classes(op) {
        finds.uses(atlas.class_link(class).href.as_deref());
    }
    for link in found.traits.iter().chain(&found.interfaces) {
        finds.uses(link.name.href.as_deref());
        for part in &link.parts {
            finds.uses(part.href.as_deref());
        }
    }
    let mut enums = Vec::new();
    for (kind, name, constraint) in arguments(op) {
        note_uses(atlas, constraint, finds);
        if matches!(kind, Kind::Attribute | Kind::Property) {
            let info = enum_of(parts::unwrap(constraint).base);
            enums.extend(
                info.and_then(|info| enums::summary(atlas, name.unwrap_or_default(), info, &mut ids)),
            );
        }
    }
    for field in ["results", "regions", "successors"] {
        for (constraint, _) in dag(op, field) {
            note_uses(atlas, constraint, finds);
        }
    }
    enums.retain(|summary| summary.cases.len() <= INLINE_CASES);
    let tags = found.traits.iter().chain(&found.interfaces).map(|link| link.name.text.clone());
    let types = |id: &str| {
        let group = parts.iter().find(|group| group.id == id);
        group.map_or_else(Vec::new, |group| group.rows.iter().map(|part| part.constraint.clone()).collect())
    };
    finds.facets = RowFacets {
        tags: tags.collect(),
        takes: types("operands"),
        returns: types("results"),
        flags: flags(op),
    };
    let shown = match model.as_ref().and_then(generated::of_operation) {
        Some(found) => members::shown(&cpp_class(op), "create", &found),
        None => members::Shown { builders: builders(op), ..members::Shown::default() },
    };
    let related = relations::groups(atlas, section, entity, relations);
    let patterns = relations.patterns_of(&entity.href);
    Operation {
        schema: SCHEMA,
        kind: "op",
        dialect: section.name.clone(),
        name: entity.name.clone(),
        prefix,
        mnemonic,
        cpp_class: cpp_class(op),
        summary: op
            .optional_string(name!("summary"))
            .map(str::trim)
            .filter(|text| !text.is_empty())
            .map(str::to_owned),
        badges: badges(&found, entity.is_deprecated),
        deprecation: deprecation(op),
        signature: syntax::signature(&entity.name, &parts),
        syntax: syntax::operation(&atlas.synthesiser, op, model.as_ref(), &entity.name, &entity.href, &parts),
        description: atlas.prose(op, &entity.href, &mut finds.notes),
        has_notes: parts.iter().flat_map(|group| &group.rows).any(has_note),
        constraints: constraints(&found),
        enums,
        behaviour: behaviour(op, &found),
        builders: shown.builders,
        default_builders: shown.default_builders,
        accessors: shown.accessors,
        extra_class_declaration: op
            .optional_string(name!("extraClassDeclaration"))
            .map(dedent)
            .filter(|text| !text.trim().is_empty()),
        python: model.as_ref().and_then(members::python),
        has_related: !related.is_empty() || !patterns.is_empty(),
        related,
        patterns,
        source: source::source(atlas, op),
        traits: found.traits,
        interfaces: found.interfaces,
        parts,
    }
}

/// Whether a row has something in the last column.
pub(super) fn has_note(part: &crate::view::Part) -> bool {
    part.default.is_some() || part.description.is_some() || !part.effects.is_empty() || !part.facts.is_empty()
}

fn dag<'r>(op: Rec<'r>, field: &str) -> Vec<(Rec<'r>, Option<&'r str>)> {
    let Ok(dag) = op.dag(field) else { return Vec::new() };
    dag.args().filter_map(|(value, name)| Some((value.as_def()?, name))).collect()
}

fn arguments(op: Rec<'_>) -> Vec<(Kind, Option<&str>, Rec<'_>)> {
    let all = dag(op, "arguments").into_iter();
    all.filter_map(|(constraint, name)| Some((Kind::of_argument(constraint)?, name, constraint))).collect()
}

fn all_parts(atlas: &Atlas<'_>, op: Rec<'_>, ids: &mut Slugs) -> Vec<Parts> {
    let mut groups = Vec::new();
    let mut add = |kind: Kind, id: &'static str, title: &'static str, given: Vec<(Rec<'_>, Option<&str>)>| {
        let numbered = given.into_iter().enumerate();
        let rows: Vec<_> =
            numbered.map(|(index, (rec, name))| parts::part(atlas, kind, index, name, rec, ids)).collect();
        if !rows.is_empty() {
            groups.push(Parts { id, title, role: kind.role(), rows });
        }
    };
    let arguments = arguments(op);
    let of = |wanted: Kind| {
        let some = arguments.iter().filter(|(kind, ..)| *kind == wanted);
        some.map(|&(_, name, rec)| (rec, name)).collect::<Vec<_>>()
    };
    add(Kind::Operand, "operands", "Operands", of(Kind::Operand));
    add(Kind::Attribute, "attributes", "Attributes", of(Kind::Attribute));
    add(Kind::Property, "properties", "Properties", of(Kind::Property));
    add(Kind::Result, "results", "Results", dag(op, "results"));
    add(Kind::Region, "regions", "Regions", dag(op, "regions"));
    add(Kind::Successor, "successors", "Successors", dag(op, "successors"));
    groups
}

/// What traits demand of all regions.
fn describe_regions(atlas: &Atlas<'_>, namespace: &str, found: &Found, parts: &mut [Parts]) {
    let Some(regions) = parts.iter_mut().find(|parts| parts.id == "regions") else { return };
    let has = |name: &str| found.flat.iter().any(|found| found == name);
    let mut facts = Vec::new();
    let mut add = |label: &str, text: &str| {
        facts.push(Fact { label: label.to_owned(), text: Some(text.to_owned()), ..Fact::default() });
    };
    if has("SingleBlock") {
        add("blocks", "at most one");
    }
    if has("NoRegionArguments") {
        add("arguments", "none");
    }
    if has("IsolatedFromAbove") {
        add("values from outside", "none");
    }
    if has("HasOnlyGraphRegion") {
        add("order of operations", "without meaning");
    }
    if has("NoTerminator") || has("GraphRegionNoTerminator") {
        add("terminator", "none needed");
    }
    let named = relations::parameters(found, "SingleBlockImplicitTerminator");
    for class in named {
        let Link { text, href } = atlas.op_link(&class, namespace);
        facts.push(Fact { label: "terminator".to_owned(), code: Some(text), href, text: None });
    }
    for region in &mut regions.rows {
        region.facts.clone_from(&facts);
    }
}

fn note_uses(atlas: &Atlas<'_>, constraint: Rec<'_>, finds: &mut Finds) {
    finds.uses.extend_from_slice(&parts::Named::of(atlas, constraint).all);
}

fn badges(found: &Found, is_deprecated: bool) -> Vec<Badge> {
    const SHOWN: &[(&str, &str, &str)] = &[
        ("Pure", "pure", "No side effects, and safe to run speculatively"),
        ("Terminator", "terminator", "Ends a block"),
        ("ReturnLike", "return-like", "Hands its operands on to the enclosing operation"),
        ("Commutative", "commutative", "The order of its operands does not matter"),
        ("Idempotent", "idempotent", "Applied twice it does the same as once"),
        ("Involution", "involution", "Applied twice it gives its operand back"),
        ("ConstantLike", "constant", "Its result is known at compile time"),
        ("ElementwiseMappable", "elementwise", "Works on the elements of vectors and tensors one by one"),
        ("IsolatedFromAbove", "isolated", "Its regions see no values from outside"),
        ("SymbolTable", "symbol table", "Symbols are looked up in it"),
    ];
    let deprecated = is_deprecated.then(|| Badge {
        text: "deprecated".to_owned(),
        meaning: "Should no longer be used".to_owned(),
        is_warning: true,
    });
    let has = |name: &str| found.traits.iter().any(|found| found.name.text == name);
    let shown = SHOWN.iter().filter(|(name, ..)| has(name)).map(|(_, text, meaning)| Badge {
        text: (*text).to_owned(),
        meaning: (*meaning).to_owned(),
        is_warning: false,
    });
    deprecated.into_iter().chain(shown).collect()
}

fn constraints(found: &Found) -> Vec<Constraint> {
    let numbered = found.constraints.iter().enumerate();
    numbered
        .map(|(index, rule)| Constraint {
            id: format!("c{}", index + 1),
            number: index + 1,
            text: rule.text.clone(),
            by: rule.by.clone(),
            condition: rule.condition.clone(),
        })
        .collect()
}

fn flags(op: Rec<'_>) -> Vec<&'static str> {
    let has_regions = op.dag(name!("regions")).is_ok_and(|dag| dag.len() > 0);
    let has_example = op.optional_string(name!("description")).is_some_and(|text| text.contains("```"));
    let all = [
        ("folder", op.is_set(name!("hasFolder"))),
        ("canon", op.is_set(name!("hasCanonicalizer")) || op.is_set(name!("hasCanonicalizeMethod"))),
        ("verify", op.is_set(name!("hasVerifier")) || op.is_set(name!("hasRegionVerifier"))),
        ("region", has_regions),
        ("example", has_example),
    ];
    all.into_iter().filter(|(_, is_set)| *is_set).map(|(name, _)| name).collect()
}

fn behaviour(op: Rec<'_>, found: &Found) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut add = |label: &str, text: &str| {
        facts.push(Fact { label: label.to_owned(), text: Some(text.to_owned()), ..Fact::default() });
    };
    if op.is_set(name!("hasFolder")) {
        add("Folds", "has a folder: constants and trivial forms are simplified as it is built");
    }
    if op.is_set(name!("hasCanonicalizer")) || op.is_set(name!("hasCanonicalizeMethod")) {
        add("Canonicalises", "has patterns of its own in the canonicalizer");
    }
    match (op.is_set(name!("hasVerifier")), op.is_set(name!("hasRegionVerifier"))) {
        (true, true) => add("Verifies", "has rules beyond those listed, also for its regions"),
        (true, false) => add("Verifies", "has rules beyond those listed here"),
        (false, true) => add("Verifies", "has rules of its own for its regions"),
        (false, false) => {}
    }
    let has_trait = |name: &str| found.flat.iter().any(|found| found == name);
    let infers = ["SameOperandsAndResultType", "FirstAttrDerivedResultType", "InferTypeOpInterface"];
    if infers.iter().any(|name| has_trait(name)) {
        add("Infers types", "result types follow from the operands and attributes");
    }
    let memory = if has_trait("NoMemoryEffect") {
        Some("none".to_owned())
    } else if has_trait("RecursiveMemoryEffects") {
        Some("that of the operations in its regions".to_owned())
    } else if let Some(effects) = &found.effects {
        Some(if effects.is_empty() { "none".to_owned() } else { effects.join(", ") })
    } else if has_trait("MemoryEffectOpInterface") {
        Some("told by its C++ code".to_owned())
    } else {
        None
    };
    if let Some(memory) = memory {
        add("Memory", &memory);
    }
    facts
}

/// The builders of a definition that the model rejects.
fn builders(op: Rec<'_>) -> Vec<Builder> {
    let class = cpp_class(op);
    let class = unqualified(&class);
    let all = op.optional_defs(name!("builders"));
    all.into_iter()
        .filter_map(|builder| {
            let parameters = parameters(builder.dag(name!("dagParams")).ok()?);
            let all: Vec<String> =
                ["builder".to_owned(), "loc".to_owned()].into_iter().chain(parameters).collect();
            let deprecation =
                builder.optional_string(name!("odsCppDeprecated")).filter(|text| !text.is_empty());
            let signature = format!("{class}::create({})", all.join(", "));
            Some(Builder { signature, deprecation: deprecation.map(str::to_owned) })
        })
        .collect()
}

/// The parameters of a builder: `bool flag = true`.
pub(super) fn parameters(dag: odsmith_engine::record::Dag<'_>) -> Vec<String> {
    dag.args()
        .map(|(value, name)| {
            let argument = value.as_def();
            let ty = match argument {
                Some(argument) => {
                    argument.optional_string(name!("type")).unwrap_or(argument.name()).to_owned()
                }
                None => value.unquoted(),
            };
            let default = argument
                .and_then(|rec| rec.optional_string(name!("defaultValue")))
                .filter(|text| !text.is_empty());
            let name = name.map_or_else(String::new, |name| format!(" {name}"));
            format!(
                "{}{name}{}",
                ty.trim(),
                default.map_or_else(String::new, |default| format!(" = {default}"))
            )
        })
        .collect()
}
