//! mlir-tblgen's flags, in every spelling that it accepts: on our command line and in manifests.
//!
//! ```text
//! -name  --name  -name=value  -name value     one or two dashes
//! -Idir  -I dir  -I=dir  -DX  -D X  -D=X      the two that take their value without a space
//! --                                          everything after it is an input
//! ```

mod nearest;

use std::fmt;

use odsmith_engine::{
    generators::{Action, GENERATORS, Generator, OPTIONS, Options, is_in_release},
    job::{OnDeprecated, Settings},
    release::Release,
};

use crate::{call::base_name, environment::Environment, library::is_library};

/// The contents of a command line.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// The last action named.
    pub action: Option<Action>,
    /// True if the last action was to do nothing after evaluation.
    pub is_null: bool,
    /// Include folders, in order.
    pub includes: Vec<String>,
    /// Macros, in order.
    pub defines: Vec<String>,
    /// Options of the generators.
    pub options: Options,
    /// Inputs; more than one is an error.
    pub inputs: Vec<String>,
    /// `-o`.
    pub output: Option<String>,
    /// `-d`.
    pub depfile: Option<String>,
    /// `--write-if-changed`.
    pub write_if_changed: bool,
    /// `--on-deprecated`.
    pub on_deprecated: OnDeprecated,
    /// `--color`: whether messages have colours; if absent, a terminal decides.
    pub color: Option<bool>,
    /// True for `--time-phases`.
    pub times_phases: bool,
    /// `--no-warn-on-unused-template-args`.
    pub no_unused_warnings: bool,
    /// `--mlir`: the release to emulate.
    pub mlir: Option<String>,
    /// `--server`: the server that does the work.
    pub server: Option<String>,
    /// `--plugin`: the program that makes what no generator makes.
    pub plugin: Option<String>,
    /// `--template`: the Handlebars file that is filled with the model, in place of a program.
    pub template: Option<String>,
    /// `--each`: the kind of definition that fills it, one after the other.
    pub each: Option<String>,
    /// The words of the flags that choose the output: no files, folders or macros.
    pub output_words: Vec<String>,
    /// The page to print instead of doing the work; the words after its flag are ignored.
    pub page: Option<Page>,
    /// The problems found, in order.
    pub problems: Vec<Problem>,
    /// The number of problems before the first unknown flag that begins like `-h`, which many releases take for it.
    help_at: Option<usize>,
}

/// A page to print instead of doing the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// `--help`.
    Help,
    /// `--version`.
    Version,
}

/// A problem with a flag.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the variants say what their fields are")]
pub enum Problem {
    /// There is no such flag; perhaps another one was meant.
    Unknown { flag: String, nearest: Option<String> },
    /// A one-letter flag was written with its value right after it, but does not accept that form.
    InGroup { name: &'static str },
    /// The value is missing.
    NoValue { name: String },
    /// A generator takes no value.
    NotAllowed { value: String },
    /// The value is not a truth value.
    NotBool { name: String, value: String },
    /// The value is not a number.
    NotUint { name: String, value: String },
    /// The value is not one of the flag's choices.
    NotListed { name: String, value: String },
}

/// The way in which a flag takes its value.
#[derive(Clone, Copy)]
enum Kind {
    /// A value that may also follow directly after the name.
    Prefix,
    Value,
    Uint,
    /// One of several choices.
    OneOf(&'static [&'static str]),
    Switch,
    Action,
    Page(Page),
    /// A value that changes nothing.
    Ignored,
    /// A truth value that changes nothing.
    IgnoredSwitch,
}

/// A flag that is not a generator's own.
pub struct General {
    /// The name without dashes.
    pub name: &'static str,
    /// How `--help` shows the value.
    pub value: Option<&'static str>,
    /// One line for `--help`.
    pub about: &'static str,
    kind: Kind,
}

const fn general(
    name: &'static str,
    value: Option<&'static str>,
    about: &'static str,
    kind: Kind,
) -> General {
    General { name, value, about, kind }
}

