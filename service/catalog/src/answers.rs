//! Answers about the projects, and about one symbol.

use std::collections::BTreeMap;

use odsmith_engine::interchange::symbols::Row;
use odsmith_registry::{artifact::IN_TOTO, version::Version};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    catalog::{Catalog, UseKey},
    id::{self, SymbolId},
    project::{Project, VersionFacts},
    published::Break,
    search::{SearchError, next, offset},
};

/// All projects.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = catalog::ProjectList)]
pub struct ProjectList {
    /// The generation of the catalogue.
    pub generation: String,
    /// The projects by name.
    pub projects: Vec<ProjectEntry>,
}

/// A project in the list of all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = catalog::ProjectEntry)]
pub struct ProjectEntry {
    /// The name.
    pub project: String,
    /// The repository.
    pub repository: String,
    /// The newest version.
    pub newest: String,
    /// The digest of its manifest.
    pub manifest: String,
    /// Its MLIR release.
    pub mlir: String,
    /// The day of its commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub released: Option<String>,
    /// The names of its dialects.
    pub dialects: Vec<String>,
    /// The number of its operations.
    pub operations: usize,
    /// The documented part, in per cent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<u64>,
    /// The newest version that breaks something.
    pub last_break: Option<LastBreak>,
    /// The owners.
    pub owners: Vec<String>,
    /// The number of versions.
    pub versions: usize,
    /// The versions that are withdrawn.
    pub yanked: Vec<String>,
}

/// A version that breaks something.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = catalog::LastBreak)]
pub struct LastBreak {
    /// The version.
    pub version: String,
    /// The worst level.
    pub level: String,
}

/// A definition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = catalog::Symbol)]
pub struct SymbolAnswer {
    /// The id.
    pub id: String,
    /// The kind.
    pub kind: String,
    /// The name as people write it.
    pub name: String,
    /// One line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// Operands and results, or parameters.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub signature: String,
    /// The digest of all but places and texts.
    pub shape: String,
    /// The reason for its deprecation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The page in the reference, or the place in the sources.
    pub url: String,
    /// The part that the id names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<PartAnswer>,
    /// The parts: operands, results, attributes, cases, methods, options, parameters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PartAnswer>,
    /// The ids of the traits and interfaces, and of what else it uses, by the way.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub uses: BTreeMap<String, Vec<String>>,
    /// The number of its users in newest versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub users: Option<usize>,
    /// Definitions of this id in other projects.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<AlsoEntry>,
    /// Definitions of this shape with other names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub duplicates: Vec<String>,
    /// The versions that changed it, the newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<HistoryEntry>,
    /// The number of other shapes in which roots read it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub variants: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// A part of a definition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = catalog::Part)]
pub struct PartAnswer {
    /// The kind.
    pub kind: String,
    /// The name.
    pub name: String,
    /// The constraint of an operand or result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constraint: Option<String>,
}

/// A definition of the same id in another project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = catalog::Also)]
pub struct AlsoEntry {
    /// The id.
    pub id: String,
    /// Its shape.
    pub shape: String,
    /// True if the shapes are equal.
    pub same: bool,
}

/// A version that changed a definition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = catalog::History)]
pub struct HistoryEntry {
    /// The version.
    pub version: String,
    /// The time of its commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub released: Option<String>,
    /// `added`, `changed` or `removed`.
    pub change: String,
    /// The changes that break something.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<Object>)]
    pub breaks: Vec<Break>,
}

/// The users of a definition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = catalog::Uses)]
pub struct UsesAnswer {
    /// The generation of the catalogue.
    pub generation: String,
    /// The targets: several if the name has several meanings.
    pub targets: Vec<String>,
    /// The number of uses.
    pub total: usize,
    /// The number of uses in each project.
    pub by_project: BTreeMap<String, usize>,
    /// Some of the uses.
    pub uses: Vec<UseAnswer>,
    /// The cursor of the rest.
    pub next: Option<String>,
}

/// A use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = catalog::Use)]
pub struct UseAnswer {
    /// The id of the user.
    pub user: String,
    /// The way: `operand`, `trait`, `interface`, `creates`, …
    pub how: String,
    /// The file of the user.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// The line, from 1.
    #[serde(default, skip_serializing_if = "is_no_line")]
    pub line: u32,
    /// `same` if the user was built with the shape of the newest version, `other` if with another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<String>,
    /// The definition based on the target through which it is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
fn is_no_line(line: &u32) -> bool {
    *line == 0
}

/// The answer to an id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// The definition.
    Symbol(Box<SymbolAnswer>),
    /// Several definitions have this id: theirs have files as well.
    Several(Vec<String>),
}

/// A published version in the answer about a project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = catalog::Version)]
pub struct VersionEntry {
    /// The version.
    pub version: String,
    /// The digest of the manifest.
    pub manifest: String,
    /// The time of the commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub released: Option<String>,
    /// The MLIR release.
    pub mlir: String,
    /// The worst level that it breaks: `none` if it breaks nothing; absent if it was compared with no version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// The reason for its withdrawal, if it is withdrawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub yanked: Option<String>,
    /// The version to use in its place.
    #[serde(default, skip_serializing_if = "Option::is_none", rename = "use")]
    pub substitute: Option<String>,
    /// The manifests that its tag named before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moved_from: Vec<String>,
    /// True if it has a statement of where it comes from.
    pub has_provenance: bool,
}

impl SymbolAnswer {
    /// Returns the part of the answer that later versions do not change.
    #[must_use]
    pub fn immutable(self) -> SymbolAnswer {
        SymbolAnswer { users: None, also: Vec::new(), duplicates: Vec::new(), history: Vec::new(), ..self }
    }
}

impl Catalog {
    /// Lists the projects.
    #[must_use]
    pub fn list(&self) -> ProjectList {
        let projects = self.projects.iter().map(|it| entry(it));
        ProjectList { generation: self.generation.clone(), projects: projects.collect() }
    }

