//! Problems: errors that are sent to clients as data. One table has the code, the status and the title of each kind.

use std::{borrow::Cow, fmt};

use http::StatusCode;
use odsmith_engine::report::{self, Finding};
use serde::Serialize;
use utoipa::ToSchema;

use crate::store::{archive::Refusal, origin::Origin};

/// Maximum bytes of a message in an answer: a message may quote the client's input.
const MOST_OF_A_MESSAGE: usize = 2_000;

/// Returns a message, cut to the maximum length.
#[must_use]
pub fn shortened(message: &str) -> Cow<'_, str> {
    report::text::shortened(message, MOST_OF_A_MESSAGE)
}

/// A kind of problem: its code, status and title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The last part of its `type`.
    pub code: &'static str,
    status: u16,
    title: &'static str,
}

macro_rules! kinds {
    ($($name:ident = $status:literal $code:literal $title:literal;)*) => {
        impl Kind {
            $(
                #[doc = $title]
                pub const $name: &'static Kind = &Kind { code: $code, status: $status, title: $title };
            )*
            /// Every kind.
            pub const ALL: &[&'static Kind] = &[$(Kind::$name),*];
        }
    };
}

kinds! {
    BAD_REQUEST = 400 "bad-request" "The request cannot be understood.";
    BAD_ARCHIVE = 400 "bad-archive" "The archive is refused.";
    BAD_MANIFEST = 400 "bad-manifest" "The manifest is wrong.";
    BAD_PARAMETER = 400 "bad-parameter" "A parameter of the address is wrong.";
    DIGEST_MISMATCH = 400 "digest-mismatch" "The body is not what its address says.";
    UNAUTHORIZED = 401 "unauthorized" "A token is needed here.";
    FORBIDDEN = 403 "forbidden" "The token is not good for this.";
    NOT_FOUND = 404 "not-found" "There is nothing here.";
    RESULT_NOT_FOUND = 404 "result-not-found" "No result of this name is kept; send its bundle again.";
    BUNDLE_NOT_FOUND = 404 "bundle-not-found" "No bundle of this name is known; send it first.";
    FILES_NOT_FOUND = 404 "files-not-found" "Not all files that are named are known; send them.";
    METHOD_NOT_ALLOWED = 405 "method-not-allowed" "This cannot be done here.";
    NOT_ACCEPTABLE = 406 "not-acceptable" "None of the accepted media types can be given.";
    HEAD_TOO_SLOW = 408 "head-too-slow" "The head took too long to arrive.";
    BODY_TOO_SLOW = 408 "body-too-slow" "The body took too long to arrive.";
    LENGTH_REQUIRED = 411 "length-required" "The head says nothing of a body.";
    GENERATION_GONE = 410 "generation-gone" "That generation of the catalogue is no longer known here.";
    PRECONDITION_FAILED = 412 "precondition-failed" "The condition of the request does not hold.";
    TOO_LARGE = 413 "too-large" "The body is larger than allowed.";
    ADDRESS_TOO_LONG = 414 "address-too-long" "The address is longer than allowed.";
    MEDIA_TYPE = 415 "media-type" "The body is not what its media type says, or of none that is read.";
    RANGE_NOT_SATISFIABLE = 416 "range-not-satisfiable" "The answer has none of the bytes that are asked for.";
    TABLEGEN_ERRORS = 422 "tablegen-errors" "Not everything could be made; the rest is linked.";
    LIMIT_EXCEEDED = 422 "limit-exceeded" "The input needs more than a job may use; the rest is linked.";
    DEPENDENCIES_NOT_LOCKED = 422 "dependencies-not-locked" "The bundle has no odsmith.lock that fits its dependencies.";
    SOURCE_REFUSED = 422 "source-refused" "The source is not fetched from there.";
    OVER_QUOTA = 429 "over-quota" "A client comes too often.";
    HEAD_TOO_LARGE = 431 "head-too-large" "The head is larger than allowed.";
    INTERNAL = 500 "internal" "A mistake of ours.";
    SOURCE_FAILED = 502 "source-failed" "The source could not be fetched.";
    SERVER_GONE = 502 "server-gone" "The server that had the request is gone; send it again.";
    CLIENT_GONE = 503 "client-gone" "Nobody waits for the answer.";
    OVERLOADED = 503 "overloaded" "Too much is waiting.";
    CATALOG_NOT_READY = 503 "catalog-not-ready" "The registry of the catalogue was not read yet.";
    DEADLINE = 503 "deadline" "The job took too long.";
}

impl Kind {
    /// Returns its status.
    #[must_use]
    pub fn status(self) -> u16 {
        self.status
    }

    /// Returns its meaning in one sentence.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.title
    }
}

