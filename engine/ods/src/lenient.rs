//! Recovery from mistakes. A reader goes through a whole definition, keeps what it can read and records the first
//! mistake. Generators refuse a definition with a mistake; documentation shows what was read.

use odsmith_tablegen::diagnostic::Diagnostic;

/// The first mistake in a definition, if there is one.
#[derive(Clone, Debug, Default)]
pub(super) struct Mistake(Option<Box<Diagnostic>>);

impl Mistake {
    /// Returns the value that was read; on an error, records it and returns a default.
    pub(super) fn keep<T: Default>(&mut self, read: Result<T, Diagnostic>) -> T {
        read.unwrap_or_else(|error| {
            self.0.get_or_insert_with(|| Box::new(error));
            T::default()
        })
    }

    /// Does the same, but ignores the error if the value is not needed.
    pub(super) fn keep_if<T: Default>(&mut self, is_needed: bool, read: Result<T, Diagnostic>) -> T {
        if is_needed { self.keep(read) } else { read.unwrap_or_default() }
    }

    /// Returns whether there was no mistake.
    pub(super) fn is_none(&self) -> bool {
        self.0.is_none()
    }

    /// Returns a definition that is kept, or the mistake if there was one.
    pub(super) fn check<T>(&self, definition: T) -> Result<T, Diagnostic> {
        self.0.as_ref().map_or(Ok(definition), |error| Err((**error).clone()))
    }

    /// Returns the definition, or the mistake if there was one.
    pub(super) fn refuse<T>(&mut self, definition: T) -> Result<T, Diagnostic> {
        self.0.take().map_or(Ok(definition), |error| Err(*error))
    }
}
