//! Changes by release: on the page of each definition, on the page of the release, and in place of removed definitions.

use std::{collections::BTreeMap, sync::Arc};

use odsmith_engine::{
    interchange::{Document, Maker, Root},
    library::Library,
    record::Records,
    review::diff,
};
use odsmith_site::{
    Input, Specification, TargetRecords,
    changes::Step,
    history::History,
    site,
    versions::{Version, Versions},
};

use crate::support::{self, ODS};

/// The definitions that all versions share.
const HEAD: &str = r#"
include "ods.td"
def Paint_Dialect : Dialect { let name = "paint"; let cppNamespace = "::paint"; }
def AnyType : TypeConstraint<"any type"> { let predicate = CPred<"true">; }
def Colour : TypeConstraint<"a colour"> { let predicate = CPred<"isColour($_self)">; }
def I32Attr : Attr<"32-bit integer attribute">;
class Structural<string name> : NativeTrait<name> { list<Trait> dependentTraits = []; }
def Pure : Structural<"Pure">;
// The model reads no other field of an operation.
class PaintOp<string m, list<Trait> all = []> : Op<Paint_Dialect, m, all> {
  bit skipDefaultBuilders = 0;
}
"#;

const OLD: &str = r#"
def Paint_KeepOp : PaintOp<"keep", [Pure]> {
  let arguments = (ins AnyType:$area);
  let assemblyFormat = "$area attr-dict `:` type($area)";
}
def Paint_NameOp : PaintOp<"old"> { let arguments = (ins Colour:$in); }
def Paint_GoneOp : PaintOp<"gone"> {
  let summary = "no more";
  let arguments = (ins Colour:$colour);
  let assemblyFormat = "$colour attr-dict `:` type($colour)";
}
def Paint_SameOp : PaintOp<"same">;
"#;

const NEW: &str = r#"
def Paint_KeepOp : PaintOp<"keep"> {
  let arguments = (ins Colour:$area, OptionalAttr<I32Attr>:$depth);
  let assemblyFormat = "$area attr-dict `:` type($area)";
}
def Paint_NameOp : PaintOp<"fresh"> { let arguments = (ins Colour:$in); }
def Paint_AddOp : PaintOp<"add">;
def Paint_SameOp : PaintOp<"same">;
"#;

fn records(text: &str) -> Arc<Records> {
    let text = format!("{HEAD}{text}");
    support::records(&Library::default(), &[("ods.td", ODS), ("paint.td", &text)], "paint.td")
}

fn document(records: &Records) -> Arc<Document> {
    let roots = [Root { td: "paint.td", records }];
    let library = Library::default();
    Arc::new(Maker::new(library.rules(), "<library>").document(&roots).expect("a model"))
}

fn step(names: [&str; 2], texts: [&str; 2]) -> Step {
    let [old, new] = texts.map(|text| document(&records(text)));
    let comparison = diff::compare(&old, &new, &diff::Options::default());
    Step {
        before: names[0].to_owned(),
        release: names[1].to_owned(),
        old,
        new,
        renamed: BTreeMap::new(),
        comparison,
    }
}

fn pages(text: &str, input: Input<'_>) -> BTreeMap<String, String> {
    let targets = [TargetRecords { td: "paint.td".to_owned(), records: records(text) }];
    let made = site(&Input { title: "Paint".to_owned(), targets: &targets, threads: 2, ..input });
    assert!(made.faults.is_empty(), "{:?}", made.faults);
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    made.artefacts.into_iter().map(|it| (it.path, text(it.bytes))).collect()
}

fn assert_has(pages: &BTreeMap<String, String>, path: &str, needles: &[&str]) {
    let page = pages.get(path).unwrap_or_else(|| panic!("{path} in {:#?}", pages.keys()));
    for needle in needles {
        assert!(page.contains(needle), "{needle} in {path}:\n{page}");
    }
}

fn two_releases() -> BTreeMap<String, String> {
    let steps = vec![step(["1", "2"], [OLD, NEW])];
    pages(NEW, Input { steps, release: Some("2".to_owned()), ..Input::default() })
}

