//! Finds and loads a release's `.td` library.
//!
//! The places to search, in order: the library that the user names (`--library`, `ODSMITH_LIBRARY`, `odsmith.toml`),
//! the folder of the program, the virtual environment (`VIRTUAL_ENV`), CMake's `MLIR_DIR`, installations
//! (`MLIR_PREFIX`, `llvm-config`, the usual prefixes, Homebrew), and the cache that `odsmith library add` and the
//! set-up scripts fill.

mod places;
pub mod profiles;
mod reach;
pub mod source;

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    str::FromStr,
    sync::{Arc, OnceLock},
};

use odsmith_engine::{
    bundle::Bundle,
    library::{Library, identity::Identity},
    parallel,
    release::Release,
};
use odsmith_tblgen::{
    library::{ReadAs, TOPS, WITNESS, header_release},
    profile::{Profile, is_profile},
};
use serde_json::{Value, json};

pub use odsmith_tblgen::library::is_library;

pub use self::places::Installed;
pub(crate) use self::places::cache_folder;
use self::{places::Search, reach::Reach, source::Definitions};
use crate::{
    pipeline::{manifest::FILE_NAME, plugins::OfferedModules},
    store::{disk, keys},
};

/// A library that the user names: `22=/path/to/include`, or the path alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibraryArgument {
    /// The release; `None` if it is read from the library.
    pub release: Option<Release>,
    /// The name of a server's profile, in the place of a release: `trunk=/path/to/include`.
    pub profile: Option<String>,
    /// Its include folder.
    pub include: PathBuf,
}

impl LibraryArgument {
    /// Returns the place of the library.
    fn place(&self) -> Result<PathBuf, String> {
        match &self.profile {
            Some(name) => Err(format!(
                "--library names a library of MLIR '{name}': it takes a release, and the name of a --profile for a server"
            )),
            None => explicit(&self.include, "--library"),
        }
    }
}

impl From<PathBuf> for LibraryArgument {
    fn from(include: PathBuf) -> Self {
        LibraryArgument { release: None, profile: None, include }
    }
}

/// A profile that a server offers: `trunk=/path/to/profile.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileArgument {
    /// The name for requests.
    pub name: String,
    /// The file.
    pub file: PathBuf,
}

impl FromStr for ProfileArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((name, file)) if is_profile_name(name) => {
                Ok(ProfileArgument { name: name.to_owned(), file: file.into() })
            }
            _ => Err("it is written NAME=FILE, and the name begins with a letter".to_owned()),
        }
    }
}

/// Returns true for a name that cannot be a release or a path.
fn is_profile_name(name: &str) -> bool {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(is_plain)
        && name != AUTOMATIC
        && !is_profile(name)
}

impl FromStr for LibraryArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((name, path)) if is_profile_name(name) => {
                Ok(LibraryArgument { profile: Some(name.to_owned()), ..PathBuf::from(path).into() })
            }
            Some((name, path)) => {
                Ok(LibraryArgument { release: Some(Release::parse(name)?), ..PathBuf::from(path).into() })
            }
            None => Ok(PathBuf::from(text).into()),
        }
    }
}

/// A library, and the index of its files that requests can reach.
#[derive(Debug)]
struct LoadedLibrary {
    library: Arc<Library>,
    reach: Reach,
}

impl From<Library> for LoadedLibrary {
    fn from(library: Library) -> Self {
        LoadedLibrary { reach: Reach::new(&library), library: Arc::new(library) }
    }
}

/// A library that is there, whose files may be read later.
#[derive(Debug)]
struct LibraryEntry {
    /// The name for requests: the release's, or that of a profile.
    name: String,
    release: Release,
    place: PathBuf,
    loaded: OnceLock<Result<LoadedLibrary, String>>,
}

impl From<Library> for LibraryEntry {
    fn from(library: Library) -> Self {
        LibraryEntry::named(library.release().name().to_owned(), library)
    }
}

impl LibraryEntry {
    fn named(name: String, library: Library) -> Self {
        let release = library.release();
        LibraryEntry { name, release, place: PathBuf::new(), loaded: OnceLock::from(Ok(library.into())) }
    }

    /// Reads the library that the user names.
    fn read(named: &LibraryArgument) -> Result<Self, String> {
        let place = named.place()?;
        let files = LibraryFiles::read(&place)?;
        let release = files.release(named.release, "--library")?;
        Ok(LibraryEntry { place, ..files.into_library(release).into() })
    }

