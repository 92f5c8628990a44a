//! Converts any serializable value to facts.

use std::fmt;

use serde::{
    Serialize,
    ser::{self, Error as _, Impossible, Serializer},
};

use super::{Data, Datum, Field, Item, Span, tag};

impl Data {
    fn span(&mut self, text: &str) -> Span {
        let start = self.text.len();
        self.text.push_str(text);
        (start, self.text.len())
    }

    fn add_text(&mut self, text: &str) {
        let span = self.span(text);
        self.items.push(Item::Text(span));
    }

    fn add_number(&mut self, number: impl ToString) {
        let span = self.span(&number.to_string());
        self.items.push(Item::Number(span));
    }

    /// Begins a list or map; closing it fills in the end.
    fn open(&mut self) -> OpenItem<'_> {
        let at = self.items.len();
        self.items.push(Item::Null);
        let open = self.open.len();
        OpenItem { data: self, at, count: 0, open }
    }
}

/// A list or map that is being filled.
pub(in crate::render) struct OpenItem<'d> {
    data: &'d mut Data,
    at: usize,
    count: usize,
    /// The index of its first field in [`Data::open`].
    open: usize,
}

impl OpenItem<'_> {
    fn add<T: Serialize + ?Sized>(&mut self, value: &T) -> fmt::Result {
        self.count += 1;
        value.serialize(&mut *self.data)
    }

    fn close_list(self) -> fmt::Result {
        self.data.items[self.at] = Item::List { count: self.count, end: self.data.items.len() };
        Ok(())
    }

    /// Records that the next item is the name of a field.
    fn name(&mut self, tag: u32) -> fmt::Result {
        let at = u32::try_from(self.data.items.len()).map_err(|_| fmt::Error)?;
        self.data.open.push(Field { tag, at });
        Ok(())
    }

    fn close_map(self) -> fmt::Result {
        let Data { items, fields, open, .. } = self.data;
        let place = |length: usize| u32::try_from(length).map_err(|_| fmt::Error);
        let (start, count) = (place(fields.len())?, place(open.len() - self.open)?);
        fields.extend(open.drain(self.open..));
        items[self.at] = Item::Map { end: items.len(), fields: start, count };
        Ok(())
    }
}

/// Serializes each number type as its text.
macro_rules! numbers {
    ($($function:ident $type:ty),*) => {
        $(fn $function(self, number: $type) -> fmt::Result {
            self.add_number(number);
            Ok(())
        })*
    };
}

impl<'d> Serializer for &'d mut Data {
    type Ok = ();
    type Error = fmt::Error;
    type SerializeSeq = OpenItem<'d>;
    type SerializeTuple = OpenItem<'d>;
    type SerializeTupleStruct = OpenItem<'d>;
    type SerializeTupleVariant = Impossible<(), fmt::Error>;
    type SerializeMap = OpenItem<'d>;
    type SerializeStruct = OpenItem<'d>;
    type SerializeStructVariant = Impossible<(), fmt::Error>;

    numbers!(
        serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64,
        serialize_u8 u8, serialize_u16 u16, serialize_u32 u32, serialize_u64 u64
    );

    fn serialize_f32(self, number: f32) -> fmt::Result {
        self.serialize_f64(number.into())
    }

    fn serialize_f64(self, number: f64) -> fmt::Result {
        match serde_json::Number::from_f64(number) {
            Some(number) => self.add_number(number),
            None => self.items.push(Item::Null),
        }
        Ok(())
    }

    fn serialize_bool(self, is_so: bool) -> fmt::Result {
        self.items.push(Item::Bool(is_so));
        Ok(())
    }

    fn serialize_char(self, c: char) -> fmt::Result {
        self.add_text(c.encode_utf8(&mut [0; 4]));
        Ok(())
    }

    fn serialize_str(self, text: &str) -> fmt::Result {
        self.add_text(text);
        Ok(())
    }

    fn serialize_bytes(self, bytes: &[u8]) -> fmt::Result {
        bytes.serialize(self)
    }

    fn serialize_none(self) -> fmt::Result {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> fmt::Result {
        value.serialize(self)
    }

    fn serialize_unit(self) -> fmt::Result {
        self.items.push(Item::Null);
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> fmt::Result {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, name: &'static str) -> fmt::Result {
        self.items.push(Item::Name(name));
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> fmt::Result {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> fmt::Result {
        Err(fmt::Error::custom("an enum with a field"))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<OpenItem<'d>, fmt::Error> {
        Ok(self.open())
    }

    fn serialize_tuple(self, _: usize) -> Result<OpenItem<'d>, fmt::Error> {
        Ok(self.open())
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<OpenItem<'d>, fmt::Error> {
        Ok(self.open())
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, fmt::Error> {
        Err(fmt::Error::custom("an enum with fields"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<OpenItem<'d>, fmt::Error> {
        Ok(self.open())
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<OpenItem<'d>, fmt::Error> {
        Ok(self.open())
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, fmt::Error> {
        Err(fmt::Error::custom("an enum with fields"))
    }
}

impl ser::SerializeSeq for OpenItem<'_> {
    type Ok = ();
    type Error = fmt::Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> fmt::Result {
        self.add(value)
    }

    fn end(self) -> fmt::Result {
        self.close_list()
    }
}

impl ser::SerializeTuple for OpenItem<'_> {
    type Ok = ();
    type Error = fmt::Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> fmt::Result {
        self.add(value)
    }

    fn end(self) -> fmt::Result {
        self.close_list()
    }
}

impl ser::SerializeTupleStruct for OpenItem<'_> {
    type Ok = ();
    type Error = fmt::Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> fmt::Result {
        self.add(value)
    }

    fn end(self) -> fmt::Result {
        self.close_list()
    }
}

impl ser::SerializeMap for OpenItem<'_> {
    type Ok = ();
    type Error = fmt::Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> fmt::Result {
        let at = self.data.items.len();
        self.name(0)?;
        self.add(key)?;
        let name = Datum { data: self.data, at }.as_str().map(tag);
        // Only strings can be names.
        let field = self.data.open.last_mut().ok_or(fmt::Error)?;
        field.tag = name.ok_or(fmt::Error)?;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> fmt::Result {
        self.add(value)
    }

    fn end(self) -> fmt::Result {
        self.close_map()
    }
}

impl ser::SerializeStruct for OpenItem<'_> {
    type Ok = ();
    type Error = fmt::Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> fmt::Result {
        self.name(tag(name))?;
        self.data.items.push(Item::Name(name));
        self.add(value)
    }

    fn end(self) -> fmt::Result {
        self.close_map()
    }
}
