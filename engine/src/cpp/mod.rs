//! Writing C++ (and other generated) text. Knows nothing of records.
//!
//! * [`writer`]: the buffer, for structure that follows the data;
//! * [`template`]: fixed text with a few holes;
//! * [`snippet`]: the user's own code with its `$` placeholders.

pub mod snippet;
pub mod template;
pub mod writer;

pub use snippet::substitute;
pub use template::Template;
pub use writer::{Writer, join};
