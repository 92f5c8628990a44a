//! Changes by release: the history on each page, a page per release, and a page for each removed definition.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Body, Book, Page, count_of, framed,
    headings::{Heading, Headings},
    kind::{Kind, Subject},
    rules,
};
use crate::{
    Input,
    changes::{Event, FormerDefinition, Steps, SymbolChange},
    commonmark::{code, line as escape},
    flavor::{Writer, cell},
    guide::notes::Remarks,
    history::{EarlierPage, History},
    links::Slugs,
    paths, search,
    view::{
        self, Breakage, Change, ChangeEntry, ChangeName, ChangeSection, ChangedGroup, ChangedRow, Count,
        Fact, Link, ReleasePage, Removed, Row, SCHEMA,
    },
};
use odsmith_engine::review::diff::rules::Verdict;

/// The folder of the pages.
pub(super) const FOLDER: &str = "release/";
/// The fragment of the author's notes.
const NOTES: &str = "notes";

/// The fragments that a release's page has besides those of its notes.
pub(super) fn ids() -> impl Iterator<Item = &'static str> {
    SEVERITIES.iter().map(|(id, ..)| *id).chain(FILTERS.iter().copied()).chain([NOTES])
}

/// The limit for names similar to that of a removed definition.
const MOST_SIMILAR: usize = 6;

/// Adds the changes by release to a book.
pub(crate) fn add(book: &mut Book, steps: &Steps<'_>, history: &History, input: &Input<'_>) {
    let places = Places::new(book);
    let slugs: Vec<String> = release_slugs(steps);
    for page in &mut book.pages {
        let Some(id) = page.body.kind().symbol() else { continue };
        let changes: Vec<Change> =
            steps.of(&id).into_iter().map(|(number, it)| change(steps, number, it, &slugs[number])).collect();
        if let (false, Some(history)) = (changes.is_empty(), page.body.kind_mut().history()) {
            *history = changes;
        }
    }
    let gone = gone_pages(book, steps, history, input, &places);
    let links: Vec<Link> = steps
        .all
        .iter()
        .zip(&slugs)
        .rev()
        .map(|(it, slug)| Link { text: it.step.release.clone(), href: Some(format!("release/{slug}.html")) })
        .collect();
    let mut pages = Vec::new();
    for (number, slug) in slugs.iter().enumerate().rev() {
        let name = &steps.all[number].step.release;
        let written = book.release_notes.iter().find(|it| it.notes.is_of(name));
        let remarks = written.map(|it| Remarks::read(&it.notes.md)).unwrap_or_default();
        let view = release_page(steps, number, &places, (&gone, &remarks), &links);
        let date = written.and_then(|it| it.notes.date.clone());
        let view = ReleasePage {
            date: date.or_else(|| input.release_dates.get(&view.name).cloned()),
            notes: written.map(|it| it.view.clone()),
            ..view
        };
        let title = format!("Changes in {}", view.name);
        let about = format!("What {} changed since {}", view.name, view.before);
        let body = Body::ReleasePage(Box::new(view));
        pages.push(framed(&input.title, &format!("release/{slug}.html"), &title, &about, vec![], body));
    }
    if !slugs.is_empty() {
        pages.push(rules::page(&input.title));
    }
    for (path, page) in gone {
        if let Body::Removed(view) = &page.body {
            let dialect = book.index.dialect(&view.dialect);
            book.index.push(search::Row {
                kind: search::KINDS.iter().find(|kind| **kind == view.was).copied().unwrap_or("op"),
                dialect,
                name: view.name.clone(),
                href: path,
                summary: page.frame.description.clone(),
                is_deprecated: true,
                is_removed: true,
                ..search::Row::default()
            });
        }
        pages.push(page);
    }
    if let Some(Body::Home(home)) = book.pages.first_mut().map(|page| &mut page.body) {
        home.latest = pages
            .iter()
            .find_map(|page| match &page.body {
                Body::ReleasePage(view) => Some(view.totals.iter().chain(&view.verdicts).cloned().collect()),
                _ => None,
            })
            .unwrap_or_default();
        home.releases = links;
    }
    book.pages.extend(pages);
}

