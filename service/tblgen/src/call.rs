//! The command line of a call, read before anything is done.

use std::{
    env,
    fmt::Write as _,
    fs,
    io::{self, Read},
    path::{MAIN_SEPARATOR, Path, PathBuf, is_separator},
    sync::Arc,
};

use odsmith_engine::{
    generators::{Action, Options, Plugin},
    release::{Release, Rules},
    report::text::Style,
};

use crate::{
    Failure,
    disk::{self, STDIN},
    environment::Environment,
    flags::{self, Flags},
    library::{self, Finder},
    pages, profile,
};

/// Returns the words of the command line.
#[must_use]
pub fn words() -> Vec<String> {
    env::args_os().map(|word| word.to_string_lossy().into_owned()).collect()
}

/// Returns the name of a program without its folder.
pub(crate) fn base_name(program: &str) -> &str {
    program.rsplit(is_separator).next().unwrap_or(program)
}

/// Returns true if a program is called by the reference's name (through a link, say), so that its words are flags.
#[must_use]
pub fn is_reference_name(program: &str) -> bool {
    base_name(program).starts_with("mlir-tblgen")
}

/// The flag that makes a process answer one request after the other, as Bazel's persistent workers do.
pub const WORKER_FLAG: &str = "--persistent_worker";

/// The command line of a persistent worker.
pub struct WorkerCall {
    /// The name of the program in messages.
    pub program: String,
    /// The words that each request begins with.
    pub words: Vec<String>,
}

impl WorkerCall {
    /// Recognises a call of `odsmith tblgen`, or by the reference's name, with the flag of a worker.
    #[must_use]
    pub fn of(words: &[String]) -> Option<WorkerCall> {
        if !words.iter().any(|word| word == WORKER_FLAG) {
            return None;
        }
        let words: Vec<String> = words.iter().filter(|word| *word != WORKER_FLAG).cloned().collect();
        let Call { program, .. } = Call::of(&words)?;
        let args = if is_reference_name(&words[0]) { 1 } else { 2 };
        Some(WorkerCall { program, words: words[args..].to_vec() })
    }
}

/// The name of manifests.
const MANIFEST: &str = "odsmith.toml";

/// The plugin that a call asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestedPlugin<'c> {
    /// The program at this path.
    At(&'c str),
    /// The template at this path.
    Template {
        /// Its path.
        path: &'c str,
        /// The kind of definition that fills it, one after the other.
        each: Option<&'c str>,
    },
    /// The plugin that has this generator.
    Of(&'c str),
}

/// A command line for mlir-tblgen.
pub struct Call {
    /// The name of the program in messages.
    pub program: String,
    /// The value of `--server`, or of its environment variable: the server that does the work.
    pub server: Option<String>,
    /// The plugin that makes the output.
    pub plugin: Option<PluginCall>,
    flags: Flags,
}

/// The plugin of a call.
#[derive(Clone, Debug)]
pub struct PluginCall {
    /// Makes the output.
    pub plugin: Arc<dyn Plugin>,
    /// The files that it is made of, for a build.
    pub files: Vec<String>,
}

impl Call {
    /// Recognises `odsmith tblgen …`, and any call by the reference's name.
    #[must_use]
    pub fn of(words: &[String]) -> Option<Self> {
        let (program, args) = words.split_first()?;
        if is_reference_name(program) {
            return Some(Self::new(program.clone(), args));
        }
        let (first, args) = args.split_first()?;
        (first == "tblgen").then(|| Self::new(format!("{program} tblgen"), args))
    }

    /// Creates a call of `program` with these words, in which response files are expanded.
    #[must_use]
    pub fn new(program: String, args: &[String]) -> Self {
        let mut flags = Flags::parse(&with_response_files(args));
        for name in flags.includes.iter_mut().chain(&mut flags.inputs) {
            *name = disk::slashed(name, MAIN_SEPARATOR);
        }
        let server = flags.server.take().or_else(|| variable("ODSMITH_SERVER"));
        Self { program, server, plugin: None, flags }
    }

    /// Returns the plugin that the call asks for. With `--plugin` or `--template` that is for a generator which mlir-tblgen lacks, or
    /// for no generator at all; without it for such a generator alone, which an `odsmith.toml` may know.
    #[must_use]
    pub fn requested_plugin(&self) -> Option<RequestedPlugin<'_>> {
        let generator = self.flags.foreign_generator();
        let Flags { plugin, template, each, action, .. } = &self.flags;
        let named = plugin.as_deref().map(RequestedPlugin::At);
        let of_template = |path| RequestedPlugin::Template { path, each: each.as_deref() };
        match named.or(template.as_deref().map(of_template)) {
            Some(named) => Some(named).filter(|_| generator.is_some() || action.is_none()),
            None => generator.map(RequestedPlugin::Of),
        }
    }

    /// Returns true if another program must say which plugin is meant: this one runs none.
    #[must_use]
    pub fn is_for_plugin(&self) -> bool {
        match self.requested_plugin() {
            Some(RequestedPlugin::At(_) | RequestedPlugin::Template { .. }) => true,
            Some(RequestedPlugin::Of(_)) => self.manifest(Path::new("")).is_some(),
            None => false,
        }
    }

    /// Returns the manifest that may know a plugin: the nearest `odsmith.toml` above the root, or else above the working
    /// directory. The paths of the call begin at `folder`.
    #[must_use]
    pub fn manifest(&self, folder: &Path) -> Option<PathBuf> {
        let above = |place: &Path| {
            let place = fs::canonicalize(place).ok()?;
            let mut all = place.ancestors().map(|folder| folder.join(MANIFEST));
            all.find(|path| path.is_file())
        };
        let root = self.flags.inputs.first().and_then(|root| above(&folder.join(root)));
        root.or_else(|| above(if folder.as_os_str().is_empty() { Path::new(".") } else { folder }))
    }

    /// Returns the generator and the options of a plugin. After this, flags that mlir-tblgen lacks are no problems.
    pub fn take_plugin_flags(&mut self) -> (String, Options) {
        self.flags.take_plugin_flags()
    }
}

