//! Places that a plugin names, in the sources that were read.

use odsmith_tablegen::{record::Records, span::Span};

use crate::protocol::SourcePlace;

/// Returns the place in the sources, or what is known of one that is not there.
pub(crate) fn span_of(place: Option<SourcePlace>, records: &Records) -> (Span, Option<String>) {
    let Some(place) = place else { return (Span::NONE, None) };
    let found = match &place.record {
        Some(record) => of_record(record, place.field.as_deref(), records),
        None => of_line(&place, records),
    };
    match found {
        Some(span) => (span, None),
        None => (Span::NONE, Some(format!("the place is not in the definitions: {}", shown(&place)))),
    }
}

/// Returns the place of a def, or of a field of it.
fn of_record(record: &str, field: Option<&str>, records: &Records) -> Option<Span> {
    let def = records.def(record)?;
    let field = field.and_then(|field| def.field(field)).map(|field| field.span);
    Some(field.filter(|span| span.is_some()).unwrap_or(def.span()))
}

/// Returns the place of a line and a column.
fn of_line(place: &SourcePlace, records: &Records) -> Option<Span> {
    let file = place.file.as_deref()?;
    let is_it =
        |name: &str| name.strip_suffix(file).is_some_and(|above| above.is_empty() || above.ends_with('/'));
    let buffer = records.sources().buffers().find(|buffer| is_it(&buffer.name))?;
    let text: &[u8] = &buffer.text;
    let line = place.line.unwrap_or(1).checked_sub(1)? as usize;
    let lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').take(line + 1).collect();
    let before: usize = lines.get(..line)?.iter().map(|line| line.len() + 1).sum();
    let column = (place.column.unwrap_or(1).checked_sub(1)? as usize).min(lines.get(line)?.len());
    Some(Span(buffer.start).plus(before + column))
}

fn shown(place: &SourcePlace) -> String {
    let SourcePlace { record, field, file, line, column } = place;
    let text = match (record, file) {
        (Some(record), _) => {
            [Some(record.clone()), field.clone()].into_iter().flatten().collect::<Vec<_>>().join(".")
        }
        (None, file) => {
            let numbers = [*line, *column].into_iter().flatten().map(|number| number.to_string());
            file.iter().cloned().chain(numbers).collect::<Vec<_>>().join(":")
        }
    };
    text.escape_debug().to_string()
}
