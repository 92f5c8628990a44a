//! The facts that a project records in fields of its own: on each page, and compared on a page per fact.

use std::{collections::BTreeMap, fmt::Write as _};

use odsmith_engine::{
    interchange::facts,
    record::{Rec, order},
};

use super::{
    Body, Book, framed,
    headings::{Heading, Headings},
    kind::{Kind, Subject},
};
use crate::{
    commonmark::{code, line as escape},
    flavor::{Writer, cell},
    links::{CHROME_IDS, Slugs},
    text::plural,
    view::{Fact, Link, Matrix, MatrixRow, MatrixValue, OwnFact, SCHEMA},
};

/// The limit for values as columns of a table.
const MOST_COLUMNS: usize = 10;

/// A template for addresses in a specification. `{name}`, `{mnemonic}`, `{dialect}`, `{class}` and the project's own
/// facts are replaced.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Specification {
    /// The name of the specification.
    pub title: String,
    /// The address with placeholders.
    pub url: String,
    /// The dialect that it covers; empty for all.
    pub dialect: String,
    /// The kinds that it covers: `op`, `type`, …; empty for all.
    pub kinds: Vec<String>,
}

/// The project's own facts about a definition.
pub(super) fn of(rec: Rec<'_>) -> Vec<OwnFact> {
    let link = |text| Link { text, href: None };
    let fact = |it: facts::Fact| OwnFact {
        name: it.name,
        href: None,
        values: it.values.into_iter().map(link).collect(),
    };
    facts::of(rec).into_iter().map(fact).collect()
}

/// The definitions that have a fact, by value, with their pages.
type ByValue = BTreeMap<String, Vec<Link>>;

/// Adds the pages that compare facts, and the addresses in specifications.
pub(crate) fn add(book: &mut Book, site: &str, specifications: &[Specification]) {
    let mut all: BTreeMap<(String, String), ByValue> = BTreeMap::new();
    let mut folders: BTreeMap<String, Link> = BTreeMap::new();
    for page in &mut book.pages {
        let path = page.frame.path.clone();
        let Some(Subject { kind, name, dialect }) = page.body.kind().subject() else { continue };
        let (name, dialect) = (name.to_owned(), dialect.to_owned());
        if kind == "dialect" {
            folders.insert(dialect.clone(), Link { text: name.clone(), href: Some(path.clone()) });
        }
        let class = page.body.kind().class().to_owned();
        let Some(facts) = page.body.kind_mut().own_facts() else { continue };
        for fact in &*facts {
            let by_value = all.entry((dialect.clone(), fact.name.clone())).or_default();
            for value in &fact.values {
                let link = Link { text: name.clone(), href: Some(path.clone()) };
                by_value.entry(value.text.clone()).or_default().push(link);
            }
        }
        let fields = UrlFields { kind, name: &name, dialect: &dialect, class: &class };
        let known: Vec<OwnFact> = specifications.iter().filter_map(|it| fields.address(it, facts)).collect();
        facts.extend(known);
    }
    drop_uniform(book, &all);
    all.retain(|_, by_value| is_compared(by_value));
    let paths = paths(&all, &folders);
    for page in &mut book.pages {
        let Some(Subject { dialect, .. }) = page.body.kind().subject() else { continue };
        let dialect = dialect.to_owned();
        if let Body::Dialect(view) = &mut page.body {
            let own = paths.iter().filter(|((of, _), _)| *of == dialect);
            view.facts.extend(own.map(|((_, name), path)| Fact {
                label: name.clone(),
                text: Some(counted(&all[&(dialect.clone(), name.clone())])),
                href: Some(path.clone()),
                ..Fact::default()
            }));
            continue;
        }
        let Some(facts) = page.body.kind_mut().own_facts() else { continue };
        for fact in facts {
            let Some(path) = paths.get(&(dialect.clone(), fact.name.clone())) else { continue };
            fact.href = Some(path.clone());
            let ids = ids(&all[&(dialect.clone(), fact.name.clone())]);
            for value in &mut fact.values {
                value.href = ids.get(&value.text).map(|id| format!("{path}#{id}"));
            }
        }
    }
    for ((dialect, name), path) in paths {
        let by_value = &all[&(dialect.clone(), name.clone())];
        let trail = Vec::from_iter(folders.get(&dialect).cloned());
        let about = format!("Which definitions of {dialect} have which {name}");
        let title = format!("{name} of {dialect}");
        let view = matrix(dialect, name, by_value);
        book.pages.push(framed(site, &path, &title, &about, trail, Body::Matrix(Box::new(view))));
    }
}

/// The value of a flag.
const YES: &str = "yes";

