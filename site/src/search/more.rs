//! Scripts that are loaded on demand: previews of results, the names of a dialect for the sidebar, and the words of
//! descriptions.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use rustc_hash::FxHashMap;

use super::{Index, Row, SUMMARY_CHARS, script, script_of_table, short_name};
use crate::{links::stem, pages::Page, view};

/// A word that more than one description in so many has is too common.
const MOST_COMMON: usize = 10;
/// The length of the shortest indexed word.
const LEAST_LETTERS: usize = 3;
const MOST_LETTERS: usize = 24;

/// The parts of a row's preview: the whole summary, the signature, an example.
type Preview<'a> = (&'a str, &'a str, &'a str);

/// Writes the previews of each dialect's rows.
pub(super) fn previews(index: &Index, pages: &[Page]) -> Vec<(String, String)> {
    let signatures: BTreeMap<&str, (String, &str)> = pages
        .iter()
        .map(|page| {
            let searched = page.body.kind().searched();
            let mut signature: String = searched.signature.iter().map(|token| &*token.text).collect();
            for view::TypeVariable { letter, words, name, .. } in searched.variables {
                let name = name.as_ref().map_or("", |name| &name.text);
                let words = if words.is_empty() { name } else { words };
                let _ = write!(signature, "\n{letter}: {words}");
            }
            (page.frame.path.as_str(), (signature, searched.example))
        })
        .collect();
    let mut shards: BTreeMap<usize, BTreeMap<usize, Preview<'_>>> = BTreeMap::new();
    for (at, row) in index.rows.iter().enumerate() {
        let known = signatures.get(row.href.as_str());
        let (signature, example) =
            known.map_or(("", ""), |(signature, example)| (signature.as_str(), *example));
        if !signature.is_empty() || row.summary.chars().count() > SUMMARY_CHARS {
            shards.entry(row.dialect).or_default().insert(at, (&row.summary, signature, example));
        }
    }
    let script = |(dialect, rows): (usize, BTreeMap<usize, Preview<'_>>)| {
        (format!("assets/preview/{dialect}.js"), script_of_table("preview", &dialect.to_string(), &rows))
    };
    shards.into_iter().map(script).collect()
}

/// Writes the list of dialects and the names in each of them.
pub(super) fn lists(index: &Index) -> Vec<(String, String)> {
    let mut scripts = Vec::new();
    let dialects = index.rows.iter().filter(|row| row.kind == "dialect" && !row.is_removed);
    let entries: Vec<(&str, &str)> =
        dialects.clone().map(|row| (row.name.as_str(), row.href.as_str())).collect();
    scripts.push(("assets/list.js".to_owned(), script("dialects", &entries)));
    for dialect in dialects {
        let mut items = Vec::new();
        let mut folder = String::new();
        let own = |row: &&Row| row.dialect == dialect.dialect && row.kind != "dialect" && !row.is_removed;
        for row in index.rows.iter().filter(own) {
            let (above, file) = row.href.rsplit_once('/').unwrap_or(("", &row.href));
            if above != folder {
                folder = above.to_owned();
                items.push(serde_json::json!([format!("{above}/"), title(row.kind)]));
            }
            let short = short_name(row, &index.dialects[row.dialect]);
            let stem = stem(file);
            let item = if stem == short { short.to_owned() } else { format!("{short}\t{stem}") };
            items.push(item.into());
        }
        let key = dialect.href.split('/').next().unwrap_or_default();
        scripts.push((format!("assets/list/{key}.js"), script_of_table("list", key, &items)));
    }
    scripts
}

/// The plural of a kind.
pub(crate) fn title(kind: &str) -> String {
    match kind {
        "op" => "Operations".to_owned(),
        "type" => "Types".to_owned(),
        "attr" => "Attributes".to_owned(),
        "pass" => "Passes".to_owned(),
        kind => {
            let mut letters = kind.chars();
            let first = letters.next().map(|c| c.to_ascii_uppercase());
            first.into_iter().chain(letters).chain(['s']).collect()
        }
    }
}

/// Writes the words of descriptions by first letter: a line per word, with the distances between its rows.
pub(super) fn texts(index: &Index, pages: &[Page]) -> Vec<(String, String)> {
    let mut known: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    let mut lower = String::new();
    for page in pages {
        let Some(&at) = index.by_href.get(&page.frame.path) else { continue };
        let description = page.body.kind().searched().text;
        // The index has only the start of the summary.
        for word in words(description).chain(words(&index.rows[at].summary)) {
            lower.clear();
            lower.extend(word.chars().map(|c| c.to_ascii_lowercase()));
            match known.get_mut(&lower) {
                Some(rows) if rows.last() == Some(&at) => {}
                Some(rows) => rows.push(at),
                None => {
                    known.insert(lower.clone(), vec![at]);
                }
            }
        }
    }
    let mut known: Vec<(String, Vec<usize>)> = known.into_iter().collect();
    known.sort_unstable();
    let most = (index.rows.len() / MOST_COMMON).max(20);
    let mut shards: BTreeMap<char, String> = BTreeMap::new();
    for (word, mut rows) in known {
        rows.sort_unstable();
        rows.dedup();
        if rows.len() > most {
            continue;
        }
        let Some(letter) = word.chars().next() else { continue };
        let shard = shards.entry(letter).or_insert_with(|| "\n".to_owned());
        shard.push_str(&word);
        let mut before = 0;
        for row in rows {
            let _ = write!(shard, " {}", base36(row - before));
            before = row;
        }
        shard.push('\n');
    }
    let script = |(letter, text): (char, String)| {
        (format!("assets/text/{letter}.js"), script_of_table("text", &letter.to_string(), &text))
    };
    shards.into_iter().map(script).collect()
}

/// Counts for each row the other pages that name it, and for each dialect the mentions on pages of other dialects.
pub(super) fn degrees(index: &Index, pages: &[Page]) -> (BTreeMap<usize, usize>, Vec<usize>) {
    let rows = index.rows.iter().enumerate();
    let by_name: FxHashMap<&str, usize> = rows.map(|(at, row)| (row.name.as_str(), at)).collect();
    let mut degrees = BTreeMap::new();
    let mut popularity = vec![0; index.dialects.len()];
    for page in pages {
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '!' | '#');
        let names =
            page.body.kind().searched().text.split(|c| !is_name(c)).map(|name| name.trim_end_matches('.'));
        let named: BTreeSet<usize> = names.filter_map(|name| by_name.get(name).copied()).collect();
        let own = index.by_href.get(&page.frame.path).map(|at| index.rows[*at].dialect);
        for at in named.into_iter().filter(|at| index.rows[*at].href != page.frame.path) {
            *degrees.entry(at).or_default() += 1;
            let dialect = index.rows[at].dialect;
            popularity[dialect] += usize::from(own != Some(dialect));
        }
    }
    (degrees, popularity)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter(|word| {
        (LEAST_LETTERS..=MOST_LETTERS).contains(&word.len())
            && word.starts_with(|c: char| c.is_ascii_alphabetic())
    })
}

fn base36(mut number: usize) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit((number % 36) as u32, 36).unwrap_or('0'));
        number /= 36;
        if number == 0 {
            return digits.iter().rev().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_the_script_reads_them() {
        assert_eq!([0, 35, 36, 1296].map(base36), ["0", "z", "10", "100"]);
    }

    #[test]
    fn words_are_whole_and_long_enough() {
        assert_eq!(words("The `x.addi_op` 3d op").collect::<Vec<_>>(), ["The", "addi"]);
    }
}
