//! Parts that source patterns share: dags that occur more than once, and the constraints on their leaves.
//!
//! When a dag occurs again, the dags inside it are not counted again.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use super::{
    dag::{Arg, Kind, Node},
    error,
};
use crate::{Constraint, ConstraintKind};
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{InitId, Rec},
};

/// The dags and constraints of all source patterns.
#[derive(Debug, Default)]
pub(super) struct SharedDags<'r> {
    dags: Vec<DagOccurrence<'r>>,
    by_value: HashMap<InitId, usize, FxBuildHasher>,
    /// The number of each shared dag.
    numbers: HashMap<InitId, usize, FxBuildHasher>,
    pub(super) constraints: Vec<Constraint<'r>>,
}

#[derive(Debug)]
struct DagOccurrence<'r> {
    /// The pattern in which it occurs first.
    rec: Rec<'r>,
    node: Node<'r>,
    count: usize,
}

impl<'r> SharedDags<'r> {
    /// Adds a dag of a source pattern, after the dags inside it.
    pub(super) fn add(&mut self, rec: Rec<'r>, node: Node<'r>) -> Result<(), Diagnostic> {
        if let Some(&index) = self.by_value.get(&node.value.id()) {
            self.dags[index].count += 1;
            return Ok(());
        }
        for arg in node.args(rec)? {
            match arg {
                Arg::Node(child) => self.add(rec, child)?,
                // The argument at the position of such a leaf is checked later.
                Arg::Leaf(leaf) if leaf.is_unspecified() || leaf.is_op_variable() => {}
                Arg::Leaf(leaf) => match leaf.constraint() {
                    Some(constraint) => self.add_constraint(constraint),
                    None => {
                        let message =
                            format!("expected a constraint in source pattern but got {}", leaf.value);
                        return Err(error(rec, message));
                    }
                },
            }
        }
        self.by_value.insert(node.value.id(), self.dags.len());
        self.dags.push(DagOccurrence { rec, node, count: 1 });
        Ok(())
    }

    fn add_constraint(&mut self, constraint: Constraint<'r>) {
        let is_wanted = matches!(
            constraint.kind(),
            ConstraintKind::Type | ConstraintKind::Attribute | ConstraintKind::Property
        );
        if is_wanted && !self.constraints.contains(&constraint) {
            self.constraints.push(constraint);
        }
    }

    /// Numbers the dags that occur more than once, and returns them with the pattern in which each occurs first.
    pub(super) fn finish(&mut self) -> Vec<(Rec<'r>, Node<'r>)> {
        let mut shared = Vec::new();
        let is_matched =
            |dag: &&DagOccurrence<'r>| matches!(dag.node.kind(), Kind::Operation | Kind::NativeCall);
        for dag in self.dags.iter().filter(|dag| dag.count > 1).filter(is_matched) {
            self.numbers.insert(dag.node.value.id(), shared.len());
            shared.push((dag.rec, dag.node));
        }
        shared
    }

    /// Returns the number of a shared dag.
    pub(super) fn number(&self, node: Node<'r>) -> Option<usize> {
        self.numbers.get(&node.value.id()).copied()
    }
}
