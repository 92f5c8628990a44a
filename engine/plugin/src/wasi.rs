//! The host of WebAssembly modules: commands of WASI preview 1 that see their standard streams and nothing else. There
//! are no files, clock, environment, network or random numbers, and instructions and memory are counted, so that the
//! same input gives the same output, or the same error, on every machine.
//!
//! | function | answer |
//! | --- | --- |
//! | `args_*` | one argument, the word `plugin` |
//! | `fd_read`, `fd_write` | standard input; standard output and standard error |
//! | `random_get` | zeros: the hash maps of most languages ask for a seed |
//! | `proc_exit` | ends the run |
//! | all others | an error, always the same one |

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use wasmi::{
    Caller, Config, Engine, Extern, ExternType, Func, FuncType, Linker, Memory, Store, StoreLimits,
    StoreLimitsBuilder, TrapCode, TypedResumableCall, Val, ValType, errors::ErrorKind,
};

use crate::{
    generator::INSTRUCTIONS,
    host::{Allowance, Fault, Host, MOST_ERRORS, Run, append},
};

/// The module of the functions that plugins import.
const WASI: &str = "wasi_snapshot_preview1";

/// The bytes that every module begins with.
const MAGIC: &[u8] = b"\0asm";

/// The largest module, in bytes.
const MOST_MODULE: usize = 16 << 20;

/// Instructions between two looks at the token that cancels the job.
const SLICE: u64 = 50_000_000;

/// Bytes that a host function copies at the cost of one instruction.
const BYTES_PER_INSTRUCTION: u64 = 64;

/// The most elements of a table.
const MOST_ELEMENTS: usize = 1 << 20;

/// The most tables.
const MOST_TABLES: usize = 16;

/// The most pieces of memory of one call.
const MOST_PIECES: u32 = 1024;

/// Numbers of errors of WASI.
mod errno {
    pub(super) const SUCCESS: i32 = 0;
    pub(super) const BADF: i32 = 8;
    pub(super) const INVAL: i32 = 28;
    pub(super) const NOSYS: i32 = 52;
    pub(super) const NOTSUP: i32 = 58;
    pub(super) const SPIPE: i32 = 70;
}

/// A module. It is read and checked when it is first used; all runs share it.
pub struct Module {
    bytes: Arc<[u8]>,
    digest: String,
    module: OnceLock<Result<wasmi::Module, String>>,
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Module({})", self.digest)
    }
}

impl Module {
    /// Returns true if bytes are to be a module.
    #[must_use]
    pub fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Creates a module from its bytes, which `digest` names.
    #[must_use]
    pub fn new(bytes: Arc<[u8]>, digest: String) -> Module {
        Module { bytes, digest, module: OnceLock::new() }
    }

    /// Reads the module, if no run has read it yet.
    ///
    /// # Errors
    /// The bytes are no module, or it is no command of WASI.
    pub fn check(&self) -> Result<(), String> {
        self.module().map(drop)
    }

    fn module(&self) -> Result<&wasmi::Module, String> {
        self.module.get_or_init(|| read(&self.bytes)).as_ref().map_err(String::clone)
    }
}

/// Reads and checks a module.
fn read(bytes: &[u8]) -> Result<wasmi::Module, String> {
    if bytes.len() > MOST_MODULE {
        return Err(format!("the module has {} bytes, and at most {MOST_MODULE} are read", bytes.len()));
    }
    let mut config = Config::default();
    config.consume_fuel(true).allow_start_fn(false).ignore_custom_sections(true);
    let engine = Engine::new(&config);
    let module = wasmi::Module::new(&engine, bytes)
        .map_err(|error| format!("it is no WebAssembly module: {error}"))?;
    for import in module.imports() {
        let (of, name) = (import.module(), import.name());
        let is_known = ANSWERED.contains(&name) || REFUSALS.iter().any(|(known, ..)| *known == name);
        if of != WASI || !is_known {
            return Err(format!("the module imports '{of}.{name}', and a plugin has nothing but {WASI}"));
        }
    }
    if !matches!(module.get_export(START), Some(ExternType::Func(_))) {
        return Err(format!(
            "the module has no function '{START}': build a command for wasm32-wasip1, no library"
        ));
    }
    Ok(module)
}

/// The function that runs a command.
const START: &str = "_start";

impl Host for Module {
    fn digest(&self) -> Option<&str> {
        Some(&self.digest)
    }

