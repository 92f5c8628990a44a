//! Handlers of the protocol's requests.

use std::{ops::Range, path::PathBuf, rc::Rc};

use odsmith_ide::{
    Document, Place, actions, completion,
    hierarchy::{self, Node},
    hover,
    inlay::{self, NoteKind},
    lens, navigate, parts,
    preview::{self, View},
    rename, semantic, signature,
    structure::{self, FoldKind},
    symbols,
};
use serde_json::{Value, json};

use super::{
    capabilities::{CHOOSE_ROOT, FIX_ALL, GENERATE},
    lint, position,
    project::{SCHEME, encoded},
    server::{Failure, Server},
    shapes,
};
use crate::store::output_folder::OutputFolder;

type Answer = Result<Value, Failure>;

/// The file and the position of a request.
struct Here {
    project: usize,
    document: Rc<Document>,
    offset: usize,
}

impl Server {
    /// Answers a request; `None` if the method is unknown.
    pub(super) fn dispatch(&mut self, method: &str, parameters: &Value) -> Option<Answer> {
        let find = |place: fn(&odsmith_ide::Workspace, &str, usize) -> Vec<Place>| place;
        Some(match method {
            "textDocument/hover" => self.at(parameters, Self::hover),
            "textDocument/definition" | "textDocument/declaration" => {
                self.places(parameters, find(navigate::definition))
            }
            "textDocument/typeDefinition" => self.places(parameters, find(navigate::type_definition)),
            "textDocument/implementation" => self.places(parameters, find(navigate::implementations)),
            "textDocument/references" => self.references(parameters),
            "textDocument/documentHighlight" => self.at(parameters, Self::highlight),
            "textDocument/prepareRename" => self.prepare_rename(parameters),
            "textDocument/rename" => self.rename(parameters),
            "textDocument/documentSymbol" => self.in_file(parameters, Self::document_symbols),
            "workspace/symbol" => Ok(self.workspace_symbols(parameters)),
            "textDocument/completion" => self.at(parameters, Self::completion),
            "textDocument/signatureHelp" => self.at(parameters, Self::signature),
            "textDocument/semanticTokens/full"
            | "textDocument/semanticTokens/full/delta"
            | "textDocument/semanticTokens/range" => self.semantic_tokens(parameters),
            "textDocument/inlayHint" => self.inlay_hints(parameters),
            "textDocument/foldingRange" => self.in_file(parameters, Self::folds),
            "textDocument/selectionRange" => self.selections(parameters),
            "textDocument/linkedEditingRange" => self.at(parameters, Self::linked),
            "textDocument/documentLink" => self.in_file(parameters, Self::links),
            "textDocument/codeAction" => self.code_actions(parameters),
            "textDocument/codeLens" => self.in_file(parameters, Self::lenses),
            "textDocument/prepareTypeHierarchy" => self.at(parameters, Self::prepare_hierarchy),
            "typeHierarchy/supertypes" => self.hierarchy(parameters, hierarchy::supertypes),
            "typeHierarchy/subtypes" => self.hierarchy(parameters, hierarchy::subtypes),
            "textDocument/prepareCallHierarchy" => self.prepare_includes(parameters),
            "callHierarchy/incomingCalls" => Ok(self.included_by(&parameters["item"])),
            "callHierarchy/outgoingCalls" => Ok(self.includes_of(&parameters["item"])),
            "textDocument/diagnostic" => self.pull(parameters),
            "workspace/diagnostic" => Ok(self.pull_all()),
            "workspace/executeCommand" => self.execute(parameters),
            "workspace/textDocumentContent" => self.content(parameters),
            "odsmith/preview" => self.preview(parameters),
            "odsmith/previewParts" => self.preview_parts(parameters),
            "odsmith/roots" => self.in_file(parameters, Self::roots),
            _ => return None,
        })
    }

    /// Answers about a position; null if the file is unknown.
    fn at(&mut self, parameters: &Value, answer: fn(&mut Self, &Here) -> Value) -> Answer {
        Ok(self.here(parameters).map_or(Value::Null, |here| answer(self, &here)))
    }

    fn here(&mut self, parameters: &Value) -> Option<Here> {
        let (project, path) = self.locate(parameters)?;
        let document = self.projects[project].workspace.document(&path)?;
        let offset = position::offset(&document, &parameters["position"], self.encoding);
        Some(Here { project, document, offset })
    }

