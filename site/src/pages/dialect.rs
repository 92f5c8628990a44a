//! The pages that are lists: a dialect, the home page, the A–Z index.

use std::{collections::BTreeMap, fmt::Write as _};

use odsmith_engine::{ods::Definition, record::Rec};

use super::{
    Atlas,
    atlas::{Section, row},
    count, count_of,
    coverage::Tally,
    headings::{Heading, Headings},
    kind::{Kind, Searched, Subject, text},
    pass, source,
    traits::{self, Users},
};
use crate::{
    Input, Note, UnreadTarget,
    commonmark::{code, line as escape},
    flavor::Writer,
    guide::FIRST_FILE,
    markdown, search,
    text::dedent,
    view::{
        Az, CardGroup, Change, Count, Dialect, DialectCard, Fact, Group, Home, IndexPage, Link, Missing,
        Prose, Row, SCHEMA, Score, Source, Unread,
    },
};

/// A dialect's page.
pub(super) fn page(atlas: &Atlas<'_>, section: &Section<'_>, notes: &mut Vec<Note>) -> Dialect {
    let mut groups = op_groups(section);
    let first_of_ops = groups.first().map(|group| group.id.clone());
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
    let passes = pass_groups(section);
    let first_of_passes = passes.first().map(|group| group.id.clone());
    groups.extend(passes);
    let counts = counts(section).into_iter().map(|count| {
        let id = match count.what.as_str() {
            "operation" | "operations" => first_of_ops.clone(),
            "pass" | "passes" => first_of_passes.clone(),
            what if what.starts_with("pattern") => {
                return Count { href: Some(section.patterns_href()), ..count };
            }
            what => groups.iter().find(|group| group.id.starts_with(what)).map(|group| group.id.clone()),
        };
        Count { href: id.map(|id| format!("#{id}")), ..count }
    });
    let stability = section.dialect.and_then(|_| atlas.stability(&section.name));
    Dialect {
        counts: counts.collect(),
        notice: stability.as_ref().and_then(|(stability, _)| stability.text.clone()),
        badges: stability.map(|(_, badge)| badge).into_iter().collect(),
        history: Vec::new(),
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
        guides: atlas.guides_about.get(&section.href).cloned().unwrap_or_default(),
        conversions: atlas
            .conversions
            .iter()
            .filter(|it| [&it.from, &it.to].iter().any(|link| link.href.as_ref() == Some(&section.href)))
            .cloned()
            .collect(),
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
    if let Some(owners) = pass::file(dialect.rec()).and_then(|file| atlas.owners.get(&file)) {
        let text = Some(owners.join(", "));
        facts.push(Fact { label: "Owners".to_owned(), text, ..Fact::default() });
    }
    for class in dialect.dependent_dialects() {
        let Link { text, href } = pass::dialect_link(atlas, class, &section.namespace);
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

/// Groups operations under the authors' own headings and the rest under "Operations".
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
    let (rest, by_prefix) = by_prefix(rest);
    if !rest.is_empty() {
        let title = if groups.is_empty() { "Operations" } else { "Other operations" };
        groups.push(Group::new("operations", title, None, rest));
    }
    for (prefix, rows) in by_prefix {
        let id = ids.take(&format!("operations-{}", prefix.to_lowercase()));
        groups.push(Group::new(&id, &format!("{prefix}.…"), None, rows));
    }
    groups
}

/// The number of operations from which on a dialect is grouped by prefix.
const LEAST_OF_A_GROUPED: usize = 24;

/// Moves operations that share their first word with many others (`intr.`) to groups of their own.
fn by_prefix(rows: Vec<Row>) -> (Vec<Row>, BTreeMap<String, Vec<Row>>) {
    if rows.len() < LEAST_OF_A_GROUPED {
        return (rows, BTreeMap::new());
    }
    let word = |row: &Row| row.name.split_once('.').map(|(word, _)| word.to_owned());
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    rows.iter().filter_map(word).for_each(|word| *counts.entry(word).or_default() += 1);
    counts.retain(|_, count| *count >= LEAST_OF_A_PREFIX);
    let (mut rest, mut groups) = (Vec::new(), BTreeMap::new());
    for row in rows {
        match word(&row).filter(|word| counts.contains_key(word)) {
            Some(word) => groups.entry(word).or_insert_with(Vec::new).push(row),
            None => rest.push(row),
        }
    }
    (rest, groups)
}

/// The number of names with the same prefix that makes a group.
const LEAST_OF_A_PREFIX: usize = 4;

/// Groups passes; without a dialect, by the first word of their names: `convert-…`.
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
        count(section.interfaces.len(), "interface"),
        count_of(section.passes.len(), "pass", "passes"),
        count(section.patterns.len(), "pattern"),
    ];
    all.into_iter().filter(|count| count.number > 0).collect()
}

