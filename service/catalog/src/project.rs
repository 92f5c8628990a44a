//! A project of a catalogue: its versions, the rows of the newest one, and the history of each row.

use std::collections::{BTreeMap, BTreeSet};

use odsmith_engine::interchange::{
    query::Texts,
    symbols::{Row, Symbols, Use},
    words::WordIndex,
};
use odsmith_registry::{
    artifact::{ConfigDependency, DialectCount, Layer, Withdrawal},
    digest::{Digest, sha256},
    version::Version,
};
use serde::{Deserialize, Serialize};

use super::{
    delta::{Delta, Deltas},
    published::{Break, PublishedProject, PublishedVersion, plain},
};

/// The version of the facts of a project.
pub const SCHEMA: u32 = 1;

/// A project with the rows of its newest version.
#[derive(Clone, Debug, Default)]
pub struct Project {
    /// All that is known besides rows.
    pub facts: ProjectFacts,
    /// The rows and uses of the newest version.
    pub symbols: Symbols,
    /// The texts of these rows, in which words are looked up.
    pub texts: Vec<Texts>,
    /// The words of these texts.
    pub words: WordIndex,
    /// The number of the first version that has each row.
    added: Vec<Option<usize>>,
    /// The numbers of rows that a version breaks, with the levels.
    pub(super) broken: Vec<(usize, String)>,
    /// The number of the row of each use.
    pub(super) users: Vec<Option<usize>>,
}

/// The facts about a project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProjectFacts {
    /// The version of this form.
    pub schema: u32,
    /// The name.
    pub project: String,
    /// The repository.
    pub repository: String,
    /// The digest of the tags, manifests and reports that all this follows from.
    pub key: String,
    /// The number of the newest version in `versions`: neither withdrawn nor a prerelease, if there is such a one.
    pub newest: usize,
    /// The versions, the newest first.
    pub versions: Vec<VersionFacts>,
    /// The owners, where the catalogue's own settings name them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub owners: Vec<String>,
    /// The history of each row that any version has, the oldest moment first.
    pub history: BTreeMap<String, Vec<Moment>>,
}

/// A version from which on a row has a shape.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// The version.
    pub version: String,
    /// The shape; nothing if the row is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<String>,
}

/// The facts about a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VersionFacts {
    /// The version.
    pub version: String,
    /// The tag.
    pub tag: String,
    /// The digest of the manifest.
    pub manifest: Digest,
    /// The time of the commit, which is the only time that a version has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub released: Option<String>,
    /// The MLIR release.
    pub mlir: String,
    /// The profile of a tool that differs from the release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// The title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// One sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The address of the sources.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The owners.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub owners: Vec<String>,
    /// The dialects.
    pub dialects: Vec<DialectCount>,
    /// The documented part, in per cent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<u64>,
    /// The projects that it includes files of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dependencies: Vec<ConfigDependency>,
    /// The file names of the layers.
    pub layers: BTreeSet<String>,
    /// The types of the reports on it, with their digests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reports: Vec<ReportFacts>,
    /// The withdrawal, if it is withdrawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withdrawal: Option<Withdrawal>,
    /// The changes that break something; nothing if it was compared with no other version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub breaks: Option<Vec<Break>>,
    /// The digest of the version that it was compared with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// The manifests that the tag named before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moved_from: Vec<Digest>,
}

/// A report on a version.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ReportFacts {
    /// Its type.
    pub kind: String,
    /// The digest of its manifest.
    pub digest: Digest,
}

