//! `odsmith tblgen`: a drop-in for `mlir-tblgen`.
//!
//! Flags, messages, exit codes, the order in which things are looked at and the files that are left behind are
//! those of the reference. Only the pages (`--help`, `--version`) are our own.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    fmt::Write as _,
    fs,
    io::{self, IsTerminal, Read, Write},
    process,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use odsmith_engine::{
    cancel::Cancel,
    generators::{Action, GENERATORS, OPTIONS},
    job::{self, Job, Output, Target, TargetOutcome},
    library::Library,
    limits::Limits,
    record::Records,
    report::{
        Report,
        text::{self, Style},
    },
    shares::{STACK_BYTES, Spare},
    version::Release,
};

use super::remote::Remote;
use crate::{
    disk::{self, Disk, STDIN},
    flags::{DUMPS, Flags, GENERAL, Page, words},
};

/// More threads than these would have too little to do each.
const MOST_SPARE: usize = 3;

/// Runs the command and ends the process with its exit code.
pub fn main(program: String, args: Vec<String>) -> ! {
    let work = move || {
        let code = match run(&program, args) {
            Ok(()) => 0,
            Err(Failure(message)) => {
                // Nothing can be done when even this fails.
                let _ = io::stderr().lock().write_all(message.as_bytes());
                1
            }
        };
        // The process ends here, so that nothing is taken apart piece by piece before.
        process::exit(code)
    };
    match thread::Builder::new().stack_size(STACK_BYTES).spawn(work) {
        Ok(thread) => {
            let _ = thread.join();
            process::exit(101)
        }
        Err(_) => process::exit(101),
    }
}

/// What goes to standard error in the end.
struct Failure(String);

fn run(program: &str, args: Vec<String>) -> Result<(), Failure> {
    let mut args = with_response_files(args);
    let server = take_server(&mut args);
    let flags = Flags::parse(&args);
    let problems: String = flags.problems.iter().map(|problem| problem.reference_text(program)).collect();
    if let Some(page) = flags.page {
        to_stderr(problems.as_bytes());
        return to_stdout(page_text(page, program).as_bytes());
    }
    let base = program.rsplit('/').next().unwrap_or(program);
    let mut problems = problems;
    if flags.inputs.len() > 1 {
        let _ = writeln!(
            problems,
            "{base}: Too many positional arguments specified!\n\
             Can specify at most 1 positional arguments: See: {program} --help"
        );
    }
    if !problems.is_empty() {
        return Err(Failure(problems));
    }
    let server = server.map(|server| (server, Flags::of_output(&args)));
    evaluate(program, flags, server)
}

/// `--server`, or what the environment says in its place: whose work it is to be.
fn take_server(args: &mut Vec<String>) -> Option<String> {
    let is_it = |arg: &String| {
        arg.trim_start_matches('-').split('=').next() == Some("server") && arg.starts_with('-')
    };
    let Some(at) = args.iter().position(is_it) else {
        return env::var("ODSMITH_SERVER").ok().filter(|server| !server.is_empty());
    };
    match args.remove(at).split_once('=') {
        Some((_, server)) => Some(server.to_owned()),
        None => (at < args.len()).then(|| args.remove(at)),
    }
}

