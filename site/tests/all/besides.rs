//! Examples, pictures and hand-written pages: the parts of a site that come from other files than definitions.

use std::collections::BTreeMap;

use odsmith_engine::library::Library;
use odsmith_site::{Input, Playground, Site, TargetRecords, site};

use crate::support::{ODS, records};

const DIALECT: &str = r#"
include "ods.td"
def D : Dialect { let name = "d"; let cppNamespace = "::d"; }
def AnyType : TypeConstraint<"any type"> { let predicate = CPred<"true">; }
def AddOp : Op<D, "add", []> {
  let summary = "adds";
  let arguments = (ins AnyType:$a);
  let results = (outs AnyType:$r);
  let assemblyFormat = "$a `:` type($a) `->` type($r) attr-dict";
}
"#;

/// Builds the site of these files; `change` sets further inputs.
fn site_of(files: &[(&str, &str)], change: impl FnOnce(&mut Input<'_>)) -> Site {
    let records = records(&Library::default(), files, "d.td");
    let targets = [TargetRecords { td: "d.td".to_owned(), records }];
    let mut input = Input { title: "D".to_owned(), targets: &targets, threads: 1, ..Input::default() };
    change(&mut input);
    let site = site(&input);
    assert!(site.faults.is_empty(), "{:?}", site.faults);
    site
}

fn files() -> [(&'static str, &'static str); 2] {
    [("ods.td", ODS), ("d.td", DIALECT)]
}

fn page<'s>(site: &'s Site, path: &str) -> &'s str {
    let found = site.artefacts.iter().find(|artefact| artefact.path == path);
    let found = found.unwrap_or_else(|| panic!("no {path}"));
    std::str::from_utf8(&found.bytes).expect("text")
}

