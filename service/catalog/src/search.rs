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

/// Rows by the number of their project: true for each that is in the set.
struct RowSet(Vec<Vec<bool>>);

impl RowSet {
    fn has(&self, key: RowKey) -> bool {
        self.0[key.project].get(key.index).copied().unwrap_or(false)
    }
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
        let sorted = if query.counting().is_some() { 0 } else { from.saturating_add(limit) };
        let ranked = self.rank(&query, sorted).map_err(SearchError::Question)?;
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

    /// Returns the rows that answer a question, with their scores. The first `sorted` of them are the best ones in order.
    ///
    /// # Errors
    /// A facet is one of pages.
    pub fn rank(&self, query: &Query, sorted: usize) -> Result<Vec<(RowKey, u32)>, String> {
        let prepared: Vec<RowSet> = query.filters().iter().map(|filter| self.prepared(filter)).collect();
        let candidate = |key: RowKey| {
            let project = &self.projects[key.project];
            Candidate {
                key,
                row: &project.symbols.rows[key.index],
                texts: Cow::Borrowed(&project.texts[key.index]),
            }
        };
        let has = |key: RowKey, index: usize, filter: &Filter| match filter.facet {
            Facet::Uses(_) | Facet::Breaks | Facet::Is => prepared[index].has(key),
            _ => self.has(key, filter),
        };
        let found = query.rank(self.rows_with_words(query).map(candidate), false, sorted, has)?;
        match found.is_empty() && query.may_be_misspelt() {
            true => query.rank(self.rows().map(candidate), true, sorted, has),
            false => Ok(found),
        }
    }

    /// Returns the rows that can have the words of a question.
    fn rows_with_words(&self, query: &Query) -> impl Iterator<Item = RowKey> {
        self.projects.iter().enumerate().flat_map(|(project, it)| {
            let rows = query.rows_with_words(&it.words);
            let rows = rows.unwrap_or_else(|| (0..it.symbols.rows.len()).collect());
            rows.into_iter().map(move |index| RowKey { project, index })
        })
    }

    /// Returns the rows of a facet that is looked up once for all of them.
    fn prepared(&self, filter: &Filter) -> RowSet {
        let mut rows = RowSet(vec![Vec::new(); self.projects.len()]);
        let value = filter.value.as_str();
        match (filter.facet, value) {
            (Facet::Uses(how), _) => {
                let targets = self.targets_of(value);
                for key in targets.iter().flat_map(|target| self.uses_of(target)) {
                    let is_it = how.is_none_or(|how| self.usage(*key).how == how);
                    if let Some(index) = self.projects[key.project].users[key.index].filter(|_| is_it) {
                        self.add(&mut rows, RowKey { project: key.project, index });
                    }
                }
            }
            (Facet::Breaks, _) => {
                let levels = levels_of(value);
                for (project, it) in self.projects.iter().enumerate() {
                    let broken = it.broken.iter().filter(|(_, level)| levels.contains(&level.as_str()));
                    broken.for_each(|(index, _)| self.add(&mut rows, RowKey { project, index: *index }));
                }
            }
            (Facet::Is, "duplicate") => {
                let keys = self.duplicates().flat_map(|(_, keys)| keys);
                keys.for_each(|key| self.add(&mut rows, *key));
            }
            (Facet::Is, "skewed") => {
                let skewed =
                    self.shared().filter(|(_, keys)| self.is_skewed(keys)).flat_map(|(_, keys)| keys);
                skewed.for_each(|key| self.add(&mut rows, *key));
            }
            (Facet::Is, "yanked") => {
                // The rows of projects whose newest version is withdrawn: no other is left.
                let is_yanked = |key: &RowKey| self.projects[key.project].newest().withdrawal.is_some();
                self.rows().filter(is_yanked).for_each(|key| self.add(&mut rows, key));
            }
            _ => {}
        }
        rows
    }

