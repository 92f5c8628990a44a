//! Names the build by its inputs, so that results of different builds have different keys; and sets the linker's flags
//! as for `odsmith`.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use odsmith_sources::Sources;

#[path = "tblgen/build.rs"]
mod relocations;

fn main() -> io::Result<()> {
    relocations::main();
    embed_playground()?;
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let sources = Sources::of_crate(&root)?;
    sources.parts().for_each(|part| println!("cargo::rerun-if-changed={}", part.display()));
    println!("cargo::rustc-env=ODSMITH_BUILD={}", sources.digest()?);
    Ok(())
}

/// Embeds the playground's script, made by `service/play/build.mjs`, if it exists. It affects no result.
fn embed_playground() -> io::Result<()> {
    println!("cargo::rerun-if-changed=play/dist");
    let script = Path::new("play/dist/play.js.gz");
    let value = if script.is_file() {
        format!("Some(include_bytes!({:?}))", script.canonicalize()?)
    } else {
        "None".to_owned()
    };
    let text = format!(
        "/// The script, packed by gzip, if this build has it.\nconst SCRIPT: Option<&[u8]> = {value};\n"
    );
    let folder = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    fs::write(Path::new(&folder).join("play.rs"), text)
}
