//! Enums: their pages, and their cases on the pages of what takes them.

use odsmith_engine::{
    ods::{Definition, EnumInfo},
    record::Rec,
};

use super::{
    Atlas,
    atlas::{Entity, Section, cpp_class},
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
    let rec = entity.rec;
    let info = EnumInfo::lenient(rec);
    let cases = cases(&info, "case", &mut Slugs::default());
    let badges = if info.bits.is_some() {
        vec![Badge {
            text: "bit flags".to_owned(),
            meaning: "Cases can be combined".to_owned(),
            is_warning: false,
        }]
    } else {
        Vec::new()
    };
    let code = |label: &str, code: String| {
        (!code.is_empty()).then(|| Fact { label: label.to_owned(), code: Some(code), ..Fact::default() })
    };
    let scoped = |function: &str| match function {
        "" => String::new(),
        function => qualify(info.cpp_namespace, function),
    };
    let underlying = info.underlying_type;
    let facts = [
        code("Underlying type", underlying.to_owned()),
        code("From text", scoped(info.from_string_fn)),
        code("To text", scoped(info.to_string_fn)),
        code("From number", scoped(if underlying.is_empty() { "" } else { info.from_underlying_fn })),
    ];
    Enum {
        schema: SCHEMA,
        kind: "enum",
        dialect: section.name.clone(),
        name: entity.name.clone(),
        cpp_class: cpp_class(rec),
        summary: Some(entity.summary.clone()).filter(|text| !text.is_empty()),
        badges,
        description: atlas.prose(rec, &entity.href, notes),
        facts: facts.into_iter().flatten().collect(),
        has_meanings: cases.iter().any(|case| case.meaning.is_some()),
        cases,
        used_by: None,
        source: source::source(atlas, rec),
    }
}

/// The cases of an enum on the page of what takes it as `of`.
pub(super) fn summary(atlas: &Atlas<'_>, of: &str, rec: Rec<'_>, ids: &mut Slugs) -> Option<EnumSummary> {
    let info = EnumInfo::lenient(rec);
    let id = ids.take(&format!("cases-{of}"));
    let cases = cases(&info, &format!("{of}-case"), ids);
    if cases.is_empty() {
        return None;
    }
    let href = atlas.registry.cpp.get(&cpp_class(rec)).cloned();
    let has_meanings = cases.iter().any(|case| case.meaning.is_some());
    let name = Link { text: info.class_name.to_owned(), href };
    Some(EnumSummary { of: of.to_owned(), id, name, cases, has_meanings })
}

fn cases(info: &EnumInfo<'_>, prefix: &str, ids: &mut Slugs) -> Vec<Case> {
    let all = info.cases.iter();
    all.map(|case| {
        let summary = Definition::new(case.record).summary();
        // The summary that ODS makes for a case repeats its spelling.
        let is_made = summary.is_empty() || summary == format!("case {}", case.spelling);
        Case {
            id: ids.take(&format!("{prefix}-{}", case.symbol)),
            value: case.value.to_string(),
            symbol: case.symbol.to_owned(),
            spelling: case.spelling.to_owned(),
            meaning: if is_made { super::atlas::comment(case.record) } else { Some(summary.to_owned()) },
        }
    })
    .collect()
}
