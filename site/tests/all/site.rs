//! The whole site of a dialect with one definition of each kind: it is consistent, and no author can break it.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write as _,
    sync::Arc,
};

use odsmith_engine::{
    bundle::normalise,
    library::Library,
    release::Release,
    report::{Finding, Location, Severity},
};
use odsmith_site::{Input, Site, TargetRecords, site};

use crate::support::{ODS, records};

/// Builds the site of `td`, one of these files.
fn site_of(library: &Library, files: &[(&str, &str)], td: &str, texts: &[(&str, &str)]) -> Site {
    site_with(library, files, td, texts, None)
}

fn site_with(
    library: &Library,
    files: &[(&str, &str)],
    td: &str,
    texts: &[(&str, &str)],
    findings: Option<Vec<Finding>>,
) -> Site {
    let records = records(library, files, td);
    let targets = [TargetRecords { td: td.to_owned(), records }];
    let source_url = Some("https://example.org/{path}#L{line}".to_owned());
    let texts = texts.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    let title = "Paint & <co>".to_owned();
    let input =
        Input { title, targets: &targets, source_url, texts, findings, threads: 2, ..Input::default() };
    let site = site(&input);
    assert!(site.faults.is_empty(), "{:?}", site.faults);
    site
}

fn build() -> Site {
    let files = [("ods.td", ODS), ("paint.td", include_str!("data/paint.td"))];
    let texts = [
        (
            "docs/Painting.md",
            "# Painting <b>walls</b>\n\nSee `paint.fill`, [mixing](Mixing.md#by-hand) and [below](#by-hand-1).\n\n## By hand\n\n\
             [include \"parts/Brush.md\"]\n\n## By hand\n\n[no](Missing.md) <script>alert(1)</script>\n\n\
             [include \"parts/None.md\"]\n",
        ),
        ("docs/Mixing.md", "# Mixing\n\n## By hand\n\nOf $n^2$ colours. [Back](Painting.md)\n\n## Search\n"),
        ("docs/parts/Brush.md", "# Brushes\n\nA brush.\n"),
    ];
    site_of(&Library::default(), &files, "paint.td", &texts)
}

fn texts(site: &Site) -> BTreeMap<&str, &str> {
    let text = |bytes| std::str::from_utf8(bytes).expect("pages are UTF-8");
    // The inventory is compressed.
    let texts = site.artefacts.iter().filter(|artefact| !artefact.path.ends_with("objects.inv"));
    texts.map(|artefact| (artefact.path.as_str(), text(&artefact.bytes))).collect()
}

/// The start tags of a page: name and attributes.
fn tags(html: &str) -> Vec<(String, Vec<(String, String)>)> {
    let mut found = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        if !rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
            continue;
        }
        let name_end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let (name, mut tail) = rest.split_at(name_end);
        let mut attributes = Vec::new();
        loop {
            tail = tail.trim_start();
            if tail.starts_with('>') || tail.is_empty() {
                break;
            }
            let end = tail.find(['=', '>', ' ', '\n']).unwrap_or(tail.len());
            let key = tail[..end].to_owned();
            tail = &tail[end..];
            let mut value = String::new();
            if let Some(quoted) = tail.strip_prefix("=\"") {
                let close = quoted.find('"').expect("a closed attribute");
                value = quoted[..close].replace("&amp;", "&").replace("&lt;", "<").replace("&quot;", "\"");
                tail = &quoted[close + 1..];
            } else {
                assert!(!tail.starts_with('='), "an unquoted attribute at {tail:.40}");
            }
            attributes.push((key, value));
        }
        found.push((name.to_owned(), attributes));
        rest = tail;
    }
    found
}

fn values<'a>(tags: &'a [(String, Vec<(String, String)>)], key: &'a str) -> impl Iterator<Item = &'a str> {
    let attributes = tags.iter().flat_map(|(_, attributes)| attributes);
    attributes.filter(move |(name, _)| name == key).map(|(_, value)| value.as_str())
}

/// Resolves a relative link to a path and a fragment.
fn resolve(from: &str, href: &str) -> (String, String) {
    let (path, fragment) = href.split_once('#').unwrap_or((href, ""));
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    // The links of the 404 page begin at the root of the host.
    let path = if from == "site/404.html" { path.trim_start_matches('/') } else { path };
    let path = if path.is_empty() {
        from.to_owned()
    } else {
        normalise(&format!("{folder}/{path}")).expect("a link inside the site")
    };
    (path, fragment.to_owned())
}

