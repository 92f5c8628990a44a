//! `gen-enum-defs`. Per enum, in this order: symbol to string, string to symbol, integer to symbol, the members of the
//! attribute class; then, outside the enum's namespace, its parsers.

use super::{casewise_bits, decls, parsers};
use crate::{
    Generator,
    cpp::{Template, Writer, cast, substitute},
};
use odsmith_ods::{BitEnum, CaseKind, EnumAttribute, EnumCase, EnumInfo, enums::defined};
use odsmith_release::{Change, Rules, fields, spellings};
use odsmith_tablegen::{diagnostic::Diagnostic, record::Rec};

pub(crate) const DEFS: Generator = Generator {
    name: "gen-enum-defs",
    about: "Generate enum utility definitions",
    run: |cx, w| {
        if !w.rules().has(Change::EnumsWithoutClass) {
            cx.require_class(fields::ENUM.of(w.rules()))?;
        }
        let enums = cx.model.enum_records().map(checked).collect::<Result<Vec<EnumInfo<'_>>, _>>()?;
        w.file_header("Enum Utility Definitions", Some(cx.source_name()));
        for info in &enums {
            w.namespaces(info.cpp_namespace, |w| {
                if let Some(bits) = &info.bits {
                    emit_bits_to_string(info, bits, w);
                    emit_string_to_bits(info, bits, w);
                    emit_underlying_to_bits(info, bits, w);
                } else {
                    emit_symbol_to_string(info, w);
                    emit_string_to_symbol(info, w);
                    if info.has_values() {
                        emit_underlying_to_symbol(info, w);
                    }
                }
                if let Some(attribute) = &info.attribute {
                    emit_attribute_members(info, attribute, w);
                }
            });
            if info.is_built() && w.rules().has(Change::EnumParsersDefinedApart) {
                parsers::emit_definitions(info, w);
            }
            if !w.rules().has(Change::JoinedNamespaces) {
                w.blank();
            }
        }
        Ok(())
    },
};

