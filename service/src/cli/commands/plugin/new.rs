//! `odsmith plugin new`: a generator that works, with a test.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::types::{Language, types};
use crate::{
    cli::commands::{display, exit::ExitStatus},
    store::disk,
};

/// The arguments of `odsmith plugin new`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The name of the plugin: its generator is -gen-NAME
    name: String,
    /// The language
    #[arg(long, value_enum, required_unless_present = "example")]
    lang: Option<Language>,
    /// Write a generator that is useful as it is, in Python, in place of a first one
    #[arg(long, value_enum, value_name = "GENERATOR", conflicts_with = "lang")]
    example: Option<Example>,
    /// The folder to write [default: NAME]
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// A generator that is useful as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Example {
    /// -gen-irdl: dialects as IRDL, which mlir-opt loads with --irdl-file
    Irdl,
    /// -gen-xdsl: dialects as Python definitions for xDSL
    Xdsl,
}

impl Example {
    /// Returns the kit with the generator's text.
    fn kit(self) -> Kit {
        let files: &[(&str, &str)] = match self {
            Example::Irdl => &[
                ("generator.py", include_str!("../../../../plugins/irdl/generator.py")),
                ("odsmith.py", include_str!("../../../../kit/python/odsmith.py")),
            ],
            Example::Xdsl => &[
                ("generator.py", include_str!("../../../../plugins/xdsl/generator.py")),
                ("odsmith.py", include_str!("../../../../kit/python/odsmith.py")),
            ],
        };
        Kit { files, ..PYTHON }
    }
}

/// The files of one language.
struct Kit {
    /// Paths and texts.
    files: &'static [(&'static str, &'static str)],
    /// The command that builds the program.
    build: &'static str,
    /// The path of the program.
    program: &'static str,
}

const RUST: Kit = Kit {
    files: &[
        ("Cargo.toml", include_str!("../../../../kit/rust/Cargo.toml.in")),
        ("src/main.rs", include_str!("../../../../kit/rust/src/main.rs")),
        ("src/odsmith.rs", include_str!("../../../../kit/rust/src/odsmith.rs")),
    ],
    build: "cargo build --quiet --release\n\
            # As a module: cargo build --release --target wasm32-wasip1",
    program: "target/release/@NAME@",
};

const PYTHON: Kit = Kit {
    files: &[
        ("generator.py", include_str!("../../../../kit/python/generator.py")),
        ("odsmith.py", include_str!("../../../../kit/python/odsmith.py")),
    ],
    build: "python3 -m py_compile generator.py",
    program: "generator.py",
};

const JS: Kit = Kit {
    files: &[
        ("generator.mjs", include_str!("../../../../kit/js/generator.mjs")),
        ("odsmith.mjs", include_str!("../../../../kit/js/odsmith.mjs")),
    ],
    build: "node --check generator.mjs",
    program: "generator.mjs",
};

const C: Kit = Kit {
    files: &[
        ("generator.c", include_str!("../../../../kit/c/generator.c")),
        ("odsmith.h", include_str!("../../../../kit/c/odsmith.h")),
    ],
    build: "${CC:-cc} -O2 -o @NAME@ generator.c\n\
            # As a module: clang --target=wasm32-wasip1 -O2 -o @NAME@.wasm generator.c",
    program: "@NAME@",
};

/// The files of all languages.
const COMMON: &[(&str, &str)] = &[
    ("odsmith.toml", include_str!("../../../../kit/odsmith.toml")),
    ("test.sh", include_str!("../../../../kit/test.sh")),
    ("test/input.td", include_str!("../../../../kit/input.td")),
    ("test/expected.txt", include_str!("../../../../kit/expected.txt")),
];

/// Files that are programs.
const PROGRAMS: &[&str] = &["test.sh", "generator.py", "generator.mjs"];

impl Options {
    /// Writes the files, unless one of them is there.
    ///
    /// # Errors
    /// The name is none, a file is there already, or one cannot be written.
    pub fn run(self) -> Result<ExitStatus, String> {
        let name = &self.name;
        let is_plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
        if !name.starts_with(|first: char| first.is_ascii_lowercase()) || !name.chars().all(is_plain) {
            return Err(format!(
                "'{}' is no name: it has small letters, digits and '-'",
                name.escape_debug()
            ));
        }
        let folder = self.out.clone().unwrap_or_else(|| PathBuf::from(name));
        let language = self.lang.unwrap_or(Language::Python);
        let kit = match (self.example, language) {
            (Some(example), _) => example.kit(),
            (None, Language::Rust) => RUST,
            (None, Language::Python) => PYTHON,
            (None, Language::Js) => JS,
            (None, Language::C) => C,
        };
        let common = if self.example.is_some() { &[] } else { COMMON };
        let files = || kit.files.iter().chain(common);
        if let Some((path, _)) = files().find(|(path, _)| folder.join(path).exists()) {
            return Err(format!("{} is there already: nothing is written", folder.join(path).display()));
        }
        let types = types(language);
        for (path, text) in files() {
            let text = text
                .replace("@TYPES@\n", &types)
                .replace("@BUILD@", kit.build)
                .replace("@PROGRAM@", kit.program)
                .replace("@NAME@", name);
            let place = disk::place(&folder, path);
            disk::write(&place, text.as_bytes())?;
            if PROGRAMS.contains(path) {
                make_executable(&place)?;
            }
        }
        let (count, folder) = (display::counted(files().count(), "file"), folder.display());
        let next = match self.example {
            Some(_) => format!("odsmith tblgen --plugin {folder}/generator.py FILE.td"),
            None => format!("sh {folder}/test.sh"),
        };
        display::closing(&format!("wrote {count} to {folder}\n{next}"));
        Ok(ExitStatus::Done)
    }
}

#[cfg(unix)]
fn make_executable(place: &Path) -> Result<(), String> {
    use std::{fs, os::unix::fs::PermissionsExt};

    let done = fs::metadata(place).and_then(|it| {
        let mode = it.permissions().mode();
        fs::set_permissions(place, fs::Permissions::from_mode(mode | (mode & 0o444) >> 2))
    });
    done.map_err(|error| format!("{}: {}", place.display(), disk::reason(&error)))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> Result<(), String> {
    Ok(())
}
