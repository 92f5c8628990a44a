//! The frame of generated C++: the file's header, namespaces, comments; also the call that creates an operation.

use std::fmt::Display;

use super::Writer;
use odsmith_ods::cpp_name;
use odsmith_release::Change;

impl Writer {
    /// Writes the comment that opens a generated C++ file: a title and, for most files, the root file's name.
    pub fn file_header(&mut self, title: &str, source_name: Option<&str>) {
        let source_name = source_name.filter(|_| self.rules().has(Change::HeadersNameSource));
        let source = source_name.map(|name| format!("From: {name}"));
        self.raw(HEADER_START);
        for text in [Some(""), Some(title), Some(""), Some(HEADER_NOTE), source.as_deref(), Some("")]
            .into_iter()
            .flatten()
        {
            // Columns are counted in bytes.
            writeln!(self, "|* {text}{:1$} *|", "", 74_usize.saturating_sub(text.len()));
        }
        self.raw(HEADER_END);
    }

    /// Writes text inside a namespace such as `a::b` or `::a::b`; an empty namespace adds nothing.
    pub fn namespaces<R>(&mut self, namespace: &str, body: impl FnOnce(&mut Writer) -> R) -> R {
        let name = namespace.strip_prefix("::").unwrap_or(namespace);
        if name.is_empty() {
            return body(self);
        }
        if self.rules().has(Change::JoinedNamespaces) {
            writeln!(self, "namespace {name} {{\n");
            let result = body(self);
            writeln!(self, "\n}} // namespace {name}");
            return result;
        }
        let names = cpp_name::namespaces(name);
        for name in names.clone() {
            writeln!(self, "namespace {name} {{");
        }
        let result = body(self);
        for name in names.rev() {
            writeln!(self, "}} // namespace {name}");
        }
        result
    }

    /// Writes a user's description as a comment for documentation.
    pub fn description(&mut self, text: &str) {
        if text.trim_ascii().is_empty() || !self.rules().has(Change::ClassComments) {
            return;
        }
        if self.rules().has(Change::ReindentedComments) {
            return self.reindented("/// ", text.trim_ascii_end());
        }
        text.trim_ascii().split('\n').for_each(|line| self.line(format_args!("/// {line}")));
    }

    /// Returns the start of a call that creates an operation: `X::create(builder, `.
    #[must_use]
    pub fn create_call(&self, class: impl Display, builder: &str) -> String {
        match self.rules().has(Change::StaticCreateCalls) {
            true => format!("{class}::create({builder}, "),
            false => format!("{builder}.create<{class}>("),
        }
    }
}

const HEADER_NOTE: &str = "Automatically generated file, do not edit!";
const HEADER_START: &str =
    "/*===- TableGen'erated file -------------------------------------*- C++ -*-===*\\\n";
const HEADER_END: &str =
    "\\*===----------------------------------------------------------------------===*/\n\n";
