//! The document: pieces of text, the gaps between them, and the groups that indent what is in them.
//!
//! This is a small algebra, as those of Oppen and Wadler are, with one more kind of gap: one whose line break the
//! author decides. It knows nothing of TableGen; [`build`](crate::build) translates a file into a document, and
//! [`layout`](crate::layout) chooses the text of each gap.

use std::ops::Range;

/// The kind of the gap before a [`Piece`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// Never a line break, unless a comment or a line of the preprocessor needs one.
    Joined,
    /// As [`Gap::Joined`]: the gap before the `{` of a body.
    Brace,
    /// A line break if the author has one, or if the piece and those up to the next such gap do not fit.
    Author,
    /// A line break if the author has one: the gap before the first element of brackets.
    Element,
    /// As [`Gap::Author`], but only if the piece fits on the next line.
    Paste,
    /// As [`Gap::Paste`]: the gap after the `=` of a field.
    Value,
    /// As [`Gap::Author`], but also if all that follows fits on the next line only.
    Parents,
    /// As [`Gap::Author`], indented by so much more than the statement.
    Child(usize),
    /// A line break, unless a body around it is on one line.
    Statement,
    /// The gap before a closing bracket: a line break as its group has it.
    Close,
    /// A line break always: a comment on its own line.
    Line,
    /// A line break always, and the blanks of the source: a line of the preprocessor.
    Directive,
}

impl Gap {
    /// Returns true if the gap may become a line break where a line is too long.
    #[must_use]
    pub fn is_opportunity(self) -> bool {
        matches!(self, Gap::Author | Gap::Paste | Gap::Value | Gap::Parents | Gap::Child(_))
    }
}

/// A token, and the gap before it.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Its bytes in the source.
    pub range: Range<usize>,
    /// The gap before it.
    pub gap: Gap,
    /// True if there is a space in the gap where it is no line break.
    pub is_spaced: bool,
    /// Line breaks of the source in the gap, or in those that count for it.
    pub breaks: usize,
    /// True if the gap stays as it is.
    pub is_raw: bool,
    /// True if a line break must follow: a `//` comment, a line of the preprocessor.
    pub ends_line: bool,
    /// True if it is a comment at the end of a line.
    pub is_trailing: bool,
    /// More spaces before it: it is the `:` or the `=` of a row of a table.
    pub padding: usize,
    /// Characters of its first line.
    pub width: usize,
    /// Characters of its last line, if it has several.
    pub last_width: Option<usize>,
    /// The blanks that its last line begins with, if it has several lines.
    pub last_indent: usize,
}

/// The indentation of what continues a group, as the author has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hang {
    /// At the column of the first element.
    Aligned,
    /// By so much more than the line of the bracket.
    Indented(usize),
}

/// The kind of a [`Group`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupKind {
    /// Brackets around elements: `start` is the opening bracket, `end` the closing one.
    Brackets {
        /// The first element, or the closing bracket if there is none.
        element: usize,
        /// True if the author has a line break before the first element.
        is_block: bool,
        /// The author's indentation.
        hang: Option<Hang>,
        /// True if they are arguments of a superclass, outside of other brackets.
        is_header: bool,
        /// The author's indentation of the closing bracket, if it is a small one.
        closing: Option<usize>,
    },
    /// Braces around statements.
    Body,
    /// Pieces that continue at the column of the first of them.
    Aligned {
        /// The author's indentation.
        hang: Option<Hang>,
    },
    /// Adjacent strings, which begin at the column of the first, or by so much further right.
    Texts {
        /// The columns between them.
        more: usize,
    },
    /// A statement: what continues it is indented by more.
    Statement {
        /// The author's indentation of superclasses or a value on a line of their own.
        hang: Option<Hang>,
        /// True if it is a row of a table, which no width breaks.
        is_row: bool,
    },
}

impl GroupKind {
    /// Returns true if its last piece is a closing bracket.
    #[must_use]
    pub fn has_brackets(self) -> bool {
        matches!(self, GroupKind::Brackets { .. } | GroupKind::Body)
    }
}

/// Pieces that belong together.
#[derive(Clone, Debug)]
pub struct Group {
    /// Its first piece.
    pub start: usize,
    /// One past its last piece; of brackets and braces the closing one.
    pub end: usize,
    /// Its kind.
    pub kind: GroupKind,
}

/// A file as pieces and groups.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// The pieces, in the order of the source.
    pub pieces: Vec<Piece>,
    /// The groups, by their first pieces, the outer ones first.
    pub groups: Vec<Group>,
    /// The number of groups around the gap before each piece.
    pub depths: Vec<u32>,
    /// The column of each piece if everything were on one line.
    pub columns: Vec<usize>,
}

impl Document {
    /// Sorts the groups, and measures the pieces.
    #[must_use]
    pub fn new(pieces: Vec<Piece>, mut groups: Vec<Group>) -> Self {
        // The sort is stable: of two equal groups, the one that was added first is outside.
        groups.sort_by(|a, b| a.start.cmp(&b.start).then(b.end.cmp(&a.end)));
        let mut changes = vec![0_i32; pieces.len() + 2];
        for group in &groups {
            let end = group.end + usize::from(group.kind.has_brackets());
            if end > group.start + 1 {
                changes[group.start + 1] += 1;
                changes[end] -= 1;
            }
        }
        let mut depth = 0;
        let mut depths = Vec::with_capacity(pieces.len());
        let mut column = 0;
        let mut columns = Vec::with_capacity(pieces.len() + 1);
        for (piece, change) in pieces.iter().zip(changes) {
            depth += change;
            depths.push(u32::try_from(depth).unwrap_or(0));
            column += usize::from(piece.is_spaced);
            columns.push(column);
            column += piece.width;
        }
        columns.push(column);
        Document { pieces, groups, depths, columns }
    }

    /// Returns true if there is a line break before a piece, whatever fits.
    #[must_use]
    pub fn is_forced(&self, index: usize) -> bool {
        let piece = &self.pieces[index];
        let has_breaks = piece.breaks > 0;
        let ends_line = index.checked_sub(1).is_some_and(|before| self.pieces[before].ends_line);
        ends_line
            || matches!(piece.gap, Gap::Line | Gap::Directive)
            || piece.is_raw && has_breaks
            || has_breaks
                && matches!(
                    piece.gap,
                    Gap::Author | Gap::Element | Gap::Paste | Gap::Value | Gap::Parents | Gap::Child(_)
                )
    }
}
