//! A log line for each request, for people or for machines.

use std::{
    io::{Write, stderr},
    net::{IpAddr, Ipv4Addr},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use actix_web::http::Method;
use serde::Serialize;

use super::observers::Answered;
use crate::config::Log;

/// The log entry of an answered request.
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
    /// The address that it came from, as far as proxies are trusted.
    client: IpAddr,
    /// The name of its token.
    #[serde(skip_serializing_if = "str::is_empty")]
    token: String,
    /// The result that it led to.
    #[serde(skip_serializing_if = "str::is_empty")]
    result: String,
    /// The value of `Cache-Status`.
    #[serde(skip_serializing_if = "str::is_empty")]
    cache: &'a str,
    /// The processor time spent on it.
    processor_seconds: f64,
}

/// The outcome of a job that no request waited for.
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
    /// The processor time spent on it.
    processor_seconds: f64,
}

impl<'a> JobOutcome<'a> {
    /// Creates the entry of a job that has ended: `ok` or a kind of problem, with the key of its result.
    #[must_use]
    pub fn new(token: &'a str, job: &'a str, result: &'a str, processor: Duration) -> Self {
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
        // There is nowhere to report this error.
        let _ = writeln!(stderr().lock(), "{line}");
    }
}

fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}

fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e5).round() / 100.0
}

/// Returns seconds, rounded to microseconds.
fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}

fn or_none(text: &str) -> &str {
    if text.is_empty() { "-" } else { text }
}

/// Writes a log line for operators that belongs to no request.
pub fn note(text: &str) {
    // There is nowhere to report this error.
    let _ = writeln!(stderr().lock(), "odsmith: {text}");
}

impl<'a> Entry<'a> {
    /// Creates the entry of an answer.
    #[must_use]
    pub fn new(answered: &Answered<'a>, method: &'a Method, status: u16, time: Duration) -> Self {
        Entry {
            time: now(),
            request_id: answered.request_id,
            method: method.as_str(),
            path: answered.path,
            status,
            bytes: answered.bytes,
            milliseconds: milliseconds(time),
            client: answered.client,
            token: answered.token.clone(),
            result: answered.result.clone(),
            cache: answered.cache,
            processor_seconds: seconds(answered.processor),
        }
    }

    /// Creates the entry of a request whose head was refused.
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
        // There is nowhere to report this error.
        let _ = writeln!(stderr().lock(), "{line}");
    }
}
