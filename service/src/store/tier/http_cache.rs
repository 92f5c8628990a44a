//! Caches that builds have, as bazel-remote serves them: blobs by their digest at `/cas`, results of actions at `/ac`.
//!
//! ```text
//! http[s]://[user:password@]host[:port][/prefix]
//! PUT /cas/{sha256 of the entry}                  the entry
//! PUT /ac/{sha256 of "odsmith 2 {kind} {name}"}   an `ActionResult` with the entry, or its digest if it is longer
//! ```
//!
//! Such a cache may check what it takes: blobs by their digest, and results of actions as messages of protocol buffers
//! whose blobs are there. So every entry is the result of an action, with one output file. How long entries are kept is
//! decided by the cache.

use std::time::Duration;

use futures_util::FutureExt;
use reqwest::{Client, Response, StatusCode};
use url::Url;

use super::{
    EntryKind,
    sealed::{Answer, Backend, Failure, Rest},
};
use crate::store::keys;

/// Timeout for connecting.
const PATIENCE: Duration = Duration::from_millis(500);
/// Timeout for receiving an entry, and for sending one.
const READ: Duration = Duration::from_secs(2);
const WRITE: Duration = Duration::from_secs(10);
/// Maximum bytes of an entry inside of the message that names it.
const MOST_INLINE: usize = 4 << 10;
/// Maximum bytes of a message. A cache may add its own fields.
const MOST_MESSAGE: u64 = 64 << 10;

/// A cache of builds.
#[derive(Debug)]
pub(super) struct HttpCache {
    client: Client,
    /// The address, without a slash at its end.
    root: String,
    /// Maximum bytes of an entry.
    most_bytes: u64,
}

impl HttpCache {
    /// Opens the cache at an address.
    pub(super) fn new(address: &str, most_bytes: u64) -> Result<HttpCache, String> {
        // The address may hold a password, so it is not repeated.
        let wrong = || {
            "shared_cache: this is not the address of a cache of builds (https://host:port/prefix)".to_owned()
        };
        let url = Url::parse(address).map_err(|_| wrong())?;
        if url.host_str().is_none_or(str::is_empty) || url.query().is_some() || url.fragment().is_some() {
            return Err(wrong());
        }
        let root = url.as_str().trim_end_matches('/').to_owned();
        Ok(HttpCache { client: client()?, root, most_bytes })
    }

    async fn read(&self, kind: EntryKind, name: &str) -> Result<Option<Vec<u8>>, Failure> {
        match self.action(kind, name).await? {
            None => Ok(None),
            Some(Action::Inline(entry)) => Ok(Some(entry)),
            Some(Action::Blob(digest)) => {
                received(self.client.get(self.blob(&digest)).timeout(READ).send().await?, self.most_bytes)
                    .await
            }
        }
    }

    async fn is_there(&self, kind: EntryKind, name: &str) -> Result<bool, Failure> {
        match self.action(kind, name).await? {
            None => Ok(false),
            Some(Action::Inline(_)) => Ok(true),
            Some(Action::Blob(digest)) => {
                is_found(self.client.head(self.blob(&digest)).timeout(READ).send().await?.status())
            }
        }
    }

    async fn write(&self, kind: EntryKind, name: &str, entry: Vec<u8>) -> Result<(), Failure> {
        let action = if entry.len() <= MOST_INLINE {
            Action::Inline(entry)
        } else {
            let digest = Digest { hash: keys::sha256(&entry), length: entry.len() as u64 };
            // The blob comes first: the cache may look whether it is there.
            let patience = patience(entry.len());
            let blob = self.client.put(self.blob(&digest)).timeout(patience).body(entry);
            check(blob.send().await?.status())?;
            Action::Blob(digest)
        };
        let put = self.client.put(self.address(kind, name)).timeout(WRITE).body(action.to_message());
        check(put.send().await?.status())
    }

