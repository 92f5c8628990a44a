//! Two servers that share a cache of builds: the rules for every shared store, a full or busy cache, and a slow one. The
//! cache checks blobs and results of actions with code of its own.

#![expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::{
    fs,
    process::Child,
    time::{Duration, Instant},
};

use crate::support::{
    http::{config, get, post},
    shared::{self, SHARED, Store, count, generate, is_unkept},
};
use actix_web::{App, rt::time::sleep, test};
use futures_util::future::join_all;
use odsmith_service::{
    config::Config,
    http::{app, routes},
    store::keys,
};
use odsmith_tests::folder::TestFolder;

struct Cache {
    child: Child,
    /// Its folder: the port, the objects, and its configuration.
    home: TestFolder,
}

impl Cache {
    fn start(name: &str) -> Cache {
        let home = TestFolder::new(&format!("http-cache-{name}"));
        Cache { child: shared::stand_in("http_cache.py", &home, &[]), home }
    }

    fn tell(&self, what: &str, value: &str) {
        fs::write(self.home.join(what), value).unwrap();
    }
}

/// The first byte of `stdout_raw`, which holds a small entry, and of `output_files`.
const INLINE: u8 = 0x2a;
const FILE: u8 = 0x12;

impl Store for Cache {
    fn config(&self) -> Config {
        let port = fs::read_to_string(self.home.join("port")).unwrap();
        Config { shared_cache: Some(format!("http://127.0.0.1:{port}/some/")), ..config() }
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.home.join("objects/ac")).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        // Neither places nor bundles.
        let is_place =
            |entry: &[u8]| entry.get(..64).is_some_and(|key| key.iter().all(u8::is_ascii_hexdigit));
        names.retain(|name| {
            let entry = self.read(name);
            !is_place(&entry) && !entry.starts_with(b"PK")
        });
        names.sort();
        names
    }

    fn read(&self, name: &str) -> Vec<u8> {
        let message = fs::read(self.home.join("objects/ac").join(name)).unwrap();
        match message[0] {
            INLINE => {
                let start = 1 + message[1..].iter().position(|byte| byte & 0x80 == 0).unwrap() + 1;
                message[start..].to_vec()
            }
            FILE => {
                let text = String::from_utf8_lossy(&message).into_owned();
                let is_digest = |word: &&str| keys::is_key(word);
                let digest = text.split(|letter: char| !letter.is_ascii_hexdigit()).find(is_digest).unwrap();
                fs::read(self.home.join("objects/cas").join(digest)).unwrap()
            }
            other => unreachable!("a message that begins with {other}"),
        }
    }

    fn write(&self, name: &str, entry: &[u8]) {
        let mut message = vec![INLINE];
        let mut length = entry.len();
        while length > 0x7f {
            message.push((length & 0x7f) as u8 | 0x80);
            length >>= 7;
        }
        message.push(length as u8);
        message.extend_from_slice(entry);
        fs::write(self.home.join("objects/ac").join(name), message).unwrap();
    }

    fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    fn start_again(&mut self) {
        self.child = shared::stand_in("http_cache.py", &self.home, &[]);
    }
}

impl Drop for Cache {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[actix_web::test]
async fn what_one_server_makes_the_other_has() {
    shared::what_one_server_makes_the_other_has(&Cache::start("shared")).await;
}

#[actix_web::test]
async fn limits_are_not_shared() {
    shared::limits_are_not_shared(&Cache::start("limits")).await;
}

#[actix_web::test]
async fn forged() {
    let cache = Cache::start("forged");
    let key = cache.home.join("key");
    shared::forged(&cache, &key).await;
}

#[actix_web::test]
async fn killed() {
    shared::killed(&mut Cache::start("killed")).await;
}

#[actix_web::test]
async fn hung() {
    shared::hung(&mut Cache::start("hung"), Duration::from_secs(4), Duration::from_secs(8)).await;
}

#[actix_web::test]
async fn corrupted() {
    shared::corrupted(&Cache::start("corrupted")).await;
}

#[actix_web::test]
async fn full_and_busy() {
    let cache = Cache::start("full");
    let one = cache.server();
    generate(&one, 1).await;
    cache.holds(1);
    cache.tell("FULL", "");
    for number in 2..6 {
        is_unkept(&one, number).await;
    }
    // Entries that were stored are still read.
    let other = cache.server();
    assert_eq!(generate(&other, 1).await.0.header("cache-status"), SHARED);
    assert_eq!(cache.names().len(), 1);
    // A store that is overloaded is left alone for a while.
    cache.tell("BUSY", "");
    for number in 6..10 {
        is_unkept(&other, number).await;
    }
    assert!(count(&other, "failure") >= 4);
    let admin = test::init_service(App::new().app_data(other).configure(routes::configure_admin)).await;
    let ready = get(&admin, "/readyz", &[]).await;
    assert_eq!(ready.status, 200);
    assert!(String::from_utf8_lossy(&ready.body).contains("the shared cache: it does not answer"));
}

/// A cache that takes less than the servers make loses nothing: what an answer does not wait for is sent later.
#[actix_web::test]
async fn slow() {
    let cache = Cache::start("slow");
    cache.tell("SLOW", "80");
    let server = cache.server();
    let text = |number: u32| format!("def A{number};\n").into_bytes();
    let app = test::init_service(app::app(server.clone())).await;
    let made = join_all((0..30).map(|number| post(&app, "/v1/tblgen", "*/*", text(number)))).await;
    let named = made.iter().filter(|answer| !answer.header("content-location").is_empty()).count();
    assert!(named < 30, "it is not slow");
    for answer in &made {
        assert_eq!(answer.status, 200);
        let is_kept = !answer.header("content-location").is_empty();
        assert_eq!(answer.header("cache-status"), if is_kept { shared::MISS } else { shared::UNKEPT });
    }
    let tier = server.results.shared.as_ref().unwrap();
    assert!(tier.waiting() > 0);
    let start = Instant::now();
    while tier.waiting() > 0 {
        assert!(start.elapsed() < Duration::from_secs(60), "{} wait", tier.waiting());
        sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(cache.names().len(), 30);
    assert_eq!((count(&server, "failure"), count(&server, "dropped")), (0, 0));
}
