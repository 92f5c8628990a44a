//! Recorded files of the repository, which `ODSMITH_REGENERATE=1` writes.

use std::{env, fs};

use crate::set_up::repository;

/// Compares a text with a recorded file.
///
/// # Panics
/// When they differ, or the file cannot be written.
pub fn compare(path: &str, text: &str) {
    let place = repository().join(path);
    if env::var_os("ODSMITH_REGENERATE").is_some() {
        fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
        fs::write(&place, text).expect("a file");
    }
    let known = fs::read_to_string(&place).unwrap_or_default();
    let differing = known.lines().zip(text.lines()).find(|(known, made)| known != made);
    assert!(known == text, "{path} differs; ODSMITH_REGENERATE=1 writes it anew: {differing:?}");
}
