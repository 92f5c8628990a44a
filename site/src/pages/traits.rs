//! Traits and interfaces: those of each definition, and the pages of all of them.

use std::{cmp::Reverse, collections::BTreeMap, sync::Arc};

use odsmith_engine::{
    ods::{self, Definition, DefinitionKind, InterfaceKind},
    parallel,
    record::Rec,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    Atlas, Body, Page,
    atlas::{cpp_class, namespace},
    count,
    harvest::comment,
    headings::Headings,
    kind::{Kind, Searched, Subject, text},
    meanings, page, source,
};
use crate::{
    Note,
    commonmark::code,
    flavor::Writer,
    links::Slugs,
    markdown,
    memo::{RecordKey, record_key},
    search,
    text::{dedent, first_sentence, qualify, unqualified},
    view::{Change, Group, Inherited, Link, Method, Prose, Row, SCHEMA, Trait, TraitPage},
};

/// The traits of a definition, by kind.
#[derive(Debug, Default)]
pub(super) struct DefinitionTraits<'r> {
    pub(super) traits: Vec<Trait>,
    pub(super) interfaces: Vec<Trait>,
    /// Constraints on operands and results.
    pub(super) constraints: Vec<Rule>,
    /// All traits, with those inside lists and those that others derive from.
    pub(super) all: Vec<ods::Trait<'r>>,
}

impl DefinitionTraits<'_> {
    /// Tests if there is a trait or interface of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.all.iter().any(|t| names(*t).1 == name)
    }

    /// The parameters of the traits with this C++ name.
    pub(super) fn parameters(&self, name: &str) -> Vec<&str> {
        self.all.iter().filter_map(|t| t.parameters(name)).flatten().collect()
    }

    /// The pages of all traits and interfaces.
    pub(super) fn hrefs(&self, atlas: &Atlas<'_>) -> Vec<String> {
        let shown = self.traits.iter().chain(&self.interfaces).map(|shown| shown.name.href.clone());
        let rest = self.all.iter().map(|t| link(atlas, *t).href);
        shown.chain(rest).flatten().collect()
    }
}

/// A constraint on operands and results.
#[derive(Debug)]
pub(super) struct Rule {
    /// The constraint in words.
    pub(super) text: String,
    /// The trait that demands it, and its page.
    pub(super) by: Link,
    /// The condition in C++.
    pub(super) condition: Option<String>,
}

/// The suffixes of pages in the keys of [`Users`]: definitions that accept a value of a type, those that return
/// one, and those that have a type or an attribute as a parameter.
pub(super) const TAKEN_BY: &str = "#taken-by";
pub(super) const RETURNED_BY: &str = "#returned-by";
pub(super) const PARAMETER_OF: &str = "#parameter-of";

/// The users of each page: page → dialect → rows.
#[derive(Debug, Default)]
pub(super) struct Users {
    of: FxHashMap<String, BTreeMap<String, Vec<Arc<Row>>>>,
}

impl Users {
    /// Records that `row` of `dialect` uses the definition with the page `href`.
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

    /// All users of a page as one group: first those of its own dialect, then those of the dialects with the most.
    pub(super) fn of(&self, href: &str) -> Option<Group> {
        let own = href.split('/').next().unwrap_or_default();
        let mut dialects: Vec<(&String, &Vec<Arc<Row>>)> = self.of.get(href)?.iter().collect();
        dialects.sort_by_key(|(name, rows)| (*name != own, Reverse(rows.len())));
        let rows = dialects.into_iter().flat_map(|(_, rows)| rows).map(|row| Row::clone(row)).collect();
        Some(Group::new("used-by", "Used by", None, rows))
    }

    /// The users of a type or attribute by role; those that only mention it come last.
    pub(super) fn by_role(&self, href: &str) -> Vec<Group> {
        const ROLES: &[(&str, &str, &str)] = &[
            (TAKEN_BY, "taken-by", "Taken by"),
            (RETURNED_BY, "returned-by", "Returned by"),
            (PARAMETER_OF, "parameter-of", "Parameter of"),
        ];
        let mut groups: Vec<Group> = Vec::new();
        for (role, id, title) in ROLES {
            if let Some(group) = self.of(&format!("{href}{role}")) {
                groups.push(Group { id: (*id).to_owned(), title: (*title).to_owned(), ..group });
            }
        }
        if let Some(mut rest) = self.of(href) {
            let is_known =
                |row: &Row| groups.iter().any(|group| group.rows.iter().any(|known| known.href == row.href));
            rest.rows.retain(|row| !is_known(row));
            if !rest.rows.is_empty() {
                let title = if groups.is_empty() { "Used by" } else { "Mentioned by" };
                groups.push(Group::new("used-by", title, None, rest.rows));
            }
        }
        groups
    }

