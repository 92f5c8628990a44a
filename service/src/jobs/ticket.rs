//! Who asked for some work, until when it is of use, and whether it still is.

use std::{
    net::{IpAddr, Ipv6Addr},
    sync::Arc,
    time::{Duration, Instant},
};

use odsmith_engine::cancel::Cancel;

use crate::jobs::work::Spent;

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Client {
    /// Whoever has this token, by its digest.
    Token([u8; 32]),
    /// Whoever comes from this address.
    Address(IpAddr),
}

impl Client {
    /// The client at an address; the addresses of one IPv6 network are one client.
    #[must_use]
    pub fn at(address: IpAddr) -> Client {
        let address = match address.to_canonical() {
            IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
            address @ IpAddr::V4(_) => address,
        };
        Client::Address(address)
    }
}

/// What the work for a request has with it through all its stages.
#[derive(Clone, Debug)]
pub struct Ticket {
    /// Who asked; no client, for work of the server itself.
    pub client: Option<Client>,
    /// When an answer must have been given.
    pub until: Instant,
    /// Stops the work.
    pub cancel: Cancel,
    /// What is spent on the work.
    pub spent: Spent,
    _watch: Option<Arc<Watch>>,
}

/// Stops the work when the last one who waits for it has gone.
#[derive(Debug)]
struct Watch(Cancel);

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Ticket {
    /// Work that is of use for so long, and while the ticket is held.
    #[must_use]
    pub fn new(client: Client, time: Duration) -> Ticket {
        let ticket = Ticket { client: Some(client), ..Ticket::internal(time) };
        Ticket { _watch: Some(Arc::new(Watch(ticket.cancel.clone()))), ..ticket }
    }

    /// Work of the server itself.
    #[must_use]
    pub fn internal(time: Duration) -> Ticket {
        let (until, cancel, spent) = (Instant::now() + time, Cancel::new(), Spent::default());
        Ticket { client: None, until, cancel, spent, _watch: None }
    }

    /// The same with what is spent on it counted elsewhere.
    #[must_use]
    pub fn counted_on(self, spent: Spent) -> Ticket {
        Ticket { spent, ..self }
    }

    /// The same for those who do the work: holding it keeps nothing going.
    #[must_use]
    pub fn for_worker(&self) -> Ticket {
        Ticket { _watch: None, ..self.clone() }
    }

    /// The same for work whose answer others may wait for too: it goes on when this client has gone.
    #[must_use]
    pub fn for_all(&self) -> Ticket {
        Ticket { cancel: Cancel::new(), ..self.for_worker() }
    }

    /// Whether the work is of no use any more.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.cancel.is_cancelled() || Instant::now() >= self.until
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_stops_when_its_client_has_gone() {
        let ticket = Ticket::new(Client::at([10, 0, 0, 1].into()), Duration::from_secs(60));
        let worker = ticket.for_worker();
        assert!(!worker.is_over());
        drop(ticket);
        assert!(worker.is_over());
        assert!(Ticket::internal(Duration::ZERO).is_over());
    }
}
