//! Markdown: the twins beside the HTML pages, and the tree for another site generator.
//!
//! A page's text is drafted once, with placeholders for its links, which each form fills in. Headings are single words
//! that occur once in a file, so that every generator derives the same fragments from them.
//!
//! | | index of a folder | links | besides |
//! | --- | --- | --- | --- |
//! | `gfm` | `arith.md` beside `arith/` | `.md` | `README.md` |
//! | `hugo` | `_index.md` | addresses | `weight` |
//! | `mkdocs` | `index.md` | `.md` | `nav.yml`, to inherit from; `mkdocs.yml` beside the tree |
//! | `docusaurus` | `index.md` | `.md` | `_category_.json` |
//! | `starlight` | `index.md` | addresses | `sidebar.json` |

mod body;
mod navigation;

pub(crate) use body::{Writer, cell};

use std::{borrow::Cow, collections::BTreeSet, fmt::Write as _, str::FromStr};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::{
    commonmark::{code, line},
    links::{Registry, root_of, stem},
    markdown::Texts,
    pages::Page,
};

/// The settings of MkDocs beside the tree: a site that TechDocs and MkDocs build as it is.
pub const MKDOCS_SETTINGS: &str = "mkdocs.yml";
/// `OPEN` and `CLOSE` surround a placeholder for an address.
const OPEN: char = '\u{fdd0}';
const CLOSE: char = '\u{fdd1}';
/// The placeholder for the address of the page's own diagram.
const DIAGRAM: &str = ".svg";

/// The languages in authors' fences that Starlight can highlight.
const STARLIGHT_LANGUAGES: &[&str] = &[
    "bash", "c", "c++", "cmake", "cpp", "diff", "json", "py", "python", "rust", "sh", "text", "toml", "yaml",
];

/// The generator that a Markdown tree is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Flavor {
    /// GitHub and compatible tools.
    #[default]
    Gfm,
    /// Hugo: below `content/`.
    Hugo,
    /// MkDocs: below `docs/`.
    Mkdocs,
    /// Docusaurus 3: below `docs/`.
    Docusaurus,
    /// Starlight: below `src/content/docs/`.
    Starlight,
}

impl Flavor {
    /// All flavours.
    pub const ALL: [Flavor; 5] =
        [Flavor::Gfm, Flavor::Hugo, Flavor::Mkdocs, Flavor::Docusaurus, Flavor::Starlight];

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Flavor::Gfm => "gfm",
            Flavor::Hugo => "hugo",
            Flavor::Mkdocs => "mkdocs",
            Flavor::Docusaurus => "docusaurus",
            Flavor::Starlight => "starlight",
        }
    }

    /// Tests if links are page addresses instead of file names.
    fn has_addresses(self) -> bool {
        matches!(self, Flavor::Hugo | Flavor::Starlight)
    }
}

impl FromStr for Flavor {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Flavor::ALL.into_iter().find(|flavor| flavor.name() == name).ok_or_else(|| {
            let known = Flavor::ALL.map(Flavor::name).join(", ");
            format!("no flavour of Markdown is called '{name}'; there are {known}")
        })
    }
}

/// The text of a page, with placeholders for its links.
#[derive(Clone, Debug)]
pub struct Draft(String);

impl Draft {
    /// Writes the text of a page without its title; `None` for an index page, which only lists others.
    #[must_use]
    pub fn new(page: &Page, texts: &Texts, registry: &Registry) -> Option<Draft> {
        if page.body.kind().is_finder() {
            return None;
        }
        let mut out = Writer::new(&page.frame.title, page.body.headings(), texts, registry);
        page.body.kind().markdown(&mut out);
        Some(Draft(out.finish()))
    }

    /// Writes the text; `address` replaces each placeholder.
    fn fill(&self, out: &mut String, address: impl Fn(&str, &mut String)) {
        out.reserve(self.0.len() + 64);
        let mut rest = self.0.as_str();
        while let Some((before, after)) = rest.split_once(OPEN) {
            out.push_str(before);
            let (href, after) = after.split_once(CLOSE).unwrap_or((after, ""));
            address(href, out);
            rest = after;
        }
        out.push_str(rest);
    }
}

