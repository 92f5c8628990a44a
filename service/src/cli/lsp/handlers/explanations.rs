//! Explanations in place: hovers, signatures, inlay hints, lenses.

use odsmith_ide::{
    hover,
    inlay::{self, NoteKind},
    lens,
    preview::View,
    signature,
};
use serde_json::json;

use super::{Answer, Cursor, Failure, Server, lsp, to_proto};

impl Server {
    pub fn hover(&mut self, cursor: &Cursor) -> Answer<lsp::Hover> {
        let hover = self.query(cursor, hover::hover).ok_or(Failure::Nothing)?;
        let range = self.range(cursor, &hover.range);
        Ok(lsp::Hover { contents: to_proto::markdown(hover.text).into(), range: Some(range) })
    }

    pub fn signature(&mut self, cursor: &Cursor) -> Answer<lsp::SignatureHelp> {
        let signature = self.query(cursor, signature::signature).ok_or(Failure::Nothing)?;
        let active = Some(lsp::ActiveParameter::from(signature.active as u32));
        let parameters =
            signature.parameters.into_iter().map(|it| lsp::ParameterInformation::new(it.into(), None));
        let signature = lsp::SignatureInformation {
            label: signature.label,
            documentation: Some(signature.documentation.into()),
            parameters: Some(parameters.collect()),
            active_parameter: active,
        };
        Ok(lsp::SignatureHelp::new(vec![signature], Some(0), active))
    }

    pub fn inlay_hints(&mut self, it: lsp::InlayHintParams) -> Answer<Vec<lsp::InlayHint>> {
        let cursor = self.start_of(&it.text_document.uri)?;
        let range = self.offsets(&cursor, it.range);
        let notes = inlay::notes(self.workspace(&cursor), &cursor.document.path, &range).into_iter();
        let hints = notes.filter(|note| self.client.wants_hint(note.kind)).map(|note| {
            let position = to_proto::position(&cursor.document, note.offset, self.client.encoding);
            let kind = match note.kind {
                NoteKind::Argument => lsp::InlayHintKind::Parameter,
                NoteKind::Value | NoteKind::Type => lsp::InlayHintKind::Type,
            };
            lsp::InlayHint::new(position, note.text.into(), Some(kind), None, None, None, None, None)
        });
        Ok(hints.collect())
    }

    /// Returns the code lenses of a file, with a link to the preview.
    pub fn lenses(&mut self, cursor: &Cursor) -> Answer<Vec<lsp::CodeLens>> {
        let mut all: Vec<lsp::CodeLens> = Vec::new();
        for found in lens::lenses(self.workspace(cursor), &cursor.document.path) {
            let range = self.range(cursor, &found.range);
            let place = json!({
                "uri": self.uri_of(cursor.project, &cursor.document.path),
                "position": range.start,
                "view": View::Declarations.name(),
            });
            let mut add = |title: String, command: &str| {
                let command = lsp::Command::new(title, None, command.to_owned(), Some(vec![place.clone()]));
                all.push(lsp::CodeLens::new(range, Some(command), None));
            };
            let counted =
                |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
            add("open C++".to_owned(), "odsmith.preview");
            if found.interfaces > 0 {
                add(format!("implements {}", counted(found.interfaces, "interface")), "");
            }
            if found.patterns > 0 {
                add(format!("used by {}", counted(found.patterns, "pattern")), "");
            }
        }
        Ok(all)
    }
}
