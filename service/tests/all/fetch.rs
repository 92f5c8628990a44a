//! Fetching of sources through a network of the test's own, which decides where each name leads. The real network is
//! asked what it refuses.

#![expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::{
    collections::{BTreeMap, HashMap},
    io::{self, BufRead, BufReader, Write},
    net::{IpAddr, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use crate::support::{
    archive,
    http::{Answer, config, get},
};
use actix_web::{test, web::Data};
use odsmith_engine::{library::Library, release::Release};
use odsmith_service::{
    config::Config,
    http::{app, state::State},
    pipeline::fetch::{Addresses, Network},
    store::{archive::Format, keys},
};

const HOME: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);
/// An address that nothing may connect to.
const FORBIDDEN: [u8; 4] = [127, 0, 0, 2];

/// The answers for each name, one for each look-up; the last one repeats.
type Names = HashMap<&'static str, Vec<Vec<IpAddr>>>;

/// A server with a name service. Only 127.0.0.1 may be connected to.
#[derive(Clone)]
struct TestNetwork {
    port: u16,
    names: Arc<Mutex<Names>>,
    connections: Arc<AtomicUsize>,
}

impl Network for TestNetwork {
    fn scheme(&self) -> &'static str {
        "http"
    }

    fn admits(&self, address: IpAddr) -> bool {
        address == HOME
    }

    fn admits_port(&self, port: u16) -> bool {
        port == self.port
    }

    fn resolve(&self, host: &str) -> Addresses {
        let mut names = self.names.lock().unwrap();
        let found = names
            .get_mut(host)
            .map(|answers| if answers.len() > 1 { answers.remove(0) } else { answers[0].clone() });
        Box::pin(async move {
            let found = found.ok_or_else(|| io::Error::other("no such name"))?;
            Ok(found.into_iter().map(|address| SocketAddr::new(address, 0)).collect())
        })
    }
}

/// The answer for a path.
#[derive(Clone)]
enum Page {
    Bytes(Vec<u8>),
    To(String),
    Status(u16),
    Silence,
    Endless,
}

impl TestNetwork {
    fn new(pages: impl FnOnce(u16) -> Vec<(&'static str, Page)>) -> TestNetwork {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let pages: Arc<HashMap<&'static str, Page>> = Arc::new(pages(port).into_iter().collect());
        let connections = Arc::new(AtomicUsize::new(0));
        let seen = connections.clone();
        thread::spawn(move || {
            for stream in listener.incoming() {
                seen.fetch_add(1, Ordering::SeqCst);
                let pages = pages.clone();
                thread::spawn(move || serve(stream.unwrap(), &pages));
            }
        });
        let names = HashMap::from([
            ("archive.example", vec![vec![HOME]]),
            ("inside.example", vec![vec![FORBIDDEN.into()]]),
            ("both.example", vec![vec![HOME, FORBIDDEN.into()]]),
            // The first look-up gives a public address, later ones another.
            ("rebinding.example", vec![vec![HOME], vec![FORBIDDEN.into()]]),
        ]);
        TestNetwork { port, names: Arc::new(Mutex::new(names)), connections }
    }

    fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

fn serve(mut stream: TcpStream, pages: &HashMap<&'static str, Page>) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
    let Some(Ok(first)) = lines.next() else { return };
    while lines.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
    let path = first.split(' ').nth(1).unwrap_or_default();
    // A client that has read enough closes the connection.
    let _ = match pages.get(path).cloned().unwrap_or(Page::Status(404)) {
        Page::Bytes(bytes) => {
            let head =
                format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", bytes.len());
            stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&bytes))
        }
        Page::To(to) => stream.write_all(
            format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n").as_bytes(),
        ),
        Page::Status(status) => {
            stream.write_all(format!("HTTP/1.1 {status} X\r\nContent-Length: 6\r\n\r\nsecret").as_bytes())
        }
        Page::Silence => {
            thread::sleep(Duration::from_secs(20));
            Ok(())
        }
        Page::Endless => {
            let head = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n";
            stream.write_all(head.as_bytes()).and_then(|()| {
                loop {
                    stream.write_all(&[b'x'; 65536])?;
                }
            })
        }
    };
}

fn source() -> Vec<u8> {
    archive(Format::TarGz, &[("foo-1.0/a.td", "def A;\n"), ("other/b.td", "def B;\n")])
}

fn fetching(hosts: &[&str]) -> Config {
    let mut config = config();
    config.fetch_hosts = hosts.iter().map(|host| (*host).to_owned()).collect();
    config.limits.fetch_seconds = 2;
    config.limits.archive.body_bytes = 1 << 20;
    config
}

fn state(config: &Config, network: &TestNetwork) -> Data<State> {
    let library = Library::new(Release::default(), "none".into(), BTreeMap::new());
    Data::new(State::in_network(config, library, Arc::new(network.clone())).unwrap())
}

