//! The socket that the server listens on, and how listening ends without losing a connection.

use std::{
    io,
    net::{SocketAddr, TcpListener},
    time::Duration,
};

use actix_web::rt::time::sleep;
use socket2::{Domain, Protocol, Socket, Type};

/// Maximum number of connections that wait to be accepted.
const WAITING: i32 = 1024;

/// How long to wait, once the socket refuses new connections, for those in progress to be established and accepted: a
/// few round trips.
#[cfg(target_os = "linux")]
const LAST_CALL: Duration = Duration::from_millis(250);
#[cfg(not(target_os = "linux"))]
const LAST_CALL: Duration = Duration::ZERO;

/// The socket of a server, held beside the server so that it can be made to refuse connections before it is closed.
#[derive(Debug)]
pub struct Listening(Socket);

impl Listening {
    /// Listens at an address: returns the listener for the server, and the handle that stays here.
    ///
    /// # Errors
    /// The address cannot be listened on.
    pub fn at(address: SocketAddr) -> io::Result<(TcpListener, Listening)> {
        let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
        // On other systems than Unix this would let another process take the address.
        #[cfg(unix)]
        socket.set_reuse_address(true)?;
        socket.bind(&address.into())?;
        socket.listen(WAITING)?;
        let held = socket.try_clone()?;
        Ok((socket.into(), Listening(held)))
    }

    /// Refuses new connections, and waits until those already in progress are accepted. When a socket is closed, the
    /// system resets the connections that still wait: their clients would get no answer.
    pub async fn refuse_connections(self) {
        // Without the filter, listening ends as in other servers.
        if refuse_first_packets(&self.0).is_ok() {
            sleep(LAST_CALL).await;
        }
    }
}

/// Has the system drop each packet that asks for a connection. The client sends it again after a second, and finds the
/// address closed, or another server there.
#[cfg(target_os = "linux")]
fn refuse_first_packets(socket: &Socket) -> io::Result<()> {
    use socket2::SockFilter;

    // Codes of the classic packet filter (BPF), in which the packet begins with the TCP header.
    const LOAD_BYTE: u16 = 0x30;
    const JUMP_IF_ANY_BIT: u16 = 0x45;
    const RETURN: u16 = 0x06;
    const FLAGS: u32 = 13;
    const SYN: u32 = 0x02;
    socket.attach_filter(&[
        SockFilter::new(LOAD_BYTE, 0, 0, FLAGS),
        SockFilter::new(JUMP_IF_ANY_BIT, 0, 1, SYN),
        SockFilter::new(RETURN, 0, 0, 0),
        SockFilter::new(RETURN, 0, 0, u32::MAX),
    ])
}

#[cfg(not(target_os = "linux"))]
fn refuse_first_packets(_: &Socket) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use std::{io::Read, net::TcpStream};

    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn connections_that_had_begun_can_be_taken_and_no_new_one_begins() {
        let (listener, listening) = Listening::at(([127, 0, 0, 1], 0).into()).expect("a free port");
        let address = listener.local_addr().expect("its address");
        let mut before = TcpStream::connect(address).expect("it listens");
        refuse_first_packets(&listening.0).expect("Linux has filters");
        let after = TcpStream::connect_timeout(&address, Duration::from_millis(200));
        assert_eq!(after.map(drop).unwrap_err().kind(), io::ErrorKind::TimedOut);
        let (taken, _) = listener.accept().expect("the one that waited");
        drop(taken);
        assert_eq!(before.read(&mut [0]).expect("an orderly end"), 0);
    }
}
