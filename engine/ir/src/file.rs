//! The grammar of a file: statements, regions, blocks, aliases, resources and pieces.
//!
//! ```text
//! file:       piece { "// -----" piece }
//! piece:      { alias | resources | statement }
//! statement:  [ results "=" ] ( generic | custom ) [ location ]
//! results:    value [ ":" integer ] { "," value [ ":" integer ] }
//! generic:    string "(" values ")" [ "[" successors "]" ] [ "<" attribute ">" ] [ "(" regions ")" ]
//!             [ dictionary ] ":" function-type
//! region:     "{" { statement } { label { statement } } "}"
//! ```
//!
//! A statement that is wrong has one error; what follows it is read again. An operation whose text is not understood is
//! opaque: its results and its regions are read, the rest is unknown.

use crate::{
    attributes::{read_attribute, read_dictionary},
    bound::{self, Defaults},
    cursor::{Cursor, Limits, Reading, Refusal, SyntaxError},
    definitions::{Definitions, Form, OperationDef},
    format::{FoundPiece, Goal, Matcher, Outcome, PartRef, Piece, PieceKind, Program, Step, is_dictionary},
    lexer::{TokenKind as T, Tokens},
    location::{begins_location, read_location},
    skip,
    syntax::Level,
    tree::{NO_DATA, NodeId, NodeKind, Tree, flags},
    types::{self, read_type},
};

/// A text that was read.
#[derive(Clone, Debug)]
pub struct Ir {
    /// Its tokens.
    pub tokens: Tokens,
    /// Its tree.
    pub tree: Tree,
    /// Its syntax errors, in the order of the text.
    pub errors: Vec<SyntaxError>,
}

/// Reads a text.
#[must_use]
pub fn read(text: &str, definitions: &Definitions, limits: &Limits) -> Ir {
    let tokens = Tokens::new(text);
    let (tree, mut errors) = {
        let mut reader = Reader {
            cursor: Cursor::new(text, &tokens, definitions, limits),
            matchers: Vec::new(),
            regions: 0,
        };
        reader.file();
        (reader.cursor.tree.into_tree(), reader.cursor.errors)
    };
    errors.sort_by_key(|error| error.token);
    Ir { tokens, tree, errors }
}

struct Reader<'t> {
    cursor: Cursor<'t>,
    /// Matchers that are not at work, with their memory.
    matchers: Vec<Matcher>,
    /// The nesting of regions.
    regions: u32,
}

/// The place of a statement.
#[derive(Clone, Copy, Debug)]
struct Scope<'d> {
    defaults: Defaults<'d>,
    is_top: bool,
    /// True if braces in what is not understood may be regions: the operation may have some.
    may_have_regions: bool,
}

const BUILTIN: Defaults<'static> = Defaults { dialect: "builtin" };

impl<'t> Reader<'t> {
    fn file(&mut self) {
        let end = self.cursor.end;
        let root = self.cursor.start(NodeKind::File);
        let pieces = self.cursor.tokens().pieces();
        for (index, first) in pieces.iter().enumerate() {
            self.cursor.end = pieces.get(index + 1).map_or(end, |next| (*next).min(end));
            self.cursor.at = *first;
            let piece = self.cursor.start(NodeKind::Piece);
            while self.cursor.peek() != T::End {
                self.entry(Scope { defaults: BUILTIN, is_top: true, may_have_regions: true });
            }
            self.cursor.finish(piece);
        }
        self.cursor.end = end;
        self.cursor.at = end;
        self.cursor.finish(root);
    }

    /// Reads an alias, resources or a statement.
    fn entry(&mut self, scope: Scope<'_>) {
        let before = self.cursor.at;
        self.cursor.has_error = false;
        match self.cursor.peek() {
            T::Attribute | T::Type if scope.is_top && self.cursor.nth(1) == T::Equal => self.alias(),
            T::ResourcesBegin if scope.is_top => {
                let resources = self.cursor.start(NodeKind::Resources);
                let end = self.cursor.tokens().after(self.cursor.at).min(self.cursor.end);
                let is_closed = self.cursor.tokens().partner(self.cursor.at).is_some();
                if !is_closed || self.metadata().is_err() {
                    self.cursor.go_to(end);
                }
                self.cursor.finish(resources);
            }
            _ => self.statement(scope),
        }
        if self.cursor.at == before {
            self.cursor.leaf(NodeKind::Error);
        }
    }

