//! Enums: class `EnumInfo` in all flavours (integer or bit enum, with or without an attribute of its own).

use std::{borrow::Cow, slice};

use super::{Constraint, lenient::Mistake, predicate};
use odsmith_release::{Change, fields, spellings::Spelling};
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{KnownName, Name as _, Rec, Records, name},
};

/// A C++ enum.
#[derive(Debug)]
pub struct EnumInfo<'r> {
    /// The record.
    pub record: Rec<'r>,
    /// The C++ class.
    pub class_name: &'r str,
    /// Its namespace, as the user wrote it.
    pub cpp_namespace: &'r str,
    /// The class with its namespace.
    pub qualified_name: String,
    /// One line, which may be empty.
    pub summary: &'r str,
    /// The explicit underlying type, which may be empty.
    pub underlying_type: &'r str,
    /// The function from an integer to a symbol.
    pub from_underlying_fn: &'r str,
    /// The function from a string to a symbol.
    pub from_string_fn: &'r str,
    /// The function from a symbol to a string.
    pub to_string_fn: &'r str,
    /// The return type of that function.
    pub to_string_type: &'r str,
    /// The function that returns the largest value.
    pub max_value_fn: &'r str,
    /// The cases in order.
    pub cases: Vec<EnumCase<'r>>,
    /// The data that only bit enums have.
    pub bits: Option<BitEnum<'r>>,
    /// The attribute class that the enum defines.
    pub attribute: Option<EnumAttribute<'r>>,
}

/// A case of an enum.
#[derive(Debug)]
pub struct EnumCase<'r> {
    /// The record.
    pub record: Rec<'r>,
    /// Its name; see [`EnumCase::enumerator`] for that in C++.
    pub symbol: &'r str,
    /// Its text in assembly.
    pub spelling: &'r str,
    /// Its value. If it is negative, the enumerator has no explicit value.
    pub value: i64,
    /// The form of its declaration.
    pub kind: CaseKind,
}

/// The form in which a case of a bit enum is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaseKind {
    /// As one bit, by its position.
    Bit,
    /// As a group of other cases.
    Group,
    /// By its value.
    Value,
}

/// The data that only bit enums have.
#[derive(Debug)]
pub struct BitEnum<'r> {
    /// All bits that may be set.
    pub valid_bits: i64,
    /// The text between the printed cases, blanks included.
    pub separator: &'r str,
    /// True if a group that is set hides the bits in it.
    pub prints_primary_groups: bool,
    /// True if several cases are printed as one quoted string.
    pub is_quoted: bool,
}

/// The attribute class that an enum defines.
#[derive(Debug)]
pub struct EnumAttribute<'r> {
    /// The C++ class.
    pub class_name: &'r str,
    /// The condition under which an attribute `$_self` holds a value of the enum.
    pub condition: String,
    /// The width of the integer that holds the value.
    pub bitwidth: i64,
}

/// The fields that declarations read, in the order in which a missing one is reported. An enum need not set the fields
/// that a generator does not read.
pub const DECLARED: &[&str] = &[
    "className",
    "cppNamespace",
    "underlyingType",
    "summary",
    "stringToSymbolFnName",
    "symbolToStringFnName",
    "symbolToStringFnRetType",
    "underlyingToSymbolFnName",
    "enumerants",
    "symbol",
    "value",
    "maxEnumValFnName",
    "validBits",
    "specializedAttrClassName",
    "str",
    "printBitEnumQuoted",
    "separator",
];

/// The fields that definitions of an integer enum read.
const DEFINED: &[&str] = &[
    "cppNamespace",
    "className",
    "symbolToStringFnName",
    "symbolToStringFnRetType",
    "enumerants",
    "symbol",
    "str",
    "stringToSymbolFnName",
    "underlyingType",
    "underlyingToSymbolFnName",
    VALUES_TO_NEGATIVE,
    "specializedAttrClassName",
    "baseAttrClass",
];

