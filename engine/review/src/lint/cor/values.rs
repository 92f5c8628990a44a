//! Defaults, enums and parameters (COR006–COR010).

use odsmith_ods::{Attribute, CaseKind, EnumInfo};
use odsmith_tablegen::record::{Rec, RecordId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::lint::{
    cx::{Cx, Def, Op, Subject},
    finding::{Edit, edit_of},
    rule::{Fixable, Level, Rule, SINCE},
    words::{self, quoted},
};

pub(super) static DEFAULT: Rule = Rule {
    id: "COR006",
    name: "default-not-a-value",
    level: Level::Error,
    fix: Fixable::No,
    text: "The default of an attribute, property or parameter is no value of its type: a case that the enum does not have, a number \
           that is too wide, or a value of an attribute that nothing can build, so that the default is never applied.",
    advice: "write a value of the type; give an attribute of one's own a `constBuilderCall`",
    bad: r#"
def Ex_Mode : I32EnumAttr<"Mode", "modes", [I32EnumAttrCase<"Slow", 0>, I32EnumAttrCase<"Fast", 1>]> {
  let cppNamespace = "::ex";
}
def Ex_RunOp : Ex_Op<"run"> {
  let arguments = (ins DefaultValuedAttr<Ex_Mode, "::ex::Mode::Medium">:$mode);
}
"#,
    good: r#"
def Ex_Mode : I32EnumAttr<"Mode", "modes", [I32EnumAttrCase<"Slow", 0>, I32EnumAttrCase<"Fast", 1>]> {
  let cppNamespace = "::ex";
}
def Ex_RunOp : Ex_Op<"run"> {
  let arguments = (ins DefaultValuedAttr<Ex_Mode, "::ex::Mode::Fast">:$mode);
}
"#,
    since: SINCE,
};

pub(super) static DUPLICATE_CASE: Rule = Rule {
    id: "COR007",
    name: "enum-duplicate-case",
    level: Level::Error,
    fix: Fixable::No,
    text: "Two cases of an enum have one value, symbol or keyword. Of two with one value only the first is printed; of two with one \
           keyword only the first is parsed.",
    advice: "give each case its own value, symbol and keyword",
    bad: r#"
def Ex_Mode : I32EnumAttr<"Mode", "modes", [I32EnumAttrCase<"Slow", 0, "slow">, I32EnumAttrCase<"Fast", 0, "fast">]> {
  let cppNamespace = "::ex";
}
"#,
    good: r#"
def Ex_Mode : I32EnumAttr<"Mode", "modes", [I32EnumAttrCase<"Slow", 0, "slow">, I32EnumAttrCase<"Fast", 1, "fast">]> {
  let cppNamespace = "::ex";
}
"#,
    since: SINCE,
};

pub(super) static UNPARSABLE_KEYWORD: Rule = Rule {
    id: "COR008",
    name: "enum-keyword-unparsable",
    level: Level::Warning,
    fix: Fixable::No,
    text: "The keyword of a case is no identifier, and an `EnumAttr` or `EnumParameter` of an `EnumAttrInfo` prints it without quotes, \
           so that it is not parsed again; or the keyword has the separator of its bit enum in it. Enums made from `EnumInfo`, and \
           operations that use the enum's own attribute, print such a keyword in quotes and read it.",
    advice: "write keywords with letters, digits and `_`, or make the enum from `I32Enum`",
    bad: r#"
def Ex_Order : I32EnumAttr<"Order", "orders", [I32EnumAttrCase<"UpDown", 0, "up-down">]> {
  let cppNamespace = "::ex";
  let genSpecializedAttr = 0;
}
def Ex_OrderAttr : EnumAttr<Ex_Dialect, Ex_Order, "order"> {
  let summary = "An example";
  let description = "It shows something.";
  let assemblyFormat = "`<` $value `>`";
}
"#,
    good: r#"
def Ex_Order : I32Enum<"Order", "orders", [I32EnumCase<"UpDown", 0, "up-down">]> {
  let cppNamespace = "::ex";
}
def Ex_OrderAttr : EnumAttr<Ex_Dialect, Ex_Order, "order"> {
  let summary = "An example";
  let description = "It shows something.";
  let assemblyFormat = "`<` $value `>`";
}
"#,
    since: SINCE,
};

pub(super) static BITS: Rule = Rule {
    id: "COR009",
    name: "bit-enum-overlap",
    level: Level::Error,
    fix: Fixable::No,
    text: "A group of a bit enum has bits that no case of the enum is for, so that it cannot be printed as their union; or a case has \
           bits beyond the width of the enum.",
    advice: "list the cases of each bit of a group, and keep values within the width",
    bad: r#"
def Ex_Read : I32BitEnumAttrCaseBit<"Read", 0, "read">;
def Ex_Write : I32BitEnumAttrCaseBit<"Write", 1, "write">;
def Ex_Both : I32BitEnumAttrCaseGroup<"Both", [Ex_Read, Ex_Write], "both">;
def Ex_Access : I32BitEnumAttr<"Access", "accesses", [Ex_Read, Ex_Both]> {
  let cppNamespace = "::ex";
}
"#,
    good: r#"
def Ex_Read : I32BitEnumAttrCaseBit<"Read", 0, "read">;
def Ex_Write : I32BitEnumAttrCaseBit<"Write", 1, "write">;
def Ex_Both : I32BitEnumAttrCaseGroup<"Both", [Ex_Read, Ex_Write], "both">;
def Ex_Access : I32BitEnumAttr<"Access", "accesses", [Ex_Read, Ex_Write, Ex_Both]> {
  let cppNamespace = "::ex";
}
"#,
    since: SINCE,
};

pub(super) static PARAMETER: Rule = Rule {
    id: "COR010",
    name: "attr-as-parameter",
    level: Level::Error,
    fix: Fixable::Unsafe,
    text: "A constraint on attributes of operations is used as a parameter of a type or attribute. Its C++ type is taken, but its \
           predicate is not checked, so that each attribute of the C++ class is accepted.",
    advice: "name the C++ class of the attribute as the parameter, or a class of parameters",
    bad: r#"
class Ex_Typed<Attr attr> : Attr<attr.predicate, attr.summary> {
  string cppType = attr.storageType;
}
def Ex_WidthAttr : Ex_Typed<I32Attr>;
def Ex_IntType : Ex_Type<"Int", "int"> {
  let parameters = (ins Ex_WidthAttr:$width);
  let assemblyFormat = "`<` $width `>`";
}
"#,
    good: r#"
def Ex_IntType : Ex_Type<"Int", "int"> {
  let parameters = (ins "::mlir::IntegerAttr":$width);
  let assemblyFormat = "`<` $width `>`";
}
"#,
    since: SINCE,
};

pub(super) fn check(cx: &Cx<'_, '_>) {
    if cx.wants(&DEFAULT) {
        let mut known = KnownCases::default();
        cx.operations.iter().for_each(|it| defaults(cx, it, &mut known));
        cx.definitions.iter().for_each(|it| parameter_defaults(cx, it));
    }
    if cx.wants(&PARAMETER) {
        cx.definitions.iter().for_each(|it| parameters(cx, it));
    }
    for (info, subject) in &cx.enums {
        duplicates(cx, info, subject);
        keywords(cx, info, subject);
        bits(cx, info, subject);
    }
}

/// Returns why a text is not a value of a C++ type, if that can be decided.
fn fault(cpp_type: &str, value: &str) -> Option<String> {
    let value = value.trim();
    let bare = cpp_type.trim().trim_start_matches("::").trim_start_matches("std::");
    let width = match bare {
        "bool" => {
            let is_word =
                !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            let is_value = matches!(value, "true" | "false" | "0" | "1");
            // Another word may be a constant of C++.
            let is_number = value.bytes().next().is_some_and(|byte| byte.is_ascii_digit() || byte == b'"');
            let is_of_python = words::NO_TRUTH_VALUES.contains(&value);
            return (is_word && !is_value && is_number || is_of_python || value.starts_with('"'))
                .then(|| format!("{} is no truth value", quoted(value)));
        }
        "int8_t" => 8,
        "int16_t" => 16,
        "int32_t" | "int" => 32,
        "int64_t" => 64,
        "uint8_t" => 8,
        "uint16_t" => 16,
        "uint32_t" | "unsigned" => 32,
        "uint64_t" | "size_t" => 64,
        _ => return None,
    };
    if matches!(value, "true" | "false") {
        return None;
    }
    if value.starts_with('"') {
        return Some(format!("{} is no number", quoted(value)));
    }
    let (sign, digits) = value.strip_prefix('-').map_or((1, value), |digits| (-1, digits));
    let digits = digits.trim_end_matches(['u', 'U', 'l', 'L']);
    let magnitude = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => i128::from_str_radix(hex, 16).ok()?,
        None => digits.parse::<i128>().ok()?,
    };
    let number = sign * magnitude;
    // MLIR's own getters return unsigned numbers for bits that may be signed.
    let (least, most) = (-(1_i128 << (width - 1)), (1_i128 << width) - 1);
    (number < least || number > most).then(|| format!("{value} does not fit into {width} bits"))
}

