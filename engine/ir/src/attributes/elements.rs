//! Attributes with elements: `dense<…> : type`, `sparse<…> : type`, `dense_resource<…> : type`, `array<i64: …>`.

use odsmith_conditions::{
    Attr, Type,
    attrs::Kind,
    types::{DYNAMIC, Sign},
};

use super::{IntegerFault, Literal, broken_string};
use crate::{
    cursor::{Cursor, Reading},
    lexer::TokenKind as T,
    types,
};

/// The literal between `<` and `>`.
#[derive(Debug, Default)]
struct Elements {
    /// The lengths of the nested lists, the outermost first; `None` for a single element without brackets.
    shape: Option<Vec<usize>>,
    /// The elements: token and form. Of a negative number it is the token after the sign.
    all: Vec<(u32, Form)>,
    /// The same for the parts of complex numbers.
    parts: Vec<(u32, Form)>,
    /// True if nothing is between `<` and `>`.
    is_empty: bool,
}

/// The form of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Integer {
        is_negative: bool,
    },
    Float,
    Bool,
    Text,
    /// A part of `(1, 2)`.
    Pair,
}

/// Reads `dense<[1, 2]> : tensor<2xi32>`.
pub(super) fn dense(cursor: &mut Cursor<'_>, known: Option<&Type>) -> Reading<Option<Attr>> {
    let first = cursor.position();
    cursor.advance();
    cursor.expect(T::Less, "expected '<' after 'dense'")?;
    let elements = literal(cursor)?;
    let Some(ty) = shaped_type(cursor, known)? else { return Ok(None) };
    let Some(shape) = ty.shape() else {
        return match ty {
            Type::Def { .. } => Ok(None),
            _ => cursor.refuse_at(first, "elements literal must be a shaped type"),
        };
    };
    let Some(shape) = shape.filter(|shape| !shape.contains(&DYNAMIC)) else {
        return cursor.refuse_at(first, "elements literal type must have static shape");
    };
    check(cursor, first, &elements, &ty, shape)?;
    let is_of_texts = elements.all.iter().any(|(_, form)| *form == Form::Text);
    if is_of_texts && !matches!(ty.element(), Some(Type::Integer(..) | Type::Index | Type::Float(_))) {
        return Ok(None);
    }
    Ok(Some(Attr::new(Kind::Dense(ty), "")))
}

/// Reads the type after `>`.
fn shaped_type(cursor: &mut Cursor<'_>, known: Option<&Type>) -> Reading<Option<Type>> {
    if let Some(known) = known {
        return Ok(Some(known.clone()));
    }
    cursor.expect(T::Colon, "expected ':'")?;
    types::ty(cursor)
}

/// Reads the literal and `>`.
fn literal(cursor: &mut Cursor<'_>) -> Reading<Elements> {
    let mut elements = Elements::default();
    if cursor.eat(T::Greater) {
        elements.is_empty = true;
        return Ok(elements);
    }
    elements.shape = match cursor.peek() {
        T::LeftBracket => Some(list(cursor, &mut elements)?),
        _ => {
            element(cursor, &mut elements)?;
            None
        }
    };
    cursor.expect(T::Greater, "expected '>'")?;
    Ok(elements)
}

/// Reads `[…]` and returns its lengths.
fn list(cursor: &mut Cursor<'_>, elements: &mut Elements) -> Reading<Vec<usize>> {
    cursor.nested(|cursor| {
        let first = cursor.position();
        cursor.expect(T::LeftBracket, "expected '['")?;
        let mut count = 0;
        let mut inner: Option<Vec<usize>> = None;
        if !cursor.eat(T::RightBracket) {
            loop {
                let shape = match cursor.peek() {
                    T::LeftBracket => list(cursor, elements)?,
                    _ => {
                        element(cursor, elements)?;
                        Vec::new()
                    }
                };
                if inner.as_ref().is_some_and(|inner| *inner != shape) {
                    return cursor.refuse_at(
                        first,
                        "tensor literal is invalid; ranks are not consistent between elements",
                    );
                }
                inner = Some(shape);
                count += 1;
                if !cursor.eat(T::Comma) {
                    break;
                }
            }
            cursor.expect(T::RightBracket, "expected ',' or ']'")?;
        }
        let mut shape = vec![count];
        shape.extend(inner.unwrap_or_default());
        Ok(shape)
    })
}

fn element(cursor: &mut Cursor<'_>, elements: &mut Elements) -> Reading {
    if cursor.eat(T::LeftParen) {
        let at = cursor.position();
        let real = scalar(cursor)?;
        elements.parts.push((cursor.position() - 1, real));
        cursor.expect(T::Comma, "expected ',' between complex elements")?;
        let imaginary = scalar(cursor)?;
        elements.parts.push((cursor.position() - 1, imaginary));
        cursor.expect(T::RightParen, "expected ')' after complex elements")?;
        elements.all.push((at, Form::Pair));
        return Ok(());
    }
    let form = scalar(cursor)?;
    elements.all.push((cursor.position() - 1, form));
    Ok(())
}

