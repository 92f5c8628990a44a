//! The pages of named constraints: the rule in words, its condition as a tree, and who demands it.

use std::collections::{BTreeMap, HashMap};

use odsmith_engine::{
    ods,
    record::{Rec, RecordId, name},
    shares,
};

use super::{Atlas, Body, Page, atlas::comment, page, parts, source, traits::Users};
use crate::{
    Note,
    memo::root_id,
    search,
    text::{dedent, first_sentence},
    view::{ConstraintPage, Fact, Link, Predicate, SCHEMA, Witnesses},
    witness::Witness,
};

/// Conditions deeper than this are only named.
const DEEPEST: usize = 24;

/// The pages of all named constraints.
pub(super) fn pages(atlas: &mut Atlas<'_>, uses: &Users, threads: usize, pages: &mut Vec<Page>) {
    let all: Vec<&(Rec<'_>, String)> = atlas.constraints.values().collect();
    let mut part_of: BTreeMap<String, Vec<Link>> = BTreeMap::new();
    for (rec, href) in &all {
        for part in parts_of(atlas, *rec) {
            let link = Link { text: rec.name().to_owned(), href: Some(href.clone()) };
            part_of.entry(part.href.unwrap_or_default()).or_default().push(link);
        }
    }
    let owners = Owners::new(all.iter().map(|(rec, _)| *rec));
    let made = shares::map(threads, &all, |(rec, href)| {
        let mut notes = Vec::new();
        let view = ConstraintPage {
            part_of: part_of.get(href).cloned().unwrap_or_default(),
            users: uses.by_dialect(href),
            ..view(atlas, &owners, *rec, href, &mut notes)
        };
        let summary = view.summary.clone().unwrap_or_default();
        (page(atlas, href, rec.name(), &summary, vec![], Body::Constraint(Box::new(view))), notes)
    });
    let dialect = atlas.index.dialect("");
    for (page, notes) in made {
        atlas.index.push(search::Row {
            kind: "constraint",
            dialect,
            name: page.frame.title.clone(),
            href: page.frame.path.clone(),
            summary: page.frame.description.clone(),
            ..search::Row::default()
        });
        atlas.notes.extend(notes);
        pages.push(page);
    }
}

fn view<'r>(
    atlas: &Atlas<'r>,
    owners: &Owners<'r>,
    rec: Rec<'r>,
    href: &str,
    notes: &mut Vec<Note>,
) -> ConstraintPage {
    let text = |field: &str| rec.optional_string(field).map(str::trim).filter(|text| !text.is_empty());
    let kind_title = match ods::Constraint::new(rec).kind() {
        ods::ConstraintKind::Type => "Type constraint",
        ods::ConstraintKind::Attribute => "Attribute constraint",
        ods::ConstraintKind::Property => "Property constraint",
        ods::ConstraintKind::Region => "Region constraint",
        ods::ConstraintKind::Successor => "Successor constraint",
        ods::ConstraintKind::Other => "Constraint",
    };
    // The description of what is wrapped is not its own.
    let description = atlas.prose(rec, href, notes);
    ConstraintPage {
        schema: SCHEMA,
        kind: "constraint",
        kind_title,
        name: rec.name().to_owned(),
        summary: text("summary").map(str::to_owned),
        description,
        predicate: rec
            .optional_def(name!("predicate"))
            .map(|predicate| tree(atlas, owners, rec, predicate, 0)),
        witnesses: witnesses(atlas, rec),
        facts: facts(rec),
        parts: parts_of(atlas, rec),
        source: source::source(atlas, rec),
        ..ConstraintPage::default()
    }
}

/// Types, or attributes, by whether they satisfy a constraint; what is not known is told apart.
fn witnesses(atlas: &Atlas<'_>, rec: Rec<'_>) -> Vec<Witnesses> {
    let constraint = ods::Constraint::new(rec);
    if constraint.predicate().is_none() {
        return Vec::new();
    }
    let judge = atlas.synthesiser.judge();
    let judged: Vec<(String, Witness)> = match constraint.kind() {
        ods::ConstraintKind::Type => {
            judge.witnesses(constraint).iter().map(|(ty, answer)| (ty.to_string(), *answer)).collect()
        }
        ods::ConstraintKind::Attribute => {
            let all = judge.attributes(&constraint.condition());
            all.iter().map(|(attr, answer)| (attr.text.clone(), *answer)).collect()
        }
        ods::ConstraintKind::Property
        | ods::ConstraintKind::Region
        | ods::ConstraintKind::Successor
        | ods::ConstraintKind::Other => Vec::new(),
    };
    let groups = [
        (Witness::Yes, "yes", "Accepted"),
        (Witness::No, "no", "Not accepted"),
        (Witness::Unknown, "unknown", "Not known"),
    ];
    let of = |wanted: Witness| {
        let mut items: Vec<String> = Vec::new();
        for (text, _) in judged.iter().filter(|(_, answer)| *answer == wanted) {
            if !items.contains(text) {
                items.push(text.clone());
            }
        }
        items
    };
    let groups =
        groups.into_iter().map(|(wanted, answer, title)| Witnesses { answer, title, items: of(wanted) });
    groups.filter(|group| !group.items.is_empty()).collect()
}

