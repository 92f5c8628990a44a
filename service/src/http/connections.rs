//! Connections: how many one address may have, and how long a client may stall while an answer is sent to it.

use std::{
    collections::HashMap,
    net::{IpAddr, Shutdown},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use actix_web::{dev::Extensions, rt::net::TcpStream};
use socket2::SockRef;

use crate::{config::Config, jobs::ticket::Client};

/// The connections of each address.
#[derive(Debug)]
pub struct Connections {
    most_of_client: usize,
    /// How long sent data may wait for the client to take it.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Linux has a clock for it"))]
    write_milliseconds: u32,
    open: Mutex<HashMap<Client, usize>>,
}

/// A connection, counted until it ends.
struct Connection {
    of: Arc<Connections>,
    client: Client,
}

impl Connections {
    /// Creates the table, empty. If there is a proxy in front, addresses do not identify clients, and connections are
    /// not limited.
    #[must_use]
    pub fn new(config: &Config) -> Arc<Connections> {
        let limits = &config.limits;
        Arc::new(Connections {
            most_of_client: if config.behind_proxy { usize::MAX } else { limits.connections_of_client },
            write_milliseconds: u32::try_from(limits.write_seconds.saturating_mul(1000)).unwrap_or(u32::MAX),
            open: Mutex::default(),
        })
    }

    /// Counts a new connection, or closes it if its address has too many.
    pub fn opened(self: &Arc<Self>, stream: &TcpStream, extensions: &mut Extensions) {
        self.give_up_late_readers(stream);
        // Otherwise the last piece of an answer waits for the client to confirm the piece before it, which clients put off
        // for 40 ms.
        let _ = stream.set_nodelay(true);
        let Ok(peer) = stream.peer_addr() else { return };
        match self.count(peer.ip()) {
            Some(counted) => drop(extensions.insert(Arc::new(counted))),
            None => close(stream),
        }
    }

    fn count(self: &Arc<Self>, address: IpAddr) -> Option<Connection> {
        let client = Client::at(address);
        let mut open = self.lock();
        let count = open.entry(client).or_default();
        if *count >= self.most_of_client {
            return None;
        }
        *count += 1;
        Some(Connection { of: self.clone(), client })
    }

    /// Has the system end the connection if the client takes nothing for so long. Nothing else watches an answer that
    /// waits to be taken.
    fn give_up_late_readers(&self, stream: &TcpStream) {
        #[cfg(target_os = "linux")]
        let _ = rustix::net::sockopt::set_tcp_user_timeout(stream, self.write_milliseconds);
        #[cfg(not(target_os = "linux"))]
        let _ = stream;
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Client, usize>> {
        // No code that can panic runs under the lock.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let mut open = self.of.lock();
        if let Some(count) = open.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.client);
            }
        }
    }
}

fn close(stream: &TcpStream) {
    // An error means that it is closed already.
    let _ = SockRef::from(stream).shutdown(Shutdown::Both);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_so_many() {
        let mut config = Config::default();
        config.limits.connections_of_client = 2;
        let connections = Connections::new(&config);
        let [one, other] = [[10, 0, 0, 1], [10, 0, 0, 2]].map(IpAddr::from);
        let first = connections.count(one);
        assert!(first.is_some() && connections.count(one).is_some(), "the second ends at once");
        let second = connections.count(one);
        assert!(second.is_some() && connections.count(one).is_none());
        assert!(connections.count(other).is_some());
        drop(first);
        assert!(connections.count(one).is_some());
        drop(second);
        assert!(connections.lock().is_empty());
        let behind = Connections::new(&Config { behind_proxy: true, ..config });
        let all: Vec<_> = (0..9).map(|_| behind.count(one)).collect();
        assert!(all.iter().all(Option::is_some));
    }
}
