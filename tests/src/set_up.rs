//! The places of the library, the reference tools and our own binary. The scripts under `tests/setup/` find them, or
//! fetch them once into a cache.

use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::OnceLock,
};

use odsmith_engine::release::Release;

/// The folder `tests/`.
#[must_use]
pub fn tests_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The root of the repository.
#[must_use]
pub fn repository() -> &'static Path {
    tests_folder().parent().expect("tests/ is in the repository")
}

/// The include folder with MLIR's `.td` files.
#[must_use]
pub fn library() -> &'static str {
    static FOLDER: OnceLock<String> = OnceLock::new();
    let of_release = |tools: PathBuf| tools.with_file_name("include").to_string_lossy().into_owned();
    FOLDER.get_or_init(|| tools_of_fuzzed().map_or_else(|| script("library.sh"), of_release))
}

/// The folder with `mlir-tblgen` and, unless `ODSMITH_FUZZ_RELEASE` is set, `llvm-tblgen`.
#[must_use]
pub fn reference_tools() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| tools_of_fuzzed().unwrap_or_else(|| script("reference.sh").into()))
}

/// The release that random inputs are compared for: `ODSMITH_FUZZ_RELEASE`, or that of the set-up.
///
/// # Panics
/// When there is no such release.
#[must_use]
pub fn fuzzed_release() -> Release {
    let name = env::var("ODSMITH_FUZZ_RELEASE").unwrap_or_default();
    match &*name {
        "" => Release::default(),
        name => Release::parse(name).unwrap_or_else(|message| panic!("{message}")),
    }
}

/// The folder of tools that `ODSMITH_REFERENCE_<release>` names, if random inputs are for another release.
fn tools_of_fuzzed() -> Option<PathBuf> {
    let release = fuzzed_release();
    let variable = format!("ODSMITH_REFERENCE_{}", release.name());
    let is_other = release != Release::default();
    is_other.then(|| env::var_os(&variable).unwrap_or_else(|| panic!("{variable} is not set")).into())
}

/// The library with which one process of a reference tool answers many calls, if it can be built.
#[must_use]
pub fn again() -> Option<&'static Path> {
    static FILE: OnceLock<Option<PathBuf>> = OnceLock::new();
    let build = || {
        let file = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../target/again.so"));
        let source = tests_folder().join("setup/again.c");
        let changed = |path: &Path| path.metadata().and_then(|data| data.modified()).ok();
        if changed(&file) < changed(&source) {
            let own = file.with_extension(format!("{}.so", std::process::id()));
            let mut compiler = Command::new("cc");
            compiler.args(["-O1", "-shared", "-fPIC", "-o"]).arg(&own).arg(&source).arg("-ldl");
            let is_built = compiler.stderr(Stdio::null()).status().is_ok_and(|status| status.success());
            // It is renamed once complete, as other tests may build it at the same time.
            if !is_built || std::fs::rename(&own, &file).is_err() {
                return None;
            }
        }
        Some(file)
    };
    FILE.get_or_init(build).as_deref()
}

/// The prefix of an MLIR installation to compile with.
#[must_use]
pub fn mlir() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| script("compiler.sh").into())
}

/// The prefix of another release: of its `library`, or of its `tools` as well. `None` if it is not available.
#[must_use]
pub fn release(release: &str, what: &str) -> Option<PathBuf> {
    run_script("release.sh", &[release, what]).map(PathBuf::from)
}

/// Runs a set-up script that must succeed.
fn script(name: &str) -> String {
    run_script(name, &[]).unwrap_or_else(|| panic!("tests/setup/{name} failed; see above for what to do"))
}

/// Runs a set-up script and returns the line that it prints.
fn run_script(name: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new("sh")
        .arg(tests_folder().join("setup").join(name))
        .args(arguments)
        .stderr(Stdio::inherit())
        .output()
        .expect("sh runs");
    let text = String::from_utf8(output.stdout).expect("a path");
    output.status.success().then(|| text.trim_end().to_owned())
}

/// The `odsmith` program, which is built if it is not up to date; `ODSMITH_BIN` names another.
#[must_use]
pub fn odsmith() -> &'static Path {
    // A failure is kept too, so that only the first test waits for the build.
    static BINARY: OnceLock<Option<PathBuf>> = OnceLock::new();
    let binary = BINARY.get_or_init(|| {
        if let Some(given) = env::var_os("ODSMITH_BIN") {
            return Some(given.into());
        }
        let test = env::current_exe().expect("the test's own path");
        let folder = test.ancestors().nth(2).expect("target/<profile>/deps/<test>").to_owned();
        let mut build = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        build.args(["build", "--quiet", "--package", "odsmith", "--package", "odsmith-service", "--bins"]);
        build.current_dir(repository());
        if folder.ends_with("release") {
            build.arg("--release");
        }
        // Build scripts that read Cargo's variables for the package under test would run again, here and after this.
        for (name, _) in env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
                build.env_remove(&name);
            }
        }
        build.status().is_ok_and(|status| status.success()).then(|| folder.join("odsmith"))
    });
    binary.as_ref().expect("odsmith builds")
}