/// Returns why a text is not a case of an enum, if it names the enum's class.
fn no_case(cases: &Cases<'_>, value: &str) -> Option<String> {
    let (class, case) = value.trim().rsplit_once("::")?;
    let class = class.rsplit("::").next()?;
    let is_word = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if class != cases.class_name || !is_word(case) || case.is_empty() {
        return None;
    }
    let is_case = cases.symbols.contains(case) || cases.has_none && case == "None";
    (!is_case).then(|| format!("the enum {} has no case '{case}'", cases.class_name))
}

/// The cases of an enum by their symbols.
struct Cases<'r> {
    class_name: &'r str,
    symbols: FxHashSet<&'r str>,
    /// True for a bit enum that has no case for zero: C++ adds one.
    has_none: bool,
}

impl<'r> Cases<'r> {
    fn new(rec: Rec<'r>) -> Self {
        let info = EnumInfo::lenient(rec);
        Cases {
            class_name: info.class_name,
            symbols: info.cases.iter().map(|case| case.symbol).collect(),
            has_none: info.bits.is_some() && info.zero_case().is_none(),
        }
    }
}

/// The enums already looked up; many attributes may share one.
type KnownCases<'r> = FxHashMap<RecordId, Cases<'r>>;

fn defaults<'r>(cx: &Cx<'_, 'r>, Op { op, subject, .. }: &Op<'r>, known: &mut KnownCases<'r>) {
    let mut of_enum = |rec: Option<Rec<'r>>, value: &str| {
        let rec = rec.filter(|_| value.contains("::"))?;
        no_case(known.entry(rec.id()).or_insert_with(|| Cases::new(rec)), value)
    };
    let report = |name: &str, reason: String, value: &str| {
        cx.draft(&DEFAULT, subject, format!("the default of '${name}' is no value of it: {reason}"))
            .part(&format!("${name}"))
            .at(cx.place_of_part(subject.rec, name))
            .witness(value)
            .add();
    };
    for named in op.natural_attributes() {
        let attribute = named.attribute;
        let Some(value) = attribute.default_value() else { continue };
        if let Some(reason) =
            of_enum(attribute.enum_info(), value).or_else(|| fault(attribute.return_type(), value))
        {
            report(named.name, reason, value);
        } else if attribute.const_builder_call().is_none() && !attribute.is_unit() {
            let reason =
                "the attribute has no 'constBuilderCall', so that the default is never built".to_owned();
            report(named.name, reason, value);
        }
    }
    for named in op.properties() {
        let Some(value) = named.property.default_value() else { continue };
        let reason = of_enum(named.property.constraint().enum_info(), value);
        if let Some(reason) = reason.or_else(|| fault(named.property.interface_type(), value)) {
            report(named.name, reason, value);
        }
    }
}

