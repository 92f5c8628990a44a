//! The page of an operation.

use odsmith_engine::{
    generators::members as generated,
    ods::{self, EffectTarget, PartKind, Quantifier},
};

use super::{
    Atlas, ByProducts, all,
    atlas::{Entity, Section, cpp_class, deprecation},
    coverage::Tally,
    coverage::has_fence,
    enums, facts,
    headings::{Heading, Headings},
    kind::{Kind, Searched, Subject, text},
    members, parts,
    relations::{self, Relations},
    source, syntax,
    traits::{self, DefinitionTraits, PARAMETER_OF, RETURNED_BY, TAKEN_BY},
};
use crate::{
    commonmark::line as escape,
    diagram,
    flavor::Writer,
    history,
    links::Slugs,
    search::{RowFacets, Slot},
    text::dedent,
    view::{
        AllEntry, Badge, Change, Constraint, Diagram, EnumSummary, Fact, Group, Link, Operation, OwnFact,
        Part, Parts, SCHEMA, Source, Syntax,
    },
};

/// The limit for cases of an enum that are listed on the page.
const INLINE_CASES: usize = 16;

/// The page of an operation.
pub(super) fn operation<'r>(
    atlas: &Atlas<'r>,
    section: &Section<'r>,
    entity: &Entity<'r>,
    relations: &Relations,
    by_products: &mut ByProducts,
) -> Option<Operation> {
    let rec = entity.rec;
    let op = entity.op.as_ref()?;
    let mut ids = Slugs::default();
    let mut parts = all_parts(atlas, op, &mut ids);
    let found = traits::of(atlas, rec, op.traits());
    describe_regions(atlas, &section.namespace, &found, &mut parts);
    for by in found.constraints.iter().map(|rule| &rule.by) {
        by_products.uses(by.href.as_deref());
    }
    for class in source::classes(rec) {
        by_products.uses(atlas.class_link(class).href.as_deref());
    }
    by_products.uses.extend(found.hrefs(atlas));
    let enums = enums_of(atlas, op, &mut ids, by_products);
    let shape = shape(atlas, op, by_products);
    let tags = found.traits.iter().chain(&found.interfaces).map(|link| link.name.text.clone());
    let types = |id: &str| {
        let group = parts.iter().find(|group| group.id == id);
        group.map_or_else(Vec::new, |group| group.rows.iter().map(|part| part.words().to_owned()).collect())
    };
    by_products.facets = RowFacets {
        tags: tags.collect(),
        takes: types("operands"),
        returns: types("results"),
        shape: Some(shape),
        is_uniform: found.has("SameOperandsAndResultType"),
        flags: flags(op),
    };
    let class = cpp_class(rec);
    let model = Some(op).filter(|op| op.is_sound());
    let shown = member_lists(op, &class);
    let related = relations::groups(atlas, section, entity, relations);
    let patterns = relations.patterns_of(&entity.href);
    let (signature, variables) = syntax::signature(&entity.name, &parts);
    let (prefix, mnemonic) = split_name(&section.name, &entity.name);
    let is_described = has_fence(op.description()) && op.description().contains(&entity.name);
    Some(Operation {
        history: Vec::new(),
        own_facts: facts::of(rec),
        schema: SCHEMA,
        kind: "op",
        dialect: section.name.clone(),
        name: entity.name.clone(),
        prefix,
        mnemonic,
        doxygen: atlas.doxygen(rec, &class),
        cpp_class: class,
        summary: Some(op.summary().trim()).filter(|text| !text.is_empty()).map(str::to_owned),
        badges: badges(op, &found, entity.is_deprecated),
        deprecation: deprecation(rec, atlas.texts.budget()),
        signature,
        variables,
        syntax: Syntax {
            is_described,
            examples: atlas.examples(&entity.name, is_described),
            format_from: source::inherited_from(atlas, rec, "assemblyFormat"),
            by_hand: syntax::by_hand(&atlas.by_hand, op, &entity.name),
            ..syntax::operation(&atlas.synthesiser, op, &entity.name, &entity.href, &parts)
        },
        description: atlas.prose(rec, &entity.href, &mut by_products.notes),
        has_notes: parts.iter().flat_map(|group| &group.rows).any(has_note),
        constraints: constraints(&found),
        enums,
        behaviour: behaviour(op, &found),
        builders: shown.builders,
        default_builders: shown.default_builders,
        accessors: shown.accessors,
        extra_class_declaration: Some(dedent(op.extra_class_declaration()))
            .filter(|text| !text.trim().is_empty()),
        python: model.and_then(members::python),
        neighbours: neighbours(&entity.name, &related),
        has_related: !related.is_empty() || !patterns.is_empty(),
        related,
        patterns,
        source: source::source(atlas, rec),
        traits: found.traits,
        interfaces: found.interfaces,
        parts,
    })
}

