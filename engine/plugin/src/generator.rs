//! A plugin as a generator: builds the request, runs the program, and checks its answer.

use std::{collections::BTreeSet, sync::Arc};

use odsmith_generators::{self as generators, Options, PluginCx, PluginOutput};
use odsmith_interchange::{Definition, Maker, Root};
use odsmith_tablegen::{
    diagnostic::{Code, Diagnostic, Id, Severity},
    limits::{cancelled_job, over},
    record::{
        Records, RecordsDump,
        json::{Object, Selection},
        records_dump::Cache,
    },
    span::Span,
    text,
};
use serde_json::value::RawValue;

use crate::{
    frame,
    host::{Allowance, Fault, Host, Run},
    places::span_of,
    protocol::{File, Message, MessageSeverity, Needs, PluginOption, Request, Response, VERSION},
};

/// Instructions that count as one unit of work.
const INSTRUCTIONS_PER_UNIT: u64 = 256;

/// The class in [`Needs`] that means all defs.
const ALL: &str = "*";

/// A plugin, with the generator and the options of one output.
#[derive(Clone, Debug)]
pub struct Generator {
    /// The plugin's name in messages.
    pub name: String,
    /// Runs its program.
    pub host: Arc<dyn Host>,
    /// The generator that is asked for, without dashes; empty if none is named.
    pub generator: String,
    /// The options.
    pub options: Options,
    /// The limits that the project sets, besides those of the job.
    pub limits: OwnLimits,
}

/// Limits that a project sets for a plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnLimits {
    /// Instructions of a module, for one output.
    pub instructions: u64,
    /// Bytes of memory.
    pub memory_bytes: u64,
}

impl Default for OwnLimits {
    fn default() -> Self {
        OwnLimits { instructions: 50_000_000_000, memory_bytes: 1 << 30 }
    }
}

impl generators::Plugin for Generator {
    fn flags(&self) -> Vec<String> {
        let generator = Some(format!("-{}", self.generator)).filter(|_| !self.generator.is_empty());
        let option = |(name, value): (&str, &str)| match value {
            "" => format!("-{name}"),
            value => format!("-{name}={value}"),
        };
        generator.into_iter().chain(self.options.iter().map(option)).collect()
    }

    fn key(&self) -> Option<String> {
        let OwnLimits { instructions, memory_bytes } = self.limits;
        let digest = self.host.digest()?;
        Some(format!("{digest} {instructions} {memory_bytes} {}", generators::Plugin::flags(self).join(" ")))
    }

    fn run(&self, cx: &PluginCx<'_>) -> PluginOutput {
        let mut call = Call { generator: self, cx, instructions: 0 };
        let made = call.run();
        let fuel = call.instructions.div_ceil(INSTRUCTIONS_PER_UNIT);
        match made {
            Ok((text, diagnostics)) => PluginOutput { text, diagnostics, fuel },
            Err(error) => PluginOutput { diagnostics: vec![*error], fuel, ..PluginOutput::default() },
        }
    }
}

/// The making of one output.
struct Call<'c> {
    generator: &'c Generator,
    cx: &'c PluginCx<'c>,
    /// The instructions that were executed so far.
    instructions: u64,
}

