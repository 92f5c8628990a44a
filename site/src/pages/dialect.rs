//! The pages that list: a dialect, the home page, everything by name.

use std::{collections::BTreeMap, fmt::Write as _};

use odsmith_engine::{ods::Definition, record::Rec};

use super::{
    Atlas,
    atlas::{Section, row},
    count, count_of,
    coverage::Tally,
    kind::{Kind, Searched, Subject, text},
    pass, source,
    traits::{self, Users},
};
use crate::{
    Note, UnreadTarget,
    commonmark::{code, line as escape},
    flavor::Writer,
    flavor::cell,
    text::dedent,
    view::{
        Az, Count, Dialect, DialectCard, Fact, Group, Home, Link, Missing, Prose, Row, SCHEMA, Score, Source,
        Unread,
    },
};

/// A dialect's page.
pub(super) fn page(atlas: &Atlas<'_>, section: &Section<'_>, notes: &mut Vec<Note>) -> Dialect {
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
    groups.extend(pass_groups(section));
    Dialect {
        schema: SCHEMA,
        kind: "dialect",
        kind_title: match section.dialect {
            Some(_) => "Dialect",
            None => "Besides the dialects",
        },
        name: section.name.clone(),
        summary: section.dialect.and_then(|dialect| summary(dialect.rec())),
        description: section.dialect.and_then(|dialect| atlas.prose(dialect.rec(), &section.href, notes)),
        facts: facts(atlas, section),
        groups,
        source: section.dialect.and_then(|dialect| source::source(atlas, dialect.rec())),
    }
}

fn summary(rec: Rec<'_>) -> Option<String> {
    Some(Definition::new(rec).summary()).filter(|text| !text.is_empty()).map(str::to_owned)
}

fn facts(atlas: &Atlas<'_>, section: &Section<'_>) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut pages = vec![("On one page", section.all_href(), format!("everything in {}", section.name))];
    if !section.patterns.is_empty() {
        let count = count(section.patterns.len(), "pattern");
        pages.push(("Rewrites", section.patterns_href(), format!("{} {}", count.number, count.what)));
    }
    for (label, href, text) in pages {
        let href = Some(href);
        facts.push(Fact { label: label.to_owned(), text: Some(text), href, ..Fact::default() });
    }
    let mut code = |label: &str, text: String| {
        if !text.is_empty() {
            facts.push(Fact { label: label.to_owned(), code: Some(text), ..Fact::default() });
        }
    };
    code("C++ namespace", section.namespace.clone());
    let Some(dialect) = section.dialect else { return facts };
    for class in dialect.dependent_dialects() {
        let Link { text, href } = pass::dialect_link(atlas, class);
        facts.push(Fact { label: "Loads".to_owned(), code: Some(text), href, text: None });
    }
    let flags = [
        (dialect.is_extensible(), "Extensible at run time"),
        (dialect.has_constant_materializer(), "Materialises constants"),
    ];
    for (_, label) in flags.into_iter().filter(|(is_set, _)| *is_set) {
        facts.push(Fact { label: label.to_owned(), text: Some("yes".to_owned()), ..Fact::default() });
    }
    facts
}