/// Splits an operation's name into the dialect with its dot and the mnemonic.
fn split_name(dialect: &str, name: &str) -> (String, String) {
    let dotted = format!("{dialect}.");
    match name.strip_prefix(&dotted) {
        Some(mnemonic) => (dotted, mnemonic.to_owned()),
        None => (String::new(), name.to_owned()),
    }
}

/// The cases of the short enums that an operation uses, each enum once.
fn enums_of(
    atlas: &Atlas<'_>,
    op: &ods::Operation<'_>,
    ids: &mut Slugs,
    by_products: &mut ByProducts,
) -> Vec<EnumSummary> {
    let mut shown: Vec<EnumSummary> = Vec::new();
    for part in op.parts().filter(|part| part.kind != PartKind::DerivedAttribute) {
        by_products.uses.extend_from_slice(&parts::ConstraintPages::of(atlas, part.constraint).all);
        if !matches!(part.kind, PartKind::Attribute | PartKind::Property) {
            continue;
        }
        let info = part.constraint.unwrapped().enum_info();
        let href = info.and_then(|info| atlas.registry.cpp.get(&cpp_class(info)));
        by_products.uses(href.map(String::as_str));
        let summary = info.and_then(|info| enums::summary(atlas, part.name, info, ids));
        let Some(summary) = summary.filter(|summary| summary.cases.len() <= INLINE_CASES) else { continue };
        match shown.iter_mut().find(|known| known.name.text == summary.name.text) {
            Some(known) => known.of.push_str(&format!(", {}", summary.of)),
            None => shown.push(summary),
        }
    }
    shown
}

/// The operands and results for the search by signature. Records the uses of their types and attributes.
fn shape(atlas: &Atlas<'_>, op: &ods::Operation<'_>, by_products: &mut ByProducts) -> [Vec<Slot>; 2] {
    let [mut takes, mut returns] = [Vec::new(), Vec::new()];
    for part in op.parts() {
        let (slots, role) = match part.kind {
            PartKind::Operand => (&mut takes, TAKEN_BY),
            PartKind::Result => (&mut returns, RETURNED_BY),
            PartKind::Attribute | PartKind::Property => {
                let named = parts::ConstraintPages::of(atlas, part.constraint);
                by_products.uses.extend(named.attributes.iter().map(|href| format!("{href}{PARAMETER_OF}")));
                continue;
            }
            PartKind::DerivedAttribute | PartKind::Region | PartKind::Successor => continue,
        };
        let accepted = parts::AcceptedTypes::of(atlas, part.constraint);
        by_products.uses.extend(accepted.types.iter().map(|href| format!("{href}{role}")));
        let count = match part.constraint.quantifier() {
            Quantifier::One => 0,
            Quantifier::Optional | Quantifier::Flag => 1,
            Quantifier::Variadic | Quantifier::VariadicOfVariadic => 2,
        };
        slots.push(Slot { families: accepted.families.clone(), count });
    }
    [takes, returns]
}

/// Formats builders and accessors as generated; for an operation with errors, only the declared builders.
fn member_lists(op: &ods::Operation<'_>, class: &str) -> members::MemberLists {
    match Some(op).filter(|op| op.is_sound()).and_then(generated::of_operation) {
        Some(found) => members::lists(class, "create", &found),
        None => {
            let builders = op.builders().iter();
            let builders =
                builders.map(|it| members::declared_builder(class, "create", &["builder", "loc"], it));
            members::MemberLists { builders: builders.collect(), ..members::MemberLists::default() }
        }
    }
}

/// The picture of the operations before and after an operation.
fn neighbours(name: &str, related: &[Group]) -> Option<String> {
    let names = |id: &str| -> Vec<String> {
        let group = related.iter().find(|group| group.id == id);
        let rows = group.map(|group| group.rows.as_slice()).unwrap_or_default();
        rows.iter().map(|row| format!("{}{}", row.prefix, row.name)).collect()
    };
    diagram::neighbours::neighbours(name, &names("related-producers"), &names("related-consumers"))
}

/// Tests if a part has an entry in the last column.
pub(super) fn has_note(part: &Part) -> bool {
    part.default.is_some() || part.description.is_some() || !part.effects.is_empty() || !part.facts.is_empty()
}

