//! SARIF 2.1.0, for code hosts that show results beside the lines.

use serde_json::{Value, json};

use super::Report;
use odsmith_review::report::{Grade, Place, Remark, sarif};
use odsmith_tablegen::{diagnostic::Severity, text as bytes};

/// Renders one SARIF run with a result for each report.
#[must_use]
pub fn render(reports: &[Report]) -> Value {
    let remarks: Vec<Remark> = reports.iter().map(remark).collect();
    sarif::log(&[], &remarks, &|_| None)
}

fn remark(report: &Report) -> Remark {
    let grade = match report.severity {
        Severity::Error => Grade::Error,
        Severity::Warning => Grade::Warning,
        Severity::Note | Severity::Remark => Grade::Note,
    };
    Remark {
        rule: json!(report.code).as_str().unwrap_or_default().to_owned(),
        grade,
        message: bytes::lossy(&report.message).into_owned(),
        details: Vec::new(),
        place: place(report),
        related: report
            .notes
            .iter()
            .filter_map(|it| Some((place(it)?, bytes::lossy(&it.message).into_owned())))
            .collect(),
        key: String::new(),
        accepted: None,
    }
}

fn place(report: &Report) -> Option<Place> {
    let place = report.place.as_ref()?;
    let (start, end) = (place.range.start, place.range.end);
    Some(Place {
        file: place.file.clone(),
        start: (start.line, start.column),
        end: Some((end.line, end.column)),
    })
}