/// The path of the page with all interfaces and traits.
const INTERFACES: &str = "interfaces.html";

/// The page with all interfaces and traits, if there are any.
pub(super) fn interfaces(atlas: &Atlas<'_>, uses: &Users) -> Option<super::Page> {
    let groups = [traits::group(atlas, uses, true), traits::group(atlas, uses, false)];
    let groups: Vec<Group> = groups.into_iter().filter(|group| !group.rows.is_empty()).collect();
    let title = "Interfaces and traits";
    let view = IndexPage { schema: SCHEMA, kind: "index", title: title.to_owned(), groups };
    let about = format!("All interfaces and traits of {}", atlas.title);
    let body = super::Body::IndexPage(Box::new(view));
    (!atlas.interfaces.is_empty() || !atlas.traits.is_empty())
        .then(|| super::page(atlas, INTERFACES, title, &about, vec![], body))
}

/// Tests if a dialect is defined for tests: its file is in a folder of tests, or its name says so.
fn is_for_tests(section: &Section<'_>) -> bool {
    let file = section.dialect.and_then(|dialect| pass::file(dialect.rec())).unwrap_or_default();
    let is_of_tests = |part: &str| {
        matches!(part.to_ascii_lowercase().as_str(), "test" | "tests" | "testing" | "unittest" | "unittests")
    };
    let mut folders: Vec<&str> = file.split('/').collect();
    folders.pop();
    let name = section.name.as_str();
    folders.into_iter().any(is_of_tests)
        || is_of_tests(name)
        || name.starts_with("test_")
        || name.ends_with("_test")
}

