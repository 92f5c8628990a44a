//! Every fixture, run through the engine in this process and compared with the reference's answer: one test each.
//!
//! `cargo test -p odsmith-tests --test fixtures op_builder` runs those whose name contains the text. With
//! `ODSMITH_REGENERATE=1` before the command, the same ones are recorded from the reference.

use std::process::ExitCode;

use libtest_mimic::Arguments;
use odsmith_tests::{
    cases,
    fixture::{self, trials},
};

fn main() -> ExitCode {
    let mut tests = trials("lang/cases", "cases", cases::check);
    for folder in ["lang", "ods", "drr"] {
        tests.extend(trials(folder, "td", fixture::check));
    }
    libtest_mimic::run(&Arguments::from_args(), tests).exit_code()
}
