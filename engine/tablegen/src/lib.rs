//! TableGen: text in, records out. It knows nothing of MLIR, opens no file and prints nothing.
//!
//! | module | what |
//! | --- | --- |
//! | [`source`], [`span`], [`diagnostic`] | files, places in them, messages about them |
//! | [`outline`] | a file as it is written: the ends of comments, strings and code fragments |
//! | [`syntax`] | tokens, after includes and the preprocessor |
//! | [`eval`] | statements, evaluated as they are read |
//! | [`record`] | values and records, frozen when the evaluation ends |
//! | [`limits`], [`cancel`], [`parallel`] | limits of a job, its cancellation, its threads |
//! | [`packing`], [`regex`], [`text`] | helpers: states as bytes, POSIX expressions, lines and numbers |

pub mod cancel;
pub mod diagnostic;
pub mod eval;
pub mod limits;
pub mod outline;
pub mod packing;
pub mod parallel;
pub mod record;
pub mod regex;
pub mod source;
pub mod span;
pub mod syntax;
pub mod text;
