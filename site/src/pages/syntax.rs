//! Syntax: the grammar, diagram and example of a declarative format, and the generic form, which every operation has.

use std::borrow::Cow;

use odsmith_engine::{
    ir::syntax::{Level, Table},
    ods::{
        AttrOrTypeDef, Operation,
        format::{DefFormat, OpFormat, VariableKind},
    },
};

use super::coverage::is_fence;
use crate::{
    links::stem,
    skeleton::{Skeleton, Synthesiser},
    syntax as tree,
    text::dedent,
    view::{ByHand, Diagram, Part, Parts, Syntax, Token, TypeVariable},
};

fn plain(role: &'static str, text: impl Into<Cow<'static, str>>) -> Token {
    Token { role, text: text.into(), href: None, record: None }
}

/// The parts of one kind.
fn rows<'a>(parts: &'a [Parts], id: &str) -> &'a [Part] {
    parts.iter().find(|group| group.id == id).map(|group| group.rows.as_slice()).unwrap_or_default()
}

fn is_many(part: &Part) -> bool {
    part.quantifiers.iter().any(|word| word.starts_with("variadic"))
}

/// Writes `%r = "d.op"(%a)[^bb] <{attr}> ({…}) : (type(a)) -> type(r)`.
pub(super) fn generic(name: &str, parts: &[Parts]) -> String {
    let value = |part: &Part| {
        let name = part.name.trim_start_matches('#');
        if is_many(part) { format!("%{name}...") } else { format!("%{name}") }
    };
    let ty = |part: &Part| format!("type({})", part.name.trim_start_matches('#'));
    let join = |items: Vec<String>| items.join(", ");
    let results = rows(parts, "results");
    let operands = rows(parts, "operands");
    let mut text = String::new();
    if !results.is_empty() {
        text += &format!("{} = ", join(results.iter().map(value).collect()));
    }
    text += &format!("\"{name}\"({})", join(operands.iter().map(value).collect()));
    let successors = rows(parts, "successors");
    if !successors.is_empty() {
        text += &format!("[{}]", join(successors.iter().map(|part| format!("^{}", part.name)).collect()));
    }
    let is_given = |part: &&Part| part.is_named;
    let inherent: Vec<String> = rows(parts, "attributes")
        .iter()
        .chain(rows(parts, "properties"))
        .filter(is_given)
        .map(|part| format!("{} = …", part.name))
        .collect();
    if !inherent.is_empty() {
        text += &format!(" <{{{}}}>", join(inherent));
    }
    let regions = rows(parts, "regions");
    if !regions.is_empty() {
        let body = |part: &Part| {
            let name = if part.is_named { format!("/*{}*/ ", part.name) } else { String::new() };
            format!("{{ {name}… }}")
        };
        text += &format!(" ({})", join(regions.iter().map(body).collect()));
    }
    let outs: Vec<String> = results.iter().map(ty).collect();
    let outs =
        if outs.len() == 1 && !is_many(&results[0]) { join(outs) } else { format!("({})", join(outs)) };
    text += &format!(" : ({}) -> {outs}", join(operands.iter().map(ty).collect()));
    text
}

/// The syntax of an operation; `href` is its page.
pub(super) fn operation(
    synthesiser: &Synthesiser,
    op: &Operation<'_>,
    name: &str,
    href: &str,
    parts: &[Parts],
) -> Syntax {
    let text = op.assembly_format().filter(|text| !text.trim().is_empty());
    let is_custom = text.is_none() && op.has_custom_assembly_format();
    let mut syntax = Syntax {
        origin: if text.is_some() {
            "declarative"
        } else if is_custom {
            "custom"
        } else {
            "generic"
        },
        is_custom,
        format: text.map(dedent),
        generic: Some(generic(name, parts)),
        ..Syntax::default()
    };
    // A format with an error, or of an operation with an error, is shown as it was written.
    syntax.tokens = as_written(name, text);
    if !op.is_sound() {
        return syntax;
    }
    let format = text.and_then(|text| OpFormat::new(op, text).ok());
    if let Some(format) = &format {
        let anchors = |kind: VariableKind, index: usize| {
            let group = match kind {
                VariableKind::Operand => "operands",
                VariableKind::Attribute => "attributes",
                VariableKind::Property => "properties",
                VariableKind::Region => "regions",
                VariableKind::Result => "results",
                VariableKind::Successor => "successors",
                VariableKind::Parameter => return None,
            };
            Some(format!("#{}", rows(parts, group).get(index)?.id))
        };
        draw(tree::operation(op, &format.elements, &anchors), name, href, &mut syntax);
    }
    syntax.skeleton = synthesiser.skeleton(op, format.as_ref()).map(|skeleton| {
        // The page does not show the parts, which take much memory.
        Skeleton { parts: Default::default(), ..skeleton }
    });
    syntax
}

