//! The one growing buffer that a generator writes into: text, lines, blocks. `blanks` has the rules about white space,
//! `parts` writes lists on several threads.

mod blanks;
mod parts;

use std::fmt::{self, Display, Write};

use super::{Template, text::Text};
use odsmith_release::Rules;
use odsmith_tablegen::cancel::Cancel;

pub use blanks::{has_blanks, is_blank, shared_indent};

/// A text being written. It counts its bytes, drops what exceeds its limit and reports that at the end.
///
/// Indentation is written at the start of a `line` and of each line of a template, but not inside a value: the
/// reference prints the users' text as is. Classes and patterns are the exception, see [`Writer::every_line`].
#[derive(Debug)]
pub struct Writer {
    text: String,
    limit: usize,
    is_over: bool,
    indent: usize,
    indents_every_line: bool,
    /// Text written inside [`Writer::every_line`] at this indentation, still without margins.
    pending: String,
    rules: Rules,
    /// Stops the writing before its next item.
    cancel: Cancel,
}

impl Writer {
    /// Creates an empty text that may grow to `limit` bytes, in the style of a release.
    #[must_use]
    pub fn new(limit: usize, rules: Rules) -> Self {
        Writer {
            rules,
            text: String::new(),
            limit,
            is_over: false,
            indent: 0,
            indents_every_line: false,
            pending: String::new(),
            cancel: Cancel::new(),
        }
    }

    /// Reserves space for the text of a whole file.
    #[must_use]
    pub fn preallocated(self) -> Self {
        let text = String::with_capacity(USUAL_FILE.min(self.limit));
        Writer { text, ..self }
    }

    /// Stops the writing once it is cancelled; the text then counts as over its limit.
    #[must_use]
    pub fn until(self, cancel: Cancel) -> Self {
        Writer { cancel, ..self }
    }

    /// Returns the rules of the emulated release.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Appends text as is, unless inside [`Writer::every_line`].
    pub fn raw(&mut self, text: &str) {
        if self.text.len() + self.pending.len() + text.len() > self.limit {
            self.is_over = true;
        } else if self.indents_every_line {
            self.pending.push_str(text);
        } else {
            self.text.push_str(text);
        }
    }

    /// Indents the pending lines and empties blank ones.
    fn settle(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        let mut pending = std::mem::take(&mut self.pending);
        let mut rest = pending.as_str();
        while let Some(end) = memchr::memchr(b'\n', rest.as_bytes()) {
            self.settle_line(&rest[..end]);
            let blanks = self
                .text
                .bytes()
                .rev()
                .take_while(|byte| *byte != b'\n' && byte.is_ascii_whitespace())
                .count();
            let end_of_text = self.text.len() - blanks;
            if blanks > 0 && (end_of_text == 0 || self.text.as_bytes()[end_of_text - 1] == b'\n') {
                self.text.truncate(end_of_text);
            }
            self.text.push('\n');
            rest = &rest[end + 1..];
        }
        self.settle_line(rest);
        self.is_over |= self.text.len() > self.limit;
        // The capacity is reused for the next lines.
        pending.clear();
        self.pending = pending;
    }

    fn settle_line(&mut self, line: &str) {
        if !line.is_empty() {
            self.push_margin();
            self.text.push_str(line);
        }
    }

    /// Returns the length of the text so far, in bytes.
    pub fn position(&mut self) -> usize {
        self.settle();
        self.text.len()
    }

    /// Returns the text from byte `start` on.
    pub fn since(&mut self, start: usize) -> &str {
        self.settle();
        self.text.get(start..).unwrap_or_default()
    }

    /// Removes and returns the text from byte `start` on.
    pub fn cut(&mut self, start: usize) -> String {
        self.settle();
        self.text.split_off(start)
    }

    /// Replaces the text from byte `start` on by lines that have their margins.
    pub fn replace(&mut self, start: usize, text: &str) {
        self.settle();
        self.text.truncate(start);
        self.text.push_str(text);
        self.is_over |= self.text.len() > self.limit;
    }

    /// Appends text as is; `write!` and `writeln!` call this.
    pub fn write_fmt(&mut self, text: fmt::Arguments<'_>) {
        match text.as_str() {
            Some(text) => self.raw(text),
            // Writing into the buffer cannot fail: text over the limit is dropped.
            None => {
                let _ = fmt::write(self, text);
            }
        }
    }

    /// Appends a value as is.
    pub fn display(&mut self, value: impl Display) {
        self.write_fmt(format_args!("{value}"));
    }

    /// Writes the indentation of a line, unless the line has begun.
    pub fn margin(&mut self) {
        if !self.indents_every_line {
            self.push_margin();
        }
    }

    /// Returns the width of the margin, in blanks.
    #[must_use]
    pub fn margin_width(&self) -> usize {
        2 * self.indent
    }

    /// Ends the current line.
    pub fn end_line(&mut self) {
        self.settle();
        self.text.push('\n');
    }

