//! The inverse of all links: the page of a type, attribute, enum, trait, interface, constraint or class lists every page
//! of a definition that links to it.
//!
//! Operands, traits and the like are listed by their roles. What is left, such as names in a description, is added here as
//! "Mentioned by". The links are read from the page model, so that no field of it can be forgotten.

use std::collections::BTreeMap;

use odsmith_engine::parallel;
use rustc_hash::FxHashMap;
use serde::{
    Serialize, Serializer,
    de::value::Error,
    ser::{Impossible, SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple, SerializeTupleStruct},
};

use super::{Atlas, Body, Page};
use crate::{
    markdown::{self, Scope},
    search,
    view::{Group, Row},
};

/// The fragment of the list.
pub(super) const MENTIONED_BY: &str = "mentioned-by";

/// The limit for rounds: the summary of a listed page may itself name a definition.
const MOST_ROUNDS: usize = 4;

/// Adds the pages that link to each page and are not listed there.
pub(super) fn add(atlas: &Atlas<'_>, pages: &mut [Page], threads: usize) {
    let paths: Vec<String> = pages.iter().map(|page| page.frame.path.clone()).collect();
    let places: FxHashMap<&str, usize> = paths
        .iter()
        .enumerate()
        .filter(|(index, _)| is_definition(&pages[*index].body))
        .map(|(index, path)| (path.as_str(), index))
        .collect();
    let entries: FxHashMap<&str, &search::Row> =
        atlas.index.rows().iter().map(|row| (row.href.as_str(), row)).collect();
    let mut links: Vec<Vec<usize>> = vec![Vec::new(); pages.len()];
    let mut changed: Vec<usize> = places.values().copied().collect();
    changed.sort_unstable();
    for _ in 0..MOST_ROUNDS {
        let found = parallel::map(threads, &changed, |&index| links_of(atlas, &pages[index], index, &places));
        for (index, found) in changed.drain(..).zip(found) {
            links[index] = found;
        }
        let mut missing: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (from, targets) in links.iter().enumerate() {
            for &target in targets.iter().filter(|target| links[**target].binary_search(&from).is_err()) {
                if is_hub(&pages[target].body) {
                    missing.entry(target).or_default().push(from);
                }
            }
        }
        for (target, from) in missing {
            let rows: Vec<Row> = from.into_iter().map(|from| row(&pages[from], &entries)).collect();
            if let Some(groups) = pages[target].body.kind_mut().used_by() {
                list(groups, rows);
                changed.push(target);
            }
        }
        if changed.is_empty() {
            break;
        }
    }
}

/// Adds rows to the list of mentions.
fn list(groups: &mut Vec<Group>, rows: Vec<Row>) {
    match groups.iter_mut().find(|group| group.id == MENTIONED_BY) {
        Some(group) => {
            group.rows.extend(rows);
            group.count = group.rows.len();
        }
        None => groups.push(Group::new(MENTIONED_BY, "Mentioned by", None, rows)),
    }
}

/// Tests if a page describes a definition that uses others.
fn is_definition(body: &Body) -> bool {
    is_hub(body) || matches!(body, Body::Operation(_) | Body::Pass(_))
}

/// Tests if a page lists its users.
fn is_hub(body: &Body) -> bool {
    matches!(
        body,
        Body::AttrOrType(_) | Body::Enum(_) | Body::Trait(_) | Body::Constraint(_) | Body::Class(_)
    )
}

/// The row of a page in a list of mentions.
fn row(page: &Page, entries: &FxHashMap<&str, &search::Row>) -> Row {
    let entry = entries.get(page.frame.path.as_str());
    let name = entry.map_or(page.frame.title.as_str(), |entry| entry.name.as_str());
    let kind = entry.map_or("", |entry| entry.kind);
    let is_dotted = matches!(kind, "op" | "type" | "attr");
    let (prefix, short) = match name.find('.').filter(|_| is_dotted) {
        Some(dot) => name.split_at(dot + 1),
        None => ("", name),
    };
    Row {
        prefix: prefix.to_owned(),
        name: short.to_owned(),
        href: page.frame.path.clone(),
        summary: entry.map_or_else(String::new, |entry| entry.summary.clone()),
        is_deprecated: entry.is_some_and(|entry| entry.is_deprecated),
        kind: "",
    }
}

/// The definitions that a page links to, sorted.
fn links_of(atlas: &Atlas<'_>, page: &Page, own: usize, places: &FxHashMap<&str, usize>) -> Vec<usize> {
    let scope = Scope { registry: &atlas.registry, texts: &atlas.texts, root: "", path: &page.frame.path };
    let mut collector = Collector { scope, places, found: Vec::new(), kind: Text::Other };
    // Nothing fails, because links are only collected.
    let _ = match &page.body {
        Body::Operation(view) => view.serialize(&mut collector),
        Body::AttrOrType(view) => view.serialize(&mut collector),
        Body::Enum(view) => view.serialize(&mut collector),
        Body::Trait(view) => view.serialize(&mut collector),
        Body::Constraint(view) => view.serialize(&mut collector),
        Body::Class(view) => view.serialize(&mut collector),
        Body::Pass(view) => view.serialize(&mut collector),
        _ => Ok(()),
    };
    let mut found = collector.found;
    found.retain(|index| *index != own);
    found.sort_unstable();
    found.dedup();
    found
}

