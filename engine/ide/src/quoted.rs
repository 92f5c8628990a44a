//! Names that TableGen knows only as strings: enum cases and pass options.
//!
//! ```text
//! def Slow : I32EnumAttrCase<"Slow", 0>;            the C++ enumerator
//! … DefaultValuedAttr<Mode, "::toy::Mode::Slow">    code that names it
//! Option<"maxSize", "max-size", "int", "0", "…">    the C++ member, and the command-line flag
//! ```

use std::ops::Range;

use odsmith_engine::{
    ods::{EnumInfo, is_enum},
    outline::{Kind, lexical::is_word_byte},
    record::{Rec, RecordId},
};

use crate::{
    analysis::Analysis,
    document::{Document, FileRange},
    workspace::Workspace,
};

/// The kind of a quoted name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuotedKind {
    /// A case of an enum with the same text in MLIR.
    Case,
    /// A case of an enum with a different text in MLIR.
    CaseWithText,
    /// The C++ member of a pass option.
    OptionMember,
    /// The command-line flag of a pass option.
    OptionFlag,
}

/// A name given by a string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quoted {
    /// The name.
    pub name: String,
    /// Its kind.
    pub kind: QuotedKind,
    /// Its range at the queried position.
    pub range: Range<usize>,
    /// The place that gives the name.
    pub definition: FileRange,
    /// The other names of the same kind in the enum or pass.
    pub others: Vec<String>,
    /// The C++ classes of the enums with this case.
    pub classes: Vec<String>,
}

/// Returns the quoted name at an offset.
#[must_use]
pub fn at(workspace: &Workspace, path: &str, offset: usize) -> Option<Quoted> {
    let document = workspace.document(path)?;
    let index = document.token_at(offset)?;
    if !matches!(document.tokens[index].kind, Kind::String | Kind::Code) {
        return None;
    }
    let analysis = workspace.analysis_of(path)?;
    option(&analysis, &document, index)
        .or_else(|| case(&analysis, &document, index))
        .or_else(|| named_case(workspace, &analysis, &document, offset))
}

/// Returns every mention of a name: its definition, and matches in texts of the workspace.
#[must_use]
pub fn mentions(workspace: &Workspace, quoted: &Quoted) -> Vec<FileRange> {
    let mut found = vec![quoted.definition.clone()];
    match quoted.kind {
        QuotedKind::OptionMember => {}
        QuotedKind::OptionFlag => {
            let Some(document) = workspace.document(&quoted.definition.path) else { return found };
            let Some(statement) = document.path_to(quoted.definition.range.start).last().copied() else {
                return found;
            };
            let texts = statement.tokens.clone().map(|index| document.tokens[index]);
            for token in texts.filter(|token| matches!(token.kind, Kind::String | Kind::Code)) {
                let text = &document.text[token.range()];
                for at in words(text, &quoted.name, |byte| is_word_byte(byte) || byte == b'-') {
                    // A word of prose is not a flag.
                    let end = at + quoted.name.len();
                    let is_marked = text[..at].ends_with(['`', '-']) || text[end..].starts_with('=');
                    if is_marked || quoted.name.contains('-') {
                        found.push(document.place(token.start + at..token.start + end));
                    }
                }
            }
        }
        QuotedKind::Case | QuotedKind::CaseWithText => {
            for class in &quoted.classes {
                let text = format!("{class}::{}", quoted.name);
                for (path, bytes) in workspace.bundle().iter().filter(|(path, _)| path.ends_with(".td")) {
                    if !bytes.windows(text.len()).any(|window| window == text.as_bytes()) {
                        continue;
                    }
                    let Some(document) = workspace.document(path) else { continue };
                    for token in &document.tokens {
                        if !matches!(token.kind, Kind::String | Kind::Code) {
                            continue;
                        }
                        for at in words(&document.text[token.range()], &text, is_word_byte) {
                            let end = token.start + at + text.len();
                            found.push(document.place(end - quoted.name.len()..end));
                        }
                    }
                }
            }
        }
    }
    let mut seen: Vec<FileRange> = Vec::new();
    found.retain(|place| {
        let is_new = !seen.contains(place);
        seen.push(place.clone());
        is_new
    });
    found
}

/// Returns the offsets of a word in a text.
fn words(text: &str, word: &str, is_part: impl Fn(u8) -> bool) -> Vec<usize> {
    let bytes = text.as_bytes();
    let is_whole = |at: &usize| {
        let around = [at.checked_sub(1), Some(at + word.len())];
        !around.into_iter().flatten().any(|at| bytes.get(at).is_some_and(|byte| is_part(*byte)))
    };
    text.match_indices(word).map(|(at, _)| at).filter(is_whole).collect()
}

/// Returns the class whose argument a string is, and the index of the argument.
fn argument(document: &Document, index: usize) -> Option<(&str, usize)> {
    let mut position = 0;
    let mut depth = 0_usize;
    for at in (0..index).rev() {
        match document.tokens[at].kind {
            Kind::Sign(b'>' | b']' | b')' | b'}') => depth += 1,
            Kind::Sign(b'<') if depth == 0 => {
                let name = at.checked_sub(1).filter(|name| document.tokens[*name].kind == Kind::Word)?;
                return Some((document.word(name), position));
            }
            Kind::Sign(b'<' | b'[' | b'(' | b'{') => depth = depth.checked_sub(1)?,
            Kind::Sign(b',') if depth == 0 => position += 1,
            Kind::Sign(b';') => return None,
            _ => {}
        }
    }
    None
}

