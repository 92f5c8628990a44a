//! Places in the sources.

/// The place of a token: a byte offset into the concatenation of all buffers of a job.
///
/// [`Sources`](crate::source::Sources) turns it into a file, a line and a column. The end of the token is
/// found by reading it again, so a span costs four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span(pub u32);

impl Span {
    /// No place: for built-in entities, and for the few messages for which the reference has none.
    pub const NONE: Span = Span(u32::MAX);

    /// The place of values that belong to no record: the reference prints `<unknown>:0` for it.
    pub const UNKNOWN: Span = Span(u32::MAX >> 1);

    /// Returns the place of the `include` of this number, wherever it is in the root that uses a shared state.
    #[must_use]
    pub fn anchor(number: usize) -> Span {
        Span(u32::MAX - 1 - number as u32)
    }

    /// Returns the number of the `include` that this represents, of `count`.
    #[must_use]
    pub fn anchored(self, count: usize) -> Option<usize> {
        let number = (u32::MAX - 1).checked_sub(self.0)? as usize;
        (number < count).then_some(number)
    }

    /// Returns true if this is a place in a buffer.
    #[must_use]
    pub fn is_some(self) -> bool {
        self != Span::NONE
    }

    /// Returns the place `bytes` further on in the same buffer.
    #[must_use]
    pub fn plus(self, bytes: usize) -> Span {
        Span(self.0.saturating_add(u32::try_from(bytes).unwrap_or(u32::MAX)))
    }
}