    /// Reads `{-# dialect_resources: { d: { key: "0x…" } }, external_resources: { tool: { key: 1 } } #-}`.
    fn metadata(&mut self) -> Reading {
        self.cursor.advance();
        if self.cursor.eat(T::ResourcesEnd) {
            return Ok(());
        }
        loop {
            let key = self.cursor.peek_text();
            if self.cursor.peek() != T::Word {
                return self.cursor.refuse("expected identifier key in file metadata dictionary");
            }
            if !matches!(key, "dialect_resources" | "external_resources") {
                return self
                    .cursor
                    .refuse_at(self.cursor.at, format!("unknown key '{key}' in file metadata dictionary"));
            }
            self.cursor.advance();
            self.cursor.expect(T::Colon, "expected ':'")?;
            self.resource_entries(2)?;
            if !self.cursor.eat(T::Comma) {
                break;
            }
        }
        self.cursor.expect(T::ResourcesEnd, "expected '#-}'")
    }

    /// Reads `{ key: value, … }`; with a depth of 2 the values are such lists themselves.
    fn resource_entries(&mut self, depth: u32) -> Reading {
        self.cursor.expect(T::LeftBrace, "expected '{'")?;
        if self.cursor.eat(T::RightBrace) {
            return Ok(());
        }
        loop {
            if !matches!(self.cursor.peek(), T::Word | T::String) {
                return self.cursor.refuse("expected identifier key for 'resource' entry");
            }
            self.cursor.advance();
            self.cursor.expect(T::Colon, "expected ':'")?;
            match depth {
                2 => self.resource_entries(1)?,
                _ => self.cursor.skip_balanced(),
            }
            if !self.cursor.eat(T::Comma) {
                break;
            }
        }
        self.cursor.expect(T::RightBrace, "expected '}'")
    }

    fn alias(&mut self) {
        let first = self.cursor.at;
        let alias = self.cursor.start(NodeKind::AliasDefinition);
        let is_type = self.cursor.peek() == T::Type;
        self.cursor.advance();
        self.cursor.advance();
        let value = match is_type {
            true => read_type(&mut self.cursor),
            false if begins_location(&self.cursor) => read_location(&mut self.cursor),
            false => read_attribute(&mut self.cursor),
        };
        if value.is_err() {
            let end = bound::extent(&self.cursor, first, BUILTIN);
            self.cursor.go_to(end);
        }
        self.cursor.finish(alias);
    }

    fn statement(&mut self, scope: Scope<'_>) {
        let first = self.cursor.at;
        let operation = self.cursor.start(NodeKind::Operation);
        if self.after_results(operation, first, scope).is_err() {
            self.cursor.set_flags(operation, flags::ERROR);
            let end = bound::extent(&self.cursor, first, scope.defaults).max(self.cursor.at);
            self.unknown(end, scope, PartRef::NONE);
        }
        self.cursor.finish(operation);
    }

    fn after_results(&mut self, operation: NodeId, first: u32, scope: Scope<'_>) -> Reading {
        if self.cursor.peek() == T::Value {
            self.results()?;
        }
        match self.cursor.peek() {
            T::String => self.generic(operation, scope)?,
            T::Word if !types::is_integer(self.cursor.peek_text()) => self.custom(operation, first, scope)?,
            _ => return self.cursor.refuse("expected operation name in quotes"),
        }
        if begins_location(&self.cursor) {
            read_location(&mut self.cursor)?;
        }
        if self.cursor.has_error { Err(Refusal) } else { Ok(()) }
    }

    fn results(&mut self) -> Reading {
        loop {
            if self.cursor.peek() != T::Value {
                return self.cursor.refuse("expected valid ssa identifier");
            }
            let result = self.cursor.start(NodeKind::Result);
            self.cursor.advance();
            if self.cursor.eat(T::Colon) {
                if self.cursor.peek_text().bytes().all(|byte| byte == b'0') {
                    return self.cursor.refuse("expected named operation to have at least 1 result");
                }
                self.cursor.expect(T::Integer, "expected integer number of results")?;
            }
            self.cursor.finish(result);
            if !self.cursor.eat(T::Comma) {
                break;
            }
        }
        self.cursor.expect(T::Equal, "expected '=' after SSA name")
    }

