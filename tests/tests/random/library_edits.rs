//! Files of the release's library with a few lines changed, through mlir-tblgen and through the engine: the same
//! outputs, or the same messages. Some of the runs that the change affects are compared.
//!
//! `ODSMITH_FUZZ_SECONDS=<n>` sets the time of a run, `ODSMITH_FUZZ_SEED=<n>` the first seed; `make fuzz` sets both.

use std::{
    collections::BTreeMap,
    fs,
    ops::Range,
    path::{Path, PathBuf},
};

use odsmith_tests::{Run, diff::first_difference, random::Random, seeds, set_up, tree};

use super::comparison::{Verdict, Workplace, report};

/// The number of edits in a normal run.
const COUNT: u64 = 240;

/// The size limit of files; larger ones take too long.
const MOST_BYTES: usize = 120_000;

/// The number of runs that are compared for an edit.
const RUNS: usize = 4;

/// Values for any field.
const VALUES: &[&str] =
    &["?", "\"\"", "\" \"", "[]", "[?]", "0", "1", "(ins)", "(outs)", "[{ x }]", "\"a b\""];

/// Replacements for a punctuation mark.
const MARKS: &[&str] = &["[", "]", "(", ")", "{", "}", "<", ">", ",", ";", ":", "=", "$", "#", "!", ""];

#[test]
fn library_edits() {
    let files = tree::files(&Path::new(set_up::library()).join("mlir"));
    let is_small = |path: &PathBuf| fs::metadata(path).is_ok_and(|file| file.len() < MOST_BYTES as u64);
    let files: Vec<PathBuf> = files.into_iter().filter(is_small).collect();
    assert!(!files.is_empty(), "{} has no .td files", set_up::library());
    let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
    let mut differences = Vec::new();
    let tried = seeds::run(
        "edits",
        COUNT,
        1,
        |seed| check(seed, &files),
        |batch| {
            let before = differences.len();
            for (verdicts, found) in batch {
                verdicts.into_iter().for_each(|verdict| *counts.entry(verdict).or_default() += 1);
                differences.extend(found);
            }
            differences.len() - before
        },
    );
    println!("{tried}: {counts:?}");
    assert!(counts.contains_key(&Verdict::Same), "no edited file is valid");
    assert!(
        differences.is_empty(),
        "{} edits differ (- reference, + ours)\n{}",
        differences.len(),
        differences.concat()
    );
}

/// The results for the runs of one edit, and the first difference.
fn check(seed: u64, files: &[PathBuf]) -> (Vec<Verdict>, Option<String>) {
    let random = &mut Random::new(seed);
    let path = random.pick(files);
    let original =
        fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let text = edited(random, &original);
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let folder = path.parent().unwrap_or(path).display().to_string();
    let place = |text: &str| Workplace::new(&name, vec![folder.clone(), set_up::library().to_owned()], text);
    let (before, workplace) = (place(&original), place(&text));
    let records = before.ours(&[flags("--print-records")]).pop().unwrap_or_default();
    let dialects = tree::dialects(&String::from_utf8_lossy(&records.out));
    let all = tree::flag_sets(&set_up::fuzzed_release().rules(), Some(&dialects));
    let all: Vec<Vec<String>> = all.iter().map(|set| flags(set)).collect();
    let (unchanged, got) = (before.ours(&all), workplace.ours(&all));
    drop(before);
    // The first run prints the records. A file that cannot be read gives the same messages with every generator.
    let is_readable = got.first().is_some_and(|records| records.status == 0);
    let is_touched = |&index: &usize| !is_like(&unchanged[index], &got[index]);
    let mut touched: Vec<usize> = (0..got.len()).filter(is_touched).collect();
    if !is_readable {
        touched.truncate(1);
    }
    let mut verdicts = Vec::new();
    while !touched.is_empty() && verdicts.len() < RUNS {
        let index = touched.swap_remove(random.below(touched.len()));
        let (verdict, want) = workplace.compare(&all[index], &got[index]);
        verdicts.push(verdict);
        if verdict == Verdict::Differs {
            let edit = first_difference(original.as_bytes(), text.as_bytes()).unwrap_or_default();
            let title = format!("--- {seed} {} | {}\n{edit}", path.display(), all[index].join(" "));
            return (verdicts, Some(title + &report(&want, &got[index])));
        }
    }
    (verdicts, None)
}

