//! A template that writes text in place of a page: nothing is escaped, and the value is the caller's. Its functions and its
//! strictness are those of pages.

use handlebars::no_escape;
use odsmith_engine::limits::Budget;
use serde_json::Value;

use super::{
    Templates,
    templates::{Fault, name_of},
    write_page,
};
use crate::{links::Registry, markdown::Texts};

/// Fills a template with a value. With `each`, that is once for each item of the list of this name; the rest of the value
/// is one level above, as in `{{#each}}`.
///
/// # Errors
/// The template does not parse, uses an unknown function, or reads what the value does not have.
pub fn fill(file: &str, text: &str, each: Option<&str>, value: &Value) -> Result<String, Fault> {
    // On the first line, so that faults keep their lines. A block on a line of its own would take the line break.
    let text = match each {
        Some(list) => format!("{{{{#each {list}}}}}{}{{{{~/each}}}}", guarded(text)),
        None => text.to_owned(),
    };
    let (registry, texts) = (Registry::default(), Texts::default());
    let mut templates = Templates::alone(file, &text)?.register(&registry, &texts);
    templates.register_escape_fn(no_escape);
    write_page(&templates, name_of(file), value, &Budget::default())
}

/// Keeps the blanks at both ends of a text from a block around it, which would drop them: a comment is no blank.
fn guarded(text: &str) -> String {
    format!("{{{{!}}}}{text}{{{{!}}}}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_item_fills_the_text() {
        let value =
            json!({ "kind": "<x>", "list": [{ "name": "a", "doc": null }, { "name": "b&", "doc": "D" }] });
        let filled =
            |text: &str| fill("t.hbs", text, Some("list"), &value).map_err(|fault| (fault.line, fault.what));
        assert_eq!(filled("  {{name}}\n").as_deref(), Ok("  a\n  b&\n"));
        assert_eq!(
            filled("{{name}} {{../kind}}{{#if doc}}: {{doc}}{{/if}}\n").as_deref(),
            Ok("a <x>\nb& <x>: D\n")
        );
        assert_eq!(filled("\n{{nane}}").map_err(|(line, _)| line), Err(2));
        assert!(filled("{{other name}}").is_err());
        assert_eq!(fill("t.hbs", "{{len list}}\n", None, &value).as_deref(), Ok("2\n"));
    }
}
