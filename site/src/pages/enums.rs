//! Enums: their pages, and their cases on the pages of what takes them.

use odsmith_engine::record::{Rec, name};

use super::{
    Atlas,
    atlas::{Entity, Section, cpp_class, namespace},
    source,
};
use crate::{
    Note,
    links::Slugs,
    text::qualify,
    view::{Badge, Case, Enum, EnumSummary, Fact, Link, SCHEMA},
};

/// The page of an enum.
pub(super) fn page(
    atlas: &Atlas<'_>,
    section: &Section<'_>,
    entity: &Entity<'_>,
    notes: &mut Vec<Note>,
) -> Enum {
    let info = entity.rec;
    let cases = cases(info, "case", &mut Slugs::default());
    let is_bits = info.is_subclass_of(name!("BitEnumBase")) || info.is_subclass_of(name!("BitEnumAttr"));
    let badges = if is_bits {
        vec![Badge {
            text: "bit flags".to_owned(),
            meaning: "Cases can be combined".to_owned(),
            is_warning: false,
        }]
    } else {
        Vec::new()
    };
    let code = |label: &str, code: Option<String>| {
        code.map(|code| Fact { label: label.to_owned(), code: Some(code), ..Fact::default() })
    };
    let field = |name: &str| info.optional_string(name).filter(|text| !text.is_empty()).map(str::to_owned);
    let scoped = |name: &str| field(name).map(|function| qualify(&namespace(info), &function));
    let facts = [
        code("Underlying type", field("underlyingType")),
        code("From text", scoped("stringToSymbolFnName")),
        code("To text", scoped("symbolToStringFnName")),
        code("From number", scoped("underlyingToSymbolFnName").filter(|_| field("underlyingType").is_some())),
    ];
    Enum {
        schema: SCHEMA,
        kind: "enum",
        dialect: section.name.clone(),
        name: entity.name.clone(),
        cpp_class: cpp_class(info),
        summary: Some(entity.summary.clone()).filter(|text| !text.is_empty()),
        badges,
        description: atlas.prose(info, &entity.href, notes),
        facts: facts.into_iter().flatten().collect(),
        has_meanings: cases.iter().any(|case| case.meaning.is_some()),
        cases,
        used_by: None,
        source: source::source(atlas, info),
    }
}

/// The cases of an enum on the page of what takes it as `of`.
pub(super) fn summary(atlas: &Atlas<'_>, of: &str, info: Rec<'_>, ids: &mut Slugs) -> Option<EnumSummary> {
    let id = ids.take(&format!("cases-{of}"));
    let cases = cases(info, &format!("{of}-case"), ids);
    if cases.is_empty() {
        return None;
    }
    let text = info.optional_string(name!("className")).unwrap_or(info.name()).to_owned();
    let href = atlas.registry.cpp.get(&cpp_class(info)).cloned();
    let has_meanings = cases.iter().any(|case| case.meaning.is_some());
    Some(EnumSummary { of: of.to_owned(), id, name: Link { text, href }, cases, has_meanings })
}

fn cases(info: Rec<'_>, prefix: &str, ids: &mut Slugs) -> Vec<Case> {
    let all = info.optional_defs(name!("enumerants"));
    all.into_iter()
        .map(|case| {
            let symbol = case.optional_string(name!("symbol")).unwrap_or(case.name()).to_owned();
            let spelling = case.optional_string(name!("str")).unwrap_or(&symbol).to_owned();
            let summary = case.optional_string(name!("summary")).map(str::trim).unwrap_or_default();
            // The summary that ODS makes for a case repeats its spelling.
            let is_made = summary.is_empty() || summary == format!("case {spelling}");
            let meaning = if is_made { super::atlas::comment(case) } else { Some(summary.to_owned()) };
            Case {
                id: ids.take(&format!("{prefix}-{symbol}")),
                value: case.int("value").map_or_else(|_| String::new(), |value| value.to_string()),
                symbol,
                spelling,
                meaning,
            }
        })
        .collect()
}
