//! Two servers that share one Redis: the rules for every shared store, and a full Redis.

#![expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]
#![expect(clippy::print_stderr, reason = "a test that cannot run says so")]

use std::{
    net::TcpStream,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::support::{
    http::{config, get, state},
    shared::{self, MISS, SHARED, Store, bundle, count, generate, is_missed, is_unkept},
};
use actix_web::test;
use odsmith_service::{config::Config, http::app};
use odsmith_tests::{folder::TestFolder, port};

struct Redis {
    child: Child,
    port: u16,
}

impl Redis {
    /// A Redis that keeps nothing after it ends; `None` if Redis is not installed.
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

    fn call<T: redis::FromRedisValue>(&self, words: &[&[u8]]) -> T {
        let client = redis::Client::open(format!("redis://127.0.0.1:{}/", self.port)).unwrap();
        let mut command = redis::cmd(std::str::from_utf8(words[0]).unwrap());
        words[1..].iter().for_each(|word| {
            command.arg(*word);
        });
        command.query(&mut client.get_connection().unwrap()).unwrap()
    }
}

impl Store for Redis {
    fn config(&self) -> Config {
        Config { shared_cache: Some(format!("redis://127.0.0.1:{}/", self.port)), ..config() }
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.call(&[b"KEYS", b"odsmith:2:result:*"]);
        names.sort();
        names
    }

    fn read(&self, name: &str) -> Vec<u8> {
        self.call(&[b"GET", name.as_bytes()])
    }

    fn write(&self, name: &str, entry: &[u8]) {
        self.call::<()>(&[b"SET", name.as_bytes(), entry]);
    }

    fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    fn start_again(&mut self) {
        *self = Redis::start_at(self.port).unwrap();
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[actix_web::test]
async fn what_one_server_makes_the_other_has() {
    let Some(redis) = Redis::start() else { return };
    shared::what_one_server_makes_the_other_has(&redis).await;
}

#[actix_web::test]
async fn limits_are_not_shared() {
    let Some(redis) = Redis::start() else { return };
    shared::limits_are_not_shared(&redis).await;
}

#[actix_web::test]
async fn forged() {
    let Some(redis) = Redis::start() else { return };
    shared::forged(&redis, &TestFolder::new("redis-key").join("key")).await;
}

#[actix_web::test]
async fn killed() {
    let Some(mut redis) = Redis::start() else { return };
    shared::killed(&mut redis).await;
}

#[actix_web::test]
async fn hung() {
    let Some(mut redis) = Redis::start() else { return };
    shared::hung(&mut redis, Duration::from_secs(2), Duration::from_secs(3)).await;
}

#[actix_web::test]
async fn corrupted() {
    let Some(redis) = Redis::start() else { return };
    let name = shared::corrupted(&redis).await;
    // A value of another type is an error of the call.
    let _: () = redis.call(&[b"DEL", name.as_bytes()]);
    let _: () = redis.call(&[b"LPUSH", name.as_bytes(), b"x"]);
    is_missed(&redis.server(), 1).await;
    // A bundle under another's digest is not accepted.
    let digest = "0".repeat(64);
    redis.write(&format!("odsmith:2:bundle:{digest}"), &bundle(1));
    let app = test::init_service(app::app(redis.server())).await;
    get(&app, &format!("/v1/generate?bundle={digest}"), &[]).await.is_problem(404, "bundle-not-found");
}

/// A value longer than the longest entry is refused before it is received.
#[actix_web::test]
async fn too_long() {
    let Some(redis) = Redis::start() else { return };
    let (made, first) = generate(&redis.server(), 1).await;
    let name = redis.holds(1).remove(0);
    let mut config = redis.config();
    // The limit of an entry follows from the limit of outputs.
    config.limits.job.output_bytes = 100 << 10;
    let _: () = redis.call(&[b"SETRANGE", name.as_bytes(), b"1000000", b"x"]);
    let server = state(&config);
    let (again, time) = generate(&server, 1).await;
    assert_eq!((again.header("cache-status"), again.body == made.body), (MISS, true));
    assert_eq!((count(&server, "failure"), count(&server, "damaged")), (1, 0));
    assert!(time < Duration::from_secs(2) + first * 4, "{time:?}, and {first:?} at first");
}

#[actix_web::test]
async fn full() {
    let Some(redis) = Redis::start() else { return };
    let one = redis.server();
    generate(&one, 1).await;
    redis.holds(1);
    let _: () = redis.call(&[b"CONFIG", b"SET", b"maxmemory-policy", b"noeviction"]);
    let _: () = redis.call(&[b"CONFIG", b"SET", b"maxmemory", b"1"]);
    for number in 2..6 {
        is_unkept(&one, number).await;
    }
    // Entries that were stored are still read.
    assert_eq!(generate(&redis.server(), 1).await.0.header("cache-status"), SHARED);
}
