//! `/docs`: the description of the service as a page, rendered on the server so that it needs no script.

use std::fmt::Write as _;

use serde_json::Value;

/// Renders the page's body from an OpenAPI document: the operations by tag, with parameters, bodies and answers.
pub fn page(document: &[u8]) -> String {
    let document: Value = serde_json::from_slice(document).unwrap_or_default();
    let mut page = String::new();
    for tag in list(&document["tags"]) {
        let name = text(&tag["name"]);
        let _ =
            write!(page, "<section>\n<h2 id=\"{name}\">{name}</h2>\n<p>{}</p>\n", prose(&tag["description"]));
        for (path, operations) in fields(&document["paths"]) {
            for (method, operation) in fields(operations) {
                if list(&operation["tags"]).contains(&tag["name"]) {
                    write_operation(method, path, operation, &mut page);
                }
            }
        }
        page += "</section>\n";
    }
    page += "<section>\n<h2 id=\"schemas\">Objects</h2>\n";
    for (name, schema) in fields(&document["components"]["schemas"]) {
        write_schema(name, schema, &mut page);
    }
    page += "</section>\n";
    page
}

fn write_operation(method: &str, path: &str, operation: &Value, page: &mut String) {
    let id = text(&operation["operationId"]);
    let _ = write!(
        page,
        "<article>\n<h3 id=\"{id}\"><code>{} {}</code></h3>\n<p>{} {}</p>\n",
        method.to_ascii_uppercase(),
        escaped(path),
        prose(&operation["summary"]),
        prose(&operation["description"]),
    );
    let parameters = list(&operation["parameters"]);
    if !parameters.is_empty() {
        *page += "<dl>\n";
        for parameter in parameters {
            let needed = if parameter["required"] == true { ", needed" } else { "" };
            let _ = writeln!(
                page,
                "<dt><code>{}</code> <small>in the {}{needed}</small></dt><dd>{}</dd>",
                text(&parameter["name"]),
                text(&parameter["in"]),
                prose(&parameter["description"]),
            );
        }
        *page += "</dl>\n";
    }
    let body = &operation["requestBody"];
    if body.is_object() {
        let _ = writeln!(page, "<p>Body: {}</p>{}", prose(&body["description"]), media_types(body));
    }
    *page += "<table>\n<tbody>\n";
    for (status, answer) in fields(&operation["responses"]) {
        let _ = writeln!(
            page,
            "<tr><th scope=\"row\">{}</th><td>{}{}</td></tr>",
            escaped(status),
            prose(&answer["description"]),
            media_types(answer)
        );
    }
    *page += "</tbody>\n</table>\n</article>\n";
}

fn media_types(part: &Value) -> String {
    let types = fields(&part["content"]).map(|(media_type, content)| {
        format!("<li><code>{}</code> {}</li>", escaped(media_type), type_of(&content["schema"]))
    });
    let types: String = types.collect();
    if types.is_empty() { types } else { format!("<ul class=\"plain\">{types}</ul>") }
}

fn write_schema(name: &str, schema: &Value, page: &mut String) {
    let name = escaped(name);
    let _ = write!(
        page,
        "<article>\n<h3 id=\"object-{name}\"><code>{name}</code></h3>\n<p>{}</p>\n",
        prose(&schema["description"])
    );
    let parts = list(&schema["allOf"]).iter().chain([schema]);
    let rows: String = parts
        .flat_map(|part| fields(&part["properties"]))
        .map(|(field, of)| {
            format!(
                "<dt><code>{}</code> <small>{}</small></dt><dd>{}</dd>\n",
                escaped(field),
                type_of(of),
                prose(&of["description"])
            )
        })
        .collect();
    if !rows.is_empty() {
        let _ = write!(page, "<dl>\n{rows}</dl>\n");
    }
    let values: Vec<String> =
        list(&schema["enum"]).iter().map(|value| format!("<code>{}</code>", text(value))).collect();
    if !values.is_empty() {
        let _ = writeln!(page, "<p>{}</p>", values.join(" · "));
    }
    *page += "</article>\n";
}

/// Describes a schema in a few words; named objects become links.
fn type_of(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        let name = escaped(name);
        return format!("<a href=\"#object-{name}\">{name}</a>");
    }
    let one_of = list(&schema["oneOf"]);
    if !one_of.is_empty() {
        let types: Vec<String> = one_of.iter().filter(|of| of["type"] != "null").map(type_of).collect();
        return types.join(" or ");
    }
    let name = match &schema["type"] {
        Value::Array(names) => names.iter().find(|name| *name != "null").map_or(String::new(), text),
        name => text(name),
    };
    match name.as_str() {
        "array" => format!("list of {}", type_of(&schema["items"])),
        _ => name,
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn fields(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    value.as_object().into_iter().flatten().map(|(name, value)| (name.as_str(), value))
}

fn text(value: &Value) -> String {
    escaped(value.as_str().unwrap_or_default())
}

/// Returns a description as HTML: words between backticks are code.
fn prose(value: &Value) -> String {
    let text = text(value);
    let mut html = String::new();
    // Of an odd number of backticks, the last one is a character.
    let pieces: Vec<&str> = text.split('`').collect();
    let last = pieces.len() - 1;
    for (index, piece) in pieces.iter().enumerate() {
        match index % 2 {
            0 => html += piece,
            _ if index == last => html = html + "`" + piece,
            _ => html = html + "<code>" + piece + "</code>",
        }
    }
    html
}

/// Escapes text for HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
