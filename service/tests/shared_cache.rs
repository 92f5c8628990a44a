//! Two servers and one Redis: what one makes the other has; and a Redis that is killed, hangs, is full or lies costs
//! time at most.

#![expect(clippy::unwrap_used, reason = "a test stops where it can not go on")]
#![expect(clippy::print_stderr, reason = "a test that can not run says so")]

mod support;

use std::{
    net::TcpStream,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use actix_web::{http::Method, rt::time::sleep, test, web::Data};
use odsmith_service::{app, archive::Format, config::Config, keys, state::State};
use odsmith_tests::port;
use support::{
    archive,
    http::{config, get, post, send, state},
};

const MISS: &str = "odsmith; fwd=miss; stored";
const SHARED: &str = "odsmith; hit; detail=shared";

struct Redis {
    child: Child,
    port: u16,
}

impl Redis {
    /// A Redis that forgets everything with its end; nothing where there is no Redis.
    fn start() -> Option<Redis> {
        let redis = Redis::start_at(port::free());
        if redis.is_none() {
            eprintln!("skipped: there is no redis-server (Debian: redis-server)");
        }
        redis
    }

    fn start_at(port: u16) -> Option<Redis> {
        let mut command = Command::new("redis-server");
        command.args([
            "--port",
            &port.to_string(),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--appendonly",
            "no",
        ]);
        let child = command.current_dir(std::env::temp_dir()).stdout(Stdio::null()).spawn().ok()?;
        let redis = Redis { child, port };
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(start.elapsed() < Duration::from_secs(20), "redis-server does not listen");
            thread::sleep(Duration::from_millis(20));
        }
        Some(redis)
    }

    fn config(&self) -> Config {
        Config { shared_cache: Some(format!("redis://127.0.0.1:{}/", self.port)), ..config() }
    }

    fn server(&self) -> Data<State> {
        state(&self.config())
    }

    fn call<T: redis::FromRedisValue>(&self, words: &[&[u8]]) -> T {
        let client = redis::Client::open(format!("redis://127.0.0.1:{}/", self.port)).unwrap();
        let mut command = redis::cmd(std::str::from_utf8(words[0]).unwrap());
        words[1..].iter().for_each(|word| {
            command.arg(*word);
        });
        command.query(&mut client.get_connection().unwrap()).unwrap()
    }

    /// Waits until it holds so many entries, which are sent in the background.
    async fn holds(&self, count: usize) -> Vec<String> {
        let start = Instant::now();
        loop {
            let keys: Vec<String> = self.call(&[b"KEYS", b"*"]);
            if keys.len() >= count {
                return keys;
            }
            assert!(start.elapsed() < Duration::from_secs(10), "{keys:?}");
            sleep(Duration::from_millis(10)).await;
        }
    }

    fn signal(&self, signal: &str) {
        assert!(
            Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap().success()
        );
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
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

#[actix_web::test]
async fn what_one_server_makes_the_other_has() {
    let Some(redis) = Redis::start() else { return };
    let (one, other) = (redis.server(), redis.server());
    let (made, _) = generate!(one, 1);
    assert_eq!(made.header("cache-status"), MISS);
    redis.holds(1).await;
    let (found, _) = generate!(other, 1);
    assert_eq!((found.header("cache-status"), found.body == made.body), (SHARED, true));
    // By its address alone, on a server that never saw the bundle.
    let third = test::init_service(app::app(redis.server())).await;
    let address = made.header("content-location");
    let kept = get(&third, &format!("{address}.tar.gz"), &[]).await;
    assert_eq!((kept.header("cache-status"), kept.body == made.body), (SHARED, true));
    // A failure with its messages as well.
    let bad = || b"def A : Missing;\n".to_vec();
    let one = test::init_service(app::app(one)).await;
    let failed = post(&one, "/v1/check", "text/plain", bad()).await;
    redis.holds(2).await;
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

#[actix_web::test]
async fn killed() {
    let Some(redis) = Redis::start() else { return };
    let (one, port) = (redis.server(), redis.port);
    generate!(one, 1);
    redis.holds(1).await;
    drop(redis);
    for number in 2..10 {
        let (made, time) = generate!(one, number);
        assert_eq!(made.header("cache-status"), MISS);
        assert!(time < Duration::from_secs(2), "{time:?}");
    }
    let admin =
        actix_web::App::new().app_data(one.clone()).configure(odsmith_service::routes::configure_admin);
    let admin = test::init_service(admin).await;
    assert_eq!(get(&admin, "/readyz", &[]).await.status, 200, "degraded, and ready");
    let metrics = String::from_utf8(get(&admin, "/metrics", &[]).await.body).unwrap();
    let failures = metrics.lines().find(|line| line.contains("outcome=\"failure\"")).unwrap();
    assert!(!failures.ends_with(" 0"), "{failures}");
    // It comes back, and is used again.
    let redis = Redis::start_at(port).unwrap();
    sleep(Duration::from_millis(2_200)).await;
    generate!(one, 20);
    redis.holds(1).await;
    assert_eq!(generate!(redis.server(), 20).0.header("cache-status"), SHARED);
}

#[actix_web::test]
async fn hung() {
    let Some(redis) = Redis::start() else { return };
    let one = redis.server();
    generate!(one, 1);
    redis.signal("-STOP");
    let start = Instant::now();
    for number in 2..12 {
        let (made, time) = generate!(one, number);
        assert_eq!(made.header("cache-status"), MISS);
        assert!(time < Duration::from_secs(2), "{time:?}");
    }
    // It is asked again now and then, not each time.
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    redis.signal("-CONT");
}

#[actix_web::test]
async fn corrupted() {
    let Some(redis) = Redis::start() else { return };
    let (made, _) = generate!(redis.server(), 1);
    let name = redis.holds(1).await.remove(0);
    let entry: Vec<u8> = redis.call(&[b"GET", name.as_bytes()]);
    let mut flipped = entry.clone();
    flipped[entry.len() / 2] ^= 1;
    let (other, _) = generate!(redis.server(), 2);
    let names = redis.holds(2).await;
    let others: Vec<u8> = redis.call(&[b"GET", names.iter().find(|it| **it != name).unwrap().as_bytes()]);
    assert_ne!(other.body, made.body);
    // Damaged, cut, empty, garbage, and a sound one that is another's.
    for wrong in [&flipped, &entry[..40].to_vec(), &Vec::new(), &b"garbage".to_vec(), &others] {
        let _: () = redis.call(&[b"SET", name.as_bytes(), wrong]);
        let server = redis.server();
        let (again, _) = generate!(server, 1);
        assert_eq!((again.header("cache-status"), again.body == made.body), (MISS, true));
        assert_eq!(server.shared.as_ref().unwrap().counts.all()[3], ("damaged", 1));
        // What was made in its place mends it.
        let start = Instant::now();
        while redis.call::<Vec<u8>>(&[b"GET", name.as_bytes()]) != entry {
            assert!(start.elapsed() < Duration::from_secs(10));
            sleep(Duration::from_millis(10)).await;
        }
    }
    // A value of another type is an error of the call.
    let _: () = redis.call(&[b"DEL", name.as_bytes()]);
    let _: () = redis.call(&[b"LPUSH", name.as_bytes(), b"x"]);
    assert_eq!(generate!(redis.server(), 1).0.body, made.body);
    // A bundle that is another's is none.
    let digest = "0".repeat(64);
    let _: () = redis.call(&[b"SET", format!("odsmith:1:bundle:{digest}").as_bytes(), &bundle(1)]);
    let app = test::init_service(app::app(redis.server())).await;
    get(&app, &format!("/v1/generate?bundle={digest}"), &[]).await.is_problem(404, "bundle-not-found");
}

#[actix_web::test]
async fn full() {
    let Some(redis) = Redis::start() else { return };
    let one = redis.server();
    generate!(one, 1);
    redis.holds(1).await;
    let _: () = redis.call(&[b"CONFIG", b"SET", b"maxmemory-policy", b"noeviction"]);
    let _: () = redis.call(&[b"CONFIG", b"SET", b"maxmemory", b"1"]);
    for number in 2..6 {
        assert_eq!(generate!(one, number).0.header("cache-status"), MISS);
    }
    // What it has it still gives.
    assert_eq!(generate!(redis.server(), 1).0.header("cache-status"), SHARED);
}
