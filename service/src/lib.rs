//! The service and the command line: everything that touches disk, network, clock or a terminal.
//!
//! ```text
//! commands  →  generate  →  engine, site          routes  →  state, results  →  jobs  →  generate
//!    disk, archive, library: bytes in and out     reply, error, cache, keys: results as HTTP knows them
//! ```

pub mod app;
pub mod archive;
pub mod automatic;
pub mod body;
pub mod cache;
pub mod commands;
pub mod config;
pub mod disk;
pub mod error;
pub mod fetch;
pub mod forms;
pub mod gate;
pub mod generate;
pub mod jobs;
pub mod kept;
pub mod keys;
pub mod library;
pub mod log;
pub mod manifest;
pub mod metrics;
pub mod observers;
pub mod openapi;
pub mod presets;
pub mod quota;
pub mod reply;
pub mod results;
pub mod routes;
pub mod shared;
pub mod site;
pub mod site_origin;
pub mod state;
pub mod timing;
#[cfg(feature = "otlp")]
pub mod traces;
