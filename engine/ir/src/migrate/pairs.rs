//! The operations of both releases: equal, changed, renamed or gone.

use odsmith_interchange::grammar::{Class, Element, Format, Kind, Parameter, program::Parser};
use rustc_hash::FxHashMap;

use crate::definitions::{Definitions, OperationDef, PartDef};

/// The newer operation of an older one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Partner {
    /// One of the same name.
    Same(u32),
    /// One of another name, whose definition is otherwise equal.
    Renamed(u32),
    /// None.
    Gone,
}

/// An operation of the older release, and what became of it.
#[derive(Debug)]
pub(super) struct Pair {
    pub(super) partner: Partner,
    /// True if no text of it changes.
    pub(super) is_unchanged: bool,
    /// True if the formats differ.
    pub(super) is_changed: bool,
    /// The attributes that the newer operation does not have.
    pub(super) lost: Vec<Box<str>>,
    /// Parts of another name whose definition is equal: the older and the newer name.
    pub(super) renamed: Vec<(Box<str>, Box<str>)>,
    /// The parser of the older format, if it is declared.
    pub(super) old_parser: Option<Parser>,
    /// The parser of the newer format, if it is declared.
    pub(super) new_parser: Option<Parser>,
}

/// All operations of the older release, by their numbers.
#[derive(Debug)]
pub(super) struct Pairs(Vec<Pair>);

impl Pairs {
    pub(super) fn new(old: &Definitions, new: &Definitions) -> Self {
        let renames = Renames::new(old, new);
        Pairs(old.operations().iter().map(|def| Pair::new(def, old, new, &renames)).collect())
    }

    pub(super) fn get(&self, operation: u16) -> Option<&Pair> {
        self.0.get(usize::from(operation))
    }
}