#[test]
fn a_page_shows_what_changed_side_by_side() {
    let pages = two_releases();
    assert_has(
        &pages,
        "site/paint/op/keep.html",
        &[
            "<h3 id=\"in-2\">Changed in 2</h3>",
            "<th scope=\"row\">Operand <code>area</code></th><td class=\"was\" data-of=\"1\">any type</td><td class=\"is\" data-of=\"2\">a colour</td>",
            "<th scope=\"row\">Attribute <code>depth</code></th><td class=\"was\" data-of=\"1\">–</td>",
            "<th scope=\"row\">Trait <code>Pure</code></th><td class=\"was\" data-of=\"1\">yes</td><td class=\"is\" data-of=\"2\">–</td>",
            "IN002",
            "changed in 2",
        ],
    );
    assert_has(&pages, "site/paint/op/keep.md", &["## History", "| Operand `area` | any type | a colour |"]);
    assert_has(&pages, "site/paint/op/keep.json", &["\"renamed_from\":null", "\"rule\":\"OP0"]);
    assert_has(&pages, "site/paint/op/add.html", &["New in 2", "since 2"]);
    assert_has(&pages, "site/paint/op/fresh.html", &["Renamed in 2, from paint.old"]);
    assert!(!pages["site/paint/op/same.html"].contains("History"));
}

#[test]
fn a_remark_in_the_notes_is_beside_the_change() {
    let notes = "# Changes\n\n## 2\n\n- `paint.gone`: mix the colours\n  with `paint.add`.\n- `paint.k*` is faster.\n";
    let input = Input {
        steps: vec![step(["1", "2"], [OLD, NEW])],
        release: Some("2".to_owned()),
        texts: BTreeMap::from([("CHANGELOG.md".to_owned(), notes.to_owned())]),
        release_notes: Some("CHANGELOG.md".to_owned()),
        ..Input::default()
    };
    let pages = pages(NEW, input);
    let add = "<a class=\"ref\" href=\"../paint/op/add.html\"><code>paint.add</code></a>";
    let mix = format!("<span class=\"do\">mix the colours with {add}.</span>");
    assert_has(
        &pages,
        "site/release/2.html",
        &[&mix, "<span class=\"do\"><code>paint.k*</code> is faster.</span>"],
    );
    assert_has(
        &pages,
        "site/release/2.json",
        &["\"note\":\"mix the colours with `paint.add`.\"", "\"note\":null"],
    );
    assert_has(&pages, "markdown/release/2.md", &["gone; mix the colours with `paint.add`."]);
}

#[test]
fn what_is_gone_keeps_a_page() {
    let pages = two_releases();
    let gone = ["Removed in 2.", "1 is the last release", "$colour attr-dict", "colour: a colour", "OP001"];
    assert_has(&pages, "site/paint/op/gone.html", &gone);
    let renamed = ["Renamed in 2.", "<a href=\"../../paint/op/fresh.html\"><code>paint.fresh</code></a>"];
    assert_has(&pages, "site/paint/op/old.html", &renamed);
    assert_has(&pages, "markdown/paint/op/gone.md", &["**Removed in 2.**"]);
    // The search finds it, but no list has it.
    assert!(pages["site/assets/index.js"].contains("Removed in 2"));
    assert!(!pages["site/assets/list/paint.js"].contains("gone"));
    assert!(!pages["site/paint/index.html"].contains("op/gone.html"));
}

#[test]
fn a_release_has_a_page() {
    let pages = two_releases();
    let wanted = [
        "1 new, 1 changed, 1 renamed, 1 removed",
        "<a href=\"../paint/op/keep.html\"><code>paint.keep</code></a>",
        "operand <code>area</code>, attribute <code>depth</code>, trait <code>Pure</code>",
        "from <code>paint.old</code>",
        "<a href=\"../paint/op/gone.html\">",
    ];
    assert_has(&pages, "site/release/2.html", &wanted);
    assert_has(&pages, "site/index.html", &["href=\"release/2.html\""]);
    assert!(!pages["site/release/2.html"].contains("paint.same"));
}

