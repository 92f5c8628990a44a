//! The subcommands, one file each.

pub mod calibrate;
pub mod check;
pub mod cmake_shim;
pub mod diff;
pub mod docs;
pub mod generate;
pub mod import;
pub mod init;
pub mod library;
pub mod lint;
pub mod lsp;
mod manual;
mod remote;
pub mod schema;
pub mod serve;
pub mod token;
pub mod upgrade;
pub mod verify;
mod versions;
mod watch;

use std::{
    collections::BTreeMap,
    fs,
    io::{IsTerminal, Write, stderr, stdout},
    path::{MAIN_SEPARATOR, Path, PathBuf},
    process::ExitCode,
    sync::Arc,
    time::Instant,
};

use clap::{Args, Parser, Subcommand};
use odsmith_engine::{
    artefact::Artefact,
    bundle::Bundle,
    cancel::Cancel,
    diagnostic::Severity,
    library::Library,
    limits::Limits,
    parallel::{self, Spare, parallelism},
    release::Release,
    report::{Finding, text},
};
use odsmith_site::Out;
use odsmith_tblgen::{Call, checkpoints, disk::slashed};

use crate::{
    config::ArchiveLimits,
    jobs::pool::Pool,
    pipeline::{
        dependencies,
        generate::{Finished, Request},
        library::{AUTOMATIC, Libraries, LibraryArgument, is_library},
        manifest::{Dependency, FILE_NAME, Manifest},
        progress,
    },
    store::{
        archive::{self, Format},
        disk, keys,
        output_folder::OutputFolder,
    },
};

/// MLIR TableGen definitions in; generated C++ and a dialect reference out.
#[derive(Debug, Parser)]
#[command(name = "odsmith", version, about)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Behave as mlir-tblgen (see `odsmith tblgen --help`)
    #[command(disable_help_flag = true)]
    Tblgen {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// Make everything that a bundle asks for: C++, Markdown, the reference site
    Generate(generate::Options),
    /// Make the reference site of a bundle
    Docs(docs::Options),
    /// Say what is wrong with a bundle
    Check(check::Options),
    /// Write the manifest of what a project's build makes
    Import(import::Options),
    /// Write a folder for CMake's -DMLIR_DIR that has odsmith in the place of mlir-tblgen
    CmakeShim(cmake_shim::Options),
    /// Write an odsmith.toml for a folder, from what is in it
    Init(init::Options),
    /// Print the form of odsmith.toml or of model.json
    Schema(schema::Options),
    /// Say what a change of definitions breaks, and for whom
    Diff(Box<diff::Options>),
    /// Say what is unwise in definitions, though it is accepted
    Lint(Box<lint::Options>),
    /// Say what a project meets when it goes to another release of MLIR, and mend names that changed
    Upgrade(Box<upgrade::Options>),
    /// Serve all of this over HTTP
    Serve(serve::Options),
    /// Answer an editor: errors, names, completion, previews, over the Language Server Protocol
    Lsp(lsp::Options),
    /// Find MLIR's .td files of each release, and get more
    Library(library::Options),
    /// Make a token for clients of a server
    Token(token::Options),
    /// Check where a file of a result comes from, and make it again
    Verify(verify::Options),
    /// Measure the rules of an mlir-tblgen, such as one between two releases, or compare its outputs
    Calibrate(calibrate::Options),
    /// Print the completions of a shell
    Completions(manual::Completions),
    /// Write the manual pages
    Manual(manual::Manual),
}

/// The source of the `.td` library.
#[derive(Clone, Debug, Default, Args)]
pub struct LibraryOptions {
    /// Include folder of an MLIR release: `22=/path/to/include`, or the path alone; may be repeated
    #[arg(long, value_name = "[RELEASE=]DIR")]
    library: Vec<LibraryArgument>,
}

