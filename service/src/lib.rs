//! The service and the command line: everything that touches disk, network, clock or a terminal.
//!
//! ```text
//! commands  →  generate  →  engine, site          routes  →  state, results  →  jobs  →  generate
//!    disk, archive, library: bytes in and out     reply, error, cache, keys: results as HTTP knows them
//!                                                store: memory, disk, what servers share
//! ```

pub mod access;
pub mod app;
pub mod archive;
pub mod automatic;
pub mod besides;
pub mod body;
pub mod cache;
pub mod commands;
pub mod compare;
pub mod config;
pub mod connections;
pub mod dependencies;
pub mod disk;
pub mod error;
pub mod fetch;
pub mod forms;
pub mod framing;
pub mod gate;
pub mod generate;
pub mod ide;
pub mod import;
pub mod in_flight;
pub mod jobs;
pub mod keys;
pub mod library;
pub mod listening;
pub mod log;
pub mod lsp;
pub mod manifest;
pub mod metrics;
pub mod observers;
pub mod openapi;
pub mod output_folder;
pub mod pieces;
pub mod presets;
pub mod progress;
pub mod provenance;
pub mod proxies;
pub mod query;
pub mod quota;
pub mod readers;
pub mod refusals;
pub mod releases;
pub mod reply;
pub mod results;
pub mod routes;
pub mod running;
pub mod signals;
pub mod signing;
pub mod site;
pub mod site_origin;
pub mod state;
pub mod store;
pub mod ticket;
pub mod timing;
pub mod tokens;
#[cfg(feature = "otlp")]
pub mod traces;
pub mod upgrade;
pub mod work;
