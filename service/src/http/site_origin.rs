//! A separate origin for the reference sites, so that no page of a user's site shares the service's origin.

use actix_web::{dev::ServiceRequest, http::header};
use url::Url;

use crate::http::routes::Home;

/// The origin that serves sites, and nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteOrigin {
    /// Scheme, host and port.
    origin: String,
    /// The value of `Host` at this origin.
    host: String,
}

impl SiteOrigin {
    /// Parses the origin of an address: `https://sites.example`.
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

    /// Returns the proper place of a request that came to the wrong origin: a site's page belongs to the origin of
    /// sites; any other request to that origin has no place. `home` is the origin of the endpoint that it was routed
    /// to.
    #[must_use]
    pub fn elsewhere(&self, request: &ServiceRequest, home: Home) -> Option<Elsewhere> {
        let host =
            request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        let is_here = host.eq_ignore_ascii_case(&self.host);
        match (is_here, home) {
            (_, Home::Both) | (true, Home::Sites) | (false, Home::Service) => None,
            (true, Home::Service) => Some(Elsewhere::Nowhere),
            (false, Home::Sites) => {
                let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
                Some(Elsewhere::At(format!("{}{path}", self.origin)))
            }
        }
    }
}

/// The proper place of a request that came to the wrong origin.
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
        let of = |host: &str, home: Home| {
            let request = TestRequest::default().insert_header((header::HOST, host)).uri("/v1/sites/k/?q=1");
            origin.elsewhere(&request.to_srv_request(), home)
        };
        assert_eq!(of("Sites.example:8443", Home::Sites), None);
        assert_eq!(of("sites.example:8443", Home::Service), Some(Elsewhere::Nowhere));
        assert_eq!(of("sites.example:8443", Home::Both), None);
        assert_eq!(of("odsmith.example", Home::Service), None);
        assert_eq!(of("odsmith.example", Home::Both), None);
        let at = "https://sites.example:8443/v1/sites/k/?q=1".to_owned();
        assert_eq!(of("odsmith.example", Home::Sites), Some(Elsewhere::At(at)));
    }
}
