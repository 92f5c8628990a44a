//! The findings of `odsmith lint`: each rule fires on its bad example only; the findings of public cases in
//! `fixtures/lint` are recorded and were reviewed; and the COR findings in all of MLIR were reviewed one by one.
//!
//! `ODSMITH_REGENERATE=1` records the findings.

#![expect(clippy::print_stdout, reason = "a test says what it looked at")]

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    sync::Arc,
};

use libtest_mimic::{Arguments, Failed, Trial};
use odsmith_engine::{
    Job, Target,
    interchange::{self, Document, Maker},
    job::Session,
    library::Library,
    limits::Limits,
    outline::Outline,
    parallel::Spare,
    record::Records,
    report::{self, Edit, Finding, Fix, Id},
    review::lint::{
        self, Input,
        baseline::Baseline,
        config::{Config, CustomRule, DialectConfig},
        fix, render,
        rule::{Fixable, Group, Level, Rule},
        suppress,
    },
};
use odsmith_tests::{files::TestFiles, pool, program::on_a_big_stack, reference, releases, set_up, tree};

/// The files of a fixture: a line `// Name.td` begins one; without such lines there is only one.
fn files(text: &str) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut name = "case.td".to_owned();
    let mut own = String::new();
    for line in text.split_inclusive('\n') {
        let start =
            line.trim().strip_prefix("// ").filter(|rest| rest.ends_with(".td") && !rest.contains(' '));
        match start {
            Some(next) => {
                if !own.trim().is_empty() {
                    files.insert(std::mem::replace(&mut name, next.to_owned()), own.clone().into_bytes());
                }
                own.clear();
                next.clone_into(&mut name);
            }
            None => own += line,
        }
    }
    files.insert(name, own.into_bytes());
    files
}

/// The files of a fixture, over the library's.
fn texts(files: &BTreeMap<String, Vec<u8>>) -> TestFiles {
    files.iter().fold(TestFiles::default(), |all, (name, text)| all.and(name, &text[..]))
}

/// Applies the lines `// lint.dialects.x.stable = true` of an example, in place of an `odsmith.toml`.
fn configured(text: &str, mut config: Config) -> Config {
    for line in text.lines().filter_map(|line| line.strip_prefix("// lint.dialects.")) {
        let (name, rest) = line.split_once('.').expect("a dialect");
        assert_eq!(rest.trim(), "stable = true");
        config.dialects.insert(name.to_owned(), DialectConfig { stable: true, ..DialectConfig::default() });
    }
    config
}

/// The outcome of evaluating a fixture.
struct Bundle {
    files: BTreeMap<String, Vec<u8>>,
    roots: Vec<(String, Arc<Records>)>,
    unused: Vec<Finding>,
}

impl Bundle {
    fn new(text: &str) -> Bundle {
        let files = files(text);
        let mut job = Job::new(texts(&files)).include(".").include(set_up::library());
        for name in files.keys() {
            job = job.target(Target { warn_unused_template_args: true, ..Target::new(name.as_str()) });
        }
        let outcome = odsmith_engine::run(&releases::library("22"), &job);
        let mut unused: Vec<Finding> = Vec::new();
        let mut roots = Vec::new();
        for target in outcome.targets {
            unused.extend(target.diagnostics.iter().filter(is_unused_argument).cloned());
            let records = target.records.unwrap_or_else(|| panic!("{:?}\n{text}", target.diagnostics));
            roots.push((target.td, records));
        }
        Bundle { files, roots, unused }
    }

    fn document(&self) -> Document {
        let roots = self.roots.iter().map(|(td, records)| interchange::Root { td, records });
        let roots: Vec<_> = roots.collect();
        let library = releases::library("22");
        on_a_big_stack(|| Maker::new(library.rules(), set_up::library()).document(&roots))
            .unwrap_or_else(|error| panic!("{}", error.message))
    }

    fn lint(&self, config: &Config, released: Option<&Document>) -> Vec<Finding> {
        let document = (lint::needs_document(config) || released.is_some()).then(|| self.document());
        let roots: Vec<lint::Root<'_>> = self
            .roots
            .iter()
            .enumerate()
            .map(|(index, (td, records))| lint::Root {
                td,
                records,
                unused: if index == 0 { &self.unused } else { &[] },
            })
            .collect();
        let spare = Spare::default();
        let input = Input {
            library_root: set_up::library(),
            roots: &roots,
            released,
            document: document.as_ref(),
            spare: &spare,
        };
        on_a_big_stack(|| lint::run(&input, config)).expect("the policy is right")
    }
}

