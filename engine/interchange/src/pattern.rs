//! Rewrite patterns: the match, additional constraints, and the replacement. Values are C++ expressions over variables
//! that are named here, as in the code that is generated from the pattern.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Collection, Cx, Definition,
    definition_set::{Defined, Reference},
    name,
};
use odsmith_ods::pattern::{self, Entity};

/// A rewrite pattern.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::Pattern)]
pub struct Pattern {
    /// Its definition.
    pub definition: Definition,
    /// The root operation of the match.
    pub root: String,
    /// Its benefit: the number of matched operations, plus the author's addition.
    pub benefit: i64,
    /// The operations that it may create.
    pub generated_operations: Vec<String>,
    /// Its symbols.
    pub symbols: Vec<Symbol>,
    /// The matcher of the source pattern.
    pub source: Matcher,
    /// The additional constraints.
    pub constraints: Vec<PatternConstraint>,
    /// The steps before any replacement.
    pub auxiliary: Vec<Step>,
    /// The replacements of the root's results, in order.
    pub replacements: Vec<Replacement>,
    /// The steps after the replacements.
    pub supplemental: Vec<Step>,
}

/// A part of source patterns that occurs more than once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::SharedMatch)]
pub struct SharedMatch {
    /// The root that has it, as an index into the document's `roots`.
    pub root: usize,
    /// Its number in that root, by which patterns refer to it.
    pub number: usize,
    /// Its symbols.
    pub symbols: Vec<Symbol>,
    /// Its matcher.
    pub matcher: Matcher,
}

/// A symbol that a pattern binds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::Symbol)]
pub struct Symbol {
    /// The C++ variable that holds it.
    pub variable: String,
    /// Its C++ type.
    pub cpp_type: String,
    /// Its meaning.
    pub entity: SymbolEntity,
}

/// The meaning of a symbol.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::SymbolEntity)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum SymbolEntity {
    /// An argument of an operation.
    Argument {
        /// The operation.
        operation: String,
        /// The index of the argument.
        index: usize,
    },
    /// One of the values of a variadic operand.
    Element,
    /// The results of an operation.
    Results {
        /// The operation.
        operation: String,
    },
    /// The values that a native call returns.
    Returned {
        /// The number of values.
        count: i64,
    },
    /// An attribute that a native call captures.
    CapturedAttribute,
    /// A value that a native call captures.
    CapturedValue,
}

/// The matcher of an operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::Matcher)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Matcher {
    /// An operation and the matchers of its arguments.
    Operation {
        /// The operation.
        operation: String,
        /// The name bound to its results.
        #[serde(skip_serializing_if = "Option::is_none")]
        symbol: Option<String>,
        /// Its arguments in order.
        arguments: Vec<ArgumentMatch>,
    },
    /// Native code.
    Native {
        /// The record of the call; nothing for an anonymous one.
        #[serde(skip_serializing_if = "Option::is_none")]
        record: Option<String>,
        /// The C++ expression.
        expression: String,
        /// Its captures.
        captures: Vec<Capture>,
    },
    /// A part that other patterns share.
    Shared {
        /// Its number.
        number: usize,
        /// The operation that it begins with.
        #[serde(skip_serializing_if = "Option::is_none")]
        operation: Option<String>,
        /// The variables that it sets.
        variables: Vec<String>,
    },
}

/// The matcher of an argument.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::ArgumentMatch)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ArgumentMatch {
    /// An operand, an attribute or a property by itself.
    Leaf {
        /// The leaf.
        capture: Capture,
    },
    /// An operand that a matching operation defines.
    Defined {
        /// The matcher of the operation that defines it.
        #[schema(no_recursion)]
        by: Box<Matcher>,
    },
    /// Two operands in either order.
    Either {
        /// The matchers of the two operands.
        #[schema(no_recursion)]
        operands: Vec<ArgumentMatch>,
    },
    /// The values of a variadic operand one by one.
    Variadic {
        /// The variable that holds all of them.
        #[serde(skip_serializing_if = "Option::is_none")]
        variable: Option<String>,
        /// The matcher of each value.
        #[schema(no_recursion)]
        elements: Vec<ArgumentMatch>,
    },
}

