//! Archives for HTTP tests, read and written by separate code, so that a mistake of the service's is not repeated here.

use std::{
    fs,
    io::{Read, Write},
    path::Path,
};

use flate2::{Compression, read::GzDecoder, write::GzEncoder};

/// A file's path and content.
pub type File = (String, Vec<u8>);

/// The files below a folder, with paths relative to it, sorted.
#[must_use]
pub fn files_below(folder: &Path) -> Vec<File> {
    fn walk(root: &Path, folder: &Path, found: &mut Vec<File>) {
        for entry in fs::read_dir(folder).expect("a folder").filter_map(Result::ok) {
            let path = entry.path();
            if path.is_dir() {
                walk(root, &path, found);
            } else {
                let name = path.strip_prefix(root).expect("below the root").to_string_lossy().into_owned();
                found.push((name, fs::read(&path).expect("a file")));
            }
        }
    }
    let mut found = Vec::new();
    walk(folder, folder, &mut found);
    found.sort();
    found
}

/// A tar archive of regular files.
#[must_use]
pub fn tar(files: &[File]) -> Vec<u8> {
    let mut archive = Vec::new();
    for (path, content) in files {
        tar_entry(&mut archive, path, content);
    }
    archive.resize(archive.len() + 1024, 0);
    archive
}

fn tar_entry(archive: &mut Vec<u8>, path: &str, content: &[u8]) {
    let mut header = [0_u8; 512];
    let mut put = |at: usize, text: &[u8]| header[at..at + text.len()].copy_from_slice(text);
    put(0, path.as_bytes());
    put(100, b"0000644\0");
    put(108, b"0000000\0");
    put(116, b"0000000\0");
    put(124, format!("{:011o}\0", content.len()).as_bytes());
    put(136, b"00000000000\0");
    put(148, b"        ");
    put(156, b"0");
    put(257, b"ustar\x0000");
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    archive.extend_from_slice(&header);
    archive.extend_from_slice(content);
    archive.resize(archive.len().next_multiple_of(512), 0);
}

/// The files of a tar archive. It supports only short names, which suffice for short paths.
#[must_use]
pub fn untar(archive: &[u8]) -> Vec<File> {
    let mut files = Vec::new();
    let mut at = 0;
    while let Some(header) = archive.get(at..at + 512).filter(|header| header[0] != 0) {
        let text = |field: &[u8]| -> String {
            String::from_utf8_lossy(field.split(|&byte| byte == 0).next().unwrap_or_default()).into_owned()
        };
        let (name, prefix) = (text(&header[..100]), text(&header[345..500]));
        let name = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
        let size = usize::from_str_radix(text(&header[124..136]).trim(), 8).expect("an octal size");
        if header[156] == b'0' {
            files.push((name, archive[at + 512..at + 512 + size].to_vec()));
        }
        at += 512 + size.next_multiple_of(512);
    }
    files
}

/// Packs with gzip.
#[must_use]
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("memory takes all bytes");
    encoder.finish().expect("memory takes all bytes")
}

/// Unpacks gzip.
///
/// # Panics
/// When the bytes are not gzip.
#[must_use]
pub fn gunzip(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    GzDecoder::new(bytes).read_to_end(&mut plain).expect("a gzip stream");
    plain
}

/// A zip archive of uncompressed files.
#[must_use]
pub fn zip(files: &[File]) -> Vec<u8> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for (path, content) in files {
        let offset = archive.len() as u32;
        let size = content.len() as u32;
        let mut common = Vec::new();
        // Version, flags, method, time, date.
        for half in [20_u16, 0, 0, 0, 0x21] {
            common.extend_from_slice(&half.to_le_bytes());
        }
        for word in [crc32fast::hash(content), size, size] {
            common.extend_from_slice(&word.to_le_bytes());
        }
        common.extend_from_slice(&(path.len() as u16).to_le_bytes());
        common.extend_from_slice(&0_u16.to_le_bytes());
        archive.extend_from_slice(b"PK\x03\x04");
        archive.extend_from_slice(&common);
        archive.extend_from_slice(path.as_bytes());
        archive.extend_from_slice(content);
        directory.extend_from_slice(b"PK\x01\x02\x14\0");
        directory.extend_from_slice(&common);
        // Comment length, disk, two kinds of attributes.
        directory.extend_from_slice(&[0; 10]);
        directory.extend_from_slice(&offset.to_le_bytes());
        directory.extend_from_slice(path.as_bytes());
    }
    let (start, count) = (archive.len() as u32, files.len() as u16);
    archive.extend_from_slice(&directory);
    archive.extend_from_slice(b"PK\x05\x06\0\0\0\0");
    archive.extend_from_slice(&count.to_le_bytes());
    archive.extend_from_slice(&count.to_le_bytes());
    archive.extend_from_slice(&(directory.len() as u32).to_le_bytes());
    archive.extend_from_slice(&start.to_le_bytes());
    archive.extend_from_slice(&[0, 0]);
    archive
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tar_comes_back() {
        let files = vec![("a/b.td".to_owned(), b"def A;\n".to_vec()), ("c".to_owned(), Vec::new())];
        assert_eq!(untar(&gunzip(&gzip(&tar(&files)))), files);
    }
}
