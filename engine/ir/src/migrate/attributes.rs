//! Attributes of dialects whose own format changed.
//!
//! ```text
//! 22: #omp<procbindkind spread>             24: #omp<procbindkind <spread>>
//! 22: #omp.declaretarget<device_type = (host)>  24: #omp.declaretarget<device_type = host>
//! ```
//!
//! Only the words of enums keep their meaning in another format without any C++: the text around them is that of the newer
//! format. What the newer format reads already stays.

use odsmith_interchange::grammar::{Class, Element, Entity, Format};
use odsmith_ods::DefKind;

use super::{Cause, EditedOperation, Migration, Migrator, TextEdit};
use crate::{
    cursor::Cursor,
    definitions::{Definitions, ParameterDef},
    format::{Goal, Matcher, Outcome, Program, Step},
    lexer::{TokenKind as T, Tokens},
    types,
};

/// Adds the edits of a text's attributes. Those inside of other edits stay as they are.
pub(super) fn add(migrator: &Migrator<'_>, text: &str, migration: &mut Migration) {
    let tokens = Tokens::new(text);
    let older = Cursor::new(text, &tokens, migrator.old, &migrator.limits);
    let newer = Cursor::new(text, &tokens, migrator.new, &migrator.limits);
    let mut walk = Walk { older, newer, matcher: Matcher::default() };
    for first in 0..tokens.len() {
        if tokens.kind(first) != T::Attribute {
            continue;
        }
        let Some((name, edits)) = walk.attribute(first) else { continue };
        let is_free = |edit: &TextEdit| {
            let overlaps =
                |it: &TextEdit| it.range.start <= edit.range.end && edit.range.start <= it.range.end;
            !migration.edits.iter().any(overlaps)
        };
        if !edits.is_empty() && edits.iter().all(is_free) {
            let range = tokens.range(first);
            migration.operations.push(EditedOperation { range, name, cause: Cause::Format });
            migration.edits.extend(edits);
        }
    }
}

struct Walk<'w> {
    older: Cursor<'w>,
    newer: Cursor<'w>,
    matcher: Matcher,
}

/// The tokens of a body, between the name and its end.
#[derive(Clone, Copy)]
struct Body {
    start: u32,
    end: u32,
}

/// A part of a body: its tokens and the number of its parameter.
struct Part {
    body: Body,
    entity: usize,
}

