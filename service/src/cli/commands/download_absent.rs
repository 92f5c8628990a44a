//! The answer of a build without a network.

use std::path::{Path, PathBuf};

/// Downloads nothing.
pub(super) fn downloaded(address: &str, _: &Path) -> Result<PathBuf, String> {
    Err(format!(
        "{address}: this build of odsmith has no network; download the file, and name it with --from"
    ))
}
