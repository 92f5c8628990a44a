//! The languages of assembly formats: what a printer writes, and what a parser takes.
//!
//! A format is both: the generated printer follows it with the operation at hand, the generated parser follows it with
//! the text at hand and decides by the next token alone. The two need not agree, and those of two releases of a dialect
//! even less. Three formats of an operation with two optional attributes, and what comes of each text:
//!
//! ```text
//! old:  $x (`,` $a^)? attr-dict                    prints   %x, 1
//! new:  $x (`:` $a^)? attr-dict                    refuses  %x, 1      at the comma
//! new:  $x (`,` $b^)? (`,` $a^)? attr-dict         takes    %x, 1      but 1 is b now
//! ```
//!
//! * [`grammar`]: formats as data, which the model gives, or a document that was read from a file;
//! * [`class`]: which parser takes a piece of text;
//! * `printer`: what is printed, as a program that chooses;
//! * `parser`: what is parsed, as a program that decides by the next token;
//! * `product`: both at once, over all choices, the cheapest text first;
//! * `reader`: a text that someone wrote, and what the parser does with it.
//!
//! ```text
//! format ─ printer ─┐
//!                   ├─ product ─ Comparison { refused, rebound, unclear, shadowed }
//! format ─ parser ──┘
//! ```
//!
//! Texts are sequences of [`class::Class`], not of characters: an operand is one piece, and so is a type. How many values
//! a variadic operand has is 0, 1 or 2, for more than two adds nothing. What only C++ knows (`custom`, a printer written
//! by hand) is taken as it is where both sides name the same function, and makes the answer unclear elsewhere. The
//! parser of such a piece is trusted to take nothing but what its own printer writes.

pub mod class;
mod parser;
mod printer;
mod product;
mod reader;
#[cfg(test)]
mod tests;

pub use odsmith_interchange::grammar::{self, Class, Format, read as model};
pub use product::{
    Comparison, Pairing, Piece, Rebinding, Refusal, Shadowing, Text, Unclear, Verdict, includes, round_trip,
};

pub use reader::{Fit, fit};

/// How much work one comparison may cause, unless the caller says otherwise.
pub const WORK: u64 = 200_000;