impl Walk<'_> {
    /// Returns the name of an attribute and the edits that the newer format needs.
    fn attribute(&mut self, first: u32) -> Option<(String, Vec<TextEdit>)> {
        let (dialect, mnemonic, start, end) = types::named_body(&self.older, first)?;
        let body = Body { start, end };
        let old = self.older.definitions().parameters(DefKind::Attribute, dialect, mnemonic)?;
        let new = self.newer.definitions().parameters(DefKind::Attribute, dialect, mnemonic)?;
        let (old_grammar, new_grammar) = (old.grammar.as_ref()?, new.grammar.as_ref()?);
        let name = format!("#{dialect}.{mnemonic}");
        if let (Some(_), Some(entity)) = (only_case(old_grammar), only_case(new_grammar)) {
            if matches(&mut self.matcher, &self.newer, new.program.as_ref()?, body) {
                return None;
            }
            let word = self.word(old, body)?;
            let text = around(new_grammar, entity, &word)?;
            return Some((name, vec![self.edit(body, text)]));
        }
        let parts = self.parts(old, body)?;
        let mut edits = Vec::new();
        for part in parts {
            let entity = old_grammar.entities.get(part.entity)?;
            let other = new_grammar.entities.iter().find(|it| it.name == entity.name)?;
            edits.extend(self.parameter(old, (entity, other), part.body));
        }
        Some((name, edits))
    }

    fn edit(&self, body: Body, new: String) -> TextEdit {
        let tokens = self.older.tokens();
        let range = tokens.start(body.start)..tokens.range(body.end - 1).end;
        TextEdit { range, new, cause: Cause::Format }
    }

    /// Returns the edit of a parameter that is a case of an enum in both releases.
    fn parameter(
        &mut self,
        owner: &ParameterDef,
        (old, new): (&Entity, &Entity),
        body: Body,
    ) -> Option<TextEdit> {
        let Class::Own(old_class) = &old.class else { return None };
        let inner = of_class(self.older.definitions(), owner, old_class)?;
        only_case(inner.grammar.as_ref()?)?;
        let word = self.word(inner, body)?;
        let text = match &new.class {
            Class::Enum { words, .. } => words.contains(&word).then_some(word)?,
            // The C++ enum itself: its attribute has the same name with `Attr` at the end. An attribute inside another one may
            // be read by C++.
            Class::Own(new_class) if of_class(self.newer.definitions(), owner, new_class).is_none() => {
                let local = |class: &str| class.rsplit("::").next().unwrap_or(class).to_owned();
                (format!("{}Attr", local(new_class)) == local(old_class)).then_some(word)?
            }
            _ => return None,
        };
        let is_same = self.older.text_between(body.start, body.end) == text;
        (!is_same).then(|| self.edit(body, text))
    }

    /// Returns the case that a body with only one parameter has.
    fn word(&mut self, def: &ParameterDef, body: Body) -> Option<String> {
        let parts = self.parts(def, body)?;
        match parts.as_slice() {
            [one] => Some(self.older.text_between(one.body.start, one.body.end).to_owned()),
            _ => None,
        }
    }

    /// Returns the parameters that the older format finds in a body.
    fn parts(&mut self, def: &ParameterDef, body: Body) -> Option<Vec<Part>> {
        let program = def.program.as_ref()?;
        if !matches(&mut self.matcher, &self.older, program, body) {
            return None;
        }
        let found = self.matcher.found.iter().filter_map(|found| {
            let step = program.steps.get(found.step as usize)?;
            let (Step::Take(piece) | Step::Try(piece, _)) = step else { return None };
            let entity = usize::from(piece.place.part);
            let has_entity = def.grammar.as_ref().is_some_and(|grammar| entity < grammar.entities.len());
            let body = Body { start: found.first, end: found.end };
            (has_entity && body.start < body.end).then_some(Part { body, entity })
        });
        Some(found.collect())
    }
}

/// Returns true if a program reads a body to its end.
fn matches(matcher: &mut Matcher, cursor: &Cursor<'_>, program: &Program, body: Body) -> bool {
    matcher.run(cursor, program, body.start, Goal::to(body.end)) == Outcome::Matched(body.end)
}

/// Returns the number of the parameter of a format that has only one, if that is a case of an enum.
fn only_case(grammar: &Format) -> Option<usize> {
    let is_case = matches!(grammar.entities.as_slice(), [one] if is_case(&one.class));
    let shown = grammar.elements.iter().filter(|element| matches!(element, Element::Entity(_)));
    (is_case && shown.count() == 1).then_some(0)
}

fn is_case(class: &Class) -> bool {
    match class {
        Class::Enum { .. } => true,
        Class::Code(code) => code.starts_with("bits of "),
        _ => false,
    }
}

/// Returns a case with the text that a format has around it.
fn around(grammar: &Format, entity: usize, word: &str) -> Option<String> {
    if let Some(Class::Enum { words, strings }) = grammar.entities.get(entity).map(|it| &it.class)
        && !words.iter().chain(strings).any(|own| own == word.trim_matches('"'))
    {
        return None;
    }
    let mut text = String::new();
    for element in &grammar.elements {
        match element {
            Element::Literal(literal) => text.push_str(literal),
            Element::Whitespace(blank) => text.push_str(blank),
            Element::Entity(index) if *index == entity => text.push_str(word),
            _ => return None,
        }
    }
    Some(text)
}

/// Returns the definition of a class that is named in the namespace of another one.
fn of_class<'d>(definitions: &'d Definitions, owner: &ParameterDef, class: &str) -> Option<&'d ParameterDef> {
    let space = owner.class.rsplit_once("::").map_or("", |(space, _)| space);
    odsmith_conditions::classes::lookups(space, class).iter().find_map(|name| definitions.of_class(name))
}
