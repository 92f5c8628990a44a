//! Computes when a name was added and when its syntax last changed, from the `index.json` of the previous release.
//!
//! That file already includes what earlier ones said, so each release needs only the last one.

use std::{collections::BTreeMap, fmt::Write as _};

use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::{
    changes::{Event, Steps},
    machine::INDEX_SCHEMA,
    pages::{Book, Page, kind::Subject},
    view::{Badge, Part, Token},
};

/// The length of a shape in hexadecimal digits.
const SHAPE_DIGITS: usize = 16;

/// The name of this release and the definitions of earlier ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    release: String,
    /// The marks of the previous release by kind and name; `None` if no earlier release is known.
    before: Option<BTreeMap<(String, String), Mark>>,
    /// The definitions that had a page in an earlier release.
    earlier_pages: Vec<EarlierPage>,
}

/// A definition of an earlier release, which this release may have removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EarlierPage {
    /// The kind of its page.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Its dialect.
    pub dialect: String,
    /// Its page.
    pub url: String,
    /// One line about it.
    pub summary: String,
    /// The release that removed it, if that was an earlier one.
    pub removed: Option<String>,
    /// The page of its replacement.
    pub instead: Option<String>,
}

/// The history of one name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Mark {
    /// A digest of its syntax, operands and results.
    #[serde(default)]
    pub shape: String,
    /// The release that added it, if an earlier one is known.
    #[serde(default)]
    pub since: Option<String>,
    /// The last release that changed its shape.
    #[serde(default)]
    pub changed: Option<String>,
}

impl History {
    /// Creates the history of a release; `earlier` is the `index.json` of the previous one.
    ///
    /// # Errors
    /// The text is not such a file, or that site was built without the name of a release.
    pub fn new(release: &str, earlier: Option<&str>) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Index {
            schema: String,
            items: Vec<Item>,
        }
        #[derive(Deserialize)]
        struct Item {
            kind: String,
            name: String,
            #[serde(default)]
            dialect: String,
            #[serde(default)]
            url: String,
            #[serde(default)]
            summary: String,
            was: Option<String>,
            removed: Option<String>,
            instead: Option<String>,
            #[serde(flatten)]
            mark: Mark,
        }
        let mut history = History { release: release.to_owned(), ..History::default() };
        if let Some(text) = earlier {
            let index: Index = serde_json::from_str(text)
                .map_err(|error| format!("not the index.json of a site: {error}"))?;
            if index.schema != INDEX_SCHEMA {
                return Err(format!(
                    "the index.json of a site is {INDEX_SCHEMA}, and this is {}",
                    index.schema
                ));
            }
            let mut before = BTreeMap::new();
            for item in index.items {
                let Item { kind, name, dialect, url, summary, was, removed, instead, mark } = item;
                if removed.is_some() || !mark.shape.is_empty() {
                    let kind = was.unwrap_or_else(|| kind.clone());
                    let name = name.clone();
                    history.earlier_pages.push(EarlierPage {
                        kind,
                        name,
                        dialect,
                        url,
                        summary,
                        removed,
                        instead,
                    });
                }
                if !mark.shape.is_empty() {
                    before.insert((kind, name), mark);
                }
            }
            if before.is_empty() {
                return Err("that site was built without the name of a release".to_owned());
            }
            history.before = Some(before);
        }
        Ok(history)
    }

    /// The name of this release.
    #[must_use]
    pub fn release(&self) -> &str {
        &self.release
    }

    /// The definitions of earlier releases.
    pub(crate) fn earlier_pages(&self) -> impl Iterator<Item = &EarlierPage> {
        self.earlier_pages.iter()
    }

    /// Adds the history of each page to its badges and to the search index. Models of releases take precedence over the
    /// previous index.
    pub(crate) fn mark(&self, book: &mut Book, steps: &Steps<'_>) {
        for page in &mut book.pages {
            let Some((kind, name, shape)) = shape(page) else { continue };
            let mut mark = self.of(kind, name, shape);
            let known = page.body.kind().symbol().map(|id| steps.of(&id)).unwrap_or_default();
            let release = |number: usize| Some(steps.all[number].step.release.clone());
            if !steps.all.is_empty() {
                let of = |wanted: &[Event]| known.iter().find(|(_, it)| wanted.contains(&it.event));
                mark.since = of(&[Event::New]).and_then(|(number, _)| release(*number)).or(mark.since);
                let changed = known.iter().find(|(_, it)| it.event == Event::Renamed || it.has_other_shape());
                mark.changed = changed.and_then(|(number, _)| release(*number)).or(mark.changed);
                // A new definition has not changed.
                mark.changed = mark.changed.filter(|release| mark.since.as_ref() != Some(release));
            }
            let badge = |text: String, meaning: String| Badge { text, meaning, is_warning: false };
            let mut badges = Vec::new();
            if let Some(since) = &mark.since {
                badges.push(badge(format!("since {since}"), "Not in the releases before".to_owned()));
            }
            if let Some(changed) = &mark.changed {
                badges.push(badge(
                    format!("changed in {changed}"),
                    "How it is written, or what goes in or out, is not what it was".to_owned(),
                ));
            }
            if let Some(shown) = page.body.kind_mut().badges() {
                shown.extend(badges);
            }
            book.index.date(&page.frame.path, &mark);
            book.marks.insert(page.frame.path.clone(), mark);
        }
    }

    fn of(&self, kind: &str, name: &str, shape: String) -> Mark {
        let Some(before) = &self.before else { return Mark { shape, ..Mark::default() } };
        let release = || Some(self.release.clone());
        match before.get(&(kind.to_owned(), name.to_owned())) {
            None => Mark { shape, since: release(), changed: None },
            Some(known) if known.shape != shape => {
                Mark { shape, since: known.since.clone(), changed: release() }
            }
            Some(known) => known.clone(),
        }
    }
}

