//! Catalogues of published dialects: the pure part is the crate `odsmith-catalog`.
//!
//! * [`read`] lists what a registry or image layouts have;
//! * [`build`] builds a catalogue of that; projects that did not change are taken over;
//! * [`notify`] sends messages about changes;
//! * [`place`] opens the catalogue that a command names.

pub mod build;
#[cfg(feature = "network")]
pub mod notify;
pub mod place;
pub mod read;

use std::collections::BTreeMap;

use odsmith_catalog::{Catalog, Project, answers::Lookup, id::SymbolId};
use odsmith_engine::interchange::symbols::Symbols;
use serde_json::Value;

/// The title of the pages of a catalogue.
pub const TITLE: &str = "Dialects";

/// Describes the definition of an id, in an older version too.
///
/// # Errors
/// The older version cannot be read.
pub fn lookup(
    catalog: &Catalog,
    id: &SymbolId,
    read: impl FnOnce(&Project, &str) -> Result<Symbols, String>,
) -> Result<Option<Lookup>, String> {
    let Some(project) = catalog.project(&id.project) else { return Ok(None) };
    let version = match &id.version {
        Some(version) => match project.version(version) {
            Some(version) => version,
            None => return Ok(None),
        },
        None => project.newest(),
    };
    if version.version == project.newest().version {
        return Ok(catalog.symbol(id));
    }
    let symbols = read(project, &version.version)?;
    Ok(catalog.symbol_of(id, version, &symbols.rows))
}

/// Returns a report by its name; nothing if it is about a project that is not there.
#[must_use]
pub fn report(catalog: &Catalog, name: &str, project: Option<&str>, level: &str) -> Option<Value> {
    if let Some(project) = project {
        catalog.project(project)?;
    }
    let is_it = |name: &str| project.is_none_or(|project| project == name);
    let json = |value: serde_json::Result<Value>| value.unwrap_or_default();
    Some(match name {
        "projects" => {
            let mut list = catalog.list();
            list.projects.retain(|it| is_it(&it.project));
            json(serde_json::to_value(list))
        }
        "versions" => {
            let names = catalog.projects.iter().map(|it| it.name()).filter(|name| is_it(name));
            let all = names.filter_map(|name| Some((name.to_owned(), catalog.versions(name)?)));
            json(serde_json::to_value(all.collect::<BTreeMap<_, _>>()))
        }
        "skew" => json(serde_json::to_value(catalog.skew())),
        "breaks" => json(serde_json::to_value(catalog.breaking_versions(project, level))),
        "deprecated" => json(serde_json::to_value(catalog.deprecated_uses())),
        "duplicates" => json(serde_json::to_value(catalog.duplicate_list())),
        _ => return None,
    })
}
