//! Assigns enums outside of all dialects' namespaces to the dialects that use them.

use std::collections::BTreeMap;

use odsmith_engine::{
    ods::{Constraint, Definition, Dialect, Operation, PartKind},
    record::Records,
};
use rustc_hash::FxHashMap;

use super::atlas::{Entity, ListId, Section, cpp_class};

/// The section for enums that no dialect uses.
pub(super) const NAME: &str = "enums";

/// Moves the enums of sections without a dialect to the dialect whose definitions use them most.
pub(super) fn file<'r>(all: &[&'r Records], sections: &mut BTreeMap<String, Section<'r>>) {
    let is_loose = |section: &Section<'_>| section.dialect.is_none() && !section.enums.is_empty();
    if !sections.values().any(is_loose) {
        return;
    }
    let users = users(all);
    let mut moved: Vec<(String, Entity<'r>)> = Vec::new();
    for section in sections.values_mut().filter(|section| is_loose(section)) {
        section.enums.retain(|entity| {
            let Some(dialects) = users.get(&cpp_class(entity.rec)) else { return true };
            // Of several with the most uses, the first by name.
            let best = dialects.iter().max_by(|(a, x), (b, y)| x.cmp(y).then_with(|| b.cmp(a)));
            moved.extend(best.map(|(dialect, _)| ((*dialect).to_owned(), entity.clone())));
            false
        });
    }
    for (dialect, entity) in moved {
        if let Some(section) = sections.get_mut(&dialect) {
            let class = Definition::new(entity.rec).cpp_class_name();
            if section.known.insert((ListId::Enums, false, class)) {
                section.enums.push(entity);
            }
        }
    }
    sections.retain(|_, section| {
        section.dialect.is_some() || !section.enums.is_empty() || !section.passes.is_empty()
    });
}

/// The number of uses of each enum, given by its C++ class, per dialect.
fn users<'r>(all: &[&'r Records]) -> FxHashMap<String, BTreeMap<&'r str, usize>> {
    let mut users: FxHashMap<String, BTreeMap<&'r str, usize>> = FxHashMap::default();
    let mut add = |dialect: Option<Dialect<'r>>, constraint: Constraint<'r>| {
        if let (Some(dialect), Some(info)) = (dialect, constraint.enum_info()) {
            *users.entry(cpp_class(info)).or_default().entry(dialect.name()).or_default() += 1;
        }
    };
    for records in all {
        for rec in records.derived("Op") {
            let dialect = Definition::new(rec).dialect();
            let Some(op) = Operation::lenient(rec) else { continue };
            for part in
                op.parts().filter(|part| matches!(part.kind, PartKind::Attribute | PartKind::Property))
            {
                add(dialect, part.constraint.unwrapped());
            }
        }
        for rec in records.derived("AttrDef") {
            add(Definition::new(rec).dialect(), Constraint::new(rec));
        }
    }
    users
}