    fn push_margin(&mut self) {
        if self.indent > 0 && (self.text.is_empty() || self.text.ends_with('\n')) {
            let mut left = self.margin_width();
            while left > 0 {
                let width = left.min(BLANKS.len());
                self.text.push_str(&BLANKS[..width]);
                left -= width;
            }
        }
    }

    /// Writes text in which every line is indented, even inside a value. Blank lines are emptied.
    pub fn every_line<R>(&mut self, body: impl FnOnce(&mut Writer) -> R) -> R {
        let outer = std::mem::replace(&mut self.indents_every_line, true);
        let result = body(self);
        self.settle();
        self.indents_every_line = outer;
        result
    }

    /// Writes text of which only the first line is indented.
    pub fn first_line(&mut self, text: &str) {
        self.settle();
        let outer = std::mem::replace(&mut self.indents_every_line, false);
        self.margin();
        self.raw(text);
        self.indents_every_line = outer;
    }

    /// Writes one line.
    pub fn line(&mut self, text: impl Text) {
        self.margin();
        text.write_to(self);
        self.raw("\n");
    }

    /// Writes an empty line.
    pub fn blank(&mut self) {
        self.raw("\n");
    }

    /// Writes lines one level deeper.
    pub fn indented<R>(&mut self, body: impl FnOnce(&mut Writer) -> R) -> R {
        self.at_indent(self.indent + 1, body)
    }

    /// Writes lines one level less deep.
    pub fn outdented(&mut self, body: impl FnOnce(&mut Writer)) {
        self.at_indent(self.indent.saturating_sub(1), body);
    }

    fn at_indent<R>(&mut self, indent: usize, body: impl FnOnce(&mut Writer) -> R) -> R {
        self.settle();
        let outer = std::mem::replace(&mut self.indent, indent);
        let result = body(self);
        self.settle();
        self.indent = outer;
        result
    }

    /// Writes `head {`, the body one level deeper, and `}`.
    pub fn braces<R>(&mut self, head: impl Text, body: impl FnOnce(&mut Writer) -> R) -> R {
        self.margin();
        head.write_to(self);
        self.raw(" {\n");
        let result = self.indented(body);
        self.line("}");
        result
    }

    /// Writes an opening line, the body one level deeper, and a closing line.
    pub fn block<R>(&mut self, open: impl Text, close: impl Text, body: impl FnOnce(&mut Writer) -> R) -> R {
        self.line(open);
        let result = self.indented(body);
        self.line(close);
        result
    }

    /// Fills a template's holes.
    pub fn fill(&mut self, template: Template, holes: &[(&str, &dyn Display)]) {
        template.fill(self, holes);
    }

    /// Fills the holes of one of several templates that take their values from one list.
    pub fn fill_variant(&mut self, template: Template, holes: &[(&str, &dyn Display)]) {
        template.fill_variant(self, holes);
    }

    /// Returns the text; nothing if it exceeded the limit.
    #[must_use]
    pub fn finish(mut self) -> Option<String> {
        if self.text.len() < USUAL_FILE {
            self.text.shrink_to_fit();
        }
        (!self.is_over).then_some(self.text)
    }
}

/// More than most files need: unused capacity costs no memory, but text that grows is copied.
const USUAL_FILE: usize = 256 << 10;

/// The blanks of margins.
const BLANKS: &str = "                                ";

impl Write for Writer {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.raw(text);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_code(code: &str, expected: &str) {
        let mut w = Writer::new(1000, Rules::default());
        w.indented(|w| {
            w.code(code);
            w.line("next");
        });
        assert_eq!(w.finish().as_deref(), Some(expected));
    }

    #[test]
    fn code_loses_the_indentation_that_its_lines_share() {
        check_code("\n \n    a\n  \n      b\n", "  a\n\n    b\n  next\n");
        check_code("   ", "  next\n");
    }

    #[test]
    fn every_line_is_indented() {
        let mut w = Writer::new(1000, Rules::default());
        w.indented(|w| w.every_line(|w| w.line(format_args!("a({});", "\n  \n b\n "))));
        assert_eq!(w.finish().as_deref(), Some("  a(\n\n   b\n   );\n"));
    }

    #[test]
    fn the_last_line_of_code_stays_open() {
        check_code("int f(); ", "  int f(); next\n");
        check_code("\n  a\n      ", "  a\n      next\n");
        check_code("\n    a\n  ", "  a\n  next\n");
    }

    #[test]
    fn what_is_cancelled_is_not_written() {
        let cancel = Cancel::new();
        let mut w = Writer::new(1000, Rules::default()).until(cancel.clone());
        w.each(&odsmith_tablegen::parallel::Spare::default(), &[1, 2, 3], |number, w| {
            if *number == 2 {
                cancel.cancel();
            }
            assert!(*number < 3, "it goes on");
            w.display(number);
        });
        assert_eq!(w.finish(), None);
    }
}
