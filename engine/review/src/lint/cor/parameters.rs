//! Parameters of attributes and types whose printed text is not read back (COR023–COR025).
//!
//! ```text
//! `<` ($p^)? `>`     #ex.box<>        the parser of `$p` runs before anything asks whether it is there
//! $list `,` $n       1, 2, 3          the list takes the 3 as well
//! "std::string":$s   #ex.name<a b>    printed without quotes, parsed with them
//! ```

use odsmith_ods::{
    Parameter,
    format::{Element, OptionalGroup, VariableKind},
};

use super::format::EMPTY_LIST;
use crate::lint::{
    cx::{Cx, Def},
    rule::{Fixable, Level, Rule, SINCE},
    words::quoted,
};

pub(super) static OPTIONAL_FIRST: Rule = Rule {
    id: "COR023",
    name: "optional-parameter-first",
    level: Level::Error,
    fix: Fixable::No,
    text: "An optional group, or `params`, begins with a parameter that may be missing. The generated parser reads the parameter before \
           it asks whether it is there, and only `std::optional` or a parameter with its own `parser` can be read from nothing. The \
           text without the parameter is printed and refused.",
    advice: "begin the group with a keyword or punctuation, put a parameter of `params` last, or use a `std::optional` parameter that nothing \
             of its kind follows",
    bad: r#"
def Ex_LinkAttr : Ex_Attr<"Link", "link"> {
  let parameters = (ins OptionalParameter<"::mlir::FlatSymbolRefAttr">:$target);
  let assemblyFormat = "`<` ($target^)? `>`";
}
"#,
    good: r#"
def Ex_LinkAttr : Ex_Attr<"Link", "link"> {
  let parameters = (ins OptionalParameter<"::mlir::FlatSymbolRefAttr">:$target);
  let assemblyFormat = "`<` (`to` $target^)? `>`";
}
def Ex_SizeAttr : Ex_Attr<"Size", "size"> {
  let parameters = (ins OptionalParameter<"std::optional<int64_t>">:$bytes);
  let assemblyFormat = "`<` ($bytes^)? `>`";
}
"#,
    since: SINCE,
};

pub(super) static LIST_BEFORE_COMMA: Rule = Rule {
    id: "COR024",
    name: "list-parameter-before-comma",
    level: Level::Error,
    fix: Fixable::No,
    text: "A list parameter is printed without brackets, and a comma follows it. The parser takes what comes after the comma for the \
           next element of the list.",
    advice: "put the list last, or write brackets around it in the format",
    bad: r#"
def Ex_TileAttr : Ex_Attr<"Tile", "tile"> {
  let parameters = (ins ArrayRefParameter<"int64_t">:$sizes, "int64_t":$level);
  let assemblyFormat = "`<` params `>`";
}
"#,
    good: r#"
def Ex_TileAttr : Ex_Attr<"Tile", "tile"> {
  let parameters = (ins ArrayRefParameter<"int64_t">:$sizes, "int64_t":$level);
  let assemblyFormat = "`<` `[` $sizes `]` `,` $level `>`";
}
"#,
    since: SINCE,
};

pub(super) static NOT_READ_BACK: Rule = Rule {
    id: "COR025",
    name: "parameter-not-read-back",
    level: Level::Error,
    fix: Fixable::No,
    text: "The C++ type of a parameter is printed otherwise than it is parsed: `std::string` is printed without the quotes that its \
           parser wants, and 8-bit integers are printed as characters and parsed as numbers.",
    advice: "use `StringRefParameter` for text and a wider integer for numbers, or give the parameter its own `printer`",
    bad: r#"
def Ex_NameAttr : Ex_Attr<"Name", "name"> {
  let parameters = (ins "std::string":$text);
  let assemblyFormat = "`<` $text `>`";
}
"#,
    good: r#"
def Ex_NameAttr : Ex_Attr<"Name", "name"> {
  let parameters = (ins StringRefParameter<>:$text);
  let assemblyFormat = "`<` $text `>`";
}
"#,
    since: SINCE,
};

