//! The search index: scripts, so that it also loads from `file://`.
//!
//! `assets/index.js` holds names and the starts of summaries, column by column, in the order dialect, kind, name; what
//! can be derived (the full name, the address) is left out. `assets/words.js` follows with other names: C++ classes and
//! the cases of enums; and `assets/rest.js` with the names of kinds that fewer ask for. `assets/facets.js` holds what only queries like `trait:Pure` need and is loaded by the first of
//! them. The scripts of `more` are loaded when what they hold is looked at.

mod more;

pub(crate) use more::title;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::{history::Mark, pages::Page};

/// Kinds, in the order in which the script numbers them.
pub const KINDS: &[&str] =
    &["dialect", "op", "type", "attr", "enum", "pass", "trait", "interface", "constraint", "class", "guide"];

/// Kinds that fewer ask for than for operations, types and attributes: their names are in a script of their own, which
/// follows at once.
const RARE: &[&str] = &["enum", "pass", "trait", "interface", "constraint", "class"];

/// As much of a summary as the list of results shows; the preview shows all of it.
const SUMMARY_CHARS: usize = 50;
/// The most letters of a name that are left out because the name before it has them too.
const MOST_SHARED: usize = 70;

/// One thing that can be found.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// One of [`KINDS`].
    pub kind: &'static str,
    /// Index into the dialects.
    pub dialect: usize,
    /// The whole name, with sigil and dialect.
    pub name: String,
    /// The page.
    pub href: String,
    /// One line about it.
    pub summary: String,
    /// The C++ class without its namespace.
    pub alias: String,
    /// More words that lead to it: the cases of an enum.
    pub words: String,
    /// Whether it sinks in the list.
    pub is_deprecated: bool,
    /// Whether it is gone: found, and in no list.
    pub is_removed: bool,
    /// What facets ask for.
    pub facets: RowFacets,
    /// The release that it came with.
    pub since: Option<String>,
    /// The last release that changed it.
    pub changed: Option<String>,
}

/// What facets ask of one thing.
#[derive(Clone, Debug, Default)]
pub struct RowFacets {
    /// Its traits and interfaces.
    pub tags: Vec<String>,
    /// Constraints of its operands.
    pub takes: Vec<String>,
    /// Constraints of its results.
    pub returns: Vec<String>,
    /// What its operands and results accept, if it is an operation.
    pub shape: Option<[Vec<Slot>; 2]>,
    /// `folder`, `canon`, `verify`, `region`, `example`.
    pub flags: Vec<&'static str>,
}

/// An operand or result, for the search by signature.
#[derive(Clone, Debug, Default)]
pub struct Slot {
    /// What the types that it accepts are called.
    pub families: Vec<String>,
    /// 0 if it must be there, 1 if it may be missing, 2 if there may be any number of it.
    pub count: u8,
}

/// Everything that can be found.
#[derive(Clone, Debug, Default)]
pub struct Index {
    dialects: Vec<String>,
    rows: Vec<Row>,
    by_href: BTreeMap<String, usize>,
}

impl Index {
    /// The number of a dialect; `""` is that of what belongs to none.
    pub fn dialect(&mut self, name: &str) -> usize {
        self.dialects.iter().position(|known| known == name).unwrap_or_else(|| {
            self.dialects.push(name.to_owned());
            self.dialects.len() - 1
        })
    }

    /// Adds something.
    pub fn push(&mut self, row: Row) {
        self.by_href.insert(row.href.clone(), self.rows.len());
        self.rows.push(row);
    }

    /// Adds what facets ask for.
    pub fn describe(&mut self, href: &str, facets: RowFacets) {
        if let Some(&index) = self.by_href.get(href) {
            self.rows[index].facets = facets;
        }
    }

    /// Adds what is known of a page over releases.
    pub fn date(&mut self, href: &str, mark: &Mark) {
        if let Some(&index) = self.by_href.get(href) {
            let row = &mut self.rows[index];
            (row.since, row.changed) = (mark.since.clone(), mark.changed.clone());
        }
    }

