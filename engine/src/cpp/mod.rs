//! Writing C++ (and other generated) text. Knows nothing of records.

pub mod writer;

pub use writer::Writer;
