//! All projects, with who uses what.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use odsmith_engine::interchange::symbols::{Row, Use};
use odsmith_registry::{artifact::ConfigDependency, canonical, digest::sha256};

use super::{
    id::{self, SymbolId},
    project::{Project, VersionFacts},
};

/// The name of MLIR itself as a project, which definitions of its library belong to.
pub const UPSTREAM: &str = "mlir";

/// All projects.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    /// The digest of all that the catalogue follows from.
    pub generation: String,
    /// The projects by name.
    pub projects: Vec<Arc<Project>>,
    /// The projects by the names that each project has for its dependencies.
    names: Vec<BTreeMap<String, String>>,
    /// The uses by target, an id without a version: `mlir/_/trait/Pure`.
    uses: BTreeMap<String, Vec<UseKey>>,
    /// The targets by the name in their ids.
    targets: BTreeMap<String, Vec<String>>,
    /// The rows that have each shape without names, by kind and digest: only of several projects.
    duplicates: BTreeMap<(String, String), Vec<RowKey>>,
    /// The rows of ids that several projects define.
    shared: BTreeMap<String, Vec<RowKey>>,
}

/// The number of a project and of a use in its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UseKey {
    /// The project.
    pub project: usize,
    /// The use.
    pub index: usize,
}

/// The number of a project and of a row in its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowKey {
    /// The project.
    pub project: usize,
    /// The row.
    pub index: usize,
}

/// Splits a target of a use: the project that it names, and the id inside of it.
#[must_use]
pub fn split_target(target: &str) -> (Option<&str>, &str) {
    match target.split_once(':') {
        Some((project, row)) if !project.contains('/') => (Some(project), row),
        _ => (None, target),
    }
}

impl Catalog {
    /// Builds a catalogue. Of two projects with one name the first by repository counts; the others are returned.
    #[must_use]
    pub fn new(mut projects: Vec<Arc<Project>>) -> (Catalog, Vec<Arc<Project>>) {
        projects.sort_by(|a, b| (a.name(), &a.facts.repository).cmp(&(b.name(), &b.facts.repository)));
        let mut others = Vec::new();
        let mut own: Vec<Arc<Project>> = Vec::new();
        for project in projects {
            match own.last().is_some_and(|last| last.name() == project.name()) {
                true => others.push(project),
                false => own.push(project),
            }
        }
        (Catalog::of(own), others)
    }

    /// Builds a catalogue of projects that are sorted by name; one may be there in several versions, to ask for users.
    #[must_use]
    pub fn of(own: Vec<Arc<Project>>) -> Catalog {
        let mut lines: Vec<String> = own.iter().flat_map(|it| it.facts.lines()).collect();
        lines.sort();
        let mut catalog =
            Catalog { generation: sha256(lines.concat().as_bytes()), projects: own, ..Catalog::default() };
        catalog.index();
        catalog
    }

    fn index(&mut self) {
        let mut uses: BTreeMap<String, Vec<UseKey>> = BTreeMap::new();
        let mut bodies: BTreeMap<(String, String), Vec<RowKey>> = BTreeMap::new();
        let mut shared: BTreeMap<String, Vec<RowKey>> = BTreeMap::new();
        let repositories = self.repositories();
        let names: Vec<BTreeMap<String, String>> =
            self.projects.iter().map(|it| dependency_names(it.name(), it.newest(), &repositories)).collect();
        for (number, project) in self.projects.iter().enumerate() {
            for (index, it) in project.symbols.uses.iter().enumerate() {
                let target = resolved(project.name(), &names[number], &it.target);
                uses.entry(target).or_default().push(UseKey { project: number, index });
            }
            for (index, row) in project.symbols.rows.iter().enumerate() {
                let key = RowKey { project: number, index };
                if row.kind != "dialect" {
                    shared.entry(id::stem(&row.id).to_owned()).or_default().push(key);
                }
                if !row.body.is_empty() {
                    bodies.entry(body_key(row)).or_default().push(key);
                }
            }
        }
        let spans = |keys: &[RowKey]| keys.iter().any(|key| key.project != keys[0].project);
        shared.retain(|_, keys| spans(keys));
        bodies.retain(|_, keys| {
            let names: BTreeSet<&str> = keys.iter().map(|key| id::stem(&self.row(*key).id)).collect();
            spans(keys) && names.len() > 1
        });
        let mut targets: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for target in uses.keys() {
            targets.entry(id::name(target).to_owned()).or_default().push(target.clone());
        }
        (self.uses, self.targets, self.duplicates, self.shared) = (uses, targets, bodies, shared);
        self.names = names;
    }

