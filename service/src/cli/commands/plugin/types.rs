//! The types of the protocol in the languages of the kit, written from its JSON Schema.

use std::fmt::Write as _;

use clap::ValueEnum;
use odsmith_engine::plugin::protocol::{VERSION, schema};
use serde_json::Value;

/// A language of the kit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Language {
    /// Rust, also as a WebAssembly module
    Rust,
    /// Python 3
    Python,
    /// JavaScript, for Node.js
    Js,
    /// C, also as a WebAssembly module
    C,
}

/// The type of a field.
enum Kind {
    Text,
    Number,
    Truth,
    Data,
    /// One of several words.
    Words(String),
    Message(String),
    List(Box<Kind>),
}

/// A field of a message.
struct Field<'s> {
    name: &'s str,
    kind: Kind,
    /// True if each message has it.
    is_required: bool,
    about: String,
}

/// Returns the types in a language.
#[must_use]
pub fn types(language: Language) -> String {
    let schema = schema();
    let mut text = match language {
        Language::Rust => {
            format!("/// The version of the protocol.\npub const PROTOCOL: u32 = {VERSION};\n\n")
        }
        Language::Python => format!("PROTOCOL = {VERSION}\n\n"),
        Language::Js => format!("const PROTOCOL = {VERSION};\n\n"),
        Language::C => format!("#define ODSMITH_PROTOCOL {VERSION}\n\n"),
    };
    let all = &schema["$defs"];
    for (name, definition) in all.as_object().into_iter().flatten() {
        let about = &about(definition);
        // Writing to a string cannot fail.
        let _ = match definition["enum"].as_array() {
            Some(words) => {
                let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
                write_words(&mut text, language, name, about, &words)
            }
            None => write_fields(&mut text, language, name, about, &fields(definition, all)),
        };
    }
    text
}

/// Returns the description of a type or a field, in one line.
fn about(schema: &Value) -> String {
    schema["description"].as_str().unwrap_or_default().replace('\n', " ")
}

fn fields<'s>(definition: &'s Value, all: &Value) -> Vec<Field<'s>> {
    let required: Vec<&str> =
        definition["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let properties = definition["properties"].as_object().into_iter().flatten();
    let field = |(name, schema): (&'s String, &'s Value)| Field {
        name,
        kind: kind(schema, all),
        is_required: required.contains(&name.as_str()),
        about: about_field(schema),
    };
    properties.map(field).collect()
}

/// Returns the description of a field; for an optional part, the one beside it.
fn about_field(schema: &Value) -> String {
    let parts = schema["oneOf"].as_array().into_iter().flatten();
    let mut all = std::iter::once(schema).chain(parts).map(about);
    all.find(|text| !text.is_empty()).unwrap_or_default()
}

fn kind(schema: &Value, all: &Value) -> Kind {
    if let Some(part) = schema["oneOf"].as_array().into_iter().flatten().find(|part| part["type"] != "null") {
        return kind(part, all);
    }
    if let Some(part) = schema["$ref"].as_str().and_then(|part| part.strip_prefix("#/$defs/")) {
        let has_words = all[part]["enum"].is_array();
        return if has_words { Kind::Words(part.to_owned()) } else { Kind::Message(part.to_owned()) };
    }
    let types = schema["type"].as_array();
    let is_known = |name: &&Value| name.as_str() != Some("null");
    let name = types.and_then(|types| types.iter().find(is_known)).unwrap_or(&schema["type"]);
    match name.as_str() {
        Some("array") => Kind::List(Box::new(kind(&schema["items"], all))),
        Some("string") => Kind::Text,
        Some("integer") => Kind::Number,
        Some("boolean") => Kind::Truth,
        _ => Kind::Data,
    }
}

/// Returns the name of a type in a language; some names are taken in Rust.
fn type_name(language: Language, name: &str) -> String {
    match (language, name) {
        (Language::Rust, "Option") => "Setting".to_owned(),
        _ => name.to_owned(),
    }
}

