//! IR as text (`.mlir`), rewritten from the definitions of the older release to those of the newer one.

use std::{collections::BTreeMap, num::NonZero, sync::Arc};

use odsmith_engine::{
    cancel::Cancel,
    ir::{
        Definitions,
        migrate::{Cause, Migration, Migrator},
        syntax::Table,
    },
    parallel::{self, Spare},
    record::Records,
    review::upgrade::{
        edits::Edit,
        texts::{self, TextRow, TextUse},
    },
};

use super::Program;
use crate::pipeline::ir::Lines;

/// The changes of texts: edits, the edited files, and the places.
#[derive(Debug, Default)]
pub struct Rewritten {
    /// The edits, by file and place.
    pub edits: Vec<Edit>,
    /// The files that they change.
    pub edited: BTreeMap<String, Vec<u8>>,
    /// The places that change, and those that are not decided.
    pub uses: Vec<TextUse>,
}

/// Rewrites the texts among some programs. Of several definitions of a name the first one counts.
#[must_use]
pub fn rewritten(
    programs: &[Program],
    [old, new]: [&[Arc<Records>]; 2],
    (threads, cancel): (NonZero<usize>, &Cancel),
) -> Rewritten {
    let texts: Vec<(&str, &str)> = programs
        .iter()
        .filter(|program| program.path.ends_with(".mlir"))
        // A text that is no UTF-8 could not be written back as it was.
        .filter_map(|program| Some((&*program.path, std::str::from_utf8(&program.bytes).ok()?)))
        .collect();
    if texts.is_empty() {
        return Rewritten::default();
    }
    let definitions =
        |roots: &[Arc<Records>]| Definitions::of_records(roots.iter().map(|root| &**root), Table::of_mlir());
    let (old, new) = (definitions(old), definitions(new));
    let migrator = Migrator::new(&old, &new);
    let spare = Spare::beside_one(threads);
    let all = parallel::map_on(&spare, &texts, |(_, text)| match cancel.is_cancelled() {
        true => Migration::default(),
        false => migrator.migrate(text),
    });
    let mut rewritten = Rewritten::default();
    for ((path, text), migration) in texts.into_iter().zip(all) {
        rewritten.add(path, text, &migration);
    }
    rewritten
}

impl Rewritten {
    fn add(&mut self, path: &str, text: &str, migration: &Migration) {
        if migration.edits.is_empty() && migration.undecided.is_empty() {
            return;
        }
        let lines = Lines::new(text);
        let place = |byte: usize| {
            let (line, column) = lines.place(byte);
            (path.to_owned(), line, column)
        };
        for edit in &migration.edits {
            let (file, line, column) = place(edit.range.start);
            let old = text.get(edit.range.clone()).unwrap_or_default().to_owned();
            let (start, end) = (edit.range.start, edit.range.end);
            self.edits.push(Edit { file, start, end, line, column, old, new: edit.new.clone() });
        }
        for operation in &migration.operations {
            self.uses.push(TextUse {
                row: row(operation.cause),
                operation: operation.name.clone(),
                obstacle: None,
                place: place(operation.range.start),
            });
        }
        for it in &migration.undecided {
            self.uses.push(TextUse {
                row: row(it.cause),
                operation: it.operation.clone(),
                obstacle: Some(it.message.clone()),
                place: place(it.range.start),
            });
        }
        if !migration.edits.is_empty() {
            self.edited.insert(path.to_owned(), migration.apply(text).into_bytes());
        }
    }
}

fn row(cause: Cause) -> &'static TextRow {
    match cause {
        Cause::Format => texts::FORMAT,
        Cause::Strict => texts::STRICT,
        Cause::Renamed => texts::RENAMED,
        Cause::Removed => texts::REMOVED,
        Cause::Attribute => texts::ATTRIBUTE,
        Cause::Comment => texts::COMMENT,
    }
}
