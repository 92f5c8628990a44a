//! Questions over symbols: words, facets and signatures. The script of reference sites and of catalogues reads the same
//! grammar; `engine/interchange/src/queries.tsv` holds both to it.
//!
//! ```text
//! extract slice                       words of names and summaries, the best name first
//! memref -> index                     operations that take a memref and return an index
//! kind:op iface:TilingInterface       facets; `-kind:op` leaves operations out
//! uses:AnyMemRef dialect:memref
//! project:stablehlo breaks:wire       facets of a catalogue of many projects
//! kind:op count by project            a table in place of rows
//! ```

use std::{
    borrow::Cow,
    cmp::{Ordering, Reverse},
    collections::BTreeSet,
};

use super::{
    symbols::{Row, Symbols},
    words::WordIndex,
};

/// A question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    words: Vec<String>,
    /// Words of the operands and of the results.
    signature: Option<[Vec<String>; 2]>,
    filters: Vec<Filter>,
    count: Option<Counting>,
}

/// A facet that a row must have, or must not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// The facet.
    pub facet: Facet,
    /// The value.
    pub value: String,
    /// True if rows with it are left out.
    pub is_negated: bool,
}

/// A property of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Facet {
    /// `op`, `type`, …
    Kind,
    /// The dialect.
    Dialect,
    /// A part of the name.
    Name,
    /// A part of the file's path.
    File,
    /// A use with a way, such as `trait`; any way, without one.
    Uses(Option<&'static str>),
    /// A state.
    Is,
    /// The project, in a catalogue.
    Project,
    /// A version of the project that has the row.
    Version,
    /// The day of the first version that has the row: `2026-01`, `>2026-01`, `<2026`.
    Released,
    /// An owner of the project.
    Owner,
    /// A breaking change of the row in any version, by profile or level.
    Breaks,
    /// The MLIR release of the project.
    Mlir,
    /// A property that pages of the reference know and symbols do not: hooks, and releases that changed a definition.
    Page(&'static str),
}

/// The names of facets.
const FACETS: &[(&str, Facet)] = &[
    ("kind", Facet::Kind),
    ("dialect", Facet::Dialect),
    ("name", Facet::Name),
    ("file", Facet::File),
    ("trait", Facet::Uses(Some("trait"))),
    ("iface", Facet::Uses(Some("interface"))),
    ("interface", Facet::Uses(Some("interface"))),
    ("takes", Facet::Uses(Some("operand"))),
    ("returns", Facet::Uses(Some("result"))),
    ("uses", Facet::Uses(None)),
    ("is", Facet::Is),
    ("project", Facet::Project),
    ("version", Facet::Version),
    ("released", Facet::Released),
    ("owner", Facet::Owner),
    ("breaks", Facet::Breaks),
    ("mlir", Facet::Mlir),
    ("has", Facet::Page("has")),
    ("since", Facet::Page("since")),
    ("changed", Facet::Page("changed")),
];

/// The values of the facet `is` that rows have by themselves.
const STATES: &[&str] = &["undocumented", "variant", "deprecated"];
/// The values that rows have in a catalogue.
const CATALOG_STATES: &[&str] = &["yanked", "duplicate", "skewed"];

/// A property to count rows by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// The project.
    Project,
    /// The dialect.
    Dialect,
    /// The kind.
    Kind,
    /// The owner of the project.
    Owner,
}

/// The names of these properties.
const COUNTINGS: &[(&str, Counting)] = &[
    ("project", Counting::Project),
    ("dialect", Counting::Dialect),
    ("kind", Counting::Kind),
    ("owner", Counting::Owner),
];

/// A row that answers a question.
#[derive(Clone, Copy, Debug)]
pub struct Hit<'s> {
    /// The row.
    pub row: &'s Row,
    /// The fit: the highest comes first.
    pub score: u32,
}

/// The texts of a row that words are looked up in, in lower case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    id: String,
    name: String,
    short: String,
    /// The letters of the name and of the short name.
    letters: [Letters; 2],
    aliases: Vec<String>,
    summary: String,
    parts: Vec<String>,
    /// The operands and the results of an operation.
    types: Option<[String; 2]>,
}