    async fn action(&self, kind: EntryKind, name: &str) -> Result<Option<Action>, Failure> {
        let answer = self.client.get(self.address(kind, name)).timeout(READ).send().await?;
        let message = received(answer, MOST_MESSAGE).await?;
        Ok(message.map(|message| Action::of_message(&message)))
    }

    fn blob(&self, digest: &Digest) -> String {
        format!("{}/cas/{}", self.root, digest.hash)
    }

    fn address(&self, kind: EntryKind, name: &str) -> String {
        let text = format!("odsmith 2 {} {name}", kind.word());
        format!("{}/ac/{}", self.root, keys::sha256(text.as_bytes()))
    }
}

impl Backend for HttpCache {
    fn get<'s>(&'s self, kind: EntryKind, name: &'s str, _: &'s Rest) -> Answer<'s, Option<Vec<u8>>> {
        self.read(kind, name).boxed_local()
    }

    fn put<'s>(&'s self, kind: EntryKind, name: &'s str, entry: Vec<u8>, _: &'s Rest) -> Answer<'s, ()> {
        self.write(kind, name, entry).boxed_local()
    }

    fn has<'s>(&'s self, kind: EntryKind, name: &'s str, _: &'s Rest) -> Answer<'s, bool> {
        self.is_there(kind, name).boxed_local()
    }
}

/// Returns a client for stores that speak HTTP.
pub(super) fn client() -> Result<Client, String> {
    let client = Client::builder().connect_timeout(PATIENCE).no_proxy().build();
    client.map_err(|error| format!("shared_cache: {error}"))
}

/// Returns the time in which an entry of some bytes must be sent.
pub(super) fn patience(bytes: usize) -> Duration {
    // A large entry over a slow line takes its time.
    WRITE + Duration::from_secs(bytes as u64 >> 18)
}

/// Returns the content of an answer, unless it says that there is none.
pub(super) async fn received(mut answer: Response, most_bytes: u64) -> Result<Option<Vec<u8>>, Failure> {
    if !is_found(answer.status())? {
        return Ok(None);
    }
    let mut content = Vec::new();
    while let Some(chunk) = answer.chunk().await? {
        if (content.len() + chunk.len()) as u64 > most_bytes {
            return Err(Failure { is_gone: false });
        }
        content.extend_from_slice(&chunk);
    }
    Ok(Some(content))
}

/// Returns true for the status of an entry that is there, and false for that of one that is not.
pub(super) fn is_found(status: StatusCode) -> Result<bool, Failure> {
    match status {
        StatusCode::NOT_FOUND => Ok(false),
        status => check(status).map(|()| true),
    }
}

/// Checks the status of an answer: a store that refuses is not down, one with an internal error is.
pub(super) fn check(status: StatusCode) -> Result<(), Failure> {
    match status.is_success() {
        true => Ok(()),
        false => {
            Err(Failure { is_gone: status.is_server_error() && status != StatusCode::INSUFFICIENT_STORAGE })
        }
    }
}

impl From<reqwest::Error> for Failure {
    fn from(_: reqwest::Error) -> Self {
        Failure { is_gone: true }
    }
}

/// The name of a blob.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Digest {
    hash: String,
    length: u64,
}

/// An entry as the result of an action (`build.bazel.remote.execution.v2.ActionResult`).
#[derive(Clone, Debug, PartialEq, Eq)]
enum Action {
    /// The standard output (`stdout_raw`).
    Inline(Vec<u8>),
    /// The only output file.
    Blob(Digest),
}

/// Numbers of fields: of `ActionResult`, `OutputFile` and `Digest`.
const OUTPUT_FILES: u64 = 2;
const STDOUT_RAW: u64 = 5;
const PATH: u64 = 1;
const DIGEST: u64 = 2;
const HASH: u64 = 1;
const SIZE_BYTES: u64 = 2;