/// The file names of the releases' pages.
fn release_slugs(steps: &Steps<'_>) -> Vec<String> {
    let mut slugs = Slugs::default();
    // The page of rules is in the same folder.
    slugs.take(rules::SLUG);
    steps.all.iter().map(|it| slugs.take(&it.step.release)).collect()
}

/// The pages and folders of a book.
struct Places {
    /// The pages of symbols.
    pages: BTreeMap<String, Link>,
    /// The dialect of each symbol.
    dialects: BTreeMap<String, String>,
    /// The folder of each dialect.
    folders: BTreeMap<String, String>,
    /// The dialect of a C++ namespace, or of a file with passes.
    homes: BTreeMap<String, String>,
    /// All paths in lower case.
    taken: BTreeSet<String>,
    /// The summaries of pages.
    summaries: BTreeMap<String, String>,
}

impl Places {
    fn new(book: &Book) -> Places {
        let mut places = Places {
            pages: BTreeMap::new(),
            dialects: BTreeMap::new(),
            folders: BTreeMap::new(),
            homes: BTreeMap::new(),
            taken: book.pages.iter().map(|page| page.frame.path.to_lowercase()).collect(),
            summaries: BTreeMap::new(),
        };
        for page in &book.pages {
            let Some(Subject { dialect, name, kind }) = page.body.kind().subject() else { continue };
            let path = &page.frame.path;
            if matches!(kind, "dialect" | "op" | "type" | "attr" | "enum" | "pass") {
                let folder = path.split('/').next().unwrap_or_default();
                places.folders.entry(dialect.to_owned()).or_insert_with(|| folder.to_owned());
            }
            let class = match &page.body {
                Body::Operation(it) => it.cpp_class.as_str(),
                Body::AttrOrType(it) => it.cpp_class.as_str(),
                Body::Enum(it) => it.cpp_class.as_str(),
                _ => "",
            };
            if let Some((namespace, _)) = class.rsplit_once("::") {
                let namespace = namespace.trim_start_matches("::").to_owned();
                places.homes.entry(namespace).or_insert_with(|| dialect.to_owned());
            }
            if let Body::Pass(it) = &page.body
                && let Some(source) = &it.source
            {
                places.homes.entry(source.file.clone()).or_insert_with(|| dialect.to_owned());
            }
            if let Some(id) = page.body.kind().symbol() {
                places.dialects.entry(id.clone()).or_insert_with(|| dialect.to_owned());
                let link = Link { text: name.to_owned(), href: Some(path.clone()) };
                places.pages.entry(id).or_insert(link);
                places.summaries.insert(path.clone(), page.frame.description.clone());
            }
        }
        places
    }

    /// The dialect of a removed definition, as pages name it.
    fn dialect(&self, former: &FormerDefinition) -> String {
        let file = former.place.rsplit_once(':').map_or("", |(file, _)| file);
        let known = match former.kind {
            "pass" => self.homes.get(file),
            _ if former.dialect.is_empty() => self.homes.get(&former.namespace),
            _ => None,
        };
        match known {
            Some(dialect) => dialect.clone(),
            None if former.kind == "pass" => "passes".to_owned(),
            None if former.dialect.is_empty() => {
                former.namespace.rsplit("::").next().unwrap_or_default().to_owned()
            }
            None => former.dialect.clone(),
        }
    }

    /// One line about a new definition.
    fn summary(&self, href: Option<&str>, is_new: bool) -> String {
        let known = href.filter(|_| is_new).and_then(|href| self.summaries.get(href));
        known.cloned().unwrap_or_default()
    }

    /// A free path for a removed definition: its former one, unless that is taken.
    fn path(&self, kind: &str, dialect: &str, name: &str) -> String {
        let slug = |text: &str| Slugs::default().take(text);
        let short = name.trim_start_matches(['!', '#']);
        let short = short.strip_prefix(&format!("{dialect}.")).unwrap_or(short);
        let folder = self.folders.get(dialect).cloned().unwrap_or_else(|| slug(dialect));
        let file = slug(short);
        let stem = match kind {
            "interface" => format!("interface/{file}"),
            "dialect" => return self.free(format!("{}/index.html", slug(name))),
            kind => format!("{folder}/{kind}/{file}"),
        };
        self.free(format!("{stem}.html"))
    }