    /// The users of a page by dialect.
    pub(super) fn by_dialect(&self, href: &str) -> Vec<Group> {
        let mut ids = Slugs::default();
        let Some(dialects) = self.of.get(href) else { return Vec::new() };
        let group = |(dialect, rows): (&String, &Vec<Arc<Row>>)| {
            let rows = rows.iter().map(|row| Row::clone(row)).collect();
            Group::new(&ids.take(&format!("in-{dialect}")), dialect, None, rows)
        };
        dialects.iter().map(group).collect()
    }

    /// The number of users of a page.
    pub(super) fn count(&self, href: &str) -> usize {
        self.of.get(href).map_or(0, |dialects| dialects.values().map(Vec::len).sum())
    }
}

/// The name of a trait with its parameters, and without them.
fn names(t: ods::Trait<'_>) -> (String, String) {
    let rec = t.rec();
    if t.interface().is_some() {
        let name = Definition::new(rec).cpp_class_name().to_owned();
        return (name.clone(), name);
    }
    if !rec.is_anonymous() {
        return (rec.name().to_owned(), rec.name().to_owned());
    }
    let class = source::classes(rec).next().map(|class| class.name());
    // A list of traits is named after its class; its parameters are those of one of its members.
    let native = match t.trait_name() {
        "" => t.members().find(|member| member.is_parametric()).map_or("", ods::Trait::trait_name),
        name => name,
    };
    let native = native.trim_end_matches("::Impl").trim_end_matches("::Trait");
    let is_generic = matches!(class, Some("ParamNativeTrait" | "ParamNativeOpTrait") | None);
    let base = match class {
        Some(class) if !is_generic && t.trait_name().is_empty() => class,
        _ => native.split('<').next().map(unqualified).unwrap_or_default(),
    };
    match native.split_once('<') {
        Some((_, parameters)) => (format!("{base}<{parameters}"), base.to_owned()),
        None => (base.to_owned(), base.to_owned()),
    }
}

/// The traits of a definition: those that it names, and `more` that follow from others.
pub(super) fn of<'r>(atlas: &Atlas<'r>, rec: Rec<'r>, more: &[ods::Trait<'r>]) -> DefinitionTraits<'r> {
    let given = Definition::new(rec).traits();
    let all = ods::Trait::closed(given.iter().chain(more).copied());
    let mut found = DefinitionTraits::default();
    let not_rules = |t: &&ods::Trait<'r>| t.kind() != ods::TraitKind::Predicate;
    for t in given.iter().filter(not_rules).map(|t| meant(atlas, *t)).filter(|t| t.interface().is_none()) {
        add(&mut found.traits, entry(atlas, t));
    }
    for t in given.iter().chain(&all).filter_map(|t| interface(atlas, *t)) {
        add(&mut found.interfaces, entry(atlas, t));
    }
    for t in all.iter().filter(|t| t.kind() == ods::TraitKind::Predicate) {
        let (_, name) = names(*t);
        found.constraints.push(Rule {
            text: t.summary().trim().to_owned(),
            by: Link { href: address(atlas, *t, &name), text: name },
            condition: t.predicate().map(|tree| tree.condition()),
        });
    }
    DefinitionTraits { all, ..found }
}

fn add(list: &mut Vec<Trait>, shown: Trait) {
    if list.iter().all(|known| known.name.text != shown.name.text) {
        list.push(shown);
    }
}

/// The name of the interface by which a trait reports its effects.
fn through(t: ods::Trait<'_>) -> Option<String> {
    t.is_side_effects().then(|| qualify(t.cpp_namespace(), t.trait_name().trim_end_matches("::Trait")))
}