/// The kind, name and shape of the definition that a page describes.
fn shape(page: &Page) -> Option<(&'static str, &str, String)> {
    let body = page.body.kind();
    let text = body.shape()?;
    let Subject { kind, name, .. } = body.subject()?;
    let mut digits = String::new();
    for byte in &Sha256::digest(text)[..SHAPE_DIGITS / 2] {
        let _ = write!(digits, "{byte:02x}");
    }
    Some((kind, name, digits))
}

pub(crate) fn line(text: &str, out: &mut String) {
    out.push_str(text);
    out.push('\n');
}

pub(crate) fn tokens(tokens: &[Token], out: &mut String) {
    tokens.iter().for_each(|token| out.push_str(&token.text));
    out.push('\n');
}

pub(crate) fn parts(rows: &[Part], out: &mut String) {
    for row in rows {
        let fields = [row.words(), row.default.as_deref().unwrap_or_default()];
        line(&format!("{} {} {}", row.name, row.quantifiers.join(" "), fields.join(" ")), out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(items: &str) -> String {
        format!(r#"{{"schema": "{INDEX_SCHEMA}", "title": "", "items": [{items}]}}"#)
    }

    #[test]
    fn what_was_not_there_is_new_and_what_has_another_shape_has_changed() {
        let earlier = index(
            r#"{"kind": "op", "name": "a.old", "shape": "1", "since": "20"}, {"kind": "op", "name": "a.other", "shape": "2"}"#,
        );
        let history = History::new("22", Some(&earlier)).unwrap();
        let of = |name: &str| {
            let mark = history.of("op", name, "1".to_owned());
            (mark.since, mark.changed)
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(of("a.old"), (some("20"), None));
        assert_eq!(of("a.other"), (None, some("22")));
        assert_eq!(of("a.new"), (some("22"), None));
        assert_eq!(History::new("21", None).unwrap().of("op", "a.new", String::new()), Mark::default());
    }

    #[test]
    fn only_a_site_with_a_release_tells_of_it() {
        assert!(History::new("22", Some("{}")).is_err());
        assert!(History::new("22", Some(&index(r#"{"kind": "op", "name": "a.b"}"#))).is_err());
    }
}
