//! `/login`: the page on which a browser enters a token. The token becomes a cookie that scripts cannot read and that
//! other origins do not send.

use actix_web::{
    HttpRequest, HttpResponse,
    dev::{ServiceRequest, ServiceResponse},
    http::{Method, StatusCode, header},
    web::{Data, Payload},
};
use url::form_urlencoded;

use crate::{
    http::{
        access::COOKIE,
        body,
        reply::{self, Form},
        state::State,
    },
    pipeline::error::{ApiError, Kind},
};

const PAGE: &str = include_str!("../../../../templates/login.html");

/// The page's content security policy: it may send its own form here, and use the common style.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; \
    frame-ancestors 'none'";

/// Lifetime of the cookie.
const SECONDS: u32 = 30 * 24 * 3600;

/// Answers a refused request with the problem; a browser that wants a page is sent to the login page.
pub fn refuse(request: ServiceRequest, refusal: ApiError) -> ServiceResponse {
    let is_page = matches!(*request.method(), Method::GET | Method::HEAD)
        && matches!(reply::form(request.request(), &[Form::Json, Form::Html]), Ok(Form::Html));
    if refusal.kind != Kind::UNAUTHORIZED || !is_page || request.headers().contains_key(header::AUTHORIZATION)
    {
        return request.error_response(refusal);
    }
    let here = request.uri().path_and_query().map_or("/", |path| path.as_str());
    let next: String = form_urlencoded::byte_serialize(here.as_bytes()).collect();
    let answer = HttpResponse::SeeOther()
        .insert_header((header::LOCATION, format!("/login?next={next}")))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .finish();
    request.into_response(answer)
}

/// Serves the login page.
pub async fn page(request: HttpRequest) -> HttpResponse {
    show(StatusCode::OK, &next(request.query_string()), "")
}

/// Handles the form: redirects back with the cookie, or shows the page again after a delay.
///
/// # Errors
/// The body is refused.
pub async fn enter(
    state: Data<State>,
    request: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, ApiError> {
    let body = body::read(&state, &request, payload).await?;
    let field = |wanted: &str| {
        let mut fields = form_urlencoded::parse(&body.bytes);
        fields.find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned()).unwrap_or_default()
    };
    let (token, next) = (field("token").trim().to_owned(), local(&field("next")));
    // The value goes into a header, so it may hold only the characters of tokens.
    let is_plain =
        token.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b';' | b',' | b'"' | b'\\'));
    if !is_plain || state.access.known(&request, &token).is_err() {
        // The answer is delayed like that to any other wrong token.
        return Ok(show(StatusCode::UNAUTHORIZED, &next, "This token is not known here."));
    }
    let secure = if is_local(&request) { "" } else { "; Secure" };
    let cookie = format!("{COOKIE}={token}; Path=/; Max-Age={SECONDS}; HttpOnly; SameSite=Strict{secure}");
    Ok(HttpResponse::SeeOther()
        .insert_header((header::SET_COOKIE, cookie))
        .insert_header((header::LOCATION, next))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .finish())
}

fn show(status: StatusCode, next: &str, message: &str) -> HttpResponse {
    let page = PAGE.replace("{{next}}", &super::docs::escaped(next)).replace("{{message}}", message);
    HttpResponse::build(status)
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::CONTENT_SECURITY_POLICY, POLICY))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .content_type("text/html; charset=utf-8")
        .body(page)
}

/// Returns the address that a query names as the next one.
fn next(query: &str) -> String {
    let next = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "next");
    next.map_or_else(|| "/".to_owned(), |(_, next)| local(&next))
}

/// Returns an address if it is on this server, else the start page.
fn local(address: &str) -> String {
    let is_local = address.starts_with('/')
        && !address.starts_with("//")
        && address.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    if is_local { address.to_owned() } else { "/".to_owned() }
}

/// Returns true if the browser is on the same machine as the server, where TLS is not needed.
fn is_local(request: &HttpRequest) -> bool {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let name =
        host.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok()).map_or(host, |(name, _)| name);
    matches!(name, "localhost" | "127.0.0.1" | "[::1]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_this_server_follow() {
        assert_eq!(local("/v1/sites/k/?q=1"), "/v1/sites/k/?q=1");
        for elsewhere in
            ["", "//evil.example", "https://evil.example", "/\\evil.example", "javascript:x", "/a\r\nb"]
        {
            assert_eq!(local(elsewhere), "/", "{elsewhere}");
        }
        assert_eq!(next("a=b&next=%2Fdocs"), "/docs");
        assert_eq!(next(""), "/");
    }
}