/// The operations that only the newer release has, by the last part of their C++ class.
struct Renames<'d>(FxHashMap<&'d str, Vec<(u32, &'d OperationDef)>>);

fn class_name(def: &OperationDef) -> &str {
    def.class.rsplit("::").next().unwrap_or(&def.class)
}

impl<'d> Renames<'d> {
    fn new(old: &Definitions, new: &'d Definitions) -> Self {
        let mut fresh: FxHashMap<&str, Vec<(u32, &OperationDef)>> = FxHashMap::default();
        for (index, def) in (0..).zip(new.operations()) {
            if old.operation(&def.name).is_none() {
                fresh.entry(class_name(def)).or_default().push((index, def));
            }
        }
        Renames(fresh)
    }

    /// Returns the only new operation of the same class name whose definition is equal.
    fn of(&self, def: &OperationDef) -> Option<u32> {
        let found = self.0.get(class_name(def))?;
        let mut equal = found.iter().filter(|(_, other)| is_equal(def, other));
        let first = equal.next()?;
        equal.next().is_none().then_some(first.0)
    }
}

/// Returns whether two definitions are equal but for the names of operation and dialect.
fn is_equal(old: &OperationDef, new: &OperationDef) -> bool {
    let is_same = |(a, b): (&PartDef, &PartDef)| {
        let attribute = |part: &PartDef| {
            part.attribute
                .as_ref()
                .map(|it| (local(&it.storage, old, new), it.value_type.clone(), it.is_unit))
        };
        (a.kind, &a.name, a.low, a.high) == (b.kind, &b.name, b.low, b.high) && attribute(a) == attribute(b)
    };
    let is_form = match (&old.grammar, &new.grammar) {
        (Some(a), Some(b)) => is_same_format(a, b, old, new),
        (None, None) => std::mem::discriminant(&old.form) == std::mem::discriminant(&new.form),
        _ => false,
    };
    is_form && old.parts.len() == new.parts.len() && old.parts.iter().zip(&new.parts).all(is_same)
}

/// Returns a C++ class without the namespaces of the dialects of both operations.
fn local(class: &str, old: &OperationDef, new: &OperationDef) -> String {
    let space = |def: &OperationDef| {
        def.class
            .rsplit_once("::")
            .map_or(String::new(), |(space, _)| space.trim_start_matches("::").to_owned())
    };
    let class = class.trim_start_matches("::");
    for space in [space(old), space(new)] {
        if let Some(rest) = class.strip_prefix(&*space)
            && !space.is_empty()
        {
            return rest.to_owned();
        }
    }
    class.to_owned()
}

/// Returns the format with classes that do not depend on a dialect's namespace, and without blanks.
fn is_same_format(a: &Format, b: &Format, old: &OperationDef, new: &OperationDef) -> bool {
    let class = |class: &Class| match class {
        Class::Own(own) => Class::Own(local(own, old, new)),
        Class::Type(own) => Class::Type(local(own, old, new)),
        class => class.clone(),
    };
    let entities = |format: &Format| -> Vec<_> {
        let all = format.entities.iter();
        all.map(|it| {
            (
                it.kind,
                it.name.clone(),
                it.low,
                it.high,
                it.is_all,
                it.has_runs,
                it.is_unit,
                it.has_default,
                class(&it.class),
                class(&it.type_class),
            )
        })
        .collect()
    };
    without_blanks(&a.elements, a) == without_blanks(&b.elements, b) && entities(a) == entities(b)
}

/// Returns the elements of a newer format after those that both formats begin with, if the older one has only a dictionary
/// after them.
pub(super) fn tail(old: &Format, new: &Format) -> Option<Vec<Element>> {
    let is_shown = |element: &&Element| !matches!(element, Element::Whitespace(_));
    let mut rest = new.elements.iter();
    let mut own = old.elements.iter().filter(is_shown).peekable();
    while let Some(element) = own.next() {
        if own.peek().is_none() {
            let is_dictionary = matches!(element, Element::AttrDict { .. });
            return is_dictionary.then(|| rest.cloned().collect());
        }
        let other = rest.by_ref().find(is_shown)?;
        let is_same = without_blanks(std::slice::from_ref(element), old)
            == without_blanks(std::slice::from_ref(other), new);
        if !is_same || matches!(element, Element::AttrDict { .. } | Element::PropDict) {
            return None;
        }
    }
    None
}

/// Returns elements as a text without blanks, in which entities have their names.
fn without_blanks(elements: &[Element], format: &Format) -> String {
    let mut out = String::new();
    for element in elements {
        write(element, format, &mut out);
    }
    out
}

fn write(element: &Element, format: &Format, out: &mut String) {
    use std::fmt::Write as _;
    let name = |index: usize| format.entities.get(index).map_or("", |entity| &*entity.name);
    // Writing to a text does not fail.
    let _ = match element {
        Element::Whitespace(_) => Ok(()),
        Element::Literal(text) => write!(out, "`{text}` "),
        Element::Entity(index) => write!(out, "${} ", name(*index)),
        Element::Type(index) => write!(out, "type({}) ", name(*index)),
        Element::FunctionalType { inputs, results } => {
            write!(out, "functional-type({}, {}) ", name(*inputs), name(*results))
        }
        Element::AttrDict { with_keyword } => write!(out, "attr-dict({with_keyword}) "),
        Element::PropDict => write!(out, "prop-dict "),
        Element::Custom { name: custom, parameters } => {
            let _ = write!(out, "custom<{custom}>(");
            for parameter in parameters {
                let _ = match parameter {
                    Parameter::Entity(index) => write!(out, "${} ", name(*index)),
                    Parameter::Type(index) => write!(out, "type({}) ", name(*index)),
                    Parameter::Ref { of } => write!(out, "ref({:?}) ", of.entity().map(name)),
                    Parameter::Other => write!(out, "other "),
                };
            }
            write!(out, ") ")
        }
        Element::OiList(clauses) => {
            out.push_str("oilist(");
            for clause in clauses {
                let _ = write!(out, "`{}` ", clause.keyword);
                clause.elements.iter().for_each(|element| write_one(element, format, out));
                out.push('|');
            }
            write!(out, ") ")
        }
        Element::Optional { then, otherwise, anchor, is_inverted } => {
            let branch = if *is_inverted { otherwise } else { then };
            let decides = branch.get(*anchor).map(|anchor| format.decides(anchor)).unwrap_or_default();
            let decides: Vec<&str> = decides.into_iter().map(name).collect();
            let _ = write!(out, "({decides:?} {is_inverted} ");
            then.iter().for_each(|element| write_one(element, format, out));
            out.push(':');
            otherwise.iter().for_each(|element| write_one(element, format, out));
            write!(out, ") ")
        }
        Element::Params(_) | Element::Struct(_) => write!(out, "{element:?}"),
    };
}

fn write_one(element: &Element, format: &Format, out: &mut String) {
    write(element, format, out);
}

impl Pair {
    fn new(def: &OperationDef, old: &Definitions, new: &Definitions, renames: &Renames<'_>) -> Self {
        let _ = old;
        let partner = match new.operation(&def.name) {
            Some(same) => Partner::Same(same),
            None => renames.of(def).map_or(Partner::Gone, Partner::Renamed),
        };
        let other = match partner {
            Partner::Same(index) | Partner::Renamed(index) => new.get(index),
            Partner::Gone => None,
        };
        let Some(other) = other else {
            return Pair {
                partner,
                is_unchanged: false,
                is_changed: true,
                lost: Vec::new(),
                renamed: Vec::new(),
                old_parser: None,
                new_parser: None,
            };
        };
        let is_changed = match (&def.grammar, &other.grammar) {
            (Some(a), Some(b)) => !is_same_format(a, b, def, other),
            (None, None) => false,
            _ => true,
        };
        let is_attribute = |part: &&PartDef| matches!(part.kind, Kind::Attribute | Kind::Property);
        let own = def.parts.iter().filter(is_attribute);
        let lost = own.filter(|part| other.attribute(&part.name).is_none()).map(|part| part.name.clone());
        let mut lost: Vec<Box<str>> = lost.collect();
        let renamed = renamed_parts(def, other);
        lost.retain(|name| renamed.iter().all(|(old, _)| old != name));
        // Without attributes nothing can be in a wrong dictionary.
        let may_be_strict =
            other.is_strict && !def.is_strict && other.parts.iter().any(|part| is_attribute(&part));
        let is_renamed = matches!(partner, Partner::Renamed(_));
        // The table may have another row for the newer release.
        let is_row = def.grammar.is_none() && other.grammar.is_none();
        let has_other_row = is_row && def.program != other.program;
        let is_unchanged = !is_changed && !may_be_strict && !is_renamed && !has_other_row && lost.is_empty();
        let parser = |format: &Option<Format>| {
            format.as_ref().filter(|_| !is_unchanged).map(|format| Parser::new(format, &|_| true))
        };
        Pair {
            partner,
            is_unchanged,
            is_changed,
            lost,
            renamed,
            old_parser: parser(&def.grammar),
            new_parser: parser(&other.grammar),
        }
    }
}

/// Returns the parts that only the older operation has, with the only part that only the newer one has and that is equal
/// but for the name.
fn renamed_parts(old: &OperationDef, new: &OperationDef) -> Vec<(Box<str>, Box<str>)> {
    let only = |own: &'_ OperationDef, other: &OperationDef| -> Vec<PartDef> {
        let has = |part: &PartDef| other.parts.iter().any(|it| it.kind == part.kind && it.name == part.name);
        own.parts.iter().filter(|part| !part.name.is_empty() && !has(part)).cloned().collect()
    };
    let (gone, fresh) = (only(old, new), only(new, old));
    let key = |part: &PartDef| {
        let attribute = part.attribute.as_ref();
        (
            part.kind,
            part.low,
            part.high,
            attribute.map(|it| (it.storage.clone(), it.value_type.clone(), it.is_unit)),
        )
    };
    let is_single =
        |part: &PartDef, all: &[PartDef]| all.iter().filter(|it| key(it) == key(part)).count() == 1;
    let mut renamed = Vec::new();
    for part in gone.iter().filter(|part| is_single(part, &gone) && is_single(part, &fresh)) {
        // An attribute that may be absent can be a new one.
        let is_certain = part.low > 0 || !matches!(part.kind, Kind::Attribute | Kind::Property);
        let other = fresh.iter().find(|it| key(it) == key(part)).filter(|_| is_certain);
        renamed.extend(other.map(|other| (part.name.clone(), other.name.clone())));
    }
    renamed
}

/// Returns the new name of an operation, as short as the old one is written.
pub(super) fn written(text: &str, old: &OperationDef, new: &OperationDef) -> String {
    let is_short = !text.contains('.') || !text.starts_with(old.dialect());
    match new.name.split_once('.') {
        Some((dialect, name)) if is_short && dialect == old.dialect() => name.to_owned(),
        _ => new.name.to_string(),
    }
}
