//! Text of one release → text of another: what the definitions of both decide.
//!
//! ```text
//! 22: memref.alloc() {alignment = 8 : i64} : memref<4xf32>      24: memref.alloc() alignment = 8 : memref<4xf32>
//! ```
//!
//! A statement is read by the old format and printed by the new one, if the new format does not read it with the same
//! parts, or if an attribute of the definition is in a dictionary that no longer takes it. The new text is read again: all
//! parts have to be there. Only tokens that differ are replaced, so that blanks, comments and line ends stay. What the
//! definitions do not decide is listed with its place.
//!
//! * `pairs`: the operations of both releases, and the renamed ones;
//! * `parts`: the parts of a statement, found by a format;
//! * `print`: these parts as the source of the new format;
//! * `rows`: statements whose syntax is in the table for both releases;
//! * `edits`: the difference of two statements as edits;
//! * `attributes`: attributes whose own format changed;
//! * `comments`: statements in `CHECK` comments.

mod attributes;
mod comments;
mod edits;
mod pairs;
mod parts;
mod print;
mod rows;

use std::ops::Range;

use odsmith_interchange::grammar::Format;
use rustc_hash::FxHashSet;

use self::{
    edits::Statement,
    pairs::{Pair, Pairs, Partner},
    parts::StatementParts,
};
use crate::{
    cursor::{Cursor, Limits},
    definitions::{Definitions, OperationDef},
    file::{self, Ir},
    format::Matcher,
    lexer::Tokens,
    tree::{NO_DATA, NodeId, NodeKind, flags},
};

/// The reason for an edit, or for a place that is not decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// The format of the operation changed.
    Format,
    /// An attribute of the definition is in a dictionary that takes no such attributes any more.
    Strict,
    /// The operation has another name.
    Renamed,
    /// The operation is gone.
    Removed,
    /// An attribute is required, or gone.
    Attribute,
    /// A `CHECK` comment shows an operation that changes.
    Comment,
}

/// An edit of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    /// The bytes that are replaced.
    pub range: Range<usize>,
    /// The new text.
    pub new: String,
    /// The reason.
    pub cause: Cause,
}

/// An operation that is edited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditedOperation {
    /// The bytes of its name.
    pub range: Range<usize>,
    /// Its name in the older release.
    pub name: String,
    /// The reason.
    pub cause: Cause,
}

/// A place that the definitions do not decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undecided {
    /// The bytes of the operation's name.
    pub range: Range<usize>,
    /// The operation.
    pub operation: String,
    /// The reason.
    pub cause: Cause,
    /// The missing knowledge, in words.
    pub message: String,
}

/// The edits of a text and the places that are not decided, in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Migration {
    /// The edits. They do not overlap.
    pub edits: Vec<TextEdit>,
    /// The places that are not decided.
    pub undecided: Vec<Undecided>,
    /// The operations that are edited.
    pub operations: Vec<EditedOperation>,
}

impl Migration {
    /// Returns the text with the edits made.
    #[must_use]
    pub fn apply(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len() + text.len() / 8);
        let mut at = 0;
        for edit in &self.edits {
            out.push_str(text.get(at..edit.range.start).unwrap_or_default());
            out.push_str(&edit.new);
            at = edit.range.end;
        }
        out.push_str(text.get(at..).unwrap_or_default());
        out
    }
}

/// Rewrites texts from the definitions of one release to those of another.
#[derive(Debug)]
pub struct Migrator<'d> {
    old: &'d Definitions,
    new: &'d Definitions,
    pairs: Pairs,
    limits: Limits,
}

/// An edit is not possible: the cause and the missing knowledge.
type Obstacle = (Cause, String);

impl<'d> Migrator<'d> {
    /// Compares the definitions of both releases.
    #[must_use]
    pub fn new(old: &'d Definitions, new: &'d Definitions) -> Self {
        Migrator { old, new, pairs: Pairs::new(old, new), limits: Limits::default() }
    }

    /// Returns the edits of a text.
    #[must_use]
    pub fn migrate(&self, text: &str) -> Migration {
        let mut migration = self.statements(text);
        if !migration.edits.is_empty() || !migration.undecided.is_empty() {
            comments::add(self, text, &mut migration);
        }
        attributes::add(self, text, &mut migration);
        migration.edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        migration.operations.sort_by_key(|it| it.range.start);
        migration.undecided.sort_by_key(|it| it.range.start);
        migration
    }

