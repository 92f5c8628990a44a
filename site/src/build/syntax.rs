//! How things are written: the pieces of a declarative format, and the generic form that is always there.

use crate::{
    text::dedent,
    view::{Parts, Syntax, Token},
};

/// The pieces of a declarative assembly format; `parts` tells what a `$name` is.
pub(super) fn format(text: &str, parts: &[Parts], out: &mut Vec<Token>) {
    let text = dedent(text);
    let mut rest = text.trim();
    while let Some(first) = rest.chars().next() {
        let (token, len) = match first {
            '`' => {
                let Some(len) = rest[1..].find('`').map(|end| end + 2) else { break };
                let literal = &rest[1..len - 1];
                // Blank literals only steer the printer's spacing.
                let is_spacing = literal.trim().is_empty() || literal == "\\n";
                (if is_spacing { None } else { Some(plain("literal", literal)) }, len)
            }
            '$' => {
                let len = rest[1..]
                    .find(|c: char| !c.is_alphanumeric() && c != '_')
                    .map_or(rest.len(), |at| at + 1);
                (Some(variable(&rest[..len], parts)), len)
            }
            c if c.is_alphabetic() => {
                let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
                let len = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                (Some(plain("directive", &rest[..len])), len)
            }
            c if c.is_whitespace() => {
                let len = rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len());
                (Some(plain("plain", &rest[..len])), len)
            }
            c => (Some(plain("plain", &rest[..c.len_utf8()])), c.len_utf8()),
        };
        out.extend(token);
        rest = &rest[len..];
    }
}

fn plain(role: &'static str, text: &str) -> Token {
    Token { role, text: text.to_owned(), href: None }
}

fn variable(text: &str, parts: &[Parts]) -> Token {
    let mut all = parts.iter().flat_map(|group| group.rows.iter().map(move |row| (group.role, row)));
    match all.find(|(_, row)| row.name == text[1..]) {
        Some((role, row)) => Token { role, text: text.to_owned(), href: Some(format!("#{}", row.id)) },
        None => plain("plain", text),
    }
}

/// The rows of one kind.
fn rows<'a>(parts: &'a [Parts], id: &str) -> &'a [crate::view::Part] {
    parts.iter().find(|group| group.id == id).map(|group| group.rows.as_slice()).unwrap_or_default()
}

fn is_many(part: &crate::view::Part) -> bool {
    part.quantifiers.iter().any(|word| word.starts_with("variadic"))
}

/// `%r = "d.op"(%a)[^bb] <{attr}> ({…}) : (type(a)) -> type(r)`.
pub(super) fn generic(name: &str, parts: &[Parts]) -> String {
    let value = |part: &crate::view::Part| {
        let name = part.name.trim_start_matches('#');
        if is_many(part) { format!("%{name}...") } else { format!("%{name}") }
    };
    let ty = |part: &crate::view::Part| format!("type({})", part.name.trim_start_matches('#'));
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
    let is_given = |part: &&crate::view::Part| part.is_named;
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
        let body = |part: &crate::view::Part| {
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

/// The syntax of an operation.
pub(super) fn operation(name: &str, format_text: Option<&str>, is_custom: bool, parts: &[Parts]) -> Syntax {
    let mut tokens = Vec::new();
    let origin = match format_text {
        Some(text) => {
            tokens.push(plain("name", name));
            tokens.push(plain("plain", " "));
            format(text, parts, &mut tokens);
            "declarative"
        }
        None if is_custom => "custom",
        None => "generic",
    };
    Syntax { origin, is_custom: origin == "custom", tokens, generic: Some(generic(name, parts)) }
}

/// What goes in and comes out, on one line.
pub(super) fn signature(name: &str, parts: &[Parts]) -> Vec<Token> {
    let mut out = vec![plain("name", name)];
    let group = |id: &str, open: &str, close: &str, out: &mut Vec<Token>| {
        let rows = rows(parts, id);
        let Some(role) = parts.iter().find(|group| group.id == id).map(|group| group.role) else { return };
        out.push(plain("plain", open));
        for (index, part) in rows.iter().enumerate() {
            if index > 0 {
                out.push(plain("plain", ", "));
            }
            let mark = match part.quantifiers.first().map(String::as_str) {
                Some("variadic" | "variadic of variadic") => "…",
                Some("optional" | "flag") => "?",
                _ if part.default.is_some() => "?",
                _ => "",
            };
            let href = Some(format!("#{}", part.id));
            out.push(Token { role, text: format!("{}{mark}", part.name), href });
            if let Some(constraint) =
                part.constraint_name.as_ref().filter(|_| matches!(id, "operands" | "results"))
            {
                out.push(plain("plain", ": "));
                let role = if constraint.href.is_some() { "link" } else { "type" };
                out.push(Token { role, text: constraint.text.clone(), href: constraint.href.clone() });
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
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_falls_into_its_pieces() {
        let mut tokens = Vec::new();
        format("$a `,` ($b^ `x`)? attr-dict `` `:` type($a)", &[], &mut tokens);
        let text: String = tokens.iter().map(|token| token.text.as_str()).collect();
        assert_eq!(text, "$a , ($b^ x)? attr-dict  : type($a)");
        assert_eq!(tokens[2].role, "literal");
        assert_eq!(tokens.iter().filter(|token| token.role == "directive").count(), 2);
    }

    #[test]
    fn an_open_literal_ends_the_text() {
        let mut tokens = Vec::new();
        format("$a `x", &[], &mut tokens);
        assert_eq!(tokens.len(), 2);
    }
}