/// Reads an enum with the fields that its definitions need.
fn checked(record: Rec<'_>) -> Result<EnumInfo<'_>, Diagnostic> {
    let info = EnumInfo::with(record, defined(record))?;
    if info.is_built() && record.records().rules().has(Change::EnumParsersDefinedApart) {
        return EnumInfo::with(record, &["printBitEnumQuoted", "summary"]).map(|_| info);
    }
    Ok(info)
}

fn emit_symbol_to_string(info: &EnumInfo<'_>, w: &mut Writer) {
    let EnumInfo { class_name, to_string_fn, to_string_type, .. } = info;
    w.braces(format_args!("{to_string_type} {to_string_fn}({class_name} val)"), |w| {
        w.braces("switch (val)", |w| {
            for (symbol, spelling) in info.cases.iter().map(|case| (case.enumerator(), case.spelling)) {
                w.line(format_args!(r#"case {class_name}::{symbol}: return "{spelling}";"#));
            }
        });
        w.line(r#"return "";"#);
    });
    w.blank();
}

fn emit_string_to_symbol(info: &EnumInfo<'_>, w: &mut Writer) {
    let EnumInfo { class_name, from_string_fn, .. } = info;
    let (optional, none) = optional_and_none(w.rules());
    w.braces(format_args!("{optional}<{class_name}> {from_string_fn}(::llvm::StringRef str)"), |w| {
        w.line(format_args!("return ::llvm::StringSwitch<{optional}<{class_name}>>(str)"));
        for (symbol, spelling) in info.cases.iter().map(|case| (case.enumerator(), case.spelling)) {
            w.line(format_args!(r#"    .Case("{spelling}", {class_name}::{symbol})"#));
        }
        w.line(format_args!("    .Default({none});"));
    });
}

fn emit_underlying_to_symbol(info: &EnumInfo<'_>, w: &mut Writer) {
    let EnumInfo { class_name, from_underlying_fn, .. } = info;
    let underlying = info.underlying_or_unsigned();
    let (optional, none) = optional_and_none(w.rules());
    w.braces(format_args!("{optional}<{class_name}> {from_underlying_fn}({underlying} value)"), |w| {
        w.line("switch (value) {");
        for (symbol, value) in info.cases.iter().map(|case| (case.enumerator(), case.value)) {
            w.line(format_args!("case {value}: return {class_name}::{symbol};"));
        }
        w.line(format_args!("default: return {none};"));
        w.line("}");
    });
    w.blank();
}

fn emit_bits_to_string(info: &EnumInfo<'_>, bits: &BitEnum<'_>, w: &mut Writer) {
    let EnumInfo { class_name, to_string_fn, to_string_type, underlying_type, .. } = info;
    let BitEnum { valid_bits, separator, .. } = bits;
    w.braces(format_args!("{to_string_type} {to_string_fn}({class_name} symbol)"), |w| {
        w.line(format_args!("auto val = static_cast<{underlying_type}>(symbol);"));
        if w.rules().has(Change::ValidBits) {
            w.line(format_args!(
                r#"assert({valid_bits}u == ({valid_bits}u | val) && "invalid bits set in bit enum");"#
            ));
        }
        if let Some(zero) = info.zero_case() {
            w.line("// Special case for all bits unset.");
            w.line(format_args!("if (val == 0) return \"{}\";\n", zero_name(zero, w.rules())));
        }
        if !w.rules().has(Change::BitNamesInLines) {
            return casewise_bits::emit_names(info, bits, w);
        }
        w.line("::llvm::SmallVector<::llvm::StringRef, 2> strs;");
        let cases = info.cases.iter().filter(|case| case.value != 0);
        if bits.prints_primary_groups {
            w.line("// Print bit enum groups before individual bits");
            for case in cases.clone().rev().filter(|case| case.kind == CaseKind::Group) {
                emit_group_to_string(info, case, w);
            }
        }
        for case in cases.filter(|case| !bits.prints_primary_groups || case.kind == CaseKind::Bit) {
            let EnumCase { value, spelling, .. } = case;
            w.blank();
            w.line(format_args!("if ({value}u == ({value}u & val))"));
            w.line(format_args!(r#"  strs.push_back("{spelling}");"#));
        }
        w.line(format_args!(r#"return ::llvm::join(strs, "{separator}");"#));
    });
    w.blank();
}

fn emit_group_to_string(info: &EnumInfo<'_>, case: &EnumCase<'_>, w: &mut Writer) {
    let EnumCase { value, spelling, .. } = case;
    w.blank();
    w.braces(format_args!("if ({value}u == ({value}u & val))"), |w| {
        w.line(format_args!(r#"strs.push_back("{spelling}");"#));
        w.line(format_args!("val &= ~static_cast<{}>({value});", info.underlying_type));
    });
}

fn emit_string_to_bits(info: &EnumInfo<'_>, bits: &BitEnum<'_>, w: &mut Writer) {
    let EnumInfo { class_name, from_string_fn, underlying_type, .. } = info;
    let (optional, none) = optional_and_none(w.rules());
    w.braces(format_args!("{optional}<{class_name}> {from_string_fn}(::llvm::StringRef str)"), |w| {
        if let Some(zero) = info.zero_case() {
            let (symbol, name) = (zero.enumerator(), zero_name(zero, w.rules()));
            w.line("// Special case for all bits unset.");
            w.line(format_args!("if (str == \"{name}\") return {class_name}::{symbol};\n"));
        }
        w.line("::llvm::SmallVector<::llvm::StringRef, 2> symbols;");
        let (separator, part) = casewise_bits::separator_and_part(bits, w);
        w.line(format_args!("str.split(symbols, \"{separator}\");\n"));
        w.line(format_args!("{underlying_type} val = 0;"));
        w.braces("for (auto symbol : symbols)", |w| {
            w.line(format_args!("auto bit = llvm::StringSwitch<{optional}<{underlying_type}>>({part})"));
            for EnumCase { value, spelling, .. } in info.cases.iter().filter(|case| case.value != 0) {
                w.line(format_args!(r#"  .Case("{spelling}", {value})"#));
            }
            w.line(format_args!("  .Default({none});"));
            w.line(format_args!("if (bit) {{ val |= *bit; }} else {{ return {none}; }}"));
        });
        w.line(format_args!("return static_cast<{class_name}>(val);"));
    });
    w.blank();
}

fn emit_underlying_to_bits(info: &EnumInfo<'_>, bits: &BitEnum<'_>, w: &mut Writer) {
    let EnumInfo { class_name, from_underlying_fn, underlying_type, .. } = info;
    let BitEnum { valid_bits, .. } = bits;
    let (optional, _) = optional_and_none(w.rules());
    let near_none = spellings::near_none.of(w.rules());
    w.braces(format_args!("{optional}<{class_name}> {from_underlying_fn}({underlying_type} value)"), |w| {
        if let Some(zero) = info.zero_case() {
            w.line("// Special case for all bits unset.");
            w.line(format_args!("if (value == 0) return {class_name}::{};\n", zero.enumerator()));
        }
        let is_invalid = match w.rules().has(Change::ConstantBitOperators) {
            true => format!("value & ~static_cast<{underlying_type}>({valid_bits}u)"),
            false => casewise_bits::has_invalid_bits(info, w),
        };
        w.line(format_args!("if ({is_invalid}) return {near_none};"));
        w.line(format_args!("return static_cast<{class_name}>(value);"));
    });
}

/// Returns the text of the case without bits: its spelling, or in early releases its symbol.
fn zero_name<'r>(zero: &EnumCase<'r>, rules: &Rules) -> &'r str {
    if rules.has(Change::ConstantBitOperators) { zero.spelling } else { zero.symbol }
}

/// Returns the class of optional values, and its empty value.
fn optional_and_none(rules: &Rules) -> (&'static str, &'static str) {
    (spellings::optional.of(rules), spellings::none.of(rules))
}

fn emit_attribute_members(info: &EnumInfo<'_>, attribute: &EnumAttribute<'_>, w: &mut Writer) {
    let cast = cast(w.rules(), "::llvm::cast", &attribute.class_name, "baseAttr").to_string();
    let condition = substitute(&attribute.condition, &[("_self", "attr")]);
    if decls::holds_text(info, w.rules()) {
        return w.fill(
            TEXT_ATTRIBUTE_MEMBERS,
            &[
                ("Enum", &info.class_name),
                ("Attr", &attribute.class_name),
                ("to_string", &info.to_string_fn),
                ("from_string", &info.from_string_fn),
                ("cast", &cast),
                ("condition", &condition),
            ],
        );
    }
    w.fill(
        ATTRIBUTE_MEMBERS,
        &[
            ("Enum", &info.class_name),
            ("Attr", &attribute.class_name),
            ("underlying", &info.underlying_type),
            ("bitwidth", &attribute.bitwidth),
            ("cast", &cast),
            ("condition", &condition),
        ],
    );
}

const TEXT_ATTRIBUTE_MEMBERS: Template = Template(
    r#"
bool @Attr::classof(::mlir::Attribute attr) {
  return @condition;
}
@Attr @Attr::get(::mlir::MLIRContext *context, @Enum val) {
  ::mlir::StringAttr baseAttr = ::mlir::StringAttr::get(context, @to_string(val));
  return @cast;
}
@Enum @Attr::getValue() const {
  const auto res = @from_string(::mlir::StringAttr::getValue());
  return res.getValue();
}
"#,
);

const ATTRIBUTE_MEMBERS: Template = Template(
    r#"
bool @Attr::classof(::mlir::Attribute attr) {
  return @condition;
}
@Attr @Attr::get(::mlir::MLIRContext *context, @Enum val) {
  ::mlir::IntegerType intType = ::mlir::IntegerType::get(context, @bitwidth);
  ::mlir::IntegerAttr baseAttr = ::mlir::IntegerAttr::get(intType, static_cast<@underlying>(val));
  return @cast;
}
@Enum @Attr::getValue() const {
  return static_cast<@Enum>(::mlir::IntegerAttr::@integer_of_enum);
}
"#,
);
