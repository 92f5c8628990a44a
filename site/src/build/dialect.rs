//! The pages that list: a dialect, the home page, everything by name.

use std::collections::BTreeMap;

use odsmith_engine::record::Rec;

use super::{
    Atlas,
    atlas::{Entity, Section},
    count, source,
    traits::{self, Users},
};
use crate::{
    text::dedent,
    view::{Az, Count, Dialect, DialectCard, Fact, Group, Home, Prose, Row, SCHEMA},
};

/// A dialect's page.
pub(super) fn page<'r>(atlas: &mut Atlas<'r>, section: &Section<'r>) -> Dialect {
    let mut groups = op_groups(section);
    let lists = [
        ("types", "Types", &section.types),
        ("attributes", "Attributes", &section.attrs),
        ("enums", "Enums", &section.enums),
        ("interfaces", "Interfaces", &section.interfaces),
    ];
    for (id, title, entities) in lists {
        if !entities.is_empty() {
            groups.push(Group::new(
                id,
                title,
                None,
                entities.iter().map(|entity| row(section, entity)).collect(),
            ));
        }
    }
    Dialect {
        schema: SCHEMA,
        kind: "dialect",
        name: section.name.clone(),
        summary: section.rec.and_then(summary),
        description: section.rec.and_then(|rec| atlas.prose(rec, &section.href)),
        facts: facts(section),
        groups,
        source: section.rec.and_then(|rec| source::source(rec, atlas.source_url.as_deref())),
    }
}

fn summary(rec: Rec<'_>) -> Option<String> {
    rec.optional_string("summary").map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}

fn facts(section: &Section<'_>) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut code = |label: &str, text: String| {
        if !text.is_empty() {
            facts.push(Fact { label: label.to_owned(), code: Some(text), ..Fact::default() });
        }
    };
    code("C++ namespace", section.namespace.clone());
    let Some(rec) = section.rec else { return facts };
    let dependents = rec.list("dependentDialects").into_iter().flatten();
    let dependents: Vec<String> =
        dependents.filter_map(|value| Some(value.as_str()?.trim_start_matches("::").to_owned())).collect();
    code("Loads", dependents.join(", "));
    let mut flag = |field: &str, text: &str| {
        if rec.is_set(field) {
            facts.push(Fact { label: text.to_owned(), text: Some("yes".to_owned()), ..Fact::default() });
        }
    };
    flag("isExtensible", "Extensible at run time");
    flag("hasConstantMaterializer", "Materialises constants");
    facts
}

/// Operations under the authors' own headings, the rest under "Operations".
fn op_groups(section: &Section<'_>) -> Vec<Group> {
    let mut rest = Vec::new();
    let mut grouped: Vec<(Rec<'_>, Vec<Row>)> = Vec::new();
    for entity in &section.ops {
        let row = row(section, entity);
        match entity.rec.def("opDocGroup") {
            Ok(heading) => match grouped.iter_mut().find(|(known, _)| *known == heading) {
                Some((_, rows)) => rows.push(row),
                None => grouped.push((heading, vec![row])),
            },
            Err(_) => rest.push(row),
        }
    }
    let mut groups = Vec::new();
    let mut ids = crate::links::Slugs::default();
    let own = ["operations", "types", "attributes", "enums", "interfaces", "source"];
    for reserved in own.iter().chain(crate::links::CHROME_IDS) {
        ids.take(reserved);
    }
    for (heading, rows) in grouped {
        let title = summary(heading).unwrap_or_else(|| heading.name().to_owned());
        let description = heading.optional_string("description").map(dedent).filter(|md| !md.is_empty());
        let id = ids.take(&title.to_lowercase().replace(' ', "-"));
        groups.push(Group::new(&id, &title, description.map(|md| Prose { md, is_harvested: false }), rows));
    }
    if !rest.is_empty() {
        let title = if groups.is_empty() { "Operations" } else { "Other operations" };
        groups.push(Group::new("operations", title, None, rest));
    }
    groups
}

/// The line of a definition in an index of its dialect.
fn row(section: &Section<'_>, entity: &Entity<'_>) -> Row {
    let dotted = format!("{}.", section.name);
    let sigil = if entity.name.starts_with(['!', '#']) { &entity.name[..1] } else { "" };
    let short = entity.name[sigil.len()..].strip_prefix(&dotted);
    Row {
        prefix: short.map_or_else(String::new, |_| sigil.to_owned()),
        name: short.unwrap_or(&entity.name).to_owned(),
        href: entity.href.clone(),
        summary: entity.summary.clone(),
        is_deprecated: entity.is_deprecated,
    }
}

fn counts(section: &Section<'_>) -> Vec<Count> {
    let all = [
        count(section.ops.len(), "operation"),
        count(section.types.len(), "type"),
        count(section.attrs.len(), "attribute"),
        count(section.enums.len(), "enum"),
    ];
    all.into_iter().filter(|count| count.number > 0).collect()
}

/// The home page.
pub(super) fn home(atlas: &Atlas<'_>, uses: &Users) -> Home {
    let card = |section: &Section<'_>| DialectCard {
        name: section.name.clone(),
        href: section.href.clone(),
        summary: section.rec.map(super::atlas::one_line).unwrap_or_default(),
        counts: counts(section),
    };
    let sum = |list: fn(&Section<'_>) -> usize| atlas.sections.iter().map(list).sum::<usize>();
    let totals = [
        count(atlas.sections.len(), "dialect"),
        count(sum(|section| section.ops.len()), "operation"),
        count(sum(|section| section.types.len()), "type"),
        count(sum(|section| section.attrs.len()), "attribute"),
        count(sum(|section| section.enums.len()), "enum"),
    ];
    Home {
        dialects: atlas.sections.iter().map(card).collect(),
        totals: totals.into_iter().filter(|count| count.number > 0).collect(),
        guides: Group::new("guides", "Guides", None, super::guides::rows(atlas)),
        interfaces: traits::group(atlas, uses, true),
        traits: traits::group(atlas, uses, false),
    }
}

/// Everything by the first letter of its own name.
pub(super) fn az(atlas: &Atlas<'_>) -> Az {
    let mut letters: BTreeMap<String, Vec<(String, Row)>> = BTreeMap::new();
    for entry in atlas.index.rows() {
        let short = entry.name.trim_start_matches(['!', '#']);
        let (prefix, name) = match short.split_once('.') {
            Some((_, rest)) => (&entry.name[..entry.name.len() - rest.len()], rest),
            None => ("", entry.name.as_str()),
        };
        let first = name.chars().next().unwrap_or('#').to_ascii_uppercase();
        let letter = if first.is_ascii_alphabetic() { first.to_string() } else { "#".to_owned() };
        let row = Row {
            prefix: prefix.to_owned(),
            name: name.to_owned(),
            href: entry.href.clone(),
            summary: entry.summary.clone(),
            is_deprecated: entry.is_deprecated,
        };
        letters.entry(letter).or_default().push((name.to_lowercase(), row));
    }
    let groups = letters.into_iter().map(|(letter, mut rows)| {
        rows.sort_by(|(a, x), (b, y)| a.cmp(b).then_with(|| x.prefix.cmp(&y.prefix)));
        let id = if letter == "#" { "other".to_owned() } else { letter.to_lowercase() };
        Group::new(&id, &letter, None, rows.into_iter().map(|(_, row)| row).collect())
    });
    Az { groups: groups.collect() }
}