fn is_unused_argument(finding: &&Finding) -> bool {
    finding.id == Some(Id::UnusedArgument) && finding.location.is_some()
}

fn regenerates() -> bool {
    env::var_os("ODSMITH_REGENERATE").is_some()
}

/// Compares with the recorded text, or records it.
fn compare(path: &Path, text: &str) -> Result<(), Failed> {
    if regenerates() {
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("written");
        return Ok(());
    }
    match fs::read_to_string(path).unwrap_or_default() == text {
        true => Ok(()),
        false => Err(format!("{} has other findings:\n{text}", path.display()).into()),
    }
}

/// Checks that the bad example has findings of the rule alone and the good one none, that each edit of a rule that
/// promises edits applies, and that a safe one leaves the records of generated code alone.
fn check_rule(rule: &'static Rule) -> Result<(), Failed> {
    let mut config = Config { extend_select: vec![rule.id.to_owned()], ..Config::default() };
    let good_text = Rule::example_file(rule.good);
    let bad_text = Rule::example_file(rule.bad);
    config = configured(&bad_text, config);
    let good = Bundle::new(&good_text);
    // The good example was released.
    let released = good.document();
    let found = good.lint(&config, Some(&released));
    let open: Vec<&Finding> = found.iter().filter(|finding| finding.is_open()).collect();
    if !open.is_empty() {
        return Err(format!("the good example has findings:\n{}", report::text::list(&found)).into());
    }
    let bad = Bundle::new(&bad_text);
    let found = bad.lint(&config, Some(&released));
    if found.is_empty() || found.iter().any(|finding| finding.rule != rule.id) {
        return Err(format!("the bad example has these findings:\n{}", report::text::list(&found)).into());
    }
    for finding in &found {
        let is_placed = finding.location.as_ref().is_some_and(|place| {
            let text = bad.files.get(&place.file).expect("a file of the example");
            let lines = text.split(|byte| *byte == b'\n').count();
            place.range.start.line as usize <= lines && Some(place.range.start) <= place.range.end
        });
        if !is_placed {
            return Err(format!("{finding:?} has no place in the example").into());
        }
        let fits = match (&finding.fix, rule.fix) {
            (Some(fix), Fixable::Safe) => fix.is_safe,
            (Some(fix), Fixable::Unsafe) => !fix.is_safe,
            (Some(_), Fixable::Either) => true,
            (Some(_), Fixable::No) => false,
            (None, _) => true,
        };
        if !fits {
            return Err(format!("{finding:?} has a fix of another kind than the rule says").into());
        }
    }
    if rule.fix != Fixable::No {
        let text = |file: &str| bad.files.get(file).map(|text| &text[..]);
        let fixed = fix::apply(&found, |_, _| true, text);
        if fixed.applied.is_empty() {
            return Err("the rule promises a fix, and the example has none".into());
        }
        let mut files = bad.files.clone();
        files.extend(fixed.files);
        let text: String = files
            .iter()
            .map(|(name, text)| format!("// {name}\n{}", String::from_utf8_lossy(text)))
            .collect();
        let left = Bundle::new(&text).lint(&config, Some(&released));
        // Not every finding of a rule has a fix.
        let count = |found: &[Finding]| found.iter().filter(|finding| finding.rule == rule.id).count();
        if count(&left) + fixed.applied.len() > count(&found) {
            return Err(format!("the fix leaves findings:\n{}\n{text}", report::text::list(&left)).into());
        }
    }
    let expected = set_up::tests_folder().join(format!("fixtures/lint/rules/{}.txt", rule.id));
    compare(&expected, &report::text::list(&found))
}