/// Every flag that is neither a generator nor a generator's option, by name; our own flags come last.
pub const GENERAL: &[General] = &[
    general("D", Some("macro name"), "Define a macro", Kind::Prefix),
    general("I", Some("directory"), "Add a directory of include files", Kind::Prefix),
    general("asmformat-error-is-fatal", None, "Stop at an error in an assembly format", Kind::Switch),
    general("class", Some("class name"), "Whose defs --print-enums names", Kind::Value),
    general("color", None, "Colour messages (default: where standard error is a terminal)", Kind::Switch),
    general("d", Some("filename"), "Write a dependency file", Kind::Value),
    general("h", None, "The same as --help", Kind::Page(Page::Help)),
    general("help", None, "Show this page", Kind::Page(Page::Help)),
    general("no-warn-on-unused-template-args", None, "Be silent on unused template arguments", Kind::Switch),
    general("o", Some("filename"), "Write there rather than to standard output", Kind::Value),
    general(
        "on-deprecated",
        Some("none|warn|error"),
        "What to do on the use of a deprecated def",
        Kind::OneOf(&["none", "warn", "error"]),
    ),
    general("time-phases", None, "Say on standard error how long each phase took", Kind::Switch),
    general("version", None, "Show the version", Kind::Page(Page::Version)),
    general("write-if-changed", None, "Leave an output alone whose content stays", Kind::Switch),
    general("mlir", Some("release"), "The MLIR release to be like, or a profile (.toml)", Kind::Value),
    general("plugin", Some("file"), "The program of a generator that mlir-tblgen lacks", Kind::Value),
    general(
        "template",
        Some("file"),
        "A Handlebars file over the model, in place of a generator",
        Kind::Value,
    ),
    general("each", Some("kind"), "Fill the template for each operation, or type and so on", Kind::Value),
    general("server", Some("url"), "Have the work done by a server (also ODSMITH_SERVER)", Kind::Value),
    general(
        "persistent_worker",
        None,
        "Answer the requests on standard input, as Bazel's persistent workers do",
        Kind::IgnoredSwitch,
    ),
];

/// Flags that the reference lacks; they are never suggested for a misspelt flag of the reference.
const OWN: &[&str] = &["each", "mlir", "persistent_worker", "plugin", "server", "template"];

/// Flags that the reference lists only under `--help-hidden`. They change no output.
const HIDDEN: &[(&str, Kind)] = &[
    ("crash-diagnostics-dir", Kind::Ignored),
    ("dag-file-location", Kind::Ignored),
    ("debug-counter", Kind::Ignored),
    ("debug-counter-break-on-last", Kind::IgnoredSwitch),
    ("disable-symbolication", Kind::IgnoredSwitch),
    ("help-hidden", Kind::Page(Page::Help)),
    ("help-list", Kind::Page(Page::Help)),
    ("help-list-hidden", Kind::Page(Page::Help)),
    ("info-output-file", Kind::Ignored),
    ("long-string-literals", Kind::IgnoredSwitch),
    ("no-open-dag-viewer", Kind::IgnoredSwitch),
    ("print-all-options", Kind::IgnoredSwitch),
    ("print-debug-counter", Kind::IgnoredSwitch),
    ("print-debug-counter-queries", Kind::IgnoredSwitch),
    ("print-options", Kind::IgnoredSwitch),
    ("rng-seed", Kind::Ignored),
    ("sort-timers", Kind::IgnoredSwitch),
    ("stats", Kind::IgnoredSwitch),
    ("stats-json", Kind::IgnoredSwitch),
    ("track-memory", Kind::IgnoredSwitch),
    ("treat-scalable-fixed-error-as-warning", Kind::IgnoredSwitch),
];

/// The flags for reading and writing, which do not affect the contents of the output.
const OF_PLACES: &[&str] =
    &["D", "I", "d", "each", "mlir", "o", "plugin", "server", "template", "write-if-changed"];