    fn run(&self, input: &[u8], allowance: &Allowance<'_>) -> Run {
        let module = match self.module() {
            Ok(module) => module,
            Err(reason) => return Run { fault: Some(Fault::Failed(reason)), ..Run::default() },
        };
        let state = State {
            input: input.to_vec(),
            read: 0,
            run: Run::default(),
            most_output: allowance.output_bytes,
            is_cut: false,
            limits: StoreLimitsBuilder::new()
                .memory_size(usize::try_from(allowance.memory_bytes).unwrap_or(usize::MAX))
                .table_elements(MOST_ELEMENTS)
                .instances(1)
                .tables(MOST_TABLES)
                .memories(1)
                .trap_on_grow_failure(true)
                .build(),
        };
        let mut store = Store::new(module.engine(), state);
        store.limiter(|state| &mut state.limits);
        let (fault, instructions) = Execution { store: &mut store, allowance }.run(module);
        let State { run, is_cut, .. } = store.into_data();
        let most = allowance.output_bytes;
        let cut = || Fault::Limit { name: "size of the answer", most, unit: "bytes" };
        let fault = fault.or_else(|| is_cut.then(cut));
        Run { fault, instructions, ..run }
    }
}

/// The data of a run.
struct State {
    input: Vec<u8>,
    /// The bytes of the input that were read.
    read: usize,
    run: Run,
    most_output: u64,
    /// True if the output was too long.
    is_cut: bool,
    limits: StoreLimits,
}

/// One run of a module.
struct Execution<'r> {
    store: &'r mut Store<State>,
    allowance: &'r Allowance<'r>,
}

impl Execution<'_> {
    /// Runs the module to its end; returns the fault, and the instructions that were executed.
    fn run(mut self, module: &wasmi::Module) -> (Option<Fault>, u64) {
        let mut left = self.allowance.instructions;
        let fault = self.run_within(module, &mut left).err().filter(|fault| *fault != Fault::Exit(0));
        let unused = left + self.store.get_fuel().unwrap_or_default();
        (fault, self.allowance.instructions.saturating_sub(unused))
    }

    fn run_within(&mut self, module: &wasmi::Module, left: &mut u64) -> Result<(), Fault> {
        self.refuel(left, 0)?;
        let linker = linker(self.store).map_err(|error| fault(&error, self.allowance))?;
        let instance = linker.instantiate_and_start(&mut *self.store, module);
        let instance = instance.map_err(|error| fault(&error, self.allowance))?;
        let start = instance.get_typed_func::<(), ()>(&*self.store, START);
        let start = start.map_err(|error| fault(&error, self.allowance))?;
        let mut call = start.call_resumable(&mut *self.store, ());
        loop {
            call = match call {
                Ok(TypedResumableCall::Finished(())) => return Ok(()),
                Ok(TypedResumableCall::HostTrap(stop)) => {
                    return Err(fault(stop.host_error(), self.allowance));
                }
                Ok(TypedResumableCall::OutOfFuel(paused)) => {
                    self.refuel(left, paused.required_fuel())?;
                    paused.resume(&mut *self.store)
                }
                Err(error) => return Err(fault(&error, self.allowance)),
            };
        }
    }

    /// Hands out the next instructions, `needed` of them at least.
    fn refuel(&mut self, left: &mut u64, needed: u64) -> Result<(), Fault> {
        if self.allowance.cancel.is_cancelled() {
            return Err(Fault::Cancelled);
        }
        let unused = self.store.get_fuel().unwrap_or_default();
        if unused + *left < needed.max(1) {
            return Err(out_of_fuel(self.allowance));
        }
        let more = (*left).min(SLICE.max(needed));
        *left -= more;
        self.store.set_fuel(unused + more).map_err(|error| Fault::Failed(format!("it failed: {error}")))
    }
}

fn out_of_fuel(allowance: &Allowance<'_>) -> Fault {
    Fault::Limit { name: "work", most: allowance.instructions, unit: INSTRUCTIONS }
}

/// Translates an error of the interpreter.
fn fault(error: &wasmi::Error, allowance: &Allowance<'_>) -> Fault {
    if let Some(code) = error.i32_exit_status() {
        return Fault::Exit(code);
    }
    match (error.as_trap_code(), error.kind()) {
        (Some(TrapCode::OutOfFuel), _) => out_of_fuel(allowance),
        (Some(TrapCode::GrowthOperationLimited), _) => {
            Fault::Limit { name: "memory", most: allowance.memory_bytes, unit: "bytes" }
        }
        (Some(TrapCode::StackOverflow), _) => Fault::Failed("it failed: its stack is full".to_owned()),
        (Some(TrapCode::UnreachableCodeReached), _) => {
            Fault::Failed("it failed: it stopped itself, as after a panic".to_owned())
        }
        (_, ErrorKind::Instantiation(_)) => Fault::Failed(format!("it cannot be started: {error}")),
        _ => Fault::Failed(format!("it failed: {error}")),
    }
}

