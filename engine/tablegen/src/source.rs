//! The texts that a job reads, and where an offset is in them.

use std::{
    fmt,
    ops::Deref,
    sync::{Arc, OnceLock},
};

use xxhash_rust::xxh3::xxh3_128;

use crate::span::Span;

/// Where files come from: a bundle, a library, a disk.
pub trait Files: Send + Sync {
    /// The bytes of a file, or nothing if there is none (or it can not be read).
    fn read(&self, path: &str) -> Option<Arc<[u8]>>;

    /// What can be said of a file without reading it.
    fn stamp(&self, _path: &str) -> Stamp {
        Stamp::Unknown
    }
}

/// What can be said of a file without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stamp {
    /// There is none.
    Absent,
    /// A number that is another one as soon as the file holds other bytes.
    Known(u64),
    /// Nothing.
    Unknown,
}

/// The bytes of a buffer. Those of a file that is known to hold what it held in an earlier process are read when
/// something looks at them, which is mostly never.
#[derive(Clone)]
pub struct Text {
    length: usize,
    bytes: OnceLock<Arc<[u8]>>,
    source: Option<Deferred>,
}

/// A file that was not read.
#[derive(Clone)]
struct Deferred {
    path: Arc<str>,
    files: Arc<dyn Files>,
    digest: u128,
}

impl Text {
    /// The text of a file with this many bytes and this digest, not read.
    #[must_use]
    pub fn deferred(path: Arc<str>, files: Arc<dyn Files>, length: usize, digest: u128) -> Self {
        Text { length, bytes: OnceLock::new(), source: Some(Deferred { path, files, digest }) }
    }

    /// The digest of the bytes.
    #[must_use]
    pub fn digest(&self) -> u128 {
        self.source.as_ref().map_or_else(|| xxh3_128(self), |source| source.digest)
    }

    /// Bytes, without reading them.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "a slice has it")]
    pub fn len(&self) -> usize {
        self.length
    }
}

impl From<&[u8]> for Text {
    fn from(bytes: &[u8]) -> Self {
        Arc::<[u8]>::from(bytes).into()
    }
}

impl From<Arc<[u8]>> for Text {
    fn from(bytes: Arc<[u8]>) -> Self {
        Text { length: bytes.len(), bytes: OnceLock::from(bytes), source: None }
    }
}

impl Deref for Text {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.bytes.get_or_init(|| {
            let bytes = self.source.as_ref().and_then(|source| source.files.read(&source.path));
            // A file that is changed at this moment still has the places that were promised.
            bytes
                .filter(|bytes| bytes.len() == self.length)
                .unwrap_or_else(|| vec![b'\n'; self.length].into())
        })
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Text").field("length", &self.length).finish_non_exhaustive()
    }
}

/// One text; a file that is included twice is two buffers.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// The name as messages show it.
    pub name: Arc<str>,
    /// The bytes.
    pub text: Text,
    /// Offset of its first byte in the concatenation of all buffers.
    pub start: u32,
    /// Where it was included; [`Span::NONE`] for a root.
    pub included_at: Span,
    /// Where its lines begin, once a place in it was asked for.
    lines: OnceLock<Vec<u32>>,
}

impl Buffer {
    fn lines(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            let following = memchr::memchr_iter(b'\n', &self.text).map(|at| at as u32 + 1);
            std::iter::once(0).chain(following).collect()
        })
    }
}

/// A line and a column, both from 1; columns count bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line.
    pub line: u32,
    /// Column in bytes.
    pub column: u32,
}

/// All buffers of a job.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    buffers: Vec<Buffer>,
    /// Index of the root's buffer: those before it came with a shared library state.
    root: usize,
    /// The places of the `include`s that the shared state replaces, in the order in which their files ended.
    anchors: Vec<Span>,
}

impl Sources {
    /// Sources that continue after the buffers of a shared state.
    #[must_use]
    pub fn above(base: &[Buffer]) -> Self {
        Sources { buffers: base.to_vec(), root: base.len(), anchors: Vec::new() }
    }

    /// Sets the places of the `include`s that the shared state replaces.
    pub fn set_anchors(&mut self, anchors: Vec<Span>) {
        self.anchors = anchors;
    }

    /// The root file's buffer.
    #[must_use]
    pub fn root(&self) -> Option<&Buffer> {
        self.buffers.get(self.root)
    }

    /// The buffers, as a base for other sources; the root was included at `anchor`.
    #[must_use]
    pub fn into_base(mut self, anchor: Span) -> Vec<Buffer> {
        if let Some(root) = self.buffers.get_mut(self.root) {
            root.included_at = anchor;
        }
        self.buffers
    }

    fn place(&self, span: Span) -> Span {
        match span.anchored(self.anchors.len()) {
            Some(number) => self.anchors[number],
            None => span,
        }
    }

