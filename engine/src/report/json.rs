//! The JSON form: an array of reports.

use super::Report;

/// The reports as a JSON value.
#[must_use]
pub fn render(reports: &[Report]) -> serde_json::Value {
    serde_json::json!(reports)
}