/// A call whose flags and root have been read.
pub struct PreparedCall {
    /// The flags, without root and output.
    pub flags: Flags,
    /// The root's path, as given.
    pub input: String,
    /// The root's bytes.
    pub bytes: Arc<[u8]>,
    /// The output's path; `-` is standard output.
    pub output: String,
    /// The style of messages.
    pub style: Style,
    /// The rules to follow.
    pub rules: Rules,
    /// True if the user named the release or a profile.
    pub is_release_named: bool,
    /// True if the user was warned that the library is of another release.
    pub is_cautioned: bool,
    /// The files that a plugin is made of.
    pub plugin_files: Vec<String>,
}

impl PreparedCall {
    /// Checks the flags and reads the root. Returns `None` if a page such as `--help` was printed instead.
    ///
    /// # Errors
    /// A flag is wrong, or the root cannot be read.
    pub fn read(
        environment: &Environment,
        call: Call,
        find_library: Finder,
    ) -> Result<Option<Self>, Failure> {
        let Call { program, plugin, mut flags, .. } = call;
        let program = &*program;
        let mut plugin_files = Vec::new();
        if let Some(PluginCall { plugin, files }) = plugin {
            flags.action = Some(Action::Plugin(plugin));
            plugin_files = files;
        }
        let named =
            flags.mlir.take().or_else(|| variable("ODSMITH_MLIR")).map(|name| profile::rules_of(&name));
        let named = named.transpose().map_err(|message| Failure(format!("{program}: {message}\n")))?;
        let read_as = if named.is_none() { library::read_as(environment, &flags.includes) } else { None };
        let cautions = read_as.as_ref().and_then(|(folder, it)| Some((*folder, it.caution.as_ref()?)));
        let caution = cautions.map(|(folder, caution)| format!("{program}: warning: '{folder}' {caution}\n"));
        let mut rules = named.or(read_as.map(|(_, it)| it.release.rules()));
        if rules.is_none() && !flags.are_in(Release::default()) && !flags.has_library(environment) {
            // Another release may know these flags: take the release of the library that is found.
            if let Ok(found) = find_library(None) {
                rules = Some(found.release.rules());
                flags.includes.push(found.include);
            }
        }
        let rules = rules.unwrap_or_default();
        let release = rules.release();
        flags.check_release_as_reference(release);
        let mut problems: String =
            flags.problems.iter().map(|problem| problem.reference_text(program)).collect();
        if let Some(page) = flags.page {
            environment.to_stderr(problems.as_bytes());
            let text = pages::text(page, program, release);
            return environment.to_stdout(text.as_bytes()).map(|()| None);
        }
        let is_cautioned = caution.is_some();
        environment.to_stderr(caution.unwrap_or_default().as_bytes());
        if flags.inputs.len() > 1 {
            let base = base_name(program);
            let _ = writeln!(
                problems,
                "{base}: Too many positional arguments specified!\n\
                 Can specify at most 1 positional arguments: See: {program} --help"
            );
        }
        if !problems.is_empty() {
            return Err(Failure(problems));
        }
        let input = flags.inputs.pop().unwrap_or_else(|| "-".to_owned());
        let (input, bytes) = read_input(environment, &input).map_err(|error| {
            Failure(format!("{program}: Could not open input file '{input}': {}\n", disk::reason(&error)))
        })?;
        let output = flags.output.take().unwrap_or_else(|| "-".to_owned());
        let style = match flags.color.unwrap_or_else(|| environment.is_terminal()) {
            true => Style::Coloured,
            false => Style::Plain,
        };
        let is_release_named = named.is_some();
        Ok(Some(Self {
            flags,
            input,
            bytes,
            output,
            style,
            rules,
            is_release_named,
            is_cautioned,
            plugin_files,
        }))
    }
}

/// Returns the value of the environment variable that replaces a flag.
fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

fn read_input(environment: &Environment, input: &str) -> io::Result<(String, Arc<[u8]>)> {
    if input == "-" {
        if environment.is_captured() {
            return Err(io::Error::other("a worker has no standard input"));
        }
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        return Ok((STDIN.to_owned(), bytes.into()));
    }
    Ok((input.to_owned(), fs::read(environment.place(input))?.into()))
}

/// Replaces each `@file` by the words in it; if the file cannot be read, the argument stays.
fn with_response_files(args: &[String]) -> Vec<String> {
    let mut all = Vec::with_capacity(args.len());
    for arg in args {
        match arg.strip_prefix('@').and_then(|file| fs::read_to_string(file).ok()) {
            Some(text) => all.extend(flags::response_words(&text, MAIN_SEPARATOR)),
            None => all.push(arg.clone()),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls() {
        let of = |words: &str| Call::of(&words.split(' ').map(str::to_owned).collect::<Vec<_>>());
        let call = of("/bin/odsmith tblgen -I x --server u y.td").expect("a call");
        assert_eq!((call.program.as_str(), call.server.as_deref()), ("/bin/odsmith tblgen", Some("u")));
        assert_eq!((call.flags.includes, call.flags.inputs), (vec!["x".to_owned()], vec!["y.td".to_owned()]));
        assert_eq!(of("/bin/mlir-tblgen-22 y.td").expect("a call").flags.inputs, ["y.td"]);
        assert!(of("odsmith docs tblgen").is_none() && of("odsmith").is_none());
    }
}
