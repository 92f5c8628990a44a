//! Traits and interfaces: what an operation has, and who has a trait.

use std::{collections::BTreeMap, sync::Arc};

use odsmith_engine::{
    ods::Predicate,
    record::{Rec, name},
    shares,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    Atlas, Body, Page,
    atlas::{comment, interface_name, namespace},
    count, meanings, page, parts, source,
};
use crate::{
    Note,
    links::Slugs,
    markdown,
    memo::{RecordKey, record_key},
    search,
    text::{dedent, first_sentence, qualify, unqualified},
    view::{Group, Inherited, Link, Method, Prose, Row, SCHEMA, Trait, TraitPage},
};

/// Lists in lists of traits are looked into so far.
const DEEPEST: usize = 8;

/// The traits of one definition, sorted by what they are.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) traits: Vec<Trait>,
    pub(super) interfaces: Vec<Trait>,
    /// Rules between operands and results.
    pub(super) constraints: Vec<Rule>,
    /// Effects on memory that hold for the whole operation; nothing where no trait tells of them.
    pub(super) effects: Option<Vec<String>>,
    /// Names of all traits and interfaces, those inside lists included.
    pub(super) flat: Vec<String>,
}

/// A rule between operands and results.
#[derive(Debug)]
pub(super) struct Rule {
    /// In words.
    pub(super) text: String,
    /// The trait that demands it, and its page.
    pub(super) by: Link,
    /// Its condition in C++.
    pub(super) condition: Option<String>,
}

/// Who uses what: page → dialect → rows.
#[derive(Debug, Default)]
pub(super) struct Users {
    of: FxHashMap<String, BTreeMap<String, Vec<Arc<Row>>>>,
}

impl Users {
    /// Notes that `row` of `dialect` uses what has the page `href`.
    pub(super) fn add(&mut self, href: &str, dialect: &str, row: &Arc<Row>) {
        if href == row.href {
            return;
        }
        if !self.of.contains_key(href) {
            self.of.insert(href.to_owned(), BTreeMap::new());
        }
        let Some(dialects) = self.of.get_mut(href) else { return };
        match dialects.get_mut(dialect) {
            Some(rows) if rows.last().is_some_and(|last| last.href == row.href) => {}
            Some(rows) => rows.push(Arc::clone(row)),
            None => {
                dialects.insert(dialect.to_owned(), vec![Arc::clone(row)]);
            }
        }
    }

    /// All users of a page as one list.
    pub(super) fn of(&self, href: &str) -> Option<Group> {
        let rows: Vec<Row> = self.of.get(href)?.values().flatten().map(|row| Row::clone(row)).collect();
        Some(Group::new("used-by", "Used by", None, rows))
    }

    /// All users of a page, dialect by dialect.
    pub(super) fn by_dialect(&self, href: &str) -> Vec<Group> {
        let mut ids = Slugs::default();
        let Some(dialects) = self.of.get(href) else { return Vec::new() };
        let group = |(dialect, rows): (&String, &Vec<Arc<Row>>)| {
            let rows = rows.iter().map(|row| Row::clone(row)).collect();
            Group::new(&ids.take(&format!("in-{dialect}")), dialect, None, rows)
        };
        dialects.iter().map(group).collect()
    }

    /// How many use a page.
    pub(super) fn count(&self, href: &str) -> usize {
        self.of.get(href).map_or(0, |dialects| dialects.values().map(Vec::len).sum())
    }
}

