//! Packs the relative relocations of the programs where the C library understands them.
//!
//! `odsmith-service` has tens of thousands of them, and `odsmith tblgen` is started once for each output of a build:
//! packed, they are a hundredth of the bytes to read at each start. glibc reads them since 2.36; a program that was built
//! on a machine with an older one is linked as usual, and so is one that is meant for older ones: `ODSMITH_GLIBC=2.17`
//! names the oldest that it is to start with. See the `pack-relative-relocs` of ld and lld.

use std::{env, process::Command};

/// The oldest glibc that the programs are for, as in 2.17; without it, that of this machine.
const OLDEST: &str = "ODSMITH_GLIBC";

/// Says how the programs are linked.
pub fn main() {
    // Nothing but this script, which cargo looks at by itself.
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

/// Whether the programs need to start with this glibc and later ones only.
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
