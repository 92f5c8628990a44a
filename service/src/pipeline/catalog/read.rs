//! Lists what a registry or image layouts have, for a catalogue: tags, configs and reports, and no layer.

use std::{
    collections::BTreeMap,
    fmt, fs,
    path::{Path, PathBuf},
};

use futures_util::{StreamExt as _, stream};
use odsmith_catalog::published::{Break, PublishedProject, PublishedVersion, breaks};
use odsmith_registry::{
    artifact::{ARTIFACT, DIFF, YANK},
    client::Client,
    digest::Digest,
    error::Error,
    layout::Layout,
    manifest::{Descriptor, Manifest, REF_NAME},
    pull::{Address, LAYOUT, OpenArtifact, Puller},
    reference::{Reference, SCHEME, is_component, is_host, is_version_tag, tag_of},
    referrers::{counting, read_withdrawal},
};
use serde::Deserialize;

use crate::{pipeline::registry::Registries, store::disk};

/// Requests that run at once.
const AT_ONCE: usize = 8;
/// The longest report, in bytes.
const MOST_REPORT: u64 = 64 << 20;
/// The most versions of a repository.
const MOST_VERSIONS: usize = 10_000;

/// The place that a catalogue is built from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The repositories of a registry below a path: `oci://HOST/PREFIX/`.
    Registry {
        /// The host.
        host: String,
        /// The path, without a slash at the end; empty for the whole registry.
        prefix: String,
    },
    /// An image layout, or a folder of them: `oci-layout:DIR`.
    Layouts(PathBuf),
}

impl Origin {
    /// Reads `oci://HOST/PREFIX/` or `oci-layout:DIR`.
    ///
    /// # Errors
    /// It is neither.
    pub fn parse(text: &str) -> Result<Origin, String> {
        if let Some(folder) = text.strip_prefix(LAYOUT) {
            return Ok(Origin::Layouts(folder.into()));
        }
        let wrong = || format!("'{}': write oci://HOST/PREFIX/ or {LAYOUT}DIR", text.escape_debug());
        let rest = text.strip_prefix(SCHEME).ok_or_else(wrong)?;
        let (host, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let prefix = prefix.trim_end_matches('/');
        let is_path = prefix.is_empty() || prefix.split('/').all(is_component);
        if !is_host(host) || !is_path {
            return Err(wrong());
        }
        Ok(Origin::Registry { host: host.to_ascii_lowercase(), prefix: prefix.to_owned() })
    }

    /// Returns whether a text names such a place.
    #[must_use]
    pub fn is_one(text: &str) -> bool {
        Address::is_one(text)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Registry { host, prefix } => write!(f, "{SCHEME}{host}/{prefix}"),
            Origin::Layouts(folder) => write!(f, "{LAYOUT}{}", folder.display()),
        }
    }
}

/// The settings of a catalogue: `catalog.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CatalogSettings {
    /// The repositories, where a registry does not list them: paths below the host.
    #[serde(default)]
    pub repositories: Vec<String>,
    /// The owners of projects, in place of those of `CODEOWNERS`.
    #[serde(default)]
    pub owners: BTreeMap<String, Vec<String>>,
}

impl CatalogSettings {
    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, or has an unknown field.
    pub fn read(path: &Path) -> Result<CatalogSettings, String> {
        let wrong = |why: String| format!("{}: {why}", path.display());
        let text = fs::read_to_string(path).map_err(|error| wrong(disk::reason(&error)))?;
        let settings: CatalogSettings = toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        let is_path = |path: &&String| path.split('/').all(is_component);
        match settings.repositories.iter().find(|path| !is_path(path)) {
            Some(path) => Err(wrong(format!("'{}' is no repository", path.escape_debug()))),
            None => Ok(settings),
        }
    }
}

/// All that a place has.
#[derive(Debug, Default)]
pub struct Listing {
    /// The repositories with their versions.
    pub projects: Vec<PublishedProject>,
    /// The artifacts by the digest of their manifests, to read layers of.
    pub artifacts: BTreeMap<Digest, OpenArtifact>,
    /// The versions that were left out, with the reason.
    pub notes: Vec<String>,
}

/// Versions that were read before, by repository and tag. They are taken over as they were: a tag that moved and a withdrawal
/// are seen only by a listing without them.
pub type KnownVersions = BTreeMap<(String, String), (PublishedVersion, OpenArtifact)>;

