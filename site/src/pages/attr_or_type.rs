//! The page of a type or attribute.

use odsmith_engine::{
    generators::members as generated,
    ods::{AttrOrTypeDef, DefKind},
    record::name,
};

use super::{
    Atlas, Finds,
    atlas::{Entity, Section, cpp_class, enum_of, namespace},
    enums, members,
    op::{has_note, parameters as builder_parameters},
    parts, source, syntax, traits,
};
use crate::{
    links::Slugs,
    text::{dedent, unqualified},
    view::{AttrOrType, Badge, Builder, Link, Part, SCHEMA},
};

/// The page of a type (`kind` is `type`) or attribute (`attr`).
pub(super) fn attr_or_type<'r>(
    atlas: &Atlas<'r>,
    section: &Section<'r>,
    entity: &Entity<'r>,
    kind: &'static str,
    finds: &mut Finds,
) -> AttrOrType {
    let rec = entity.rec;
    let sigil = if kind == "type" { '!' } else { '#' };
    let dotted = format!("{sigil}{}.", section.name);
    let (prefix, mnemonic) = match entity.name.strip_prefix(&dotted) {
        Some(mnemonic) => (dotted, mnemonic.to_owned()),
        None => (String::new(), entity.name.clone()),
    };
    let mut ids = Slugs::default();
    let found = traits::of(atlas, rec, "traits");
    for link in found.traits.iter().chain(&found.interfaces) {
        finds.uses(link.name.href.as_deref());
    }
    let info = enum_of(rec);
    if let Some(info) = info {
        finds.uses(atlas.registry.cpp.get(&cpp_class(info)).map(String::as_str));
    }
    for class in source::classes(rec) {
        finds.uses(atlas.class_link(class).href.as_deref());
    }
    let parameters = parameters(atlas, entity, &mut ids);
    let dag = rec.dag(name!("parameters")).ok();
    for constraint in dag.into_iter().flat_map(|dag| dag.args()).filter_map(|(value, _)| value.as_def()) {
        let mut inner = Vec::new();
        parts::inner_constraints(constraint, 0, &mut inner);
        for constraint in inner {
            finds.uses(atlas.constraint_href(constraint).as_deref());
        }
    }
    finds.facets.tags =
        found.traits.iter().chain(&found.interfaces).map(|link| link.name.text.clone()).collect();
    let enums = info.and_then(|info| enums::summary(atlas, "value", info, &mut ids)).into_iter().collect();
    let class = cpp_class(rec);
    let def_kind = if kind == "type" { DefKind::Type } else { DefKind::Attribute };
    let generated = AttrOrTypeDef::new(rec, def_kind).ok().and_then(|def| generated::of_def(&def));
    let shown = match generated {
        Some(found) => members::shown(&class, "get", &found),
        None => members::Shown { builders: builders(entity, &class), ..members::Shown::default() },
    };
    let deprecated = entity.is_deprecated.then(|| Badge {
        text: "deprecated".to_owned(),
        meaning: "Should no longer be used".to_owned(),
        is_warning: true,
    });
    AttrOrType {
        schema: SCHEMA,
        kind,
        kind_title: if kind == "type" { "Type" } else { "Attribute" },
        dialect: section.name.clone(),
        name: entity.name.clone(),
        prefix,
        mnemonic,
        summary: rec
            .optional_string(name!("summary"))
            .map(str::trim)
            .filter(|text| !text.is_empty())
            .map(str::to_owned),
        badges: deprecated.into_iter().collect(),
        syntax: entity
            .name
            .starts_with(['!', '#'])
            .then(|| syntax::attr_or_type(rec, &entity.name, &entity.href, &parameters)),
        description: atlas.prose(rec, &entity.href, &mut finds.notes),
        has_notes: parameters.iter().any(has_note),
        parameters,
        enums,
        traits: found.traits,
        interfaces: found.interfaces,
        builders: shown.builders,
        default_builders: shown.default_builders,
        accessors: shown.accessors,
        extra_class_declaration: rec
            .optional_string(name!("extraClassDeclaration"))
            .map(dedent)
            .filter(|text| !text.trim().is_empty()),
        cpp_class: class,
        used_by: None,
        source: source::source(atlas, rec),
    }
}

fn parameters(atlas: &Atlas<'_>, entity: &Entity<'_>, ids: &mut Slugs) -> Vec<Part> {
    let Ok(dag) = entity.rec.dag(name!("parameters")) else { return Vec::new() };
    let namespace = namespace(entity.rec);
    let row = |(index, (value, name)): (usize, (odsmith_engine::record::Val<'_>, Option<&str>))| {
        let rec = value.as_def();
        let text = |field: &str| rec?.optional_string(field).map(str::trim).filter(|text| !text.is_empty());
        let cpp_type = match rec {
            Some(_) => text("cppType").unwrap_or_default().to_owned(),
            None => value.unquoted(),
        };
        let is_null_default = rec.is_some_and(|rec| rec.is_subclass_of(name!("OptionalParameter")));
        let is_optional = is_null_default || text("defaultValue").is_some();
        let default = text("defaultValue").filter(|_| !is_null_default);
        // A constraint says what it accepts; its summary is not about this parameter.
        let constraint = rec.filter(|rec| rec.is_subclass_of(name!("Constraint")));
        let accepts = constraint.and_then(|rec| rec.optional_string(name!("summary"))).map(str::trim);
        let constraint_name = constraint
            .filter(|rec| !rec.is_anonymous())
            .map(|rec| Link { text: rec.name().to_owned(), href: atlas.constraint_href(rec) });
        let name = name.filter(|name| !name.is_empty());
        Part {
            id: ids.take(&format!("param-{}", name.map_or_else(|| index.to_string(), str::to_owned))),
            name: name.map_or_else(|| format!("#{index}"), str::to_owned),
            is_named: name.is_some(),
            quantifiers: if is_null_default { vec!["optional"] } else { Vec::new() },
            constraint: accepts.unwrap_or_default().to_owned(),
            constraint_name,
            default: default.map(str::to_owned),
            cpp_href: atlas.cpp_href(&cpp_type, &namespace),
            cpp_type: Some(cpp_type),
            effects: Vec::new(),
            description: text("summary").filter(|_| constraint.is_none()).map(str::to_owned),
            is_optional,
            mentions: constraint
                .filter(|rec| rec.is_anonymous())
                .map_or_else(Vec::new, |rec| parts::mentions(atlas, rec)),
            facts: Vec::new(),
        }
    };
    dag.args().enumerate().map(row).collect()
}

/// The builders of a definition that the model rejects.
fn builders(entity: &Entity<'_>, class: &str) -> Vec<Builder> {
    let class = unqualified(class);
    let all = entity.rec.optional_defs(name!("builders"));
    all.into_iter()
        .filter_map(|builder| {
            let parameters = builder_parameters(builder.dag(name!("dagParams")).ok()?);
            let infers = builder.is_set(name!("hasInferredContextParam"));
            let context = (!infers).then(|| "context".to_owned());
            let all: Vec<String> = context.into_iter().chain(parameters).collect();
            Some(Builder { signature: format!("{class}::get({})", all.join(", ")), deprecation: None })
        })
        .collect()
}
