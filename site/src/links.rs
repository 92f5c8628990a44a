//! Addresses: the page of each definition, and links between pages.

use std::collections::BTreeMap;

use crate::markdown::escape;

/// The first page of a site.
pub const HOME: &str = "index.html";

/// Fragments that the frame of a page uses.
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
    "versions",
];

/// Assigns unique file names and fragments, also for file systems that ignore case.
#[derive(Clone, Debug, Default)]
pub struct Slugs {
    /// The assigned names in lower case, with the name that each was requested for.
    taken: BTreeMap<String, String>,
    /// The next number to try, by the name in lower case that many ask for.
    next: BTreeMap<String, usize>,
}

/// Device names of Windows, which are reserved with any file extension.
const DEVICES: &[&str] = &["aux", "con", "nul", "prn"];

/// Tests if Windows refuses a file of this name.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
    let port = |prefix: &str| {
        stem.strip_prefix(prefix).is_some_and(|rest| rest.len() == 1 && rest.as_bytes()[0].is_ascii_digit())
    };
    DEVICES.contains(&stem.as_str()) || port("com") || port("lpt")
}

/// A hash of six digits that depends only on the text (FNV-1a).
fn digits_of(text: &str) -> String {
    let hash =
        text.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    format!("{:06x}", hash >> 8)
}

impl Slugs {
    /// Assigns a free name similar to `wanted`, with letters, digits, `_`, `-` and `.` only.
    pub fn take(&mut self, wanted: &str) -> String {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        let mut base: String = wanted.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
        if base.trim_matches('.').is_empty() {
            base = format!("_{}", base.trim_matches('.'));
        }
        // Long names would exceed the limit for file names.
        base.truncate(120);
        if is_device(&base) {
            base.insert(0, '_');
        }
        let mut slug = base.clone();
        // The suffix depends on the name alone, so later additions do not change the address of this one.
        if self.taken.get(&slug.to_ascii_lowercase()).is_some_and(|known| known != wanted) {
            base = format!("{base}-{}", digits_of(wanted));
            slug.clone_from(&base);
        }
        if self.taken.contains_key(&slug.to_ascii_lowercase()) {
            slug = self.numbered(&base);
        }
        self.taken.insert(slug.to_ascii_lowercase(), wanted.to_owned());
        slug
    }
}

impl Slugs {
    /// Returns the first free name with a number. Each name stays taken, so the search begins after the last number.
    fn numbered(&mut self, base: &str) -> String {
        let next = self.next.entry(base.to_ascii_lowercase()).or_insert(2);
        loop {
            let slug = format!("{base}-{next}");
            *next += 1;
            if !self.taken.contains_key(&slug.to_ascii_lowercase()) {
                return slug;
            }
        }
    }

    /// Assigns a free path similar to `wanted`.
    pub fn take_path(&mut self, wanted: &str) -> String {
        let parts = wanted.split('/').filter(|part| !part.is_empty());
        let plain: Vec<String> = parts.map(|part| Slugs::default().take(part)).collect();
        let mut path = plain.join("/");
        if self.taken.contains_key(&path.to_ascii_lowercase()) {
            path = self.numbered(&path);
        }
        self.taken.insert(path.to_ascii_lowercase(), wanted.to_owned());
        path
    }
}

/// The pages by the names that lead to them.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    /// Operations, types (`!…`) and attributes (`#…`) as spelled in the IR.
    pub ir: BTreeMap<String, String>,
    /// Types, attributes, enums and interfaces by C++ class with namespace.
    pub cpp: BTreeMap<String, String>,
    /// Definitions by the names of their records, as `.td` files have them.
    pub records: BTreeMap<String, String>,
    /// Traits by name.
    pub traits: BTreeMap<String, String>,
    /// Named constraints.
    pub constraints: BTreeMap<String, String>,
    /// Names in readers' spelling: `arith.addf` for `arith/op/addf.html`.
    pub names: BTreeMap<String, String>,
    /// Fragments under which other generators publish the same definitions.
    pub anchors: BTreeMap<String, String>,
    /// Operations, types, classes and traits on other sites, with absolute addresses.
    pub outside: BTreeMap<String, String>,
}

impl Registry {
    /// The page for a code span, if it names a definition.
    #[must_use]
    pub fn code(&self, text: &str) -> Option<&str> {
        let text = text.trim();
        if let Some(href) = self.ir.get(text) {
            return Some(href);
        }
        if let Some(href) = self.outside.get(text).filter(|_| text.contains('.')) {
            return Some(href);
        }
        // A lone lower-case word is more likely prose than a name.
        let is_name = text.len() > 3 && text.starts_with(|c: char| c.is_ascii_uppercase() || c == ':');
        if !is_name {
            return None;
        }
        let text = text.trim_start_matches("::");
        let direct = self.cpp.get(text).or_else(|| self.cpp.get(&format!("mlir::{text}")));
        let named = || self.traits.get(text).or_else(|| self.constraints.get(text));
        let elsewhere = || self.outside.get(text).or_else(|| self.outside.get(&format!("mlir::{text}")));
        direct.or_else(named).or_else(elsewhere).map(String::as_str)
    }
}

/// The path of a page without `.html`, for its sibling files.
#[must_use]
pub fn stem(path: &str) -> &str {
    path.strip_suffix(".html").unwrap_or(path)
}

/// The path from a page to the root: one `../` per folder.
#[must_use]
pub fn root_of(path: &str) -> String {
    "../".repeat(path.matches('/').count())
}

/// Makes an address relative to a page; `root` leads from the page to the site's root.
#[must_use]
pub fn from_page(root: &str, href: &str) -> String {
    if href.starts_with('#') || href.contains("://") { href.to_owned() } else { format!("{root}{href}") }
}

/// Writes an address relative to a page, escaped for HTML.
pub fn write_from_page(root: &str, href: &str, html: &mut String) {
    if !(href.starts_with('#') || href.contains("://")) {
        html.push_str(root);
    }
    escape(href, html);
}

/// Tests if a link is to the web or a mail address; other schemes could run or read something.
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
        let other = slugs.take("sin");
        assert_eq!(other, format!("sin-{}", digits_of("sin")));
        // A third name does not change the second one's slug.
        let mut more = Slugs::default();
        more.take("SIN");
        more.take("Sin");
        assert_eq!(more.take("sin"), other);
        assert_eq!(slugs.take("x"), "x");
        assert_eq!(slugs.take("x"), "x-2");
        assert_eq!(slugs.take("../x"), ".._x");
        assert_eq!(slugs.take(".."), "_");
    }

    #[test]
    fn names_that_windows_refuses_are_none() {
        let mut slugs = Slugs::default();
        assert_eq!(slugs.take("aux"), "_aux");
        assert_eq!(slugs.take("NUL.x"), "_NUL.x");
        assert_eq!(slugs.take("com1"), "_com1");
        assert_eq!(slugs.take("auxiliary"), "auxiliary");
        assert_eq!(slugs.take_path("docs/con"), "docs/_con");
    }

    #[test]
    fn only_web_and_mail_links_stand() {
        assert!(is_external("https://mlir.llvm.org"));
        assert!(!is_external("javascript:alert(1)"));
        assert!(!is_external("../Rationale.md"));
    }
}
