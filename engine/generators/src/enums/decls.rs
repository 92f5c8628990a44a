//! `gen-enum-decls`. Per enum, in this order: class, conversions, bit operators, attribute class; then, outside the
//! enum's namespace, parser, printer and hashing.

use std::fmt::Display;

use super::casewise_bits;
use crate::{
    Generator,
    cpp::{Template, Writer, join},
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
        let read = cx.model.enum_records().map(|record| checked(record, w.rules()));
        let enums: Vec<EnumInfo<'_>> = read.collect::<Result<_, _>>()?;
        w.file_header("Enum Utility Declarations", Some(cx.source_name()));
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
                match &info.bits {
                    Some(bits) if !bits.is_quoted => emit_keyword_list_io(info, bits, w),
                    bits => {
                        emit_parser(info, w);
                        emit_printer(info, bits.is_some(), w);
                    }
                }
            }
            emit_dense_map_info(info, w);
        }
        Ok(())
    },
};

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

fn emit_parser(info: &EnumInfo<'_>, w: &mut Writer) {
    let EnumInfo { qualified_name, cpp_namespace, summary, .. } = info;
    let has_optional = w.rules().has(Change::OptionalEnumParsers);
    let unknown = match has_optional {
        true => format!("expected one of [{}] for {summary}, got: ", expected_cases(info)),
        false => format!("invalid {summary} specification: "),
    };
    let names: [(&str, &dyn Display); 5] = [
        ("Enum", qualified_name),
        ("namespace", cpp_namespace),
        ("summary", summary),
        ("unknown", &unknown),
        ("keywords", &optional_keywords(info, w)),
    ];
    w.fill(PARSER, &names[..4]);
    if has_optional {
        w.fill_variant(OPTIONAL_PARSER, &names);
    }
    w.line("} // namespace mlir");
}

/// Returns the extra argument with which the parser of an optional value calls the parser of keywords.
fn optional_keywords(info: &EnumInfo<'_>, w: &Writer) -> String {
    if !w.rules().has(Change::OptionalEnumKeywords) {
        return String::new();
    }
    let quoted = info.cases.iter().map(|case| format!("\"{}\"", case.spelling));
    format!(", {{{}}}", join(quoted, ", "))
}

