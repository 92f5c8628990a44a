//! Fetches sources, only from the hosts in the server's configuration.
//!
//! Addresses are checked where they are used: the resolver of the connection returns public addresses only, so a name
//! cannot lead to one place when it is checked and to another when it is connected to. Every redirect is checked like
//! the first address. The content may be as long as a body, and must have the expected digest.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    pin::Pin,
    sync::Arc,
    time::Duration,
};

use actix_web::web::{Bytes, BytesMut};
use futures_util::future::Future;
use reqwest::{
    Client, Response, Url,
    dns::{Addrs, Name, Resolve, Resolving},
    header::{HeaderMap, LOCATION},
    redirect,
};
use tokio::{net::lookup_host, time::timeout};
use url::Host;

use crate::{
    pipeline::error::{ApiError, Kind},
    store::{disk, keys},
};

const MOST_REDIRECTS: usize = 3;
const CONNECT: Duration = Duration::from_secs(10);

/// The addresses of a host, as a future.
pub type Addresses = Pin<Box<dyn Future<Output = io::Result<Vec<SocketAddr>>> + Send>>;

/// The network to fetch from. There is one, and tests have a small one of their own; no configuration leads from the
/// one to the other.
pub trait Network: Send + Sync + 'static {
    /// Returns the only scheme.
    fn scheme(&self) -> &'static str;
    /// Returns true if this address may be connected to.
    fn admits(&self, address: IpAddr) -> bool;
    /// Returns true if this port may be connected to.
    fn admits_port(&self, port: u16) -> bool;
    /// Resolves a host to its addresses.
    fn resolve(&self, host: &str) -> Addresses;
}

/// The public Internet, over TLS.
#[derive(Clone, Copy, Debug)]
pub struct Internet;

impl Network for Internet {
    fn scheme(&self) -> &'static str {
        "https"
    }

    fn admits(&self, address: IpAddr) -> bool {
        is_public(address)
    }

    fn admits_port(&self, port: u16) -> bool {
        port == 443
    }

    fn resolve(&self, host: &str) -> Addresses {
        let host = host.to_owned();
        Box::pin(async move { Ok(lookup_host((host, 0)).await?.collect()) })
    }
}

/// Fetches sources from the allowed hosts.
pub struct Fetcher {
    network: Arc<dyn Network>,
    hosts: Vec<String>,
    client: Client,
    most_bytes: u64,
    patience: Duration,
}

/// A resolver that returns only the addresses that the network admits.
struct Vetted(Arc<dyn Network>);

impl Resolve for Vetted {
    fn resolve(&self, name: Name) -> Resolving {
        let network = self.0.clone();
        Box::pin(async move {
            let addresses = network.resolve(name.as_str()).await?;
            // One address that is not public makes the whole name untrusted.
            if addresses.is_empty() || !addresses.iter().all(|address| network.admits(address.ip())) {
                return Err(Forbidden.into());
            }
            let addresses: Addrs = Box::new(addresses.into_iter());
            Ok(addresses)
        })
    }
}

#[derive(Debug)]
struct Forbidden;

impl std::fmt::Display for Forbidden {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the name leads to an address that is not fetched from")
    }
}

impl std::error::Error for Forbidden {}

impl Fetcher {
    /// Creates a fetcher for these hosts.
    ///
    /// # Errors
    /// The HTTP client cannot be created.
    pub fn new(
        network: Arc<dyn Network>,
        hosts: &[String],
        most_bytes: u64,
        patience: Duration,
    ) -> Result<Fetcher, String> {
        let client = Client::builder()
            .no_proxy()
            .redirect(redirect::Policy::none())
            .dns_resolver(Arc::new(Vetted(network.clone())))
            .connect_timeout(CONNECT)
            .user_agent(concat!("odsmith/", env!("CARGO_PKG_VERSION")))
            .referer(false)
            // Fetches are rare, and the address of an idle connection was checked long ago.
            .pool_max_idle_per_host(0)
            .build()
            .map_err(|error| format!("the client for sources: {error}"))?;
        let hosts = hosts.iter().map(|host| host.to_ascii_lowercase()).collect();
        Ok(Fetcher { network, hosts, client, most_bytes, patience })
    }

    /// Checks that a source may be fetched from an address, as far as the address itself shows.
    ///
    /// # Errors
    /// The address is refused.
    pub fn check(&self, source: &str) -> Result<(), ApiError> {
        self.vet(&parse(source)?)
    }

    /// Fetches the bytes at an address, if they have this digest.
    ///
    /// # Errors
    /// The address, or one that it redirects to, is refused; or the answer is missing, too large or different.
    pub async fn fetch(&self, source: &str, sha256: &str) -> Result<Bytes, ApiError> {
        let late = || failed(format!("the source did not come within {} seconds", self.patience.as_secs()));
        timeout(self.patience, self.follow(source, sha256)).await.map_err(|_| late())?
    }

    async fn follow(&self, source: &str, sha256: &str) -> Result<Bytes, ApiError> {
        let mut url = parse(source)?;
        for _ in 0..=MOST_REDIRECTS {
            self.vet(&url)?;
            let answer = self.client.get(url.clone()).send().await.map_err(|error| source_error(&error))?;
            if !answer.remote_addr().is_none_or(|peer| self.network.admits(peer.ip())) {
                return Err(refused("the source is at an address that is not fetched from"));
            }
            if !answer.status().is_redirection() {
                return self.receive(answer, sha256).await;
            }
            url = next(&url, answer.headers())?;
        }
        Err(refused(format!("the source redirects more than {MOST_REDIRECTS} times")))
    }

