//! Reads `compile_commands.json`, the list of a build's commands for Clang's tools; `ninja -t compdb` also prints it.

use serde::Deserialize;

use super::{Origin, Reading, command::Commands};

/// One command of the list, with either `command` or `arguments`.
#[derive(Deserialize)]
struct Entry {
    directory: String,
    command: Option<String>,
    #[serde(default)]
    arguments: Vec<String>,
}

/// Reads such a file; the line in an origin is the number of the entry.
#[must_use]
pub fn read(file: &str, text: &str) -> Reading {
    let mut commands = Commands::default();
    let origin = |line| Origin { file: file.to_owned(), line };
    match serde_json::from_str::<Vec<Entry>>(text) {
        Ok(entries) => {
            for (index, entry) in entries.into_iter().enumerate() {
                match entry.command {
                    Some(command) => commands.line(&command, &entry.directory, &origin(index + 1)),
                    None => commands.words(entry.arguments, &entry.directory, &origin(index + 1)),
                }
            }
        }
        Err(error) => commands.reading.warn(&origin(error.line()), error.to_string()),
    }
    commands.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms() {
        let text = r#"[
            {"directory": "/b", "command": "mlir-tblgen -gen-op-decls A.td -o A.inc", "file": "A.td"},
            {"directory": "/b", "arguments": ["mlir-tblgen", "-gen-op-defs", "A.td", "-o", "A.cpp"], "file": "A.td"},
            {"directory": "/b", "command": "c++ -c a.cpp", "file": "a.cpp"}]"#;
        let reading = read("compile_commands.json", text);
        assert_eq!(reading.calls.len(), 2);
        assert_eq!(reading.calls[1].origin.line, 2);
        assert_eq!(read("x.json", "[{]").warnings.len(), 1);
    }
}