    /// Adds a text.
    ///
    /// Returns its index, or nothing when the job has read 4 GiB.
    pub fn add(&mut self, name: Arc<str>, text: impl Into<Text>, included_at: Span) -> Option<usize> {
        let text = text.into();
        let start = self.buffers.last().map_or(0, |last| last.start as usize + last.text.len() + 1);
        if start + text.len() + 1 >= u32::MAX as usize {
            return None;
        }
        self.buffers.push(Buffer { name, text, start: start as u32, included_at, lines: OnceLock::new() });
        Some(self.buffers.len() - 1)
    }

    /// All buffers, in the order of their inclusion.
    #[must_use]
    pub fn buffers(&self) -> &[Buffer] {
        &self.buffers
    }

    /// The buffer that a place is in.
    #[must_use]
    pub fn buffer_of(&self, span: Span) -> Option<&Buffer> {
        if !span.is_some() {
            return None;
        }
        let span = self.place(span);
        let after = self.buffers.partition_point(|buffer| buffer.start <= span.0);
        self.buffers.get(after.checked_sub(1)?)
    }

    /// The buffer that a place is in, and how many bytes are before it there.
    #[must_use]
    pub fn offset_of(&self, span: Span) -> Option<(&Buffer, u32)> {
        let buffer = self.buffer_of(span)?;
        Some((buffer, (self.place(span).0 - buffer.start).min(buffer.text.len() as u32)))
    }

    /// Line and column of a place.
    #[must_use]
    pub fn position(&self, span: Span) -> Option<(&Buffer, Position)> {
        let (buffer, at) = self.offset_of(span)?;
        let line = buffer.lines().partition_point(|&start| start <= at);
        // As in the reference, a carriage return ends no line, but columns count from it.
        let start = buffer.lines()[line - 1] as usize;
        let before = &buffer.text[start..at as usize];
        let start = before.iter().rposition(|&byte| byte == b'\r').map_or(start, |end| start + end + 1);
        let column = at - start as u32 + 1;
        Some((buffer, Position { line: line as u32, column }))
    }

    /// The block of `//` lines right above the line that a place is in.
    #[must_use]
    pub fn comment_above(&self, span: Span) -> Option<String> {
        let buffer = self.buffer_of(span)?;
        comment_above(&buffer.text, (span.0 - buffer.start) as usize)
    }

    /// The text of the line that a place is in, without its end.
    #[must_use]
    pub fn line_text(&self, span: Span) -> Option<&[u8]> {
        let buffer = self.buffer_of(span)?;
        let at = ((span.0 - buffer.start) as usize).min(buffer.text.len());
        let is_end = |&byte: &u8| byte == b'\n' || byte == b'\r';
        let start = buffer.text[..at].iter().rposition(is_end).map_or(0, |at| at + 1);
        let end = buffer.text[at..].iter().position(is_end).map_or(buffer.text.len(), |end| at + end);
        Some(&buffer.text[start..end])
    }
}

/// The comment block that ends on the line before the one that holds offset `at`, without its `//` marks.
///
/// Nothing if the line above is not a comment, or if code comes before `at` on its own line.
fn comment_above(text: &[u8], at: usize) -> Option<String> {
    let line_start = |at: usize| text[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let mut start = line_start(at);
    if !text[start..at].iter().all(u8::is_ascii_whitespace) {
        return None;
    }
    let mut lines: Vec<&[u8]> = Vec::new();
    while start > 0 {
        let above = line_start(start - 1);
        let line = text[above..start - 1].trim_ascii();
        let doc = line.strip_prefix(b"///").filter(|rest| rest.first().is_none_or(u8::is_ascii_whitespace));
        let Some(comment) = doc.or_else(|| line.strip_prefix(b"//")) else { break };
        // What is said to a tool is no documentation.
        if !comment.trim_ascii_start().starts_with(b"odsmith:") {
            lines.push(comment.strip_prefix(b" ").unwrap_or(comment));
        }
        start = above;
    }
    if lines.is_empty() {
        return None;
    }
    lines.reverse();
    Some(String::from_utf8_lossy(&lines.join(&b'\n')).into_owned())
}

#[cfg(test)]
mod tests {
    use super::comment_above as above;

    #[test]
    fn the_block_right_above() {
        let text = b"// far\n\n// one\n//   two\ndef a;";
        assert_eq!(above(text, 24).as_deref(), Some("one\n  two"));
        assert_eq!(above(b"/// x\n///\n////\ndef a;", 15).as_deref(), Some("x\n\n//"));
        assert_eq!(above(b"// x\n\ndef a;", 6), None);
        assert_eq!(above(b"// x\n// odsmith: ignore A1: b\ndef a;", 30).as_deref(), Some("x"));
        assert_eq!(above(b"// odsmith: ignore A1: b\ndef a;", 25), None);
        assert_eq!(above(b"// x\ndef a; def b;", 12), None);
    }
}
