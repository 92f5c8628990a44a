//! Finds the release of a library from its definitions.
//!
//! If the headers of LLVM are there, they name the release. Else definitions decide that appeared in one release and
//! are in every later one.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt, fs,
    path::Path,
};

use odsmith_engine::release::Release;

use super::source::Definitions;

/// Definitions that appeared in each release.
const MARKERS: &[(Release, [&str; 3])] = &[
    (Release::V14, ["BitEnumAttrCaseBit", "ConstantStrAttr", "DefaultValuedStrAttr"]),
    (Release::V15, ["DenseArrayAttrBase", "DefaultValuedParameter", "I32BitEnumAttr"]),
    (Release::V16, ["ConfinedAttr", "AllAttrOf", "DefaultValuedOptionalAttr"]),
    (Release::V17, ["AnyPred", "AnyNon0RankedTensor", "AnyMatchOperatorTrait"]),
    (Release::V18, ["OptionalTypesMatchWith", "NormalizeIndex", "PromisedAttrInterface"]),
    (Release::V19, ["ConstantEnumCase", "ArrayMaxCount", "HasValueSemanticsPred"]),
    (Release::V21, ["BitEnumCaseBit", "ArrayProp", "AnyVectorOfNonZeroRank"]),
    (Release::V22, ["IntPowerOf2", "AllTypeIDsMatch", "InputMatchesTypes"]),
    (Release::V23, ["AncestorOneOf", "ArrayWithKnownSize", "BF16Attr"]),
    (Release::V24, ["AnyDistinctAttr", "EnumAttrParameter", "SymbolName"]),
];

/// Definitions that appeared after the newest of these releases.
const NEWER: [&str; 0] = [];

/// The identity of a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// It has the definitions of this release, and none that appeared later.
    Release(Release),
    /// It has some, but not all, of the definitions that appeared in the second: a checkout from between the two.
    Between(Release, Release),
    /// It has some definitions that appeared after the newest known release.
    Newer,
    /// It has no definitions of any known release.
    Unknown,
}

impl Identity {
    /// Identifies a library by the texts of its files below `mlir/IR/`.
    pub fn of<'t>(texts: impl Iterator<Item = &'t str>) -> Identity {
        let names: BTreeSet<&str> = texts.flat_map(str::lines).filter_map(defined).collect();
        if !names.contains("Op") && !names.contains("Dialect") {
            return Identity::Unknown;
        }
        let mut last = Release::V13;
        for (release, markers) in MARKERS {
            match markers.iter().filter(|marker| names.contains(*marker)).count() {
                0 => break,
                3 => last = *release,
                _ => return Identity::Between(last, *release),
            }
        }
        let has_all = MARKERS.last().is_some_and(|(release, _)| *release == last);
        if has_all && NEWER.iter().any(|marker| names.contains(marker)) {
            return Identity::Newer;
        }
        Identity::Release(last)
    }

    /// Identifies a library by its files, which have their paths in an include folder.
    pub fn of_files<B: AsRef<[u8]>>(files: &BTreeMap<String, B>) -> Identity {
        let in_ir = files.iter().filter(|(path, _)| path.starts_with("mlir/IR/"));
        Identity::of(in_ir.filter_map(|(_, bytes)| str::from_utf8(bytes.as_ref()).ok()))
    }

    /// Returns true if it may be a release; a checkout counts as both of its neighbours.
    #[must_use]
    pub fn may_be(self, release: Release) -> bool {
        match self {
            Identity::Release(own) => own == release,
            Identity::Between(after, before) => [after, before].contains(&release),
            Identity::Newer => false,
            Identity::Unknown => true,
        }
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Identity::Release(release) => write!(f, "MLIR {release}"),
            Identity::Between(after, before) => write!(f, "between MLIR {after} and {before}"),
            Identity::Newer => write!(f, "newer than MLIR {}", Release::newest()),
            Identity::Unknown => f.write_str("no release of MLIR that is known here"),
        }
    }
}

/// Identifies an include folder by the files in its `mlir/IR`. An unreadable one is unknown.
#[must_use]
pub fn of_folder(include: &Path) -> Identity {
    let entries = fs::read_dir(include.join("mlir/IR")).into_iter().flatten().flatten();
    let paths =
        entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|end| end == "td"));
    let texts: Vec<String> = paths.filter_map(|path| fs::read_to_string(path).ok()).collect();
    Identity::of(texts.iter().map(String::as_str))
}

/// Identifies an include folder or a packed library.
///
/// # Errors
/// The packed library cannot be read.
pub fn of_place(place: &Path) -> Result<Identity, String> {
    if place.is_file() { Ok(Definitions::read(place)?.identity()) } else { Ok(of_folder(place)) }
}

/// Returns the name that a line at the start of a definition defines.
fn defined(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("class ").or_else(|| line.strip_prefix("def "))?.trim_start();
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    (end > 0).then(|| &rest[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(releases: &[Release], more: &str) -> Identity {
        let mut text = "class Op<Dialect d> {\n".to_owned();
        for (_, markers) in MARKERS.iter().filter(|(release, _)| releases.contains(release)) {
            text += &markers.map(|marker| format!("class {marker}<int x>;\n")).concat();
        }
        text += more;
        Identity::of([&*text].into_iter())
    }

    #[test]
    fn the_newest_definitions_decide() {
        assert_eq!(with(&[], ""), Identity::Release(Release::V13));
        assert_eq!(with(&[Release::V14, Release::V15, Release::V16], ""), Identity::Release(Release::V16));
        let all: Vec<Release> = MARKERS.iter().map(|(release, _)| *release).collect();
        assert_eq!(with(&all, ""), Identity::Release(Release::V23));
        assert_eq!(
            with(&[Release::V14], "def ConfinedAttr;\ndef DenseArrayAttrBase : X;\n"),
            Identity::Between(Release::V14, Release::V15)
        );
        assert_eq!(with(&all, "class SymbolName<Dialect d>\n"), Identity::Newer);
        assert_eq!(
            with(&[Release::V14, Release::V15], "class SymbolName<Dialect d>\n"),
            Identity::Release(Release::V15)
        );
        assert_eq!(Identity::of(["class A;"].into_iter()), Identity::Unknown);
    }
}
