//! The fixtures that show the rules, packed into the program.

use std::io::{self, Read as _};

use odsmith_engine::{bundle::Bundle, release::Release};

const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/fixtures.tar.zst"));

/// A `.td` file, and the calls of mlir-tblgen for it.
#[derive(Clone, Debug)]
pub struct Fixture {
    /// The path below `tests/fixtures/`, without the extension, as rules name it: `release/operation`.
    pub name: String,
    /// The path among [`Fixtures::files`].
    pub path: String,
    /// The flags of each call.
    pub runs: Vec<Vec<String>>,
    /// True if calls name the absolute path.
    pub is_absolute: bool,
    /// The oldest release whose definitions it has; tools of earlier ones may read them as anything.
    pub oldest: Release,
}

/// All fixtures, and the files that they include.
#[derive(Clone, Debug, Default)]
pub struct Fixtures {
    /// The fixtures by name.
    pub all: Vec<Fixture>,
    /// All files by path.
    pub files: Bundle,
}

impl Fixtures {
    /// Unpacks the fixtures.
    ///
    /// # Errors
    /// The program was built without them.
    pub fn unpack() -> Result<Fixtures, String> {
        let mut fixtures = Fixtures::default();
        fixtures.read().map_err(|error| format!("the fixtures of this build cannot be read: {error}"))?;
        if fixtures.all.is_empty() {
            return Err("this build of odsmith holds no fixtures: build it from its repository".to_owned());
        }
        Ok(fixtures)
    }

    fn read(&mut self) -> io::Result<()> {
        let mut archive = tar::Archive::new(zstd::Decoder::new(PACKED)?);
        for entry in archive.entries()? {
            let mut entry = entry?;
            let path = entry.path()?.to_string_lossy().into_owned();
            let mut text = String::new();
            entry.read_to_string(&mut text)?;
            if !path.contains('/') {
                self.all.push(Fixture::parse(&path, &text));
            }
            self.files.insert(path, text.into_bytes());
        }
        Ok(())
    }
}

impl Fixture {
    /// Reads the calls in the comments of a fixture.
    #[must_use]
    pub fn parse(path: &str, text: &str) -> Fixture {
        let releases = text.lines().find_map(|line| line.strip_prefix("// RELEASES:")).unwrap_or_default();
        let releases = releases.split_whitespace().filter_map(|name| Release::parse(name).ok());
        let runs = text.lines().filter_map(|line| line.strip_prefix("// RUN-GEN:"));
        Fixture {
            name: format!("release/{}", path.trim_end_matches(".td")),
            path: path.to_owned(),
            runs: runs.map(|run| run.split_whitespace().map(str::to_owned).collect()).collect(),
            oldest: releases.min().unwrap_or_default(),
            is_absolute: text.lines().any(|line| line == "// PLACE: absolute"),
        }
    }
}
