//! The page of a type or attribute.

use odsmith_engine::{
    generators::members as generated,
    ods::{AttrOrTypeDef, Constraint, DefKind, Parameter},
};

use super::{
    Atlas, ByProducts, all,
    atlas::{Entity, Section, cpp_class, namespace},
    coverage::{Tally, has_fence},
    enums, facts,
    headings::Headings,
    kind::{Kind, Searched, Subject, text},
    members,
    op::has_note,
    parts, source, syntax,
    traits::{self, PARAMETER_OF},
};
use crate::{
    flavor::Writer,
    history,
    links::Slugs,
    text::dedent,
    view::{
        AllEntry, AttrOrType, Badge, Change, Diagram, Group, Link, OwnFact, Part, SCHEMA, Source, Syntax,
    },
};

/// The page of a type (`kind` is `type`) or attribute (`attr`).
pub(super) fn attr_or_type<'r>(
    atlas: &Atlas<'r>,
    section: &Section<'r>,
    entity: &Entity<'r>,
    kind: &'static str,
    by_products: &mut ByProducts,
) -> Option<AttrOrType> {
    let rec = entity.rec;
    let sigil = if kind == "type" { '!' } else { '#' };
    let dotted = format!("{sigil}{}.", section.name);
    let (prefix, mnemonic) = match entity.name.strip_prefix(&dotted) {
        Some(mnemonic) => (dotted, mnemonic.to_owned()),
        None => (String::new(), entity.name.clone()),
    };
    let mut ids = Slugs::default();
    let found = traits::of(atlas, rec, &[]);
    by_products.uses.extend(found.hrefs(atlas));
    let info = Constraint::new(rec).enum_info();
    if let Some(info) = info {
        by_products.uses(atlas.registry.cpp.get(&cpp_class(info)).map(String::as_str));
    }
    for class in source::classes(rec) {
        by_products.uses(atlas.class_link(class).href.as_deref());
    }
    let def_kind = if kind == "type" { DefKind::Type } else { DefKind::Attribute };
    let def = AttrOrTypeDef::lenient(rec, def_kind)?;
    let parameters = parameters(atlas, &def, &mut ids);
    for constraint in def.parameters().iter().filter_map(|parameter| parameter.rec()).map(Constraint::new) {
        let mut inner = Vec::new();
        parts::inner_constraints(constraint, 0, &mut inner);
        for constraint in inner {
            let href = atlas.constraint_href(constraint);
            by_products.uses(href.as_deref());
            by_products.uses.extend(href.map(|href| format!("{href}{PARAMETER_OF}")));
        }
    }
    for href in parameters.iter().filter_map(|parameter| parameter.cpp_href.as_deref()) {
        by_products.uses(Some(href));
        by_products.uses.push(format!("{href}{PARAMETER_OF}"));
    }
    by_products.facets.tags =
        found.traits.iter().chain(&found.interfaces).map(|link| link.name.text.clone()).collect();
    let enums = info.and_then(|info| enums::summary(atlas, "value", info, &mut ids)).into_iter().collect();
    let class = cpp_class(rec);
    let shown = match Some(&def).filter(|def| def.is_sound()).and_then(generated::of_def) {
        Some(found) => members::lists(&class, "get", &found),
        None => {
            let builders = def.builders().iter().map(|builder| {
                let first: &[&str] = if builder.has_inferred_context() { &[] } else { &["context"] };
                members::declared_builder(&class, "get", first, builder)
            });
            members::MemberLists { builders: builders.collect(), ..members::MemberLists::default() }
        }
    };
    let deprecated = entity.is_deprecated.then(|| Badge {
        text: "deprecated".to_owned(),
        meaning: "Should no longer be used".to_owned(),
        is_warning: true,
    });
    let is_described = has_fence(def.description()) && def.description().contains(&entity.name);
    Some(AttrOrType {
        history: Vec::new(),
        own_facts: facts::of(rec),
        schema: SCHEMA,
        kind,
        kind_title: if kind == "type" { "Type" } else { "Attribute" },
        dialect: section.name.clone(),
        name: entity.name.clone(),
        prefix,
        mnemonic,
        summary: Some(def.summary().trim()).filter(|text| !text.is_empty()).map(str::to_owned),
        badges: deprecated.into_iter().collect(),
        syntax: entity.name.starts_with(['!', '#']).then(|| Syntax {
            is_described,
            examples: atlas.examples(&entity.name, is_described),
            format_from: source::inherited_from(atlas, rec, "assemblyFormat"),
            ..syntax::attr_or_type(&def, &entity.name, &entity.href, &parameters)
        }),
        description: atlas.prose(rec, &entity.href, &mut by_products.notes),
        has_notes: parameters.iter().any(has_note),
        parameters,
        enums,
        traits: found.traits,
        interfaces: found.interfaces,
        builders: shown.builders,
        default_builders: shown.default_builders,
        accessors: shown.accessors,
        extra_class_declaration: Some(dedent(def.extra_class_declaration()))
            .filter(|text| !text.trim().is_empty()),
        doxygen: atlas.doxygen(rec, &class),
        cpp_class: class,
        used_by: Vec::new(),
        source: source::source(atlas, rec),
    })
}