    fn in_file(&mut self, parameters: &Value, answer: fn(&mut Self, &Here) -> Value) -> Answer {
        self.at(parameters, answer)
    }

    fn range(&self, here: &Here, range: &Range<usize>) -> Value {
        position::range(&here.document, range, self.encoding)
    }

    fn asked_range(&self, here: &Here, parameters: &Value) -> Range<usize> {
        let place = |name: &str| position::offset(&here.document, &parameters["range"][name], self.encoding);
        place("start")..place("end")
    }

    // --- what something is ------------------------------------------------------------------------------------

    fn hover(&mut self, here: &Here) -> Value {
        let found = hover::hover(&self.projects[here.project].workspace, &here.document.path, here.offset);
        found.map_or(Value::Null, |hover| {
            json!({
                "contents": { "kind": "markdown", "value": hover.text },
                "range": self.range(here, &hover.range),
            })
        })
    }

    fn signature(&mut self, here: &Here) -> Value {
        let found =
            signature::signature(&self.projects[here.project].workspace, &here.document.path, here.offset);
        found.map_or(Value::Null, |signature| {
            let parameters: Vec<Value> =
                signature.parameters.iter().map(|it| json!({ "label": it })).collect();
            json!({
                "signatures": [{
                    "label": signature.label,
                    "documentation": signature.documentation,
                    "parameters": parameters,
                    "activeParameter": signature.active,
                }],
                "activeSignature": 0,
                "activeParameter": signature.active,
            })
        })
    }

    fn inlay_hints(&mut self, parameters: &Value) -> Answer {
        let Some(here) = self.here(parameters) else { return Ok(Value::Null) };
        let range = self.asked_range(&here, parameters);
        let wanted = self.parameters["initializationOptions"]["inlayHints"].clone();
        let is_wanted = |kind: NoteKind| {
            let name = match kind {
                NoteKind::Value => "values",
                NoteKind::Argument => "arguments",
                NoteKind::Type => "types",
            };
            wanted[name] != false && wanted != false
        };
        let found = inlay::notes(&self.projects[here.project].workspace, &here.document.path, &range);
        let hints = found.iter().filter(|note| is_wanted(note.kind)).map(|note| {
            json!({
                "position": position::position(&here.document, note.offset, self.encoding),
                "label": note.text,
                "kind": if note.kind == NoteKind::Argument { 2 } else { 1 },
            })
        });
        Ok(hints.collect())
    }

    // --- from a name to what it refers to, and back -----------------------------------------------------------

    fn places(
        &mut self,
        parameters: &Value,
        find: fn(&odsmith_ide::Workspace, &str, usize) -> Vec<Place>,
    ) -> Answer {
        let Some(here) = self.here(parameters) else { return Ok(Value::Null) };
        let found = find(&self.projects[here.project].workspace, &here.document.path, here.offset);
        Ok(self.locations(here.project, &found))
    }

    fn references(&mut self, parameters: &Value) -> Answer {
        let Some(here) = self.here(parameters) else { return Ok(Value::Null) };
        let workspace = &self.projects[here.project].workspace;
        let mut found = navigate::references(workspace, &here.document.path, here.offset);
        if parameters["context"]["includeDeclaration"] == false {
            let definitions = navigate::definition(workspace, &here.document.path, here.offset);
            let is_definition = |place: &Place| {
                let overlaps = |it: &Place| it.path == place.path && it.range.end == place.range.end;
                definitions.first().is_some_and(overlaps)
            };
            found.retain(|place| !is_definition(place));
        }
        Ok(self.locations(here.project, &found))
    }

    fn highlight(&mut self, here: &Here) -> Value {
        let found =
            navigate::highlights(&self.projects[here.project].workspace, &here.document.path, here.offset);
        found.iter().map(|range| json!({ "range": self.range(here, range), "kind": 1 })).collect()
    }

    /// Returns the mentions of an inner name, which change together while one of them is typed.
    fn linked(&mut self, here: &Here) -> Value {
        let workspace = &self.projects[here.project].workspace;
        let resolved = navigate::resolve(workspace, &here.document.path, here.offset);
        let is_inner = resolved.is_some_and(
            |resolved| matches!(&resolved.symbol, navigate::Symbol::Inner(inner) if inner.scope.len() == 1),
        );
        if !is_inner {
            return Value::Null;
        }
        let found = navigate::highlights(workspace, &here.document.path, here.offset);
        let ranges: Vec<Value> = found.iter().map(|range| self.range(here, range)).collect();
        json!({ "ranges": ranges, "wordPattern": "[A-Za-z_][A-Za-z0-9_]*" })
    }