    /// Describes the definition of an id in the newest version.
    #[must_use]
    pub fn symbol(&self, id: &SymbolId) -> Option<Lookup> {
        let number = self.number(&id.project)?;
        let project = &self.projects[number];
        let rows = project.rows_of(&id.row);
        match rows[..] {
            [] => None,
            [row] => {
                let answer = self.describe(number, row, project.newest());
                with_part(answer, id).map(|answer| Lookup::Symbol(Box::new(answer)))
            }
            _ => Some(Lookup::Several(rows.iter().map(|row| self.id(number, &row.id)).collect())),
        }
    }

    /// Describes a row of an older version.
    #[must_use]
    pub fn symbol_of(&self, id: &SymbolId, version: &VersionFacts, rows: &[Row]) -> Option<Lookup> {
        let number = self.number(&id.project)?;
        let exact = rows.iter().find(|row| row.id == id.row);
        let all: Vec<&Row> = match exact {
            Some(row) => vec![row],
            None => rows.iter().filter(|row| id::stem(&row.id) == id.row).collect(),
        };
        let name = |row: &Row| format!("{}@{}/{}", id.project, version.version, row.id);
        match all[..] {
            [] => None,
            [row] => {
                let mut answer = self.describe(number, row, version);
                answer.id = name(row);
                with_part(answer, id).map(|answer| Lookup::Symbol(Box::new(answer)))
            }
            _ => Some(Lookup::Several(all.into_iter().map(name).collect())),
        }
    }

    fn describe(&self, number: usize, row: &Row, version: &VersionFacts) -> SymbolAnswer {
        let project = &self.projects[number];
        let key = self.key(number, row);
        let url = match &row.page {
            Some(page) if version.has_site() => {
                format!("/v1/catalog/{}/{}/site/{page}", project.name(), version.tag)
            }
            _ => format!("{}#L{}", row.file, row.line),
        };
        let mut uses: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (index, it) in project.symbols.uses.iter().enumerate().filter(|(_, it)| it.user == row.id) {
            uses.entry(it.how.clone()).or_default().push(self.target(UseKey { project: number, index }));
        }
        let also = key.map(|key| self.shared_with(key)).unwrap_or_default().into_iter().map(|other| {
            let shape = self.row(other).shape.clone();
            let id = self.id(other.project, &self.row(other).id);
            AlsoEntry { id, same: shape == row.shape, shape }
        });
        let duplicates = key.map(|key| self.duplicates_of(key)).unwrap_or_default();
        let target = format!("{}/{}", project.name(), row.id);
        SymbolAnswer {
            id: format!("{}@{}/{}", project.name(), version.version, row.id),
            kind: row.kind.clone(),
            name: row.name.clone(),
            summary: row.summary.clone(),
            signature: row.signature.clone(),
            shape: row.shape.clone(),
            deprecated: row.deprecated.clone(),
            file: row.file.clone(),
            line: row.line,
            url,
            part: None,
            parts: parts(row),
            uses,
            users: Some(self.uses_of(&target).len()),
            also: also.collect(),
            duplicates: duplicates.into_iter().map(|key| self.id(key.project, &self.row(key).id)).collect(),
            history: history(project, &row.id),
            variants: row.variants,
        }
    }