/// What a trait is called: with its parameters, and without.
fn names(rec: Rec<'_>) -> (String, String) {
    if rec.is_subclass_of(name!("Interface")) {
        let name = rec.optional_string(name!("cppInterfaceName")).unwrap_or(rec.name()).to_owned();
        return (name.clone(), name);
    }
    if !rec.is_anonymous() {
        return (rec.name().to_owned(), rec.name().to_owned());
    }
    let class = source::classes(rec).next().map(|class| class.name().to_owned());
    let mut native = rec.optional_string(name!("trait")).map(str::to_owned);
    if native.is_none() {
        // A list of traits is called by its class; its parameters stand with one of its members.
        let members = rec.optional_defs(name!("traits"));
        let found = members.into_iter().find(|member| member.is_subclass_of(name!("ParamNativeTrait")));
        native = found.and_then(|member| member.optional_string(name!("trait"))).map(str::to_owned);
    }
    let native = native.unwrap_or_default();
    let native = native.trim_end_matches("::Impl").trim_end_matches("::Trait");
    let is_generic = matches!(class.as_deref(), Some("ParamNativeTrait" | "ParamNativeOpTrait") | None);
    let base = match class {
        Some(class) if !is_generic && rec.optional_string(name!("trait")).is_none() => class,
        _ => native.split('<').next().map(unqualified).unwrap_or_default().to_owned(),
    };
    match native.split_once('<') {
        Some((_, parameters)) => (format!("{base}<{parameters}"), base),
        None => (base.clone(), base),
    }
}

/// The traits in a field, sorted by what they are.
pub(super) fn of<'r>(atlas: &Atlas<'r>, rec: Rec<'r>, field: &str) -> Found {
    let mut found = Found::default();
    for given in rec.optional_defs(field) {
        flatten(atlas, given, &mut found, 0);
        if given.is_subclass_of(name!("PredTrait")) {
            continue;
        }
        let given = meant(atlas, given);
        let link = entry(atlas, given);
        let list =
            if given.is_subclass_of(name!("Interface")) { &mut found.interfaces } else { &mut found.traits };
        if list.iter().all(|known| known.name.text != link.name.text) {
            list.push(link);
        }
    }
    found
}

/// The name of the interface that a trait without a name of its own tells its effects through: that of
/// `MemoryEffects<[...]>`.
fn through(rec: Rec<'_>) -> Option<String> {
    if !rec.is_anonymous() || !rec.is_subclass_of(name!("SideEffectsTraitBase")) {
        return None;
    }
    Some(qualify(&namespace(rec), rec.optional_string(name!("trait"))?.trim_end_matches("::Trait")))
}

/// What is shown of a trait: itself, or the interface that it is told through.
fn meant<'r>(atlas: &Atlas<'r>, rec: Rec<'r>) -> Rec<'r> {
    through(rec).and_then(|interface| atlas.interfaces.get(&interface)).copied().unwrap_or(rec)
}

/// Notes the names of a trait and of those in a list, and the rules among them.
fn flatten(atlas: &Atlas<'_>, rec: Rec<'_>, found: &mut Found, depth: usize) {
    let (_, name) = names(rec);
    if rec.is_subclass_of(name!("PredTrait")) {
        let text = rec.optional_string(name!("summary")).unwrap_or_default().trim().to_owned();
        let predicate =
            rec.optional_def(name!("predicate")).and_then(|predicate| Predicate::new(predicate).ok());
        let by = Link { text: name.clone(), href: address(atlas, rec, &name) };
        found.constraints.push(Rule { text, by, condition: predicate.map(|tree| tree.condition()) });
    }
    if rec.is_subclass_of(name!("SideEffectsTraitBase")) {
        let effects = rec.optional_defs(name!("effects"));
        found.effects.get_or_insert_default().extend(effects.into_iter().filter_map(parts::effect));
    }
    found.flat.push(name);
    if depth < DEEPEST {
        for inner in rec.optional_defs(name!("traits")) {
            flatten(atlas, inner, found, depth + 1);
        }
    }
}

/// A trait in a list, with the address of its page.
fn entry(atlas: &Atlas<'_>, rec: Rec<'_>) -> Trait {
    let (shown, name) = names(rec);
    let is_interface = rec.is_subclass_of(name!("Interface"));
    let href = address(atlas, rec, &name);
    let members = if is_interface { Vec::new() } else { rec.optional_defs(name!("traits")) };
    let parts = members
        .into_iter()
        .filter(|member| !member.is_subclass_of(name!("PredTrait")))
        .map(|member| link(atlas, member))
        .collect();
    let methods = rec.list("alwaysOverriddenMethods").into_iter().flatten();
    Trait {
        name: Link { text: shown, href },
        meaning: meaning(atlas, rec, &name),
        parts,
        methods: methods.filter_map(|method| method.as_str().map(str::to_owned)).collect(),
    }
}

