//! The JSON Schemas of the files that users and other programs read and write.

use std::collections::BTreeMap;

use odsmith_engine::interchange::{Document, grammar::Parameter};
use serde_json::json;
use utoipa::OpenApi;

use crate::pipeline::manifest::Manifest;

/// The types of the files. Nothing else names the last: it is inside of itself.
#[derive(OpenApi)]
#[openapi(components(schemas(Manifest, Document, Parameter)))]
struct Documents;

/// Returns the JSON Schema of `model.json`: the part of the description that concerns it.
#[must_use]
pub fn model_schema() -> String {
    const PREFIX: &str = "#/components/schemas/model.";
    let components = Documents::openapi().components.unwrap_or_default();
    let definitions = components.schemas.iter().filter_map(|(name, schema)| {
        let schema = serde_json::to_string(schema).ok()?.replace(PREFIX, "#/$defs/");
        let schema: serde_json::Value = serde_json::from_str(&schema).ok()?;
        Some((name.strip_prefix("model.")?.to_owned(), schema))
    });
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "model.json",
        "$ref": "#/$defs/Document",
        "$defs": definitions.collect::<BTreeMap<_, _>>(),
    });
    format!("{schema:#}\n")
}

/// Returns the JSON Schema of a comparison.
#[must_use]
pub fn diff_schema() -> &'static str {
    include_str!("diff.schema.json")
}

/// Writes the names of properties as the file has them: with hyphens.
fn hyphenate_keys(schema: &mut serde_json::Value) {
    if let Some(properties) = schema["properties"].as_object_mut() {
        *properties = std::mem::take(properties)
            .into_iter()
            .map(|(key, value)| (key.replace('_', "-"), value))
            .collect();
    }
    if let Some(required) = schema["required"].as_array_mut() {
        for name in required {
            *name = name.as_str().unwrap_or_default().replace('_', "-").into();
        }
    }
}

/// Returns the JSON Schema of `odsmith.toml`: the part of the description that concerns it.
#[must_use]
pub fn manifest_schema() -> serde_json::Value {
    const PREFIX: &str = "#/components/schemas/";
    let components = Documents::openapi().components.unwrap_or_default();
    let mut definitions = BTreeMap::new();
    let mut waiting = vec!["Manifest".to_owned()];
    while let Some(name) = waiting.pop() {
        if definitions.contains_key(&name) {
            continue;
        }
        let schema = components.schemas.get(&name).and_then(|schema| serde_json::to_string(schema).ok());
        let Some(schema) = schema else { continue };
        let parts = schema.split(PREFIX).skip(1).filter_map(|rest| Some(rest.split_once('"')?.0.to_owned()));
        waiting.extend(parts);
        let schema = schema.replace(PREFIX, "#/$defs/");
        let mut schema = serde_json::from_str::<serde_json::Value>(&schema).unwrap_or_default();
        hyphenate_keys(&mut schema);
        definitions.insert(name, schema);
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "odsmith.toml",
        "$ref": "#/$defs/Manifest",
        "$defs": definitions,
    })
}
