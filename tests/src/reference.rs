//! Calls of the reference tools.

use std::{
    env, fs,
    io::{Read as _, Write as _},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

use crate::{Run, set_up};

/// Runs `mlir-tblgen` in a folder.
#[must_use]
pub fn mlir_tblgen(folder: &Path, arguments: &[&str]) -> Run {
    program(&set_up::reference_tools().join("mlir-tblgen"), folder, arguments)
}

/// Runs `llvm-tblgen` in a folder.
#[must_use]
pub fn llvm_tblgen(folder: &Path, arguments: &[&str]) -> Run {
    program(&set_up::reference_tools().join("llvm-tblgen"), folder, arguments)
}

/// Runs a program in a folder, with empty input.
///
/// # Panics
/// When it cannot be started.
#[must_use]
pub fn program(program: &Path, folder: &Path, arguments: &[&str]) -> Run {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap_or_else(|error| {
            panic!("{} does not start in {}: {error}", program.display(), folder.display())
        });
    // A signal counts as a failure with the status -1.
    Run { status: output.status.code().unwrap_or(-1), out: output.stdout, err: output.stderr }
}

/// Runs `mlir-tblgen` or `llvm-tblgen` for at most ten seconds. If possible, loads the program once for many calls
/// (`tests/setup/again.c`), which is faster.
///
/// # Panics
/// When it cannot be started, or its output cannot be read.
#[must_use]
pub fn again(tool: &str, folder: &Path, arguments: &[&str]) -> Run {
    static IDLE: Mutex<Vec<(String, LoadedTool)>> = Mutex::new(Vec::new());
    let path = set_up::reference_tools().join(tool);
    let idle = {
        let mut idle = IDLE.lock().expect("no thread panicked here");
        let place = idle.iter().position(|(name, _)| name == tool);
        place.map(|place| idle.swap_remove(place).1)
    };
    let loaded = idle.or_else(|| LoadedTool::new(&path, set_up::again().filter(|_| is_binary(&path))?));
    if let Some(mut loaded) = loaded
        && let Some(run) = loaded.run(folder, arguments)
    {
        IDLE.lock().expect("no thread panicked here").push((tool.to_owned(), loaded));
        return run;
    }
    let path = path.display().to_string();
    program("timeout".as_ref(), folder, &[&["10", &path], arguments].concat())
}

/// Returns true if a program is a binary, which can preload a library, and not a script.
fn is_binary(path: &Path) -> bool {
    let mut start = [0; 4];
    let read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && &start == b"\x7fELF"
}

/// A process of a tool that waits for calls.
#[derive(Debug)]
struct LoadedTool {
    process: Child,
    requests: ChildStdin,
    answers: ChildStdout,
    /// The files that receive standard output and messages.
    files: [PathBuf; 2],
}

impl LoadedTool {
    fn new(tool: &Path, library: &Path) -> Option<LoadedTool> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let mut command = Command::new(tool);
        command.env("LD_PRELOAD", library).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().ok()?;
        let (requests, answers) = (process.stdin.take()?, process.stdout.take()?);
        let file =
            |kind| env::temp_dir().join(format!("odsmith-{}-again-{number}.{kind}", std::process::id()));
        Some(LoadedTool { process, requests, answers, files: ["out", "err"].map(file) })
    }

    fn run(&mut self, folder: &Path, arguments: &[&str]) -> Option<Run> {
        let mut fields = vec![folder.as_os_str().as_encoded_bytes()];
        fields.extend(self.files.iter().map(|file| file.as_os_str().as_encoded_bytes()));
        fields.push(b"10");
        fields.extend(arguments.iter().map(|argument| argument.as_bytes()));
        let mut request = vec![0; 4];
        for field in fields {
            request.extend_from_slice(field);
            request.push(0);
        }
        let length = u32::try_from(request.len() - 4).ok()?;
        request[..4].copy_from_slice(&length.to_ne_bytes());
        self.requests.write_all(&request).ok()?;
        let mut status = [0; 4];
        self.answers.read_exact(&mut status).ok()?;
        let [out, err] = &self.files;
        Some(Run { status: i32::from_ne_bytes(status), out: fs::read(out).ok()?, err: fs::read(err).ok()? })
    }
}

impl Drop for LoadedTool {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        for file in &self.files {
            let _ = fs::remove_file(file);
        }
    }
}
