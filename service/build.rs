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
    embed_manual()?;
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
        "/// The script, packed by gzip, if this build has it.\npub const SCRIPT: Option<&[u8]> = {value};\n"
    );
    let folder = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    fs::write(Path::new(&folder).join("play.rs"), text)
}

/// Embeds the pages of `service/manual/`, which `/manual` shows. They affect no result.
fn embed_manual() -> io::Result<()> {
    println!("cargo::rerun-if-changed=manual");
    let root = Path::new("manual");
    let mut files = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                files.push(path);
            }
        }
    }
    files.sort();
    let mut text = "/// The pages as Markdown, by path.\nconst FILES: &[(&str, &str)] = &[\n".to_owned();
    for path in files {
        let names = path.strip_prefix(root).unwrap_or(&path).components();
        let names: Vec<_> = names.map(|name| name.as_os_str().to_string_lossy()).collect();
        text += &format!("    ({:?}, include_str!({:?})),\n", names.join("/"), path.canonicalize()?);
    }
    text += "];\n";
    let folder = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    fs::write(Path::new(&folder).join("manual.rs"), text)
}
