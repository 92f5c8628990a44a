//! What a job makes.

/// One generated file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artefact {
    /// Where it goes, relative, with `/`.
    pub path: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

impl Artefact {
    /// How many of its lines are ended.
    #[must_use]
    pub fn lines(&self) -> usize {
        memchr::memchr_iter(b'\n', &self.bytes).count()
    }
}
