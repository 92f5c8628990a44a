//! Access control: identifies a client by its token where tokens are configured, else by its address, and applies quotas.
//!
//! A token comes as `Authorization: Bearer …`, as the password of `Basic` (which `.netrc` files give to curl, Nix and
//! Bazel), or in the cookie that the login page sets in a browser.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use actix_web::{
    HttpMessage, HttpRequest,
    dev::ServiceRequest,
    http::{
        Method,
        header::{self, HeaderName},
    },
};

use crate::{
    config::Config,
    http::{
        proxies::Proxies,
        quota::{self, Quota, Standing},
        routes::{Needs, Rule},
        tokens::{Scope, Token, Tokens},
    },
    jobs::ticket::Client,
    pipeline::{
        error::{ApiError, Kind},
        registry::rights::RegistryRights,
    },
    store::keys,
};

/// The cookie that holds a token.
pub const COOKIE: &str = "odsmith_token";
/// Delay that each wrong token adds to the next answer to the same address.
const PENALTY: Duration = Duration::from_millis(250);
/// The longest delay.
const MOST_PENALTY: Duration = Duration::from_secs(5);
/// Number of addresses whose wrong tokens are remembered.
const MOST_ADDRESSES: usize = 100_000;

/// Decides which requests are admitted.
#[derive(Debug)]
pub struct Access {
    /// The quota of each client, if there is one.
    pub quota: Option<Quota>,
    tokens: Tokens,
    proxies: Proxies,
    allows_anonymous: bool,
    /// True if the operators' pages need a token.
    guards_admin: bool,
    /// When each address that sent wrong tokens may be answered again.
    slowed: Mutex<HashMap<Client, Instant>>,
}

/// The client of an admitted request.
#[derive(Clone, Debug)]
pub struct Visitor {
    /// The client whose quota the request counts on.
    pub client: Client,
    /// The token, if the request has one.
    pub token: Option<Arc<Token>>,
}

/// The delay of the answer to a wrong token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Penalty(pub Duration);

impl Config {
    /// Checks that the configuration is safe.
    ///
    /// # Errors
    /// Others could reach the server or its operators' pages without being allowed to, tokens or proxies are wrong, or
    /// the server would sign content that others wrote.
    pub fn check(&self) -> Result<(), String> {
        Access::new(self)?;
        if self.shared_cache.is_some() && self.signing_key_file.is_some() && self.shared_key_file.is_none() {
            return Err("a signing key needs --shared-key-file beside --shared-cache: without it, the server would sign \
                 what anyone wrote into the shared cache"
                .to_owned());
        }
        if self.bind.ip().is_loopback() || self.allow_anonymous || self.has_tokens() {
            return Ok(());
        }
        Err(format!(
            "{} can be reached from other machines; give --tokens a file (`odsmith token` makes one), \
             or say --allow-anonymous if anyone may use the service",
            self.bind
        ))
    }
}

impl Access {
    /// Creates the access control that a configuration describes.
    ///
    /// # Errors
    /// Tokens or proxies are wrong, or operators' pages could be read by others.
    pub fn new(config: &Config) -> Result<Access, String> {
        let tokens = Tokens::new(&config.token_digests, config.tokens.as_deref())?;
        let guards_admin = config.admin.is_some_and(|admin| !admin.ip().is_loopback());
        if guards_admin && !tokens.any_allows(Scope::Admin) {
            return Err(format!(
                "{} can be reached from other machines; give --tokens a file with a token of scope 'admin', \
                 or an address of this machine to --admin",
                config.admin.map_or_else(String::new, |admin| admin.to_string())
            ));
        }
        Ok(Access {
            quota: Quota::new(&config.limits.quota),
            tokens,
            proxies: Proxies::new(config)?,
            allows_anonymous: config.allow_anonymous,
            guards_admin,
            slowed: Mutex::default(),
        })
    }

    /// Returns true if a client needs a token.
    #[must_use]
    pub fn asks_for_tokens(&self) -> bool {
        self.tokens.are_there() && !self.allows_anonymous
    }

    /// Returns the address that a request comes from.
    #[must_use]
    pub fn address(&self, request: &HttpRequest) -> IpAddr {
        self.proxies.client(request)
    }

    /// Decides whether to admit a request to the endpoint that it was routed to: returns the client's standing and, if
    /// the request is refused, the error. Pages do not count on the quota.
    #[must_use]
    pub fn admit(&self, request: &ServiceRequest, rule: &Rule) -> (Option<Standing>, Option<ApiError>) {
        let client = match self.visitor(request.request(), rule.needs(request.method())) {
            Ok(visitor) => visitor.client,
            Err(refusal) => return (None, Some(refusal)),
        };
        let Some(quota) = self.quota.as_ref().filter(|_| rule.is_counted()) else {
            return (None, None);
        };
        let standing = quota.take(client, Instant::now());
        let refusal = (!standing.is_admitted).then(|| ApiError {
            retry_after: u32::try_from(quota::seconds(standing.reset)).ok(),
            ..ApiError::new(
                Kind::OVER_QUOTA,
                "this client comes too often; Retry-After says when to come again",
            )
        });
        (Some(standing), refusal)
    }

