//! The artifact of a project: its definitions, its model, its symbols, its reference and its C++.
//!
//! All of it follows from the project's files, the commit and the build of this program, so that two machines make the
//! same bytes. There is no time but the commit's, and no path, user or host.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use odsmith_engine::{
    bundle::Bundle,
    interchange::{Document, symbols::Symbols},
};
use odsmith_registry::{
    artifact::{
        Artifact, Config, ConfigDependency, DialectCount, IN_TOTO, Layer, Origin, Report, SCHEMA,
        UnpackedLayer,
    },
    canonical,
    digest::sha256,
    lock::{self, Lock},
    manifest::MediaTypes,
    resolve::RootRequest,
};
use serde_json::Value;

use crate::{
    pipeline::{
        dependencies,
        generate::Finished,
        manifest::{FILE_NAME, Manifest},
        owners::{self, Owners},
        provenance::Statement,
        workspace::IN_TREE,
    },
    store::{
        archive::{codec, tar},
        keys,
    },
};

/// Facts about a version beyond its files.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The name of the project: the last part of the repository.
    pub project: String,
    /// The version.
    pub version: String,
    /// The commit.
    pub commit: Option<String>,
    /// Its time, in UTC.
    pub commit_time: Option<String>,
    /// The address of the sources.
    pub source: Option<String>,
    /// The licence.
    pub licence: Option<String>,
    /// One sentence.
    pub summary: Option<String>,
    /// The media types of the manifest.
    pub media_types: MediaTypes,
}

/// Files of a project's folder beside its definitions.
#[derive(Clone, Debug, Default)]
pub struct CompanionFiles {
    /// Licences and `CODEOWNERS`, by path.
    pub files: BTreeMap<String, Vec<u8>>,
    /// The lock of its dependencies.
    pub lock: Option<(String, Lock)>,
}

/// The names of files with a licence.
const LICENCES: &[&str] =
    &["LICENSE", "LICENSE.TXT", "LICENSE.txt", "LICENSE.md", "LICENCE", "LICENCE.txt", "COPYING", "NOTICE"];
/// Longer files are no licences.
const MOST_BYTES: u64 = 1 << 20;

impl CompanionFiles {
    /// Reads the files of a folder.
    ///
    /// # Errors
    /// The lock is broken.
    pub fn read(folder: &Path) -> Result<CompanionFiles, String> {
        let mut beside =
            CompanionFiles { lock: super::packages::read_lock(folder)?, ..CompanionFiles::default() };
        for name in LICENCES.iter().chain(owners::PLACES) {
            let place = folder.join(name);
            let is_small = fs::metadata(&place).is_ok_and(|data| data.is_file() && data.len() <= MOST_BYTES);
            if let Some(bytes) = fs::read(&place).ok().filter(|_| is_small) {
                beside.files.insert((*name).to_owned(), bytes);
            }
        }
        Ok(beside)
    }

    /// Lists the owners in the order of the file, each once.
    fn owners(&self) -> Vec<String> {
        let file = owners::PLACES.iter().find_map(|place| self.files.get(*place));
        Owners::parse(&String::from_utf8_lossy(file.map_or(&[][..], |bytes| bytes))).all()
    }

    /// Returns the licence by its text, as SPDX names it.
    fn licence(&self) -> Option<String> {
        let text = LICENCES.iter().find_map(|name| self.files.get(*name))?;
        let text = String::from_utf8_lossy(text).split_whitespace().collect::<Vec<_>>().join(" ");
        let has = |words: &str| text.contains(words);
        let name = match () {
            () if has("Apache License") && has("LLVM Exceptions to the Apache 2.0 License") => {
                "Apache-2.0 WITH LLVM-exception"
            }
            () if has("Apache License") && has("Version 2.0") => "Apache-2.0",
            () if has("Permission is hereby granted, free of charge") => "MIT",
            () if has("Redistribution and use in source and binary forms") && has("Neither the name") => {
                "BSD-3-Clause"
            }
            () if has("Redistribution and use in source and binary forms") => "BSD-2-Clause",
            () if has("Mozilla Public License Version 2.0") => "MPL-2.0",
            () => return None,
        };
        Some(name.to_owned())
    }
}