    fn free(&self, path: String) -> String {
        let mut free = path.clone();
        let mut number = 1;
        while self.taken.contains(&free.to_lowercase()) {
            number += 1;
            free = format!("{}-{number}.html", path.trim_end_matches(".html"));
        }
        free
    }
}

/// The change of a symbol in a step, for the page of the symbol.
fn change(steps: &Steps<'_>, number: usize, it: &SymbolChange, slug: &str) -> Change {
    let step = steps.all[number].step;
    let title = match it.event {
        Event::New => format!("New in {}", step.release),
        Event::Renamed => format!("Renamed in {}, from `{}`", step.release, it.old_name),
        Event::Changed | Event::Removed => format!("Changed in {}", step.release),
    };
    Change {
        id: format!("in-{slug}"),
        title: title.replace('`', ""),
        what: it.event.name(),
        release: step.release.clone(),
        before: step.before.clone(),
        renamed_from: (it.event == Event::Renamed).then(|| it.old_name.clone()),
        differences: it.differences.clone(),
        // A new definition breaks nothing.
        findings: if it.event == Event::New { Vec::new() } else { it.findings.clone() },
    }
}

/// Makes the pages of removed definitions, by path.
fn gone_pages(
    book: &Book,
    steps: &Steps<'_>,
    history: &History,
    input: &Input<'_>,
    places: &Places,
) -> BTreeMap<String, Page> {
    let mut views: BTreeMap<String, Removed> = BTreeMap::new();
    for (number, stepped) in steps.all.iter().enumerate() {
        for change in &stepped.changes {
            let Some(former) = change.definition.as_ref().filter(|former| is_own(former, input)) else {
                continue;
            };
            if !matches!(change.event, Event::Removed | Event::Renamed) {
                continue;
            }
            if places.pages.contains_key(&change.old_id) {
                continue;
            }
            let dialect = places.dialect(former);
            let path = places.path(former.kind, &dialect, &former.name);
            let now = steps.now(number, &change.new_id).filter(|_| change.event == Event::Renamed);
            let instead = now.and_then(|id| places.pages.get(&id).cloned());
            let instead = instead.or_else(|| successor(book, former));
            let step = stepped.step;
            views.insert(path, removed(former, dialect, change, (&step.before, &step.release), instead));
        }
    }
    for earlier in history.earlier_pages() {
        add_earlier(earlier, history, book, places, &mut views);
    }
    let page = |(path, mut view): (String, Removed)| {
        // The last description knows better than names do.
        view.similar = if view.instead.is_some() { Vec::new() } else { similar(book, &view) };
        let trail = places
            .folders
            .get(&view.dialect)
            .map(|folder| Link { text: view.dialect.clone(), href: Some(format!("{folder}/index.html")) });
        let is_there =
            |link: &Link| places.taken.contains(&link.href.clone().unwrap_or_default().to_lowercase());
        let trail = Vec::from_iter(trail.filter(is_there));
        let verb = if view.is_renamed { "Renamed" } else { "Removed" };
        let now = view.instead.as_ref().map(|link| format!(", now {}", link.text)).unwrap_or_default();
        let about = format!("{verb} in {}{now}", view.release);
        let title = view.name.clone();
        let page = framed(&input.title, &path, &title, &about, trail, Body::Removed(Box::new(view)));
        (path, page)
    };
    views.into_iter().map(page).collect()
}

/// The definition that the last description of a removed one names as its successor.
fn successor(book: &Book, former: &FormerDefinition) -> Option<Link> {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '!' | '#');
    let words = former.last_words.as_deref()?.split(|c| !is_name(c)).map(|word| word.trim_matches('.'));
    let mut known = words.filter(|word| *word != former.name).filter_map(|word| {
        let href = book.registry.ir.get(word)?;
        Some(Link { text: word.to_owned(), href: Some(href.clone()) })
    });
    known.next()
}

