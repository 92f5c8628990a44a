//! `odsmith fmt`: lays `.td` files out.

use std::{
    io::{self, Read},
    ops::Range,
    path::{Path, PathBuf},
    str::FromStr,
};

use clap::Args;
use odsmith_engine::{
    format::{self, Edit, Style, check},
    outline::Outline,
    parallel,
    report::Finding,
    review::lint::fix,
};

use super::{
    display,
    exit::ExitStatus,
    options::{FileOptions, ReportForm, ReportOptions},
};
use crate::{
    pipeline::{
        dependencies::is_foreign,
        manifest::{FILE_NAME, Manifest},
        workspace::{Workspace, patterns::Patterns},
    },
    store::disk,
};

/// The path that means standard input.
const STDIN: &str = "-";

/// The arguments of `odsmith fmt`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// Folders and .td files; `-` reads standard input and prints the result
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<PathBuf>,
    /// Write nothing, and report files whose layout would change
    #[arg(long)]
    check: bool,
    /// Write nothing, and print the changes as a patch
    #[arg(long)]
    diff: bool,
    /// Lines to lay out, with the rest of their statements: 10:20; may be repeated
    #[arg(long, value_name = "FIRST:LAST")]
    lines: Vec<LineRange>,
    /// Columns of a line, in place of those of odsmith.toml
    #[arg(long, value_name = "COLUMNS")]
    width: Option<usize>,
    /// Give lists one layout, wherever their lines begin in the source
    #[arg(long)]
    strict: bool,
    /// The name of standard input in messages, which also says whose odsmith.toml counts
    #[arg(long, value_name = "FILE")]
    stdin_path: Option<PathBuf>,
    #[command(flatten)]
    report: ReportOptions,
    #[command(flatten)]
    file: FileOptions,
}

/// The first and the last line of a range, from 1.
#[derive(Clone, Copy, Debug)]
struct LineRange {
    first: usize,
    last: usize,
}

impl FromStr for LineRange {
    type Err = String;

    fn from_str(text: &str) -> Result<LineRange, String> {
        let number = |text: &str| text.parse::<usize>().ok().filter(|number| *number > 0);
        let pair = text.split_once([':', '-']).unwrap_or((text, text));
        match (number(pair.0), number(pair.1)) {
            (Some(first), Some(last)) if first <= last => Ok(LineRange { first, last }),
            _ => Err("expected two lines, such as 10:20".to_owned()),
        }
    }
}

/// A file to lay out.
struct Subject {
    /// The path in messages.
    shown: String,
    /// The path in patches.
    path: String,
    /// The file; none for standard input.
    place: Option<PathBuf>,
    bytes: Vec<u8>,
    style: Style,
}

/// A file after the layout.
struct Answer {
    /// The new text, if it differs.
    text: Option<Vec<u8>>,
    findings: Vec<Finding>,
}

impl Options {
    /// Runs the command.
    ///
    /// # Errors
    /// The request is wrong, something cannot be read, or a file cannot be written.
    pub fn run(self) -> Result<ExitStatus, String> {
        let subjects = self.subjects()?;
        if !self.lines.is_empty() && subjects.len() != 1 {
            return Err(format!("--lines is about one file, and there are {}", subjects.len()));
        }
        let answers = parallel::map(parallel::parallelism().get(), &subjects, |subject| self.answer(subject));
        let pairs = || subjects.iter().zip(&answers);
        let findings: Vec<Finding> = answers.iter().flat_map(|answer| &answer.findings).cloned().collect();
        let changed = pairs().filter(|(_, answer)| answer.text.is_some());
        if self.diff {
            let patches = changed.clone().map(|(subject, answer)| {
                fix::unified(&subject.path, &subject.bytes, answer.text.as_deref().unwrap_or_default())
            });
            self.file.write(&patches.collect::<String>())?;
            display::messages(&findings);
        } else if self.check && self.report.form() != ReportForm::Text {
            self.file.write(&self.report.form().render("fmt", &findings))?;
        } else {
            display::messages(&findings);
        }
        if !self.check && !self.diff {
            for (subject, answer) in pairs() {
                match (&subject.place, &answer.text) {
                    (Some(place), Some(text)) => disk::write(place, text)?,
                    (Some(_), None) => {}
                    // A broken text comes back as it is, for editors.
                    (None, text) => {
                        let text = text.as_ref().unwrap_or(&subject.bytes);
                        self.file.write(&String::from_utf8_lossy(text))?;
                    }
                }
            }
        }
        let files = subjects.iter().filter(|subject| subject.place.is_some()).count();
        if files > 0 && !self.diff {
            let verb = if self.check { "would change" } else { "changed" };
            let count = changed.count();
            let unread = answers.iter().filter(|it| it.text.is_none() && !it.findings.is_empty()).count();
            let unread = if unread > 0 { format!(", {unread} cannot be read") } else { String::new() };
            display::closing(&format!("{verb} {count} of {}{unread}", display::counted(files, "file")));
        }
        Ok(ExitStatus::of_findings(&findings, self.report.fail_on()))
    }