impl Call<'_> {
    /// Returns the text and the messages of the plugin.
    fn run(&mut self) -> Result<(String, Vec<Diagnostic>), Box<Diagnostic>> {
        let mut request = self.request();
        let (mut response, mut errors) = self.ask(&request)?;
        if let Some(needs) = response.needs {
            self.add(&needs, &mut request)?;
            (response, errors) = self.ask(&request)?;
            if response.needs.is_some() {
                return Err(self.error("it asks for data a second time", &errors));
            }
        }
        let mut diagnostics: Vec<Diagnostic> =
            response.diagnostics.into_iter().map(|message| self.diagnostic(message)).collect();
        let is_error = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error;
        let text = match one_file(response.files, &request.outputs[0]) {
            Ok(text) => text,
            // The plugin says why there is no file.
            Err(_) if diagnostics.iter().any(is_error) => String::new(),
            Err(reason) => return Err(self.error(&reason, &errors)),
        };
        if let Some(text) = shown(&errors) {
            let message = format!("the plugin '{}' wrote to standard error: {text}", self.generator.name);
            diagnostics.push(Diagnostic::remark(Span::NONE, message));
        }
        Ok((text::encode(text.into_bytes()), diagnostics))
    }

    /// Returns the first request, without data.
    fn request(&self) -> Request {
        let Generator { generator, options, .. } = self.generator;
        let option =
            |(name, value): (&str, &str)| PluginOption { name: name.to_owned(), value: value.to_owned() };
        Request {
            protocol: VERSION,
            mlir: self.cx.records.rules().release_name().to_string(),
            root: file_name(self.cx.source).to_owned(),
            generator: generator.clone(),
            options: options.iter().map(option).collect(),
            // Standard output has no name.
            outputs: vec![
                Some(file_name(self.cx.output)).filter(|name| *name != "-").unwrap_or("output").to_owned(),
            ],
            records: None,
            model: None,
        }
    }

    /// Runs the program with a request; returns its answer and the beginning of its standard error.
    fn ask(&mut self, request: &Request) -> Result<(Response, Vec<u8>), Box<Diagnostic>> {
        let PluginCx { limits, sharers, cancel, .. } = *self.cx;
        let OwnLimits { instructions, memory_bytes } = self.generator.limits;
        // The outputs of a target share its fuel evenly, so that the limit does not depend on which is made first.
        let of_job = limits.fuel.saturating_mul(INSTRUCTIONS_PER_UNIT) / sharers.max(1);
        let most = instructions.min(of_job);
        let allowance = Allowance {
            instructions: most - self.instructions.min(most),
            memory_bytes: memory_bytes.min(limits.arena_bytes),
            output_bytes: limits.output_bytes,
            cancel,
        };
        // Every part of a request has a form in JSON.
        let input = frame::framed(&serde_json::to_vec(request).unwrap_or_default());
        let Run { output, errors, instructions, fault } = self.generator.host.run(&input, &allowance);
        self.instructions += instructions;
        match fault {
            None => {}
            Some(Fault::Cancelled) => return Err(cancelled_job()),
            Some(Fault::Limit { name, unit, .. }) if unit == INSTRUCTIONS => {
                return Err(self.limit(name, most, unit, &errors));
            }
            Some(Fault::Limit { name, most, unit }) => return Err(self.limit(name, most, unit, &errors)),
            Some(Fault::Exit(code)) => {
                return Err(self.error(&format!("it exited with code {code}"), &errors));
            }
            Some(Fault::Failed(reason)) => return Err(self.error(&reason, &errors)),
        }
        match response_of(&output) {
            Ok(response) => Ok((response, errors)),
            Err(reason) => Err(self.error(&reason, &errors)),
        }
    }

    /// Adds the data that a plugin needs.
    fn add(&self, needs: &Needs, request: &mut Request) -> Result<(), Box<Diagnostic>> {
        let records = self.cx.records;
        if !needs.classes.is_empty() {
            let is_all = needs.classes.iter().any(|class| class == ALL);
            let set = |names: &[String]| names.iter().cloned().collect::<BTreeSet<String>>();
            let selection =
                Selection { classes: (!is_all).then(|| set(&needs.classes)), fields: set(&needs.fields) };
            let text = self.dump(&Object::of(records, selection))?;
            request.records = RawValue::from_string(text).ok();
        }
        if needs.model {
            let root = library_root(records);
            let maker = Maker {
                most_bytes: self.cx.limits.output_bytes,
                stop: self.cx.cancel.clone(),
                ..Maker::new(records.rules(), &root)
            };
            let mut document = maker.document(&[Root { td: file_name(self.cx.source), records }])?;
            document.definitions_mut(&mut without_folders);
            let text = String::from_utf8(document.to_json()).unwrap_or_default();
            request.model = RawValue::from_string(text).ok();
        }
        Ok(())
    }

    /// Writes a part of the records, within the limit of outputs.
    fn dump(&self, object: &Object<'_>) -> Result<String, Box<Diagnostic>> {
        let (most, cancel) = (self.cx.limits.output_bytes, self.cx.cancel);
        let (mut text, mut cache) = (String::new(), Cache::default());
        let goes_on = |text: &str| text.len() as u64 <= most && !cancel.is_cancelled();
        let count = object.count();
        let end = object.write(0..count, &mut cache, &mut text, &goes_on)?;
        if cancel.is_cancelled() {
            return Err(cancelled_job());
        }
        if end < count || text.len() as u64 > most {
            return Err(over(Span::NONE, "size of a plugin's request", most, "bytes"));
        }
        Ok(text)
    }

    /// Resolves the places of a message.
    fn diagnostic(&self, message: Message) -> Diagnostic {
        let Message { severity, message, place, notes } = message;
        let span = |place| span_of(place, self.cx.records);
        let (at, unknown) = span(place);
        let message = text::encode(message.into_bytes());
        let mut diagnostic = match severity {
            MessageSeverity::Error => Diagnostic::error(at, message),
            MessageSeverity::Warning => Diagnostic::warning(at, message),
            MessageSeverity::Note => Diagnostic::remark(at, message),
        };
        if let Some(text) = unknown {
            diagnostic = diagnostic.note(Span::NONE, text);
        }
        for note in notes {
            let (at, unknown) = span(note.place);
            diagnostic = diagnostic.note(at, text::encode(note.message.into_bytes()));
            if let Some(text) = unknown {
                diagnostic = diagnostic.note(Span::NONE, text);
            }
        }
        diagnostic
    }

    /// Returns an error about the plugin itself.
    fn error(&self, reason: &str, errors: &[u8]) -> Box<Diagnostic> {
        let message = format!("the plugin '{}': {reason}", self.generator.name);
        Box::new(with_errors(Diagnostic::error(Span::NONE, message).id(Id::PluginFault), errors))
    }

    fn limit(&self, name: &str, most: u64, unit: &str, errors: &[u8]) -> Box<Diagnostic> {
        let message =
            format!("the plugin '{}': limit reached: {name} (at most {most} {unit})", self.generator.name);
        let error = Diagnostic::error(Span::NONE, message).code(Code::Limit).id(Id::PluginFault);
        Box::new(with_errors(error, errors))
    }
}

