//! Any bytes as a manifest, in TOML and JSON, and as flags.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../checks.rs"]
mod checks;

fuzz_target!(|bytes: &[u8]| checks::request(bytes));
