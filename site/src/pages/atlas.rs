//! The definitions of a bundle with their addresses.

use std::collections::{BTreeMap, BTreeSet};

use odsmith_engine::{
    ir::syntax::Table,
    limits::Budget,
    ods::{
        Constraint, Definition, DefinitionKind, Dialect, EnumInfo, Interface, Model, Operation, PartKind,
        PatternDef, Trait,
    },
    parallel,
    record::{Rec, Records, order},
};
use rustc_hash::FxHashSet;

use super::{
    guides, harvest, leftovers, parts, pass, patterns,
    source::{self, is_library},
    traits,
};
use crate::{
    Input, Note, Stability, StabilityLevel,
    doxygen::Doxygen,
    examples::{Use, Uses, passes::PassTests, pipelines},
    guide::{self, Guide},
    links::{HOME, Registry, Slugs},
    markdown::{self, Scope, Texts},
    memo::{Memo, RecordKey},
    paths, search,
    skeleton::Synthesiser,
    text::{dedent, first_sentence, lookups, qualify, unqualified},
    view::{Badge, Conversion, Link, Pipeline, Prose, Row},
};

/// A definition and its page.
#[derive(Clone, Debug)]
pub(crate) struct Entity<'r> {
    pub(super) rec: Rec<'r>,
    /// The view of an operation.
    pub(super) op: Option<Operation<'r>>,
    /// The name for readers: `arith.cmpi`, `!quant.uniform`, `CmpIPredicate`.
    pub(super) name: String,
    /// Its page.
    pub(super) href: String,
    /// One line about it.
    pub(super) summary: String,
    pub(super) is_deprecated: bool,
}

/// A dialect, or a C++ namespace that has enums and no dialect.
#[derive(Clone, Debug, Default)]
pub(crate) struct Section<'r> {
    pub(super) name: String,
    pub(super) folder: String,
    pub(super) href: String,
    pub(super) dialect: Option<Dialect<'r>>,
    pub(super) namespace: String,
    pub(super) ops: Vec<Entity<'r>>,
    pub(super) types: Vec<Entity<'r>>,
    pub(super) attrs: Vec<Entity<'r>>,
    pub(super) enums: Vec<Entity<'r>>,
    pub(super) interfaces: Vec<Entity<'r>>,
    pub(super) passes: Vec<Entity<'r>>,
    /// Rewrite patterns that begin with one of its operations, or else belong to it.
    pub(super) patterns: Vec<PatternDef<'r>>,
    /// The definitions that are already in the lists: the list, a flag for a mnemonic, and the name. Every root that
    /// includes a dialect has its definitions again.
    pub(super) known: FxHashSet<(ListId, bool, &'r str)>,
}

/// A list of a section that roots add to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ListId {
    Ops,
    Types,
    Attrs,
    Enums,
}

impl<'r> Section<'r> {
    /// The title for readers; for a dialect its name.
    fn title(&self) -> String {
        match &self.dialect {
            Some(_) => self.name.clone(),
            None if self.name == pass::OTHERS => "Passes".to_owned(),
            None if self.name == leftovers::NAME => "Enums".to_owned(),
            None if self.name == patterns::OTHERS => "Patterns".to_owned(),
            None => format!("Enums of {}", self.name),
        }
    }

    /// Adds a definition, unless its name is already there; `of` is its mnemonic or its C++ class.
    fn add(&mut self, id: ListId, rec: Rec<'r>, of: Result<&'r str, &'r str>) {
        let (is_mnemonic, own) = (of.is_ok(), of.unwrap_or_else(|class| class));
        if !self.known.insert((id, is_mnemonic, own)) {
            return;
        }
        let sigil = match id {
            ListId::Types => "!",
            ListId::Attrs => "#",
            ListId::Ops | ListId::Enums => "",
        };
        let name = match of {
            Ok(mnemonic) if self.name.is_empty() => format!("{sigil}{mnemonic}"),
            Ok(mnemonic) => format!("{sigil}{}.{mnemonic}", self.name),
            Err(class) => class.to_owned(),
        };
        let list = match id {
            ListId::Ops => &mut self.ops,
            ListId::Types => &mut self.types,
            ListId::Attrs => &mut self.attrs,
            ListId::Enums => &mut self.enums,
        };
        list.push(Entity::new(rec, name));
    }

