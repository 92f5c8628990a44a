//! The languages of assembly formats: the texts that a printer writes, and the texts that a parser accepts.
//!
//! A format is both: the generated printer follows it for a given operation, the generated parser follows it for a
//! given text and decides by the next token alone. The two need not agree, and those of two releases of a dialect even
//! less. Three formats of an operation with two optional attributes, and the result for each text:
//!
//! ```text
//! old:  $x (`,` $a^)? attr-dict                    prints   %x, 1
//! new:  $x (`:` $a^)? attr-dict                    refuses  %x, 1      at the comma
//! new:  $x (`,` $b^)? (`,` $a^)? attr-dict         takes    %x, 1      but 1 is b now
//! ```
//!
//! * [`grammar`]: formats as data, from the model or from a document that was read from a file;
//! * [`class`]: how parsers react to a piece of text;
//! * `printer`: the printer as a program with choices;
//! * `parser`: the parser as a program that decides by the next token;
//! * `product`: both in step, over all choices, the cheapest text first;
//! * `reader`: a given text, and how the parser reads it.
//!
//! ```text
//! format ─ printer ─┐
//!                   ├─ product ─ Comparison { refused, rebound, unclear, shadowed }
//! format ─ parser ──┘
//! ```
//!
//! Texts are sequences of [`class::Class`], not of characters: an operand is one piece, and so is a type. A variadic
//! operand has 0, 1 or 2 values, since more than two add nothing. A piece that only C++ knows (`custom`, a printer
//! written by hand) is the same if both sides name the same function, and makes the answer unclear otherwise. The
//! parser of such a piece is trusted to take only the text of its own printer.

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

/// The default work limit of one comparison.
pub const WORK: u64 = 200_000;