/// A version as it is read, or the reason for leaving it out.
type ReadVersion = Result<Option<(PublishedVersion, OpenArtifact)>, String>;

/// Lists what a place has.
///
/// # Errors
/// The registry cannot be reached or denies it, or the folder is not there.
pub fn list(
    registries: &Registries,
    origin: &Origin,
    settings: &CatalogSettings,
    known: &KnownVersions,
) -> Result<Listing, Error> {
    let mut listing = Listing::default();
    match origin {
        Origin::Registry { host, prefix } => {
            let client = registries.client()?;
            for repository in repositories(registries, client, host, prefix, settings)? {
                let at = Reference { host: host.clone(), repository, tag: None, digest: None };
                let versions = registries.wait(versions(registries.puller(), client, &at, known))?;
                listing.add(at.of_repository(), versions, settings);
            }
        }
        Origin::Layouts(folder) => {
            for place in layouts(folder)? {
                let name = place.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let versions = registries.wait(layout_versions(&place))?;
                listing.add(format!("{LAYOUT}{name}"), versions, settings);
            }
        }
    }
    Ok(listing)
}

impl Listing {
    /// Returns the versions by repository and tag.
    #[must_use]
    pub fn known(&self) -> KnownVersions {
        let versions = self.projects.iter().flat_map(|project| {
            project.versions.iter().map(|version| (project.repository.clone(), version.clone()))
        });
        let each = versions.filter_map(|(repository, version)| {
            let artifact = self.artifacts.get(&version.manifest)?.clone();
            Some(((repository, version.tag.clone()), (version, artifact)))
        });
        each.collect()
    }

    fn add(&mut self, repository: String, versions: Vec<ReadVersion>, settings: &CatalogSettings) {
        let mut project = PublishedProject { repository, ..PublishedProject::default() };
        for version in versions {
            match version {
                Ok(Some((version, artifact))) => {
                    if let Some(owners) = settings.owners.get(&version.config.project) {
                        project.owners.clone_from(owners);
                    }
                    self.artifacts.insert(version.manifest.clone(), artifact);
                    project.versions.push(version);
                }
                Ok(None) => {}
                Err(note) => self.notes.push(note),
            }
        }
        if !project.versions.is_empty() {
            self.projects.push(project);
        }
    }
}

