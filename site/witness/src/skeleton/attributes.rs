//! Spellings of attributes and properties in an example.

use odsmith_engine::ods::{Attribute, Property};

use crate::{Attr, Judge, Witness, attrs::Kind, types::Type};

/// The limit for candidates of one attribute.
const MOST: usize = 12;

/// A candidate for an attribute or property, with its spellings.
#[derive(Clone, Debug)]
pub(crate) struct AttrCandidate {
    /// The attribute itself.
    pub(crate) attr: Attr,
    /// The spelling in the custom form.
    pub(crate) bare: String,
    /// The spelling in a dictionary.
    pub(crate) full: String,
    /// The answer of the judge for its constraint.
    pub(crate) witness: Witness,
}

/// The name, or `word_index` if the name is empty.
pub(super) fn or_numbered(name: &str, word: &str, index: usize) -> String {
    if name.is_empty() { format!("{word}_{index}") } else { name.to_owned() }
}

/// Candidates that may satisfy the constraint of an attribute, those that do first.
pub(super) fn candidates(judge: &Judge, attribute: Attribute<'_>) -> Vec<AttrCandidate> {
    let base = attribute.base();
    if let Some(written) = enum_case(base) {
        return vec![written];
    }
    let condition = attribute.constraint().condition();
    if attribute.is_symbol_name() {
        let attr = Attr {
            kind: Kind::String("name".to_owned()),
            text: "\"name\"".to_owned(),
            bare: "@name".to_owned(),
        };
        let witness = judge.attr_satisfies(&condition, &attr);
        return vec![AttrCandidate { bare: attr.bare.clone(), full: attr.text.clone(), attr, witness }];
    }
    let has_type = attribute.value_type().is_some_and(|ty| ty.builder_call().is_some());
    let storage = base.storage_type().trim_start_matches("::");
    let own = judge.classes().attr_of(storage).into_iter();
    let own = own.chain(judge.classes().attrs_named_in(&condition));
    let mut all: Vec<(Attr, Witness)> = own
        .map(|attr| {
            let witness = judge.attr_satisfies(&condition, &attr);
            (attr, witness)
        })
        .filter(|(_, witness)| *witness != Witness::No)
        .collect();
    all.extend(judge.attributes(&condition).iter().cloned());
    // Among equal answers, attributes of the declared C++ class come first.
    all.sort_by_key(|(attr, witness)| (*witness, judge.classes().is_attr(attr, storage) != Some(true)));
    all.retain(|(attr, _)| judge.classes().is_attr(attr, storage) != Some(false));
    all.truncate(MOST);
    all.into_iter()
        .map(|(attr, witness)| {
            let bare = match &attr.kind {
                Kind::Def(_) => stripped(&attr.text),
                Kind::DenseArray(..) => attr.bare.clone(),
                _ if has_type => attr.bare.clone(),
                _ => attr.text.clone(),
            };
            AttrCandidate { bare, full: attr.text.clone(), attr, witness }
        })
        .collect()
}

/// The spelling of `#d.name<x>` in a format that implies the class: `<x>`; that of `#d<name x>` is `x`.
fn stripped(text: &str) -> String {
    let inside = text.split_once('<').filter(|(name, _)| !name.contains('.'));
    if let Some((_, body)) = inside.and_then(|(_, rest)| rest.strip_suffix('>')?.split_once(' ')) {
        return body.to_owned();
    }
    let end = text.find(['<', ' ']).unwrap_or(text.len());
    match text[end..].trim_start() {
        "" => text.to_owned(),
        body => body.to_owned(),
    }
}

/// An empty list of segment lengths.
pub(super) fn no_lengths() -> AttrCandidate {
    let attr = Attr::dense_array(&Type::int(32), Vec::new());
    AttrCandidate { bare: attr.bare.clone(), full: attr.text.clone(), attr, witness: Witness::Yes }
}

/// The first case of an enum whose attribute is an integer.
fn enum_case(base: Attribute<'_>) -> Option<AttrCandidate> {
    let (info, width) = base.integer_enum()?;
    let case = info.cases.first()?;
    let bare = if case.is_keyword() { case.spelling.to_owned() } else { format!("\"{}\"", case.spelling) };
    let attr = Attr::integer(case.value, &Type::int(u32::try_from(width).ok()?));
    Some(AttrCandidate { bare, full: attr.text.clone(), attr, witness: Witness::Yes })
}

/// A value for a property without a default value.
pub(super) fn property(property: Property<'_>) -> Option<AttrCandidate> {
    let ty = property.base().interface_type().trim_start_matches("::").to_owned();
    let (bare, full) = match ty.as_str() {
        "bool" => ("true", "true"),
        "int64_t" | "uint64_t" => ("1", "1 : i64"),
        "int32_t" | "uint32_t" => ("1", "1 : i32"),
        "llvm::StringRef" | "std::string" => ("\"text\"", "\"text\""),
        _ => return None,
    };
    let attr = Attr { kind: Kind::Unit, text: full.to_owned(), bare: bare.to_owned() };
    Some(AttrCandidate { attr, bare: bare.to_owned(), full: full.to_owned(), witness: Witness::Yes })
}
