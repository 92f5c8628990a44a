//! The subcommands, one file each.

pub mod check;
pub mod diff;
pub mod docs;
pub mod generate;
pub mod library;
mod remote;
pub mod serve;
pub mod token;
pub mod verify;
mod watch;

use std::{
    fs,
    io::{IsTerminal, Write, stderr},
    num::NonZero,
    path::{Path, PathBuf},
    process::ExitCode,
    thread,
    time::Instant,
};

use clap::{Args, Parser, Subcommand};
use odsmith_engine::{
    artefact::Artefact,
    bundle::Bundle,
    cancel::Cancel,
    diagnostic::Severity,
    limits::Limits,
    parallel::{self, Spare},
    release::Release,
    report::{Report, text},
};
use odsmith_site::Out;
use odsmith_tblgen::Call;

use crate::{
    archive::{self, Format},
    automatic::outputs::Wanted,
    disk,
    generate::{Finished, Request},
    jobs::Pool,
    library::{AUTOMATIC, Libraries, Named},
    manifest::{FILE_NAME, Manifest},
    progress,
};

/// MLIR TableGen definitions in; generated C++ and a dialect reference out.
#[derive(Debug, Parser)]
#[command(name = "odsmith", version, about)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
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
    /// Say what a change of definitions breaks, and for whom
    Diff(Box<diff::Options>),
    /// Serve all of this over HTTP
    Serve(serve::Options),
    /// Find MLIR's .td files of each release, and get more
    Library(library::Options),
    /// Make a token for clients of a server
    Token(token::Options),
    /// Check where a file of a result comes from, and make it again
    Verify(verify::Options),
}

/// Where the `.td` library comes from.
#[derive(Clone, Debug, Default, Args)]
pub struct LibraryOptions {
    /// Include folder of an MLIR release: `22=/path/to/include`, or the path alone; may be repeated
    #[arg(long, value_name = "[RELEASE=]DIR")]
    library: Vec<Named>,
}

impl LibraryOptions {
    /// The libraries, or only that of a release.
    fn load(&self, release: Option<&str>) -> Result<Libraries, String> {
        let only = release.filter(|name| *name != AUTOMATIC).map(Release::parse).transpose()?;
        Libraries::load(&self.library, only)
    }
}

/// A bundle, and what to change in its manifest.
#[derive(Clone, Debug, Args)]
pub struct Input {
    /// A folder, or an archive (.tar.gz, .tar.zst, .zip, .tar)
    input: PathBuf,
    /// Include folders, below the bundle's root
    #[arg(short = 'I', long = "include", value_name = "DIR")]
    includes: Vec<String>,
    /// Macros
    #[arg(short = 'D', long = "define", value_name = "MACRO")]
    defines: Vec<String>,
    /// The site's title
    #[arg(long)]
    title: Option<String>,
    /// Where a source line can be seen: an address with {path} and {line}
    #[arg(long, value_name = "URL")]
    source_url: Option<String>,
    /// MLIR release to be like; `auto` is that of the library, and `generate` takes several: `22,23`
    #[arg(long, env = "ODSMITH_MLIR", value_name = "RELEASE")]
    mlir: Option<String>,
    #[command(flatten)]
    library: LibraryOptions,
}

impl Input {
    fn bundle(&self) -> Result<Bundle, String> {
        read_bundle(&self.input)
    }

    /// The library of the release that is asked for, here or by the bundle.
    fn libraries(&self, bundle: &Bundle) -> Result<Libraries, String> {
        let own = bundle.get(FILE_NAME).and_then(|bytes| Manifest::from_toml(bytes).ok()?.mlir);
        self.library.load(self.mlir.as_deref().or(own.as_deref()))
    }

    /// Runs everything on a thread with a big stack, and prints the messages. The files of the site go into a folder
    /// as they are made, or else into the result.
    fn run(
        &self,
        wanted: Wanted,
        change: impl FnOnce(&mut Manifest),
        pages: Option<Folder>,
    ) -> Result<Finished, String> {
        let progress = Progress::start();
        progress.say("reading the library and the bundle");
        let bundle = self.bundle()?;
        let libraries = self.libraries(&bundle)?;
        progress.say(&format!("evaluating and generating from {} files", bundle.len()));
        self.run_with(&libraries, bundle, wanted, change, pages)
    }