    /// Finds the library that the user names. One whose release shows at a glance is read when it is first used.
    fn find(named: &LibraryArgument) -> Result<Self, String> {
        let place = named.place()?;
        let read_as = ReadAs::of_folder(&place).filter(|it| it.caution.is_none());
        let release = read_as.map(|it| it.release);
        match release.filter(|release| named.release.is_none_or(|said| said == *release)) {
            Some(release) => {
                let name = release.name().to_owned();
                Ok(LibraryEntry { name, release, place, loaded: OnceLock::new() })
            }
            None => LibraryEntry::read(named),
        }
    }

    fn get(&self) -> Result<&LoadedLibrary, String> {
        let load = || read(self.release, &self.place).map(LoadedLibrary::from);
        self.loaded.get_or_init(load).as_ref().map_err(String::clone)
    }

    fn library(&self) -> Result<&Arc<Library>, String> {
        self.get().map(|loaded| &loaded.library)
    }
}

/// A library as a request asks for it.
#[derive(Clone, Debug)]
pub struct NamedLibrary {
    /// The name for the request's manifest: the release's, or that of a profile.
    pub name: String,
    /// The library.
    pub library: Arc<Library>,
}

/// The libraries of a server or of a command: one for each release or profile, the one of requests that name none first,
/// then the newest.
#[derive(Debug)]
pub struct Libraries {
    entries: Vec<LibraryEntry>,
    /// The plugins for all requests.
    modules: OfferedModules,
}

impl From<Library> for Libraries {
    fn from(library: Library) -> Self {
        Libraries::sorted(vec![library.into()])
    }
}

impl FromIterator<Library> for Libraries {
    /// Takes at least one library, each of another release.
    fn from_iter<T: IntoIterator<Item = Library>>(libraries: T) -> Self {
        Libraries::sorted(libraries.into_iter().map(LibraryEntry::from).collect())
    }
}

impl Libraries {
    /// Loads the libraries that the user names, or else the first one found; with `only`, just that release.
    /// `of_manifest` is the path in `odsmith.toml`, and `in_tree` returns the libraries among the project's files, which
    /// come after those that are named.
    ///
    /// # Errors
    /// No library is found, one is of another release than the user says, or one cannot be read; the message says what
    /// to do.
    pub fn load(
        named: &[LibraryArgument],
        only: Option<Release>,
        of_manifest: Option<&Path>,
        in_tree: &dyn Fn() -> Vec<PathBuf>,
    ) -> Result<Libraries, String> {
        let all = entries(named, LibraryEntry::read)?;
        let (mut found, others): (Vec<LibraryEntry>, Vec<LibraryEntry>) =
            all.into_iter().partition(|entry| only.is_none_or(|only| only == entry.release));
        if found.is_empty() {
            let passed = others.iter().map(|entry| ("--library", entry.release)).collect();
            let (release, place, _) = find(only, passed, of_manifest, in_tree)?;
            let library = read(release, &place)?;
            found.push(LibraryEntry { place, ..library.into() });
        }
        Ok(Libraries::sorted(found))
    }

    fn sorted(mut entries: Vec<LibraryEntry>) -> Self {
        entries.sort_by_key(|entry| Reverse(entry.release));
        Libraries { entries, modules: OfferedModules::default() }
    }

    /// Finds the library of each release without the command line, the first one of each.
    fn installed() -> Result<Vec<LibraryEntry>, String> {
        let mut named: Vec<LibraryArgument> = Vec::new();
        for one in installed(None)? {
            let Ok(release) = Release::parse(&one.release) else { continue };
            if named.iter().all(|other| other.release != Some(release)) {
                named.push(LibraryArgument { release: Some(release), ..one.include.into() });
            }
        }
        if named.is_empty() {
            let (release, include, _) = find(None, Vec::new(), None, &Vec::new)?;
            named.push(LibraryArgument { release: Some(release), ..include.into() });
        }
        entries(&named, LibraryEntry::find)
    }

