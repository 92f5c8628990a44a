//! Three servers behind nginx that share one Redis, as in `docker/`, on the loopback interface.

mod addresses;
mod group;
mod proxy;
mod stores;

use std::{fs, process::Command, time::Duration};

use odsmith_tests::{
    archive::{File, zip},
    http::{Service, request_to},
    port,
    set_up::repository,
};

use group::{Group, SharedStore};

fn bundle(number: usize) -> Vec<u8> {
    let file: File = ("a.td".to_owned(), format!("def A{number};\n").into_bytes());
    zip(&[file])
}

#[test]
fn what_one_makes_all_have_and_none_is_missed() {
    let Some(group) = Group::start("kill", 3, SharedStore::redis(Duration::ZERO)) else { return };
    let zipped = [("Content-Type", "application/zip")];
    let made = group.ask("POST", "/v1/generate", &zipped, &bundle(1));
    assert_eq!(made.status, 200, "{}", String::from_utf8_lossy(&made.body));
    let address = format!("{}.tar.gz", made.header("content-location").expect("an address"));
    for server in &group.servers {
        let kept = server.get(&address);
        assert_eq!((kept.status, kept.body == made.body), (200, true));
    }
    // One server is killed meanwhile: no request is lost.
    for number in 0..60 {
        if number == 20 {
            group.servers[0].signal("-KILL");
            let _ = group.servers[0].wait();
        }
        let answer = group.ask("POST", "/v1/generate", &zipped, &bundle(number));
        assert_eq!(answer.status, 200, "request {number}");
        let kept = group.ask("GET", &address, &[], b"");
        assert_eq!((kept.status, kept.body == made.body), (200, true), "request {number}");
    }
}

#[test]
fn the_cache_may_go_and_a_server_may_leave() {
    let Some(mut group) = Group::start("leave", 3, SharedStore::redis(Duration::ZERO)) else { return };
    let zipped = [("Content-Type", "application/zip")];
    for number in 0..30 {
        match number {
            10 => {
                let _ = group.store.process.0.kill();
                let _ = group.store.process.0.wait();
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
    for name in ["kubernetes.yaml", "replicas.yaml", "catalog.yaml", "kubernetes-catalog.yaml"] {
        let text = read(name);
        let servers = text.split("valkey").next().expect("the servers come first");
        let servers = servers.split("CronJob").next().expect("the servers come first");
        let servers: String =
            servers.lines().filter(|line| !line.starts_with('#')).flat_map(|line| [line, "\n"]).collect();
        for flag in
            servers.split(['[', ' ', ',', '=', '\n']).filter(|word| word.starts_with("--") && word.len() > 3)
        {
            assert!(help.contains(flag), "{name}: {flag} is no flag of odsmith serve");
        }
    }
    // A server that gets the signal to end has the time to drain, to finish the longest job and to send its answer.
    let config = Command::new(odsmith_tests::set_up::odsmith())
        .args(["serve", "--print-config", "--admin", "127.0.0.1:0"])
        .output()
        .expect("odsmith runs");
    let config = String::from_utf8_lossy(&config.stdout).into_owned();
    let number = |text: &str, name: &str| -> u64 {
        let (_, rest) = text.split_once(name).expect(name);
        let digits = rest.trim_start_matches([' ', '=', ':']);
        let end = digits.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(digits.len());
        digits[..end].parse().expect(name)
    };
    let needed: u64 =
        ["drain_seconds", "job_seconds", "write_seconds"].map(|name| number(&config, name)).iter().sum();
    assert_eq!(number(&config, "drain_seconds"), 5);
    for name in ["kubernetes.yaml", "kubernetes-catalog.yaml"] {
        assert!(number(&read(name), "terminationGracePeriodSeconds") > needed, "{name}");
    }
    for name in ["replicas.yaml", "compose.yaml", "catalog.yaml"] {
        assert!(number(&read(name), "stop_grace_period") > needed, "{name}");
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
