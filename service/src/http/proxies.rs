//! Finds the address of a client when proxies are in front.

use std::net::{IpAddr, Ipv4Addr};

use actix_web::{HttpRequest, http::header};

use crate::config::Config;

/// The trusted proxies, whose `X-Forwarded-For` is believed.
#[derive(Debug)]
pub struct Proxies {
    /// True if every peer is trusted as a proxy.
    trusts_peer: bool,
    networks: Vec<Network>,
}

/// A network: the addresses that begin with these bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Network {
    address: IpAddr,
    bits: u32,
}

impl Proxies {
    /// Reads the proxies of a configuration.
    ///
    /// # Errors
    /// A network is malformed.
    pub fn new(config: &Config) -> Result<Proxies, String> {
        let networks = config.trusted_proxies.iter().map(|text| Network::read(text));
        Ok(Proxies { trusts_peer: config.behind_proxy, networks: networks.collect::<Result<_, _>>()? })
    }

    /// Returns the address of a client: the peer's or, as long as that is a proxy, the one that it forwards for.
    #[must_use]
    pub fn client(&self, request: &HttpRequest) -> IpAddr {
        let peer = request.peer_addr().map_or(Ipv4Addr::UNSPECIFIED.into(), |peer| peer.ip());
        if !self.trusts_peer && self.networks.is_empty() {
            return peer;
        }
        let headers =
            request.headers().get_all(header::X_FORWARDED_FOR).filter_map(|value| value.to_str().ok());
        let named: Vec<&str> = headers.flat_map(|value| value.split(',')).map(str::trim).collect();
        let (mut address, mut is_proxy) = (peer, self.trusts_peer || self.trusts(peer));
        // Each proxy appends the address that it sees; entries that a client wrote itself come before those.
        for name in named.into_iter().rev() {
            let Some(next) = name.parse().ok().filter(|_| is_proxy) else { break };
            address = next;
            is_proxy = self.trusts(next);
        }
        address
    }

    fn trusts(&self, address: IpAddr) -> bool {
        self.networks.iter().any(|network| network.holds(address))
    }
}

impl Network {
    fn read(text: &str) -> Result<Network, String> {
        let wrong =
            || format!("trusted_proxies: '{text}' is neither an address nor a network as 10.0.0.0/8 is");
        let (address, bits) =
            text.split_once('/').map_or((text, None), |(address, bits)| (address, Some(bits)));
        let address: IpAddr = address.parse().map_err(|_| wrong())?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.map_or(Ok(most), |bits| bits.parse().map_err(|_| wrong()))?;
        if bits > most { Err(wrong()) } else { Ok(Network { address, bits }) }
    }

    fn holds(self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                let differ = own.to_bits() ^ other.to_bits();
                differ.checked_shr(32 - self.bits).unwrap_or(0) == 0
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                let differ = own.to_bits() ^ other.to_bits();
                differ.checked_shr(128 - self.bits).unwrap_or(0) == 0
            }
            (IpAddr::V4(_), IpAddr::V6(_)) | (IpAddr::V6(_), IpAddr::V4(_)) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn seen(config: &Config, peer: &str, forwarded: &[&str]) -> String {
        let request = forwarded.iter().fold(TestRequest::default(), |request, value| {
            request.append_header((header::X_FORWARDED_FOR, *value))
        });
        let request = request.peer_addr(format!("{peer}:1").parse().unwrap()).to_http_request();
        Proxies::new(config).unwrap().client(&request).to_string()
    }

    #[test]
    fn only_proxies_are_believed() {
        let none = Config::default();
        assert_eq!(seen(&none, "10.0.0.1", &["1.1.1.1"]), "10.0.0.1");
        let any = Config { behind_proxy: true, ..Config::default() };
        assert_eq!(seen(&any, "10.0.0.1", &["1.1.1.1, 2.2.2.2"]), "2.2.2.2");
        let some = Config {
            trusted_proxies: vec!["10.0.0.0/8".into(), "192.0.2.7".into(), "2001:db8::/32".into()],
            ..Config::default()
        };
        assert_eq!(seen(&some, "8.8.8.8", &["1.1.1.1"]), "8.8.8.8", "that is no proxy");
        assert_eq!(seen(&some, "10.0.0.1", &[]), "10.0.0.1");
        assert_eq!(seen(&some, "10.0.0.1", &["6.6.6.6, 1.1.1.1, 192.0.2.7", "10.9.9.9"]), "1.1.1.1");
        assert_eq!(seen(&some, "10.0.0.1", &["6.6.6.6, nonsense, 10.9.9.9"]), "10.9.9.9");
        assert_eq!(seen(&some, "[2001:db8::5]", &["1.1.1.1"]), "1.1.1.1");
        assert_eq!(seen(&some, "[2001:db9::5]", &["1.1.1.1"]), "2001:db9::5");
    }

    #[test]
    fn networks() {
        let holds =
            |network: &str, address: &str| Network::read(network).unwrap().holds(address.parse().unwrap());
        assert!(holds("0.0.0.0/0", "1.2.3.4") && holds("1.2.3.4/32", "1.2.3.4") && holds("::/0", "::1"));
        assert!(holds("10.0.0.0/8", "::ffff:10.1.1.1") && !holds("1.2.3.4/31", "1.2.3.6"));
        for wrong in ["", "x", "10.0.0.0/33", "10.0.0.0/x", "::/129"] {
            assert!(Network::read(wrong).unwrap_err().contains("10.0.0.0/8"), "{wrong}");
        }
    }
}
