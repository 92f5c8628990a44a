//! Requests to a registry. A build without the feature `network` has a client that cannot be created.

#[cfg_attr(not(feature = "network"), path = "client/absent.rs")]
mod http;

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

pub use http::Client;

use super::{credentials::Credentials, digest::Digest};

/// The longest manifest, in bytes.
pub const MOST_MANIFEST: u64 = 4 << 20;

/// Settings for a registry.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct HostSettings {
    /// Another registry that has the same blobs and manifests: `mirror.example/proxy`.
    pub mirror: Option<String>,
    /// The host of the token server, which may see the login.
    pub realm: Option<String>,
}

/// Settings of a client.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Hosts that are asked over plain HTTP, besides loopback.
    pub plain_http: BTreeSet<String>,
    /// Logins.
    pub credentials: Credentials,
    /// Settings by host.
    pub hosts: BTreeMap<String, HostSettings>,
    /// The only hosts to connect to, for a server; any, if there are none.
    pub only: Option<BTreeSet<String>>,
}

/// The way in which a blob came to a registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Upload {
    /// It was there.
    Present,
    /// It was taken over from another repository.
    Mounted,
    /// It was sent.
    Sent,
}

/// A manifest as it was read.
#[derive(Clone, Debug)]
pub struct RawManifest {
    /// The digest of its bytes.
    pub digest: Digest,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its media type.
    pub media_type: String,
}

/// The condition of writing a tag; many registries ignore it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// None.
    Always,
    /// There is nothing yet.
    Absent,
    /// There is this one.
    Is(Digest),
}
