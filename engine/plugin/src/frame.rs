//! Messages on a stream: four bytes with the length, the lowest first, and then the message as JSON.

/// The bytes of a length.
const HEAD: usize = 4;

/// Returns a message with its length in front.
#[must_use]
pub fn framed(message: &[u8]) -> Vec<u8> {
    let length = u32::try_from(message.len()).unwrap_or(u32::MAX);
    let mut bytes = Vec::with_capacity(HEAD + message.len());
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.extend_from_slice(message);
    bytes
}

/// Returns the message in a stream that holds nothing else.
///
/// # Errors
/// The stream is empty, ends too early, or goes on after the message.
pub fn message_of(stream: &[u8]) -> Result<&[u8], String> {
    let Some((head, rest)) = stream.split_first_chunk::<HEAD>() else {
        return Err(match stream.len() {
            0 => "it wrote no answer".to_owned(),
            count => format!("its answer has {count} bytes, and the length alone takes {HEAD}"),
        });
    };
    let length = u32::from_le_bytes(*head) as usize;
    match rest.len() {
        count if count == length => Ok(rest),
        _ if looks_like_text(head) => {
            Err("its answer begins with text in place of a length: only the answer goes to standard output"
                .to_owned())
        }
        count if count < length => Err(format!("its answer ends after {count} of {length} bytes")),
        count => Err(format!("it wrote {} bytes after its answer", count - length)),
    }
}

/// Returns true for the first bytes of JSON or of a line that was printed by mistake.
fn looks_like_text(head: &[u8]) -> bool {
    head.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_read_as_it_was_written() {
        assert_eq!(message_of(&framed(b"{}")), Ok(&b"{}"[..]));
        assert_eq!(message_of(&framed(b"")), Ok(&b""[..]));
    }

    #[test]
    fn streams_that_are_no_message() {
        for (stream, text) in [
            (&b""[..], "it wrote no answer"),
            (b"\x01", "its answer has 1 bytes, and the length alone takes 4"),
            (b"\x03\0\0\0{}", "its answer ends after 2 of 3 bytes"),
            (b"\x01\0\0\0{}", "it wrote 1 bytes after its answer"),
            (
                b"{\"protocol\": 1}",
                "its answer begins with text in place of a length: only the answer goes to standard output",
            ),
        ] {
            assert_eq!(message_of(stream), Err(text.to_owned()));
        }
    }
}
