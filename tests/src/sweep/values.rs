//! The values of a field, by its type.

use odsmith_engine::record::Rec;

/// The unset value.
pub(super) const UNSET: &str = "?";

/// Texts: empty, blank, with placeholders, of several lines, invalid as names, escaped in C++, and similar to the
/// syntax around them.
const TEXTS: &[&str] = &[
    UNSET,
    "\"\"",
    "\" \"",
    "\"$_self and $x\"",
    "\"two\\nlines\"",
    "[{\n    first\n      second\n  }]",
    "\"class\"",
    "\"::One::two_3\"",
    "\":a:::b\"",
    "\"4-q.r\"",
    "\"say \\\"hi\\\" \\\\ to\"",
    "\"\\n\"",
    "\"  a\\tb \\n\"",
    "\"%s {0} {{1}} @x $cppClass\"",
    "\"// a, b;\"",
    "[{\n\n  # first\n\n\tsecond  \n\n  }]",
];

const BITS: &[&str] = &[UNSET, "0", "1"];
const INTS: &[&str] = &[UNSET, "0", "1", "2", "-1", "4294967296"];
const DAGS: &[&str] = &[UNSET, "(ins)", "(outs)", "(region)", "(swept)", "(ins 1)", "(ins \"int\")"];
const LISTS_OF_TEXTS: &[&str] = &[UNSET, "[]", "[?]", "[\"\"]", "[\"a b\", \"::c::D\", \"two\\nlines\"]"];

/// The values for a field of a record, as text.
pub(super) fn of(record: Rec<'_>, field: &str) -> Vec<String> {
    let Some(declared) = record.field(field) else { return Vec::new() };
    let class = record.class_of(declared.ty());
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
    match &*record.type_name(declared.ty()) {
        "string" => words(TEXTS),
        "bit" => words(BITS),
        "int" => words(INTS),
        "dag" => words(DAGS),
        "list<string>" => words(LISTS_OF_TEXTS),
        list if list.starts_with("list<") => words(&[UNSET, "[]", "[?]"]),
        bits if bits.starts_with("bits<") => words(&[UNSET, "0"]),
        _ => {
            // The first and the last definition of the class, in case the library has any.
            let of_class = class.into_iter().flat_map(|class| record.records().derived(class.name()));
            let mut names: Vec<&str> = of_class.filter(|def| !def.is_anonymous()).map(Rec::name).collect();
            names.dedup();
            // The evaluator refuses a record that contains itself.
            names.retain(|name| *name != record.name());
            let ends = [names.first(), names.last()].into_iter().flatten().map(|&name| name.to_owned());
            std::iter::once(UNSET.to_owned()).chain(ends).collect()
        }
    }
}

/// The values of the record's other text fields, for a text field: some names must not be repeated.
pub(super) fn of_others(record: Rec<'_>, field: &str, all: &[&str]) -> Vec<String> {
    let is_text = |field: &str| {
        record.field(field).is_some_and(|declared| &*record.type_name(declared.ty()) == "string")
    };
    if !is_text(field) {
        return Vec::new();
    }
    let others = all.iter().filter(|other| **other != field && is_text(other));
    let mut texts: Vec<&str> = others.filter_map(|other| record.get(other)?.as_str()).collect();
    texts.retain(|text| !text.is_empty() && !text.contains(['"', '\\', '\n']));
    texts.sort_unstable();
    texts.dedup();
    texts.into_iter().map(|text| format!("\"{text}\"")).collect()
}
