//! The parser of an enum in releases that have no parser of optional values and list no cases in messages.

use crate::cpp::{Template, Writer};
use odsmith_ods::EnumInfo;

pub(super) fn emit(info: &EnumInfo<'_>, w: &mut Writer) {
    let EnumInfo { qualified_name, cpp_namespace, summary, .. } = info;
    w.fill(PLAIN_PARSER, &[("Enum", qualified_name), ("namespace", cpp_namespace), ("summary", summary)]);
}

const PLAIN_PARSER: Template = Template(
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
    return parser.emitError(loc, "invalid @summary specification: ") << enumKeyword;
  }
};
} // namespace mlir
"#,
);
