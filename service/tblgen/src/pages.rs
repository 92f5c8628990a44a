//! Our own texts: `--help`, `--version`, and the table of `--time-phases`.

use std::{fmt::Write as _, time::Duration};

use odsmith_engine::{
    generators::{GENERATORS, OPTIONS, is_in_release},
    release::{Release, Rules},
};

use crate::{
    call::base_name,
    flags::{DUMPS, GENERAL, General, Page},
};

/// Returns the text of a page.
pub(crate) fn text(page: Page, program: &str, release: Release) -> String {
    match page {
        Page::Version => {
            format!(
                "odsmith {}, in the place of mlir-tblgen {}.1\n",
                env!("CARGO_PKG_VERSION"),
                release.name()
            )
        }
        Page::Help => help(base_name(program), release.rules()),
    }
}

fn help(program: &str, rules: Rules) -> String {
    let mut text = format!("USAGE: {program} [options] <input file>\n\nOPTIONS:\n");
    let spelled = |name: &str, value: Option<&str>| match (name.len(), value) {
        (1, Some(value)) => format!("-{name} <{value}>"),
        (1, None) => format!("-{name}"),
        (_, Some(value)) => format!("--{name}=<{value}>"),
        (_, None) => format!("--{name}"),
    };
    let releases: Vec<&str> = Release::ALL.iter().map(|release| release.name()).collect();
    let mlir = format!(
        "The MLIR release to be like: {} (also ODSMITH_MLIR; default: that of the library, as \
         llvm/Config/llvm-config.h in an include folder says, or {})",
        releases.join(", "),
        Release::default().name()
    );
    let mut group = |title: &str, rows: Vec<(String, &str)>| {
        let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        let _ = write!(text, "\n{title}:\n\n");
        for (name, about) in rows {
            let _ = writeln!(text, "  {name:width$}  {about}");
        }
    };
    let about = |flag: &'static General| if flag.name == "mlir" { &mlir } else { flag.about };
    let general = GENERAL.iter().map(|flag| (spelled(flag.name, flag.value), about(flag)));
    group("General", general.collect());
    let is_known = |name: &str| is_in_release(name, &rules);
    let generators = GENERATORS
        .iter()
        .filter(|generator| is_known(generator.name))
        .map(|generator| (spelled(generator.name, None), generator.about));
    let dumps = DUMPS.iter().map(|(name, about)| (spelled(name, None), *about));
    group(
        "Generator to run (the last one named; --print-records if none is)",
        generators.chain(dumps).collect(),
    );
    group(
        "Options of the generators",
        OPTIONS
            .iter()
            .filter(|option| is_known(option.name))
            .map(|option| (spelled(option.name, option.value), option.about))
            .collect(),
    );
    let variables = [
        (
            "ODSMITH_CACHE",
            "Folder in which states and outputs are kept for later calls, or `off` (default: ~/.cache/odsmith/states)",
        ),
        ("ODSMITH_MLIR", "The same as --mlir"),
        ("ODSMITH_SERVER", "The same as --server"),
        ("ODSMITH_TOKEN", "The token that the server asks for"),
        ("ODSMITH_FALLBACK", "0: fail if the server is gone (default: retry, then do the work here)"),
    ];
    group("Environment", variables.map(|(name, about)| (name.to_owned(), about)).into());
    text
}

/// Formats the table of `--time-phases`: wall-clock times. Records and output are made in one step here.
pub(crate) fn times(engine: Duration, writing: Duration) -> String {
    let mut text = "TableGen phase timing (wall clock)\n".to_owned();
    for (phase, time) in
        [("Build records, run backend", engine), ("Write output", writing), ("Total", engine + writing)]
    {
        let _ = writeln!(text, "  {:10.6} s  {phase}", time.as_secs_f64());
    }
    text
}
