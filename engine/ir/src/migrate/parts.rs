//! The parts of a statement, as a format finds them.

use odsmith_interchange::grammar::{
    Class, Format, Kind,
    program::{Parser, Role, Step},
};

use crate::{
    cursor::Cursor,
    definitions::OperationDef,
    format::{Goal, Matcher, Outcome, PieceKind, Program, Step as FormStep},
    lexer::TokenKind as T,
    skip,
};

/// The most pairs of spans that are compared, and the most entries of dictionaries.
const MOST_PAIRS: usize = 4_000_000;
pub(super) const MOST_ENTRIES: usize = 1000;

/// Tokens and their text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span<'t> {
    pub(super) first: u32,
    pub(super) end: u32,
    pub(super) text: &'t str,
}

/// The values or the types of a part.
#[derive(Clone, Debug)]
pub(super) struct PartText<'t> {
    pub(super) role: Role,
    pub(super) kind: Kind,
    pub(super) name: &'t str,
    /// True if it is the list of all of its kind.
    pub(super) is_all: bool,
    pub(super) spans: Vec<Span<'t>>,
}

/// An entry of a dictionary, or of a list of properties.
#[derive(Clone, Copy, Debug)]
pub(super) struct EntryText<'t> {
    pub(super) key: &'t str,
    /// The text after `=`; nothing for `unit`.
    pub(super) value: &'t str,
    /// True if it is in `attr-dict`.
    pub(super) is_discardable: bool,
    /// True if the value is as short as in a list of properties.
    pub(super) is_short: bool,
}

/// The text of a custom directive, with the parts that it binds.
#[derive(Clone, Debug)]
pub(super) struct DirectiveText<'t> {
    pub(super) name: &'t str,
    pub(super) parts: Vec<(Role, &'t str)>,
    pub(super) span: Span<'t>,
}

/// A span with the parts that it binds.
struct Label<'t> {
    span: Span<'t>,
    names: Vec<(Role, &'t str)>,
    /// True if C++ reads it.
    is_open: bool,
}

/// The parts of a statement.
#[derive(Clone, Debug, Default)]
pub(super) struct StatementParts<'t> {
    pub(super) parts: Vec<PartText<'t>>,
    pub(super) directives: Vec<DirectiveText<'t>>,
    pub(super) entries: Vec<EntryText<'t>>,
    /// The dictionary that ends the statement.
    pub(super) last_dictionary: Option<Span<'t>>,
    /// The regions in the order of the text.
    pub(super) regions: Vec<(u32, u32)>,
    /// True if the format fits in several ways.
    pub(super) is_ambiguous: bool,
}

impl<'t> StatementParts<'t> {
    /// Matches the format of an operation with tokens; nothing if it does not fit exactly.
    pub(super) fn of(
        matcher: &mut Matcher,
        cursor: &Cursor<'t>,
        def: &'t OperationDef,
        parser: &'t Parser,
        start: u32,
        end: u32,
    ) -> Option<Self> {
        let (program, grammar) = (def.program.as_ref()?, def.grammar.as_ref()?);
        let goal = Goal::to(end);
        let carried = Goal { is_carried: true, ..goal };
        let mut fits = |goal| matcher.run(cursor, program, start, goal) == Outcome::Matched(end);
        if !(fits(goal) || program.is_open && fits(carried)) {
            return None;
        }
        let mut given = StatementParts { is_ambiguous: matcher.is_ambiguous, ..StatementParts::default() };
        for piece in &matcher.found {
            let wanted = match parser.steps.get(piece.step as usize)? {
                Step::Take(wanted) | Step::Try { wanted, .. } => wanted,
                _ => continue,
            };
            let text = cursor.text_between(piece.first, piece.end);
            let span = Span { first: piece.first, end: piece.end, text };
            let entity = |index: usize| grammar.entities.get(index);
            match (&wanted.class, wanted.bindings.as_slice()) {
                (Class::Dictionary, _) => {
                    given.last_dictionary = (span.end == end).then_some(span);
                    given.dictionary(cursor, span, true);
                }
                (Class::PropDictionary, _) => given.properties(cursor, span),
                (Class::Custom(name), bindings) => {
                    let parts =
                        bindings.iter().filter_map(|(role, index)| Some((*role, &*entity(*index)?.name)));
                    given.directives.push(DirectiveText { name, parts: parts.collect(), span });
                }
                (Class::FunctionType, [(_, inputs), (_, results)]) => {
                    let (before, after) = function(cursor, span)?;
                    for (index, spans) in [(*inputs, before), (*results, after)] {
                        let entity = entity(index)?;
                        given.add(Role::Type, entity.kind, (&entity.name, entity.is_all), spans);
                    }
                }
                (class, [(role, index)]) => {
                    let entity = entity(*index)?;
                    if *class == Class::Region && *role == Role::Value {
                        given.regions.push((span.first, span.end));
                    }
                    given.add(*role, entity.kind, (&entity.name, entity.is_all), vec![span]);
                }
                _ => {}
            }
        }
        Some(given)
    }

