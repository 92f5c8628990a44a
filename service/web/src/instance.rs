//! An instance: libraries, and the questions that it answers by them.

use std::{collections::BTreeMap, num::NonZero, sync::Arc};

use odsmith_engine::{
    bundle::Bundle, cancel::Cancel, interchange::Document, library::Library, limits::Limits,
    release::Release, review::diff,
};
use odsmith_service::{
    config::ArchiveLimits,
    pipeline::{
        error::{ApiError, Kind},
        generate::{FINDINGS, Finished, MODEL, Request, Status},
        ide::Editors,
        library::{self, Libraries},
        manifest::Manifest,
        progress::Progress,
        request::Source,
        workspace,
    },
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json, value::RawValue};

/// The question of a caller.
#[derive(Deserialize)]
struct Head<'b> {
    /// Its kind: the end of an address of the service.
    ask: String,
    #[serde(borrow, default)]
    question: Option<&'b RawValue>,
}

/// An answer: JSON, and perhaps files.
#[derive(Debug, Default)]
pub struct Answer {
    /// The answer, in the shape of the service's.
    pub value: Value,
    /// The files that were made.
    pub files: BTreeMap<String, Vec<u8>>,
}

/// Files, and the manifest if it is not among them: the body of the service's requests.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Body {
    #[serde(default)]
    request: Option<Manifest>,
    files: BTreeMap<String, String>,
    /// The release of MLIR, if it is not the preferred one.
    #[serde(default)]
    mlir: Option<String>,
}

/// Two models that are compared.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sides {
    old: Document,
    new: Document,
}

/// A library that is added.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Added {
    /// Its release, as in 22.
    mlir: String,
}

/// The libraries of a caller, and what is known of them.
#[derive(Default)]
pub struct Instance {
    libraries: Vec<Library>,
    opened: Option<(Arc<Libraries>, Editors)>,
}

/// The releases of MLIR that have a library, for messages.
const NO_LIBRARY: &str = "no library of MLIR was added";

impl Instance {
    /// Adds the library of a release, packed as `odsmith library pack` does; it replaces an earlier one. The first one is
    /// that of questions that name none.
    ///
    /// # Errors
    /// The bytes are no library, or one of another release.
    pub fn add(&mut self, release: &str, packed: &[u8]) -> Result<(), String> {
        let library = library::unpacked(Release::parse(release)?, packed)?;
        self.libraries.retain(|other| other.release() != library.release());
        self.libraries.push(library);
        self.opened = None;
        Ok(())
    }

    /// Answers the bytes of a question with the bytes of an answer.
    #[must_use]
    pub fn exchange(&mut self, question: &[u8]) -> Vec<u8> {
        let answer = head_of(question).and_then(|(head, bytes)| {
            let wrong = |error: serde_json::Error| ApiError::new(Kind::BAD_REQUEST, error.to_string());
            let Head { ask, question } = serde_json::from_slice(head).map_err(wrong)?;
            self.ask(&ask, question.map_or("null", RawValue::get), bytes)
        });
        let (status, Answer { value, files }) = match answer {
            Ok(answer) => (200, answer),
            Err(error) => {
                // The document is JSON that was just written.
                let value = serde_json::from_slice(&error.document("")).unwrap_or_default();
                (error.kind.status(), Answer { value, files: BTreeMap::new() })
            }
        };
        let listed: Vec<Value> =
            files.iter().map(|(path, bytes)| json!({ "path": path, "bytes": bytes.len() })).collect();
        let head = json!({ "status": status, "answer": value, "files": listed }).to_string();
        let mut bytes = u32::try_from(head.len()).unwrap_or(u32::MAX).to_le_bytes().to_vec();
        bytes.extend_from_slice(head.as_bytes());
        files.values().for_each(|file| bytes.extend_from_slice(file));
        bytes
    }

