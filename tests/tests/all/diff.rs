//! The rules of `odsmith diff`: each has a pair in `tests/fixtures/diff` on which it fires, and a near miss. The
//! expected findings are ours and were reviewed: `ODSMITH_REGENERATE=1` records them.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use odsmith_engine::{
    Job, Target,
    interchange::{self, Document, Maker, Root},
    review::diff::{
        Comparison, Direction, Options, compare, render,
        rules::{Level, Rule, Severity},
        settings::{Bump, Selection, Settings},
    },
};
use odsmith_tests::{
    archive::{files_below, tar},
    files::TestFiles,
    folder::TestFolder,
    http::Service,
    pool,
    program::on_a_big_stack,
    random::Random,
    random_ods, releases, seeds, set_up,
};

/// The name of the root.
const NAME: &str = "case.td";

fn document(text: impl Into<Vec<u8>>) -> Document {
    document_of(TestFiles::of_text(NAME, text.into() as Vec<u8>))
}

fn document_of(files: TestFiles) -> Document {
    let library = releases::library("22");
    let job = Job::new(files).include(".").include(set_up::library()).target(Target::new(NAME));
    let outcome = odsmith_engine::run(&library, &job).targets.pop().expect("a target");
    let records = outcome.records.unwrap_or_else(|| panic!("{:?}", outcome.diagnostics));
    let roots = [Root { td: NAME, records: &records }];
    on_a_big_stack(|| Maker::new(library.rules(), set_up::library()).document(&roots))
        .unwrap_or_else(|error| panic!("{}", error.message))
}

fn folders() -> Vec<PathBuf> {
    let root = set_up::tests_folder().join("fixtures/diff");
    let mut all: Vec<PathBuf> =
        fs::read_dir(root).expect("fixtures").map(|it| it.expect("one").path()).collect();
    all.sort();
    all
}

/// The rule of a folder. Further folders of the same rule have a suffix after a hyphen that says what is special about
/// them.
fn rule_of(folder: &Path) -> Rule {
    let name = folder.file_name().expect("a name").to_string_lossy();
    let id = name.split('-').next().unwrap_or_default();
    Rule::of_id(id).unwrap_or_else(|| panic!("{id} is no rule"))
}

