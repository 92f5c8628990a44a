//! tar: a strict reader over a slice, and a deterministic writer.
//!
//! Read: ustar, GNU long names, and pax paths, as far as every reader agrees on what they mean.
//! Written: ustar in sorted order, time 0, owner 0, mode 0644; a pax path where a name does not fit.

use std::collections::BTreeMap;

use super::{Refusal, malformed, names::Names};

const BLOCK: usize = 512;

/// Maximum bytes of an extended header.
const METADATA_BYTES: usize = 64 << 10;

/// Returns true if some bytes begin with a tar header.
#[must_use]
pub fn looks_like_one(bytes: &[u8]) -> bool {
    bytes.first_chunk::<BLOCK>().is_some_and(|block| {
        &block[257..262] == b"ustar" || block.iter().all(|&byte| byte == 0) || checksum_holds(block)
    })
}

/// Reads all entries.
///
/// # Errors
/// The archive is broken, ends early, is followed by something, or an entry is refused.
pub fn read(mut rest: &[u8], names: &mut Names<'_>) -> Result<(), Refusal> {
    let mut long_name: Option<Vec<u8>> = None;
    let mut is_said_a_link = false;
    loop {
        let Some((block, following)) = rest.split_first_chunk::<BLOCK>() else {
            return malformed("the tar archive ends without its end mark");
        };
        if block.iter().all(|&byte| byte == 0) {
            return match (long_name.is_some() || is_said_a_link, following.iter().all(|&byte| byte == 0)) {
                (true, _) => malformed("the tar archive ends after an extended header"),
                (false, false) => malformed("something follows the end mark of the tar archive"),
                (false, true) => Ok(()),
            };
        }
        names.entry()?;
        if !checksum_holds(block) {
            return malformed("a tar header has a wrong checksum");
        }
        let header = Header::new(block)?;
        let padded = header.size.div_ceil(BLOCK).saturating_mul(BLOCK);
        let is_metadata = matches!(header.kind, b'x' | b'g' | b'K' | b'L');
        if is_metadata && header.size > METADATA_BYTES {
            return malformed("an extended tar header is too long");
        }
        if !is_metadata {
            names.size(header.size as u64)?;
        }
        if following.len() < padded {
            return malformed("the tar archive ends inside an entry");
        }
        let (data, after) = (&following[..header.size], &following[padded..]);
        rest = after;
        match header.kind {
            b'g' => check_global(data)?,
            // The target of a link; the entry of the link follows.
            b'K' => is_said_a_link = true,
            b'x' | b'L' => {
                let name = if header.kind == b'L' {
                    Some(gnu_name(data))
                } else {
                    let (path, is_link) = pax_path(data, &mut header_of(after))?;
                    is_said_a_link |= is_link;
                    path
                };
                if long_name.is_some() && name.is_some() {
                    return malformed("two extended tar headers name one entry");
                }
                long_name = long_name.or(name);
            }
            _ => {
                let is_link = std::mem::take(&mut is_said_a_link);
                entry(&header, long_name.take().as_deref(), is_link, data, names)?;
            }
        }
    }
}

fn entry(
    header: &Header,
    long_name: Option<&[u8]>,
    is_said_a_link: bool,
    data: &[u8],
    names: &mut Names<'_>,
) -> Result<(), Refusal> {
    let path = long_name.unwrap_or(&header.path);
    let refuse = |reason: &str| {
        Err(Refusal::Path { path: String::from_utf8_lossy(path).into_owned(), reason: reason.to_owned() })
    };
    if names.is_outside(path) {
        return Ok(());
    }
    match header.kind {
        b'1' => refuse("is a hard link"),
        b'2' => refuse("is a symbolic link"),
        _ if is_said_a_link => refuse("is a link by one of its headers, and none by the other"),
        b'5' if header.size > 0 => refuse("is a folder with content"),
        b'5' => names.folder(path),
        // Archives older than ustar mark a folder only by the slash at the end of its name.
        b'0' | 0 if path.ends_with(b"/") && header.size == 0 => names.folder(path),
        b'0' | 0 => names.file(path, || Ok(data.to_vec())),
        b'3' | b'4' => refuse("is a device"),
        b'6' => refuse("is a named pipe"),
        b'S' => refuse("is a sparse file"),
        other => {
            refuse(&format!("is an entry of type '{}', which is not read", char::from(other).escape_debug()))
        }
    }
}

