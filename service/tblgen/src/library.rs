//! Libraries of MLIR's `.td` files on the disk: detecting their release, and finding one if no `-I` names it.

use std::{fs, path::Path, str::FromStr};

use odsmith_engine::release::Release;

/// The file that distinguishes a library from other folders.
pub const WITNESS: &str = "mlir/IR/OpBase.td";

/// The folders of a library that contain its files.
pub const TOPS: [&str; 2] = ["llvm", "mlir"];

/// The file with the release of a library without headers, such as those that `odsmith library add` makes.
pub const RELEASE_FILE: &str = "mlir/odsmith-release";

/// A library that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundLibrary {
    /// Its release.
    pub release: Release,
    /// Its include folder.
    pub include: String,
}

impl FromStr for FoundLibrary {
    type Err = String;

    /// Parses `22=/path/to/include`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (release, include) = text.split_once('=').ok_or_else(|| format!("'{text}' names no release"))?;
        Ok(FoundLibrary { release: Release::parse(release)?, include: include.to_owned() })
    }
}

/// Finds the library of a release, or of any release, if no include folder is one. The error message says what to do.
pub type Finder = fn(Option<Release>) -> Result<FoundLibrary, String>;

/// Returns true if a folder holds the library of a release.
#[must_use]
pub fn is_library(include: &Path) -> bool {
    include.join(WITNESS).is_file()
}

/// Reads the major version from the headers beside a library, or from the file that replaces them, if they exist.
#[must_use]
pub fn header_release(include: &Path) -> Option<String> {
    let noted = || Some(fs::read_to_string(include.join(RELEASE_FILE)).ok()?.trim().to_owned());
    config_release(include).or_else(noted)
}

/// Reads the major version from LLVM's own headers beside a library, if they exist.
#[must_use]
pub fn config_release(include: &Path) -> Option<String> {
    let header = fs::read_to_string(include.join("llvm/Config/llvm-config.h")).ok()?;
    let version = header.lines().find_map(|line| line.strip_prefix("#define LLVM_VERSION_MAJOR "))?;
    Some(version.trim().to_owned())
}

/// The release as which a library is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadAs {
    /// The release.
    pub release: Release,
    /// A warning that the library is of another, unknown release.
    pub caution: Option<String>,
}

impl ReadAs {
    /// Returns the release of this name, or else the nearest one.
    #[must_use]
    pub fn named(name: &str) -> Option<ReadAs> {
        if let Ok(release) = Release::parse(name) {
            return Some(ReadAs { release, caution: None });
        }
        let release = Release::nearest(name)?;
        Some(ReadAs {
            release,
            caution: Some(format!("is of MLIR {name}, which is not known: {}", as_which(release))),
        })
    }

    /// Returns the newest release, for a library of a later one.
    #[must_use]
    pub fn newest() -> ReadAs {
        let release = Release::newest();
        let caution =
            format!("is newer than MLIR {}, the newest that is known: {}", release.name(), as_which(release));
        ReadAs { release, caution: Some(caution) }
    }

    /// Detects the release of an include folder: from its headers, or else from a definition that only later releases
    /// have. Opens at most three files.
    #[must_use]
    pub fn of_folder(include: &Path) -> Option<ReadAs> {
        if let Some(name) = header_release(include) {
            return ReadAs::named(&name);
        }
        let text = fs::read(include.join(NEWER_FILE)).ok()?;
        let mut lines = text.split(|byte| *byte == b'\n');
        lines.any(|line| line.trim_ascii().starts_with(NEWER_FIELD)).then(ReadAs::newest)
    }
}

fn as_which(release: Release) -> String {
    format!("it is read as MLIR {}, and results may differ", release.name())
}

/// A small file that every library has.
const NEWER_FILE: &str = "mlir/IR/DialectBase.td";
/// A field that this file has only after the newest known release.
const NEWER_FIELD: &[u8] = b"bit useStrictPropertiesInAssemblyFormat ";

/// Returns the first include folder whose release can be detected, and the release.
pub(crate) fn read_as(includes: &[String]) -> Option<(&str, ReadAs)> {
    // In a build the headers are in another folder than the definitions.
    let by_header = includes
        .iter()
        .find_map(|include| Some((include.as_str(), ReadAs::named(&header_release(Path::new(include))?)?)));
    by_header.or_else(|| {
        let mut libraries = includes.iter().filter(|include| is_library(Path::new(include)));
        libraries.find_map(|include| Some((include.as_str(), ReadAs::of_folder(Path::new(include))?)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_is_written_with_its_release() {
        let found = FoundLibrary { release: Release::V19, include: "/a=b".to_owned() };
        assert_eq!("19=/a=b".parse(), Ok(found));
        assert!("/a".parse::<FoundLibrary>().is_err() && "3=/a".parse::<FoundLibrary>().is_err());
    }

    #[test]
    fn headers_say_the_release() {
        let folder = std::env::temp_dir().join(format!("odsmith-headers-{}", std::process::id()));
        let config = folder.join("include/llvm/Config");
        fs::create_dir_all(&config).expect("a folder");
        let say = |major: &str| {
            let header = format!("/* Major version */\n#define LLVM_VERSION_MAJOR {major}\n");
            fs::write(config.join("llvm-config.h"), header).expect("a header");
            let includes = ["own", "include"].map(|name| folder.join(name).to_string_lossy().into_owned());
            read_as(&includes).map(|(_, it)| (it.release, it.caution.unwrap_or_default()))
        };
        assert_eq!(say("19"), Some((Release::V19, String::new())));
        // Unknown releases are read as the nearest one.
        for (unknown, nearest) in
            [("20", Release::V21), ("24", Release::V23), ("99", Release::V23), ("3", Release::V13)]
        {
            let (release, caution) = say(unknown).expect("a release");
            assert_eq!(release, nearest, "{unknown}");
            assert!(caution.contains(&format!(
                "MLIR {unknown}, which is not known: it is read as MLIR {}",
                nearest.name()
            )));
        }
        assert_eq!(say("x"), None);
        assert_eq!(read_as(&[]), None);
        fs::remove_file(config.join("llvm-config.h")).expect("the header");
        fs::create_dir_all(folder.join("include/mlir")).expect("a folder");
        fs::write(folder.join("include").join(RELEASE_FILE), "21\n").expect("a file");
        assert_eq!(header_release(&folder.join("include")).as_deref(), Some("21"));
        let _ = fs::remove_dir_all(&folder);
    }
}