/// Writes the Markdown twin of an HTML page.
#[must_use]
pub fn twin(page: &Page, draft: &Draft) -> String {
    let is_code = page
        .body
        .kind()
        .subject()
        .is_some_and(|subject| !matches!(subject.kind, "dialect" | "release" | "rules" | "matrix"));
    let title = if is_code { Cow::Owned(code(&page.frame.title)) } else { line(&page.frame.title) };
    let mut text = format!("# {title}\n\n");
    draft.fill(&mut text, |href, out| {
        if href == DIAGRAM {
            let name = page.frame.path.rsplit('/').next().unwrap_or_default();
            out.push_str(stem(name));
            out.push_str(DIAGRAM);
            return;
        }
        let (path, fragment) = href.split_once('#').unwrap_or((href, ""));
        out.push_str(&page.frame.root);
        match path.strip_suffix(".html") {
            Some(stem) => out.extend([stem, ".md"]),
            None => out.push_str(path),
        }
        if !fragment.is_empty() {
            out.extend(["#", fragment]);
        }
    });
    text
}

/// The Markdown tree of a site.
#[derive(Debug)]
pub struct Tree {
    flavor: Flavor,
    /// The file for each HTML page, with its position among its siblings.
    files: FxHashMap<String, (String, usize)>,
}

impl Tree {
    /// Assigns a file to each page.
    #[must_use]
    pub fn new(pages: &[Page], flavor: Flavor) -> Tree {
        let mut files = FxHashMap::default();
        let mut taken = BTreeSet::new();
        let pages = pages.iter().filter(|page| !page.body.kind().is_finder());
        for (position, page) in pages.enumerate() {
            let wanted = path(flavor, &page.frame.path);
            let mut file = wanted.clone();
            let mut number = 2;
            while !taken.insert(file.to_lowercase()) {
                file = format!("{}-{number}.md", wanted.trim_end_matches(".md"));
                number += 1;
            }
            files.insert(page.frame.path.clone(), (file, position + 1));
        }
        Tree { flavor, files }
    }

    /// Writes a page of the tree: its path and its text.
    #[must_use]
    pub fn page(&self, page: &Page, draft: &Draft) -> Option<(String, String)> {
        let (file, position) = self.files.get(&page.frame.path)?;
        let mut text = self.front_matter(page, *position);
        let from = if self.flavor.has_addresses() { address(file) } else { file.clone() };
        let root = root_of(&from);
        let name = file.rsplit('/').next().unwrap_or(file).replace(".md", ".svg");
        draft.fill(&mut text, |href, out| {
            if href == DIAGRAM {
                // Hugo moves a page into a folder of its own, but not the files beside it.
                out.extend([if self.flavor == Flavor::Hugo { "../" } else { "./" }, &name]);
                return;
            }
            let path = href.split_once('#').map_or(href, |(path, _)| path);
            // Only pages of the tree can be linked.
            let target = match self.files.get(path) {
                None => Cow::Borrowed(path),
                Some((target, _)) if self.flavor.has_addresses() => Cow::Owned(address(target)),
                Some((target, _)) => Cow::Borrowed(target.as_str()),
            };
            out.extend(if root.is_empty() && target.is_empty() { ["./", ""] } else { [&*root, &*target] });
        });
        if self.flavor == Flavor::Starlight {
            text = known_languages(&text);
        }
        Some((file.clone(), text))
    }

    /// The front matter that the generator expects.
    fn front_matter(&self, page: &Page, position: usize) -> String {
        let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default();
        let mut out = format!("---\ntitle: {}\n", quoted(&page.frame.title));
        if !page.frame.description.is_empty() {
            let _ = writeln!(out, "description: {}", quoted(&page.frame.description));
        }
        let label = quoted(&navigation::label(page));
        let _ = match self.flavor {
            Flavor::Gfm => writeln!(out, "mdx:\n  format: md"),
            Flavor::Hugo => writeln!(out, "linkTitle: {label}\nweight: {position}"),
            Flavor::Mkdocs => Ok(()),
            Flavor::Docusaurus => {
                writeln!(out, "sidebar_label: {label}\nsidebar_position: {position}\nmdx:\n  format: md")
            }
            Flavor::Starlight => writeln!(out, "sidebar:\n  label: {label}\n  order: {position}"),
        };
        out.push_str("---\n\n");
        out
    }

    /// The navigation files that the generator expects, in the tree and beside it. `title` names the site.
    #[must_use]
    pub fn navigation(&self, pages: &[Page], title: &str) -> Vec<(String, String)> {
        let file = |page: &Page| self.files.get(&page.frame.path).map(|(file, _)| file.clone());
        match self.flavor {
            Flavor::Gfm | Flavor::Hugo => Vec::new(),
            Flavor::Mkdocs => navigation::mkdocs(pages, title, file),
            Flavor::Docusaurus => navigation::docusaurus(pages, file),
            Flavor::Starlight => navigation::starlight(pages, file),
        }
    }
}

