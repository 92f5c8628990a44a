//! From a name to its definition and its other mentions; renaming.

use odsmith_ide::{FileRange, navigate, rename};
use serde::Deserialize;

use super::{Answer, Cursor, Failure, Server, lsp};

/// The parameters of a request for references; some clients send no context.
#[derive(Deserialize)]
pub struct ReferenceParams {
    #[serde(flatten)]
    at: lsp::TextDocumentPositionParams,
    context: Option<lsp::ReferenceContext>,
}

impl Server {
    pub fn references(&mut self, it: ReferenceParams) -> Answer<Vec<lsp::Location>> {
        let cursor = self.cursor(&it.at)?;
        let mut found = self.query(&cursor, navigate::references);
        if it.context.is_some_and(|context| !context.include_declaration) {
            let definitions = self.query(&cursor, navigate::definition);
            let is_definition = |place: &FileRange| {
                let overlaps = |it: &FileRange| it.path == place.path && it.range.end == place.range.end;
                definitions.first().is_some_and(overlaps)
            };
            found.retain(|place| !is_definition(place));
        }
        Ok(self.locations(cursor.project, &found))
    }

    pub fn highlights(&mut self, cursor: &Cursor) -> Answer<Vec<lsp::DocumentHighlight>> {
        let found = self.query(cursor, navigate::highlights);
        let kind = Some(lsp::DocumentHighlightKind::Text);
        Ok(found
            .iter()
            .map(|range| lsp::DocumentHighlight { range: self.range(cursor, range), kind })
            .collect())
    }

    /// Returns the mentions of an inner name, which change together while one of them is typed.
    pub fn linked_ranges(&mut self, cursor: &Cursor) -> Answer<lsp::LinkedEditingRanges> {
        let is_inner = self.query(cursor, navigate::resolve).is_some_and(
            |resolved| matches!(&resolved.symbol, navigate::Symbol::Inner(inner) if inner.scope.len() == 1),
        );
        if !is_inner {
            return Err(Failure::Nothing);
        }
        let found = self.query(cursor, navigate::highlights);
        let ranges = found.iter().map(|range| self.range(cursor, range)).collect();
        Ok(lsp::LinkedEditingRanges { ranges, word_pattern: Some("[A-Za-z_][A-Za-z0-9_]*".to_owned()) })
    }

    pub fn prepare_rename(&mut self, cursor: &Cursor) -> Answer<lsp::PrepareRenamePlaceholder> {
        let range = self.query(cursor, rename::prepare)?;
        let placeholder = cursor.document.text.get(range.clone()).unwrap_or_default().to_owned();
        Ok(lsp::PrepareRenamePlaceholder { range: self.range(cursor, &range), placeholder })
    }

    pub fn rename(&mut self, it: lsp::RenameParams) -> Answer<lsp::WorkspaceEdit> {
        let cursor = self.cursor(&it.text_document_position_params)?;
        let workspace = self.workspace(&cursor);
        let renaming = rename::rename(workspace, &cursor.document.path, cursor.offset, &it.new_name)?;
        let edits: Vec<(FileRange, String)> =
            renaming.places.into_iter().map(|place| (place, renaming.text.clone())).collect();
        Ok(self.edit(cursor.project, &edits, renaming.note.as_deref()))
    }
}
