//! Attributes: the builtin ones by their grammar, those of dialects as a balanced body.
//!
//! ```text
//! 1  1 : i8  0xFF : i8  1.5 : f32  true  "text"  unit  @a::@b  [1, 2]  {a, b = 1}  i32  loc(unknown)
//! dense<[1, 2]> : tensor<2xi32>  array<i64: 1, 2>  affine_map<(i) -> (i)>  strided<[1, ?]>  dense_resource<a> : …
//! #d.name<…>  #d<name …>  #alias
//! ```
//!
//! Reading returns the attribute as conditions of constraints see it, or nothing if it is not understood.

mod elements;

use std::borrow::Cow;

use odsmith_conditions::{Attr, Type, attrs::Kind, types::Sign};

use odsmith_ods::DefKind;

use crate::{
    affine,
    cursor::{Cursor, Reading},
    lexer::TokenKind as T,
    location,
    tree::NodeKind,
    types,
};

/// Reads an attribute as a node.
///
/// # Errors
/// There is no attribute, or it is wrong; the error is noted.
pub fn read_attribute(cursor: &mut Cursor<'_>) -> Reading {
    let node = cursor.start(NodeKind::Attribute);
    value(cursor)?;
    cursor.finish(node);
    Ok(())
}

/// Reads an attribute.
///
/// # Errors
/// There is no attribute, or it is wrong; the error is noted.
pub fn value(cursor: &mut Cursor<'_>) -> Reading<Option<Attr>> {
    cursor.nested(|cursor| any(cursor, None))
}

/// Reads an attribute whose type is known, so that it is not written.
///
/// # Errors
/// There is no attribute, or it is wrong; the error is noted.
pub fn value_of(cursor: &mut Cursor<'_>, ty: &Type) -> Reading<Option<Attr>> {
    cursor.nested(|cursor| any(cursor, Some(ty)))
}

fn any(cursor: &mut Cursor<'_>, known: Option<&Type>) -> Reading<Option<Attr>> {
    let plain = |kind: Kind, text: &str| Ok(Some(Attr::new(kind, text)));
    match cursor.peek() {
        T::Integer | T::Hexadecimal | T::Float | T::Minus => number(cursor, known),
        T::String => string(cursor, known),
        T::Symbol => symbol(cursor),
        T::LeftBracket => array(cursor),
        T::LeftBrace => dictionary(cursor).map(|()| Some(Attr::new(Kind::Dictionary, ""))),
        T::Attribute => of_dialect(cursor, known),
        T::Type | T::LeftParen => ty(cursor),
        T::BrokenString => broken_string(cursor),
        T::Unknown => unknown(cursor),
        T::Word => match cursor.peek_text() {
            word @ ("true" | "false") => {
                cursor.advance();
                plain(Kind::Bool(word == "true"), word)
            }
            "unit" => {
                cursor.advance();
                plain(Kind::Unit, "unit")
            }
            "dense" => elements::dense(cursor, known),
            "sparse" => elements::sparse(cursor, known),
            "dense_resource" => elements::resource(cursor, known),
            "array" => elements::array(cursor),
            "affine_map" => {
                let first = cursor.position();
                cursor.advance();
                let map = affine::map(cursor)?;
                plain(Kind::AffineMap(map), cursor.text_between(first, cursor.position()))
            }
            "affine_set" => {
                cursor.advance();
                affine::set(cursor)?;
                plain(Kind::IntegerSet, "")
            }
            "strided" => strided(cursor),
            "distinct" => distinct(cursor).map(|()| None),
            "loc" => location::read_location(cursor).map(|()| None),
            word if types::is_type_word(word) || word == "graph" => ty(cursor),
            _ => cursor.refuse("expected attribute value"),
        },
        _ => cursor.refuse("expected attribute value"),
    }
}

/// Notes the error of a token that is no token.
fn unknown<A>(cursor: &mut Cursor<'_>) -> Reading<A> {
    let message = match cursor.peek_text().as_bytes().first() {
        Some(b'@') => "@ identifier expected to start with letter or '_'",
        Some(b'%') => "invalid SSA name",
        Some(b'.') => "expected three consecutive dots for an ellipsis",
        _ => "unexpected character",
    };
    cursor.refuse(message)
}

fn broken_string<A>(cursor: &mut Cursor<'_>) -> Reading<A> {
    let text = cursor.peek_text();
    let is_closed = text.len() > 1 && text.ends_with('"');
    cursor.refuse(match is_closed {
        true => "unknown escape in string literal",
        false => "expected '\"' in string literal",
    })
}

