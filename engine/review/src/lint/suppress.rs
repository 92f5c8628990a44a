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

use super::{
    config::Config,
    finding::{Edit, Finding, Fix},
    outline::{Comment, Outline},
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
    advice: "write `// odsmith: ignore ID: the reason`; `odsmith lint --rules` lists the ids",
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
    comment: Comment,
    /// `ignore` or `ignore-file`.
    word: &'o str,
    ids: Vec<String>,
    reason: String,
    /// The bytes of the file that it applies to.
    covers: (u32, u32),
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
            let Some(place) = finding.place.as_ref().filter(|place| *place.file == *outline.file) else {
                continue;
            };
            let at = outline.line_start(place.line) + place.column - 1;
            for suppression in &mut all {
                let covers = suppression.covers.0 <= at && at < suppression.covers.1;
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
    for &comment in &outline.comments {
        let text = outline.slice(comment.start, comment.end);
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
        let covers = if is_file { (0, u32::MAX) } else { covered(outline, comment) };
        let used = vec![false; ids.len()];
        all.push(Suppression { outline, comment, word, ids, reason, covers, used });
    }
    (all, wrong)
}

/// Returns the bytes that a comment covers: its line, or the statement or line after it.
fn covered(outline: &Outline, comment: Comment) -> (u32, u32) {
    let line = |at: u32| {
        let (line, _) = outline.position(at);
        (outline.line_start(line), outline.line_start(line + 1))
    };
    if comment.is_trailing {
        return line(comment.start);
    }
    let next = outline.tokens.partition_point(|token| token.start < comment.end);
    let Some(next) = outline.tokens.get(next) else { return line(comment.start) };
    let statement = outline.statements.iter().find(|statement| statement.start == next.start);
    match statement {
        Some(statement) => (outline.line_start(outline.position(statement.start).0), statement.end),
        None => match outline
            .statement_at(next.start)
            .and_then(|it| it.items.iter().find(|item| item.start == next.start))
        {
            Some(item) => (item.start, item.end),
            None => line(next.start),
        },
    }
}

fn problem(
    outline: &Outline,
    comment: Comment,
    config: &Config,
    rule: &Rule,
    message: String,
) -> Option<Finding> {
    let level = config.level_in(rule, &outline.file, "");
    (level > Level::Off).then(|| Finding {
        rule: rule.id.to_owned(),
        name: rule.name.to_owned(),
        level,
        subject: outline.file.to_string(),
        message,
        advice: rule.advice.to_owned(),
        witness: None,
        place: Some(place_in(outline, comment.start, comment.end)),
        related: Vec::new(),
        fix: None,
        accepted: None,
    })
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
        let Comment { start, end, .. } = self.comment;
        Edit { file: self.outline.file.to_string(), start, end, text }
    }

    fn deletion(&self) -> Edit {
        let (outline, Comment { start, end, is_trailing }) = (self.outline, self.comment);
        let (line, _) = outline.position(start);
        let (start, end) = if is_trailing {
            let before = outline.slice(outline.line_start(line), start).trim_end().len() as u32;
            (outline.line_start(line) + before, end)
        } else {
            (outline.line_start(line), outline.line_start(line + 1))
        };
        Edit::of(outline, (start, end), "")
    }
}

/// Returns edits that accept findings with a reason, with one comment above each line that has findings.
#[must_use]
pub fn additions(outlines: &[Outline], findings: &[Finding], reason: &str) -> Vec<Edit> {
    let mut edits = Vec::new();
    for outline in outlines {
        let mut lines: Vec<(u32, Vec<&str>)> = Vec::new();
        let here = findings.iter().filter(|finding| finding.is_open());
        for finding in here {
            let Some(place) = finding.place.as_ref().filter(|place| *place.file == *outline.file) else {
                continue;
            };
            let line = home(outline, place.line);
            match lines.iter_mut().find(|(known, _)| *known == line) {
                Some((_, ids)) if ids.contains(&finding.rule.as_str()) => {}
                Some((_, ids)) => ids.push(&finding.rule),
                None => lines.push((line, vec![&finding.rule])),
            }
        }
        lines.sort_unstable_by_key(|(line, _)| *line);
        for (line, mut ids) in lines {
            ids.sort_unstable();
            let start = outline.line_start(line);
            let text = outline.slice(start, outline.line_start(line + 1));
            let indent = &text[..text.len() - text.trim_start().len()];
            let indent = indent.trim_end_matches('\n');
            let text = format!("{indent}// odsmith: ignore {}: {reason}\n", ids.join(", "));
            edits.push(Edit::of(outline, (start, start), text));
        }
    }
    edits
}

/// Returns the line to put a comment above to cover this one: the definition's first, unless an item begins on this
/// line.
fn home(outline: &Outline, line: u32) -> u32 {
    let start = outline.line_start(line);
    let first = outline.tokens.get(outline.tokens.partition_point(|token| token.start < start));
    let Some(first) = first else { return line };
    let Some(around) = outline.statement_at(first.start) else { return line };
    let begins = around.start == first.start || around.items.iter().any(|item| item.start == first.start);
    if begins { line } else { outline.position(around.start).0 }
}