/// Makes the artifact of a finished result, with the statement of its provenance.
///
/// # Errors
/// The project depends on folders, or on packages that are not locked.
pub fn make(
    facts: &Facts,
    bundle: &Bundle,
    finished: &Finished,
    document: &Document,
    beside: &CompanionFiles,
    requests: &[RootRequest],
) -> Result<Artifact, String> {
    let manifest = &finished.result.manifest;
    let own = bundle.get(FILE_NAME).map(|bytes| Manifest::from_toml(bytes)).transpose()?.unwrap_or_default();
    let own = Manifest { mlir: manifest.mlir.clone(), ..own };
    if let Some((name, _)) = manifest.dependencies.iter().find(|(_, it)| it.oci.is_none() && it.url.is_none())
    {
        return Err(format!(
            "the dependency '{name}' is a folder, which others do not have: publish it, and name it by oci://"
        ));
    }
    let site = below(&finished.files, "site/");
    let cpp = below(&finished.files, "cpp/");
    let symbols = Symbols::new(document, &pages(site.get("index.json")));
    let mut layers = vec![
        (Layer::Definitions, tar::write(&definitions(bundle, &own, beside))),
        (Layer::Model, document.to_json()),
        (Layer::Symbols, canonical::to_json(&symbols)),
    ];
    if !site.is_empty() {
        layers.push((Layer::Site, tar::write(&site)));
    }
    if !cpp.is_empty() {
        layers.push((Layer::Cpp, tar::write(&cpp)));
    }
    let plain = layers.iter().map(|(layer, bytes)| {
        (layer.title().to_owned(), UnpackedLayer { size: bytes.len() as u64, sha256: sha256(bytes) })
    });
    let config = Config {
        schema: SCHEMA,
        project: facts.project.clone(),
        version: facts.version.clone(),
        mlir: document.mlir.clone(),
        profile: manifest.mlir.clone().filter(|name| *name != document.mlir),
        commit: facts.commit.clone(),
        commit_time: facts.commit_time.clone(),
        source: facts.source.clone(),
        licence: facts.licence.clone().or_else(|| beside.licence()),
        title: manifest.docs.title.clone(),
        summary: facts.summary.clone(),
        owners: beside.owners(),
        dialects: dialects(document),
        coverage: finished.result.site.as_ref().map(|site| site.coverage as u64),
        dependencies: config_dependencies(beside, requests)?,
        layers: plain.collect(),
        odsmith: Origin {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            build: keys::BUILD.to_owned(),
            encoder: codec::layer_encoder(),
        },
    };
    let layers = layers.into_iter().map(|(layer, bytes)| (layer, codec::zstd_layer(&bytes))).collect();
    let mut artifact = Artifact::new(&config, layers, facts.media_types);
    let subjects = artifact.blobs.iter().map(|blob| {
        (blob.descriptor.title().unwrap_or_default().to_owned(), blob.descriptor.digest.hex().to_owned())
    });
    let subjects: Vec<(String, String)> =
        std::iter::once(("manifest".to_owned(), artifact.digest.hex().to_owned())).chain(subjects).collect();
    if let Some(statement) = Statement::of_artifact(&finished.result.to_json(), subjects) {
        artifact.reports.push(Report {
            kind: IN_TOTO,
            title: "provenance.intoto.json".to_owned(),
            bytes: statement.to_json(),
            annotations: BTreeMap::new(),
        });
    }
    Ok(artifact)
}

/// Returns the files below a folder of a result.
fn below<'f>(files: &'f BTreeMap<String, Vec<u8>>, folder: &str) -> BTreeMap<String, &'f [u8]> {
    let all = files.iter().filter_map(|(path, bytes)| Some((path.strip_prefix(folder)?, bytes)));
    all.map(|(path, bytes)| (path.to_owned(), &**bytes)).collect()
}