    /// Finds what a server offers: the named libraries, or else those that are found, and the profiles. A profile has the
    /// library of its name, or else that of its base. A library whose release shows at a glance is read on first use.
    ///
    /// # Errors
    /// A library is missing, or a library or profile cannot be read.
    pub fn of_server(named: &[LibraryArgument], profiles: &[ProfileArgument]) -> Result<Libraries, String> {
        let is_of_a_profile = |named: &&LibraryArgument| {
            profiles.iter().any(|profile| named.profile.as_ref() == Some(&profile.name))
        };
        let (of_profiles, plain): (Vec<&LibraryArgument>, Vec<&LibraryArgument>) =
            named.iter().partition(is_of_a_profile);
        let plain: Vec<LibraryArgument> = plain.into_iter().cloned().collect();
        let found = match (plain.is_empty(), of_profiles.is_empty()) {
            (true, true) => Libraries::installed()?,
            (true, false) => Vec::new(),
            (false, _) => entries(&plain, LibraryEntry::find)?,
        };
        let mut libraries = Libraries::sorted(found);
        for ProfileArgument { name, file } in profiles {
            let profile = Profile::read(file)?;
            let base = Release::parse(&profile.base)?;
            let library = match of_profiles.iter().rev().find(|named| named.profile.as_ref() == Some(name)) {
                Some(named) => {
                    let files = LibraryFiles::read(&explicit(&named.include, "--library")?)?;
                    let release = files.release(Some(base), "--library")?;
                    files.into_library(release)
                }
                None => Library::clone(libraries.of(Some(base.name()))?),
            };
            let library = profiles::apply(&profile, name, library)?;
            libraries.entries.retain(|entry| entry.name != *name);
            libraries.entries.push(LibraryEntry::named(name.clone(), library));
        }
        Ok(Libraries::sorted(libraries.entries))
    }

    /// Returns the library of a release or of a server's profile by its name, or the preferred one without a name.
    ///
    /// # Errors
    /// There is none of this name, and the message lists the available ones; or it cannot be read.
    pub fn of(&self, name: Option<&str>) -> Result<&Arc<Library>, String> {
        self.entry(name)?.library()
    }

    fn entry(&self, name: Option<&str>) -> Result<&LibraryEntry, String> {
        let Some(name) = name.filter(|name| *name != AUTOMATIC) else { return Ok(&self.entries[0]) };
        let release = Release::parse(name).ok();
        let has_name = |entry: &&LibraryEntry| {
            entry.name == name || release.is_some_and(|release| entry.name == release.name())
        };
        self.entries.iter().find(has_name).ok_or_else(|| {
            let names: Vec<&str> = self.entries.iter().map(|entry| entry.name.as_str()).collect();
            missing(name, &names)
        })
    }

    /// Returns the library for a bundle whose manifest has this `mlir`: a release, a server's profile, or a profile among
    /// the bundle's files.
    ///
    /// # Errors
    /// There is none of this name, or the profile is missing or wrong.
    pub fn resolve(&self, name: Option<&str>, bundle: &Bundle) -> Result<NamedLibrary, String> {
        let profile = name.map(|name| profiles::of_bundle(bundle, name)).transpose()?.flatten();
        match profile {
            Some((name, profile)) => {
                let library = Library::clone(self.of(Some(&profile.base))?);
                let library = Arc::new(profiles::apply(&profile, &name, library)?);
                Ok(NamedLibrary { name, library })
            }
            None => {
                let entry = self.entry(name)?;
                Ok(NamedLibrary { name: entry.name.clone(), library: entry.library()?.clone() })
            }
        }
    }

    /// Returns the plugins for all requests.
    #[must_use]
    pub fn modules(&self) -> &OfferedModules {
        &self.modules
    }

    /// Offers plugins to all requests.
    #[must_use]
    pub fn offering(self, modules: OfferedModules) -> Libraries {
        Libraries { modules, ..self }
    }

