//! Dependencies from registries: resolved by `odsmith fetch` into `odsmith.lock`, and read without the network.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use odsmith_engine::bundle::Bundle;
use odsmith_registry::{
    artifact::{Config, Layer},
    digest::Digest,
    error::Error,
    lock::{FILE_NAME, Lock, PackageLock},
    pull::Address,
    reference::Reference,
    resolve::{Package, RootRequest, Source, resolve},
    version::Version,
};

use crate::{
    pipeline::{
        dependencies::{self, line_of},
        manifest::{self, Manifest},
        registry::Registries,
    },
    store::disk,
};

/// The layout in a project's folder that `odsmith fetch --vendor` writes, and that builds read.
pub const VENDORED: &str = ".odsmith/oci";

/// Returns the requests of a manifest for packages of registries. `text` is its own, for their lines.
///
/// # Errors
/// A reference breaks the grammar.
pub fn requests(manifest: &Manifest, text: &[u8]) -> Result<Vec<RootRequest>, String> {
    let of_registries =
        manifest.dependencies.iter().filter_map(|(name, it)| Some((name, it, it.oci.as_ref()?)));
    let each = of_registries.map(|(name, dependency, oci)| {
        let reference = Reference::parse(oci)?;
        let version = dependency.version.clone().or_else(|| reference.tag.clone());
        Ok(RootRequest {
            name: name.clone(),
            repository: reference.of_repository(),
            version: version
                .ok_or_else(|| format!("the dependency '{name}' has no version: {oci}:VERSION"))?,
            is_override: dependency.is_override,
            place: format!("{}:{}", manifest::FILE_NAME, line_of(text, name, dependency)),
        })
    });
    each.collect()
}

/// Reads the lock in a folder; nothing if there is none.
///
/// # Errors
/// It cannot be read.
pub fn read_lock(folder: &Path) -> Result<Option<(String, Lock)>, String> {
    let place = folder.join(FILE_NAME);
    if !place.is_file() {
        return Ok(None);
    }
    let text = fs::read_to_string(&place)
        .map_err(|error| format!("{}: {}", place.display(), disk::reason(&error)))?;
    Lock::read(&text).map(|lock| Some((text, lock)))
}

/// Adds the definitions of all packages that a manifest in a folder asks for. They come from the cache.
///
/// # Errors
/// The lock is missing or does not fit, or a package is not in the cache.
pub fn add_locked(
    bundle: &mut Bundle,
    manifest: &Manifest,
    text: &[u8],
    folder: &Path,
) -> Result<(), String> {
    let requests = requests(manifest, text)?;
    if requests.is_empty() {
        return Ok(());
    }
    let (lock_text, lock) = read_lock(folder)?.ok_or_else(|| {
        format!("{FILE_NAME} is missing, and {} asks for a package: run odsmith fetch", requests[0].place)
    })?;
    lock.check(&lock_text, &requests)?;
    let registries = Registries::offline()?.with_vendored(folder);
    add(bundle, &lock, &registries).map_err(|error| error.to_string())
}

/// Adds the definitions of all packages of a lock.
///
/// # Errors
/// A package is missing, or is not what the lock says.
pub fn add(bundle: &mut Bundle, lock: &Lock, registries: &Registries) -> Result<(), Error> {
    for package in &lock.packages {
        let files = definitions(package, registries)?;
        let root = dependencies::root(&package.name);
        for (path, bytes) in files.iter().filter(|(path, _)| dependencies::is_definition(path)) {
            bundle.insert(format!("{root}/{path}"), Arc::clone(bytes));
        }
    }
    Ok(())
}

/// Reads the definitions of a package, by the digest of the lock.
fn definitions(package: &PackageLock, registries: &Registries) -> Result<Bundle, Error> {
    let PackageLock { name, version, .. } = package;
    if !dependencies::is_name(name) {
        return Err(Error::Forged(format!(
            "{FILE_NAME}: '{}' is no name for a dependency",
            name.escape_debug()
        )));
    }
    let reference = Reference::parse(&package.repository).map_err(Error::Forged)?;
    let missing = |error: Error| match error {
        Error::NotFound(_) if registries.client.is_none() => {
            Error::NotFound(format!("{name} {version} is not in the cache: run odsmith fetch"))
        }
        error => error.context(&format!("{name} {version}")),
    };
    let place = Address::Registry(reference.with_digest(&package.manifest));
    let artifact = registries.open(&place).map_err(missing)?;
    let plain = artifact.config.layers.get(Layer::Definitions.title());
    if plain.and_then(|plain| Digest::from_hex(&plain.sha256)).as_ref() != Some(&package.definitions) {
        return Err(Error::Forged(format!(
            "{FILE_NAME}: the definitions of {name} {version} are not {}",
            package.definitions
        )));
    }
    registries.files(&artifact, Layer::Definitions).map_err(missing)
}

