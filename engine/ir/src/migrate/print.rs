//! The parts of a statement as the source of a newer format.

use odsmith_interchange::grammar::{
    Class, Element, Entity, Format, Kind, Parameter,
    program::{self, Role},
};

use super::{
    Custom, Walk,
    edits::Statement,
    pairs::{self, Pair},
    parts::{PartText, Span, StatementParts, class_of},
};
use crate::{
    definitions::{Definitions, OperationDef},
    format::{PieceKind, Program, Step},
    print::{
        built_type,
        custom::{Source, Writer, counts, short},
        full_attribute, full_name, is_typed,
    },
    skip,
};

/// Prints a statement by the newer format.
///
/// # Errors
/// Something that the format needs is not known: what it is.
pub(super) fn printed<'w>(
    walk: &Walk<'w, '_>,
    it: Custom<'w>,
    grammar: &'w Format,
    given: &StatementParts<'w>,
) -> Result<Statement, String> {
    let Custom { old, new, name, .. } = it;
    let written = &walk.text[walk.ir.tokens.range(name)];
    let first = match *old.name == *new.name {
        true => written.to_owned(),
        false => pairs::written(written, old, new),
    };
    part(walk, it, grammar, given, first)
}

/// Prints a statement or a part of it after a text.
///
/// # Errors
/// Something that the format needs is not known: what it is.
pub(super) fn part<'w>(
    walk: &Walk<'w, '_>,
    it: Custom<'w>,
    grammar: &Format,
    given: &StatementParts<'w>,
    first: String,
) -> Result<Statement, String> {
    let Custom { old, new, .. } = it;
    let migrator = walk.migrator;
    // The syntax of a table has lists of all operands and results.
    let none = Format::default();
    let old_grammar = old.grammar.as_ref().unwrap_or(&none);
    let mut source = Migrated {
        walk,
        given,
        old,
        old_grammar,
        old_definitions: migrator.old,
        new,
        pair: it.pair,
        grammar,
        definitions: migrator.new,
        regions: Vec::new(),
        reason: None,
    };
    if let Some(lost) = source.unprintable() {
        return Err(format!("the short text of '{lost}' has no known long one"));
    }
    let mut writer = Writer::new(&mut source, migrator.new, new, grammar, first);
    let is_done = writer.run().is_some();
    let (text, ranges) = (std::mem::take(&mut writer.out), std::mem::take(&mut writer.regions));
    if !is_done {
        let reason = source.reason.take();
        return Err(reason
            .unwrap_or_else(|| format!("the newer format of '{}' needs more than this text has", new.name)));
    }
    Ok(Statement::of_print(text, ranges, source.regions))
}

/// The parts of a statement, as the newer format asks for them.
struct Migrated<'m, 'w, 'd> {
    walk: &'m Walk<'w, 'd>,
    given: &'m StatementParts<'w>,
    old: &'m OperationDef,
    old_grammar: &'m Format,
    old_definitions: &'m Definitions,
    new: &'m OperationDef,
    pair: &'m Pair,
    grammar: &'m Format,
    definitions: &'m Definitions,
    /// The regions in the order in which they are printed.
    regions: Vec<(u32, u32)>,
    /// The first thing that is missing.
    reason: Option<String>,
}

impl<'w> Migrated<'_, 'w, '_> {
    fn entity(&self, part: usize) -> Option<&Entity> {
        self.grammar.entities.get(part)
    }

    /// Returns the older name of a part.
    fn older<'n>(&'n self, name: &'n str) -> &'n str {
        let found = self.pair.renamed.iter().find(|(_, new)| **new == *name);
        found.map_or(name, |(old, _)| old)
    }

    fn newer<'n>(&'n self, name: &'n str) -> &'n str {
        let found = self.pair.renamed.iter().find(|(old, _)| **old == *name);
        found.map_or(name, |(_, new)| new)
    }

    fn miss<T>(&mut self, reason: String) -> Option<T> {
        self.reason.get_or_insert(reason);
        None
    }

    /// Returns whether a directive may have read values of a part: without types there are none, if the older format has
    /// types.
    fn may_have_values(&self, kind: Kind, name: &str) -> bool {
        let index = self.old_grammar.entities.iter().position(|it| it.kind == kind && it.name == name);
        let has_types = index.is_some_and(|index| is_typed(&self.old_grammar.elements, index));
        !has_types || self.given.part(Role::Type, kind, name).is_some()
    }

