//! `odsmith.lock`: the packages of a project by their digests.
//!
//! `definitions` is the digest of the unpacked definitions, so that a mirror or the artifact of another build serves it.

use serde::{Deserialize, Serialize};

use super::{
    artifact::Layer,
    digest::Digest,
    resolve::{Package, RootRequest},
    version::{Request, Version},
};

/// The name of the file.
pub const FILE_NAME: &str = "odsmith.lock";
/// The first lines of the file.
const HEAD: &str = "# Written by `odsmith fetch`. Commit it; do not edit it.\n";

/// The packages of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    /// The version of this form.
    pub schema: u32,
    /// The packages, sorted by name.
    #[serde(default, rename = "package", skip_serializing_if = "Vec::is_empty")]
    pub packages: Vec<PackageLock>,
}

/// A package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackageLock {
    /// The name, by which its files are included.
    pub name: String,
    /// The repository.
    pub repository: String,
    /// The version.
    pub version: String,
    /// The digest of the manifest.
    pub manifest: Digest,
    /// The digest of the unpacked definitions.
    pub definitions: Digest,
    /// The names of the packages that ask for it.
    pub requested_by: Vec<String>,
}

impl Lock {
    /// Locks packages.
    ///
    /// # Errors
    /// A package has no definitions.
    pub fn new(packages: &[Package]) -> Result<Lock, String> {
        let each = packages.iter().map(|it| {
            let plain = it.config.layers.get(Layer::Definitions.title());
            let definitions = plain.and_then(|plain| Digest::from_hex(&plain.sha256));
            Ok(PackageLock {
                name: it.name.clone(),
                repository: it.repository.clone(),
                version: it.config.version.clone(),
                manifest: it.digest.clone(),
                definitions: definitions.ok_or_else(|| format!("{} has no definitions", it.repository))?,
                requested_by: it.requested_by.clone(),
            })
        });
        Ok(Lock { schema: 1, packages: each.collect::<Result<_, String>>()? })
    }

    /// Reads a lock.
    ///
    /// # Errors
    /// It is something else; the message names the line.
    pub fn read(text: &str) -> Result<Lock, String> {
        let lock: Lock = toml::from_str(text).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            format!("{FILE_NAME}:{}: {}", before.matches('\n').count() + 1, error.message())
        })?;
        if lock.schema != 1 {
            return Err(format!("{FILE_NAME}: it has version {} of the format, and 1 is read", lock.schema));
        }
        Ok(lock)
    }

    /// Writes the lock.
    #[must_use]
    pub fn to_toml(&self) -> String {
        // Every field has a form in TOML.
        format!("{HEAD}{}", toml::to_string(self).unwrap_or_default())
    }

    /// Checks that the lock answers the requests of a manifest; the message names the line that does not fit.
    ///
    /// # Errors
    /// A request has no package, or one of another version; or a package is not asked for.
    pub fn check(&self, text: &str, requests: &[RootRequest]) -> Result<(), String> {
        let place = |line: usize| format!("{FILE_NAME}:{}", line + 1);
        let run = "run odsmith fetch";
        for request in requests {
            let Some(package) = self.packages.iter().find(|it| it.name == request.name) else {
                return Err(format!(
                    "{FILE_NAME}: it has no package '{}' ({}): {run}",
                    request.name, request.place
                ));
            };
            let line = |field: &str, value: &str| {
                line_of(text, &package.name, field, value).map_or_else(|| FILE_NAME.to_owned(), place)
            };
            if package.repository != request.repository {
                return Err(format!(
                    "{}: '{}' is from {}, and {} asks for {}: {run}",
                    line("repository", &package.repository),
                    package.name,
                    package.repository,
                    request.place,
                    request.repository
                ));
            }
            let fits = Request::new(&request.version).fits(&Version::new(&package.version));
            if !fits && !request.is_override {
                return Err(format!(
                    "{}: {} {} does not fit {}, which asks for {}: {run}",
                    line("version", &package.version),
                    package.name,
                    package.version,
                    request.place,
                    request.version
                ));
            }
        }
        let is_asked_for = |it: &&PackageLock| {
            it.requested_by.iter().any(|by| by != "root")
                || requests.iter().any(|request| request.name == it.name)
        };
        match self.packages.iter().find(|it| !is_asked_for(it)) {
            Some(it) => Err(format!(
                "{}: nothing asks for '{}': {run}",
                line_of(text, &it.name, "name", &it.name).map_or_else(|| FILE_NAME.to_owned(), place),
                it.name
            )),
            None => Ok(()),
        }
    }
}

/// Returns the line of a field of a package.
fn line_of(text: &str, package: &str, field: &str, value: &str) -> Option<usize> {
    let lines: Vec<&str> = text.lines().collect();
    let start = lines.iter().position(|line| line.trim() == format!("name = \"{package}\""))?;
    let wanted = format!("{field} = \"{value}\"");
    let below = lines[start..].iter().position(|line| line.trim() == wanted)?;
    Some(start + below)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock() -> Lock {
        let digest = Digest::of(b"x");
        let package = PackageLock {
            name: "hlo".to_owned(),
            repository: "oci://r/hlo".to_owned(),
            version: "1.9.0".to_owned(),
            manifest: digest.clone(),
            definitions: digest,
            requested_by: vec!["root".to_owned()],
        };
        Lock { schema: 1, packages: vec![package] }
    }

    fn request(name: &str, version: &str) -> RootRequest {
        RootRequest {
            name: name.to_owned(),
            repository: format!("oci://r/{name}"),
            version: version.to_owned(),
            is_override: false,
            place: "odsmith.toml:2".to_owned(),
        }
    }

    #[test]
    fn a_lock_is_read_back() {
        assert_eq!(Lock::read(&lock().to_toml()), Ok(lock()));
        assert_eq!(Lock::read("schema = 1\nx = 2\n").unwrap_err().split(':').nth(1), Some("2"));
    }

    #[test]
    fn the_line_that_does_not_fit_is_named() {
        let text = lock().to_toml();
        assert_eq!(lock().check(&text, &[request("hlo", "1.9")]), Ok(()));
        assert_eq!(
            lock().check(&text, &[request("hlo", "2.0")]).unwrap_err(),
            "odsmith.lock:7: hlo 1.9.0 does not fit odsmith.toml:2, which asks for 2.0: run odsmith fetch"
        );
        assert!(lock().check(&text, &[]).unwrap_err().starts_with("odsmith.lock:5: nothing asks for 'hlo'"));
        assert!(lock().check(&text, &[request("sdy", "1")]).unwrap_err().contains("no package 'sdy'"));
    }
}
