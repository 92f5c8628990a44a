//! `#define`, `#ifdef`, `#ifndef`, `#else`, `#endif`: section "Preprocessing Facilities" of the Programmer's Reference.
//!
//! A directive is the first thing on its line, comments aside. Text that is left out is not tokenised: only
//! comments and directives are recognised in it.

use super::lexer::{Bad, Lexer};
use odsmith_release::Change;

use crate::{
    diagnostic::{Diagnostic, Id, Severity},
    outline::lexical,
    span::Span,
};

/// An open `#ifdef` or `#ifndef`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Control {
    /// Offset that a message about it points at: the macro's name, or the word `else`.
    at: usize,
    /// True if the current lines are read.
    is_taken: bool,
    /// True after its `#else`.
    in_else: bool,
}

impl Control {
    /// Returns an `#ifndef` whose lines are read; the macro's name is at `at`.
    pub(super) fn taken(at: usize) -> Self {
        Control { at, is_taken: true, in_else: false }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Directive {
    Define,
    Ifdef,
    Ifndef,
    Else,
    Endif,
}

const DIRECTIVES: &[(&[u8], Directive)] = &[
    (b"ifdef", Directive::Ifdef),
    (b"ifndef", Directive::Ifndef),
    (b"else", Directive::Else),
    (b"endif", Directive::Endif),
    (b"define", Directive::Define),
];

impl Directive {
    fn name(self) -> &'static str {
        match self {
            Directive::Define => "#define",
            Directive::Ifdef => "#ifdef",
            Directive::Ifndef => "#ifndef",
            Directive::Else => "#else",
            Directive::Endif => "#endif",
        }
    }
}

impl Lexer<'_> {
    /// Handles the line if the `#` at the cursor begins a directive, and returns whether it did.
    pub(super) fn directive(&mut self) -> Result<bool, Bad> {
        let at = self.frame.at;
        let Some((directive, length)) = self.directive_at(at) else { return Ok(false) };
        self.frame.at = at + 1 + length;
        self.obey(directive, at + 1)?;
        while !self.is_taken() {
            let (directive, word_at) = self.skip_left_out()?;
            self.obey(directive, word_at)?;
            if directive == Directive::Ifndef && !self.rules().has(Change::IfndefLeftOut) {
                let message = "prepIsDirective() and lexPreprocessor() returned different token kinds";
                self.pending.push(Diagnostic::fatal(Span::NONE, message));
                return Err(Bad(word_at));
            }
        }
        Ok(true)
    }

    fn directive_at(&mut self, at: usize) -> Option<(Directive, usize)> {
        let rest = &self.frame.text[at + 1..];
        DIRECTIVES.iter().find_map(|&(word, directive)| {
            let following = rest.strip_prefix(word)?;
            lexical::ends_directive(following).then_some((directive, word.len()))
        })
    }

    /// Returns true if the lines at the cursor are read.
    fn is_taken(&mut self) -> bool {
        self.frame.controls.iter().all(|control| control.is_taken)
    }

    fn obey(&mut self, directive: Directive, word_at: usize) -> Result<(), Bad> {
        match directive {
            Directive::Ifdef | Directive::Ifndef => {
                let (name, name_at) = self.macro_name(directive)?;
                let is_taken = self.ask(&name) == (directive == Directive::Ifdef);
                self.rest_of_line(&format!("{} NAME", directive.name()))?;
                let frame = &mut self.frame;
                if frame.controls.is_empty() && frame.guard.as_deref() != Some(&*name) {
                    frame.guard = None;
                }
                frame.controls.push(Control { at: name_at, is_taken, in_else: false });
            }
            Directive::Else => {
                let Some(control) = self.frame.controls.last().copied() else {
                    self.error(Id::ElseWithoutCondition, word_at, "#else without #ifdef or #ifndef");
                    return Err(Bad(word_at));
                };
                if control.in_else {
                    let id = Id::ElseAfterElse;
                    let note = self.worded(id, "previous #else is here");
                    let mut error = Diagnostic::error(self.span(word_at), "double #else").id(id);
                    error = error.note(self.span(control.at), note);
                    error.notes[0].severity = Severity::Error;
                    self.pending.push(error);
                    return Err(Bad(word_at));
                }
                self.rest_of_line("#else")?;
                if self.frame.controls.len() == 1 {
                    self.frame.guard = None;
                }
                if let Some(control) = self.frame.controls.last_mut() {
                    *control = Control { at: word_at, is_taken: !control.is_taken, in_else: true };
                }
            }
            Directive::Endif => {
                if self.frame.controls.is_empty() {
                    self.error(Id::EndifWithoutCondition, word_at, "#endif without #ifdef");
                    return Err(Bad(word_at));
                }
                self.rest_of_line("#endif")?;
                self.frame.controls.pop();
            }
            Directive::Define => {
                let (name, name_at) = self.macro_name(directive)?;
                let is_new = !self.ask(&name);
                self.define(&name);
                if !is_new {
                    let id = Id::DuplicateMacro;
                    let message = self.worded(id, format!("duplicate definition of macro: {name}"));
                    self.pending.push(Diagnostic::warning(self.span(name_at), message).id(id));
                }
                self.rest_of_line("#define NAME")?;
            }
        }
        Ok(())
    }

