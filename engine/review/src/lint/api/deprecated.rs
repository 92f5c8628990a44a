//! API015: uses of names that their definition or a release of MLIR deprecates.
//!
//! ```text
//! def Old : …, Deprecated<"use New">          its own reason says what to use
//! let usePropertiesForAttributes = 1;         the table of `odsmith-release` has a row for it
//! ```

use odsmith_ods::Definition;
use odsmith_release::deprecations::{DEPRECATIONS, Deprecation, Remedy, Status, Subject as Dated};
use odsmith_tablegen::{
    outline::{Item, ItemKind, Kind, Outline, Statement, StatementKind, Token},
    record::{Rec, Records},
    text::shortened,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::DEPRECATED_USE;
use crate::lint::{
    Root,
    cx::{Bundle, about_file},
    finding::{Finding, Fix, MOST_OF_A_TEXT, edit_of},
    place_in,
    rule::Level,
    tgn::deletion,
    words::quoted,
};

/// A deprecation of a name.
#[derive(Clone)]
struct Notice<'r> {
    /// The reason not to use it.
    reason: String,
    /// The new name, if replacing the name is enough.
    new_name: Option<&'r str>,
    level: Level,
    /// True if the generated code stays the same.
    is_safe: bool,
}

/// Finds words of the user's files that name something deprecated.
pub(in crate::lint) fn check_files(bundle: Bundle<'_>, roots: &[Root<'_>]) -> Vec<Finding> {
    if !bundle.config.may_ask(&DEPRECATED_USE) {
        return Vec::new();
    }
    let mut names: FxHashMap<&str, Notice<'_>> = FxHashMap::default();
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    let own: FxHashSet<&str> = bundle.outlines.iter().flat_map(defined).collect();
    for root in roots {
        let records = root.records;
        of_definitions(records, &mut names, &mut seen);
        of_releases(records, &own, &mut names);
    }
    let mut found = Vec::new();
    for outline in bundle.outlines {
        words(bundle, outline, &names, &mut found);
        fields(bundle, outline, roots, &mut found);
        includes(bundle, outline, roots, &mut found);
    }
    found
}

/// Returns the names that a file defines.
fn defined(outline: &Outline) -> impl Iterator<Item = &str> {
    let is_definition = |it: &&Statement| {
        matches!(
            it.kind,
            StatementKind::Class
                | StatementKind::Def
                | StatementKind::Defm
                | StatementKind::Defvar
                | StatementKind::Multiclass
        )
    };
    let names = outline.all_statements().filter(is_definition).filter_map(Statement::whole_name);
    names.map(|name| outline.text_of(name))
}

/// Collects definitions and classes that are marked `Deprecated`.
fn of_definitions<'r>(
    records: &'r Records,
    names: &mut FxHashMap<&'r str, Notice<'r>>,
    seen: &mut FxHashSet<&'r str>,
) {
    let named = records.defs().filter(|rec| !rec.is_anonymous());
    for rec in named.chain(records.classes()).filter(|rec| seen.insert(rec.name())) {
        let Some(reason) = Definition::new(rec).deprecated().filter(|_| says_so_itself(rec)) else {
            continue;
        };
        let new_name = name_in(reason);
        let row = Deprecation::of_name(rec.name());
        let notice = Notice {
            reason: format!("it is deprecated: {}", shortened(reason, MOST_OF_A_TEXT)),
            new_name,
            level: Level::Warning,
            // The table says for which names a rename is enough.
            is_safe: row.is_some_and(|row| row.is_mechanical() && row.advice.is_empty()),
        };
        names.insert(rec.name(), notice);
    }
}

/// Returns true if the record itself is marked, not a class that it derives from: then the class is what is used.
fn says_so_itself(rec: Rec<'_>) -> bool {
    let reason = Definition::new(rec).deprecated();
    rec.superclasses().all(|class| Definition::new(class).deprecated().is_none_or(|it| Some(it) != reason))
}

/// Returns the last word of a reason, such as `use X` or `moved to … X`, if it is a name.
fn name_in(reason: &str) -> Option<&str> {
    let last = reason.trim_end_matches('.').rsplit(' ').next()?.trim_matches(['`', '\'']);
    let is_name =
        last.starts_with(char::is_uppercase) && last.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name.then_some(last)
}

/// Collects names that this release deprecates, or that a later one removes while their replacement already exists; and
/// names that the next release removes.
fn of_releases<'r>(records: &'r Records, own: &FxHashSet<&str>, names: &mut FxHashMap<&'r str, Notice<'r>>) {
    let is_there = |name: &str| records.def(name).is_some() || records.class(name).is_some();
    for row in DEPRECATIONS {
        let Dated::Name(name) = row.subject else { continue };
        if names.contains_key(name) || own.contains(name) || !is_there(name) {
            continue;
        }
        let new_name = match row.remedy {
            Remedy::Rename(new) => Some(new).filter(|new| is_there(new)),
            // A name that only needs an include is not reported.
            Remedy::Include(_) | Remedy::Insert(_) => continue,
            Remedy::Remove | Remedy::Rewrite => None,
        };
        if new_name.is_none() && !row.is_next_of(records.rules()) {
            continue;
        }
        let notice = Notice {
            reason: said(row),
            new_name,
            level: level(row, records),
            is_safe: row.advice.is_empty(),
        };
        names.insert(name, notice);
    }
}