/// Configs from registries.
struct RegistrySource<'a> {
    registries: &'a Registries,
    /// The packages of the lock, whose versions stay as they are.
    known: &'a [PackageLock],
    /// Warnings about withdrawn versions that the lock names.
    warnings: Vec<String>,
}

impl Source for RegistrySource<'_> {
    fn config(&mut self, repository: &str, version: &Version) -> Result<(Digest, Config), String> {
        let reference = Reference::parse(repository)?;
        let locked = self.known.iter().find(|it| {
            it.repository == repository
                && version.tags().contains(&odsmith_registry::reference::tag_of(&it.version))
        });
        let mut places: Vec<Reference> = Vec::new();
        if let Some(locked) = locked {
            places.push(reference.with_digest(&locked.manifest));
        }
        places
            .extend(version.tags().into_iter().map(|tag| Reference { tag: Some(tag), ..reference.clone() }));
        let mut last = None;
        for place in places {
            match self.registries.open(&Address::Registry(place)) {
                Ok(artifact) => {
                    self.check_withdrawal(&reference, &artifact.digest, &artifact.config, locked.is_some())?;
                    return Ok((artifact.digest, artifact.config));
                }
                Err(Error::NotFound(why)) => last = Some(why),
                Err(error) => return Err(error.to_string()),
            }
        }
        Err(last.unwrap_or_else(|| format!("{repository} has no version {}", version.text())))
    }
}

impl RegistrySource<'_> {
    /// Refuses a withdrawn version, unless the lock names it.
    fn check_withdrawal(
        &mut self,
        reference: &Reference,
        digest: &Digest,
        config: &Config,
        is_locked: bool,
    ) -> Result<(), String> {
        let Ok(client) = self.registries.client() else { return Ok(()) };
        let found =
            self.registries.wait(client.withdrawal(reference, digest)).map_err(|error| error.to_string())?;
        let Some(withdrawal) = found.filter(|it| it.yanked) else { return Ok(()) };
        let instead = withdrawal.substitute.as_ref().map(|it| format!("; use {it}")).unwrap_or_default();
        let message = format!(
            "{} {} is withdrawn: {}{instead}",
            config.project,
            config.version,
            withdrawal.reason.escape_debug()
        );
        if is_locked {
            self.warnings.push(message);
            return Ok(());
        }
        Err(message)
    }
}

/// The packages of a project, and what to say about them.
#[derive(Debug)]
pub struct Resolution {
    /// The packages.
    pub packages: Vec<Package>,
    /// Warnings.
    pub warnings: Vec<String>,
}

/// Resolves the packages of a project.
///
/// # Errors
/// Two requests do not fit, or a version does not exist or is withdrawn.
pub fn resolve_all(
    requests: &[RootRequest],
    known: &[PackageLock],
    registries: &Registries,
) -> Result<Resolution, String> {
    let mut source = RegistrySource { registries, known, warnings: Vec::new() };
    let packages = resolve(requests, &mut source)?;
    Ok(Resolution { packages, warnings: source.warnings })
}

/// Reads the definitions of all packages, so that the cache has them. A path that two packages have is an error.
///
/// # Errors
/// A package cannot be read.
pub fn fill(lock: &Lock, registries: &Registries) -> Result<(), String> {
    let mut paths: Vec<(String, &str)> = Vec::new();
    for package in &lock.packages {
        let files = definitions(package, registries).map_err(|error| error.to_string())?;
        paths.extend(
            files
                .iter()
                .filter(|(path, _)| path.ends_with(".td"))
                .map(|(path, _)| (include_path(path), &*package.name)),
        );
    }
    paths.sort_unstable();
    match paths.windows(2).find(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1) {
        Some(pair) => {
            Err(format!("two packages have the file '{}': {} and {}", pair[0].0, pair[0].1, pair[1].1))
        }
        None => Ok(()),
    }
}

/// Returns the path by which a file is included: that below the last folder `include`.
fn include_path(path: &str) -> String {
    path.rsplit_once("include/").map_or(path, |(_, below)| below).to_owned()
}

/// Returns the folder for the vendored layout of a project.
#[must_use]
pub fn vendored_place(folder: &Path) -> PathBuf {
    folder.join(VENDORED)
}
