//! The log and the metrics of each request: the client, the address, the result and the cost, but no secret.

use std::{
    io::{BufRead, BufReader},
    process::{Command, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

use odsmith_service::{
    http::tokens::{self, Scope},
    store::keys,
};
use odsmith_tests::{folder::TestFolder, http::request_to, set_up};
use serde_json::Value;

#[test]
fn a_line_for_each_request() {
    let folder = TestFolder::new("audit");
    let rows = tokens::row("ci", "the-secret", &[Scope::Generate], "", &[])
        + &tokens::row("ops", "x", &[Scope::Admin], "", &[]);
    let file = folder.write("tokens", rows);
    let mut child = Command::new(env!("CARGO_BIN_EXE_odsmith-service"))
        .args(["serve", "--bind", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--log", "json"])
        .args(["--trusted-proxies", "127.0.0.0/8", "--library", &format!("22={}", set_up::library())])
        .arg("--tokens")
        .arg(&file)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let mut port = || -> u16 {
        let line = lines.find(|line| line.contains("127.0.0.1:")).unwrap();
        line.split("127.0.0.1:").nth(1).unwrap().split('/').next().unwrap().parse().unwrap()
    };
    let (port, admin) = (port(), port());
    let (sender, log) = mpsc::channel();
    thread::spawn(move || lines.for_each(|line| drop(sender.send(line))));
    let basic = format!("Basic {}", keys::base64(b"user:the-secret"));
    let ask = |method: &str, path: &str, authorization: &str, body: &[u8]| {
        let headers = [
            ("Authorization", authorization),
            ("X-Forwarded-For", "6.6.6.6, 203.0.113.9, 127.0.0.2"),
            ("X-Request-Id", "mine"),
            ("Content-Type", "text/plain"),
        ];
        let answer = request_to(port, method, path, &headers, body).unwrap().unwrap();
        let line = log.recv_timeout(Duration::from_secs(20)).unwrap();
        assert!(!line.contains("secret") && !line.contains(&basic[6..]), "{line}");
        let entry: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(entry["status"], answer.status, "{line}");
        (entry, answer)
    };
    let tblgen = "/v1/tblgen?flags=--print-records";
    let (made, answer) = ask("POST", tblgen, &basic, b"def A;");
    let key = answer.header("content-location").unwrap().split('/').nth(3).unwrap().to_owned();
    assert_eq!((&made["client"], &made["token"]), (&"203.0.113.9".into(), &"ci".into()));
    assert_eq!((&made["result"], &made["request_id"]), (&key.as_str().into(), &"mine".into()));
    assert_eq!(made["cache"], "odsmith; fwd=miss; stored");
    let spent = made["processor_seconds"].as_f64().unwrap();
    assert!(spent > 0.0 && spent < 20.0, "{made}");
    let (again, _) = ask("POST", tblgen, "Bearer the-secret", b"def A;");
    assert_eq!((&again["result"], &again["cache"]), (&made["result"], &"odsmith; hit; detail=memory".into()));
    assert_eq!(again["processor_seconds"], 0.0);
    // Failures and runs that only have messages led to a result as well.
    let (failed, _) = ask("POST", tblgen, "Bearer the-secret", b"def A : Missing;");
    assert!(
        keys::is_key(failed["result"].as_str().unwrap()) && failed["processor_seconds"] != 0.0,
        "{failed}"
    );
    let (checked, _) = ask("POST", "/v1/check", "Bearer the-secret", b"def B;");
    assert!(keys::is_key(checked["result"].as_str().unwrap()), "{checked}");
    let (kept, _) = ask("GET", &format!("/v1/results/{key}"), "Bearer the-secret", b"");
    assert_eq!(kept["result"], key);
    let (refused, _) = ask("GET", "/v1/version", "Bearer the-secret-but-wrong", b"");
    assert_eq!((refused.get("token"), &refused["client"]), (None, &"203.0.113.9".into()));
    let metrics = request_to(admin, "GET", "/metrics", &[], b"").unwrap().unwrap();
    let metrics = String::from_utf8(metrics.body).unwrap();
    let value = |name: &str| -> f64 {
        let line = metrics.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_else(|| panic!("no {name} in\n{metrics}")).trim().parse().unwrap()
    };
    assert_eq!(value("odsmith_token_requests_total{token=\"ci\"}"), 5.0);
    assert_eq!(value("odsmith_token_requests_total{token=\"\"}"), 1.0);
    assert!(value("odsmith_token_processor_seconds_total{token=\"ci\"}") >= spent);
    child.kill().unwrap();
    child.wait().unwrap();
}
