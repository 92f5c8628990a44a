//! The origin of a result, as `Cache-Status` reports it.

use http::header::HeaderValue;

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
    /// Returns the value of `Cache-Status` (RFC 9211). `is_kept` is false if the address of the result may be unknown
    /// to other servers.
    #[must_use]
    pub fn header(self, is_kept: bool) -> HeaderValue {
        HeaderValue::from_static(match (self, is_kept) {
            (Origin::Memory, true) => "odsmith; hit; detail=memory",
            (Origin::Memory, false) => "odsmith; hit; detail=memory; unkept",
            (Origin::Disk, true) => "odsmith; hit; detail=disk",
            (Origin::Disk, false) => "odsmith; hit; detail=disk; unkept",
            (Origin::Shared, true) => "odsmith; hit; detail=shared",
            (Origin::Shared, false) => "odsmith; hit; detail=shared; unkept",
            (Origin::Made, true) => "odsmith; fwd=miss; stored",
            (Origin::Made, false) => "odsmith; fwd=miss; unkept",
            (Origin::Unkept, _) => "odsmith; fwd=miss; detail=too-large",
        })
    }

    /// Writes the header to an answer.
    #[cfg(feature = "network")]
    pub fn write_to(self, is_kept: bool, headers: &mut actix_web::http::header::HeaderMap) {
        headers.insert(http::header::HeaderName::from_static("cache-status"), self.header(is_kept));
    }
}
