//! `odsmith lsp`: transcripts, whose answers must have the protocol's types, and messages that are out of order.

use std::{fs, path::PathBuf};

use lsp_types as lsp;
use odsmith_tests::{
    folder::TestFolder,
    lsp::{Client, address, client_capabilities, replay},
    set_up::tests_folder,
};
use serde_json::{Value, json};

/// Every file of cases.
#[test]
fn transcripts() {
    let folder = tests_folder().join("fixtures/lsp");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).expect("the folder").flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "cases"));
    files.sort();
    assert!(files.len() > 5, "{files:?}");
    let only = std::env::var("ODSMITH_TRANSCRIPT").unwrap_or_default();
    let mut wrong = String::new();
    for file in files.iter().filter(|file| file.to_string_lossy().contains(&only)) {
        if let Err(message) = replay(file, &mut is_of_the_protocol) {
            wrong.push_str(&format!("{}:\n{message}\n", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Checks that an answer has the type in the protocol.
fn is_of_the_protocol(method: &str, answer: &Value) -> Result<(), String> {
    macro_rules! is {
        ($type:ty) => {
            serde_json::from_value::<$type>(answer.clone()).map(drop)
        };
    }
    let held = match method {
        "textDocument/publishDiagnostics" => is!(lsp::PublishDiagnosticsParams),
        "textDocument/formatting" | "textDocument/rangeFormatting" | "textDocument/onTypeFormatting" => {
            is!(Option<Vec<lsp::TextEdit>>)
        }
        "textDocument/hover" => is!(Option<lsp::Hover>),
        "textDocument/definition"
        | "textDocument/declaration"
        | "textDocument/typeDefinition"
        | "textDocument/implementation" => is!(Option<lsp::GotoDefinitionResponse>),
        "textDocument/references" => is!(Option<Vec<lsp::Location>>),
        "textDocument/documentHighlight" => is!(Option<Vec<lsp::DocumentHighlight>>),
        "textDocument/prepareRename" => is!(Option<lsp::PrepareRenameResponse>),
        "textDocument/rename" => is!(Option<lsp::WorkspaceEdit>),
        "textDocument/documentSymbol" => is!(Option<Vec<lsp::DocumentSymbol>>),
        "workspace/symbol" => {
            is!(Option<Vec<lsp::SymbolInformation>>).or_else(|_| is!(Option<Vec<lsp::WorkspaceSymbol>>))
        }
        "textDocument/completion" => is!(Option<lsp::CompletionList>),
        "textDocument/signatureHelp" => is!(Option<lsp::SignatureHelp>),
        "textDocument/semanticTokens/full" | "textDocument/semanticTokens/range" => {
            is!(Option<lsp::SemanticTokens>)
        }
        "textDocument/semanticTokens/full/delta" => is!(Option<lsp::SemanticTokensFullDeltaResult>),
        "textDocument/inlayHint" => is!(Option<Vec<lsp::InlayHint>>),
        "textDocument/foldingRange" => is!(Option<Vec<lsp::FoldingRange>>),
        "textDocument/selectionRange" => is!(Option<Vec<lsp::SelectionRange>>),
        "textDocument/linkedEditingRange" => is!(Option<lsp::LinkedEditingRanges>),
        "textDocument/documentLink" => is!(Option<Vec<lsp::DocumentLink>>),
        "textDocument/codeAction" => is!(Option<lsp::CodeActionResponse>),
        "textDocument/codeLens" => is!(Option<Vec<lsp::CodeLens>>),
        "textDocument/prepareTypeHierarchy" | "typeHierarchy/supertypes" | "typeHierarchy/subtypes" => {
            is!(Option<Vec<lsp::TypeHierarchyItem>>)
        }
        "textDocument/prepareCallHierarchy" => is!(Option<Vec<lsp::CallHierarchyItem>>),
        "callHierarchy/incomingCalls" => is!(Option<Vec<lsp::CallHierarchyIncomingCall>>),
        "callHierarchy/outgoingCalls" => is!(Option<Vec<lsp::CallHierarchyOutgoingCall>>),
        "textDocument/diagnostic" => is!(lsp::DocumentDiagnosticReport),
        "workspace/diagnostic" => is!(lsp::WorkspaceDiagnosticReport),
        // Methods outside of the protocol.
        _ => Ok(()),
    };
    held.map_err(|error| format!("{method}: {error}: {answer}"))
}

#[test]
fn what_the_server_says_of_itself_is_of_the_protocol() {
    let folder = TestFolder::new("lsp-itself");
    for (diagnostic, encodings) in [(Value::Null, json!(["utf-16"])), (json!({}), json!(["utf-8", "utf-16"]))]
    {
        let mut capabilities = client_capabilities();
        if !diagnostic.is_null() {
            capabilities["textDocument"]["diagnostic"] = diagnostic.clone();
        }
        capabilities["general"] = json!({ "positionEncodings": encodings });
        let client = Client::start(&folder, &capabilities, &json!({}));
        let said: lsp::InitializeResult =
            serde_json::from_value(client.capabilities.clone()).expect("an InitializeResult");
        assert_eq!(said.capabilities.diagnostic_provider.is_some(), !diagnostic.is_null());
        let encoding = said.capabilities.position_encoding.expect("an encoding");
        assert_eq!(encoding.as_str(), encodings[0].as_str().unwrap_or_default());
        assert_eq!(client.stop(), Some(0));
    }
}

const OPS: &str = "include \"mlir/IR/OpBase.td\"\n\
    def Toy_Dialect : Dialect { let name = \"toy\"; let cppNamespace = \"::toy\"; }\n\
    def AddOp : Op<Toy_Dialect, \"add\", []> {\n  let arguments = (ins I32:$lhs);\n  let results = (outs I32:$sum);\n}\n";

/// Diagnostics on request, of a file and of the folder, including files that are not open.
#[test]
fn diagnostics_that_are_asked_for() {
    let folder = TestFolder::new("lsp-pull");
    folder.write("Good.td", OPS);
    folder.write("Bad.td", OPS.replace("I32:$lhs", "Nothing:$lhs"));
    let mut capabilities = client_capabilities();
    capabilities["textDocument"]["diagnostic"] = json!({});
    let mut client = Client::start(&folder, &capabilities, &json!({ "lint": false }));
    let [good, bad] = ["Good.td", "Bad.td"].map(|file| address(&folder, file));
    client.open(&good, OPS);
    let ask = |client: &mut Client, address: &str| {
        client.ask("textDocument/diagnostic", &json!({ "textDocument": { "uri": address } }))["result"]
            .clone()
    };
    let of_good = ask(&mut client, &good);
    is_of_the_protocol("textDocument/diagnostic", &of_good).expect("a report");
    assert_eq!(of_good["items"], json!([]));
    let of_bad = ask(&mut client, &bad);
    assert_eq!(of_bad["items"][0]["message"], "Variable not defined: 'Nothing'");
    let all = client.ask("workspace/diagnostic", &json!({ "previousResultIds": [] }))["result"].clone();
    is_of_the_protocol("workspace/diagnostic", &all).expect("a report");
    assert!(all["items"].as_array().expect("items").iter().any(|it| it["uri"] == bad.as_str()), "{all}");
    assert!(client.published.is_empty(), "{:?}", client.published);
    assert_eq!(client.stop(), Some(0));
}

/// Files that are not open are checked too, and a fix on disk clears their diagnostics.
#[test]
fn the_whole_folder_is_looked_at() {
    let folder = TestFolder::new("lsp-folder");
    let broken = OPS.replace("I32:$lhs", "Nothing:$lhs");
    folder.write("Bad.td", &broken);
    folder.write("Good.td", OPS);
    let mut client = Client::start(&folder, &client_capabilities(), &json!({ "lint": false }));
    let bad = address(&folder, "Bad.td");
    assert_eq!(client.wait_for_diagnostics(&bad, 0)[0]["message"], "Variable not defined: 'Nothing'");
    folder.write("Bad.td", OPS);
    client.published.clear();
    client.tell("workspace/didChangeWatchedFiles", &json!({ "changes": [{ "uri": bad, "type": 2 }] }));
    assert_eq!(client.wait_for_diagnostics(&bad, 0), json!([]));
    assert_eq!(client.stop(), Some(0));
}

/// A request that is cancelled before it starts, an unknown request, and a file that does not exist.
#[test]
fn what_is_out_of_order() {
    let folder = TestFolder::new("lsp-order");
    folder.write("Ops.td", OPS);
    let mut client = Client::start(&folder, &client_capabilities(), &json!({}));
    let ops = address(&folder, "Ops.td");
    client.open(&ops, OPS);
    let here = json!({ "textDocument": { "uri": ops }, "position": { "line": 2, "character": 5 } });
    let ids: Vec<i64> = (0..40).map(|_| client.send("textDocument/references", &here)).collect();
    let last = ids[ids.len() - 1];
    client.tell("$/cancelRequest", &json!({ "id": last }));
    let answers: Vec<Value> = ids.iter().map(|&id| client.answer(id)).collect();
    assert!(answers[0]["result"].is_array(), "{:?}", answers[0]);
    // It was cancelled in time, or answered.
    let code = answers[answers.len() - 1]["error"]["code"].as_i64();
    assert!(code.is_none() || code == Some(-32800), "{code:?}");
    assert_eq!(client.ask("textDocument/nonsense", &here)["error"]["code"], -32601);
    let nowhere =
        json!({ "textDocument": { "uri": "untitled:1" }, "position": { "line": 0, "character": 0 } });
    assert_eq!(client.ask("textDocument/hover", &nowhere)["result"], Value::Null);
    for hostile in [
        json!({}),
        json!({ "textDocument": 3 }),
        json!({ "textDocument": { "uri": ops }, "position": { "line": 1e18, "character": -4 } }),
    ] {
        let answer = client.ask("textDocument/completion", &hostile);
        assert!(answer["error"].is_null(), "{answer}");
    }
    // Edits past the end of the text apply at its end.
    let range = json!({ "start": { "line": 900, "character": 0 }, "end": { "line": 901, "character": 9 } });
    let change = json!({ "textDocument": { "uri": ops, "version": 2 }, "contentChanges": [{ "range": range, "text": "def Z" }] });
    client.tell("textDocument/didChange", &change);
    assert_ne!(client.wait_for_diagnostics(&ops, 2), json!([]));
    assert_eq!(client.stop(), Some(0));
}

/// Changes that break bytecode are reported during typing.
#[test]
fn an_edit_is_compared_with_the_last_commit() {
    let folder = TestFolder::new("lsp-commit");
    folder.write("Ops.td", OPS);
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false"];
        let run =
            std::process::Command::new("git").arg("-C").arg(&folder).args(identity).args(arguments).output();
        assert!(run.expect("git").status.success(), "git {arguments:?}");
    };
    git(&["init", "--quiet"]);
    git(&["add", "Ops.td"]);
    git(&["commit", "--quiet", "-m", "First"]);
    let mut client = Client::start(&folder, &client_capabilities(), &json!({ "lint": false }));
    let ops = address(&folder, "Ops.td");
    client.open(&ops, OPS);
    assert_eq!(client.wait_for_diagnostics(&ops, 1), json!([]));
    let text = OPS.replace("(ins I32:$lhs)", "(ins I32:$lhs, I32:$rhs)");
    let change =
        json!({ "textDocument": { "uri": ops, "version": 2 }, "contentChanges": [{ "text": text }] });
    client.tell("textDocument/didChange", &change);
    client.wait_for_diagnostics(&ops, 2);
    client.wait_for_quiet();
    let said = client.published[&ops]["diagnostics"].clone();
    // The break is reported at the operation.
    let at = |line: usize| {
        let all = said.as_array().into_iter().flatten();
        all.filter(|it| it["range"]["start"]["line"] == line).cloned().collect::<Vec<_>>()
    };
    assert!(!at(2).is_empty(), "{said}");
    for (line, count) in [(1, 0), (2, said.as_array().map_or(0, Vec::len))] {
        let here = at(line);
        assert_eq!(here.len(), count, "{said}");
        for it in here {
            assert_eq!((&it["severity"], &it["source"]), (&json!(4), &json!("odsmith diff")), "{said}");
            assert_eq!(it["range"]["start"]["character"], 4, "{said}");
        }
    }
    assert_eq!(client.stop(), Some(0));
}

const UNWISE: &str = "include \"Base.td\"\n\
    def Toy_AddOp : Toy_Op<\"add\", [SameOperandsAndResultType, SameTypeOperands]> {\n  let arguments = (ins I32:$lhs, I32:$rhs);\n\
    \x20 let results = (outs I32:$sum);\n  let summary = \"Adds.\";\n}\n\
    // odsmith: ignore DOC001: not for users\ndef Toy_AOp : Toy_Op<\"a\">;\n\
    def Toy_BOp : Toy_Op<\"a\">;\n// odsmith: ignore COR001: nothing is ambiguous here\ndef Toy_CType : TypeDef<Toy_Dialect, \"C\"> { let mnemonic = \"c\"; }\n";

/// Findings in the editor are those of `odsmith lint` on the same files, with the policy of odsmith.toml.
#[test]
fn findings_are_those_of_the_command() {
    let folder = TestFolder::new("lsp-lint");
    let base = "include \"mlir/IR/OpBase.td\"\ninclude \"mlir/IR/AttrTypeBase.td\"\n\
        include \"mlir/Interfaces/InferTypeOpInterface.td\"\n\
        def Toy_Dialect : Dialect { let name = \"toy\"; let cppNamespace = \"::toy\"; }\n\
        class Toy_Op<string mnemonic, list<Trait> traits = []> : Op<Toy_Dialect, mnemonic, traits>;\n";
    folder.write("Base.td", base);
    folder.write("Ops.td", UNWISE);
    folder.write(
        "test/More.td",
        UNWISE.replace("Toy_", "More_").replace("More_Dialect", "Toy_Dialect").replace("More_Op", "Toy_Op"),
    );
    folder.write("odsmith.toml", "[lint]\nextend-select = [\"STY\", \"DOC003\", \"API\"]\n[lint.rules]\nDOC001 = \"error\"\n[lint.per-file]\n\"test/**\" = [\"-DOC\"]\n");
    let mut client = Client::start(&folder, &client_capabilities(), &json!({}));
    let files = ["Base.td", "Ops.td", "test/More.td"].map(|file| address(&folder, file));
    client.open(&files[1], UNWISE);
    let mut text = UNWISE.to_owned();
    for (version, (old, new)) in [
        ("", ""),
        ("let summary = \"Adds.\";", ""),
        ("Toy_Op<\"a\">;\n// odsmith: ignore COR001", "Toy_Op<\"b\">;\n\n\n// odsmith: ignore COR001"),
        ("[SameOperandsAndResultType, SameTypeOperands]", "[SameTypeOperands]"),
    ]
    .into_iter()
    .enumerate()
    {
        text = text.replacen(old, new, 1);
        if version > 0 {
            let change = json!({ "textDocument": { "uri": files[1], "version": version + 1 }, "contentChanges": [{ "text": text }] });
            client.tell("textDocument/didChange", &change);
        }
        client.wait_for_diagnostics(&files[1], version as i64 + 1);
        client.wait_for_quiet();
        let mut ours: Vec<(String, u64, u64, String)> = Vec::new();
        for file in &files {
            let Some(said) = client.published.get(file) else { continue };
            is_of_the_protocol("textDocument/publishDiagnostics", said).expect("diagnostics");
            for it in said["diagnostics"]
                .as_array()
                .into_iter()
                .flatten()
                .filter(|it| it["source"] == "odsmith lint")
            {
                let at = &it["range"]["start"];
                let message = it["message"].as_str().and_then(|text| text.lines().next()).unwrap_or_default();
                ours.push((
                    format!(
                        "{} {} {}",
                        file.rsplit('/').next().unwrap_or_default(),
                        it["code"].as_str().unwrap_or_default(),
                        it["severity"]
                    ),
                    at["line"].as_u64().unwrap_or_default() + 1,
                    at["character"].as_u64().unwrap_or_default() + 1,
                    message.to_owned(),
                ));
            }
        }
        folder.write("Ops.td", &text);
        let run = std::process::Command::new(odsmith_tests::set_up::odsmith())
            .args(["lint", "--output-format", "json", "--fail-on", "never"])
            .arg(&folder)
            .env("ODSMITH_LIBRARY", odsmith_tests::set_up::library())
            .output()
            .expect("the program runs");
        let found: Value = serde_json::from_slice(&run.stdout).expect("findings");
        let open = found["findings"].as_array().into_iter().flatten().filter(|it| it["accepted"].is_null());
        let mut theirs: Vec<(String, u64, u64, String)> = open
            .map(|it| {
                let severity = match it["level"].as_str() {
                    Some("error") => 1,
                    Some("warning") => 2,
                    _ => 3,
                };
                let file = it["place"]["file"].as_str().unwrap_or_default();
                (
                    format!(
                        "{} {} {severity}",
                        file.rsplit('/').next().unwrap_or_default(),
                        it["rule"].as_str().unwrap_or_default()
                    ),
                    it["place"]["line"].as_u64().unwrap_or_default(),
                    it["place"]["column"].as_u64().unwrap_or_default(),
                    it["message"].as_str().unwrap_or_default().to_owned(),
                )
            })
            .collect();
        ours.sort();
        theirs.sort();
        assert_eq!(ours, theirs, "after edit {version}");
        assert!(ours.len() > 8, "{ours:?}");
    }
    assert_eq!(client.stop(), Some(0));
}

/// `tablegen_compile_commands.yml` gives the include folders, and `--print-config` the configuration of an editor.
#[test]
fn builds_and_configurations() {
    let folder = TestFolder::new("lsp-build");
    folder.write("src/Ops.td", OPS.replace("include \"mlir/IR/OpBase.td\"", "include \"Base.td\""));
    folder.write("far/Base.td", "include \"mlir/IR/OpBase.td\"\n");
    let (root, far) = (folder.join("src"), folder.join("far"));
    let commands = format!(
        "--- !FileInfo:\n  filepath: \"{}\"\n  includes: \"{}\"\n",
        root.join("Ops.td").display(),
        far.display()
    );
    folder.write("src/build/tablegen_compile_commands.yml", &commands);
    let mut client = Client::start(&root, &client_capabilities(), &json!({ "lint": false }));
    let ops = address(&root, "Ops.td");
    let text = fs::read_to_string(root.join("Ops.td")).expect("the file");
    client.open(&ops, &text);
    assert_eq!(
        client.ask("textDocument/diagnostic", &json!({ "textDocument": { "uri": ops } }))["result"]["items"],
        json!([])
    );
    let links =
        client.ask("textDocument/documentLink", &json!({ "textDocument": { "uri": ops } }))["result"].clone();
    assert_eq!(links[0]["target"], address(&far, "Base.td"));
    assert_eq!(client.stop(), Some(0));
    for editor in ["nvim", "helix", "emacs", "zed", "vscode"] {
        let run = std::process::Command::new(odsmith_tests::set_up::odsmith())
            .args(["lsp", "--print-config", editor])
            .output()
            .expect("the program runs");
        let text = String::from_utf8(run.stdout).expect("text");
        assert!(run.status.success() && text.contains("odsmith") && text.contains("lsp"), "{editor}: {text}");
    }
}

/// An editor that connects to a socket.
#[test]
fn an_address_is_served() {
    use std::{
        io::{BufRead, BufReader, Write},
        net::{TcpListener, TcpStream},
        process::{Command, Stdio},
    };
    let port = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a port").port();
    let place = format!("127.0.0.1:{port}");
    let mut server = Command::new(odsmith_tests::set_up::odsmith())
        .args(["lsp", "--socket", &place])
        .stderr(Stdio::piped())
        .spawn()
        .expect("the server starts");
    let mut line = String::new();
    BufReader::new(server.stderr.take().expect("messages")).read_line(&mut line).expect("a line");
    let connect = || {
        (0..100).find_map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(50));
            TcpStream::connect(&place).ok()
        })
    };
    let mut stream = connect().expect("a connection");
    let mut send =
        |text: &str| write!(stream, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("it reads");
    send(r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#);
    send(r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#);
    send(r#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#);
    send(r#"{"jsonrpc":"2.0","method":"exit"}"#);
    assert!(server.wait().expect("the server ends").success());
}
