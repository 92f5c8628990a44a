//! Any bytes as an archive, and as its decompressed content.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../checks.rs"]
mod checks;

fuzz_target!(|bytes: &[u8]| checks::archive(bytes));
