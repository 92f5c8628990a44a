//! Runs the engine without the service: evaluates a file from disk and writes one output.
//!
//! ```text
//! cargo run --example tblgen -- [--print-records | --dump-json | --gen-…] [--option=value] [-I dir] file.td
//! ```

#![expect(clippy::print_stderr, reason = "an example talks to its user")]

use std::{
    io::{Read, Write},
    process::ExitCode,
    sync::Arc,
};

use odsmith_engine::{
    generators::{Action, Generator, Options},
    job::{self, Job, Outcome, Output, Target},
    library::Library,
    limits::Limits,
    parallel::Spare,
    report::text,
    run,
    source::Files,
};

struct Disk;

impl Files for Disk {
    fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        // Read straight into the buffer that is kept.
        let mut file = std::fs::File::open(path).ok()?;
        let length = usize::try_from(file.metadata().ok()?.len()).ok()?;
        let mut bytes: Arc<[u8]> = std::iter::repeat_n(0, length).collect();
        file.read_exact(Arc::get_mut(&mut bytes)?).ok()?;
        Some(bytes)
    }
}

fn main() -> ExitCode {
    let mut target = Target { warn_unused_template_args: true, ..Target::default() };
    let mut options = Options::default();
    let mut action = None;
    let mut generator = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let flag = argument.trim_start_matches('-');
        match flag {
            "I" => target.includes.extend(arguments.next()),
            "print-records" => action = Some(Action::PrintRecords),
            "dump-json" => action = Some(Action::DumpJson),
            "print-sets" => action = Some(Action::PrintSets),
            "print-detailed-records" => action = Some(Action::PrintDetailedRecords),
            _ if flag == argument => target.td = argument,
            _ if Generator::find(flag).is_some() => generator = Generator::find(flag),
            _ => match flag.split_once('=') {
                Some((name, value)) => options.set(name, value),
                None if flag.starts_with("gen-") => {
                    eprintln!("unknown generator {flag}");
                    return ExitCode::FAILURE;
                }
                None => options.set(flag, ""),
            },
        }
    }
    let action = match generator {
        Some(generator) => Action::Generate(generator, options),
        None => action.unwrap_or(Action::PrintRecords),
    };
    let is_piecewise = matches!(action, Action::PrintRecords | Action::DumpJson);
    if !is_piecewise {
        target.outputs.push(Output { path: "-".to_owned(), action: action.clone() });
    }
    let job = Job { spare: Spare::new(1), ..Job::new(Disk).target(target).limits(Limits::generous()) };
    let mut messages = Vec::new();
    let mut is_ok = true;
    // The process ends soon: freeing everything piece by piece would only take time.
    let outcome: &Outcome = Box::leak(Box::new(run(&Library::default(), &job)));
    for target in &outcome.targets {
        target.diagnostics.iter().for_each(|report| text::render(report, &mut messages));
        if target.error_count > 0 {
            messages.extend(format!("tblgen: {} errors.\n", target.error_count).into_bytes());
        }
        match &target.records {
            Some(records) if is_piecewise => {
                let mut is_written = true;
                let write = &mut |piece: &[u8]| is_written &= std::io::stdout().write_all(piece).is_ok();
                is_ok &= job::dump(records, &action, u64::MAX, &Spare::new(1), write).is_ok() && is_written;
            }
            records => is_ok &= records.is_some(),
        }
        for output in &target.outputs {
            output.diagnostics.iter().for_each(|report| text::render(report, &mut messages));
            match &output.artefact {
                Some(artefact) => is_ok &= std::io::stdout().write_all(&artefact.bytes).is_ok(),
                None => is_ok = false,
            }
        }
    }
    let _ = std::io::stderr().write_all(&messages);
    if is_ok { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
