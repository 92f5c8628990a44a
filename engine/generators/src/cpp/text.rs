//! The pieces of a line.

use std::{borrow::Cow, fmt};

use super::{Writer, snippet::FilledSnippet};

/// A piece of a line: text as is, or a value that is formatted as it is written.
pub trait Text {
    /// Writes the piece.
    fn write_to(&self, w: &mut Writer);
}

impl Text for str {
    fn write_to(&self, w: &mut Writer) {
        w.raw(self);
    }
}

impl Text for String {
    fn write_to(&self, w: &mut Writer) {
        w.raw(self);
    }
}

impl Text for Cow<'_, str> {
    fn write_to(&self, w: &mut Writer) {
        w.raw(self);
    }
}

/// Several pieces in a row: cheaper than formatting for lines that are written often.
impl<const N: usize> Text for [&str; N] {
    fn write_to(&self, w: &mut Writer) {
        self.iter().for_each(|piece| w.raw(piece));
    }
}

impl Text for fmt::Arguments<'_> {
    fn write_to(&self, w: &mut Writer) {
        w.write_fmt(*self);
    }
}

impl Text for FilledSnippet<'_> {
    fn write_to(&self, w: &mut Writer) {
        w.display(self);
    }
}

impl<T: Text + ?Sized> Text for &T {
    fn write_to(&self, w: &mut Writer) {
        (**self).write_to(w);
    }
}
