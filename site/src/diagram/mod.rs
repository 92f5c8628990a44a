//! Railroad diagrams of a syntax, as SVG.
//!
//! Reading goes from left to right. The straight track is the shortest form; what may be there hangs below it, what may
//! come again returns above it. Literals are round, placeholders are square, what C++ code reads is dashed.
//! A diagram that is too wide goes on in the next line.
//!
//! * `layout`: the size and position of each piece, in whole units of one pixel;
//! * `neighbours`: what is around an operation, which is no diagram of a syntax;
//! * `svg`: the picture. In pages colours are the style sheet's; a file of its own has them inside.

mod layout;
pub mod neighbours;
mod svg;

pub use svg::{inline, standalone};

/// The text column of a page.
pub const WIDE: i32 = 736;
/// What a telephone leaves.
pub const NARROW: i32 = 286;