/// Lists the repositories of a registry, sorted.
fn repositories(
    registries: &Registries,
    client: &Client,
    host: &str,
    prefix: &str,
    settings: &CatalogSettings,
) -> Result<Vec<String>, Error> {
    if !settings.repositories.is_empty() {
        let mut all = settings.repositories.clone();
        all.sort();
        all.dedup();
        return Ok(all);
    }
    let all = registries.wait(client.repositories(host)).map_err(|error| match error {
        Error::NotFound(_) | Error::Refused(_) => Error::Refused(format!(
            "{host} does not list its repositories: name them in catalog.toml ({error})"
        )),
        error => error,
    })?;
    let is_below = |path: &String| {
        prefix.is_empty()
            || path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    Ok(all.into_iter().filter(|path| path.split('/').all(is_component) && is_below(path)).collect())
}

/// Decides whether an error leaves out a version, or ends the work.
fn left_out(error: Error, place: &dyn fmt::Display) -> Result<String, Error> {
    match error {
        Error::Unavailable(_) | Error::Denied(_) | Error::Forbidden(_) => Err(error),
        Error::NotFound(_) | Error::Refused(_) | Error::Forged(_) | Error::Limit(_) => {
            Ok(format!("{place}: {error}"))
        }
    }
}

/// Reads the versions of a repository.
async fn versions(
    puller: Puller<'_>,
    client: &Client,
    at: &Reference,
    known: &KnownVersions,
) -> Result<Vec<ReadVersion>, Error> {
    let tags = client.tags(at).await?;
    if tags.len() > MOST_VERSIONS {
        return Err(Error::Limit(format!("{at} has more than {MOST_VERSIONS} tags")));
    }
    // A tag that was moved left the old manifest another one: `1.0.0.was-0123456789ab`.
    let former = |tag: &str| {
        let prefix = format!("{tag}.was-");
        tags.iter().filter(move |it| it.starts_with(&prefix)).cloned().collect::<Vec<String>>()
    };
    let wanted = tags.iter().filter(|tag| is_version_tag(tag));
    let repository = at.of_repository();
    let reads = wanted.map(|tag| {
        let known = known.get(&(repository.clone(), tag.clone())).cloned();
        async move {
            match known {
                Some(known) => Ok(Ok(Some(known))),
                None => version(puller, client, at, tag, former(tag)).await,
            }
        }
    });
    let all: Vec<Result<ReadVersion, Error>> = stream::iter(reads).buffered(AT_ONCE).collect().await;
    all.into_iter().collect()
}

async fn version(
    puller: Puller<'_>,
    client: &Client,
    at: &Reference,
    tag: &str,
    former: Vec<String>,
) -> Result<ReadVersion, Error> {
    let place = Reference { tag: Some(tag.to_owned()), digest: None, ..at.clone() };
    match try_version(puller, client, &place, tag, former).await {
        Ok(version) => Ok(Ok(version)),
        Err(error) => left_out(error, &place).map(Err),
    }
}

async fn try_version(
    puller: Puller<'_>,
    client: &Client,
    place: &Reference,
    tag: &str,
    former: Vec<String>,
) -> Result<Option<(PublishedVersion, OpenArtifact)>, Error> {
    let Some(raw) = client.manifest(place, tag).await? else { return Ok(None) };
    // Other artifacts and indexes may be in the same repository.
    let is_ours = Manifest::read(&raw.bytes).is_ok_and(|manifest| manifest.kind() == ARTIFACT);
    if !is_ours {
        return Ok(None);
    }
    if let Some(cache) = puller.cache {
        let _ = cache.put(&raw.bytes);
    }
    let artifact = puller.open(&Address::Registry(place.with_digest(&raw.digest))).await?;
    if tag_of(&artifact.config.version) != tag {
        // Another name of a version, such as `stable`.
        return Ok(None);
    }
    let reports = client.referrers(place, &raw.digest).await?;
    let mut withdrawals = Vec::new();
    let mut found: Option<Vec<Break>> = None;
    for report in sorted(&reports) {
        let read = || report_bytes(puller, client, place, report);
        match report.kind() {
            Some(YANK) => withdrawals.push(read_withdrawal(&read().await?, &report.digest)?),
            Some(DIFF) => found = Some(breaks(&read().await?).map_err(Error::Refused)?),
            _ => {}
        }
    }
    let mut moved_from = Vec::new();
    for tag in former {
        moved_from.extend(client.manifest(place, &tag).await?.map(|raw| raw.digest));
    }
    let version = published(tag, &artifact, reports, counting(withdrawals), found, moved_from);
    Ok(Some((version, artifact)))
}

fn sorted(reports: &[Descriptor]) -> Vec<&Descriptor> {
    let mut all: Vec<&Descriptor> = reports.iter().collect();
    all.sort_by(|a, b| a.digest.cmp(&b.digest));
    all
}

fn published(
    tag: &str,
    artifact: &OpenArtifact,
    reports: Vec<Descriptor>,
    withdrawal: Option<odsmith_registry::artifact::Withdrawal>,
    breaks: Option<Vec<Break>>,
    mut moved_from: Vec<Digest>,
) -> PublishedVersion {
    moved_from.retain(|digest| *digest != artifact.digest);
    moved_from.sort();
    moved_from.dedup();
    let layers = artifact.manifest.layers.iter();
    PublishedVersion {
        tag: tag.to_owned(),
        manifest: artifact.digest.clone(),
        config: artifact.config.clone(),
        layers: layers.filter_map(|it| Some((it.title()?.to_owned(), it.clone()))).collect(),
        reports,
        withdrawal,
        breaks,
        moved_from,
    }
}

/// Reads a report through the cache: it is named by its digest.
async fn report_bytes(
    puller: Puller<'_>,
    client: &Client,
    at: &Reference,
    report: &Descriptor,
) -> Result<Vec<u8>, Error> {
    let cached = puller.cache.and_then(|cache| cache.blob(&report.digest));
    let bytes = match cached {
        Some(bytes) => bytes,
        None => {
            let raw = client.manifest(at, &report.digest.to_string()).await?;
            let raw =
                raw.ok_or_else(|| Error::NotFound(format!("the report {} is missing", report.digest)))?;
            if let Some(cache) = puller.cache {
                let _ = cache.put(&raw.bytes);
            }
            raw.bytes
        }
    };
    let layer = only_layer(&bytes, &report.digest)?;
    puller.blob(&Address::Registry(at.clone()), &layer, MOST_REPORT).await
}

fn only_layer(manifest: &[u8], digest: &Digest) -> Result<Descriptor, Error> {
    let manifest = Manifest::read(manifest).map_err(Error::Refused)?;
    match &manifest.layers[..] {
        [layer] => Ok(layer.clone()),
        _ => Err(Error::Refused(format!("the report {digest} has not one layer"))),
    }
}

/// Lists the layouts in a folder: it is one, or has them.
fn layouts(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    if Layout::new(folder).exists() {
        return Ok(vec![folder.to_owned()]);
    }
    let wrong =
        |error: std::io::Error| Error::NotFound(format!("{}: {}", folder.display(), disk::reason(&error)));
    let entries = fs::read_dir(folder).map_err(wrong)?;
    let mut all: Vec<PathBuf> =
        entries.flatten().map(|it| it.path()).filter(|it| Layout::new(it).exists()).collect();
    all.sort();
    if all.is_empty() {
        return Err(Error::NotFound(format!("'{}' has no OCI image layout", folder.display())));
    }
    Ok(all)
}

/// Reads the versions of a layout.
async fn layout_versions(folder: &Path) -> Result<Vec<ReadVersion>, Error> {
    let layout = Layout::new(folder);
    let index = layout.index().map_err(Error::Refused)?;
    // Reports are listed without a tag; their manifests name their subject.
    let mut reports: BTreeMap<Digest, Vec<Descriptor>> = BTreeMap::new();
    for report in index.manifests.iter().filter(|it| !it.annotations.contains_key(REF_NAME)) {
        let manifest = layout.blob(&report.digest).and_then(|bytes| Manifest::read(&bytes).ok());
        if let Some(subject) = manifest.and_then(|it| it.subject) {
            reports.entry(subject.digest).or_default().push(report.clone());
        }
    }
    let puller = Puller { client: None, cache: None };
    let mut versions = Vec::new();
    for descriptor in &index.manifests {
        let Some(tag) = descriptor.annotations.get(REF_NAME).filter(|tag| is_version_tag(tag)) else {
            continue;
        };
        let place = Address::Layout(folder.to_owned(), tag.clone());
        let artifact = match puller.open(&place).await {
            Ok(artifact) => artifact,
            // A layout may have images of other kinds.
            Err(Error::Refused(_)) => continue,
            Err(error) => {
                versions.push(Err(format!("{place}: {error}")));
                continue;
            }
        };
        if tag_of(&artifact.config.version) != *tag {
            continue;
        }
        let own = reports.get(&artifact.digest).cloned().unwrap_or_default();
        let read = layout_reports(&layout, &own);
        versions.push(match read {
            Ok((withdrawal, found)) => {
                let version = published(tag, &artifact, own, withdrawal, found, Vec::new());
                Ok(Some((version, artifact)))
            }
            Err(error) => Err(format!("{place}: {error}")),
        });
    }
    Ok(versions)
}

/// The withdrawal that counts, and what the comparison with the version before found.
type Reports = (Option<odsmith_registry::artifact::Withdrawal>, Option<Vec<Break>>);

fn layout_reports(layout: &Layout, reports: &[Descriptor]) -> Result<Reports, Error> {
    let missing = |digest: &Digest| Error::Forged(format!("the report {digest} is missing or damaged"));
    let (mut withdrawals, mut found) = (Vec::new(), None);
    for report in sorted(reports) {
        let kind = report.kind();
        if !matches!(kind, Some(YANK | DIFF)) {
            continue;
        }
        let manifest = layout.blob(&report.digest).ok_or_else(|| missing(&report.digest))?;
        let layer = only_layer(&manifest, &report.digest)?;
        let bytes = layout.blob(&layer.digest).ok_or_else(|| missing(&layer.digest))?;
        match kind {
            Some(YANK) => withdrawals.push(read_withdrawal(&bytes, &report.digest)?),
            _ => found = Some(breaks(&bytes).map_err(Error::Refused)?),
        }
    }
    Ok((counting(withdrawals), found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_catalogues() {
        for text in ["oci://registry.example/dialects", "oci://127.0.0.1:5000/", "oci-layout:layouts"] {
            assert_eq!(Origin::parse(text).map(|it| it.to_string()).as_deref(), Ok(text), "{text}");
        }
        assert_eq!(
            Origin::parse("oci://registry.example/dialects/"),
            Origin::parse("oci://registry.example/dialects")
        );
        for text in ["registry.example/dialects", "oci://registry.example/A", "oci:///x", "oci://a b/x"] {
            assert!(Origin::parse(text).is_err(), "{text}");
        }
    }
}
