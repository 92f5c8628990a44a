//! zip: a strict reader over a slice, and a deterministic writer.
//!
//! Read: the entries of the central directory, if the local headers agree with it, nothing overlaps, and nothing lies
//! before, between (except data descriptors) or after them. Stored and deflated files; no zip64, no encryption.

use std::collections::BTreeMap;

use super::{Refusal, codec, malformed, names::Names};

const END: u32 = 0x0605_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const LOCAL: u32 = 0x0403_4b50;
const DESCRIPTOR: u32 = 0x0807_4b50;
const END_BYTES: usize = 22;
const CENTRAL_BYTES: usize = 46;
const LOCAL_BYTES: usize = 30;

const ENCRYPTED: u16 = 1 | 1 << 6 | 1 << 13;
const HAS_DESCRIPTOR: u16 = 1 << 3;
const UTF8: u16 = 1 << 11;

/// An entry of the central directory.
struct Entry<'a> {
    path: &'a [u8],
    flags: u16,
    method: u16,
    crc: u32,
    packed: usize,
    size: u64,
    local_at: usize,
    mode: u32,
}

impl Entry<'_> {
    fn refusal(&self, reason: &str) -> Refusal {
        Refusal::Path { path: String::from_utf8_lossy(self.path).into_owned(), reason: reason.to_owned() }
    }
}

/// Reads all entries.
///
/// # Errors
/// The archive is broken or ambiguous, or an entry is refused.
pub fn read(bytes: &[u8], names: &mut Names<'_>) -> Result<(), Refusal> {
    let end = bytes.len().checked_sub(END_BYTES).filter(|&at| u32_at(bytes, at) == Some(END));
    let Some(end) = end else {
        return malformed("the zip archive has no end record as its last bytes (comments are not read)");
    };
    let field = |at: usize| u16_at(bytes, end + at).unwrap_or(0);
    let (entries, size, start) = (field(10), u32_at(bytes, end + 12), u32_at(bytes, end + 16));
    if field(4) != 0 || field(6) != 0 || field(8) != entries || field(20) != 0 {
        return malformed("the zip archive has several parts or a comment");
    }
    let (Some(size), Some(start)) = (size.map(|size| size as usize), start.map(|start| start as usize))
    else {
        return malformed("the zip archive ends early");
    };
    if start.checked_add(size) != Some(end) {
        return malformed(
            "the central directory of the zip archive does not end where its end record begins",
        );
    }
    let mut directory = central_directory(&bytes[start..end], entries, names)?;
    directory.sort_by_key(|entry| entry.local_at);
    let starts: Vec<usize> = directory.iter().map(|entry| entry.local_at).skip(1).chain([start]).collect();
    if directory.first().map_or(start, |entry| entry.local_at) != 0 {
        return malformed("there is data before the first zip entry");
    }
    for (entry, next) in directory.iter().zip(starts) {
        let data = local_data(bytes, entry, next)?;
        take(entry, data, names)?;
    }
    Ok(())
}

fn central_directory<'a>(
    mut rest: &'a [u8],
    entries: u16,
    names: &mut Names<'_>,
) -> Result<Vec<Entry<'a>>, Refusal> {
    let mut found = Vec::new();
    while !rest.is_empty() {
        names.entry()?;
        let (Some(CENTRAL), true) = (u32_at(rest, 0), rest.len() >= CENTRAL_BYTES) else {
            return malformed("the central directory of the zip archive is broken");
        };
        let short = |at: usize| u16_at(rest, at).unwrap_or(0);
        let long = |at: usize| u32_at(rest, at).unwrap_or(0);
        let (path, extra, comment) = (short(28) as usize, short(30) as usize, short(32) as usize);
        let length = CENTRAL_BYTES + path + extra + comment;
        if rest.len() < length {
            return malformed("the central directory of the zip archive is broken");
        }
        if [long(20), long(24), long(42)].contains(&u32::MAX) {
            return malformed("the zip archive is a zip64 one");
        }
        found.push(Entry {
            path: &rest[CENTRAL_BYTES..CENTRAL_BYTES + path],
            flags: short(8),
            method: short(10),
            crc: long(16),
            packed: long(20) as usize,
            size: u64::from(long(24)),
            local_at: long(42) as usize,
            // The upper half is the mode. Readers follow a link in it, whichever system the entry names as its
            // writer's.
            mode: match (short(4) >> 8, long(38) >> 16) {
                (3, mode) => mode,
                (_, mode) if mode & 0o170_000 == 0o120_000 => mode,
                _ => 0,
            },
        });
        if has_other_name(&rest[CENTRAL_BYTES + path..CENTRAL_BYTES + path + extra]) {
            return Err(found.last().map_or(Refusal::NotAnArchive, |entry| entry.refusal(OTHER_NAME)));
        }
        rest = &rest[length..];
    }
    if found.len() != usize::from(entries) {
        return malformed("the zip archive miscounts its entries");
    }
    Ok(found)
}

