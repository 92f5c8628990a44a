//! A span for each request, for an OpenTelemetry collector: OTLP over HTTP, as JSON.
//!
//! Spans wait in a bounded queue and are sent in batches. A slow or missing collector costs spans, never a request.
//! OpenTelemetry's crates would bring some thirty others, for one kind of span.

use std::{
    hash::{BuildHasher, RandomState},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use actix_web::{http::Method, rt, rt::time::sleep};
use reqwest::{Client, Url};
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

use super::observers::Answered;

/// Maximum number of spans that wait; further ones are dropped.
const MOST_WAITING: usize = 4_096;
/// Maximum number of spans in a batch.
const MOST_TOGETHER: usize = 512;
/// How long spans wait for others.
const PAUSE: Duration = Duration::from_secs(1);
/// Timeout for the collector.
const PATIENCE: Duration = Duration::from_secs(5);

/// The connection to a collector.
pub struct Traces {
    sender: mpsc::Sender<Message>,
    /// Taken by the task that sends.
    waiting: Mutex<Option<(Client, Url, mpsc::Receiver<Message>)>>,
    /// The source of span ids: a random start, and a number.
    seed: RandomState,
    number: AtomicU64,
}

enum Message {
    Span(Value),
    /// A request to send everything now; the answer reports that all earlier spans were sent.
    Flush(oneshot::Sender<()>),
}

/// The caller's trace that a request belongs to (`traceparent`, W3C Trace Context).
#[derive(Debug, PartialEq, Eq)]
struct Parent<'a> {
    trace: &'a str,
    span: &'a str,
    is_sampled: bool,
}

impl Traces {
    /// Creates the connection to the collector at `http://host:4318`.
    ///
    /// # Errors
    /// The address is malformed.
    pub fn new(endpoint: &str) -> Result<Traces, String> {
        let wrong = || format!("otlp: '{endpoint}' is not the address of a collector (http://host:4318)");
        let url = format!("{}/v1/traces", endpoint.trim_end_matches('/'));
        let url = Url::parse(&url).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        let url = url.ok_or_else(wrong)?;
        let client = Client::builder().timeout(PATIENCE).no_proxy().build().map_err(|_| wrong())?;
        let (sender, receiver) = mpsc::channel(MOST_WAITING);
        let waiting = Mutex::new(Some((client, url, receiver)));
        Ok(Traces { sender, waiting, seed: RandomState::new(), number: AtomicU64::new(0) })
    }

    /// Starts sending, on the current runtime.
    pub fn start(&self) {
        // No code that can panic runs under the lock.
        let taken = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((client, url, receiver)) = taken {
            rt::spawn(send_all(client, url, receiver));
        }
    }

    /// Queues the span of an answer.
    pub fn note(&self, answered: &Answered<'_>, method: &Method, route: &str, status: u16, time: Duration) {
        let parent = answered.trace.and_then(Parent::read);
        if parent.as_ref().is_some_and(|parent| !parent.is_sampled) {
            return;
        }
        let end = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let text = |key: &str, value: &str| json!({ "key": key, "value": { "stringValue": value } });
        let mut span = json!({
            "traceId": parent.as_ref().map_or_else(|| format!("{:016x}{:016x}", self.id(), self.id()), |it| it.trace.to_owned()),
            "spanId": format!("{:016x}", self.id()),
            "name": format!("{method} {route}"),
            // A server span.
            "kind": 2,
            "startTimeUnixNano": end.saturating_sub(time).as_nanos().to_string(),
            "endTimeUnixNano": end.as_nanos().to_string(),
            "attributes": [
                text("http.request.method", method.as_str()),
                text("http.route", route),
                text("url.path", answered.path),
                json!({ "key": "http.response.status_code", "value": { "intValue": status.to_string() } }),
            ],
        });
        if let Some(parent) = parent {
            span["parentSpanId"] = parent.span.into();
        }
        if status >= 500 {
            span["status"] = json!({ "code": 2 });
        }
        // A full queue loses the span.
        let _ = self.sender.try_send(Message::Span(span));
    }

    /// Waits until all queued spans are sent, or cannot be.
    pub async fn flush(&self) {
        let (done, is_done) = oneshot::channel();
        if self.sender.send(Message::Flush(done)).await.is_ok() {
            let _ = is_done.await;
        }
    }

    /// Returns a different number each time, and never 0.
    fn id(&self) -> u64 {
        self.seed.hash_one(self.number.fetch_add(1, Ordering::Relaxed)).max(1)
    }
}

impl<'a> Parent<'a> {
    fn read(header: &'a str) -> Option<Parent<'a>> {
        let mut parts = header.split('-');
        let (version, trace, span, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        let is_hex = |text: &str, length: usize| {
            text.len() == length && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        };
        let is_id = |text: &str, length: usize| is_hex(text, length) && text.bytes().any(|byte| byte != b'0');
        let is_known = is_hex(version, 2) && version != "ff" && is_id(trace, 32) && is_id(span, 16);
        let flags = u8::from_str_radix(flags, 16).ok().filter(|_| is_hex(flags, 2))?;
        is_known.then_some(Parent { trace, span, is_sampled: flags & 1 == 1 })
    }
}

async fn send_all(client: Client, url: Url, mut receiver: mpsc::Receiver<Message>) {
    let mut messages = Vec::new();
    while receiver.recv_many(&mut messages, MOST_TOGETHER).await > 0 {
        let (mut spans, mut waiting) = (Vec::new(), Vec::new());
        for message in messages.drain(..) {
            match message {
                Message::Span(span) => spans.push(span),
                Message::Flush(done) => waiting.push(done),
            }
        }
        if !spans.is_empty() {
            // If the collector is gone, the spans are lost.
            let _ = client.post(url.clone()).json(&document(spans)).send().await;
        }
        if waiting.is_empty() {
            sleep(PAUSE).await;
        }
        for done in waiting {
            let _ = done.send(());
        }
    }
}

fn document(spans: Vec<Value>) -> Value {
    let text = |key: &str, value: &str| json!({ "key": key, "value": { "stringValue": value } });
    json!({ "resourceSpans": [{
        "resource": { "attributes": [
            text("service.name", "odsmith"),
            text("service.version", env!("CARGO_PKG_VERSION")),
        ] },
        "scopeSpans": [{ "scope": { "name": "odsmith" }, "spans": spans }],
    }] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents() {
        let (trace, span) = ("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331");
        let read = |flags: &str| format!("00-{trace}-{span}-{flags}");
        assert_eq!(Parent::read(&read("01")), Some(Parent { trace, span, is_sampled: true }));
        assert_eq!(Parent::read(&read("00")).map(|parent| parent.is_sampled), Some(false));
        for wrong in [
            "",
            "00",
            &read("0"),
            &read("01").to_uppercase(),
            &format!("ff-{trace}-{span}-01"),
            &format!("00-{}-{span}-01", "0".repeat(32)),
            &format!("00-{trace}-{}-01", "0".repeat(16)),
        ] {
            assert_eq!(Parent::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn addresses() {
        assert!(Traces::new("http://127.0.0.1:4318/").is_ok());
        assert!(Traces::new("127.0.0.1:4318").is_err());
    }
}