/// The actions that are not generators, with their `--help` line.
pub const DUMPS: &[(&str, &str)] = &[
    ("dump-json", "Print all records as JSON"),
    ("null-backend", "Evaluate only"),
    ("print-detailed-records", "Print all records with types and places"),
    ("print-enums", "Print the names of a class's defs"),
    ("print-records", "Print all records"),
    ("print-sets", "Print the elements of the defs of class Set"),
];

impl Flags {
    /// Reads flags, without the program's name. Errors end up in [`Flags::problems`].
    #[must_use]
    pub fn parse(args: &[String]) -> Flags {
        let mut flags = Flags::default();
        let mut rest = args.iter();
        let mut only_inputs = false;
        while let Some(arg) = rest.next() {
            if only_inputs || arg == "-" || !arg.starts_with('-') {
                flags.inputs.push(arg.clone());
                continue;
            }
            if arg == "--" {
                only_inputs = true;
                continue;
            }
            let start = args.len() - rest.len() - 1;
            if flags.flag(arg, || rest.next().cloned()) {
                flags.output_words.extend_from_slice(&args[start..args.len() - rest.len()]);
            }
            if flags.page.is_some() {
                break;
            }
        }
        flags
    }

    /// Reads one flag, and perhaps the word after it; returns `true` if it chooses the output.
    fn flag(&mut self, arg: &str, next: impl FnOnce() -> Option<String>) -> bool {
        let body = arg.strip_prefix("--").or_else(|| arg.strip_prefix('-')).unwrap_or(arg);
        let (name, value) = match body.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (body, None),
        };
        if let Some((name, kind)) = find(name) {
            self.take(name, kind, value, next);
            return !OF_PLACES.contains(&name);
        }
        match body.chars().next() {
            Some('I') => self.includes.push(body[1..].to_owned()),
            Some('D') => self.defines.push(body[1..].to_owned()),
            first => {
                if first == Some('h') {
                    self.help_at.get_or_insert(self.problems.len());
                }
                self.problems.extend(in_group(name));
                self.problems.push(Problem::Unknown { flag: arg.to_owned(), nearest: None });
                // A plugin may know it.
                self.options.set(name, value.unwrap_or_default());
            }
        }
        false
    }

    fn take(
        &mut self,
        name: &'static str,
        kind: Kind,
        value: Option<String>,
        next: impl FnOnce() -> Option<String>,
    ) {
        match kind {
            Kind::Page(page) => self.page = Some(page),
            Kind::Action => match value {
                Some(value) => self.problems.push(Problem::NotAllowed { value }),
                None => self.act(name),
            },
            Kind::Switch | Kind::IgnoredSwitch => match truth(value.as_deref().unwrap_or("")) {
                Some(is_on) if matches!(kind, Kind::Switch) => self.switch(name, is_on),
                Some(_) => {}
                None => {
                    let value = value.unwrap_or_default();
                    self.problems.push(Problem::NotBool { name: name.to_owned(), value });
                }
            },
            Kind::Prefix | Kind::Value | Kind::Uint | Kind::OneOf(_) | Kind::Ignored => {
                match value.or_else(next) {
                    Some(_) if matches!(kind, Kind::Ignored) => {}
                    Some(value) => self.value(name, kind, value),
                    None => self.problems.push(Problem::NoValue { name: name.to_owned() }),
                }
            }
        }
    }

    fn act(&mut self, name: &'static str) {
        self.is_null = name == "null-backend";
        self.action = match name {
            "print-records" | "null-backend" => Some(Action::PrintRecords),
            "print-detailed-records" => Some(Action::PrintDetailedRecords),
            "dump-json" => Some(Action::DumpJson),
            "print-enums" => Some(Action::PrintEnums(String::new())),
            "print-sets" => Some(Action::PrintSets),
            name => Generator::find(name).map(|generator| Action::Generate(generator, Options::default())),
        };
    }

    fn switch(&mut self, name: &'static str, is_on: bool) {
        match name {
            "write-if-changed" => self.write_if_changed = is_on,
            "no-warn-on-unused-template-args" => self.no_unused_warnings = is_on,
            "color" => self.color = Some(is_on),
            "time-phases" => self.times_phases = is_on,
            name => self.options.set(name, if is_on { "true" } else { "false" }),
        }
    }

    fn value(&mut self, name: &'static str, kind: Kind, value: String) {
        match (name, kind) {
            (_, Kind::Uint) if !is_uint(&value) => {
                self.problems.push(Problem::NotUint { name: name.to_owned(), value });
            }
            (_, Kind::OneOf(list)) if !list.contains(&value.as_str()) => {
                self.problems.push(Problem::NotListed { name: name.to_owned(), value });
            }
            ("I", _) => self.includes.push(value),
            ("D", _) => self.defines.push(value),
            ("o", _) => self.output = Some(value),
            ("d", _) => self.depfile = Some(value),
            ("mlir", _) => self.mlir = Some(value),
            ("server", _) => self.server = Some(value),
            ("plugin", _) => self.plugin = Some(value),
            ("template", _) => self.template = Some(value),
            ("each", _) => self.each = Some(value),
            ("on-deprecated", _) => self.on_deprecated = OnDeprecated::of_flag(&value).unwrap_or_default(),
            (name, _) => self.options.set(name, value),
        }
    }

    /// Returns the generator that no release has, without dashes: a plugin may have it.
    #[must_use]
    pub fn foreign_generator(&self) -> Option<&str> {
        let mut unknown = self.problems.iter().filter_map(|problem| match problem {
            Problem::Unknown { flag, .. } => name_of(flag),
            _ => None,
        });
        unknown.find(|name| is_generator(name))
    }

    /// Takes the flags as those of a plugin: returns its generator, without dashes, and its options. Unknown flags are no
    /// problems any more.
    pub fn take_plugin_flags(&mut self) -> (String, Options) {
        self.problems.retain(|problem| !matches!(problem, Problem::Unknown { .. } | Problem::InGroup { .. }));
        self.help_at = None;
        let all = std::mem::take(&mut self.options);
        let (mut generator, mut options) = (None, Options::default());
        for (name, value) in all.iter() {
            match generator {
                None if is_generator(name) => generator = Some(name.to_owned()),
                _ => options.set(name, value),
            }
        }
        (generator.unwrap_or_default(), options)
    }

    /// Returns true if a release knows all of these flags that any release knows.
    pub(crate) fn are_in(&self, release: Release) -> bool {
        let mut names = self.output_words.iter().filter_map(|word| name_of(word));
        names.all(|name| is_flag_of(name, release))
    }

    /// Returns true if an include folder is a library.
    pub(crate) fn has_library(&self, environment: &Environment) -> bool {
        self.includes.iter().any(|include| is_library(&environment.place(include)))
    }

    /// Reports flags that this release lacks, although another has them. Each unknown flag comes with the nearest flag
    /// of the release.
    pub fn check_release(&mut self, release: Release) {
        self.check_names(release, nearest_known);
    }

    /// Does the same, but chooses the nearest flag as the reference does.
    pub fn check_release_as_reference(&mut self, release: Release) {
        self.check_names(release, nearest::nearest);
    }

    fn check_names(&mut self, release: Release, nearest_of: fn(&str, Release) -> Option<String>) {
        let has_groups = nearest::has_groups(release);
        if let Some(at) = self.help_at.filter(|_| has_groups) {
            self.problems.truncate(at);
            self.page = Some(Page::Help);
        }
        // Problems with the value of an unknown flag are not reported.
        self.problems.retain(|problem| match problem {
            Problem::InGroup { .. } => has_groups,
            Problem::NoValue { name }
            | Problem::NotBool { name, .. }
            | Problem::NotUint { name, .. }
            | Problem::NotListed { name, .. } => is_flag_of(name, release),
            Problem::Unknown { .. } | Problem::NotAllowed { .. } => true,
        });
        for problem in &mut self.problems {
            if let Problem::Unknown { flag, nearest } = problem {
                *nearest = nearest_of(flag, release);
            }
        }
        for word in &self.output_words {
            if let Some(name) = name_of(word)
                && !is_flag_of(name, release)
            {
                self.problems.extend(in_group(name).filter(|_| has_groups));
                self.problems
                    .push(Problem::Unknown { flag: word.clone(), nearest: nearest_of(word, release) });
            }
        }
    }

    /// Returns the settings of evaluation.
    #[must_use]
    pub fn settings(&self) -> Settings {
        Settings {
            includes: self.includes.clone(),
            defines: self.defines.clone(),
            no_unused_warnings: self.no_unused_warnings,
            on_deprecated: self.on_deprecated,
        }
    }

    /// Returns the action with its options, or the default action if none was named.
    #[must_use]
    pub fn into_action(self) -> Action {
        match self.action {
            Some(Action::Generate(generator, _)) => Action::Generate(generator, self.options),
            Some(Action::PrintEnums(_)) => {
                Action::PrintEnums(self.options.get("class").unwrap_or_default().to_owned())
            }
            Some(action) => action,
            None => Action::PrintRecords,
        }
    }
}

