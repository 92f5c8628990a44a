//! Reads source patterns, in the order of the generated C++.

use std::{borrow::Cow, sync::Arc};

use super::{
    ArgumentMatch, AttributeMatch, ElementMatch, LeafCapture, Matcher, NativeCall, NativeMatch, OpMatch,
    OperandMatch, OperandSource, PropertyMatch, Reader, SharedCall,
    bind::is_bound,
    dag::{Arg, Kind, Leaf, Node},
};
use crate::{Argument, Constraint, ConstraintKind, Operation};
use odsmith_release::Change;
use odsmith_tablegen::diagnostic::Diagnostic;

/// The position of a matcher: its depth, and the variable that holds its operation.
struct At {
    depth: usize,
    operation: String,
}

impl At {
    /// Returns the position of an operation one level deeper, in a variable named after its depth.
    fn below(&self) -> At {
        At { depth: self.depth + 1, operation: format!("op{}", self.depth + 1) }
    }

    /// Returns the position of an operation one level deeper, in a variable named after its number among its siblings.
    fn local(&self, number: usize) -> At {
        At { depth: self.depth + 1, operation: format!("local_op_{number}") }
    }
}

/// An argument of an operation that is itself a node.
struct Child<'r, 'a> {
    /// The operation, in the dag and as it is defined.
    parent: Node<'r>,
    op: &'a Arc<Operation<'r>>,
    /// The index of the first argument that it matches, and that argument's index among the operands.
    index: usize,
    operand: usize,
    node: Node<'r>,
}