const HOSTS: &[&str] = &[
    "archive.example",
    "inside.example",
    "both.example",
    "rebinding.example",
    "nowhere.example",
    "127.0.0.1",
];

macro_rules! ask {
    ($network:expr, $source:expr) => {
        ask!($network, $source, &keys::sha256(&source()))
    };
    ($network:expr, $source:expr, $digest:expr) => {{
        let app = test::init_service(app::app(state(&fetching(HOSTS), &$network))).await;
        let uri = format!(
            "/v1/generate/foo.tar.gz?source={}&sha256={}&strip_prefix=foo-1.0",
            url::form_urlencoded::byte_serialize($source.as_bytes()).collect::<String>(),
            $digest
        );
        get(&app, &uri, &[]).await
    }};
}

#[actix_web::test]
async fn a_source_becomes_an_archive() {
    let network = TestNetwork::new(|port| {
        vec![
            ("/foo.tar.gz", Page::Bytes(source())),
            ("/one", Page::To("/foo.tar.gz".into())),
            ("/two", Page::To(format!("http://archive.example:{port}/one"))),
            ("/three", Page::To("/two".into())),
            ("/four", Page::To("/three".into())),
        ]
    });
    let at = |path: &str| format!("http://archive.example:{}{path}", network.port);
    let made = ask!(network, at("/foo.tar.gz"));
    assert_eq!(made.status, 200, "{}", String::from_utf8_lossy(&made.body));
    assert_eq!(made.header("cache-control"), "public, max-age=31536000, immutable, no-transform");
    assert_eq!(made.header("content-type"), "application/gzip");
    let far = ask!(network, at("/three"));
    assert_eq!((far.status.as_u16(), far.body == made.body), (200, true), "three redirects");
    is_refused(&ask!(network, at("/four")), "redirects more than 3 times");
}

#[actix_web::test]
async fn a_source_is_fetched_once() {
    let network = TestNetwork::new(|_| vec![("/foo.tar.gz", Page::Bytes(source()))]);
    let app = test::init_service(app::app(state(&fetching(HOSTS), &network))).await;
    for name in ["x.tar.gz", "x.zip"] {
        let uri = format!(
            "/v1/generate/{name}?source=http://archive.example:{}/foo.tar.gz&sha256={}",
            network.port,
            keys::sha256(&source())
        );
        assert_eq!(get(&app, &uri, &[]).await.status, 200);
    }
    assert_eq!(network.connections(), 1);
    let uri = format!("/v1/generate/x.rar?source=http://archive.example/&sha256={}", keys::sha256(&source()));
    get(&app, &uri, &[]).await.is_problem(404, "not-found");
    get(&app, "/v1/generate/x.zip?source=http://archive.example/", &[]).await.is_problem(400, "bad-request");
    let known = |source: &str| {
        format!(
            "/v1/generate/x.zip?source={source}&sha256={}&strip_prefix=none",
            keys::sha256(&self::source())
        )
    };
    let there = format!("http://archive.example:{}/other", network.port);
    get(&app, &known(&there), &[]).await.is_problem(400, "bad-request");
    // Bytes that are known by digest do not permit another address.
    is_refused(&get(&app, &known("x"), &[]).await, "not an address");
    let elsewhere = format!("http://other.example:{}/foo.tar.gz", network.port);
    is_refused(&get(&app, &known(&elsewhere), &[]).await, "not a host");
    assert_eq!(network.connections(), 1);
}

#[actix_web::test]
async fn fetching_is_off_unless_it_is_on() {
    let network = TestNetwork::new(|_| vec![("/foo.tar.gz", Page::Bytes(source()))]);
    let app = test::init_service(app::app(state(&config(), &network))).await;
    let uri = format!(
        "/v1/generate/x.zip?source=http://archive.example:{}/foo.tar.gz&sha256={}",
        network.port,
        keys::sha256(&source())
    );
    is_refused(&get(&app, &uri, &[]).await, "does not fetch sources");
    assert_eq!(network.connections(), 0);
}

#[track_caller]
fn is_refused(answer: &Answer, why: &str) {
    let problem = answer.is_problem(422, "source-refused");
    assert!(problem["detail"].as_str().unwrap().contains(why), "{problem}");
}

#[track_caller]
fn has_failed(answer: &Answer, why: &str) {
    let problem = answer.is_problem(502, "source-failed");
    assert!(problem["detail"].as_str().unwrap().contains(why), "{problem}");
    let text = problem.to_string();
    assert!(!text.contains("secret") && !text.contains("127.0.0"), "{text}");
}

