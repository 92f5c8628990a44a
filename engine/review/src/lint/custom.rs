//! Rules that a project declares over `model.json`: each value that the query finds is a finding.
//!
//! The document refers to traits and constraints by index. They are put in place of the indexes here, so that a query
//! can use their names: `operations[?!traits[?name == 'Pure']]`.

use odsmith_interchange::Document;
use serde_json::Value;

use super::{
    config::{Config, CustomRule},
    finding::{Finding, Location},
    query::Query,
    rule::Level,
};

/// Runs the project's rules on a document.
///
/// # Errors
/// A query does not parse, or takes too much work.
pub fn find(document: &Document, config: &Config) -> Result<Vec<Finding>, String> {
    if config.custom.is_empty() {
        return Ok(Vec::new());
    }
    let mut value = serde_json::to_value(document).map_err(|error| error.to_string())?;
    expand(&mut value);
    let mut findings = Vec::new();
    for rule in config.custom.iter().filter(|rule| rule.level > Level::Off) {
        let wrong = |reason: String| format!("rule {}: {reason}", rule.id);
        let query = Query::parse(&rule.on).map_err(wrong)?;
        for (index, found) in query.find(&value).map_err(wrong)? {
            let item = value.get(query.list()).and_then(|list| list.get(index));
            findings.extend(item.and_then(|item| finding(rule, query.list(), item, found)));
        }
    }
    Ok(findings)
}

/// Replaces the indexes of traits and constraints by the values.
fn expand(document: &mut Value) {
    let list = |document: &Value, name: &str| document.get(name).and_then(Value::as_array).cloned();
    let traits = list(document, "traits").unwrap_or_default();
    let constraints = list(document, "constraints").unwrap_or_default();
    let at = |list: &[Value], index: &Value| {
        index.as_u64().and_then(|index| list.get(index as usize).cloned()).unwrap_or(Value::Null)
    };
    for kind in ["operations", "attributes", "types"] {
        let items = document.get_mut(kind).and_then(Value::as_array_mut);
        for item in items.into_iter().flatten() {
            if let Some(Value::Array(indexes)) = item.get_mut("traits") {
                for index in indexes {
                    let mut named = at(&traits, index);
                    name(&mut named);
                    *index = named;
                }
            }
            for parts in ["arguments", "results", "regions", "successors", "derived_attributes"] {
                let parts = item.get_mut(parts).and_then(Value::as_array_mut);
                for part in parts.into_iter().flatten() {
                    if let Some(constraint) = part.get_mut("constraint") {
                        let mut named = at(&constraints, constraint);
                        name(&mut named);
                        *constraint = named;
                    }
                }
            }
        }
    }
}

/// Names a trait or constraint after its record, if it has one.
fn name(value: &mut Value) {
    let record = value.pointer("/definition/record").cloned();
    if let (Value::Object(object), Some(record)) = (value, record) {
        object.insert("name".to_owned(), record);
    }
}

fn finding(rule: &CustomRule, list: &str, item: &Value, found: &Value) -> Option<Finding> {
    let text = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    let definition = item.get("definition")?;
    // Project rules do not apply to MLIR's own definitions.
    if definition.get("is_library").and_then(Value::as_bool) == Some(true) {
        return None;
    }
    let location = definition.get("location").and_then(|location| {
        let number = |name: &str| location.get(name).and_then(Value::as_u64).unwrap_or(1) as u32;
        let (line, column) = (number("line"), number("column"));
        let length = text(definition, "record").map_or(1, |record| record.len() as u32);
        let file = text(location, "file")?;
        Some(Location::new(file, (line, column), Some((line, column + length))))
    });
    let dialect = text(item, "dialect").unwrap_or_default();
    let mnemonic = text(item, "mnemonic").or_else(|| text(item, "cpp_class"));
    let named = text(item, "name").or_else(|| text(definition, "record")).unwrap_or_default();
    let subject = match (list, mnemonic) {
        ("types", Some(mnemonic)) => format!("{dialect}!{mnemonic}"),
        ("attributes", Some(mnemonic)) => format!("{dialect}#{mnemonic}"),
        _ => named,
    };
    let part = text(found, "name").filter(|_| found != item);
    let subject = part.map_or(subject.clone(), |part| format!("{subject}#{part}"));
    Some(Finding {
        severity: rule.level.severity(),
        rule: rule.id.clone().into(),
        name: "custom".into(),
        subject,
        message: rule.message.clone(),
        advice: rule.advice.clone().into(),
        location,
        ..Finding::default()
    })
}
