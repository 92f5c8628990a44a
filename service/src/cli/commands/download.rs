//! Downloads of `odsmith library add`.

use std::{
    fs::{self, OpenOptions},
    io::{IsTerminal, Write, stderr},
    path::{Path, PathBuf},
};

use actix_web::rt::System;
use reqwest::{Client, StatusCode, header};
use sha2::{Digest, Sha256};

use super::to_stderr;
use crate::store::{disk, keys};

/// Downloads a file, resuming a download that was cut off.
pub(super) fn downloaded(address: &str, folder: &Path) -> Result<PathBuf, String> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {}", folder.display(), disk::reason(&error)))?;
    let file = folder.join(keys::hex(&Sha256::digest(address.as_bytes())[..8]));
    let client = Client::new();
    System::new().block_on(download(&client, address, &file))?;
    Ok(file)
}

async fn download(client: &Client, address: &str, file: &Path) -> Result<(), String> {
    let part = file.with_extension("part");
    let wrong = |error: reqwest::Error| format!("{address}: {error}");
    let at = |error: std::io::Error| format!("{}: {}", part.display(), disk::reason(&error));
    let there = fs::metadata(&part).map_or(0, |data| data.len());
    let mut request = client.get(address);
    if there > 0 {
        request = request.header(header::RANGE, format!("bytes={there}-"));
    }
    let answer = request.send().await.map_err(wrong)?;
    if answer.status() == StatusCode::RANGE_NOT_SATISFIABLE {
        // The part was complete, or the file has changed: start again.
        fs::remove_file(&part).map_err(at)?;
        return Box::pin(download(client, address, file)).await;
    }
    let goes_on = answer.status() == StatusCode::PARTIAL_CONTENT;
    let mut answer = answer.error_for_status().map_err(wrong)?;
    let mut done = if goes_on { there } else { 0 };
    let whole = answer.content_length().map(|rest| done + rest);
    let mut options = OpenOptions::new();
    options.create(true).write(true).append(goes_on).truncate(!goes_on);
    let mut out = options.open(&part).map_err(at)?;
    let is_watched = stderr().is_terminal();
    let cut_off = |error| format!("{}; what came is kept, and the next call goes on", wrong(error));
    while let Some(piece) = answer.chunk().await.map_err(cut_off)? {
        out.write_all(&piece).map_err(at)?;
        done += piece.len() as u64;
        if is_watched {
            let of = whole.map_or(String::new(), |whole| format!(" of {:.1}", megabytes(whole)));
            to_stderr(format!("\r{:.1}{of} MB", megabytes(done)).as_bytes());
        }
    }
    if is_watched {
        to_stderr(b"\n");
    }
    fs::rename(&part, file).map_err(at)
}

#[expect(clippy::cast_precision_loss, reason = "shown with one digit")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
