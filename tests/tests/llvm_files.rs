//! LLVM's own `.td` files, and some of MLIR's, through llvm-tblgen and through the engine: records as text and as JSON,
//! one test for each file.

use std::{path::Path, process::ExitCode};

use libtest_mimic::{Arguments, Trial};
use odsmith_tests::{
    archive::files_below,
    diff::{first_difference, first_error},
    program::on_a_big_stack,
    reference,
    run::{self, Flags},
    set_up,
};

/// The number of MLIR files that are compared, at equal steps.
const MLIR_FILES: usize = 60;

fn main() -> ExitCode {
    let library = set_up::library();
    let below = |folder: &str| -> Vec<String> {
        let files = files_below(&Path::new(library).join(folder)).into_iter();
        files.map(|(path, _)| format!("{folder}/{path}")).filter(|path| path.ends_with(".td")).collect()
    };
    let mut files = below("llvm");
    let mlir = below("mlir");
    files.extend(mlir.iter().step_by((mlir.len() / MLIR_FILES).max(1)).cloned());
    assert!(!files.is_empty(), "no .td file under {library}");
    let trial = |file: String| {
        let path = format!("{library}/{file}");
        Trial::test(file, move || Ok(on_a_big_stack(|| check(library, &path))?))
    };
    libtest_mimic::run(&Arguments::from_args(), files.into_iter().map(trial).collect()).exit_code()
}

/// Compares both forms: the same text, or the same first message.
fn check(library: &str, file: &str) -> Result<(), String> {
    let forms = ["--print-records", "--dump-json"];
    let words = forms.map(|form| vec![form.to_owned()]);
    let flags = words.map(|words| Flags::parse(&words).expect("no generator is named"));
    let ours = run::engine(Path::new("/"), file, &flags, &[library.to_owned()]);
    for (form, got) in forms.iter().zip(ours) {
        let want = reference::llvm_tblgen(Path::new("/"), &[form, "-I", library, file]);
        let differs = |what: &str| Err(format!("  {form} (- reference, + ours)\n{what}"));
        match (want.status == 0, got.status == 0) {
            (true, true) => {
                if let Some(difference) = first_difference(&want.out, &got.out) {
                    return differs(&difference);
                }
            }
            (false, false) if first_error(&want.err) == first_error(&got.err) => {}
            _ => {
                let (want, got) = (first_error(&want.err), first_error(&got.err));
                return differs(&format!("    - {want:?}\n    + {got:?}\n"));
            }
        }
    }
    Ok(())
}
