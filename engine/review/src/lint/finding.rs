//! The findings of lint: plain data, which is written and read as JSON.

use odsmith_tablegen::{outline::Outline, text::shortened};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::rule::Level;

/// Something that is unwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = lint::Finding)]
pub struct Finding {
    /// The id of the rule; of a project's own rule, the id that the project gave it.
    pub rule: String,
    /// The name of the rule.
    pub name: String,
    /// How bad it is here.
    pub level: Level,
    /// The symbol, by its stable id, and after `#` the part of it; a file by its path.
    pub subject: String,
    /// What is wrong, in one line.
    pub message: String,
    /// What to do about it.
    pub advice: String,
    /// What shows it: a text, a type, a value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<String>,
    /// Where it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// Places that have a part in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<Related>,
    /// How the file can be changed so that it is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<Fix>,
    /// Why it is accepted, if a comment or a baseline accepts it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<String>,
}

/// A place that has a part in a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = lint::Related)]
pub struct Related {
    /// What is there.
    pub message: String,
    /// Where.
    pub place: Place,
}

/// A piece of a file. Lines and columns are from 1; columns and offsets count bytes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[schema(as = lint::Place)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line of the first byte.
    pub line: u32,
    /// Its column.
    pub column: u32,
    /// The line of the byte after the last one.
    pub end_line: u32,
    /// Its column.
    pub end_column: u32,
}

/// Edits that belong together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = lint::Fix)]
pub struct Fix {
    /// What they do.
    pub title: String,
    /// Whether generated code stays the same.
    pub is_safe: bool,
    /// The edits; they do not overlap.
    pub edits: Vec<Edit>,
}

/// A piece of a file that is replaced.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[schema(as = lint::Edit)]
pub struct Edit {
    /// The file.
    pub file: String,
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// What comes in its place.
    pub text: String,
}

impl Edit {
    /// Returns the edit that replaces these bytes of a file.
    pub(super) fn of(outline: &Outline, (start, end): (usize, usize), text: impl Into<String>) -> Edit {
        Edit { file: outline.file.to_string(), start: start as u32, end: end as u32, text: text.into() }
    }
}

/// All that is found in a bundle: `findings.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = lint::Findings)]
pub struct Findings {
    /// The version of this format.
    pub schema: u32,
    /// How many errors are open.
    pub errors: usize,
    /// How many warnings are open.
    pub warnings: usize,
    /// How many notes are open.
    pub notes: usize,
    /// The findings by place, those that are accepted included.
    pub findings: Vec<Finding>,
}

impl Findings {
    /// Counts the open findings of each level.
    #[must_use]
    pub fn new(findings: Vec<Finding>) -> Findings {
        let count = |level| findings.iter().filter(|it| it.is_open() && it.level == level).count();
        let (errors, warnings, notes) = (count(Level::Error), count(Level::Warning), count(Level::Info));
        Findings { schema: 1, errors, warnings, notes, findings }
    }
}

/// The most bytes of one text of a finding: names and values may be as long as files.
pub(super) const MOST_OF_A_TEXT: usize = 2_000;
/// The most bytes that a fix may insert; a larger fix is dropped.
const MOST_OF_EDITS: usize = 64 << 10;

impl Finding {
    /// Shortens texts that are too long to read.
    pub(super) fn shorten(&mut self) {
        for text in [&mut self.subject, &mut self.message].into_iter().chain(&mut self.witness) {
            if text.len() > MOST_OF_A_TEXT {
                *text = shortened(text, MOST_OF_A_TEXT).into_owned();
            }
        }
        self.fix.take_if(|fix| fix.edits.iter().map(|it| it.text.len()).sum::<usize>() > MOST_OF_EDITS);
    }

    /// Returns the number of bytes of its texts.
    #[must_use]
    pub fn text_bytes(&self) -> usize {
        let Finding { rule, name, subject, message, advice, witness, place, related, fix, .. } = self;
        let texts = [rule, name, subject, message, advice].map(String::len).into_iter().sum::<usize>();
        let related = related.iter().map(|it| it.message.len() + it.place.file.len()).sum::<usize>();
        let edits =
            fix.iter().flat_map(|it| &it.edits).map(|it| it.file.len() + it.text.len()).sum::<usize>();
        let title = fix.as_ref().map_or(0, |fix| fix.title.len());
        let place = place.as_ref().map_or(0, |place| place.file.len());
        texts + witness.as_ref().map_or(0, String::len) + place + related + edits + title
    }

    /// Returns true if neither a comment nor a baseline accepts it.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.accepted.is_none()
    }

    /// Returns the sort key: place, rule, subject.
    #[must_use]
    pub fn key(&self) -> (Option<&Place>, &str, &str, &str) {
        (self.place.as_ref(), &self.rule, &self.subject, &self.message)
    }
}
