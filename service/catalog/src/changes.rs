//! The difference of two generations.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    catalog::Catalog,
    elsewhere::OldSide,
    project::{Project, ProjectFacts, VersionFacts},
};

/// The changes since a generation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = catalog::Changes)]
pub struct Changes {
    /// The generation now.
    pub generation: String,
    /// The changes, by project and version.
    pub changes: Vec<Change>,
    /// The cursor of the rest: all changes are in one answer.
    pub next: Option<String>,
}

/// A change of the catalogue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = catalog::Change)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Change {
    /// A version is new.
    Published {
        /// The project.
        project: String,
        /// The version.
        version: String,
        /// The digest of the manifest.
        manifest: String,
        /// The worst level that it breaks, or `none`; absent if it was compared with no version.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        verdict: Option<String>,
    },
    /// A new version breaks something.
    Breaks {
        /// The project.
        project: String,
        /// The version.
        version: String,
        /// The version that it was compared with, if that is published.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        against: Option<String>,
        /// The levels.
        levels: Vec<String>,
        /// The number of findings.
        findings: usize,
        /// The users of what breaks.
        elsewhere: ElsewhereCount,
    },
    /// A tag names another manifest.
    Moved {
        /// The project.
        project: String,
        /// The version.
        version: String,
        /// The digest before.
        from: String,
        /// The digest now.
        to: String,
    },
    /// A version is withdrawn.
    Yanked {
        /// The project.
        project: String,
        /// The version.
        version: String,
        /// The reason.
        reason: String,
        /// The version to use in its place.
        #[serde(default, skip_serializing_if = "Option::is_none", rename = "use")]
        substitute: Option<String>,
    },
    /// A withdrawal is taken back.
    Restored {
        /// The project.
        project: String,
        /// The version.
        version: String,
    },
    /// A tag is gone.
    Removed {
        /// The project.
        project: String,
        /// The version.
        version: String,
    },
}

/// The numbers of users of what breaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = catalog::ElsewhereCount)]
pub struct ElsewhereCount {
    /// The other projects.
    pub projects: usize,
    /// Their definitions.
    pub definitions: usize,
}

/// The tags of a generation, by repository: all that later changes are found by.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The generation.
    pub generation: String,
    /// The tags by project.
    pub projects: BTreeMap<String, BTreeMap<String, TagState>>,
}

/// The state of a tag.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TagState {
    /// The digest of the manifest.
    pub manifest: String,
    /// True if it is withdrawn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_yanked: bool,
}

impl Snapshot {
    /// Returns the snapshot of a catalogue.
    #[must_use]
    pub fn of(catalog: &Catalog) -> Snapshot {
        let state = |it: &VersionFacts| {
            let state = TagState { manifest: it.manifest.to_string(), is_yanked: it.withdrawal.is_some() };
            (it.version.clone(), state)
        };
        let of = |facts: &ProjectFacts| (facts.project.clone(), facts.versions.iter().map(state).collect());
        Snapshot {
            generation: catalog.generation.clone(),
            projects: catalog.projects.iter().map(|project| of(&project.facts)).collect(),
        }
    }
}

impl Catalog {
    /// Returns the changes since a generation.
    #[must_use]
    pub fn changes_since(&self, before: &Snapshot) -> Changes {
        let mut changes = Vec::new();
        let none = BTreeMap::new();
        for project in &self.projects {
            let known = before.projects.get(project.name()).unwrap_or(&none);
            // The oldest version first, as they were published.
            for version in project.facts.versions.iter().rev() {
                self.changes_of(project, version, known.get(&version.version), &mut changes);
            }
        }
        for (project, tags) in &before.projects {
            let own = self.project(project);
            let is_gone = |version: &&String| own.is_none_or(|own| own.position(version).is_none());
            changes.extend(
                tags.keys()
                    .filter(is_gone)
                    .map(|version| Change::Removed { project: project.clone(), version: version.clone() }),
            );
        }
        Changes { generation: self.generation.clone(), changes, next: None }
    }

    fn changes_of(
        &self,
        project: &Project,
        version: &VersionFacts,
        before: Option<&TagState>,
        changes: &mut Vec<Change>,
    ) {
        let names = || (project.name().to_owned(), version.version.clone());
        let manifest = version.manifest.to_string();
        let is_new = before.is_none_or(|it| it.manifest != manifest);
        match before {
            Some(it) if it.manifest != manifest => {
                let (project, version) = names();
                changes.push(Change::Moved { project, version, from: it.manifest.clone(), to: manifest });
            }
            Some(_) => {}
            None => {
                let (project, name) = names();
                let verdict = version.verdict().map(str::to_owned);
                changes.push(Change::Published { project, version: name, manifest, verdict });
            }
        }
        if let Some(breaks) = version.breaks.as_ref().filter(|all| is_new && !all.is_empty()) {
            let (name, own) = names();
            let mut levels: Vec<String> = breaks.iter().flat_map(|it| it.levels.iter().cloned()).collect();
            levels.sort();
            levels.dedup();
            let against = version.against.as_ref().and_then(|digest| {
                project.facts.versions.iter().find(|it| it.manifest.to_string() == *digest)
            });
            let elsewhere = self.count_elsewhere(project, version, against);
            let (findings, against) = (breaks.len(), against.map(|it| it.version.clone()));
            changes.push(Change::Breaks {
                project: name,
                version: own,
                against,
                levels,
                findings,
                elsewhere,
            });
        }
        let was_yanked = before.is_some_and(|it| it.is_yanked);
        match &version.withdrawal {
            Some(withdrawal) if !was_yanked => {
                let (project, version) = names();
                let (reason, substitute) = (withdrawal.reason.clone(), withdrawal.substitute.clone());
                changes.push(Change::Yanked { project, version, reason, substitute });
            }
            None if was_yanked => {
                let (project, version) = names();
                changes.push(Change::Restored { project, version });
            }
            _ => {}
        }
    }

    /// Counts the users of what a version breaks, of those that the newest version still defines.
    fn count_elsewhere(
        &self,
        project: &Project,
        version: &VersionFacts,
        against: Option<&VersionFacts>,
    ) -> ElsewhereCount {
        let subjects = project.symbols.subjects();
        let breaks = version.breaks.as_ref().into_iter().flatten();
        let mut users: BTreeMap<String, std::collections::BTreeSet<String>> = BTreeMap::new();
        for row in breaks.filter_map(|it| subjects.get(&it.subject)) {
            let before = against.map(|it| it.version.as_str());
            let shape = before.and_then(|before| project.shape_at(&row.id, before)).unwrap_or_default();
            let old = OldSide { project: project.name(), version: before };
            for it in self.elsewhere(old, &row.id, shape) {
                users.entry(it.project).or_default().extend(it.users.into_iter().map(|user| user.id));
            }
        }
        let definitions = users.values().map(std::collections::BTreeSet::len).sum();
        ElsewhereCount { projects: users.len(), definitions }
    }
}
