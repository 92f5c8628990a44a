//! Answers of tools about all projects of a catalogue.

use std::sync::Arc;

use odsmith_catalog::{
    Catalog, Project,
    answers::{Lookup, SymbolAnswer},
    id::SymbolId,
    project::VersionFacts,
    search::SearchError,
};
use odsmith_engine::interchange::symbols::Symbols;
use serde_json::{Value, json};

use super::{
    answer::{fits, page, plain, shortened},
    arguments::{Arguments, needed, range, text},
};
use crate::pipeline::catalog::lookup;

/// Reads the symbols of an older version of a project.
pub type VersionReader = dyn Fn(&Project, &str) -> Result<Symbols, String> + Send + Sync;

/// A catalogue that tools ask.
pub struct CatalogTool {
    /// The catalogue.
    pub catalog: Arc<Catalog>,
    /// Reads older versions.
    pub symbols: Box<VersionReader>,
}

impl std::fmt::Debug for CatalogTool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "CatalogTool({})", self.catalog.generation)
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
    ///
    /// # Errors
    /// The question or the cursor is wrong.
    pub fn search(&self, arguments: &Arguments) -> Result<Value, String> {
        let (from, limit) = range(arguments)?;
        let catalog = &self.catalog;
        let question = needed(arguments, "query")?;
        let found = catalog.search(question, None, from.saturating_add(limit)).map_err(question_error)?;
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
    ///
    /// # Errors
    /// The cursor is wrong.
    pub fn uses(&self, arguments: &Arguments) -> Result<Value, String> {
        let (from, limit) = range(arguments)?;
        let catalog = &self.catalog;
        let (symbol, how) = (needed(arguments, "symbol")?, text(arguments, "how"));
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
    ///
    /// # Errors
    /// There is no such definition, or its version cannot be read.
    pub fn describe(&self, arguments: &Arguments) -> Result<Value, String> {
        let catalog = &self.catalog;
        let symbol = needed(arguments, "symbol")?;
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
        let found = lookup(catalog, &id, |project, version| (self.symbols)(project, version))?;
        match found.ok_or_else(missing)? {
            Lookup::Symbol(symbol) => Ok(described(&symbol, &others)),
            Lookup::Several(ids) => {
                Err(format!("'{}' has several meanings: {}", symbol.escape_debug(), ids.join(", ")))
            }
        }
    }

    /// Finds a version as calls name it, `stablehlo@1.12.0`; nothing if the text is no such name.
    #[must_use]
    pub fn version(&self, text: &str) -> Option<Result<(&Project, &VersionFacts), String>> {
        let (name, version) = text.split_once('@').filter(|(name, _)| !name.contains(['/', ':']))?;
        let project = self.catalog.project(name)?;
        let found = if version == "latest" { Some(project.newest()) } else { project.version(version) };
        let missing = || format!("{name} has no version '{}'", version.escape_debug());
        Some(found.map(|found| (project, found)).ok_or_else(missing))
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