impl Action {
    fn to_message(&self) -> Vec<u8> {
        match self {
            Action::Inline(entry) => field(STDOUT_RAW, entry),
            Action::Blob(Digest { hash, length }) => {
                let mut digest = field(HASH, hash.as_bytes());
                write_number(SIZE_BYTES << 3, &mut digest);
                write_number(*length, &mut digest);
                let file = [field(PATH, b"entry"), field(DIGEST, &digest)].concat();
                field(OUTPUT_FILES, &file)
            }
        }
    }

    /// Parses a message. One without an entry has an empty one, which fails every check.
    fn of_message(message: &[u8]) -> Action {
        let file = find(message, OUTPUT_FILES).and_then(|file| find(file, DIGEST));
        let hash = file.and_then(|digest| find(digest, HASH)).and_then(|hash| std::str::from_utf8(hash).ok());
        match hash.filter(|hash| keys::is_key(hash)) {
            Some(hash) => Action::Blob(Digest { hash: hash.to_owned(), length: 0 }),
            None => Action::Inline(find(message, STDOUT_RAW).unwrap_or_default().to_vec()),
        }
    }
}

/// Returns a field that has a length.
fn field(number: u64, content: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(content.len() + 8);
    write_number(number << 3 | 2, &mut bytes);
    write_number(content.len() as u64, &mut bytes);
    bytes.extend_from_slice(content);
    bytes
}

fn write_number(mut number: u64, bytes: &mut Vec<u8>) {
    while number > 0x7f {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// Returns the content of the first field with a number that has a length; other fields are skipped.
fn find(mut message: &[u8], wanted: u64) -> Option<&[u8]> {
    while !message.is_empty() {
        let tag = read_number(&mut message)?;
        let length = match tag & 7 {
            0 => {
                read_number(&mut message)?;
                continue;
            }
            1 => 8,
            2 => usize::try_from(read_number(&mut message)?).ok()?,
            5 => 4,
            _ => return None,
        };
        let (content, rest) = message.split_at_checked(length)?;
        if (tag >> 3, tag & 7) == (wanted, 2) {
            return Some(content);
        }
        message = rest;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_results_of_actions() {
        let blob = Action::Blob(Digest { hash: keys::sha256(b"x"), length: 300 });
        let message = blob.to_message();
        // { 2: { 1: "entry", 2: { 1: hash, 2: 300 } } }
        assert_eq!(message[..12], [0x12, 78, 0x0a, 5, b'e', b'n', b't', b'r', b'y', 0x12, 69, 0x0a]);
        assert_eq!(message[message.len() - 3..], [0x10, 0xac, 0x02]);
        // A cache may add fields: here a number, and one that has a length.
        let with_others = [&[0x20, 0xff, 0x01][..], &field(9, b"worker"), &message].concat();
        assert!(
            matches!(Action::of_message(&with_others), Action::Blob(it) if it.hash == keys::sha256(b"x"))
        );
        let inline = Action::Inline(b"small".to_vec());
        assert_eq!(Action::of_message(&inline.to_message()), inline);
    }

    #[test]
    fn malformed_messages_have_no_entry() {
        let good = Action::Blob(Digest { hash: keys::sha256(b"x"), length: 1 }).to_message();
        for at in 0..good.len() {
            let cut = Action::of_message(&good[..at]);
            assert!(cut == Action::Inline(Vec::new()) || at > 75, "cut at {at}: {cut:?}");
        }
        for garbage in [&[0xff; 20][..], &[0x12, 0xff, 0xff, 0xff, 0xff, 0x0f], &[0x2f], b"{}"] {
            assert_eq!(Action::of_message(garbage), Action::Inline(Vec::new()));
        }
    }

    #[test]
    fn addresses() {
        let cache = HttpCache::new("https://user:word@cache.example:9000/some/", 1).unwrap();
        assert_eq!(cache.root, "https://user:word@cache.example:9000/some");
        assert!(HttpCache::new("http://cache?x=1", 1).is_err() && HttpCache::new("http://", 1).is_err());
        let other = cache.address(EntryKind::Places, "a");
        assert!(other != cache.address(EntryKind::Results, "a") && other.len() == cache.root.len() + 68);
    }
}
