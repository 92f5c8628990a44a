//! The store on disk: across restarts and kills, shared by two processes, damaged and full.

#![expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::{
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::Arc,
    thread,
};

use crate::support::{
    archive,
    http::{config, get, post, send, state},
};
use actix_web::{App, test};
use odsmith_service::{
    config::Config,
    http::{app, routes},
    store::{archive::Format, keys},
};
use odsmith_tests::{
    folder::TestFolder,
    http::{Answer as Reply, request_to},
    set_up,
};

const DISK: &str = "odsmith; hit; detail=disk";

/// A folder of one test.
struct Scratch(TestFolder);

impl Scratch {
    fn new(name: &str) -> Scratch {
        Scratch(TestFolder::new(&format!("stores-{name}")))
    }

    fn config(&self) -> Config {
        Config { store: Some(self.0.join("store")), ..config() }
    }
}

/// Every file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut all: Vec<PathBuf> =
        entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect();
    all.sort();
    all
}

fn text(number: usize) -> Vec<u8> {
    format!("def A{number} {{ string s = \"{}\"; }}\n", "x".repeat(20 << 10)).into_bytes()
}

const RECORDS: &str = "/v1/tblgen?flags=--print-records";

#[actix_web::test]
async fn addresses_are_good_over_a_restart() {
    let scratch = Scratch::new("restart");
    let (bundle, mut addresses) = (archive(Format::Zip, &[("a.td", "def A;")]), Vec::new());
    let put = || test::TestRequest::put().uri(&format!("/v1/bundles/{}", keys::sha256(&bundle)));
    {
        let app = test::init_service(app::app(state(&scratch.config()))).await;
        let made = post(&app, "/v1/generate", "*/*", bundle.clone()).await;
        assert_eq!(made.header("cache-status"), "odsmith; fwd=miss; stored");
        addresses.push((format!("{}.tar.gz", made.header("content-location")), made.body));
        // A failure's outputs have links, which stay valid as well.
        let failed = post(&app, RECORDS, "*/*", b"def A : Missing;".to_vec()).await;
        let failure = failed.is_problem(422, "tablegen-errors")["result"].as_str().unwrap().to_owned();
        let object = get(&app, &failure, &[]).await.body;
        addresses.push((failure, object));
        assert_eq!(send(&app, put(), "application/zip", bundle.clone()).await.status, 201);
    }
    let app = test::init_service(app::app(state(&scratch.config()))).await;
    for (address, body) in &addresses {
        let kept = get(&app, address, &[]).await;
        assert_eq!((kept.status.as_u16(), kept.header("cache-status")), (200, DISK), "{address}");
        assert!(kept.body == *body, "{address}");
        assert_eq!(get(&app, address, &[]).await.header("cache-status"), "odsmith; hit; detail=memory");
    }
    assert_eq!(send(&app, put(), "application/zip", bundle.clone()).await.status, 204, "known");
    // The same request does not start a job.
    let again = test::init_service(app::app(state(&scratch.config()))).await;
    let made = post(&again, "/v1/generate", "*/*", bundle.clone()).await;
    assert_eq!((made.header("cache-status"), made.body == addresses[0].1), (DISK, true));
}