/// Returns the packed bytes of an entry, if its local header agrees with the directory.
fn local_data<'a>(bytes: &'a [u8], entry: &Entry<'_>, next: usize) -> Result<&'a [u8], Refusal> {
    let refuse = |reason: &str| Err(entry.refusal(reason));
    let Some(local) = bytes.get(entry.local_at..next) else { return refuse("overlaps another zip entry") };
    let (Some(LOCAL), true) = (u32_at(local, 0), local.len() >= LOCAL_BYTES) else {
        return refuse("has no local zip header");
    };
    let short = |at: usize| u16_at(local, at).unwrap_or(0);
    let long = |at: usize| u32_at(local, at).unwrap_or(0);
    let (path, extra) = (short(26) as usize, short(28) as usize);
    let data_at = LOCAL_BYTES + path + extra;
    if local.get(LOCAL_BYTES..LOCAL_BYTES + path) != Some(entry.path) {
        return refuse("has another name in its local zip header");
    }
    if local.get(LOCAL_BYTES + path..data_at).is_some_and(has_other_name) {
        return refuse(OTHER_NAME);
    }
    let has_descriptor = entry.flags & HAS_DESCRIPTOR != 0;
    let said = (long(14), long(18) as usize, u64::from(long(22)));
    let agrees = said == (entry.crc, entry.packed, entry.size) || has_descriptor && said == (0, 0, 0);
    if short(6) != entry.flags || short(8) != entry.method || !agrees {
        return refuse("differs between its local zip header and the central directory");
    }
    let (Some(data), Some(following)) =
        (local.get(data_at..data_at + entry.packed), local.get(data_at + entry.packed..))
    else {
        return refuse("overlaps another zip entry");
    };
    let is_end = if has_descriptor { is_descriptor(following, entry) } else { following.is_empty() };
    if !is_end { refuse("is followed by bytes of no zip entry") } else { Ok(data) }
}

const OTHER_NAME: &str = "has another name in an extra field (Unicode path), which some readers take";

/// Returns true if an entry's extra fields contain a Unicode path (Info-ZIP's 0x7075).
fn has_other_name(mut extra: &[u8]) -> bool {
    while let (Some(kind), Some(length)) = (u16_at(extra, 0), u16_at(extra, 2)) {
        if kind == 0x7075 {
            return true;
        }
        extra = extra.get(4 + usize::from(length)..).unwrap_or_default();
    }
    false
}

/// Returns true if some bytes repeat crc and sizes, with or without the signature.
fn is_descriptor(bytes: &[u8], entry: &Entry<'_>) -> bool {
    let bytes = if bytes.len() == 16 && u32_at(bytes, 0) == Some(DESCRIPTOR) { &bytes[4..] } else { bytes };
    bytes.len() == 12
        && u32_at(bytes, 0) == Some(entry.crc)
        && u32_at(bytes, 4).map(|size| size as usize) == Some(entry.packed)
        && u32_at(bytes, 8).map(u64::from) == Some(entry.size)
}

fn take(entry: &Entry<'_>, data: &[u8], names: &mut Names<'_>) -> Result<(), Refusal> {
    let refuse = |reason: &str| Err(entry.refusal(reason));
    if names.is_outside(entry.path) {
        return names.size(entry.size);
    }
    if entry.flags & ENCRYPTED != 0 {
        return refuse("is encrypted");
    }
    // Without the flag a name is in an old code page; only its ASCII part is the same everywhere.
    if entry.flags & UTF8 == 0 && !entry.path.is_ascii() {
        return refuse("is not marked as UTF-8");
    }
    match entry.mode & 0o170_000 {
        0 | 0o100_000 | 0o040_000 => {}
        0o120_000 => return refuse("is a symbolic link"),
        _ => return refuse("is neither a file nor a folder"),
    }
    names.size(entry.size)?;
    if entry.path.ends_with(b"/") {
        return if entry.size > 0 { refuse("is a folder with content") } else { names.folder(entry.path) };
    }
    if entry.mode & 0o170_000 == 0o040_000 {
        return refuse("is a folder without the name of one");
    }
    names.file(entry.path, || {
        let content = match entry.method {
            0 => data.to_vec(),
            8 => inflate(data, entry.size)?,
            method => return Err(entry.refusal(&format!("is packed by method {method}, which is not read"))),
        };
        if content.len() as u64 != entry.size || crc32fast::hash(&content) != entry.crc {
            return Err(entry.refusal("does not have the size and checksum that the zip archive says"));
        }
        Ok(content)
    })
}