pub(super) fn check(cx: &Cx<'_, '_>) {
    for it in &cx.definitions {
        let Some(format) = &it.format else { continue };
        if cx.wants(&OPTIONAL_FIRST) {
            optional_first(cx, it, &format.elements);
        }
        if cx.wants(&LIST_BEFORE_COMMA) {
            lists(cx, it, &format.elements, false);
        }
        if cx.wants(&NOT_READ_BACK) {
            not_read_back(cx, it, &format.elements);
        }
        if cx.wants(&EMPTY_LIST) {
            empty_lists(cx, it, &format.elements, None);
        }
    }
}

/// Returns the name of an attribute or type in assembly: `#ex.link`.
fn shown_name(Def { def, subject, .. }: &Def<'_>) -> String {
    let name = def.mnemonic().unwrap_or(def.cpp_class_name());
    format!("{}{}.{name}", def.kind().mark(), subject.dialect)
}

fn is_parsed(element: &&Element<'_>) -> bool {
    !matches!(element, Element::Whitespace(_))
}

/// Returns the parameter of a variable.
fn parameter<'r>(it: &Def<'r>, element: &Element<'_>) -> Option<Parameter<'r>> {
    let variable = element.variable().filter(|it| it.kind == VariableKind::Parameter)?;
    it.def.parameters().get(variable.index).copied()
}

/// Returns a C++ type without blanks and leading `::`.
fn bare(ty: &str) -> String {
    ty.split_whitespace().collect::<Vec<_>>().join(" ").trim_start_matches("::").to_owned()
}

/// Returns the type inside `std::optional`.
fn optional_type(cpp_type: &str) -> Option<String> {
    let prefixes = ["std::optional<", "optional<", "llvm::Optional<", "Optional<"];
    prefixes.iter().find_map(|prefix| Some(bare(cpp_type.strip_prefix(prefix)?.strip_suffix('>')?)))
}

/// Returns true if the texts of two C++ types begin alike: both are numbers, or they are one type.
fn begin_alike(one: &str, other: &str) -> bool {
    let is_number = |ty: &str| {
        let ty = ty.strip_prefix("std::").unwrap_or(ty);
        matches!(ty, "int" | "unsigned" | "unsigned int" | "long" | "short" | "size_t")
            || ty.strip_prefix('u').unwrap_or(ty).strip_prefix("int").is_some_and(|rest| rest.ends_with("_t"))
    };
    one == other || is_number(one) && is_number(other)
}

/// Reports a group that begins with an optional parameter whose parser takes the parameter after the group for it.
fn takes_next(cx: &Cx<'_, '_>, it: &Def<'_>, group: &OptionalGroup<'_>, after: &[Element<'_>]) {
    let first = group.then.iter().find(is_parsed).and_then(|first| parameter(it, first));
    let Some(first) = first.filter(|first| first.is_optional() && first.assembly().0.is_none()) else {
        return;
    };
    let next = after.iter().find(is_parsed).and_then(|next| parameter(it, next));
    let (Some(inner), Some(next)) = (optional_type(&bare(first.cpp_type())), next) else { return };
    // A group that ends with the parameter is one value, and the next one another.
    if next.assembly().0.is_some() || !begin_alike(&inner, &bare(next.cpp_type())) {
        return;
    }
    let (text, other) = (format!("${}", first.name), format!("${}", next.name));
    let message = format!("the group that '{text}' begins takes '{other}' for it when '{text}' is left out");
    cx.draft(&OPTIONAL_FIRST, &it.subject, message)
        .part(&text)
        .at(cx.place_in_field(it.subject.rec, "assemblyFormat", &text))
        .witness(format!("{} without '{text}': its parser takes the text of '{other}'", shown_name(it)))
        .add();
}

fn optional_first(cx: &Cx<'_, '_>, it: &Def<'_>, elements: &[Element<'_>]) {
    for (index, element) in elements.iter().enumerate() {
        let (what, first) = match element {
            Element::Optional(group) => {
                takes_next(cx, it, group, &elements[index + 1..]);
                optional_first(cx, it, &group.then);
                optional_first(cx, it, &group.otherwise);
                ("group", group.then.iter().find(is_parsed).and_then(|first| parameter(it, first)))
            }
            Element::Params => ("list", it.def.parameters().iter().find(|it| !it.is_self_type()).copied()),
            _ => continue,
        };
        let Some(parameter) = first else { continue };
        let cpp_type = bare(parameter.cpp_type());
        let may_read_nothing = parameter.assembly().0.is_some() || optional_type(&cpp_type).is_some();
        if !parameter.is_optional() || may_read_nothing {
            continue;
        }
        let text = format!("${}", parameter.name);
        let message = format!("the {what} that '{text}' begins is refused when '{text}' is left out");
        let witness = format!(
            "{} without '{text}': the parser of {} refuses what follows",
            shown_name(it),
            quoted(&cpp_type)
        );
        cx.draft(&OPTIONAL_FIRST, &it.subject, message)
            .part(&text)
            .at(cx.place_in_field(it.subject.rec, "assemblyFormat", &text))
            .witness(witness)
            .add();
    }
}

