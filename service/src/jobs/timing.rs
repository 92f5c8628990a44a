//! What an answer says of its making: how long each step took, and whether a cache had it.

use std::{
    fmt::Write as _,
    time::{Duration, Instant},
};

use actix_web::{
    HttpResponse,
    http::header::{HeaderName, HeaderValue},
};

use crate::store::origin::Origin;
const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");

/// The steps of an answer so far.
#[derive(Debug)]
pub struct Timing {
    last: Instant,
    steps: String,
}

impl Timing {
    /// Nothing was done so far.
    #[must_use]
    pub fn start() -> Timing {
        Timing { last: Instant::now(), steps: String::new() }
    }

    /// A step is done.
    pub fn mark(&mut self, step: &str) {
        let now = Instant::now();
        self.add(step, now - self.last);
        self.last = now;
    }

    fn add(&mut self, step: &str, time: Duration) {
        let comma = if self.steps.is_empty() { "" } else { ", " };
        // Writing into a string does not fail.
        let _ = write!(self.steps, "{comma}{step};dur={:.1}", time.as_secs_f64() * 1000.0);
    }

    /// Says in an answer how long its steps took.
    pub fn write_steps_to(&self, response: &mut HttpResponse) {
        if let Ok(steps) = HeaderValue::from_str(&self.steps) {
            response.headers_mut().insert(SERVER_TIMING, steps);
        }
    }

    /// Says in an answer how long its steps took and where its result comes from.
    pub fn write_to(&self, response: &mut HttpResponse, origin: Origin) {
        self.write_steps_to(response);
        origin.write_to(response.headers_mut());
    }
}
