//! The dialects' own bytecode: codes of kinds, and the fields of each (`-gen-bytecode`).

use std::collections::BTreeMap;

use odsmith_interchange::code::Encoding;

use super::{
    Cx, Report, Side, Subject, change,
    operation::words,
    quoted,
    rules::{Level, Rule, Verdict},
};

/// A kind: the dialect, whether it is a type, and its name.
type Key<'d> = (&'d str, bool, &'d str);

fn by_key(side: Side<'_>) -> BTreeMap<Key<'_>, &Encoding> {
    side.0.encodings.iter().map(|it| ((it.dialect.as_str(), it.is_type, it.name.as_str()), it)).collect()
}

pub(super) fn compare(cx: Cx<'_>, report: &mut Report) {
    let (before, after) = (by_key(cx.old), by_key(cx.new));
    for (&key, &old) in &before {
        let at_code = |code: usize| {
            after.iter().find(|(it, other)| (it.0, it.1, other.code) == (key.0, key.1, code)).map(|it| *it.1)
        };
        let Some(&new) = after.get(&key) else {
            let message = format!("the code {} of {} is gone", old.code, quoted(key.2));
            let verdict = taken(old, at_code(old.code));
            add(cx, key, message, verdict, report);
            continue;
        };
        if old.code != new.code {
            let message = change("the code", &old.code.to_string(), &new.code.to_string());
            add(cx, key, message, taken(old, at_code(old.code)), report);
        }
        let fields = |it: &Encoding| it.fields.iter().map(|it| words(it)).collect::<Vec<_>>();
        let (was, is) = (fields(old), fields(new));
        if was != is {
            let message = change("what follows the code", &was.join(", "), &is.join(", "));
            add(cx, key, message, Verdict::Breaks, report);
        }
    }
}

/// Returns the effect on an old code: silent if another kind has it now with the same fields, else breaking.
fn taken(old: &Encoding, by: Option<&Encoding>) -> Verdict {
    match by {
        Some(other) if other.fields == old.fields => Verdict::Silent,
        _ => Verdict::Breaks,
    }
}

fn add<'d>(
    cx: Cx<'d>,
    (dialect, is_type, name): Key<'d>,
    message: String,
    verdict: Verdict,
    report: &mut Report,
) {
    let of = |side: Side<'d>| side.0.dialects.iter().find(|it| it.name.eq_ignore_ascii_case(dialect));
    let (old, new) = (of(cx.old), of(cx.new));
    let group = old.or(new).map_or(dialect, |it| it.name.as_str());
    let sign = if is_type { '!' } else { '#' };
    let subject = Subject {
        group,
        id: format!("{group}{sign}{name}"),
        old: old.map(|it| &it.definition),
        new: new.map(|it| &it.definition),
    };
    report.add_part(Rule::TA012, &subject, "encoding", message).set(Level::Bytecode, verdict);
}
