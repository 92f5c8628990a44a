//! Comments that accept findings.
//!
//! ```text
//! // odsmith: ignore COR011, DOC001: the buffer is unique by its name      above a definition, or at the end of a line
//! // odsmith: ignore-file STY: generated from a table                      anywhere in a file
//! ```
//!
//! The reason after the colon is required. A comment above a statement covers all of it; another comment covers the
//! next line or its own. A comment that accepts nothing is reported (LNT001), and so is an unknown id or missing reason
//! (LNT002).

use std::ops::Range;

use odsmith_tablegen::outline::{Kind, Outline, Token};

use super::{
    config::Config,
    finding::{Edit, Finding, Fix, edit_of, of_rule},
    place_in,
    rule::{Fixable, Group, Level, Rule, SINCE},
    rule_of_id,
};

pub(super) static UNUSED: Rule = Rule {
    id: "LNT001",
    name: "unused-suppression",
    level: Level::Warning,
    fix: Fixable::Safe,
    text: "A comment accepts a finding that is not there. What was wrong is mended, or the comment is at the wrong place, and \
           would hide the next finding.",
    advice: "delete the comment",
    bad: r#"
// odsmith: ignore COR011: nothing of the kind is here
def Ex_AOp : Ex_Op<"a", [Pure]>;
"#,
    good: r#"
def Ex_AOp : Ex_Op<"a", [Pure]>;
"#,
    since: SINCE,
};

pub(super) static UNKNOWN: Rule = Rule {
    id: "LNT002",
    name: "wrong-suppression",
    level: Level::Error,
    fix: Fixable::No,
    text: "A comment names a rule that does not exist, or gives no reason. It accepts nothing.",
    advice: "write `// odsmith: ignore ID: the reason`; `odsmith rule` lists the ids",
    bad: r#"
// odsmith: ignore COR999: there is no such rule
def Ex_AOp : Ex_Op<"a", [Pure]>;
"#,
    good: r#"
def Ex_AOp : Ex_Op<"a", [Pure]>;
"#,
    since: SINCE,
};

/// All rules about suppressions.
pub(super) static RULES: &[&Rule] = &[&UNUSED, &UNKNOWN];

/// The word that starts such a comment.
const WORD: &str = "odsmith:";

/// Returns true if a line of a comment accepts findings or is empty, so that it does not document anything.
pub(super) fn is_suppression(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with(WORD)
}

/// A comment that accepts findings.
struct Suppression<'o> {
    outline: &'o Outline,
    comment: Token,
    /// `ignore` or `ignore-file`.
    word: &'o str,
    ids: Vec<String>,
    reason: String,
    /// The bytes of the file that it applies to.
    covers: Range<usize>,
    used: Vec<bool>,
}

/// Marks findings that comments accept, and reports faults of the comments.
pub(super) fn apply(outlines: &[Outline], config: &Config, findings: &mut Vec<Finding>) {
    for outline in outlines {
        let (mut all, wrong) = read(outline, config);
        if all.is_empty() && wrong.is_empty() {
            continue;
        }
        for finding in findings.iter_mut() {
            let Some(place) = finding.location.as_ref().filter(|place| *place.file == *outline.file) else {
                continue;
            };
            let start = place.range.start;
            let at = outline.offset(start.line, start.column);
            for suppression in &mut all {
                let covers = suppression.covers.contains(&at);
                let id = suppression.ids.iter().position(|id| is_meant(id, &finding.rule));
                if let Some(id) = id.filter(|_| covers) {
                    suppression.used[id] = true;
                    finding.accepted.get_or_insert_with(|| suppression.reason.clone());
                }
            }
        }
        findings.extend(wrong);
        findings.extend(all.iter().flat_map(|suppression| suppression.unused(config)));
    }
}

fn is_meant(id: &str, rule: &str) -> bool {
    id.eq_ignore_ascii_case(rule)
        || Group::ALL
            .iter()
            .any(|group| id.eq_ignore_ascii_case(group.letters()) && rule.starts_with(group.letters()))
}

