//! The reference as a project's front door: notes on releases and their feed, pipelines, dates and owners, stability, and links
//! to other documentation.

use std::{fs, path::Path, process::Command};

use odsmith_tests::{archive::files_below, folder::TestFolder, reference, set_up};

const SETTINGS: &str = r#"[docs]
title = "Toys"
base-url = "https://example.org/toys"
source-url = "https://example.org/toys/blob/main/{path}#L{line}"
release-notes = "CHANGELOG.md"
doxygen = "https://example.org/doxygen/"
head = "docs/head.html"
footer = "docs/foot.html"

[docs.stability]
toy = { level = "stable", text = "Changes are announced." }
brick = "experimental"
wal = "deprecated"
"#;

const CHANGELOG: &str = r#"# Changelog

## [Unreleased]

- Nothing yet.

## [2.0] - 2026-03-01

### Added

- `toy.grow`, as [the guide](docs/Growing.md) says; see [#7].
- A & B < C

## [v1] - 2025-11-20

The first one.

## 0.9 (2025-06-30)

A try.

[#7]: https://example.org/7
"#;

const OPS: &str = r#"include "mlir/IR/OpBase.td"
def Toy_Dialect : Dialect { let name = "toy"; let summary = "Toys"; let cppNamespace = "::toy"; }
def Toy_ScaleOp : Op<Toy_Dialect, "scale"> { let summary = "scales"; let arguments = (ins I32:$value); }
"#;

const BRICK: &str = r#"include "mlir/IR/OpBase.td"
def Brick_Dialect : Dialect { let name = "brick"; let cppNamespace = "::brick"; }
def Brick_LayOp : Op<Brick_Dialect, "lay"> { let summary = "lays a brick"; }
def Wall_Dialect : Dialect { let name = "wall"; let cppNamespace = "::wall"; }
"#;

const PASSES: &str = r#"include "mlir/Pass/PassBase.td"
def ToyToBrick : Pass<"convert-toy-to-brick"> { let summary = "Builds bricks"; }
def BrickToWall : Pass<"convert-brick-to-wall"> { let summary = "Builds walls"; let constructor = "toy::createWallPass()"; }
"#;

const PIPELINES: &str = r#"
struct BuildOptions : public PassPipelineOptions<BuildOptions> {
  Option<bool> high{*this, "high", llvm::cl::desc("Builds higher."), llvm::cl::init(false)};
};
void buildAll(OpPassManager &pm, const BuildOptions &options) {
  pm.addPass(createToyToBrick());
  if (options.high)
    pm.addNestedPass<func::FuncOp>(createWallPass());
  pm.addPass(createCanonicalizerPass());
}
void registerAll() {
  PassPipelineRegistration<BuildOptions>("toy-build", "Builds from `toy` to `wall`.", buildAll);
}
"#;

/// Runs git with an author and a date.
fn git(folder: &Path, date: &str, words: &[&str]) {
    let identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(identity).args(words);
    command.env("GIT_COMMITTER_DATE", date).env("GIT_AUTHOR_DATE", date);
    let output = command.output().expect("git starts");
    assert!(output.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Writes the project, in two commits.
fn project(name: &str) -> TestFolder {
    let folder = TestFolder::new(name);
    for (path, text) in [
        ("odsmith.toml", SETTINGS),
        ("CHANGELOG.md", CHANGELOG),
        ("CODEOWNERS", "* @toys/all\n/include/Brick.td @ann ben@example.org\n"),
        ("docs/Growing.md", "# Growing\n\nHow `toy.grow` works.\n"),
        (
            "docs/head.html",
            "<script defer src=\"https://stats.example.org/s.js\"></script>\n<script>let a = 1;</script>\n",
        ),
        ("docs/foot.html", "<a href=\"{root}az.html\" onclick=\"go()\">All names</a>"),
        ("include/Toy.td", OPS),
        ("include/Brick.td", BRICK),
        ("include/Passes.td", PASSES),
        ("lib/Pipelines.cpp", PIPELINES),
        ("test/a.mlir", "// RUN: toy-opt --toy-build %s\nfunc.func @f() {\n  return\n}\n"),
    ] {
        folder.write(&format!("in/{path}"), text);
    }
    let place = folder.join("in");
    git(&place, "2025-11-20T12:00:00Z", &["init", "-q", "-b", "main"]);
    git(&place, "2025-11-20T12:00:00Z", &["add", "."]);
    git(&place, "2025-11-20T12:00:00Z", &["commit", "-q", "-m", "First"]);
    git(&place, "2025-11-20T12:00:00Z", &["tag", "v1"]);
    let more = "def Toy_GrowOp : Op<Toy_Dialect, \"grow\"> { let summary = \"grows\"; }\n";
    folder.write("in/include/Toy.td", format!("{OPS}{more}"));
    git(&place, "2026-02-28T23:30:00Z", &["commit", "-q", "-a", "-m", "Second"]);
    folder
}

/// Makes the site in `out`, and returns what was said.
fn docs(folder: &TestFolder, more: &[&str]) -> String {
    let library = format!("22={}", set_up::library());
    let arguments = ["docs", "-o", "../out", "--library", &library];
    let place = folder.join("in");
    let run = reference::program(set_up::odsmith(), &place, &[&arguments[..], more].concat());
    let said = String::from_utf8_lossy(&run.err).into_owned();
    assert_eq!(run.status, 0, "{said}");
    said
}

#[track_caller]
fn has(folder: &TestFolder, path: &str, needles: &[&str]) {
    let text = fs::read_to_string(folder.join("out").join(path)).unwrap_or_else(|_| panic!("no {path}"));
    needles.iter().for_each(|needle| assert!(text.contains(needle), "{path} lacks {needle}: {text}"));
}

#[track_caller]
fn lacks(folder: &TestFolder, path: &str, needles: &[&str]) {
    let text = fs::read_to_string(folder.join("out").join(path)).unwrap_or_else(|_| panic!("no {path}"));
    needles.iter().for_each(|needle| assert!(!text.contains(needle), "{path} has {needle}: {text}"));
}

#[test]
fn a_project_has_a_front_door() {
    let folder = project("front-door");
    let said = docs(&folder, &["--project-version", "2.0", "--against", "git:v1", "-v"]);

    // Notes on a release are on its page, before the changes; links in them are relative to their file.
    has(
        &folder,
        "release/2.0.html",
        &[
            "<time datetime=\"2026-03-01\">",
            "<h2 id=\"notes\">Notes</h2>",
            "<h3 id=\"added\">Added</h3>",
            "<a href=\"../guide/docs/Growing.html\">the guide</a>",
            "<a href=\"https://example.org/7\">#7</a>",
            "id=\"of-work\"",
            "href=\"../feed.xml\">Atom feed",
        ],
    );
    lacks(&folder, "release/2.0.html", &["Nothing yet", "The first one"]);
    has(&folder, "release/2.0.md", &["## Notes\n\n### Added\n\n-   `toy.grow`"]);
    // The feed has releases with a page and those with notes alone, the newest first; its times are theirs.
    let feed = fs::read_to_string(folder.join("out/feed.xml")).unwrap();
    for needle in [
        "<updated>2026-03-01T00:00:00Z</updated>\n<author>",
        "<id>https://example.org/toys/release/2.0.html</id>",
        "href=&quot;https://example.org/toys/guide/docs/Growing.html&quot;",
        "A &amp;amp; B &amp;lt; C",
        "<title>Toys v1</title>\n<id>https://example.org/toys/guide/CHANGELOG.html#v1---2025-11-20</id>",
        "<id>https://example.org/toys/guide/CHANGELOG.html#09-2025-06-30</id>",
    ] {
        assert!(feed.contains(needle), "{needle} in {feed}");
    }
    let places: Vec<usize> =
        ["Toys 2.0<", "Toys v1<", "Toys 0.9<"].map(|name| feed.find(name).unwrap()).into();
    assert!(places.is_sorted(), "{feed}");
    has(&folder, "guide/CHANGELOG.html", &["id=\"v1---2025-11-20\"", "id=\"09-2025-06-30\""]);
    has(
        &folder,
        "index.html",
        &["type=\"application/atom+xml\"", "href=\"feed.xml\">Atom feed", "experimental</span>"],
    );
    lacks(&folder, "toy/index.html", &["atom+xml"]);

    // Dates are those of commits, and addresses for changes follow from those of sources.
    has(
        &folder,
        "guide/docs/Growing.html",
        &["<time datetime=\"2025-11-20\">", "href=\"https://example.org/toys/edit/main/docs/Growing.md\""],
    );
    has(
        &folder,
        "sitemap.xml",
        &[
            "toys/guide/docs/Growing.html</loc><lastmod>2025-11-20</lastmod>",
            "toys/toy/op/grow.html</loc><lastmod>2026-02-28</lastmod>",
            "toys/release/2.0.html</loc><lastmod>2026-03-01</lastmod>",
        ],
    );

    // Owners and stability of dialects.
    has(&folder, "toy/index.html", &["@toys/all", ">stable</li>", "Changes are announced."]);
    has(&folder, "brick/index.html", &["@ann, ben@example.org", ">experimental</li>"]);
    has(&folder, "brick/op/lay.html", &[">experimental dialect</li>"]);
    lacks(&folder, "toy/op/scale.html", &["stable"]);
    assert!(said.contains("'docs.stability' names 'wal', and no dialect is called that"), "{said}");
    has(
        &folder,
        "toy/op/scale.html",
        &[
            "<a href=\"https://example.org/doxygen/classtoy_1_1ScaleOp.html\">toy::ScaleOp</a>",
            "<meta property=\"og:url\" content=\"https://example.org/toys/toy/op/scale.html\">",
        ],
    );

    // Pipelines as C++ registers them, and the way from dialect to dialect.
    has(
        &folder,
        "passes.html",
        &[
            "<h3 id=\"pipeline-toy-build\"><code>--toy-build</code></h3>",
            "toy-opt --toy-build=&quot;high=&lt;bool&gt;&quot; input.mlir",
            "3 passes, some under a condition",
            "<code>convert-brick-to-wall</code></a> on <code>func::FuncOp</code> <span class=\"soft\">under a condition</span>",
            "<code>createCanonicalizerPass</code>",
            "https://example.org/toys/blob/main/lib/Pipelines.cpp#L12",
            "aria-label=\"Conversions: brick to wall, toy to brick\"",
        ],
    );
    has(&folder, "passes/pass/convert-toy-to-brick.html", &["passes.html#pipeline-toy-build"]);
    has(&folder, "az.html", &["passes.html#pipeline-toy-build"]);

    // HTML of the project's own, and a policy that allows it and no more.
    has(
        &folder,
        "toy/op/scale.html",
        &[
            "https://stats.example.org; style-src 'self'; img-src 'self'; connect-src https://stats.example.org; base-uri",
            "<script>let a = 1;</script>\n</head>",
            "<a href=\"../../az.html\" onclick",
        ],
    );
    assert!(
        said.contains("docs/foot.html:1: note: the content security policy of pages blocks `onclick`"),
        "{said}"
    );

    // The same project makes the same bytes.
    let first = files_below(&folder.join("out"));
    docs(&folder, &["--project-version", "2.0", "--against", "git:v1"]);
    assert!(first == files_below(&folder.join("out")));
}

/// Without the history of the repository, no date is known: a shallow clone has one commit for all files.
#[test]
fn a_shallow_clone_has_no_dates() {
    let folder = project("front-shallow");
    let source = format!("file://{}", folder.join("in").display());
    let words = ["clone", "-q", "--depth", "1", &source, "shallow"];
    assert!(Command::new("git").args(words).current_dir(&*folder).status().unwrap().success());
    let library = format!("22={}", set_up::library());
    let arguments = ["docs", "shallow", "-o", "out", "--library", &library];
    let run = reference::program(set_up::odsmith(), &folder, &arguments);
    assert_eq!(run.status, 0, "{}", String::from_utf8_lossy(&run.err));
    lacks(&folder, "guide/docs/Growing.html", &["Last changed"]);
    has(&folder, "guide/docs/Growing.html", &["Edit this page"]);
    lacks(&folder, "sitemap.xml", &["lastmod"]);
}

/// Doxygen's tag file says which classes have a page; each release may have a file for its notes.
#[test]
fn files_that_the_settings_name() {
    let folder = project("front-files");
    let settings = "[docs]\ndoxygen = \"https://example.org/doxygen\"\ndoxygen-tags = \"docs/toy.tag\"\n\
                    release-notes = \"docs/releases/{release}.md\"\nedit-url = \"https://example.org/edit?file={path}\"\n";
    folder.write("in/odsmith.toml", settings);
    folder.write(
        "in/docs/toy.tag",
        "<tagfile>\n<compound kind=\"class\">\n<name>toy::GrowOp</name>\n<filename>grow.html</filename>\n</compound>\n</tagfile>\n",
    );
    folder.write(
        "in/docs/releases/2.0.md",
        "---\ndate: 2026-03-02\n---\n# All that grows\n\n## More\n\nMuch.\n",
    );
    docs(&folder, &["--project-version", "2.0", "--against", "git:v1"]);
    has(&folder, "toy/op/grow.html", &["<a href=\"https://example.org/doxygen/grow.html\">toy::GrowOp</a>"]);
    lacks(&folder, "toy/op/scale.html", &["example.org/doxygen"]);
    has(&folder, "release/2.0.html", &["<time datetime=\"2026-03-02\">", "<h3 id=\"more\">More</h3>"]);
    has(&folder, "guide/docs/Growing.html", &["https://example.org/edit?file=docs/Growing.md"]);
    assert!(!folder.join("out/feed.xml").exists(), "a feed needs the address of the site");

    for (settings, message) in [
        ("doxygen-tags = 'docs/toy.tag'", "docs.doxygen-tags needs docs.doxygen"),
        ("head = 'none.html'", "docs.head: none.html: "),
        ("doxygen = 'https://x'\ndoxygen-tags = 'CHANGELOG.md'", "this is not a tag file of Doxygen"),
        ("release-notes = 'none.md'", "'release-notes' names 'none.md'"),
        ("[docs.stability]\ntoy = 'new'", "docs.stability.toy is 'new'"),
        ("edit-url = 'javascript:x'", "docs.edit_url is neither"),
        ("head = '../x'", "leads out of the project"),
    ] {
        folder.write("in/odsmith.toml", format!("[docs]\n{settings}\n"));
        let library = format!("22={}", set_up::library());
        let arguments = ["docs", "in", "-o", "out-2", "--library", &library];
        let run = reference::program(set_up::odsmith(), &folder, &arguments);
        let said = String::from_utf8_lossy(&run.err).into_owned();
        assert!(run.status != 0 && said.contains(message), "{settings}: {said}");
    }
}
