//! A server and a client for HTTP tests: `odsmith serve` on a free port of the loopback interface, and requests over a
//! plain socket, so that nothing between changes headers or bytes.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Command, Stdio},
    sync::Mutex,
    thread,
    time::Duration,
};

use crate::set_up;

/// A running service, stopped on drop.
#[derive(Debug)]
pub struct Service {
    child: Mutex<Child>,
    id: u32,
    port: u16,
}

/// An HTTP response.
#[derive(Debug)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Service {
    /// Starts the service with more arguments and waits until it reports its address.
    ///
    /// # Panics
    /// When it ends before it reports its address.
    #[must_use]
    pub fn start(arguments: &[&str]) -> Service {
        Service::start_in(arguments, &[])
    }

    /// As [`Service::start`], with more environment variables.
    ///
    /// # Panics
    /// When it ends before it reports its address.
    #[must_use]
    pub fn start_in(arguments: &[&str], variables: &[(&str, &str)]) -> Service {
        let mut child = Command::new(set_up::odsmith())
            .args(["serve", "--bind", "127.0.0.1:0", "--library"])
            .arg(format!("22={}", set_up::library()))
            .args(arguments)
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("odsmith starts");
        // The system chooses the port: one chosen here could be gone before the service takes it.
        let mut log = BufReader::new(child.stderr.take().expect("its standard error"));
        let mut said = String::new();
        let port = loop {
            let start = said.len();
            let read = log.read_line(&mut said).expect("its standard error is text");
            assert!(read > 0, "the service does not serve: {said}");
            if let Some(port) = announced_port(&said[start..]) {
                break port;
            }
        };
        // A full pipe would block the service, so what it logs later is read and dropped.
        thread::spawn(move || io::copy(&mut log, &mut io::sink()));
        Service { id: child.id(), child: Mutex::new(child), port }
    }

    /// Sends a request and reads the whole response.
    ///
    /// # Panics
    /// When the service does not answer in HTTP.
    #[must_use]
    pub fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let answer = self.try_request(method, path, headers, body).expect("the service listens");
        answer.expect("an HTTP answer with a head")
    }

    /// Sends a request to a service that may be gone: `None` if it accepted the connection but did not answer.
    ///
    /// # Errors
    /// When it does not accept the connection.
    pub fn try_request(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> io::Result<Option<Answer>> {
        request_to(self.port, method, path, headers, body)
    }

    /// The URL of the service.
    #[must_use]
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The number of its process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Sends it a signal, as `kill` names them.
    ///
    /// # Panics
    /// When there is no program `kill`.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([name, &self.id.to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()), "kill {name}");
    }

    /// Waits for the end of the process; returns its exit code unless a signal ended it.
    ///
    /// # Panics
    /// When the process cannot be waited for.
    #[must_use]
    pub fn wait(&self) -> Option<i32> {
        self.child.lock().expect("no thread panicked here").wait().expect("its end").code()
    }

    /// Sends a GET request.
    #[must_use]
    pub fn get(&self, path: &str) -> Answer {
        self.request("GET", path, &[], b"")
    }

    /// Sends a bundle to `/v1/generate`.
    #[must_use]
    pub fn generate(&self, media_type: &str, body: &[u8]) -> Answer {
        self.request("POST", "/v1/generate", &[("Content-Type", media_type)], body)
    }
}

/// Sends a request to a port of the loopback interface: `None` if the server accepted the connection but did not
/// answer.
///
/// # Errors
/// When nothing accepts the connection.
pub fn request_to(
    port: u16,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> io::Result<Option<Answer>> {
    let mut head = format!("{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n");
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    if !body.is_empty() || method == "POST" {
        head += &format!("Content-Length: {}\r\n", body.len());
    }
    let mut socket = TcpStream::connect(("127.0.0.1", port))?;
    socket.set_read_timeout(Some(Duration::from_secs(60)))?;
    let _ = socket.write_all((head + "\r\n").as_bytes());
    // A service that refuses a body may close before it has read it.
    let _ = socket.write_all(body);
    let mut raw = Vec::new();
    let _ = socket.read_to_end(&mut raw);
    Ok(Answer::parse(&raw))
}

/// The port in the line with which the service reports its address.
fn announced_port(line: &str) -> Option<u16> {
    let address = line.split_once("serving on http://127.0.0.1:")?.1;
    address.split_once('/')?.0.parse().ok()
}

impl Drop for Service {
    fn drop(&mut self) {
        if let Ok(child) = self.child.get_mut() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Answer {
    fn parse(raw: &[u8]) -> Option<Answer> {
        let end = raw.windows(4).position(|window| window == b"\r\n\r\n")?;
        let head = String::from_utf8_lossy(&raw[..end]).into_owned();
        let mut lines = head.lines();
        let status =
            lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok()).expect("a status line");
        let headers: Vec<(String, String)> = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
            .collect();
        let mut answer = Answer { status, headers, body: Vec::new() };
        let body = &raw[end + 4..];
        answer.body =
            if answer.header("transfer-encoding") == Some("chunked") { unchunk(body) } else { body.to_vec() };
        Some(answer)
    }

    /// The value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(header, _)| header == name).map(|(_, value)| value.as_str())
    }

    /// The body, parsed as JSON.
    ///
    /// # Panics
    /// When the body is not JSON.
    #[must_use]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.body)))
    }
}

fn unchunk(mut body: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    while let Some(end) = body.windows(2).position(|window| window == b"\r\n") {
        let size = std::str::from_utf8(&body[..end])
            .ok()
            .and_then(|size| usize::from_str_radix(size.trim(), 16).ok());
        let Some(size) = size.filter(|&size| size > 0 && end + 2 + size <= body.len()) else { break };
        whole.extend_from_slice(&body[end + 2..end + 2 + size]);
        body = body.get(end + 4 + size..).unwrap_or_default();
    }
    whole
}