fn texts(all: &[(&str, &str)]) -> BTreeMap<String, String> {
    all.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

#[test]
fn real_uses_have_their_file_and_line() {
    let site = site_of(&files(), |input| {
        input.examples =
            texts(&[("test/a.mlir", "func.func @f(%x: i32) {\n  %0 = d.add %x : i32 -> i32\n}\n")]);
        input.source_url = Some("https://example.org/{path}#L{line}".to_owned());
    });
    let op = page(&site, "site/d/op/add.html");
    assert!(op.contains("href=\"https://example.org/test/a.mlir#L2\">test/a.mlir:2</a>"), "{op}");
    assert!(page(&site, "site/d/op/add.json").contains("%0 = d.add %x : i32 -> i32"));
    assert!(page(&site, "site/d/op/add.md").contains("From `test/a.mlir:2`:"));
}

#[test]
fn what_is_excluded_has_no_page() {
    let files = [
        ("ods.td", ODS),
        (
            "test/t.td",
            "def T : Dialect { let name = \"t\"; let cppNamespace = \"::t\"; }\ndef TOp : Op<T, \"x\", []>;\n",
        ),
        ("d.td", &format!("{DIALECT}include \"test/t.td\"\n")),
    ];
    let has = |site: &Site| site.artefacts.iter().any(|artefact| artefact.path.starts_with("site/t/"));
    assert!(has(&site_of(&files, |_| {})));
    assert!(!has(&site_of(&files, |input| input.exclude = vec!["test".to_owned()])));
}

#[test]
fn guides_are_what_patterns_name_and_lose_nothing() {
    let md = "# A guide\n\n![A picture](pic/a.png) ![gone](b.png)\n\n> [!WARNING]\n> Hot.\n\n- [x] done\n- [ ] open\n\n\
        <details>\n<summary>More</summary>\n\n*inside*\n\n</details>\n\nx<sub>1</sub> and a note[^n].\n\n[^n]: The note.\n\n<blink>x</blink>\n";
    let site = site_of(&files(), |input| {
        input.texts = texts(&[("docs/sub/a.md", md), ("notes/b.md", "# B\n")]);
        input.pages = vec!["docs/**/*.md".to_owned()];
        input.images = BTreeMap::from([
            ("docs/sub/pic/a.png".to_owned(), vec![1, 2, 3]),
            ("docs/unused.png".to_owned(), vec![4]),
        ]);
    });
    let guide = page(&site, "site/guide/docs/sub/a.html");
    for needle in [
        "<img loading=\"lazy\" src=\"../../../guide/files/docs/sub/pic/a.png\" alt=\"A picture\">",
        "<blockquote class=\"alert warning\">",
        "aria-label=\"done\"",
        "aria-label=\"to be done\"",
        "<details>\n<summary>More</summary>",
        "<em>inside</em>",
        "x<sub>1</sub>",
        "href=\"#footnote-1\"",
        "id=\"footnote-1\"",
        "&lt;blink&gt;",
    ] {
        assert!(guide.contains(needle), "{needle} in {guide}");
    }
    let copied = |path: &str| site.artefacts.iter().any(|artefact| artefact.path == path);
    assert!(copied("site/guide/files/docs/sub/pic/a.png"));
    assert!(!copied("site/guide/files/docs/unused.png"));
    assert!(!copied("site/guide/notes/b.html"));
    let told: Vec<(u32, &str)> = site.notes.iter().map(|note| (note.line, note.what.as_str())).collect();
    assert!(told.contains(&(3, "no such picture: `b.png`")), "{told:?}");
    assert!(told.contains(&(22, "shown as text: `<blink>`")), "{told:?}");
}

/// A site with a playground opens definitions there; a site without one mentions none.
#[test]
fn definitions_open_in_a_playground() {
    let plain = site_of(&files(), |_| {});
    assert!(!page(&plain, "site/d/op/add.html").contains("playground"));
    assert!(plain.artefacts.iter().all(|artefact| !artefact.path.contains("play")));
    let site = site_of(&files(), |input| {
        let files = texts(&[("d.td", "def A { string s = \"</script>\"; }\n")]);
        input.playground = Some(Playground { address: "https://example.org/play".to_owned(), files });
    });
    let op = page(&site, "site/d/op/add.html");
    assert!(op.contains("data-playground=\"https://example.org/play\""), "{op}");
    assert!(op.contains("<script defer src=\"../../assets/play.js\"></script>"), "{op}");
    assert!(page(&site, "site/assets/play.js").contains("Open in the playground"));
    let sources = page(&site, "site/assets/sources.js");
    assert!(
        sources.starts_with("window.odsmith.sources = {\"d.td\":") && !sources.contains("</"),
        "{sources}"
    );
}

/// A page that is rendered alone equals the one of the whole site.
#[test]
fn a_page_alone_is_the_same() {
    let records = records(&Library::default(), &files(), "d.td");
    let targets = [TargetRecords { td: "d.td".to_owned(), records }];
    let input = Input { title: "D".to_owned(), targets: &targets, threads: 1, ..Input::default() };
    let find = |names: &[&str]| odsmith_site::page(&input, names).expect("templates");
    let (path, html) = find(&["nothing", "d.add", "index.html"]).expect("the operation's page");
    assert_eq!(path, "d/op/add.html");
    // A single page has no sidebar.
    let main = |html: &str| html.split_once("<main").map(|(_, rest)| rest.to_owned());
    assert_eq!(main(&html), main(page(&site(&input), "site/d/op/add.html")));
    assert_eq!(find(&["index.html"]).map(|(path, _)| path).as_deref(), Some("index.html"));
    assert!(find(&["nothing"]).is_none());
}

/// Without definitions, a site has the paths of its files, and the links of its first page are the sidebar.
#[test]
fn guides_alone_are_a_site() {
    let texts = [
        (
            "README.md",
            "# The book\n\nRead [one](one.md).\n\n## Part two\n\n- [Two *words*](part/two.md)\n- [Again](one.md)\n",
        ),
        ("one.md", "# One\n\n[Back](README.md), [on](part/two.md#three-four)\n"),
        ("part/two.md", "# Two\n\n## Three four\n\n[Up](../README.md)\n"),
        ("az.md", "# A to Z\n"),
    ];
    let texts = texts.into_iter().map(|(path, text)| (path.to_owned(), text.to_owned())).collect();
    let site = site(&Input { title: "The book".to_owned(), texts, threads: 1, ..Input::default() });
    assert!(site.faults.is_empty() && site.errors.is_empty() && site.notes.is_empty(), "{site:?}");
    let first = page(&site, "site/index.html");
    assert!(first.contains("<h1 class=\"plain\">The book</h1>") && !first.contains("documented"), "{first}");
    let two = page(&site, "site/part/two.html");
    for needle in [
        "<li><a href=\"../one.html\">one</a></li>",
        "<li class=\"label\">Part two</li><li><a href=\"../part/two.html\" aria-current=\"page\">Two words</a></li>",
        "<a href=\"../index.html\">Up</a>",
    ] {
        assert!(two.contains(needle), "{needle} in {two}");
    }
    assert_eq!(two.matches("one.html").count(), 1, "a page is listed once");
    assert!(page(&site, "site/one.html").contains("<a href=\"part/two.html#three-four\">on</a>"));
    // The index of names keeps its place.
    assert!(page(&site, "site/az.html").contains("Everything, A to Z"));
}