#[test]
fn a_third_release_remembers_both() {
    let steps = vec![step(["1", "2"], [OLD, NEW]), step(["2", "3"], [NEW, OLD])];
    let pages = pages(OLD, Input { steps, release: Some("3".to_owned()), ..Input::default() });
    // It was removed and added again: new in 3. The other one was renamed twice.
    assert_has(&pages, "site/paint/op/gone.html", &["New in 3"]);
    assert_has(
        &pages,
        "site/paint/op/old.html",
        &["Renamed in 3, from paint.fresh", "Renamed in 2, from paint.old"],
    );
    assert_has(&pages, "site/paint/op/fresh.html", &["Renamed in 3."]);
    assert_has(&pages, "site/paint/op/add.html", &["Removed in 3."]);
    assert_has(&pages, "site/release/2.html", &["paint/op/add.html", "href=\"../release/3.html\""]);
}

#[test]
fn an_index_alone_keeps_the_addresses_of_what_is_gone() {
    let first = History::new("1", None).ok();
    let first = pages(OLD, Input { history: first, ..Input::default() });
    let second = History::new("2", Some(&first["site/index.json"])).ok();
    let second = pages(NEW, Input { history: second, ..Input::default() });
    assert_has(&second, "site/paint/op/gone.html", &["Removed in 2."]);
    // The next release keeps it from the index of the second one.
    let third = History::new("3", Some(&second["site/index.json"])).ok();
    let third = pages(NEW, Input { history: third, ..Input::default() });
    assert_has(&third, "site/paint/op/gone.html", &["Removed in 2."]);
}

#[test]
fn pages_lead_to_the_same_page_of_other_releases() {
    let versions = Versions {
        folder: "2".to_owned(),
        others: vec![Version {
            name: "1".to_owned(),
            folder: "1".to_owned(),
            pages: ["paint/op/keep.html".to_owned()].into(),
        }],
        base_url: Some("https://example.org/paint".to_owned()),
    };
    let input = Input { versions: Some(versions), release: Some("2".to_owned()), ..Input::default() };
    let pages = pages(NEW, input);
    let same = [
        "<a href=\"../../../1/paint/op/keep.html\">1</a>",
        "<link rel=\"canonical\" href=\"https://example.org/paint/latest/paint/op/keep.html\">",
    ];
    assert_has(&pages, "site/paint/op/keep.html", &same);
    assert_has(&pages, "site/paint/op/add.html", &["<a href=\"../../../1/index.html\">1</a>"]);
}

/// A dialect with fields of its own and with requirements.
const FACTS: &str = r#"
class Availability {
  string cppNamespace = "::paint"; string interfaceName = "Q"; string interfaceDescription = "";
  string queryFnRetType = "int"; string queryFnName = "q"; code mergeAction = ""; string initializer = "";
  string instanceType = "int"; code instancePreparation = ""; string instance = ?;
}
class MinVersion<string v> : Availability { let instance = "::paint::Version::" # v; }
class Opcode<string m, int number, string v> : Op<Paint_Dialect, m> {
  int opcode = number;
  list<Availability> availability = [MinVersion<v>];
  string specName = "Op " # m;
}
def Paint_A : Opcode<"a", 1, "V_1">;
def Paint_B : Opcode<"b", 2, "V_2">;
def Paint_C : Opcode<"c", 3, "V_2">;
"#;

#[test]
fn fields_of_a_project_are_facts_and_lead_to_its_specification() {
    let specification = Specification {
        title: "The standard".to_owned(),
        url: "https://example.org/#{specName}".to_owned(),
        ..Specification::default()
    };
    let pages = pages(FACTS, Input { specifications: vec![specification], ..Input::default() });
    let facts = [
        "<h2 id=\"own\">Facts</h2>",
        "<dt>opcode</dt><dd>2</dd>",
        "<a href=\"../../paint/facts/MinVersion.html#is-V_2\">V_2</a>",
        "<a href=\"https://example.org/#Op%20b\">The standard</a>",
    ];
    assert_has(&pages, "site/paint/op/b.html", &facts);
    assert_has(
        &pages,
        "site/paint/facts/MinVersion.html",
        &["id=\"is-V_1\"", "paint/op/c.html", "aria-label=\"yes\""],
    );
    assert_has(&pages, "site/paint/index.html", &["paint/facts/MinVersion.html"]);
    assert!(!pages.contains_key("site/paint/facts/opcode.html"), "each has its own");
}
