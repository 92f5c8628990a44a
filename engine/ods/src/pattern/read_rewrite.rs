//! Reads result patterns, in the order of the generated C++.

use super::{
    Creation, CreationArgument, Entity, NativeCall, Reader, Replacement, ResultTypes, ReturnedType, Rewrite,
    Step,
    dag::{Arg, Kind, Leaf, Node},
    error_nowhere,
    symbols::split_index,
};
use crate::{Argument, Attribute, ConstraintKind, Operation};
use odsmith_release::{Change, spellings};
use odsmith_tablegen::{diagnostic::Diagnostic, record::Rec};

/// The directives after the arguments of a node.
#[derive(Clone, Copy, Debug, Default)]
struct Directives<'r> {
    location: Option<Node<'r>>,
    return_type: Option<Node<'r>>,
    count: usize,
}

/// The role of a node in a result pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// A whole pattern, which replaces results of the root from this index on.
    Replaces(usize),
    /// A whole pattern that replaces nothing.
    Auxiliary,
    /// A node inside another one.
    Nested,
}

impl<'r> Reader<'r, '_> {
    pub(super) fn read_rewrite(
        &mut self,
        root: &Operation<'r>,
        results: &[Node<'r>],
        supplemental: &[Node<'r>],
    ) -> Result<Rewrite<'r>, Diagnostic> {
        let counts: Vec<usize> =
            results.iter().map(|&node| self.declared_values(node)).collect::<Result<_, _>>()?;
        let total: usize = counts.iter().sum();
        let wanted = root.results().len();
        let Some(skipped) = total.checked_sub(wanted) else {
            let no = spellings::not_enough.of(self.rec.records().rules());
            return Err(self.error(format!("{no} enough values generated to replace the matched op")));
        };
        let mut rewrite =
            Rewrite { auxiliary: Vec::new(), replacements: Vec::new(), supplemental: Vec::new() };
        let mut start = 0;
        let mut first_replacement = None;
        for (number, count) in counts.iter().enumerate() {
            let end = start + count;
            if first_replacement.is_none() && end > skipped {
                if start < skipped {
                    return Err(self.error(format!(
                        "cannot use the same multi-result op '{}' to generate both auxiliary values and values to \
                         be used for replacing the matched op",
                        results[number].name()
                    )));
                }
                first_replacement = Some(number);
            }
            start = end;
        }
        let mut start = 0_usize;
        for (number, (&node, count)) in results.iter().zip(&counts).enumerate() {
            let mut steps = Vec::new();
            let role = start.checked_sub(skipped).map_or(Role::Auxiliary, Role::Replaces);
            let name = self.read_result(node, role, &mut steps)?;
            if first_replacement.is_some_and(|first| first <= number) {
                let ranges = self.symbols.ranges(&name)?;
                rewrite.replacements.push(Replacement { steps, ranges });
            } else {
                rewrite.auxiliary.append(&mut steps);
            }
            start += count;
        }
        for &node in supplemental {
            self.read_result(node, Role::Auxiliary, &mut rewrite.supplemental)?;
        }
        Ok(rewrite)
    }

    /// Returns how many declared values a result pattern generates.
    fn declared_values(&mut self, node: Node<'r>) -> Result<usize, Diagnostic> {
        Ok(match node.kind() {
            Kind::NativeCall => {
                let returns = NativeCall::new(node.operator)?.returns;
                u16::try_from(returns).map_or(0, usize::from)
            }
            Kind::Operation if split_index(node.name()).1.is_none() => {
                self.cx.op(node.operator)?.results().len()
            }
            _ => 1,
        })
    }

    /// Reads a result pattern, or a node in one, and returns the name of its value.
    fn read_result(
        &mut self,
        node: Node<'r>,
        role: Role,
        steps: &mut Vec<Step<'r>>,
    ) -> Result<String, Diagnostic> {
        match node.kind() {
            Kind::Location => Err(self.error("location directive can only be used with op creation")),
            Kind::ReplaceWithValue => match node.len() {
                1 if node.name().is_empty() => Ok(node.dag.arg_name(0).unwrap_or_default().to_owned()),
                1 => Err(self.error("cannot bind symbol to replaceWithValue")),
                _ => Err(self.error("replaceWithValue directive must take exactly one argument")),
            },
            Kind::Variadic if self.rec.records().rules().has(Change::VariadicInResults) => {
                self.read_pack(node, steps)
            }
            Kind::NativeCall => self.read_call(node, role == Role::Nested, steps),
            Kind::Operation | Kind::ReturnType | Kind::Either | Kind::Variadic => {
                self.read_creation(node, role, steps)
            }
        }
    }

    fn number(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    fn read_pack(&mut self, node: Node<'r>, steps: &mut Vec<Step<'r>>) -> Result<String, Diagnostic> {
        let variable = format!("tblgen_variadic_values_{}", self.number());
        self.symbols.bind_generated(&variable, Entity::Returned(1));
        let args = node.args(self.rec)?;
        let values = self.read_values(&args, steps)?;
        steps.push(Step::Pack { variable: variable.clone(), values });
        Ok(variable)
    }

    /// Reads the values of arguments, in order: a leaf may set `$_self` for those after it.
    fn read_values(
        &mut self,
        args: &[Arg<'r>],
        steps: &mut Vec<Step<'r>>,
    ) -> Result<Vec<String>, Diagnostic> {
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            values.push(match *arg {
                Arg::Node(child) => self.read_result(child, Role::Nested, steps)?,
                Arg::Leaf(leaf) => self.read_leaf(leaf)?,
            });
        }
        Ok(values)
    }

    fn read_call(
        &mut self,
        node: Node<'r>,
        is_nested: bool,
        steps: &mut Vec<Step<'r>>,
    ) -> Result<String, Diagnostic> {
        let call = NativeCall::new(node.operator)?;
        let args = node.args(self.rec)?;
        let directives = self.directives(&args)?;
        if directives.return_type.is_some() {
            return Err(self.error("`NativeCodeCall` cannot have return type specifier"));
        }
        let location = self.location(directives.location)?;
        let values = self.read_values(&args[..args.len() - directives.count], steps)?;
        self.placeholders.set_location(location);
        let expression = self.placeholders.fill(call.expression, &values);
        if call.returns == 0 {
            // Inside another node, the call is written in place of its value.
            if !is_nested {
                steps.push(Step::Call { call, variable: None, expression: expression.clone() });
            }
            return Ok(expression);
        }
        let name = match node.name() {
            "" => {
                let name = format!("nativeVar_{}", self.number());
                self.symbols.bind_generated(&name, Entity::Returned(call.returns));
                name
            }
            name => name.to_owned(),
        };
        let variable = Some(split_index(&name).0.to_owned());
        steps.push(Step::Call { call, variable, expression });
        Ok(name)
    }

    fn read_creation(
        &mut self,
        node: Node<'r>,
        role: Role,
        steps: &mut Vec<Step<'r>>,
    ) -> Result<String, Diagnostic> {
        let op = self.cx.op(node.operator)?;
        let args = node.args(self.rec)?;
        let directives = self.directives(&args)?;
        let location = self.location(directives.location)?;
        let args = &args[..args.len() - directives.count];
        if args.len() != op.arguments().len() {
            return Err(self.error(format!(
                "resultant op '{}' argument number mismatch: {} in pattern vs. {} in definition",
                op.name(),
                args.len(),
                op.arguments().len()
            )));
        }
        let mut nested = Vec::with_capacity(args.len());
        for (arg, argument) in args.iter().zip(op.arguments()) {
            nested.push(match *arg {
                Arg::Node(child) => Some(self.read_nested(child, &op, *argument, steps)?),
                Arg::Leaf(_) => None,
            });
        }
        let name = match node.name() {
            "" => {
                let name = format!("tblgen_{}_{}", op.cpp_class_name(), self.number());
                self.symbols.bind_generated(&name, Entity::Results(op.clone()));
                name
            }
            name => name.to_owned(),
        };
        let (base, index) = split_index(node.name());
        let is_replaced = match role {
            Role::Replaces(first) if index.is_none() => Some(first),
            _ => None,
        };
        if directives.return_type.is_some() && is_replaced.is_some() {
            return Err(self.error(
                "Cannot specify explicit return types in an op whose return values replace the source pattern's root op",
            ));
        }
        let has_collective_builder = op.has_trait("::mlir::OpTrait::SameOperandsAndResultType")
            || op.has_trait("::mlir::OpTrait::FirstAttrDerivedResultType");
        let is_collective =
            directives.return_type.is_some() || has_collective_builder || is_replaced.is_some();
        let arguments = self.read_arguments(&op, args, &nested, is_collective)?;
        let types = match (directives.return_type, is_replaced) {
            (Some(node), _) => ResultTypes::Given(self.read_returned_types(node)?),
            _ if has_collective_builder => ResultTypes::CollectiveBuilder,
            (None, Some(first)) => ResultTypes::Root(first),
            (None, None) => ResultTypes::Builder,
        };
        let variable = if base.is_empty() { name.clone() } else { base.to_owned() };
        steps.push(Step::Create(Creation { op, variable, arguments, types, location }));
        Ok(name)
    }

    /// Reads a dag for an argument.
    fn read_nested(
        &mut self,
        child: Node<'r>,
        op: &Operation<'r>,
        argument: Argument,
        steps: &mut Vec<Step<'r>>,
    ) -> Result<String, Diagnostic> {
        if let Argument::Operand(operand) = argument {
            let operand = op.operands()[operand];
            let is_checked = self.rec.records().rules().has(Change::SingleForVariadicRefused);
            if is_checked && operand.constraint.is_variadic() && child.kind() == Kind::Operation {
                return Err(self.error(format!(
                    "op expects variadic operand `{}`, while provided is non-variadic",
                    operand.name
                )));
            }
        }
        self.read_result(child, Role::Nested, steps)
    }

    fn read_arguments(
        &mut self,
        op: &Operation<'r>,
        args: &[Arg<'r>],
        nested: &[Option<String>],
        is_collective: bool,
    ) -> Result<Vec<CreationArgument<'r>>, Diagnostic> {
        let mut values: Vec<Option<String>> = vec![None; args.len()];
        let is_operand = |place: usize| matches!(op.arguments()[place], Argument::Operand(_));
        let is_variadic = |place: usize| match op.arguments()[place] {
            Argument::Operand(operand) => op.operands()[operand].constraint.is_variadic(),
            Argument::Attribute(_) | Argument::Property(_) => false,
        };
        // As in the reference, older releases collect properties as if they were operands.
        let are_values = is_collective && !op.rec().records().rules().has(Change::PropertiesInPatterns);
        let is_value = |place: usize| match op.arguments()[place] {
            Argument::Operand(_) => true,
            Argument::Property(_) => are_values,
            Argument::Attribute(_) => false,
        };
        let mut order: Vec<usize> = (0..args.len()).collect();
        if !is_collective {
            // A builder with separate parameters takes its operands from variables, which are declared first.
            order.sort_by_key(|&place| !is_operand(place));
        }
        for place in order {
            values[place] = Some(match (args[place], &nested[place]) {
                // The values of a variadic operand are passed as they are, whatever comes before the name.
                (Arg::Leaf(leaf), _) if is_variadic(place) => self.symbols.value(leaf.name)?,
                (Arg::Leaf(leaf), _) if is_value(place) => self.read_operand_leaf(leaf, is_collective)?,
                (Arg::Leaf(leaf), _) => {
                    self.check_constant(op, place, leaf, is_collective)?;
                    self.read_leaf(leaf)?
                }
                (Arg::Node(_), nested) if is_value(place) => {
                    self.symbols.value(nested.as_deref().unwrap_or_default())?
                }
                (Arg::Node(child), nested) => {
                    self.check_attribute_dag(op, place, child, is_collective)?;
                    nested.clone().unwrap_or_default()
                }
            });
        }
        let arguments = op.arguments().iter().zip(args).zip(values).map(|((&argument, arg), value)| {
            let name = op.argument_name(argument);
            let is_operand = matches!(argument, Argument::Operand(_));
            let constant = match arg {
                Arg::Leaf(leaf) if !is_operand && leaf.is_constant() => Some(leaf.name),
                _ => None,
            };
            let (is_constant, label) = (constant.is_some(), constant.unwrap_or(name));
            CreationArgument { name, argument, value: value.unwrap_or_default(), is_constant, label }
        });
        Ok(arguments.collect())
    }

    /// Checks that a parameter for an attribute gets no constant property, and vice versa.
    fn check_constant(
        &self,
        op: &Operation<'r>,
        place: usize,
        leaf: Leaf<'r>,
        is_collective: bool,
    ) -> Result<(), Diagnostic> {
        let is_attribute = matches!(op.arguments()[place], Argument::Attribute(_));
        let is_property = leaf.constant_property().is_some();
        if is_collective || !leaf.is_constant() || is_attribute != is_property {
            return Ok(());
        }
        let kind = if is_attribute { "property" } else { "attribute" };
        Err(self.error(format!("expected {kind} {place}")))
    }

    fn check_attribute_dag(
        &self,
        op: &Operation<'r>,
        place: usize,
        child: Node<'r>,
        is_collective: bool,
    ) -> Result<(), Diagnostic> {
        if child.kind() == Kind::NativeCall {
            return Ok(());
        }
        let what = match op.arguments()[place] {
            _ if !is_collective => spellings::nested_kinds.of(self.rec.records().rules()),
            Argument::Property(_) => "property",
            Argument::Attribute(_) | Argument::Operand(_) => "attribute",
        };
        Err(self.error(format!("only NativeCodeCall allowed in nested dag node for creating {what}")))
    }

    fn read_operand_leaf(&mut self, leaf: Leaf<'r>, is_collective: bool) -> Result<String, Diagnostic> {
        let is_refused = self.rec.records().rules().has(Change::ConstantOperandsRefused);
        if is_refused && is_collective && leaf.constant_attribute().is_some() {
            return Err(self.error(
                "attribute found where value was expected, if attempting to use constant value, construct a constant \
                 op with given attribute instead",
            ));
        }
        let value = self.symbols.value(leaf.name)?;
        match leaf.native_call() {
            Some(call) => self.fill_native_leaf(call, value),
            None => Ok(value),
        }
    }

    /// Returns the C++ expression for an argument that is not a dag.
    fn read_leaf(&mut self, leaf: Leaf<'r>) -> Result<String, Diagnostic> {
        if let Some((attribute, value)) = leaf.constant_attribute().or_else(|| leaf.enum_case()) {
            return self.constant(attribute, value);
        }
        if let Some(value) = leaf.constant_property() {
            return Ok(value.to_owned());
        }
        if leaf.value.as_str().is_some() {
            return Err(self.error("raw string not supported as argument"));
        }
        let value = self.symbols.value(leaf.name)?;
        if leaf.is_unspecified() || leaf.is(ConstraintKind::Type) {
            return Ok(value);
        }
        match leaf.native_call() {
            Some(call) => self.fill_native_leaf(call, value),
            None => Err(self.error("unhandled case when rewriting op")),
        }
    }

    fn constant(&self, attribute: Attribute<'r>, value: String) -> Result<String, Diagnostic> {
        match attribute.const_builder_call() {
            Some(call) => Ok(self.placeholders.fill(call, &[value])),
            None => {
                Err(self.error(format!("constant attribute of '{}' has no builder", attribute.rec().name())))
            }
        }
    }

    fn fill_native_leaf(&mut self, call: Rec<'r>, value: String) -> Result<String, Diagnostic> {
        let call = NativeCall::new(call)?;
        self.placeholders.set_self(value);
        Ok(self.placeholders.fill(call.expression, &[]))
    }

    /// Reads the directives at the end of a node's arguments.
    fn directives(&self, args: &[Arg<'r>]) -> Result<Directives<'r>, Diagnostic> {
        let mut directives = Directives::default();
        for arg in args.iter().rev() {
            let Arg::Node(node) = *arg else { break };
            let (slot, name) = match node.kind() {
                Kind::Location => (&mut directives.location, "location"),
                Kind::ReturnType => (&mut directives.return_type, "returnType"),
                _ => break,
            };
            if slot.replace(node).is_some() {
                return Err(self.error(format!("`{name}` directive can only be specified once")));
            }
            directives.count += 1;
        }
        Ok(directives)
    }

    fn location(&self, directive: Option<Node<'r>>) -> Result<String, Diagnostic> {
        let Some(node) = directive else { return Ok("odsLoc".to_owned()) };
        let mut name = None;
        let mut locations = Vec::new();
        if node.len() == 0 {
            return Err(error_nowhere("At least one argument to location directive required"));
        }
        for (value, symbol) in node.dag.args() {
            if let Some(text) = value.as_str() {
                if name.replace(text).is_some() {
                    return Err(error_nowhere("Only one string attribute may be specified"));
                }
                continue;
            }
            locations.push(self.locations_of(symbol.unwrap_or_default())?.join(", "));
        }
        Ok(match (name, &locations[..]) {
            (Some(name), []) => {
                let make = spellings::pattern_name.of(self.rec.records().rules());
                format!("::mlir::NameLoc::get(rewriter.{make}(\"{name}\"))")
            }
            (None, [location]) => location.clone(),
            (None, locations) => format!("rewriter.getFusedLoc({{{}}})", locations.join(", ")),
            (Some(name), locations) => format!(
                "rewriter.getFusedLoc({{{}}}, rewriter.getStringAttr(\"{name}\"))",
                locations.join(", ")
            ),
        })
    }

    /// Returns the locations of the values of a name.
    fn locations_of(&self, name: &str) -> Result<Vec<String>, Diagnostic> {
        let values = self.symbols.values(name)?;
        if self.rec.records().rules().has(Change::LocationsOfValues) {
            return Ok(values.iter().map(|value| format!("{value}.getLoc()")).collect());
        }
        let ranges = self.symbols.ranges(name)?;
        Ok(ranges.iter().map(|range| format!("(*{range}.begin()).getLoc()")).collect())
    }

    fn read_returned_types(&mut self, node: Node<'r>) -> Result<Vec<ReturnedType<'r>>, Diagnostic> {
        let mut types = Vec::with_capacity(node.len());
        for arg in node.args(self.rec)? {
            let mut steps = Vec::new();
            let expression = match arg {
                Arg::Node(child) if child.kind() == Kind::NativeCall => {
                    self.read_result(child, Role::Nested, &mut steps)?
                }
                Arg::Node(_) => {
                    return Err(self.error("nested DAG in `returnType` must be a native code call"));
                }
                Arg::Leaf(leaf) => match leaf.value.as_str() {
                    Some(code) => self.placeholders.fill(code, &[]),
                    None => format!("{}.getType()", self.read_leaf(leaf)?),
                },
            };
            types.push(ReturnedType { steps, expression });
        }
        Ok(types)
    }
}
