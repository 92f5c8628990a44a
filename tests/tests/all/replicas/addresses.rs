//! The addresses that answers name are good at every server at once, whichever store the servers share.

use std::{
    collections::BTreeMap,
    env, thread,
    time::{Duration, Instant},
};

use odsmith_tests::{
    archive::{File, zip},
    http::{Answer, Service},
};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::group::{Group, SharedStore};

const ZIP: (&str, &str) = ("Content-Type", "application/zip");
const JSON: (&str, &str) = ("Content-Type", "application/json");

/// The number of times that each flow is tried: `make soak` asks for more than `make test`.
fn rounds() -> usize {
    env::var("ODSMITH_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(4)
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn archive(text: &str) -> Vec<u8> {
    let file: File = ("a.td".to_owned(), text.as_bytes().to_vec());
    zip(&[file])
}

/// A definition that is different for each number, and takes a moment to evaluate.
fn slow(number: usize) -> String {
    format!(
        "class A{number}<int n> {{ int v = !foldl(0, !range(n), a, b, !add(a, b)); }}\ndef X{number} : A{number}<30000>;\n"
    )
}

/// The addresses that answers have named so far, with the bytes at them once they were seen.
struct AddressBook<'g> {
    group: &'g Group,
    bytes: BTreeMap<String, Option<String>>,
    wrong: Vec<String>,
}

impl AddressBook<'_> {
    /// Checks an address at every server.
    fn check(&mut self, flow: &str, address: &str, servers: &[&Service]) {
        for (index, server) in servers.iter().enumerate() {
            let answer = server.get(address);
            self.compare(flow, address, &format!("server {index}"), &answer);
        }
        let answer = self.group.ask("GET", address, &[], b"");
        self.compare(flow, address, "nginx", &answer);
    }

    fn compare(&mut self, flow: &str, address: &str, server: &str, answer: &Answer) {
        let bytes = sha256(&answer.body);
        let known = self.bytes.entry(address.to_owned()).or_default();
        if answer.status != 200 {
            self.wrong.push(format!("{flow}: {server} answers {} for {address}", answer.status));
        } else if *known.get_or_insert_with(|| bytes.clone()) != bytes {
            self.wrong.push(format!("{flow}: {server} has other bytes at {address}"));
        }
    }

    fn fail(&mut self, flow: &str, what: &str, answer: &Answer) {
        let text = String::from_utf8_lossy(&answer.body);
        self.wrong.push(format!("{flow}: {what}: {} {text}", answer.status));
    }

    /// Follows an address at every server until it has a result there. Until then it may only say how far that is, also
    /// while another server that did the work has the result already.
    fn wait(&mut self, flow: &str, address: &str, servers: &[&Service]) {
        let start = Instant::now();
        let mut waiting: Vec<(usize, &&Service)> = servers.iter().enumerate().collect();
        while let Some(&(index, server)) = waiting.first() {
            let answer = server.get(address);
            match answer.status {
                200 => drop(waiting.remove(0)),
                202 if start.elapsed() < Duration::from_secs(60) => waiting.rotate_left(1),
                _ => return self.fail(flow, &format!("server {index} for {address}"), &answer),
            }
            thread::sleep(Duration::from_millis(5));
        }
        self.check(flow, address, servers);
    }
}

/// The bundle that was put at one server gives a result at each other, at the address that the 303 names.
fn bundles(named: &mut AddressBook<'_>, number: usize, servers: &[&Service]) {
    let body = archive(&format!("def Bundle{number};\n"));
    let digest = sha256(&body);
    let put = named.group.ask("PUT", &format!("/v1/bundles/{digest}"), &[ZIP], &body);
    if put.status != 201 {
        return named.fail("bundles", "PUT", &put);
    }
    for server in servers {
        let answer = server.get(&format!("/v1/generate?bundle={digest}"));
        match (answer.status, answer.header("location")) {
            (303, Some(address)) => named.check("bundles", address, servers),
            _ => named.fail("bundles", "GET ?bundle=", &answer),
        }
    }
}