    fn add(&self, rows: &mut RowSet, key: RowKey) {
        let of_project = &mut rows.0[key.project];
        of_project.resize(self.projects[key.project].symbols.rows.len(), false);
        of_project[key.index] = true;
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

    /// Returns whether a row, or its project, has a facet.
    fn has(&self, key: RowKey, filter: &Filter) -> bool {
        let (project, value) = (&self.projects[key.project], filter.value.as_str());
        match filter.facet {
            Facet::Project => project.name() == value,
            Facet::Version => {
                let version = project.version(value);
                version.is_some_and(|it| project.shape_at(&self.row(key).id, &it.version).is_some())
            }
            Facet::Released => {
                let day = project.added(key.index).and_then(|version| version.released.as_deref());
                day.is_some_and(|day| filter.has_day(day))
            }
            Facet::Owner => {
                let is_it = |owner: &String| owner == value || owner.trim_start_matches('@') == value;
                project.owners().iter().any(is_it)
            }
            Facet::Mlir => {
                project.newest().mlir == value || project.newest().profile.as_deref() == Some(value)
            }
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
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use odsmith_engine::interchange::symbols::{Row, SCHEMA, Symbols, Use};
    use odsmith_registry::digest::{Digest, sha256};

    use super::*;
    use crate::project::{Moment, Project, ProjectFacts, VersionFacts};

    const VERBS: [&str; 10] =
        ["load", "store", "extract", "insert", "reshape", "matmul", "reduce", "cast", "compare", "broadcast"];
    const NOUNS: [&str; 9] =
        ["slice", "element", "tile", "vector", "buffer", "memref", "tensor", "constant", "region"];

    /// Builds a project as large and as varied as public ones.
    fn project(number: usize, rows: usize) -> Arc<Project> {
        let name = format!("project{number}");
        let row = |index: usize| {
            let (verb, noun) = (VERBS[index % 10], NOUNS[index / 10 % 9]);
            let (kind, text) = match index % 12 {
                10 => ("type", format!("!{name}.{noun}{index}")),
                11 => ("constraint", format!("{verb}{noun}{index}")),
                _ => ("op", format!("{name}.{verb}_{noun}_{index}")),
            };
            let last = text.rsplit('.').next().unwrap_or_default().to_owned();
            Row {
                id: format!("{name}/{kind}/{last}"),
                kind: kind.to_owned(),
                summary: format!("{verb}s the {noun} number {index} of another {}", NOUNS[index % 9]),
                signature: format!("{text} : (AnyMemRef, Any{noun}) -> Index"),
                parts: vec![format!("operand:{noun}"), "result:out".to_owned()],
                shape: sha256(text.as_bytes())[..16].to_owned(),
                aliases: vec![format!("{}Op{index}", verb.to_uppercase())],
                file: format!("{name}.td"),
                line: 1,
                name: text,
                ..Row::default()
            }
        };
        let mut symbols = Symbols { schema: SCHEMA, rows: (0..rows).map(row).collect(), uses: Vec::new() };
        symbols.rows.sort();
        let uses = symbols.rows.iter().enumerate().filter(|(_, row)| row.kind == "op");
        symbols.uses = uses
            .map(|(index, row)| Use {
                target: if index % 3 == 0 { "mlir:_/trait/Pure" } else { "mlir:_/trait/Commutative" }
                    .to_owned(),
                user: row.id.clone(),
                how: "trait".to_owned(),
            })
            .collect();
        symbols.uses.sort();
        let moment =
            |version: &str, row: &Row| Moment { version: version.into(), shape: Some(row.shape.clone()) };
        let history = symbols.rows.iter().enumerate().map(|(index, row)| {
            (row.id.clone(), vec![moment(if index % 4 == 0 { "1.1.0" } else { "1.0.0" }, row)])
        });
        let version = |text: &str, day: &str| VersionFacts {
            version: text.to_owned(),
            tag: text.to_owned(),
            manifest: Digest::from_hex(&sha256(format!("{name} {text}").as_bytes())).expect("a digest"),
            released: Some(day.to_owned()),
            mlir: "22".to_owned(),
            profile: None,
            title: None,
            summary: None,
            commit: None,
            source: None,
            owners: vec![format!("@example/team{}", number % 5)],
            dialects: Vec::new(),
            coverage: None,
            dependencies: Vec::new(),
            layers: BTreeSet::new(),
            reports: Vec::new(),
            withdrawal: None,
            breaks: None,
            against: None,
            moved_from: Vec::new(),
        };
        let facts = ProjectFacts {
            project: name.clone(),
            repository: format!("oci://r.example/{name}"),
            versions: vec![version("1.1.0", "2026-06-01"), version("1.0.0", "2026-01-01")],
            history: history.collect(),
            ..ProjectFacts::default()
        };
        Arc::new(Project::new(facts, symbols))
    }

    const QUESTIONS: &[&str] = &[
        "matmul",
        "slice",
        "extract slice",
        "project1.load_slice_0",
        "oad_sli",
        "xtract_slice_",
        "memref -> index",
        "tensor ->",
        "kind:op",
        "kind:type buffer",
        "released:>2026-03",
        "released:>2026-03 kind:op reduce",
        "trait:Pure reshape",
        "-trait:Pure kind:op",
        "version:1.0.0 cast",
        "project:project2 tile",
        "owner:example/team1",
        "number 7",
        "out",
        "LOADop10",
        "ns::loadop10",
        "count by project kind:op",
        "matmull",
        "extarct_slice_20",
        "zzqqxxyy",
        ".",
        "project0/op/cast_slice_7",
    ];

    fn catalog(projects: usize, rows: usize) -> Catalog {
        Catalog::new((0..projects).map(|number| project(number, rows)).collect()).0
    }

    /// The index leaves out no answer, and a page has the best ones in order.
    #[test]
    fn the_index_answers_as_all_rows_do() {
        let catalog = catalog(3, 240);
        let mut found = 0;
        for question in QUESTIONS {
            let query = Query::parse(question).expect("a question");
            let whole = catalog.rank(&query, usize::MAX).expect("an answer");
            for project in &catalog.projects {
                assert!(query.rows_with_words(&project.words).is_none_or(|rows| rows.len() <= 240));
            }
            let candidate = |key: RowKey| Candidate {
                key,
                row: catalog.row(key),
                texts: Cow::Borrowed(&catalog.projects[key.project].texts[key.index]),
            };
            let prepared: Vec<RowSet> =
                query.filters().iter().map(|filter| catalog.prepared(filter)).collect();
            let has = |key: RowKey, index: usize, filter: &Filter| match filter.facet {
                Facet::Uses(_) => prepared[index].has(key),
                _ => catalog.has(key, filter),
            };
            let all =
                |almost| query.rank(catalog.rows().map(candidate), almost, usize::MAX, has).expect("rows");
            let mut expected = all(false);
            if expected.is_empty() && query.may_be_misspelt() {
                expected = all(true);
            }
            assert_eq!(whole, expected, "{question}");
            found += whole.len();
            let page = catalog.rank(&query, 7).expect("an answer");
            assert_eq!(
                (&page[..7.min(page.len())], page.len()),
                (&whole[..7.min(whole.len())], whole.len()),
                "{question}"
            );
        }
        assert!(found > 2_000, "{found}");
    }
}
