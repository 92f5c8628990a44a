//! Affine maps and integer sets: `affine_map<(d0)[s0] -> (d0 + s0)>`, `affine_set<(d0) : (d0 >= 0)>`.
//!
//! ```text
//! map:        inputs "->" "(" [ sum { "," sum } ] ")"        set: inputs ":" "(" [ test { "," test } ] ")"
//! inputs:     "(" names ")" [ "[" names "]" ]                test: sum ( "==" | ">=" | "<=" ) sum
//! sum:        product { ( "+" | "-" ) product }
//! product:    operand { ( "*" | "floordiv" | "ceildiv" | "mod" ) operand }
//! operand:    "-" operand | "(" sum ")" | name | integer
//! ```

use odsmith_conditions::attrs::MapShape;
use rustc_hash::FxHashMap;

use crate::{
    cursor::{Cursor, Reading},
    lexer::TokenKind as T,
    tree::NodeKind,
};

/// The names of a map: dimensions, then symbols.
#[derive(Debug, Default)]
struct Names<'t> {
    /// The dimensions, then the symbols, by their names.
    by_name: FxHashMap<&'t str, usize>,
    count: usize,
    dimensions: usize,
}

/// An expression, as far as its operators need it.
#[derive(Clone, Copy)]
struct Expression {
    /// True if no dimension is in it.
    is_symbolic: bool,
    /// The input that it is, if it is one.
    input: Option<usize>,
}

/// Reads the body of a map: `<(d0) -> (d0)>`.
///
/// # Errors
/// It is wrong; the error is noted.
pub fn map(cursor: &mut Cursor<'_>) -> Reading<MapShape> {
    let node = cursor.start(NodeKind::Affine);
    cursor.expect(T::Less, "expected '<' in affine map")?;
    let first = cursor.position();
    let names = inputs(cursor)?;
    if !cursor.eat(T::Arrow) {
        return cursor.refuse(match cursor.peek() {
            T::Colon => "expected AffineMap, but got IntegerSet",
            _ => "expected '->' or ':'",
        });
    }
    cursor.expect(T::LeftParen, "expected '(' in affine map range")?;
    let mut is_identity = true;
    let mut results = 0;
    if !cursor.eat(T::RightParen) {
        loop {
            let result = sum(cursor, &names)?;
            is_identity &= result.input == Some(results) && results < names.dimensions;
            results += 1;
            if !cursor.eat(T::Comma) {
                break;
            }
        }
        cursor.expect(T::RightParen, "expected ')' in affine map range")?;
    }
    cursor.expect(T::Greater, "expected '>' in affine map")?;
    cursor.finish(node);
    debug_assert!(first < cursor.position());
    Ok(MapShape {
        dimensions: names.dimensions,
        symbols: names.count - names.dimensions,
        results,
        is_identity: is_identity && results == names.dimensions && names.count == names.dimensions,
    })
}

/// Reads the body of a set: `<(d0) : (d0 >= 0)>`.
///
/// # Errors
/// It is wrong; the error is noted.
pub fn set(cursor: &mut Cursor<'_>) -> Reading {
    let node = cursor.start(NodeKind::Affine);
    cursor.expect(T::Less, "expected '<' in integer set")?;
    let names = inputs(cursor)?;
    if !cursor.eat(T::Colon) {
        return cursor.refuse(match cursor.peek() {
            T::Arrow => "expected IntegerSet, but got AffineMap",
            _ => "expected '->' or ':'",
        });
    }
    cursor.expect(T::LeftParen, "expected '(' in integer set constraint list")?;
    if !cursor.eat(T::RightParen) {
        loop {
            sum(cursor, &names)?;
            if !cursor.eat(T::EqualEqual) && !cursor.eat(T::GreaterEqual) && !cursor.eat(T::LessEqual) {
                return cursor
                    .refuse("expected '== affine-expr' or '>= affine-expr' at end of affine constraint");
            }
            sum(cursor, &names)?;
            if !cursor.eat(T::Comma) {
                break;
            }
        }
        cursor.expect(T::RightParen, "expected ')' in integer set constraint list")?;
    }
    cursor.expect(T::Greater, "expected '>' in integer set")?;
    cursor.finish(node);
    Ok(())
}