fn ty(cursor: &mut Cursor<'_>) -> Reading<Option<Attr>> {
    Ok(types::ty(cursor)?.map(|ty| Attr::ty(&ty)))
}

/// Reads `: type` after a value, if the type is not known otherwise.
fn typed(cursor: &mut Cursor<'_>, known: Option<&Type>) -> Reading<WrittenType> {
    if let Some(known) = known {
        return Ok(WrittenType::Known(known.clone()));
    }
    if !cursor.eat(T::Colon) {
        return Ok(WrittenType::Missing);
    }
    Ok(types::ty(cursor)?.map_or(WrittenType::Unknown, WrittenType::Known))
}

/// The type after a value.
enum WrittenType {
    /// There is none.
    Missing,
    /// There is one that is not understood.
    Unknown,
    /// There is one.
    Known(Type),
}

/// Reads a number with its type.
fn number(cursor: &mut Cursor<'_>, known: Option<&Type>) -> Reading<Option<Attr>> {
    let is_negative = cursor.eat(T::Minus);
    let (at, kind) = (cursor.position(), cursor.peek());
    match kind {
        T::Integer | T::Hexadecimal | T::Float => cursor.advance(),
        _ => return cursor.refuse("expected constant integer or floating point value"),
    }
    let ty = match typed(cursor, known)? {
        WrittenType::Unknown | WrittenType::Known(Type::Def { .. }) => return Ok(None),
        WrittenType::Missing if kind == T::Float => Type::Float("f64"),
        WrittenType::Missing => Type::int(64),
        WrittenType::Known(ty) => ty,
    };
    if kind == T::Float {
        return match ty {
            Type::Float(_) => Ok(Some(Attr::float(&ty))),
            _ => cursor.refuse_at(at, "floating point value not valid for specified type"),
        };
    }
    let literal = Literal { text: cursor.text_of(at), is_negative };
    match &ty {
        Type::Float(_) => match literal.bits_error(&ty) {
            Some(message) => cursor.refuse_at(at, message),
            None => Ok(Some(Attr::float(&ty))),
        },
        Type::Integer(..) | Type::Index => match literal.integer(&ty) {
            Ok(value) => Ok(value.map(|value| integer(value, &ty))),
            Err(IntegerFault::Negative) => {
                cursor.refuse_at(at, "negative integer literal not valid for unsigned integer type")
            }
            Err(IntegerFault::Range) => cursor.refuse_at(at, "integer constant out of range for attribute"),
        },
        _ => cursor.refuse_at(at, "integer literal not valid for specified type"),
    }
}

/// Returns an integer as an attribute; one of `i1` is a truth value.
fn integer(value: i64, ty: &Type) -> Attr {
    match ty {
        Type::Integer(1, Sign::Signless) => {
            Attr::new(Kind::Bool(value != 0), if value == 0 { "false" } else { "true" })
        }
        _ => Attr::integer(value, ty),
    }
}

/// An integer as it is written.
#[derive(Clone, Copy)]
struct Literal<'t> {
    text: &'t str,
    is_negative: bool,
}

/// The reason why an integer does not fit a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IntegerFault {
    /// It is too large or too small.
    Range,
    /// It is negative, and the type is unsigned.
    Negative,
}

