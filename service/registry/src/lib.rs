//! Dialects in a registry that speaks the OCI distribution specification.
//!
//! | file | what |
//! | --- | --- |
//! | [`mod@reference`] | `oci://host/repository:tag@sha256:…` |
//! | [`digest`] | SHA-256 digests |
//! | [`canonical`] | JSON in one form: the same value gives the same bytes |
//! | [`manifest`] | manifests, indexes and descriptors of OCI |
//! | [`artifact`] | the parts of an artifact with dialects, and its config |
//! | [`error`] | the errors of a registry, in its own words |
//! | [`credentials`] | users and passwords, as Docker and Podman keep them |
//! | [`challenge`] | the question of a registry for a login |
//! | [`client`] | requests: blobs, manifests, tags |
//! | [`referrers`] | reports on a manifest, with the tag that replaces a missing API |
//! | [`publish`] | an artifact to a registry: the tag comes last |
//! | [`pull`] | an artifact from a registry or a layout, everything checked |
//! | [`layout`] | image layouts on disk, as the cache and for other tools |
//! | [`version`] | versions and what asks for them |
//! | [`resolve`] | one version of each project, by minimal versions |
//! | [`lock`] | `odsmith.lock` |
//!
//! The crate knows bytes and documents of OCI, and nothing of TableGen.

pub mod artifact;
pub mod canonical;
pub mod challenge;
pub mod client;
pub mod credentials;
pub mod digest;
pub mod error;
pub mod layout;
pub mod lock;
pub mod manifest;
pub mod publish;
pub mod pull;
pub mod reference;
pub mod referrers;
pub mod resolve;
pub mod version;
