//! The tokens that an evaluator reads. They are lexed in pieces, on another thread if one is free.

use std::{
    mem,
    sync::mpsc::{self, Receiver, SyncSender},
};

use super::{Boundary, Lexer, Read, Token, TokenKind};
use crate::{diagnostic::Diagnostic, source::BUFFER_BYTES, span::Span};

/// The largest number of tokens in a piece.
const MOST: usize = 2048;
/// The number of tokens in the first piece.
const FIRST: usize = 64;
/// The number of pieces that may wait between two threads.
const WAITING: usize = 4;

/// The tokens of a root file and of the files it includes, one after the other.
///
/// Messages and files that belong to a token are not visible before that token is taken.
pub struct Tokens<'f> {
    origin: Origin<'f>,
    piece: Piece,
    /// The index of the current token in the piece.
    at: usize,
    /// The index of the piece's next event.
    next_event: usize,
    /// The number of files opened up to the current token.
    opened: usize,
    /// Messages up to the current token that were not fetched yet.
    pub pending: Vec<Diagnostic>,
    /// Units of work of `include`s up to the current token that were not charged yet.
    pub units: u64,
    /// The number of buffers up to the current token.
    buffers: usize,
    /// The leading `include` of the root that ended right before the current token.
    boundary: Option<Boundary>,
}

/// The position of a token on its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineStart {
    /// Bytes before it.
    pub column: u32,
    /// True if there are only blanks before it.
    pub is_first: bool,
}

/// The source of tokens.
enum Origin<'f> {
    /// The lexer of this thread.
    Here(Box<Lexer<'f>>),
    /// The lexer of another thread.
    Elsewhere(FromLexer),
}

/// The sender of a thread that lexes.
pub struct ToEvaluator {
    pieces: SyncSender<Piece>,
    read: SyncSender<Read>,
    used: Receiver<Piece>,
}

/// The receiver of a thread that evaluates.
pub struct FromLexer {
    pieces: Receiver<Piece>,
    /// The result of reading, at the end.
    read: Receiver<Read>,
    /// The pieces whose memory the lexer may reuse.
    used: SyncSender<Piece>,
}

/// Creates the two ends of a channel that passes tokens from one thread to another.
#[must_use]
pub fn channel() -> (ToEvaluator, FromLexer) {
    let (to_pieces, pieces) = mpsc::sync_channel(WAITING);
    let (to_read, read) = mpsc::sync_channel(1);
    let (to_used, used) = mpsc::sync_channel(WAITING);
    (ToEvaluator { pieces: to_pieces, read: to_read, used }, FromLexer { pieces, read, used: to_used })
}

/// A batch of tokens.
#[derive(Debug, Default)]
pub struct Piece {
    tokens: Vec<Lexed>,
    /// The texts of words, strings and code fragments; UTF-8.
    text: Vec<u8>,
    /// Other events, with the indexes of tokens.
    events: Vec<(usize, Event)>,
}

/// A token and its value.
#[derive(Clone, Copy, Debug)]
struct Lexed {
    token: Token,
    value: Value,
}

/// The value of a token.
#[derive(Clone, Copy, Debug)]
enum Value {
    None,
    /// A part of the piece's text.
    Text {
        start: u32,
        length: u32,
    },
    /// An integer and the number of its digits.
    Int {
        value: i64,
        digits: u32,
    },
}

#[derive(Debug)]
enum Event {
    Messages(Vec<Diagnostic>),
    /// The number of files opened so far.
    Opened(usize),
    /// The units of work that `include`s took, and the number of buffers so far.
    Included {
        units: u64,
        buffers: usize,
    },
    /// The end of one of the root's leading `include`s; nothing once that was taken.
    Boundary(Option<Boundary>),
}

impl Piece {
    /// Lexes at most this number of tokens, fewer only at the end of the root.
    fn fill(&mut self, lexer: &mut Lexer<'_>, most: usize) {
        self.tokens.clear();
        self.text.clear();
        self.events.clear();
        let mut opened = 0;
        for index in 0..most {
            let token = lexer.next_token();
            let value = match token.kind {
                TokenKind::Id | TokenKind::VarName => self.keep(lexer.word()),
                TokenKind::String | TokenKind::Code => self.keep(lexer.string().as_bytes()),
                TokenKind::Int | TokenKind::Binary => {
                    Value::Int { value: lexer.int(), digits: lexer.digits() }
                }
                _ => Value::None,
            };
            self.tokens.push(Lexed { token, value });
            if lexer.reads.len() != opened {
                opened = lexer.reads.len();
                self.events.push((index, Event::Opened(opened)));
            }
            if !lexer.pending.is_empty() {
                self.events.push((index, Event::Messages(mem::take(&mut lexer.pending))));
            }
            if lexer.units > 0 {
                let (units, buffers) = (mem::take(&mut lexer.units), lexer.sources.len());
                self.events.push((index, Event::Included { units, buffers }));
            }
            if let Some(boundary) = lexer.boundary.take() {
                self.events.push((index, Event::Boundary(Some(boundary))));
            }
            if token.kind == TokenKind::Eof {
                break;
            }
        }
    }

