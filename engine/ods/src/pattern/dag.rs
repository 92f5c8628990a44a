//! Nodes and leaves of a pattern's dags, as they are written.

use smallvec::SmallVec;

use super::error;
use crate::{Attribute, Constraint, ConstraintKind};
use odsmith_release::Change;
use odsmith_tablegen::{
    diagnostic::Diagnostic,
    record::{Dag, KnownName, Name, Rec, Val, name},
};

/// A dag of a pattern: `(operator:$name arguments…)`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<'r> {
    /// The dag as a value; equal dags are one value.
    pub(super) value: Val<'r>,
    pub(super) dag: Dag<'r>,
    pub(super) operator: Rec<'r>,
}

/// The kind of a node's operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Operation,
    NativeCall,
    ReplaceWithValue,
    Location,
    ReturnType,
    Either,
    Variadic,
}

/// An argument of a node.
#[derive(Clone, Copy, Debug)]
pub(super) enum Arg<'r> {
    Node(Node<'r>),
    Leaf(Leaf<'r>),
}

/// The arguments of a node; most have no more than four.
pub(super) type Args<'r> = SmallVec<[Arg<'r>; 4]>;

/// An argument that is not a dag.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf<'r> {
    pub(super) value: Val<'r>,
    /// The name that follows it; empty if there is none.
    pub(super) name: &'r str,
}

impl<'r> Node<'r> {
    /// Returns the node of a value, which must be a dag led by a record.
    pub(super) fn new(pattern: Rec<'r>, value: Val<'r>) -> Result<Self, Diagnostic> {
        let dag = value.as_dag();
        match dag.and_then(|dag| Some((dag, dag.operator_def()?))) {
            Some((dag, operator)) => Ok(Node { value, dag, operator }),
            None => Err(error(pattern, "pattern must be a DAG led by an operation or a directive")),
        }
    }

    /// Returns the node in a field.
    pub(super) fn of_field(pattern: Rec<'r>, field: KnownName) -> Result<Self, Diagnostic> {
        pattern.dag(field)?;
        Node::new(pattern, pattern.value(field)?)
    }

    pub(super) fn kind(self) -> Kind {
        if self.operator.is_subclass_of(name!("NativeCodeCall")) {
            return Kind::NativeCall;
        }
        match self.operator.name() {
            "replaceWithValue" => Kind::ReplaceWithValue,
            "location" => Kind::Location,
            "returnType" => Kind::ReturnType,
            "either" => Kind::Either,
            "variadic" => Kind::Variadic,
            _ => Kind::Operation,
        }
    }

    /// Returns the name that follows the operator; empty if there is none.
    pub(super) fn name(self) -> &'r str {
        self.dag.name().unwrap_or_default()
    }

    pub(super) fn len(self) -> usize {
        self.dag.len()
    }

    pub(super) fn args(self, pattern: Rec<'r>) -> Result<Args<'r>, Diagnostic> {
        let args = self.dag.args();
        args.map(|(value, name)| match value.as_dag() {
            Some(_) => Node::new(pattern, value).map(Arg::Node),
            None => Ok(Arg::Leaf(Leaf { value, name: name.unwrap_or_default() })),
        })
        .collect()
    }
}

impl<'r> Arg<'r> {
    /// Returns whether the argument is a directive on how to build the operation.
    pub(super) fn is_directive(self) -> bool {
        matches!(self, Arg::Node(node) if matches!(node.kind(), Kind::Location | Kind::ReturnType))
    }
}

impl<'r> Leaf<'r> {
    pub(super) fn is_unspecified(self) -> bool {
        self.value.is_unset()
    }

    fn def_of(self, class: impl Name) -> Option<Rec<'r>> {
        self.value.as_def().filter(|def| def.is_subclass_of(class))
    }

    /// Returns whether the leaf is a constraint decorated for an operation's definition: `Arg`, `Res`.
    pub(super) fn is_op_variable(self) -> bool {
        self.def_of(name!("OpVariable")).is_some()
    }

    /// Returns the constraint, if the leaf is one.
    pub(super) fn constraint(self) -> Option<Constraint<'r>> {
        self.def_of(name!("Constraint")).map(Constraint::new)
    }

    pub(super) fn is(self, kind: ConstraintKind) -> bool {
        self.constraint().is_some_and(|constraint| constraint.kind() == kind)
    }

    pub(super) fn native_call(self) -> Option<Rec<'r>> {
        self.def_of(name!("NativeCodeCall"))
    }

    /// Returns the attribute and the value of a `ConstantAttr`.
    pub(super) fn constant_attribute(self) -> Option<(Attribute<'r>, String)> {
        let def = self.def_of(name!("ConstantAttr"))?;
        let attribute = def.get(name!("attr")).and_then(Val::as_def)?;
        Some((Attribute::new(attribute), def.optional_string(name!("value"))?.to_owned()))
    }

    /// Returns a case of an enum that is itself an attribute, and its value; in the oldest releases the value may be a
    /// text.
    pub(super) fn enum_case(self) -> Option<(Attribute<'r>, String)> {
        let def = self
            .def_of(name!("EnumCase"))
            .or_else(|| self.def_of(name!("EnumAttrCaseInfo")))
            .filter(|def| def.is_subclass_of(name!("Attr")))?;
        let rules = def.records().rules();
        let value = match !rules.has(Change::EnumsAsNumbers) && def.is_subclass_of("StrEnumAttrCase") {
            true => {
                let symbol = def.optional_string(name!("symbol"))?;
                match rules.has(Change::QuotedCases) {
                    true => format!("\"{symbol}\""),
                    false => symbol.to_owned(),
                }
            }
            false => def.int(name!("value")).ok()?.to_string(),
        };
        Some((Attribute::new(def), value))
    }

    /// Returns whether the leaf has a constant value.
    pub(super) fn is_constant(self) -> bool {
        self.constant_attribute().is_some()
            || self.enum_case().is_some()
            || self.constant_property().is_some()
    }

    /// Returns the value of a `ConstantProp`.
    pub(super) fn constant_property(self) -> Option<&'r str> {
        self.def_of(name!("ConstantProp"))?.optional_string(name!("value"))
    }
}
