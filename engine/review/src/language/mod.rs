//! The languages of assembly formats: what a printer writes, and what a parser takes.
