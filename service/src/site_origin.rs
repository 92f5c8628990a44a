//! An origin of its own for the reference sites, so that nothing of a user's site is at home where the service is.

use actix_web::{dev::ServiceRequest, http::header};
use url::Url;

/// The origin that sites are shown at, and nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteOrigin {
    /// Scheme, host and port.
    origin: String,
    /// What `Host` says there.
    host: String,
}

/// Below which sites are.
const SITES: &str = "/v1/sites/";

impl SiteOrigin {
    /// The origin of an address: `https://sites.example`.
    ///
    /// # Errors
    /// It is not the address of an origin.
    pub fn new(address: &str) -> Result<SiteOrigin, String> {
        let wrong = || format!("site_origin: '{address}' is not an origin, as https://sites.example is");
        let url = Url::parse(address).map_err(|_| wrong())?;
        let is_bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
        let is_known = matches!(url.scheme(), "http" | "https") && url.username().is_empty();
        let host =
            url.host_str().filter(|_| is_bare && is_known && url.password().is_none()).ok_or_else(wrong)?;
        let host = url.port().map_or(host.to_owned(), |port| format!("{host}:{port}"));
        Ok(SiteOrigin { origin: format!("{}://{host}", url.scheme()), host })
    }

    /// Where a request belongs if it came to the wrong origin: a site's page to that of sites; nowhere, if anything
    /// else came there.
    #[must_use]
    pub fn elsewhere(&self, request: &ServiceRequest) -> Option<Elsewhere> {
        let host =
            request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        let is_here = host.eq_ignore_ascii_case(&self.host);
        match (is_here, request.path().starts_with(SITES)) {
            (true, true) | (false, false) => None,
            // Cookies are those of one origin, so that each has a page to get in.
            (true, false) if matches!(request.path(), "/login" | "/start.css") => None,
            (true, false) => Some(Elsewhere::Nowhere),
            (false, true) => {
                let path = request.uri().path_and_query().map_or(SITES, |path| path.as_str());
                Some(Elsewhere::At(format!("{}{path}", self.origin)))
            }
        }
    }
}

/// Where a request belongs that came to the wrong origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Elsewhere {
    /// At this address.
    At(String),
    /// Nowhere.
    Nowhere,
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn origins() {
        for wrong in
            ["", "sites.example", "ftp://a", "https://a/b", "https://a?b", "https://u@a", "https://:p@a"]
        {
            assert!(SiteOrigin::new(wrong).is_err(), "{wrong}");
        }
        let origin = SiteOrigin::new("https://Sites.example:8443/").unwrap();
        assert_eq!(origin.origin, "https://sites.example:8443");
        let of = |host: &str, path: &str| {
            let request = TestRequest::default().insert_header((header::HOST, host)).uri(path);
            origin.elsewhere(&request.to_srv_request())
        };
        assert_eq!(of("sites.example:8443", "/v1/sites/k/index.html"), None);
        assert_eq!(of("sites.example:8443", "/v1/results/k"), Some(Elsewhere::Nowhere));
        assert_eq!(of("sites.example:8443", "/login"), None);
        assert_eq!(of("sites.example:8443", "/"), Some(Elsewhere::Nowhere));
        assert_eq!(of("odsmith.example", "/v1/results/k"), None);
        let at = "https://sites.example:8443/v1/sites/k/?q=1".to_owned();
        assert_eq!(of("odsmith.example", "/v1/sites/k/?q=1"), Some(Elsewhere::At(at)));
    }
}
