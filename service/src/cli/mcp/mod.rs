//! The Model Context Protocol over standard input and output. [`tools`] answers the calls: questions about definitions here,
//! and the other ones by a command of this program. Nothing is written, and paths lead below the root.

pub mod tools;

use std::{path::PathBuf, sync::Arc};

use rmcp::{ServiceExt as _, transport::stdio};

use crate::pipeline::mcp::Server;
use tools::{LocalCatalog, Tools};

/// Answers until standard input ends.
///
/// # Errors
/// The client breaks the protocol, or a stream fails.
pub fn serve(root: PathBuf, catalog: Option<LocalCatalog>) -> Result<(), String> {
    let (server, mut calls) = Server::new()?;
    let tools = Arc::new(Tools::new(root, catalog)?);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let outcome = runtime.block_on(async {
        tokio::spawn(async move {
            while let Some(call) = calls.recv().await {
                let tools = Arc::clone(&tools);
                // Reading definitions takes seconds: other calls are answered meanwhile.
                tokio::task::spawn_blocking(move || {
                    let _ = call.answer.send(tools.call(&call.name, &call.arguments));
                });
            }
        });
        let running = server.serve(stdio()).await.map_err(|error| error.to_string())?;
        running.waiting().await.map(drop).map_err(|error| error.to_string())
    });
    // A read of standard input cannot be cancelled.
    runtime.shutdown_background();
    outcome
}
