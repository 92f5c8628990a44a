//! Operations in parts that compile separately. Declarations stay together, followed by functions that register the
//! operations of each part; definitions come part by part, each guarded by its own macro.

use super::{RULE, emit_guarded, info::OpInfo};
use crate::cpp::Writer;
use crate::{Cx, OptionSpec};
use odsmith_ods::Dialect;
use odsmith_tablegen::{diagnostic::Diagnostic, parallel::Spare, span::Span};

pub(crate) const SHARD_COUNT: OptionSpec = OptionSpec {
    name: "op-shard-count",
    value: Some("uint"),
    about: "The number of shards into which the op classes will be divided",
};

/// Returns the requested number of parts.
pub(super) fn count(cx: &Cx<'_>) -> Result<usize, Diagnostic> {
    let Some(text) = cx.options.get("op-shard-count") else { return Ok(1) };
    match text.parse() {
        Ok(count @ 1..=0xFFFF) => Ok(count),
        _ => {
            let message = format!("'{text}' is no number of shards");
            Err(Diagnostic::error(Span::NONE, message).bare())
        }
    }
}

/// Declares the functions that register operations: all, and those of each part.
pub(super) fn emit_registration_declarations(infos: &[OpInfo<'_>], count: usize, w: &mut Writer) {
    let Some(dialect) = infos.first().map(|op| op.op.dialect()) else { return };
    w.namespaces(dialect.cpp_namespace(), |w| {
        let (name, parameter) = (registration_name(dialect), registration_parameter(dialect));
        w.line(format_args!("void {name}({parameter});"));
        for index in 0..count {
            w.line(format_args!("void {name}{index}({parameter});"));
        }
    });
}

fn registration_name(dialect: Dialect<'_>) -> String {
    format!("register{}Operations", dialect.cpp_class_name())
}

fn registration_parameter(dialect: Dialect<'_>) -> String {
    // Even without a namespace, the class is named from the outermost one.
    format!("{}::{} *dialect", dialect.cpp_namespace(), dialect.cpp_class_name())
}

/// Returns the operations of each part; the sizes of parts differ by one at most.
pub(super) fn shards<T>(mut all: &[T], count: usize) -> impl Iterator<Item = &[T]> {
    let (size, more) = (all.len() / count, all.len() % count);
    (0..count).map(move |index| {
        let (shard, rest) = all.split_at(size + usize::from(index < more));
        all = rest;
        shard
    })
}

pub(super) fn emit_definitions(
    infos: &[OpInfo<'_>],
    count: usize,
    stem: &str,
    spare: &Spare,
    w: &mut Writer,
) {
    let Some(dialect) = infos.first().map(|op| op.op.dialect()) else { return };
    for (index, shard) in shards(infos, count).enumerate() {
        emit_guarded(&format!("GET_OP_DEFS_{index}"), w, |w| {
            if index == 0 {
                emit_registration_of_all(dialect, count, w);
            }
            emit_registration(dialect, index, shard, w);
            super::emit_definitions(shard, &format!("{index}{stem}"), spare, w);
        });
    }
}

/// Defines the function that calls the registration of each part.
fn emit_registration_of_all(dialect: Dialect<'_>, count: usize, w: &mut Writer) {
    let name = format!("{}::{}", dialect.cpp_namespace(), registration_name(dialect));
    w.braces(format_args!("void {name}({})", registration_parameter(dialect)), |w| {
        for index in 0..count {
            w.line(format_args!("{name}{index}(dialect);"));
        }
    });
}

/// Defines the function that registers the operations of one part.
fn emit_registration(dialect: Dialect<'_>, index: usize, shard: &[OpInfo<'_>], w: &mut Writer) {
    let name = format!("{}::{}", dialect.cpp_namespace(), registration_name(dialect));
    writeln!(w, "\n{RULE}\n// {} Op Registration Hook\n{RULE}\n", dialect.cpp_class_name());
    w.braces(format_args!("void {name}{index}({})", registration_parameter(dialect)), |w| {
        for op in shard {
            let class = op.op.qualified_cpp_class_name();
            w.line(format_args!("::mlir::RegisteredOperationName::insert<{class}>(*dialect);"));
        }
    });
}
