//! The texts that a job reads, and the lines and columns of offsets in them.

use std::{
    fmt,
    ops::Deref,
    sync::{Arc, OnceLock},
};

use xxhash_rust::xxh3::xxh3_128;

use odsmith_release::{Change, Rules};

use crate::span::Span;

/// A source of files: a bundle, a library, a disk.
pub trait Files: Send + Sync {
    /// Returns the bytes of a file, or nothing if it does not exist or cannot be read.
    fn read(&self, path: &str) -> Option<Arc<[u8]>>;

    /// Returns a stamp of a file without reading it.
    fn stamp(&self, _path: &str) -> Stamp {
        Stamp::Unknown
    }
}

/// A stamp of a file that is known without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stamp {
    /// The file does not exist.
    Absent,
    /// A number that changes whenever the file's bytes change.
    Known(u64),
    /// Nothing is known.
    Unknown,
}

/// The bytes of a buffer. A file that is known to be unchanged since an earlier process is read only when something
/// looks at its bytes, which is mostly never.
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
    /// Creates the text of a file with this many bytes and this digest, without reading it.
    #[must_use]
    pub fn deferred(path: Arc<str>, files: Arc<dyn Files>, length: usize, digest: u128) -> Self {
        Text { length, bytes: OnceLock::new(), source: Some(Deferred { path, files, digest }) }
    }

    /// Returns the digest of the bytes.
    #[must_use]
    pub fn digest(&self) -> u128 {
        self.source.as_ref().map_or_else(|| xxh3_128(self), |source| source.digest)
    }

    /// Returns the number of bytes, without reading them.
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
            // A file that is changed at this moment keeps its promised length.
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
    /// The place of its `include`; [`Span::NONE`] for a root.
    pub included_at: Span,
    /// The offsets of its lines, computed on first use.
    lines: OnceLock<Lines>,
}

#[derive(Clone, Debug)]
struct Lines {
    /// The offset of each line.
    starts: Vec<u32>,
    /// The offsets after carriage returns.
    returns: Vec<u32>,
}

/// Returns true if a file is not the project's own: it is in the library's folder `library_root` (empty if there is none), or in
/// another project, whose files have names like `<name>/a.td`.
#[must_use]
pub fn is_foreign(file: &str, library_root: &str) -> bool {
    file.starts_with('<') || !library_root.is_empty() && is_below(file, library_root)
}

/// Returns true if a file is in a folder.
#[must_use]
pub fn is_below(file: &str, folder: &str) -> bool {
    file.strip_prefix(folder).is_some_and(|below| folder.ends_with('/') || below.starts_with('/'))
}

impl Buffer {
    fn lines(&self) -> &Lines {
        self.lines.get_or_init(|| {
            let following = |byte| memchr::memchr_iter(byte, &self.text).map(|at| at as u32 + 1);
            Lines {
                starts: std::iter::once(0).chain(following(b'\n')).collect(),
                returns: following(b'\r').collect(),
            }
        })
    }
}

/// A piece of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Excerpt {
    /// The bytes, with three dots in place of what is left out.
    pub text: Vec<u8>,
    /// The offset in it of the place that it was cut around.
    pub at: usize,
}

/// Bytes of a line that an excerpt has on each side of a place.
const SIDE_OF_EXCERPT: usize = 200;
const DOTS: &[u8] = b"...";

impl Excerpt {
    /// Creates an excerpt of a whole line.
    #[must_use]
    pub fn whole(line: &[u8], at: usize) -> Self {
        Excerpt { text: line.to_vec(), at }
    }