    /// Checks that an address may be requested.
    fn vet(&self, url: &Url) -> Result<(), ApiError> {
        if url.scheme() != self.network.scheme() {
            return Err(refused(format!("a source is fetched over {} only", self.network.scheme())));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refused("a source's address holds no name and no password"));
        }
        let Some(Host::Domain(host)) = url.host() else {
            return Err(refused("a source's host is a name, not an address"));
        };
        if !self.hosts.iter().any(|known| known == host) {
            return Err(refused(format!(
                "'{}' is not a host that sources are fetched from here",
                host.escape_debug()
            )));
        }
        match url.port_or_known_default() {
            Some(port) if self.network.admits_port(port) => Ok(()),
            _ => Err(refused("a source is not fetched from that port")),
        }
    }

    async fn receive(&self, mut answer: Response, sha256: &str) -> Result<Bytes, ApiError> {
        if !answer.status().is_success() {
            return Err(failed(format!("the source's server said {}", answer.status().as_u16())));
        }
        let mut bytes = BytesMut::new();
        while let Some(chunk) = answer.chunk().await.map_err(|error| source_error(&error))? {
            if (bytes.len() + chunk.len()) as u64 > self.most_bytes {
                return Err(failed(format!("the source has more than {} bytes", self.most_bytes)));
            }
            bytes.extend_from_slice(&chunk);
        }
        match keys::sha256(&bytes) {
            seen if seen == sha256 => Ok(bytes.freeze()),
            seen => Err(failed(format!("the source's sha256 is {seen}"))),
        }
    }
}

/// How long a command waits for an archive.
const PATIENCE: Duration = Duration::from_secs(600);

/// Fetches an archive for a command as a server would: over https, from public addresses only, up to `most_bytes`.
///
/// # Errors
/// The address is refused, or the archive is missing, too large or different.
pub fn archive_at(url: &str, sha256: &str, most_bytes: u64) -> Result<Vec<u8>, String> {
    let host = Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| disk::reason(&error))?;
    let fetcher = Fetcher::new(Arc::new(Internet), &[host], most_bytes, PATIENCE)?;
    let bytes = runtime.block_on(fetcher.fetch(url, sha256));
    bytes.map(|bytes| bytes.to_vec()).map_err(|error| format!("{url}: {error}"))
}

fn next(url: &Url, headers: &HeaderMap) -> Result<Url, ApiError> {
    let location = headers.get(LOCATION).and_then(|location| location.to_str().ok());
    let next = location.and_then(|location| url.join(location).ok());
    next.ok_or_else(|| failed("the source's server sends on to nowhere".to_owned()))
}

/// Describes an error, without any text from the other side.
fn source_error(error: &reqwest::Error) -> ApiError {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if error.is::<Forbidden>() {
            return refused(Forbidden.to_string());
        }
        cause = error.source();
    }
    failed(match error {
        error if error.is_timeout() => "the source's server took too long".to_owned(),
        error if error.is_connect() => "the source's server could not be connected to".to_owned(),
        _ => "the source's server broke off".to_owned(),
    })
}

fn refused(detail: impl Into<String>) -> ApiError {
    ApiError::new(Kind::SOURCE_REFUSED, detail)
}

fn failed(detail: String) -> ApiError {
    ApiError::new(Kind::SOURCE_FAILED, detail)
}

/// Parses the address of a source.
fn parse(source: &str) -> Result<Url, ApiError> {
    Url::parse(source).map_err(|_| refused("the source is not an address"))
}

/// Returns true if an address is on the public Internet, in whatever form it is written.
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let is_special = match a {
        // This network, private, loopback; multicast, reserved, broadcast.
        0 | 10 | 127 | 224.. => true,
        // Shared by carriers; link-local, with the metadata service; private; benchmarks.
        100 => b & 0xc0 == 64,
        169 => b == 254,
        172 => b & 0xf0 == 16,
        // Protocol assignments, examples, relays of 6to4, AS112; private.
        192 => b == 168 || matches!((b, c), (0, 0 | 2) | (31, 196) | (52, 193) | (88, 99) | (175, 48)),
        198 => matches!(b, 18 | 19) || (b, c) == (51, 100),
        203 => (b, c) == (0, 113),
        _ => false,
    };
    !is_special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    // Only 2000::/3 is assigned; in it, addresses that embed IPv4 ones (Teredo, 6to4) or are for protocols, examples
    // and tests are refused. Mapped, compatible and translated (NAT64) IPv4, loopback, local and multicast lie outside.
    segments[0] & 0xe000 == 0x2000
        && !matches!(
            segments,
            [0x2001, 0..=0x1ff, ..]
                | [0x2001, 0xdb8, ..]
                | [0x2002, ..]
                | [0x3ffe, ..]
                | [0x3fff, 0..=0xfff, ..]
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_are_public() {
        for text in [
            "1.1.1.1",
            "140.82.121.3",
            "172.15.0.1",
            "172.32.0.1",
            "100.63.0.1",
            "192.0.1.1",
            "2606:4700::1",
            "2a00:1450::1",
        ] {
            assert!(is_public(text.parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn addresses_that_are_not() {
        for text in [
            "0.0.0.0",
            "10.1.2.3",
            "127.0.0.1",
            "127.255.0.1",
            "100.64.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.1",
            "192.0.0.1",
            "192.0.2.1",
            "192.168.0.1",
            "198.18.0.1",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "::127.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
            "100::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "3fff::1",
        ] {
            assert!(!is_public(text.parse().unwrap()), "{text}");
        }
    }
}
