//! The reference site.
