//! The paths that an archive may contain, and the collector that every entry goes through.
//!
//! A path is refused rather than corrected: accepted paths unpack the same on every system.

use std::{collections::BTreeMap, sync::Arc};

use odsmith_engine::bundle::Bundle;
use odsmith_tblgen::profile::is_profile;
use unicode_normalization::{UnicodeNormalization, is_nfc};

use super::{MODULE_END, Refusal, is_of_interest, too_unpacked};
use crate::config::ArchiveLimits;
use crate::store::output_folder::{self, MARKER, Marker};

/// Collects entries and refuses forbidden ones.
pub struct Names<'l> {
    limits: &'l ArchiveLimits,
    /// The folder to collect, with a slash at its end; empty for all of them.
    prefix: String,
    bundle: Bundle,
    /// The markers of folders that odsmith wrote.
    markers: BTreeMap<String, Marker>,
    /// Every path with its case folded, as it was written, and whether it is a folder.
    seen: BTreeMap<String, (String, bool)>,
    entries: u64,
    bytes: u64,
}

impl<'l> Names<'l> {
    /// Creates an empty collector.
    #[must_use]
    pub fn new(limits: &'l ArchiveLimits) -> Self {
        Names::below(limits, "")
    }

    /// Creates a collector of the files below a folder. Entries elsewhere are counted like all others, but not checked,
    /// so that links there do no harm.
    #[must_use]
    pub fn below(limits: &'l ArchiveLimits, folder: &str) -> Self {
        let folder = folder.trim_matches('/');
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        Names {
            limits,
            prefix,
            bundle: Bundle::default(),
            markers: BTreeMap::new(),
            seen: BTreeMap::new(),
            entries: 0,
            bytes: 0,
        }
    }

    /// Returns true if entries with this path are ignored. The collected folder and those above it must still be
    /// folders.
    #[must_use]
    pub fn is_outside(&self, path: &[u8]) -> bool {
        let path = without_slash(path.strip_prefix(b"./").unwrap_or(path));
        let prefix = self.prefix.as_bytes();
        let is_above = prefix.strip_prefix(path).is_some_and(|rest| rest.starts_with(b"/"));
        !path.starts_with(prefix) && !is_above
    }

    /// Returns the limits.
    #[must_use]
    pub fn limits(&self) -> &'l ArchiveLimits {
        self.limits
    }

    /// Counts an entry of any kind, before it is processed.
    ///
    /// # Errors
    /// There are too many.
    pub fn entry(&mut self) -> Result<(), Refusal> {
        self.entries += 1;
        if self.entries > self.limits.entries {
            return Err(Refusal::TooLarge {
                name: "entries",
                value: self.limits.entries,
                seen: self.entries,
            });
        }
        Ok(())
    }

    /// Counts the announced bytes of a file, before they are unpacked.
    ///
    /// # Errors
    /// They exceed a limit.
    pub fn size(&mut self, size: u64) -> Result<(), Refusal> {
        if size > self.limits.file_bytes {
            return Err(Refusal::TooLarge { name: "file_bytes", value: self.limits.file_bytes, seen: size });
        }
        self.bytes += size;
        if self.bytes > self.limits.unpacked_bytes {
            return Err(too_unpacked(self.limits.unpacked_bytes, self.bytes));
        }
        Ok(())
    }

    /// Adds a folder.
    ///
    /// # Errors
    /// Its path is refused.
    pub fn folder(&mut self, path: &[u8]) -> Result<(), Refusal> {
        let path = without_slash(path);
        if matches!(path, b"" | b".") {
            return Ok(());
        }
        let path = self.check(path)?;
        self.see(&path, true)
    }

    /// Adds a file.
    ///
    /// # Errors
    /// Its path is refused.
    pub fn file(
        &mut self,
        path: &[u8],
        content: impl FnOnce() -> Result<Vec<u8>, Refusal>,
    ) -> Result<(), Refusal> {
        let path = self.check(path)?;
        self.see(&path, false)?;
        let content = content()?;
        if is_of_interest(&path)
            || is_profile(&path)
            || path.ends_with(MODULE_END)
            || self.limits.also.iter().any(|end| path.ends_with(end))
        {
            self.bundle.insert(path, content);
        } else if let Some(folder) = path.strip_suffix(MARKER).filter(|it| it.is_empty() || it.ends_with('/'))
            && let Some(marker) = Marker::parse(&content)
        {
            self.markers.insert(folder.trim_end_matches('/').to_owned(), marker);
        }
        Ok(())
    }

    /// Returns the bundle.
    ///
    /// # Errors
    /// A path is a file and also a folder of another.
    pub fn finish(self) -> Result<Bundle, Refusal> {
        for (folded, (path, _)) in &self.seen {
            for (at, _) in folded.match_indices('/') {
                if self.seen.get(&folded[..at]).is_some_and(|(_, is_folder)| !is_folder) {
                    return refuse(path, "lies below a path that is a file");
                }
            }
        }
        if self.markers.is_empty() {
            return Ok(self.bundle);
        }
        let kept = output_folder::sources(self.bundle.iter().map(|(path, _)| path), &self.markers);
        let mut bundle = Bundle::default();
        for (path, bytes) in self.bundle.iter().filter(|(path, _)| kept.contains(*path)) {
            bundle.insert(path, Arc::clone(bytes));
        }
        Ok(bundle)
    }

    fn check(&self, path: &[u8]) -> Result<String, Refusal> {
        let shown = || String::from_utf8_lossy(path).into_owned();
        let Ok(text) = std::str::from_utf8(path) else { return refuse(shown(), "is not UTF-8") };
        let text = text.strip_prefix("./").unwrap_or(text);
        let (bytes, depth) = (text.len() as u64, text.split('/').count() as u64);
        if bytes > self.limits.path_bytes {
            return Err(Refusal::TooLarge { name: "path_bytes", value: self.limits.path_bytes, seen: bytes });
        }
        if depth > self.limits.path_depth {
            return Err(Refusal::TooLarge { name: "path_depth", value: self.limits.path_depth, seen: depth });
        }
        match fault(text) {
            Some(reason) => refuse(text, reason),
            None => Ok(text.to_owned()),
        }
    }

    fn see(&mut self, path: &str, is_folder: bool) -> Result<(), Refusal> {
        match self.seen.insert(folded(path), (path.to_owned(), is_folder)) {
            // Archivers list some folders more than once.
            Some((earlier, true)) if is_folder && earlier == path => Ok(()),
            Some((earlier, _)) if earlier == path => refuse(path, "is there twice"),
            Some((earlier, _)) => {
                refuse(path, format!("differs from '{}' in case only", earlier.escape_debug()))
            }
            None => Ok(()),
        }
    }
}

