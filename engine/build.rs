//! Names this build by what it is made of: states and outputs that another build left on the disk are not its own.

use std::{env, io, path::PathBuf};

use odsmith_sources::Sources;

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let sources = Sources::of_crate(&root)?;
    sources.parts().for_each(|part| println!("cargo::rerun-if-changed={}", part.display()));
    // States are as the processor has them.
    let [target, profile] = ["TARGET", "PROFILE"].map(|name| env::var(name).unwrap_or_default());
    println!("cargo::rustc-env=ODSMITH_BUILD={}-{target}-{profile}", sources.digest()?);
    Ok(())
}