fn inputs<'t>(cursor: &mut Cursor<'t>) -> Reading<Names<'t>> {
    let mut names = Names::default();
    cursor.expect(T::LeftParen, "expected '(' in dimensional identifier list")?;
    add_names(cursor, &mut names, T::RightParen, "expected ')' in dimensional identifier list")?;
    names.dimensions = names.count;
    if cursor.eat(T::LeftBracket) {
        add_names(cursor, &mut names, T::RightBracket, "expected ']' in symbol list")?;
    }
    Ok(names)
}

fn add_names<'t>(
    cursor: &mut Cursor<'t>,
    names: &mut Names<'t>,
    end: T,
    missing_end: &'static str,
) -> Reading {
    if cursor.eat(end) {
        return Ok(());
    }
    loop {
        if cursor.peek() != T::Word {
            return cursor.refuse("expected bare identifier");
        }
        let name = cursor.peek_text();
        if names.by_name.insert(name, names.count).is_some() {
            return cursor.refuse(format!("redefinition of identifier '{name}'"));
        }
        names.count += 1;
        cursor.advance();
        if !cursor.eat(T::Comma) {
            break;
        }
    }
    cursor.expect(end, missing_end)
}

fn sum(cursor: &mut Cursor<'_>, names: &Names<'_>) -> Reading<Expression> {
    cursor.nested(|cursor| {
        let mut left = product(cursor, names)?;
        while cursor.eat(T::Plus) || cursor.eat(T::Minus) {
            let right = with_left(cursor, |cursor| product(cursor, names))?;
            left = Expression { is_symbolic: left.is_symbolic && right.is_symbolic, input: None };
        }
        Ok(left)
    })
}

/// Reads the right operand of an operator.
fn with_left(
    cursor: &mut Cursor<'_>,
    read: impl FnOnce(&mut Cursor<'_>) -> Reading<Expression>,
) -> Reading<Expression> {
    match cursor.peek() {
        T::Word | T::Integer | T::Hexadecimal | T::Minus | T::LeftParen => read(cursor),
        _ => cursor.refuse("missing right operand of binary operator"),
    }
}

fn product(cursor: &mut Cursor<'_>, names: &Names<'_>) -> Reading<Expression> {
    let mut left = operand(cursor, names)?;
    loop {
        let at = cursor.position();
        let is_division =
            cursor.peek() == T::Word && matches!(cursor.peek_text(), "floordiv" | "ceildiv" | "mod");
        if cursor.peek() != T::Star && !is_division {
            return Ok(left);
        }
        let operator = cursor.peek_text();
        cursor.advance();
        let right = with_left(cursor, |cursor| operand(cursor, names))?;
        if is_division && !right.is_symbolic {
            return cursor.refuse_at(
                at,
                format!(
                    "non-affine expression: right operand of {operator} has to be either a constant or symbolic"
                ),
            );
        }
        if !is_division && !left.is_symbolic && !right.is_symbolic {
            return cursor.refuse_at(
                at,
                "non-affine expression: at least one of the multiply operands has to be either a constant or symbolic",
            );
        }
        left = Expression { is_symbolic: left.is_symbolic && right.is_symbolic, input: None };
    }
}

fn operand(cursor: &mut Cursor<'_>, names: &Names<'_>) -> Reading<Expression> {
    match cursor.peek() {
        T::Word => {
            let name = cursor.peek_text();
            let Some(&input) = names.by_name.get(name) else {
                return cursor.refuse("use of undeclared identifier");
            };
            cursor.advance();
            Ok(Expression { is_symbolic: input >= names.dimensions, input: Some(input) })
        }
        T::Integer | T::Hexadecimal => {
            let text = cursor.peek_text();
            let number = match text.strip_prefix("0x") {
                Some(digits) => i64::from_str_radix(digits, 16),
                None => text.parse(),
            };
            if number.is_err() {
                return cursor.refuse("constant too large for index");
            }
            cursor.advance();
            Ok(Expression { is_symbolic: true, input: None })
        }
        T::Minus => {
            cursor.advance();
            let inner = cursor.nested(|cursor| operand(cursor, names))?;
            Ok(Expression { input: None, ..inner })
        }
        T::LeftParen => {
            cursor.advance();
            if cursor.peek() == T::RightParen {
                return cursor.refuse("no expression inside parentheses");
            }
            let inner = sum(cursor, names)?;
            cursor.expect(T::RightParen, "expected ')'")?;
            Ok(inner)
        }
        T::Plus | T::Star => cursor.refuse("missing left operand of binary operator"),
        _ => cursor.refuse("expected affine expression"),
    }
}