fn refuse<T>(path: impl Into<String>, reason: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Path { path: path.into(), reason: reason.into() })
}

fn without_slash(path: &[u8]) -> &[u8] {
    path.strip_suffix(b"/").unwrap_or(path)
}

/// Returns a path in the form in which two paths that collide on some system are equal.
fn folded(path: &str) -> String {
    // Upper case first: it expands characters that lower case alone keeps distinct, such as ß and ss.
    path.to_uppercase().to_lowercase().nfc().collect()
}

/// Returns the fault of a path, if it has one.
#[must_use]
pub fn fault(path: &str) -> Option<&'static str> {
    if path.is_empty() {
        return Some("is empty");
    }
    if path.starts_with('/') {
        return Some("is absolute");
    }
    if path.contains('\\') {
        return Some("holds a backslash");
    }
    if path.contains('\0') {
        return Some("holds a NUL");
    }
    if path.chars().any(char::is_control) {
        return Some("holds a control character");
    }
    if path.contains(':') {
        return Some("holds a colon, as drive letters do");
    }
    if !is_nfc(path) {
        return Some("is not in normal form C");
    }
    path.split('/').find_map(segment_fault)
}

fn segment_fault(segment: &str) -> Option<&'static str> {
    match segment {
        "" => Some("has an empty segment"),
        "." => Some("has a segment '.'"),
        ".." => Some("has a segment '..'"),
        _ if segment.ends_with(['.', ' ']) => Some("has a segment that ends with a dot or a space"),
        _ if segment.len() > 255 => Some("has a segment of more than 255 bytes"),
        _ if is_device(segment) => Some("has the name of a Windows device"),
        _ => None,
    }
}

fn is_device(segment: &str) -> bool {
    let stem = segment.split('.').next().unwrap_or(segment).trim_end().to_ascii_uppercase();
    let numbered = |port: &str| {
        let number = stem.strip_prefix(port).and_then(|number| number.chars().next());
        stem.chars().count() == 4
            && number.is_some_and(|number| matches!(number, '1'..='9' | '¹' | '²' | '³'))
    };
    matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$")
        || numbered("COM")
        || numbered("LPT")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_paths() {
        for path in ["a.td", "include/Foo/IR/FooOps.td", "ä/ß.td", "console.td", "com.td", "COM0", "a b"] {
            assert_eq!(fault(path), None, "{path}");
        }
    }

    #[test]
    fn bad_paths() {
        let bad = [
            "",
            "/a",
            "a//b",
            "a/",
            "./a",
            "a/./b",
            "../a",
            "a/..",
            "a\\b",
            "c:a",
            "a\0b",
            "a\nb",
            "a.",
            "a ",
            "nul",
            "aux.td",
            "x/Com1.inc",
            "LPT³",
            "e\u{301}",
        ];
        for path in bad {
            assert!(fault(path).is_some(), "{path:?}");
        }
    }

    #[test]
    fn folding_finds_collisions() {
        assert_eq!(folded("Straße"), folded("STRASSE"));
        assert_ne!(folded("a"), folded("b"));
    }
}
