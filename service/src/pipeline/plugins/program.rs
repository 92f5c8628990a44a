//! The host of executables, for the command line. They see no environment but `PATH`, run in the folder that they are in,
//! and are stopped with all that they started once their time is over.

use std::{
    env, fs,
    io::{self, Read, Write},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::{Duration, Instant},
};

use odsmith_engine::plugin::host::{Allowance, Fault, Host, MOST_ERRORS, Run, append};

use crate::store::disk;

/// The time limit of a run, unless the project sets another one.
pub const SECONDS: u64 = 60;

/// The pause between two looks at a program that runs.
const PAUSE: Duration = Duration::from_millis(1);

/// The time for the last output of a program that has ended.
const LAST: Duration = Duration::from_secs(5);

/// An executable.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its absolute path.
    path: PathBuf,
    /// The most seconds of a run.
    seconds: u64,
}

impl Program {
    /// Creates the host of the executable at a path.
    ///
    /// # Errors
    /// There is no such file.
    pub fn new(path: &Path, seconds: Option<u64>) -> io::Result<Program> {
        Ok(Program { path: fs::canonicalize(path)?, seconds: seconds.unwrap_or(SECONDS) })
    }

    fn start(&self) -> io::Result<Child> {
        let mut command = Command::new(&self.path);
        command.env_clear().envs(env::var_os("PATH").map(|path| ("PATH", path)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = self.path.parent() {
            command.current_dir(folder);
        }
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt;
            command.process_group(0);
        }
        command.spawn()
    }

    /// Waits for the end of a program, as long as it may run.
    fn wait(&self, child: &mut Child, allowance: &Allowance<'_>) -> Result<ExitStatus, Fault> {
        let until = Instant::now() + Duration::from_secs(self.seconds);
        loop {
            match child.try_wait() {
                Ok(Some(status)) => return Ok(status),
                Ok(None) if allowance.cancel.is_cancelled() => return Err(Fault::Cancelled),
                Ok(None) if Instant::now() >= until => {
                    return Err(Fault::Limit { name: "time", most: self.seconds, unit: "seconds" });
                }
                Ok(None) => thread::sleep(PAUSE),
                Err(error) => return Err(Fault::Failed(format!("it is lost: {}", disk::reason(&error)))),
            }
        }
    }
}

impl Host for Program {
    /// An executable may do something else each time.
    fn digest(&self) -> Option<&str> {
        None
    }

    fn run(&self, input: &[u8], allowance: &Allowance<'_>) -> Run {
        let mut child = match self.start() {
            Ok(child) => child,
            Err(error) => return Run { fault: Some(start_fault(&error)), ..Run::default() },
        };
        limit_memory(&child, allowance.memory_bytes);
        let (stdin, input) = (child.stdin.take(), input.to_vec());
        // A program may end without having read all of it.
        thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(&input)));
        let output = read(child.stdout.take(), allowance.output_bytes);
        let errors = read(child.stderr.take(), MOST_ERRORS as u64);
        let ended = self.wait(&mut child, allowance);
        stop(&mut child);
        let (output, is_whole) = output.recv_timeout(LAST).unwrap_or_default();
        let (errors, _) = errors.recv_timeout(LAST).unwrap_or_default();
        let fault = match ended {
            Err(fault) => Some(fault),
            Ok(status) if !status.success() => Some(exit_fault(status)),
            Ok(_) if !is_whole => {
                Some(Fault::Limit { name: "size of the answer", most: allowance.output_bytes, unit: "bytes" })
            }
            Ok(_) => None,
        };
        Run { output, errors, instructions: 0, fault }
    }
}

/// Reads a stream to its end on a thread. Bytes over the limit are dropped; the answer says whether all are there.
fn read(stream: Option<impl Read + Send + 'static>, most: u64) -> Receiver<(Vec<u8>, bool)> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let (mut kept, mut is_whole) = (Vec::new(), true);
        let mut piece = vec![0; 64 << 10];
        let Some(mut stream) = stream else { return };
        while let Ok(count @ 1..) = stream.read(&mut piece) {
            is_whole &= append(&mut kept, &piece[..count], most);
        }
        // The receiver may have stopped waiting.
        let _ = sender.send((kept, is_whole));
    });
    receiver
}

fn start_fault(error: &io::Error) -> Fault {
    let help = match error.kind() {
        io::ErrorKind::PermissionDenied => "; is it executable (chmod +x)?",
        io::ErrorKind::NotFound => "; is its interpreter, in the first line, there?",
        _ if error.raw_os_error() == Some(8) => {
            "; does its first line name an interpreter (#!/usr/bin/env python3)?"
        }
        _ => "",
    };
    Fault::Failed(format!("it cannot be started: {}{help}", disk::reason(error)))
}

#[cfg(unix)]
fn exit_fault(status: ExitStatus) -> Fault {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => Fault::Exit(code),
        (None, signal) => Fault::Failed(format!("it was ended by signal {}", signal.unwrap_or_default())),
    }
}

#[cfg(not(unix))]
fn exit_fault(status: ExitStatus) -> Fault {
    Fault::Exit(status.code().unwrap_or(1))
}

/// Ends a program and all that it started.
fn stop(child: &mut Child) {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        // The group is gone if all have ended.
        let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    }
    // It may have ended by itself.
    let _ = child.kill();
    let _ = child.wait();
}

/// Limits the memory that a program may fill.
#[cfg(target_os = "linux")]
fn limit_memory(child: &Child, bytes: u64) {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let limit = Rlimit { current: Some(bytes), maximum: Some(bytes) };
    // It may have ended already.
    let _ = prlimit(Some(Pid::from_child(child)), Resource::Data, limit);
}

#[cfg(not(target_os = "linux"))]
fn limit_memory(_: &Child, _: u64) {}
