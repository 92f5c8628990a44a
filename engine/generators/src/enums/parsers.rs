//! The parsers of enums, which formats of attributes and types call: a class for values, and one for optional values.
//! Their functions are defined with the enum's other definitions, or in older releases in the classes.

use std::fmt::Display;

use crate::cpp::{Template, Writer, join};
use odsmith_ods::{BitEnum, EnumInfo};
use odsmith_release::{Change, spellings};

/// The result of a parser.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ResultKind {
    Value,
    OptionalValue,
}

impl ResultKind {
    /// Returns the C++ type of the result.
    fn of(self, info: &EnumInfo<'_>) -> String {
        match self {
            ResultKind::Value => info.qualified_name.clone(),
            ResultKind::OptionalValue => format!("std::optional<{}>", info.qualified_name),
        }
    }
}

/// Returns the bit enum if its values are written as keywords with separators.
pub(super) fn keyword_list<'i, 'r>(info: &'i EnumInfo<'r>) -> Option<&'i BitEnum<'r>> {
    info.bits.as_ref().filter(|bits| !bits.is_quoted)
}

/// Writes the declarations that the classes of all enums of a file need.
pub(super) fn emit_forward_declarations(w: &mut Writer) {
    w.fill(FORWARD_DECLARATIONS, &[]);
}

const FORWARD_DECLARATIONS: Template = Template(
    r#"

namespace mlir {
class AsmParser;

template <typename T, typename>
struct FieldParser;
} // namespace mlir
"#,
);

/// Writes lines that older releases indent if they are about a list of keywords.
pub(super) fn at_margin(info: &EnumInfo<'_>, w: &mut Writer, body: impl FnOnce(&mut Writer)) {
    if keyword_list(info).is_some() && !w.rules().has(Change::EnumParsersDefinedApart) {
        w.indented(body);
    } else {
        body(w);
    }
}

pub(super) fn emit_classes(info: &EnumInfo<'_>, w: &mut Writer) {
    w.blank();
    at_margin(info, w, |w| {
        w.line("namespace mlir {");
        if !w.rules().has(Change::EnumParsersDefinedApart) {
            w.fill(FORWARD_DECLARATION, &[]);
        }
        emit_class(info, ResultKind::Value, w);
        if has_optional(info, w) {
            w.fill(OPTIONAL_COMMENT, &[]);
            emit_class(info, ResultKind::OptionalValue, w);
        }
        w.line("} // namespace mlir");
    });
}

const FORWARD_DECLARATION: Template = Template(
    r#"
template <typename T, typename>
struct FieldParser;

"#,
);

const OPTIONAL_COMMENT: Template = Template(
    r#"

/// Support for std::optional, useful in attribute/type definition where the enum is
/// used as:
///
///    let parameters = (ins OptionalParameter<"std::optional<TheEnumName>">:$value);
"#,
);

/// Returns whether optional values have a parser.
fn has_optional(info: &EnumInfo<'_>, w: &Writer) -> bool {
    keyword_list(info).is_some() || w.rules().has(Change::OptionalEnumParsers)
}

fn emit_class(info: &EnumInfo<'_>, result: ResultKind, w: &mut Writer) {
    let ty = result.of(info);
    w.line("template<>");
    w.block(format_args!("struct FieldParser<{ty}, {ty}> {{"), "};", |w| {
        if w.rules().has(Change::EnumParsersDefinedApart) {
            if let Some(flag) = follows_key(info, result) {
                w.line(format_args!("static constexpr bool isKeyValueCompositional = {flag};\n"));
            }
            return w.line(format_args!("static FailureOr<{ty}> parse(AsmParser &parser);"));
        }
        w.line("template <typename ParserT>");
        w.braces(format_args!("static FailureOr<{ty}> parse(ParserT &parser)"), |w| {
            emit_body(info, result, w);
        });
    });
}

/// Returns whether a value may be that of a key in a struct, if the class says so: it may not if it can be absent, or if
/// it has commas as the struct does.
fn follows_key(info: &EnumInfo<'_>, result: ResultKind) -> Option<bool> {
    match result {
        ResultKind::OptionalValue => Some(false),
        ResultKind::Value => keyword_list(info).map(|bits| bits.separator.trim_ascii() != ","),
    }
}

