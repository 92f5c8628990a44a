//! Additional constraints of a pattern, on entities that it has bound.

use super::Reader;
use crate::{Constraint, ConstraintKind};
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{Val, name},
};

/// An additional constraint.
#[derive(Clone, Debug)]
pub struct PatternConstraint<'r> {
    /// The constraint.
    pub constraint: Constraint<'r>,
    /// The names of the constrained entities, without the name that follows the constraint itself.
    pub entities: Vec<&'r str>,
    /// The C++ condition.
    pub condition: String,
}

/// An additional constraint as written.
struct ConstraintUse<'r> {
    constraint: Constraint<'r>,
    /// The name that follows it; empty if there is none.
    own: &'r str,
    entities: Vec<&'r str>,
}

impl PatternConstraint<'_> {
    /// Returns whether it constrains the type of a value.
    #[must_use]
    pub fn is_of_type(&self) -> bool {
        self.constraint.kind() == ConstraintKind::Type
    }
}

/// Maximum number of entities of a constraint.
const MOST: usize = 4;

impl<'r> Reader<'r, '_> {
    pub(super) fn read_constraints(&mut self) -> Result<Vec<PatternConstraint<'r>>, Diagnostic> {
        // All constraints are read before the first one is resolved.
        let uses = self.rec.list(name!("constraints"))?.map(|value| self.constraint_use(value));
        let uses: Vec<ConstraintUse<'r>> = uses.collect::<Result<_, _>>()?;
        uses.into_iter().map(|usage| self.read_constraint(usage)).collect()
    }

    fn constraint_use(&self, value: Val<'r>) -> Result<ConstraintUse<'r>, Diagnostic> {
        let dag = value.as_dag().ok_or_else(|| {
            self.error("all elements in Pattern multi-entity constraints should be DAG nodes")
        })?;
        let Some(operator) = dag.operator_def().filter(|def| def.is_subclass_of(name!("Constraint"))) else {
            return Err(self.error("expected a constraint in the additional constraints of the pattern"));
        };
        let entities: Option<Vec<&'r str>> = dag.args().map(|(_, name)| name).collect();
        match entities {
            Some(entities) => {
                let constraint = Constraint::new(operator);
                Ok(ConstraintUse { constraint, own: dag.name().unwrap_or_default(), entities })
            }
            None => Err(self.error("operands to additional constraints can only be symbol references")),
        }
    }

    fn read_constraint(&mut self, usage: ConstraintUse<'r>) -> Result<PatternConstraint<'r>, Diagnostic> {
        let ConstraintUse { constraint, own, entities } = usage;
        let condition = match constraint.kind() {
            ConstraintKind::Type => {
                let [entity] = entities[..] else {
                    return Err(self.error("type constraint requires exactly one argument"));
                };
                let value = self.symbols.value(entity)?;
                self.placeholders.set_self(format!("({value}.getType())"));
                self.placeholders.fill(&constraint.condition(), &[])
            }
            ConstraintKind::Attribute => {
                return Err(self.error("cannot use AttrConstraint in Pattern multi-entity constraints"));
            }
            _ => {
                if entities.len() > MOST {
                    return Err(self.error("only support up to 4-entity constraints now"));
                }
                let mut values = Vec::with_capacity(MOST);
                for entity in &entities {
                    values.push(self.symbols.value(entity)?);
                }
                values.resize(MOST, "<unused>".to_owned());
                let own = match own {
                    "" => String::new(),
                    name => self.symbols.value(name)?,
                };
                self.placeholders.set_self(own);
                self.placeholders.fill(&constraint.condition(), &values)
            }
        };
        Ok(PatternConstraint { constraint, entities, condition })
    }
}
