//! The texts of commands for people: messages, closing lines and progress.
//!
//! Standard output has lists, findings and what programs read; standard error has messages, warnings, progress and the
//! closing line.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    fmt::Write as _,
    io::{self, IsTerminal, Write, stderr, stdout},
    sync::{Mutex, OnceLock, PoisonError, mpsc},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use odsmith_engine::{
    diagnostic::Id,
    report::{
        Finding, Severity,
        text::{self, Style},
    },
};

pub(super) use odsmith_engine::report::text::counted;

use super::options::{ColorChoice, DisplayOptions};
use crate::{pipeline::progress::Counts, store::disk};

/// The most notes of one run without `-v`.
const MOST_NOTES: usize = 20;
/// The most places of one kind that have a line each without `-v`.
const MOST_PLACES: usize = 3;

/// The choices of the command line.
static CHOICES: OnceLock<DisplayOptions> = OnceLock::new();

/// Sets the choices, once.
pub(super) fn set(options: DisplayOptions) {
    // A second call changes nothing.
    let _ = CHOICES.set(options);
}

fn choices() -> DisplayOptions {
    CHOICES.get().copied().unwrap_or_default()
}

/// Returns true if only errors and findings are wanted.
pub(super) fn is_quiet() -> bool {
    choices().quiet
}

/// Returns true if all notes are wanted.
pub(super) fn is_verbose() -> bool {
    choices().verbose > 0
}

/// Returns true if files and times are wanted.
pub(super) fn is_very_verbose() -> bool {
    choices().verbose > 1
}

/// Returns the style of texts on standard error.
pub(super) fn style() -> Style {
    let is_terminal = stderr().is_terminal();
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty());
    match is_coloured(choices().color, is_terminal, &variable) {
        true => Style::Coloured,
        false => Style::Plain,
    }
}

/// Decides on colours: the flag, then the environment, then the terminal.
fn is_coloured(
    choice: ColorChoice,
    is_terminal: bool,
    variable: &dyn Fn(&'static str) -> Option<std::ffi::OsString>,
) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if variable("NO_COLOR").is_some() => false,
        ColorChoice::Auto if variable("CLICOLOR_FORCE").is_some_and(|value| value != "0") => true,
        ColorChoice::Auto => is_terminal && variable("TERM").is_none_or(|term| term != "dumb"),
    }
}

/// Prints a text to standard output. A closed pipe ends it quietly.
pub(super) fn print(text: &str) -> Result<(), String> {
    match stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("standard output: {}", disk::reason(&error)))
        }
        _ => Ok(()),
    }
}

/// Writes bytes to standard error.
pub(super) fn to_stderr(bytes: &[u8]) {
    // No other stream is left for the error.
    let _ = stderr().lock().write_all(bytes);
}

/// Prints an error; lines after the first may begin with `help: `.
pub(super) fn error(message: &str) {
    labelled("error", "\x1b[0;1;31m", message);
}

/// Prints a warning, unless only errors are wanted.
pub(super) fn warning(message: &str) {
    if !is_quiet() {
        labelled("warning", "\x1b[0;1;35m", message);
    }
}

/// Prints a note, unless only errors are wanted.
pub(super) fn note(message: &str) {
    if !is_quiet() {
        labelled("note", "\x1b[0;1;34m", message);
    }
}

/// Prints a note, unless it was printed already.
pub(super) fn note_once(message: &str) {
    static PRINTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    if PRINTED.lock().unwrap_or_else(PoisonError::into_inner).insert(message.to_owned()) {
        note(message);
    }
}

fn labelled(label: &str, colour: &str, message: &str) {
    let text = match style() {
        Style::Plain => format!("{label}: {message}\n"),
        Style::Coloured => {
            let message = message.replace("\nhelp: ", "\n\x1b[0;1;36mhelp: \x1b[0m");
            format!("{colour}{label}: \x1b[0m{message}\n")
        }
    };
    to_stderr(text.as_bytes());
}