    // Generic form.

    fn generic(&mut self, operation: NodeId, scope: Scope<'_>) -> Reading {
        self.cursor.set_flags(operation, flags::GENERIC);
        let text = self.cursor.peek_text();
        let name = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
        let known = self.cursor.definitions().operation(name);
        self.define(operation, known);
        self.cursor.leaf(NodeKind::Name);
        self.cursor.expect(T::LeftParen, "expected '(' to start operand list")?;
        self.values(T::RightParen, PartRef::NONE)?;
        self.cursor.expect(T::RightParen, "expected ')' to end operand list")?;
        if self.cursor.eat(T::LeftBracket) {
            loop {
                if self.cursor.peek() != T::Block {
                    return self.cursor.refuse("expected block name");
                }
                self.cursor.leaf(NodeKind::Successor);
                if !self.cursor.eat(T::Comma) {
                    break;
                }
            }
            self.cursor.expect(T::RightBracket, "expected ',' or ']'")?;
        }
        if self.cursor.peek() == T::Less {
            self.properties()?;
        }
        if self.cursor.peek() == T::LeftParen {
            self.cursor.advance();
            loop {
                if self.cursor.peek() != T::LeftBrace {
                    return self.cursor.refuse(REGION);
                }
                // The default dialect is that of the next operation outside in custom form.
                self.region(scope.defaults, NO_DATA, 0);
                self.cursor.has_error = false;
                if !self.cursor.eat(T::Comma) {
                    break;
                }
            }
            self.cursor.expect(T::RightParen, "expected ')' to end region list")?;
        }
        if self.cursor.peek() == T::LeftBrace {
            read_dictionary(&mut self.cursor)?;
        }
        self.cursor.expect(T::Colon, "expected ':' followed by operation type")?;
        self.function_type()
    }

    /// Reads `<{a = 1}>`, or another attribute between `<` and `>`.
    fn properties(&mut self) -> Reading {
        let properties = self.cursor.start(NodeKind::Properties);
        self.cursor.advance();
        match self.cursor.peek() {
            T::LeftBrace => read_dictionary(&mut self.cursor)?,
            _ => read_attribute(&mut self.cursor)?,
        }
        self.cursor.expect(T::Greater, "expected '>' to close properties")?;
        self.cursor.finish(properties);
        Ok(())
    }

    /// Reads the type of an operation in generic form, which may be an alias.
    fn function_type(&mut self) -> Reading {
        match self.cursor.peek() {
            T::LeftParen | T::Type => read_type(&mut self.cursor),
            _ => self.cursor.refuse("expected function type"),
        }
    }

    fn define(&mut self, operation: NodeId, known: Option<u32>) {
        if let Some(known) = known.and_then(|known| u16::try_from(known).ok()) {
            self.cursor.set_data(operation, known);
        }
    }

    /// Reads values with commas between, as far as there are any.
    fn values(&mut self, end: T, place: PartRef) -> Reading {
        if self.cursor.peek() == end {
            return Ok(());
        }
        loop {
            self.value(NodeKind::Operand, place)?;
            if !self.cursor.eat(T::Comma) {
                return Ok(());
            }
        }
    }

    fn value(&mut self, kind: NodeKind, place: PartRef) -> Reading {
        let Some(end) = crate::format::value_end(&self.cursor, self.cursor.at) else {
            return self.cursor.refuse("expected SSA operand");
        };
        let node = self.cursor.start(kind);
        self.cursor.go_to(end);
        self.cursor.finish(node);
        self.mark(node, place);
        Ok(())
    }

    fn mark(&mut self, node: NodeId, place: PartRef) {
        self.cursor.set_data(node, place.part);
        self.cursor.set_flags(node, place.flags);
    }

