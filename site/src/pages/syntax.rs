//! Syntax: the grammar, diagram and example of a declarative format, and the generic form, which every operation has.

use std::borrow::Cow;

use odsmith_engine::ods::{
    AttrOrTypeDef, Operation,
    format::{DefFormat, OpFormat, VariableKind},
};

use crate::{
    links::stem,
    skeleton::{Skeleton, Synthesiser},
    syntax as tree,
    text::dedent,
    view::{Diagram, Part, Parts, Syntax, Token},
};

/// The limit for the length of a constraint's summary in a signature.
const MOST_WORDS: usize = 24;

fn plain(role: &'static str, text: impl Into<Cow<'static, str>>) -> Token {
    Token { role, text: text.into(), href: None }
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

/// The operands, attributes and results on one line.
pub(super) fn signature(name: &str, parts: &[Parts]) -> Vec<Token> {
    let mut out = vec![plain("name", name.to_owned())];
    let group = |id: &str, open: &'static str, close: &'static str, out: &mut Vec<Token>| {
        let rows = rows(parts, id);
        let Some(role) = parts.iter().find(|group| group.id == id).map(|group| group.role) else { return };
        out.push(plain("plain", open));
        for (index, part) in rows.iter().enumerate() {
            if index > 0 {
                out.push(plain("plain", ", "));
            }
            let mark = match part.quantifiers.first().copied() {
                Some("variadic" | "variadic of variadic") => "…",
                Some("optional" | "flag") => "?",
                _ if part.default.is_some() => "?",
                _ => "",
            };
            let href = Some(format!("#{}", part.id));
            out.push(Token { role, text: format!("{}{mark}", part.name).into(), href });
            if let Some(constraint) =
                part.constraint_name.as_ref().filter(|_| matches!(id, "operands" | "results"))
            {
                out.push(plain("plain", ": "));
                let role = if constraint.href.is_some() { "link" } else { "type" };
                // A short summary is shown; the name of the constraint is in the table.
                let words = part.constraint.as_str();
                let is_short = !words.is_empty() && words.len() <= MOST_WORDS && !words.contains(['`', '*']);
                let text = if is_short { words.to_owned() } else { constraint.text.clone() };
                out.push(Token { role, text: text.into(), href: constraint.href.clone() });
            }
        }
        out.push(plain("plain", close));
    };
    if parts.iter().any(|group| group.id == "operands") {
        group("operands", "(", ")", &mut out);
    } else {
        out.push(plain("plain", "()"));
    }
    group("attributes", " {", "}", &mut out);
    group("properties", " <", ">", &mut out);
    group("regions", " (region ", ")", &mut out);
    group("successors", " [", "]", &mut out);
    group("results", " → ", "", &mut out);
    out.shrink_to_fit();
    out
}
