//! The other outputs of the page model: Markdown for each site generator, files for programs, and pages with a theme.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Read as _,
    sync::{Arc, OnceLock},
};

use odsmith_engine::{bundle::normalise, library::Library, record::Records};
use odsmith_site::{Input, Site, TargetRecords, flavor::Flavor, site};
use serde_json::Value;

use crate::support::{self, ODS};

fn records() -> Arc<Records> {
    static RECORDS: OnceLock<Arc<Records>> = OnceLock::new();
    let evaluate = || {
        let files = [("ods.td", ODS), ("paint.td", include_str!("data/paint.td"))];
        support::records(&Library::default(), &files, "paint.td")
    };
    RECORDS.get_or_init(evaluate).clone()
}

/// Builds the site of the paint dialect with an input that `change` adapts.
fn build(change: impl FnOnce(&mut Input<'_>)) -> Site {
    let targets = [TargetRecords { td: "paint.td".to_owned(), records: records() }];
    let mut input =
        Input { title: "Paint & <co>".to_owned(), targets: &targets, threads: 2, ..Input::default() };
    change(&mut input);
    site(&input)
}

fn text<'a>(site: &'a Site, path: &str) -> &'a str {
    let found = site.artefacts.iter().find(|artefact| artefact.path == path);
    std::str::from_utf8(&found.unwrap_or_else(|| panic!("no {path}")).bytes).expect("UTF-8")
}

fn json(site: &Site, path: &str) -> Value {
    serde_json::from_str(text(site, path)).expect("JSON")
}

fn tree(site: &Site) -> BTreeMap<&str, &str> {
    let files = site.artefacts.iter().filter_map(|artefact| {
        let path = artefact.path.strip_prefix("markdown/")?;
        Some((path, std::str::from_utf8(&artefact.bytes).expect("UTF-8")))
    });
    files.collect()
}

/// The address that Hugo and Starlight assign to a file, as a folder.
fn address(file: &str) -> String {
    let stem = file.trim_end_matches(".md");
    let stem = stem.strip_suffix("_index").or_else(|| stem.strip_suffix("index")).unwrap_or(stem);
    stem.trim_end_matches('/').to_owned()
}

#[test]
fn links_of_every_flavour_lead_to_its_files() {
    for flavor in Flavor::ALL {
        let site = build(|input| input.flavor = flavor);
        let files = tree(&site);
        let addresses: BTreeSet<String> = files.keys().map(|file| address(file)).collect();
        let mut links = 0;
        for (path, md) in files.iter().filter(|(path, _)| path.ends_with(".md")) {
            assert!(md.starts_with("---\ntitle: \""), "{path}");
            for href in md.split("](").skip(1).filter_map(|part| part.split(')').next()) {
                if href.starts_with('#') || href.contains(':') {
                    continue;
                }
                links += 1;
                // Starlight resolves pictures from the file, but pages from addresses.
                let is_address = match flavor {
                    Flavor::Hugo => true,
                    Flavor::Starlight => !href.ends_with(".svg"),
                    Flavor::Gfm | Flavor::Mkdocs | Flavor::Docusaurus => false,
                };
                let is_there = if is_address {
                    let target = normalise(&format!("{}/{href}", address(path)));
                    addresses.contains(target.unwrap_or_default().trim_end_matches('/'))
                } else {
                    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
                    normalise(&format!("{folder}/{href}")).is_some_and(|target| files.contains_key(&*target))
                };
                assert!(is_there, "{href} in {path} for {}", flavor.name());
            }
        }
        assert!(links > 20, "{links} links for {}", flavor.name());
    }
}

#[test]
fn every_generator_finds_its_index_and_its_order() {
    let has = |flavor: Flavor, wanted: &[&str]| {
        let site = build(|input| input.flavor = flavor);
        let files = tree(&site);
        for path in wanted {
            assert!(files.contains_key(path), "{path} for {} in {:#?}", flavor.name(), files.keys());
        }
    };
    has(Flavor::Gfm, &["README.md", "paint.md", "paint/op/fill.md"]);
    has(Flavor::Hugo, &["_index.md", "paint/_index.md", "paint/op/fill.md"]);
    has(Flavor::Mkdocs, &["index.md", "paint/index.md", "nav.yml"]);
    has(Flavor::Docusaurus, &["index.md", "paint/index.md", "paint/op/_category_.json"]);
    has(Flavor::Starlight, &["index.md", "paint/index.md", "sidebar.json"]);
}