/// The meaning of a text of the page model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Text {
    /// An address.
    Address,
    /// Paragraphs of Markdown.
    Block,
    /// A line of Markdown.
    Line,
    /// Text without links.
    Other,
}

/// The fields of the page model that are addresses.
const ADDRESSES: &[&str] = &["href", "cpp_href"];
/// The fields that templates write as a line of Markdown.
const LINES: &[&str] =
    &["summary", "description", "meaning", "text", "deprecation", "constraint", "message", "advice"];
/// Fields without links; the diagram is drawn when it is serialized.
const WITHOUT_LINKS: &[&str] = &["diagram", "neighbours", "examples", "skeleton", "history"];

/// A serializer that keeps the links of a page.
struct Collector<'a> {
    scope: Scope<'a>,
    /// The pages of definitions.
    places: &'a FxHashMap<&'a str, usize>,
    found: Vec<usize>,
    kind: Text,
}

impl Collector<'_> {
    fn address(&mut self, href: &str) {
        let path = href.split('#').next().unwrap_or(href);
        self.found.extend(self.places.get(path));
    }

    /// Keeps the links in rendered Markdown.
    fn rendered(&mut self, html: &str) {
        for piece in html.split(" href=\"").skip(1) {
            let end = piece.find('"').unwrap_or(piece.len());
            self.address(&piece[..end]);
        }
    }

    fn field(&mut self, of: &str, key: &'static str, value: &(impl Serialize + ?Sized)) -> Result<(), Error> {
        if WITHOUT_LINKS.contains(&key) {
            return Ok(());
        }
        self.kind = match key {
            key if ADDRESSES.contains(&key) => Text::Address,
            "md" => Text::Block,
            // The text of a token or of a link is a name.
            key if LINES.contains(&key) && !matches!(of, "Token" | "Link") => Text::Line,
            _ => Text::Other,
        };
        let result = value.serialize(&mut *self);
        self.kind = Text::Other;
        result
    }
}

macro_rules! ignored {
    ($($function:ident: $ty:ty),*) => {
        $(fn $function(self, _: $ty) -> Result<(), Error> { Ok(()) })*
    };
}

impl<'c, 'a> Serializer for &'c mut Collector<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Items<'c, 'a>;
    type SerializeTuple = Items<'c, 'a>;
    type SerializeTupleStruct = Items<'c, 'a>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Items<'c, 'a>;
    type SerializeStruct = Items<'c, 'a>;
    type SerializeStructVariant = Impossible<(), Error>;

    ignored!(
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_f32: f32,
        serialize_f64: f64, serialize_char: char, serialize_bytes: &[u8], serialize_unit_struct: &'static str
    );

    fn serialize_str(self, text: &str) -> Result<(), Error> {
        // Other texts have no links, and most texts are of this kind.
        let may_have_links = || text.contains('`') || text.contains("](") || text.contains('#');
        match self.kind {
            Text::Address => self.address(text),
            Text::Block if may_have_links() => self.rendered(&markdown::block(text, self.scope)),
            Text::Line if may_have_links() => self.rendered(&markdown::inline(text, self.scope)),
            Text::Block | Text::Line | Text::Other => {}
        }
        Ok(())
    }

    fn serialize_none(self) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, Error> {
        Ok(Items { of: "", collector: self })
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Error> {
        Ok(Items { of: "", collector: self })
    }

    fn serialize_tuple_struct(self, of: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, Error> {
        Ok(Items { of, collector: self })
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Error> {
        Err(serde::ser::Error::custom("no page has such a value"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Error> {
        Ok(Items { of: "", collector: self })
    }

    fn serialize_struct(self, of: &'static str, _: usize) -> Result<Self::SerializeStruct, Error> {
        Ok(Items { of, collector: self })
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Error> {
        Err(serde::ser::Error::custom("no page has such a value"))
    }
}

/// The values inside a value; `of` is the name of its struct.
struct Items<'c, 'a> {
    of: &'static str,
    collector: &'c mut Collector<'a>,
}

impl SerializeSeq for Items<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let kind = self.collector.kind;
        let result = value.serialize(&mut *self.collector);
        self.collector.kind = kind;
        result
    }

    fn end(self) -> Result<(), Error> {
        Ok(())
    }
}

impl SerializeTuple for Items<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Result<(), Error> {
        Ok(())
    }
}

impl SerializeTupleStruct for Items<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Result<(), Error> {
        Ok(())
    }
}

impl SerializeMap for Items<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, _: &T) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Result<(), Error> {
        Ok(())
    }
}

impl SerializeStruct for Items<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        self.collector.field(self.of, key, value)
    }

    fn end(self) -> Result<(), Error> {
        Ok(())
    }
}