    /// All lists of definitions, each with the kind of its pages.
    fn lists(&self) -> [(&'static str, &Vec<Entity<'r>>); 5] {
        [
            ("op", &self.ops),
            ("type", &self.types),
            ("attr", &self.attrs),
            ("enum", &self.enums),
            ("pass", &self.passes),
        ]
    }

    /// The address of the page with its rewrite patterns.
    pub(super) fn patterns_href(&self) -> String {
        format!("{}/patterns.html", self.folder)
    }

    /// The address of the page with all its definitions.
    pub(super) fn all_href(&self) -> String {
        format!("{}/all.html", self.folder)
    }
}

impl<'r> Entity<'r> {
    /// Creates an entity without an address and a summary.
    pub(super) fn new(rec: Rec<'r>, name: String) -> Self {
        Entity { rec, op: None, name, href: String::new(), summary: String::new(), is_deprecated: false }
    }
}

/// The data of a definition for the index and the registry.
struct IndexEntry<'r> {
    op: Option<Operation<'r>>,
    summary: String,
    is_deprecated: bool,
    class: String,
    anchors: Vec<String>,
    words: String,
}

impl<'r> IndexEntry<'r> {
    fn new(kind: &str, entity: &Entity<'r>, budget: &Budget) -> Self {
        let rec = entity.rec;
        let class = if kind == "pass" { rec.name().to_owned() } else { cpp_class(rec) };
        IndexEntry {
            op: if kind == "op" { Operation::lenient(rec) } else { None },
            summary: one_line(rec, budget),
            is_deprecated: deprecation(rec, budget).is_some(),
            anchors: anchors(&entity.name, &class),
            words: words(kind, rec, &class),
            class,
        }
    }
}

/// The classes whose definitions get pages.
const CLASSES: &[&str] = &[
    "Dialect",
    "Op",
    "TypeDef",
    "AttrDef",
    "EnumInfo",
    "EnumAttrInfo",
    "Interface",
    "Constraint",
    "Pattern",
    "PassBase",
];

/// Definitions and their pages, by name and file: roots may have different definitions of the same name.
pub(crate) type Pages<'r, T> = BTreeMap<Key<'r>, (T, String)>;

/// The name and the file of a definition, which distinguish it from others.
pub(super) type Key<'r> = (&'r str, &'r str);

/// All definitions of a site and their addresses, from which pages are made.
pub(crate) struct Atlas<'r> {
    pub(super) title: String,
    pub(super) source_url: Option<String>,
    pub(super) sections: Vec<Section<'r>>,
    /// Interfaces by qualified name: their definitions, not their uses.
    pub(super) interfaces: BTreeMap<String, Trait<'r>>,
    /// Traits by name, with their pages.
    pub(super) traits: BTreeMap<String, (Trait<'r>, String)>,
    /// Named constraints.
    pub(super) constraints: Pages<'r, Constraint<'r>>,
    /// The project's own classes of operations, types and attributes.
    pub(super) classes: Pages<'r, Rec<'r>>,
    pub(super) trait_slugs: Slugs,
    pub(super) interface_slugs: Slugs,
    pub(crate) registry: Registry,
    pub(crate) texts: Texts,
    pub(crate) index: search::Index,
    pub(crate) notes: Vec<Note>,
    /// The writer of examples.
    pub(super) synthesiser: Synthesiser,
    /// The syntax of operations whose parser is written by hand.
    pub(super) by_hand: Table,
    /// First sentences of descriptions.
    pub(super) leads: Memo<String, String>,
    /// Named constraints inside each constraint.
    pub(super) named: Memo<RecordKey, parts::ConstraintPages>,
    /// The types that each constraint accepts.
    pub(super) accepted: Memo<RecordKey, parts::AcceptedTypes>,
    pub(crate) guides: Vec<Guide>,
    /// The filter for the project's own definitions.
    pub(super) own: ProjectFilter,
    /// Uses in the project's `.mlir` files.
    pub(super) uses: Uses,
    /// Uses in the examples of MLIR's own operations.
    upstream: Uses,
    /// Tests of passes in these files.
    pub(super) tests: PassTests,
    /// The hand-written pages about each dialect, by the dialect's page.
    pub(super) guides_about: BTreeMap<String, Vec<Link>>,
    /// The passes that convert a dialect to another.
    pub(super) conversions: Vec<Conversion>,
    /// The pipelines that the project registers in C++.
    pub(super) pipelines: Vec<Pipeline>,
    /// The project's Doxygen pages.
    doxygen: Option<Doxygen>,
    /// The owners of files.
    pub(super) owners: BTreeMap<String, Vec<String>>,
    /// The stability of dialects.
    stability: BTreeMap<String, Stability>,
    pub(crate) errors: Vec<Note>,
}

