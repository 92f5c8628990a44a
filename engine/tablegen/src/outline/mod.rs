//! A `.td` file as it is written: nothing is evaluated, `include` is not followed and no macro is known.
//!
//! [`lexical`] says where the parts of such a text end. The lexer reads with the same functions.

pub mod lexical;
