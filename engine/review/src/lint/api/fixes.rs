//! Edits of the interface of a dialect: shorter formats, properties in place of attributes, includes, builders.

use std::ops::Range;

use odsmith_ods::{Operation, format::OpFormat};
use odsmith_tablegen::outline::{Kind, Outline, StatementKind, Token};

use crate::lint::{
    cx::{Cx, Subject},
    finding::{Edit, edit_of},
    naming,
};

/// The byte range of a piece of a format.
type Piece = (usize, usize);

/// Splits a format into pieces: literals with their backticks, words with their `$`, and single signs.
fn pieces(format: &str) -> Vec<Piece> {
    let bytes = format.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'-');
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        at += match bytes[at] {
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'`' => 1 + format[at + 1..].find('`').map_or(bytes.len() - at - 1, |end| end + 1),
            byte if is_word(byte) => bytes[at..].iter().take_while(|byte| is_word(**byte)).count(),
            _ => format[at..].chars().next().map_or(1, char::len_utf8),
        };
        pieces.push((start, at));
    }
    pieces
}

/// Returns the piece to delete so that a format no longer writes the type of a part: `type($name)` with the literal
/// before it, or the one after it if others follow a `:`. Returns `None` if the type is not written by itself.
fn without_type(format: &str, name: &str) -> Option<Piece> {
    let pieces = pieces(format);
    let text = |index: usize| pieces.get(index).map_or("", |(start, end)| &format[*start..*end]);
    let wanted = ["type", "(", &format!("${name}"), ")"];
    let mut depth = 0_usize;
    let at = (0..pieces.len()).find(|&at| {
        let is_there = depth == 0 && wanted.iter().enumerate().all(|(nth, word)| text(at + nth) == *word);
        match text(at) {
            "(" | "<" => depth += 1,
            ")" | ">" => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_there
    })?;
    let (last, before) = (at + wanted.len() - 1, at.checked_sub(1)?);
    let is_joint = |literal: &str| matches!(literal, "`,`" | "`->`" | "`to`" | "`into`");
    if is_joint(text(before)) {
        return Some((pieces.get(before.checked_sub(1)?)?.1, pieces[last].1));
    }
    match (text(before), text(last + 1)) {
        ("`:`", next) if is_joint(next) => Some((pieces[at].0, pieces.get(last + 2)?.0)),
        ("`:`", _) => Some((pieces.get(before.checked_sub(1)?)?.1, pieces[last].1)),
        _ => None,
    }
}

/// Removes the type of a result from the format, if the format is valid without it.
pub(super) fn infer_type(
    cx: &Cx<'_, '_>,
    op: &Operation<'_>,
    subject: &Subject<'_>,
    name: &str,
) -> Vec<Edit> {
    let edit = cx.statement(subject.rec).and_then(|(outline, statement)| {
        let value = outline.value(statement, "assemblyFormat")?;
        let [token] = outline.code_in(value)[..] else { return None };
        let format = outline.inside(token);
        let (from, to) = without_type(format, name).filter(|_| Some(format) == op.assembly_format())?;
        let shorter = format!("{}{}", &format[..from], &format[to..]);
        OpFormat::new(op, &shorter).ok()?;
        let start = token.inside().start;
        Some(edit_of(outline, (start + from, start + to), ""))
    });
    edit.into_iter().collect()
}

/// Writes a format with all parts of an operation.
pub(super) fn write_format(cx: &Cx<'_, '_>, op: &Operation<'_>, subject: &Subject<'_>) -> Vec<Edit> {
    let has_types = !op.operands().is_empty() || !op.results().is_empty();
    let pieces = [
        (!op.operands().is_empty(), "operands"),
        (!op.successors().is_empty(), "successors"),
        (op.regions().is_empty(), "attr-dict"),
        (!op.regions().is_empty(), "attr-dict-with-keyword regions"),
        (has_types, "`:` functional-type(operands, results)"),
    ];
    let pieces: Vec<&str> =
        pieces.into_iter().filter_map(|(is_there, piece)| is_there.then_some(piece)).collect();
    let format = pieces.join(" ");
    let edit = cx.statement(subject.rec).and_then(|(outline, statement)| {
        OpFormat::new(op, &format).ok()?;
        let line = format!("let assemblyFormat = \"{format}\";");
        let body = outline.body_of(statement);
        let (at, end, text) = match body.clone() {
            Some(Range { start, end }) => match outline.slice(start..end).rsplit_once('\n') {
                // Insert before the line of the `}`.
                Some((_, last)) if last.trim().is_empty() => {
                    let at = end - last.len();
                    (at, at, format!("  {line}\n"))
                }
                _ if outline.slice(start..end).ends_with(' ') => (end, end, format!("{line} ")),
                _ => (end, end, format!(" {line} ")),
            },
            // Replace the `;`.
            None => (statement.end - 1, statement.end, format!(" {{\n  {line}\n}}")),
        };
        let is_whole = body.is_some() || outline.slice(at..end) == ";";
        is_whole.then(|| edit_of(outline, (at, end), text))
    });
    edit.into_iter().collect()
}

/// Adds a trait at the end of the list that the definition itself has.
pub(super) fn add_trait(cx: &Cx<'_, '_>, op: &Operation<'_>, subject: &Subject<'_>, name: &str) -> Vec<Edit> {
    let edit = cx.statement(subject.rec).and_then(|(outline, statement)| {
        cx.model.records().def(name)?;
        let tokens = outline.code_in(outline.header_of(statement));
        let close = tokens.iter().rposition(|token| token.is(b']'))?;
        let last = tokens.get(close.checked_sub(1)?)?;
        // Other lists are not lists of traits.
        let names = op.traits().iter().map(|t| t.display_name());
        let names: Vec<&str> = names.chain(op.traits().iter().map(|t| t.trait_name())).collect();
        let open = tokens[..close].iter().position(|token| token.is(b'['))?;
        let first = tokens.get(open + 1).map(|token| outline.text_of(*token))?;
        let is_of_traits = names.contains(&first) && !names.contains(&name);
        let text = format!(", {name}");
        is_of_traits.then(|| edit_of(outline, (last.end, last.end), text))
    });
    edit.into_iter().collect()
}

/// Attributes, and the properties that store the same values.
const PROPERTIES: &[(&str, &str)] = &[
    ("BoolAttr", "BoolProp"),
    ("I32Attr", "I32Prop"),
    ("I64Attr", "I64Prop"),
    ("StrAttr", "StringProp"),
    ("OptionalAttr", "OptionalProp"),
    ("DefaultValuedAttr", "DefaultValuedProp"),
];

/// Stores an argument as a property, and adds the include for it.
pub(super) fn store_as_property(cx: &Cx<'_, '_>, subject: &Subject<'_>, name: &str) -> Vec<Edit> {
    let edits = naming::dag_arguments(cx, subject, "arguments").and_then(|(outline, arguments)| {
        let is_meant = |argument: &&Vec<Token>| {
            argument.last().is_some_and(|last| outline.text_of(*last).strip_prefix('$') == Some(name))
        };
        let argument = arguments.iter().find(is_meant)?;
        let words = argument.iter().filter(|token| token.kind == Kind::Word);
        let replaced = words.map(|token| {
            let (_, property) =
                PROPERTIES.iter().find(|(attribute, _)| outline.text_of(*token) == *attribute)?;
            Some(edit_of(outline, (token.start, token.end), *property))
        });
        let mut edits: Vec<Edit> = replaced.collect::<Option<_>>()?;
        if cx.model.records().class("Property").is_none() {
            edits.extend(include(outline, "mlir/IR/Properties.td"));
        }
        Some(edits)
    });
    edits.unwrap_or_default()
}

/// Includes a file after the existing includes.
pub(super) fn include(outline: &Outline, file: &str) -> Option<Edit> {
    let last = outline.statements.iter().rfind(|it| it.kind == StatementKind::Include)?;
    let text = format!("\ninclude \"{file}\"");
    Some(edit_of(outline, (last.end, last.end), text))
}

/// Deletes an item of a list that the definition itself gives a field.
pub(super) fn delete_list_item(
    cx: &Cx<'_, '_>,
    subject: &Subject<'_>,
    field: &str,
    index: usize,
) -> Vec<Edit> {
    let edit = cx.statement(subject.rec).and_then(|(outline, statement)| {
        let value = outline.value(statement, field)?;
        let tokens = outline.code_in(value);
        let [open, inner @ .., close] = &tokens[..] else { return None };
        let is_list = open.is(b'[') && close.is(b']');
        let items = naming::split_at_commas(inner);
        let (first, last) = (items.get(index)?.first()?, items.get(index)?.last()?);
        let (start, end) =
            match (index.checked_sub(1).and_then(|before| items[before].last()), items.get(index + 1)) {
                (_, Some(next)) => (first.start, next.first()?.start),
                (Some(before), None) => (before.end, last.end),
                (None, None) => (first.start, last.end),
            };
        is_list.then(|| edit_of(outline, (start, end), ""))
    });
    edit.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_taken_out() {
        let shorter = |format: &str| {
            let (from, to) = without_type(format, "r")?;
            Some(format!("{}{}", &format[..from], &format[to..]))
        };
        for (format, expected) in [
            ("$x attr-dict `:` type($x) `->` type($r)", Some("$x attr-dict `:` type($x)")),
            ("$x attr-dict `:` type($r)", Some("$x attr-dict")),
            ("$x attr-dict `:` type($r) `,` type($x)", Some("$x attr-dict `:` type($x)")),
            ("$x (`:` type($r)^)? attr-dict", None),
            ("$x custom<A>(type($r)) attr-dict", None),
            ("$x attr-dict `:` functional-type($x, $r)", None),
            ("type($r)", None),
        ] {
            assert_eq!(shorter(format).as_deref(), expected, "{format}");
        }
        assert_eq!(pieces("`ä $x"), [(0, 6)]);
    }
}
