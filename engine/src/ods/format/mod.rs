//! The declarative assembly format.