fn meaning(atlas: &Atlas<'_>, rec: Rec<'_>, name: &str) -> Option<String> {
    // Many have the same trait.
    let lead = |text| atlas.leads.get::<str>(text, || first_sentence(&markdown::lead(&dedent(text))));
    let written = rec.optional_string(name!("description")).map(lead);
    let written = written.filter(|text| !text.is_empty()).map(|text| String::clone(&text));
    let written = written.or_else(|| comment(rec).map(|text| first_sentence(&text)));
    let known = meanings::of(name).map(|text| text.trim_end_matches('.').to_owned());
    if rec.is_subclass_of(name!("Interface")) || super::atlas::is_own(rec) {
        written.or(known)
    } else {
        known.or(written)
    }
}

/// The traits and interfaces that definitions have, in the order in which they come up.
pub(super) fn all_of<'r>(definitions: impl Iterator<Item = Rec<'r>>) -> Vec<Rec<'r>> {
    let mut all = Met::default();
    for given in definitions.flat_map(|rec| rec.optional_defs(name!("traits"))) {
        all.rules(given, 0);
        if given.is_subclass_of(name!("PredTrait")) {
            continue;
        }
        all.meet(given);
        let is_interface = given.is_subclass_of(name!("Interface"));
        let members = if is_interface { Vec::new() } else { given.optional_defs(name!("traits")) };
        for member in members.into_iter().filter(|member| !member.is_subclass_of(name!("PredTrait"))) {
            all.meet(member);
        }
    }
    all.order
}

/// Records in the order in which they were met, each once.
#[derive(Default)]
struct Met<'r> {
    known: FxHashSet<RecordKey>,
    order: Vec<Rec<'r>>,
}

impl<'r> Met<'r> {
    fn meet(&mut self, rec: Rec<'r>) {
        if self.known.insert(record_key(rec)) {
            self.order.push(rec);
        }
    }

    /// Meets the rules among a trait and those in its lists.
    fn rules(&mut self, rec: Rec<'r>, depth: usize) {
        if rec.is_subclass_of(name!("PredTrait")) {
            self.meet(rec);
        }
        if depth < DEEPEST {
            for inner in rec.optional_defs(name!("traits")) {
                self.rules(inner, depth + 1);
            }
        }
    }
}

/// Gives a trait or interface its page, unless it has one.
pub(super) fn enlist<'r>(atlas: &mut Atlas<'r>, rec: Rec<'r>) {
    let interface = through(rec).and_then(|wanted| {
        if atlas.registry.cpp.contains_key(&wanted) {
            return atlas.interfaces.get(&wanted).copied();
        }
        rec.records().derived("Interface").find(|interface| interface_name(*interface) == wanted)
    });
    let rec = interface.unwrap_or(rec);
    let (_, name) = names(rec);
    give_address(atlas, rec, &name, rec.is_subclass_of(name!("Interface")));
}

/// The page of a trait or interface that was enlisted.
fn address(atlas: &Atlas<'_>, rec: Rec<'_>, name: &str) -> Option<String> {
    let known = if rec.is_subclass_of(name!("Interface")) {
        atlas.registry.cpp.get(&interface_name(rec))
    } else {
        atlas.traits.get(name).map(|(_, href)| href)
    };
    known.cloned()
}

/// The page of a trait; it gets one now if it has none yet.
pub(super) fn give_address<'r>(
    atlas: &mut Atlas<'r>,
    rec: Rec<'r>,
    name: &str,
    is_interface: bool,
) -> String {
    if is_interface {
        let qualified = interface_name(rec);
        if let Some(href) = atlas.registry.cpp.get(&qualified) {
            return href.clone();
        }
        let href = format!("interface/{}.html", atlas.interface_slugs.take(name));
        atlas.interfaces.entry(qualified.clone()).or_insert(rec);
        atlas.registry.cpp.insert(qualified, href.clone());
        atlas.registry.traits.entry(name.to_owned()).or_insert_with(|| href.clone());
        return href;
    }
    if let Some((_, href)) = atlas.traits.get(name) {
        return href.clone();
    }
    let href = format!("trait/{}.html", atlas.trait_slugs.take(name));
    atlas.traits.insert(name.to_owned(), (rec, href.clone()));
    atlas.registry.traits.entry(name.to_owned()).or_insert_with(|| href.clone());
    href
}