/// A result larger than the memory is read from disk once for all who read it at the same time.
#[actix_web::test]
async fn a_result_that_is_too_large_for_memory_is_shared() {
    let scratch = Scratch::new("large");
    let state = state(&Config { cache_mb: 1, ..scratch.config() });
    let app = test::init_service(app::app(state.clone())).await;
    let text = format!("def A {{ string s = \"{}\"; }}\n", "x".repeat(900 << 10)).into_bytes();
    let made = post(&app, RECORDS, "*/*", text).await;
    let address = made.header("content-location").to_owned();
    let rest = address.strip_prefix("/v1/results/").unwrap();
    let (key, path) = rest.split_once("/files/").unwrap();
    let read = async || state.results.stored(key).await.unwrap().stored;
    let (first, second) = (read().await, read().await);
    assert!(Arc::ptr_eq(&first, &second), "one copy for all readers");
    let (part, weak) = (state.results.file(&second, path).unwrap(), Arc::downgrade(&second));
    drop((first, second));
    assert!(std::ptr::eq(weak.as_ptr(), Arc::as_ptr(&read().await)), "bytes of it hold all of it");
    assert_eq!(part.bytes, made.body);
    drop(part);
    // The memory cache frees an entry that it rejected when no thread of the process reads an older state of a cache. Other
    // tests run in threads of the same process.
    for _ in 0..2000 {
        if weak.strong_count() == 0 {
            break;
        }
        state.results.caches.results.run_pending_tasks().await;
        actix_web::rt::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!(weak.strong_count(), 0, "what is read no more is held no more");
    assert_eq!(get(&app, &address, &[]).await.body, made.body);
}

#[actix_web::test]
async fn damaged_entries_are_made_anew() {
    let scratch = Scratch::new("damaged");
    let made = {
        let app = test::init_service(app::app(state(&scratch.config()))).await;
        post(&app, RECORDS, "*/*", text(1)).await
    };
    let [file] = &files(&scratch.0.join("store/results"))[..] else { panic!("one file") };
    let entry = fs::read(file).unwrap();
    let mut flipped = entry.clone();
    flipped[entry.len() / 2] ^= 1;
    for wrong in [&flipped[..], &entry[..entry.len() - 1], b""] {
        fs::write(file, wrong).unwrap();
        let state = state(&scratch.config());
        let app = test::init_service(app::app(state.clone())).await;
        get(&app, made.header("content-location"), &[]).await.is_problem(404, "result-not-found");
        assert!(!file.exists(), "it is dropped");
        let again = post(&app, RECORDS, "*/*", text(1)).await;
        assert_eq!((again.status.as_u16(), again.body == made.body), (200, true));
        assert!(fs::read(file).unwrap() == entry, "and mended");
        let counts = state.results.disk.as_ref().unwrap().counts.all();
        assert_eq!(counts.iter().find(|(name, _)| *name == "damaged").unwrap().1, 1);
    }
}

/// Others may write to the folder. Nothing but a regular file of a limited size is read, and nothing outside is touched.
#[cfg(target_os = "linux")]
#[actix_web::test]
async fn what_is_no_entry_is_made_anew() {
    let scratch = Scratch::new("hostile");
    let made = {
        let app = test::init_service(app::app(state(&scratch.config()))).await;
        post(&app, RECORDS, "*/*", text(1)).await
    };
    let [file] = &files(&scratch.0.join("store/results"))[..] else { panic!("one file") };
    let entry = fs::read(file).unwrap();
    let outside = scratch.0.join("outside");
    let link = |to: &str| std::os::unix::fs::symlink(to, file).unwrap();
    type Plant<'p> = (&'static str, &'p dyn Fn());
    let plants: [Plant<'_>; 7] = [
        ("a pipe", &|| assert!(Command::new("mkfifo").arg(file).status().unwrap().success())),
        ("endless", &|| link("/dev/zero")),
        ("a circle", &|| link(file.to_str().unwrap())),
        ("a link to what would be an entry", &|| link(outside.join("entry").to_str().unwrap())),
        ("sparse", &|| fs::File::create(file).unwrap().set_len(8 << 30).unwrap()),
        ("a folder", &|| fs::create_dir_all(file.join("with/more")).unwrap()),
        ("a link in the place of its folder", &|| {
            let folder = file.parent().unwrap();
            fs::remove_dir_all(folder).unwrap();
            std::os::unix::fs::symlink(&outside, folder).unwrap();
        }),
    ];
    for (what, plant) in plants {
        fs::remove_file(file).unwrap();
        fs::create_dir_all(&outside).unwrap();
        for name in [std::ffi::OsStr::new("entry"), file.file_name().unwrap()] {
            fs::write(outside.join(name), &entry).unwrap();
        }
        plant();
        let state = state(&scratch.config());
        let app = test::init_service(app::app(state.clone())).await;
        // A use that is noted waits for nothing either.
        let disk = state.results.disk.clone().unwrap();
        let key = file.file_name().unwrap().to_str().unwrap().to_owned();
        let touched = actix_web::web::block(move || disk.touch(&key));
        let read = get(&app, made.header("content-location"), &[]);
        let wait = std::time::Duration::from_secs(10);
        let (touched, read) = futures_util::join!(
            actix_web::rt::time::timeout(wait, touched),
            actix_web::rt::time::timeout(wait, read)
        );
        touched.unwrap_or_else(|_| panic!("{what}: noting a use hangs")).unwrap();
        read.unwrap_or_else(|_| panic!("{what}: reading hangs")).is_problem(404, "result-not-found");
        let again = post(&app, RECORDS, "*/*", text(1)).await;
        assert_eq!((again.status.as_u16(), again.body == made.body), (200, true), "{what}");
        assert!(fs::symlink_metadata(file).unwrap().is_file(), "{what}: it is mended");
        assert!(fs::read(file).unwrap() == entry, "{what}: it is mended");
        assert_eq!(files(&outside).len(), 2, "{what}: what is outside stays");
    }
}

/// Only files that are named as entries are removed when the store is full.
#[cfg(unix)]
#[actix_web::test]
async fn a_full_store_removes_nothing_but_entries() {
    let scratch = Scratch::new("others");
    let outside = scratch.0.join("outside");
    fs::create_dir_all(outside.join("ab")).unwrap();
    let config = Config { store_mb: 1, ..scratch.config() };
    drop(state(&config));
    let results = scratch.0.join("store/results");
    fs::remove_dir(results.join("ab")).unwrap();
    std::os::unix::fs::symlink(&outside, results.join("ab")).unwrap();
    std::os::unix::fs::symlink(&outside, results.join("zz")).unwrap();
    let digest = keys::sha256(b"x");
    let others = [outside.join("notes.txt"), outside.join(&digest), results.join("00/notes.txt")];
    let own = results.join("00").join(digest.replacen(&digest[..2], "00", 1));
    for file in others.iter().chain([&own]) {
        fs::write(file, vec![0; 700 << 10]).unwrap();
        let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(1_000_000);
        fs::File::options().append(true).open(file).unwrap().set_modified(long_ago).unwrap();
    }
    let unfinished = scratch.0.join("store/new/letter.txt");
    fs::write(&unfinished, "not an entry").unwrap();
    fs::File::options().append(true).open(&unfinished).unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
    let app = test::init_service(app::app(state(&config))).await;
    let large = archive(Format::Tar, &[("a.td", &"x".repeat(500 << 10))]);
    let uri = format!("/v1/bundles/{}", keys::sha256(&large));
    let put = send(&app, test::TestRequest::put().uri(&uri), "application/x-tar", large).await;
    assert_eq!(put.status, 201);
    assert!(!own.exists(), "the store is full");
    assert!(others.iter().chain([&unfinished]).all(|file| file.exists()));
}

/// A hit in memory counts as a use on disk.
#[actix_web::test]
async fn what_is_hot_in_memory_stays_on_the_disk() {
    let scratch = Scratch::new("hot");
    // Entries compress to almost nothing, so bundles, which do not, fill the store of one megabyte.
    let state = state(&Config { store_mb: 1, ..scratch.config() });
    let app = test::init_service(app::app(state.clone())).await;
    let made = post(&app, RECORDS, "*/*", text(1)).await;
    let [file] = &files(&scratch.0.join("store/results"))[..] else { panic!("one file") };
    let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(1_000_000);
    fs::File::options().append(true).open(file).unwrap().set_modified(long_ago).unwrap();
    assert_eq!(get(&app, made.header("content-location"), &[]).await.status, 200);
    state.results.note_uses().await;
    let noise = |mut seed: u64| -> String {
        let letters = (0..300 << 10).map(|_| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            char::from(b'a' + (seed >> 33) as u8 % 26)
        });
        letters.collect()
    };
    for number in 0..8 {
        let bundle = archive(Format::Tar, &[("a.td", &format!("// {}", noise(number)))]);
        let uri = format!("/v1/bundles/{}", keys::sha256(&bundle));
        let put = send(&app, test::TestRequest::put().uri(&uri), "application/x-tar", bundle).await;
        assert_eq!(put.status, 201, "{}", String::from_utf8_lossy(&put.body));
        // As if some time passed.
        state.results.note_uses().await;
        get(&app, made.header("content-location"), &[]).await;
    }
    let store = files(&scratch.0.join("store"));
    assert!(store.contains(file) && files(&scratch.0.join("store/bundles")).len() < 4, "{store:?}");
    let bytes: u64 = store.iter().map(|file| fs::metadata(file).unwrap().len()).sum();
    assert!(bytes <= 1 << 20, "{bytes} bytes");
}