#[actix_web::test]
async fn addresses_that_are_not_asked() {
    let network = TestNetwork::new(|_| vec![]);
    let port = network.port;
    for (source, why) in [
        (format!("http://other.example:{port}/"), "not a host"),
        (format!("http://archive.example.:{port}/"), "not a host"),
        (format!("https://archive.example:{port}/"), "over http only"),
        ("ftp://archive.example/".into(), "over http only"),
        ("file:///etc/passwd".into(), "over http only"),
        ("not an address".into(), "not an address"),
        (format!("http://user:word@archive.example:{port}/"), "no name and no password"),
        ("http://archive.example:22/".into(), "from that port"),
        ("http://archive.example/".into(), "from that port"),
        // One forbidden address in many spellings: a host that is listed does not permit it.
        (format!("http://127.0.0.1:{port}/"), "not an address"),
        (format!("http://127.1:{port}/"), "not an address"),
        (format!("http://2130706433:{port}/"), "not an address"),
        (format!("http://0x7f.0.0.1:{port}/"), "not an address"),
        (format!("http://017700000001:{port}/"), "not an address"),
        (format!("http://127。0。0。1:{port}/"), "not an address"),
        (format!("http://[::1]:{port}/"), "not an address"),
        (format!("http://[::ffff:127.0.0.1]:{port}/"), "not an address"),
        (format!("http://[64:ff9b::7f00:1]:{port}/"), "not an address"),
        // Names.
        (format!("http://inside.example:{port}/"), "leads to an address"),
        (format!("http://both.example:{port}/"), "leads to an address"),
    ] {
        is_refused(&ask!(network, source), why);
    }
    assert_eq!(network.connections(), 0, "nothing was connected to");
    has_failed(&ask!(network, format!("http://nowhere.example:{port}/")), "could not be connected to");
}

#[actix_web::test]
async fn redirects_to_addresses_that_are_not_asked() {
    let network = TestNetwork::new(|port| {
        vec![
            ("/metadata", Page::To("http://169.254.169.254/latest/meta-data/".into())),
            ("/loopback", Page::To(format!("http://127.0.0.1:{port}/"))),
            ("/inside", Page::To(format!("http://inside.example:{port}/"))),
            ("/other", Page::To(format!("http://other.example:{port}/"))),
            ("/scheme", Page::To("file:///etc/passwd".into())),
            ("/relative", Page::To("//127.0.0.1/".into())),
            ("/circle", Page::To("/circle".into())),
            ("/again", Page::To(format!("http://rebinding.example:{port}/foo.tar.gz"))),
        ]
    });
    let at = |host: &str, path: &str| format!("http://{host}:{}{path}", network.port);
    for (path, why) in [
        ("/metadata", "not an address"),
        ("/loopback", "not an address"),
        ("/inside", "leads to an address"),
        ("/other", "not a host"),
        ("/scheme", "over http only"),
        ("/relative", "not an address"),
        ("/circle", "redirects more than 3 times"),
    ] {
        let before = network.connections();
        is_refused(&ask!(network, at("archive.example", path)), why);
        assert!(network.connections() - before <= 4, "{path}");
    }
    // At the first look-up the name was at home.
    is_refused(&ask!(network, at("rebinding.example", "/again")), "leads to an address");
}

#[actix_web::test]
async fn sources_that_do_not_come() {
    let network = TestNetwork::new(|_| {
        vec![
            ("/silence", Page::Silence),
            ("/endless", Page::Endless),
            ("/500", Page::Status(500)),
            ("/other", Page::Bytes(b"something else".to_vec())),
            ("/large", Page::Bytes(vec![0; (1 << 20) + 1])),
        ]
    });
    let at = |path: &str| format!("http://archive.example:{}{path}", network.port);
    has_failed(&ask!(network, at("/silence")), "within 2 seconds");
    has_failed(&ask!(network, at("/endless")), "more than 1048576 bytes");
    has_failed(&ask!(network, at("/large")), "more than 1048576 bytes");
    has_failed(&ask!(network, at("/500")), "said 500");
    has_failed(&ask!(network, at("/404")), "said 404");
    let other = ask!(network, at("/other"));
    has_failed(&other, &keys::sha256(b"something else"));
}

/// The real network, without anything of the test's.
#[actix_web::test]
async fn the_real_network_has_no_way_inside() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    listener.set_nonblocking(true).unwrap();
    let library = Library::new(Release::default(), "none".into(), BTreeMap::new());
    let config = fetching(&["localhost", "127.0.0.1", "localhost.localdomain"]);
    let state = Data::new(State::new(&config, library).unwrap());
    let app = test::init_service(app::app(state)).await;
    for (source, why) in [
        ("https://localhost/".to_owned(), "leads to an address"),
        (format!("https://localhost:{port}/"), "from that port"),
        (format!("http://localhost:{port}/"), "over https only"),
        ("https://127.0.0.1/".into(), "not an address"),
    ] {
        let uri = format!("/v1/generate/x.zip?source={source}&sha256={}", "0".repeat(64));
        is_refused(&get(&app, &uri, &[]).await, why);
    }
    assert!(listener.accept().is_err(), "nothing was connected to");
}
