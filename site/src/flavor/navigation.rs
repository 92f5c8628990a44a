//! The order of a Markdown tree, in the form that each site generator expects.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::pages::Page;

/// The folders of a dialect and their titles.
const FOLDERS: &[(&str, &str)] = &[
    ("op", "Operations"),
    ("type", "Types"),
    ("attr", "Attributes"),
    ("enum", "Enums"),
    ("pass", "Passes"),
    ("trait", "Traits"),
    ("interface", "Interfaces"),
    ("constraint", "Constraints"),
    ("class", "Classes"),
];

fn folder_title(folder: &str) -> &str {
    let name = folder.rsplit('/').next().unwrap_or(folder);
    FOLDERS.iter().find(|(known, _)| *known == name).map_or(name, |(_, title)| title)
}

/// The label of a page in a menu: `cmpi`, because it appears below `arith`.
pub(super) fn label(page: &Page) -> String {
    let title = &page.frame.title;
    match page.frame.path.strip_suffix("/index.html") {
        Some(folder) => folder.to_owned(),
        None => {
            let dialect = page.frame.trail.first().map_or("", |link| link.text.as_str());
            let short = title.trim_start_matches(['!', '#']).strip_prefix(dialect);
            short.and_then(|rest| rest.strip_prefix('.')).unwrap_or(title).to_owned()
        }
    }
}

/// Pages by folder; the folders are in the order of their first pages.
fn by_folder(pages: &[Page]) -> Vec<(&str, Vec<&Page>)> {
    let mut folders: Vec<(&str, Vec<&Page>)> = Vec::new();
    for page in pages {
        let folder = page.frame.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        match folders.iter_mut().find(|(known, _)| *known == folder) {
            Some((_, pages)) => pages.push(page),
            None => folders.push((folder, vec![page])),
        }
    }
    folders
}

/// Writes `nav.yml`, which `INHERIT` in `mkdocs.yml` names.
pub(super) fn mkdocs(pages: &[Page], file: impl Fn(&Page) -> Option<String>) -> Vec<(String, String)> {
    let mut out = String::from("nav:\n");
    for (folder, pages) in by_folder(pages) {
        let files: Vec<(&Page, String)> =
            pages.into_iter().filter_map(|page| Some((page, file(page)?))).collect();
        // MkDocs rejects a heading without pages.
        if files.is_empty() {
            continue;
        }
        let depth = folder.split('/').filter(|part| !part.is_empty()).count();
        let indent = "  ".repeat(depth);
        if depth > 0 {
            let _ = writeln!(out, "{indent}- {}:", yaml(folder_title(folder)));
        }
        for (page, file) in files {
            let _ = writeln!(out, "{indent}  - {}: {}", yaml(&label(page)), yaml(&file));
        }
    }
    vec![("nav.yml".to_owned(), out)]
}

fn yaml(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

/// Writes a `_category_.json` for each folder without an index.
pub(super) fn docusaurus(pages: &[Page], file: impl Fn(&Page) -> Option<String>) -> Vec<(String, String)> {
    let mut out = Vec::new();
    for (position, (folder, pages)) in by_folder(pages).into_iter().enumerate() {
        let has_index = pages.iter().any(|page| page.frame.path.ends_with("index.html"));
        if has_index || pages.iter().all(|page| file(page).is_none()) {
            continue;
        }
        let category = json!({"label": folder_title(folder), "position": position + 1});
        out.push((format!("{folder}/_category_.json"), format!("{category:#}\n")));
    }
    out
}

/// Writes `sidebar.json`, for `sidebar` in `astro.config.mjs`.
pub(super) fn starlight(pages: &[Page], file: impl Fn(&Page) -> Option<String>) -> Vec<(String, String)> {
    let mut groups: Vec<(String, Vec<Value>)> = Vec::new();
    for (folder, pages) in by_folder(pages).into_iter().filter(|(folder, _)| !folder.is_empty()) {
        let place = pages.iter().find_map(|page| file(page));
        let Some(directory) =
            place.as_deref().and_then(|file| file.rsplit_once('/')).map(|(folder, _)| folder)
        else {
            continue;
        };
        let dialect = folder.split('/').next().unwrap_or(folder);
        let item = if folder.contains('/')
            || !pages.iter().any(|page| page.frame.path.ends_with("index.html"))
        {
            json!({"label": folder_title(folder), "collapsed": true, "autogenerate": {"directory": directory}})
        } else {
            json!({"label": "Overview", "slug": directory})
        };
        match groups.iter_mut().find(|(known, _)| known == dialect) {
            Some((_, items)) => items.push(item),
            None => groups.push((dialect.to_owned(), vec![item])),
        }
    }
    let groups: Vec<Value> = groups
        .into_iter()
        .map(|(dialect, items)| json!({"label": folder_title(&dialect), "collapsed": true, "items": items}))
        .collect();
    vec![("sidebar.json".to_owned(), format!("{:#}\n", Value::Array(groups)))]
}
