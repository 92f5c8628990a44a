//! The HTTP application: its routes, and the layer that every answer passes.

use std::{
    io,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use actix_web::{
    App, Error, HttpServer,
    body::BoxBody,
    dev::{Server, Service, ServiceFactory, ServiceRequest, ServiceResponse},
    http::header::{self, HeaderName, HeaderValue},
    web::{Data, PayloadConfig},
};

use crate::{config::Config, error::ApiError, routes, state::State};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The application.
pub fn app(
    state: Data<State>,
) -> App<
    impl ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse<BoxBody>,
        Error = Error,
        InitError = (),
    >,
> {
    App::new().app_data(state).app_data(PayloadConfig::new(0)).configure(routes::configure).wrap_fn(
        |request, service| {
            let id = request_id(&request);
            let answer = service.call(request);
            async move { Ok(finish(answer.await?, id)) }
        },
    )
}

/// Names the request, and writes problems as documents with that name.
fn finish(answer: ServiceResponse<BoxBody>, id: HeaderValue) -> ServiceResponse<BoxBody> {
    let problem = answer.response().error().and_then(|error| error.as_error::<ApiError>()).cloned();
    let mut answer = match problem {
        Some(problem) => {
            let response = problem.response(id.to_str().unwrap_or_default());
            answer.into_response(response)
        }
        None => answer,
    };
    let headers = answer.headers_mut();
    headers.insert(REQUEST_ID, id);
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    answer
}

/// The name that the client gave, if it is a plain one; else a new one.
fn request_id(request: &ServiceRequest) -> HeaderValue {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    if let Some(given) = request.headers().get(&REQUEST_ID) {
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        if (1..=64).contains(&given.len()) && given.as_bytes().iter().all(is_plain) {
            return given.clone();
        }
    }
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_micros();
    HeaderValue::from_str(&format!("{since:x}-{number:x}")).unwrap_or(HeaderValue::from_static("-"))
}

/// A server that listens; it ends on SIGTERM and SIGINT when what runs has finished.
///
/// # Errors
/// The address can not be listened on.
pub fn server(config: &Config, state: Data<State>) -> io::Result<(Server, Vec<std::net::SocketAddr>)> {
    let server = HttpServer::new(move || app(state.clone()))
        .client_request_timeout(Duration::from_secs(5))
        .keep_alive(Duration::from_secs(15))
        .shutdown_timeout(30)
        .bind(config.bind)?;
    let addresses = server.addrs();
    Ok((server.run(), addresses))
}