/// Tests if a removed definition had a page.
fn is_own(former: &FormerDefinition, input: &Input<'_>) -> bool {
    let file = former.place.rsplit_once(':').map_or("", |(file, _)| file);
    !former.is_library && !paths::any(&input.exclude, file)
}

fn removed(
    former: &FormerDefinition,
    dialect: String,
    change: &SymbolChange,
    (before, release): (&str, &str),
    instead: Option<Link>,
) -> Removed {
    let mut facts: Vec<Fact> = Vec::new();
    let mut fact = |label: &str, text: &str| {
        let code = Some(text.to_owned()).filter(|text| !text.is_empty());
        facts.extend(code.map(|code| Fact { label: label.to_owned(), code: Some(code), ..Fact::default() }));
    };
    fact("C++ class", &former.class);
    former.rows.iter().for_each(|(label, text)| fact(label, text));
    if !former.place.is_empty() {
        let text = Some(former.place.clone());
        facts.push(Fact { label: format!("Source in {before}"), text, ..Fact::default() });
    }
    Removed {
        schema: SCHEMA,
        kind: "removed",
        was: former.kind.to_owned(),
        kind_title: kind_title(former.kind),
        dialect,
        name: former.name.clone(),
        summary: Some(former.summary.clone()).filter(|text| !text.is_empty()),
        release: release.to_owned(),
        last: Some(before.to_owned()),
        instead,
        is_renamed: change.event == Event::Renamed,
        facts,
        format: former.format.clone(),
        last_words: former.last_words.clone(),
        // The advice of a rule is for those who change definitions, and they are gone.
        findings: change.findings.iter().map(|it| Breakage { advice: "", ..it.clone() }).collect(),
        similar: Vec::new(),
    }
}

/// Adds a removed definition that only the index of an earlier release has.
fn add_earlier(
    earlier: &EarlierPage,
    history: &History,
    book: &Book,
    places: &Places,
    views: &mut BTreeMap<String, Removed>,
) {
    let is_there = |path: &str| places.taken.contains(&path.to_lowercase()) || views.contains_key(path);
    let EarlierPage { kind, name, dialect, url, summary, .. } = earlier;
    let is_again = book.pages.iter().any(|page| {
        let subject = page.body.kind().subject();
        subject.is_some_and(|it| it.kind == kind.as_str() && it.name == name.as_str())
    });
    let is_known = views.values().any(|it| it.was == *kind && it.name == *name);
    let is_path = url.ends_with(".html") && !url.split('/').any(|part| part.is_empty() || part == "..");
    if is_again || is_known || is_there(url) || !is_path {
        return;
    }
    let instead = earlier.instead.as_ref().and_then(|path| {
        let page = book.pages.iter().find(|page| page.frame.path == *path)?;
        Some(Link { text: page.frame.title.clone(), href: Some(path.clone()) })
    });
    views.insert(
        url.clone(),
        Removed {
            schema: SCHEMA,
            kind: "removed",
            was: kind.clone(),
            kind_title: kind_title(kind),
            dialect: dialect.clone(),
            name: name.clone(),
            summary: Some(summary.clone()).filter(|text| !text.is_empty()),
            release: earlier.removed.clone().unwrap_or_else(|| history.release().to_owned()),
            is_renamed: instead.is_some(),
            instead,
            ..Removed::default()
        },
    );
}

fn kind_title(kind: &str) -> &'static str {
    match kind {
        "op" => "Operation",
        "type" => "Type",
        "attr" => "Attribute",
        "enum" => "Enum",
        "pass" => "Pass",
        "interface" => "Interface",
        "trait" => "Trait",
        "dialect" => "Dialect",
        "constraint" => "Constraint",
        "class" => "Class",
        _ => "Definition",
    }
}