    /// Cuts the piece of a line around a place in it; a short line stays whole.
    #[must_use]
    pub fn around(line: &[u8], at: usize) -> Self {
        let most = 2 * SIDE_OF_EXCERPT;
        if line.len() <= most {
            return Excerpt::whole(line, at);
        }
        let start = at.saturating_sub(SIDE_OF_EXCERPT).min(line.len() - most);
        let end = start + most;
        // Characters, of four bytes at most, stay whole.
        let is_inside = |&at: &usize| line.get(at).is_some_and(|byte| byte & 0xc0 == 0x80);
        let start = start + (start..end).take(3).take_while(is_inside).count();
        let end = end - (start..=end).rev().take(3).take_while(is_inside).count();
        let before = if start > 0 { DOTS } else { b"" };
        let after = if end < line.len() { DOTS } else { b"" };
        Excerpt {
            text: [before, &line[start..end], after].concat(),
            at: before.len() + at.saturating_sub(start).min(end - start),
        }
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
#[derive(Debug, Default)]
pub struct Sources {
    /// The buffers of a shared state: they come first, and are not copied.
    base: SourcesBase,
    /// The root's buffer, and those that came after it.
    own: Vec<Buffer>,
    /// The places of the `include`s that the shared state replaces, in the order in which their files ended.
    anchors: Vec<Span>,
    /// True if columns count from a carriage return as well.
    has_columns_after_returns: bool,
}

/// Frozen buffers that others build on.
#[derive(Clone, Debug, Default)]
pub struct SourcesBase {
    /// One part for each state below this one, none of them empty.
    parts: Arc<Vec<Part>>,
    len: usize,
    has_columns_after_returns: bool,
}

#[derive(Clone, Debug)]
struct Part {
    /// Index of its first buffer.
    first: usize,
    buffers: Arc<Vec<Buffer>>,
}

/// The approximate bytes of a buffer besides its text, with its name and the data about its `include`.
pub const BUFFER_BYTES: usize = 256;

impl SourcesBase {
    /// Returns its approximate size in bytes above its base.
    #[must_use]
    pub fn own_bytes(&self) -> usize {
        let own = self.parts.last().map_or(0, |part| part.buffers.len());
        own * BUFFER_BYTES + self.parts.len() * size_of::<Part>()
    }

    /// Returns the number of buffers.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "nothing needs it")]
    pub fn len(&self) -> usize {
        self.len
    }

    fn get(&self, index: usize) -> Option<&Buffer> {
        let after = self.parts.partition_point(|part| part.first <= index);
        let part = &self.parts[after.checked_sub(1)?];
        part.buffers.get(index - part.first)
    }
}

impl Sources {
    /// Creates sources that continue after the buffers of a shared state.
    #[must_use]
    pub fn above(base: &SourcesBase) -> Self {
        let has_columns_after_returns = base.has_columns_after_returns;
        Sources { base: base.clone(), has_columns_after_returns, ..Sources::default() }
    }

    /// Creates empty sources by the rules of a release.
    #[must_use]
    pub fn new(rules: &Rules) -> Self {
        let has_columns_after_returns = !rules.has(Change::ColumnsOfWholeLines);
        Sources { has_columns_after_returns, ..Sources::default() }
    }

    /// Sets the places of the `include`s that the shared state replaces.
    pub fn set_anchors(&mut self, anchors: Vec<Span>) {
        self.anchors = anchors;
    }

    /// Returns the root file's buffer.
    #[must_use]
    pub fn root(&self) -> Option<&Buffer> {
        self.own.first()
    }

    /// Returns the buffers as a base for other sources; the root was included at `anchor`.
    #[must_use]
    pub fn into_base(mut self, anchor: Span) -> SourcesBase {
        let len = self.len();
        if let Some(root) = self.own.first_mut() {
            root.included_at = anchor;
            self.own.shrink_to_fit();
            let part = Part { first: self.base.len, buffers: Arc::new(self.own) };
            let mut parts = Vec::with_capacity(self.base.parts.len() + 1);
            parts.extend_from_slice(&self.base.parts);
            parts.push(part);
            self.base.parts = Arc::new(parts);
        }
        let has_columns_after_returns = self.has_columns_after_returns;
        SourcesBase { len, has_columns_after_returns, ..self.base }
    }

    /// Returns the approximate size of the buffers besides their texts, including the shared state's.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        // The root alone has never been charged.
        self.len().saturating_sub(1) * BUFFER_BYTES
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
        let last = self.len().checked_sub(1).and_then(|last| self.buffer(last));
        let start = last.map_or(0, |last| last.start as usize + last.text.len() + 1);
        if start + text.len() + 1 >= u32::MAX as usize {
            return None;
        }
        self.own.push(Buffer { name, text, start: start as u32, included_at, lines: OnceLock::new() });
        Some(self.len() - 1)
    }

    /// Returns the number of buffers: the root's, and one for each inclusion.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "nothing needs it")]
    pub fn len(&self) -> usize {
        self.base.len + self.own.len()
    }

    /// Returns all buffers, in the order of their inclusion.
    pub fn buffers(&self) -> impl Iterator<Item = &Buffer> {
        self.base.parts.iter().flat_map(|part| &*part.buffers).chain(&self.own)
    }

    /// Returns the buffer of this index.
    #[must_use]
    pub fn buffer(&self, index: usize) -> Option<&Buffer> {
        match index.checked_sub(self.base.len) {
            Some(index) => self.own.get(index),
            None => self.base.get(index),
        }
    }

    /// Returns the buffer that a place is in.
    #[must_use]
    pub fn buffer_of(&self, span: Span) -> Option<&Buffer> {
        if !span.is_some() {
            return None;
        }
        let span = self.place(span);
        let mut buffers = &self.own;
        if buffers.first().is_none_or(|first| span.0 < first.start) {
            let starts = |part: &Part| part.buffers.first().is_none_or(|first| first.start <= span.0);
            let after = self.base.parts.partition_point(starts);
            buffers = &self.base.parts[after.checked_sub(1)?].buffers;
        }
        let after = buffers.partition_point(|buffer| buffer.start <= span.0);
        buffers.get(after.checked_sub(1)?)
    }

    /// Returns the buffer that a place is in, and the offset there.
    #[must_use]
    pub fn offset_of(&self, span: Span) -> Option<(&Buffer, u32)> {
        let buffer = self.buffer_of(span)?;
        Some((buffer, (self.place(span).0 - buffer.start).min(buffer.text.len() as u32)))
    }

    /// Returns the line and column of a place.
    #[must_use]
    pub fn position(&self, span: Span) -> Option<(&Buffer, Position)> {
        let (buffer, at) = self.offset_of(span)?;
        let Lines { starts, returns } = buffer.lines();
        let line = starts.partition_point(|&start| start <= at);
        // As in the reference, a carriage return ends no line, but in older releases columns count from it.
        let start = match self.has_columns_after_returns {
            true => {
                let after_return = returns[..returns.partition_point(|&start| start <= at)].last();
                starts[line - 1].max(after_return.copied().unwrap_or(0))
            }
            false => starts[line - 1],
        };
        let column = at - start + 1;
        Some((buffer, Position { line: line as u32, column }))
    }

    /// Returns the block of `//` lines right above the line of a place.
    #[must_use]
    pub fn comment_above(&self, span: Span) -> Option<String> {
        let buffer = self.buffer_of(span)?;
        comment_above(&buffer.text, (span.0 - buffer.start) as usize)
    }

    /// Returns the text of the line of a place, without its end, and the offset of the place in it. Carriage returns end a
    /// line here; where columns do not count from them, the offset is the column, or that of the end.
    #[must_use]
    pub fn line_text(&self, span: Span) -> Option<(&[u8], usize)> {
        let (buffer, at) = self.offset_of(span)?;
        let at = at as usize;
        let start = memchr::memrchr2(b'\n', b'\r', &buffer.text[..at]).map_or(0, |at| at + 1);
        let end = memchr::memchr2(b'\n', b'\r', &buffer.text[at..]).map_or(buffer.text.len(), |end| at + end);
        let text = &buffer.text[start..end];
        if self.has_columns_after_returns {
            return Some((text, at - start));
        }
        let start_of_line = memchr::memrchr(b'\n', &buffer.text[..at]).map_or(0, |at| at + 1);
        Some((text, (at - start_of_line).min(text.len())))
    }
}

/// Returns the comment block that ends on the line before the one that holds offset `at`, without its `//` marks.
///
/// Returns nothing if the line above is not a comment, or if code comes before `at` on its own line.
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
        // A directive to a tool is not documentation.
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
    use super::{Excerpt, comment_above as above};

    #[test]
    fn excerpts_of_long_lines() {
        let short = Excerpt::around(b"def A;", 4);
        assert_eq!((&short.text[..], short.at), (&b"def A;"[..], 4));
        let line = format!("{}!{}", "a".repeat(1_000), "b".repeat(1_000));
        for at in [0, 1, 199, 200, 201, 1_000, 1_800, 1_999, 2_000, 2_001, 5_000] {
            let excerpt = Excerpt::around(line.as_bytes(), at);
            assert!(excerpt.text.len() <= 406 && excerpt.at <= excerpt.text.len(), "at {at}");
            let found = excerpt.text.get(excerpt.at).copied();
            assert!(at >= line.len() || found == line.as_bytes().get(at).copied(), "at {at}");
        }
        let letters = "ä".repeat(1_000);
        for at in (0..2_000).step_by(2) {
            let excerpt = Excerpt::around(letters.as_bytes(), at);
            assert!(std::str::from_utf8(&excerpt.text).is_ok(), "at {at}");
            assert_eq!(excerpt.text[excerpt.at], letters.as_bytes()[0], "at {at}");
        }
        // Bytes that are not characters at all.
        assert!(Excerpt::around(&[0x80; 1_000], 500).text.len() <= 406);
    }

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