/// The interface that a trait is, or by which it reports its effects.
fn interface<'r>(atlas: &Atlas<'r>, t: ods::Trait<'r>) -> Option<ods::Trait<'r>> {
    match t.interface() {
        Some(_) => Some(t),
        None => atlas.interfaces.get(&through(t)?).copied(),
    }
}

/// The trait to show: itself, or the interface that an anonymous one such as `MemoryEffects<[...]>` represents.
fn meant<'r>(atlas: &Atlas<'r>, t: ods::Trait<'r>) -> ods::Trait<'r> {
    if t.rec().is_anonymous() { interface(atlas, t).unwrap_or(t) } else { t }
}

/// The entry of a trait in a list, with the address of its page.
fn entry(atlas: &Atlas<'_>, t: ods::Trait<'_>) -> Trait {
    let (shown, name) = names(t);
    // The traits in all nested lists; the lists themselves are on the trait's own page.
    let all = ods::Trait::closed(t.members());
    let is_leaf = |member: &&ods::Trait<'_>| member.members().next().is_none();
    let parts = all.iter().filter(|member| member.kind() != ods::TraitKind::Predicate).filter(is_leaf);
    let meaning = meaning(atlas, t.rec(), &name);
    let methods = t.interface().map(ods::Interface::always_overridden_methods).unwrap_or_default();
    Trait {
        name: Link { text: shown, href: address(atlas, t, &name) },
        is_harvested: meaning.as_ref().is_some_and(|meaning| meaning.is_harvested),
        meaning: meaning.map(|meaning| meaning.text),
        parts: parts.map(|member| link(atlas, *member)).collect(),
        methods: methods.into_iter().map(str::to_owned).collect(),
    }
}

/// The meaning of a trait in one line.
struct Meaning {
    text: String,
    /// True if it is from a comment.
    is_harvested: bool,
}

/// The meaning of a trait or interface, or of the class of an anonymous one.
fn meaning(atlas: &Atlas<'_>, rec: Rec<'_>, name: &str) -> Option<Meaning> {
    // Many definitions have the same trait, so the result is cached.
    let lead = |text| {
        atlas.leads.get::<str>(text, || first_sentence(&markdown::lead(&dedent(text), atlas.texts.budget())))
    };
    let definition = Definition::new(rec);
    let written = Some(lead(definition.description())).filter(|text| !text.is_empty());
    let written = written.map(|text| Meaning { text: String::clone(&text), is_harvested: false });
    let harvested = || comment(rec).map(|text| Meaning { text: first_sentence(&text), is_harvested: true });
    let written = written.or_else(harvested);
    let known = meanings::of(name).map(|text| text.trim_end_matches('.').to_owned());
    let known = known.map(|text| Meaning { text, is_harvested: false });
    if definition.kind() == DefinitionKind::Interface || atlas.own.has(rec) {
        written.or(known)
    } else {
        known.or(written)
    }
}

/// All traits and interfaces of the definitions, in order of appearance.
pub(super) fn all_of<'r>(definitions: impl Iterator<Item = Rec<'r>>) -> Vec<ods::Trait<'r>> {
    let mut known: FxHashSet<RecordKey> = FxHashSet::default();
    let all = definitions.flat_map(|rec| ods::Trait::closed(Definition::new(rec).traits()));
    all.filter(|t| known.insert(record_key(t.rec()))).collect()
}

/// Assigns a page to a trait or interface, and to the interface by which it reports its effects.
pub(super) fn enlist<'r>(atlas: &mut Atlas<'r>, t: ods::Trait<'r>) {
    let interface = through(t).and_then(|wanted| {
        let known = atlas.interfaces.get(&wanted).copied();
        known.or_else(|| {
            let mut all = t.rec().records().derived("Interface");
            all.find(|interface| cpp_class(*interface) == wanted).map(ods::Trait::new)
        })
    });
    if interface.is_none() || !t.rec().is_anonymous() {
        give_address(atlas, t);
    }
    if let Some(interface) = interface {
        give_address(atlas, interface);
    }
}

/// The page of a trait or interface that has one.
fn address(atlas: &Atlas<'_>, t: ods::Trait<'_>, name: &str) -> Option<String> {
    let known = match t.interface() {
        Some(_) => atlas.registry.cpp.get(&cpp_class(t.rec())),
        None => atlas.traits.get(name).map(|(_, href)| href),
    };
    known.cloned()
}

