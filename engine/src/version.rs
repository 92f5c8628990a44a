//! MLIR releases, and what differs between them.

use serde::{Deserialize, Serialize};

/// A release of MLIR whose behaviour is reproduced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Release {
    /// LLVM and MLIR 22.1.
    #[default]
    #[serde(rename = "22")]
    V22,
}

impl Release {
    /// All releases, newest first.
    pub const ALL: &[Release] = &[Release::V22];

    /// The name that users write.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Release::V22 => "22",
        }
    }

    /// The release of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Release> {
        Release::ALL.iter().copied().find(|release| release.name() == name)
    }
}