impl LibraryOptions {
    /// Loads the libraries, or only that of a release. `of_manifest` is the one that `odsmith.toml` names.
    fn load(&self, release: Option<&str>, of_manifest: Option<&Path>) -> Result<Libraries, String> {
        let only = release.filter(|name| *name != AUTOMATIC).map(Release::parse).transpose()?;
        Libraries::load(&self.library, only, of_manifest)
    }
}

/// Warns of a library that is read as another release than its own, if no result does.
fn warn_of(library: &Library) {
    if let Some(caution) = library.caution() {
        to_stderr(format!("odsmith: warning: {caution}\n").as_bytes());
    }
}

/// A bundle, and what to change in its manifest.
#[derive(Clone, Debug, Default, Args)]
pub struct Input {
    /// A folder, or an archive (.tar.gz, .tar.zst, .zip, .tar)
    input: PathBuf,
    /// Include folders: below the bundle's root, or of other projects
    #[arg(short = 'I', long = "include", value_name = "DIR")]
    includes: Vec<String>,
    /// The manifest, in place of the bundle's own
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,
    /// Macros
    #[arg(short = 'D', long = "define", value_name = "MACRO")]
    defines: Vec<String>,
    /// Files that are no roots although nothing includes them: a path, with * for any name and ** for any folders
    #[arg(long, value_name = "PATTERN")]
    exclude: Vec<String>,
    /// Roots whose errors are warnings: what cannot be made of them is left out
    #[arg(long, value_name = "PATTERN")]
    ignore_errors: Vec<String>,
    /// Make what can be made: errors are warnings, unless nothing can be made
    #[arg(long)]
    keep_going: bool,
    /// The site's title
    #[arg(long)]
    title: Option<String>,
    /// The address of a line of a source file: holds {path} and {line}
    #[arg(long, value_name = "URL")]
    source_url: Option<String>,
    /// MLIR release to be like; `auto` is that of the library, and `generate` takes several: `22,23`
    #[arg(long, env = "ODSMITH_MLIR", value_name = "RELEASE")]
    mlir: Option<String>,
    #[command(flatten)]
    library: LibraryOptions,
}

impl Input {
    /// Reads the bundle, with the included files of other projects.
    fn bundle(&self) -> Result<Bundle, String> {
        let mut bundle = read_bundle(&self.input)?;
        if let Some(path) = &self.manifest {
            let bytes =
                fs::read(path).map_err(|error| format!("{}: {}", path.display(), disk::reason(&error)))?;
            bundle.insert(FILE_NAME, bytes);
        }
        if let Some(bytes) = bundle.get(FILE_NAME).cloned() {
            // Errors in it are reported later.
            if let Ok(manifest) = Manifest::from_toml(&bytes) {
                let place = self.manifest.as_deref().and_then(Path::parent);
                let folder = if self.input.is_dir() { Some(&*self.input) } else { self.input.parent() };
                dependencies::add_all(&mut bundle, &manifest, place.or(folder).unwrap_or(Path::new(".")))?;
                self.add_policy(&mut bundle, &manifest);
            }
        }
        for (name, folder) in self.other_projects() {
            dependencies::add_folder(&mut bundle, &name, &folder)?;
        }
        Ok(bundle)
    }

    /// Adds the files that the lint policy names: bundles lack them, as they are not definitions.
    fn add_policy(&self, bundle: &mut Bundle, manifest: &Manifest) {
        let Some(folder) = self.folder() else { return };
        for path in [&manifest.lint.released, &manifest.lint.baseline].into_iter().flatten() {
            if let Ok(bytes) = fs::read(folder.join(path)) {
                bundle.insert(path, bytes);
            }
        }
    }

    /// Returns the folder of the project, or the one that contains its archive or file.
    fn place(&self) -> &Path {
        let folder = if self.input.is_dir() { Some(&*self.input) } else { self.input.parent() };
        folder.unwrap_or(Path::new("."))
    }

    /// Returns the folder of the project, if it is a folder.
    fn folder(&self) -> Option<&Path> {
        Some(&*self.input).filter(|place| place.is_dir())
    }

