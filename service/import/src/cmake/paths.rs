//! Commands that compute paths: `get_filename_component`, `cmake_path`, `file`.

use super::{Run, absolute, folder_of};
use crate::{below, relative};

/// The most files that a pattern of `file(GLOB)` matches.
const MOST_MATCHES: usize = 10_000;

impl Run<'_> {
    pub(super) fn file_name_part(&mut self, words: &[String]) {
        let [name, path, part, ..] = words else { return };
        let file = path.rsplit('/').next().unwrap_or(path);
        let value = match part.as_str() {
            "NAME" => file.to_owned(),
            "NAME_WE" => file.split('.').next().unwrap_or(file).to_owned(),
            "NAME_WLE" => file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_owned(),
            "DIRECTORY" | "PATH" => folder_of(path).to_owned(),
            "EXT" => file.split_once('.').map(|(_, end)| format!(".{end}")).unwrap_or_default(),
            "LAST_EXT" => file.rsplit_once('.').map(|(_, end)| format!(".{end}")).unwrap_or_default(),
            _ => {
                let base = words.iter().position(|word| word == "BASE_DIR").and_then(|at| words.get(at + 1));
                absolute(base.unwrap_or(&self.text_of("CMAKE_CURRENT_SOURCE_DIR")), path)
            }
        };
        self.set(name, value);
    }

    /// Reads `cmake_path(GET|SET|APPEND …)`.
    pub(super) fn path_part(&mut self, words: &[String]) {
        match words {
            [get, from, part, rest @ ..] if get == "GET" => {
                let (is_last, out) = match rest {
                    [last, out] if last == "LAST_ONLY" => (true, out),
                    [out] => (false, out),
                    _ => return,
                };
                let part = match (part.as_str(), is_last) {
                    ("FILENAME", _) => "NAME",
                    ("STEM", false) => "NAME_WE",
                    ("STEM", true) => "NAME_WLE",
                    ("EXTENSION", false) => "EXT",
                    ("EXTENSION", true) => "LAST_EXT",
                    ("PARENT_PATH", _) => "DIRECTORY",
                    _ => return self.forget(out),
                };
                let path = self.text_of(from);
                self.file_name_part(&[out.clone(), path, part.to_owned()]);
            }
            [set, name, value] if set == "SET" => self.set(name, value.clone()),
            [append, name, parts @ ..] if append == "APPEND" => match parts {
                [parts @ .., output, out] if output == "OUTPUT_VARIABLE" => {
                    let path = [&[self.text_of(name)], parts].concat().join("/");
                    self.set(out, path);
                }
                parts => {
                    let path = [&[self.text_of(name)], parts].concat().join("/");
                    self.set(name, path);
                }
            },
            [_, name, ..] => self.forget(name),
            _ => {}
        }
    }

    /// Reads `file(GLOB|GLOB_RECURSE|RELATIVE_PATH …)`.
    pub(super) fn file_list(&mut self, words: &[String]) {
        match words {
            [relative_path, out, from, to] if relative_path == "RELATIVE_PATH" => {
                self.set(out, relative(from, to))
            }
            [glob, out, rest @ ..] if glob.starts_with("GLOB") => {
                let is_deep = glob == "GLOB_RECURSE";
                let here = self.text_of("CMAKE_CURRENT_SOURCE_DIR");
                let mut base = None;
                let mut files = Vec::new();
                let mut rest = rest;
                while let [word, after @ ..] = rest {
                    rest = after;
                    match (word.as_str(), after) {
                        ("RELATIVE", [folder, after @ ..]) => {
                            base = Some(folder.clone());
                            rest = after;
                        }
                        ("LIST_DIRECTORIES", [_, after @ ..]) => rest = after,
                        ("CONFIGURE_DEPENDS" | "FOLLOW_SYMLINKS", _) => {}
                        (pattern, _) => files.extend(self.matches(&absolute(&here, pattern), is_deep)),
                    }
                }
                files.sort();
                files.dedup();
                let files = files.into_iter().map(|file| match &base {
                    Some(base) => relative(base, &file),
                    None => file,
                });
                let files: Vec<String> = files.collect();
                self.set(out, files.join(";"));
            }
            _ => {}
        }
    }

    /// Returns the files of the project that match a pattern; only its last part has wildcards.
    fn matches(&mut self, pattern: &str, is_deep: bool) -> Vec<String> {
        let Some((folder, pattern)) = pattern.rsplit_once('/') else { return Vec::new() };
        if folder.contains(['*', '?', '$']) || !self.tree.is_own(folder) {
            self.warn(format!("the files of '{folder}/{pattern}' are not known: they are left out"));
            return Vec::new();
        }
        let is_wanted = |name: &str| is_match(pattern.as_bytes(), name.as_bytes());
        let found = self.tree.project.files(folder, &is_wanted).unwrap_or_default();
        let found = found.into_iter().filter(|path| is_deep || !path.contains('/')).take(MOST_MATCHES);
        found.map(|path| format!("{folder}/{path}")).filter(|path| below(path, folder).is_some()).collect()
    }
}

/// Returns true if a name matches a pattern with `*` and `?`.
fn is_match(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut seen) = (0, 0);
    // The last star, with the rest of the name that it was tried with.
    let mut star: Option<(usize, usize)> = None;
    while seen < name.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at + 1, seen));
                at += 1;
            }
            Some(byte) if *byte == b'?' || *byte == name[seen] => {
                at += 1;
                seen += 1;
            }
            _ => {
                let Some((after, from)) = star else { return false };
                star = Some((after, from + 1));
                (at, seen) = (after, from + 1);
            }
        }
    }
    pattern[at..].iter().all(|byte| *byte == b'*')
}