impl VersionFacts {
    fn new(version: &PublishedVersion) -> VersionFacts {
        let config = &version.config;
        let line = |text: &Option<String>| text.as_deref().map(plain);
        let report = |it: &odsmith_registry::manifest::Descriptor| ReportFacts {
            kind: plain(it.kind().unwrap_or_default()),
            digest: it.digest.clone(),
        };
        let mut reports: Vec<ReportFacts> = version.reports.iter().map(report).collect();
        reports.sort();
        VersionFacts {
            version: config.version.clone(),
            tag: version.tag.clone(),
            manifest: version.manifest.clone(),
            released: config.commit_time.clone().filter(|time| time.is_ascii()),
            mlir: config.mlir.clone(),
            profile: line(&config.profile),
            title: line(&config.title),
            summary: line(&config.summary),
            commit: line(&config.commit),
            source: line(&config.source).filter(|source| source.starts_with("https://")),
            owners: config.owners.iter().map(|owner| plain(owner)).collect(),
            dialects: config.dialects.iter().filter(|it| is_name(&it.name)).cloned().collect(),
            coverage: config.coverage,
            dependencies: config.dependencies.clone(),
            layers: version.layers.keys().cloned().collect(),
            reports,
            withdrawal: version.withdrawal.clone().filter(|it| it.yanked).map(|it| Withdrawal {
                reason: plain(&it.reason),
                substitute: line(&it.substitute),
                ..it
            }),
            breaks: version.breaks.clone(),
            against: version.against().map(str::to_owned),
            moved_from: version.moved_from.clone(),
        }
    }

    /// Returns the number of operations of all dialects.
    #[must_use]
    pub fn operations(&self) -> usize {
        self.dialects.iter().map(|it| it.operations).sum()
    }

    /// Returns the worst level that the version breaks: `none` if it breaks nothing, and nothing if that is not known.
    #[must_use]
    pub fn verdict(&self) -> Option<&str> {
        let breaks = self.breaks.as_ref()?;
        let all = breaks.iter().flat_map(|it| &it.levels);
        let rank = |level: &String| super::published::LEVELS.iter().position(|it| it == level);
        Some(all.min_by_key(|level| rank(level).unwrap_or(usize::MAX)).map_or("none", String::as_str))
    }

    /// Returns whether it has a reference.
    #[must_use]
    pub fn has_site(&self) -> bool {
        self.layers.contains(Layer::Site.title())
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-$".contains(&byte))
}

/// Reads the symbols of a version.
pub type SymbolsReader<'r, E> = dyn Fn(&PublishedVersion) -> Result<Symbols, E> + 'r;

impl PublishedProject {
    /// Returns the digest of the tags, manifests, reports and settings that a project follows from.
    #[must_use]
    pub fn key(&self) -> String {
        let versions = self.versions.iter().map(|it| {
            let reports = it.reports.iter().map(|report| &report.digest).collect();
            line(&self.repository, &it.tag, &it.manifest, reports, &it.moved_from)
        });
        let mut lines: Vec<String> = versions.collect();
        lines.sort();
        lines.extend(self.owners.iter().map(|owner| format!("owner\0{owner}\n")));
        lines.push(format!("schema\0{SCHEMA}\n"));
        sha256(lines.concat().as_bytes())
    }
}

/// Returns the line of a tag: repository, tag, manifest and reports, with NUL between them.
fn line(
    repository: &str,
    tag: &str,
    manifest: &Digest,
    reports: Vec<&Digest>,
    moved_from: &[Digest],
) -> String {
    let mut digests: Vec<String> = reports.into_iter().map(Digest::to_string).collect();
    digests.extend(moved_from.iter().map(|digest| format!("was-{digest}")));
    digests.sort();
    format!("{repository}\0{tag}\0{manifest}\0{}\n", digests.join(","))
}

impl ProjectFacts {
    /// Returns the lines that the generation of a catalogue is the digest of.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let versions = self.versions.iter().map(|it| {
            let reports = it.reports.iter().map(|report| &report.digest).collect();
            line(&self.repository, &it.tag, &it.manifest, reports, &it.moved_from)
        });
        versions
            .chain(self.owners.iter().map(|owner| format!("{}\0owner\0{owner}\n", self.repository)))
            .collect()
    }
}

