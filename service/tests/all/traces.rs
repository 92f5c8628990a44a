//! Spans arrive at a collector; a collector that is gone costs nothing.

#![expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use crate::support::http::{config, serve, talk};
use odsmith_service::config::Config;
use serde_json::Value;

/// Starts a collector; returns its address and the spans that it receives.
fn collector() -> (String, mpsc::Receiver<(String, Value)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream: TcpStream = stream.unwrap();
            let (mut bytes, mut buffer) = (Vec::new(), [0; 4096]);
            loop {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                if let Some((head, body)) = text.split_once("\r\n\r\n") {
                    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
                    if body.len() >= length.unwrap().parse::<usize>().unwrap() {
                        let _ = sender.send((head.to_owned(), serde_json::from_str(body).unwrap()));
                        break;
                    }
                }
                let read = stream.read(&mut buffer).unwrap();
                bytes.extend_from_slice(&buffer[..read]);
            }
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        }
    });
    (address, receiver)
}

fn asked(path: &str, more: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{more}\r\n")
}

#[test]
fn spans_arrive() {
    let (otlp, spans) = collector();
    let address = serve(Config { otlp: Some(otlp), ..config() });
    let trace = "0af7651916cd43dd8448eb211c80319c";
    let parent = format!("traceparent: 00-{trace}-b7ad6b7169203331-01\r\n");
    assert!(talk(address, &asked("/v1/results/none", &parent)).starts_with("HTTP/1.1 404 "));
    let unsampled = format!("traceparent: 00-{trace}-b7ad6b7169203331-00\r\n");
    talk(address, &asked("/v1/version", &unsampled));
    talk(address, &asked("/v1/limits", ""));
    let mut found = Vec::new();
    while found.len() < 2 {
        let (head, document) = spans.recv_timeout(Duration::from_secs(20)).unwrap();
        assert!(head.starts_with("POST /v1/traces HTTP/1.1"), "{head}");
        assert!(head.contains("content-type: application/json"), "{head}");
        let resource = &document["resourceSpans"][0];
        assert_eq!(resource["resource"]["attributes"][0]["value"]["stringValue"], "odsmith");
        found.extend(resource["scopeSpans"][0]["spans"].as_array().unwrap().clone());
    }
    assert_eq!(found.len(), 2, "what is not sampled is not sent: {found:?}");
    let (with, without) = (&found[0], &found[1]);
    assert_eq!(with["name"], "GET /v1/results");
    assert_eq!((&with["traceId"], &with["parentSpanId"]), (&trace.into(), &"b7ad6b7169203331".into()));
    let status =
        with["attributes"].as_array().unwrap().iter().find(|it| it["key"] == "http.response.status_code");
    assert_eq!(status.unwrap()["value"]["intValue"], "404");
    assert_eq!(without["name"], "GET /v1/limits");
    assert!(without.get("parentSpanId").is_none());
    assert_eq!(without["traceId"].as_str().map(str::len), Some(32));
    assert_ne!(without["spanId"], with["spanId"]);
    let nanoseconds = |it: &Value| it.as_str().unwrap().parse::<u64>().unwrap();
    assert!(nanoseconds(&without["startTimeUnixNano"]) <= nanoseconds(&without["endTimeUnixNano"]));
}

#[test]
fn a_collector_that_is_gone_costs_nothing() {
    let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let address = serve(Config { otlp: Some(format!("http://{gone}")), ..config() });
    let start = Instant::now();
    for _ in 0..50 {
        assert!(talk(address, &asked("/v1/version", "")).starts_with("HTTP/1.1 200 "));
    }
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}
