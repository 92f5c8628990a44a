//! The pipeline: a bundle and a manifest come in, a finished result goes out. The command line and HTTP share it.

pub mod automatic;
pub mod catalog;
pub mod compare;
pub mod dependencies;
pub mod describe;
pub mod documents;
pub mod editor;
pub mod error;
pub mod examples;
#[cfg_attr(not(feature = "network"), path = "fetch_absent.rs")]
pub mod fetch;
pub mod generate;
pub mod ide;
pub mod ir;
pub mod library;
pub mod manifest;
pub mod material;
#[cfg(feature = "network")]
pub mod mcp;
pub mod owners;
pub mod pins;
pub mod playground;
pub mod plugins;
pub mod presets;
pub mod progress;
pub mod provenance;
pub mod registry;
pub mod releases;
pub mod request;
pub mod rules;
pub mod schemas;
pub mod site;
pub mod upgrade;
pub mod workspace;
