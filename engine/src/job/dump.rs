//! Dumps of all records, emitted piece by piece.

use odsmith_tablegen::{
    cancel::Cancel,
    diagnostic::Diagnostic,
    limits::{cancelled_job, over},
    parallel::{self, Spare},
    record::{Records, RecordsDump, json, print, records_dump::Cache},
    span::Span,
};

use crate::generators::Action;

/// The number of records written together.
const RECORDS: usize = 48;
/// The initial capacity of a piece, in bytes.
const USUAL_BYTES: usize = 24 << 10;
/// The bytes after which a piece is emitted even if some of its records are not written yet.
const MOST_BYTES: usize = 1 << 20;
/// The most pieces that wait to be emitted.
const PIECES: usize = 6;

/// The limits and threads for writing a dump.
pub(super) struct DumpBudget<'a> {
    /// The most bytes in all.
    pub(super) most: u64,
    pub(super) spare: &'a Spare,
    pub(super) cancel: &'a Cancel,
}

/// Returns the dump for an action.
pub(super) fn of<'r>(action: &Action, records: &'r Records) -> Option<Box<dyn RecordsDump + 'r>> {
    match action {
        Action::PrintRecords => Some(Box::new(print::Listing::new(records))),
        Action::DumpJson => Some(Box::new(json::Object::new(records))),
        _ => None,
    }
}

/// Emits a dump in pieces, which are written on this thread and on idle ones.
///
/// # Errors
/// The dump or a value in it is too long, or the job was cancelled; earlier pieces were emitted.
pub(super) fn write(
    dump: &dyn RecordsDump,
    means: &DumpBudget<'_>,
    hand_on: &mut dyn FnMut(&str),
) -> Result<(), Box<Diagnostic>> {
    let mut left = means.most;
    let mut hand_on = |text: &str| {
        if means.cancel.is_cancelled() {
            return Err(cancelled_job());
        }
        left = left
            .checked_sub(text.len() as u64)
            .ok_or_else(|| over(Span::NONE, "output size", means.most, "bytes"))?;
        hand_on(text);
        Ok(())
    };
    let is_short = |text: &str| text.len() < MOST_BYTES && !means.cancel.is_cancelled();
    let count = dump.count();
    let records_of = |piece: usize| piece * RECORDS..count.min((piece + 1) * RECORDS);
    let make = |cache: &mut Cache, piece: usize| {
        let mut text = String::with_capacity(USUAL_BYTES);
        let end = dump.write(records_of(piece), cache, &mut text, &is_short);
        (text, end)
    };
    parallel::in_order(
        means.spare,
        count.div_ceil(RECORDS),
        PIECES,
        Cache::default,
        make,
        |cache, piece, (mut text, end)| {
            let mut next = end?;
            hand_on(&text)?;
            // Write the rest of a piece that is too big.
            while next < records_of(piece).end {
                text.clear();
                next = dump.write(next..records_of(piece).end, cache, &mut text, &is_short)?;
                hand_on(&text)?;
            }
            Ok(())
        },
    )
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use odsmith_tablegen::limits::Limits;

    use super::*;
    use crate::{
        bundle::Bundle,
        job::{Job, Target, run},
        library::Library,
    };

    /// Returns records with common fields, some of them with long values.
    fn records() -> Arc<Records> {
        let mut text =
            String::from("class A<int n> { int x = n; string s = \"s\"; list<int> l = !range(n); }\n");
        (0..700).for_each(|index| text += &format!("def d{index} : A<{}>;\n", index % 7 * 100));
        let mut bundle = Bundle::default();
        bundle.insert("root.td", text.into_bytes());
        let job = Job::new(bundle).target(Target::new("root.td")).limits(Limits::generous());
        run(&Library::default(), &job).targets.remove(0).records.expect("the records are good")
    }

    #[test]
    fn pieces_are_what_parts_are_alone() {
        let records = records();
        for action in [Action::PrintRecords, Action::DumpJson] {
            let dump = of(&action, &records).expect("a dump");
            let mut want = String::new();
            for part in 0..dump.count() {
                let end = dump.write(part..part + 1, &mut Cache::default(), &mut want, &|_| true);
                assert_eq!(end.ok(), Some(part + 1));
            }
            for threads in [0, 1, 3] {
                let (spare, cancel) = (Spare::new(threads), Cancel::new());
                let mut got = String::new();
                let means = DumpBudget { most: want.len() as u64, spare: &spare, cancel: &cancel };
                let written = write(&*dump, &means, &mut |text| got += text);
                assert!(written.is_ok() && got == want, "{action:?} on {threads} threads more");
                let short = DumpBudget { most: want.len() as u64 - 1, ..means };
                let refused = write(&*dump, &short, &mut |_| {}).expect_err("it is too long");
                assert!(refused.message.contains("output size"), "{}", refused.message);
            }
        }
    }
}
