//! The origin of a result, as `Cache-Status` reports it.

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};

const CACHE_STATUS: HeaderName = HeaderName::from_static("cache-status");

/// The origin of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// This server had it in memory, or was making it already.
    Memory,
    /// This server had it on the disk.
    Disk,
    /// Another server had made it.
    Shared,
    /// A job made it for this request.
    Made,
    /// A job made it for this request, and it is too large to be stored.
    Unkept,
}

impl Origin {
    /// Returns the value of `Cache-Status` (RFC 9211).
    #[must_use]
    pub fn header(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Origin::Memory => "odsmith; hit; detail=memory",
            Origin::Disk => "odsmith; hit; detail=disk",
            Origin::Shared => "odsmith; hit; detail=shared",
            Origin::Made => "odsmith; fwd=miss; stored",
            Origin::Unkept => "odsmith; fwd=miss; detail=too-large",
        })
    }

    /// Writes the header to an answer.
    pub fn write_to(self, headers: &mut HeaderMap) {
        headers.insert(CACHE_STATUS, self.header());
    }
}