    /// Reads `^a`, `^a(%b : T)`.
    fn successor(&mut self) -> Reading {
        if self.cursor.peek() != T::Block {
            return self.cursor.refuse("expected block name");
        }
        let successor = self.cursor.start(NodeKind::Successor);
        self.cursor.advance();
        if self.cursor.peek() == T::LeftParen {
            self.cursor.advance();
            self.values(T::Colon, PartRef::NONE)?;
            self.cursor.expect(T::Colon, "expected ':' in operand list")?;
            self.types()?;
            self.cursor.expect(T::RightParen, "expected ')'")?;
        }
        self.cursor.finish(successor);
        Ok(())
    }

    fn types(&mut self) -> Reading {
        loop {
            read_type(&mut self.cursor)?;
            if !self.cursor.eat(T::Comma) {
                return Ok(());
            }
        }
    }

    // Regions.

    /// Reads a region, whose brace is the next token.
    fn region(&mut self, defaults: Defaults<'_>, part: u16, flags: u8) {
        let open = self.cursor.at;
        let region = self.cursor.start(NodeKind::Region);
        self.mark(region, PartRef { part, flags, ..PartRef::NONE });
        let close = self.cursor.tokens().partner(open).filter(|close| *close < self.cursor.end);
        if self.regions >= self.cursor.limits().regions {
            let _ = self.cursor.refuse::<()>("nesting of regions is too deep");
            self.cursor.skip_balanced();
            return self.cursor.finish(region);
        }
        self.regions += 1;
        let scope = Scope { defaults, is_top: false, may_have_regions: true };
        self.cursor.advance();
        let end = close.unwrap_or(self.cursor.end);
        let around = std::mem::replace(&mut self.cursor.end, end);
        let mut block = self.cursor.start(NodeKind::Block);
        let mut is_first = true;
        while self.cursor.at < end {
            if self.cursor.peek() == T::Block {
                if !is_first {
                    self.cursor.finish(block);
                    block = self.cursor.start(NodeKind::Block);
                }
                self.label(scope);
            } else {
                self.entry(scope);
            }
            is_first = false;
        }
        self.cursor.finish(block);
        self.cursor.end = around;
        self.regions -= 1;
        self.cursor.has_error = false;
        if close.is_some() {
            self.cursor.advance();
        } else {
            let _ = self.cursor.refuse_at::<()>(open, "expected '}' to end a region");
        }
        self.cursor.finish(region);
    }

    fn label(&mut self, scope: Scope<'_>) {
        self.cursor.has_error = false;
        let first = self.cursor.at;
        self.cursor.leaf(NodeKind::BlockLabel);
        let read = self.label_arguments();
        if read.is_err() {
            let end = bound::extent(&self.cursor, first, scope.defaults).max(first + 1);
            self.cursor.go_to(end.max(self.cursor.at));
        }
    }

    fn label_arguments(&mut self) -> Reading {
        if self.cursor.peek() == T::LeftParen {
            self.cursor.advance();
            if self.cursor.peek() != T::RightParen {
                loop {
                    self.block_argument(false)?;
                    if !self.cursor.eat(T::Comma) {
                        break;
                    }
                }
            }
            self.cursor.expect(T::RightParen, "expected ')' to end argument list")?;
        }
        self.cursor.expect(T::Colon, "expected ':' after block name")
    }

    /// Reads `%a: T {attributes} loc(…)`; the name may be missing if `may_be_nameless` holds.
    fn block_argument(&mut self, may_be_nameless: bool) -> Reading {
        let argument = self.cursor.start(NodeKind::BlockArgument);
        let has_name = self.cursor.peek() == T::Value;
        if has_name {
            self.cursor.advance();
            self.cursor.expect(T::Colon, "expected ':' and type for SSA operand")?;
        } else if !may_be_nameless {
            return self.cursor.refuse("expected SSA operand");
        }
        read_type(&mut self.cursor)?;
        if may_be_nameless && self.cursor.peek() == T::LeftBrace {
            read_dictionary(&mut self.cursor)?;
        }
        if begins_location(&self.cursor) {
            read_location(&mut self.cursor)?;
        }
        self.cursor.finish(argument);
        Ok(())
    }

    // Custom form.