    /// Everything, in the order in which it was added or [sorted](Index::sort).
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Everything but the pages: the scripts that a site has, by path. Rare kinds [are last](Index::sort).
    #[must_use]
    pub fn scripts(&self, pages: &[Page]) -> Vec<(String, String)> {
        let rare = self.rows.partition_point(|row| !RARE.contains(&row.kind));
        let mut scripts = vec![
            ("assets/index.js".to_owned(), self.names_script("index", 0..rare)),
            ("assets/rest.js".to_owned(), self.names_script("rest", rare..self.rows.len())),
            ("assets/words.js".to_owned(), self.words_script(pages)),
            ("assets/facets.js".to_owned(), self.facets_script(pages)),
            ("assets/signature.js".to_owned(), self.signature_script()),
        ];
        scripts.extend(more::previews(self, pages));
        scripts.extend(more::lists(self));
        scripts.extend(more::texts(self, pages));
        scripts
    }

    /// Puts rare kinds last.
    pub fn sort(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        self.by_href.clear();
        let (rare, usual): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(|row| RARE.contains(&row.kind));
        usual.into_iter().chain(rare).for_each(|row| self.push(row));
    }

    /// The names of some of the rows.
    fn names_script(&self, name: &str, rows: std::ops::Range<usize>) -> String {
        let mut names = Names { kinds: KINDS, dialects: &self.dialects, ..Names::default() };
        let mut before = "";
        let first = rows.start;
        for (index, row) in self.rows.iter().enumerate().take(rows.end).skip(first) {
            let kind = KINDS.iter().position(|known| *known == row.kind).unwrap_or_default();
            match names.runs.last_mut() {
                Some((of, dialect, count)) if *of == kind && *dialect == row.dialect => *count += 1,
                _ => names.runs.push((kind, row.dialect, 1)),
            }
            let dialect = &self.dialects[row.dialect];
            let short = short_name(row, dialect);
            if index > first {
                names.names.push('\n');
                names.summaries.push('\n');
            }
            let shared =
                before.bytes().zip(short.bytes()).take_while(|(a, b)| a == b).count().min(MOST_SHARED);
            // The script counts in units of UTF-16, which are bytes as long as a name is plain.
            let shared = if before.is_ascii() && short.is_ascii() { shared } else { 0 };
            names.names.push(char::from(b'0' + shared as u8));
            names.names.push_str(&short[shared..]);
            before = short;
            names.summaries.push_str(&shortened(&row.summary));
            if full_name(row.kind, dialect, short) != row.name {
                names.bare.push(index);
            }
            if address(row.kind, dialect, short) != row.href {
                names.addresses.insert(index, &row.href);
            }
            if row.is_deprecated {
                names.deprecated.push(index);
            }
        }
        script(name, &names)
    }

    /// Other names: C++ classes, the cases of enums, and who takes an enum.
    fn words_script(&self, pages: &[Page]) -> String {
        let mut words = Words::default();
        for (index, row) in self.rows.iter().enumerate() {
            let dialect = &self.dialects[row.dialect];
            let plain = short_name(row, dialect).replace(['_', '.'], "").to_lowercase();
            let kind = if matches!(row.kind, "op" | "type" | "attr") { row.kind } else { "" };
            let alias = row.alias.to_lowercase();
            if !alias.is_empty() && alias != format!("{plain}{kind}") {
                if alias == format!("{}{plain}{kind}", dialect.replace('_', "").to_lowercase()) {
                    words.joined.push(index);
                } else {
                    words.aliases.insert(index, &row.alias);
                }
            }
            if !row.words.is_empty() {
                words.words.insert(index, &row.words);
            }
        }
        for page in pages {
            let users = page.body.kind().searched().users.iter();
            let users: Vec<usize> = users.filter_map(|row| self.by_href.get(&row.href).copied()).collect();
            if let Some(&index) = self.by_href.get(&page.frame.path).filter(|_| !users.is_empty()) {
                words.users.insert(index, users);
            }
        }
        (words.degree, words.pop) = more::degrees(self, pages);
        script("words", &words)
    }

