//! The indentation of a line that is being written, in a file that need not be whole.

use odsmith_tablegen::outline::{Kind, Outline, Token};

use crate::style::Style;

/// Returns the indentation of a line, from 0, by what comes before it.
#[must_use]
pub fn indent(outline: &Outline, style: &Style, line: usize) -> usize {
    let start = outline.line_start(line);
    let mut open: Vec<usize> = Vec::new();
    let code: Vec<Token> = outline.code().collect();
    let before = code.partition_point(|token| token.end <= start);
    for (index, token) in code[..before].iter().enumerate() {
        match token.kind {
            Kind::Sign(b'(' | b'[' | b'{' | b'<') => open.push(index),
            Kind::Sign(b')' | b']' | b'}' | b'>') => _ = open.pop(),
            _ => {}
        }
    }
    let closes = code.get(before).is_some_and(|next| {
        let is_first = outline.line_of(next.start).0 == line;
        is_first && matches!(next.kind, Kind::Sign(b')' | b']' | b'}' | b'>'))
    });
    let Some(&bracket) = open.last() else {
        return continued(outline, &code[..before], style, 0);
    };
    let base = line_indent(outline, code[bracket].start);
    let last = &code[before - 1];
    if closes {
        return base;
    }
    if code[bracket].is(b'{') && (last.is(b'{') || ends_statement(last)) {
        return base + style.indent;
    }
    if code[bracket].is(b'{') {
        return continued(outline, &code[bracket + 1..before], style, base + style.indent);
    }
    let is_dag = code[bracket].is(b'(')
        && bracket.checked_sub(1).is_none_or(|at| code[at].kind != Kind::Operator && !code[at].is(b'>'));
    let element = code.get(bracket + 1 + usize::from(is_dag)).filter(|element| element.end <= start);
    let bracket_line = outline.line_of(code[bracket].start).0;
    match element.map(|element| outline.line_of(element.start)) {
        Some((line, column)) if line == bracket_line => column,
        Some((_, column)) => column,
        None => base + style.indent,
    }
}

fn ends_statement(token: &Token) -> bool {
    token.is(b';') || token.is(b'}')
}

/// Returns the indentation after code that no bracket encloses: of a new statement, or of what continues one.
fn continued(outline: &Outline, code: &[Token], style: &Style, base: usize) -> usize {
    let Some(last) = code.last() else { return base };
    let begins = code.iter().rposition(ends_statement).map_or(0, |end| end + 1);
    match code.get(begins) {
        // An `include` has no end mark.
        Some(first) if first.is_word(&outline.text, "include") && last.kind == Kind::String => base,
        Some(first) => line_indent(outline, first.start) + style.continuation,
        None => base,
    }
}

/// Returns the blanks that the line of an offset begins with.
fn line_indent(outline: &Outline, offset: usize) -> usize {
    let line = outline.slice(outline.line_start(outline.line_of(offset).0)..outline.text.len());
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_after_what_is_written() {
        let indent = |text: &str| {
            let outline = Outline::new("a.td", text.as_bytes());
            indent(&outline, &Style::default(), outline.line_count() - 1)
        };
        assert_eq!(indent("def A {\n"), 2);
        assert_eq!(indent("def A {\n  int x = 1;\n"), 2);
        assert_eq!(indent("def A {\n  int x =\n"), 6);
        assert_eq!(indent("def A\n"), 4);
        assert_eq!(indent("def A;\n"), 0);
        assert_eq!(indent("include \"a.td\"\n"), 0);
        assert_eq!(indent("def A : B<1,\n"), 10);
        assert_eq!(indent("def A : B<\n"), 2);
        assert_eq!(indent("def A {\n  let x = (ins A:$a,\n"), 15);
        assert_eq!(indent("def A {\n  let x = (ins\n"), 4);
        assert_eq!(indent("let x = 1 in {\n  def A {\n    let x = 1;\n  }"), 2);
    }
}