    /// Answers a question; `bytes` are those of a library.
    ///
    /// # Errors
    /// As for the route of the service with this address.
    pub fn ask(&mut self, ask: &str, question: &str, bytes: &[u8]) -> Result<Answer, ApiError> {
        match ask {
            "library" => {
                let Added { mlir } = read(question)?;
                self.add(&mlir, bytes).map_err(|why| ApiError::new(Kind::BAD_REQUEST, why))?;
                Ok(Answer::default())
            }
            "libraries" => Ok(Answer::of(match self.libraries.as_slice() {
                [] => json!({ "libraries": [] }),
                _ => self.opened()?.0.described(),
            })),
            "ide/check" => self.edit(question, Editors::check),
            "ide/preview" => self.edit(question, Editors::preview),
            "ide/hover" => self.edit(question, Editors::hover),
            "ide/completion" => self.edit(question, Editors::completion),
            "ir/check" => self.edit(question, Editors::check_ir),
            "generate" => {
                let Finished { result, files, .. } = self.make(question, |_| {})?;
                Ok(Answer { value: written(&result)?, files })
            }
            "model" => self.made(question, MODEL, |manifest| {
                manifest.make_nothing();
                manifest.model = true;
            }),
            "lint" => self.made(question, FINDINGS, |manifest| {
                manifest.make_nothing();
                manifest.findings = true;
            }),
            "diff" => {
                let Sides { old, new } = read(question)?;
                Ok(Answer::of(diff::render::json(&diff::compare(&old, &new, &diff::Options::default()))))
            }
            _ => {
                Err(ApiError::new(Kind::NOT_FOUND, format!("there is no question '{}'", ask.escape_debug())))
            }
        }
    }

    fn opened(&mut self) -> Result<&(Arc<Libraries>, Editors), ApiError> {
        if self.libraries.is_empty() {
            return Err(ApiError::new(Kind::BAD_REQUEST, NO_LIBRARY));
        }
        let libraries = &self.libraries;
        Ok(self.opened.get_or_insert_with(|| {
            let first = libraries[0].release().name();
            let all: Libraries = libraries.iter().cloned().collect();
            // The first one is among them.
            let all = Arc::new(all.preferring(first).unwrap_or_else(|_| libraries[0].clone().into()));
            (Arc::clone(&all), Editors::new(all, ArchiveLimits::default(), Limits::default()))
        }))
    }

    fn edit<Q: DeserializeOwned, A: Serialize>(
        &mut self,
        question: &str,
        work: fn(&Editors, Q, Cancel) -> Result<A, ApiError>,
    ) -> Result<Answer, ApiError> {
        let question = read(question)?;
        let answer = work(&self.opened()?.1, question, Cancel::new())?;
        written(&answer).map(Answer::of)
    }

    /// Makes all that a request asks for, with `change` applied to its manifest.
    fn make(&mut self, question: &str, change: impl FnOnce(&mut Manifest)) -> Result<Finished, ApiError> {
        let Body { request, files, mlir } = read(question)?;
        let files = files.into_iter().map(|(path, text)| (path, text.into())).collect();
        let bundle: Bundle = Source::Files(files).open("", &ArchiveLimits::default())?;
        let request = Request::new(&self.opened()?.0, workspace::arranged(bundle), request, |manifest| {
            manifest.mlir = mlir.or(manifest.mlir.take());
            change(manifest);
            Ok(())
        });
        let request = request.map_err(|why| ApiError::new(Kind::BAD_MANIFEST, why))?;
        let limits = Limits::default();
        let progress = Progress::new(&limits, Cancel::new());
        Ok(request.run(&limits, &progress, NonZero::<usize>::MIN, None))
    }

    /// Makes one file, whose content is the answer.
    fn made(
        &mut self,
        question: &str,
        path: &str,
        change: impl FnOnce(&mut Manifest),
    ) -> Result<Answer, ApiError> {
        let Finished { result, files, .. } = self.make(question, change)?;
        let failed = ApiError {
            diagnostics: result.all_diagnostics().cloned().collect(),
            ..ApiError::new(Kind::TABLEGEN_ERRORS, "definitions have errors")
        };
        match files.get(path) {
            Some(made) if result.status == Status::Ok => {
                let wrong = |error: serde_json::Error| ApiError::new(Kind::INTERNAL, error.to_string());
                serde_json::from_slice(made).map(Answer::of).map_err(wrong)
            }
            _ => Err(failed),
        }
    }
}

impl Answer {
    fn of(value: Value) -> Answer {
        Answer { value, files: BTreeMap::new() }
    }
}

/// Splits the head from the bytes after it.
fn head_of(question: &[u8]) -> Result<(&[u8], &[u8]), ApiError> {
    let split = || {
        let (length, rest) = question.split_first_chunk::<4>()?;
        rest.split_at_checked(usize::try_from(u32::from_le_bytes(*length)).ok()?)
    };
    split().ok_or_else(|| ApiError::new(Kind::BAD_REQUEST, "the question ends before its head does"))
}

fn read<'q, Q: Deserialize<'q>>(question: &'q str) -> Result<Q, ApiError> {
    let bad = |error| ApiError::new(Kind::BAD_REQUEST, format!("the JSON is not a question: {error}"));
    serde_json::from_str(question).map_err(bad)
}

fn written(answer: &impl Serialize) -> Result<Value, ApiError> {
    serde_json::to_value(answer).map_err(|error| ApiError::new(Kind::INTERNAL, error.to_string()))
}
