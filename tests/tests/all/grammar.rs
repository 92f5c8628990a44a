//! The number of random files that use each rule of the manuals: at least a hundred.
//!
//! The seeds are always the same, so that the list changes only with the code. `--nocapture` shows it.

#![expect(clippy::print_stdout, reason = "the list is the point of the test")]

use odsmith_engine::limits::Limits;
use odsmith_tests::{
    grammar::{self, Rule},
    patterns, pool, program, random, random_ods,
};

/// The least number of files for each rule.
const LEAST: usize = 100;

#[test]
fn the_language() {
    let accepts = |text: &str| program::ours(text.as_bytes(), Limits::default()).status == 0;
    let seeds: Vec<u64> = (0..8000).collect();
    let texts = pool::map(&seeds, |&seed| random::program(seed, accepts).text());
    check("TableGen Programmer's Reference", grammar::LANGUAGE, &texts);
}

#[test]
fn operations() {
    let texts: Vec<String> = (0..1500).flat_map(random_ods::block).map(|file| file.text()).collect();
    check("Operation Definition Specification", grammar::OPERATIONS, &texts);
}

#[test]
fn rewrite_patterns() {
    let texts: Vec<String> = (0..3000).map(|seed| patterns::file(seed).patterns()).collect();
    check("Table-driven Declarative Rewrite Rules", grammar::PATTERNS, &texts);
}

fn check(manual: &str, rules: &[Rule], texts: &[String]) {
    println!("{manual}: files that use each rule, of {}", texts.len());
    let mut rare = Vec::new();
    for rule in rules {
        let count = texts.iter().filter(|text| grammar::uses(text, rule)).count();
        println!("{count:6}  {}", rule.0);
        if count < LEAST {
            rare.push(format!("{count} files: {}", rule.0));
        }
    }
    assert!(rare.is_empty(), "{manual}: rules that less than {LEAST} files use\n{}", rare.join("\n"));
}
