//! The tests that every shared store must pass: one server's results reach the others, and a store that is killed,
//! hangs or lies costs time at most.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::{
    fs,
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use actix_web::{App, http::Method, rt::time::sleep, test, web::Data};
use odsmith_service::{
    config::Config,
    http::{app, routes, state::State},
    store::{Seal, archive::Format, keys},
};
use odsmith_tests::set_up::repository;

use super::{
    archive,
    http::{Answer, get, post, send, state},
};

pub const MISS: &str = "odsmith; fwd=miss; stored";
pub const UNKEPT: &str = "odsmith; fwd=miss; unkept";
pub const SHARED: &str = "odsmith; hit; detail=shared";

/// A store in a process of its own.
pub trait Store {
    /// The configuration of a server that uses the store.
    fn config(&self) -> Config;
    /// A server that uses the store.
    fn server(&self) -> Data<State> {
        state(&self.config())
    }
    /// The names of all results, sorted.
    fn names(&self) -> Vec<String>;
    fn read(&self, name: &str) -> Vec<u8>;
    fn write(&self, name: &str, entry: &[u8]);
    fn child(&mut self) -> &mut Child;
    /// Restarts the store at the same address after it was killed.
    fn start_again(&mut self);

    fn signal(&mut self, signal: &str) {
        let mut kill = Command::new("kill");
        assert!(kill.args([signal, &self.child().id().to_string()]).status().unwrap().success());
    }

    /// Checks that the store holds this many results: they are there before an answer names them.
    fn holds(&self, count: usize) -> Vec<String> {
        let names = self.names();
        assert_eq!(names.len(), count, "{names:?}");
        names
    }
}

/// Starts a store in Python beside this file, with its port and its objects in a folder, at the same port as before.
pub fn stand_in(program: &str, home: &Path, arguments: &[&str]) -> Child {
    let port = home.join("port");
    let known = fs::read_to_string(&port).ok();
    let child = Command::new("python3")
        .arg(repository().join("service/tests/all/support").join(program))
        .args([&port, &home.join("objects")])
        .args(arguments)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    let listens = || {
        let port = fs::read_to_string(&port).ok();
        port.is_some_and(|port| TcpStream::connect(("127.0.0.1", port.parse().unwrap())).is_ok())
    };
    while !listens() {
        assert!(start.elapsed() < Duration::from_secs(20), "the store does not listen ({known:?})");
        thread::sleep(Duration::from_millis(20));
    }
    child
}

/// A bundle that is different for each number.
pub fn bundle(number: u32) -> Vec<u8> {
    archive(Format::Zip, &[("a.td", &format!("def A{number};\n"))])
}

/// Requests a result; returns the answer and the time that it took.
pub async fn generate(state: &Data<State>, number: u32) -> (Answer, Duration) {
    let app = test::init_service(app::app(state.clone())).await;
    let start = Instant::now();
    let answer = post(&app, "/v1/generate", "*/*", bundle(number)).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    (answer, start.elapsed())
}

pub async fn is_missed(state: &Data<State>, number: u32) -> Duration {
    let (made, time) = generate(state, number).await;
    assert_eq!(made.header("cache-status"), MISS);
    time
}

/// Requests a result that the store does not take: the answer says so, and names no address.
pub async fn is_unkept(state: &Data<State>, number: u32) -> Duration {
    let (made, time) = generate(state, number).await;
    assert_eq!((made.header("cache-status"), made.header("content-location")), (UNKEPT, ""));
    time
}

/// The times of ten requests at a server without a store.
async fn times_alone(store: &impl Store) -> Vec<Duration> {
    let alone = state(&Config { shared_cache: None, ..store.config() });
    let mut times = Vec::new();
    for number in 2..12 {
        times.push(is_missed(&alone, number).await);
    }
    times
}

/// The number of store calls with this outcome.
pub fn count(state: &State, outcome: &str) -> u64 {
    let counts = state.results.shared.as_ref().unwrap().counts.all();
    counts.iter().find(|(name, _)| *name == outcome).unwrap().1
}

