//! `odsmith fetch`: resolves the dependencies of a project, writes `odsmith.lock` and fills the cache.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use clap::Args;
use odsmith_registry::{
    artifact::{Layer, config_of},
    layout::Layout,
    lock::{FILE_NAME as LOCK, Lock, PackageLock},
    manifest::{Descriptor, MANIFEST, REF_NAME},
    pull::Address,
    reference::{Reference, is_version_tag},
    resolve::RootRequest,
    version::{Request, Version},
};

use super::{display, exit::ExitStatus, options::RegistryOptions};
use crate::{
    pipeline::{
        manifest::{FILE_NAME, Manifest},
        registry::{Registries, packages},
    },
    store::disk,
};

/// The arguments of `odsmith fetch`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The folder of the project
    #[arg(value_name = "PATH", default_value = ".")]
    project: PathBuf,
    /// Take the newest versions that fit: of all packages, or of these
    #[arg(long, value_name = "NAMES", num_args = 0.., value_delimiter = ',')]
    update: Option<Vec<String>>,
    /// Fail if odsmith.lock does not fit odsmith.toml
    #[arg(long, conflicts_with = "update")]
    locked: bool,
    /// Keep the packages in the project, where builds find them: an OCI image layout [default folder: .odsmith/oci]
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = packages::VENDORED)]
    vendor: Option<PathBuf>,
    #[command(flatten)]
    registry: RegistryOptions,
}

impl Options {
    /// Runs the command.
    ///
    /// # Errors
    /// The manifest or the lock is wrong, or a package cannot be read.
    pub fn run(self) -> Result<ExitStatus, String> {
        let folder = &self.project;
        let place = folder.join(FILE_NAME);
        let text =
            fs::read(&place).map_err(|error| format!("{}: {}", place.display(), disk::reason(&error)))?;
        let manifest = Manifest::from_toml(&text)?;
        let mut requests = packages::requests(&manifest, &text)?;
        let before = packages::read_lock(folder)?;
        if self.locked {
            let (lock_text, lock) = match &before {
                Some((text, lock)) => (text.clone(), lock.clone()),
                None if requests.is_empty() => return Ok(self.done(&Lock::default())),
                None => return Err(format!("{LOCK} is missing: run odsmith fetch without --locked")),
            };
            lock.check(&lock_text, &requests)?;
            return self.fill(&lock);
        }
        if requests.is_empty() {
            if before.is_some() {
                disk::write(
                    &folder.join(LOCK),
                    Lock { schema: 1, packages: Vec::new() }.to_toml().as_bytes(),
                )?;
            }
            return Ok(self.done(&Lock::default()));
        }
        let registries = self.registries()?;
        let mut known: Vec<PackageLock> =
            before.as_ref().map(|(_, lock)| lock.packages.clone()).unwrap_or_default();
        if let Some(names) = &self.update {
            let is_meant = |name: &str| names.is_empty() || names.iter().any(|it| it == name);
            if let Some(name) = names.iter().find(|name| requests.iter().all(|it| it.name != **name)) {
                return Err(format!("{FILE_NAME} asks for no package '{name}'"));
            }
            known.retain(|it| !is_meant(&it.name));
            for request in requests.iter_mut().filter(|it| is_meant(&it.name)) {
                raise(request, &registries)?;
            }
        } else {
            // The choice of an earlier update stays, as long as it fits.
            for request in &mut requests {
                let locked =
                    known.iter().find(|it| it.name == request.name && it.repository == request.repository);
                let fits =
                    |it: &&PackageLock| Request::new(&request.version).fits(&Version::new(&it.version));
                if let Some(locked) = locked.filter(fits) {
                    request.version.clone_from(&locked.version);
                }
            }
        }
        let resolution = match packages::resolve_all(&requests, &known, &registries) {
            Ok(resolution) => resolution,
            Err(message) => {
                display::error(&message);
                return Ok(ExitStatus::Findings);
            }
        };
        resolution.warnings.iter().for_each(|warning| display::warning(warning));
        let lock = Lock::new(&resolution.packages)?;
        packages::fill(&lock, &registries)?;
        let toml = lock.to_toml();
        if before.is_none_or(|(text, _)| text != toml) {
            disk::write(&folder.join(LOCK), toml.as_bytes())?;
        }
        self.vendor(&lock, &registries)?;
        Ok(self.done(&lock))
    }