/// Removes flags that all operations of a dialect have, because they distinguish nothing.
fn drop_uniform(book: &mut Book, all: &BTreeMap<(String, String), ByValue>) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for subject in book.pages.iter().filter_map(|page| page.body.kind().subject()) {
        *counts.entry(subject.dialect.to_owned()).or_default() += usize::from(subject.kind == "op");
    }
    let is_uniform = |dialect: &str, name: &str| {
        let marked = all.get(&(dialect.to_owned(), name.to_owned()));
        let marked = marked.filter(|by_value| by_value.len() == 1).and_then(|by_value| by_value.get(YES));
        marked.is_some_and(|users| users.len() >= counts.get(dialect).copied().unwrap_or_default())
    };
    for page in &mut book.pages {
        let Some(Subject { dialect, .. }) = page.body.kind().subject() else { continue };
        let dialect = dialect.to_owned();
        let Some(facts) = page.body.kind_mut().own_facts() else { continue };
        facts.retain(|fact| !is_uniform(&dialect, &fact.name));
    }
}

/// Tests if a fact is worth a comparison: it has several values, and most of them have several users.
fn is_compared(by_value: &ByValue) -> bool {
    let users: usize = by_value.values().map(Vec::len).sum();
    by_value.len() >= 2 && users >= 3 && 2 * by_value.len() <= users + 1
}

fn paths(
    all: &BTreeMap<(String, String), ByValue>,
    folders: &BTreeMap<String, Link>,
) -> BTreeMap<(String, String), String> {
    let mut slugs: BTreeMap<String, Slugs> = BTreeMap::new();
    let path = |key: &(String, String)| {
        let page = folders.get(&key.0)?.href.as_ref()?;
        let folder = page.split('/').next()?;
        let slug = slugs.entry(folder.to_owned()).or_default().take(&key.1);
        Some((key.clone(), format!("{folder}/facts/{slug}.html")))
    };
    all.keys().filter_map(path).collect()
}

fn counted(by_value: &ByValue) -> String {
    format!("{} {}", by_value.len(), plural(by_value.len(), "value"))
}

/// The fragments of the values.
fn ids(by_value: &ByValue) -> BTreeMap<String, String> {
    let mut slugs = Slugs::default();
    CHROME_IDS.iter().for_each(|id| _ = slugs.take(id));
    by_value.keys().map(|value| (value.clone(), slugs.take(&format!("is-{value}")))).collect()
}

fn matrix(dialect: String, name: String, by_value: &ByValue) -> Matrix {
    let ids = ids(by_value);
    let mut sorted: Vec<(&String, &Vec<Link>)> = by_value.iter().collect();
    sorted.sort_by(|a, b| order::natural(a.0, b.0));
    let is_table = sorted.len() <= MOST_COLUMNS;
    let mut rows: BTreeMap<String, MatrixRow> = BTreeMap::new();
    for (at, (_, users)) in sorted.iter().enumerate().filter(|_| is_table) {
        for link in *users {
            let href = link.href.clone().unwrap_or_default();
            let row = rows
                .entry(href)
                .or_insert_with(|| MatrixRow { name: link.clone(), cells: vec![false; sorted.len()] });
            row.cells[at] = true;
        }
    }
    let value = |(title, users): (&String, &Vec<Link>)| MatrixValue {
        id: ids.get(title).cloned().unwrap_or_default(),
        title: title.clone(),
        count: users.len(),
        users: if is_table { Vec::new() } else { users.clone() },
    };
    Matrix {
        schema: SCHEMA,
        kind: "matrix",
        dialect,
        name,
        values: sorted.into_iter().map(value).collect(),
        is_table,
        rows: rows.into_values().collect(),
    }
}

/// The values for the placeholders of an address.
struct UrlFields<'a> {
    kind: &'static str,
    name: &'a str,
    dialect: &'a str,
    class: &'a str,
}

impl UrlFields<'_> {
    /// The address in a specification; `None` if it does not cover the definition, or a placeholder has no value.
    fn address(&self, specification: &Specification, facts: &[OwnFact]) -> Option<OwnFact> {
        let Specification { title, url, dialect, kinds } = specification;
        let is_of = |wanted: &[String]| wanted.is_empty() || wanted.iter().any(|kind| kind == self.kind);
        if !(dialect.is_empty() || dialect == self.dialect) || !is_of(kinds) {
            return None;
        }
        let mut out = String::new();
        let mut rest = url.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            let (hole, after) = after.split_once('}')?;
            out.push_str(before);
            out.push_str(&percent_encoded(&self.hole(hole, facts)?));
            rest = after;
        }
        out.push_str(rest);
        let values = vec![Link { text: title.clone(), href: Some(out) }];
        Some(OwnFact { name: "Specification".to_owned(), href: None, values })
    }

    fn hole(&self, hole: &str, facts: &[OwnFact]) -> Option<String> {
        let plain = self.name.trim_start_matches(['!', '#']);
        Some(match hole {
            "name" => plain.to_owned(),
            "dialect" => self.dialect.to_owned(),
            "mnemonic" => plain.strip_prefix(&format!("{}.", self.dialect)).unwrap_or(plain).to_owned(),
            "class" => self.class.rsplit("::").next().unwrap_or_default().to_owned(),
            field => facts.iter().find(|fact| fact.name == field)?.values.first()?.text.clone(),
        })
    }
}

