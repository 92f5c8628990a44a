//! Uses of deprecated defs: `--on-deprecated`.
//!
//! A def is deprecated when its field `odsDeprecated` holds a string. A named def uses every deprecated def that its
//! fields reach through lists, dags and the fields of anonymous defs. Warnings are sorted by the name of the deprecated
//! def, then by the name of its user. MLIR 15 looks only one level deep: at the named defs in a list, and at the
//! anonymous defs among the arguments of a dag.

use std::collections::{HashMap, HashSet};

use rustc_hash::FxBuildHasher;

use odsmith_release::Change;
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{InitId, Rec, RecordId, Records, Val, View, name},
    span::Span,
};

/// For each deprecated or anonymous def, the defs whose fields mention it.
type Users<'r> = HashMap<RecordId, Vec<Rec<'r>>, FxBuildHasher>;

/// The nested lists and dags that have been visited.
type VisitedInits = HashSet<InitId, FxBuildHasher>;

/// A use of a deprecated def.
pub struct Use<'r> {
    def: Rec<'r>,
    user: Rec<'r>,
    reason: &'r str,
}

/// Finds the uses of deprecated defs.
#[must_use]
pub fn uses(records: &Records) -> Vec<Use<'_>> {
    let deprecated: HashMap<RecordId, (Rec<'_>, &str), FxBuildHasher> =
        records.defs_as_made().filter_map(|def| Some((def.id(), (def, reason(def)?)))).collect();
    if deprecated.is_empty() {
        return Vec::new();
    }
    let has_parts = records.rules().has(Change::DeprecatedParts);
    let mut users = Users::default();
    for user in records.defs_as_made() {
        let mut mention = |def| {
            if Rec::is_anonymous(def) || deprecated.contains_key(&def.id()) {
                users.entry(def.id()).or_default().push(user);
            }
        };
        let mut seen = VisitedInits::default();
        user.values().for_each(|value| match has_parts {
            true => mentions(value, &mut seen, &mut mention),
            false => mentions_at_once(value, &mut mention),
        });
    }
    let mut found: Vec<_> = deprecated
        .values()
        .flat_map(|&(def, reason)| {
            named_users(def, &users).into_iter().map(move |user| Use { def, user, reason })
        })
        .collect();
    found.sort_unstable_by_key(|it| (it.def.name(), it.user.name()));
    found
}

/// Returns the reason why a def is deprecated, if it is.
fn reason(def: Rec<'_>) -> Option<&str> {
    def.get(name!("odsDeprecated"))?.as_str().filter(|_| def.is_mentioned())
}

impl Use<'_> {
    /// Returns the warning for this use.
    #[must_use]
    pub fn warning(&self) -> Diagnostic {
        let (&span, defms) = self.user.record().spans.split_first().unwrap_or((&Span::NONE, &[]));
        let warning = Diagnostic::warning(span, format!("Using deprecated def `{}`", self.def.name()));
        let warning =
            defms.iter().fold(warning, |warning, &defm| warning.note(defm, "instantiated from multiclass"));
        warning.note(Span::NONE, self.reason)
    }
}

/// Calls `mention` with each def in a value.
fn mentions<'r>(value: Val<'r>, seen: &mut VisitedInits, mention: &mut impl FnMut(Rec<'r>)) {
    // Values share parts: without `seen`, a small graph could take exponential time to walk.
    let mut part = |part: Val<'r>| match part.view() {
        View::Def(def) => mention(def),
        View::List(_) | View::Dag(_) if seen.insert(part.id()) => mentions(part, seen, mention),
        _ => {}
    };
    match value.view() {
        View::Def(def) => mention(def),
        View::List(list) => list.for_each(part),
        View::Dag(dag) => {
            dag.operator().into_iter().for_each(&mut part);
            dag.args().for_each(|(argument, _)| part(argument));
        }
        View::Unset | View::Bit(_) | View::Bits(..) | View::Int(_) | View::String(_) | View::Symbolic => {}
    }
}

/// Calls `mention` with the value itself if it is a def, with the named defs in a list, or with the anonymous defs
/// among the arguments of a dag.
fn mentions_at_once<'r>(value: Val<'r>, mention: &mut impl FnMut(Rec<'r>)) {
    let def_of = |part: Val<'r>| match part.view() {
        View::Def(def) => Some(def),
        _ => None,
    };
    match value.view() {
        View::Def(def) => mention(def),
        View::List(list) => list.filter_map(def_of).filter(|def| !def.is_anonymous()).for_each(mention),
        View::Dag(dag) => {
            let arguments = dag.args().filter_map(|(argument, _)| def_of(argument));
            arguments.filter(|def| def.is_anonymous()).for_each(mention);
        }
        _ => {}
    }
}

/// Returns the named defs that reach a def, directly or through anonymous ones.
fn named_users<'r>(def: Rec<'r>, users: &Users<'r>) -> Vec<Rec<'r>> {
    let mut named = Vec::new();
    let mut seen = HashSet::<RecordId, FxBuildHasher>::default();
    let mut waiting = vec![def];
    while let Some(def) = waiting.pop() {
        for &user in users.get(&def.id()).into_iter().flatten() {
            if seen.insert(user.id()) {
                if user.is_anonymous() { waiting.push(user) } else { named.push(user) }
            }
        }
    }
    named
}