/// Prints the closing line, unless only errors are wanted.
pub(super) fn closing(line: &str) {
    if !is_quiet() {
        to_stderr(format!("{line}\n").as_bytes());
    }
}

/// Prints a line with details, if `-vv` asks for them.
pub(super) fn detail(line: impl FnOnce() -> String) {
    if is_very_verbose() {
        to_stderr(format!("{}\n", line()).as_bytes());
    }
}

/// Prints warnings and notes that are lines already, at most [`MOST_NOTES`] without `-v`. Returns how many were not
/// printed.
pub(super) fn lines(lines: &[String]) -> usize {
    let most = match choices() {
        DisplayOptions { quiet: true, .. } => 0,
        DisplayOptions { verbose: 0, .. } => MOST_NOTES,
        _ => usize::MAX,
    };
    let text: String = lines.iter().take(most).map(|line| format!("{line}\n")).collect();
    to_stderr(text.as_bytes());
    lines.len().saturating_sub(most)
}

/// Prints lines of some kinds in the same way. Without `-v`, a kind with many lines has one.
pub(super) fn grouped_lines(all: Vec<(String, String)>) -> usize {
    let (shown, hidden) =
        if is_verbose() { (all.into_iter().map(|(_, line)| line).collect(), 0) } else { grouped(all) };
    hidden + lines(&shown)
}

fn grouped(all: Vec<(String, String)>) -> (Vec<String>, usize) {
    let mut of_kind: BTreeMap<String, usize> = BTreeMap::new();
    for (kind, _) in &all {
        *of_kind.entry(kind.clone()).or_default() += 1;
    }
    let count = all.len();
    let mut shown = Vec::new();
    for (kind, line) in all {
        match of_kind.get(&kind).copied().unwrap_or_default() {
            0 => {}
            few if few <= MOST_PLACES => shown.push(line),
            many => {
                shown.push(format!("{line} (and {} more places)", many - 1));
                of_kind.insert(kind, 0);
            }
        }
    }
    let hidden = count - shown.len();
    (shown, hidden)
}

/// Prints messages in the reference's form. Without `-v`, a kind of warning or note with many places has one line, and
/// there are at most [`MOST_NOTES`]. Returns how many were not printed.
pub(super) fn messages<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> usize {
    let all: Vec<&Finding> = findings.into_iter().collect();
    let mut text = Vec::new();
    let hidden = render(&all, (is_quiet(), is_verbose()), style(), &mut text);
    to_stderr(&text);
    hidden
}

fn render(all: &[&Finding], (is_quiet, is_verbose): (bool, bool), style: Style, out: &mut Vec<u8>) -> usize {
    let mut of_kind: BTreeMap<(Severity, String), usize> = BTreeMap::new();
    for finding in all {
        *of_kind.entry((finding.severity, kind(finding))).or_default() += 1;
    }
    let mut notes = 0;
    let mut hidden = 0;
    for finding in all {
        if finding.severity == Severity::Error || is_verbose {
            write_finding(finding, style, out);
            continue;
        }
        let count = of_kind.get_mut(&(finding.severity, kind(finding)));
        let count =
            count.map(|count| std::mem::replace(count, if *count > MOST_PLACES { 0 } else { *count }));
        let count = count.unwrap_or_default();
        if is_quiet || notes == MOST_NOTES || count == 0 {
            hidden += 1;
            continue;
        }
        notes += 1;
        if count <= MOST_PLACES {
            write_finding(finding, style, out);
            continue;
        }
        let mut message = finding.message.clone();
        // Writing to a string cannot fail.
        let _ = write!(message, " (and {} more places)", count - 1);
        write_finding(&Finding { message, related: Vec::new(), ..(*finding).clone() }, style, out);
    }
    hidden
}

fn write_finding(finding: &Finding, style: Style, out: &mut Vec<u8>) {
    text::render_in(style, finding, out);
    if finding.is_unended {
        out.push(b'\n');
    }
}