pub(super) fn emit_definitions(info: &EnumInfo<'_>, w: &mut Writer) {
    let (value, optional) = (ResultKind::Value.of(info), ResultKind::OptionalValue.of(info));
    w.line("\nnamespace mlir {");
    w.braces(
        format_args!("FailureOr<{value}> FieldParser<{value}, {value}>::parse(AsmParser &parser)"),
        |w| emit_body(info, ResultKind::Value, w),
    );
    w.line(format_args!("\nFailureOr<{optional}>"));
    w.braces(format_args!("FieldParser<{optional}, {optional}>::parse(AsmParser &parser)"), |w| {
        emit_body(info, ResultKind::OptionalValue, w);
    });
    w.line("} // namespace mlir");
}

fn emit_body(info: &EnumInfo<'_>, result: ResultKind, w: &mut Writer) {
    let EnumInfo { qualified_name, cpp_namespace, summary, .. } = info;
    let bits = keyword_list(info);
    let body = match (bits, result) {
        (None, ResultKind::Value) => VALUE_BODY,
        (None, ResultKind::OptionalValue) => OPTIONAL_BODY,
        (Some(_), ResultKind::Value) => LIST_BODY,
        (Some(_), ResultKind::OptionalValue) => OPTIONAL_LIST_BODY,
    };
    let unknown = match has_optional(info, w) {
        true => format!("expected one of [{}] for {summary}, got: ", expected_cases(info)),
        false => format!("invalid {summary} specification: "),
    };
    let separator = bits.map_or("", |bits| bits.separator);
    let parse_separator = match separator.trim_ascii() {
        "|" => "parseOptionalVerticalBar",
        "," => "parseOptionalComma",
        // The reference prints its own message into the code.
        _ => &format!("error, enum {} must be '|' or ','", spellings::separator.of(w.rules())),
    };
    let names: [(&str, &dyn Display); 7] = [
        ("Enum", qualified_name),
        ("namespace", cpp_namespace),
        ("summary", summary),
        ("unknown", &unknown),
        ("keywords", &optional_keywords(info, w)),
        ("separator", &separator),
        ("parse_separator", &parse_separator),
    ];
    w.fill_variant(body, &names);
}

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

/// Returns the extra argument with which the parser of an optional value calls the parser of keywords.
fn optional_keywords(info: &EnumInfo<'_>, w: &Writer) -> String {
    if !w.rules().has(Change::OptionalEnumKeywords) {
        return String::new();
    }
    let quoted = info.cases.iter().map(|case| format!("\"{}\"", case.spelling));
    format!(", {{{}}}", join(quoted, ", "))
}

const VALUE_BODY: Template = Template(
    r#"
// Parse the keyword/string containing the enum.
std::string enumKeyword;
auto loc = parser.getCurrentLocation();
if (failed(parser.parseOptionalKeywordOrString(&enumKeyword)))
  return parser.emitError(loc, "expected keyword for @summary");

// Symbolize the keyword.
if (::std::optional<@Enum> attr = @namespace::symbolizeEnum<@Enum>(enumKeyword))
  return *attr;
return parser.emitError(loc, "@unknown") << enumKeyword;
"#,
);

const OPTIONAL_BODY: Template = Template(
    r#"
// Parse the keyword/string containing the enum.
std::string enumKeyword;
auto loc = parser.getCurrentLocation();
if (failed(parser.parseOptionalKeywordOrString(&enumKeyword@keywords)))
  return std::optional<@Enum>{};

// Symbolize the keyword.
if (::std::optional<@Enum> attr = @namespace::symbolizeEnum<@Enum>(enumKeyword))
  return attr;
return parser.emitError(loc, "@unknown") << enumKeyword;
"#,
);

const LIST_BODY: Template = Template(
    r#"
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
    return parser.emitError(loc, "@unknown") << enumKeyword;
  }
} while (::mlir::succeeded(parser.@parse_separator()));
return flags;
"#,
);

const OPTIONAL_LIST_BODY: Template = Template(
    r#"
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
    return parser.emitError(loc, "@unknown") << enumKeyword;
  }
} while(::mlir::succeeded(parser.@parse_separator()));
return std::optional<@Enum>{flags};
"#,
);
