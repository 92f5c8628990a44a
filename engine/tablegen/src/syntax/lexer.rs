//! Tokens, read one by one across included files.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    sync::Arc,
};

use super::{
    leading::Leading,
    legacy_messages,
    preprocessor::Control,
    token::{Keyword, Token, TokenKind},
};
use crate::{
    diagnostic::{Diagnostic, Id},
    limits::{self, InclusionMeter},
    outline::lexical::{self, Numeral},
    source::{Files, Sources, SourcesBase, Stamp},
    span::Span,
};
use odsmith_release::{Change, Rules};

/// The warning about a NUL byte.
const NUL: &str = "NUL character is invalid in source; treated as space";

/// Returns the nearest value of an `int`, which has 64 bits.
fn clamped(magnitude: Option<u64>, is_negative: bool) -> i64 {
    match (magnitude, is_negative) {
        (Some(magnitude), true) => 0i64.saturating_sub_unsigned(magnitude),
        (Some(magnitude), false) => i64::try_from(magnitude).unwrap_or(i64::MAX),
        (None, true) => i64::MIN,
        (None, false) => i64::MAX,
    }
}

/// The folders that `include` searches, besides the name as it is.
#[derive(Clone, Debug, Default)]
pub struct IncludePaths {
    /// Folders, tried in order.
    pub folders: Vec<String>,
    /// The most levels that inclusions may nest.
    pub max_depth: u32,
}

/// The names of the bang operators that a release has.
#[derive(Clone, Copy)]
pub struct OperatorNames {
    /// The function that finds an operator by name.
    pub find: fn(&str, &Rules) -> Option<u8>,
    /// The behaviour of the release.
    pub rules: Rules,
}

impl OperatorNames {
    fn find(self, name: &str) -> Option<u8> {
        (self.find)(name, &self.rules)
    }
}

/// The lexer of a root file and of the files it includes.
pub struct Lexer<'f> {
    files: &'f dyn Files,
    paths: IncludePaths,
    operators: OperatorNames,
    /// The texts read so far.
    pub sources: Sources,
    /// Files read so far, without duplicates, the root first.
    pub reads: FileList,
    /// Messages that were not fetched yet.
    pub pending: Vec<Diagnostic>,
    /// The last of the root's leading `include`s that ended, until it is taken.
    pub boundary: Option<Boundary>,
    /// Units of work of `include`s that were not charged yet.
    pub units: u64,
    /// The meter of all `include`s, those of a shared state included.
    inclusions: InclusionMeter,
    /// The root's leading `include`s, where their ends are to be noted.
    noted: Option<Leading>,
    /// The facts recorded since, in order: a boundary is an index into them.
    learnt: Vec<Fact>,
    /// The number of leading `include`s that were followed.
    passed: usize,
    /// Macros that are defined.
    pub(super) macros: HashSet<String>,
    /// Macros that were tested before this lexer defined them, and the results.
    pub(super) asked: BTreeMap<String, bool>,
    /// Names in `include`s and the files they led to.
    requests: BTreeMap<String, String>,
    /// Files that are entirely inside an `#ifndef`, and its macro.
    guards: BTreeMap<String, String>,
    /// The position in the file that is being read.
    pub(super) frame: Frame,
    /// The positions of the `include`s that led there, the root's first.
    outer: Vec<Frame>,
    /// The deepest nesting of `include`s so far.
    deepest: usize,
    /// True if only white space and comments come before the cursor on its line.
    pub(super) at_line_start: bool,
    word: (usize, usize),
    string: String,
    int: i64,
    digits: u32,
}

/// The bytes that may be part of a word.
const IS_WORD: [bool; 256] = {
    let mut is_word = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        is_word[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        byte += 1;
    }
    is_word
};

/// A position in one of the open files.
#[derive(Debug, Default)]
pub(super) struct Frame {
    pub(super) text: Arc<[u8]>,
    pub(super) start: u32,
    pub(super) at: usize,
    /// `#ifdef`s that are open in this file.
    pub(super) controls: Vec<Control>,
    /// The macro of the `#ifndef` that the file begins with, while nothing is outside of it.
    pub(super) guard: Option<String>,
}

/// A marker that stops skipping white space: an error was reported at this place.
pub(super) struct Bad(pub(super) usize);

