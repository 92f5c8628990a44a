//! Repairs texts before they are parsed, where CommonMark would lose an obvious intent.
//!
//! The result is CommonMark. A repair removes only spaces and fences, and adds only these and empty lines.

use std::ops::Range;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use crate::markdown::EXTENSIONS;

/// The limit for marks of lists and quotations at the start of a line; the rest is text. A parser reads all of them
/// again for each line that continues the paragraph.
const MOST_MARKS: usize = 64;

/// Escapes the marks of lists and quotations beyond the limit.
pub(crate) fn nesting(md: &str, notes: &mut Vec<String>) -> String {
    let mut out = String::with_capacity(md.len());
    for line in md.split_inclusive('\n') {
        let at = marks_end(line);
        out.push_str(&line[..at]);
        if at < line.len() {
            out.push('\\');
            out.push_str(&line[at..]);
            notes.push("lists and quotations that are nested too deeply".to_owned());
        }
    }
    out
}

/// The position of the first mark beyond the limit, or the end of the line.
fn marks_end(line: &str) -> usize {
    let bytes = line.as_bytes();
    let (mut at, mut marks) = (0, 0);
    loop {
        while matches!(bytes.get(at), Some(b' ' | b'\t')) {
            at += 1;
        }
        let digits = bytes[at..].iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
        let length = match bytes.get(at) {
            Some(b'>') => 1,
            Some(b'-' | b'+' | b'*') if matches!(bytes.get(at + 1), Some(b' ' | b'\t')) => 1,
            _ if digits > 0 && matches!(bytes.get(at + digits), Some(b'.' | b')')) => digits + 1,
            _ => return line.len(),
        };
        marks += 1;
        if marks > MOST_MARKS {
            return at;
        }
        at += length;
    }
}

/// The limit for fences that are closed at the end of a line of code; each one costs another pass over the text.
const MOST_LATE_FENCES: usize = 8;

/// Moves every closing fence below its opening one.
pub(crate) fn fences(md: &str, notes: &mut Vec<String>) -> String {
    let mut text = Err(md.to_owned());
    for _ in 0..MOST_LATE_FENCES {
        let Err(again) = text else { break };
        text = read_fences(&again, notes);
    }
    text.unwrap_or_else(|text| text)
}

/// Makes one pass; `Err` holds the text with one more fence closed, which needs another pass.
fn read_fences(md: &str, notes: &mut Vec<String>) -> Result<String, String> {
    let mut out = String::with_capacity(md.len());
    let mut open: Option<(char, usize, usize)> = None;
    // The start of the code in the open fence.
    let mut begun = 0;
    for line in md.split_inclusive('\n') {
        let text = line.trim_start_matches(' ');
        let indent = line.len() - text.len();
        let mark = text.chars().next().unwrap_or(' ');
        let run = text.chars().take_while(|&c| c == mark).count();
        let is_fence = matches!(mark, '`' | '~') && run >= 3;
        match open {
            Some((opened, least, column))
                if is_fence && opened == mark && run >= least && text[run..].trim().is_empty() =>
            {
                open = None;
                if indent > column + 3 {
                    notes.push("code fence that is closed too far to the right".to_owned());
                    out.push_str(&" ".repeat(column));
                    out.push_str(text);
                    continue;
                }
            }
            // A line that begins with backticks and has more of them later is inline code.
            None if is_fence && !(mark == '`' && text[run..].contains('`')) => {
                open = Some((mark, run, indent));
                begun = out.len() + line.len();
                // The text after the fence names a language, or is code.
                let is_code = |c: char| matches!(c, '(' | '[' | '<' | '%' | '!' | '"' | '/');
                if text[run..].trim_start().starts_with(is_code) {
                    notes.push("code on the line of its fence".to_owned());
                    let (fence, code) = line.split_at(indent + run);
                    out.push_str(fence);
                    out.push('\n');
                    out.extend(std::iter::repeat_n(' ', indent + run));
                    begun = out.len();
                    out.push_str(code.trim_start_matches(' '));
                    continue;
                }
            }
            _ => {}
        }
        out.push_str(line);
    }
    let Some((mark, run, _)) = open else { return Ok(out) };
    // The fence may be at the end of the last line of code: ``    return 1```.``
    let fence = mark.to_string().repeat(run);
    let Some(at) = out[begun..].find(&fence).map(|at| at + begun) else {
        notes.push("code fence that is never closed".to_owned());
        return Ok(out);
    };
    notes.push("code fence that is closed after code".to_owned());
    let rest = out[at..].trim_start_matches(mark);
    Err(format!("{}\n{fence}\n{rest}", &out[..at]))
}

