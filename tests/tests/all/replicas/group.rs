//! Several servers behind nginx with the configuration of `docker/`, and a store that they share.

use std::{
    fs,
    io::{Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use odsmith_tests::{
    folder::TestFolder,
    http::{Answer, Service, request_to},
    port,
    set_up::repository,
};

/// A child process, stopped on drop.
pub struct ChildProcess(pub Child);

impl Drop for ChildProcess {
    fn drop(&mut self) {
        // On SIGTERM, nginx also stops its workers.
        let _ = Command::new("kill").arg(self.0.id().to_string()).status();
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(5) && !matches!(self.0.try_wait(), Ok(Some(_))) {
            thread::sleep(Duration::from_millis(20));
        }
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub fn start(port: u16, command: &mut Command) -> Option<ChildProcess> {
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()?;
    let running = ChildProcess(child);
    let start = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(start.elapsed() < Duration::from_secs(20), "{command:?} does not listen");
        thread::sleep(Duration::from_millis(20));
    }
    Some(running)
}

/// A store that servers share, in a process of its own.
pub struct SharedStore {
    pub process: ChildProcess,
    /// Its address, as `--shared-cache` takes it.
    pub address: String,
    _folder: Option<TestFolder>,
}

impl SharedStore {
    /// Starts a Redis; each write to it takes `delay` longer.
    pub fn redis(delay: Duration) -> Option<SharedStore> {
        let redis = port::free();
        let mut command = Command::new("redis-server");
        command.args(["--port", &redis.to_string(), "--bind", "127.0.0.1", "--save", ""]);
        let process = skipped(start(redis, command.current_dir(std::env::temp_dir())), "redis-server")?;
        let port = if delay.is_zero() { redis } else { delayed(redis, delay) };
        Some(SharedStore { process, address: format!("redis://127.0.0.1:{port}/"), _folder: None })
    }

    /// Starts a bucket.
    pub fn bucket(name: &str) -> Option<SharedStore> {
        let folder = TestFolder::new(&format!("replicas-s3-{name}"));
        let arguments = [folder.join("objects").display().to_string()];
        let arguments = arguments.iter().map(String::as_str).chain(["key", "secret", "eu-test-1", "cache"]);
        let (process, port) = stand_in("s3.py", &folder, arguments)?;
        let address = format!("s3://key:secret@cache/a?endpoint=http://127.0.0.1:{port}&region=eu-test-1");
        Some(SharedStore { process, address, _folder: Some(folder) })
    }

    /// Starts a cache as builds have it.
    pub fn http_cache(name: &str) -> Option<SharedStore> {
        let folder = TestFolder::new(&format!("replicas-http-{name}"));
        let objects = folder.join("objects").display().to_string();
        let (process, port) = stand_in("http_cache.py", &folder, [objects.as_str()].into_iter())?;
        Some(SharedStore { process, address: format!("http://127.0.0.1:{port}/some"), _folder: Some(folder) })
    }
}

/// Starts a store of the service's tests; returns it and its port.
fn stand_in<'a>(
    program: &str,
    folder: &TestFolder,
    arguments: impl Iterator<Item = &'a str>,
) -> Option<(ChildProcess, u16)> {
    let port = port::free();
    let port_file = folder.write("port", port.to_string());
    let mut command = Command::new("python3");
    command.arg(repository().join("service/tests/all/support").join(program)).arg(port_file).args(arguments);
    Some((skipped(start(port, &mut command), "python3")?, port))
}

#[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
pub fn skipped<T>(started: Option<T>, program: &str) -> Option<T> {
    if started.is_none() {
        println!("skipped: there is no {program}");
    }
    started
}

/// Listens in front of a Redis and passes on what it hears; commands that write wait first. Returns its port.
fn delayed(redis: u16, delay: Duration) -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = listener.local_addr().expect("its address").port();
    thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let Ok(server) = TcpStream::connect(("127.0.0.1", redis)) else { continue };
            let (Ok(mut back), Ok(mut answers)) = (client.try_clone(), server.try_clone()) else { continue };
            thread::spawn(move || pass(client, server, Some(delay)));
            thread::spawn(move || {
                let _ = std::io::copy(&mut answers, &mut back);
                let _ = back.shutdown(Shutdown::Both);
            });
        }
    });
    port
}

fn pass(mut from: TcpStream, mut to: TcpStream, delay: Option<Duration>) {
    let mut piece = vec![0; 1 << 16];
    while let Ok(length) = from.read(&mut piece) {
        if length == 0 {
            break;
        }
        let writes = piece[..length].windows(7).any(|bytes| bytes == b"\r\nSET\r\n");
        if let Some(delay) = delay.filter(|_| writes) {
            thread::sleep(delay);
        }
        if to.write_all(&piece[..length]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}

/// Servers that share a store, behind nginx.
pub struct Group {
    proxy: Proxy,
    pub servers: Vec<Service>,
    pub store: SharedStore,
}

impl Group {
    pub fn start(name: &str, count: usize, store: Option<SharedStore>) -> Option<Group> {
        Group::start_with(name, count, store, &[])
    }

    /// As [`Group::start`], with more arguments of the servers.
    pub fn start_with(name: &str, count: usize, store: Option<SharedStore>, more: &[&str]) -> Option<Group> {
        let store = store?;
        let arguments = [&["--shared-cache", &store.address, "--behind-proxy"], more].concat();
        let servers: Vec<Service> = (0..count).map(|_| Service::start(&arguments)).collect();
        let addresses: Vec<String> =
            servers.iter().map(|server| server.address().trim_start_matches("http://").to_owned()).collect();
        Some(Group { proxy: Proxy::start(name, &addresses)?, servers, store })
    }

    /// Sends a request to nginx.
    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        self.proxy.ask(method, path, headers, body)
    }
}

/// An nginx with the configuration of `docker/`.
pub struct Proxy {
    port: u16,
    _process: ChildProcess,
    /// The configuration, and its files.
    _folder: TestFolder,
}

impl Proxy {
    /// Starts nginx in front of servers at these addresses.
    pub fn start(name: &str, servers: &[String]) -> Option<Proxy> {
        let (port, folder) = (port::free(), TestFolder::new(&format!("replicas-{name}")));
        let text = fs::read_to_string(repository().join("docker/nginx.conf")).expect("the configuration");
        let configuration = folder.write("nginx.conf", configured(&text, port, servers, &folder));
        let mut command = Command::new("nginx");
        command.arg("-c").arg(configuration).args(["-g", "daemon off;", "-e", "stderr"]);
        let process = skipped(start(port, &mut command), "nginx (Debian: nginx-light)")?;
        Some(Proxy { port, _process: process, _folder: folder })
    }

    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let answer = request_to(self.port, method, path, headers, body).expect("nginx listens");
        answer.expect("an answer")
    }
}

/// The configuration of `docker/` with these servers, on another port and with its files in a folder.
fn configured(text: &str, port: u16, servers: &[String], folder: &Path) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let Some((_, rest)) = line.split_once("server odsmith-") else {
            lines.push(line.to_owned());
            continue;
        };
        let (number, _) = rest.split_once(':').expect("its port");
        let number: usize = number.parse().expect("its number");
        // There may be fewer servers than in the file.
        if let Some(address) = servers.get(number - 1) {
            lines.push(line.replace(&format!("odsmith-{number}:8080"), address));
        }
    }
    let text = lines.join("\n");
    assert!(servers.iter().all(|address| text.contains(address)), "{text}");
    text.replace("listen 8080", &format!("listen 127.0.0.1:{port}"))
        .replace("/tmp/", &format!("{}/", folder.display()))
}
