//! The data that templates read: the page model as one flat list, without an allocation per name and text.

mod fill;

use std::{borrow::Cow, fmt};

use serde::Serialize;

/// A value as a flat list of items in the order of the model; the content of a list or map follows it.
#[derive(Debug, Default)]
pub(super) struct Data {
    items: Vec<Item>,
    /// The fields of each closed map, in sequence, so that a name is found without scanning the values.
    fields: Vec<Field>,
    /// The fields of maps that are still open.
    open: Vec<Field>,
    /// All texts and numbers, concatenated.
    text: String,
}

/// The start and end of a text.
type Span = (usize, usize);

/// The index of a field's name, with a tag that distinguishes it from most others.
#[derive(Clone, Copy, Debug)]
struct Field {
    tag: u32,
    at: u32,
}

/// A hash of a name: its length and first two letters, which differ in most names of equal length.
fn tag(name: &str) -> u32 {
    let letter = |at: usize| name.as_bytes().get(at).map_or(0, |&byte| u32::from(byte));
    name.len() as u32 & 0xffff | letter(0) << 16 | letter(1) << 24
}

#[derive(Clone, Copy, Debug)]
enum Item {
    Null,
    Bool(bool),
    Number(Span),
    Text(Span),
    /// The name of a field, or a static string.
    Name(&'static str),
    List {
        count: usize,
        /// The index of the item after its content.
        end: usize,
    },
    /// A map: each name is a text, followed by its value.
    Map {
        end: usize,
        /// The index of its first field.
        fields: u32,
        count: u32,
    },
}

impl Data {
    /// Serializes a value; `capacity` is the expected size of its texts in bytes.
    ///
    /// # Errors
    /// The value has an enum variant with fields, or a map whose keys are not strings.
    pub(super) fn new<T: Serialize + ?Sized>(value: &T, capacity: usize) -> Result<Data, fmt::Error> {
        let mut data = Data {
            items: Vec::with_capacity(capacity / 8),
            fields: Vec::with_capacity(capacity / 16),
            open: Vec::with_capacity(64),
            text: String::with_capacity(capacity),
        };
        value.serialize(&mut data)?;
        Ok(data)
    }

    /// The whole value.
    pub(super) fn root(&self) -> Datum<'_> {
        Datum { data: self, at: 0 }
    }

    /// The total length of all texts.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }
}

/// A value inside [`Data`].
#[derive(Clone, Copy)]
pub(super) struct Datum<'a> {
    data: &'a Data,
    at: usize,
}