struct Header {
    path: Vec<u8>,
    size: usize,
    kind: u8,
}

impl Header {
    fn new(block: &[u8; BLOCK]) -> Result<Header, Refusal> {
        let name = until_nul(&block[..100]);
        // GNU archives store times in the field of the ustar prefix.
        let prefix = if &block[257..263] == b"ustar\0" { until_nul(&block[345..500]) } else { b"" };
        let path = if prefix.is_empty() { name.to_vec() } else { [prefix, name].join(&b'/') };
        let Some(size) = octal(&block[124..136]).and_then(|size| usize::try_from(size).ok()) else {
            return malformed("a tar header has a size that is not octal");
        };
        Ok(Header { path, size, kind: block[156] })
    }
}

/// Returns the size in the header that follows an extended one.
fn header_of(rest: &[u8]) -> impl FnMut() -> Option<u64> {
    let size = rest.first_chunk::<BLOCK>().and_then(|block| octal(&block[124..136]));
    move || size
}

fn until_nul(field: &[u8]) -> &[u8] {
    &field[..field.iter().position(|&byte| byte == 0).unwrap_or(field.len())]
}

fn octal(field: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(field).ok()?.trim_matches(['\0', ' ']);
    if text.is_empty() {
        return Some(0);
    }
    (text.bytes().all(|byte| matches!(byte, b'0'..=b'7'))).then(|| u64::from_str_radix(text, 8).ok())?
}

fn checksum(block: &[u8; BLOCK]) -> u64 {
    let field = 148..156;
    block.iter().enumerate().map(|(at, &byte)| if field.contains(&at) { 32 } else { u64::from(byte) }).sum()
}

fn checksum_holds(block: &[u8; BLOCK]) -> bool {
    octal(&block[148..156]).is_some_and(|written| written == checksum(block))
}

fn gnu_name(data: &[u8]) -> Vec<u8> {
    until_nul(data).to_vec()
}

/// Checks a header for all entries: git writes the commit there.
fn check_global(data: &[u8]) -> Result<(), Refusal> {
    for record in Records(data) {
        let (key, _) = record?;
        if matches!(key, "path" | "size" | "linkpath") || key.starts_with("GNU.sparse") {
            return malformed(format!("a tar header sets {key} for all entries"));
        }
    }
    Ok(())
}

/// Returns the path of a pax header, and whether it makes its entry a link. Any record that could make two readers
/// disagree on the entry is refused.
fn pax_path(
    data: &[u8],
    size_of_entry: &mut dyn FnMut() -> Option<u64>,
) -> Result<(Option<Vec<u8>>, bool), Refusal> {
    let (mut path, mut is_link) = (None, false);
    for record in Records(data) {
        let (key, value) = record?;
        match key {
            "path" if path.is_some() => return malformed("a tar header names two paths"),
            "path" => path = Some(value.to_vec()),
            "size" => {
                let size = std::str::from_utf8(value).ok().and_then(|value| value.parse().ok());
                if size.is_none() || size != size_of_entry() {
                    return malformed("two tar headers disagree on the size of an entry");
                }
            }
            "linkpath" => is_link = true,
            _ if key.starts_with("GNU.sparse") => return malformed("a tar entry is a sparse file"),
            _ => {}
        }
    }
    Ok((path, is_link))
}

/// Records of a pax header: `length SP key=value NL`, where the length counts itself.
struct Records<'a>(&'a [u8]);

impl<'a> Iterator for Records<'a> {
    type Item = Result<(&'a str, &'a [u8]), Refusal>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        match split_record(self.0) {
            Some((key, value, rest)) => {
                self.0 = rest;
                Some(Ok((key, value)))
            }
            None => {
                self.0 = &[];
                Some(malformed("an extended tar header is broken"))
            }
        }
    }
}