#[test]
fn every_twin_has_what_the_schema_asks_for() {
    let site = build(|_| {});
    let schema = json(&site, "site/schema/page.schema.json");
    let mut kinds: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for twin in schema["oneOf"].as_array().expect("kinds") {
        let name =
            twin["allOf"][0]["$ref"].as_str().expect("a definition").trim_start_matches("#/definitions/");
        let required = schema["definitions"][name]["required"].as_array().expect("fields");
        let required: Vec<String> = required.iter().map(|name| name.as_str().unwrap().to_owned()).collect();
        for kind in twin["allOf"][1]["properties"]["kind"]["enum"].as_array().expect("names") {
            kinds.insert(kind.as_str().unwrap().to_owned(), required.clone());
        }
    }
    let mut seen = BTreeSet::new();
    for artefact in site.artefacts.iter().filter(|artefact| artefact.path.ends_with(".json")) {
        let Some(html) = artefact.path.strip_suffix(".json").map(|stem| format!("{stem}.html")) else {
            continue;
        };
        if html == "site/index.html" || !site.artefacts.iter().any(|artefact| artefact.path == html) {
            continue;
        }
        let twin = json(&site, &artefact.path);
        assert_eq!(twin["schema"], "odsmith.page/1", "{}", artefact.path);
        let kind = twin["kind"].as_str().expect("a kind").to_owned();
        for field in &kinds[&kind] {
            assert!(twin.get(field).is_some(), "{field} in {}", artefact.path);
        }
        seen.insert(kind);
    }
    assert!(seen.len() >= 7, "{seen:?}");
}

#[test]
fn the_index_the_inventory_and_the_list_name_every_page() {
    let site = build(|_| {});
    let index = json(&site, "site/index.json");
    assert_eq!(index["schema"], "odsmith.index/1");
    let fill = index["items"].as_array().unwrap().iter().find(|item| item["name"] == "paint.fill");
    let fill = fill.expect("paint.fill");
    assert_eq!((&fill["kind"], &fill["url"]), (&"op".into(), &"paint/op/fill.html".into()));
    let aliases = fill["aliases"].as_array().expect("aliases");
    assert!(aliases.iter().any(|alias| alias.as_str().unwrap().ends_with("::FillOp")), "{aliases:?}");

    let inventory = site.artefacts.iter().find(|artefact| artefact.path == "site/objects.inv").unwrap();
    let body = inventory.bytes.splitn(5, |&byte| byte == b'\n').last().unwrap();
    let mut lines = String::new();
    flate2::read::ZlibDecoder::new(body).read_to_string(&mut lines).expect("zlib");
    assert!(
        inventory.bytes.starts_with(b"# Sphinx inventory version 2\n# Project: Paint & <co>\n# Version: ")
    );
    assert!(lines.contains("paint.fill std:label -1 paint/op/fill.html paint.fill\n"), "{lines}");
    assert!(lines.contains("::FillOp cpp:class 1 paint/op/fill.html -\n"), "{lines}");

    let list = text(&site, "site/llms.txt");
    assert!(list.starts_with("# Paint & &lt;co>\n\n> "), "{list}");
    assert!(list.contains("- [`paint`](paint/index.md)"), "{list}");
    let links = json(&site, "site/links.json");
    assert!(links["fragments"].as_object().unwrap().values().any(|page| page == "paint/op/fill.html"));
}

