//! Addresses: what page a thing has, and how one page leads to another.

use std::collections::{BTreeMap, BTreeSet};

use crate::markdown::escape;

/// Fragments that the frame of a page takes.
pub const CHROME_IDS: &[&str] = &[
    "dense",
    "dialects",
    "filter",
    "filtered",
    "found",
    "help",
    "help-open",
    "help-title",
    "keys",
    "main",
    "menu",
    "search",
    "search-panel",
    "search-preview",
    "search-results",
    "side",
    "theme",
];

/// Hands out file names and fragments, each once, also on file systems that ignore case.
#[derive(Clone, Debug, Default)]
pub struct Slugs {
    taken: BTreeSet<String>,
}

impl Slugs {
    /// A free name like `wanted`, with letters, digits, `_`, `-` and `.` only.
    pub fn take(&mut self, wanted: &str) -> String {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        let mut base: String = wanted.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
        if base.trim_matches('.').is_empty() {
            base = format!("_{}", base.trim_matches('.'));
        }
        // Long names would not fit into a file name.
        base.truncate(120);
        let mut slug = base.clone();
        let mut number = 2;
        while !self.taken.insert(slug.to_ascii_lowercase()) {
            slug = format!("{base}-{number}");
            number += 1;
        }
        slug
    }
}

impl Slugs {
    /// A free path like `wanted`: a name in each of its folders.
    pub fn take_path(&mut self, wanted: &str) -> String {
        let parts = wanted.split('/').filter(|part| !part.is_empty());
        let plain: Vec<String> = parts.map(|part| Slugs::default().take(part)).collect();
        let mut path = plain.join("/");
        let mut number = 2;
        while !self.taken.insert(path.to_ascii_lowercase()) {
            path = format!("{}-{number}", plain.join("/"));
            number += 1;
        }
        path
    }
}

/// Which page describes what.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    /// Operations, types (`!…`) and attributes (`#…`) as they are written in the IR.
    pub ir: BTreeMap<String, String>,
    /// Types, attributes, enums and interfaces by C++ class with namespace.
    pub cpp: BTreeMap<String, String>,
    /// Traits by name.
    pub traits: BTreeMap<String, String>,
    /// Named constraints.
    pub constraints: BTreeMap<String, String>,
    /// What readers know a page by: `arith.addf` for `arith/op/addf.html`.
    pub names: BTreeMap<String, String>,
    /// Fragments under which other generators have published the same things.
    pub anchors: BTreeMap<String, String>,
}

impl Registry {
    /// The page of what a code span names, if it names something.
    #[must_use]
    pub fn code(&self, text: &str) -> Option<&str> {
        let text = text.trim();
        if let Some(href) = self.ir.get(text) {
            return Some(href);
        }
        // A lone lower-case word is prose more often than it is a name.
        let is_name = text.len() > 3 && text.starts_with(|c: char| c.is_ascii_uppercase() || c == ':');
        if !is_name {
            return None;
        }
        let text = text.trim_start_matches("::");
        let direct = self.cpp.get(text).or_else(|| self.cpp.get(&format!("mlir::{text}")));
        let named = || self.traits.get(text).or_else(|| self.constraints.get(text));
        direct.or_else(named).map(String::as_str)
    }
}

/// A page without the end of its file's name, for what lies beside it.
#[must_use]
pub fn stem(path: &str) -> &str {
    path.strip_suffix(".html").unwrap_or(path)
}

/// `../` as often as the page lies deep.
#[must_use]
pub fn root_of(path: &str) -> String {
    "../".repeat(path.matches('/').count())
}

/// An address as seen from a page `root` below the site's root.
#[must_use]
pub fn from_page(root: &str, href: &str) -> String {
    if href.starts_with('#') || href.contains("://") { href.to_owned() } else { format!("{root}{href}") }
}

/// The same, escaped for HTML.
pub fn write_from_page(root: &str, href: &str, html: &mut String) {
    if !(href.starts_with('#') || href.contains("://")) {
        html.push_str(root);
    }
    escape(href, html);
}

/// Whether an author's link may be kept: the web and mail, nothing that runs or reads.
#[must_use]
pub fn is_external(href: &str) -> bool {
    let scheme = href.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    matches!(scheme.as_deref(), Some("http" | "https" | "mailto"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_in_case_get_different_files() {
        let mut slugs = Slugs::default();
        assert_eq!(slugs.take("Sin"), "Sin");
        assert_eq!(slugs.take("sin"), "sin-2");
        assert_eq!(slugs.take("../x"), ".._x");
        assert_eq!(slugs.take(".."), "_");
    }

    #[test]
    fn only_web_and_mail_links_stand() {
        assert!(is_external("https://mlir.llvm.org"));
        assert!(!is_external("javascript:alert(1)"));
        assert!(!is_external("../Rationale.md"));
    }
}