    fn prepare_rename(&mut self, parameters: &Value) -> Answer {
        let Some(here) = self.here(parameters) else { return Ok(Value::Null) };
        let range =
            rename::prepare(&self.projects[here.project].workspace, &here.document.path, here.offset)?;
        Ok(json!({
            "range": self.range(&here, &range),
            "placeholder": here.document.text.get(range).unwrap_or_default(),
        }))
    }

    fn rename(&mut self, parameters: &Value) -> Answer {
        let Some(here) = self.here(parameters) else { return Ok(Value::Null) };
        let new = parameters["newName"].as_str().unwrap_or_default();
        let renaming =
            rename::rename(&self.projects[here.project].workspace, &here.document.path, here.offset, new)?;
        let edits: Vec<(Place, String)> =
            renaming.places.into_iter().map(|place| (place, renaming.text.clone())).collect();
        Ok(self.edit(here.project, &edits, renaming.note.as_deref()))
    }

    // --- what is there ----------------------------------------------------------------------------------------

    fn document_symbols(&mut self, here: &Here) -> Value {
        let found = symbols::of_file(&self.projects[here.project].workspace, &here.document.path);
        found.iter().map(|symbol| shapes::symbol(&here.document, symbol, self.encoding)).collect()
    }

    fn workspace_symbols(&mut self, parameters: &Value) -> Value {
        let query = parameters["query"].as_str().unwrap_or_default();
        let mut all: Vec<Value> = Vec::new();
        for project in 0..self.projects.len() {
            for symbol in symbols::of_workspace(&self.projects[project].workspace, query) {
                let Some(location) = self.location(project, &symbol.place) else { continue };
                all.push(json!({
                    "name": symbol.name,
                    "kind": shapes::symbol_kind(symbol.kind),
                    "containerName": symbol.detail,
                    "location": location,
                }));
            }
        }
        json!(all)
    }

    fn semantic_tokens(&mut self, parameters: &Value) -> Answer {
        let Some(here) = self.here(parameters) else { return Ok(Value::Null) };
        let range = parameters["range"].is_object().then(|| self.asked_range(&here, parameters));
        let parts = semantic::parts(&self.projects[here.project].workspace, &here.document.path);
        let data = shapes::tokens(&here.document, &parts, range.as_ref(), self.encoding);
        if range.is_some() {
            return Ok(json!({ "data": data }));
        }
        let key = (here.project, here.document.path.clone());
        let earlier = self.tokens.remove(&key);
        let id = earlier.as_ref().map_or(1, |(id, _)| id + 1);
        let asked = parameters["previousResultId"].as_str().and_then(|id| id.parse().ok());
        let answer = match earlier.filter(|(id, _)| asked == Some(*id)) {
            Some((_, old)) => {
                json!({ "resultId": id.to_string(), "edits": shapes::token_edits(&old, &data) })
            }
            None => json!({ "resultId": id.to_string(), "data": data }),
        };
        // No further request comes for a closed file.
        if self.is_open(here.project, &here.document.path) {
            self.tokens.insert(key, (id, data));
        }
        Ok(answer)
    }

    fn folds(&mut self, here: &Here) -> Value {
        let found = structure::folds(&here.document).into_iter().map(|fold| {
            let mut value = json!({ "startLine": fold.start, "endLine": fold.end });
            match fold.kind {
                FoldKind::Region => {}
                FoldKind::Comment => value["kind"] = json!("comment"),
                FoldKind::Includes => value["kind"] = json!("imports"),
            }
            value
        });
        found.collect()
    }

    fn selections(&mut self, parameters: &Value) -> Answer {
        let Some(here) = self.here(parameters) else { return Ok(Value::Null) };
        let positions = parameters["positions"].as_array().cloned().unwrap_or_default();
        let of = |position: &Value| {
            let offset = position::offset(&here.document, position, self.encoding);
            let ranges = structure::selections(&here.document, offset);
            ranges.iter().rev().fold(Value::Null, |parent, range| {
                let mut value = json!({ "range": self.range(&here, range) });
                if !parent.is_null() {
                    value["parent"] = parent;
                }
                value
            })
        };
        Ok(positions.iter().map(of).collect())
    }

