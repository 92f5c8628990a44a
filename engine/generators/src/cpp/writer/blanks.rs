//! White space as the reference leaves it: shared indentation, and lines of blanks.

use super::Writer;
use odsmith_release::Change;

impl Writer {
    /// Writes lines without the indentation that they share, each after `prefix`. Blank lines at the start are dropped;
    /// others are emptied unless there is a prefix. The last line is ended.
    pub fn reindented(&mut self, prefix: &str, text: &str) {
        let text = text.trim_end_matches([' ', '\t']);
        let counts = self.has_code();
        let shared = indent_of(text.split('\n').filter(|line| counts(line)));
        let mut lines = text.split_terminator('\n').skip_while(|line| !counts(line)).peekable();
        while let Some(line) = lines.next() {
            // A carriage return at the very end stays.
            let is_open = lines.peek().is_none() && !text.ends_with('\n');
            match line.get(shared..).filter(|_| !prefix.is_empty() || is_open || !is_blank(line)) {
                Some(line) => self.line(format_args!("{prefix}{line}")),
                None if prefix.is_empty() => self.blank(),
                None => self.line(prefix),
            }
        }
        if text.trim_ascii().is_empty() && !text.ends_with('\n') {
            self.blank();
        }
    }

    /// Writes the user's own code without the indentation that its lines share. Blank lines at the start are dropped,
    /// others are emptied. Unless the code itself ends its last line, the next text follows on it.
    pub fn code(&mut self, code: &str) {
        let counts = self.has_code();
        let shared = indent_of(code.split('\n').filter(|line| counts(line)));
        let mut lines = code.split('\n').skip_while(|line| !counts(line)).peekable();
        while let Some(line) = lines.next() {
            let text = line.get(shared..).unwrap_or_default();
            match lines.peek() {
                Some(_) if is_blank(line) => self.blank(),
                Some(_) => self.line(text),
                None if text.is_empty() => {}
                None => {
                    self.margin();
                    self.raw(text);
                }
            }
        }
    }

    /// Returns the test for lines that count for the shared indentation; the text begins with the first such line.
    fn has_code(&self) -> fn(&str) -> bool {
        match self.rules().has(Change::CarriageReturnsAreBlank) {
            true => |line| !is_blank(line),
            false => |line| !line.trim_matches([' ', '\t']).is_empty(),
        }
    }

    /// Removes white space from otherwise empty lines written since byte `start`. A last line that is not ended stays.
    pub fn empty_blank_lines(&mut self, start: usize) {
        let written = self.since(start);
        if !has_blanks(written) {
            return;
        }
        let is_blank = |line: &str| line.len() > 1 && line.ends_with('\n') && is_blank(line);
        let lines = written.split_inclusive('\n');
        let kept: String = lines.map(|line| if is_blank(line) { "\n" } else { line }).collect();
        self.replace(start, &kept);
    }
}

/// Returns whether any line consists of white space before its line break.
pub fn has_blanks(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'\n', bytes).any(|end| {
        let line = bytes[..end].iter().rev().take_while(|byte| **byte != b'\n');
        let mut line = line.peekable();
        line.peek().is_some() && line.all(u8::is_ascii_whitespace)
    })
}

/// Returns whether a line has nothing but white space.
pub fn is_blank(line: &str) -> bool {
    line.trim_ascii().is_empty()
}

/// Returns the indentation that all lines share, except blank ones.
pub fn shared_indent(text: &str) -> usize {
    indent_of(text.split('\n').filter(|line| !is_blank(line)))
}

fn indent_of<'t>(lines: impl Iterator<Item = &'t str>) -> usize {
    let indent = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    lines.map(indent).min().unwrap_or(0)
}
