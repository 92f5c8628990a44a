//! Long lines of examples are broken between words.

/// As wide as a line may be.
const COLUMNS: usize = 80;
/// By how much what continues a line is indented.
const INDENTATION: usize = 4;

/// The same text, whose lines are broken at spaces outside of quotes where they would be too long.
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
    let mut room = COLUMNS;
    while rest.chars().count() > room {
        let Some(at) = place_to_break(rest, room, indentation) else { break };
        out.push_str(rest[..at].trim_end());
        out.push('\n');
        out.push_str(&" ".repeat(indentation + INDENTATION));
        rest = rest[at..].trim_start();
        room = COLUMNS.saturating_sub(indentation + INDENTATION);
    }
    out.push_str(rest);
}

/// The last space that leaves a line that fits, or else the first one after.
fn place_to_break(line: &str, room: usize, indentation: usize) -> Option<usize> {
    let mut is_text = false;
    let mut last = None;
    for (column, (at, c)) in line.char_indices().enumerate() {
        match c {
            '"' if !line[..at].ends_with('\\') => is_text = !is_text,
            // What follows an equals sign stays beside it.
            ' ' if !is_text && at > indentation && !line[..at].ends_with('=') => {
                if column > room && last.is_some() {
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