    /// Reads the manifest in the project's folder; its errors are reported later.
    fn own_manifest(&self) -> Result<Manifest, String> {
        let beside = self.folder().map(|folder| folder.join(FILE_NAME));
        let Some(path) = self.manifest.clone().or(beside).filter(|path| path.is_file()) else {
            return Ok(Manifest::default());
        };
        let bytes =
            fs::read(&path).map_err(|error| format!("{}: {}", path.display(), disk::reason(&error)))?;
        Ok(Manifest::from_toml(&bytes).unwrap_or_default())
    }

    /// Classifies each include folder of the command line.
    fn include_folders(&self) -> Vec<IncludeFolder> {
        let root = fs::canonicalize(&self.input).ok().filter(|root| root.is_dir());
        let mut folders: Vec<IncludeFolder> = Vec::new();
        for folder in &self.includes {
            let folder = slashed(folder, MAIN_SEPARATOR);
            let is_below = !Path::new(&folder).is_absolute()
                && (!folder.split('/').any(|part| part == "..") && !self.input.join(&folder).is_symlink())
                && root.as_ref().is_none_or(|root| root.join(&folder).is_dir());
            // A folder that does not exist counts as one of the bundle, without files.
            let place = fs::canonicalize(&folder).ok().filter(|place| !is_below && place.is_dir());
            let inside =
                root.as_ref().zip(place.as_ref()).and_then(|(root, place)| place.strip_prefix(root).ok());
            folders.push(match (inside, place.clone()) {
                (Some(inside), _) if inside.as_os_str().is_empty() => IncludeFolder::Bundle(".".to_owned()),
                (Some(inside), _) => IncludeFolder::Bundle(inside.to_string_lossy().replace('\\', "/")),
                (None, None) => IncludeFolder::Bundle(folder),
                (None, Some(place)) if is_library(&place) => IncludeFolder::Library(place),
                (None, Some(place)) => {
                    let is_taken = |name: &str| {
                        folders.iter().any(|known| matches!(known, IncludeFolder::Other { name: known, .. } if known == name))
                    };
                    let name = dependencies::name_of(&place.to_string_lossy(), is_taken);
                    IncludeFolder::Other { name, place }
                }
            });
        }
        folders
    }

    /// Returns the include folders of other projects, with their names.
    fn other_projects(&self) -> impl Iterator<Item = (String, PathBuf)> {
        self.include_folders().into_iter().filter_map(|folder| match folder {
            IncludeFolder::Other { name, place } => Some((name, place)),
            IncludeFolder::Bundle(_) | IncludeFolder::Library(_) => None,
        })
    }

    /// Returns the library of the release that the options or the bundle ask for.
    fn libraries(&self, bundle: &Bundle) -> Result<Libraries, String> {
        let own =
            bundle.get(FILE_NAME).map(|bytes| Manifest::from_toml(bytes)).transpose()?.unwrap_or_default();
        let mut library = self.library.clone();
        if library.library.is_empty() {
            library
                .library
                .extend(self.library_place().map(|include| LibraryArgument { release: None, include }));
        }
        let folder = if self.input.is_dir() { Some(self.input.as_path()) } else { self.input.parent() };
        let of_manifest = own.library.zip(folder).map(|(library, folder)| folder.join(library));
        library.load(self.mlir.as_deref().or(own.mlir.as_deref()), of_manifest.as_deref())
    }

    /// Returns MLIR's include folder, if the command line names it.
    fn library_place(&self) -> Option<PathBuf> {
        let named = self.library.library.first().map(|named| named.include.clone());
        named.or_else(|| {
            self.include_folders().into_iter().find_map(|folder| match folder {
                IncludeFolder::Library(place) => Some(place),
                IncludeFolder::Bundle(_) | IncludeFolder::Other { .. } => None,
            })
        })
    }

