//! The service and the command line: all code that touches disk, network, clock or a terminal.
//!
//! Six rooms in one direction: each uses only those to its right.
//!
//! ```text
//! cli  →  http  →  jobs  →  pipeline  →  store, observe
//! ```
//!
//! `config` is plain data, below all rooms.

pub mod cli;
pub mod config;
pub mod http;
pub mod jobs;
pub mod observe;
pub mod pipeline;
pub mod store;
