//! The steps of `make test` (`tests/setup/steps.sh`): the status, the lists at the end, and whole outputs.

use std::process::Command;

use odsmith_tests::set_up::repository;

/// Functions that the scripts below use: a step of a few lines, and a lane of two steps.
const SCRIPT: &str = r#"
set -u
. tests/setup/steps.sh
say() { for line in 1 2 3; do echo "$1 $line"; sleep 0.02; done; [ "$1" != wrong ]; }
right_lane() { step "left" say left; step "left again" say again; skip "a thing" "no network"; }
wrong_lane() { step "lost" say wrong; step "after it" say after; }
ending_lane() { exit 0; }
"#;

/// Runs a script with the steps of a test run.
fn run(script: &str) -> (Option<i32>, String) {
    let output =
        Command::new("sh").current_dir(repository()).args(["-c", &(SCRIPT.to_owned() + script)]).output();
    let output = output.expect("a shell");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn outputs_of_lanes_do_not_mix() {
    let (status, output) = run("beside right_lane; step right say right; finish");
    assert_eq!(status, Some(0), "{output}");
    for (name, word) in [("left", "left"), ("left again", "again"), ("right", "right")] {
        let whole = format!("\n== {name}\n{word} 1\n{word} 2\n{word} 3\n   ok, ");
        assert!(output.contains(&whole), "{output}");
    }
    assert!(output.ends_with("\n== skipped\n  a thing: no network\n"), "{output}");
}

#[test]
fn a_failure_in_any_lane_fails_the_run() {
    for (script, failed) in [
        ("beside right_lane; step first say wrong; finish", "  first\n"),
        ("beside wrong_lane; step first say right; finish", "  lost\n"),
        ("beside wrong_lane; join; step last say right; finish", "  lost\n"),
        ("beside ending_lane; step first say right; finish", "  ending_lane did not end\n"),
        ("beside right_lane; give_up 'a program'", "  a program\n"),
    ] {
        let (status, output) = run(script);
        assert_eq!(status, Some(1), "{script}\n{output}");
        assert!(output.ends_with(&format!("\n== FAILED\n{failed}")), "{script}\n{output}");
    }
    let (_, output) = run("beside wrong_lane; finish");
    assert!(output.contains("   FAILED, ") && output.contains("\n== after it\n"), "{output}");
}