fn kind_in(language: Language, kind: &Kind) -> String {
    let words = match language {
        Language::Rust => ["String", "u32", "bool", "Value"],
        Language::Python => ["str", "int", "bool", "dict[str, Any]"],
        Language::Js | Language::C => ["string", "number", "boolean", "Object"],
    };
    match kind {
        Kind::Text => words[0].to_owned(),
        Kind::Number => words[1].to_owned(),
        Kind::Truth => words[2].to_owned(),
        Kind::Data => words[3].to_owned(),
        Kind::Words(name) | Kind::Message(name) => type_name(language, name),
        Kind::List(item) => {
            let item = kind_in(language, item);
            match language {
                Language::Rust => format!("Vec<{item}>"),
                Language::Python => format!("list[{item}]"),
                Language::Js | Language::C => format!("{item}[]"),
            }
        }
    }
}

fn write_words(
    text: &mut String,
    language: Language,
    name: &str,
    about: &str,
    words: &[&str],
) -> std::fmt::Result {
    match language {
        Language::Rust => {
            writeln!(text, "/// {about}\n#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]")?;
            writeln!(text, "#[serde(rename_all = \"lowercase\")]\npub enum {name} {{")?;
            for (at, word) in words.iter().enumerate() {
                let first = word.chars().next().unwrap_or_default().to_ascii_uppercase();
                writeln!(
                    text,
                    "{}    {first}{},",
                    if at == 0 { "    #[default]\n" } else { "" },
                    &word[1..]
                )?;
            }
            writeln!(text, "}}\n")
        }
        Language::Python => {
            let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
            writeln!(text, "# {about}\n{name} = Literal[{}]\n", words.join(", "))
        }
        Language::Js => {
            let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
            writeln!(text, "/** {about}\n * @typedef {{{}}} {name} */\n", words.join(" | "))
        }
        Language::C => writeln!(text, "// {name}: {about} One of {}.\n", words.join(", ")),
    }
}

fn write_fields(
    text: &mut String,
    language: Language,
    name: &str,
    about: &str,
    fields: &[Field<'_>],
) -> std::fmt::Result {
    let name = type_name(language, name);
    match language {
        Language::Rust => {
            writeln!(
                text,
                "/// {about}\n#[derive(Clone, Debug, Default, Deserialize, Serialize)]\npub struct {name} {{"
            )?;
            for Field { name, kind, is_required, about } in fields {
                let rust = kind_in(language, kind);
                let (attribute, rust) = match kind {
                    _ if *is_required => ("", rust),
                    Kind::List(_) | Kind::Truth | Kind::Words(_) => ("    #[serde(default)]\n", rust),
                    Kind::Text | Kind::Number | Kind::Data | Kind::Message(_) => (
                        "    #[serde(default, skip_serializing_if = \"Option::is_none\")]\n",
                        format!("Option<{rust}>"),
                    ),
                };
                writeln!(text, "    /// {about}\n{attribute}    pub {name}: {rust},")?;
            }
            writeln!(text, "}}\n")
        }
        Language::Python => {
            writeln!(text, "\nclass {name}(TypedDict, total=False):\n    \"\"\"{about}\"\"\"\n")?;
            for Field { name, kind, about, .. } in fields {
                writeln!(text, "    # {about}\n    {name}: {}", kind_in(language, kind))?;
            }
            writeln!(text)
        }
        Language::Js => {
            writeln!(text, "/**\n * {about}\n * @typedef {{Object}} {name}")?;
            for Field { name, kind, is_required, about } in fields {
                let shown = if *is_required { (*name).to_owned() } else { format!("[{name}]") };
                writeln!(text, " * @property {{{}}} {shown} {about}", kind_in(language, kind))?;
            }
            writeln!(text, " */\n")
        }
        Language::C => {
            writeln!(text, "// {name}: {about}")?;
            for Field { name: field, kind, about, .. } in fields {
                let constant = format!("{name}_{field}").to_uppercase();
                writeln!(text, "#define {constant} \"{field}\" // {}: {about}", kind_in(language, kind))?;
            }
            writeln!(text)
        }
    }
}