    fn custom(&mut self, operation: NodeId, first: u32, scope: Scope<'_>) -> Reading {
        let known = bound::operation_at(&self.cursor, self.cursor.at, scope.defaults, true);
        self.define(operation, known);
        let def = known.and_then(|known| self.cursor.definitions().get(known));
        self.cursor.leaf(NodeKind::Name);
        let Some((def, program)) = def.and_then(|def| def.program.as_ref().map(|program| (def, program)))
        else {
            self.opaque(operation, first, scope, def);
            return Ok(());
        };
        let is_exact = matches!(def.form, Form::Format | Form::Table(Level::Exact));
        let mut matcher = self.matchers.pop().unwrap_or_default();
        let outcome = self.match_form(&mut matcher, program, first, scope);
        match outcome {
            Outcome::Matched(end) => {
                let found = std::mem::take(&mut matcher.found);
                let trust = Trust {
                    is_exact: is_exact && !matcher.is_ambiguous && !program.has_table,
                    is_ambiguous: matcher.is_ambiguous || def.form == Form::Table(Level::Extent),
                };
                self.matchers.push(matcher);
                self.emit(operation, def, program, &found, trust);
                let matcher = self.matchers.last_mut();
                if let Some(matcher) = matcher {
                    matcher.found = found;
                }
                self.cursor.go_to(end);
                Ok(())
            }
            Outcome::Refused(at, step) if is_exact && !program.is_open && !program.has_table => {
                self.matchers.push(matcher);
                self.refuse_form(program, at, step)
            }
            Outcome::Refused(..) | Outcome::Exhausted => {
                self.matchers.push(matcher);
                self.opaque(operation, first, scope, Some(def));
                Ok(())
            }
        }
    }

    fn match_form(
        &mut self,
        matcher: &mut Matcher,
        program: &Program,
        first: u32,
        scope: Scope<'_>,
    ) -> Outcome {
        let start = self.cursor.at;
        let limit = self.cursor.end;
        let free = Goal { end: None, limit, is_carried: false, is_inner: false, defaults: None };
        if !program.is_open {
            return matcher.run(&self.cursor, program, start, free);
        }
        let end = bound::extent(&self.cursor, first, scope.defaults).max(start);
        let exact = Goal::to(end);
        let mut outcome = matcher.run(&self.cursor, program, start, exact);
        let strict = Goal { limit: end, defaults: Some(scope.defaults), ..free };
        for goal in [strict, Goal { is_carried: true, ..exact }] {
            if matches!(outcome, Outcome::Matched(_)) {
                break;
            }
            outcome = matcher.run(&self.cursor, program, start, goal);
        }
        outcome
    }

    fn refuse_form(&mut self, program: &Program, at: u32, step: u32) -> Reading {
        let message = match program.steps.get(step as usize) {
            Some(Step::Take(piece) | Step::Try(piece, _)) => expectation(&piece.kind),
            _ => "expected operation name in quotes".into(),
        };
        let position = self.cursor.position();
        self.cursor.go_to(at);
        let refusal = self.cursor.refuse(message);
        self.cursor.go_to(position);
        refusal
    }

    /// Reads the rest of a statement of which only the bounds are known.
    fn opaque(&mut self, operation: NodeId, first: u32, scope: Scope<'_>, def: Option<&'t OperationDef>) {
        self.cursor.set_flags(operation, flags::OPAQUE);
        let end = bound::extent(&self.cursor, first, scope.defaults).max(self.cursor.at);
        let defaults = match def {
            Some(def) => Defaults { dialect: def.default_dialect.as_deref().unwrap_or("builtin") },
            None => scope.defaults,
        };
        let may_have_regions = def.is_none_or(OperationDef::has_regions);
        self.unknown(end, Scope { defaults, is_top: false, may_have_regions }, PartRef::NONE);
    }

