//! `odsmith library`: finds MLIR's `.td` files by release, and downloads more.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    io::stderr,
    path::{Path, PathBuf},
    process::Command,
};

use clap::{Args, Subcommand};
use odsmith_engine::{library::identity::Identity, release::Release};
use odsmith_registry::{artifact::Layer, pull::Address};
use odsmith_tblgen::library::{FoundLibrary, RELEASE_FILE, ReadAs, config_release};
use sha2::{Digest, Sha256};

use super::{display, download::downloaded, exit::ExitStatus, options::ListOptions, pull};
use crate::{
    pipeline::{
        library::{self, Installed, source::Definitions},
        manifest::{FILE_NAME, Manifest},
        pins,
        registry::{Access, Registries},
    },
    store::{
        archive::{self, Format},
        disk, keys,
    },
};

/// The subcommands of `odsmith library`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    #[command(subcommand)]
    action: Action,
}

#[derive(Clone, Debug, Subcommand)]
enum Action {
    /// List the libraries that are found here, in the order in which they are looked for
    List(ListOptions),
    /// Take the .td files of a release, and nothing else, into the cache
    Add(Source),
    /// Print the include folder that holds the .td files of a release
    Path {
        /// The release, as in 22; without it, that of the library that is taken first
        release: Option<String>,
        /// Print RELEASE=DIR, as --library takes it
        #[arg(long)]
        with_release: bool,
    },
    /// Say which release a folder or an archive holds
    Identify {
        /// An include folder, an installation, a checkout, an archive or a package
        place: PathBuf,
    },
    /// Write the .td files of a release as one small archive, the same bytes each time
    Pack {
        /// The release, as in 22
        release: String,
        /// The archive (.tar.zst, .tar.gz, .zip or .tar)
        #[arg(short, long, alias = "output", value_name = "FILE")]
        out: PathBuf,
    },
}

/// The source of a release's files.
#[derive(Clone, Debug, Args)]
struct Source {
    /// The release, as in 22
    release: String,
    /// An installation, a checkout, a source archive, a wheel, a Debian package, or the http(s) address of one. Without it,
    /// the package of the distribution is downloaded by apt-get, and not installed
    #[arg(long, value_name = "PLACE")]
    from: Option<String>,
    /// The SHA-256 that the file must have
    #[arg(long, value_name = "HEX")]
    sha256: Option<String>,
}

impl Options {
    /// Runs the command.
    ///
    /// # Errors
    /// The release is unknown, a place holds no library or another release, or a file cannot be read or written.
    pub fn run(self) -> Result<ExitStatus, String> {
        match self.action {
            Action::List(options) => {
                print(&list(&library::installed(of_manifest()?.as_deref())?, options.json))
            }
            Action::Add(source) => source.add(),
            Action::Path { release, with_release } => {
                let found = match release {
                    Some(release) if !with_release => found(&release)?,
                    // Other programs read this line to learn the library that a call uses.
                    release => {
                        let release = release.map(|release| Release::parse(&release)).transpose()?;
                        library::taken(&[], release, of_manifest()?.as_deref(), &Vec::new)?
                    }
                };
                let release = if with_release { format!("{}=", found.release) } else { String::new() };
                print(&format!("{release}{}\n", unpacked(&found)?.display()))
            }
            Action::Identify { place } => print(&identify(&place)?),
            Action::Pack { release, out } => pack(&release, &out),
        }
    }
}

fn print(text: &str) -> Result<ExitStatus, String> {
    display::print(text).map(|()| ExitStatus::Done)
}

/// Returns the library that `odsmith.toml` in this folder names.
fn of_manifest() -> Result<Option<PathBuf>, String> {
    let Ok(bytes) = fs::read(FILE_NAME) else { return Ok(None) };
    Ok(Manifest::from_toml(&bytes)?.library.map(PathBuf::from))
}

/// Says of each library when it is used: the first of each release, and the very first by default.
fn uses(all: &[Installed]) -> Vec<&'static str> {
    let is_first = |at: usize| all[..at].iter().all(|earlier| earlier.release != all[at].release);
    let default = all.iter().position(|one| Release::parse(&one.release).is_ok());
    let of = |at| match (Some(at) == default, is_first(at)) {
        (true, _) => "taken",
        (false, true) => "taken for --mlir",
        (false, false) => "not taken: an earlier one is of its release",
    };
    (0..all.len()).map(of).collect()
}

