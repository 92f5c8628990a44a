//! The question of a registry for a login: the header `WWW-Authenticate`.
//!
//! ```text
//! Bearer realm="https://auth.example/token",service="registry.example",scope="repository:a:pull"
//! Basic realm="Registry"
//! ```

/// A question for a login.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Challenge {
    /// A user and a password.
    Basic,
    /// A token of this token server.
    Bearer {
        /// The address of the token server.
        realm: String,
        /// The name of the registry there.
        service: Option<String>,
        /// The rights that are needed.
        scope: Option<String>,
    },
}

impl Challenge {
    /// Reads a header; nothing if it asks for another kind of login.
    #[must_use]
    pub fn read(header: &str) -> Option<Challenge> {
        let (scheme, rest) = header.trim().split_once(' ').unwrap_or((header.trim(), ""));
        if scheme.eq_ignore_ascii_case("basic") {
            return Some(Challenge::Basic);
        }
        if !scheme.eq_ignore_ascii_case("bearer") {
            return None;
        }
        let (mut realm, mut service, mut scope) = (None, None, None);
        let mut rest = rest.trim();
        while let Some((name, after)) = rest.split_once('=') {
            let (value, after) = match after.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"')?,
                None => {
                    after.split_once(',').map_or((after, ""), |(value, _)| (value, &after[value.len()..]))
                }
            };
            match name.trim().to_ascii_lowercase().as_str() {
                "realm" => realm = Some(value.to_owned()),
                "service" => service = Some(value.to_owned()),
                "scope" => scope = Some(value.to_owned()),
                _ => {}
            }
            rest = after.trim_start_matches([',', ' ']);
        }
        Some(Challenge::Bearer { realm: realm?, service, scope })
    }
}

/// Token servers that belong to a registry on another host.
const REALMS: &[(&str, &str)] = &[
    ("registry-1.docker.io", "auth.docker.io"),
    ("docker.io", "auth.docker.io"),
    ("registry.gitlab.com", "gitlab.com"),
    ("registry.redhat.io", "sso.redhat.com"),
    ("nvcr.io", "authn.nvidia.com"),
];

/// Returns the host of the token server of a registry, if it is a known one on another host.
#[must_use]
pub fn realm_of(registry: &str) -> Option<&'static str> {
    REALMS.iter().find(|(host, _)| *host == registry).map(|(_, realm)| *realm)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers() {
        let bearer = |realm: &str, service: Option<&str>, scope: Option<&str>| Challenge::Bearer {
            realm: realm.to_owned(),
            service: service.map(str::to_owned),
            scope: scope.map(str::to_owned),
        };
        let text = r#"Bearer realm="https://a/t",service="r",scope="repository:a:pull,push""#;
        assert_eq!(
            Challenge::read(text),
            Some(bearer("https://a/t", Some("r"), Some("repository:a:pull,push")))
        );
        assert_eq!(Challenge::read("bearer realm=https://a/t, x=y"), Some(bearer("https://a/t", None, None)));
        assert_eq!(Challenge::read("Basic realm=\"Registry\""), Some(Challenge::Basic));
        assert_eq!(Challenge::read("Negotiate"), None);
        assert_eq!(Challenge::read("Bearer realm=\"open"), None);
        assert_eq!(Challenge::read("Bearer service=\"r\""), None);
    }
}
