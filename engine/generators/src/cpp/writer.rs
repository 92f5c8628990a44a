//! The one growing buffer that a generator writes into.

use std::{
    convert::Infallible,
    fmt::{self, Display, Write},
    ops::Range,
};

use super::{Template, text::Text};
use odsmith_release::{Change, Rules};
use odsmith_tablegen::{
    cancel::Cancel,
    parallel::{self, Spare},
};

/// A text being written. It counts its bytes, drops what is over its limit and says so at the end.
///
/// Indentation is written at the start of a `line` and of each line of a template, but not inside a value: the reference
/// prints what users wrote as is. Classes and patterns are the exception, see [`Writer::every_line`].
#[derive(Debug)]
pub struct Writer {
    text: String,
    limit: usize,
    is_over: bool,
    indent: usize,
    indents_every_line: bool,
    /// What was written inside of [`Writer::every_line`] at this indentation, and has no margins yet.
    pending: String,
    rules: Rules,
    /// Ends the writing before its next item.
    cancel: Cancel,
}

impl Writer {
    /// An empty text that may grow to `limit` bytes, as a release writes it.
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

    /// The same until it is cancelled; then it counts as over its limit.
    #[must_use]
    pub fn until(self, cancel: Cancel) -> Self {
        Writer { cancel, ..self }
    }

    /// How the release behaves that is written for.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Appends text as is, unless inside of [`Writer::every_line`].
    pub fn text(&mut self, text: &str) {
        if self.text.len() + self.pending.len() + text.len() > self.limit {
            self.is_over = true;
        } else if self.indents_every_line {
            self.pending.push_str(text);
        } else {
            self.text.push_str(text);
        }
    }

    /// Gives the lines that wait for it the indentation; blank ones are emptied.
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

    /// The end of what was written, in bytes.
    pub fn place(&mut self) -> usize {
        self.settle();
        self.text.len()
    }

    /// Takes away what was written from a place on.
    pub fn cut(&mut self, place: usize) -> String {
        self.settle();
        self.text.split_off(place)
    }

