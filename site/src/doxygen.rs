//! Links from C++ classes to the project's Doxygen pages.

use std::collections::BTreeMap;

/// The Doxygen pages of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doxygen {
    /// Their address.
    pub url: String,
    /// The classes that have a page, if the tag file is known.
    pub tags: Option<Tags>,
}

/// A tag file: the page of each class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags {
    pages: BTreeMap<String, String>,
}

impl Tags {
    /// Reads a tag file, which Doxygen writes with one element on each line.
    ///
    /// # Errors
    /// The text is not such a file.
    pub fn read(text: &str) -> Result<Tags, String> {
        if !text.contains("<tagfile") {
            return Err("this is not a tag file of Doxygen: it has no <tagfile>".to_owned());
        }
        let mut tags = Tags::default();
        let mut name: Option<String> = None;
        let mut is_class = false;
        for line in text.lines().map(str::trim) {
            if line.starts_with("<compound") {
                is_class = line.contains("kind=\"class\"") || line.contains("kind=\"struct\"");
                name = None;
            } else if line.starts_with("<member") {
                // Names of members follow that of the class.
                is_class = false;
            } else if let Some(text) = element(line, "name").filter(|_| is_class && name.is_none()) {
                name = Some(text);
            } else if let (true, Some(class), Some(file)) = (is_class, &name, element(line, "filename")) {
                // Older releases leave the ending out.
                let file = if file.contains('.') { file } else { format!("{file}.html") };
                tags.pages.insert(class.clone(), file);
                is_class = false;
            }
        }
        Ok(tags)
    }
}

/// The text of an element that is alone on its line.
fn element(line: &str, name: &str) -> Option<String> {
    let inside = line.strip_prefix(&format!("<{name}>"))?.strip_suffix(&format!("</{name}>"))?;
    Some(inside.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&"))
}

impl Doxygen {
    /// The address of the page of a class; `None` if the tag file does not have it.
    #[must_use]
    pub fn address(&self, class: &str) -> Option<String> {
        let class = class.trim_start_matches("::");
        let file = match &self.tags {
            Some(tags) => tags.pages.get(class)?.clone(),
            None if class.is_empty() => return None,
            None => format!("class{}.html", file_name(class)),
        };
        Some(format!("{}/{file}", self.url.trim_end_matches('/')))
    }
}

/// The name of a class as Doxygen writes it in file names.
fn file_name(class: &str) -> String {
    class.replace('_', "__").replace("::", "_1_1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_has_the_address_that_doxygen_gives_it() {
        let mut doxygen = Doxygen { url: "https://example.org/doxygen/".to_owned(), tags: None };
        let address = "https://example.org/doxygen/classmlir_1_1my__ns_1_1AddOp.html";
        assert_eq!(doxygen.address("::mlir::my_ns::AddOp").as_deref(), Some(address));
        assert_eq!(doxygen.address(""), None);
        let tags = "<?xml version='1.0'?>\n<tagfile doxygen_version=\"1.9.8\">\n  <compound kind=\"file\">\n    <name>A.h</name>\n    \
                    <filename>A_8h.html</filename>\n  </compound>\n  <compound kind=\"class\">\n    <name>my::A</name>\n    \
                    <filename>structmy_1_1A</filename>\n    <member kind=\"function\">\n      <name>f</name>\n    </member>\n  \
                    </compound>\n</tagfile>\n";
        doxygen.tags = Some(Tags::read(tags).unwrap());
        let address = "https://example.org/doxygen/structmy_1_1A.html";
        assert_eq!(doxygen.address("my::A").as_deref(), Some(address));
        assert_eq!(doxygen.address("my::B"), None);
        assert!(Tags::read("<html>").is_err());
    }
}