impl<'r> Reader<'r, '_> {
    /// Reads the matcher of a source pattern.
    pub(super) fn read_root(&mut self, node: Node<'r>) -> Result<Matcher<'r>, Diagnostic> {
        self.read_matcher(node, &At { depth: 0, operation: "op0".to_owned() })
    }

    /// Reads the matcher of a shared part. Its function is one level deeper than the pattern.
    pub(super) fn read_shared(&mut self, node: Node<'r>) -> Result<Matcher<'r>, Diagnostic> {
        self.read_unshared(node, &At { depth: 1, operation: "op0".to_owned() })
    }

    fn read_matcher(&mut self, node: Node<'r>, at: &At) -> Result<Matcher<'r>, Diagnostic> {
        match self.cx.shared.number(node) {
            Some(number) => self.read_shared_call(node, number).map(Matcher::Shared),
            None => self.read_unshared(node, at),
        }
    }

    fn read_unshared(&mut self, node: Node<'r>, at: &At) -> Result<Matcher<'r>, Diagnostic> {
        match node.kind() {
            Kind::NativeCall => self.read_native_match(node, at).map(Matcher::Native),
            Kind::Operation => self.read_op_match(node, at).map(Matcher::Op),
            _ => Err(self.error("encountered non-op, non-NativeCodeCall match.")),
        }
    }

    fn read_shared_call(&mut self, node: Node<'r>, number: usize) -> Result<SharedCall<'r>, Diagnostic> {
        let op = match node.kind() {
            Kind::Operation => Some(self.cx.op(node.operator)?),
            _ => None,
        };
        // The function's parameters are in the order of its own symbols.
        let parameters = self.cx.parameters[number].iter();
        let variables = parameters.map(|(name, place)| self.symbols.variable(name.clone(), *place)).collect();
        Ok(SharedCall { number, op, variables })
    }

    fn read_op_match(&mut self, node: Node<'r>, at: &At) -> Result<OpMatch<'r>, Diagnostic> {
        let op = self.cx.op(node.operator)?;
        let symbol = Some(node.name()).filter(|name| !name.is_empty());
        let args = node.args(self.rec)?;
        let mut arguments = Vec::with_capacity(args.len());
        let mut operand = 0;
        let mut index = 0;
        for arg in &args {
            let argument = match *arg {
                Arg::Node(part) => {
                    let child = Child { parent: node, op: &op, index, operand, node: part };
                    if part.kind() == Kind::Either {
                        index += 1;
                        operand += 2;
                        self.read_either(&child, at)?
                    } else {
                        operand += 1;
                        match op.arguments().get(index) {
                            Some(Argument::Operand(declared)) => {
                                self.read_operand_node(&child, *declared, at)?
                            }
                            _ => self.read_defined(&child, at)?,
                        }
                    }
                }
                Arg::Leaf(leaf) => match op.arguments().get(index) {
                    Some(Argument::Operand(_)) => {
                        operand += 1;
                        let place = (node, index);
                        let mut matched = self.read_operand(&op, place, operand - 1, leaf, false)?;
                        let (depth, operand) = (at.depth, operand - 1);
                        let entity =
                            || format!("(*castedOp{depth}.getODSOperands({operand}).begin()).getType()");
                        matched.condition = self.condition_in_place(matched.constraint, entity);
                        ArgumentMatch::Operand(matched)
                    }
                    Some(Argument::Attribute(declared)) => {
                        // The reference takes the argument at the operation's index: wrong after `either`.
                        let leaf = leaf_at(&args, index);
                        self.read_attribute(&op, index, *declared, node, leaf)?
                    }
                    Some(Argument::Property(_))
                        if !self.rec.records().rules().has(Change::PropertiesInSourcePatterns) =>
                    {
                        return Err(self.error("unhandled case when matching op"));
                    }
                    Some(Argument::Property(declared)) => {
                        let leaf = leaf_at(&args, index);
                        self.read_property(&op, index, *declared, node, leaf)?
                    }
                    None => return Err(self.error("encountered non-op, non-NativeCodeCall match.")),
                },
            };
            arguments.push(argument);
            index += 1;
        }
        Ok(OpMatch { op, symbol, arguments })
    }

    fn read_defined(&mut self, child: &Child<'r, '_>, at: &At) -> Result<ArgumentMatch<'r>, Diagnostic> {
        let by = self.read_matcher(child.node, &at.below())?;
        // The operations that define its own operands come first.
        self.defining += 1;
        Ok(ArgumentMatch::Defined { operand: child.operand, by, number: self.defining })
    }

    /// Returns the condition of a constraint on an entity, if no separate function checks it.
    fn condition_in_place(
        &mut self,
        constraint: Option<Constraint<'r>>,
        entity: impl FnOnce() -> String,
    ) -> Option<String> {
        let constraint = constraint.filter(|_| !self.rec.records().rules().has(Change::SharedMatchers))?;
        self.placeholders.set_self(entity());
        Some(self.placeholders.fill(&constraint.condition(), &[]))
    }

    fn read_operand_node(
        &mut self,
        child: &Child<'r, '_>,
        declared: usize,
        at: &At,
    ) -> Result<ArgumentMatch<'r>, Diagnostic> {
        let Child { op, index, node, .. } = *child;
        let constraint = op.operands()[declared].constraint;
        if node.kind() == Kind::Variadic {
            if !constraint.is_variadic() {
                return Err(self.error(format!(
                    "variadic DAG construct can't match op {}'s non-variadic operand #{index}",
                    op.name()
                )));
            }
            return self.read_variadic(child, at);
        }
        if constraint.is_variable_length() {
            return Err(self.error(format!(
                "use nested DAG construct to match op {}'s variadic operand #{index} unsupported now",
                op.name()
            )));
        }
        self.read_defined(child, at)
    }

    fn read_operand(
        &self,
        op: &Operation<'r>,
        (node, index): (Node<'r>, usize),
        operand: usize,
        leaf: Leaf<'r>,
        is_in_either: bool,
    ) -> Result<OperandMatch<'r>, Diagnostic> {
        let Some(Argument::Operand(declared)) = op.arguments().get(index) else {
            return Err(self.error("either can only be applied on operand"));
        };
        let number = *declared;
        let declared = op.operands()[number].constraint;
        let mut constraint = None;
        if !leaf.is_unspecified() {
            if !leaf.is(ConstraintKind::Type) {
                return Err(self.error(format!(
                    "the {}-th argument of op '{}' should be an operand",
                    index + 1,
                    op.name()
                )));
            }
            if declared.is_variable_length() {
                return Err(self.error(format!(
                    "further constrain op {}'s variadic operand #{index} unsupported now",
                    op.name()
                )));
            }
            constraint = leaf.constraint().filter(|constraint| constraint.rec() != declared.rec());
        }
        let variable = match is_bound(leaf.name) {
            false => None,
            true if is_in_either && self.is_sought_among_operands() => {
                Some(self.symbols.variable_at(leaf.name, (node.value, operand, None))?)
            }
            true => Some(self.symbols.variable(leaf.name, Some((node.value, index, None)))),
        };
        Ok(OperandMatch { operand, number, constraint, condition: None, variable })
    }

    fn is_sought_among_operands(&self) -> bool {
        let rules = self.rec.records().rules();
        rules.has(Change::OperandsInEither) && !rules.has(Change::ArgumentsInEither)
    }

    fn read_attribute(
        &mut self,
        op: &Operation<'r>,
        index: usize,
        declared: usize,
        node: Node<'r>,
        leaf: Option<Leaf<'r>>,
    ) -> Result<ArgumentMatch<'r>, Diagnostic> {
        let Some(leaf) = leaf.filter(|leaf| leaf.is_unspecified() || leaf.is(ConstraintKind::Attribute))
        else {
            let message =
                format!("the {}-th argument of op '{}' should be an attribute", index + 1, op.name());
            return Err(self.error(message));
        };
        let attribute = op.attributes()[declared];
        let default_value = match attribute.attribute.default_value() {
            Some(value) => {
                let Some(call) = attribute.attribute.const_builder_call() else {
                    let message =
                        format!("attribute '{}' has a default value but no builder", attribute.name);
                    return Err(self.error(message));
                };
                let value = self.placeholders.fill(value, &[]);
                Some(self.placeholders.fill(call, &[value]))
            }
            None => None,
        };
        let variable =
            is_bound(leaf.name).then(|| self.symbols.variable(leaf.name, Some((node.value, index, None))));
        let constraint = leaf.constraint();
        let condition = self.condition_in_place(constraint, || "tblgen_attr".to_owned());
        let matched = AttributeMatch { attribute, default_value, constraint, condition, variable };
        Ok(ArgumentMatch::Attribute(matched))
    }

    fn read_property(
        &mut self,
        op: &Operation<'r>,
        index: usize,
        declared: usize,
        node: Node<'r>,
        leaf: Option<Leaf<'r>>,
    ) -> Result<ArgumentMatch<'r>, Diagnostic> {
        let Some(leaf) = leaf.filter(|leaf| leaf.is_unspecified() || leaf.is(ConstraintKind::Property))
        else {
            let message = format!("the {}-th argument of op '{}' should be a property", index + 1, op.name());
            return Err(self.error(message));
        };
        let property = op.properties()[declared];
        let variable =
            is_bound(leaf.name).then(|| self.symbols.variable(leaf.name, Some((node.value, index, None))));
        Ok(ArgumentMatch::Property(PropertyMatch { property, constraint: leaf.constraint(), variable }))
    }

    fn read_either(&mut self, child: &Child<'r, '_>, at: &At) -> Result<ArgumentMatch<'r>, Diagnostic> {
        let Child { parent, op, index, operand, node: either } = *child;
        let args = either.args(self.rec)?;
        if args.len() != 2 {
            return Err(self.error("`either` only supports grouping two operands"));
        }
        let mut sources = Vec::with_capacity(args.len());
        for (number, arg) in args.into_iter().enumerate() {
            if !matches!(op.arguments().get(index + number), Some(Argument::Operand(_))) {
                return Err(self.error("either can only be applied on operand"));
            }
            sources.push(match arg {
                Arg::Node(child) if child.kind() == Kind::Either => {
                    return Err(self.error("either cannot be nested"));
                }
                Arg::Node(child) => OperandSource::Defined {
                    operand: operand + number,
                    by: self.read_matcher(child, &at.local(number))?,
                },
                Arg::Leaf(leaf) => OperandSource::Leaf(self.read_operand(
                    op,
                    (parent, index + number),
                    operand + number,
                    leaf,
                    true,
                )?),
            });
        }
        Ok(ArgumentMatch::Either { operand, sources })
    }

    fn read_variadic(&mut self, child: &Child<'r, '_>, at: &At) -> Result<ArgumentMatch<'r>, Diagnostic> {
        let Child { parent, op, index, operand, node: variadic } = *child;
        let variable = |name: &'r str, element| {
            is_bound(name).then(|| self.symbols.variable(name, Some((parent.value, index, element))))
        };
        let all = variable(variadic.name(), None);
        let args = variadic.args(self.rec)?;
        let names: Vec<Option<Cow<'r, str>>> = args
            .iter()
            .enumerate()
            .map(|(number, arg)| match arg {
                Arg::Leaf(leaf) => variable(leaf.name, Some(number)),
                Arg::Node(_) => None,
            })
            .collect();
        let mut elements = Vec::with_capacity(args.len());
        for ((number, arg), variable) in args.into_iter().enumerate().zip(names) {
            elements.push(match arg {
                Arg::Node(child) if child.kind() == Kind::Operation => {
                    ElementMatch::Defined(self.read_matcher(child, &at.local(number))?)
                }
                Arg::Node(_) => return Err(self.error("variadic only accepts operation sub-dags")),
                Arg::Leaf(leaf) if leaf.is_unspecified() => ElementMatch::Any(variable),
                Arg::Leaf(_) => {
                    return Err(self.error(format!(
                        "further constrain op {}'s variadic operand #{index} unsupported now",
                        op.name()
                    )));
                }
            });
        }
        Ok(ArgumentMatch::Variadic { operand, variable: all, elements })
    }

    fn read_native_match(&mut self, node: Node<'r>, at: &At) -> Result<NativeMatch<'r>, Diagnostic> {
        let call = NativeCall::new(node.operator)?;
        // As in the reference, several are as wrong as none.
        if call.expression.matches("$_self").count() != 1 {
            return Err(
                self.error("NativeCodeCall must have $_self as argument for passing the defining Operation")
            );
        }
        let mut captures = Vec::with_capacity(node.len());
        for (number, arg) in node.args(self.rec)?.into_iter().enumerate() {
            let local = format!("arg{}_{number}", at.depth);
            let leaf = match arg {
                Arg::Leaf(leaf) => leaf,
                Arg::Node(_) => {
                    return Err(self.error(format!(
                        "Matching nested tree in NativeCodecall not support for {local} as arg {number}"
                    )));
                }
            };
            if leaf.is(ConstraintKind::Property) {
                return Err(self.error(format!("native code call cannot capture a property as arg {number}")));
            }
            let variable = is_bound(leaf.name).then_some(Cow::Borrowed(leaf.name));
            let is_attribute = leaf.is(ConstraintKind::Attribute);
            let constraint = leaf.constraint();
            captures.push(LeafCapture { local, is_attribute, constraint, condition: None, variable });
        }
        self.placeholders.set_self(at.operation.clone());
        self.placeholders.set_location("odsLoc");
        let locals: Vec<String> = captures.iter().map(|capture| capture.local.clone()).collect();
        let expression = self.placeholders.fill(call.expression, &locals);
        for capture in &mut captures {
            capture.condition = self.condition_in_place(capture.constraint, || capture.entity());
        }
        Ok(NativeMatch { call, expression, captures })
    }
}

fn leaf_at<'r>(args: &[Arg<'r>], index: usize) -> Option<Leaf<'r>> {
    match args.get(index) {
        Some(Arg::Leaf(leaf)) => Some(*leaf),
        _ => None,
    }
}