fn parameter_defaults(cx: &Cx<'_, '_>, Def { def, subject, .. }: &Def<'_>) {
    for parameter in def.parameters() {
        let Some(value) = parameter.default_value() else { continue };
        if let Some(reason) = fault(parameter.cpp_type(), value) {
            let name = parameter.name;
            cx.draft(&DEFAULT, subject, format!("the default of '${name}' is no value of it: {reason}"))
                .part(&format!("${name}"))
                .at(cx.place_of_part(subject.rec, name))
                .witness(value)
                .add();
        }
    }
}

/// The number of earlier cases with the same symbol, keyword or value that a case is compared with.
const MOST_ALIKE: usize = 8;
/// The number of pairs that are reported for one enum.
const MOST_PAIRS: usize = 1_000;

fn duplicates(cx: &Cx<'_, '_>, info: &EnumInfo<'_>, subject: &Subject<'_>) {
    if !cx.wants(&DUPLICATE_CASE) {
        return;
    }
    let mut pairs = 0;
    // The earlier cases by symbol, keyword and value.
    let mut symbols = FxHashMap::<&str, Vec<usize>>::default();
    let mut keywords = FxHashMap::<&str, Vec<usize>>::default();
    let mut values = FxHashMap::<i64, Vec<usize>>::default();
    for (index, case) in info.cases.iter().enumerate() {
        if !cx.goes_on() {
            return;
        }
        let mut alike: Vec<usize> = Vec::new();
        let lists = [
            Some(symbols.entry(case.symbol).or_default()),
            Some(keywords.entry(case.spelling).or_default()),
            (case.value >= 0).then(|| values.entry(case.value).or_default()),
        ];
        for list in lists.into_iter().flatten() {
            alike.extend_from_slice(list);
            if list.len() < MOST_ALIKE {
                list.push(index);
            }
        }
        alike.sort_unstable();
        alike.dedup();
        for before in alike.into_iter().map(|index| &info.cases[index]) {
            if pairs == MOST_PAIRS {
                return;
            }
            let same = [
                ("symbol", before.symbol == case.symbol, case.symbol.to_owned()),
                ("keyword", before.spelling == case.spelling, case.spelling.to_owned()),
                // A group of one case is another name for it.
                (
                    "value",
                    before.value == case.value
                        && case.value >= 0
                        && (before.kind == CaseKind::Group) == (case.kind == CaseKind::Group),
                    case.value.to_string(),
                ),
            ];
            let Some((what, _, value)) = same.into_iter().find(|(_, is_same, _)| *is_same) else { continue };
            pairs += 1;
            let message = format!("the cases '{}' and '{}' have one {what}", before.symbol, case.symbol);
            cx.draft(&DUPLICATE_CASE, subject, message)
                .part(case.symbol)
                .at(cx.place_of(case.record).or_else(|| cx.place_of(subject.rec)))
                .related("the other one", cx.place_of(before.record))
                .witness(value)
                .add();
        }
    }
}

