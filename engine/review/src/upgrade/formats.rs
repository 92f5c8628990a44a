//! Assembly formats under the newer release: operations that need `prop-dict`, and attributes and types whose text
//! changes because a class of the library has another format.
//!
//! ```text
//! let arguments = (ins I32:$x, I32Attr:$v);
//! let assemblyFormat = "$x attr-dict";            // refused: nothing writes `v`
//! let assemblyFormat = "$x prop-dict attr-dict";  // accepted, and by earlier releases too
//! ```

use std::collections::{BTreeMap, BTreeSet};

use odsmith_ods::{AttrOrTypeDef, DefKind, Operation, format::OpFormat};
use odsmith_tablegen::{
    outline::{Outline, Statement, StatementKind, symbols::parents},
    record::{Rec, Records},
};
use serde::Serialize;

use super::edits::{Files, Fix};

/// The directive that writes attributes and properties which nothing else writes.
const PROP_DICT: &str = "prop-dict";
/// The directive that writes discardable attributes.
const ATTR_DICT: &str = "attr-dict";

/// The formats that the newer release refuses, and the texts that it writes otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Formats {
    /// Operations that need `prop-dict`.
    pub unbound: Vec<UnboundOperation>,
    /// Attributes and types whose text changes.
    pub changed: Vec<ChangedFormat>,
}

/// An operation whose format leaves out attributes or properties.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct UnboundOperation {
    /// The file that defines it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in bytes.
    pub column: u32,
    /// Its name.
    pub operation: String,
    /// The attributes and properties that its format does not name.
    pub missing: Vec<String>,
    /// The edit, if its format is written in one place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<Fix>,
}

/// An attribute or type with another format because of the library.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ChangedFormat {
    /// The name of its record.
    pub record: String,
    /// The format in the older release.
    pub old: String,
    /// The format in the newer release.
    pub new: String,
    /// The operations whose text holds it.
    pub operations: Vec<String>,
}

/// Finds operations of the project that need `prop-dict`. The records may be those of either release: the older library
/// has no choice of its own, and the newer one has it in the dialect.
#[must_use]
pub fn unbound(records: &Records, files: &Files<'_>) -> Vec<UnboundOperation> {
    let mut found: Vec<UnboundOperation> = Vec::new();
    for rec in records.derived("Op") {
        let Some((file, line, column)) = place(rec, files) else { continue };
        let Some(op) = Operation::lenient(rec).filter(|op| !op.dialect().mixes_attributes()) else {
            continue;
        };
        let missing = missing(&op);
        if missing.is_empty() {
            continue;
        }
        let fix = insertion(rec, &op, &file, files);
        let missing = missing.into_iter().map(str::to_owned).collect();
        found.push(UnboundOperation { file, line, column, operation: op.name(), missing, fix });
    }
    found
}

/// Returns the attributes and properties that a format does not write.
fn missing<'r>(op: &Operation<'r>) -> Vec<&'r str> {
    let format = op.assembly_format().and_then(|text| OpFormat::new(op, text).ok());
    let Some(format) = format.filter(|format| !format.has_prop_dict) else { return Vec::new() };
    let attributes = op.attributes().iter().enumerate();
    let attributes = attributes
        .filter(|(index, it)| !it.attribute.is_derived() && !format.attributes.contains(index))
        .map(|(_, it)| it.name);
    let properties = op.properties().iter().enumerate();
    let properties =
        properties.filter(|(index, _)| !format.properties.contains(index)).map(|(_, it)| it.name);
    attributes.chain(properties).collect()
}

/// Returns the place of a record in the project's files.
fn place(rec: Rec<'_>, files: &Files<'_>) -> Option<(String, u32, u32)> {
    rec.record().spans.iter().find_map(|&span| {
        let (buffer, position) = rec.records().sources().position(span)?;
        let file = files.get_key_value(&*buffer.name)?.0;
        Some(((*file).to_owned(), position.line, position.column))
    })
}

/// Returns the insertion of `prop-dict` into the format of an operation, which its definition or a class of the project
/// writes.
fn insertion(rec: Rec<'_>, op: &Operation<'_>, file: &str, files: &Files<'_>) -> Option<Fix> {
    let format = op.assembly_format()?;
    let outline = Outline::new(file, files.get(file)?);
    let (_, line, column) = place(rec, files)?;
    let own = outline.statement_at(outline.offset(line, column))?;
    let mut waiting: Vec<String> = match offset_in(&outline, own, format) {
        Some(at) => return Some(Fix::Insert { file: file.to_owned(), at, text: format!("{PROP_DICT} ") }),
        None => parents(&outline, own).map(|token| outline.text_of(token).to_owned()).collect(),
    };
    let mut seen = BTreeSet::new();
    while let Some(class) = waiting.pop() {
        if !seen.insert(class.clone()) {
            continue;
        }
        for (file, text) in files.iter().filter(|(file, _)| file.ends_with(".td")) {
            if memchr::memmem::find(text, class.as_bytes()).is_none() {
                continue;
            }
            let outline = Outline::new(*file, text);
            let is_class = |it: &&Statement| {
                it.kind == StatementKind::Class
                    && it.whole_name().is_some_and(|name| outline.text_of(name) == class)
            };
            for statement in outline.all_statements().filter(is_class) {
                if let Some(at) = offset_in(&outline, statement, format) {
                    return Some(Fix::Insert { file: (*file).to_owned(), at, text: format!("{PROP_DICT} ") });
                }
                waiting.extend(parents(&outline, statement).map(|token| outline.text_of(token).to_owned()));
            }
        }
    }
    None
}