    /// What `write!` and `writeln!` call: appends text as is.
    pub fn write_fmt(&mut self, text: fmt::Arguments<'_>) {
        match text.as_str() {
            Some(text) => self.text(text),
            // Writing into the buffer cannot fail: what is over the limit is dropped.
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

    fn push_margin(&mut self) {
        if self.indent > 0 && (self.text.is_empty() || self.text.ends_with('\n')) {
            let mut left = 2 * self.indent;
            while left > 0 {
                let width = left.min(BLANKS.len());
                self.text.push_str(&BLANKS[..width]);
                left -= width;
            }
        }
    }

    /// Writes text of which every line gets the indentation, also those inside a value. Blank ones are emptied.
    pub fn every_line(&mut self, body: impl FnOnce(&mut Writer)) {
        let outer = std::mem::replace(&mut self.indents_every_line, true);
        body(self);
        self.settle();
        self.indents_every_line = outer;
    }

    /// Writes one line.
    pub fn line(&mut self, text: impl Text) {
        self.margin();
        text.write_to(self);
        self.text("\n");
    }

    /// Writes an empty line.
    pub fn blank(&mut self) {
        self.text("\n");
    }

    /// Writes every item, from the start of a line on; spare threads help.
    pub fn each<T: Sync>(&mut self, spare: &Spare, items: &[T], write: impl Fn(&T, &mut Writer) + Sync) {
        let write = |item: &T, w: &mut Writer| -> Result<(), Infallible> {
            write(item, w);
            Ok(())
        };
        let Ok(()) = self.try_each(spare, items, write);
    }

    /// Writes every item, from the start of a line on; spare threads help.
    ///
    /// # Errors
    /// The first item's that can not be written.
    pub fn try_each<T: Sync, E: Send>(
        &mut self,
        spare: &Spare,
        items: &[T],
        write: impl Fn(&T, &mut Writer) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        struct Part<E> {
            w: Writer,
            /// Of each item in it, the place among the items and the bytes.
            items: Vec<(usize, Range<usize>)>,
            /// The first of its items that can not be written.
            error: Option<(usize, E)>,
        }
        self.settle();
        let (indent, indents_every_line) = (self.indent, self.indents_every_line);
        let (limit, rules) = (self.limit, self.rules);
        let cancel = self.cancel.clone();
        let blank =
            || Writer { indent, indents_every_line, cancel: cancel.clone(), ..Writer::new(limit, rules) };
        let mut own = Part { w: std::mem::replace(self, blank()), items: Vec::new(), error: None };
        let part = || Part { w: blank(), items: Vec::new(), error: None };
        let mut others = parallel::meet(spare, items.len(), &mut own, part, |part, index| {
            if part.w.cancel.is_cancelled() {
                part.w.is_over = true;
                return;
            }
            let start = part.w.place();
            if let Err(error) = write(&items[index], &mut part.w)
                && part.error.as_ref().is_none_or(|(first, _)| index < *first)
            {
                part.error = Some((index, error));
            }
            let end = part.w.place();
            part.items.push((index, start..end));
        });
        *self = own.w;
        let errors = others.iter_mut().filter_map(|part| part.error.take());
        if let Some((_, error)) = errors.chain(own.error).min_by_key(|(index, _)| *index) {
            return Err(error);
        }
        self.is_over |= others.iter().any(|part| part.w.is_over);
        let mut texts: Vec<(usize, &str)> = Vec::with_capacity(items.len());
        for Part { w, items, .. } in &others {
            texts.extend(items.iter().map(|(index, bytes)| (*index, &w.text[bytes.clone()])));
        }
        texts.sort_unstable_by_key(|(index, _)| *index);
        for (_, text) in texts {
            // They have their margins.
            match self.text.len() + text.len() > self.limit {
                true => self.is_over = true,
                false => self.text.push_str(text),
            }
        }
        Ok(())
    }

    /// Brings a body that starts at byte `start` into the form of the reference: no empty lines at its start (those of
    /// blanks stay), no blanks in lines that have nothing else, and a line end after the last one.
    pub fn clean_body(&mut self, start: usize) {
        self.settle();
        let blank = self.text.bytes().skip(start).take_while(|byte| *byte == b'\n').count();
        self.text.drain(start..start + blank);
        self.empty_blank_lines(start);
        if self.text.len() > start && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    /// Takes white space off the lines written from byte `start` on that have nothing else, unless they are not ended.
    pub fn empty_blank_lines(&mut self, start: usize) {
        self.settle();
        let written = self.text.get(start..).unwrap_or_default();
        let is_blank = |line: &str| line.len() > 1 && line.ends_with('\n') && line.trim_ascii().is_empty();
        if !may_have_blanks(written) || !written.split_inclusive('\n').any(is_blank) {
            return;
        }
        let lines = written.split_inclusive('\n');
        let kept: String = lines.map(|line| if is_blank(line) { "\n" } else { line }).collect();
        self.text.truncate(start);
        self.text.push_str(&kept);
    }

    /// Writes lines one level deeper.
    pub fn indented(&mut self, body: impl FnOnce(&mut Writer)) {
        self.at_indent(self.indent + 1, body);
    }

    /// Writes lines one level less deep.
    pub fn outdented(&mut self, body: impl FnOnce(&mut Writer)) {
        self.at_indent(self.indent.saturating_sub(1), body);
    }

    fn at_indent(&mut self, indent: usize, body: impl FnOnce(&mut Writer)) {
        self.settle();
        let outer = std::mem::replace(&mut self.indent, indent);
        body(self);
        self.settle();
        self.indent = outer;
    }

    /// Writes `head {`, the body one level deeper, and `}`.
    pub fn braces(&mut self, head: impl Text, body: impl FnOnce(&mut Writer)) {
        self.margin();
        head.write_to(self);
        self.text(" {\n");
        self.indented(body);
        self.line("}");
    }

    /// Writes an opening line, the body one level deeper, and a closing line.
    pub fn block(&mut self, open: impl Text, close: impl Text, body: impl FnOnce(&mut Writer)) {
        self.line(open);
        self.indented(body);
        self.line(close);
    }

    /// Fills a template's holes.
    pub fn fill(&mut self, template: Template, holes: &[(&str, &dyn Display)]) {
        template.fill(self, holes);
    }

    /// Writes lines without the indentation that they share, each after `prefix`. Blank lines at the start go, those
    /// inside are emptied unless there is a prefix; the last line is ended.
    pub fn reindented(&mut self, prefix: &str, text: &str) {
        let text = text.trim_end_matches([' ', '\t']);
        let shared = shared_indent(text);
        for line in text.split_terminator('\n').skip_while(|line| is_blank(line)) {
            match line.get(shared..).filter(|_| !prefix.is_empty() || !is_blank(line)) {
                Some(line) => self.line(format_args!("{prefix}{line}")),
                None if prefix.is_empty() => self.blank(),
                None => self.line(prefix),
            }
        }
        if text.trim_ascii().is_empty() && !text.ends_with('\n') {
            self.blank();
        }
    }

    /// Writes a user's description as a comment for documentation.
    pub fn description(&mut self, text: &str) {
        if text.trim_ascii().is_empty() || !self.rules.has(Change::ClassComments) {
            return;
        }
        if self.rules.has(Change::ReindentedComments) {
            return self.reindented("/// ", text.trim_ascii_end());
        }
        text.trim_ascii().split('\n').for_each(|line| self.line(format_args!("/// {line}")));
    }

    /// Writes lines that users' code may break: where a line is less deep than this indentation, all move to the right by
    /// what it lacks; a tab counts as one blank. Blank lines are emptied.
    pub fn realigned(&mut self, body: impl FnOnce(&mut Writer)) {
        let start = self.place();
        body(self);
        self.settle();
        let lines = &self.text[start..];
        if shared_indent(lines) < 2 * self.indent || lines.contains('\t') || may_have_blanks(lines) {
            let written = self.text.split_off(start);
            self.reindented("", &written);
        }
    }

    /// Indents by one level what `body` writes: every line of it that is not empty, whoever wrote it.
    pub fn shifted(&mut self, body: impl FnOnce(&mut Writer)) {
        let start = self.place();
        body(self);
        self.settle();
        let written = self.text.split_off(start);
        for line in written.split_inclusive('\n') {
            if line != "\n" {
                self.text("  ");
            }
            self.text(line);
        }
    }

    /// Takes from what `body` writes the blank lines at its start, and the blanks on other lines that have nothing else.
    pub fn tidied(&mut self, body: impl FnOnce(&mut Writer)) {
        let start = self.place();
        body(self);
        self.settle();
        let is_blank = |line: &str| line.ends_with('\n') && is_blank(line);
        let is_tidy = |text: &str| {
            let has_blanks = |line: &str| line != "\n" && is_blank(line);
            !text.starts_with('\n') && (!may_have_blanks(text) || !text.split_inclusive('\n').any(has_blanks))
        };
        if is_tidy(&self.text[start..]) {
            return;
        }
        let written = self.text.split_off(start);
        for line in written.split_inclusive('\n').skip_while(|line| is_blank(line)) {
            self.text(if is_blank(line) { "\n" } else { line });
        }
    }

    /// Writes the user's own code without the indentation that its lines share. Blank lines at the start go, those
    /// inside are emptied. The last line stays open unless the code itself ends it: what comes next follows on it.
    pub fn code(&mut self, code: &str) {
        let shared = shared_indent(code);
        let mut lines = code.split('\n').skip_while(|line| is_blank(line)).peekable();
        while let Some(line) = lines.next() {
            let text = line.get(shared..).unwrap_or_default();
            match lines.peek() {
                Some(_) if is_blank(line) => self.blank(),
                Some(_) => self.line(text),
                None if text.is_empty() => {}
                None => {
                    self.margin();
                    self.text(text);
                }
            }
        }
    }

    /// Writes text inside a namespace such as `a::b` or `::a::b`; an empty one leaves the text alone.
    pub fn namespaces(&mut self, namespace: &str, body: impl FnOnce(&mut Writer)) {
        let name = namespace.strip_prefix("::").unwrap_or(namespace);
        if name.is_empty() {
            return body(self);
        }
        if self.rules.has(Change::JoinedNamespaces) {
            writeln!(self, "namespace {name} {{\n");
            body(self);
            return writeln!(self, "\n}} // namespace {name}");
        }
        for name in name.split("::").filter(|name| !name.is_empty()) {
            writeln!(self, "namespace {name} {{");
        }
        body(self);
        for name in name.rsplit("::").filter(|name| !name.is_empty()) {
            writeln!(self, "}} // namespace {name}");
        }
    }

    /// The start of a call that creates an operation: `X::create(builder, `.
    #[must_use]
    pub fn create_call(&self, class: impl Display, builder: &str) -> String {
        match self.rules.has(Change::StaticCreateCalls) {
            true => format!("{class}::create({builder}, "),
            false => format!("{builder}.create<{class}>("),
        }
    }

    /// Writes the comment that opens a generated C++ file: what it holds, and for most the root file's name.
    pub fn file_header(&mut self, title: &str, source_name: Option<&str>) {
        let source_name = source_name.filter(|_| self.rules.has(Change::HeadersNameSource));
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

/// What margins are cut from.
const BLANKS: &str = "                                ";

/// Whether a line may be blank that is more than a line break: few lines end in white space, so that most texts are
/// looked through by their line ends alone.
fn may_have_blanks(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() && *byte != b'\n';
    bytes.last().is_some_and(is_blank)
        || memchr::memchr_iter(b'\n', bytes).any(|end| end > 0 && is_blank(&bytes[end - 1]))
}

fn is_blank(line: &str) -> bool {
    line.trim_ascii().is_empty()
}

/// The indentation that all lines share that are not blank.
pub fn shared_indent(text: &str) -> usize {
    let indent = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    text.split('\n').filter(|line| !is_blank(line)).map(indent).min().unwrap_or(0)
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

/// A value whose lines after the first get this indentation, unless they are blank.
pub fn continued(value: impl Display, indent: &str) -> impl Display {
    from_fn(move |f| {
        let text = value.to_string();
        let mut lines = text.split('\n');
        f.write_str(lines.next().unwrap_or_default())?;
        for line in lines {
            match line.trim_ascii() {
                "" => f.write_str("\n")?,
                _ => write!(f, "\n{indent}{line}")?,
            }
        }
        Ok(())
    })
}

/// A value that is shown by a function.
pub fn from_fn(show: impl Fn(&mut fmt::Formatter<'_>) -> fmt::Result) -> impl Display {
    struct FromFn<F>(F);

    impl<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result> Display for FromFn<F> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            (self.0)(f)
        }
    }

    FromFn(show)
}

/// Text as it appears inside of a C++ string literal.
pub fn escaped(text: &str) -> impl Display {
    from_fn(move |f| {
        let mut rest = text;
        let is_plain = |c: char| (' '..='~').contains(&c) && !matches!(c, '"' | '\\');
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| !is_plain(*c)) {
            f.write_str(&rest[..at])?;
            rest = &rest[at + c.len_utf8()..];
            match c {
                '\n' => f.write_str("\\n")?,
                '\t' => f.write_str("\\t")?,
                '"' | '\\' => write!(f, "\\{c}")?,
                _ => {
                    let mut utf8 = [0; 4];
                    let mut bytes = c.encode_utf8(&mut utf8).bytes();
                    bytes.try_for_each(|byte| write!(f, "\\{byte:03o}"))?;
                }
            }
        }
        f.write_str(rest)
    })
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
        w.each(&Spare::default(), &[1, 2, 3], |number, w| {
            if *number == 2 {
                cancel.cancel();
            }
            assert!(*number < 3, "it goes on");
            w.display(number);
        });
        assert_eq!(w.finish(), None);
    }
}
