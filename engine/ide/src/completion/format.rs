//! Completion in assembly formats: directives, parts that are not printed yet, and types that cannot be inferred.

use odsmith_engine::{
    ods::{AttrOrTypeDef, Operation, PartKind, attr_or_type_def::DefKind, format::OpFormat},
    outline::lexical::is_word_byte,
    record::Rec,
};

use super::{Item, ItemKind, List};
use crate::{
    analysis::Analysis,
    context::{Context, Shape},
    hover,
    literal::Literal,
    operators::DIRECTIVES,
};

/// Completes a word in an assembly format.
pub(super) fn complete(
    analysis: &Analysis,
    context: &Context<'_>,
    inside: usize,
    shape: &Shape<'_>,
    list: &mut List,
) {
    let Some(rec) = shape.record.or(shape.classes.first().copied()) else { return };
    let literal = Literal::of(&context.document.text, &context.document.tokens[inside..=inside]);
    let Some(at) = literal.offset(context.word.start) else { return };
    let before = literal.text.get(..at).unwrap_or(&literal.text);
    // Text between two backquotes is a literal.
    if before.matches('`').count() % 2 == 1 {
        return;
    }
    let after = literal.offset(context.offset).and_then(|at| literal.text.get(at..)).unwrap_or_default();
    let seen = FormatParts::of(before, after);
    if analysis.check().is_err() {
        return;
    }
    match Operation::lenient(rec).filter(|_| shape.is_a("Op")) {
        Some(op) => of_operation(&op, &seen, list),
        None => of_def(rec, &seen, list),
    }
}

/// The parts of a format that it mentions already.
struct FormatParts {
    /// Variables that are printed.
    printed: Vec<String>,
    /// Variables whose type is printed.
    typed: Vec<String>,
    /// Words outside of literals.
    words: Vec<String>,
    /// The innermost directive around the cursor.
    directive: Option<String>,
}

impl FormatParts {
    fn of(before: &str, after: &str) -> Self {
        let mut seen =
            FormatParts { printed: Vec::new(), typed: Vec::new(), words: Vec::new(), directive: None };
        let mut open: Vec<String> = Vec::new();
        seen.read(before, &mut open);
        seen.directive = open.last().filter(|word| !word.is_empty()).cloned();
        seen.read(after, &mut open);
        seen
    }

    fn read(&mut self, text: &str, open: &mut Vec<String>) {
        let bytes = text.as_bytes();
        let mut at = 0;
        let mut last = String::new();
        while let Some(&byte) = bytes.get(at) {
            let is_part = |byte: &u8| is_word_byte(*byte) || *byte == b'-';
            match byte {
                b'`' => {
                    at += bytes[at + 1..]
                        .iter()
                        .position(|byte| *byte == b'`')
                        .map_or(bytes.len(), |end| end + 1)
                }
                b'$' => {
                    let length = bytes[at + 1..].iter().take_while(|byte| is_word_byte(**byte)).count();
                    let name = text[at + 1..at + 1 + length].to_owned();
                    let is_typed =
                        open.iter().any(|word| matches!(word.as_str(), "type" | "functional-type"));
                    if is_typed {
                        self.typed.push(name)
                    } else {
                        self.printed.push(name)
                    }
                    at += length;
                }
                b'(' => open.push(std::mem::take(&mut last)),
                b')' => {
                    open.pop();
                }
                b'<' | b'>' | b' ' | b'\n' | b'\t' | b',' => {}
                _ if is_part(&byte) => {
                    let length = bytes[at..].iter().take_while(|byte| is_part(byte)).count();
                    last = text[at..at + length].to_owned();
                    self.words.push(last.clone());
                    at += length;
                    continue;
                }
                _ => last.clear(),
            }
            at += 1;
        }
    }

    fn has_word(&self, word: &str) -> bool {
        self.words.iter().any(|known| known == word)
    }
}

fn of_operation(op: &Operation<'_>, seen: &FormatParts, list: &mut List) {
    let in_type = seen.directive.as_deref().is_some_and(|word| matches!(word, "type" | "functional-type"));
    for part in op.parts().filter(|part| !part.name.is_empty()) {
        let is_typed = matches!(part.kind, PartKind::Operand | PartKind::Result);
        let wanted = match (in_type, part.kind) {
            (true, _) => is_typed && !seen.typed.iter().any(|name| name == part.name),
            (false, PartKind::Result | PartKind::DerivedAttribute) => false,
            (false, _) => {
                let is_ref = seen.directive.as_deref() == Some("ref");
                seen.printed.iter().any(|name| name == part.name) == is_ref
            }
        };
        if wanted {
            list.push(Item {
                label: format!("${}", part.name),
                kind: ItemKind::Variable,
                detail: hover::clipped(part.constraint.summary(), 100),
                snippet: Some(format!("\\${}", part.name)),
                order: 0,
                ..Item::default()
            });
        }
    }
    if in_type {
        for word in ["operands", "results"] {
            list.push(Item {
                label: word.to_owned(),
                kind: ItemKind::Directive,
                order: 1,
                ..Item::default()
            });
        }
        return;
    }
    if seen.directive.is_none() {
        for name in missing_types(op, seen) {
            list.push(Item {
                label: format!("type(${name})"),
                kind: ItemKind::Directive,
                detail: "nothing else gives this type".to_owned(),
                snippet: Some(format!("type(\\${name})")),
                order: 1,
                ..Item::default()
            });
        }
    }
    directives(false, seen, list);
}