/// The home page.
pub(super) fn home(atlas: &Atlas<'_>, coverage: Score, input: &Input<'_>) -> Home {
    let card = |section: &Section<'_>| DialectCard {
        name: section.name.clone(),
        href: section.href.clone(),
        summary: section
            .dialect
            .map(|dialect| super::atlas::one_line(dialect.rec(), atlas.texts.budget()))
            .unwrap_or_default(),
        badges: atlas.stability(&section.name).map(|(_, badge)| badge).into_iter().collect(),
        counts: counts(section),
    };
    let (dialects, others): (Vec<_>, Vec<_>) =
        atlas.sections.iter().partition(|section| section.dialect.is_some());
    let sum = |list: fn(&Section<'_>) -> usize| atlas.sections.iter().map(list).sum::<usize>();
    let listed = |kind: &str| {
        let list = LISTED.iter().find(|(listed, ..)| *listed == kind)?;
        atlas.index.rows().iter().any(|row| row.kind == kind).then(|| format!("az/{}.html", list.1))
    };
    let linked = |count: Count, kind: &str| Count { href: listed(kind), ..count };
    let of_kind = |kind: &str| atlas.index.rows().iter().filter(|row| row.kind == kind).count();
    let of_page = |count: Count, id: &str| Count { href: Some(format!("{INTERFACES}#{id}")), ..count };
    let totals = [
        count(dialects.len(), "dialect"),
        linked(count(sum(|section| section.ops.len()), "operation"), "op"),
        Count {
            href: Some(pass::CHAPTER.to_owned()),
            ..count_of(sum(|section| section.passes.len()), "pass", "passes")
        },
    ];
    let lists = [
        linked(count(sum(|section| section.types.len()), "type"), "type"),
        linked(count(sum(|section| section.attrs.len()), "attribute"), "attr"),
        linked(count(sum(|section| section.enums.len()), "enum"), "enum"),
        linked(count(of_kind("constraint"), "constraint"), "constraint"),
        of_page(count(of_kind("interface"), "interface"), "interfaces"),
        of_page(count(of_kind("trait"), "trait"), "traits"),
    ];
    let mut slugs = crate::links::Slugs::default();
    let own = ["other-dialects", "others", "tests", "guides", "lists", "changes"];
    own.iter().chain(crate::links::CHROME_IDS).for_each(|id| _ = slugs.take(id));
    let grouped = |section: &&Section<'_>| input.groups.iter().any(|it| it.dialects.contains(&section.name));
    let groups = input.groups.iter().map(|group| CardGroup {
        id: slugs.take(&group.title.to_lowercase().replace(' ', "-")),
        title: group.title.clone(),
        text: group.text.clone(),
        dialects: group
            .dialects
            .iter()
            .filter_map(|name| dialects.iter().find(|section| section.name == *name))
            .map(|section| card(section))
            .collect(),
    });
    let groups: Vec<CardGroup> = groups.filter(|group| !group.dialects.is_empty()).collect();
    // A project of tests alone has nothing else to show.
    let has_others = dialects.iter().any(|section| !is_for_tests(section));
    let rest = dialects.iter().filter(|section| !grouped(section));
    let (tests, rest): (Vec<&Section<'_>>, Vec<&Section<'_>>) =
        rest.copied().partition(|section| has_others && is_for_tests(section));
    let readme = atlas.guides.iter().find(|guide| guide.file.eq_ignore_ascii_case(FIRST_FILE));
    let introduction = readme.map(|guide| markdown::lead(&guide.md, atlas.texts.budget()));
    let guide_count = super::guides::count(atlas);
    let has_few_guides = guide_count <= FEW_GUIDES;
    let guides = super::guides::groups(atlas, (!has_few_guides).then_some(MOST_GUIDES));
    let is_there = |count: &Count| count.number > 0;
    Home {
        introduction: introduction.filter(|text| !text.is_empty()),
        readme: readme.map(|guide| Link { text: guide.title.clone(), href: Some(guide.href.clone()) }),
        article: None,
        groups,
        has_dialects: !dialects.is_empty(),
        releases: Vec::new(),
        latest: Vec::new(),
        dialects: rest.into_iter().map(card).collect(),
        tests: tests.into_iter().map(card).collect(),
        others: others.into_iter().map(card).collect(),
        coverage,
        unread: input.unread.iter().map(|target| unread(atlas, target)).collect(),
        totals: totals.into_iter().filter(is_there).collect(),
        guide_count,
        has_few_guides,
        guides,
        lists: lists.into_iter().filter(is_there).collect(),
    }
}

/// The limit for hand-written pages that are listed with their summaries on the home page.
const FEW_GUIDES: usize = 24;
/// The limit for pages of a folder on the home page, if there are more.
const MOST_GUIDES: usize = 6;

fn unread(atlas: &Atlas<'_>, target: &UnreadTarget) -> Unread {
    let place = target.place.as_ref();
    Unread {
        td: target.td.clone(),
        place: place.map(|(file, line)| format!("{file}:{line}")),
        href: place.and_then(|(file, line)| source::line_address(atlas, file, *line)),
        what: target.what.clone(),
    }
}

/// The limit for names on one page.
const MOST_ON_A_PAGE: usize = 4_000;
/// The size from which on a group is split.
const LEAST_OF_A_SPLIT: usize = 300;

/// The title of the A–Z index.
const AZ: &str = "Everything, A to Z";

/// Makes the A–Z index of all names and of each kind: one page, or one page per letter if that is too long.
pub(super) fn az(atlas: &Atlas<'_>) -> Vec<super::Page> {
    let mut pages = az_of(atlas, "az", AZ, |_| true);
    for (kind, name, title) in LISTED {
        if atlas.index.rows().iter().any(|row| row.kind == *kind) {
            pages.extend(az_of(atlas, &format!("az/{name}"), title, |row| row.kind == *kind));
        }
    }
    pages
}

/// Kinds with an index of their own: the kind, the file and the title.
const LISTED: &[(&str, &str, &str)] = &[
    ("op", "operations", "All operations"),
    ("type", "types", "All types"),
    ("attr", "attributes", "All attributes"),
    ("enum", "enums", "All enums"),
    ("pass", "passes", "All passes"),
    ("constraint", "constraints", "All constraints"),
];