    fn registries(&self) -> Result<Registries, String> {
        Ok(Registries::new(&self.registry.access()?)?.with_vendored(&self.project))
    }

    fn fill(&self, lock: &Lock) -> Result<ExitStatus, String> {
        let registries = self.registries()?;
        packages::fill(lock, &registries)?;
        self.vendor(lock, &registries)?;
        Ok(self.done(lock))
    }

    /// Writes the packages into a layout of the project, with tags for other tools.
    fn vendor(&self, lock: &Lock, registries: &Registries) -> Result<(), String> {
        let Some(folder) = &self.vendor else { return Ok(()) };
        let layout = Layout::new(self.project.join(folder));
        let mut listed = Vec::new();
        for package in &lock.packages {
            let reference = Reference::parse(&package.repository)?.with_digest(&package.manifest);
            let artifact =
                registries.open(&Address::Registry(reference)).map_err(|error| error.to_string())?;
            layout.put(&artifact.bytes)?;
            let facts = config_of(&artifact.manifest);
            let blobs = std::iter::once(&artifact.manifest.config)
                .chain(facts)
                .chain(artifact.layer(Layer::Definitions));
            for blob in blobs {
                let bytes = registries.blob(&artifact, blob).map_err(|error| error.to_string())?;
                layout.put(&bytes)?;
            }
            let mut descriptor = Descriptor::of(MANIFEST, &artifact.bytes);
            descriptor.artifact_type.clone_from(&artifact.manifest.artifact_type);
            descriptor.annotations =
                BTreeMap::from([(REF_NAME.to_owned(), format!("{}-{}", package.name, package.version))]);
            listed.push(descriptor);
        }
        layout.list(listed)
    }

    fn done(&self, lock: &Lock) -> ExitStatus {
        for package in &lock.packages {
            display::closing(&format!("{} {} {}", package.name, package.version, package.manifest));
        }
        display::closing(&format!("fetched {}", display::counted(lock.packages.len(), "package")));
        ExitStatus::Done
    }
}

/// Sets a request to the newest published version that fits it. Prereleases and withdrawn versions are passed over.
fn raise(request: &mut RootRequest, registries: &Registries) -> Result<(), String> {
    let asked = Request::new(&request.version);
    if asked.is_exact {
        return Ok(());
    }
    let reference = Reference::parse(&request.repository)?;
    let client = registries.client().map_err(|error| error.to_string())?;
    let tags = registries.wait(client.tags(&reference)).map_err(|error| error.to_string())?;
    let mut versions: Vec<Version> =
        tags.iter().filter(|tag| is_version_tag(tag)).map(|tag| Version::new(tag)).collect();
    versions.retain(|it| asked.fits(it) && (!it.is_prerelease() || asked.version.is_prerelease()));
    versions.sort_by(Version::order);
    for version in versions.iter().rev() {
        let tagged = Reference { tag: Some(version.text().to_owned()), ..reference.clone() };
        let Ok(artifact) = registries.open(&Address::Registry(tagged)) else { continue };
        let withdrawal = registries.wait(client.withdrawal(&reference, &artifact.digest));
        if withdrawal.map_err(|error| error.to_string())?.is_none_or(|it| !it.yanked) {
            version.text().clone_into(&mut request.version);
            return Ok(());
        }
    }
    Ok(())
}

/// Checks that the lock in a folder fits its manifest, for `generate --locked`.
///
/// # Errors
/// It does not; the message names the line.
pub(super) fn check_locked(folder: &Path) -> Result<(), String> {
    let place = folder.join(FILE_NAME);
    let Ok(text) = fs::read(&place) else { return Ok(()) };
    let manifest = Manifest::from_toml(&text)?;
    let requests = packages::requests(&manifest, &text)?;
    match packages::read_lock(folder)? {
        Some((text, lock)) => lock.check(&text, &requests),
        None if requests.is_empty() => Ok(()),
        None => Err(format!("{LOCK} is missing: run odsmith fetch")),
    }
}