/// The kinds of parts, each with its fragment and heading.
const PARTS: &[(PartKind, &str, &str)] = &[
    (PartKind::Operand, "operands", "Operands"),
    (PartKind::Attribute, "attributes", "Attributes"),
    (PartKind::Property, "properties", "Properties"),
    (PartKind::Result, "results", "Results"),
    (PartKind::Region, "regions", "Regions"),
    (PartKind::Successor, "successors", "Successors"),
];

fn all_parts(atlas: &Atlas<'_>, op: &ods::Operation<'_>, ids: &mut Slugs) -> Vec<Parts> {
    let groups = PARTS.iter().map(|&(kind, id, title)| {
        let of_kind = op.parts().filter(|part| part.kind == kind).enumerate();
        let mut rows: Vec<Part> = of_kind.map(|(index, part)| parts::part(atlas, part, index, ids)).collect();
        // Rows are large, and most lists are short.
        rows.shrink_to_fit();
        Parts { id, title, role: parts::id_and_role(kind).1, rows }
    });
    groups.filter(|group| !group.rows.is_empty()).collect()
}

/// Adds the facts about regions that follow from traits.
fn describe_regions(atlas: &Atlas<'_>, namespace: &str, found: &DefinitionTraits<'_>, parts: &mut [Parts]) {
    let Some(regions) = parts.iter_mut().find(|parts| parts.id == "regions") else { return };
    let has = |name: &str| found.has(name);
    let mut facts = Vec::new();
    let mut add = |label: &str, text: &str| {
        facts.push(Fact { label: label.to_owned(), text: Some(text.to_owned()), ..Fact::default() });
    };
    if has("SingleBlock") {
        add("blocks", "at most one");
    }
    if has("NoRegionArguments") {
        add("arguments", "none");
    }
    if has("IsolatedFromAbove") {
        add("values from outside", "none");
    }
    if has("HasOnlyGraphRegion") {
        add("order of operations", "without meaning");
    }
    if has("NoTerminator") || has("GraphRegionNoTerminator") {
        add("terminator", "none needed");
    }
    for class in found.parameters("SingleBlockImplicitTerminator") {
        let Link { text, href } = atlas.op_link(class, namespace);
        facts.push(Fact { label: "terminator".to_owned(), code: Some(text), href, text: None });
    }
    for region in &mut regions.rows {
        region.facts.clone_from(&facts);
        // This row already says that there is one block.
        let is_one = region.constraint == "exactly one block";
        region.facts.retain(|fact| !is_one || fact.label != "blocks");
    }
}

fn badges(op: &ods::Operation<'_>, found: &DefinitionTraits<'_>, is_deprecated: bool) -> Vec<Badge> {
    const SHOWN: &[(&str, &str, &str)] = &[
        ("Pure", "pure", "No side effects, and safe to run speculatively"),
        ("NoSideEffect", "pure", "No side effects"),
        ("Terminator", "terminator", "Ends a block"),
        ("ReturnLike", "return-like", "Hands its operands on to the enclosing operation"),
        ("Commutative", "commutative", "The order of its operands does not matter"),
        ("Idempotent", "idempotent", "Applied twice it does the same as once"),
        ("Involution", "involution", "Applied twice it gives its operand back"),
        ("ConstantLike", "constant", "Its result is known at compile time"),
        ("ElementwiseMappable", "elementwise", "Works on the elements of vectors and tensors one by one"),
        ("IsolatedFromAbove", "isolated", "Its regions see no values from outside"),
        ("SymbolTable", "symbol table", "Symbols are looked up in it"),
    ];
    let deprecated = is_deprecated.then(|| Badge {
        text: "deprecated".to_owned(),
        meaning: "Should no longer be used".to_owned(),
        is_warning: true,
    });
    // An effect that is declared besides counts, whatever the trait says.
    let has_effects = op.effects().iter().any(|effects| !effects.on.is_empty());
    let is_shown = |name: &str, text: &str| found.has(name) && !(has_effects && text == "pure");
    let shown = SHOWN.iter().filter(|(name, text, _)| is_shown(name, text));
    let shown = shown.map(|(_, text, meaning)| Badge {
        text: (*text).to_owned(),
        meaning: (*meaning).to_owned(),
        is_warning: false,
    });
    deprecated.into_iter().chain(shown).collect()
}

fn constraints(found: &DefinitionTraits<'_>) -> Vec<Constraint> {
    let numbered = found.constraints.iter().enumerate();
    numbered
        .map(|(index, rule)| Constraint {
            id: format!("c{}", index + 1),
            number: index + 1,
            text: rule.text.clone(),
            by: rule.by.clone(),
            condition: rule.condition.clone(),
        })
        .collect()
}