/// Returns true for the name of a generator.
fn is_generator(name: &str) -> bool {
    name.starts_with("gen-")
}

/// Returns the name of a flag without dashes and value; `None` if the word is not a flag.
fn name_of(word: &str) -> Option<&str> {
    let body = word.strip_prefix("--").or_else(|| word.strip_prefix('-'))?;
    Some(body.split_once('=').map_or(body, |(name, _)| name))
}

/// Returns the flags that request an action, one word each.
#[must_use]
pub fn of_action(action: &Action) -> Vec<String> {
    let flag = |name: &str| vec![format!("-{name}")];
    match action {
        Action::PrintRecords => flag("print-records"),
        Action::DumpJson => flag("dump-json"),
        Action::PrintDetailedRecords => flag("print-detailed-records"),
        Action::PrintEnums(class) => vec!["-print-enums".to_owned(), format!("-class={class}")],
        Action::PrintSets => flag("print-sets"),
        Action::Generate(generator, options) => {
            let options = options.iter().map(|(name, value)| format!("-{name}={value}"));
            flag(generator.name).into_iter().chain(options).collect()
        }
        Action::Plugin(plugin) => plugin.flags(),
    }
}

fn find(name: &str) -> Option<(&'static str, Kind)> {
    if let Some(flag) = GENERAL.iter().find(|flag| flag.name == name) {
        return Some((flag.name, flag.kind));
    }
    if let Some(generator) = Generator::find(name) {
        return Some((generator.name, Kind::Action));
    }
    if let Some((dump, _)) = DUMPS.iter().find(|(dump, _)| *dump == name) {
        return Some((dump, Kind::Action));
    }
    if let Some((hidden, kind)) = HIDDEN.iter().find(|(hidden, _)| *hidden == name) {
        return Some((hidden, *kind));
    }
    let option = OPTIONS.iter().find(|option| option.name == name)?;
    let kind = match option.value {
        None => Kind::Switch,
        Some("uint") => Kind::Uint,
        Some(_) => Kind::Value,
    };
    Some((option.name, kind))
}