/// Returns the kind of a message: its identity, or its words without what is quoted and without numbers.
fn kind(finding: &Finding) -> String {
    // Another missing file is another fact.
    if finding.id == Some(Id::MissingInclude) {
        return finding.message.clone();
    }
    if let Some(id) = finding.id {
        return id.name().to_owned();
    }
    if !finding.rule.is_empty() {
        return finding.rule.to_string();
    }
    kind_of_text(&finding.message)
}

/// Returns the words of a text without what is quoted and without numbers.
pub(super) fn kind_of_text(text: &str) -> String {
    let outside = text.split(['\'', '"', '`']).step_by(2);
    outside.flat_map(|part| part.chars().filter(|c| !c.is_ascii_digit())).collect()
}

/// Returns the end of a closing line: `no errors`, or `2 errors, 14 warnings (12 more with -v)`.
pub(super) fn verdict(findings: &[Finding], hidden: usize) -> String {
    let of = |severity| findings.iter().filter(|it| it.is_open() && it.severity == severity).count();
    let (errors, warnings) = (of(Severity::Error), of(Severity::Warning));
    let mut text = if errors == 0 { "no errors".to_owned() } else { counted(errors, "error") };
    if warnings > 0 {
        text += &format!(", {}", counted(warnings, "warning"));
    }
    if hidden > 0 && !is_quiet() {
        text += &format!(" ({hidden} more with -v)");
    }
    text
}

/// Returns a duration as `0.8 s`.
pub(super) fn seconds(start: Instant) -> String {
    format!("{:.1} s", start.elapsed().as_secs_f64())
}

/// A line on a terminal that says what is going on, after half a second, and is erased in the end.
pub(super) struct ProgressLine {
    text: std::sync::Arc<Mutex<Box<dyn Fn() -> String + Send>>>,
    /// Dropped to end the thread.
    end: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
    start: Instant,
}

impl ProgressLine {
    /// The time before the line appears.
    const DELAY: Duration = Duration::from_millis(500);
    /// The time between two looks.
    const PAUSE: Duration = Duration::from_millis(100);

    /// Starts to show a text.
    pub(super) fn start(text: &str) -> ProgressLine {
        let text = text.to_owned();
        let text: Box<dyn Fn() -> String + Send> = Box::new(move || text.clone());
        let text = std::sync::Arc::new(Mutex::new(text));
        let mut line = ProgressLine { text: text.clone(), end: None, thread: None, start: Instant::now() };
        let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
        if stderr().is_terminal() && !is_dumb && !is_quiet() {
            let (end, ended) = mpsc::channel::<()>();
            line.end = Some(end);
            line.thread = Some(thread::spawn(move || {
                let mut pause = Self::DELAY;
                let mut is_shown = false;
                while ended.recv_timeout(pause) == Err(mpsc::RecvTimeoutError::Timeout) {
                    let text = text.lock().unwrap_or_else(PoisonError::into_inner)();
                    to_stderr(format!("\r\x1b[K{text}").as_bytes());
                    (pause, is_shown) = (Self::PAUSE, true);
                }
                if is_shown {
                    to_stderr(b"\r\x1b[K");
                }
            }));
        }
        line
    }

    /// Shows another text from now on.
    pub(super) fn say(&self, text: &str) {
        let start = self.start;
        detail(|| format!("[{}] {text}", seconds(start)));
        let text = text.to_owned();
        self.set(Box::new(move || text.clone()));
    }

    /// Shows how far a job is: `checking 12 of 253 files`.
    pub(super) fn follow(&self, verb: &'static str, progress: crate::pipeline::progress::Progress) {
        self.set(Box::new(move || {
            let counts: Counts = progress.counts();
            counts.text(verb)
        }));
    }