/// Operations under the authors' own headings, the rest under "Operations".
fn op_groups(section: &Section<'_>) -> Vec<Group> {
    let mut rest = Vec::new();
    let mut grouped: Vec<(Rec<'_>, Vec<Row>)> = Vec::new();
    for entity in &section.ops {
        let row = row(section, entity);
        match entity.op.as_ref().and_then(|op| op.doc_group()).map(|group| group.rec()) {
            Some(heading) => match grouped.iter_mut().find(|(known, _)| *known == heading) {
                Some((_, rows)) => rows.push(row),
                None => grouped.push((heading, vec![row])),
            },
            None => rest.push(row),
        }
    }
    let mut groups = Vec::new();
    let mut ids = crate::links::Slugs::default();
    let own = ["operations", "types", "attributes", "enums", "interfaces", "passes", "source"];
    for reserved in own.iter().chain(crate::links::CHROME_IDS) {
        ids.take(reserved);
    }
    for (heading, rows) in grouped {
        let title = summary(heading).unwrap_or_else(|| heading.name().to_owned());
        let description = Some(dedent(Definition::new(heading).description())).filter(|md| !md.is_empty());
        let id = ids.take(&title.to_lowercase().replace(' ', "-"));
        groups.push(Group::new(&id, &title, description.map(|md| Prose { md, is_harvested: false }), rows));
    }
    if !rest.is_empty() {
        let title = if groups.is_empty() { "Operations" } else { "Other operations" };
        groups.push(Group::new("operations", title, None, rest));
    }
    groups
}

/// A prefix that so many passes have makes a group of its own.
const LEAST_OF_A_PREFIX: usize = 4;

/// The passes; those of a place for passes alone by the first word of their names: `convert-…`.
fn pass_groups(section: &Section<'_>) -> Vec<Group> {
    let rows =
        |entities: &[&super::atlas::Entity<'_>]| entities.iter().map(|entity| row(section, entity)).collect();
    let mut rest: Vec<&super::atlas::Entity<'_>> = section.passes.iter().collect();
    let mut groups = Vec::new();
    if section.dialect.is_none() {
        let word =
            |entity: &super::atlas::Entity<'_>| entity.name.split('-').next().unwrap_or_default().to_owned();
        let mut by_word: BTreeMap<String, Vec<&super::atlas::Entity<'_>>> = BTreeMap::new();
        for entity in &rest {
            by_word.entry(word(entity)).or_default().push(entity);
        }
        by_word.retain(|_, entities| entities.len() >= LEAST_OF_A_PREFIX);
        rest.retain(|entity| !by_word.contains_key(&word(entity)));
        for (word, entities) in &by_word {
            groups.push(Group::new(&format!("passes-{word}"), &format!("{word}-…"), None, rows(entities)));
        }
    }
    if !rest.is_empty() {
        let title = if groups.is_empty() { "Passes" } else { "Others" };
        groups.push(Group::new("passes", title, None, rows(&rest)));
    }
    groups
}

fn counts(section: &Section<'_>) -> Vec<Count> {
    let all = [
        count(section.ops.len(), "operation"),
        count(section.types.len(), "type"),
        count(section.attrs.len(), "attribute"),
        count(section.enums.len(), "enum"),
        count_of(section.passes.len(), "pass", "passes"),
        count(section.patterns.len(), "pattern"),
    ];
    all.into_iter().filter(|count| count.number > 0).collect()
}

/// The home page.
pub(super) fn home(atlas: &Atlas<'_>, uses: &Users, coverage: Score, missing: &[UnreadTarget]) -> Home {
    let card = |section: &Section<'_>| DialectCard {
        name: section.name.clone(),
        href: section.href.clone(),
        summary: section
            .dialect
            .map(|dialect| super::atlas::one_line(dialect.rec(), atlas.texts.budget()))
            .unwrap_or_default(),
        counts: counts(section),
    };
    let (dialects, others): (Vec<_>, Vec<_>) =
        atlas.sections.iter().partition(|section| section.dialect.is_some());
    let sum = |list: fn(&Section<'_>) -> usize| atlas.sections.iter().map(list).sum::<usize>();
    let totals = [
        count(dialects.len(), "dialect"),
        count(sum(|section| section.ops.len()), "operation"),
        count(sum(|section| section.types.len()), "type"),
        count(sum(|section| section.attrs.len()), "attribute"),
        count(sum(|section| section.enums.len()), "enum"),
        count_of(sum(|section| section.passes.len()), "pass", "passes"),
    ];
    Home {
        dialects: dialects.into_iter().map(card).collect(),
        others: others.into_iter().map(card).collect(),
        coverage,
        unread: missing.iter().map(|target| unread(atlas, target)).collect(),
        totals: totals.into_iter().filter(|count| count.number > 0).collect(),
        guides: Group::new("guides", "Guides", None, super::guides::rows(atlas)),
        interfaces: traits::group(atlas, uses, true),
        traits: traits::group(atlas, uses, false),
    }
}

fn unread(atlas: &Atlas<'_>, target: &UnreadTarget) -> Unread {
    let place = target.place.as_ref();
    Unread {
        td: target.td.clone(),
        place: place.map(|(file, line)| format!("{file}:{line}")),
        href: place.and_then(|(file, line)| source::line_address(atlas, file, *line)),
        what: target.what.clone(),
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
            kind: match entry.kind {
                "op" => "",
                "attr" => "attribute",
                kind => kind,
            },
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

impl Kind for Dialect {
    fn sections(&self, add: &mut dyn FnMut(&str, &str, bool)) {
        for group in &self.groups {
            add(&group.id, &group.title, true);
        }
        add("source", "Source", self.source.is_some());
    }

    fn markdown(&self, out: &mut Writer<'_>) {
        out.lead(self.summary.as_deref(), &[]);
        out.prose(self.description.as_ref());
        // The page with everything is for browsers alone.
        let is_for_all = |fact: &&Fact| !fact.href.as_deref().is_some_and(|href| href.ends_with("/all.html"));
        let facts: Vec<Fact> = self.facts.iter().filter(is_for_all).cloned().collect();
        out.facts("Facts", &facts);
        out.groups(&self.groups);
        out.source(self.source.as_ref());
    }

    fn is_wide(&self) -> bool {
        true
    }

    fn subject(&self) -> Option<Subject<'_>> {
        Some(Subject { kind: self.kind, name: &self.name, dialect: &self.name })
    }

    fn searched(&self) -> Searched<'_> {
        Searched { text: text(self.description.as_ref()), ..Searched::default() }
    }

    fn coverage(&self) -> Option<(&str, Tally, Option<&Source>)> {
        let mut tally = Tally::default();
        tally.text("summary", self.summary.as_deref());
        tally.prose(self.description.as_ref());
        // Sections without a dialect of their own have nothing to describe.
        let source = self.source.as_ref()?;
        Some((&self.name, tally, Some(source)))
    }
}

impl Kind for Home {
    fn markdown(&self, out: &mut Writer<'_>) {
        if !self.unread.is_empty() {
            out.paragraph("Nothing of what these files define is in this reference:");
            for target in &self.unread {
                let place = target.place.as_deref().map(|place| format!(" ({})", code(place)));
                let what = escape(&target.what);
                let _ = writeln!(out.text, "- {}: {what}{}", code(&target.td), place.unwrap_or_default());
            }
            out.text.push('\n');
        }
        out.text.push_str("| Dialect | Summary |\n| --- | --- |\n");
        for card in self.dialects.iter().chain(&self.others) {
            let link = format!("[{}]({})", code(&card.name), out.url(&card.href));
            let _ = writeln!(out.text, "| {link} | {} |", cell(&escape(&card.summary)));
        }
        out.text.push('\n');
        for group in [&self.interfaces, &self.traits] {
            if !group.rows.is_empty() {
                out.group(group);
            }
        }
    }

    fn has_twins(&self) -> bool {
        false
    }

    fn is_wide(&self) -> bool {
        true
    }
}

/// The page that a host shows for addresses that lead nowhere: it is not known how deep they are, so that its links begin at
/// the root of the host.
pub(super) fn missing(atlas: &Atlas<'_>, base_url: Option<&str>) -> super::Page {
    let path = base_url.and_then(|url| Some(url.split_once("://")?.1.split_once('/')?.1)).unwrap_or_default();
    let path = path.trim_matches('/');
    let view = Missing { az: "az.html".to_owned() };
    let body = super::Body::Missing(Box::new(view));
    let mut page = super::page(atlas, "404.html", "No such page", "", vec![], body);
    page.frame.root = if path.is_empty() { "/".to_owned() } else { format!("/{path}/") };
    page
}

impl Kind for Missing {
    fn is_finder(&self) -> bool {
        true
    }

    fn has_twins(&self) -> bool {
        false
    }
}

impl Kind for Az {
    fn is_finder(&self) -> bool {
        true
    }

    fn has_twins(&self) -> bool {
        false
    }

    fn is_wide(&self) -> bool {
        true
    }
}
