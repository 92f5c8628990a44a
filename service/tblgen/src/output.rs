//! The results of a call: messages, the output, the depfile.

use std::{
    collections::BTreeSet,
    fs,
    io::{self, Write},
};

use odsmith_engine::{
    generators::Action,
    job::{self, TargetOutcome},
    limits::Limits,
    record::Records,
    report::{
        Extent, Finding,
        text::{self, Style},
    },
};

use crate::{Failure, disk, environment::Environment};

/// Prints the messages; `is_empty` says that no output is expected.
///
/// # Errors
/// There were errors, or the output is missing.
pub fn finish(
    environment: &Environment,
    program: &str,
    outcome: &TargetOutcome,
    is_empty: bool,
    style: Style,
) -> Result<(), Failure> {
    let mut messages = Vec::new();
    let made = outcome.outputs.first();
    for report in outcome.diagnostics.iter().chain(made.map_or(&[][..], |made| &made.diagnostics)) {
        text::render_in(style, report, &mut messages);
    }
    let artefact = made.and_then(|made| made.artefact.as_ref());
    environment.to_stderr(&messages);
    let error_count = outcome.counted_errors(made);
    if error_count > 0 {
        return Err(Failure(format!("{program}: {error_count} errors.\n")));
    }
    match artefact {
        Some(_) => Ok(()),
        None if is_empty && outcome.records.is_some() => Ok(()),
        None => Err(Failure(String::new())),
    }
}

/// Writes a make rule with all files that were read besides the root, sorted; the reference escapes nothing.
///
/// # Errors
/// The output is not a file, or the rule cannot be written.
pub fn write_depfile(
    environment: &Environment,
    program: &str,
    depfile: &str,
    output: &str,
    outcome: &TargetOutcome,
) -> Result<(), Failure> {
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
    // The reference has no space after this colon.
    fs::write(environment.place(depfile), rule)
        .map_err(|error| Failure(format!("{program}: error opening {depfile}:{}\n", disk::reason(&error))))
}

/// Writes a dump piece by piece.
pub(crate) fn write_dump(
    environment: &Environment,
    program: &str,
    output: &str,
    records: &Records,
    action: &Action,
    style: Style,
) -> Result<(), Failure> {
    let mut file: Box<dyn Write> = match output {
        "-" => environment.stdout(),
        output => Box::new(create(environment, program, output)?),
    };
    let mut written = Ok(());
    let most = Limits::generous().output_bytes;
    let dumped = job::dump(records, action, most, &super::spare(), &mut |piece| {
        if written.is_ok() {
            written = file.write_all(piece);
        }
    });
    written.and_then(|()| file.flush()).map_err(|error| stream_failure(&error))?;
    dumped.map_err(|error| {
        let mut message = Vec::new();
        text::render_in(style, &Finding::with(Extent::Whole, &error, records.sources()), &mut message);
        Failure(String::from_utf8_lossy(&message).into_owned())
    })
}

/// Writes the output, unless it is unchanged and should then be left alone.
///
/// # Errors
/// The file cannot be written.
pub fn write_output(
    environment: &Environment,
    program: &str,
    output: &str,
    bytes: &[u8],
    write_if_changed: bool,
) -> Result<(), Failure> {
    if output == "-" {
        return environment.to_stdout(bytes);
    }
    if write_if_changed && fs::read(environment.place(output)).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    create(environment, program, output)?.write_all(bytes).map_err(|error| stream_failure(&error))
}

fn create(environment: &Environment, program: &str, output: &str) -> Result<fs::File, Failure> {
    let fail =
        |error: io::Error| Failure(format!("{program}: error opening {output}: {}\n", disk::reason(&error)));
    fs::File::create(environment.place(output)).map_err(fail)
}

pub(crate) fn stream_failure(error: &io::Error) -> Failure {
    Failure(format!("LLVM ERROR: IO failure on output stream: {}\n", disk::reason(error)))
}