const PARSER: Template = Template(
    r#"

namespace mlir {
template <typename T, typename>
struct FieldParser;

template<>
struct FieldParser<@Enum, @Enum> {
  template <typename ParserT>
  static FailureOr<@Enum> parse(ParserT &parser) {
    // Parse the keyword/string containing the enum.
    std::string enumKeyword;
    auto loc = parser.getCurrentLocation();
    if (failed(parser.parseOptionalKeywordOrString(&enumKeyword)))
      return parser.emitError(loc, "expected keyword for @summary");

    // Symbolize the keyword.
    if (::std::optional<@Enum> attr = @namespace::symbolizeEnum<@Enum>(enumKeyword))
      return *attr;
    return parser.emitError(loc, "@unknown") << enumKeyword;
  }
};
"#,
);

const OPTIONAL_PARSER: Template = Template(
    r#"

/// Support for std::optional, useful in attribute/type definition where the enum is
/// used as:
///
///    let parameters = (ins OptionalParameter<"std::optional<TheEnumName>">:$value);
template<>
struct FieldParser<std::optional<@Enum>, std::optional<@Enum>> {
  template <typename ParserT>
  static FailureOr<std::optional<@Enum>> parse(ParserT &parser) {
    // Parse the keyword/string containing the enum.
    std::string enumKeyword;
    auto loc = parser.getCurrentLocation();
    if (failed(parser.parseOptionalKeywordOrString(&enumKeyword@keywords)))
      return std::optional<@Enum>{};

    // Symbolize the keyword.
    if (::std::optional<@Enum> attr = @namespace::symbolizeEnum<@Enum>(enumKeyword))
      return attr;
    return parser.emitError(loc, "@unknown") << enumKeyword;
  }
};
"#,
);

/// Returns the list of cases in the messages of parsers.
fn expected_cases(info: &EnumInfo<'_>) -> String {
    let spelled = info.cases.iter().map(|case| match case.spelling {
        "" => String::from(r#"\"\""#),
        // The reference prints both forms.
        spelling if !case.is_keyword() => format!(r#"\"{spelling}\"{spelling}"#),
        spelling => spelling.to_owned(),
    });
    join(spelled, ", ").to_string()
}

const QUOTED: &str = r#"'"' << valueStr << '"'"#;

fn emit_printer(info: &EnumInfo<'_>, is_bit_enum: bool, w: &mut Writer) {
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
            } else if is_bit_enum {
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

/// Writes parser and printer of a bit enum that is written as keywords with separators.
fn emit_keyword_list_io(info: &EnumInfo<'_>, bits: &BitEnum<'_>, w: &mut Writer) {
    let parse_separator = match bits.separator.trim_ascii() {
        "|" => "parseOptionalVerticalBar",
        "," => "parseOptionalComma",
        // The reference prints its own message into the code.
        _ => &format!("error, enum {} must be '|' or ','", spellings::separator.of(w.rules())),
    };
    w.fill(
        KEYWORD_LIST_IO,
        &[
            ("Enum", &info.qualified_name),
            ("namespace", &info.cpp_namespace),
            ("summary", &info.summary),
            ("cases", &expected_cases(info)),
            ("keywords", &optional_keywords(info, w)),
            ("separator", &bits.separator),
            ("parse_separator", &parse_separator),
            ("printed", &if info.cases.is_empty() { QUOTED } else { "valueStr" }),
        ],
    );
}

// The reference indents all but the last two lines.
const KEYWORD_LIST_IO: Template = Template(
    r#"

  namespace mlir {
  template <typename T, typename>
  struct FieldParser;

  template<>
  struct FieldParser<@Enum, @Enum> {
    template <typename ParserT>
    static FailureOr<@Enum> parse(ParserT &parser) {
      @Enum flags = {};
      do {
        // Parse the keyword containing a part of the enum.
        ::llvm::StringRef enumKeyword;
        auto loc = parser.getCurrentLocation();
        if (failed(parser.parseOptionalKeyword(&enumKeyword))) {
          return parser.emitError(loc, "expected keyword for @summary");
        }

        // Symbolize the keyword.
        if (::std::optional<@Enum> flag = @namespace::symbolizeEnum<@Enum>(enumKeyword)) {
          flags = flags | *flag;
        } else {
          return parser.emitError(loc, "expected one of [@cases] for @summary, got: ") << enumKeyword;
        }
      } while (::mlir::succeeded(parser.@parse_separator()));
      return flags;
    }
  };

  /// Support for std::optional, useful in attribute/type definition where the enum is
  /// used as:
  ///
  ///    let parameters = (ins OptionalParameter<"std::optional<TheEnumName>">:$value);
  template<>
  struct FieldParser<std::optional<@Enum>, std::optional<@Enum>> {
    template <typename ParserT>
    static FailureOr<std::optional<@Enum>> parse(ParserT &parser) {
      @Enum flags = {};
      bool firstIter = true;
      do {
        // Parse the keyword containing a part of the enum.
        ::llvm::StringRef enumKeyword;
        auto loc = parser.getCurrentLocation();
        if (failed(parser.parseOptionalKeyword(&enumKeyword@keywords))) {
          if (firstIter)
            return std::optional<@Enum>{};
          return parser.emitError(loc, "expected keyword for @summary after '@separator'");
        }
        firstIter = false;

        // Symbolize the keyword.
        if (::std::optional<@Enum> flag = @namespace::symbolizeEnum<@Enum>(enumKeyword)) {
          flags = flags | *flag;
        } else {
          return parser.emitError(loc, "expected one of [@cases] for @summary, got: ") << enumKeyword;
        }
      } while(::mlir::succeeded(parser.@parse_separator()));
      return std::optional<@Enum>{flags};
    }
  };
  } // namespace mlir

  namespace llvm {
  inline ::llvm::raw_ostream &operator<<(::llvm::raw_ostream &p, @Enum value) {
    auto valueStr = stringifyEnum(value);
    return p << @printed;
}
} // namespace llvm
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
