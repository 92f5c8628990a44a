//! Markdown in descriptions (DOC006, DOC010).

use odsmith_tablegen::outline::Outline;

use crate::lint::{
    cx::{Cx, Subject},
    finding::{Edit, Location, edit_of},
    place_in,
    rule::{Fixable, Level, Rule, SINCE},
    words::quoted,
};

pub(super) static BROKEN: Rule = Rule {
    id: "DOC006",
    name: "markdown-broken",
    level: Level::Warning,
    fix: Fixable::Safe,
    text: "A description is shown otherwise than it was meant: a fence that is never closed makes code of the rest of the page, a \
           heading above the level of the definition's own begins a new chapter, a reference leads nowhere.",
    advice: "close the fence; begin headings with more `#`; write where a reference leads",
    bad: r#"
def Ex_AddOp : Ex_Op<"add"> {
  let description = [{
    Adds.

    ```mlir
    ex.add
  }];
}
"#,
    good: r#"
def Ex_AddOp : Ex_Op<"add"> {
  let description = [{
    Adds.

    ```mlir
    ex.add
    ```
  }];
}
"#,
    since: SINCE,
};

pub(super) static INDENT: Rule = Rule {
    id: "DOC010",
    name: "description-indent",
    level: Level::Info,
    fix: Fixable::Safe,
    text: "Lines of a description are indented by four blanks or more after an empty line, so that Markdown shows them as code.",
    advice: "indent them as the other lines, or put code into a fence",
    bad: r#"
def Ex_AddOp : Ex_Op<"add"> {
  let description = [{
    Adds.

        And wraps around, as all do.
  }];
}
"#,
    good: r#"
def Ex_AddOp : Ex_Op<"add"> {
  let description = [{
    Adds.

    And wraps around, as all do.
  }];
}
"#,
    since: SINCE,
};

/// A line of a description.
struct Line<'t> {
    /// Its first byte in the description.
    start: usize,
    text: &'t str,
    is_code: bool,
}

/// The description in the file, if it is a single `[{…}]` or `"…"` there.
pub(super) struct Source<'o> {
    outline: &'o Outline,
    /// The offset of its first byte.
    start: usize,
}

impl Source<'_> {
    /// Returns the place of a piece of the description.
    pub fn place(&self, start: usize, length: usize) -> Location {
        place_in(self.outline, self.start + start, self.start + start + length)
    }

    fn edit(&self, start: usize, length: usize, text: &str) -> Edit {
        let start = self.start + start;
        edit_of(self.outline, (start, start + length), text)
    }
}

/// Returns the source text of a description.
pub(super) fn source<'o>(cx: &Cx<'o, '_>, subject: &Subject<'_>, description: &str) -> Option<Source<'o>> {
    let (outline, statement) = cx.statement(subject.rec)?;
    let value = outline.value(statement, "description")?;
    let [token] = outline.code_in(value)[..] else { return None };
    (outline.inside(token) == description).then(|| Source { outline, start: token.inside().start })
}

pub(super) fn check(cx: &Cx<'_, '_>, subject: &Subject<'_>, description: &str, heading: usize) {
    if description.trim().is_empty() || !(cx.wants(&BROKEN) || cx.wants(&INDENT)) {
        return;
    }
    let (lines, open) = lines(description);
    let source = source(cx, subject, description);
    let at = |start: usize, length: usize| match &source {
        Some(source) => Some(source.place(start, length)),
        None => cx.place_in_field(subject.rec, "description", ""),
    };
    if let Some(open) = open {
        let line = &lines[open];
        let fence = line.text.trim();
        let marks = fence.chars().take_while(|c| matches!(c, '`' | '~')).count();
        let indent = &line.text[..line.text.len() - line.text.trim_start().len()];
        let end = description.trim_end().len();
        let edit = source.as_ref().map(|it| it.edit(end, 0, &format!("\n{indent}{}", &fence[..marks])));
        cx.draft(&BROKEN, subject, "a fence is never closed")
            .part("description")
            .at(at(line.start + indent.len(), fence.len()))
            .witness(quoted(fence))
            .fix("close it at the end", edit.into_iter().collect())
            .add();
    }
    for line in lines.iter().filter(|line| !line.is_code) {
        let text = line.text.trim_start();
        let level = text.bytes().take_while(|byte| *byte == b'#').count();
        let is_heading = (1..=6).contains(&level) && text[level..].starts_with(' ');
        if is_heading && level <= heading {
            let start = line.start + line.text.len() - text.len();
            let more = "#".repeat(heading + 1 - level);
            let edit = source.as_ref().map(|it| it.edit(start, 0, &more));
            let message =
                format!("a heading of level {level} in a text whose own heading has level {heading}");
            cx.draft(&BROKEN, subject, message)
                .part("description")
                .at(at(start, text.trim_end().len()))
                .witness(quoted(text))
                .fix("make it a heading of the text", edit.into_iter().collect())
                .add();
        }
        if let Some((from, reference)) = dead_reference(line.text, description) {
            cx.draft(&BROKEN, subject, format!("the reference '[{reference}]' leads nowhere"))
                .part("description")
                .at(at(line.start + from, reference.len()))
                .witness(reference)
                .add();
        }
    }
    if cx.wants(&INDENT) {
        indent(cx, subject, &lines, source.as_ref());
    }
}

/// Returns the lines of a text, and the index of the line that opens an unclosed fence.
fn lines(text: &str) -> (Vec<Line<'_>>, Option<usize>) {
    let mut lines = Vec::new();
    let mut open: Option<(usize, char, usize)> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        let mark = bare.chars().next().filter(|c| matches!(c, '`' | '~'));
        let count = mark.map_or(0, |mark| bare.chars().take_while(|c| *c == mark).count());
        let rest = &bare[count..];
        let mut is_code = open.is_some();
        match open {
            Some((_, mark, marks)) if bare.starts_with(mark) && count >= marks && rest.is_empty() => {
                open = None;
            }
            None if count >= 3 && !rest.contains('`') => {
                open = mark.map(|mark| (lines.len(), mark, count));
                is_code = true;
            }
            _ => {}
        }
        lines.push(Line { start, text: line.trim_end_matches(['\n', '\r']), is_code });
        start += line.len();
    }
    (lines, open.map(|(line, ..)| line))
}

/// Returns the offset and text of the reference of a `[text][reference]` if the reference is not defined.
fn dead_reference<'l>(line: &'l str, description: &str) -> Option<(usize, &'l str)> {
    // Code between backticks contains no references.
    let is_in_code = |at: usize| line[..at].matches('`').count() % 2 == 1;
    for (middle, _) in line.match_indices("][").filter(|(at, _)| !is_in_code(*at)) {
        let reference = line[middle + 2..].split(']').next().unwrap_or_default();
        let is_closed = line[middle + 2 + reference.len()..].starts_with(']');
        let is_open = line[..middle].contains('[');
        // `[M][N]` are sizes.
        let is_name = reference.len() >= 3
            && reference.chars().any(char::is_lowercase)
            && reference.chars().next().is_some_and(char::is_alphabetic)
            && reference.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.'));
        // `a[i][j]` is not a reference.
        let follows_word = line[..middle].rfind('[').is_some_and(|open| {
            line[..open].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ']' | '%' | ')'))
        });
        let wanted = format!("[{}]:", reference.to_lowercase());
        if is_closed && is_open && is_name && !follows_word && !description.to_lowercase().contains(&wanted) {
            return Some((middle + 2, reference));
        }
    }
    None
}

