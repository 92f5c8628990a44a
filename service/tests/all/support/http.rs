//! The application called without a socket, and with one where time and connections matter.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::{
    collections::BTreeMap,
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    sync::mpsc,
    thread,
    time::Duration,
};

use actix_web::{
    dev::{Service, ServiceResponse},
    http::{StatusCode, header},
    rt, test,
    web::Data,
};
use odsmith_engine::{library::Library, release::Release};
use odsmith_service::{
    config::Config,
    http::{app, state::State},
};
use serde_json::Value;

pub fn config() -> Config {
    Config::new("127.0.0.1:0".parse().unwrap())
}

pub fn state(config: &Config) -> Data<State> {
    let library = Library::new(Release::default(), "none".into(), BTreeMap::new());
    Data::new(State::new(config, library).unwrap())
}

#[allow(unused_macros, reason = "each test uses a part of it")]
macro_rules! application {
    () => {
        application!($crate::support::http::config())
    };
    ($config:expr) => {
        actix_web::test::init_service(odsmith_service::http::app::app($crate::support::http::state(&$config)))
            .await
    };
}

#[allow(unused_imports, reason = "each test uses a part of it")]
pub(crate) use application;

/// An answer with its body read and its headers as text.
pub struct Answer {
    pub status: StatusCode,
    pub headers: header::HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    pub async fn of(response: ServiceResponse) -> Answer {
        let (status, headers) = (response.status(), response.headers().clone());
        Answer { status, headers, body: test::read_body(response).await.to_vec() }
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    #[track_caller]
    pub fn is_problem(&self, status: u16, code: &str) -> Value {
        let document = self.json();
        assert_eq!((self.status.as_u16(), document["code"].as_str()), (status, Some(code)), "{document}");
        assert_eq!(self.header("content-type"), "application/problem+json");
        assert_eq!(self.header("cache-control"), "no-store");
        assert_eq!(document["status"], status);
        assert_eq!(document["request_id"], self.header("x-request-id"));
        document
    }
}

pub async fn post(
    app: &impl Service<actix_http::Request, Response = ServiceResponse, Error = actix_web::Error>,
    uri: &str,
    accept: &str,
    body: Vec<u8>,
) -> Answer {
    let request = test::TestRequest::post()
        .uri(uri)
        .insert_header((header::ACCEPT, accept))
        .insert_header((header::CONTENT_LENGTH, body.len()))
        .set_payload(body);
    Answer::of(test::call_service(app, request.to_request()).await).await
}

pub async fn get(
    app: &impl Service<actix_http::Request, Response = ServiceResponse, Error = actix_web::Error>,
    uri: &str,
    headers: &[(&str, &str)],
) -> Answer {
    let request = headers
        .iter()
        .fold(test::TestRequest::get().uri(uri), |request, header| request.insert_header(*header));
    Answer::of(test::call_service(app, request.to_request()).await).await
}

/// Sends a body of some media type.
pub async fn send(
    app: &impl Service<actix_http::Request, Response = ServiceResponse, Error = actix_web::Error>,
    request: test::TestRequest,
    media_type: &str,
    body: impl Into<actix_web::web::Bytes>,
) -> Answer {
    let body = body.into();
    let request = request
        .insert_header((header::CONTENT_TYPE, media_type))
        .insert_header((header::CONTENT_LENGTH, body.len()))
        .set_payload(body);
    Answer::of(test::call_service(app, request.to_request()).await).await
}

/// Starts a server on a free port, which runs until the tests end.
pub fn serve(config: Config) -> SocketAddr {
    let (addresses, address) = mpsc::channel();
    thread::spawn(move || {
        rt::System::new().block_on(async move {
            let (server, _, bound) = app::server(&config, state(&config)).unwrap();
            addresses.send(bound).unwrap();
            server.await.unwrap();
        });
    });
    address.recv().unwrap()
}

pub fn talk(address: SocketAddr, text: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream.write_all(text.as_bytes()).unwrap();
    let mut answer = Vec::new();
    // The server may close before it has read everything.
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}
