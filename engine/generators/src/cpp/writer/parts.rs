//! Lists of items, written one by one or by several threads with the same result.

use std::{convert::Infallible, ops::Range};

use super::Writer;
use odsmith_tablegen::parallel::{self, Spare};

impl Writer {
    /// Writes every item from the start of a line on; idle threads help.
    pub fn each<T: Sync>(&mut self, spare: &Spare, items: &[T], write: impl Fn(&T, &mut Writer) + Sync) {
        let write = |item: &T, w: &mut Writer| -> Result<(), Infallible> {
            write(item, w);
            Ok(())
        };
        let Ok(()) = self.try_each(spare, items, write);
    }

    /// Writes every item from the start of a line on; idle threads help.
    ///
    /// # Errors
    /// The error of the first item that cannot be written.
    pub fn try_each<T: Sync, E: Send>(
        &mut self,
        spare: &Spare,
        items: &[T],
        write: impl Fn(&T, &mut Writer) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        struct Part<E> {
            w: Writer,
            /// The index and the bytes of each item in the part.
            items: Vec<(usize, Range<usize>)>,
            /// The first of its items that cannot be written, with the error.
            error: Option<(usize, E)>,
        }
        self.settle();
        let (indent, indents_every_line) = (self.indent, self.indents_every_line);
        let (limit, rules) = (self.limit, self.rules);
        let cancel = self.cancel.clone();
        let blank =
            || Writer { indent, indents_every_line, cancel: cancel.clone(), ..Writer::new(limit, rules) };
        let mut own = Part { w: std::mem::replace(self, blank()), items: Vec::new(), error: None };
        let part = || Part { w: blank().preallocated(), items: Vec::new(), error: None };
        let mut others = parallel::meet(spare, items.len(), &mut own, part, |part, index| {
            if part.w.cancel.is_cancelled() {
                part.w.is_over = true;
                return;
            }
            let start = part.w.position();
            if let Err(error) = write(&items[index], &mut part.w)
                && part.error.as_ref().is_none_or(|(first, _)| index < *first)
            {
                part.error = Some((index, error));
            }
            let end = part.w.position();
            part.items.push((index, start..end));
        });
        *self = own.w;
        let errors = others.iter_mut().filter_map(|part| part.error.take());
        if let Some((_, error)) = errors.chain(own.error).min_by_key(|(index, _)| *index) {
            return Err(error);
        }
        self.is_over |= others.iter().any(|part| part.w.is_over);
        let mut texts: Vec<(usize, &str)> = Vec::with_capacity(items.len());
        for Part { w, items, .. } in &others {
            texts.extend(items.iter().map(|(index, bytes)| (*index, &w.text[bytes.clone()])));
        }
        texts.sort_unstable_by_key(|(index, _)| *index);
        for (_, text) in texts {
            // These texts have their margins.
            match self.text.len() + text.len() > self.limit {
                true => self.is_over = true,
                false => self.text.push_str(text),
            }
        }
        Ok(())
    }
}
