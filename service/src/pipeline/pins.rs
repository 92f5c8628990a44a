//! The commit of LLVM that a project pins, as projects write it: a file with the commit alone, a variable of a build
//! file, the version of a wheel, a submodule.
//!
//! ```text
//! cmake/llvm-hash.txt                 7e3c5711f0a9…
//! third_party/llvm/workspace.bzl      LLVM_COMMIT = "7e3c5711f0a9…"
//! requirements.txt                    mlir==24.0.0.2026102501+7e3c5711
//! ```

use std::{fmt, fs, path::Path, process::Command};

use odsmith_engine::release::Release;

/// The pin of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    /// The commit, or its beginning.
    pub commit: Option<String>,
    /// The version of a wheel: `24.0.0.2026102501`.
    pub version: Option<String>,
    /// The file that has it, or the submodule.
    pub place: String,
}

impl fmt::Display for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = [self.version.as_deref(), self.commit.as_deref()];
        write!(f, "LLVM {} ({})", words.into_iter().flatten().collect::<Vec<_>>().join(" at "), self.place)?;
        match self.snapshot() {
            Some(release) => write!(f, ", which is MLIR {}", release.label()),
            None => Ok(()),
        }
    }
}

impl Pin {
    /// Returns the release whose snapshot is pinned.
    fn snapshot(&self) -> Option<Release> {
        let commit = self.commit.as_deref()?;
        let is_it = |release: &&Release| release.snapshot().is_some_and(|it| it.has_name(commit));
        Release::ALL.iter().find(is_it).copied()
    }
}

/// Files that hold a commit and nothing else.
const COMMIT_FILES: [&str; 8] = [
    "cmake/llvm-hash.txt",
    "llvm-hash.txt",
    "llvm_version.txt",
    "build_tools/llvm_version.txt",
    "build_tools/llvm-hash.txt",
    "cmake/llvm_version.txt",
    "llvm-commit.txt",
    "external/llvm_version.txt",
];

/// Files of builds, in which a variable holds the commit.
const BUILD_FILES: [&str; 17] = [
    "third_party/llvm/workspace.bzl",
    "third_party/llvm/llvm.bzl",
    "third_party/llvm.bzl",
    "bazel/import_llvm.bzl",
    "bazel/llvm.bzl",
    "workspace.bzl",
    "WORKSPACE",
    "WORKSPACE.bazel",
    "MODULE.bazel",
    ".dep-versions",
    "utils/clone-llvm.sh",
    "utils/clone-mlir.sh",
    "scripts/clone-llvm.sh",
    "env/CMakeLists.txt",
    "cmake/llvm.cmake",
    "cmake/LLVM.cmake",
    "CMakeLists.txt",
];

/// Files that name wheels.
const WHEEL_FILES: [&str; 8] = [
    "requirements.txt",
    "requirements-dev.txt",
    "build-requirements.txt",
    "python/requirements.txt",
    "python/requirements_dev.txt",
    "pyproject.toml",
    "python/pyproject.toml",
    "utils/mlir-wheel.txt",
];

/// Submodules of LLVM, where `.gitmodules` names no address.
const MODULES_FILE: &str = ".gitmodules";
/// The most bytes of a file that are looked at.
const MOST_BYTES: usize = 1 << 20;

/// Returns the pin of a project's folder.
#[must_use]
pub fn of_folder(folder: &Path) -> Option<Pin> {
    of_files(|path| {
        let bytes = fs::read(folder.join(path)).ok().filter(|bytes| bytes.len() <= MOST_BYTES)?;
        String::from_utf8(bytes).ok()
    })
    .or_else(|| of_submodule(folder))
}

/// Returns the pin of the project that contains a place: of the nearest folder above it that has one.
#[must_use]
pub fn around(place: &Path) -> Option<Pin> {
    let place = fs::canonicalize(place).ok()?;
    place.ancestors().take(MOST_FOLDERS).find_map(of_folder)
}

/// The number of folders above a place that may be its project.
const MOST_FOLDERS: usize = 6;

/// Returns the pin in some of a project's files.
pub fn of_files(read: impl Fn(&str) -> Option<String>) -> Option<Pin> {
    let pin = |place: &str, commit: &str| Pin {
        commit: Some(commit.to_owned()),
        version: None,
        place: place.to_owned(),
    };
    let alone = || {
        COMMIT_FILES.iter().find_map(|path| {
            let text = read(path)?;
            let mut lines =
                text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
            lines
                .find_map(|line| line.split_whitespace().find(|word| is_commit(word)))
                .map(|it| pin(path, it))
        })
    };
    let of_builds = || {
        BUILD_FILES.iter().find_map(|path| {
            let text = read(path)?;
            text.lines().find_map(commit_of_line).map(|commit| pin(path, commit))
        })
    };
    let of_wheels = || {
        WHEEL_FILES.iter().find_map(|path| {
            let text = read(path)?;
            let (version, commit) = text.lines().find_map(wheel)?;
            Some(Pin {
                commit: commit.map(str::to_owned),
                version: Some(version.to_owned()),
                place: (*path).to_owned(),
            })
        })
    };
    alone().or_else(of_builds).or_else(of_wheels)
}