/// Pages of the same kind whose names share most words, in the same dialect or with the same short name.
fn similar(book: &Book, view: &Removed) -> Vec<Row> {
    let words = |name: &str| -> BTreeSet<String> {
        let own = name.trim_start_matches(['!', '#']).split(['.', '_', '-']).skip(1);
        own.filter(|word| word.len() > 1).map(str::to_lowercase).collect()
    };
    // A definition that moved to another dialect has the same name there.
    let short = |name: &'_ str| name.split_once('.').map(|(_, short)| short.to_owned());
    let wanted = words(&view.name);
    let mut found: Vec<(usize, &Page)> = book
        .pages
        .iter()
        .filter_map(|page| {
            let subject = page.body.kind().subject()?;
            let is_near = subject.dialect == view.dialect || short(subject.name) == short(&view.name);
            let is_alike = subject.kind == view.was && is_near;
            let known = words(subject.name);
            let common = known.intersection(&wanted).count();
            let all = known.union(&wanted).count();
            (is_alike && 2 * common >= all && common > 0).then_some((all - common, page))
        })
        .collect();
    found.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.frame.path.cmp(&b.1.frame.path)));
    found.truncate(MOST_SIMILAR);
    let row = |(_, page): (usize, &Page)| Row {
        name: page.frame.title.clone(),
        href: page.frame.path.clone(),
        summary: page.frame.description.clone(),
        ..Row::default()
    };
    found.into_iter().map(row).collect()
}

/// Makes the page of a release.
fn release_page(
    steps: &Steps<'_>,
    number: usize,
    places: &Places,
    (gone, remarks): (&BTreeMap<String, Page>, &Remarks),
    links: &[Link],
) -> ReleasePage {
    let stepped = &steps.all[number];
    let mut groups: BTreeMap<String, Vec<ChangedRow>> = BTreeMap::new();
    let mut entries = Entries::default();
    let mut totals: BTreeMap<&'static str, usize> = BTreeMap::new();
    let (mut breaking, mut silent, mut unsure) = (0, 0, 0);
    for change in &stepped.changes {
        let Some((dialect, row)) = changed_row(steps, number, change, places, gone) else { continue };
        *totals.entry(row.what).or_default() += 1;
        let has = |verdict: Verdict| change.effects.values().any(|it| *it == verdict);
        breaking += usize::from(has(Verdict::Breaks) || has(Verdict::Silent));
        silent += usize::from(has(Verdict::Silent));
        unsure += usize::from(has(Verdict::Unknown) && !has(Verdict::Breaks) && !has(Verdict::Silent));
        let page = row.name.href.as_ref().and_then(|href| gone.get(href));
        let instead = page.and_then(|page| match &page.body {
            Body::Removed(view) => view.instead.clone(),
            _ => None,
        });
        let summary = places.summary(row.name.href.as_deref(), change.event == Event::New);
        let note = remarks.of(&row.name.text).map(str::to_owned);
        entries.add(&dialect, &row, change, (instead, note, summary));
        groups.entry(dialect).or_default().push(row);
    }
    let others_last = groups.remove_entry("");
    let mut slugs = Slugs::default();
    crate::links::CHROME_IDS.iter().for_each(|id| _ = slugs.take(id));
    let group = |(title, rows): (String, Vec<ChangedRow>)| ChangedGroup {
        id: slugs.take(if title.is_empty() { "others" } else { &title }),
        title: if title.is_empty() { "Others".to_owned() } else { title },
        count: rows.len(),
        rows,
    };
    let verdicts = [
        count_of(breaking, "breaks something", "break something"),
        count_of(silent, "silently means something else", "silently mean something else"),
        count_of(unsure, "may break something", "may break something"),
    ];
    let total = |what: &'static str| Count {
        number: totals.get(what).copied().unwrap_or(0),
        what: what.to_owned(),
        href: None,
    };
    let all = ["new", "changed", "renamed", "removed"].map(total);
    let others: Vec<Link> = links.iter().filter(|it| it.text != stepped.step.release).cloned().collect();
    ReleasePage {
        schema: SCHEMA,
        kind: "release",
        name: stepped.step.release.clone(),
        before: stepped.step.before.clone(),
        date: None,
        notes: None,
        totals: all.into_iter().filter(|it| it.number > 0).collect(),
        verdicts: verdicts.into_iter().filter(|it| it.number > 0).collect(),
        groups: groups.into_iter().chain(others_last).map(group).collect(),
        sections: entries.sections(),
        has_others: !others.is_empty(),
        releases: others,
    }
}