    /// Returns the projects by their repositories.
    fn repositories(&self) -> BTreeMap<&str, &str> {
        self.projects.iter().map(|it| (it.facts.repository.as_str(), it.name())).collect()
    }

    /// Returns the name of a project that another one depends on.
    #[must_use]
    pub fn name_of(&self, dependency: &ConfigDependency) -> String {
        let project = self.projects.iter().find(|it| it.facts.repository == dependency.repository);
        project.map_or_else(|| dependency.name.clone(), |it| it.name().to_owned())
    }

    /// Returns the version of a project that another one was built with.
    #[must_use]
    pub fn version_of(&self, dependency: &ConfigDependency) -> Option<&VersionFacts> {
        self.project(&self.name_of(dependency))?.of_manifest(&dependency.digest)
    }

    /// Returns a project.
    #[must_use]
    pub fn project(&self, name: &str) -> Option<&Project> {
        self.number(name).map(|number| &*self.projects[number])
    }

    /// Returns the number of a project.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<usize> {
        self.projects.binary_search_by(|it| it.name().cmp(name)).ok()
    }

    /// Returns a row.
    #[must_use]
    pub fn row(&self, key: RowKey) -> &Row {
        &self.projects[key.project].symbols.rows[key.index]
    }

    /// Returns all rows.
    pub fn rows(&self) -> impl Iterator<Item = RowKey> {
        let projects = self.projects.iter().enumerate();
        projects
            .flat_map(|(project, it)| (0..it.symbols.rows.len()).map(move |index| RowKey { project, index }))
    }

    /// Returns a use.
    #[must_use]
    pub fn usage(&self, key: UseKey) -> &Use {
        &self.projects[key.project].symbols.uses[key.index]
    }

    /// Returns the id of a row, with the version.
    #[must_use]
    pub fn id(&self, project: usize, row: &str) -> String {
        let project = &self.projects[project];
        format!("{}@{}/{row}", project.name(), project.newest().version)
    }

    /// Returns the uses of a target, an id without a version.
    #[must_use]
    pub fn uses_of(&self, target: &str) -> &[UseKey] {
        self.uses.get(target).map_or(&[], Vec::as_slice)
    }

    /// Returns all targets that anything uses.
    pub fn targets(&self) -> impl Iterator<Item = (&str, &[UseKey])> {
        self.uses.iter().map(|(target, keys)| (target.as_str(), keys.as_slice()))
    }

    /// Returns the rows of one shape under several names, each group with its kind.
    pub fn duplicates(&self) -> impl Iterator<Item = (&str, &[RowKey])> {
        self.duplicates.iter().map(|((kind, _), keys)| (kind.as_str(), keys.as_slice()))
    }

    /// Returns the rows with the shape of a row and another name.
    #[must_use]
    pub fn duplicates_of(&self, key: RowKey) -> Vec<RowKey> {
        let row = self.row(key);
        let group = self.duplicates.get(&body_key(row)).filter(|_| !row.body.is_empty());
        let all = group.into_iter().flatten().filter(|it| self.row(**it).id != row.id);
        all.copied().collect()
    }

    /// Returns the ids that several projects define, with their rows.
    pub fn shared(&self) -> impl Iterator<Item = (&str, &[RowKey])> {
        self.shared.iter().map(|(id, keys)| (id.as_str(), keys.as_slice()))
    }

    /// Returns the rows of an id in other projects.
    #[must_use]
    pub fn shared_with(&self, key: RowKey) -> Vec<RowKey> {
        let all = self.shared.get(id::stem(&self.row(key).id)).map_or(&[][..], Vec::as_slice);
        all.iter().copied().filter(|it| it.project != key.project).collect()
    }

    /// Finds the rows of a name or an id, those of the strongest kind of name alone.
    #[must_use]
    pub fn find(&self, name: &str) -> Vec<RowKey> {
        if let Ok(id) = SymbolId::parse(name) {
            let Some(project) = self.number(&id.project) else { return Vec::new() };
            let rows = self.projects[project].rows_of(&id.row);
            return rows.into_iter().filter_map(|row| self.key(project, row)).collect();
        }
        let found = self.projects.iter().enumerate().filter_map(|(number, project)| {
            let (rank, rows) = project.symbols.named(name, "")?;
            Some((rank, rows.into_iter().filter_map(move |row| self.key(number, row)).collect::<Vec<_>>()))
        });
        let found: Vec<(usize, Vec<RowKey>)> = found.collect();
        let best = found.iter().map(|(rank, _)| *rank).min();
        found.into_iter().filter(|(rank, _)| Some(*rank) == best).flat_map(|(_, keys)| keys).collect()
    }

    /// Returns the number of a row.
    #[must_use]
    pub fn key(&self, project: usize, row: &Row) -> Option<RowKey> {
        let index = self.projects[project].number(&row.id)?;
        Some(RowKey { project, index })
    }

    /// Finds the targets of a name or an id, whether a project of the catalogue defines them or not.
    #[must_use]
    pub fn targets_of(&self, name: &str) -> Vec<String> {
        if let Ok(id) = SymbolId::parse(name) {
            let target = format!("{}/{}", id.project, id.row);
            return if self.uses.contains_key(&target) { vec![target] } else { Vec::new() };
        }
        let rows = self.find(name).into_iter();
        let rows = rows.map(|key| format!("{}/{}", self.projects[key.project].name(), self.row(key).id));
        let mut found: BTreeSet<String> = rows.filter(|target| self.uses.contains_key(target)).collect();
        if found.is_empty() {
            // The definitions of MLIR itself have no rows unless MLIR is published here.
            let last = name.rsplit("::").next().unwrap_or(name);
            let written = name.trim_start_matches(['!', '#']).split_once('.');
            let of_dialect = |target: &&String| {
                let row = target.split_once('/').map_or("", |(_, row)| row);
                written.is_some_and(|(dialect, name)| id::dialect(row) == dialect && id::name(row) == name)
            };
            found.extend(self.targets.get(last).into_iter().flatten().cloned());
            let dotted = written.and_then(|(_, name)| self.targets.get(name)).into_iter().flatten();
            found.extend(dotted.filter(of_dialect).cloned());
        }
        found.into_iter().collect()
    }

    /// Returns targets with those that use them as a base: whoever uses such a one uses them through it. Each has the one
    /// that it was reached by.
    #[must_use]
    pub fn closure(&self, targets: &[String]) -> BTreeMap<String, Option<String>> {
        let mut all: BTreeMap<String, Option<String>> = targets.iter().map(|it| (it.clone(), None)).collect();
        let mut open: Vec<String> = targets.to_vec();
        while let Some(target) = open.pop() {
            for key in self.uses_of(&target) {
                let it = self.usage(*key);
                if it.how == "base" {
                    let next = format!("{}/{}", self.projects[key.project].name(), it.user);
                    if !all.contains_key(&next) {
                        all.insert(next.clone(), Some(target.clone()));
                        open.push(next);
                    }
                }
            }
        }
        all
    }

    /// Returns the target of a use as an id without a version.
    #[must_use]
    pub fn target(&self, key: UseKey) -> String {
        let project = &self.projects[key.project];
        resolved(project.name(), &self.names[key.project], &self.usage(key).target)
    }
}