    fn macro_name(&mut self, directive: Directive) -> Result<(String, usize), Bad> {
        let frame = &mut self.frame;
        while matches!(frame.text.get(frame.at), Some(b' ' | b'\t')) {
            frame.at += 1;
        }
        let start = frame.at;
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let length = frame.text[start..].iter().take_while(|byte| is_word(byte)).count();
        if length == 0 || frame.text[start].is_ascii_digit() {
            let message = format!("expected macro name after {}", directive.name());
            self.error(Id::MissingMacroName, start, message);
            return Err(Bad(start));
        }
        frame.at = start + length;
        let name = String::from_utf8_lossy(&frame.text[start..start + length]).into_owned();
        Ok((name, start))
    }

    /// Checks that only white space and comments follow a directive.
    fn rest_of_line(&mut self, what: &str) -> Result<(), Bad> {
        loop {
            let frame = &mut self.frame;
            match &frame.text[frame.at..] {
                [] | [b'\n', ..] => return Ok(()),
                [b' ' | b'\t' | b'\r', ..] => frame.at += 1,
                [b'/', b'/', ..] => self.skip_to_line_end(),
                [b'/', b'*', ..] => {
                    if let Err(bad) = self.skip_comment() {
                        self.text_after(what);
                        return Err(bad);
                    }
                }
                rest => {
                    let at = frame.at;
                    if rest[0] == b'/' {
                        self.error(Id::UnexpectedCharacter, at, "unexpected character");
                    }
                    self.text_after(what);
                    return Err(Bad(at));
                }
            }
        }
    }

    fn text_after(&mut self, directive: &str) {
        let message = format!("only comments are supported after {directive}");
        self.error(Id::TextAfterDirective, self.frame.at, message);
    }

    fn skip_to_line_end(&mut self) {
        let frame = &mut self.frame;
        frame.at =
            memchr::memchr(b'\n', &frame.text[frame.at..]).map_or(frame.text.len(), |end| frame.at + end);
    }

    /// Skips text up to and including the next directive's word. On a line that begins with anything but a comment or a
    /// directive, the rest is not examined.
    fn skip_left_out(&mut self) -> Result<(Directive, usize), Bad> {
        loop {
            let frame = &mut self.frame;
            match &frame.text[frame.at..] {
                [] => {
                    let at = frame.at;
                    self.check_controls_closed();
                    return Err(Bad(at));
                }
                [b' ' | b'\t' | b'\r' | b'\n', ..] => frame.at += 1,
                [b'/', b'*', ..] => self.skip_comment()?,
                [b'#', ..] => {
                    let at = frame.at;
                    match self.directive_at(at) {
                        Some((directive, length)) if directive != Directive::Define => {
                            self.frame.at = at + 1 + length;
                            return Ok((directive, at + 1));
                        }
                        _ => self.skip_to_line_end(),
                    }
                }
                _ => self.skip_to_line_end(),
            }
        }
    }

    /// Reports the innermost `#ifdef` that is open at the end of a file, and returns whether there was none.
    pub(super) fn check_controls_closed(&mut self) -> bool {
        let end = self.frame.text.len();
        let Some(control) = self.frame.controls.last().copied() else { return true };
        let id = Id::UnterminatedCondition;
        let [message, note] =
            ["reached EOF without matching #endif", "the latest preprocessor control is here"]
                .map(|text| self.worded(id, text));
        let mut error = Diagnostic::error(self.span(end), message).id(id).note(self.span(control.at), note);
        error.notes[0].severity = Severity::Error;
        self.pending.push(error);
        self.frame.controls.clear();
        false
    }
}

/// Reads `#ifndef X` and `#define X` on two consecutive lines at `at`: the macro, the offset of its name after
/// `#ifndef`, and the offset after the second line.
pub(super) fn guard(text: &[u8], at: usize) -> Option<(String, usize, usize)> {
    let (first, name_at, end) = plain_directive(text, at, b"#ifndef")?;
    let next = text[end..].iter().position(|byte| !byte.is_ascii_whitespace())? + end;
    let (second, _, end) = plain_directive(text, next, b"#define")?;
    (first == second).then_some((first, name_at, end))
}

fn plain_directive(text: &[u8], at: usize, word: &[u8]) -> Option<(String, usize, usize)> {
    let rest = text.get(at..)?.strip_prefix(word)?;
    let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let name_at = at + word.len() + blanks;
    let is_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let length = text[name_at..].iter().take_while(is_word).count();
    let end = name_at + length;
    let is_plain = blanks > 0 && length > 0 && !text[name_at].is_ascii_digit();
    let ends_line = text[end..].iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r')) == Some(&b'\n');
    (is_plain && ends_line).then(|| (String::from_utf8_lossy(&text[name_at..end]).into_owned(), name_at, end))
}
