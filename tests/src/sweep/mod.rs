//! The sweep of fields: small definitions of every kind, each of whose fields is set to other values in turn.
//!
//! Only the definitions are written by hand (`definitions`, `of_dialects`). Their fields and types are read from the
//! records, and the values of a field follow from its type (`values`).

mod definitions;
mod of_dialects;
mod values;

use std::fmt;

use odsmith_engine::{
    generators::{GENERATORS, is_in_release},
    record::Rec,
    release::{Release, Rules},
};

use crate::{
    older,
    run::{self, Flags},
    set_up,
};

use definitions::Definition;

/// The placeholder for the statement that sets a field.
const HOLE: char = '%';

/// Options that generators require.
const OPTIONS: &[(&str, &str)] = &[
    ("gen-bytecode", "--bytecode-dialect=swept"),
    ("gen-directive-decl", "--directives-dialect=Prose"),
    ("gen-pass-capi-header", "--prefix=Swept"),
    ("gen-pass-capi-impl", "--prefix=Swept"),
    ("gen-pass-decls", "--name=Swept"),
    ("gen-python-op-bindings", "--bind-dialect=swept"),
];

/// One definition with all its runs and changes.
#[derive(Debug)]
pub struct Subject {
    /// The name in reports.
    pub name: &'static str,
    /// The flags of the generators that use it.
    pub runs: Vec<Vec<String>>,
    /// Its changes: none, one field at a time, some pairs of fields.
    pub changes: Vec<Change>,
    definition: &'static Definition,
}

/// Values for some fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change(Vec<Setting>);

/// A value for one field.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Setting {
    field: String,
    /// The value as text.
    value: String,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown =
            self.0.iter().map(|Setting { field, value }| format!("{field} = {}", value.escape_debug()));
        f.write_str(&shown.collect::<Vec<_>>().join(", "))
    }
}

impl Subject {
    /// Every definition that the library of the release can read.
    ///
    /// # Panics
    /// When a definition in `definitions` is wrong.
    #[must_use]
    pub fn all() -> Vec<Subject> {
        let all = definitions::DEFINITIONS.iter().chain(of_dialects::DEFINITIONS);
        all.filter(|definition| definition.is_readable()).filter_map(Subject::new).collect()
    }

    /// `None` if the library cannot read the definition and its release is not the one that definitions are written
    /// for.
    fn new(definition: &'static Definition) -> Option<Subject> {
        let is_written_for = set_up::fuzzed_release() == Release::V22;
        let text = definition.with("");
        let mut settings = Vec::new();
        let read = run::with_records(&text, |records| {
            let record = records.def(definition.target).expect("the definition's record");
            let fields = record.declarations().map(|(name, _)| name).filter(|name| is_settable(record, name));
            let fields: Vec<&str> = fields.collect();
            settings.extend(fields.iter().flat_map(|&field| {
                let values =
                    values::of(record, field).into_iter().chain(values::of_others(record, field, &fields));
                values.map(|value| Setting { field: field.to_owned(), value })
            }));
        });
        let messages = || run::text(&text, &[Flags::parse(&[]).expect("no flags")]).remove(0).err;
        let shown = || String::from_utf8_lossy(&messages()).into_owned();
        assert!(read.is_some() || !is_written_for, "{} cannot be read:\n{}", definition.name, shown());
        read?;
        let singles = settings.iter().map(|one| Change(vec![one.clone()]));
        let none = std::iter::once(Change::default());
        let changes = none.chain(singles).chain(pairs(&settings)).chain(unset_pairs(&settings)).collect();
        let runs = runs(definition);
        assert!(!runs.is_empty() || !is_written_for, "no generator makes anything of {}", definition.name);
        Some(Subject { name: definition.name, runs, changes, definition })
    }

    /// The file with a change.
    #[must_use]
    pub fn text(&self, change: &Change) -> String {
        let statements = change.0.iter().map(|Setting { field, value }| format!("let {field} = {value};"));
        self.definition.with(&statements.collect::<Vec<_>>().join(" "))
    }
}

/// Each setting together with one of another field.
fn pairs(settings: &[Setting]) -> Vec<Change> {
    // A number that shares no divisor with most numbers of settings, so that partners differ.
    const STRIDE: usize = 7919;
    let partner = |index: usize| {
        let others = (0..settings.len()).map(|more| &settings[(index * STRIDE + more) % settings.len()]);
        others.into_iter().find(|other| other.field != settings[index].field)
    };
    let pair = |index: usize| Some(Change(vec![settings[index].clone(), partner(index)?.clone()]));
    (0..settings.len()).filter_map(pair).collect()
}

/// All pairs of fields, both unset: the error that is reported shows the order in which they are read.
fn unset_pairs(settings: &[Setting]) -> Vec<Change> {
    let unset: Vec<&Setting> = settings.iter().filter(|setting| setting.value == values::UNSET).collect();
    let pairs = unset.iter().enumerate().flat_map(|(index, &first)| {
        let others = unset[index + 1..].iter();
        others.map(move |&other| Change(vec![first.clone(), other.clone()]))
    });
    pairs.collect()
}

/// Returns false for template arguments, which are fields that no `let` can set.
fn is_settable(record: Rec<'_>, field: &str) -> bool {
    !field.contains(':') && field != "NAME" && record.get(field).is_some()
}

/// The flags of every generator whose output depends on the definition.
fn runs(definition: &Definition) -> Vec<Vec<String>> {
    let rules = set_up::fuzzed_release().rules();
    let generators = GENERATORS.iter().map(|generator| generator.name);
    let all: Vec<Vec<String>> = generators
        .filter(|name| is_in_release(name, &rules))
        .map(|name| {
            let option = OPTIONS.iter().find(|(of, option)| *of == name && is_flag(option, &rules));
            let option = option.map(|(_, option)| (*option).to_owned());
            std::iter::once(format!("--{name}")).chain(option).collect()
        })
        .collect();
    let flags: Vec<Flags> = all.iter().filter_map(|words| Flags::parse(words).ok()).collect();
    let given = run::text(&definition.with(""), &flags);
    let empty = run::text(&definition.empty(), &flags);
    let asks = given.iter().zip(&empty).map(|(given, empty)| given.status == 0 && given.out != empty.out);
    all.into_iter().zip(asks).filter_map(|(words, asks)| asks.then_some(words)).collect()
}

/// Returns true if the tools of the release have the option of a flag.
fn is_flag(flag: &str, rules: &Rules) -> bool {
    flag.trim_start_matches('-').split('=').next().is_some_and(|option| is_in_release(option, rules))
}

impl Definition {
    fn is_readable(&self) -> bool {
        // An include that the release lacks is dropped later.
        let parts = self.before.iter().copied().chain([self.text]).flat_map(str::lines);
        let mut parts = parts.filter(|line| !line.starts_with("include "));
        (self.is_there)() && parts.all(older::is_readable)
    }

    /// The file with a statement in its hole.
    fn with(&self, statement: &str) -> String {
        older::random_text(self.before.concat() + &self.text.replace(HOLE, statement))
    }

    /// The file without the definition.
    fn empty(&self) -> String {
        older::random_text(self.before.concat())
    }
}
