//! Ports of the loopback interface for servers that cannot choose one themselves.

use std::{
    net::TcpListener,
    sync::atomic::{AtomicU16, Ordering},
};

/// The first port is below the range from which the system takes ports for outgoing connections, so that none of those
/// can take it between the choice here and the server's start.
const FIRST: u16 = 20_000;
const COUNT: u16 = 12_000;

/// A port that nothing listens on, and that this process returns only once.
///
/// # Panics
/// When all ports are taken.
#[must_use]
pub fn free() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    // Each process starts at a different port.
    let start = (std::process::id() % u32::from(COUNT)) as u16;
    (0..COUNT)
        .map(|_| FIRST + (start + NEXT.fetch_add(1, Ordering::Relaxed) % COUNT) % COUNT)
        .find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok())
        .expect("a free port")
}
