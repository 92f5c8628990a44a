//! Reads `tablegen_compile_commands.yml`, which CMake writes for editors: a document for each call of the tool.
//!
//! ```text
//! --- !FileInfo:
//!   filepath: "/src/include/Foo/FooOps.td"
//!   includes: "/src/include/Foo;/src/include"
//! ```

use saphyr_parser::{Event, Parser};

use super::{Origin, Warning};

/// The include folders of a root file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileInfo {
    /// The place in the list.
    pub origin: Origin,
    /// The file, as an absolute path.
    pub td: String,
    /// The folders, in order.
    pub includes: Vec<String>,
}

/// Reads such a list. For each file the last document counts: it has the folders of the call itself.
#[must_use]
pub fn read(file: &str, text: &str) -> (Vec<FileInfo>, Option<Warning>) {
    let (mut files, mut warning): (Vec<FileInfo>, _) = (Vec::new(), None);
    let mut info: Option<FileInfo> = None;
    let mut key: Option<String> = None;
    for event in Parser::new_from_str(text) {
        let (event, span) = match event {
            Ok(event) => event,
            Err(error) => {
                let origin = Origin { file: file.to_owned(), line: error.marker().line() };
                let message = format!("{}: the rest is left out", error.info());
                warning = Some(Warning { origin, message });
                break;
            }
        };
        match event {
            Event::MappingStart(..) => {
                let origin = Origin { file: file.to_owned(), line: span.start.line() };
                info = Some(FileInfo { origin, td: String::new(), includes: Vec::new() });
            }
            Event::Scalar(text, ..) => match (key.take(), &mut info) {
                (Some(name), Some(info)) if name == "filepath" => info.td = text.into_owned(),
                (Some(name), Some(info)) if name == "includes" => {
                    for folder in text.split(';').filter(|folder| !folder.is_empty()) {
                        if !info.includes.iter().any(|known| known == folder) {
                            info.includes.push(folder.to_owned());
                        }
                    }
                }
                (Some(_), _) => {}
                (None, _) => key = Some(text.into_owned()),
            },
            Event::MappingEnd => {
                if let Some(info) = info.take().filter(|info| !info.td.is_empty()) {
                    files.retain(|known| known.td != info.td);
                    files.push(info);
                }
            }
            _ => {}
        }
    }
    (files, warning)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents() {
        let text = "--- !FileInfo:\n  filepath: \"/s/A.td\"\n  includes: \"/s;/i\"\n\
                    --- !FileInfo:\n  filepath: \"/s/B.td\"\n  includes: \"/s;/s;/j\"\n\
                    --- !FileInfo:\n  filepath: \"/s/A.td\"\n  includes: \"/s;/k\"\n";
        let (files, warning) = read("x.yml", text);
        assert_eq!(warning, None);
        let files: Vec<_> = files.iter().map(|info| (info.td.as_str(), info.includes.join(" "))).collect();
        assert_eq!(files, [("/s/B.td", "/s /j".to_owned()), ("/s/A.td", "/s /k".to_owned())]);
        assert!(read("x.yml", "a: [").1.is_some());
    }
}