impl Texts {
    /// Collects the texts of a row.
    #[must_use]
    pub fn new(row: &Row) -> Texts {
        let name = row.name.to_lowercase();
        let short = name.rsplit(['.', ':']).next().unwrap_or(&name).trim_start_matches(['!', '#']).to_owned();
        let types = || {
            let (_, types) = row.signature.split_once(" : ")?;
            let (before, after) = types.rsplit_once(" -> ")?;
            Some([before.to_lowercase(), after.to_lowercase()])
        };
        Texts {
            id: row.id.to_lowercase(),
            letters: [Letters::of(&name), Letters::of(&short)],
            short,
            aliases: row.aliases.iter().map(|alias| alias.to_lowercase()).collect(),
            summary: row.summary.to_lowercase(),
            parts: row.parts.iter().map(|part| part.to_lowercase()).collect(),
            types: if row.kind == "op" { types() } else { None },
            name,
        }
    }
}

impl Texts {
    /// Returns all texts.
    pub(crate) fn all(&self) -> impl Iterator<Item = &str> {
        let lists = self.aliases.iter().chain(&self.parts).chain(self.types.iter().flatten());
        [self.id.as_str(), &self.name, &self.short, &self.summary]
            .into_iter()
            .chain(lists.map(String::as_str))
    }
}

/// The letters of a text. Two texts with few common letters have a large distance, which need not be computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Letters {
    /// A bit for each letter; some letters share one.
    set: u64,
    count: usize,
}

impl Letters {
    fn of(text: &str) -> Letters {
        let set = text.chars().fold(0, |set, letter| set | 1_u64 << (letter as u32 % 64));
        Letters { set, count: text.chars().count() }
    }

    /// Returns the fewest changes that could make one text of the other: each change adds or removes one letter at most.
    fn least_distance(self, other: Letters) -> usize {
        let missing = |of: Letters, from: Letters| (of.set & !from.set).count_ones() as usize;
        missing(self, other).max(missing(other, self)).max(self.count.abs_diff(other.count))
    }
}

/// A row that a question may be about.
#[derive(Clone, Debug)]
pub struct Candidate<'r, K> {
    /// The caller's name of it.
    pub key: K,
    /// The row.
    pub row: &'r Row,
    /// Its texts.
    pub texts: Cow<'r, Texts>,
}

/// A candidate that answers a question: its number among the candidates, its score, its row and its key.
type Scored<'r, K> = (usize, u32, &'r Row, K);

impl Query {
    /// Reads a question.
    ///
    /// # Errors
    /// A facet or its value is unknown.
    pub fn parse(text: &str) -> Result<Query, String> {
        let mut query = Query::default();
        let mut words = Vec::new();
        let text = text.replace('→', "->").replace("->", " -> ");
        let mut rest = text.split_whitespace().peekable();
        while let Some(word) = rest.next() {
            if word == "count" && rest.peek() == Some(&"by") {
                rest.next();
                let by = rest.next().unwrap_or_default();
                let found = COUNTINGS.iter().find(|(name, _)| *name == by);
                query.count = Some(found.map(|(_, counting)| *counting).ok_or_else(|| {
                    let names: Vec<&str> = COUNTINGS.iter().map(|(name, _)| *name).collect();
                    format!("nothing is counted by '{}': use {}", by.escape_debug(), names.join(", "))
                })?);
                continue;
            }
            let (name, is_negated) = match word.strip_prefix('-').filter(|rest| rest.contains(':')) {
                Some(rest) => (rest, true),
                None => (word, false),
            };
            // `mlir::arith` is a name.
            let facet =
                name.split_once(':').filter(|(key, value)| !key.is_empty() && !value.starts_with(':'));
            let Some((key, value)) = facet else {
                words.push(word.to_lowercase());
                continue;
            };
            query.filters.push(filter(key, value, is_negated)?);
        }
        match words.iter().position(|word| word == "->") {
            Some(at) => {
                let side = |words: &[String]| {
                    let clean = words.iter().flat_map(|word| word.split(','));
                    let clean = clean.map(|word| word.trim_matches(['(', ')', '_']).to_owned());
                    clean.filter(|word| !word.is_empty()).collect::<Vec<String>>()
                };
                query.signature = Some([side(&words[..at]), side(&words[at + 1..])]);
            }
            None => query.words = words,
        }
        Ok(query)
    }

