//! `odsmith init`: writes a commented `odsmith.toml` for a folder, from its contents.

use std::{
    fmt::Write as _,
    fs::OpenOptions,
    io::Write as _,
    path::{Path, PathBuf},
};

use clap::Args;

use super::{
    Input, display,
    exit::ExitStatus,
    options::{MlirOptions, ProjectOptions, ToleranceOptions},
};
use crate::{
    pipeline::{
        generate::Status,
        manifest::{FILE_NAME, Manifest, Target},
    },
    store::disk,
};

/// The arguments of `odsmith init`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The folder of the project
    #[arg(value_name = "PATH", default_value = ".")]
    folder: PathBuf,
    #[command(flatten)]
    mlir: MlirOptions,
}

impl Options {
    /// Writes the file, unless there is one.
    ///
    /// # Errors
    /// The file exists already, the folder holds no root, there is no library, or the file cannot be written.
    pub fn run(self) -> Result<ExitStatus, String> {
        let is_here = self.folder == Path::new(".");
        let place = if is_here { PathBuf::from(FILE_NAME) } else { self.folder.join(FILE_NAME) };
        if place.exists() {
            return Err(format!("{} is there already, and is left as it is", place.display()));
        }
        let none = (ProjectOptions::default(), ToleranceOptions::default());
        let input = Input::new(self.folder, &none.0, &self.mlir, &none.1);
        let outputs_only = |manifest: &mut Manifest| {
            manifest.docs.enabled = false;
            manifest.model = false;
        };
        let result = input.run(outputs_only, None)?.result;
        if result.manifest.target.is_empty() {
            return Err(format!("no {FILE_NAME} is written: no root was found in {}", input.input.display()));
        }
        let release = result.manifest.mlir.as_deref().unwrap_or_default();
        write_new(&place, &text(release, &result.manifest.target))?;
        let made = result.outputs.iter().filter(|output| output.status == Status::Ok).count();
        let message = format!(
            "wrote {}: {}, {}, {made} of which can be made with MLIR {release}",
            place.display(),
            display::counted(result.manifest.target.len(), "root"),
            display::counted(result.outputs.len(), "output"),
        );
        display::closing(&message);
        Ok(ExitStatus::of(result.status == Status::Ok))
    }
}

/// Writes a file that does not exist yet.
fn write_new(place: &Path, text: &str) -> Result<(), String> {
    let file = OpenOptions::new().write(true).create_new(true).open(place);
    let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| format!("{}: {}", place.display(), disk::reason(&error)))
}

/// Returns the text of the file.
fn text(release: &str, targets: &[Target]) -> String {
    let mut text = format!(
        "# What is made of this folder by `odsmith generate . --out DIR`.\n\
         # `odsmith schema manifest --markdown` lists all fields.\n\
         schema = 1\n\
         # The release of MLIR that the project is written for.\n\
         mlir = {}\n\
         # Where its .td files are, if not where `odsmith library list` finds them.\n\
         # library = \"path/to/include\"\n\
         # Files that are no roots, and roots whose errors are warnings.\n\
         # exclude = [\"test/\"]\n\
         # ignore-errors = [\"**/Broken.td\"]\n\n\
         # The reference site.\n\
         [docs]\n\
         # title = \"Name of the project\"\n\
         # source_url = \"https://example.org/blob/main/{{path}}#L{{line}}\"\n\n\
         # Each root, and what is made of it. Without any target, this is worked out each time.\n",
        quoted(release)
    );
    for target in targets {
        // Writing to a string cannot fail.
        let _ = write_target(&mut text, target);
    }
    text
}

fn write_target(text: &mut String, target: &Target) -> std::fmt::Result {
    writeln!(text, "[[target]]")?;
    if let Some(td) = &target.td {
        writeln!(text, "td = {}", quoted(td))?;
    }
    if !target.includes.is_empty() {
        writeln!(text, "includes = {}", list(&target.includes))?;
    }
    if let Some(folder) = &target.out_dir {
        writeln!(text, "out-dir = {}", quoted(folder))?;
    }
    if !target.outputs.is_empty() {
        writeln!(text, "outputs = [")?;
        for output in &target.outputs {
            writeln!(text, "    {{ path = {}, flags = {} }},", quoted(&output.path), list(&output.flags))?;
        }
        writeln!(text, "]")?;
    }
    writeln!(text)
}

fn list(texts: &[String]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    format!("[{}]", texts.join(", "))
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::manifest::Output;

    #[test]
    fn the_file_says_what_was_found() {
        let output = Output {
            path: "A \"b\".h.inc".to_owned(),
            flags: vec!["-gen-op-decls".to_owned(), "-dialect=a".to_owned()],
        };
        let target = Target {
            td: Some("a/A.td".to_owned()),
            includes: vec!["a".to_owned()],
            out_dir: Some("a".to_owned()),
            outputs: vec![output],
            ..Target::default()
        };
        let alone = Target { td: Some("b.td".to_owned()), ..Target::default() };
        let targets = [target, alone];
        let manifest = Manifest::from_toml(text("22", &targets).as_bytes()).expect("a manifest");
        assert_eq!((manifest.mlir.as_deref(), &manifest.target[..]), (Some("22"), &targets[..]));
    }
}