/// A problem that is sent to the client.
#[derive(Clone, Debug)]
pub struct ApiError {
    /// Its kind.
    pub kind: &'static Kind,
    /// The details of this case.
    pub detail: String,
    /// The limit that was exceeded, if one was.
    pub limit: Option<Box<Limit>>,
    /// Messages with places.
    pub diagnostics: Vec<Finding>,
    /// True if there were more.
    pub truncated: bool,
    /// The result with the successful outputs, if there is one.
    pub result: Option<Box<Partial>>,
    /// The methods that the resource supports, if the method is the problem.
    pub allow: Option<Box<str>>,
    /// The seconds after which to try again.
    pub retry_after: Option<u32>,
    /// Digests of files that must be sent.
    pub missing: Box<[String]>,
}

/// A result without some of the requested outputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partial {
    /// Its address, if that may be named.
    pub address: Option<String>,
    /// True if other servers have it.
    pub is_everywhere: bool,
    /// Its origin.
    pub origin: Origin,
}

/// An RFC 9457 document.
#[derive(Serialize)]
struct Document<'e> {
    r#type: String,
    title: &'e str,
    status: u16,
    detail: &'e str,
    code: &'e str,
    request_id: &'e str,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<&'e Limit>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'e str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    missing: &'e [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    diagnostics: &'e [Finding],
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
}

/// A limit that was passed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Limit {
    /// Its name in `/v1/limits`.
    pub name: &'static str,
    /// Its value.
    pub value: u64,
    /// The value in the request.
    pub seen: u64,
}

impl ApiError {
    /// Creates a problem with a detail.
    #[must_use]
    pub fn new(kind: &'static Kind, detail: impl Into<String>) -> Self {
        ApiError {
            kind,
            detail: detail.into(),
            limit: None,
            diagnostics: Vec::new(),
            truncated: false,
            result: None,
            allow: None,
            retry_after: (kind.status == 503).then_some(2),
            missing: Box::default(),
        }
    }

    /// Returns the problem as an RFC 9457 document, with the request's id.
    #[must_use]
    pub fn document(&self, request_id: &str) -> Vec<u8> {
        let document = Document {
            r#type: format!("/problems#{}", self.kind.code),
            title: self.kind.title(),
            status: self.kind.status(),
            detail: &shortened(&self.detail),
            code: self.kind.code,
            request_id,
            limit: self.limit.as_deref(),
            result: self.result.as_ref().and_then(|result| result.address.as_deref()),
            missing: &self.missing,
            diagnostics: &self.diagnostics,
            truncated: self.truncated,
        };
        // Writing to memory cannot fail.
        serde_json::to_vec(&document).unwrap_or_default()
    }

    /// Returns the error for clients that wait for a job of another client, which has gone.
    #[must_use]
    pub fn client_gone() -> Self {
        Self::new(Kind::CLIENT_GONE, "no client waits for this any more")
    }

    /// Returns the error for a body over its limit.
    #[must_use]
    pub fn too_large(name: &'static str, value: u64, seen: u64) -> Self {
        Self::of_limit(Kind::TOO_LARGE, name, value, seen)
    }

    /// Returns the error for an exceeded limit.
    #[must_use]
    pub fn of_limit(kind: &'static Kind, name: &'static str, value: u64, seen: u64) -> Self {
        let detail = format!("limit reached: {name} is at most {value}, and {seen} came");
        ApiError { limit: Some(Box::new(Limit { name, value, seen })), ..Self::new(kind, detail) }
    }

    /// Returns the error for a bare status.
    #[must_use]
    pub fn of_status(status: StatusCode, detail: String) -> Self {
        let kind = match status.as_u16() {
            500.. => Kind::INTERNAL,
            status => {
                Kind::ALL.iter().find(|kind| kind.status == status).copied().unwrap_or(Kind::BAD_REQUEST)
            }
        };
        ApiError::new(kind, detail)
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.code, self.detail)
    }
}

impl std::error::Error for ApiError {}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::TooLarge { name, value, seen } => ApiError::too_large(name, value, seen),
            Refusal::NotAnArchive | Refusal::Malformed(_) | Refusal::Path { .. } => {
                ApiError::new(Kind::BAD_ARCHIVE, refusal.to_string())
            }
        }
    }
}
