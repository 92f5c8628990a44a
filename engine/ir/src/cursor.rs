//! The reader's position in the tokens, with the tree that it builds, the errors that it found and the work that is left.

use std::borrow::Cow;

use crate::{
    aliases::Aliases,
    definitions::Definitions,
    format::Matcher,
    lexer::{TokenKind, Tokens},
    tree::{Builder, Checkpoint, NodeId, NodeKind},
};

/// A text that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The token that is wrong.
    pub token: u32,
    /// The message, in the words of the release.
    pub message: Cow<'static, str>,
    /// True if another token was expected here. If the token begins a line, it is missing after the token before.
    pub is_missing: bool,
}

impl SyntaxError {
    /// Returns the byte that the message is about.
    #[must_use]
    pub fn offset(&self, tokens: &Tokens, text: &str) -> usize {
        let is_first = || tokens.pieces().contains(&self.token);
        let is_missing = self.is_missing && tokens.begins_line(self.token, text) && !is_first();
        match self.token.checked_sub(1).filter(|_| is_missing) {
            Some(before) => tokens.range(before).end,
            None => tokens.start(self.token),
        }
    }
}

/// The sign that a part could not be read; its error is noted already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal;

/// The result of reading a part.
pub type Reading<T = ()> = Result<T, Refusal>;

/// The limits of reading a text.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Nodes of the tree.
    pub nodes: usize,
    /// Nesting of brackets in types and attributes.
    pub depth: u32,
    /// Nesting of regions.
    pub regions: u32,
    /// Errors of a text; further ones are not noted.
    pub errors: usize,
    /// Steps of a format for each token of a statement.
    pub steps_per_token: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { nodes: usize::MAX, depth: 512, regions: 256, errors: 100, steps_per_token: 8 }
    }
}

/// The reader's position.
#[derive(Debug)]
pub struct Cursor<'t> {
    text: &'t str,
    tokens: &'t Tokens,
    definitions: &'t Definitions,
    limits: &'t Limits,
    /// The next token.
    pub(crate) at: u32,
    /// The token at which the piece ends.
    pub(crate) end: u32,
    /// The tree so far.
    pub tree: Builder,
    /// The aliases that are defined before the position.
    pub aliases: Aliases<'t>,
    /// The matcher of parameters, with its memory.
    pub(crate) matcher: Matcher,
    pub(crate) errors: Vec<SyntaxError>,
    /// True if the statement has an error already: it gets no other.
    pub(crate) has_error: bool,
    depth: u32,
}

impl<'t> Cursor<'t> {
    /// Creates a cursor at the first token.
    #[must_use]
    pub fn new(text: &'t str, tokens: &'t Tokens, definitions: &'t Definitions, limits: &'t Limits) -> Self {
        let end = tokens.len().saturating_sub(1);
        let (tree, errors) = (Builder::default(), Vec::new());
        let aliases = Aliases::of_text(text);
        Cursor {
            text,
            tokens,
            definitions,
            limits,
            at: 0,
            end,
            tree,
            aliases,
            matcher: Matcher::default(),
            errors,
            has_error: false,
            depth: 0,
        }
    }

