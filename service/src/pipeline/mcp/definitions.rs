//! Answers of tools about the definitions of one project.

use odsmith_site::text::dedent;
use serde_json::{Value, json};

use super::{
    answer::{fenced, page, plain, shortened},
    arguments::{Arguments, needed, range, text},
};
use crate::pipeline::describe::Subject;

/// Finds definitions.
///
/// # Errors
/// The question or the cursor is wrong.
pub fn search(subject: Subject<'_>, arguments: &Arguments) -> Result<Value, String> {
    let (from, limit) = range(arguments)?;
    let answer = subject.search(needed(arguments, "query")?, 0, usize::MAX)?;
    let hits = answer.hits.iter().map(|hit| {
        let mut value = json!({ "id": hit.id, "kind": hit.kind, "url": hit.url });
        for (name, text) in [("summary", &hit.summary), ("signature", &hit.signature)] {
            if !text.is_empty() {
                value[name] = plain(text).into();
            }
        }
        value
    });
    Ok(page(answer.total, "hits", hits.collect(), from, limit))
}

/// Describes a definition.
///
/// # Errors
/// There is no such definition.
pub fn describe(subject: Subject<'_>, arguments: &Arguments) -> Result<Value, String> {
    let mut description = subject.describe(needed(arguments, "symbol")?)?;
    description.summary = plain(&description.summary);
    let members = [
        &mut description.members,
        &mut description.operands,
        &mut description.attributes,
        &mut description.results,
    ];
    for member in members.into_iter().flatten() {
        member.summary = plain(&member.summary);
    }
    let long = std::mem::take(&mut description.description);
    let mut value = serde_json::to_value(&description).map_err(|error| error.to_string())?;
    if !long.trim().is_empty() {
        value["description"] = fenced(&dedent(&long)).into();
    }
    if let (Some(parts), Value::Object(fields)) =
        (arguments.get("parts").and_then(Value::as_array), &mut value)
    {
        let wants =
            |names: &[&str]| parts.iter().any(|part| part.as_str().is_some_and(|it| names.contains(&it)));
        for (field, names) in [
            ("syntax", &["syntax", "signature"][..]),
            ("operands", &["operands", "signature"]),
            ("results", &["operands", "signature"]),
            ("attributes", &["operands", "signature"]),
            ("traits", &["traits"]),
            ("description", &["description"]),
        ] {
            if !wants(names) {
                fields.remove(field);
            }
        }
    }
    let was_fenced = value.get("description").is_some();
    let mut value = shortened(
        value,
        &["description", "members", "alternatives", "attributes", "traits", "operands", "results"],
    );
    if was_fenced && value.get("more").is_some() {
        // A text that was cut has lost the end of its fence.
        let cut = value["description"].as_str().unwrap_or_default().trim_start_matches('~').to_owned();
        value["description"] = fenced(&cut).into();
    }
    Ok(value)
}

/// Lists users.
///
/// # Errors
/// The cursor is wrong.
pub fn uses(subject: Subject<'_>, arguments: &Arguments) -> Result<Value, String> {
    let (from, limit) = range(arguments)?;
    let uses = subject.uses(needed(arguments, "symbol")?, text(arguments, "how"));
    let all: Vec<Value> = uses.into_iter().map(|(user, how)| json!({ "user": user, "how": how })).collect();
    Ok(page(all.len(), "uses", all, from, limit))
}
