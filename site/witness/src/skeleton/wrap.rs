//! Breaks long lines of examples between words.

/// The maximum width of a line.
const COLUMNS: usize = 80;
/// The extra indentation of a continuation line.
const INDENTATION: usize = 4;

/// Breaks lines that are too long at spaces outside of quotes.
pub(super) fn wrapped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            out.push('\n');
        }
        let indentation = line.len() - line.trim_start_matches(' ').len();
        wrap_line(line, indentation, &mut out);
    }
    out
}

fn wrap_line(line: &str, indentation: usize, out: &mut String) {
    let mut rest = line;
    let mut columns = COLUMNS;
    while rest.chars().count() > columns {
        let Some(at) = break_position(rest, columns, indentation) else { break };
        out.push_str(rest[..at].trim_end());
        out.push('\n');
        out.push_str(&" ".repeat(indentation + INDENTATION));
        rest = rest[at..].trim_start();
        columns = COLUMNS.saturating_sub(indentation + INDENTATION);
    }
    out.push_str(rest);
}

/// The last space that leaves a line short enough, or else the first one after it.
fn break_position(line: &str, columns: usize, indentation: usize) -> Option<usize> {
    let mut is_text = false;
    let mut last = None;
    for (column, (at, c)) in line.char_indices().enumerate() {
        match c {
            '"' if !line[..at].ends_with('\\') => is_text = !is_text,
            // The text after an equals sign stays beside it.
            ' ' if !is_text && at > indentation && !line[..at].ends_with('=') => {
                if column > columns && last.is_some() {
                    return last;
                }
                last = Some(at);
            }
            _ => {}
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_spaces_outside_of_quotes() {
        let long = format!(
            "%r = \"d.x\"({}) <{{a = \"{}\"}}> : (i32) -> i32",
            "%operand, ".repeat(9),
            "b ".repeat(20)
        );
        let lines = wrapped(&long);
        assert!(lines.lines().all(|line| line.len() <= COLUMNS), "{lines}");
        assert_eq!(lines.replace("\n    ", " "), long);
        assert_eq!(wrapped("d.x"), "d.x");
        let whole = format!("\"{}\"", "x ".repeat(60));
        assert_eq!(wrapped(&whole), whole);
        let inner = format!("a {{\n  {}\n}}", "%value, ".repeat(14));
        assert!(
            wrapped(&inner).lines().nth(2).is_some_and(|line| line.starts_with("      %value")),
            "{}",
            wrapped(&inner)
        );
    }
}