/// Reports includes of library files that the next release moves.
fn includes(bundle: Bundle<'_>, outline: &Outline, roots: &[Root<'_>], found: &mut Vec<Finding>) {
    let Some(records) = roots.first().map(|root| root.records) else { return };
    for statement in outline.all_statements().filter(|it| it.kind == StatementKind::Include) {
        let Some(name) = statement.name else { continue };
        let path = outline.inside(name);
        let is_meant = |row: &&Deprecation| {
            matches!(row.subject, Dated::File(known) if known == path) && row.is_next_of(records.rules())
        };
        let is_own = bundle.by_name.contains_key(path);
        if let Some(row) = DEPRECATIONS.iter().find(is_meant).filter(|_| !is_own) {
            let message = format!("{} is included; {}", quoted(path), said(row));
            found.extend(finding(bundle, outline, (name, None), message, (level(row, records), None)));
        }
    }
}

fn said(row: &Deprecation) -> String {
    match row.status {
        Status::Gone => format!("MLIR {} does not have it: {}", row.since, row.text()),
        Status::Deprecated | Status::Dated => row.text(),
    }
}

/// Returns the level: a name that only a later release drops is valid in this one.
fn level(row: &Deprecation, records: &Records) -> Level {
    if row.is_ahead_of(records.rules()) { Level::Info } else { Level::Warning }
}

fn words(
    bundle: Bundle<'_>,
    outline: &Outline,
    names: &FxHashMap<&str, Notice<'_>>,
    found: &mut Vec<Finding>,
) {
    for token in outline.tokens.iter().filter(|token| token.kind == Kind::Word) {
        let word = outline.text_of(*token);
        let Some(notice) = names.get(word) else { continue };
        let around = outline.statement_at(token.start);
        // The definition of a name is not a use.
        if around
            .is_some_and(|statement| statement.whole_name().is_some_and(|name| name.start == token.start))
        {
            continue;
        }
        let fix = notice.new_name.map(|new| Fix {
            title: format!("use {new}"),
            is_safe: notice.is_safe,
            edits: vec![edit_of(outline, (token.start, token.end), new)],
        });
        let message = format!("{} is used; {}", quoted(word), notice.reason);
        found.extend(finding(bundle, outline, (*token, around), message, (notice.level, fix)));
    }
}

/// Reports `let`s of deprecated fields.
fn fields(bundle: Bundle<'_>, outline: &Outline, roots: &[Root<'_>], found: &mut Vec<Finding>) {
    let lets = outline.all_statements().flat_map(|statement| {
        statement.items.iter().filter(|item| item.kind == ItemKind::Let).map(move |item| (statement, item))
    });
    for (statement, item) in lets {
        let field = outline.text_of(item.name);
        let rows = DEPRECATIONS.iter().filter_map(|row| match row.subject {
            // PAS002 covers constructors of passes.
            Dated::Field { class, field: known } if known == field && row.status == Status::Gone => {
                Some((row, class))
            }
            _ => None,
        });
        let owner = || {
            let name = outline.text_of(statement.whole_name()?);
            roots.iter().find_map(|root| root.records.def(name).or_else(|| root.records.class(name)))
        };
        for (row, class) in rows {
            let Some(rec) = owner().filter(|rec| rec.is_subclass_of(class)) else { continue };
            if Definition::new(rec).place_of(field).is_none() || !replacement_is_there(row, rec) {
                continue;
            }
            let message = format!("'{field}' is set; {}", said(row));
            let level = level(row, rec.records());
            let fix = field_fix(row, outline, item);
            found.extend(finding(bundle, outline, (item.name, Some(statement)), message, (level, fix)));
        }
    }
}

/// Returns true if the replacement exists in this release.
fn replacement_is_there(row: &Deprecation, rec: Rec<'_>) -> bool {
    match row.remedy {
        Remedy::Rename(new) => Definition::new(rec).place_of(new).is_some(),
        Remedy::Remove => true,
        Remedy::Include(_) | Remedy::Insert(_) | Remedy::Rewrite => row.is_next_of(rec.records().rules()),
    }
}

fn field_fix(row: &Deprecation, outline: &Outline, item: &Item) -> Option<Fix> {
    let (title, edit) = match row.remedy {
        Remedy::Rename(new) => {
            let (start, end) = (item.name.start, item.name.end);
            (format!("set {new}"), edit_of(outline, (start, end), new))
        }
        // If the field has this value anyway, deleting the `let` changes nothing; `proved` checks that.
        Remedy::Remove => ("leave it out".to_owned(), deletion(outline, item.range())),
        Remedy::Include(_) | Remedy::Insert(_) | Remedy::Rewrite => return None,
    };
    Some(Fix { title, is_safe: true, edits: vec![edit] })
}

fn finding(
    bundle: Bundle<'_>,
    outline: &Outline,
    (token, around): (Token, Option<&Statement>),
    message: String,
    (level, fix): (Level, Option<Fix>),
) -> Option<Finding> {
    let place = (outline, token.start, token.end);
    let mut finding = about_file(&DEPRECATED_USE, bundle.means(), place, message)?;
    // A level from the project's settings wins.
    if finding.severity == DEPRECATED_USE.level.severity() {
        finding.severity = level.severity();
    }
    let owner = around.and_then(|statement| Some(outline.text_of(statement.whole_name()?)));
    if let Some(owner) = owner {
        finding.subject = format!("{owner}#{}", outline.text_of(token));
    }
    finding.location = Some(place_in(outline, token.start, token.end));
    finding.fix = fix;
    Some(finding)
}