/// Returns the range between the quotes of a string.
fn inside(document: &Document, index: usize) -> Option<Range<usize>> {
    let token = document.tokens[index];
    (token.kind == Kind::String && token.is_closed).then(|| token.inside())
}

fn is_derived(analysis: &Analysis, class: &str, bases: &[&str]) -> bool {
    let class = analysis.records.class(class);
    class.is_some_and(|class| bases.iter().any(|base| class.name() == *base || class.is_subclass_of(*base)))
}

fn option(analysis: &Analysis, document: &Document, index: usize) -> Option<Quoted> {
    let (class, position) = argument(document, index)?;
    if position > 1 || !is_derived(analysis, class, &["Option"]) {
        return None;
    }
    let range = inside(document, index)?;
    let name = document.text[range.clone()].to_owned();
    let kind = if position == 0 { QuotedKind::OptionMember } else { QuotedKind::OptionFlag };
    let field = if position == 0 { "cppName" } else { "argument" };
    // The names of options must differ within one pass.
    let statement = *document.path_to(range.start).last()?;
    let recs = analysis.records_at(&document.path, statement.start);
    let options = recs.iter().filter_map(|rec| rec.get("options")?.as_list()).flatten();
    let options = options.filter_map(|option| option.as_def()?.optional_string(field));
    let others = options.filter(|other| *other != name).map(str::to_owned).collect();
    let definition = document.place(range.clone());
    (!name.is_empty()).then_some(Quoted { name, kind, range, definition, others, classes: Vec::new() })
}

/// Returns the case that a string names.
fn case(analysis: &Analysis, document: &Document, index: usize) -> Option<Quoted> {
    let (class, _) = argument(document, index)?;
    if !is_derived(analysis, class, &["EnumCase", "EnumAttrCaseInfo"]) {
        return None;
    }
    let range = inside(document, index)?;
    // The next string may be the case's text in MLIR.
    let start = (0..index).rev().find(|at| document.tokens[*at].is(b'<'))?;
    if (start..index).any(|at| document.tokens[at].kind == Kind::String) {
        return None;
    }
    let statement = *document.path_to(range.start).last()?;
    let recs = analysis.records_at(&document.path, statement.start);
    let ids: Vec<RecordId> = recs.iter().map(|rec| rec.id()).collect();
    let name = &document.text[range.clone()];
    quoted(analysis, name, (range.clone(), document.place(range)), |info, case| {
        ids.contains(&case) || ids.contains(&info.record.id())
    })
}

/// Returns the case that code names: `Mode::Slow`.
fn named_case(
    workspace: &Workspace,
    analysis: &Analysis,
    document: &Document,
    offset: usize,
) -> Option<Quoted> {
    let range = crate::names::word_at(document, offset)?;
    let (name, before) = (&document.text[range.clone()], document.text[..range.start].strip_suffix("::")?);
    let class = &before[before.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').len()..];
    let (place, id) = analysis.records.defs_as_made().filter(|rec| is_enum(*rec)).find_map(|rec| {
        let info = EnumInfo::lenient(rec);
        let case =
            (info.class_name == class).then(|| info.cases.into_iter().find(|it| it.symbol == name))??;
        let of = |rec: Rec<'_>| {
            let place = analysis.place(rec.record().statement)?;
            let document = workspace.document(&place.path)?;
            let statement = *document.path_to(place.range.start).last()?;
            let is_it = |index: &usize| {
                inside(&document, *index).is_some_and(|range| document.text[range] == *name)
                    && case_argument(analysis, &document, *index)
            };
            let index = statement.tokens.clone().find(is_it)?;
            Some(document.place(inside(&document, index)?))
        };
        let place = of(case.record).or_else(|| of(rec))?;
        Some((place, case.record.id()))
    })?;
    quoted(analysis, name, (range, place), |_, case| case == id)
}

fn case_argument(analysis: &Analysis, document: &Document, index: usize) -> bool {
    argument(document, index)
        .is_some_and(|(class, _)| is_derived(analysis, class, &["EnumCase", "EnumAttrCaseInfo"]))
}

/// Returns the quoted name for a case of the enums that `is_meant` accepts.
fn quoted(
    analysis: &Analysis,
    name: &str,
    (range, definition): (Range<usize>, FileRange),
    is_meant: impl Fn(&EnumInfo<'_>, RecordId) -> bool,
) -> Option<Quoted> {
    let (mut others, mut classes) = (Vec::new(), Vec::new());
    let mut has_text = false;
    for info in analysis.records.defs_as_made().filter(|rec| is_enum(*rec)).map(EnumInfo::lenient) {
        let case = info.cases.iter().find(|case| case.symbol == name && is_meant(&info, case.record.id()));
        let Some(case) = case else { continue };
        has_text |= case.spelling != case.symbol;
        others.extend(info.cases.iter().filter(|it| it.symbol != name).map(|it| it.symbol.to_owned()));
        if !classes.iter().any(|class| class == info.class_name) {
            classes.push(info.class_name.to_owned());
        }
    }
    let kind = if has_text { QuotedKind::CaseWithText } else { QuotedKind::Case };
    let name = name.to_owned();
    (!classes.is_empty()).then_some(Quoted { name, kind, range, definition, others, classes })
}

#[cfg(test)]
mod tests {
    use super::words;
    use odsmith_engine::outline::lexical::is_word_byte;

    #[test]
    fn whole_words() {
        assert_eq!(words("Mode::Slow, XMode::Slow, Mode::Slower", "Mode::Slow", is_word_byte), [0]);
        assert!(words("max-size max-size=2", "size", |byte| is_word_byte(byte) || byte == b'-').is_empty());
    }
}
