//! Comparisons of projects: skew, duplicates, breaking changes, deprecated uses.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    answers::newest_first,
    catalog::{Catalog, RowKey},
    published::levels_of,
};

/// The differences between what projects use and define.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = catalog::Skew)]
pub struct Skew {
    /// The dependencies of which several versions are in use.
    pub dependencies: Vec<DependencySkew>,
    /// The ids that projects define in several shapes.
    pub shapes: Vec<ShapeSkew>,
    /// The projects of each MLIR release.
    pub mlir: BTreeMap<String, Vec<String>>,
}

/// A dependency of which several versions are in use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = catalog::DependencySkew)]
pub struct DependencySkew {
    /// The project that others depend on.
    pub dependency: String,
    /// The versions, the newest first, with the projects that were built with each.
    pub versions: Vec<VersionUsers>,
}

/// A version and the projects that were built with it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = catalog::VersionUsers)]
pub struct VersionUsers {
    /// The version.
    pub version: String,
    /// The projects.
    pub projects: Vec<String>,
}

/// An id that projects define in several shapes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = catalog::ShapeSkew)]
pub struct ShapeSkew {
    /// The id inside of projects.
    pub id: String,
    /// The shapes, with the ids of the definitions that have each.
    pub shapes: BTreeMap<String, Vec<String>>,
    /// The signatures, where they differ.
    pub signatures: Vec<String>,
}

/// Definitions of one shape under several names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = catalog::Duplicate)]
pub struct Duplicate {
    /// The kind.
    pub kind: String,
    /// The ids.
    pub ids: Vec<String>,
}

/// A version that breaks something.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = catalog::BreakingVersion)]
pub struct BreakingVersion {
    /// The project.
    pub project: String,
    /// The version.
    pub version: String,
    /// The time of its commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub released: Option<String>,
    /// The changes.
    #[schema(value_type = Vec<Object>)]
    pub findings: Vec<super::published::Break>,
}

/// A use of a deprecated definition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = catalog::DeprecatedUse)]
pub struct DeprecatedUse {
    /// The deprecated definition.
    pub target: String,
    /// The reason.
    pub reason: String,
    /// The users.
    pub users: Vec<String>,
}

impl Catalog {
    /// Returns whether rows of one id have several shapes.
    #[must_use]
    pub fn is_skewed(&self, keys: &[RowKey]) -> bool {
        keys.iter().any(|key| self.row(*key).shape != self.row(keys[0]).shape)
    }

    /// Compares the projects.
    #[must_use]
    pub fn skew(&self) -> Skew {
        let mut dependencies: BTreeMap<String, BTreeMap<String, Vec<String>>> = BTreeMap::new();
        let mut mlir: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for project in &self.projects {
            let newest = project.newest();
            mlir.entry(newest.mlir.clone()).or_default().push(project.name().to_owned());
            for it in &newest.dependencies {
                let version = self.version_of(it).map_or(&it.version, |version| &version.version);
                let users =
                    dependencies.entry(self.name_of(it)).or_default().entry(version.clone()).or_default();
                users.push(project.name().to_owned());
            }
        }
        dependencies.retain(|_, versions| versions.len() > 1);
        let dependencies = dependencies.into_iter().map(|(dependency, mut versions)| {
            let mut names: Vec<String> = versions.keys().cloned().collect();
            newest_first(&mut names);
            let users = |version: String| {
                let projects = versions.remove(&version).unwrap_or_default();
                VersionUsers { version, projects }
            };
            DependencySkew { dependency, versions: names.into_iter().map(users).collect() }
        });
        let skewed = self.shared().filter(|(_, keys)| self.is_skewed(keys));
        let shapes = skewed.map(|(id, keys)| {
            let mut shapes: BTreeMap<String, Vec<String>> = BTreeMap::new();
            let mut signatures: BTreeSet<String> = BTreeSet::new();
            for key in keys {
                let row = self.row(*key);
                shapes.entry(row.shape.clone()).or_default().push(self.id(key.project, &row.id));
                signatures.insert(row.signature.clone());
            }
            signatures.remove("");
            ShapeSkew { id: id.to_owned(), shapes, signatures: signatures.into_iter().collect() }
        });
        Skew { shapes: shapes.collect(), dependencies: dependencies.collect(), mlir }
    }

    /// Lists definitions of one shape under several names, in several projects.
    #[must_use]
    pub fn duplicate_list(&self) -> Vec<Duplicate> {
        let each = self.duplicates().map(|(kind, keys)| Duplicate {
            kind: kind.to_owned(),
            ids: keys.iter().map(|key| self.id(key.project, &self.row(*key).id)).collect(),
        });
        let mut all: Vec<Duplicate> = each.collect();
        all.sort_by(|a, b| (&a.kind, &a.ids).cmp(&(&b.kind, &b.ids)));
        all
    }

    /// Lists the versions that break something, the last commit first; only changes on the levels of a profile.
    #[must_use]
    pub fn breaking_versions(&self, project: Option<&str>, profile: &str) -> Vec<BreakingVersion> {
        let levels = levels_of(profile);
        let of = self.projects.iter().filter(|it| project.is_none_or(|name| it.name() == name));
        let all = of.flat_map(|project| {
            project.facts.versions.iter().filter_map(|version| {
                let own = version.breaks.as_ref()?.iter();
                let own = own.filter(|it| it.levels.iter().any(|level| levels.contains(&level.as_str())));
                let findings: Vec<_> = own.cloned().collect();
                (!findings.is_empty()).then(|| BreakingVersion {
                    project: project.name().to_owned(),
                    version: version.version.clone(),
                    released: version.released.clone(),
                    findings,
                })
            })
        });
        let mut all: Vec<BreakingVersion> = all.collect();
        all.sort_by(|a, b| b.released.cmp(&a.released).then_with(|| a.project.cmp(&b.project)));
        all
    }

    /// Lists the uses of deprecated definitions, of all projects.
    #[must_use]
    pub fn deprecated_uses(&self) -> Vec<DeprecatedUse> {
        let deprecated = self.rows().filter_map(|key| Some((key, self.row(key).deprecated.clone()?)));
        let each = deprecated.map(|(key, reason)| {
            let row = self.row(key);
            let target = format!("{}/{}", self.projects[key.project].name(), row.id);
            let users: BTreeSet<String> =
                self.uses_of(&target).iter().map(|it| self.id(it.project, &self.usage(*it).user)).collect();
            DeprecatedUse {
                target: self.id(key.project, &row.id),
                reason,
                users: users.into_iter().collect(),
            }
        });
        each.collect()
    }
}