/// Keeps lines with a layout from becoming one paragraph. Four things count as a layout:
///
/// * lines further to the right than the one above them, which ends with a colon (or a comma, for a list);
/// * lines of IR: `%a = ...`, with comments and further indented lines below them;
/// * lines between a brace that ends a line and one that begins a line;
/// * columns: lines with wide gaps, and adjacent lines with few letters.
pub(crate) fn paragraphs(text: String, notes: &mut Vec<String>) -> String {
    if !text.contains('\n') || !may_be_laid_out(&text) {
        return text;
    }
    let mut out = String::with_capacity(text.len() * 9 / 8);
    let mut at = 0;
    // Lines in a quotation begin with marks, so they are left alone.
    let mut quotations = 0usize;
    for (event, range) in Parser::new_ext(&text, EXTENSIONS).into_offset_iter() {
        match event {
            Event::Start(Tag::BlockQuote(_)) => quotations += 1,
            Event::End(TagEnd::BlockQuote(_)) => quotations -= 1,
            Event::Start(Tag::Paragraph) if quotations == 0 => {
                out.push_str(&text[at..range.start]);
                at = range.end;
                paragraph(&text, range, &mut out, notes);
            }
            _ => {}
        }
    }
    out.push_str(&text[at..]);
    out
}

/// Tests cheaply if lines outside of fences may have a layout.
fn may_be_laid_out(text: &str) -> bool {
    let mut is_code = false;
    let mut before = Line::default();
    for line in text.lines().map(Line::new) {
        is_code ^= line.text.starts_with("```") || line.text.starts_with("~~~");
        let is_announced = before.announces(&line);
        if !is_code && (is_announced || line.is_ir() || line.opens() || line.has_columns()) {
            return true;
        }
        before = line;
    }
    false
}

/// A line without the spaces around it.
#[derive(Clone, Copy, Default)]
struct Line<'a> {
    indent: usize,
    text: &'a str,
    /// True if two spaces at the end force a line break.
    is_broken: bool,
}

impl<'a> Line<'a> {
    fn new(line: &'a str) -> Self {
        let text = line.trim_start_matches(' ');
        Line { indent: line.len() - text.len(), text: text.trim_end(), is_broken: line.ends_with("  ") }
    }

    fn is_item(&self) -> bool {
        ["- ", "* ", "+ "].iter().any(|mark| self.text.starts_with(mark))
    }

    /// Tests if `next` belongs to this line and must stay a line of its own.
    fn announces(&self, next: &Line<'_>) -> bool {
        let is_end = self.text.ends_with(':') || (self.text.ends_with(',') && next.is_item());
        is_end && !next.text.is_empty() && next.indent >= self.indent + 2
    }

    /// Tests for `%name = `, `%a, %b = `, `%a:2 = `.
    fn is_ir(&self) -> bool {
        let results = self.text.split_once(" = ").map(|(results, _)| results);
        results.is_some_and(|results| {
            results.split(", ").all(|name| {
                let name = name.strip_prefix('%').unwrap_or_default();
                !name.is_empty()
                    && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.$-:#".contains(&byte))
            })
        })
    }

    fn opens(&self) -> bool {
        self.text.ends_with('{')
    }