impl ArgumentMatch {
    fn leaf(capture: Capture) -> Self {
        ArgumentMatch::Leaf { capture }
    }

    fn references(&mut self, visit: &mut dyn FnMut(Reference<'_>)) {
        match self {
            ArgumentMatch::Leaf { capture } => capture.references(visit),
            ArgumentMatch::Defined { by } => by.references(visit),
            ArgumentMatch::Either { operands: parts } | ArgumentMatch::Variadic { elements: parts, .. } => {
                parts.iter_mut().for_each(|it| it.references(visit));
            }
        }
    }
}

/// A leaf of a source pattern.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::Capture)]
pub struct Capture {
    /// Its kind.
    pub of: CaptureOf,
    /// Its name in the operation, for an attribute or a property.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its constraint, if it says more than the operation's: an index into the document's `constraints`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub constraint: Option<usize>,
    /// The value that is used if it is missing, in C++.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_value: Option<String>,
    /// The variable that holds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variable: Option<String>,
}

impl Capture {
    fn references(&mut self, visit: &mut dyn FnMut(Reference<'_>)) {
        self.constraint.iter_mut().for_each(|index| visit(Reference::Constraint(index)));
    }
}

/// The kind of a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::CaptureOf)]
#[serde(rename_all = "kebab-case")]
pub enum CaptureOf {
    /// An operand or another value.
    Value,
    /// An attribute.
    Attribute,
    /// A property.
    Property,
}

/// An additional constraint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::PatternConstraint)]
pub struct PatternConstraint {
    /// The constraint: an index into the document's `constraints`.
    pub constraint: usize,
    /// The names of the constrained entities.
    pub entities: Vec<String>,
    /// The C++ condition.
    pub condition: String,
}

/// A replacement of some of the root's results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::Replacement)]
pub struct Replacement {
    /// The steps that come first.
    pub steps: Vec<Step>,
    /// The values: C++ expressions, each of a range.
    pub ranges: Vec<String>,
}

/// A step of a rewrite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::Step)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Step {
    /// An operation is created.
    Create {
        /// The operation.
        operation: String,
        /// The variable that holds it.
        variable: String,
        /// Its arguments in order.
        arguments: Vec<CreationArgument>,
        /// The source of its result types.
        types: ResultTypes,
        /// Its location in C++.
        location: String,
    },
    /// Native code is called.
    Call {
        /// The record of the call; nothing for an anonymous one.
        #[serde(skip_serializing_if = "Option::is_none")]
        record: Option<String>,
        /// The variable that holds its result.
        #[serde(skip_serializing_if = "Option::is_none")]
        variable: Option<String>,
        /// The C++ expression.
        expression: String,
    },
    /// Values are collected for a variadic operand.
    Pack {
        /// The variable that holds them.
        variable: String,
        /// The values.
        values: Vec<String>,
    },
}

/// An argument of an operation that is created.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::CreationArgument)]
pub struct CreationArgument {
    /// Its name; may be empty.
    pub name: String,
    /// The C++ expression.
    pub value: String,
    /// True if the value is a constant attribute or property.
    pub is_constant: bool,
}

/// The source of a created operation's result types.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = model::ResultTypes)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ResultTypes {
    /// The builder with one parameter per argument infers them.
    Builder,
    /// The builder with all arguments in lists infers them.
    CollectiveBuilder,
    /// The types of the root's results.
    Root {
        /// The index of the first of these results.
        first: usize,
    },
    /// The directive `returnType`.
    Given {
        /// The steps that must come first.
        #[schema(no_recursion)]
        steps: Vec<Step>,
        /// The C++ expressions.
        expressions: Vec<String>,
    },
}

impl Defined for Pattern {
    fn definition(&mut self) -> &mut Definition {
        &mut self.definition
    }