/// Describes libraries as JSON for other programs.
pub(super) fn described(all: &[Installed]) -> serde_json::Value {
    all.iter()
        .zip(uses(all))
        .map(|(one, used)| {
            serde_json::json!({
                "release": one.release, "include": one.include, "found_by": one.by, "use": used,
            })
        })
        .collect()
}

fn list(all: &[Installed], as_json: bool) -> String {
    if as_json {
        return format!("{:#}\n", described(all));
    }
    if all.is_empty() {
        return "no library is found here; `odsmith library add 22` gets one\n".to_owned();
    }
    let row = |(one, used): (&Installed, &str)| {
        let caution = library::caution(&one.release, &one.include);
        let caution = caution.map_or_else(String::new, |caution| format!("         {caution}\n"));
        let snapshot = Release::parse(&one.release).ok().filter(|release| release.snapshot().is_some());
        let snapshot =
            snapshot.map_or_else(String::new, |release| format!("         MLIR {}\n", release.label()));
        format!("{:<8} {:<18} {} ({used})\n{snapshot}{caution}", one.release, one.by, one.include.display())
    };
    format!("{:<8} {:<18} include folder\n", "release", "found by")
        + &all.iter().zip(uses(all)).map(row).collect::<String>()
}

fn found(release: &str) -> Result<Installed, String> {
    let release = Release::parse(release)?.name();
    library::installed(of_manifest()?.as_deref())?.into_iter().find(|one| one.release == release).ok_or_else(
        || format!("MLIR {release}'s .td files are not here\nhelp: odsmith library add {release}"),
    )
}

/// Returns the library that `odsmith tblgen` uses if no include folder is one.
pub(super) fn for_tblgen(release: Option<Release>) -> Result<FoundLibrary, String> {
    let found = library::taken(&[], release, of_manifest()?.as_deref(), &Vec::new)?;
    let include = unpacked(&found)?.to_string_lossy().into_owned();
    Ok(FoundLibrary { release: Release::parse(&found.release)?, include })
}

/// Returns the include folder of a library; a packed one is unpacked into the cache, once.
fn unpacked(found: &Installed) -> Result<PathBuf, String> {
    if !found.include.is_file() {
        return Ok(found.include.clone());
    }
    let bytes = fs::read(&found.include)
        .map_err(|error| format!("{}: {}", found.include.display(), disk::reason(&error)))?;
    let place = cache()?.join(format!("unpacked-{}", &keys::sha256(&bytes)[..16]));
    let include = place.join("include");
    if !library::is_library(&include) {
        keep(&place, &found.release, &Definitions::read(&found.include)?)?;
    }
    Ok(include)
}

fn cache() -> Result<PathBuf, String> {
    library::cache_folder()
        .ok_or_else(|| "there is no folder for the cache: set ODSMITH_CACHE or HOME".to_owned())
}

/// Identifies the release in a place by its definitions, and by its headers if these say nothing.
fn identify(place: &Path) -> Result<String, String> {
    let pin = pins::around(place).map_or_else(String::new, |pin| format!("the project pins {pin}\n"));
    let definitions = match Definitions::read(place) {
        Err(_) if !pin.is_empty() => return Ok(pin),
        definitions => definitions?,
    };
    let identity = definitions.identity();
    let count = definitions.files.len();
    let header = [place.to_owned(), place.join("include")].iter().find_map(|place| config_release(place));
    let read_as = ReadAs::of(header.as_deref(), &identity);
    let said = match (&header, &read_as) {
        (Some(name), _) if identity == Identity::Unknown => {
            return Ok(format!(
                "MLIR {name}, as its llvm-config.h says ({count} .td files){}\n{pin}",
                as_which(read_as)
            ));
        }
        (Some(name), Some(it)) if it.release.name() == name => ", as its llvm-config.h says".to_owned(),
        (Some(name), _) => format!("; its llvm-config.h says {name}"),
        (None, _) => String::new(),
    };
    let details = match &identity {
        Identity::Between(blend) | Identity::Mix(blend) => blend.details(),
        _ => String::new(),
    };
    Ok(format!(
        "{identity}, by what it defines{said} ({count} .td files){}\n{details}{pin}",
        as_which(read_as)
    ))
}

