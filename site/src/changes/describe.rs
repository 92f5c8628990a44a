//! The description of a model's definition as rows, so that two versions can be compared side by side.
//!
//! ```text
//! Operand    lhs    integer        integer or index     ← another text
//! Trait      Pure   yes            –                    ← only on one side
//! ```

use std::collections::{BTreeMap, BTreeSet};

use odsmith_engine::{
    interchange::{
        Definition, Document,
        defs::{AttrOrType, Enum, Interface, Pass, PassOption},
        op::{Builder, Effect, Kind, Operation, Part, PartKind},
    },
    review::diff::symbols::Symbol,
};

use crate::{
    text::{qualify, unqualified},
    view::Difference,
};

/// The subjects of rows, in the order of pages.
const ASPECTS: &[&str] = &[
    "Name",
    "Summary",
    "Description",
    "Syntax",
    "Operand",
    "Attribute",
    "Property",
    "Derived attribute",
    "Result",
    "Region",
    "Successor",
    "Parameter",
    "Case",
    "Method",
    "Option",
    "Statistic",
    ORDER,
    "Result types",
    "Effect",
    "Trait",
    "Interface",
    "Base",
    "Loads",
    "Builder",
    "Hook",
    "C++ class",
    "C++ namespace",
    "C++ base class",
    "Constructor",
    "Storage",
];

/// The subject of rows that compare the order of names.
const ORDER: &str = "Order";

/// A statement about a part of a definition.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    aspect: &'static str,
    name: String,
    text: String,
    /// A text that is compared as well, and shown if the main texts are equal.
    exact: String,
    is_code: bool,
}

/// The text of a row whose name alone says everything.
const YES: &str = "yes";

impl Row {
    fn new(aspect: &'static str, name: &str, text: impl Into<String>) -> Row {
        Row { aspect, name: name.to_owned(), text: text.into(), ..Row::default() }
    }

    fn code(aspect: &'static str, name: &str, text: impl Into<String>) -> Row {
        Row { is_code: true, ..Row::new(aspect, name, text) }
    }

    /// The row as an entry of a removed definition's facts, if it is a part such as an operand.
    pub(super) fn listed(self) -> Option<(&'static str, String)> {
        let shown =
            ["Operand", "Attribute", "Property", "Result", "Region", "Successor", "Parameter", "Case"];
        let is_shown = shown.contains(&self.aspect) && !self.name.is_empty();
        is_shown.then(|| (self.aspect, format!("{}: {}", self.name, self.text)))
    }
}

/// The rows that differ, in the order of pages.
pub(super) fn differences(old: &[Row], new: &[Row]) -> Vec<Difference> {
    let index = |rows: &'_ [Row]| -> BTreeMap<(usize, String), usize> {
        let mut map = BTreeMap::new();
        for (at, row) in rows.iter().enumerate() {
            map.entry((rank(row.aspect), row.name.clone())).or_insert(at);
        }
        map
    };
    let (before, after) = (index(old), index(new));
    let mut found: Vec<(usize, usize, Difference)> = Vec::new();
    let mut gone: Vec<&Row> = Vec::new();
    for (key, &at) in &before {
        match after.get(key) {
            None if old[at].aspect == ORDER => {}
            None => gone.push(&old[at]),
            Some(&to) => {
                found.extend(changed(&old[at], &new[to]).map(|it| (key.0, to, it)));
            }
        }
    }
    for (key, &at) in &after {
        let row = &new[at];
        if before.contains_key(key) || row.aspect == ORDER {
            continue;
        }
        // A part that differs only by its name was renamed.
        let same = gone.iter().position(|it| {
            it.aspect == row.aspect && it.text == row.text && it.exact == row.exact && it.text != YES
        });
        let difference = match same.map(|at| gone.remove(at)) {
            Some(old) => Difference {
                aspect: row.aspect,
                name: row.name.clone(),
                old: Some(format!("called {}", old.name)),
                new: Some(format!("called {}", row.name)),
                ..Difference::default()
            },
            None => difference(row, None, Some(&row.text)),
        };
        found.push((key.0, at, difference));
    }
    let end = new.len();
    found.extend(gone.into_iter().map(|row| (rank(row.aspect), end, difference(row, Some(&row.text), None))));
    found.sort_by_key(|(rank, at, _)| (*rank, *at));
    found.into_iter().map(|(_, _, difference)| difference).collect()
}