    fn links(&mut self, here: &Here) -> Value {
        let found = structure::links(&self.projects[here.project].workspace, &here.document.path);
        let link = |link: structure::Link| json!({ "range": self.range(here, &link.range), "target": self.address_of(here.project, &link.path) });
        found.into_iter().map(link).collect()
    }

    // --- what may come next -----------------------------------------------------------------------------------

    fn completion(&mut self, here: &Here) -> Value {
        let found =
            completion::complete(&self.projects[here.project].workspace, &here.document.path, here.offset);
        let support = &self.parameters["capabilities"]["textDocument"]["completion"]["completionItem"];
        let snippets = support["snippetSupport"] == true;
        let items: Vec<Value> = found
            .items
            .iter()
            .enumerate()
            .map(|(place, item)| shapes::completion(&here.document, item, place, self.encoding, snippets))
            .collect();
        json!({ "isIncomplete": found.is_incomplete, "items": items })
    }

    fn code_actions(&mut self, parameters: &Value) -> Answer {
        let Some(here) = self.here(parameters) else { return Ok(Value::Null) };
        let range = self.asked_range(&here, parameters);
        let found = actions::actions(&self.projects[here.project].workspace, &here.document.path, &range);
        let action = |action: &actions::Action| {
            json!({
                "title": action.title,
                "kind": if action.is_fix { "quickfix" } else { "refactor.rewrite" },
                "edit": self.edit(here.project, &action.edits, None),
            })
        };
        let mut all: Vec<Value> = found.iter().map(action).collect();
        all.extend(self.lint_actions(here.project, &here.document, &range));
        // Offer only the requested kinds: `source` includes `source.fixAll`.
        let only = parameters["context"]["only"].as_array();
        let is_asked = |kind: &str| {
            only.is_none_or(|only| {
                let is_it = |asked: &str| {
                    kind.strip_prefix(asked).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
                };
                only.iter().filter_map(Value::as_str).any(is_it)
            })
        };
        all.retain(|action| action["kind"].as_str().is_some_and(is_asked));
        if only.is_some() && is_asked(FIX_ALL) {
            all.extend(self.all_fixes(here.project, &here.document));
        }
        Ok(json!(all))
    }

