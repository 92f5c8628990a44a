//! Types: the builtin ones by their grammar, those of dialects as a balanced body.
//!
//! ```text
//! i32  si8  index  f32  none  complex<f32>  tuple<i32, f32>  (i32) -> (f32, f32)
//! vector<2x[4]xf32>  tensor<4x?xf32, "encoding">  tensor<*xf32>  memref<4xf32, strided<[2]>, 3>
//! !d.name<…>  !d<name …>  !alias
//! ```
//!
//! Reading returns the type as conditions of constraints see it, or nothing if it is not understood: an alias without a
//! known type, a part with more than one spelling. What is not understood causes no error.

use odsmith_conditions::{
    Attr, Type,
    attrs::Kind,
    types::{DYNAMIC, FLOATS, Parameter, Parameters, Sign},
};

use odsmith_ods::DefKind;

use crate::{
    attributes,
    cursor::{Cursor, Reading},
    file::expectation,
    format::{Goal, Outcome, PieceKind, Step, Untyped},
    lexer::TokenKind as T,
    skip,
    tree::NodeKind,
};

/// The widest integer type.
const MAX_WIDTH: u32 = 16_777_215;

/// The error where a type is missing.
const NO_TYPE: &str = "expected non-function type";

/// Reads a type as a node.
///
/// # Errors
/// There is no type, or it is wrong; the error is noted.
pub fn read_type(cursor: &mut Cursor<'_>) -> Reading {
    read_as_node(cursor, ty)
}

/// Reads a type that is no function as a node.
///
/// # Errors
/// There is no such type, or it is wrong; the error is noted.
pub fn read_non_function(cursor: &mut Cursor<'_>) -> Reading {
    read_as_node(cursor, non_function)
}

fn read_as_node(
    cursor: &mut Cursor<'_>,
    read: impl FnOnce(&mut Cursor<'_>) -> Reading<Option<Type>>,
) -> Reading {
    let node = cursor.start(NodeKind::Type);
    read(cursor)?;
    cursor.finish(node);
    Ok(())
}

/// Returns true if a type can begin with this token.
#[must_use]
pub fn begins_type(cursor: &Cursor<'_>) -> bool {
    match cursor.peek() {
        T::Type | T::LeftParen => true,
        T::Word => is_type_word(cursor.peek_text()),
        _ => false,
    }
}

/// Builtin types with parameters.
pub const SHAPED: [&str; 5] = ["complex", "memref", "tensor", "tuple", "vector"];

/// Returns true if the word begins a builtin type.
#[must_use]
pub fn is_type_word(word: &str) -> bool {
    SHAPED.contains(&word) || is_plain(word)
}

/// Returns true if the word is a builtin type without parameters.
pub(crate) fn is_plain(word: &str) -> bool {
    matches!(word, "index" | "none") || integer(word).is_some() || float(word).is_some()
}

/// Splits the name of an integer type: `si8`.
fn integer(word: &str) -> Option<(Sign, &str)> {
    let (sign, digits) = match word.as_bytes() {
        [b'i', ..] => (Sign::Signless, &word[1..]),
        [b's', b'i', ..] => (Sign::Signed, &word[2..]),
        [b'u', b'i', ..] => (Sign::Unsigned, &word[2..]),
        _ => return None,
    };
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some((sign, digits))
}

/// Returns true if the word is an integer type, which no operation can have as its name.
pub(crate) fn is_integer(word: &str) -> bool {
    integer(word).is_some()
}

fn float(word: &str) -> Option<&'static str> {
    floats().find(|name| *name == word)
}

/// Returns the names of the float types, the usual ones first.
pub fn floats() -> impl Iterator<Item = &'static str> {
    FLOATS.iter().map(|(name, _)| *name)
}

/// Reads a type.
///
/// # Errors
/// There is no type, or it is wrong; the error is noted.
pub fn ty(cursor: &mut Cursor<'_>) -> Reading<Option<Type>> {
    cursor.nested(|cursor| match cursor.peek() {
        T::LeftParen => function(cursor),
        _ => non_function(cursor),
    })
}