fn keywords(cx: &Cx<'_, '_>, info: &EnumInfo<'_>, subject: &Subject<'_>) {
    if !cx.wants(&UNPARSABLE_KEYWORD) {
        return;
    }
    // Elsewhere the keyword is in quotes, or only C++ writes it.
    let is_bare =
        info.is_attribute() && cx.known.bare_enums.contains(info.qualified_name.trim_start_matches("::"));
    let separator = info.bits.as_ref().map(|bits| bits.separator.trim()).filter(|it| !it.is_empty());
    for case in &info.cases {
        let reason = if separator.is_some_and(|separator| case.spelling.contains(separator)) {
            "has the separator of the enum in it"
        } else if is_bare && !case.is_keyword() {
            "is no identifier, and is printed without quotes"
        } else {
            continue;
        };
        cx.draft(&UNPARSABLE_KEYWORD, subject, format!("the keyword {} {reason}", quoted(case.spelling)))
            .part(case.symbol)
            .at(cx.place_of(case.record).or_else(|| cx.place_of(subject.rec)))
            .witness(case.spelling)
            .add();
    }
}

fn bits(cx: &Cx<'_, '_>, info: &EnumInfo<'_>, subject: &Subject<'_>) {
    if !cx.wants(&BITS) || info.bits.is_none() {
        return;
    }
    let single = info.cases.iter().filter(|case| case.value.count_ones() == 1);
    let declared = single.fold(0_u64, |bits, case| bits | case.value as u64);
    let width = match info.underlying_type.trim().trim_start_matches("::") {
        "uint8_t" | "int8_t" => 8,
        "uint16_t" | "int16_t" => 16,
        "uint32_t" | "int32_t" => 32,
        _ => 64,
    };
    for case in &info.cases {
        let value = case.value as u64;
        let missing = value & !declared;
        let reason = if width < 64 && value >> width != 0 {
            format!("'{}' has bits beyond the {width} of the enum", case.symbol)
        } else if case.kind == CaseKind::Group && missing != 0 {
            format!("the group '{}' has bits that are no case of the enum", case.symbol)
        } else {
            continue;
        };
        cx.draft(&BITS, subject, reason)
            .part(case.symbol)
            .at(cx.place_of(case.record).or_else(|| cx.place_of(subject.rec)))
            .witness(if missing == 0 { format!("{value:#x}") } else { format!("{missing:#x}") })
            .add();
    }
}