fn facts(rec: Rec<'_>) -> Vec<Fact> {
    const FIELDS: &[(&str, &str)] = &[
        ("C++ type", "cppType"),
        ("Stored as", "storageType"),
        ("Read as", "returnType"),
        ("Handled as", "interfaceType"),
        ("Default", "defaultValue"),
        ("Built by", "builderCall"),
        ("Built by", "constBuilderCall"),
        ("Checked by", "cppFunctionName"),
    ];
    let mut facts: Vec<Fact> = Vec::new();
    for (label, field) in FIELDS {
        let text = rec.optional_string(field).map(str::trim).filter(|text| !text.is_empty());
        let Some(text) = text.filter(|text| facts.iter().all(|fact| fact.code.as_deref() != Some(*text)))
        else {
            continue;
        };
        facts.push(Fact { label: (*label).to_owned(), code: Some(dedent(text)), ..Fact::default() });
    }
    facts
}

/// The constraints directly inside one, named ones only; inside those without a name one looks further.
fn inner<'r>(rec: Rec<'r>, found: &mut Vec<Rec<'r>>) {
    let mut direct = Vec::new();
    parts::direct_constraints(rec, &mut direct);
    for rec in direct {
        if rec.is_anonymous() && found.len() < 64 {
            inner(rec, found);
        } else if !found.contains(&rec) {
            found.push(rec);
        }
    }
}

fn parts_of(atlas: &Atlas<'_>, rec: Rec<'_>) -> Vec<Link> {
    let mut found = Vec::new();
    inner(rec, &mut found);
    found.into_iter().filter_map(|rec| constraint_link(atlas, rec)).collect()
}

/// A constraint that has a page, as readers know it.
fn constraint_link(atlas: &Atlas<'_>, rec: Rec<'_>) -> Option<Link> {
    let href = atlas.constraint_href(rec)?;
    let text = match atlas.registry.names.get(&href) {
        Some(name) => name.clone(),
        None => rec.name().to_owned(),
    };
    Some(Link { text, href: Some(href) })
}

/// Which named constraint a condition is the whole of, if it is that of one only. Each root has records of its own.
#[derive(Debug, Default)]
struct Owners<'r> {
    of: HashMap<usize, HashMap<RecordId, Option<Rec<'r>>>>,
}

impl<'r> Owners<'r> {
    /// Those in the roots of `all`.
    fn new(all: impl Iterator<Item = Rec<'r>>) -> Self {
        let mut of = HashMap::new();
        for rec in all {
            of.entry(root_id(rec)).or_insert_with(|| {
                let mut owners: HashMap<RecordId, Option<Rec<'r>>> = HashMap::new();
                for constraint in rec.records().derived("Constraint").filter(|rec| !rec.is_anonymous()) {
                    if let Ok(own) = constraint.def(name!("predicate")) {
                        owners.entry(own.id()).and_modify(|owner| *owner = None).or_insert(Some(constraint));
                    }
                }
                owners
            });
        }
        Owners { of }
    }

    fn of(&self, predicate: Rec<'r>) -> Option<Rec<'r>> {
        let owners = self.of.get(&root_id(predicate))?;
        owners.get(&predicate.id()).copied().flatten()
    }
}

/// The tree of a condition that belongs to `owner`. What another constraint with a page stands for is only named.
fn tree<'r>(
    atlas: &Atlas<'r>,
    owners: &Owners<'r>,
    owner: Rec<'r>,
    predicate: Rec<'r>,
    depth: usize,
) -> Predicate {
    let part = owners.of(predicate).filter(|part| depth > 0 && *part != owner);
    if let Some((part, link)) = part.and_then(|part| Some((part, constraint_link(atlas, part)?))) {
        let label = part.optional_string(name!("summary")).unwrap_or_default().trim().to_owned();
        return Predicate { kind: "constraint", label, name: Some(link), ..Predicate::default() };
    }
    let name = (!predicate.is_anonymous()).then(|| Link { text: predicate.name().to_owned(), href: None });
    let text = |field: &str| predicate.optional_string(field).unwrap_or_default().to_owned();
    if !predicate.is_subclass_of(name!("CombinedPred")) {
        // The parentheses are TableGen's.
        let code = text("predExpr");
        let code = code.strip_prefix('(').and_then(|code| code.strip_suffix(')')).unwrap_or(&code);
        let label = comment(predicate).map(|text| first_sentence(&text)).unwrap_or_default();
        return Predicate {
            kind: "code",
            label,
            name,
            code: Some(code.trim().to_owned()),
            children: Vec::new(),
        };
    }
    let (kind, label, code) = match predicate.def(name!("kind")).map(Rec::name).unwrap_or_default() {
        "PredCombinerAnd" => ("all", "all of", None),
        "PredCombinerOr" => ("any", "any of", None),
        "PredCombinerNot" => ("not", "not", None),
        "PredCombinerConcat" => ("around", "inside", Some(format!("{}…{}", text("prefix"), text("suffix")))),
        _ => ("where", "for", Some(format!("{} = {}", text("pattern"), text("replacement")))),
    };
    let children = if depth < DEEPEST { predicate.optional_defs(name!("children")) } else { Vec::new() };
    let children = children.into_iter().map(|child| tree(atlas, owners, owner, child, depth + 1)).collect();
    Predicate { kind, label: label.to_owned(), name, code, children }
}
