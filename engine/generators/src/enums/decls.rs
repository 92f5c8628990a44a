//! `gen-enum-decls`. Per enum, in this order: class, conversions, bit operators, attribute class; then, outside the
//! enum's namespace, parser, printer and hashing.

use std::fmt::Display;

use super::{casewise_bits, parsers};
use crate::{
    Cx, Generator,
    cpp::{Template, Writer},
};
use odsmith_ods::{
    BitEnum, EnumAttribute, EnumCase, EnumInfo,
    enums::{DECLARED, is_built},
};
use odsmith_release::{Change, Rules, fields, spellings};
use odsmith_tablegen::{diagnostic::Diagnostic, record::Rec, span::Span};

pub(crate) const DECLS: Generator = Generator {
    name: "gen-enum-decls",
    about: "Generate enum utility declarations",
    run: |cx, w| {
        if !w.rules().has(Change::EnumsWithoutClass) {
            cx.require_class(fields::ENUM.of(w.rules()))?;
        }
        let is_apart = w.rules().has(Change::EnumParsersDefinedApart);
        let has_parsers = is_apart && has_built_enum(cx)?;
        let read = cx.model.enum_records().map(|record| checked(record, w.rules()));
        let enums: Vec<EnumInfo<'_>> = read.collect::<Result<_, _>>()?;
        w.file_header("Enum Utility Declarations", Some(cx.source_name()));
        if has_parsers {
            parsers::emit_forward_declarations(w);
        }
        for info in &enums {
            w.namespaces(info.cpp_namespace, |w| {
                emit_enum_class(info, w);
                emit_conversions(info, w);
                if let Some(bits) = &info.bits {
                    emit_bit_operators(info, bits, w);
                }
                emit_generic_conversions(info, w);
                if let Some(attribute) = &info.attribute {
                    emit_attribute_class(info, attribute, w);
                }
            });
            if info.is_built() && w.rules().has(Change::EnumsInFormats) {
                parsers::emit_classes(info, w);
                match parsers::keyword_list(info) {
                    Some(_) => emit_keyword_list_printer(info, w),
                    None => emit_printer(info, w),
                }
            }
            emit_dense_map_info(info, w);
        }
        Ok(())
    },
};

/// Returns whether values of one of the enums can be built, and so have parsers.
///
/// # Errors
/// An enum before it has no underlying type.
fn has_built_enum(cx: &Cx<'_>) -> Result<bool, Diagnostic> {
    for record in cx.model.enum_records() {
        EnumInfo::with(record, &["underlyingType"])?;
        if is_built(record) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Reads an enum and checks that its declarations can be written. The cases of a bit enum that is printed without
/// quotes must be keywords, so that the output can be parsed.
fn checked<'r>(record: Rec<'r>, rules: &Rules) -> Result<EnumInfo<'r>, Diagnostic> {
    // Only the parsers and printers of formats read the spellings of cases.
    let is_written = rules.has(Change::EnumsInFormats) && is_built(record);
    let is_unquoted = EnumInfo::lenient(record).bits.is_some_and(|bits| !bits.is_quoted);
    let is_read = |field: &&str| match *field {
        "separator" => is_written && is_unquoted,
        "printBitEnumQuoted" | "str" => is_written,
        "validBits" => rules.has(Change::ConstantBitOperators),
        _ => true,
    };
    let read: Vec<&str> = DECLARED.iter().copied().filter(is_read).collect();
    let info = EnumInfo::with(record, &read)?;
    if is_unquoted && is_written && !info.cases.iter().all(EnumCase::is_keyword) {
        let name = &info.qualified_name;
        let message =
            format!("bit enum {name} cannot be printed unquoted with cases that cannot be keywords");
        return Err(Diagnostic::error(Span::NONE, message));
    }
    Ok(info)
}

fn emit_enum_class(info: &EnumInfo<'_>, w: &mut Writer) {
    let EnumInfo { class_name, underlying_type, summary, .. } = info;
    w.line(format_args!("// {summary}"));
    let colon = if underlying_type.is_empty() { "" } else { " : " };
    w.block(format_args!("enum class {class_name}{colon}{underlying_type} {{"), "};\n", |w| {
        for (symbol, value) in info.cases.iter().map(|case| (case.enumerator(), case.value)) {
            if value < 0 {
                w.line(format_args!("{symbol},"));
            } else {
                w.line(format_args!("{symbol} = {value},"));
            }
        }
    });
}

