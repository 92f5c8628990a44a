//! The languages of assembly formats, over all operations, attributes and types of MLIR.

use std::{collections::BTreeMap, path::Path};

use odsmith_engine::ods::DefKind;
use odsmith_engine::review::language::{
    Comparison, Format, Pairing, Verdict, WORK, includes,
    model::{self, Classes},
    round_trip,
};
use odsmith_tests::{models, set_up};

/// The formats of all operations, by name, and of attributes and types, by C++ class.
fn formats(release: &str, include: &Path) -> BTreeMap<String, Format> {
    let of_file = |_: &str, model: &odsmith_engine::ods::Model<'_>| {
        let classes = Classes::new(&[model]);
        let mut all = Vec::new();
        for op in model.operation_records().filter_map(odsmith_engine::ods::Operation::lenient) {
            if let Some(Ok(format)) = model::operation(&op, &classes) {
                all.push((op.name(), format));
            }
        }
        let definitions = DefKind::ALL.into_iter().flat_map(|kind| model.definitions(kind)).flatten();
        for def in definitions {
            if let Some(Ok(format)) = model::definition(&def) {
                all.push((def.qualified_cpp_class_name(), format));
            }
        }
        all
    };
    // A file on its own may see fewer types than a file that includes it; any of them will do.
    models::each(release, include, of_file).into_iter().flatten().collect()
}

fn shown(name: &str, comparison: &Comparison) -> String {
    let mut text = format!("{name}: {:?}", comparison.verdict());
    if let Some(refused) = &comparison.refused {
        text += &format!(
            "\n    refused  {name} {}   at {} wanted {:?}",
            refused.text, refused.at, refused.wanted
        );
    }
    if let Some(rebound) = &comparison.rebound {
        let (printed, parsed) = (&rebound.printed, &rebound.parsed);
        text +=
            &format!("\n    rebound  {name} {}   at {}: {printed:?} as {parsed:?}", rebound.text, rebound.at);
    }
    if let Some(unclear) = &comparison.unclear {
        text +=
            &format!("\n    unclear  {name} {}   at {} wanted {}", unclear.text, unclear.at, unclear.wanted);
    }
    if let Some(overrun) = &comparison.overrun {
        text += &format!("\n    overrun  {name} {}   wanted {:?}", overrun.text, overrun.wanted);
    }
    for shadowed in &comparison.shadowed {
        text += &format!("\n    shadowed {name} {}   at {}", shadowed.text, shadowed.at);
    }
    text
}

#[test]
fn formats_of_mlir_come_back() {
    let all = formats("22", Path::new(set_up::library()));
    let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
    let mut work = 0;
    for (name, format) in &all {
        let comparison = round_trip(format, WORK);
        work = work.max(comparison.work);
        *counts.entry(comparison.verdict()).or_default() += 1;
        if comparison.verdict() != Verdict::Included
            || !comparison.shadowed.is_empty()
            || comparison.overrun.is_some()
        {
            println!("{}", shown(name, &comparison));
        }
    }
    println!("{} formats: {counts:?}, at most {work} steps", all.len());
    let of = |verdict| counts.get(&verdict).copied().unwrap_or_default();
    assert!(all.len() > 2500 && of(Verdict::Rebound) == 0, "{counts:?}");
    // The rest are ambiguities of MLIR's own, or need a rule that the check does not know yet. Lower these when it
    // improves.
    assert!(of(Verdict::Refused) <= 44 && of(Verdict::Unclear) <= 16, "{counts:?}");
}

#[test]
fn formats_of_two_releases() {
    let Some(prefix) = set_up::release("19", "library") else {
        println!("skipped: the library of MLIR 19 is not available here");
        return;
    };
    let old = formats("19", &prefix.join("include"));
    let new = formats("22", Path::new(set_up::library()));
    let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
    for (name, old) in &old {
        let Some(new) = new.get(name) else { continue };
        let comparison = includes(old, new, &Pairing::by_name(old, new), WORK);
        *counts.entry(comparison.verdict()).or_default() += 1;
        if comparison.verdict() != Verdict::Included {
            println!("{}", shown(name, &comparison));
        }
    }
    println!("{counts:?}");
    let decided: usize =
        counts.iter().filter(|(verdict, _)| **verdict != Verdict::Unclear).map(|(_, n)| n).sum();
    assert!(decided >= 1374, "{counts:?}");
}
