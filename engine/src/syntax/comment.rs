//! Comments as data: the block of `//` lines right above a definition.

/// The comment block that ends on the line before the one that holds offset `at`, without its `//` marks.
///
/// Nothing if the line above is not a comment, or if code stands before `at` on its own line.
#[must_use]
pub fn above(text: &[u8], at: usize) -> Option<String> {
    let line_start = |at: usize| text[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let mut start = line_start(at);
    if !text[start..at].iter().all(u8::is_ascii_whitespace) {
        return None;
    }
    let mut lines: Vec<&[u8]> = Vec::new();
    while start > 0 {
        let above = line_start(start - 1);
        let line = text[above..start - 1].trim_ascii();
        let Some(comment) = line.strip_prefix(b"//") else { break };
        lines.push(comment.strip_prefix(b" ").unwrap_or(comment));
        start = above;
    }
    if lines.is_empty() {
        return None;
    }
    lines.reverse();
    Some(String::from_utf8_lossy(&lines.join(&b'\n')).into_owned())
}

#[cfg(test)]
mod tests {
    use super::above;

    #[test]
    fn the_block_right_above() {
        let text = b"// far\n\n// one\n//   two\ndef a;";
        assert_eq!(above(text, 24).as_deref(), Some("one\n  two"));
        assert_eq!(above(b"// x\n\ndef a;", 6), None);
        assert_eq!(above(b"// x\ndef a; def b;", 12), None);
    }
}