/// Checks a public case, with the recorded findings of the default policy. Its first line names the origin of the case,
/// and the second line rules that must fire.
fn check_case(path: &Path) -> Result<(), Failed> {
    let text = fs::read_to_string(path).expect("a fixture");
    let rules = text.lines().nth(1).and_then(|line| line.strip_prefix("// LINT:")).expect("a line LINT:");
    // A case names the rules that it wants and that are not in the default.
    let others = rules.split_whitespace().filter(|id| {
        lint::rule_of_id(id).is_some_and(|rule| matches!(rule.level, Level::Info | Level::Pedantic))
    });
    let config = Config { extend_select: others.map(str::to_owned).collect(), ..Config::default() };
    let config = configured(&text, config);
    let found = Bundle::new(&Rule::example_file(&text)).lint(&config, None);
    for rule in rules.split_whitespace() {
        let is_there = found.iter().any(|finding| finding.rule == rule);
        if !is_there && rule != "none" {
            return Err(format!("{rule} does not fire:\n{}", report::text::list(&found)).into());
        }
    }
    if rules.trim() == "none" && !found.is_empty() {
        return Err(format!("there are findings:\n{}", report::text::list(&found)).into());
    }
    compare(&path.with_extension("txt"), &report::text::list(&found))
}

/// Checks the fixes of the rules in the second line, which are recorded as a patch, and that their result can be read.
fn check_fixes(path: &Path) -> Result<(), Failed> {
    let text = fs::read_to_string(path).expect("a fixture");
    let rules = text.lines().nth(1).and_then(|line| line.strip_prefix("// LINT:")).expect("a line LINT:");
    let config =
        Config { select: rules.split_whitespace().map(str::to_owned).collect(), ..Config::default() };
    let bundle = Bundle::new(&Rule::example_file(&text));
    let found = bundle.lint(&config, None);
    let old = |file: &str| bundle.files.get(file).map(|text| &text[..]);
    let fixed = fix::apply(&found, |_, _| true, old);
    let mut patch = String::new();
    for (file, new) in &fixed.files {
        patch += &fix::unified(file, old(file).expect("a file of the fixture"), new);
    }
    let mut files = bundle.files.clone();
    files.extend(fixed.files);
    let texts = files.iter().map(|(name, text)| format!("// {name}\n{}", String::from_utf8_lossy(text)));
    Bundle::new(&texts.collect::<String>());
    compare(&path.with_extension("patch"), &patch)
}

const TWO: &str = "def Ex_AOp : Ex_Op<\"a\">;\ndef Ex_BOp : Ex_Op<\"a\">;\n";

fn lint_text(text: &str, config: &Config) -> Vec<Finding> {
    Bundle::new(&Rule::example_file(text)).lint(config, None)
}

fn open(found: &[Finding]) -> Vec<&str> {
    found.iter().filter(|it| it.is_open()).map(|it| &*it.rule).collect()
}

fn suppressions() -> Result<(), Failed> {
    let config = Config::default();
    let cases: &[(&str, &[&str])] = &[
        (TWO, &["COR017"]),
        (
            "def Ex_AOp : Ex_Op<\"a\">;\n// odsmith: ignore COR017: both are meant\ndef Ex_BOp : Ex_Op<\"a\">;\n",
            &[],
        ),
        (
            "def Ex_AOp : Ex_Op<\"a\">;\ndef Ex_BOp : Ex_Op<\"a\">; // odsmith: ignore COR: both are meant\n",
            &[],
        ),
        (
            "def Ex_AOp : Ex_Op<\"a\">;\ndef Ex_BOp : Ex_Op<\"a\">;\n// odsmith: ignore-file COR017: all are meant\n",
            &[],
        ),
        (
            "def Ex_AOp : Ex_Op<\"a\">;\n// odsmith: ignore COR017\ndef Ex_BOp : Ex_Op<\"a\">;\n",
            &["LNT002", "COR017"],
        ),
        ("// odsmith: ignore COR017: nothing is here\ndef Ex_AOp : Ex_Op<\"a\">;\n", &["LNT001"]),
        ("// odsmith: ignore COR999: no such rule\ndef Ex_AOp : Ex_Op<\"a\">;\n", &["LNT002"]),
        ("// odsmith: forget COR001: no such word\ndef Ex_AOp : Ex_Op<\"a\">;\n", &["LNT002"]),
    ];
    for (text, expected) in cases {
        let found = lint_text(text, &config);
        if open(&found) != *expected {
            return Err(format!("{text}\n{:?}\n{}", expected, report::text::list(&found)).into());
        }
    }
    Ok(())
}

