//! A line for each request, for people or for machines.

use std::{
    io::{Write, stderr},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use actix_web::{
    body::{BodySize, BoxBody, MessageBody},
    dev::ServiceResponse,
    http::Method,
};
use serde::Serialize;

use crate::config::Log;

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
}

impl<'a> Entry<'a> {
    /// The entry of an answer.
    #[must_use]
    pub fn new(answer: &'a ServiceResponse<BoxBody>, method: &'a Method, time: Duration) -> Self {
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
        }
    }

    /// Writes the line.
    pub fn write(&self, form: Log) {
        let Entry { request_id, method, path, status, bytes, milliseconds, .. } = self;
        let line = match form {
            Log::Off => return,
            Log::Text => {
                format!("{request_id} {method} {} {status} {bytes} B {milliseconds} ms", path.escape_debug())
            }
            Log::Json => serde_json::to_string(self).unwrap_or_default(),
        };
        // There is nowhere left to complain to.
        let _ = writeln!(stderr().lock(), "{line}");
    }
}
