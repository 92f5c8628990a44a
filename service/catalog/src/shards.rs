//! The files of a catalogue. All are named by the digest of what they are made of, so that an unchanged project costs
//! nothing; `catalog.json` alone keeps its name.
//!
//! ```text
//! catalog.json                 the projects, and the names of the files below
//! p/KEY.json                   the facts about a project: its versions and the history of each row
//! v/MANIFEST.json              the rows and uses of a newest version
//! d/MANIFEST..MANIFEST.json    an older version as a difference from the newest one
//! x/breaks.json …              comparisons of all projects
//! ```

use std::{collections::BTreeMap, sync::Arc};

use odsmith_engine::interchange::symbols::Symbols;
use odsmith_registry::digest::Digest;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{
    answers::ProjectEntry,
    catalog::{Catalog, to_json},
    delta::{Delta, Deltas},
    project::{Project, ProjectFacts, SCHEMA},
};

/// The name of the list.
pub const LIST: &str = "catalog.json";

/// The list of projects and of their files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CatalogFile {
    /// The version of this form.
    pub schema: u32,
    /// The generation.
    pub generation: String,
    /// The projects.
    pub projects: Vec<ProjectEntry>,
    /// The files of each project.
    pub files: BTreeMap<String, ProjectFiles>,
}

/// The files of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProjectFiles {
    /// The digest of the project's tags, manifests and reports.
    pub key: String,
    /// The facts.
    pub facts: String,
    /// The rows of the newest version.
    pub rows: String,
    /// The other versions by their names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub older: BTreeMap<String, String>,
}

/// Reads a file of a catalogue by its path.
pub type FileReader<'r> = dyn Fn(&str) -> Result<Vec<u8>, String> + 'r;

impl ProjectFiles {
    /// Returns the names of the files of a project.
    #[must_use]
    pub fn of(facts: &ProjectFacts) -> ProjectFiles {
        let newest = &facts.versions[facts.newest].manifest;
        let others = facts.versions.iter().enumerate().filter(|(index, _)| *index != facts.newest);
        let older = others.map(|(_, it)| (it.version.clone(), delta_path(newest, &it.manifest)));
        ProjectFiles {
            key: facts.key.clone(),
            facts: format!("p/{}.json", facts.key),
            rows: format!("v/{}.json", newest.hex()),
            older: older.collect(),
        }
    }

    /// Returns all paths.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        [self.facts.as_str(), self.rows.as_str()].into_iter().chain(self.older.values().map(String::as_str))
    }
}

fn delta_path(newest: &Digest, older: &Digest) -> String {
    format!("d/{}..{}.json", &newest.hex()[..32], &older.hex()[..32])
}

/// Returns the files of a project that was built.
#[must_use]
pub fn files_of(project: &Project, deltas: &Deltas) -> BTreeMap<String, Vec<u8>> {
    let files = ProjectFiles::of(&project.facts);
    let newest = &project.newest().manifest;
    let mut all: BTreeMap<String, Vec<u8>> =
        deltas.iter().map(|(older, delta)| (delta_path(newest, older), to_json(delta))).collect();
    all.insert(files.facts, to_json(&project.facts));
    all.insert(files.rows, to_json(&project.symbols));
    all
}

impl Catalog {
    /// Returns the list of projects and of their files.
    #[must_use]
    pub fn file(&self) -> CatalogFile {
        let files = self.projects.iter().map(|it| (it.name().to_owned(), ProjectFiles::of(&it.facts)));
        CatalogFile {
            schema: SCHEMA,
            generation: self.generation.clone(),
            projects: self.list().projects,
            files: files.collect(),
        }
    }

    /// Returns the files about all projects together: the list and the comparisons.
    #[must_use]
    pub fn common_files(&self) -> BTreeMap<String, Vec<u8>> {
        BTreeMap::from([
            (LIST.to_owned(), to_json(&self.file())),
            ("x/skew.json".to_owned(), to_json(&self.skew())),
            ("x/duplicates.json".to_owned(), to_json(&self.duplicate_list())),
            ("x/breaks.json".to_owned(), to_json(&self.breaking_versions(None, "all"))),
            ("x/deprecated.json".to_owned(), to_json(&self.deprecated_uses())),
            ("inventory.json".to_owned(), to_json(&self.inventory())),
        ])
    }

    /// Returns the addresses of all pages by the names that lead to them, for pages of other projects.
    #[must_use]
    pub fn inventory(&self) -> BTreeMap<String, BTreeMap<String, String>> {
        let of = |project: usize| {
            let rows = self.projects[project].symbols.rows.iter().enumerate();
            let paged = rows.filter(|(_, row)| row.page.is_some());
            let each = paged.map(|(index, row)| {
                (row.name.clone(), self.address(super::catalog::RowKey { project, index }))
            });
            (self.projects[project].name().to_owned(), each.collect())
        };
        (0..self.projects.len()).map(of).collect()
    }
}

/// Reads a list of projects.
///
/// # Errors
/// The file is missing or something else.
pub fn read_list(read: &FileReader<'_>) -> Result<CatalogFile, String> {
    let list: CatalogFile = parsed(read, LIST)?;
    match list.schema {
        SCHEMA => Ok(list),
        other => Err(format!("{LIST}: it has version {other} of the format, and {SCHEMA} is read")),
    }
}

/// Reads a project of a catalogue.
///
/// # Errors
/// A file is missing, or something else.
pub fn read_project(read: &FileReader<'_>, files: &ProjectFiles) -> Result<Project, String> {
    let facts: ProjectFacts = parsed(read, &files.facts)?;
    if facts.schema != SCHEMA || facts.key != files.key || facts.newest >= facts.versions.len() {
        return Err(format!("{}: these are no facts of this project", files.facts));
    }
    let symbols: Symbols = parsed(read, &files.rows)?;
    Ok(Project::new(facts, super::published::admitted(symbols)))
}

/// Reads a whole catalogue.
///
/// # Errors
/// A file is missing, or something else.
pub fn read(read: &FileReader<'_>) -> Result<Catalog, String> {
    let list = read_list(read)?;
    let projects = list.files.values().map(|files| read_project(read, files).map(Arc::new));
    Ok(Catalog::new(projects.collect::<Result<_, _>>()?).0)
}

/// Reads the symbols of a version of a project.
///
/// # Errors
/// A file is missing, or something else; there is no such version.
pub fn read_version(read: &FileReader<'_>, project: &Project, version: &str) -> Result<Symbols, String> {
    if project.newest().version == version {
        return Ok(project.symbols.clone());
    }
    let files = ProjectFiles::of(&project.facts);
    let path = files.older.get(version);
    let path =
        path.ok_or_else(|| format!("{} has no version '{}'", project.name(), version.escape_debug()))?;
    Ok(parsed::<Delta>(read, path)?.apply(&project.symbols))
}

fn parsed<T: DeserializeOwned>(read: &FileReader<'_>, path: &str) -> Result<T, String> {
    serde_json::from_slice(&read(path)?).map_err(|error| format!("{path}: {error}"))
}