    /// What operands and results accept, after the script that looks for them.
    fn signature_script(&self) -> String {
        let mut signatures = Signatures::default();
        let mut sets = Table::default();
        for (index, row) in self.rows.iter().enumerate() {
            let Some(shape) = &row.facets.shape else { continue };
            let mut numbers = |slots: &[Slot]| -> Vec<(usize, u8)> {
                slots.iter().map(|slot| (sets.number(slot.families.clone()), slot.count)).collect()
            };
            signatures.rows.insert(index, [numbers(&shape[0]), numbers(&shape[1])]);
        }
        signatures.sets = sets.items;
        let code = crate::render::stripped(include_str!("../../../templates/assets/signature.js"));
        code + &script("signatures", &signatures)
    }

    /// What facets ask for.
    fn facets_script(&self, pages: &[Page]) -> String {
        let is_bare = |page: &&Page| page.body.kind().searched().is_bare;
        let undocumented: BTreeSet<&str> =
            pages.iter().filter(is_bare).map(|page| page.frame.path.as_str()).collect();
        let mut facets = Facets::default();
        let (mut words, mut sets) = (Table::default(), Table::default());
        let mut set = |items: &[String]| {
            let mut ids: Vec<usize> = items.iter().map(|item| words.number(item.clone())).collect();
            ids.sort_unstable();
            ids.dedup();
            sets.number(ids)
        };
        for (index, row) in self.rows.iter().enumerate() {
            facets.since.extend(row.since.as_deref().map(|release| (index, release)));
            facets.changed.extend(row.changed.as_deref().map(|release| (index, release)));
            facets.tags.push(set(&row.facets.tags));
            facets.takes.push(set(&row.facets.takes));
            facets.returns.push(set(&row.facets.returns));
            let undocumented = undocumented.contains(row.href.as_str()).then_some(&"undocumented");
            let flags: Vec<String> =
                row.facets.flags.iter().chain(undocumented).map(|flag| (*flag).to_owned()).collect();
            facets.flags.push(set(&flags));
        }
        facets.words = words.items;
        facets.sets = sets.items;
        script("facets", &facets)
    }
}

/// A summary that fits on a line, cut between words where that is possible.
fn shortened(summary: &str) -> String {
    let line = summary.replace('\n', " ").replace('`', "");
    let Some((end, _)) = line.char_indices().nth(SUMMARY_CHARS) else { return line };
    let cut = line[..end].rfind(' ').filter(|at| *at > end / 2).unwrap_or(end);
    format!("{}…", line[..cut].trim_end())
}

/// The name without sigil and dialect.
pub(crate) fn short_name<'a>(row: &'a Row, dialect: &str) -> &'a str {
    let name = match row.kind {
        "type" => row.name.strip_prefix('!'),
        "attr" => row.name.strip_prefix('#'),
        _ => None,
    };
    let name = name.unwrap_or(&row.name);
    let is_dotted = matches!(row.kind, "op" | "type" | "attr");
    let short = name.strip_prefix(dialect).and_then(|rest| rest.strip_prefix('.')).filter(|_| is_dotted);
    short.unwrap_or(name)
}

/// The full name as the script derives it.
fn full_name(kind: &str, dialect: &str, short: &str) -> String {
    match kind {
        "op" => format!("{dialect}.{short}"),
        "type" => format!("!{dialect}.{short}"),
        "attr" => format!("#{dialect}.{short}"),
        _ => short.to_owned(),
    }
}

/// The address as the script derives it.
fn address(kind: &str, dialect: &str, short: &str) -> String {
    match kind {
        "dialect" => format!("{dialect}/index.html"),
        "trait" | "interface" | "constraint" | "class" | "guide" => format!("{kind}/{short}.html"),
        _ => format!("{dialect}/{kind}/{short}.html"),
    }
}