fn split_record(data: &[u8]) -> Option<(&str, &[u8], &[u8])> {
    let space = data.iter().take(8).position(|&byte| byte == b' ')?;
    let digits = std::str::from_utf8(&data[..space]).ok()?;
    let length: usize = digits.bytes().all(|digit| digit.is_ascii_digit()).then(|| digits.parse().ok())??;
    if length <= space + 1 || length > data.len() {
        return None;
    }
    let (record, rest) = data.split_at(length);
    let record = record[space + 1..].strip_suffix(b"\n")?;
    let equals = record.iter().position(|&byte| byte == b'=')?;
    let key = std::str::from_utf8(&record[..equals]).ok().filter(|key| !key.is_empty())?;
    Some((key, &record[equals + 1..], rest))
}

/// Writes files in the order of their paths.
#[must_use]
pub fn write<B: AsRef<[u8]>>(files: &BTreeMap<String, B>) -> Vec<u8> {
    let total: usize = files.values().map(|bytes| bytes.as_ref().len() + 2 * BLOCK).sum();
    let mut out = Vec::with_capacity(total + 2 * BLOCK);
    for (path, bytes) in files {
        write_entry(path, bytes.as_ref(), &mut out);
    }
    out.resize(out.len() + 2 * BLOCK, 0);
    out
}

fn write_entry(path: &str, bytes: &[u8], out: &mut Vec<u8>) {
    match split_path(path) {
        Some((prefix, name)) => write_block(prefix, name, bytes.len(), b'0', out),
        None => {
            let record = pax_record("path", path);
            write_block("", "pax", record.len(), b'x', out);
            write_data(record.as_bytes(), out);
            write_block("", "long", bytes.len(), b'0', out);
        }
    }
    write_data(bytes, out);
}

/// Splits a path into the prefix and name of ustar, if it fits.
fn split_path(path: &str) -> Option<(&str, &str)> {
    if path.len() <= 100 {
        return Some(("", path));
    }
    path.match_indices('/')
        .map(|(at, _)| (&path[..at], &path[at + 1..]))
        .find(|(prefix, name)| prefix.len() <= 155 && !name.is_empty() && name.len() <= 100)
}

fn pax_record(key: &str, value: &str) -> String {
    let body = key.len() + value.len() + 3;
    // The length counts its own digits.
    let mut length = body + 1;
    while length != body + length.to_string().len() {
        length = body + length.to_string().len();
    }
    format!("{length} {key}={value}\n")
}

fn write_block(prefix: &str, name: &str, size: usize, kind: u8, out: &mut Vec<u8>) {
    let mut block = [0_u8; BLOCK];
    let mut put = |at: usize, text: &str| block[at..at + text.len()].copy_from_slice(text.as_bytes());
    put(0, name);
    put(100, "0000644\0");
    put(108, "0000000\0");
    put(116, "0000000\0");
    put(124, &format!("{size:011o}\0"));
    put(136, "00000000000\0");
    put(257, "ustar\x0000");
    put(345, prefix);
    block[156] = kind;
    let sum = format!("{:06o}\0 ", checksum(&block));
    block[148..156].copy_from_slice(sum.as_bytes());
    out.extend_from_slice(&block);
}

fn write_data(bytes: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(bytes);
    out.resize(out.len().next_multiple_of(BLOCK), 0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ArchiveLimits;

    fn round_trip(path: &str) {
        let files = BTreeMap::from([(path.to_owned(), b"content".to_vec())]);
        let limits = ArchiveLimits::default();
        let mut names = Names::new(&limits);
        read(&write(&files), &mut names).unwrap();
        let bundle = names.finish().unwrap();
        assert_eq!(bundle.get(path).map(|bytes| bytes.to_vec()), Some(b"content".to_vec()), "{path}");
    }

    #[test]
    fn what_is_written_is_read() {
        round_trip("a.td");
        round_trip(&format!("{}/{}.td", "d".repeat(90), "f".repeat(90)));
        round_trip(&format!("{}.td", "f".repeat(200)));
        round_trip(&format!("{}/{}.td", "d".repeat(200), "f".repeat(150)));
    }

    #[test]
    fn pax_lengths_count_themselves() {
        for length in [1, 80, 90, 91, 92, 980, 990] {
            let record = pax_record("path", &"x".repeat(length));
            let (digits, _) = record.split_once(' ').unwrap();
            assert_eq!(digits.parse::<usize>().unwrap(), record.len());
        }
    }
}