fn directives(is_def: bool, seen: &FormatParts, list: &mut List) {
    let has_once =
        ["attr-dict", "attr-dict-with-keyword", "prop-dict", "operands", "regions", "successors", "params"];
    for directive in DIRECTIVES {
        let is_of_other = directive.of_defs.is_some_and(|of_defs| of_defs != is_def);
        let is_done = has_once.contains(&directive.name) && seen.has_word(directive.name);
        if is_of_other || is_done || directive.name == "results" {
            continue;
        }
        list.push(Item {
            label: directive.name.to_owned(),
            kind: ItemKind::Directive,
            documentation: Some(directive.about.to_owned()),
            snippet: Some(directive.snippet.to_owned()),
            order: if directive.name == "attr-dict" { 2 } else { 3 },
            ..Item::default()
        });
    }
}

/// Returns the operands and results whose types cannot be inferred: no format is valid without them.
///
/// It starts from a format with every type and drops types one by one while the format stays valid.
fn missing_types<'r>(op: &Operation<'r>, seen: &FormatParts) -> Vec<&'r str> {
    if seen.has_word("functional-type") || !op.is_sound() {
        return Vec::new();
    }
    let is_left = |name: &&str| !name.is_empty() && !seen.typed.iter().any(|known| known == name);
    let operands = op.operands().iter().map(|operand| operand.name).filter(is_left);
    let results = op.results().iter().map(|result| result.name).filter(is_left);
    let mut left: Vec<&'r str> = operands.chain(results).collect();
    let of_kind = |names: Vec<&str>| names.iter().map(|name| format!("${name} ")).collect::<String>();
    let mut printed = of_kind(op.operands().iter().map(|it| it.name).collect());
    printed += &of_kind(op.regions().iter().map(|it| it.name).collect());
    printed += &of_kind(op.successors().iter().map(|it| it.name).collect());
    let given: String = seen.typed.iter().map(|name| format!("type(${name}) ")).collect();
    let is_right = |types: &[&str]| {
        let types: String = types.iter().map(|name| format!("type(${name}) ")).collect();
        let text = format!("{printed}attr-dict {given}{types}");
        is_format(op, &text)
    };
    if !is_right(&left) {
        return Vec::new();
    }
    let mut index = left.len();
    while index > 0 {
        index -= 1;
        let mut fewer = left.clone();
        fewer.remove(index);
        if is_right(&fewer) {
            left = fewer;
        }
    }
    left
}

fn is_format(op: &Operation<'_>, text: &str) -> bool {
    OpFormat::new(op, text).is_ok()
}

fn of_def(rec: Rec<'_>, seen: &FormatParts, list: &mut List) {
    let Some(def) = DefKind::of(rec).and_then(|kind| AttrOrTypeDef::lenient(rec, kind)) else { return };
    for parameter in def.parameters() {
        let is_ref = seen.directive.as_deref() == Some("ref");
        if seen.printed.iter().any(|name| name == parameter.name) == is_ref {
            list.push(Item {
                label: format!("${}", parameter.name),
                kind: ItemKind::Variable,
                detail: parameter.cpp_type().to_owned(),
                snippet: Some(format!("\\${}", parameter.name)),
                ..Item::default()
            });
        }
    }
    directives(true, seen, list);
}

/// Names after a `$` in predicates and code.
const PLACEHOLDERS: &[&str] = &["$_self", "$_op", "$_builder", "$_ctxt", "$_state", "$_parser", "$_printer"];

/// Completes a name after a `$` in a text that is not an assembly format.
pub(super) fn names(analysis: &Analysis, context: &Context<'_>, shape: &Shape<'_>, list: &mut List) {
    if !context.document.text[context.word.clone()].starts_with('$') {
        return;
    }
    for label in PLACEHOLDERS {
        let snippet = Some(format!("\\{label}"));
        list.push(Item {
            label: (*label).to_owned(),
            kind: ItemKind::Variable,
            snippet,
            order: 2,
            ..Item::default()
        });
    }
    let Some(rec) = shape.record else { return };
    if analysis.check().is_err() {
        return;
    }
    let op = Operation::lenient(rec).filter(|_| shape.is_a("Op"));
    for part in op.iter().flat_map(Operation::parts).filter(|part| !part.name.is_empty()) {
        list.push(Item {
            label: format!("${}", part.name),
            kind: ItemKind::Variable,
            detail: part.constraint.summary().to_owned(),
            snippet: Some(format!("\\${}", part.name)),
            ..Item::default()
        });
    }
}