#[derive(Default, Serialize)]
struct Names<'a> {
    kinds: &'a [&'a str],
    dialects: &'a [String],
    /// Kind, dialect and number of the rows that follow each other.
    runs: Vec<(usize, usize, usize)>,
    names: String,
    summaries: String,
    /// Rows whose name is written as it is.
    bare: Vec<usize>,
    addresses: BTreeMap<usize, &'a str>,
    deprecated: Vec<usize>,
}

#[derive(Default, Serialize)]
struct Words<'a> {
    /// Classes whose names can not be derived.
    aliases: BTreeMap<usize, &'a str>,
    /// Rows whose class has the dialect's name in front.
    joined: Vec<usize>,
    /// The cases of enums.
    words: BTreeMap<usize, &'a str>,
    /// Who takes an enum.
    users: BTreeMap<usize, Vec<usize>>,
    /// How often descriptions name a row.
    degree: BTreeMap<usize, usize>,
    /// For each dialect, how often those of other dialects name something of it.
    pop: Vec<usize>,
}

#[derive(Default, Serialize)]
struct Signatures {
    /// What constraints accept.
    sets: Vec<Vec<String>>,
    /// Operands and results: the set, and how many there may be.
    rows: BTreeMap<usize, [Vec<(usize, u8)>; 2]>,
}

#[derive(Default, Serialize)]
struct Facets<'a> {
    words: Vec<String>,
    sets: Vec<Vec<usize>>,
    /// One set for each row.
    tags: Vec<usize>,
    takes: Vec<usize>,
    returns: Vec<usize>,
    flags: Vec<usize>,
    /// Releases, by row.
    since: BTreeMap<usize, &'a str>,
    changed: BTreeMap<usize, &'a str>,
}

/// Numbers things in the order in which they come.
struct Table<T> {
    items: Vec<T>,
    numbers: BTreeMap<T, usize>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table { items: Vec::new(), numbers: BTreeMap::new() }
    }
}

impl<T: Ord + Clone> Table<T> {
    fn number(&mut self, item: T) -> usize {
        let next = self.items.len();
        *self.numbers.entry(item.clone()).or_insert_with(|| {
            self.items.push(item);
            next
        })
    }
}

/// The script that adds what words are called besides.
#[must_use]
pub fn synonyms(text: &str) -> String {
    script("synonyms", &text)
}

fn script(name: &str, data: &impl Serialize) -> String {
    format!("(window.odsmith=window.odsmith||{{}}).{name}={};\n", json(data))
}

/// A script that adds `data` under `key` to one of the tables.
fn script_of_table(table: &str, key: &str, data: &impl Serialize) -> String {
    let (table, key, data) = (json(&table), json(&key), json(data));
    format!(
        "(function(o){{(o[{table}]=o[{table}]||{{}})[{key}]={data}}})(window.odsmith=window.odsmith||{{}});\n"
    )
}

fn json(data: &impl Serialize) -> String {
    let json = serde_json::to_string(data).unwrap_or_else(|_| "null".to_owned());
    // Scripts end at `</script` wherever it appears, and older ones at line separators.
    json.replace("</", "<\\/").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_derived_is_left_out() {
        let mut index = Index::default();
        let dialect = index.dialect("arith");
        let row = |name: &str, href: &str, alias: &str| Row {
            kind: "op",
            dialect,
            name: name.to_owned(),
            href: href.to_owned(),
            alias: alias.to_owned(),
            ..Row::default()
        };
        index.push(row("arith.cmpi", "arith/op/cmpi.html", "CmpIOp"));
        index.push(row("arith.Cmpi", "arith/op/Cmpi-2.html", "Other"));
        let script = index.names_script("index", 0..2);
        assert!(script.contains(r#""names":"0cmpi\n0Cmpi""#), "{script}");
        assert!(script.contains(r#""addresses":{"1":"arith/op/Cmpi-2.html"}"#), "{script}");
        assert!(index.words_script(&[]).contains(r#""aliases":{"1":"Other"}"#));
    }
}
