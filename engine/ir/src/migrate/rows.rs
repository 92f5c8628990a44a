//! Statements whose syntax is in the table for both releases: what differs between the two rows.
//!
//! ```text
//! ..24   linalg.elementwise `kind` `=` $kind:attr …        kind=#linalg.elementwise_kind<exp>
//! 24..   linalg.elementwise $kind:brackets …               <exp>
//! ```
//!
//! The rows have the same beginning and the same end, and in between nothing but words and named parts. A row with
//! `prop-dict` takes the attributes of the definition out of the dictionary.

use std::ops::Range;

use super::{Cause, Custom, Obstacle, TextEdit, Walk, parts, parts::Span, parts::StatementParts};
use crate::{
    definitions::OperationDef,
    format::{FoundPiece, Goal, Outcome, Piece, PieceKind, Program, Step},
};

/// The steps of two rows that differ.
struct Difference {
    old: Range<usize>,
    new: Range<usize>,
}

impl<'w> Walk<'w, '_> {
    /// Returns the edits of a statement by the rows of both releases; nothing if they say the same.
    pub(super) fn by_rows(&mut self, it: Custom<'w>) -> Option<Result<Vec<TextEdit>, Obstacle>> {
        let Custom { old, new, name, end, .. } = it;
        let (before, after) = (old.program.as_ref()?, new.program.as_ref()?);
        let has_list = |program: &Program| program.pieces().any(|piece| piece.kind == PieceKind::Properties);
        let moves = new.is_strict && has_list(after) && !has_list(before);
        let difference = difference(old, before, new, after);
        if !moves && difference.as_ref().is_some_and(|it| it.old.is_empty() && it.new.is_empty()) {
            return None;
        }
        let difference = difference?;
        let goal = Goal::to(end);
        if self.matcher.run(&self.cursor, before, name + 1, goal) != Outcome::Matched(end)
            || self.matcher.is_ambiguous
        {
            return None;
        }
        let found = self.matcher.found.clone();
        let mut edits = Vec::new();
        if !is_list_alone(after, &difference) {
            match self.replaced(it, (before, after), &difference, &found) {
                Ok(edit) => edits.extend(edit),
                Err(message) => return Some(Err((Cause::Format, message))),
            }
        }
        if moves && let Some(edit) = self.moved(new, before, &found) {
            edits.push(edit);
        }
        Some(Ok(edits))
    }

    /// Returns the edit of the tokens that only the older row has.
    fn replaced(
        &self,
        it: Custom<'w>,
        (before, after): (&Program, &Program),
        difference: &Difference,
        found: &[FoundPiece],
    ) -> Result<Option<TextEdit>, String> {
        let Custom { old, new, .. } = it;
        let own = |one: &&FoundPiece| difference.old.contains(&(one.step as usize));
        let own: Vec<&FoundPiece> = found.iter().filter(own).collect();
        let (Some(first), Some(last)) = (own.first(), own.last()) else { return Ok(None) };
        let mut words = Vec::new();
        for step in after.steps.get(difference.new.clone()).unwrap_or_default() {
            let Step::Take(piece) = step else { return Err(unknown(new)) };
            if let PieceKind::Literal(text) = &piece.kind {
                words.push(text.to_string());
                continue;
            }
            let part = name_of(new, piece).ok_or_else(|| unknown(new))?;
            let given = own.iter().find(|one| {
                let step = before.steps.get(one.step as usize);
                matches!(step, Some(Step::Take(piece)) if name_of(old, piece) == Some(part))
            });
            let given = given.ok_or_else(|| unknown(new))?;
            let text = self.cursor.text_between(given.first, given.end);
            words.push(match &piece.kind {
                // The attribute without dialect and mnemonic.
                PieceKind::Brackets => match text.find('<') {
                    Some(at) if text.starts_with('#') && text.ends_with('>') => text[at..].to_owned(),
                    _ => return Err(format!("'{text}' has no known short text for '{part}'")),
                },
                _ => text.to_owned(),
            });
        }
        let tokens = self.cursor.tokens();
        let range = tokens.start(first.first)..tokens.range(last.end.saturating_sub(1)).end;
        if self.text[range.clone()].contains("//") {
            return Err("a comment is inside of what changes".to_owned());
        }
        Ok(Some(TextEdit { range, new: words.join(" "), cause: Cause::Format }))
    }

    /// Returns the edit that takes attributes of the definition out of the dictionary.
    fn moved(&self, new: &OperationDef, before: &Program, found: &[FoundPiece]) -> Option<TextEdit> {
        let is_dictionary = |one: &&FoundPiece| match before.steps.get(one.step as usize) {
            Some(Step::Take(piece) | Step::Try(piece, _)) => {
                piece.kind == PieceKind::Dictionary && one.first < one.end
            }
            _ => false,
        };
        let one = found.iter().find(is_dictionary)?;
        let text = self.cursor.text_between(one.first, one.end);
        let given =
            StatementParts::of_dictionary(&self.cursor, Span { first: one.first, end: one.end, text });
        if given.entries.len() > parts::MOST_ENTRIES || text.contains("//") {
            return None;
        }
        let (own, others): (Vec<_>, Vec<_>) =
            given.entries.iter().partition(|entry| new.attribute(entry.key.trim_matches('"')).is_some());
        if own.is_empty() {
            return None;
        }
        let list = |entries: &[&parts::EntryText<'_>]| -> String {
            let all = entries.iter().map(|it| match it.value {
                "" => it.key.to_owned(),
                value => format!("{} = {value}", it.key),
            });
            all.collect::<Vec<_>>().join(", ")
        };
        let rest = if others.is_empty() { String::new() } else { format!(" {{{}}}", list(&others)) };
        let tokens = self.cursor.tokens();
        let range = tokens.start(one.first)..tokens.range(one.end - 1).end;
        Some(TextEdit { range, new: format!("<{{{}}}>{rest}", list(&own)), cause: Cause::Strict })
    }
}

