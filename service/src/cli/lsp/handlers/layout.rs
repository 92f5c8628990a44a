//! The layout of a file, of some of its lines, and of what is being typed.

use std::ops::Range;

use odsmith_engine::format::{self, Edit, Refusal, typing};

use super::{Answer, Cursor, Failure, Server, from_proto, lsp};

/// The characters after which an editor asks for the layout of what was typed: the first, and the others.
pub const TYPED: (&str, [&str; 2]) = (";", ["}", "\n"]);

impl Server {
    pub fn formatting(&mut self, cursor: &Cursor) -> Answer<Vec<lsp::TextEdit>> {
        let edits = format::edits(&cursor.document, self.layout_style(cursor));
        self.layout_edits(cursor, edits)
    }

    pub fn formatting_in(&mut self, it: lsp::DocumentRangeFormattingParams) -> Answer<Vec<lsp::TextEdit>> {
        let cursor = self.start_of(&it.text_document.uri)?;
        let (start, end) = (it.range.start, it.range.end);
        // A selection of whole lines ends at the start of the next one.
        let is_before = end.character == 0 && end.line > start.line;
        let lines = start.line as usize..end.line as usize + usize::from(!is_before);
        let edits = format::edits_in(&cursor.document, self.layout_style(&cursor), &[lines]);
        self.layout_edits(&cursor, edits)
    }

    pub fn formatting_on_type(
        &mut self,
        it: lsp::DocumentOnTypeFormattingParams,
    ) -> Answer<Vec<lsp::TextEdit>> {
        let cursor = self.start_of(&it.text_document.uri)?;
        let line = it.position.line as usize;
        let style = self.layout_style(&cursor);
        if it.ch == "\n" {
            let text = from_proto::line(&cursor.document, line);
            let old = text.len() - text.trim_start_matches([' ', '\t']).len();
            let start = cursor.document.line_start(line);
            let new = " ".repeat(typing::indent(&cursor.document, style, line));
            let edits = if text[..old] == new { Vec::new() } else { vec![(start..start + old, new)] };
            return Ok(self.text_edits(&cursor, edits));
        }
        // A text is rarely whole while it is typed: a refusal is no message.
        let lines = line..line + 1;
        let edits = format::edits_in(&cursor.document, style, std::slice::from_ref(&lines));
        let edits = edits.map_err(|_| Failure::Nothing)?;
        self.layout_edits(&cursor, Ok(edits))
    }

    fn layout_style(&self, cursor: &Cursor) -> &format::Style {
        &self.projects[cursor.project].manifest().fmt
    }

    /// Converts edits of a layout. A broken file stays as it is: the answer says why.
    fn layout_edits(&self, cursor: &Cursor, edits: Result<Vec<Edit>, Refusal>) -> Answer<Vec<lsp::TextEdit>> {
        let document = &cursor.document;
        let checked =
            edits.and_then(|edits| format::checked(document.text.as_bytes(), &edits).map(|_| edits));
        match checked {
            Ok(edits) => {
                let parts = edits.into_iter().map(|edit| (edit.range, edit.text));
                Ok(self.text_edits(cursor, parts.collect()))
            }
            Err(Refusal { offset, message }) => {
                let (line, column) = document.position(offset);
                Err(format!("{}:{line}:{column}: {message}", document.path).into())
            }
        }
    }

    fn text_edits(&self, cursor: &Cursor, edits: Vec<(Range<usize>, String)>) -> Vec<lsp::TextEdit> {
        let one = |(range, new_text): (Range<usize>, String)| lsp::TextEdit {
            range: self.range(cursor, &range),
            new_text,
        };
        edits.into_iter().map(one).collect()
    }
}
