//! Bytes that are not UTF-8, inside strings.
//!
//! TableGen strings are bytes, and `!substr` may cut a character in half. Ours are `str`; a byte that is not
//! part of a well-formed character is kept as one of 128 private characters and becomes a byte again when
//! the text leaves the engine.

use std::{borrow::Cow, cmp::Ordering};

const FIRST: u32 = 0x10_FF00;

/// The first byte of the private characters: rare enough to search for alone.
const FIRST_BYTE: u8 = 0xF4;

/// Returns bytes as a string. The private characters themselves are kept as bytes, too.
#[must_use]
pub fn encode(bytes: Vec<u8>) -> String {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) if is_well_formed(&text) => return text,
        Ok(text) => text.into_bytes(),
        Err(error) => error.into_bytes(),
    };
    let mut text = String::new();
    let private = |&byte: &u8| char::from_u32(FIRST + u32::from(byte));
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match is_private(character) {
                true => text.extend(character.encode_utf8(&mut [0; 4]).as_bytes().iter().filter_map(private)),
                false => text.push(character),
            }
        }
        text.extend(chunk.invalid().iter().filter_map(private));
    }
    text
}

/// Returns a text, or its beginning if it has more bytes than `most`.
#[must_use]
pub fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    if text.len() <= most {
        return Cow::Borrowed(text);
    }
    let end = (0..=most).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    Cow::Owned(format!("{}…", &text[..end]))
}

/// Calls `action` with the bytes of a string.
pub fn with_bytes(text: &str, action: &mut dyn FnMut(&[u8])) {
    if memchr::memchr(FIRST_BYTE, text.as_bytes()).is_none() {
        action(text.as_bytes());
    } else {
        action(&decode(text.to_owned()));
    }
}

/// Returns true if all bytes of a string are parts of well-formed characters.
#[must_use]
pub fn is_well_formed(text: &str) -> bool {
    memchr::memchr(FIRST_BYTE, text.as_bytes()).is_none() || !text.contains(is_private)
}

/// Returns the string as well-formed UTF-8: U+FFFD replaces each malformed sequence of bytes.
#[must_use]
pub fn lossy(text: &str) -> Cow<'_, str> {
    if is_well_formed(text) {
        return Cow::Borrowed(text);
    }
    let lossy = String::from_utf8_lossy(&decode(text.to_owned())).into_owned();
    Cow::Owned(encode(lossy.into_bytes()))
}

/// Normalises a concatenated string: halves of a character that meet become that character.
#[must_use]
pub fn rejoined(text: String) -> String {
    if is_well_formed(&text) { text } else { encode(decode(text)) }
}

/// Compares two strings by their bytes.
#[must_use]
pub fn compare(a: &str, b: &str) -> Ordering {
    if is_well_formed(a) && is_well_formed(b) {
        return a.cmp(b);
    }
    decode(a.to_owned()).cmp(&decode(b.to_owned()))
}

/// Returns the bytes of a string.
#[must_use]
pub fn decode(text: String) -> Vec<u8> {
    if is_well_formed(&text) {
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

/// Appends an integer in decimal digits.
pub fn push_int(int: i64, out: &mut String) {
    if (0..10).contains(&int) {
        out.push(char::from(b'0' + int as u8));
        return;
    }
    // Digits from the last to the first; twenty and a sign are the most.
    let mut digits = [0u8; 20];
    let mut left = int.unsigned_abs();
    let mut first = digits.len();
    while left > 0 {
        first -= 1;
        digits[first] = b'0' + (left % 10) as u8;
        left /= 10;
    }
    if int < 0 {
        out.push('-');
    }
    out.push_str(std::str::from_utf8(&digits[first..]).unwrap_or_default());
}

/// Counts the insertions, deletions and replacements of bytes between two names.
#[must_use]
pub fn distance(from: &str, to: &str) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in to.bytes().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[to.len()]
}

/// Returns the name that was probably meant by a misspelt one: at most a third of it differs, and case counts little.
/// Of several, the first by name.
pub fn nearest<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    /// The longest word that is compared.
    const MOST_BYTES: usize = 200;
    let most = word.len() / 3;
    if word.is_empty() || word.len() > MOST_BYTES {
        return None;
    }
    let lower = word.to_lowercase();
    let is_near = |name: &&str| name.len().abs_diff(word.len()) <= most && *name != word;
    let scored = names.into_iter().filter(is_near).filter_map(|name| {
        let edits = distance(&lower, &name.to_lowercase());
        (edits <= most).then(|| (edits, distance(word, name), name))
    });
    scored.min().map(|(_, _, name)| name)
}

/// Returns the number of bytes that a string represents.
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
    fn integers() {
        let mut out = String::new();
        for int in [0, 9, 10, -1, 120_450, i64::MAX, i64::MIN] {
            push_int(int, &mut out);
            assert_eq!(out, int.to_string());
            out.clear();
        }
    }

    #[test]
    fn bytes_come_back() {
        let bytes = b"a\xffb\xc3\xa9\xc3".to_vec();
        let text = encode(bytes.clone());
        assert_eq!(byte_len(&text), bytes.len());
        assert_eq!(decode(text), bytes);
    }

    #[test]
    fn edits() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
    }

    #[test]
    fn a_misspelt_name() {
        let names = ["AnyRankedTensor", "AnyTensor", "arguments", "I32", "I64", "f"];
        for (word, near) in [
            ("AnyRankedTensr", Some("AnyRankedTensor")),
            ("argumnts", Some("arguments")),
            ("ARGUMENTS", Some("arguments")),
            ("I3x", Some("I32")),
            ("I32", None),
            ("g", None),
            ("somethingElse", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, names), near, "{word}");
        }
    }

    #[test]
    fn halves_of_a_character() {
        let [first, second] = ["é".as_bytes()[..1].to_vec(), "é".as_bytes()[1..].to_vec()].map(encode);
        assert_eq!((&*lossy(&first), &*lossy("é")), ("\u{fffd}", "é"));
        assert_eq!(rejoined(first.clone() + &second), "é");
        assert_eq!(compare(&second, &first), Ordering::Less);
        let last = encode("a\u{10ffff}".into());
        assert_eq!((byte_len(&last), decode(lossy(&last).into_owned())), (5, "a\u{10ffff}".into()));
        assert_eq!(compare(&first, "字"), Ordering::Less, "byte by byte");
    }
}