/// A pseudo field: the values of the cases up to the first negative one. An enum with a negative value has no
/// conversion from a number.
const VALUES_TO_NEGATIVE: &str = "value to the first below zero";

/// A pseudo field: the spelling of the case without bits.
const SPELLING_OF_ZERO: &str = "str of zero";

/// A pseudo field: the spellings of the other cases.
const SPELLINGS_OF_BITS: &str = "str of bits";

/// A pseudo field: the symbol of the case without bits.
const SYMBOL_OF_ZERO: &str = "symbol of zero";

/// The fields that definitions of a bit enum read. The only symbol among them is that of the case without bits.
const BITS_DEFINED: &[&str] = &[
    "cppNamespace",
    "className",
    "symbolToStringFnName",
    "symbolToStringFnRetType",
    "separator",
    "enumerants",
    "value",
    "underlyingType",
    "validBits",
    SPELLING_OF_ZERO,
    "printBitEnumPrimaryGroups",
    SPELLINGS_OF_BITS,
    "stringToSymbolFnName",
    SYMBOL_OF_ZERO,
    "underlyingToSymbolFnName",
    "specializedAttrClassName",
    "baseAttrClass",
];

/// The same in early releases, which print the case without bits by its symbol.
const EARLY_BITS_DEFINED: &[&str] = &[
    "cppNamespace",
    "className",
    "symbolToStringFnName",
    "symbolToStringFnRetType",
    "separator",
    "enumerants",
    "value",
    "underlyingType",
    "validBits",
    SYMBOL_OF_ZERO,
    "printBitEnumPrimaryGroups",
    SPELLINGS_OF_BITS,
    "stringToSymbolFnName",
    "underlyingToSymbolFnName",
    "specializedAttrClassName",
    "baseAttrClass",
];

/// Returns the C++ classes of enums whose cases a parameter prints without quotes: only the parameter of an enum that is
/// an attribute as well brings a printer, and that writes no quotes.
pub fn printed_bare(records: &Records) -> impl Iterator<Item = &str> {
    records.derived("EnumParameter").filter_map(|rec| {
        rec.optional_string("printer")?;
        Some(rec.optional_string("cppType")?.trim_start_matches("::"))
    })
}

/// Returns the fields that definitions of an enum read, in the order in which a missing one is reported.
#[must_use]
pub fn defined(record: Rec<'_>) -> &'static [&'static str] {
    match is_bit_enum(record) {
        true if record.records().rules().has(Change::ConstantBitOperators) => BITS_DEFINED,
        true => EARLY_BITS_DEFINED,
        false => DEFINED,
    }
}

/// The fields that documentation reads.
pub const DOCUMENTED: &[&str] = &["className", "summary", "enumerants", "symbol", "value", "str"];

/// The fields that Python code of a bit enum reads.
const BITS_IN_PYTHON: &[&str] =
    &["className", "summary", "enumerants", "symbol", "value", "separator", "str"];

/// Returns the fields that Python code of an enum reads, in the order in which a missing one is reported.
#[must_use]
pub fn in_python(record: Rec<'_>) -> &'static [&'static str] {
    if is_bit_enum(record) { BITS_IN_PYTHON } else { DOCUMENTED }
}

/// The fields that an operation's format reads to write a case.
const WRITTEN: &[&str] =
    &["enumerants", "str", "cppNamespace", "stringToSymbolFnName", "symbolToStringFnName"];

/// The fields that an operation's format reads to write a case of a bit enum.
const BITS_WRITTEN: &[&str] =
    &["enumerants", "str", "value", "cppNamespace", "stringToSymbolFnName", "symbolToStringFnName"];

/// Returns the fields that an operation's format reads to write a case, in the order in which a missing one is
/// reported.
pub(super) fn written(record: Rec<'_>) -> &'static [&'static str] {
    if is_bit_enum(record) { BITS_WRITTEN } else { WRITTEN }
}

/// The fields of the C++ name and the list of cases.
pub const LISTED: &[&str] = &["className", "cppNamespace", "enumerants"];

/// Returns whether a record is an enum.
#[must_use]
pub fn is_enum(record: Rec<'_>) -> bool {
    record.is_subclass_of(fields::ENUM.of(record.records().rules()))
}

/// Returns whether an enum is a bit enum.
#[must_use]
pub fn is_bit_enum(record: Rec<'_>) -> bool {
    record.is_subclass_of(fields::BIT_ENUM.of(record.records().rules()))
}

/// Returns whether values of an enum can be built: it has an underlying type and, if it is an attribute, a builder
/// call.
#[must_use]
pub fn is_built(record: Rec<'_>) -> bool {
    let is_attribute = record.is_subclass_of(name!("EnumAttrInfo"));
    let builder = record.optional_string(name!("constBuilderCall"));
    record.optional_string(name!("underlyingType")).is_some_and(|ty| !ty.is_empty())
        && (!is_attribute || builder.is_some_and(|call| !call.trim_ascii().is_empty()))
}

/// The fields that must have values. An entry is a field or a pseudo field such as [`SPELLING_OF_ZERO`].
#[derive(Clone, Copy)]
enum RequiredFields<'n> {
    All,
    Only(&'n [&'n str]),
}

impl RequiredFields<'_> {
    fn has(self, field: &str) -> bool {
        match self {
            RequiredFields::All => true,
            RequiredFields::Only(fields) => fields.contains(&field),
        }
    }
}