    /// Returns the given values or types of a part, or those that belong to it in the list of all.
    fn spans(&self, role: Role, part: usize) -> Option<Vec<Span<'w>>> {
        let entity = self.entity(part)?;
        let kind = entity.kind;
        if let Some(own) = self.given.part(role, kind, self.older(&entity.name)) {
            return Some(own.spans.clone());
        }
        if entity.is_all {
            // One after the other.
            let mut all = Vec::new();
            for (_, own) in self.old.parts_of(kind) {
                match self.given.part(role, kind, &own.name) {
                    Some(own) => all.extend(own.spans.iter().copied()),
                    None if own.low == 0 => {}
                    None => return None,
                }
            }
            return Some(all);
        }
        let is_all = |given: &&PartText<'_>| given.role == role && given.kind == kind && given.is_all;
        let all = self.given.parts.iter().find(is_all)?;
        let counts = counts(self.new, self.grammar, kind, all.spans.len(), None)?;
        let start: usize = counts.iter().take_while(|(own, _)| *own != part).map(|(_, count)| count).sum();
        let count = counts.iter().find(|(own, _)| *own == part)?.1;
        all.spans.get(start..start + count).map(<[Span<'w>]>::to_vec)
    }

    /// Returns types of an entity of the old format, with dialect and mnemonic.
    fn old_types(&self, index: usize, depth: u32) -> Option<Vec<String>> {
        let entity = self.old_grammar.entities.get(index)?;
        if let Some(given) = self.given.part(Role::Type, entity.kind, &entity.name) {
            return given.spans.iter().map(|span| self.full_type(entity, *span)).collect();
        }
        let count = match self.given.part(Role::Value, entity.kind, &entity.name) {
            Some(values) => values.spans.len(),
            None => usize::from(entity.low == 1 && entity.high == 1),
        };
        if let Some(call) = &entity.type_call {
            return Some(vec![built_type(self.old_definitions, call)?; count]);
        }
        let other = entity.type_of.filter(|_| depth > 0)?;
        match self.old_types(other, depth - 1)?.as_slice() {
            [one] => Some(vec![one.clone(); count]),
            all if all.len() == count => Some(all.to_vec()),
            _ => None,
        }
    }

    fn full_type(&self, entity: &Entity, span: Span<'_>) -> Option<String> {
        match &entity.type_class {
            Class::Type(class) if !class.is_empty() => {
                if skip::ty(&self.walk.cursor, span.first) == Some(span.end) {
                    return Some(span.text.to_owned());
                }
                let own = self.old_definitions.of_class(class)?;
                Some(full_name('!', &own.dialect, &own.mnemonic, span.text))
            }
            _ => Some(span.text.to_owned()),
        }
    }

    /// Returns the full text of an attribute that the old format has.
    fn full(&self, kind: Kind, name: &str) -> Option<String> {
        let part = self.old.parts.get(usize::from(self.old.attribute(name)?))?;
        if self.given.part(Role::Presence, kind, name).is_some() {
            return Some(String::new());
        }
        let span = *self.given.part(Role::Value, kind, name)?.spans.first()?;
        let class = class_of(self.old_grammar, kind, name)?;
        let is_full = skip::attribute(&self.walk.cursor, span.first) == Some(span.end);
        full_attribute(self.old_definitions, part.attribute.as_deref()?, class, span.text, is_full)
    }

    /// Returns the full text of an attribute that the statement has in any way.
    fn whole(&self, part: usize) -> Option<String> {
        let entity = self.entity(part)?;
        let name = self.older(&entity.name);
        match self.given.entry(name) {
            Some(entry) => (!entry.is_short && !entry.value.is_empty()).then(|| entry.value.to_owned()),
            None => self.full(entity.kind, name),
        }
    }

    /// Returns an attribute that the new format has in a dictionary only, and whose full text is not known.
    fn unprintable(&self) -> Option<&'w str> {
        let is_lost = |part: &&PartText<'w>| {
            matches!(part.kind, Kind::Attribute | Kind::Property)
                && part.role == Role::Value
                && !mentions(&self.grammar.elements, self.grammar, self.newer(part.name))
                && self.full(part.kind, part.name).is_none()
        };
        self.given.parts.iter().find(is_lost).map(|part| part.name)
    }

    /// Returns the short text of a case of an enum that is a word in the dictionary of a table.
    fn case(&self, part: usize, class: &Class, word: &str) -> Option<String> {
        let listed = self.new.parts.get(part)?.attribute.as_deref()?.listed.as_ref()?;
        let Class::Enum { words, .. } = &listed.class else { return None };
        // The attribute of a case may be written in full, also with the type of its number.
        let word = match word.strip_prefix('#') {
            Some(full) => full.split_once('<')?.1.split_once('>')?.0,
            None => word,
        };
        let is_case = self.old.grammar.is_none() && words.iter().any(|own| own == word);
        is_case.then(|| match class {
            Class::Own(_) => format!("<{word}>"),
            _ => word.to_owned(),
        })
    }

    /// Returns the syntax of a custom directive of the newer format, if it is known.
    fn syntax(&self, name: &str) -> Option<&Program> {
        let parser = self.pair.new_parser.as_ref()?;
        let steps = parser.steps.iter().zip(&self.new.program.as_ref()?.steps);
        let mut found = steps.filter_map(|(wanted, step)| match (wanted, step) {
            (
                program::Step::Take(wanted) | program::Step::Try { wanted, .. },
                Step::Take(piece) | Step::Try(piece, _),
            ) if wanted.class == Class::Custom(name.to_owned()) => match &piece.kind {
                PieceKind::Directive(program) => Some(&**program),
                _ => None,
            },
            _ => None,
        });
        found.next()
    }

    /// Returns the short text of an attribute that is absent, if it has a default.
    fn default(&mut self, part: usize) -> Option<String> {
        let name = &*self.new.parts.get(part)?.name;
        let index = self.old.attribute(name).or_else(|| self.new.attribute(name))?;
        let def = if self.old.attribute(name).is_some() { self.old } else { self.new };
        let attribute = def.parts.get(usize::from(index))?.attribute.as_deref()?;
        let text = attribute.default.as_deref()?.trim();
        let is_number =
            !text.is_empty() && text.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
        let class = &self.entity(part)?.class;
        match class {
            Class::Integer if is_number => Some(text.to_owned()),
            Class::Bool if matches!(text, "true" | "false") => Some(text.to_owned()),
            Class::String if text.starts_with('"') && text.ends_with('"') => Some(text.to_owned()),
            _ => None,
        }
    }
}

