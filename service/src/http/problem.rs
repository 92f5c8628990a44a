//! Problems over HTTP: RFC 9457 documents, with the headers that belong to them.

use actix_web::{
    HttpResponse, ResponseError,
    http::{StatusCode, header},
};

use crate::{
    jobs::pool::Refused,
    pipeline::error::{ApiError, Kind},
};

/// The media type of problems.
pub const PROBLEM: &str = "application/problem+json";

impl ApiError {
    /// Returns the answer with the document.
    #[must_use]
    pub fn response(&self, request_id: &str) -> HttpResponse {
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
        let mut response = response.body(self.document(request_id));
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
