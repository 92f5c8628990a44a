//! The findings of lint: their limits, and how they are written and read as JSON.

pub use odsmith_report::{Edit, Finding, Fix, Location};
use odsmith_report::{Range, Severity, count};
use odsmith_tablegen::{outline::Outline, text::shortened};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::rule::{Level, Rule};

/// All that is found in a bundle: `findings.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = lint::Findings)]
pub struct Findings {
    /// The version of this format.
    pub schema: u32,
    /// The number of open errors.
    pub errors: usize,
    /// The number of open warnings.
    pub warnings: usize,
    /// The number of open notes.
    pub notes: usize,
    /// The findings by place, those that are accepted included.
    #[serde(with = "wire")]
    #[schema(value_type = Vec<wire::Finding>)]
    pub findings: Vec<Finding>,
}

impl Findings {
    /// Counts the open findings of each level.
    #[must_use]
    pub fn new(findings: Vec<Finding>) -> Findings {
        let [errors, warnings, notes] =
            [Severity::Error, Severity::Warning, Severity::Note].map(|severity| count(&findings, severity));
        Findings { schema: 1, errors, warnings, notes, findings }
    }
}

/// Returns a finding of a rule.
pub(super) fn of_rule(
    rule: &Rule,
    level: Level,
    subject: &str,
    message: String,
    location: Option<Location>,
) -> Finding {
    Finding {
        severity: level.severity(),
        rule: rule.id.into(),
        name: rule.name.into(),
        subject: subject.to_owned(),
        message,
        advice: rule.advice.into(),
        location,
        ..Finding::default()
    }
}

/// Returns the edit that replaces these bytes of a file.
pub(super) fn edit_of(outline: &Outline, (start, end): (usize, usize), text: impl Into<String>) -> Edit {
    Edit { file: outline.file.to_string(), start: start as u32, end: end as u32, text: text.into() }
}

/// The most bytes of one text of a finding: names and values may be as long as files.
pub(super) const MOST_OF_A_TEXT: usize = 2_000;
/// The most bytes that a fix may insert; a larger fix is dropped.
const MOST_OF_EDITS: usize = 64 << 10;

/// Shortens texts that are too long to read.
pub(super) fn shorten(finding: &mut Finding) {
    for text in [&mut finding.subject, &mut finding.message].into_iter().chain(&mut finding.witness) {
        if text.len() > MOST_OF_A_TEXT {
            *text = shortened(text, MOST_OF_A_TEXT).into_owned();
        }
    }
    finding.fix.take_if(|fix| fix.edits.iter().map(|it| it.text.len()).sum::<usize>() > MOST_OF_EDITS);
}

/// Returns the number of bytes of a finding's texts.
pub(super) fn text_bytes(finding: &Finding) -> usize {
    let Finding { rule, name, subject, message, advice, witness, location, related, fix, .. } = finding;
    let texts = [rule, name, advice].map(|text| text.len()).into_iter().sum::<usize>();
    let texts = texts + subject.len() + message.len() + witness.as_ref().map_or(0, String::len);
    let file = |location: &Option<Location>| location.as_ref().map_or(0, |it| it.file.len());
    let related = related.iter().map(|it| it.message.len() + file(&it.location)).sum::<usize>();
    let edits = fix.iter().flat_map(|it| &it.edits).map(|it| it.file.len() + it.text.len()).sum::<usize>();
    texts + file(location) + related + edits + fix.as_ref().map_or(0, |fix| fix.title.len())
}

/// Returns the sort key: location, rule, subject.
pub(super) fn order(finding: &Finding) -> (Option<(&str, Range)>, &str, &str, &str) {
    let location = finding.location.as_ref().map(Location::order);
    (location, &finding.rule, &finding.subject, &finding.message)
}

/// Findings as JSON.
mod wire {
    use serde::{Deserializer, Serializer};

    use super::{Deserialize, Fix, Level, Location, Serialize, ToSchema};

    /// Something that is unwise.
    #[derive(Serialize, Deserialize, ToSchema)]
    #[schema(as = lint::Finding)]
    pub struct Finding {
        /// The id of the rule; of a project's own rule, the id that the project gave it.
        rule: String,
        /// The name of the rule.
        name: String,
        /// How bad it is here.
        level: Level,
        /// The symbol, by its stable id, and after `#` the part of it; a file by its path.
        subject: String,
        /// The message, in one line.
        message: String,
        /// Advice on a correction.
        advice: String,
        /// Evidence: a text, a type or a value.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        witness: Option<String>,
        /// Its location.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        place: Option<Piece>,
        /// Places that have a part in it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        related: Vec<Related>,
        /// How the file can be changed so that it is gone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fix: Option<Fix>,
        /// Why it is accepted, if a comment or a baseline accepts it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        accepted: Option<String>,
    }

    /// A place that has a part in a finding.
    #[derive(Serialize, Deserialize, ToSchema)]
    #[schema(as = lint::Related)]
    struct Related {
        /// The message about the location.
        message: String,
        /// The location.
        place: Piece,
    }

    /// A piece of a file. Lines and columns are from 1; columns and offsets count bytes.
    #[derive(Serialize, Deserialize, ToSchema)]
    #[schema(as = lint::Place)]
    struct Piece {
        /// The file.
        file: String,
        /// The line of the first byte.
        line: u32,
        /// Its column.
        column: u32,
        /// The line of the byte after the last one.
        end_line: u32,
        /// Its column.
        end_column: u32,
    }

    impl From<&Location> for Piece {
        fn from(location: &Location) -> Self {
            let start = location.range.start;
            let end = location.range.end.unwrap_or(start);
            Piece {
                file: location.file.clone(),
                line: start.line,
                column: start.column,
                end_line: end.line,
                end_column: end.column,
            }
        }
    }

    impl From<Piece> for Location {
        fn from(piece: Piece) -> Self {
            let Piece { file, line, column, end_line, end_column } = piece;
            Location::new(file, (line, column), Some((end_line, end_column)))
        }
    }

    pub fn serialize<S: Serializer>(findings: &[super::Finding], serializer: S) -> Result<S::Ok, S::Error> {
        let related = |it: &super::Finding| {
            Some(Related { message: it.message.clone(), place: it.location.as_ref()?.into() })
        };
        serializer.collect_seq(findings.iter().map(|it| Finding {
            rule: it.rule.to_string(),
            name: it.name.to_string(),
            level: Level::of(it.severity),
            subject: it.subject.clone(),
            message: it.message.clone(),
            advice: it.advice.to_string(),
            witness: it.witness.clone(),
            place: it.location.as_ref().map(Piece::from),
            related: it.related.iter().filter_map(related).collect(),
            fix: it.fix.clone(),
            accepted: it.accepted.clone(),
        }))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<super::Finding>, D::Error> {
        let related = |it: Related| super::Finding::note(Some(it.place.into()), it.message);
        let findings = Vec::<Finding>::deserialize(deserializer)?.into_iter().map(|it| super::Finding {
            severity: it.level.severity(),
            rule: it.rule.into(),
            name: it.name.into(),
            subject: it.subject,
            message: it.message,
            advice: it.advice.into(),
            witness: it.witness,
            location: it.place.map(Location::from),
            related: it.related.into_iter().map(related).collect(),
            fix: it.fix,
            accepted: it.accepted,
            ..super::Finding::default()
        });
        Ok(findings.collect())
    }
}
