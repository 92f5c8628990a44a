//! Tokens.

/// Length in bytes of the token that `text` begins with; at least 1 unless the text is empty.
#[must_use]
pub fn token_length(text: &[u8]) -> usize {
    text.len().min(1)
}