    /// Tests if it has few letters, or few words and the marks of code.
    fn is_bare(&self) -> bool {
        let count = |is: fn(&u8) -> bool| self.text.bytes().filter(is).count();
        count(u8::is_ascii_alphabetic) * 2 <= count(u8::is_ascii_graphic)
            || self.text.ends_with([';', '{', '}'])
            || (self.text.contains("= ") && self.text.split_whitespace().count() <= 4)
    }

    /// Tests if the gaps between its words are too wide to be accidental.
    fn has_columns(&self) -> bool {
        let mut gaps = 0;
        let mut spaces = 0;
        for byte in self.text.bytes() {
            if byte == b' ' {
                spaces += 1;
                continue;
            }
            if spaces >= 3 {
                return true;
            }
            gaps += usize::from(spaces == 2);
            spaces = 0;
        }
        gaps >= 3
    }
}

/// The kinds of lines that must stay lines of their own.
#[derive(Clone, Copy)]
enum Kind {
    Columns,
    Ir,
    Code,
    List,
    Lines,
}

impl Kind {
    fn note(self) -> &'static str {
        match self {
            Kind::Columns => "text in columns without a fence around it",
            Kind::Ir => "IR without a fence around it",
            Kind::Code => "code without a fence around it",
            Kind::List => "list that is indented too far",
            Kind::Lines => "lines that would become one",
        }
    }
}

