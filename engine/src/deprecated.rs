//! Uses of deprecated defs: `--on-deprecated`.
//!
//! A def is deprecated when its field `odsDeprecated` holds a string. A named def uses every one that its fields
//! reach through lists, dags and the fields of anonymous defs. Warnings come by the name of the deprecated def, then
//! by the name of the one that uses it.

use std::collections::HashSet;

use crate::{
    diagnostic::Diagnostic,
    record::{Rec, Records, Val, View},
    span::Span,
};

/// A warning for each use of a deprecated def.
#[must_use]
pub fn uses(records: &Records) -> Vec<Diagnostic> {
    if !records.defs_in_any_order().any(|def| reason(def).is_some()) {
        return Vec::new();
    }
    let mut found: Vec<(Rec<'_>, Rec<'_>)> = Vec::new();
    for user in records.defs().filter(|def| !def.is_anonymous()) {
        let mut reached = Reached::default();
        reached.fields(user);
        found.extend(reached.deprecated.into_iter().map(|def| (def, user)));
    }
    found.sort_by_key(|(def, user)| (def.name(), user.name()));
    found.into_iter().filter_map(|(def, user)| Some(warning(def, user, reason(def)?))).collect()
}

fn reason(def: Rec<'_>) -> Option<&str> {
    def.get("odsDeprecated")?.as_str()
}

fn warning(def: Rec<'_>, user: Rec<'_>, reason: &str) -> Diagnostic {
    let (&span, defms) = user.record().spans.split_first().unwrap_or((&Span::NONE, &[]));
    let warning = Diagnostic::warning(span, format!("Using deprecated def `{}`", def.name()));
    let warning =
        defms.iter().fold(warning, |warning, &defm| warning.note(defm, "instantiated from multiclass"));
    warning.note(Span::NONE, reason)
}

/// What the fields of one def reach.
#[derive(Default)]
struct Reached<'r> {
    deprecated: Vec<Rec<'r>>,
    anonymous: HashSet<Rec<'r>>,
}

impl<'r> Reached<'r> {
    fn fields(&mut self, def: Rec<'r>) {
        def.fields().for_each(|(_, value)| self.value(value));
    }

    fn value(&mut self, value: Val<'r>) {
        match value.view() {
            View::Def(def) => {
                if reason(def).is_some() && !self.deprecated.contains(&def) {
                    self.deprecated.push(def);
                }
                if def.is_anonymous() && self.anonymous.insert(def) {
                    self.fields(def);
                }
            }
            View::List(list) => list.for_each(|item| self.value(item)),
            View::Dag(dag) => {
                dag.operator().into_iter().for_each(|operator| self.value(operator));
                dag.args().for_each(|(argument, _)| self.value(argument));
            }
            View::Unset | View::Bit(_) | View::Bits(..) | View::Int(_) | View::String(_) | View::Symbolic => {
            }
        }
    }
}
