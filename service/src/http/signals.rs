//! Graceful shutdown: the server stops being ready, waits until load balancers have noticed, and then answers the
//! requests that it has accepted, and does the jobs that it has announced. One handler ends the public listener and then the operators'.

use std::{io, time::Duration};

use actix_web::{
    dev::ServerHandle,
    rt::{self, signal, time::sleep},
    web::Data,
};

use crate::http::{listening::Listening, state::State};

/// A running server, and the socket that it listens on.
pub type Running = (ServerHandle, Listening);

/// Ends the servers, in order, after a signal. A second signal ends them at once.
///
/// # Errors
/// Signals cannot be listened to.
pub fn end_on_signals(servers: Vec<Running>, state: Data<State>, drain: Duration) -> io::Result<()> {
    let mut signals = Signals::new()?;
    rt::spawn(async move {
        signals.next().await;
        let handles: Vec<ServerHandle> = servers.iter().map(|(handle, _)| handle.clone()).collect();
        let stop = end(servers, &state, drain);
        tokio::select! {
            () = stop => {}
            () = signals.next() => {
                for server in &handles {
                    server.stop(false).await;
                }
            }
        }
    });
    Ok(())
}

async fn end(servers: Vec<Running>, state: &State, drain: Duration) {
    state.drain();
    sleep(drain).await;
    for (server, listening) in servers {
        listening.refuse_connections().await;
        state.results.finish_announced().await;
        server.stop(true).await;
    }
}

#[cfg(unix)]
struct Signals {
    terminate: signal::unix::Signal,
    interrupt: signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        use signal::unix::{SignalKind, signal};
        Ok(Signals {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Signals)
    }

    async fn next(&mut self) {
        // If signals cannot be received, the server goes on.
        if signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
