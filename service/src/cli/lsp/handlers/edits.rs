//! Completions and code actions.

use odsmith_ide::{actions, completion};

use super::{super::capabilities::FIX_ALL, Answer, Cursor, Server, lsp, to_proto};

impl Server {
    pub fn completion(&mut self, cursor: &Cursor) -> Answer<lsp::CompletionList> {
        let found = self.query(cursor, completion::complete);
        let (encoding, snippets) = (self.client.encoding, self.client.inserts_snippets);
        let items = found.items.iter().enumerate();
        let items = items
            .map(|(place, item)| to_proto::completion(&cursor.document, item, place, encoding, snippets))
            .collect();
        Ok(lsp::CompletionList { is_incomplete: found.is_incomplete, items, ..Default::default() })
    }

    pub fn code_actions(&mut self, it: lsp::CodeActionParams) -> Answer<Vec<lsp::CodeAction>> {
        let cursor = self.start_of(&it.text_document.uri)?;
        let range = self.offsets(&cursor, it.range);
        let found = actions::actions(self.workspace(&cursor), &cursor.document.path, &range);
        let action = |action: actions::Action| lsp::CodeAction {
            title: action.title,
            kind: Some(match action.is_fix {
                true => lsp::CodeActionKind::QuickFix,
                false => lsp::CodeActionKind::RefactorRewrite,
            }),
            edit: Some(self.edit(cursor.project, &action.edits, None)),
            ..lsp::CodeAction::default()
        };
        let mut all: Vec<lsp::CodeAction> = found.into_iter().map(action).collect();
        all.extend(self.lint_actions(cursor.project, &cursor.document, &range));
        // Offer only the requested kinds: `source` includes `source.fixAll`.
        let only = it.context.only;
        let is_asked = |kind: &str| {
            let is_it = |asked: &lsp::CodeActionKind| {
                let rest = kind.strip_prefix(asked.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            };
            only.as_ref().is_none_or(|only| only.iter().any(is_it))
        };
        all.retain(|action| action.kind.as_ref().is_some_and(|kind| is_asked(kind.as_str())));
        if only.is_some() && is_asked(FIX_ALL) {
            all.extend(self.all_fixes(cursor.project, &cursor.document));
        }
        Ok(all)
    }
}
