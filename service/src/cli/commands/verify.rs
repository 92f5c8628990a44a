//! `odsmith verify`: checks that a build of Odsmith made a file, and that making it again yields the same bytes.

use std::{
    collections::BTreeMap,
    fs,
    num::NonZero,
    path::{Path, PathBuf},
};

use clap::Args;
use odsmith_engine::{cancel::Cancel, limits::Limits, parallel::with_stack};
use odsmith_registry::{
    artifact::{IN_TOTO, Layer},
    error::Error,
    pull::Address,
};

use super::{Input, ProjectFiles, display, exit::ExitStatus, options::MlirOptions, pull};
use crate::{
    pipeline::{
        generate::Request,
        library::LibraryArgument,
        progress::Progress,
        provenance::Statement,
        registry::{Access, Registries},
    },
    store::{
        archive::{self, Format},
        disk, keys,
        signing::{Envelope, PublicKey},
    },
};

/// The suffix of a statement's file name.
const EXTENSION: &str = ".intoto.json";

/// A file, its statement and the key.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// An archive or another file of a result, a statement alone, or oci://HOST/REPOSITORY:TAG
    file: PathBuf,
    /// The key that the server signs with (PEM; `signing_key` in its /v1/version). Artifacts of registries need none
    #[arg(long, value_name = "FILE")]
    public_key: Option<PathBuf>,
    /// The statement of the server (/v1/results/{key}.intoto.json) [default: KEY.intoto.json beside KEY.tar.gz]
    #[arg(long, value_name = "FILE")]
    statement: Option<PathBuf>,
    /// Make the result again from this folder or archive, which must be the bundle that it was made from, and compare
    #[arg(long, value_name = "BUNDLE")]
    rebuild: Option<PathBuf>,
    /// Include folder of an MLIR release: `22=/path/to/include`, or the path alone; may be repeated
    #[arg(long, value_name = "[RELEASE=]DIR", help_heading = "MLIR")]
    library: Vec<LibraryArgument>,
}

impl Options {
    /// Runs the command: 0 if everything is as stated, 1 if not.
    ///
    /// # Errors
    /// A file cannot be read, or is invalid.
    pub fn run(self) -> Result<ExitStatus, String> {
        if let Some(text) = self.file.to_str().filter(|text| Address::is_one(text)) {
            return self.verify_artifact(text);
        }
        let key = self.public_key.as_ref().ok_or("say which key the server signs with: --public-key FILE")?;
        let key = PublicKey::read(key)?;
        let place = self.statement_place();
        let wrong = |why: String| format!("{}: {why}", place.display());
        let envelope = read(&place)?;
        let envelope: Envelope =
            serde_json::from_slice(&envelope).map_err(|error| wrong(format!("no envelope: {error}")))?;
        let statement = match key.open(&envelope).and_then(|payload| Statement::read(&payload)) {
            Ok(statement) => statement,
            Err(why) => return Ok(fail(&wrong(why))),
        };
        let mut said = String::new();
        if place != self.file {
            let digest = keys::sha256(&read(&self.file)?);
            let subject = statement.subject.iter().find(|subject| subject.sha256() == Some(&digest));
            let Some(subject) = subject else {
                let file = self.file.display();
                return Ok(fail(&format!("{file}: the statement names no file with its sha256, {digest}")));
            };
            said = format!("{}: {} of result {}\n", self.file.display(), subject.name, statement.key());
        }
        let (tree, library, library_digest) = statement.inputs();
        said += &format!(
            "made from the tree {tree} with {library} ({library_digest}) by the build {}\nsigned by the key {}\n",
            statement.build(),
            key.id()
        );
        if let Some(bundle) = &self.rebuild {
            if let Err(why) = self.rebuild(&statement, bundle)? {
                return Ok(fail(&why));
            }
            said += &format!("made again from {}: the same bytes\n", bundle.display());
        }
        display::print(&said).map(|()| ExitStatus::Done)
    }

    /// Checks all bytes of an artifact, and that a statement of provenance names them.
    fn verify_artifact(&self, text: &str) -> Result<ExitStatus, String> {
        if self.rebuild.is_some() || self.statement.is_some() {
            return Err("an artifact is made again by odsmith publish --dry-run; odsmith pull --compare says what differs".to_owned());
        }
        let registries = Registries::new(&Access::default())?;
        match check_artifact(&registries, &Address::parse(text)?) {
            Ok(said) => display::print(&said).map(|()| ExitStatus::Done),
            Err(error @ (Error::Unavailable(_) | Error::Denied(_))) => {
                display::error(&error.to_string());
                Ok(ExitStatus::of_registry(&error))
            }
            Err(error) => Ok(fail(&error.to_string())),
        }
    }