fn flags(words: &str) -> Vec<String> {
    words.split_whitespace().map(str::to_owned).collect()
}

fn is_like(one: &Run, other: &Run) -> bool {
    (one.status, &one.out, &one.err) == (other.status, &other.out, &other.err)
}

/// The text with one to three lines changed, except comments and directives.
fn edited(random: &mut Random, text: &str) -> String {
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    let is_code = |line: &str| !(line.is_empty() || line.starts_with("//") || line.starts_with('#'));
    let places: Vec<usize> = (0..lines.len())
        .filter(|&at| is_code(lines[at].trim()) && !lines[at].starts_with("include"))
        .collect();
    if places.is_empty() {
        return text.to_owned();
    }
    for _ in 0..[1, 1, 1, 2, 3][random.below(5)] {
        let (at, other) = (*random.pick(&places), *random.pick(&places));
        let given = lines[other].clone();
        let line = &mut lines[at];
        match random.below(9) {
            0 => line.clear(),
            1 => *line = format!("{line}\n{line}"),
            2 => lines.swap(at, other),
            3 => replace(random, line, &given, words),
            4 => replace(random, line, &given, quotes),
            5 => replace(random, line, &given, variables),
            6 => {
                if let Some((field, _)) = line.split_once(" = ").filter(|_| line.contains("let ")) {
                    *line = format!("{field} = {};", random.pick(VALUES));
                }
            }
            7 => replace_with(random, line, numbers, &["0", "1", "2", "-1", "64", "4294967296"]),
            _ => replace_with(random, line, marks, MARKS),
        }
    }
    lines.join("\n")
}

/// Replaces a piece of a line with a piece of another.
fn replace(random: &mut Random, line: &mut String, other: &str, pieces: fn(&str) -> Vec<Range<usize>>) {
    let given: Vec<&str> = pieces(other).into_iter().map(|place| &other[place]).collect();
    replace_with(random, line, pieces, &given);
}

/// Replaces a piece of a line with one of these texts.
fn replace_with(
    random: &mut Random,
    line: &mut String,
    pieces: fn(&str) -> Vec<Range<usize>>,
    given: &[&str],
) {
    let places = pieces(line);
    if !places.is_empty() && !given.is_empty() {
        let place = random.pick(&places).clone();
        let given = given[random.below(given.len())];
        line.replace_range(place, given);
    }
}

/// Names, keywords and numbers.
fn words(line: &str) -> Vec<Range<usize>> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let bytes = line.as_bytes();
    let starts = (0..bytes.len()).filter(|&at| is_word(bytes[at]) && (at == 0 || !is_word(bytes[at - 1])));
    let end = |start: usize| (start..bytes.len()).find(|&at| !is_word(bytes[at])).unwrap_or(bytes.len());
    starts.map(|start| start..end(start)).collect()
}

fn numbers(line: &str) -> Vec<Range<usize>> {
    let all = words(line).into_iter();
    all.filter(|word| line[word.clone()].bytes().all(|byte| byte.is_ascii_digit())).collect()
}

/// Names after a `$`, including the `$`.
fn variables(line: &str) -> Vec<Range<usize>> {
    let all = words(line).into_iter();
    all.filter(|word| line[..word.start].ends_with('$')).map(|word| word.start - 1..word.end).collect()
}

/// Quoted texts, including the quotes.
fn quotes(line: &str) -> Vec<Range<usize>> {
    let marks: Vec<usize> = line.match_indices('"').map(|(at, _)| at).collect();
    marks.chunks_exact(2).map(|pair| pair[0]..pair[1] + 1).collect()
}

fn marks(line: &str) -> Vec<Range<usize>> {
    line.match_indices(|c: char| c.is_ascii_punctuation()).map(|(at, mark)| at..at + mark.len()).collect()
}