    fn answer(&self, subject: &Subject) -> Answer {
        let outline = Outline::new(&*subject.shown, &subject.bytes);
        let edits = self.edits(&outline, &subject.style);
        let checked = edits.and_then(|edits| {
            let text = format::checked(&subject.bytes, &edits)?;
            Ok((edits, text))
        });
        match checked {
            Err(refusal) => Answer { text: None, findings: vec![refusal.finding(&outline)] },
            Ok((edits, text)) if text != subject.bytes => {
                let first = edits.first().map_or(0, |edit| edit.range.end);
                let finding =
                    || check::at(&outline, first, "this file has another layout than `odsmith fmt` gives it");
                let findings = if self.check { vec![finding()] } else { Vec::new() };
                Answer { text: Some(text), findings }
            }
            Ok(_) => Answer { text: None, findings: Vec::new() },
        }
    }

    fn edits(&self, outline: &Outline, style: &Style) -> Result<Vec<Edit>, format::Refusal> {
        if self.lines.is_empty() {
            return format::edits(outline, style);
        }
        let lines: Vec<Range<usize>> = self.lines.iter().map(|range| range.first - 1..range.last).collect();
        format::edits_in(outline, style, &lines)
    }

    /// Returns the settings of a project, changed by the options.
    fn style(&self, manifest: &Manifest) -> Result<Style, String> {
        let mut style = manifest.fmt.clone();
        style.width = self.width.unwrap_or(style.width);
        style.strict |= self.strict;
        style.check()?;
        Ok(style)
    }

    fn subjects(&self) -> Result<Vec<Subject>, String> {
        let mut subjects = Vec::new();
        for path in &self.paths {
            if path.as_os_str() == STDIN {
                subjects.push(self.standard_input()?);
            } else {
                self.add(path, &mut subjects)?;
            }
        }
        subjects.sort_by(|a, b| a.place.cmp(&b.place));
        subjects.dedup_by(|a, b| a.place.is_some() && a.place == b.place);
        Ok(subjects)
    }

    fn standard_input(&self) -> Result<Subject, String> {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map_err(|error| disk::reason(&error))?;
        let named = self.stdin_path.as_deref();
        let is_there = |folder: &&Path| !folder.as_os_str().is_empty() && folder.exists();
        let around = named.and_then(|path| path.ancestors().find(is_there)).unwrap_or(Path::new("."));
        let style = self.style(&manifest_around(around)?)?;
        let shown = named.map_or("<stdin>".into(), Path::to_string_lossy).into_owned();
        Ok(Subject { path: shown.clone(), shown, place: None, bytes, style })
    }

    /// Adds a file, or the files of a folder and of the projects in it.
    fn add(&self, path: &Path, subjects: &mut Vec<Subject>) -> Result<(), String> {
        if path.exists() && !path.is_dir() && path.extension().is_none_or(|end| end != "td") {
            return Err(format!("'{}' is no .td file or folder", path.display()));
        }
        let workspace = Workspace::open(path, false)?;
        let bundle = workspace.bundle()?;
        let manifest = match bundle.get(FILE_NAME) {
            Some(bytes) => Manifest::from_toml(bytes)?,
            None => Manifest::default(),
        };
        let style = self.style(&manifest)?;
        let excluded = [Patterns::new(&manifest.exclude)?, Patterns::new(&style.exclude)?];
        let is_named = workspace.selected_file().is_some();
        for (path, bytes) in bundle.iter().filter(|(path, _)| path.ends_with(".td") && !is_foreign(path)) {
            let is_left =
                excluded.iter().any(|patterns| patterns.has(path)) || format::is_generated(path, bytes);
            if is_left && !is_named {
                display::detail(|| format!("'{}' stays as it is", workspace.shown(path)));
                continue;
            }
            subjects.push(Subject {
                shown: workspace.shown(path),
                path: path.to_owned(),
                place: Some(workspace.place_of(path)),
                bytes: bytes.to_vec(),
                style: style.clone(),
            });
        }
        workspace.projects().try_for_each(|project| self.add(&project, subjects))
    }
}

/// Reads the manifest of the project around a path.
fn manifest_around(path: &Path) -> Result<Manifest, String> {
    let real = path.canonicalize().map_err(|_| format!("'{}' is not there", path.display()))?;
    let found = real.ancestors().map(|folder| folder.join(FILE_NAME)).find(|file| file.is_file());
    let Some(file) = found else { return Ok(Manifest::default()) };
    let bytes =
        std::fs::read(&file).map_err(|error| format!("{}: {}", file.display(), disk::reason(&error)))?;
    Manifest::from_toml(&bytes)
}