    fn set(&self, text: Box<dyn Fn() -> String + Send>) {
        *self.text.lock().unwrap_or_else(PoisonError::into_inner) = text;
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has nothing left to erase.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_follow_the_flag_then_the_environment_then_the_terminal() {
        let of = |choice, is_terminal, variables: &[(&str, &str)]| {
            is_coloured(choice, is_terminal, &|name| {
                variables.iter().find(|(own, _)| *own == name).map(|(_, value)| value.into())
            })
        };
        assert!(of(ColorChoice::Auto, true, &[]) && !of(ColorChoice::Auto, false, &[]));
        assert!(of(ColorChoice::Always, false, &[("NO_COLOR", "1")]));
        assert!(!of(ColorChoice::Never, true, &[("CLICOLOR_FORCE", "1")]));
        assert!(!of(ColorChoice::Auto, true, &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")]));
        assert!(of(ColorChoice::Auto, false, &[("CLICOLOR_FORCE", "1")]));
        assert!(!of(ColorChoice::Auto, false, &[("CLICOLOR_FORCE", "0")]));
        assert!(!of(ColorChoice::Auto, true, &[("TERM", "dumb")]));
    }

    fn shown(messages: &[(Severity, String)], choice: (bool, bool)) -> (String, usize) {
        let findings: Vec<Finding> = messages
            .iter()
            .map(|(severity, message)| Finding {
                severity: *severity,
                message: message.clone(),
                ..Finding::default()
            })
            .collect();
        let mut text = Vec::new();
        let hidden = render(&findings.iter().collect::<Vec<_>>(), choice, Style::Plain, &mut text);
        (String::from_utf8_lossy(&text).into_owned(), hidden)
    }

    #[test]
    fn many_places_of_one_kind_are_one_line() {
        let few = [(Severity::Warning, "'a' is old".to_owned())];
        assert_eq!(shown(&few, (false, false)), ("warning: 'a' is old\n".to_owned(), 0));
        let many: Vec<_> = (0..5).map(|at| (Severity::Warning, format!("'a{at}' is old"))).collect();
        let line = "warning: 'a0' is old (and 4 more places)\n";
        assert_eq!(shown(&many, (false, false)), (line.to_owned(), 4));
        assert_eq!(shown(&many, (false, true)).1, 0);
        assert_eq!(shown(&many, (true, false)), (String::new(), 5));
        let errors: Vec<_> = (0..5).map(|at| (Severity::Error, format!("'a{at}' is wrong"))).collect();
        assert_eq!(shown(&errors, (true, false)).0.lines().count(), 5);
    }

    #[test]
    fn other_missing_files_are_other_facts() {
        let missing = |name: &str| Finding {
            severity: Severity::Warning,
            id: Some(Id::MissingInclude),
            message: format!("could not find include file '{name}'"),
            ..Finding::default()
        };
        let findings: Vec<Finding> = (0..5).map(|at| missing(&format!("m{at}.td"))).collect();
        let mut text = Vec::new();
        let hidden = render(&findings.iter().collect::<Vec<_>>(), (false, false), Style::Plain, &mut text);
        assert_eq!((String::from_utf8_lossy(&text).lines().count(), hidden), (5, 0));
    }

    #[test]
    fn many_lines_of_one_kind_are_one() {
        let of = |kinds: &[&str]| {
            grouped(kinds.iter().map(|kind| ((*kind).to_owned(), format!("{kind}!"))).collect())
        };
        assert_eq!(of(&["a", "b", "a"]), (vec!["a!".to_owned(), "b!".to_owned(), "a!".to_owned()], 0));
        let many = vec!["a! (and 3 more places)".to_owned(), "b!".to_owned()];
        assert_eq!(of(&["a", "a", "b", "a", "a"]), (many, 3));
    }

    #[test]
    fn notes_end_after_a_number() {
        let kinds: Vec<_> = ('a'..='z').map(|letter| (Severity::Note, format!("{letter} differs"))).collect();
        let (text, hidden) = shown(&kinds, (false, false));
        assert_eq!((text.lines().count(), hidden), (MOST_NOTES, 26 - MOST_NOTES));
    }
}