    /// Lists the users of a name or an id in the newest versions, those through definitions that are based on it after the
    /// others.
    ///
    /// # Errors
    /// The cursor is gone.
    pub fn uses(
        &self,
        name: &str,
        how: Option<&str>,
        cursor: Option<&str>,
        limit: usize,
    ) -> Result<UsesAnswer, SearchError> {
        let from = offset(cursor, &self.generation)?;
        let targets = self.targets_of(name);
        let all = self.users(&targets, how);
        let mut answer = UsesAnswer {
            generation: self.generation.clone(),
            targets,
            total: all.len(),
            ..UsesAnswer::default()
        };
        for (key, _) in &all {
            *answer.by_project.entry(self.projects[key.project].name().to_owned()).or_default() += 1;
        }
        let shown = all.into_iter().skip(from).take(limit);
        answer.uses = shown.map(|(key, via)| self.use_answer(key, via)).collect();
        answer.next = next(&self.generation, from + answer.uses.len(), answer.total);
        Ok(answer)
    }

    /// Returns the uses of targets, and those of definitions that are based on them with the one between.
    #[must_use]
    pub fn users(&self, targets: &[String], how: Option<&str>) -> Vec<(UseKey, Option<String>)> {
        let closure = self.closure(targets);
        let mut all: Vec<(Option<String>, UseKey)> = Vec::new();
        for target in closure.keys() {
            let via = (!targets.contains(target)).then(|| target.clone());
            let keys =
                self.uses_of(target).iter().filter(|key| how.is_none_or(|how| self.usage(**key).how == how));
            all.extend(keys.map(|key| (via.clone(), *key)));
        }
        all.sort();
        all.into_iter().map(|(via, key)| (key, via)).collect()
    }

    /// Describes a use.
    #[must_use]
    pub fn use_answer(&self, key: UseKey, via: Option<String>) -> UseAnswer {
        let (project, it) = (&self.projects[key.project], self.usage(key));
        let row = project.row(&it.user);
        UseAnswer {
            user: self.id(key.project, &it.user),
            how: it.how.clone(),
            file: row.map(|row| row.file.clone()).unwrap_or_default(),
            line: row.map_or(0, |row| row.line),
            shape: self.shape_of_use(key),
            via,
        }
    }

    /// Returns whether the user of a definition was built with its newest shape; nothing where that is not known.
    fn shape_of_use(&self, key: UseKey) -> Option<String> {
        let user = &self.projects[key.project];
        let target = self.target(key);
        let (name, row) = target.split_once('/')?;
        if name == user.name() {
            return Some("same".to_owned());
        }
        let project = self.project(name)?;
        let dependency = user.newest().dependencies.iter().find(|it| self.name_of(it) == name)?;
        let built_with = project.of_manifest(&dependency.digest)?;
        let (own, newest) = (project.shape_at(row, &built_with.version), &project.row(row)?.shape);
        Some(if own == Some(newest) { "same" } else { "other" }.to_owned())
    }

