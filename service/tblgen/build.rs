//! Packs the relative relocations of the programs where the C library understands them.
//!
//! `odsmith-service` has tens of thousands of them, and `odsmith tblgen` is started once for each output of a build:
//! packed, they take a hundredth of the bytes to read at each start. glibc supports them since 2.36. A program built on
//! a machine with an older glibc, or for an older one, is linked as usual: `ODSMITH_GLIBC=2.17` names the oldest glibc
//! that it must start with. See `pack-relative-relocs` of ld and lld.

use std::{env, process::Command};

/// The variable with the oldest glibc that the programs support, as in 2.17; the default is the glibc of this machine.
const OLDEST: &str = "ODSMITH_GLIBC";

/// Sets the linker's flags.
pub fn main() {
    // Rerun only if this script changes, which cargo checks by itself.
    println!("cargo::rerun-if-changed=Cargo.toml");
    println!("cargo::rerun-if-env-changed={OLDEST}");
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

/// Returns true if the programs need to start only with this glibc or a later one.
fn has_glibc(major: u32, minor: u32) -> bool {
    let asked = || Command::new("getconf").arg("GNU_LIBC_VERSION").output();
    let answer = env::var(OLDEST).unwrap_or_else(|_| {
        asked().map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default()
    });
    let mut version = answer.trim().rsplit(' ').next().unwrap_or_default().split('.').map(str::parse);
    match (version.next(), version.next()) {
        (Some(Ok(found_major)), Some(Ok(found_minor))) => (found_major, found_minor) >= (major, minor),
        _ => false,
    }
}
