//! Calibrations of our own engine, which follows the given rules.

use odsmith_calibrate::{Calibration, Fixture, Fixtures, Question, calibrate, ours};
use odsmith_engine::{
    parallel::{parallelism, with_stack},
    release::{Release, Rule, Rules},
};

/// Calibrates a tool that follows these rules, with a table that ends at a release.
fn calibrated(rules: Rules, newest: Release) -> Calibration {
    let fixtures = Fixtures::unpack().expect("fixtures");
    let texts = with_stack(|| ours(&fixtures, rules));
    let tool = |fixture: &Fixture, flags: &[String]| {
        let index = fixtures.all.iter().position(|one| one.name == fixture.name)?;
        let run = fixture.runs.iter().position(|run| run == flags)?;
        texts[index][run].clone()
    };
    let question = Question {
        fixtures: &fixtures,
        library: std::collections::BTreeMap::new(),
        base: newest.min(rules.release()),
        newest,
        tool: &tool,
        threads: parallelism().get(),
    };
    with_stack(|| calibrate(&question))
}

/// A commit between two releases: some rules of the newer one are on, and a spelling is the older one.
#[test]
fn rules_between_releases_are_found() {
    let flips =
        ["EnumKeysWithoutMarkers", "SuccessorsByGetter", "BlankAfterMnemonic", "endif@V22", "RawProperties"];
    let rules = flips.iter().fold(Release::V22.rules(), |rules, name| {
        rules.with_flipped(Rule::named(name).unwrap_or_else(|| panic!("no rule {name}")))
    });
    let found = calibrated(rules, Release::newest());
    let differing: Vec<&str> = Rule::all()
        .filter(|rule| found.rules.has_rule(*rule) != rules.has_rule(*rule))
        .map(Rule::name)
        .collect();
    let unknown: Vec<&str> = found.unknown.iter().map(|one| &*one.fixture).collect();
    assert!(differing.is_empty() && unknown.is_empty(), "{differing:?} {unknown:?}");
    assert!(found.undecided.is_empty(), "{:?}", found.undecided);
    assert!(found.without_effect.iter().all(|rule| !flips.contains(&rule.name())));
}

/// A tool with changes that the table lacks: they are reported, and all rules of the table are right.
#[test]
fn changes_without_a_rule_are_reported() {
    let found = calibrated(Release::V23.rules(), Release::V22);
    let wrong =
        Rule::all().filter(|rule| found.rules.has_rule(*rule) != Release::V22.rules().has_rule(*rule));
    assert_eq!(wrong.map(Rule::name).collect::<Vec<_>>(), Vec::<&str>::new());
    assert!(found.unknown.len() > 20, "{}", found.unknown.len());
    let differences: Vec<String> = found.unknown.iter().map(|one| one.difference()).collect();
    assert!(
        differences.iter().any(|difference| difference.contains("::mlir::PropertyRef")),
        "{differences:?}"
    );
    let known = Rule::all().filter(|rule| rule.since() <= Release::V22).count();
    assert!(found.undecided.len() * 20 <= known, "{:?}", found.undecided);
}
