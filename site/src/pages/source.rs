//! The place and the source text of a definition.

use odsmith_engine::{
    outline::{Kind, tokens::tokens},
    record::Rec,
};

use super::Atlas;
use crate::view::Source;

/// The limit for lines of a definition that is shown on its page.
const EXCERPT_LINES: usize = 90;
/// The limit for the length of a definition in the search for its end.
const MOST_SCANNED: usize = 8 << 10;

/// Classes of ODS itself, which say nothing about a project's own hierarchy.
const ODS_CLASSES: &[&str] = &[
    "Op",
    "Constraint",
    "AttrTypeConstraint",
    "AttrConstraint",
    "TypeConstraint",
    "PropConstraint",
    "Attr",
    "Type",
    "DialectAttr",
    "DialectType",
    "AttrOrTypeDef",
    "AttrDef",
    "TypeDef",
    "EnumAttr",
    "EnumInfo",
    "EnumAttrInfo",
    "Trait",
    "NativeTrait",
    "Interface",
    "InterfaceTrait",
    "OpInterfaceTrait",
    "Dialect",
    "BitEnumBase",
    "IntEnumAttrBase",
    "EnumInfoBase",
    "PredTrait",
    "NativeOpTrait",
    "TraitList",
];

/// The place of a record.
pub(super) fn source(atlas: &Atlas<'_>, rec: Rec<'_>) -> Option<Source> {
    let (buffer, position) = rec.records().sources().position(rec.span())?;
    let file = buffer.name.to_string();
    let href = line_address(atlas, &file, position.line);
    Some(Source {
        line: position.line,
        href,
        record: if rec.is_anonymous() { String::new() } else { rec.name().to_owned() },
        classes: classes(rec).map(|class| atlas.class_link(class)).collect(),
        excerpt: excerpt(&buffer.text, (rec.span().0 - buffer.start) as usize),
        file,
    })
}

/// The class that sets a field which the definition itself does not set.
pub(super) fn inherited_from(atlas: &Atlas<'_>, rec: Rec<'_>, field: &str) -> Option<crate::view::Link> {
    let sets = |rec: Rec<'_>| definition_and_rest(rec).is_some_and(|(own, _)| own.contains(field));
    if sets(rec) {
        return None;
    }
    classes(rec).find(|class| sets(*class)).map(|class| atlas.class_link(class))
}

/// Tests if a file belongs to the library of a release and not to the bundle.
pub(super) fn is_library(file: &str) -> bool {
    file.starts_with('<')
}

/// The project's own classes that a record derives from, nearest first.
pub(super) fn classes<'r>(rec: Rec<'r>) -> impl Iterator<Item = Rec<'r>> {
    rec.superclasses().rev().filter(|class| !ODS_CLASSES.contains(&class.name()))
}

/// The address of a line in one of the project's own files.
pub(super) fn line_address(atlas: &Atlas<'_>, file: &str, line: u32) -> Option<String> {
    let url = atlas.source_url.as_deref().filter(|_| !is_library(file))?;
    Some(address(url, file, line))
}

/// The address of a line; `url` is a prefix, or a pattern with `{path}` and `{line}`.
pub(super) fn address(url: &str, file: &str, line: u32) -> String {
    let line = line.to_string();
    if url.contains("{path}") {
        return url.replace("{path}", file).replace("{line}", &line);
    }
    format!("{}/{file}#L{line}", url.trim_end_matches('/'))
}

/// The text of a definition from the line of its name, and the text after it in the file.
pub(super) fn definition_and_rest(rec: Rec<'_>) -> Option<(&str, &str)> {
    let buffer = rec.records().sources().buffer_of(rec.span())?;
    let at = (rec.span().0 - buffer.start) as usize;
    let start =
        buffer.text.get(..at)?.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    let end = buffer.text.len().min(start + MOST_SCANNED);
    let text = &buffer.text[start..end];
    let text =
        std::str::from_utf8(text).or_else(|error| std::str::from_utf8(&text[..error.valid_up_to()])).ok()?;
    Some(text.split_at(end_of_definition(text)?))
}

/// The text of a definition from the line of its name to its end.
fn excerpt(text: &[u8], at: usize) -> Option<String> {
    let is_newline = |byte: &u8| *byte == b'\n';
    let start = text.get(..at)?.iter().rposition(is_newline).map_or(0, |newline| newline + 1);
    // Files are large, so only the longest possible excerpt is scanned.
    let mut lines = text[start..].split_inclusive(is_newline);
    let length = lines.by_ref().take(EXCERPT_LINES).map(<[u8]>::len).sum::<usize>();
    let text = std::str::from_utf8(&text[start..start + length]).ok()?;
    Some(text[..end_of_definition(text)?].trim_end().to_owned())
}

/// The end of a definition: the first `;`, or the `}` of its body.
fn end_of_definition(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for token in tokens(text.as_bytes()) {
        match token.kind {
            Kind::Sign(b'{' | b'(' | b'[') => depth += 1,
            Kind::Sign(b')' | b']') => depth = depth.saturating_sub(1),
            Kind::Sign(b'}') => {
                depth = depth.saturating_sub(1);
                // Braces in `!foldl(…)` and bit selections are nested; that of the body is not.
                if depth == 0 {
                    return Some(token.end);
                }
            }
            Kind::Sign(b';') if depth == 0 => return Some(token.end),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_ends_with_its_body() {
        let text = "def A : Op<\"a;\", [B<[{ } }]>]> { // }\n  let x = [{ } }];\n}\ndef B;";
        assert!(text[..end_of_definition(text).unwrap()].ends_with("}];\n}"));
        assert_eq!(end_of_definition("def B : C<1>;\n"), Some(13));
        assert_eq!(end_of_definition("def B : C<\""), None);
        let text = "def C { code x = [{ } }}] }; }]; }\ndef D;";
        assert_eq!(&text[end_of_definition(text).unwrap()..], "\ndef D;");
        assert_eq!(end_of_definition("def D /* /* ; */ ; */ ;\n"), Some(23));
    }

    #[test]
    fn an_address_takes_file_and_line() {
        assert_eq!(address("https://x/{path}#L{line}", "a.td", 3), "https://x/a.td#L3");
        assert_eq!(address("https://x/blob/main/", "a.td", 3), "https://x/blob/main/a.td#L3");
    }
}