    /// Returns the client of a request if it has the right that the request needs. A client with a token is noted in
    /// the request.
    ///
    /// # Errors
    /// A token is needed and missing, unknown, or lacks the required scope.
    fn visitor(&self, request: &HttpRequest, needs: Needs) -> Result<Visitor, ApiError> {
        let scope = match needs {
            Needs::Operator => {
                self.operator(request)?;
                return Ok(Visitor { client: Client::at(self.address(request)), token: None });
            }
            Needs::Nothing => return Ok(Visitor { client: Client::at(self.address(request)), token: None }),
            Needs::Token => None,
            Needs::Scope(scope) => Some(scope),
        };
        if !self.tokens.are_there() {
            return Ok(Visitor { client: Client::at(self.address(request)), token: None });
        }
        let visitor = match token(request) {
            Some(token) => self.known(request, &token)?,
            None if self.allows_anonymous => {
                Visitor { client: Client::at(self.address(request)), token: None }
            }
            None => {
                let detail = "a token is needed: Authorization: Bearer …, or as the password of Basic";
                return Err(ApiError::new(Kind::UNAUTHORIZED, detail));
            }
        };
        if let (Some(token), Some(scope)) = (&visitor.token, scope)
            && !token.allows(scope)
        {
            let detail = format!("this needs a token of scope '{}'", scope.name());
            return Err(ApiError::new(Kind::FORBIDDEN, detail));
        }
        request.extensions_mut().insert(visitor.clone());
        Ok(visitor)
    }

    /// Returns the client of an admitted request.
    #[must_use]
    pub fn client_of(&self, request: &HttpRequest) -> Client {
        let known = request.extensions().get::<Visitor>().map(|visitor| visitor.client);
        known.unwrap_or_else(|| Client::at(self.address(request)))
    }

    /// Returns the visitor with this token.
    ///
    /// # Errors
    /// The token is unknown.
    pub fn known(&self, request: &HttpRequest, token: &str) -> Result<Visitor, ApiError> {
        if let Some((digest, token)) = self.tokens.find(token) {
            return Ok(Visitor { client: Client::Token(digest), token: Some(token) });
        }
        let penalty = self.penalty(Client::at(self.address(request)), Instant::now());
        request.extensions_mut().insert(Penalty(penalty));
        Err(ApiError::new(Kind::UNAUTHORIZED, "the token is not known here"))
    }

    /// Admits an operator.
    ///
    /// # Errors
    /// A token is needed, and this one lacks the `admin` scope.
    fn operator(&self, request: &HttpRequest) -> Result<(), ApiError> {
        if !self.guards_admin {
            return Ok(());
        }
        let token = token(request).and_then(|token| self.tokens.find(&token));
        match token.is_some_and(|(_, token)| token.allows(Scope::Admin)) {
            true => Ok(()),
            false => Err(ApiError::new(Kind::UNAUTHORIZED, "this needs a token of scope 'admin'")),
        }
    }

    /// Returns the delay of the answer to another wrong token from an address: they are answered one after the other.
    fn penalty(&self, client: Client, now: Instant) -> Duration {
        // No code that can panic runs under the lock.
        let mut slowed = self.slowed.lock().unwrap_or_else(PoisonError::into_inner);
        if slowed.len() >= MOST_ADDRESSES {
            slowed.retain(|_, next| *next > now);
        }
        let before = slowed.get(&client).copied().unwrap_or(now).max(now);
        let next = (before + PENALTY).min(now + MOST_PENALTY);
        if slowed.len() < MOST_ADDRESSES || slowed.contains_key(&client) {
            slowed.insert(client, next);
        }
        next - now
    }
}

/// Returns the tenant of a request.
#[must_use]
pub fn tenant(request: &HttpRequest) -> String {
    let extensions = request.extensions();
    let token = extensions.get::<Visitor>().and_then(|visitor| visitor.token.as_ref());
    token.map_or_else(String::new, |token| token.tenant.clone())
}

/// Returns the parts of registries that the client of a request sees.
#[must_use]
pub fn registry_rights(request: &HttpRequest) -> RegistryRights {
    let extensions = request.extensions();
    let token = extensions.get::<Visitor>().and_then(|visitor| visitor.token.as_ref());
    token.map_or_else(RegistryRights::default, |token| token.registries.clone())
}

