//! Bodies of answers that are sent in pieces: bytes that a client has not taken yet stay shared by all clients.

use std::{
    error::Error,
    fmt,
    pin::Pin,
    task::{Context, Poll},
    time::{Duration, Instant},
};

use actix_web::{
    body::{BodySize, BoxBody, MessageBody},
    web::Bytes,
};

/// Number of bytes copied for the network at once.
const PIECE: usize = 32 << 10;

/// Number of pieces sent before other tasks have their turn.
const IN_A_ROW: u8 = 4;

/// The minimum rate at which a client must take an answer.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// How long it may take nothing at first.
    pub start: Duration,
    /// Bytes per second after that.
    pub bytes_per_second: u64,
}

/// A body of shared bytes that is sent at a pace.
struct PacedBody {
    bytes: Bytes,
    given: u64,
    begun: Option<Instant>,
    /// Pieces sent since other tasks had their turn.
    in_a_row: u8,
    pace: Pace,
}

/// The client takes the answer too slowly.
#[derive(Debug)]
struct TooSlow;

impl fmt::Display for TooSlow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the client takes the answer too slowly")
    }
}

impl Error for TooSlow {}

/// Creates a body of shared bytes.
#[must_use]
pub fn body(bytes: Bytes, pace: Pace) -> BoxBody {
    if bytes.len() <= PIECE {
        return BoxBody::new(bytes);
    }
    BoxBody::new(PacedBody { bytes, given: 0, begun: None, in_a_row: 0, pace })
}

impl MessageBody for PacedBody {
    type Error = Box<dyn Error>;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.bytes.len() as u64)
    }

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        if self.bytes.is_empty() {
            return Poll::Ready(None);
        }
        // The system takes megabytes at once, and small requests on the same thread would wait meanwhile.
        if self.in_a_row >= IN_A_ROW {
            self.in_a_row = 0;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        self.in_a_row += 1;
        let now = Instant::now();
        let begun = *self.begun.get_or_insert(now);
        // Polled only after the previous piece was sent.
        let paid = Duration::from_secs_f64(self.given as f64 / self.pace.bytes_per_second.max(1) as f64);
        if now.saturating_duration_since(begun) > self.pace.start + paid {
            return Poll::Ready(Some(Err(TooSlow.into())));
        }
        let length = self.bytes.len().min(PIECE);
        let piece = self.bytes.split_to(length);
        self.given += length as u64;
        Poll::Ready(Some(Ok(piece)))
    }
}

#[cfg(test)]
mod tests {
    use std::{future::poll_fn, thread};

    use actix_web::body::to_bytes;

    use super::*;

    #[actix_web::test]
    async fn all_arrives_in_pieces_that_are_shared() {
        let bytes = Bytes::from((0..=255u8).cycle().take(3 * PIECE + 7).collect::<Vec<u8>>());
        let pace = Pace { start: Duration::from_secs(60), bytes_per_second: 1 };
        let mut body = Box::pin(body(bytes.clone(), pace));
        assert_eq!(body.size(), BodySize::Sized(bytes.len() as u64));
        let first = poll_fn(|cx| body.as_mut().poll_next(cx)).await.unwrap().unwrap();
        assert_eq!((first.len(), first.as_ptr()), (PIECE, bytes.as_ptr()), "nothing is copied");
        assert_eq!(to_bytes(body).await.unwrap(), bytes[PIECE..]);
    }

    #[actix_web::test]
    async fn a_client_that_is_too_slow_is_given_up() {
        let pace = Pace { start: Duration::ZERO, bytes_per_second: 100_000_000 };
        let mut body = Box::pin(body(Bytes::from(vec![0; 4 * PIECE]), pace));
        let mut next = async || poll_fn(|cx| body.as_mut().poll_next(cx)).await.unwrap();
        assert!(next().await.is_ok());
        thread::sleep(Duration::from_millis(20));
        assert!(next().await.is_err());
    }
}
