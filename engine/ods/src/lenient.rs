//! Reading on after a mistake. A reader goes through a whole definition and keeps what it can read; the first mistake is
//! remembered. Generators refuse a definition with a mistake, documentation shows what there is.

use odsmith_tablegen::diagnostic::Diagnostic;

/// The first mistake in a definition, if there is one.
#[derive(Clone, Debug, Default)]
pub(super) struct Mistake(Option<Box<Diagnostic>>);

impl Mistake {
    /// What was read; a default in place of what could not be.
    pub(super) fn keep<T: Default>(&mut self, read: Result<T, Diagnostic>) -> T {
        read.unwrap_or_else(|error| {
            self.0.get_or_insert_with(|| Box::new(error));
            T::default()
        })
    }

    /// The same, where what is not needed may be missing.
    pub(super) fn keep_if<T: Default>(&mut self, is_needed: bool, read: Result<T, Diagnostic>) -> T {
        if is_needed { self.keep(read) } else { read.unwrap_or_default() }
    }

    /// Whether there was none.
    pub(super) fn is_none(&self) -> bool {
        self.0.is_none()
    }

    /// The definition, if there was none.
    pub(super) fn refuse<T>(&mut self, definition: T) -> Result<T, Diagnostic> {
        self.0.take().map_or(Ok(definition), |error| Err(*error))
    }
}