/// Functions that do something.
const ANSWERED: &[&str] = &[
    "args_get",
    "args_sizes_get",
    "environ_get",
    "environ_sizes_get",
    "fd_close",
    "fd_fdstat_get",
    "fd_read",
    "fd_write",
    "proc_exit",
    "random_get",
    "sched_yield",
];

/// Functions that fail: their names, their parameters (`i` for 32 bits, `I` for 64), and the error that they return.
const REFUSALS: &[(&str, &str, i32)] = &[
    ("clock_res_get", "ii", errno::NOTSUP),
    ("clock_time_get", "iIi", errno::NOTSUP),
    ("fd_advise", "iIIi", errno::BADF),
    ("fd_allocate", "iII", errno::BADF),
    ("fd_datasync", "i", errno::BADF),
    ("fd_fdstat_set_flags", "ii", errno::BADF),
    ("fd_fdstat_set_rights", "iII", errno::BADF),
    ("fd_filestat_get", "ii", errno::BADF),
    ("fd_filestat_set_size", "iI", errno::BADF),
    ("fd_filestat_set_times", "iIIi", errno::BADF),
    ("fd_pread", "iiiIi", errno::SPIPE),
    ("fd_prestat_dir_name", "iii", errno::BADF),
    ("fd_prestat_get", "ii", errno::BADF),
    ("fd_pwrite", "iiiIi", errno::SPIPE),
    ("fd_readdir", "iiiIi", errno::BADF),
    ("fd_renumber", "ii", errno::BADF),
    ("fd_seek", "iIii", errno::SPIPE),
    ("fd_sync", "i", errno::BADF),
    ("fd_tell", "ii", errno::SPIPE),
    ("path_create_directory", "iii", errno::BADF),
    ("path_filestat_get", "iiiii", errno::BADF),
    ("path_filestat_set_times", "iiiiIIi", errno::BADF),
    ("path_link", "iiiiiii", errno::BADF),
    ("path_open", "iiiiiIIii", errno::BADF),
    ("path_readlink", "iiiiii", errno::BADF),
    ("path_remove_directory", "iii", errno::BADF),
    ("path_rename", "iiiiii", errno::BADF),
    ("path_symlink", "iiiii", errno::BADF),
    ("path_unlink_file", "iii", errno::BADF),
    ("poll_oneoff", "iiii", errno::NOTSUP),
    ("proc_raise", "i", errno::NOSYS),
    ("sock_accept", "iii", errno::BADF),
    ("sock_recv", "iiiiii", errno::BADF),
    ("sock_send", "iiiii", errno::BADF),
    ("sock_shutdown", "ii", errno::BADF),
];

/// The only argument of a command, as C has it.
const ARGUMENT: &[u8] = b"plugin\0";