#[test]
fn whole_addresses_appear_where_the_site_has_one() {
    let without = build(|_| {});
    assert!(without.artefacts.iter().all(|artefact| !artefact.path.ends_with(".xml")));
    assert!(!text(&without, "site/index.html").contains("ld+json"));
    let with = build(|input| input.base_url = Some("https://example.org/docs".to_owned()));
    let map = text(&with, "site/sitemap.xml");
    assert!(map.contains("<loc>https://example.org/docs/paint/</loc>"), "{map}");
    assert!(map.contains("<loc>https://example.org/docs/paint/op/fill.html</loc>"));
    assert!(text(&with, "site/opensearch.xml").contains("https://example.org/docs/az.html?q={searchTerms}"));
    let page = text(&with, "site/paint/op/fill.html");
    let data = page.split("<script type=\"application/ld+json\">").nth(1).expect("linked data");
    let data: Value = serde_json::from_str(data.split("</script>").next().unwrap()).expect("JSON");
    assert_eq!(data["url"], "https://example.org/docs/paint/op/fill.html");
    assert_eq!(data["isPartOf"]["name"], "Paint & <co>");
}

/// The contents, the page and its Markdown have the same sections in the same order.
#[test]
fn every_form_of_a_page_has_its_sections() {
    let site = build(|_| {});
    let between = |text: &str, before: &str, after: &str| -> Vec<String> {
        text.split(before).skip(1).filter_map(|rest| Some(rest.split_once(after)?.0.to_owned())).collect()
    };
    let mut pages = 0;
    for artefact in site.artefacts.iter().filter(|artefact| artefact.path.ends_with(".md")) {
        let Some(stem) = artefact.path.strip_suffix(".md").filter(|path| path.starts_with("site/")) else {
            continue;
        };
        let html = text(&site, &format!("{stem}.html"));
        let Some((_, contents)) = html.split_once("<nav class=\"toc\"") else { continue };
        let contents = contents.split_once("</nav>").expect("the end of the contents").0;
        let listed = between(contents, "<a href=\"#", "</a>");
        let (ids, titles): (Vec<&str>, Vec<&str>) =
            listed.iter().filter_map(|line| line.split_once("\">")).unzip();
        let places: Vec<usize> = ids
            .iter()
            .map(|id| html.find(&format!(" id=\"{id}\"")).unwrap_or_else(|| panic!("{stem} {id}")))
            .collect();
        assert!(places.is_sorted(), "{stem} {ids:?}");
        let headings: Vec<String> = text(&site, &artefact.path)
            .lines()
            .filter_map(|line| Some(line.strip_prefix("## ")?.replace(['`', '\\'], "")))
            .collect();
        assert_eq!(headings, titles, "{stem}");
        pages += 1;
    }
    assert!(pages > 20, "{pages}");
}

#[test]
fn a_theme_stands_in_place_of_single_files() {
    let theme = |file: &str, text: &str| BTreeMap::from([(file.to_owned(), text.to_owned())]);
    let site = build(|input| input.theme = theme("partials/badges.hbs", "<p>ours {{name}}</p>\n"));
    assert_eq!(site.faults, []);
    assert!(text(&site, "site/paint/op/fill.html").contains("<p>ours paint.fill</p>"));

    // A partial may read other facts of the same part.
    let part = "<td>{{constraint}}{{#each effects}} ours {{this}}{{/each}}</td>\n";
    let site = build(|input| input.theme = theme("partials/part.hbs", part));
    assert_eq!(site.faults, []);
    assert!(text(&site, "site/paint/op/fill.html").contains(" ours reads</td>"));
    let site = build(|input| input.theme = theme("partials/traits.hbs", "{{> facts this}}\n"));
    assert!(site.faults[0].what.contains("label"), "{}", site.faults[0].what);

    let site = build(|input| input.theme = theme("assets/site.css", "p { color: red }\n"));
    assert_eq!(text(&site, "site/assets/site.css"), "p { color: red }\n");

    let site = build(|input| input.theme = theme("partials/badges.hbs", "one\n{{nmae}}\n"));
    assert!(!site.faults.is_empty());
    for fault in &site.faults {
        assert_eq!((fault.file.as_str(), fault.line), ("partials/badges.hbs", 2), "{}", fault.what);
    }
    let site = build(|input| input.theme = theme("operatoin.hbs", "x"));
    assert_eq!((site.faults[0].file.as_str(), site.faults[0].line), ("operatoin.hbs", 1));
}