pub async fn what_one_server_makes_the_other_has(store: &impl Store) {
    let (one, other) = (store.server(), store.server());
    let (made, _) = generate(&one, 1).await;
    assert_eq!(made.header("cache-status"), MISS);
    store.holds(1);
    let (found, _) = generate(&other, 1).await;
    assert_eq!((found.header("cache-status"), found.body == made.body), (SHARED, true));
    // By its address alone, from a server that never saw the bundle.
    let third = test::init_service(app::app(store.server())).await;
    let address = made.header("content-location");
    let kept = get(&third, &format!("{address}.tar.gz"), &[]).await;
    assert_eq!((kept.header("cache-status"), kept.body == made.body), (SHARED, true));
    // A failure with its messages as well.
    let bad = || b"def A : Missing;\n".to_vec();
    let one = test::init_service(app::app(one)).await;
    let failed = post(&one, "/v1/check", "text/plain", bad()).await;
    store.holds(2);
    let again = post(&third, "/v1/check", "text/plain", bad()).await;
    assert_eq!((again.header("cache-status"), again.body == failed.body), (SHARED, true));
    // And a bundle.
    let (body, other) = (bundle(2), test::init_service(app::app(other)).await);
    let uri = format!("/v1/bundles/{}", keys::sha256(&body));
    let put = || test::TestRequest::put().uri(&uri);
    assert_eq!(send(&one, put(), "application/zip", body.clone()).await.status, 201);
    assert_eq!(send(&other, put(), "application/zip", body.clone()).await.status, 204);
    let head = test::TestRequest::default().method(Method::HEAD).uri(&uri);
    assert_eq!(send(&third, head, "", "").await.status, 204);
    let known = format!("/v1/generate?bundle={}", keys::sha256(&body));
    assert_eq!(get(&third, &known, &[]).await.status, 303);
}

