//! Problems over HTTP: RFC 9457 documents, with the headers that belong to them.

use std::borrow::Cow;

use actix_web::{
    HttpResponse, ResponseError,
    http::{StatusCode, header},
};
use odsmith_engine::report::{self, Finding};
use serde::Serialize;

use crate::{
    jobs::pool::Refused,
    pipeline::error::{ApiError, Kind, Limit},
};

/// The media type of problems.
pub const PROBLEM: &str = "application/problem+json";

/// Maximum bytes of a message in an answer: a message may quote the client's input.
const MOST_OF_A_MESSAGE: usize = 2_000;

/// Returns a message, cut to the maximum length.
#[must_use]
pub fn shortened(message: &str) -> Cow<'_, str> {
    report::text::shortened(message, MOST_OF_A_MESSAGE)
}

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

impl ApiError {
    /// Returns the document, with the request's id.
    #[must_use]
    pub fn response(&self, request_id: &str) -> HttpResponse {
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
        let mut response = HttpResponse::build(self.status_code());
        response.content_type(PROBLEM).insert_header((header::CACHE_CONTROL, "no-store"));
        if let Some(address) = self.result.as_ref().and_then(|result| result.address.as_deref()) {
            response.insert_header((header::CONTENT_LOCATION, address));
        }
        if let Some(allow) = &self.allow {
            response.insert_header((header::ALLOW, &**allow));
        }
        if let Some(limit) = self.limit.as_ref().filter(|_| self.kind.status() == 416) {
            response.insert_header((header::CONTENT_RANGE, format!("bytes */{}", limit.value)));
        }
        if self.kind.status() == 401 {
            response.insert_header((header::WWW_AUTHENTICATE, "Bearer, Basic realm=\"odsmith\""));
        }
        if let Some(seconds) = self.retry_after {
            response.insert_header((header::RETRY_AFTER, seconds));
        }
        if matches!(self.kind.status(), 408 | 413) {
            // The rest of the request's body is not read.
            response.insert_header((header::CONNECTION, "close"));
        }
        let mut response = response.body(serde_json::to_vec(&document).unwrap_or_default());
        if let Some(result) = &self.result {
            result.origin.write_to(result.is_everywhere, response.headers_mut());
        }
        response
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.kind.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    fn error_response(&self) -> HttpResponse {
        // The outermost layer writes it again, with the request's id.
        self.response("")
    }
}

impl From<Refused> for ApiError {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Overloaded => ApiError::new(Kind::OVERLOADED, "the queue is full; try again soon"),
            Refused::Late => {
                ApiError::new(Kind::DEADLINE, "the queue did not come to this in time; try again soon")
            }
            Refused::Crowded => {
                let detail = "the server needed the memory of this for others; try again when it does less";
                ApiError::new(Kind::OVERLOADED, detail)
            }
            Refused::Panicked => ApiError::new(Kind::INTERNAL, "the job ended in a way that it never should"),
        }
    }
}
