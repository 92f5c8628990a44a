//! Fixtures of the differences between MLIR's releases.
//!
//! A fixture is a `.td` file below `fixtures/release/` that every tool in its line `// RELEASES:` can read, newest
//! first. The newest release's output of run *n* is in `<name>.expect/n.out`; the output of each older one is a patch
//! on the next newer one, `n.<release>.patch`, so that the patch shows the difference. If a release refuses a run, its
//! messages are recorded instead.
//!
//! All tools read the library of the set-up's release.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use diffy::{DiffOptions, Patch, apply};
use odsmith_engine::{library::Library, release::Release};

use crate::{Run, fixture, reference, run, set_up};

/// A fixture: what to run, and for which releases.
#[derive(Debug)]
pub struct Fixture {
    /// Its file name without the extension.
    pub name: String,
    /// The releases' names, newest first.
    pub releases: Vec<String>,
    runs: Vec<Vec<String>>,
    /// True if tools get its absolute path (`// PLACE: absolute`), which outputs show as `FOLDER/`.
    is_absolute: bool,
}

impl Fixture {
    /// All fixtures, sorted by name.
    ///
    /// # Panics
    /// When a fixture does not name its releases.
    #[must_use]
    pub fn all() -> Vec<Fixture> {
        let mut paths: Vec<PathBuf> = fs::read_dir(folder())
            .expect("the folder of fixtures")
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == "td"))
            .collect();
        paths.sort();
        paths.iter().map(|path| Fixture::read(path)).collect()
    }

    fn read(path: &Path) -> Fixture {
        let text = fs::read_to_string(path).expect("a fixture");
        let releases = text.lines().rev().find_map(|line| line.strip_prefix("// RELEASES:"));
        let releases = releases.map(|line| line.split_whitespace().map(str::to_owned).collect());
        let file = path.file_name().expect("a name").to_string_lossy();
        let odsmith_calibrate::Fixture { runs, is_absolute, .. } =
            odsmith_calibrate::Fixture::parse(&file, &text);
        Fixture {
            name: path.file_stem().expect("a name").to_string_lossy().into_owned(),
            releases: releases.unwrap_or_else(|| panic!("{}: no line `// RELEASES:`", path.display())),
            runs,
            is_absolute,
        }
    }

    /// Our engine's output, run by run.
    ///
    /// # Panics
    /// When a run names a generator that the engine lacks.
    #[must_use]
    pub fn ours(&self, library: &Library) -> Vec<String> {
        let includes = [set_up::library().to_owned()];
        let flags: Result<Vec<_>, _> = self.runs.iter().map(|words| run::Flags::parse(words)).collect();
        let flags = flags.unwrap_or_else(|generator| panic!("{}: no generator {generator}", self.name));
        let td = self.root();
        run::engine_of(library, &folder(), &td, &flags, &includes).iter().map(shown).collect()
    }

    /// The recorded output of a release, run by run.
    ///
    /// # Panics
    /// When an expectation is missing, or a patch does not apply.
    #[must_use]
    pub fn expected(&self, release: &str) -> Vec<String> {
        let older = self.releases.iter().skip(1).take_while(|older| older.as_str() >= release);
        let read = |file: String| {
            let path = self.expectations().join(file);
            fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        };
        let one = |index: usize| {
            older.clone().fold(read(format!("{index}.out")), |newer, older| {
                let patch = read(format!("{index}.{older}.patch"));
                let patch = Patch::from_str(&patch).expect("a patch");
                apply(&newer, &patch).unwrap_or_else(|error| panic!("{} {index} {older}: {error}", self.name))
            })
        };
        (0..self.runs.len()).map(one).collect()
    }

    /// Records the expectations with the tools of the releases.
    pub fn regenerate(&self) {
        fs::create_dir_all(self.expectations()).expect("the folder of an expectation");
        for (index, flags) in self.runs.iter().enumerate() {
            let mut newer: Option<(&String, String)> = None;
            for release in &self.releases {
                let given = shown(&of_reference(release, &self.root(), flags));
                let (file, text) = match &newer {
                    None => (format!("{index}.out"), given.clone()),
                    Some((newer, output)) => {
                        let mut options = DiffOptions::default();
                        options.set_original_filename((*newer).clone());
                        options.set_modified_filename(release.clone());
                        let patch = options.create_patch(output, &given).to_string();
                        (format!("{index}.{release}.patch"), patch)
                    }
                };
                fs::write(self.expectations().join(file), text).expect("an expectation is written");
                newer = Some((release, given));
            }
        }
    }

    /// The file's name, as passed to the tools.
    fn root(&self) -> String {
        let name = format!("{}.td", self.name);
        if self.is_absolute { folder().join(name).to_string_lossy().into_owned() } else { name }
    }

    fn expectations(&self) -> PathBuf {
        folder().join(format!("{}.expect", self.name))
    }
}

fn folder() -> PathBuf {
    set_up::tests_folder().join("fixtures/release")
}

/// The library of a release, without files: fixtures find them through an include folder.
///
/// # Panics
/// When there is no such release.
#[must_use]
pub fn library(release: &str) -> Library {
    let release = Release::parse(release).unwrap_or_else(|message| panic!("{message}"));
    Library::new(release, String::new(), Default::default())
}

/// The output, or the messages if there is none.
fn shown(run: &Run) -> String {
    let library = format!("{}/", set_up::library());
    let shown = if run.status == 0 { &run.out } else { &fixture::neutral(&run.err) };
    String::from_utf8_lossy(shown).replace(&library, "").replace(&*folder().to_string_lossy(), "FOLDER")
}

/// The output of a release's tool. The tool is in the folder that `ODSMITH_REFERENCE_<release>` names; the set-up's own
/// release needs no variable.
fn of_reference(release: &str, td: &str, flags: &[String]) -> Run {
    let tools = env::var_os(format!("ODSMITH_REFERENCE_{release}"))
        .map_or_else(|| set_up::reference_tools().to_owned(), PathBuf::from);
    let tool = tools.join("mlir-tblgen");
    let version = reference::program(&tool, &folder(), &["--version"]);
    let is_right = String::from_utf8_lossy(&version.out).contains(&format!("LLVM version {release}."));
    assert!(is_right, "{} is not of MLIR {release}: set ODSMITH_REFERENCE_{release}", tool.display());
    let mut arguments: Vec<&str> = flags.iter().map(String::as_str).collect();
    arguments.extend(["-I", set_up::library(), td]);
    reference::program(&tool, &folder(), &arguments)
}
