//! Three servers behind nginx that share one Redis, as in `docker/`, on the loopback interface.

use std::{
    fs,
    net::TcpStream,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use odsmith_tests::{
    archive::{File, zip},
    folder::TestFolder,
    http::{Answer, Service, request_to},
    port,
    set_up::repository,
};

/// A child process, stopped on drop.
struct ChildProcess(Child);

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

fn start(port: u16, command: &mut Command) -> Option<ChildProcess> {
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()?;
    let running = ChildProcess(child);
    let start = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(start.elapsed() < Duration::from_secs(20), "{command:?} does not listen");
        thread::sleep(Duration::from_millis(20));
    }
    Some(running)
}

struct Group {
    port: u16,
    servers: Vec<Service>,
    cache: ChildProcess,
    _nginx: ChildProcess,
    /// The configuration of nginx, and its files.
    _folder: TestFolder,
}

impl Group {
    #[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
    fn start(name: &str) -> Option<Group> {
        let (cache_port, port) = (port::free(), port::free());
        let mut command = Command::new("redis-server");
        command.args(["--port", &cache_port.to_string(), "--bind", "127.0.0.1", "--save", ""]);
        let cache = start(cache_port, command.current_dir(std::env::temp_dir()));
        let address = format!("redis://127.0.0.1:{cache_port}/");
        let Some(cache) = cache else {
            println!("skipped: there is no redis-server (Debian: redis-server)");
            return None;
        };
        let servers: Vec<Service> =
            (0..3).map(|_| Service::start(&["--shared-cache", &address, "--behind-proxy"])).collect();
        let folder = TestFolder::new(&format!("replicas-{name}"));
        let mut text = fs::read_to_string(repository().join("docker/nginx.conf")).expect("the configuration");
        for (index, server) in servers.iter().enumerate() {
            let place = format!("odsmith-{}:8080", index + 1);
            assert!(text.contains(&place), "docker/nginx.conf names {place}");
            text = text.replace(&place, server.address().trim_start_matches("http://"));
        }
        let text = text
            .replace("listen 8080", &format!("listen 127.0.0.1:{port}"))
            .replace("/tmp/", &format!("{}/", folder.display()));
        let configuration = folder.write("nginx.conf", text);
        let mut command = Command::new("nginx");
        command.arg("-c").arg(configuration).args(["-g", "daemon off;", "-e", "stderr"]);
        let Some(nginx) = start(port, &mut command) else {
            println!("skipped: there is no nginx (Debian: nginx-light)");
            return None;
        };
        Some(Group { port, servers, cache, _nginx: nginx, _folder: folder })
    }

    fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let answer = request_to(self.port, method, path, headers, body).expect("nginx listens");
        answer.expect("an answer")
    }
}

fn bundle(number: usize) -> Vec<u8> {
    let file: File = ("a.td".to_owned(), format!("def A{number};\n").into_bytes());
    zip(&[file])
}

#[test]
fn what_one_makes_all_have_and_none_is_missed() {
    let Some(group) = Group::start("kill") else { return };
    let zipped = [("Content-Type", "application/zip")];
    let made = group.ask("POST", "/v1/generate", &zipped, &bundle(1));
    assert_eq!(made.status, 200, "{}", String::from_utf8_lossy(&made.body));
    let address = format!("{}.tar.gz", made.header("content-location").expect("an address"));
    // Results are shared in the background.
    thread::sleep(Duration::from_millis(500));
    for server in &group.servers {
        let kept = server.get(&address);
        assert_eq!((kept.status, kept.body == made.body), (200, true));
    }
    // One server is killed meanwhile: no request is lost.
    for number in 0..60 {
        if number == 20 {
            group.servers[0].signal("-KILL");
        }
        let answer = group.ask("POST", "/v1/generate", &zipped, &bundle(number));
        assert_eq!(answer.status, 200, "request {number}");
        let kept = group.ask("GET", &address, &[], b"");
        assert_eq!((kept.status, kept.body == made.body), (200, true), "request {number}");
    }
}

#[test]
fn the_cache_may_go_and_a_server_may_leave() {
    let Some(mut group) = Group::start("leave") else { return };
    let zipped = [("Content-Type", "application/zip")];
    for number in 0..30 {
        match number {
            10 => {
                let _ = group.cache.0.kill();
                let _ = group.cache.0.wait();
            }
            20 => group.servers[1].signal("-TERM"),
            _ => {}
        }
        let answer = group.ask("POST", "/v1/generate", &zipped, &bundle(number));
        assert_eq!(answer.status, 200, "request {number}");
    }
    assert_eq!(group.servers[1].wait(), Some(0));
}

/// Everything that the files of `docker/` name exists.
#[test]
fn the_dashboard_and_the_manifests_name_what_there_is() {
    let service = Service::start(&[]);
    let port = port::free();
    let operated =
        Service::start(&["--admin", &format!("127.0.0.1:{port}"), "--shared-cache", "redis://127.0.0.1:9/"]);
    assert_eq!(operated.request("POST", "/v1/tblgen", &[], b"def A;").status, 200);
    let metrics = request_to(port, "GET", "/metrics", &[], b"").expect("the listener").expect("an answer");
    let metrics = String::from_utf8_lossy(&metrics.body).into_owned();
    let read = |name: &str| fs::read_to_string(repository().join("docker").join(name)).expect("the file");
    let dashboard: serde_json::Value = serde_json::from_str(&read("grafana.json")).expect("JSON");
    for panel in dashboard["panels"].as_array().expect("panels") {
        for target in panel["targets"].as_array().expect("targets") {
            let query = target["expr"].as_str().expect("a query");
            let names = query.split(|byte: char| !byte.is_ascii_alphanumeric() && byte != '_');
            for name in names.filter(|name| name.starts_with("odsmith_")) {
                assert!(
                    metrics.lines().any(|line| line.starts_with(name)),
                    "{name} is no metric:\n{metrics}"
                );
            }
        }
    }
    let help = Command::new(odsmith_tests::set_up::odsmith())
        .args(["serve", "--help"])
        .output()
        .expect("odsmith runs");
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    for name in ["kubernetes.yaml", "replicas.yaml"] {
        let text = read(name);
        let servers = text.split("valkey").next().expect("the servers come first");
        let servers: String =
            servers.lines().filter(|line| !line.starts_with('#')).flat_map(|line| [line, "\n"]).collect();
        for flag in
            servers.split(['[', ' ', ',', '=', '\n']).filter(|word| word.starts_with("--") && word.len() > 3)
        {
            assert!(help.contains(flag), "{name}: {flag} is no flag of odsmith serve");
        }
    }
    for path in ["/livez", "/readyz"] {
        assert!(read("kubernetes.yaml").contains(path));
        assert_eq!(
            request_to(port, "GET", path, &[], b"").expect("the listener").expect("an answer").status,
            200
        );
        assert_eq!(service.get(path).status, 404, "{path} is not for everybody");
    }
}
