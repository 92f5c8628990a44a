//! The configuration of nginx: requests that may be sent again and those that may not, and answers of its own.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
};

use odsmith_tests::{http::Answer, port};

use super::group::Proxy;

/// A server that dies in the middle of each request, unless it is well.
#[derive(Clone)]
struct Upstream {
    address: String,
    requests: Arc<AtomicUsize>,
    is_well: Arc<AtomicBool>,
}

impl Upstream {
    fn start() -> Upstream {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let upstream = Upstream {
            address: listener.local_addr().expect("its address").to_string(),
            requests: Arc::default(),
            is_well: Arc::default(),
        };
        let server = upstream.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let server = server.clone();
                thread::spawn(move || server.answer(stream));
            }
        });
        upstream
    }

    fn answer(&self, mut stream: TcpStream) {
        let mut reader = BufReader::new(stream.try_clone().expect("the same stream"));
        let (mut line, mut length) = (String::new(), 0);
        while reader.read_line(&mut line).is_ok_and(|read| read > 2) {
            if let Some((_, value)) = line.to_ascii_lowercase().split_once("content-length:") {
                length = value.trim().parse().expect("a length");
            }
            line.clear();
        }
        let mut body = vec![0; length];
        let _ = reader.read_exact(&mut body);
        self.requests.fetch_add(1, Ordering::SeqCst);
        if self.is_well.load(Ordering::SeqCst) {
            let _ =
                stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nwell");
        }
    }

    fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

#[track_caller]
fn is_problem(answer: &Answer, status: u16, code: &str, id: Option<&str>) {
    assert_eq!((answer.status, answer.header("content-type")), (status, Some("application/problem+json")));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let problem = answer.json();
    assert_eq!((problem["status"].as_u64(), problem["code"].as_str()), (Some(status.into()), Some(code)));
    assert_eq!(problem["request_id"].as_str(), answer.header("x-request-id"));
    assert!(id.is_none_or(|id| answer.header("x-request-id") == Some(id)), "{problem}");
}

/// What makes a server die must not make the next one die too.
#[test]
fn a_post_is_not_sent_again_when_its_server_dies() {
    let upstreams = [Upstream::start(), Upstream::start()];
    let addresses = upstreams.each_ref().map(|upstream| upstream.address.clone());
    let Some(proxy) = Proxy::start("dies", &addresses) else { return };
    let requests = || upstreams.iter().map(Upstream::requests).sum::<usize>();
    let id = [("X-Request-Id", "my-id")];
    for count in 1..6 {
        is_problem(&proxy.ask("POST", "/v1/generate", &id, b"def A;"), 502, "server-gone", Some("my-id"));
        assert_eq!(requests(), count);
    }
    let before = requests();
    let answer = proxy.ask("GET", "/v1/version", &id, b"");
    is_problem(&answer, 502, "server-gone", Some("my-id"));
    assert_eq!((requests() - before, answer.header("retry-after")), (2, Some("2")));
    // A server that is back has requests at once, however often it has failed.
    upstreams[1].is_well.store(true, Ordering::SeqCst);
    for _ in 0..6 {
        assert_eq!(proxy.ask("GET", "/v1/version", &[], b"").status, 200);
    }
}

/// A server that restarts refuses connections: then the next one has the request, a POST too.
#[test]
fn a_server_that_is_away_loses_nothing() {
    let well = Upstream::start();
    well.is_well.store(true, Ordering::SeqCst);
    let away = format!("127.0.0.1:{}", port::free());
    let Some(proxy) = Proxy::start("away", &[away, well.address.clone()]) else { return };
    for count in 1..20 {
        assert_eq!(proxy.ask("POST", "/v1/generate", &[], b"def A;").status, 200);
        assert_eq!(well.requests(), count);
    }
    let id = [("X-Request-Id", "my-id")];
    is_problem(&proxy.ask("POST", "/v1/generate", &id, &vec![0; 18 << 20]), 413, "too-large", Some("my-id"));
    let long = format!("/v1/results/{}", "a".repeat(40_000));
    is_problem(&proxy.ask("GET", &long, &[], b""), 414, "address-too-long", None);
    is_problem(&proxy.ask("GET", "/.problems/too-large", &[], b""), 404, "not-found", None);
}