fn rank(aspect: &str) -> usize {
    ASPECTS.iter().position(|known| *known == aspect).unwrap_or(ASPECTS.len())
}

fn difference(row: &Row, old: Option<&str>, new: Option<&str>) -> Difference {
    let text = |side: Option<&str>| side.filter(|text| !text.is_empty()).map(str::to_owned);
    Difference {
        aspect: row.aspect,
        name: row.name.clone(),
        old: text(old),
        new: text(new),
        is_code: row.is_code,
        note: None,
    }
}

fn changed(old: &Row, new: &Row) -> Option<Difference> {
    if new.aspect == ORDER && old.exact != new.exact {
        return None;
    }
    if old.text != new.text {
        return Some(difference(new, Some(&old.text), Some(&new.text)));
    }
    if old.exact == new.exact {
        return None;
    }
    if new.aspect == "Description" {
        let note = Some(match (old.exact.is_empty(), new.exact.is_empty()) {
            (true, _) => "It has a description now.",
            (_, true) => "It has no description any more.",
            _ => "The description was reworded.",
        });
        return Some(Difference { note, ..difference(new, None, None) });
    }
    let (before, after) = differing_parts(&old.exact, &new.exact);
    Some(Difference { is_code: true, ..difference(new, Some(&before), Some(&after)) })
}

/// The differing parts of two long texts, with some context.
fn differing_parts(old: &str, new: &str) -> (String, String) {
    const AROUND: usize = 24;
    const MOST: usize = 240;
    let plain = |text: &str| text.replace("::mlir::", "").replace("::llvm::", "").replace("mlir::", "");
    let (old, new) = (plain(old), plain(new));
    let (old, new): (Vec<char>, Vec<char>) = (old.chars().collect(), new.chars().collect());
    let most = old.len().min(new.len());
    let start = (0..most).take_while(|&at| old[at] == new[at]).count();
    let end = (0..most - start).take_while(|&at| old[old.len() - 1 - at] == new[new.len() - 1 - at]).count();
    let (start, end) = (start.saturating_sub(AROUND), end.saturating_sub(AROUND));
    let part = |text: &[char]| {
        let own = &text[start..text.len() - end];
        let cut = &own[..own.len().min(MOST)];
        let before = if start > 0 { "…" } else { "" };
        let after = if end > 0 || cut.len() < own.len() { "…" } else { "" };
        format!("{before}{}{after}", cut.iter().collect::<String>())
    };
    (part(&old), part(&new))
}

/// The name as readers know it.
pub(super) fn name(symbol: Symbol<'_>) -> String {
    let own = |it: &AttrOrType, sigil: char| match &it.mnemonic {
        Some(mnemonic) if it.dialect.is_empty() => format!("{sigil}{mnemonic}"),
        Some(mnemonic) => format!("{sigil}{}.{mnemonic}", it.dialect),
        None => it.cpp_class.clone(),
    };
    match symbol {
        Symbol::Dialect(it) => it.name.clone(),
        Symbol::Operation(it) => it.name.clone(),
        Symbol::Type(it) => own(it, '!'),
        Symbol::Attribute(it) => own(it, '#'),
        Symbol::Enum(it) => it.cpp_class.clone(),
        Symbol::Interface(it) => it.cpp_class.clone(),
        Symbol::Pass(it) => it.argument.clone(),
    }
}