    /// Runs everything on a thread with a big stack, and prints the messages. The files of the site are written to a
    /// folder as they are made, or else added to the result.
    fn run(&self, change: impl FnOnce(&mut Manifest), pages: Option<Pages>) -> Result<Finished, String> {
        run_request(self.prepare(change)?, pages)
    }

    /// Reads the library and the bundle, and builds the request.
    fn prepare(&self, change: impl FnOnce(&mut Manifest)) -> Result<Request, String> {
        let progress = Progress::start();
        progress.say("reading the library and the bundle");
        let bundle = self.bundle()?;
        let libraries = self.libraries(&bundle)?;
        progress.say(&format!("evaluating and generating from {} files", bundle.len()));
        self.kept_request(&libraries, bundle, change)
    }

    /// Builds the request, with the store of outputs for later processes.
    fn kept_request(
        &self,
        libraries: &Libraries,
        bundle: Bundle,
        change: impl FnOnce(&mut Manifest),
    ) -> Result<Request, String> {
        let request = self.request(libraries, bundle, change)?;
        Ok(Request { checkpoints: checkpoints::of_environment(), ..request })
    }

    /// Builds the request.
    fn request(
        &self,
        libraries: &Libraries,
        bundle: Bundle,
        change: impl FnOnce(&mut Manifest),
    ) -> Result<Request, String> {
        // A folder without definitions, such as that of a build's headers, is left out.
        let is_there = |name: &str| {
            let root = dependencies::root(name);
            bundle.iter().any(|(path, _)| path.starts_with(&root))
        };
        let folders: Vec<IncludeFolder> = self
            .include_folders()
            .into_iter()
            .filter(|folder| !matches!(folder, IncludeFolder::Other { name, .. } if !is_there(name)))
            .collect();
        Request::new(libraries, bundle, None, |manifest| {
            manifest.mlir = self.mlir.clone().or(manifest.mlir.take());
            for folder in folders {
                match folder {
                    IncludeFolder::Bundle(folder) => manifest.includes.push(folder),
                    IncludeFolder::Library(_) => {}
                    IncludeFolder::Other { name, place } => {
                        manifest.includes.push(dependencies::root(&name));
                        let path = Some(place.to_string_lossy().into_owned());
                        manifest.dependencies.insert(name, Dependency { path, ..Dependency::default() });
                    }
                }
            }
            manifest.defines.extend(self.defines.iter().cloned());
            manifest.exclude.extend(self.exclude.iter().cloned());
            manifest.ignore_errors.extend(self.ignore_errors.iter().cloned());
            manifest.keep_going |= self.keep_going;
            if let Some(title) = &self.title {
                manifest.docs.title = Some(title.clone());
            }
            if let Some(url) = &self.source_url {
                manifest.docs.source_url = Some(url.clone());
            }
            change(manifest);
            Ok(())
        })
    }
}

/// Runs a request on a thread with a big stack, and prints the messages.
fn run_request(request: Request, pages: Option<Pages>) -> Result<Finished, String> {
    let (finished, written) = run_request_silently(request, pages)?;
    print_messages(finished.result.all_diagnostics());
    written.map(|()| finished)
}

/// Does the same without printing; returns the result, and whether the files could be written.
fn run_request_silently(
    request: Request,
    pages: Option<Pages>,
) -> Result<(Finished, Result<(), String>), String> {
    let pool = Pool::new(1, 1).map_err(|error| error.to_string())?;
    let finished = pool.wait(move || {
        let run = |pages: Option<&Out<'_>>| {
            let limits = Limits::generous();
            request.run(&limits, &progress::Progress::new(&limits, Cancel::new()), parallelism(), pages)
        };
        match pages {
            None => (run(None), Ok(())),
            Some(Pages { folder, below, place }) => disk::write_while(
                |path, bytes| folder.write(path, bytes),
                |out| {
                    let placed = |mut file: Artefact| {
                        file.path = format!("{below}{}", place(&file.path)?);
                        Some(file)
                    };
                    run(Some(&|files: Vec<Artefact>| out(files.into_iter().filter_map(placed).collect())))
                },
            ),
        }
    });
    finished.map_err(|_| "the job ended in a way that it never should".to_owned())
}

