//! Annotations of a workflow's run on GitHub: lines on standard output that its runner reads.

use std::fmt::Write as _;

use super::{Grade, Remark};

/// The most annotations of each grade that a runner shows; it drops the rest silently.
const MOST_OF_A_GRADE: usize = 10;

/// Returns the first remarks of each grade as annotations, and a line with the number left out. Skips accepted ones.
#[must_use]
pub fn annotations(remarks: &[Remark]) -> String {
    let mut out = String::new();
    let mut left = 0;
    for (grade, command) in [(Grade::Error, "error"), (Grade::Warning, "warning"), (Grade::Note, "notice")] {
        let of_grade: Vec<&Remark> =
            remarks.iter().filter(|it| it.grade == grade && it.accepted.is_none()).collect();
        left += of_grade.len().saturating_sub(MOST_OF_A_GRADE);
        for remark in of_grade.into_iter().take(MOST_OF_A_GRADE) {
            let mut properties = Vec::new();
            if let Some(place) = &remark.place {
                properties.push(format!("file={}", property(&place.file)));
                properties.push(format!("line={}", place.start.0));
                properties.push(format!("col={}", place.start.1));
            }
            properties.push(format!("title={}", property(&remark.rule)));
            let mut text = remark.message.clone();
            for line in &remark.details {
                text.push('\n');
                text += line;
            }
            // Writing to a text does not fail.
            let _ = writeln!(out, "::{command} {}::{}", properties.join(","), message(&text));
        }
    }
    if left > 0 {
        let _ = writeln!(out, "{left} more findings have no annotation");
    }
    out
}

/// Escapes a message.
fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property, which has more delimiters.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Place;

    #[test]
    fn lines_that_a_runner_reads() {
        let remark = Remark {
            rule: "IN001".to_owned(),
            grade: Grade::Error,
            message: "100 % of a\nis gone".to_owned(),
            details: Vec::new(),
            place: Some(Place { file: "a,b.td".to_owned(), start: (2, 5), end: None }),
            related: Vec::new(),
            key: String::new(),
            accepted: None,
        };
        let text = annotations(std::slice::from_ref(&remark));
        assert_eq!(text, "::error file=a%2Cb.td,line=2,col=5,title=IN001::100 %25 of a%0Ais gone\n");
        let many = annotations(&vec![remark.clone(); 12]);
        assert_eq!(many.lines().count(), 11);
        assert!(many.ends_with("2 more findings have no annotation\n"));
        assert_eq!(annotations(&[Remark { accepted: Some("known".to_owned()), ..remark }]), "");
    }
}