    fn references(&mut self, visit: &mut dyn FnMut(Reference<'_>)) {
        self.source.references(visit);
        self.constraints.iter_mut().for_each(|it| visit(Reference::Constraint(&mut it.constraint)));
    }
}

impl Pattern {
    pub(super) fn new<'r>(pattern: &pattern::Pattern<'r>, cx: Cx<'_>, all: &mut Collection<'r>) -> Self {
        let constraints = pattern
            .constraints
            .iter()
            .map(|it| PatternConstraint {
                constraint: all.constraint(it.constraint.rec(), cx),
                entities: it.entities.iter().map(|&entity| entity.to_owned()).collect(),
                condition: it.condition.clone(),
            })
            .collect();
        let replacements = pattern.rewrite.replacements.iter();
        Pattern {
            definition: cx.definition(pattern.rec),
            root: pattern.root.name(),
            benefit: i64::from(pattern.benefit_delta) + pattern.matched_ops as i64,
            generated_operations: pattern.generated_ops.iter().cloned().collect(),
            symbols: symbols(&pattern.symbols),
            source: Matcher::new(&pattern.source, cx, all),
            constraints,
            auxiliary: steps(&pattern.rewrite.auxiliary),
            replacements: replacements
                .map(|it| Replacement { steps: steps(&it.steps), ranges: it.ranges.clone() })
                .collect(),
            supplemental: steps(&pattern.rewrite.supplemental),
        }
    }
}

impl SharedMatch {
    pub(super) fn new<'r>(
        number: usize,
        part: &pattern::SharedMatch<'r>,
        cx: Cx<'_>,
        all: &mut Collection<'r>,
    ) -> Self {
        SharedMatch {
            root: cx.root,
            number,
            symbols: symbols(&part.symbols),
            matcher: Matcher::new(&part.matcher, cx, all),
        }
    }
}

fn symbols(symbols: &pattern::Symbols<'_>) -> Vec<Symbol> {
    let all = symbols.iter();
    all.map(|symbol| Symbol {
        variable: symbol.variable.clone().into_owned(),
        cpp_type: symbol.entity.cpp_type().into_owned(),
        entity: match &symbol.entity {
            Entity::Argument(op, index) => SymbolEntity::Argument { operation: op.name(), index: *index },
            Entity::Element => SymbolEntity::Element,
            Entity::Results(op) => SymbolEntity::Results { operation: op.name() },
            Entity::Returned(count) => SymbolEntity::Returned { count: *count },
            Entity::CapturedAttribute => SymbolEntity::CapturedAttribute,
            Entity::CapturedValue => SymbolEntity::CapturedValue,
        },
    })
    .collect()
}

impl Matcher {
    /// Visits the constraints of its leaves.
    pub(crate) fn references(&mut self, visit: &mut dyn FnMut(Reference<'_>)) {
        match self {
            Matcher::Operation { arguments, .. } => arguments.iter_mut().for_each(|it| it.references(visit)),
            Matcher::Native { captures, .. } => captures.iter_mut().for_each(|it| it.references(visit)),
            Matcher::Shared { .. } => {}
        }
    }

    fn new<'r>(matcher: &pattern::Matcher<'r>, cx: Cx<'_>, all: &mut Collection<'r>) -> Self {
        match matcher {
            pattern::Matcher::Op(op) => Matcher::Operation {
                operation: op.op.name(),
                symbol: op.symbol.map(str::to_owned),
                arguments: op.arguments.iter().map(|it| ArgumentMatch::new(it, cx, all)).collect(),
            },
            pattern::Matcher::Native(native) => Matcher::Native {
                record: name(native.call.rec),
                expression: native.expression.clone(),
                captures: native.captures.iter().map(|it| Capture::of_leaf(it, cx, all)).collect(),
            },
            pattern::Matcher::Shared(shared) => Matcher::Shared {
                number: shared.number,
                operation: shared.op.as_ref().map(|op| op.name()),
                variables: shared.variables.iter().map(|name| name.clone().into_owned()).collect(),
            },
        }
    }
}