fn evaluate(program: &str, mut flags: Flags, server: Option<(String, Vec<String>)>) -> Result<(), Failure> {
    let input = flags.inputs.pop().unwrap_or_else(|| "-".to_owned());
    let (name, bytes) = read_input(&input).map_err(|error| {
        Failure(format!("{program}: Could not open input file '{input}': {}\n", disk::reason(&error)))
    })?;
    if let Some(name) = flags.defines.iter().find(|name| !is_macro_name(name)) {
        return Err(Failure(format!("error: invalid macro name `{name}` specified on command line\n")));
    }
    let output = flags.output.take().unwrap_or_else(|| "-".to_owned());
    let depfile = flags.depfile.take();
    let write_if_changed = flags.write_if_changed;
    let is_null = flags.is_null;
    let style = match flags.color.unwrap_or_else(|| io::stderr().is_terminal()) {
        true => Style::Coloured,
        false => Style::Plain,
    };
    if let Some((server, asked)) = server {
        let remote = Remote { server: &server, input: &input, bytes: &bytes, flags: &flags, asked };
        let outcome = remote.run().map_err(|message| Failure(format!("{program}: {message}\n")))?;
        let made = finish(program, &outcome, is_null, style)?;
        let bytes = if is_null { &[] } else { made };
        if let Some(depfile) = depfile {
            write_depfile(program, &depfile, &output, &outcome)?;
        }
        return write_output(program, &output, bytes, write_if_changed);
    }
    let mut target = Target {
        td: name.clone(),
        warn_unused_template_args: !flags.no_unused_warnings,
        on_deprecated: flags.on_deprecated,
        ..Target::default()
    };
    let job = Job {
        files: Arc::new(Disk { held: Some((name, bytes)) }),
        release: Release::default(),
        includes: std::mem::take(&mut flags.includes),
        defines: std::mem::take(&mut flags.defines).into_iter().filter(|name| !name.is_empty()).collect(),
        targets: Vec::new(),
        limits: Limits::generous(),
        uses_snapshots: false,
        spare: Spare::new(thread::available_parallelism().map_or(0, |cores| cores.get() - 1).min(MOST_SPARE)),
        cancel: Cancel::new(),
    };
    let times_phases = flags.times_phases;
    let action = flags.into_action();
    // A dump is not held as a whole, unless it is to be compared with what is there.
    let is_piecewise =
        !is_null && !write_if_changed && matches!(action, Action::PrintRecords | Action::DumpJson);
    if !is_null && !is_piecewise {
        target.outputs.push(Output { path: output.clone(), action: action.clone() });
    }
    let library = Library::new(Release::default(), String::new(), BTreeMap::new());
    let started = Instant::now();
    let outcome = odsmith_engine::run(&library, &Job { targets: vec![target], ..job });
    let evaluated = Instant::now();
    let Some(outcome) = outcome.targets.into_iter().next() else { return Ok(()) };
    // The process ends soon: giving the records back one by one would only take time.
    let outcome: &TargetOutcome = Box::leak(Box::new(outcome));
    let bytes = finish(program, outcome, is_null || is_piecewise, style)?;
    if let Some(depfile) = depfile {
        write_depfile(program, &depfile, &output, outcome)?;
    }
    match &outcome.records {
        Some(records) if is_piecewise => write_dump(program, &output, records, &action, style)?,
        _ => write_output(program, &output, bytes, write_if_changed)?,
    }
    if times_phases {
        to_stderr(times(evaluated - started, evaluated.elapsed()).as_bytes());
    }
    Ok(())
}

/// The table of `--time-phases`: wall-clock times. Records and output are made in one go here.
fn times(engine: Duration, writing: Duration) -> String {
    let mut text = "TableGen phase timing (wall clock)\n".to_owned();
    for (phase, time) in
        [("Build records, run backend", engine), ("Write output", writing), ("Total", engine + writing)]
    {
        let _ = writeln!(text, "  {:10.6} s  {phase}", time.as_secs_f64());
    }
    text
}

/// Prints the messages; hands out the bytes if there are any: none are asked for if `is_empty`.
fn finish<'o>(
    program: &str,
    outcome: &'o TargetOutcome,
    is_empty: bool,
    style: Style,
) -> Result<&'o [u8], Failure> {
    let mut messages = Vec::new();
    let made = outcome.outputs.first();
    for report in outcome.diagnostics.iter().chain(made.map_or(&[][..], |made| &made.diagnostics)) {
        text::render_in(style, report, &mut messages);
    }
    let artefact = made.and_then(|made| made.artefact.as_ref());
    to_stderr(&messages);
    let error_count = outcome.error_count + made.map_or(0, |made| made.error_count);
    if error_count > 0 {
        return Err(Failure(format!("{program}: {error_count} errors.\n")));
    }
    match artefact {
        Some(artefact) => Ok(&artefact.bytes),
        None if is_empty && outcome.records.is_some() => Ok(&[]),
        None => Err(Failure(String::new())),
    }
}

/// A rule with all files that were read besides the root, sorted; the reference escapes nothing.
fn write_depfile(program: &str, depfile: &str, output: &str, outcome: &TargetOutcome) -> Result<(), Failure> {
    if output == "-" {
        return Err(Failure(format!("{program}: the option -d must be used together with -o\n")));
    }
    let reads: BTreeSet<&str> = outcome.reads.iter().skip(1).map(String::as_str).collect();
    let mut rule = format!("{output}:");
    for path in reads {
        rule += " ";
        rule += path;
    }
    rule += "\n";
    // The reference has no space behind this colon.
    fs::write(depfile, rule)
        .map_err(|error| Failure(format!("{program}: error opening {depfile}:{}\n", disk::reason(&error))))
}

