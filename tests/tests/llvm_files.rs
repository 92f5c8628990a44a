//! LLVM's own `.td` files, and some of MLIR's, through llvm-tblgen and through the engine: records as text and as JSON.

use std::path::Path;

use odsmith_tests::{
    archive::files_below,
    diff::{first_difference, first_error},
    pool, reference,
    run::{self, Flags},
    set_up,
};

/// How many of MLIR's files are compared: every *n*th.
const MLIR_FILES: usize = 60;

#[test]
fn records_and_json() {
    let library = set_up::library();
    let below = |folder: &str| -> Vec<String> {
        let root = Path::new(library).join(folder);
        let files = files_below(&root).into_iter().map(|(path, _)| format!("{}/{path}", root.display()));
        files.filter(|path| path.ends_with(".td")).collect()
    };
    let mut files = below("llvm");
    let mlir = below("mlir");
    files.extend(mlir.iter().step_by((mlir.len() / MLIR_FILES).max(1)).cloned());
    assert!(!files.is_empty(), "no .td file under {library}");
    let results = pool::map(&files, |file| check(library, file));
    let (same, fail) = (
        results.iter().filter(|result| **result == Ok(true)),
        results.iter().filter(|result| **result == Ok(false)),
    );
    println!("{} of {} files agree, {} are refused by both", same.count(), files.len(), fail.count());
    let report: String = results.into_iter().filter_map(Result::err).collect();
    assert!(report.is_empty(), "(- reference, + ours)\n{report}");
}

/// Whether both succeed, if they agree.
fn check(library: &str, file: &str) -> Result<bool, String> {
    let forms = ["--print-records", "--dump-json"];
    let words = forms.map(|form| vec![form.to_owned()]);
    let flags = words.map(|words| Flags::parse(&words).expect("no generator is named"));
    let ours = run::engine(Path::new("/"), file, &flags, &[library.to_owned()]);
    let mut succeeds = true;
    for (form, got) in forms.iter().zip(ours) {
        let want = reference::llvm_tblgen(Path::new("/"), &[form, "-I", library, file]);
        let differs = |what: &str| Err(format!("  {file} {form}\n{what}"));
        match (want.status == 0, got.status == 0) {
            (true, true) => {
                if let Some(difference) = first_difference(&want.out, &got.out) {
                    return differs(&difference);
                }
            }
            (false, false) if first_error(&want.err) == first_error(&got.err) => succeeds = false,
            _ => {
                let (want, got) = (first_error(&want.err), first_error(&got.err));
                return differs(&format!("    - {want:?}\n    + {got:?}\n"));
            }
        }
    }
    Ok(succeeds)
}
