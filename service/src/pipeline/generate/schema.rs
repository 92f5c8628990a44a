//! The shapes of messages and usage in `result.json`, for the description of the service.

use serde::Serialize;
use utoipa::ToSchema;

/// A message, mostly with a place.
#[derive(Serialize, ToSchema)]
pub struct Diagnostic {
    severity: Severity,
    code: Code,
    message: String,
    file: Option<String>,
    range: Option<Range>,
    /// The includes that led to the file, outermost first.
    include_stack: Option<Vec<Inclusion>>,
    #[schema(no_recursion)]
    notes: Option<Vec<Diagnostic>>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "it describes, and is never made")]
enum Severity {
    Error,
    Warning,
    Note,
    Remark,
}

/// The kind of a message: an error of the input, a limit, or an error of the request.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(dead_code, reason = "it describes, and is never made")]
enum Code {
    Input,
    Limit,
    Cancelled,
    Request,
    Internal,
}

#[derive(Serialize, ToSchema)]
struct Range {
    start: LineColumn,
    end: LineColumn,
}

/// Both from 1; columns count bytes.
#[derive(Serialize, ToSchema)]
struct LineColumn {
    line: u32,
    column: u32,
}

#[derive(Serialize, ToSchema)]
struct Inclusion {
    file: String,
    line: u32,
}

/// The resources that an evaluation used.
#[derive(Serialize, ToSchema)]
pub struct Usage {
    /// Units of work.
    fuel: u64,
    /// Live bytes of strings and values.
    arena_bytes: u64,
    /// Records, the library's included.
    records: u64,
    /// How often the root was parsed.
    parsed: u32,
}