    /// Returns the edits of the statements of a text, without comments.
    fn statements(&self, text: &str) -> Migration {
        let ir = file::read(text, self.old, &self.limits);
        let is_concerned = ir.tree.ids().any(|id| self.is_concerned(&ir, id));
        if !is_concerned {
            return Migration::default();
        }
        // A text that the newer release reads is left alone: it is rewritten already.
        let newer = file::read(text, self.new, &self.limits);
        let sound = newer.tree.ids().filter_map(|id| {
            let node = newer.tree.node(id);
            let is_read = node.kind == NodeKind::Operation
                && node.flags & (flags::OPAQUE | flags::ERROR) == 0
                && node.data != NO_DATA;
            is_read.then_some(node.first)
        });
        let mut walk = Walk {
            migrator: self,
            text,
            ir: &ir,
            cursor: Cursor::new(text, &ir.tokens, self.old, &self.limits),
            newer: Cursor::new(text, &ir.tokens, self.new, &self.limits),
            sound: sound.collect(),
            matcher: Matcher::default(),
            migration: Migration::default(),
        };
        for id in ir.tree.ids() {
            if ir.tree.node(id).kind == NodeKind::Operation {
                walk.operation(id);
            }
        }
        walk.migration
    }

    /// Returns whether something of an operation's definition changed.
    fn is_concerned(&self, ir: &Ir, id: NodeId) -> bool {
        let node = ir.tree.node(id);
        node.kind == NodeKind::Operation && node.data != NO_DATA && {
            let pair = self.pairs.get(node.data);
            pair.is_none_or(|pair| !pair.is_unchanged)
        }
    }
}

/// A walk over the operations of a text.
struct Walk<'w, 'd> {
    migrator: &'w Migrator<'d>,
    text: &'w str,
    ir: &'w Ir,
    /// The text, with the old definitions.
    cursor: Cursor<'w>,
    /// The text, with the new definitions.
    newer: Cursor<'w>,
    /// The first tokens of the operations that the newer release reads.
    sound: FxHashSet<u32>,
    matcher: Matcher,
    migration: Migration,
}

/// An operation in custom form: its definitions and tokens.
#[derive(Clone, Copy)]
struct Custom<'w> {
    old: &'w OperationDef,
    new: &'w OperationDef,
    pair: &'w Pair,
    /// The token of the name.
    name: u32,
    /// The token after the last one that the format reads.
    end: u32,
}