/// The kind of the symbol's page.
pub(super) fn kind(symbol: Symbol<'_>) -> &'static str {
    match symbol {
        Symbol::Dialect(_) => "dialect",
        Symbol::Operation(_) => "op",
        Symbol::Type(_) => "type",
        Symbol::Attribute(_) => "attr",
        Symbol::Enum(_) => "enum",
        Symbol::Interface(_) => "interface",
        Symbol::Pass(_) => "pass",
    }
}

pub(super) fn definition(symbol: Symbol<'_>) -> &Definition {
    match symbol {
        Symbol::Dialect(it) => &it.definition,
        Symbol::Operation(it) => &it.definition,
        Symbol::Type(it) | Symbol::Attribute(it) => &it.definition,
        Symbol::Enum(it) => &it.definition,
        Symbol::Interface(it) => &it.definition,
        Symbol::Pass(it) => &it.definition,
    }
}

/// The dialect, if the symbol names one, and the C++ namespace.
pub(super) fn dialect_and_namespace(symbol: Symbol<'_>) -> (String, String) {
    let plain = |text: &str| text.trim_start_matches("::").to_owned();
    match symbol {
        Symbol::Dialect(it) => (it.name.clone(), plain(&it.cpp_namespace)),
        Symbol::Operation(it) => (it.dialect.clone(), plain(&it.cpp_namespace)),
        Symbol::Type(it) | Symbol::Attribute(it) => (it.dialect.clone(), plain(&it.cpp_namespace)),
        Symbol::Enum(it) => (String::new(), plain(&it.cpp_namespace)),
        Symbol::Interface(it) => (String::new(), plain(&it.cpp_namespace)),
        Symbol::Pass(_) => (String::new(), String::new()),
    }
}

pub(super) fn summary(symbol: Symbol<'_>) -> &str {
    match symbol {
        Symbol::Dialect(it) => &it.summary,
        Symbol::Operation(it) => &it.summary,
        Symbol::Type(it) | Symbol::Attribute(it) => &it.summary,
        Symbol::Enum(it) => &it.summary,
        Symbol::Interface(_) => "",
        Symbol::Pass(it) => &it.summary,
    }
}

/// The author's text.
pub(super) fn text(symbol: Symbol<'_>) -> &str {
    match symbol {
        Symbol::Dialect(it) => &it.description,
        Symbol::Operation(it) => &it.description,
        Symbol::Type(it) | Symbol::Attribute(it) => &it.description,
        Symbol::Enum(_) => "",
        Symbol::Interface(it) => &it.description,
        Symbol::Pass(it) => &it.description,
    }
}

/// The C++ class with its namespace.
pub(super) fn class(symbol: Symbol<'_>) -> String {
    match symbol {
        Symbol::Dialect(it) => qualify(&it.cpp_namespace, &it.cpp_class),
        Symbol::Operation(it) => qualify(&it.cpp_namespace, &it.cpp_class),
        Symbol::Type(it) | Symbol::Attribute(it) => qualify(&it.cpp_namespace, &it.cpp_class),
        Symbol::Enum(it) => qualify(&it.cpp_namespace, &it.cpp_class),
        Symbol::Interface(it) => qualify(&it.cpp_namespace, &it.cpp_class),
        Symbol::Pass(it) => it.definition.record.clone().unwrap_or_default(),
    }
}

/// The declarative assembly format.
pub(super) fn format(symbol: Symbol<'_>) -> Option<String> {
    match symbol {
        Symbol::Operation(it) => it.assembly_format.as_deref().map(one_line),
        Symbol::Type(it) | Symbol::Attribute(it) => it.assembly_format.as_deref().map(one_line),
        Symbol::Dialect(_) | Symbol::Enum(_) | Symbol::Interface(_) | Symbol::Pass(_) => None,
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// All rows of a definition.
pub(super) fn rows(symbol: Symbol<'_>, document: &Document) -> Vec<Row> {
    let mut rows = vec![Row::code("Name", "", name(symbol))];
    let said = one_line(summary(symbol));
    // The summary that ODS generates for an enum only lists its cases.
    if !matches!(symbol, Symbol::Enum(_)) {
        rows.push(Row::new("Summary", "", said));
    }
    let mut class = |class: String| rows.push(Row::code("C++ class", "", class));
    match symbol {
        Symbol::Interface(_) | Symbol::Enum(_) | Symbol::Dialect(_) => {}
        _ => class(self::class(symbol)),
    }
    match symbol {
        Symbol::Dialect(it) => dialect(it, &mut rows),
        Symbol::Operation(it) => operation(it, document, &mut rows),
        Symbol::Type(it) | Symbol::Attribute(it) => attr_or_type(it, document, &mut rows),
        Symbol::Enum(it) => enumeration(it, &mut rows),
        Symbol::Interface(it) => interface(it, &mut rows),
        Symbol::Pass(it) => pass(it, &mut rows),
    }
    rows
}

fn description(text: &str) -> Row {
    Row { exact: one_line(text), ..Row::new("Description", "", "") }
}

fn dialect(it: &odsmith_engine::interchange::defs::Dialect, rows: &mut Vec<Row>) {
    rows.push(description(&it.description));
    rows.push(Row::code("C++ namespace", "", it.cpp_namespace.trim_start_matches("::")));
    rows.extend(it.dependent_dialects.iter().map(|name| Row::new("Loads", unqualified(name), YES)));
    rows.extend(it.hooks.iter().map(|name| Row::new("Hook", name, YES)));
    let attributes = it.discardable_attributes.iter();
    rows.extend(attributes.map(|it| Row::code("Attribute", &it.name, it.cpp_type.clone())));
}

fn operation(op: &Operation, document: &Document, rows: &mut Vec<Row>) {
    rows.push(description(&op.description));
    rows.push(syntax(op.assembly_format.as_deref(), op.has_custom_assembly_format));
    let lists = [&op.arguments, &op.derived_attributes, &op.results, &op.regions, &op.successors];
    for list in lists {
        let mut counts = BTreeMap::new();
        for part in list {
            let number = counts.entry(aspect(part.kind)).or_insert(0usize);
            let name = if part.name.is_empty() { format!("#{number}") } else { part.name.clone() };
            *number += 1;
            rows.push(self::part(part, &name, document));
            let effects = effects(&part.effects);
            if !effects.is_empty() {
                rows.push(Row::new("Effect", &name, effects));
            }
        }
        for (aspect, _) in counts.iter().filter(|(_, count)| **count > 1) {
            let names = list.iter().filter(|part| self::aspect(part.kind) == *aspect);
            let names: Vec<&str> = names.map(|part| part.name.as_str()).collect();
            let plural = format!("{}s", aspect.to_lowercase());
            rows.push(order(&plural, &names));
        }
    }
    let is_inferred = if op.infers_result_types { "inferred" } else { "given" };
    rows.push(Row::new("Result types", "", is_inferred));
    traits(&op.traits, document, rows);
    builders(&op.builders, rows);
    rows.extend(op.hooks.iter().map(|name| Row::new("Hook", name, YES)));
}

/// A row for the order of names; it is compared only if the set of names is the same.
fn order(what: &str, names: &[&str]) -> Row {
    let sorted: BTreeSet<&str> = names.iter().copied().collect();
    let exact = sorted.into_iter().collect::<Vec<_>>().join(", ");
    Row { exact, ..Row::new(ORDER, what, names.join(", ")) }
}

fn syntax(format: Option<&str>, is_by_hand: bool) -> Row {
    match format {
        Some(text) => Row::code("Syntax", "", one_line(text)),
        None if is_by_hand => Row::new("Syntax", "", "written in C++"),
        None => Row::new("Syntax", "", "the generic form alone"),
    }
}

fn aspect(kind: PartKind) -> &'static str {
    match kind {
        PartKind::Operand => "Operand",
        PartKind::Attribute => "Attribute",
        PartKind::DerivedAttribute => "Derived attribute",
        PartKind::Property => "Property",
        PartKind::Result => "Result",
        PartKind::Region => "Region",
        PartKind::Successor => "Successor",
    }
}

fn part(part: &Part, name: &str, document: &Document) -> Row {
    let mut row = Row::new(aspect(part.kind), name, "");
    let Some(constraint) = document.constraints.get(part.constraint) else { return row };
    row.text = match (constraint.summary.trim(), &constraint.definition.record) {
        ("", Some(record)) => record.clone(),
        ("", None) => String::from("anything"),
        (summary, _) => one_line(summary),
    };
    if part.is_variadic {
        row.text.push_str(", any number");
    }
    let attribute = constraint.attribute.as_ref();
    let default = attribute.and_then(|it| it.default_value.as_deref());
    let default = default.or_else(|| constraint.property.as_ref()?.default_value.as_deref());
    if attribute.is_some_and(|it| it.is_optional) {
        row.text.push_str(", optional");
    }
    if let Some(default) = default.filter(|text| !text.is_empty()) {
        row.text.push_str(", default ");
        row.text.push_str(&one_line(default));
    }
    row.exact = one_line(&constraint.condition);
    row
}

fn effects(effects: &[Effect]) -> String {
    let words = effects.iter().map(|it| {
        let effect = unqualified(&it.effect).to_lowercase();
        match unqualified(&it.resource) {
            "DefaultResource" | "" => effect,
            resource => format!("{effect} of {resource}"),
        }
    });
    let words: BTreeSet<String> = words.collect();
    words.into_iter().collect::<Vec<_>>().join(", ")
}

fn traits(indexes: &[usize], document: &Document, rows: &mut Vec<Row>) {
    for it in indexes.iter().filter_map(|&index| document.traits.get(index)) {
        let aspect = if it.kind == Kind::Interface { "Interface" } else { "Trait" };
        rows.push(Row::new(aspect, &it.name, YES));
        let effects = effects(&it.effects);
        if !effects.is_empty() {
            rows.push(Row::new("Effect", "", effects));
        }
    }
}

fn builders(builders: &[Builder], rows: &mut Vec<Row>) {
    for builder in builders {
        let parameters = builder.parameters.iter().map(|it| match &it.name {
            Some(name) => format!("{} {name}", it.cpp_type),
            None => it.cpp_type.clone(),
        });
        let signature = format!("({})", parameters.collect::<Vec<_>>().join(", "));
        rows.push(Row::new(
            "Builder",
            &signature,
            if builder.deprecated.is_some() { "deprecated" } else { YES },
        ));
    }
}

fn attr_or_type(def: &AttrOrType, document: &Document, rows: &mut Vec<Row>) {
    rows.push(description(&def.description));
    rows.push(syntax(def.assembly_format.as_deref(), def.has_custom_assembly_format));
    for it in &def.parameters {
        let mut text = it.cpp_type.clone();
        if let Some(default) = &it.default_value {
            text.push_str(", default ");
            text.push_str(&one_line(default));
        }
        rows.push(Row::code("Parameter", &it.name, text));
    }
    let names: Vec<&str> = def.parameters.iter().map(|it| it.name.as_str()).collect();
    rows.push(order("parameters", &names));
    traits(&def.traits, document, rows);
    builders(&def.builders, rows);
    let shown = |hook: &&String| hook.starts_with("genVerify");
    rows.extend(def.hooks.iter().filter(shown).map(|name| Row::new("Hook", name, YES)));
}

fn enumeration(it: &Enum, rows: &mut Vec<Row>) {
    for case in &it.cases {
        let value = if case.value < 0 { String::new() } else { format!(" = {}", case.value) };
        rows.push(Row::code("Case", &case.symbol, format!("{}{value}", case.spelling)));
    }
    rows.push(Row::code("C++ class", "", qualify(&it.cpp_namespace, &it.cpp_class)));
    let width = it.attribute.as_ref().map(|it| format!("integer attribute of {} bits", it.bitwidth));
    rows.push(Row::new("Storage", "", width.unwrap_or_default()));
    if let Some(bits) = &it.bits {
        rows.push(Row::code("Storage", "separator", bits.separator.clone()));
    }
}

fn interface(it: &Interface, rows: &mut Vec<Row>) {
    rows.push(description(&it.description));
    for method in &it.methods {
        let parameters = method.parameters.iter().map(|it| it.cpp_type.as_str());
        let name = format!("{}({})", method.name, parameters.collect::<Vec<_>>().join(", "));
        let mut text = method.return_type.clone();
        if method.is_static {
            text.push_str(", static");
        }
        if method.default_body.is_some() {
            text.push_str(", has a default");
        }
        rows.push(Row {
            exact: method.default_body.clone().unwrap_or_default(),
            ..Row::code("Method", &name, text)
        });
    }
    rows.extend(it.bases.iter().map(|name| Row::new("Base", unqualified(name), YES)));
}

fn pass(it: &Pass, rows: &mut Vec<Row>) {
    rows.push(description(&it.description));
    let option = |it: &PassOption| {
        let list = if it.is_list { "list of " } else { "" };
        let default = it.default_value.as_deref().filter(|text| !text.is_empty());
        let default = default.map(|text| format!(", default {text}")).unwrap_or_default();
        Row::code("Option", &it.argument, format!("{list}{}{default}", it.cpp_type))
    };
    rows.extend(it.options.iter().map(option));
    rows.extend(it.statistics.iter().map(|it| Row::new("Statistic", &it.name, YES)));
    rows.extend(it.dependent_dialects.iter().map(|name| Row::new("Loads", unqualified(name), YES)));
    rows.push(Row::code("C++ base class", "", it.base_class.clone()));
    rows.push(Row::code("Constructor", "", it.constructor.clone().unwrap_or_default()));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(old: &[Row], new: &[Row]) -> Vec<String> {
        let side = |it: &Option<String>| it.clone().unwrap_or_else(|| "–".to_owned());
        let all = differences(old, new).into_iter();
        all.map(|it| match it.note {
            Some(note) => note.to_owned(),
            None => format!("{} {}: {} | {}", it.aspect, it.name, side(&it.old), side(&it.new)),
        })
        .collect()
    }

    #[test]
    fn what_differs_is_laid_side_by_side() {
        let old = [
            Row::new("Operand", "a", "integer"),
            Row::new("Trait", "Pure", YES),
            description("x"),
            Row { exact: "p($_self)".to_owned(), ..Row::new("Result", "r", "float") },
        ];
        let new = [
            description("y"),
            Row::new("Operand", "a", "index"),
            Row::new("Operand", "b", "float"),
            Row { exact: "q($_self)".to_owned(), ..Row::new("Result", "r", "float") },
        ];
        let wanted = [
            "The description was reworded.",
            "Operand a: integer | index",
            "Operand b: – | float",
            "Result r: p($_self) | q($_self)",
            "Trait Pure: yes | –",
        ];
        assert_eq!(shown(&old, &new), wanted);
        assert!(shown(&old, &old).is_empty());
    }

    #[test]
    fn long_conditions_are_shown_where_they_differ() {
        let both =
            |middle: &str| format!("{}isA($_self) {middle}|| isB($_self){}", "x".repeat(99), "y".repeat(99));
        let (old, new) = differing_parts(&both(""), &both("|| ::mlir::isC($_self) "));
        assert!(new.contains("isA($_self) || isC($_self) ||") && new.len() < 120, "{new}");
        assert!(old.starts_with('…') && old.ends_with('…') && old.len() < 90, "{old}");
    }

    #[test]
    fn another_name_is_one_difference_and_another_order_too() {
        let old = [Row::new("Operand", "a", "integer"), order("operands", &["a", "b"])];
        let new = [Row::new("Operand", "c", "integer"), order("operands", &["b", "a"])];
        let wanted = ["Operand c: called a | called c", "Order operands: a, b | b, a"];
        assert_eq!(shown(&old, &new), wanted);
    }
}
