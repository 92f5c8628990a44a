//! The HTTP application: its routes, and the layer that every answer passes.

use std::{
    io,
    net::SocketAddr,
    sync::{
        LazyLock,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use actix_http::{HttpService, Protocol, error::DispatchError};
use actix_service::{ServiceFactoryExt, map_config};
use actix_web::{
    App, Error, HttpMessage, HttpServer,
    body::{BodySize, BoxBody, MessageBody},
    dev::{
        AppConfig, Extensions, Server, Service, ServiceFactory, ServiceRequest, ServiceResponse, fn_service,
    },
    http::{
        Method, StatusCode,
        header::{self, HeaderMap, HeaderName, HeaderValue},
    },
    rt::{net::TcpStream, time::sleep},
    web::{Bytes, Data, PayloadConfig},
};
use futures_util::future::ready;
use odsmith_engine::parallel;

use crate::{
    config::Config,
    http::{
        access::{Penalty, token_name},
        connections::Connections,
        framing::{self, PendingRequests},
        listening::Listening,
        problem::PROBLEM,
        refusals::Connection,
        reply,
        routes::{self, RouteMatch},
        state::State,
    },
    jobs::work::RequestWork,
    observe::observers::Answered,
    pipeline::error::ApiError,
};

/// How long a connection may take to end after its last answer.
const DISCONNECT: Duration = Duration::from_secs(1);

/// Threads for store reads and writes, for each HTTP worker: each holds on to the memory that it once used.
const DISK_THREADS: usize = 4;

/// The content security policy of a page that has none of its own: it may hold texts of a client's definitions.
const PAGE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Builds the application.
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
    App::new().app_data(state.clone()).app_data(PayloadConfig::new(0)).configure(routes::configure).wrap_fn(
        move |request, service| {
            if let Some(asked) = request.conn_data::<PendingRequests>() {
                asked.note(framing::Request::of(request.method()));
            }
            let id = request_id(&request);
            let start = Instant::now();
            let (state, method) = (state.clone(), request.method().clone());
            let answer = service.call(request);
            async move {
                let answer = answer.await?;
                let penalty = answer.request().extensions().get::<Penalty>().copied();
                if let Some(Penalty(time)) = penalty {
                    sleep(time).await;
                }
                let answer = finish(answer, id, &state);
                note(&state, &answer, &method, start.elapsed());
                Ok(answer)
            }
        },
    )
}

/// Returns the operators' server (liveness, readiness, metrics), with its socket and address.
///
/// # Errors
/// The address cannot be listened on.
pub fn admin_server(address: SocketAddr, state: Data<State>) -> io::Result<(Server, Listening, SocketAddr)> {
    let app = move || App::new().app_data(state.clone()).configure(routes::configure_admin);
    let (listener, listening) = Listening::at(address)?;
    let address = listener.local_addr()?;
    let server = HttpServer::new(app).workers(1).disable_signals().listen(listener)?;
    Ok((server.run(), listening, address))
}

/// Lets the client send the body that it has announced (`Expect: 100-continue`), unless that is too large.
fn expected(
    request: actix_http::Request,
    most_bytes: u64,
) -> Result<actix_http::Request, actix_http::Response<BoxBody>> {
    let said =
        request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    match said {
        Some(said) if said > most_bytes => {
            if let Some(asked) = request.conn_data::<PendingRequests>() {
                asked.refuse(said);
            }
            Err(actix_http::Response::new(StatusCode::PAYLOAD_TOO_LARGE))
        }
        _ => Ok(request),
    }
}

fn text_of<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Reports an answer to the observers.
fn note(state: &State, answer: &ServiceResponse<BoxBody>, method: &Method, time: Duration) {
    let request = answer.request();
    let status = answer.status().as_u16();
    state.observers.answered(method, routes::family(request), status, time, || {
        let work = RequestWork::of(request);
        Answered {
            request_id: text_of(answer.headers(), "x-request-id").unwrap_or_default(),
            path: request.path(),
            bytes: match answer.response().body().size() {
                BodySize::Sized(bytes) => bytes,
                BodySize::None | BodySize::Stream => 0,
            },
            client: state.access.address(request),
            token: token_name(request).unwrap_or_default(),
            result: work.key,
            cache: text_of(answer.headers(), "cache-status").unwrap_or_default(),
            processor: work.processor,
            trace: text_of(request.headers(), "traceparent"),
        }
    });
}

/// Adds the request's id to an answer, and writes problems as documents with that id.
fn finish(answer: ServiceResponse<BoxBody>, id: HeaderValue, state: &State) -> ServiceResponse<BoxBody> {
    let standing = answer.request().extensions().get::<RouteMatch>().and_then(|matched| matched.standing);
    let error = answer.response().error();
    let problem = error.and_then(|error| error.as_error::<ApiError>()).cloned();
    // An error of the framework, or of a handler without a document.
    let problem = problem.or_else(|| {
        let status = answer.status();
        let is_ours = answer.response().headers().get(header::CONTENT_TYPE).is_some_and(|it| it == PROBLEM);
        let is_error = status.is_client_error() || status.is_server_error();
        let detail = || error.map_or_else(|| status.to_string(), ToString::to_string);
        (is_error && !is_ours).then(|| ApiError::of_status(status, detail()))
    });
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
    if let (Some(quota), Some(standing)) = (&state.access.quota, standing) {
        let value = |text: String| HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static(""));
        headers.insert(RATE_LIMIT_POLICY, value(quota.policy()));
        headers.insert(RATE_LIMIT, value(standing.header()));
    }
    if state.access.asks_for_tokens() {
        reply::make_private(headers);
    }
    if state.is_draining() {
        // The client connects again, to another server.
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    let is_page = headers.get(header::CONTENT_TYPE).is_some_and(|it| it.as_bytes().starts_with(b"text/html"));
    if is_page && !headers.contains_key(header::CONTENT_SECURITY_POLICY) {
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(PAGE_POLICY));
    }
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    answer
}