#[test]
fn every_address_is_as_promised() {
    let site = build();
    let texts = texts(&site);
    for path in [
        "site/index.html",
        "site/az.html",
        "site/paint/index.html",
        "site/paint/op/fill.html",
        "site/paint/op/fill.md",
        "site/paint/op/fill.json",
        "site/paint/type/colour.html",
        "site/paint/attr/mode.html",
        "site/paint/enum/Mode.html",
        "site/trait/Pure.html",
        "site/interface/DrawableOpInterface.html",
        "site/trait/PredOpTrait.html",
        "site/constraint/Bright.html",
        "site/constraint/Bright.json",
        "site/class/Paint_Op.html",
        "site/paint/pass/paint-dry.html",
        "site/paint/patterns.html",
        "site/paint/all.html",
        "site/coverage.html",
        "site/coverage.json",
        "site/coverage.svg",
        "markdown/constraint/Bright.md",
        "markdown/paint/pass/paint-dry.md",
        "markdown/paint/patterns.md",
        "site/assets/index.js",
        "site/assets/list/paint.js",
        "site/guide/docs/Painting.html",
        "markdown/guide/docs/Mixing.md",
        "markdown/paint.md",
        "markdown/paint/op/fill.md",
    ] {
        assert!(texts.contains_key(path), "{path} in {:#?}", texts.keys());
    }
    // On file systems that ignore case, `clear` and `Clear` need different files.
    let lower: BTreeSet<String> =
        site.artefacts.iter().map(|artefact| artefact.path.to_lowercase()).collect();
    assert_eq!(lower.len(), site.artefacts.len());
}