/// Returns the problem with an unknown flag that begins like a one-letter flag.
fn in_group(name: &str) -> Option<Problem> {
    letter_of(name).map(|name| Problem::InGroup { name })
}

/// Returns the one-letter flag that a name begins like.
fn letter_of(name: &str) -> Option<&'static str> {
    ["o", "d"].into_iter().find(|flag| name.starts_with(flag))
}

fn truth(value: &str) -> Option<bool> {
    match value {
        "" | "true" | "TRUE" | "True" | "1" => Some(true),
        "false" | "FALSE" | "False" | "0" => Some(false),
        _ => None,
    }
}

fn is_uint(value: &str) -> bool {
    let number = match value.strip_prefix("0x").or_else(|| value.strip_prefix("0X")) {
        Some(hex) => u32::from_str_radix(hex, 16),
        None => value.parse(),
    };
    number.is_ok() && !value.starts_with('+')
}

/// Splits a text into words as a shell does: white space, both quotes, backslash.
#[must_use]
pub fn words(text: &str) -> Vec<String> {
    split(text, Some('\\'))
}

/// Splits a response file into words. Where backslashes separate folders, a backslash is an ordinary character.
#[must_use]
pub fn response_words(text: &str, separator: char) -> Vec<String> {
    split(text, (separator != '\\').then_some('\\'))
}

