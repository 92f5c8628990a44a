//! The structure of a file and of the workspace: symbols, semantic tokens, folds, selections, links.

use odsmith_ide::{
    semantic,
    structure::{self, FoldKind},
    symbols,
};

use super::{Answer, Cursor, Server, lsp, to_proto};

impl Server {
    pub fn document_symbols(&mut self, cursor: &Cursor) -> Answer<Vec<lsp::DocumentSymbol>> {
        let found = symbols::of_file(self.workspace(cursor), &cursor.document.path);
        let encoding = self.client.encoding;
        Ok(found.iter().map(|symbol| to_proto::symbol(&cursor.document, symbol, encoding)).collect())
    }

    pub fn workspace_symbols(&mut self, it: lsp::WorkspaceSymbolParams) -> Answer<Vec<lsp::WorkspaceSymbol>> {
        let server = &*self;
        let of_project = |project: usize| {
            let found = symbols::of_workspace(&server.projects[project].workspace, &it.query).into_iter();
            found.filter_map(move |symbol| {
                let location = server.location(project, &symbol.place)?.into();
                let kind = to_proto::symbol_kind(symbol.kind);
                let base = lsp::BaseSymbolInformation::new(symbol.name, kind, None, Some(symbol.detail));
                Some(lsp::WorkspaceSymbol::new(location, None, base))
            })
        };
        Ok((0..server.projects.len()).flat_map(of_project).collect())
    }

    fn tokens(&self, cursor: &Cursor, within: Option<lsp::Range>) -> Vec<lsp::SemanticToken> {
        let within = within.map(|range| self.offsets(cursor, range));
        let parts = semantic::parts(self.workspace(cursor), &cursor.document.path);
        to_proto::tokens(&cursor.document, &parts, within.as_ref(), self.client.encoding)
    }

    pub fn semantic_tokens_in(&mut self, it: lsp::SemanticTokensRangeParams) -> Answer<lsp::SemanticTokens> {
        let cursor = self.start_of(&it.text_document.uri)?;
        Ok(lsp::SemanticTokens { result_id: None, data: self.tokens(&cursor, Some(it.range)) })
    }

    pub fn semantic_tokens(&mut self, cursor: &Cursor) -> Answer<lsp::SemanticTokensDeltaResponse> {
        Ok(self.tokens_since(cursor, None))
    }

    pub fn changed_semantic_tokens(
        &mut self,
        it: lsp::SemanticTokensDeltaParams,
    ) -> Answer<lsp::SemanticTokensDeltaResponse> {
        let cursor = self.start_of(&it.text_document.uri)?;
        Ok(self.tokens_since(&cursor, it.previous_result_id.parse().ok()))
    }

    /// Returns the tokens of a file, as edits of an earlier answer if that was the last one.
    fn tokens_since(&mut self, cursor: &Cursor, since: Option<u64>) -> lsp::SemanticTokensDeltaResponse {
        let data = self.tokens(cursor, None);
        let key = (cursor.project, cursor.document.path.clone());
        let earlier = self.tokens.remove(&key);
        let id = earlier.as_ref().map_or(1, |(id, _)| id + 1);
        let result_id = Some(id.to_string());
        let answer = match earlier.filter(|(id, _)| since == Some(*id)) {
            Some((_, old)) => {
                lsp::SemanticTokensDelta { result_id, edits: to_proto::token_edits(&old, &data) }.into()
            }
            None => lsp::SemanticTokens { result_id, data: data.clone() }.into(),
        };
        // No further request comes for a closed file.
        if self.is_open(cursor.project, &cursor.document.path) {
            self.tokens.insert(key, (id, data));
        }
        answer
    }

    pub fn folds(&mut self, cursor: &Cursor) -> Answer<Vec<lsp::FoldingRange>> {
        let fold = |fold: structure::Fold| lsp::FoldingRange {
            start_line: fold.start as u32,
            end_line: fold.end as u32,
            kind: match fold.kind {
                FoldKind::Region => None,
                FoldKind::Comment => Some(lsp::FoldingRangeKind::Comment),
                FoldKind::Includes => Some(lsp::FoldingRangeKind::Imports),
            },
            ..lsp::FoldingRange::default()
        };
        Ok(structure::folds(self.workspace(cursor), &cursor.document.path).into_iter().map(fold).collect())
    }

    pub fn selections(&mut self, it: lsp::SelectionRangeParams) -> Answer<Vec<Option<lsp::SelectionRange>>> {
        let start = self.start_of(&it.text_document.uri)?;
        let of = |position: lsp::Position| {
            let offset = self.offsets(&start, lsp::Range { start: position, end: position }).start;
            let ranges = structure::selections(self.workspace(&start), &start.document.path, offset);
            ranges.iter().rev().fold(None, |parent, range| {
                let range = self.range(&start, range);
                Some(lsp::SelectionRange { range, parent: parent.map(Box::new) })
            })
        };
        Ok(it.positions.into_iter().map(of).collect())
    }

    pub fn links(&mut self, cursor: &Cursor) -> Answer<Vec<lsp::DocumentLink>> {
        let found = structure::links(self.workspace(cursor), &cursor.document.path);
        let link = |link: structure::Link| lsp::DocumentLink {
            range: self.range(cursor, &link.range),
            target: Some(self.uri_of(cursor.project, &link.path)),
            ..lsp::DocumentLink::default()
        };
        Ok(found.into_iter().map(link).collect())
    }
}
