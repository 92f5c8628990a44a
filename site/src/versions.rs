//! The sites of several releases side by side: a folder for each, and a list of them that works from disk.
//!
//! ```text
//! versions.json   versions.js   index.html → latest/
//! 21/arith/op/addi.html         ../../../22/arith/op/addi.html is the same page of another release
//! 22/…                          latest/… is that of the last release
//! ```
//!
//! Pages list the releases that existed when they were written; a script adds later ones.

use std::collections::BTreeSet;

use odsmith_engine::record::order;
use serde::{Deserialize, Serialize};

use crate::{
    Input, machine,
    markdown::escape,
    pages::{Book, Page},
    view::{VersionLink, Versions as Menu},
};

/// The version of `versions.json`, its first field.
pub const VERSIONS_SCHEMA: &str = "odsmith.versions/1";

/// The folder with the site of the last release.
pub const LATEST: &str = "latest";

/// The sites of other releases beside this one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Versions {
    /// The folder of this one.
    pub folder: String,
    /// The other sites.
    pub others: Vec<Version>,
    /// The address of the common parent folder, if known.
    pub base_url: Option<String>,
}

/// The site of another release.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Version {
    /// The release.
    pub name: String,
    /// Its folder.
    pub folder: String,
    /// Its pages.
    pub pages: BTreeSet<String>,
}

/// An entry of `versions.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VersionEntry {
    /// The release.
    pub name: String,
    /// Its folder.
    pub folder: String,
}

#[derive(Serialize, Deserialize)]
struct List {
    schema: String,
    /// The newest first.
    versions: Vec<VersionEntry>,
    /// The folder of the last release.
    latest: String,
}

/// Reads `versions.json`.
///
/// # Errors
/// The text is not such a file.
pub fn read(json: &str) -> Result<Vec<VersionEntry>, String> {
    let list: List =
        serde_json::from_str(json).map_err(|error| format!("not a list of versions: {error}"))?;
    if list.schema != VERSIONS_SCHEMA {
        return Err(format!("a list of versions is {VERSIONS_SCHEMA}, and this is {}", list.schema));
    }
    let is_folder =
        |it: &VersionEntry| !it.folder.is_empty() && !it.folder.contains(['/', '\\']) && it.folder != "..";
    if list.versions.iter().all(is_folder) {
        Ok(list.versions)
    } else {
        Err("a version is in no folder beside the list".to_owned())
    }
}

/// Adds a release to the list. The newest comes first; names without a number come last.
#[must_use]
pub fn with(mut versions: Vec<VersionEntry>, release: VersionEntry) -> Vec<VersionEntry> {
    versions.retain(|it| it.name != release.name && it.folder != release.folder);
    versions.push(release);
    sort(&mut versions, |it| &it.name);
    versions
}

fn sort<T>(versions: &mut [T], name: impl Fn(&T) -> &str) {
    let is_numbered = |name: &str| name.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit());
    versions.sort_by(|a, b| {
        let (a, b) = (name(a), name(b));
        is_numbered(b).cmp(&is_numbered(a)).then_with(|| order::natural(b, a))
    });
}

/// The files beside the folders: `versions.json` for programs, the same list as a script that also loads from disk,
/// and a page that leads to the last release.
#[must_use]
pub fn files(versions: &[VersionEntry], title: &str) -> Vec<(&'static str, String)> {
    let list = List {
        schema: VERSIONS_SCHEMA.to_owned(),
        versions: versions.to_vec(),
        latest: versions.first().map(|it| it.folder.clone()).unwrap_or_default(),
    };
    let json = serde_json::to_string_pretty(&list).unwrap_or_default();
    let lines = serde_json::to_string(versions).unwrap_or_default().replace("</", "<\\/");
    let mut shown = String::new();
    escape(title, &mut shown);
    let mut links = String::new();
    for it in versions {
        links.push_str("<li><a href=\"");
        escape(&it.folder, &mut links);
        links.push_str("/index.html\">");
        escape(&it.name, &mut links);
        links.push_str("</a></li>\n");
    }
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"refresh\" content=\"0; url={LATEST}/index.html\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{shown}</title>\n\
         <link rel=\"canonical\" href=\"{LATEST}/index.html\">\n</head>\n<body>\n<main>\n<h1>{shown}</h1>\n\
         <p><a href=\"{LATEST}/index.html\">The last release</a></p>\n<ul>\n{links}</ul>\n</main>\n</body>\n</html>\n"
    );
    vec![
        ("versions.json", json + "\n"),
        ("versions.js", format!("(window.odsmith=window.odsmith||{{}}).versions={lines};\n")),
        ("index.html", page),
    ]
}

/// The address that the canonical addresses of pages begin with, if it is known: that of the last release.
pub(crate) fn canonical_base(input: &Input<'_>) -> Option<String> {
    match &input.versions {
        Some(versions) => versions.base_url.as_deref().map(|url| format!("{}{LATEST}/", machine::base(url))),
        None => input.base_url.as_deref().map(machine::base),
    }
}

/// Sets the release, the links to other releases and the canonical address of every page.
pub(crate) fn fill_frames(book: &mut Book, input: &Input<'_>) {
    let whole = canonical_base(input);
    for page in &mut book.pages {
        page.frame.release.clone_from(&input.release);
        let is_missing = matches!(page.body, crate::pages::Body::Missing(_));
        let own =
            || format!("{}{}", whole.as_deref().unwrap_or_default(), machine::address(&page.frame.path));
        page.frame.canonical = whole.as_ref().filter(|_| !is_missing).map(|_| own());
        page.frame.versions = input.versions.as_ref().map(|versions| menu(versions, page, input));
    }
}

fn menu(versions: &Versions, page: &Page, input: &Input<'_>) -> Menu {
    let mut sorted: Vec<&Version> = versions.others.iter().collect();
    sort(&mut sorted, |it| &it.name);
    let path = page.frame.path.as_str();
    let link = |version: &Version| {
        let is_same = version.pages.contains(path) || path == "index.html";
        let target = if is_same { path } else { "index.html" };
        VersionLink { name: version.name.clone(), href: format!("../{}/{target}", version.folder), is_same }
    };
    Menu {
        current: input.release.clone().unwrap_or_else(|| versions.folder.clone()),
        others: sorted.into_iter().map(link).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_release_comes_first_whenever_it_was_built() {
        let listed = |name: &str| VersionEntry { name: name.to_owned(), folder: name.to_owned() };
        let mut all = Vec::new();
        for name in ["22", "main", "9", "22.1", "21", "22"] {
            all = with(all, listed(name));
        }
        let names: Vec<&str> = all.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["22.1", "22", "21", "9", "main"]);
        let files = files(&all, "A <b>");
        assert_eq!(read(&files[0].1).unwrap(), all);
        assert!(files[2].1.contains("A &lt;b&gt;"));
        assert!(read("{}").is_err());
        let outside = files[0].1.replace("\"folder\": \"9\"", "\"folder\": \"../9\"");
        assert!(read(&outside).is_err());
    }
}
