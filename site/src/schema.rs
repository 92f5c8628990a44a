//! The JSON Schema of the page model, which the JSON twins of all pages follow.

use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Value, json};

use crate::view::{self, SCHEMA};

/// The values of a twin's field `kind`, and the schema of its fields.
type Twin = (&'static [&'static str], fn(&mut SchemaGenerator) -> Schema);

const TWINS: &[Twin] = &[
    (&["dialect"], of::<view::Dialect>),
    (&["op"], of::<view::Operation>),
    (&["type", "attr"], of::<view::AttrOrType>),
    (&["enum"], of::<view::Enum>),
    (&["trait", "interface"], of::<view::TraitPage>),
    (&["constraint"], of::<view::ConstraintPage>),
    (&["class"], of::<view::ClassPage>),
    (&["pass"], of::<view::Pass>),
    (&["patterns"], of::<view::Patterns>),
    (&["coverage"], of::<view::Coverage>),
    (&["names"], of::<view::Az>),
    (&["passes"], of::<view::Passes>),
    (&["index"], of::<view::IndexPage>),
    (&["matrix"], of::<view::Matrix>),
    (&["release"], of::<view::ReleasePage>),
    (&["rules"], of::<view::RulePage>),
    (&["removed"], of::<view::Removed>),
];

fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// Writes `schema/page.schema.json` in draft 7, which every validator reads.
#[must_use]
pub fn page() -> String {
    let mut generator = SchemaSettings::draft07().for_serialize().into_generator();
    let kinds: Vec<Value> = TWINS
        .iter()
        .map(|(kinds, schema)| {
            let named = json!({"properties": {"schema": {"const": SCHEMA}, "kind": {"enum": kinds}}});
            json!({"allOf": [schema(&mut generator), named]})
        })
        .collect();
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": SCHEMA,
        "description": "A page of a dialect reference. Addresses are relative to the site's root.",
        "type": "object",
        "required": ["schema", "kind"],
        "oneOf": kinds,
        "definitions": generator.take_definitions(true),
    });
    format!("{schema:#}\n")
}
