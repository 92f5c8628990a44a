//! The server's capabilities, as in the answer to `initialize`.

use odsmith_ide::{
    preview::View,
    semantic::{ROLES, Role},
};
use serde_json::{Value, json};

use super::{position::Encoding, project::SCHEME};

/// The command that chooses the root in whose context a file is answered for.
pub(super) const CHOOSE_ROOT: &str = "odsmith.chooseRoot";
/// The kind of the code action that applies all safe fixes of a file.
pub(super) const FIX_ALL: &str = "source.fixAll.odsmith";
/// The command that writes a root's outputs to a folder.
pub(super) const GENERATE: &str = "odsmith.generate";

/// Chooses the encoding of positions: bytes if the client supports them.
pub(super) fn encoding(parameters: &Value) -> Encoding {
    let offered = &parameters["capabilities"]["general"]["positionEncodings"];
    let takes_bytes = offered.as_array().is_some_and(|all| all.iter().any(|it| it == "utf-8"));
    if takes_bytes { Encoding::Utf8 } else { Encoding::Utf16 }
}

/// Returns true if this client requests diagnostics by itself.
pub(super) fn pulls(parameters: &Value) -> bool {
    match parameters["initializationOptions"]["diagnostics"].as_str() {
        Some(way) => way == "pull",
        None => parameters["capabilities"]["textDocument"]["diagnostic"].is_object(),
    }
}

/// Returns the capabilities for this client.
pub(super) fn of(parameters: &Value) -> Value {
    let encoding = match encoding(parameters) {
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
        "renameProvider": { "prepareProvider": true },
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": true,
        "completionProvider": { "triggerCharacters": ["$", "!", ".", "<", ":", "\"", "/", "(", "`"] },
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
    if pulls(parameters) {
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