fn read<'o>(outline: &'o Outline, config: &Config) -> (Vec<Suppression<'o>>, Vec<Finding>) {
    let (mut all, mut wrong) = (Vec::new(), Vec::new());
    let others: Vec<Token> = outline.tokens.iter().copied().filter(|it| !it.is_comment()).collect();
    for comment in outline.tokens.iter().copied().filter(|it| it.kind == Kind::LineComment) {
        let text = outline.text_of(comment);
        let Some(rest) = text.trim_start_matches('/').trim_start().strip_prefix(WORD) else { continue };
        let rest = rest.trim();
        let (word, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let is_file = match word {
            "ignore" => false,
            "ignore-file" => true,
            _ => {
                let message = format!("'{}' is neither 'ignore' nor 'ignore-file'", word.escape_debug());
                wrong.extend(problem(outline, comment, config, &UNKNOWN, message));
                continue;
            }
        };
        let (ids, reason) = rest.split_once(':').unwrap_or((rest, ""));
        let ids: Vec<String> =
            ids.split(',').map(|id| id.trim().to_owned()).filter(|id| !id.is_empty()).collect();
        let reason = reason.trim().to_owned();
        let is_known = |id: &String| {
            rule_of_id(id).is_some()
                || Group::ALL.iter().any(|group| id.eq_ignore_ascii_case(group.letters()))
                || config.custom.iter().any(|custom| custom.id == *id)
        };
        let unknown = ids.iter().find(|id| !is_known(id));
        let message = match unknown {
            Some(id) => Some(format!("there is no rule '{}'", id.escape_debug())),
            None if ids.is_empty() => Some("no rule is named".to_owned()),
            None if reason.is_empty() => {
                Some(format!("there is no reason for ignoring {}: write it after a colon", ids.join(", ")))
            }
            None => None,
        };
        if let Some(message) = message {
            wrong.extend(problem(outline, comment, config, &UNKNOWN, message));
            continue;
        }
        let covers = if is_file { 0..usize::MAX } else { covered(outline, &others, comment) };
        let used = vec![false; ids.len()];
        all.push(Suppression { outline, comment, word, ids, reason, covers, used });
    }
    (all, wrong)
}

/// Returns true if something else is before a comment on its line.
fn is_trailing(outline: &Outline, comment: Token) -> bool {
    let index = outline.tokens.partition_point(|token| token.start < comment.start);
    let mut line_start = comment.start;
    for token in outline.tokens[..index].iter().rev() {
        if !token.is_comment() {
            return token.is_code() && !outline.slice(token.end..line_start).contains('\n');
        }
        if outline.slice(token.start..line_start).contains('\n') {
            return false;
        }
        line_start = token.start;
    }
    false
}

/// Returns the bytes that a comment covers: its line, or the statement or line after it. `others` are all tokens but
/// comments.
fn covered(outline: &Outline, others: &[Token], comment: Token) -> Range<usize> {
    let line = |at: usize| outline.lines_of(at..at);
    let next = others.get(others.partition_point(|token| token.start < comment.end));
    let Some(next) = next.filter(|_| !is_trailing(outline, comment)) else { return line(comment.start) };
    match outline.statement_at(next.start) {
        Some(statement) if statement.start == next.start => line(next.start).start..statement.end,
        Some(statement) => match statement.items.iter().find(|item| item.start == next.start) {
            Some(item) => item.range(),
            None => line(next.start),
        },
        None => line(next.start),
    }
}

fn problem(
    outline: &Outline,
    comment: Token,
    config: &Config,
    rule: &Rule,
    message: String,
) -> Option<Finding> {
    let level = config.level_in(rule, &outline.file, "");
    let location = Some(place_in(outline, comment.start, comment.end));
    (level > Level::Off).then(|| of_rule(rule, level, &outline.file, message, location))
}

impl Suppression<'_> {
    /// Returns a finding if an id of the suppression accepts nothing.
    fn unused(&self, config: &Config) -> Option<Finding> {
        // A disabled rule finds nothing.
        let is_asked = |id: &String| match rule_of_id(id) {
            Some(rule) => config.level_in(rule, &self.outline.file, "") > Level::Off,
            None => true,
        };
        let unused = self.ids.iter().zip(&self.used).filter(|(id, used)| !**used && is_asked(id));
        let unused: Vec<&str> = unused.map(|(id, _)| id.as_str()).collect();
        if unused.is_empty() {
            return None;
        }
        let message = format!("there is no finding of {} here", unused.join(", "));
        let mut finding = problem(self.outline, self.comment, config, &UNUSED, message)?;
        let (title, edit) = match unused.len() == self.ids.len() {
            true => ("delete the comment".to_owned(), self.deletion()),
            false => (format!("take {} away", unused.join(", ")), self.without(&unused)),
        };
        finding.fix = Some(Fix { title, is_safe: true, edits: vec![edit] });
        Some(finding)
    }

    /// Returns the edit that removes the unused ids from the comment.
    fn without(&self, unused: &[&str]) -> Edit {
        let left = self.ids.iter().map(String::as_str).filter(|id| !unused.contains(id));
        let left: Vec<&str> = left.collect();
        let text = format!("// {WORD} {} {}: {}", self.word, left.join(", "), self.reason);
        edit_of(self.outline, (self.comment.start, self.comment.end), text)
    }

    fn deletion(&self) -> Edit {
        let (outline, Token { start, end, .. }) = (self.outline, self.comment);
        let line = outline.lines_of(start..start);
        let Range { start, end } = if is_trailing(outline, self.comment) {
            line.start + outline.slice(line.start..start).trim_end().len()..end
        } else {
            line
        };
        edit_of(outline, (start, end), "")
    }
}

