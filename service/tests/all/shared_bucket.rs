//! Two servers that share one bucket: the rules for every shared store, a full or busy bucket, and a wrong secret. The
//! bucket checks each signature with code of its own.

#![expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::{fs, path::Path, process::Child, time::Duration};

use crate::support::{
    http::{config, state},
    shared::{self, SHARED, Store, count, generate, is_unkept},
};
use odsmith_service::config::Config;
use odsmith_tests::folder::TestFolder;

/// Both hold characters that an address must percent-encode.
const KEY: &str = "AKIA/key";
const SECRET: &str = "secret+/=:@";

struct Bucket {
    child: Child,
    /// Its folder: the port, the objects, and its configuration.
    home: TestFolder,
}

impl Bucket {
    fn start(name: &str) -> Bucket {
        let home = TestFolder::new(&format!("s3-{name}"));
        Bucket { child: spawn(&home), home }
    }

    fn port(&self) -> String {
        fs::read_to_string(self.home.join("port")).unwrap()
    }

    fn config_with(&self, secret: &str) -> Config {
        let plain = |text: &str| {
            percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
        };
        let address = format!(
            "s3://{}:{}@cache/some/where?endpoint=http://127.0.0.1:{}&region=eu-test-1",
            plain(KEY),
            plain(secret),
            self.port()
        );
        Config { shared_cache: Some(address), ..config() }
    }

    fn tell(&self, what: &str) {
        fs::write(self.home.join(what), "").unwrap();
    }
}

impl Store for Bucket {
    fn config(&self) -> Config {
        self.config_with(SECRET)
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.home.join("objects")).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.retain(|name| name.contains("%2Fresults%2F"));
        names.sort();
        names
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.home.join("objects").join(name)).unwrap()
    }

    fn write(&self, name: &str, entry: &[u8]) {
        fs::write(self.home.join("objects").join(name), entry).unwrap();
    }

    fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    fn start_again(&mut self) {
        self.child = spawn(&self.home);
    }
}

impl Drop for Bucket {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(home: &Path) -> Child {
    shared::stand_in("s3.py", home, &[KEY, SECRET, "eu-test-1", "cache"])
}

#[actix_web::test]
async fn what_one_server_makes_the_other_has() {
    let bucket = Bucket::start("shared");
    shared::what_one_server_makes_the_other_has(&bucket).await;
    let name = &bucket.names()[0];
    assert!(name.starts_with("some%2Fwhere%2Fodsmith%2F2%2F"), "{name}");
}

#[actix_web::test]
async fn limits_are_not_shared() {
    let bucket = Bucket::start("limits");
    shared::limits_are_not_shared(&bucket).await;
}

#[actix_web::test]
async fn forged() {
    let bucket = Bucket::start("forged");
    let key = bucket.home.join("key");
    shared::forged(&bucket, &key).await;
}

#[actix_web::test]
async fn killed() {
    shared::killed(&mut Bucket::start("killed")).await;
}

#[actix_web::test]
async fn hung() {
    shared::hung(&mut Bucket::start("hung"), Duration::from_secs(4), Duration::from_secs(8)).await;
}

#[actix_web::test]
async fn corrupted() {
    shared::corrupted(&Bucket::start("corrupted")).await;
}

#[actix_web::test]
async fn full_and_busy() {
    let bucket = Bucket::start("full");
    let one = bucket.server();
    generate(&one, 1).await;
    bucket.holds(1);
    bucket.tell("FULL");
    for number in 2..6 {
        is_unkept(&one, number).await;
    }
    // Entries that were stored are still read.
    let other = bucket.server();
    assert_eq!(generate(&other, 1).await.0.header("cache-status"), SHARED);
    assert_eq!(bucket.names().len(), 1);
    // A store that is overloaded is left alone for a while.
    bucket.tell("BUSY");
    for number in 6..10 {
        is_unkept(&other, number).await;
    }
    assert!(count(&other, "failure") >= 4);
}

#[actix_web::test]
async fn a_wrong_secret_is_no_key_to_it() {
    let bucket = Bucket::start("secret");
    let stranger = state(&bucket.config_with("another"));
    is_unkept(&stranger, 1).await;
    assert!(count(&stranger, "failure") >= 2);
    assert!(bucket.names().is_empty());
}