    /// Adds the text up to a token as unknown, with the values and regions in it.
    fn unknown(&mut self, end: u32, scope: Scope<'_>, place: PartRef) {
        if self.cursor.at >= end {
            return;
        }
        let unknown = self.cursor.start(NodeKind::Unknown);
        self.mark(unknown, PartRef { is_type: false, ..place });
        while self.cursor.at < end {
            let at = self.cursor.at;
            match self.cursor.peek() {
                T::Value => {
                    let value = crate::format::value_end(&self.cursor, at).unwrap_or(at + 1).min(end);
                    let is_defined = place.is_argument
                        || value == at + 1 && matches!(self.cursor.kind(value), T::Equal | T::Colon);
                    let kind = if is_defined { NodeKind::PossibleDefinition } else { NodeKind::PossibleUse };
                    let node = self.cursor.start(kind);
                    self.cursor.go_to(value);
                    self.cursor.finish(node);
                }
                T::Symbol => {
                    self.cursor.leaf(NodeKind::SymbolUse);
                }
                T::Block => {
                    let node = self.cursor.leaf(NodeKind::Successor);
                    self.cursor.set_flags(node, flags::PARTLY);
                }
                T::LeftBrace if scope.may_have_regions && self.is_region(scope) => {
                    let has_error = self.cursor.has_error;
                    self.region(scope.defaults, NO_DATA, 0);
                    self.cursor.has_error = has_error;
                }
                _ => self.cursor.advance(),
            }
        }
        self.cursor.finish(unknown);
    }

    /// Returns true if the next brace looks like that of a region.
    fn is_region(&self, scope: Scope<'_>) -> bool {
        let cursor = &self.cursor;
        let inside = cursor.at + 1;
        if cursor.tokens().partner(cursor.at).is_none_or(|close| close >= cursor.end)
            || is_dictionary(cursor, cursor.at)
        {
            return false;
        }
        match cursor.kind(inside) {
            T::Value => bound::is_result_list(cursor, inside),
            T::Block => bound::is_label(cursor, inside),
            T::String => cursor.kind(inside + 1) == T::LeftParen,
            T::Word => bound::operation_at(cursor, inside, scope.defaults, true).is_some(),
            _ => false,
        }
    }

    /// Adds the nodes of the pieces of a form.
    fn emit(
        &mut self,
        operation: NodeId,
        def: &'t OperationDef,
        program: &Program,
        found: &[FoundPiece],
        trust: Trust,
    ) {
        if trust.is_ambiguous {
            self.cursor.set_flags(operation, flags::PARTLY);
        }
        let inner = Scope {
            defaults: Defaults { dialect: def.default_dialect.as_deref().unwrap_or("builtin") },
            is_top: false,
            may_have_regions: def.has_regions(),
        };
        let mut has_error = false;
        for one in found {
            let Some(Step::Take(piece) | Step::Try(piece, _)) = program.steps.get(one.step as usize) else {
                continue;
            };
            if matches!(piece.kind, PieceKind::Literal(_) | PieceKind::Keyword) || one.first == one.end {
                if piece.place.flags == flags::PRESENCE {
                    let node = self.cursor.tree.leaf(NodeKind::Attribute, one.first, one.end);
                    self.mark(node, piece.place);
                }
                continue;
            }
            self.cursor.go_to(one.first);
            self.cursor.has_error = has_error;
            let bookmark = self.cursor.checkpoint();
            let read = self.piece(def, piece, one.end, trust, inner);
            let is_short = self.cursor.at != one.end;
            if read.is_err() || is_short {
                if trust.is_exact && read.is_err() {
                    has_error = true;
                } else {
                    self.cursor.rewind(&bookmark);
                    self.unknown(one.end, inner, piece.place);
                    self.cursor.set_flags(operation, flags::PARTLY);
                }
                self.cursor.go_to(one.end);
            }
        }
        self.cursor.has_error = has_error;
    }