impl<'f> Lexer<'f> {
    /// Creates a lexer at the beginning of `root`, whose bytes are `text`.
    ///
    /// `operators` finds bang operators by name.
    pub fn new(
        files: &'f dyn Files,
        paths: IncludePaths,
        macros: impl IntoIterator<Item = String>,
        operators: OperatorNames,
        root: &str,
        text: Arc<[u8]>,
    ) -> Self {
        let mut lexer = Lexer {
            files,
            paths,
            sources: Sources::new(&operators.rules),
            operators,
            reads: FileList::default(),
            pending: Vec::new(),
            boundary: None,
            units: 0,
            inclusions: InclusionMeter::default(),
            noted: None,
            learnt: Vec::new(),
            passed: 0,
            macros: macros.into_iter().collect(),
            asked: BTreeMap::new(),
            requests: BTreeMap::new(),
            guards: BTreeMap::new(),
            frame: Frame::default(),
            outer: Vec::new(),
            deepest: 0,
            at_line_start: true,
            word: (0, 0),
            string: String::new(),
            int: 0,
            digits: 0,
        };
        lexer.open_root(root, text);
        lexer
    }

    /// The same lexer, which ends where its `include`s take more work than the meter allows, or once that is cancelled.
    #[must_use]
    pub fn within(self, inclusions: InclusionMeter) -> Self {
        Lexer { inclusions, ..self }
    }

    fn open_root(&mut self, name: &str, text: Arc<[u8]>) {
        self.open(name, text, Span::NONE);
        self.outer.clear();
    }

    fn open(&mut self, name: &str, text: Arc<[u8]>, included_at: Span) -> bool {
        self.reads.add(name);
        let Some(index) = self.sources.add(name.into(), Arc::clone(&text), included_at) else { return false };
        let start = self.sources.buffer(index).map_or(0, |buffer| buffer.start);
        // In releases that reject some `#ifndef` in skipped lines, a guarded file with one is read each time.
        let may_be_skipped = self.rules().has(Change::IfndefLeftOut)
            || memchr::memmem::find_iter(&text, b"ifndef").nth(1).is_none();
        let guard = Leading::guard_of(&text).filter(|_| may_be_skipped);
        let frame = Frame { text, start, at: 0, controls: Vec::new(), guard };
        self.outer.push(std::mem::replace(&mut self.frame, frame));
        self.at_line_start = true;
        true
    }

    /// Returns the word, all of it ASCII, of the last identifier or variable name.
    #[must_use]
    pub fn word(&self) -> &[u8] {
        &self.frame.text[self.word.0..self.word.1]
    }

    /// Returns the text of the last string or code fragment.
    #[must_use]
    pub fn string(&self) -> &str {
        &self.string
    }

    /// Returns the last integer.
    #[must_use]
    pub fn int(&self) -> i64 {
        self.int
    }

    /// Returns the number of its digits, without sign and prefix.
    #[must_use]
    pub fn digits(&self) -> u32 {
        self.digits
    }

    pub(super) fn span(&self, at: usize) -> Span {
        Span(self.frame.start + at as u32)
    }

    pub(super) fn error(&mut self, id: Id, at: usize, message: impl Into<String>) {
        let message = self.worded(id, message);
        self.pending.push(Diagnostic::error(self.span(at), message).id(id));
    }

    /// Returns a message in the words of the release.
    pub(super) fn worded(&self, id: Id, message: impl Into<String>) -> String {
        let message = message.into();
        match self.rules().has(Change::LowerCaseMessages) {
            true => message,
            false => legacy_messages::worded(id, message),
        }
    }

    pub(super) fn rules(&self) -> &Rules {
        &self.operators.rules
    }

    /// Returns the keyword of a word, if the release has it.
    fn keyword(&self, word: &[u8]) -> Option<Keyword> {
        let keyword = Keyword::find(word)?;
        let is_known = match keyword {
            Keyword::Deftype => self.rules().has(Change::Deftype),
            Keyword::Dump => self.rules().has(Change::DumpAndRepr),
            _ => true,
        };
        is_known.then_some(keyword)
    }

    /// Reads the next token.
    pub fn next_token(&mut self) -> Token {
        loop {
            match self.next() {
                Ok(Some((kind, at))) => return Token { kind, span: self.span(at) },
                Ok(None) => {
                    if let Err(Bad(at)) = self.include() {
                        return Token { kind: TokenKind::Error, span: self.span(at) };
                    }
                }
                Err(Bad(at)) => return Token { kind: TokenKind::Error, span: self.span(at) },
            }
        }
    }