/// A comment that names several rules loses those without findings; comments for lint are no documentation.
fn useless_suppressions() -> Result<(), Failed> {
    let config = Config { extend_select: vec!["DOC005".to_owned()], ..Config::default() };
    let text = Rule::example_file(
        "// odsmith: ignore COR017, COR011: both are meant\ndef Ex_AOp : Ex_Op<\"a\">;\n\
         def Ex_BOp : Ex_Op<\"a\">; // odsmith: ignore COR017, COR012: both are meant\n\
         // odsmith: ignore COR008: it is an old word\n\
         def Ex_Slow : I32EnumAttrCase<\"Slow\", 0, \"slow\">;\n\
         def Ex_Mode : I32EnumAttr<\"Mode\", \"modes\", [Ex_Slow]> { let cppNamespace = \"::ex\"; }\n",
    );
    let bundle = Bundle::new(&text);
    let found = bundle.lint(&config, None);
    let old = |file: &str| bundle.files.get(file).map(|text| &text[..]);
    let fixed = fix::apply(&found, |_, fix| fix.is_safe, old);
    let new = String::from_utf8_lossy(&fixed.files["case.td"]).into_owned();
    let is_right = new.contains("def Ex_BOp : Ex_Op<\"a\">; // odsmith: ignore COR017: both are meant\n")
        && !new.contains("COR011")
        && !new.contains("COR008")
        && open(&found).contains(&"DOC005");
    if is_right { Ok(()) } else { Err(format!("{}\n{new}", report::text::list(&found)).into()) }
}

/// Accepted findings stay accepted when definitions move.
fn baseline_without_lines() -> Result<(), Failed> {
    let config = Config::default();
    let before = lint_text(TWO, &config);
    let baseline = Baseline::from_json(Baseline::new(&before).to_json().as_bytes()).expect("it was written");
    let mut moved = lint_text(&format!("\n\n// Something.\n\n{TWO}def Ex_COp : Ex_Op<\"a\">;\n"), &config);
    baseline.accept(&mut moved);
    // The third one is new.
    if open(&moved) != ["COR017"] || moved.len() != 2 {
        return Err(report::text::list(&moved).into());
    }
    Ok(())
}

/// Comments that accept all findings leave none, and each of them is useful.
fn comments_are_added() -> Result<(), Failed> {
    let config = Config { select: vec!["strict".to_owned()], ..Config::default() };
    let text = Rule::example_file(
        "def Ex_AOp : Ex_Op<\"aB\"> {\n  let arguments = (ins I32);\n  let results = (outs I32);\n}\ndef Ex_BOp : Ex_Op<\"aB\">;\n",
    );
    let bundle = Bundle::new(&text);
    let found = bundle.lint(&config, None);
    let outline = Outline::new("case.td", &bundle.files["case.td"]);
    let edits: Vec<Edit> = suppress::additions([&outline], &found, "a reason");
    let edits: Vec<&Edit> = edits.iter().collect();
    let text = fix::edited(&bundle.files["case.td"], &edits).expect("edits are in the text");
    let left = Bundle::new(&String::from_utf8_lossy(&text)).lint(&config, None);
    if found.len() < 4 || !open(&left).is_empty() {
        return Err(format!("{}\n{}", String::from_utf8_lossy(&text), report::text::list(&left)).into());
    }
    Ok(())
}

fn policies() -> Result<(), Failed> {
    let mut config = Config::default();
    config.per_file.insert("*.td".to_owned(), vec!["-COR".to_owned()]);
    let per_file = open(&lint_text(TWO, &config)).len();
    let mut config = Config::default();
    config.dialects.insert(
        "ex".to_owned(),
        DialectConfig { ignore: vec!["COR017".to_owned()], ..DialectConfig::default() },
    );
    let per_dialect = open(&lint_text(TWO, &config)).len();
    match (per_file, per_dialect) {
        (0, 0) => Ok(()),
        counts => Err(format!("{counts:?}").into()),
    }
}