/// The page of a trait, which is assigned if it has none yet.
pub(super) fn give_address<'r>(atlas: &mut Atlas<'r>, t: ods::Trait<'r>) -> String {
    let (_, name) = names(t);
    if let Some(href) = address(atlas, t, &name) {
        return href;
    }
    let href = if t.interface().is_some() {
        let href = format!("interface/{}.html", atlas.interface_slugs.take(&name));
        let qualified = cpp_class(t.rec());
        atlas.interfaces.entry(qualified.clone()).or_insert(t);
        atlas.registry.cpp.insert(qualified, href.clone());
        href
    } else {
        let href = format!("trait/{}.html", atlas.trait_slugs.take(&name));
        atlas.traits.insert(name.clone(), (t, href.clone()));
        href
    };
    atlas.registry.traits.entry(name).or_insert_with(|| href.clone());
    href
}

/// Makes the pages of all traits and interfaces that definitions have or the bundle defines.
pub(super) fn pages(atlas: &mut Atlas<'_>, uses: &Users, threads: usize) -> Vec<Page> {
    let traits =
        atlas.traits.iter().map(|(name, (t, href))| PageTrait { t: *t, name, href, interface: None });
    let interfaces = atlas.interfaces.iter().filter_map(|(qualified, t)| {
        let href = atlas.registry.cpp.get(qualified)?;
        Some(PageTrait { t: *t, name: unqualified(qualified), href, interface: Some(qualified) })
    });
    let given: Vec<PageTrait<'_, '_>> = traits.chain(interfaces).collect();
    let made = parallel::map(threads, &given, |given| trait_page(atlas, given, uses));
    let none = atlas.index.dialect("");
    let mut pages = Vec::with_capacity(made.len());
    for (mut row, page, notes) in made {
        row.dialect = none;
        if !row.words.is_empty() {
            atlas.registry.records.entry(row.words.clone()).or_insert_with(|| row.href.clone());
        }
        atlas.index.push(row);
        atlas.notes.extend(notes);
        pages.push(page);
    }
    pages
}

/// A trait or interface that gets a page.
struct PageTrait<'a, 'r> {
    t: ods::Trait<'r>,
    name: &'a str,
    href: &'a str,
    /// The qualified name of an interface.
    interface: Option<&'a String>,
}

