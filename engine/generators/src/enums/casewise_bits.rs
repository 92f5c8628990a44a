//! Bit enums of early releases: fewer operators, which are not constant, and conversions that test the cases one by
//! one.

use crate::cpp::{Template, Writer, join};
use odsmith_ods::{BitEnum, EnumCase, EnumInfo};
use odsmith_release::{Change, spellings};

pub(super) fn emit_operators(info: &EnumInfo<'_>, w: &mut Writer) {
    w.fill(OPERATORS, &[("Enum", &info.class_name), ("underlying", &info.underlying_type)]);
}

const OPERATORS: Template = Template(
    r#"
inline @Enum operator|(@Enum lhs, @Enum rhs) {
  return static_cast<@Enum>(static_cast<@underlying>(lhs) | static_cast<@underlying>(rhs));
}
inline @Enum operator&(@Enum lhs, @Enum rhs) {
  return static_cast<@Enum>(static_cast<@underlying>(lhs) & static_cast<@underlying>(rhs));
}
inline bool bitEnumContains(@Enum bits, @Enum bit) {
  return (static_cast<@underlying>(bits) & static_cast<@underlying>(bit)) != 0;
}
"#,
);

/// Returns the condition that an integer has bits of no case.
pub(super) fn has_invalid_bits(info: &EnumInfo<'_>, w: &Writer) -> String {
    let cases = info.cases.iter().filter(|case| case.value != 0);
    let bits = join(cases.map(|case| format!("{}u", case.value)), " | ").to_string();
    match w.rules().has(Change::BitNamesInLines) {
        true => format!("value & ~static_cast<{}>({bits})", info.underlying_type),
        false => format!("value & ~({bits})"),
    }
}

/// Writes the code after the special case of no bits; the check of all bits comes first.
pub(super) fn emit_names(info: &EnumInfo<'_>, bits: &BitEnum<'_>, w: &mut Writer) {
    let is_checked_first = w.rules().has(Change::ValidBits);
    w.line("::llvm::SmallVector<::llvm::StringRef, 2> strs;");
    let mut start = "";
    for EnumCase { value, spelling, .. } in info.cases.iter().filter(|case| case.value != 0) {
        if is_checked_first {
            w.line(format_args!(
                r#"{start}if ({value}u == ({value}u & val)) {{ strs.push_back("{spelling}"); }}"#
            ));
            // The reference indents all lines after the first by one more blank.
            start = " ";
        } else {
            w.line(format_args!(
                r#"if ({value}u & val) {{ strs.push_back("{spelling}"); val &= ~{value}u; }}"#
            ));
        }
    }
    if !is_checked_first {
        w.blank();
        w.line("if (val) return \"\";");
    }
    w.line(format_args!(r#"{start}return ::llvm::join(strs, "{}");"#, bits.separator));
}

/// Returns the argument of `str.split`, and the expression that is compared with each part.
pub(super) fn separator_and_part<'a>(bits: &BitEnum<'a>, w: &Writer) -> (&'a str, &'static str) {
    match w.rules().has(Change::BitNamesInLines) {
        true => (bits.separator.trim_ascii(), "symbol.trim()"),
        false => (bits.separator, "symbol"),
    }
}

/// Returns the integer type that the compiler gives an enum.
pub(super) fn underlying_type_of(name: &str, w: &Writer) -> String {
    let (begin, end) = (spellings::underlying_type_begin, spellings::underlying_type_end);
    format!("{}{name}{}", begin.of(w.rules()), end.of(w.rules()))
}