/// Replaces languages that Starlight cannot highlight by `text`, because it warns about them.
fn known_languages(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut open = "";
    for line in text.split_inclusive('\n') {
        // An opening fence may follow the marker of a list.
        let is_before =
            |c: char| c == ' ' || c == '>' || open.is_empty() && (c == '-' || c == '.' || c.is_ascii_digit());
        let fence = line.trim_start_matches(is_before);
        let ticks = &fence[..fence.len() - fence.trim_start_matches('`').len()];
        let language = fence[ticks.len()..].trim_end();
        if open.is_empty() && ticks.len() > 2 {
            open = ticks;
            if !language.is_empty() && !STARLIGHT_LANGUAGES.contains(&language) {
                out.push_str(&line[..line.len() - fence.len() + ticks.len()]);
                out.push_str("text\n");
                continue;
            }
        } else if ticks == open && language.is_empty() {
            open = "";
        }
        out.push_str(line);
    }
    out
}

/// The file of `arith/op/cmpi.html` in a tree.
fn path(flavor: Flavor, path: &str) -> String {
    let path = stem(path);
    let (folder, name) = match path.rsplit_once('/') {
        Some((folder, name)) => (Some(folder), name),
        None => (None, path),
    };
    let name = match (flavor, folder, name) {
        (Flavor::Gfm, None, "index") => "README".to_owned(),
        (Flavor::Gfm, Some(folder), "index") => return format!("{folder}.md"),
        (Flavor::Hugo, _, "index") => "_index".to_owned(),
        // These generators derive addresses from names, so the names are already in the form of addresses.
        (Flavor::Hugo | Flavor::Starlight, _, name) => {
            name.to_lowercase().replace('.', "-").trim_start_matches('_').to_owned()
        }
        // Docusaurus skips files with a leading underscore.
        (Flavor::Docusaurus, _, name) => name.trim_start_matches('_').to_owned(),
        (_, _, name) => name.to_owned(),
    };
    let name = if name.is_empty() { "page".to_owned() } else { name };
    match folder {
        Some(folder) if flavor.has_addresses() => {
            format!("{}/{name}.md", folder.to_lowercase().replace('.', "-"))
        }
        Some(folder) => format!("{folder}/{name}.md"),
        None => format!("{name}.md"),
    }
}

/// The address of a file from the tree's root, as a folder.
fn address(file: &str) -> String {
    let stem = file.strip_suffix(".md").unwrap_or(file);
    match stem.rsplit_once('/') {
        Some((folder, "index" | "_index")) => format!("{folder}/"),
        None if matches!(stem, "index" | "_index") => String::new(),
        _ => format!("{stem}/"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_generator_has_its_names() {
        let of = |flavor| {
            [path(flavor, "index.html"), path(flavor, "a/index.html"), path(flavor, "a/op/B.c.html")]
        };
        assert_eq!(of(Flavor::Gfm), ["README.md", "a.md", "a/op/B.c.md"]);
        assert_eq!(of(Flavor::Hugo), ["_index.md", "a/_index.md", "a/op/b-c.md"]);
        assert_eq!(of(Flavor::Mkdocs), ["index.md", "a/index.md", "a/op/B.c.md"]);
        assert_eq!(of(Flavor::Starlight), ["index.md", "a/index.md", "a/op/b-c.md"]);
        assert_eq!(address("a/op/b-c.md"), "a/op/b-c/");
        assert_eq!(address("a/_index.md"), "a/");
        assert_eq!(address("index.md"), "");
    }

    #[test]
    fn code_in_an_unknown_language_is_text() {
        let md = "a\n\n````mlir\n```mlir\n````\n\n-   ```mlir\n    x\n    ```\n\n```c++\nx\n```\n";
        let expected = "a\n\n````text\n```mlir\n````\n\n-   ```text\n    x\n    ```\n\n```c++\nx\n```\n";
        assert_eq!(known_languages(md), expected);
    }

    #[test]
    fn an_unknown_flavour_is_told_the_known_ones() {
        assert_eq!("hugo".parse(), Ok(Flavor::Hugo));
        assert!("jekyll".parse::<Flavor>().is_err_and(|error| error.contains("gfm, hugo, mkdocs")));
    }
}
