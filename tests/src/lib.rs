//! The harness of the end-to-end tests.
//!
//! A fixture is a `.td` file whose header has the runs, beside a folder `<name>.expect/` with the exact bytes of the
//! reference's output. [`fixture`] reads both, [`run`] runs the engine in this process as `odsmith tblgen` does,
//! [`mod@reference`] runs mlir-tblgen, [`set_up`] finds the library, the tools and our own binary.

pub mod archive;
pub mod cases;
pub mod diff;
pub mod files;
pub mod fixture;
pub mod folder;
pub mod grammar;
pub mod http;
pub mod lsp;
pub mod models;
pub mod older;
pub mod organisation;
pub mod patterns;
pub mod plugins;
pub mod pool;
pub mod port;
pub mod program;
pub mod random;
pub mod random_ods;
pub mod recorded;
pub mod reference;
pub mod registry;
pub mod releases;
pub mod run;
pub mod seeds;
pub mod set_up;
pub mod shared_states;
pub mod sweep;
pub mod tree;

/// The result of one run of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// Exit status; 0 is success.
    pub status: i32,
    /// Standard output.
    pub out: Vec<u8>,
    /// Standard error.
    pub err: Vec<u8>,
}