/// Uses are recorded before a store that fills up fast has to evict.
#[actix_web::test]
async fn what_is_hot_stays_in_a_store_that_fills_up_fast() {
    let scratch = Scratch::new("fast");
    let state = state(&Config { store_mb: 1, ..scratch.config() });
    state.results.start();
    let app = test::init_service(app::app(state.clone())).await;
    let made = post(&app, RECORDS, "*/*", text(1)).await;
    let [file] = &files(&scratch.0.join("store/results"))[..] else { panic!("one file") };
    for number in 2..4 {
        // More than the share of the store that counts.
        for more in 0..8 {
            post(&app, RECORDS, "*/*", text(number * 100 + more)).await;
        }
        assert_eq!(get(&app, made.header("content-location"), &[]).await.status, 200);
        let old = std::time::SystemTime::now() - std::time::Duration::from_secs(1000);
        fs::File::options().append(true).open(file).unwrap().set_modified(old).unwrap();
        actix_web::rt::time::sleep(std::time::Duration::from_millis(2_500)).await;
        let used = fs::metadata(file).unwrap().modified().unwrap();
        assert!(used.elapsed().unwrap().as_secs() < 100, "its use was not noted");
    }
}

/// A server in a process of its own.
struct Server {
    child: Child,
    port: u16,
    admin: u16,
}

