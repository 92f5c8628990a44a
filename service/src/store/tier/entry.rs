//! Results and requests as bytes: a head in JSON, and the files.
//!
//! ```text
//! length head {length path length content}      lengths are 32 bits, little endian
//! ```
//!
//! The head of a request is a number, a zero byte, and its manifest.

use std::collections::BTreeMap;

use actix_web::web::Bytes;
use odsmith_engine::{
    diagnostic::{Code, Id, Severity},
    report::{Excerpt, Finding, Inclusion, LineColumn, Location, Range},
};
use serde::{Deserialize, Serialize};

use crate::store::cache::{Blob, Marks, ResultEntry};

#[derive(Serialize, Deserialize)]
struct Head {
    key: String,
    is_ok: bool,
    hit_limit: bool,
    made: (usize, usize),
    truncated: bool,
    diagnostics: Vec<Message>,
}

#[derive(Serialize, Deserialize)]
struct Message {
    severity: usize,
    code: usize,
    id: Option<String>,
    message: String,
    place: Option<At>,
    notes: Vec<Message>,
    is_bare: bool,
    is_unended: bool,
    is_of_unknown_place: bool,
}

#[derive(Serialize, Deserialize)]
struct At {
    file: String,
    start: (u32, u32),
    end: Option<(u32, u32)>,
    include_stack: Vec<(String, u32)>,
    line: String,
    at: usize,
}

/// Returns bytes as the characters with the same numbers: the bytes may be invalid UTF-8.
fn characters(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

/// Returns the bytes of such characters.
fn bytes_of(characters: &str) -> Option<Vec<u8>> {
    characters.chars().map(|one| u8::try_from(one).ok()).collect()
}

const SEVERITIES: [Severity; 4] = [Severity::Error, Severity::Warning, Severity::Note, Severity::Remark];
const CODES: [Code; 5] = [Code::Input, Code::Limit, Code::Cancelled, Code::Request, Code::Internal];

/// Serializes a result.
#[must_use]
pub fn write(stored: &ResultEntry) -> Vec<u8> {
    let head = Head {
        key: stored.key.clone(),
        is_ok: stored.is_ok,
        hit_limit: stored.hit_limit,
        made: stored.made,
        truncated: stored.truncated,
        diagnostics: stored.diagnostics.iter().map(Message::of).collect(),
    };
    // Serializing cannot fail.
    let head = serde_json::to_vec(&head).unwrap_or_default();
    joined(&head, stored.files.iter().map(|(path, blob)| (path.as_str(), &blob.bytes)))
}

/// Joins a head and files.
fn joined<'f>(head: &[u8], files: impl Iterator<Item = (&'f str, &'f Bytes)>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut put = |part: &[u8]| {
        bytes.extend_from_slice(&u32::try_from(part.len()).unwrap_or(u32::MAX).to_le_bytes());
        bytes.extend_from_slice(part);
    };
    put(head);
    for (path, content) in files {
        put(path.as_bytes());
        put(content);
    }
    bytes
}

/// Splits bytes into a head and files.
fn split(bytes: &Bytes) -> Option<(Bytes, Vec<(String, Bytes)>)> {
    let mut at = 0;
    let mut take = || -> Option<Bytes> {
        let length: [u8; 4] = bytes.get(at..at + 4)?.try_into().ok()?;
        let start = at + 4;
        let end = start.checked_add(u32::from_le_bytes(length) as usize)?;
        at = end;
        (end <= bytes.len()).then(|| bytes.slice(start..end))
    };
    let head = take()?;
    let mut files = Vec::new();
    while let Some(path) = take() {
        files.push((String::from_utf8(path.to_vec()).ok()?, take()?));
    }
    Some((head, files))
}

/// The request of a job, which any server can do.
#[derive(Debug)]
pub struct StoredRequest {
    /// The manifest, in JSON.
    pub manifest: Bytes,
    /// The files, by path.
    pub files: Vec<(String, Bytes)>,
    /// The number of servers that did the job after another one was gone.
    pub attempts: u32,
}

impl StoredRequest {
    /// Serializes the request.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let head = [self.attempts.to_string().as_bytes(), b"\0", &self.manifest].concat();
        joined(&head, self.files.iter().map(|(path, content)| (path.as_str(), content)))
    }

    /// Parses a request; `None` if the bytes are malformed.
    #[must_use]
    pub fn read(bytes: &Bytes) -> Option<StoredRequest> {
        let (head, files) = split(bytes)?;
        let end = head.iter().position(|byte| *byte == 0)?;
        let attempts = std::str::from_utf8(&head[..end]).ok()?.parse().ok()?;
        Some(StoredRequest { manifest: head.slice(end + 1..), files, attempts })
    }

    /// Returns the approximate bytes in memory.
    #[must_use]
    pub fn weight(&self) -> usize {
        self.manifest.len()
            + self.files.iter().map(|(path, content)| path.len() + content.len()).sum::<usize>()
    }
}