    /// Returns the next token and its offset in the current file, or nothing at the word `include`.
    #[inline]
    fn next(&mut self) -> Result<Option<(TokenKind, usize)>, Bad> {
        loop {
            self.skip_blanks()?;
            let start = self.frame.at;
            let Some(&first) = self.frame.text.get(start) else {
                if self.leave_file() {
                    continue;
                }
                return Ok(Some((TokenKind::Eof, start)));
            };
            if self.frame.controls.is_empty() && self.frame.guard.is_some() {
                self.frame.guard = None;
            }
            let Some(kind) = self.token(start, first) else { return Ok(None) };
            self.at_line_start = false;
            return Ok(Some((kind, start)));
        }
    }

    /// Returns to the file that included this one; the root is never left, nor a file with an unclosed `#ifdef`, which
    /// is reported: reading ends as if the file had ended well.
    fn leave_file(&mut self) -> bool {
        if !self.check_controls_closed() {
            return false;
        }
        let Some(outer) = self.outer.pop() else { return false };
        let left = std::mem::replace(&mut self.frame, outer);
        if let Some(guard) = left.guard
            && let Some(buffer) = self.sources.buffer_of(Span(left.start))
            && !self.guards.contains_key(&*buffer.name)
        {
            let path = buffer.name.to_string();
            self.learn(|| Fact::Guard(path.clone(), guard.clone()));
            self.guards.insert(path, guard);
        }
        self.at_line_start = false;
        if self.noted.is_some() && self.outer.is_empty() {
            self.boundary = Some(Boundary {
                count: self.passed,
                buffers: self.sources.len(),
                reads: self.reads.len(),
                learnt: self.learnt.len(),
                deepest: self.deepest,
                units_after: 0,
            });
        }
        true
    }

    /// Skips white space, comments, preprocessor lines and the text that they leave out.
    fn skip_blanks(&mut self) -> Result<(), Bad> {
        loop {
            let mut at_line_start = self.at_line_start;
            let frame = &mut self.frame;
            let text = &*frame.text;
            let mut at = frame.at;
            // The common blanks, without changing the lexer's state.
            let next = loop {
                match text.get(at) {
                    Some(b'\n') => {
                        at += 1;
                        at_line_start = true;
                        // Most lines are indented.
                        at += text[at..].iter().position(|&byte| byte != b' ').unwrap_or(text.len() - at);
                    }
                    Some(b' ' | b'\t' | b'\r') => at += 1,
                    Some(0) => break 0,
                    Some(b'/') if text.get(at + 1) == Some(&b'/') => {
                        at += lexical::line_comment(&text[at..]);
                    }
                    Some(b'/') if text.get(at + 1) == Some(&b'*') => break b'*',
                    Some(b'#') if at_line_start => break b'#',
                    _ => break b' ',
                }
            };
            frame.at = at;
            self.at_line_start = at_line_start;
            match next {
                b'*' => self.skip_comment()?,
                0 => {
                    self.error(Id::NulCharacter, at, NUL);
                    self.frame.at += 1;
                }
                b'#' if self.directive()? => {}
                _ => return Ok(()),
            }
        }
    }

    /// Skips a `/* … */` comment; they nest.
    pub(super) fn skip_comment(&mut self) -> Result<(), Bad> {
        let start = self.frame.at;
        let extent = lexical::block_comment(&self.frame.text[start..]);
        self.frame.at = start + extent.length;
        self.refuse_nul(start);
        if extent.is_closed {
            return Ok(());
        }
        self.error(Id::UnterminatedComment, start, "unterminated comment");
        Err(Bad(start))
    }

    /// Reports each NUL byte between `start` and the cursor.
    fn refuse_nul(&mut self, start: usize) {
        for _ in 0..memchr::memchr_iter(0, &self.frame.text[start..self.frame.at]).count() {
            self.error(Id::NulCharacter, start, NUL);
        }
    }

