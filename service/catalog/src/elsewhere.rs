//! The users of what a change breaks, in other projects.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

use odsmith_engine::{
    interchange::symbols::Symbols,
    review::diff::{
        Comparison,
        elsewhere::{Elsewhere, User},
    },
};
use odsmith_registry::version::Version;

use super::{
    catalog::{Catalog, UseKey},
    project::Project,
};

/// The old side of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct OldSide<'o> {
    /// The project.
    pub project: &'o str,
    /// The version, if it is known.
    pub version: Option<&'o str>,
}

/// The symbols of both sides of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Sides<'s> {
    /// The old side.
    pub old: &'s Symbols,
    /// The new side.
    pub new: &'s Symbols,
}

impl Catalog {
    /// Adds to each finding of a comparison the users of its definitions in other projects.
    pub fn add_elsewhere(&self, comparison: &mut Comparison, old: OldSide<'_>, sides: Sides<'_>) {
        let subjects = sides.old.subjects();
        let shapes: BTreeMap<&str, &str> =
            sides.new.rows.iter().map(|row| (row.id.as_str(), row.shape.as_str())).collect();
        let old_shapes: BTreeMap<&str, &str> =
            sides.old.rows.iter().map(|row| (row.id.as_str(), row.shape.as_str())).collect();
        for finding in &mut comparison.findings {
            let mut rows: BTreeSet<&str> = BTreeSet::new();
            for subject in std::iter::once(&finding.subject).chain(&finding.also) {
                let Some(row) = subjects.get(subject) else { continue };
                rows.insert(&row.id);
                // A part of an operation may have changed with its constraint, which others use as well.
                let uses = sides.old.uses.iter().filter(|it| subject.contains('#') && it.user == row.id);
                let constraints = uses.map(|it| it.target.as_str()).filter(|target| {
                    super::id::kind(target) == "constraint" && shapes.get(target) != old_shapes.get(target)
                });
                rows.extend(constraints);
            }
            let mut all: BTreeMap<(String, String), BTreeSet<User>> = BTreeMap::new();
            for row in rows {
                let shape = old_shapes.get(row).copied().unwrap_or_default();
                for it in self.elsewhere(old, row, shape) {
                    all.entry((it.project, it.version)).or_default().extend(it.users);
                }
            }
            let each = all.into_iter().map(|((project, version), users)| Elsewhere {
                project,
                version,
                users: users.into_iter().collect(),
            });
            finding.elsewhere = each.collect();
        }
    }

    /// Lists the users of a definition of the old side, by project. `row` is its id inside of the project, and `shape` its
    /// shape on the old side. Users that were built with a later version of another shape are left out.
    #[must_use]
    pub fn elsewhere(&self, old: OldSide<'_>, row: &str, shape: &str) -> Vec<Elsewhere> {
        let target = format!("{}/{row}", old.project);
        let mut by_project: BTreeMap<usize, BTreeSet<User>> = BTreeMap::new();
        for (key, _) in self.users(&[target], None) {
            let user = &self.projects[key.project];
            if user.name() == old.project || !self.is_built_with(user, old, row, shape) {
                continue;
            }
            by_project.entry(key.project).or_default().insert(self.user(key));
        }
        // A project that uses an operation has passes that load its dialect.
        let dialect = super::id::dialect(row);
        let loads = self.uses_of(&format!("{}/{dialect}/dialect/{dialect}", old.project)).iter();
        for key in loads.filter(|key| self.usage(**key).how == "depends") {
            if let Some(users) = by_project.get_mut(&key.project) {
                users.insert(self.user(*key));
            }
        }
        let of = |(number, users): (usize, BTreeSet<User>)| {
            let project = &self.projects[number];
            Elsewhere {
                project: project.name().to_owned(),
                version: project.newest().version.clone(),
                users: users.into_iter().collect(),
            }
        };
        by_project.into_iter().map(of).collect()
    }

    fn user(&self, key: UseKey) -> User {
        let (project, it) = (&self.projects[key.project], self.usage(key));
        let row = project.row(&it.user);
        User {
            id: self.id(key.project, &it.user),
            kind: super::id::kind(&it.user).to_owned(),
            how: it.how.clone(),
            file: row.map(|row| row.file.clone()).unwrap_or_default(),
            line: row.map_or(0, |row| row.line),
        }
    }

    /// Returns whether a project was built with a version up to the old side, or with its shape of the definition. What
    /// is not known counts.
    fn is_built_with(&self, user: &Project, old: OldSide<'_>, row: &str, shape: &str) -> bool {
        let dependency = user.newest().dependencies.iter().find(|it| self.name_of(it) == old.project);
        let (Some(dependency), Some(project)) = (dependency, self.project(old.project)) else { return true };
        let Some(built_with) = project.of_manifest(&dependency.digest) else { return true };
        let is_before = old.version.is_none_or(|version| {
            let order = Version::new(&built_with.version).compare(&Version::new(version));
            order.is_none_or(|order| order != Ordering::Greater)
        });
        is_before || project.shape_at(row, &built_with.version) == Some(shape)
    }

    /// Returns the project that a comparison is about: the one that defines the most of the same ids.
    #[must_use]
    pub fn project_of(&self, symbols: &Symbols) -> Option<&Project> {
        let own: BTreeSet<&str> = symbols.rows.iter().map(|row| row.id.as_str()).collect();
        let score = |project: &Project| {
            project.symbols.rows.iter().filter(|row| own.contains(row.id.as_str())).count()
        };
        let best = self.projects.iter().map(|it| (score(it), &**it)).filter(|(score, _)| *score > 0);
        best.max_by(|(a, one), (b, other)| a.cmp(b).then_with(|| other.name().cmp(one.name())))
            .map(|(_, it)| it)
    }
}