/// The custom rules of a project.
fn custom_rules() -> Result<(), Failed> {
    let rule = |on: &str| CustomRule {
        id: "EX001".to_owned(),
        on: on.to_owned(),
        message: "every op of ex is pure".to_owned(),
        advice: String::new(),
        level: Level::Error,
    };
    let text = "def Ex_AOp : Ex_Op<\"a\", [Pure]>;\n// odsmith: ignore EX001: it is old\ndef Ex_BOp : Ex_Op<\"b\">;\ndef Ex_COp : Ex_Op<\"c\"> { let arguments = (ins I32:$x); }\n";
    for (on, expected) in [
        ("operations[?dialect == 'ex' && !traits[?name == 'NoMemoryEffect']]", &["ex.c"][..]),
        ("operations[?dialect == 'ex'].arguments[?constraint.name == 'I32']", &["ex.c#x"]),
        ("types[*]", &[]),
    ] {
        let config =
            Config { custom: vec![rule(on)], ignore: vec!["LNT001".to_owned()], ..Config::default() };
        config.check().map_err(Failed::from)?;
        let found = lint_text(text, &config);
        let subjects: Vec<&str> = found
            .iter()
            .filter(|it| it.is_open() && it.rule == "EX001")
            .map(|it| it.subject.as_str())
            .collect();
        if subjects != expected {
            return Err(format!("{on}: {subjects:?}").into());
        }
    }
    let wrong = Config { custom: vec![rule("operations[?")], ..Config::default() };
    match wrong.check() {
        Err(_) => Ok(()),
        Ok(()) => Err("a query that is none is accepted".into()),
    }
}

/// Of two overlapping fixes the first is applied.
fn overlapping_fixes() -> Result<(), Failed> {
    let edit = |start, end| Edit { file: "a".to_owned(), start, end, text: "x".to_owned() };
    let finding = |start, end| Finding {
        rule: "X1".into(),
        fix: Some(Fix { title: String::new(), is_safe: true, edits: vec![edit(start, end)] }),
        ..Finding::default()
    };
    let findings = [finding(0, 3), finding(2, 4), finding(5, 6)];
    let fixed = fix::apply(&findings, |_, _| true, |_| Some(&b"abcdefg"[..]));
    match (fixed.applied.as_slice(), fixed.files.get("a").map(|text| &text[..])) {
        ([0, 2], Some(b"xdexg")) => Ok(()),
        other => Err(format!("{other:?}").into()),
    }
}

/// No page says that a rule came with a release that is not there yet.
fn since() -> Result<(), Failed> {
    let numbers = |text: &str| text.split('.').map(|part| part.parse().unwrap_or(u32::MAX)).collect();
    let own: Vec<u32> = numbers(env!("CARGO_PKG_VERSION"));
    let is_early = |rule: &&Rule| numbers(rule.since) > own || !rule.page().contains(rule.since);
    let early: Vec<&str> = lint::rules().filter(is_early).map(|rule| rule.id).collect();
    if early.is_empty() { Ok(()) } else { Err(format!("{early:?}").into()) }
}

/// Every rule is in the table once, and has a page.
fn table() -> Result<(), Failed> {
    let ids: Vec<&str> = lint::rules().map(|rule| rule.id).collect();
    let mut sorted = ids.clone();
    sorted.sort_unstable();
    sorted.dedup();
    // COR007 and COR014 have three rules each in one, STY005 and STY006 two rows, DOC001 and DOC002 two.
    if sorted.len() != ids.len() || ids.len() < 73 {
        return Err(format!("{} rules, {} ids", ids.len(), sorted.len()).into());
    }
    let faulty: Vec<&str> = lint::rules()
        .filter(|rule| rule.text.len() < 40 || rule.advice.is_empty() || !rule.page().contains(rule.id))
        .map(|rule| rule.id)
        .collect();
    if faulty.is_empty() { Ok(()) } else { Err(format!("{faulty:?}").into()) }
}

/// A finding of a COR rule in MLIR, and the result of its review.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ReviewedFinding {
    rule: String,
    subject: String,
    /// `true`: the definition is wrong. `meant`: the finding is right, but intended. `false`: the rule is mistaken.
    verdict: String,
    reason: String,
}

fn reviewed(text: &str) -> Vec<ReviewedFinding> {
    let row = |line: &str| {
        let mut cells = line.split('\t').map(str::to_owned);
        let mut next = || cells.next().unwrap_or_default();
        ReviewedFinding { rule: next(), subject: next(), verdict: next(), reason: next() }
    };
    text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(row).collect()
}