fn parameters(atlas: &Atlas<'_>, def: &AttrOrTypeDef<'_>, ids: &mut Slugs) -> Vec<Part> {
    let namespace = namespace(def.rec());
    let row = |(index, parameter): (usize, &Parameter<'_>)| {
        let cpp_type = parameter.cpp_type().trim().to_owned();
        let default = parameter.default_value().map(str::trim).filter(|text| !text.is_empty());
        let is_null_default = parameter.is_null_by_default();
        // The summary of a constraint describes the constraint, not this parameter.
        let constraint = parameter.constraint();
        let anonymous = constraint.filter(|constraint| constraint.rec().is_anonymous());
        let named = constraint.filter(|constraint| !constraint.rec().is_anonymous());
        let summary = parameter.summary().map(str::trim).filter(|text| !text.is_empty());
        let is_named = !parameter.name.is_empty();
        let shown_name = if is_named { parameter.name.to_owned() } else { index.to_string() };
        Part {
            id: ids.take(&format!("param-{shown_name}")),
            name: if is_named { shown_name } else { format!("#{index}") },
            is_named,
            quantifiers: if is_null_default { vec!["optional"] } else { Vec::new() },
            constraint: constraint.and(summary).unwrap_or_default().to_owned(),
            constraint_name: named.map(|constraint| Link {
                text: constraint.rec().name().to_owned(),
                href: atlas.constraint_href(constraint),
            }),
            record: None,
            default: default.filter(|_| !is_null_default).map(str::to_owned),
            cpp_href: atlas.cpp_href(&cpp_type, &namespace),
            cpp_type: Some(cpp_type),
            effects: Vec::new(),
            description: summary.filter(|_| constraint.is_none()).map(str::to_owned),
            is_optional: is_null_default || default.is_some(),
            mentions: anonymous.map_or_else(Vec::new, |constraint| parts::mentions(atlas, constraint)),
            facts: Vec::new(),
        }
    };
    def.parameters().iter().enumerate().map(row).collect()
}

impl Kind for AttrOrType {
    fn headings(&self, list: &mut Headings) {
        list.add("syntax", "Syntax", self.syntax.is_some());
        list.add("description", "Description", true);
        list.add("parameters", "Parameters", !self.parameters.is_empty());
        list.extend(&self.enums);
        list.add("traits", "Traits", !self.traits.is_empty());
        list.add("interfaces", "Interfaces", !self.interfaces.is_empty());
        list.add("cpp", "C++", true);
        list.extend(&self.used_by);
        list.add("own", "Facts", !self.own_facts.is_empty());
        list.add("history", "History", !self.history.is_empty());
        list.add("source", "Source", self.source.is_some());
    }

    fn markdown(&self, out: &mut Writer<'_>) {
        out.lead(self.summary.as_deref(), &self.badges);
        out.section("syntax", |out| {
            self.syntax.iter().for_each(|syntax| {
                out.syntax(syntax);
                out.examples(syntax, false);
            })
        });
        out.section("description", |out| out.prose(self.description.as_ref()));
        out.section("parameters", |out| out.parts(&self.parameters, self.has_notes));
        out.enums(&self.enums);
        out.section("traits", |out| out.traits(&self.traits));
        out.section("interfaces", |out| out.traits(&self.interfaces));
        out.section("cpp", |out| {
            out.fence("c++", &self.cpp_class);
            out.members(&self.builders, &self.default_builders, &self.accessors);
            out.declaration("Added to the class", self.extra_class_declaration.as_deref());
        });
        out.groups(&self.used_by);
        out.own_facts(&self.own_facts);
        out.history(&self.history);
        out.source(self.source.as_ref());
    }

    fn subject(&self) -> Option<Subject<'_>> {
        Some(Subject { kind: self.kind, name: &self.name, dialect: &self.dialect })
    }

    fn searched(&self) -> Searched<'_> {
        Searched {
            text: text(self.description.as_ref()),
            is_bare: self.description.is_none() && self.summary.is_none(),
            ..Searched::default()
        }
    }

    fn shape(&self) -> Option<String> {
        let mut text = String::new();
        self.syntax.iter().for_each(|syntax| history::tokens(&syntax.tokens, &mut text));
        history::parts(&self.parameters, &mut text);
        Some(text)
    }

    fn coverage(&self) -> Option<(&str, Tally, Option<&Source>)> {
        let mut tally = Tally::default();
        tally.text("summary", self.summary.as_deref());
        tally.prose(self.description.as_ref());
        for part in &self.parameters {
            let is_told = part.description.is_some() || !part.constraint.is_empty();
            tally.count(&format!("description of {}", part.name), is_told);
        }
        Some((&self.dialect, tally, self.source.as_ref()))
    }

    fn entry(&self) -> Option<AllEntry> {
        Some(AllEntry {
            name: Link { text: self.name.clone(), href: None },
            also: Some(self.cpp_class.clone()),
            summary: self.summary.clone(),
            syntax: self.syntax.iter().flat_map(|syntax| &syntax.tokens).map(all::unlinked).collect(),
            description: self.description.clone(),
            parts: all::parts("Parameters", "attr", &self.parameters),
            traits: all::names(&self.traits, &self.interfaces),
            ..AllEntry::default()
        })
    }

    fn diagram(&self) -> Option<&Diagram> {
        self.syntax.as_ref()?.diagram.as_ref()
    }

    fn badges(&mut self) -> Option<&mut Vec<Badge>> {
        Some(&mut self.badges)
    }

    fn used_by(&mut self) -> Option<&mut Vec<Group>> {
        Some(&mut self.used_by)
    }

    fn symbol(&self) -> Option<String> {
        let sigil = if self.kind == "type" { '!' } else { '#' };
        let short = self.name.trim_start_matches(['!', '#']);
        let short = short.strip_prefix(&format!("{}.", self.dialect)).unwrap_or(short);
        Some(format!("{}{sigil}{short}", self.dialect))
    }

    fn history(&mut self) -> Option<&mut Vec<Change>> {
        Some(&mut self.history)
    }

    fn own_facts(&mut self) -> Option<&mut Vec<OwnFact>> {
        Some(&mut self.own_facts)
    }

    fn class(&self) -> &str {
        &self.cpp_class
    }
}