/// Makes an index of the rows that `has` selects, on pages whose paths begin with `stem`.
fn az_of(atlas: &Atlas<'_>, stem: &str, of: &str, has: impl Fn(&search::Row) -> bool) -> Vec<super::Page> {
    let is_mixed = stem == "az";
    let rows = atlas.index.rows().iter().filter(|row| has(row)).map(|entry| {
        let short = entry.name.trim_start_matches(['!', '#']);
        let (prefix, name) = match short.split_once('.') {
            Some((_, rest)) => (&entry.name[..entry.name.len() - rest.len()], rest),
            None => ("", entry.name.as_str()),
        };
        Row {
            prefix: prefix.to_owned(),
            name: name.to_owned(),
            href: entry.href.clone(),
            summary: entry.summary.clone(),
            is_deprecated: entry.is_deprecated,
            kind: match entry.kind {
                "op" => "",
                _ if !is_mixed => "",
                "attr" => "attribute",
                kind => kind,
            },
        }
    });
    let groups = by_letter(rows);
    let page = |path: &str, title: &str, letters: Vec<Link>, groups: Vec<Group>| {
        let dialect = String::new();
        let view = Az { schema: SCHEMA, kind: "names", dialect, title: title.to_owned(), letters, groups };
        super::page(atlas, path, title, "", vec![], super::Body::Az(Box::new(view)))
    };
    if groups.iter().map(|group| group.count).sum::<usize>() <= MOST_ON_A_PAGE {
        let here = |group: &Group| Link { text: group.title.clone(), href: Some(format!("#{}", group.id)) };
        let letters = groups.iter().map(here).collect();
        return vec![page(&format!("{stem}.html"), of, letters, groups)];
    }
    let path = |group: &Group| match is_mixed {
        true => format!("az/{}.html", group.id),
        false => format!("{stem}-{}.html", group.id),
    };
    let letters: Vec<Link> =
        groups.iter().map(|group| Link { text: group.title.clone(), href: Some(path(group)) }).collect();
    let counted = groups
        .iter()
        .map(|group| Link { text: format!("{} {}", group.title, group.count), href: Some(path(group)) });
    let mut pages = vec![page(&format!("{stem}.html"), of, counted.collect(), Vec::new())];
    for group in groups {
        let (path, title) = (path(&group), format!("{of}: {}", group.title));
        pages.push(page(&path, &title, letters.clone(), vec![group]));
    }
    pages
}

/// Groups rows by the first letter of their names.
fn by_letter(rows: impl Iterator<Item = Row>) -> Vec<Group> {
    let mut letters: BTreeMap<String, Vec<(String, Row)>> = BTreeMap::new();
    for row in rows {
        let first = row.name.chars().next().unwrap_or('#').to_ascii_uppercase();
        let letter = if first.is_ascii_alphabetic() { first.to_string() } else { "#".to_owned() };
        letters.entry(letter).or_default().push((row.name.to_lowercase(), row));
    }
    let groups = letters.into_iter().map(|(letter, mut rows)| {
        rows.sort_by(|(a, x), (b, y)| a.cmp(b).then_with(|| x.prefix.cmp(&y.prefix)));
        let id = if letter == "#" { "other".to_owned() } else { letter.to_lowercase() };
        Group::new(&id, &letter, None, rows.into_iter().map(|(_, row)| row).collect())
    });
    groups.collect()
}

/// Moves long lists from a dialect's page to one page per letter.
pub(super) fn split(atlas: &Atlas<'_>, section: &Section<'_>, view: &mut Dialect) -> Vec<super::Page> {
    let mut pages = Vec::new();
    if view.groups.iter().map(|group| group.count).sum::<usize>() <= MOST_ON_A_PAGE {
        return pages;
    }
    for group in view.groups.iter_mut().filter(|group| group.count >= LEAST_OF_A_SPLIT) {
        let letters = by_letter(std::mem::take(&mut group.rows).into_iter());
        let path = |letter: &Group| format!("{}/names/{}-{}.html", section.folder, group.id, letter.id);
        let links: Vec<Link> =
            letters.iter().map(|it| Link { text: it.title.clone(), href: Some(path(it)) }).collect();
        group.parts = letters
            .iter()
            .map(|it| Link { text: format!("{} {}", it.title, it.count), href: Some(path(it)) })
            .collect();
        for letter in letters {
            let (path, title) = (path(&letter), format!("{}: {}", group.title, letter.title));
            let az = Az {
                schema: SCHEMA,
                kind: "names",
                dialect: section.name.clone(),
                title: title.clone(),
                letters: links.clone(),
                groups: vec![letter],
            };
            let trail = vec![super::trail(section)];
            pages.push(super::page(atlas, &path, &title, "", trail, super::Body::Az(Box::new(az))));
        }
    }
    pages
}

