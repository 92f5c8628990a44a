//! gzip and zstd, bounded by the unpacked size: compression ratios are no guide, as zstd reaches 32,000 to 1.

use std::io::{BufRead, Read};

use super::{Refusal, malformed, too_unpacked};

/// Largest window that a zstd frame may ask for: 8 MiB.
const WINDOW_LOG: u32 = 23;

/// Unpacks a gzip file of one member.
///
/// # Errors
/// It is broken, too large, or followed by something.
pub fn gunzip(bytes: &[u8], limit: u64) -> Result<Vec<u8>, Refusal> {
    let mut decoder = flate2::bufread::GzDecoder::new(bytes);
    let unpacked = bounded(&mut decoder, limit, "gzip")?;
    nothing_behind(decoder.into_inner(), "gzip")?;
    Ok(unpacked)
}

/// Unpacks a zstd file of one frame.
///
/// # Errors
/// It is broken, too large, or followed by something.
pub fn unzstd(bytes: &[u8], limit: u64) -> Result<Vec<u8>, Refusal> {
    let fail = |error: std::io::Error| Refusal::Malformed(format!("the zstd frame is broken: {error}"));
    let mut decoder = zstd::Decoder::with_buffer(bytes).map_err(fail)?.single_frame();
    decoder.window_log_max(WINDOW_LOG).map_err(fail)?;
    let unpacked = bounded(&mut decoder, limit, "zstd")?;
    nothing_behind(decoder.finish(), "zstd")?;
    Ok(unpacked)
}

/// Unpacks a zstd frame with a known unpacked length; `None` if the length differs.
#[must_use]
pub fn unzstd_exactly(bytes: &[u8], length: usize) -> Option<Vec<u8>> {
    let mut decoder = zstd::Decoder::with_buffer(bytes).ok()?.single_frame();
    decoder.window_log_max(WINDOW_LOG).ok()?;
    let mut unpacked = Vec::with_capacity(length);
    decoder.by_ref().take(length as u64 + 1).read_to_end(&mut unpacked).ok()?;
    nothing_behind(decoder.finish(), "zstd").ok()?;
    (unpacked.len() == length).then_some(unpacked)
}

/// Reads all of a compressed stream, up to `limit` bytes.
///
/// # Errors
/// It is broken or too large.
pub fn bounded(stream: &mut impl Read, limit: u64, what: &str) -> Result<Vec<u8>, Refusal> {
    let mut unpacked = Vec::new();
    let read = stream.take(limit + 1).read_to_end(&mut unpacked);
    read.map_err(|error| Refusal::Malformed(format!("the {what} stream is broken: {error}")))?;
    if unpacked.len() as u64 > limit {
        return Err(too_unpacked(limit, unpacked.len() as u64));
    }
    Ok(unpacked)
}

fn nothing_behind(mut rest: impl BufRead, what: &str) -> Result<(), Refusal> {
    match rest.fill_buf() {
        Ok([]) => Ok(()),
        _ => malformed(format!("something follows the {what} stream")),
    }
}

/// Returns the level of gzip and deflate: the fastest that compresses at all. It affects the bytes, so it never
/// changes.
fn level() -> libdeflater::CompressionLvl {
    libdeflater::CompressionLvl::new(1).unwrap_or_default()
}

/// Compresses with gzip, without a name and a time.
#[must_use]
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut compressor = libdeflater::Compressor::new(level());
    let mut packed = vec![0; compressor.gzip_compress_bound(bytes.len())];
    // The bound is large enough by its definition.
    let length = compressor.gzip_compress(bytes, &mut packed).unwrap_or(0);
    packed.truncate(length);
    packed
}

/// Compresses with deflate, for zip entries.
#[must_use]
pub fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut compressor = libdeflater::Compressor::new(level());
    let mut packed = vec![0; compressor.deflate_compress_bound(bytes.len())];
    let length = compressor.deflate_compress(bytes, &mut packed).unwrap_or(0);
    packed.truncate(length);
    packed
}

/// Compresses into one zstd frame.
#[must_use]
pub fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd_at(3, bytes)
}

/// Compresses into the smallest zstd frame that [`unzstd`] reads: fifty times as slow, for files that are packed once.
#[must_use]
pub fn zstd_smallest(bytes: &[u8]) -> Vec<u8> {
    zstd_at(19, bytes)
}

/// The level of layers in registries: level 19 is 17 % smaller and takes forty times the work.
const LAYER_LEVEL: i32 = 10;

/// Compresses a layer of an artifact: one frame, with the size of its content.
#[must_use]
pub fn zstd_layer(bytes: &[u8]) -> Vec<u8> {
    zstd_at(LAYER_LEVEL, bytes)
}

/// Returns the name of the packer of layers: other versions write other bytes.
#[must_use]
pub fn layer_encoder() -> String {
    format!("zstd-{}-{LAYER_LEVEL}", zstd::zstd_safe::version_string())
}

fn zstd_at(level: i32, bytes: &[u8]) -> Vec<u8> {
    // Packing into memory cannot fail.
    zstd::bulk::compress(bytes, level).unwrap_or_default()
}