/// The unit of the limit that several runs share.
pub(crate) const INSTRUCTIONS: &str = "instructions";

/// Reads an answer.
fn response_of(output: &[u8]) -> Result<Response, String> {
    /// The version, which is read first: other versions have other fields.
    #[derive(serde::Deserialize)]
    struct Version {
        protocol: u32,
    }
    let message = frame::message_of(output)?;
    let wrong = |error: serde_json::Error| format!("its answer is not of the form: {error}");
    let Version { protocol } = serde_json::from_slice(message).map_err(wrong)?;
    if protocol != VERSION {
        return Err(format!(
            "it answers in version {protocol} of the protocol, and this program speaks {VERSION}"
        ));
    }
    serde_json::from_slice(message).map_err(wrong)
}

/// Returns the text of the only file that was asked for.
fn one_file(files: Vec<File>, asked: &str) -> Result<String, String> {
    let mut found = None;
    for File { name, text } in files {
        if name != asked {
            return Err(format!("it returns '{}', which was not asked for", name.escape_debug()));
        }
        if found.replace(text).is_some() {
            return Err(format!("it returns '{asked}' twice"));
        }
    }
    found.ok_or_else(|| format!("it returns no '{asked}'"))
}

/// Returns what a program wrote to standard error, for a message.
fn shown(errors: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(errors);
    let text = text.trim_end();
    (!text.is_empty()).then(|| text::encode(text.as_bytes().to_vec()))
}

fn with_errors(error: Diagnostic, errors: &[u8]) -> Diagnostic {
    match shown(errors) {
        Some(text) => error.note(Span::NONE, format!("it wrote to standard error: {text}")),
        None => error,
    }
}

/// Returns the part of a path after the last slash of either kind.
fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Leaves the folders of files out, as `--dump-json` does: an output must not depend on where a project is.
fn without_folders(definition: &mut Definition) {
    for location in definition.location.iter_mut().chain(definition.places.values_mut()) {
        location.file = file_name(&location.file).to_owned();
    }
}

/// Returns the folder of MLIR's own definitions among the files that were read; empty if there is none.
fn library_root(records: &Records) -> String {
    const WITNESSES: [&str; 2] = ["/mlir/IR/OpBase.td", "/mlir/IR/DialectBase.td"];
    let mut names = records.sources().buffers().map(|buffer| &*buffer.name);
    let root = names.find_map(|name| WITNESSES.iter().find_map(|witness| name.strip_suffix(witness)));
    root.unwrap_or_default().to_owned()
}