    /// Reads the token at the cursor, which begins with `first`; returns nothing for `include`.
    fn token(&mut self, start: usize, first: u8) -> Option<TokenKind> {
        if IS_WORD[usize::from(first)] {
            return if first.is_ascii_digit() { Some(self.number(start)) } else { self.identifier(start) };
        }
        let rest = &self.frame.text[start + 1..];
        let (kind, length) = match first {
            b'"' => return Some(self.string_literal(start)),
            b'+' | b'-' if rest.first().is_some_and(u8::is_ascii_digit) => return Some(self.number(start)),
            b'$' => return Some(self.variable(start)),
            b'!' => return Some(self.bang(start)),
            b'[' if rest.first() == Some(&b'{') => return Some(self.code(start)),
            b'.' if rest.starts_with(b"..") => (TokenKind::DotDotDot, 3),
            b'.' if rest.starts_with(b".") => {
                self.frame.at += 2;
                self.error(Id::InvalidPunctuation, start, "invalid '..' punctuation");
                return Some(TokenKind::Error);
            }
            b'.' => (TokenKind::Dot, 1),
            b'-' => (TokenKind::Minus, 1),
            b'+' => (TokenKind::Plus, 1),
            b'[' => (TokenKind::LSquare, 1),
            b']' => (TokenKind::RSquare, 1),
            b'{' => (TokenKind::LBrace, 1),
            b'}' => (TokenKind::RBrace, 1),
            b'(' => (TokenKind::LParen, 1),
            b')' => (TokenKind::RParen, 1),
            b'<' => (TokenKind::Less, 1),
            b'>' => (TokenKind::Greater, 1),
            b':' => (TokenKind::Colon, 1),
            b';' => (TokenKind::Semi, 1),
            b',' => (TokenKind::Comma, 1),
            b'=' => (TokenKind::Equal, 1),
            b'?' => (TokenKind::Question, 1),
            b'#' => (TokenKind::Paste, 1),
            _ => {
                self.frame.at += 1;
                self.error(Id::UnexpectedCharacter, start, "unexpected character");
                return Some(TokenKind::Error);
            }
        };
        self.frame.at += length;
        Some(kind)
    }

    #[inline]
    fn word_end(&self, from: usize) -> usize {
        let rest = &self.frame.text[from..];
        from + rest.iter().position(|&byte| !IS_WORD[usize::from(byte)]).unwrap_or(rest.len())
    }

    fn identifier(&mut self, start: usize) -> Option<TokenKind> {
        let end = self.word_end(start);
        self.frame.at = end;
        self.word = (start, end);
        let word = &self.frame.text[start..end];
        // No keyword is longer.
        if word.len() > b"multiclass".len() {
            return Some(TokenKind::Id);
        }
        if word == b"include" {
            return None;
        }
        Some(self.keyword(word).map_or(TokenKind::Id, TokenKind::Keyword))
    }

    fn variable(&mut self, start: usize) -> TokenKind {
        let frame = &mut self.frame;
        match frame.text.get(start + 1) {
            Some(first) if first.is_ascii_alphabetic() || *first == b'_' => {
                let end = self.word_end(start + 1);
                self.frame.at = end;
                self.word = (start + 1, end);
                TokenKind::VarName
            }
            _ => {
                frame.at = start + 1;
                self.error(Id::InvalidVariable, start, "invalid variable name");
                TokenKind::Error
            }
        }
    }