impl<'a> Datum<'a> {
    fn item(self) -> &'a Item {
        self.data.items.get(self.at).unwrap_or(&Item::Null)
    }

    fn text(self, &(start, end): &Span) -> &'a str {
        &self.data.text[start..end]
    }

    /// The value after it and its content.
    fn next(self) -> Datum<'a> {
        let at = match self.item() {
            Item::List { end, .. } | Item::Map { end, .. } => *end,
            Item::Null | Item::Bool(_) | Item::Number(_) | Item::Text(_) | Item::Name(_) => self.at + 1,
        };
        Datum { at, ..self }
    }

    /// Looks up a field of a map by name, or an item of a list by index.
    pub(super) fn get(self, name: &str) -> Option<Datum<'a>> {
        match self.item() {
            &Item::Map { fields, count, .. } => {
                let tag = tag(name);
                let mut fields = self.data.fields[fields as usize..][..count as usize].iter();
                let is_it = |field: &&Field| {
                    field.tag == tag && Datum { at: field.at as usize, ..self }.as_str() == Some(name)
                };
                fields.find(is_it).map(|field| Datum { at: field.at as usize + 1, ..self })
            }
            Item::List { .. } => self.entries()?.nth(name.parse().ok()?).map(|(_, datum)| datum),
            Item::Null | Item::Bool(_) | Item::Number(_) | Item::Text(_) | Item::Name(_) => None,
        }
    }

    /// Iterates over the content of a list or map.
    pub(super) fn entries(self) -> Option<Entries<'a>> {
        let next = Datum { at: self.at + 1, ..self };
        match self.item() {
            &Item::List { count, .. } => Some(Entries { next, count, has_keys: false }),
            &Item::Map { count, .. } => Some(Entries { next, count: count as usize, has_keys: true }),
            Item::Null | Item::Bool(_) | Item::Number(_) | Item::Text(_) | Item::Name(_) => None,
        }
    }

    pub(super) fn as_str(self) -> Option<&'a str> {
        match self.item() {
            Item::Text(span) => Some(self.text(span)),
            Item::Name(name) => Some(name),
            _ => None,
        }
    }

    pub(super) fn as_bool(self) -> Option<bool> {
        match self.item() {
            Item::Bool(is_so) => Some(*is_so),
            _ => None,
        }
    }

    pub(super) fn is_null(self) -> bool {
        matches!(self.item(), Item::Null)
    }

    pub(super) fn is_number(self) -> bool {
        matches!(self.item(), Item::Number(_))
    }

    /// Tests if it is truthy, as in `{{#if}}`: not null, false, zero or empty.
    pub(super) fn is_truthy(self) -> bool {
        match self.item() {
            Item::Null => false,
            Item::Bool(is_so) => *is_so,
            Item::Number(span) => self.text(span).parse::<f64>().is_ok_and(f64::is_normal),
            Item::Text((start, end)) => start < end,
            Item::Name(name) => !name.is_empty(),
            Item::List { end, .. } | Item::Map { end, .. } => *end > self.at + 1,
        }
    }

    /// The text that a page shows for it.
    pub(super) fn page_text(self) -> Cow<'a, str> {
        match self.item() {
            Item::Null => Cow::Borrowed(""),
            Item::Bool(is_so) => Cow::Borrowed(if *is_so { "true" } else { "false" }),
            Item::Number(span) | Item::Text(span) => Cow::Borrowed(self.text(span)),
            Item::Name(name) => Cow::Borrowed(name),
            Item::List { .. } => {
                let items: Vec<Cow<'_, str>> =
                    self.entries().into_iter().flatten().map(|(_, datum)| datum.page_text()).collect();
                Cow::Owned(format!("[{}]", items.join(", ")))
            }
            Item::Map { .. } => Cow::Borrowed("[object]"),
        }
    }
}

/// An iterator over the content of a list or map, with the keys of a map.
#[derive(Clone)]
pub(super) struct Entries<'a> {
    next: Datum<'a>,
    count: usize,
    has_keys: bool,
}

impl<'a> Iterator for Entries<'a> {
    type Item = (Option<&'a str>, Datum<'a>);

    fn next(&mut self) -> Option<(Option<&'a str>, Datum<'a>)> {
        self.count = self.count.checked_sub(1)?;
        let (mut key, mut datum) = (None, self.next);
        if self.has_keys {
            (key, datum) = (datum.as_str(), datum.next());
        }
        self.next = datum.next();
        Some((key, datum))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.count, Some(self.count))
    }
}

impl ExactSizeIterator for Entries<'_> {}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_there_is_found() {
        let value = json!({
            "a": [{"b": 1, "c": "x"}, {"b": 0, "c": ""}],
            "d": {"e": null, "f": true},
            "g": 1.5,
            "h": []
        });
        let data = Data::new(&value, 0).expect("facts");
        let at = |path: &str| path.split('.').try_fold(data.root(), Datum::get);
        let shown = |path: &str| at(path).map(|datum| (datum.page_text().into_owned(), datum.is_truthy()));
        assert_eq!(shown("a.0.c"), Some(("x".to_owned(), true)));
        assert_eq!(shown("a.1.b"), Some(("0".to_owned(), false)));
        assert_eq!(shown("a.1.c"), Some((String::new(), false)));
        assert_eq!(shown("a"), Some(("[[object], [object]]".to_owned(), true)));
        assert_eq!(shown("d.e"), Some((String::new(), false)));
        assert_eq!(shown("d.f"), Some(("true".to_owned(), true)));
        assert_eq!(shown("g"), Some(("1.5".to_owned(), true)));
        assert_eq!(shown("h"), Some(("[]".to_owned(), false)));
        assert_eq!(shown("a.2"), None);
        assert_eq!(shown("d.a"), None);
    }
}