fn trait_page<'r>(
    atlas: &Atlas<'r>,
    given: &PageTrait<'_, 'r>,
    uses: &Users,
) -> (search::Row, Page, Vec<Note>) {
    let PageTrait { t, name, href, interface } = *given;
    let rec = t.rec();
    let mut notes = Vec::new();
    let kind = if interface.is_some() { "interface" } else { "trait" };
    let kind_title = match t.interface().map(ods::Interface::kind) {
        None => "Trait",
        Some(InterfaceKind::Attribute) => "Attribute interface",
        Some(InterfaceKind::Type) => "Type interface",
        Some(_) => "Operation interface",
    };
    // The documentation of an anonymous trait is at its class.
    let home = match rec.records().class(name) {
        Some(class) if rec.is_anonymous() => class,
        _ => rec,
    };
    let meaning = meaning(atlas, rec, name).or_else(|| meaning(atlas, home, name));
    let is_harvested = meaning.as_ref().is_some_and(|meaning| meaning.is_harvested);
    let summary = meaning.map(|meaning| meaning.text).unwrap_or_default();
    let mut description = if home.is_anonymous() { None } else { atlas.prose(home, href, &mut notes) };
    if description.is_none() && !summary.is_empty() {
        description = Some(Prose { md: format!("{summary}."), is_harvested });
    }
    let needs: Vec<ods::Trait<'r>> = match t.interface() {
        Some(own) => own.base_interfaces().into_iter().map(|base| ods::Trait::new(base.rec())).collect(),
        None => t.dependent_traits().collect(),
    };
    // Each root has its own record of an interface.
    let is_base = |other: &&ods::Trait<'r>| {
        let bases = other.interface().into_iter().flat_map(ods::Interface::base_interfaces);
        bases.into_iter().any(|base| Some(&cpp_class(base.rec())) == interface)
    };
    let derived = atlas.interfaces.values().filter(|_| interface.is_some()).filter(is_base);
    let code = |text: &str| Some(dedent(text)).filter(|text| !text.trim().is_empty());
    let snippets = t.snippets();
    let verify = code(snippets.verify);
    let extra_class_declaration = code(snippets.class_declaration).or_else(|| code(t.extra_declaration()));
    let extra_shared_declaration = code(snippets.shared_declaration);
    let native =
        Some(t.trait_name().split('<').next().unwrap_or_default()).filter(|native| !native.is_empty());
    let view = TraitPage {
        history: Vec::new(),
        schema: SCHEMA,
        kind,
        kind_title: kind_title.to_owned(),
        name: name.to_owned(),
        written: written(t),
        doxygen: interface.and_then(|class| atlas.doxygen(rec, class)),
        cpp_class: interface.cloned().or_else(|| native.map(|text| qualify(&namespace(rec), text))),
        description,
        parts: t.members().map(|member| link(atlas, member)).collect(),
        needs_label: if interface.is_some() { "Derives from" } else { "Requires" },
        needs: needs.into_iter().map(|needed| link(atlas, needed)).collect(),
        derived: derived.map(|other| link(atlas, *other)).collect(),
        methods: t.interface().map(methods).unwrap_or_default(),
        inherited: t.interface().map(|interface| inherited(atlas, interface)).unwrap_or_default(),
        has_cpp: verify.is_some() || extra_class_declaration.is_some() || extra_shared_declaration.is_some(),
        verify,
        extra_class_declaration,
        extra_shared_declaration,
        users: uses.by_dialect(href),
        source: (!home.is_anonymous()).then(|| source::source(atlas, home)).flatten(),
    };
    let page = page(atlas, href, name, &summary, vec![], Body::Trait(Box::new(view)));
    let record = Some(rec.name()).filter(|record| !rec.is_anonymous() && *record != name);
    let words = record.unwrap_or_default().to_owned();
    let (name, href) = (name.to_owned(), href.to_owned());
    (search::Row { kind, name, href, summary, words, ..search::Row::default() }, page, notes)
}

/// The forms in which a definition names a trait or interface in its list of traits.
fn written(t: ods::Trait<'_>) -> Vec<String> {
    let rec = t.rec();
    if rec.is_anonymous() {
        return Vec::new();
    }
    let name = rec.name().to_owned();
    let declaring = match t.interface().map(ods::Interface::kind) {
        None => return vec![name],
        Some(InterfaceKind::Attribute) => "DeclareAttrInterfaceMethods",
        Some(InterfaceKind::Type) => "DeclareTypeInterfaceMethods",
        Some(InterfaceKind::Operation) => "DeclareOpInterfaceMethods",
        Some(InterfaceKind::Dialect | InterfaceKind::Other) => return vec![name],
    };
    let declared = format!("{declaring}<{name}>");
    vec![name, declared]
}

/// A link to a trait or interface.
fn link(atlas: &Atlas<'_>, t: ods::Trait<'_>) -> Link {
    let t = meant(atlas, t);
    let (text, name) = names(t);
    Link { text, href: address(atlas, t, &name) }
}

/// The methods of all interfaces that this one derives from, directly or indirectly.
fn inherited(atlas: &Atlas<'_>, interface: ods::Interface<'_>) -> Vec<Inherited> {
    // Direct bases come first.
    let mut bases = interface.base_interfaces();
    let further = interface.bases_once().into_iter().filter(|base| !bases.contains(base));
    bases.extend(further.collect::<Vec<_>>());
    let inherited = bases.into_iter().map(|base| {
        let from = link(atlas, ods::Trait::new(base.rec()));
        let place = |method: Method| {
            let href = from.href.as_ref().map(|href| format!("{href}#{}", method.id));
            Link { text: method.name, href }
        };
        let methods = methods(base).into_iter().map(place).collect();
        Inherited { from, methods }
    });
    inherited.filter(|base| !base.methods.is_empty()).collect()
}

