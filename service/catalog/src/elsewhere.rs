//! The users of what a change breaks, in other projects.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

use odsmith_engine::{
    interchange::symbols::Symbols,
    review::diff::{
        Change, Comparison,
        elsewhere::{Elsewhere, User},
    },
};
use odsmith_registry::version::Version;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

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

/// A question for the users of what a comparison found: what a server is asked, and a catalogue here as well.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = catalog::ElsewhereQuestion)]
pub struct ElsewhereQuestion {
    /// The project of the old side; without one, the project that defines the most of `ids`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Its version, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The ids of all definitions of the old side, inside of the project; needed if the project is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ids: Vec<String>,
    /// For each finding the definitions whose users are asked for.
    pub findings: Vec<Vec<ChangedSymbol>>,
}

/// A definition that a finding is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = catalog::ChangedSymbol)]
pub struct ChangedSymbol {
    /// The id inside of the project: `hw/op/instance`.
    pub id: String,
    /// The shape on the old side.
    #[serde(default)]
    pub shape: String,
}

/// The users of what a comparison found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = catalog::ElsewhereAnswer)]
pub struct ElsewhereAnswer {
    /// The generation of the catalogue.
    pub generation: String,
    /// The project of the old side; nothing if no project defines these dialects.
    pub project: Option<String>,
    /// The users for each finding, by project.
    pub findings: Vec<Vec<Elsewhere>>,
}

impl ElsewhereQuestion {
    /// Builds the question for the findings of a comparison. The project is not known yet.
    #[must_use]
    pub fn new(comparison: &Comparison, sides: Sides<'_>) -> ElsewhereQuestion {
        let subjects = sides.old.subjects();
        let shapes = |symbols: &'_ Symbols| -> BTreeMap<String, String> {
            symbols.rows.iter().map(|row| (row.id.clone(), row.shape.clone())).collect()
        };
        let (old_shapes, new_shapes) = (shapes(sides.old), shapes(sides.new));
        let of = |finding: &Change| {
            let mut rows: BTreeSet<&str> = BTreeSet::new();
            for subject in std::iter::once(&finding.subject).chain(&finding.also) {
                let Some(row) = subjects.get(subject) else { continue };
                rows.insert(&row.id);
                // A part of an operation may have changed with its constraint, which others use as well.
                let uses = sides.old.uses.iter().filter(|it| subject.contains('#') && it.user == row.id);
                let constraints = uses.map(|it| it.target.as_str()).filter(|target| {
                    super::id::kind(target) == "constraint"
                        && new_shapes.get(*target) != old_shapes.get(*target)
                });
                rows.extend(constraints);
            }
            let changed = rows.into_iter().map(|id| ChangedSymbol {
                id: id.to_owned(),
                shape: old_shapes.get(id).cloned().unwrap_or_default(),
            });
            changed.collect()
        };
        ElsewhereQuestion {
            ids: sides.old.rows.iter().map(|row| row.id.clone()).collect(),
            findings: comparison.findings.iter().map(of).collect(),
            ..ElsewhereQuestion::default()
        }
    }
}

impl ElsewhereAnswer {
    /// Adds the users to the findings of the comparison that the question was built for.
    pub fn add_to(self, comparison: &mut Comparison) {
        for (finding, elsewhere) in comparison.findings.iter_mut().zip(self.findings) {
            finding.elsewhere = elsewhere;
        }
    }
}

impl Catalog {
    /// Names the project of a question, where only the ids of its definitions are known.
    #[must_use]
    pub fn named(&self, question: ElsewhereQuestion) -> ElsewhereQuestion {
        if question.project.is_some() {
            return question;
        }
        let project = self.project_of(&question.ids).map(|it| it.name().to_owned());
        ElsewhereQuestion { project, ..question }
    }

    /// Answers a question whose project is named; nothing if `goes_on` says no.
    #[must_use]
    pub fn answer_elsewhere(
        &self,
        question: &ElsewhereQuestion,
        goes_on: &dyn Fn() -> bool,
    ) -> Option<ElsewhereAnswer> {
        let mut answer = ElsewhereAnswer {
            generation: self.generation.clone(),
            project: question.project.clone(),
            findings: Vec::new(),
        };
        let Some(project) = &question.project else {
            answer.findings.resize_with(question.findings.len(), Vec::new);
            return Some(answer);
        };
        let old = OldSide { project, version: question.version.as_deref() };
        // Many findings are about the same definitions.
        let mut known: BTreeMap<&ChangedSymbol, Vec<Elsewhere>> = BTreeMap::new();
        for symbols in &question.findings {
            let mut all: BTreeMap<(String, String), BTreeSet<User>> = BTreeMap::new();
            for symbol in symbols {
                if !goes_on() {
                    return None;
                }
                let users =
                    known.entry(symbol).or_insert_with(|| self.elsewhere(old, &symbol.id, &symbol.shape));
                for it in users.iter() {
                    let users = all.entry((it.project.clone(), it.version.clone())).or_default();
                    users.extend(it.users.iter().cloned());
                }
            }
            let each = all.into_iter().map(|((project, version), users)| Elsewhere {
                project,
                version,
                users: users.into_iter().collect(),
            });
            answer.findings.push(each.collect());
        }
        Some(answer)
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
    pub fn project_of(&self, ids: &[String]) -> Option<&Project> {
        let own: BTreeSet<&str> = ids.iter().map(String::as_str).collect();
        let score = |project: &Project| {
            project.symbols.rows.iter().filter(|row| own.contains(row.id.as_str())).count()
        };
        let best = self.projects.iter().map(|it| (score(it), &**it)).filter(|(score, _)| *score > 0);
        best.max_by(|(a, one), (b, other)| a.cmp(b).then_with(|| other.name().cmp(one.name())))
            .map(|(_, it)| it)
    }
}