/// The severities of changes: the fragment, the heading, and the meaning.
const SEVERITIES: &[(&str, &str, &str)] = &[
    ("gone", "Gone or renamed", "Nothing reads, builds or runs that uses the old name."),
    ("silent", "Means something else", "It still reads and builds, and may do something else."),
    ("breaks", "Breaks", "Something that uses it has to change."),
    ("may-break", "May break", "The definitions do not say whether uses have to change."),
    ("new", "New", ""),
    ("safe", "Safe", "Descriptions, hooks and the like: there is nothing to do."),
];
/// The fragments of the filters.
const FILTERS: &[&str] =
    &["for-text", "for-bytecode", "for-code", "for-python", "for-pipelines", "of-work", "of-new"];
/// The limit for definitions that an entry names at once.
const MOST_NAMED: usize = 3;

/// The entries of a release's page by severity.
#[derive(Default)]
struct Entries {
    all: BTreeMap<usize, Vec<(String, ChangeEntry)>>,
}

impl Entries {
    /// Adds a change to the entry of equal ones, or else as an entry of its own.
    fn add(
        &mut self,
        dialect: &str,
        row: &ChangedRow,
        change: &SymbolChange,
        (instead, note, summary): (Option<Link>, Option<String>, String),
    ) {
        let has = |verdict: Verdict| change.effects.values().any(|it| *it == verdict);
        let severity = match change.event {
            Event::Removed | Event::Renamed => 0,
            Event::New => 4,
            Event::Changed if has(Verdict::Silent) => 1,
            Event::Changed if has(Verdict::Breaks) => 2,
            Event::Changed if has(Verdict::Unknown) => 3,
            Event::Changed => 5,
        };
        let is_renamed = change.event == Event::Renamed;
        // New and safe definitions are equal for readers; others if the same aspects differ with the same effects.
        let key = match severity {
            4 | 5 => String::new(),
            _ if is_renamed => row.text.clone(),
            _ => format!("{:?} {} {} {instead:?}", change.aspects(), row.breaks, row.may_break),
        };
        // An entry has one remark.
        let key = format!("{key}{}", note.as_deref().unwrap_or_default());
        let list = self.all.entry(severity).or_default();
        let of_dialect =
            |(known, entry): &&mut (String, ChangeEntry)| entry.dialect == dialect && *known == key;
        let name = ChangeName { name: row.name.clone(), summary };
        match list.iter_mut().find(of_dialect) {
            Some((_, entry)) => {
                entry.rows.push(name);
                if change.event == Event::Changed {
                    entry.text = change.aspects().join(", ");
                }
            }
            None => {
                let entry = ChangeEntry {
                    dialect: dialect.to_owned(),
                    rows: vec![name],
                    text: match change.event {
                        Event::Removed => "gone".to_owned(),
                        _ if severity < 4 => row.text.clone(),
                        _ => String::new(),
                    },
                    instead,
                    note,
                    breaks: row.breaks.clone(),
                    may_break: row.may_break.clone(),
                    audiences: change.audiences(),
                    ..ChangeEntry::default()
                };
                list.push((key, entry));
            }
        }
    }

    fn sections(self) -> Vec<ChangeSection> {
        let section = |(severity, entries): (usize, Vec<(String, ChangeEntry)>)| {
            let (id, title, note) = SEVERITIES[severity];
            let is_folded = severity >= 4;
            let entries = entries.into_iter().map(|(_, entry)| ChangeEntry {
                count: entry.rows.len(),
                is_many: entry.rows.len() > MOST_NAMED,
                ..entry
            });
            let mut entries: Vec<ChangeEntry> = entries.collect();
            // Definitions without a dialect come last.
            entries
                .sort_by(|a, b| (a.dialect.is_empty(), &a.dialect).cmp(&(b.dialect.is_empty(), &b.dialect)));
            let count = entries.iter().map(|entry| entry.count).sum();
            ChangeSection { id, title, note, count, is_folded, entries }
        };
        self.all.into_iter().map(section).collect()
    }
}