    /// Returns the library of requests that name no release: the newest, unless another one is preferred.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn preferred(&self) -> Result<&Arc<Library>, String> {
        self.entries[0].library()
    }

    /// Makes the library of a release the one of requests that name none.
    ///
    /// # Errors
    /// There is none of this release.
    pub fn preferring(mut self, release: &str) -> Result<Libraries, String> {
        let wanted = self.entry(Some(release))?.name.clone();
        self.entries.sort_by_key(|entry| entry.name != wanted);
        Ok(self)
    }

    /// Returns the digest of a library for a request: only the files that the request can reach count, so that it does
    /// not depend on what else is installed.
    #[must_use]
    pub fn digest(&self, library: &Arc<Library>, bundle: &Bundle, request: &str) -> String {
        let has_same_files = |loaded: &&LoadedLibrary| {
            loaded.library.release() == library.release() && loaded.library.digest() == library.digest()
        };
        let all = self.entries.iter().filter_map(|entry| entry.loaded.get()?.as_ref().ok());
        let mut digest = match all.into_iter().find(has_same_files) {
            Some(entry) => entry.reach.digest(library, bundle, request),
            None => Reach::new(library).digest(library, bundle, request),
        };
        if *library.rules() != library.release().rules() {
            let Profile { on, off, .. } = Profile::of(*library.rules());
            digest = keys::sha256(format!("{digest}\0{}\0{}", on.join(","), off.join(",")).as_bytes());
        }
        // The caution is a part of each result.
        match library.caution() {
            Some(caution) => keys::sha256(format!("{digest}\0{caution}").as_bytes()),
            None => digest,
        }
    }

    /// Returns the names for requests and the releases of all of them, the preferred one first. None is read.
    pub fn names(&self) -> impl Iterator<Item = (&str, Release)> {
        self.entries.iter().map(|entry| (entry.name.as_str(), entry.release))
    }

    /// Reads all of them: returns each with its name for requests, the preferred one first, or the reason why it cannot
    /// be read.
    pub fn all(&self) -> impl Iterator<Item = (&str, Result<&Arc<Library>, String>)> {
        self.entries.iter().map(|entry| (entry.name.as_str(), entry.library()))
    }

    /// Drops the states of evaluation that jobs share; they are made again on demand.
    pub fn drop_states(&self) {
        let loaded = self.entries.iter().filter_map(|entry| entry.loaded.get()?.as_ref().ok());
        loaded.for_each(|loaded| loaded.library.snapshots().clear());
    }

    /// Describes all that can be read, as `GET /v1/libraries` does.
    #[must_use]
    pub fn described(&self) -> Value {
        let libraries = self.all().filter_map(|(name, library)| {
            let library = library.ok()?;
            let mut value = json!({
                "mlir": name,
                "digest": library.digest(),
                "files": library.paths().count(),
            });
            if name != library.release().name() {
                value["base"] = library.release().name().into();
            } else if let Some(snapshot) = library.release().snapshot() {
                value["snapshot"] = json!({ "date": snapshot.date, "commit": snapshot.commit });
            }
            if let Some(caution) = library.caution() {
                value["caution"] = caution.into();
            }
            Some(value)
        });
        json!({ "libraries": libraries.collect::<Vec<_>>() })
    }
}

/// Finds the libraries that the user names at the same time; of one release the last counts.
fn entries(
    named: &[LibraryArgument],
    one: fn(&LibraryArgument) -> Result<LibraryEntry, String>,
) -> Result<Vec<LibraryEntry>, String> {
    let mut found: Vec<LibraryEntry> = Vec::new();
    for entry in parallel::map(parallel::parallelism().get(), named, one) {
        let entry = entry?;
        found.retain(|other| other.release != entry.release);
        found.push(entry);
    }
    Ok(found)
}

/// Identifies an include folder or a packed library by what its files define. An unreadable one is unknown.
#[must_use]
pub fn identity(include: &Path) -> Identity {
    LibraryFiles::read(include).map_or(Identity::Unknown, |files| files.identity)
}

/// Returns the caution for users of a library that is read as this release, if its files can be read.
#[must_use]
pub fn caution(release: &str, include: &Path) -> Option<String> {
    let library = read(Release::parse(release).ok()?, include).ok()?;
    library.caution().map(str::to_owned)
}

/// The origin of a library among the project's files.
pub const IN_TREE: &str = "the tree";

/// The origin of a library that a flag names.
pub const COMMAND_LINE: &str = "the command line";

/// The name for the release of the library itself.
pub const AUTOMATIC: &str = "auto";

fn missing(name: &str, there: &[&str]) -> String {
    format!("there is no library of MLIR {name} here; there is {}", there.join(", "))
}

