//! The messages between a host and a plugin, as data. Their JSON Schema follows from the types here.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json, value::RawValue};
use utoipa::{PartialSchema, ToSchema};

/// The version of the protocol. It changes whenever plugins would have to change.
pub const VERSION: u32 = 1;

/// The message of a host: what is to be made, and of what. The first one has neither records nor a model; a plugin that
/// needs them says so, and is run once more.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = plugin::Request)]
pub struct Request {
    /// The version of the protocol.
    pub protocol: u32,
    /// The MLIR release whose rules apply.
    pub mlir: String,
    /// The root file's name, without its folder.
    pub root: String,
    /// The generator that is asked for, without dashes: `gen-my-thing`; empty if none is named.
    pub generator: String,
    /// The options, in order: `-dialect=arith` is `dialect` with `arith`, and a flag without a value has the empty one.
    pub options: Vec<PluginOption>,
    /// The files to make, by their names without a folder.
    pub outputs: Vec<String>,
    /// Records, in the form of `--dump-json`: the defs of the classes that the plugin needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub records: Option<Box<RawValue>>,
    /// The model of the root, in the form of `model.json`, if the plugin needs it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub model: Option<Box<RawValue>>,
}

/// One option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = plugin::Option)]
pub struct PluginOption {
    /// The name without dashes.
    pub name: String,
    /// The value.
    pub value: String,
}

/// The message of a plugin: what it needs, or what it made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = plugin::Response)]
pub struct Response {
    /// The version of the protocol.
    pub protocol: u32,
    /// The data that the plugin needs. The host runs it once more, with a request that holds them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub needs: Option<Needs>,
    /// The files: one for each name in the request.
    #[serde(default)]
    pub files: Vec<File>,
    /// Messages for the user. After an error no file counts.
    #[serde(default)]
    pub diagnostics: Vec<Message>,
}

/// The data that a plugin needs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = plugin::Needs)]
pub struct Needs {
    /// The classes whose defs the records hold; `*` for all defs.
    #[serde(default)]
    pub classes: Vec<String>,
    /// The fields of these defs; all if none are named.
    #[serde(default)]
    pub fields: Vec<String>,
    /// The model is needed.
    #[serde(default)]
    pub model: bool,
}

/// A file that a plugin made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = plugin::File)]
pub struct File {
    /// Its name, as in the request.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// A message for the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = plugin::Message)]
pub struct Message {
    /// The severity.
    #[serde(default)]
    pub severity: MessageSeverity,
    /// The message: lower case, no full stop.
    pub message: String,
    /// The place that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<SourcePlace>,
    /// More details.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

/// The severity of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = plugin::Severity)]
pub enum MessageSeverity {
    /// The output is not made.
    #[default]
    Error,
    /// The output is made.
    Warning,
    /// The output is made, and nothing is wrong.
    Note,
}

/// A detail of a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = plugin::Note)]
pub struct Note {
    /// The text.
    pub message: String,
    /// The place that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<SourcePlace>,
}

/// A place in the definitions: a record and perhaps a field of it, or a line of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = plugin::Place)]
pub struct SourcePlace {
    /// The name of a def.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    /// A field of that def.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// A file, by its name or the end of its path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line of that file, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The column, from 1 and in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

/// Returns the JSON Schema of both messages.
#[must_use]
pub fn schema() -> Value {
    const PREFIX: &str = "#/components/schemas/plugin.";
    let mut named = vec![
        (Request::name().into_owned(), Request::schema()),
        (Response::name().into_owned(), Response::schema()),
    ];
    Request::schemas(&mut named);
    Response::schemas(&mut named);
    let definitions = named.iter().filter_map(|(name, schema)| {
        let text = serde_json::to_string(schema).ok()?.replace(PREFIX, "#/$defs/");
        let mut schema: Value = serde_json::from_str(&text).ok()?;
        // Both have schemas of their own.
        if let Some(model) = schema.pointer_mut("/properties/model").filter(|_| name == "plugin.Request") {
            *model = json!({ "$ref": "model.json", "description": model["description"] });
        }
        Some((name.strip_prefix("plugin.")?.to_owned(), schema))
    });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "plugin.json",
        "oneOf": [{ "$ref": "#/$defs/Request" }, { "$ref": "#/$defs/Response" }],
        "$defs": definitions.collect::<BTreeMap<_, _>>(),
    })
}
