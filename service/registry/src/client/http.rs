//! The client over HTTP.
//!
//! A login goes to the registry's own origin only. Redirects are followed here, without it; a token server on another
//! host sees it only if that host is known for the registry. Sizes and digests of all answers are checked, as registries
//! accept manifests with wrong ones.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Mutex,
    time::Duration,
};

use reqwest::{
    Method, Response, StatusCode, Url,
    header::{
        ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LINK, LOCATION, RETRY_AFTER,
        WWW_AUTHENTICATE,
    },
};
use serde::Deserialize;

use super::{Condition, MOST_MANIFEST, RawManifest, Settings, Upload};
use crate::{
    challenge::{Challenge, realm_of},
    credentials::Login,
    digest::Digest,
    error::{Error, words},
    manifest::{Descriptor, INDEX, MANIFEST},
    reference::Reference,
};

/// Tries of a request, of which the first fails by the network or a fault of the server.
const MOST_TRIES: u32 = 4;
/// Redirects of one request.
const MOST_REDIRECTS: usize = 5;
/// The longest pause that a registry may ask for.
const MOST_PAUSE: Duration = Duration::from_secs(30);
/// Pages of a list: a list may have no end.
const MOST_PAGES: usize = 1000;
/// The longest page of a list, and the longest answer with a token, in bytes.
const MOST_LIST: u64 = 8 << 20;

/// A client of registries.
#[derive(Debug)]
pub struct Client {
    http: reqwest::Client,
    settings: Settings,
    /// The value of `Authorization` by host and scope.
    tokens: Mutex<BTreeMap<(String, String), String>>,
}

/// A request, which can be sent again.
struct Request<'a> {
    method: Method,
    url: Url,
    headers: Vec<(HeaderName, String)>,
    body: Option<&'a [u8]>,
    /// The registry and the scope that it is of.
    host: &'a str,
    scope: String,
}

impl Client {
    /// Creates a client. `builder` may have rules for addresses.
    ///
    /// # Errors
    /// The HTTP client cannot be created.
    pub fn new(settings: Settings, builder: reqwest::ClientBuilder) -> Result<Client, String> {
        let http = builder
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            .connect_timeout(Duration::from_secs(10))
            .read_timeout(Duration::from_secs(60))
            .user_agent(concat!("odsmith/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| format!("the client for registries: {error}"))?;
        Ok(Client { http, settings, tokens: Mutex::default() })
    }

    /// Returns the address of a path of a registry.
    fn url(&self, host: &str, path: &str) -> Result<Url, Error> {
        let scheme = if self.is_plain(host) { "http" } else { "https" };
        // Docker's registry has another host than its name.
        let host = if host == "docker.io" { "registry-1.docker.io" } else { host };
        Url::parse(&format!("{scheme}://{host}/v2/{path}"))
            .map_err(|_| Error::Forbidden(format!("'{}' is no host", host.escape_debug())))
    }

    /// Returns whether a host is asked over plain HTTP.
    fn is_plain(&self, host: &str) -> bool {
        if self.settings.plain_http.contains(host) {
            return true;
        }
        let name = match host.strip_prefix('[') {
            Some(rest) => rest.split(']').next().unwrap_or_default(),
            None => host.split(':').next().unwrap_or_default(),
        };
        let is_loopback = name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
        is_loopback || name == "localhost"
    }

    /// Checks that an address may be connected to.
    fn admit(&self, url: &Url) -> Result<(), Error> {
        let host = origin(url);
        let is_allowed = self.settings.only.as_ref().is_none_or(|hosts| hosts.contains(&host));
        if !is_allowed {
            return Err(Error::Forbidden(format!(
                "'{}' is not a host that is asked here",
                host.escape_debug()
            )));
        }
        match url.scheme() {
            "https" => Ok(()),
            "http" if self.is_plain(&host) => Ok(()),
            _ => Err(Error::Forbidden(format!(
                "{host} would be asked over plain HTTP: say --plain-http {host} if that is meant"
            ))),
        }
    }

    fn request<'a>(
        &self,
        method: Method,
        at: &'a Reference,
        path: &str,
        actions: &str,
    ) -> Result<Request<'a>, Error> {
        let url = self.url(&at.host, path)?;
        let scope = format!("repository:{}:{actions}", at.repository);
        Ok(Request { method, url, headers: Vec::new(), body: None, host: &at.host, scope })
    }