fn changed_row(
    steps: &Steps<'_>,
    number: usize,
    change: &SymbolChange,
    places: &Places,
    gone: &BTreeMap<String, Page>,
) -> Option<(String, ChangedRow)> {
    // A change that only C++ code decides is shown only on the page of the definition.
    let is_sure = change.findings.iter().any(|it| it.is_error) || !change.differences.is_empty();
    if change.event == Event::Changed && !is_sure {
        return None;
    }
    let id = match change.event {
        Event::Removed => None,
        _ => steps.now(number, &change.new_id),
    };
    let now = id.as_ref().and_then(|id| Some((places.dialects.get(id)?, places.pages.get(id)?)));
    let kind = match id.as_deref().unwrap_or(&change.old_id) {
        id if id.starts_with("dialect:") => "dialect",
        id if id.starts_with("enum:") => "enum",
        id if id.starts_with("interface:") => "interface",
        id if id.starts_with("pass:") => "pass",
        _ => "",
    };
    let (dialect, name) = match now {
        Some((dialect, link)) => (dialect.clone(), link.clone()),
        // A definition that existed only in between has a page as a removed one.
        None => {
            let former = change.definition.as_ref()?;
            let dialect = places.dialect(former);
            let path = places.path(former.kind, &dialect, &former.name);
            gone.get(&path)?;
            (dialect, Link { text: former.name.clone(), href: Some(path) })
        }
    };
    let text = match change.event {
        Event::Renamed if change.differences.len() > 1 => {
            format!("from `{}`; {}", change.old_name, change.summary_of())
        }
        Event::Renamed => format!("from `{}`", change.old_name),
        Event::Changed => change.summary_of(),
        Event::New | Event::Removed => String::new(),
    };
    let row = ChangedRow {
        name,
        kind,
        what: change.event.name(),
        text,
        breaks: change.levels(&[Verdict::Breaks, Verdict::Silent]),
        may_break: change.levels(&[Verdict::Unknown]),
    };
    Some((dialect, row))
}

impl Kind for ReleasePage {
    fn headings(&self, list: &mut Headings) {
        list.add(NOTES, "Notes", self.notes.is_some());
        for section in &self.sections {
            list.push(Heading::new(section.id, section.title).with_aside(&section.count.to_string()));
        }
    }

    fn markdown(&self, out: &mut Writer<'_>) {
        let list = |counts: &[Count]| {
            counts.iter().map(|it| format!("{} {}", it.number, it.what)).collect::<Vec<_>>().join(", ")
        };
        let totals = if self.totals.is_empty() { "nothing changed".to_owned() } else { list(&self.totals) };
        out.paragraph(&format!("Since {}: {totals}.", escape(&self.before)));
        if !self.verdicts.is_empty() {
            out.paragraph(&format!("{}.", list(&self.verdicts)));
        }
        out.section(NOTES, |out| self.notes.iter().for_each(|notes| out.text(&notes.md)));
        for section in &self.sections {
            out.section(section.id, |out| {
                if !section.note.is_empty() {
                    out.paragraph(section.note);
                }
                out.text.push_str("| Name | What | Breaks |\n| --- | --- | --- |\n");
                for entry in &section.entries {
                    let breaks = match (entry.breaks.as_str(), entry.may_break.as_str()) {
                        ("", "") => String::new(),
                        (breaks, "") => format!("breaks {breaks}"),
                        ("", may) => format!("may break {may}"),
                        (breaks, may) => format!("breaks {breaks}; may break {may}"),
                    };
                    let names: Vec<String> = entry.rows.iter().map(|row| out.link(&row.name)).collect();
                    let mut what = entry.text.clone();
                    if let [row] = entry.rows.as_slice()
                        && what.is_empty()
                    {
                        what.clone_from(&row.summary);
                    }
                    let instead = entry.instead.as_ref().map(|link| format!("; now {}", out.link(link)));
                    let mut what = format!("{}{}", escape(what.trim()), instead.unwrap_or_default());
                    if let Some(note) = &entry.note {
                        what = format!("{what}; {note}").trim_start_matches("; ").to_owned();
                    }
                    let line = format!("| {} | {} | {breaks} |\n", cell(&names.join(", ")), cell(&what));
                    out.text.push_str(&line);
                }
                out.text.push('\n');
            });
        }
    }