/// Returns the name of the request's token for the log, if it came with a known one.
#[must_use]
pub fn token_name(request: &HttpRequest) -> Option<String> {
    let extensions = request.extensions();
    let token = extensions.get::<Visitor>()?.token.as_ref()?;
    Some(token.name.clone())
}

/// Returns true if the token of an admitted request has a scope, or it needed none.
#[must_use]
pub fn has_scope(request: &HttpRequest, scope: Scope) -> bool {
    let extensions = request.extensions();
    let token = extensions.get::<Visitor>().and_then(|visitor| visitor.token.as_ref());
    token.is_none_or(|token| token.allows(scope))
}

/// Returns true if a browser sent the request for a page of another origin.
#[must_use]
pub fn is_of_other_page(request: &HttpRequest) -> bool {
    request.headers().contains_key(header::ORIGIN) && !is_same_origin(request)
}

/// Returns the token of a request: from the header or the cookie.
fn token(request: &HttpRequest) -> Option<String> {
    if let Some(given) = request.headers().get(header::AUTHORIZATION) {
        let (scheme, rest) = given.to_str().ok()?.split_once(' ')?;
        return match scheme.to_ascii_lowercase().as_str() {
            "bearer" => Some(rest.trim().to_owned()),
            "basic" => {
                let pair = String::from_utf8(keys::from_base64(rest.trim())?).ok()?;
                let (user, password) = pair.split_once(':')?;
                // Some clients know only one of the two.
                Some(if password.is_empty() { user } else { password }.to_owned())
            }
            _ => None,
        };
    }
    // A page of another origin cannot use the cookie of this one, even in a browser that sends it along.
    let is_ours = matches!(*request.method(), Method::GET | Method::HEAD) || is_same_origin(request);
    let cookies = request.headers().get_all(header::COOKIE).filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| is_ours && *name == COOKIE).map(|(_, token)| token.to_owned())
}

/// Returns true if the request comes from a page of this origin: browsers say so, and no script can forge it.
fn is_same_origin(request: &HttpRequest) -> bool {
    let text = |name: HeaderName| request.headers().get(name).and_then(|value| value.to_str().ok());
    if let Some(site) = text(HeaderName::from_static("sec-fetch-site")) {
        return site == "same-origin";
    }
    // Older ones name the origin alone.
    let origin = text(header::ORIGIN).and_then(|origin| origin.split_once("://")).map(|(_, host)| host);
    origin.is_some() && origin == text(header::HOST)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn wrong_tokens_wait_for_each_other() {
        let access = Access::new(&Config::default()).unwrap();
        let (now, client) = (Instant::now(), Client::at([10, 0, 0, 1].into()));
        let waits: Vec<u128> = (0..30).map(|_| access.penalty(client, now).as_millis()).collect();
        assert_eq!((waits[0], waits[1], waits[29]), (250, 500, 5_000));
        let other = Client::at([10, 0, 0, 2].into());
        assert_eq!(access.penalty(other, now).as_millis(), 250, "others do not wait");
        assert_eq!(access.penalty(client, now + Duration::from_secs(60)).as_millis(), 250, "it is forgotten");
    }

    #[test]
    fn nothing_is_signed_that_others_can_write() {
        let path = || Some(PathBuf::from("key"));
        let shared = Config { shared_cache: Some("redis://localhost/".to_owned()), ..Config::default() };
        assert!(shared.check().is_ok());
        let signing = Config { signing_key_file: path(), ..shared.clone() };
        assert!(signing.check().unwrap_err().contains("--shared-key-file"));
        assert!(Config { shared_key_file: path(), ..signing.clone() }.check().is_ok());
        assert!(Config { shared_cache: None, ..signing }.check().is_ok());
    }

    #[test]
    fn others_need_a_token_or_leave() {
        let open = Config::new("0.0.0.0:1".parse().unwrap());
        assert!(open.check().is_err());
        assert!(Config { allow_anonymous: true, ..open.clone() }.check().is_ok());
        let admin =
            Config { admin: Some("0.0.0.0:2".parse().unwrap()), allow_anonymous: true, ..open.clone() };
        assert!(admin.check().unwrap_err().contains("scope 'admin'"));
        let digest = Config { token_digests: vec![keys::sha256(b"secret")], ..admin.clone() };
        assert!(digest.check().unwrap_err().contains("0.0.0.0:2"), "those see nothing of operators");
        assert!(Config { admin: Some("127.0.0.1:2".parse().unwrap()), ..admin }.check().is_ok());
        let with = |digest: &str| Config { token_digests: vec![digest.into()], ..open.clone() }.check();
        assert!(with(&keys::sha256(b"secret")).is_ok());
        assert!(with("secret").unwrap_err().contains("not the sha256"));
    }
}
