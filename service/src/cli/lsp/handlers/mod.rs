//! Handlers of the protocol's requests: each finds its file and position, asks `odsmith_ide`, and converts the answer.

mod edits;
mod explanations;
mod hierarchy;
pub(super) mod layout;
mod names;
mod previews;
mod structure;

use std::{ops::Range, rc::Rc};

use gen_lsp_types as lsp;
use odsmith_ide::{Document, FileRange, Workspace};

use super::{
    dispatch::{Answer, Failure},
    from_proto,
    server::Server,
    to_proto,
};

/// The file and the offset that a request is about.
pub(super) struct Cursor {
    pub(super) project: usize,
    pub(super) document: Rc<Document>,
    pub(super) offset: usize,
}

impl Server {
    /// Returns the cursor at a position.
    pub(super) fn cursor(&mut self, at: &lsp::TextDocumentPositionParams) -> Answer<Cursor> {
        let cursor = self.start_of(&at.text_document.uri)?;
        let offset = from_proto::offset(&cursor.document, at.position, self.client.encoding);
        Ok(Cursor { offset, ..cursor })
    }

    /// Returns the cursor at the start of a file.
    pub(super) fn start_of(&mut self, uri: &lsp::Uri) -> Answer<Cursor> {
        let (project, path) = self.locate(uri).ok_or(Failure::Nothing)?;
        let document = self.projects[project].workspace.document(&path).ok_or(Failure::Nothing)?;
        Ok(Cursor { project, document, offset: 0 })
    }

    fn workspace(&self, cursor: &Cursor) -> &Workspace {
        &self.projects[cursor.project].workspace
    }

    /// Asks a question of the engine at a cursor.
    pub(super) fn query<T>(&self, cursor: &Cursor, question: fn(&Workspace, &str, usize) -> T) -> T {
        question(self.workspace(cursor), &cursor.document.path, cursor.offset)
    }

    fn range(&self, cursor: &Cursor, range: &Range<usize>) -> lsp::Range {
        to_proto::range(&cursor.document, range, self.client.encoding)
    }

    fn offsets(&self, cursor: &Cursor, range: lsp::Range) -> Range<usize> {
        from_proto::range(&cursor.document, range, self.client.encoding)
    }

    /// Converts places to locations.
    pub(super) fn locations(&self, project: usize, places: &[FileRange]) -> Vec<lsp::Location> {
        places.iter().filter_map(|place| self.location(project, place)).collect()
    }
}