impl Server {
    /// A server whose shell runs `before` first.
    fn start(scratch: &Scratch, before: &str) -> Server {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("{before} exec \"$@\"")).arg("sh");
        Server::start_by(shell, scratch, &[])
    }

    /// A server whose store is a disk of its own, and which keeps next to nothing in memory; nothing where this system
    /// lets no one have such a disk.
    #[cfg(target_os = "linux")]
    #[expect(clippy::print_stderr, reason = "says what is not tested here")]
    fn start_on_disk(scratch: &Scratch, disk: &str) -> Option<Server> {
        let store = scratch.0.join("store");
        fs::create_dir_all(&store).unwrap();
        let in_namespace = |script: &str| {
            let mut command = Command::new("unshare");
            command.args(["--map-root-user", "--mount", "sh", "-c"]);
            command.arg(format!("mount -t tmpfs -o {disk} store \"$0\" && {script}")).arg(&store);
            command
        };
        if !in_namespace("true").status().is_ok_and(|status| status.success()) {
            eprintln!("no disk can be mounted here: this is not tested");
            return None;
        }
        Some(Server::start_by(in_namespace("exec \"$@\""), scratch, &["--cache-mb", "0"]))
    }

    fn start_by(mut command: Command, scratch: &Scratch, more: &[&str]) -> Server {
        let mut child = command
            .args([env!("CARGO_BIN_EXE_odsmith-service"), "serve", "--bind", "127.0.0.1:0"])
            .args(["--admin", "127.0.0.1:0", "--library", &format!("22={}", set_up::library()), "--store"])
            .arg(scratch.0.join("store"))
            .args(more)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut port = |what: &str| {
            let line = lines.find(|line| line.as_ref().unwrap().contains(what)).unwrap().unwrap();
            let address = line.split("127.0.0.1:").nth(1).unwrap();
            address.split('/').next().unwrap().parse().unwrap()
        };
        let (port, admin) = (port("serving on"), port("operators"));
        thread::spawn(move || lines.for_each(drop));
        Server { child, port, admin }
    }

    fn post(&self, body: &[u8]) -> Reply {
        request_to(self.port, "POST", RECORDS, &[("Content-Type", "text/plain")], body).unwrap().unwrap()
    }

    fn get(&self, path: &str) -> Reply {
        request_to(self.port, "GET", path, &[], b"").unwrap().unwrap()
    }

    fn ask_admin(&self, path: &str) -> String {
        let answer = request_to(self.admin, "GET", path, &[], b"").unwrap().unwrap();
        assert_eq!(answer.status, 200);
        String::from_utf8(answer.body).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // This is SIGKILL.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An answer that has arrived is on the disk, whatever happens next.
#[::core::prelude::v1::test]
fn what_was_answered_survives_a_kill() {
    let scratch = Scratch::new("kill");
    let mut addresses = Vec::new();
    for round in 0..3 {
        let server = Server::start(&scratch, "");
        for number in 0..4 {
            let made = server.post(&text(round * 10 + number));
            assert_eq!(made.status, 200);
            addresses.push((made.header("content-location").unwrap().to_owned(), made.body));
        }
        drop(server);
    }
    let server = Server::start(&scratch, "");
    for (address, body) in &addresses {
        let kept = server.get(address);
        assert_eq!((kept.status, kept.body == *body), (200, true), "{address}");
    }
}

#[::core::prelude::v1::test]
fn two_processes_share_a_folder() {
    let scratch = Scratch::new("two");
    let servers = [Server::start(&scratch, ""), Server::start(&scratch, "")];
    // The same results and different ones at the same time.
    let addresses: Vec<String> = thread::scope(|scope| {
        let writers: Vec<_> = servers
            .iter()
            .enumerate()
            .map(|(index, server)| {
                scope.spawn(move || {
                    let numbers = (0..10).chain([100 + index]);
                    let made = numbers.map(|number| server.post(&text(number)));
                    made.map(|made| made.header("content-location").unwrap().to_owned()).collect::<Vec<_>>()
                })
            })
            .collect();
        writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect()
    });
    for server in &servers {
        for address in &addresses {
            assert_eq!(server.get(address).status, 200, "{address}");
        }
    }
    assert_eq!(files(&scratch.0.join("store/results")).len(), 12);
}

/// Files may have four kilobytes: a disk that fills up in the middle of an entry reports much the same.
#[::core::prelude::v1::test]
fn a_full_disk_costs_nothing_but_what_is_kept() {
    let scratch = Scratch::new("full");
    let server = Server::start(&scratch, "trap '' XFSZ; ulimit -f 8;");
    let mut seed = 1_u32;
    let noise: String = (0..20_000)
        .map(|_| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            char::from(b'a' + (seed >> 24) as u8 % 26)
        })
        .collect();
    assert_eq!(server.ask_admin("/readyz"), "ok\n");
    let large = format!("def A {{ string s = \"{noise}\"; }}\n").into_bytes();
    let made = server.post(&large);
    assert_eq!(made.status, 200);
    let address = made.header("content-location").unwrap().to_owned();
    let kept = server.get(&address);
    assert_eq!((kept.status, kept.body == made.body), (200, true), "it is in memory");
    let ready = server.ask_admin("/readyz");
    assert!(ready.starts_with("ok\nthe store keeps nothing new: "), "{ready}");
    let metrics = server.ask_admin("/metrics");
    for line in ["odsmith_store_faulty 1", "odsmith_store_calls{outcome=\"failure\"} 1"] {
        assert!(metrics.lines().any(|known| known == line), "no {line} in\n{metrics}");
    }
    assert!(files(&scratch.0.join("store/results")).is_empty(), "half an entry is none");
    // Once something can be stored, the store is healthy again.
    let small = server.post(b"def B;\n");
    assert_eq!((small.status, server.ask_admin("/readyz")), (200, "ok\n".to_owned()));
    assert!(server.ask_admin("/metrics").contains("odsmith_store_faulty 0"));
    let small = small.header("content-location").unwrap().to_owned();
    drop(server);
    let server = Server::start(&scratch, "");
    assert_eq!([&small, &address].map(|address| server.get(address).status), [200, 404]);
}

