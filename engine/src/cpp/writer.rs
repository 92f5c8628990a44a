//! The one growing buffer that a generator writes into.

use std::fmt::{self, Display, Write};

use super::Template;

/// A text being written. It counts its bytes, drops what is over its limit and says so at the end.
///
/// Indentation is written at the start of a `line` and of each line of a template, never inside a value: the
/// reference prints what users wrote as it stands.
#[derive(Debug)]
pub struct Writer {
    text: String,
    limit: usize,
    is_over: bool,
    indent: usize,
}

impl Writer {
    /// An empty text that may grow to `limit` bytes.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Writer { text: String::new(), limit, is_over: false, indent: 0 }
    }

    /// Appends text as it stands.
    pub fn text(&mut self, text: &str) {
        if self.text.len() + text.len() > self.limit {
            self.is_over = true;
            return;
        }
        self.text.push_str(text);
    }

    /// What `write!` and `writeln!` call: appends text as it stands.
    pub fn write_fmt(&mut self, text: fmt::Arguments<'_>) {
        match text.as_str() {
            Some(text) => self.text(text),
            None => self.display(text),
        }
    }

    /// Appends a value as it stands.
    pub fn display(&mut self, value: impl Display) {
        // Writing into the buffer cannot fail: what is over the limit is dropped.
        let _ = Write::write_fmt(self, format_args!("{value}"));
    }

    /// Writes the indentation of a line.
    pub fn margin(&mut self) {
        for _ in 0..self.indent {
            self.text("  ");
        }
    }

    /// Writes one line.
    pub fn line(&mut self, text: impl Display) {
        self.margin();
        self.display(text);
        self.text("\n");
    }

    /// Writes an empty line.
    pub fn blank(&mut self) {
        self.text("\n");
    }

    /// Writes lines one level deeper.
    pub fn indented(&mut self, body: impl FnOnce(&mut Writer)) {
        self.indent += 1;
        body(self);
        self.indent -= 1;
    }

    /// Writes `head {`, the body one level deeper, and `}`.
    pub fn braces(&mut self, head: impl Display, body: impl FnOnce(&mut Writer)) {
        self.block(format_args!("{head} {{"), "}", body);
    }

    /// Writes an opening line, the body one level deeper, and a closing line.
    pub fn block(&mut self, open: impl Display, close: impl Display, body: impl FnOnce(&mut Writer)) {
        self.line(open);
        self.indented(body);
        self.line(close);
    }

    /// Fills a template's holes.
    pub fn fill(&mut self, template: Template, holes: &[(&str, &dyn Display)]) {
        template.fill(self, holes);
    }

    /// Writes lines without the indentation that they share, each behind `prefix`. Blank lines at the start go, those
    /// inside are emptied; the last line is ended.
    pub fn reindented(&mut self, prefix: &str, text: &str) {
        let text = text.trim_end_matches([' ', '\t']);
        let is_blank = |line: &&str| line.trim_ascii().is_empty();
        let indent = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
        let shared = text.split('\n').filter(|line| !is_blank(line)).map(indent).min().unwrap_or(0);
        for line in text.split_terminator('\n').skip_while(is_blank) {
            match line.get(shared..).filter(|_| !is_blank(&line)) {
                Some(line) => self.line(format_args!("{prefix}{line}")),
                None if prefix.is_empty() => self.blank(),
                None => self.line(prefix),
            }
        }
        if text.trim_ascii().is_empty() && !text.ends_with('\n') {
            self.blank();
        }
    }

    /// Writes text inside a namespace such as `a::b` or `::a::b`; an empty one leaves the text alone.
    pub fn namespaces(&mut self, namespace: &str, body: impl FnOnce(&mut Writer)) {
        let name = namespace.strip_prefix("::").unwrap_or(namespace);
        if name.is_empty() {
            return body(self);
        }
        writeln!(self, "namespace {name} {{\n");
        body(self);
        writeln!(self, "\n}} // namespace {name}");
    }

    /// Writes the comment that opens a generated C++ file: what it holds, and for most the root file's name.
    pub fn file_header(&mut self, title: &str, source_name: Option<&str>) {
        let source = source_name.map(|name| format!("From: {name}"));
        self.text(HEADER_START);
        for text in [Some(""), Some(title), Some(""), Some(HEADER_NOTE), source.as_deref(), Some("")]
            .into_iter()
            .flatten()
        {
            // Columns are counted in bytes.
            writeln!(self, "|* {text}{:1$} *|", "", 74_usize.saturating_sub(text.len()));
        }
        self.text(HEADER_END);
    }

    /// The text, or nothing if it grew over the limit.
    #[must_use]
    pub fn finish(self) -> Option<String> {
        (!self.is_over).then_some(self.text)
    }
}

const HEADER_NOTE: &str = "Automatically generated file, do not edit!";
const HEADER_START: &str =
    "/*===- TableGen'erated file -------------------------------------*- C++ -*-===*\\\n";
const HEADER_END: &str =
    "\\*===----------------------------------------------------------------------===*/\n\n";

impl Write for Writer {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text(text);
        Ok(())
    }
}

/// Values with a separator between them.
pub fn join<I>(values: I, separator: &str) -> impl Display
where
    I: IntoIterator + Clone,
    I::Item: Display,
{
    struct Join<'a, I>(I, &'a str);

    impl<I: IntoIterator<Item: Display> + Clone> Display for Join<'_, I> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            for (index, value) in self.0.clone().into_iter().enumerate() {
                if index > 0 {
                    f.write_str(self.1)?;
                }
                value.fmt(f)?;
            }
            Ok(())
        }
    }

    Join(values, separator)
}