    /// Returns the facets.
    #[must_use]
    pub fn filters(&self) -> &[Filter] {
        &self.filters
    }

    /// Returns the property to count rows by.
    #[must_use]
    pub fn counting(&self) -> Option<Counting> {
        self.count
    }

    /// Returns the rows of one project that answer the question, the best first.
    ///
    /// # Errors
    /// A facet is one of a catalogue or of pages.
    pub fn hits<'s>(&self, symbols: &'s Symbols) -> Result<Vec<Hit<'s>>, String> {
        if let Some(filter) = self.filters.iter().find(|filter| filter.is_of_catalog()) {
            return Err(format!("'{}' asks a catalogue: name one with --catalog", filter.text()));
        }
        if self.count.is_some() {
            return Err("'count by' asks a catalogue: name one with --catalog".to_owned());
        }
        let users = self.users(symbols);
        let rank = |spells_almost: bool| {
            let rows = symbols.rows.iter().map(|row| Candidate {
                key: row,
                row,
                texts: Cow::Owned(Texts::new(row)),
            });
            let has = |row: &Row, index: usize, _: &Filter| users[index].contains(row.id.as_str());
            self.rank(rows, spells_almost, usize::MAX, has)
        };
        let mut ranked = rank(false)?;
        if ranked.is_empty() && self.may_be_misspelt() {
            ranked = rank(true)?;
        }
        Ok(ranked.into_iter().map(|(row, score)| Hit { row, score }).collect())
    }

    /// Returns the rows of an index that can have the words of the question; nothing if it can be any row.
    #[must_use]
    pub fn rows_with_words(&self, index: &WordIndex) -> Option<Vec<usize>> {
        let types = self.signature.iter().flatten().flatten().map(String::as_str);
        // Of `linalg::genericop` an alias may have the last part alone.
        let words = self.words.iter().map(|word| word.rsplit("::").next().unwrap_or(word));
        index.rows_with(words.chain(types))
    }

    /// Returns the candidates that answer the question, with their scores. The first `sorted` of them are the best ones in
    /// order, and the others follow in any order. `has` decides facets that a row alone does not: uses, and those of a
    /// catalogue; it takes the number of the filter. With `spells_almost` the words may be misspelt.
    ///
    /// # Errors
    /// A facet is one of pages.
    pub fn rank<'r, K: Copy>(
        &self,
        candidates: impl Iterator<Item = Candidate<'r, K>>,
        spells_almost: bool,
        sorted: usize,
        has: impl Fn(K, usize, &Filter) -> bool,
    ) -> Result<Vec<(K, u32)>, String> {
        if let Some(filter) = self.filters.iter().find(|filter| matches!(filter.facet, Facet::Page(_))) {
            return Err(format!("'{}' is known to the pages of a reference alone", filter.text()));
        }
        let fits = |it: &Candidate<'r, K>| {
            let mut all = self.filters.iter().enumerate();
            all.all(|(index, filter)| {
                let answer = filter.of_row(it.row).unwrap_or_else(|| has(it.key, index, filter));
                answer != filter.is_negated
            })
        };
        let words: Vec<(&str, Letters)> =
            self.words.iter().map(|word| (&**word, Letters::of(word))).collect();
        let score = |it: &Candidate<'r, K>| match spells_almost {
            true => score_of_spelling(&words, &it.texts),
            false => self.score(&it.texts, it.row),
        };
        let scored = candidates.filter(fits).filter_map(|it| Some((score(&it)?, it.row, it.key)));
        let mut hits: Vec<Scored<'r, K>> =
            scored.enumerate().map(|(number, (score, row, key))| (number, score, row, key)).collect();
        // Rows of one id are in the order of the candidates.
        let order = |a: &Scored<'r, K>, b: &Scored<'r, K>| -> Ordering {
            let key = |it: &Scored<'r, K>| (Reverse(it.1), it.2.name.len());
            key(a).cmp(&key(b)).then_with(|| a.2.id.cmp(&b.2.id)).then(a.0.cmp(&b.0))
        };
        if sorted < hits.len() {
            hits.select_nth_unstable_by(sorted, order);
        }
        let end = sorted.min(hits.len());
        hits[..end].sort_unstable_by(order);
        Ok(hits.into_iter().map(|(_, score, _, key)| (key, score)).collect())
    }

    /// Returns whether a question without an answer may have misspelt words.
    #[must_use]
    pub fn may_be_misspelt(&self) -> bool {
        !self.words.is_empty()
    }

    /// Returns the words, for a suggestion where nothing fits.
    #[must_use]
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Returns for each filter the ids of the rows that use its value.
    fn users<'s>(&self, symbols: &'s Symbols) -> Vec<BTreeSet<&'s str>> {
        let of = |filter: &Filter| {
            let Facet::Uses(how) = filter.facet else { return BTreeSet::new() };
            let is_it = |target: &str| {
                let name = target.rsplit('/').next().unwrap_or(target);
                target == filter.value || name.split('~').next() == Some(filter.value.as_str())
            };
            let uses =
                symbols.uses.iter().filter(|it| how.is_none_or(|how| it.how == how) && is_it(&it.target));
            uses.map(|it| it.user.as_str()).collect()
        };
        self.filters.iter().map(of).collect()
    }

    /// Returns the fit of a row; nothing if a word is missing.
    fn score(&self, texts: &Texts, row: &Row) -> Option<u32> {
        if let Some([operands, results]) = &self.signature {
            let [before, after] = texts.types.as_ref()?;
            let has = |text: &str, words: &[String]| words.iter().all(|word| text.contains(word.as_str()));
            if !has(before, operands) || !has(after, results) {
                return None;
            }
            // Fewer other operands are a better fit.
            let others = (before.matches(',').count() + after.matches(',').count()) as u32;
            return Some(100_u32.saturating_sub(others));
        }
        let Texts { name, short, aliases, summary, parts, .. } = texts;
        let mut score = 0;
        for word in &self.words {
            let last = word.rsplit("::").next().unwrap_or(word);
            score += match () {
                () if name == word || row.id == *word => 100,
                () if short == word || aliases.iter().any(|alias| alias == last) => 80,
                () if name.starts_with(word.as_str()) || short.starts_with(word.as_str()) => 50,
                () if name.contains(word.as_str()) => 30,
                () if aliases.iter().any(|alias| alias.contains(last)) => 20,
                () if summary.split(|c: char| !c.is_alphanumeric()).any(|it| it == word) => 15,
                () if summary.contains(word.as_str()) => 8,
                () if parts.iter().any(|part| part.split(':').next_back() == Some(word.as_str())) => 6,
                () => return None,
            };
        }
        Some(score)
    }
}

