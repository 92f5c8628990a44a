//! Odsmith as a library in WebAssembly, for pages and for programs in other languages.
//!
//! Questions and answers have the shapes of the service: `ide/preview` takes what `POST /v1/ide/preview` takes. There are
//! no files, sockets, clocks or threads; a library of MLIR comes as the bytes of a packed one.
//!
//! * [`instance`]: the libraries, and a table of the questions;
//! * `exports`: the memory that callers write questions to and read answers from.

#[cfg(target_family = "wasm")]
mod exports;
pub mod instance;

pub use instance::{Answer, Instance};
