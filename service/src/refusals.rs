//! What the framework refuses by itself, before the application hears of a request: heads that can not be read, are too
//! large or too slow. It answers with a bare status. Here such an answer becomes a problem document, a line of the log and
//! a count, as any other has.
//!
//! Nothing but the framework can write to a connection on which the application has not been asked anything, so what is
//! written then is known for what it is. Later on a connection it is not, and bare answers stay as they are.

use std::{
    cell::Cell,
    fmt::Write as _,
    io,
    net::SocketAddr,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll, ready},
    time::Instant,
};

use actix_web::{
    body::MessageBody,
    http::{StatusCode, header::HeaderValue},
    rt::net::TcpStream,
    web::{Bytes, Data},
};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::{
    error::{ApiError, Kind},
    state::State,
};

/// How a bare answer begins that says no.
const BEGINNING: &[u8] = b"HTTP/1.1 4";

/// Whether the application has been asked on a connection.
#[derive(Clone, Debug, Default)]
pub struct Asked(Rc<Cell<bool>>);

impl Asked {
    /// Notes that it has.
    pub fn note(&self) {
        self.0.set(true);
    }
}

/// The connection of a client, as the framework reads and writes it.
pub struct Connection {
    stream: TcpStream,
    asked: Asked,
    opened: Instant,
    /// Who makes documents of refusals.
    state: Data<State>,
    /// What is written in place of a bare refusal.
    refusal: Option<Bytes>,
}

impl Connection {
    /// A connection on which nothing was said so far.
    #[must_use]
    pub fn new(stream: TcpStream, state: Data<State>) -> Connection {
        Connection { stream, asked: Asked::default(), opened: Instant::now(), state, refusal: None }
    }

    /// The connection by itself.
    #[must_use]
    pub fn stream(&self) -> &TcpStream {
        &self.stream
    }

    /// Whether the application has been asked on it.
    #[must_use]
    pub fn asked(&self) -> Asked {
        self.asked.clone()
    }

    /// The document in place of a bare refusal, if the framework writes one.
    fn document(&self, written: &[u8]) -> Option<Bytes> {
        if self.asked.0.get() || !written.starts_with(BEGINNING) {
            return None;
        }
        let status = std::str::from_utf8(written.get(9..12)?).ok()?.parse().ok()?;
        let problem = problem(StatusCode::from_u16(status).ok()?);
        let id = crate::app::new_request_id();
        let text = text(&problem, &id);
        let peer = self.stream.peer_addr().ok().as_ref().map(SocketAddr::ip);
        self.state.observers.refused(&problem, id.to_str().unwrap_or_default(), peer, self.opened.elapsed());
        Some(text.into())
    }

    /// Writes what is left of a document.
    fn write_refusal(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while let Some(left) = self.refusal.as_mut().filter(|left| !left.is_empty()) {
            let count = ready!(Pin::new(&mut self.stream).poll_write(cx, left))?;
            if count == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            let _ = left.split_to(count);
        }
        self.refusal = None;
        Poll::Ready(Ok(()))
    }
}

/// The problem of a bare status.
fn problem(status: StatusCode) -> ApiError {
    let (kind, detail) = match status {
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => {
            (Kind::HEAD_TOO_LARGE, "the head of the request is larger than 128 KiB")
        }
        StatusCode::REQUEST_TIMEOUT => {
            (Kind::HEAD_TOO_SLOW, "the head of the request did not arrive within head_seconds of /v1/limits")
        }
        _ => (Kind::BAD_REQUEST, "the head of the request is not HTTP/1.1"),
    };
    ApiError::new(kind, detail)
}

/// An answer as it is written; nothing follows it.
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

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.refusal.is_none() {
            self.refusal = self.document(bytes);
        }
        if self.refusal.is_none() {
            return Pin::new(&mut self.stream).poll_write(cx, bytes);
        }
        // The bare answer is small, and is written at once; nothing comes after it.
        ready!(self.write_refusal(cx))?;
        self.asked.note();
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
