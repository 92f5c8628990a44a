//! The content of a request, before its archive is unpacked: files, a manifest, and the changes by parameters.

use bytes::Bytes;
use odsmith_engine::bundle::Bundle;

use crate::{
    config::ArchiveLimits,
    pipeline::{
        error::{ApiError, Kind},
        generate::Request,
        library::Libraries,
        manifest::{self, Manifest},
        registry::rights::RegistryRights,
        workspace,
    },
    store::archive::{self, Format, Refusal, names::Names},
};

/// The source of a request's files.
#[derive(Clone, Debug)]
pub enum Source {
    /// In an archive.
    Archive(Bytes),
    /// A body that is one file with this name, unless it is an archive.
    Single(&'static str, Bytes),
    /// Single files, as path and content.
    Files(Vec<(String, Bytes)>),
}

/// A request before its files are read.
#[derive(Clone, Debug)]
pub struct Form {
    /// Its files.
    pub source: Source,
    /// Its manifest, if that is not one of the files.
    pub manifest: Option<Manifest>,
    /// The folder of the files to use, if it is not all of them.
    pub strip_prefix: Option<String>,
    /// The media type of the body as received, with the boundary of parts.
    pub media_type: String,
    /// The parts of registries that the client may read.
    pub registries: RegistryRights,
}

impl From<Source> for Form {
    fn from(source: Source) -> Form {
        Form {
            source,
            manifest: None,
            strip_prefix: None,
            media_type: String::new(),
            registries: RegistryRights::default(),
        }
    }
}

/// Larger bodies are not parsed on a thread that serves HTTP.
pub const SMALL_BODY: usize = 16 << 10;

/// The changes that a request makes to the manifest of its bundle.
pub type Change = Box<dyn FnOnce(&mut Manifest) -> Result<(), String> + Send>;

/// Adds the packages that a bundle asks for, as far as the client may read them.
pub type Packages<'p> = &'p dyn Fn(&mut Bundle, Option<&Manifest>, &RegistryRights) -> Result<(), ApiError>;

/// Adds no packages: files of dependencies are in the bundle.
///
/// # Errors
/// None.
pub fn without_packages(_: &mut Bundle, _: Option<&Manifest>, _: &RegistryRights) -> Result<(), ApiError> {
    Ok(())
}

impl Form {
    /// Opens the request: unpacks and checks its files, adds what `packages` gets for them, and applies `change` to its
    /// manifest. Returns the files as well, as they came.
    ///
    /// # Errors
    /// The files or the manifest are refused.
    pub fn open(
        self,
        limits: &ArchiveLimits,
        libraries: &Libraries,
        packages: Packages<'_>,
        change: Change,
    ) -> Result<(Request, Bundle), ApiError> {
        let mut bundle = self.source.open(self.strip_prefix.as_deref().unwrap_or_default(), limits)?;
        if let Some(prefix) = &self.strip_prefix {
            bundle = below(&bundle, prefix)?;
        }
        let mut bundle = workspace::arranged(bundle);
        packages(&mut bundle, self.manifest.as_ref(), &self.registries)?;
        let bytes = bundle.get(manifest::FILE_NAME).map_or(0, |bytes| bytes.len() as u64);
        if bytes > limits.manifest_bytes {
            return Err(ApiError::too_large("manifest_bytes", limits.manifest_bytes, bytes));
        }
        // The files themselves are shared.
        let request = Request::new(libraries, bundle.clone(), self.manifest, change);
        Ok((request.map_err(|error| ApiError::new(Kind::BAD_MANIFEST, error))?, bundle))
    }
}

/// Returns the files below a folder, with paths relative to it.
fn below(bundle: &Bundle, prefix: &str) -> Result<Bundle, ApiError> {
    let folder = format!("{}/", prefix.trim_matches('/'));
    let mut found = Bundle::default();
    for (path, bytes) in bundle.iter() {
        if let Some(path) = path.strip_prefix(&folder) {
            found.insert(path, bytes.clone());
        }
    }
    if found.is_empty() {
        let detail = format!("strip_prefix: the archive has no folder '{}'", prefix.escape_debug());
        return Err(ApiError::new(Kind::BAD_REQUEST, detail));
    }
    Ok(found)
}

impl Source {
    /// Unpacks and checks the files; of an archive, only those below a folder.
    ///
    /// # Errors
    /// The files are refused.
    pub fn open(&self, folder: &str, limits: &ArchiveLimits) -> Result<Bundle, Refusal> {
        match self {
            Source::Single(name, body) if Format::of_bytes(body).is_none() => {
                let mut names = Names::new(limits);
                names.size(body.len() as u64)?;
                let mut bundle = Bundle::default();
                bundle.insert(*name, &**body);
                Ok(bundle)
            }
            Source::Archive(body) | Source::Single(_, body) => archive::read_below(body, folder, limits),
            Source::Files(files) => {
                let mut names = Names::new(limits);
                for (path, content) in files {
                    names.entry()?;
                    names.size(content.len() as u64)?;
                    names.file(path.as_bytes(), || Ok(content.to_vec()))?;
                }
                names.finish()
            }
        }
    }
}
