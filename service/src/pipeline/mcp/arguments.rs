//! The arguments of a call.

use bytes::Bytes;
use serde_json::{Map, Value};

use crate::store::archive::names;

/// The arguments of a call, by name.
pub type Arguments = Map<String, Value>;

/// The most bytes of files in a call.
const MOST_FILES: usize = 256 << 10;
/// The findings of a page, unless a call names another number.
const USUAL_LIMIT: usize = 10;
/// The largest page.
const MOST_LIMIT: usize = 50;

/// Flags of mlir-tblgen that choose an output. Others name files or folders.
const FLAGS: &[&str] = &[
    "dialect",
    "attrdefs-dialect",
    "typedefs-dialect",
    "enums-dialect",
    "bytecode-dialect",
    "name",
    "prefix",
    "attr-dialect",
    "bind",
    "op-include-regex",
    "op-exclude-regex",
    "allow-unregistered-dialects",
    "asmformat-error-is-fatal",
    "dump-json",
    "print-records",
];

/// The profiles of a comparison.
const PROFILES: [&str; 4] = ["wire", "ir", "api", "all"];

/// Returns a text that is not empty.
#[must_use]
pub fn text<'a>(arguments: &'a Arguments, name: &str) -> Option<&'a str> {
    arguments.get(name).and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// Returns a text that a tool cannot do without.
///
/// # Errors
/// It is missing.
pub fn needed<'a>(arguments: &'a Arguments, name: &str) -> Result<&'a str, String> {
    text(arguments, name).ok_or_else(|| format!("the argument '{name}' is missing"))
}

/// Returns the number of the first item, and how many items there may be.
///
/// # Errors
/// The cursor is none.
pub fn range(arguments: &Arguments) -> Result<(usize, usize), String> {
    let limit = arguments
        .get("limit")
        .and_then(Value::as_u64)
        .map_or(USUAL_LIMIT, |it| usize::try_from(it).unwrap_or(1));
    let from = match text(arguments, "cursor") {
        Some(cursor) => cursor.parse().map_err(|_| format!("'{}' is no cursor", cursor.escape_debug()))?,
        None => 0,
    };
    Ok((from, limit.clamp(1, MOST_LIMIT)))
}

/// Returns the files that a call brought along; nothing if it names a folder.
///
/// # Errors
/// There are too many bytes, a path is no place in an archive, or a file has no text.
pub fn files(arguments: &Arguments) -> Result<Option<Vec<(String, Bytes)>>, String> {
    let Some(files) = arguments.get("files").and_then(Value::as_object) else { return Ok(None) };
    let size: usize = files.values().filter_map(Value::as_str).map(str::len).sum();
    if size > MOST_FILES {
        return Err(format!("the files have more than {MOST_FILES} bytes"));
    }
    let each = files.iter().map(|(path, content)| {
        if let Some(fault) = names::fault(path) {
            return Err(format!("'{}' {fault}", path.escape_debug()));
        }
        let content = content.as_str().ok_or_else(|| format!("'{}' has no text", path.escape_debug()))?;
        Ok((path.clone(), Bytes::copy_from_slice(content.as_bytes())))
    });
    each.collect::<Result<_, _>>().map(Some)
}

/// Returns the root file of a call of `generate`.
///
/// # Errors
/// It is missing, or no place in an archive.
pub fn root(arguments: &Arguments) -> Result<&str, String> {
    let td = needed(arguments, "td")?;
    match names::fault(td) {
        Some(fault) => Err(format!("'{}' {fault}", td.escape_debug())),
        None => Ok(td),
    }
}

/// Returns the flags of a call of `generate`.
///
/// # Errors
/// One of them does more than choose an output.
pub fn flags(arguments: &Arguments) -> Result<Vec<&str>, String> {
    let flags = arguments.get("flags").and_then(Value::as_array).into_iter().flatten();
    let flags: Vec<&str> = flags.filter_map(Value::as_str).collect();
    for flag in &flags {
        let name = flag.trim_start_matches('-').split('=').next().unwrap_or_default();
        if !flag.starts_with('-') || !(name.starts_with("gen-") || FLAGS.contains(&name)) {
            return Err(format!("the flag '{}' is not taken here", flag.escape_debug()));
        }
    }
    Ok(flags)
}

/// Returns a release of MLIR that a call names.
///
/// # Errors
/// It is no number.
pub fn release<'a>(arguments: &'a Arguments, name: &str) -> Result<Option<&'a str>, String> {
    let Some(text) = text(arguments, name) else { return Ok(None) };
    let is_one = text.bytes().all(|byte| byte.is_ascii_digit()) && text.len() <= 3;
    if is_one { Ok(Some(text)) } else { Err(format!("'{}' is no release", text.escape_debug())) }
}

/// Returns the profile of a call of `diff`.
///
/// # Errors
/// There is no such profile.
pub fn profile(arguments: &Arguments) -> Result<Option<&str>, String> {
    match text(arguments, "profile") {
        Some(profile) if !PROFILES.contains(&profile) => {
            Err(format!("there is no profile '{}'", profile.escape_debug()))
        }
        profile => Ok(profile),
    }
}

/// Returns whether a call of `diff` asks for users in other projects.
#[must_use]
pub fn asks_elsewhere(arguments: &Arguments) -> bool {
    arguments.get("catalog").and_then(Value::as_bool).unwrap_or(false)
}
