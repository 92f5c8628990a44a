//! `odsmith tblgen --persistent_worker`: one process that answers many calls, as Bazel's persistent workers do.
//!
//! Requests come on standard input and responses go to standard output, as length-delimited protocol buffers or as lines of
//! JSON, whichever the first bytes are. Requests run at the same time, each in the folder and with the files that it
//! names. They share the states after `include`s and the outputs of earlier ones in memory: a state is used only for
//! the same files, so an answer is that of a fresh process.

use std::{
    collections::HashMap,
    io::{self, BufRead, Read, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

use base64::{Engine, prelude::BASE64_STANDARD};
use moka::sync::Cache;
use odsmith_engine::{
    cancel::Cancel,
    job::CheckpointStore,
    parallel::{self, STACK_BYTES},
    source::Stamp,
};
use odsmith_tblgen::{Call, Failure, WORKER_FLAG, WorkerCall, environment::Environment, run_in};
use prost::Message;
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use sha2::{Digest, Sha256};

use super::{exit::ExitStatus, library, plugin};

/// The most bytes of one request.
const MOST_REQUEST: usize = 1 << 26;
/// The most requests that run at the same time; Bazel sends fewer.
const MOST_RUNNING: usize = 64;
/// The most bytes of states and outputs that are kept.
const MOST_KEPT: u64 = 1 << 29;

/// Bazel's `WorkRequest`.
#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct WorkRequest {
    #[prost(string, repeated, tag = "1")]
    arguments: Vec<String>,
    #[prost(message, repeated, tag = "2")]
    inputs: Vec<Input>,
    /// 0 if requests are sent one by one.
    #[prost(int32, tag = "3")]
    request_id: i32,
    /// True to end the request of this number; there are no arguments.
    #[prost(bool, tag = "4")]
    cancel: bool,
    #[prost(int32, tag = "5")]
    verbosity: i32,
    /// The folder that paths begin at, below the working directory.
    #[prost(string, tag = "6")]
    sandbox_dir: String,
}

/// A file that a request may read.
#[derive(Clone, PartialEq, Message, Deserialize)]
#[serde(default)]
struct Input {
    #[prost(string, tag = "1")]
    path: String,
    #[prost(bytes = "vec", tag = "2")]
    #[serde(deserialize_with = "from_base64")]
    digest: Vec<u8>,
}

fn from_base64<'d, D: Deserializer<'d>>(from: D) -> Result<Vec<u8>, D::Error> {
    BASE64_STANDARD.decode(String::deserialize(from)?).map_err(D::Error::custom)
}

/// Bazel's `WorkResponse`.
#[derive(Clone, PartialEq, Message, Serialize)]
#[serde(rename_all = "camelCase")]
struct WorkResponse {
    #[prost(int32, tag = "1")]
    exit_code: i32,
    /// The messages.
    #[prost(string, tag = "2")]
    output: String,
    #[prost(int32, tag = "3")]
    request_id: i32,
    #[prost(bool, tag = "4")]
    was_cancelled: bool,
}

/// The form of the messages.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Protocol {
    Json,
    Protobuf,
}

impl Protocol {
    /// Recognises the form of a stream; `None` if it is empty.
    fn of(input: &mut impl BufRead) -> io::Result<Option<Protocol>> {
        // A message of 123 bytes begins with the byte of `{`, too. The next byte is that of its first field.
        let head = input.fill_buf()?;
        Ok(match head {
            [] => None,
            [b'{', b'"' | b'}' | b' ', ..] | [b' ' | b'\n' | b'\r', ..] => Some(Protocol::Json),
            _ => Some(Protocol::Protobuf),
        })
    }

    /// Reads the next request; `None` at the end.
    fn read(self, input: &mut impl BufRead) -> Result<Option<WorkRequest>, String> {
        let too_long = || format!("a request has more than {MOST_REQUEST} bytes");
        let wrong = |error: &dyn std::fmt::Display| format!("this is no WorkRequest: {error}");
        match self {
            Protocol::Json => loop {
                let mut line = Vec::new();
                let mut limited = input.take(MOST_REQUEST as u64 + 1);
                limited.read_until(b'\n', &mut line).map_err(|error| wrong(&error))?;
                if line.len() > MOST_REQUEST {
                    return Err(too_long());
                }
                match line.trim_ascii() {
                    [] if line.is_empty() => return Ok(None),
                    [] => {}
                    text => return serde_json::from_slice(text).map(Some).map_err(|error| wrong(&error)),
                }
            },
            Protocol::Protobuf => {
                let Some(length) = read_length(input).map_err(|error| wrong(&error))? else {
                    return Ok(None);
                };
                let length = usize::try_from(length).ok().filter(|it| *it <= MOST_REQUEST);
                let length = length.ok_or_else(too_long)?;
                let mut bytes = Vec::new();
                input.take(length as u64).read_to_end(&mut bytes).map_err(|error| wrong(&error))?;
                if bytes.len() < length {
                    return Err(wrong(&"it is cut"));
                }
                WorkRequest::decode(&*bytes).map(Some).map_err(|error| wrong(&error))
            }
        }
    }