/// Returns the id that the client chose, if it is a plain one; else a new one.
fn request_id(request: &ServiceRequest) -> HeaderValue {
    if let Some(given) = request.headers().get(&REQUEST_ID) {
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        if (1..=64).contains(&given.len()) && given.as_bytes().iter().all(is_plain) {
            return given.clone();
        }
    }
    new_request_id()
}

/// Creates a request id: the server's start and a number.
#[must_use]
pub fn new_request_id() -> HeaderValue {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    static START: LazyLock<String> = LazyLock::new(|| {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        format!("{:x}-", since.as_micros())
    });
    let mut number = NEXT.fetch_add(1, Ordering::Relaxed);
    // Computed without a loop: the compiler's code for the loop differs from build to build.
    let zeros = (number.leading_zeros() as usize / 4).min(15);
    let mut digits = [b'0'; 16];
    for digit in digits.iter_mut().rev() {
        *digit = b"0123456789abcdef"[(number & 15) as usize];
        number >>= 4;
    }
    let mut id = Vec::with_capacity(START.len() + digits.len());
    id.extend_from_slice(START.as_bytes());
    id.extend_from_slice(&digits[zeros..]);
    HeaderValue::from_maybe_shared(Bytes::from(id)).unwrap_or(HeaderValue::from_static("-"))
}

/// Returns a server that listens until it is [ended](crate::http::signals::end_on_signals), with its socket and
/// address.
///
/// # Errors
/// The address cannot be listened on.
pub fn server(config: &Config, state: Data<State>) -> io::Result<(Server, Listening, SocketAddr)> {
    state.observers.start();
    state.results.start();
    let limits = &config.limits;
    let workers = parallel::parallelism().get();
    let connections = Connections::new(config);
    // The time of a running job, and then of a slow client that reads its answer.
    let longest = limits.job_seconds.saturating_add(limits.write_seconds);
    let (listener, listening) = Listening::at(config.bind)?;
    let address = listener.local_addr()?;
    let builder = Server::build()
        .workers(workers)
        .max_concurrent_connections((limits.connections / workers).max(1))
        .worker_max_blocking_threads(DISK_THREADS)
        .shutdown_timeout(longest)
        .disable_signals();
    let end = builder.graceful_shutdown_signal();
    let (head, idle) = (Duration::from_secs(limits.head_seconds), Duration::from_secs(limits.idle_seconds));
    // As in `HttpServer`, except that the connections are ours: see `refusals`.
    let most_bytes = limits.archive.body_bytes;
    let serve = move || {
        let (state, connections, end) = (state.clone(), connections.clone(), end.clone());
        let http = HttpService::build()
            .graceful_shutdown_signal(move || {
                let end = end.clone();
                async move { end.notified().await }
            })
            .on_connect_ext(move |connection: &Connection, extensions: &mut Extensions| {
                extensions.insert(connection.asked());
                connections.opened(connection.stream(), extensions);
            })
            .expect(fn_service(move |request| ready(expected(request, most_bytes))))
            // A client that closes its side has gone, and its work stops.
            .h1_allow_half_closed(false)
            .client_request_timeout(head)
            .client_disconnect_timeout(DISCONNECT)
            .keep_alive(idle)
            .local_addr(address)
            .finish(map_config(app(state.clone()), |()| AppConfig::default()));
        let connect = move |stream: TcpStream| {
            let (peer, connection) = (stream.peer_addr().ok(), Connection::new(stream, state.clone(), head));
            async move { Ok::<_, DispatchError>((connection, Protocol::Http1, peer)) }
        };
        fn_service(connect).and_then(http)
    };
    Ok((builder.listen("odsmith", listener, serve)?.run(), listening, address))
}
