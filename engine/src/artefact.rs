//! The generated files of a job.

/// One generated file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artefact {
    /// The path, relative, with `/`.
    pub path: String,
    /// The content.
    pub bytes: Vec<u8>,
}

impl Artefact {
    /// Counts the lines that end with a line break.
    #[must_use]
    pub fn lines(&self) -> usize {
        memchr::memchr_iter(b'\n', &self.bytes).count()
    }
}