fn emit_conversions(info: &EnumInfo<'_>, w: &mut Writer) {
    let EnumInfo { class_name, from_underlying_fn, from_string_fn, to_string_fn, to_string_type, .. } = info;
    let optional = spellings::optional.of(w.rules());
    if info.has_values() {
        let underlying_type = info.underlying_or_unsigned();
        w.line(format_args!("{optional}<{class_name}> {from_underlying_fn}({underlying_type});"));
    }
    w.line(format_args!("{to_string_type} {to_string_fn}({class_name});"));
    w.line(format_args!("{optional}<{class_name}> {from_string_fn}(::llvm::StringRef);"));
    if info.has_values() && info.bits.is_none() {
        // The function returns `unsigned`, whatever the values are.
        let max = info.cases.iter().map(|case| case.value as u32).max().unwrap_or(0);
        w.braces(format_args!("inline constexpr unsigned {}()", info.max_value_fn), |w| {
            w.line(format_args!("return {max};"));
        });
        w.raw("\n");
    }
}

fn emit_bit_operators(info: &EnumInfo<'_>, bits: &BitEnum<'_>, w: &mut Writer) {
    if !w.rules().has(Change::ConstantBitOperators) {
        return casewise_bits::emit_operators(info, w);
    }
    let compound_operators = match w.rules().has(Change::CompoundBitOperators) {
        true => compound_operators(info.class_name),
        false => String::new(),
    };
    w.fill(
        BIT_OPERATORS,
        &[
            ("Enum", &info.class_name),
            ("underlying", &info.underlying_type),
            ("valid_bits", &bits.valid_bits),
            ("compound_operators", &compound_operators),
        ],
    );
}

/// Returns the operators `|=`, `&=`, `^=`.
fn compound_operators(name: &str) -> String {
    let operator = |sign| {
        format!(
            "inline constexpr {name} &operator{sign}=({name} &a, {name} b) {{\n    return a = a {sign} b;\n}}\n"
        )
    };
    ["|", "&", "^"].map(operator).concat()
}

// The last line is two blanks without a line break.
const BIT_OPERATORS: Template = Template(
    r#"

inline constexpr @Enum operator|(@Enum a, @Enum b) {
  return static_cast<@Enum>(static_cast<@underlying>(a) | static_cast<@underlying>(b));
}
inline constexpr @Enum operator&(@Enum a, @Enum b) {
  return static_cast<@Enum>(static_cast<@underlying>(a) & static_cast<@underlying>(b));
}
inline constexpr @Enum operator^(@Enum a, @Enum b) {
  return static_cast<@Enum>(static_cast<@underlying>(a) ^ static_cast<@underlying>(b));
}
@{compound_operators}inline constexpr @Enum operator~(@Enum bits) {
  // Ensure only bits that can be present in the enum are set
  return static_cast<@Enum>(~static_cast<@underlying>(bits) & static_cast<@underlying>(@{valid_bits}u));
}
inline constexpr bool bitEnumContainsAll(@Enum bits, @Enum bit) {
  return (bits & bit) == bit;
}
inline constexpr bool bitEnumContainsAny(@Enum bits, @Enum bit) {
  return (static_cast<@underlying>(bits) & static_cast<@underlying>(bit)) != 0;
}
inline constexpr @Enum bitEnumClear(@Enum bits, @Enum bit) {
  return bits & ~bit;
}
inline constexpr @Enum bitEnumSet(@Enum bits, @Enum bit, /*optional*/bool value=true) {
  return value ? (bits | bit) : bitEnumClear(bits, bit);
}
  "#,
);

fn emit_generic_conversions(info: &EnumInfo<'_>, w: &mut Writer) {
    w.fill(
        GENERIC_CONVERSIONS,
        &[
            ("Enum", &info.class_name),
            ("string", &info.to_string_type),
            ("to_string", &info.to_string_fn),
            ("from_string", &info.from_string_fn),
        ],
    );
}

const GENERIC_CONVERSIONS: Template = Template(
    r#"

inline @string stringifyEnum(@Enum enumValue) {
  return @to_string(enumValue);
}

template <typename EnumType>
@optional<EnumType> symbolizeEnum(::llvm::StringRef);

template <>
inline @optional<@Enum> symbolizeEnum<@Enum>(::llvm::StringRef str) {
  return @from_string(str);
}
"#,
);

fn emit_attribute_class(info: &EnumInfo<'_>, attribute: &EnumAttribute<'_>, w: &mut Writer) {
    let base = if holds_text(info, w.rules()) { "StringAttr" } else { "IntegerAttr" };
    w.fill(ATTRIBUTE_CLASS, &[("Enum", &info.class_name), ("Attr", &attribute.class_name), ("Base", &base)]);
}

/// Returns whether the attribute of an enum holds a case as its text, as in the oldest releases.
pub(super) fn holds_text(info: &EnumInfo<'_>, rules: &Rules) -> bool {
    !rules.has(Change::EnumsAsNumbers) && info.is_text_attribute()
}

const ATTRIBUTE_CLASS: Template = Template(
    r#"

class @Attr : public ::mlir::@Base {
public:
  using ValueType = @Enum;
  using ::mlir::@Base::@Base;
  static bool classof(::mlir::Attribute attr);
  static @Attr get(::mlir::MLIRContext *context, @Enum val);
  @Enum getValue() const;
};
"#,
);

