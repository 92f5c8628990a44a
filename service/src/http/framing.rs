//! Finds the boundaries of answers in the bytes written to a connection, so that an answer of the framework can be
//! distinguished from the application's, whatever bytes these contain.

use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    mem,
    rc::Rc,
};

use actix_web::http::Method;

/// Maximum number of header fields to parse: more than any answer has.
const MOST_FIELDS: usize = 64;

/// Maximum size of a head: no answer of ours has a larger one.
const MOST_OF_A_HEAD: usize = 128 << 10;

/// The start of an interim answer: the framework's own, to `Expect`.
const INTERIM: &[u8] = b"HTTP/1.1 100";

/// The requests of a connection that the application has received and that are not answered yet, in order.
#[derive(Clone, Debug, Default)]
pub struct PendingRequests(Rc<RefCell<VecDeque<Request>>>, Rc<Cell<Option<u64>>>);

/// The part of a request that decides how long its answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// A `HEAD` request: the answer has no body.
    Head,
    /// Any other method.
    Other,
}

impl Request {
    /// Returns the kind of a request with this method.
    #[must_use]
    pub fn of(method: &Method) -> Request {
        if *method == Method::HEAD { Request::Head } else { Request::Other }
    }
}

impl PendingRequests {
    /// Notes that the application has received a request.
    pub fn note(&self, request: Request) {
        self.0.borrow_mut().push_back(request);
    }

    /// Notes the length of a body that is refused before the application receives its request.
    pub fn refuse(&self, length: u64) {
        self.1.set(Some(length));
    }

    /// Returns the length of the body that was refused.
    #[must_use]
    pub fn refused(&self) -> Option<u64> {
        self.1.get()
    }

    /// Returns true if all answers were written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }
}

/// The part of an answer that is expected next.
#[derive(Clone, Debug, Default)]
enum Next {
    /// The first byte of an answer.
    #[default]
    Answer,
    /// The rest of a head, of which `text` was written; an interim answer has no request of its own.
    Head { text: Vec<u8>, request: Option<Request> },
    /// The rest of a body.
    Body(u64),
    /// Unknown: no other answer can be found in the bytes written.
    Unknown,
}

/// The position of a connection's output within its answers.
#[derive(Clone, Debug, Default)]
pub struct Framing {
    next: Next,
    /// Requests whose answers have begun since the last [`commit`](Self::commit).
    begun: usize,
    /// True if the connection ends after the answer.
    is_last: bool,
}

impl Framing {
    /// Reads written bytes; returns the offset of the first answer that belongs to no request, if there is one.
    pub fn read(&mut self, bytes: &[u8], asked: &PendingRequests) -> Option<usize> {
        let mut at = 0;
        while at < bytes.len() {
            let rest = &bytes[at..];
            match &mut self.next {
                Next::Answer => {
                    let request = match rest.starts_with(INTERIM) {
                        true => None,
                        false => {
                            let Some(&request) = asked.0.borrow().get(self.begun) else { return Some(at) };
                            self.begun += 1;
                            Some(request)
                        }
                    };
                    self.next = Next::Head { text: Vec::new(), request };
                }
                Next::Head { text, request } => {
                    let (before, request) = (text.len(), *request);
                    let joined;
                    let head = match before {
                        0 => rest,
                        _ => {
                            text.extend_from_slice(rest);
                            joined = mem::take(text);
                            &joined[..]
                        }
                    };
                    match Head::parse(head) {
                        Some(Ok(head)) => {
                            at += head.length - before;
                            self.is_last |= head.is_last;
                            self.next = head.next(request);
                        }
                        None if head.len() <= MOST_OF_A_HEAD => {
                            self.next = Next::Head { text: head.to_vec(), request };
                            break;
                        }
                        None | Some(Err(())) => self.next = Next::Unknown,
                    }
                }
                Next::Body(left) => {
                    let taken = (*left).min(rest.len() as u64);
                    *left -= taken;
                    if *left == 0 {
                        self.next = Next::Answer;
                    }
                    at += usize::try_from(taken).unwrap_or(rest.len());
                }
                Next::Unknown => break,
            }
        }
        None
    }

    /// Removes the requests whose answers have begun from the list.
    pub fn commit(&mut self, asked: &PendingRequests) {
        asked.0.borrow_mut().drain(..mem::take(&mut self.begun));
    }

    /// Stops following the connection.
    pub fn give_up(&mut self) {
        self.next = Next::Unknown;
    }

    /// Returns true if the connection waits for another request: every answer is complete, and the last did not end it.
    #[must_use]
    pub fn is_between(&self) -> bool {
        matches!(self.next, Next::Answer) && !self.is_last
    }
}