fn diffs(named: &mut AddressBook<'_>, number: usize, servers: &[&Service]) {
    let dialect = |operations: &str| {
        archive(&format!(
            "include \"mlir/IR/OpBase.td\"\ndef D : Dialect {{ let name = \"d{number}\"; let cppNamespace = \"::d\"; }}\n{operations}"
        ))
    };
    let mut body = Vec::new();
    for (part, bytes) in [("old", dialect("def A : Op<D, \"a\">;\n")), ("new", dialect(""))] {
        let head = format!("--xyz\r\nContent-Disposition: form-data; name=\"{part}\"\r\n\r\n");
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(&bytes);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--xyz--\r\n");
    let parts = ("Content-Type", "multipart/form-data; boundary=xyz");
    let answer = named.group.ask("POST", "/v1/diff", &[parts], &body);
    match (answer.status, answer.header("content-location")) {
        (200, Some(address)) => named.check("diffs", address, servers),
        _ => named.fail("diffs", "POST", &answer),
    }
}

/// The outputs and archives of a result, by their digests.
fn digests(named: &mut AddressBook<'_>, number: usize, servers: &[&Service]) {
    let request = json!({
        "request": { "target": [{ "td": "a.td", "outputs": [{ "path": "a.txt", "flags": ["--print-records"] }] }] },
        "files": { "a.td": format!("def Digest{number};\n") },
    });
    let answer = named.group.ask("POST", "/v1/results", &[JSON], request.to_string().as_bytes());
    if answer.status != 200 {
        return named.fail("digests", "POST", &answer);
    }
    let object = answer.json();
    let archives = object["archives"].as_array().into_iter().flatten();
    let targets = object["targets"].as_array().into_iter().flatten();
    let outputs = targets.flat_map(|target| target["outputs"].as_array().into_iter().flatten());
    let digests: Vec<&str> = archives.chain(outputs).filter_map(|one| one["sha256"].as_str()).collect();
    assert!(digests.len() > 2, "{object}");
    for digest in digests {
        named.check("digests", &format!("/cas/{digest}"), servers);
    }
}

fn begun(named: &mut AddressBook<'_>, number: usize, servers: &[&Service]) {
    let headers = [ZIP, ("Prefer", "respond-async")];
    let answer = named.group.ask("POST", "/v1/generate", &headers, &archive(&slow(number)));
    match (answer.status, answer.header("location")) {
        (202, Some(address)) => named.wait("begun", address, servers),
        _ => named.fail("begun", "POST", &answer),
    }
}

/// A file that was sent to one server is known to each other.
fn known(named: &mut AddressBook<'_>, number: usize, servers: &[&Service]) {
    let text = format!("def Known{number};\n");
    let sent = json!({ "files": { "a.td": text } }).to_string();
    let sent = named.group.ask("POST", "/v1/generate", &[JSON], sent.as_bytes());
    if sent.status != 200 {
        return named.fail("known", "POST", &sent);
    }
    let names = json!({ "known": { "a.td": sha256(text.as_bytes()) } }).to_string();
    for server in servers {
        let answer = server.generate(JSON.1, names.as_bytes());
        if answer.status != 200 || answer.body != sent.body {
            named.fail("known", "a named file", &answer);
        }
    }
}

fn generated(named: &mut AddressBook<'_>, number: usize, servers: &[&Service]) {
    let body = archive(&format!("def Generated{number};\n"));
    let answer = named.group.ask("POST", "/v1/generate", &[ZIP], &body);
    match (answer.status, answer.header("content-location")) {
        (200, Some(address)) => {
            named.check("generated", address, servers);
            named.check("generated", &format!("{address}.tar.gz"), servers);
        }
        _ => named.fail("generated", "POST", &answer),
    }
    // A failure is an answer that names a result too.
    let body = archive(&format!("def Failed{number} : Missing;\n"));
    let answer = named.group.ask("POST", "/v1/generate", &[ZIP], &body);
    match (answer.status, answer.json()["result"].as_str()) {
        (422, Some(address)) => named.check("generated", address, servers),
        _ => named.fail("generated", "POST of a failure", &answer),
    }
}

/// Begins jobs at the server that is killed then, so that another one has to do the work.
fn begin_at(server: &Service, number: usize) -> Vec<String> {
    let headers = [ZIP, ("Prefer", "respond-async")];
    let begin = |job: usize| {
        let body = archive(&slow(number * 100 + job));
        let answer = server.request("POST", "/v1/generate", &headers, &body);
        assert_eq!(answer.status, 202, "{}", String::from_utf8_lossy(&answer.body));
        answer.header("location").expect("an address").to_owned()
    };
    (0..4).map(begin).collect()
}

fn addresses_are_good_everywhere(name: &str, store: Option<SharedStore>) {
    let Some(group) = Group::start(name, 2, store) else { return };
    let mut named = AddressBook { group: &group, bytes: BTreeMap::new(), wrong: Vec::new() };
    let mut servers: Vec<&Service> = group.servers.iter().collect();
    let rounds = rounds();
    let mut orphans = Vec::new();
    for number in 0..rounds {
        if number == rounds / 2 {
            orphans = begin_at(servers[0], 1_000 + number);
            let killed = servers.remove(0);
            killed.signal("-KILL");
            // A POST that it still accepts is lost, as its client learns.
            let _ = killed.wait();
        }
        for flow in [bundles, diffs, digests, begun, known, generated] {
            flow(&mut named, number, &servers);
        }
    }
    for address in orphans {
        named.wait("killed", &address, &servers);
    }
    let all: Vec<String> = named.bytes.keys().cloned().collect();
    for address in &all {
        named.check("after the kill", address, &servers);
    }
    assert!(named.wrong.is_empty(), "{} are wrong:\n{}", named.wrong.len(), named.wrong.join("\n"));
    assert!(all.len() > rounds * 8, "{} addresses", all.len());
}

#[test]
fn addresses_are_good_everywhere_with_a_slow_redis() {
    let store = SharedStore::redis(Duration::from_millis(20));
    addresses_are_good_everywhere("addresses-redis", store);
}

#[test]
fn addresses_are_good_everywhere_with_a_bucket() {
    addresses_are_good_everywhere("addresses-bucket", SharedStore::bucket("addresses"));
}

#[test]
fn addresses_are_good_everywhere_with_a_cache_of_builds() {
    addresses_are_good_everywhere("addresses-builds", SharedStore::http_cache("addresses"));
}

/// Two servers that are asked for the same do the work once.
#[test]
fn equal_requests_are_one_job() {
    let Some(group) = Group::start("once", 2, SharedStore::redis(Duration::ZERO)) else { return };
    let mut made = 0;
    for number in 0..4 {
        let body = archive(&slow(number));
        let ask = |server: &Service| {
            let answer = server.generate(ZIP.1, &body);
            assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
            (answer.header("cache-status").unwrap_or_default().to_owned(), answer.body)
        };
        let answers = thread::scope(|scope| {
            let threads: Vec<_> =
                group.servers.iter().map(|server| scope.spawn(move || ask(server))).collect();
            threads.into_iter().map(|thread| thread.join().expect("an answer")).collect::<Vec<_>>()
        });
        assert!(answers.iter().all(|(_, body)| *body == answers[0].1));
        made += answers.iter().filter(|(status, _)| status == "odsmith; fwd=miss; stored").count();
    }
    assert_eq!(made, 4);
}

/// A job that is perhaps the reason why servers end is done by one more server, and not by all of them in turn.
#[test]
fn a_job_is_taken_over_once() {
    // The job would take longer than the test.
    let fuel = ["--limit", "job.fuel=1000000000000000", "--limit", "job.job_fuel=1000000000000000"];
    let store = SharedStore::redis(Duration::ZERO);
    let Some(group) = Group::start_with("once-more", 3, store, &fuel) else { return };
    let mut servers: Vec<&Service> = group.servers.iter().collect();
    let text = "foreach i = !range(0, 100000) in foreach j = !range(0, 10000) in defvar x = !add(i, j);\n";
    let headers = [ZIP, ("Prefer", "respond-async")];
    let begun = servers[0].request("POST", "/v1/generate", &headers, &archive(text));
    assert_eq!(begun.status, 202, "{}", String::from_utf8_lossy(&begun.body));
    let address = begun.header("location").expect("an address").to_owned();
    let kill = |servers: &mut Vec<&Service>| {
        let killed = servers.remove(0);
        killed.signal("-KILL");
        let _ = killed.wait();
    };
    kill(&mut servers);
    // The lease of the first server ends, and the second one does the job: it counts its seconds.
    let seconds = |server: &Service| {
        let answer = server.get(&address);
        assert_eq!(answer.status, 202, "{}", String::from_utf8_lossy(&answer.body));
        answer.json()["seconds"].as_f64().expect("a number")
    };
    let start = Instant::now();
    loop {
        let before = seconds(servers[0]);
        thread::sleep(Duration::from_millis(50));
        if seconds(servers[0]) > before {
            break;
        }
        assert!(start.elapsed() < Duration::from_secs(15), "it does not begin");
    }
    kill(&mut servers);
    let start = Instant::now();
    let end = loop {
        let answer = servers[0].get(&address);
        if answer.status != 202 || start.elapsed() > Duration::from_secs(30) {
            break answer;
        }
        thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(end.status, 404, "{}", String::from_utf8_lossy(&end.body));
    assert_eq!(end.json()["code"], "result-not-found");
}
