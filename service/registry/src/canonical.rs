//! JSON in one form: keys sorted by bytes, no spaces, integers only, and only the escapes that JSON asks for.

use serde::Serialize;
use serde_json::Value;

/// Writes a value as canonical JSON.
#[must_use]
pub fn to_json(value: &impl Serialize) -> Vec<u8> {
    let mut out = Vec::new();
    // All parts of our documents have a form in JSON.
    write(&serde_json::to_value(value).unwrap_or_default(), &mut out);
    out
}

fn write(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Array(items) => {
            out.push(b'[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                write(item, out);
            }
            out.push(b']');
        }
        Value::Object(fields) => {
            // Another crate of a program may make maps keep the order of insertion.
            let mut names: Vec<&String> = fields.keys().collect();
            names.sort_unstable();
            out.push(b'{');
            for (index, name) in names.into_iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                write(&Value::String(name.clone()), out);
                out.push(b':');
                write(&fields[name], out);
            }
            out.push(b'}');
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            // Writing to memory cannot fail.
            let _ = serde_json::to_writer(out, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_sorted_and_there_are_no_spaces() {
        let value = serde_json::json!({ "b": [1, { "d": null, "c": "é\n" }], "a": true });
        assert_eq!(to_json(&value), "{\"a\":true,\"b\":[1,{\"c\":\"é\\n\",\"d\":null}]}".as_bytes());
    }
}
