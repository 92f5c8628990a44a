//! Profiles in the place of a release: `--mlir FILE.toml` on the command line, and `mlir = "FILE.toml"` in
//! `odsmith.toml`. The profile is a file of the bundle, so that a result's key covers its text.

use std::path::Path;

use odsmith_engine::{
    bundle::{Bundle, normalise},
    library::Library,
    release::Release,
};
use odsmith_tblgen::profile::{Profile, is_profile};

use super::AUTOMATIC;

/// The folder of a bundle that holds the profile from the command line's disk.
const FOLDER: &str = "<profile>";

/// Returns the release of the library to use: that of this name, or the base of the profile at this path. `None` is
/// for the release that the library itself has.
///
/// # Errors
/// There is no such release, or the profile cannot be read.
pub fn release_of(name: Option<&str>) -> Result<Option<Release>, String> {
    match name.filter(|name| *name != AUTOMATIC) {
        None => Ok(None),
        Some(path) if is_profile(path) => Release::parse(&Profile::read(Path::new(path))?.base).map(Some),
        Some(name) => known_release(name).map(Some),
    }
}

/// Parses the name of a release; an unknown one gets a proposal.
fn known_release(name: &str) -> Result<Release, String> {
    Release::parse(name).map_err(|message| match Release::nearest(name) {
        Some(near) => format!("{message}\nhelp: --mlir {near} reads it as {near}; results may differ"),
        None => message,
    })
}

/// Returns the name of a release as a manifest in this folder has it: the path of a profile begins there.
#[must_use]
pub fn seen_from(folder: &Path, name: &str) -> String {
    if is_profile(name) { folder.join(name).to_string_lossy().into_owned() } else { name.to_owned() }
}

/// Adds a profile to a bundle, if the name is the path of one.
///
/// # Errors
/// The file cannot be read, or is no profile.
pub fn add(bundle: &mut Bundle, name: &str) -> Result<(), String> {
    if let Some(place) = place_of(name) {
        bundle.insert(place, Profile::text(Path::new(name))?.into_bytes());
    }
    Ok(())
}

/// Returns the place of a profile from the disk in a bundle.
fn place_of(name: &str) -> Option<String> {
    let file = Path::new(name).file_name().filter(|_| is_profile(name))?;
    Some(format!("{FOLDER}/{}", file.to_string_lossy()))
}

/// Returns the profile that a manifest names and its name in results, or `None` if the manifest names a release.
///
/// # Errors
/// The file is not in the bundle, or is no profile.
pub fn of_bundle(bundle: &Bundle, name: &str) -> Result<Option<(String, Profile)>, String> {
    let Some(place) = place_of(name) else { return Ok(None) };
    let (shown, bytes) = match (bundle.get(&place), normalise(name)) {
        (Some(bytes), _) => (place[FOLDER.len() + 1..].to_owned(), Some(bytes)),
        (None, Some(path)) => (path.clone(), bundle.get(&path)),
        (None, None) => (name.to_owned(), None),
    };
    let bytes = bytes.ok_or_else(|| format!("the profile '{shown}' is not among the files"))?;
    let text = str::from_utf8(bytes).map_err(|_| format!("{shown}: it is not UTF-8"))?;
    match Profile::parse(text) {
        Ok(profile) => Ok(Some((shown, profile))),
        Err(reason) => Err(format!("{shown}: {reason}")),
    }
}

/// Returns a library that is read by the rules of a profile; `name` is the profile's, for messages.
///
/// # Errors
/// The profile names a rule that is not known here.
pub fn apply(profile: &Profile, name: &str, library: Library) -> Result<Library, String> {
    let is_measured_with = profile.library.is_empty() || profile.library == library.digest();
    let caution = (!is_measured_with).then(|| {
        format!("the library is not the one that '{name}' was measured with: run `odsmith calibrate` again")
    });
    Ok(library.with_rules(profile.rules()?).with_caution(caution))
}
