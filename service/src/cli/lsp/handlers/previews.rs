//! Previews, commands, and documents that are not on the disk.

use std::{path::PathBuf, time::Duration};

use odsmith_ide::{
    parts,
    preview::{self, View},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    super::{
        capabilities::{CHOOSE_ROOT, GENERATE},
        lint,
        project::{SCHEME, encoded},
    },
    Answer, Cursor, Failure, Server, lsp,
};
use crate::store::output_folder::OutputFolder;

/// The parameters of a preview.
#[derive(Deserialize)]
pub struct PreviewParams {
    #[serde(flatten)]
    at: lsp::TextDocumentPositionParams,
    view: Option<String>,
}

impl PreviewParams {
    fn view(&self) -> Result<View, String> {
        let name = self.view.as_deref().unwrap_or(View::Declarations.name());
        View::of(name).ok_or_else(|| {
            format!("there is no view '{name}': it is one of {}", View::ALL.map(View::name).join(", "))
        })
    }
}

/// The preview of a definition.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Preview {
    record: String,
    view: &'static str,
    language: &'static str,
    text: String,
    line: usize,
    is_stale: bool,
    uri: String,
}

/// A part of a definition with the preview lines that it causes, as half-open ranges of lines counted from 0.
#[derive(Serialize)]
pub struct PreviewPart {
    range: lsp::Range,
    lines: Vec<[usize; 2]>,
}

/// The argument of a command.
#[derive(Default, Deserialize)]
struct CommandArgument {
    uri: Option<lsp::Uri>,
    root: Option<String>,
    out: Option<String>,
}

impl Server {
    /// Returns the roots that include a file; the first one is used for answers.
    pub fn roots(&mut self, cursor: &Cursor) -> Answer<Vec<String>> {
        Ok(self.workspace(cursor).roots_of(&cursor.document.path))
    }

    pub fn execute(&mut self, it: lsp::ExecuteCommandParams) -> Answer<Value> {
        let argument = it.arguments.into_iter().flatten().next();
        let argument: CommandArgument =
            argument.and_then(|it| serde_json::from_value(it).ok()).unwrap_or_default();
        let file = |server: &mut Self| {
            let file = argument.uri.as_ref().and_then(|uri| server.start_of(uri).ok());
            file.ok_or_else(|| Failure::from("there is no such file"))
        };
        match it.command.as_str() {
            CHOOSE_ROOT => {
                let file = file(self)?;
                let (root, path) = (argument.root.unwrap_or_default(), &file.document.path);
                self.workspace(&file).choose_root(path, &root);
                self.look_at(file.project, path, Duration::ZERO);
                Ok(json!(self.workspace(&file).roots_of(path)))
            }
            GENERATE => {
                let file = file(self)?;
                let out = argument.out.ok_or("'out' names the folder to write to")?;
                Ok(json!(self.generate(&file, &out)?))
            }
            command => {
                let message = format!("there is no command {command}");
                Err(Failure::Error { code: lsp::ErrorCodes::InvalidParams.into(), message })
            }
        }
    }

    /// Writes the outputs of a file's first root to a folder and returns their paths.
    fn generate(&self, file: &Cursor, out: &str) -> Result<Vec<String>, String> {
        let out: PathBuf = self.projects[file.project].root.join(out);
        let workspace = self.workspace(file);
        let roots = workspace.roots_of(&file.document.path);
        let made = roots.first().and_then(|root| preview::outputs(workspace, root));
        let made = made.ok_or("the definitions have errors, so nothing is made")?;
        let mut written: Vec<String> = Vec::new();
        let folder = OutputFolder::open(&out, "lsp")?;
        let mut done = Ok(());
        for artefact in made {
            let path = artefact.path.strip_prefix("cpp/").unwrap_or(&artefact.path);
            done = done.and(folder.write(path, &artefact.bytes));
            written.push(path.to_owned());
        }
        done.and(folder.finish(false)).map(drop)?;
        Ok(written)
    }

    /// Returns the preview lines that each part of a definition causes.
    pub fn preview_parts(&mut self, it: PreviewParams) -> Answer<Vec<PreviewPart>> {
        let Ok(cursor) = self.cursor(&it.at) else { return Ok(Vec::new()) };
        let workspace = &mut self.projects[cursor.project].workspace;
        let found = parts::parts(workspace, &cursor.document.path, cursor.offset, it.view()?);
        let part = |part: parts::Part| PreviewPart {
            range: self.range(&cursor, &part.range),
            lines: part.lines.iter().map(|lines| [lines.start, lines.end]).collect(),
        };
        Ok(found.into_iter().map(part).collect())
    }

    pub fn preview(&mut self, it: PreviewParams) -> Answer<Preview> {
        let cursor = self.cursor(&it.at)?;
        let (view, path) = (it.view()?, &cursor.document.path);
        let preview = preview::preview(self.workspace(&cursor), path, cursor.offset, view);
        let preview::Preview { record, text, line, is_stale, .. } = preview.ok_or(Failure::Nothing)?;
        let place = encoded(&format!("{path}/{record}"));
        let uri = format!("{SCHEME}:/{}/{place}.{}", view.name(), view.extension());
        Ok(Preview { record, view: view.name(), language: view.language(), text, line, is_stale, uri })
    }

    /// Returns a virtual document: the preview of a definition, or a file of a library that is not on the disk.
    ///
    /// ```text
    /// odsmith:/definitions/include/Foo/FooOps.td/Foo_AddOp.cpp.inc
    /// odsmith:/library/<mlir-22>/mlir/IR/OpBase.td
    /// odsmith:/rules/COR001.md
    /// ```
    pub fn content(&mut self, it: lsp::TextDocumentContentParams) -> Answer<lsp::TextDocumentContentResult> {
        let lsp::Uri(uri) = it.uri;
        match self.virtual_text(&uri) {
            Some(text) => Ok(lsp::TextDocumentContentResult { text }),
            None => Err(format!("there is no document {uri}").into()),
        }
    }

    fn virtual_text(&self, uri: &str) -> Option<String> {
        let path = uri.strip_prefix(SCHEME)?.strip_prefix(":/")?;
        let path = percent_encoding::percent_decode_str(path).decode_utf8_lossy();
        let (kind, rest) = path.split_once('/')?;
        if kind == lint::RULES {
            return lint::page(rest);
        }
        if kind == "library" {
            let bytes = self.projects.iter().find_map(|project| project.workspace.read(rest))?;
            return Some(String::from_utf8_lossy(&bytes).into_owned());
        }
        let view = View::of(kind)?;
        let (file, name) = rest.rsplit_once('/')?;
        let record = name.strip_suffix(view.extension())?.strip_suffix('.')?;
        self.projects.iter().find_map(|project| {
            let document = project.workspace.document(file)?;
            let mut all = document.all_statements();
            let statement = all.find(|it| it.name.is_some_and(|name| document.text_of(name) == record))?;
            Some(preview::preview(&project.workspace, file, statement.start, view)?.text)
        })
    }
}
