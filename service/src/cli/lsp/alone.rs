//! The server where there are no threads: it reads a message when it has nothing else to do.
//!
//! Nothing can come while an answer is made, so that nothing is cancelled, and slow work begins without a pause.

use std::{
    io::{BufRead, stdin, stdout},
    sync::{Arc, mpsc},
};

use lsp_server::{ErrorCode, Message, RequestId, Response};
use serde_json::Value;

use super::{Event, Interruption, about, capabilities::Client, project::Sources, server::Server};
use crate::cli::commands::exit::ExitStatus;

/// Serves one editor over standard input and output.
pub(super) fn run(sources: Sources) -> Result<ExitStatus, String> {
    let mut input = stdin().lock();
    let Some((id, parameters)) = beginning(&mut input)? else { return Ok(ExitStatus::Findings) };
    let client = Client::new(&parameters);
    send(Response::new_ok(id, about(&client)).into());
    let interruption = Arc::new(Interruption::default());
    let (to_server, events) = mpsc::channel();
    let seen = Arc::clone(&interruption);
    let next = |wait: Option<_>| match events.try_recv() {
        Ok(event) => Ok(event),
        Err(_) if wait.is_some() => Err(mpsc::RecvTimeoutError::Timeout),
        Err(_) => Ok(match Message::read(&mut input) {
            Ok(Some(message)) => {
                seen.see(&message);
                Event::Message(message)
            }
            Ok(None) | Err(_) => Event::Gone,
        }),
    };
    Ok(Server::new(client, sources, Box::new(send), interruption, to_server).serve(next))
}

/// Writes a message; returns whether the editor is still there.
fn send(message: Message) -> bool {
    message.write(&mut stdout().lock()).is_ok()
}

/// Reads messages up to the one that says who the editor is; `None` if it goes.
fn beginning(input: &mut impl BufRead) -> Result<Option<(RequestId, Value)>, String> {
    while let Some(message) = Message::read(input).map_err(|error| error.to_string())? {
        match message {
            Message::Request(request) if request.method == "initialize" => {
                return Ok(Some((request.id, request.params)));
            }
            Message::Request(request) => {
                let text = "the first request is initialize".to_owned();
                send(Response::new_err(request.id, ErrorCode::ServerNotInitialized as i32, text).into());
            }
            Message::Notification(note) if note.method == "exit" => return Ok(None),
            Message::Notification(_) | Message::Response(_) => {}
        }
    }
    Ok(None)
}