fn scalar(cursor: &mut Cursor<'_>) -> Reading<Form> {
    let is_negative = cursor.eat(T::Minus);
    let form = match cursor.peek() {
        T::Integer | T::Hexadecimal => Form::Integer { is_negative },
        T::Float => Form::Float,
        T::Word if !is_negative && matches!(cursor.peek_text(), "true" | "false") => Form::Bool,
        T::String if !is_negative => Form::Text,
        T::BrokenString => return broken_string(cursor),
        _ if is_negative => return cursor.refuse("expected integer or floating point literal"),
        _ => return cursor.refuse("expected element literal of primitive type"),
    };
    cursor.advance();
    Ok(form)
}

/// Checks the elements against their type.
fn check(cursor: &mut Cursor<'_>, first: u32, elements: &Elements, ty: &Type, shape: &[i64]) -> Reading {
    let Some(element) = ty.element() else { return Ok(()) };
    let count = shape.iter().try_fold(1_i64, |product, dimension| product.checked_mul(*dimension));
    if elements.is_empty {
        return match count {
            Some(1..) => cursor
                .refuse_at(first, format!("parsed zero elements, but type ('{ty}') expected at least 1")),
            _ => Ok(()),
        };
    }
    if let (None, [(token, Form::Text)]) = (&elements.shape, &elements.all[..]) {
        return check_bytes(cursor, first, *token, ty, count);
    }
    for (token, form) in &elements.all {
        check_element(cursor, *token, *form, element)?;
    }
    if let Type::Complex(part) = element {
        for (token, form) in &elements.parts {
            check_element(cursor, *token, *form, part)?;
        }
    }
    if matches!(element, Type::Complex(_)) && elements.all.iter().any(|(_, form)| *form != Form::Pair) {
        // Elements of complex numbers may be written one by one; what then counts is not known here.
        return Ok(());
    }
    let Some(own) = &elements.shape else { return Ok(()) };
    let is_same = own.len() == shape.len()
        && own.iter().zip(shape).all(|(own, dimension)| i64::try_from(*own) == Ok(*dimension));
    if is_same {
        return Ok(());
    }
    let list = |all: &[String]| all.join(", ");
    let own: Vec<String> = own.iter().map(ToString::to_string).collect();
    let shape: Vec<String> = shape.iter().map(ToString::to_string).collect();
    cursor.refuse_at(
        first,
        format!(
            "inferred shape of elements literal ([{}]) does not match type ([{}])",
            list(&own),
            list(&shape)
        ),
    )
}