impl<'w> Walk<'w, '_> {
    fn operation(&mut self, id: NodeId) {
        let node = self.ir.tree.node(id);
        let migrator = self.migrator;
        let Some(old) = (node.data != NO_DATA).then(|| migrator.old.get(u32::from(node.data))).flatten()
        else {
            return;
        };
        let Some(pair) = migrator.pairs.get(node.data) else { return };
        let Some(name) = self.ir.tree.child(id, NodeKind::Name).map(|name| self.ir.tree.node(name).first)
        else {
            return;
        };
        if pair.is_unchanged || node.flags & flags::ERROR != 0 {
            return;
        }
        let new = match pair.partner {
            Partner::Same(new) | Partner::Renamed(new) => migrator.new.get(new),
            Partner::Gone => None,
        };
        let Some(new) = new else {
            let message = format!("the newer release has no operation '{}'", old.name);
            return self.list(old, name, (Cause::Removed, message));
        };
        if node.flags & flags::GENERIC != 0 {
            return self.generic(id, (old, new), pair, name);
        }
        let end = match self.ir.tree.child(id, NodeKind::Location) {
            Some(location) => self.ir.tree.node(location).first,
            None => node.end,
        };
        let it = Custom { old, new, pair, name, end };
        let is_sound = self.sound.contains(&node.first);
        if node.flags & flags::OPAQUE != 0 {
            if !is_sound && pair.is_changed {
                let message =
                    format!("the format of '{}' changed, and the older one does not read this", old.name);
                self.list(old, name, (Cause::Format, message));
            } else if matches!(pair.partner, Partner::Renamed(_)) {
                self.rename(it);
            }
            return;
        }
        match self.custom(it, is_sound) {
            Ok(edits) if edits.is_empty() => {}
            Ok(edits) => {
                let cause = edits[0].cause;
                self.note(old, name, cause);
                self.migration.edits.extend(edits);
            }
            Err(obstacle) => self.list(old, name, obstacle),
        }
    }

    fn note(&mut self, def: &OperationDef, name: u32, cause: Cause) {
        let range = self.ir.tokens.range(name);
        self.migration.operations.push(EditedOperation { range, name: def.name.to_string(), cause });
    }

    fn list(&mut self, def: &OperationDef, name: u32, (cause, message): Obstacle) {
        let range = self.ir.tokens.range(name);
        let operation = def.name.to_string();
        self.migration.undecided.push(Undecided { range, operation, cause, message });
    }

    /// Renames an operation of which only the name changes.
    fn rename(&mut self, it: Custom<'w>) {
        let range = self.ir.tokens.range(it.name);
        let new = pairs::written(&self.text[range.clone()], it.old, it.new);
        self.note(it.old, it.name, Cause::Renamed);
        self.migration.edits.push(TextEdit { range, new, cause: Cause::Renamed });
    }

    /// Renames an operation in generic form. Its attributes have their names, so that formats do not matter.
    fn generic(&mut self, id: NodeId, (old, new): (&OperationDef, &OperationDef), pair: &Pair, name: u32) {
        if matches!(pair.partner, Partner::Renamed(_)) {
            let range = self.ir.tokens.range(name);
            self.note(old, name, Cause::Renamed);
            let edit = TextEdit { range, new: format!("\"{}\"", new.name), cause: Cause::Renamed };
            self.migration.edits.push(edit);
        }
        let tree = &self.ir.tree;
        let properties = tree.children_of(id, NodeKind::Properties).flat_map(|it| tree.children(it));
        let dictionaries = properties.chain(tree.children_of(id, NodeKind::Dictionary));
        let entries = dictionaries.flat_map(|dictionary| tree.children_of(dictionary, NodeKind::Entry));
        let mut keys = entries.map(|entry| self.ir.tokens.range(tree.node(entry).first));
        let is_lost = |key: &Range<usize>| {
            let key = self.text[key.clone()].trim_matches('"');
            pair.lost.iter().any(|lost| **lost == *key)
        };
        if let Some(key) = keys.find(is_lost) {
            let key = &self.text[key];
            let message = format!("'{}' has no attribute '{key}' in the newer release", new.name);
            self.list(old, name, (Cause::Attribute, message));
        }
    }

    /// Returns the edits of an operation in custom form; none if it may stay as it is.
    fn custom(&mut self, it: Custom<'w>, is_sound: bool) -> Result<Vec<TextEdit>, Obstacle> {
        let Custom { old, new, pair, name, end } = it;
        let is_renamed = matches!(pair.partner, Partner::Renamed(_));
        if old.grammar.is_none() && !pair.is_changed {
            // Both parsers are written by hand.
            if let (false, Some(edits)) = (is_renamed, self.by_rows(it)) {
                return edits;
            }
            if is_renamed {
                self.rename(it);
            }
            return Ok(Vec::new());
        }
        let Some(given) = self.given(old, pair.old_parser.as_ref(), name + 1, end, false) else {
            return self.by_hand(it);
        };
        let lost = given.entries.iter().find(|entry| {
            let key = entry.key.trim_matches('"');
            old.attribute(key).is_some()
                && new.attribute(key).is_none()
                && pair.renamed.iter().all(|(old, _)| **old != *key)
        });
        if let Some(lost) = lost {
            let message = format!("'{}' has no attribute '{}' in the newer release", new.name, lost.key);
            return Err((Cause::Attribute, message));
        }
        let is_strict = new.is_strict
            && given
                .entries
                .iter()
                .any(|entry| entry.is_discardable && new.attribute(entry.key.trim_matches('"')).is_some());
        if !is_strict && (!pair.is_changed || self.reads_same(it, &given)) {
            if is_renamed {
                self.rename(it);
            }
            return Ok(Vec::new());
        }
        let cause = match (is_renamed, is_strict && !pair.is_changed) {
            (true, _) => Cause::Renamed,
            (_, true) => Cause::Strict,
            _ => Cause::Format,
        };
        let Some(grammar) = new.grammar.as_ref() else {
            if is_sound {
                return Ok(Vec::new());
            }
            let message = format!("C++ parses '{}' in the newer release", new.name);
            return Err((cause, message));
        };
        if given.entries.len() > parts::MOST_ENTRIES {
            return Err((cause, format!("the dictionary of '{}' is too long", old.name)));
        }
        if given.is_ambiguous {
            if let Some(edits) = self.tail(it, grammar, &given, cause) {
                return Ok(edits);
            }
            return Err((cause, format!("this text of '{}' can be read in several ways", old.name)));
        }
        let printed = print::printed(self, it, grammar, &given).map_err(|message| (cause, message))?;
        self.verify(it, &given, &printed).map_err(|message| (cause, message))?;
        let own = Statement::of_source(&self.cursor, name, end, &given.regions);
        let edits = edits::between(&self.cursor, &own, &printed).map_err(|message| (cause, message))?;
        Ok(edits.into_iter().map(|(range, new)| TextEdit { range, new, cause }).collect())
    }

    /// Rewrites the end of a statement that can be read in several ways: the dictionary that ends it, if both formats agree on
    /// all that comes before. Whatever C++ reads there, it stays.
    fn tail(
        &mut self,
        it: Custom<'w>,
        grammar: &Format,
        given: &StatementParts<'w>,
        cause: Cause,
    ) -> Option<Vec<TextEdit>> {
        let Custom { old, new, pair, name, end } = it;
        let dictionary = given.last_dictionary?;
        let before = dictionary.first.checked_sub(1)?;
        let has_keyword = self.cursor.text_of(before) == "attributes";
        let first = if has_keyword { before } else { dictionary.first };
        let own = StatementParts::of_dictionary(&self.cursor, dictionary);
        // Braces with other keys can be something else.
        let is_certain = own.entries.iter().any(|entry| old.attribute(entry.key.trim_matches('"')).is_some());
        if !is_certain && !has_keyword || own.entries.len() > parts::MOST_ENTRIES {
            return None;
        }
        let rest = Format { elements: pairs::tail(old.grammar.as_ref()?, grammar)?, ..grammar.clone() };
        let printed = print::part(self, it, &rest, &own, String::new()).ok()?;
        let kept = self.cursor.text_between(name, first);
        let whole = format!("{kept} {}", printed.text);
        let tokens = Tokens::new(&whole);
        let cursor = Cursor::new(&whole, &tokens, self.migrator.new, &self.migrator.limits);
        let mut matcher = Matcher::default();
        let last = tokens.len().saturating_sub(1);
        let read = StatementParts::of(&mut matcher, &cursor, new, pair.new_parser.as_ref()?, 1, last)?;
        if own.missing_in_attributes(&read) {
            return None;
        }
        let before = Statement::of_source(&self.cursor, first, end, &[]);
        let edits = edits::between(&self.cursor, &before, &printed).ok()?;
        Some(edits.into_iter().map(|(range, new)| TextEdit { range, new, cause }).collect())
    }

    /// An operation whose old parser is written by hand, and whose new format is declared.
    fn by_hand(&mut self, it: Custom<'w>) -> Result<Vec<TextEdit>, Obstacle> {
        let Custom { old, new, pair, name, end } = it;
        if !pair.is_changed || new.program.is_none() || new.grammar.is_none() {
            return Ok(Vec::new());
        }
        match self.given(new, pair.new_parser.as_ref(), name + 1, end, true) {
            Some(_) => Ok(Vec::new()),
            None => {
                let message = format!("C++ parses '{}' in the older release", old.name);
                Err((Cause::Format, message))
            }
        }
    }

    /// Finds the parts of a statement by a format.
    fn given(
        &mut self,
        def: &'w OperationDef,
        parser: Option<&'w odsmith_interchange::grammar::program::Parser>,
        start: u32,
        end: u32,
        is_newer: bool,
    ) -> Option<StatementParts<'w>> {
        let cursor = if is_newer { &self.newer } else { &self.cursor };
        match parser {
            Some(parser) => StatementParts::of(&mut self.matcher, cursor, def, parser, start, end),
            None => StatementParts::of_table(&mut self.matcher, cursor, def.program.as_ref()?, start, end),
        }
    }

    /// Returns whether the new format reads the same parts in a statement.
    fn reads_same(&mut self, it: Custom<'w>, given: &StatementParts<'w>) -> bool {
        let newer = self.given(it.new, it.pair.new_parser.as_ref(), it.name + 1, it.end, true);
        newer.is_some_and(|newer| newer.is_same(given))
    }

    /// Reads a printed statement by the new format: all parts have to be there.
    fn verify(
        &mut self,
        it: Custom<'w>,
        given: &StatementParts<'w>,
        printed: &Statement,
    ) -> Result<(), String> {
        let Custom { new, pair, .. } = it;
        let tokens = Tokens::new(&printed.text);
        let cursor = Cursor::new(&printed.text, &tokens, self.migrator.new, &self.migrator.limits);
        let end = tokens.len().saturating_sub(1);
        let mut matcher = Matcher::default();
        let parser = pair.new_parser.as_ref();
        let read = parser.and_then(|parser| StatementParts::of(&mut matcher, &cursor, new, parser, 1, end));
        let Some(read) = read else {
            return Err(format!("the newer format of '{}' does not read '{}'", new.name, printed.text));
        };
        match given.missing_in(&read, &pair.renamed) {
            Some(part) => Err(format!("the newer format of '{}' has no place for '{part}'", new.name)),
            None => Ok(()),
        }
    }
}