const QUOTED: &str = r#"'"' << valueStr << '"'"#;

fn emit_printer(info: &EnumInfo<'_>, w: &mut Writer) {
    let name = &info.qualified_name;
    let keywords = info.cases.iter().filter(|case| case.is_keyword()).count();
    w.blank();
    w.line("namespace llvm {");
    w.braces(
        format_args!("inline ::llvm::raw_ostream &operator<<(::llvm::raw_ostream &p, {name} value)"),
        |w| {
            w.line("auto valueStr = stringifyEnum(value);");
            if keywords == 0 {
                return w.line(format_args!("return p << {QUOTED};"));
            }
            if keywords < info.cases.len() {
                emit_quotes_unless_keyword(info, w);
            } else if info.bits.is_some() {
                emit_quotes_around_several(info, w);
            }
            w.line("return p << valueStr;");
        },
    );
    w.line("} // namespace llvm");
}

/// Writes a switch that quotes every value except the cases that are keywords.
fn emit_quotes_unless_keyword(info: &EnumInfo<'_>, w: &mut Writer) {
    let keywords = info.cases.iter().filter(|case| case.is_keyword());
    emit_switch(info, keywords, "break;", format_args!("return p << {QUOTED};"), w);
}

/// Writes code that quotes values of several bits without a name of their own.
fn emit_quotes_around_several(info: &EnumInfo<'_>, w: &mut Writer) {
    let several = info.cases.iter().filter(|case| case.has_several_bits());
    if several.clone().next().is_some() {
        emit_switch(info, several, "return p << valueStr;", "break;", w);
    }
    w.line(format_args!(
        "auto underlyingValue = static_cast<std::make_unsigned_t<{}>>(value);",
        info.qualified_name
    ));
    w.line("if (underlyingValue && !llvm::has_single_bit(underlyingValue))");
    w.line(format_args!("  return p << {QUOTED};"));
}

fn emit_switch<'a>(
    info: &EnumInfo<'_>,
    cases: impl Iterator<Item = &'a EnumCase<'a>>,
    then: impl Display,
    otherwise: impl Display,
    w: &mut Writer,
) {
    w.line("switch (value) {");
    for case in cases {
        w.line(format_args!("case {}::{}:", info.qualified_name, case.enumerator()));
    }
    w.line(format_args!("  {then}"));
    w.line("default:");
    w.line(format_args!("  {otherwise}"));
    w.line("}");
}

/// Writes the printer of a bit enum that is written as keywords with separators.
fn emit_keyword_list_printer(info: &EnumInfo<'_>, w: &mut Writer) {
    let printed = if info.cases.is_empty() { QUOTED } else { "valueStr" };
    w.blank();
    parsers::at_margin(info, w, |w| {
        w.fill(KEYWORD_LIST_PRINTER, &[("Enum", &info.qualified_name), ("printed", &printed)]);
    });
    // Older releases indent all but these lines.
    w.line("}");
    w.line("} // namespace llvm");
}

const KEYWORD_LIST_PRINTER: Template = Template(
    r#"
namespace llvm {
inline ::llvm::raw_ostream &operator<<(::llvm::raw_ostream &p, @Enum value) {
  auto valueStr = stringifyEnum(value);
  return p << @printed;
"#,
);

fn emit_dense_map_info(info: &EnumInfo<'_>, w: &mut Writer) {
    let name = &info.qualified_name;
    let storage = match info.underlying_type {
        "" => casewise_bits::underlying_type_of(name, w),
        explicit => explicit.to_owned(),
    };
    let markers = match w.rules().has(Change::EnumKeysWithoutMarkers) {
        true => String::new(),
        false => ["Empty", "Tombstone"].map(|marker| key_marker(name, marker)).concat(),
    };
    w.fill(DENSE_MAP_INFO, &[("Enum", name), ("storage", &storage), ("markers", &markers)]);
}

/// Returns the function for a marker key of a hash map: the empty key or the tombstone.
fn key_marker(name: &str, marker: &str) -> String {
    format!(
        "\n  static inline {name} get{marker}Key() {{\n    return static_cast<{name}>(StorageInfo::get{marker}Key());\n  }}\n"
    )
}

const DENSE_MAP_INFO: Template = Template(
    r#"

namespace llvm {
template<> struct DenseMapInfo<@Enum> {
  using StorageInfo = ::llvm::DenseMapInfo<@storage>;
@markers
  static unsigned getHashValue(const @Enum &val) {
    return StorageInfo::getHashValue(static_cast<@storage>(val));
  }

  static bool isEqual(const @Enum &lhs, const @Enum &rhs) {
    return lhs == rhs;
  }
};
}

"#,
);