/// The COR findings in all of MLIR are the reviewed ones, and few of them are mistaken.
fn mlir() -> Result<(), Failed> {
    let include = Path::new(set_up::library());
    let mut files = BTreeMap::new();
    for file in tree::files(&include.join("mlir")) {
        let path = file.strip_prefix(include).expect("below it").to_string_lossy().into_owned();
        files.insert(path, fs::read(&file).expect("a file of the library"));
    }
    let mut job = Job::new(texts(&files)).include(".").include(set_up::library());
    job.limits = Limits::generous();
    job.uses_snapshots = true;
    for name in files.keys() {
        job = job.target(Target { warn_unused_template_args: true, ..Target::new(name.as_str()) });
    }
    let library = Library::new(releases::library("22").release(), String::new(), Default::default());
    let session = Session::new(&library, &job);
    let indexes: Vec<usize> = (0..job.targets.len()).collect();
    let mut roots = Vec::new();
    let mut unused: Vec<Finding> = Vec::new();
    for outcome in pool::map(&indexes, |index| session.run(*index)) {
        unused.extend(outcome.diagnostics.iter().filter(is_unused_argument).cloned());
        // Some files are only parts of others.
        roots.extend(outcome.records.map(|records| (outcome.td, records)));
    }
    let at = |it: &Finding| it.location.as_ref().map(|at| (at.file.clone(), at.range));
    unused.sort_by_key(at);
    unused.dedup_by_key(|it| at(it));
    let bundle = Bundle { files, roots, unused };
    let select = env::var("ODSMITH_LINT_SELECT").unwrap_or_else(|_| "minimal".to_owned());
    // Pedantic rules were reviewed as well.
    let pedantic = lint::rules().filter(|it| it.group() == Group::Cor && it.level == Level::Pedantic);
    let config = Config {
        select: select.split(',').map(str::to_owned).collect(),
        extend_select: pedantic.map(|it| it.id.to_owned()).collect(),
        ..Config::default()
    };
    let start = std::time::Instant::now();
    let found = bundle.lint(&config, None);
    println!("{} roots, lint {:?}\n{}", bundle.roots.len(), start.elapsed(), render::statistics(&found));
    if select != "minimal" {
        println!("{}", report::text::list(&found));
        return Ok(());
    }
    let path = set_up::tests_folder().join("fixtures/lint/mlir-22.tsv");
    let table = reviewed(&fs::read_to_string(&path).unwrap_or_default());
    let new: Vec<&Finding> = found
        .iter()
        .filter(|it| !table.iter().any(|row| (&*row.rule, &row.subject) == (&*it.rule, &it.subject)))
        .collect();
    let gone: Vec<&ReviewedFinding> = table
        .iter()
        .filter(|row| !found.iter().any(|it| (&*row.rule, &row.subject) == (&*it.rule, &it.subject)))
        .collect();
    let mistaken = table.iter().filter(|row| row.verdict == "false").count();
    let is_known = table.iter().all(|row| matches!(&*row.verdict, "true" | "meant" | "false"));
    println!("{} reviewed, {mistaken} of them mistaken", table.len());
    if new.is_empty() && gone.is_empty() && is_known && mistaken * 100 <= table.len() {
        return Ok(());
    }
    let new: Vec<Finding> = new.into_iter().cloned().collect();
    Err(format!("not reviewed yet:\n{}\nnot found any more: {gone:?}", report::text::list(&new)).into())
}

