//! Archives, in memory only: reading trusts nothing, and writing always gives the same bytes.
//!
//! * [`names`]: the paths that an archive may contain;
//! * [`tar`] and [`zip`]: our own readers and writers, so that only one piece of code decides what an entry is;
//! * [`codec`]: gzip and zstd around a tar.

pub mod codec;
pub mod names;
pub mod tar;
pub mod zip;

use std::collections::BTreeMap;

use odsmith_engine::bundle::Bundle;

use names::Names;

use crate::config::ArchiveLimits;

/// The name of a manifest.
pub const MANIFEST: &str = "odsmith.toml";

/// An archive format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// `.tar.gz`.
    TarGz,
    /// `.tar.zst`.
    TarZst,
    /// `.zip`.
    Zip,
    /// `.tar`.
    Tar,
}

impl Format {
    /// All formats, the preferred one first.
    pub const ALL: [Format; 4] = [Format::TarGz, Format::TarZst, Format::Zip, Format::Tar];

    /// Returns the extension of file names.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Format::TarGz => ".tar.gz",
            Format::TarZst => ".tar.zst",
            Format::Zip => ".zip",
            Format::Tar => ".tar",
        }
    }

    /// Returns the media type.
    #[must_use]
    pub fn media_type(self) -> &'static str {
        match self {
            Format::TarGz => "application/gzip",
            Format::TarZst => "application/zstd",
            Format::Zip => "application/zip",
            Format::Tar => "application/x-tar",
        }
    }

    /// Returns the format that a media type names, if it names one.
    #[must_use]
    pub fn of_media_type(media_type: &str) -> Option<Format> {
        match media_type {
            "application/gzip" | "application/x-gzip" | "application/x-gtar" | "application/tar+gzip" => {
                Some(Format::TarGz)
            }
            "application/zstd" | "application/x-zstd" => Some(Format::TarZst),
            "application/zip" | "application/x-zip-compressed" => Some(Format::Zip),
            "application/x-tar" | "application/tar" => Some(Format::Tar),
            _ => None,
        }
    }

    /// Returns the format that a file name implies.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Format> {
        let name = name.to_ascii_lowercase();
        let found = Format::ALL.into_iter().find(|format| name.ends_with(format.extension()));
        found.or_else(|| (name.ends_with(".tgz")).then_some(Format::TarGz))
    }

    /// Returns the format of some bytes.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Option<Format> {
        match bytes {
            [0x1f, 0x8b, ..] => Some(Format::TarGz),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Format::TarZst),
            [b'P', b'K', 3 | 5, 4 | 6, ..] => Some(Format::Zip),
            _ => tar::looks_like_one(bytes).then_some(Format::Tar),
        }
    }
}

/// The reason why an archive was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the variants say what their fields are")]
pub enum Refusal {
    /// It is none of the formats.
    NotAnArchive,
    /// It breaks the rules of its format, or contains a forbidden entry.
    Malformed(String),
    /// A forbidden path, and the reason.
    Path { path: String, reason: String },
    /// A limit was exceeded.
    TooLarge { name: &'static str, value: u64, seen: u64 },
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refusal::NotAnArchive => {
                f.write_str("the body is not an archive: tar.gz, tar.zst, zip and tar are understood")
            }
            Refusal::Malformed(reason) => f.write_str(reason),
            Refusal::Path { path, reason } => write!(f, "'{}' {reason}", path.escape_debug()),
            Refusal::TooLarge { name, value, seen } => {
                write!(f, "limit reached: {name} is at most {value}, and {seen} were seen")
            }
        }
    }
}

fn malformed<T>(reason: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Malformed(reason.into()))
}

/// Reads an archive of any of the formats. Files that no job reads are checked and then left out.
///
/// # Errors
/// It is not an archive, it is broken, or it contains a forbidden entry.
pub fn read(bytes: &[u8], limits: &ArchiveLimits) -> Result<Bundle, Refusal> {
    read_below(bytes, "", limits)
}

/// Reads the files below one folder of an archive; the rest is not checked. Paths stay those of the archive.
///
/// # Errors
/// It is not an archive, it is broken, or it contains a forbidden entry below the folder.
pub fn read_below(bytes: &[u8], folder: &str, limits: &ArchiveLimits) -> Result<Bundle, Refusal> {
    let mut names = Names::below(limits, folder);
    match Format::of_bytes(bytes).ok_or(Refusal::NotAnArchive)? {
        Format::TarGz => tar::read(&codec::gunzip(bytes, limits.unpacked_bytes)?, &mut names)?,
        Format::TarZst => tar::read(&codec::unzstd(bytes, limits.unpacked_bytes)?, &mut names)?,
        Format::Tar if bytes.len() as u64 > limits.unpacked_bytes => {
            return Err(too_unpacked(limits.unpacked_bytes, bytes.len() as u64));
        }
        Format::Tar => tar::read(bytes, &mut names)?,
        Format::Zip => zip::read(bytes, &mut names)?,
    }
    names.finish()
}

fn too_unpacked(value: u64, seen: u64) -> Refusal {
    Refusal::TooLarge { name: "unpacked_bytes", value, seen }
}

/// The end of the names of WebAssembly modules: plugins.
pub const MODULE_END: &str = ".wasm";

/// Returns true if a job may read a file with this path.
#[must_use]
pub fn is_of_interest(path: &str) -> bool {
    let is_known = [".td", ".inc", ".md"].iter().any(|end| path.ends_with(end));
    (is_known || path == MANIFEST) && !path.split('/').any(|part| part.starts_with('.'))
}

/// Writes files as an archive. The same files always give the same bytes.
#[must_use]
pub fn write<B: AsRef<[u8]>>(format: Format, files: &BTreeMap<String, B>) -> Vec<u8> {
    match format {
        Format::TarGz => codec::gzip(&tar::write(files)),
        Format::TarZst => codec::zstd(&tar::write(files)),
        Format::Zip => zip::write(files),
        Format::Tar => tar::write(files),
    }
}

/// Writes files as the smallest archive of a format; the same files give the same bytes.
#[must_use]
pub fn write_smallest<B: AsRef<[u8]>>(format: Format, files: &BTreeMap<String, B>) -> Vec<u8> {
    match format {
        Format::TarZst => codec::zstd_smallest(&tar::write(files)),
        format => write(format, files),
    }
}