impl<'r> EnumInfo<'r> {
    /// Reads a record that derives from `EnumInfo`.
    ///
    /// # Errors
    /// A field has no value.
    pub fn new(record: Rec<'r>) -> Result<Self, Diagnostic> {
        let mut mistake = Mistake::default();
        let info = EnumInfo::read(record, RequiredFields::All, &mut mistake);
        mistake.refuse(info)
    }

    /// Reads an enum for a generator that needs only these fields.
    ///
    /// # Errors
    /// The first of these fields that has no value.
    pub fn with(record: Rec<'r>, needed: &[&str]) -> Result<Self, Diagnostic> {
        let mut mistake = Mistake::default();
        let info = EnumInfo::read(record, RequiredFields::Only(needed), &mut mistake);
        if mistake.is_none() {
            return Ok(info);
        }
        for wanted in needed {
            let mut mistake = Mistake::default();
            let read = EnumInfo::read(record, RequiredFields::Only(slice::from_ref(wanted)), &mut mistake);
            mistake.refuse(read)?;
        }
        mistake.refuse(info)
    }

    /// Reads an enum; fields without a value are empty.
    #[must_use]
    pub fn lenient(record: Rec<'r>) -> Self {
        EnumInfo::read(record, RequiredFields::All, &mut Mistake::default())
    }

    fn read(record: Rec<'r>, needed: RequiredFields<'_>, mistake: &mut Mistake) -> Self {
        let mut of_name = |field: KnownName| mistake.keep_if(needed.has(field.text()), record.string(field));
        let (class_name, cpp_namespace) = (of_name(name!("className")), of_name(name!("cppNamespace")));
        let cases = record.defs(name!("enumerants"));
        let cases = mistake.keep_if(needed.has("enumerants"), cases);
        let mut is_numbered = true;
        let cases = cases.into_iter().map(|case| {
            let needs_value = needed.has("value") || is_numbered && needed.has(VALUES_TO_NEGATIVE);
            let case = EnumCase::read(case, needed, needs_value, mistake);
            is_numbered &= case.value >= 0;
            case
        });
        let cases = cases.collect();
        let mut text = |field: KnownName| {
            // Only integer enums have a function for the largest value.
            let is_unneeded = is_bit_enum(record) && field.text() == "maxEnumValFnName";
            mistake.keep_if(needed.has(field.text()) && !is_unneeded, record.string(field))
        };
        // Releases in which enums are constraints use the summary of the constraint.
        let summary = match record.records().rules().has(Change::EnumSummaries) {
            true => text(name!("summary")),
            false => Constraint::new(record).summary(),
        };
        EnumInfo {
            record,
            class_name,
            cpp_namespace,
            qualified_name: format!("{cpp_namespace}::{class_name}"),
            cases,
            summary,
            underlying_type: text(name!("underlyingType")),
            from_string_fn: text(name!("stringToSymbolFnName")),
            to_string_fn: text(name!("symbolToStringFnName")),
            to_string_type: text(name!("symbolToStringFnRetType")),
            from_underlying_fn: text(name!("underlyingToSymbolFnName")),
            max_value_fn: text(name!("maxEnumValFnName")),
            bits: is_bit_enum(record).then(|| BitEnum::read(record, needed, mistake)),
            attribute: EnumAttribute::read(record, needed, mistake),
        }
    }