/// Returns the fit of a row whose name is spelt almost like the words.
fn score_of_spelling(words: &[(&str, Letters)], texts: &Texts) -> Option<u32> {
    let mut score = 0;
    for (word, letters) in words {
        let most = letters.count / 4;
        if most == 0 {
            return None;
        }
        let to = |text: &str, own: Letters| {
            if letters.least_distance(own) <= most { distance(word, text, most) } else { None }
        };
        let [name, short] = texts.letters;
        let nearest = [to(&texts.short, short), to(&texts.name, name)].into_iter().flatten().min();
        score += 10_u32.saturating_sub(nearest? as u32);
    }
    Some(score)
}

/// Reads a facet.
fn filter(key: &str, value: &str, is_negated: bool) -> Result<Filter, String> {
    let found = FACETS.iter().find(|(known, _)| *known == key);
    let (_, facet) = found.ok_or_else(|| {
        let names: Vec<&str> = FACETS.iter().map(|(name, _)| *name).collect();
        format!("there is no facet '{}': use {}", key.escape_debug(), names.join(", "))
    })?;
    if value.is_empty() {
        return Err(format!("'{key}:' has no value"));
    }
    if *facet == Facet::Is && !STATES.contains(&value) && !CATALOG_STATES.contains(&value) {
        let states = [STATES, CATALOG_STATES].concat().join(", ");
        return Err(format!("'is:{}' is unknown: use {states}", value.escape_debug()));
    }
    if *facet == Facet::Released && !is_day(value.trim_start_matches(['<', '>'])) {
        return Err(format!(
            "'released:{}' has no day: write 2026, 2026-01 or 2026-01-31, perhaps after < or >",
            value.escape_debug()
        ));
    }
    Ok(Filter { facet: *facet, value: value.to_owned(), is_negated })
}

