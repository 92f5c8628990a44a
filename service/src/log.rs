//! A line for each request, for people or for machines.

use std::{
    io::{Write, stderr},
    net::{IpAddr, Ipv4Addr},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use actix_web::{
    body::{BodySize, BoxBody, MessageBody},
    dev::ServiceResponse,
    http::Method,
};
use serde::Serialize;

use crate::{
    access::{Access, token_name},
    config::Log,
    error::{ApiError, Kind},
    results::StoredResult,
    work::Work,
};

/// What is known of a request once it is answered.
#[derive(Debug, Serialize)]
pub struct Entry<'a> {
    /// Seconds since 1970.
    time: f64,
    request_id: &'a str,
    method: &'a str,
    path: &'a str,
    status: u16,
    bytes: u64,
    milliseconds: f64,
    /// The address that it came from, as far as proxies are believed.
    client: IpAddr,
    /// The name of its token.
    #[serde(skip_serializing_if = "str::is_empty")]
    token: String,
    /// The result that it led to.
    #[serde(skip_serializing_if = "str::is_empty")]
    result: String,
    /// What `Cache-Status` says.
    #[serde(skip_serializing_if = "str::is_empty")]
    cache: &'a str,
    /// What was spent on it.
    processor_seconds: f64,
}

/// What came of a job that no request waited for.
#[derive(Debug, Serialize)]
pub struct JobOutcome<'a> {
    /// Seconds since 1970.
    time: f64,
    /// The name of the token that it was begun with.
    #[serde(skip_serializing_if = "str::is_empty")]
    token: &'a str,
    /// `ok`, or the kind of the problem.
    job: &'a str,
    /// The result that it led to.
    #[serde(skip_serializing_if = "str::is_empty")]
    result: &'a str,
    /// What was spent on it.
    processor_seconds: f64,
}

impl<'a> JobOutcome<'a> {
    /// Of a job that has ended.
    #[must_use]
    pub fn new(token: &'a str, made: &'a Result<StoredResult, ApiError>, processor: Duration) -> Self {
        let (job, result) = match made {
            Ok(found) => (outcome_of(found), found.stored.key.as_str()),
            Err(error) => (error.kind.code, ""),
        };
        JobOutcome { time: now(), token, job, result, processor_seconds: seconds(processor) }
    }

    /// Writes the line.
    pub fn write(&self, form: Log) {
        let JobOutcome { token, job, result, processor_seconds, .. } = self;
        let line = match form {
            Log::Off => return,
            Log::Text => {
                let (token, result) = (or_none(token), or_none(result));
                format!("job {token} {job} {processor_seconds} s {result}")
            }
            Log::Json => serde_json::to_string(self).unwrap_or_default(),
        };
        // There is nowhere left to complain to.
        let _ = writeln!(stderr().lock(), "{line}");
    }
}

fn outcome_of(found: &StoredResult) -> &'static str {
    match (found.stored.is_ok, found.stored.hit_limit) {
        (true, _) => "ok",
        (false, true) => Kind::LIMIT_EXCEEDED.code,
        (false, false) => Kind::TABLEGEN_ERRORS.code,
    }
}

fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}

fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e5).round() / 100.0
}

/// Seconds, to the microsecond.
fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}

fn or_none(text: &str) -> &str {
    if text.is_empty() { "-" } else { text }
}

/// Writes a line for operators that belongs to no request.
pub fn note(text: &str) {
    // There is nowhere left to complain to.
    let _ = writeln!(stderr().lock(), "odsmith: {text}");
}

impl<'a> Entry<'a> {
    /// The entry of an answer.
    #[must_use]
    pub fn new(
        answer: &'a ServiceResponse<BoxBody>,
        method: &'a Method,
        time: Duration,
        access: &Access,
    ) -> Self {
        let work = Work::of(answer.request());
        let header = |name: &str| answer.headers().get(name).and_then(|value| value.to_str().ok());
        Entry {
            time: now(),
            request_id: header("x-request-id").unwrap_or_default(),
            method: method.as_str(),
            path: answer.request().path(),
            status: answer.status().as_u16(),
            bytes: match answer.response().body().size() {
                BodySize::Sized(bytes) => bytes,
                BodySize::None | BodySize::Stream => 0,
            },
            milliseconds: milliseconds(time),
            client: access.address(answer.request()),
            token: token_name(answer.request()).unwrap_or_default(),
            result: work.key,
            cache: header("cache-status").unwrap_or_default(),
            processor_seconds: seconds(work.processor),
        }
    }

    /// The entry of a request whose head was refused.
    #[must_use]
    pub fn refused(status: u16, request_id: &'a str, peer: Option<IpAddr>, time: Duration) -> Self {
        Entry {
            time: now(),
            request_id,
            method: "-",
            path: "-",
            status,
            bytes: 0,
            milliseconds: milliseconds(time),
            client: peer.unwrap_or(Ipv4Addr::UNSPECIFIED.into()),
            token: String::new(),
            result: String::new(),
            cache: "",
            processor_seconds: 0.0,
        }
    }

    /// Writes the line.
    pub fn write(&self, form: Log) {
        let Entry { request_id, method, path, status, bytes, milliseconds, .. } = self;
        let Entry { client, token, result, cache, processor_seconds, .. } = self;
        let line = match form {
            Log::Off => return,
            Log::Text => {
                let (token, result, cache) = (or_none(token), or_none(result), or_none(cache));
                let path = path.escape_debug();
                format!(
                    "{request_id} {client} {token} {method} {path} {status} {bytes} B {milliseconds} ms \
                     {processor_seconds} s {result} {cache}"
                )
            }
            Log::Json => serde_json::to_string(self).unwrap_or_default(),
        };
        // There is nowhere left to complain to.
        let _ = writeln!(stderr().lock(), "{line}");
    }
}