/// Returns true if a sequence can begin with a comma when it is parsed; `after` is the answer for what follows it.
fn begins_with_comma(elements: &[Element<'_>], after: bool) -> bool {
    for element in elements.iter().filter(is_parsed) {
        match element {
            Element::Literal(text) => return *text == ",",
            Element::Optional(group) => {
                if begins_with_comma(&group.then, false)
                    || !group.otherwise.is_empty() && begins_with_comma(&group.otherwise, false)
                {
                    return true;
                }
                // A group with an else-branch is never skipped.
                if !group.otherwise.is_empty() {
                    return false;
                }
            }
            _ => return false,
        }
    }
    after
}

/// Reports lists that a comma follows. `after` is true if a comma can follow the elements.
fn lists(cx: &Cx<'_, '_>, it: &Def<'_>, elements: &[Element<'_>], after: bool) {
    let report = |parameter: Parameter<'_>, how: &str| {
        let text = format!("${}", parameter.name);
        let message = format!("a comma follows the list '{text}', which takes what comes after it{how}");
        cx.draft(&LIST_BEFORE_COMMA, &it.subject, message)
            .part(&text)
            .at(cx.place_in_field(it.subject.rec, "assemblyFormat", &text))
            .witness(format!("{} with two elements in '{text}'", shown_name(it)))
            .add();
    };
    let listed = || it.def.parameters().iter().copied().filter(|it| !it.is_self_type());
    for (index, element) in elements.iter().enumerate() {
        let follows = || begins_with_comma(&elements[index + 1..], after);
        match element {
            Element::Variable(_) => {
                if let Some(parameter) = parameter(it, element).filter(|it| it.is_bare_list() && follows()) {
                    report(parameter, "");
                }
            }
            Element::Optional(group) => {
                lists(cx, it, &group.then, follows());
                lists(cx, it, &group.otherwise, follows());
            }
            Element::Params => {
                let all: Vec<Parameter<'_>> = listed().collect();
                for (at, parameter) in all.iter().enumerate().filter(|(_, it)| it.is_bare_list()) {
                    if at + 1 < all.len() || follows() {
                        report(*parameter, "");
                    }
                }
            }
            Element::Struct(entries) => {
                let all: Vec<Option<Parameter<'_>>> = match &entries[..] {
                    [Element::Params] => listed().map(Some).collect(),
                    entries => entries.iter().map(|entry| parameter(it, entry)).collect(),
                };
                let is_list = |it: &Parameter<'_>| it.is_bare_list();
                for (at, entry) in all.iter().enumerate() {
                    let is_last = at + 1 == all.len();
                    // Since release 23 such lists have brackets, except the last one.
                    let is_open = is_last || !it.def.brackets_lists();
                    if let Some(parameter) = entry.filter(is_list)
                        && is_open
                        && (!is_last || follows())
                    {
                        report(parameter, " for its next element");
                    }
                }
            }
            _ => {}
        }
    }
}

