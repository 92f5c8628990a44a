//! Enums: their pages, and their cases on the pages of definitions that use them.

use odsmith_engine::{
    ods::{Definition, EnumInfo},
    record::Rec,
};

use super::{
    Atlas,
    atlas::{Entity, Section, cpp_class},
    coverage::Tally,
    facts, harvest,
    headings::Headings,
    kind::{Kind, Searched, Subject, text},
    source,
};
use crate::{
    Note,
    flavor::Writer,
    history,
    links::Slugs,
    text::qualify,
    view::{
        AllEntry, Badge, Case, Change, Enum, EnumSummary, Fact, Group, Link, OwnFact, Prose, SCHEMA, Source,
    },
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
        history: Vec::new(),
        own_facts: facts::of(rec),
        schema: SCHEMA,
        kind: "enum",
        dialect: section.name.clone(),
        name: entity.name.clone(),
        cpp_class: cpp_class(rec),
        summary: Some(entity.summary.clone()).filter(|text| !text.is_empty()),
        badges,
        description: atlas.prose(rec, &entity.href, notes).or_else(|| {
            let md = harvest::of_cases(info.cases.first()?.record)?;
            Some(Prose { md, is_harvested: true })
        }),
        facts: facts.into_iter().flatten().collect(),
        has_meanings: cases.iter().any(|case| case.meaning.is_some()),
        has_symbols: cases.iter().any(|case| case.symbol != case.spelling),
        has_harvested: cases.iter().any(|case| case.meaning.is_some() && case.is_harvested),
        cases,
        used_by: Vec::new(),
        source: source::source(atlas, rec),
    }
}

/// The cases of an enum on the page of a definition that uses it as `of`.
pub(super) fn summary(atlas: &Atlas<'_>, of: &str, rec: Rec<'_>, ids: &mut Slugs) -> Option<EnumSummary> {
    let info = EnumInfo::lenient(rec);
    let id = ids.take(&format!("cases-{of}"));
    let cases = cases(&info, &format!("{of}-case"), ids);
    if cases.is_empty() {
        return None;
    }
    let href = atlas.registry.cpp.get(&cpp_class(rec)).cloned();
    let has_meanings = cases.iter().any(|case| case.meaning.is_some());
    let has_harvested = cases.iter().any(|case| case.meaning.is_some() && case.is_harvested);
    let has_symbols = cases.iter().any(|case| case.symbol != case.spelling);
    let name = Link { text: info.class_name.to_owned(), href };
    Some(EnumSummary { of: of.to_owned(), id, name, cases, has_meanings, has_harvested, has_symbols })
}

fn cases(info: &EnumInfo<'_>, prefix: &str, ids: &mut Slugs) -> Vec<Case> {
    let all = info.cases.iter();
    all.map(|case| {
        let summary = Definition::new(case.record).summary();
        // The summary that ODS generates for a case repeats its spelling.
        let is_made = summary.is_empty() || summary == format!("case {}", case.spelling);
        Case {
            id: ids.take(&format!("{prefix}-{}", case.symbol)),
            value: case.value.to_string(),
            symbol: case.symbol.to_owned(),
            spelling: case.spelling.to_owned(),
            is_harvested: is_made,
            meaning: if is_made { harvest::comment(case.record) } else { Some(summary.to_owned()) },
        }
    })
    .collect()
}

impl Kind for Enum {
    fn headings(&self, list: &mut Headings) {
        list.add("description", "Description", self.description.is_some());
        list.add("cases", "Cases", true);
        list.add("cpp", "C++", !self.facts.is_empty());
        list.extend(&self.used_by);
        list.add("own", "Facts", !self.own_facts.is_empty());
        list.add("history", "History", !self.history.is_empty());
        list.add("source", "Source", self.source.is_some());
    }

    fn markdown(&self, out: &mut Writer<'_>) {
        out.lead(self.summary.as_deref(), &self.badges);
        out.section("description", |out| out.prose(self.description.as_ref()));
        out.section("cases", |out| out.cases(&self.cases));
        out.section("cpp", |out| {
            out.fence("c++", &self.cpp_class);
            out.facts(&self.facts);
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
        let users = self.used_by.first().map_or(&[][..], |group| &group.rows);
        Searched { text: text(self.description.as_ref()), users, ..Searched::default() }
    }

    fn shape(&self) -> Option<String> {
        let mut text = String::new();
        self.cases
            .iter()
            .for_each(|case| history::line(&format!("{} {}", case.spelling, case.value), &mut text));
        Some(text)
    }

    fn coverage(&self) -> Option<(&str, Tally, Option<&Source>)> {
        let mut tally = Tally::default();
        tally.count(
            "summary or description",
            self.summary.is_some() || self.description.as_ref().is_some_and(|prose| !prose.is_harvested),
        );
        tally.cases(&self.cases);
        Some((&self.dialect, tally, self.source.as_ref()))
    }

    fn entry(&self) -> Option<AllEntry> {
        Some(AllEntry {
            name: Link { text: self.name.clone(), href: None },
            also: Some(self.cpp_class.clone()),
            summary: self.summary.clone(),
            description: self.description.clone(),
            ..AllEntry::default()
        })
    }

    fn badges(&mut self) -> Option<&mut Vec<Badge>> {
        Some(&mut self.badges)
    }

    fn used_by(&mut self) -> Option<&mut Vec<Group>> {
        Some(&mut self.used_by)
    }

    fn symbol(&self) -> Option<String> {
        Some(format!("enum:{}", self.cpp_class.trim_start_matches("::")))
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