    fn piece(
        &mut self,
        def: &'t OperationDef,
        piece: &Piece,
        end: u32,
        trust: Trust,
        scope: Scope<'_>,
    ) -> Reading {
        let place = piece.place;
        match &piece.kind {
            PieceKind::Literal(_) | PieceKind::Keyword | PieceKind::Location => self.cursor.go_to(end),
            PieceKind::Region => {
                let has_error = self.cursor.has_error;
                self.region(scope.defaults, place.part, place.flags);
                self.cursor.has_error = has_error;
            }
            _ if trust.is_ambiguous => self.unknown(end, scope, place),
            PieceKind::Value => {
                // A name that is no operand is an argument of the next region.
                let kind = if place.is_argument { NodeKind::BlockArgument } else { NodeKind::Operand };
                self.value(kind, place)?;
            }
            PieceKind::Successor { .. } => {
                let next = self.cursor.tree.len();
                self.successor_piece(end)?;
                if let Ok(index) = u32::try_from(next) {
                    self.mark(NodeId(index), place);
                }
            }
            PieceKind::Dictionary => read_dictionary(&mut self.cursor)?,
            PieceKind::Properties => self.properties()?,
            PieceKind::PropertyList if self.cursor.nth(1) == T::LeftBrace => self.properties()?,
            PieceKind::Type(class) => {
                let is_full = skip::ty(&self.cursor, self.cursor.at) == Some(end);
                let node = self.cursor.tree.len();
                if class.is_some() && !is_full {
                    self.cursor.tree.leaf(NodeKind::Type, self.cursor.at, end);
                    self.cursor.go_to(end);
                } else {
                    read_type(&mut self.cursor)?;
                }
                if let Ok(index) = u32::try_from(node) {
                    self.mark(NodeId(index), place);
                }
            }
            PieceKind::FunctionType => {
                let node = self.cursor.tree.len();
                read_type(&mut self.cursor)?;
                if let (Ok(index), Form::Table(_)) = (u32::try_from(node), def.form) {
                    self.mark(NodeId(index), PartRef { flags: flags::SEVERAL, ..PartRef::NONE });
                }
            }
            PieceKind::ResultTypes => self.result_types(PartRef { flags: flags::ALL, ..PartRef::NONE })?,
            PieceKind::Symbol | PieceKind::SymbolPath => {
                let is_name =
                    def.parts.get(place.part as usize).is_some_and(|part| &*part.name == "sym_name");
                let kind = if is_name { NodeKind::SymbolName } else { NodeKind::SymbolUse };
                let node = self.cursor.tree.leaf(kind, self.cursor.at, end);
                self.mark(node, place);
                self.cursor.go_to(end);
            }
            PieceKind::Attribute => {
                let node = self.cursor.tree.len();
                // The type after it may belong to the form.
                if skip::attribute(&self.cursor, self.cursor.at) == Some(end) {
                    read_attribute(&mut self.cursor)?;
                } else {
                    self.cursor.tree.leaf(NodeKind::Attribute, self.cursor.at, end);
                    self.cursor.go_to(end);
                }
                if let Ok(index) = u32::try_from(node) {
                    self.mark(NodeId(index), place);
                }
            }
            PieceKind::Case { .. } | PieceKind::Untyped(_) | PieceKind::Own(_) => {
                let node = self.cursor.tree.leaf(NodeKind::Attribute, self.cursor.at, end);
                self.mark(node, place);
                self.cursor.go_to(end);
            }
            PieceKind::Signature => self.signature()?,
            PieceKind::Arguments => self.arguments()?,
            PieceKind::Argument => self.block_argument(false)?,
            PieceKind::Assign => self.assign()?,
            PieceKind::Bound | PieceKind::MapOperands => self.map_operands(end, place),
            PieceKind::Directive(program) if program.has_region() => {
                self.unknown(end, scope, place);
            }
            PieceKind::Directive(_) => self.value_list(end, place),
            PieceKind::Brackets if place.part != NO_DATA => self.value_list(end, place),
            PieceKind::Brackets if place.is_argument => self.argument_list(end),
            PieceKind::Brackets | PieceKind::Code | PieceKind::Custom(_) | PieceKind::PropertyList => {
                self.unknown(end, scope, place);
            }
        }
        Ok(())
    }

    fn successor_piece(&mut self, end: u32) -> Reading {
        if self.cursor.at + 1 == end {
            self.cursor.leaf(NodeKind::Successor);
            return Ok(());
        }
        self.successor()
    }

    /// Reads `T`, `(T {attributes}, …)`. Each type is marked.
    fn result_types(&mut self, place: PartRef) -> Reading {
        if self.cursor.peek() != T::LeftParen {
            return self.result_type(place);
        }
        self.cursor.advance();
        if self.cursor.eat(T::RightParen) {
            return Ok(());
        }
        loop {
            self.result_type(place)?;
            if self.cursor.peek() == T::LeftBrace {
                read_dictionary(&mut self.cursor)?;
            }
            if !self.cursor.eat(T::Comma) {
                break;
            }
        }
        self.cursor.expect(T::RightParen, "expected ')'")
    }

    fn result_type(&mut self, place: PartRef) -> Reading {
        let node = self.cursor.tree.len();
        read_type(&mut self.cursor)?;
        if let Ok(index) = u32::try_from(node) {
            self.mark(NodeId(index), place);
        }
        Ok(())
    }

