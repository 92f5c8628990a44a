//! Extracts documentation from the comment above a definition, if it is about that definition and meant for readers.
//!
//! ```tablegen
//! // TODO: rename.                      nothing
//! // Integer comparisons                nothing: a heading of the three below
//! def A : Op<"a">;
//! def B : Op<"b">;
//!
//! // Compares what it is given.         the comment of C
//! def C : Op<"c">;
//! ```
//!
//! A wrong sentence is worse than none, so a comment is used only if nothing speaks against it.

use odsmith_engine::{
    ods::{Definition, DefinitionKind},
    record::Rec,
};

use super::source;
use crate::text::dedent;

/// The limit for words of a comment that may be a heading.
const HEADING_WORDS: usize = 7;
/// A comment with so few words is always a heading.
const FEW_WORDS: usize = 3;

/// The comment above a definition, without the parts that are not for readers.
pub(super) fn comment(rec: Rec<'_>) -> Option<String> {
    let text = said(&rec.comment()?)?;
    let kind = Definition::new(rec).kind();
    let is_class = rec.records().class(rec.name()) == Some(rec);
    if !is_class && (begins_a_run(rec) || is_of_several(&text)) {
        return None;
    }
    let is_of_one = matches!(kind, DefinitionKind::Operation | DefinitionKind::AttrOrType);
    (is_class || !is_of_one || !is_heading(&text)).then_some(text)
}

/// The comment above the first case of an enum, if it describes all cases.
pub(super) fn of_cases(first: Rec<'_>) -> Option<String> {
    let text = said(&first.comment()?)?;
    (begins_a_run(first) && !is_heading(&text)).then_some(text)
}

/// Removes rules made of punctuation, authors' notes and code from a comment. A single line between rules or empty
/// lines is a heading for all definitions below it; then the result is `None`.
fn said(comment: &str) -> Option<String> {
    let is_empty = |line: &str| !line.contains(char::is_alphanumeric);
    let is_rule = |line: &str| line.len() > 2 && is_empty(line);
    // A line that accepts a finding of lint is not for readers.
    let is_accepting = |line: &&str| line.trim_start().starts_with("odsmith:");
    let lines: Vec<&str> =
        comment.split('\n').map(str::trim_end).filter(|line| !is_accepting(line)).collect();
    if let [first, between @ .., last] = lines.as_slice()
        && is_empty(first)
        && is_empty(last)
        && between.iter().filter(|line| !is_empty(line)).count() == 1
    {
        return None;
    }
    let mut kept: Vec<&str> = Vec::new();
    let mut is_note = false;
    for line in lines.into_iter().filter(|line| !is_rule(line.trim())) {
        // A note extends to the end of its paragraph.
        is_note &= !line.trim().is_empty();
        match line.find(is_note_at(line)) {
            _ if is_note => {}
            Some(at) => {
                is_note = true;
                kept.push(line[..at].trim_end());
            }
            None => kept.push(line),
        }
    }
    let text = dedent(&kept.join("\n"));
    let text = text.trim();
    let says = !text.is_empty() && !is_code(text) && !is_reference(text);
    says.then(|| text.to_owned())
}

/// Finds the word that begins an author's note: `TODO(name): …`.
fn is_note_at(line: &str) -> impl FnMut(char) -> bool + '_ {
    const WORDS: &[&str] = &["TODO", "FIXME", "HACK", "XXX", "NOLINT", "clang-format"];
    let mut at = 0;
    move |c: char| {
        let here = at;
        at += c.len_utf8();
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let starts = !line[..here].ends_with(is_word);
        starts
            && WORDS
                .iter()
                .any(|word| line[here..].strip_prefix(word).is_some_and(|rest| !rest.starts_with(is_word)))
    }
}

/// Tests if a text is TableGen that was commented out.
fn is_code(text: &str) -> bool {
    let is_statement = |line: &str| {
        let line = line.trim();
        ["def ", "defm ", "class ", "let ", "include "].iter().any(|word| line.starts_with(word))
            && (line.ends_with([';', '{', ',', '<', '[']) || line.contains(" = "))
    };
    text.lines().next().is_some_and(is_statement)
}

