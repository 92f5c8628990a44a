//! A line for each request, for people or for machines.

use std::{
    io::{Write, stderr},
    net::IpAddr,
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
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Entry {
            time: now.as_secs_f64(),
            request_id: header("x-request-id").unwrap_or_default(),
            method: method.as_str(),
            path: answer.request().path(),
            status: answer.status().as_u16(),
            bytes: match answer.response().body().size() {
                BodySize::Sized(bytes) => bytes,
                BodySize::None | BodySize::Stream => 0,
            },
            milliseconds: (time.as_secs_f64() * 1e5).round() / 100.0,
            client: access.address(answer.request()),
            token: token_name(answer.request()).unwrap_or_default(),
            result: work.key,
            cache: header("cache-status").unwrap_or_default(),
            processor_seconds: (work.processor.as_secs_f64() * 1e6).round() / 1e6,
        }
    }

    /// Writes the line.
    pub fn write(&self, form: Log) {
        let Entry { request_id, method, path, status, bytes, milliseconds, .. } = self;
        let Entry { client, token, result, cache, processor_seconds, .. } = self;
        let or_none = |text: &str| if text.is_empty() { "-".to_owned() } else { text.to_owned() };
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