fn indent(cx: &Cx<'_, '_>, subject: &Subject<'_>, lines: &[Line<'_>], source: Option<&Source<'_>>) {
    let depth = |line: &Line<'_>| line.text.len() - line.text.trim_start().len();
    let texts = || lines.iter().filter(|line| !line.text.trim().is_empty());
    // The first line may directly follow the `[{`.
    let least = texts().filter(|line| line.start > 0).map(depth).min().unwrap_or(0);
    let mut is_list = false;
    let mut at = 0;
    while at < lines.len() {
        let line = &lines[at];
        let text = line.text.trim_start();
        let is_blank_before = at > 0 && lines[at - 1].text.trim().is_empty();
        if !text.is_empty() && depth(line) < least + 2 {
            is_list = false;
        }
        let is_item = text.starts_with("* ")
            || text.starts_with("- ")
            || text.starts_with("+ ")
            || text.split_once(['.', ')']).is_some_and(|(number, _)| {
                !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
            });
        is_list |= is_item;
        if !is_blank_before || is_list || line.is_code || text.is_empty() || depth(line) < least + 4 {
            at += 1;
            continue;
        }
        let block: Vec<&Line<'_>> = lines[at..]
            .iter()
            .take_while(|it| !it.text.trim().is_empty() && depth(it) >= least + 4)
            .collect();
        let is_prose = block.iter().all(|it| is_prose(it.text));
        if is_prose {
            let edits = source.map(|source| {
                block.iter().map(|it| source.edit(it.start + least, depth(it) - least, "")).collect()
            });
            cx.draft(&INDENT, subject, "lines that are indented so far are shown as code")
                .part("description")
                .at(source.map(|it| it.place(line.start + depth(line), text.trim_end().len())))
                .witness(quoted(text))
                .fix("indent them as the others", edits.unwrap_or_default())
                .add();
        }
        at += block.len().max(1);
    }
}

/// Returns true if a line reads as a sentence rather than as code, which is indented on purpose.
fn is_prose(line: &str) -> bool {
    let line = line.trim();
    !line.contains(['%', '=', '{', '}', '(', ';', '<', '|', '/', '$', '@', '!', '\\', '[', '+', '*'])
        && line.split_whitespace().count() >= 3
        && line.chars().next().is_some_and(char::is_alphabetic)
}
