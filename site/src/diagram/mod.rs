//! Railroad diagrams of a syntax, as SVG.
//!
//! A diagram is read from left to right. The straight track is the shortest form; optional parts hang below it, a track
//! for repetition returns above it. Literals are round, placeholders are square, parts that C++ code parses are dashed.
//! A diagram that is too wide continues on the next line.
//!
//! * `layout`: the size and position of each piece, in whole units of one pixel;
//! * `conversions`: a picture of the conversions between dialects;
//! * `neighbours`: a picture of the operations around an operation;
//! * `svg`: the output. Pages colour it by their style sheet; a file of its own has a style inside.

pub mod conversions;
mod layout;
pub mod neighbours;
mod svg;

pub use svg::{inline, standalone};

/// The width of a page's text column.
pub const WIDE: i32 = 736;
/// The width on a phone.
pub const NARROW: i32 = 286;