    fn bang(&mut self, start: usize) -> TokenKind {
        let frame = &mut self.frame;
        if !frame.text.get(start + 1).is_some_and(u8::is_ascii_alphabetic) {
            frame.at = start + 1;
            self.error(Id::InvalidOperator, start, "invalid \"!operator\"");
            return TokenKind::Error;
        }
        let letters = frame.text[start + 1..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        frame.at = start + 1 + letters;
        self.word = (start + 1, start + 1 + letters);
        match std::str::from_utf8(self.word()).ok().and_then(|name| self.operators.find(name)) {
            Some(index) => TokenKind::Bang(index),
            None => {
                self.error(Id::UnknownOperator, start, "unknown operator");
                TokenKind::Error
            }
        }
    }

    /// Reads a number, or an identifier that begins with digits.
    fn number(&mut self, start: usize) -> TokenKind {
        let text = Arc::clone(&self.frame.text);
        let Some(Numeral { radix, digits, end }) = lexical::numeral(&text[start..]) else {
            let end = self.word_end(start);
            self.frame.at = end;
            self.word = (start, end);
            return TokenKind::Id;
        };
        let (digits, end) = (start + digits, start + end);
        self.frame.at = end;
        let number = std::str::from_utf8(&text[digits..end]).ok();
        let magnitude = number.and_then(|digits| u64::from_str_radix(digits, radix).ok());
        let value = match (magnitude, text[start]) {
            _ if radix != 16 && !self.rules().has(Change::NumbersInRange) => {
                Some(clamped(magnitude, text[start] == b'-'))
            }
            (Some(magnitude), b'-') => 0i64.checked_sub_unsigned(magnitude),
            (Some(magnitude), b'+') => i64::try_from(magnitude).ok(),
            (magnitude, _) => magnitude.map(|magnitude| magnitude as i64),
        };
        let Some(value) = value else {
            let is_of_any = self.rules().has(Change::NumbersInRange);
            let message = if is_of_any { "number out of range" } else { "hexadecimal number out of range" };
            self.error(Id::NumberOutOfRange, start, message);
            return TokenKind::Error;
        };
        (self.int, self.digits) = (value, (end - digits) as u32);
        if radix == 2 { TokenKind::Binary } else { TokenKind::Int }
    }

    fn string_literal(&mut self, start: usize) -> TokenKind {
        let inside = &self.frame.text[start + 1..];
        let plain = memchr::memchr3(b'"', b'\\', b'\n', inside).unwrap_or(0);
        if inside.get(plain) == Some(&b'"') && memchr::memchr(b'\r', &inside[..plain]).is_none() {
            self.frame.at = start + 1 + plain + 1;
            self.set_string(start + 1, plain);
            return TokenKind::String;
        }
        self.string_with_escapes(start)
    }

    /// Sets the last string to these bytes of the file.
    fn set_string(&mut self, start: usize, length: usize) {
        let bytes = &self.frame.text[start..start + length];
        self.string.clear();
        match std::str::from_utf8(bytes) {
            Ok(text) if crate::text::is_well_formed(text) => self.string.push_str(text),
            _ => self.string = crate::text::encode(bytes.to_vec()),
        }
    }

    fn string_with_escapes(&mut self, start: usize) -> TokenKind {
        let text = Arc::clone(&self.frame.text);
        let extent = lexical::string(&text[start..]);
        let end = start + extent.length - usize::from(extent.is_closed);
        let mut bytes: Vec<u8> = Vec::new();
        let mut at = start + 1;
        while let Some(plain) = memchr::memchr(b'\\', &text[at..end]) {
            bytes.extend_from_slice(&text[at..at + plain]);
            at += plain;
            // A backslash is the last byte of a string that a line break or the end of the file cuts off.
            let Some(byte) = text[at + 1..end].first().and_then(|&byte| lexical::escaped(byte)) else {
                self.frame.at = at + 1;
                let (id, message) = if at + 1 == end {
                    (Id::EscapedNewline, "escaped newlines not supported in tblgen")
                } else {
                    (Id::InvalidEscape, "invalid escape in string literal")
                };
                self.error(id, at + 1, message);
                return TokenKind::Error;
            };
            bytes.push(byte);
            at += 2;
        }
        bytes.extend_from_slice(&text[at..end]);
        self.frame.at = start + extent.length;
        if extent.is_closed {
            self.string = crate::text::encode(bytes);
            return TokenKind::String;
        }
        let what = if end == text.len() { "file" } else { "line" };
        self.error(Id::UnterminatedString, start + 1, format!("end of {what} in string literal"));
        TokenKind::Error
    }

    fn code(&mut self, start: usize) -> TokenKind {
        let extent = lexical::code(&self.frame.text[start..]);
        self.frame.at = start + extent.length;
        self.refuse_nul(start);
        if !extent.is_closed {
            self.error(Id::UnterminatedCode, start, "unterminated code block");
            return TokenKind::Error;
        }
        self.set_string(start + 2, extent.length - 4);
        TokenKind::Code
    }

    /// Opens the files of an `include`; the cursor is after the word. The name is the next token wherever it comes
    /// from: another `include` is followed first, and at the end of a file reading continues in the one that included
    /// it.
    fn include(&mut self) -> Result<(), Bad> {
        // The `include`s that wait for their name.
        let mut waiting = 1_usize;
        self.at_line_start = false;
        while waiting > 0 {
            match self.next()? {
                None => {
                    self.at_line_start = false;
                    waiting += 1;
                }
                Some((TokenKind::String, at)) => {
                    self.enter(at)?;
                    waiting -= 1;
                }
                Some((TokenKind::Error, at)) => return Err(Bad(at)),
                Some((_, at)) => {
                    self.error(Id::MissingFileName, at, "expected filename after include");
                    return Err(Bad(at));
                }
            }
        }
        Ok(())
    }

    /// Opens the file whose name was read at `at`.
    fn enter(&mut self, at: usize) -> Result<(), Bad> {
        let name = std::mem::take(&mut self.string);
        self.deepest = self.deepest.max(self.outer.len() + 1);
        if let Some(leading) = &self.noted
            && self.outer.is_empty()
        {
            if leading.includes.get(self.passed).is_some_and(|(_, quote, _)| *quote == at) {
                self.passed += 1;
            } else {
                self.noted = None;
            }
        }
        if self.outer.len() + 1 > self.paths.max_depth as usize {
            let over = limits::over(self.span(at), "include depth", u64::from(self.paths.max_depth), "files");
            self.pending.push(*over);
            return Err(Bad(at));
        }
        if self.is_read_already(&name) {
            return self.charge(at, GUARDED_UNITS);
        }
        let Some((path, text)) = self.find(&name) else {
            self.error(Id::MissingInclude, at, format!("could not find include file '{name}'"));
            return Err(Bad(at));
        };
        self.charge(at, inclusion_units(text.len()))?;
        self.learn(|| Fact::Request(name.clone(), path.clone()));
        self.requests.insert(name, path.clone());
        if !self.open(&path, text, self.span(at)) {
            self.pending.push(*limits::over(self.span(at), "source bytes", u64::from(u32::MAX), "bytes"));
            return Err(Bad(at));
        }
        Ok(())
    }

    /// Adds units of work of `include`s that were skipped.
    pub fn add_units(&mut self, units: u64) {
        self.units += units;
        self.inclusions.take_over(units);
    }

    /// Charges units of work for an `include`.
    fn charge(&mut self, at: usize, units: u64) -> Result<(), Bad> {
        self.units += units;
        if let Some(boundary) = &mut self.boundary {
            boundary.units_after += units;
        }
        self.inclusions.charge(self.span(at), units).map_err(|error| {
            self.pending.push(*error);
            Bad(at)
        })
    }

    /// Notes a fact that later boundaries need.
    fn learn(&mut self, fact: impl FnOnce() -> Fact) {
        if self.noted.is_some() {
            self.learnt.push(fact());
        }
    }

    /// Defines a macro.
    pub(super) fn define(&mut self, name: &str) {
        if self.macros.insert(name.to_owned()) {
            self.learn(|| Fact::Macro(name.to_owned()));
        }
    }

    /// Returns true if a macro is defined, and records the first answer for each macro.
    pub(super) fn ask(&mut self, name: &str) -> bool {
        let is_defined = self.macros.contains(name);
        if !self.asked.contains_key(name) {
            self.asked.insert(name.to_owned(), is_defined);
            self.learn(|| Fact::Asked(name.to_owned(), is_defined));
        }
        is_defined
    }

    /// Returns true if an `include` of this name has no effect, which tests the file's macro.
    fn is_read_already(&mut self, name: &str) -> bool {
        let guard = guard_of_read(name, &self.requests, &self.guards, &self.macros).cloned();
        guard.is_some_and(|guard| self.ask(&guard))
    }

    fn find(&self, name: &str) -> Option<(String, Arc<[u8]>)> {
        self.paths.find(self.files, name)
    }

    /// Returns everything read so far, to the end of the root.
    #[must_use]
    pub fn into_read(mut self) -> Read {
        if let (Some(guard), Some(root)) = (self.frame.guard, self.sources.root()) {
            self.guards.entry(root.name.to_string()).or_insert(guard);
        }
        Read {
            sources: self.sources,
            reads: self.reads.into_paths(),
            macros: self.macros,
            asked: self.asked,
            requests: self.requests,
            guards: self.guards,
            deepest: self.deepest,
            units: self.inclusions.used(),
            learnt: self.learnt,
        }
    }

    /// Starts recording the state at the end of each of the root's leading `include`s.
    pub fn note_boundaries(&mut self, leading: Leading) {
        self.noted = Some(leading);
        let macros = self.macros.iter().map(|name| Fact::Macro(name.clone()));
        let asked = self.asked.iter().map(|(name, was)| Fact::Asked(name.clone(), *was));
        let requests = self.requests.iter().map(|(name, path)| Fact::Request(name.clone(), path.clone()));
        let guards = self.guards.iter().map(|(path, guard)| Fact::Guard(path.clone(), guard.clone()));
        self.learnt = macros.chain(asked).chain(requests).chain(guards).collect();
    }

    /// Continues at a boundary that another lexer of this root recorded, after `count` leading `include`s; the text
    /// before it may have changed, as long as it leads to the same files.
    pub fn resume_at(&mut self, count: usize, read: Read, leading: &Leading) {
        self.inclusions.take_over(read.units);
        self.sources = read.sources;
        self.reads = FileList::of(read.reads);
        self.macros = read.macros;
        self.asked = read.asked;
        self.requests = read.requests;
        self.guards = read.guards;
        self.deepest = read.deepest;
        self.passed = count;
        self.pass_leading(leading, count);
    }

    /// Skips the first `count` leading `include`s of the root.
    fn pass_leading(&mut self, leading: &Leading, count: usize) {
        let Some((_, _, end)) = leading.includes[..count].last() else { return };
        self.frame.at = *end;
        self.at_line_start = false;
        if let Some((guard, at)) = &leading.guard {
            self.asked.insert(guard.clone(), false);
            self.macros.insert(guard.clone());
            self.frame.controls.push(Control::taken(*at));
        }
    }

    /// Takes over the state of an earlier lexer in place of the first `count` leading `include`s of the root, and
    /// continues after them; `reads` are the files that were opened so far.
    pub fn resume(
        &mut self,
        (read, sources): (&Read, &SourcesBase),
        leading: &Leading,
        count: usize,
        reads: FileList,
    ) {
        let root = self.sources.root().map_or_else(|| "".into(), |root| Arc::clone(&root.name));
        self.sources = Sources::above(sources);
        self.inclusions.take_over(read.units);
        self.macros.extend(read.macros.iter().cloned());
        self.requests.clone_from(&read.requests);
        self.guards.clone_from(&read.guards);
        let text = std::mem::take(&mut self.frame.text);
        self.open_root(&root, text);
        self.reads = reads;
        self.pass_leading(leading, count);
    }
}

/// Units of work for opening a file: for its buffer, and for finding it.
const INCLUSION_UNITS: u64 = 500;
/// Units of work for an `include` of a file that was read already.
pub const GUARDED_UNITS: u64 = 8;
/// Bytes per unit of an opened file: blanks and comments are not tokens, but are read too.
const BYTES_OF_A_UNIT: u64 = 8;

/// Returns the units of work for opening a file of this size.
#[must_use]
pub fn inclusion_units(bytes: usize) -> u64 {
    INCLUSION_UNITS + bytes as u64 / BYTES_OF_A_UNIT
}

/// The state of a lexer at the end of one of the root's leading `include`s, as indexes into lists that only grow: a
/// root with many of them does not make many copies of its files.
#[derive(Clone, Debug)]
pub struct Boundary {
    /// The number of leading `include`s that had ended.
    pub count: usize,
    /// The number of buffers.
    pub buffers: usize,
    /// The number of files.
    reads: usize,
    /// The number of facts.
    learnt: usize,
    /// The deepest nesting of `include`s.
    deepest: usize,
    /// Units of work of `include`s between it and the token after it.
    pub units_after: u64,
}

/// A fact that a lexer learns about files and macros.
#[derive(Clone, Debug)]
pub(crate) enum Fact {
    /// A macro is defined.
    Macro(String),
    /// A macro was tested, and was defined or not.
    Asked(String, bool),
    /// A name in an `include` leads to a file.
    Request(String, String),
    /// A file is entirely inside an `#ifndef` of this macro.
    Guard(String, String),
}

/// Paths without duplicates, in the order in which they came.
#[derive(Debug, Default)]
pub struct FileList {
    paths: Vec<Arc<str>>,
    known: HashSet<Arc<str>>,
}

impl FileList {
    /// Creates a list of these paths.
    #[must_use]
    pub fn of(paths: Vec<String>) -> Self {
        let mut list = FileList::default();
        paths.iter().for_each(|path| list.add(path));
        list
    }

