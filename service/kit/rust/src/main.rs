//! The generator `-gen-@NAME@`.

mod odsmith;

use odsmith::{Needs, Request, Response};

fn main() {
    odsmith::run(generate);
}

/// Lists the operations, with their dialects and summaries.
fn generate(request: &Request) -> Result<Response, String> {
    let Some(records) = &request.records else {
        return Ok(Response::needs(Needs {
            classes: vec!["Op".to_owned()],
            fields: ["opDialect", "opName", "summary"].map(str::to_owned).to_vec(),
            model: false,
        }));
    };
    let mut text = String::new();
    for (name, op) in odsmith::of_class(records, "Op") {
        let dialect = op["opDialect"]["def"].as_str().unwrap_or_default();
        let mnemonic = op["opName"].as_str().unwrap_or_default();
        let summary = op["summary"].as_str().unwrap_or_default();
        text += &format!("{name}: {dialect}, {mnemonic}: {summary}\n");
    }
    Ok(Response::file(request, text))
}
