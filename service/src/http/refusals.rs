//! Requests that the framework refuses by itself, before the application sees them: heads that are malformed, too large
//! or too slow. It answers with a bare status; this module turns such an answer into a problem document, a log line and
//! a count, as for any other.
//!
//! An answer that begins while no request waits for one is the framework's: see [`framing`](crate::http::framing). The
//! framework has a timeout for the first head of a connection only; the one for later heads is here.

use std::{
    fmt::Write as _,
    future::Future,
    io,
    net::SocketAddr,
    pin::Pin,
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};

use actix_web::{
    body::MessageBody,
    http::{StatusCode, header::HeaderValue},
    rt::net::TcpStream,
    web::{Bytes, Data},
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Sleep, sleep_until},
};

use crate::{
    http::{
        framing::{Framing, PendingRequests},
        state::State,
    },
    pipeline::error::{ApiError, Kind},
};

/// The connection of a client, as the framework reads and writes it.
pub struct Connection {
    stream: TcpStream,
    asked: PendingRequests,
    written: Framing,
    opened: Instant,
    /// The state that writes the documents of refusals.
    state: Data<State>,
    /// The bytes written in place of a bare refusal, or for a head that is too slow; nothing comes after them.
    refusal: Option<Bytes>,
    /// How long a head may take, and when the current, incomplete one began.
    head: Duration,
    head_begun: Option<Instant>,
    /// True if the application has received a request: the framework's own timeout has ended.
    had_one: bool,
    /// Wakes the connection to check the head; it is not reset for each head.
    clock: Option<Pin<Box<Sleep>>>,
}

impl Connection {
    /// Wraps a new connection, with the time that a head may take.
    #[must_use]
    pub fn new(stream: TcpStream, state: Data<State>, head: Duration) -> Connection {
        Connection {
            stream,
            asked: PendingRequests::default(),
            written: Framing::default(),
            opened: Instant::now(),
            state,
            refusal: None,
            head,
            head_begun: None,
            had_one: false,
            clock: None,
        }
    }

    /// Returns the underlying connection.
    #[must_use]
    pub fn stream(&self) -> &TcpStream {
        &self.stream
    }

    /// Returns the list of requests that the application fills.
    #[must_use]
    pub fn asked(&self) -> PendingRequests {
        self.asked.clone()
    }

    /// Reports a refusal to the observers and returns its document.
    fn document(&self, status: StatusCode) -> Bytes {
        let problem = match self.asked.refused() {
            Some(length) if status == StatusCode::PAYLOAD_TOO_LARGE => {
                ApiError::too_large("body_bytes", self.state.limits.archive.body_bytes, length)
            }
            _ => problem(status),
        };
        let id = crate::http::app::new_request_id();
        let text = text(&problem, &id);
        let peer = self.stream.peer_addr().ok().as_ref().map(SocketAddr::ip);
        let time = self.head_begun.unwrap_or(self.opened).elapsed();
        self.state.observers.refused(problem.kind.status(), id.to_str().unwrap_or_default(), peer, time);
        text.into()
    }

    /// Writes the rest of a document.
    fn write_refusal(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while let Some(left) = self.refusal.as_mut().filter(|left| !left.is_empty()) {
            let count = ready!(Pin::new(&mut self.stream).poll_write(cx, left))?;
            if count == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            let _ = left.split_to(count);
        }
        Poll::Ready(Ok(()))
    }

    /// Returns true if the framework waits for the rest of a head that is not the first.
    fn is_amid_head(&self) -> bool {
        self.had_one && self.head_begun.is_some() && self.asked.is_empty() && self.written.is_between()
    }

    /// Completes when a head that is not the first takes too long.
    fn poll_late(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            if let Some(clock) = &mut self.clock {
                ready!(clock.as_mut().poll(cx));
                self.clock = None;
            }
            let Some(begun) = self.head_begun.filter(|_| self.is_amid_head()) else { return Poll::Pending };
            let end = begun + self.head;
            if end <= Instant::now() {
                return Poll::Ready(());
            }
            self.clock = Some(Box::pin(sleep_until(end.into())));
        }
    }
}