    fn write(self, response: &WorkResponse, out: &mut impl Write) -> io::Result<()> {
        let bytes = match self {
            Protocol::Json => {
                let mut line = serde_json::to_vec(response)?;
                line.push(b'\n');
                line
            }
            Protocol::Protobuf => response.encode_length_delimited_to_vec(),
        };
        out.write_all(&bytes)?;
        out.flush()
    }
}

/// Reads the length before a message: groups of seven bits, the lowest first.
fn read_length(input: &mut impl Read) -> io::Result<Option<u64>> {
    let mut length = 0_u64;
    for (index, shift) in (0..64).step_by(7).enumerate() {
        let mut byte = [0];
        match input.read(&mut byte)? {
            0 if index == 0 => return Ok(None),
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            _ => length |= u64::from(byte[0] & 0x7F) << shift,
        }
        if byte[0] & 0x80 == 0 {
            return Ok(Some(length));
        }
    }
    Err(io::Error::new(io::ErrorKind::InvalidData, "the length has no end"))
}

/// The folder of outputs of all configurations, as Bazel writes it if it maps paths (`--experimental_output_paths=strip`).
const MAPPED_FOLDER: &str = "bazel-out/cfg";

const SANDBOX_HELP: &str = "mapped paths exist in sandboxes only: build with --worker_sandboxing \
    --experimental_worker_multiplex_sandboxing, or with --strategy=TdGenerate=sandboxed";

/// Tells whether a request names mapped paths, which only a sandbox has.
fn needs_sandbox(folder: &Path, words: &[String]) -> bool {
    let is_mapped =
        |word: &String| word.starts_with(MAPPED_FOLDER) && word[MAPPED_FOLDER.len()..].starts_with('/');
    words.iter().any(is_mapped) && !folder.join(MAPPED_FOLDER).is_dir()
}

/// Answers requests until there are no more, and those that run have ended.
///
/// # Errors
/// A request cannot be read, or a response cannot be written.
pub fn run(call: WorkerCall) -> Result<ExitStatus, String> {
    let mut input = io::stdin().lock();
    let Some(protocol) = Protocol::of(&mut input).map_err(|error| error.to_string())? else {
        return Ok(ExitStatus::Done);
    };
    let worker = Arc::new(Worker {
        call,
        protocol,
        states: Arc::new(MemoryStates::new()),
        running: Mutex::default(),
        ended: Condvar::new(),
        failure: Mutex::default(),
    });
    let read = loop {
        match protocol.read(&mut input) {
            Ok(Some(request)) => Worker::accept(&worker, request)?,
            Ok(None) => break Ok(()),
            Err(message) => break Err(message),
        }
    };
    worker.wait_until(|running| running.is_empty());
    read?;
    let failure = worker.failure.lock().unwrap_or_else(PoisonError::into_inner).take();
    failure.map_or(Ok(ExitStatus::Done), Err)
}

/// The process and the requests that run in it.
struct Worker {
    call: WorkerCall,
    protocol: Protocol,
    states: Arc<MemoryStates>,
    running: Mutex<HashMap<i32, Cancel>>,
    /// Signals that a request has ended.
    ended: Condvar,
    /// The reason why a response could not be written.
    failure: Mutex<Option<String>>,
}

