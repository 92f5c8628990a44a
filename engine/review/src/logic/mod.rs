//! Implication between the predicates of constraints.
