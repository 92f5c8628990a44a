//! Writing C++ (and other generated) text. Knows nothing of records.
//!
//! * [`writer`]: the buffer, for structure that follows the data; [`text`]: what its lines are made of;
//! * [`template`]: fixed text with a few holes;
//! * [`class`]: members that are declared in one file and defined in another.

pub mod class;
pub mod template;
pub mod text;
pub mod writer;

pub use odsmith_ods::snippet::{self, substitute};

pub use class::{Access, Body, BodyFn, Class, Method, Parameter};
pub use template::Template;
pub use writer::{Writer, continued, escaped, from_fn, join};