/// Returns whether a format binds a part by its name.
fn mentions(elements: &[Element], grammar: &Format, name: &str) -> bool {
    let is_it = |index: usize| grammar.entities.get(index).is_some_and(|entity| entity.name == name);
    elements.iter().any(|element| match element {
        Element::Entity(index) => is_it(*index),
        Element::Custom { parameters, .. } => parameters.iter().filter_map(Parameter::entity).any(is_it),
        Element::OiList(clauses) => clauses.iter().any(|clause| mentions(&clause.elements, grammar, name)),
        Element::Optional { then, otherwise, .. } => {
            mentions(then, grammar, name) || mentions(otherwise, grammar, name)
        }
        _ => false,
    })
}

impl Source for Migrated<'_, '_, '_> {
    fn has(&self, part: usize) -> bool {
        let Some(entity) = self.entity(part) else { return false };
        match entity.kind {
            Kind::Attribute | Kind::Property => {
                let is_false = |value: &str| entity.is_unit && value == "false";
                let name = self.older(&entity.name);
                self.given.has_attribute(name)
                    && !self.given.entry(name).is_some_and(|entry| is_false(entry.value))
            }
            Kind::Result => self.spans(Role::Type, part).is_some_and(|all| !all.is_empty()),
            _ => {
                self.spans(Role::Value, part).is_some_and(|all| !all.is_empty())
                    || self.given.is_in_directive(Role::Value, self.older(&entity.name))
                        && self.may_have_values(entity.kind, self.older(&entity.name))
            }
        }
    }

    fn operands(&mut self, part: usize) -> Option<Vec<String>> {
        let entity = self.entity(part)?;
        let (name, is_optional) = (entity.name.clone(), entity.low == 0);
        if entity.has_runs {
            return self.miss(format!("the groups of '{name}' cannot be printed"));
        }
        match self.spans(Role::Value, part) {
            Some(all) => Some(all.iter().map(|span| span.text.to_owned()).collect()),
            None if is_optional => Some(Vec::new()),
            None => self.miss(format!("the operand '{name}' is not in the text")),
        }
    }

    fn types(&mut self, part: usize) -> Option<Vec<String>> {
        let entity = self.entity(part)?;
        let (kind, name) = (entity.kind, self.older(&entity.name).to_owned());
        let index = self.old_grammar.entities.iter().position(|it| it.kind == kind && it.name == name);
        if let Some(types) = index.and_then(|index| self.old_types(index, 4)) {
            return Some(types);
        }
        if let Some(spans) = self.spans(Role::Type, part) {
            return Some(spans.iter().map(|span| span.text.to_owned()).collect());
        }
        self.miss(format!("the type of '{name}' is not in the text"))
    }

    fn attribute(&mut self, part: usize) -> Option<String> {
        let entity = self.entity(part)?;
        let (kind, class) = (entity.kind, entity.class.clone());
        let name = self.older(&entity.name).to_owned();
        let may_be_absent = entity.low == 0 && !entity.has_default;
        if let Some(given) = self.given.part(Role::Value, kind, &name) {
            let old_class = class_of(self.old_grammar, kind, &name)?;
            let text = given.spans.first()?.text;
            let is_same = *old_class == class
                || matches!((old_class, &class), (Class::Enum { .. }, Class::Enum { .. }))
                || kind == Kind::Property;
            if is_same {
                return Some(text.to_owned());
            }
        }
        let case = self.given.entry(&name).and_then(|entry| self.case(part, &class, entry.value));
        if case.is_some() {
            return case;
        }
        let full = match self.given.entry(&name) {
            Some(entry) if entry.is_short => None,
            Some(entry) => {
                Some(if entry.value.is_empty() { "unit".to_owned() } else { entry.value.to_owned() })
            }
            None => self.full(kind, &name).map(|text| if text.is_empty() { "unit".to_owned() } else { text }),
        };
        if let Some(full) = full {
            let def = self.new.parts.get(part)?.attribute.as_deref();
            let text = def.and_then(|def| short(self.definitions, &class, def, &full));
            return match text {
                Some(text) => Some(text),
                None => self.miss(format!("'{full}' has no short text for '{name}'")),
            };
        }
        if self.given.has_attribute(&name) {
            return self.miss(format!("the text of '{name}' is not known"));
        }
        if may_be_absent {
            return Some(String::new());
        }
        match self.default(part) {
            Some(text) => Some(text),
            None => self.miss(format!("'{name}' is required, and not in the text")),
        }
    }

    fn regions(&mut self, part: usize) -> Option<Vec<String>> {
        let spans = self.spans(Role::Value, part).unwrap_or_default();
        self.regions.extend(spans.iter().map(|span| (span.first, span.end)));
        Some(vec!["{}".to_owned(); spans.len()])
    }

    fn successors(&mut self, part: usize) -> Option<Vec<String>> {
        let spans = self.spans(Role::Value, part).unwrap_or_default();
        Some(spans.iter().map(|span| span.text.to_owned()).collect())
    }

    fn directive(&mut self, name: &str, parameters: &[Parameter]) -> Option<String> {
        let bound = parameters.iter().filter_map(program::binding);
        let grammar = self.grammar;
        let parts: Vec<(Role, &str)> =
            bound.filter_map(|(role, index)| Some((role, &*grammar.entities.get(index)?.name))).collect();
        let older: Vec<(Role, &str)> = parts.iter().map(|(role, name)| (*role, self.older(name))).collect();
        let found = self.given.directives.iter().find(|it| it.name == name && it.parts == older);
        if let Some(found) = found {
            return Some(found.span.text.to_owned());
        }
        if let Some(program) = self.syntax(name) {
            // Another directive of the same parts: the text is read again afterwards.
            let other =
                self.given.directives.iter().find(|it| it.parts == older && it.span.first < it.span.end);
            if let Some(other) = other {
                return Some(other.span.text.to_owned());
            }
            let program = program.clone();
            if let [(Role::Value, part)] = parts.as_slice()
                && let Some(index) = self.new.attribute(part).map(usize::from)
            {
                let is_whole = program.pieces().any(|piece| piece.kind == PieceKind::Attribute);
                let value = match self.has(index) {
                    true if is_whole => Some(self.whole(index)?),
                    true => Some(self.attribute(index)?),
                    false => None,
                };
                if let Some(text) = filled(&program, value.as_deref()) {
                    return Some(text);
                }
            }
        }
        self.miss(format!("C++ prints 'custom<{name}>'"))
    }

    fn entries(&self) -> Vec<(String, String)> {
        let mut all = Vec::new();
        for part in &self.given.parts {
            if matches!(part.kind, Kind::Attribute | Kind::Property) && part.role != Role::Type {
                // The texts that are needed are known.
                let name = self.newer(part.name).to_owned();
                all.extend(self.full(part.kind, part.name).map(|text| (name, text)));
            }
        }
        let entries = self.given.entries.iter();
        all.extend(entries.map(|entry| (self.newer(entry.key).to_owned(), entry.value.to_owned())));
        all
    }
}

/// Returns the text of a directive by its syntax, with the value of its only attribute.
fn filled(program: &Program, value: Option<&str>) -> Option<String> {
    let mut text = String::new();
    let (mut at, mut is_used) = (0, false);
    for _ in 0..program.steps.len() {
        match program.steps.get(at)? {
            Step::Try(_, otherwise) if value.is_none() => at = *otherwise as usize,
            Step::Take(piece) | Step::Try(piece, _) => {
                match (&piece.kind, value) {
                    (PieceKind::Literal(literal), _) => text.push_str(literal),
                    (PieceKind::Keyword | PieceKind::Attribute, Some(value)) if !is_used => {
                        text.push_str(value);
                        is_used = true;
                    }
                    _ => return None,
                }
                at += 1;
            }
            Step::Split(to) if value.is_none() => at = *to as usize,
            Step::Split(_) => at += 1,
            Step::Jump(to) => at = *to as usize,
            Step::End => return (is_used == value.is_some()).then_some(text),
            _ => return None,
        }
    }
    None
}
