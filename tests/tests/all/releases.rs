//! The differences between MLIR's releases: fixtures, and a proof that every rule matters.
//!
//! `ODSMITH_REGENERATE=1` records the expectations, with the tools that `ODSMITH_REFERENCE_21` and so on name.

use std::{collections::BTreeMap, env};

use odsmith_engine::release::Rule;
use odsmith_tests::{
    diff::first_difference,
    pool,
    releases::{Fixture, library},
};

#[test]
fn every_release_gives_what_its_tool_gave() {
    let fixtures = Fixture::all();
    if env::var_os("ODSMITH_REGENERATE").is_some() {
        pool::map(&fixtures, Fixture::regenerate);
        return;
    }
    let differences = pool::map(&fixtures, |fixture| {
        let mut differences = String::new();
        for release in &fixture.releases {
            let runs = fixture.expected(release).into_iter().zip(fixture.ours(&library(release)));
            for (index, (want, got)) in runs.enumerate() {
                if let Some(difference) = first_difference(want.as_bytes(), got.as_bytes()) {
                    differences += &format!("  {} run {index} of {release}\n{difference}", fixture.name);
                }
            }
        }
        differences
    })
    .concat();
    assert!(differences.is_empty(), "releases differ (- reference, + ours):\n{differences}");
}

/// A test fails if a rule is changed, so that each rule is known to be right.
#[test]
fn every_rule_is_shown_by_its_fixture() {
    let fixtures: BTreeMap<String, Fixture> =
        Fixture::all().into_iter().map(|fixture| (format!("release/{}", fixture.name), fixture)).collect();
    let rules: Vec<Rule> = Rule::all().collect();
    let missed = pool::map(&rules, |rule| {
        let shows = fixtures.get(rule.fixture()).is_some_and(|fixture| {
            fixture.releases.iter().any(|release| {
                fixture.ours(&library(release).with_flipped(*rule)) != fixture.ours(&library(release))
            })
        });
        (!shows).then_some(rule.name())
    });
    let missed: Vec<_> = missed.into_iter().flatten().collect();
    assert!(missed.is_empty(), "rules that their fixture does not show: {missed:?}");
}
