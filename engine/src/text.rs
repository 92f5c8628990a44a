//! Bytes that are not UTF-8, inside strings.
//!
//! TableGen strings are bytes, and `!substr` may cut a character in half. Ours are `str`; a byte that is not
//! part of a well-formed character is kept as one of 128 private characters and becomes a byte again when
//! the text leaves the engine.

const FIRST: u32 = 0x10_FF00;

/// Bytes as a string.
#[must_use]
pub fn encode(bytes: Vec<u8>) -> String {
    match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let mut text = String::new();
            for chunk in error.as_bytes().utf8_chunks() {
                text.push_str(chunk.valid());
                text.extend(
                    chunk.invalid().iter().filter_map(|&byte| char::from_u32(FIRST + u32::from(byte))),
                );
            }
            text
        }
    }
}

/// The bytes of a string.
#[must_use]
pub fn decode(text: String) -> Vec<u8> {
    // Private characters begin with a byte that is rare enough to look for alone.
    if memchr::memchr(0xF4, text.as_bytes()).is_none() || !text.contains(is_private) {
        return text.into_bytes();
    }
    let mut bytes = Vec::with_capacity(text.len());
    for character in text.chars() {
        match is_private(character) {
            true => bytes.push((u32::from(character) - FIRST) as u8),
            false => bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}

fn is_private(character: char) -> bool {
    (FIRST + 0x80..FIRST + 0x100).contains(&u32::from(character))
}

/// Number of bytes that a string stands for.
#[must_use]
pub fn byte_len(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.chars().map(|c| if is_private(c) { 1 } else { c.len_utf8() }).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back() {
        let bytes = b"a\xffb\xc3\xa9\xc3".to_vec();
        let text = encode(bytes.clone());
        assert_eq!(byte_len(&text), bytes.len());
        assert_eq!(decode(text), bytes);
    }
}