impl ArgumentMatch {
    fn new<'r>(argument: &pattern::ArgumentMatch<'r>, cx: Cx<'_>, all: &mut Collection<'r>) -> Self {
        use pattern::ArgumentMatch as A;
        match argument {
            A::Operand(operand) => ArgumentMatch::leaf(Capture::of_operand(operand, cx, all)),
            A::Attribute(it) => ArgumentMatch::leaf(Capture {
                name: Some(it.attribute.name.to_owned()),
                default_value: it.default_value.clone(),
                constraint: it.constraint.map(|it| all.constraint(it.rec(), cx)),
                ..Capture::new(CaptureOf::Attribute, it.variable.as_deref())
            }),
            A::Property(it) => ArgumentMatch::leaf(Capture {
                name: Some(it.property.name.to_owned()),
                constraint: it.constraint.map(|it| all.constraint(it.rec(), cx)),
                ..Capture::new(CaptureOf::Property, it.variable.as_deref())
            }),
            A::Defined { by, .. } => ArgumentMatch::defined(by, cx, all),
            A::Either { sources, .. } => ArgumentMatch::Either {
                operands: sources
                    .iter()
                    .map(|source| match source {
                        pattern::OperandSource::Leaf(leaf) => {
                            ArgumentMatch::leaf(Capture::of_operand(leaf, cx, all))
                        }
                        pattern::OperandSource::Defined { by, .. } => ArgumentMatch::defined(by, cx, all),
                    })
                    .collect(),
            },
            A::Variadic { variable, elements, .. } => ArgumentMatch::Variadic {
                variable: variable.clone().map(std::borrow::Cow::into_owned),
                elements: elements
                    .iter()
                    .map(|element| match element {
                        pattern::ElementMatch::Any(variable) => {
                            ArgumentMatch::leaf(Capture::new(CaptureOf::Value, variable.as_deref()))
                        }
                        pattern::ElementMatch::Defined(by) => ArgumentMatch::defined(by, cx, all),
                    })
                    .collect(),
            },
        }
    }

    fn defined<'r>(by: &pattern::Matcher<'r>, cx: Cx<'_>, all: &mut Collection<'r>) -> Self {
        ArgumentMatch::Defined { by: Box::new(Matcher::new(by, cx, all)) }
    }
}

impl Capture {
    fn new(of: CaptureOf, variable: Option<&str>) -> Self {
        Capture {
            of,
            name: None,
            constraint: None,
            default_value: None,
            variable: variable.map(str::to_owned),
        }
    }

    fn of_operand<'r>(operand: &pattern::OperandMatch<'r>, cx: Cx<'_>, all: &mut Collection<'r>) -> Self {
        let constraint = operand.constraint.map(|it| all.constraint(it.rec(), cx));
        Capture { constraint, ..Capture::new(CaptureOf::Value, operand.variable.as_deref()) }
    }

    fn of_leaf<'r>(leaf: &pattern::LeafCapture<'r>, cx: Cx<'_>, all: &mut Collection<'r>) -> Self {
        let of = if leaf.is_attribute { CaptureOf::Attribute } else { CaptureOf::Value };
        let constraint = leaf.constraint.map(|it| all.constraint(it.rec(), cx));
        Capture { constraint, ..Capture::new(of, leaf.variable.as_deref()) }
    }
}

fn steps(steps: &[pattern::Step<'_>]) -> Vec<Step> {
    steps.iter().map(Step::new).collect()
}

impl Step {
    fn new(step: &pattern::Step<'_>) -> Self {
        match step {
            pattern::Step::Create(creation) => Step::Create {
                operation: creation.op.name(),
                variable: creation.variable.clone(),
                arguments: creation
                    .arguments
                    .iter()
                    .map(|it| CreationArgument {
                        name: it.name.to_owned(),
                        value: it.value.clone(),
                        is_constant: it.is_constant,
                    })
                    .collect(),
                types: ResultTypes::new(&creation.types),
                location: creation.location.clone(),
            },
            pattern::Step::Call { call, variable, expression } => Step::Call {
                record: name(call.rec),
                variable: variable.clone(),
                expression: expression.clone(),
            },
            pattern::Step::Pack { variable, values } => {
                Step::Pack { variable: variable.clone(), values: values.clone() }
            }
        }
    }
}

impl ResultTypes {
    fn new(types: &pattern::ResultTypes<'_>) -> Self {
        match types {
            pattern::ResultTypes::Builder => ResultTypes::Builder,
            pattern::ResultTypes::CollectiveBuilder => ResultTypes::CollectiveBuilder,
            pattern::ResultTypes::Root(first) => ResultTypes::Root { first: *first },
            pattern::ResultTypes::Given(given) => ResultTypes::Given {
                steps: given.iter().flat_map(|it| steps(&it.steps)).collect(),
                expressions: given.iter().map(|it| it.expression.clone()).collect(),
            },
        }
    }
}