impl Project {
    /// Builds a project of its versions; the newest version names it. Also returns the differences of the other versions,
    /// by the digest of their manifest.
    ///
    /// # Errors
    /// The symbols of a version cannot be read; `None` without any version.
    pub fn build<E>(
        mut published: PublishedProject,
        read: &SymbolsReader<'_, E>,
    ) -> Result<Option<(Project, Deltas)>, E> {
        let key = published.key();
        let order = |it: &PublishedVersion| Version::new(&it.config.version);
        published.versions.sort_by(|a, b| order(b).order(&order(a)).then_with(|| a.tag.cmp(&b.tag)));
        let is_good = |it: &&PublishedVersion| it.withdrawal.as_ref().is_none_or(|it| !it.yanked);
        let is_release = |it: &&PublishedVersion| is_good(it) && !order(it).is_prerelease();
        let all = &published.versions;
        let position = |test: &dyn Fn(&&PublishedVersion) -> bool| all.iter().position(|it| test(&it));
        let newest = position(&is_release).or_else(|| position(&is_good)).unwrap_or(0);
        let Some(first) = all.get(newest) else { return Ok(None) };
        let symbols = super::published::admitted(read(first)?);
        let mut history: BTreeMap<String, Vec<Moment>> = BTreeMap::new();
        let mut deltas = Deltas::new();
        for (index, version) in all.iter().enumerate().rev() {
            let other = match index == newest {
                true => None,
                false => Some(super::published::admitted(read(version)?)),
            };
            let own = other.as_ref().unwrap_or(&symbols);
            note(&mut history, &version.config.version, own);
            if let Some(other) = &other {
                deltas.insert(version.manifest.clone(), Delta::between(&symbols, other));
            }
        }
        let facts = ProjectFacts {
            schema: SCHEMA,
            project: first.config.project.clone(),
            repository: published.repository.clone(),
            key,
            newest,
            versions: all.iter().map(VersionFacts::new).collect(),
            owners: published.owners.clone(),
            history,
        };
        Ok(Some((Project::new(facts, symbols), deltas)))
    }

    /// Joins the facts of a project and the rows of its newest version.
    #[must_use]
    pub fn new(facts: ProjectFacts, symbols: Symbols) -> Project {
        let texts: Vec<Texts> = symbols.rows.iter().map(Texts::new).collect();
        let words = WordIndex::new(&texts);
        let positions: BTreeMap<&str, usize> =
            facts.versions.iter().enumerate().map(|(at, it)| (it.version.as_str(), at)).collect();
        let first = |row: &Row| {
            let moments = facts.history.get(&row.id)?;
            positions.get(moments.iter().find(|it| it.shape.is_some())?.version.as_str()).copied()
        };
        let added = symbols.rows.iter().map(first).collect();
        let broken = broken(&facts, &symbols);
        let user = |it: &Use| symbols.rows.binary_search_by(|row| row.id.cmp(&it.user)).ok();
        let users = symbols.uses.iter().map(user).collect();
        Project { facts, symbols, texts, words, added, broken, users }
    }

