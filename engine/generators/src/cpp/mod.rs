//! Writing C++ (and other generated) text. Knows nothing of records.
//!
//! * [`writer`]: the buffer, for structure that follows the data; [`text`]: the pieces of its lines; [`values`]: values
//!   that are formatted as they are written; `frame`: headers, namespaces, comments;
//! * [`template`]: fixed text with a few holes;
//! * [`class`]: members that are declared in one file and defined in another.

mod cast;
pub mod class;
mod frame;
pub mod template;
pub mod text;
pub mod values;
pub mod writer;

pub use odsmith_ods::snippet::{self, substitute};

pub use cast::cast;
pub use class::{Access, Body, BodyFn, Class, Method, Parameter};
pub use template::Template;
pub use values::{continued, escaped, file_label, from_fn, join};
pub use writer::Writer;