    /// Adds a path, unless it is already in the list.
    pub fn add(&mut self, path: &str) {
        if !self.known.contains(path) {
            let path: Arc<str> = path.into();
            self.known.insert(Arc::clone(&path));
            self.paths.push(path);
        }
    }

    /// Returns the number of paths.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "nothing needs it")]
    pub fn len(&self) -> usize {
        self.paths.len()
    }

    /// Drops all but the first ones.
    pub fn truncate(&mut self, count: usize) {
        let dropped = self.paths.drain(count.min(self.paths.len())..);
        dropped.for_each(|path| {
            self.known.remove(&path);
        });
    }

    /// Returns the paths.
    #[must_use]
    pub fn into_paths(self) -> Vec<String> {
        self.paths.iter().map(|path| path.to_string()).collect()
    }
}

/// Returns the macro of a file that an `include` of this name would read again without effect: the file was read, and
/// is entirely inside an `#ifndef` of a macro that is defined now.
fn guard_of_read<'a>(
    name: &str,
    requests: &BTreeMap<String, String>,
    guards: &'a BTreeMap<String, String>,
    macros: &HashSet<String>,
) -> Option<&'a String> {
    guards.get(requests.get(name)?).filter(|guard| macros.contains(*guard))
}

/// The result of reading: the texts, and the facts about files and macros.
#[derive(Debug, Default)]
pub struct Read {
    /// The texts.
    pub sources: Sources,
    /// Files that this lexer opened, the root first.
    pub reads: Vec<String>,
    /// Macros that are defined.
    pub macros: HashSet<String>,
    /// Macros that this lexer tested before it defined them, and the results.
    pub asked: BTreeMap<String, bool>,
    /// Names in `include`s and the files they led to.
    pub requests: BTreeMap<String, String>,
    /// The deepest nesting of `include`s below the root.
    pub deepest: usize,
    /// Files that are entirely inside an `#ifndef`, and its macro.
    pub guards: BTreeMap<String, String>,
    /// Units of work that `include`s took.
    pub units: u64,
    /// The facts learnt, in order, if boundaries were recorded.
    pub(crate) learnt: Vec<Fact>,
}