    /// Sends a request; a failed one is sent again, after a pause.
    async fn send(&self, request: &Request<'_>) -> Result<Response, Error> {
        let mut tries = 0;
        loop {
            tries += 1;
            let outcome = self.send_once(request).await;
            let pause = match &outcome {
                Ok(answer) if is_passing(answer.status()) => pause_of(answer.headers(), tries),
                Err(error) if error.is_passing() => pause_of(&HeaderMap::new(), tries),
                _ => return outcome,
            };
            if tries == MOST_TRIES {
                return match outcome {
                    Ok(answer) => Err(refusal(request.host, answer).await),
                    Err(error) => Err(error),
                };
            }
            tokio::time::sleep(pause).await;
        }
    }

    /// Sends a request, with a login if the registry asks for one.
    async fn send_once(&self, request: &Request<'_>) -> Result<Response, Error> {
        let key = (request.host.to_owned(), request.scope.clone());
        let known = self.tokens.lock().ok().and_then(|tokens| tokens.get(&key).cloned());
        let is_own = origin(&request.url) == origin(&self.url(request.host, "")?);
        let answer = self.send_with(request, known.as_deref().filter(|_| is_own)).await?;
        if answer.status() != StatusCode::UNAUTHORIZED || !is_own {
            return Ok(answer);
        }
        let headers: Vec<String> = answer
            .headers()
            .get_all(WWW_AUTHENTICATE)
            .iter()
            .filter_map(|value| value.to_str().ok().map(str::to_owned))
            .collect();
        let said = words(&read_limited(answer, MOST_LIST).await.unwrap_or_default());
        let challenges = headers.iter().filter_map(|header| Challenge::read(header));
        let challenge = challenges.reduce(|best, next| if best == Challenge::Basic { next } else { best });
        let ask_for_login = || {
            let host = request.host;
            let said = if said.is_empty() { String::new() } else { format!("\n{said}") };
            Error::Denied(format!("{host} asks for a login: docker login {host}{said}"))
        };
        let login = self.settings.credentials.of(request.host).map_err(Error::Denied)?;
        let authorization = match (challenge, login) {
            (None, _) | (Some(Challenge::Basic), None) => return Err(ask_for_login()),
            (Some(Challenge::Basic), Some(login)) => login.basic().ok_or_else(ask_for_login)?,
            (Some(Challenge::Bearer { realm, service, scope }), login) => {
                let scope = scope.unwrap_or_else(|| request.scope.clone());
                let token =
                    self.token(request.host, &realm, service.as_deref(), &scope, login.as_ref()).await?;
                format!("Bearer {token}")
            }
        };
        let answer = self.send_with(request, Some(&authorization)).await?;
        if answer.status() == StatusCode::UNAUTHORIZED {
            return Err(ask_for_login());
        }
        if let Ok(mut tokens) = self.tokens.lock() {
            tokens.insert(key, authorization);
        }
        Ok(answer)
    }