impl<'r> Atlas<'r> {
    /// Finds the dialects and assigns an address to every definition.
    pub(crate) fn new(input: &Input<'r>) -> Self {
        let targets = input.targets.iter().filter(|target| !paths::any(&input.exclude, &target.td));
        let all: Vec<&'r Records> = targets.map(|target| &*target.records).collect();
        // Searching the records of a class takes long, and the records cache the result, so all threads do it first.
        parallel::map(input.threads, &all, |records| {
            for class in CLASSES {
                let _ = records.derived(class);
            }
        });
        let (synthesiser, atlas) =
            parallel::both(input.threads, || Synthesiser::new(&all), || Atlas::places(input, &all));
        Atlas { synthesiser, ..atlas }
    }

    /// Builds all fields except the synthesiser.
    fn places(input: &Input<'r>, all: &[&'r Records]) -> Self {
        let (guides, errors) = guide::guides(
            &input.texts,
            &input.generated,
            &input.pages,
            input.has_guides_only(),
            &input.budget,
        );
        let mut atlas = Atlas {
            synthesiser: Synthesiser::default(),
            leads: Memo::default(),
            named: Memo::default(),
            accepted: Memo::default(),
            title: input.title.clone(),
            source_url: input.source_url.clone(),
            sections: Vec::new(),
            interfaces: BTreeMap::new(),
            traits: BTreeMap::new(),
            constraints: Pages::new(),
            classes: Pages::new(),
            trait_slugs: Slugs::default(),
            interface_slugs: Slugs::default(),
            registry: Registry {
                outside: input.inventories.iter().flat_map(|it| it.addresses.clone()).collect(),
                ..Registry::default()
            },
            texts: Texts::new(input.budget.clone()),
            index: search::Index::default(),
            notes: Vec::new(),
            guides,
            own: ProjectFilter { exclude: input.exclude.clone() },
            uses: Uses::new(&input.examples, &input.budget),
            upstream: Uses::default(),
            tests: PassTests::default(),
            guides_about: BTreeMap::new(),
            conversions: Vec::new(),
            pipelines: Vec::new(),
            doxygen: input.doxygen.clone(),
            owners: input.owners.clone(),
            stability: input.stability.clone(),
            by_hand: input.syntax.of_project(),
            errors,
        };
        let threads = input.threads;
        let mut sections = documented_dialects(all, &atlas.own, threads);
        for records in all {
            for rec in records.derived("Interface").filter(|rec| !rec.is_anonymous()) {
                if !Interface::new(rec).declares_methods() {
                    atlas.interfaces.entry(cpp_class(rec)).or_insert_with(|| Trait::new(rec));
                }
            }
            collect(records, &atlas.own, &mut sections);
        }
        pass::collect(all, &atlas.own, &mut sections);
        leftovers::file(all, &mut sections);
        patterns::collect(all, &atlas.own, &mut sections);
        let passes = sections.values().flat_map(|section| &section.passes).map(|pass| pass.name.as_str());
        atlas.tests = PassTests::new(&input.examples, &passes.collect(), &input.budget);
        let mut folders = Slugs::default();
        for reserved in ["assets", "guide", "trait", "interface", "constraint", "class", "release", "az"] {
            folders.take(reserved);
        }
        for section in sections.values_mut() {
            let Section { ops, types, attrs, enums, passes, .. } = section;
            for entities in [ops, types, attrs, enums, passes] {
                entities.sort_by(|a, b| order::natural(&a.name, &b.name));
            }
        }
        let entries = {
            let lists = sections.values().flat_map(Section::lists);
            let entities: Vec<(&str, &Entity<'r>)> =
                lists.flat_map(|(kind, list)| list.iter().map(move |entity| (kind, entity))).collect();
            parallel::map(threads, &entities, |(kind, entity)| IndexEntry::new(kind, entity, &input.budget))
        };
        let mut entries = entries.into_iter();
        for section in sections.into_values() {
            atlas.add(section, &mut entries, &mut folders);
        }
        let has_dialect = |name: &str| atlas.sections.iter().any(|section| section.name == name);
        atlas.upstream = Uses::upstream(all, has_dialect, &input.budget);
        atlas.add_own_interfaces();
        let (constraints, classes) =
            parallel::both(threads, || atlas.find_constraints(all), || atlas.find_classes());
        for (key, (constraint, href)) in constraints {
            let name = constraint.rec().name().to_owned();
            atlas.registry.constraints.entry(name).or_insert_with(|| href.clone());
            atlas.constraints.insert(key, (constraint, href));
        }
        atlas.classes = classes;
        atlas.note_unknown_dialects();
        atlas.guides_about = guides::about(&atlas);
        atlas.conversions = pass::conversions(&atlas);
        atlas.pipelines = pass::pipelines(&atlas, pipelines::all(&input.cpp, &input.budget));
        let none = atlas.index.dialect("");
        for it in &atlas.pipelines {
            atlas.index.push(search::Row {
                kind: "pass",
                dialect: none,
                name: it.name.clone(),
                href: format!("{}#{}", pass::CHAPTER, it.id),
                summary: it.summary.clone(),
                ..search::Row::default()
            });
        }
        atlas
    }

    /// Notes the dialects whose stability is stated although they are not defined here.
    fn note_unknown_dialects(&mut self) {
        let is_there = |name: &str| self.sections.iter().any(|section| section.name == name);
        let note = |name: &String| Note {
            file: "odsmith.toml".to_owned(),
            line: 1,
            page: HOME.to_owned(),
            what: format!("'docs.stability' names '{name}', and no dialect is called that"),
        };
        let unknown: Vec<Note> = self.stability.keys().filter(|name| !is_there(name)).map(note).collect();
        self.notes.extend(unknown);
    }

    /// Named constraints in the order of their addresses: those of the bundle, then others that its definitions use.
    fn find_constraints(&self, all: &[&'r Records]) -> Vec<(Key<'r>, (Constraint<'r>, String))> {
        let mut found = Vec::new();
        for records in all {
            let named = records.derived("Constraint").filter(|rec| !rec.is_anonymous() && self.own.has(*rec));
            found.extend(named.map(Constraint::new));
        }
        let mut inner = Vec::new();
        for op in self.sections.iter().flat_map(|section| &section.ops).filter_map(|op| op.op.as_ref()) {
            for part in op.parts().filter(|part| part.kind != PartKind::DerivedAttribute) {
                parts::inner_constraints(part.constraint.unwrapped(), 0, &mut inner);
                found.append(&mut inner);
            }
        }
        let mut slugs = Slugs::default();
        let mut seen = FxHashSet::default();
        let mut all = Vec::new();
        for constraint in found {
            let rec = constraint.rec();
            let key = key(rec);
            // Every root that includes a file has its constraints again.
            if rec.is_anonymous() || !seen.insert(key) {
                continue;
            }
            let has_page = match Definition::new(rec).kind() {
                // Enums have pages of their own with their cases.
                _ if constraint.enum_info().is_some() => false,
                DefinitionKind::AttrOrType => !self.registry.cpp.contains_key(&cpp_class(rec)),
                kind => matches!(kind, DefinitionKind::Constraint | DefinitionKind::Interface),
            };
            if has_page {
                all.push((key, (constraint, format!("constraint/{}.html", slugs.take(rec.name())))));
            }
        }
        all
    }

    /// The project's classes of operations, types and attributes, with their addresses.
    fn find_classes(&self) -> Pages<'r, Rec<'r>> {
        let mut slugs = Slugs::default();
        let mut classes = Pages::new();
        for section in &self.sections {
            for entity in section.ops.iter().chain(&section.types).chain(&section.attrs) {
                for class in source::classes(entity.rec).filter(|class| self.own.has(*class)) {
                    let name = class.name();
                    let page = || (class, format!("class/{}.html", slugs.take(name)));
                    classes.entry(key(class)).or_insert_with(page);
                }
            }
        }
        classes
    }

    /// The Doxygen page of a C++ class. Without a tag file, each of the project's own classes has one.
    pub(super) fn doxygen(&self, rec: Rec<'_>, class: &str) -> Option<String> {
        let doxygen = self.doxygen.as_ref()?;
        (doxygen.tags.is_some() || self.own.has(rec)).then(|| doxygen.address(class))?
    }

    /// The badge for the stability of a dialect, if the project states it.
    pub(super) fn stability(&self, dialect: &str) -> Option<(&Stability, Badge)> {
        let stability = self.stability.get(dialect)?;
        let meaning = match stability.level {
            StabilityLevel::Experimental => "Any release may change it",
            StabilityLevel::Stable => "A release that changes it says so",
            StabilityLevel::Deprecated => "It should not be used any more",
        };
        let is_warning = stability.level == StabilityLevel::Deprecated;
        let text = stability.level.word().to_owned();
        Some((stability, Badge { text, meaning: meaning.to_owned(), is_warning }))
    }

    /// The badge on a page of a dialect that is not stable.
    pub(super) fn unstable(&self, dialect: &str) -> Option<Badge> {
        let (stability, badge) = self.stability(dialect)?;
        let text = format!("{} dialect", badge.text);
        (stability.level != StabilityLevel::Stable).then_some(Badge { text, ..badge })
    }

    /// A link to a class.
    pub(super) fn class_link(&self, class: Rec<'_>) -> Link {
        let href = self.classes.get(&key(class)).map(|(_, href)| href.clone());
        Link { text: class.name().to_owned(), href }
    }

    /// The page of a C++ type, or of the element type in `::llvm::ArrayRef<ModeAttr>`. Names without a namespace are
    /// looked up in `from`.
    pub(super) fn cpp_href(&self, ty: &str, from: &str) -> Option<String> {
        let held = ty.rsplit('<').next().unwrap_or(ty);
        let name = held.trim_end_matches(['>', '&', '*', ' ']).trim().trim_start_matches("const ");
        let known = lookups(from, name);
        let own = known.iter().find_map(|name| self.registry.cpp.get(name));
        own.or_else(|| known.iter().find_map(|name| self.registry.outside.get(name))).cloned()
    }

    /// A link to the operation of a C++ class, as seen from the namespace `from`.
    pub(super) fn op_link(&self, class: &str, from: &str) -> Link {
        let known = lookups(from, class.trim());
        let class = class.trim().trim_start_matches("::");
        let own = known.iter().find_map(|name| self.registry.cpp.get(name));
        let known = own.or_else(|| known.iter().find_map(|name| self.registry.outside.get(name)));
        match known.and_then(|href| Some((href, self.registry.names.get(href)?))) {
            Some((href, name)) => Link { text: name.clone(), href: Some(href.clone()) },
            None => Link { text: class.to_owned(), href: None },
        }
    }

    /// Lists the bundle's interfaces with the dialect of their namespace.
    fn add_own_interfaces(&mut self) {
        let own: Vec<(String, Trait<'r>)> = self
            .interfaces
            .iter()
            .filter(|(_, interface)| self.own.has(interface.rec()))
            .map(|(name, interface)| (name.clone(), *interface))
            .collect();
        for (qualified, interface) in own {
            let rec = interface.rec();
            let name = unqualified(&qualified).to_owned();
            let href = traits::give_address(self, interface);
            let namespace = namespace(rec);
            let same =
                |section: &&mut Section<'_>| section.dialect.is_some() && section.namespace == namespace;
            if let Some(section) = self.sections.iter_mut().find(same) {
                let budget = self.texts.budget();
                let (summary, is_deprecated) = (one_line(rec, budget), deprecation(rec, budget).is_some());
                section.interfaces.push(Entity { href, summary, is_deprecated, ..Entity::new(rec, name) });
            }
        }
    }

    /// Assigns addresses to a section and its definitions.
    fn add(
        &mut self,
        mut section: Section<'r>,
        entries: &mut impl Iterator<Item = IndexEntry<'r>>,
        folders: &mut Slugs,
    ) {
        section.folder = folders.take(&section.name);
        section.name = section.title();
        section.href = format!("{}/index.html", section.folder);
        let dialect = self.index.dialect(&section.name);
        // A section without a dialect is not worth searching for.
        if section.dialect.is_some() {
            self.index.push(search::Row {
                kind: "dialect",
                dialect,
                name: section.name.clone(),
                href: section.href.clone(),
                summary: section.dialect.map_or("", Dialect::summary).trim().to_owned(),
                ..search::Row::default()
            });
        }
        let name = section.name.clone();
        let lists = [
            ("op", &mut section.ops),
            ("type", &mut section.types),
            ("attr", &mut section.attrs),
            ("enum", &mut section.enums),
            ("pass", &mut section.passes),
        ];
        for (kind, entities) in lists {
            let mut slugs = Slugs::default();
            for (entity, entry) in entities.iter_mut().zip(&mut *entries) {
                let IndexEntry { op, summary, is_deprecated, class, anchors, words } = entry;
                (entity.op, entity.summary, entity.is_deprecated) = (op, summary, is_deprecated);
                let short = entity.name.trim_start_matches(['!', '#']);
                let short = short.strip_prefix(&format!("{name}.")).unwrap_or(short);
                entity.href = format!("{}/{kind}/{}.html", section.folder, slugs.take(short));
                if kind == "pass" {
                    self.registry
                        .ir
                        .entry(format!("-{}", entity.name))
                        .or_insert_with(|| entity.href.clone());
                }
                if matches!(kind, "op" | "type" | "attr") {
                    self.registry.ir.entry(entity.name.clone()).or_insert_with(|| entity.href.clone());
                }
                self.registry.names.insert(entity.href.clone(), entity.name.clone());
                self.registry.cpp.entry(class.clone()).or_insert_with(|| entity.href.clone());
                if !entity.rec.is_anonymous() {
                    let record = entity.rec.name().to_owned();
                    self.registry.records.entry(record).or_insert_with(|| entity.href.clone());
                }
                for anchor in anchors {
                    self.registry.anchors.entry(anchor).or_insert_with(|| entity.href.clone());
                }
                self.index.push(search::Row {
                    kind,
                    dialect,
                    name: entity.name.clone(),
                    href: entity.href.clone(),
                    summary: entity.summary.clone(),
                    alias: unqualified(&class).to_owned(),
                    words,
                    is_deprecated,
                    ..search::Row::default()
                });
            }
        }
        self.sections.push(section);
    }

    /// The page of a constraint; if it is a type, an attribute or an enum, the page of that.
    pub(super) fn constraint_href(&self, constraint: Constraint<'_>) -> Option<String> {
        let is_def = Definition::new(constraint.rec()).kind() == DefinitionKind::AttrOrType;
        let info = constraint.enum_info();
        let rec = info.filter(|_| !is_def).unwrap_or(constraint.rec());
        if is_def || info.is_some() {
            let own = self.registry.cpp.get(&cpp_class(rec));
            return own.or_else(|| Some(&self.constraints.get(&key(rec))?.1)).cloned();
        }
        if rec.is_anonymous() {
            return None;
        }
        self.constraints.get(&key(rec)).map(|(_, href)| href.clone())
    }

    /// A link to a constraint that has a page, with its name for readers.
    pub(super) fn constraint_link(&self, constraint: Constraint<'_>) -> Option<Link> {
        let href = self.constraint_href(constraint)?;
        let text = match self.registry.names.get(&href) {
            Some(name) => name.clone(),
            None => constraint.rec().name().to_owned(),
        };
        Some(Link { text, href: Some(href) })
    }

    /// Uses of an operation, type or attribute in the project's own files. If neither these nor its description show one,
    /// and it is MLIR's, the examples of it.
    pub(super) fn examples(&self, name: &str, is_described: bool) -> Vec<Use> {
        let mut uses = self.uses.of(name);
        if uses.is_empty() && !is_described {
            return self.upstream.of(name);
        }
        for found in &mut uses {
            found.href = source::line_address(self, &found.file, found.line);
        }
        uses
    }

    /// The author's text of a record: its description, or else the comment above it. Repairs of the text are added to
    /// `notes`.
    pub(super) fn prose(&self, rec: Rec<'_>, page: &str, notes: &mut Vec<Note>) -> Option<Prose> {
        let written = Some(dedent(Definition::new(rec).description())).filter(|text| !text.is_empty());
        let prose = match written {
            Some(md) => Prose { md, is_harvested: false },
            None => Prose { md: harvest::comment(rec)?, is_harvested: true },
        };
        let scope = Scope { registry: &self.registry, texts: &self.texts, root: "", path: "" };
        for what in markdown::mended(&prose.md, scope) {
            let place = rec.records().sources().position(rec.span());
            let (file, line) =
                place.map_or((String::new(), 0), |(buffer, at)| (buffer.name.to_string(), at.line));
            notes.push(Note { file, line, page: page.to_owned(), what });
        }
        Some(prose)
    }
}

/// The name and the file of a definition.
pub(super) fn key(rec: Rec<'_>) -> Key<'_> {
    let buffer = rec.records().sources().buffer_of(rec.span());
    (rec.name(), buffer.map_or("", |buffer| &buffer.name))
}

/// The row of a definition in its dialect's index.
pub(super) fn row(section: &Section<'_>, entity: &Entity<'_>) -> Row {
    let dotted = format!("{}.", section.name);
    let sigil = if entity.name.starts_with(['!', '#']) { &entity.name[..1] } else { "" };
    let short = entity.name[sigil.len()..].strip_prefix(&dotted);
    Row {
        prefix: short.map_or_else(String::new, |_| sigil.to_owned()),
        name: short.unwrap_or(&entity.name).to_owned(),
        href: entity.href.clone(),
        summary: entity.summary.clone(),
        is_deprecated: entity.is_deprecated,
        ..Row::default()
    }
}

/// The row of a definition with the dialect's name, for lists that mix dialects.
pub(super) fn full_row(section: &Section<'_>, entity: &Entity<'_>) -> Row {
    let (sigil, rest) = entity.name.split_at(usize::from(entity.name.starts_with(['!', '#'])));
    let dotted = format!("{}.", section.name);
    let (prefix, name) = match rest.strip_prefix(&dotted) {
        Some(short) => (format!("{sigil}{dotted}"), short),
        None => (String::new(), entity.name.as_str()),
    };
    Row {
        prefix,
        name: name.to_owned(),
        href: entity.href.clone(),
        summary: entity.summary.clone(),
        is_deprecated: entity.is_deprecated,
        ..Row::default()
    }
}

/// The dialects that the targets define, or to which they add operations, types or attributes.
fn documented_dialects<'r>(
    all: &[&'r Records],
    own: &ProjectFilter,
    threads: usize,
) -> BTreeMap<String, Section<'r>> {
    let found = parallel::map(threads, all, |records| {
        let mut found = BTreeSet::new();
        for class in ["Op", "AttrDef", "TypeDef"] {
            let defs = records.derived(class).filter(|rec| own.has(*rec));
            found.extend(defs.filter_map(|rec| Definition::new(rec).dialect()).map(Dialect::name));
        }
        found.extend(Model::new(records).dialects().filter(|it| own.has(it.rec())).map(Dialect::name));
        found.remove("");
        found
    });
    let found: BTreeSet<&str> = found.into_iter().flatten().collect();
    let mut sections = BTreeMap::new();
    for records in all {
        for dialect in Model::new(records).dialects() {
            let name = dialect.name();
            if found.is_empty() || found.contains(name) {
                sections.entry(name.to_owned()).or_insert_with(|| Section {
                    name: name.to_owned(),
                    dialect: Some(dialect),
                    namespace: namespace(dialect.rec()),
                    ..Section::default()
                });
            }
        }
    }
    sections
}

/// A filter for the project's own definitions.
#[derive(Clone, Debug, Default)]
pub(super) struct ProjectFilter {
    /// Patterns of files whose definitions get no pages.
    exclude: Vec<String>,
}

impl ProjectFilter {
    /// Tests if a record is defined in the bundle or in the root file, and not in an excluded file.
    pub(super) fn has(&self, rec: Rec<'_>) -> bool {
        let sources = rec.records().sources();
        let root = sources.root().map(|buffer| &buffer.name);
        let buffer = sources.buffer_of(rec.span());
        buffer.is_some_and(|buffer| !is_library(&buffer.name) || Some(&buffer.name) == root)
            && !self.is_excluded(rec)
    }

    /// Tests if a record is in a file whose definitions get no pages.
    pub(super) fn is_excluded(&self, rec: Rec<'_>) -> bool {
        let buffer = rec.records().sources().buffer_of(rec.span());
        !self.exclude.is_empty() && buffer.is_some_and(|buffer| paths::any(&self.exclude, &buffer.name))
    }
}

fn collect<'r>(records: &'r Records, own: &ProjectFilter, sections: &mut BTreeMap<String, Section<'r>>) {
    for (class, list) in [("Op", ListId::Ops), ("TypeDef", ListId::Types), ("AttrDef", ListId::Attrs)] {
        for rec in records.derived(class).filter(|rec| !own.is_excluded(*rec)) {
            let definition = Definition::new(rec);
            let section = definition.dialect().and_then(|dialect| sections.get_mut(dialect.name()));
            let of = definition.mnemonic().ok_or_else(|| definition.cpp_class_name());
            if let Some(section) = section.filter(|_| of.is_ok() || list != ListId::Ops) {
                section.add(list, rec, of);
            }
        }
    }
    for rec in records.derived("EnumInfo").chain(records.derived("EnumAttrInfo")) {
        let Some(home) = home_of(rec, own, sections) else { continue };
        if let Some(section) = sections.get_mut(&home) {
            section.add(ListId::Enums, rec, Err(Definition::new(rec).cpp_class_name()));
        }
    }
}

/// The section of an enum: the dialect with its namespace, or else a section of its own.
fn home_of<'r>(
    rec: Rec<'r>,
    own: &ProjectFilter,
    sections: &mut BTreeMap<String, Section<'r>>,
) -> Option<String> {
    if own.is_excluded(rec) {
        return None;
    }
    let namespace = namespace(rec);
    let inside = |outer: &str| {
        namespace.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    let by_namespace =
        sections.values().filter(|section| section.dialect.is_some() && inside(&section.namespace));
    if let Some(section) = by_namespace.max_by_key(|section| section.namespace.len()) {
        return Some(section.name.clone());
    }
    if !own.has(rec) {
        return None;
    }
    let name = match unqualified(&namespace) {
        "" => leftovers::NAME.to_owned(),
        name => name.to_owned(),
    };
    let new = || Section { name: name.clone(), namespace: namespace.clone(), ..Section::default() };
    sections.entry(name.clone()).or_insert_with(new);
    Some(name)
}

/// The summary, or else the first sentence of the description.
pub(super) fn one_line(rec: Rec<'_>, budget: &Budget) -> String {
    let definition = Definition::new(rec);
    let summary = definition.summary();
    // The summary that ODS generates for an enum only lists its cases.
    let is_made = definition.kind() == DefinitionKind::Enum && summary.starts_with("allowed ");
    if !summary.is_empty() && !is_made {
        return summary.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    first_sentence(&markdown::lead(&dedent(definition.description()), budget))
}

/// The reason why a definition is deprecated; `None` if it is not.
pub(super) fn deprecation(rec: Rec<'_>, budget: &Budget) -> Option<String> {
    let definition = Definition::new(rec);
    if let Some(reason) = definition.deprecated() {
        return Some(reason.to_owned());
    }
    let is_marked = |text: &str| {
        let start = text.trim_start_matches(['_', '*', '[', '(', '`', ' ']);
        start.get(..10).is_some_and(|word| word.eq_ignore_ascii_case("deprecated"))
    };
    let texts = [definition.summary(), definition.description().trim()];
    let marked = texts.into_iter().find(|text| is_marked(text))?;
    Some(first_sentence(&markdown::lead(&dedent(marked), budget)))
}

/// The C++ namespace without leading colons; if the record has none, the dialect's.
pub(super) fn namespace(rec: Rec<'_>) -> String {
    Definition::new(rec).cpp_namespace().trim_start_matches("::").to_owned()
}

/// The C++ class of an operation, type, attribute, enum or interface, with its namespace.
pub(super) fn cpp_class(rec: Rec<'_>) -> String {
    let definition = Definition::new(rec);
    qualify(definition.cpp_namespace(), definition.cpp_class_name())
}

/// The spellings of an enum's cases.
/// The words that find a definition besides its name and class: the record's name, and the cases of an enum.
fn words(kind: &str, rec: Rec<'_>, class: &str) -> String {
    let record = Some(rec.name()).filter(|name| !rec.is_anonymous() && *name != unqualified(class));
    let cases = if kind == "enum" { EnumInfo::lenient(rec).cases } else { Vec::new() };
    record.into_iter().chain(cases.iter().map(|case| case.spelling)).collect::<Vec<_>>().join(" ")
}

/// Converts a heading to a fragment, as Markdown generators do.
pub(super) fn slug(text: &str) -> String {
    let kept = text.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '_' | '-'));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// The fragments for a definition in MLIR's documents, in the forms of all releases.
pub(super) fn anchors(name: &str, class: &str) -> Vec<String> {
    if !name.contains('.') || name.starts_with(['!', '#']) {
        return vec![slug(unqualified(class))];
    }
    let short = class.strip_prefix("mlir::").unwrap_or(class);
    let mut all: Vec<String> =
        [class, short, unqualified(class)].iter().map(|class| slug(&format!("{name} {class}"))).collect();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_era_of_fragments_is_known() {
        let all = anchors("scf.for", "mlir::scf::ForOp");
        assert_eq!(all, ["scffor-mlirscfforop", "scffor-scfforop", "scffor-forop"]);
        assert_eq!(anchors("#llvm.access_group", "mlir::LLVM::AccessGroupAttr"), ["accessgroupattr"]);
    }
}