/// The pages of all traits and interfaces that something has, or that the bundle defines.
pub(super) fn pages(atlas: &mut Atlas<'_>, uses: &Users, threads: usize) -> Vec<Page> {
    let traits =
        atlas.traits.iter().map(|(name, (rec, href))| Given { rec: *rec, name, href, interface: None });
    let interfaces = atlas.interfaces.iter().filter_map(|(qualified, rec)| {
        let href = atlas.registry.cpp.get(qualified)?;
        Some(Given { rec: *rec, name: unqualified(qualified), href, interface: Some(qualified) })
    });
    let given: Vec<Given<'_, '_>> = traits.chain(interfaces).collect();
    let made = shares::map(threads, &given, |given| trait_page(atlas, given, uses));
    let none = atlas.index.dialect("");
    let mut pages = Vec::with_capacity(made.len());
    for (mut row, page, notes) in made {
        row.dialect = none;
        atlas.index.push(row);
        atlas.notes.extend(notes);
        pages.push(page);
    }
    pages
}

/// A trait or interface that gets a page.
struct Given<'a, 'r> {
    rec: Rec<'r>,
    name: &'a str,
    href: &'a str,
    /// The qualified name of an interface.
    interface: Option<&'a String>,
}

fn trait_page<'r>(atlas: &Atlas<'r>, given: &Given<'_, 'r>, uses: &Users) -> (search::Row, Page, Vec<Note>) {
    let Given { rec, name, href, interface } = *given;
    let interface = interface.cloned();
    let mut notes = Vec::new();
    let kind = if interface.is_some() { "interface" } else { "trait" };
    let kind_title = match () {
        () if interface.is_none() => "Trait",
        () if rec.is_subclass_of(name!("AttrInterface")) => "Attribute interface",
        () if rec.is_subclass_of(name!("TypeInterface")) => "Type interface",
        () => "Operation interface",
    };
    // What is known of a trait without a name of its own stands at its class.
    let home = match rec.records().class(name) {
        Some(class) if rec.is_anonymous() => class,
        _ => rec,
    };
    let summary = meaning(atlas, rec, name).or_else(|| meaning(atlas, home, name)).unwrap_or_default();
    let mut description = if home.is_anonymous() { None } else { atlas.prose(home, href, &mut notes) };
    if description.is_none() && !summary.is_empty() {
        description = Some(Prose { md: format!("{summary}."), is_harvested: false });
    }
    let members = if interface.is_some() { Vec::new() } else { rec.optional_defs(name!("traits")) };
    let parts: Vec<Link> = members.into_iter().map(|member| link(atlas, member)).collect();
    let field = if interface.is_some() { "baseInterfaces" } else { "dependentTraits" };
    let needs: Vec<Link> = rec.optional_defs(field).into_iter().map(|needed| link(atlas, needed)).collect();
    // Each root has its own record of an interface.
    let is_base = |other: &&Rec<'r>| {
        let bases = other.optional_defs(name!("baseInterfaces"));
        bases.into_iter().any(|base| Some(interface_name(base)) == interface)
    };
    let derived = match &interface {
        Some(_) => atlas.interfaces.values().filter(is_base).map(|other| link(atlas, *other)).collect(),
        None => Vec::new(),
    };
    let code = |field: &str| rec.optional_string(field).map(dedent).filter(|text| !text.trim().is_empty());
    let users = uses.by_dialect(href);
    let native = rec.optional_string(name!("trait")).map(|text| text.split('<').next().unwrap_or_default());
    let needs_label = if interface.is_some() { "Derives from" } else { "Stands behind" };
    let verify = code("verify");
    let extra_class_declaration =
        code("extraClassDeclaration").or_else(|| code("extraConcreteClassDeclaration"));
    let extra_shared_declaration = code("extraSharedClassDeclaration");
    let view = TraitPage {
        schema: SCHEMA,
        kind,
        kind_title: kind_title.to_owned(),
        name: name.to_owned(),
        cpp_class: interface.or_else(|| native.map(|text| qualify(&namespace(rec), text))),
        description,
        parts,
        needs_label,
        needs,
        derived,
        methods: methods(rec),
        inherited: inherited(atlas, rec),
        has_cpp: verify.is_some() || extra_class_declaration.is_some() || extra_shared_declaration.is_some(),
        verify,
        extra_class_declaration,
        extra_shared_declaration,
        users,
        source: (!home.is_anonymous()).then(|| source::source(atlas, home)).flatten(),
    };
    let page = page(atlas, href, name, &summary, vec![], Body::Trait(Box::new(view)));
    let (name, href) = (name.to_owned(), href.to_owned());
    (search::Row { kind, name, href, summary, ..search::Row::default() }, page, notes)
}