fn unknown(new: &OperationDef) -> String {
    format!("the newer syntax of '{}' needs more than this text has", new.name)
}

fn name_of<'d>(def: &'d OperationDef, piece: &Piece) -> Option<&'d str> {
    def.parts.get(usize::from(piece.place.part)).map(|part| &*part.name)
}

/// Returns true if the newer row differs by its list of properties alone.
fn is_list_alone(after: &Program, difference: &Difference) -> bool {
    let only = after.steps.get(difference.new.clone()).unwrap_or_default();
    difference.old.is_empty()
        && only.iter().all(|step| matches!(step, Step::Try(piece, _) if piece.kind == PieceKind::Properties))
}

/// Returns the steps between the common beginning and the common end of two rows. Nothing if others than words and parts
/// are between.
fn difference(
    old: &OperationDef,
    before: &Program,
    new: &OperationDef,
    after: &Program,
) -> Option<Difference> {
    let (a, b) = (&before.steps, &after.steps);
    let is_same_piece = |x: &Piece, y: &Piece| {
        x.kind == y.kind && x.place.is_type == y.place.is_type && name_of(old, x) == name_of(new, y)
    };
    // Jumps lead to the same step, counted from the beginning or from the end.
    let same = |x: &Step, y: &Step, target: &dyn Fn(u32, u32) -> bool| match (x, y) {
        (Step::Take(x), Step::Take(y)) => is_same_piece(x, y),
        (Step::Try(x, to), Step::Try(y, other)) => is_same_piece(x, y) && target(*to, *other),
        (Step::Split(to), Step::Split(other)) | (Step::Jump(to), Step::Jump(other)) => target(*to, *other),
        (x, y) => x == y,
    };
    let from_end = |to: u32, other: u32| a.len() + other as usize == b.len() + to as usize;
    let from_start = |to: u32, other: u32| to == other;
    let first = a.iter().zip(b).take_while(|(x, y)| same(x, y, &from_start)).count();
    let most = a.len().min(b.len()) - first;
    let last =
        a.iter().rev().zip(b.iter().rev()).take(most).take_while(|(x, y)| same(x, y, &from_end)).count();
    let it = Difference { old: first..a.len() - last, new: first..b.len() - last };
    let is_plain = |steps: &[Step]| steps.iter().all(|step| matches!(step, Step::Take(_)));
    let is_straight = is_plain(&a[it.old.clone()]) && is_plain(&b[it.new.clone()]);
    (is_straight || is_list_alone(after, &it)).then_some(it)
}