    /// Gets a token from the registry's token server.
    async fn token(
        &self,
        host: &str,
        realm: &str,
        service: Option<&str>,
        scope: &str,
        login: Option<&Login>,
    ) -> Result<String, Error> {
        /// The answer of a token server.
        #[derive(Deserialize)]
        struct Answer {
            token: Option<String>,
            access_token: Option<String>,
        }
        let mut url = Url::parse(realm)
            .map_err(|_| Error::Forbidden(format!("the token server of {host} has no valid address")))?;
        self.admit(&url)?;
        let realm_host = origin(&url);
        let own = self.url(host, "")?;
        let is_known = realm_host == origin(&own)
            || realm_of(host) == Some(&*realm_host)
            || self.settings.hosts.get(host).and_then(|it| it.realm.as_deref()) == Some(&*realm_host);
        if login.is_some() && !is_known {
            return Err(Error::Forbidden(format!(
                "{host} sends to the token server '{}', which is not known to belong to it: if it does, name it as realm of \
                 [registry.\"{host}\"] in the settings",
                realm_host.escape_debug()
            )));
        }
        let request = match login {
            Some(Login::Identity(token)) => {
                let fields = [
                    ("grant_type", "refresh_token"),
                    ("service", service.unwrap_or_default()),
                    ("scope", scope),
                    ("client_id", "odsmith"),
                    ("refresh_token", token),
                ];
                let mut form = url::form_urlencoded::Serializer::new(String::new());
                form.extend_pairs(fields);
                let request = self.http.post(url).header(CONTENT_TYPE, "application/x-www-form-urlencoded");
                request.body(form.finish())
            }
            Some(Login::Basic { .. }) | None => {
                url.query_pairs_mut()
                    .extend_pairs(service.map(|service| ("service", service)))
                    .append_pair("scope", scope);
                let request = self.http.get(url);
                match login.and_then(Login::basic) {
                    Some(basic) => request.header(AUTHORIZATION, basic),
                    None => request,
                }
            }
        };
        let answer = request.send().await.map_err(|error| broken(&realm_host, &error))?;
        let status = answer.status();
        let body = read_limited(answer, MOST_LIST).await?;
        if !status.is_success() {
            return Err(match status {
                StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                    Error::Denied(format!("{host} asks for a login: docker login {host}\n{}", words(&body)))
                }
                _ => Error::Unavailable(format!("the token server of {host} answers {}", status.as_u16())),
            });
        }
        let answer: Option<Answer> = serde_json::from_slice(&body).ok();
        let token = answer.and_then(|it| it.token.or(it.access_token));
        let is_plain = |token: &String| HeaderValue::from_str(token).is_ok() && !token.is_empty();
        token
            .filter(is_plain)
            .ok_or_else(|| Error::Unavailable(format!("the token server of {host} gives no token")))
    }

    /// Sends a request with a login, and follows redirects of reading ones without it.
    async fn send_with(&self, request: &Request<'_>, authorization: Option<&str>) -> Result<Response, Error> {
        let mut url = request.url.clone();
        let own = origin(&url);
        for _ in 0..=MOST_REDIRECTS {
            self.admit(&url)?;
            let mut sent = self.http.request(request.method.clone(), url.clone());
            for (name, value) in &request.headers {
                sent = sent.header(name, value);
            }
            if let Some(authorization) =
                authorization.filter(|_| origin(&url) == own && url.scheme() == request.url.scheme())
            {
                sent = sent.header(AUTHORIZATION, authorization);
            }
            if let Some(body) = request.body {
                sent = sent.body(body.to_vec());
            }
            let answer = sent.send().await.map_err(|error| broken(request.host, &error))?;
            if !answer.status().is_redirection() || answer.status() == StatusCode::NOT_MODIFIED {
                return Ok(answer);
            }
            let is_reading = matches!(request.method, Method::GET | Method::HEAD);
            let next = location(&url, answer.headers()).filter(|_| is_reading).ok_or_else(|| {
                Error::Refused(format!(
                    "{} sends a request on to another place, which is not followed",
                    request.host
                ))
            })?;
            url = next;
        }
        Err(Error::Refused(format!("{} redirects more than {MOST_REDIRECTS} times", request.host)))
    }

    /// Returns whether a repository has a blob.
    ///
    /// # Errors
    /// The registry fails or refuses.
    pub async fn has_blob(&self, at: &Reference, digest: &Digest) -> Result<bool, Error> {
        let path = format!("{}/blobs/{digest}", at.repository);
        let answer = self.send(&self.request(Method::HEAD, at, &path, "pull")?).await?;
        match answer.status() {
            StatusCode::OK => Ok(true),
            StatusCode::NOT_FOUND => Ok(false),
            _ => Err(refusal(&at.host, answer).await),
        }
    }

    /// Reads a blob, and checks its size and digest.
    ///
    /// # Errors
    /// The registry fails, refuses or sends other bytes, or the blob is larger than `limit`.
    pub async fn blob(&self, at: &Reference, blob: &Descriptor, limit: u64) -> Result<Vec<u8>, Error> {
        let name =
            blob.title().map_or_else(|| blob.digest.to_string(), |title| title.escape_debug().to_string());
        if blob.size > limit {
            return Err(Error::Limit(format!("{name} has {} bytes, and the limit is {limit}", blob.size)));
        }
        let path = format!("{}/blobs/{}", at.repository, blob.digest);
        let mut tries = 0;
        let bytes = loop {
            tries += 1;
            let answer = self.send(&self.request(Method::GET, at, &path, "pull")?).await?;
            if answer.status() != StatusCode::OK {
                return Err(refusal(&at.host, answer).await.context(&name));
            }
            match read_limited(answer, blob.size).await {
                Err(error) if error.is_passing() && tries < MOST_TRIES => {}
                Err(Error::Limit(_)) => {
                    return Err(Error::Forged(format!("{name} is longer than its {} bytes", blob.size)));
                }
                read => break read.map_err(|error| error.context(&name))?,
            }
        };
        if bytes.len() as u64 != blob.size {
            return Err(Error::Forged(format!("{name} has {} bytes, and not {}", bytes.len(), blob.size)));
        }
        match Digest::of(&bytes) {
            seen if seen == blob.digest => Ok(bytes),
            seen => Err(Error::other_digest(&name, &blob.digest, &seen)),
        }
    }

    /// Sends a blob, unless the repository has it. A failed upload starts anew.
    ///
    /// # Errors
    /// The registry fails or refuses.
    pub async fn put_blob(
        &self,
        at: &Reference,
        bytes: &[u8],
        mount_from: Option<&str>,
    ) -> Result<Upload, Error> {
        let digest = Digest::of(bytes);
        if self.has_blob(at, &digest).await? {
            return Ok(Upload::Present);
        }
        let mut tries = 0;
        loop {
            tries += 1;
            match self.upload(at, &digest, bytes, mount_from).await {
                Err(error) if error.is_passing() && tries < MOST_TRIES => {
                    tokio::time::sleep(pause_of(&HeaderMap::new(), tries)).await;
                }
                outcome => return outcome,
            }
        }
    }

    async fn upload(
        &self,
        at: &Reference,
        digest: &Digest,
        bytes: &[u8],
        mount_from: Option<&str>,
    ) -> Result<Upload, Error> {
        let mut request =
            self.request(Method::POST, at, &format!("{}/blobs/uploads/", at.repository), "pull,push")?;
        if let Some(from) = mount_from {
            request.url.query_pairs_mut().append_pair("mount", &digest.to_string()).append_pair("from", from);
            request.scope.push_str(&format!(" repository:{from}:pull"));
        }
        request.body = Some(&[]);
        let answer = self.send(&request).await?;
        match answer.status() {
            StatusCode::CREATED if mount_from.is_some() => return Ok(Upload::Mounted),
            StatusCode::ACCEPTED => {}
            _ => return Err(refusal(&at.host, answer).await),
        }
        let session = location(&request.url, answer.headers())
            .ok_or_else(|| Error::Refused(format!("{} gives no address for an upload", at.host)))?;
        let mut put = self.request(Method::PUT, at, "", "pull,push")?;
        put.url = session;
        put.url.query_pairs_mut().append_pair("digest", &digest.to_string());
        put.headers = vec![(CONTENT_TYPE, "application/octet-stream".to_owned())];
        put.body = Some(bytes);
        // The session may be gone after a failure, so a new try begins with a new one.
        let answer = self.send_once(&put).await?;
        match answer.status() {
            StatusCode::CREATED => Ok(Upload::Sent),
            status if is_passing(status) || status == StatusCode::NOT_FOUND => {
                Err(Error::Unavailable(refusal(&at.host, answer).await.to_string()))
            }
            _ => Err(refusal(&at.host, answer).await),
        }
    }

    /// Reads a manifest by its tag or digest; nothing if there is none. One that is read by its digest has it.
    ///
    /// # Errors
    /// The registry fails, refuses or sends another manifest.
    pub async fn manifest(&self, at: &Reference, key: &str) -> Result<Option<RawManifest>, Error> {
        let path = format!("{}/manifests/{key}", at.repository);
        let mut request = self.request(Method::GET, at, &path, "pull")?;
        request.headers = vec![(ACCEPT, format!("{MANIFEST}, {INDEX}"))];
        let mut tries = 0;
        let (media_type, bytes) = loop {
            tries += 1;
            let answer = self.send(&request).await?;
            match answer.status() {
                StatusCode::OK => {}
                StatusCode::NOT_FOUND => return Ok(None),
                _ => return Err(refusal(&at.host, answer).await),
            }
            let media_type = answer.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
            let media_type = media_type.unwrap_or_default().to_owned();
            match read_limited(answer, MOST_MANIFEST).await {
                Err(error) if error.is_passing() && tries < MOST_TRIES => {}
                Err(Error::Limit(_)) => {
                    return Err(Error::Limit(format!(
                        "the manifest {key} has more than {MOST_MANIFEST} bytes"
                    )));
                }
                read => break (media_type, read?),
            }
        };
        let digest = Digest::of(&bytes);
        match Digest::parse(key) {
            Ok(expected) if expected != digest => {
                Err(Error::other_digest("the manifest", &expected, &digest))
            }
            _ => Ok(Some(RawManifest { digest, bytes, media_type })),
        }
    }

    /// Writes a manifest below a tag or its digest; returns whether the registry knows its subject.
    ///
    /// # Errors
    /// The registry fails or refuses.
    pub async fn put_manifest(
        &self,
        at: &Reference,
        key: &str,
        media_type: &str,
        bytes: &[u8],
        condition: &Condition,
    ) -> Result<bool, Error> {
        let path = format!("{}/manifests/{key}", at.repository);
        let mut request = self.request(Method::PUT, at, &path, "pull,push")?;
        request.headers = vec![(CONTENT_TYPE, media_type.to_owned())];
        match condition {
            Condition::Always => {}
            Condition::Absent => request.headers.push((reqwest::header::IF_NONE_MATCH, "*".to_owned())),
            Condition::Is(digest) => {
                request.headers.push((reqwest::header::IF_MATCH, format!("\"{digest}\"")))
            }
        }
        request.body = Some(bytes);
        let answer = self.send(&request).await?;
        if answer.status() != StatusCode::CREATED && answer.status() != StatusCode::OK {
            return Err(refusal(&at.host, answer).await);
        }
        Ok(answer.headers().contains_key("oci-subject"))
    }

    /// Lists the tags of a repository, sorted; none if there is no such repository.
    ///
    /// # Errors
    /// The registry fails or refuses.
    pub async fn tags(&self, at: &Reference) -> Result<Vec<String>, Error> {
        /// A page of tags.
        #[derive(Deserialize)]
        struct Page {
            #[serde(default)]
            tags: Option<Vec<String>>,
        }
        let request =
            self.request(Method::GET, at, &format!("{}/tags/list?n=1000", at.repository), "pull")?;
        let pages: Vec<Page> = self.pages(request).await?;
        let all: BTreeSet<String> =
            pages.into_iter().flat_map(|page| page.tags.unwrap_or_default()).collect();
        Ok(all.into_iter().filter(|tag| crate::reference::is_tag(tag)).collect())
    }

    /// Lists the repositories of a registry, sorted.
    ///
    /// # Errors
    /// The registry fails or refuses: many have no such list.
    pub async fn repositories(&self, host: &str) -> Result<Vec<String>, Error> {
        /// A page of repositories.
        #[derive(Deserialize)]
        struct Page {
            #[serde(default)]
            repositories: Option<Vec<String>>,
        }
        let url = self.url(host, "_catalog?n=1000")?;
        let scope = "registry:catalog:*".to_owned();
        let request = Request { method: Method::GET, url, headers: Vec::new(), body: None, host, scope };
        let pages: Vec<Page> = self.pages(request).await?;
        let all: BTreeSet<String> =
            pages.into_iter().flat_map(|page| page.repositories.unwrap_or_default()).collect();
        Ok(all.into_iter().collect())
    }

    /// Lists the manifests whose subject this one is; nothing if the registry has no such list.
    pub(crate) async fn referrers_of(
        &self,
        at: &Reference,
        subject: &Digest,
    ) -> Result<Option<Vec<Descriptor>>, Error> {
        /// A page of referrers.
        #[derive(Deserialize)]
        struct Page {
            manifests: Vec<Descriptor>,
        }
        let request =
            self.request(Method::GET, at, &format!("{}/referrers/{subject}", at.repository), "pull")?;
        let answer = self.send(&request).await?;
        if answer.status() != StatusCode::OK {
            // Older registries do not know the address; some refuse it.
            return Ok(None);
        }
        let pages: Vec<Page> = self.pages(request).await?;
        Ok(Some(pages.into_iter().flat_map(|page| page.manifests).collect()))
    }

    /// Reads a list page by page, as `Link` says.
    async fn pages<P: for<'de> Deserialize<'de>>(&self, mut request: Request<'_>) -> Result<Vec<P>, Error> {
        let own = origin(&request.url);
        let mut pages = Vec::new();
        let mut seen = BTreeSet::new();
        loop {
            if pages.len() == MOST_PAGES || !seen.insert(request.url.to_string()) {
                return Err(Error::Limit(format!("a list of {} has no end", request.host)));
            }
            let answer = self.send(&request).await?;
            match answer.status() {
                StatusCode::OK => {}
                StatusCode::NOT_FOUND => return Ok(pages),
                _ => return Err(refusal(request.host, answer).await),
            }
            let next = next_page(&request.url, answer.headers());
            let body = read_limited(answer, MOST_LIST).await?;
            let wrong =
                |error: serde_json::Error| Error::Refused(format!("{} sends no list: {error}", request.host));
            pages.push(serde_json::from_slice(&body).map_err(wrong)?);
            match next {
                Some(next) if origin(&next) == own => request.url = next,
                Some(_) => {
                    return Err(Error::Forbidden(format!(
                        "a list of {} goes on at another host",
                        request.host
                    )));
                }
                None => return Ok(pages),
            }
        }
    }

    /// Returns the place that has the blobs and manifests of a repository as well, if one is set.
    #[must_use]
    pub fn mirror(&self, at: &Reference) -> Option<Reference> {
        let mirror = self.settings.hosts.get(&at.host)?.mirror.as_ref()?;
        Reference::parse(&format!("oci://{}/{}", mirror.trim_end_matches('/'), at.repository)).ok()
    }
}

