//! Questions over symbols: words, facets and signatures.
//!
//! ```text
//! extract slice                       words of names and summaries, the best name first
//! memref -> index                     operations that take a memref and return an index
//! kind:op iface:TilingInterface       facets; `-kind:op` leaves operations out
//! uses:AnyMemRef dialect:memref
//! ```

use std::collections::BTreeSet;

use super::symbols::{Row, Symbols};

/// A question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    words: Vec<String>,
    /// Words of the operands and of the results.
    signature: Option<[Vec<String>; 2]>,
    filters: Vec<Filter>,
}

/// A facet that a row must have, or must not have.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Filter {
    facet: Facet,
    value: String,
    is_negated: bool,
}

/// A property of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Facet {
    Kind,
    Dialect,
    Name,
    File,
    /// A use with a way, such as `trait`; any way, without one.
    Uses(Option<&'static str>),
    Is,
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
];

/// The values of the facet `is`.
const STATES: &[&str] = &["undocumented", "variant"];

/// A row that answers a question.
#[derive(Clone, Copy, Debug)]
pub struct Hit<'s> {
    /// The row.
    pub row: &'s Row,
    /// The fit: the highest comes first.
    pub score: u32,
}

impl Query {
    /// Reads a question.
    ///
    /// # Errors
    /// A facet or its value is unknown.
    pub fn parse(text: &str) -> Result<Query, String> {
        let mut query = Query::default();
        let mut words = Vec::new();
        for word in text.split_whitespace() {
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
            let found = FACETS.iter().find(|(known, _)| *known == key);
            let (_, facet) = found.ok_or_else(|| {
                let names: Vec<&str> = FACETS.iter().map(|(name, _)| *name).collect();
                format!("there is no facet '{key}': use {}", names.join(", "))
            })?;
            if *facet == Facet::Is && !STATES.contains(&value) {
                return Err(format!("'is:{value}' is unknown: use {}", STATES.join(", ")));
            }
            query.filters.push(Filter { facet: *facet, value: value.to_owned(), is_negated });
        }
        match words.iter().position(|word| word == "->") {
            Some(at) => {
                let side = |words: &[String]| {
                    let clean = words.iter().map(|word| word.trim_matches([',', '(', ')', '_']).to_owned());
                    clean.filter(|word| !word.is_empty()).collect::<Vec<String>>()
                };
                query.signature = Some([side(&words[..at]), side(&words[at + 1..])]);
            }
            None => query.words = words,
        }
        Ok(query)
    }

    /// Returns the rows that answer the question, the best first.
    #[must_use]
    pub fn hits<'s>(&self, symbols: &'s Symbols) -> Vec<Hit<'s>> {
        let users = self.users(symbols);
        let of_filters = |row: &Row| {
            self.filters.iter().zip(&users).all(|(filter, users)| filter.has(row, users) != filter.is_negated)
        };
        let rows = symbols.rows.iter().filter(|row| of_filters(row));
        let mut hits: Vec<Hit<'s>> =
            rows.filter_map(|row| Some(Hit { row, score: self.score(row)? })).collect();
        if hits.is_empty() && !self.words.is_empty() {
            // The words may be misspelt.
            let rows = symbols.rows.iter().filter(|row| of_filters(row));
            hits = rows.filter_map(|row| Some(Hit { row, score: self.score_of_spelling(row)? })).collect();
        }
        hits.sort_by(|a, b| {
            b.score
                .cmp(&a.score)
                .then_with(|| a.row.name.len().cmp(&b.row.name.len()))
                .then_with(|| a.row.id.cmp(&b.row.id))
        });
        hits
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
    fn score(&self, row: &Row) -> Option<u32> {
        if let Some([operands, results]) = &self.signature {
            if row.kind != "op" {
                return None;
            }
            let (_, types) = row.signature.split_once(" : ")?;
            let (before, after) = types.rsplit_once(" -> ")?;
            let (before, after) = (before.to_lowercase(), after.to_lowercase());
            let has = |text: &str, words: &[String]| words.iter().all(|word| text.contains(word.as_str()));
            if !has(&before, operands) || !has(&after, results) {
                return None;
            }
            // Fewer other operands are a better fit.
            let others = types.matches(',').count() as u32;
            return Some(100_u32.saturating_sub(others));
        }
        let name = row.name.to_lowercase();
        let short = name.rsplit(['.', ':']).next().unwrap_or(&name).trim_start_matches(['!', '#']).to_owned();
        let aliases: Vec<String> = row.aliases.iter().map(|alias| alias.to_lowercase()).collect();
        let summary = row.summary.to_lowercase();
        let mut score = 0;
        for word in &self.words {
            let last = word.rsplit("::").next().unwrap_or(word);
            score += match () {
                () if name == *word || row.id == *word => 100,
                () if short == *word || aliases.iter().any(|alias| alias == last) => 80,
                () if name.starts_with(word.as_str()) || short.starts_with(word.as_str()) => 50,
                () if name.contains(word.as_str()) => 30,
                () if aliases.iter().any(|alias| alias.contains(last)) => 20,
                () if summary.split(|c: char| !c.is_alphanumeric()).any(|it| it == word) => 15,
                () if summary.contains(word.as_str()) => 8,
                () if row.parts.iter().any(|part| part.to_lowercase().ends_with(&format!(":{word}"))) => 6,
                () => return None,
            };
        }
        Some(score)
    }

    /// Returns the fit of a row whose name is spelt almost like the words.
    fn score_of_spelling(&self, row: &Row) -> Option<u32> {
        let name = row.name.to_lowercase();
        let short = name.rsplit(['.', ':']).next().unwrap_or(&name);
        let mut score = 0;
        for word in &self.words {
            let most = word.chars().count() / 4;
            let distance = distance(word, short).min(distance(word, &name));
            if most == 0 || distance > most {
                return None;
            }
            score += 10_u32.saturating_sub(distance as u32);
        }
        Some(score)
    }
}

impl Filter {
    fn has(&self, row: &Row, users: &BTreeSet<&str>) -> bool {
        let value = self.value.as_str();
        match self.facet {
            Facet::Kind => row.kind == value,
            Facet::Dialect => row.id.split('/').next() == Some(value),
            Facet::Name => row.name.to_lowercase().contains(&value.to_lowercase()),
            Facet::File => row.file.contains(value),
            Facet::Uses(_) => users.contains(row.id.as_str()),
            Facet::Is if value == "variant" => row.variants > 0,
            Facet::Is => row.summary.is_empty(),
        }
    }
}

/// Returns the number of letters to insert, remove, replace or swap: a swap counts once, unlike in the distance that the
/// reference's own messages need.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
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
            let hits = Query::parse(text).expect("a question").hits(&symbols);
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
            ("is:undocumented", "tensor.extract_slice"),
            ("zzqqx", ""),
        ] {
            assert_eq!(names(text), expected, "{text}");
        }
        assert!(Query::parse("colour:red").is_err() && Query::parse("is:x").is_err());
    }
}
