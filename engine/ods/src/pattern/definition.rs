//! A pattern as it is written: nothing is checked, and what breaks a rule is shown all the same.

use odsmith_tablegen::record::{Dag, Rec, Val, name};

/// A record of class `Pattern`.
#[derive(Clone, Copy, Debug)]
pub struct PatternDef<'r>(Rec<'r>);

/// What a dag of a pattern calls.
#[derive(Clone, Copy, Debug)]
pub enum Callee<'r> {
    /// An operation: it is matched or made.
    Operation(Rec<'r>),
    /// Native code, and its C++ expression.
    Native(Rec<'r>, &'r str),
    /// A directive or a constraint.
    Other(Rec<'r>),
}

impl<'r> Callee<'r> {
    /// What this dag calls; nothing where the operator is not a record.
    #[must_use]
    pub fn of(dag: Dag<'r>) -> Option<Self> {
        let rec = dag.operator_def()?;
        Some(if rec.is_subclass_of(name!("Op")) {
            Callee::Operation(rec)
        } else if rec.is_subclass_of(name!("NativeCodeCall")) {
            Callee::Native(rec, rec.optional_string(name!("expression")).unwrap_or_default())
        } else {
            Callee::Other(rec)
        })
    }
}

impl<'r> PatternDef<'r> {
    /// The view of a record of class `Pattern`.
    #[must_use]
    pub fn new(rec: Rec<'r>) -> Self {
        PatternDef(rec)
    }

    /// The record.
    #[must_use]
    pub fn rec(self) -> Rec<'r> {
        self.0
    }

    /// What is matched.
    #[must_use]
    pub fn source(self) -> Option<Dag<'r>> {
        self.0.dag(name!("sourcePattern")).ok()
    }

    /// The operation that it begins with.
    #[must_use]
    pub fn root(self) -> Option<Rec<'r>> {
        self.source()?.operator_def()
    }

    /// What replaces it: one for each result.
    pub fn results(self) -> impl Iterator<Item = Dag<'r>> {
        self.dags("resultPatterns")
    }

    /// What is done besides.
    pub fn supplements(self) -> impl Iterator<Item = Dag<'r>> {
        self.dags("supplementalPatterns")
    }

    /// What else must hold.
    pub fn constraints(self) -> impl Iterator<Item = Dag<'r>> {
        self.dags("constraints")
    }

    /// What the author adds to its benefit.
    #[must_use]
    pub fn added_benefit(self) -> i64 {
        let dag = self.0.get(name!("benefitDelta")).and_then(Val::as_dag);
        dag.and_then(|dag| dag.arg(0)).and_then(Val::as_int).unwrap_or_default()
    }

    fn dags(self, field: &str) -> impl Iterator<Item = Dag<'r>> + use<'r> {
        let list = self.0.list(field).ok();
        list.into_iter().flatten().filter_map(Val::as_dag)
    }
}