/// Reports lists that are written even if they are empty: their parser wants at least one element. `anchor` is the parameter
/// that decides about the group around the elements.
fn empty_lists(cx: &Cx<'_, '_>, it: &Def<'_>, elements: &[Element<'_>], anchor: Option<&str>) {
    let report = |parameter: Parameter<'_>| {
        if !parameter.is_bare_list() || anchor == Some(parameter.name) {
            return;
        }
        let text = format!("${}", parameter.name);
        let message = format!("the parser refuses the text of an empty list: {text} may be empty");
        cx.draft(&EMPTY_LIST, &it.subject, message)
            .part(&text)
            .at(cx.place_in_field(it.subject.rec, "assemblyFormat", &text))
            .witness(format!("{} with nothing in '{text}'", shown_name(it)))
            .add();
    };
    for element in elements {
        match element {
            Element::Variable(_) => parameter(it, element).into_iter().for_each(report),
            Element::Optional(group) => {
                let own = group.anchor().and_then(Element::variable).map(|it| it.name);
                empty_lists(cx, it, &group.then, own.or(anchor));
                empty_lists(cx, it, &group.otherwise, own.or(anchor));
            }
            // Since release 23 an optional list is left out of `params` and `struct`.
            Element::Params | Element::Struct(_) => {
                let entries = std::slice::from_ref(element);
                each_written(it, entries, &mut |parameter| {
                    if !parameter.is_optional() {
                        report(parameter);
                    }
                });
            }
            _ => {}
        }
    }
}

/// The C++ types whose text is another than the one that is parsed, and the text of an example.
const UNREADABLE: &[(&str, &str)] = &[
    ("std::string", "`a b` is printed without quotes, and text in quotes is parsed"),
    ("string", "`a b` is printed without quotes, and text in quotes is parsed"),
    ("int8_t", "65 is printed as `A`, and a number is parsed"),
    ("uint8_t", "65 is printed as `A`, and a number is parsed"),
    ("std::int8_t", "65 is printed as `A`, and a number is parsed"),
    ("std::uint8_t", "65 is printed as `A`, and a number is parsed"),
    ("char", "65 is printed as `A`, and a number is parsed"),
    ("signed char", "65 is printed as `A`, and a number is parsed"),
    ("unsigned char", "65 is printed as `A`, and a number is parsed"),
];

/// Returns the type of a list's elements, or the type itself.
fn element_type(cpp_type: &str) -> String {
    let ty = bare(cpp_type);
    let of_list = [
        "llvm::ArrayRef<",
        "ArrayRef<",
        "mlir::ArrayRef<",
        "llvm::SmallVector<",
        "SmallVector<",
        "std::vector<",
    ];
    let inner = of_list.iter().find_map(|prefix| ty.strip_prefix(prefix)?.strip_suffix('>'));
    inner.map_or(ty.clone(), bare)
}

/// Calls a function with each parameter that is written as its own text.
fn each_written<'r>(it: &Def<'r>, elements: &[Element<'_>], report: &mut impl FnMut(Parameter<'r>)) {
    for element in elements {
        match element {
            Element::Variable(_) => parameter(it, element).into_iter().for_each(&mut *report),
            Element::Params => {
                it.def.parameters().iter().filter(|it| !it.is_self_type()).copied().for_each(&mut *report);
            }
            Element::Struct(entries) => each_written(it, entries, report),
            Element::Optional(group) => {
                each_written(it, &group.then, report);
                each_written(it, &group.otherwise, report);
            }
            _ => {}
        }
    }
}

fn not_read_back(cx: &Cx<'_, '_>, it: &Def<'_>, elements: &[Element<'_>]) {
    each_written(it, elements, &mut |parameter| {
        if parameter.assembly() != (None, None) {
            return;
        }
        let ty = element_type(parameter.cpp_type());
        let Some((_, reason)) = UNREADABLE.iter().find(|(unreadable, _)| *unreadable == ty) else { return };
        let text = format!("${}", parameter.name);
        let message = format!("the text of '{text}' is not read back: {reason}");
        cx.draft(&NOT_READ_BACK, &it.subject, message)
            .part(&text)
            .at(cx.place_of_part(it.subject.rec, parameter.name))
            .witness(format!("{} with a '{text}' of {}", shown_name(it), quoted(parameter.cpp_type())))
            .add();
    });
}
