//! The addresses of a Redis: with TLS, named by a sentinel, and as a cluster.

use std::{fs, process::Command, thread, time::Duration};

use odsmith_tests::{folder::TestFolder, http::Service, port};

use super::group::{ChildProcess, skipped, start};

/// Starts a Redis in a folder.
fn redis(folder: &TestFolder, port: u16, arguments: &[&str]) -> Option<ChildProcess> {
    let mut command = Command::new("redis-server");
    command.args(arguments).current_dir(&**folder);
    skipped(start(port, &mut command), "redis-server (Debian: redis-server)")
}

fn run(folder: &TestFolder, program: &str, arguments: &[&str]) -> bool {
    let output = Command::new(program).args(arguments).current_dir(&**folder).output();
    skipped(output.ok(), program).is_some_and(|output| output.status.success())
}

/// What one server makes, another one finds.
fn is_shared(address: &str, variables: &[(&str, &str)]) {
    let serve = || Service::start_in(&["--shared-cache", address], variables);
    let (one, other) = (serve(), serve());
    let ask = |server: &Service| server.request("POST", "/v1/tblgen", &[], b"def A;");
    let made = ask(&one);
    assert_eq!(made.header("cache-status"), Some("odsmith; fwd=miss; stored"), "{address}");
    assert_eq!(other.get(made.header("content-location").expect("an address")).body, made.body);
    assert_eq!(ask(&other).header("cache-status"), Some("odsmith; hit; detail=memory"));
    assert_eq!(ask(&serve()).header("cache-status"), Some("odsmith; hit; detail=shared"));
}

#[test]
fn with_tls() {
    let folder = TestFolder::new("redis-tls");
    let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout"];
    let authority =
        [&["req", "-x509"][..], &key, &["ca.key", "-out", "ca.pem", "-subj", "/CN=authority"]].concat();
    let request = [&["req"][..], &key, &["server.key", "-out", "server.csr", "-subj", "/CN=server"]].concat();
    if !run(&folder, "openssl", &authority) || !run(&folder, "openssl", &request) {
        return;
    }
    folder.write("names", "subjectAltName=IP:127.0.0.1\n");
    let signed =
        ["x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"];
    assert!(run(&folder, "openssl", &[&signed[..], &["-extfile", "names", "-out", "server.pem"]].concat()));
    let port = port::free();
    let keys =
        ["--tls-cert-file", "server.pem", "--tls-key-file", "server.key", "--tls-ca-cert-file", "ca.pem"];
    let port_text = port.to_string();
    let tls = [
        "--port",
        "0",
        "--tls-port",
        &port_text,
        "--tls-auth-clients",
        "no",
        "--bind",
        "127.0.0.1",
        "--save",
        "",
    ];
    let Some(_redis) = redis(&folder, port, &[&tls[..], &keys].concat()) else { return };
    let address = format!("rediss://127.0.0.1:{port}/");
    is_shared(&address, &[("SSL_CERT_FILE", &folder.join("ca.pem").display().to_string())]);
    // A server that does not know the authority shares nothing.
    let stranger = Service::start(&["--shared-cache", &address]);
    let made = stranger.request("POST", "/v1/tblgen", &[], b"def A;");
    assert_eq!(made.header("cache-status"), Some("odsmith; fwd=miss; unkept"));
}

#[test]
fn named_by_a_sentinel() {
    let folder = TestFolder::new("redis-sentinel");
    let (master, sentinel) = (port::free(), port::free());
    let Some(_master) =
        redis(&folder, master, &["--port", &master.to_string(), "--bind", "127.0.0.1", "--save", ""])
    else {
        return;
    };
    let text = format!("port {sentinel}\nbind 127.0.0.1\nsentinel monitor mine 127.0.0.1 {master} 1\n");
    folder.write("sentinel.conf", text);
    let Some(_sentinel) = redis(&folder, sentinel, &["sentinel.conf", "--sentinel"]) else { return };
    is_shared(&format!("redis+sentinel://127.0.0.1:{sentinel}/mine"), &[]);
}

#[test]
fn as_a_cluster() {
    let folder = TestFolder::new("redis-cluster");
    let port = port::free();
    let port_text = port.to_string();
    // The bus of a cluster has a port of its own.
    let bus = port::free().to_string();
    let cluster =
        ["--cluster-enabled", "yes", "--cluster-port", &bus, "--port", &port_text, "--bind", "127.0.0.1"];
    let Some(_redis) = redis(&folder, port, &[&cluster[..], &["--save", ""]].concat()) else { return };
    if !run(&folder, "redis-cli", &["-p", &port_text, "cluster", "addslotsrange", "0", "16383"]) {
        return;
    }
    let is_well = || {
        let info = Command::new("redis-cli").args(["-p", &port_text, "cluster", "info"]).output();
        info.is_ok_and(|info| String::from_utf8_lossy(&info.stdout).contains("cluster_state:ok"))
    };
    for _ in 0..500 {
        if is_well() {
            break;
        }
        thread::sleep(Duration::from_millis(20));
    }
    assert!(is_well(), "{}", fs::read_to_string(folder.join("nodes.conf")).unwrap_or_default());
    is_shared(&format!("redis+cluster://127.0.0.1:{port}"), &[]);
}