impl Literal<'_> {
    fn is_hexadecimal(self) -> bool {
        self.text.starts_with("0x")
    }

    /// Returns the number of bits that the digits need, without the sign; `None` if there are more than 128.
    fn magnitude(self) -> Option<u128> {
        match self.text.strip_prefix("0x") {
            Some(digits) => u128::from_str_radix(digits, 16).ok(),
            None => self.text.parse().ok(),
        }
    }

    /// Returns the value as a signed number of 64 bits, if it is one.
    fn integer(self, ty: &Type) -> Result<Option<i64>, IntegerFault> {
        let (width, sign) = match ty {
            Type::Integer(width, sign) => (*width, *sign),
            _ => (64, Sign::Signed),
        };
        if self.is_negative && sign == Sign::Unsigned {
            return Err(IntegerFault::Negative);
        }
        let Some(magnitude) = self.magnitude() else {
            return if width > 128 { Ok(None) } else { Err(IntegerFault::Range) };
        };
        let power = |bits: u32| 1_u128.checked_shl(bits).unwrap_or(u128::MAX);
        let most = match (self.is_negative, sign) {
            (true, _) => {
                if width == 0 {
                    0
                } else {
                    power(width - 1)
                }
            }
            (false, Sign::Signed) => {
                if width == 0 {
                    0
                } else {
                    power(width - 1) - 1
                }
            }
            (false, _) => {
                if width >= 128 {
                    u128::MAX
                } else {
                    power(width) - 1
                }
            }
        };
        if magnitude > most {
            return Err(IntegerFault::Range);
        }
        // A signless number above the signed range is stored as a negative one.
        let is_wrapped = !self.is_negative
            && sign == Sign::Signless
            && width > 0
            && width <= 64
            && magnitude >= power(width - 1);
        Ok(if is_wrapped {
            i64::try_from(power(width) - magnitude).ok().map(|value| -value)
        } else {
            match self.is_negative {
                true => i128::try_from(magnitude).ok().and_then(|value| i64::try_from(-value).ok()),
                false => i64::try_from(magnitude).ok(),
            }
        })
    }

    /// Returns the fault of an integer where a float is meant: only its bits may be written, in hexadecimal.
    fn bits_error(self, ty: &Type) -> Option<&'static str> {
        if !self.is_hexadecimal() {
            return Some("unexpected decimal integer literal for a floating point value");
        }
        if self.is_negative {
            return Some("hexadecimal float literal should not have a leading minus");
        }
        let digits = self.text[2..].trim_start_matches('0');
        let bits = match digits.as_bytes().first() {
            None => 0,
            Some(first) => {
                let first = char::from(*first).to_digit(16).unwrap_or(0);
                (digits.len() - 1) * 4 + (32 - first.leading_zeros()) as usize
            }
        };
        let width = ty.width().and_then(|width| usize::try_from(width).ok())?;
        (bits > width).then_some("hexadecimal float constant out of range for type")
    }
}

fn string(cursor: &mut Cursor<'_>, known: Option<&Type>) -> Reading<Option<Attr>> {
    let text = cursor.peek_text();
    cursor.advance();
    let content = unescaped(text);
    let written = typed(cursor, known)?;
    // A text with a type of its own is no plain text.
    if known.is_none() && !matches!(written, WrittenType::Missing) {
        return Ok(None);
    }
    Ok(Some(Attr::new(Kind::String(content.into_owned()), text)))
}

/// Returns the content of a text in quotes. Bytes that are no characters are replaced.
#[must_use]
pub fn unescaped(quoted: &str) -> Cow<'_, str> {
    let inner = quoted.strip_prefix('"').unwrap_or(quoted);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    if !inner.contains('\\') {
        return Cow::Borrowed(inner);
    }
    let mut bytes = Vec::with_capacity(inner.len());
    let mut rest = inner.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first != b'\\' {
            bytes.push(*first);
            continue;
        }
        let hexadecimal = |byte: u8| char::from(byte).to_digit(16);
        match after {
            [b'n', tail @ ..] => {
                bytes.push(b'\n');
                rest = tail;
            }
            [b't', tail @ ..] => {
                bytes.push(b'\t');
                rest = tail;
            }
            [high, low, tail @ ..] if hexadecimal(*high).is_some() && hexadecimal(*low).is_some() => {
                let value = hexadecimal(*high).unwrap_or(0) * 16 + hexadecimal(*low).unwrap_or(0);
                bytes.push(u8::try_from(value).unwrap_or(0));
                rest = tail;
            }
            [other, tail @ ..] => {
                bytes.push(*other);
                rest = tail;
            }
            [] => {}
        }
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

/// Reads `@a::@b`.
fn symbol(cursor: &mut Cursor<'_>) -> Reading<Option<Attr>> {
    let node = cursor.start(NodeKind::SymbolUse);
    let first = cursor.position();
    cursor.advance();
    while cursor.eat(T::ColonColon) {
        if !cursor.eat(T::Symbol) {
            return cursor.refuse("expected nested symbol reference identifier");
        }
    }
    cursor.finish(node);
    Ok(Some(Attr::new(Kind::Symbol, cursor.text_between(first, cursor.position()))))
}

fn array(cursor: &mut Cursor<'_>) -> Reading<Option<Attr>> {
    cursor.advance();
    let mut all = Some(Vec::new());
    if !cursor.eat(T::RightBracket) {
        loop {
            let one = value(cursor)?;
            all = all.zip(one).map(|(mut all, one)| {
                all.push(one);
                all
            });
            if !cursor.eat(T::Comma) {
                break;
            }
        }
        cursor.expect(T::RightBracket, "expected ',' or ']'")?;
    }
    Ok(all.map(Attr::array))
}

/// Reads `{a, b = 1}` as a node with its entries.
///
/// # Errors
/// There is no dictionary, or it is wrong; the error is noted.
pub fn read_dictionary(cursor: &mut Cursor<'_>) -> Reading {
    dictionary(cursor)
}