    fn is_wide(&self) -> bool {
        true
    }

    fn subject(&self) -> Option<Subject<'_>> {
        Some(Subject { kind: self.kind, name: &self.name, dialect: "" })
    }
}

impl Kind for Removed {
    fn headings(&self, list: &mut Headings) {
        list.add("syntax", "Syntax", self.format.is_some());
        list.add("facts", "What it was", !self.facts.is_empty());
        list.add("breaks", "What breaks", !self.findings.is_empty());
        list.add("similar", "Names like it", !self.similar.is_empty());
    }

    fn markdown(&self, out: &mut Writer<'_>) {
        out.lead(self.summary.as_deref(), &[]);
        let verb = if self.is_renamed { "Renamed" } else { "Removed" };
        out.paragraph(&format!("**{verb} in {}.**", escape(&self.release)));
        if let Some(link) = &self.instead {
            let link = out.link(link);
            out.paragraph(&format!("Now: {link}"));
        }
        if let Some(words) = &self.last_words {
            out.paragraph(&format!("Its last description: “{}”", escape(words)));
        }
        out.section("syntax", |out| out.fence("text", self.format.as_deref().unwrap_or_default()));
        out.section("facts", |out| out.facts(&self.facts));
        out.section("breaks", |out| out.findings(&self.findings));
        out.section("similar", |out| out.rows(&self.similar));
    }

    fn subject(&self) -> Option<Subject<'_>> {
        Some(Subject { kind: self.kind, name: &self.name, dialect: &self.dialect })
    }
}

impl Writer<'_> {
    /// Writes the changes by release.
    pub(crate) fn history(&mut self, history: &[Change]) {
        self.section("history", |out| {
            for change in history {
                out.paragraph(&format!("**{}**", escape(&change.title)));
                if !change.differences.is_empty() {
                    let (before, release) = (escape(&change.before), escape(&change.release));
                    let head =
                        format!("| What | {} | {} |\n| --- | --- | --- |\n", cell(&before), cell(&release));
                    out.text.push_str(&head);
                }
                for it in &change.differences {
                    let line = difference(it);
                    out.text.push_str(&line);
                }
                if !change.differences.is_empty() {
                    out.text.push('\n');
                }
                out.findings(&change.findings);
            }
        });
    }

    /// Writes the breakages.
    fn findings(&mut self, findings: &[Breakage]) {
        for it in findings {
            let effects =
                if it.effects.is_empty() { String::new() } else { format!(" ({})", it.effects.join(", ")) };
            let parts: Vec<String> = it.parts.iter().map(|part| code(part)).collect();
            let parts = if parts.is_empty() { String::new() } else { format!(" {}:", parts.join(", ")) };
            let (message, rule) =
                (escape(&it.message), format!("[{}]({})", it.rule, self.url(&it.rule_href)));
            let line = format!("- {}:{parts} {message}{effects} {rule}\n", it.severity);
            self.text.push_str(&line);
        }
        if !findings.is_empty() {
            self.text.push('\n');
        }
    }
}

/// A row of the table of differences.
fn difference(it: &view::Difference) -> String {
    let name = if it.name.is_empty() { String::new() } else { format!(" {}", code(&it.name)) };
    let side = |text: &Option<String>| match text {
        None => "–".to_owned(),
        Some(text) if it.is_code => cell(&code(text)).into_owned(),
        Some(text) => cell(&escape(text)).into_owned(),
    };
    let sides = match it.note {
        Some(note) => format!("{note} | "),
        None => format!("{} | {}", side(&it.old), side(&it.new)),
    };
    format!("| {}{} | {sides} |\n", it.aspect, cell(&name))
}