/// Returns true if a condition says no more of a value than that it has a C++ class.
fn is_class_check(condition: &str, cpp_type: &str) -> bool {
    let last = |name: &str| name.trim().rsplit("::").next().unwrap_or_default().to_owned();
    let bare: String = condition.chars().filter(|c| !c.is_whitespace()).collect();
    let is_single =
        !bare.contains("&&") && !bare.contains("||") && !bare.contains('!') && !bare.contains('?');
    let class =
        bare.split_once("isa<").and_then(|(_, rest)| rest.split_once('>')).map(|(class, _)| last(class));
    bare == "true" || bare == "(true)" || is_single && class == Some(last(cpp_type))
}

fn parameters(cx: &Cx<'_, '_>, Def { def, subject, .. }: &Def<'_>) {
    // The author checks the parameters.
    if def.has_verifier() {
        return;
    }
    let says_more = |parameter: &&odsmith_ods::Parameter<'_>| {
        let condition = parameter.constraint().map(|it| it.condition()).unwrap_or_default();
        !is_class_check(&condition, parameter.cpp_type())
    };
    let constraints = def.parameters().iter().filter(|parameter| parameter.is_attribute_constraint());
    for parameter in constraints.filter(says_more) {
        let name = parameter.name;
        let rec = parameter.rec();
        let kind = rec.map(|rec| rec.name().to_owned()).unwrap_or_default();
        let shown = rec.filter(|rec| !rec.is_anonymous()).map_or("a constraint", |rec| rec.name());
        // A constraint has no C++ type of a parameter; its values are stored as a class.
        let stored = rec.map_or("", |rec| Attribute::new(rec).storage_type());
        let cpp_type = if parameter.cpp_type().is_empty() { stored } else { parameter.cpp_type() };
        let message = format!("'${name}' is a constraint on attributes of operations");
        cx.draft(&PARAMETER, subject, message)
            .part(&format!("${name}"))
            .at(cx.place_of_part(subject.rec, name))
            .witness(format!("{shown}, of the C++ type {cpp_type}"))
            .fix("name its C++ type", parameter_edit(cx, subject, name, &kind, cpp_type))
            .add();
    }
}

fn parameter_edit(
    cx: &Cx<'_, '_>,
    subject: &Subject<'_>,
    name: &str,
    kind: &str,
    cpp_type: &str,
) -> Vec<Edit> {
    let edit = cx.statement(subject.rec).and_then(|(outline, statement)| {
        let value = outline.value(statement, "parameters")?;
        let text = format!("{kind}:${name}");
        let at = value.start + outline.slice(value.clone()).find(&text)?;
        Some(edit_of(outline, (at, at + kind.len()), format!("\"{cpp_type}\"")))
    });
    edit.into_iter().collect()
}