/// Returns whether a text is a year, a month or a day.
fn is_day(text: &str) -> bool {
    let form = "0000-00-00";
    [4, 7, 10].contains(&text.len())
        && text.bytes().zip(form.bytes()).all(|(byte, form)| match form {
            b'0' => byte.is_ascii_digit(),
            _ => byte == form,
        })
}

impl Filter {
    /// Returns the answer for facets that a row has by itself.
    fn of_row(&self, row: &Row) -> Option<bool> {
        let value = self.value.as_str();
        Some(match self.facet {
            Facet::Kind => row.kind == value,
            Facet::Dialect => row.id.split('/').next() == Some(value),
            Facet::Name => row.name.to_lowercase().contains(&value.to_lowercase()),
            Facet::File => row.file.contains(value),
            Facet::Is if value == "variant" => row.variants > 0,
            Facet::Is if value == "deprecated" => row.deprecated.is_some(),
            Facet::Is if value == "undocumented" => row.summary.is_empty(),
            _ => return None,
        })
    }

    /// Returns whether only a catalogue has it.
    fn is_of_catalog(&self) -> bool {
        match self.facet {
            Facet::Project
            | Facet::Version
            | Facet::Released
            | Facet::Owner
            | Facet::Breaks
            | Facet::Mlir => true,
            Facet::Is => CATALOG_STATES.contains(&self.value.as_str()),
            Facet::Kind | Facet::Dialect | Facet::Name | Facet::File | Facet::Uses(_) | Facet::Page(_) => {
                false
            }
        }
    }

    /// Returns the day of `released:`, and how a row's day is to compare with it.
    #[must_use]
    pub fn has_day(&self, day: &str) -> bool {
        let (wanted, order) = match self.value.split_at_checked(1) {
            Some((">", wanted)) => (wanted, 1),
            Some(("<", wanted)) => (wanted, -1),
            _ => (self.value.as_str(), 0),
        };
        let day = day.get(..wanted.len()).unwrap_or(day);
        match order {
            1 => day > wanted,
            -1 => day < wanted,
            _ => day == wanted,
        }
    }

    /// Returns the facet as it is written.
    #[must_use]
    pub fn text(&self) -> String {
        let known = FACETS.iter().find(|(_, facet)| *facet == self.facet);
        format!("{}:{}", known.map_or("", |(name, _)| name), self.value.escape_debug())
    }
}

