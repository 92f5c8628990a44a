//! What the C++ of all declarative assembly formats has in common, whether of operations, attributes or types.
//!
//! * `literal`: how a literal is parsed;
//! * [`spacing`]: where the printer puts blanks.

pub(super) mod literal;
pub mod spacing;

pub(super) use literal::ParseLiteral;
pub use spacing::Spacing;
