//! Generators of projects: programs that read one request and write one response.
//!
//! * [`protocol`]: both messages, and their JSON Schema;
//! * [`frame`]: messages on a stream;
//! * [`host`]: what runs a program, as a trait;
//! * [`wasi`]: the host of WebAssembly modules, which see nothing but their request;
//! * `places`: places that a plugin names;
//! * [`generator`]: a plugin as a generator among others.
//!
//! ```text
//! request without data  →  program  →  needs        the classes, the fields and the model that it asks for
//! request with data     →  program  →  files, diagnostics
//! ```

pub mod frame;
pub mod generator;
pub mod host;
mod places;
pub mod protocol;
pub mod wasi;

pub use self::{
    generator::{Generator, OwnLimits},
    host::Host,
    wasi::Module,
};
