//! Tickets: the client of some work, its deadline, and its cancellation.

use std::{
    net::{IpAddr, Ipv6Addr},
    sync::Arc,
    time::{Duration, Instant},
};

use odsmith_engine::cancel::Cancel;

use crate::jobs::work::ProcessorTime;

/// A client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Client {
    /// The holder of a token, by its digest.
    Token([u8; 32]),
    /// An address.
    Address(IpAddr),
}

impl Client {
    /// Returns the client at an address; the addresses of one IPv6 network are one client.
    #[must_use]
    pub fn at(address: IpAddr) -> Client {
        let address = match address.to_canonical() {
            IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
            address @ IpAddr::V4(_) => address,
        };
        Client::Address(address)
    }
}

/// The context that the work for a request carries through all its stages.
#[derive(Clone, Debug)]
pub struct Ticket {
    /// The client; `None` for work of the server itself.
    pub client: Option<Client>,
    /// The deadline of the answer.
    pub until: Instant,
    /// Stops the work.
    pub cancel: Cancel,
    /// The processor time spent on the work.
    pub spent: ProcessorTime,
    _watch: Option<Arc<Watch>>,
}

/// Cancels the work when the last handle that waits for it is dropped.
#[derive(Debug)]
struct Watch(Cancel);

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Ticket {
    /// Creates a ticket with this time limit; the work is cancelled when the ticket is dropped.
    #[must_use]
    pub fn new(client: Client, time: Duration) -> Ticket {
        let ticket = Ticket { client: Some(client), ..Ticket::internal(time) };
        Ticket { _watch: Some(Arc::new(Watch(ticket.cancel.clone()))), ..ticket }
    }

    /// Creates a ticket for work of the server itself.
    #[must_use]
    pub fn internal(time: Duration) -> Ticket {
        let (until, cancel, spent) = (Instant::now() + time, Cancel::new(), ProcessorTime::default());
        Ticket { client: None, until, cancel, spent, _watch: None }
    }

    /// Returns the ticket with its processor time counted elsewhere.
    #[must_use]
    pub fn counted_on(self, spent: ProcessorTime) -> Ticket {
        Ticket { spent, ..self }
    }

    /// Returns the ticket for the code that does the work: holding it does not keep the work alive.
    #[must_use]
    pub fn for_worker(&self) -> Ticket {
        Ticket { _watch: None, ..self.clone() }
    }

    /// Returns the ticket for work whose answer other clients may wait for too: it goes on when this client has gone.
    #[must_use]
    pub fn for_all(&self) -> Ticket {
        Ticket { cancel: Cancel::new(), ..self.for_worker() }
    }

    /// Returns true if the work is cancelled or past its deadline.
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