    identity!();

    checks! {
        check_class_name: string "className";
        check_cpp_namespace: string "cppNamespace";
        check_underlying_type: string "underlyingType";
    }

    fn rec(&self) -> Rec<'r> {
        self.record
    }

    /// Returns whether the enum is an attribute as well.
    #[must_use]
    pub fn is_attribute(&self) -> bool {
        self.record.is_subclass_of(name!("EnumAttrInfo"))
    }

    /// Returns the width of its integers.
    ///
    /// # Errors
    /// The field is missing, unset or no number.
    pub fn bitwidth(&self) -> Result<i64, Diagnostic> {
        self.record.int(name!("bitwidth"))
    }

    /// Returns whether the enum is an attribute of early releases with texts as values.
    #[must_use]
    pub fn is_text_attribute(&self) -> bool {
        self.record.is_subclass_of("StrEnumAttr")
    }

    /// Returns whether values can be built: there is an underlying type and, for an attribute, a builder call.
    #[must_use]
    pub fn is_built(&self) -> bool {
        is_built(self.record)
    }

    /// Returns the underlying type, or `unsigned` if there is none.
    #[must_use]
    pub fn underlying_or_unsigned(&self) -> &'r str {
        if self.underlying_type.is_empty() { "unsigned" } else { self.underlying_type }
    }

    /// Returns the first case without bits.
    #[must_use]
    pub fn zero_case(&self) -> Option<&EnumCase<'r>> {
        self.cases.iter().find(|case| case.value == 0)
    }

    /// Returns whether every case has an explicit value.
    #[must_use]
    pub fn has_values(&self) -> bool {
        self.cases.iter().all(|case| case.value >= 0)
    }
}

impl<'r> EnumCase<'r> {
    checks! {
        check_symbol: string "symbol";
    }

