//! A pattern as written. Nothing is checked, so that a malformed pattern can be shown too.

use odsmith_tablegen::record::{Dag, Rec, Val, name};

/// A record of class `Pattern`.
#[derive(Clone, Copy, Debug)]
pub struct PatternDef<'r>(Rec<'r>);

/// The callee of a dag in a pattern.
#[derive(Clone, Copy, Debug)]
pub enum Callee<'r> {
    /// An operation that is matched or created.
    Operation(Rec<'r>),
    /// Native code, and its C++ expression.
    Native(Rec<'r>, &'r str),
    /// A directive or a constraint.
    Other(Rec<'r>),
}

impl<'r> Callee<'r> {
    /// Returns the callee of a dag; nothing if the operator is not a record.
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
    /// Wraps a record of class `Pattern`.
    #[must_use]
    pub fn new(rec: Rec<'r>) -> Self {
        PatternDef(rec)
    }

    /// Returns the record.
    #[must_use]
    pub fn rec(self) -> Rec<'r> {
        self.0
    }

    /// Returns the source pattern.
    #[must_use]
    pub fn source(self) -> Option<Dag<'r>> {
        self.0.dag(name!("sourcePattern")).ok()
    }

    /// Returns the operation that the source pattern begins with.
    #[must_use]
    pub fn root(self) -> Option<Rec<'r>> {
        self.source()?.operator_def()
    }

    /// Returns the result patterns, which replace the root's results in order.
    pub fn results(self) -> impl Iterator<Item = Dag<'r>> {
        self.dags("resultPatterns")
    }

    /// Returns the supplemental patterns.
    pub fn supplements(self) -> impl Iterator<Item = Dag<'r>> {
        self.dags("supplementalPatterns")
    }

    /// Returns the additional constraints.
    pub fn constraints(self) -> impl Iterator<Item = Dag<'r>> {
        self.dags("constraints")
    }

    /// Returns the benefit that the author adds.
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