/// Reads `(i32) -> f32`.
fn function(cursor: &mut Cursor<'_>) -> Reading<Option<Type>> {
    let inputs = in_parentheses(cursor)?;
    cursor.expect(T::Arrow, "expected '->' in function type")?;
    let results = results(cursor)?;
    Ok(inputs.zip(results).map(|(inputs, results)| Type::Function(inputs, results)))
}

/// Reads the results of a function: one type that is no function, or a list in brackets.
///
/// # Errors
/// There is no type, or it is wrong; the error is noted.
pub fn results(cursor: &mut Cursor<'_>) -> Reading<Option<Vec<Type>>> {
    match cursor.peek() {
        T::LeftParen => in_parentheses(cursor),
        _ => Ok(non_function(cursor)?.map(|ty| vec![ty])),
    }
}

/// Reads `(i32, f32)`.
///
/// # Errors
/// There is no such list, or it is wrong; the error is noted.
pub fn in_parentheses(cursor: &mut Cursor<'_>) -> Reading<Option<Vec<Type>>> {
    cursor.expect(T::LeftParen, "expected '('")?;
    if cursor.eat(T::RightParen) {
        return Ok(Some(Vec::new()));
    }
    let all = list(cursor)?;
    cursor.expect(T::RightParen, "expected ')'")?;
    Ok(all)
}

/// Reads types with commas between; nothing if one of them is not understood.
///
/// # Errors
/// There is no type, or one is wrong; the error is noted.
pub fn list(cursor: &mut Cursor<'_>) -> Reading<Option<Vec<Type>>> {
    let mut all = Some(Vec::new());
    loop {
        let one = ty(cursor)?;
        all = all.zip(one).map(|(mut all, one)| {
            all.push(one);
            all
        });
        if !cursor.eat(T::Comma) {
            return Ok(all);
        }
    }
}

/// Reads a type that is no function.
///
/// # Errors
/// There is no such type, or it is wrong; the error is noted.
pub fn non_function(cursor: &mut Cursor<'_>) -> Reading<Option<Type>> {
    match cursor.peek() {
        T::Type => of_dialect(cursor),
        T::Word => cursor.nested(builtin),
        _ => cursor.refuse(NO_TYPE),
    }
}

fn builtin(cursor: &mut Cursor<'_>) -> Reading<Option<Type>> {
    let word = cursor.peek_text();
    match word {
        "vector" => vector(cursor),
        "tensor" => tensor(cursor),
        "memref" => memref(cursor),
        "complex" => complex(cursor),
        "tuple" => tuple(cursor),
        // A form of some releases that is not read further.
        "graph" if cursor.nth(1) == T::Less => {
            cursor.advance();
            cursor.skip_balanced();
            Ok(None)
        }
        _ => plain(cursor, word),
    }
}

fn plain(cursor: &mut Cursor<'_>, word: &str) -> Reading<Option<Type>> {
    let ty = match word {
        "index" => Type::Index,
        "none" => Type::None,
        _ => match (integer(word), float(word)) {
            (Some((sign, digits)), _) => match digits.parse() {
                Ok(width) if width <= MAX_WIDTH => Type::Integer(width, sign),
                Ok(_) => {
                    return cursor.refuse(format!("integer bitwidth is limited to {MAX_WIDTH} bits"));
                }
                Err(_) => return cursor.refuse("invalid integer width"),
            },
            (None, Some(name)) => Type::Float(name),
            (None, None) => return cursor.refuse(NO_TYPE),
        },
    };
    cursor.advance();
    Ok(Some(ty))
}

/// The dimensions of a type with a shape.
struct Dimensions {
    shape: Vec<i64>,
    /// A bit for each scalable dimension.
    scalable: u64,
    /// True if a part is not understood.
    is_unknown: bool,
}

/// Reads `4x?x[8]x`.
fn dimensions(cursor: &mut Cursor<'_>, is_vector: bool) -> Reading<Dimensions> {
    let mut all = Dimensions { shape: Vec::new(), scalable: 0, is_unknown: false };
    loop {
        let dimension = match cursor.peek() {
            T::Integer => number(cursor)?,
            T::Question if !is_vector => DYNAMIC,
            T::LeftBracket if is_vector => {
                cursor.advance();
                if cursor.peek() != T::Integer {
                    return cursor.refuse("invalid dimension");
                }
                let size = number(cursor)?;
                cursor.advance();
                if cursor.peek() != T::RightBracket {
                    return cursor.refuse("missing ']' closing scalable dimension");
                }
                all.is_unknown |= all.shape.len() >= 64;
                all.scalable |= 1_u64.checked_shl(u32::try_from(all.shape.len()).unwrap_or(64)).unwrap_or(0);
                size
            }
            _ => return Ok(all),
        };
        cursor.advance();
        all.shape.push(dimension);
        times(cursor)?;
    }
}