/// Returns the number of letters to insert, remove, replace or swap, if it is at most `most`: a swap counts once, unlike in the
/// distance that the reference's own messages need.
fn distance(a: &str, b: &str, most: usize) -> Option<usize> {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    // The rows of the last two letters of `a`, and that of the next one.
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut row = vec![0; b.len() + 1];
    for i in 1..=a.len() {
        row[0] = i;
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row[j] = best;
        }
        // A swap goes back two rows, so that both must be above.
        if row.iter().chain(&last).all(|distance| *distance > most) {
            return None;
        }
        std::mem::swap(&mut before, &mut last);
        std::mem::swap(&mut last, &mut row);
    }
    Some(last[b.len()]).filter(|distance| *distance <= most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbols::Use;

    fn symbols() -> Symbols {
        let row = |id: &str, kind: &str, name: &str, summary: &str, signature: &str| Row {
            id: id.to_owned(),
            kind: kind.to_owned(),
            name: name.to_owned(),
            summary: summary.to_owned(),
            signature: signature.to_owned(),
            ..Row::default()
        };
        Symbols {
            rows: vec![
                row(
                    "memref/op/dim",
                    "op",
                    "memref.dim",
                    "dimension index",
                    "memref.dim : (AnyMemRef, Index) -> Index",
                ),
                row("memref/op/rank", "op", "memref.rank", "rank", "memref.rank : (AnyMemRef) -> Index"),
                row(
                    "tensor/op/extract_slice",
                    "op",
                    "tensor.extract_slice",
                    "",
                    "tensor.extract_slice : (AnyTensor) -> AnyTensor",
                ),
                row("_/pass/tile", "pass", "tile", "tiles a slice", ""),
            ],
            uses: vec![Use {
                target: "mlir:_/trait/Pure".to_owned(),
                user: "memref/op/rank".to_owned(),
                how: "trait".to_owned(),
            }],
            ..Symbols::default()
        }
    }

    #[test]
    fn questions_and_their_answers() {
        let symbols = symbols();
        let names = |text: &str| {
            let hits = Query::parse(text).expect("a question").hits(&symbols).expect("facets of rows");
            hits.iter().map(|hit| hit.row.name.clone()).collect::<Vec<_>>().join(" ")
        };
        for (text, expected) in [
            ("memref -> index", "memref.rank memref.dim"),
            ("tensor ->", "tensor.extract_slice"),
            ("slice", "tensor.extract_slice tile"),
            ("extact_slice", "tensor.extract_slice"),
            ("kind:op trait:Pure", "memref.rank"),
            ("dialect:memref -trait:Pure", "memref.dim"),
            ("uses:Pure", "memref.rank"),
            ("memref→index", "memref.rank memref.dim"),
            ("is:undocumented", "tensor.extract_slice"),
            ("zzqqx", ""),
        ] {
            assert_eq!(names(text), expected, "{text}");
        }
        assert!(Query::parse("colour:red").is_err() && Query::parse("is:x").is_err());
    }

    #[test]
    fn distances_of_words() {
        for (a, b, expected) in [
            ("slice", "slice", Some(0)),
            ("slice", "slcie", Some(1)),
            ("extact", "extract", Some(1)),
            ("abc", "", None),
            ("", "ab", Some(2)),
            ("abcdef", "badcfe", None),
            ("kitten", "sitting", None),
        ] {
            assert_eq!(distance(a, b, 2), expected, "{a} {b}");
        }
        assert_eq!(distance("abcdef", "badcfe", 3), Some(3));
        assert_eq!(distance("kitten", "sitting", 3), Some(3));
    }

    /// Writes a question in one form, which the script of pages writes as well.
    fn canonical(text: &str) -> String {
        let Ok(query) = Query::parse(text) else { return "error".to_owned() };
        let mut parts = Vec::new();
        if !query.words.is_empty() {
            parts.push(format!("words={}", query.words.join(" ")));
        }
        if let Some([takes, returns]) = &query.signature {
            parts.push(format!("takes={}", takes.join(" ")));
            parts.push(format!("returns={}", returns.join(" ")));
        }
        let facets = query.filters.iter().map(|it| {
            let sign = if it.is_negated { "-" } else { "" };
            format!("{sign}{}", it.text())
        });
        let facets: Vec<String> = facets.collect();
        if !facets.is_empty() {
            parts.push(format!("facets={}", facets.join(" ")));
        }
        if let Some(count) = query.count {
            let name = COUNTINGS.iter().find(|(_, it)| *it == count).map_or("", |(name, _)| name);
            parts.push(format!("count={name}"));
        }
        parts.join("; ")
    }

    #[test]
    fn the_grammar_is_that_of_the_table() {
        let table = include_str!("queries.tsv");
        for line in table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (question, form) = line.split_once('\t').expect("two columns");
            assert_eq!(canonical(question), form, "{question}");
        }
    }

    #[test]
    fn facets_of_a_catalogue_need_one() {
        for text in ["project:a", "is:duplicate", "released:>2026", "kind:op count by kind", "has:folder"] {
            assert!(Query::parse(text).expect("a question").hits(&symbols()).is_err(), "{text}");
        }
        let filter = |text: &str| Query::parse(text).expect("a question").filters[0].clone();
        assert!(filter("released:>2026-01").has_day("2026-02-01T00:00:00Z"));
        assert!(!filter("released:>2026-01").has_day("2026-01-31"));
        assert!(
            filter("released:<2026").has_day("2025-12-31")
                && filter("released:2026-05").has_day("2026-05-03")
        );
    }
}
