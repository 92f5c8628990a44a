//! Uses of deprecated defs: `--on-deprecated`.
//!
//! A def is deprecated when its field `odsDeprecated` holds a string. A named def uses every one that its fields
//! reach through lists, dags and the fields of anonymous defs. Warnings come by the name of the deprecated def, then
//! by the name of the one that uses it. MLIR 15 looks at the items of lists and the arguments of dags only, at named defs in
//! those and at anonymous ones in these.

use std::collections::{HashMap, HashSet};

use rustc_hash::FxBuildHasher;

use odsmith_release::Change;
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{InitId, Rec, RecordId, Records, Val, View, name},
    span::Span,
};

/// The defs whose fields mention a def, by that def: one that is deprecated, or an anonymous one.
type Users<'r> = HashMap<RecordId, Vec<Rec<'r>>, FxBuildHasher>;

/// Lists and dags inside others that were looked into.
type Seen = HashSet<InitId, FxBuildHasher>;

/// A use of a deprecated def.
pub struct Use<'r> {
    def: Rec<'r>,
    user: Rec<'r>,
    reason: &'r str,
}

/// The uses of deprecated defs.
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
        let mut seen = Seen::default();
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

/// Why a def that something refers to is deprecated.
fn reason(def: Rec<'_>) -> Option<&str> {
    def.get(name!("odsDeprecated"))?.as_str().filter(|_| def.is_mentioned())
}

impl Use<'_> {
    /// The warning of it.
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
fn mentions<'r>(value: Val<'r>, seen: &mut Seen, mention: &mut impl FnMut(Rec<'r>)) {
    // Parts of a tree may be shared so often that it has no end once all of it is walked.
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

/// Calls `mention` with a value that is a def, with the named defs of one that is a list, or with the anonymous ones among
/// the arguments of a dag.
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

/// The named defs that reach a def, through anonymous ones or without.
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