/// Returns the dimension at the cursor.
fn number(cursor: &mut Cursor<'_>) -> Reading<i64> {
    match cursor.peek_text().parse() {
        Ok(number) => Ok(number),
        Err(_) => cursor.refuse("invalid dimension"),
    }
}

/// Goes over the `x` after a dimension.
fn times(cursor: &mut Cursor<'_>) -> Reading {
    if cursor.eat(T::Times) || cursor.eat_word("x") {
        return Ok(());
    }
    cursor.refuse("expected 'x' in dimension list")
}

/// Returns true if the next word begins with an `x` that ends a list of dimensions: `4 xf32`. Such a word is not split.
fn is_joined_word(cursor: &Cursor<'_>) -> bool {
    let is_dimension =
        matches!(cursor.peek(), T::Integer | T::Question | T::Star) || cursor.peek() == T::LeftBracket;
    let next = if cursor.peek() == T::LeftBracket { 3 } else { 1 };
    let at = cursor.position() + next;
    is_dimension
        && cursor.kind(at) == T::Word
        && cursor.text_of(at).starts_with('x')
        && cursor.text_of(at) != "x"
}

/// Goes over the rest of a body whose `<` is the token before the given one, if a word in it is not split as it should.
fn skip_joined(cursor: &mut Cursor<'_>, body: u32) -> bool {
    let mut at = body;
    let end = cursor.tokens().partner(body - 1).unwrap_or(body);
    let is_there = loop {
        if at >= end {
            break false;
        }
        let back = cursor.position();
        cursor.go_to(at);
        let is_there = is_joined_word(cursor);
        cursor.go_to(back);
        if is_there {
            break true;
        }
        at += 1;
    };
    if is_there {
        cursor.go_to(end + 1);
    }
    is_there
}

fn vector(cursor: &mut Cursor<'_>) -> Reading<Option<Type>> {
    let first = cursor.position();
    cursor.advance();
    cursor.expect(T::Less, "expected '<' in vector type")?;
    if skip_joined(cursor, first + 2) {
        return Ok(None);
    }
    let Dimensions { shape, scalable, is_unknown } = dimensions(cursor, true)?;
    let element = ty(cursor)?;
    cursor.expect(T::Greater, "expected '>' in vector type")?;
    if shape.contains(&0) {
        let sizes: Vec<String> = shape.iter().map(ToString::to_string).collect();
        let message = format!("vector types must have positive constant sizes but got {}", sizes.join(", "));
        return cursor.refuse_at(first, message);
    }
    let Some(element) = element.filter(|_| !is_unknown) else { return Ok(None) };
    match element {
        Type::Integer(..) | Type::Index | Type::Float(_) | Type::Def { .. } => {}
        _ => {
            return cursor
                .refuse_at(first, "failed to verify 'elementType': VectorElementTypeInterface instance");
        }
    }
    Ok(Some(Type::Vector(shape, scalable, Box::new(element))))
}

fn tensor(cursor: &mut Cursor<'_>) -> Reading<Option<Type>> {
    let first = cursor.position();
    cursor.advance();
    cursor.expect(T::Less, "expected '<' in tensor type")?;
    if skip_joined(cursor, first + 2) {
        return Ok(None);
    }
    let (shape, is_known) = ranked_or_not(cursor)?;
    let at = cursor.position();
    let element = ty(cursor)?;
    // A comma may be the last part.
    let has_comma = cursor.eat(T::Comma);
    let mut encoding = None;
    let mut is_encoding_known = true;
    if has_comma && cursor.peek() != T::Greater {
        let encoded = cursor.position();
        let attr = attributes::value(cursor)?;
        is_encoding_known = attr.is_some();
        if shape.is_none() {
            return cursor.refuse_at(encoded, "cannot apply encoding to unranked tensor");
        }
        encoding = attr.map(|attr| attr.text);
    }
    cursor.expect(T::Greater, "expected '>' in tensor type")?;
    if let Some(Type::Tensor(..) | Type::MemRef(..) | Type::Tuple(_) | Type::None | Type::Function(..)) =
        &element
    {
        return cursor.refuse_at(at, "invalid tensor element type");
    }
    let element = element.filter(|_| is_known && is_encoding_known);
    Ok(element.map(|element| Type::Tensor(shape, Box::new(element), encoding)))
}