    /// Returns the number of a row.
    #[must_use]
    pub fn number(&self, id: &str) -> Option<usize> {
        self.symbols.rows.binary_search_by(|row| row.id.as_str().cmp(id)).ok()
    }

    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.facts.project
    }

    /// Returns the newest version.
    #[must_use]
    pub fn newest(&self) -> &VersionFacts {
        &self.facts.versions[self.facts.newest]
    }

    /// Returns the owners: those of the catalogue's settings, else those of the newest version.
    #[must_use]
    pub fn owners(&self) -> &[String] {
        if self.facts.owners.is_empty() { &self.newest().owners } else { &self.facts.owners }
    }

    /// Returns a version by its name or its tag.
    #[must_use]
    pub fn version(&self, name: &str) -> Option<&VersionFacts> {
        let mut all = self.facts.versions.iter();
        all.find(|it| it.version == name || it.tag == name)
    }

    /// Returns the version of a manifest.
    #[must_use]
    pub fn of_manifest(&self, digest: &Digest) -> Option<&VersionFacts> {
        self.facts.versions.iter().find(|it| it.manifest == *digest || it.moved_from.contains(digest))
    }

    /// Returns a row of the newest version by its id, which may lack the file that distinguishes two of one name.
    #[must_use]
    pub fn row(&self, id: &str) -> Option<&Row> {
        self.rows_of(id).first().copied()
    }

    /// Returns the rows of an id: several if two files define it.
    #[must_use]
    pub fn rows_of(&self, id: &str) -> Vec<&Row> {
        let exact = self.symbols.rows.binary_search_by(|row| row.id.as_str().cmp(id));
        if let Ok(at) = exact {
            return vec![&self.symbols.rows[at]];
        }
        let start = self.symbols.rows.partition_point(|row| row.id.as_str() < id);
        let rest = self.symbols.rows[start..].iter();
        rest.take_while(|row| row.id.starts_with(id)).filter(|row| super::id::stem(&row.id) == id).collect()
    }

    /// Returns the shape of a row in a version; nothing if that version does not have it.
    #[must_use]
    pub fn shape_at(&self, row: &str, version: &str) -> Option<&str> {
        let moments = self.facts.history.get(row)?;
        let at = self.position(version)?;
        // Versions are listed the newest first.
        let mut before = moments.iter().filter(|it| self.position(&it.version).is_some_and(|own| own >= at));
        before.next_back()?.shape.as_deref()
    }

    /// Returns the first version that has a row, by the number of the row.
    #[must_use]
    pub fn added(&self, row: usize) -> Option<&VersionFacts> {
        self.facts.versions.get((*self.added.get(row)?)?)
    }

    /// Returns the number of a version in the list, which begins with the newest.
    #[must_use]
    pub fn position(&self, version: &str) -> Option<usize> {
        self.facts.versions.iter().position(|it| it.version == version)
    }

    /// Returns the newest version that breaks something.
    #[must_use]
    pub fn last_break(&self) -> Option<&VersionFacts> {
        let mut from_newest = self.facts.versions.iter();
        from_newest.find(|it| it.verdict().is_some_and(|verdict| verdict != "none"))
    }
}

/// Returns the numbers of rows that any version breaks, with the levels.
fn broken(facts: &ProjectFacts, symbols: &Symbols) -> Vec<(usize, String)> {
    let breaks = || facts.versions.iter().filter_map(|version| version.breaks.as_ref()).flatten();
    // Naming the subjects of all rows takes time.
    if breaks().next().is_none() {
        return Vec::new();
    }
    let subjects = symbols.subjects();
    let number = |id: &str| symbols.rows.binary_search_by(|row| row.id.as_str().cmp(id)).ok();
    let mut all: Vec<(usize, String)> = breaks()
        .filter_map(|it| Some((number(&subjects.get(&it.subject)?.id)?, &it.levels)))
        .flat_map(|(row, levels)| levels.iter().map(move |level| (row, level.clone())))
        .collect();
    all.sort();
    all.dedup();
    all
}

/// Adds the rows of a version to the history, after those of older versions.
fn note(history: &mut BTreeMap<String, Vec<Moment>>, version: &str, symbols: &Symbols) {
    let own: BTreeMap<&str, &str> =
        symbols.rows.iter().map(|row| (row.id.as_str(), row.shape.as_str())).collect();
    for (_, moments) in history.iter_mut().filter(|(id, _)| !own.contains_key(id.as_str())) {
        if moments.last().is_some_and(|last| last.shape.is_some()) {
            moments.push(Moment { version: version.to_owned(), shape: None });
        }
    }
    for (id, shape) in own {
        let moments = history.entry(id.to_owned()).or_default();
        if moments.last().and_then(|last| last.shape.as_deref()) != Some(shape) {
            moments.push(Moment { version: version.to_owned(), shape: Some(shape.to_owned()) });
        }
    }
}