pub async fn killed(store: &mut impl Store) {
    let one = store.server();
    generate(&one, 1).await;
    store.holds(1);
    let slowest = times_alone(store).await.into_iter().max().unwrap();
    store.child().kill().unwrap();
    store.child().wait().unwrap();
    for number in 2..10 {
        let time = is_unkept(&one, number).await;
        assert!(time < Duration::from_secs(2) + slowest * 4, "{time:?}, and {slowest:?} without a store");
    }
    let admin = test::init_service(App::new().app_data(one.clone()).configure(routes::configure_admin)).await;
    assert_eq!(get(&admin, "/readyz", &[]).await.status, 200, "degraded, and ready");
    let metrics = String::from_utf8(get(&admin, "/metrics", &[]).await.body).unwrap();
    let failures = metrics.lines().find(|line| line.contains("outcome=\"failure\"")).unwrap();
    assert!(!failures.ends_with(" 0"), "{failures}");
    // After a restart the store is used again.
    store.start_again();
    let start = Instant::now();
    while generate(&one, 20).await.0.header("content-location").is_empty() {
        assert!(start.elapsed() < Duration::from_secs(20), "the store is not used");
        sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(generate(&store.server(), 20).await.0.header("cache-status"), SHARED);
    // What was made while it was gone is sent when its address is asked for again.
    assert!(!generate(&one, 2).await.0.header("content-location").is_empty());
    assert_eq!(generate(&store.server(), 2).await.0.header("cache-status"), SHARED);
}

/// A call takes a limited time, and a store that hangs is not asked each time. The bound adds several times what the
/// same requests take without a store, since other programs may slow some of them.
pub async fn hung(store: &mut impl Store, a_call: Duration, all: Duration) {
    let one = store.server();
    generate(&one, 1).await;
    store.holds(1);
    let alone = times_alone(store).await;
    let (slowest, sum): (Duration, Duration) = (*alone.iter().max().unwrap(), alone.iter().sum());
    store.signal("-STOP");
    let start = Instant::now();
    for number in 2..12 {
        let time = is_unkept(&one, number).await;
        assert!(time < a_call + slowest * 4, "{time:?}, and at most {slowest:?} without a store");
    }
    let time = start.elapsed();
    assert!(time < all + sum * 4, "{time:?}, and {sum:?} without a store");
    store.signal("-CONT");
}

/// A server does not serve an entry of the first request that is not as it was made, but makes and writes it again.
async fn is_replaced(store: &impl Store, name: &str, server: &Data<State>, made: &Answer, entry: &[u8]) {
    let (again, _) = generate(server, 1).await;
    assert_eq!((again.header("cache-status"), again.body == made.body), (MISS, true));
    assert_eq!(count(server, "damaged"), 1);
    assert!(store.read(name) == entry);
}

/// An entry that is damaged or wrong is made again and replaced. Returns the name of the first request's entry.
pub async fn corrupted(store: &impl Store) -> String {
    let (made, _) = generate(&store.server(), 1).await;
    let name = store.holds(1).remove(0);
    let entry = store.read(&name);
    let mut flipped = entry.clone();
    flipped[entry.len() / 2] ^= 1;
    let (other, _) = generate(&store.server(), 2).await;
    assert_ne!(other.body, made.body);
    let names = store.holds(2);
    let others = store.read(names.iter().find(|it| **it != name).unwrap());
    // Damaged, cut, empty, garbage, and a valid entry of another request.
    for wrong in [&flipped, &entry[..40].to_vec(), &Vec::new(), &b"garbage".to_vec(), &others] {
        store.write(&name, wrong);
        is_replaced(store, &name, &store.server(), &made, &entry).await;
    }
    name
}

/// The verdict of one server's limits has a name of its own, and is not that of servers with others.
pub async fn limits_are_not_shared(store: &impl Store) {
    let mut config = store.config();
    config.limits.job.fuel = 1_000;
    let strict = test::init_service(app::app(state(&config))).await;
    let endless = || b"foreach i = !range(0, 3000) in def;\n".to_vec();
    post(&strict, "/v1/tblgen", "*/*", endless()).await.is_problem(422, "limit-exceeded");
    let named = post(&strict, "/v1/tblgen", "*/*", endless()).await;
    let other = test::init_service(app::app(store.server())).await;
    let made = post(&other, "/v1/tblgen", "*/*", endless()).await;
    assert_eq!((made.status.as_u16(), made.header("cache-status")), (200, MISS));
    // Its address is good at each of them.
    let address = named.is_problem(422, "limit-exceeded")["result"].as_str().unwrap().to_owned();
    assert_eq!(get(&other, &address, &[]).await.json()["status"], "failed");
}

/// An entry that is sealed without the servers' key is not served.
pub async fn forged(store: &impl Store, key_file: &Path) {
    fs::write(key_file, "a key that has more than 32 bytes\n").unwrap();
    let keyed = || state(&Config { shared_key_file: Some(key_file.to_owned()), ..store.config() });
    let (made, _) = generate(&keyed(), 1).await;
    let name = store.holds(1).remove(0);
    let entry = store.read(&name);
    assert_eq!(generate(&keyed(), 1).await.0.header("cache-status"), SHARED);
    let key = made.header("content-location").rsplit('/').next().unwrap();
    let stranger = Seal::keyed(b"the key of another group of servers", 1 << 30);
    let own = Seal::keyed(b"a key that has more than 32 bytes", 1 << 30);
    let bytes = own.open(key, &entry).unwrap();
    let harmful = bytes.iter().rev().copied().collect::<Vec<u8>>();
    for forged in [
        Seal::plain(1 << 30).seal(key, &bytes).unwrap(),
        Seal::plain(1 << 30).seal(key, &harmful).unwrap(),
        stranger.seal(key, &bytes).unwrap(),
        // A valid seal of another result.
        own.seal(&"0".repeat(64), &bytes).unwrap(),
    ] {
        store.write(&name, &forged);
        is_replaced(store, &name, &keyed(), &made, &entry).await;
    }
    fs::remove_file(key_file).unwrap();
}
