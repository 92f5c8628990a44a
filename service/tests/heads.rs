//! Heads that the framework refuses before the application hears of them: documents, as for everything else.
#![allow(clippy::unwrap_used, reason = "a test stops where it can not go on")]

mod support;

use std::{
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

use serde_json::Value;
use support::http::{config, serve, talk};

#[track_caller]
fn is_problem(answer: &str, status: u16, code: &str) {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {answer}"));
    assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
    assert!(head.contains("\r\ncontent-type: application/problem+json"), "{head}");
    assert!(head.contains("\r\ncache-control: no-store") && head.contains("\r\nconnection: close"), "{head}");
    let document: Value = serde_json::from_str(body).unwrap();
    assert_eq!((&document["status"], &document["code"]), (&status.into(), &code.into()), "{document}");
    let id = document["request_id"].as_str().unwrap();
    assert!(!id.is_empty() && head.contains(&format!("\r\nx-request-id: {id}")), "{head}");
}

#[test]
fn heads_that_are_not_http() {
    let address = serve(config());
    for head in [
        "nonsense\r\n\r\n",
        "GET / HTTP/1.1\r\nHost x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "GET / HTTP/9.9\r\nHost: x\r\n\r\n",
        "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}",
    ] {
        is_problem(&talk(address, head), 400, "bad-request");
    }
}

#[test]
fn heads_that_are_too_large() {
    let address = serve(config());
    let head = format!("GET /v1/version HTTP/1.1\r\nHost: x\r\nX-Long: {}", "x".repeat(200 << 10));
    is_problem(&talk(address, &head), 431, "head-too-large");
}

#[test]
fn heads_that_are_too_slow() {
    let mut config = config();
    config.limits.head_seconds = 1;
    let address = serve(config);
    is_problem(&talk(address, "GET /v1/version HTTP/1.1\r\nHost: x\r\nX-Slow: "), 408, "head-too-slow");
}

/// A body may hold whatever looks like such an answer: it is the application's own.
#[test]
fn what_the_application_answers_stays_as_it_is() {
    let address = serve(config());
    let body = "def A { string text = \"HTTP/1.1 400 Bad Request\"; }";
    let request = format!(
        "POST /v1/tblgen HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let answer = talk(address, &request);
    assert!(
        answer.contains("HTTP/1.1 200 OK") && answer.contains("text = \"HTTP/1.1 400 Bad Request\""),
        "{answer}"
    );
    // After an answer the framework's own are bare: what is written then may be the rest of that.
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream.write_all(b"GET /v1/version HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
    let mut first = [0; 12];
    stream.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
    stream.write_all(b"nonsense\r\n\r\n").unwrap();
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).unwrap();
    assert!(String::from_utf8_lossy(&rest).contains("HTTP/1.1 400 Bad Request"));
}