fn write_dump(
    program: &str,
    output: &str,
    records: &Records,
    action: &Action,
    style: Style,
) -> Result<(), Failure> {
    let mut file: Box<dyn Write> =
        if output == "-" { Box::new(io::stdout().lock()) } else { Box::new(create(program, output)?) };
    let mut written = Ok(());
    let dumped = job::dump(records, action, Limits::generous().output_bytes, &mut |piece| {
        if written.is_ok() {
            written = file.write_all(piece);
        }
    });
    written.and_then(|()| file.flush()).map_err(|error| stream_failure(&error))?;
    dumped.map_err(|error| {
        let mut message = Vec::new();
        text::render_in(style, &Report::new(&error, records.sources()), &mut message);
        Failure(String::from_utf8_lossy(&message).into_owned())
    })
}

fn write_output(program: &str, output: &str, bytes: &[u8], write_if_changed: bool) -> Result<(), Failure> {
    if output == "-" {
        return to_stdout(bytes);
    }
    if write_if_changed && fs::read(output).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    create(program, output)?.write_all(bytes).map_err(|error| stream_failure(&error))
}

fn create(program: &str, output: &str) -> Result<fs::File, Failure> {
    let fail =
        |error: io::Error| Failure(format!("{program}: error opening {output}: {}\n", disk::reason(&error)));
    fs::File::create(output).map_err(fail)
}

fn stream_failure(error: &io::Error) -> Failure {
    Failure(format!("LLVM ERROR: IO failure on output stream: {}\n", disk::reason(error)))
}

fn to_stdout(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(|error| stream_failure(&error))
}

fn to_stderr(bytes: &[u8]) {
    // There is nowhere left to complain to.
    let _ = io::stderr().lock().write_all(bytes);
}

fn read_input(input: &str) -> io::Result<(String, Arc<[u8]>)> {
    if input == "-" {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        return Ok((STDIN.to_owned(), bytes.into()));
    }
    Ok((input.to_owned(), fs::read(input)?.into()))
}

/// Whether a macro may have this name; the empty one is taken and defines nothing.
fn is_macro_name(name: &str) -> bool {
    let is_start = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    name.bytes().next().is_none_or(is_start)
        && name.bytes().all(|byte| is_start(byte) || byte.is_ascii_digit())
}

/// Replaces each `@file` by the words in it; a file that can not be read stays an argument.
fn with_response_files(args: Vec<String>) -> Vec<String> {
    let mut all = Vec::with_capacity(args.len());
    for arg in args {
        match arg.strip_prefix('@').and_then(|file| fs::read_to_string(file).ok()) {
            Some(text) => all.extend(words(&text)),
            None => all.push(arg),
        }
    }
    all
}

fn page_text(page: Page, program: &str) -> String {
    match page {
        Page::Version => {
            format!(
                "odsmith {}, in the place of mlir-tblgen {}.1\n",
                env!("CARGO_PKG_VERSION"),
                Release::default().name()
            )
        }
        Page::Help => help(program.rsplit('/').next().unwrap_or(program)),
    }
}

fn help(program: &str) -> String {
    let mut text = format!("USAGE: {program} [options] <input file>\n\nOPTIONS:\n");
    let spelled = |name: &str, value: Option<&str>| match (name.len(), value) {
        (1, Some(value)) => format!("-{name} <{value}>"),
        (1, None) => format!("-{name}"),
        (_, Some(value)) => format!("--{name}=<{value}>"),
        (_, None) => format!("--{name}"),
    };
    let server = [("--server=<url>".to_owned(), "Have the work done by a server (also ODSMITH_SERVER)")];
    let mut group = |title: &str, rows: Vec<(String, &str)>| {
        let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        let _ = write!(text, "\n{title}:\n\n");
        for (name, about) in rows {
            let _ = writeln!(text, "  {name:width$}  {about}");
        }
    };
    let general = GENERAL.iter().map(|flag| (spelled(flag.name, flag.value), flag.about));
    group("General", general.chain(server).collect());
    let generators = GENERATORS.iter().map(|generator| (spelled(generator.name, None), generator.about));
    let dumps = DUMPS.iter().map(|(name, about)| (spelled(name, None), *about));
    group(
        "Generator to run (the last one named; --print-records if none is)",
        generators.chain(dumps).collect(),
    );
    group(
        "Options of the generators",
        OPTIONS.iter().map(|option| (spelled(option.name, option.value), option.about)).collect(),
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macro_names() {
        assert!(is_macro_name("") && is_macro_name("A_1"));
        assert!(!is_macro_name("1A") && !is_macro_name("A=1"));
    }
}
