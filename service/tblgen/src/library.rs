//! Libraries of MLIR's `.td` files on the disk: detecting their release, and finding one if no `-I` names it.

use std::{fs, path::Path, str::FromStr};

use odsmith_engine::{
    library::identity::{self, Identity, REMEDY},
    release::Release,
};

use crate::environment::Environment;

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
    /// A warning that the library is of another release, known or not.
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
        let caution = format!(
            "is of MLIR {name}, which is not known: it is read as MLIR {release}, and results may differ; {REMEDY}"
        );
        Some(ReadAs { release, caution: Some(caution) })
    }

    /// Returns the release by the definitions of a library, and by its headers if these say nothing.
    #[must_use]
    pub fn of(header: Option<&str>, identity: &Identity) -> Option<ReadAs> {
        let Some(release) = identity.nearest() else { return ReadAs::named(header?) };
        let caution = identity.caution(release);
        let is_other = |name: &&str| *name != release.name();
        let caution = caution.or_else(|| {
            let name = header.filter(is_other)?;
            Some(format!(
                "is of MLIR {name} by its headers, and {identity} by what it defines: it is read as MLIR {release}, \
                 and results may differ; {REMEDY}"
            ))
        });
        Some(ReadAs { release, caution })
    }

    /// Detects the release of an include folder by its headers and by a few files that nearly each call reads.
    #[must_use]
    pub fn of_folder(include: &Path) -> Option<ReadAs> {
        ReadAs::of(header_release(include).as_deref(), &identity_at_a_glance(include))
    }

    /// Returns the warning about a library after a call that read these files of it, whose sizes alone are compared first.
    pub(crate) fn caution_after(
        environment: &Environment,
        include: &str,
        release: Release,
        reads: &[String],
    ) -> Option<String> {
        let folder = environment.place(include);
        let own = |file: &String| {
            let below = file.strip_prefix(include)?.trim_start_matches('/');
            below.starts_with("mlir/").then(|| below.to_owned())
        };
        let reads: Vec<String> = reads.iter().filter_map(own).collect();
        let is_as_known = |path: &String| {
            fs::metadata(folder.join(path))
                .is_ok_and(|data| identity::has_size_of_release(path, release, data.len()))
        };
        if reads.iter().all(is_as_known) {
            return None;
        }
        let paths = reads.iter().map(String::as_str).chain(TELLING_FILES);
        identity_of(&folder, paths).caution(release)
    }
}

/// Identifies a library by the sizes of a few of its files, and by their contents if these are of no one release.
fn identity_at_a_glance(include: &Path) -> Identity {
    let size = |path: &'static str| Some((path, fs::metadata(include.join(path)).ok()?.len()));
    match identity::by_sizes(TELLING_FILES.into_iter().filter_map(size)) {
        Some(release) => Identity::Release(release),
        None => identity_of(include, TELLING_FILES.into_iter()),
    }
}

/// Identifies a library by some of its files.
fn identity_of<'p>(include: &Path, paths: impl Iterator<Item = &'p str>) -> Identity {
    let files = paths.filter_map(|path| Some((path.to_owned(), fs::read(include.join(path)).ok()?)));
    Identity::of_some(&files.collect(), false)
}

/// Files that differ between all releases, and that nearly each call reads: those that the first includes.
const TELLING_FILES: [&str; 12] = [
    "mlir/IR/OpBase.td",
    "mlir/IR/AttrTypeBase.td",
    "mlir/IR/CommonAttrConstraints.td",
    "mlir/IR/CommonTypeConstraints.td",
    "mlir/IR/Constraints.td",
    "mlir/IR/DialectBase.td",
    "mlir/IR/EnumAttr.td",
    "mlir/IR/Interfaces.td",
    "mlir/IR/Properties.td",
    "mlir/IR/Regions.td",
    "mlir/IR/Traits.td",
    "mlir/IR/Utils.td",
];

/// Returns the include folder that is a library, or the first one whose headers name a release, and the release.
pub(crate) fn read_as<'i>(environment: &Environment, includes: &'i [String]) -> Option<(&'i str, ReadAs)> {
    // In a build the headers are in another folder than the definitions.
    let by_header = includes
        .iter()
        .find_map(|include| Some((include.as_str(), header_release(&environment.place(include))?)));
    let header = by_header.as_ref().map(|(_, name)| name.as_str());
    let library = includes.iter().find(|include| is_library(&environment.place(include)));
    let by_definitions = library.and_then(|include| {
        Some((include.as_str(), ReadAs::of(header, &identity_at_a_glance(&environment.place(include)))?))
    });
    by_definitions
        .or_else(|| by_header.as_ref().and_then(|(include, name)| Some((*include, ReadAs::named(name)?))))
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
            read_as(&Environment::default(), &includes)
                .map(|(_, it)| (it.release, it.caution.unwrap_or_default()))
        };
        assert_eq!(say("19"), Some((Release::V19, String::new())));
        // Unknown releases are read as the nearest one.
        for (unknown, nearest) in
            [("20", Release::V21), ("25", Release::V24), ("99", Release::V24), ("3", Release::V13)]
        {
            let (release, caution) = say(unknown).expect("a release");
            assert_eq!(release, nearest, "{unknown}");
            assert!(caution.contains(&format!(
                "MLIR {unknown}, which is not known: it is read as MLIR {}",
                nearest.name()
            )));
        }
        assert_eq!(say("x"), None);
        assert_eq!(read_as(&Environment::default(), &[]), None);
        fs::remove_file(config.join("llvm-config.h")).expect("the header");
        fs::create_dir_all(folder.join("include/mlir")).expect("a folder");
        fs::write(folder.join("include").join(RELEASE_FILE), "21\n").expect("a file");
        assert_eq!(header_release(&folder.join("include")).as_deref(), Some("21"));
        let _ = fs::remove_dir_all(&folder);
    }
}