fn flags(op: &ods::Operation<'_>) -> Vec<&'static str> {
    let (verifies, verifies_regions) = op.has_verifiers();
    let all = [
        ("folder", op.has_folder()),
        ("canon", op.has_canonicalizer()),
        ("verify", verifies || verifies_regions),
        ("region", !op.regions().is_empty()),
        ("example", op.description().contains("```")),
    ];
    all.into_iter().filter(|(_, is_set)| *is_set).map(|(name, _)| name).collect()
}

fn behaviour(op: &ods::Operation<'_>, found: &DefinitionTraits<'_>) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut add = |label: &str, text: &str| {
        facts.push(Fact { label: label.to_owned(), text: Some(text.to_owned()), ..Fact::default() });
    };
    if op.has_folder() {
        add("Folds", "has a folder: constants and trivial forms are simplified as it is built");
    }
    if op.has_canonicalizer() {
        add("Canonicalises", "has patterns of its own in the canonicalizer");
    }
    match op.has_verifiers() {
        (true, true) => add("Verifies", "has rules beyond those listed, also for its regions"),
        (true, false) => add("Verifies", "has rules beyond those listed here"),
        (false, true) => add("Verifies", "has rules of its own for its regions"),
        (false, false) => {}
    }
    let infers = ["SameOperandsAndResultType", "FirstAttrDerivedResultType", "InferTypeOpInterface"];
    if infers.iter().any(|name| found.has(name)) {
        add("Infers types", "result types follow from the operands and attributes");
    }
    if let Some(memory) = memory(op, found) {
        add("Memory", &memory);
    }
    facts
}

/// The effects on memory; `None` if no trait declares them.
fn memory(op: &ods::Operation<'_>, found: &DefinitionTraits<'_>) -> Option<String> {
    let effects = op.effects().into_iter().find(ods::Effects::is_on_memory);
    let name = |target: EffectTarget| match target {
        EffectTarget::Operation => None,
        EffectTarget::Operand(index) => Some(op.operands()[index].name),
        EffectTarget::Attribute(index) => Some(op.attributes()[index].name),
        EffectTarget::Result(index) => Some(op.results()[index].name),
    };
    let mut all: Vec<String> = Vec::new();
    for (target, effect) in effects.iter().flat_map(|effects| &effects.on) {
        let verb = parts::effect(*effect);
        let text = name(*target).map_or_else(|| verb.clone(), |name| format!("{verb} ({name})"));
        if !all.contains(&text) {
            all.push(text);
        }
    }
    if found.has("RecursiveMemoryEffects") {
        all.push("that of the operations in its regions".to_owned());
    }
    match effects {
        _ if !all.is_empty() => Some(all.join(", ")),
        Some(_) => Some("none".to_owned()),
        None => found.has("MemoryEffectOpInterface").then(|| "decided by its C++ code".to_owned()),
    }
}

/// The shortest example of an operation's syntax.
fn example(syntax: &Syntax) -> &str {
    let real = syntax.examples.first().map(|found| found.text.as_str());
    let made = || syntax.skeleton.as_ref().and_then(|skeleton| skeleton.custom.as_deref());
    real.or_else(made).unwrap_or_default()
}

impl Operation {
    /// Tests if a synthesised example is all that shows its use.
    fn has_skeleton_first(&self) -> bool {
        let Syntax { examples, skeleton, is_described, .. } = &self.syntax;
        examples.is_empty() && skeleton.is_some() && !is_described
    }

    /// Tests if an example comes before the description.
    fn has_example(&self) -> bool {
        !self.syntax.examples.is_empty() || self.has_skeleton_first()
    }
}

impl Kind for Operation {
    fn headings(&self, list: &mut Headings) {
        list.add("example", "Example", self.has_example());
        list.add("description", "Description", true);
        for parts in &self.parts {
            list.push(Heading::new(parts.id, parts.title));
        }
        list.add("constraints", "Constraints", !self.constraints.is_empty());
        list.extend(&self.enums);
        list.add("syntax", "Syntax", true);
        list.add("traits", "Traits", !self.traits.is_empty());
        list.add("interfaces", "Interfaces", !self.interfaces.is_empty());
        list.add("behaviour", "Behaviour", !self.behaviour.is_empty());
        list.add("cpp", "C++", true);
        list.add("python", "Python", self.python.is_some());
        list.add("own", "Facts", !self.own_facts.is_empty());
        list.add("history", "History", !self.history.is_empty());
        list.add("source", "Source", self.source.is_some());
        list.add("related", "Related", self.has_related);
    }