/// Names the release as which a library is read, if that is not its own.
fn as_which(read_as: Option<ReadAs>) -> String {
    let cautious = read_as.filter(|it| it.caution.is_some());
    cautious
        .map_or_else(String::new, |it| format!("; it is read as MLIR {}, and results may differ", it.release))
}

fn pack(release: &str, output: &Path) -> Result<ExitStatus, String> {
    let format = output.to_str().and_then(Format::of_name).ok_or_else(|| {
        format!("{}: the name of an archive ends with .tar.zst, .tar.gz, .zip or .tar", output.display())
    })?;
    let files = files_to_pack(release, &found(release)?.include)?;
    let count = files.len();
    let bytes = archive::write_smallest(format, &files);
    disk::write(output, &bytes)?;
    let digest = keys::hex(&Sha256::digest(&bytes));
    let (size, place) = (bytes.len() / 1000, output.display());
    display::closing(&format!("wrote {count} files, {size} kB, to {place}\nsha256 {digest}"));
    Ok(ExitStatus::Done)
}

/// Returns the files of a packed library.
fn files_to_pack(release: &str, place: &Path) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let definitions = Definitions::read(place)?;
    let licence =
        definitions.licence.or_else(|| place.parent().and_then(|above| fs::read(above.join(LICENCE)).ok()));
    let mut files: BTreeMap<String, Vec<u8>> = definitions
        .files
        .into_iter()
        .map(|(path, bytes)| (format!("mlir-{release}/include/{path}"), bytes))
        .collect();
    if let Some(licence) = licence {
        files.insert(format!("mlir-{release}/{LICENCE}"), licence);
    }
    Ok(files)
}

/// Returns the packed libraries of these releases, or of all that are found here.
pub(super) fn packed(releases: &[String]) -> Result<Vec<(String, Vec<u8>)>, String> {
    let mut all: Vec<Installed> = match releases {
        [] => library::installed(of_manifest()?.as_deref())?,
        _ => releases.iter().map(|release| found(release)).collect::<Result<_, _>>()?,
    };
    let mut seen = BTreeSet::new();
    all.retain(|one| Release::parse(&one.release).is_ok() && seen.insert(one.release.clone()));
    if all.is_empty() {
        return Err("no library is found here\nhelp: odsmith library add 22".to_owned());
    }
    let pack = |one: Installed| {
        let is_packed = one.include.to_str().and_then(Format::of_name) == Some(Format::TarZst);
        let bytes = if is_packed {
            fs::read(&one.include)
                .map_err(|error| format!("{}: {}", one.include.display(), disk::reason(&error)))?
        } else {
            archive::write_smallest(Format::TarZst, &files_to_pack(&one.release, &one.include)?)
        };
        Ok((one.release, bytes))
    };
    all.into_iter().map(pack).collect()
}

/// The name of the licence beside an include folder of the cache.
const LICENCE: &str = "LICENSE.TXT";

impl Source {
    fn add(&self) -> Result<ExitStatus, String> {
        let release = Release::parse(&self.release)?;
        let cache = cache()?;
        let downloads = cache.join("downloads");
        let definitions = match self.from.as_deref() {
            None => {
                let package = self.package(&downloads)?;
                let definitions = Definitions::read(&package)?;
                let _ = package.parent().map(fs::remove_dir_all);
                definitions
            }
            Some(address) if address.starts_with("http://") || address.starts_with("https://") => {
                let file = downloaded(address, &downloads)?;
                let definitions = self.check_digest(&file, address).and_then(|()| Definitions::read(&file));
                let _ = fs::remove_file(file);
                definitions?
            }
            Some(place) if Address::is_one(place) => of_artifact(place, &downloads)?,
            Some(place) => {
                self.check_digest(Path::new(place), place)?;
                Definitions::read(Path::new(place))?
            }
        };
        let identity = definitions.identity();
        if !identity.may_be(release) {
            return Err(format!("this is {identity} by what it defines, not MLIR {release}"));
        }
        if identity == Identity::Unknown {
            display::warning("its definitions do not say which release it is");
        }
        let place = keep(&cache.join(format!("mlir-{release}")), release.name(), &definitions)?;
        let count = definitions.files.len();
        display::closing(&format!("MLIR {release}: wrote {count} .td files to {}", place.display()));
        Ok(ExitStatus::Done)
    }