/// The syntax of an operation that C++ code parses: the grammar in its description, or else that by which IR is read.
pub(super) fn by_hand(table: &Table, op: &Operation<'_>, name: &str) -> Option<ByHand> {
    let is_declared = op.assembly_format().is_some_and(|text| !text.trim().is_empty());
    if is_declared || !op.has_custom_assembly_format() {
        return None;
    }
    if let Some(text) = grammar(op.description()) {
        return Some(ByHand { text, is_described: true });
    }
    // An entry that only finds the end of an operation has no syntax to show.
    let entry = table.find(name, op.rec().records().rules()).filter(|entry| entry.level > Level::Extent)?;
    Some(ByHand { text: format!("{name} {}", without_kinds(&entry.text)), is_described: false })
}

/// The first block of code with a rule of a grammar: `operation ::= "scf.for" …`.
fn grammar(description: &str) -> Option<String> {
    let lines: Vec<&str> = description.lines().collect();
    let blocks = lines.split(|line| is_fence(line)).skip(1).step_by(2);
    let found = blocks.map(|block| block.join("\n")).find(|block| block.contains("::="));
    found.map(|block| dedent(&block))
}

/// Writes `$body:region` as `$body`.
fn without_kinds(syntax: &str) -> String {
    let mut out = String::with_capacity(syntax.len());
    for (number, piece) in syntax.split('$').enumerate() {
        if number == 0 {
            out.push_str(piece);
            continue;
        }
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        let (name, rest) = piece.split_at(piece.find(|c| !is_word(c)).unwrap_or(piece.len()));
        let kind = rest.strip_prefix(':').filter(|kind| kind.starts_with(is_word));
        let rest = kind.map_or(rest, |kind| kind.trim_start_matches(is_word));
        out.push('$');
        out.push_str(name);
        out.push_str(rest);
    }
    out
}

/// The syntax of a type or attribute with a declarative format.
pub(super) fn attr_or_type(def: &AttrOrTypeDef<'_>, name: &str, href: &str, parameters: &[Part]) -> Syntax {
    let text = def.assembly_format().filter(|text| !text.trim().is_empty());
    let is_bare = text.is_none() && !def.has_custom_assembly_format() && parameters.is_empty();
    let origin = if text.is_some() || is_bare { "declarative" } else { "custom" };
    let mut syntax =
        Syntax { origin, is_custom: origin == "custom", format: text.map(dedent), ..Syntax::default() };
    syntax.tokens = as_written(name, text);
    if !def.is_sound() {
        return syntax;
    }
    let elements = match text {
        Some(text) => DefFormat::new(def, text).map(|format| format.elements).ok(),
        None => is_bare.then(Vec::new),
    };
    if let Some(elements) = elements {
        let anchors = |_: VariableKind, index: usize| Some(format!("#{}", parameters.get(index)?.id));
        draw(tree::attr_or_type(def, name, &elements, &anchors), name, href, &mut syntax);
    }
    syntax
}

fn as_written(name: &str, format: Option<&str>) -> Vec<Token> {
    format.map_or_else(Vec::new, |text| {
        vec![plain("name", name.to_owned()), plain("plain", format!(" {}", dedent(text)))]
    })
}

/// Sets the grammar and the diagram.
fn draw(node: tree::Node, name: &str, href: &str, syntax: &mut Syntax) {
    syntax.tokens = tree::tokens(&node);
    syntax.tokens.shrink_to_fit();
    let stem = stem(href);
    let file = format!("{}.svg", stem.rsplit('/').next().unwrap_or(stem));
    syntax.diagram = Some(Diagram { node, name: name.to_owned(), file });
}

/// The letters for constraints, in their order.
const LETTERS: &[&str] = &["T", "U", "V", "W", "X", "Y", "Z", "S", "R", "Q", "P"];
/// The limit for the words of a constraint beside one operand.
const MOST_WORDS: usize = 40;
/// The limit for the words of a constraint that is repeated beside several operands.
const MOST_REPEATED: usize = 12;
/// The limit for attributes that are named in a signature.
const MOST_ATTRIBUTES: usize = 5;
/// The length of a signature from which on each kind of part has a line.
const LEAST_OF_LINES: usize = 88;

/// The letters for constraints of operands and results that are long, or that are repeated and not short.
fn variables(parts: &[Parts]) -> Vec<TypeVariable> {
    let values: Vec<&Part> = ["operands", "results"].iter().flat_map(|id| rows(parts, id)).collect();
    let is_same = |a: &Part, b: &Part| {
        let name = |part: &Part| part.constraint_name.as_ref().map(|name| name.text.clone());
        a.words() == b.words() && name(a) == name(b)
    };
    let mut variables: Vec<(&Part, TypeVariable)> = Vec::new();
    for part in &values {
        let count = values.iter().filter(|other| is_same(part, other)).count();
        let most = if count > 1 { MOST_REPEATED } else { MOST_WORDS };
        // The name of a type in the IR is known to readers.
        let is_type = part.constraint_name.as_ref().is_some_and(|name| name.text.starts_with('!'));
        let is_short = is_type || shown(part).chars().count() <= most;
        if is_short || variables.len() == LETTERS.len() || variables.iter().any(|(of, _)| is_same(of, part)) {
            continue;
        }
        let variable = TypeVariable {
            letter: LETTERS[variables.len()].to_owned(),
            words: part.constraint.clone(),
            name: part.constraint_name.clone(),
            record: part.record.clone(),
        };
        variables.push((part, variable));
    }
    variables.into_iter().map(|(_, variable)| variable).collect()
}

