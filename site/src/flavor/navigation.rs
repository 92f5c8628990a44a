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

/// A folder of a menu: its pages with their files, and its folders, in the order of their first pages.
#[derive(Default)]
struct Folder<'p> {
    pages: Vec<(String, String)>,
    folders: Vec<(&'p str, Folder<'p>)>,
}

impl<'p> Folder<'p> {
    /// Returns the folder at a path, which is created if it is new.
    fn at(&mut self, path: &'p str) -> &mut Folder<'p> {
        let mut folder = self;
        for part in path.split('/').filter(|part| !part.is_empty()) {
            let known = folder.folders.iter().position(|(name, _)| *name == part);
            let index = known.unwrap_or_else(|| {
                folder.folders.push((part, Folder::default()));
                folder.folders.len() - 1
            });
            folder = &mut folder.folders[index].1;
        }
        folder
    }

    /// Writes the entries of a menu, each list below the entry of its folder.
    fn write(&self, indent: &str, out: &mut String) {
        for (label, file) in &self.pages {
            let _ = writeln!(out, "{indent}- {}: {}", yaml(label), yaml(file));
        }
        let inner = format!("{indent}  ");
        for (name, folder) in &self.folders {
            let _ = writeln!(out, "{indent}- {}:", yaml(folder_title(name)));
            folder.write(&inner, out);
        }
    }
}

/// Writes `markdown/nav.yml`, which `INHERIT` in a `mkdocs.yml` names, and a whole `mkdocs.yml` beside the tree. The second
/// repeats the menu, since TechDocs reads no inherited files.
pub(super) fn mkdocs(
    pages: &[Page],
    title: &str,
    file: impl Fn(&Page) -> Option<String>,
) -> Vec<(String, String)> {
    let mut menu = Folder::default();
    for (path, pages) in by_folder(pages) {
        let files = pages.into_iter().filter_map(|page| Some((label(page), file(page)?)));
        let files: Vec<(String, String)> = files.collect();
        // MkDocs rejects a heading without pages.
        if !files.is_empty() {
            menu.at(path).pages.extend(files);
        }
    }
    let mut out = String::from("nav:\n");
    menu.write("  ", &mut out);
    let whole = format!("site_name: {}\ndocs_dir: markdown\nsite_dir: mkdocs-site\n{out}", yaml(title));
    vec![("markdown/nav.yml".to_owned(), out), (super::MKDOCS_SETTINGS.to_owned(), whole)]
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
        out.push((format!("markdown/{folder}/_category_.json"), format!("{category:#}\n")));
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
    vec![("markdown/sidebar.json".to_owned(), format!("{:#}\n", Value::Array(groups)))]
}