impl Kind for Dialect {
    fn headings(&self, list: &mut Headings) {
        list.extend(&self.groups);
        list.add("history", "History", !self.history.is_empty());
        list.add("source", "Source", self.source.is_some());
    }

    fn markdown(&self, out: &mut Writer<'_>) {
        out.lead(self.summary.as_deref(), &self.badges);
        self.notice.iter().for_each(|text| out.paragraph(&escape(text)));
        out.prose(self.description.as_ref());
        // The page with all definitions is only for browsers.
        let is_for_all = |fact: &&Fact| !fact.href.as_deref().is_some_and(|href| href.ends_with("/all.html"));
        let facts: Vec<Fact> = self.facts.iter().filter(is_for_all).cloned().collect();
        out.facts(&facts);
        out.groups(&self.groups);
        out.history(&self.history);
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
        // Sections without a dialect have nothing to describe.
        let source = self.source.as_ref()?;
        Some((&self.name, tally, Some(source)))
    }

    fn symbol(&self) -> Option<String> {
        self.source.as_ref().map(|_| format!("dialect:{}", self.name))
    }

    fn history(&mut self) -> Option<&mut Vec<Change>> {
        Some(&mut self.history)
    }
}

impl Kind for IndexPage {
    fn headings(&self, list: &mut Headings) {
        list.extend(&self.groups);
    }

    fn markdown(&self, out: &mut Writer<'_>) {
        out.groups(&self.groups);
    }

    fn has_twins(&self) -> bool {
        false
    }

    fn is_wide(&self) -> bool {
        true
    }
}

impl Kind for Home {
    fn headings(&self, list: &mut Headings) {
        list.extend(&self.groups);
        let title = if self.groups.is_empty() { "Dialects" } else { "Other dialects" };
        list.add("other-dialects", title, !self.dialects.is_empty());
        list.add("tests", "For tests", !self.tests.is_empty());
        list.add("others", "Besides the dialects", !self.others.is_empty());
        list.add("changes", "What changed", !self.releases.is_empty());
        if self.guide_count > 0 {
            list.push(Heading::new("guides", "Guides").with_aside(&self.guide_count.to_string()));
        }
        list.add("lists", "Index", true);
    }

    /// Returns nothing, because the page is short.
    fn contents(&self, _: &[Heading]) -> Vec<Link> {
        Vec::new()
    }

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
        for group in &self.groups {
            out.section(&group.id, |out| {
                group.text.iter().for_each(|text| out.paragraph(&escape(text)));
                out.cards(&group.dialects);
            });
        }
        out.section("other-dialects", |out| out.cards(&self.dialects));
        out.section("tests", |out| out.cards(&self.tests));
        out.section("others", |out| out.cards(&self.others));
        out.section("changes", |out| {
            let links = out.links(&self.releases);
            out.paragraph(&links);
        });
        // Guides have no Markdown twins to link to, and indexes of all names are for browsers.
        out.leave_out("guides");
        out.leave_out("lists");
    }

    fn has_twins(&self) -> bool {
        false
    }

    fn is_wide(&self) -> bool {
        true
    }
}

/// Makes the 404 page. A host shows it for addresses of any depth, so its links begin at the root of the host.
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
    fn headings(&self, list: &mut Headings) {
        list.extend(&self.groups);
    }

    /// Returns nothing, because the letters are at the top of the page.
    fn contents(&self, _: &[Heading]) -> Vec<Link> {
        Vec::new()
    }

    fn is_finder(&self) -> bool {
        self.dialect.is_empty()
    }

    fn has_twins(&self) -> bool {
        !self.dialect.is_empty()
    }

    fn markdown(&self, out: &mut Writer<'_>) {
        out.groups(&self.groups);
    }

    fn is_wide(&self) -> bool {
        true
    }
}