/// Reads the dimensions of a type that may be unranked: `*x`.
fn ranked_or_not(cursor: &mut Cursor<'_>) -> Reading<(Option<Vec<i64>>, bool)> {
    if cursor.eat(T::Star) {
        times(cursor)?;
        return Ok((None, true));
    }
    let all = dimensions(cursor, false)?;
    Ok((Some(all.shape), !all.is_unknown))
}

fn memref(cursor: &mut Cursor<'_>) -> Reading<Option<Type>> {
    let first = cursor.position();
    cursor.advance();
    cursor.expect(T::Less, "expected '<' in memref type")?;
    if skip_joined(cursor, first + 2) {
        return Ok(None);
    }
    let (shape, mut is_known) = ranked_or_not(cursor)?;
    let at = cursor.position();
    let element = ty(cursor)?;
    if let Some(Type::Tensor(..) | Type::Tuple(_) | Type::None | Type::Function(..)) = &element {
        return cursor.refuse_at(at, "invalid memref element type");
    }
    let (mut layout, mut space) = (None, None);
    let mut has_space = false;
    while cursor.eat(T::Comma) {
        let parameter = cursor.position();
        let Some(attr) = attributes::value(cursor)? else {
            // It may be either.
            is_known = false;
            continue;
        };
        match &attr.kind {
            Kind::AffineMap(_) | Kind::Strided(_) => {
                if has_space {
                    return cursor.refuse("expected memory space to be last in memref type");
                }
                let Some(shape) = &shape else {
                    return cursor.refuse("cannot have affine map for unranked memref type");
                };
                check_layout(cursor, first, &attr.kind, shape.len())?;
                let is_identity = matches!(&attr.kind, Kind::AffineMap(map) if map.is_identity);
                layout = (!is_identity).then_some(attr.text);
            }
            // A dialect's attribute may be a layout.
            Kind::Def(_) => {
                is_known = false;
            }
            _ if has_space => {
                return cursor.refuse_at(parameter, "multiple memory spaces specified in memref type");
            }
            _ => {
                has_space = true;
                space = memory_space(&attr);
            }
        }
    }
    cursor.expect(T::Greater, "expected ',' or '>' in memref type")?;
    let element = element.filter(|_| is_known);
    Ok(element.map(|element| Type::MemRef(shape, Box::new(element), layout, space)))
}

/// Returns the memory space as it is compared: 0 is none.
fn memory_space(attr: &Attr) -> Option<String> {
    match &attr.kind {
        Kind::Integer(0, _) => None,
        Kind::Integer(space, ty) if *ty == Type::int(64) => Some(space.to_string()),
        _ => Some(attr.text.clone()),
    }
}

/// Checks the rank of a layout.
fn check_layout(cursor: &mut Cursor<'_>, first: u32, layout: &Kind, rank: usize) -> Reading {
    match layout {
        Kind::AffineMap(map) if map.dimensions != rank => cursor.refuse_at(
            first,
            format!("memref layout mismatch between rank and affine map: {rank} != {}", map.dimensions),
        ),
        Kind::Strided(strides) if *strides != rank => {
            cursor.refuse_at(first, "expected the number of strides to match the rank")
        }
        _ => Ok(()),
    }
}

fn complex(cursor: &mut Cursor<'_>) -> Reading<Option<Type>> {
    cursor.advance();
    cursor.expect(T::Less, "expected '<' in complex type")?;
    let at = cursor.position();
    let element = ty(cursor)?;
    match &element {
        None | Some(Type::Integer(..) | Type::Float(_) | Type::Def { .. }) => {}
        Some(_) => return cursor.refuse_at(at, "invalid element type for complex"),
    }
    cursor.expect(T::Greater, "expected '>' in complex type")?;
    Ok(element.map(|element| Type::Complex(Box::new(element))))
}

