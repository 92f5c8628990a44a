//! Bytes of bodies in memory: counted as they arrive, so that a client that only announces a large body takes nothing
//! from the others.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::{
    jobs::ticket::Client,
    pipeline::error::{ApiError, Kind},
};

/// The limits of the bytes in memory, and the current counts.
#[derive(Debug)]
pub struct InFlight {
    most: u64,
    most_of_client: u64,
    held: Mutex<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    all: u64,
    clients: HashMap<Client, u64>,
}

/// Bytes that are counted until this is dropped.
#[derive(Debug)]
pub struct Reservation {
    of: Arc<InFlight>,
    client: Client,
    bytes: u64,
}

impl InFlight {
    /// Creates the counter, with nothing held.
    #[must_use]
    pub fn new(most: u64, most_of_client: u64) -> Arc<InFlight> {
        Arc::new(InFlight { most, most_of_client, held: Mutex::default() })
    }

    /// Creates a reservation of no bytes.
    #[must_use]
    pub fn reservation(self: &Arc<Self>, client: Client) -> Reservation {
        Reservation { of: self.clone(), client, bytes: 0 }
    }

    /// Returns the number of bytes held.
    #[must_use]
    pub fn held(&self) -> u64 {
        self.lock().all
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        // No code that can panic runs under the lock.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reservation {
    /// Reserves more bytes.
    ///
    /// # Errors
    /// There are too many of this client, or of all.
    pub fn grow(&mut self, bytes: u64) -> Result<(), ApiError> {
        let mut held = self.of.lock();
        if held.all.saturating_add(bytes) > self.of.most {
            return Err(ApiError::new(
                Kind::OVERLOADED,
                "too many bytes are being worked on; try again soon",
            ));
        }
        let of_client = held.clients.entry(self.client).or_default();
        if of_client.saturating_add(bytes) > self.of.most_of_client {
            if *of_client == 0 {
                held.clients.remove(&self.client);
            }
            let detail = format!(
                "this client has more than {} bytes worked on at the same time; wait for its other requests",
                self.of.most_of_client
            );
            return Err(ApiError { retry_after: Some(2), ..ApiError::new(Kind::OVER_QUOTA, detail) });
        }
        *of_client += bytes;
        held.all += bytes;
        self.bytes += bytes;
        Ok(())
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let mut held = self.of.lock();
        held.all -= self.bytes;
        if let Some(of_client) = held.clients.get_mut(&self.client) {
            *of_client -= self.bytes;
            if *of_client == 0 {
                held.clients.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_arrives_is_held_and_nothing_else() {
        let in_flight = InFlight::new(100, 60);
        let [one, other] = [1, 2].map(|last| Client::at([10, 0, 0, last].into()));
        // Clients that have sent nothing take nothing.
        let idle: Vec<Reservation> = (0..1000).map(|_| in_flight.reservation(one)).collect();
        let mut first = in_flight.reservation(one);
        assert!(first.grow(50).is_ok());
        let refused = in_flight.reservation(one).grow(20).unwrap_err();
        assert_eq!(refused.kind, Kind::OVER_QUOTA);
        let mut second = in_flight.reservation(other);
        assert!(second.grow(50).is_ok(), "another client has a share of its own");
        assert_eq!(in_flight.reservation(other).grow(1).unwrap_err().kind, Kind::OVERLOADED);
        drop(first);
        assert_eq!(in_flight.held(), 50);
        drop((second, idle));
        assert_eq!(in_flight.held(), 0);
        assert!(in_flight.lock().clients.is_empty());
    }
}
