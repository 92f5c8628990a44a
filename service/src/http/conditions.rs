//! Conditional requests (RFC 9110, section 13): a condition that does not hold is 304 for GET and HEAD if the client has
//! the bytes already, and 412 otherwise.

use actix_web::{
    HttpRequest,
    http::{
        Method,
        header::{self, HeaderName},
    },
};

use crate::pipeline::error::{ApiError, Kind};

/// The state of a condition of a GET or HEAD.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// It holds, or there is none.
    Holds,
    /// The client has the bytes.
    Unchanged,
    /// The client wants other bytes.
    Fails,
}

/// Compares the conditions of a request with the entity tag of its answer.
#[must_use]
pub fn of(request: &HttpRequest, tag: &str) -> Condition {
    let is_safe = matches!(*request.method(), Method::GET | Method::HEAD);
    if names(request, header::IF_MATCH, |given| given == "*" || given == tag) == Some(false) {
        return Condition::Fails;
    }
    match names(request, header::IF_NONE_MATCH, |given| given == "*" || weakly(given) == tag) {
        Some(true) if is_safe => Condition::Unchanged,
        Some(true) => Condition::Fails,
        _ => Condition::Holds,
    }
}

/// Checks the conditions of a request that would change something; `tag` is the entity tag of what is there.
///
/// # Errors
/// A condition does not hold.
pub fn check_change(request: &HttpRequest, tag: Option<&str>) -> Result<(), ApiError> {
    let is_it = |given: &str| tag.is_some_and(|tag| given == "*" || given == tag);
    let is_other = names(request, header::IF_MATCH, is_it) == Some(false);
    let is_there = names(request, header::IF_NONE_MATCH, |given| is_it(weakly(given))) == Some(true);
    if is_other || is_there { Err(failed()) } else { Ok(()) }
}

/// Checks the conditions of a POST before any work: there is always something at an address that takes a POST.
///
/// # Errors
/// The client wants that there is nothing.
pub fn check_post(request: &HttpRequest) -> Result<(), ApiError> {
    let wants_nothing = names(request, header::IF_NONE_MATCH, |given| given == "*") == Some(true);
    if *request.method() == Method::POST && wants_nothing { Err(failed()) } else { Ok(()) }
}

/// Returns the error for a condition that does not hold.
#[must_use]
pub fn failed() -> ApiError {
    ApiError::new(Kind::PRECONDITION_FAILED, "If-Match or If-None-Match says so")
}

/// Returns true if one of the entity tags of a header fits; `None` without such a header.
fn names(request: &HttpRequest, name: HeaderName, fits: impl Fn(&str) -> bool) -> Option<bool> {
    let mut given = request.headers().get_all(name).peekable();
    given.peek()?;
    let mut tags = given.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    Some(tags.any(|tag| fits(tag.trim())))
}

fn weakly(tag: &str) -> &str {
    tag.strip_prefix("W/").unwrap_or(tag)
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn conditions() {
        let with = |method: Method, name: HeaderName, value: &str| {
            let request = TestRequest::default().method(method).insert_header((name, value));
            of(&request.to_http_request(), "\"a\"")
        };
        for (name, value, of_get, of_post) in [
            (header::IF_MATCH, "\"a\"", Condition::Holds, Condition::Holds),
            (header::IF_MATCH, "*", Condition::Holds, Condition::Holds),
            (header::IF_MATCH, "\"b\", \"a\"", Condition::Holds, Condition::Holds),
            (header::IF_MATCH, "W/\"a\"", Condition::Fails, Condition::Fails),
            (header::IF_MATCH, "\"b\"", Condition::Fails, Condition::Fails),
            (header::IF_NONE_MATCH, "\"b\"", Condition::Holds, Condition::Holds),
            (header::IF_NONE_MATCH, "W/\"a\"", Condition::Unchanged, Condition::Fails),
            (header::IF_NONE_MATCH, "*", Condition::Unchanged, Condition::Fails),
        ] {
            assert_eq!(with(Method::GET, name.clone(), value), of_get, "{name}: {value}");
            assert_eq!(with(Method::POST, name.clone(), value), of_post, "{name}: {value}");
        }
    }
}