/// Finds the library of a release, or the first one of any: returns its release, its path, and the setting or place
/// that led to it. A library of another release is passed over; `passed` has those of the command line.
fn find(
    only: Option<Release>,
    mut passed: Vec<(&'static str, Release)>,
    of_manifest: Option<&Path>,
    in_tree: &dyn Fn() -> Vec<PathBuf>,
) -> Result<(Release, PathBuf, &'static str), String> {
    for (named, by) in settled(of_manifest) {
        let include = explicit(&named.include, by)?;
        let release = LibraryFiles::read(&include)?.release(named.release, by)?;
        if only.is_none_or(|only| only == release) {
            return Ok((release, include, by));
        }
        passed.push((by, release));
    }
    // One that is between two releases is read as the release that is asked for.
    let of_tree = in_tree().into_iter().find_map(|include| {
        let release = LibraryFiles::read(&include).ok()?.release(only, IN_TREE).ok()?;
        only.is_none_or(|only| only == release).then_some((release, include, IN_TREE))
    });
    if let Some(found) = of_tree {
        return Ok(found);
    }
    let mut search = Search::default();
    let wanted: Vec<Release> = only.map_or_else(|| Release::ALL.to_vec(), |release| vec![release]);
    if let Some(found) = search.first(&wanted) {
        return Ok((Release::parse(&found.release)?, found.include, found.by));
    }
    let release = only.unwrap_or_default();
    let others: Vec<String> =
        passed.iter().map(|(by, other)| format!("; {by} names those of MLIR {other}")).collect();
    Err(format!(
        "MLIR {release}'s .td files are not here{}\nhelp: odsmith library add {release}",
        others.concat()
    ))
}

/// Returns the library that is used for a release, or for any. `named` has those of the command line.
///
/// # Errors
/// There is none, or a path holds no library.
pub fn taken(
    named: &[LibraryArgument],
    only: Option<Release>,
    of_manifest: Option<&Path>,
    in_tree: &dyn Fn() -> Vec<PathBuf>,
) -> Result<Installed, String> {
    let mut entries = entries(named, LibraryEntry::find)?;
    entries.sort_by_key(|entry| Reverse(entry.release));
    if let Some(entry) = entries.into_iter().find(|entry| only.is_none_or(|only| only == entry.release)) {
        let release = entry.release.name().to_owned();
        return Ok(Installed { release, include: entry.place, by: COMMAND_LINE });
    }
    let (release, include, by) = find(only, Vec::new(), of_manifest, in_tree)?;
    Ok(Installed { release: release.name().to_owned(), include, by })
}

/// Returns the libraries that the environment and the manifest name.
fn settled(of_manifest: Option<&Path>) -> Vec<(LibraryArgument, &'static str)> {
    let of_environment = env::var_os("ODSMITH_LIBRARY").filter(|named| !named.is_empty()).map(|named| {
        match named.to_str().map(LibraryArgument::from_str) {
            Some(Ok(named)) => named,
            _ => PathBuf::from(named).into(),
        }
    });
    let of_manifest = || of_manifest.map(|place| LibraryArgument::from(place.to_owned()));
    let of_environment = of_environment.map(|named| (named, "ODSMITH_LIBRARY"));
    of_environment.into_iter().chain(of_manifest().map(|named| (named, FILE_NAME))).collect()
}

/// Returns all libraries that are found without the command line, in the order of the search.
///
/// # Errors
/// The environment or the manifest names a path without a library, or one of another release.
pub fn installed(of_manifest: Option<&Path>) -> Result<Vec<Installed>, String> {
    let mut found = Vec::new();
    if let Some((named, by)) = settled(of_manifest).into_iter().next() {
        let include = explicit(&named.include, by)?;
        let release = LibraryFiles::read(&include)?.release(named.release, by)?;
        found.push(Installed { release: release.name().to_owned(), include, by });
    }
    for one in Search::default().all() {
        if found.iter().all(|other| other.include != one.include) {
            found.push(one);
        }
    }
    Ok(found)
}

/// Resolves a path that the user names: an include folder, a prefix above one, or a packed library.
fn explicit(include: &Path, by: &str) -> Result<PathBuf, String> {
    let below = include.join("include");
    match (is_library(include) || include.is_file(), is_library(&below)) {
        (true, _) => Ok(include.to_owned()),
        (false, true) => Ok(below),
        (false, false) => Err(format!("{by} names {}, which holds no {WITNESS}", include.display())),
    }
}

/// Loads the library of an include folder, or of a packed library.
///
/// # Errors
/// A file cannot be read.
pub fn read(release: Release, include: &Path) -> Result<Library, String> {
    Ok(LibraryFiles::read(include)?.into_library(release))
}

/// Loads the library in the bytes of a packed one.
///
/// # Errors
/// The bytes are no library, or one of another release.
pub fn unpacked(release: Release, packed: &[u8]) -> Result<Library, String> {
    let files: BTreeMap<String, Arc<[u8]>> =
        Definitions::unpacked(packed)?.files.into_iter().map(|(path, bytes)| (path, bytes.into())).collect();
    let identity = Identity::of(&files);
    let files = LibraryFiles { place: PathBuf::new(), files, header: None, identity };
    let release = files.release(Some(release), "the bytes")?;
    Ok(files.into_library(release))
}

/// The files of a library, and what they show of its release.
struct LibraryFiles {
    place: PathBuf,
    files: BTreeMap<String, Arc<[u8]>>,
    /// The release that its headers name.
    header: Option<String>,
    identity: Identity,
}

impl LibraryFiles {
    /// Reads the `.td` files below `mlir/` and `llvm/` of an include folder, or of a packed library.
    fn read(include: &Path) -> Result<Self, String> {
        let mut files: BTreeMap<String, Arc<[u8]>> = BTreeMap::new();
        let mut header = None;
        if include.is_file() {
            let packed = Definitions::read(include)?.files;
            files.extend(packed.into_iter().map(|(path, bytes)| (path, bytes.into())));
        } else {
            let mut places = Vec::new();
            for top in TOPS {
                // Distributions make these links; below them there are none.
                let folder = fs::canonicalize(include.join(top)).unwrap_or_else(|_| include.join(top));
                if !folder.is_dir() {
                    continue;
                }
                disk::walk(&folder, top, 0, &mut |path, file| {
                    if path.ends_with(".td") {
                        places.push((path.to_owned(), file.to_owned()));
                    }
                    Ok(())
                })?;
            }
            disk::read_all(places, |path, bytes| drop(files.insert(path, bytes)))?;
            header = header_release(include);
        }
        let identity = Identity::of(&files);
        Ok(LibraryFiles { place: include.to_owned(), files, header, identity })
    }

    /// Returns the nearest release, if its definitions or headers show any.
    fn nearest(&self) -> Option<Release> {
        ReadAs::of(self.header.as_deref(), &self.identity).map(|it| it.release)
    }

    /// Returns the release as which the library is read: the nearest by its definitions, and the user's statement if it
    /// may be right.
    fn release(&self, said: Option<Release>, by: &str) -> Result<Release, String> {
        let LibraryFiles { place, header, identity, .. } = self;
        let nearest = self.nearest();
        let Some(said) = said else { return Ok(nearest.unwrap_or_default()) };
        let known = match (identity, header) {
            (Identity::Unknown, Some(name)) if nearest != Some(said) => format!("MLIR {name}"),
            (Identity::Unknown, _) => return Ok(said),
            _ if identity.may_be(said) => return Ok(said),
            _ => format!("{identity}, by what it defines"),
        };
        Err(format!("{by} names {} as MLIR {said}, and it is {known}", place.display()))
    }

    /// Builds a library that is read as a release. The digest covers only the files below `mlir/`: those of LLVM are in
    /// some installations and not in others.
    fn into_library(self, release: Release) -> Library {
        let LibraryFiles { files, header, identity, .. } = self;
        let read_as = ReadAs::of(header.as_deref(), &identity).filter(|it| it.release == release);
        let caution = read_as.map_or_else(|| identity.caution(release), |it| it.caution);
        let of_mlir = files.iter().filter(|(path, _)| path.starts_with("mlir/"));
        let digest = keys::tree(of_mlir.map(|(path, bytes)| (path.as_str(), &**bytes)));
        Library::new(release, digest, files)
            .with_caution(caution.map(|caution| format!("the library {caution}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_with_and_without_release() {
        assert_eq!(
            "22=/x".parse(),
            Ok(LibraryArgument { release: Some(Release::V22), ..PathBuf::from("/x").into() })
        );
        assert_eq!("/x".parse(), Ok(LibraryArgument::from(PathBuf::from("/x"))));
        assert!("7=/x".parse::<LibraryArgument>().is_err());
        let of_profile = LibraryArgument { profile: Some("trunk".into()), ..PathBuf::from("/x").into() };
        assert_eq!("trunk=/x".parse(), Ok(of_profile));
        assert!("auto=/x.toml".parse::<ProfileArgument>().is_err());
    }

    #[test]
    fn a_folder_that_is_none_is_named() {
        let error =
            Libraries::load(&["22=/nonexistent".parse().unwrap()], None, None, &Vec::new).unwrap_err();
        assert!(error.contains("--library names /nonexistent"), "{error}");
    }

    fn library_of(release: Release) -> Library {
        Library::new(release, release.name().to_owned(), BTreeMap::new())
    }

    #[test]
    fn the_newest_release_is_the_default() {
        let libraries: Libraries = [Release::V21, Release::V23].map(library_of).into_iter().collect();
        let of = |release: Option<&str>| libraries.of(release).map(|library| library.release());
        assert_eq!(of(None), Ok(Release::V23));
        assert_eq!(of(Some("auto")), Ok(Release::V23));
        assert_eq!(of(Some("21")), Ok(Release::V21));
        assert_eq!(of(Some("22")).unwrap_err(), "there is no library of MLIR 22 here; there is 23, 21");
    }
}
