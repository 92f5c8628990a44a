//! Headers about how an answer was made: the time of each step, and whether a cache had the result.

use std::{
    fmt::Write as _,
    time::{Duration, Instant},
};

use actix_web::{
    HttpResponse,
    http::header::{HeaderName, HeaderValue},
};

use crate::jobs::results::StoredResult;

const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");

/// The steps of an answer so far.
#[derive(Debug)]
pub struct Timing {
    last: Instant,
    steps: String,
}

impl Timing {
    /// Starts the clock.
    #[must_use]
    pub fn start() -> Timing {
        Timing { last: Instant::now(), steps: String::new() }
    }

    /// Ends a step.
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

    /// Writes the times of the steps to an answer.
    pub fn write_steps_to(&self, response: &mut HttpResponse) {
        if let Ok(steps) = HeaderValue::from_str(&self.steps) {
            response.headers_mut().insert(SERVER_TIMING, steps);
        }
    }

    /// Writes the times of the steps and the result's origin to an answer.
    pub fn write_to(&self, response: &mut HttpResponse, found: &StoredResult) {
        // The times would show that another tenant had sent the same.
        if !found.is_private {
            self.write_steps_to(response);
        }
        found.origin.write_to(found.is_everywhere, response.headers_mut());
    }
}