    fn keep(&mut self, text: &[u8]) -> Value {
        let start = self.text.len() as u32;
        self.text.extend_from_slice(text);
        Value::Text { start, length: text.len() as u32 }
    }

    fn is_last(&self) -> bool {
        self.tokens.last().is_none_or(|last| last.token.kind == TokenKind::Eof)
    }
}

/// Sends all tokens of `lexer`, as long as they are received, and then the result of reading.
pub fn send(mut lexer: Lexer<'_>, to: &ToEvaluator) {
    let mut most = FIRST;
    loop {
        let mut piece = to.used.try_recv().unwrap_or_default();
        piece.fill(&mut lexer, most);
        let is_last = piece.is_last();
        if to.pieces.send(piece).is_err() || is_last {
            break;
        }
        most = MOST.min(2 * most);
    }
    // An evaluator that stopped early does not need it.
    let _ = to.read.send(lexer.into_read());
}

impl<'f> Tokens<'f> {
    /// Returns the tokens of this lexer.
    #[must_use]
    pub fn of(lexer: Lexer<'f>) -> Self {
        Tokens::from(Origin::Here(Box::new(lexer)))
    }

    /// Returns the tokens of a lexer on another thread, from the other end of [`send`].
    #[must_use]
    pub fn received(from: FromLexer) -> Self {
        Tokens::from(Origin::Elsewhere(from))
    }

    fn from(origin: Origin<'f>) -> Self {
        Tokens {
            origin,
            piece: Piece::default(),
            at: 0,
            next_event: 0,
            opened: 0,
            pending: Vec::new(),
            units: 0,
            buffers: 0,
            boundary: None,
        }
    }

    /// Advances to the next token; the last one is repeated.
    #[inline]
    pub fn next_token(&mut self) -> Token {
        if self.boundary.is_some() {
            self.boundary = None;
        }
        if self.at + 1 < self.piece.tokens.len() {
            self.at += 1;
        } else {
            self.next_piece();
        }
        if self.piece.events.get(self.next_event).is_some_and(|(at, _)| *at == self.at) {
            self.take_events();
        }
        self.token()
    }

    /// Returns the current token.
    #[must_use]
    pub fn token(&self) -> Token {
        let end = Token { kind: TokenKind::Eof, span: Span::NONE };
        self.piece.tokens.get(self.at).map_or(end, |lexed| lexed.token)
    }

    #[cold]
    fn next_piece(&mut self) {
        if !self.piece.tokens.is_empty() && self.piece.is_last() {
            return;
        }
        match &mut self.origin {
            Origin::Here(lexer) => self.piece.fill(lexer, MOST.min(FIRST.max(2 * self.piece.tokens.len()))),
            // A thread that panicked sends no more; the thread that waits for it panics too.
            Origin::Elsewhere(from) => {
                let used = mem::replace(&mut self.piece, from.pieces.recv().unwrap_or_default());
                // A piece too many is dropped.
                let _ = from.used.try_send(used);
            }
        }
        self.at = 0;
        self.next_event = 0;
    }

    #[cold]
    fn take_events(&mut self) {
        while let Some((_, event)) =
            self.piece.events.get_mut(self.next_event).filter(|(at, _)| *at == self.at)
        {
            match event {
                Event::Messages(messages) => self.pending.append(messages),
                Event::Opened(files) => self.opened = *files,
                Event::Included { units, buffers } => {
                    self.units += *units;
                    self.buffers = *buffers;
                }
                Event::Boundary(boundary) => self.boundary = boundary.take(),
            }
            self.next_event += 1;
        }
    }

