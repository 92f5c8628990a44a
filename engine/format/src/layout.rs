//! The layout of a document: the text of each gap.
//!
//! Line breaks of the author stay where [`Gap`] says that they count. A line that is too long breaks at the last
//! opportunity before the column where it ends, as a paragraph does. Each decision depends on what a line break already
//! made by an earlier one leaves unchanged, so that a second layout changes nothing.

use crate::{
    document::{Document, Gap, Group, GroupKind, Hang},
    style::Style,
};

/// The text of a gap: line breaks, then spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GapText {
    /// These line breaks and spaces.
    Blank {
        /// Line breaks.
        breaks: usize,
        /// Spaces.
        spaces: usize,
    },
    /// As it is in the source.
    Source,
}

/// The column of a piece, and the line.
#[derive(Clone, Copy, Debug, Default)]
struct Position {
    line: usize,
    column: usize,
}

/// A group around the current piece.
#[derive(Clone, Debug)]
struct Frame {
    end: usize,
    kind: GroupKind,
    /// The column of what continues it.
    indent: usize,
    /// The indentation of its first line.
    base: usize,
    /// The column of its closing bracket.
    close: usize,
    /// True if it has a line break after its opening bracket.
    is_block: bool,
    /// True if the tool has made it so.
    is_opened: bool,
    /// True until the first of its gaps.
    is_in_first: bool,
    /// True if the first element has several lines.
    is_dropped: bool,
}

/// Returns the text of the gap before each piece. `column_in` returns the column after the last line break of a gap of
/// the source.
#[must_use]
pub fn layout(
    document: &Document,
    style: &Style,
    column_in: impl Fn(usize) -> Option<usize>,
) -> Vec<GapText> {
    let mut printer = Printer {
        document,
        style,
        frames: Vec::new(),
        next_group: 0,
        at: Position::default(),
        line_indent: 0,
        needs: vec![None; document.groups.len()],
        gaps: Vec::with_capacity(document.pieces.len()),
        positions: Vec::with_capacity(document.pieces.len()),
    };
    for index in 0..document.pieces.len() {
        printer.gap(index, &column_in);
        printer.piece(index);
    }
    printer.align_trailing();
    printer.gaps
}

struct Printer<'d> {
    document: &'d Document,
    style: &'d Style,
    frames: Vec<Frame>,
    next_group: usize,
    at: Position,
    /// The indentation of the current line.
    line_indent: usize,
    needs: Vec<Option<Need>>,
    gaps: Vec<GapText>,
    positions: Vec<Position>,
}

