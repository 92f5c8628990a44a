//! The client of a build without a network, of which there is none.

use super::{Condition, RawManifest, Upload};
use crate::{digest::Digest, error::Error, manifest::Descriptor, reference::Reference};

/// A client that does not exist.
#[derive(Clone, Copy, Debug)]
pub enum Client {}

/// Declares the questions that nothing can ask.
macro_rules! questions {
    ($($(#[$doc:meta])* $see:vis async fn $name:ident($($argument:ident: $ty:ty),*) -> $answer:ty;)*) => {
        impl Client {
            $(
                $(#[$doc])*
                ///
                /// # Errors
                /// None: there is no client.
                $see async fn $name(&self, $(_: $ty),*) -> Result<$answer, Error> {
                    match *self {}
                }
            )*
        }
    };
}

questions! {
    /// Returns whether a repository has a blob.
    pub async fn has_blob(at: &Reference, digest: &Digest) -> bool;
    /// Reads a blob.
    pub async fn blob(at: &Reference, blob: &Descriptor, limit: u64) -> Vec<u8>;
    /// Sends a blob.
    pub async fn put_blob(at: &Reference, bytes: &[u8], mount_from: Option<&str>) -> Upload;
    /// Reads a manifest by its tag or digest.
    pub async fn manifest(at: &Reference, key: &str) -> Option<RawManifest>;
    /// Writes a manifest.
    pub async fn put_manifest(at: &Reference, key: &str, media_type: &str, bytes: &[u8], condition: &Condition) -> bool;
    /// Lists the tags of a repository.
    pub async fn tags(at: &Reference) -> Vec<String>;
    /// Lists the repositories of a registry.
    pub async fn repositories(host: &str) -> Vec<String>;
    /// Lists the manifests whose subject this one is.
    pub(crate) async fn referrers_of(at: &Reference, subject: &Digest) -> Option<Vec<Descriptor>>;
}

impl Client {
    /// Returns the place that has the blobs and manifests of a repository as well.
    #[must_use]
    pub fn mirror(&self, _: &Reference) -> Option<Reference> {
        match *self {}
    }
}