/// Returns the host of an address, with a port that is not the usual one.
fn origin(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

fn location(url: &Url, headers: &HeaderMap) -> Option<Url> {
    url.join(headers.get(LOCATION)?.to_str().ok()?).ok()
}

/// Returns the address of the next page: `Link: </v2/_catalog?last=x>; rel="next"`.
fn next_page(url: &Url, headers: &HeaderMap) -> Option<Url> {
    headers.get_all(LINK).iter().filter_map(|value| value.to_str().ok()).find_map(|link| {
        let (target, parameters) = link.trim().strip_prefix('<')?.split_once('>')?;
        let is_next =
            parameters.replace('"', "").split(';').any(|it| it.trim().eq_ignore_ascii_case("rel=next"));
        if is_next { url.join(target).ok() } else { None }
    })
}

fn is_passing(status: StatusCode) -> bool {
    status.is_server_error() || matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT)
}

/// Returns the pause before the next try: the one that the registry asks for, else a growing one.
fn pause_of(headers: &HeaderMap, tries: u32) -> Duration {
    let asked = headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.trim().parse().ok());
    match asked {
        Some(seconds) => Duration::from_secs(seconds).min(MOST_PAUSE),
        None => Duration::from_millis(100 << tries.min(6)),
    }
}

/// Reads a body of at most `limit` bytes.
async fn read_limited(mut answer: Response, limit: u64) -> Result<Vec<u8>, Error> {
    let host = origin(answer.url());
    let mut bytes = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(|error| broken(&host, &error))? {
        if (bytes.len() + chunk.len()) as u64 > limit {
            return Err(Error::Limit(format!("{host} sends more than {limit} bytes")));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// Describes a failure of the network.
fn broken(host: &str, error: &reqwest::Error) -> Error {
    let mut cause: &dyn std::error::Error = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    Error::Unavailable(match error {
        error if error.is_timeout() => format!("{host} took too long"),
        error if error.is_connect() => format!("{host} cannot be reached: {cause}"),
        _ => format!("{host} broke off: {cause}"),
    })
}

/// Returns the error of an answer.
async fn refusal(host: &str, answer: Response) -> Error {
    let status = answer.status();
    let said = words(&read_limited(answer, MOST_LIST).await.unwrap_or_default());
    let said = if said.is_empty() { String::new() } else { format!(": {said}") };
    match status {
        StatusCode::UNAUTHORIZED => {
            Error::Denied(format!("{host} asks for a login: docker login {host}{said}"))
        }
        StatusCode::FORBIDDEN => Error::Denied(format!("{host} denies it{said}")),
        StatusCode::NOT_FOUND => Error::NotFound(format!("{host} does not have it{said}")),
        StatusCode::METHOD_NOT_ALLOWED => Error::Refused(format!("{host}: the registry is read-only{said}")),
        status if is_passing(status) => {
            Error::Unavailable(format!("{host} answers {}{said}", status.as_u16()))
        }
        status => {
            let hint = match said.to_ascii_lowercase() {
                text if text.contains("media type") => {
                    "\nhelp: this registry takes only media types that it knows: say --known-types"
                }
                _ => "",
            };
            Error::Refused(format!("{host} answers {}{said}{hint}", status.as_u16()))
        }
    }
}
