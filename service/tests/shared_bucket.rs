//! Two servers and one bucket: what one makes the other has; and a store that is killed, hangs, is full, is busy, knows
//! another secret or lies costs time at most. The store checks each signature by an implementation of its own.

#![expect(clippy::unwrap_used, reason = "a test stops where it can not go on")]

mod support;

use std::{
    fs,
    path::PathBuf,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use actix_web::{rt::time::sleep, test, web::Data};
use odsmith_service::{app, archive::Format, config::Config, keys, state::State};
use odsmith_tests::set_up::repository;
use support::{
    archive,
    http::{config, get, post, send, state},
};

const MISS: &str = "odsmith; fwd=miss; stored";
const SHARED: &str = "odsmith; hit; detail=shared";
/// Both hold what an address has to put behind percent signs.
const KEY: &str = "AKIA/key";
const SECRET: &str = "secret+/=:@";

struct Store {
    child: Child,
    /// Its folder: the port, the objects, and what it is told.
    home: PathBuf,
}

impl Store {
    fn start(name: &str) -> Store {
        let home = std::env::temp_dir().join(format!("odsmith-s3-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&home);
        fs::create_dir_all(&home).unwrap();
        Store { child: spawn(&home), home }
    }

    fn port(&self) -> String {
        fs::read_to_string(self.home.join("port")).unwrap()
    }

    fn server(&self) -> Data<State> {
        self.server_with(SECRET)
    }

    fn server_with(&self, secret: &str) -> Data<State> {
        let plain = |text: &str| {
            percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
        };
        let address = format!(
            "s3://{}:{}@cache/some/where?endpoint=http://127.0.0.1:{}&region=eu-test-1",
            plain(KEY),
            plain(secret),
            self.port()
        );
        state(&Config { shared_cache: Some(address), ..config() })
    }

    fn objects(&self) -> Vec<PathBuf> {
        let mut objects: Vec<PathBuf> =
            fs::read_dir(self.home.join("objects")).unwrap().map(|entry| entry.unwrap().path()).collect();
        objects.sort();
        objects
    }

    /// Waits until it holds so many objects, which are sent in the background.
    async fn holds(&self, count: usize) -> Vec<PathBuf> {
        let start = Instant::now();
        loop {
            let objects = self.objects();
            if objects.len() >= count {
                return objects;
            }
            assert!(start.elapsed() < Duration::from_secs(10), "{objects:?}");
            sleep(Duration::from_millis(10)).await;
        }
    }

    fn tell(&self, what: &str) {
        fs::write(self.home.join(what), "").unwrap();
    }

    fn signal(&self, signal: &str) {
        let mut kill = Command::new("kill");
        assert!(kill.args([signal, &self.child.id().to_string()]).status().unwrap().success());
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.home);
    }
}

fn spawn(home: &std::path::Path) -> Child {
    let port = home.join("port");
    let known = fs::read_to_string(&port).ok();
    let child = Command::new("python3")
        .arg(repository().join("service/tests/support/s3.py"))
        .args([&port, &home.join("objects")])
        .args([KEY, SECRET, "eu-test-1", "cache"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    let listens = || {
        let port = fs::read_to_string(&port).ok();
        port.is_some_and(|port| std::net::TcpStream::connect(("127.0.0.1", port.parse().unwrap())).is_ok())
    };
    while !listens() {
        assert!(start.elapsed() < Duration::from_secs(20), "the store does not listen ({known:?})");
        thread::sleep(Duration::from_millis(20));
    }
    child
}

/// A request of its own for each number.
fn bundle(number: u32) -> Vec<u8> {
    archive(Format::Zip, &[("a.td", &format!("def A{number};\n"))])
}

macro_rules! generate {
    ($state:expr, $number:expr) => {{
        let app = test::init_service(app::app($state.clone())).await;
        let start = Instant::now();
        let answer = post(&app, "/v1/generate", "*/*", bundle($number)).await;
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
        (answer, start.elapsed())
    }};
}

fn count(state: &State, outcome: &str) -> u64 {
    let counts = state.shared.as_ref().unwrap().counts.all();
    counts.iter().find(|(name, _)| *name == outcome).unwrap().1
}

#[actix_web::test]
async fn what_one_server_makes_the_other_has() {
    let store = Store::start("shared");
    let (one, other) = (store.server(), store.server());
    let (made, _) = generate!(one, 1);
    assert_eq!(made.header("cache-status"), MISS);
    let objects = store.holds(1).await;
    let name = objects[0].file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with("some%2Fwhere%2Fodsmith%2F1%2Fresults%2F"), "{name}");
    let (found, _) = generate!(other, 1);
    assert_eq!((found.header("cache-status"), found.body == made.body), (SHARED, true));
    // By its address alone, on a server that never saw the bundle.
    let third = test::init_service(app::app(store.server())).await;
    let address = made.header("content-location");
    let kept = get(&third, &format!("{address}.tar.gz"), &[]).await;
    assert_eq!((kept.header("cache-status"), kept.body == made.body), (SHARED, true));
    // And a bundle.
    let (body, one) = (bundle(2), test::init_service(app::app(one)).await);
    let put = test::TestRequest::put().uri(&format!("/v1/bundles/{}", keys::sha256(&body)));
    assert_eq!(send(&one, put, "application/zip", body.clone()).await.status, 201);
    let known = format!("/v1/generate?bundle={}", keys::sha256(&body));
    assert_eq!(get(&third, &known, &[]).await.status, 303);
}

#[actix_web::test]
async fn killed() {
    let mut store = Store::start("killed");
    let one = store.server();
    generate!(one, 1);
    store.holds(1).await;
    store.child.kill().unwrap();
    store.child.wait().unwrap();
    for number in 2..10 {
        let (made, time) = generate!(one, number);
        assert_eq!(made.header("cache-status"), MISS);
        assert!(time < Duration::from_secs(2), "{time:?}");
    }
    let admin =
        actix_web::App::new().app_data(one.clone()).configure(odsmith_service::routes::configure_admin);
    let admin = test::init_service(admin).await;
    assert_eq!(get(&admin, "/readyz", &[]).await.status, 200, "degraded, and ready");
    assert!(count(&one, "failure") > 0);
    // It comes back, and is used again.
    store.child = spawn(&store.home);
    sleep(Duration::from_millis(2_200)).await;
    generate!(one, 20);
    store.holds(2).await;
    assert_eq!(generate!(store.server(), 20).0.header("cache-status"), SHARED);
}

#[actix_web::test]
async fn hung() {
    let store = Store::start("hung");
    let one = store.server();
    generate!(one, 1);
    store.holds(1).await;
    store.signal("-STOP");
    let start = Instant::now();
    for number in 2..12 {
        let (made, time) = generate!(one, number);
        assert_eq!(made.header("cache-status"), MISS);
        assert!(time < Duration::from_secs(4), "{time:?}");
    }
    // It is asked again now and then, not each time.
    assert!(start.elapsed() < Duration::from_secs(8), "{:?}", start.elapsed());
    store.signal("-CONT");
}

#[actix_web::test]
async fn corrupted() {
    let store = Store::start("corrupted");
    let (made, _) = generate!(store.server(), 1);
    let object = store.holds(1).await.remove(0);
    let entry = fs::read(&object).unwrap();
    let mut flipped = entry.clone();
    flipped[entry.len() / 2] ^= 1;
    generate!(store.server(), 2);
    let objects = store.holds(2).await;
    let others = fs::read(objects.iter().find(|it| **it != object).unwrap()).unwrap();
    // Damaged, cut, empty, garbage, and a sound one that is another's.
    for wrong in [&flipped, &entry[..40].to_vec(), &Vec::new(), &b"garbage".to_vec(), &others] {
        fs::write(&object, wrong).unwrap();
        let server = store.server();
        let (again, _) = generate!(server, 1);
        assert_eq!((again.header("cache-status"), again.body == made.body), (MISS, true));
        assert_eq!(count(&server, "damaged"), 1);
        // What was made in its place mends it.
        let start = Instant::now();
        while fs::read(&object).unwrap() != entry {
            assert!(start.elapsed() < Duration::from_secs(10));
            sleep(Duration::from_millis(10)).await;
        }
    }
}

#[actix_web::test]
async fn full_and_busy() {
    let store = Store::start("full");
    let one = store.server();
    generate!(one, 1);
    store.holds(1).await;
    store.tell("FULL");
    for number in 2..6 {
        assert_eq!(generate!(one, number).0.header("cache-status"), MISS);
    }
    // What it has it still gives.
    let other = store.server();
    assert_eq!(generate!(other, 1).0.header("cache-status"), SHARED);
    assert_eq!(store.objects().len(), 1);
    // One that can not keep up is left alone for a while.
    store.tell("BUSY");
    for number in 6..10 {
        assert_eq!(generate!(other, number).0.header("cache-status"), MISS);
    }
    assert!(count(&other, "failure") >= 4);
}

#[actix_web::test]
async fn a_wrong_secret_is_no_key_to_it() {
    let store = Store::start("secret");
    let stranger = store.server_with("another");
    assert_eq!(generate!(stranger, 1).0.header("cache-status"), MISS);
    let start = Instant::now();
    while count(&stranger, "failure") < 2 {
        assert!(start.elapsed() < Duration::from_secs(10), "it was let in");
        sleep(Duration::from_millis(10)).await;
    }
    assert!(store.objects().is_empty());
}
