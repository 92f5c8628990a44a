//! The pages of the classes that a project's operations, types and attributes share.

use std::collections::BTreeMap;

use odsmith_engine::{
    parallel,
    record::{Rec, Records, Val},
};

use super::{
    Atlas, Body, Page,
    atlas::{Key, key},
    harvest::comment,
    headings::{Heading, Headings},
    kind::{Kind, Searched, Subject, text},
    page, source,
    traits::Users,
};
use crate::{
    flavor::Writer,
    search,
    text::first_sentence,
    view::{ClassPage, Fact, Group, Link, Prose, SCHEMA},
};

/// The limit for the length of a value; the source below has it in full.
const LONGEST_VALUE: usize = 160;

/// The pages of all classes.
pub(super) fn pages(atlas: &mut Atlas<'_>, uses: &Users, threads: usize, pages: &mut Vec<Page>) {
    let all: Vec<&(Rec<'_>, String)> = atlas.classes.values().collect();
    let mut derived: BTreeMap<Key<'_>, Vec<Link>> = BTreeMap::new();
    for (class, href) in &all {
        let link = Link { text: class.name().to_owned(), href: Some(href.clone()) };
        for base in class.superclasses() {
            derived.entry(key(base)).or_default().push(link.clone());
        }
    }
    let made = parallel::map(threads, &all, |(class, href)| {
        let derived = derived.get(&key(*class)).cloned().unwrap_or_default();
        let mut view = ClassPage { derived, users: uses.by_dialect(href), ..view(atlas, *class) };
        view.has_family = !view.bases.is_empty() || !view.derived.is_empty();
        let summary = view.description.as_ref().map(|prose| first_sentence(&prose.md)).unwrap_or_default();
        page(atlas, href, class.name(), &summary, vec![], Body::Class(Box::new(view)))
    });
    let dialect = atlas.index.dialect("");
    for page in made {
        atlas.index.push(search::Row {
            kind: "class",
            dialect,
            name: page.frame.title.clone(),
            href: page.frame.path.clone(),
            summary: page.frame.description.clone(),
            ..search::Row::default()
        });
        pages.push(page);
    }
}

fn view(atlas: &Atlas<'_>, class: Rec<'_>) -> ClassPage {
    ClassPage {
        schema: SCHEMA,
        kind: "class",
        name: class.name().to_owned(),
        description: comment(class).map(|md| Prose { md, is_harvested: true }),
        arguments: arguments(class),
        bases: class.superclasses().rev().map(|base| atlas.class_link(base)).collect(),
        fields: fields(class),
        source: source::source(atlas, class),
        ..ClassPage::default()
    }
}

/// The template arguments: name, type and default value.
fn arguments(class: Rec<'_>) -> Vec<Fact> {
    let arguments = class.record().template_args.iter();
    let short = |name: &str| name.rsplit(':').next().unwrap_or(name).to_owned();
    arguments
        .map(|argument| {
            let default = class.records().val_or_none(argument.value).filter(|value| !value.is_unset());
            Fact {
                label: short(class.records().keeper().str(argument.name)),
                text: default.map(|value| shown(class.records(), value)),
                code: Some(class.type_name(argument.ty())),
                href: None,
            }
        })
        .collect()
}

/// The fields whose values differ from those of the base classes.
fn fields(class: Rec<'_>) -> Vec<Fact> {
    let bases: Vec<Rec<'_>> = class.direct_superclasses().collect();
    let is_inherited = |name: &str, value: Val<'_>| {
        bases.iter().any(|base| base.get(name).is_some_and(|inherited| inherited == value))
    };
    let own = class.fields().filter(|(name, value)| {
        // A value that depends on a base's arguments is not the class's own.
        !value.is_unset() && *name != "NAME" && !is_inherited(name, *value)
    });
    own.map(|(name, value)| Fact {
        label: name.to_owned(),
        code: Some(shown(class.records(), value)),
        ..Fact::default()
    })
    .collect()
}

/// The text of a value, with the classes of records that have no name in place of the names that TableGen gives them.
fn shown(records: &Records, value: Val<'_>) -> String {
    let text = named(records, value.to_string().trim());
    match text.char_indices().nth(LONGEST_VALUE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The prefix of the names that TableGen gives.
const ANONYMOUS: &str = "anonymous_";

fn named(records: &Records, text: &str) -> String {
    let mut pieces = text.split(ANONYMOUS);
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let digits = piece.bytes().take_while(u8::is_ascii_digit).count();
        let record =
            records.def(&format!("{ANONYMOUS}{}", &piece[..digits])).filter(|rec| rec.is_anonymous());
        let class = record.and_then(|rec| source::classes(rec).next());
        match class {
            Some(class) => out.extend([class.name(), "<…>"]),
            None => out.push('…'),
        }
        out.push_str(&piece[digits..]);
    }
    out
}

impl Kind for ClassPage {
    fn headings(&self, list: &mut Headings) {
        list.add("description", "Description", true);
        list.add("arguments", "Arguments", !self.arguments.is_empty());
        if !self.fields.is_empty() {
            list.push(Heading::new("fields", "Fields").with_aside("that it sets"));
        }
        list.add("classes", "Classes", self.has_family);
        list.users(&self.users);
        list.add("source", "Source", self.source.is_some());
    }

    fn markdown(&self, out: &mut Writer<'_>) {
        out.section("description", |out| out.prose(self.description.as_ref()));
        out.section("arguments", |out| out.facts(&self.arguments));
        out.section("fields", |out| out.facts(&self.fields));
        out.section("classes", |out| {
            out.note("Derives from", &self.bases);
            out.note("Base of", &self.derived);
        });
        out.groups(&self.users);
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
}