fn dictionary(cursor: &mut Cursor<'_>) -> Reading {
    let dictionary = cursor.start(NodeKind::Dictionary);
    cursor.expect(T::LeftBrace, "expected '{' in attribute dictionary")?;
    let mut names: Vec<Cow<'_, str>> = Vec::new();
    if !cursor.eat(T::RightBrace) {
        loop {
            names.push(entry(cursor, &names)?);
            if !cursor.eat(T::Comma) {
                break;
            }
        }
        cursor.expect(T::RightBrace, "expected '}' in attribute dictionary")?;
    }
    cursor.finish(dictionary);
    Ok(())
}

/// The number of entries up to which each new one is compared with all earlier ones.
const FEW: usize = 64;

fn entry<'t>(cursor: &mut Cursor<'t>, names: &[Cow<'t, str>]) -> Reading<Cow<'t, str>> {
    let entry = cursor.start(NodeKind::Entry);
    let name = match cursor.peek() {
        T::Word => Cow::Borrowed(cursor.peek_text()),
        T::String => unescaped(cursor.peek_text()),
        T::BrokenString => return broken_string(cursor),
        T::Unknown => return unknown(cursor),
        _ => return cursor.refuse("expected attribute name"),
    };
    if names.len() <= FEW && names.contains(&name) {
        return cursor.refuse(format!("duplicate key '{name}' in dictionary attribute"));
    }
    cursor.leaf(NodeKind::Key);
    if cursor.eat(T::Equal) {
        read_attribute(cursor)?;
    }
    cursor.finish(entry);
    Ok(name)
}

/// Reads `strided<[1, ?], offset: 2>`.
fn strided(cursor: &mut Cursor<'_>) -> Reading<Option<Attr>> {
    const NUMBER: &str = "expected a 64-bit signed integer or '?'";
    let first = cursor.position();
    cursor.advance();
    cursor.expect(T::Less, "expected '<' after 'strided'")?;
    cursor.expect(T::LeftBracket, "expected '['")?;
    let number = |cursor: &mut Cursor<'_>| {
        if cursor.eat(T::Question) {
            return Ok(());
        }
        cursor.eat(T::Minus);
        cursor.expect(T::Integer, NUMBER)
    };
    let mut strides = 0;
    if !cursor.eat(T::RightBracket) {
        loop {
            number(cursor)?;
            strides += 1;
            if !cursor.eat(T::Comma) {
                break;
            }
        }
        cursor.expect(T::RightBracket, "expected ']'")?;
    }
    if !cursor.eat(T::Greater) {
        cursor.expect(T::Comma, "expected ','")?;
        if !cursor.eat_word("offset") {
            return cursor.refuse("expected 'offset' after comma");
        }
        cursor.expect(T::Colon, "expected ':' after 'offset'")?;
        number(cursor)?;
        cursor.expect(T::Greater, "expected '>'")?;
    }
    let text: String =
        (first..cursor.position()).map(|token| cursor.text_of(token)).collect::<Vec<_>>().concat();
    Ok(Some(Attr::new(Kind::Strided(strides), text)))
}

/// Reads `distinct[0]<1 : i32>`.
fn distinct(cursor: &mut Cursor<'_>) -> Reading {
    cursor.advance();
    cursor.expect(T::LeftBracket, "expected '[' after 'distinct'")?;
    cursor.expect(T::Integer, "expected distinct ID")?;
    cursor.expect(T::RightBracket, "expected ']' to close distinct ID")?;
    cursor.expect(T::Less, "expected '<' after distinct ID")?;
    if cursor.eat(T::Greater) {
        return Ok(());
    }
    value(cursor)?;
    cursor.expect(T::Greater, "expected '>' to close distinct attribute")
}

/// Reads `#d.name<…>`, `#d<name …>`, each with a type if it is not known, or an alias.
fn of_dialect(cursor: &mut Cursor<'_>, known: Option<&Type>) -> Reading<Option<Attr>> {
    let first = cursor.position();
    let name = &cursor.peek_text()[1..];
    cursor.advance();
    let has_body = types::body(cursor, first)?;
    if !has_body && !name.contains('.') {
        cursor.tree.leaf(NodeKind::AliasUse, first, first + 1);
        return Ok(cursor.aliases.attribute(name));
    }
    let text = types::spelling(cursor, first, cursor.position());
    types::parameters(cursor, DefKind::Attribute, first)?;
    if known.is_none() && cursor.eat(T::Colon) {
        types::ty(cursor)?;
    }
    let class = types::class_of(cursor, DefKind::Attribute, &text);
    Ok(Some(Attr::def(class, text)))
}
