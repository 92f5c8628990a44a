//! The capabilities of both sides, as in `initialize` and its answer.

use std::path::PathBuf;

use odsmith_ide::{
    inlay::NoteKind,
    preview::View,
    semantic::{ROLES, Role},
};
use serde_json::{Value, json};

use super::{
    from_proto::{Encoding, file_of},
    handlers::layout::TYPED,
    project::SCHEME,
};

/// The command that chooses the root in whose context a file is answered for.
pub(super) const CHOOSE_ROOT: &str = "odsmith.chooseRoot";
/// The kind of the code action that applies all safe fixes of a file.
pub(super) const FIX_ALL: &str = "source.fixAll.odsmith";
/// The command that writes a root's outputs to a folder.
pub(super) const GENERATE: &str = "odsmith.generate";

/// The capabilities and options of an editor that answers depend on.
#[derive(Debug, Default)]
pub(super) struct Client {
    /// The encoding of positions: bytes if the client supports them.
    pub(super) encoding: Encoding,
    /// True if it requests diagnostics by itself.
    pub(super) pulls: bool,
    /// True if it can be asked to request diagnostics again.
    pub(super) refreshes_diagnostics: bool,
    /// True if it watches files on request.
    pub(super) watches_files: bool,
    /// True if completions may have placeholders.
    pub(super) inserts_snippets: bool,
    /// True if edits name the version of their file.
    pub(super) versions_edits: bool,
    /// True if edits may have annotations.
    pub(super) annotates_edits: bool,
    /// True if it wants diagnostics for files that are not open.
    pub(super) shows_all_files: bool,
    /// True if it wants the findings of lint.
    pub(super) lints: bool,
    /// The option about inlay hints: false, or an object with false for some kinds.
    inlay_hints: Value,
    /// The folders that it has open.
    pub(super) folders: Vec<PathBuf>,
}

impl Client {
    /// Reads the parameters of `initialize`. They are read one by one: a mistake in one of them spoils no other.
    pub(super) fn new(parameters: &Value) -> Client {
        let (capabilities, options) = (&parameters["capabilities"], &parameters["initializationOptions"]);
        let (document, workspace) = (&capabilities["textDocument"], &capabilities["workspace"]);
        let encodings = capabilities["general"]["positionEncodings"].as_array().into_iter().flatten();
        let takes_bytes = encodings.into_iter().any(|it| it == "utf-8");
        let folders = parameters["workspaceFolders"].as_array().into_iter().flatten();
        let mut folders: Vec<PathBuf> =
            folders.filter_map(|folder| file_of(folder["uri"].as_str()?)).collect();
        if folders.is_empty() {
            folders.extend(parameters["rootUri"].as_str().and_then(file_of));
        }
        Client {
            encoding: if takes_bytes { Encoding::Utf8 } else { Encoding::Utf16 },
            pulls: match options["diagnostics"].as_str() {
                Some(mode) => mode == "pull",
                None => document["diagnostic"].is_object(),
            },
            refreshes_diagnostics: workspace["diagnostics"]["refreshSupport"] == true,
            watches_files: workspace["didChangeWatchedFiles"]["dynamicRegistration"] == true,
            inserts_snippets: document["completion"]["completionItem"]["snippetSupport"] == true,
            versions_edits: workspace["workspaceEdit"]["documentChanges"] == true,
            annotates_edits: workspace["workspaceEdit"]["changeAnnotationSupport"].is_object(),
            shows_all_files: options["workspaceDiagnostics"] != false,
            lints: options["lint"] != false,
            inlay_hints: options["inlayHints"].clone(),
            folders,
        }
    }

    /// Returns true if it wants inlay hints of a kind.
    pub(super) fn wants_hint(&self, kind: NoteKind) -> bool {
        let name = match kind {
            NoteKind::Value => "values",
            NoteKind::Argument => "arguments",
            NoteKind::Type => "types",
        };
        self.inlay_hints != false && self.inlay_hints[name] != false
    }
}

/// Returns the capabilities for this client, as JSON: most are one word, which the types of the protocol wrap twice.
pub(super) fn of(client: &Client) -> Value {
    let encoding = match client.encoding {
        Encoding::Utf8 => "utf-8",
        Encoding::Utf16 => "utf-16",
    };
    let mut all = json!({
        "positionEncoding": encoding,
        "textDocumentSync": { "openClose": true, "change": 2, "save": { "includeText": false } },
        "hoverProvider": true,
        "definitionProvider": true,
        "declarationProvider": true,
        "typeDefinitionProvider": true,
        "implementationProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "documentFormattingProvider": true,
        "documentRangeFormattingProvider": true,
        "documentOnTypeFormattingProvider": { "firstTriggerCharacter": TYPED.0, "moreTriggerCharacter": TYPED.1 },
        "renameProvider": { "prepareProvider": true },
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": true,
        "completionProvider": { "triggerCharacters": ["$", "!", ".", "<", ":", "\"", "/", "(", "`", "%", "^", "@", "#"] },
        "signatureHelpProvider": { "triggerCharacters": ["<", "(", ","] },
        "semanticTokensProvider": { "legend": legend(), "full": { "delta": true }, "range": true },
        "inlayHintProvider": true,
        "foldingRangeProvider": true,
        "selectionRangeProvider": true,
        "linkedEditingRangeProvider": true,
        "documentLinkProvider": { "resolveProvider": false },
        "codeActionProvider": { "codeActionKinds": ["quickfix", "refactor.rewrite", FIX_ALL] },
        "codeLensProvider": { "resolveProvider": false },
        "typeHierarchyProvider": true,
        "callHierarchyProvider": true,
        "executeCommandProvider": { "commands": [CHOOSE_ROOT, GENERATE] },
        "workspace": {
            "workspaceFolders": { "supported": true, "changeNotifications": true },
            "textDocumentContent": { "schemes": [SCHEME] },
        },
        "experimental": {
            "odsmithPreview": { "views": View::ALL.map(View::name) },
        },
    });
    if client.pulls {
        all["diagnosticProvider"] =
            json!({ "identifier": "odsmith", "interFileDependencies": true, "workspaceDiagnostics": true });
    }
    all
}

fn legend() -> Value {
    let types: Vec<&str> = ROLES.iter().map(|role| token_type(*role)).collect();
    json!({ "tokenTypes": types, "tokenModifiers": ["definition"] })
}

/// Returns the protocol's name for a role; clients have colours for these.
fn token_type(role: Role) -> &'static str {
    match role {
        Role::Keyword => "keyword",
        Role::Type => "type",
        Role::Class => "class",
        Role::Def => "struct",
        Role::Multiclass => "interface",
        Role::Field => "property",
        Role::Argument => "parameter",
        Role::Variable => "variable",
        Role::Operator => "function",
        Role::Number => "number",
        Role::String => "string",
        Role::Comment => "comment",
        Role::Macro => "macro",
        Role::Directive => "method",
        Role::Literal => "enumMember",
        Role::Placeholder => "typeParameter",
    }
}
