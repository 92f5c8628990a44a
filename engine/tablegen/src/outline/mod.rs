//! A `.td` file as it is written: nothing is evaluated, `include` is not followed and no macro is known.
//!
//! [`lexical`] finds the ends of the parts of such a text. The lexer uses the same functions.

pub mod lexical;