fn tuple(cursor: &mut Cursor<'_>) -> Reading<Option<Type>> {
    cursor.advance();
    cursor.expect(T::Less, "expected '<' in tuple type")?;
    if cursor.eat(T::Greater) {
        return Ok(Some(Type::Tuple(Vec::new())));
    }
    let elements = list(cursor)?;
    cursor.expect(T::Greater, "expected '>' in tuple type")?;
    Ok(elements.map(Type::Tuple))
}

/// Reads `!d.name<…>`, `!d<name …>` or an alias.
fn of_dialect(cursor: &mut Cursor<'_>) -> Reading<Option<Type>> {
    let first = cursor.position();
    let name = &cursor.peek_text()[1..];
    cursor.advance();
    let has_body = body(cursor, first)?;
    if !has_body && !name.contains('.') {
        cursor.tree.leaf(NodeKind::AliasUse, first, first + 1);
        return Ok(cursor.aliases.ty(name));
    }
    let text = spelling(cursor, first, cursor.position());
    let class = class_of(cursor, DefKind::Type, &text).to_owned();
    let parameters = parameters(cursor, DefKind::Type, first)?;
    Ok(Some(Type::Def { class, text, parameters }))
}

/// Returns the dialect, the mnemonic and the tokens of the parameters of `!d.name<…>` or `!d<name …>`.
pub(crate) fn named_body<'t>(cursor: &Cursor<'t>, first: u32) -> Option<(&'t str, &'t str, u32, u32)> {
    let open = first + 1;
    if cursor.kind(open) != T::Less || !cursor.tokens().is_joined(open) {
        return None;
    }
    let end = cursor.tokens().partner(open).filter(|end| *end > open && *end < cursor.end)? + 1;
    let name = &cursor.text_of(first)[1..];
    match name.split_once('.') {
        Some((dialect, mnemonic)) => Some((dialect, mnemonic, open, end)),
        None if cursor.kind(open + 1) == T::Word => {
            Some((name, cursor.text_of(open + 1), open + 2, end - 1)).filter(|(_, _, start, end)| start < end)
        }
        None => None,
    }
}

/// Reads the parameters of a dialect's type or attribute again, by their format or syntax, if that is known. The body was
/// gone over; `first` is the token of the name. Returns those that conditions can name.
pub(crate) fn parameters(cursor: &mut Cursor<'_>, kind: DefKind, first: u32) -> Reading<Parameters> {
    let mut found = Parameters::new();
    let Some((dialect, mnemonic, start, end)) = named_body(cursor, first) else { return Ok(found) };
    let Some(def) = cursor.definitions().parameters(kind, dialect, mnemonic) else { return Ok(found) };
    let Some(program) = def.program.as_ref() else { return Ok(found) };
    if program.is_vague(cursor) || has_joined(cursor, start, end) {
        return Ok(found);
    }
    let goal = Goal::to(end);
    let mut matcher = std::mem::take(&mut cursor.matcher);
    let outcome = matcher.run(cursor, program, start, goal);
    let pieces = std::mem::take(&mut matcher.found);
    cursor.matcher = matcher;
    match outcome {
        Outcome::Refused(at, step) => {
            let message = match program.steps.get(step as usize) {
                Some(Step::Take(piece) | Step::Try(piece, _)) => expectation(&piece.kind),
                _ => "expected '>'".into(),
            };
            return cursor.refuse_at(at, message);
        }
        Outcome::Exhausted => return Ok(found),
        Outcome::Matched(_) => {}
    }
    let after = cursor.position();
    for it in &pieces {
        let Some(Step::Take(piece) | Step::Try(piece, _)) = program.steps.get(it.step as usize) else {
            continue;
        };
        let is_whole_type =
            matches!(piece.kind, PieceKind::Type(_)) && skip::ty(cursor, it.first) == Some(it.end);
        let value = match &piece.kind {
            PieceKind::Type(_) if is_whole_type => {
                cursor.go_to(it.first);
                let ty = ty(cursor)?;
                cursor.go_to(after);
                ty.map(Parameter::Type)
            }
            PieceKind::Untyped(Untyped::Integer) => {
                cursor.text_between(it.first, it.end).parse().ok().map(Parameter::Number)
            }
            PieceKind::Keyword => Some(Parameter::Case(cursor.text_of(it.first).into())),
            _ => None,
        };
        if let (Some(name), Some(value)) = (def.name_of(piece.place.part), value) {
            found.push((name.into(), value));
        }
    }
    Ok(found)
}

