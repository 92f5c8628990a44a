//! Every fixture, run through the engine in this process and compared with what the reference gave.
//!
//! `ODSMITH_REGENERATE=1 cargo test -p odsmith-tests --test fixtures` writes the expectations anew, from the reference.

use odsmith_tests::fixture::check_folder;

#[test]
fn the_language() {
    check_folder("lang");
}

#[test]
fn generators() {
    check_folder("ods");
}

#[test]
fn patterns() {
    check_folder("drr");
}

#[test]
fn small_programs() {
    odsmith_tests::cases::check_folder("lang/cases");
}