    /// Returns the position of a place on its line; nothing if another thread lexes.
    #[must_use]
    pub fn line_start(&self, span: Span) -> Option<LineStart> {
        let Origin::Here(lexer) = &self.origin else { return None };
        let buffer = lexer.sources.buffer_of(span)?;
        let at = (span.0.checked_sub(buffer.start)? as usize).min(buffer.text.len());
        let start = memchr::memrchr(b'\n', &buffer.text[..at]).map_or(0, |end| end + 1);
        let before = &buffer.text[start..at];
        Some(LineStart { column: before.len() as u32, is_first: before.iter().all(u8::is_ascii_whitespace) })
    }

    /// Returns the approximate size in bytes of the files opened up to the current token, without their texts.
    #[must_use]
    pub fn opened_bytes(&self) -> usize {
        self.buffers * BUFFER_BYTES
    }

    /// Takes the leading `include` of the root that ended right before the current token, if one did.
    pub fn take_boundary(&mut self) -> Option<Boundary> {
        self.boundary.take()
    }

    fn value(&self) -> Value {
        self.piece.tokens.get(self.at).map_or(Value::None, |lexed| lexed.value)
    }

    /// Returns the text, UTF-8, of the current identifier, variable name, string or code fragment.
    #[must_use]
    #[inline]
    pub fn text(&self) -> &[u8] {
        match self.value() {
            Value::Text { start, length } => &self.piece.text[start as usize..][..length as usize],
            _ => &[],
        }
    }

    /// Returns the current integer, and the number of its digits without sign and prefix.
    #[must_use]
    pub fn int(&self) -> (i64, u32) {
        match self.value() {
            Value::Int { value, digits } => (value, digits),
            _ => (0, 0),
        }
    }

    /// Returns the result of reading, with the files opened up to the current token.
    #[must_use]
    pub fn into_read(self) -> Read {
        let mut read = match self.origin {
            Origin::Here(lexer) => lexer.into_read(),
            Origin::Elsewhere(from) => {
                // The lexer ends when its tokens are no longer taken.
                drop(from.pieces);
                from.read.recv().unwrap_or_default()
            }
        };
        read.reads.truncate(self.opened);
        read
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        source::Files,
        syntax::{IncludePaths, lexer::OperatorNames},
    };
    use odsmith_release::Rules;

    struct Two;

    impl Files for Two {
        fn read(&self, path: &str) -> Option<Arc<[u8]>> {
            let text = match path {
                "root.td" => {
                    format!("{} include \"other.td\" 0b101 ~ \"end\"", "def a; $b [{c}] -7 ".repeat(40))
                }
                "other.td" => "#ifdef\n".to_owned(),
                _ => return None,
            };
            Some(text.into_bytes().into())
        }
    }

    fn lexer() -> Lexer<'static> {
        let paths = IncludePaths { folders: Vec::new(), max_depth: 9 };
        let text = Two.read("root.td").unwrap_or_default();
        Lexer::new(
            &Two,
            paths,
            [],
            OperatorNames { find: |_, _| None, rules: Rules::default() },
            "root.td",
            text,
        )
    }

    /// Takes the first tokens, with their values, and the files known to be opened by then.
    fn taken(mut tokens: Tokens<'_>, count: usize) -> (Vec<String>, Vec<String>) {
        let mut seen = Vec::new();
        for _ in 0..count {
            let token = tokens.next_token();
            let messages: Vec<String> = tokens.pending.drain(..).map(|message| message.message).collect();
            let text = String::from_utf8_lossy(tokens.text()).into_owned();
            seen.push(format!("{token:?} {text:?} {:?} {messages:?}", tokens.int()));
        }
        (seen, tokens.into_read().reads)
    }

    /// Takes tokens that were sent before.
    fn taken_from_afar(count: usize) -> (Vec<String>, Vec<String>) {
        let (to_evaluator, from_lexer) = channel();
        // Its pieces are few enough to wait all at once.
        send(lexer(), &to_evaluator);
        taken(Tokens::received(from_lexer), count)
    }

    #[test]
    fn what_was_sent_is_the_same() {
        for count in [1, 63, 64, 65, 240, 241, 242, 243, 244, 300] {
            assert_eq!(taken(Tokens::of(lexer()), count), taken_from_afar(count), "of {count} tokens");
        }
    }

    #[test]
    fn what_lies_ahead_is_not_known() {
        assert_eq!(taken(Tokens::of(lexer()), 240).1, ["root.td"]);
        let (seen, reads) = taken(Tokens::of(lexer()), 250);
        assert_eq!(reads, ["root.td", "other.td"]);
        let said: Vec<&String> = seen.iter().filter(|token| !token.ends_with("[]")).collect();
        assert_eq!(said.len(), 2, "{said:?}");
    }
}