/// The fields of a head that decide where its body ends.
struct Head {
    length: usize,
    status: u16,
    body: Option<u64>,
    is_chunked: bool,
    is_last: bool,
}

impl Head {
    /// Parses the head at the start of some bytes: `None` if it is incomplete, an error if it is malformed.
    fn parse(bytes: &[u8]) -> Option<Result<Head, ()>> {
        let mut fields = [httparse::EMPTY_HEADER; MOST_FIELDS];
        let mut answer = httparse::Response::new(&mut fields);
        let length = match answer.parse(bytes) {
            Ok(httparse::Status::Complete(length)) => length,
            Ok(httparse::Status::Partial) => return None,
            Err(_) => return Some(Err(())),
        };
        let status = answer.code.unwrap_or_default();
        let mut head = Head { length, status, body: None, is_chunked: false, is_last: false };
        for field in answer.headers {
            if field.name.eq_ignore_ascii_case("content-length") {
                head.body = std::str::from_utf8(field.value).ok().and_then(|text| text.parse().ok());
            } else if field.name.eq_ignore_ascii_case("transfer-encoding") {
                head.is_chunked = true;
            } else if field.name.eq_ignore_ascii_case("connection") {
                head.is_last |= field.value.eq_ignore_ascii_case(b"close");
            }
        }
        Some(Ok(head))
    }

    fn next(&self, request: Option<Request>) -> Next {
        let has_none = request != Some(Request::Other) || matches!(self.status, 100..200 | 204 | 304);
        match self.body {
            _ if has_none => Next::Answer,
            // None of our answers is of unknown length.
            _ if self.is_chunked => Next::Unknown,
            Some(0) | None => Next::Answer,
            Some(length) => Next::Body(length),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REFUSAL: &str = "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

    /// Checks where the refusal is found, with the output written in pieces of each size.
    #[track_caller]
    fn refusal_is_at(requests: &[Request], written: &str, want: Option<usize>) {
        for size in (1..=written.len()).rev() {
            let (asked, mut framing, mut at) = (PendingRequests::default(), Framing::default(), 0);
            requests.iter().for_each(|request| asked.note(*request));
            let mut found = None;
            while at < written.len() && found.is_none() {
                // An answer's first line is written at once.
                let piece = &written.as_bytes()[at..written.len().min(at + size.max(INTERIM.len()))];
                found = framing.read(piece, &asked).map(|offset| at + offset);
                framing.commit(&asked);
                at += piece.len();
            }
            assert_eq!(found, want, "in pieces of {size}");
        }
    }

    #[test]
    fn an_answer_that_no_request_has_is_the_frameworks() {
        use Request::{Head, Other};
        let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{REFUSAL}", REFUSAL.len());
        refusal_is_at(&[], REFUSAL, Some(0));
        refusal_is_at(&[Other], &answer, None);
        refusal_is_at(&[Other], &format!("{answer}{REFUSAL}"), Some(answer.len()));
        refusal_is_at(&[Other, Other], &format!("{answer}{answer}{REFUSAL}"), Some(2 * answer.len()));
        let head = "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n";
        refusal_is_at(&[Head], &format!("{head}{REFUSAL}"), Some(head.len()));
        for head in
            ["HTTP/1.1 304 Not Modified\r\ncontent-length: 7\r\n\r\n", "HTTP/1.1 204 No Content\r\n\r\n"]
        {
            refusal_is_at(&[Other], &format!("{head}{REFUSAL}"), Some(head.len()));
        }
        let interim = "HTTP/1.1 100 Continue\r\n\r\n";
        refusal_is_at(&[Other], &format!("{interim}{answer}{REFUSAL}"), Some(interim.len() + answer.len()));
    }

    #[test]
    fn what_can_not_be_followed_is_left_alone() {
        let chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
        refusal_is_at(&[Request::Other], &format!("{chunked}{REFUSAL}"), None);
        refusal_is_at(&[Request::Other], &format!("no answer at all\r\n\r\n{REFUSAL}"), None);
    }

    #[test]
    fn a_connection_that_ends_waits_for_nothing() {
        let (asked, mut framing) = (PendingRequests::default(), Framing::default());
        asked.note(Request::Other);
        asked.note(Request::Other);
        assert!(framing.is_between());
        framing.read(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\na", &asked);
        assert!(!framing.is_between());
        framing.read(b"b", &asked);
        assert!(framing.is_between() && !asked.is_empty());
        framing.read(b"HTTP/1.1 413 No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n", &asked);
        framing.commit(&asked);
        assert!(!framing.is_between() && asked.is_empty());
    }
}