/// Returns true if a word between two tokens is not split as a list of dimensions needs it.
fn has_joined(cursor: &mut Cursor<'_>, start: u32, end: u32) -> bool {
    let back = cursor.position();
    let is_there = (start..end).any(|at| {
        cursor.go_to(at);
        is_joined_word(cursor)
    });
    cursor.go_to(back);
    is_there
}

/// Goes over the body of a dialect's type or attribute, if one directly follows the name.
pub(crate) fn body(cursor: &mut Cursor<'_>, first: u32) -> Reading<bool> {
    let at = cursor.position();
    if cursor.peek() != T::Less || !cursor.tokens().is_joined(at) {
        return Ok(false);
    }
    match cursor.tokens().partner(at) {
        Some(end) if end > at && end < cursor.end => {
            cursor.go_to(end + 1);
            Ok(true)
        }
        // `<=` opens a bracket here.
        _ => {
            let rest = at..cursor.end;
            if rest.into_iter().any(|token| cursor.kind(token) == T::LessEqual) {
                cursor.go_to(cursor.end);
                return Ok(true);
            }
            let open = unbalanced(cursor, at);
            cursor.refuse_at(first, format!("unbalanced '{open}' character in pretty dialect name"))
        }
    }
}

/// Returns the bracket that is open where a body stops being balanced.
fn unbalanced(cursor: &Cursor<'_>, at: u32) -> char {
    let mut open = Vec::new();
    for token in at..cursor.end {
        let (closes, bracket) = match cursor.kind(token) {
            T::Less => (None, '<'),
            T::LeftParen => (None, '('),
            T::LeftBracket => (None, '['),
            T::LeftBrace => (None, '{'),
            T::Greater => (Some('<'), '>'),
            T::RightParen => (Some('('), ')'),
            T::RightBracket => (Some('['), ']'),
            T::RightBrace => (Some('{'), '}'),
            _ => continue,
        };
        match closes {
            None => open.push(bracket),
            Some(opener) if open.last() == Some(&opener) => drop(open.pop()),
            Some(_) => break,
        }
    }
    open.last().copied().unwrap_or('<')
}

/// Returns the C++ class of a dialect's type or attribute by its spelling; it is empty if that is unknown.
pub(crate) fn class_of<'t>(cursor: &Cursor<'t>, kind: DefKind, spelling: &str) -> &'t str {
    let Some((dialect, mnemonic)) = pretty_name(spelling).split_once('.') else { return "" };
    let def = cursor.definitions().parameters(kind, dialect, mnemonic);
    def.map_or("", |def| &*def.class)
}

/// Returns the dialect and mnemonic of a spelling: `d.name` of `!d.name<…>`.
fn pretty_name(spelling: &str) -> &str {
    spelling[1..].split(['<', ' ']).next().unwrap_or_default()
}

/// Returns the spelling of a dialect's type or attribute: one blank between words, none elsewhere, and `!d.name<…>` for
/// `!d<name<…>>`.
pub(crate) fn spelling(cursor: &Cursor<'_>, first: u32, end: u32) -> String {
    let mut text = cursor.text_of(first).to_owned();
    let (mut at, mut end) = (first + 1, end);
    // The name is the first word of the body.
    if end > at + 2 && !text.contains('.') && cursor.kind(at + 1) == T::Word {
        text.push('.');
        text.push_str(cursor.text_of(at + 1));
        at += 2;
        end -= 1;
        if at < end && (cursor.kind(at) != T::Less || cursor.tokens().after(at) != end) {
            text.push(' ');
        }
    }
    let is_word = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    for token in at..end {
        let next = cursor.text_of(token);
        if is_word(text.bytes().next_back())
            && is_word(next.bytes().next())
            && !cursor.tokens().is_joined(token)
        {
            text.push(' ');
        }
        text.push_str(next);
    }
    text
}
