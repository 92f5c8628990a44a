//! Observation for operators: a log line, counts and spans for each answer. Facts about answers come in; nothing goes
//! back.

pub mod log;
pub mod memory;
pub mod metrics;
pub mod observers;
#[cfg(feature = "otlp")]
pub mod traces;
