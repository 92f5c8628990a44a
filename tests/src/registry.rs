//! A real OCI registry for tests, Debian's `docker-registry`, and a proxy that spoils what goes through it.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use crate::folder::TestFolder;

/// A running registry, stopped on drop. Its files are in a folder.
#[derive(Debug)]
pub struct Registry {
    child: Child,
    port: u16,
    folder: TestFolder,
}

impl Drop for Registry {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The user of a registry with a login, and the password.
pub const LOGIN: (&str, &str) = ("ann", "s3cret-word");
/// The same as the registry reads it.
const HTPASSWD: &str = "ann:$2b$04$YefDxEpzLwnVcgUo8PDYNurDxxSvOym6ZFvycJCIE07/4sZmX8bci\n";

impl Registry {
    /// Starts a registry; nothing if there is none on this machine.
    #[must_use]
    pub fn start() -> Option<Registry> {
        Registry::start_with("")
    }

    /// Starts a registry that asks for [`LOGIN`].
    #[must_use]
    pub fn start_with_login() -> Option<Registry> {
        Registry::start_with("auth: {htpasswd: {realm: test, path: HTPASSWD}}\n")
    }

    fn start_with(more: &str) -> Option<Registry> {
        let folder = TestFolder::new("registry");
        let passwords = folder.write("htpasswd", HTPASSWD);
        let more = more.replace("HTPASSWD", &passwords.display().to_string());
        let data = folder.join("data");
        let config = format!(
            "version: 0.1\nlog: {{level: info}}\nstorage:\n  filesystem: {{rootdirectory: {}}}\n  delete: {{enabled: true}}\n\
             http: {{addr: \"127.0.0.1:0\"}}\n{more}",
            data.display()
        );
        let config = folder.write("config.yml", config);
        let started = Command::new("docker-registry")
            .arg("serve")
            .arg(config)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = started.ok()?;
        let mut log = BufReader::new(child.stderr.take().expect("its standard error"));
        let mut said = String::new();
        let port = loop {
            let start = said.len();
            let read = log.read_line(&mut said).expect("its standard error is text");
            assert!(read > 0, "the registry does not serve: {said}");
            let listens = said[start..].split_once("listening on 127.0.0.1:");
            if let Some((_, rest)) = listens {
                let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
                break digits.parse().expect("a port");
            }
        };
        thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
        Some(Registry { child, port, folder })
    }

    /// Its host, with the port.
    #[must_use]
    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// The port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The file of a blob or manifest.
    #[must_use]
    pub fn blob(&self, hex: &str) -> PathBuf {
        let blobs = self.folder.join("data/docker/registry/v2/blobs/sha256");
        blobs.join(&hex[..2]).join(hex).join("data")
    }

    /// The tags of a repository, sorted.
    #[must_use]
    pub fn tags(&self, repository: &str) -> Vec<String> {
        let place = format!("data/docker/registry/v2/repositories/{repository}/_manifests/tags");
        let entries = fs::read_dir(self.folder.join(place));
        let names = entries.into_iter().flatten().flatten();
        let mut names: Vec<String> = names.map(|it| it.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// The digest, without `sha256:`, that a tag names.
    #[must_use]
    pub fn tag(&self, repository: &str, tag: &str) -> Option<String> {
        let place =
            format!("data/docker/registry/v2/repositories/{repository}/_manifests/tags/{tag}/current/link");
        let text = fs::read_to_string(self.folder.join(place)).ok()?;
        text.trim().strip_prefix("sha256:").map(str::to_owned)
    }

    /// The folder of its files.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

/// A request at a proxy.
#[derive(Clone, Debug)]
pub struct ProxyRequest {
    /// Its number, from 0.
    pub number: usize,
    /// The method and the path.
    pub line: String,
    /// The head, in lower case.
    pub head: String,
    /// The body.
    pub body: Vec<u8>,
}

/// A proxy's treatment of a request.
#[derive(Clone, Debug)]
pub enum Treatment {
    /// The registry answers.
    Pass,
    /// The connection is cut before the registry sees the request.
    Cut,
    /// The connection is cut after it.
    CutAnswer,
    /// This answer is given: the status line and more headers, and the body.
    Answer(String, Vec<u8>),
    /// The registry answers, and a byte of the body is another one.
    Flip,
}

/// A proxy in front of a registry.
#[derive(Debug)]
pub struct Proxy {
    port: u16,
    requests: Arc<Mutex<Vec<ProxyRequest>>>,
}

impl Proxy {
    /// Starts a proxy, which runs to the end of the process. `to` is the registry's port.
    ///
    /// # Panics
    /// When there is no free port.
    #[must_use]
    pub fn start(to: u16, treat: impl Fn(&ProxyRequest) -> Treatment + Send + Sync + 'static) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (seen, treat, count) = (Arc::clone(&requests), Arc::new(treat), Arc::new(AtomicUsize::new(0)));
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let (seen, treat, count) = (Arc::clone(&seen), Arc::clone(&treat), Arc::clone(&count));
                thread::spawn(move || {
                    let number = count.fetch_add(1, Ordering::SeqCst);
                    let _ = serve(client, to, number, &*treat, &seen);
                });
            }
        });
        Proxy { port, requests }
    }

    /// Its host, with the port.
    #[must_use]
    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// The requests so far.
    ///
    /// # Panics
    /// When a thread of the proxy panicked.
    #[must_use]
    pub fn requests(&self) -> Vec<ProxyRequest> {
        self.requests.lock().expect("no thread panicked").clone()
    }
}

/// Serves one request of a connection, and closes it.
fn serve(
    mut client: TcpStream,
    to: u16,
    number: usize,
    treat: &(dyn Fn(&ProxyRequest) -> Treatment + Send + Sync),
    seen: &Mutex<Vec<ProxyRequest>>,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(client.try_clone()?);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let start = head.len();
        if reader.read_line(&mut head)? == 0 {
            return Ok(());
        }
        let line = head[start..].trim().to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
        if line.is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let line = head.lines().next().unwrap_or_default().to_owned();
    let request = ProxyRequest { number, line, head: head.to_ascii_lowercase(), body };
    seen.lock().expect("no thread panicked").push(request.clone());
    let treatment = treat(&request);
    match &treatment {
        Treatment::Cut => return Ok(()),
        Treatment::Answer(status, body) => {
            let head =
                format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            client.write_all(head.as_bytes())?;
            return client.write_all(body);
        }
        Treatment::Pass | Treatment::CutAnswer | Treatment::Flip => {}
    }
    let mut registry = TcpStream::connect(("127.0.0.1", to))?;
    let head = head.trim_end().to_owned() + "\r\nConnection: close\r\n\r\n";
    registry.write_all(head.as_bytes())?;
    registry.write_all(&request.body)?;
    let mut answer = Vec::new();
    registry.read_to_end(&mut answer)?;
    match treatment {
        Treatment::CutAnswer => return Ok(()),
        Treatment::Flip => {
            if let Some(last) = answer.last_mut() {
                *last ^= 1;
            }
        }
        Treatment::Pass | Treatment::Cut | Treatment::Answer(..) => {}
    }
    client.write_all(&answer)
}