    /// Returns the definitions.
    #[must_use]
    pub fn definitions(&self) -> &'t Definitions {
        self.definitions
    }

    /// Returns the limits.
    #[must_use]
    pub fn limits(&self) -> &'t Limits {
        self.limits
    }

    /// Returns all tokens.
    #[must_use]
    pub fn tokens(&self) -> &'t Tokens {
        self.tokens
    }

    /// Returns the whole text.
    #[must_use]
    pub fn whole_text(&self) -> &'t str {
        self.text
    }

    /// Returns the index of the next token.
    #[must_use]
    #[inline]
    pub fn position(&self) -> u32 {
        self.at
    }

    /// Goes to a token.
    pub fn go_to(&mut self, token: u32) {
        self.at = token.min(self.end);
    }

    /// Returns the kind of the next token.
    #[must_use]
    #[inline]
    pub fn peek(&self) -> TokenKind {
        self.kind(self.at)
    }

    /// Returns the kind of the token after that many others.
    #[must_use]
    #[inline]
    pub fn nth(&self, distance: u32) -> TokenKind {
        self.kind(self.at.saturating_add(distance))
    }

    /// Returns the kind of a token; the end of the piece is the end.
    #[must_use]
    #[inline]
    pub fn kind(&self, token: u32) -> TokenKind {
        if token >= self.end { TokenKind::End } else { self.tokens.kind(token) }
    }

    /// Returns the text of the next token.
    #[must_use]
    #[inline]
    pub fn peek_text(&self) -> &'t str {
        self.text_of(self.at)
    }

    /// Returns the text of a token.
    #[must_use]
    #[inline]
    pub fn text_of(&self, token: u32) -> &'t str {
        if token >= self.end { "" } else { &self.text[self.tokens.range(token)] }
    }

    /// Returns the text from a token up to another one, without the gap before it.
    #[must_use]
    pub fn text_between(&self, first: u32, end: u32) -> &'t str {
        if end <= first {
            return "";
        }
        &self.text[self.tokens.start(first)..self.tokens.range(end - 1).end]
    }

    /// Returns true if the next token is this word.
    #[must_use]
    #[inline]
    pub fn at_word(&self, word: &str) -> bool {
        self.peek() == TokenKind::Word && self.peek_text() == word
    }

    /// Returns true if the next token is of this kind.
    #[must_use]
    #[inline]
    pub fn at(&self, kind: TokenKind) -> bool {
        self.peek() == kind
    }

    /// Goes over the next token, whatever it is.
    #[inline]
    pub fn advance(&mut self) {
        if self.at < self.end {
            self.at += 1;
        }
    }

    /// Goes over the next token if it is of this kind.
    #[inline]
    pub fn eat(&mut self, kind: TokenKind) -> bool {
        let is_there = self.peek() == kind && kind != TokenKind::End;
        self.at += u32::from(is_there);
        is_there
    }

    /// Goes over the next token if it is this word.
    #[inline]
    pub fn eat_word(&mut self, word: &str) -> bool {
        let is_there = self.at_word(word);
        self.at += u32::from(is_there);
        is_there
    }

    /// Goes over the next token, which has to be of this kind.
    ///
    /// # Errors
    /// It is another one; the message is noted.
    pub fn expect(&mut self, kind: TokenKind, message: &'static str) -> Reading {
        if self.eat(kind) { Ok(()) } else { self.refuse(message) }
    }

    /// Goes over the next token, which has to be this word.
    ///
    /// # Errors
    /// It is another one; the message is noted.
    pub fn expect_word(&mut self, word: &str) -> Reading {
        if self.eat_word(word) { Ok(()) } else { self.refuse(format!("expected '{word}'")) }
    }

    /// Goes over the next token or, if it opens a bracket that is closed, over the pair.
    pub fn skip_balanced(&mut self) {
        self.at = self.tokens.after(self.at).min(self.end);
    }

    /// Notes that another token was expected here. A statement has one error at most.
    ///
    /// # Errors
    /// Always.
    pub fn refuse<T>(&mut self, message: impl Into<Cow<'static, str>>) -> Reading<T> {
        self.note(self.at, message.into(), true)
    }

    /// Notes an error at a token. A statement has one at most.
    ///
    /// # Errors
    /// Always.
    pub fn refuse_at<T>(&mut self, token: u32, message: impl Into<Cow<'static, str>>) -> Reading<T> {
        self.note(token, message.into(), false)
    }

    fn note<T>(&mut self, token: u32, message: Cow<'static, str>, is_missing: bool) -> Reading<T> {
        if !self.has_error && self.errors.len() < self.limits.errors {
            self.errors.push(SyntaxError { token: token.min(self.end), message, is_missing });
        }
        self.has_error = true;
        Err(Refusal)
    }

    /// Begins a node at the next token.
    pub fn start(&mut self, kind: NodeKind) -> NodeId {
        self.tree.start(kind, self.at)
    }

    /// Ends a node before the next token.
    pub fn finish(&mut self, id: NodeId) {
        self.tree.finish(id, self.at);
    }

    /// Adds a node for the next token and goes over it.
    pub fn leaf(&mut self, kind: NodeKind) -> NodeId {
        let id = self.tree.leaf(kind, self.at, self.at + 1);
        self.advance();
        id
    }

    /// Sets the data of a node.
    pub fn set_data(&mut self, id: NodeId, data: u16) {
        if let Some(node) = self.tree.node_mut(id) {
            node.data = data;
        }
    }

    /// Adds flags to a node.
    pub fn set_flags(&mut self, id: NodeId, flags: u8) {
        if let Some(node) = self.tree.node_mut(id) {
            node.flags |= flags;
        }
    }

    /// Reads a part of a type or attribute one level deeper.
    ///
    /// # Errors
    /// The part cannot be read, or the nesting is too deep.
    pub fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Reading<T>) -> Reading<T> {
        if self.depth >= self.limits.depth {
            return self.refuse("nesting is too deep");
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Returns the current position, to go back to.
    #[must_use]
    pub fn checkpoint(&self) -> Bookmark {
        Bookmark {
            at: self.at,
            tree: self.tree.checkpoint(),
            errors: self.errors.len(),
            has_error: self.has_error,
        }
    }

    /// Goes back to an earlier position, and forgets nodes and errors since then.
    pub fn rewind(&mut self, to: &Bookmark) {
        self.at = to.at;
        self.tree.rewind(to.tree);
        self.errors.truncate(to.errors);
        self.has_error = to.has_error;
    }
}

/// A position of a cursor, to go back to.
#[derive(Clone, Debug)]
pub struct Bookmark {
    at: u32,
    tree: Checkpoint,
    errors: usize,
    has_error: bool,
}