/// Defines the functions of WASI.
fn linker(store: &mut Store<State>) -> Result<Linker<State>, wasmi::Error> {
    let mut linker = Linker::new(store.engine());
    for &(name, parameters, error) in REFUSALS {
        let kind = |letter| if letter == 'I' { ValType::I64 } else { ValType::I32 };
        let ty = FuncType::new(parameters.chars().map(kind).collect::<Vec<_>>(), [ValType::I32]);
        let refuse = move |_: Caller<'_, State>, _: &[Val], results: &mut [Val]| {
            results[0] = Val::I32(error);
            Ok(())
        };
        let function = Func::new(&mut *store, ty, refuse);
        linker.define(WASI, name, function)?;
    }
    linker.func_wrap(WASI, "args_sizes_get", |caller: Caller<'_, State>, count: u32, size: u32| {
        with_memory(caller, |memory, _| {
            put(memory, count, 1)?;
            put(memory, size, ARGUMENT.len() as u32)
        })
    })?;
    linker.func_wrap(WASI, "args_get", |caller: Caller<'_, State>, list: u32, bytes: u32| {
        with_memory(caller, |memory, _| {
            put(memory, list, bytes)?;
            slice(memory, bytes, ARGUMENT.len() as u32)?.copy_from_slice(ARGUMENT);
            Some(())
        })
    })?;
    linker.func_wrap(WASI, "environ_sizes_get", |caller: Caller<'_, State>, count: u32, size: u32| {
        with_memory(caller, |memory, _| {
            put(memory, count, 0)?;
            put(memory, size, 0)
        })
    })?;
    linker.func_wrap(WASI, "environ_get", |_: Caller<'_, State>, _: u32, _: u32| errno::SUCCESS)?;
    linker.func_wrap(
        WASI,
        "fd_close",
        |_: Caller<'_, State>, file: u32| {
            if is_stream(file) { errno::SUCCESS } else { errno::BADF }
        },
    )?;
    linker.func_wrap(WASI, "fd_fdstat_get", |caller: Caller<'_, State>, file: u32, at: u32| {
        if !is_stream(file) {
            return errno::BADF;
        }
        // A type that is unknown, no flags, and no rights: a stream that is no terminal.
        with_memory(caller, |memory, _| {
            slice(memory, at, 24)?.fill(0);
            Some(())
        })
    })?;
    linker.func_wrap(
        WASI,
        "fd_read",
        |mut caller: Caller<'_, State>, file: u32, list: u32, count: u32, at: u32| {
            if file != 0 {
                return errno::BADF;
            }
            let mut copied = 0;
            let error = in_memory(&mut caller, |memory, state| {
                for (start, length) in pieces(memory, list, count)? {
                    let rest = &state.input[state.read..];
                    let some = rest.len().min(length as usize);
                    slice(memory, start, length)?[..some].copy_from_slice(&rest[..some]);
                    state.read += some;
                    copied += some as u32;
                }
                put(memory, at, copied)
            });
            charge(&mut caller, count, copied);
            error
        },
    )?;
    linker.func_wrap(
        WASI,
        "fd_write",
        |mut caller: Caller<'_, State>, file: u32, list: u32, count: u32, at: u32| {
            if file != 1 && file != 2 {
                return errno::BADF;
            }
            let mut copied = 0;
            let error = in_memory(&mut caller, |memory, state| {
                for (start, length) in pieces(memory, list, count)? {
                    let bytes = &*slice(memory, start, length)?;
                    if file == 1 {
                        state.is_cut |= !append(&mut state.run.output, bytes, state.most_output);
                    } else {
                        append(&mut state.run.errors, bytes, MOST_ERRORS as u64);
                    }
                    copied += length;
                }
                put(memory, at, copied)
            });
            charge(&mut caller, count, copied);
            error
        },
    )?;
    linker.func_wrap(WASI, "random_get", |mut caller: Caller<'_, State>, at: u32, length: u32| {
        let error = in_memory(&mut caller, |memory, _| {
            slice(memory, at, length)?.fill(0);
            Some(())
        });
        charge(&mut caller, 1, length);
        error
    })?;
    linker.func_wrap(WASI, "sched_yield", |_: Caller<'_, State>| errno::SUCCESS)?;
    linker.func_wrap(WASI, "proc_exit", |_: Caller<'_, State>, code: i32| {
        Err::<(), _>(wasmi::Error::i32_exit(code))
    })?;
    Ok(linker)
}

fn is_stream(file: u32) -> bool {
    file <= 2
}

/// Runs a function on the memory of the caller; returns the number of its error. A place outside of the memory is an
/// invalid argument.
fn in_memory(caller: &mut Caller<'_, State>, work: impl FnOnce(&mut [u8], &mut State) -> Option<()>) -> i32 {
    let memory: Option<Memory> = caller.get_export("memory").and_then(Extern::into_memory);
    let Some(memory) = memory else { return errno::INVAL };
    let (bytes, state) = memory.data_and_store_mut(caller);
    if work(bytes, state).is_some() { errno::SUCCESS } else { errno::INVAL }
}

fn with_memory(mut caller: Caller<'_, State>, work: impl FnOnce(&mut [u8], &mut State) -> Option<()>) -> i32 {
    in_memory(&mut caller, work)
}

/// Returns a part of the memory.
fn slice(memory: &mut [u8], start: u32, length: u32) -> Option<&mut [u8]> {
    let start = start as usize;
    memory.get_mut(start..start.checked_add(length as usize)?)
}

/// Writes a number to the memory.
fn put(memory: &mut [u8], at: u32, number: u32) -> Option<()> {
    slice(memory, at, 4)?.copy_from_slice(&number.to_le_bytes());
    Some(())
}

/// Returns the pieces of memory in a list: start and length of each.
fn pieces(memory: &mut [u8], list: u32, count: u32) -> Option<Vec<(u32, u32)>> {
    if count > MOST_PIECES {
        return None;
    }
    let numbers = slice(memory, list, count * 8)?;
    let (pairs, _) = numbers.as_chunks::<4>();
    let numbers: Vec<u32> = pairs.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
    let total = numbers.chunks_exact(2).try_fold(0u32, |sum, piece| sum.checked_add(piece[1]));
    total.map(|_| numbers.chunks_exact(2).map(|piece| (piece[0], piece[1])).collect())
}

/// Charges the instructions for the work of a host function.
fn charge(caller: &mut Caller<'_, State>, pieces: u32, bytes: u32) {
    let cost = u64::from(pieces) + u64::from(bytes) / BYTES_PER_INSTRUCTION;
    if let Ok(fuel) = caller.get_fuel() {
        // The next instruction asks for more.
        let _ = caller.set_fuel(fuel.saturating_sub(cost));
    }
}