/// The words for the constraint of an operand or result: the name of a type in the IR, or else those for readers.
fn shown(part: &Part) -> &str {
    match &part.constraint_name {
        Some(name) if name.text.starts_with('!') => &name.text,
        _ => part.words(),
    }
}

/// The operands, attributes and results on one line, or on a line for each kind if that is long; and the letters in it
/// for constraints.
pub(super) fn signature(name: &str, parts: &[Parts]) -> (Vec<Token>, Vec<TypeVariable>) {
    let variables = variables(parts);
    let mut groups: Vec<Vec<Token>> = Vec::new();
    let of = |id: &str, open: &'static str, close: &'static str| -> Vec<Token> {
        let Some(role) = parts.iter().find(|group| group.id == id).map(|group| group.role) else {
            return Vec::new();
        };
        let rows = rows(parts, id);
        let mut out = vec![plain("plain", open)];
        if matches!(id, "attributes" | "properties") && rows.len() > MOST_ATTRIBUTES {
            let optional = rows.iter().filter(|part| is_optional(part)).count();
            let required = rows.len() - optional;
            let words = match (required, optional) {
                (0, optional) => format!("{optional} optional {id}"),
                (required, 0) => format!("{required} {id}"),
                (required, optional) => format!("{required} required, {optional} optional {id}"),
            };
            out.push(Token { role, text: words.into(), href: Some(format!("#{id}")), record: None });
            out.push(plain("plain", close));
            return out;
        }
        for (index, part) in rows.iter().enumerate() {
            if index > 0 {
                out.push(plain("plain", ", "));
            }
            let mark = match part.quantifiers.first().copied() {
                Some("variadic" | "variadic of variadic") => "…",
                _ if is_optional(part) => "?",
                _ => "",
            };
            let href = Some(format!("#{}", part.id));
            out.push(Token { role, text: format!("{}{mark}", part.name).into(), href, record: None });
            if matches!(id, "operands" | "results") {
                out.push(plain("plain", ": "));
                out.push(of_constraint(part, &variables));
            }
        }
        out.push(plain("plain", close));
        out
    };
    groups.push(vec![plain("name", name.to_owned())]);
    let operands = of("operands", "(", ")");
    if let Some(first) = groups.first_mut() {
        first.extend(if operands.is_empty() { vec![plain("plain", "()")] } else { operands });
    }
    for (id, open, close) in [
        ("attributes", "{", "}"),
        ("properties", "<", ">"),
        ("regions", "(region ", ")"),
        ("successors", "[", "]"),
        ("results", "→ ", ""),
    ] {
        groups.extend(Some(of(id, open, close)).filter(|group| !group.is_empty()));
    }
    let length: usize = groups.iter().flatten().map(|token| token.text.chars().count() + 1).sum();
    let between = if length > LEAST_OF_LINES { "\n  " } else { " " };
    let mut out = Vec::with_capacity(groups.iter().map(|group| group.len() + 1).sum());
    for (index, group) in groups.into_iter().enumerate() {
        if index > 0 {
            out.push(plain("plain", between));
        }
        out.extend(group);
    }
    out.shrink_to_fit();
    (out, variables)
}

/// Tests if a part may be left out.
fn is_optional(part: &Part) -> bool {
    part.default.is_some() || matches!(part.quantifiers.first(), Some(&("optional" | "flag")))
}

/// The constraint of an operand or result in a signature: its letter, or words that link to its page.
fn of_constraint(part: &Part, variables: &[TypeVariable]) -> Token {
    let name = part.constraint_name.as_ref().map(|name| &name.text);
    let variable = variables.iter().position(|variable| {
        variable.words == part.constraint && variable.name.as_ref().map(|name| &name.text) == name
    });
    if let Some(index) = variable {
        let letter = variables[index].letter.clone();
        let href = Some(format!("#{VARIABLE}{letter}"));
        return Token { role: "var", text: letter.into(), href, record: None };
    }
    let text = shown(part).to_owned();
    let record = part.record.clone().or_else(|| name.cloned()).filter(|record| *record != text);
    let href = part.constraint_name.as_ref().and_then(|name| name.href.clone());
    let role = if href.is_some() { "link" } else { "type" };
    Token { role, text: text.into(), href, record: record.map(String::into_boxed_str) }
}

/// The prefix of the fragment of a letter.
const VARIABLE: &str = "type-";