/// Tests if a text is only an issue number or an address.
fn is_reference(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_one = |word: &&str| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        bare.starts_with("http") || bare.chars().all(|c| c.is_ascii_digit())
    };
    let rest = words.iter().filter(|word| !is_one(word));
    let is_filler = |word: &&&str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase();
        ["see", "also", "issue", "bug", "pr", "github", "fixes", "cf", "ref", ""].contains(&word.as_str())
    };
    words.iter().any(is_one) && rest.clone().count() == rest.filter(is_filler).count()
}

/// Tests if a text itself says that it describes several definitions.
fn is_of_several(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    lower.starts_with("base class")
        || lower.contains("the following")
            && !text.trim_end().ends_with(':')
            && !lower.contains("\n-")
            && !lower.contains("\n*")
}

/// Tests if a text is the title of a group rather than a sentence about a definition: few words, or a plural.
fn is_heading(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    if text.contains('\n') || words.len() > HEADING_WORDS {
        return false;
    }
    let last = words.last().map(|word| word.trim_end_matches(['.', ':', ')']).to_ascii_lowercase());
    let is_plural =
        last.is_some_and(|word| word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us"));
    words.len() <= FEW_WORDS || is_plural && !starts_with_a_verb(&words)
}

/// Tests if the first word begins a sentence: `Creates`, `Returns the`, but not `Vector loads`.
fn starts_with_a_verb(words: &[&str]) -> bool {
    let first = words.first().copied().unwrap_or_default();
    let second = words.get(1).copied().unwrap_or_default().to_ascii_lowercase();
    first.ends_with('s') || ["a", "an", "the", "all", "its", "whether"].contains(&second.as_str())
}

/// Tests if the next definition has the same class, begins on the next line and has no comment of its own. Then the
/// comment above this one describes both.
fn begins_a_run(rec: Rec<'_>) -> bool {
    let Some((own, rest)) = source::definition_and_rest(rec) else { return false };
    let Some(next) = rest.strip_prefix('\n').or_else(|| rest.strip_prefix("\r\n")) else { return false };
    let of = |text: &str| {
        let rest = text.trim_start().strip_prefix("def")?.trim_start_matches('m').split_once(':')?.1;
        let word: String =
            rest.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        // Cases of one enum may have different classes: `BitEnumCaseNone`, `BitEnumCaseBit`.
        let word = word.split_once("Case").map_or(word.as_str(), |(before, _)| before);
        Some(word.to_owned()).filter(|word| !word.is_empty())
    };
    next.lines().next().is_some_and(|line| line.trim_start().starts_with("def"))
        && of(own).is_some()
        && of(own) == of(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(comment: &str, expected: Option<&str>) {
        assert_eq!(said(comment).as_deref(), expected, "{comment}");
    }

    #[test]
    fn a_heading_says_nothing_of_what_is_below_it() {
        check("\nLoads and stores\n", None);
        check("===-----===//\nLoads\n===-----===//", None);
        check("-----\none\n\ntwo\n-----", Some("one\n\ntwo"));
        check("one", Some("one"));
        check("=====", None);
        assert!(is_heading("Integer binary operations."));
        assert!(is_heading("Zero"));
        assert!(is_heading("Call-related operations."));
        assert!(!is_heading("Create a call to Masked Gather intrinsic."));
        assert!(!is_heading("Adds all of its operands"));
    }

    #[test]
    fn notes_of_authors_are_not_for_readers() {
        check("TODO: rename", None);
        check("Adds.\nTODO(me): more\nof it\n\nAnd more.", Some("Adds.\n\n\nAnd more."));
        check("Adds. FIXME later", Some("Adds."));
        check("HACKing is fun", Some("HACKing is fun"));
        check("clang-format off", None);
        check("https://example.org/issues/12", None);
        check("See issue #123", None);
        check(
            "See https://example.org for the rules of rounding",
            Some("See https://example.org for the rules of rounding"),
        );
        check("def Old : Op<\"old\">;", None);
        check("let x = 1;", None);
    }

    #[test]
    fn what_is_about_several_is_not_about_one() {
        assert!(is_of_several("Base class for all of them."));
        assert!(is_of_several("Unlike the following definitions, this is one."));
        assert!(!is_of_several("Takes the following:\n- a\n- b"));
    }
}