fn inflate(data: &[u8], size: u64) -> Result<Vec<u8>, Refusal> {
    let mut decoder = flate2::bufread::DeflateDecoder::new(data);
    let content = match codec::bounded(&mut decoder, size, "deflate") {
        // The error is not that the file is too large, but that its size differs from the announced one.
        Err(Refusal::TooLarge { .. }) => return malformed("a zip entry is longer than the archive says"),
        content => content?,
    };
    if !decoder.into_inner().is_empty() {
        return malformed("something follows the deflate stream of a zip entry");
    }
    Ok(content)
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|chunk| u16::from_le_bytes(*chunk))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|chunk| u32::from_le_bytes(*chunk))
}

/// Writes files in the order of their paths.
#[must_use]
pub fn write<B: AsRef<[u8]>>(files: &BTreeMap<String, B>) -> Vec<u8> {
    let mut out = Vec::new();
    let mut directory = Vec::new();
    for (path, bytes) in files {
        let bytes = bytes.as_ref();
        let deflated = codec::deflate(bytes);
        let (method, data) = if deflated.len() < bytes.len() { (8_u16, &*deflated) } else { (0, bytes) };
        let mut common = Vec::with_capacity(26);
        for short in [20, UTF8, method, 0, DOS_DATE] {
            common.extend_from_slice(&short.to_le_bytes());
        }
        for long in [crc32fast::hash(bytes), data.len() as u32, bytes.len() as u32] {
            common.extend_from_slice(&long.to_le_bytes());
        }
        common.extend_from_slice(&(path.len() as u16).to_le_bytes());
        common.extend_from_slice(&[0, 0]);
        let local_at = out.len() as u32;
        out.extend_from_slice(&LOCAL.to_le_bytes());
        out.extend_from_slice(&common);
        out.extend_from_slice(path.as_bytes());
        out.extend_from_slice(data);
        directory.extend_from_slice(&CENTRAL.to_le_bytes());
        // Made by version 2.0 on Unix, so that the mode is read.
        directory.extend_from_slice(&[20, 3]);
        directory.extend_from_slice(&common);
        directory.extend_from_slice(&[0; 6]);
        directory.extend_from_slice(&(0o100_644_u32 << 16).to_le_bytes());
        directory.extend_from_slice(&local_at.to_le_bytes());
        directory.extend_from_slice(path.as_bytes());
    }
    let start = out.len() as u32;
    out.extend_from_slice(&directory);
    out.extend_from_slice(&END.to_le_bytes());
    out.extend_from_slice(&[0; 4]);
    for _ in 0..2 {
        out.extend_from_slice(&(files.len() as u16).to_le_bytes());
    }
    out.extend_from_slice(&(directory.len() as u32).to_le_bytes());
    out.extend_from_slice(&start.to_le_bytes());
    out.extend_from_slice(&[0; 2]);
    out
}

/// The first of January 1980, the earliest date in a zip.
const DOS_DATE: u16 = 1 << 5 | 1;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ArchiveLimits;

    #[test]
    fn what_is_written_is_read() {
        let long = "x".repeat(10_000);
        let files = BTreeMap::from([
            ("a.td".to_owned(), "tiny"),
            ("b/c.td".to_owned(), &long),
            ("d.td".to_owned(), ""),
        ]);
        let limits = ArchiveLimits::default();
        let mut names = Names::new(&limits);
        read(&write(&files), &mut names).unwrap();
        let bundle = names.finish().unwrap();
        assert_eq!(bundle.len(), 3);
        assert_eq!(bundle.get("b/c.td").map(|bytes| bytes.len()), Some(10_000));
    }
}