    /// Matches the syntax of the table with tokens: values, a dictionary and a function type alone. Words in the dictionary
    /// are cases of enums.
    pub(super) fn of_table(
        matcher: &mut Matcher,
        cursor: &Cursor<'t>,
        program: &Program,
        start: u32,
        end: u32,
    ) -> Option<Self> {
        let goal = Goal::to(end);
        if matcher.run(cursor, program, start, goal) != Outcome::Matched(end) {
            return None;
        }
        let mut given = StatementParts::default();
        for found in &matcher.found {
            let (FormStep::Take(piece) | FormStep::Try(piece, _)) = program.steps.get(found.step as usize)?
            else {
                return None;
            };
            let text = cursor.text_between(found.first, found.end);
            let span = Span { first: found.first, end: found.end, text };
            match &piece.kind {
                PieceKind::Literal(text) if matches!(&**text, "," | ":") => {}
                PieceKind::Value => given.add(Role::Value, Kind::Operand, ("operands", true), vec![span]),
                PieceKind::Brackets | PieceKind::Dictionary if cursor.kind(span.first) == T::LeftBrace => {
                    given.dictionary(cursor, span, true);
                }
                PieceKind::FunctionType => {
                    let (before, after) = function(cursor, span)?;
                    given.add(Role::Type, Kind::Operand, ("operands", true), before);
                    given.add(Role::Type, Kind::Result, ("results", true), after);
                }
                _ => return None,
            }
        }
        Some(given)
    }

    fn add(&mut self, role: Role, kind: Kind, (name, is_all): (&'t str, bool), spans: Vec<Span<'t>>) {
        match self.parts.iter_mut().find(|part| (part.role, part.kind, part.name) == (role, kind, name)) {
            Some(part) => part.spans.extend(spans),
            None => self.parts.push(PartText { role, kind, name, is_all, spans }),
        }
    }

    fn properties(&mut self, cursor: &Cursor<'t>, span: Span<'t>) {
        match cursor.kind(span.first + 1) {
            T::LeftBrace => {
                self.dictionary(cursor, Span { first: span.first + 1, end: span.end - 1, ..span }, false)
            }
            _ => self.list(cursor, span, false, true),
        }
    }

    /// Returns the parts of a dictionary alone.
    pub(super) fn of_dictionary(cursor: &Cursor<'t>, span: Span<'t>) -> Self {
        let mut given = StatementParts::default();
        given.dictionary(cursor, span, true);
        given
    }

    fn dictionary(&mut self, cursor: &Cursor<'t>, span: Span<'t>, is_discardable: bool) {
        self.list(cursor, span, is_discardable, false);
    }

    /// Adds the entries between two brackets.
    fn list(&mut self, cursor: &Cursor<'t>, span: Span<'t>, is_discardable: bool, is_short: bool) {
        let close = span.end.saturating_sub(1);
        let mut at = span.first + 1;
        while at < close {
            let key = at;
            let mut end = at + 1;
            while end < close && cursor.kind(end) != T::Comma {
                end = cursor.tokens().after(end).min(close);
            }
            let value = if cursor.kind(key + 1) == T::Equal { cursor.text_between(key + 2, end) } else { "" };
            self.entries.push(EntryText { key: cursor.text_of(key), value, is_discardable, is_short });
            at = end + 1;
        }
    }

    /// Returns the values or types of a part.
    pub(super) fn part(&self, role: Role, kind: Kind, name: &str) -> Option<&PartText<'t>> {
        self.parts.iter().find(|part| (part.role, part.kind, part.name) == (role, kind, name))
    }