/// A trait or interface with its page, if it has one.
fn link(atlas: &Atlas<'_>, rec: Rec<'_>) -> Link {
    let rec = meant(atlas, rec);
    let (text, name) = names(rec);
    Link { text, href: address(atlas, rec, &name) }
}

/// The methods of all interfaces that this one derives from, directly or not.
fn inherited(atlas: &Atlas<'_>, rec: Rec<'_>) -> Vec<Inherited> {
    fn visit<'r>(rec: Rec<'r>, depth: usize, found: &mut Vec<Rec<'r>>) {
        for base in rec.optional_defs(name!("baseInterfaces")) {
            if depth < 16 && !found.contains(&base) {
                found.push(base);
                visit(base, depth + 1, found);
            }
        }
    }
    let mut bases = Vec::new();
    visit(rec, 0, &mut bases);
    let inherited = bases.into_iter().map(|base| {
        let from = link(atlas, base);
        let place = |method: Method| {
            let href = from.href.as_ref().map(|href| format!("{href}#{}", method.id));
            Link { text: method.name, href }
        };
        let methods = methods(base).into_iter().map(place).collect();
        Inherited { from, methods }
    });
    inherited.filter(|base| !base.methods.is_empty()).collect()
}

fn methods(rec: Rec<'_>) -> Vec<Method> {
    let mut ids = Slugs::default();
    let all = rec.optional_defs(name!("methods"));
    all.into_iter()
        .map(|method| {
            let text = |field: &str| method.optional_string(field).unwrap_or_default().trim().to_owned();
            let name = text("name");
            let parameters =
                method.dag(name!("arguments")).map(super::op::parameters).unwrap_or_default().join(", ");
            let description = Some(dedent(&text("description"))).filter(|md| !md.is_empty());
            let code = |field: &str| {
                method.optional_string(field).map(dedent).filter(|text| !text.trim().is_empty())
            };
            let (body, default_body) = (code("body"), code("defaultBody"));
            Method {
                id: ids.take(&format!("method-{name}")),
                signature: format!("{} {name}({parameters})", text("returnType")),
                name,
                is_static: method.is_subclass_of(name!("StaticInterfaceMethod")),
                has_default: default_body.is_some() || body.is_some(),
                body,
                default_body,
                description: description.map(|md| Prose { md, is_harvested: false }),
            }
        })
        .collect()
}

/// All traits or interfaces as an index, with the number of those who have them.
pub(super) fn group(atlas: &Atlas<'_>, uses: &Users, wants_interfaces: bool) -> Group {
    let row = |name: &str, href: &str, rec: Rec<'_>| {
        let users = count(uses.count(href), "user");
        let meaning = meaning(atlas, rec, name);
        let summary = meaning.unwrap_or_else(|| format!("{} {}", users.number, users.what));
        Row { name: name.to_owned(), href: href.to_owned(), summary, ..Row::default() }
    };
    let mut rows: Vec<Row> = if wants_interfaces {
        let all = atlas.interfaces.iter();
        all.filter_map(|(name, rec)| Some(row(unqualified(name), atlas.registry.cpp.get(name)?, *rec)))
            .collect()
    } else {
        atlas.traits.iter().map(|(name, (rec, href))| row(name, href, *rec)).collect()
    };
    rows.sort_by(|a, b| a.name.cmp(&b.name));
    let (id, title) = if wants_interfaces { ("interfaces", "Interfaces") } else { ("traits", "Traits") };
    Group::new(id, title, None, rows)
}