    /// The same with a library and a bundle that have been read.
    fn run_with(
        &self,
        libraries: &Libraries,
        bundle: Bundle,
        wanted: Wanted,
        change: impl FnOnce(&mut Manifest),
        pages: Option<Folder>,
    ) -> Result<Finished, String> {
        let mut request = Request::new(libraries, bundle, None, |manifest| {
            manifest.mlir = self.mlir.clone().or(manifest.mlir.take());
            manifest.includes.extend(self.includes.iter().cloned());
            manifest.defines.extend(self.defines.iter().cloned());
            if let Some(title) = &self.title {
                manifest.docs.title = Some(title.clone());
            }
            if let Some(url) = &self.source_url {
                manifest.docs.source_url = Some(url.clone());
            }
            change(manifest);
            Ok(())
        })?;
        request.wanted = wanted;
        let pool = Pool::new(1, 1).map_err(|error| error.to_string())?;
        let finished = pool.wait(move || {
            let run = |pages: Option<&Out<'_>>| {
                let limits = Limits::generous();
                request.run(&limits, &progress::Progress::new(&limits, Cancel::new()), parallelism(), pages)
            };
            match pages {
                None => (run(None), Ok(())),
                Some(Folder { at, place }) => disk::write_while(&at, |out| {
                    let placed = |mut file: Artefact| {
                        file.path = place(&file.path)?;
                        Some(file)
                    };
                    run(Some(&|files: Vec<Artefact>| out(files.into_iter().filter_map(placed).collect())))
                }),
            }
        });
        let (finished, written) =
            finished.map_err(|_| "the job ended in a way that it never should".to_owned())?;
        print_messages(finished.result.all_diagnostics());
        written.map(|()| finished)
    }
}

/// The bundle that a folder or an archive is.
fn read_bundle(place: &Path) -> Result<Bundle, String> {
    if place.is_dir() {
        return disk::bundle(place);
    }
    let wrong = |reason: String| format!("{}: {reason}", place.display());
    let bytes = fs::read(place).map_err(|error| wrong(disk::reason(&error)))?;
    read_archive(&bytes).map_err(wrong)
}

/// The bundle that an archive is.
fn read_archive(bytes: &[u8]) -> Result<Bundle, String> {
    // On one's own machine an archive may be as large as it is.
    let limits = archive::Limits {
        body_bytes: u64::MAX,
        unpacked_bytes: 4 << 30,
        file_bytes: 1 << 30,
        entries: 1_000_000,
        ..archive::Limits::default()
    };
    archive::read(bytes, &limits).map_err(|refusal| refusal.to_string())
}

/// Where the files of a site are written while others are made.
struct Folder {
    at: PathBuf,
    /// The place below it of a file of the archive, if it goes there.
    place: fn(&str) -> Option<String>,
}

impl Folder {
    /// A folder; none if the name is an archive's, which is written as a whole.
    fn new(out: &Path, place: fn(&str) -> Option<String>) -> Option<Folder> {
        archive_of(out).is_none().then(|| Folder { at: out.to_owned(), place })
    }
}

/// The archive that a name is one's of.
fn archive_of(out: &Path) -> Option<Format> {
    out.to_str().and_then(Format::of_name)
}

/// Lines that show a watching person what takes so long; silent when not watched.
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

fn print_messages<'r>(reports: impl Iterator<Item = &'r Report>) {
    let mut lines = Vec::new();
    reports.for_each(|report| text::render(report, &mut lines));
    to_stderr(&lines);
}

fn has_error<'r>(mut reports: impl Iterator<Item = &'r Report>) -> bool {
    reports.any(|report| report.severity == Severity::Error)
}

fn to_stderr(bytes: &[u8]) {
    // There is nowhere left to complain to.
    let _ = stderr().lock().write_all(bytes);
}

/// How many threads may do the work.
fn parallelism() -> NonZero<usize> {
    thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

/// Writes files into a folder, or into an archive if the name is one's.
fn write_out(out: &Path, files: &std::collections::BTreeMap<String, Vec<u8>>) -> Result<(), String> {
    if let Some(format) = archive_of(out) {
        return disk::write(out, &archive::write(format, files));
    }
    let files: Vec<_> = files.iter().collect();
    // From both ends: threads that make files in one folder would wait for each other.
    let spare = Spare::new(parallelism().get() - 1);
    let written =
        parallel::map_on(&spare, &files, |(path, bytes)| disk::write(&disk::place(out, path), bytes));
    written.into_iter().collect()
}

/// Runs the command line.
#[must_use]
pub fn main(words: &[String]) -> ExitCode {
    if let Some(call) = Call::of(words) {
        tblgen(call);
    }
    let cli = Cli::parse_from(words);
    let done = match cli.command {
        Command::Tblgen { args } => tblgen(Call::new("odsmith tblgen".to_owned(), &args)),
        Command::Generate(options) => options.run(),
        Command::Docs(options) => options.run(),
        Command::Check(options) => options.run(),
        Command::Diff(options) => options.run(),
        Command::Serve(options) => options.run(),
        Command::Library(options) => options.run(),
        Command::Token(options) => options.run(),
        Command::Verify(options) => options.run(),
    };
    done.unwrap_or_else(|message| {
        to_stderr(format!("odsmith: {message}\n").as_bytes());
        ExitCode::from(2)
    })
}

fn tblgen(mut call: Call) -> ! {
    match call.server.take() {
        Some(server) => remote::run(server, call),
        None => odsmith_tblgen::run(call),
    }
}