    fn statement_place(&self) -> PathBuf {
        if let Some(place) = &self.statement {
            return place.clone();
        }
        let name = self.file.file_name().unwrap_or_default().to_string_lossy();
        if name.ends_with(EXTENSION) {
            return self.file.clone();
        }
        let stem = name.split('.').next().unwrap_or_default();
        self.file.with_file_name(format!("{stem}{EXTENSION}"))
    }

    /// Makes a result again and reports differences.
    fn rebuild(&self, statement: &Statement, place: &Path) -> Result<Result<(), String>, String> {
        let (tree, library_name, library_digest) = statement.inputs();
        if statement.build() != keys::BUILD {
            let ours = keys::BUILD;
            return Ok(Err(format!("another build made it, {}, and this one is {ours}", statement.build())));
        }
        let manifest = statement.manifest().clone();
        let input = Input {
            input: place.to_owned(),
            mlir: MlirOptions { release: manifest.mlir.clone(), library: self.library.clone() },
            ..Input::default()
        };
        let ProjectFiles { bundle, libraries, .. } = input.read()?;
        let seen = keys::bundle(&bundle);
        if seen != tree {
            return Ok(Err(format!("{}: this is the tree {seen}, and not {tree}", place.display())));
        }
        let request = Request::new(&libraries, bundle, Some(manifest), |_| Ok(()))?;
        if request.library_digest != library_digest {
            let (ours, release) = (&request.library_digest, request.library.release().name());
            return Ok(Err(format!(
                "it was made with {library_name} ({library_digest}), and here is mlir-{release} ({ours})"
            )));
        }
        let limits = Limits::default();
        let progress = Progress::new(&limits, Cancel::new());
        let made = with_stack(|| request.run(&limits, &progress, NonZero::<usize>::MIN, None));
        let (mut result, mut files) = (made.result, made.files);
        // The key depends on how the request was spelled; here all of it was spelled out.
        result.key = statement.key().to_owned();
        files.insert("result.json".to_owned(), result.to_json());
        Ok(compare(statement, &files))
    }
}

/// Reads everything of an artifact; returns the facts about its origin.
fn check_artifact(registries: &Registries, place: &Address) -> Result<String, Error> {
    let artifact = pull::open(registries, place)?;
    let mut said = format!("{}\n", artifact.place);
    for layer in Layer::ALL.into_iter().filter(|layer| artifact.layer(*layer).is_some()) {
        registries.layer(&artifact, layer)?;
        said += &format!("{}: as its digests say\n", layer.title());
    }
    let Address::Registry(reference) = &artifact.place else { return Ok(said) };
    let client = registries.client()?;
    let referrers = registries.wait(client.referrers(reference, &artifact.digest))?;
    let mut is_stated = false;
    for referrer in &referrers {
        let kind = referrer.kind().unwrap_or_default();
        if kind != IN_TOTO {
            said += &format!("{} {}\n", kind.escape_debug(), referrer.digest);
            continue;
        }
        let bytes = registries.wait(client.report(reference, referrer))?;
        let statement = Statement::read(&bytes).map_err(Error::Forged)?;
        let names = |digest: &str| statement.subject.iter().any(|it| it.sha256() == Some(digest));
        let all = artifact.manifest.layers.iter().map(|it| it.digest.hex()).chain([artifact.digest.hex()]);
        if let Some(missing) = all.into_iter().find(|digest| !names(digest)) {
            return Err(Error::Forged(format!(
                "the statement {} does not name sha256:{missing}",
                referrer.digest
            )));
        }
        is_stated = true;
        let (tree, library, library_digest) = statement.inputs();
        said += &format!(
            "made from the tree {tree} with {library} ({library_digest}) by the build {}\n",
            statement.build()
        );
    }
    if is_stated {
        Ok(said)
    } else {
        Err(Error::Forged(format!("{place}: no statement says where it comes from")))
    }
}

/// Compares the new result with the statement.
fn compare(statement: &Statement, files: &BTreeMap<String, Vec<u8>>) -> Result<(), String> {
    for subject in &statement.subject {
        let digest = match files.get(&subject.name) {
            Some(bytes) => keys::sha256(bytes),
            None if subject.name.starts_with(statement.key()) => {
                let format = Format::of_name(&subject.name)
                    .ok_or_else(|| format!("{}: this is no archive that is made here", subject.name))?;
                keys::sha256(&archive::write(format, files))
            }
            None => return Err(format!("{}: it is not made again", subject.name)),
        };
        if subject.sha256() != Some(&digest) {
            return Err(format!("{}: it is another one when it is made again: {digest}", subject.name));
        }
    }
    match files.keys().find(|path| statement.subject.iter().all(|subject| subject.name != **path)) {
        Some(path) => Err(format!("{path}: it is made again, and the statement does not name it")),
        None => Ok(()),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("{}: {}", path.display(), disk::reason(&error)))
}

fn fail(why: &str) -> ExitStatus {
    display::error(why);
    ExitStatus::Findings
}