/// Returns true for the hash of a commit.
fn is_commit(word: &str) -> bool {
    word.len() == 40 && word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Returns the commit that a line gives to a variable of LLVM: `LLVM_COMMIT = "…"`, `llvm=…`, `set(LLVM_SHA "…")`, or
/// that it checks out.
fn commit_of_line(line: &str) -> Option<&str> {
    let line = line.trim();
    if line.starts_with("//") || line.starts_with('#') {
        return None;
    }
    let mut words = line.split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-'));
    let lower = line.to_ascii_lowercase();
    let is_variable =
        ["llvm", "mlir"].iter().any(|name| lower.contains(name)) && lower.contains(['=', '(', ':']);
    let is_checkout = ["git checkout", "git reset", "commithash"].iter().any(|word| lower.contains(word));
    words.find(|word| is_commit(word)).filter(|_| is_variable || is_checkout)
}

/// Returns the version and the commit of a wheel of MLIR: `24.0.0.2026102501+7e3c5711`.
fn wheel(line: &str) -> Option<(&str, Option<&str>)> {
    let line = line.trim();
    let lower = line.to_ascii_lowercase();
    if line.starts_with('#') || !(lower.contains("mlir") || lower.contains("llvm")) {
        return None;
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '+');
    line.split(|c: char| !is_part(c)).find_map(|word| {
        let (version, commit) =
            word.split_once('+').map_or((word, None), |(version, rest)| (version, Some(rest)));
        let parts: Vec<&str> = version.split('.').collect();
        let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let is_dated = parts.len() == 4 && parts.iter().all(is_number) && parts[3].len() >= 8;
        let commit = commit.map(|rest| rest.split('.').next().unwrap_or(rest));
        let is_hash = |rest: &&str| rest.len() >= 7 && rest.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_dated.then_some((version, commit.filter(is_hash)))
    })
}

/// Returns the commit of a submodule with LLVM, as the index of the project's repository has it.
fn of_submodule(folder: &Path) -> Option<Pin> {
    let text = fs::read_to_string(folder.join(MODULES_FILE)).ok()?;
    let path = submodule_of_llvm(&text)?;
    let output =
        Command::new("git").arg("-C").arg(folder).args(["ls-files", "--stage", "--", path]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let commit = text.lines().find_map(|line| line.strip_prefix("160000 ")?.split(' ').next())?;
    is_commit(commit).then(|| Pin {
        commit: Some(commit.to_owned()),
        version: None,
        place: format!("the submodule {path}"),
    })
}

/// Returns the path of the submodule whose address or path is that of LLVM.
fn submodule_of_llvm(text: &str) -> Option<&str> {
    text.split("[submodule").skip(1).find_map(|module| {
        let value = |key: &str| {
            let mut values = module.lines().filter_map(|line| line.trim().split_once('='));
            values.find(|(name, _)| name.trim() == key).map(|(_, value)| value.trim())
        };
        let is_llvm = |text: &str| {
            let name = text.trim_end_matches('/').trim_end_matches(".git").rsplit('/').next();
            name.is_some_and(|name| matches!(name, "llvm-project" | "llvm"))
        };
        let path = value("path")?;
        (is_llvm(path) || value("url").is_some_and(is_llvm)).then_some(path)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMIT: &str = "7e3c5711f0a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5";
    const OTHER: &str = "0123456789abcdef0123456789abcdef01234567";

    #[test]
    fn pins_are_read_as_projects_write_them() {
        let of = |path: &str, text: &str| {
            let text = text.replace("HASH", COMMIT).replace("OTHER", OTHER);
            of_files(|name| (name == path).then(|| text.clone())).map(|pin| pin.to_string())
        };
        let expected = |place: &str| {
            Some(format!("LLVM {COMMIT} ({place}), which is MLIR 24 (trunk, 2026-10-25, 7e3c571)"))
        };
        for (place, text) in [
            ("cmake/llvm-hash.txt", "HASH\n"),
            ("build_tools/llvm_version.txt", "# LLVM\nHASH\n"),
            (
                "third_party/llvm/workspace.bzl",
                "def repo(name):\n    LLVM_COMMIT = \"HASH\"\n    LLVM_SHA256 = \"x\"\n",
            ),
            (
                "bazel/import_llvm.bzl",
                "def import_llvm():\n    LLVM_COMMIT = (\n        \"x\")\n    LLVM_COMMIT = \"HASH\"\n",
            ),
            ("WORKSPACE", "OTHER = 1\nRULES_COMMIT = \"OTHER\"\nLLVM_COMMIT = \"HASH\"\n"),
            (".dep-versions", "jax=0.6\nmhlo=OTHER\nllvm=HASH\n"),
            ("utils/clone-mlir.sh", "git clone x\ncd llvm-project && git checkout HASH && cd ..\n"),
            ("utils/clone-llvm.sh", "# see OTHER\nexport commithash=HASH\n"),
            ("env/CMakeLists.txt", "set(LLVM_PROJECT_VERSION \"HASH\")\n"),
        ] {
            assert_eq!(of(place, text), expected(place), "{place}");
        }
        let wheel = of("requirements.txt", "numpy==1.2\nmlir-wheel==24.0.0.2026102501+7e3c5711\n");
        let label = "LLVM 24.0.0.2026102501 at 7e3c5711 (requirements.txt), which is MLIR 24 (trunk, 2026-10-25, 7e3c571)";
        assert_eq!(wheel.as_deref(), Some(label));
        assert_eq!(of("requirements.txt", "mlir==22.1.0\n"), None);
        assert_eq!(of("WORKSPACE", "RULES_COMMIT = \"OTHER\"\n"), None);
        assert_eq!(of("cmake/llvm-hash.txt", "OTHER"), Some(format!("LLVM {OTHER} (cmake/llvm-hash.txt)")));
    }

    #[test]
    fn submodules_of_llvm() {
        let text = "[submodule \"a\"]\n\tpath = third_party/googletest\n\turl = https://x/googletest.git\n\
                    [submodule \"externals/llvm\"]\n\tpath = externals/llvm-project\n\turl = https://x/llvm/llvm-project.git\n";
        assert_eq!(submodule_of_llvm(text), Some("externals/llvm-project"));
        assert_eq!(submodule_of_llvm("[submodule \"b\"]\n path = b\n url = y\n"), None);
    }
}
