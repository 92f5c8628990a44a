//! Packs the relative relocations of the programs where the C library understands them.
//!
//! `odsmith-service` has tens of thousands of them, and `odsmith tblgen` is started once for each output of a build:
//! packed, they are a hundredth of the bytes to read at each start. glibc reads them since 2.36; a program that was built
//! on a machine with an older one is linked as usual. See the `pack-relative-relocs` of ld and lld.

use std::{env, process::Command};

/// Says how the programs are linked.
pub fn main() {
    // Nothing but this script, which cargo looks at by itself.
    println!("cargo::rerun-if-changed=Cargo.toml");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    let is_native = env::var("TARGET").ok() == env::var("HOST").ok();
    if is_native
        && is("CARGO_CFG_TARGET_OS", "linux")
        && is("CARGO_CFG_TARGET_ENV", "gnu")
        && has_glibc(2, 36)
    {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// Whether this machine's glibc is this one or a later one.
fn has_glibc(major: u32, minor: u32) -> bool {
    let asked = Command::new("getconf").arg("GNU_LIBC_VERSION").output();
    let answer = asked.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let mut version = answer.trim().rsplit(' ').next().unwrap_or_default().split('.').map(str::parse);
    match (version.next(), version.next()) {
        (Some(Ok(found_major)), Some(Ok(found_minor))) => (found_major, found_minor) >= (major, minor),
        _ => false,
    }
}
