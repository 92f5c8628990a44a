//! Bodies of the largest size, of each kind, at each address that reads one: none keeps others waiting.

use std::{
    env,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use odsmith_tests::{
    archive::{File, gzip, tar, zip},
    http::Service,
};

/// The longest time that most answers to a small request may take, on a machine that does nothing else.
const SOON: Duration = Duration::from_millis(50);

/// A little less than the largest body.
const SIZE: usize = (16 << 20) - (64 << 10);

/// Repeats a text up to the size of a body, between a beginning and an end.
fn filled(begin: &str, piece: &str, end: &str) -> Vec<u8> {
    let count = (SIZE - begin.len() - end.len()) / piece.len();
    [begin, &piece.repeat(count), end].concat().into_bytes()
}

/// The bodies, with their media types.
fn bodies() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let part = "--xyz\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.td\"\r\n\r\n\r\n";
    // Random enough that no format makes it small.
    let mut state = 1_u64;
    let noise: Vec<u8> = (0..SIZE / 2)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            b"0123456789abcdef"[(state >> 60) as usize]
        })
        .collect();
    let files: Vec<File> =
        (0..4).map(|number| (format!("a{number}.td"), [b"//", &noise[..noise.len() / 4]].concat())).collect();
    let json = "application/json";
    vec![
        ("one long string", json, filled("{\"files\":{\"a.td\":\"", "//////// ", "\"}}")),
        ("many strings", json, filled("{\"files\":{\"a.td\":\"\"", ",\"b\":\"\"", "}}")),
        ("escapes", json, filled("{\"files\":{\"a.td\":\"", "\\u0061\\n", "\"}}")),
        ("a deep array", json, filled("{\"request\":", "[", "")),
        ("a wide array", json, filled("{\"request\":[0", ",0", "]}")),
        ("an unknown field", json, filled("{\"other\":[0", ",0", "]}")),
        ("many parts", "multipart/form-data; boundary=xyz", filled("", part, "--xyz--\r\n")),
        (
            "one long part",
            "multipart/form-data; boundary=xyz",
            filled(&part[..part.len() - 2], "\r\n--xy", "\r\n--xyz--\r\n"),
        ),
        ("a zip", "application/zip", zip(&files)),
        ("a tar", "application/x-tar", tar(&files)),
        ("a packed tar", "application/gzip", gzip(&tar(&files))),
        ("a text", "text/plain", filled("", "def A;\n", "")),
        ("one line", "text/plain", filled("//", " ", "\n")),
        ("no text", "text/plain", filled("", "\u{1f600}", "")),
    ]
}

/// The times of small requests until a body was answered, one after the other.
fn probe(service: &Arc<Service>, is_over: &Arc<AtomicBool>) -> thread::JoinHandle<Vec<Duration>> {
    let (service, is_over) = (service.clone(), is_over.clone());
    thread::spawn(move || {
        let mut times = Vec::new();
        while !is_over.load(Ordering::SeqCst) {
            let start = Instant::now();
            assert_eq!(service.get("/v1/version").status, 200);
            times.push(start.elapsed());
            thread::sleep(Duration::from_millis(1));
        }
        times
    })
}

fn percentile(times: &mut [Duration]) -> Duration {
    times.sort();
    times[(times.len() * 99 / 100).min(times.len() - 1)]
}

#[test]
fn none_keeps_others_waiting() {
    let service = Arc::new(Service::start(&[]));
    let description = service.get("/openapi.json").json();
    let mut addresses = Vec::new();
    for (path, operations) in description["paths"].as_object().expect("paths") {
        for method in ["post", "put"].iter().filter(|method| operations.get(**method).is_some()) {
            let query = if path == "/v1/upgrade" { "?from=22" } else { "" };
            let path = path.replace("{sha256}", &"0".repeat(64));
            addresses.push((method.to_uppercase(), format!("{path}{query}")));
        }
    }
    assert!(addresses.len() > 12, "{addresses:?}");
    // Other programs may slow the machine: that is measured alone first.
    let alone = {
        let is_over = Arc::default();
        let probe = probe(&service, &is_over);
        thread::sleep(Duration::from_millis(500));
        is_over.store(true, Ordering::SeqCst);
        percentile(&mut probe.join().expect("answers"))
    };
    // `make soak` sends each body to each address, `make test` a quarter of that.
    let step = if env::var_os("ODSMITH_ROUNDS").is_some() { 1 } else { 4 };
    let (mut all, mut slow) = (Vec::new(), Vec::new());
    for (kind, (name, media_type, body)) in bodies().into_iter().enumerate() {
        for (method, address) in addresses.iter().skip(kind % step).step_by(step) {
            let is_over = Arc::default();
            let probe = probe(&service, &is_over);
            let answer = service.request(method, address, &[("Content-Type", media_type)], &body);
            is_over.store(true, Ordering::SeqCst);
            let mut times = probe.join().expect("answers");
            assert!(
                answer.status < 500 || answer.status == 503,
                "{method} {address}, {name}: {}",
                answer.status
            );
            if let Some(longest) = times.iter().max().filter(|longest| **longest > SOON) {
                slow.push(format!("{method} {address}, {name}: {longest:?}"));
            }
            all.append(&mut times);
        }
    }
    let (count, most) = (all.len(), percentile(&mut all));
    assert!(
        most <= SOON + alone * 4,
        "99 % of {count} within {most:?} ({alone:?} alone)\n{}",
        slow.join("\n")
    );
}
