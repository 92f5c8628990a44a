//! A language server for definitions.
//!
//! ```text
//! standard input ─ reader ─┬─ messages ─→ server ─→ standard output
//!                          └─ cancels running work
//! ```
//!
//! One thread answers: every answer takes milliseconds, and the next one sees the results of the one before. The reader
//! sees messages first: a cancelled request is never started, and an edit stops an analysis that it outdates.
//!
//! * [`project`]: a folder, its roots, and the places of its files;
//! * `server`: messages, open files, work for idle times;
//! * `dispatch`: the handler of each method; `handlers`: they ask `odsmith_ide`;
//! * `from_proto`, `to_proto`: the protocol's types (crate `gen-lsp-types`) and the engine's;
//! * `problems`: published diagnostics; `lint`: lint findings, computed on a separate thread;
//! * `ir`: the definitions of the library for `.mlir` files, read on a separate thread;
//! * `alone`: the same server where there are no threads;
//! * `history`: breaking edits since the last commit;
//! * `capabilities`: those of both sides; [`configuration`]: editor configurations.

mod alone;
mod capabilities;
pub mod configuration;
mod dispatch;
mod from_proto;
mod handlers;
mod history;
mod ir;
mod lint;
mod problems;
pub mod project;
mod server;
mod to_proto;

use crate::cli::commands::exit::ExitStatus;
use std::{
    collections::HashSet,
    io::Write,
    io::stderr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
};

use lsp_server::{Connection, Message, RequestId};
use odsmith_engine::{cancel::Cancel, parallel};
use serde_json::{Value, json};

use capabilities::Client;
use project::Sources;
use server::Server;

/// An event for the server.
pub(crate) enum Event {
    /// A message from the editor.
    Message(Message),
    /// The end of the connection.
    Gone,
    /// The result of a lint run.
    Linted(lint::LintAnswer),
    /// The records of a project's library, for reading IR.
    LibraryRead(ir::LibraryRoots),
}

/// The state shared by the reader and the server.
#[derive(Debug, Default)]
pub(crate) struct Interruption {
    /// Requests that were cancelled.
    cancelled: Mutex<HashSet<RequestId>>,
    /// Cancels the running analysis.
    cancel: Mutex<Cancel>,
    /// True if any message cancels the running work, because no request waits for it.
    gives_way: AtomicBool,
}

impl Interruption {
    /// Returns true if a request was cancelled, and forgets the cancellation.
    pub(crate) fn is_cancelled(&self, id: &RequestId) -> bool {
        self.cancelled.lock().unwrap_or_else(PoisonError::into_inner).remove(id)
    }

    /// Replaces the token that cancels the next analysis.
    pub(crate) fn renew(&self) -> Cancel {
        let fresh = Cancel::new();
        *self.cancel.lock().unwrap_or_else(PoisonError::into_inner) = fresh.clone();
        fresh
    }

    /// Sets whether any message cancels the running work.
    pub(crate) fn gives_way(&self, gives_way: bool) {
        self.gives_way.store(gives_way, Ordering::Relaxed);
    }

    fn stop(&self) {
        self.cancel.lock().unwrap_or_else(PoisonError::into_inner).cancel();
    }

    fn see(&self, message: &Message) {
        if self.gives_way.load(Ordering::Relaxed) {
            self.stop();
        }
        let Message::Notification(note) = message else { return };
        match note.method.as_str() {
            "$/cancelRequest" => {
                if let Ok(id) = serde_json::from_value(note.params["id"].clone()) {
                    let mut cancelled = self.cancelled.lock().unwrap_or_else(PoisonError::into_inner);
                    // Cancellations of requests already answered would pile up.
                    if cancelled.len() > 1000 {
                        cancelled.clear();
                    }
                    cancelled.insert(id);
                }
            }
            "textDocument/didChange" => self.stop(),
            _ => {}
        }
    }
}

/// Serves one editor, over standard input and output or at an address.
///
/// # Errors
/// The address cannot be listened on, or the editor's messages are malformed.
pub fn run(address: Option<&str>, sources: Sources) -> Result<ExitStatus, String> {
    if cfg!(target_family = "wasm") && address.is_none() {
        return alone::run(sources);
    }
    let (connection, threads) = match address {
        None => Connection::stdio(),
        Some(address) => {
            let _ = writeln!(stderr().lock(), "odsmith: waiting for an editor at {address}");
            Connection::listen(address).map_err(|error| format!("{address}: {error}"))?
        }
    };
    let (id, parameters) = connection.initialize_start().map_err(|error| error.to_string())?;
    let client = Client::new(&parameters);
    connection.initialize_finish(id, about(&client)).map_err(|error| error.to_string())?;
    let interruption = Arc::new(Interruption::default());
    let (to_server, events) = mpsc::channel();
    let receiver = connection.receiver;
    let seen = Arc::clone(&interruption);
    let of_reader = to_server.clone();
    thread::spawn(move || {
        for message in receiver {
            seen.see(&message);
            if of_reader.send(Event::Message(message)).is_err() {
                break;
            }
        }
        let _ = of_reader.send(Event::Gone);
    });
    let sender = connection.sender;
    // Evaluation recurses deeply.
    let serve = move || {
        let send = move |message: Message| sender.send(message).is_ok();
        let next = |wait| match wait {
            None => events.recv().map_err(|_| mpsc::RecvTimeoutError::Disconnected),
            Some(wait) => events.recv_timeout(wait),
        };
        Server::new(client, sources, Box::new(send), interruption, to_server).serve(next)
    };
    let server =
        thread::Builder::new().name("server".to_owned()).stack_size(parallel::STACK_BYTES).spawn(serve);
    let server = server.map_err(|error| error.to_string())?;
    let code = server.join().map_err(|_| "the server ended in a way that it never should".to_owned())?;
    threads.join().map_err(|error| error.to_string())?;
    Ok(code)
}

/// Returns what a client learns of the server.
fn about(client: &Client) -> Value {
    json!({
        "capabilities": capabilities::of(client),
        "serverInfo": { "name": "odsmith", "version": env!("CARGO_PKG_VERSION") },
    })
}
