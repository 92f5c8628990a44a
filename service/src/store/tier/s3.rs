//! Stores that speak S3. Addresses are signed here (SigV4 in the query); everything else is a GET or a PUT.
//!
//! ```text
//! s3://[key:secret@]bucket[/prefix][?endpoint=https://host:port][&region=name]
//! ```
//!
//! How long entries are kept is decided by the bucket's lifecycle rules.

use std::time::Duration;

use futures_util::FutureExt;
use reqwest::Client;
use rusty_s3::{Bucket, Credentials, S3Action, UrlStyle};
use url::Url;

use super::{
    EntryKind,
    http_cache::{check, client, is_found, patience, received},
    sealed::{Answer, Backend, Failure, Rest},
};

/// Validity of a signed address.
const VALID: Duration = Duration::from_secs(60);
/// Timeout for receiving an entry.
const READ: Duration = Duration::from_secs(2);

/// A bucket.
#[derive(Debug)]
pub(super) struct S3 {
    client: Client,
    bucket: Bucket,
    credentials: Option<Credentials>,
    /// The prefix of every name: empty, or with a slash at its end.
    prefix: String,
    /// Maximum bytes of an entry.
    most_bytes: u64,
}

impl S3 {
    /// Opens the bucket at an address. Without a key in the address, the one in the environment (`AWS_ACCESS_KEY_ID`,
    /// `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`) is used, or else none.
    pub(super) fn new(address: &str, most_bytes: u64) -> Result<S3, String> {
        // The address may hold a secret, so it is not repeated.
        let wrong = |what: &str| {
            format!("shared_cache: {what} (s3://bucket/prefix?endpoint=https://host&region=name)")
        };
        let url = Url::parse(address).map_err(|_| wrong("this is not the address of a bucket"))?;
        let name =
            url.host_str().filter(|name| !name.is_empty()).ok_or_else(|| wrong("the bucket is missing"))?;
        let (mut endpoint, mut region) = (None, "us-east-1".to_owned());
        for (name, value) in url.query_pairs() {
            match &*name {
                "endpoint" => endpoint = Some(value.into_owned()),
                "region" => region = value.into_owned(),
                name => return Err(wrong(&format!("there is no '{name}'"))),
            }
        }
        // Other stores than Amazon's seldom have a host name for every bucket.
        let style = if endpoint.is_some() { UrlStyle::Path } else { UrlStyle::VirtualHost };
        let endpoint = endpoint.unwrap_or_else(|| format!("https://s3.{region}.amazonaws.com"));
        let endpoint = Url::parse(&endpoint).ok().filter(|it| matches!(it.scheme(), "http" | "https"));
        let endpoint =
            endpoint.ok_or_else(|| wrong("the endpoint is neither an https nor an http address"))?;
        let bucket = Bucket::new(endpoint, style, name.to_owned(), region)
            .map_err(|error| wrong(&format!("the endpoint or the bucket cannot be: {error}")))?;
        let credentials = match (url.username(), url.password()) {
            ("", _) => Credentials::from_env(),
            (key, secret) => Some(Credentials::new(plain(key)?, plain(secret.unwrap_or_default())?)),
        };
        Ok(S3 {
            client: client()?,
            bucket,
            credentials,
            most_bytes,
            prefix: match url.path().trim_matches('/') {
                "" => String::new(),
                prefix => format!("{prefix}/"),
            },
        })
    }

    async fn read(&self, key: String) -> Result<Option<Vec<u8>>, Failure> {
        let url = self.bucket.get_object(self.credentials.as_ref(), &key).sign(VALID);
        received(self.client.get(url).timeout(READ).send().await?, self.most_bytes).await
    }

    async fn is_there(&self, key: String) -> Result<bool, Failure> {
        let url = self.bucket.head_object(self.credentials.as_ref(), &key).sign(VALID);
        is_found(self.client.head(url).timeout(READ).send().await?.status())
    }

    async fn write(&self, key: String, entry: Vec<u8>) -> Result<(), Failure> {
        let url = self.bucket.put_object(self.credentials.as_ref(), &key).sign(VALID);
        let patience = patience(entry.len());
        check(self.client.put(url).timeout(patience).body(entry).send().await?.status())
    }

    fn key(&self, kind: EntryKind, name: &str) -> String {
        format!("{}odsmith/2/{}s/{name}", self.prefix, kind.word())
    }
}

impl Backend for S3 {
    fn get<'s>(&'s self, kind: EntryKind, name: &'s str, _: &'s Rest) -> Answer<'s, Option<Vec<u8>>> {
        self.read(self.key(kind, name)).boxed_local()
    }

    fn put<'s>(&'s self, kind: EntryKind, name: &'s str, entry: Vec<u8>, _: &'s Rest) -> Answer<'s, ()> {
        self.write(self.key(kind, name), entry).boxed_local()
    }

    fn has<'s>(&'s self, kind: EntryKind, name: &'s str, _: &'s Rest) -> Answer<'s, bool> {
        self.is_there(self.key(kind, name)).boxed_local()
    }
}

/// Decodes the percent signs in a part of an address.
fn plain(text: &str) -> Result<String, String> {
    let text = percent_encoding::percent_decode_str(text).decode_utf8();
    text.map(std::borrow::Cow::into_owned)
        .map_err(|_| "shared_cache: the key or the secret is not UTF-8".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let s3 =
            S3::new("s3://key:se%2Fcret@cache/a/b/?endpoint=http://127.0.0.1:9000&region=eu-1", 1).unwrap();
        assert_eq!((s3.prefix.as_str(), s3.bucket.name(), s3.bucket.region()), ("a/b/", "cache", "eu-1"));
        assert_eq!(s3.bucket.object_url("x").as_str(), "http://127.0.0.1:9000/cache/x");
        assert_eq!(s3.credentials.as_ref().unwrap().secret(), "se/cret");
        let s3 = S3::new("s3://cache", 1).unwrap();
        assert_eq!(s3.bucket.object_url("x").as_str(), "https://cache.s3.us-east-1.amazonaws.com/x");
        for (address, expected) in [
            ("s3://", "the bucket is missing"),
            ("s3://cache?endpoint=ftp://x", "neither an https nor an http"),
            ("s3://cache?unknown=1", "there is no 'unknown'"),
        ] {
            let error = S3::new(address, 1).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
