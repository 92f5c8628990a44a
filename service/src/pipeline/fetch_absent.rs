//! The answers of a build without a network.

/// Fetches no archive.
///
/// # Errors
/// This build has no network.
pub fn archive_at(url: &str, _: &str, _: u64) -> Result<Vec<u8>, String> {
    Err(format!(
        "{url}: this build of odsmith has no network; put the archive into a folder, and name that with path"
    ))
}