/// The state at a boundary, without the sources.
#[derive(Debug, Default)]
pub struct ReadBefore<'r> {
    /// Files that the lexer had opened, the root first.
    pub reads: &'r [String],
    /// Macros that were defined, sorted.
    pub macros: BTreeSet<&'r str>,
    /// Macros that the lexer had tested before it defined them, and the results.
    pub asked: BTreeMap<&'r str, bool>,
    /// Names in `include`s and the files they had led to.
    pub requests: BTreeMap<&'r str, &'r str>,
    /// Files that are entirely inside an `#ifndef`, and its macro.
    pub guards: BTreeMap<&'r str, &'r str>,
    /// The deepest nesting of `include`s below the root.
    pub deepest: usize,
}

impl Read {
    /// Returns the state at a boundary of the same lexer; nothing if it is another's.
    #[must_use]
    pub fn before(&self, boundary: &Boundary) -> Option<ReadBefore<'_>> {
        if boundary.buffers > self.sources.len() {
            return None;
        }
        let mut before = ReadBefore {
            reads: self.reads.get(..boundary.reads)?,
            deepest: boundary.deepest,
            ..ReadBefore::default()
        };
        for fact in self.learnt.get(..boundary.learnt)? {
            match fact {
                Fact::Macro(name) => {
                    before.macros.insert(name);
                }
                Fact::Asked(name, was_defined) => {
                    before.asked.insert(name, *was_defined);
                }
                Fact::Request(name, path) => {
                    before.requests.insert(name, path);
                }
                Fact::Guard(path, guard) => {
                    before.guards.insert(path, guard);
                }
            }
        }
        Some(before)
    }

    /// Returns the approximate size of its lists in bytes, without the sources.
    #[must_use]
    pub fn list_bytes(&self) -> usize {
        const ENTRY_BYTES: usize = 64;
        let reads = self.reads.iter().map(|path| path.len() + ENTRY_BYTES / 2);
        let macros = self.macros.iter().map(|name| name.len() + ENTRY_BYTES / 2);
        let asked = self.asked.keys().map(|name| name.len() + ENTRY_BYTES / 2);
        let pairs = self.requests.iter().chain(&self.guards);
        let pairs = pairs.map(|(name, value)| name.len() + value.len() + ENTRY_BYTES);
        reads.chain(macros).chain(asked).chain(pairs).sum()
    }

    /// Returns true if an `include` of this name has no effect.
    #[must_use]
    pub fn is_read_already(&self, name: &str) -> bool {
        guard_of_read(name, &self.requests, &self.guards, &self.macros).is_some()
    }
}

