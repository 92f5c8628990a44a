//! Dependencies of bundles that a server gets: from the registries of its configuration alone, and only what the bundle's own
//! `odsmith.lock` names by digest. Nothing is resolved, so that a bundle means the same at any time.

use odsmith_engine::bundle::Bundle;
use odsmith_registry::{
    error::Error,
    lock::{FILE_NAME, Lock},
    reference::{Reference, SCHEME},
};

use super::{Registries, packages, rights::RegistryRights};
use crate::pipeline::{
    dependencies,
    error::{ApiError, Kind},
    manifest::{self, Manifest},
};

/// The most packages of a lock.
const MOST_PACKAGES: usize = 64;

/// The registries that a server gets dependencies from.
pub struct ServedRegistries {
    registries: Registries,
    rights: RegistryRights,
}

impl ServedRegistries {
    /// Opens the way to the registries that a configuration names: `registry.example/dialects`.
    ///
    /// # Errors
    /// A part is wrong, or the HTTP client cannot be created.
    pub fn new(parts: &[String]) -> Result<ServedRegistries, String> {
        let rights = RegistryRights::parse(parts).map_err(|why| format!("registries: {why}"))?;
        let hosts = parts.iter().map(|part| part.strip_prefix(SCHEME).unwrap_or(part));
        let hosts = hosts.map(|part| part.split('/').next().unwrap_or_default().to_owned());
        Ok(ServedRegistries { registries: Registries::of_server(hosts.collect())?, rights })
    }

    /// Adds the packages that the lock of a bundle names, as far as the client has a right to them too. Dependencies whose
    /// files came along are left as they are.
    ///
    /// # Errors
    /// The lock is missing or does not fit, or a package is not read from there.
    pub fn complete(
        &self,
        bundle: &mut Bundle,
        manifest: Option<&Manifest>,
        of_client: &RegistryRights,
        most_bytes: u64,
    ) -> Result<(), ApiError> {
        let lock = bundle.get(FILE_NAME).cloned();
        if lock.is_some() {
            let others = bundle.iter().filter(|(path, _)| *path != FILE_NAME);
            let mut rest = Bundle::default();
            others.for_each(|(path, bytes)| rest.insert(path, bytes.clone()));
            *bundle = rest;
        }
        let bad = |why: String| ApiError::new(Kind::BAD_MANIFEST, why);
        let text = bundle.get(manifest::FILE_NAME).map(|bytes| bytes.to_vec()).unwrap_or_default();
        let own = match manifest {
            Some(manifest) => manifest.clone(),
            None if text.is_empty() => return Ok(()),
            None => Manifest::from_toml(&text).map_err(bad)?,
        };
        let requests = packages::requests(&own, &text).map_err(bad)?;
        let is_there =
            |name: &str| bundle.iter().any(|(path, _)| path.starts_with(&dependencies::root(name)));
        if requests.iter().all(|request| is_there(&request.name)) {
            return Ok(());
        }
        let unlocked = |why: String| ApiError::new(Kind::DEPENDENCIES_NOT_LOCKED, why);
        let lock = lock.ok_or_else(|| {
            unlocked(format!(
                "{FILE_NAME} is missing, and {} asks for a package: run odsmith fetch",
                requests[0].place
            ))
        })?;
        let lock_text = String::from_utf8_lossy(&lock).into_owned();
        let lock = Lock::read(&lock_text).map_err(unlocked)?;
        lock.check(&lock_text, &requests).map_err(unlocked)?;
        if lock.packages.len() > MOST_PACKAGES {
            let seen = lock.packages.len() as u64;
            return Err(ApiError::of_limit(Kind::LIMIT_EXCEEDED, "packages", MOST_PACKAGES as u64, seen));
        }
        for package in &lock.packages {
            let repository = Reference::parse(&package.repository).map_err(unlocked)?.of_repository();
            if !self.rights.allow(&repository) || !of_client.allow(&repository) {
                let detail = format!("dependencies are not read from {repository} here");
                return Err(ApiError::new(Kind::SOURCE_REFUSED, detail));
            }
        }
        packages::add(bundle, &lock, &self.registries).map_err(of_registry)?;
        let bytes: u64 = bundle.iter().map(|(_, bytes)| bytes.len() as u64).sum();
        match bytes > most_bytes {
            true => Err(ApiError::too_large("unpacked_bytes", most_bytes, bytes)),
            false => Ok(()),
        }
    }
}

fn of_registry(error: Error) -> ApiError {
    let kind = match error {
        Error::Forbidden(_) => Kind::SOURCE_REFUSED,
        Error::Limit(_) => Kind::LIMIT_EXCEEDED,
        Error::NotFound(_)
        | Error::Unavailable(_)
        | Error::Denied(_)
        | Error::Refused(_)
        | Error::Forged(_) => Kind::SOURCE_FAILED,
    };
    ApiError::new(kind, error.to_string())
}
