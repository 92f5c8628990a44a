//! Helpers that the tests of the service share: archives made by hand, byte by byte where it matters.

pub mod http;
pub mod shared;

use std::collections::BTreeMap;

use odsmith_service::store::archive::{self, Format};

/// An archive of these files, as the service itself writes it.
pub fn archive(format: Format, files: &[(&str, &str)]) -> Vec<u8> {
    let files: BTreeMap<String, &str> =
        files.iter().map(|(path, text)| ((*path).to_owned(), *text)).collect();
    archive::write(format, &files)
}

/// A tar header, each field of which a test can set.
pub struct TarEntry<'a> {
    pub name: &'a [u8],
    pub kind: u8,
    pub data: &'a [u8],
    /// The size field, if it differs from the data's length.
    pub size: Option<&'a [u8]>,
    pub link: &'a [u8],
    pub magic: &'a [u8],
    pub breaks_checksum: bool,
}

impl Default for TarEntry<'_> {
    fn default() -> Self {
        TarEntry {
            name: b"a.td",
            kind: b'0',
            data: b"",
            size: None,
            link: b"",
            magic: b"ustar\x0000",
            breaks_checksum: false,
        }
    }
}

impl TarEntry<'_> {
    pub fn bytes(&self) -> Vec<u8> {
        let mut block = [0_u8; 512];
        let mut put = |at: usize, bytes: &[u8]| block[at..at + bytes.len()].copy_from_slice(bytes);
        put(0, self.name);
        put(100, b"0000644\0");
        put(124, self.size.unwrap_or(format!("{:011o}\0", self.data.len()).as_bytes()));
        put(136, b"00000000000\0");
        put(148, b"        ");
        put(157, self.link);
        put(257, self.magic);
        block[156] = self.kind;
        let sum: u32 =
            block.iter().map(|&byte| u32::from(byte)).sum::<u32>() + u32::from(self.breaks_checksum);
        block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        let mut bytes = block.to_vec();
        bytes.extend_from_slice(self.data);
        bytes.resize(bytes.len().next_multiple_of(512), 0);
        bytes
    }
}

/// Joins entries and adds the end mark.
pub fn tar(entries: &[TarEntry<'_>]) -> Vec<u8> {
    let mut bytes: Vec<u8> = entries.iter().flat_map(TarEntry::bytes).collect();
    bytes.resize(bytes.len() + 1024, 0);
    bytes
}

/// One record of a pax header.
pub fn pax(key: &str, value: &str) -> Vec<u8> {
    let length =
        (1..).find(|length| format!("{length} {key}={value}\n").len() == *length).expect("there is one");
    format!("{length} {key}={value}\n").into_bytes()
}

/// A zip entry, each part of which a test can falsify.
#[derive(Clone)]
pub struct ZipEntry {
    pub local_name: Vec<u8>,
    pub central_name: Vec<u8>,
    pub data: Vec<u8>,
    pub local_size: u32,
    pub central_size: u32,
    pub crc: u32,
    pub flags: u16,
    pub method: u16,
    pub mode: u32,
    pub local_at: Option<u32>,
    /// The writer's operating system, in its own words.
    pub system: u8,
    /// Extra fields: those of the local header, and those of the directory.
    pub extra: [Vec<u8>; 2],
    /// Bytes between this entry and the next.
    pub gap: Vec<u8>,
}

impl ZipEntry {
    pub fn new(name: &str, data: &[u8]) -> Self {
        ZipEntry {
            local_name: name.into(),
            central_name: name.into(),
            data: data.to_vec(),
            local_size: data.len() as u32,
            central_size: data.len() as u32,
            crc: crc32fast::hash(data),
            flags: 1 << 11,
            method: 0,
            mode: 0o100_644,
            local_at: None,
            system: 3,
            extra: [Vec::new(), Vec::new()],
            gap: Vec::new(),
        }
    }
}

pub fn zip(entries: &[ZipEntry]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut directory = Vec::new();
    for entry in entries {
        let at = bytes.len() as u32;
        let fields = |size: u32, name: &[u8], extra: &[u8]| {
            let mut fields = Vec::new();
            for short in [20, entry.flags, entry.method, 0, 33] {
                fields.extend_from_slice(&u16::to_le_bytes(short));
            }
            for long in [entry.crc, entry.data.len() as u32, size] {
                fields.extend_from_slice(&long.to_le_bytes());
            }
            fields.extend_from_slice(&(name.len() as u16).to_le_bytes());
            fields.extend_from_slice(&(extra.len() as u16).to_le_bytes());
            fields
        };
        bytes.extend_from_slice(b"PK\x03\x04");
        bytes.extend_from_slice(&fields(entry.local_size, &entry.local_name, &entry.extra[0]));
        bytes.extend_from_slice(&entry.local_name);
        bytes.extend_from_slice(&entry.extra[0]);
        bytes.extend_from_slice(&entry.data);
        bytes.extend_from_slice(&entry.gap);
        directory.extend_from_slice(b"PK\x01\x02\x14");
        directory.push(entry.system);
        directory.extend_from_slice(&fields(entry.central_size, &entry.central_name, &entry.extra[1]));
        directory.extend_from_slice(&[0; 6]);
        directory.extend_from_slice(&(entry.mode << 16).to_le_bytes());
        directory.extend_from_slice(&entry.local_at.unwrap_or(at).to_le_bytes());
        directory.extend_from_slice(&entry.central_name);
        directory.extend_from_slice(&entry.extra[1]);
    }
    let start = bytes.len() as u32;
    bytes.extend_from_slice(&directory);
    bytes.extend_from_slice(b"PK\x05\x06\0\0\0\0");
    for _ in 0..2 {
        bytes.extend_from_slice(&(entries.len() as u16).to_le_bytes());
    }
    bytes.extend_from_slice(&(directory.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&start.to_le_bytes());
    bytes.extend_from_slice(&[0; 2]);
    bytes
}
