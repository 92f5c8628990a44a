//! Answers of tools from a catalogue, where the server was started with one.

use odsmith_catalog::{
    answers::{Lookup, SymbolAnswer},
    id::SymbolId,
    search::SearchError,
};
use serde_json::{Value, json};

use super::answer::{fits, page, plain, shortened};
use crate::pipeline::catalog::{lookup, place::OpenCatalog};

/// The most hits that a page is cut from.
const MOST_HITS: usize = 10_000;

/// A catalogue, and the place that commands are given for it.
pub struct CatalogTool {
    /// The place.
    pub place: String,
    /// The catalogue.
    pub open: OpenCatalog,
}

impl std::fmt::Debug for CatalogTool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "CatalogTool({})", self.place)
    }
}

fn question_error(error: SearchError) -> String {
    match error {
        SearchError::Question(why) => why,
        SearchError::Gone => "the cursor is of another generation".to_owned(),
    }
}

/// Adds the generation to a page, if there is space for it.
fn with_generation(mut value: Value, generation: &str) -> Value {
    let bare = value.clone();
    value["generation"] = generation.into();
    if fits(&value) { value } else { bare }
}

impl CatalogTool {
    /// Finds definitions.
    pub fn search(&self, question: &str, (from, limit): (usize, usize)) -> Result<Value, String> {
        let catalog = &self.open.catalog;
        let found = catalog.search(question, None, MOST_HITS).map_err(question_error)?;
        if !found.counts.is_empty() {
            let hits = found.counts.iter().map(
                |(name, count)| json!({ "id": name, "summary": format!("{count} definitions"), "url": "" }),
            );
            return Ok(page(found.counts.len(), "hits", hits.collect(), from, limit));
        }
        let hits = found.hits.iter().map(|hit| {
            let mut value = json!({ "id": hit.id, "kind": hit.kind, "url": hit.url });
            let deprecated = hit.deprecated.as_ref().map(|it| format!("{} (deprecated: {it})", hit.summary));
            let summary = deprecated.unwrap_or_else(|| hit.summary.clone());
            for (name, text) in [("summary", &summary), ("signature", &hit.signature)] {
                if !text.is_empty() {
                    value[name] = plain(text).into();
                }
            }
            value
        });
        Ok(with_generation(page(found.total, "hits", hits.collect(), from, limit), &catalog.generation))
    }

    /// Lists users, by project as well.
    pub fn uses(
        &self,
        symbol: &str,
        how: Option<&str>,
        (from, limit): (usize, usize),
    ) -> Result<Value, String> {
        let catalog = &self.open.catalog;
        let found = catalog.uses(symbol, how, None, usize::MAX).map_err(question_error)?;
        let uses = found.uses.iter().map(|it| serde_json::to_value(it).unwrap_or_default());
        let mut value = page(found.total, "uses", uses.collect(), from, limit);
        value["by_project"] = json!(found.by_project);
        while !fits(&value) {
            let Some(items) = value["uses"].as_array_mut().filter(|items| !items.is_empty()) else { break };
            items.pop();
            let end = from + items.len();
            value["more"] = (found.total - end).into();
            value["next"] = end.to_string().into();
        }
        Ok(with_generation(value, &catalog.generation))
    }

    /// Describes a definition by its id or its name.
    pub fn describe(&self, symbol: &str) -> Result<Value, String> {
        let catalog = &self.open.catalog;
        let missing = || format!("nothing is called '{}'", symbol.escape_debug());
        let (id, others) = match SymbolId::parse(symbol) {
            Ok(id) => (id, Vec::new()),
            Err(_) => {
                let keys = catalog.find(symbol);
                let ids: Vec<String> =
                    keys.iter().map(|key| catalog.id(key.project, &catalog.row(*key).id)).collect();
                let (first, rest) = ids.split_first().ok_or_else(missing)?;
                (SymbolId::parse(first)?, rest.to_vec())
            }
        };
        let found = lookup(catalog, &id, |project, version| self.open.symbols(project, version))?;
        match found.ok_or_else(missing)? {
            Lookup::Symbol(symbol) => Ok(described(&symbol, &others)),
            Lookup::Several(ids) => {
                Err(format!("'{}' has several meanings: {}", symbol.escape_debug(), ids.join(", ")))
            }
        }
    }

    /// Returns the place of a version as commands name it: `stablehlo@1.12.0`.
    pub fn version(&self, text: &str) -> Option<Result<String, String>> {
        let (name, version) = text.split_once('@').filter(|(name, _)| !name.contains(['/', ':']))?;
        let project = self.open.catalog.project(name)?;
        let missing = || format!("{name} has no version '{}'", version.escape_debug());
        let of = match version {
            "latest" => Some(project.newest()),
            version => project.version(version),
        };
        let repository = &project.facts.repository;
        Some(of.ok_or_else(missing).and_then(|it| match repository.starts_with("oci://") {
            true => Ok(format!("{repository}:{}@{}", it.tag, it.manifest)),
            false => Err(format!("{name} is in a layout: name it as oci-layout:DIR:TAG")),
        }))
    }
}

fn described(symbol: &SymbolAnswer, others: &[String]) -> Value {
    let of_kind = |kind: &str| {
        let parts = symbol.parts.iter().filter(|part| part.kind == kind);
        let each = parts.map(|part| match &part.constraint {
            Some(constraint) => json!({ "name": part.name, "constraint": plain(constraint) }),
            None => json!({ "name": part.name }),
        });
        each.collect::<Vec<Value>>()
    };
    let mut value = json!({ "id": symbol.id, "kind": symbol.kind, "url": symbol.url });
    let summary = match &symbol.deprecated {
        Some(reason) => format!("{} (deprecated: {reason})", symbol.summary),
        None => symbol.summary.clone(),
    };
    let texts = [("summary", &summary), ("syntax", &symbol.signature), ("file", &symbol.file)];
    for (name, text) in texts.into_iter().filter(|(_, text)| !text.is_empty()) {
        value[name] = plain(text).into();
    }
    value["line"] = symbol.line.into();
    for (name, kind) in [("operands", "operand"), ("results", "result"), ("attributes", "attribute")] {
        let parts = of_kind(kind);
        if !parts.is_empty() {
            value[name] = parts.into();
        }
    }
    let members = ["case", "method", "option", "parameter"].map(of_kind).concat();
    if !members.is_empty() {
        value["members"] = members.into();
    }
    let used = ["trait", "interface"].iter().filter_map(|how| symbol.uses.get(*how)).flatten();
    let used: Vec<&String> = used.collect();
    if !used.is_empty() {
        value["traits"] = json!(used);
    }
    let versions: Vec<String> =
        symbol.history.iter().map(|it| format!("{} {}", it.version, it.change)).collect();
    if !versions.is_empty() {
        value["versions"] = json!(versions);
    }
    let also: Vec<&String> = symbol.also.iter().map(|it| &it.id).chain(others).collect();
    if !also.is_empty() {
        value["alternatives"] = json!(also);
    }
    shortened(value, &["versions", "members", "alternatives", "attributes", "traits", "operands", "results"])
}
