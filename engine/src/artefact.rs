//! What a job makes.

/// One generated file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artefact {
    /// Where it goes, relative, with `/`.
    pub path: String,
    /// Its content.
    pub bytes: Vec<u8>,
}