fn methods(interface: ods::Interface<'_>) -> Vec<Method> {
    let mut ids = Slugs::default();
    let all = interface.methods().into_iter();
    all.map(|method| {
        let name = method.name().trim().to_owned();
        let parameters = method.parameters().into_iter();
        let parameters = parameters.map(|(ty, name)| format!("{} {name}", ty.trim()).trim_end().to_owned());
        let parameters = parameters.collect::<Vec<_>>().join(", ");
        let description = Some(dedent(method.description().trim())).filter(|md| !md.is_empty());
        let (body, default_body) = (method.body().map(dedent), method.default_body().map(dedent));
        Method {
            id: ids.take(&format!("method-{name}")),
            signature: format!("{} {name}({parameters})", method.return_type().trim()),
            name,
            is_static: method.is_static(),
            has_default: default_body.is_some() || body.is_some(),
            body,
            default_body,
            description: description.map(|md| Prose { md, is_harvested: false }),
        }
    })
    .collect()
}

/// All traits or interfaces as an index, with the number of their users.
pub(super) fn group(atlas: &Atlas<'_>, uses: &Users, wants_interfaces: bool) -> Group {
    let row = |name: &str, href: &str, t: ods::Trait<'_>| {
        let users = count(uses.count(href), "user");
        let meaning = meaning(atlas, t.rec(), name);
        let summary =
            meaning.map(|meaning| meaning.text).unwrap_or_else(|| format!("{} {}", users.number, users.what));
        Row { name: name.to_owned(), href: href.to_owned(), summary, ..Row::default() }
    };
    let mut rows: Vec<Row> = if wants_interfaces {
        let all = atlas.interfaces.iter();
        all.filter_map(|(name, t)| Some(row(unqualified(name), atlas.registry.cpp.get(name)?, *t))).collect()
    } else {
        atlas.traits.iter().map(|(name, (t, href))| row(name, href, *t)).collect()
    };
    rows.sort_by(|a, b| a.name.cmp(&b.name));
    let (id, title) = if wants_interfaces { ("interfaces", "Interfaces") } else { ("traits", "Traits") };
    Group::new(id, title, None, rows)
}

impl Kind for TraitPage {
    fn headings(&self, list: &mut Headings) {
        list.add("description", "Description", self.description.is_some());
        list.add("methods", "Methods", !self.methods.is_empty());
        list.add("inherited", "Inherited", !self.inherited.is_empty());
        list.add("cpp", "C++", self.has_cpp);
        list.users(&self.users);
        list.add("history", "History", !self.history.is_empty());
        list.add("source", "Source", self.source.is_some());
    }

    fn markdown(&self, out: &mut Writer<'_>) {
        out.paragraph(&self.kind_title);
        out.section("description", |out| out.prose(self.description.as_ref()));
        out.note("Stands for", &self.parts);
        out.note(self.needs_label, &self.needs);
        out.note("Base of", &self.derived);
        out.section("methods", |out| {
            for method in &self.methods {
                out.subheading(&code(&method.name));
                out.fence("c++", &method.signature);
                if method.description.is_some() {
                    out.prose(method.description.as_ref());
                }
            }
        });
        out.section("inherited", |out| {
            for base in &self.inherited {
                let (from, methods) = (out.link(&base.from), out.links(&base.methods));
                out.paragraph(&format!("{from}: {methods}"));
            }
        });
        out.section("cpp", |out| {
            out.declaration("Checked on whatever has it", self.verify.as_deref());
            out.declaration("Added to its class", self.extra_class_declaration.as_deref());
            let shared = self.extra_shared_declaration.as_deref();
            out.declaration("Added to its class and to all that have it", shared);
        });
        out.groups(&self.users);
        out.history(&self.history);
        out.source(self.source.as_ref());
    }

    fn subject(&self) -> Option<Subject<'_>> {
        Some(Subject { kind: self.kind, name: &self.name, dialect: "" })
    }

    fn searched(&self) -> Searched<'_> {
        Searched { text: text(self.description.as_ref()), ..Searched::default() }
    }

    fn used_by(&mut self) -> Option<&mut Vec<Group>> {
        Some(&mut self.users)
    }

    fn symbol(&self) -> Option<String> {
        let class = self.cpp_class.as_ref().filter(|_| self.kind == "interface")?;
        Some(format!("interface:{}", class.trim_start_matches("::")))
    }

    fn history(&mut self) -> Option<&mut Vec<Change>> {
        Some(&mut self.history)
    }
}