    fn rec(&self) -> Rec<'r> {
        self.record
    }

    fn read(record: Rec<'r>, needed: RequiredFields<'_>, needs_value: bool, mistake: &mut Mistake) -> Self {
        let is_zero = record.int(name!("value")).is_ok_and(|value| value == 0);
        let needs_symbol = needed.has("symbol") || is_zero && needed.has(SYMBOL_OF_ZERO);
        let symbol = mistake.keep_if(needs_symbol, record.string(name!("symbol")));
        let spellings = if is_zero { SPELLING_OF_ZERO } else { SPELLINGS_OF_BITS };
        let needs_spelling = needed.has("str") || needed.has(spellings);
        let spelling = mistake.keep_if(needs_spelling, record.string(name!("str")));
        let value = mistake.keep_if(needs_value, record.int(name!("value")));
        let rules = record.records().rules();
        // Later releases also accept the classes of enums with an attribute.
        let is_one = |class: Spelling, of_attribute: KnownName| {
            record.is_subclass_of(class.of(rules)) || record.is_subclass_of(of_attribute)
        };
        EnumCase {
            record,
            symbol,
            spelling,
            value,
            kind: if is_one(fields::BIT_CASE, name!("BitEnumAttrCaseBit")) {
                CaseKind::Bit
            } else if is_one(fields::GROUP_CASE, name!("BitEnumAttrCaseGroup")) {
                CaseKind::Group
            } else {
                CaseKind::Value
            },
        }
    }

    /// Returns the C++ enumerator, which cannot begin with a digit.
    #[must_use]
    pub fn enumerator(&self) -> Cow<'r, str> {
        match self.symbol.starts_with(|c: char| c.is_ascii_digit()) {
            true => Cow::Owned(format!("_{}", self.symbol)),
            false => Cow::Borrowed(self.symbol),
        }
    }

    /// Returns whether the spelling can be parsed as a keyword.
    #[must_use]
    pub fn is_keyword(&self) -> bool {
        let mut bytes = self.spelling.bytes();
        bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
            && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.'))
    }

    /// Returns whether exactly one bit is set; the reference does not count the 64th.
    #[must_use]
    pub fn is_single_bit(&self) -> bool {
        self.value > 0 && self.value.count_ones() == 1
    }

    /// Returns whether more than one bit is set.
    #[must_use]
    pub fn has_several_bits(&self) -> bool {
        self.value.count_ones() > 1
    }
}

impl<'r> BitEnum<'r> {
    fn read(record: Rec<'r>, needed: RequiredFields<'_>, mistake: &mut Mistake) -> Self {
        let rules = record.records().rules();
        let valid_bits = match rules.has(Change::ValidBits) {
            true => record.int(name!("validBits")),
            false => all_bits(record),
        };
        let valid_bits = mistake.keep_if(needed.has("validBits"), valid_bits);
        let mut is_set = |field: KnownName| mistake.keep_if(needed.has(field.text()), record.bit(field));
        let prints_primary_groups =
            rules.has(Change::PrimaryGroups) && is_set(name!("printBitEnumPrimaryGroups"));
        // Early releases have no such field and always quote.
        let is_quoted =
            record.get(name!("printBitEnumQuoted")).is_none() || is_set(name!("printBitEnumQuoted"));
        let separator = mistake.keep_if(needed.has("separator"), record.string(name!("separator")));
        BitEnum { valid_bits, separator, prints_primary_groups, is_quoted }
    }
}

/// Returns the bits of all cases.
fn all_bits(record: Rec<'_>) -> Result<i64, Diagnostic> {
    let cases = record.defs(name!("enumerants"))?.into_iter();
    cases.map(|case| case.int(name!("value"))).try_fold(0, |bits, value| Ok(bits | value?))
}

impl<'r> EnumAttribute<'r> {
    fn read(record: Rec<'r>, needed: RequiredFields<'_>, mistake: &mut Mistake) -> Option<Self> {
        let field = name!("specializedAttrClassName");
        if !needed.has(field.text()) || !record.is_subclass_of(name!("EnumAttrInfo")) {
            return None;
        }
        if !mistake.keep(record.bit(name!("genSpecializedAttr"))) {
            return None;
        }
        let class_name = mistake.keep(record.string(field));
        let base = condition_and_width(record);
        let (condition, bitwidth) = mistake.keep_if(needed.has("baseAttrClass"), base);
        Some(EnumAttribute { class_name, condition, bitwidth })
    }
}

/// Returns the condition on an attribute that holds an enum, and its width.
fn condition_and_width(record: Rec<'_>) -> Result<(String, i64), Diagnostic> {
    let base = record.def(name!("baseAttrClass"))?;
    // An attribute whose values have no width is stored in 64 bits.
    let bitwidth = base.def(name!("valueType"))?.get(name!("bitwidth")).and_then(|width| width.as_int());
    Ok((predicate::condition(base.def(name!("predicate"))?)?, bitwidth.unwrap_or(64)))
}
