//! The place where two texts differ.

use std::fmt::Write as _;

/// The first line in which two texts differ, with two lines of context; `None` if they are equal.
#[must_use]
pub fn first_difference(want: &[u8], got: &[u8]) -> Option<String> {
    if want == got {
        return None;
    }
    let (want, got) = (String::from_utf8_lossy(want), String::from_utf8_lossy(got));
    let (want, got): (Vec<&str>, Vec<&str>) = (want.split('\n').collect(), got.split('\n').collect());
    let at = want.iter().zip(&got).take_while(|(want, got)| want == got).count();
    let mut text = format!("      line {} of {} (ours has {} lines)\n", at + 1, want.len(), got.len());
    let mut show = |mark: char, lines: &[&str], from: usize, to: usize| {
        for line in &lines[from.min(lines.len())..to.min(lines.len())] {
            let _ = writeln!(text, "      {mark} {}", line.chars().take(220).collect::<String>());
        }
    };
    show(' ', &want, at.saturating_sub(2), at);
    show('-', &want, at, at + 3);
    show('+', &got, at, at + 3);
    Some(text)
}

/// The message of the first error, without its location.
#[must_use]
pub fn first_error(messages: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(messages);
    text.lines().find_map(|line| line.split_once("error: ").map(|(_, message)| message.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_have_no_difference() {
        assert_eq!(first_difference(b"a\n", b"a\n"), None);
    }

    #[test]
    fn a_missing_end_is_a_difference() {
        let shown = first_difference(b"a\nb\n", b"a\n").unwrap();
        assert!(shown.contains("- b"), "{shown}");
    }

    #[test]
    fn the_first_error_has_no_place() {
        assert_eq!(first_error(b"x.td:1:2: error: no such thing\n"), Some("no such thing".to_owned()));
    }
}