impl IncludePaths {
    /// Finds the file that an `include` of this name leads to.
    #[must_use]
    pub fn find(&self, files: &dyn Files, name: &str) -> Option<(String, Arc<[u8]>)> {
        self.candidates(name).find_map(|path| {
            let text = files.read(&path)?;
            Some((path, text))
        })
    }

    /// Returns true if an `include` of this name leads to the file of this path, which still has this stamp; `false` if
    /// only reading could show that.
    #[must_use]
    pub fn still_finds(&self, files: &dyn Files, name: &str, path: &str, stamp: Stamp) -> bool {
        let mut found = self.candidates(name).map(|path| (files.stamp(&path), path));
        let first = found.find(|(found, _)| *found != Stamp::Absent);
        matches!(stamp, Stamp::Known(_)) && first.is_some_and(|first| first.0 == stamp && first.1 == path)
    }

    /// Returns the paths to try for a file of this name, in order.
    fn candidates(&self, name: &str) -> impl Iterator<Item = String> {
        let is_absolute = name.starts_with('/');
        let folders = self.folders.iter().filter(move |_| !is_absolute);
        let below = folders.map(move |folder| {
            let slash = if folder.is_empty() || folder.ends_with('/') { "" } else { "/" };
            format!("{folder}{slash}{name}")
        });
        std::iter::once(name.to_owned()).chain(below)
    }
}
