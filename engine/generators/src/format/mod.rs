//! C++ that all declarative assembly formats share: of operations, attributes and types.
//!
//! * `literal`: parsing of a literal;
//! * [`spacing`]: the blanks that the printer adds.

pub(super) mod literal;
pub mod spacing;

pub(super) use literal::ParseLiteral;
pub use spacing::Spacing;