/// Returns the offset at which a statement's own format needs the directive, if it is a part of `format`.
fn offset_in(outline: &Outline, statement: &Statement, format: &str) -> Option<usize> {
    let value = outline.value(statement, "assemblyFormat")?;
    outline.code_in(value).into_iter().find_map(|token| {
        let part = outline.inside(token);
        let is_whole = !part.is_empty() && format.contains(part);
        Some(token.inside().start + before_dictionary(part).filter(|_| is_whole)?)
    })
}

/// Returns the offset of the outermost piece of a format that holds `attr-dict`: `custom<A>(attr-dict)` is one.
fn before_dictionary(format: &str) -> Option<usize> {
    let bytes = format.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'$');
    let (mut at, mut depth, mut outermost) = (0_usize, 0_usize, 0);
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b'`' => {
                at += format[at + 1..].find('`')? + 2;
            }
            byte if is_word(byte) => {
                at += bytes[at..].iter().take_while(|byte| is_word(**byte)).count();
                if depth == 0 {
                    outermost = start;
                }
                if format[start..at].starts_with(ATTR_DICT) {
                    return Some(outermost);
                }
            }
            b'(' | b'<' => {
                // The parameters of a directive, rather than a group.
                let is_joined = format[..at].ends_with(|c: char| c.is_alphanumeric() || c == '>');
                if depth == 0 && !is_joined {
                    outermost = at;
                }
                (at, depth) = (at + 1, depth + 1);
            }
            b')' | b'>' => (at, depth) = (at + 1, depth.saturating_sub(1)),
            _ => at += 1,
        }
    }
    None
}

/// Finds attributes and types of the project that have another format in the newer release, and operations that write
/// them.
#[must_use]
pub fn changed(old: &Records, new: &Records, files: &Files<'_>) -> Vec<ChangedFormat> {
    let before = definition_formats(old, files);
    let mut found: BTreeMap<String, ChangedFormat> = BTreeMap::new();
    for (record, new) in definition_formats(new, files) {
        if let Some(old) = before.get(&record).filter(|old| **old != new) {
            let changed =
                ChangedFormat { record: record.clone(), old: old.clone(), new, operations: Vec::new() };
            found.insert(record, changed);
        }
    }
    if found.is_empty() {
        return Vec::new();
    }
    for op in new.derived("Op").filter_map(Operation::lenient) {
        let Some(format) = op.assembly_format().and_then(|text| OpFormat::new(&op, text).ok()) else {
            continue;
        };
        let written = format.attributes.iter().map(|index| op.attributes()[*index].attribute.def_name());
        for name in written.collect::<BTreeSet<_>>() {
            if let Some(changed) = found.get_mut(name) {
                changed.operations.push(op.name());
            }
        }
    }
    found.into_values().collect()
}

/// Returns the formats of the project's attributes and types by the names of their records.
fn definition_formats(records: &Records, files: &Files<'_>) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for kind in DefKind::ALL {
        for rec in records.derived(kind.class()).filter(|rec| place(*rec, files).is_some()) {
            let def = AttrOrTypeDef::lenient(rec, kind);
            if let Some(format) = def.and_then(|def| def.assembly_format()) {
                all.insert(rec.name().to_owned(), format.to_owned());
            }
        }
    }
    all
}

/// Returns generated text without parsers, printers, what only they call, the syntax in documents, and blank lines.
#[must_use]
pub fn without_parsers_and_printers(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut rest = String::with_capacity(text.len());
    let mut is_inside = false;
    for line in text.lines() {
        let is_of_assembly = CALLED_BY_ASSEMBLY.iter().any(|name| line.contains(name));
        let is_function =
            !line.starts_with([' ', '/', '#', '}']) && line.ends_with('{') && line.contains("::");
        if is_inside {
            is_inside = line != "}";
        } else if is_of_assembly && is_function {
            is_inside = true;
        } else if !(line.is_empty()
            || line.starts_with("operation ::=")
            || is_of_assembly && line.ends_with(';'))
        {
            rest += line;
            rest.push('\n');
        }
    }
    rest
}

/// Functions that read or write the assembly of an operation, as they are called in declarations and definitions.
const CALLED_BY_ASSEMBLY: [&str; 5] = [
    "::parse(",
    "::print(",
    " parse(::mlir::OpAsmParser",
    " print(::mlir::OpAsmPrinter",
    "setPropertiesFromParsedAttr(",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_directive_comes_before_the_outermost_piece() {
        let with = |format: &str| {
            let at = before_dictionary(format)?;
            Some(format!("{}prop-dict {}", &format[..at], &format[at..]))
        };
        let cases = [
            ("attr-dict", "prop-dict attr-dict"),
            ("$x `attr-dict` attr-dict `:` type($x)", "$x `attr-dict` prop-dict attr-dict `:` type($x)"),
            ("$x custom<A>(attr-dict)", "$x prop-dict custom<A>(attr-dict)"),
            ("(`k` $v^)? attr-dict-with-keyword", "(`k` $v^)? prop-dict attr-dict-with-keyword"),
            ("$x (`{` $y^ attr-dict `}`)?", "$x prop-dict (`{` $y^ attr-dict `}`)?"),
        ];
        for (format, expected) in cases {
            assert_eq!(with(format).as_deref(), Some(expected));
        }
        assert_eq!(with("$x `attr-dict`"), None);
    }

    #[test]
    fn parsers_and_printers_are_left_out() {
        let text = "void A::build() {\n  x;\n}\n\n::mlir::ParseResult A::parse(int x) {\n  if (y) {\n  }\n}\n\
                    void A::print(int p) {\n}\n  static int setPropertiesFromParsedAttr(int x);\nint z;\n";
        assert_eq!(without_parsers_and_printers(text.as_bytes()), "void A::build() {\n  x;\n}\nint z;\n");
    }
}