fn check_element(cursor: &mut Cursor<'_>, token: u32, form: Form, element: &Type) -> Reading {
    let is_truth = *element == Type::int(1);
    match (element, form) {
        (Type::Integer(..) | Type::Index, Form::Bool) if !is_truth => {
            cursor.refuse_at(token, "expected i1 type for 'true' or 'false' values")
        }
        (Type::Integer(..) | Type::Index, Form::Float) => {
            cursor.refuse_at(token, "expected integer elements, but parsed floating-point")
        }
        (Type::Integer(..) | Type::Index, Form::Integer { is_negative }) => {
            match (Literal { text: cursor.text_of(token), is_negative }).integer(element) {
                Ok(_) => Ok(()),
                Err(IntegerFault::Negative) => {
                    cursor.refuse_at(token, "expected unsigned integer elements, but parsed negative value")
                }
                Err(IntegerFault::Range) => cursor.refuse_at(token, "integer constant out of range for type"),
            }
        }
        (Type::Float(_), Form::Integer { is_negative }) => {
            match (Literal { text: cursor.text_of(token), is_negative }).bits_error(element) {
                Some(message) => cursor.refuse_at(token, message),
                None => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

/// Checks the bytes of all elements, or of one that counts for all: `"0x01000000"`.
fn check_bytes(cursor: &mut Cursor<'_>, first: u32, token: u32, ty: &Type, count: Option<i64>) -> Reading {
    let Some(element) = ty.element() else { return Ok(()) };
    let bits = match element {
        Type::Integer(..) | Type::Float(_) => element.width(),
        Type::Index => Some(64),
        Type::Complex(part) => part.width().map(|width| bytes_of(width) * 16),
        _ => return Ok(()),
    };
    let quoted = cursor.text_of(token);
    let digits = quoted.strip_prefix("\"0x").and_then(|rest| rest.strip_suffix('"'));
    let digits = digits.filter(|it| it.len() % 2 == 0 && it.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let Some(digits) = digits else {
        return cursor.refuse_at(token, "expected string containing hex digits starting with `0x`");
    };
    let (Some(bits), Some(count), Ok(length)) = (bits, count, i64::try_from(digits.len() / 2)) else {
        return Ok(());
    };
    // The bytes of `i1` are not checked: releases store them in different ways.
    if bits <= 1 {
        return Ok(());
    }
    let size = bytes_of(bits);
    if length == size || count.checked_mul(size) == Some(length) {
        return Ok(());
    }
    cursor.refuse_at(first, format!("elements hex data size is invalid for provided type: '{ty}'"))
}

fn bytes_of(bits: i64) -> i64 {
    (bits + 7) / 8
}

/// Reads `sparse<[[0, 0]], [1]> : tensor<3x4xi32>`. Its parts are not compared with each other.
pub(super) fn sparse(cursor: &mut Cursor<'_>, known: Option<&Type>) -> Reading<Option<Attr>> {
    cursor.advance();
    cursor.expect(T::Less, "Expected '<' after 'sparse'")?;
    if !cursor.eat(T::Greater) {
        let mut elements = Elements::default();
        for part in 0..2 {
            match cursor.peek() {
                T::LeftBracket => drop(list(cursor, &mut elements)?),
                _ => element(cursor, &mut elements)?,
            }
            if part == 0 {
                cursor.expect(T::Comma, "expected ','")?;
            }
        }
        cursor.expect(T::Greater, "expected '>'")?;
    }
    shaped_type(cursor, known)?;
    Ok(None)
}

/// Reads `dense_resource<key> : tensor<3xi64>`.
pub(super) fn resource(cursor: &mut Cursor<'_>, known: Option<&Type>) -> Reading<Option<Attr>> {
    cursor.advance();
    cursor.expect(T::Less, "expected '<' after 'dense_resource'")?;
    if !cursor.eat(T::Word) && !cursor.eat(T::String) {
        return cursor.refuse("expected identifier key for 'resource' entry");
    }
    cursor.expect(T::Greater, "expected '>'")?;
    let at = cursor.position();
    match shaped_type(cursor, known)? {
        Some(ty) if ty.shape().is_none() && !matches!(ty, Type::Def { .. }) => {
            cursor.refuse_at(at, "`dense_resource` expected a shaped type")
        }
        _ => Ok(None),
    }
}

/// Reads `array<i64: 1, 2>`.
pub(super) fn array(cursor: &mut Cursor<'_>) -> Reading<Option<Attr>> {
    cursor.advance();
    cursor.expect(T::Less, "expected '<' after 'array'")?;
    let at = cursor.position();
    let Some(ty) = types::ty(cursor)? else {
        // The elements follow from the type.
        while !matches!(cursor.peek(), T::Greater | T::End) {
            cursor.skip_balanced();
        }
        return cursor.expect(T::Greater, "expected '>' to close an array attribute").map(|()| None);
    };
    match &ty {
        Type::Integer(1, Sign::Signless) | Type::Float(_) => {}
        Type::Integer(width, _) if width % 8 == 0 => {}
        Type::Integer(..) => return cursor.refuse_at(at, "element type bitwidth must be a multiple of 8"),
        _ => return cursor.refuse_at(at, format!("expected integer or float type, got: '{ty}'")),
    }
    if cursor.eat(T::Greater) {
        return Ok(Some(Attr::dense_array(&ty, Vec::new())));
    }
    cursor.expect(T::Colon, "expected ':' after dense array type")?;
    let mut values = Some(Vec::new());
    loop {
        let value = array_element(cursor, &ty)?;
        values = values.zip(value).map(|(mut values, value)| {
            values.push(value);
            values
        });
        if !cursor.eat(T::Comma) {
            break;
        }
    }
    cursor.expect(T::Greater, "expected '>' to close an array attribute")?;
    Ok(values.map(|values| Attr::dense_array(&ty, values)))
}

/// Reads an element; the values of floats do not matter.
fn array_element(cursor: &mut Cursor<'_>, ty: &Type) -> Reading<Option<i64>> {
    let is_truth = *ty == Type::int(1);
    if cursor.peek() == T::Word && matches!(cursor.peek_text(), "true" | "false") {
        if !is_truth {
            return cursor.refuse("expected i1 type for 'true' or 'false' values");
        }
        let value = i64::from(cursor.at_word("true"));
        cursor.advance();
        return Ok(Some(value));
    }
    if is_truth {
        return cursor.refuse("expected 'true' or 'false' values for i1 type");
    }
    let is_negative = cursor.eat(T::Minus);
    let (at, kind) = (cursor.position(), cursor.peek());
    let literal = Literal { text: cursor.peek_text(), is_negative };
    match (ty, kind) {
        (Type::Float(_), T::Float) => {
            cursor.advance();
            Ok(Some(0))
        }
        (Type::Float(_), T::Integer | T::Hexadecimal) => match literal.bits_error(ty) {
            Some(message) => cursor.refuse_at(at, message),
            None => {
                cursor.advance();
                Ok(Some(0))
            }
        },
        (Type::Float(_), _) => cursor.refuse("expected floating point literal"),
        (_, T::Integer | T::Hexadecimal) => match literal.integer(ty) {
            Ok(value) => {
                cursor.advance();
                Ok(value)
            }
            Err(_) => cursor.refuse_at(at, "integer constant out of range"),
        },
        _ => cursor.refuse("expected integer literal"),
    }
}
