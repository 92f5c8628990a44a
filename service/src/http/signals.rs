//! The end of a server: it says that it is not ready any more, waits until balancers know, and then answers what it has
//! accepted. One handler for the public listener and that of the operators, in this order.

use std::{io, time::Duration};

use actix_web::{
    dev::ServerHandle,
    rt::{self, signal, time::sleep},
    web::Data,
};

use crate::http::{listening::Listening, state::State};

/// A server that runs, and the socket that it listens on.
pub type Running = (ServerHandle, Listening);

/// Ends the servers, the first one first, after a signal. A second signal ends them at once.
///
/// # Errors
/// Signals can not be listened to.
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
        // Without a way to be asked, it goes on.
        if signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
