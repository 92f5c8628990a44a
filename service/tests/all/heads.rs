//! Heads that the framework refuses before the application sees them are answered with documents, as all other errors
//! are.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    thread,
    time::{Duration, Instant},
};

use crate::support::http::{config, serve, talk};
use serde_json::Value;

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

/// A body may hold text that looks like such an answer; it reaches the client unchanged.
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
}

const ASK: &str = "GET /v1/version HTTP/1.1\r\nHost: x\r\n\r\n";

/// Sends a request, then something else on the same connection, and returns the answer to the latter.
fn talk_after(address: SocketAddr, question: &str, then: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream.write_all(question.as_bytes()).unwrap();
    let mut answer = BufReader::new(stream.try_clone().unwrap());
    let (mut line, mut length) = (String::new(), 0);
    while line != "\r\n" {
        line.clear();
        assert!(answer.read_line(&mut line).unwrap() > 0, "no answer");
        length = line.strip_prefix("content-length: ").map_or(length, |text| text.trim().parse().unwrap());
    }
    if !question.starts_with("HEAD") {
        answer.read_exact(&mut vec![0; length]).unwrap();
    }
    stream.write_all(then.as_bytes()).unwrap();
    let mut rest = Vec::new();
    let _ = answer.read_to_end(&mut rest);
    String::from_utf8_lossy(&rest).into_owned()
}

#[test]
fn later_heads_of_a_connection_are_refused_in_the_same_way() {
    let mut config = config();
    config.limits.head_seconds = 1;
    let address = serve(config);
    for question in [ASK, &ASK.replace("GET", "HEAD"), &ASK.replace("version", "nothing")] {
        is_problem(&talk_after(address, question, "nonsense\r\n\r\n"), 400, "bad-request");
        let long = format!("GET / HTTP/1.1\r\nHost: x\r\nX-Long: {}", "x".repeat(200 << 10));
        is_problem(&talk_after(address, question, &long), 431, "head-too-large");
        is_problem(&talk_after(address, question, "GET / HTTP/1.1\r\nHost: x\r\n"), 408, "head-too-slow");
    }
}

#[test]
fn what_comes_with_a_question_is_refused_after_its_answer() {
    let address = serve(config());
    let answers = talk(address, &format!("{ASK}{ASK}nonsense\r\n\r\n"));
    let refusal = answers.find("HTTP/1.1 400").unwrap_or_else(|| panic!("{answers}"));
    assert_eq!(answers[..refusal].matches("HTTP/1.1 200 OK").count(), 2, "{answers}");
    is_problem(&answers[refusal..], 400, "bad-request");
}

/// A second head that arrives letter by letter is given up; idle time between requests does not count.
#[test]
fn the_clock_of_later_heads_is_theirs() {
    let mut config = config();
    config.limits.head_seconds = 2;
    let address = serve(config);
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut buffer = [0; 4096];
    for _ in 0..3 {
        stream.write_all(ASK.as_bytes()).unwrap();
        let count = stream.read(&mut buffer).unwrap();
        assert!(buffer[..count].starts_with(b"HTTP/1.1 200"));
        thread::sleep(Duration::from_millis(1200));
    }
    let begun = Instant::now();
    for letter in ASK.bytes().cycle().filter(|letter| *letter != b'\r' && *letter != b'\n') {
        if stream.write_all(&[letter]).is_err() || begun.elapsed() > Duration::from_secs(10) {
            break;
        }
        thread::sleep(Duration::from_millis(100));
        stream.set_nonblocking(true).unwrap();
        if let Ok(count) = stream.read(&mut buffer) {
            is_problem(&String::from_utf8_lossy(&buffer[..count]), 408, "head-too-slow");
            break;
        }
        stream.set_nonblocking(false).unwrap();
    }
    assert!((1..8).contains(&begun.elapsed().as_secs()), "{:?}", begun.elapsed());
}