    /// Lists the versions of a project, the newest first.
    #[must_use]
    pub fn versions(&self, project: &str) -> Option<Vec<VersionEntry>> {
        Some(self.project(project)?.facts.versions.iter().map(version_entry).collect())
    }
}

fn with_part(mut answer: SymbolAnswer, id: &SymbolId) -> Option<SymbolAnswer> {
    if let Some(part) = &id.part {
        let (kind, name) = part.split_once(':')?;
        let found = answer.parts.iter().find(|it| it.kind == kind && it.name == name)?;
        answer.part = Some(found.clone());
        answer.id = format!("{}#{part}", answer.id);
    }
    Some(answer)
}

fn entry(project: &Project) -> ProjectEntry {
    let newest = project.newest();
    ProjectEntry {
        project: project.name().to_owned(),
        repository: project.facts.repository.clone(),
        newest: newest.version.clone(),
        manifest: newest.manifest.to_string(),
        mlir: newest.mlir.clone(),
        released: newest.released.clone(),
        dialects: newest.dialects.iter().map(|it| it.name.clone()).collect(),
        operations: newest.operations(),
        coverage: newest.coverage,
        last_break: project.last_break().map(|it| LastBreak {
            version: it.version.clone(),
            level: it.verdict().unwrap_or_default().to_owned(),
        }),
        owners: project.owners().to_vec(),
        versions: project.facts.versions.len(),
        yanked: project
            .facts
            .versions
            .iter()
            .filter(|it| it.withdrawal.is_some())
            .map(|it| it.version.clone())
            .collect(),
    }
}

fn version_entry(version: &VersionFacts) -> VersionEntry {
    VersionEntry {
        version: version.version.clone(),
        manifest: version.manifest.to_string(),
        released: version.released.clone(),
        mlir: version.mlir.clone(),
        verdict: version.verdict().map(str::to_owned),
        yanked: version.withdrawal.as_ref().map(|it| it.reason.clone()),
        substitute: version.withdrawal.as_ref().and_then(|it| it.substitute.clone()),
        moved_from: version.moved_from.iter().map(ToString::to_string).collect(),
        has_provenance: version.reports.iter().any(|it| it.kind == IN_TOTO),
    }
}

/// Returns the parts of a row, with the constraints of operands and results as far as the signature separates them.
fn parts(row: &Row) -> Vec<PartAnswer> {
    let types = row.signature.split_once(" : ").and_then(|(_, types)| types.rsplit_once(" -> "));
    let (operands, results) = types.unwrap_or_default();
    let lists = [("operand", list(operands)), ("result", list(results))];
    let mut parts: Vec<PartAnswer> = row
        .parts
        .iter()
        .filter_map(|part| {
            let (kind, name) = part.split_once(':')?;
            Some(PartAnswer { kind: kind.to_owned(), name: name.to_owned(), constraint: None })
        })
        .collect();
    for (kind, constraints) in lists {
        let of_kind = || parts.iter().filter(|part| part.kind == kind).count();
        // Parts without a name are in the signature alone.
        if of_kind() == constraints.len() {
            let named = parts.iter_mut().filter(|part| part.kind == kind);
            for (part, constraint) in named.zip(constraints) {
                part.constraint = Some(constraint.to_owned());
            }
        }
    }
    parts
}

/// Splits the constraints of a signature at commas outside of brackets.
fn list(text: &str) -> Vec<&str> {
    let text = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(text);
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_i32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '<' | '[' => depth += 1,
            ')' | '>' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

fn history(project: &Project, row: &str) -> Vec<HistoryEntry> {
    let moments = project.facts.history.get(row).map_or(&[][..], Vec::as_slice);
    let subjects = project.symbols.subjects();
    let mut was_there = false;
    let mut entries: Vec<HistoryEntry> = Vec::new();
    for moment in moments {
        let change = match (&moment.shape, was_there) {
            (None, _) => "removed",
            (Some(_), true) => "changed",
            (Some(_), false) => "added",
        };
        was_there = moment.shape.is_some();
        let version = project.version(&moment.version);
        let breaks = version.and_then(|it| it.breaks.as_ref()).into_iter().flatten();
        let own = breaks.filter(|it| subjects.get(&it.subject).is_some_and(|found| found.id == row));
        entries.push(HistoryEntry {
            version: moment.version.clone(),
            released: version.and_then(|it| it.released.clone()),
            change: change.to_owned(),
            breaks: own.cloned().collect(),
        });
    }
    entries.reverse();
    entries
}

/// Sorts names of versions, the newest first.
pub fn newest_first(versions: &mut [String]) {
    versions.sort_by(|a, b| Version::new(b).order(&Version::new(a)));
}
