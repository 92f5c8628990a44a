//! Collects from the dags of a pattern the symbols that they bind and the operations that they name.

use std::{collections::BTreeSet, sync::Arc};

use super::{
    Entity, NativeCall, Reader,
    dag::{Arg, Kind, Node},
};
use crate::{ConstraintKind, Operation};
use odsmith_release::Change;
use odsmith_tablegen::diagnostic::Diagnostic;

/// The position of an argument: in the dag and in the operation's definition.
#[derive(Clone, Copy)]
struct Argument<'r, 'a> {
    node: Node<'r>,
    op: &'a Arc<Operation<'r>>,
    index: usize,
    is_source: bool,
}

impl<'r> Reader<'r, '_> {
    /// Binds the names in a source pattern, and gives each operand its variable.
    pub(super) fn bind_source(&mut self, source: Node<'r>) -> Result<(), Diagnostic> {
        self.bind(source, true)?;
        self.symbols.name_variables();
        self.matched_ops = self.count_ops(source)?;
        Ok(())
    }

    /// Binds the names in the result patterns.
    pub(super) fn bind_results(&mut self, results: &[Node<'r>]) -> Result<(), Diagnostic> {
        results.iter().try_for_each(|&result| self.bind(result, false))
    }

    /// Returns the full names of the operations in the result patterns.
    pub(super) fn generated_ops(&mut self, results: &[Node<'r>]) -> Result<BTreeSet<String>, Diagnostic> {
        let mut ops = BTreeSet::new();
        for &result in results {
            self.collect_ops(result, &mut ops)?;
        }
        Ok(ops)
    }

    fn bind(&mut self, node: Node<'r>, is_source: bool) -> Result<(), Diagnostic> {
        match node.kind() {
            Kind::Operation => self.bind_op(node, is_source),
            Kind::NativeCall => self.bind_native_call(node, is_source),
            _ if node.name().is_empty() => Ok(()),
            _ => Err(self.error(format!(
                "binding symbol '{}' to non-operation/native code call unsupported right now",
                node.name()
            ))),
        }
    }

    fn bind_native_call(&mut self, node: Node<'r>, is_source: bool) -> Result<(), Diagnostic> {
        let name = node.name();
        if !name.is_empty() {
            if is_source {
                return Err(self.error(format!(
                    "binding symbol '{name}' to NativecodeCall in MatchPattern is not supported"
                )));
            }
            let returns = NativeCall::new(node.operator)?.returns;
            self.symbols.bind(name, Entity::Returned(returns))?;
        }
        for arg in node.args(self.rec)? {
            match arg {
                Arg::Node(child) => self.bind(child, is_source)?,
                Arg::Leaf(leaf) if is_source && is_bound(leaf.name) => {
                    let entity = match leaf.is(ConstraintKind::Attribute) {
                        true => Entity::CapturedAttribute,
                        false => Entity::CapturedValue,
                    };
                    self.symbols.bind_captured(leaf.name, entity)?;
                }
                Arg::Leaf(_) => {}
            }
        }
        Ok(())
    }

    fn bind_op(&mut self, node: Node<'r>, is_source: bool) -> Result<(), Diagnostic> {
        let op = self.cx.op(node.operator)?;
        let args = node.args(self.rec)?;
        let is_either = |arg: &Arg<'r>| matches!(arg, Arg::Node(node) if node.kind() == Kind::Either);
        let given = args.len() + args.iter().filter(|arg| is_either(arg)).count();
        let directives = args.iter().filter(|arg| arg.is_directive()).count();
        if given - directives != op.arguments().len() {
            return Err(self.error(format!(
                "op '{}' argument number mismatch: {given} in pattern vs. {} in definition",
                op.name(),
                op.arguments().len()
            )));
        }
        if !node.name().is_empty() {
            self.symbols.bind(node.name(), Entity::Results(op.clone()))?;
        }
        let mut index = 0;
        for arg in args {
            let place = Argument { node, op: &op, index, is_source };
            match arg {
                Arg::Node(child) if child.kind() == Kind::Either => {
                    self.bind_either(place, child)?;
                    index += 1;
                }
                Arg::Node(child) if child.kind() == Kind::Variadic => self.bind_variadic(place, child)?,
                Arg::Node(child) => self.bind(child, is_source)?,
                Arg::Leaf(leaf) if is_source => self.bind_argument(place, None, leaf.name)?,
                Arg::Leaf(_) => {}
            }
            index += 1;
        }
        Ok(())
    }

    fn bind_either(&mut self, place: Argument<'r, '_>, either: Node<'r>) -> Result<(), Diagnostic> {
        for (index, arg) in either.args(self.rec)?.into_iter().enumerate() {
            match arg {
                Arg::Node(child) => self.bind(child, place.is_source)?,
                // Excess arguments are reported when the operands are matched.
                Arg::Leaf(leaf) if index < 2 => {
                    let place = Argument { index: place.index + index, ..place };
                    self.bind_argument(place, None, leaf.name)?;
                }
                Arg::Leaf(_) => {}
            }
        }
        Ok(())
    }

    fn bind_variadic(&mut self, place: Argument<'r, '_>, variadic: Node<'r>) -> Result<(), Diagnostic> {
        self.bind_argument(place, None, variadic.name())?;
        for (index, arg) in variadic.args(self.rec)?.into_iter().enumerate() {
            match arg {
                Arg::Node(child) => self.bind(child, place.is_source)?,
                Arg::Leaf(leaf) => self.bind_argument(place, Some(index), leaf.name)?,
            }
        }
        Ok(())
    }

    fn bind_argument(
        &mut self,
        place: Argument<'r, '_>,
        element: Option<usize>,
        name: &'r str,
    ) -> Result<(), Diagnostic> {
        if !is_bound(name) {
            return Ok(());
        }
        let entity = match place.op.arguments().get(place.index) {
            Some(crate::Argument::Operand(_)) if element.is_some() => Entity::Element,
            // As in the reference, older releases bind properties as if they were operands.
            Some(crate::Argument::Property(_))
                if !self.rec.records().rules().has(Change::PropertiesInSourcePatterns) =>
            {
                Entity::Element
            }
            Some(_) => Entity::Argument(place.op.clone(), place.index),
            // An argument after a directive; in a result pattern this is reported later.
            None if !place.is_source => return Ok(()),
            None => return Err(self.error("directives must be at the end of the arguments")),
        };
        self.symbols.bind_argument(name, entity, (place.node.value, place.index, element))
    }

    /// Counts the operations that a source pattern matches.
    fn count_ops(&self, node: Node<'r>) -> Result<usize, Diagnostic> {
        let has_calls = !self.rec.records().rules().has(Change::ListsOfMatchedOps);
        let is_counted = node.kind() == Kind::Operation || has_calls && node.kind() == Kind::NativeCall;
        let mut count = usize::from(is_counted);
        for arg in node.args(self.rec)? {
            if let Arg::Node(child) = arg {
                count += self.count_ops(child)?;
            }
        }
        Ok(count)
    }

    fn collect_ops(&mut self, node: Node<'r>, ops: &mut BTreeSet<String>) -> Result<(), Diagnostic> {
        if node.kind() == Kind::Operation {
            ops.insert(self.cx.op(node.operator)?.name());
        }
        for arg in node.args(self.rec)? {
            if let Arg::Node(child) = arg {
                self.collect_ops(child, ops)?;
            }
        }
        Ok(())
    }
}

/// Returns whether the name after an argument binds it.
pub(super) fn is_bound(name: &str) -> bool {
    !matches!(name, "" | "_")
}