    fn check_digest(&self, file: &Path, name: &str) -> Result<(), String> {
        let Some(wanted) = &self.sha256 else { return Ok(()) };
        let bytes =
            fs::read(file).map_err(|error| format!("{}: {}", file.display(), disk::reason(&error)))?;
        let digest = keys::hex(&Sha256::digest(&bytes));
        if digest.eq_ignore_ascii_case(wanted) {
            return Ok(());
        }
        Err(format!("{name} has the SHA-256 {digest}, not {wanted}"))
    }

    /// Downloads the distribution's package with the distribution's own configuration.
    fn package(&self, downloads: &Path) -> Result<PathBuf, String> {
        let release = Release::parse(&self.release)?;
        let name = format!("libmlir-{release}-dev");
        let folder = downloads.join(&name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder)
            .map_err(|error| format!("{}: {}", folder.display(), disk::reason(&error)))?;
        display::closing(&format!("downloading the package {name}, which is not installed"));
        let user = env::var("USER").unwrap_or_else(|_| "root".to_owned());
        let run = Command::new("apt-get")
            .args(["-q", "-o", &format!("APT::Sandbox::User={user}"), "download", &name])
            .current_dir(&folder)
            .stdout(stderr())
            .status();
        let is_done = run.is_ok_and(|status| status.success());
        let package = fs::read_dir(&folder).ok().and_then(|mut entries| entries.next()?.ok());
        package.filter(|_| is_done).map(|package| package.path()).ok_or_else(|| {
            format!(
                "this system has no package {name} to download.\n\
                 Name where MLIR {0} is: odsmith library add {0} --from PLACE, with an installation, a checkout, a source\n\
                 archive, a wheel, a Debian package, or the address of one",
                self.release
            )
        })
    }
}

/// Reads the definitions of an artifact.
fn of_artifact(place: &str, downloads: &Path) -> Result<Definitions, String> {
    let registries = Registries::new(&Access::default())?;
    let artifact = pull::open(&registries, &Address::parse(place)?);
    let read = artifact.and_then(|it| Ok((registries.files(&it, Layer::Definitions)?, it.digest)));
    let (files, digest) = read.map_err(|error| error.to_string())?;
    let folder = downloads.join(format!("oci-{}.{}", &digest.hex()[..16], disk::own_number()));
    let written = files.iter().try_for_each(|(path, bytes)| disk::write(&disk::place(&folder, path), bytes));
    let definitions = written.and_then(|()| Definitions::read(&folder));
    let _ = fs::remove_dir_all(folder);
    definitions
}

/// Writes the files of a library into a folder of the cache, and returns its include folder. Readers see either all of
/// the new files or the old ones.
fn keep(place: &Path, release: &str, definitions: &Definitions) -> Result<PathBuf, String> {
    let is_own = place.join("include").join(RELEASE_FILE).is_file();
    if place.exists() && !is_own {
        let what =
            "is there already, and `odsmith library add` did not make it: ODSMITH_CACHE names another folder";
        return Err(format!("{}: {what}", place.display()));
    }
    let sibling = |what: &str| {
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        place.with_file_name(format!("{name}.{}.{what}", disk::own_number()))
    };
    let new = sibling("new");
    for (path, bytes) in &definitions.files {
        disk::write(&disk::place(&new.join("include"), path), bytes)?;
    }
    disk::write(&new.join("include").join(RELEASE_FILE), format!("{release}\n").as_bytes())?;
    if let Some(licence) = &definitions.licence {
        disk::write(&new.join(LICENCE), licence)?;
    }
    let old = sibling("old");
    let _ = fs::rename(place, &old);
    fs::rename(&new, place).map_err(|error| format!("{}: {}", place.display(), disk::reason(&error)))?;
    let _ = fs::remove_dir_all(old);
    Ok(place.join("include"))
}