#[test]
fn hand_written_pages_stand_among_the_others() {
    let site = build();
    let texts = texts(&site);
    assert!(
        !texts.contains_key("site/guide/docs/parts/Brush.html"),
        "what is included is no page of its own"
    );
    let page = texts["site/guide/docs/Painting.html"];
    for part in [
        "<h1 class=\"plain\">Painting &lt;b&gt;walls&lt;/b&gt;</h1>",
        "<h2 id=\"by-hand\">By hand</h2>\n<h3 id=\"brushes\">Brushes</h3>",
        "<h2 id=\"by-hand-1\">By hand</h2>",
        "href=\"../../guide/docs/Mixing.html#by-hand\"",
        "href=\"../../paint/op/fill.html\"",
        "href=\"#by-hand-1\"",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert!(!page.contains("<script>alert"));
    assert!(texts["site/guide/docs/Mixing.html"].contains("<msup>"));
    // The frame has an element with this id.
    assert!(texts["site/guide/docs/Mixing.html"].contains("<h2 id=\"search-1\">"));
    assert!(texts["site/index.html"].contains("guide/docs/Painting.html"));
    assert!(texts["site/assets/index.js"].contains("guide/docs/Mixing.html"));
    let errors: Vec<(&str, u32)> =
        site.errors.iter().map(|error| (error.file.as_str(), error.line)).collect();
    assert_eq!(errors, [("docs/Painting.md", 13)]);
}

#[test]
fn only_a_watched_site_waits_for_the_next_one() {
    let site = build();
    for (path, text) in texts(&site) {
        assert!(!text.contains("live.js") && !text.contains("connect-src"), "{path}");
    }
}

#[test]
fn no_link_is_dead_and_no_id_stands_twice() {
    let site = build();
    let texts = texts(&site);
    let pages: BTreeMap<&str, _> = texts
        .iter()
        .filter(|(path, _)| path.ends_with(".html"))
        .map(|(path, html)| (*path, tags(html)))
        .collect();
    let mut ids: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (path, tags) in &pages {
        for id in values(tags, "id") {
            assert!(ids.entry(path).or_default().insert(id), "{id} is twice in {path}");
        }
    }
    for (path, tags) in &pages {
        for href in values(tags, "href").chain(values(tags, "src")).chain(values(tags, "action")) {
            if href.starts_with("https://") {
                continue;
            }
            let (target, fragment) = resolve(path, href);
            assert!(texts.contains_key(target.as_str()), "{href} in {path}");
            assert!(
                fragment.is_empty() || ids[target.as_str()].contains(fragment.as_str()),
                "{href} in {path}"
            );
        }
        for key in ["aria-labelledby", "aria-controls"] {
            for id in values(tags, key) {
                assert!(ids[path].contains(id), "{key}={id} in {path}");
            }
        }
    }
}

#[test]
fn markdown_links_lead_to_markdown() {
    let site = build();
    let texts = texts(&site);
    for (path, md) in texts.iter().filter(|(path, _)| path.ends_with(".md")) {
        for part in md.split("](").skip(1) {
            let href = part.split(')').next().unwrap();
            // Authors' own links may lead anywhere.
            if href.starts_with('#') || href.contains(':') || href.contains("Rationale") {
                continue;
            }
            let (target, _) = resolve(path, href);
            assert!(texts.contains_key(target.as_str()), "{href} in {path}");
        }
    }
}

#[test]
fn nothing_that_an_author_writes_runs() {
    let site = build();
    for (path, html) in texts(&site).iter().filter(|(path, _)| path.ends_with(".html")) {
        let tags = tags(html);
        assert_eq!(html.matches("<script").count(), 2, "{path}");
        for (name, attributes) in &tags {
            assert!(
                !matches!(name.as_str(), "img" | "iframe" | "object" | "style" | "base"),
                "{name} in {path}"
            );
            for (key, value) in attributes {
                assert!(!key.starts_with("on") && key != "style", "{key} in {path}");
                assert!(!value.to_lowercase().trim().starts_with("javascript:"), "{value} in {path}");
            }
        }
        let policy = values(&tags, "content").next().unwrap_or_default().replace("&#x27;", "'");
        assert!(policy.starts_with("default-src 'none'; script-src 'self' 'sha256-"), "{policy} in {path}");
    }
}

#[test]
fn what_the_definitions_know_is_on_the_page() {
    let site = build();
    let texts = texts(&site);
    let page = texts["site/paint/op/fill.html"];
    for needle in [
        "what to fill",
        "<p class=\"effects\">reads</p>",
        "default <code>&quot;&lt;7&gt;&quot;</code>",
        "<span class=\"quant\">variadic</span>",
        "href=\"../../paint/type/colour.html\"",
        "Draws the same, whatever comes first",
        "types of 'a' &amp; \"b\" match &lt;T&gt;",
        "FillOp::create(builder, loc, Value area, <i class=\"k\">bool</i> dry)",
        "href=\"https://example.org/paint.td#L",
    ] {
        assert!(page.contains(needle), "{needle}");
    }
    assert!(page.contains("Uses &lt;value&gt; and"), "angle brackets vanish");
    assert!(
        texts["site/paint/op/clear-5c6e12.html"].contains("Only a comment tells"),
        "comments are harvested"
    );
    assert!(texts["site/paint/type/colour.html"].contains("paint/op/fill.html"), "a type lists its users");
    let whats: Vec<&str> = site.notes.iter().map(|note| note.what.as_str()).collect();
    assert!(whats.contains(&"code fence that is never closed"), "{whats:?}");
    let is_placed = |note: &odsmith_site::Note| {
        (note.file == "paint.td" || note.file.starts_with("docs/")) && note.line > 0
    };
    assert!(site.notes.iter().all(is_placed), "{:?}", site.notes);
}

fn assert_has(texts: &BTreeMap<&str, &str>, path: &str, needles: &[&str]) {
    for needle in needles {
        assert!(texts[path].contains(needle), "{needle} in {path}:\n{}", texts[path]);
    }
}

#[test]
fn a_constraint_shows_its_condition_and_who_demands_it() {
    let site = build();
    let texts = texts(&site);
    let page = "site/constraint/Bright.html";
    assert_has(
        &texts,
        page,
        &[
            "bright &amp; &lt;light&gt;",
            "all of",
            "<a href=\"../constraint/AnyType.html\"><code>AnyType</code></a>",
            "$_self = inner($_self)</code>",
            "<code>IsBright</code>",
            "Holds for whatever &lt;glows&gt;",
            "<dt>Not known</dt>",
            "paint/op/mix.html",
        ],
    );
    assert_has(
        &texts,
        "site/constraint/AnyType.html",
        &["../constraint/Bright.html", "paint/op/fill.html", "<dt>Accepted</dt>"],
    );
    assert_has(&texts, "site/paint/op/mix.html", &["../../constraint/Bright.html"]);
}

#[test]
fn constraints_of_the_library_have_pages_however_many_the_bundle_has() {
    let shared = "include \"ods.td\"\n\
                  def AnyShade : TypeConstraint<\"any shade\"> { let predicate = CPred<\"true\">; }\n\
                  def Unused : TypeConstraint<\"any hue\"> { let predicate = CPred<\"true\">; }\n";
    let files = [("ods.td", ODS), ("shared.td", shared)];
    let files = files.map(|(path, text)| (path.to_owned(), Arc::from(text.as_bytes()))).into();
    let library = Library::new(Release::default(), String::new(), files);
    for own in [1, 100] {
        let mut td = "include \"shared.td\"\ndef Ink : Dialect { let name = \"ink\"; }\n".to_owned();
        for number in 0..own {
            td += &format!(
                "def Own{number} : TypeConstraint<\"number {number}\"> {{ let predicate = CPred<\"true\">; }}\n"
            );
        }
        td += "def Ink_DrawOp : Op<Ink, \"draw\"> { let arguments = (ins AnyShade:$shade, Own0:$own); }\n";
        let site = site_of(&library, &[("ink.td", &td)], "ink.td", &[]);
        let texts = texts(&site);
        let links = ["../../constraint/AnyShade.html", "../../constraint/Own0.html"];
        assert_has(&texts, "site/ink/op/draw.html", &links);
        assert_has(&texts, "site/constraint/AnyShade.html", &["ink/op/draw.html"]);
        assert!(texts.contains_key(format!("site/constraint/Own{}.html", own - 1).as_str()));
        assert!(!texts.contains_key("site/constraint/Unused.html"), "no operation of the bundle uses it");
    }
}

#[test]
fn a_rule_between_operands_leads_to_its_trait() {
    let site = build();
    let texts = texts(&site);
    assert_has(
        &texts,
        "site/paint/op/fill.html",
        &["id=\"c1\"", "../../trait/PredOpTrait.html", "$a &lt; $b"],
    );
    assert_has(&texts, "site/trait/PredOpTrait.html", &["paint/op/fill.html"]);
}

#[test]
fn effects_are_told_through_their_interface() {
    let site = build();
    let texts = texts(&site);
    let memory = |what: &str| format!("<dt>Memory</dt><dd>{what}</dd>");
    let interface = "../../interface/MemoryEffectOpInterface.html";
    assert_has(&texts, "site/paint/op/look.html", &[interface, &memory("reads")]);
    assert_has(&texts, "site/paint/op/wait.html", &[interface, &memory("none")]);
    assert_has(&texts, "site/paint/op/peer.html", &["../../trait/LooksFirst.html", &memory("reads")]);
    assert_has(&texts, "site/paint/op/peer.html", &[interface]);
    assert_has(&texts, "site/paint/op/fill.html", &[&memory("reads (area)")]);
    let users = ["paint/op/look.html", "paint/op/peer.html", "paint/op/wait.html"];
    assert_has(&texts, "site/interface/MemoryEffectOpInterface.html", &users);
    assert!(!texts.contains_key("site/trait/MemoryEffectOpInterface.html"));
}

#[test]
fn a_heading_above_operations_describes_none_of_them() {
    let site = build();
    let page = &texts(&site)["site/paint/op/wipe.html"];
    assert!(!page.contains("From a comment"), "{page}");
}

#[test]
fn a_class_tells_what_it_sets_and_who_is_of_it() {
    let site = build();
    let texts = texts(&site);
    let page = "site/class/Paint_Op.html";
    assert_has(
        &texts,
        page,
        &["What all operations", "<code>mnemonic</code>", "Paint_Dialect", "paint/op/mix.html"],
    );
    assert_has(&texts, "site/paint/op/mix.html", &["../../class/Paint_Op.html"]);
}

#[test]
fn a_pass_has_all_that_its_definition_tells() {
    let site = build();
    let texts = texts(&site);
    assert_has(
        &texts,
        "site/paint/pass/paint-dry.html",
        &[
            "&quot;hours=&lt;unsigned&gt; only=&lt;string,…&gt;&quot;",
            "lets &lt;paint&gt; dry",
            "../../paint/pass/paint-wet.html",
            "how &lt;long&gt;",
            "default <code>24</code>",
            "how many are dry",
            "../../paint/index.html\"><code>paint</code>",
            "../../paint/op/fill.html\"><code>paint.fill</code>",
            "makeDry()",
        ],
    );
    assert_has(&texts, "site/paint/index.html", &["../paint/pass/paint-dry.html"]);
}

#[test]
fn patterns_show_what_is_captured_alike_on_both_sides() {
    let site = build();
    let texts = texts(&site);
    let page = texts["site/paint/patterns.html"];
    let (before, after) = page.split_once("After").expect("two sides");
    for side in [before, after] {
        assert!(side.contains("<span class=\"cap2\">$a</span>"), "{side}");
    }
    assert_has(
        &texts,
        "site/paint/patterns.html",
        &[
            "id=\"pattern-MixTwice\"",
            "../paint/op/mix.html\">paint.mix</a>",
            "<span class=\"native\">Blend</span>",
            "are &lt;different&gt;",
            "benefit 2",
            "Mixed twice with the same",
        ],
    );
    assert_has(&texts, "site/paint/op/mix.html", &["../../paint/patterns.html#pattern-MixTwice"]);
}

#[test]
fn an_interface_shows_bodies_bases_and_checks() {
    let site = build();
    let texts = texts(&site);
    let page = "site/interface/DrawableOpInterface.html";
    assert_has(
        &texts,
        page,
        &["return a &lt; b;", "check&lt;T&gt;", "../interface/SketchableOpInterface.html"],
    );
    let page = "site/interface/SketchableOpInterface.html";
    assert_has(&texts, page, &["../interface/DrawableOpInterface.html#method-draw"]);
}

#[test]
fn one_page_has_everything_under_every_fragment() {
    let site = build();
    let texts = texts(&site);
    let tags = tags(texts["site/paint/all.html"]);
    let ids: BTreeSet<&str> = values(&tags, "id").collect();
    for id in [
        "operations",
        "operation-definition",
        "type-definitions",
        "op-fill",
        "paintfill-paintfillop",
        "paintfill-fillop",
        "colourtype",
        "mode",
        "-paint-dry",
        "-paint-dry-lets-paint-dry",
    ] {
        assert!(ids.contains(id), "{id} in {ids:?}");
    }
}

#[test]
fn what_is_missing_is_counted_and_has_a_place() {
    let site = build();
    let texts = texts(&site);
    let coverage: serde_json::Value = serde_json::from_str(texts["site/coverage.json"]).expect("JSON");
    let percent = coverage["total"]["percent"].as_u64().expect("a number");
    assert!(0 < percent && percent < 100, "{percent}");
    assert_eq!(percent, site.coverage.percent as u64);
    let items = coverage["dialects"][0]["items"].as_array().expect("a list");
    let mix = items.iter().find(|item| item["name"]["text"] == "paint.mix").expect("the one without prose");
    assert!(mix["place"].as_str().is_some_and(|place| place.starts_with("paint.td:")), "{mix}");
    let missing: Vec<&str> =
        mix["missing"].as_array().expect("a list").iter().flat_map(|what| what.as_str()).collect();
    assert_eq!(missing, ["summary", "description", "example"]);
    assert!(texts["site/coverage.svg"].contains(&format!("{percent} %")));
}

#[test]
fn findings_are_shown_where_they_are_wanted() {
    let finding = |subject: &str, accepted: Option<&str>| Finding {
        rule: "COR011".into(),
        severity: Severity::Warning,
        subject: subject.to_owned(),
        message: "it has no <effect>".to_owned(),
        location: Some(Location::new("paint.td", (7, 1), Some((7, 2)))),
        accepted: accepted.map(str::to_owned),
        ..Finding::default()
    };
    let found = vec![finding("paint.mix#$lhs", None), finding("paint.fill", Some("it is meant"))];
    let files = [("ods.td", ODS), ("paint.td", include_str!("data/paint.td"))];
    let site = site_with(&Library::default(), &files, "paint.td", &[], Some(found));
    let texts = texts(&site);
    let coverage: serde_json::Value = serde_json::from_str(texts["site/coverage.json"]).expect("JSON");
    let rows = coverage["findings"]["rows"].as_array().expect("a list");
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert_eq!(rows[0]["name"]["href"], "paint/op/mix.html");
    let html = texts["site/coverage.html"];
    assert!(html.contains(
        "<h2 id=\"findings\">Findings <span class=\"aside\">0 errors, 1 warning, 0 notes</span></h2>"
    ));
    assert!(html.contains("it has no &lt;effect&gt;") && html.contains("https://example.org/paint.td#L7"));
    let without = build();
    assert!(!self::texts(&without)["site/coverage.html"].contains("id=\"findings\""));
}

#[test]
fn a_site_is_the_same_twice() {
    assert_eq!(build().artefacts, build().artefacts);
}

fn compressed(text: &str) -> usize {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(text.as_bytes()).expect("memory takes it");
    encoder.finish().expect("memory takes it").len()
}

#[test]
fn transfers_stay_within_their_budgets() {
    let site = build();
    let texts = texts(&site);
    assert!(compressed(texts["site/assets/site.css"]) <= 12_000);
    assert!(compressed(texts["site/assets/site.js"]) + compressed(texts["site/assets/search.js"]) <= 12_000);
    assert!(compressed(texts["site/paint/op/fill.html"]) <= 8_000);
}

/// Operations of MLIR whose examples cannot be synthesised. `narrow` is not in the format that MLIR has.
const OF_MLIR: &str = r#"
include "ods.td"
def AnyType : TypeConstraint<"any type"> { let predicate = CPred<"true">; }
def AnyRegion : RegionConstraint<"any region"> { let predicate = CPred<"true">; }
def Func_Dialect : Dialect { let name = "func"; let cppNamespace = "::func"; }
def Arith_Dialect : Dialect { let name = "arith"; let cppNamespace = "::arith"; }
class Other<Dialect d, string m> : Op<d, m> { bit skipDefaultBuilders = 0; }
def Func_FuncOp : Other<Func_Dialect, "func"> {
  let regions = (region AnyRegion:$body);
  let hasCustomAssemblyFormat = 1;
}
def Func_ReturnOp : Other<Func_Dialect, "return"> {
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}
class Cast<string m, string word> : Other<Arith_Dialect, m> {
  let arguments = (ins AnyType:$in);
  let results = (outs AnyType:$out);
  let assemblyFormat = word # "$in attr-dict `:` type($in) `to` type($out)";
  let hasVerifier = 1;
}
def Arith_ExtFOp : Cast<"extf", "">;
def Arith_TruncFOp : Cast<"truncf", "`narrow` ">;
"#;

#[test]
fn examples_of_mlirs_operations_are_shown_if_the_definitions_accept_them() {
    let site = site_of(&Library::default(), &[("ods.td", ODS), ("arith.td", OF_MLIR)], "arith.td", &[]);
    let texts = texts(&site);
    let extf = texts["site/arith/op/extf.html"];
    assert!(extf.contains("Accepted by mlir-opt 22") && extf.contains("arith.extf"), "{extf}");
    let json = texts["site/arith/op/extf.json"];
    assert!(
        json.contains("%out = arith.extf %in : f32 to f64")
            && json.contains("\"accepted_by\":\"mlir-opt 22\"")
    );
    assert!(texts["markdown/arith/op/extf.md"].contains("Example (accepted by mlir-opt 22):"));
    assert!(!texts["site/arith/op/truncf.html"].contains("mlir-opt"), "the definitions refuse it");
}

#[test]
fn the_syntax_of_a_parser_in_cpp_is_shown() {
    let site = site_of(&Library::default(), &[("ods.td", ODS), ("arith.td", OF_MLIR)], "arith.td", &[]);
    let texts = texts(&site);
    let func = texts["site/func/op/func.html"];
    assert!(func.contains("$sym_name signature attr-dict-with-keyword $body?"), "{func}");
    assert!(func.contains("this is the syntax by which Odsmith reads it"));
    // The generic form is folded where there is help.
    assert!(!func.contains("<details open>\n<summary>Generic form"));
    assert!(texts["markdown/func/op/func.md"].contains("this is the syntax by which Odsmith reads it"));
}