/// Returns the key of rows that are equal but for their names. Operations are so only if they are called alike in their
/// dialects: many have the same operands.
fn body_key(row: &Row) -> (String, String) {
    let name = if row.kind == "op" { id::name(&row.id) } else { "" };
    (row.kind.clone(), format!("{} {name}", row.body))
}

/// Returns the projects by the names that a version has for its dependencies.
fn dependency_names(
    project: &str,
    version: &VersionFacts,
    repositories: &BTreeMap<&str, &str>,
) -> BTreeMap<String, String> {
    let of = |it: &ConfigDependency| {
        let name = repositories.get(it.repository.as_str()).map_or(it.name.as_str(), |name| *name);
        // A project that names itself would use its own definitions twice.
        (it.name.clone(), if name == project { it.name.clone() } else { name.to_owned() })
    };
    version.dependencies.iter().map(of).collect()
}

fn resolved(project: &str, names: &BTreeMap<String, String>, target: &str) -> String {
    match split_target(target) {
        (Some(name), row) => {
            let name = name.to_ascii_lowercase();
            format!("{}/{row}", names.get(&name).unwrap_or(&name))
        }
        (None, row) => format!("{project}/{row}"),
    }
}

/// Returns the JSON of a value as catalogues write it.
#[must_use]
pub fn to_json(value: &impl serde::Serialize) -> Vec<u8> {
    canonical::to_json(value)
}
