//! What lines are made of.

use std::{borrow::Cow, fmt};

use super::{Writer, snippet::FilledSnippet};

/// What a line is made of: text as is, or a value that is yet to be formatted.
pub trait Text {
    /// Writes it.
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

/// Pieces, one after the other: cheaper than formatting where a line is written often.
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