fn side(folder: &Path, name: &str) -> Document {
    document(fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{}: {error}", folder.display())))
}

fn backward(old: &Document, new: &Document) -> Comparison {
    compare(old, new, &Options::default())
}

#[test]
fn each_rule_fires_on_its_pair_and_not_on_a_near_miss() {
    let results = pool::map(&folders(), |folder| {
        let rule = rule_of(folder);
        let [old, new, near] = ["old.td", "new.td", "near.td"].map(|name| side(folder, name));
        let mut wrong = Vec::new();
        let comparison = backward(&old, &new);
        if !comparison.by_rule().contains_key(&rule) {
            wrong.push(format!("{} does not fire:\n{}", rule.id(), render::text(&comparison)));
        }
        let missed = backward(&old, &near);
        if missed.by_rule().contains_key(&rule) {
            wrong.push(format!("{} fires on its near miss:\n{}", rule.id(), render::text(&missed)));
        }
        for document in [&old, &new, &near] {
            let same = backward(document, document);
            if !same.findings.is_empty() {
                wrong.push(format!("{} differs from itself:\n{}", rule.id(), render::text(&same)));
            }
        }
        let expected = folder.join("expected.txt");
        let text = render::text(&comparison);
        if env::var_os("ODSMITH_REGENERATE").is_some() {
            fs::write(&expected, &text).expect("written");
        } else if fs::read_to_string(&expected).unwrap_or_default() != text {
            wrong.push(format!("{} has other findings:\n{text}", rule.id()));
        }
        wrong
    });
    let wrong: Vec<String> = results.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The lines of a pair that differ, without comments.
fn differing_lines(folder: &Path) -> String {
    let lines = |name: &str| -> Vec<String> {
        let text = fs::read_to_string(folder.join(name)).expect("a side");
        text.lines()
            .filter(|line| !line.starts_with("//") && !line.trim().is_empty())
            .map(str::to_owned)
            .collect()
    };
    let (old, new) = (lines("old.td"), lines("new.td"));
    // The length of the longest common part of the rests.
    let mut common = vec![vec![0_usize; new.len() + 1]; old.len() + 1];
    for (a, b) in (0..old.len()).rev().flat_map(|a| (0..new.len()).rev().map(move |b| (a, b))) {
        common[a][b] =
            if old[a] == new[b] { common[a + 1][b + 1] + 1 } else { common[a + 1][b].max(common[a][b + 1]) };
    }
    let (mut a, mut b, mut out) = (0, 0, String::new());
    while a < old.len() || b < new.len() {
        if a < old.len() && b < new.len() && old[a] == new[b] {
            (a, b) = (a + 1, b + 1);
        } else if a < old.len() && (b == new.len() || common[a + 1][b] >= common[a][b + 1]) {
            out += &format!("-{}\n", old[a]);
            a += 1;
        } else {
            out += &format!("+{}\n", new[b]);
            b += 1;
        }
    }
    out
}

#[test]
fn the_page_of_a_rule_shows_its_pair() {
    let root = set_up::tests_folder().join("fixtures/diff");
    let pairs = Rule::all().map(|rule| format!("{}\n{}", rule.id(), differing_lines(&root.join(rule.id()))));
    let all: String = pairs.collect();
    let path = set_up::repository().join("engine/review/src/diff/examples.txt");
    if env::var_os("ODSMITH_REGENERATE").is_some() {
        fs::write(&path, &all).expect("written");
    }
    assert_eq!(fs::read_to_string(&path).unwrap_or_default(), all);
    for rule in Rule::all() {
        assert!(
            rule.page().contains(&format!("```diff\n{}```", rule.code())) && !rule.code().is_empty(),
            "{}",
            rule.id()
        );
    }
}

#[test]
fn every_rule_has_a_pair() {
    let with: BTreeSet<Rule> = folders().iter().map(|folder| rule_of(folder)).collect();
    let without: Vec<&str> = Rule::all().filter(|rule| !with.contains(rule)).map(Rule::id).collect();
    assert!(without.is_empty(), "{without:?}");
}

/// The fixtures of different rules are compared, so that much differs.
#[test]
fn forward_is_backward_of_the_other_way() {
    let documents = pool::map(&folders(), |folder| side(folder, "new.td"));
    for (at, a) in documents.iter().enumerate() {
        check_both_ways(a, &documents[(at * 7 + 3) % documents.len()]);
    }
}

/// Checks that forward findings are the backward findings of the swapped sides, as far as files are concerned.
fn check_both_ways(a: &Document, b: &Document) {
    let forward = Options { directions: vec![Direction::Forward], ..Options::default() };
    let there = compare(a, b, &forward);
    let back = backward(b, a);
    let files = [Level::Text, Level::Generic, Level::Bytecode, Level::Verifier, Level::Semantics];
    let mut expected: BTreeSet<_> = BTreeSet::new();
    for finding in &back.findings {
        let effects: Vec<_> = finding.effects.iter().filter(|(level, _)| files.contains(level)).collect();
        if !effects.is_empty() {
            expected.insert((finding.rule, &finding.subject, &finding.message, effects));
        }
    }
    let found: BTreeSet<_> = there
        .findings
        .iter()
        .map(|it| (it.rule, &it.subject, &it.message, it.effects.iter().collect::<Vec<_>>()))
        .collect();
    assert_eq!(found, expected);
}

/// The document of a random dialect, if it can be read and checked.
fn random_document(text: &str) -> Option<Document> {
    let library = releases::library("22");
    let job = Job::new(TestFiles::of_text(NAME, text.as_bytes()))
        .include(set_up::library())
        .target(Target::new(NAME));
    let records = odsmith_engine::run(&library, &job).targets.pop()?.records?;
    interchange::check(&records).ok()?;
    let roots = [Root { td: NAME, records: &records }];
    on_a_big_stack(|| Maker::new(library.rules(), set_up::library()).document(&roots)).ok()
}

/// Blocks of random dialects in a normal run, and attempts to leave out parts of each dialect.
const BLOCKS: u64 = 2;
const TRIES: u64 = 24;

/// A random dialect does not differ from itself. A copy without some parts has the same findings in both directions.
#[test]
fn random_pairs() {
    let tried = seeds::run("diff", BLOCKS, random_ods::BLOCK, pairs_of, |batch| {
        assert!(batch.iter().sum::<usize>() > 0, "no dialect differs");
        0
    });
    println!("{tried}");
}

/// The number of findings between the dialects of a block and their copies without some parts.
fn pairs_of(block: u64) -> usize {
    let mut findings = 0;
    for file in random_ods::block(block) {
        let Some(whole) = random_document(&file.text()) else { continue };
        let same = backward(&whole, &whole);
        assert!(same.findings.is_empty(), "block {block}: {}", render::text(&same));
        let (random, tries) = (RefCell::new(Random::new(block)), Cell::new(0));
        let part = file.shrunk(|text| {
            tries.set(tries.get() + 1);
            tries.get() <= TRIES && random.borrow_mut().one_in(2) && random_document(text).is_some()
        });
        let Some(part) = random_document(&part.text()) else { continue };
        check_both_ways(&whole, &part);
        check_both_ways(&part, &whole);
        findings += backward(&whole, &part).findings.len();
    }
    findings
}

/// The parts of a small file: its head, and two operations.
const PARTS: [&str; 3] = [
    "include \"mlir/IR/OpBase.td\"\n\
        def My_Dialect : Dialect { let name = \"my\"; let cppNamespace = \"::my\"; }\n",
    "def AOp : Op<My_Dialect, \"a\"> { let arguments = (ins I32:$x, I32Attr:$n); }\n",
    "def BOp : Op<My_Dialect, \"b\"> { let results = (outs I64:$r); }\n",
];

#[test]
fn order_comments_and_classes_are_no_change() {
    let [head, a, b] = PARTS;
    let class = "// Words.\nclass My_Op<string name, dag args> : Op<My_Dialect, name> { let arguments = args; }\n\
        def AOp : My_Op<\"a\", (ins I32:$x,\n  I32Attr:$n)>;\n";
    let old = document(format!("{head}{a}{b}"));
    for text in [format!("{head}{b}{a}"), format!("{head}\n\n{class}\n{b}")] {
        let comparison = backward(&old, &document(text));
        assert!(comparison.findings.is_empty(), "{}", render::text(&comparison));
    }
}

#[test]
fn files_that_are_moved_or_merged_are_no_change() {
    let [head, a, b] = PARTS;
    let files = |files: &[(&str, String)]| {
        document_of(
            files.iter().fold(TestFiles::default(), |all, (name, text)| all.and(*name, text.as_bytes())),
        )
    };
    let includes = |names: &[&str]| names.iter().map(|it| format!("include \"{it}\"\n")).collect::<String>();
    let apart = files(&[
        (NAME, includes(&["head.td", "a.td", "b.td"])),
        ("head.td", head.to_owned()),
        ("a.td", a.to_owned()),
        ("b.td", b.to_owned()),
    ]);
    let moved = files(&[
        (NAME, includes(&["head.td", "below/b.td", "below/a.td"])),
        ("head.td", head.to_owned()),
        ("below/a.td", a.to_owned()),
        ("below/b.td", b.to_owned()),
    ]);
    let merged = document(format!("{head}{a}{b}"));
    for (old, new) in [(&apart, &moved), (&apart, &merged), (&merged, &moved)] {
        let comparison = backward(old, new);
        assert!(comparison.findings.is_empty(), "{}", render::text(&comparison));
    }
}

#[test]
fn every_form_has_every_finding() {
    let folder = set_up::tests_folder().join("fixtures/diff/IN001");
    let (old, new) = (side(&folder, "old.td"), side(&folder, "new.td"));
    let comparison = backward(&old, &new);
    let sarif = render::sarif(&comparison, &|id| Some(format!("https://example.org/{id}")));
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    assert_eq!(results.len(), comparison.findings.len());
    assert!(results.iter().all(|it| it["partialFingerprints"]["odsmith/v1"].is_string()), "{sarif}");
    for text in [
        render::text(&comparison),
        render::markdown(&comparison),
        render::github(&comparison),
        render::html(&comparison),
        render::json(&comparison).to_string(),
        sarif.to_string(),
    ] {
        for finding in &comparison.findings {
            assert!(text.contains(finding.rule.id()), "{} is not in {text}", finding.rule.id());
        }
    }
    // Comments on pull requests have a size limit, so that a long list of findings is cut.
    let mut many = comparison.clone();
    let one = comparison.findings[0].clone();
    many.findings = vec![one; 3_000];
    let text = render::markdown(&many);
    assert!(text.len() <= 60_000 && text.contains(" more."), "{}", text.len());
    assert_eq!(render::github(&many).lines().count(), 11);
}

#[test]
fn weights_selections_and_acceptances() {
    let folder = set_up::tests_folder().join("fixtures/diff/IN001");
    let (old, new) = (side(&folder, "old.td"), side(&folder, "new.td"));
    let whole = backward(&old, &new);
    assert!(whole.fails(Severity::Error) && whole.bump() == Bump::Major);
    let settings = |text: &str| serde_json::from_str::<Settings>(text).expect("settings");
    let mut weighed = whole.clone();
    let off = settings(r#"{ "rules": { "IN001": "off", "DI006": "note" } }"#);
    weighed.weigh(&off).expect("rules");
    assert!(!weighed.fails(Severity::Error) && !weighed.by_rule().contains_key(&Rule::IN001));
    let mut unstable = whole.clone();
    unstable.weigh(&settings(r#"{ "unstable": ["my"] }"#)).expect("rules");
    assert!(!unstable.fails(Severity::Warning));
    assert!(whole.clone().weigh(&settings(r#"{ "rules": { "XX001": "off" } }"#)).is_err());
    let mut selected = whole.clone();
    selected.select(&Selection::parse("rule=IN001").expect("a selection"));
    assert_eq!(selected.by_rule().into_keys().collect::<Vec<_>>(), [Rule::IN001]);
    // The list that is written can be read once it has reasons.
    let written = whole.acceptances();
    assert_eq!(written.matches("[[diff.accept]]").count(), whole.count(Severity::Error));
    assert!(written.contains("subject = \"my.a#"), "{written}");
}

/// The document of all files in MLIR's library that can be read on their own.
#[test]
fn a_document_comes_back_as_it_was() {
    let library = releases::library("22");
    let files = files_below(Path::new(set_up::library()));
    let roots: Vec<String> = files
        .into_iter()
        .map(|(path, _)| path)
        .filter(|path| path.starts_with("mlir/Dialect/") && path.ends_with(".td"))
        .collect();
    let read = pool::map(&roots, |td| {
        let text = format!("include \"{td}\"\n");
        let job = Job::new(TestFiles::of_text(NAME, text.into_bytes()))
            .include(set_up::library())
            .target(Target::new(NAME));
        let records = odsmith_engine::run(&library, &job).targets.pop()?.records?;
        interchange::check(&records).ok().map(|()| (td.clone(), records))
    });
    let read: Vec<_> = read.into_iter().flatten().collect();
    assert!(read.len() > 100, "only {} of {} could be read", read.len(), roots.len());
    let roots: Vec<Root<'_>> = read.iter().map(|(td, records)| Root { td, records }).collect();
    on_a_big_stack(|| {
        let made = Maker::new(library.rules(), set_up::library()).document(&roots);
        let document = made.unwrap_or_else(|error| panic!("{}", error.message));
        let bytes = document.to_json();
        let back = Document::from_json(&bytes).expect("a document");
        assert!(back == document, "what was read differs from what was written");
        let same = backward(&document, &back);
        assert!(same.findings.is_empty(), "{}", render::text(&same));
        // The same roots in another order.
        let roots: Vec<Root<'_>> = roots.iter().rev().map(|it| Root { ..*it }).collect();
        let turned = Maker::new(library.rules(), set_up::library()).document(&roots);
        let turned = turned.unwrap_or_else(|error| panic!("{}", error.message));
        for same in [backward(&document, &turned), backward(&turned, &document)] {
            assert!(same.findings.is_empty(), "{}", render::text(&same));
        }
    });
}

/// Any size limit is enforced, also on parts that roots and operations share.
#[test]
fn a_document_over_any_limit_is_refused() {
    let library = releases::library("22");
    let text = "include \"mlir/IR/OpBase.td\"\ndef D : Dialect { let name = \"d\"; let cppNamespace = \"d\"; }\n\
                class Two<string name> : Op<D, name> { let arguments = (ins AnyTypeOf<[I32, F32]>:$a, AnyTypeOf<[I32, F32]>:$b); }\n\
                def A : Two<\"a\">;\ndef B : Two<\"b\">;\n";
    let job = Job::new(TestFiles::of_text(NAME, text.as_bytes()))
        .include(set_up::library())
        .target(Target::new(NAME));
    let records = odsmith_engine::run(&library, &job).targets.pop().and_then(|target| target.records);
    let records = records.expect("records");
    let roots = [Root { td: NAME, records: &records }, Root { td: "again.td", records: &records }];
    on_a_big_stack(|| {
        let of_size = |most_bytes| {
            Maker { most_bytes, ..Maker::new(library.rules(), set_up::library()) }.document(&roots)
        };
        let size = of_size(u64::MAX).expect("a document").to_json().len() as u64;
        let made = (0..size + 1000).step_by(7).filter(|&bytes| match of_size(bytes) {
            Ok(_) => true,
            Err(error) => {
                assert!(error.message.contains(&format!("limit of {bytes} bytes")), "{}", error.message);
                false
            }
        });
        assert!(made.count() < 1000, "limits below {size} bytes refuse nothing");
    });
}

#[test]
fn what_is_no_document_is_refused() {
    assert!(Document::from_json(b"{").is_err());
    let error = Document::from_json(b"{\"schema\": 0}").expect_err("another version");
    assert!(error.contains("version 0"), "{error}");
    // Indexes out of range do no harm.
    let mut document = document(
        "include \"mlir/IR/OpBase.td\"\ndef D : Dialect { let name = \"d\"; }\n\
        def A : Op<D, \"a\"> { let arguments = (ins I32:$x); }\n",
    );
    let whole = document.clone();
    document.constraints.clear();
    document.traits.clear();
    let comparison = backward(&whole, &document);
    assert!(
        comparison.findings.iter().all(|it| it.subject.starts_with("d.a")),
        "{}",
        render::text(&comparison)
    );
}

/// A repository with one commit of the demo.
struct Repository(PathBuf);

impl Repository {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        _ = fs::remove_dir_all(&folder);
        for (path, bytes) in files_below(&set_up::tests_folder().join("fixtures/demo")) {
            let file = folder.join(path);
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            fs::write(file, bytes).expect("written");
        }
        let repository = Repository(folder);
        repository.git(&["init", "--quiet"]);
        repository.commit();
        repository
    }

    fn git(&self, words: &[&str]) {
        let who = ["-c", "user.name=test", "-c", "user.email=test@localhost"];
        let done =
            Command::new("git").arg("-C").arg(&self.0).args(who).args(words).output().expect("git starts");
        assert!(done.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&done.stderr));
    }

    fn commit(&self) {
        self.git(&["add", "."]);
        self.git(&["commit", "--quiet", "--message", "A change"]);
    }

    /// Replaces a text in the operations, and commits that.
    fn change(&self, before: &str, after: &str) {
        let file = self.0.join("include/sketch/IR/SketchOps.td");
        let text = fs::read_to_string(&file).expect("operations");
        assert!(text.contains(before), "{before}");
        fs::write(&file, text.replacen(before, after, 1)).expect("written");
        self.commit();
    }

    /// The status and the output of a comparison with the previous commit.
    fn diff(&self, more: &[&str]) -> (Option<i32>, String) {
        let mut command = Command::new(set_up::odsmith());
        command
            .current_dir(&self.0)
            .args(["diff", "git:HEAD~1", ".", "--library", set_up::library()])
            .args(more);
        let run = command.output().expect("odsmith starts");
        let printed = [run.stdout, run.stderr].concat();
        (run.status.code(), String::from_utf8_lossy(&printed).into_owned())
    }
}

/// As before a merge: a breaking commit is refused with a message at its line, until the project accepts it.
#[test]
fn a_commit_is_compared_with_the_one_before() {
    let repository = Repository::new("diff-commits");
    repository.change("F64Attr:$radius);", "F64Attr:$radius, OptionalAttr<I64Attr>:$sides);");
    let (status, printed) = repository.diff(&["--output-format", "github"]);
    assert_eq!(status, Some(1), "{printed}");
    let annotation = printed.lines().find(|line| line.starts_with("::error") && line.contains("IN001"));
    let annotation = annotation.unwrap_or_else(|| panic!("no annotation of IN001:\n{printed}"));
    assert!(annotation.contains("file=include/sketch/IR/SketchOps.td,line="), "{annotation}");
    // Accepted findings are kept in the project, and so in its history.
    let (status, accepted) = repository.diff(&["--write-accept"]);
    assert_eq!(status, Some(0), "{accepted}");
    let accepted = accepted.replace("reason = \"\"", "reason = \"nobody has files yet\"");
    fs::write(repository.0.join("odsmith.toml"), &accepted).expect("written");
    let (status, printed) = repository.diff(&["--output-format", "github"]);
    assert_eq!(status, Some(0), "{accepted}\n{printed}");
    // A comment and another order break nothing.
    repository.commit();
    repository.change("F64Attr:$radius, Opt", "/* how far */ F64Attr:$radius, Opt");
    fs::remove_file(repository.0.join("odsmith.toml")).expect("it was there");
    let (status, printed) = repository.diff(&[]);
    assert_eq!(status, Some(0), "{printed}");
    // A side that cannot be read is never clean.
    repository.change("F64Attr:$radius, Opt", "F64Attr:$radius Opt");
    let (status, printed) = repository.diff(&["--output-format", "github"]);
    assert_eq!(status, Some(1), "{printed}");
    assert!(printed.contains("SketchOps.td"), "{printed}");
}

/// The definitions of a dialect with a constraint on numbers, and operations of other definitions.
fn numbers(types: &str, others: &str) -> String {
    let operations = ["a", "b", "c"].map(|name| {
        format!(
            "def My_{name}Op : Op<My_Dialect, \"{name}\"> {{\n  let arguments = (ins My_Number:$x);\n}}\n"
        )
    });
    format!(
        "include \"mlir/IR/OpBase.td\"\ninclude \"mlir/Interfaces/InferTypeOpInterface.td\"\n\
         def My_Dialect : Dialect {{\n  let name = \"my\";\n  let cppNamespace = \"::my\";\n}}\n\
         def My_Number : AnyTypeOf<[{types}], \"number\">;\n{}{others}",
        operations.concat()
    )
}

/// A constraint that three operations use changes once.
#[test]
fn one_change_is_told_once_and_at_its_place() {
    let [old, new] = ["F32, F64", "F32"].map(|types| document(numbers(types, "")));
    let mut comparison = backward(&old, &new);
    assert_eq!(comparison.findings.len(), 3);
    comparison.gather();
    let [finding] = &comparison.findings[..] else { panic!("{}", render::text(&comparison)) };
    assert_eq!(finding.also, ["my.b#x", "my.c#x"]);
    assert!(finding.message.ends_with("(and 2 others)"), "{}", finding.message);
    assert_eq!(finding.severity, Severity::Error);
    // The constraint is defined in line 7.
    assert_eq!(finding.new.as_ref().map(|at| at.line), Some(7));
    assert!(render::text(&comparison).contains("also my.b#x, my.c#x"));

    let other = "def My_dOp : Op<My_Dialect, \"d\">;\n";
    let [old, new] = [String::new(), other.to_owned()].map(|others| document(numbers("F32", &others)));
    let mut comparison = backward(&old, &new);
    comparison.gather();
    assert_eq!(comparison.findings.len(), 1);
    assert!(comparison.findings[0].also.is_empty());
}

/// A program is an example only if the new side refuses it.
#[test]
fn programs_that_both_sides_take_show_nothing() {
    let operation = |traits: &str, ty: &str| {
        let text = format!(
            "def My_PairOp : Op<My_Dialect, \"pair\", [{traits}]> {{\n  let arguments = (ins AnyInteger:$x, {ty}:$z);\n  \
             let results = (outs AnyInteger:$y);\n}}\n"
        );
        numbers("F32", &text)
    };
    let folder = TestFolder::new("diff-programs");
    folder.write("old/D.td", operation("", "AnyInteger"));
    folder.write("new/D.td", operation("AllTypesMatch<[\"x\", \"y\"]>", "I64"));
    let library = format!("22={}", set_up::library());
    let output = Command::new(set_up::odsmith())
        .args(["diff", "old", "new", "--format", "json", "--fail-on", "never", "--library", &library])
        .current_dir(&*folder)
        .output()
        .expect("the program runs");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
    let findings = report["findings"].as_array().expect("a list");
    let of = |rule: &str| findings.iter().find(|it| it["rule"] == rule).unwrap_or_else(|| panic!("{report}"));
    let witnesses = |rule: &str| of(rule)["witnesses"].to_string();
    assert!(witnesses("OP026").contains("i32 for $x and i64 for $y"), "{report}");
    assert!(!witnesses("OP026").contains("(i32, i32) -> i32"), "{report}");
    assert!(witnesses("OP015").contains("i1"), "{report}");
    assert_eq!(of("OP026")["effects"]["verifier"], "breaks");
}

/// Findings of a server are those of the command line, with the same examples: both read them by both sides' definitions.
#[test]
fn a_server_finds_what_the_command_line_finds() {
    const EVERY: usize = 9;
    let service = Service::start(&[]);
    let all = folders();
    let chosen: Vec<&PathBuf> = all.iter().step_by(EVERY).collect();
    let mut programs = 0;
    for folder in chosen {
        let root = TestFolder::new("diff-served");
        let mut body = Vec::new();
        for side in ["old", "new"] {
            let text = fs::read(folder.join(format!("{side}.td"))).expect("a file");
            root.write(&format!("{side}/{NAME}"), &text);
            let head = format!("--x\r\nContent-Disposition: form-data; name=\"{side}\"\r\n\r\n");
            body.extend([head.as_bytes(), &tar(&[(NAME.to_owned(), text)]), b"\r\n"].concat());
        }
        body.extend(b"--x--\r\n");
        let output = Command::new(set_up::odsmith())
            .args(["diff", "old", "new", "--output-format", "json"])
            .env("ODSMITH_LIBRARY", set_up::library())
            .current_dir(&*root)
            .output()
            .expect("odsmith starts");
        let local: serde_json::Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{}: {}", folder.display(), String::from_utf8_lossy(&output.stderr)));
        let headers = [("Content-Type", "multipart/form-data; boundary=x"), ("Accept", "application/json")];
        let served = service.request("POST", "/v1/diff", &headers, &body);
        assert_eq!(served.status, 200, "{}", String::from_utf8_lossy(&served.body));
        assert_eq!(served.json()["findings"], local["findings"], "{}", folder.display());
        programs += served.json()["findings"].to_string().matches("\"kind\":\"program\"").count();
    }
    assert!(programs > 0, "no finding has a program");
}
