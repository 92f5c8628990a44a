//! Where results come from, as `Cache-Status` says it.

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};

const CACHE_STATUS: HeaderName = HeaderName::from_static("cache-status");

/// Where a result comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// This server had it, or was making it already.
    Memory,
    /// The disk of this server had it.
    Disk,
    /// Another server had made it.
    Shared,
    /// It was made now.
    Made,
    /// It was made now, and is too large to be kept.
    Unkept,
}

impl Origin {
    /// `Cache-Status`, as RFC 9211 has it.
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

    /// Says it in an answer.
    pub fn write_to(self, headers: &mut HeaderMap) {
        headers.insert(CACHE_STATUS, self.header());
    }
}