fn split(text: &str, escape: Option<char>) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match (char, quote) {
            (char, None | Some('"')) if Some(char) == escape => {
                word.get_or_insert_default().extend(chars.next())
            }
            ('"' | '\'', None) => {
                quote = Some(char);
                word.get_or_insert_default();
            }
            (char, Some(open)) if char == open => quote = None,
            (char, None) if char.is_whitespace() => words.extend(word.take()),
            (char, _) => word.get_or_insert_default().push(char),
        }
    }
    words.extend(word);
    words
}

/// Returns a name with the dashes that messages show.
fn dashed(name: &str) -> String {
    if name.chars().count() == 1 { format!("-{name}") } else { format!("--{name}") }
}

/// Returns the flag of a release with the fewest edits, the first by name among equals; ignored flags do not count.
fn nearest_known(word: &str, release: Release) -> Option<String> {
    let general = GENERAL.iter().map(|flag| flag.name).filter(|name| !OWN.contains(name));
    let generators = GENERATORS.iter().map(|generator| generator.name);
    let options = OPTIONS.iter().map(|option| option.name);
    let dumps = DUMPS.iter().map(|(dump, _)| *dump);
    let all = general.chain(generators).chain(options).chain(dumps);
    let mut known: Vec<&str> = all.filter(|name| is_flag_of(name, release)).collect();
    known.sort_unstable();
    nearest::nearest_of(word, known.into_iter())
}

/// Returns true if a release has a flag that we support.
fn is_flag_of(name: &str, release: Release) -> bool {
    is_in_release(name, &release.rules()) && nearest::is_not_hidden_elsewhere(name, release)
}

fn takes_value(name: &str) -> bool {
    !matches!(find(name), Some((_, Kind::Page(_) | Kind::Action)))
}

impl fmt::Display for Problem {
    /// Writes the message as it appears in the result of a job.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Unknown { flag, nearest: Some(nearest) } => {
                write!(f, "unknown flag '{flag}'; did you mean '{nearest}'?")
            }
            Problem::Unknown { flag, nearest: None } => write!(f, "unknown flag '{flag}'"),
            Problem::InGroup { name } => {
                write!(f, "flag {} takes its value after a space or '='", dashed(name))
            }
            Problem::NoValue { name } => write!(f, "flag {} requires a value", dashed(name)),
            Problem::NotAllowed { value } => write!(f, "a generator takes no value, but '{value}' was given"),
            Problem::NotBool { name, value } => {
                write!(f, "flag {}: '{value}' is not a truth value", dashed(name))
            }
            Problem::NotUint { name, value } => write!(f, "flag {}: '{value}' is not a number", dashed(name)),
            Problem::NotListed { name, value } => {
                write!(f, "flag {}: '{value}' is not a choice", dashed(name))
            }
        }
    }
}