    /// Returns the code lenses of a file, with a link to the preview.
    fn lenses(&mut self, here: &Here) -> Value {
        let mut all: Vec<Value> = Vec::new();
        for found in lens::lenses(&self.projects[here.project].workspace, &here.document.path) {
            let range = self.range(here, &found.range);
            let place = json!({
                "uri": self.address_of(here.project, &here.document.path),
                "position": range["start"],
                "view": View::Declarations.name(),
            });
            let mut add = |title: String, command: &str| {
                let command = json!({ "title": title, "command": command, "arguments": [place] });
                all.push(json!({ "range": range, "command": command }));
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
        json!(all)
    }

    // --- above and below --------------------------------------------------------------------------------------

    fn prepare_hierarchy(&mut self, here: &Here) -> Value {
        let found = hierarchy::at(&self.projects[here.project].workspace, &here.document.path, here.offset);
        let node = found.and_then(|node| self.node(here.project, &node));
        node.map_or(Value::Null, |node| json!([node]))
    }

    fn hierarchy(
        &mut self,
        parameters: &Value,
        find: fn(&odsmith_ide::Workspace, &Place) -> Vec<Node>,
    ) -> Answer {
        let item = &parameters["item"];
        let Some((project, document)) = item["uri"].as_str().and_then(|it| self.document(it)) else {
            return Ok(Value::Null);
        };
        let offset = position::offset(&document, &item["selectionRange"]["start"], self.encoding);
        let found = find(&self.projects[project].workspace, &document.place(offset..offset));
        Ok(found.iter().filter_map(|node| self.node(project, node)).collect())
    }

    /// Returns a file as an item of the include hierarchy.
    fn file_item(&self, project: usize, path: &str) -> Value {
        let start = json!({ "line": 0, "character": 0 });
        let range = json!({ "start": start, "end": start });
        let name = path.rsplit('/').next().unwrap_or(path);
        json!({
            "name": name,
            "detail": path,
            "kind": 1,
            "uri": self.address_of(project, path),
            "range": range,
            "selectionRange": range,
        })
    }

    fn prepare_includes(&mut self, parameters: &Value) -> Answer {
        let Some(here) = self.here(parameters) else { return Ok(Value::Null) };
        Ok(json!([self.file_item(here.project, &here.document.path)]))
    }

    fn includes_of(&mut self, item: &Value) -> Value {
        let Some((project, document)) = item["uri"].as_str().and_then(|it| self.document(it)) else {
            return Value::Null;
        };
        let links = structure::links(&self.projects[project].workspace, &document.path);
        let call = |link: &structure::Link| {
            let range = position::range(&document, &link.range, self.encoding);
            json!({ "to": self.file_item(project, &link.path), "fromRanges": [range] })
        };
        links.iter().map(call).collect()
    }

    fn included_by(&mut self, item: &Value) -> Value {
        let Some((project, document)) = item["uri"].as_str().and_then(|it| self.document(it)) else {
            return Value::Null;
        };
        let workspace = &self.projects[project].workspace;
        let files: Vec<String> = workspace.bundle().iter().map(|(path, _)| path.to_owned()).collect();
        let mut calls: Vec<Value> = Vec::new();
        for path in files.iter().filter(|path| path.ends_with(".td")) {
            let links = structure::links(workspace, path);
            let Some(from) = workspace.document(path) else { continue };
            let ranges: Vec<Value> = links
                .iter()
                .filter(|link| link.path == document.path)
                .map(|link| position::range(&from, &link.range, self.encoding))
                .collect();
            if !ranges.is_empty() {
                calls.push(json!({ "from": self.file_item(project, path), "fromRanges": ranges }));
            }
        }
        json!(calls)
    }

    // --- diagnostics that are asked for -----------------------------------------------------------------------

    fn pull(&mut self, parameters: &Value) -> Answer {
        let Some((project, path)) = self.locate(parameters) else {
            return Ok(json!({ "kind": "full", "items": [] }));
        };
        self.ensure_checked(project, &path);
        Ok(json!({ "kind": "full", "items": self.diagnostics(project, &path) }))
    }

    fn pull_all(&mut self) -> Value {
        let files = self.files_with_problems();
        let report = |(project, path): &(usize, String)| {
            let address = self.address_of(*project, path);
            json!({
                "kind": "full",
                "uri": address,
                "version": self.version_of(&address),
                "items": self.diagnostics(*project, path),
            })
        };
        let items: Vec<Value> = files.iter().map(report).collect();
        json!({ "items": items })
    }

    // --- commands and previews --------------------------------------------------------------------------------

    /// Returns the roots that include a file; the first one is used for answers.
    fn roots(&mut self, here: &Here) -> Value {
        json!(self.projects[here.project].workspace.roots_of(&here.document.path))
    }

    fn execute(&mut self, parameters: &Value) -> Answer {
        let argument = parameters["arguments"][0].clone();
        match parameters["command"].as_str().unwrap_or_default() {
            CHOOSE_ROOT => {
                let place = argument["uri"].as_str().and_then(|address| self.document(address));
                let (project, document) = place.ok_or_else(|| "there is no such file".to_owned())?;
                let root = argument["root"].as_str().unwrap_or_default();
                self.projects[project].workspace.choose_root(&document.path, root);
                self.look_at(project, &document.path, std::time::Duration::ZERO);
                Ok(json!(self.projects[project].workspace.roots_of(&document.path)))
            }
            GENERATE => self.generate(&argument),
            command => Err(Failure { code: -32602, message: format!("there is no command {command}") }),
        }
    }

    /// Writes the outputs of a file's first root to a folder: the argument is `{"uri": …, "out": …}`.
    fn generate(&mut self, argument: &Value) -> Answer {
        let place = argument["uri"].as_str().and_then(|address| self.document(address));
        let (project, document) = place.ok_or_else(|| "there is no such file".to_owned())?;
        let out = argument["out"].as_str().ok_or_else(|| "'out' names the folder to write to".to_owned())?;
        let out: PathBuf = self.projects[project].root.join(out);
        let workspace = &self.projects[project].workspace;
        let roots = workspace.roots_of(&document.path);
        let made = roots.first().and_then(|root| preview::outputs(workspace, root));
        let made = made.ok_or_else(|| "the definitions have errors, so nothing is made".to_owned())?;
        let mut written: Vec<String> = Vec::new();
        let folder = OutputFolder::open(&out, "lsp")?;
        let mut done = Ok(());
        for artefact in made {
            let path = artefact.path.strip_prefix("cpp/").unwrap_or(&artefact.path);
            done = done.and(folder.write(path, &artefact.bytes));
            written.push(path.to_owned());
        }
        done.and(folder.finish(false)).map(drop)?;
        Ok(json!(written))
    }

    /// Returns the preview lines that each part of a definition causes: `[{"range": …, "lines": [[3, 5]]}]`, as
    /// half-open ranges of lines counted from 0.
    fn preview_parts(&mut self, parameters: &Value) -> Answer {
        let Some(here) = self.here(parameters) else { return Ok(json!([])) };
        let view = asked_view(parameters)?;
        let workspace = &mut self.projects[here.project].workspace;
        let found = parts::parts(workspace, &here.document.path, here.offset, view);
        let found = found.iter().map(|part| {
            let lines: Vec<[usize; 2]> = part.lines.iter().map(|lines| [lines.start, lines.end]).collect();
            json!({ "range": self.range(&here, &part.range), "lines": lines })
        });
        Ok(found.collect())
    }

    fn preview(&mut self, parameters: &Value) -> Answer {
        let Some(here) = self.here(parameters) else { return Ok(Value::Null) };
        let view = asked_view(parameters)?;
        let found =
            preview::preview(&self.projects[here.project].workspace, &here.document.path, here.offset, view);
        Ok(found.map_or(Value::Null, |preview| {
            let place = format!("{}/{}", here.document.path, preview.record);
            json!({
                "record": preview.record,
                "view": view.name(),
                "language": view.language(),
                "text": preview.text,
                "line": preview.line,
                "isStale": preview.is_stale,
                "uri": format!("{SCHEME}:/{}/{}.{}", view.name(), encoded(&place), view.extension()),
            })
        }))
    }

    /// Returns a virtual document: the preview of a definition, or a file of a library that is not on the disk.
    ///
    /// ```text
    /// odsmith:/definitions/include/Foo/FooOps.td/Foo_AddOp.cpp.inc
    /// odsmith:/library/<mlir-22>/mlir/IR/OpBase.td
    /// odsmith:/rules/COR001.md
    /// ```
    fn content(&mut self, parameters: &Value) -> Answer {
        let address = parameters["uri"].as_str().unwrap_or_default();
        let unknown = || Failure::from(format!("there is no document {address}"));
        let path =
            address.strip_prefix(SCHEME).and_then(|rest| rest.strip_prefix(":/")).ok_or_else(unknown)?;
        let path = percent_encoding::percent_decode_str(path).decode_utf8_lossy().into_owned();
        let (kind, rest) = path.split_once('/').ok_or_else(unknown)?;
        if kind == lint::RULES {
            let page = lint::page(rest).ok_or_else(unknown)?;
            return Ok(json!({ "text": page }));
        }
        if kind == "library" {
            let bytes =
                self.projects.iter().find_map(|project| project.workspace.read(rest)).ok_or_else(unknown)?;
            return Ok(json!({ "text": String::from_utf8_lossy(&bytes) }));
        }
        let view = View::of(kind).ok_or_else(unknown)?;
        let (file, name) = rest.rsplit_once('/').ok_or_else(unknown)?;
        let record = name
            .strip_suffix(view.extension())
            .and_then(|name| name.strip_suffix('.'))
            .ok_or_else(unknown)?;
        let found = self.projects.iter().find_map(|project| {
            let document = project.workspace.document(file)?;
            let is_it = |statement: &&odsmith_ide::outline::Statement| {
                statement.name.is_some_and(|name| document.word(name) == record)
            };
            let statement = document.all_statements().find(is_it)?;
            let offset = document.tokens[statement.tokens.start].start;
            preview::preview(&project.workspace, file, offset, view)
        });
        found.map(|preview| json!({ "text": preview.text })).ok_or_else(unknown)
    }
}

fn asked_view(parameters: &Value) -> Result<View, String> {
    let name = parameters["view"].as_str().unwrap_or(View::Declarations.name());
    View::of(name).ok_or_else(|| {
        format!("there is no view '{name}': it is one of {}", View::ALL.map(View::name).join(", "))
    })
}