    /// Reads `(%a: T, T, …) -> …`.
    fn signature(&mut self) -> Reading {
        self.arguments()?;
        if self.cursor.eat(T::Arrow) {
            self.result_types(PartRef::NONE)?;
        }
        Ok(())
    }

    fn arguments(&mut self) -> Reading {
        self.cursor.expect(T::LeftParen, "expected '(' in argument list")?;
        if self.cursor.eat(T::RightParen) {
            return Ok(());
        }
        loop {
            if self.cursor.eat(T::Ellipsis) {
                break;
            }
            self.block_argument(true)?;
            if !self.cursor.eat(T::Comma) {
                break;
            }
        }
        self.cursor.expect(T::RightParen, "expected ')'")
    }

    /// Reads `(%a = %x, …)`.
    fn assign(&mut self) -> Reading {
        self.cursor.expect(T::LeftParen, "expected '('")?;
        if self.cursor.eat(T::RightParen) {
            return Ok(());
        }
        loop {
            if self.cursor.peek() != T::Value {
                return self.cursor.refuse("expected SSA operand");
            }
            self.cursor.leaf(NodeKind::BlockArgument);
            self.cursor.expect(T::Equal, "expected '='")?;
            self.value(NodeKind::Operand, PartRef::NONE)?;
            if !self.cursor.eat(T::Comma) {
                break;
            }
        }
        self.cursor.expect(T::RightParen, "expected ')'")
    }

    /// Reads a map and the values that it is applied to.
    fn map_operands(&mut self, end: u32, place: PartRef) {
        if self.cursor.peek() == T::Word
            && !self.cursor.at_word("affine_map")
            && !self.cursor.at_word("affine_set")
        {
            self.cursor.advance();
        }
        if matches!(self.cursor.peek(), T::Attribute | T::Word) {
            let map = skip::attribute(&self.cursor, self.cursor.at).unwrap_or(end).min(end);
            self.cursor.tree.leaf(NodeKind::Attribute, self.cursor.at, map);
            self.cursor.go_to(map);
        }
        self.value_list(end, place);
    }

    /// Adds the values up to a token as arguments of the next region.
    fn argument_list(&mut self, end: u32) {
        while self.cursor.at < end {
            if self.cursor.peek() == T::Value {
                self.cursor.leaf(NodeKind::BlockArgument);
            } else {
                self.cursor.advance();
            }
        }
    }

    /// Adds the values up to a token as operands.
    fn value_list(&mut self, end: u32, place: PartRef) {
        while self.cursor.at < end {
            if self.cursor.peek() == T::Value {
                let _ = self.value(NodeKind::Operand, PartRef { flags: flags::SEVERAL, ..place });
            } else {
                self.cursor.advance();
            }
        }
    }
}

/// The trust in the pieces of a form.
#[derive(Clone, Copy, Debug)]
struct Trust {
    /// True if what is wrong in a piece is an error.
    is_exact: bool,
    /// True if the pieces may be others.
    is_ambiguous: bool,
}

/// The message where a region is missing.
const REGION: &str = "expected '{' to begin a region";

/// Returns the message where a piece is missing.
pub(crate) fn expectation(kind: &PieceKind) -> std::borrow::Cow<'static, str> {
    match kind {
        PieceKind::Literal(text) => format!("expected '{text}'").into(),
        PieceKind::Value => "expected SSA operand".into(),
        PieceKind::Successor { .. } => "expected block name".into(),
        PieceKind::Region => REGION.into(),
        PieceKind::Directive(program) if program.has_region() => REGION.into(),
        PieceKind::Type(_) | PieceKind::ResultTypes => "expected non-function type".into(),
        PieceKind::FunctionType => "expected function type".into(),
        PieceKind::Symbol | PieceKind::SymbolPath => "expected symbol name".into(),
        PieceKind::Dictionary => "expected '{' in attribute dictionary".into(),
        PieceKind::Case { words } => {
            let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
            format!(
                "expected string or keyword containing one of the following enum values for attribute [{}]",
                words.join(", ")
            )
            .into()
        }
        _ => "expected attribute value".into(),
    }
}
