//! Questions to a catalogue. The grammar is that of `odsmith search`, with facets of projects and versions.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use odsmith_engine::{
    interchange::query::{Candidate, Counting, Facet, Filter, Query},
    text::nearest,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    catalog::{Catalog, RowKey},
    id,
    project::Project,
    published::levels_of,
};

/// The answer to a question.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = catalog::SearchAnswer)]
pub struct SearchAnswer {
    /// The generation of the catalogue.
    pub generation: String,
    /// The number of definitions that fit.
    pub total: usize,
    /// Some of them, the best first.
    pub hits: Vec<SearchHit>,
    /// Their numbers, if the question asks to count them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub counts: BTreeMap<String, usize>,
    /// Names that are spelt almost like the words, if nothing fits.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<String>,
    /// The cursor of the rest.
    pub next: Option<String>,
}

/// A definition that fits a question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = catalog::SearchHit)]
pub struct SearchHit {
    /// The id.
    pub id: String,
    /// The kind.
    pub kind: String,
    /// One line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// Operands and results.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub signature: String,
    /// The reason for its deprecation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
    /// The page in the reference, or the place in the sources.
    pub url: String,
    /// The fit, up to 1.
    pub score: f64,
}

/// The error of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchError {
    /// The question is wrong.
    Question(String),
    /// The cursor is of another generation.
    Gone,
}

/// Reads a cursor: `GENERATION:NUMBER`.
///
/// # Errors
/// It is of another generation, or none.
pub fn offset(cursor: Option<&str>, generation: &str) -> Result<usize, SearchError> {
    let Some(cursor) = cursor else { return Ok(0) };
    let wrong = || SearchError::Question(format!("'{}' is no cursor", cursor.escape_debug()));
    let (of, number) = cursor.split_once(':').ok_or_else(wrong)?;
    let number = number.parse().map_err(|_| wrong())?;
    if of == generation { Ok(number) } else { Err(SearchError::Gone) }
}

/// Returns the cursor of what follows `shown` of `total`.
#[must_use]
pub fn next(generation: &str, shown: usize, total: usize) -> Option<String> {
    (shown < total).then(|| format!("{generation}:{shown}"))
}

impl Catalog {
    /// Answers a question.
    ///
    /// # Errors
    /// The question is wrong, or its cursor is gone.
    pub fn search(
        &self,
        question: &str,
        cursor: Option<&str>,
        limit: usize,
    ) -> Result<SearchAnswer, SearchError> {
        let from = offset(cursor, &self.generation)?;
        let query = Query::parse(question).map_err(SearchError::Question)?;
        let ranked = self.rank(&query).map_err(SearchError::Question)?;
        let total = ranked.len();
        let mut answer =
            SearchAnswer { generation: self.generation.clone(), total, ..SearchAnswer::default() };
        if let Some(counting) = query.counting() {
            for (key, _) in ranked {
                for name in self.counted_as(key, counting) {
                    *answer.counts.entry(name).or_default() += 1;
                }
            }
            return Ok(answer);
        }
        let most = f64::from(100_u32.saturating_mul(query.words().len().max(1) as u32));
        let shown = ranked.iter().skip(from).take(limit);
        answer.hits = shown.map(|(key, score)| self.hit(*key, f64::from(*score) / most)).collect();
        answer.next = next(&self.generation, from + answer.hits.len(), total);
        if total == 0 {
            let names = || self.rows().map(|key| id::name(&self.row(key).id));
            let near = query.words().iter().filter_map(|word| nearest(word, names()));
            answer.suggestions = near.map(str::to_owned).collect::<BTreeSet<_>>().into_iter().collect();
        }
        Ok(answer)
    }

    fn hit(&self, key: RowKey, score: f64) -> SearchHit {
        let row = self.row(key);
        SearchHit {
            id: self.id(key.project, &row.id),
            kind: row.kind.clone(),
            summary: row.summary.clone(),
            signature: row.signature.clone(),
            deprecated: row.deprecated.clone(),
            url: self.address(key),
            score: (score.min(1.0) * 100.0).round() / 100.0,
        }
    }

    /// Returns the address of a row's page in the reference of its version, or its place in the sources.
    #[must_use]
    pub fn address(&self, key: RowKey) -> String {
        let (row, project) = (self.row(key), &self.projects[key.project]);
        let newest = project.newest();
        match &row.page {
            Some(page) if newest.has_site() => {
                format!("/v1/catalog/{}/{}/site/{page}", project.name(), newest.tag)
            }
            _ => format!("{}#L{}", row.file, row.line),
        }
    }