/// Returns edits that accept findings with a reason, with one comment above each line that has findings.
#[must_use]
pub fn additions<'o>(
    outlines: impl IntoIterator<Item = &'o Outline>,
    findings: &[Finding],
    reason: &str,
) -> Vec<Edit> {
    let mut edits = Vec::new();
    for outline in outlines {
        let mut lines: Vec<(u32, Vec<&str>)> = Vec::new();
        let here = findings.iter().filter(|finding| finding.is_open());
        for finding in here {
            let Some(place) = finding.location.as_ref().filter(|place| *place.file == *outline.file) else {
                continue;
            };
            let line = home(outline, place.range.start.line);
            match lines.iter_mut().find(|(known, _)| *known == line) {
                Some((_, ids)) if ids.contains(&&*finding.rule) => {}
                Some((_, ids)) => ids.push(&finding.rule),
                None => lines.push((line, vec![&finding.rule])),
            }
        }
        lines.sort_unstable_by_key(|(line, _)| *line);
        for (line, mut ids) in lines {
            ids.sort_unstable();
            let start = outline.offset(line, 1);
            let text = outline.slice(outline.lines_of(start..start));
            let indent = &text[..text.len() - text.trim_start().len()];
            let indent = indent.trim_end_matches('\n');
            let text = format!("{indent}// odsmith: ignore {}: {reason}\n", ids.join(", "));
            edits.push(edit_of(outline, (start, start), text));
        }
    }
    edits
}

/// Returns the line to put a comment above to cover this one: the definition's first, unless an item begins on this
/// line.
fn home(outline: &Outline, line: u32) -> u32 {
    let start = outline.offset(line, 1);
    let after = outline.tokens.partition_point(|token| token.start < start);
    let Some(first) = outline.tokens[after..].iter().find(|token| !token.is_comment()) else { return line };
    let Some(around) = outline.statement_at(first.start) else { return line };
    let begins = around.start == first.start || around.items.iter().any(|item| item.start == first.start);
    if begins { line } else { outline.position(around.start).0 }
}
