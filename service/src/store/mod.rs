//! Storage: archives, files on disks, the names of contents, and the tiers of a server ([`tier`]).

pub mod archive;
pub mod cache;
pub mod disk;
pub mod keys;
pub mod origin;
pub mod output_folder;
#[cfg(feature = "signing")]
pub mod signing;
#[cfg(feature = "network")]
pub mod tier;

#[cfg(feature = "network")]
pub use tier::{
    Caches, Claim, Counts, EntryKind, Folder, Seal, SealedTier, StoredRequest, Tier, Value, disk, lease,
    most_bytes, shared,
};