    fn markdown(&self, out: &mut Writer<'_>) {
        out.lead(self.summary.as_deref(), &self.badges);
        out.section("example", |out| out.examples(&self.syntax, self.has_skeleton_first()));
        out.section("description", |out| out.prose(self.description.as_ref()));
        for Parts { id, rows, .. } in &self.parts {
            out.section(id, |out| out.parts(rows, self.has_notes));
        }
        out.section("constraints", |out| out.constraints(&self.constraints));
        out.enums(&self.enums);
        out.section("syntax", |out| {
            out.syntax(&self.syntax);
            if self.syntax.examples.is_empty() && self.syntax.is_described {
                out.skeleton(self.syntax.skeleton.as_ref());
            }
        });
        out.section("traits", |out| out.traits(&self.traits));
        out.section("interfaces", |out| out.traits(&self.interfaces));
        out.section("behaviour", |out| out.facts(&self.behaviour));
        out.section("cpp", |out| {
            out.fence("c++", &self.cpp_class);
            out.members(&self.builders, &self.default_builders, &self.accessors);
            out.declaration("Added to the class", self.extra_class_declaration.as_deref());
        });
        out.section("python", |out| {
            let lines = self.python.iter().map(|python| format!("{}\n{}", python.function, python.class));
            lines.for_each(|lines| out.fence("python", &lines));
        });
        out.own_facts(&self.own_facts);
        out.history(&self.history);
        out.source(self.source.as_ref());
        out.section("related", |out| {
            for group in &self.related {
                out.subheading(&escape(&group.title));
                out.rows(&group.rows);
            }
            if !self.patterns.is_empty() {
                out.subheading("Patterns");
                let links = out.links(&self.patterns);
                out.paragraph(&links);
            }
        });
    }

    fn subject(&self) -> Option<Subject<'_>> {
        Some(Subject { kind: self.kind, name: &self.name, dialect: &self.dialect })
    }

    fn searched(&self) -> Searched<'_> {
        Searched {
            text: text(self.description.as_ref()),
            signature: &self.signature,
            variables: &self.variables,
            example: example(&self.syntax),
            is_bare: self.description.is_none() && self.summary.is_none(),
            ..Searched::default()
        }
    }

    fn shape(&self) -> Option<String> {
        let mut text = String::new();
        history::tokens(&self.signature, &mut text);
        self.variables.iter().for_each(|variable| history::line(&variable.words, &mut text));
        history::tokens(&self.syntax.tokens, &mut text);
        self.parts.iter().for_each(|group| history::parts(&group.rows, &mut text));
        self.constraints.iter().for_each(|rule| history::line(&rule.text, &mut text));
        Some(text)
    }

    fn coverage(&self) -> Option<(&str, Tally, Option<&Source>)> {
        let mut tally = Tally::default();
        tally.text("summary", self.summary.as_deref());
        tally.prose(self.description.as_ref());
        let has_example = self.description.as_ref().is_some_and(|prose| has_fence(&prose.md));
        tally.count("example", has_example);
        for parts in &self.parts {
            tally.names(parts.role, &parts.rows);
        }
        tally.replacement(self.deprecation.as_deref());
        Some((&self.dialect, tally, self.source.as_ref()))
    }

    fn entry(&self) -> Option<AllEntry> {
        Some(AllEntry {
            name: Link { text: self.name.clone(), href: None },
            also: Some(self.cpp_class.clone()),
            summary: self.summary.clone(),
            syntax: self.syntax.tokens.iter().map(all::unlinked).collect(),
            description: self.description.clone(),
            parts: self.parts.clone(),
            constraints: self.constraints.clone(),
            traits: all::names(&self.traits, &self.interfaces),
            ..AllEntry::default()
        })
    }

    fn diagram(&self) -> Option<&Diagram> {
        self.syntax.diagram.as_ref()
    }

    fn badges(&mut self) -> Option<&mut Vec<Badge>> {
        Some(&mut self.badges)
    }

    fn symbol(&self) -> Option<String> {
        Some(self.name.clone())
    }

    fn history(&mut self) -> Option<&mut Vec<Change>> {
        Some(&mut self.history)
    }

    fn own_facts(&mut self) -> Option<&mut Vec<OwnFact>> {
        Some(&mut self.own_facts)
    }

    fn class(&self) -> &str {
        &self.cpp_class
    }
}