impl Printer<'_> {
    fn gap(&mut self, index: usize, column_in: &impl Fn(usize) -> Option<usize>) {
        let piece = &self.document.pieces[index];
        while let Some(frame) = self.frames.last()
            && frame.end <= index
            && !frame.kind.has_brackets()
        {
            self.frames.pop();
        }
        if index == 0 {
            self.gaps.push(if piece.is_raw {
                GapText::Source
            } else {
                GapText::Blank { breaks: 0, spaces: 0 }
            });
            return;
        }
        if piece.is_raw || piece.gap == Gap::Directive {
            // The blanks before a line of the preprocessor stay, and so does what the author lays out.
            match column_in(index) {
                Some(column) => self.new_line(column),
                None => self.at.column += 1,
            }
            let text = match (piece.is_raw, piece.breaks) {
                (false, breaks @ 1..) => GapText::Blank { breaks, spaces: self.at.column },
                _ => GapText::Source,
            };
            self.gaps.push(text);
            return;
        }
        if self.is_broken(index) {
            self.mark_parts(index);
            let column = self.indent(index);
            let breaks = piece.breaks.max(1);
            self.gaps.push(GapText::Blank { breaks, spaces: column });
            self.new_line(column);
        } else {
            let spaces = usize::from(piece.is_spaced) + piece.padding;
            self.gaps.push(GapText::Blank { breaks: 0, spaces });
            self.at.column += spaces;
            if piece.gap.is_opportunity() {
                self.mark_parts(index);
            }
        }
    }

    fn new_line(&mut self, column: usize) {
        self.at = Position { line: self.at.line + 1, column };
        self.line_indent = column;
    }

    /// Notes that the innermost group goes on after its first part.
    fn mark_parts(&mut self, index: usize) {
        let Some(frame) = self.frames.last_mut() else { return };
        let is_element = matches!(frame.kind, GroupKind::Brackets { element, .. } if element == index);
        if !is_element {
            frame.is_in_first = false;
        }
    }

    fn is_broken(&self, index: usize) -> bool {
        let piece = &self.document.pieces[index];
        if self.document.is_forced(index) {
            return true;
        }
        let frame = self.frames.last();
        if piece.gap.is_opportunity() && self.is_in_row() {
            return false;
        }
        let column = self.at.column + usize::from(piece.is_spaced);
        match piece.gap {
            Gap::Joined | Gap::Element | Gap::Brace => {
                let opens = |frame: &Frame| {
                    frame.is_opened
                        && matches!(frame.kind, GroupKind::Brackets { element, .. } if element == index)
                };
                frame.is_some_and(opens)
            }
            Gap::Author | Gap::Child(_) => {
                // An element that is alone on its line stays there, however long.
                let moves = self.indent(index) < column;
                moves && !self.fits(index, column, Reach::Level)
            }
            Gap::Paste => {
                let next = self.indent(index);
                next < column && !self.fits(index, column, Reach::Any) && self.fits(index, next, Reach::Any)
            }
            Gap::Value => {
                let next = self.indent(index);
                !self.fits(index, column, Reach::Any) && self.fits(index, next, Reach::Any)
            }
            Gap::Parents => {
                let next = self.indent(index);
                let fits_here = self.fits(index, column, Reach::Level);
                !fits_here && (!self.fits(index, column, Reach::Any) || self.fits(index, next, Reach::Level))
            }
            Gap::Statement => frame.is_none_or(|frame| frame.is_block),
            Gap::Close => frame.is_some_and(|frame| match frame.kind {
                GroupKind::Body => frame.is_block,
                _ if self.style.strict => frame.is_block,
                _ => frame.is_opened || piece.breaks > 0,
            }),
            Gap::Line | Gap::Directive => true,
        }
    }

    /// Returns true if the innermost statement is a row of a table, and this is its first line.
    fn is_in_row(&self) -> bool {
        let around = self
            .frames
            .iter()
            .rev()
            .find(|it| matches!(it.kind, GroupKind::Statement { .. } | GroupKind::Body));
        around.is_some_and(|it| matches!(it.kind, GroupKind::Statement { is_row: true, .. }))
    }

    /// Returns the column of a piece after a line break.
    fn indent(&self, index: usize) -> usize {
        let piece = &self.document.pieces[index];
        let Some(frame) = self.frames.last() else { return 0 };
        if frame.end == index && frame.kind.has_brackets() {
            return frame.close;
        }
        match (piece.gap, frame.kind) {
            (Gap::Child(indent), _) => frame.base + indent,
            (Gap::Brace, _) => frame.base,
            (_, GroupKind::Brackets { hang, is_header, .. }) if !frame.is_block => match hang {
                Some(Hang::Indented(indent)) => frame.base + indent,
                _ if frame.is_dropped && is_header => frame.base + self.style.continuation,
                _ if frame.is_dropped => frame.base + self.style.indent,
                _ => frame.indent,
            },
            _ => frame.indent,
        }
    }

    fn piece(&mut self, index: usize) {
        let document = self.document;
        let piece = &document.pieces[index];
        self.positions.push(self.at);
        let closes = |frame: &Frame| frame.end == index && frame.kind.has_brackets();
        if self.frames.last().is_some_and(closes) {
            self.frames.pop();
        }
        if let Some(frame) = self.frames.last_mut()
            && let GroupKind::Brackets { element, .. } = frame.kind
            && element == index
            && !frame.is_block
        {
            frame.indent = self.at.column;
        }
        let start = self.at.column;
        match piece.last_width {
            None => self.at.column += piece.width,
            Some(last) => {
                self.at = Position { line: self.at.line + 1, column: last };
                // The last line of a fragment begins with the blanks that it has.
                self.line_indent = piece.last_indent;
                self.drop_first();
            }
        }
        while let Some(group) = document.groups.get(self.next_group)
            && group.start == index
        {
            self.next_group += 1;
            self.enter(self.next_group - 1, group, start);
        }
    }

    /// Notes that the first elements around the current piece have several lines.
    fn drop_first(&mut self) {
        for frame in self.frames.iter_mut().rev() {
            if !frame.is_in_first {
                break;
            }
            frame.is_dropped = true;
        }
    }

    fn enter(&mut self, number: usize, group: &Group, start: usize) {
        let mut frame = Frame {
            end: group.end,
            kind: group.kind,
            indent: start,
            base: self.line_indent,
            close: self.line_indent,
            is_block: false,
            is_opened: false,
            is_in_first: true,
            is_dropped: false,
        };
        match group.kind {
            GroupKind::Aligned { hang } => {
                let around = self.frames.last().map_or(0, |it| it.base);
                if let Some(Hang::Indented(indent)) = hang {
                    frame.indent = around + indent;
                }
            }
            GroupKind::Texts { more } => frame.indent = start + more,
            GroupKind::Statement { hang, .. } => {
                frame.base = start;
                frame.indent = start
                    + match hang {
                        Some(Hang::Indented(indent)) => indent,
                        _ => self.style.continuation,
                    };
            }
            GroupKind::Body => {
                let around =
                    self.frames.iter().rev().find(|it| matches!(it.kind, GroupKind::Statement { .. }));
                frame.base = around.map_or(0, |it| it.base);
                frame.close = frame.base;
                frame.indent = frame.base + self.style.indent;
                frame.is_block = !self.is_short(group);
            }
            GroupKind::Brackets { element, is_block, hang, closing, .. } => {
                let column = self.at.column;
                frame.indent = column;
                frame.is_block = is_block;
                if !is_block && element < group.end && !self.is_in_row() && !self.is_flat(group, column) {
                    let prefix = self.document.columns[element] - self.document.columns[group.start + 1];
                    let aligned = column + prefix;
                    let opened = self.line_indent + self.style.indent;
                    let Need { most, last } = self.need(number);
                    // Elements that the author has aligned stay so, even if what follows the last one is too wide.
                    let tail = if hang.is_none() { self.tail(group.end) } else { 1 };
                    let need = most.max(last + tail);
                    frame.is_dropped = aligned + need > self.style.width && opened < aligned;
                    frame.is_opened = frame.is_dropped
                        && !self.fits(element, aligned, Reach::Tokens)
                        && self.fits(element, opened, Reach::Tokens);
                    frame.is_block = frame.is_opened;
                }
                if frame.is_block {
                    let indent = match hang {
                        Some(Hang::Indented(indent)) => indent,
                        _ => self.style.indent,
                    };
                    frame.indent = self.line_indent + indent;
                    // Elements that are indented by two steps have their closing bracket after one.
                    frame.close = frame.base + closing.unwrap_or(indent.saturating_sub(self.style.indent));
                    self.drop_first();
                } else {
                    frame.close = frame.base + closing.unwrap_or(0);
                }
            }
        }
        self.frames.push(frame);
    }

    /// Returns true if a body can be on one line.
    fn is_short(&self, group: &Group) -> bool {
        let pieces = &self.document.pieces;
        if group.end == group.start + 1 {
            return true;
        }
        if pieces[group.start + 1].breaks > 0 {
            return false;
        }
        let inside = group.start + 1..=group.end;
        let width = self.document.columns[group.end] + 1 - self.document.columns[group.start] - 1;
        let fits = self.at.column + width <= self.style.width;
        let is_whole = |index: usize| {
            let ends_line = pieces[index - 1].ends_line || pieces[index].is_raw && pieces[index].breaks > 0;
            let is_free = matches!(pieces[index].gap, Gap::Statement | Gap::Close);
            pieces[index].last_width.is_none() && !ends_line && (is_free || !self.document.is_forced(index))
        };
        fits && inside.clone().all(is_whole)
    }

    /// Returns true if brackets stay on one line that begins with a column.
    fn is_flat(&self, group: &Group, column: usize) -> bool {
        let inside = group.start + 1..=group.end;
        // Anything wide ends the search early.
        let width = self.document.columns[group.end] + 1 - self.document.columns[group.start + 1];
        if column + width > self.style.width {
            return false;
        }
        let is_whole = |index: usize| {
            !self.document.is_forced(index) && self.document.pieces[index].last_width.is_none()
        };
        inside.clone().all(is_whole) && self.fits(group.end, column + width - 1, Reach::Level)
    }

    /// Returns true if what begins at a column reaches the next opportunity in time.
    fn fits(&self, index: usize, column: usize, reach: Reach) -> bool {
        let document = self.document;
        let depth = document.depths[index];
        let mut column = column;
        for at in index..document.pieces.len() {
            let piece = &document.pieces[at];
            if at > index {
                let is_end = match reach {
                    Reach::Level => document.depths[at] <= depth,
                    Reach::Any | Reach::Tokens => true,
                };
                let is_opened = reach == Reach::Tokens && piece.gap == Gap::Element;
                if document.is_forced(at) && !is_opened
                    || piece.is_trailing
                    || piece.gap == Gap::Statement
                    || piece.gap.is_opportunity() && is_end
                {
                    return true;
                }
                column += usize::from(piece.is_spaced);
            }
            column += piece.width;
            if column > self.style.width {
                return false;
            }
            if piece.last_width.is_some() {
                return true;
            }
        }
        true
    }

    /// Returns the columns from a closing bracket up to the next opportunity.
    fn tail(&self, end: usize) -> usize {
        let pieces = &self.document.pieces;
        let goes_on = |index: &usize| {
            let piece = &pieces[*index];
            let is_end = piece.gap.is_opportunity() || piece.gap == Gap::Statement || piece.is_trailing;
            let is_forced = self.document.is_forced(*index) && piece.gap != Gap::Element;
            *index == end || !is_end && !is_forced
        };
        let last = (end..pieces.len()).take_while(goes_on).take(self.style.width).last().unwrap_or(end);
        self.document.columns[last] + pieces[last].width - self.document.columns[end]
    }

    /// Returns the columns that the elements of brackets need, if each of them is on its own line.
    fn need(&mut self, number: usize) -> Need {
        if let Some(need) = self.needs[number] {
            return need;
        }
        let document = self.document;
        let group = &document.groups[number];
        let GroupKind::Brackets { element, .. } = group.kind else { return Need::default() };
        let mut most = 0;
        let mut width = 0;
        let mut at = element;
        let mut next = number + 1;
        while at < group.end {
            let piece = &document.pieces[at];
            if at > element {
                if piece.gap.is_opportunity() {
                    most = most.max(width);
                    width = 0;
                } else {
                    width += usize::from(piece.is_spaced);
                }
            }
            width += piece.width;
            if let Some(last) = piece.last_width {
                most = most.max(width);
                width = last;
            }
            while document.groups.get(next).is_some_and(|inner| inner.start < at) {
                next += 1;
            }
            match document.groups.get(next) {
                Some(inner) if inner.start == at && matches!(inner.kind, GroupKind::Brackets { .. }) => {
                    let GroupKind::Brackets { element: first, .. } = inner.kind else { break };
                    let has_gap = (first + 1..inner.end).any(|it| document.pieces[it].gap.is_opportunity());
                    if has_gap {
                        width += document.columns[first] - document.columns[at + 1];
                        let inside = self.need(next);
                        most = most.max(width).max(self.style.indent + inside.most);
                        width = self.style.indent + inside.last;
                        at = inner.end;
                    } else {
                        at += 1;
                    }
                }
                _ => at += 1,
            }
        }
        let need = Need { most: most.max(width), last: width };
        self.needs[number] = Some(need);
        need
    }

    /// Aligns comments at the ends of consecutive lines.
    fn align_trailing(&mut self) {
        let pieces = &self.document.pieces;
        let trailing: Vec<usize> = (0..pieces.len()).filter(|index| pieces[*index].is_trailing).collect();
        let positions = &self.positions;
        let is_near = |a: &usize, b: &usize| positions[*b].line == positions[*a].line + 1;
        for run in trailing.chunk_by(is_near) {
            let most = run.iter().map(|index| positions[*index].column).max().unwrap_or(0);
            let fits = run.iter().all(|index| most + pieces[*index].width <= self.style.width);
            for &index in run.iter().filter(|_| fits) {
                if let GapText::Blank { spaces, .. } = &mut self.gaps[index] {
                    *spaces += most - positions[index].column;
                }
            }
        }
    }
}

/// The columns that elements need.
#[derive(Clone, Copy, Debug, Default)]
struct Need {
    /// The widest.
    most: usize,
    /// The last.
    last: usize,
}

/// The distance over which text must fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// Up to the next opportunity of the same level.
    Level,
    /// Up to the next opportunity, even one in brackets.
    Any,
    /// As `Any`, wherever brackets have a line break before their first element.
    Tokens,
}
