//! The one growing buffer that a generator writes into.

/// A text being written. It counts its bytes, drops what is over its limit and says so at the end.
#[derive(Debug)]
pub struct Writer {
    text: String,
    limit: usize,
    is_over: bool,
}

impl Writer {
    /// An empty text that may grow to `limit` bytes.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Writer { text: String::new(), limit, is_over: false }
    }

    /// Appends text as it stands.
    pub fn text(&mut self, text: &str) {
        if self.text.len() + text.len() > self.limit {
            self.is_over = true;
            return;
        }
        self.text.push_str(text);
    }

    /// The text, or nothing if it grew over the limit.
    #[must_use]
    pub fn finish(self) -> Option<String> {
        (!self.is_over).then_some(self.text)
    }
}

impl std::fmt::Write for Writer {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.text(text);
        Ok(())
    }
}
