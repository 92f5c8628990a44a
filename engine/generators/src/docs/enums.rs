//! An enum: heading, summary, table of the cases.

use super::text::emit_summary;
use crate::cpp::Writer;
use odsmith_ods::{EnumCase, EnumInfo};

pub(super) fn emit(info: &EnumInfo<'_>, w: &mut Writer) {
    writeln!(w, "\n### {}", info.class_name);
    emit_summary(info.summary, w);
    emit_cases(info, w);
}

pub(super) fn emit_cases(info: &EnumInfo<'_>, w: &mut Writer) {
    w.line("\n#### Cases:\n");
    w.line("| Symbol | Value | String |");
    w.line("| :----: | :---: | ------ |");
    for EnumCase { symbol, value, spelling, .. } in &info.cases {
        w.line(format_args!("| {symbol} | `{value}` | {spelling} |"));
    }
}