/// A disk that has fewer bytes or names than the store may take: what was used least recently makes way.
#[cfg(target_os = "linux")]
#[::core::prelude::v1::test]
fn a_disk_that_is_full_makes_way_for_new_entries() {
    // The folders of entries take some 800 names, so that the last disk has not even enough of those.
    for (disk, count) in [("size=2m", 60), ("nr_inodes=900", 200), ("nr_inodes=500", 30)] {
        let scratch = Scratch::new("small");
        let Some(server) = Server::start_on_disk(&scratch, disk) else { return };
        let noise = |mut seed: u64| -> String {
            let letters = (0..80 << 10).map(|_| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                char::from(b'a' + (seed >> 33) as u8 % 26)
            });
            letters.collect()
        };
        let mut addresses = Vec::new();
        for number in 0..count {
            let size = if disk.contains("size") { noise(number) } else { String::new() };
            let made = server.post(format!("def A{number} {{ string s = \"{size}\"; }}\n").as_bytes());
            assert_eq!(made.status, 200);
            let address = made.header("content-location").unwrap().to_owned();
            let kept = server.get(&address);
            assert_eq!((kept.status, kept.body == made.body), (200, true), "{disk}: number {number} is kept");
            assert_eq!(kept.header("cache-status"), Some(DISK), "{disk}");
            addresses.push(address);
        }
        assert_eq!(server.ask_admin("/readyz"), "ok\n", "{disk}");
        if count > 30 {
            assert_eq!(server.get(&addresses[0]).status, 404, "{disk}: the oldest made way");
        }
        let before_last = &addresses[addresses.len() - 2];
        assert_eq!(server.get(before_last).status, 200, "{disk}: no more than needed");
    }
}