/// Percent-encodes a text for an address.
fn percent_encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
            out.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

impl Kind for Matrix {
    fn headings(&self, list: &mut Headings) {
        // The header of a table names its columns.
        for value in self.values.iter().filter(|_| !self.is_table) {
            list.push(Heading::new(&value.id, &value.title).with_aside(&value.count.to_string()));
        }
    }

    fn markdown(&self, out: &mut Writer<'_>) {
        let (dialect, name) = (escape(&self.dialect), escape(&self.name));
        out.paragraph(&format!("Which definitions of {dialect} have which {name}, and how many have it."));
        if self.is_table {
            let titles: Vec<String> =
                self.values.iter().map(|it| cell(&escape(&it.title)).into_owned()).collect();
            let rule = " --- |".repeat(titles.len());
            let head = format!("| Definition | {} |\n| --- |{rule}\n", titles.join(" | "));
            out.text.push_str(&head);
            for row in &self.rows {
                let cells: Vec<&str> = row.cells.iter().map(|has| if *has { "●" } else { " " }).collect();
                let line = format!("| {} | {} |\n", cell(&out.link(&row.name)), cells.join(" | "));
                out.text.push_str(&line);
            }
            out.text.push('\n');
        } else {
            for value in &self.values {
                out.section(&value.id, |out| {
                    let links = out.links(&value.users);
                    out.paragraph(&links);
                });
            }
        }
    }

    fn is_wide(&self) -> bool {
        true
    }

    fn subject(&self) -> Option<Subject<'_>> {
        Some(Subject { kind: self.kind, name: &self.name, dialect: &self.dialect })
    }
}

impl Writer<'_> {
    /// Writes the project's own facts.
    pub(crate) fn own_facts(&mut self, facts: &[OwnFact]) {
        self.section("own", |out| {
            for fact in facts {
                let name = match &fact.href {
                    Some(href) => format!("[{}]({})", escape(&fact.name), out.url(href)),
                    None => escape(&fact.name).into_owned(),
                };
                let value = |it: &Link| match &it.href {
                    Some(href) if href.contains("://") => format!("[{}]({href})", escape(&it.text)),
                    _ => code(&it.text),
                };
                let values: Vec<String> = fact.values.iter().map(value).collect();
                let line = format!("- {name}: {}\n", values.join(", "));
                out.text.push_str(&line);
            }
            out.text.push('\n');
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_filled_from_facts() {
        let fact = |name: &str, value: &str| OwnFact {
            name: name.to_owned(),
            href: None,
            values: vec![Link { text: value.to_owned(), href: None }],
        };
        let fields =
            UrlFields { kind: "op", name: "spirv.FAdd", dialect: "spirv", class: "mlir::spirv::FAddOp" };
        let address = |url: &str, dialect: &str| {
            let it = Specification {
                title: "The specification".to_owned(),
                url: url.to_owned(),
                dialect: dialect.to_owned(),
                kinds: vec!["op".to_owned()],
            };
            let fact = fields.address(&it, &[fact("spirvOpName", "Op<FAdd>")])?;
            fact.values.into_iter().next()?.href
        };
        let wanted = "https://example.org/#Op%3CFAdd%3E-FAdd-FAddOp".to_owned();
        assert_eq!(address("https://example.org/#{spirvOpName}-{mnemonic}-{class}", "spirv"), Some(wanted));
        assert_eq!(address("https://example.org/#{other}", "spirv"), None);
        assert_eq!(address("https://example.org/", "tosa"), None);
    }

    #[test]
    fn what_each_has_for_itself_is_not_compared() {
        let users = |count: usize| vec![Link::default(); count];
        let by_value = |counts: &[usize]| -> ByValue {
            counts.iter().enumerate().map(|(at, count)| (at.to_string(), users(*count))).collect()
        };
        assert!(is_compared(&by_value(&[3, 2])));
        assert!(!is_compared(&by_value(&[1, 1, 1, 1])));
        assert!(!is_compared(&BTreeMap::from([("yes".to_owned(), users(9))])));
    }
}
