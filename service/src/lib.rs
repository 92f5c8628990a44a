//! The service and the command line: all code that touches disk, network, clock or a terminal.
//!
//! Six rooms in one direction: each uses only those to its right.
//!
//! ```text
//! cli  →  http  →  jobs  →  pipeline  →  store, observe
//! ```
//!
//! `config` is plain data, below all rooms. Without the feature `network`, the rooms of the server are missing, and so are
//! the commands that need them.

// A library in a page has no command line.
#[cfg(not(target_os = "unknown"))]
pub mod cli;
pub mod config;
#[cfg(feature = "network")]
pub mod http;
#[cfg(feature = "network")]
pub mod jobs;
#[cfg(feature = "network")]
pub mod observe;
pub mod pipeline;
pub mod store;