/// Parses a result; `None` if the bytes are malformed or belong to another key.
#[must_use]
pub fn read(bytes: &Bytes, key: &str) -> Option<ResultEntry> {
    let (head, files) = split(bytes)?;
    let head: Head = serde_json::from_slice(&head).ok()?;
    if head.key != key {
        return None;
    }
    let files: BTreeMap<String, Blob> =
        files.into_iter().map(|(path, content)| (path, Blob::new(content))).collect();
    let diagnostics = head.diagnostics.into_iter().map(Message::report).collect::<Option<_>>()?;
    let Head { key, is_ok, hit_limit, made, truncated, .. } = head;
    let marks = Marks::default();
    Some(ResultEntry { key, is_ok, hit_limit, made, truncated, diagnostics, files, marks })
}

impl Message {
    fn of(report: &Finding) -> Message {
        let place = |place: &Location| At {
            file: place.file.clone(),
            start: (place.range.start.line, place.range.start.column),
            end: place.range.end.map(|end| (end.line, end.column)),
            include_stack: place.include_stack.iter().map(|it| (it.file.clone(), it.line)).collect(),
            line: characters(&place.line.text),
            at: place.line.at,
        };
        Message {
            severity: SEVERITIES.iter().position(|it| *it == report.severity).unwrap_or_default(),
            code: CODES.iter().position(|it| *it == report.code).unwrap_or_default(),
            id: report.id.map(|id| id.name().to_owned()),
            message: report.message.clone(),
            place: report.location.as_ref().map(place),
            notes: report.related.iter().map(Message::of).collect(),
            is_bare: report.is_bare,
            is_unended: report.is_unended,
            is_of_unknown_place: report.is_of_unknown_place,
        }
    }

    fn report(self) -> Option<Finding> {
        let at = |(line, column): (u32, u32)| LineColumn { line, column };
        let place = |place: At| {
            Some(Location {
                file: place.file,
                range: Range { start: at(place.start), end: place.end.map(at) },
                include_stack: place
                    .include_stack
                    .into_iter()
                    .map(|(file, line)| Inclusion { file, line })
                    .collect(),
                line: Excerpt { text: bytes_of(&place.line)?, at: place.at },
            })
        };
        Some(Finding {
            severity: *SEVERITIES.get(self.severity)?,
            code: *CODES.get(self.code)?,
            id: self.id.as_deref().and_then(Id::of_name),
            message: self.message,
            location: match self.place {
                Some(at) => Some(place(at)?),
                None => None,
            },
            related: self.notes.into_iter().map(Message::report).collect::<Option<_>>()?,
            is_bare: self.is_bare,
            is_unended: self.is_unended,
            is_of_unknown_place: self.is_of_unknown_place,
            ..Finding::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored() -> ResultEntry {
        let location = Location {
            include_stack: vec![Inclusion { file: "b.td".into(), line: 7 }],
            line: Excerpt::whole(b"def \xff", 1),
            ..Location::new("a.td", (1, 2), Some((1, 5)))
        };
        let note = Finding {
            id: Some(Id::UnusedArgument),
            is_bare: true,
            is_unended: true,
            is_of_unknown_place: true,
            ..Finding::note(None, "here")
        };
        let report = Finding {
            severity: Severity::Warning,
            code: Code::Request,
            location: Some(location),
            related: vec![note.clone()],
            ..note
        };
        ResultEntry {
            key: "k".into(),
            is_ok: false,
            hit_limit: true,
            made: (1, 2),
            diagnostics: vec![report],
            truncated: true,
            marks: Marks::default(),
            files: [("x".to_owned(), Blob::new("1")), ("y/z".to_owned(), Blob::new(""))].into(),
        }
    }

    #[test]
    fn a_result_comes_back() {
        let (before, after) = (stored(), read(&write(&stored()).into(), "k").unwrap());
        assert_eq!(format!("{after:?}"), format!("{before:?}"));
    }

    #[test]
    fn a_request_comes_back() {
        let files = vec![("a.td".to_owned(), Bytes::from("def A;")), ("b".to_owned(), Bytes::new())];
        let before = StoredRequest { manifest: Bytes::from("{}"), files, attempts: 1 };
        let after = StoredRequest::read(&before.to_bytes().into()).unwrap();
        assert_eq!(format!("{after:?}"), format!("{before:?}"));
        assert!(StoredRequest::read(&Bytes::from("no request")).is_none());
    }

    #[test]
    fn another_ones_or_half_of_one_does_not() {
        let bytes = Bytes::from(write(&stored()));
        assert!(read(&bytes, "other").is_none());
        let last = bytes.len() - 4;
        // Cut between two files, it is a valid entry of fewer files; the seal around it prevents that.
        for at in (0..last).filter(|at| read(&bytes.slice(..*at), "k").is_some()) {
            assert!(read(&bytes.slice(..at), "k").unwrap().files.len() < 2, "cut at {at}");
        }
    }
}