/// Returns the project's own definitions, with the manifest and the release that they are for, owners, licences and the
/// lock.
fn definitions(bundle: &Bundle, manifest: &Manifest, beside: &CompanionFiles) -> BTreeMap<String, Vec<u8>> {
    let is_own =
        |path: &str| [".td", ".inc"].iter().any(|end| path.ends_with(end)) && !dependencies::is_foreign(path);
    let own = bundle.iter().filter(|(path, _)| is_own(path));
    let mut files: BTreeMap<String, Vec<u8>> =
        own.map(|(path, bytes)| (path.to_owned(), bytes.to_vec())).collect();
    let mut manifest = manifest.clone();
    // Files that only the project's folder has.
    manifest.docs.inventories.clear();
    manifest.lint.released = None;
    manifest.lint.baseline = None;
    files.insert(FILE_NAME.to_owned(), manifest.to_toml().into_bytes());
    files.extend(beside.files.iter().map(|(path, bytes)| (path.clone(), bytes.clone())));
    if let Some((text, _)) = &beside.lock {
        files.insert(lock::FILE_NAME.to_owned(), text.clone().into_bytes());
    }
    files
}

/// Lists files that the project includes from outside of its folder.
#[must_use]
pub fn outside(bundle: &Bundle) -> BTreeSet<&str> {
    bundle.iter().map(|(path, _)| path).filter(|path| path.starts_with(IN_TREE)).collect()
}

/// Returns the dialects that the project itself defines, with the numbers of their definitions.
fn dialects(document: &Document) -> Vec<DialectCount> {
    let own = document.dialects.iter().filter(|it| !it.definition.is_library);
    let mut dialects: Vec<DialectCount> = own
        .map(|dialect| {
            let name = &dialect.name;
            DialectCount {
                name: name.clone(),
                operations: document
                    .operations
                    .iter()
                    .filter(|it| it.dialect == *name && !it.definition.is_library)
                    .count(),
                types: document
                    .types
                    .iter()
                    .filter(|it| it.dialect == *name && !it.definition.is_library)
                    .count(),
                attributes: document
                    .attributes
                    .iter()
                    .filter(|it| it.dialect == *name && !it.definition.is_library)
                    .count(),
            }
        })
        .collect();
    dialects.sort_by(|a, b| a.name.cmp(&b.name));
    dialects.dedup_by(|a, b| a.name == b.name);
    dialects
}

/// Returns the page of each definition, by its kind and name, and by its record.
fn pages(index: Option<&&[u8]>) -> BTreeMap<String, String> {
    let index: Value = index.and_then(|bytes| serde_json::from_slice(bytes).ok()).unwrap_or_default();
    let mut pages = BTreeMap::new();
    for item in index["items"].as_array().into_iter().flatten() {
        let text = |field: &str| item[field].as_str().unwrap_or_default();
        let (kind, url) = (text("kind"), text("url"));
        let aliases = item["aliases"].as_array().into_iter().flatten().filter_map(Value::as_str);
        for name in aliases.chain([text("name")]) {
            pages.entry(format!("{kind} {name}")).or_insert_with(|| url.to_owned());
        }
    }
    pages
}

fn config_dependencies(
    beside: &CompanionFiles,
    requests: &[RootRequest],
) -> Result<Vec<ConfigDependency>, String> {
    let each = requests.iter().map(|request| {
        let lock = beside.lock.as_ref().map(|(_, lock)| lock);
        let package = lock.and_then(|lock| lock.packages.iter().find(|it| it.name == request.name));
        let package = package.ok_or_else(|| {
            format!("{}: '{}' is not locked: run odsmith fetch", request.place, request.name)
        })?;
        Ok(ConfigDependency {
            name: request.name.to_ascii_lowercase(),
            repository: request.repository.clone(),
            version: request.version.clone(),
            digest: package.manifest.clone(),
        })
    });
    each.collect()
}
