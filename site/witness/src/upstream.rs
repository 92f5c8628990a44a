//! Examples of MLIR's own operations that cannot be synthesised: C++ code verifies them, or reads their custom form.
//!
//! ```text
//! func.func @extf(%in: f32) -> f64 {
//!   %out = arith.extf %in : f32 to f64     // the verifier, which is C++, asks for a wider type
//!   return %out : f64
//! }
//! // -----
//! ```
//!
//! Each file has the examples of a dialect, as pieces that are whole programs. The [tool](ACCEPTED_BY) accepts every piece;
//! `tests/site/upstream.py` runs it.

/// The tool that accepts each piece.
pub const ACCEPTED_BY: &str = "mlir-opt 22";
/// The line between two pieces.
pub const SEPARATOR: &str = "// -----\n";

/// Lists files with the names of their dialects.
macro_rules! files {
    ($($dialect:literal),+ $(,)?) => {
        &[$(($dialect, include_str!(concat!("../mlir/", $dialect, ".mlir")))),+]
    };
}

/// The dialects with their examples.
pub const DIALECTS: &[(&str, &str)] = files![
    "acc",
    "affine",
    "amdgpu",
    "arith",
    "arm_neon",
    "arm_sve",
    "async",
    "bufferization",
    "builtin",
    "emitc",
    "gpu",
    "linalg",
    "llvm",
    "memref",
    "ml_program",
    "nvgpu",
    "nvvm",
    "omp",
    "rocdl",
    "scf",
    "shape",
    "shard",
    "smt",
    "sparse_tensor",
    "spirv",
    "tensor",
    "tosa",
    "transform",
    "vector",
    "wasmssa",
    "x86vector",
    "xegpu",
];
