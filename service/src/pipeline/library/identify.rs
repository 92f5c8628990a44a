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
const MARKERS: &[(u8, [&str; 3])] = &[
    (14, ["BitEnumAttrCaseBit", "ConstantStrAttr", "DefaultValuedStrAttr"]),
    (15, ["DenseArrayAttrBase", "DefaultValuedParameter", "I32BitEnumAttr"]),
    (16, ["ConfinedAttr", "AllAttrOf", "DefaultValuedOptionalAttr"]),
    (17, ["AnyPred", "AnyNon0RankedTensor", "AnyMatchOperatorTrait"]),
    (18, ["OptionalTypesMatchWith", "NormalizeIndex", "PromisedAttrInterface"]),
    (19, ["ConstantEnumCase", "ArrayMaxCount", "HasValueSemanticsPred"]),
    (21, ["BitEnumCaseBit", "ArrayProp", "AnyVectorOfNonZeroRank"]),
    (22, ["IntPowerOf2", "AllTypeIDsMatch", "InputMatchesTypes"]),
    (23, ["AncestorOneOf", "ArrayWithKnownSize", "BF16Attr"]),
];

/// Definitions that appeared after the newest of these releases.
const NEWER: [&str; 3] = ["AnyDistinctAttr", "EnumAttrParameter", "SymbolName"];

/// The identity of a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// It has the definitions of this release, and none that appeared later.
    Release(u8),
    /// It has some, but not all, of the definitions that appeared in the second: a checkout from between the two.
    Between(u8, u8),
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
        let mut last = 13;
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
    pub fn may_be(self, release: &str) -> bool {
        let is = |number: u8| number.to_string() == release;
        match self {
            Identity::Release(number) => is(number),
            Identity::Between(after, before) => is(after) || is(before),
            Identity::Newer => false,
            Identity::Unknown => true,
        }
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Identity::Release(number) => write!(f, "MLIR {number}"),
            Identity::Between(after, before) => write!(f, "between MLIR {after} and {before}"),
            Identity::Newer => write!(f, "newer than MLIR {}", Release::newest().name()),
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

    fn with(releases: &[u8], more: &str) -> Identity {
        let mut text = "class Op<Dialect d> {\n".to_owned();
        for (_, markers) in MARKERS.iter().filter(|(release, _)| releases.contains(release)) {
            text += &markers.map(|marker| format!("class {marker}<int x>;\n")).concat();
        }
        text += more;
        Identity::of([&*text].into_iter())
    }

    #[test]
    fn the_newest_definitions_decide() {
        assert_eq!(with(&[], ""), Identity::Release(13));
        assert_eq!(with(&[14, 15, 16], ""), Identity::Release(16));
        assert_eq!(with(&[14, 15, 16, 17, 18, 19, 21, 22, 23], ""), Identity::Release(23));
        assert_eq!(
            with(&[14], "def ConfinedAttr;\ndef DenseArrayAttrBase : X;\n"),
            Identity::Between(14, 15)
        );
        let all = [14, 15, 16, 17, 18, 19, 21, 22, 23];
        assert_eq!(with(&all, "class SymbolName<Dialect d>\n"), Identity::Newer);
        assert_eq!(with(&[14, 15], "class SymbolName<Dialect d>\n"), Identity::Release(15));
        assert_eq!(Identity::of(["class A;"].into_iter()), Identity::Unknown);
    }
}
