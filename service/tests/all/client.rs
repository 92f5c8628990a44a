//! `odsmith tblgen --server` when the server is gone, comes back or refuses.

#![expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::{
    io,
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    process::{Command, Output},
    thread,
};

use crate::support::http::{config, serve};
use odsmith_service::{config::Config, store::keys};
use odsmith_tests::folder::TestFolder;

/// An input file for the client.
struct Input(TestFolder);

impl Input {
    fn new(name: &str) -> Input {
        let folder = TestFolder::new(&format!("client-{name}"));
        folder.write("a.td", "def A { int x = 1; }\n");
        Input(folder)
    }

    fn tblgen(&self, server: Option<SocketAddr>, variables: &[(&str, &str)]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_odsmith-service"));
        command.args(["tblgen", "--print-records"]).arg(self.0.join("a.td")).env("ODSMITH_CACHE", "off");
        if let Some(server) = server {
            command.env("ODSMITH_SERVER", format!("http://{server}"));
        }
        command.envs(variables.iter().copied()).output().unwrap()
    }
}

fn error(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// An address on which nothing listens.
fn gone() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

/// A proxy in front of a server that drops its first connections.
fn shaky(server: SocketAddr, failures: usize) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming().skip(failures) {
            let (there, here) = (TcpStream::connect(server).unwrap(), stream.unwrap());
            for (mut from, mut to) in [(here.try_clone().unwrap(), there.try_clone().unwrap()), (there, here)]
            {
                thread::spawn(move || {
                    let _ = io::copy(&mut from, &mut to);
                    let _ = to.shutdown(Shutdown::Write);
                });
            }
        }
    });
    address
}

#[test]
fn without_its_server_a_build_goes_on() {
    let input = Input::new("gone");
    let here = input.tblgen(None, &[]);
    assert!(here.status.success() && !here.stdout.is_empty());
    let there = input.tblgen(Some(gone()), &[]);
    assert_eq!((there.status.code(), &there.stdout), (Some(0), &here.stdout), "{}", error(&there));
    assert!(
        error(&there).contains("note: http://127.0.0.1:") && error(&there).contains("the work is done here")
    );
    let forbidden = input.tblgen(Some(gone()), &[("ODSMITH_FALLBACK", "0")]);
    assert_eq!((forbidden.status.code(), forbidden.stdout.len()), (Some(1), 0));
    assert!(error(&forbidden).to_lowercase().contains("connection refused"), "{}", error(&forbidden));
}

#[test]
fn a_server_that_comes_back_does_the_work() {
    let input = Input::new("back");
    let here = input.tblgen(None, &[]);
    let there = input.tblgen(Some(shaky(serve(config()), 2)), &[("ODSMITH_FALLBACK", "0")]);
    assert_eq!((error(&there).as_str(), &there.stdout), ("", &here.stdout));
}

#[test]
fn what_a_server_refuses_is_an_error() {
    let input = Input::new("token");
    let server = serve(Config { token_digests: vec![keys::sha256(b"secret")], ..config() });
    let refused = input.tblgen(Some(server), &[]);
    assert_eq!((refused.status.code(), refused.stdout.len()), (Some(1), 0));
    assert!(error(&refused).contains("401") && !error(&refused).contains("done here"), "{}", error(&refused));
    let admitted = input.tblgen(Some(server), &[("ODSMITH_TOKEN", "secret")]);
    assert_eq!(error(&admitted), "");
    assert!(!admitted.stdout.is_empty());
    // A server that is too busy counts as gone.
    let mut busy = config();
    busy.limits.bytes_in_flight = 0;
    let busy = input.tblgen(Some(serve(busy)), &[]);
    assert!(busy.status.success() && error(&busy).contains("503"), "{}", error(&busy));
}

#[test]
fn the_help_names_every_variable() {
    let help =
        Command::new(env!("CARGO_BIN_EXE_odsmith-service")).args(["tblgen", "--help"]).output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    for name in ["ODSMITH_SERVER", "ODSMITH_TOKEN", "ODSMITH_FALLBACK", "ODSMITH_CACHE", "ODSMITH_MLIR"] {
        assert!(help.contains(name), "{name}");
    }
}