/// Runs every generator of mlir-tblgen on MLIR's own files before and after all safe fixes: each pair with
/// `ODSMITH_LINT_FIXES=all` (`make conformance`), else a few of them.
fn mlir_fixes() -> Result<(), Failed> {
    const ONE_OF: usize = 60;
    let include = Path::new(set_up::library());
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lint-fixes");
    let _ = fs::remove_dir_all(&home);
    let sides = ["before", "after"].map(|side| home.join(side));
    let files = tree::files(&include.join("mlir"));
    let names: Vec<&str> =
        files.iter().filter_map(|file| file.strip_prefix(include).ok()?.to_str()).collect();
    for (name, side) in names.iter().flat_map(|name| sides.iter().map(move |side| (name, side))) {
        let copy = side.join(name);
        fs::create_dir_all(copy.parent().expect("a folder")).expect("a folder is made");
        fs::copy(include.join(name), copy).expect("a file is copied");
    }
    let library = format!("22={}", include.display());
    let ended = Command::new(set_up::odsmith())
        .args([
            "lint",
            "--level",
            "all",
            "--fix",
            "--fail-on",
            "never",
            "--statistics",
            "--library",
            &library,
        ])
        .arg(&sides[1])
        .output()
        .expect("odsmith starts");
    let said = String::from_utf8_lossy(&ended.stderr);
    let is_edited = |name: &&&str| {
        let [before, after] = sides.each_ref().map(|side| fs::read(side.join(name)).expect("a file"));
        before != after
    };
    let edited = names.iter().filter(is_edited).count();
    println!("{edited} files are edited; {}", said.lines().last().unwrap_or_default());
    if edited < 100 {
        return Err(format!("that is too few: {said}").into());
    }
    let step = if env::var("ODSMITH_LINT_FIXES").is_ok_and(|value| value == "all") { 1 } else { ONE_OF };
    let some: Vec<&str> = names.into_iter().step_by(step).collect();
    let rules = *releases::library("22").rules();
    let compared = pool::map(&some, |name| {
        let run = |side: &PathBuf, flags: &str| {
            let arguments: Vec<&str> = flags.split(' ').chain(["-I", ".", name]).collect();
            let ran = reference::again("mlir-tblgen", side, &arguments);
            (ran.status, ran.out)
        };
        let (status, records) = run(&sides[0], "--print-records");
        let dialects = (status == 0).then(|| tree::dialects(&String::from_utf8_lossy(&records)));
        let is_code = |flags: &String| {
            let generator = flags.split(' ').next().unwrap_or_default();
            !generator.ends_with("-doc") && !generator.ends_with("-docs") && generator != "--print-records"
        };
        let cells: Vec<String> =
            tree::flag_sets(&rules, dialects.as_deref()).into_iter().filter(is_code).collect();
        let differs = |flags: &&String| run(&sides[0], flags) != run(&sides[1], flags);
        let wrong: Vec<String> =
            cells.iter().filter(differs).map(|flags| format!("{name} {flags}")).collect();
        (cells.len(), wrong)
    });
    let count: usize = compared.iter().map(|(count, _)| count).sum();
    let wrong: Vec<String> = compared.into_iter().flat_map(|(_, wrong)| wrong).collect();
    println!("{} files, {count} cells, {} differ", some.len(), wrong.len());
    let _ = fs::remove_dir_all(&home);
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// A test for each `.td` file of a folder, by name.
fn trials(folder: &Path, kind: &str, check: fn(&Path) -> Result<(), Failed>) -> Vec<Trial> {
    let mut cases: Vec<_> = fs::read_dir(folder)
        .expect("fixtures")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "td"))
        .collect();
    cases.sort();
    let trial = |path: PathBuf| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        Trial::test(format!("{kind}::{name}"), move || check(&path))
    };
    cases.into_iter().map(trial).collect()
}

/// The function of a test.
type Case = fn() -> Result<(), Failed>;

fn main() -> ExitCode {
    let mut tests: Vec<Trial> = lint::rules()
        .map(|rule| Trial::test(format!("rule::{}", rule.id), move || check_rule(rule)))
        .collect();
    let folder = set_up::tests_folder().join("fixtures/lint");
    tests.extend(trials(&folder, "case", check_case));
    tests.extend(trials(&folder.join("fixes"), "fixes", check_fixes));
    let others: [(&str, Case); 11] = [
        ("table", table),
        ("since", since),
        ("suppressions", suppressions),
        ("useless_suppressions", useless_suppressions),
        ("baseline_without_lines", baseline_without_lines),
        ("comments_are_added", comments_are_added),
        ("policies", policies),
        ("custom_rules", custom_rules),
        ("overlapping_fixes", overlapping_fixes),
        ("mlir", mlir),
        ("mlir_fixes", mlir_fixes),
    ];
    tests.extend(others.into_iter().map(|(name, test)| Trial::test(name, test)));
    libtest_mimic::run(&Arguments::from_args(), tests).exit_code()
}