/// Returns the error for a bare status.
fn problem(status: StatusCode) -> ApiError {
    let (kind, detail) = match status {
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => {
            (Kind::HEAD_TOO_LARGE, "the head of the request is larger than 128 KiB")
        }
        StatusCode::REQUEST_TIMEOUT => {
            (Kind::HEAD_TOO_SLOW, "the head of the request did not arrive within head_seconds of /v1/limits")
        }
        StatusCode::BAD_REQUEST => (Kind::BAD_REQUEST, "the head of the request is not HTTP/1.1"),
        _ => return ApiError::of_status(status, status.to_string()),
    };
    ApiError::new(kind, detail)
}

/// Returns an answer as it is written; nothing follows it.
fn text(problem: &ApiError, id: &HeaderValue) -> Vec<u8> {
    let response = problem.response(id.to_str().unwrap_or_default());
    let status = response.status();
    let mut head =
        format!("HTTP/1.1 {} {}\r\n", status.as_u16(), status.canonical_reason().unwrap_or("Refused"));
    for (name, value) in response.headers() {
        if name != "connection" {
            // Writing into a string does not fail.
            let _ = write!(head, "{name}: {}\r\n", value.to_str().unwrap_or_default());
        }
    }
    let body = response.into_body().try_into_bytes().unwrap_or_default();
    let _ = write!(
        head,
        "content-length: {}\r\nconnection: close\r\nx-content-type-options: nosniff\r\nx-request-id: {}\r\n\r\n",
        body.len(),
        id.to_str().unwrap_or_default()
    );
    [head.as_bytes(), &body].concat()
}

/// Returns the status of an answer that is a refusal.
fn refused_status(answer: &[u8]) -> Option<StatusCode> {
    let status = StatusCode::from_bytes(answer.strip_prefix(b"HTTP/1.1 ")?.get(..3)?).ok()?;
    (status.is_client_error() || status.is_server_error()).then_some(status)
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let before = buffer.filled().len();
        if this.refusal.is_none() {
            let read = Pin::new(&mut this.stream).poll_read(cx, buffer);
            if !this.asked.is_empty() {
                (this.had_one, this.head_begun) = (true, None);
            } else if buffer.filled().len() > before {
                this.head_begun.get_or_insert_with(Instant::now);
            }
            if read.is_ready() || this.poll_late(cx).is_pending() {
                return read;
            }
            this.refusal = Some(this.document(StatusCode::REQUEST_TIMEOUT));
        }
        // The framework takes this for the client's end of stream.
        this.write_refusal(cx)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        if this.refusal.is_none() {
            let mut after = this.written.clone();
            let refusal = after.read(bytes, &this.asked);
            let own = match refusal {
                Some(0) => refused_status(bytes).map(|status| this.document(status)),
                _ => None,
            };
            if own.is_none() {
                if refusal == Some(0) {
                    after.give_up();
                }
                let end = refusal.filter(|at| *at > 0).unwrap_or(bytes.len());
                let count = ready!(Pin::new(&mut this.stream).poll_write(cx, &bytes[..end]))?;
                match count == end {
                    true => this.written = after,
                    false => drop(this.written.read(&bytes[..count], &this.asked)),
                }
                this.written.commit(&this.asked);
                // Complete requests are answered, or being answered: an incomplete head came after them.
                (this.had_one, this.head_begun) = (true, None);
                return Poll::Ready(Ok(count));
            }
            this.refusal = own;
        }
        // The bare answer is small, and is written at once.
        ready!(this.write_refusal(cx))?;
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_status_becomes_a_document() {
        for (status, code) in [
            (StatusCode::BAD_REQUEST, "bad-request"),
            (StatusCode::REQUEST_TIMEOUT, "head-too-slow"),
            (StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "head-too-large"),
        ] {
            let answer =
                String::from_utf8(text(&problem(status), &HeaderValue::from_static("id-1"))).unwrap();
            let (head, body) = answer.split_once("\r\n\r\n").unwrap();
            assert!(head.starts_with(&format!("HTTP/1.1 {} ", status.as_u16())), "{head}");
            assert!(head.contains("\r\ncontent-type: application/problem+json\r\n"), "{head}");
            assert!(head.contains(&format!("\r\ncontent-length: {}\r\n", body.len())), "{head}");
            assert_eq!(head.matches("connection: ").count(), 1, "{head}");
            let document: serde_json::Value = serde_json::from_str(body).unwrap();
            assert_eq!((&document["code"], &document["request_id"]), (&code.into(), &"id-1".into()));
        }
    }
}
