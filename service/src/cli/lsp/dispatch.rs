//! Requests and notifications, by their methods.

use gen_lsp_types as lsp;
use lsp_server::Notification;
use odsmith_ide::{Workspace, hierarchy, navigate};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{handlers::Cursor, server::Server};

/// An answer to a request.
pub(super) type Answer<T> = Result<T, Failure>;

/// A request without a result.
pub(super) enum Failure {
    /// The answer is null: the file is unknown, there is nothing at the position, or the parameters are malformed.
    Nothing,
    /// The answer is an error.
    Error {
        /// The protocol's code.
        code: i32,
        /// The message.
        message: String,
    },
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Failure::Error { code: lsp::LspErrorCodes::RequestFailed.into(), message }
    }
}

impl From<&str> for Failure {
    fn from(message: &str) -> Self {
        Failure::from(message.to_owned())
    }
}

/// The parameters of a request about a file as a whole.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FileParams {
    text_document: lsp::TextDocumentIdentifier,
}

impl Server {
    /// Answers a request; `None` if the method is unknown.
    pub(super) fn dispatch(&mut self, method: &str, parameters: Value) -> Option<Answer<Value>> {
        Some(match method {
            "textDocument/hover" => self.at(parameters, Self::hover),
            "textDocument/definition" | "textDocument/declaration" => {
                self.places(parameters, navigate::definition)
            }
            "textDocument/typeDefinition" => self.places(parameters, navigate::type_definition),
            "textDocument/implementation" => self.places(parameters, navigate::implementations),
            "textDocument/references" => self.on(parameters, Self::references),
            "textDocument/documentHighlight" => self.at(parameters, Self::highlights),
            "textDocument/prepareRename" => self.at(parameters, Self::prepare_rename),
            "textDocument/rename" => self.on(parameters, Self::rename),
            "textDocument/formatting" => self.in_file(parameters, Self::formatting),
            "textDocument/rangeFormatting" => self.on(parameters, Self::formatting_in),
            "textDocument/onTypeFormatting" => self.on(parameters, Self::formatting_on_type),
            "textDocument/documentSymbol" => self.in_file(parameters, Self::document_symbols),
            "workspace/symbol" => self.on(parameters, Self::workspace_symbols),
            "textDocument/completion" => self.at(parameters, Self::completion),
            "textDocument/signatureHelp" => self.at(parameters, Self::signature),
            "textDocument/semanticTokens/full" => self.in_file(parameters, Self::semantic_tokens),
            "textDocument/semanticTokens/full/delta" => self.on(parameters, Self::changed_semantic_tokens),
            "textDocument/semanticTokens/range" => self.on(parameters, Self::semantic_tokens_in),
            "textDocument/inlayHint" => self.on(parameters, Self::inlay_hints),
            "textDocument/foldingRange" => self.in_file(parameters, Self::folds),
            "textDocument/selectionRange" => self.on(parameters, Self::selections),
            "textDocument/linkedEditingRange" => self.at(parameters, Self::linked_ranges),
            "textDocument/documentLink" => self.in_file(parameters, Self::links),
            "textDocument/codeAction" => self.on(parameters, Self::code_actions),
            "textDocument/codeLens" => self.in_file(parameters, Self::lenses),
            "textDocument/prepareTypeHierarchy" => self.at(parameters, Self::prepare_hierarchy),
            "typeHierarchy/supertypes" => {
                self.on(parameters, |server, it: lsp::TypeHierarchySupertypesParams| {
                    server.hierarchy(&it.item, hierarchy::supertypes)
                })
            }
            "typeHierarchy/subtypes" => {
                self.on(parameters, |server, it: lsp::TypeHierarchySubtypesParams| {
                    server.hierarchy(&it.item, hierarchy::subtypes)
                })
            }
            "textDocument/prepareCallHierarchy" => self.in_file(parameters, Self::prepare_includes),
            "callHierarchy/incomingCalls" => self.on(parameters, Self::included_by),
            "callHierarchy/outgoingCalls" => self.on(parameters, Self::includes_of),
            "textDocument/diagnostic" => self
                .on(parameters, |server, FileParams { text_document }| Ok(server.pull(&text_document.uri))),
            "workspace/diagnostic" => self.on(parameters, |server, _: Value| Ok(server.pull_all())),
            "workspace/executeCommand" => self.on(parameters, Self::execute),
            "workspace/textDocumentContent" => self.on(parameters, Self::content),
            "odsmith/preview" => self.on(parameters, Self::preview),
            "odsmith/previewParts" => self.on(parameters, Self::preview_parts),
            "odsmith/roots" => self.in_file(parameters, Self::roots),
            _ => return None,
        })
    }

    /// Takes a notification; unknown and malformed ones are ignored.
    pub(super) fn notice(&mut self, note: Notification) {
        let Notification { method, params } = note;
        match method.as_str() {
            "textDocument/didOpen" => self.take(params, Self::did_open),
            "textDocument/didChange" => self.take(params, Self::did_change),
            "textDocument/didClose" => self.take(params, Self::did_close),
            "textDocument/didSave" => self.take(params, Self::did_save),
            "workspace/didChangeWatchedFiles" => self.take(params, Self::did_change_files),
            "workspace/didChangeWorkspaceFolders" => self.take(params, Self::did_change_folders),
            "exit" => self.has_ended = true,
            _ => {}
        }
    }

    fn take<P: DeserializeOwned>(&mut self, parameters: Value, handler: fn(&mut Self, P)) {
        if let Ok(parameters) = serde_json::from_value(parameters) {
            handler(self, parameters);
        }
    }

    fn on<P: DeserializeOwned, T: Serialize>(
        &mut self,
        parameters: Value,
        handler: impl FnOnce(&mut Self, P) -> Answer<T>,
    ) -> Answer<Value> {
        let parameters = serde_json::from_value(parameters).map_err(|_| Failure::Nothing)?;
        let answer = handler(self, parameters)?;
        serde_json::to_value(answer).map_err(|error| error.to_string().into())
    }

    /// Answers about a position in a file.
    fn at<T: Serialize>(
        &mut self,
        parameters: Value,
        handler: impl FnOnce(&mut Self, &Cursor) -> Answer<T>,
    ) -> Answer<Value> {
        self.on(parameters, |server, at: lsp::TextDocumentPositionParams| {
            let cursor = server.cursor(&at)?;
            handler(server, &cursor)
        })
    }

    /// Answers about a file; the cursor is at its start.
    fn in_file<T: Serialize>(
        &mut self,
        parameters: Value,
        handler: fn(&mut Self, &Cursor) -> Answer<T>,
    ) -> Answer<Value> {
        self.on(parameters, |server, FileParams { text_document }| {
            let cursor = server.start_of(&text_document.uri)?;
            handler(server, &cursor)
        })
    }

    fn places(
        &mut self,
        parameters: Value,
        find: fn(&Workspace, &str, usize) -> Vec<odsmith_ide::FileRange>,
    ) -> Answer<Value> {
        self.at(
            parameters,
            |server, cursor| Ok(server.locations(cursor.project, &server.query(cursor, find))),
        )
    }
}
