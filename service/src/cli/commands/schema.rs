//! `odsmith schema`: describes the files that Odsmith reads and writes, for editors and for readers.

use std::fmt::Write as _;

use clap::{Args, ValueEnum};
use odsmith_engine::plugin::protocol;
use serde_json::Value;

use super::{display, exit::ExitStatus, options::pretty, reference};
use crate::pipeline::{manifest::FILE_NAME, schemas};

/// The arguments of `odsmith schema`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The file
    #[arg(value_enum)]
    of: File,
    /// As a page to read, in place of JSON Schema; of the manifest only
    #[arg(long)]
    markdown: bool,
}

/// A file whose form is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum File {
    /// odsmith.toml
    Manifest,
    /// model.json
    Model,
    /// The JSON of `odsmith diff`
    Diff,
    /// The messages between odsmith and a plugin
    Plugin,
    /// The command line itself: commands, flags, examples and exit codes, as JSON
    Commands,
}

impl Options {
    /// Runs the command.
    ///
    /// # Errors
    /// A page is requested for a file without one, or the text cannot be printed.
    pub fn run(self) -> Result<ExitStatus, String> {
        let text = match (self.of, self.markdown) {
            (File::Manifest, true) => page(),
            (File::Manifest, false) => format!("{:#}\n", schemas::manifest_schema()),
            (File::Model, true) => {
                return Err("model.json has no page; its JSON Schema describes it".to_owned());
            }
            (File::Diff, true) => {
                return Err("the JSON of a comparison has no page; its JSON Schema describes it".to_owned());
            }
            (File::Plugin, true) => {
                return Err(
                    "the messages of plugins have no page; their JSON Schema describes them".to_owned()
                );
            }
            (File::Commands, true) => {
                return Err("the command line has no page; `odsmith man` writes manual pages".to_owned());
            }
            (File::Commands, false) => pretty(&reference::commands()),
            (File::Model, false) => schemas::model_schema(),
            (File::Diff, false) => schemas::diff_schema().to_owned(),
            (File::Plugin, false) => pretty(&protocol::schema()),
        };
        display::print(&text)?;
        Ok(ExitStatus::Done)
    }
}

/// The head of the page: the place and the purpose of the file, with an example.
const ABOUT: &str = r#"`odsmith.toml` lies in the folder of a project. No project needs one: Odsmith finds roots, includes, outputs and the release by
itself, and a file only says what should be otherwise. `odsmith init` writes one with what was found; `odsmith schema manifest`
prints its JSON Schema for editors.

```toml
schema = 1
mlir = "22"                              # the release of MLIR that the project is written for
exclude = ["test/"]                      # no sources; includes still read them
includes = ["include", "<stablehlo>"]

[dependencies]
stablehlo = { path = "../stablehlo" }    # or url, sha256 and strip-prefix

[docs]
title = "My dialects"
source-url = "https://example.org/my-project/blob/main/{path}#L{line}"

[lint]
ignore = ["DOC"]
```

A flag of the command line comes before the environment, that before this file, and this file before what is found.
Lists add to each other, other values replace each other. Only the command line has dependencies by path; a server gets their
files in the bundle, below a folder `<stablehlo>`.
"#;

/// Returns the reference page of the manifest.
#[must_use]
pub fn page() -> String {
    let schema = schemas::manifest_schema();
    let mut text = format!("# `{FILE_NAME}`\n\n{ABOUT}");
    let Some(definitions) = schema["$defs"].as_object() else { return text };
    // The whole comes first, then its parts.
    let (whole, parts): (Vec<_>, Vec<_>) = definitions.iter().partition(|(name, _)| *name == "Manifest");
    for (name, definition) in whole.into_iter().chain(parts) {
        // Writing to a string cannot fail.
        let _ = write_part(&mut text, name, definition);
    }
    text
}

fn write_part(text: &mut String, name: &str, definition: &Value) -> std::fmt::Result {
    writeln!(text, "\n## {name}\n\n{}", definition["description"].as_str().unwrap_or_default())?;
    if let Some(words) = definition["enum"].as_array() {
        let words: Vec<String> =
            words.iter().filter_map(|word| Some(format!("`{}`", word.as_str()?))).collect();
        writeln!(text, "\nOne of {}.", words.join(", "))?;
    }
    let Some(fields) = definition["properties"].as_object() else { return Ok(()) };
    writeln!(text, "\n| field | type | what it says |\n| --- | --- | --- |")?;
    for (name, field) in fields {
        writeln!(text, "| `{name}` | {} | {} |", kind(field), description(field))?;
    }
    Ok(())
}

/// Returns the description of a field; for an optional part, that of the part.
fn description(field: &Value) -> String {
    let parts = field["oneOf"].as_array().into_iter().flatten();
    let mut all = std::iter::once(field).chain(parts).filter_map(|it| it["description"].as_str());
    // A row of a table is one line.
    all.next().unwrap_or_default().replace('\n', " ")
}

/// Returns the type of a field in words.
fn kind(field: &Value) -> String {
    // An optional part.
    let alternatives = field["oneOf"].as_array().into_iter().flatten();
    if let Some(part) = alternatives.into_iter().find(|part| part["type"] != "null") {
        return kind(part);
    }
    if let Some(part) = field["$ref"].as_str() {
        let name = part.rsplit('/').next().unwrap_or(part);
        // Fragments have no dots.
        return format!("[{name}](#{})", name.to_lowercase().replace('.', ""));
    }
    let types = field["type"].as_array();
    let is_known = |name: &&Value| name.as_str() != Some("null");
    let name = types.and_then(|types| types.iter().find(is_known)).unwrap_or(&field["type"]);
    match name.as_str() {
        Some("array") => format!("list of {}", kind(&field["items"])),
        Some(name) => name.to_owned(),
        None => "any".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_the_one_that_was_read() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/manual/reference/manifest.md");
        if std::env::var_os("ODSMITH_REGENERATE").is_some() {
            std::fs::write(path, page()).expect("a page");
        }
        let known = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            known == page(),
            "service/manual/reference/manifest.md differs; ODSMITH_REGENERATE=1 writes it anew"
        );
    }

    #[test]
    fn every_field_has_a_type_and_a_sentence() {
        let page = page();
        assert!(
            page.contains("| `library` | string |")
                && page.contains("| `target` | list of [Target](#target) |")
        );
        assert!(!page.contains("| any |") && !page.contains("|  |"), "{page}");
        let is_whole = |line: &str| line.starts_with('|') == line.ends_with('|');
        assert!(page.lines().all(is_whole), "{page}");
    }
}