impl Worker {
    fn running(&self) -> MutexGuard<'_, HashMap<i32, Cancel>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_until(&self, holds: impl Fn(&HashMap<i32, Cancel>) -> bool) {
        let running = self.running();
        drop(self.ended.wait_while(running, |running| !holds(running)));
    }

    /// Starts or ends a request.
    fn accept(this: &Arc<Worker>, request: WorkRequest) -> Result<(), String> {
        let id = request.request_id;
        if request.cancel {
            // One that has ended has its response.
            if let Some(cancel) = this.running().get(&id) {
                cancel.cancel();
            }
            return Ok(());
        }
        this.wait_until(|running| running.len() < MOST_RUNNING && !running.contains_key(&id));
        let cancel = Cancel::new();
        this.running().insert(id, cancel.clone());
        let worker = this.clone();
        let work = move || {
            let response = worker.respond(request, cancel);
            worker.send(&response);
            worker.running().remove(&id);
            worker.ended.notify_all();
        };
        let started =
            thread::Builder::new().name(format!("request-{id}")).stack_size(STACK_BYTES).spawn(work);
        started.map(drop).map_err(|error| format!("a thread cannot be started: {error}"))
    }

    /// Runs a request.
    fn respond(&self, request: WorkRequest, cancel: Cancel) -> WorkResponse {
        let WorkRequest { arguments, inputs, request_id, sandbox_dir, .. } = request;
        let inputs = inputs.into_iter().map(|input| (input.path, stamp(&input.digest)));
        let inputs: HashMap<String, Stamp> = inputs.collect();
        let mut environment = Environment::captured();
        environment.folder = PathBuf::from(sandbox_dir);
        environment.inputs = (!inputs.is_empty()).then(|| Arc::new(inputs));
        environment.states = Some(self.states.clone());
        environment.cancel = cancel.clone();
        let program = &self.call.program;
        let words: Vec<String> = self.call.words.iter().cloned().chain(arguments).collect();
        let done = if words.iter().any(|word| word == WORKER_FLAG) {
            Err(Failure(format!("{program}: {WORKER_FLAG} is no argument of a request\n")))
        } else {
            let mut call = Call::new(program.clone(), &words);
            let run = || {
                plugin::call::attach(&mut call, &environment.folder)?;
                parallel::with_stack(|| run_in(&environment, call, library::for_tblgen))
            };
            // The panic's message went to standard error, which Bazel keeps in the worker's log.
            let fault = |_| {
                Err(Failure(format!(
                    "{program}: this is a fault of odsmith; the log of the worker has more\n"
                )))
            };
            catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(fault)
        };
        if let Err(Failure(message)) = &done {
            environment.to_stderr(message.as_bytes());
            if needs_sandbox(&environment.folder, &words) {
                environment.to_stderr(format!("{program}: help: {SANDBOX_HELP}\n").as_bytes());
            }
        }
        let was_cancelled = cancel.is_cancelled();
        let output = if was_cancelled { Vec::new() } else { environment.into_printed() };
        WorkResponse {
            exit_code: i32::from(done.is_err()),
            output: String::from_utf8_lossy(&output).into_owned(),
            request_id,
            was_cancelled,
        }
    }

    fn send(&self, response: &WorkResponse) {
        let mut out = io::stdout().lock();
        if let Err(error) = self.protocol.write(response, &mut out) {
            let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
            failure.get_or_insert(format!("a response cannot be written: {error}"));
        }
    }
}

/// Returns the stamp of a file with this digest.
fn stamp(digest: &[u8]) -> Stamp {
    let number = Sha256::digest(digest).first_chunk().map(|head| u64::from_le_bytes(*head));
    number.filter(|_| !digest.is_empty()).map_or(Stamp::Unknown, Stamp::Known)
}

/// States and outputs of earlier requests, the ones used last.
#[derive(Debug)]
struct MemoryStates {
    states: Cache<String, Arc<[u8]>>,
    notes: Cache<String, ()>,
}

impl MemoryStates {
    fn new() -> MemoryStates {
        let weight =
            |key: &String, bytes: &Arc<[u8]>| u32::try_from(key.len() + bytes.len()).unwrap_or(u32::MAX);
        MemoryStates {
            states: Cache::builder().max_capacity(MOST_KEPT).weigher(weight).build(),
            notes: Cache::new(100_000),
        }
    }
}

impl CheckpointStore for MemoryStates {
    fn load(&self, key: &str) -> Option<Vec<u8>> {
        self.states.get(key).map(|bytes| bytes.to_vec())
    }

    fn save(&self, key: &str, parts: &[&[u8]]) {
        self.states.insert(key.to_owned(), parts.concat().into());
    }

    fn note(&self, key: &str) -> bool {
        let is_known = self.notes.contains_key(key);
        self.notes.insert(key.to_owned(), ());
        is_known
    }
}
