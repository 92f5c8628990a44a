//! The host of templates: a Handlebars file over the model, for simple cases. It speaks the protocol of plugins, so that a
//! template is one of them: it asks for the model, and answers with the text that it fills.

use odsmith_engine::plugin::{
    frame,
    host::{Allowance, Fault, Host, Run},
    protocol::{File, Needs, Response, VERSION},
};
use odsmith_site::render::text;
use serde::Deserialize;
use serde_json::Value;

use crate::store::keys;

/// The kinds of definition that a template may be filled for, with their lists in the model.
pub const KINDS: &[(&str, &str)] = &[
    ("attribute", "attributes"),
    ("constraint", "constraints"),
    ("dialect", "dialects"),
    ("enum", "enums"),
    ("interface", "interfaces"),
    ("operation", "operations"),
    ("pass", "passes"),
    ("pattern", "patterns"),
    ("trait", "traits"),
    ("type", "types"),
];

/// A template.
#[derive(Clone, Debug)]
pub struct Template {
    /// The name of its file, for messages.
    file: String,
    text: String,
    /// The list in the model whose items fill it one by one.
    each: Option<&'static str>,
    digest: String,
}

impl Template {
    /// Creates the host of a template's text.
    ///
    /// # Errors
    /// There is no such kind of definition, or the text is not UTF-8.
    pub fn new(file: &str, bytes: &[u8], each: Option<&str>) -> Result<Template, String> {
        let each = each.map(|kind| {
            let known = KINDS.iter().find(|(name, _)| *name == kind).map(|(_, list)| *list);
            let names = || KINDS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
            known.ok_or_else(|| {
                format!("there is no kind '{}': it is one of {}", kind.escape_debug(), names())
            })
        });
        let each = each.transpose()?;
        let text = str::from_utf8(bytes).map_err(|_| format!("{file}: it is not UTF-8"))?.to_owned();
        let digest = keys::sha256(format!("{}\0{text}", each.unwrap_or_default()).as_bytes());
        Ok(Template { file: file.rsplit('/').next().unwrap_or(file).to_owned(), text, each, digest })
    }

    fn answer(&self, input: &[u8]) -> Result<Response, String> {
        /// The parts of a request that a template needs.
        #[derive(Deserialize)]
        struct Request {
            outputs: Vec<String>,
            model: Option<Value>,
        }
        let request: Request =
            serde_json::from_slice(frame::message_of(input)?).map_err(|error| error.to_string())?;
        let Some(mut model) = request.model else {
            let needs = Some(Needs { model: true, ..Needs::default() });
            return Ok(Response { protocol: VERSION, needs, ..Response::default() });
        };
        // Definitions of the library are linked to, not written.
        if let Some(list) = self.each.and_then(|list| model[list].as_array_mut()) {
            list.retain(|item| item["definition"]["is_library"] != true);
        }
        let filled = text::fill(&self.file, &self.text, self.each, &model);
        let text = filled.map_err(|fault| format!("{}:{}: {}", fault.file, fault.line, fault.what))?;
        let files = request.outputs.into_iter().map(|name| File { name, text: text.clone() }).collect();
        Ok(Response { protocol: VERSION, files, ..Response::default() })
    }
}

impl Host for Template {
    fn digest(&self) -> Option<&str> {
        Some(&self.digest)
    }

    fn run(&self, input: &[u8], _: &Allowance<'_>) -> Run {
        match self.answer(input) {
            // Every part of an answer has a form in JSON.
            Ok(response) => {
                let message = serde_json::to_vec(&response).unwrap_or_default();
                Run { output: frame::framed(&message), ..Run::default() }
            }
            Err(reason) => Run { fault: Some(Fault::Failed(reason)), ..Run::default() },
        }
    }
}