/// The kinds of include folder on the command line.
enum IncludeFolder {
    /// A folder of the bundle.
    Bundle(String),
    /// MLIR's include folder.
    Library(PathBuf),
    /// A folder of another project, with a name.
    Other { name: String, place: PathBuf },
}

/// Reads the bundle in a folder or an archive.
fn read_bundle(place: &Path) -> Result<Bundle, String> {
    if place.is_dir() {
        return disk::bundle(place);
    }
    let wrong = |reason: String| format!("{}: {reason}", place.display());
    let bytes = fs::read(place).map_err(|error| wrong(disk::reason(&error)))?;
    read_archive(&bytes).map_err(wrong)
}

/// Reads the bundle in an archive.
fn read_archive(bytes: &[u8]) -> Result<Bundle, String> {
    // On the user's own machine an archive may have any size.
    let limits = ArchiveLimits {
        body_bytes: u64::MAX,
        unpacked_bytes: 4 << 30,
        file_bytes: 1 << 30,
        entries: 1_000_000,
        ..ArchiveLimits::default()
    };
    archive::read(bytes, &limits).map_err(|refusal| refusal.to_string())
}

/// The target for pages of a site that are written while others are still being made.
struct Pages {
    folder: Arc<OutputFolder>,
    /// The common prefix of all their places.
    below: String,
    /// Maps a file of the archive to its place below that prefix, if it belongs there.
    place: fn(&str) -> Option<String>,
}

/// The destination of the files: a folder, or an archive if the name says so.
enum Destination {
    Folder(Arc<OutputFolder>),
    Archive(PathBuf, Format),
}

impl Destination {
    /// Chooses the destination by the name of an output.
    fn new(out: &Path, by: &'static str, project: &Path) -> Result<Destination, String> {
        Ok(match archive_of(out) {
            Some(format) => Destination::Archive(out.to_owned(), format),
            None => Destination::Folder(Arc::new(OutputFolder::open(out, by)?.for_project(project))),
        })
    }

    /// Returns the target for pages written as they are made; `None` for an archive, which is written at once.
    fn pages(&self, below: &str, place: fn(&str) -> Option<String>) -> Option<Pages> {
        match self {
            Destination::Folder(folder) => {
                Some(Pages { folder: folder.clone(), below: below.to_owned(), place })
            }
            Destination::Archive(..) => None,
        }
    }

    /// Writes files.
    fn write(&self, files: &BTreeMap<String, Vec<u8>>) -> Result<(), String> {
        match self {
            Destination::Archive(out, format) => disk::write(out, &archive::write(*format, files)),
            Destination::Folder(folder) => {
                let files: Vec<_> = files.iter().collect();
                // Work from both ends: threads that create files in one folder block each other.
                let spare = Spare::beside_one(parallelism());
                let written = parallel::map_on(&spare, &files, |(path, bytes)| folder.write(path, bytes));
                written.into_iter().collect()
            }
        }
    }

    /// Lists the written files, even after an error, in which case the files of an earlier call stay. Passes on the
    /// result of the work.
    fn finish<T>(&self, removes_others: bool, done: Result<T, String>) -> Result<T, String> {
        if let Destination::Folder(folder) = self {
            let listed = folder.finish(removes_others && done.is_ok());
            for place in listed.iter().flatten() {
                let what = "is no longer made, and stays: it was changed by another hand";
                to_stderr(format!("warning: '{}' {what}\n", place.display()).as_bytes());
            }
            return done.and_then(|done| listed.map(|_| done));
        }
        done
    }
}

/// Returns the archive format that a file name implies.
fn archive_of(out: &Path) -> Option<Format> {
    out.to_str().and_then(Format::of_name)
}

/// Progress messages for a watching person; silent otherwise.
struct Progress {
    is_watched: bool,
    start: Instant,
}