    /// Returns an entry of a dictionary.
    pub(super) fn entry(&self, name: &str) -> Option<&EntryText<'t>> {
        self.entries.iter().find(|entry| entry.key.trim_matches('"') == name)
    }

    /// Returns whether a directive whose text is not empty binds a part.
    pub(super) fn is_in_directive(&self, role: Role, name: &str) -> bool {
        let has_text = |it: &&DirectiveText<'_>| it.span.first < it.span.end;
        self.directives.iter().filter(has_text).any(|it| it.parts.contains(&(role, name)))
    }

    /// Returns whether an attribute is written in any way.
    pub(super) fn has_attribute(&self, name: &str) -> bool {
        let is_it = |part: &PartText<'_>| {
            matches!(part.kind, Kind::Attribute | Kind::Property)
                && part.role != Role::Type
                && part.name == name
        };
        self.parts.iter().any(is_it) || self.entry(name).is_some() || self.is_in_directive(Role::Value, name)
    }

    /// Returns the names that each span of a statement binds.
    fn labels(&self) -> Vec<Label<'t>> {
        let of_parts = self.parts.iter().flat_map(|part| {
            let names = vec![(part.role, part.name)];
            part.spans.iter().map(move |span| Label { span: *span, names: names.clone(), is_open: false })
        });
        let has_text = |it: &&DirectiveText<'_>| it.span.first < it.span.end;
        let of_directives = self.directives.iter().filter(has_text);
        let of_directives =
            of_directives.map(|it| Label { span: it.span, names: it.parts.clone(), is_open: true });
        of_parts.chain(of_directives).collect()
    }

    /// Returns whether another reading of the same tokens has the same parts. Directives read what C++ wants: two of them
    /// agree, and one agrees with a part that it binds.
    pub(super) fn is_same(&self, other: &StatementParts<'t>) -> bool {
        let (own, others) = (self.labels(), other.labels());
        if own.len().saturating_mul(others.len()) > MOST_PAIRS {
            return false;
        }
        let is_inside =
            |a: &Label<'_>, b: &Label<'_>| b.span.first <= a.span.first && a.span.end <= b.span.end;
        let is_found = |label: &Label<'_>, among: &[Label<'_>]| {
            among.iter().any(|it| {
                let is_bound = it.names.is_empty() || it.names.iter().any(|name| label.names.contains(name));
                match (label.is_open, it.is_open) {
                    (false, false) => {
                        // An attribute's own format may have words that belong to the operation's now.
                        (is_inside(label, it) || is_inside(it, label)) && label.names == it.names
                    }
                    (false, true) => is_inside(label, it) && is_bound,
                    (true, false) => is_inside(it, label) && (label.names.is_empty() || is_bound),
                    (true, true) => is_inside(label, it) || is_inside(it, label),
                }
            })
        };
        let entries = |given: &StatementParts<'t>| -> Vec<_> {
            given.entries.iter().map(|it| (it.key, it.value, it.is_discardable)).collect()
        };
        own.iter().all(|label| is_found(label, &others))
            && others.iter().all(|label| is_found(label, &own))
            && entries(self) == entries(other)
            && self.regions == other.regions
    }

    /// Returns true if another reading does not have one of the entries.
    pub(super) fn missing_in_attributes(&self, other: &StatementParts<'_>) -> bool {
        self.entries.iter().any(|entry| !other.has_attribute(entry.key.trim_matches('"')))
    }

    /// Returns a part that another reading does not have.
    pub(super) fn missing_in(
        &self,
        other: &StatementParts<'_>,
        renamed: &[(Box<str>, Box<str>)],
    ) -> Option<String> {
        let newer = |name: &str| -> String {
            let found = renamed.iter().find(|(old, _)| **old == *name);
            found.map_or(name, |(_, new)| new).to_owned()
        };
        let texts = |given: &StatementParts<'_>, kind: Kind| -> Vec<String> {
            let of_kind = |part: &&PartText<'_>| part.kind == kind && part.role == Role::Value;
            let spans = given.parts.iter().filter(of_kind).flat_map(|part| part.spans.iter());
            let mut all: Vec<String> = spans.map(|span| span.text.to_owned()).collect();
            all.sort();
            all
        };
        for kind in [Kind::Operand, Kind::Successor] {
            let (own, others) = (texts(self, kind), texts(other, kind));
            if own != others {
                return Some(own.join(", "));
            }
        }
        if self.regions.len() != other.regions.len() {
            return Some("region".to_owned());
        }
        for part in &self.parts {
            let is_attribute = matches!(part.kind, Kind::Attribute | Kind::Property);
            if is_attribute && !other.has_attribute(&newer(part.name)) {
                return Some(part.name.to_owned());
            }
        }
        for entry in &self.entries {
            if !other.has_attribute(&newer(entry.key.trim_matches('"'))) {
                return Some(entry.key.to_owned());
            }
        }
        for directive in self.directives.iter().filter(|it| it.span.first < it.span.end) {
            let is_there = |it: &DirectiveText<'_>| it.span.text == directive.span.text;
            if !other.directives.iter().any(is_there) {
                return Some(directive.span.text.to_owned());
            }
        }
        None
    }
}

/// Returns the types of `(a, b) -> c`.
fn function<'t>(cursor: &Cursor<'t>, span: Span<'t>) -> Option<(Vec<Span<'t>>, Vec<Span<'t>>)> {
    let close = cursor.tokens().partner(span.first)?;
    let inputs = types(cursor, span.first + 1, close)?;
    let after = close + 2;
    let results = match cursor.kind(after) {
        T::LeftParen => types(cursor, after + 1, cursor.tokens().partner(after)?)?,
        _ => vec![Span { first: after, end: span.end, text: cursor.text_between(after, span.end) }],
    };
    Some((inputs, results))
}

fn types<'t>(cursor: &Cursor<'t>, first: u32, end: u32) -> Option<Vec<Span<'t>>> {
    let mut all = Vec::new();
    let mut at = first;
    while at < end {
        let next = skip::ty(cursor, at)?;
        all.push(Span { first: at, end: next, text: cursor.text_between(at, next) });
        at = next + 1;
    }
    Some(all)
}

/// Returns the class of an attribute's text in a format.
pub(super) fn class_of<'g>(grammar: &'g Format, kind: Kind, name: &str) -> Option<&'g Class> {
    grammar
        .entities
        .iter()
        .find(|entity| entity.kind == kind && entity.name == name)
        .map(|entity| &entity.class)
}