/// The first run of lines, from `at` on, that must stay lines of their own. `last_close` is the last line that begins
/// with a brace.
fn next_run(
    lines: &[Line<'_>],
    drawn: &Range<usize>,
    last_close: Option<usize>,
    mut at: usize,
) -> Option<(Kind, Range<usize>)> {
    while let Some(line) = lines.get(at) {
        if at == drawn.start && !drawn.is_empty() {
            return Some((Kind::Columns, drawn.clone()));
        }
        let until = if at < drawn.start { drawn.start } else { lines.len() };
        let rest = &lines[at + 1..until];
        if line.is_ir() {
            let goes_on =
                |next: &&Line<'_>| next.is_ir() || next.indent > line.indent || next.text.starts_with("//");
            return Some((Kind::Ir, at..at + 1 + rest.iter().take_while(goes_on).count()));
        }
        if line.opens() && last_close.is_some_and(|close| close > at) {
            let inside = lines[at + 1..].iter().take_while(|next| !next.text.starts_with('}')).count();
            return Some((Kind::Code, at..at + inside + 2));
        }
        if let Some(first) = rest.first().filter(|next| line.announces(next)) {
            let count = rest.iter().take_while(|next| next.indent >= line.indent + 2).count();
            let run = at + 1..at + 1 + count;
            return Some(match () {
                () if first.is_item() => (Kind::List, run),
                () if lines[run.clone()].iter().any(looks_like_code) => (Kind::Code, run),
                () => (Kind::Lines, run),
            });
        }
        at += 1;
    }
    None
}

/// Writes one paragraph with its repairs.
fn paragraph(text: &str, range: Range<usize>, out: &mut String, notes: &mut Vec<String>) {
    // The first line begins after the mark of an item or after spaces, which are already written.
    let column = range.start - text[..range.start].rfind('\n').map_or(0, |end| end + 1);
    let all = &text[range];
    let mut lines: Vec<Line<'_>> = all.lines().map(Line::new).collect();
    if let Some(first) = lines.first_mut() {
        first.indent += column;
    }
    let drawn = drawn(&lines);
    let last_close = lines.iter().rposition(|line| line.text.starts_with('}'));
    let mut next = next_run(&lines, &drawn, last_close, 0);
    if next.is_none() {
        out.push_str(all);
        return;
    }
    let start = out.len();
    let mut at = 0;
    loop {
        let (kind, run) = next.clone().unwrap_or((Kind::Lines, lines.len()..lines.len()));
        words(&lines[at..run.start], column, out);
        if run.is_empty() {
            break;
        }
        notes.push(kind.note().to_owned());
        at = run.end;
        let lines_of_run = &lines[run];
        match kind {
            Kind::Columns | Kind::Ir | Kind::Code => code(lines_of_run, column, out),
            Kind::List => {
                for line in lines_of_run {
                    let indent = line.indent.saturating_sub(lines_of_run[0].indent);
                    push(line.text, column + indent, out);
                }
                // Otherwise the following text would belong to the last item.
                out.push('\n');
            }
            Kind::Lines => {
                break_line(out);
                for line in lines_of_run {
                    push(line.text, column, out);
                    break_line(out);
                }
            }
        }
        next = next_run(&lines, &drawn, last_close, at);
    }
    out.replace_range(start..start + column, "");
}

/// Writes lines of words, the first of which begins a paragraph.
fn words(lines: &[Line<'_>], column: usize, out: &mut String) {
    for (number, line) in lines.iter().enumerate() {
        // An indented line can only continue the paragraph: it begins no list.
        push(line.text, if number == 0 { column } else { line.indent.max(column) }, out);
        if line.is_broken {
            break_line(out);
        }
    }
}

/// Ends the last line with two spaces, which force a line break.
fn break_line(out: &mut String) {
    out.truncate(out.trim_end_matches(['\n', ' ']).len());
    out.push_str("  \n");
}

/// The lines of an ASCII picture: from the first line with columns to the last, if most of them have columns.
fn drawn(lines: &[Line<'_>]) -> Range<usize> {
    let (Some(start), Some(last)) =
        (lines.iter().position(Line::has_columns), lines.iter().rposition(Line::has_columns))
    else {
        return 0..0;
    };
    let drawn = &lines[start..=last];
    let count = drawn.iter().filter(|line| line.has_columns()).count();
    if count < 2 || count * 2 < drawn.len() {
        return 0..0;
    }
    let before = lines[..start].iter().rev().take_while(|line| line.is_bare()).count();
    let after = lines[last + 1..].iter().take_while(|line| line.is_bare()).count();
    start - before..last + 1 + after
}

/// Tests if a line is code rather than words; backticks already mark their content as code.
fn looks_like_code(line: &Line<'_>) -> bool {
    let marks = ["%", "= ", "->", "::", "();", "{", "<"];
    !line.text.contains('`')
        && !line.text.contains("://")
        && marks.iter().any(|mark| line.text.contains(mark))
}

/// Writes lines between fences.
fn code(lines: &[Line<'_>], column: usize, out: &mut String) {
    let fence = if lines.iter().any(|line| line.text.contains("```")) { "~~~~" } else { "```" };
    let least = lines.iter().map(|line| line.indent).min().unwrap_or_default();
    let language = if lines.iter().any(|line| line.text.contains('%')) { "mlir" } else { "" };
    push(&format!("{fence}{language}"), column, out);
    for line in lines {
        push(line.text, column + line.indent - least, out);
    }
    push(fence, column, out);
}

fn push(line: &str, column: usize, out: &mut String) {
    out.extend(std::iter::repeat_n(' ', column));
    out.push_str(line);
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(text: &str) -> String {
        let mut notes = Vec::new();
        let out = paragraphs(text.to_owned(), &mut notes);
        assert_eq!(out == text, notes.is_empty(), "{notes:?}");
        out
    }

    #[test]
    fn marks_of_one_line_have_an_end() {
        for mark in [">", "> ", "- ", "1. ", "+  > "] {
            let mut notes = Vec::new();
            assert_eq!(nesting(&mark.repeat(32), &mut notes), mark.repeat(32));
            assert_eq!(notes.len(), 0);
            let long = format!("{}a\n", mark.repeat(100));
            let out = nesting(&long, &mut notes);
            assert_eq!((out.matches('\\').count(), out.replacen('\\', "", 1)), (1, long), "{mark}");
            assert_eq!(notes.len(), 1);
        }
    }

    #[test]
    fn code_on_the_line_of_a_fence_is_not_lost() {
        let mut notes = Vec::new();
        assert_eq!(fences("```(a,\n    b)```.\nc", &mut notes), "```\n   (a,\n    b)\n```\n.\nc");
        assert_eq!(notes, ["code on the line of its fence", "code fence that is closed after code"]);
        for fine in ["```mlir\n```", "``` {.mlir}\n```", "```(a)``` b"] {
            assert_eq!(fences(fine, &mut notes), fine);
        }
    }

    #[test]
    fn a_list_is_one_wherever_it_stands() {
        let list = "Shapes:\n    - a is\n      long\n    * b\n\nafter";
        assert_eq!(mended(list), "Shapes:\n- a is\n  long\n* b\n\n\nafter");
        assert_eq!(mended("a:\n    - b\nc  \nd\n      - e"), "a:\n- b\n\nc  \nd\n      - e\n");
        for fine in ["a\n      - b", "a:\n\n    - b:\n    - c", "- a:\n  - b\n    c:", "> a:\n>     - b"] {
            assert_eq!(mended(fine), fine);
        }
    }

    #[test]
    fn code_below_a_colon_is_code() {
        assert_eq!(mended("Usage:\n  a.b(%c)\n    -> d\nso"), "Usage:\n```mlir\na.b(%c)\n  -> d\n```\nso\n");
        assert_eq!(mended("1. x\n\n   y:\n     a = b\n"), "1. x\n\n   y:\n   ```\n   a = b\n   ```\n");
        assert_eq!(mended("like:\n    a\n    b\nc"), "like:  \na  \nb  \nc\n");
        assert_eq!(mended("see:\n  `a = b`"), "see:  \n`a = b`  \n");
        let fenced = "a:\n```\nb:\n    %c = d   e   f\n```";
        assert_eq!(mended(fenced), fenced);
    }

    #[test]
    fn ir_is_code() {
        let text = "From\n%a:2, %b = c.d :\n    (e) -> f\nto\n%1 = g";
        assert_eq!(
            mended(text),
            "From\n```mlir\n%a:2, %b = c.d :\n    (e) -> f\n```\nto\n```mlir\n%1 = g\n```\n"
        );
        assert_eq!(mended("%a = b\n// c\nd"), "```mlir\n%a = b\n// c\n```\nd\n");
        assert_eq!(mended("50% = half"), "50% = half");
        assert_eq!(mended("As\n#a<{\n  b\n}>\nand {"), "As\n```\n#a<{\n  b\n}>\n```\nand {\n");
    }

    #[test]
    fn columns_stay_columns() {
        let text = "Parts:\n      left    right\n[ 0  1  2  3 ]\n ...\n[ 4  5  6  7 ]\n[ 88 ]\nof it";
        let expected =
            "Parts:\n```\n      left    right\n[ 0  1  2  3 ]\n ...\n[ 4  5  6  7 ]\n[ 88 ]\n```\nof it\n";
        assert_eq!(mended(text), expected);
        assert_eq!(mended("One.  Two.\nThree  four.  Five."), "One.  Two.\nThree  four.  Five.");
    }

    #[test]
    fn nothing_is_taken_away_but_spaces_and_marks_of_fences() {
        const PIECES: [&str; 18] = [
            " ",
            "  ",
            "    ",
            "\n",
            "\n",
            "\n\n",
            ":",
            ",",
            "- ",
            "1. ",
            "> ",
            "%a = ",
            "{",
            "}",
            "```",
            "~~~",
            "é",
            "a b  c  d  e",
        ];
        let mut seed = 1u64;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..24 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                text.push_str(PIECES[(seed >> 33) as usize % PIECES.len()]);
            }
            let mut notes = Vec::new();
            let out = paragraphs(fences(&text, &mut notes), &mut notes);
            let mut left = out.chars();
            let mut kept = text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '`' | '~'));
            assert!(kept.all(|c| left.any(|other| other == c)), "{text:?} became {out:?}");
        }
    }
}