impl Progress {
    fn start() -> Self {
        Progress { is_watched: stderr().is_terminal(), start: Instant::now() }
    }

    fn say(&self, what: &str) {
        if self.is_watched {
            let seconds = self.start.elapsed().as_secs_f64();
            to_stderr(format!("[{seconds:6.2} s] {what}\n").as_bytes());
        }
    }
}

fn print_messages<'r>(reports: impl Iterator<Item = &'r Finding>) {
    let mut lines = Vec::new();
    reports.for_each(|report| text::render(report, &mut lines));
    to_stderr(&lines);
}

fn has_error<'r>(mut reports: impl Iterator<Item = &'r Finding>) -> bool {
    reports.any(|report| report.severity == Severity::Error)
}

fn to_stderr(bytes: &[u8]) {
    // No other stream is left for the error.
    let _ = stderr().lock().write_all(bytes);
}

/// Runs the command line.
#[must_use]
pub fn main(words: &[String]) -> ExitCode {
    if let Some(call) = Call::of(words) {
        tblgen(call);
    }
    if let [_, first, second] = words
        && first == "--version"
        && second == "--json"
    {
        return version();
    }
    let cli = Cli::parse_from(words);
    let Some(command) = cli.command else {
        to_stderr(format!("odsmith: {}\n", missing()).as_bytes());
        return ExitCode::from(2);
    };
    let done = match command {
        Command::Tblgen { args } => tblgen(Call::new("odsmith tblgen".to_owned(), &args)),
        Command::Generate(options) => options.run(),
        Command::Docs(options) => options.run(),
        Command::Check(options) => options.run(),
        Command::Import(options) => options.run(),
        Command::CmakeShim(options) => options.run(),
        Command::Init(options) => options.run(),
        Command::Schema(options) => options.run(),
        Command::Diff(options) => options.run(),
        Command::Lint(options) => options.run(),
        Command::Upgrade(options) => options.run(),
        Command::Serve(options) => options.run(),
        Command::Lsp(options) => options.run(),
        Command::Library(options) => options.run(),
        Command::Token(options) => options.run(),
        Command::Verify(options) => options.run(),
        Command::Calibrate(options) => options.run(),
        Command::Completions(options) => options.run(),
        Command::Manual(options) => options.run(),
    };
    done.unwrap_or_else(|message| {
        to_stderr(format!("odsmith: {message}\n").as_bytes());
        ExitCode::from(2)
    })
}

/// Explains what this folder lacks, if no command is named.
fn missing() -> String {
    let has_manifest = Path::new(FILE_NAME).exists();
    match crate::pipeline::library::installed(None) {
        _ if has_manifest => {
            format!("a command is missing: `odsmith generate . --out DIR` makes what {FILE_NAME} asks for")
        }
        Err(message) => message,
        Ok(all) if all.is_empty() => {
            "MLIR's .td files are missing: `odsmith library add 22` gets them".to_owned()
        }
        Ok(_) => format!(
            "{FILE_NAME} is missing: `odsmith init` writes one, and `odsmith --help` lists all commands"
        ),
    }
}

/// Prints facts about this program for other programs. The commit is known if `ODSMITH_COMMIT` was set for the build.
fn version() -> ExitCode {
    let libraries = library::described(&crate::pipeline::library::installed(None).unwrap_or_default());
    let value = serde_json::json!({
        "name": "odsmith",
        "version": env!("CARGO_PKG_VERSION"),
        "commit": option_env!("ODSMITH_COMMIT"),
        "build": keys::BUILD,
        "mlir": Release::ALL.iter().map(|release| release.name()).collect::<Vec<_>>(),
        "libraries": libraries,
    });
    let written = stdout().lock().write_all(format!("{value:#}\n").as_bytes());
    written.map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS)
}

fn tblgen(mut call: Call) -> ! {
    match call.server.take() {
        Some(server) => remote::run(server, call),
        None => odsmith_tblgen::run(call, library::for_tblgen),
    }
}