impl Problem {
    /// Returns the message as the reference's command line prints it; `program` is the name that it was called by.
    #[must_use]
    pub fn reference_text(&self, program: &str) -> String {
        let base = base_name(program);
        match self {
            Problem::Unknown { flag, nearest } => {
                let mut text =
                    format!("{base}: Unknown command line argument '{flag}'.  Try: '{program} --help'\n");
                if let Some(nearest) = nearest {
                    text += &format!("{base}: Did you mean '{nearest}'?\n");
                }
                text
            }
            Problem::InGroup { name } => {
                format!("{base}: for the {} option: may not occur within a group!\n", dashed(name))
            }
            Problem::NoValue { name } => {
                format!("{base}: for the {} option: requires a value!\n", dashed(name))
            }
            Problem::NotAllowed { value } => {
                format!("Generator to run option: does not allow a value! '{value}' specified.\n")
            }
            Problem::NotBool { name, value } => format!(
                "{base}: for the {} option: '{value}' is invalid value for boolean argument! Try 0 or 1\n",
                dashed(name)
            ),
            Problem::NotUint { name, value } => {
                format!(
                    "{base}: for the {} option: '{value}' value invalid for uint argument!\n",
                    dashed(name)
                )
            }
            Problem::NotListed { name, value } => {
                format!("{base}: for the {} option: Cannot find option named '{value}'!\n", dashed(name))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Flags {
        Flags::parse(&line.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn spellings_of_prefix_flags() {
        let flags = parse("-Ia -I b -I=c --Id --I e -DX -D Y --D=Z x.td");
        assert_eq!(flags.includes, ["a", "b", "c", "d", "e"]);
        assert_eq!(flags.defines, ["X", "Y", "Z"]);
        assert_eq!(flags.inputs, ["x.td"]);
        assert!(flags.problems.is_empty());
    }

    #[test]
    fn last_action_wins() {
        assert!(matches!(parse("-dump-json --print-records").into_action(), Action::PrintRecords));
        assert!(matches!(parse("--print-records -dump-json").into_action(), Action::DumpJson));
    }

    #[test]
    fn unknown_names_the_nearest() {
        let mut flags = parse("--print-recods");
        flags.check_release(Release::default());
        let nearest = Some("--print-records".to_owned());
        assert_eq!(flags.problems, [Problem::Unknown { flag: "--print-recods".into(), nearest }]);
    }

    /// Two dashes precede more than one letter, and the value is included if the flag takes one.
    #[test]
    fn the_nearest_has_its_value() {
        for (word, text) in
            [("--xD=3", "--D=3"), ("--gen-op-declss=3", "--gen-op-decls"), ("-prefixx=a", "--prefix=a")]
        {
            assert_eq!(nearest_known(word, Release::default()).as_deref(), Some(text));
        }
    }

    /// Hidden options, ties, releases, and values that are empty or not allowed.
    #[test]
    fn the_nearest_of_a_release() {
        for (word, release, text) in [
            ("--no-such-option", Release::V22, "--print-options"),
            ("--no-such-option", Release::V13, "--print-options"),
            ("--allow-hugo-specific-features", Release::V17, "--llvmir-intrinsics-filter"),
            ("--gen-bytecode", Release::V16, "--gen-op-decls"),
            ("--verify-openmp-ops", Release::V18, "--print-options"),
            ("---gen-op-declz=", Release::V23, "--gen-op-decls"),
            ("-Qelp-list=q", Release::V21, "--help-list"),
            ("--Qh=2", Release::V13, "--D=2"),
            ("--Qh=2", Release::V19, "--o=2"),
            ("--Qh=2", Release::V22, "--d=2"),
            ("--Qh", Release::V22, "-h"),
            ("--Q=", Release::V14, "-D"),
            ("--statz=1", Release::V15, "--stats=1"),
        ] {
            assert_eq!(nearest::nearest(word, release).as_deref(), Some(text), "{word} {release:?}");
        }
    }

    #[test]
    fn flags_of_a_plugin() {
        let mut flags = parse("-gen-mine -o x --own=1 -dialect=d -deep -help-me x.td");
        assert_eq!(flags.foreign_generator(), Some("gen-mine"));
        let (generator, options) = flags.take_plugin_flags();
        assert_eq!(generator, "gen-mine");
        let all: Vec<_> = options.iter().collect();
        assert_eq!(all, [("own", "1"), ("dialect", "d"), ("deep", ""), ("help-me", "")]);
        flags.check_release_as_reference(Release::V19);
        assert!(flags.problems.is_empty() && flags.page.is_none(), "{:?}", flags.problems);
        assert_eq!(parse("-gen-op-decls --plugin p -q").foreign_generator(), None);
    }

    #[test]
    fn hidden_flags_are_taken_by_their_releases() {
        let mut flags = parse("--print-options --stats=0 --rng-seed 3 --print-debug-counter-queries x.td");
        assert_eq!((flags.inputs.len(), flags.problems.len()), (1, 0));
        flags.check_release(Release::V22);
        assert!(flags.problems.is_empty());
        flags.check_release(Release::V19);
        assert!(matches!(&flags.problems[..], [Problem::Unknown { .. }]));
        let mut flags = parse("--gen-op-decls --treat-scalable-fixed-error-as-warning=maybe");
        flags.check_release(Release::V22);
        assert!(matches!(&flags.problems[..], [Problem::Unknown { .. }]));
    }

    /// As in the reference: the one-letter flag `-o` is found first.
    #[test]
    fn what_begins_like_a_letter_is_taken_for_it() {
        let mut flags = parse("-op-shard-countx=3");
        flags.check_release(Release::default());
        assert!(flags.problems[1].to_string().ends_with("did you mean '--op-shard-count=3'?"));
        flags.check_release_as_reference(Release::default());
        assert!(flags.problems[1].reference_text("p").ends_with("p: Did you mean '-o'?\n"));
    }

    #[test]
    fn behind_two_dashes_all_are_inputs() {
        assert_eq!(parse("-- -x a").inputs, ["-x", "a"]);
    }

    #[test]
    fn an_action_is_what_its_flags_say() {
        for line in ["-dump-json", "-print-enums -class=A", "-gen-dialect-decls -dialect=x", "-print-sets"] {
            assert_eq!(of_action(&parse(line).into_action()).join(" "), line);
        }
    }

    #[test]
    fn words_of_the_output() {
        let flags = parse("-I a -gen-dialect-decls --dialect x -DM -o y --server=u --op-shard-count=2 -- -z");
        assert_eq!(flags.output_words, ["-gen-dialect-decls", "--dialect", "x", "--op-shard-count=2"]);
        assert_eq!(flags.server.as_deref(), Some("u"));
        assert!(flags.problems.is_empty());
    }

    #[test]
    fn help_ends_the_reading() {
        let flags = parse("--nonsense --help --more-nonsense");
        assert_eq!(flags.page, Some(Page::Help));
        assert_eq!(flags.problems.len(), 1);
    }

    #[test]
    fn unknown_flags_that_begin_like_one_letter_flags() {
        let text_of = |words: &str, release| {
            let mut flags = parse(words);
            flags.check_release_as_reference(release);
            let problems = flags.problems.iter().map(|problem| problem.reference_text("x"));
            (flags.page, problems.collect::<String>())
        };
        let try_help = "Try: 'x --help'\n";
        let (page, text) = text_of("-dialekt -helps", Release::V23);
        assert_eq!(page, Some(Page::Help));
        let expected = "x: for the -d option: may not occur within a group!\n\
                        x: Unknown command line argument '-dialekt'.  ";
        assert_eq!(text, format!("{expected}{try_help}x: Did you mean '-d'?\n"));
        let (page, text) = text_of("-dialekt -helps", Release::V24);
        assert_eq!(page, None);
        let unknown = |flag, near| {
            format!("x: Unknown command line argument '{flag}'.  {try_help}x: Did you mean '{near}'?\n")
        };
        assert_eq!(text, unknown("-dialekt", "--dialect") + &unknown("-helps", "--help"));
    }

    #[test]
    fn words_of_response_files() {
        let text = "-I include\\foo \"C:\\a b\\x.td\"";
        assert_eq!(response_words(text, '\\'), ["-I", "include\\foo", "C:\\a b\\x.td"]);
        assert_eq!(response_words(text, '/'), ["-I", "includefoo", "C:a bx.td"]);
    }

    #[test]
    fn shell_words() {
        assert_eq!(words("-I a\n\"b c\" 'd\\' e\\ f \"\""), ["-I", "a", "b c", "d\\", "e f", ""]);
    }
}
