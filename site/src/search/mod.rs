//! The search index: scripts, so that it also loads from `file://`.
//!
//! `assets/index.js` holds names and the starts of summaries, column by column, in the order dialect, kind, name; full
//! names and addresses that can be derived are left out. `assets/words.js` has other names (C++ classes and the cases
//! of enums), and `assets/rest.js` with the names of rarer kinds. `assets/facets.js` serves queries like
//! `trait:Pure`; the first of them loads it. The scripts of `more` are loaded when their content is shown.

mod more;

pub(crate) use more::title;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::{history::Mark, pages::Page};

/// All kinds, in the order in which the script numbers them.
pub const KINDS: &[&str] =
    &["dialect", "op", "type", "attr", "enum", "pass", "trait", "interface", "constraint", "class", "guide"];

/// Kinds that are searched more rarely than operations, types and attributes. A second script, which is loaded right
/// after the first, holds their names.
const RARE: &[&str] = &["enum", "pass", "trait", "interface", "constraint", "class"];

/// The length of a summary in the list of results; the preview shows all of it.
const SUMMARY_CHARS: usize = 50;
/// The limit for the length of the prefix that a name shares with the one before it.
const MOST_SHARED: usize = 70;

/// An entry of the search index.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// One of [`KINDS`].
    pub kind: &'static str,
    /// The index of the dialect.
    pub dialect: usize,
    /// The whole name, with sigil and dialect.
    pub name: String,
    /// The page.
    pub href: String,
    /// One line about it.
    pub summary: String,
    /// The C++ class without its namespace.
    pub alias: String,
    /// More words that find it: the record's name, and the cases of an enum.
    pub words: String,
    /// True if it ranks lower.
    pub is_deprecated: bool,
    /// True if it was removed: it is found, but listed nowhere.
    pub is_removed: bool,
    /// The data for facets.
    pub facets: RowFacets,
    /// The release that added it.
    pub since: Option<String>,
    /// The last release that changed it.
    pub changed: Option<String>,
}

/// The data of a row that facets filter by.
#[derive(Clone, Debug, Default)]
pub struct RowFacets {
    /// Its traits and interfaces.
    pub tags: Vec<String>,
    /// Constraints of its operands.
    pub takes: Vec<String>,
    /// Constraints of its results.
    pub returns: Vec<String>,
    /// The types that its operands and results accept, if it is an operation.
    pub shape: Option<[Vec<Slot>; 2]>,
    /// True if all operands and results have one type.
    pub is_uniform: bool,
    /// `folder`, `canon`, `verify`, `region`, `example`.
    pub flags: Vec<&'static str>,
}

/// An operand or result, for the search by signature.
#[derive(Clone, Debug, Default)]
pub struct Slot {
    /// The names of the types that it accepts.
    pub families: Vec<String>,
    /// 0 if it is required, 1 if it is optional, 2 if it is variadic.
    pub count: u8,
}

/// The search index.
#[derive(Clone, Debug, Default)]
pub struct Index {
    dialects: Vec<String>,
    rows: Vec<Row>,
    by_href: BTreeMap<String, usize>,
}

impl Index {
    /// The index of a dialect, which is added if it is new; `""` is for rows without a dialect.
    pub fn dialect(&mut self, name: &str) -> usize {
        self.dialects.iter().position(|known| known == name).unwrap_or_else(|| {
            self.dialects.push(name.to_owned());
            self.dialects.len() - 1
        })
    }

    /// Adds a row.
    pub fn push(&mut self, row: Row) {
        self.by_href.insert(row.href.clone(), self.rows.len());
        self.rows.push(row);
    }

    /// Adds the data for facets.
    pub fn describe(&mut self, href: &str, facets: RowFacets) {
        if let Some(&index) = self.by_href.get(href) {
            self.rows[index].facets = facets;
        }
    }

    /// Adds the history of a page.
    pub fn date(&mut self, href: &str, mark: &Mark) {
        if let Some(&index) = self.by_href.get(href) {
            let row = &mut self.rows[index];
            (row.since, row.changed) = (mark.since.clone(), mark.changed.clone());
        }
    }

    /// All rows, in the order in which they were added or [sorted](Index::sort).
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Writes the scripts of the index, by path. Rare kinds [are last](Index::sort).
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

    /// Writes the names of a range of rows.
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
            // The script counts in units of UTF-16, which equal bytes only in ASCII names.
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

    /// Writes other names: C++ classes, the cases of enums, and the users of an enum.
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

    /// Writes the types that operands and results accept, after the code that searches them.
    fn signature_script(&self) -> String {
        let mut signatures = Signatures::default();
        let mut sets = Table::default();
        for (index, row) in self.rows.iter().enumerate() {
            let Some(shape) = &row.facets.shape else { continue };
            let mut numbers = |slots: &[Slot]| -> Vec<(usize, u8)> {
                slots.iter().map(|slot| (sets.number(slot.families.clone()), slot.count)).collect()
            };
            signatures.same.extend(row.facets.is_uniform.then_some(index));
            signatures.rows.insert(index, [numbers(&shape[0]), numbers(&shape[1])]);
        }
        signatures.sets = sets.items;
        let code = crate::render::stripped(include_str!("../../../templates/assets/signature.js"));
        code + &script("signatures", &signatures)
    }

    /// Writes the data for facets.
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

/// Cuts a summary to one line, between words if possible.
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
    /// The kind, the dialect and the number of consecutive rows.
    runs: Vec<(usize, usize, usize)>,
    names: String,
    summaries: String,
    /// Rows whose full name cannot be derived.
    bare: Vec<usize>,
    addresses: BTreeMap<usize, &'a str>,
    deprecated: Vec<usize>,
}

#[derive(Default, Serialize)]
struct Words<'a> {
    /// Classes whose names cannot be derived.
    aliases: BTreeMap<usize, &'a str>,
    /// Rows whose class has the dialect's name in front.
    joined: Vec<usize>,
    /// The cases of enums.
    words: BTreeMap<usize, &'a str>,
    /// The users of each enum.
    users: BTreeMap<usize, Vec<usize>>,
    /// The number of descriptions that name each row.
    degree: BTreeMap<usize, usize>,
    /// For each dialect, the number of mentions of its rows on pages of other dialects.
    pop: Vec<usize>,
}

#[derive(Default, Serialize)]
struct Signatures {
    /// The types that constraints accept.
    sets: Vec<Vec<String>>,
    /// Operands and results: the index of the set, and the count of [`Slot`].
    rows: BTreeMap<usize, [Vec<(usize, u8)>; 2]>,
    /// Rows whose operands and results all have one type.
    same: Vec<usize>,
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

/// Numbers values in the order of their first use.
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

/// Writes the script with synonyms.
#[must_use]
pub fn synonyms(text: &str) -> String {
    script("synonyms", &text)
}

fn script(name: &str, data: &impl Serialize) -> String {
    format!("(window.odsmith=window.odsmith||{{}}).{name}={};\n", json(data))
}

/// Writes a script that adds `data` under `key` to one of the tables.
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
