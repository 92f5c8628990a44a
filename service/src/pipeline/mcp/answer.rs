//! Answers of tools: at most 8,192 bytes, with texts of authors marked as data.

use serde_json::{Value, json};

/// The most bytes of an answer as JSON. It is sent twice, as a value and as text with escapes, within 8,192 bytes.
const MOST_BYTES: usize = 8_192;
/// The bytes of an answer around both.
const FRAME_BYTES: usize = 200;

/// Returns a text without control characters, in one line.
#[must_use]
pub fn plain(text: &str) -> String {
    let clean = text.chars().map(|c| if c == '\n' || c == '\t' { ' ' } else { c });
    clean.filter(|c| !c.is_control() && !is_invisible(*c)).collect()
}

/// Returns a text of several lines between fences, which it cannot close.
#[must_use]
pub fn fenced(text: &str) -> String {
    let clean: String =
        text.chars().filter(|c| matches!(c, '\n' | '\t') || (!c.is_control() && !is_invisible(*c))).collect();
    let mut fence = "~~~".to_owned();
    while clean.contains(&fence) {
        fence.push('~');
    }
    format!("{fence}\n{}\n{fence}", clean.trim_matches('\n'))
}

/// Returns whether a character changes how others are read, and is not seen itself.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// Returns whether an answer is small enough.
#[must_use]
pub fn fits(value: &Value) -> bool {
    let text = value.to_string();
    // As text it is a string in JSON.
    let as_text = Value::String(text.clone()).to_string();
    text.len() + as_text.len() + FRAME_BYTES <= MOST_BYTES
}

/// Builds a page of a list. What does not fit is counted, with a cursor for the next page.
#[must_use]
pub fn page(total: usize, list: &str, items: Vec<Value>, from: usize, most: usize) -> Value {
    let mut shown: Vec<Value> = items.into_iter().skip(from).take(most).collect();
    loop {
        let end = from + shown.len();
        let more = total.saturating_sub(end);
        let next = if more > 0 { Value::String(end.to_string()) } else { Value::Null };
        let value = json!({ "total": total, list: shown, "more": more, "next": next });
        if fits(&value) || shown.is_empty() {
            return value;
        }
        shown.pop();
    }
}

/// Shortens the texts and lists of an object until it fits, the named ones in their order.
#[must_use]
pub fn shortened(mut value: Value, fields: &[&str]) -> Value {
    let mut more = 0;
    for field in fields {
        while !fits(&value) {
            let Some(part) = value.get_mut(*field) else { break };
            match part {
                Value::String(text) if text.len() > 64 => {
                    let half = text.len() / 2;
                    let end = (0..=half).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
                    more += text.len() - end;
                    text.truncate(end);
                    text.push('…');
                }
                Value::Array(items) if !items.is_empty() => {
                    items.pop();
                    more += 1;
                }
                _ => break,
            }
        }
    }
    if more > 0
        && let Value::Object(fields) = &mut value
    {
        fields.insert("more".to_owned(), json!(more));
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_authors() {
        assert_eq!(plain("a\nb\u{1b}[31m\u{202e}c"), "a b[31mc");
        assert_eq!(fenced("x\n~~~\ny"), "~~~~\nx\n~~~\ny\n~~~~");
    }

    #[test]
    fn answers_are_small() {
        let items: Vec<Value> =
            (0..500).map(|number| json!({ "id": format!("\"item {number}\"") })).collect();
        let first = page(500, "hits", items.clone(), 0, 50);
        assert!(fits(&first) && first["more"] == 450 && first["next"] == "50", "{first}");
        let last = page(500, "hits", items, 480, 50);
        assert!(last["next"].is_null() && last["hits"].as_array().is_some_and(|it| it.len() == 20));
        let long = shortened(json!({ "id": "a", "description": "x".repeat(100_000) }), &["description"]);
        assert!(fits(&long) && long["more"].as_u64() > Some(90_000));
    }
}