#[actix_web::test]
async fn an_invalid_store_is_an_error_at_the_start() {
    let scratch = Scratch::new("wrong");
    fs::write(scratch.0.join("store"), "a file").unwrap();
    let wrong = |config: &Config| odsmith_service::store::disk(config).unwrap_err();
    assert!(wrong(&scratch.config()).contains("store"), "{}", wrong(&scratch.config()));
    fs::remove_file(scratch.0.join("store")).unwrap();
    let error = wrong(&Config { keep: Some("soon".into()), ..scratch.config() });
    assert!(error.contains("'soon' is not a time"), "{error}");
    let error = wrong(&Config { keep: Some("1d".into()), ..config() });
    assert!(error.contains("--store DIR"), "{error}");
    // A store without a fault is ready.
    let state = state(&scratch.config());
    let admin = test::init_service(App::new().app_data(state).configure(routes::configure_admin)).await;
    assert_eq!(get(&admin, "/readyz", &[]).await.body, b"ok\n");
}

/// A build can fetch bytes by digest without knowing which result they belong to.
#[actix_web::test]
async fn bytes_are_found_by_their_digest() {
    let scratch = Scratch::new("cas");
    let cas = |bytes: &[u8]| format!("/cas/{}", keys::sha256(bytes));
    let (output, archived) = {
        let app = test::init_service(app::app(state(&scratch.config()))).await;
        let made = post(&app, RECORDS, "*/*", text(1)).await;
        let result = made.header("content-location").split("/files").next().unwrap();
        let archived = get(&app, &format!("{result}.tar.zst"), &[]).await.body;
        let object = get(&app, &format!("{result}/files/result.json"), &[]).await.body;
        for bytes in [&made.body, &archived, &object] {
            let found = get(&app, &cas(bytes), &[]).await;
            assert_eq!((found.status.as_u16(), found.body == *bytes), (200, true));
            assert_eq!(found.header("content-type"), "application/octet-stream");
            assert_eq!(found.header("cache-control"), "public, max-age=31536000, immutable, no-transform");
        }
        // The index is written in the background.
        let start = std::time::Instant::now();
        while files(&scratch.0.join("store/places")).len() < 2 {
            assert!(start.elapsed() < std::time::Duration::from_secs(10));
            actix_web::rt::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        (made.body, archived)
    };
    // Outputs and archives are found after a restart as well.
    let app = test::init_service(app::app(state(&scratch.config()))).await;
    for bytes in [&output, &archived] {
        let found = get(&app, &cas(bytes), &[]).await;
        assert_eq!((found.status.as_u16(), found.body == *bytes), (200, true));
    }
    let site = post(&app, "/v1/generate", "*/*", archive(Format::Zip, &[("a.td", "def A;")])).await;
    let page = format!("{}/files/site/index.html", site.header("content-location"));
    let page = get(&app, &page, &[]).await;
    assert_eq!(page.status, 200);
    get(&app, &cas(&page.body), &[]).await.is_problem(404, "not-found");
    assert_eq!(get(&app, &cas(b""), &[]).await.status, 200, "what Bazel asks first");
    get(&app, &cas(b"unknown"), &[]).await.is_problem(404, "not-found");
    get(&app, "/cas/x", &[]).await.is_problem(404, "not-found");
    get(&app, &cas(b"x").replace("cas", "ac"), &[]).await.is_problem(404, "not-found");
    let put = test::TestRequest::put().uri(&cas(b"x"));
    send(&app, put, "application/octet-stream", "x").await.is_problem(405, "method-not-allowed");
    // An index entry that leads to other bytes is not served.
    let digest = keys::sha256(b"something else");
    let there = fs::read(files(&scratch.0.join("store/places")).remove(0)).unwrap();
    let folder = scratch.0.join("store/places").join(&digest[..2]);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(&digest), there).unwrap();
    get(&app, &format!("/cas/{digest}"), &[]).await.is_problem(404, "not-found");
}