    /// Returns the rows that answer a question, with their scores, the best first.
    ///
    /// # Errors
    /// A facet is one of pages.
    pub fn rank(&self, query: &Query) -> Result<Vec<(RowKey, u32)>, String> {
        let prepared: Vec<BTreeSet<(usize, &str)>> =
            query.filters().iter().map(|filter| self.prepared(filter)).collect();
        let candidates = self.rows().map(|key| {
            let project = &self.projects[key.project];
            Candidate {
                key,
                row: &project.symbols.rows[key.index],
                texts: Cow::Borrowed(&project.texts[key.index]),
            }
        });
        query.rank(candidates, |key, index, filter| {
            let (row, project) = (self.row(key), &self.projects[key.project]);
            match filter.facet {
                Facet::Uses(_) | Facet::Breaks | Facet::Is => {
                    prepared[index].contains(&(key.project, row.id.as_str()))
                }
                _ => has(project, &row.id, filter),
            }
        })
    }

    /// Returns the rows of a facet that is looked up once for all of them.
    fn prepared(&self, filter: &Filter) -> BTreeSet<(usize, &str)> {
        match (filter.facet, filter.value.as_str()) {
            (Facet::Uses(how), value) => {
                let targets = self.targets_of(value);
                let keys = targets.iter().flat_map(|target| self.uses_of(target));
                let uses = keys.map(|key| (key.project, self.usage(*key)));
                let uses = uses.filter(|(_, it)| how.is_none_or(|how| it.how == how));
                uses.map(|(project, it)| (project, it.user.as_str())).collect()
            }
            (Facet::Breaks, value) => {
                let levels = levels_of(value);
                let all = self.projects.iter().enumerate();
                all.flat_map(|(number, project)| {
                    broken(project, levels).into_iter().map(move |row| (number, row))
                })
                .collect()
            }
            (Facet::Is, "duplicate") => {
                let keys = self.duplicates().flat_map(|(_, keys)| keys);
                keys.map(|key| (key.project, self.row(*key).id.as_str())).collect()
            }
            (Facet::Is, "skewed") => {
                let skewed = self.shared().filter(|(_, keys)| self.is_skewed(keys));
                skewed
                    .flat_map(|(_, keys)| keys)
                    .map(|key| (key.project, self.row(*key).id.as_str()))
                    .collect()
            }
            (Facet::Is, "yanked") => {
                // The rows of projects whose newest version is withdrawn: no other is left.
                let is_yanked = |project: &Project| project.newest().withdrawal.is_some();
                let keys = self.rows().filter(|key| is_yanked(&self.projects[key.project]));
                keys.map(|key| (key.project, self.row(key).id.as_str())).collect()
            }
            _ => BTreeSet::new(),
        }
    }

    /// Returns the names that a row is counted under.
    fn counted_as(&self, key: RowKey, counting: Counting) -> Vec<String> {
        let (row, project) = (self.row(key), &self.projects[key.project]);
        match counting {
            Counting::Project => vec![project.name().to_owned()],
            Counting::Dialect => vec![id::dialect(&row.id).to_owned()],
            Counting::Kind => vec![row.kind.clone()],
            Counting::Owner => project.owners().to_vec(),
        }
    }
}

/// Returns whether a project, or a row of it, has a facet.
fn has(project: &Project, row: &str, filter: &Filter) -> bool {
    let value = filter.value.as_str();
    match filter.facet {
        Facet::Project => project.name() == value,
        Facet::Version => {
            let version = project.version(value);
            version.is_some_and(|it| project.shape_at(row, &it.version).is_some())
        }
        Facet::Released => {
            let day = project.added(row).and_then(|version| version.released.as_deref());
            day.is_some_and(|day| filter.has_day(day))
        }
        Facet::Owner => {
            let is_it = |owner: &String| owner == value || owner.trim_start_matches('@') == value;
            project.owners().iter().any(is_it)
        }
        Facet::Mlir => project.newest().mlir == value || project.newest().profile.as_deref() == Some(value),
        Facet::Kind
        | Facet::Dialect
        | Facet::Name
        | Facet::File
        | Facet::Uses(_)
        | Facet::Is
        | Facet::Breaks
        | Facet::Page(_) => false,
    }
}

/// Returns the rows of a project that any version breaks on one of these levels.
fn broken<'p>(project: &'p Project, levels: &[&str]) -> BTreeSet<&'p str> {
    let subjects = project.symbols.subjects();
    let all = project.facts.versions.iter().filter_map(|version| version.breaks.as_ref()).flatten();
    let all = all.filter(|it| it.levels.iter().any(|level| levels.contains(&level.as_str())));
    all.filter_map(|it| subjects.get(&it.subject)).map(|row| row.id.as_str()).collect()
}
